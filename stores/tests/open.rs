//! Stores opened by URL, from the environment, and by the enabled features. Works with every choice of features.

use std::env;
use std::path::Path;
use std::process::Command;

use idempotency_runtime::{AnyStore, StoreError, StoreErrorKind};
use idempotency_stores::{from_env, from_features, open};

const SQLITE: bool = cfg!(feature = "sqlite");
const MEMORY: bool = cfg!(feature = "memory");

fn available() -> &'static str {
    match (SQLITE, MEMORY) {
        (true, true) => "this build has `sqlite:PATH` and `memory:`",
        (true, false) => "this build has `sqlite:PATH`",
        (false, true) => "this build has `memory:`",
        (false, false) => "this build has no store: enable the feature `sqlite` or `memory`",
    }
}

fn refusal(opened: Result<AnyStore, StoreError>) -> String {
    let error = opened.expect_err("a store was opened");
    assert_eq!(error.kind(), StoreErrorKind::Misconfigured, "{error}");
    error.to_string()
}

#[tokio::test]
async fn a_url_without_a_scheme_is_told_how_to_write_it() {
    for url in ["./orders.db", "orders.db", "/var/lib/orders.db", r"C:\orders.db", "memory", ""] {
        assert_eq!(
            refusal(open(url).await),
            format!(
                "the store {url:?} has no scheme: write `sqlite:{url}` for a SQLite file, or `memory:` for records in memory; {}",
                available()
            )
        );
    }
}

#[tokio::test]
async fn an_unknown_scheme_lists_what_there_is_and_shows_nothing_else_of_the_url() {
    let expected = format!("there is no store `redis:`; {}", available());
    assert_eq!(refusal(open("redis://user:secret@host/0").await), expected);
}

#[tokio::test]
async fn dynamodb_does_not_exist_in_this_version() {
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(
        refusal(open("dynamodb:orders?region=eu-central-1").await),
        format!("the DynamoDB store does not exist in version {version} of this crate; {}", available())
    );
}

#[cfg(feature = "memory")]
mod memory {
    use super::*;

    #[tokio::test]
    async fn a_memory_url_opens_a_store_of_its_own_each_time() {
        let (first, second) = (open("memory:").await.unwrap(), open("MEMORY://").await.unwrap());
        assert!(first.identity().starts_with("memory:"), "{first:?}");
        assert_ne!(first.identity(), second.identity());
    }

    #[tokio::test]
    async fn a_memory_store_has_no_name() {
        assert_eq!(
            refusal(open("memory:orders").await),
            "`memory:orders` has a name, and memory stores have none: write `memory:`"
        );
    }
}

#[cfg(not(feature = "memory"))]
#[tokio::test]
async fn a_memory_url_names_the_feature_that_is_off() {
    assert_eq!(
        refusal(open("memory:").await),
        format!(
            "the memory store is not in this build: enable the feature `memory` of the crate; {}",
            available()
        )
    );
}

#[cfg(not(feature = "sqlite"))]
#[tokio::test]
async fn a_sqlite_url_names_the_feature_that_is_off() {
    assert_eq!(
        refusal(open("sqlite:./orders.db").await),
        format!(
            "the SQLite store is not in this build: enable the feature `sqlite` of the crate; {}",
            available()
        )
    );
}

#[cfg(feature = "sqlite")]
mod sqlite {
    use super::*;

    #[tokio::test]
    async fn a_path_after_the_scheme_is_taken_as_it_is() {
        let directory = tempfile::tempdir().unwrap();
        let directory = directory.path().canonicalize().unwrap();
        for (url, file) in [
            (format!("sqlite:{}/a.db", directory.display()), "a.db"),
            (format!("sqlite://{}/b.db", directory.display()), "b.db"),
            (format!("SQLite:{}/100%20c:d#.db", directory.display()), "100%20c:d#.db"),
        ] {
            let store = open(&url).await.unwrap();
            assert_eq!(store.identity(), format!("sqlite:{}", directory.join(file).display()));
            store.ready().await.unwrap();
        }
    }

    #[tokio::test]
    async fn a_url_without_a_file_says_so() {
        for url in ["sqlite:", "sqlite://", "sqlite::memory:"] {
            assert_eq!(
                refusal(open(url).await),
                format!(
                    "`{url}` names no file: write for example `sqlite:./orders.db`, or `memory:` for records in memory"
                )
            );
        }
    }

    #[tokio::test]
    async fn settings_in_the_url_are_refused() {
        assert_eq!(
            refusal(open("sqlite:./orders.db?mode=ro").await),
            "`sqlite:./orders.db?…` has settings, and this store takes none in its URL: write \
             `sqlite:./orders.db`, or use `SqliteStore::builder`"
        );
    }

    #[tokio::test]
    async fn a_missing_directory_is_named() {
        let refused = refusal(open("sqlite:./not-there/orders.db").await);
        assert!(refused.contains("the directory `./not-there` of the SQLite file"), "{refused}");
    }
}

/// What another process with this environment and working directory says about opening a store.
fn outcome(call: &str, url: Option<&str>, directory: &Path) -> String {
    let mut command = Command::new(env::current_exe().unwrap());
    command.args(["opens_a_store", "--exact", "--nocapture"]).current_dir(directory);
    command.env("IDEMPOTENCY_TEST_CALL", call).env_remove("IDEMPOTENCY_STORE");
    if let Some(url) = url {
        command.env("IDEMPOTENCY_STORE", url);
    }
    let output = command.output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    text.lines().find_map(|line| line.strip_prefix("outcome: ")).unwrap().to_owned()
}

/// The other process of the tests in this file; does nothing where nobody has started it as such.
#[tokio::test]
async fn opens_a_store() {
    let opened = match env::var("IDEMPOTENCY_TEST_CALL").as_deref() {
        Ok("from_env") => from_env().await,
        Ok("from_features") => from_features().await,
        _ => return,
    };
    match opened {
        Ok(store) => println!("\noutcome: {}", store.identity()),
        Err(error) => println!("\noutcome: {:?}: {error}", error.kind()),
    }
}

#[test]
fn an_environment_that_names_no_store_says_what_to_set() {
    let directory = tempfile::tempdir().unwrap();
    for url in [None, Some("")] {
        assert_eq!(
            outcome("from_env", url, directory.path()),
            format!(
                "Misconfigured: the environment variable IDEMPOTENCY_STORE is not set: set it to the URL of a store, \
                 for example `sqlite:./orders.db`; {}",
                available()
            )
        );
    }
}

#[test]
fn the_store_that_the_environment_names_is_opened() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().canonicalize().unwrap().join("orders.db");
    for call in ["from_env", "from_features"] {
        if SQLITE {
            let opened = outcome(call, Some("sqlite:./orders.db"), directory.path());
            assert_eq!(opened, format!("sqlite:{}", file.display()));
        }
        if MEMORY {
            assert_eq!(outcome(call, Some("memory:"), directory.path()), "memory:1");
        }
        let refused = outcome(call, Some("postgres://host"), directory.path());
        assert_eq!(refused, format!("Misconfigured: there is no store `postgres:`; {}", available()));
    }
}

#[test]
fn the_enabled_features_choose_the_durable_store_before_memory() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().canonicalize().unwrap().join("idempotency.db");
    let expected = match (SQLITE, MEMORY) {
        (true, _) => format!("sqlite:{}", file.display()),
        (false, true) => "memory:1".to_owned(),
        (false, false) => {
            "Misconfigured: no store is in this build: enable the feature `sqlite` or `memory`".to_owned()
        }
    };
    assert_eq!(outcome("from_features", None, directory.path()), expected);
    assert_eq!(file.exists(), SQLITE);
}

//! Opening a store by its URL, from the environment, or by the enabled features.

use std::env::{self, VarError};

use idempotency_runtime::{AnyStore, StoreError, StoreErrorKind};

/// The environment variable that names the store.
const VARIABLE: &str = "IDEMPOTENCY_STORE";

/// A durable store that this build contains: its feature, and the URL with its standard settings.
struct Durable {
    feature: &'static str,
    url: &'static str,
}

const DURABLE: &[Durable] = &[
    #[cfg(feature = "sqlite")]
    Durable { feature: "sqlite", url: "sqlite:./idempotency.db" },
];

/// Opens the store that `url` names:
///
/// | URL | store |
/// |---|---|
/// | `sqlite:./orders.db`, `sqlite:orders.db`, `sqlite://orders.db` | the SQLite file, relative to the working directory |
/// | `sqlite:/var/lib/orders.db`, `sqlite:///var/lib/orders.db` | the SQLite file |
/// | `memory:` | a new memory store of its own |
///
/// What follows `sqlite:` (and `//`) is the path as it is; nothing in it is decoded. Settings other than the
/// path are made with the builder of the store.
///
/// A store whose feature is off, and a URL that names none, are errors of kind
/// [`StoreErrorKind::Misconfigured`] that say what to do.
pub async fn open(url: &str) -> Result<AnyStore, StoreError> {
    let Some((scheme, rest)) = split(url) else {
        return Err(misconfigured(format!(
            "the store {url:?} has no scheme: write `sqlite:{url}` for a SQLite file, or `memory:` for records in \
             memory; this build has {}",
            available()
        )));
    };
    match scheme.to_ascii_lowercase().as_str() {
        "sqlite" => sqlite(rest).await,
        "memory" => memory(rest),
        "dynamodb" => Err(misconfigured(format!(
            "the DynamoDB store does not exist in version {} of this crate; this build has {}",
            env!("CARGO_PKG_VERSION"),
            available()
        ))),
        _ => Err(misconfigured(format!("there is no store `{scheme}:`; this build has {}", available()))),
    }
}

/// Opens the store that the environment variable `IDEMPOTENCY_STORE` names; see [`open`]. A variable that is
/// not set, or empty, is an error.
pub async fn from_env() -> Result<AnyStore, StoreError> {
    match variable()? {
        Some(url) => open(&url).await,
        None => Err(misconfigured(format!(
            "the environment variable {VARIABLE} is not set: set it to the URL of a store, for example \
             `sqlite:./orders.db`; this build has {}",
            available()
        ))),
    }
}

/// Opens the durable store whose feature is enabled, with its standard settings (SQLite: the file
/// `./idempotency.db`), or a memory store if none is. `IDEMPOTENCY_STORE` overrides the choice; see [`open`].
/// [`AnyStore::identity`] says what was opened; with the feature `tracing` an event says it too.
///
/// This is for binaries: they choose their features. In a library Cargo adds up the features of all users.
pub async fn from_features() -> Result<AnyStore, StoreError> {
    let store = match variable()? {
        Some(url) => open(&url).await?,
        None => open(choose(DURABLE)?).await?,
    };
    #[cfg(feature = "tracing")]
    tracing::info!(target: "idempotency", store = store.identity(), "store opened");
    Ok(store)
}

fn choose(durable: &[Durable]) -> Result<&'static str, StoreError> {
    match durable {
        [] if cfg!(feature = "memory") => Ok("memory:"),
        [] => Err(misconfigured(
            "no store is in this build: enable the feature `sqlite` or `memory`".to_owned(),
        )),
        [only] => Ok(only.url),
        several => {
            let features: Vec<_> = several.iter().map(|store| format!("`{}`", store.feature)).collect();
            Err(misconfigured(format!(
                "several durable stores are in this build ({}): set {VARIABLE} to the URL of one, for example \
                 `{}`, or enable one feature only",
                features.join(", "),
                several[0].url
            )))
        }
    }
}

fn variable() -> Result<Option<String>, StoreError> {
    match env::var(VARIABLE) {
        Ok(url) if url.is_empty() => Ok(None),
        Ok(url) => Ok(Some(url)),
        Err(VarError::NotPresent) => Ok(None),
        Err(VarError::NotUnicode(_)) => {
            Err(misconfigured(format!("the environment variable {VARIABLE} is not valid Unicode")))
        }
    }
}

/// A single letter before the colon is a drive, not a scheme.
fn split(url: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = url.split_once(':')?;
    let word = scheme.len() > 1
        && scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'));
    word.then_some((scheme, rest))
}

#[cfg(feature = "sqlite")]
async fn sqlite(rest: &str) -> Result<AnyStore, StoreError> {
    let path = rest.strip_prefix("//").unwrap_or(rest);
    if path.is_empty() || path == ":memory:" {
        return Err(misconfigured(format!(
            "`sqlite:{rest}` names no file: write for example `sqlite:./orders.db`, or `memory:` for records in \
             memory"
        )));
    }
    if let Some((path, _)) = path.split_once('?') {
        return Err(misconfigured(format!(
            "`sqlite:{path}?…` has settings, and this store takes none in its URL: write `sqlite:{path}`, or use \
             `SqliteStore::builder`"
        )));
    }
    crate::SqliteStore::open(path).await.map(AnyStore::new)
}

#[cfg(not(feature = "sqlite"))]
#[expect(clippy::unused_async, reason = "the same signature as with the feature")]
async fn sqlite(_rest: &str) -> Result<AnyStore, StoreError> {
    Err(feature_is_off("sqlite", "SQLite"))
}

#[cfg(feature = "memory")]
fn memory(rest: &str) -> Result<AnyStore, StoreError> {
    if !rest.trim_start_matches('/').is_empty() {
        return Err(misconfigured(format!(
            "`memory:{rest}` has a name, and memory stores have none: write `memory:`"
        )));
    }
    Ok(AnyStore::new(crate::MemoryStore::new()))
}

#[cfg(not(feature = "memory"))]
fn memory(_rest: &str) -> Result<AnyStore, StoreError> {
    Err(feature_is_off("memory", "memory"))
}

#[cfg(not(all(feature = "sqlite", feature = "memory")))]
fn feature_is_off(feature: &str, store: &str) -> StoreError {
    misconfigured(format!(
        "the {store} store is not in this build: enable the feature `{feature}` of the crate; this build has {}",
        available()
    ))
}

/// The URLs that this build can open, for messages.
fn available() -> &'static str {
    match (cfg!(feature = "sqlite"), cfg!(feature = "memory")) {
        (true, true) => "`sqlite:PATH` and `memory:`",
        (true, false) => "`sqlite:PATH`",
        (false, true) => "`memory:`",
        (false, false) => "no store: enable the feature `sqlite` or `memory`",
    }
}

fn misconfigured(message: String) -> StoreError {
    StoreError::new(StoreErrorKind::Misconfigured, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: Durable = Durable { feature: "one", url: "one:" };
    const TWO: Durable = Durable { feature: "two", url: "two:" };

    #[test]
    fn the_only_durable_store_is_chosen() {
        assert_eq!(choose(&[ONE]).unwrap(), "one:");
    }

    #[cfg(feature = "memory")]
    #[test]
    fn without_a_durable_store_it_is_memory() {
        assert_eq!(choose(&[]).unwrap(), "memory:");
    }

    #[cfg(not(feature = "memory"))]
    #[test]
    fn without_any_store_the_error_says_what_to_enable() {
        let error = choose(&[]).unwrap_err();
        assert!(error.to_string().contains("enable the feature `sqlite` or `memory`"), "{error}");
    }

    #[test]
    fn two_durable_stores_are_an_error_that_names_both() {
        let error = choose(&[ONE, TWO]).unwrap_err();
        assert_eq!(error.kind(), StoreErrorKind::Misconfigured);
        assert_eq!(
            error.to_string(),
            "several durable stores are in this build (`one`, `two`): set IDEMPOTENCY_STORE to the URL of one, for \
             example `one:`, or enable one feature only"
        );
    }

    #[test]
    fn a_drive_letter_is_no_scheme() {
        assert_eq!(split(r"C:\orders.db"), None);
        assert_eq!(split("./orders:1.db"), None);
        assert_eq!(split("sqlite:a:b"), Some(("sqlite", "a:b")));
    }
}

//! The policy of a package, as the compiler sees it: a crate of its own, built by cargo.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const SOURCE: &str = r#"
#[idempotency::idempotent(key = "order_no + nonce")]
pub async fn create(order_no: String, nonce: String) -> Result<(), idempotency::Error> {
    Ok(())
}
"#;

#[test]
fn a_change_of_the_table_is_seen_by_the_next_build() {
    let package = Package::of("policy", SOURCE);
    let without = package.check("");
    assert!(without.contains("error: missing `ttl`"), "{without}");

    let warned = package.check("[package.metadata.idempotency]\ndefault-ttl = \"7d\"\n");
    assert!(warned.contains("warning: use of deprecated function"), "{warned}");
    assert!(warned.contains("`nonce` is drawn anew for every attempt"), "{warned}");
    assert_eq!(warned.matches("idempotency lint `random-part`").count(), 1, "{warned}");
    assert!(!warned.contains("error"), "{warned}");

    let denied =
        package.check("[package.metadata.idempotency]\ndefault-ttl = \"7d\"\ndeny-warnings = true\n");
    assert!(denied.contains("error: `nonce` is drawn anew for every attempt"), "{denied}");

    let tenant =
        package.check("[package.metadata.idempotency]\ndefault-ttl = \"7d\"\ntenant = \"tenant_id\"\n");
    assert!(tenant.contains("error: the key lacks `tenant_id`"), "{tenant}");

    let bad = package.check("[package.metadata.idempotency]\ndefault-tll = \"7d\"\n");
    assert!(bad.contains("error: unknown key `default-tll` in the policy of this package"), "{bad}");
    assert!(bad.contains("help: did you mean `default-ttl`?"), "{bad}");
    assert!(bad.contains(&package.manifest().display().to_string()), "{bad}");
}

#[test]
fn a_table_that_is_added_to_a_built_package_is_seen_by_the_next_build() {
    let package = Package::of(
        "added",
        "#[idempotency::idempotent(key = \"order_no\", ttl = \"7d\")]\n\
         pub async fn create(order_no: String) -> Result<(), idempotency::Error> { Ok(()) }\n",
    );
    let without = package.check("");
    assert!(!without.contains("error"), "{without}");
    let tenant = package.check("[package.metadata.idempotency]\ntenant = \"tenant_id\"\n");
    assert!(tenant.contains("error: the key lacks `tenant_id`"), "{tenant}");
}

#[test]
fn a_bad_policy_is_one_error_however_many_functions_there_are() {
    let function = |name: &str| {
        format!(
            "#[idempotency::idempotent(key = \"order_no\", ttl = \"7d\")]\n\
             pub async fn {name}(order_no: String) -> Result<(), idempotency::Error> {{ Ok(()) }}\n"
        )
    };
    let source =
        ["a", "b", "c"].map(function).concat() + "pub async fn d() { a(String::new()).await.unwrap() }";
    let package = Package::of("once", &source);
    for _ in 0..2 {
        let bad = package.check("[package.metadata.idempotency]\ntenant = \"a + b\"\n");
        assert_eq!(bad.matches("`tenant` is the name of one part, not `a + b`").count(), 1, "{bad}");
        assert_eq!(bad.matches("error: ").count(), 2, "the other one is cargo's own: {bad}");
    }
    let mended = package.check("");
    assert!(!mended.contains("error"), "{mended}");
}

#[test]
fn a_lint_that_the_compiler_finds_has_the_level_of_the_policy() {
    let package = Package::of(
        "unknown",
        r#"
#[derive(idempotency::Classify)]
pub enum ChargeError {
    #[unknown]
    TimedOut,
    #[inner]
    Idempotency(idempotency::Error),
}

impl From<idempotency::Error> for ChargeError {
    fn from(error: idempotency::Error) -> Self {
        Self::Idempotency(error)
    }
}

#[idempotency::idempotent(key = "order_no", ttl = "7d")]
pub async fn charge(order_no: String) -> Result<(), ChargeError> {
    Err(ChargeError::TimedOut)
}
"#,
    );
    let found = |table: &str| package.check(&format!("[package.metadata.idempotency]\n{table}\n"));
    let lint = "idempotency lint `unknown-without-reconcile`";
    let warned = found("");
    assert!(warned.contains("warning: use of deprecated method"), "{warned}");
    assert_eq!(warned.matches(lint).count(), 1, "{warned}");
    for denied in ["deny = [\"unknown-without-reconcile\"]", "deny-warnings = true"] {
        let denied = found(denied);
        assert!(denied.contains("error: use of deprecated method"), "{denied}");
        assert_eq!(denied.matches(lint).count(), 1, "{denied}");
    }
    let allowed = found("allow = [\"unknown-without-reconcile\"]");
    assert!(!allowed.contains("deprecated") && !allowed.contains("error"), "{allowed}");
}

/// A package with annotated functions, below the directory of the tests.
struct Package {
    directory: PathBuf,
}

impl Package {
    fn of(name: &str, source: &str) -> Self {
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(directory.join("src")).unwrap();
        fs::write(directory.join("src/lib.rs"), source).unwrap();
        // With the versions that are there, no network is needed.
        fs::copy(root().join("Cargo.lock"), directory.join("Cargo.lock")).unwrap();
        Self { directory }
    }

    fn manifest(&self) -> PathBuf {
        self.directory.join("Cargo.toml")
    }

    /// What cargo says about the package with this table in its manifest.
    fn check(&self, table: &str) -> String {
        let manifest = format!(
            "[package]\nname = \"policy\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n\n{table}\n\
             [dependencies]\nidempotency = {{ path = '{}', default-features = false }}\n",
            root().display()
        );
        fs::write(self.manifest(), manifest).unwrap();
        let output = Command::new(env!("CARGO"))
            .args(["check", "--offline", "--quiet", "--color=never", "--manifest-path"])
            .arg(self.manifest())
            .arg("--target-dir")
            .arg(
                Path::new(env!("CARGO_TARGET_TMPDIR"))
                    .join("policy-target")
                    .join(self.directory.file_name().unwrap()),
            )
            .output()
            .unwrap();
        String::from_utf8(output.stderr).unwrap()
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_path_buf()
}

//! Compile-fail goldens: one mistake per file, named after the mistake.
//!
//! They quote the compiler and are therefore pinned to the toolchain of `rust-toolchain.toml`. After a change,
//! `TRYBUILD=overwrite cargo test -p idempotency-ui-tests` writes them anew: read every line of the difference.

use trybuild::TestCases;

#[test]
fn mistakes_get_their_messages() {
    let cases = TestCases::new();
    for group in ["args", "bounds", "derive", "duration", "key", "position", "signature", "validate"] {
        cases.compile_fail(format!("tests/ui/{group}/*.rs"));
    }
}

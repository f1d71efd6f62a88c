//! Type parameters that tell operations apart.

use super::support::codes;
use idempotency_macros_core::Level;

#[test]
fn instantiations_of_a_generic_function_need_a_name() {
    let with = |more: &str, item: &str| codes(&format!("key = \"no\"{more}, ttl = \"7d\""), item);
    let warned = [("generic-operation", Level::Warning)];
    assert_eq!(with("", "async fn f<K: KeyPart>(no: K) -> Result<(), Error> { g() }"), warned);
    assert_eq!(
        with(", validate = b", "async fn f<B>(no: u8, b: Vec<B>) -> Result<(), Error> { g() }"),
        warned
    );
    assert_eq!(with("", "async fn f<T>(no: u8) -> Result<Vec<T>, Error> { g() }"), warned);
    assert_eq!(with(", op = \"f\"", "async fn f<T>(no: u8) -> Result<Vec<T>, Error> { g() }"), []);
    assert_eq!(with(", ignore(t)", "async fn f<T>(no: u8, t: T) -> Result<(), Error> { g() }"), []);
}

#[test]
fn an_opaque_argument_is_a_type_parameter_without_a_name() {
    let with = |more: &str, parameters: &str| {
        let item = format!("async fn f({parameters}) -> Result<(), Error> {{ g() }}");
        codes(&format!("key = \"no\"{more}, ttl = \"7d\""), &item)
    };
    let warned = [("generic-operation", Level::Warning)];
    assert_eq!(with("", "no: impl KeyPart"), warned);
    assert_eq!(with(", validate = event", "no: u8, event: impl Serialize + Send"), warned);
    assert_eq!(with(", validate = events", "no: u8, events: Vec<(u8, impl Serialize)>"), warned);
    assert_eq!(with(", validate = event, op = \"f\"", "no: u8, event: impl Serialize"), []);
    assert_eq!(with(", ignore(event)", "no: u8, event: impl Serialize"), []);
    assert_eq!(with(", validate = name", "no: u8, name: impl AsRef<str> + Serialize"), []);
    assert_eq!(with(", validate = name", "no: u8, name: impl Into<String>"), []);
    assert_eq!(with("", "no: u8, then: impl FnOnce() -> u8, client: impl Payments"), []);
}

#[test]
fn a_parameter_that_only_converts_makes_no_other_operation() {
    let of = |generics: &str, clause: &str| {
        let item = format!("async fn f{generics}(no: N) -> Result<(), Error> {clause} {{ g() }}");
        codes("key = \"no\", ttl = \"7d\"", &item)
    };
    assert_eq!(of("<N: AsRef<str> + KeyPart>", ""), []);
    assert_eq!(of("<N: KeyPart>", "where N: std::fmt::Display"), []);
    let warned = [("generic-operation", Level::Warning)];
    assert_eq!(of("<N: KeyPart, O>", "where O: std::fmt::Display, N: Send"), warned);
}

//! Names that a pattern gives: the lints judge the field that is read.

use super::support::{codes, codes_under, diagnostics, policy};
use idempotency_macros_core::{Host, Level, Policy};

/// Findings about a key over one parameter, with everything covered that the key leaves.
fn of_key(key: &str, parameter: &str) -> Vec<(&'static str, Level)> {
    let item = format!("async fn create({parameter}) -> Result<(), Error> {{ Ok(()) }}");
    let mut allowing = Policy::default();
    allowing.allow.push("uncovered-argument".to_owned());
    codes_under(&allowing, &format!("key = \"{key}\", ttl = \"7d\""), &item)
}

#[test]
fn a_renamed_field_is_judged_by_its_own_name() {
    for (key, parameter, code, level) in [
        ("rid", "Ctx { request_id: rid }: Ctx", "per-invocation-id", Level::Error),
        (
            "rid",
            "lib::LambdaContext { request_id: rid, .. }: LambdaContext",
            "per-invocation-id",
            Level::Error,
        ),
        ("rid", "Json(CreateRequest { request_id: rid }): J", "per-invocation-id", Level::Warning),
        (
            "rid",
            "Outer { context: Inner { request_id: ref rid, .. }, .. }: O",
            "per-invocation-id",
            Level::Error,
        ),
        ("no + t", "Order { no, created_at: t }: Order", "timestamp", Level::Error),
        ("no + t", "Order { no, created_at: Some(t) }: Order", "timestamp", Level::Error),
        ("no + m", "Order { no, email: m }: Order", "personal-data", Level::Error),
        ("who", "User { id: who, .. }: User", "too-coarse", Level::Error),
        (
            "c.request_id",
            "LambdaEvent { context: c, .. }: LambdaEvent<Order>",
            "per-invocation-id",
            Level::Error,
        ),
    ] {
        assert_eq!(of_key(key, parameter), [(code, level)], "{key} of {parameter}");
    }
}

#[test]
fn a_good_field_may_be_called_anything() {
    for (key, parameter) in [
        ("request_id", "Input { order_no: request_id, .. }: Input"),
        ("created_at", "Booking { slot_start: created_at, no }: Booking"),
        ("id", "Order { id, .. }: Order"),
        ("a + b", "Order { data: (a, b), .. }: Order"),
        ("no", "Order { no: Some(no), .. }: Order"),
    ] {
        assert_eq!(of_key(key, parameter), [], "{key} of {parameter}");
    }
}

#[test]
fn a_renamed_field_is_named_with_what_it_is_bound_as() {
    let first = |args: &str, pattern: &str| {
        let item = format!("async fn f({pattern}: Order) -> Result<(), Error> {{ Ok(()) }}");
        let found = diagnostics(&format!("ttl = \"7d\", {args}"), &item, &Policy::default(), Host::Macro);
        found.first().map(|finding| finding.message().to_owned()).unwrap_or_default()
    };
    let key = "key = rid";
    let expected = "`request_id` (bound as `rid`) is new with every invocation";
    assert_eq!(first(key, "Context { request_id: rid }"), expected);
    assert_eq!(
        first("key = request_id", "Context { request_id }"),
        "`request_id` is new with every invocation"
    );
    assert_eq!(
        first(key, "Order { created_at: rid }"),
        "`created_at` (bound as `rid`) changes every time the request is sent again"
    );
    assert_eq!(
        first(key, "Order { tenant_id: rid }"),
        "`tenant_id` (bound as `rid`) says who or what kind, but not which request"
    );
    let expected = "the key holds `tenant_id` (bound as `rid`), so no two tenants share it";
    assert_eq!(first("key = rid + no, scope = global", "Order { tenant_id: rid, no }"), expected);
    let expected = "`sent_at` (bound as `rid`) changes with every attempt";
    assert_eq!(first("key = no, validate = rid", "Order { no, sent_at: rid }"), expected);
    let expected = "`context.request_id` (bound as `c.request_id`) is new with every invocation";
    assert_eq!(first("key = c.request_id", "Envelope { context: c }"), expected);
}

#[test]
fn a_renamed_tenant_is_the_tenant() {
    let policy = policy("tenant = \"tenant_id\"");
    let of = |pattern: &str| {
        let item = format!("async fn f({pattern}: Order) -> Result<(), Error> {{ Ok(()) }}");
        codes_under(&policy, "key = \"t + no\", ttl = \"7d\"", &item)
    };
    assert_eq!(of("Order { tenant_id: t, no }"), []);
    assert_eq!(of("Order { branch: t, no }"), [("missing-tenant", Level::Error)]);
}

#[test]
fn what_is_compared_and_covered_is_the_field() {
    let of = |args: &str, pattern: &str| {
        let item = format!("async fn f({pattern}: Order) -> Result<(), Error> {{ Ok(()) }}");
        codes(&format!("key = \"no\", ttl = \"7d\"{args}"), &item)
    };
    assert_eq!(of(", validate = t", "Order { no, sent_at: t }"), [("volatile-fingerprint", Level::Warning)]);
    assert_eq!(of(", validate = sent_at", "Order { no, amount: sent_at }"), []);
    assert_eq!(of("", "Order { no, pool: p }"), []);
    assert_eq!(of("", "Order { no, amount: p }"), [("uncovered-argument", Level::Error)]);
}

#[test]
fn the_patterns_of_async_trait_are_read_as_well() {
    let item = "fn f<'async_trait>(__arg0: Ctx) -> Pin<Box<dyn Future<Output = Result<(), E>> + Send + 'async_trait>> {
        Box::pin(async move {
            if let Some(__ret) = None::<Result<(), E>> { return __ret; }
            let Ctx { request_id: rid } = __arg0;
            let __ret: Result<(), E> = { Ok(()) };
            __ret
        })
    }";
    assert_eq!(codes("key = rid, ttl = \"7d\"", item), [("per-invocation-id", Level::Error)]);
}

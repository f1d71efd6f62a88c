//! Names that say what a value is.

use super::support::{codes_under, diagnostics};
use idempotency_macros_core::{Host, Level, Policy};

/// The findings about a part, beside one that names the request.
fn of_part(part: &str, ty: &str) -> Vec<(&'static str, Level)> {
    let root = part.split(['.', '[']).next().unwrap_or_default();
    let item = format!("async fn f(order_no: u64, {root}: {ty}) -> Result<(), Error> {{ Ok(()) }}");
    let mut allowing = Policy::default();
    allowing.allow.push("uncovered-argument".to_owned());
    codes_under(&allowing, &format!("key = \"order_no + {part}\", ttl = \"7d\""), &item)
}

#[test]
fn every_name_is_found_by_its_list() {
    for (code, level, parts) in [
        ("secret", Level::Error, &["api_token", "bearer_token", "otp_code", "csrf_token"][..]),
        ("personal-data", Level::Error, &["birthday", "first_name", "last_name", "card_no"]),
        ("timestamp", Level::Error, &["created_on", "created_date", "modified", "last_seen", "millis"]),
        ("timestamp", Level::Error, &["headers['If-Modified-Since']", "headers['Age']"]),
        ("delivery-counter", Level::Error, &["attempt_no", "retry_no", "retry_index", "delivery_attempt"]),
        ("delivery-counter", Level::Error, &["headers['X-Retry-Count']"]),
        ("whole-payload", Level::Error, &["body_bytes", "message_body"]),
        ("whole-payload", Level::Warning, &["payload_digest"]),
        ("unstable-form", Level::Error, &["pod_name", "headers['Host']"]),
        ("trace-id", Level::Error, &["span"]),
    ] {
        for part in parts {
            assert_eq!(of_part(part, "String"), [(code, level)], "{part}");
        }
    }
}

#[test]
fn a_header_is_not_given_a_name_that_nobody_has() {
    let help = |part: &str, parameter: &str| {
        let item = format!("async fn f(no: u64, {parameter}) -> Result<(), Error> {{ Ok(()) }}");
        let args = format!("key = \"no + {part}\", ttl = \"7d\"");
        let found = diagnostics(&args, &item, &Policy::default(), Host::Macro);
        let found = found.into_iter().find(|finding| finding.code() == "secret").unwrap();
        found.help_text().unwrap().to_owned()
    };
    assert_eq!(help("headers['Cookie']", "headers: HeaderMap"), "remove it: `no` names the request already");
    assert_eq!(help("cookie", "cookie: String"), "use an id of it, for example `cookie_id`");
}

#[test]
fn names_that_are_like_them_are_silent() {
    for part in [
        "host",
        "age",
        "order.age",
        "token_id",
        "api_token_id",
        "card_last4",
        "modified_fields",
        "retry_policy_id",
        "attempt_group",
        "time_span",
        "message_body_id",
        "pod",
        "headers['Content-Type']",
        "first_name_id",
        "timestamp_token",
        "last_order",
    ] {
        assert_eq!(of_part(part, "String"), [], "{part}");
    }
    assert_eq!(of_part("created_on", "NaiveDate"), []);
    assert_eq!(of_part("created_date", "chrono::NaiveDate"), []);
    assert_eq!(of_part("modified", "bool"), []);
}

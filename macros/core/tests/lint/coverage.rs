//! `uncovered-argument`: what it says to type.

use idempotency_macros_core::{Host, Policy};

use super::support::{codes, diagnostics};

/// What the findings say to type, for a key that is `no`.
fn helps(args: &str, item: &str) -> Vec<String> {
    let found = diagnostics(&format!("key = no, ttl = \"7d\"{args}"), item, &Policy::default(), Host::Macro);
    let found = found.iter().filter(|finding| finding.code() == "uncovered-argument");
    found.map(|finding| finding.help_text().unwrap_or_default().to_owned()).collect()
}

fn of(parameter: &str) -> Vec<String> {
    helps("", &format!("async fn f(no: u64, {parameter}) -> Result<(), Error> {{ Ok(()) }}"))
}

#[test]
fn what_every_retry_changes_is_not_to_be_compared() {
    for parameter in [
        "x: HeaderMap",
        "x: &http::HeaderMap",
        "x: DateTime<Utc>",
        "x: SystemTime",
        "x: tokio::time::Instant",
        "x: OffsetDateTime",
        "x: Option<Zoned>",
        "x: jiff::Timestamp",
    ] {
        assert_eq!(of(parameter), ["`ignore(x)`"], "{parameter}");
    }
    for name in ["now", "sent_at", "trace_id", "request_id", "attempt", "receipt_handle", "nonce"] {
        assert_eq!(of(&format!("{name}: String")), [format!("`ignore({name})`")], "{name}");
    }
    assert_eq!(of("headers: HashMap<String, String>"), ["`ignore(headers)`"]);
    assert_eq!(of("Meta { sent_at: when }: Meta"), ["`ignore(when)`"]);
    for parameter in [
        "x: NaiveDate",
        "x: Duration",
        "x: HashMap<String, String>",
        "headers: ColumnHeaders",
        "scheduled_at: DateTime<Utc>",
        "created: bool",
    ] {
        let name = parameter.split(':').next().unwrap_or_default();
        assert_eq!(of(parameter), [format!("`validate = \"{name}\"`")], "{parameter}");
    }
}

#[test]
fn what_does_the_work_is_not_to_be_compared() {
    for parameter in [
        "x: CancellationToken",
        "x: Span",
        "x: &slog::Logger",
        "x: Arc<Metrics>",
        "x: &AppMetrics",
        "x: &Config",
        "x: Option<Arc<AppConfig>>",
        "x: &Cache",
        "x: SmtpMailer",
    ] {
        assert_eq!(of(parameter), ["`ignore(x)`"], "{parameter}");
    }
    assert_eq!(of("cfg: Arc<Shop>"), ["`ignore(cfg)`"]);
    assert_eq!(of("x: Config"), ["`validate = \"x\"`"]);
    assert_eq!(of("x: &ConfigChange"), ["`validate = \"x\"`"]);
    assert_eq!(of("x: CacheEntry"), ["`validate = \"x\"`"]);
}

#[test]
fn what_cannot_be_serialised_is_not_to_be_compared() {
    let generic = |generics: &str, bounds: &str| {
        helps(
            "",
            &format!("async fn f<{generics}>(no: u64, x: T) -> Result<(), Error> {bounds} {{ Ok(()) }}"),
        )
    };
    for (generics, bounds) in [("T", ""), ("T: Event", ""), ("T: Send", "where T: Event + 'static")] {
        assert_eq!(generic(generics, bounds), ["`ignore(x)`"], "{generics} {bounds}");
    }
    for (generics, bounds) in [("T: Serialize", ""), ("T", "where T: Event + serde::Serialize")] {
        assert_eq!(generic(generics, bounds), ["`validate = \"x\"`"], "{generics} {bounds}");
    }
    assert_eq!(of("x: impl Event"), ["`ignore(x)`"]);
    assert_eq!(of("x: &impl Event"), ["`ignore(x)`"]);
    assert_eq!(of("x: impl Event + Serialize"), ["`validate = \"x\"`"]);
    // A closure is no part of a request, however it is spelled.
    for (generics, bounds) in [("T: AsyncFnOnce()", ""), ("T", "where T: FnMut(u8) -> u8 + Send")] {
        assert_eq!(generic(generics, bounds), [""; 0], "{generics} {bounds}");
    }
    assert_eq!(of("x: impl AsyncFn()"), [""; 0]);
    assert_eq!(of("x: impl Send + Fn()"), [""; 0]);
}

#[test]
fn one_line_covers_all_arguments() {
    let item = "async fn f(no: u64, amount: u64, currency: String, cfg: &Config, now: i64, note: String) \
                -> Result<(), Error> { Ok(()) }";
    let line = "validate = \"amount + currency + note\", ignore(cfg, now)";
    let help = format!("`{line}`");
    assert_eq!(helps("", item), vec![help.clone(); 5]);
    assert_eq!(codes(&format!("key = no, ttl = \"7d\", {line}"), item), []);
    // What is written already stays in it.
    assert_eq!(helps(", validate = \"amount\", ignore(cfg)", item), vec![help; 3]);
    let item = "async fn f(no: u64, body: Body, now: i64, event: SqsEvent) -> Result<(), Error> { Ok(()) }";
    let ignored = "`ignore(now, event)`";
    let parsed = "take the parsed body as an argument and compare that; `ignore(now, event)`";
    assert_eq!(helps(", validate = \"body - body.x\"", item), [ignored, parsed]);
    let compared = helps(", validate = \"body.a\"", item);
    assert_eq!(compared.first().map(String::as_str), Some("`validate = \"body\", ignore(now, event)`"));
}

//! Every lint: what it finds, and what looks similar and is good.

use super::support::{codes, codes_under, diagnostics};
use idempotency_macros_core::{Diagnostic, Host, Level, Policy};

/// The one finding about a key over `order: Order` and these parameters.
#[track_caller]
fn fires(code: &str, level: Level, key: &str, parameters: &str) {
    assert_eq!(of_key(key, parameters), [(code, level)], "{key} of ({parameters})");
}

#[track_caller]
fn silent(key: &str, parameters: &str) {
    assert_eq!(of_key(key, parameters), [], "{key} of ({parameters})");
}

/// Findings about a key, with everything covered that the key leaves.
fn of_key(key: &str, parameters: &str) -> Vec<(&'static str, Level)> {
    let item = format!("async fn create({parameters}) -> Result<(), Error> {{ Ok(()) }}");
    let mut allowing = Policy::default();
    allowing.allow.push("uncovered-argument".to_owned());
    codes_under(&allowing, &format!("key = \"{key}\", ttl = \"7d\""), &item)
}

#[test]
fn ids_of_an_invocation_are_judged_by_what_they_are_read_from() {
    let code = "per-invocation-id";
    fires(code, Level::Error, "ctx.request_id", "ctx: Context");
    fires(code, Level::Error, "request_id", "request_id: String");
    fires(code, Level::Error, "tenant_id + requestId", "tenant_id: u64, requestId: String");
    fires(code, Level::Error, "event.request_context.request_id?", "event: Event");
    fires(code, Level::Error, "headers['x-amzn-requestid']", "headers: HeaderMap");
    fires(code, Level::Error, "self.request_id", "&self");
    fires(code, Level::Error, "hash(ctx.aws_request_id)", "ctx: Context");
    fires(code, Level::Warning, "input.request_id", "input: Input");
    fires(code, Level::Warning, "order.run_id", "order: Order");
    fires(code, Level::Warning, "commit_sha", "commit_sha: String");
    fires(code, Level::Warning, "session_id", "session_id: String");
    silent("input.client_request_id", "input: Input");
    silent("headers['Idempotency-Key']", "headers: HeaderMap");
    silent("order.order_no", "order: Order");
}

#[test]
fn ids_of_tracing_name_no_request() {
    fires("trace-id", Level::Error, "trace_id", "trace_id: String");
    fires("trace-id", Level::Error, "headers['traceparent']", "headers: HeaderMap");
    fires("trace-id", Level::Error, "ctx.xray_trace_id?", "ctx: Context");
    fires("trace-id", Level::Warning, "correlation_id", "correlation_id: String");
    silent("race_id", "race_id: String");
}

#[test]
fn clock_values_are_found_by_name_and_business_dates_are_not() {
    for name in ["requested_at", "created_at", "timestamp", "now", "sent_ts", "order_timestamp", "born_at"] {
        fires(
            "timestamp",
            Level::Error,
            &format!("tenant_id + {name}"),
            &format!("tenant_id: u64, {name}: i64"),
        );
        fires("timestamp", Level::Error, &format!("order.no + order.{name}"), "order: Order");
    }
    for name in ["scheduled_at", "occurred_at", "valid_from", "invoice_date", "format", "chat", "parts"] {
        silent(&format!("tenant_id + {name}"), &format!("tenant_id: u64, {name}: String"));
    }
}

#[test]
fn a_unit_does_not_hide_a_clock_value() {
    let with = |name: &str, ty: &str| of_key(&format!("no + {name}"), &format!("no: u64, {name}: {ty}"));
    assert_eq!(with("created_ms", "u64"), [("timestamp", Level::Error)]);
    assert_eq!(with("order_ms", "u64"), [("timestamp", Level::Warning)]);
    assert_eq!(with("timeout_ms", "u64"), []);
    assert_eq!(with("created", "i64"), [("timestamp", Level::Error)]);
    assert_eq!(with("created", "bool"), []);
}

#[test]
fn the_command_judges_types_by_their_spelling_and_the_attribute_leaves_them_to_the_compiler() {
    for (ty, code) in [("DateTime<Utc>", "timestamp"), ("&f64", "unstable-form"), ("SystemTime", "timestamp")]
    {
        let item = format!("async fn create(tenant_id: u64, value: {ty}) -> Result<(), Error> {{ Ok(()) }}");
        let args = "key = \"tenant_id + value\", ttl = \"7d\"";
        let found = diagnostics(args, &item, &Policy::default(), Host::Command);
        assert_eq!(found.iter().map(Diagnostic::code).collect::<Vec<_>>(), [code], "{ty}");
        assert_eq!(codes(args, &item), [], "{ty}");
    }
}

#[test]
fn a_type_proves_a_date_to_be_no_clock_value_and_an_id_to_be_unique() {
    for ty in ["NaiveDate", "&chrono::NaiveDate", "civil::Date", "time::Date"] {
        silent("tenant_id + no + created", &format!("tenant_id: u64, no: u64, created: {ty}"));
        fires("too-coarse", Level::Error, "tenant_id + created", &format!("tenant_id: u64, created: {ty}"));
    }
    silent("no + created?", "no: u64, created: Option<NaiveDate>");
    silent("no + date(created)", "no: u64, created: Day");
    silent("no + date(order.created_at)", "no: u64, order: Order");
    fires("timestamp", Level::Error, "no + created", "no: u64, created: NaiveDateTime");
    fires("timestamp", Level::Error, "no + created", "no: u64, created: DateTime<Utc>");
    silent("id", "id: Uuid");
    silent("id?", "id: Option<&uuid::Uuid>");
    silent("index", "index: Ulid");
    fires("too-coarse", Level::Warning, "id", "id: UuidText");
    let item = "async fn f(no: u64, created: NaiveDate) -> Result<(), Error> { Ok(()) }";
    assert_eq!(codes("key = no, validate = created, ttl = \"7d\"", item), []);
}

#[test]
fn drawn_values_are_found_by_name_and_by_call() {
    fires("random-part", Level::Warning, "order.no + nonce", "order: Order, nonce: String");
    fires("random-part", Level::Error, "order.no + Uuid::now_v7()", "order: Order");
    silent("order.uuid", "order: Order");
    silent("ulid", "ulid: String");
}

#[test]
fn counters_and_handles_of_a_delivery_are_no_identity() {
    let code = "delivery-counter";
    fires(code, Level::Error, "record.receipt_handle?", "record: Record");
    fires(code, Level::Error, "order.no + attempt", "order: Order, attempt: u32");
    fires(code, Level::Error, "record.attributes['ApproximateReceiveCount']", "record: Record");
    fires(code, Level::Warning, "etag", "etag: String");
    fires(code, Level::Warning, "bucket + etag", "bucket: String, etag: String");
    silent("bucket + object_key + etag", "bucket: String, object_key: String, etag: String");
    silent("tenant_id + count", "tenant_id: u64, count: u32");
}

#[test]
fn ids_of_a_message_are_an_error_where_the_producer_can_send_again() {
    let code = "redelivery-only-id";
    fires(code, Level::Warning, "message_id", "message_id: String");
    fires(code, Level::Warning, "record.message_id?", "record: SqsMessage");
    fires(code, Level::Warning, "topic + partition + offset", "topic: String, partition: i64, offset: i64");
    silent("cmd.message_id", "cmd: Command");
    silent("chat_id + message_id", "chat_id: i64, message_id: i64");
    let item = "async fn ship(message_id: String) -> Result<(), Error> { Ok(()) }";
    let with = |source: &str| codes(&format!("key = \"message_id\", ttl = \"60d\", source = {source}"), item);
    assert_eq!(with("sqs"), [(code, Level::Error)]);
    assert_eq!(with("pipes(kinesis)"), [(code, Level::Error)]);
    assert_eq!(with("dynamodb_streams"), [(code, Level::Warning)]);
    let event = "async fn ship(event: Event) -> Result<(), Error> { Ok(()) }";
    let with = |source: &str| {
        codes(&format!("key = \"event.id\", validate = event, ttl = \"60d\", source = {source}"), event)
    };
    assert_eq!(with("eventbridge"), [(code, Level::Error)]);
    assert_eq!(with("api_gateway"), []);
}

#[test]
fn a_payload_is_compared_and_not_a_key() {
    let code = "whole-payload";
    fires(code, Level::Error, "body", "body: String");
    fires(code, Level::Error, "hash(payload)", "payload: Vec<u8>");
    fires(code, Level::Error, "tenant_id + request.body", "tenant_id: u64, request: Request");
    fires(code, Level::Error, "self", "&self");
    fires(code, Level::Warning, "body_hash", "body_hash: String");
    fires(code, Level::Warning, "content_hash", "content_hash: String");
    silent("body.order_no", "body: Body");
    silent("command", "command: CommandId");
    silent("message", "message: u64");
    silent("file.content_hash", "file: File");
}

#[test]
fn scopes_and_classifiers_do_not_name_a_request() {
    let code = "too-coarse";
    fires(code, Level::Error, "tenant_id", "tenant_id: u64");
    fires(code, Level::Error, "tenant_id + customer_id + op", "tenant_id: u64, customer_id: u64");
    fires(code, Level::Error, "date + 'v1'", "date: NaiveDate");
    fires(code, Level::Error, "user_id + urgent", "user_id: u64, urgent: bool");
    fires(code, Level::Warning, "product_id", "product_id: u64");
    fires(code, Level::Warning, "currency + amount", "currency: String, amount: u64");
    fires(code, Level::Warning, "id", "id: String");
    silent("tenant_id + product_id", "tenant_id: u64, product_id: u64");
    silent("order.id", "order: Order");
    silent("topic + id", "topic: String, id: u64");
    silent("tenant_id + billing_period", "tenant_id: u64, billing_period: String");
}

#[test]
fn hosts_and_network_paths_are_no_part_of_a_request() {
    for name in ["source_ip", "hostname", "user_agent", "thread_id", "pid"] {
        fires("unstable-form", Level::Error, &format!("no + {name}"), &format!("no: u64, {name}: String"));
    }
    fires("unstable-form", Level::Error, "no + headers['X-Forwarded-For']", "no: u64, headers: HeaderMap");
    silent("no + ipa_code", "no: u64, ipa_code: String");
}

#[test]
fn personal_data_is_hashed_and_secrets_are_not_used() {
    fires("personal-data", Level::Error, "no + email", "no: u64, email: String");
    fires("personal-data", Level::Error, "no + order.billing_email", "no: u64, order: Order");
    fires("personal-data", Level::Error, "no + lower(email)", "no: u64, email: String");
    silent("no + hash(lower(email))", "no: u64, email: String");
    silent("email_id + card_fingerprint", "email_id: u64, card_fingerprint: String");
    fires("secret", Level::Error, "no + password", "no: u64, password: String");
    fires("secret", Level::Error, "no + hash(api_key)", "no: u64, api_key: String");
    fires("secret", Level::Error, "headers['Authorization'] + no", "headers: HeaderMap, no: u64");
    silent("token_id + secret_name + api_key_id", "token_id: u64, secret_name: String, api_key_id: String");
}

#[test]
fn an_argument_is_covered_whole_or_not_at_all() {
    let of = |args: &str, parameters: &str| {
        let item = format!("async fn f({parameters}) -> Result<(), Error> {{ Ok(()) }}");
        codes(&format!("{args}, ttl = \"7d\""), &item)
    };
    let fires = [("uncovered-argument", Level::Error)];
    assert_eq!(of("key = \"input.no\"", "input: Input"), fires);
    assert_eq!(of("key = \"input.no\", validate = \"input.amount\"", "input: Input"), fires);
    assert_eq!(of("key = \"no\"", "no: u64, body: Body"), fires);
    assert_eq!(of("key = \"no\", validate = none", "no: u64, body: Body"), fires);
    assert_eq!(of("key = \"no\"", "Path(no): Path<u64>, Json(body): Json<Body>"), fires);
    assert_eq!(of("key = \"input.no\", validate = \"input - input.sent_at\"", "input: Input"), []);
    assert_eq!(of("key = \"no\", ignore(body)", "no: u64, body: Body"), []);
    assert_eq!(of("key = \"headers['k']\", ignore(headers)", "headers: HeaderMap"), []);
    assert_eq!(of("key = \"hash(email) + no?\"", "email: String, no: Option<u64>"), []);
    assert_eq!(of("key = \"no\"", "no: u64, by: PaymentGateway"), fires);
    assert_eq!(of("key = \"no\"", "no: u64, by: &PaymentGatewayChoice"), fires);
    for exempt in [
        "db: Postgres",
        "ctx: Whatever",
        "pool: &PgThing",
        "clock: C",
        "http: &reqwest::Client",
        "payments: Arc<PaymentsClient>",
        "orders: &OrderRepository",
        "State(app): State<App>",
        "Extension(user): Extension<User>",
        "mailer: &dyn Mailer",
        "mailer: &SmtpMailer",
        "events: Arc<EventPublisher>",
        "queue: Option<&OrderProducer>",
        "mailer: Option<Arc<dyn Mailer>>",
        "then: impl FnOnce() -> u8",
        "log: fn(&str)",
        "tx: &mut Transaction<'_>",
        "_unused: Body",
        "_: Body",
        "&self, store: AnyStore",
    ] {
        let parameters = if exempt.starts_with("&self") {
            format!("{exempt}, no: u64")
        } else {
            format!("no: u64, {exempt}")
        };
        assert_eq!(of("key = \"no\"", &parameters), [], "{exempt}");
    }
}

#[test]
fn what_is_compared_is_stable_and_says_something() {
    let item = "async fn f(no: u64, body: Body, sent_at: i64) -> Result<(), Error> { Ok(()) }";
    let of = |validate: &str| {
        codes(&format!("key = \"no\", validate = \"{validate}\", ttl = \"7d\", ignore(sent_at)"), item)
    };
    assert_eq!(of("body"), []);
    assert_eq!(of("body - body.sent_at"), []);
    let item = "async fn f(no: u64, body: Body, sent_at: i64) -> Result<(), Error> { Ok(()) }";
    let volatile = codes("key = \"no\", validate = \"body + sent_at\", ttl = \"7d\"", item);
    assert_eq!(volatile, [("volatile-fingerprint", Level::Warning)]);
    let flag = |name: &str, ty: &str| {
        let item = format!("async fn f(no: u64, {name}: {ty}) -> Result<(), Error> {{ Ok(()) }}");
        codes(&format!("key = \"no\", validate = \"{name}\", ttl = \"7d\""), &item)
    };
    assert_eq!(flag("created", "i64"), [("volatile-fingerprint", Level::Warning)]);
    assert_eq!(flag("created", "bool"), []);
    assert_eq!(flag("headers", "HeaderMap"), [("volatile-fingerprint", Level::Warning)]);
    assert_eq!(flag("headers", "HashMap<String, String>"), [("volatile-fingerprint", Level::Warning)]);
    assert_eq!(flag("headers", "Vec<Column>"), []);
    assert_eq!(flag("parameters", "HashMap<String, String>"), []);
    assert_eq!(flag("order_ms", "u64"), []);
    let item = "async fn f(tenant_id: u64, no: u64) -> Result<(), Error> { Ok(()) }";
    let only = codes("key = \"tenant_id + no\", validate = \"no\", ttl = \"7d\"", item);
    assert_eq!(only, [("validate-covers-key-only", Level::Warning)]);
    assert_eq!(codes("key = \"tenant_id + no\", validate = none, ttl = \"7d\"", item), []);
}

#[test]
fn a_function_that_certainly_returns_no_result_is_refused() {
    for output in ["String", "u64", "()", "Option<u8>", "Vec<Result<u8, E>>", "&'static str", "bool"] {
        let item = format!("async fn f(no: u64) -> {output} {{ g() }}");
        assert_eq!(codes("key = no, ttl = \"7d\"", &item), [("not-a-result", Level::Error)], "{output}");
    }
    for output in ["Result<(), E>", "anyhow::Result<u8>", "Reply", "<A as B>::C", "Outcome<u8>", "Uuid"] {
        assert_eq!(
            codes("key = no, ttl = \"7d\"", &format!("async fn f(no: u64) -> {output} {{ g() }}")),
            []
        );
    }
}

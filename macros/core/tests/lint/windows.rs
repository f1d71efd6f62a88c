//! `source`, `ttl` and `lease`: how late a duplicate can come, and what contradicts it.

use super::support::{codes, diagnostics};
use idempotency_macros_core::{Diagnostic, Host, Level, Operation, Policy, Report, resolve};

const ITEM: &str = "async fn ship(order_no: String) -> Result<(), Error> { Ok(()) }";

fn operation(args: &str) -> Operation {
    let mut report = Report::new();
    let args = format!("key = order_no, {args}").parse().unwrap();
    let operation = resolve(args, ITEM.parse().unwrap(), &Policy::default(), &mut report);
    assert!(report.is_empty(), "{:?}", report.into_diagnostics());
    drop(report.into_diagnostics());
    operation.unwrap()
}

/// The window of a source, as it is shown.
fn window(source: &str) -> String {
    operation(&format!("ttl = \"1d\", source = {source}")).window().unwrap().text
}

/// Code and level of the findings about these arguments.
fn found(args: &str) -> Vec<(&'static str, Level)> {
    codes(&format!("key = order_no, {args}"), ITEM)
}

#[test]
fn every_source_has_the_window_of_the_table() {
    for (source, shown) in [
        ("alb", "alb 1d"),
        ("api_gateway", "api_gateway 1d"),
        ("function_url", "function_url 1d"),
        ("api_gateway(client_retry = \"2d\")", "api_gateway client_retry 2d"),
        ("lambda_async", "lambda_async 6h"),
        ("lambda_async(max_age = \"1h\")", "lambda_async max_age 1h"),
        ("eventbridge", "eventbridge 1d + its function 6h = 1d6h"),
        ("eventbridge_bus_v2", "eventbridge_bus_v2 5m + its function 6h = 6h5m"),
        ("scheduler", "scheduler 1d + its function 6h = 1d6h"),
        ("s3", "s3 1d + its function 6h = 1d6h"),
        ("sns", "sns 23d + its function 6h = 23d6h"),
        ("sns_http", "sns_http 1m"),
        ("sqs", "sqs 4d"),
        ("sqs(retention = \"14d\")", "sqs retention 14d"),
        ("kinesis", "kinesis 1d"),
        ("kinesis(retention = \"365d\")", "kinesis retention 365d"),
        ("dynamodb_streams", "dynamodb_streams 1d"),
        ("kafka(retention = \"7d\")", "kafka retention 7d"),
        ("msk(retention = \"7d\")", "msk retention 7d"),
        ("mq(retention = \"3d\")", "mq retention 3d"),
        ("http(client_retry = \"1h\")", "http client_retry 1h"),
        ("step_functions", "step_functions 15m"),
        ("step_functions(window = \"14d\")", "step_functions window 14d"),
        ("dlq_redrive", "dlq_redrive 14d"),
        ("replay(window = \"30d\")", "replay window 30d"),
        ("pipes(kinesis(retention = \"7d\"))", "kinesis retention 7d"),
        ("durable_function(sqs)", "sqs 4d"),
    ] {
        assert_eq!(window(source), shown, "{source}");
    }
}

#[test]
fn a_dead_letter_queue_adds_its_time_and_a_redrive_starts_the_retention_again() {
    let standard = "sqs(retention = \"14d\", dlq = \"14d\")";
    assert_eq!(window(standard), "sqs dlq 14d + sqs retention 14d = 28d");
    assert_eq!(window("sqs(dlq = \"14d\")"), "sqs dlq 14d + sqs 4d = 18d");
    let fifo = "sqs_fifo(retention = \"4d\", dlq = \"14d\")";
    assert_eq!(window(fifo), "sqs_fifo retention 4d + sqs_fifo dlq 14d + sqs_fifo retention 4d = 22d");
    let redrive = "dlq_redrive(dlq = \"14d\", retention = \"14d\")";
    assert_eq!(window(redrive), "dlq_redrive dlq 14d + dlq_redrive retention 14d = 28d");
}

#[test]
fn the_terms_of_a_chain_add_up() {
    let chain = format!("sns + {}", "sqs(retention = \"14d\", dlq = \"14d\")");
    assert_eq!(window(&chain), "sns 23d + sqs dlq 14d + sqs retention 14d = 51d");
    assert_eq!(window("eventbridge + lambda_async"), "eventbridge 1d + lambda_async 6h = 1d6h");
}

#[test]
fn a_ttl_below_the_window_is_refused_with_the_sum() {
    let args = "ttl = \"7d\", source = sqs(retention = \"14d\", dlq = \"14d\")";
    assert_eq!(found(args), [("ttl-below-window", Level::Error)]);
    let shown = diagnostics(&format!("key = order_no, {args}"), ITEM, &Policy::default(), Host::Macro);
    let text = shown[0].to_string();
    assert!(text.contains("a duplicate can come 28d later, but the TTL is 7d"), "{text}");
    assert!(text.contains("sqs dlq 14d + sqs retention 14d = 28d"), "{text}");
    assert!(text.contains("help: `ttl = \"28d\"` or more"), "{text}");
    assert_eq!(found("ttl = \"28d\", source = sqs(retention = \"14d\", dlq = \"14d\")"), []);
    assert_eq!(found("ttl = settings.retention, source = sqs(retention = \"14d\")"), []);
}

#[test]
fn a_source_without_a_window_of_its_own_must_state_it() {
    for source in ["kafka", "msk", "mq", "replay", "http", "sns + kafka", "pipes(mq)"] {
        let args = format!("ttl = \"1d\", source = {source}");
        assert_eq!(found(&args), [("window-required", Level::Error)], "{source}");
    }
    assert_eq!(found("ttl = \"7d\", source = kafka(retention = \"7d\")"), []);
}

#[test]
fn a_lease_ends_before_the_message_is_visible_again() {
    let code = [("lease-above-visibility", Level::Error)];
    assert_eq!(found("ttl = \"4d\", source = sqs, lease = \"30s\""), code);
    assert_eq!(found("ttl = \"4d\", source = sqs(visibility = \"60s\"), lease = \"59s\""), code);
    assert_eq!(found("ttl = \"4d\", source = sqs(visibility = \"2s\")"), code);
    assert_eq!(found("ttl = \"4d\", source = sqs(visibility = \"5999ms\")"), code);
    assert_eq!(found("ttl = \"4d\", source = sqs(visibility = \"5s\"), lease = \"4s\""), code);
    assert_eq!(found("ttl = \"4d\", source = sqs(visibility = \"6s\")"), []);
    assert_eq!(found("ttl = \"4d\", source = sqs(visibility = \"60s\"), lease = \"58s\""), []);
    assert_eq!(found("ttl = \"27d\", source = sns + sqs, lease = \"28s\""), []);
    assert_eq!(found("ttl = \"4d\", source = kinesis, lease = \"10m\""), []);
}

#[test]
fn the_lease_follows_from_the_visibility_timeout() {
    let lease = |source: &str| operation(&format!("ttl = \"30d\", source = {source}")).lease_text();
    assert_eq!(lease("sqs").as_deref(), Some("28s"));
    assert_eq!(lease("sqs(visibility = \"5m\")").as_deref(), Some("4m58s"));
    assert_eq!(lease("sns + sqs_fifo(visibility = \"1m\")").as_deref(), Some("58s"));
    assert_eq!(lease("kinesis"), None);
}

#[test]
fn an_outcome_outlives_the_lease_of_its_claim() {
    assert_eq!(found("ttl = \"10s\", lease = \"1m\""), [("ttl-below-lease", Level::Error)]);
    assert_eq!(found("ttl = \"1m\", lease = \"1m\""), []);
}

#[test]
fn an_outcome_outlives_the_default_lease() {
    assert_eq!(found("ttl = \"29s\""), [("ttl-below-lease", Level::Error)]);
    assert_eq!(found("ttl = \"30s\""), []);
    assert_eq!(found("ttl = \"29s\", lease = \"10s\""), []);
    assert_eq!(found("ttl = \"29s\", lease = settings.lease"), []);
}

#[test]
fn a_visibility_timeout_that_leaves_no_time_is_one_mistake() {
    let args = "ttl = \"51d\", source = sqs(visibility = \"5s\"), lease = \"3s\"";
    assert_eq!(found(args), [("lease-above-visibility", Level::Error)]);
    let args = "ttl = \"51d\", source = sqs(visibility = \"10s\"), lease = \"3s\"";
    assert_eq!(found(args), [("lease-too-short", Level::Error)]);
}

#[test]
fn a_ttl_below_the_lease_is_answered_with_one_that_is_not() {
    let of = |args: &str| {
        let item = "async fn f(no: u64) -> Result<(), Error> { Ok(()) }";
        let args = format!("key = no, {args}");
        let found = diagnostics(&args, item, &Policy::default(), Host::Macro);
        let found = found.into_iter().find(|finding| finding.code() == "ttl-below-lease").unwrap();
        format!("{}; {}", found.message(), found.help_text().unwrap())
    };
    assert_eq!(
        of("ttl = \"10s\", lease = \"1m\""),
        "the TTL of 10s is below the lease of 1m; `ttl = \"1m\"` or more: how late a duplicate can come, not how \
         long a call runs"
    );
    assert_eq!(
        of("ttl = \"10s\", source = sqs(retention = \"1m\", visibility = \"40s\")"),
        "the TTL of 10s is below the lease of 38s, which follows from the visibility timeout; `ttl = \"38s\"` or more, or a \
         shorter `lease`"
    );
}

#[test]
fn a_queue_keeps_a_message_for_a_minute_at_least() {
    for setting in ["sqs(retention = \"59s\")", "sqs_fifo(dlq = \"10s\")", "dlq_redrive(dlq = \"1s\")"] {
        assert_eq!(
            found(&format!("ttl = \"51d\", source = {setting}")),
            [("bad-source", Level::Error)],
            "{setting}"
        );
    }
    assert_eq!(found("ttl = \"51d\", source = sqs(retention = \"60s\")"), []);
}

#[test]
fn a_lease_is_long_enough_for_the_runtime() {
    assert_eq!(found("ttl = \"1d\", lease = \"3999ms\""), [("lease-too-short", Level::Error)]);
    assert_eq!(found("ttl = \"1d\", lease = \"4s\""), []);
    assert_eq!(found("ttl = \"1d\", lease = Duration::from_secs(1)"), []);
}

#[test]
fn the_largest_values_of_a_service_and_longer_chains_are_taken() {
    for source in [
        "sqs(retention = \"14d\", dlq = \"14d\", visibility = \"12h\")",
        "dlq_redrive(dlq = \"14d\", retention = \"14d\")",
        "sns_http(window = \"1h\")",
        "kafka(retention = \"400d\")",
        "sqs + sns + sqs",
        "pipes(sqs) + sqs",
        "pipes(sqs) + pipes(kinesis)",
    ] {
        assert_eq!(found(&format!("ttl = \"500d\", source = {source}")), [], "{source}");
    }
}

#[test]
fn sources_and_their_settings_are_known_and_single() {
    for (source, message) in [
        ("sqss", "unknown source `sqss`"),
        ("\"sqs\"", "expected a source, found `\"sqs\"`"),
        ("sqs(retain = \"4d\")", "`sqs` has no `retain`"),
        ("sns(retention = \"4d\")", "`sns` has no `retention`"),
        ("sqs(dlq = \"4d\", dlq = \"5d\")", "`dlq` is given twice"),
        ("sqs(dlq)", "`dlq` needs a duration"),
        ("sqs(dlq = 4)", "duration `4` has no unit"),
        ("sqs(dlq = settings.dlq)", "`dlq` needs a duration in quotes"),
        ("sqs(\"4d\")", "`sqs` takes `name = \"duration\"`"),
        ("sqs(dlq = \"4d\" retention = \"4d\")", "expected `,` between two settings"),
        ("pipes", "`pipes` needs the source it reads"),
        ("sns sqs", "sources are joined with `+`"),
        ("", "`source` needs a value"),
        ("sqs(retention = \"15d\")", "`sqs` has no `retention` of 15d"),
        ("sqs_fifo(dlq = \"14d1s\")", "`sqs_fifo` has no `dlq` of 14d1s"),
        ("sns + sqs(visibility = \"13h\")", "`sqs` has no `visibility` of 13h"),
        ("pipes(kinesis(retention = \"366d\"))", "`kinesis` has no `retention` of 366d"),
        ("lambda_async(max_age = \"7h\")", "`lambda_async` has no `max_age` of 7h"),
        ("sns_http(window = \"2h\")", "`sns_http` has no `window` of 2h"),
        ("sqs + sqs", "`sqs` stands twice in a row"),
        ("sns + sqs(dlq = \"4d\") + sqs", "`sqs` stands twice in a row"),
        ("pipes(sns + sns)", "`sns` stands twice in a row"),
    ] {
        let args = format!("key = order_no, ttl = \"60d\", source = {source}");
        let found = diagnostics(&args, ITEM, &Policy::default(), Host::Macro);
        let messages: Vec<&str> = found.iter().map(Diagnostic::message).collect();
        assert_eq!(messages, [message], "{source}");
    }
}

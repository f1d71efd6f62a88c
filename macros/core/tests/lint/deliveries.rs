//! Arguments that a service delivers: what is compared of them.

use super::support::diagnostics;
use idempotency_macros_core::{Diagnostic, Host, Policy};

/// Code and help of all findings.
fn of(args: &str, parameters: &str) -> Vec<(String, String)> {
    let item = format!("async fn ship(no: u64, {parameters}) -> Result<(), Error> {{ Ok(()) }}");
    let found = diagnostics(&format!("key = no, ttl = \"7d\"{args}"), &item, &Policy::default(), Host::Macro);
    let shown = |finding: &Diagnostic| {
        (finding.code().to_owned(), finding.help_text().unwrap_or_default().to_owned())
    };
    found.iter().map(shown).collect()
}

const PARSED: &str = "take the parsed body as an argument and compare that; `ignore(m)`";

#[test]
fn what_is_delivered_is_not_compared_as_a_whole() {
    for (ty, written) in [
        ("SqsMessage", "m.body"),
        ("&aws_lambda_events::sqs::SqsMessage", "m.body"),
        ("SnsRecord", "m.sns.message"),
        ("KinesisEventRecord", "m.kinesis.data"),
        ("EventBridgeEvent<Order>", "m.detail"),
        ("S3EventRecord", "m.s3"),
        ("dynamodb::EventRecord", "m.change"),
        ("LambdaEvent<Value>", "m.payload"),
        ("Box<ApiGatewayProxyRequest>", "m.body"),
    ] {
        let help = format!("compare what was sent: `validate = \"{written}\", ignore(m)`");
        let expected = [("volatile-fingerprint".to_owned(), help)];
        assert_eq!(of(", validate = m", &format!("m: {ty}")), expected, "{ty}");
    }
    for ty in [
        "SqsEvent",
        "Vec<SqsMessage>",
        "Option<SqsMessage>",
        "&[SnsRecord]",
        "http::Request<Bytes>",
        "Request<Body>",
        "lambda_http::Request",
        "lambda_runtime::Context",
    ] {
        let expected = [("volatile-fingerprint".to_owned(), PARSED.to_owned())];
        assert_eq!(of(", validate = m", &format!("m: {ty}")), expected, "{ty}");
    }
}

#[test]
fn a_part_of_a_delivery_and_what_only_sounds_like_one_are_compared() {
    for (args, parameters) in [
        (", validate = m.body, ignore(m)", "m: SqsMessage"),
        (", validate = m - m.attributes - m.receipt_handle", "m: SqsMessage"),
        (", validate = m", "m: Request"),
        (", validate = m", "m: orders::Request"),
        (", validate = m", "m: Delivery"),
        (", validate = m", "m: Message"),
        (", validate = m", "m: Vec<Order>"),
        (", validate = m", "SqsMessage { body: m, .. }: SqsMessage"),
    ] {
        assert_eq!(of(args, parameters), [], "{args} of {parameters}");
    }
}

#[test]
fn an_uncovered_delivery_is_not_compared_as_a_whole_either() {
    let uncovered = |help: &str| [("uncovered-argument".to_owned(), help.to_owned())];
    assert_eq!(of("", "m: SqsMessage"), uncovered("`validate = \"m.body\", ignore(m)`"));
    assert_eq!(of(", validate = m.body", "m: SqsMessage"), uncovered("`validate = \"m.body\", ignore(m)`"));
    let with_other = of(", validate = o - o.x", "o: Order, m: LambdaEvent<Order>");
    assert_eq!(with_other, uncovered("`validate = \"o + m.payload - o.x\", ignore(m)`"));
    assert_eq!(of("", "m: SqsEvent"), uncovered(PARSED));
    assert_eq!(of("", "m: Message"), uncovered("`validate = \"m\"`"));
}

//! Keys as they are written in practice: from Part C of the lints and from public code (the shapes, not the code).
//! False positives and false negatives are counted here.

use idempotency_macros_core::{Host, Level, Policy};

/// Every finding about a key over arguments of these names; all that the key leaves is ignored.
fn findings(key: &str, quoted: bool) -> Vec<(&'static str, Level)> {
    let mut roots: Vec<&str> = key
        .split('+')
        .map(|part| part.trim().trim_end_matches(')').rsplit('(').next().unwrap_or(part))
        .map(|part| part.split(['.', '[', '?']).next().unwrap_or(part).trim())
        .filter(|root| {
            !root.starts_with(['\'', '"']) && !root.contains("::") && !root.is_empty() && *root != "op"
        })
        .collect();
    roots.sort_unstable();
    roots.dedup();
    let receiver = if roots.contains(&"self") { "&self, " } else { "" };
    let parameters: Vec<String> =
        roots.iter().filter(|root| **root != "self").map(|root| format!("{root}: T")).collect();
    let parameters = parameters.join(", ");
    let item = format!("async fn handle({receiver}{parameters}) -> Result<(), Error> {{ Ok(()) }}");
    let value = if quoted { format!("{key:?}") } else { key.replace('\'', "\"") };
    let args = format!("key = {value}, ttl = \"7d\"");
    let mut policy = Policy::default();
    policy.allow.push("uncovered-argument".to_owned());
    let report = idempotency_macros_core::check(
        args.parse().unwrap_or_else(|error| panic!("{args}: {error}")),
        item.parse().unwrap_or_else(|error| panic!("{item}: {error}")),
        &policy,
        Host::Macro,
    );
    report.into_diagnostics().iter().map(|finding| (finding.code(), finding.level())).collect()
}

#[test]
fn good_keys_pass_and_bad_keys_fail_in_both_forms() {
    let mut wrong = Vec::new();
    let mut judge = |key: &str, expected: &[(&'static str, Level)]| {
        for quoted in [true, false] {
            let found = findings(key, quoted);
            if found != expected {
                wrong.push(format!("{key}: {found:?}, expected {expected:?}"));
            }
        }
    };
    for key in GOOD {
        judge(key, &[]);
    }
    for (key, code) in BAD {
        judge(key, &[(*code, Level::Error)]);
    }
    for (key, code) in DOUBTFUL {
        judge(key, &[(*code, Level::Warning)]);
    }
    println!("corpus: {} keys pass, {} fail, {} are warned about", GOOD.len(), BAD.len(), DOUBTFUL.len());
    assert!(wrong.is_empty(), "{} are judged wrongly:\n{}", wrong.len(), wrong.join("\n"));
    assert!(GOOD.len() >= 60 && BAD.len() >= 60);
}

#[test]
fn names_that_look_bad_and_are_good_never_fire() {
    for name in LOOKS_BAD {
        for key in [
            format!("tenant_id + {name}"),
            format!("{name} + tenant_id"),
            format!("input.tenant_id + input.{name}"),
            format!("tenant_id + order.{name}?"),
            name.to_string(),
        ] {
            assert_eq!(findings(&key, true), [], "{key}");
        }
    }
    println!("{} names that look bad never fire", LOOKS_BAD.len());
    for (key, about) in [
        ("session_id", "logout"),
        ("session_id", "checkout"),
        ("attempt_id", "grade_attempt"),
        ("content_hash", "store_file"),
    ] {
        let item = format!("async fn {about}({key}: String) -> Result<(), Error> {{ Ok(()) }}");
        let args = format!("key = {key}, ttl = \"7d\"");
        let policy = Policy::default();
        let report = idempotency_macros_core::check(
            args.parse().unwrap(),
            item.parse().unwrap(),
            &policy,
            Host::Macro,
        );
        assert!(report.into_diagnostics().is_empty(), "{key} in {about}");
    }
    for key in ["bucket + object_key + etag", "chat_id + message_id", "cmd.message_id", "payload.message_id"]
    {
        assert_eq!(findings(key, true), [], "{key}");
    }
}

const GOOD: &[&str] = &[
    "tenant_id + op + order_no",
    "tenant_id + order.order_no",
    "order_no",
    "order_id",
    "order.id",
    "invoice.number",
    "input.tenant_id + input.order_no",
    "user_id + product_id",
    "tenant_id + client_request_id",
    "tenant_id + headers['Idempotency-Key']",
    "headers['x-idempotency-key']",
    "headers['Idempotency-Key'] + account_id",
    "req.client_token",
    "input.client_request_token + account_id",
    "merchant_id + payment_intent_id",
    "customer_id + invoice_no",
    "customer_id + billing_period",
    "account_id + statement_date",
    "tenant_id + invoice_date + invoice_no",
    "employee_no + month + year",
    "subscription_id + period_start",
    "schedule_arn + scheduled_time",
    "schedule.name + scheduled_for",
    "job_name + run_date",
    "report_id + day",
    "shop_id + cart_id",
    "cart.id",
    "chat_id + message_id",
    "channel_id + message_id",
    "update.update_id",
    "provider + webhook_event_id",
    "headers['X-GitHub-Delivery']",
    "stripe_event.event_id",
    "event.event_id",
    "event.detail.order_no",
    "record.dynamodb.order_no",
    "detail.transfer_id",
    "bucket + object_key + version_id",
    "bucket + object_key + etag",
    "aggregate_id + version",
    "aggregate_id + revision + op",
    "document_no + generation",
    "hash(email) + tenant_id + campaign",
    "tenant_id + hash(lower(trim(email)))",
    "self.tenant + transfer_no",
    "self.service + command_id",
    "command.command_id",
    "cmd.message_id + cmd.tenant_id",
    "tenant_id + operation_id",
    "reference + account_id",
    "external_id",
    "source_id + target_id",
    "from_account + to_account + transfer_reference",
    "iban_hash + mandate_no",
    "execution_name + state_name + item_no",
    "workflow_id + step_name",
    "route_id + visit_id + event_id",
    "'ride-confirm' + ride.id",
    "'response-created' + response_id",
    "'decision' + decision_id",
    "receipt_id",
    "booking.check_in + room_no",
    "flight_no + departure_time",
    "card_fingerprint + order_no",
    "card_last4 + order_no",
    "patient_no + visit_no",
    "claim_no + op + 'v2'",
    "sku + warehouse_id + movement_no",
    "upload.content_hash",
    "time_zone + slot",
    "email_template_id + recipient_id",
    "topic + business_key",
    "order.lines.0.line_key",
    "json['order']['no']",
    "date(due_date) + loan_no",
    "lower(order.reference_code)",
    "api_key_id + order_no",
    "ticket_no + counter_no",
    "message_deduplication_id",
    "message_group_id + order_no",
    "job_no + timeout_ms",
    "job_no + retry_delay_millis",
    "video_no + offset_ms",
    "clip_no + start_ms + end_ms",
    "probe_no + interval_secs",
    "term_no + leader_epoch",
    "job_no + scheduled_at_ms",
    "flight_no + departure_time_ms",
    "headers['X-Business-Date'] + ledger_no",
    "pin_code_id + order_no",
    "password_reset_no",
    "body_part_no + patient_no",
];

const BAD: &[(&str, &str)] = &[
    ("ctx.request_id", "per-invocation-id"),
    ("context.aws_request_id", "per-invocation-id"),
    ("lambda_context.request_id + order_no", "per-invocation-id"),
    ("event.request_context.request_id?", "per-invocation-id"),
    ("request_id", "per-invocation-id"),
    ("tenant_id + request_id", "per-invocation-id"),
    ("requestId", "per-invocation-id"),
    ("x_request_id", "per-invocation-id"),
    ("headers['X-Request-Id']", "per-invocation-id"),
    ("headers['x-amzn-requestid']", "per-invocation-id"),
    ("headers['x-amz-request-id'] + order_no", "per-invocation-id"),
    ("execution_id + node", "per-invocation-id"),
    ("task_token", "per-invocation-id"),
    ("run_id + order_no", "per-invocation-id"),
    ("delivery_tag", "per-invocation-id"),
    ("connection_id", "per-invocation-id"),
    ("log_stream_name + order_no", "per-invocation-id"),
    ("function_version + order_no", "per-invocation-id"),
    ("hash(ctx.request_id)", "per-invocation-id"),
    ("trace_id", "trace-id"),
    ("ctx.xray_trace_id?", "trace-id"),
    ("headers['traceparent']", "trace-id"),
    ("headers['X-Amzn-Trace-Id'] + order_no", "trace-id"),
    ("span_id + order_no", "trace-id"),
    ("tenant_id + requested_at", "timestamp"),
    ("tenant_id + order.created_at", "timestamp"),
    ("body.timestamp + user_id", "timestamp"),
    ("order_no + updated_at", "timestamp"),
    ("message.sent_timestamp + order_no", "timestamp"),
    ("order_no + received_ts", "timestamp"),
    ("event.time + event.detail_type", "timestamp"),
    ("claims.iat + claims.user_id", "timestamp"),
    ("order_no + expires_at", "timestamp"),
    ("order_no + ctx.deadline", "timestamp"),
    ("order_no + created", "timestamp"),
    ("order_no + order.created_ms", "timestamp"),
    ("order_no + sent_millis", "timestamp"),
    ("order_no + requested_at_ms", "timestamp"),
    ("order_no + now_nanos", "timestamp"),
    ("order_no + elapsed_ms", "timestamp"),
    ("order_no + epoch_ms", "timestamp"),
    ("order_no + epoch_seconds", "timestamp"),
    ("order_no + created_epoch", "timestamp"),
    ("order_no + datetime", "timestamp"),
    ("order_no + time_of_request", "timestamp"),
    ("order_no + headers['Date']", "timestamp"),
    ("attributes['SentTimestamp'] + order_no", "timestamp"),
    ("order_no + Utc::now()", "timestamp"),
    ("user_id + SystemTime::now()", "timestamp"),
    ("'pin-reset' + now()", "timestamp"),
    ("Uuid::new_v4()", "random-part"),
    ("'cli' + Uuid::new_v4().to_string()", "random-part"),
    ("order_no + rand::random()", "random-part"),
    ("Ulid::new()", "random-part"),
    ("nanoid!()", "random-part"),
    ("record.receipt_handle", "delivery-counter"),
    ("order_no + attempt", "delivery-counter"),
    ("node_no + attempt_number", "delivery-counter"),
    ("order_no + retry_count", "delivery-counter"),
    ("attributes['ApproximateReceiveCount'] + order_no", "delivery-counter"),
    ("order_no + message.redelivered", "delivery-counter"),
    ("ack_id", "delivery-counter"),
    ("body", "whole-payload"),
    ("hash(body)", "whole-payload"),
    ("hash(payload) + tenant_id", "whole-payload"),
    ("event", "whole-payload"),
    ("request.body", "whole-payload"),
    ("record.body + tenant_id", "whole-payload"),
    ("message", "whole-payload"),
    ("input", "whole-payload"),
    ("record.md5_of_body", "whole-payload"),
    ("body_json", "whole-payload"),
    ("hash(raw_request)", "whole-payload"),
    ("tenant_id + event.raw_payload", "whole-payload"),
    ("tenant_id", "too-coarse"),
    ("tenant_id + customer_id", "too-coarse"),
    ("user.id", "too-coarse"),
    ("'oauth-expired' + account_id", "too-coarse"),
    ("user_id + op", "too-coarse"),
    ("date", "too-coarse"),
    ("event_type + tenant_id", "too-coarse"),
    ("bucket + region", "too-coarse"),
    ("topic + partition", "too-coarse"),
    ("source_ip + order_no", "unstable-form"),
    ("hostname + order_no", "unstable-form"),
    ("order_no + headers['User-Agent']", "unstable-form"),
    ("order_no + std::process::id()", "unstable-form"),
    ("email + order_no", "personal-data"),
    ("tenant_id + lower(email)", "personal-data"),
    ("order.customer_phone + order_no", "personal-data"),
    ("card_number + amount", "personal-data"),
    ("iban + reference", "personal-data"),
    ("api_key + order_no", "secret"),
    ("hash(password) + user_id", "secret"),
    ("headers['Authorization'] + order_no", "secret"),
    ("token + order_no", "secret"),
    ("user_id + password_hash", "secret"),
    ("hash(user.old_password_hash) + no", "secret"),
    ("pin_code + order_no", "secret"),
    ("signature + order_no", "secret"),
];

const DOUBTFUL: &[(&str, &str)] = &[
    ("input.request_id", "per-invocation-id"),
    ("body.request_id + tenant_id", "per-invocation-id"),
    ("session_id + item_no", "per-invocation-id"),
    ("correlation_id", "trace-id"),
    ("order_no + nonce", "random-part"),
    ("message_id", "redelivery-only-id"),
    ("record.message_id", "redelivery-only-id"),
    ("record.kinesis.sequence_number", "redelivery-only-id"),
    ("topic + partition + offset", "redelivery-only-id"),
    ("bucket + object_key + sequencer", "redelivery-only-id"),
    ("provider + body_hash", "whole-payload"),
    ("checksum", "whole-payload"),
    ("etag", "delivery-counter"),
    ("order_no + client_ms", "timestamp"),
    ("order_no + epoch", "timestamp"),
    ("product_id", "too-coarse"),
    ("amount + currency", "too-coarse"),
    ("id", "too-coarse"),
    ("index", "too-coarse"),
];

const LOOKS_BAD: &[&str] = &[
    "idempotency_key",
    "idem_key",
    "idempotency_token",
    "client_request_id",
    "client_request_token",
    "client_token",
    "client_reference",
    "client_order_id",
    "request_token",
    "operation_id",
    "command_id",
    "intent_id",
    "payment_intent_id",
    "transaction_id",
    "reference",
    "external_id",
    "source_id",
    "event_id",
    "webhook_event_id",
    "delivery_id",
    "message_deduplication_id",
    "dedup_id",
    "dedupe_key",
    "order_date",
    "invoice_date",
    "due_date",
    "billing_period",
    "billing_month",
    "period_start",
    "period_end",
    "statement_date",
    "value_date",
    "settlement_date",
    "trade_date",
    "effective_date",
    "as_of",
    "valid_from",
    "scheduled_for",
    "scheduled_time",
    "scheduled_at",
    "run_date",
    "slot",
    "slot_start",
    "check_in",
    "departure_time",
    "event_time",
    "occurred_at",
    "window_start",
    "bucket_hour",
    "week",
    "month",
    "year",
    "day",
    "version",
    "revision",
    "generation",
    "access_revision",
    "version_id",
    "uuid",
    "ulid",
    "token_id",
    "card_fingerprint",
    "card_last4",
    "email_id",
    "email_template_id",
    "phone_call_id",
    "address_id",
    "secret_name",
    "api_key_id",
    "count",
    "retry_policy_id",
    "time_zone",
    "timestamp_token",
];

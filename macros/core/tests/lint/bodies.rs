//! Lints of the body: errors that are thrown away, and keys that are drawn for other services.

use idempotency_macros_core::Level;

use super::support::codes;

/// The findings about a body.
fn of_body(body: &str) -> Vec<(&'static str, Level)> {
    codes("key = no, ttl = \"7d\"", &format!("async fn f(no: u64) -> Result<(), Error> {{ {body} }}"))
}

#[test]
fn errors_that_are_thrown_away_are_seen() {
    let warned = [("swallowed-error", Level::Warning)];
    for body in [
        "let _ = send(no).await; Ok(())",
        "if a { let _ = send(no).await; } Ok(())",
        "send(no).await.ok(); Ok(())",
        "if let Err(error) = send(no).await { tracing::warn!(%error); } Ok(())",
        "match send(no).await { Ok(x) => use_it(x), Err(e) => { log::error!(\"{e}\"); } } Ok(())",
        "match send(no).await { Ok(_) => {} Err(_) => {} } Ok(())",
        "match send(no).await { Ok(x) => use_it(x), Err(_) => Ok(()) }",
        "match send(no).await { Ok(x) => use_it(x), Err(e) => { error!(\"{e}\"); Ok(()) } }",
        "if let Err(e) = send(no).await { warn!(\"{e}\"); return Ok(()); } ship(no).await",
    ] {
        assert_eq!(of_body(body), warned, "{body}");
    }
    for body in [
        "send(no).await?; Ok(())",
        "let _guard = lock().await; Ok(())",
        "let _ = sender.send(1); Ok(())",
        "let x = send(no).await.ok(); g(x)",
        "if let Err(error) = send(no).await { tracing::warn!(%error); return Err(error); } Ok(())",
        "match send(no).await { Ok(x) => Ok(x), Err(e) => { error!(\"{e}\"); Err(e) } }",
        "match send(no).await { Err(Error::AlreadySent) => {} other => other? } Ok(())",
        "match send(no).await { Err(Error::AlreadySent) => Ok(()), other => other }",
        "match send(no).await { Ok(x) => Ok(x), Err(_) => Ok(Receipt::none()) }",
        "spawn(async move { let _ = send(no).await; }); Ok(())",
        "items.iter().for_each(|x| { x.f().ok(); }); Ok(())",
    ] {
        assert_eq!(of_body(body), [], "{body}");
    }
}

#[test]
fn a_fallback_for_the_error_of_an_effect_is_seen() {
    let warned = [("swallowed-error", Level::Warning)];
    for body in [
        "send(no).await.unwrap_or_default(); Ok(())",
        "let sent = gateway.charge(no).await.unwrap_or_default(); g(sent)",
        "send(no).await.unwrap_or(()); Ok(())",
        "send(no).await.unwrap_or_else(|_| ()); Ok(())",
        "send(no).await.unwrap_or_else(|_| {}); Ok(())",
        "send(no).await.unwrap_or_else(|e| tracing::warn!(%e)); Ok(())",
        "let sent = send(no).await.unwrap_or_else(|e| { log::error!(\"{e}\"); Sent::none() }); g(sent)",
        "timeout(limit, send(no)).await.unwrap_or(Ok(()))",
        "send(no).await.or_else(|_| Ok(()))",
        "send(no).await.or(Ok(()))",
        "client.put_item().item(no).send().await.unwrap_or_default(); Ok(())",
        "handle.await.unwrap_or_default(); Ok(())",
    ] {
        assert_eq!(of_body(body), warned, "{body}");
    }
    for body in [
        "let rate = rates.get(no).await.unwrap_or_default(); g(rate)",
        "let user = try_find_user(no).await.unwrap_or_default(); g(user)",
        "let item = client.get_item().key(no).send().await.unwrap_or_default(); g(item)",
        "let text = response.text().await.unwrap_or_default(); Err(Error(text))",
        "let sent = send(no).await.unwrap_or_else(|_| Sent::queued(no)); g(sent)",
        "let sent = send(no).await.unwrap_or(Sent::Later); g(sent)",
        "let limit = limits.unwrap_or_default(); g(limit)",
        "send(no).await.or_else(|e| if e.is_repeated() { Ok(()) } else { Err(e) })",
        "let next = stream.next().await.unwrap_or_default(); g(next)",
        "retry(|| async { send(no).await.unwrap_or_default() }).await",
    ] {
        assert_eq!(of_body(body), [], "{body}");
    }
}

#[test]
fn a_result_that_nobody_looks_at_is_seen() {
    let warned = [("swallowed-error", Level::Warning)];
    for body in [
        "drop(send(no).await); Ok(())",
        "std::mem::drop(gateway.charge(no).await); Ok(())",
        "_ = send(no).await; Ok(())",
        "let _: Result<(), Error> = send(no).await; Ok(())",
        "let _ = send(no).await.ok(); Ok(())",
        "let _r = send(no).await; Ok(())",
        "let _sent: Result<(), Error> = send(no).await; Ok(())",
    ] {
        assert_eq!(of_body(body), warned, "{body}");
    }
    for body in [
        "drop(guard); Ok(())",
        "drop(state.lock().await); Ok(())",
        "drop(channel); send(no).await",
        "let _r = send(no).await?; Ok(())",
        "let _r = send(no).await; g(_r)",
        "let _r = send(no).await; info!(\"{_r:?}\"); g()",
        "let _permit = limits.enter(no).await; send(no).await",
        "let _entry = cache.lookup(no).await; send(no).await",
        "let _unused = 7; send(no).await",
    ] {
        assert_eq!(of_body(body), [], "{body}");
    }
}

#[test]
fn a_test_for_an_error_that_only_logs_is_seen() {
    let warned = [("swallowed-error", Level::Warning)];
    for body in [
        "if send(no).await.is_err() { warn!(\"not sent\"); } Ok(())",
        "if send(no).await.is_err() {} Ok(())",
        "if !gateway.charge(no).await.is_ok() { failures.increment(1); } Ok(())",
        "if let Err(e) = send(no).await { log_failure(&e); } Ok(())",
    ] {
        assert_eq!(of_body(body), warned, "{body}");
    }
    for body in [
        "if send(no).await.is_err() { warn!(\"not sent\"); return Err(Error); } Ok(())",
        "if send(no).await.is_err() { send_later(no).await?; } Ok(())",
        "if send(no).await.is_ok() { info!(\"sent\"); } g()",
        "if cache.get(no).await.is_err() { debug!(\"cold\"); } Ok(())",
        "if let Err(e) = send(no).await { failed.push(e); } g(failed)",
        "loop { if send(no).await.is_err() { warn!(\"again\"); continue; } break Ok(()) }",
    ] {
        assert_eq!(of_body(body), [], "{body}");
    }
}

#[test]
fn keys_for_other_services_are_derived_and_not_drawn() {
    let warned = [("key-made-inside", Level::Warning)];
    for body in [
        "let id = Uuid::new_v4(); charge().idempotency_key(id.to_string()).send().await",
        "charge().set_idempotency_key(Some(Uuid::new_v4())).send().await",
        "client.post(url).header(\"Idempotency-Key\", Uuid::new_v4().to_string()).send().await",
        "let key = nanoid!(); pay(Request { amount, client_token: key }).await",
        "request.idempotency_key = Ulid::new().to_string(); pay(request).await",
    ] {
        assert_eq!(of_body(body), warned, "{body}");
    }
    for body in [
        "charge().idempotency_key(format!(\"pay-{no}\")).send().await",
        "let id = Uuid::new_v4(); insert(id, no).await",
        "charge().idempotency_key(Uuid::new_v5(&NS, no)).send().await",
    ] {
        assert_eq!(of_body(body), [], "{body}");
    }
}

#[test]
fn bodies_that_do_not_parse_are_left_to_the_compiler() {
    assert_eq!(of_body("let _ = = send(no).await; Ok(())"), []);
}

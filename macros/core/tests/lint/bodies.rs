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
        "spawn(async move { let _ = send(no).await; }); Ok(())",
        "items.iter().for_each(|x| { x.f().ok(); }); Ok(())",
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

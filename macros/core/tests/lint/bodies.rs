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
fn an_error_that_is_looked_at_again_is_not_thrown_away() {
    for body in [
        "let r = send(no).await; if let Err(e) = &r { warn!(\"{e}\"); } r?; Ok(())",
        "let r = send(no).await; if r.is_err() { warn!(\"not sent\"); } r",
        "let r = send(no).await; if r.is_err() { warn!(\"not sent\"); } ship(no).await?; finish(r)",
        "let r = send(no).await; match &r { Ok(x) => info!(\"{x}\"), Err(e) => warn!(\"{e}\") } r.map(drop)",
        "for _ in 0..3 { if let Err(e) = send(no).await { warn!(\"{e}\"); } else { return Ok(()); } } \
         Err(Error::Given)",
        "for _ in 0..3 { match send(no).await { Ok(x) => return Ok(x), Err(e) => warn!(\"{e}\") } } last(no)",
        "while more() { match send(no).await { Ok(x) => return Ok(x), Err(_) => {} } } Err(Error::Given)",
        "loop { match send(no).await { Ok(x) => return Ok(x), Err(e) => { warn!(\"{e}\"); sleep(d).await; } } }",
        "loop { if let Err(e) = send(no).await { warn!(\"{e}\"); } else { break } } Ok(())",
        "if let Err(e) = send(no).await { warn!(\"{e}\"); } else { return Ok(()); } send_otherwise(no).await",
        "if let Err(e) = send(no).await { warn!(\"{e}\"); } Err(Error::Always)",
        "let _ = sleep(second).await; Ok(())",
        "_ = tokio::task::yield_now().await; Ok(())",
        "let _ = tx.send(1).await; Ok(())",
        "let _ = self.events_tx.send(1).await; Ok(())",
        "tx.send(1).ok(); Ok(())",
        "sender.send(1).await.ok(); Ok(())",
        "if let Err(e) = tx.send(1).await { warn!(\"{e}\"); } Ok(())",
        "if let Err(e) = cache.get(no).await { warn!(\"{e}\"); } Ok(())",
        "let hit = cache.get(no).await; if hit.is_err() { warn!(\"cold\"); } Ok(())",
        "let entered = enter(no).await; drop(entered); Ok(())",
    ] {
        assert_eq!(of_body(body), [], "{body}");
    }
    let warned = [("swallowed-error", Level::Warning)];
    for body in [
        "for _ in 0..3 { match send(no).await { Ok(()) => break, Err(e) => warn!(\"{e}\") } } Ok(())",
        "for item in items { if let Err(e) = send(item).await { warn!(\"{e}\"); } } finish(no).await",
        "for r in join_all(all).await { if let Err(e) = r { warn!(\"{e}\"); } } Ok(())",
        "let _ = mailer.send(mail).await; Ok(())",
        "mail_sender.send(mail).await.ok(); Ok(())",
    ] {
        assert_eq!(of_body(body), warned, "{body}");
    }
}

#[test]
fn a_log_in_front_of_it_does_not_save_an_error() {
    let warned = [("swallowed-error", Level::Warning)];
    for body in [
        "let _ = send(no).await.map_err(|e| warn!(\"{e}\")); Ok(())",
        "let _ = send(no).await.map_err(Error::from); Ok(())",
        "let _ = send(no).await.map_err(|e| Error::Send(e)).ok(); Ok(())",
        "_ = send(no).await.inspect_err(|e| { error!(\"{e}\"); }); Ok(())",
        "drop(send(no).await.inspect_err(log_failure)); Ok(())",
        "send(no).await.inspect_err(|e| warn!(\"{e}\")).unwrap_or_default(); Ok(())",
        "send(no).await.context(\"sending\").unwrap_or(()); Ok(())",
        "send(no).await.map_or((), |_| ()); Ok(())",
        "send(no).await.map_or(Ok(()), |sent| note(sent))",
        "send(no).await.map_or_else(|e| warn!(\"{e}\"), |_| ()); Ok(())",
        "let r = send(no).await; _ = r; Ok(())",
        "let r = send(no).await; let _ = r; Ok(())",
        "let r = send(no).await; drop(r); Ok(())",
        "let r = send(no).await; if r.is_err() { warn!(\"not sent\"); } Ok(())",
        "let sent = send(no).await; if sent.is_err() { warn!(\"not sent\"); } info!(\"not sent\"); Ok(())",
        "let r = send(no).await; if let Err(e) = r { warn!(\"{e}\"); } Ok(())",
        "let r = send(no).await; if let Err(e) = &r { warn!(\"{e} {r:?}\"); } Ok(())",
    ] {
        assert_eq!(of_body(body), warned, "{body}");
    }
    for body in [
        "let _ = send(no).await.map_err(|e| failed.push(e)); g(failed)",
        "send(no).await.map_err(|e| warn!(\"{e}\"))?; Ok(())",
        "send(no).await.inspect_err(|e| warn!(\"{e}\"))",
        "let r = send(no).await; drop(r?); Ok(())",
        "let n = send(no).await.map_or(0, |sent| sent.len()); g(n)",
        "let r = send(no); drop(r); Ok(())",
    ] {
        assert_eq!(of_body(body), [], "{body}");
    }
}

#[test]
fn a_branch_that_logs_and_goes_on_is_seen_whatever_stands_beside_the_log() {
    let warned = [("swallowed-error", Level::Warning)];
    for body in [
        "if let Err(e) = send(no).await { warn!(\"{e}\"); } else { info!(\"sent\"); } Ok(())",
        "if let Err(e) = send(no).await { warn!(\"{e}\"); Ok(()) } else { ship(no).await }",
        "if let Ok(sent) = send(no).await { note(sent); } else { warn!(\"not sent\"); } Ok(())",
        "let Ok(sent) = send(no).await else { warn!(\"not sent\"); return Ok(()); }; g(sent)",
        "let Ok(sent) = send(no).await else { return Ok(()) }; g(sent)",
        "if let Err(e) = send(no).await { warn!(\"{e}\"); metrics.record_failure(); } Ok(())",
        "match send(no).await { Ok(x) => use_it(x), Err(e) => { count_failure(no); error!(\"{e}\"); Ok(()) } }",
        "match send(no).await { Ok(x) => use_it(x), _ => warn!(\"not sent\") } Ok(())",
        "match send(no).await { Ok(x) => use_it(x), _ => {} } Ok(())",
        "match send(no).await { Ok(x) => Ok(x), Err(e) => { warn!(\"{e}\"); Ok(Receipt::none()) } }",
        "match send(no).await { Ok(x) => Ok(Some(x)), Err(e) => { warn!(\"{e}\"); return Ok(None); } }",
        "let x = match send(no).await { Ok(x) => x, Err(e) => { warn!(\"{e}\"); Receipt::default() } }; Ok(x)",
    ] {
        assert_eq!(of_body(body), warned, "{body}");
    }
    for body in [
        "let Ok(sent) = send(no).await else { warn!(\"not sent\"); return Err(Error); }; g(sent)",
        "let Ok(sent) = send(no).await else { warn!(\"not sent\"); panic!(\"no\") }; g(sent)",
        "let Ok(n) = text.parse::<u32>() else { return Ok(()) }; g(n)",
        "let Some(user) = load_user(no).await else { return Ok(()) }; g(user)",
        "if let Err(e) = send(no).await { warn!(\"{e}\"); failed = true; } g(failed)",
        "if let Err(e) = send(no).await { warn!(\"{e}\"); failed += 1; } g(failed)",
        "if let Err(e) = send(no).await { warn!(\"{e}\"); failed.push(no); } g(failed)",
        "if let Err(e) = send(no).await { warn!(\"{e}\"); note(&mut failed); } g(failed)",
        "if let Err(e) = send(no).await { warn!(\"{e}\"); report_to(e); } g()",
        "if let Err(e) = send(no).await { warn!(\"{e}\"); send_later(no)?; } Ok(())",
        "if let Err(e) = send(no).await { warn!(\"{e}\"); queue_it(no).await; } Ok(())",
        "match send(no).await { Ok(x) => Ok(x), Err(e) => { warn!(\"{e}\"); Ok(Outcome::Refused) } }",
        "match send(no).await { Ok(x) => Ok(x), Err(e) => { warn!(\"{e}\"); Ok(Receipt::of(e)) } }",
        "match send(no).await { Ok(x) => Ok(x), Err(e) => { warn!(\"{e}\"); send_otherwise(no).await } }",
        "let ok = match send(no).await { Ok(_) => true, Err(e) => { warn!(\"{e}\"); false } }; g(ok)",
        "match text.parse::<u32>() { Ok(n) => g(n), _ => {} } Ok(())",
        "match next(no).await { Some(x) => use_it(x), _ => {} } Ok(())",
        "match send(no).await { Ok(x) => Ok(x), Err(e) if e.is_repeated() => Ok(()), Err(e) => Err(e) }",
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
        "let idempotency_key = Uuid::new_v4().to_string(); charge(no, &idempotency_key).await",
        "let idempotency_key = Uuid::new_v4(); gateway.charge(no, idempotency_key.to_string()).await",
        "let idempotency_key = Uuid::new_v4(); charge().idempotency_key(idempotency_key).send().await",
    ] {
        assert_eq!(of_body(body), warned, "{body}");
    }
    for body in [
        "charge().idempotency_key(format!(\"pay-{no}\")).send().await",
        "let id = Uuid::new_v4(); insert(id, no).await",
        "let row = Uuid::new_v4(); let idempotency_key = derived(no); charge(no, &idempotency_key).await",
        "let row_id = Uuid::new_v4(); insert(no, &row_id).await",
        "charge().idempotency_key(Uuid::new_v5(&NS, no)).send().await",
    ] {
        assert_eq!(of_body(body), [], "{body}");
    }
}

#[test]
fn bodies_that_do_not_parse_are_left_to_the_compiler() {
    assert_eq!(of_body("let _ = = send(no).await; Ok(())"), []);
}

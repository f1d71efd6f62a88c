//! `validate = …`: which calls are the same request.
#![cfg(feature = "memory")]

use std::collections::HashMap;

use idempotency::store::MemoryStore;
use idempotency::{Error, ErrorKind, idempotent, with_store};
use serde::Serialize;

#[derive(Clone, Serialize)]
#[serde(rename_all = "camelCase")]
struct Meta {
    sent_at: u64,
    #[serde(rename = "from")]
    sender: String,
    nonces: HashMap<String, u64>,
}

#[derive(Clone, Serialize)]
struct Body {
    amount: u64,
    #[serde(flatten)]
    meta: Meta,
    note: Option<Note>,
    pair: (u8, u8),
}

#[derive(Clone, Serialize)]
struct Note {
    text: String,
    seen_at: u64,
}

impl Body {
    fn set_nonce(&mut self, name: &str, nonce: u64) {
        self.meta.nonces.insert(name.to_owned(), nonce);
    }
}

fn body() -> Body {
    let meta =
        Meta { sent_at: 1, sender: "ann".into(), nonces: HashMap::from([("n".into(), 1), ("m".into(), 2)]) };
    Body { amount: 100, meta, note: Some(Note { text: "hi".into(), seen_at: 5 }), pair: (1, 2) }
}

fn changed(change: impl FnOnce(&mut Body)) -> Body {
    let mut body = body();
    change(&mut body);
    body
}

/// Whether the second call is answered as the same request.
async fn is_replayed<F: Future<Output = Result<u64, Error>>>(call: impl Fn(Body) -> F, second: Body) -> bool {
    with_store(MemoryStore::new(), async {
        let first = call(body()).await.unwrap();
        match call(second).await {
            Ok(value) => {
                assert_eq!(value, first);
                true
            }
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::Mismatch, "{error}");
                false
            }
        }
    })
    .await
}

#[tokio::test]
async fn another_body_under_one_key_is_a_mismatch() {
    #[idempotent(key = "op + 'k' + body.pair.0", validate = "body", ttl = "7d")]
    async fn pay(body: Body) -> Result<u64, Error> {
        Ok(body.amount)
    }
    assert!(is_replayed(pay, body()).await);
    assert!(!is_replayed(pay, changed(|body| body.amount += 1)).await);
    assert!(!is_replayed(pay, changed(|body| body.meta.sent_at += 1)).await);
    assert!(!is_replayed(pay, changed(|body| body.note = None)).await);
}

#[tokio::test]
async fn excluded_fields_may_differ_even_renamed_and_flattened() {
    #[idempotent(
        key = "body.pair.0",
        validate = "body - body.meta.sent_at - body.meta.sender - body.note?.seen_at - body.pair.1",
        ttl = "7d"
    )]
    async fn pay(body: Body) -> Result<u64, Error> {
        Ok(body.amount)
    }
    assert!(is_replayed(pay, changed(|body| body.meta.sent_at += 1)).await);
    assert!(is_replayed(pay, changed(|body| body.meta.sender.push('a'))).await);
    assert!(is_replayed(pay, changed(|body| body.note.as_mut().unwrap().seen_at += 1)).await);
    assert!(is_replayed(pay, changed(|body| body.pair.1 += 1)).await);
    assert!(!is_replayed(pay, changed(|body| body.amount += 1)).await);
    assert!(!is_replayed(pay, changed(|body| body.note.as_mut().unwrap().text.push('a'))).await);
}

#[tokio::test]
async fn an_entry_of_a_map_can_be_excluded() {
    #[idempotent(key = body.pair.0, validate = body - body.meta.nonces["n"], ttl = "7d")]
    async fn pay(body: Body) -> Result<u64, Error> {
        Ok(body.amount)
    }
    assert!(is_replayed(pay, changed(|body| body.set_nonce("n", 9))).await);
    assert!(!is_replayed(pay, changed(|body| body.set_nonce("m", 9))).await);
}

#[tokio::test]
async fn only_selected_paths_are_compared() {
    #[idempotent(
        key = "body.pair.0",
        validate = "body.amount + body.note?.text + body.meta.nonces['n']",
        ignore(body),
        ttl = "7d"
    )]
    async fn pay(body: Body) -> Result<u64, Error> {
        Ok(1)
    }
    assert!(is_replayed(pay, changed(|body| body.meta.sent_at += 1)).await);
    assert!(!is_replayed(pay, changed(|body| body.amount += 1)).await);
    assert!(
        !is_replayed(pay, changed(|body| body.note = None)).await,
        "what is absent is compared as absent"
    );
    assert!(!is_replayed(pay, changed(|body| body.set_nonce("n", 9))).await);
}

#[tokio::test]
async fn validate_none_compares_nothing() {
    #[idempotent(key = "body.pair.0", validate = none, ignore(body), ttl = "7d")]
    async fn pay(body: Body) -> Result<u64, Error> {
        Ok(1)
    }
    assert!(is_replayed(pay, changed(|body| body.amount += 1)).await);
}

#[tokio::test]
async fn exclusions_reach_through_smart_pointers_and_references() {
    #[idempotent(key = "body.pair.0", validate = "body - body.meta.sent_at + extra", ttl = "7d")]
    async fn pay(body: Box<Body>, extra: &[u64]) -> Result<u64, Error> {
        Ok(body.amount + extra.iter().sum::<u64>())
    }
    let with = |extra: &'static [u64]| move |body: Body| pay(Box::new(body), extra);
    assert!(is_replayed(with(&[1, 2]), changed(|body| body.meta.sent_at += 1)).await);
    assert!(!is_replayed(with(&[1, 2]), changed(|body| body.amount += 1)).await);
}

#[tokio::test]
async fn ignored_arguments_may_be_anything() {
    struct Database;
    #[idempotent(key = "no", ignore(db), ttl = "7d")]
    async fn pay(no: u64, db: Database) -> Result<u64, Error> {
        let Database = db;
        Ok(no)
    }
    with_store(MemoryStore::new(), async {
        assert_eq!(pay(7, Database).await.unwrap(), 7);
        assert_eq!(pay(7, Database).await.unwrap(), 7);
    })
    .await;
}

//! Parameters that are patterns: every binding can be named in the key.
#![cfg(feature = "memory")]

use idempotency::store::MemoryStore;
use idempotency::{Error, idempotent, with_reports, with_store};

struct Path<T>(T);

struct Json<T>(T);

#[derive(Clone, serde::Serialize)]
struct Body {
    no: u32,
    inner: (String, [u8; 3]),
}

async fn key_of<T>(call: impl Future<Output = Result<T, Error>>) -> String {
    let (result, reports) = with_reports(with_store(MemoryStore::new(), call)).await;
    result.unwrap();
    reports[0].key.as_ref().unwrap().to_string()
}

#[tokio::test]
async fn bindings_of_patterns_are_parts() {
    #[idempotent(key = "id + no + first", validate = "body", ttl = "1d")]
    async fn create(
        Path(id): Path<String>,
        Json(body @ Body { no, inner: (_, [first, ..]) }): Json<&Body>,
        (_, _): (u8, u8),
        _: u8,
    ) -> Result<(), Error> {
        let _ = (id, body, no, first);
        Ok(())
    }
    let body = Body { no: 7, inner: ("x".into(), [1, 2, 3]) };
    assert_eq!(key_of(create(Path("a".into()), Json(&body), (1, 2), 3)).await, "create:a#7#1");
}

#[tokio::test]
async fn mutable_and_reference_bindings_are_parts() {
    #[idempotent(key = a + b + c + r#type, ttl = "1d")]
    async fn create(mut a: u32, (ref b, _): (String, u8), &c: &u8, r#type: &str) -> Result<u32, Error> {
        a += 1;
        Ok(a + u32::from(c) + u32::try_from(b.len() + r#type.len()).unwrap())
    }
    assert_eq!(key_of(create(1, ("b".into(), 2), &3, "t")).await, "create:1#b#3#t");
}

#[tokio::test]
async fn arguments_are_moved_into_the_body_or_dropped_after_it() {
    struct Guard<'a>(&'a std::cell::Cell<u32>);
    impl Drop for Guard<'_> {
        fn drop(&mut self) {
            self.0.set(self.0.get() + 1);
        }
    }
    #[idempotent(key = "no", ignore(_unused, used), ttl = "1d")]
    async fn create(no: u32, _unused: Guard<'_>, used: Guard<'_>) -> Result<u32, Error> {
        Ok(no + used.0.get())
    }
    let dropped = std::cell::Cell::new(0);
    let value = with_store(MemoryStore::new(), create(7, Guard(&dropped), Guard(&dropped))).await.unwrap();
    assert_eq!((value, dropped.get()), (7, 2));
}

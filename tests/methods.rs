//! Methods with every receiver, associated functions, functions inside functions.
#![cfg(feature = "memory")]

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use idempotency::store::MemoryStore;
use idempotency::{Error, idempotent, with_store};

struct Orders {
    store: MemoryStore,
    tenant: String,
    runs: AtomicU32,
}

impl Orders {
    fn new() -> Self {
        Self { store: MemoryStore::new(), tenant: "t".into(), runs: AtomicU32::new(0) }
    }

    fn count(&self) -> u32 {
        self.runs.fetch_add(1, Ordering::SeqCst) + 1
    }

    #[idempotent(key = "self.tenant + op + no", ttl = "1d", store = self.store)]
    async fn by_reference(&self, no: u32) -> Result<u32, Error> {
        Ok(no * 100 + self.count())
    }

    #[idempotent(key = self.tenant + no, ttl = "1d", store = self.store)]
    async fn by_mutable_reference(&mut self, no: u32) -> Result<u32, Error> {
        self.tenant.push('!');
        self.tenant.pop();
        Ok(no * 100 + self.count())
    }

    #[idempotent(key = "self.tenant + no", ttl = "1d", store = self.store)]
    async fn by_value(self, no: u32) -> Result<String, Error> {
        Ok(format!("{}{no}", self.tenant))
    }

    #[idempotent(key = "self.tenant + no", ttl = "1d", store = self.store)]
    async fn by_arc(self: Arc<Self>, no: u32) -> Result<u32, Error> {
        Ok(no * 100 + self.count())
    }

    #[idempotent(key = "no", ttl = "1d")]
    pub(crate) async fn associated(no: u32) -> Result<u32, Error> {
        Ok(no)
    }

    #[idempotent(key = "other.tenant + no", ignore(other), ttl = "1d", store = other.store)]
    async fn on_another(other: &Self, no: u32) -> Result<u32, Error> {
        Ok(no * 100 + other.count())
    }
}

#[tokio::test]
async fn every_receiver_works() {
    let mut orders = Orders::new();
    assert_eq!(orders.by_reference(7).await.unwrap(), 701);
    assert_eq!(orders.by_reference(7).await.unwrap(), 701);
    assert_eq!(orders.by_mutable_reference(7).await.unwrap(), 702);
    assert_eq!(orders.by_mutable_reference(7).await.unwrap(), 702);
    assert_eq!(Orders::on_another(&orders, 7).await.unwrap(), 703);
    assert_eq!(Orders::on_another(&orders, 7).await.unwrap(), 703);
    let orders = Arc::new(orders);
    assert_eq!(Arc::clone(&orders).by_arc(7).await.unwrap(), 704);
    assert_eq!(Arc::clone(&orders).by_arc(7).await.unwrap(), 704);
    assert_eq!(Arc::into_inner(orders).unwrap().by_value(7).await.unwrap(), "t7");
}

#[tokio::test]
async fn associated_functions_work() {
    assert_eq!(with_store(MemoryStore::new(), Orders::associated(7)).await.unwrap(), 7);
}

#[tokio::test]
async fn functions_inside_functions_work() {
    /// Doc comments and other attributes stay.
    #[idempotent(key = "no", ttl = "1d")]
    #[inline]
    async fn inner(no: u32) -> Result<u32, Error> {
        #[idempotent(key = "no", ttl = "1d")]
        async fn innermost(no: u32) -> Result<u32, Error> {
            Ok(no + 1)
        }
        innermost(no).await
    }
    assert_eq!(with_store(MemoryStore::new(), inner(7)).await.unwrap(), 8);
}

#[tokio::test]
async fn the_body_may_return_early_and_use_the_question_mark() {
    #[derive(Debug, PartialEq)]
    enum Refused {
        Odd,
        Text,
        Idempotency,
    }
    impl From<Error> for Refused {
        fn from(_: Error) -> Self {
            Self::Idempotency
        }
    }
    impl From<std::num::ParseIntError> for Refused {
        fn from(_: std::num::ParseIntError) -> Self {
            Self::Text
        }
    }
    #[idempotent(key = "text", ttl = "1d")]
    async fn parse(text: &str) -> Result<u32, Refused> {
        let number: u32 = text.parse()?;
        if number == 0 {
            return Ok(number);
        }
        if number % 2 == 1 {
            return Err(Refused::Odd);
        }
        Ok(number)
    }
    with_store(MemoryStore::new(), async {
        assert_eq!(parse("0").await, Ok(0));
        assert_eq!(parse("2").await, Ok(2));
        assert_eq!(parse("3").await, Err(Refused::Odd));
        assert_eq!(parse("x").await, Err(Refused::Text));
        assert_eq!(parse("").await, Err(Refused::Idempotency));
    })
    .await;
}

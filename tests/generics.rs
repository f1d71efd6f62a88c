//! Type parameters, `where` clauses, `impl Trait`, lifetimes, const parameters, aliases of `Result`.
#![cfg(feature = "memory")]

use std::fmt::{Debug, Display};

use idempotency::store::MemoryStore;
use idempotency::{Error, KeyPart, idempotent, with_store};
use serde::Serialize;
use serde::de::DeserializeOwned;

type Outcome<T> = Result<T, Error>;

#[idempotent(key = "id + op", allow(too-coarse, reason = "a test of types"), validate = "body", ignore(values), ttl = "1d", op = "generic")]
async fn generic<Id, B, T, const N: usize>(id: Id, body: B, values: [T; N]) -> Result<Vec<T>, Error>
where
    Id: KeyPart + Debug,
    B: Serialize,
    T: Serialize + DeserializeOwned,
{
    Ok(values.into_iter().collect())
}

#[idempotent(key = "id", allow(too-coarse, reason = "a test of types"), ignore(name), ttl = "1d", op = "impl_trait")]
async fn impl_trait(id: impl KeyPart + Display, name: impl Into<String>) -> Outcome<String> {
    Ok(format!("{id}{}", name.into()))
}

#[idempotent(key = "text + list.0", ignore(list), ttl = "1d")]
async fn lifetimes<'a, 'b: 'a>(text: &'a str, list: &'b (u8, Vec<String>)) -> Outcome<usize> {
    Ok(text.len() + list.1.len())
}

#[idempotent(key = "no", ttl = "1d", op = "returns_impl")]
async fn returns_impl(no: u32) -> Result<impl Serialize + DeserializeOwned + Debug + Eq + 'static, Error> {
    Ok(vec![no])
}

trait Source {
    type Id: KeyPart;
    type Value: Serialize + DeserializeOwned;
}

struct Orders;

impl Source for Orders {
    type Id = u64;
    type Value = String;
}

#[idempotent(key = "id", allow(too-coarse, reason = "a test of types"), ignore(value), ttl = "1d", op = "projection")]
async fn projection<S: Source>(id: S::Id, value: S::Value) -> Outcome<S::Value> {
    Ok(value)
}

#[tokio::test]
async fn generic_functions_work() {
    with_store(MemoryStore::new(), async {
        assert_eq!(generic("a", 1.5, [1, 2]).await.unwrap(), [1, 2]);
        assert_eq!(generic(String::from("a"), 1.5, [3, 4]).await.unwrap(), [1, 2], "replayed");
        assert_eq!(impl_trait(7, "x").await.unwrap(), "7x");
        assert_eq!(lifetimes("abc", &(1, vec![String::new()])).await.unwrap(), 4);
        assert_eq!(format!("{:?}", returns_impl(7).await.unwrap()), "[7]");
        assert_eq!(projection::<Orders>(7, "v".into()).await.unwrap(), "v");
    })
    .await;
}

#[tokio::test]
async fn boxed_and_anyhow_errors_carry_the_error() {
    #[idempotent(key = "no", ttl = "1d")]
    async fn boxed(no: &str) -> Result<u32, Box<dyn std::error::Error + Send + Sync>> {
        Ok(no.parse()?)
    }
    #[idempotent(key = "no", ttl = "1d")]
    async fn any(no: &str) -> anyhow::Result<u32> {
        Ok(no.parse()?)
    }
    with_store(MemoryStore::new(), async {
        assert_eq!(boxed("7").await.unwrap(), 7);
        assert!(boxed("x").await.unwrap_err().is::<std::num::ParseIntError>());
        assert!(boxed("").await.unwrap_err().is::<Error>());
        assert_eq!(any("7").await.unwrap(), 7);
        assert!(any("").await.unwrap_err().is::<Error>());
    })
    .await;
}

#[tokio::test]
async fn futures_are_send_exactly_when_the_body_is() {
    fn assert_send<T: Send>(value: T) -> T {
        value
    }
    #[idempotent(key = "no", ttl = "1d")]
    async fn sends(no: u32) -> Outcome<u32> {
        tokio::task::yield_now().await;
        Ok(no)
    }
    #[idempotent(key = "no", ttl = "1d")]
    async fn stays(no: std::rc::Rc<u32>) -> Outcome<u32> {
        tokio::task::yield_now().await;
        Ok(*no)
    }
    with_store(MemoryStore::new(), async {
        assert_eq!(assert_send(sends(7)).await.unwrap(), 7);
        assert_eq!(stays(std::rc::Rc::new(7)).await.unwrap(), 7);
    })
    .await;
}

mod one_method_of_several_types {
    use idempotency::{Error, ErrorKind, idempotent, store::MemoryStore, with_store};

    trait Charge {
        const NAME: &'static str;

        #[idempotent(key = "order_no", ttl = "7d")]
        async fn charge(&self, order_no: u64) -> Result<String, Error> {
            Ok(format!("{} {order_no}", Self::NAME))
        }

        #[idempotent(key = "order_no + currency", ignore(self), ttl = "7d", op = "charge.in")]
        async fn charge_in(&self, order_no: u64, currency: &str) -> Result<String, Error> {
            Ok(format!("{} {order_no} {currency}", Self::NAME))
        }
    }

    struct Card;
    struct Bank<T>(T);

    impl Charge for Card {
        const NAME: &'static str = "card";
    }

    impl<T> Charge for Bank<T> {
        const NAME: &'static str = "bank";
    }

    #[tokio::test]
    async fn are_different_operations() {
        with_store(MemoryStore::new(), async {
            assert_eq!(Card.charge(1).await.unwrap(), "card 1");
            assert_eq!(Card.charge(1).await.unwrap(), "card 1");
            for result in [Bank(1_u8).charge(1).await, Bank("eur").charge(1).await] {
                let error = result.unwrap_err();
                assert_eq!(error.kind(), ErrorKind::DuplicateOperation);
                assert!(error.to_string().contains("Card"), "{error}");
            }
        })
        .await;
    }

    #[tokio::test]
    async fn share_an_operation_that_is_named() {
        with_store(MemoryStore::new(), async {
            assert_eq!(Card.charge_in(1, "eur").await.unwrap(), "card 1 eur");
            assert_eq!(Bank(1).charge_in(1, "eur").await.unwrap(), "card 1 eur");
        })
        .await;
    }
}

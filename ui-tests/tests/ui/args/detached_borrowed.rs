#![allow(unused)]

use idempotency::{Error, idempotent};

use std::borrow::Cow;

struct Orders;

impl Orders {
    #[idempotent(key = "order_no", ttl = "7d", detached)]
    async fn create(&self, order_no: &str) -> Result<(), Error> {
        Ok(())
    }

    #[idempotent(key = "order_no", ignore(lines), ttl = "7d", detached)]
    async fn add(self: &std::sync::Arc<Self>, order_no: String, lines: &[u64]) -> Result<(), Error> {
        Ok(())
    }
}

#[idempotent(key = "order_no", ignore(orders, notify), ttl = "7d", detached)]
async fn create(order_no: Cow<'_, str>, orders: &Orders, notify: impl Fn(&str) + '_) -> Result<(), Error> {
    Ok(())
}

fn main() {}

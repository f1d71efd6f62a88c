#![allow(unused)]

use idempotency::{Error, idempotent};

type Ts = std::time::SystemTime;

struct Order {
    requested: Ts,
}

#[idempotent(key = "order.requested + tenant", ttl = "7d")]
async fn create(order: Order, tenant: u64) -> Result<(), Error> {
    Ok(())
}

fn main() {}

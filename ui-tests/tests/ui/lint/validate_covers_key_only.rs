#![deny(deprecated)]
#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "tenant_id + order_no", validate = "order_no", ttl = "7d")]
async fn create(tenant_id: u64, order_no: String) -> Result<(), Error> {
    Ok(())
}

fn main() {}

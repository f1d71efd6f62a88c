#![allow(unused)]

use idempotency::{Error, idempotent};

struct TenantId(String);

#[idempotent(key = tenant_id + op, ttl = "7d")]
async fn create(tenant_id: TenantId) -> Result<(), Error> {
    Ok(())
}

fn main() {}

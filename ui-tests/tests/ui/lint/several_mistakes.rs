#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = "tenent_id + request_id + created_at + Uuid::new_v4()", validate = "body", ttl = "1h", source = sqs, allow(secret, reason = ""))]
async fn create(tenant_id: u64, request_id: String, created_at: i64, body: String) -> Result<(), Error> {
    Ok(())
}

fn main() {}

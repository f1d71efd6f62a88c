#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(key = r#"order_no + headers["x"#, ignore(headers), ttl = "7d")]
async fn create(order_no: String, headers: std::collections::BTreeMap<String, String>) -> Result<(), Error> {
    Ok(())
}

fn main() {}

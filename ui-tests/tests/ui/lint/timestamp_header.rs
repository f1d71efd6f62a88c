#![allow(unused)]

use std::collections::BTreeMap;

use idempotency::{Error, idempotent};

#[idempotent(key = "headers['Date'] + order_no", ignore(headers), ttl = "7d")]
async fn create(headers: BTreeMap<String, String>, order_no: String) -> Result<(), Error> {
    Ok(())
}

fn main() {}

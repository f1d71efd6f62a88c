#![deny(deprecated)]
#![allow(unused)]

use idempotency::{Error, idempotent};

#[derive(serde::Serialize)]
struct Record {
    sequence_number: String,
}

#[idempotent(key = "record.sequence_number", validate = "record", ttl = "7d")]
async fn create(record: Record) -> Result<(), Error> {
    Ok(())
}

fn main() {}

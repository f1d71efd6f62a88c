#![deny(deprecated)]
#![allow(unused)]

use idempotency::{Error, idempotent};

async fn send(_: &str) -> Result<(), Error> {
    Ok(())
}

#[idempotent(key = "order_no", ttl = "7d")]
async fn create(order_no: String) -> Result<(), Error> {
    match send(&order_no).await {
        Ok(()) => Ok(()),
        Err(error) => {
            eprintln!("{error}");
            Ok(())
        }
    }
}

fn main() {}

#![deny(warnings)]
#![allow(unused)]

use idempotency::{Error, idempotent};

async fn send(_: &str) -> Result<(), Error> {
    Ok(())
}

#[idempotent(key = "order_no", ttl = "7d")]
async fn create(order_no: String) -> Result<(), Error> {
    if let Err(error) = send(&order_no).await {
        eprintln!("{error}");
        return Err(error);
    }
    send(&order_no).await
}

fn main() {}

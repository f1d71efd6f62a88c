#![deny(deprecated)]
#![allow(unused)]

use idempotency::{Error, idempotent};

async fn send(_: &str) -> Result<(), Error> {
    Ok(())
}

#[idempotent(key = "order_no", ttl = "7d")]
async fn create(order_no: String) -> Result<(), Error> {
    let _ = send(&order_no).await;
    send(&order_no).await.ok();
    if let Err(error) = send(&order_no).await {
        eprintln!("{error}");
    }
    match send(&order_no).await {
        Ok(()) => {}
        Err(_) => {}
    }
    Ok(())
}

fn main() {}

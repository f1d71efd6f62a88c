#![deny(deprecated)]
#![allow(unused)]

use idempotency::{Error, idempotent};

async fn send(_: &str) -> Result<u8, Error> {
    Ok(1)
}

#[idempotent(key = "order_no", ttl = "7d")]
async fn create(order_no: String) -> Result<(), Error> {
    let _ = send(&order_no).await.map_err(|error| eprintln!("{error}"));
    let sent = send(&order_no).await;
    if sent.is_err() {
        eprintln!("not sent");
    }
    let Ok(count) = send(&order_no).await else {
        eprintln!("not sent");
        return Ok(());
    };
    Ok(())
}

fn main() {}

#![deny(warnings)]
#![allow(unused)]

use idempotency::{Error, idempotent};

async fn send(_: &str) -> Result<u8, Error> {
    Ok(1)
}

#[idempotent(key = "order_no", ttl = "7d")]
async fn create(order_no: String) -> Result<u8, Error> {
    send(&order_no).await.map_err(|error| {
        eprintln!("{error}");
        error
    })?;
    let sent = send(&order_no).await;
    if let Err(error) = &sent {
        eprintln!("{error}");
    }
    let sent = sent?;
    loop {
        match send(&order_no).await {
            Ok(count) => return Ok(count),
            Err(error) => eprintln!("{error}"),
        }
    }
}

fn main() {}

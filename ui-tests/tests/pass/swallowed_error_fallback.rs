#![deny(warnings)]
#![allow(unused)]

use idempotency::{Error, idempotent};

async fn send(_: &str) -> Result<u8, Error> {
    Ok(1)
}

async fn find_note(_: &str) -> Result<String, Error> {
    Ok(String::new())
}

#[idempotent(key = "order_no", ttl = "7d")]
async fn create(order_no: String) -> Result<(), Error> {
    let note = find_note(&order_no).await.unwrap_or_default();
    let sent = send(&order_no).await.unwrap_or(0);
    let _sent = send(&order_no).await?;
    if send(&order_no).await.is_err() {
        eprintln!("not sent");
        send(&order_no).await?;
    }
    drop(note);
    Ok(())
}

fn main() {}

#![allow(unused)]

use idempotency::{Error, idempotent};

struct SmtpMailer;

#[idempotent(key = "order_no", ttl = "7d")]
async fn create(order_no: String, mailer: SmtpMailer) -> Result<(), Error> {
    Ok(())
}

fn main() {}

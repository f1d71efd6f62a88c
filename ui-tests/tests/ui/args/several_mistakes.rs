#![allow(unused)]

use idempotency::{Error, idempotent};

#[idempotent(kye = "order_no", key = "ordr_no + tenant", validate = "bdy - body.sent", ttl = "7 days", lease = "-1s",
    op = "a/b", mode = watch, ignore(dv))]
async fn create(order_no: String, body: String, db: u8) -> Result<(), Error> {
    Ok(())
}

fn main() {}

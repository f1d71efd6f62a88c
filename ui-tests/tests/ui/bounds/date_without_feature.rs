use chrono::NaiveDate;
use idempotency::{Error, idempotent};

#[idempotent(key = "date(day) + order_no", ttl = "7d")]
pub async fn create(order_no: u64, day: NaiveDate) -> Result<(), Error> {
    Ok(())
}

fn main() {}

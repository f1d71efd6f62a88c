use idempotency::Classify;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, Classify)]
#[terminal]
pub enum ChargeError {
    Declined,
    #[serde(skip)]
    Lost(std::io::ErrorKind),
}

fn main() {}

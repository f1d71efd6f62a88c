use idempotency::Classify;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, Classify)]
pub enum ChargeError {
    #[terminal]
    Declined,
    #[terminal]
    #[serde(skip)]
    Blocked,
    #[terminal]
    #[serde(rename = "gone", skip_serializing)]
    Closed,
}

fn main() {}

#![deny(warnings)]
#![allow(dead_code)]

use idempotency::Classify;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, Classify)]
#[terminal]
pub enum ByDefault {
    Declined,
    #[serde(skip)]
    #[retryable]
    Down(std::io::ErrorKind),
    #[serde(skip)]
    #[unknown] // a class of its own is taken
    Idempotency(idempotency::Error),
}

#[derive(Serialize, Deserialize, Classify)]
pub enum Both {
    #[terminal]
    #[serde(rename = "no", alias = "refused")]
    Declined,
    #[serde(skip_serializing, skip_deserializing)]
    #[inner]
    Idempotency(idempotency::Error),
}

#[derive(Serialize, Deserialize, Classify)]
pub enum Written {
    #[terminal]
    Declined,
    #[inner]
    Idempotency(#[serde(with = "as_nothing")] idempotency::Error),
}

// Nothing is recorded, and nothing is skipped.
#[derive(Classify)]
pub enum NotRecorded {
    #[retryable]
    Down,
    #[inner]
    Idempotency(idempotency::Error),
}

#[derive(Classify)]
#[retryable]
pub enum OfAnother {
    Io(std::io::Error),
    Several(idempotency::Error, u64),
}

mod as_nothing {
    use serde::{Deserializer, Serializer, de::Error as _};

    pub fn serialize<S: Serializer>(_: &idempotency::Error, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_unit()
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(_: D) -> Result<idempotency::Error, D::Error> {
        Err(D::Error::custom("never recorded"))
    }
}

fn main() {}

//! One type for every form that serde's derive gives a value.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

#[derive(Serialize)]
pub(super) struct Outer {
    pub(super) b: u8,
    pub(super) a: BTreeMap<&'static str, Vec<u16>>,
}

#[derive(Serialize)]
pub(super) struct Leaf {
    pub(super) a: u8,
}

#[derive(Serialize)]
pub(super) struct Unit;

#[derive(Serialize)]
pub(super) struct Empty {}

#[derive(Serialize)]
pub(super) struct Flat {
    pub(super) z: u8,
    #[serde(flatten)]
    pub(super) leaf: Leaf,
    #[serde(flatten)]
    pub(super) rest: BTreeMap<&'static str, u8>,
}

#[derive(Serialize)]
pub(super) enum External {
    Unit,
    Newtype(u8),
    Tuple(u8, u8),
    Struct {
        a: u8,
        b: Option<u8>,
    },
    #[serde(rename = "other")]
    Renamed,
}

#[derive(Serialize)]
#[serde(tag = "type")]
pub(super) enum Internal {
    Unit,
    Newtype(Leaf),
    Struct { a: u8 },
}

#[derive(Serialize)]
#[serde(tag = "t", content = "c")]
pub(super) enum Adjacent {
    Unit,
    Newtype(u8),
    Tuple(u8, u8),
    Struct { a: u8 },
}

#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Untagged {
    Newtype(u8),
    Struct { a: u8 },
}

#[derive(Serialize, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Key {
    #[serde(rename = "1st")]
    First,
    Second,
}

#[derive(Serialize, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Id(pub(super) u8);

pub(super) struct Raw(pub(super) &'static [u8]);

impl Serialize for Raw {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.serialize_bytes(self.0)
    }
}

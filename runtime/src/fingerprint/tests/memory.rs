//! Large values are digested as they are serialized: no second copy is kept.

use std::collections::BTreeMap;

use serde::ser::{SerializeSeq as _, SerializeStruct as _};
use serde::{Serialize, Serializer};

use super::*;

/// The most memory that the scratch buffers took.
fn peak<T: Serialize + ?Sized>(value: &T, exclusions: &[Exclusion]) -> usize {
    let mut builder = FingerprintBuilder::new();
    assert_eq!(builder.include(value, exclusions), Ok(()));
    builder.encoder.scratch.capacity()
}

#[track_caller]
fn assert_bounded(peak: usize) {
    assert!(peak < 64 * 1024, "{peak} bytes");
}

/// A sequence that exists only while it is serialized.
struct Repeat<T>(usize, T);

impl<T: Serialize> Serialize for Repeat<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut sequence = serializer.serialize_seq(Some(self.0))?;
        for _ in 0..self.0 {
            sequence.serialize_element(&self.1)?;
        }
        sequence.end()
    }
}

/// A value between two small fields, at the innermost of several levels.
struct Nested<T>(u8, T);

struct Level<'a, T>(u8, &'a T);

impl<T: Serialize> Serialize for Nested<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        Level(self.0, &self.1).serialize(serializer)
    }
}

impl<T: Serialize> Serialize for Level<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Level", 3)?;
        fields.serialize_field("z", &self.0)?;
        match self.0.checked_sub(1) {
            None => fields.serialize_field("value", self.1)?,
            Some(rest) => fields.serialize_field("value", &Level(rest, self.1))?,
        }
        fields.serialize_field("a", &self.0)?;
        fields.end()
    }
}

#[derive(Serialize)]
struct Line {
    sku: &'static str,
    quantity: u32,
    discounts: [u16; 3],
    note: Option<&'static str>,
}

const LINE: Line =
    Line { sku: "SKU-1", quantity: 2, discounts: [1, 2, 3], note: Some("with a note of some length") };

#[test]
fn a_long_string() {
    let text = "x".repeat(10_000_000);
    assert_bounded(peak(&text, &[]));
    assert_bounded(peak(&Nested(3, &text), &[]));
    assert_bounded(peak(&BTreeMap::from([("a", [&text]), ("b", [&text])]), &[]));
}

#[test]
fn a_long_sequence_of_structs() {
    let lines = Repeat(100_000, LINE);
    assert_bounded(peak(&lines, &[]));
    assert_bounded(peak(&Nested(3, &lines), &[]));
}

#[test]
fn sequences_within_structs_within_sequences() {
    let lines = Repeat(100, Nested(2, Repeat(100, Nested(1, Repeat(10, LINE)))));
    assert_bounded(peak(&lines, &[]));
}

#[test]
fn a_long_sequence_of_nothing_much() {
    assert_bounded(peak(&Repeat(1_000_000, ()), &[]));
    assert_bounded(peak(&Nested(1, Repeat(1_000_000, None::<u8>)), &[]));
    assert_bounded(peak(&Nested(1, Repeat(300_000, Empty {})), &[]));
    assert_bounded(peak(&Nested(1, Repeat(300_000, [(); 0])), &[]));
}

#[derive(Serialize)]
struct Empty {}

#[test]
fn an_exclusion_does_not_change_that() {
    #[derive(Serialize)]
    struct Body {
        sent_at: u64,
        lines: Repeat<Line>,
    }
    let body = Body { sent_at: 1, lines: Repeat(100_000, LINE) };
    assert_bounded(peak(&body, &[Exclusion::new(&body.sent_at, &["sent_at"])]));
}

/// What is kept is the entries of the open maps, which must be seen before they can be sorted.
#[test]
fn many_entries_take_memory_in_proportion_and_long_values_among_them_do_not() {
    let few: BTreeMap<u32, String> = (0..10).map(|n| (n, "x".repeat(1_000_000))).collect();
    assert_bounded(peak(&few, &[]));
    let many: BTreeMap<u32, u32> = (0..100_000).map(|n| (n, n)).collect();
    let peak = peak(&many, &[]);
    assert!(peak < 100_000 * 128, "{peak} bytes");
}

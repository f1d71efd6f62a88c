//! Results of every kind that serde knows.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;

use idempotency_runtime::{Codec, ErrorKind, JsonCodec, MessagePackCodec, Outcome};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::Tested;
use crate::call::*;

/// A number for every value of a case.
struct Calls<'a> {
    store: &'a Tested,
    number: u32,
}

impl<'a> Calls<'a> {
    fn new(store: &'a Tested) -> Self {
        Self { store, number: 0 }
    }

    /// Two calls; the body runs once, and `other` is what it would return the second time.
    async fn twice<C: Codec<T>, T>(&mut self, value: T, other: T) -> [Result<T, Failure>; 2] {
        self.number += 1;
        let order = format!("{}", self.number);
        let call = async |value| {
            pay(self.store, &order).run_as(Outcome::with_codec::<C>(), async { Ok(value) }).await
        };
        [call(value).await, call(other).await]
    }

    async fn keeps<C: Codec<T>, T: Clone + Debug + PartialEq>(&mut self, value: T, other: T) {
        assert_ne!(value, other);
        for told in self.twice::<C, T>(value.clone(), other).await {
            assert_eq!(value_of(told), value);
        }
    }

    /// The first caller gets its own value; the second is told that it was not kept, and its body does not run.
    async fn does_not_keep<C: Codec<T>, T: Clone + Debug + PartialEq>(&mut self, value: T) {
        let [first, second] = self.twice::<C, T>(value.clone(), value.clone()).await;
        assert_eq!(value_of(first), value);
        assert_refused(second, ErrorKind::ValueNotKept);
    }

    async fn json<T: Clone + Debug + PartialEq + Serialize + DeserializeOwned>(
        &mut self,
        value: T,
        other: T,
    ) {
        self.keeps::<JsonCodec, T>(value, other).await;
    }

    async fn both<T: Clone + Debug + PartialEq + Serialize + DeserializeOwned>(
        &mut self,
        value: T,
        other: T,
    ) {
        self.keeps::<JsonCodec, T>(value.clone(), other.clone()).await;
        self.keeps::<MessagePackCodec, T>(value, other).await;
    }
}

pub async fn a_result_without_a_value_comes_back(store: &Tested) {
    let mut calls = Calls::new(store);
    for told in calls.twice::<JsonCodec, ()>((), ()).await {
        value_of(told);
    }
    for told in calls.twice::<MessagePackCodec, ()>((), ()).await {
        value_of(told);
    }
}

pub async fn the_smallest_values_come_back(store: &Tested) {
    let mut calls = Calls::new(store);
    calls.both(0_u8, 1).await;
    calls.both(false, true).await;
    calls.both(String::new(), "x".into()).await;
    calls.both('\0', 'x').await;
    calls.both(None, Some(0_u8)).await;
    calls.both(Some(0_u8), None).await;
    calls.both(Vec::new(), vec![0_u8]).await;
    calls.both(BTreeMap::new(), BTreeMap::from([(String::new(), 0_u8)])).await;
    calls.both(Some(String::new()), None).await;
}

pub async fn the_largest_numbers_come_back(store: &Tested) {
    let mut calls = Calls::new(store);
    calls.both(u64::MAX, 0).await;
    calls.both(i64::MIN, 0).await;
    calls.both((1_u64 << 53) + 1, 1 << 53).await;
    calls.json(i128::MIN, 0).await;
    calls.json(i128::MAX, 0).await;
    calls.json(u128::MAX, 0).await;
}

pub async fn floats_come_back_bit_by_bit(store: &Tested) {
    let mut calls = Calls::new(store);
    let floats =
        [0.1 + 0.2, f64::MIN_POSITIVE, f64::MAX, f64::EPSILON, 5e-324, 1.0, -1.5e300, 123_456_789.123_456_79];
    for float in floats {
        calls.both(float, 0.5).await;
    }
    calls.both(f32::MIN_POSITIVE, 0.5).await;
    // Equal to zero, and not the same.
    for told in calls.twice::<JsonCodec, f64>(-0.0, 1.0).await {
        assert!(value_of(told).is_sign_negative());
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Shape {
    Unit,
    New(Box<Shape>),
    Tuple(u8, Option<Box<Shape>>),
    Struct { inner: Vec<Shape>, name: String },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Wrapper(Option<Unit>);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Unit;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", content = "of")]
enum Tagged {
    A(u64),
    B { text: String },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Untagged {
    Number(u64),
    Text(String),
}

pub async fn nested_types_come_back(store: &Tested) {
    let mut calls = Calls::new(store);
    let leaf = || Shape::Tuple(1, Some(Box::new(Shape::Unit)));
    let shape = Shape::Struct { inner: vec![Shape::New(Box::new(leaf())), Shape::Unit], name: "ü".into() };
    calls.both(shape, Shape::Unit).await;
    calls.both(leaf(), Shape::Tuple(1, None)).await;
    calls.both(vec![Tagged::A(1), Tagged::B { text: String::new() }], Vec::new()).await;
    calls.both(vec![Untagged::Number(1), Untagged::Text("1".into())], Vec::new()).await;
    calls.both((1_u8, "two".to_owned(), [3_i16; 3]), (0, String::new(), [0; 3])).await;
    calls.both(Ok::<u8, String>(1), Err("no".into())).await;
    calls.both(BTreeSet::from([3, 1, 2]), BTreeSet::new()).await;
}

pub async fn what_json_cannot_carry_is_not_kept_and_not_run_again(store: &Tested) {
    let mut calls = Calls::new(store);
    calls.does_not_keep::<JsonCodec, _>(Some(None::<u8>)).await;
    calls.does_not_keep::<JsonCodec, _>(Some(())).await;
    calls.does_not_keep::<JsonCodec, _>(BTreeMap::from([((1_u8, 2_u8), 3_u8)])).await;
    calls.does_not_keep::<JsonCodec, _>(f64::INFINITY).await;
    calls.does_not_keep::<JsonCodec, _>(Wrapper(Some(Unit))).await;
}

pub async fn keys_that_are_not_text_come_back_where_the_codec_carries_them(store: &Tested) {
    let mut calls = Calls::new(store);
    calls.both(BTreeMap::from([(7_u64, 1_u8), (u64::MAX, 2)]), BTreeMap::new()).await;
    calls.both(BTreeMap::from([('x', 1_u8)]), BTreeMap::new()).await;
    let pairs = BTreeMap::from([((1_u8, String::from("a")), 3_u8)]);
    calls.keeps::<MessagePackCodec, _>(pairs, BTreeMap::new()).await;
    calls.keeps::<MessagePackCodec, _>(f64::INFINITY, 0.0).await;
}

/// Bytes as serde knows them.
#[derive(Clone, Debug, PartialEq)]
struct Bytes(Vec<u8>);

impl Serialize for Bytes {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl serde::de::Visitor<'_> for Visitor {
            type Value = Bytes;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("bytes")
            }

            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Bytes, E> {
                Ok(Bytes(bytes.into()))
            }
        }
        deserializer.deserialize_bytes(Visitor)
    }
}

pub async fn bytes_come_back_where_the_codec_carries_them(store: &Tested) {
    let mut calls = Calls::new(store);
    let bytes = Bytes((0..=255).collect());
    calls.keeps::<MessagePackCodec, _>(bytes.clone(), Bytes(Vec::new())).await;
    calls.keeps::<MessagePackCodec, _>(Bytes(Vec::new()), bytes.clone()).await;
    calls.does_not_keep::<JsonCodec, _>(bytes).await;
}

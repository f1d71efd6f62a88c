//! Random values: what must not change a fingerprint does not, and what must does.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde::{Serialize, Serializer};

use super::*;

/// A value whose maps keep the order they are written in.
#[derive(Debug, Clone, PartialEq)]
enum Tree {
    Null,
    Some(Box<Tree>),
    Bool(bool),
    Integer(i128),
    Float(f64),
    Text(String),
    Sequence(Vec<Tree>),
    Map(Vec<(String, Tree)>),
}

impl Serialize for Tree {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_none(),
            Self::Some(inner) => serializer.serialize_some(inner),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Integer(value) => serializer.serialize_i128(*value),
            Self::Float(value) => serializer.serialize_f64(*value),
            Self::Text(value) => serializer.serialize_str(value),
            Self::Sequence(elements) => serializer.collect_seq(elements),
            Self::Map(entries) => serializer.collect_map(entries.iter().map(|(name, value)| (name, value))),
        }
    }
}

impl Tree {
    fn leaves(&self) -> usize {
        match self {
            Self::Sequence(elements) => elements.iter().map(Self::leaves).sum(),
            Self::Map(entries) => entries.iter().map(|(_, value)| value.leaves()).sum(),
            Self::Some(inner) => inner.leaves(),
            _ => 1,
        }
    }

    /// The leaf of this number, counted from the front.
    fn leaf(&mut self, mut number: usize) -> &mut Self {
        let parts: Vec<&mut Self> = match self {
            Self::Sequence(elements) => elements.iter_mut().collect(),
            Self::Map(entries) => entries.iter_mut().map(|(_, value)| value).collect(),
            Self::Some(inner) => vec![inner.as_mut()],
            leaf => return leaf,
        };
        for part in parts {
            let leaves = part.leaves();
            if number < leaves {
                return part.leaf(number);
            }
            number -= leaves;
        }
        unreachable!("the number is below that of the leaves")
    }

    fn change(&mut self) {
        match self {
            Self::Null => *self = Self::Bool(true),
            Self::Bool(value) => *value = !*value,
            Self::Integer(value) => *value = value.wrapping_add(1),
            Self::Float(value) => *value = if *value > 1.5 { 1.0 } else { 2.0 },
            Self::Text(value) => value.push('x'),
            Self::Some(_) | Self::Sequence(_) | Self::Map(_) => {}
        }
    }

    /// The same value with the entries of every map turned around by some places.
    fn turned(&self, places: usize) -> Self {
        match self {
            Self::Sequence(elements) => {
                Self::Sequence(elements.iter().map(|one| one.turned(places)).collect())
            }
            Self::Some(inner) => Self::Some(Box::new(inner.turned(places))),
            Self::Map(entries) => {
                let mut entries: Vec<_> =
                    entries.iter().map(|(name, value)| (name.clone(), value.turned(places + 1))).collect();
                let len = entries.len().max(1);
                entries.rotate_left(places % len);
                if places.is_multiple_of(2) {
                    entries.reverse();
                }
                Self::Map(entries)
            }
            leaf => leaf.clone(),
        }
    }

    /// What a fingerprint sees: entries sorted and without nulls, `Some` only around what reads as null.
    fn canonical(&self) -> Self {
        match self {
            Self::Sequence(elements) => Self::Sequence(elements.iter().map(Self::canonical).collect()),
            Self::Map(entries) => {
                let sorted: BTreeMap<_, _> = entries
                    .iter()
                    .map(|(name, value)| (name.clone(), value.canonical()))
                    .filter(|(_, value)| *value != Self::Null)
                    .collect();
                Self::Map(sorted.into_iter().collect())
            }
            Self::Some(inner) => match inner.canonical() {
                null @ (Self::Null | Self::Some(_)) => Self::Some(Box::new(null)),
                other => other,
            },
            leaf => leaf.clone(),
        }
    }
}

fn leaf(wide: bool) -> BoxedStrategy<Tree> {
    let narrow = prop_oneof![
        Just(Tree::Null),
        any::<bool>().prop_map(Tree::Bool),
        (-2_i128..300).prop_map(Tree::Integer),
        prop::sample::select(vec![0.0, -0.0, 1.0, 0.5]).prop_map(Tree::Float),
        "[ab{}n]{0,2}".prop_map(Tree::Text),
    ];
    let large = prop_oneof![
        any::<i128>().prop_map(Tree::Integer),
        any::<f64>().prop_filter("NaN is refused", |value| !value.is_nan()).prop_map(Tree::Float),
        any::<String>().prop_map(Tree::Text),
        (4070_usize..4110).prop_map(|len| Tree::Text("y".repeat(len))),
        (1000_usize..2000).prop_map(|len| Tree::Sequence(vec![Tree::Integer(1); len])),
    ];
    if wide { prop_oneof![3 => narrow, 2 => large].boxed() } else { narrow.boxed() }
}

fn tree(wide: bool, names: &'static str) -> impl Strategy<Value = Tree> {
    leaf(wide).prop_recursive(4, 24, 5, move |inner| {
        prop_oneof![
            1 => inner.clone().prop_map(|inner| Tree::Some(Box::new(inner))),
            2 => prop::collection::vec(inner.clone(), 0..4).prop_map(Tree::Sequence),
            4 => prop::collection::btree_map(names, inner, 0..5)
                .prop_map(|entries| Tree::Map(entries.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn turning_the_entries_of_maps_around_changes_nothing(tree in tree(true, "[a-c]{0,3}"), places in 0_usize..6) {
        prop_assert_eq!(fingerprint(&tree), fingerprint(&tree.turned(places)));
        prop_assert_eq!(typed_digest(&tree), typed_digest(&tree.turned(places)));
    }

    #[test]
    fn changing_a_leaf_changes_the_fingerprint(tree in tree(true, "[a-c]{0,3}"), at in any::<prop::sample::Index>()) {
        prop_assume!(tree.leaves() > 0);
        let mut changed = tree.clone();
        changed.leaf(at.index(tree.leaves())).change();
        prop_assert_ne!(fingerprint(&tree), fingerprint(&changed));
        prop_assert_ne!(typed_digest(&tree), typed_digest(&changed));
    }

    #[test]
    fn fingerprints_are_equal_exactly_when_the_values_are(
        one in tree(false, "[ab]{0,1}"),
        other in tree(false, "[ab]{0,1}"),
    ) {
        prop_assert_eq!(fingerprint(&one) == fingerprint(&other), one.canonical() == other.canonical());
        prop_assert_eq!(fingerprint(&one), fingerprint(&one.canonical()));
    }
}

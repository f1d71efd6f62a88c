//! What makes two values equal.

use std::collections::{BTreeMap, HashMap};

use serde::{Serialize, Serializer};
use serde_json::json;

use super::scratch::LIMIT;
use super::*;

#[derive(Serialize)]
struct Money {
    currency: &'static str,
    amount: u32,
}

#[test]
fn a_struct_equals_the_map_of_its_fields() {
    let money = Money { currency: "EUR", amount: 5 };
    assert_eq!(fingerprint(&money), fingerprint(&json!({ "amount": 5, "currency": "EUR" })));
    assert_ne!(fingerprint(&money), fingerprint(&json!({ "amount": 5, "currency": "USD" })));
}

#[test]
fn integers_are_equal_by_value_whatever_their_type() {
    assert_eq!(fingerprint(&5_u8), fingerprint(&5_i128));
    assert_eq!(fingerprint(&-5_i8), fingerprint(&-5_i64));
    assert_ne!(fingerprint(&5_u8), fingerprint(&-5_i8));
    assert_ne!(fingerprint(&9_007_199_254_740_993_u64), fingerprint(&9_007_199_254_740_992_u64));
    assert_ne!(fingerprint(&u128::MAX), fingerprint(&(u128::MAX - 1)));
}

#[test]
fn a_float_is_no_integer() {
    assert_ne!(fingerprint(&1.0), fingerprint(&1));
    assert_ne!(fingerprint(&0.0), fingerprint(&0));
    assert_eq!(fingerprint(&0.5_f32), fingerprint(&0.5_f64));
    assert_ne!(fingerprint(&0.1_f32), fingerprint(&0.1_f64));
}

#[test]
fn zero_has_no_sign() {
    assert_eq!(fingerprint(&-0.0), fingerprint(&0.0));
    assert_eq!(fingerprint(&-0.0_f32), fingerprint(&0.0_f32));
    assert_ne!(fingerprint(&f64::MIN_POSITIVE), fingerprint(&-f64::MIN_POSITIVE));
}

#[test]
fn a_new_optional_field_does_not_change_old_fingerprints() {
    #[derive(Serialize)]
    struct Before {
        a: u8,
    }
    #[derive(Serialize)]
    struct After {
        a: u8,
        note: Option<String>,
        unit: (),
    }
    let after = |note| After { a: 1, note, unit: () };
    assert_eq!(fingerprint(&Before { a: 1 }), fingerprint(&after(None)));
    assert_ne!(fingerprint(&Before { a: 1 }), fingerprint(&after(Some(String::new()))));
}

#[test]
fn some_is_transparent_unless_it_would_read_as_none() {
    assert_eq!(fingerprint(&Some(1)), fingerprint(&1));
    assert_eq!(fingerprint(&Some(Some("a"))), fingerprint("a"));
    let levels = [
        fingerprint(&None::<Option<Option<u8>>>),
        fingerprint(&Some(None::<Option<u8>>)),
        fingerprint(&Some(Some(None::<u8>))),
    ];
    assert_ne!(levels[0], levels[1]);
    assert_ne!(levels[1], levels[2]);
    assert_ne!(levels[0], levels[2]);
    assert_ne!(fingerprint(&Some(())), fingerprint(&None::<()>));
    assert_ne!(fingerprint(&json!({})), fingerprint(&HashMap::from([("a", Some(None::<u8>))])));
}

#[test]
fn newtypes_and_pointers_are_what_they_hold() {
    #[derive(Serialize)]
    struct Wrapped(Box<Option<u8>>);
    assert_eq!(fingerprint(&Wrapped(Box::new(Some(1)))), fingerprint(&1));
}

#[test]
fn strings_chars_bytes_and_sequences_of_bytes_are_told_apart() {
    struct Raw;
    impl Serialize for Raw {
        fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
            serializer.serialize_bytes(b"a")
        }
    }
    assert_eq!(fingerprint("a"), fingerprint(&'a'));
    assert_ne!(fingerprint("a"), fingerprint(&Raw));
    assert_ne!(fingerprint(b"a"), fingerprint(&Raw));
    assert_ne!(fingerprint("1"), fingerprint(&1));
    assert_ne!(fingerprint("\u{e9}"), fingerprint("e\u{301}"));
}

#[test]
fn text_that_is_formatted_equals_text_that_is_passed_at_once() {
    struct Shown(String);
    impl Serialize for Shown {
        fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
            serializer.collect_str(&format_args!("{}{}", &self.0[..1], &self.0[1..]))
        }
    }
    for len in [1, 2, 254, 255, 256, 4095, 4096, 4097, 100_000] {
        let text = "x".repeat(len);
        assert_eq!(fingerprint(&Shown(text.clone())), fingerprint(&text));
        let (shown, passed) = (HashMap::from([("a", Shown(text.clone()))]), HashMap::from([("a", text)]));
        assert_eq!(fingerprint(&shown), fingerprint(&passed));
    }
}

#[test]
fn sequences_keep_their_order_and_maps_do_not() {
    assert_ne!(fingerprint(&[1, 2]), fingerprint(&[2, 1]));
    assert_eq!(fingerprint(&[1, 2]), fingerprint(&(1, 2)));
    let mut indices: HashMap<u32, u32> = HashMap::new();
    indices.extend((0..500).map(|n| (n, n)));
    let sorted: BTreeMap<u32, u32> = indices.clone().into_iter().collect();
    assert_eq!(fingerprint(&indices), fingerprint(&sorted));
    assert_ne!(fingerprint(&[[1], [2]]), fingerprint(&[[1, 2]]));
    assert_ne!(fingerprint(&(vec![1], vec![2])), fingerprint(&(vec![1, 2], Vec::<u8>::new())));
}

#[test]
fn keys_that_repeat_count_in_any_order() {
    struct Pairs(Vec<(&'static str, u8)>);
    impl Serialize for Pairs {
        fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
            serializer.collect_map(self.0.iter().copied())
        }
    }
    assert_eq!(fingerprint(&Pairs(vec![("a", 1), ("a", 2)])), fingerprint(&Pairs(vec![("a", 2), ("a", 1)])));
    assert_ne!(fingerprint(&Pairs(vec![("a", 1), ("a", 2)])), fingerprint(&Pairs(vec![("a", 2)])));
}

#[test]
fn several_values_count_by_position() {
    let pair = |first: Option<u8>, second: Option<u8>| {
        let mut builder = FingerprintBuilder::new();
        builder.include(&first, &[]).and_then(|()| builder.include(&second, &[])).map(|()| builder.finish())
    };
    assert_ne!(pair(Some(1), Some(2)), pair(Some(2), Some(1)));
    assert_ne!(pair(Some(1), None), pair(None, Some(1)));
    assert_ne!(pair(Some(1), None), fingerprint(&Some(1)));
}

#[test]
fn bytes_come_back_and_nothing_is_shown() {
    let original = fingerprint("a").map(|fingerprint| (fingerprint, fingerprint.to_bytes()));
    assert!(original.as_ref().is_ok_and(|(original, bytes)| {
        bytes[0] == 1
            && Fingerprint::from_bytes(bytes) == Some(*original)
            && Fingerprint::from_bytes(&bytes[1..]).is_none()
            && format!("{original:?}") == "Fingerprint(..)"
    }));
    assert_eq!(Fingerprint::from_bytes(&[]), None);
    assert_eq!(Fingerprint::from_bytes(&[0; 34]), None);
    assert_ne!(Fingerprint::from_bytes(&[1; 33]), Fingerprint::from_bytes(&[2; 33]));
}

#[test]
fn the_version_is_part_of_equality() {
    let mut bytes = [7; 33];
    let one = Fingerprint::from_bytes(&bytes);
    bytes[0] = 8;
    assert_ne!(one, Fingerprint::from_bytes(&bytes));
}

#[test]
fn a_typed_digest_sees_what_a_codec_loses() {
    assert_ne!(typed_digest(&Some(None::<u8>)), typed_digest(&None::<Option<u8>>));
    assert_ne!(typed_digest(&Some(())), typed_digest(&None::<()>));
    assert_ne!(typed_digest(&Some(1)), typed_digest(&1));
    assert_ne!(typed_digest(&json!({ "a": null })), typed_digest(&json!({})));
    assert_ne!(typed_digest(&f64::INFINITY), typed_digest(&None::<f64>));
    let shuffled: HashMap<u8, Option<u8>> = (0..100).map(|n| (n, Some(n))).collect();
    let again: HashMap<u8, Option<u8>> = (0..100).rev().map(|n| (n, Some(n))).collect();
    assert_eq!(typed_digest(&shuffled), typed_digest(&again));
    assert_ne!(typed_digest(&1), fingerprint(&1).map(|fingerprint| fingerprint.digest));
}

#[test]
fn serializers_are_told_that_the_form_is_for_people() {
    struct Asks;
    impl Serialize for Asks {
        fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
            let readable = serializer.is_human_readable();
            serializer.serialize_bool(readable)
        }
    }
    assert_eq!(fingerprint(&Asks), fingerprint(&true));
}

#[test]
fn what_was_carried_back_is_compared_whether_it_is_short_or_long() {
    for length in [1, LIMIT - 2, LIMIT, 10 * LIMIT] {
        let text = "x".repeat(length);
        assert_eq!(carried_back(&text, &text.clone()), Ok(true), "{length}");
        assert_eq!(carried_back(&text, &format!("{}y", &text[1..])), Ok(false), "{length}");
        assert_eq!(carried_back(&text, &String::new()), Ok(false), "{length}");
        let texts = vec![text.clone(), String::from("end")];
        assert_eq!(carried_back(&texts, &texts.clone()), Ok(true), "{length}");
        assert_eq!(carried_back(&texts, &vec![text, String::from("ens")]), Ok(false), "{length}");
    }
}

#[test]
fn what_was_carried_back_is_compared_whatever_the_keys_of_its_maps_are() {
    let map = |second: Option<u8>| HashMap::from([((1, None), "a"), ((2, second), "b")]);
    assert_eq!(carried_back(&map(Some(3)), &map(Some(3))), Ok(true));
    assert_eq!(carried_back(&map(Some(3)), &map(Some(4))), Ok(false));
    assert_eq!(carried_back(&map(Some(3)), &map(None)), Ok(false));
}

#[test]
fn a_buffer_that_was_used_before_holds_nothing_of_it() {
    let map = |keys: &[&str]| keys.iter().map(|key| ((*key).to_owned(), 1)).collect::<HashMap<_, _>>();
    let fresh = std::thread::spawn(move || digest(&map(&["b", "a"]))).join().unwrap();
    digest(&map(&["z", "y", "x"])).unwrap();
    assert_eq!(digest(&f64::NAN), Err(FingerprintError::NotANumber));
    assert_eq!(digest(&map(&["a", "b"])), fresh);
}

#[test]
fn the_order_of_a_hash_set_says_nothing_and_its_elements_do() {
    use std::collections::{BTreeSet, BinaryHeap, HashSet};

    #[derive(Serialize)]
    struct Tagged<T> {
        tags: T,
        more: Vec<u32>,
    }
    let set = |elements: &[&str]| Tagged {
        tags: elements.iter().map(|element| (*element).to_owned()).collect::<HashSet<_>>(),
        more: vec![2, 1],
    };
    let prints: std::collections::BTreeSet<_> =
        (0..20).map(|_| digest(&set(&["b", "a", "c", "d", "e"])).unwrap()).collect();
    assert_eq!(prints.len(), 1);
    assert_ne!(digest(&set(&["a", "b"])), digest(&set(&["a", "c"])));
    assert_ne!(digest(&vec![1, 2]), digest(&vec![2, 1]));
    assert_ne!(digest(&HashSet::from([Some(1), None])), digest(&HashSet::from([Some(1)])));
    let heap = |elements: [u8; 4]| BinaryHeap::from(elements.to_vec());
    assert_eq!(digest(&heap([1, 2, 3, 4])), digest(&heap([4, 3, 2, 1])));
    assert_eq!(carried_back(&HashSet::from([1, 2, 3]), &HashSet::from([3, 2, 1])), Ok(true));
    assert_eq!(digest(&BTreeSet::from([2, 1])), digest(&vec![1, 2]));
}

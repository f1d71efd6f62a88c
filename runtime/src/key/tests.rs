use std::collections::HashMap;

use proptest::prelude::*;

use super::*;

fn key(namespace: Option<&str>, operation: &str, parts: &[&str]) -> Result<IdempotencyKey, PartError> {
    let mut builder = KeyBuilder::new(operation);
    for part in parts {
        builder.part(*part)?;
    }
    Ok(builder.finish(namespace))
}

#[track_caller]
fn assert_stored(namespace: Option<&str>, operation: &str, parts: &[&str], stored: &str) {
    assert_eq!(key(namespace, operation, parts).map(|key| key.as_str().to_owned()), Ok(stored.to_owned()));
}

#[test]
fn golden_stored_forms() {
    assert_stored(None, "op", &["a"], "op:a");
    assert_stored(None, "op", &["a", "b", "c"], "op:a#b#c");
    assert_stored(
        Some("orders"),
        "create_order",
        &["tenant-a", "ORD-20260628-0001"],
        "orders/create_order:tenant-a#ORD-20260628-0001",
    );
    assert_stored(Some("eu.1"), "orders.create", &["a/b:c"], "eu.1/orders.create:a/b:c");
    assert_stored(None, "op", &[], "op:");
}

#[test]
fn golden_escapes() {
    assert_stored(None, "op", &["#", "%", "~"], "op:%23#%25#%7E");
    assert_stored(None, "op", &["a#b%c~d"], "op:a%23b%25c%7Ed");
    assert_stored(None, "op", &["%23"], "op:%2523");
    assert_stored(None, "op", &["\0\t\n\r\u{1b}\u{1f}\u{7f} "], "op:%00%09%0A%0D%1B%1F%7F ");
    assert_stored(None, "op", &["Zoë", "東京", "🦀"], "op:Zoë#東京#🦀");
    // Composed and decomposed text are different parts: the key keeps the bytes.
    assert_stored(None, "op", &["\u{e9}", "e\u{301}"], "op:\u{e9}#e\u{301}");
}

#[test]
fn golden_shortened_forms() {
    let longest = "x".repeat(512 - 3);
    assert_stored(None, "op", &[&longest], &format!("op:{longest}"));
    assert_stored(
        None,
        "op",
        &[&format!("{longest}x")],
        &format!("op:{}~c09ce3eb40f6429b4a70243963ba24c25d43e284b881488481762df72e60fb89", "x".repeat(437)),
    );
    // 440 would be within a character.
    assert_stored(
        Some("ns1"),
        "op",
        &[&"é".repeat(400)],
        &format!(
            "ns1/op:{}~a576857d6b65d07cf951311485a59ecf9ed4226d78e890311028f0bd751eb343",
            "é".repeat(216)
        ),
    );
}

#[test]
fn a_shortened_key_ends_with_the_digest_of_the_whole_text() {
    let part = "y".repeat(600);
    let digest = Sha256::digest(format!("ns/op:{part}#z").as_bytes());
    let mut hex = String::new();
    push_hex(&mut hex, &digest);
    let key = key(Some("ns"), "op", &[&part, "z"]).map(|key| key.to_string());
    assert_eq!(key, Ok(format!("ns/op:{}~{hex}", "y".repeat(434))));
}

#[test]
fn an_empty_part_is_refused_and_leaves_no_trace() {
    let mut builder = KeyBuilder::new("op");
    assert!(builder.is_empty());
    assert_eq!(builder.part(""), Err(PartError::Empty));
    assert!(builder.is_empty());
    assert_eq!(builder.part("a"), Ok(()));
    assert!(!builder.is_empty());
    assert_eq!(builder.part(&String::new()), Err(PartError::Empty));
    assert_eq!(builder.part("b"), Ok(()));
    assert_eq!(builder.finish(None).as_str(), "op:a#b");
}

#[test]
fn a_part_that_fails_half_way_leaves_no_trace() {
    struct Half;
    impl crate::part::Classified for Half {
        type Kind = crate::part::Fit;
    }
    impl KeyPart for Half {
        fn write_part(&self, out: &mut PartWriter<'_>) -> Result<(), PartError> {
            out.push_str("half");
            Err(PartError::Unfit("no"))
        }
    }
    let mut builder = KeyBuilder::new("op");
    assert_eq!(builder.part("a"), Ok(()));
    assert_eq!(builder.part(&Half), Err(PartError::Unfit("no")));
    assert_eq!(builder.finish(None).as_str(), "op:a");
}

#[test]
fn a_key_is_found_by_its_text() {
    let mut attempts = HashMap::new();
    attempts.insert(IdempotencyKey::from_stored("op:a"), 1);
    assert_eq!(attempts.get("op:a"), Some(&1));
    assert_eq!(format!("{}", IdempotencyKey::from_stored("op:a")), "op:a");
    assert_eq!(format!("{:?}", IdempotencyKey::from_stored("op:a")), r#"IdempotencyKey("op:a")"#);
}

type Source = (Option<String>, String, Vec<String>);

fn stored((namespace, operation, parts): &Source) -> String {
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    key(namespace.as_deref(), operation, &parts).map(|key| key.to_string()).unwrap_or_default()
}

/// Reads a stored form that was not shortened.
fn read(stored: &str) -> Option<Source> {
    let colon = stored.find(':')?;
    let (namespace, operation) = match stored[..colon].split_once('/') {
        Some((namespace, operation)) => (Some(namespace.to_owned()), operation.to_owned()),
        None => (None, stored[..colon].to_owned()),
    };
    let rest = &stored[colon + 1..];
    let parts =
        if rest.is_empty() { Vec::new() } else { rest.split('#').map(unescape).collect::<Option<_>>()? };
    Some((namespace, operation, parts))
}

fn unescape(part: &str) -> Option<String> {
    let mut text = String::new();
    let mut rest = part;
    while let Some((clean, escaped)) = rest.split_once('%') {
        text.push_str(clean);
        text.push(char::from(u8::from_str_radix(escaped.get(..2)?, 16).ok()?));
        rest = &escaped[2..];
    }
    text.push_str(rest);
    Some(text)
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof!["[ab.]{1,2}", "[A-Za-z0-9_.-]{1,64}"]
}

fn part() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => "[ab#%~/:23E\\x00\\n\\x7fé🦀]{1,4}",
        2 => any::<String>().prop_filter("parts are not empty", |part| !part.is_empty()),
        1 => ("[aé#~]", 100_usize..520).prop_map(|(unit, times)| unit.repeat(times)),
    ]
}

fn source() -> impl Strategy<Value = Source> {
    (proptest::option::of(name()), name(), proptest::collection::vec(part(), 0..5))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_stored_form_names_one_source(source in source()) {
        let stored = stored(&source);
        prop_assert!(stored.len() <= MAX_LEN);
        prop_assert!(!stored.bytes().any(|byte| byte.is_ascii_control()));
        if !stored.contains('~') {
            prop_assert_eq!(read(&stored), Some(source));
        }
    }

    #[test]
    fn different_sources_have_different_forms(one in source(), other in source()) {
        prop_assert_eq!(stored(&one) == stored(&other), one == other);
    }

    #[test]
    fn moving_a_boundary_between_parts_changes_the_key(
        one in source(),
        at in any::<prop::sample::Index>(),
        padding in prop::sample::select(vec![0_usize, 1, 437, 438, 440, 509, 510, 512, 1024]),
    ) {
        let (namespace, operation, mut parts) = one;
        parts.insert(0, format!("{}b", "a".repeat(padding)));
        let joined = parts.concat();
        let cut = at.index(joined.len() + 1);
        prop_assume!(joined.is_char_boundary(cut));
        let (left, right) = joined.split_at(cut);
        let moved: Vec<String> =
            [left, right].into_iter().filter(|part| !part.is_empty()).map(str::to_owned).collect();
        let one = (namespace, operation, parts);
        let other = (one.0.clone(), one.1.clone(), moved);
        prop_assert_eq!(stored(&one) == stored(&other), one == other);
    }
}

#[test]
fn no_two_short_sources_share_a_form() {
    let mut seen = HashMap::new();
    let texts: Vec<String> = ["a", "#", "%", "~", "2", "3", "/", ":"]
        .iter()
        .flat_map(|first| ["", "#", "%", "2", "3", ":"].map(|second| format!("{first}{second}")))
        .collect();
    let mut check = |source: Source| {
        let form = stored(&source);
        if let Some(earlier) = seen.insert(form, source.clone()) {
            assert_eq!(earlier, source);
        }
    };
    for namespace in [None, Some("a"), Some("b")] {
        for operation in ["a", "b"] {
            let source = |parts| (namespace.map(str::to_owned), operation.to_owned(), parts);
            for first in &texts {
                check(source(vec![first.clone()]));
                for second in &texts {
                    check(source(vec![first.clone(), second.clone()]));
                    check(source(vec![first.clone(), second.clone(), "3".to_owned()]));
                }
            }
        }
    }
}

#[test]
fn a_stored_key_is_its_text() {
    let key = IdempotencyKey::from_stored("orders/create:a#b");
    let texts: [&str; 3] = [key.as_ref(), key.as_str(), std::borrow::Borrow::borrow(&key)];
    assert_eq!(texts, ["orders/create:a#b"; 3]);
    assert_eq!(key.to_string(), "orders/create:a#b");
}

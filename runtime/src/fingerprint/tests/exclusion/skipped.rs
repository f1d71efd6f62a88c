//! Fields that `skip_serializing_if` leaves out.

use serde::Serialize;

use super::by_name::as_text;
use super::*;

#[derive(Serialize, Clone)]
struct Skips {
    #[serde(skip_serializing_if = "Option::is_none")]
    sent_at: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none", rename = "ts")]
    renamed: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reference: Option<u64>,
    amount: u64,
}

const SKIPS: Skips = Skips { sent_at: None, renamed: None, reference: None, amount: 1 };

#[test]
fn a_field_that_was_skipped_equals_one_that_was_excluded() {
    let sent = |body: &Skips| Exclusion::new(&body.sent_at, &["sent_at"]);
    let renamed = |body: &Skips| Exclusion::new(&body.renamed, &["renamed"]);
    assert_excluded(&SKIPS, &Skips { sent_at: Some(9), ..SKIPS }, sent);
    assert_excluded(&SKIPS, &Skips { renamed: Some(9), ..SKIPS }, renamed);
    assert_counts(&SKIPS, &Skips { reference: Some(9), ..SKIPS }, sent);
    assert_counts(&SKIPS, &Skips { amount: 9, ..SKIPS }, sent);
}

#[test]
fn a_skipped_field_is_excused_wherever_its_struct_is() {
    #[derive(Serialize)]
    struct Outer {
        plain: Skips,
        #[serde(rename = "r")]
        renamed: Skips,
        boxed: Box<Skips>,
        #[serde(flatten)]
        flat: Skips,
    }
    let outer = |plain, renamed, boxed, flat| Outer {
        plain: Skips { sent_at: plain, ..SKIPS },
        renamed: Skips { sent_at: renamed, ..SKIPS },
        boxed: Box::new(Skips { sent_at: boxed, ..SKIPS }),
        flat: Skips { sent_at: flat, ..SKIPS },
    };
    let none = || outer(None, None, None, None);
    assert_excluded(&none(), &outer(Some(1), None, None, None), |body| {
        Exclusion::new(&body.plain.sent_at, &["plain", "sent_at"])
    });
    assert_excluded(&none(), &outer(None, Some(1), None, None), |body| {
        Exclusion::new(&body.renamed.sent_at, &["renamed", "sent_at"])
    });
    assert_excluded(&none(), &outer(None, None, Some(1), None), |body| {
        Exclusion::new(&body.boxed.sent_at, &["boxed", "sent_at"])
    });
    assert_excluded(&none(), &outer(None, None, None, Some(1)), |body| {
        Exclusion::new(&body.flat.sent_at, &["flat", "sent_at"])
    });
}

#[test]
fn a_skipped_parent_excuses_its_fields() {
    #[derive(Serialize)]
    struct Outer {
        amount: u64,
        #[serde(skip_serializing_if = "is_default")]
        meta: Meta,
    }
    fn is_default(meta: &Meta) -> bool {
        meta.sent_at == 0
    }
    let outer = Outer { amount: 1, meta: Meta { sent_at: 0, client: "web" } };
    let exclusion = Exclusion::new(&outer.meta.sent_at, &["meta", "sent_at"]);
    assert!(fingerprint_except(&outer, &[exclusion]).is_ok());
}

#[test]
fn a_skipped_sibling_does_not_excuse_another_struct_s_field() {
    #[derive(Serialize)]
    struct Inner {
        #[serde(serialize_with = "as_text", rename = "ts")]
        sent_at: u64,
    }
    #[derive(Serialize)]
    struct Outer {
        #[serde(skip_serializing_if = "Option::is_none")]
        sent_at: Option<u64>,
        inner: Inner,
    }
    let outer = Outer { sent_at: None, inner: Inner { sent_at: 1 } };
    let exclusion = Exclusion::new(&outer.inner.sent_at, &["inner", "sent_at"]);
    assert_eq!(fingerprint_except(&outer, &[exclusion]), matched_nothing("inner.sent_at"));
}

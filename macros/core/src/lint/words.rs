//! Names, by what they say about a value. Data only: one file per list, and a name stands in one list.

pub(crate) mod calls;
mod classifier;
pub(crate) mod delivery;
mod delivery_counter;
mod entity;
mod exempt;
mod good;
mod local_id;
mod per_invocation_id;
mod personal_data;
mod random;
pub(crate) mod receiver;
mod redelivery_only_id;
mod scope;
mod secret;
mod timestamp;
mod trace_id;
mod unstable_form;
mod whole_payload;

pub(crate) use self::exempt::{
    CARRIED_NAMES, CARRIED_SHARED, CARRIED_TYPES, CONVERSIONS, NAMES as EXEMPT_NAMES,
    SUFFIXES as EXEMPT_SUFFIXES, TOOL_SUFFIXES, TYPES as EXEMPT_TYPES,
};
pub(crate) use self::whole_payload::ALWAYS as ALWAYS_PAYLOAD;

use crate::policy::Policy;

/// A list of names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum List {
    Classifier,
    DeliveryCounter,
    Entity,
    Good,
    LocalId,
    PerInvocationId,
    PersonalData,
    Random,
    RedeliveryOnlyId,
    Scope,
    Secret,
    Timestamp,
    TraceId,
    UnstableForm,
    WholePayload,
}

/// How a name of a list is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rule {
    /// As the list says.
    Plain,
    /// A warning at most.
    Warned,
    /// Good if it is read from a payload, or stands beside one of these parts.
    GoodFromPayload(&'static [&'static str]),
    /// Good if the operation or the receiver is about one of these words.
    GoodFor(&'static [&'static str]),
    /// A warning, and good beside a part that is no scope and no classifier.
    WarnedAlone,
}

/// Names with their rule.
type Words = &'static [(&'static [&'static str], Rule)];

/// Every list with its name in a policy and its words.
const ALL: [(List, &str, Words); 15] = [
    (List::Classifier, "classifier", classifier::WORDS),
    (List::DeliveryCounter, "delivery-counter", delivery_counter::WORDS),
    (List::Entity, "entity", entity::WORDS),
    (List::Good, "good", good::WORDS),
    (List::LocalId, "local-id", local_id::WORDS),
    (List::PerInvocationId, "per-invocation-id", per_invocation_id::WORDS),
    (List::PersonalData, "personal-data", personal_data::WORDS),
    (List::Random, "random", random::WORDS),
    (List::RedeliveryOnlyId, "redelivery-only-id", redelivery_only_id::WORDS),
    (List::Scope, "scope", scope::WORDS),
    (List::Secret, "secret", secret::WORDS),
    (List::Timestamp, "timestamp", timestamp::WORDS),
    (List::TraceId, "trace-id", trace_id::WORDS),
    (List::UnstableForm, "unstable-form", unstable_form::WORDS),
    (List::WholePayload, "whole-payload", whole_payload::WORDS),
];

/// The list of arguments that need not be covered: types, and names of arguments.
pub(crate) const EXEMPT: &str = "exempt";

/// The lists that a policy can add names to.
pub(crate) fn lists() -> impl Iterator<Item = &'static str> {
    ALL.iter().map(|(_, name, _)| *name).chain([EXEMPT])
}

/// The list that `name` stands in, and how it is to be read there. The words of the policy come first.
pub(crate) fn find(name: &str, policy: &Policy) -> Option<(List, Rule)> {
    let added = ALL.iter().find(|(_, list, _)| {
        policy.names.get(*list).is_some_and(|names| names.iter().any(|added| normal(added) == name))
    });
    if let Some((list, ..)) = added {
        return Some((*list, Rule::Plain));
    }
    let known = ALL.iter().find_map(|(list, _, words)| {
        let (_, rule) = words.iter().find(|(names, _)| names.contains(&name))?;
        Some((*list, *rule))
    });
    known.or_else(|| by_suffix(name)).or_else(|| by_unit(name, policy))
}

/// `created_ms` is a clock value because `created` is; `timeout_ms` is none.
fn by_unit(name: &str, policy: &Policy) -> Option<(List, Rule)> {
    let unit = timestamp::UNITS.iter().find(|unit| name.ends_with(**unit))?;
    let bare = name.strip_suffix(*unit)?;
    if timestamp::WITH_UNIT.contains(&bare) {
        return Some((List::Timestamp, Rule::Plain));
    }
    let found = find(bare, policy).filter(|(list, _)| matches!(list, List::Timestamp | List::Good));
    let is_duration = timestamp::DURATIONS.contains(&bare.rsplit('_').next().unwrap_or(bare));
    let sounds = timestamp::CLOCK_UNITS.contains(unit) && !is_duration && !bare.is_empty();
    found.or(sounds.then_some((List::Timestamp, Rule::Warned)))
}

/// `requested_at`, `billing_email`
fn by_suffix(name: &str) -> Option<(List, Rule)> {
    let ends =
        |suffixes: &[&str]| suffixes.iter().any(|suffix| name.len() > suffix.len() && name.ends_with(suffix));
    if ends(timestamp::SUFFIXES) {
        return Some((List::Timestamp, Rule::Plain));
    }
    if ends(personal_data::SUFFIXES) {
        return Some((List::PersonalData, Rule::Plain));
    }
    ends(secret::SUFFIXES).then_some((List::Secret, Rule::Plain))
}

/// A name as the lists spell it: `requestId`, `X-Request-Id` → `request_id`, `x_request_id`.
pub(crate) fn normal(name: &str) -> String {
    let mut normal = String::with_capacity(name.len() + 4);
    let mut previous = '_';
    for character in name.trim_start_matches('_').chars() {
        if matches!(character, '-' | ' ' | '.' | ':') {
            normal.push('_');
        } else {
            if character.is_uppercase() && (previous.is_lowercase() || previous.is_ascii_digit()) {
                normal.push('_');
            }
            normal.extend(character.to_lowercase());
        }
        previous = character;
    }
    normal
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn a_name_stands_in_one_list_only() {
        let mut seen = BTreeMap::new();
        for (_, list, words) in ALL {
            for name in words.iter().flat_map(|(names, _)| names.iter()) {
                assert_eq!(seen.insert(*name, list), None, "`{name}` in `{list}` again");
                assert_eq!(normal(name), *name, "`{name}` is not written as names are compared");
            }
        }
        assert!(seen.len() > 350, "{}", seen.len());
    }

    #[test]
    fn names_are_compared_in_snake_case() {
        for (name, expected) in [
            ("requestId", "request_id"),
            ("x-amzn-RequestId", "x_amzn_request_id"),
            ("Idempotency-Key", "idempotency_key"),
            ("ApproximateReceiveCount", "approximate_receive_count"),
            ("order_no", "order_no"),
            ("_request_id", "request_id"),
        ] {
            assert_eq!(normal(name), expected);
        }
    }

    #[test]
    fn the_names_of_a_policy_come_first() {
        let mut policy = Policy::default();
        assert_eq!(find("badge_no", &policy), None);
        policy.names.insert("personal-data".to_owned(), vec!["badgeNo".to_owned()]);
        policy.names.insert("good".to_owned(), vec!["request_id".to_owned()]);
        assert_eq!(find("badge_no", &policy), Some((List::PersonalData, Rule::Plain)));
        assert_eq!(find("request_id", &policy), Some((List::Good, Rule::Plain)));
    }
}

//! The protocol without one of its guards: the search finds what that guard prevents.

use idempotency_model::{Config, Guard, Move, Property, Protocol, worlds};

/// Each guard, a world in which it is missed, and what happens there without it.
const MISSED: [(Guard, &str, Property); 25] = [
    (Guard::LiveLease, "three workers meet", Property::OneBody),
    (Guard::DeadLease, "processes die", Property::NeverStuck),
    (Guard::SkewOfClaims, "clocks differ by two budgets", Property::OneBody),
    (Guard::SkewOfOwners, "clocks differ by two budgets", Property::OneBody),
    (Guard::AnnouncedBecomesUnknown, "announced effects are interrupted", Property::NoRerunAfterAnnouncement),
    (Guard::HeldBecomesUnknown, "a crash holds the key", Property::NoRerunAfterAnnouncement),
    (Guard::UnknownStays, "a crash holds the key", Property::UnknownStays),
    (Guard::OneProbe, "outcomes are found out", Property::OneProbe),
    (Guard::Probes, "outcomes are found out", Property::NeverStuck),
    (Guard::EpochGrows, "processes die", Property::EpochGrows),
    (Guard::FirstEpochIsHigh, "records are forgotten", Property::EpochGrows),
    (Guard::UsedOwner, "messages are delivered twice", Property::ReleasedOwnerIsDone),
    (Guard::OwnClaim, "messages are delivered twice", Property::OwnClaimIsRecognised),
    (Guard::Fingerprint, "requests are corrected", Property::RequestsAreKeptApart),
    (Guard::FinalIsNotClaimed, "messages are delivered twice", Property::FinalStays),
    (Guard::Tombstone, "late callers are told that an outcome has expired", Property::FinalStays),
    (Guard::OwnerOfWrites, "a removed record meets late messages", Property::ZombiesChangeNothing),
    (Guard::EpochOfWrites, "messages are delivered twice", Property::ZombiesChangeNothing),
    (Guard::WritesNeedInProgress, "a crash holds the key", Property::EndsOnce),
    (Guard::FinalIsNotWritten, "callers give up on answers", Property::FinalStays),
    (Guard::RenewalsAreLater, "renewals are delivered twice", Property::LeasesGrow),
    (Guard::GoneStaysGone, "a removed record meets late messages", Property::GoneStaysGone),
    (Guard::SelfStop, "processes die", Property::OneBody),
    (Guard::WallTimeOfTrust, "machines freeze", Property::OneBody),
    (Guard::MonotonicTimeOfTrust, "a clock is set back", Property::OneBody),
];

/// What is left of the properties: each with a guard without which it is violated.
const VIOLATED: [(Property, &[Guard], &str); 3] = [
    (Property::OneEffect, &[Guard::AnnouncedBecomesUnknown], "announced effects are interrupted"),
    (Property::RepliesAgree, &[Guard::FinalIsNotClaimed], "processes die"),
    // Owners and epochs are both of one claim: either is enough to tell a late writer from the owner.
    (Property::AcknowledgedIsRecorded, &[Guard::OwnerOfWrites, Guard::EpochOfWrites], "processes die"),
];

/// How many moves it takes to violate the property without these guards.
fn breaks(property: Property, guards: &[Guard], world: &str) -> Option<usize> {
    let recovers = property == Property::NeverStuck;
    let config =
        Config { watched: Some(property), without: guards.to_vec(), recovers, ..worlds::named(world) };
    let found = violations(config);
    found.first().map(|(_, history)| history.len())
}

fn violations(config: Config) -> Vec<(&'static str, Vec<Move>)> {
    Protocol::new(config).explore().violations
}

#[test]
fn every_guard_is_missed_when_it_is_removed() {
    let mut not_missed = Vec::new();
    for (guard, world, property) in MISSED {
        match breaks(property, &[guard], world) {
            Some(moves) => println!("without {guard:?}: {property:?} after {moves} moves"),
            None => not_missed.push((guard, world, property)),
        }
    }
    assert!(not_missed.is_empty(), "the search did not miss these guards: {not_missed:#?}");
}

#[test]
fn every_property_is_violated_when_a_guard_is_removed() {
    for (property, guards, world) in VIOLATED {
        let moves = breaks(property, guards, world);
        assert!(moves.is_some(), "{property:?} holds without {guards:?} in the world in which {world}");
    }
    for property in Property::ALL {
        let is_listed =
            MISSED.iter().any(|(.., it)| *it == property) || VIOLATED.iter().any(|(it, ..)| *it == property);
        assert!(is_listed, "{property:?} is violated by nothing here");
    }
}

#[test]
fn every_guard_is_in_the_list() {
    for guard in Guard::ALL {
        assert!(MISSED.iter().any(|(listed, ..)| *listed == guard), "{guard:?}");
    }
}

#[test]
fn either_use_of_the_skew_budget_covers_clocks_within_it_and_together_they_cover_twice_as_much() {
    let within = || worlds::named("processes die");
    for guard in [Guard::SkewOfClaims, Guard::SkewOfOwners] {
        let found = violations(within().without(guard));
        assert!(found.is_empty(), "one use is enough within the budget, without {guard:?}: {found:#?}");
    }
    let found = violations(within().without(Guard::SkewOfClaims).without(Guard::SkewOfOwners));
    assert!(found.iter().any(|(name, _)| *name == "OneBody"), "{found:#?}");
}

//! The worlds that are explored by default. Each is small in most directions and large in the one it is about; the
//! time, the calls and the faults of each are what bounds the search.

use idempotency_runtime::protocol::attempt::Verdict;

use crate::config::{ALL_VERDICTS, Config, Operation, Removal};

const SUCCEEDS: &[Verdict] = &[Verdict::Succeeded];

/// No faults at all.
fn calm(operation: Operation) -> Config {
    Config { timeouts: 0, duplicates: 0, crashes: 0, ..Config::new(operation) }
}

/// No faults, and a lease so short that it is never renewed.
fn brief(operation: Operation) -> Config {
    Config { lease: 2, horizon: 4, ..calm(operation) }
}

/// Every world, by what it is about.
pub fn all() -> Vec<(&'static str, Config)> {
    let mut worlds = faults();
    worlds.extend(settings());
    worlds.extend(clocks());
    worlds
}

/// The world with this name.
///
/// # Panics
///
/// If there is none.
pub fn named(name: &str) -> Config {
    let found = all().into_iter().find(|(known, _)| *known == name);
    found.unwrap_or_else(|| panic!("there is no world in which {name}")).1
}

fn faults() -> Vec<(&'static str, Config)> {
    use Operation::{Announced, Hold, Rerun};
    vec![
        ("messages are delivered twice", Config { duplicates: 1, calls: 3, ..brief(Rerun) }),
        (
            "renewals are delivered twice",
            Config { duplicates: 1, calls: 2, verdicts: SUCCEEDS, ..calm(Rerun) },
        ),
        ("callers give up on answers", Config { timeouts: 1, calls: 2, verdicts: SUCCEEDS, ..calm(Rerun) }),
        ("processes die", Config { crashes: 1, calls: 3, ..brief(Rerun) }),
        (
            "announced effects are interrupted",
            Config { crashes: 1, calls: 2, verdicts: ALL_VERDICTS, ..calm(Announced) },
        ),
        (
            "announcements are delivered twice",
            Config { duplicates: 1, calls: 2, verdicts: SUCCEEDS, ..calm(Announced) },
        ),
        (
            "announcements are not answered",
            Config { timeouts: 1, calls: 2, verdicts: SUCCEEDS, ..brief(Announced) },
        ),
        (
            "a crash holds the key",
            Config { crashes: 1, duplicates: 1, calls: 2, verdicts: ALL_VERDICTS, ..brief(Hold) },
        ),
        (
            "a removed record meets late messages",
            Config { removal: Removal::ByHand, crashes: 1, offsets: vec![0, 0], horizon: 2, ..brief(Rerun) },
        ),
    ]
}

fn settings() -> Vec<(&'static str, Config)> {
    use Operation::{Announced, Hold, Rerun};
    vec![
        (
            "three workers meet",
            Config { workers: 3, calls: 3, calls_each: 1, verdicts: SUCCEEDS, ..calm(Rerun) },
        ),
        ("two keys are called", Config { keys: 2, calls: 2, verdicts: SUCCEEDS, horizon: 4, ..calm(Rerun) }),
        ("callers wait", Config { wait: Some(2), crashes: 1, calls: 2, ..calm(Rerun) }),
        (
            "outcomes are found out",
            Config {
                crashes: 1,
                calls: 3,
                wait: Some(1),
                probes: true,
                verdicts: SUCCEEDS,
                ..brief(Announced)
            },
        ),
        (
            "records are forgotten",
            Config {
                ttl: 3,
                message_life: 1,
                removal: Removal::Forgotten,
                duplicates: 1,
                calls: 3,
                offsets: vec![0, 0],
                horizon: 5,
                ..brief(Rerun)
            },
        ),
        (
            "what needs a decision is not forgotten",
            Config {
                ttl: 1,
                message_life: 0,
                removal: Removal::Forgotten,
                crashes: 1,
                calls: 2,
                offsets: vec![0, 0],
                verdicts: SUCCEEDS,
                horizon: 5,
                ..brief(Announced)
            },
        ),
        ("outcomes are forgotten", Config { ttl: 1, calls: 3, verdicts: SUCCEEDS, ..brief(Announced) }),
        (
            "late callers are told that an outcome has expired",
            Config { ttl: 1, tombstone: 2, calls: 3, duplicates: 1, verdicts: SUCCEEDS, ..brief(Rerun) },
        ),
        (
            "a held key is found out",
            Config { probes: true, crashes: 1, calls: 3, verdicts: SUCCEEDS, ..brief(Hold) },
        ),
        ("requests are corrected", Config { requests: 2, crashes: 1, calls: 2, ..brief(Announced) }),
        ("processes have a deadline", Config { deadline: Some(3), calls: 2, ..calm(Rerun) }),
    ]
}

fn clocks() -> Vec<(&'static str, Config)> {
    use Operation::Rerun;
    vec![
        ("machines freeze", Config { freezes: 3, calls: 2, verdicts: SUCCEEDS, ..calm(Rerun) }),
        ("clocks differ by two budgets", Config { offsets: vec![-1_000, 1_000], calls: 2, ..calm(Rerun) }),
        // With a second call the clock would be wrong when a lease is asked for, which nothing can repair.
        ("a clock is set back", Config { set_backs: 1, calls: 2, calls_each: 1, ..calm(Rerun) }),
    ]
}

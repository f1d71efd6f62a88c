//! The protocol as it is: no reachable state is wrong, and no key gets stuck.

use std::collections::BTreeSet;

use idempotency_model::{Config, Explored, Protocol, Sight, number, worlds};

/// Explores a world that must hold, and says how large it is.
fn explore(name: &str, mut config: Config) -> Explored {
    config.horizon +=
        number("IDEMPOTENCY_MODEL_TICKS").and_then(|ticks| ticks.try_into().ok()).unwrap_or(0u64);
    config.workers = number("IDEMPOTENCY_MODEL_WORKERS").unwrap_or(config.workers);
    let began = std::time::Instant::now();
    let explored = Protocol::new(config).explore();
    println!("{:>9} states, depth {:>2}, {:.1?}: {name}", explored.states, explored.depth, began.elapsed());
    assert!(explored.violations.is_empty(), "{name}: {:#?}", explored.violations);
    explored
}

#[test]
fn no_reachable_state_of_any_world_is_wrong_and_the_worlds_show_what_they_are_about() {
    let mut seen = BTreeSet::new();
    let mut states = 0;
    for (name, config) in worlds::all() {
        let explored = explore(name, config);
        seen.extend(explored.seen);
        states += explored.states;
    }
    println!("{states:>9} states in all");
    let missing: Vec<_> =
        Sight::ALL.into_iter().filter(|it| !seen.contains(format!("{it:?}").as_str())).collect();
    assert!(missing.is_empty(), "never seen, so the search proves nothing about it: {missing:?}");
}

#[test]
fn from_every_state_a_fresh_caller_gets_the_key_or_a_verdict_once_the_faults_are_over() {
    for name in
        ["announcements are not answered", "processes die", "a crash holds the key", "outcomes are found out"]
    {
        explore(name, Config { recovers: true, ..worlds::named(name) });
    }
}

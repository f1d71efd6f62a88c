//! Every call of the store meets every fault: *N* counts up until a run has no *N*-th call.
//!
//! A run is a few callers of one operation, on records that its processes share, and a [`Fault`](fault::Fault) at one
//! call of the store. The caller may be dropped at every poll, and the body may panic at every step. Afterwards the
//! lease passes, fresh callers come, and the rules of [`check`] must hold: one effect where one was promised and none
//! after a final outcome, equal replies, no key that is stuck, no claim without an end, and no reply of another
//! request.
//!
//! `IDEMPOTENCY_FAULT=plain:2:unanswered:drop:3` runs one of them and prints what happened;
//! `IDEMPOTENCY_FAULTS=long` runs all pairs of faults, and several seeds.

mod check;
mod fault;
mod ledger;
mod run;
mod scenario;
mod store;
mod world;

use self::check::{Ran, run};
use self::fault::{ALL, Disturbance, Plan};
use self::scenario::{Ends, STEPS, Scenario, Second};
use self::world::Records;

/// More than any run makes.
const MANY: usize = 2_000;

/// Runs `plan`, and fails with all that is needed to run it again.
fn must_hold(scenario: Scenario, plan: &Plan, records: &Records) -> Ran {
    let ran = run(scenario, plan, records, false);
    if !ran.broken.is_empty() {
        let again = run(scenario, plan, records, true);
        panic!(
            "IDEMPOTENCY_FAULT={plan}\n  {}\n  what happened:\n    {}",
            ran.broken.join("\n  "),
            again.trace
        );
    }
    ran
}

/// The run that the environment asks for; whether it asks for one.
fn only_one(scenario: Scenario) -> bool {
    let Ok(text) = std::env::var("IDEMPOTENCY_FAULT") else { return false };
    if let Some(plan) = Plan::parse(&text, scenario.name) {
        let ran = run(scenario, &plan, &records(plan.sqlite), true);
        println!("{plan}: {} faults met\n    {}", ran.met, ran.trace);
        assert!(ran.broken.is_empty(), "IDEMPOTENCY_FAULT={plan}\n  {}", ran.broken.join("\n  "));
    }
    true
}

fn records(sqlite: bool) -> Records {
    #[cfg(feature = "sqlite")]
    if sqlite {
        return Records::File(world::File::new());
    }
    assert!(!sqlite, "the feature `sqlite` is off");
    Records::Memory
}

fn is_long() -> bool {
    std::env::var("IDEMPOTENCY_FAULTS").is_ok_and(|scale| scale == "long")
}

/// Each fault at each call, and in long runs each pair of faults. With a disturbance, runs that are not long take turns:
/// every second fault meets a drop at an even poll, and the others one at an odd poll.
fn every_fault(scenario: Scenario, base: &Plan, records: &Records, pairs: bool) -> usize {
    let mut runs = 0;
    let turn = match base.disturbance {
        Disturbance::Drop(at) | Disturbance::Panic(at) if !is_long() => Some(at),
        _ => None,
    };
    for number in 1..MANY {
        let mut met = false;
        for (index, (_, fault)) in ALL.into_iter().enumerate() {
            if turn.is_some_and(|turn| (index + number + turn) % 2 == 0) {
                continue;
            }
            let plan = base.with(number, fault);
            let ran = must_hold(scenario, &plan, records);
            runs += 1;
            met |= ran.met > 0;
            if ran.met > 0 && pairs {
                runs += every_second_fault(scenario, &plan, number, records);
            }
        }
        if !met {
            break;
        }
    }
    runs
}

fn every_second_fault(scenario: Scenario, first: &Plan, after: usize, records: &Records) -> usize {
    let mut runs = 0;
    for number in after + 1..MANY {
        let mut met = false;
        for (_, fault) in ALL {
            met |= must_hold(scenario, &first.with(number, fault), records).met == 2;
            runs += 1;
        }
        if !met {
            break;
        }
    }
    runs
}

/// Everything that can go wrong in one scenario.
fn everything(scenario: Scenario) {
    if only_one(scenario) {
        return;
    }
    let seeds = if is_long() { 0..3 } else { 0..1 };
    let mut runs = 0;
    for seed in seeds {
        let memory = Records::Memory;
        let base = Plan::new(scenario.name, false, seed);
        must_hold(scenario, &base, &memory);
        runs += every_fault(scenario, &base, &memory, is_long());
        // A long body is polled at every tick, and most polls are alike.
        let stride = if scenario.long && !is_long() { 3 } else { 1 };
        for polls in (1..MANY).step_by(stride) {
            let dropped = base.disturbed(Disturbance::Drop(polls));
            if !must_hold(scenario, &dropped, &memory).disturbed {
                break;
            }
            runs += every_fault(scenario, &dropped, &memory, false);
        }
        for step in 0..STEPS {
            let panics = base.disturbed(Disturbance::Panic(step));
            runs += every_fault(scenario, &panics, &memory, false);
        }
        #[cfg(feature = "sqlite")]
        {
            let file = Records::File(world::File::new());
            runs += every_fault(scenario, &Plan::new(scenario.name, true, seed), &file, false);
        }
    }
    println!("{}: {runs} runs", scenario.name);
}

macro_rules! scenarios {
    ($($(#[$doc:meta])* $test:ident: $scenario:expr;)*) => {
        $(
            $(#[$doc])*
            #[test]
            fn $test() {
                everything($scenario);
            }
        )*
    };
}

scenarios! {
    a_body_runs_and_is_replayed: Scenario::new("plain");
    an_announced_effect_happens_at_most_once: Scenario { announces: true, ..Scenario::new("announced") };
    a_terminal_error_is_replayed: Scenario { ends: Ends::Terminal, ..Scenario::new("terminal") };
    an_announced_effect_with_a_terminal_error_happens_at_most_once:
        Scenario { announces: true, ends: Ends::Terminal, ..Scenario::new("announced_terminal") };
    a_retryable_error_frees_the_key: Scenario { ends: Ends::FirstRetryable, ..Scenario::new("retryable") };
    a_retryable_error_after_the_announcement_frees_the_key:
        Scenario { announces: true, ends: Ends::FirstRetryable, ..Scenario::new("announced_retryable") };
    an_unclassified_error_frees_the_key: Scenario { ends: Ends::FirstUnclassified, ..Scenario::new("unclassified") };
    an_unclassified_error_after_the_announcement_leaves_an_unknown_outcome:
        Scenario { announces: true, ends: Ends::FirstUnclassified, ..Scenario::new("announced_unclassified") };
    an_error_that_says_unknown_is_not_run_again_while_its_record_says_so:
        Scenario { ends: Ends::FirstUnknown, announces: true, ..Scenario::new("announced_unknown") };
    a_held_operation_has_its_effect_at_most_once: Scenario { hold: true, ..Scenario::new("held") };
    a_caller_of_the_same_process_waits: Scenario { second: Second::Waits, ..Scenario::new("waits") };
    a_caller_of_another_process_waits:
        Scenario { second: Second::WaitsElsewhere, ..Scenario::new("waits_elsewhere") };
    a_caller_of_another_process_waits_for_an_announced_effect:
        Scenario { second: Second::WaitsElsewhere, announces: true, ..Scenario::new("waits_announced") };
    a_caller_on_a_clock_that_is_ahead_takes_nothing_from_a_living_owner:
        Scenario { long: true, announces: true, second: Second::WaitsAhead, ..Scenario::new("ahead") };
    another_request_under_the_key_gets_no_outcome_of_this_one:
        Scenario { second: Second::Other, ..Scenario::new("other") };
    another_request_that_takes_over_keeps_its_outcome_to_itself:
        Scenario { second: Second::OtherLater, ..Scenario::new("other_later") };
    what_became_of_an_announced_effect_is_found_out:
        Scenario { announces: true, reconciles: true, ..Scenario::new("reconciled") };
    what_became_of_an_unclassified_error_is_found_out: Scenario {
        announces: true,
        reconciles: true,
        ends: Ends::FirstUnclassified,
        ..Scenario::new("reconciled_unclassified")
    };
    what_became_of_a_held_attempt_is_found_out_by_a_waiting_caller: Scenario {
        hold: true,
        reconciles: true,
        second: Second::WaitsElsewhere,
        ..Scenario::new("reconciled_held")
    };
    what_became_of_an_announced_effect_is_found_out_by_a_sweep:
        Scenario { announces: true, reconciles: true, second: Second::Sweeps, ..Scenario::new("swept") };
    an_effect_of_a_dead_attempt_that_happened_is_found_out: Scenario {
        announces: true,
        reconciles: true,
        inherits: Some(true),
        ..Scenario::new("inherited_effect")
    };
    an_effect_of_a_dead_attempt_that_did_not_happen_is_found_out: Scenario {
        announces: true,
        reconciles: true,
        inherits: Some(false),
        ..Scenario::new("inherited_nothing")
    };
    an_error_that_says_unknown_makes_the_outcome_unknown:
        Scenario { ends: Ends::FirstUnknown, ..Scenario::new("unknown") };
    a_body_that_meets_its_deadline_runs_elsewhere:
        Scenario { long: true, deadline: true, ..Scenario::new("deadline") };
    a_detached_body_goes_on_without_its_caller: Scenario { detached: true, ..Scenario::new("detached") };
    a_detached_body_announces_its_effect:
        Scenario { detached: true, announces: true, ..Scenario::new("detached_announced") };
    a_body_longer_than_its_lease_is_renewed: Scenario { long: true, ..Scenario::new("long") };
    a_long_body_is_waited_for_by_another_process:
        Scenario { long: true, second: Second::WaitsElsewhere, ..Scenario::new("long_waits_elsewhere") };
    a_long_body_announces_its_effect: Scenario { long: true, announces: true, ..Scenario::new("long_announced") };
}

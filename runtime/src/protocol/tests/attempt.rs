//! What one caller does with the answers.

use super::*;
use crate::claim::Previous;
use crate::protocol::attempt::{Action, Answer, At, Attempt, Ending, Event, Policy, Stopped, Verdict};
use crate::record::OnCrash;
use crate::store_error::StoreErrorKind;
use crate::write::{Refusal, Written};

const POLICY: Policy = Policy {
    lease: LEASE,
    skew_budget: SKEW,
    deadline: None,
    wait: None,
    on_crash: OnCrash::Rerun,
    probes: false,
    seed: 42,
};

fn moment(seconds: u64) -> At {
    At { wall: at(seconds), monotonic: Duration::from_secs(seconds) }
}

fn acquired(lease_until: Timestamp, previous: Previous) -> Claim {
    Claim::Acquired { epoch: Epoch::new(9), attempt: 1, lease_until, previous }
}

fn in_progress() -> Claim {
    Claim::InProgress { since: at(0), lease_until: at(30) }
}

fn begun(policy: Policy) -> Attempt {
    let (attempt, action) = Attempt::new(policy).step(Event::Begin(moment(0)));
    assert!(matches!(action, Action::Claim { new_owner: true, .. }), "{action:?}");
    attempt
}

/// An attempt that has claimed at second 0 and runs.
fn running(policy: Policy) -> Attempt {
    let claim = acquired(at(30), Previous::Nothing);
    let (attempt, action) = begun(policy).step(Event::Claimed(moment(0), Ok(&claim)));
    assert!(matches!(action, Action::Run { .. }), "{action:?}");
    attempt
}

fn applied(seconds: u64) -> Written {
    Written::Applied { lease_until: at(seconds) }
}

#[test]
fn the_body_runs_until_a_third_of_the_lease_and_then_the_lease_is_renewed() {
    let attempt = running(POLICY);
    let (attempt, action) = attempt.step(Event::Polling(moment(4)));
    assert_eq!(action, Action::Run { wake_in: Duration::from_secs(6) });
    let (attempt, action) = attempt.step(Event::Polling(moment(10)));
    assert_eq!(action, Action::Renew { lease_until: at(40) });
    // The body goes on while the renewal is under way, and no second one is begun.
    let (attempt, action) = attempt.step(Event::Polling(moment(11)));
    assert_eq!(action, Action::Run { wake_in: Duration::from_secs(17) });
    let (_, action) = attempt.step(Event::Renewed(moment(12), Ok(&applied(40))));
    assert_eq!(action, Action::Run { wake_in: Duration::from_secs(8) });
}

#[test]
fn the_body_is_not_polled_at_the_end_of_what_the_owner_may_trust() {
    let (_, action) = running(POLICY).step(Event::Polling(moment(28)));
    assert_eq!(action, Action::Stop(Stopped::NotRenewed));
    let mut late = moment(28);
    late.monotonic -= Duration::from_millis(1);
    late.wall = late.wall.minus(Duration::from_millis(1));
    let (_, action) = running(POLICY).step(Event::Polling(late));
    assert!(matches!(action, Action::Renew { .. }), "{action:?}");
}

#[test]
fn a_process_that_was_frozen_does_not_run_on() {
    // A frozen machine: wall time has passed, monotonic time has not.
    let frozen = At { wall: at(60), monotonic: Duration::from_secs(1) };
    assert_eq!(running(POLICY).step(Event::Polling(frozen)).1, Action::Stop(Stopped::NotRenewed));
    // A clock set back: monotonic time has passed, wall time has not.
    let set_back = At { wall: at(0), monotonic: Duration::from_secs(60) };
    assert_eq!(running(POLICY).step(Event::Polling(set_back)).1, Action::Stop(Stopped::NotRenewed));
}

#[test]
fn a_claim_whose_answer_took_too_long_never_polls_the_body_and_is_given_back() {
    let claim = acquired(at(30), Previous::Nothing);
    for on_crash in [OnCrash::Rerun, OnCrash::Hold] {
        let late = begun(Policy { on_crash, ..POLICY });
        let (attempt, action) = late.step(Event::Claimed(moment(29), Ok(&claim)));
        assert_eq!(action, Action::Finish(Ending::Release));
        let (_, action) = attempt.step(Event::Finished(moment(29), Ok(&applied(30))));
        assert_eq!(action, Action::Answer(Answer::Own));
    }
}

#[test]
fn a_refused_renewal_stops_the_body_at_once() {
    let (attempt, _) = running(POLICY).step(Event::Polling(moment(10)));
    let refused = Written::Refused(Refusal::TakenOver);
    let (attempt, action) = attempt.step(Event::Renewed(moment(11), Ok(&refused)));
    assert_eq!(action, Action::Stop(Stopped::Refused));
    assert!(attempt.held().is_none());
}

#[test]
fn a_renewal_that_failed_is_tried_again_within_the_lease() {
    let (attempt, _) = running(POLICY).step(Event::Polling(moment(10)));
    let (attempt, action) = attempt.step(Event::Renewed(moment(11), Err(StoreErrorKind::Unavailable)));
    assert_eq!(action, Action::Run { wake_in: Duration::from_millis(2_500) });
    let (_, action) = attempt.step(Event::Polling(moment(14)));
    assert_eq!(action, Action::Renew { lease_until: at(44) });
}

#[test]
fn a_renewal_on_a_clock_that_was_set_back_buys_no_trust() {
    let set_back = At { wall: at(0), monotonic: Duration::from_secs(10) };
    let (attempt, action) = running(POLICY).step(Event::Polling(set_back));
    // At second 0 of the wall the new lease would be as long as the stored one: nothing later is to be had.
    assert_eq!(action, Action::Renew { lease_until: at(30) });
    let (attempt, _) = attempt.step(Event::Renewed(set_back, Ok(&applied(31))));
    let end = At { wall: at(0), monotonic: Duration::from_secs(28) };
    assert_eq!(attempt.step(Event::Polling(end)).1, Action::Stop(Stopped::NotRenewed));
}

#[test]
fn a_deadline_caps_the_lease_and_ends_its_renewal() {
    let policy = Policy { deadline: Some(at(20)), ..POLICY };
    let (attempt, action) = Attempt::new(policy).step(Event::Begin(moment(0)));
    assert_eq!(action, Action::Claim { new_owner: true, lease_until: at(20) });
    let claim = acquired(at(20), Previous::Nothing);
    let (attempt, action) = attempt.step(Event::Claimed(moment(0), Ok(&claim)));
    assert_eq!(action, Action::Run { wake_in: Duration::from_secs(18) });
    assert_eq!(attempt.step(Event::Polling(moment(18))).1, Action::Stop(Stopped::NotRenewed));
}

#[test]
fn no_claim_is_made_when_no_lease_fits_before_the_deadline() {
    for deadline in [at(0), at(2)] {
        let policy = Policy { deadline: Some(deadline), ..POLICY };
        let (_, action) = Attempt::new(policy).step(Event::Begin(moment(0)));
        assert_eq!(action, Action::Answer(Answer::DeadlineTooNear));
    }
}

#[test]
fn a_claim_whose_answer_was_lost_is_repeated_by_the_same_owner_and_trusted_from_the_first_ask() {
    let (attempt, action) = begun(POLICY).step(Event::Claimed(moment(5), Err(StoreErrorKind::Unavailable)));
    assert!(matches!(action, Action::Pause(_)), "{action:?}");
    let (attempt, action) = attempt.step(Event::Woke(moment(6)));
    assert_eq!(action, Action::Claim { new_owner: false, lease_until: at(36) });
    let claim = acquired(at(30), Previous::Own);
    let (attempt, _) = attempt.step(Event::Claimed(moment(7), Ok(&claim)));
    assert_eq!(attempt.step(Event::Polling(moment(28))).1, Action::Stop(Stopped::NotRenewed));
}

#[test]
fn a_lost_claim_that_is_applied_late_is_trusted_from_when_it_was_asked_for() {
    let policy = Policy { wait: Some(Duration::from_secs(60)), ..POLICY };
    // Asked at 0; the answer is lost; asked again at 6 and told that another owner holds the key.
    let (attempt, _) = begun(policy).step(Event::Claimed(moment(5), Err(StoreErrorKind::Unavailable)));
    let (attempt, _) = attempt.step(Event::Woke(moment(6)));
    let (attempt, _) = attempt.step(Event::Claimed(moment(6), Ok(&in_progress())));
    // Meanwhile the first ask is applied; the third ask, on a clock set back, meets it.
    let set_back = At { wall: at(3), monotonic: Duration::from_secs(20) };
    let (attempt, _) = attempt.step(Event::Woke(set_back));
    let claim = acquired(at(30), Previous::Own);
    let (attempt, _) = attempt.step(Event::Claimed(set_back, Ok(&claim)));
    let end = At { wall: at(11), monotonic: Duration::from_secs(28) };
    assert_eq!(attempt.step(Event::Polling(end)).1, Action::Stop(Stopped::NotRenewed));
}

#[test]
fn a_renewal_that_meets_the_lease_it_asked_for_already_stored_buys_no_trust() {
    let set_back = At { wall: at(0), monotonic: Duration::from_secs(10) };
    let (attempt, action) = running(POLICY).step(Event::Polling(set_back));
    assert_eq!(action, Action::Renew { lease_until: at(30) });
    let (attempt, _) = attempt.step(Event::Renewed(set_back, Ok(&applied(30))));
    let end = At { wall: at(0), monotonic: Duration::from_secs(28) };
    assert_eq!(attempt.step(Event::Polling(end)).1, Action::Stop(Stopped::NotRenewed));
}

#[test]
fn an_error_of_the_store_at_the_claim_runs_nothing() {
    let (_, action) = begun(POLICY).step(Event::Claimed(moment(0), Err(StoreErrorKind::Corrupt)));
    assert_eq!(action, Action::Answer(Answer::StoreFailed));
    let mut attempt = begun(POLICY);
    for round in 0.. {
        let (next, action) = attempt.step(Event::Claimed(moment(0), Err(StoreErrorKind::Unavailable)));
        if action == Action::Answer(Answer::StoreFailed) {
            assert_eq!(round, 2);
            break;
        }
        attempt = next.step(Event::Woke(moment(0))).0;
    }
}

#[test]
fn a_used_owner_is_replaced_but_not_for_ever() {
    let mut attempt = begun(POLICY);
    for _ in 0..3 {
        let (next, action) = attempt.step(Event::Claimed(moment(0), Ok(&Claim::OwnerUsed)));
        assert_eq!(action, Action::Claim { new_owner: true, lease_until: at(30) });
        attempt = next;
    }
    let (_, action) = attempt.step(Event::Claimed(moment(0), Ok(&Claim::OwnerUsed)));
    assert_eq!(action, Action::Answer(Answer::Found));
}

#[test]
fn without_waiting_in_progress_is_the_answer() {
    let (_, action) = begun(POLICY).step(Event::Claimed(moment(0), Ok(&in_progress())));
    assert_eq!(action, Action::Answer(Answer::Found));
}

#[test]
fn waiting_asks_again_with_growing_jittered_pauses_until_its_own_deadline() {
    let policy = Policy { wait: Some(Duration::from_secs(5)), ..POLICY };
    let mut attempt = begun(policy);
    let mut now = moment(0);
    let mut pauses = Vec::new();
    loop {
        let (next, action) = attempt.step(Event::Claimed(now, Ok(&in_progress())));
        let Action::Pause(pause) = action else {
            assert_eq!(action, Action::Answer(Answer::Found));
            break;
        };
        pauses.push(pause);
        now = At { wall: now.wall.plus(pause), monotonic: now.monotonic + pause };
        let (next, action) = next.step(Event::Woke(now));
        assert!(matches!(action, Action::Claim { new_owner: false, .. }), "{action:?}");
        attempt = next;
    }
    assert_eq!(now.monotonic, Duration::from_secs(5));
    assert!(pauses[0] >= Duration::from_millis(5) && pauses[0] <= Duration::from_millis(10));
    assert!(pauses.iter().all(|pause| *pause <= Duration::from_millis(500)));
    assert!(pauses.len() < 40, "{pauses:?}");
}

#[test]
fn the_final_write_waits_for_the_renewal_under_way() {
    let (attempt, _) = running(POLICY).step(Event::Polling(moment(10)));
    let (attempt, action) = attempt.step(Event::Ended(moment(11), Verdict::Succeeded));
    assert_eq!(action, Action::AwaitWrite);
    let (_, action) = attempt.step(Event::Renewed(moment(12), Ok(&applied(40))));
    assert_eq!(action, Action::Finish(Ending::Complete));
}

fn finishing() -> Attempt {
    let (attempt, action) = running(POLICY).step(Event::Ended(moment(1), Verdict::Succeeded));
    assert_eq!(action, Action::Finish(Ending::Complete));
    attempt
}

#[test]
fn the_answer_follows_what_the_final_write_found() {
    let another = Written::Refused(Refusal::Finished(Box::new(completed())));
    for (written, answer) in [
        (applied(30), Answer::Own),
        (Written::AlreadyDone, Answer::Own),
        (another, Answer::Another),
        (Written::Refused(Refusal::TakenOver), Answer::Lost),
        (Written::Refused(Refusal::Gone), Answer::Lost),
    ] {
        let (_, action) = finishing().step(Event::Finished(moment(2), Ok(&written)));
        assert_eq!(action, Action::Answer(answer), "{written:?}");
    }
}

#[test]
fn a_value_that_the_store_does_not_take_is_completed_without_it() {
    let (attempt, action) = finishing().step(Event::Finished(moment(2), Err(StoreErrorKind::TooLarge)));
    assert_eq!(action, Action::Finish(Ending::CompleteNotKept));
    let (_, action) = attempt.step(Event::Finished(moment(2), Err(StoreErrorKind::TooLarge)));
    assert_eq!(action, Action::Answer(Answer::Unsaved));
}

#[test]
fn the_final_write_is_retried_while_the_lease_lasts_with_renewals_between() {
    let mut attempt = finishing();
    let mut now = moment(1);
    let mut renewals = 0;
    let mut tries = 1;
    loop {
        let (next, action) = attempt.step(Event::Finished(now, Err(StoreErrorKind::Unavailable)));
        let Action::Pause(pause) = action else {
            assert_eq!(action, Action::Answer(Answer::Unsaved));
            break;
        };
        now = At { wall: now.wall.plus(pause), monotonic: now.monotonic + pause };
        let (mut next, mut action) = next.step(Event::Woke(now));
        if let Action::Renew { lease_until } = action {
            renewals += 1;
            (next, action) = next.step(Event::Renewed(now, Ok(&Written::Applied { lease_until })));
        }
        assert_eq!(action, Action::Finish(Ending::Complete));
        tries += 1;
        attempt = next;
    }
    assert!((1..=4).contains(&renewals), "{renewals} renewals");
    assert!((20..200).contains(&tries), "{tries} tries");
    assert!(now.monotonic <= Duration::from_secs(33), "{now:?}");
}

#[test]
fn an_error_that_will_not_pass_is_not_retried() {
    let (_, action) = finishing().step(Event::Finished(moment(2), Err(StoreErrorKind::ReadOnly)));
    assert_eq!(action, Action::Answer(Answer::Unsaved));
}

#[test]
fn an_event_out_of_place_never_runs_a_body() {
    let finished = applied(30);
    let (attempt, action) = begun(POLICY).step(Event::Finished(moment(0), Ok(&finished)));
    assert_eq!(action, Action::Answer(Answer::Lost));
    assert_eq!(attempt.step(Event::Polling(moment(0))).1, Action::Answer(Answer::Lost));
}

#[test]
fn callers_that_wait_pause_for_different_times_within_their_bounds() {
    let wait = Some(Duration::from_secs(60));
    let mut pauses = std::collections::BTreeSet::new();
    for number in 0..400_u64 {
        let seed = number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let policy = Policy { wait, seed, ..POLICY };
        let (_, action) = begun(policy).step(Event::Claimed(moment(0), Ok(&in_progress())));
        let Action::Pause(pause) = action else { panic!("{action:?}") };
        assert!((Duration::from_millis(5)..=Duration::from_millis(10)).contains(&pause), "{pause:?}");
        pauses.insert(pause.as_micros() / 50);
    }
    // A hundred classes of fifty microseconds; a poor generator leaves most of them empty.
    assert!(pauses.len() > 85, "{} classes", pauses.len());
}

#[test]
fn a_deadline_ends_renewals_only_when_no_later_lease_is_to_be_had() {
    let far = Policy { deadline: Some(at(100)), ..POLICY };
    let (_, action) = running(far).step(Event::Polling(moment(10)));
    assert_eq!(action, Action::Renew { lease_until: at(40) });
    let near = Policy { deadline: Some(at(30)), ..POLICY };
    let (_, action) = running(near).step(Event::Polling(moment(10)));
    assert_eq!(action, Action::Run { wake_in: Duration::from_secs(18) });
}

#[test]
fn a_short_lease_is_renewed_in_time_for_a_second_try() {
    let short = Policy { lease: Duration::from_secs(5), ..POLICY };
    let claim = acquired(at(5), Previous::Nothing);
    let (_, action) = begun(short).step(Event::Claimed(moment(0), Ok(&claim)));
    assert_eq!(action, Action::Run { wake_in: Duration::from_millis(1_500) });
}

#[test]
fn of_two_asks_the_one_that_was_granted_says_how_long_the_lease_is_trusted() {
    let asked_twice = || {
        let (attempt, _) = begun(POLICY).step(Event::Claimed(moment(1), Err(StoreErrorKind::Unavailable)));
        attempt.step(Event::Woke(moment(5))).0
    };
    let second = acquired(at(35), Previous::Own);
    let (_, action) = asked_twice().step(Event::Claimed(moment(5), Ok(&second)));
    assert_eq!(action, Action::Run { wake_in: Duration::from_secs(10) });
    let first = acquired(at(30), Previous::Own);
    let (_, action) = asked_twice().step(Event::Claimed(moment(5), Ok(&first)));
    assert_eq!(action, Action::Run { wake_in: Duration::from_secs(5) });
}

#[test]
fn of_many_lost_asks_the_one_that_was_granted_says_how_long_the_lease_is_trusted() {
    let policy = Policy { wait: Some(Duration::from_secs(300)), ..POLICY };
    let lost = |attempt: Attempt, second| {
        let (attempt, _) = attempt.step(Event::Claimed(moment(second), Err(StoreErrorKind::Unavailable)));
        attempt.step(Event::Woke(moment(second + 1))).0
    };
    // Asked at 0, 6 and 12; the first two answers were lost.
    let asked_thrice = lost(lost(begun(policy), 5), 11);
    for granted in [30, 36, 42] {
        assert_eq!(trusted_until(&asked_thrice, &acquired(at(granted), Previous::Own)), granted - 2);
    }
}

/// The first second of which the body is not polled.
fn trusted_until(attempt: &Attempt, claim: &Claim) -> u64 {
    let (running, _) = attempt.step(Event::Claimed(moment(15), Ok(claim)));
    let stops = |second: &u64| {
        matches!(running.step(Event::Polling(moment(*second))).1, Action::Stop(Stopped::NotRenewed))
    };
    (15..120).find(stops).unwrap_or(120)
}

#[test]
fn a_call_that_loses_more_asks_than_it_remembers_trusts_none_of_them_for_too_long() {
    let policy = Policy { wait: Some(Duration::from_secs(300)), ..POLICY };
    let mut attempt = begun(policy);
    for second in 0..8 {
        (attempt, _) = attempt.step(Event::Claimed(moment(second), Err(StoreErrorKind::Unavailable)));
        (attempt, _) = attempt.step(Event::Woke(moment(second)));
        (attempt, _) = attempt.step(Event::Claimed(moment(second), Ok(&in_progress())));
        (attempt, _) = attempt.step(Event::Woke(moment(second + 1)));
    }
    for granted in 30..38 {
        let claim = acquired(at(granted), Previous::Own);
        let trusted = trusted_until(&attempt, &claim);
        assert!(trusted <= granted - 2, "a lease until {granted} is trusted until {trusted}");
    }
}

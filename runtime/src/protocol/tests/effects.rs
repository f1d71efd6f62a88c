//! What a caller does about effects: announcing them, ending without a verdict, finding out.

use super::*;
use crate::claim::Previous;
use crate::protocol::attempt::{
    Action, Answer, At, Attempt, Ending, Event, Finding, Policy, Stopped, Verdict,
};
use crate::record::OnCrash;
use crate::store_error::StoreErrorKind;
use crate::write::{Refusal, Written};

fn right(epoch: Epoch, lease_until: Timestamp) -> Claim {
    Claim::Probe { epoch, attempt: 1, lease_until, since: at(0) }
}

const POLICY: Policy = Policy {
    lease: LEASE,
    skew_budget: SKEW,
    deadline: None,
    wait: None,
    on_crash: OnCrash::Rerun,
    probes: true,
    seed: 42,
};

fn moment(seconds: u64) -> At {
    At { wall: at(seconds), monotonic: Duration::from_secs(seconds) }
}

/// An attempt whose claim at second 0 was answered so.
fn after_the_claim(policy: Policy, answer: &Claim) -> (Attempt, Action) {
    let (attempt, _) = Attempt::new(policy).step(Event::Begin(moment(0)));
    attempt.step(Event::Claimed(moment(0), Ok(answer)))
}

fn running(policy: Policy) -> Attempt {
    let lease_until = at(30);
    let answer =
        Claim::Acquired { epoch: Epoch::new(9), attempt: 1, lease_until, previous: Previous::Nothing };
    after_the_claim(policy, &answer).0
}

fn applied() -> Written {
    Written::Applied { lease_until: at(30) }
}

#[test]
fn whoever_may_find_out_looks_within_what_it_trusts_and_writes_what_it_finds() {
    let (attempt, action) = after_the_claim(POLICY, &right(Epoch::new(9), at(30)));
    assert_eq!(action, Action::Probe { within: Duration::from_secs(28) });
    let held = attempt.held().unwrap();
    assert_eq!((held.epoch, held.attempt), (Epoch::new(9), 1));
    for (finding, ending) in [
        (Finding::Applied, Ending::ResolveApplied),
        (Finding::AppliedNotKept, Ending::ResolveNotKept),
        (Finding::Failed, Ending::ResolveFailed),
        (Finding::FailedNotKept, Ending::ResolveFailedNotKept),
        (Finding::NotApplied, Ending::ResolveNotApplied),
    ] {
        let (attempt, action) = attempt.step(Event::Probed(moment(5), finding));
        assert_eq!(action, Action::Finish(ending));
        assert!(attempt.held().is_some());
        let (_, action) = attempt.step(Event::Finished(moment(5), Ok(&applied())));
        assert_eq!(action, Action::Answer(Answer::Own));
    }
    let (attempt, action) = attempt.step(Event::Probed(moment(5), Finding::StillUnknown));
    assert_eq!(action, Action::Answer(Answer::StillUnknown));
    assert!(attempt.held().is_none());
}

#[test]
fn whoever_could_find_out_waits_for_the_right_only_if_it_waits_at_all() {
    let still = Claim::Unknown { since: at(0), lease_until: at(30) };
    assert_eq!(after_the_claim(POLICY, &still).1, Action::Answer(Answer::Found));
    let wait = Some(Duration::from_secs(5));
    let waiting = Policy { wait, ..POLICY };
    assert!(matches!(after_the_claim(waiting, &still).1, Action::Pause(_)));
    let without = Policy { wait, probes: false, ..POLICY };
    assert_eq!(after_the_claim(without, &still).1, Action::Answer(Answer::Found));
}

#[test]
fn an_announcement_is_written_once_and_the_body_goes_on() {
    let (attempt, action) = running(POLICY).step(Event::EffectBegins(moment(1)));
    assert_eq!(action, Action::Announce);
    // The body may be polled meanwhile, and no second write is begun.
    let (attempt, action) = attempt.step(Event::Polling(moment(2)));
    assert_eq!(action, Action::Run { wake_in: Duration::from_secs(26) });
    let (attempt, action) = attempt.step(Event::Announced(moment(3), Ok(&applied())));
    assert_eq!(action, Action::Run { wake_in: Duration::from_secs(7) });
    let (_, action) = attempt.step(Event::EffectBegins(moment(4)));
    assert_eq!(action, Action::Run { wake_in: Duration::from_secs(6) });
}

#[test]
fn an_announcement_waits_for_the_renewal_under_way_and_for_a_store_that_failed() {
    let (attempt, _) = running(POLICY).step(Event::Polling(moment(10)));
    let (attempt, action) = attempt.step(Event::EffectBegins(moment(11)));
    assert_eq!(action, Action::Run { wake_in: Duration::from_secs(17) });
    let renewed = Written::Applied { lease_until: at(40) };
    let (attempt, action) = attempt.step(Event::Renewed(moment(12), Ok(&renewed)));
    assert_eq!(action, Action::Announce);
    let (attempt, action) = attempt.step(Event::Announced(moment(12), Err(StoreErrorKind::Unavailable)));
    let Action::Run { wake_in } = action else { panic!("{action:?}") };
    assert!(wake_in > Duration::ZERO && wake_in < Duration::from_secs(1), "{wake_in:?}");
    let (_, action) = attempt.step(Event::Polling(moment(13)));
    assert_eq!(action, Action::Announce);
}

#[test]
fn a_refused_announcement_stops_the_body() {
    let (attempt, _) = running(POLICY).step(Event::EffectBegins(moment(1)));
    let refused = Written::Refused(Refusal::TakenOver);
    let (_, action) = attempt.step(Event::Announced(moment(2), Ok(&refused)));
    assert_eq!(action, Action::Stop(Stopped::Refused));
}

#[test]
fn a_body_that_ends_during_its_announcement_waits_for_it_and_counts_as_announced() {
    let (attempt, _) = running(POLICY).step(Event::EffectBegins(moment(1)));
    let (attempt, action) = attempt.step(Event::Ended(moment(2), Verdict::Unclassified));
    assert_eq!(action, Action::AwaitWrite);
    let (_, action) = attempt.step(Event::Announced(moment(3), Err(StoreErrorKind::Unavailable)));
    assert_eq!(action, Action::Finish(Ending::MarkUnknown));
}

/// What is written about a body with this verdict.
fn ending(policy: Policy, announced: bool, verdict: Verdict) -> Ending {
    let mut attempt = running(policy);
    if announced {
        attempt = attempt.step(Event::EffectBegins(moment(1))).0;
        attempt = attempt.step(Event::Announced(moment(1), Ok(&applied()))).0;
    }
    match attempt.step(Event::Ended(moment(2), verdict)).1 {
        Action::Finish(ending) => ending,
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_end_has_its_write() {
    let rerun = POLICY;
    let hold = Policy { on_crash: OnCrash::Hold, ..POLICY };
    // The verdict; what it leads to, and what it leads to after an announcement; the same where a crash holds.
    let table = [
        (Verdict::Succeeded, [Ending::Complete; 4]),
        (Verdict::NotKept, [Ending::CompleteNotKept; 4]),
        (Verdict::Failed, [Ending::Fail; 4]),
        (Verdict::FailedNotKept, [Ending::FailNotKept; 4]),
        (Verdict::Retryable, [Ending::Release; 4]),
        (Verdict::Unknown, [Ending::MarkUnknown; 4]),
        (Verdict::Unclassified, [Ending::Release, Ending::MarkUnknown, Ending::Release, Ending::MarkUnknown]),
        (Verdict::Panicked, [Ending::Release, Ending::MarkUnknown, Ending::MarkUnknown, Ending::MarkUnknown]),
    ];
    for (verdict, expected) in table {
        let endings = [(rerun, false), (rerun, true), (hold, false), (hold, true)]
            .map(|(policy, announced)| ending(policy, announced, verdict));
        assert_eq!(endings, expected, "{verdict:?}");
    }
}

#[test]
fn a_store_that_takes_no_value_is_given_the_bare_fact() {
    for (verdict, bare) in
        [(Verdict::Succeeded, Ending::CompleteNotKept), (Verdict::Failed, Ending::FailNotKept)]
    {
        let (attempt, _) = running(POLICY).step(Event::Ended(moment(1), verdict));
        let (_, action) = attempt.step(Event::Finished(moment(1), Err(StoreErrorKind::TooLarge)));
        assert_eq!(action, Action::Finish(bare));
    }
    let (attempt, _) = after_the_claim(POLICY, &right(Epoch::new(9), at(30)));
    for (finding, bare) in
        [(Finding::Applied, Ending::ResolveNotKept), (Finding::Failed, Ending::ResolveFailedNotKept)]
    {
        let (attempt, _) = attempt.step(Event::Probed(moment(5), finding));
        let (_, action) = attempt.step(Event::Finished(moment(5), Err(StoreErrorKind::TooLarge)));
        assert_eq!(action, Action::Finish(bare));
    }
}

#[test]
fn a_probe_that_is_told_of_a_body_is_over() {
    let (attempt, _) = after_the_claim(POLICY, &right(Epoch::new(9), at(30)));
    assert_eq!(attempt.step(Event::Polling(moment(1))).1, Action::Answer(Answer::Lost));
}

#[test]
fn a_store_without_room_is_offered_the_value_three_times_before_the_bare_fact() {
    let (mut attempt, mut action) = running(POLICY).step(Event::Ended(moment(1), Verdict::Succeeded));
    let mut offered = Vec::new();
    for _ in 0..5 {
        let Action::Finish(ending) = action else { panic!("{action:?}") };
        offered.push(ending);
        attempt = attempt.step(Event::Finished(moment(1), Err(StoreErrorKind::Full))).0;
        (attempt, action) = attempt.step(Event::Woke(moment(1)));
    }
    let (value, bare) = (Ending::Complete, Ending::CompleteNotKept);
    assert_eq!(offered, [value, value, value, value, bare]);
}

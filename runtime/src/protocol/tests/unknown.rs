//! Unknown outcomes: how they come about, who may find out, and what settles them.

use super::*;
use crate::protocol::{claim, write};
use crate::write::{Change, OwnerWrite, Refusal, Written};

/// The record of an attempt of owner 1 at second 0 whose outcome is unknown.
fn unknown() -> Record {
    Record { status: Status::Unknown, announced: true, retain_until: None, ..claimed() }
}

fn probing(number: u8, seconds: u64) -> ClaimRequest {
    ClaimRequest { probe: true, ..request(number, seconds) }
}

fn right(epoch: Epoch, lease_until: Timestamp) -> Claim {
    Claim::Probe { epoch, attempt: 1, lease_until, since: at(0) }
}

#[test]
fn the_right_to_find_out_is_a_new_epoch_and_lease_on_an_outcome_that_stays_unknown() {
    let decision = claim(Some(&unknown()), &probing(2, 32));
    assert_eq!(decision.answer, right(claimed().epoch.next(), at(62)));
    let record = decision.write.unwrap();
    let expected =
        Record { owner: owner(2), epoch: claimed().epoch.next(), lease_until: at(62), ..unknown() };
    assert_eq!(record, expected);
}

#[test]
fn nobody_finds_out_before_the_lease_is_over_or_beside_another() {
    let early = claim(Some(&unknown()), &probing(2, 31));
    assert_eq!(early.answer, Claim::Unknown { since: at(0), lease_until: at(30) });
    assert_eq!(early.write, None);
    let granted = claim(Some(&unknown()), &probing(2, 32)).write.unwrap();
    let second = claim(Some(&granted), &probing(3, 40));
    assert_eq!((second.answer, second.write), (Claim::Unknown { since: at(0), lease_until: at(62) }, None));
    let third = claim(Some(&granted), &probing(3, 64));
    assert_eq!(third.answer, right(granted.epoch.next(), at(94)));
}

#[test]
fn who_cannot_find_out_gets_no_right_to() {
    let decision = claim(Some(&unknown()), &request(2, 32));
    assert_eq!(
        (decision.answer, decision.write),
        (Claim::Unknown { since: at(0), lease_until: at(30) }, None)
    );
}

#[test]
fn a_lost_answer_to_the_right_is_recognised_by_its_owner_and_by_nobody_else() {
    let granted = claim(Some(&unknown()), &probing(2, 32)).write.unwrap();
    let again = claim(Some(&granted), &probing(2, 33));
    assert_eq!((again.answer, again.write), (right(granted.epoch, at(62)), None));
    let without = claim(Some(&granted), &request(2, 33));
    assert_eq!(without.answer, Claim::Unknown { since: at(0), lease_until: at(62) });
}

#[test]
fn a_dead_attempt_that_may_have_had_its_effect_gives_the_right_at_once() {
    let announced = Record { announced: true, retain_until: None, ..claimed() };
    let decision = claim(Some(&announced), &probing(2, 32));
    assert_eq!(decision.answer, right(claimed().epoch.next(), at(62)));
    let record = decision.write.unwrap();
    assert_eq!((record.status, record.owner, record.retain_until), (Status::Unknown, owner(2), None));
}

#[test]
fn another_request_does_not_find_out() {
    let other = ClaimRequest { probe: true, ..other_request(2, 32) };
    let decision = claim(Some(&unknown()), &other);
    assert!(matches!(decision.answer, Claim::Mismatch { status: Status::Unknown, .. }), "{decision:?}");
    assert_eq!(decision.write, None);
}

/// A change by whoever was granted the right at second 32.
fn found(change: Change) -> OwnerWrite {
    OwnerWrite::new(key(), owner(2), claimed().epoch.next(), at(40), TTL, change)
}

fn granted() -> Record {
    claim(Some(&unknown()), &probing(2, 32)).write.unwrap()
}

fn value() -> RecordedValue {
    RecordedValue::new(1, Some(b"7".as_slice().into()))
}

#[test]
fn an_effect_that_happened_is_a_completion_and_one_that_did_not_frees_the_key() {
    let applied = write(Some(&granted()), &found(Change::ResolveApplied(value())));
    let record = applied.write.unwrap();
    assert_eq!((record.status, record.completed_at), (Status::Completed, Some(at(40))));
    assert_eq!((record.expires_at, record.value), (Some(at(640)), Some(value())));

    let failed = write(Some(&granted()), &found(Change::ResolveFailed(value())));
    let record = failed.write.unwrap();
    assert_eq!((record.status, record.expires_at), (Status::Failed, Some(at(640))));

    let not_applied = write(Some(&granted()), &found(Change::ResolveNotApplied));
    let record = not_applied.write.unwrap();
    assert_eq!((record.status, record.announced), (Status::Released, false));
    assert_eq!(record.retain_until, Some(at(640)));
    assert!(is_acquired(&claim(Some(&record), &request(3, 41)).answer, record.epoch.next(), 2));
}

#[test]
fn a_finding_that_is_sent_again_is_done() {
    for change in [Change::ResolveApplied(value()), Change::ResolveFailed(value()), Change::ResolveNotApplied]
    {
        let first = write(Some(&granted()), &found(change.clone())).write.unwrap();
        let second = write(Some(&first), &found(change));
        assert_eq!((second.answer, second.write), (Written::AlreadyDone, None));
    }
}

#[test]
fn only_findings_settle_an_unknown_outcome_and_they_settle_nothing_else() {
    let ordinary = [
        Change::Renew { lease_until: at(900) },
        Change::Announce,
        Change::Complete(value()),
        Change::Fail(value()),
        Change::Release,
    ];
    for change in ordinary {
        let decision = write(Some(&granted()), &found(change));
        assert_eq!((decision.answer, decision.write), (Written::Refused(Refusal::TakenOver), None));
    }
    for change in [Change::ResolveApplied(value()), Change::ResolveFailed(value()), Change::ResolveNotApplied]
    {
        let running = OwnerWrite::new(key(), owner(1), claimed().epoch, at(1), TTL, change);
        let decision = write(Some(&claimed()), &running);
        assert_eq!((decision.answer, decision.write), (Written::Refused(Refusal::TakenOver), None));
    }
}

#[test]
fn a_late_claim_does_not_let_the_record_go_sooner() {
    let record = Record { retain_until: Some(at(9_000)), ..released() };
    assert_eq!(claim(Some(&record), &request(2, 1)).write.unwrap().retain_until, Some(at(9_000)));
    assert_eq!(claim(Some(&released()), &request(2, 60)).write.unwrap().retain_until, Some(at(660)));
}

//! What an owner's write does.

use super::*;
use crate::protocol::write;
use crate::record::OnCrash;
use crate::write::{Change, OwnerWrite, Refusal, Written};

fn change(seconds: u64, change: Change) -> OwnerWrite {
    OwnerWrite::new(key(), owner(1), claimed().epoch, at(seconds), TTL, change)
}

fn value() -> RecordedValue {
    RecordedValue::new(1, Some(b"7".as_slice().into()))
}

fn all_changes() -> [Change; 6] {
    [
        Change::Renew { lease_until: at(90) },
        Change::Announce,
        Change::Complete(value()),
        Change::Fail(value()),
        Change::Release,
        Change::MarkUnknown,
    ]
}

#[test]
fn completion_counts_the_ttl_from_itself_and_keeps_the_tombstone_after_it() {
    let mut request = change(10, Change::Complete(value()));
    request.tombstone = Duration::from_secs(50);
    let decision = write(Some(&claimed()), &request);
    assert_eq!(decision.answer, Written::Applied { lease_until: at(30) });
    let record = decision.write.unwrap();
    assert_eq!((record.status, record.completed_at), (Status::Completed, Some(at(10))));
    assert_eq!((record.expires_at, record.retain_until), (Some(at(610)), Some(at(660))));
    assert_eq!(record.value, Some(value()));
}

#[test]
fn a_late_completion_applies_while_nobody_has_taken_over() {
    let decision = write(Some(&claimed()), &change(10_000, Change::Complete(value())));
    assert_eq!(decision.write.unwrap().status, Status::Completed);
}

#[test]
fn every_write_of_another_owner_or_epoch_is_refused() {
    for change_made in all_changes() {
        let other = OwnerWrite { owner: owner(2), ..change(1, change_made.clone()) };
        let older = OwnerWrite { epoch: Epoch::new(1), ..change(1, change_made) };
        for request in [other, older] {
            let decision = write(Some(&claimed()), &request);
            assert_eq!(decision.answer, Written::Refused(Refusal::TakenOver));
            assert_eq!(decision.write, None);
        }
    }
}

#[test]
fn a_purged_record_is_never_resurrected() {
    for change_made in all_changes() {
        let decision = write(None, &change(1, change_made));
        assert_eq!(decision.answer, Written::Refused(Refusal::Gone));
        assert_eq!(decision.write, None);
    }
}

#[test]
fn the_outcome_of_another_owner_is_told() {
    let record = Record { owner: owner(2), epoch: claimed().epoch.next(), ..completed() };
    for change_made in all_changes() {
        let decision = write(Some(&record), &change(1, change_made));
        assert_eq!(decision.answer, Written::Refused(Refusal::Finished(Box::new(record.clone()))));
        assert_eq!(decision.write, None);
    }
}

#[test]
fn a_final_write_whose_answer_was_lost_is_done() {
    for (change_made, status) in [
        (Change::Complete(value()), Status::Completed),
        (Change::Fail(value()), Status::Failed),
        (Change::Release, Status::Released),
        (Change::MarkUnknown, Status::Unknown),
    ] {
        let first = write(Some(&claimed()), &change(1, change_made.clone())).write.unwrap();
        assert_eq!(first.status, status);
        let second = write(Some(&first), &change(2, change_made));
        assert_eq!((second.answer, second.write), (Written::AlreadyDone, None));
    }
}

#[test]
fn an_own_final_record_takes_no_other_change() {
    for change_made in [Change::Renew { lease_until: at(99) }, Change::Announce, Change::Release] {
        let decision = write(Some(&completed()), &change(6, change_made));
        assert!(matches!(decision.answer, Written::Refused(Refusal::Finished(_))));
        assert_eq!(decision.write, None);
    }
}

#[test]
fn a_renewal_extends_lease_and_retention() {
    let decision = write(Some(&claimed()), &change(10, Change::Renew { lease_until: at(40) }));
    assert_eq!(decision.answer, Written::Applied { lease_until: at(40) });
    let record = decision.write.unwrap();
    assert_eq!((record.lease_until, record.retain_until), (at(40), Some(at(610))));
}

#[test]
fn a_late_renewal_never_shortens_the_lease() {
    for lease_until in [at(29), at(30)] {
        let decision = write(Some(&claimed()), &change(10, Change::Renew { lease_until }));
        assert_eq!(decision.answer, Written::Applied { lease_until: at(30) });
        assert_eq!(decision.write, None);
    }
}

#[test]
fn a_release_by_hand_frees_nothing_that_may_have_happened() {
    let by_hand = change(10, Change::ReleaseByHand);
    let freed = write(Some(&claimed()), &by_hand).write.unwrap();
    assert_eq!((freed.status, freed.owner), (Status::Released, owner(1)));
    assert_eq!(write(Some(&freed), &by_hand).answer, Written::AlreadyDone);
    let announced = Record { announced: true, ..claimed() };
    let held = Record { on_crash: OnCrash::Hold, ..claimed() };
    for record in [announced, held] {
        let decision = write(Some(&record), &by_hand);
        assert_eq!((decision.answer, decision.write), (Written::Refused(Refusal::TakenOver), None));
    }
}

#[test]
fn a_release_keeps_owner_and_epoch() {
    let record = write(Some(&claimed()), &change(10, Change::Release)).write.unwrap();
    assert_eq!((record.status, record.owner, record.epoch), (Status::Released, owner(1), claimed().epoch));
    assert_eq!(record.retain_until, Some(at(610)));
}

#[test]
fn an_announced_or_unknown_attempt_is_never_forgotten() {
    let announced = write(Some(&claimed()), &change(1, Change::Announce)).write.unwrap();
    assert!(announced.announced);
    assert_eq!(announced.retain_until, None);
    let renewed = write(Some(&announced), &change(2, Change::Renew { lease_until: at(50) })).write.unwrap();
    assert_eq!(renewed.retain_until, None);
    let unknown = write(Some(&claimed()), &change(1, Change::MarkUnknown)).write.unwrap();
    assert_eq!(unknown.retain_until, None);
    let held = Record { on_crash: OnCrash::Hold, ..claimed() };
    let renewed = write(Some(&held), &change(2, Change::Renew { lease_until: at(50) })).write.unwrap();
    assert_eq!(renewed.retain_until, None);
}

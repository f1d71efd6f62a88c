//! What a claim finds, in the order of the checks.

use super::*;
use crate::claim::{OnExpired, Previous};
use crate::protocol::claim;
use crate::record::OnCrash;

#[test]
fn no_record_is_acquired_above_every_purged_epoch() {
    let decision = claim(None, &request(1, 0));
    let epoch = Epoch::new(at(0).as_millis() + 1);
    assert_eq!(
        decision.answer,
        Claim::Acquired { epoch, attempt: 1, lease_until: at(30), previous: Previous::Nothing }
    );
    let record = decision.write.unwrap();
    assert_eq!((record.status, record.owner, record.epoch), (Status::InProgress, owner(1), epoch));
    assert_eq!((record.claimed_at, record.lease_until), (at(0), at(30)));
    assert_eq!((record.value, record.completed_at, record.expires_at), (None, None, None));
    assert_eq!(record.retain_until, Some(at(600)));
    assert_eq!(record.fingerprint, Some(print("one")));
}

#[test]
fn a_final_outcome_is_replayed_up_to_its_last_instant() {
    for (status, seconds) in [(Status::Completed, 605), (Status::Failed, 6)] {
        let record = Record { status, ..completed() };
        let decision = claim(Some(&record), &request(2, seconds));
        assert_eq!(decision.answer, Claim::Final(Box::new(record)));
        assert_eq!(decision.write, None);
    }
}

#[test]
fn a_final_outcome_past_its_ttl_runs_again_with_a_higher_epoch_and_without_the_old_value() {
    for retained_until in [at(605), at(9_999)] {
        let record = Record { retain_until: Some(retained_until), attempt: 4, ..completed() };
        let mut late = request(2, 605);
        late.now = late.now.plus(Duration::from_millis(1));
        let decision = claim(Some(&record), &late);
        assert!(is_acquired(&decision.answer, record.epoch.next(), 1), "{:?}", decision.answer);
        let written = decision.write.unwrap();
        assert_eq!((written.value, written.completed_at, written.expires_at), (None, None, None));
    }
}

#[test]
fn a_final_outcome_past_its_ttl_is_expired_for_who_asks_until_its_tombstone_is_over() {
    let record = Record { retain_until: Some(at(700)), ..completed() };
    let reject = |seconds| ClaimRequest { on_expired: OnExpired::Reject, ..request(2, seconds) };
    let decision = claim(Some(&record), &reject(700));
    assert_eq!(decision.answer, Claim::Expired { since: at(605) });
    assert_eq!(decision.write, None);
    assert!(is_acquired(&claim(Some(&record), &reject(701)).answer, record.epoch.next(), 1));
}

#[test]
fn another_fingerprint_is_a_mismatch_before_the_status_is_looked_at() {
    let held = Record { on_crash: OnCrash::Hold, ..claimed() };
    let announced = Record { announced: true, ..claimed() };
    let cases = [
        ("live", claimed(), 10),
        ("dead for less than the skew budget", claimed(), 31),
        ("dead and held", held, 100),
        ("dead and announced", announced, 100),
        ("completed", completed(), 100),
        ("unknown", Record { status: Status::Unknown, ..claimed() }, 100),
        ("released and held", Record { on_crash: OnCrash::Hold, ..released() }, 100),
        ("released and announced", Record { announced: true, ..released() }, 100),
    ];
    for (name, record, seconds) in cases {
        let decision = claim(Some(&record), &other_request(2, seconds));
        let mismatch = Claim::Mismatch { since: at(0), status: record.status };
        assert_eq!(decision.answer, mismatch, "{name}");
        assert_eq!(decision.write, None, "{name}");
    }
}

#[test]
fn a_corrected_request_may_follow_a_predecessor_that_left_nothing_behind() {
    for record in [released(), claimed()] {
        let decision = claim(Some(&record), &other_request(2, 100));
        assert!(is_acquired(&decision.answer, record.epoch.next(), 2), "{:?}", decision.answer);
        assert_eq!(decision.write.unwrap().fingerprint, Some(print("two")));
    }
}

#[test]
fn a_side_without_a_fingerprint_compares_nothing() {
    let record = Record { fingerprint: None, ..completed() };
    assert!(matches!(claim(Some(&record), &request(2, 10)).answer, Claim::Final(_)));
    let asks_nothing = ClaimRequest { fingerprint: None, ..request(2, 10) };
    assert!(matches!(claim(Some(&completed()), &asks_nothing).answer, Claim::Final(_)));
}

#[test]
fn a_live_lease_is_in_progress_and_stays_so_through_the_skew_budget() {
    for millis in [0, 29_999, 30_000, 31_999] {
        let mut asked = request(2, 0);
        asked.now = asked.now.plus(Duration::from_millis(millis));
        let decision = claim(Some(&claimed()), &asked);
        assert_eq!(decision.answer, Claim::InProgress { since: at(0), lease_until: at(30) }, "{millis}");
        assert_eq!(decision.write, None, "{millis}");
    }
}

#[test]
fn a_ttl_shorter_than_the_body_frees_no_running_claim() {
    let record = Record { retain_until: Some(at(1)), ..claimed() };
    assert!(matches!(claim(Some(&record), &request(2, 31)).answer, Claim::InProgress { .. }));
}

#[test]
fn a_dead_lease_is_taken_over_once_the_skew_budget_is_over() {
    let record = claimed();
    let decision = claim(Some(&record), &request(2, 32));
    assert_eq!(
        decision.answer,
        Claim::Acquired {
            epoch: record.epoch.next(),
            attempt: 2,
            lease_until: at(62),
            previous: Previous::Abandoned
        }
    );
    assert_eq!(decision.write.unwrap().owner, owner(2));
}

#[test]
fn a_dead_lease_after_an_announcement_or_with_hold_becomes_unknown_and_never_expires() {
    let held = Record { on_crash: OnCrash::Hold, retain_until: None, ..claimed() };
    let announced = Record { announced: true, retain_until: None, ..claimed() };
    for record in [held, announced] {
        let decision = claim(Some(&record), &request(2, 32));
        assert_eq!(decision.answer, Claim::Unknown { since: at(0), lease_until: at(30) });
        let unknown = decision.write.unwrap();
        assert_eq!((unknown.status, unknown.retain_until), (Status::Unknown, None));
        assert_eq!((unknown.owner, unknown.epoch), (record.owner, record.epoch));
        let later = claim(Some(&unknown), &request(2, 999_999));
        assert_eq!((later.answer, later.write), (Claim::Unknown { since: at(0), lease_until: at(30) }, None));
    }
}

#[test]
fn a_held_attempt_is_never_forgotten() {
    let hold = ClaimRequest { on_crash: OnCrash::Hold, ..request(1, 0) };
    assert_eq!(claim(None, &hold).write.unwrap().retain_until, None);
}

#[test]
fn a_released_key_is_acquired_by_another_owner() {
    let record = released();
    let decision = claim(Some(&record), &request(2, 1));
    assert_eq!(
        decision.answer,
        Claim::Acquired {
            epoch: record.epoch.next(),
            attempt: 2,
            lease_until: at(31),
            previous: Previous::Released
        }
    );
}

#[test]
fn a_late_duplicate_of_a_claim_that_was_released_gets_nothing() {
    for asked in [request(1, 1), other_request(1, 1)] {
        let decision = claim(Some(&released()), &asked);
        assert!(
            matches!(decision.answer, Claim::OwnerUsed | Claim::Mismatch { .. }),
            "{:?}",
            decision.answer
        );
        assert_eq!(decision.write, None);
    }
    assert_eq!(claim(Some(&released()), &request(1, 1)).answer, Claim::OwnerUsed);
}

#[test]
fn a_claim_whose_answer_was_lost_is_recognised_by_its_owner() {
    let record = claimed();
    let decision = claim(Some(&record), &request(1, 1));
    assert_eq!(
        decision.answer,
        Claim::Acquired { epoch: record.epoch, attempt: 1, lease_until: at(30), previous: Previous::Own }
    );
    assert_eq!(decision.write, None);
}

#[test]
fn a_forgotten_record_counts_as_none_but_its_epoch_goes_on() {
    let record = Record { attempt: 3, ..released() };
    assert!(is_acquired(&claim(Some(&record), &request(2, 605)).answer, record.epoch.next(), 4));
    assert!(is_acquired(&claim(Some(&record), &request(2, 606)).answer, record.epoch.next(), 1));
}

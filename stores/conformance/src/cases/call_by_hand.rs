//! What a person does about a record through the store handle, and handles that are switched off.

use idempotency_runtime::{
    ByHand, Change, Completion, Epoch, ErrorKind, Evict, IdempotencyKey, OnExpired, Outcome, Resolution,
    Status, StoreError, StoreErrorKind,
};

use crate::Tested;
use crate::call::*;
use crate::script::*;

fn key() -> IdempotencyKey {
    pay_key("1")
}

fn outcome(number: u32) -> Completion {
    Completion::new(&Receipt { number }, TTL).unwrap_or_else(|error| panic!("{error}"))
}

fn told(answer: Result<ByHand, StoreError>) -> ByHand {
    answer.unwrap_or_else(|error| panic!("the store failed: {error:?}"))
}

async fn resolve(store: &Tested, resolution: Resolution) -> ByHand {
    let epoch = store.inspect(&key()).await.map_or(Epoch::new(1), |record| record.epoch);
    told(store.handle().resolve(&key(), epoch, resolution).await)
}

async fn mark(store: &Tested, number: u32) -> ByHand {
    told(store.handle().mark_completed(&key(), outcome(number)).await)
}

async fn release(store: &Tested, held: &Held) -> ByHand {
    told(store.handle().release(&key(), held.epoch).await)
}

async fn pay_again(store: &Tested) -> Receipt {
    value_of(pay(store, "1").run(Ledger::new().pay()).await)
}

async fn claimed(store: &Tested) -> Held {
    store.acquire(request(ANN, START).of(&key())).await
}

/// Expects that a change by hand leaves the record as it is.
async fn changes_nothing(store: &Tested, change: impl AsyncFn() -> ByHand, expected: ByHand) {
    let before = store.inspect(&key()).await;
    assert_eq!(change().await, expected);
    assert_eq!(store.inspect(&key()).await, before);
}

pub async fn an_unknown_outcome_is_resolved_as_completed(store: &Tested) {
    let ann = claimed(store).await;
    store.apply(ann.mark_unknown(START)).await;
    store.advance(LEASE + SKEW);
    assert_eq!(resolve(store, Resolution::Completed(outcome(42))).await, ByHand::Done);
    assert_eq!(pay_again(store).await, Receipt { number: 42 });
    store.advance(TTL + MS);
    assert_eq!(pay_again(store).await, Receipt { number: 1 });
}

pub async fn an_unknown_outcome_is_resolved_as_not_applied(store: &Tested) {
    let ann = claimed(store).await;
    store.apply(ann.announce(START)).await;
    store.apply(ann.mark_unknown(START)).await;
    store.advance(LEASE + SKEW);
    assert_eq!(resolve(store, Resolution::NotApplied).await, ByHand::Done);
    assert_eq!(pay_again(store).await, Receipt { number: 1 });
    assert_eq!(store.record_of(&key()).await.attempt, 2);
}

pub async fn a_dead_announced_attempt_is_resolved_without_a_call_in_between(store: &Tested) {
    let ann = claimed(store).await;
    store.apply(ann.announce(START)).await;
    store.advance(LEASE + SKEW);
    assert_eq!(resolve(store, Resolution::Completed(outcome(42))).await, ByHand::Done);
    store.ignores(ann.release(lease_dead()), finished(store).await).await;
}

/// What a late owner is told.
async fn finished(store: &Tested) -> idempotency_runtime::Written {
    let record = Box::new(store.record_of(&key()).await);
    idempotency_runtime::Written::Refused(idempotency_runtime::Refusal::Finished(record))
}

pub async fn nothing_is_resolved_while_the_lease_lives(store: &Tested) {
    let ann = claimed(store).await;
    store.apply(ann.announce(START)).await;
    let too_early = ByHand::TooEarly { at: lease_dead() };
    let not_applied = async || resolve(store, Resolution::NotApplied).await;
    changes_nothing(store, &not_applied, too_early).await;
    store.apply(ann.mark_unknown(START)).await;
    changes_nothing(store, &not_applied, too_early).await;
    store.advance(LEASE + SKEW - MS);
    changes_nothing(store, &not_applied, too_early).await;
    store.advance(MS);
    assert_eq!(not_applied().await, ByHand::Done);
}

pub async fn nothing_is_resolved_while_a_probe_may_be_asking(store: &Tested) {
    let ann = claimed(store).await;
    store.apply(ann.mark_unknown(START)).await;
    store.advance(LEASE + SKEW);
    let bob = store.probe(request(BOB, lease_dead()).of(&key())).await;
    let too_early = ByHand::TooEarly { at: bob.lease_until.plus(SKEW) };
    changes_nothing(store, async || resolve(store, Resolution::NotApplied).await, too_early).await;
}

pub async fn what_is_known_is_not_resolved(store: &Tested) {
    let not_applied = async || resolve(store, Resolution::NotApplied).await;
    changes_nothing(store, &not_applied, ByHand::NotFound).await;
    let ann = claimed(store).await;
    store.advance(LEASE + SKEW);
    let changed = |status| ByHand::Changed { status, epoch: ann.epoch };
    changes_nothing(store, &not_applied, changed(Status::InProgress)).await;
    store.apply(ann.complete(lease_dead())).await;
    changes_nothing(store, &not_applied, changed(Status::Completed)).await;
}

pub async fn an_attempt_is_released_and_its_owner_refused(store: &Tested) {
    let ann = claimed(store).await;
    assert_eq!(release(store, &ann).await, ByHand::Done);
    assert_eq!(pay_again(store).await, Receipt { number: 1 });
    store.ignores(ann.complete(START), finished(store).await).await;
}

pub async fn what_may_have_happened_is_not_released(store: &Tested) {
    let ann = claimed(store).await;
    store.apply(ann.announce(START)).await;
    changes_nothing(store, async || release(store, &ann).await, ByHand::MayHaveHappened).await;
    store.apply(ann.mark_unknown(START)).await;
    let unknown = ByHand::Changed { status: Status::Unknown, epoch: ann.epoch };
    changes_nothing(store, async || release(store, &ann).await, unknown).await;
}

pub async fn only_the_attempt_that_was_looked_at_is_released(store: &Tested) {
    let ann = claimed(store).await;
    let bob = store.acquire(request(BOB, lease_dead()).of(&key())).await;
    let changed = ByHand::Changed { status: Status::InProgress, epoch: bob.epoch };
    changes_nothing(store, async || release(store, &ann).await, changed).await;
}

pub async fn work_that_was_done_before_is_recorded(store: &Tested) {
    assert_eq!(mark(store, 42).await, ByHand::Done);
    assert_eq!(pay_again(store).await, Receipt { number: 42 });
    let record = store.record_of(&key()).await;
    assert_eq!((record.status, record.fingerprint), (Status::Completed, None));
    assert_eq!((record.completed_at, record.expires_at), (Some(START), Some(after(TTL))));
}

pub async fn work_whose_value_nobody_knows_is_recorded(store: &Tested) {
    let marked = store.handle().mark_completed(&key(), Completion::without_value(TTL)).await;
    assert_eq!(told(marked), ByHand::Done);
    let call = pay(store, "1").run_as(Outcome::new(), Ledger::new().pay());
    assert_refused(call.await, ErrorKind::ValueNotKept);
}

pub async fn a_record_that_stands_is_not_marked_completed(store: &Tested) {
    let ann = claimed(store).await;
    let changed = |status| ByHand::Changed { status, epoch: ann.epoch };
    changes_nothing(store, async || mark(store, 42).await, changed(Status::InProgress)).await;
    let outcome = Change::Complete(value(r#"{"number":7}"#));
    store.apply(ann.change(START, outcome)).await;
    changes_nothing(store, async || mark(store, 42).await, changed(Status::Completed)).await;
    assert_eq!(pay_again(store).await, Receipt { number: 7 });
}

pub async fn an_unknown_outcome_is_not_marked_completed(store: &Tested) {
    let ann = claimed(store).await;
    store.apply(ann.mark_unknown(START)).await;
    store.advance(LEASE + SKEW);
    let unknown = ByHand::Changed { status: Status::Unknown, epoch: ann.epoch };
    changes_nothing(store, async || mark(store, 42).await, unknown).await;
}

pub async fn an_evicted_record_runs_again(store: &Tested) {
    assert_eq!(pay_again(store).await, Receipt { number: 1 });
    let ledger = Ledger::new();
    ledger.enter();
    let record = store.record_of(&key()).await;
    assert!(!store.evict(Evict::new(key(), record.epoch.next())).await);
    assert!(store.evict(Evict::new(key(), record.epoch)).await);
    assert_eq!(value_of(pay(store, "1").run(ledger.pay()).await), Receipt { number: 2 });
}

pub async fn a_handle_that_is_switched_off_runs_every_body_and_asks_nothing(store: &Tested) {
    let (counting, ledger) = (Counting::new(store), Ledger::new());
    let handle = counting.handle(store).disabled();
    for number in 1..4 {
        assert_eq!(value_of(pay_at(&handle, "1").run(ledger.pay()).await), Receipt { number });
    }
    let announced = pay_at(&handle, "1").run(ledger.announce(Ok(()))).await;
    value_of(announced);
    assert_eq!(counting.calls(), (0, 0, 0));
    assert_eq!(store.inspect(&key()).await, None);
}

pub async fn what_has_changed_since_it_was_looked_at_is_not_resolved(store: &Tested) {
    let ann = claimed(store).await;
    store.apply(ann.mark_unknown(START)).await;
    let looked_at = store.record_of(&key()).await.epoch;
    // Another call finds out that nothing has happened, pays, and does not know either.
    let bob = store.probe(request(BOB, lease_dead()).of(&key())).await;
    store.apply(bob.change(lease_dead(), Change::ResolveNotApplied)).await;
    let cat = store.acquire(request(CAT, lease_dead()).of(&key())).await;
    store.apply(cat.mark_unknown(lease_dead())).await;
    store.advance((LEASE + SKEW) * 2);
    let stale = async || told(store.handle().resolve(&key(), looked_at, Resolution::NotApplied).await);
    let changed = ByHand::Changed { status: Status::Unknown, epoch: cat.epoch };
    changes_nothing(store, stale, changed).await;
}

pub async fn an_unknown_outcome_is_resolved_as_failed(store: &Tested) {
    let ann = claimed(store).await;
    store.apply(ann.mark_unknown(START)).await;
    store.advance(LEASE + SKEW);
    let error = Completion::new(&Failure::Final(7), TTL).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(resolve(store, Resolution::Failed(error)).await, ByHand::Done);
    let outcome = Outcome::<Receipt, Failure>::new().classified();
    let answer = pay(store, "1").run_as(outcome, Ledger::new().pay()).await;
    assert!(matches!(answer, Err(Failure::Final(7))), "{answer:?}");
}

pub async fn what_is_resolved_or_marked_keeps_its_tombstone(store: &Tested) {
    let late = || pay(store, "1").on_expired(OnExpired::Reject).tombstone(TTL * 3);
    assert_eq!(
        told(store.handle().mark_completed(&key(), outcome(1).tombstone(TTL * 3)).await),
        ByHand::Done
    );
    store.advance(TTL * 2);
    assert_refused(late().run(Ledger::new().pay()).await, ErrorKind::Expired);
    store.advance(TTL * 3);
    let ann = store.acquire(request(ANN, START.plus(TTL * 5)).of(&key())).await;
    store.apply(ann.mark_unknown(START.plus(TTL * 5))).await;
    store.advance(LEASE + SKEW);
    let found = Resolution::Completed(outcome(2).tombstone(TTL * 3));
    assert_eq!(resolve(store, found).await, ByHand::Done);
    store.advance(TTL * 2);
    assert_refused(late().run(Ledger::new().pay()).await, ErrorKind::Expired);
}

pub async fn nothing_is_recorded_by_hand_for_less_than_hosts_may_differ(store: &Tested) {
    let ann = claimed(store).await;
    store.apply(ann.mark_unknown(START)).await;
    store.advance(LEASE + SKEW);
    let short = || Completion::without_value(SKEW * 2 - MS);
    let refused = |answer: Result<ByHand, StoreError>| match answer {
        Err(error) => assert_eq!(error.kind(), StoreErrorKind::Misconfigured),
        Ok(other) => panic!("{other:?}"),
    };
    let epoch = store.record_of(&key()).await.epoch;
    refused(store.handle().resolve(&key(), epoch, Resolution::Completed(short())).await);
    refused(store.handle().mark_completed(&pay_key("2"), short()).await);
    assert_eq!(store.record_of(&key()).await.status, Status::Unknown);
    assert_eq!(store.inspect(&pay_key("2")).await, None);
}

//! Sweeps: finding out about all unknown outcomes of an operation.

use std::future::{pending, ready};

use idempotency_runtime::{
    AnyStore, ErrorKind, ListRequest, OnExpired, Outcome, Reconciled, Status, StoreErrorKind, Sweep, Swept,
    UnknownOutcome,
};

use crate::Tested;
use crate::call::*;
use crate::script::*;

type Found = Result<Reconciled<Receipt>, Failure>;

/// Records of an operation `pay`, and of others that only look like it; all leases are dead.
async fn records(store: &Tested) {
    for text in ["pay:1", "pay:2", "payout:1", "pay.late:1", "shop/pay:1", "other/pay:1", "PAY:1"] {
        unknown(store, text).await;
    }
    let dead = store.acquire(request(ANN, START).of(&key_of("pay:3"))).await;
    store.apply(dead.announce(START)).await;
    store.acquire(request(ANN, START).of(&key_of("pay:4"))).await;
    let done = store.acquire(request(ANN, START).of(&key_of("pay:5"))).await;
    store.apply(done.complete(START)).await;
    store.advance(LEASE + SKEW);
}

async fn unknown(store: &Tested, text: &str) -> Held {
    let ann = store.acquire(request(ANN, START).of(&key_of(text)).validating(1)).await;
    store.apply(ann.mark_unknown(START)).await;
    ann
}

/// Sweeps `pay`, and says what was asked about. `None` for a store that cannot list, which must say so.
async fn sweep(
    store: &Tested,
    handle: &AnyStore,
    sweep: Sweep,
    found: impl Fn(&str) -> Found,
) -> Option<(Swept, Vec<String>)> {
    let asked = std::cell::RefCell::new(Vec::new());
    let probe = |about: UnknownOutcome| {
        asked.borrow_mut().push(about.key.as_str().to_owned());
        ready(found(about.key.as_str()))
    };
    let swept = handle.sweep(sweep, &Outcome::new(), probe).await;
    let asked = asked.take();
    match swept {
        Ok(swept) => Some((swept, asked)),
        Err(error) if !store.capabilities().listing => {
            assert_eq!((error.kind(), asked.len()), (StoreErrorKind::Misconfigured, 0), "{error}");
            None
        }
        Err(error) => panic!("the sweep failed: {error:?}"),
    }
}

fn all() -> Sweep {
    Sweep::new("pay", TTL)
}

fn counts(swept: Swept) -> [usize; 4] {
    [swept.applied, swept.not_applied, swept.still_unknown, swept.errors]
}

#[allow(clippy::unnecessary_wraps, reason = "a probe returns it so")]
fn applied(_: &str) -> Found {
    Ok(Reconciled::Applied(Receipt { number: 7 }))
}

async fn status(store: &Tested, text: &str) -> Status {
    store.record_of(&key_of(text)).await.status
}

pub async fn a_sweep_asks_about_the_unknown_and_the_dead_announced_ones_of_its_operation(store: &Tested) {
    records(store).await;
    let Some((swept, asked)) = sweep(store, &store.handle(), all(), applied).await else { return };
    assert_eq!(counts(swept), [3, 0, 0, 0]);
    assert_eq!(asked, ["pay:1", "pay:2", "pay:3"]);
    for text in asked {
        assert_eq!(status(store, &text).await, Status::Completed);
    }
    for text in ["payout:1", "pay.late:1", "shop/pay:1", "other/pay:1", "PAY:1"] {
        assert_eq!(status(store, text).await, Status::Unknown, "{text}");
    }
    assert_eq!(status(store, "pay:4").await, Status::InProgress);
    assert_eq!(value_of(pay(store, "2").run(Ledger::new().pay()).await), Receipt { number: 7 });
}

pub async fn a_sweep_keeps_to_its_namespace(store: &Tested) {
    records(store).await;
    let shop = store.handle().with_namespace("shop").unwrap_or_else(|error| panic!("{error}"));
    let Some((swept, asked)) = sweep(store, &shop, all(), applied).await else { return };
    assert_eq!((counts(swept), asked), ([1, 0, 0, 0], vec!["shop/pay:1".to_owned()]));
    assert_eq!(status(store, "pay:1").await, Status::Unknown);
}

pub async fn a_sweep_counts_what_was_found(store: &Tested) {
    for text in ["pay:1", "pay:2", "pay:3", "pay:4"] {
        unknown(store, text).await;
    }
    store.advance(LEASE + SKEW);
    let found = |text: &str| match text {
        "pay:1" => applied(text),
        "pay:2" => Ok(Reconciled::NotApplied),
        "pay:3" => Ok(Reconciled::StillUnknown),
        _ => Err(Failure::Declined(1)),
    };
    let Some((swept, _)) = sweep(store, &store.handle(), all(), found).await else { return };
    assert_eq!(counts(swept), [1, 1, 1, 1]);
    assert_eq!(status(store, "pay:2").await, Status::Released);
    assert_eq!(status(store, "pay:3").await, Status::Unknown);
    assert_eq!(status(store, "pay:4").await, Status::Unknown);
    assert_eq!(value_of(pay(store, "2").run(Ledger::new().pay()).await), Receipt { number: 1 });
}

pub async fn a_sweep_keeps_the_tombstone_of_the_operation(store: &Tested) {
    unknown(store, "pay:1").await;
    store.advance(LEASE + SKEW);
    let late = all().tombstone(TTL * 3);
    let Some((swept, _)) = sweep(store, &store.handle(), late, applied).await else { return };
    assert_eq!(counts(swept), [1, 0, 0, 0]);
    store.advance(TTL * 2);
    let call = pay(store, "1").on_expired(OnExpired::Reject).tombstone(TTL * 3);
    assert_refused(call.run(Ledger::new().pay()).await, ErrorKind::Expired);
}

pub async fn a_sweep_records_what_an_attempt_has_failed_with(store: &Tested) {
    unknown(store, "pay:1").await;
    store.advance(LEASE + SKEW);
    let probe = |_| ready(Err(Failure::Final(7)));
    let outcome = Outcome::<Receipt, Failure>::new().classified();
    let Ok(swept) = store.handle().sweep(all(), &outcome, probe).await else {
        assert!(!store.capabilities().listing);
        return;
    };
    assert_eq!((swept.failed, swept.errors), (1, 0));
    assert_eq!(status(store, "pay:1").await, Status::Failed);
}

pub async fn the_unknown_outcomes_of_an_operation_are_listed(store: &Tested) {
    records(store).await;
    match store.handle().unknown("pay").await {
        Ok(unknown) => {
            let keys: Vec<_> = unknown.iter().map(|record| record.key.as_str()).collect();
            assert_eq!(keys, ["pay:1", "pay:2", "pay:3"]);
        }
        Err(error) => assert!(!store.capabilities().listing, "{error:?}"),
    }
}

pub async fn a_sweep_leaves_alone_what_somebody_else_finds_out_about(store: &Tested) {
    unknown(store, "pay:1").await;
    unknown(store, "pay:2").await;
    store.advance(LEASE + SKEW);
    store.probe(request(BOB, lease_dead()).of(&key_of("pay:1"))).await;
    let Some((swept, asked)) = sweep(store, &store.handle(), all(), applied).await else { return };
    assert_eq!((counts(swept), asked), ([1, 0, 1, 0], vec!["pay:2".to_owned()]));
}

pub async fn a_sweep_asks_nobody_before_the_lease_is_dead(store: &Tested) {
    unknown(store, "pay:1").await;
    let held = store.acquire(request(ANN, START).of(&key_of("pay:2")).holding()).await;
    store.advance(LEASE + SKEW - MS);
    let Some((swept, asked)) = sweep(store, &store.handle(), all(), applied).await else { return };
    assert_eq!((counts(swept), asked.len()), ([0, 0, 1, 0], 0));
    store.apply(held.complete(after(LEASE))).await;
}

pub async fn a_sweep_gives_every_probe_a_lease_and_goes_on(store: &Tested) {
    if !store.capabilities().listing {
        let listed = store.list(ListRequest::default()).await;
        assert_eq!(listed, None);
        return;
    }
    unknown(store, "pay:1").await;
    unknown(store, "pay:2").await;
    store.advance(LEASE + SKEW);
    let handle = store.handle();
    let probe = |about: UnknownOutcome| async move {
        if about.key == key_of("pay:1") {
            return pending::<Found>().await;
        }
        applied("")
    };
    let sweep = tokio::spawn(async move { handle.sweep(all(), &Outcome::new(), probe).await });
    until(async || store.clock().sleepers() == 1 || sweep.is_finished()).await;
    store.advance(LEASE);
    let swept = sweep.await.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(swept.map(counts).ok(), Some([1, 0, 1, 0]));
}

pub async fn a_sweep_reaches_more_than_a_page(store: &Tested) {
    for number in 0..230 {
        unknown(store, &format!("pay:{number:03}")).await;
    }
    store.advance(LEASE + SKEW);
    let found = |_: &str| Ok(Reconciled::NotApplied);
    let Some((swept, asked)) = sweep(store, &store.handle(), all(), found).await else { return };
    assert_eq!((counts(swept), asked.len()), ([0, 230, 0, 0], 230));
}

//! What an operation asks for that a transaction cannot do, and what it can.

use std::sync::{Arc, Mutex};

use idempotency::store::SqliteTransaction;
use idempotency::{
    AnyStore, ByHand, CallEvent, Completion, DEFAULT_LEASE, Disposition, Error, ErrorKind, ManualClock, Mode,
    Observer, OnStoreError, Outcome, Timestamp, effect_begins, operation, with_reports,
};

use crate::{End, World, key};

fn call(tx: &SqliteTransaction) -> idempotency::Operation {
    operation("call").part("no", &1).ttl(DEFAULT_LEASE).store(tx)
}

#[tokio::test]
async fn a_detached_operation_is_an_error_and_its_body_does_not_run() {
    let world = World::new().await;
    let tx = world.begin().await;
    let ran = Arc::new(Mutex::new(false));
    let body = {
        let ran = ran.clone();
        async move {
            *ran.lock().unwrap() = true;
            Ok::<_, Error>(())
        }
    };
    let error = call(&tx).run_detached(Outcome::new(), body).await.unwrap_err();
    assert_eq!((error.kind(), *ran.lock().unwrap()), (ErrorKind::Misconfigured, false));
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn an_effect_elsewhere_is_an_error() {
    let world = World::new().await;
    let tx = world.begin().await;
    let error = call(&tx).run(async { effect_begins().await }).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Misconfigured);
    assert!(error.to_string().contains("inside a transaction"), "{error}");
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn a_body_never_runs_outside_of_its_transaction_whatever_store_errors_are_to_do() {
    let world = World::new().await;
    let tx = world.begin().await;
    let ended = call(&tx).on_store_error(OnStoreError::Run);
    tx.rollback().await;
    let ran = Arc::new(Mutex::new(false));
    let body = {
        let ran = ran.clone();
        async move {
            *ran.lock().unwrap() = true;
            Ok::<_, Error>(())
        }
    };
    let error = ended.run(body).await.unwrap_err();
    assert_eq!((error.kind(), *ran.lock().unwrap()), (ErrorKind::Store, false));
}

#[tokio::test]
async fn an_observed_operation_runs_at_every_call() {
    let world = World::new().await;
    let tx = world.begin().await;
    for duplicate in [false, true] {
        let observed = call(&tx).mode(Mode::Observe).run(async { Ok::<_, Error>(1) });
        let (value, reports) = with_reports(observed).await;
        assert_eq!((value.unwrap(), reports[0].disposition), (1, Disposition::Observed { duplicate }));
    }
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn a_value_that_cannot_be_carried_back_is_not_kept_and_never_made_again() {
    let world = World::new().await;
    let tx = world.begin().await;
    let (first, reports) = with_reports(call(&tx).run(async { Ok::<_, Error>(f64::NAN) })).await;
    assert!(first.unwrap().is_nan());
    assert_eq!(reports[0].disposition, Disposition::NotKept);
    tx.commit().await.unwrap();
    let tx = world.begin().await;
    let second = call(&tx).run(async { Ok::<_, Error>(1.0) }).await;
    assert_eq!(second.unwrap_err().kind(), ErrorKind::ValueNotKept);
}

#[tokio::test]
async fn another_request_under_the_key_is_a_mismatch() {
    let world = World::new().await;
    let tx = world.begin().await;
    let ask = |cents: u32| call(&tx).validate(&cents).run(async { Ok::<_, Error>(()) });
    ask(1).await.unwrap();
    assert_eq!(ask(2).await.unwrap_err().kind(), ErrorKind::Mismatch);
    ask(1).await.unwrap();
}

#[derive(Debug, Default)]
struct Told(Arc<Mutex<Vec<&'static str>>>);

impl Observer for Told {
    fn observe(&self, event: &CallEvent<'_>) {
        self.0.lock().unwrap().push(event.decision.name());
    }
}

#[tokio::test]
async fn namespace_clock_and_observer_are_those_of_a_handle() {
    let world = World::new().await;
    let told = Told::default();
    let events = told.0.clone();
    let clock = ManualClock::at(Timestamp::from_millis(1_000_000));
    let handle = AnyStore::new(world.store.clone()).with_namespace("shop").unwrap();
    let handle = handle.with_clock(clock).with_observer(told);
    let tx = world.begin().await.with_settings_of(&handle).unwrap();
    assert_eq!(world.place(&tx, 1, End::Value).await, Ok(1));
    assert_eq!(world.place(&tx, 1, End::Value).await, Ok(1));
    tx.commit().await.unwrap();
    let key = idempotency::IdempotencyKey::from_stored("shop/place:1");
    let record = handle.inspect(&key).await.unwrap().unwrap();
    assert_eq!(record.completed_at, Some(Timestamp::from_millis(1_000_000)));
    assert_eq!(*events.lock().unwrap(), ["claimed", "completed", "replayed"]);
    let other = World::new().await;
    let error = other.begin().await.with_settings_of(&handle).unwrap_err();
    assert!(error.to_string().contains("belong to a place"), "{error}");
}

#[tokio::test]
async fn an_outcome_by_hand_can_be_part_of_the_transaction() {
    let world = World::new().await;
    for commits in [false, true] {
        let tx = world.begin().await;
        let completion = Completion::new(&77_u32, DEFAULT_LEASE).unwrap();
        assert_eq!(tx.as_store().mark_completed(&key(1), completion).await.unwrap(), ByHand::Done);
        assert_eq!(world.place(&tx, 1, End::Value).await, Ok(77));
        if commits {
            tx.commit().await.unwrap();
        } else {
            tx.rollback().await;
        }
        assert_eq!(world.record(1).await.is_some(), commits);
    }
    assert_eq!(world.runs(), 0);
}

#[test]
fn a_transaction_and_what_it_is_asked_can_be_sent_to_other_threads() {
    fn is_send<T: Send>(value: T) -> T {
        value
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    runtime.block_on(async {
        let world = World::new().await;
        let tx = is_send(is_send(world.store.begin()).await.unwrap());
        is_send(tx.run(|db| db.execute_batch("SELECT 1"))).await.unwrap();
        is_send(world.place(&tx, 1, End::Value)).await.unwrap();
        is_send(tx.commit()).await.unwrap();
    });
}

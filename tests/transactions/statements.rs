//! Statements that meddle with the transaction that they run in, closures that block, and values that panic.

use std::future::poll_fn;
use std::sync::mpsc::channel;
use std::task::Poll;
use std::time::Duration;

use idempotency::store::{TransactionError, rusqlite};
use idempotency::{DEFAULT_LEASE, StoreErrorKind};

use crate::{End, SHORT, World, drop_after, insert, kind};

const FAMILIES: &str = "CREATE TABLE parents (id INTEGER PRIMARY KEY);
    CREATE TABLE children (id INTEGER REFERENCES parents DEFERRABLE INITIALLY DEFERRED)";

#[tokio::test]
async fn a_constraint_that_the_commit_finds_broken_is_an_error_of_the_statements() {
    let keys = |db: &rusqlite::Connection| db.pragma_update(None, "foreign_keys", true);
    let world = World::with(|builder| builder.on_connect(keys)).await;
    let tx = world.begin().await;
    tx.run(|db| db.execute_batch(FAMILIES)).await.unwrap();
    assert_eq!(world.place(&tx, 1, End::Value).await, Ok(1));
    tx.run(|db| db.execute("INSERT INTO children VALUES (1)", [])).await.unwrap();
    let late = tx.as_store().clone();
    let error = tx.commit().await.unwrap_err();
    let TransactionError::Sqlite(error) = error else { panic!("{error:?}") };
    assert_eq!(error.sqlite_error_code(), Some(rusqlite::ErrorCode::ConstraintViolation));
    let ended = late.inspect(&crate::key(1)).await.unwrap_err();
    assert!(ended.to_string().contains("nothing of it was applied"), "{ended}");
    assert_eq!((world.rows(), world.record(1).await), (0, None));
    world.begin().await.rollback().await;
}

#[tokio::test]
async fn a_statement_from_the_cache_is_looked_at_too() {
    let world = World::new().await;
    world.begin().await.rollback().await;
    for statement in ["ROLLBACK", "COMMIT", "BEGIN", "BEGIN IMMEDIATE"] {
        let tx = world.begin().await;
        let ran = tx.run(move |db| {
            let ended = db.prepare_cached(statement).and_then(|mut end| end.execute([]));
            db.execute("INSERT INTO orders VALUES (1, 1)", [])?;
            ended
        });
        assert_eq!(kind(&ran.await.unwrap_err()), StoreErrorKind::Misconfigured, "{statement}");
        assert_eq!(kind(&tx.commit().await.unwrap_err()), StoreErrorKind::RolledBack, "{statement}");
        assert_eq!(world.rows(), 0, "{statement}");
    }
}

/// Ends the transaction without a statement that says so.
fn roll_back_inside(db: &rusqlite::Connection) -> rusqlite::Result<()> {
    db.execute_batch("CREATE TABLE one (id INTEGER PRIMARY KEY); INSERT INTO one VALUES (1)")?;
    db.execute_batch("INSERT OR ROLLBACK INTO one VALUES (1)").expect_err("the row is there");
    Ok(())
}

#[tokio::test]
async fn what_follows_in_a_closure_that_lost_its_transaction_is_not_applied() {
    let world = World::new().await;
    for goes_on in [false, true] {
        let tx = world.begin().await;
        insert(&tx, 1).await.unwrap();
        let ran = tx.run(move |db| {
            roll_back_inside(db)?;
            if goes_on { db.execute("INSERT INTO orders VALUES (2, 2)", []) } else { Ok(0) }
        });
        let error = ran.await.unwrap_err();
        assert!(error.to_string().contains("SQLite has rolled back the transaction"), "{error}");
        assert_eq!(kind(&error), StoreErrorKind::RolledBack);
        assert_eq!(kind(&tx.commit().await.unwrap_err()), StoreErrorKind::RolledBack);
        assert_eq!(world.rows(), 0);
    }
}

/// Some 50 s of work, which nobody waits for.
const LONG: &str = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000000)
    SELECT max(i) FROM n";

#[tokio::test]
async fn a_statement_that_runs_at_the_end_of_its_time_is_interrupted() {
    let world = World::with(|builder| builder.transaction_timeout(SHORT * 10)).await;
    for swallows in [false, true] {
        let tx = world.begin().await;
        assert!(world.place(&tx, 1, End::Value).await.is_ok());
        let ran = tx.run(move |db| {
            let found = db.query_row(LONG, [], |row| row.get::<_, i64>(0));
            if swallows { Ok(0) } else { found }
        });
        let error = ran.await.unwrap_err();
        assert_eq!(kind(&error), StoreErrorKind::RolledBack);
        assert!(error.to_string().contains("was rolled back after"), "{error}");
        assert_eq!(kind(&tx.commit().await.unwrap_err()), StoreErrorKind::RolledBack);
        assert_eq!((world.rows(), world.record(1).await), (0, None));
    }
}

#[tokio::test]
async fn who_waits_behind_a_closure_that_blocks_is_turned_away() {
    let world = World::with(|builder| builder.busy_timeout(SHORT)).await;
    let tx = world.begin().await;
    let (goes_on, go_on) = channel();
    let blocks = tx.run(move |_| Ok(go_on.recv_timeout(DEFAULT_LEASE)));
    let (waited, second) = tokio::join!(blocks, async {
        let second = world.store.begin().await;
        goes_on.send(()).unwrap();
        second
    });
    assert_eq!(waited.unwrap(), Ok(()), "the second was told when the first had ended");
    let error = second.unwrap_err();
    assert_eq!(kind(&error), StoreErrorKind::Busy);
    assert!(error.to_string().contains("a transaction that was opened at"), "{error}");
    tx.commit().await.unwrap();
    world.begin().await.rollback().await;
}

#[tokio::test]
async fn a_call_that_is_dropped_before_its_body_begins_leaves_the_transaction_as_it_was() {
    let world = World::new().await;
    let tx = world.begin().await;
    {
        // The claim is not answered before it was polled.
        let (goes_on, go_on) = channel();
        assert!(!drop_after(1, tx.run(move |_| Ok(go_on.recv_timeout(DEFAULT_LEASE)))).await);
        let mut call = Box::pin(world.place(&tx, 1, End::Value));
        assert!(poll_fn(|cx| Poll::Ready(call.as_mut().poll(cx).is_pending())).await);
        goes_on.send(()).unwrap();
        // The claim is granted meanwhile, and nobody takes the answer.
        std::thread::sleep(SHORT);
    }
    assert_eq!(world.place(&tx, 2, End::Value).await, Ok(1));
    tx.commit().await.unwrap();
    assert_eq!((world.rows(), world.record(1).await), (1, None));
}

#[tokio::test]
async fn times_may_be_longer_than_a_clock_counts_and_as_short_as_nothing() {
    let for_ever = Duration::MAX;
    let world = World::with(|builder| builder.transaction_timeout(for_ever).busy_timeout(for_ever)).await;
    let tx = world.begin().await;
    let (committed, second) = tokio::join!(tx.commit(), world.store.begin());
    committed.unwrap();
    second.unwrap().rollback().await;
    let world = World::with(|builder| builder.busy_timeout(Duration::ZERO)).await;
    let tx = world.begin().await;
    assert_eq!(kind(&world.store.begin().await.unwrap_err()), StoreErrorKind::Busy);
    tx.commit().await.unwrap();
}

/// A value that panics where it is dropped.
struct Brittle;

impl Drop for Brittle {
    fn drop(&mut self) {
        assert!(std::thread::panicking(), "dropped");
    }
}

#[tokio::test]
async fn a_value_that_panics_when_nobody_takes_it_spoils_its_transaction_and_no_other() {
    let world = World::new().await;
    let tx = world.begin().await;
    let (goes_on, go_on) = channel();
    let call = tx.run(move |_| Ok((go_on.recv_timeout(DEFAULT_LEASE), Brittle)));
    assert!(!drop_after(1, call).await);
    goes_on.send(()).unwrap();
    let error = tx.commit().await.unwrap_err();
    assert!(error.to_string().contains("panicked when it was dropped"), "{error}");
    world.begin().await.rollback().await;
}

#[tokio::test]
async fn rows_that_were_acknowledged_are_never_lost_with_a_call_that_is_dropped_before_its_body_begins() {
    let world = World::new().await;
    let tx = world.begin().await;
    {
        // The claim is not answered before it was polled.
        let (goes_on, go_on) = channel();
        assert!(!drop_after(1, tx.run(move |_| Ok(go_on.recv_timeout(DEFAULT_LEASE)))).await);
        let mut call = Box::pin(world.place(&tx, 1, End::Value));
        assert!(poll_fn(|cx| Poll::Ready(call.as_mut().poll(cx).is_pending())).await);
        goes_on.send(()).unwrap();
        // Behind the claim, whose answer nobody takes.
        insert(&tx, 2).await.unwrap();
    }
    let committed = tx.commit().await;
    assert_eq!(world.rows(), i64::from(committed.is_ok()));
    let error = committed.unwrap_err();
    assert_eq!(kind(&error), StoreErrorKind::RolledBack);
    assert!(error.to_string().contains("beside the operation with key `place:1`"), "{error}");
}

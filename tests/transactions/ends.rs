//! How a body, and how a transaction ends.

use std::panic::AssertUnwindSafe;

use idempotency::store::{TransactionError, rusqlite};
use idempotency::{Disposition, Epoch, Status, StoreErrorKind, with_reports};

use crate::{End, OrderError, SHORT, World, caught, drop_after, insert, kind};

#[tokio::test]
async fn the_outcome_commits_with_the_rows_and_is_replayed() {
    let world = World::new().await;
    let tx = world.begin().await;
    assert_eq!(world.place(&tx, 1, End::Value).await, Ok(1));
    assert_eq!(world.rows(), 0, "nothing is seen before the commit");
    assert!(world.record(1).await.is_none());
    tx.commit().await.unwrap();
    assert_eq!((world.rows(), world.status(1).await), (1, Some(Status::Completed)));
    let tx = world.begin().await;
    let (replayed, reports) = with_reports(world.place(&tx, 1, End::Value)).await;
    assert_eq!((replayed, reports[0].disposition), (Ok(1), Disposition::Replayed));
    tx.commit().await.unwrap();
    assert_eq!((world.rows(), world.runs()), (1, 1));
}

#[tokio::test]
async fn a_transaction_that_is_rolled_back_or_dropped_leaves_nothing() {
    let world = World::new().await;
    for drops in [false, true] {
        let tx = world.begin().await;
        assert!(world.place(&tx, 1, End::Value).await.is_ok());
        if drops {
            drop(tx);
        } else {
            tx.rollback().await;
        }
        // The next one begins when that one is over.
        world.begin().await.rollback().await;
        assert_eq!((world.rows(), world.record(1).await), (0, None));
    }
    let tx = world.begin().await;
    assert_eq!(world.place(&tx, 1, End::Value).await, Ok(3), "it runs again");
}

#[tokio::test]
async fn a_retryable_error_or_a_panic_undoes_the_body_and_leaves_the_key_as_it_was() {
    for end in [End::Error(|| OrderError::Busy), End::Error(|| OrderError::Other("?".to_owned())), End::Panic]
    {
        for released in [false, true] {
            let world = World::new().await;
            if released {
                world.released(1).await;
            }
            let before = world.record(1).await;
            let tx = world.begin().await;
            insert(&tx, 7).await.unwrap();
            let ended = caught(world.place(&tx, 1, end)).await;
            assert_eq!(ended.is_err(), matches!(end, End::Panic));
            tx.commit().await.unwrap();
            assert_eq!(world.record(1).await, before, "{end:?}");
            assert_eq!(world.rows(), 1, "the row of the caller stays, that of the body does not");
        }
    }
}

#[tokio::test]
async fn a_terminal_error_is_recorded_without_the_rows_of_its_body() {
    let world = World::new().await;
    let tx = world.begin().await;
    for _ in 0..2 {
        let ended = world.place(&tx, 1, End::Error(|| OrderError::Blocked)).await;
        assert_eq!(ended, Err(OrderError::Blocked));
    }
    tx.commit().await.unwrap();
    assert_eq!((world.rows(), world.status(1).await, world.runs()), (0, Some(Status::Failed), 1));
}

#[tokio::test]
async fn an_error_that_says_unknown_holds_the_key() {
    let world = World::new().await;
    let tx = world.begin().await;
    assert_eq!(world.place(&tx, 1, End::Error(|| OrderError::TimedOut)).await, Err(OrderError::TimedOut));
    tx.commit().await.unwrap();
    assert_eq!((world.rows(), world.status(1).await), (0, Some(Status::Unknown)));
    let tx = world.begin().await;
    let told = world.place(&tx, 1, End::Value).await.unwrap_err().to_string();
    assert!(told.contains("inside a transaction nobody is asked"), "{told}");
    assert_eq!(world.runs(), 1);
}

#[tokio::test]
async fn a_body_that_was_dropped_half_way_is_undone_and_the_commit_refuses() {
    let world = World::new().await;
    let tx = world.begin().await;
    insert(&tx, 7).await.unwrap();
    let dropped = tokio::time::timeout(SHORT, world.place(&tx, 1, End::Never)).await;
    assert!(dropped.is_err());
    let refused = world.place(&tx, 2, End::Value).await.unwrap_err().to_string();
    assert!(refused.contains("the operation with key `place:1` was dropped half-way"), "{refused}");
    assert!(matches!(insert(&tx, 8).await, Err(TransactionError::Store(_))));
    let error = tx.commit().await.unwrap_err();
    assert_eq!(kind(&error), StoreErrorKind::RolledBack);
    assert!(error.to_string().contains("tests/transactions/main.rs:"), "{error}");
    assert!(error.to_string().contains("the operation with key `place:1` was dropped half-way"), "{error}");
    assert_eq!((world.rows(), world.record(1).await), (0, None));
}

#[tokio::test]
async fn a_call_that_is_dropped_at_any_point_leaves_all_or_nothing() {
    for polls in 1..12 {
        let world = World::new().await;
        let tx = world.begin().await;
        let finished = drop_after(polls, world.place(&tx, 1, End::Value)).await;
        let committed = tx.commit().await.is_ok();
        let kept = (world.rows(), world.status(1).await.is_some());
        assert!(kept == (0, false) || kept == (1, true), "after {polls} polls: {kept:?}");
        assert!(!finished || committed, "after {polls} polls");
    }
}

#[tokio::test]
async fn after_its_end_a_transaction_says_so() {
    let world = World::new().await;
    for commits in [true, false] {
        let tx = world.begin().await;
        let late = tx.as_store().clone();
        if commits {
            tx.commit().await.unwrap();
        } else {
            tx.rollback().await;
        }
        let error = late.inspect(&crate::key(1)).await.unwrap_err();
        let said =
            if commits { "is committed: open another one" } else { "is over, and nothing of it was applied" };
        assert!(error.to_string().contains(said), "{error}");
        let operation =
            idempotency::operation("late").part("no", &1).ttl(idempotency::DEFAULT_LEASE).store(late);
        let refused = operation.run(async { Ok::<_, idempotency::Error>(()) }).await.unwrap_err();
        assert_eq!(refused.kind(), idempotency::ErrorKind::Store);
    }
}

#[tokio::test]
async fn a_transaction_that_is_open_for_too_long_is_rolled_back_so_that_others_go_on() {
    let world = World::with(|builder| builder.transaction_timeout(SHORT * 10)).await;
    let tx = world.begin().await;
    assert_eq!(world.place(&tx, 1, End::Value).await, Ok(1));
    // Gets the lock when the first has lost it.
    let other = world.begin().await;
    assert_eq!(other.run(|db| db.execute("INSERT INTO orders VALUES (9, 9)", [])).await.unwrap(), 1);
    other.commit().await.unwrap();
    let error = tx.commit().await.unwrap_err();
    assert_eq!(kind(&error), StoreErrorKind::RolledBack);
    assert!(error.to_string().contains("was rolled back after"), "{error}");
    assert_eq!((world.rows(), world.record(1).await), (1, None));
}

#[tokio::test]
async fn statements_that_fail_leave_the_transaction_open() {
    let world = World::new().await;
    let tx = world.begin().await;
    let failed = tx.run(|db| db.execute("INSERT INTO orders VALUES (1, NULL)", [])).await;
    assert!(matches!(failed, Err(TransactionError::Sqlite(_))), "{failed:?}");
    insert(&tx, 2).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(world.rows(), 1);
}

#[tokio::test]
async fn a_closure_that_panics_does_so_in_its_caller_and_nothing_is_committed() {
    let world = World::new().await;
    let tx = world.begin().await;
    let panics = caught(tx.run(|db| -> rusqlite::Result<()> {
        db.execute("INSERT INTO orders VALUES (1, 1)", [])?;
        std::panic::panic_any(42_u8)
    }));
    assert_eq!(panics.await.unwrap_err().downcast_ref::<u8>(), Some(&42));
    let error = tx.commit().await.unwrap_err();
    assert!(error.to_string().contains("a closure panicked half-way"), "{error}");
    assert_eq!(world.rows(), 0);
    world.begin().await.rollback().await;
}

#[tokio::test]
async fn statements_that_would_end_the_transaction_are_refused() {
    let statements = [
        "COMMIT",
        "ROLLBACK",
        "END; BEGIN",
        "BEGIN",
        "RELEASE idempotency_operation_0",
        "ROLLBACK TO idempotency_operation_0",
        "SAVEPOINT Idempotency_Operation_0",
    ];
    for statement in statements {
        let world = World::new().await;
        let tx = world.begin().await;
        insert(&tx, 1).await.unwrap();
        let refused = tx.run(move |db| db.execute_batch(statement)).await.unwrap_err();
        assert!(
            refused.to_string().contains("which is done by `begin`, `commit` and `rollback`"),
            "{refused}"
        );
        assert_eq!(kind(&tx.commit().await.unwrap_err()), StoreErrorKind::RolledBack, "{statement}");
        assert_eq!(world.rows(), 0, "{statement}");
    }
}

#[tokio::test]
async fn statements_may_use_savepoints_of_their_own() {
    let world = World::new().await;
    let tx = world.begin().await;
    let statements = "SAVEPOINT mine; INSERT INTO orders VALUES (1, 1); ROLLBACK TO mine; RELEASE mine;
        INSERT INTO orders VALUES (2, 2)";
    tx.run(move |db| db.execute_batch(statements)).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(world.rows(), 1);
}

#[tokio::test]
async fn a_transaction_that_sqlite_has_rolled_back_says_so() {
    let world = World::with(|builder| builder.max_file_bytes(40 * 4096)).await;
    let tx = world.begin().await;
    let fill = |db: &rusqlite::Connection| {
        db.execute_batch("CREATE TABLE large (bytes BLOB); INSERT INTO large VALUES (zeroblob(10000000))")
    };
    assert!(matches!(tx.run(fill).await, Err(TransactionError::Sqlite(_))));
    let told = insert(&tx, 1).await;
    let committed = tx.commit().await;
    // A full file ends the statement, or the transaction: it is one of both, and it is said.
    match told {
        Ok(_) => assert!(committed.is_ok()),
        Err(error) => {
            assert!(error.to_string().contains("SQLite has rolled back the transaction"), "{error}");
            assert_eq!(kind(&committed.unwrap_err()), StoreErrorKind::RolledBack);
        }
    }
}

#[tokio::test]
async fn a_closure_that_returns_a_value_commits_and_one_that_returns_an_error_rolls_back() {
    let world = World::new().await;
    let placed = world.store.transaction(async |tx| world.place(tx, 1, End::Value).await).await;
    assert_eq!((placed, world.rows()), (Ok(1), 1));
    let failed = world.store.transaction(async |tx| {
        insert(tx, 2).await?;
        world.place(tx, 2, End::Error(|| OrderError::Blocked)).await
    });
    assert_eq!((failed.await, world.rows(), world.record(2).await), (Err(OrderError::Blocked), 1, None));
    let panics = world.store.transaction(async |tx| world.place(tx, 3, End::Panic).await);
    assert!(caught(AssertUnwindSafe(panics)).await.is_err());
    world.begin().await.rollback().await;
    assert_eq!((world.rows(), world.record(3).await), (1, None));
}

#[tokio::test]
async fn the_epoch_of_a_record_goes_on_from_the_one_before() {
    let world = World::new().await;
    world.released(1).await;
    let before = world.record(1).await.unwrap();
    let tx = world.begin().await;
    assert_eq!(world.place(&tx, 1, End::Value).await, Ok(1));
    tx.commit().await.unwrap();
    let after = world.record(1).await.unwrap();
    assert_eq!((after.epoch, after.attempt), (Epoch::new(before.epoch.get() + 1), 2));
}

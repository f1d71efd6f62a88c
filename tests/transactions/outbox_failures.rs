//! The outbox when locks are held for long, callers go away, and times have no end.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::channel;
use std::time::Duration;

use idempotency::DEFAULT_LEASE;
use idempotency::store::{OutboxMessage, enqueue, rusqlite};

use crate::outbox::{Mail, Office, mail, to};
use crate::{SHORT, World, drop_after};

/// A send that takes the message and never ends.
async fn dies(office: &Office, message: OutboxMessage<Mail>) -> Result<(), ()> {
    office.post.take(message);
    std::future::pending().await
}

#[tokio::test]
async fn a_send_that_may_take_for_ever_holds_its_topic() {
    let office = Office::new().await;
    office.enqueue(1..2).await;
    let first = office.dispatcher().send_timeout(Duration::MAX);
    let sending = first.send_due(|message| dies(&office, message));
    assert!(tokio::time::timeout(SHORT, sending).await.is_err());
    assert_eq!(office.send(&[]).await, (0, 0, 0), "the topic is held");
    assert_eq!(office.post.received(), [to(1, 1)]);
}

#[tokio::test]
async fn the_time_of_a_send_begins_when_the_topic_is_held() {
    let office = Office::new().await;
    office.enqueue(1..2).await;
    let tx = office.world.begin().await;
    let dispatcher = office.dispatcher();
    let sending = dispatcher.send_due(|message| dies(&office, message));
    let others = async {
        // The topic cannot be held before the transaction has ended, and the clock goes on.
        tokio::time::sleep(SHORT).await;
        office.clock.advance(Duration::from_secs(40));
        tx.commit().await.unwrap();
        while office.post.received().is_empty() {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        office.send(&[]).await
    };
    tokio::select! {
        _ = sending => panic!("it never ends"),
        sent = others => assert_eq!(sent, (0, 0, 0), "the topic is held"),
    }
}

#[tokio::test]
async fn a_dispatcher_that_could_not_let_go_of_its_topic_goes_on_with_it() {
    let office = Office::with(World::with(|builder| builder.busy_timeout(SHORT)).await);
    office.enqueue(1..2).await;
    let (path, attempts) = (&office.world.path, AtomicU32::new(0));
    let (arrived, mut arrivals) = tokio::sync::mpsc::unbounded_channel();
    let send = |message: OutboxMessage<Mail>| {
        if attempts.fetch_add(1, Ordering::SeqCst) == 0 {
            let other = rusqlite::Connection::open(path).unwrap();
            other.execute_batch("BEGIN IMMEDIATE").unwrap();
            arrived.send((message.attempt, Some(other))).unwrap();
        } else {
            arrived.send((message.attempt, None)).unwrap();
        }
        std::future::ready(Ok::<_, ()>(()))
    };
    let dispatcher = office.world.store.dispatcher("mail").poll_every(SHORT);
    let watch = async {
        let (_, other) = arrivals.recv().await.unwrap();
        // Neither that the message was sent nor the end of the topic's lease could be written down.
        tokio::time::sleep(SHORT * 4).await;
        drop(other);
        let second = tokio::time::timeout(Duration::from_secs(5), arrivals.recv()).await;
        assert!(second.is_ok(), "it waits for its own lease");
    };
    tokio::select! {
        error = dispatcher.run(send) => panic!("{error}"),
        () = watch => {}
    }
}

#[tokio::test]
async fn a_dispatcher_is_woken_by_a_commit_that_nobody_waits_for() {
    let office = Office::new().await;
    let (arrived, mut arrivals) = tokio::sync::mpsc::unbounded_channel();
    let send = |message: OutboxMessage<Mail>| std::future::ready(arrived.send(message.payload));
    // It would look by itself in an hour.
    let dispatcher = office.world.store.dispatcher("mail").poll_every(Duration::from_secs(3_600));
    let commit = async {
        let tx = office.world.begin().await;
        tx.enqueue("mail", &mail(1)).await.unwrap();
        let (goes_on, go_on) = channel();
        assert!(!drop_after(1, tx.run(move |_| Ok(go_on.recv_timeout(DEFAULT_LEASE)))).await);
        assert!(!drop_after(1, tx.commit()).await);
        goes_on.send(()).unwrap();
        let first = tokio::time::timeout(Duration::from_secs(5), arrivals.recv()).await;
        assert_eq!(first.ok().flatten(), Some(mail(1)));
    };
    tokio::select! {
        error = dispatcher.run(send) => panic!("{error}"),
        () = commit => {}
    }
}

#[test]
fn in_a_file_that_no_store_has_opened_nothing_is_written() {
    let connection = rusqlite::Connection::open_in_memory().unwrap();
    for _ in 0..2 {
        let error = enqueue(&connection, "mail", &mail(1)).unwrap_err();
        assert!(error.to_string().contains("no such table: idempotency_meta"), "{error}");
    }
    let tables = connection.query_row("SELECT count(*) FROM sqlite_master", [], |row| row.get::<_, i64>(0));
    assert_eq!(tables, Ok(0));
}

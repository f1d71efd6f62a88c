//! Messages that commit with the rows that they are about.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use idempotency::store::{Dispatched, Dispatcher, OutboxMessage, SqliteStore, TransactionError, enqueue};
use idempotency::{ManualClock, Timestamp};
use serde::{Deserialize, Serialize};

use crate::{End, SHORT, World, insert};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Mail {
    to: String,
}

pub(crate) fn mail(number: u32) -> Mail {
    Mail { to: format!("customer {number}") }
}

/// What was sent: to whom, under which key, at which attempt.
#[derive(Clone, Default)]
pub(crate) struct Post(Arc<Mutex<Vec<(String, String, u32)>>>);

impl Post {
    pub(crate) fn take(&self, message: OutboxMessage<Mail>) {
        let sent = (message.payload.to, message.id.to_string(), message.attempt);
        self.0.lock().unwrap().push(sent);
    }

    pub(crate) fn received(&self) -> Vec<(String, u32)> {
        self.0.lock().unwrap().iter().map(|(to, _, attempt)| (to.clone(), *attempt)).collect()
    }
}

pub(crate) fn to(number: u32, attempt: u32) -> (String, u32) {
    (mail(number).to, attempt)
}

pub(crate) struct Office {
    pub(crate) world: World,
    pub(crate) clock: ManualClock,
    pub(crate) post: Post,
}

impl Office {
    pub(crate) async fn new() -> Self {
        Self::with(World::new().await)
    }

    pub(crate) fn with(world: World) -> Self {
        let clock = ManualClock::at(Timestamp::from_millis(4_000_000_000_000));
        Self { world, clock, post: Post::default() }
    }

    pub(crate) async fn enqueue(&self, numbers: std::ops::Range<u32>) {
        let tx = self.world.begin().await;
        for number in numbers {
            tx.enqueue("mail", &mail(number)).await.unwrap();
        }
        tx.commit().await.unwrap();
    }

    pub(crate) fn dispatcher(&self) -> Dispatcher {
        self.world.store.dispatcher("mail").with_clock(self.clock.clone()).max_attempts(3)
    }

    /// Sends what is due; messages to these fail.
    pub(crate) async fn send(&self, fails: &[u32]) -> (usize, usize, usize) {
        let fails: Vec<_> = fails.iter().map(|number| mail(*number).to).collect();
        let send = async |message: OutboxMessage<Mail>| {
            let fails = fails.contains(&message.payload.to);
            self.post.take(message);
            if fails { Err("down") } else { Ok(()) }
        };
        let Dispatched { sent, failed, given_up, .. } = self.dispatcher().send_due(send).await.unwrap();
        (sent, failed, given_up)
    }

    fn waiting(&self) -> i64 {
        let connection = idempotency::store::rusqlite::Connection::open(&self.world.path).unwrap();
        // The first message makes the table.
        let tables = "SELECT count(*) FROM sqlite_master WHERE name = 'idempotency_outbox'";
        match connection.query_row(tables, [], |row| row.get(0)).unwrap() {
            0 => 0,
            _ => {
                connection.query_row("SELECT count(*) FROM idempotency_outbox", [], |row| row.get(0)).unwrap()
            }
        }
    }
}

#[tokio::test]
async fn a_message_is_sent_after_the_commit_and_never_without_it() {
    let office = Office::new().await;
    for commits in [false, true] {
        let tx = office.world.begin().await;
        insert(&tx, 1).await.unwrap();
        tx.enqueue("mail", &mail(1)).await.unwrap();
        assert_eq!(office.send(&[]).await, (0, 0, 0), "nothing is committed yet");
        if commits {
            tx.commit().await.unwrap();
        } else {
            tx.rollback().await;
        }
        assert_eq!(office.send(&[]).await, (usize::from(commits), 0, 0));
    }
    assert_eq!(office.post.received(), [to(1, 1)]);
    assert_eq!((office.world.rows(), office.waiting()), (1, 0));
}

#[tokio::test]
async fn a_message_of_a_body_that_fails_goes_with_its_rows() {
    let office = Office::new().await;
    let placed = office.world.store.transaction(async |tx| {
        tx.run(|db| {
            enqueue(db, "mail", &mail(1)).map_err(|error| match error {
                idempotency::store::EnqueueError::Sqlite(error) => error,
                other => panic!("{other}"),
            })
        })
        .await?;
        tx.run(|db| db.execute("INSERT INTO missing VALUES (1)", [])).await?;
        Ok::<_, TransactionError>(())
    });
    assert!(placed.await.is_err());
    assert_eq!(office.waiting(), 0);
    let tx = office.world.begin().await;
    tx.enqueue("mail", &mail(2)).await.unwrap();
    assert!(office.world.place(&tx, 1, End::Value).await.is_ok());
    tx.commit().await.unwrap();
    assert_eq!(office.send(&[]).await, (1, 0, 0));
}

#[tokio::test]
async fn messages_are_sent_in_their_order_and_one_that_fails_holds_up_those_behind_it() {
    let office = Office::new().await;
    office.enqueue(1..5).await;
    assert_eq!(office.send(&[2]).await, (1, 1, 0));
    assert_eq!(office.post.received(), [to(1, 1), to(2, 1)]);
    assert_eq!(office.send(&[]).await, (0, 0, 0), "the next attempt is not due");
    office.clock.advance(Duration::from_secs(1));
    assert_eq!(office.send(&[2]).await, (0, 1, 0));
    office.clock.advance(Duration::from_millis(1_999));
    assert_eq!(office.send(&[]).await, (0, 0, 0), "the pause has doubled");
    office.clock.advance(Duration::from_millis(1));
    assert_eq!(office.send(&[]).await, (3, 0, 0));
    let expected = [to(1, 1), to(2, 1), to(2, 2), to(2, 3), to(3, 1), to(4, 1)];
    assert_eq!(office.post.received(), expected);
}

#[tokio::test]
async fn the_key_of_a_message_is_the_same_at_every_attempt_and_its_alone() {
    let office = Office::new().await;
    office.enqueue(1..3).await;
    office.send(&[1]).await;
    office.clock.advance(Duration::from_secs(1));
    office.send(&[]).await;
    let keys: Vec<_> = office.post.0.lock().unwrap().iter().map(|(_, key, _)| key.clone()).collect();
    assert_eq!(keys.len(), 3);
    assert_eq!(keys[0], keys[1]);
    assert_ne!(keys[1], keys[2]);
    // Another file has other keys.
    let other = Office::new().await;
    other.enqueue(1..2).await;
    other.send(&[]).await;
    assert_ne!(other.post.0.lock().unwrap()[0].1, keys[0]);
}

#[tokio::test]
async fn a_message_that_fails_too_often_is_given_up_and_can_be_sent_again_or_removed() {
    let office = Office::new().await;
    office.enqueue(1..3).await;
    for expected in [(0, 1, 0), (0, 1, 0), (1, 0, 1)] {
        assert_eq!(office.send(&[1]).await, expected);
        office.clock.advance(Duration::from_secs(60));
    }
    let dead = office.world.store.dead_letters("mail", 10).await.unwrap();
    assert_eq!((dead.len(), dead[0].attempts), (1, 3));
    assert_eq!(office.send(&[]).await, (0, 0, 0));
    assert!(office.world.store.redrive(dead[0].id).await.unwrap());
    assert!(!office.world.store.redrive(dead[0].id).await.unwrap());
    assert_eq!(office.send(&[]).await, (1, 0, 0));
    office.enqueue(3..4).await;
    for _ in 0..3 {
        office.send(&[3]).await;
        office.clock.advance(Duration::from_secs(60));
    }
    let dead = office.world.store.dead_letters("mail", 10).await.unwrap();
    assert!(office.world.store.discard(dead[0].id).await.unwrap());
    assert!(!office.world.store.discard(dead[0].id).await.unwrap());
    assert_eq!(office.waiting(), 0);
    // That of another file is none of this one's.
    let other = Office::new().await;
    assert!(!other.world.store.redrive(dead[0].id).await.unwrap());
}

#[tokio::test]
async fn a_message_whose_sender_dies_is_sent_again_by_another_one_after_its_time() {
    let office = Office::new().await;
    office.enqueue(1..2).await;
    let dies = async |message: OutboxMessage<Mail>| {
        office.post.take(message);
        std::future::pending::<Result<(), ()>>().await
    };
    // Dropped after it was sent, before that is written down.
    assert!(tokio::time::timeout(SHORT, office.dispatcher().send_due(dies)).await.is_err());
    assert_eq!(office.send(&[]).await, (0, 0, 0), "the topic is held");
    office.clock.advance(Duration::from_secs(32) + Duration::from_millis(1));
    assert_eq!(office.send(&[]).await, (1, 0, 0));
    assert_eq!(office.post.received(), [to(1, 1), to(1, 1)]);
}

#[tokio::test]
async fn a_send_that_takes_too_long_is_dropped_and_counts_as_failed() {
    let office = Arc::new(Office::new().await);
    office.enqueue(1..2).await;
    let task = tokio::spawn({
        let office = office.clone();
        async move {
            let never = async |_: OutboxMessage<Mail>| std::future::pending::<Result<(), ()>>().await;
            // The clock does not reach the next attempt.
            let pause = Duration::from_secs(365 * 24 * 3600);
            office.dispatcher().retry_pauses(pause, pause).send_due(never).await.unwrap()
        }
    });
    while !task.is_finished() {
        office.clock.advance(Duration::from_secs(10));
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    assert_eq!(task.await.unwrap().failed, 1);
}

#[tokio::test]
async fn a_payload_that_cannot_be_read_is_kept_for_a_deployment_that_can() {
    let office = Office::new().await;
    office.enqueue(1..2).await;
    let wrong = async |_: OutboxMessage<u64>| Ok::<_, ()>(());
    assert_eq!(office.dispatcher().send_due(wrong).await.unwrap().failed, 1);
    office.clock.advance(Duration::from_secs(60));
    assert_eq!(office.send(&[]).await, (1, 0, 0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_dispatchers_of_a_topic_send_each_message_once_and_in_order() {
    let office = Office::new().await;
    office.enqueue(0..40).await;
    let dispatchers = (0..4).map(|_| {
        let (store, post) = (office.world.store.clone(), office.post.clone());
        tokio::spawn(async move {
            let send = |message| {
                post.take(message);
                std::future::ready(Ok::<_, ()>(()))
            };
            while post.received().len() < 40 {
                store.dispatcher("mail").send_due(send).await.unwrap();
            }
        })
    });
    for dispatcher in dispatchers.collect::<Vec<_>>() {
        dispatcher.await.unwrap();
    }
    assert_eq!(office.post.received(), (0..40).map(|number| to(number, 1)).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_dispatcher_that_runs_is_woken_by_a_commit() {
    let office = Arc::new(Office::new().await);
    let (arrived, mut arrivals) = tokio::sync::mpsc::unbounded_channel();
    let running = tokio::spawn({
        let store = office.world.store.clone();
        async move {
            let send = |message: OutboxMessage<Mail>| std::future::ready(arrived.send(message.payload));
            // It would look by itself in an hour.
            store.dispatcher("mail").poll_every(Duration::from_secs(3_600)).run(send).await
        }
    });
    for number in 1..4 {
        office.enqueue(number..number + 1).await;
        assert_eq!(arrivals.recv().await, Some(mail(number)));
    }
    running.abort();
}

#[tokio::test]
async fn a_topic_without_a_name_is_refused_and_the_transaction_goes_on() {
    let office = Office::new().await;
    let tx = office.world.begin().await;
    for topic in [String::new(), "t".repeat(129)] {
        let error = tx.enqueue(&topic, &mail(1)).await.unwrap_err();
        assert_eq!(error.to_string(), "a topic has 1 to 128 bytes");
    }
    insert(&tx, 1).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!((office.world.rows(), office.waiting()), (1, 0));
    assert!(SqliteStore::open(&office.world.path).await.is_ok());
}

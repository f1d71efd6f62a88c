//! Sends what is in the outbox.

use std::fmt;
use std::future::poll_fn;
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use idempotency_runtime::{
    Clock, Codec as _, DEFAULT_SKEW_BUDGET, JsonCodec, OwnerToken, Replayable, StoreError, SystemClock,
};

use super::super::SqliteStore;
use super::super::store::Database;
use super::message::OutboxMessage;
use super::rows::{self, Waiting};

/// Sends the messages of one topic, each at least once and in the order in which they were enqueued; see
/// [`SqliteStore::dispatcher`].
///
/// Of all dispatchers of a topic, in any number of processes, one sends at a time. A message is removed when it was sent;
/// a process that dies in between, or a send that takes too long, sends it again, with the same
/// [`OutboxMessage::id`]. A message that fails holds up those behind it until it is sent or given up.
#[derive(Clone)]
pub struct Dispatcher {
    store: SqliteStore,
    topic: String,
    clock: Arc<dyn Clock>,
    most_attempts: u32,
    shortest_pause: Duration,
    longest_pause: Duration,
    send_timeout: Duration,
    poll_every: Duration,
}

/// What was done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Dispatched {
    /// So many messages were sent.
    pub sent: usize,
    /// So many attempts failed, and will be made again.
    pub failed: usize,
    /// So many messages were given up.
    pub given_up: usize,
}

impl Dispatcher {
    pub(super) fn new(store: SqliteStore, topic: String) -> Self {
        Self {
            store,
            topic,
            clock: Arc::new(SystemClock::new()),
            most_attempts: 10,
            shortest_pause: Duration::from_secs(1),
            longest_pause: Duration::from_secs(300),
            send_timeout: Duration::from_secs(30),
            poll_every: Duration::from_secs(1),
        }
    }

    /// After so many failed attempts a message is given up, and those behind it go on. Default: 10.
    pub fn max_attempts(mut self, attempts: u32) -> Self {
        self.most_attempts = attempts.max(1);
        self
    }

    /// The pause after the first failed attempt, which doubles with each until the longest. Default: 1 s and 5 min.
    pub fn retry_pauses(mut self, first: Duration, longest: Duration) -> Self {
        (self.shortest_pause, self.longest_pause) = (first, longest);
        self
    }

    /// How long one send may take. It is dropped then, and counts as failed. Should this process die, another one takes
    /// over after that time. Default: 30 s.
    pub fn send_timeout(mut self, timeout: Duration) -> Self {
        self.send_timeout = timeout;
        self
    }

    /// How often [`Dispatcher::run`] looks for messages that other processes have enqueued. Default: every second.
    pub fn poll_every(mut self, interval: Duration) -> Self {
        self.poll_every = interval;
        self
    }

    /// Another clock, for tests.
    pub fn with_clock(mut self, clock: impl Clock) -> Self {
        self.clock = Arc::new(clock);
        self
    }

    /// Sends what is due, and returns when nothing is or another dispatcher has the topic.
    ///
    /// An error that `send` returns means that the message may or may not have arrived, and is sent again.
    pub async fn send_due<T, E, F>(
        &self,
        send: impl Fn(OutboxMessage<T>) -> F,
    ) -> Result<Dispatched, StoreError>
    where
        T: Replayable,
        F: Future<Output = Result<(), E>>,
    {
        self.send_due_as(OwnerToken::draw(self.clock.now())?, &send).await
    }

    async fn send_due_as<T, E, F>(
        &self,
        me: OwnerToken,
        send: &impl Fn(OutboxMessage<T>) -> F,
    ) -> Result<Dispatched, StoreError>
    where
        T: Replayable,
        F: Future<Output = Result<(), E>>,
    {
        let mut done = Dispatched::default();
        let mut holds = false;
        let result = loop {
            match self.send_first(me, &mut holds, send, &mut done).await {
                Ok(true) => {}
                Ok(false) => break Ok(done),
                Err(error) => break Err(error),
            }
        };
        if holds {
            let topic = self.topic.clone();
            self.store.shared.writer.change(move |database| rows::let_go(database, &topic, me)).await?;
        }
        result
    }

    /// Sends until it is dropped, or until the store fails for good.
    pub async fn run<T, E, F>(&self, send: impl Fn(OutboxMessage<T>) -> F) -> StoreError
    where
        T: Replayable,
        F: Future<Output = Result<(), E>>,
    {
        // The same one throughout: a topic that could not be let go of is still its own.
        let me = match OwnerToken::draw(self.clock.now()) {
            Ok(me) => me,
            Err(error) => return error,
        };
        loop {
            let enqueued = self.store.shared.outbox.notified();
            match self.send_due_as(me, &send).await {
                Err(error) if !error.is_retryable() => return error,
                _ => {}
            }
            let _ = either_or(enqueued, self.clock.sleep(self.poll_every)).await;
        }
    }

    /// `false`: there is nothing to do now.
    async fn send_first<T, E, F>(
        &self,
        me: OwnerToken,
        holds: &mut bool,
        send: &impl Fn(OutboxMessage<T>) -> F,
        done: &mut Dispatched,
    ) -> Result<bool, StoreError>
    where
        T: Replayable,
        F: Future<Output = Result<(), E>>,
    {
        let writer = &self.store.shared.writer;
        // Without the lock: most looks find nothing.
        let due = self.first().await?;
        if due.is_none_or(|first| first.not_before > self.clock.now()) {
            return Ok(false);
        }
        let (topic, clock, lease) = (self.topic.clone(), self.clock.clone(), self.send_timeout);
        let hold = move |database: &Database| {
            // It may have waited for the lock: the time of the send begins now.
            let now = clock.now();
            rows::hold(database, &topic, me, now, now.plus(lease).plus(DEFAULT_SKEW_BUDGET))
        };
        *holds = writer.change(hold).await?;
        let now = self.clock.now();
        if !*holds {
            return Ok(false);
        }
        // Another one may have sent it before.
        let Some(first) = self.first().await?.filter(|first| first.not_before <= now) else {
            return Ok(false);
        };
        let (id, attempt) = (first.id, first.attempts.saturating_add(1));
        if self.send(first, send).await {
            writer.change(move |database| rows::sent(database, id)).await?;
            done.sent += 1;
            return Ok(true);
        }
        let now = self.clock.now();
        let failed_at = (attempt >= self.most_attempts).then_some(now);
        let not_before = now.plus(self.pause_after(attempt));
        writer.change(move |database| rows::failed(database, id, attempt, not_before, failed_at)).await?;
        *(if failed_at.is_some() { &mut done.given_up } else { &mut done.failed }) += 1;
        Ok(true)
    }

    async fn first(&self) -> Result<Option<Waiting>, StoreError> {
        let topic = self.topic.clone();
        self.store.shared.writer.read(move |database| rows::first(database, &topic)).await
    }

    /// A payload that cannot be read is one that was not sent: the next deployment may read it.
    async fn send<T, E, F>(&self, first: Waiting, send: &impl Fn(OutboxMessage<T>) -> F) -> bool
    where
        T: Replayable,
        F: Future<Output = Result<(), E>>,
    {
        let Waiting { id, payload, created_at, attempts, .. } = first;
        let Ok(payload) = JsonCodec::decode(&payload) else { return false };
        let (topic, attempt) = (self.topic.clone(), attempts.saturating_add(1));
        let message = OutboxMessage { id, topic, payload, attempt, created_at };
        let arrived = either_or(send(message), self.clock.limit(self.send_timeout)).await;
        arrived.is_some_and(|arrived| arrived.is_ok())
    }

    fn pause_after(&self, attempt: u32) -> Duration {
        let doubled = self.shortest_pause.saturating_mul(1 << attempt.saturating_sub(1).min(20));
        doubled.min(self.longest_pause)
    }
}

impl fmt::Debug for Dispatcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Dispatcher")
            .field("store", &self.store)
            .field("topic", &self.topic)
            .finish_non_exhaustive()
    }
}

/// What `work` gives, or nothing if the limit comes first.
async fn either_or<R>(work: impl Future<Output = R>, limit: impl Future<Output = ()>) -> Option<R> {
    let (mut work, mut limit) = (pin!(work), pin!(limit));
    poll_fn(|cx| match work.as_mut().poll(cx) {
        Poll::Ready(result) => Poll::Ready(Some(result)),
        Poll::Pending => limit.as_mut().poll(cx).map(|()| None),
    })
    .await
}

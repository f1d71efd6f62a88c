//! A state of the world: the records, the callers, the messages under way, and what is left of each fault.

use std::hash::{Hash, Hasher};
use std::time::Duration;

use idempotency_runtime::protocol::attempt::{At, Attempt, Ending};
use idempotency_runtime::{Fingerprint, Record, Status, Timestamp};

use crate::config::{Config, TICK};

/// True time begins here, so that clocks and epochs have room below.
const ORIGIN: u64 = 1_000_000;

/// A state of the world.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// True time, in ticks.
    pub(crate) now: u64,
    pub(crate) keys: Vec<Key>,
    pub(crate) workers: Vec<Worker>,
    /// In a canonical order.
    pub(crate) messages: Vec<Message>,
    pub(crate) calls: u8,
    pub(crate) timeouts: u8,
    pub(crate) duplicates: u8,
    pub(crate) crashes: u8,
    pub(crate) freezes: u8,
    pub(crate) set_backs: u8,
    /// The properties that have been violated on the way here, as bits.
    pub(crate) broken: u32,
}

/// What the store holds for a key, and what an observer of the world knows about it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    pub(crate) record: Option<Stored>,
    /// The highest epoch ever granted.
    pub(crate) highest: u64,
    /// How often the effect has happened for the outcome that is retained.
    pub(crate) effects: u8,
    /// What a caller was told of that outcome: its status and its value.
    pub(crate) told: Option<(Status, u32)>,
}

/// A record that can be told apart from others by the model checker. The key is where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stored(pub(crate) Record);

impl Hash for Stored {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let record = &self.0;
        (record.status, record.owner, record.epoch, record.attempt, record.announced).hash(state);
        (record.claimed_at, record.lease_until, record.on_crash, record.completed_at).hash(state);
        (record.expires_at, record.retain_until).hash(state);
        record.fingerprint.as_ref().map(Fingerprint::to_bytes).hash(state);
        record.value.as_ref().map(|value| value.version).hash(state);
    }
}

/// A host with its clocks, and the call that runs on it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Worker {
    /// How far its wall clock is from true time, in milliseconds.
    pub(crate) offset: i64,
    /// For how many ticks it was frozen.
    pub(crate) frozen: u64,
    /// How often it has called.
    pub(crate) calls: u8,
    /// How many owner tokens it has drawn.
    pub(crate) draws: u8,
    pub(crate) call: Option<Call>,
}

/// A call in motion.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Call {
    pub(crate) attempt: Attempt,
    pub(crate) key: usize,
    /// Which request it makes.
    pub(crate) request: u8,
    /// The number of its owner token; also the value that its body computes.
    pub(crate) owner: u8,
    pub(crate) phase: Phase,
    pub(crate) announcement: Announcement,
    /// Whether the body's effect has happened.
    pub(crate) effect: bool,
    /// Whether the body or the probe has ended.
    pub(crate) ended: bool,
}

/// Whether the body has said that its effect begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Announcement {
    None,
    /// It has, and waits until that is recorded.
    Said,
    /// The record says so, and the body knows it.
    Recorded,
}

/// What a call is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Phase {
    /// Waiting for the answer to its claim.
    Claiming,
    /// Pausing until this moment of its monotonic clock.
    Pausing(Duration),
    /// Running the body.
    Running,
    /// Finding out, for no longer than this on its monotonic clock.
    Probing(Duration),
    /// Waiting for the answer to a write, after the body or the probe.
    Finishing,
}

/// A message on its way to the store. The answer is there as soon as the message is: what makes an answer late can as
/// well make the question late, since trust counts from when a lease was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Message {
    /// Who waits for the answer.
    pub(crate) awaited_by: Option<usize>,
    pub(crate) sent: u64,
    pub(crate) key: usize,
    pub(crate) owner: u8,
    /// The sender's wall time.
    pub(crate) wall: Timestamp,
    pub(crate) content: Content,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Content {
    Claim { lease_until: Timestamp, request: u8 },
    Renew { epoch: u64, lease_until: Timestamp },
    Announce { epoch: u64 },
    Finish { epoch: u64, ending: Ending },
}

impl State {
    pub(crate) fn first(config: &Config) -> Self {
        let worker = |number: usize| Worker {
            offset: config.offsets.get(number).copied().unwrap_or_default(),
            frozen: 0,
            calls: 0,
            draws: 0,
            call: None,
        };
        Self {
            now: 0,
            keys: vec![Key::default(); config.keys],
            workers: (0..config.workers).map(worker).collect(),
            messages: Vec::new(),
            calls: config.calls,
            timeouts: config.timeouts,
            duplicates: config.duplicates,
            crashes: config.crashes,
            freezes: config.freezes,
            set_backs: config.set_backs,
            broken: 0,
        }
    }

    /// The clocks of a worker.
    pub(crate) fn at(&self, worker: usize) -> At {
        let Worker { offset, frozen, .. } = self.workers[worker];
        At {
            wall: Timestamp::from_millis(self.true_time().as_millis().saturating_add_signed(offset)),
            monotonic: Duration::from_millis((self.now - frozen) * TICK),
        }
    }

    /// True time, as a service with a perfect clock would have it.
    pub(crate) fn true_time(&self) -> Timestamp {
        time(self.now * TICK)
    }

    /// Sends a message. The order of messages under way means nothing, so that there is one form of each state.
    pub(crate) fn send(&mut self, message: Message) {
        self.messages.push(message);
        self.sort_messages();
    }

    /// A new owner token of this worker.
    pub(crate) fn draw(&mut self, worker: usize) -> u8 {
        let host = &mut self.workers[worker];
        host.draws += 1;
        u8::try_from(worker).map_or(u8::MAX, |worker| worker * 64 + host.draws)
    }

    /// The call is over; nobody waits for what it has sent.
    pub(crate) fn abandon(&mut self, worker: usize) {
        self.workers[worker].call = None;
        for message in self.messages.iter_mut().filter(|message| message.awaited_by == Some(worker)) {
            message.awaited_by = None;
        }
        self.sort_messages();
    }

    pub(crate) fn sort_messages(&mut self) {
        self.messages.sort_by_key(Message::order);
    }
}

/// The time so many milliseconds after the beginning.
pub(crate) fn time(millis: u64) -> Timestamp {
    Timestamp::from_millis(ORIGIN + millis)
}

impl Message {
    /// The epoch that a write carries.
    pub(crate) fn epoch(&self) -> Option<u64> {
        match self.content {
            Content::Claim { .. } => None,
            Content::Renew { epoch, .. } | Content::Announce { epoch } | Content::Finish { epoch, .. } => {
                Some(epoch)
            }
        }
    }

    fn order(&self) -> (usize, u8, u8, u8, Timestamp, u64, bool) {
        let (kind, detail) = match self.content {
            Content::Claim { .. } => (0, 0),
            Content::Renew { .. } => (1, 0),
            Content::Announce { .. } => (2, 0),
            Content::Finish { ending, .. } => (3, ending as u8),
        };
        (self.key, self.owner, kind, detail, self.wall, self.sent, self.awaited_by.is_some())
    }
}

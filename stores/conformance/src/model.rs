//! The protocol over a hash map, and random histories that compare a store with it.

use std::collections::HashMap;
use std::time::Duration;

use fastrand::Rng;
use idempotency_runtime::{
    Change, Claim, ClaimRequest, Evict, IdempotencyKey, OnCrash, OnExpired, OwnerToken, OwnerWrite, Previous,
    Record, Status, Timestamp, protocol,
};

use crate::Tested;
use crate::run::{rounds, seed};
use crate::script::{Held, MS, SKEW, START, fingerprint, key_of, value};

/// Plays random histories of several owners on a few keys.
pub(crate) async fn play(store: &Tested) {
    let seed = seed();
    let mut random = Rng::with_seed(seed);
    for history in 0..rounds(20) {
        let keys = (0..3).map(|number| key_of(&format!("history:{history}#{number}"))).collect();
        let mut play = Play { store, random: random.fork(), keys, model: Model::default(), held: Vec::new() };
        for turn in 0..60 {
            play.turn(&format!("seed {seed}, history {history}, turn {turn}")).await;
        }
    }
}

/// What the store should hold.
struct Model {
    records: HashMap<IdempotencyKey, Record>,
    now: Timestamp,
    /// The latest time any caller has shown; a store may have removed what was forgotten by then.
    latest: Timestamp,
}

impl Default for Model {
    fn default() -> Self {
        Self { records: HashMap::new(), now: START, latest: START }
    }
}

impl Model {
    fn may_have_removed(&self, key: &IdempotencyKey) -> bool {
        self.records.get(key).is_some_and(|record| record.is_forgotten(self.latest, SKEW))
    }
}

struct Play<'a> {
    store: &'a Tested,
    random: Rng,
    keys: Vec<IdempotencyKey>,
    model: Model,
    /// Every claim that was granted, so that late owners can write.
    held: Vec<Held>,
}

impl Play<'_> {
    async fn turn(&mut self, place: &str) {
        self.model.now = self.model.now.plus(self.span(40_000));
        match self.random.u8(0..10) {
            0..4 => self.claim(place).await,
            4..9 => self.write(place).await,
            _ => self.evict(place).await,
        }
        self.compare(place).await;
    }

    async fn claim(&mut self, place: &str) {
        let request = self.request();
        let key = request.key.clone();
        self.forget_what_was_removed(&key).await;
        let expected = protocol::claim(self.model.records.get(&key), &request);
        let answer = self.store.claim(request.clone()).await;
        assert_eq!(answer, expected.answer, "{place}: {request:?} on {:?}", self.model.records.get(&key));
        if let Some(record) = expected.write {
            self.model.records.insert(key.clone(), record);
        }
        let owner = request.owner;
        match answer {
            Claim::Acquired { epoch, attempt, lease_until, previous } => {
                self.held.push(Held { key, owner, epoch, attempt, lease_until, previous });
            }
            Claim::Probe { epoch, attempt, lease_until, .. } => {
                let previous = Previous::Abandoned;
                self.held.push(Held { key, owner, epoch, attempt, lease_until, previous });
            }
            _ => {}
        }
    }

    async fn write(&mut self, place: &str) {
        let Some(request) = self.owner_write() else { return };
        let key = request.key.clone();
        self.forget_what_was_removed(&key).await;
        let expected = protocol::write(self.model.records.get(&key), &request);
        let answer = self.store.write(request.clone()).await;
        assert_eq!(answer, expected.answer, "{place}: {request:?} on {:?}", self.model.records.get(&key));
        if let Some(record) = expected.write {
            self.model.records.insert(key, record);
        }
    }

    async fn evict(&mut self, place: &str) {
        let Some(held) = self.any_held() else { return };
        self.forget_what_was_removed(&held.key).await;
        let found = self.model.records.get(&held.key).is_some_and(|record| record.epoch == held.epoch);
        assert_eq!(self.store.evict(Evict::new(held.key.clone(), held.epoch)).await, found, "{place}");
        if found {
            self.model.records.remove(&held.key);
        }
    }

    async fn compare(&mut self, place: &str) {
        for key in self.keys.clone() {
            self.forget_what_was_removed(&key).await;
            assert_eq!(
                self.store.inspect(&key).await.as_ref(),
                self.model.records.get(&key),
                "{place}: {key}"
            );
        }
    }

    /// A store may remove a forgotten record whenever it likes.
    async fn forget_what_was_removed(&mut self, key: &IdempotencyKey) {
        self.model.latest = self.model.latest.max(self.model.now);
        if self.model.may_have_removed(key) && self.store.inspect(key).await.is_none() {
            self.model.records.remove(key);
        }
    }

    fn request(&mut self) -> ClaimRequest {
        let number = self.random.usize(0..self.keys.len());
        let key = self.keys[number].clone();
        // Few owners, so that claims are delivered twice.
        let owner = OwnerToken::from_bytes([self.random.u8(1..6); 16]);
        let now = self.time_for(&key);
        let mut request = ClaimRequest::new(key, owner, now, now.plus(self.span(45_000)), self.ttl());
        request.fingerprint = match self.random.u8(0..4) {
            0 => None,
            1 => Some(fingerprint(2)),
            _ => Some(fingerprint(1)),
        };
        request.on_crash = if self.random.u8(0..5) == 0 { OnCrash::Hold } else { OnCrash::Rerun };
        request.probe = self.random.bool();
        request.on_expired = if self.random.bool() { OnExpired::Reject } else { OnExpired::Run };
        request
    }

    fn owner_write(&mut self) -> Option<OwnerWrite> {
        let mut held = self.any_held()?;
        if self.random.u8(0..20) == 0 {
            held.owner = OwnerToken::from_bytes([self.random.u8(1..6); 16]);
        }
        let now = self.time_for(&held.key);
        let unknown =
            self.model.records.get(&held.key).is_some_and(|record| record.status == Status::Unknown);
        // Mostly by who may settle it, now and then by who may not.
        let settles = self.random.u8(0..10) < if unknown { 7 } else { 1 };
        let change = match self.random.u8(0..12) {
            choice if settles && choice % 2 == 0 => Change::ResolveNotApplied,
            _ if settles => Change::ResolveApplied(value(self.random.u8(..).to_string())),
            0..5 => Change::Renew { lease_until: now.plus(self.span(45_000)) },
            5 => Change::Announce,
            6 | 7 => Change::Complete(value(self.random.u8(..).to_string())),
            8 => Change::Fail(value(self.random.u8(..).to_string())),
            9 | 10 => Change::Release,
            _ => Change::MarkUnknown,
        };
        let mut write = OwnerWrite::new(held.key, held.owner, held.epoch, now, self.ttl(), change);
        if self.random.bool() {
            write.tombstone = self.ttl();
        }
        Some(write)
    }

    /// Mostly one of the last claims, which may still be in progress.
    fn any_held(&mut self) -> Option<Held> {
        let recent = self.held.len().saturating_sub(3);
        let from = if self.random.u8(0..4) == 0 { 0 } else { recent };
        (!self.held.is_empty()).then(|| self.held[self.random.usize(from..self.held.len())].clone())
    }

    /// The clocks of the callers differ a little, and often show the very instant at which something changes.
    fn time_for(&mut self, key: &IdempotencyKey) -> Timestamp {
        let instants = self.model.records.get(key).map_or([None; 3], |record| {
            [Some(record.lease_until.plus(SKEW)), record.expires_at, record.retain_until]
        });
        let now = match self.random.choice(instants).flatten() {
            Some(instant) if self.random.bool() => {
                instant.plus(MS * self.random.u32(0..2)).minus(MS * self.random.u32(0..2))
            }
            _ => self.model.now.plus(self.span(1_500)).minus(self.span(1_500)),
        };
        self.model.latest = self.model.latest.max(now);
        now
    }

    fn ttl(&mut self) -> Duration {
        Duration::from_secs(self.random.choice([1, 20, 60, 3_600]).unwrap_or(60))
    }

    fn span(&mut self, below: u64) -> Duration {
        Duration::from_millis(self.random.u64(0..below))
    }
}

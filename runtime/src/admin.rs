//! What a person may do about a record, through the store handle. Every change is conditional, and told as an event.

use std::time::Duration;

use crate::any_store::AnyStore;
use crate::claim::{Claim, ClaimRequest};
use crate::event::Decision;
use crate::key::IdempotencyKey;
use crate::observe::emit;
use crate::operation::DEFAULT_LEASE;
use crate::outcome::{Codec, CodecError, FIRST_VERSION, JsonCodec, Replayable};
use crate::owner::OwnerToken;
use crate::record::{Epoch, Record, RecordedValue, Status};
use crate::store_error::{StoreError, StoreErrorKind};
use crate::time::Timestamp;
use crate::write::{Change, Evict, OwnerWrite, Written};

/// A final outcome, as a person records it: the operation's result, or its terminal error. Version, codec and tombstone
/// must be those of the operation.
#[derive(Clone, Debug)]
pub struct Completion {
    value: RecordedValue,
    ttl: Duration,
    tombstone: Duration,
}

impl Completion {
    /// The operation's result as JSON, replayed for `ttl` from now on.
    pub fn new<T: Replayable>(value: &T, ttl: Duration) -> Result<Self, CodecError> {
        Self::with_codec::<JsonCodec, T>(value, ttl)
    }

    /// The same for an operation with a codec of its own.
    pub fn with_codec<C: Codec<T>, T>(value: &T, ttl: Duration) -> Result<Self, CodecError> {
        let bytes = C::encode(value)?.into();
        Ok(Self { value: RecordedValue::new(FIRST_VERSION, Some(bytes)), ttl, tombstone: Duration::ZERO })
    }

    /// An outcome whose value nobody knows any more: duplicates get the error *value not kept*.
    pub fn without_value(ttl: Duration) -> Self {
        Self { value: RecordedValue::new(FIRST_VERSION, None), ttl, tombstone: Duration::ZERO }
    }

    /// The same for an operation that keeps its records after the TTL, to tell late retries *expired*.
    pub fn tombstone(mut self, kept: Duration) -> Self {
        self.tombstone = kept;
        self
    }

    /// The same for an operation with this `version` of its result type.
    pub fn version(mut self, version: u32) -> Self {
        self.value.version = version;
        self
    }
}

/// What a person has found out about an unknown outcome.
#[derive(Clone, Debug)]
pub enum Resolution {
    /// The effect happened, and this is the operation's result.
    Completed(Completion),
    /// The attempt failed for good, and this is the operation's terminal error.
    Failed(Completion),
    /// The effect did not happen and never will: the next call runs the body.
    NotApplied,
}

/// What became of a change by hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "the change may not have been made"]
#[non_exhaustive]
pub enum ByHand {
    /// The record says it.
    Done,
    /// There is no record of this key.
    NotFound,
    /// The record is another one than the change is about; nothing was changed.
    Changed {
        /// Where it stands.
        status: Status,
        /// Its epoch.
        epoch: Epoch,
    },
    /// Somebody may still be at work on it; nothing was changed.
    TooEarly {
        /// When to try again.
        at: Timestamp,
    },
    /// The attempt has announced an irreversible effect, or its operation holds the key after a crash: let its lease
    /// end, and say with [`AnyStore::resolve`] what became of it. Nothing was changed.
    MayHaveHappened,
}

impl AnyStore {
    /// Says what became of an attempt whose outcome is unknown. Nobody else can say something different from then on.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use idempotency::{AnyStore, ByHand, Completion, IdempotencyKey, Resolution, store::MemoryStore};
    /// # use idempotency::{Error, ManualClock, Timestamp, effect_begins, operation};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # struct ChargeError;
    /// # impl From<Error> for ChargeError {
    /// #     fn from(_: Error) -> Self {
    /// #         Self
    /// #     }
    /// # }
    /// # let clock = ManualClock::at(Timestamp::from_millis(1_782_639_000_000));
    /// let store = AnyStore::new(MemoryStore::new());
    /// # let store = store.with_clock(clock.clone());
    /// # let week = Duration::from_secs(7 * 86_400);
    /// # let charge = operation("charge").part("order_no", &1001).ttl(week).store(store.clone());
    /// # let charged = charge.run(async {
    /// #     effect_begins().await?;
    /// #     Err::<u64, _>(ChargeError)
    /// # });
    /// # assert!(charged.await.is_err());
    /// # clock.advance(Duration::from_secs(32));
    /// // The provider's list says that order 1001 was charged.
    /// let key = IdempotencyKey::from_stored("charge:1001");
    /// let charged = Completion::new(&12_900, Duration::from_secs(7 * 86_400))?;
    /// let record = store.inspect(&key).await?.expect("it was charged");
    /// let resolved = store.resolve(&key, record.epoch, Resolution::Completed(charged)).await?;
    /// assert_eq!(resolved, ByHand::Done);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// `epoch` is the record's, as [`AnyStore::inspect`] shows it: if somebody else has found out meanwhile, or another
    /// attempt has run, nothing is changed.
    pub async fn resolve(
        &self,
        key: &IdempotencyKey,
        epoch: Epoch,
        resolution: Resolution,
    ) -> Result<ByHand, StoreError> {
        let applied = !matches!(resolution, Resolution::NotApplied);
        let (change, ttl, tombstone) = match resolution {
            Resolution::Completed(Completion { value, ttl, tombstone }) => {
                (Change::ResolveApplied(value), ttl, tombstone)
            }
            Resolution::Failed(Completion { value, ttl, tombstone }) => {
                (Change::ResolveFailed(value), ttl, tombstone)
            }
            Resolution::NotApplied => (Change::ResolveNotApplied, ABANDONED, Duration::ZERO),
        };
        self.check_ttl(ttl)?;
        let Some(found) = self.inspect(key).await? else { return Ok(ByHand::NotFound) };
        let may_be_unknown = found.status == Status::Unknown
            || (found.status == Status::InProgress && found.holds_after_crash());
        if !may_be_unknown || found.epoch != epoch {
            return Ok(changed(&found));
        }
        let now = self.clock().now();
        if !found.lease_is_dead(now, self.skew_budget()) {
            return Ok(ByHand::TooEarly { at: found.lease_until.plus(self.skew_budget()) });
        }
        // Who says what became of it becomes the owner first: an owner that has come back to life, or another
        // person, is refused from then on.
        let (owner, claim) = self.claim_by_hand(key, now, ttl, true).await?;
        let granted = match claim {
            Claim::Probe { epoch: granted, .. } if granted == epoch.next() => granted,
            claim => return self.give_back(key, owner, claim, now).await,
        };
        let mut write = OwnerWrite::new(key.clone(), owner, granted, now, ttl, change);
        write.tombstone = tombstone;
        if !is_written(&self.write(write).await?) {
            return self.look(key).await;
        }
        self.forget(key);
        self.tell(key, Decision::Reconciled { applied, by_hand: true });
        Ok(ByHand::Done)
    }

    /// Lets the next call run the body now, without waiting for the lease of a dead owner. An owner that lives is
    /// stopped at its next renewal, and nothing that it writes counts.
    ///
    /// `epoch` is the record's, as [`AnyStore::inspect`] shows it.
    pub async fn release(&self, key: &IdempotencyKey, epoch: Epoch) -> Result<ByHand, StoreError> {
        let Some(found) = self.inspect(key).await? else { return Ok(ByHand::NotFound) };
        if found.epoch != epoch || found.status != Status::InProgress {
            return Ok(changed(&found));
        }
        if found.holds_after_crash() {
            return Ok(ByHand::MayHaveHappened);
        }
        let now = self.clock().now();
        let write = OwnerWrite::new(key.clone(), found.owner, epoch, now, ABANDONED, Change::ReleaseByHand);
        if !is_written(&self.write(write).await?) {
            let found = self.inspect(key).await?;
            let announced = |record: &Record| record.epoch == epoch && record.holds_after_crash();
            if found.as_ref().is_some_and(announced) {
                return Ok(ByHand::MayHaveHappened);
            }
            return Ok(found.as_ref().map_or(ByHand::NotFound, changed));
        }
        self.tell(key, Decision::ReleasedByHand);
        Ok(ByHand::Done)
    }

    /// Records an outcome of work that was done before, for example before operations had records at all, so that a
    /// late duplicate does not do it again. A record that is in progress, final or unknown is not changed.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use idempotency::{AnyStore, ByHand, Completion, Error, IdempotencyKey, operation, store::MemoryStore};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let week = Duration::from_secs(7 * 86_400);
    /// let store = AnyStore::new(MemoryStore::new());
    /// let key = IdempotencyKey::from_stored("charge:1001");
    /// assert_eq!(store.mark_completed(&key, Completion::new(&12_900, week)?).await?, ByHand::Done);
    ///
    /// let charge = operation("charge").part("order_no", &1001).ttl(week).store(store);
    /// let charged = charge.run(async { Ok::<_, Error>(0) }).await?; // does not run
    /// assert_eq!(charged, 12_900);
    /// # Ok(())
    /// # }
    /// ```
    pub async fn mark_completed(
        &self,
        key: &IdempotencyKey,
        completion: Completion,
    ) -> Result<ByHand, StoreError> {
        let Completion { value, ttl, tombstone } = completion;
        self.check_ttl(ttl)?;
        let now = self.clock().now();
        let (owner, claim) = self.claim_by_hand(key, now, ttl, false).await?;
        let Claim::Acquired { epoch, .. } = claim else { return self.look(key).await };
        let mut write = OwnerWrite::new(key.clone(), owner, epoch, now, ttl, Change::Complete(value));
        write.tombstone = tombstone;
        if !is_written(&self.write(write).await?) {
            return self.look(key).await;
        }
        self.forget(key);
        self.tell(key, Decision::MarkedCompleted);
        Ok(ByHand::Done)
    }

    /// Removes a record; `false` if there is none of this epoch. The next call runs the body, whatever the record
    /// said.
    pub async fn evict(&self, request: Evict) -> Result<bool, StoreError> {
        let key = request.key.clone();
        let removed = self.evict_record(request).await?;
        self.forget(&key);
        if removed {
            self.tell(&key, Decision::Evicted);
        }
        Ok(removed)
    }

    /// As for operations: a record must not be gone before other hosts can have seen it.
    pub(crate) fn check_ttl(&self, ttl: Duration) -> Result<(), StoreError> {
        let shortest = self.skew_budget() * 2;
        if ttl >= shortest {
            return Ok(());
        }
        let message = format!(
            "the TTL of {} is too short: use that of the operation, at least {}",
            humantime::format_duration(ttl),
            humantime::format_duration(shortest)
        );
        Err(StoreError::new(StoreErrorKind::Misconfigured, message))
    }

    async fn claim_by_hand(
        &self,
        key: &IdempotencyKey,
        now: Timestamp,
        ttl: Duration,
        probe: bool,
    ) -> Result<(OwnerToken, Claim), StoreError> {
        let owner = OwnerToken::draw(now)?;
        let mut request = ClaimRequest::new(key.clone(), owner, now, now.plus(DEFAULT_LEASE), ttl);
        request.skew_budget = self.skew_budget();
        request.probe = probe;
        Ok((owner, self.claim(request).await?))
    }

    /// Between the look and the claim the record has become free, and was claimed; nobody runs a body here.
    async fn give_back(
        &self,
        key: &IdempotencyKey,
        owner: OwnerToken,
        claim: Claim,
        now: Timestamp,
    ) -> Result<ByHand, StoreError> {
        if let Claim::Acquired { epoch, .. } = claim {
            let write = OwnerWrite::new(key.clone(), owner, epoch, now, ABANDONED, Change::Release);
            let _ = self.write(write).await?;
        }
        self.look(key).await
    }

    /// What stands in the way now.
    async fn look(&self, key: &IdempotencyKey) -> Result<ByHand, StoreError> {
        Ok(self.inspect(key).await?.as_ref().map_or(ByHand::NotFound, changed))
    }

    fn tell(&self, key: &IdempotencyKey, decision: Decision<'_>) {
        emit(Some(self), operation_of(key), Some(key), decision);
    }
}

/// How long a record that was released by hand is kept: as long as somebody may want to look at it.
const ABANDONED: Duration = Duration::from_secs(7 * 86_400);

fn changed(record: &Record) -> ByHand {
    ByHand::Changed { status: record.status, epoch: record.epoch }
}

fn is_written(answer: &Written) -> bool {
    matches!(answer, Written::Applied { .. } | Written::AlreadyDone)
}

/// The operation that stands in a stored key: `[namespace "/"] operation ":" …`.
pub(crate) fn operation_of(key: &IdempotencyKey) -> &str {
    let text = key.as_str();
    let head = text.split_once(':').map_or(text, |(head, _)| head);
    head.split_once('/').map_or(head, |(_, operation)| operation)
}

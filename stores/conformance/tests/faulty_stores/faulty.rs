//! A store over a hash map that can be told to be wrong.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use idempotency_conformance::Harness;
use idempotency_runtime::{
    AnyStore, Capabilities, Change, Claim, ClaimRequest, Durability, Epoch, Evict, Fingerprint, IdempotencyKey,
    OwnerToken, OwnerWrite, Record, RecordedValue, Status, Store, StoreError, StoreErrorKind, Timestamp, Written,
    protocol,
};
use tokio::task::yield_now;

/// What is wrong with the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    None,
    GrantsEveryClaim,
    ReadsItsOwnClock,
    ClaimsInTwoSteps,
    WritesInTwoSteps,
    IgnoresTheEpochOfWrites,
    IgnoresTheOwnerOfWrites,
    IgnoresFingerprints,
    ComparesPartOfTheFingerprint,
    LosesTheFingerprintAtTheEnd,
    IgnoresTheSkewBudget,
    TakesOverTooEarly,
    TakesOverTooLate,
    ExpiresTooEarly,
    ExpiresTooLate,
    IgnoresTombstones,
    DeletesOnRelease,
    BringsRecordsBack,
    ShortensLeases,
    MovesTheLeaseOnRepeatedClaims,
    WritesOnRefusal,
    RestartsEpochs,
    CountsNoAttempts,
    FoldsCase,
    TrimsKeys,
    CutsKeys,
    CutsValues,
    TakesNotKeptForEmpty,
    CutsVersions,
    CutsOwners,
    KeepsSeconds,
    KeepsDoubles,
    ForgetsAnnouncements,
    ForgetsHolds,
    LeavesTheDeadInProgress,
    ForgetsUnknown,
    OverwritesOutcomes,
    RefusesWritesPastTheLease,
    RemovesAtTheTtlDuringALease,
    GivesReleasedKeysBack,
    DoesNotKnowItsOwner,
    HidesExpiredRecords,
    EvictsEveryEpoch,
    SharesNothingBetweenHandles,
    TakesAnySize,
    KeepsTheOldValue,
    NamesEveryHandleAnew,
}

impl Fault {
    /// Every fault, and the subject that must notice it.
    pub const ALL: &[(Self, &'static str)] = &[
        (Self::GrantsEveryClaim, "lease"),
        (Self::ReadsItsOwnClock, "claim"),
        (Self::ClaimsInTwoSteps, "concurrency"),
        (Self::WritesInTwoSteps, "concurrency"),
        (Self::IgnoresTheEpochOfWrites, "fencing"),
        (Self::IgnoresTheOwnerOfWrites, "fencing"),
        (Self::IgnoresFingerprints, "validation"),
        (Self::ComparesPartOfTheFingerprint, "validation"),
        (Self::LosesTheFingerprintAtTheEnd, "validation"),
        (Self::IgnoresTheSkewBudget, "lease"),
        (Self::TakesOverTooEarly, "lease"),
        (Self::TakesOverTooLate, "lease"),
        (Self::ExpiresTooEarly, "expiry"),
        (Self::ExpiresTooLate, "expiry"),
        (Self::IgnoresTombstones, "expiry"),
        (Self::DeletesOnRelease, "release"),
        (Self::BringsRecordsBack, "fencing"),
        (Self::ShortensLeases, "renew"),
        (Self::MovesTheLeaseOnRepeatedClaims, "lost_answer"),
        (Self::WritesOnRefusal, "lease"),
        (Self::RestartsEpochs, "retention"),
        (Self::CountsNoAttempts, "claim"),
        (Self::FoldsCase, "keys"),
        (Self::TrimsKeys, "keys"),
        (Self::CutsKeys, "keys"),
        (Self::CutsValues, "size"),
        (Self::TakesNotKeptForEmpty, "payload"),
        (Self::CutsVersions, "payload"),
        (Self::CutsOwners, "payload"),
        (Self::KeepsSeconds, "lease"),
        (Self::KeepsDoubles, "payload"),
        (Self::ForgetsAnnouncements, "renew"),
        (Self::ForgetsHolds, "renew"),
        (Self::LeavesTheDeadInProgress, "renew"),
        (Self::ForgetsUnknown, "retention"),
        (Self::OverwritesOutcomes, "complete"),
        (Self::RefusesWritesPastTheLease, "complete"),
        (Self::RemovesAtTheTtlDuringALease, "lease"),
        (Self::GivesReleasedKeysBack, "claim"),
        (Self::DoesNotKnowItsOwner, "lost_answer"),
        (Self::HidesExpiredRecords, "expiry"),
        (Self::EvictsEveryEpoch, "evict"),
        (Self::SharesNothingBetweenHandles, "cold"),
        (Self::TakesAnySize, "size"),
        (Self::KeepsTheOldValue, "expiry"),
        (Self::NamesEveryHandleAnew, "cold"),
    ];
}

/// Makes stores with a fault.
pub struct FaultyHarness(pub Fault);

impl Harness for FaultyHarness {
    type Place = FaultyStore;

    async fn create(&self) -> FaultyStore {
        FaultyStore { fault: self.0, inner: Arc::default(), identity: "faulty".into() }
    }

    async fn open(&self, place: &FaultyStore) -> AnyStore {
        let mut store = place.clone();
        match self.0 {
            Fault::SharesNothingBetweenHandles => store.inner = Arc::default(),
            Fault::NamesEveryHandleAnew => store.identity = format!("faulty:{}", fastrand::u64(..)),
            _ => {}
        }
        AnyStore::new(store)
    }
}

/// The largest value, in bytes.
const LIMIT: usize = 5 << 20;

#[derive(Clone, Debug)]
pub struct FaultyStore {
    fault: Fault,
    inner: Arc<Mutex<Inner>>,
    identity: String,
}

#[derive(Debug, Default)]
struct Inner {
    records: HashMap<String, Record>,
    latest: Timestamp,
}

impl FaultyStore {
    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn slot(&self, key: &IdempotencyKey) -> String {
        let text = key.as_str();
        match self.fault {
            Fault::FoldsCase => text.to_lowercase(),
            Fault::TrimsKeys => text.trim_end().to_owned(),
            Fault::CutsKeys => text.chars().take(255).collect(),
            _ => text.to_owned(),
        }
    }

    fn find(&self, key: &IdempotencyKey) -> Option<Record> {
        self.lock().records.get(&self.slot(key)).cloned()
    }

    fn store(&self, key: &IdempotencyKey, record: Record) {
        let record = self.damage(record);
        self.lock().records.insert(self.slot(key), record);
    }

    /// What the store loses of a record.
    fn damage(&self, mut record: Record) -> Record {
        let round = |time: Timestamp| match self.fault {
            Fault::KeepsSeconds => Timestamp::from_millis(time.as_millis() / 1_000 * 1_000),
            Fault::KeepsDoubles => Timestamp::from_millis(time.as_millis() as f64 as u64),
            _ => time,
        };
        record.claimed_at = round(record.claimed_at);
        record.lease_until = round(record.lease_until);
        record.completed_at = record.completed_at.map(round);
        record.expires_at = record.expires_at.map(round);
        record.retain_until = record.retain_until.map(round);
        if self.fault == Fault::CutsOwners {
            let mut bytes = record.owner.to_bytes();
            bytes[12..].fill(0);
            record.owner = OwnerToken::from_bytes(bytes);
        }
        if self.fault == Fault::LosesTheFingerprintAtTheEnd && record.status.is_final() {
            record.fingerprint = None;
        }
        record.value = record.value.map(|value| self.damage_value(value));
        record
    }

    fn damage_value(&self, mut value: RecordedValue) -> RecordedValue {
        match self.fault {
            Fault::CutsValues => value.bytes = value.bytes.map(|bytes| bytes[..bytes.len().min(65_535)].into()),
            Fault::TakesNotKeptForEmpty => value.bytes = Some(value.bytes.unwrap_or_default()),
            Fault::CutsVersions => value.version &= 0xFFFF,
            _ => {}
        }
        value
    }

    /// How the store misreads a claim.
    fn misread(&self, mut request: ClaimRequest) -> ClaimRequest {
        let millisecond = Duration::from_millis(1);
        match self.fault {
            Fault::ReadsItsOwnClock => request.now = SystemTime::now().into(),
            Fault::IgnoresFingerprints => request.fingerprint = None,
            Fault::IgnoresTheSkewBudget => request.skew_budget = Duration::ZERO,
            Fault::TakesOverTooEarly => request.skew_budget = request.skew_budget.saturating_sub(millisecond),
            Fault::TakesOverTooLate => request.skew_budget += millisecond,
            Fault::ComparesPartOfTheFingerprint => {
                request.fingerprint = request.fingerprint.and_then(|whole| {
                    let mut bytes = whole.to_bytes();
                    bytes[16..].fill(0);
                    Fingerprint::from_bytes(&bytes)
                });
            }
            _ => {}
        }
        request
    }

    /// How the store misreads the record that a claim finds.
    fn misread_found(&self, mut record: Record, request: &ClaimRequest) -> Option<Record> {
        let millisecond = Duration::from_millis(1);
        match self.fault {
            Fault::GrantsEveryClaim => return None,
            Fault::ExpiresTooEarly => record.expires_at = record.expires_at.map(|at| at.minus(millisecond)),
            Fault::ExpiresTooLate => {
                record.expires_at = record.expires_at.map(|at| at.plus(millisecond));
                record.retain_until = record.retain_until.map(|at| at.plus(millisecond));
            }
            Fault::IgnoresTombstones if record.status.is_final() => record.retain_until = record.expires_at,
            Fault::ForgetsAnnouncements => record.announced = false,
            Fault::ForgetsHolds => record.on_crash = idempotency_runtime::OnCrash::Rerun,
            Fault::RemovesAtTheTtlDuringALease if record.retain_until.is_some_and(|at| request.now > at) => {
                return None;
            }
            Fault::ForgetsUnknown
                if record.status == Status::Unknown && request.now > record.claimed_at.plus(request.ttl) =>
            {
                return None;
            }
            Fault::GivesReleasedKeysBack if record.status == Status::Released => {
                record.owner = OwnerToken::from_bytes([0; 16]);
            }
            Fault::DoesNotKnowItsOwner => record.owner = OwnerToken::from_bytes([0; 16]),
            _ => {}
        }
        Some(record)
    }

    /// What the store does to the record that a claim writes.
    fn miswrite(&self, mut record: Record, found: Option<&Record>) -> Record {
        match self.fault {
            Fault::RestartsEpochs if found.is_none() => record.epoch = Epoch::new(1),
            Fault::CountsNoAttempts => record.attempt = 1,
            Fault::KeepsTheOldValue => record.value = found.and_then(|found| found.value.clone()),
            _ => {}
        }
        record
    }
}

impl Store for FaultyStore {
    async fn claim(&self, request: ClaimRequest) -> Result<Claim, StoreError> {
        let request = self.misread(request);
        let found = self.find(&request.key);
        if self.fault == Fault::ClaimsInTwoSteps {
            yield_now().await;
        }
        let mut inner = self.lock();
        inner.latest = inner.latest.max(request.now);
        // Sound stores decide on what they find under the lock.
        let found = if self.fault == Fault::ClaimsInTwoSteps {
            found
        } else {
            inner.records.get(&self.slot(&request.key)).cloned()
        };
        let found = found.and_then(|record| self.misread_found(record, &request));
        let mut decision = protocol::claim(found.as_ref(), &request);
        if let (Some(found), None) = (&found, &decision.write) {
            let mut touched = found.clone();
            match (self.fault, &decision.answer) {
                (Fault::WritesOnRefusal, _) => touched.retain_until = Some(request.now.plus(request.ttl)),
                (Fault::MovesTheLeaseOnRepeatedClaims, Claim::Acquired { .. }) => {
                    touched.lease_until = request.lease_until;
                }
                _ => {}
            }
            if touched != *found {
                decision.write = Some(touched);
            }
        }
        if self.fault == Fault::LeavesTheDeadInProgress && matches!(decision.answer, Claim::Unknown { .. }) {
            decision.write = None;
        }
        drop(inner);
        if let Some(record) = decision.write {
            let record = self.miswrite(record, found.as_ref());
            if let Claim::Acquired { epoch, attempt, .. } = &mut decision.answer {
                (*epoch, *attempt) = (record.epoch, record.attempt);
            }
            self.store(&request.key, record);
        }
        Ok(decision.answer)
    }

    async fn write(&self, mut request: OwnerWrite) -> Result<Written, StoreError> {
        todo!()
    }

    async fn inspect(&self, key: &IdempotencyKey) -> Result<Option<Record>, StoreError> {
        let latest = self.lock().latest;
        let hidden = |record: &Record| {
            self.fault == Fault::HidesExpiredRecords && record.expires_at.is_some_and(|at| latest > at)
        };
        Ok(self.find(key).filter(|record| !hidden(record)))
    }

    async fn evict(&self, request: Evict) -> Result<bool, StoreError> {
        let found = self.find(&request.key).is_some_and(|record| {
            record.epoch == request.epoch || self.fault == Fault::EvictsEveryEpoch
        });
        if found {
            self.lock().records.remove(&self.slot(&request.key));
        }
        Ok(found)
    }

    async fn ready(&self) -> Result<(), StoreError> {
        Ok(())
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities::new(Durability::ProcessLocal).with_max_value_bytes(LIMIT)
    }

    fn identity(&self) -> &str {
        &self.identity
    }
}

//! A store over a hash map that can be told to be wrong.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use idempotency_runtime::{
    Capabilities, Change, Claim, ClaimRequest, Durability, Epoch, Evict, Fingerprint, IdempotencyKey,
    ListRequest, OnCrash, OwnerToken, OwnerWrite, Record, Refusal, Status, Store, StoreError, StoreErrorKind,
    Timestamp, Written, protocol,
};
use tokio::task::yield_now;

use crate::fault::Fault;

/// The largest value, in bytes.
const LIMIT: usize = 5 << 20;

#[derive(Clone, Debug)]
pub(crate) struct FaultyStore {
    pub(crate) fault: Fault,
    inner: Arc<Mutex<Inner>>,
    identity: String,
}

#[derive(Debug, Default)]
struct Inner {
    records: HashMap<String, Record>,
    latest: Timestamp,
}

impl FaultyStore {
    pub(crate) fn new(fault: Fault) -> Self {
        let identity = match fault {
            Fault::NamesEveryPlaceAlike => "faulty".into(),
            _ => format!("faulty:{}", fastrand::u64(..)),
        };
        Self { fault, inner: Arc::default(), identity }
    }

    /// A second handle on the same records.
    pub(crate) fn reopen(&self) -> Self {
        let mut store = self.clone();
        match self.fault {
            Fault::SharesNothingBetweenHandles => store.inner = Arc::default(),
            Fault::NamesEveryHandleAnew => store.identity = format!("faulty:{}", fastrand::u64(..)),
            _ => {}
        }
        store
    }

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

    /// Locks, and reads the record; a store that works in two steps decides on what it has read before.
    async fn enter(&self, key: &IdempotencyKey, two_steps: Fault) -> (MutexGuard<'_, Inner>, Option<Record>) {
        let slot = self.slot(key);
        let before = self.lock().records.get(&slot).cloned();
        if self.fault == two_steps {
            yield_now().await;
            return (self.lock(), before);
        }
        let inner = self.lock();
        let found = inner.records.get(&slot).cloned();
        (inner, found)
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
            Fault::ForgetsHolds => record.on_crash = OnCrash::Rerun,
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
        Some(self.misread_unknown(record, request))
    }

    /// What the store does to the record that a claim writes.
    fn miswrite(&self, mut record: Record, found: Option<&Record>) -> Record {
        match self.fault {
            Fault::RestartsEpochs if found.is_none() => record.epoch = Epoch::new(1),
            Fault::CountsNoAttempts => record.attempt = 1,
            Fault::KeepsTheOldValue => record.value = found.and_then(|found| found.value.clone()),
            _ => {}
        }
        self.miswrite_probe(record, found)
    }

    /// What the store does to the record that refuses a claim.
    fn touch(&self, found: &Record, request: &ClaimRequest, answer: &Claim) -> Option<Record> {
        let mut record = found.clone();
        match (self.fault, answer) {
            (Fault::WritesOnRefusal, _) => record.retain_until = Some(request.now.plus(request.ttl * 2)),
            (Fault::MovesTheLeaseOnRepeatedClaims, Claim::Acquired { .. })
            | (Fault::MovesTheLeaseOnRepeatedProbes, Claim::Probe { .. }) => {
                record.lease_until = request.lease_until;
            }
            _ => return None,
        }
        Some(record)
    }

    fn leaves_the_dead(&self, answer: &Claim) -> bool {
        self.fault == Fault::LeavesTheDeadInProgress && matches!(answer, Claim::Unknown { .. })
    }
}

impl Store for FaultyStore {
    async fn claim(&self, request: ClaimRequest) -> Result<Claim, StoreError> {
        let request = self.misread_probe(self.misread(request));
        let (mut inner, found) = self.enter(&request.key, Fault::ClaimsInTwoSteps).await;
        inner.latest = inner.latest.max(request.now);
        let found = found.and_then(|record| self.misread_found(record, &request));
        let decision = protocol::claim(found.as_ref(), &request);
        let mut answer = decision.answer;
        let write = match (decision.write, found.as_ref()) {
            (Some(_), _) if self.leaves_the_dead(&answer) => None,
            (Some(record), found) => Some(self.miswrite(record, found)),
            (None, Some(found)) => self.touch(found, &request, &answer),
            (None, None) => None,
        };
        if let (Some(record), Claim::Acquired { epoch, attempt, .. } | Claim::Probe { epoch, attempt, .. }) =
            (&write, &mut answer)
        {
            (*epoch, *attempt) = (record.epoch, record.attempt);
        }
        inner.records.extend(write.map(|record| (self.slot(&request.key), self.damage(record))));
        Ok(answer)
    }

    async fn write(&self, mut request: OwnerWrite) -> Result<Written, StoreError> {
        let length = match &request.change {
            Change::Complete(value) | Change::Fail(value) => {
                value.bytes.as_ref().map_or(0, |bytes| bytes.len())
            }
            Change::ResolveApplied(value) if self.fault != Fault::SettlesAnySize => {
                value.bytes.as_ref().map_or(0, |bytes| bytes.len())
            }
            _ => 0,
        };
        if length > LIMIT && self.fault != Fault::TakesAnySize {
            return Err(StoreError::new(StoreErrorKind::TooLarge, "the value is over the limit"));
        }
        let (mut inner, mut found) = self.enter(&request.key, Fault::WritesInTwoSteps).await;
        inner.latest = inner.latest.max(request.now);
        if self.fault == Fault::BringsRecordsBack && found.is_none() {
            let (key, now) = (request.key.clone(), request.now);
            found = Some(Record::claimed(key, request.owner, request.epoch, now, now));
        }
        if let Some(found) = &found {
            match self.fault {
                Fault::IgnoresTheEpochOfWrites => request.epoch = found.epoch,
                Fault::IgnoresTheOwnerOfWrites => request.owner = found.owner,
                Fault::RefusesWritesPastTheLease if request.now > found.lease_until => {
                    return Ok(Written::Refused(Refusal::TakenOver));
                }
                _ => {}
            }
        }
        let found = found.map(|record| self.misread_settled(record, &request));
        let mut decision = protocol::write(found.as_ref(), &request);
        decision.write = decision.write.map(|record| self.miswrite_settlement(record, &request));
        match (self.fault, &request.change, &found) {
            (Fault::ShortensLeases, Change::Renew { lease_until }, Some(found))
                if decision.write.is_none() =>
            {
                decision.write = Some(found.clone());
                decision.write.iter_mut().for_each(|record| record.lease_until = *lease_until);
            }
            (Fault::OverwritesOutcomes, Change::Complete(value), Some(found))
                if decision.answer == Written::AlreadyDone =>
            {
                let mut record = found.clone();
                record.value = Some(value.clone());
                decision.write = Some(record);
            }
            _ => {}
        }
        let slot = self.slot(&request.key);
        if self.fault == Fault::DeletesOnRelease && request.change == Change::Release {
            inner.records.remove(&slot);
        } else {
            inner.records.extend(decision.write.map(|record| (slot, self.damage(record))));
        }
        Ok(decision.answer)
    }

    async fn inspect(&self, key: &IdempotencyKey) -> Result<Option<Record>, StoreError> {
        let inner = self.lock();
        let hidden = |record: &Record| {
            self.fault == Fault::HidesExpiredRecords && record.expires_at.is_some_and(|at| inner.latest > at)
        };
        Ok(inner.records.get(&self.slot(key)).filter(|record| !hidden(record)).cloned())
    }

    async fn evict(&self, request: Evict) -> Result<bool, StoreError> {
        let (mut inner, slot) = (self.lock(), self.slot(&request.key));
        let any = self.fault == Fault::EvictsEveryEpoch;
        let found = inner.records.get(&slot).is_some_and(|record| any || request.means(record));
        if found {
            inner.records.remove(&slot);
        }
        Ok(found)
    }

    async fn list(&self, request: ListRequest) -> Result<Vec<Record>, StoreError> {
        let inner = self.lock();
        Ok(self.mislist(&request, inner.records.values(), inner.latest))
    }

    async fn ready(&self) -> Result<(), StoreError> {
        Ok(())
    }

    fn capabilities(&self) -> Capabilities {
        let capabilities = Capabilities::new(Durability::ProcessLocal).with_max_value_bytes(LIMIT);
        match self.fault {
            Fault::ListsAlthoughItSaysItCannot => capabilities,
            _ => capabilities.with_listing(),
        }
    }

    fn identity(&self) -> &str {
        &self.identity
    }
}

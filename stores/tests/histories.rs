//! Random histories of several owners on a few keys: every store against the protocol over a map. A history that
//! shows a difference is made shorter until nothing can be left out.
//!
//! `PROPTEST_CASES` says how many histories are tried on each store; what failed once is kept beside this file and tried
//! again first.
#![cfg(all(feature = "memory", feature = "sqlite"))]

use std::collections::BTreeMap;
use std::time::Duration;

use idempotency_runtime::{
    AnyStore, Change, Claim, ClaimRequest, DEFAULT_SKEW_BUDGET, Epoch, Evict, Fingerprint,
    FingerprintBuilder, IdempotencyKey, ListRequest, OnCrash, OnExpired, OwnerToken, OwnerWrite, Record,
    RecordedValue, Timestamp, protocol,
};
use idempotency_stores::{MemoryStore, SqliteStore};
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;

/// One step of a history.
#[derive(Clone, Debug)]
enum Step {
    Pass(u64),
    Claim {
        key: u8,
        owner: u8,
        request: Option<u8>,
        lease: u64,
        ttl: u64,
        hold: bool,
        reject: bool,
        probe: bool,
    },
    /// By the owner of a claim that was granted earlier, counted from the latest.
    Write {
        claim: usize,
        change: Write,
        ttl: u64,
        tombstone: u64,
    },
    Evict {
        claim: usize,
    },
    List {
        after: Option<u8>,
        limit: usize,
    },
}

#[derive(Clone, Copy, Debug)]
enum Write {
    Renew(u64),
    Announce,
    Complete(u8),
    Fail(u8),
    Release,
    MarkUnknown,
    Applied(u8),
    FailedAfterAll(u8),
    NotApplied,
}

fn step() -> impl Strategy<Value = Step> {
    let span = prop_oneof![0..3_u64, 1_000..40_000_u64];
    let write = prop_oneof![
        (0..60_000_u64).prop_map(Write::Renew),
        Just(Write::Announce),
        any::<u8>().prop_map(Write::Complete),
        any::<u8>().prop_map(Write::Fail),
        Just(Write::Release),
        Just(Write::MarkUnknown),
        any::<u8>().prop_map(Write::Applied),
        any::<u8>().prop_map(Write::FailedAfterAll),
        Just(Write::NotApplied),
    ];
    let claim = (
        (0..3_u8, 0..4_u8, prop::option::of(0..2_u8)),
        (0..30_000_u64, 1..60_000_u64),
        prop::bool::weighted(0.2),
        prop::bool::weighted(0.2),
        prop::bool::weighted(0.3),
    );
    prop_oneof![
        2 => span.prop_map(Step::Pass),
        4 => claim.prop_map(|((key, owner, request), (lease, ttl), hold, reject, probe)| {
            Step::Claim { key, owner, request, lease, ttl, hold, reject, probe }
        }),
        5 => (0..4_usize, write, 1..60_000_u64, prop_oneof![Just(0_u64), 0..60_000_u64])
            .prop_map(|(claim, change, ttl, tombstone)| Step::Write { claim, change, ttl, tombstone }),
        1 => (0..4_usize).prop_map(|claim| Step::Evict { claim }),
        1 => (prop::option::of(0..3_u8), 0..4_usize)
            .prop_map(|(after, limit)| Step::List { after, limit }),
    ]
}

fn key(number: u8) -> IdempotencyKey {
    IdempotencyKey::from_stored(&format!("case:{number}"))
}

fn fingerprint(number: u8) -> Fingerprint {
    let mut builder = FingerprintBuilder::new();
    builder.include(&number, &[]).expect("a number can be hashed");
    builder.finish()
}

fn value(number: u8) -> RecordedValue {
    RecordedValue::new(
        u32::from(number % 2) + 1,
        (number > 0).then(|| vec![number; usize::from(number)].into()),
    )
}

impl Write {
    fn change(self, now: Timestamp) -> Change {
        match self {
            Self::Renew(span) => Change::Renew { lease_until: now.plus(Duration::from_millis(span)) },
            Self::Announce => Change::Announce,
            Self::Complete(number) => Change::Complete(value(number)),
            Self::Fail(number) => Change::Fail(value(number)),
            Self::Release => Change::Release,
            Self::MarkUnknown => Change::MarkUnknown,
            Self::Applied(number) => Change::ResolveApplied(value(number)),
            Self::FailedAfterAll(number) => Change::ResolveFailed(value(number)),
            Self::NotApplied => Change::ResolveNotApplied,
        }
    }
}

/// The store, and what it should hold.
struct History {
    store: AnyStore,
    model: BTreeMap<IdempotencyKey, Record>,
    now: Timestamp,
    granted: Vec<(IdempotencyKey, OwnerToken, Epoch)>,
}

impl History {
    fn new(store: impl Into<AnyStore>) -> Self {
        let now = Timestamp::from_millis(1_782_639_000_000);
        Self { store: store.into(), model: BTreeMap::new(), now, granted: Vec::new() }
    }

    /// A store may remove what is forgotten whenever it likes.
    async fn forget(&mut self, key: &IdempotencyKey) {
        let forgotten =
            self.model.get(key).is_some_and(|record| record.is_forgotten(self.now, DEFAULT_SKEW_BUDGET));
        if forgotten && self.store.inspect(key).await.unwrap().is_none() {
            self.model.remove(key);
        }
    }

    fn earlier(&self, back: usize) -> Option<(IdempotencyKey, OwnerToken, Epoch)> {
        self.granted.iter().rev().nth(back).cloned()
    }

    async fn take(&mut self, step: &Step) -> Result<(), TestCaseError> {
        match *step {
            Step::Pass(span) => self.now = self.now.plus(Duration::from_millis(span)),
            Step::Claim { key: number, owner, request, lease, ttl, hold, reject, probe } => {
                let owner = OwnerToken::from_bytes([owner; 16]);
                let lease_until = self.now.plus(Duration::from_millis(lease));
                let mut claim =
                    ClaimRequest::new(key(number), owner, self.now, lease_until, Duration::from_millis(ttl));
                claim.fingerprint = request.map(fingerprint);
                claim.on_crash = if hold { OnCrash::Hold } else { OnCrash::Rerun };
                claim.on_expired = if reject { OnExpired::Reject } else { OnExpired::Run };
                claim.probe = probe;
                self.claim(claim).await?;
            }
            Step::Write { claim, change, ttl, tombstone } => {
                let Some((key, owner, epoch)) = self.earlier(claim) else { return Ok(()) };
                let change = change.change(self.now);
                let mut write =
                    OwnerWrite::new(key, owner, epoch, self.now, Duration::from_millis(ttl), change);
                write.tombstone = Duration::from_millis(tombstone);
                self.write(write).await?;
            }
            Step::Evict { claim } => {
                let Some((key, _, epoch)) = self.earlier(claim) else { return Ok(()) };
                self.forget(&key).await;
                let found = self.model.get(&key).is_some_and(|record| record.epoch == epoch);
                prop_assert_eq!(self.store.evict(Evict::new(key.clone(), epoch)).await.unwrap(), found);
                if found {
                    self.model.remove(&key);
                }
            }
            Step::List { after, limit } => {
                for number in 0..3 {
                    self.forget(&key(number)).await;
                }
                let mut request = ListRequest { prefix: "case:".into(), limit, ..ListRequest::default() };
                request.after = after.map(key);
                let expected = request.page(self.model.values());
                prop_assert_eq!(self.store.list(request).await.unwrap(), expected);
            }
        }
        Ok(())
    }

    async fn claim(&mut self, claim: ClaimRequest) -> Result<(), TestCaseError> {
        let key = claim.key.clone();
        self.forget(&key).await;
        let expected = protocol::claim(self.model.get(&key), &claim);
        let answer = self.store.claim(claim.clone()).await.unwrap();
        prop_assert_eq!(&answer, &expected.answer);
        if let Some(record) = expected.write {
            self.model.insert(key.clone(), record);
        }
        if let Claim::Acquired { epoch, .. } | Claim::Probe { epoch, .. } = answer {
            self.granted.push((key.clone(), claim.owner, epoch));
        }
        self.compare(&key).await
    }

    async fn write(&mut self, write: OwnerWrite) -> Result<(), TestCaseError> {
        let key = write.key.clone();
        self.forget(&key).await;
        let expected = protocol::write(self.model.get(&key), &write);
        prop_assert_eq!(self.store.write(write).await.unwrap(), expected.answer);
        if let Some(record) = expected.write {
            self.model.insert(key.clone(), record);
        }
        self.compare(&key).await
    }

    async fn compare(&mut self, key: &IdempotencyKey) -> Result<(), TestCaseError> {
        let stored = self.store.inspect(key).await.unwrap();
        prop_assert_eq!(stored.as_ref(), self.model.get(key));
        Ok(())
    }
}

async fn play(store: impl Into<AnyStore>, steps: &[Step]) -> Result<(), TestCaseError> {
    let mut history = History::new(store);
    for step in steps {
        history.take(step).await?;
    }
    Ok(())
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

/// Few where nobody says how many: a history on SQLite takes some milliseconds.
fn config() -> ProptestConfig {
    let mut config = ProptestConfig::default();
    if std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = 64;
    }
    config
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn the_memory_store_does_what_the_protocol_says(steps in prop::collection::vec(step(), 1..40)) {
        runtime().block_on(play(MemoryStore::new(), &steps))?;
    }

    #[test]
    fn the_sqlite_store_does_what_the_protocol_says(steps in prop::collection::vec(step(), 1..40)) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("records.db");
        runtime().block_on(async { play(SqliteStore::open(path).await.unwrap(), &steps).await })?;
    }
}

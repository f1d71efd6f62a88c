//! Purging removes what `Record::is_forgotten` calls forgotten, and nothing else.

#![cfg(feature = "sqlite")]

mod sqlite_support;

use std::time::Duration;

use fastrand::Rng;
use idempotency_conformance::script::{Held, LEASE, MS, SKEW, START, TTL, after, value};
use idempotency_runtime::{Change, Claim, OnCrash, Store, Timestamp};
use idempotency_stores::SqliteStore;

use crate::sqlite_support::{Place, acquire, claim_of, finish, numbered};

const RECORDS: usize = 300;

/// The spans that matter, and a millisecond before and after.
fn bounds() -> impl Iterator<Item = Duration> {
    [Duration::ZERO, SKEW, LEASE, LEASE + SKEW, TTL, Duration::MAX]
        .into_iter()
        .flat_map(|span| [span.saturating_sub(MS), span, span.saturating_add(MS)])
}

fn span(random: &mut Rng) -> Duration {
    random.choice(bounds().collect::<Vec<_>>()).unwrap()
}

async fn write(store: &SqliteStore, held: &Held, change: Change, ttl: Duration, tombstone: Duration) {
    let mut write = held.change(START, change);
    write.ttl = ttl;
    write.tombstone = tombstone;
    let _ = store.write(write).await.unwrap();
}

/// Brings a key into a random state.
async fn fill(store: &SqliteStore, random: &mut Rng, number: usize) {
    let mut claim = claim_of(&numbered(number));
    claim.ttl = span(random);
    claim.lease_until = START.plus(span(random));
    claim.on_crash = if random.u8(0..4) == 0 { OnCrash::Hold } else { OnCrash::Rerun };
    let held = acquire(store, claim).await;
    let (ttl, tombstone) = (span(random), span(random));
    if random.u8(0..4) == 0 {
        write(store, &held, Change::Announce, ttl, tombstone).await;
    }
    let change = match random.u8(0..6) {
        0 => Change::Complete(value("done")),
        1 => Change::Fail(value("failed")),
        2 => Change::Release,
        3 => Change::MarkUnknown,
        4 => Change::Renew { lease_until: START.plus(span(random)) },
        _ => return,
    };
    write(store, &held, change, ttl, tombstone).await;
}

#[tokio::test]
async fn exactly_the_forgotten_records_are_removed() {
    let seed = std::env::var("IDEMPOTENCY_CONFORMANCE_SEED")
        .map_or_else(|_| fastrand::u64(..), |s| s.parse().unwrap());
    eprintln!("replay with IDEMPOTENCY_CONFORMANCE_SEED={seed}");
    let mut random = Rng::with_seed(seed);
    let place = Place::new();
    let store = place.open().await;
    for number in 0..RECORDS {
        fill(&store, &mut random, number).await;
    }
    let mut times: Vec<Timestamp> = bounds().map(|bound| START.plus(bound)).collect();
    times.extend([Timestamp::from_millis(0), Timestamp::from_millis(i64::MAX.unsigned_abs())]);
    // Beyond that the store keeps what it has.
    times.retain(|time| i64::try_from(time.as_millis()).is_ok());
    times.sort();
    for now in times {
        let mut kept = Vec::new();
        for number in 0..RECORDS {
            if let Some(record) = store.inspect(&numbered(number)).await.unwrap() {
                kept.push((number, record.is_forgotten(now, SKEW)));
            }
        }
        let forgotten = kept.iter().filter(|(_, forgotten)| *forgotten).count();
        assert_eq!(store.purge(now, RECORDS).await.unwrap(), forgotten, "at {now}");
        for (number, forgotten) in kept {
            let record = store.inspect(&numbered(number)).await.unwrap();
            assert_eq!(record.is_none(), forgotten, "{number} at {now}: {record:?}");
        }
    }
}

#[tokio::test]
async fn a_batch_removes_the_oldest_and_says_how_many() {
    let place = Place::new();
    let store = place.open().await;
    for number in 0..5 {
        let held = acquire(&store, claim_of(&numbered(number))).await;
        let ttl = TTL.saturating_sub(Duration::from_secs(number as u64));
        write(&store, &held, Change::Complete(value("done")), ttl, Duration::ZERO).await;
    }
    let later = after(2 * TTL);
    assert_eq!(store.purge(later, 2).await.unwrap(), 2);
    for (number, kept) in [(0, true), (1, true), (2, true), (3, false), (4, false)] {
        assert_eq!(store.inspect(&numbered(number)).await.unwrap().is_some(), kept, "{number}");
    }
    assert_eq!(store.purge(later, 0).await.unwrap(), 0);
    assert_eq!(store.purge(later, usize::MAX).await.unwrap(), 3);
    assert_eq!(store.purge(later, 10).await.unwrap(), 0);
}

#[tokio::test]
async fn a_purged_key_is_claimed_under_a_later_epoch() {
    let place = Place::new();
    let store = place.open().await;
    finish(&store, &numbered(1)).await;
    let before = store.inspect(&numbered(1)).await.unwrap().unwrap().epoch;
    let mut claim = claim_of(&numbered(1));
    claim.now = after(2 * TTL);
    assert_eq!(store.purge(claim.now, 10).await.unwrap(), 1);
    match store.claim(claim).await.unwrap() {
        Claim::Acquired { epoch, .. } => assert!(epoch > before),
        other => panic!("{other:?}"),
    }
}

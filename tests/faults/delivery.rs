//! Stores that are away, and calls that arrive twice.

use std::future::pending;
use std::pin::pin;
use std::task::{Context, Waker};
use std::time::Duration;

use idempotency::{
    Disposition, Error, ErrorKind, InProgress, OnExpired, OnStoreError, Status, StoreErrorKind,
    effect_begins, with_reports,
};

use crate::faulty::Fault;
use crate::{LEASE, World, key, kind};

const MS: Duration = Duration::from_millis(1);

#[tokio::test]
async fn without_its_store_the_body_runs_only_where_the_operation_says_so() {
    let world = World::new();
    world.faulty.on_claims([Fault::Refused(StoreErrorKind::Busy); 2]);
    assert_eq!(kind(world.pay().await), ErrorKind::Store);
    assert_eq!(world.effects(), 0, "closed unless somebody opens it");
    let open = world.operation().on_store_error(OnStoreError::Run);
    let (result, reports) = with_reports(open.run(world.effect())).await;
    assert_eq!((result.unwrap(), reports[0].disposition), (1, Disposition::Unprotected));
}

#[tokio::test]
async fn without_its_store_no_body_runs_beside_an_owner_that_is_known() {
    let world = World::new();
    let mut owner = pin!(world.operation().run(pending::<Result<u32, Error>>()));
    assert!(owner.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    world.faulty.on_claims([Fault::None, Fault::Refused(StoreErrorKind::Busy)]);
    let wait = InProgress::Wait(LEASE / 2);
    let second = world.operation().in_progress(wait).on_store_error(OnStoreError::Run);
    let second = second.run(world.effect());
    let (result, ()) = tokio::join!(second, async {
        for _ in 0..100 {
            world.clock.advance(MS * 10);
            tokio::task::yield_now().await;
        }
    });
    assert_eq!(kind(result), ErrorKind::Store);
    assert_eq!(world.effects(), 0);
}

#[tokio::test]
async fn a_record_that_cannot_be_read_runs_nothing_whatever_the_operation_says() {
    for refused in [StoreErrorKind::Corrupt, StoreErrorKind::NewerFormat, StoreErrorKind::Misconfigured] {
        let world = World::new();
        world.faulty.on_claims([Fault::Refused(refused); 2]);
        for policy in [OnStoreError::Reject, OnStoreError::Run] {
            let error = world.operation().on_store_error(policy).run(world.effect()).await.unwrap_err();
            assert_eq!(error.store_error().unwrap().kind(), refused);
            assert!(!error.is_retryable(), "{error}");
        }
        assert_eq!(world.effects(), 0);
    }
}

#[tokio::test]
async fn a_claim_that_is_delivered_twice_is_its_own() {
    let world = World::new();
    world.faulty.on_claims([Fault::Twice]);
    let (result, reports) = with_reports(world.pay()).await;
    assert_eq!((result.unwrap(), reports[0].attempt), (1, Some(1)));
}

#[tokio::test]
async fn an_announcement_and_an_outcome_that_are_delivered_twice_are_applied_once() {
    let world = World::new();
    world.faulty.on_outcomes([Fault::Twice, Fault::Twice]);
    let body = async {
        effect_begins().await?;
        world.effect().await
    };
    assert_eq!(world.operation().run(body).await.unwrap(), 1);
    assert_eq!(world.pay().await.unwrap(), 1);
}

#[tokio::test]
async fn a_release_that_is_delivered_twice_frees_the_key_once() {
    let world = World::new();
    world.faulty.on_outcomes([Fault::Twice]);
    let failed =
        world.operation().run(async { Err::<u32, Box<dyn std::error::Error + Send + Sync>>("no".into()) });
    failed.await.unwrap_err();
    let record = world.store.inspect(&key()).await.unwrap().unwrap();
    assert_eq!(record.status, Status::Released);
    assert_eq!(world.pay().await.unwrap(), 1);
}

#[tokio::test]
async fn a_late_retry_is_told_expired_until_its_tombstone_is_gone() {
    let world = World::new();
    let tombstone = Duration::from_secs(60);
    let before_its_end = tombstone.saturating_sub(MS);
    let pay = || world.operation().tombstone(tombstone).on_expired(OnExpired::Reject).run(world.effect());
    assert_eq!(pay().await.unwrap(), 1);
    world.clock.advance(Duration::from_secs(600));
    assert_eq!(pay().await.unwrap(), 1, "the last instant of the TTL");
    world.clock.advance(MS);
    assert_eq!(kind(pay().await), ErrorKind::Expired);
    world.clock.advance(before_its_end);
    assert_eq!(kind(pay().await), ErrorKind::Expired, "the last instant of the tombstone");
    world.clock.advance(MS);
    assert_eq!(pay().await.unwrap(), 2);
}

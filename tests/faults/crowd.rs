//! Many callers of one key.

use std::sync::Arc;
use std::time::Duration;

use idempotency::{
    Claim, ClaimRequest, Error, ErrorKind, InProgress, Outcome, OwnerToken, Reconciled, Sweep, effect_begins,
};
use tokio::task::JoinHandle;

use crate::lease::Slow;
use crate::{LEASE, START, World, key, kind};

const TTL: Duration = Duration::from_secs(600);
const WAIT: InProgress = InProgress::Wait(Duration::from_secs(300));

/// So many callers that wait.
async fn crowd(world: &Arc<World>, callers: usize) -> Vec<JoinHandle<Result<u32, Error>>> {
    let crowd = (0..callers).map(|_| {
        let world = world.clone();
        tokio::spawn(async move { world.operation().in_progress(WAIT).run(world.effect()).await })
    });
    let crowd: Vec<_> = crowd.collect();
    for _ in 0..20 {
        tokio::task::yield_now().await;
    }
    crowd
}

/// Lets time pass until all have their answer, and checks that it is this one.
async fn all_get(world: &World, crowd: Vec<JoinHandle<Result<u32, Error>>>, value: u32) {
    while !crowd.iter().all(JoinHandle::is_finished) {
        world.clock.advance(Duration::from_millis(500));
        for _ in 0..20 {
            tokio::task::yield_now().await;
        }
    }
    for caller in crowd {
        assert_eq!(caller.await.unwrap().unwrap(), value);
    }
}

/// The claim of a process that dies at once.
async fn dead_owner(world: &World) {
    let owner = OwnerToken::from_bytes([9; 16]);
    let claim = world.store.claim(ClaimRequest::new(key(), owner, START, START.plus(LEASE), TTL)).await;
    assert!(matches!(claim, Ok(Claim::Acquired { .. })));
}

#[tokio::test]
async fn a_thousand_callers_of_one_key_make_few_calls_of_the_store() {
    let slow = Slow::start_with(World::new(), |operation| operation.in_progress(WAIT)).await;
    let crowd = crowd(&slow.world, 1_000).await;
    slow.go_on.notify_one();
    all_get(&slow.world, crowd, 1).await;
    let counts = slow.world.faulty.counts();
    assert_eq!((counts.claims, counts.outcomes, slow.world.effects()), (1, 1, 1), "{counts:?}");
}

#[tokio::test]
async fn fifty_callers_that_wait_outlive_an_owner_elsewhere_and_one_of_them_runs() {
    let world = Arc::new(World::new());
    dead_owner(&world).await;
    let crowd = crowd(&world, 50).await;
    all_get(&world, crowd, 1).await;
    assert_eq!(world.effects(), 1);
}

#[tokio::test]
async fn fifty_callers_that_wait_outlive_an_owner_of_their_process_and_one_of_them_runs() {
    let slow = Slow::start_with(World::new(), |operation| operation.in_progress(WAIT)).await;
    let crowd = crowd(&slow.world, 50).await;
    slow.task.abort();
    all_get(&slow.world, crowd, 1).await;
    assert_eq!(slow.world.effects(), 1);
}

#[tokio::test]
async fn callers_do_not_wait_longer_than_they_say() {
    let world = Arc::new(World::new());
    dead_owner(&world).await;
    let waiting = tokio::spawn({
        let world = world.clone();
        let wait = InProgress::Wait(Duration::from_secs(5));
        async move { world.operation().in_progress(wait).run(world.effect()).await }
    });
    for tenth in 0..51 {
        assert!(tenth < 50 || !waiting.is_finished(), "not before the end");
        world.clock.advance(Duration::from_millis(100));
        for _ in 0..20 {
            tokio::task::yield_now().await;
        }
    }
    assert_eq!(kind(waiting.await.unwrap()), ErrorKind::InProgress);
    assert!(world.faulty.counts().claims <= 50, "{:?}", world.faulty.counts());
}

#[tokio::test]
async fn a_sweep_leaves_a_body_alone_that_is_running() {
    let world = World::new();
    let body = async {
        effect_begins().await?;
        let sweep = Sweep::new("pay", TTL);
        let outcome = Outcome::<u32, Error>::new();
        let swept = world.store.sweep(sweep, &outcome, async |_| Ok(Reconciled::NotApplied)).await;
        assert_eq!(swept.unwrap(), idempotency::Swept::default());
        world.effect().await
    };
    assert_eq!(world.operation().run(body).await.unwrap(), 1);
    assert_eq!(world.pay().await.unwrap(), 1);
}

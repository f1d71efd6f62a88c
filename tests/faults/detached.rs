//! Bodies that go on without their caller.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use idempotency::{Error, ErrorKind, Outcome, Status, drain};
use tokio::sync::Notify;

use crate::crash::drop_after;
use crate::{LEASE, World, key, kind};

/// A detached payment whose body waits twice.
fn pay_detached(
    world: &World,
    go_on: &Arc<Notify>,
) -> impl Future<Output = Result<u32, Error>> + Send + use<> {
    let (effects, go_on) = (world.effects.clone(), go_on.clone());
    world.operation().run_detached(Outcome::new(), async move {
        go_on.notified().await;
        let value = effects.fetch_add(1, Ordering::SeqCst) + 1;
        tokio::task::yield_now().await;
        Ok(value)
    })
}

async fn settle() {
    for _ in 0..50 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_detached_body_goes_on_when_its_caller_is_dropped_at_any_poll() {
    for polls in 1..5 {
        let (world, go_on) = (World::new(), Arc::new(Notify::new()));
        {
            let call = pay_detached(&world, &go_on);
            let mut call = std::pin::pin!(call);
            for _ in 0..polls {
                let _ = tokio::time::timeout(Duration::ZERO, call.as_mut()).await;
            }
        }
        settle().await;
        assert_eq!(kind(world.pay().await), ErrorKind::InProgress, "after {polls} polls");
        go_on.notify_one();
        settle().await;
        assert_eq!((world.pay().await.unwrap(), world.effects()), (1, 1), "after {polls} polls");
    }
}

#[tokio::test]
async fn a_detached_call_that_was_never_polled_has_not_begun() {
    let world = World::new();
    drop(pay_detached(&world, &Arc::new(Notify::new())));
    settle().await;
    assert_eq!(world.faulty.counts().claims, 0);
}

#[test]
fn a_runtime_that_is_shut_down_leaves_the_key_to_its_lease() {
    let (world, go_on) = (World::new(), Arc::new(Notify::new()));
    let runtime = || tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    let first = runtime();
    first.block_on(async {
        tokio::spawn(pay_detached(&world, &go_on));
        settle().await;
    });
    drop(first);
    go_on.notify_one();
    runtime().block_on(async {
        assert_eq!(world.effects(), 0, "the body is gone");
        assert_eq!(world.store.inspect(&key()).await.unwrap().unwrap().status, Status::InProgress);
        assert_eq!(kind(world.pay().await), ErrorKind::InProgress);
        world.clock.advance(LEASE + Duration::from_secs(2));
        assert_eq!(world.pay().await.unwrap(), 1);
    });
}

#[tokio::test]
async fn drain_waits_for_a_detached_body_whose_caller_is_gone() {
    let (world, go_on) = (World::new(), Arc::new(Notify::new()));
    let _ = tokio::time::timeout(Duration::ZERO, pay_detached(&world, &go_on)).await;
    let mut drained = tokio::spawn(drain());
    assert!(tokio::time::timeout(Duration::from_millis(50), &mut drained).await.is_err());
    go_on.notify_one();
    tokio::time::timeout(Duration::from_secs(120), drained).await.unwrap().unwrap();
    assert_eq!(world.effects(), 1);
}

#[test]
fn without_a_runtime_a_detached_body_does_not_begin() {
    let world = World::new();
    let call = pay_detached(&world, &Arc::new(Notify::new()));
    let mut error = None;
    assert!(drop_after(1, async { error = call.await.err() }));
    assert_eq!(error.unwrap().kind(), ErrorKind::Misconfigured);
    assert_eq!(world.faulty.counts().claims, 0);
}

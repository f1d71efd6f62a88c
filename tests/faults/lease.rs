//! Leases: renewal, takeover, zombies, and owners that stop themselves.

use std::sync::Arc;
use std::time::Duration;

use idempotency::{ErrorKind, Evict, Operation, Status, StoreErrorKind, Timestamp};
use tokio::sync::Notify;

use crate::faulty::Fault;
use crate::{LEASE, World, key, kind};

/// A payment whose body ends when the test says so.
pub(crate) struct Slow {
    pub(crate) world: Arc<World>,
    pub(crate) go_on: Arc<Notify>,
    pub(crate) task: tokio::task::JoinHandle<Result<u32, idempotency::Error>>,
}

impl Slow {
    pub(crate) async fn start(world: World) -> Self {
        Self::start_with(world, |operation| operation).await
    }

    pub(crate) async fn start_with(world: World, set: fn(Operation) -> Operation) -> Self {
        let (world, go_on) = (Arc::new(world), Arc::new(Notify::new()));
        let task = tokio::spawn({
            let (world, go_on) = (world.clone(), go_on.clone());
            async move {
                let body = async {
                    go_on.notified().await;
                    world.effect().await
                };
                set(world.operation()).run(body).await
            }
        });
        world.settle(&task).await;
        Self { world, go_on, task }
    }

    /// Lets time pass in steps short enough for every renewal.
    pub(crate) async fn pass(&self, seconds: u64) {
        self.pass_in_steps(2 * seconds, Duration::from_millis(500)).await;
    }

    async fn pass_in_steps(&self, steps: u64, step: Duration) {
        for _ in 0..steps {
            self.world.clock.advance(step);
            for _ in 0..20 {
                tokio::task::yield_now().await;
            }
        }
    }
}

#[tokio::test]
async fn a_body_longer_than_its_lease_stays_alone() {
    let slow = Slow::start(World::new()).await;
    for _ in 0..10 {
        slow.pass(30).await;
        assert_eq!(kind(slow.world.pay().await), ErrorKind::InProgress);
    }
    slow.go_on.notify_one();
    assert_eq!(slow.task.await.unwrap().unwrap(), 1);
    assert_eq!(slow.world.effects(), 1);
    assert!(slow.world.faulty.counts().renewals >= 29, "{:?}", slow.world.faulty.counts());
}

#[tokio::test]
async fn the_shortest_lease_is_renewed_like_any_other() {
    let slow = Slow::start_with(World::new(), shortest).await;
    slow.pass(60).await;
    slow.go_on.notify_one();
    assert_eq!(slow.task.await.unwrap().unwrap(), 1);
}

#[tokio::test]
async fn in_progress_says_since_when_until_when_and_when_to_retry() {
    let slow = Slow::start(World::new()).await;
    let start = slow.world.clock.now_at();
    slow.world.clock.advance(Duration::from_secs(4));
    let error = slow.world.pay().await.unwrap_err();
    assert_eq!(error.since(), Some(start));
    assert_eq!(error.until(), Some(start.plus(LEASE)));
    assert_eq!(error.retry_after(), Some(Duration::from_secs(28)));
    assert!(error.is_retryable());
    assert_eq!(
        error.to_string(),
        "operation `pay`: another call with this key is running; key `pay:A-1`; since \
         2026-06-28T09:30:00.000Z; until 2026-06-28T09:30:30.000Z; retry after 28s"
    );
}

#[tokio::test]
async fn renewals_that_fail_are_tried_again_and_the_body_goes_on() {
    let world = World::new();
    world.faulty.on_renewals([Fault::Refused(StoreErrorKind::Unavailable), Fault::AnswerLost]);
    let slow = Slow::start(world).await;
    slow.pass(90).await;
    slow.go_on.notify_one();
    assert_eq!(slow.task.await.unwrap().unwrap(), 1);
}

#[tokio::test]
async fn a_renewal_that_is_never_answered_does_not_hold_up_the_outcome() {
    let world = World::new();
    world.faulty.on_renewals([Fault::Hangs]);
    let slow = Slow::start(world).await;
    slow.pass(11).await;
    slow.go_on.notify_one();
    slow.pass(31).await;
    assert_eq!(slow.task.await.unwrap().unwrap(), 1);
    assert_eq!(slow.world.pay().await.unwrap(), 1);
}

#[tokio::test]
async fn a_renewal_that_is_never_answered_is_sent_again_and_the_body_goes_on() {
    let usual: fn(Operation) -> Operation = |operation| operation;
    for (lease, set) in [(LEASE, usual), (SHORTEST, shortest)] {
        let world = World::new();
        world.faulty.on_renewals([Fault::Hangs]);
        let slow = Slow::start_with(world, set).await;
        slow.pass_in_steps(300, lease / 100).await;
        slow.go_on.notify_one();
        assert_eq!(slow.task.await.unwrap().unwrap(), 1, "with a lease of {lease:?}");
    }
}

#[tokio::test]
async fn a_lease_runs_from_the_claim_that_was_applied_and_not_from_the_one_that_was_answered() {
    let world = World::new();
    world.faulty.on_claims([Fault::HangsApplied]);
    world.faulty.on_renewals([Fault::Refused(StoreErrorKind::Unavailable); 1_000]);
    let world = Arc::new(world);
    let body = std::future::pending::<Result<u32, idempotency::Error>>();
    let task = tokio::spawn({
        let world = world.clone();
        async move { world.operation().run(body).await }
    });
    let slow = Slow { world, go_on: Arc::new(Notify::new()), task };
    slow.pass_in_steps(1, Duration::ZERO).await;
    slow.pass(27).await;
    assert!(!slow.task.is_finished());
    slow.pass(1).await;
    assert!(slow.task.is_finished(), "2 s before the end of the lease");
    assert_eq!(kind(slow.task.await.unwrap()), ErrorKind::LeaseLost);
    assert_eq!(slow.world.faulty.counts().claims, 2);
}

const SHORTEST: Duration = Duration::from_secs(4);

fn shortest(operation: Operation) -> Operation {
    operation.lease(SHORTEST)
}

#[tokio::test]
async fn an_outcome_behind_a_renewal_that_is_never_answered_comes_before_a_takeover() {
    let world = World::new();
    world.faulty.on_renewals([Fault::Hangs; 100]);
    let slow = Slow::start(world).await;
    slow.pass(25).await;
    slow.go_on.notify_one();
    let elsewhere = tokio::spawn({
        let world = slow.world.clone();
        async move {
            let wait = idempotency::InProgress::Wait(Duration::from_secs(600));
            world.operation().store(world.elsewhere()).in_progress(wait).run(world.effect()).await
        }
    });
    slow.pass(60).await;
    assert_eq!((slow.task.await.unwrap().unwrap(), elsewhere.await.unwrap().unwrap()), (1, 1));
    assert_eq!(slow.world.effects(), 1);
}

#[tokio::test]
async fn an_endless_wait_is_no_overflow() {
    let slow = Slow::start(World::new()).await;
    let waiting = tokio::spawn({
        let world = slow.world.clone();
        async move {
            let wait = idempotency::InProgress::Wait(Duration::MAX);
            world.operation().in_progress(wait).run(world.effect()).await
        }
    });
    slow.pass(5).await;
    slow.go_on.notify_one();
    slow.pass(5).await;
    assert_eq!(waiting.await.unwrap().unwrap(), 1);
}

#[tokio::test]
async fn an_owner_without_an_acknowledged_renewal_stops_before_anybody_can_take_over() {
    let world = World::new();
    world.faulty.on_renewals([Fault::Refused(StoreErrorKind::Unavailable); 1_000]);
    let slow = Slow::start(world).await;
    slow.pass(27).await;
    assert!(!slow.task.is_finished());
    slow.pass(1).await;
    slow.go_on.notify_one();
    assert_eq!(kind(slow.task.await.unwrap()), ErrorKind::LeaseLost);
    assert_eq!(slow.world.effects(), 0, "the body must not be polled past its lease");
    slow.world.clock.advance(Duration::from_secs(4));
    assert_eq!(slow.world.pay().await.unwrap(), 1);
}

#[tokio::test]
async fn a_process_that_was_frozen_past_its_lease_does_not_run_on() {
    let slow = Slow::start(World::new()).await;
    let now = slow.world.clock.now_at();
    slow.world.clock.set_wall(now.plus(Duration::from_secs(31)));
    slow.go_on.notify_one();
    assert_eq!(kind(slow.task.await.unwrap()), ErrorKind::LeaseLost);
    assert_eq!(slow.world.effects(), 0);
}

#[tokio::test]
async fn a_refused_renewal_stops_the_body_at_once() {
    let slow = Slow::start(World::new()).await;
    let record = slow.world.store.inspect(&key()).await.unwrap().unwrap();
    assert!(slow.world.store.evict(Evict::new(key(), record.epoch)).await.unwrap());
    slow.pass(11).await;
    assert!(slow.task.is_finished());
    assert_eq!(kind(slow.task.await.unwrap()), ErrorKind::LeaseLost);
    assert_eq!(slow.world.effects(), 0);
}

#[tokio::test]
async fn a_record_that_was_evicted_is_not_resurrected_by_its_owner() {
    let slow = Slow::start(World::new()).await;
    let record = slow.world.store.inspect(&key()).await.unwrap().unwrap();
    assert!(slow.world.store.evict(Evict::new(key(), record.epoch)).await.unwrap());
    slow.go_on.notify_one();
    let error = slow.task.await.unwrap().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::LeaseLost);
    assert_eq!(error.unsaved_value::<u32>(), Some(1));
    assert_eq!(slow.world.store.inspect(&key()).await.unwrap(), None);
}

#[tokio::test]
async fn a_clock_set_back_at_the_owner_steals_no_time() {
    let slow = Slow::start(World::new()).await;
    let start = slow.world.clock.now_at();
    slow.world.clock.set_wall(start.minus(Duration::from_secs(3_600)));
    slow.pass(29).await;
    slow.go_on.notify_one();
    assert_eq!(kind(slow.task.await.unwrap()), ErrorKind::LeaseLost);
    assert_eq!(slow.world.effects(), 0);
}

#[tokio::test]
async fn a_deadline_ends_the_lease_and_a_passed_one_starts_nothing() {
    let world = World::new();
    let now = world.clock.now_at();
    let soon = world.operation().deadline(now.plus(Duration::from_secs(1))).run(world.effect()).await;
    assert_eq!(kind(soon), ErrorKind::DeadlineTooNear);
    let past = world.operation().deadline(now.minus(Duration::from_secs(9))).run(world.effect()).await;
    assert_eq!(kind(past), ErrorKind::DeadlineTooNear);
    assert_eq!((world.effects(), world.faulty.counts().claims), (0, 0));

    let key = key();
    let capped = world.operation().deadline(now.plus(Duration::from_secs(10)));
    let seen = capped
        .run(async {
            let record = world.store.inspect(&key).await.unwrap().unwrap();
            assert_eq!(record.status, Status::InProgress);
            Ok::<_, idempotency::Error>(record.lease_until.as_millis())
        })
        .await;
    assert_eq!(Timestamp::from_millis(seen.unwrap()), now.plus(Duration::from_secs(10)));
}

#[tokio::test]
async fn a_lease_that_could_not_be_renewed_is_refused() {
    let world = World::new();
    for lease in [Duration::ZERO, Duration::from_secs(2), Duration::from_millis(3_999)] {
        let error = world.operation().lease(lease).run(world.effect()).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Misconfigured);
        assert!(error.to_string().contains("use at least `4s`"), "{error}");
    }
    assert_eq!(world.effects(), 0);
}

/// A second name for the clock's reading, so that tests need not import the trait.
pub(crate) trait NowAt {
    fn now_at(&self) -> Timestamp;
}

impl NowAt for idempotency::ManualClock {
    fn now_at(&self) -> Timestamp {
        idempotency::Clock::now(self)
    }
}

//! Time: deadlines, clocks that differ, late renewals, and epochs.

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use idempotency::{
    AnyStore, Change, Claim, ClaimRequest, Clock, Epoch, Error, ErrorKind, Evict, ManualClock, Operation,
    OwnerToken, OwnerWrite, RecordedValue, Refusal, Sleep, Timestamp, Written, with_reports,
};

use crate::crash::{CatchUnwind, drop_after};
use crate::lease::{NowAt, Slow};
use crate::{LEASE, START, World, key, kind};

const TTL: Duration = Duration::from_secs(600);
const MINUTE: Duration = Duration::from_secs(60);

/// The clock of a host that differs from the others.
#[derive(Debug)]
pub(crate) struct Skewed {
    pub(crate) clock: ManualClock,
    pub(crate) ahead: Duration,
    pub(crate) behind: Duration,
}

impl Clock for Skewed {
    fn now(&self) -> Timestamp {
        self.clock.now().plus(self.ahead).minus(self.behind)
    }

    fn monotonic(&self) -> Duration {
        self.clock.monotonic()
    }

    fn sleep(&self, pause: Duration) -> Sleep {
        self.clock.sleep(pause)
    }

    fn limit(&self, limit: Duration) -> Sleep {
        self.clock.limit(limit)
    }
}

impl World {
    /// The same records, seen from another host.
    fn host(&self, ahead: Duration, behind: Duration) -> AnyStore {
        self.elsewhere().with_clock(Skewed { clock: self.clock.clone(), ahead, behind })
    }

    async fn claim(&self, owner: OwnerToken, at: Timestamp) -> Claim {
        self.store.claim(ClaimRequest::new(key(), owner, at, at.plus(LEASE), TTL)).await.unwrap()
    }

    async fn write(&self, owner: OwnerToken, epoch: Epoch, change: Change) -> Written {
        let now = self.clock.now_at();
        self.store.write(OwnerWrite::new(key(), owner, epoch, now, TTL, change)).await.unwrap()
    }
}

fn epoch(claim: &Claim) -> Epoch {
    match claim {
        Claim::Acquired { epoch, .. } => *epoch,
        other => panic!("not acquired: {other:?}"),
    }
}

const ANN: OwnerToken = OwnerToken::from_bytes([1; 16]);
const BOB: OwnerToken = OwnerToken::from_bytes([2; 16]);

#[tokio::test]
async fn a_body_that_meets_its_deadline_is_stopped_and_the_next_delivery_runs() {
    fn until_soon(operation: Operation) -> Operation {
        operation.deadline(START.plus(Duration::from_secs(10)))
    }
    let slow = Slow::start_with(World::new(), until_soon).await;
    slow.pass(7).await;
    assert!(!slow.task.is_finished());
    slow.pass(1).await;
    slow.go_on.notify_one();
    assert_eq!(kind(slow.task.await.unwrap()), ErrorKind::LeaseLost, "2 s before the deadline");
    assert_eq!(slow.world.effects(), 0);
    assert_eq!(kind(slow.world.pay().await), ErrorKind::InProgress);
    slow.world.clock.advance(Duration::from_secs(4));
    assert_eq!(slow.world.pay().await.unwrap(), 1, "2 s after the deadline");
}

#[tokio::test]
async fn a_renewal_that_arrives_after_a_takeover_is_refused_and_steals_nothing() {
    let world = World::new();
    let first = epoch(&world.claim(ANN, START).await);
    let later = START.plus(LEASE + Duration::from_secs(2));
    let second = epoch(&world.claim(BOB, later).await);
    let renewed = world.write(ANN, first, Change::Renew { lease_until: later.plus(MINUTE * 60) }).await;
    assert_eq!(renewed, Written::Refused(Refusal::TakenOver));
    let record = world.store.inspect(&key()).await.unwrap().unwrap();
    assert_eq!((record.owner, record.epoch, record.lease_until), (BOB, second, later.plus(LEASE)));
}

#[tokio::test]
async fn renewals_end_with_the_body_however_it_ends() {
    let world = World::new();
    world.pay().await.unwrap();
    let panics = async {
        std::panic::resume_unwind(Box::new("in the body"));
        #[allow(unreachable_code, reason = "gives the body its type")]
        Ok::<u32, Error>(0)
    };
    let call = Box::pin(order(&world, "panics").run(panics));
    assert!(CatchUnwind(AssertUnwindSafe(call)).await.is_err());
    assert!(!drop_after(2, order(&world, "dropped").run(std::future::pending::<Result<u32, Error>>())));
    for _ in 0..20 {
        world.clock.advance(LEASE / 3);
        tokio::task::yield_now().await;
    }
    assert_eq!((world.faulty.counts().renewals, world.clock.sleepers()), (0, 0));
}

fn order(world: &World, order: &str) -> Operation {
    idempotency::operation("ended").part("order", order).ttl(TTL).lease(LEASE).store(&world.store)
}

#[tokio::test]
async fn clocks_that_differ_within_the_budget_take_nothing_from_each_other() {
    let budget = 5 * MINUTE;
    let none = Duration::ZERO;
    for (ahead, behind) in [(budget, none), (none, budget)] {
        let world = World::new();
        let lease = 2 * budget;
        let at = |store: AnyStore| world.operation().lease(lease).store(store.with_skew_budget(budget));
        let here = at(world.store.clone()).run(async {
            for _ in 0..60 {
                world.clock.advance(MINUTE / 4);
                tokio::task::yield_now().await;
                let there = at(world.host(ahead, behind)).run(world.effect()).await;
                assert_eq!(kind(there), ErrorKind::InProgress);
            }
            world.effect().await
        });
        assert_eq!(here.await.unwrap(), 1);
        assert_eq!(world.effects(), 1);
    }
}

#[tokio::test]
async fn a_clock_beyond_the_budget_takes_over_and_the_first_owner_is_stopped() {
    let slow = Slow::start(World::new()).await;
    let fast = slow.world.operation().store(slow.world.host(5 * MINUTE, Duration::ZERO));
    assert_eq!(fast.run(slow.world.effect()).await.unwrap(), 1);
    slow.pass(11).await;
    assert!(slow.task.is_finished(), "its next renewal is refused");
    assert_eq!(kind(slow.task.await.unwrap()), ErrorKind::LeaseLost);
    assert_eq!((slow.world.effects(), slow.world.pay().await.unwrap()), (1, 1));
}

#[tokio::test]
async fn two_attempts_of_one_millisecond_are_told_apart_by_their_epochs() {
    let world = World::new();
    let first = epoch(&world.claim(ANN, START).await);
    assert!(matches!(world.write(ANN, first, Change::Release).await, Written::Applied { .. }));
    let second = epoch(&world.claim(BOB, START).await);
    assert_eq!(second, first.next());
    let late = Change::Complete(RecordedValue::new(1, Some(b"1".as_slice().into())));
    assert_eq!(world.write(ANN, first, late.clone()).await, Written::Refused(Refusal::TakenOver));
    assert_eq!(world.write(BOB, first, late.clone()).await, Written::Refused(Refusal::TakenOver));
    assert!(matches!(world.write(BOB, second, late).await, Written::Applied { .. }));
}

#[tokio::test]
async fn the_epoch_grows_over_a_record_that_was_removed() {
    let world = World::new();
    let mut last = Epoch::new(0);
    for round in 1..4 {
        let (result, reports) = with_reports(world.pay()).await;
        assert_eq!(result.unwrap(), round);
        let epoch = reports[0].epoch.unwrap();
        assert!(epoch > last, "{epoch} after {last}");
        last = epoch;
        assert!(world.store.evict(Evict::new(key(), epoch)).await.unwrap());
        world.clock.advance(Duration::from_millis(1));
    }
}

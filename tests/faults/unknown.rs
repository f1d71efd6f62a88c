//! Effects that were announced: nobody repeats one whose outcome is not known.

use std::panic::AssertUnwindSafe;
use std::time::Duration;

use idempotency::{
    Error, ErrorKind, Outcome, Reconciled, Status, StoreErrorKind, Sweep, effect_begins, operation,
};

use crate::crash::{CatchUnwind, drop_after};
use crate::faulty::Fault;
use crate::{LEASE, World, key, kind};

const LEASE_IS_DEAD: Duration = Duration::from_secs(LEASE.as_secs() + 2);
const YEAR: Duration = Duration::from_secs(365 * 86_400);

impl World {
    /// The body: it says that the effect begins, has it, and takes two polls more.
    async fn announced_effect(&self) -> Result<u32, Error> {
        effect_begins().await?;
        let value = self.effect().await?;
        tokio::task::yield_now().await;
        tokio::task::yield_now().await;
        Ok(value)
    }

    async fn status(&self) -> Status {
        self.store.inspect(&key()).await.unwrap().expect("a record").status
    }
}

#[tokio::test]
async fn an_announced_effect_whose_process_ends_is_unknown_and_never_run_again() {
    for polls in 1..9 {
        let world = World::new();
        if drop_after(polls, world.operation().run(world.announced_effect())) {
            assert!(polls > 2, "the body takes more polls");
            return;
        }
        let before = world.effects();
        assert_eq!(kind(world.pay().await), ErrorKind::InProgress, "after {polls} polls");
        for later in [LEASE_IS_DEAD, YEAR] {
            world.clock.advance(later);
            assert_eq!(kind(world.pay().await), ErrorKind::Unknown, "after {polls} polls");
        }
        assert_eq!((world.status().await, world.effects()), (Status::Unknown, before));
    }
    panic!("the body never ends");
}

#[tokio::test]
async fn a_caller_that_goes_away_between_the_effect_and_its_record_leaves_it_unknown() {
    let world = World::new();
    world.faulty.on_outcomes([Fault::None, Fault::Hangs]);
    assert!(!drop_after(9, world.operation().run(world.announced_effect())));
    assert_eq!((world.effects(), world.faulty.counts().outcomes), (1, 2), "the effect, and its record begun");
    world.clock.advance(LEASE_IS_DEAD);
    assert_eq!(kind(world.pay().await), ErrorKind::Unknown);
    assert_eq!(world.effects(), 1);
}

#[tokio::test]
async fn an_announced_effect_whose_outcome_cannot_be_recorded_keeps_its_claim_and_becomes_unknown() {
    let world = World::new();
    let announcement = [Fault::None];
    let refusals = [Fault::Refused(StoreErrorKind::Throttled); 1_000];
    world.faulty.on_outcomes(announcement.into_iter().chain(refusals));
    let world = std::sync::Arc::new(world);
    let task = tokio::spawn({
        let world = world.clone();
        async move { world.operation().run(world.announced_effect()).await }
    });
    while !task.is_finished() {
        world.clock.advance(Duration::from_millis(100));
        for _ in 0..20 {
            tokio::task::yield_now().await;
        }
    }
    let error = task.await.unwrap().unwrap_err();
    assert_eq!((error.kind(), error.unsaved_value::<u32>()), (ErrorKind::Store, Some(1)));
    assert_eq!(world.status().await, Status::InProgress, "the claim is never taken away");
    world.clock.advance(LEASE_IS_DEAD);
    assert_eq!(kind(world.pay().await), ErrorKind::Unknown);
    assert_eq!(world.effects(), 1);
}

#[tokio::test]
async fn an_error_after_the_effect_has_begun_does_not_free_the_key() {
    let world = World::new();
    let failed = world.operation().run(async {
        world.announced_effect().await?;
        Err::<u32, Box<dyn std::error::Error + Send + Sync>>("the second half failed".into())
    });
    assert_eq!(failed.await.unwrap_err().to_string(), "the second half failed");
    assert_eq!(world.status().await, Status::Unknown);
    assert_eq!(kind(world.pay().await), ErrorKind::Unknown);
    assert_eq!(world.effects(), 1);
}

#[tokio::test]
async fn an_error_before_the_effect_has_begun_frees_the_key() {
    let world = World::new();
    let failed = world
        .operation()
        .run(async { Err::<u32, Box<dyn std::error::Error + Send + Sync>>("nothing was begun".into()) });
    failed.await.unwrap_err();
    assert_eq!(world.operation().run(world.announced_effect()).await.unwrap(), 1);
}

#[tokio::test]
async fn a_panic_after_the_announcement_leaves_an_unknown_outcome_at_once() {
    for before_the_effect in [true, false] {
        let world = World::new();
        let body = async {
            effect_begins().await?;
            if !before_the_effect {
                world.effect().await?;
            }
            std::panic::resume_unwind(Box::new("in the body"));
            #[allow(unreachable_code, reason = "gives the body its type")]
            Ok::<u32, Error>(0)
        };
        let call = Box::pin(world.operation().run(body));
        assert!(CatchUnwind(AssertUnwindSafe(call)).await.is_err());
        assert_eq!(world.status().await, Status::Unknown);
        assert_eq!(kind(world.pay().await), ErrorKind::Unknown);
        assert_eq!(world.effects(), u32::from(!before_the_effect));
    }
}

#[tokio::test]
async fn an_announcement_is_tried_until_it_is_acknowledged_and_the_body_goes_on() {
    let world = World::new();
    world.faulty.on_outcomes([Fault::AnswerLost, Fault::Refused(StoreErrorKind::Busy), Fault::Hangs]);
    let world = std::sync::Arc::new(world);
    let task = tokio::spawn({
        let world = world.clone();
        async move { world.operation().run(world.announced_effect()).await }
    });
    while !task.is_finished() {
        world.clock.advance(Duration::from_millis(100));
        tokio::task::yield_now().await;
    }
    assert_eq!(task.await.unwrap().unwrap(), 1);
    assert_eq!(world.faulty.counts().outcomes, 5, "four tries to announce, and the outcome");
}

#[tokio::test]
async fn one_caller_at_a_time_finds_out_and_the_others_are_told_to_come_again() {
    let world = World::new();
    assert!(!drop_after(2, world.operation().run(world.announced_effect())));
    world.clock.advance(LEASE_IS_DEAD);
    let finding = world.operation().run_reconciled(
        Outcome::<u32, Error>::new(),
        async |_| {
            let other = world.operation().store(world.elsewhere());
            let other =
                other.run_reconciled(Outcome::new(), async |_| Ok(Reconciled::NotApplied), world.effect());
            let error = other.await.unwrap_err();
            assert_eq!((error.kind(), error.is_retryable()), (ErrorKind::Unknown, true));
            Ok(Reconciled::Applied(7))
        },
        world.effect(),
    );
    assert_eq!(Box::pin(finding).await.unwrap(), 7);
    assert_eq!(world.pay().await.unwrap(), 7);
    assert_eq!(world.effects(), 1);
}

#[tokio::test]
async fn a_sweep_frees_the_key_of_an_effect_that_did_not_happen_and_records_one_that_did() {
    let world = World::new();
    let order = |order: &str| {
        operation("ship").part("order", order).ttl(Duration::from_secs(600)).lease(LEASE).store(&world.store)
    };
    for no in ["did", "did not"] {
        assert!(!drop_after(2, order(no).run(world.announced_effect())));
    }
    let happened = world.effects();
    world.clock.advance(LEASE_IS_DEAD);
    let sweep = Sweep::new("ship", Duration::from_secs(600));
    let outcome = Outcome::<u32, Error>::new();
    let swept = world.store.sweep(sweep, &outcome, async |unknown| {
        let did = unknown.key.as_str().ends_with(":did");
        Ok(if did { Reconciled::Applied(70) } else { Reconciled::NotApplied })
    });
    let swept = swept.await.unwrap();
    assert_eq!((swept.applied, swept.not_applied, swept.still_unknown, swept.failed), (1, 1, 0, 0));
    assert_eq!(order("did").run(world.effect()).await.unwrap(), 70);
    assert_eq!(order("did not").run(world.effect()).await.unwrap(), happened + 1);
}

#[tokio::test]
async fn an_announcement_that_is_not_acknowledged_yet_counts() {
    let world = std::sync::Arc::new(World::new());
    world.faulty.on_outcomes([Fault::Hangs]);
    let task = tokio::spawn({
        let world = world.clone();
        async move {
            let body = async {
                let mut begins = Box::pin(effect_begins());
                // The branch that has the effect does not wait for the one that announces it.
                let _ = std::future::poll_fn(|cx| std::task::Poll::Ready(begins.as_mut().poll(cx))).await;
                tokio::task::yield_now().await;
                world.effect().await?;
                Err::<u32, Box<dyn std::error::Error + Send + Sync>>("no class".into())
            };
            world.operation().run(body).await.map_err(|error| error.to_string())
        }
    });
    while !task.is_finished() {
        world.clock.advance(Duration::from_millis(100));
        tokio::task::yield_now().await;
    }
    assert_eq!(task.await.unwrap().unwrap_err(), "no class");
    assert_eq!((world.status().await, world.effects()), (Status::Unknown, 1));
}

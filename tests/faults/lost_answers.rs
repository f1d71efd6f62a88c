//! The store errs, or its answer is lost.

use idempotency::{Clock, ErrorKind, Status, StoreErrorKind};

use crate::faulty::Fault;
use crate::{LEASE, World, key, kind};

/// Runs the body in a task and lets every pause of the executor pass.
pub(crate) async fn pay_through_pauses(world: World) -> (World, Result<u32, idempotency::Error>) {
    let world = std::sync::Arc::new(world);
    let task = tokio::spawn({
        let world = world.clone();
        async move { world.pay().await }
    });
    while !task.is_finished() {
        world.clock.advance(std::time::Duration::from_millis(100));
        for _ in 0..20 {
            tokio::task::yield_now().await;
        }
    }
    let result = task.await.unwrap();
    let world = std::sync::Arc::into_inner(world).expect("the task is over");
    (world, result)
}

#[tokio::test]
async fn a_claim_that_the_store_refuses_runs_nothing() {
    for refused in [StoreErrorKind::Busy, StoreErrorKind::Throttled, StoreErrorKind::Full] {
        let world = World::new();
        world.faulty.on_claims([Fault::Refused(refused)]);
        let error = world.pay().await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Store);
        assert_eq!(error.store_error().unwrap().kind(), refused);
        assert_eq!(error.is_retryable(), refused != StoreErrorKind::Full);
        assert_eq!(error.key(), Some(&key()));
        assert_eq!(world.effects(), 0);
    }
}

#[tokio::test]
async fn a_claim_that_was_applied_although_its_answer_was_lost_is_its_own() {
    let world = World::new();
    world.faulty.on_claims([Fault::AnswerLost]);
    let (world, result) = pay_through_pauses(world).await;
    assert_eq!(result.unwrap(), 1);
    assert_eq!(world.faulty.counts().claims, 2);
    assert_eq!(world.store.inspect(&key()).await.unwrap().unwrap().attempt, 1);
}

#[tokio::test]
async fn a_store_that_stays_away_runs_nothing_and_is_not_asked_for_ever() {
    let world = World::new();
    world.faulty.on_claims([Fault::Refused(StoreErrorKind::Unavailable); 50]);
    let (world, result) = pay_through_pauses(world).await;
    let error = result.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Store);
    assert!(error.is_retryable());
    assert_eq!((world.effects(), world.faulty.counts().claims), (0, 3));
}

#[tokio::test]
async fn a_completion_that_was_applied_although_its_answer_was_lost_is_done() {
    let world = World::new();
    world.faulty.on_outcomes([Fault::AnswerLost]);
    let (world, result) = pay_through_pauses(world).await;
    assert_eq!(result.unwrap(), 1);
    assert_eq!(world.pay().await.unwrap(), 1);
    assert_eq!(world.effects(), 1);
}

#[tokio::test]
async fn a_completion_is_retried_and_the_body_is_not() {
    let world = World::new();
    world.faulty.on_outcomes([Fault::Refused(StoreErrorKind::Busy); 5]);
    let (world, result) = pay_through_pauses(world).await;
    assert_eq!(result.unwrap(), 1);
    assert_eq!((world.effects(), world.faulty.counts().outcomes), (1, 6));
}

#[tokio::test]
async fn an_outcome_that_cannot_be_recorded_is_an_error_with_the_value_and_keeps_the_claim() {
    let world = World::new();
    world.faulty.on_outcomes([Fault::Refused(StoreErrorKind::Unavailable); 1_000]);
    let (world, result) = pay_through_pauses(world).await;
    let error = result.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Store);
    assert!(error.outcome_is_unsaved());
    assert_eq!(error.unsaved_value::<u32>(), Some(1));
    assert!(!error.is_retryable(), "a retry would run the body again");
    let record = world.store.inspect(&key()).await.unwrap().unwrap();
    assert_eq!(record.status, Status::InProgress);
}

#[tokio::test]
async fn the_error_of_the_body_survives_a_failed_release() {
    #[derive(Debug, PartialEq)]
    enum Failure {
        Declined,
        Idempotency(ErrorKind),
    }
    impl From<idempotency::Error> for Failure {
        fn from(error: idempotency::Error) -> Self {
            Self::Idempotency(error.kind())
        }
    }
    let world = World::new();
    world.faulty.on_outcomes([Fault::Refused(StoreErrorKind::ReadOnly)]);
    let result = world.operation().run(async { Err::<u32, _>(Failure::Declined) }).await;
    assert_eq!(result, Err(Failure::Declined));
}

#[tokio::test]
async fn errors_of_the_body_own_store_calls_never_run_it_twice() {
    let world = World::new();
    let inner_error = idempotency::StoreError::new(StoreErrorKind::Unavailable, "inside the body");
    let result = world
        .operation()
        .run(async {
            world.effect().await?;
            Err::<u32, Box<dyn std::error::Error + Send + Sync>>(inner_error.into())
        })
        .await;
    assert_eq!(result.unwrap_err().to_string(), "inside the body");
    assert_eq!(world.effects(), 1);
    assert_eq!(world.store.inspect(&key()).await.unwrap().unwrap().status, Status::Released);
}

#[tokio::test]
async fn a_missing_key_part_is_told_before_the_store_is_touched() {
    let world = World::new();
    let empty = world.operation().part("customer", "").run(world.effect()).await;
    assert_eq!(kind(empty), ErrorKind::MissingKeyPart);
    let absent = world.operation().optional_part("customer?", None::<&str>).run(world.effect()).await;
    let error = absent.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::MissingKeyPart);
    assert!(error.to_string().contains("key part `customer?`: the key part is absent"), "{error}");
    assert_eq!((world.effects(), world.faulty.counts().claims), (0, 0));
}

#[tokio::test]
async fn a_store_that_never_answers_a_claim_runs_nothing_and_is_not_waited_for_for_ever() {
    let world = World::new();
    world.faulty.on_claims([Fault::Hangs; 10]);
    let start = world.clock.clone();
    let (world, result) = pay_through_pauses(world).await;
    let error = result.unwrap_err();
    assert!(start.monotonic() < LEASE, "{error} after {:?}", start.monotonic());
    assert_eq!(error.kind(), ErrorKind::Store);
    assert!(error.to_string().contains("did not answer within 7s"), "{error}");
    assert_eq!(world.effects(), 0);
}

#[tokio::test]
async fn a_store_that_never_answers_a_completion_costs_the_caller_no_more_than_two_leases() {
    let world = World::new();
    world.faulty.on_outcomes([Fault::Hangs; 10]);
    let (_, result) = pay_through_pauses(world).await;
    let error = result.unwrap_err();
    assert_eq!(error.unsaved_value::<u32>(), Some(1));
}

#[tokio::test]
async fn a_claim_that_is_never_answered_is_sent_again_while_its_lease_can_be_used() {
    let world = World::new();
    world.faulty.on_claims([Fault::Hangs]);
    let (world, result) = pay_through_pauses(world).await;
    assert_eq!(result.unwrap(), 1);
    assert_eq!(world.faulty.counts().claims, 2);
}

#[tokio::test]
async fn a_completion_that_is_never_answered_is_sent_again_while_the_lease_lasts() {
    let world = World::new();
    world.faulty.on_outcomes([Fault::Hangs]);
    let (world, result) = pay_through_pauses(world).await;
    assert_eq!(result.unwrap(), 1);
    assert_eq!((world.pay().await.unwrap(), world.effects()), (1, 1));
}

#[tokio::test]
async fn a_store_without_room_for_the_value_still_records_that_the_body_has_run() {
    let world = World::new();
    world.faulty.on_outcomes([Fault::Refused(StoreErrorKind::Full); 4]);
    let (world, result) = pay_through_pauses(world).await;
    assert_eq!(result.unwrap(), 1);
    assert_eq!(kind(world.pay().await), ErrorKind::ValueNotKept);
    assert_eq!(world.effects(), 1);
}

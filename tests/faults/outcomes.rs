//! What is recorded about a body, and who gets it.

use std::time::Duration;

use idempotency::{
    Classify, CodecError, Error, ErrorClass, ErrorKind, Evict, OldValue, Outcome, Previous, Status,
    StoreErrorKind, TerminalErrors, effect_begins, with_reports,
};
use serde::{Deserialize, Serialize};

use crate::faulty::Fault;
use crate::lease::Slow;
use crate::{World, key, kind};

#[derive(Debug, Serialize, Deserialize)]
enum Failure {
    Declined,
    Overloaded,
    #[serde(skip)]
    Idempotency(Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Idempotency(error)
    }
}

impl Classify for Failure {
    const TERMINAL: TerminalErrors<Self> = TerminalErrors::recorded();

    fn class(&self) -> ErrorClass {
        match self {
            Self::Declined => ErrorClass::Terminal,
            Self::Overloaded => ErrorClass::Retryable,
            Self::Idempotency(error) => error.class(),
        }
    }
}

impl World {
    /// A classified payment of this amount that ends so.
    async fn pay_amount(&self, amount: u32, end: Option<Failure>) -> Result<u32, Failure> {
        let body = async {
            let value = self.effect().await?;
            end.map_or(Ok(value), Err)
        };
        self.operation().validate(&amount).run_as(Outcome::new().classified(), body).await
    }
}

#[tokio::test]
async fn another_request_while_the_first_is_running_is_a_mismatch_and_not_in_progress() {
    let slow = Slow::start_with(World::new(), |operation| operation.validate("first")).await;
    let same = slow.world.operation().validate("first").run(slow.world.effect()).await;
    assert_eq!(kind(same), ErrorKind::InProgress);
    let other = slow.world.operation().validate("another").run(slow.world.effect()).await.unwrap_err();
    assert_eq!((other.kind(), other.http_status(), other.is_retryable()), (ErrorKind::Mismatch, 422, false));
    slow.go_on.notify_one();
    assert_eq!(slow.task.await.unwrap().unwrap(), 1);
}

#[tokio::test]
async fn a_retryable_error_is_not_kept_and_the_next_call_runs_under_a_later_epoch() {
    let world = World::new();
    let (first, one) = with_reports(world.pay_amount(5, Some(Failure::Overloaded))).await;
    assert!(matches!(first, Err(Failure::Overloaded)));
    let (second, two) = with_reports(world.pay_amount(5, None)).await;
    assert_eq!(second.unwrap(), 2);
    assert_eq!((two[0].previous, two[0].attempt), (Some(Previous::Released), Some(2)));
    assert!(two[0].epoch > one[0].epoch);
}

#[tokio::test]
async fn a_corrected_request_follows_a_failure_unless_that_had_announced_its_effect() {
    for announces in [false, true] {
        let world = World::new();
        let first = world.operation().validate("first").run_as(Outcome::new().classified(), async {
            if announces {
                effect_begins().await?;
            }
            Err::<u32, _>(Failure::Overloaded)
        });
        assert!(matches!(first.await, Err(Failure::Overloaded)));
        let corrected = world.operation().validate("corrected").run(world.effect()).await;
        match corrected {
            Ok(value) => assert_eq!((value, announces), (1, false)),
            Err(error) => assert_eq!((error.kind(), announces), (ErrorKind::Mismatch, true)),
        }
    }
}

#[tokio::test]
async fn a_terminal_error_is_replayed_and_a_corrected_request_is_a_mismatch() {
    let world = World::new();
    for _ in 0..3 {
        let declined = world.pay_amount(5, Some(Failure::Declined)).await;
        assert!(matches!(declined, Err(Failure::Declined)), "{declined:?}");
    }
    let corrected = world.pay_amount(4, None).await;
    assert!(matches!(&corrected, Err(Failure::Idempotency(error)) if error.kind() == ErrorKind::Mismatch));
    assert_eq!(world.effects(), 1);
}

#[tokio::test]
async fn a_value_of_another_version_is_an_error_or_migrated_and_never_run_again() {
    #[allow(
        clippy::unnecessary_wraps,
        clippy::needless_pass_by_value,
        reason = "the signature of a migration"
    )]
    fn migrate(old: OldValue<'_>) -> Result<u32, CodecError> {
        Ok(old.version() * 100)
    }
    let world = World::new();
    let run = |outcome| world.operation().run_as::<u32, Error, _>(outcome, world.effect());
    assert_eq!(run(Outcome::new()).await.unwrap(), 1);
    assert_eq!(kind(run(Outcome::new().version(2)).await), ErrorKind::Codec, "a newer deployment");
    assert_eq!(run(Outcome::new().version(2).migrate(migrate)).await.unwrap(), 100);
    assert_eq!(run(Outcome::new()).await.unwrap(), 1, "the record has not changed");
    assert_eq!(world.effects(), 1);
}

#[tokio::test]
async fn a_value_of_a_later_version_is_an_error_for_an_older_deployment() {
    let world = World::new();
    let run = |outcome| world.operation().run_as::<u32, Error, _>(outcome, world.effect());
    assert_eq!(run(Outcome::new().version(3)).await.unwrap(), 1);
    let error = run(Outcome::new()).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Codec);
    assert!(error.to_string().contains("it is of version 3, this code reads version 1"), "{error}");
    assert_eq!(world.effects(), 1);
}

#[tokio::test]
async fn a_number_that_json_does_not_have_is_given_to_the_first_caller_and_never_run_again() {
    let world = World::new();
    let body = || async { world.effect().await.map(|_| f64::NAN) };
    assert!(world.operation().run(body()).await.unwrap().is_nan());
    assert_eq!(kind(world.operation().run(body()).await), ErrorKind::ValueNotKept);
    assert_eq!(world.effects(), 1);
}

#[tokio::test]
async fn a_value_at_the_limit_of_the_store_is_kept_and_one_byte_more_is_not() {
    const LIMIT: usize = 400 * 1_024;
    for (length, kept) in [(LIMIT - 3, true), (LIMIT - 2, true), (LIMIT - 1, false)] {
        let world = World::new();
        world.faulty.limit_values(LIMIT);
        // JSON adds two quotes.
        let body = || async { Ok::<_, Error>("x".repeat(length)) };
        assert_eq!(world.operation().run(body()).await.unwrap().len(), length);
        let duplicate = world.operation().run(async { Ok::<_, Error>("again".to_owned()) }).await;
        match duplicate {
            Ok(value) => assert!(kept && value.len() == length, "{length}"),
            Err(error) => assert_eq!((error.kind(), kept), (ErrorKind::ValueNotKept, false), "{length}"),
        }
    }
}

#[tokio::test]
async fn a_store_that_finds_the_record_too_large_still_records_that_the_body_has_run() {
    let world = World::new();
    world.faulty.on_outcomes([Fault::Refused(StoreErrorKind::TooLarge)]);
    assert_eq!(world.pay().await.unwrap(), 1);
    assert_eq!(kind(world.pay().await), ErrorKind::ValueNotKept);
    assert_eq!(world.store.inspect(&key()).await.unwrap().unwrap().status, Status::Completed);
}

#[tokio::test]
async fn an_outcome_that_was_removed_on_purpose_is_made_again() {
    let world = World::new();
    assert_eq!(world.pay().await.unwrap(), 1);
    world.clock.advance(Duration::from_secs(1));
    let record = world.store.inspect(&key()).await.unwrap().unwrap();
    assert!(!world.store.evict(Evict::new(key(), record.epoch.next())).await.unwrap(), "another record");
    assert_eq!(world.pay().await.unwrap(), 1);
    assert!(world.store.evict(Evict::new(key(), record.epoch)).await.unwrap());
    assert_eq!(world.pay().await.unwrap(), 2);
}

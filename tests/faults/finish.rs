//! Late outcomes, and values that cannot be carried back.

use std::task::Context;
use std::time::Duration;

use idempotency::{Completed, Disposition, ErrorKind, Mode, Outcome, Status, with_reports};
use serde::{Deserialize, Serialize};

use crate::{LEASE, World, key, kind};

/// Long enough for a lease to be dead.
const PAST_THE_LEASE: Duration = Duration::from_secs(LEASE.as_secs() + 2);

#[tokio::test]
async fn a_zombie_gets_the_outcome_of_who_took_over() {
    let world = World::new();
    let zombie = async {
        // The body blocks without awaiting, so the owner cannot renew or stop itself.
        world.clock.advance(PAST_THE_LEASE);
        assert_eq!(world.pay().await.unwrap(), 1);
        Ok::<u32, idempotency::Error>(99)
    };
    // A nested call with the held key is refused, so the zombie's body runs as another task would.
    let result = world.operation().run(without_holding(zombie)).await;
    assert_eq!(result.unwrap(), 1);
    assert_eq!(world.pay().await.unwrap(), 1);
}

#[tokio::test]
async fn a_zombie_never_gets_the_outcome_of_another_request() {
    let world = World::new();
    let zombie = async {
        world.clock.advance(PAST_THE_LEASE);
        let corrected = world.operation_with("corrected").run(world.effect()).await;
        assert_eq!(corrected.unwrap(), 1);
        Ok::<u32, idempotency::Error>(99)
    };
    let error = world.operation_with("first").run(without_holding(zombie)).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::LeaseLost);
    assert_eq!(error.unsaved_value::<u32>(), Some(99));
}

#[tokio::test]
async fn a_value_over_the_limit_of_the_store_is_completed_without_it_and_never_run_again() {
    let world = World::new();
    world.faulty.limit_values(8);
    let long = || async { Ok::<String, idempotency::Error>("0123456789".repeat(2)) };
    let (first, reports) = with_reports(world.operation().run(long())).await;
    assert_eq!(first.unwrap().len(), 20);
    assert_eq!(reports[0].disposition, Disposition::NotKept);
    let duplicate = world.operation().run(long()).await;
    assert_eq!(kind(duplicate), ErrorKind::ValueNotKept);
    let record = world.store.inspect(&key()).await.unwrap().unwrap();
    assert_eq!(record.status, Status::Completed);
    assert_eq!(record.value.unwrap().bytes, None);
}

#[tokio::test]
async fn what_json_cannot_carry_back_is_given_to_the_first_caller_and_never_replayed_wrongly() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[allow(clippy::option_option, reason = "absent, to be cleared, to be set")]
    struct Patch {
        #[serde(skip_serializing_if = "Option::is_none", default)]
        name: Option<Option<String>>,
    }
    let world = World::new();
    let body = || async { Ok::<_, idempotency::Error>(Patch { name: Some(None) }) };
    assert_eq!(world.operation().run(body()).await.unwrap(), Patch { name: Some(None) });
    assert_eq!(kind(world.operation().run(body()).await), ErrorKind::ValueNotKept);
}

#[tokio::test]
async fn the_first_caller_gets_the_value_as_a_replay_gives_it() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Receipt {
        total: f64,
        #[serde(skip)]
        cache: u32,
    }
    let world = World::new();
    let body = || async { Ok::<_, idempotency::Error>(Receipt { total: 0.1 + 0.2, cache: 7 }) };
    let first = world.operation().run(body()).await.unwrap();
    assert_eq!(first, Receipt { total: 0.1 + 0.2, cache: 0 });
    assert_eq!(world.operation().run(body()).await.unwrap(), first);
}

#[tokio::test]
async fn a_recorded_value_that_does_not_fit_the_result_type_is_an_error_without_the_payload() {
    let world = World::new();
    let secret = world.operation().run(async { Ok::<_, idempotency::Error>("top-secret".to_owned()) }).await;
    secret.unwrap();
    let error = world.pay().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Codec);
    assert!(!format!("{error} {error:?}").contains("secret"), "{error:?}");
    assert_eq!(world.effects(), 0);
}

#[tokio::test]
async fn a_field_that_a_recorded_value_lacks_is_named() {
    #[derive(Debug, Serialize, Deserialize)]
    struct Receipt {
        total: u32,
    }
    let world = World::new();
    let old =
        async { Ok::<_, idempotency::Error>(std::collections::BTreeMap::from([("sum".to_owned(), 1)])) };
    world.operation().run(old).await.unwrap();
    let error = world.operation().run(async { Ok::<_, idempotency::Error>(Receipt { total: 1 }) }).await;
    let text = error.unwrap_err().to_string();
    assert!(text.contains("missing field `total`") && text.contains("`#[serde(default)]`"), "{text}");
}

#[tokio::test]
async fn a_finished_duplicate_may_be_rejected_instead_of_replayed() {
    let world = World::new();
    world.pay().await.unwrap();
    let duplicate = world.operation().completed(Completed::Reject).run(world.effect()).await;
    let error = duplicate.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::AlreadyCompleted);
    assert!(!error.is_retryable());
    assert_eq!(error.http_status(), 409);
}

#[tokio::test]
async fn only_duplicates_get_the_mapped_value() {
    let world = World::new();
    let outcome = || Outcome::<u32, idempotency::Error>::new().replayed(|value| value + 100);
    assert_eq!(world.operation().run_as(outcome(), world.effect()).await.unwrap(), 1);
    assert_eq!(world.operation().run_as(outcome(), world.effect()).await.unwrap(), 101);
    assert_eq!(world.pay().await.unwrap(), 1, "the record does not change");
}

#[tokio::test]
async fn observing_runs_every_call_and_tells_which_ones_were_duplicates() {
    let world = World::new();
    let observe = || with_reports(world.operation().mode(Mode::Observe).run(world.effect()));
    for (call, duplicate) in [(1, false), (2, true), (3, true)] {
        let (result, reports) = observe().await;
        assert_eq!(result.unwrap(), call);
        assert_eq!(reports[0].disposition, Disposition::Observed { duplicate });
    }
    assert_eq!(world.pay().await.unwrap(), 1, "protecting later finds the record of the first call");
}

#[tokio::test]
async fn observing_runs_even_without_a_usable_key_or_store() {
    let world = World::new();
    let keyless = world.operation().part("customer", "").mode(Mode::Observe).run(world.effect()).await;
    assert_eq!(keyless.unwrap(), 1);
    world.faulty.on_claims([crate::faulty::Fault::Refused(idempotency::StoreErrorKind::Busy)]);
    assert_eq!(world.operation().mode(Mode::Observe).run(world.effect()).await.unwrap(), 2);
}

impl World {
    fn operation_with(&self, request: &str) -> idempotency::Operation {
        self.operation().validate(request)
    }
}

/// Polls `future` on a thread of its own, where it does not see which keys the surrounding body holds, as the
/// call of another process would not.
async fn without_holding<T: Send>(future: impl Future<Output = T> + Send) -> T {
    let mut future = Box::pin(future);
    std::future::poll_fn(|cx| {
        let waker = cx.waker().clone();
        let future = &mut future;
        std::thread::scope(|scope| {
            let poll = move || future.as_mut().poll(&mut Context::from_waker(&waker));
            scope.spawn(poll).join().expect("the future does not panic")
        })
    })
    .await
}

#[tokio::test]
async fn a_mismatch_names_a_compared_field_that_looks_as_if_it_changed_with_every_try() {
    #[derive(Serialize)]
    struct Request {
        amount: u32,
        sent_at: u64,
    }
    static SITE: idempotency::Site = idempotency::Site::new(file!(), line!(), column!(), "pay_volatile");
    let world = World::new();
    let pay = |amount, sent_at| {
        let operation = idempotency::operation("pay_volatile").site(&SITE).part("order", "A-1");
        let operation = operation.ttl(Duration::from_secs(600)).store(&world.store);
        operation.validate(&Request { amount, sent_at }).run(world.effect())
    };
    pay(5, 1).await.unwrap();
    let error = pay(5, 2).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Mismatch);
    assert!(error.to_string().contains("the comparison includes `sent_at`"), "{error}");
    assert!(!error.to_string().contains("amount"), "{error}");
}

#[tokio::test]
async fn a_store_that_may_lose_acknowledged_writes_is_refused_until_that_is_accepted() {
    let world = World::new();
    world.faulty.may_lose_acknowledged();
    let error = world.pay().await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Misconfigured);
    assert!(error.to_string().contains("`.accepting_loss()`"), "{error}");
    assert_eq!(world.effects(), 0);
    let accepted = world.operation().store(world.store.clone().accepting_loss());
    assert_eq!(accepted.run(world.effect()).await.unwrap(), 1);
}

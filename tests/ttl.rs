//! `ttl`, `lease` and `deadline`: literals and expressions over the arguments.
#![cfg(feature = "memory")]

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use idempotency::store::MemoryStore;
use idempotency::{AnyStore, Error, ErrorKind, ManualClock, Timestamp, idempotent, with_reports, with_store};

const NOW: Timestamp = Timestamp::from_millis(1_782_639_000_000);

fn store() -> (AnyStore, ManualClock) {
    let clock = ManualClock::at(NOW);
    (AnyStore::new(MemoryStore::new()).with_clock(clock.clone()), clock)
}

struct Settings {
    retention: Duration,
}

#[tokio::test]
async fn an_outcome_is_replayed_until_its_ttl_is_over() {
    static RUNS: AtomicU32 = AtomicU32::new(0);
    #[idempotent(key = "no", ttl = "1h30m")]
    async fn pay(no: u32) -> Result<u32, Error> {
        Ok(no + RUNS.fetch_add(1, Ordering::SeqCst))
    }
    let (store, clock) = store();
    with_store(store, async {
        assert_eq!(pay(7).await.unwrap(), 7);
        clock.advance(Duration::from_secs(90 * 60 - 1));
        assert_eq!(pay(7).await.unwrap(), 7);
        clock.advance(Duration::from_secs(5));
        assert_eq!(pay(7).await.unwrap(), 8, "the TTL is over, so the body runs again");
    })
    .await;
}

#[tokio::test]
async fn a_ttl_can_be_computed_from_the_arguments() {
    #[idempotent(key = "no", ignore(settings), ttl = settings.retention * 2)]
    async fn pay(no: u32, settings: &Settings) -> Result<u32, Error> {
        Ok(no)
    }
    let (store, _clock) = store();
    let settings = Settings { retention: Duration::from_secs(30) };
    let calls = async {
        pay(7, &settings).await?;
        pay(7, &settings).await
    };
    let (result, reports) = with_reports(with_store(store, calls)).await;
    result.unwrap();
    assert_eq!(reports[1].expires_at, Some(NOW.plus(Duration::from_secs(60))));
}

#[tokio::test]
async fn a_ttl_of_zero_is_refused_before_the_body() {
    #[idempotent(key = "no", ignore(settings), ttl = settings.retention)]
    async fn pay(no: u32, settings: &Settings) -> Result<u32, Error> {
        unreachable!("the body must not run for {no} and {:?}", settings.retention)
    }
    let (store, _clock) = store();
    let error = with_store(store, pay(7, &Settings { retention: Duration::ZERO })).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Misconfigured);
}

#[tokio::test]
async fn a_lease_can_be_a_literal_or_an_expression() {
    #[idempotent(
        key = "no",
        ttl = "1d",
        lease = "1s",
        allow(lease-too-short, reason = "what the runtime says is tested here")
    )]
    async fn literal(no: u32) -> Result<u32, Error> {
        Ok(no)
    }
    #[idempotent(key = "no", ignore(lease), ttl = "1d", lease = lease)]
    async fn expression(no: u32, lease: Duration) -> Result<u32, Error> {
        Ok(no)
    }
    let (store, _clock) = store();
    with_store(store, async {
        let error = literal(7).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Misconfigured, "one second is within the skew budget");
        assert_eq!(expression(7, Duration::from_secs(60)).await.unwrap(), 7);
    })
    .await;
}

#[tokio::test]
async fn a_deadline_that_leaves_no_time_refuses_the_call() {
    #[idempotent(key = "no", ignore(deadline), ttl = "1d", deadline = deadline)]
    async fn pay(no: u32, deadline: Timestamp) -> Result<u32, Error> {
        Ok(no)
    }
    let (store, _clock) = store();
    with_store(store, async {
        let error = pay(7, NOW.plus(Duration::from_millis(1))).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::DeadlineTooNear);
        assert_eq!(pay(7, NOW.plus(Duration::from_secs(60))).await.unwrap(), 7);
    })
    .await;
}

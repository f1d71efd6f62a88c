//! Bodies that end without a verdict.

use std::panic::AssertUnwindSafe;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use idempotency::{Disposition, ErrorKind, Previous, Status, with_reports};

use crate::{LEASE, World, key, kind};

/// Polls `future` so often, then drops it, as a caller that goes away does.
pub(crate) fn drop_after(polls: usize, future: impl Future) -> bool {
    let mut future = Box::pin(future);
    let mut cx = Context::from_waker(Waker::noop());
    for _ in 0..polls {
        if future.as_mut().poll(&mut cx).is_ready() {
            return true;
        }
    }
    false
}

#[tokio::test]
async fn a_caller_that_goes_away_at_any_point_leaves_a_key_that_becomes_free() {
    for polls in 1..4 {
        let world = World::new();
        let body = async {
            tokio::task::yield_now().await;
            tokio::task::yield_now().await;
            world.effect().await
        };
        let finished = drop_after(polls, world.operation().run(body));
        if finished {
            assert_eq!(world.effects(), 1);
            continue;
        }
        assert_eq!(kind(world.pay().await), ErrorKind::InProgress, "after {polls} polls");
        world.clock.advance(LEASE + Duration::from_secs(2));
        let (result, reports) = with_reports(world.pay()).await;
        assert_eq!(result.unwrap(), 1);
        assert_eq!(reports[0].previous, Some(Previous::Abandoned));
        assert_eq!((reports[0].disposition, reports[0].attempt), (Disposition::Executed, Some(2)));
    }
}

#[tokio::test]
async fn a_panic_releases_at_once_and_goes_on_unchanged() {
    let world = World::new();
    let task = async {
        world
            .operation()
            .run(async {
                world.effects.fetch_add(1, Ordering::SeqCst);
                std::panic::panic_any(42_u8);
                #[allow(unreachable_code, reason = "gives the body its type")]
                Ok::<u32, idempotency::Error>(0)
            })
            .await
    };
    let payload = CatchUnwind(AssertUnwindSafe(Box::pin(task))).await.unwrap_err();
    assert_eq!(payload.downcast_ref::<u8>(), Some(&42));
    let record = world.store.inspect(&key()).await.unwrap().unwrap();
    assert_eq!((record.status, record.attempt), (Status::Released, 1));
    assert_eq!(world.pay().await.unwrap(), 2);
}

#[tokio::test]
async fn a_panic_while_the_result_is_encoded_does_not_make_the_effect_happen_again() {
    #[derive(Debug)]
    struct Explosive;
    impl serde::Serialize for Explosive {
        fn serialize<S: serde::Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
            panic!("no encoding")
        }
    }
    impl<'de> serde::Deserialize<'de> for Explosive {
        fn deserialize<D: serde::Deserializer<'de>>(_: D) -> Result<Self, D::Error> {
            Ok(Self)
        }
    }
    let world = World::new();
    let pay = || async {
        world.effect().await?;
        Ok::<_, idempotency::Error>(Explosive)
    };
    let first = Box::pin(world.operation().run(pay()));
    assert!(CatchUnwind(AssertUnwindSafe(first)).await.is_err());
    assert_eq!(kind(world.operation().run(pay()).await), ErrorKind::ValueNotKept);
    assert_eq!(world.effects(), 1);
}

#[tokio::test]
async fn a_body_that_calls_itself_with_its_own_key_gets_an_error_instead_of_waiting_for_itself() {
    let world = World::new();
    let nested = async {
        let wait = idempotency::InProgress::Wait(Duration::from_secs(3_600));
        let inner = world.operation_of("A-1").in_progress(wait).run(world.effect()).await;
        Ok::<_, idempotency::Error>(kind(inner) == ErrorKind::Reentered)
    };
    assert!(world.operation_of("A-1").run(nested).await.unwrap());
    assert_eq!(world.effects(), 0);
}

#[tokio::test]
async fn a_body_may_run_other_keys_of_its_own_operation() {
    let world = World::new();
    let result = world
        .operation_of("A-1")
        .run(async {
            let inner = world.operation_of("A-2").run(world.effect()).await?;
            Ok::<_, idempotency::Error>(inner + 10)
        })
        .await;
    assert_eq!(result.unwrap(), 11);
}

impl World {
    fn operation_of(&self, order: &str) -> idempotency::Operation {
        idempotency::operation("pay_nested")
            .site(&NESTED)
            .part("order", order)
            .ttl(Duration::from_secs(600))
            .store(&self.store)
    }
}

static NESTED: idempotency::Site = idempotency::Site::new(file!(), line!(), column!(), "pay_nested");

/// Catches the panic of a future.
pub(crate) struct CatchUnwind<F>(pub(crate) AssertUnwindSafe<F>);

impl<F: Future + Unpin> Future for CatchUnwind<F> {
    type Output = std::thread::Result<F::Output>;

    fn poll(mut self: std::pin::Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let future = &mut *self.0;
        match std::panic::catch_unwind(AssertUnwindSafe(|| std::pin::Pin::new(future).poll(cx))) {
            Ok(poll) => poll.map(Ok),
            Err(payload) => Poll::Ready(Err(payload)),
        }
    }
}

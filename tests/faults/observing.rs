//! Observing when the store misbehaves, and panics of what others give us.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use idempotency::{
    CallEvent, Classify, Error, ErrorClass, ErrorKind, Mode, Observer, Outcome, Reconciled, Status, Sweep,
    TerminalErrors,
};

use crate::faulty::Fault;
use crate::{LEASE, World, key};

#[tokio::test]
async fn a_store_that_never_answers_does_not_keep_an_observed_body_from_running() {
    let world = World::new();
    world.faulty.on_claims([Fault::Hangs]);
    let call = tokio::spawn(world.operation().mode(Mode::Observe).run(async { Ok::<_, Error>(7) }));
    while !call.is_finished() {
        world.clock.advance(Duration::from_secs(1));
        tokio::task::yield_now().await;
    }
    assert_eq!(call.await.unwrap().unwrap(), 7);
}

/// A terminal error whose own code panics.
#[derive(Debug)]
enum Failure {
    Unprintable,
    Unclassified,
    Idempotency(Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Idempotency(error)
    }
}

impl serde::Serialize for Failure {
    fn serialize<S: serde::Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        panic!("no encoding")
    }
}

impl<'de> serde::Deserialize<'de> for Failure {
    fn deserialize<D: serde::Deserializer<'de>>(_: D) -> Result<Self, D::Error> {
        Ok(Self::Unprintable)
    }
}

impl Classify for Failure {
    const TERMINAL: TerminalErrors<Self> = TerminalErrors::recorded();

    fn class(&self) -> ErrorClass {
        match self {
            Self::Unprintable => ErrorClass::Terminal,
            Self::Unclassified => panic!("no class"),
            Self::Idempotency(error) => error.class(),
        }
    }
}

#[tokio::test]
async fn a_terminal_error_whose_encoding_panics_does_not_run_again() {
    let world = World::new();
    let call = || {
        world.operation().run_as(Outcome::<u32, Failure>::new().classified(), async {
            world.effects.fetch_add(1, Ordering::SeqCst);
            Err(Failure::Unprintable)
        })
    };
    assert!(matches!(call().await, Err(Failure::Unprintable)));
    let again = call().await;
    assert!(
        matches!(&again, Err(Failure::Idempotency(error)) if error.kind() == ErrorKind::ValueNotKept),
        "{again:?}"
    );
    assert_eq!(world.effects(), 1);
}

#[tokio::test]
async fn an_error_whose_class_panics_is_as_a_body_that_panics() {
    let world = World::new();
    let outcome = Outcome::<u32, Failure>::new().classified();
    let call = tokio::spawn(world.operation().run_as(outcome, async { Err(Failure::Unclassified) }));
    assert!(call.await.unwrap_err().is_panic());
    assert_eq!(world.store.inspect(&key()).await.unwrap().unwrap().status, Status::Released);
}

#[tokio::test]
async fn a_probe_that_panics_does_not_keep_a_sweep_from_the_others() {
    let world = World::new();
    for order in ["A-1", "A-2", "A-3"] {
        let call = idempotency::operation("charge").part("order", order);
        let call = call.ttl(Duration::from_secs(600)).lease(LEASE).store(&world.store);
        let failed = call.run(async {
            idempotency::effect_begins().await?;
            panic!("nobody knows");
            #[allow(unreachable_code, reason = "gives the body its type")]
            Ok::<u32, Error>(0)
        });
        let failed = Box::pin(failed);
        assert!(tokio::spawn(failed).await.unwrap_err().is_panic());
    }
    world.clock.advance(LEASE + Duration::from_secs(2));
    let sweep = Sweep::new("charge", Duration::from_secs(600));
    let probe = |unknown: idempotency::UnknownOutcome| async move {
        assert_ne!(unknown.key.as_str(), "charge:A-1", "the probe panics");
        Ok::<_, Error>(Reconciled::Applied(7_u32))
    };
    let swept = world.store.sweep(sweep, &Outcome::new(), probe).await.unwrap();
    assert_eq!((swept.applied, swept.errors), (2, 1));
}

/// Panics at everything it is told.
#[derive(Clone, Debug, Default)]
struct Panics(Arc<AtomicU32>);

impl Observer for Panics {
    fn observe(&self, event: &CallEvent<'_>) {
        self.0.fetch_add(1, Ordering::SeqCst);
        panic!("told of {}", event.decision.name());
    }
}

#[tokio::test]
async fn an_observer_that_panics_while_a_panic_unwinds_does_not_end_the_process() {
    let world = World::new();
    let panics = Panics::default();
    let store = world.store.clone().with_observer(panics.clone());
    let call = tokio::spawn(world.operation().store(store).run(async { Ok::<_, Error>(1) }));
    assert!(call.await.unwrap_err().is_panic());
    // Of the claim, and of the call that is dropped.
    assert_eq!(panics.0.load(Ordering::SeqCst), 2);
}

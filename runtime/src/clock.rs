//! The clock that the executor reads, and one for tests.

use std::fmt::{self, Debug};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant, SystemTime};

use crate::time::Timestamp;

/// A pause; see [`Clock::sleep`].
pub type Sleep = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Reads time. Wall time is for what is stored, monotonic time for durations.
pub trait Clock: Debug + Send + Sync + 'static {
    /// The wall time.
    fn now(&self) -> Timestamp;

    /// Time since a fixed point that never goes backwards and is not set by anybody.
    fn monotonic(&self) -> Duration;

    /// Ends after `pause` of monotonic time.
    fn sleep(&self, pause: Duration) -> Sleep;

    /// Ends after `limit` of monotonic time: the bound on a call that is expected to end before. A clock for tests may
    /// tell the two apart, for nobody waits for a limit.
    fn limit(&self, limit: Duration) -> Sleep;
}

/// The clock of the operating system.
///
/// Pauses use tokio's timer where a tokio runtime is current, and a timer thread elsewhere.
#[derive(Debug)]
pub struct SystemClock {
    origin: Instant,
}

impl SystemClock {
    /// The clock of the operating system.
    pub fn new() -> Self {
        Self { origin: Instant::now() }
    }
}

impl Default for SystemClock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        SystemTime::now().into()
    }

    fn monotonic(&self) -> Duration {
        self.origin.elapsed()
    }

    fn sleep(&self, pause: Duration) -> Sleep {
        if tokio::runtime::Handle::try_current().is_ok() {
            Box::pin(tokio::time::sleep(pause))
        } else {
            Box::pin(futures_timer::Delay::new(pause))
        }
    }

    fn limit(&self, limit: Duration) -> Sleep {
        self.sleep(limit)
    }
}

/// A clock that stands still until a test moves it. Clones are the same clock.
#[derive(Clone)]
pub struct ManualClock {
    state: Arc<Mutex<State>>,
}

struct State {
    wall: Timestamp,
    monotonic: Duration,
    sleepers: Vec<Waker>,
    limits: Vec<Waker>,
}

impl ManualClock {
    /// A clock that shows `wall`.
    pub fn at(wall: Timestamp) -> Self {
        let state = State { wall, monotonic: Duration::ZERO, sleepers: Vec::new(), limits: Vec::new() };
        Self { state: Arc::new(Mutex::new(state)) }
    }

    /// Lets `span` pass on both clocks and wakes who slept for it.
    pub fn advance(&self, span: Duration) {
        let sleepers = {
            let mut state = self.lock();
            state.wall = state.wall.plus(span);
            state.monotonic = state.monotonic.saturating_add(span);
            let limits = std::mem::take(&mut state.limits);
            std::mem::take(&mut state.sleepers).into_iter().chain(limits)
        };
        sleepers.for_each(Waker::wake);
    }

    /// Sets the wall clock alone, as an operator, NTP or a frozen machine would.
    pub fn set_wall(&self, wall: Timestamp) {
        self.lock().wall = wall;
    }

    /// How many pauses are waiting for the clock to move; limits on calls of the store are none.
    pub fn sleepers(&self) -> usize {
        self.lock().sleepers.len()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Debug for ManualClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.lock();
        f.debug_struct("ManualClock").field("wall", &state.wall).finish_non_exhaustive()
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        self.lock().wall
    }

    fn monotonic(&self) -> Duration {
        self.lock().monotonic
    }

    fn sleep(&self, pause: Duration) -> Sleep {
        let until = self.monotonic().saturating_add(pause);
        Box::pin(ManualSleep { clock: self.clone(), until, is_limit: false })
    }

    fn limit(&self, limit: Duration) -> Sleep {
        let until = self.monotonic() + limit;
        Box::pin(ManualSleep { clock: self.clone(), until, is_limit: true })
    }
}

struct ManualSleep {
    clock: ManualClock,
    until: Duration,
    is_limit: bool,
}

impl Future for ManualSleep {
    type Output = ();

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<()> {
        let mut state = self.clock.lock();
        if state.monotonic >= self.until {
            return Poll::Ready(());
        }
        let waiting = if self.is_limit { &mut state.limits } else { &mut state.sleepers };
        if !waiting.iter().any(|waker| waker.will_wake(cx.waker())) {
            waiting.push(cx.waker().clone());
        }
        Poll::Pending
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Notify(Mutex<std::sync::mpsc::Sender<()>>);
    impl std::task::Wake for Notify {
        fn wake(self: Arc<Self>) {
            let _ = self.0.lock().unwrap().send(());
        }
    }

    #[test]
    fn a_system_sleep_ends_without_a_tokio_runtime() {
        let clock = SystemClock::new();
        let mut sleep = clock.sleep(Duration::from_millis(1));
        let (sender, receiver) = std::sync::mpsc::channel();
        let waker = Waker::from(Arc::new(Notify(Mutex::new(sender))));
        let mut cx = Context::from_waker(&waker);
        while sleep.as_mut().poll(&mut cx).is_pending() {
            receiver.recv().unwrap();
        }
    }

    #[tokio::test]
    async fn a_manual_sleep_ends_when_the_clock_has_moved_far_enough() {
        let clock = ManualClock::at(Timestamp::from_millis(1_000));
        let sleeper = tokio::spawn(clock.sleep(Duration::from_secs(2)));
        while clock.sleepers() == 0 {
            tokio::task::yield_now().await;
        }
        clock.advance(Duration::from_secs(1));
        tokio::task::yield_now().await;
        assert!(!sleeper.is_finished());
        clock.advance(Duration::from_secs(1));
        sleeper.await.unwrap();
        assert_eq!(clock.now(), Timestamp::from_millis(3_000));
    }
}

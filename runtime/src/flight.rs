//! Single flight: callers of one process that wait for the same request share one way to the store.
//!
//! The first one leads; the others follow it and read the outcome that it has seen acknowledged. If the leader ends
//! without an outcome, or is dropped, each of them goes on by itself.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::future::poll_fn;
use std::task::{Context, Poll, Waker};

use crate::key::IdempotencyKey;
use crate::record::Record;
use crate::registry::Place;
use crate::sync::{Arc, Mutex, MutexGuard, PoisonError, lazy};

/// What makes two calls the same request.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Request {
    pub(crate) place: Place,
    pub(crate) key: IdempotencyKey,
    /// As bytes, which are hashed here and nowhere shown.
    pub(crate) fingerprint: Option<[u8; 33]>,
}

lazy! {
    static FLIGHTS: Mutex<HashMap<Request, Arc<Flight>>> = Mutex::new(HashMap::new());
}

#[derive(Default)]
struct Flight {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    landing: Option<Landing>,
    following: HashMap<u64, Waker>,
    followers: u64,
}

/// How a flight ended.
#[derive(Clone)]
pub(crate) enum Landing {
    /// With this final outcome, which the store has acknowledged.
    Outcome(std::sync::Arc<Record>),
    /// Without one.
    Nothing,
}

/// A caller's place in a flight.
pub(crate) enum Seat {
    Leader(Leader),
    Follower(Follower),
}

/// Takes a seat in the flight of this request, the first one if there is none.
pub(crate) fn board(request: Request) -> Seat {
    match lock(&FLIGHTS).entry(request) {
        Entry::Occupied(flight) => Seat::Follower(Follower::of(flight.get())),
        Entry::Vacant(free) => {
            let request = free.key().clone();
            let flight = Arc::<Flight>::default();
            free.insert(flight.clone());
            Seat::Leader(Leader { request, flight })
        }
    }
}

/// Whoever goes to the store. Dropped without an outcome, it ends the flight with nothing.
pub(crate) struct Leader {
    request: Request,
    flight: Arc<Flight>,
}

impl Leader {
    /// Ends the flight with the outcome that the store has acknowledged.
    pub(crate) fn land(self, record: Record) {
        self.flight.end(Landing::Outcome(std::sync::Arc::new(record)));
    }
}

impl Drop for Leader {
    fn drop(&mut self) {
        // Out of the map first: who comes now does not follow a flight that is over.
        let ended = lock(&FLIGHTS).remove(&self.request);
        drop(ended);
        self.flight.end(Landing::Nothing);
    }
}

/// Whoever waits for the leader.
pub(crate) struct Follower {
    flight: Arc<Flight>,
    number: u64,
}

impl Follower {
    fn of(flight: &Arc<Flight>) -> Self {
        let mut state = lock(&flight.state);
        state.followers += 1;
        Self { flight: flight.clone(), number: state.followers }
    }

    /// How the flight ends.
    pub(crate) async fn landing(&self) -> Landing {
        poll_fn(|cx| self.flight.poll(self.number, cx)).await
    }
}

impl Drop for Follower {
    fn drop(&mut self) {
        let waker = lock(&self.flight.state).following.remove(&self.number);
        drop(waker);
    }
}

impl Flight {
    /// The first end counts.
    fn end(&self, landing: Landing) {
        let following = {
            let mut state = lock(&self.state);
            state.landing.get_or_insert(landing);
            std::mem::take(&mut state.following)
        };
        following.into_values().for_each(Waker::wake);
    }

    fn poll(&self, number: u64, cx: &Context<'_>) -> Poll<Landing> {
        let mut state = lock(&self.state);
        if let Some(landing) = &state.landing {
            return Poll::Ready(landing.clone());
        }
        state.following.entry(number).or_insert_with(|| cx.waker().clone()).clone_from(cx.waker());
        Poll::Pending
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(all(test, shuttle))]
mod tests;

//! The protocol of the `idempotency` crate, explored by a model checker.
//!
//! Every state that a few callers, a store and an unreliable network between them can reach is visited, breadth first,
//! and looked at for what must never happen ([`Property`]). What decides is the code that runs in production:
//! `protocol::claim`, `protocol::write` and `Attempt::step` of the runtime; this crate only
//! moves messages, clocks and bodies. To show that the search would find a mistake, each guard of the protocol is
//! removed in turn ([`Guard`]), and the search must find what that guard prevents.
//!
//! `cargo test -p idempotency-model -- --nocapture` prints how many states were visited. The search is complete within
//! its bounds, which are time, calls and faults ([`Config`], [`worlds`]). `IDEMPOTENCY_MODEL_TICKS` adds ticks of time
//! to every world, `IDEMPOTENCY_MODEL_WORKERS` sets the number of callers, and `IDEMPOTENCY_MODEL_DEPTH` bounds a
//! history, in moves, where that would take too long.
//!
//! What is assumed of the world; `tests/assumptions.rs` shows what happens otherwise:
//!
//! - Wall clocks differ by no more than the skew budget. (The owner and who takes over both grant it, so that together
//!   they cover twice as much.)
//! - The TTL is longer than twice what a message may be under way and twice the skew budget together.
//! - An operator removes no record while its body runs.
//! - Bodies and probes tell the truth about the effect, and the effect of a body that is not polled does not happen.
//!
//! What is not modelled: values that a store does not take, the cache and the flights of a process, transactions.

mod actions;
mod calls;
mod config;
mod guard;
mod property;
mod recovery;
mod state;
mod store;
pub mod worlds;

use idempotency_runtime::protocol::attempt::Ending;
use idempotency_runtime::{
    Change, Fingerprint, FingerprintBuilder, IdempotencyKey, OwnerToken, Record, RecordedValue, Status,
};
use stateright::{Checker, Expectation, HasDiscoveries, Model, Property as Checked};

pub use self::actions::{Move, Step};
pub use self::config::{ALL_VERDICTS, Config, Operation, Removal, TICK};
pub use self::guard::Guard;
use self::guard::Rules;
pub use self::property::{Property, Sight};
pub use self::state::State;

/// The world that is explored.
#[derive(Debug)]
pub struct Protocol {
    config: Config,
    keys: Vec<IdempotencyKey>,
    requests: Vec<Fingerprint>,
}

/// What an exploration has found.
#[derive(Debug)]
pub struct Explored {
    /// How many different states were visited.
    pub states: usize,
    /// The longest history, in moves.
    pub depth: usize,
    /// The properties that were violated, each with a history that leads there.
    pub violations: Vec<(&'static str, Vec<Move>)>,
    /// What was seen, by name.
    pub seen: Vec<&'static str>,
}

impl Protocol {
    /// The world of this configuration.
    ///
    /// # Panics
    ///
    /// If a number has no fingerprint; all have one.
    pub fn new(config: Config) -> Self {
        let print = |request: u8| {
            let mut builder = FingerprintBuilder::new();
            builder.include(&request, &[]).expect("a number has a fingerprint");
            builder.finish()
        };
        let keys = (0..config.keys).map(|key| IdempotencyKey::from_stored(&format!("op:{key}"))).collect();
        let requests = (0..config.requests).map(print).collect();
        Self { config, keys, requests }
    }

    /// Visits every state, or stops at the first violation if there is one.
    pub fn explore(self) -> Explored {
        let checker = self.checker().threads(2).finish_when(HasDiscoveries::AnyFailures);
        let checker = match number("IDEMPOTENCY_MODEL_DEPTH") {
            Some(depth) => checker.target_max_depth(depth),
            None => checker,
        };
        let checker = checker.spawn_bfs().join();
        let (mut violations, mut seen) = (Vec::new(), Vec::new());
        for (name, history) in checker.discoveries() {
            if checker.model().property(name).expectation == Expectation::Always {
                violations.push((name, history.into_actions()));
            } else {
                seen.push(name);
            }
        }
        Explored { states: checker.unique_state_count(), depth: checker.max_depth(), violations, seen }
    }

    fn rules(&self) -> Rules<'_> {
        Rules(&self.config.without)
    }
}

impl Model for Protocol {
    type State = State;
    type Action = Move;

    fn init_states(&self) -> Vec<State> {
        vec![State::first(&self.config)]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Move>) {
        // What comes after a violation says nothing more.
        if state.broken == 0 {
            self.moves(state, actions);
        }
    }

    fn next_state(&self, state: &State, action: Move) -> Option<State> {
        let mut next = state.clone();
        self.perform(&mut next, action);
        self.look_at(&mut next);
        (next != *state).then_some(next)
    }

    fn properties(&self) -> Vec<Checked<Self>> {
        property::all()
    }
}

/// A number from the environment.
pub fn number(name: &str) -> Option<usize> {
    std::env::var(name).ok()?.parse().ok()
}

fn owner(number: u8) -> OwnerToken {
    OwnerToken::from_bytes([number; 16])
}

/// What is written about an ending; the value of a body is the number of its owner.
fn change(ending: Ending, value: u8) -> Change {
    let value = RecordedValue::new(value.into(), None);
    match ending {
        Ending::Complete | Ending::CompleteNotKept => Change::Complete(value),
        Ending::Fail | Ending::FailNotKept => Change::Fail(value),
        Ending::Release => Change::Release,
        Ending::MarkUnknown => Change::MarkUnknown,
        Ending::ResolveApplied | Ending::ResolveNotKept => Change::ResolveApplied(value),
        Ending::ResolveFailed | Ending::ResolveFailedNotKept => Change::ResolveFailed(value),
        Ending::ResolveNotApplied => Change::ResolveNotApplied,
    }
}

/// Whether the record says what this ending of that owner was to make it say.
fn says(record: &Record, ending: Ending, value: u8) -> bool {
    let has =
        |status| record.status == status && record.value == Some(RecordedValue::new(value.into(), None));
    match change(ending, value) {
        Change::Complete(_) | Change::ResolveApplied(_) => has(Status::Completed),
        Change::Fail(_) => has(Status::Failed),
        Change::MarkUnknown => record.status == Status::Unknown,
        _ => record.status == Status::Released,
    }
}

//! What one caller does, from its claim to its answer: a state machine without I/O.
//!
//! [`Attempt::step`] takes what has happened and says what to do next. The caller performs the action and
//! reports back with the next event. Time and chance come in from outside.

mod claiming;
mod finishing;
mod running;

use std::time::Duration;

use crate::claim::{Claim, Previous};
use crate::record::Epoch;
use crate::store_error::StoreErrorKind;
use crate::time::Timestamp;
use crate::write::Written;

/// The settings of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Policy {
    /// How long the claim is honoured without renewal.
    pub lease: Duration,
    /// How far the clocks of two hosts may differ.
    pub skew_budget: Duration,
    /// When this process will be dead.
    pub deadline: Option<Timestamp>,
    /// How long to wait for another owner; `None`: not at all.
    pub wait: Option<Duration>,
    /// Chance, for the jitter of pauses.
    pub seed: u64,
}

/// A moment, on both clocks of this host.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct At {
    /// Wall time: what is stored.
    pub wall: Timestamp,
    /// Monotonic time: for durations.
    pub monotonic: Duration,
}

/// What has happened.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// The call begins.
    Begin(At),
    /// The store has answered the claim.
    Claimed(At, Result<&'a Claim, StoreErrorKind>),
    /// A pause is over.
    Woke(At),
    /// The body is about to be polled.
    Polling(At),
    /// The store has answered the renewal.
    Renewed(At, Result<&'a Written, StoreErrorKind>),
    /// The body has ended.
    Ended(At, Verdict),
    /// The store has answered the final write.
    Finished(At, Result<&'a Written, StoreErrorKind>),
}

/// What to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Ask the store for the key, and report [`Event::Claimed`].
    Claim {
        /// Draw a new owner token; otherwise the same one asks again.
        new_owner: bool,
        /// The lease to ask for.
        lease_until: Timestamp,
    },
    /// Do nothing for so long, then report [`Event::Woke`].
    Pause(Duration),
    /// Poll the body; report [`Event::Polling`] before every poll, and at the latest after `wake_in`.
    Run {
        /// When the attempt must be looked at again although the body has not moved.
        wake_in: Duration,
    },
    /// Renew the lease, and report [`Event::Renewed`]. While the body runs, go on polling it.
    Renew {
        /// The lease to ask for.
        lease_until: Timestamp,
    },
    /// Wait for the renewal under way: one write at a time.
    AwaitRenewal,
    /// Write this outcome, and report [`Event::Finished`].
    Finish(Verdict),
    /// Drop the body: the lease is lost. Nothing is written.
    Stop(Stopped),
    /// The call is over.
    Answer(Answer),
}

/// How a body ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// It succeeded; its value is to be recorded.
    Succeeded,
    /// It succeeded; its value is too large or cannot be carried back, so only the success is recorded.
    NotKept,
    /// It failed, and the next call may run it again.
    Retryable,
    /// It panicked.
    Panicked,
}

/// Why a body was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stopped {
    /// A renewal was refused: somebody else holds the key, or the record is gone.
    Refused,
    /// No renewal was acknowledged in time.
    NotRenewed,
}

/// What the call is answered with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Answer {
    /// The caller's own result: the record says the same.
    Own,
    /// What the last claim found: an outcome, or why there is none.
    Found,
    /// Another owner's outcome, which refused the caller's own.
    Another,
    /// The claim was lost before the outcome was recorded.
    Lost,
    /// The outcome could not be recorded.
    Unsaved,
    /// The store did not answer the claim.
    StoreFailed,
    /// No lease fits before the deadline.
    DeadlineTooNear,
}

/// A claim that this caller holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Held {
    /// The fencing token.
    pub epoch: Epoch,
    /// The number of the attempt.
    pub attempt: u32,
    /// What the claim was granted over.
    pub previous: Previous,
    /// The lease as stored.
    pub lease_until: Timestamp,
    /// Until when this host may act on the lease, on its own monotonic clock.
    trusted_until: Duration,
    /// When to renew; `None`: a later lease is not to be had.
    renew_at: Option<Duration>,
}

/// A lease that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Ask {
    at: At,
    lease_until: Timestamp,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum State {
    Claiming(claiming::Claiming),
    Running { held: Held, renewal: Option<Ask> },
    Finishing(finishing::Finishing),
    Over,
}

/// One caller's attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Attempt {
    policy: Policy,
    state: State,
    chance: u64,
}

impl Attempt {
    /// An attempt that has not begun.
    pub fn new(policy: Policy) -> Self {
        // Zero is the one seed that the generator cannot leave.
        let chance = policy.seed | 1;
        Self { policy, state: State::Claiming(claiming::Claiming::default()), chance }
    }

    /// The claim, while the caller holds it.
    pub fn held(&self) -> Option<&Held> {
        match &self.state {
            State::Running { held, .. } => Some(held),
            State::Finishing(finishing) => Some(&finishing.held),
            State::Claiming(_) | State::Over => None,
        }
    }

    /// Takes what has happened and says what to do next.
    ///
    /// An event that cannot happen in the present state ends the attempt as *lost*: no body runs on a claim
    /// that is not understood.
    pub fn step(mut self, event: Event<'_>) -> (Self, Action) {
        let action = self.advance(event);
        (self, action)
    }

    /// [`Attempt::step`] in place.
    pub fn advance(&mut self, event: Event<'_>) -> Action {
        let (state, action) = match (self.state, event) {
            (State::Claiming(claiming), event) => self.claiming(claiming, event),
            (State::Running { held, renewal }, event) => self.running(held, renewal, event),
            (State::Finishing(finishing), event) => self.finishing(finishing, event),
            (State::Over, _) => (State::Over, Action::Answer(Answer::Lost)),
        };
        self.state = state;
        action
    }

    /// The end of a lease that begins now.
    fn lease_from(&self, at: At) -> Timestamp {
        let full = at.wall.plus(self.policy.lease);
        self.policy.deadline.map_or(full, |deadline| deadline.min(full))
    }

    /// How long a lease that was asked for may be acted on, and when to renew it.
    fn trust(&self, ask: Ask) -> (Duration, Option<Duration>) {
        let length = ask.lease_until.since(ask.at.wall);
        let trusted = length.saturating_sub(self.policy.skew_budget);
        let later_is_possible = self.policy.deadline.is_none_or(|deadline| deadline > ask.lease_until);
        // A third of the lease, but early enough for a second try within what the owner trusts.
        let renew_after = (self.policy.lease / 3).min(trusted / 2);
        (ask.at.monotonic + trusted, later_is_possible.then(|| ask.at.monotonic + renew_after))
    }

    /// A pause between half of `longest` and all of it.
    fn jittered(&mut self, longest: Duration) -> Duration {
        self.chance ^= self.chance << 13;
        self.chance ^= self.chance >> 7;
        self.chance ^= self.chance << 17;
        let half = longest / 2;
        let parts = u32::try_from(self.chance >> 40).unwrap_or(0) & 0xFFFF;
        half + half * parts / 0x1_0000
    }
}

fn over(answer: Answer) -> (State, Action) {
    (State::Over, Action::Answer(answer))
}

/// An event that cannot happen here.
fn misled() -> (State, Action) {
    over(Answer::Lost)
}

//! What one caller does, from its claim to its answer: a state machine without I/O.
//!
//! [`Attempt::step`] takes what has happened and says what to do next. The caller performs the action and
//! reports back with the next event. Time and chance come in from outside.

mod claiming;
mod ending;
mod finishing;
mod probing;
mod running;

use std::time::Duration;

pub use self::ending::{Ending, Finding, Verdict};
use self::running::Running;
use crate::claim::{Claim, Previous};
use crate::record::{Epoch, OnCrash};
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
    /// What an end without a verdict leaves.
    pub on_crash: OnCrash,
    /// Whether the caller can find out what became of an unknown outcome.
    pub probes: bool,
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
    /// The body says that an irreversible effect begins, and waits until that is recorded.
    EffectBegins(At),
    /// The store has answered the announcement.
    Announced(At, Result<&'a Written, StoreErrorKind>),
    /// The body has ended.
    Ended(At, Verdict),
    /// The probe has ended.
    Probed(At, Finding),
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
    /// Record that an irreversible effect begins, and report [`Event::Announced`]. While the body runs, go on polling
    /// it.
    Announce,
    /// Wait for the write under way: one at a time.
    AwaitWrite,
    /// Find out what became of the unknown outcome, in no more time than this, and report [`Event::Probed`].
    Probe {
        /// When to stop looking.
        within: Duration,
    },
    /// Write this, and report [`Event::Finished`].
    Finish(Ending),
    /// Drop the body: the lease is lost. Nothing is written.
    Stop(Stopped),
    /// The call is over.
    Answer(Answer),
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
    /// The caller's own result: the record says what it was to say.
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
    /// The outcome is still unknown.
    StillUnknown,
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
    Running(Running),
    Probing(probing::Probing),
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

    /// The claim, or the right to find out, while the caller holds it.
    pub fn held(&self) -> Option<&Held> {
        match &self.state {
            State::Running(running) => Some(&running.held),
            State::Probing(probing) => Some(&probing.held),
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
            (State::Running(running), event) => self.running(running, event),
            (State::Probing(probing), event) => Self::probing(probing, event),
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

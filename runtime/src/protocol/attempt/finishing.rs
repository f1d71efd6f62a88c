//! After the body: the final write, repeated while the lease lasts.

use std::time::Duration;

use super::running::Writing;
use super::{Action, Answer, Ask, At, Attempt, Ending, Event, Held, State, misled, over};
use crate::store_error::StoreErrorKind;
use crate::write::{Refusal, Written};

const SHORTEST_PAUSE: Duration = Duration::from_millis(50);
const LONGEST_PAUSE: Duration = Duration::from_secs(1);
/// How often a store without room is offered the value, before only the success is recorded.
const TRIES_WITH_VALUE: u32 = 3;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Finishing {
    pub(super) held: Held,
    ending: Ending,
    /// The write under way that is not the last.
    writing: Option<Writing>,
    /// When the body ended; renewals do not stretch the tries beyond one more lease.
    since: Duration,
    tries: u32,
}

impl Finishing {
    pub(super) fn new(held: Held, ending: Ending, at: At, writing: Option<Writing>) -> Self {
        Self { held, ending, writing, since: at.monotonic, tries: 0 }
    }
}

impl Attempt {
    pub(super) fn finishing(&mut self, mut finishing: Finishing, event: Event<'_>) -> (State, Action) {
        match event {
            Event::Renewed(at, answer) => {
                // A refused renewal needs no answer of its own: the final write will be refused as well, and
                // its refusal says whether another owner has finished.
                if let Some(Writing::Renewal(ask)) = finishing.writing.take()
                    && let Some(held) = self.renewed(finishing.held, ask, at, answer)
                {
                    finishing.held = held;
                }
                (State::Finishing(finishing), Action::Finish(finishing.ending))
            }
            Event::Announced(..) => {
                finishing.writing = None;
                (State::Finishing(finishing), Action::Finish(finishing.ending))
            }
            Event::Woke(at) => self.try_again(finishing, at),
            Event::Finished(_, Ok(answer)) => match answer {
                Written::Applied { .. } | Written::AlreadyDone => over(Answer::Own),
                Written::Refused(Refusal::Finished(_)) => over(Answer::Another),
                Written::Refused(_) => over(Answer::Lost),
            },
            Event::Finished(at, Err(kind)) => self.write_failed(finishing, at, kind),
            _ => misled(),
        }
    }

    fn write_failed(&mut self, mut finishing: Finishing, at: At, kind: StoreErrorKind) -> (State, Action) {
        let without_value = finishing.ending.without_value();
        if kind == StoreErrorKind::TooLarge
            && let Some(ending) = without_value
        {
            finishing.ending = ending;
            return (State::Finishing(finishing), Action::Finish(ending));
        }
        // That the body has run matters more than what it returned: without any record it would run again.
        let may_pass = kind.is_retryable() || kind == StoreErrorKind::Full;
        if kind == StoreErrorKind::Full && finishing.tries >= TRIES_WITH_VALUE {
            finishing.ending = without_value.unwrap_or(finishing.ending);
        }
        let lease_is_over = at.wall >= finishing.held.lease_until;
        let tried_enough = at.monotonic.saturating_sub(finishing.since) >= self.policy.lease;
        if !may_pass || lease_is_over || tried_enough {
            return over(Answer::Unsaved);
        }
        let growing = SHORTEST_PAUSE.saturating_mul(1 << finishing.tries.min(5)).min(LONGEST_PAUSE);
        finishing.tries += 1;
        let pause = self.jittered(growing);
        (State::Finishing(finishing), Action::Pause(pause))
    }

    fn try_again(&self, mut finishing: Finishing, at: At) -> (State, Action) {
        if finishing.held.renew_at.is_some_and(|due| at.monotonic >= due) {
            let lease_until = self.lease_from(at);
            finishing.writing = Some(Writing::Renewal(Ask { at, lease_until }));
            return (State::Finishing(finishing), Action::Renew { lease_until });
        }
        (State::Finishing(finishing), Action::Finish(finishing.ending))
    }
}

//! While the body runs: the owner renews its lease, and stops itself when it cannot trust it any more.

use std::time::Duration;

use super::finishing::Finishing;
use super::{Action, Ask, At, Attempt, Event, Held, State, Stopped, misled};
use crate::store_error::StoreErrorKind;
use crate::write::Written;

/// How soon a renewal that met an error of the store is tried again: a twelfth of the lease, within these.
const SHORTEST_RENEWAL_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_RENEWAL_PAUSE: Duration = Duration::from_secs(5);

impl Attempt {
    pub(super) fn running(&mut self, held: Held, renewal: Option<Ask>, event: Event<'_>) -> (State, Action) {
        match event {
            Event::Polling(at) => self.poll(held, renewal, at),
            Event::Renewed(at, answer) => match self.renewed(held, renewal, at, answer) {
                Some(held) => self.poll(held, None, at),
                None => (State::Over, Action::Stop(Stopped::Refused)),
            },
            Event::Ended(at, verdict) => {
                let finishing = Finishing::new(held, verdict, at, renewal);
                let action = if renewal.is_some() { Action::AwaitRenewal } else { Action::Finish(verdict) };
                (State::Finishing(finishing), action)
            }
            _ => misled(),
        }
    }

    /// The body may be polled only while the lease can be trusted on both clocks: monotonic time does not count
    /// while a machine is frozen, wall time can be set back.
    pub(super) fn poll(&self, held: Held, renewal: Option<Ask>, at: At) -> (State, Action) {
        let left = self.trusted_for(&held, at);
        if left.is_zero() {
            return (State::Over, Action::Stop(Stopped::NotRenewed));
        }
        if renewal.is_none() && held.renew_at.is_some_and(|due| at.monotonic >= due) {
            let lease_until = self.lease_from(at);
            let renewal = Some(Ask { at, lease_until });
            return (State::Running { held, renewal }, Action::Renew { lease_until });
        }
        let until_renewal = match (renewal, held.renew_at) {
            (None, Some(due)) => due.saturating_sub(at.monotonic),
            _ => left,
        };
        (State::Running { held, renewal }, Action::Run { wake_in: left.min(until_renewal) })
    }

    fn trusted_for(&self, held: &Held, at: At) -> Duration {
        let by_wall = held.lease_until.minus(self.policy.skew_budget).since(at.wall);
        by_wall.min(held.trusted_until.saturating_sub(at.monotonic))
    }

    /// The claim after a renewal; `None` if it was refused.
    pub(super) fn renewed(
        &self,
        mut held: Held,
        renewal: Option<Ask>,
        at: At,
        answer: Result<&Written, StoreErrorKind>,
    ) -> Option<Held> {
        let ask = renewal?;
        match answer {
            Ok(Written::Applied { lease_until }) => {
                // A longer lease than the one asked for means that this host's clock was set back: it says
                // nothing about how long the lease still is.
                if *lease_until == ask.lease_until && *lease_until > held.lease_until {
                    (held.trusted_until, held.renew_at) = self.trust(ask);
                    held.lease_until = *lease_until;
                } else {
                    held.renew_at = Some(at.monotonic + self.renewal_pause());
                }
                Some(held)
            }
            Ok(_) => None,
            Err(_) => {
                held.renew_at = Some(at.monotonic + self.renewal_pause());
                Some(held)
            }
        }
    }

    fn renewal_pause(&self) -> Duration {
        (self.policy.lease / 12).clamp(SHORTEST_RENEWAL_PAUSE, LONGEST_RENEWAL_PAUSE)
    }
}

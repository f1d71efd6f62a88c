//! While the body runs: the owner renews its lease, and stops itself when it cannot trust it any more.

use std::time::Duration;

use super::finishing::Finishing;
use super::{Action, Ask, At, Attempt, Event, Held, State, Stopped, misled};
use crate::store_error::StoreErrorKind;
use crate::write::Written;

/// How soon a renewal that met an error of the store is tried again: a twelfth of the lease, within these.
const SHORTEST_RENEWAL_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_RENEWAL_PAUSE: Duration = Duration::from_secs(5);

/// How soon an announcement that met an error of the store is tried again: the body waits for it.
const ANNOUNCEMENT_PAUSE: Duration = Duration::from_millis(100);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Running {
    pub(super) held: Held,
    /// The write under way.
    writing: Option<Writing>,
    announcement: Announcement,
}

/// A write of the owner while its body runs; there is one at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Writing {
    Renewal(Ask),
    Announcement,
}

/// Whether the body has said that an irreversible effect begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Announcement {
    None,
    /// It has, and the record is to say so; not before this moment.
    Due(Duration),
    /// The record says so.
    Done,
}

impl Running {
    pub(super) fn new(held: Held) -> Self {
        Self { held, writing: None, announcement: Announcement::None }
    }
}

impl Attempt {
    pub(super) fn running(&mut self, mut running: Running, event: Event<'_>) -> (State, Action) {
        match event {
            Event::Polling(at) => self.poll(running, at),
            Event::EffectBegins(at) => {
                if running.announcement == Announcement::None {
                    running.announcement = Announcement::Due(at.monotonic);
                }
                self.poll(running, at)
            }
            Event::Renewed(at, answer) => {
                let Some(Writing::Renewal(ask)) = running.writing.take() else { return misled() };
                match self.renewed(running.held, ask, at, answer) {
                    Some(held) => self.poll(Running { held, ..running }, at),
                    None => (State::Over, Action::Stop(Stopped::Refused)),
                }
            }
            Event::Announced(at, answer) => {
                running.writing = None;
                running.announcement = match answer {
                    Ok(Written::Applied { .. } | Written::AlreadyDone) => Announcement::Done,
                    Ok(Written::Refused(_)) => return (State::Over, Action::Stop(Stopped::Refused)),
                    Err(_) => Announcement::Due(at.monotonic + ANNOUNCEMENT_PAUSE),
                };
                self.poll(running, at)
            }
            Event::Ended(at, verdict) => {
                // An announcement that was not acknowledged may have been recorded, or the effect may have begun in
                // another branch of the body.
                let announced = running.announcement != Announcement::None;
                let ending = self.settle(verdict, announced);
                let finishing = Finishing::new(running.held, ending, at, running.writing);
                let action =
                    if running.writing.is_some() { Action::AwaitWrite } else { Action::Finish(ending) };
                (State::Finishing(finishing), action)
            }
            _ => misled(),
        }
    }

    /// The body may be polled only while the lease can be trusted on both clocks: monotonic time does not count
    /// while a machine is frozen, wall time can be set back.
    pub(super) fn poll(&self, mut running: Running, at: At) -> (State, Action) {
        let held = running.held;
        let left = self.trusted_for(&held, at);
        if left.is_zero() {
            return (State::Over, Action::Stop(Stopped::NotRenewed));
        }
        let mut wake_in = left;
        if running.writing.is_none() {
            if held.renew_at.is_some_and(|due| at.monotonic >= due) {
                let lease_until = self.lease_from(at);
                running.writing = Some(Writing::Renewal(Ask { at, lease_until }));
                return (State::Running(running), Action::Renew { lease_until });
            }
            if let Announcement::Due(due) = running.announcement {
                if at.monotonic >= due {
                    running.writing = Some(Writing::Announcement);
                    return (State::Running(running), Action::Announce);
                }
                wake_in = wake_in.min(due.saturating_sub(at.monotonic));
            }
            if let Some(due) = held.renew_at {
                wake_in = wake_in.min(due.saturating_sub(at.monotonic));
            }
        }
        (State::Running(running), Action::Run { wake_in })
    }

    pub(super) fn trusted_for(&self, held: &Held, at: At) -> Duration {
        let by_wall = held.lease_until.minus(self.policy.skew_budget).since(at.wall);
        by_wall.min(held.trusted_until.saturating_sub(at.monotonic))
    }

    /// The claim after a renewal; `None` if it was refused.
    pub(super) fn renewed(
        &self,
        mut held: Held,
        ask: Ask,
        at: At,
        answer: Result<&Written, StoreErrorKind>,
    ) -> Option<Held> {
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

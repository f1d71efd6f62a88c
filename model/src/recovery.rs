//! Whether a key can get stuck.
//!
//! Stateright's `eventually` looks at the ends of histories only: it misses those that go round in circles, and here
//! time ends, so that a history may end before a lease does. So every state is asked the question directly: if the
//! faults are over from here on, time goes on and a fresh caller comes, is there a way to a verdict? The way that is
//! tried is the plainest one, in which messages arrive in order and bodies succeed.

use idempotency_runtime::Status;
use idempotency_runtime::protocol::attempt::Verdict;

use crate::Protocol;
use crate::actions::{Move, Step, truth};
use crate::config::Operation;
use crate::state::{Announcement, Call, Phase, State};

/// How many moves a recovery may take: some leases with all their polls.
const LONGEST: usize = 120;

impl Protocol {
    /// Whether every key gets to a verdict from here.
    pub(crate) fn recovers(&self, state: &State) -> bool {
        let mut state = state.clone();
        for _ in 0..LONGEST {
            let Some(next) = self.plainest(&state) else { return true };
            // Callers come a tick apart, and a body that waits lets time pass.
            if matches!(next, Move::Begin { .. } | Move::Poll(_, Step::Wait)) {
                self.perform(&mut state, Move::Tick);
            }
            self.perform(&mut state, next);
        }
        false
    }

    /// The next move on the plainest way; `None` if every key has its verdict.
    fn plainest(&self, state: &State) -> Option<Move> {
        if !state.messages.is_empty() {
            return Some(Move::Deliver(0));
        }
        let busy =
            state.workers.iter().enumerate().filter_map(|(worker, host)| Some((worker, host.call.as_ref()?)));
        let mut waits = false;
        for (worker, call) in busy {
            match call.phase {
                Phase::Pausing(until) if state.at(worker).monotonic >= until => {
                    return Some(Move::Wake(worker));
                }
                Phase::Running => return Some(Move::Poll(worker, self.straight(call))),
                Phase::Probing(_) => return Some(Move::Find(worker, truth(state, call.key))),
                _ => waits = true,
            }
        }
        if waits {
            return Some(Move::Tick);
        }
        let open = state.keys.iter().position(|key| {
            key.record.as_ref().is_some_and(|record| match record.0.status {
                Status::InProgress => true,
                Status::Unknown => self.config.probes,
                _ => false,
            })
        });
        Some(Move::Begin { worker: 0, key: open?, request: 0 })
    }

    fn straight(&self, call: &Call) -> Step {
        let announces = self.config.operation == Operation::Announced;
        match call.announcement {
            Announcement::None if announces => Step::Announce,
            Announcement::Said => Step::Wait,
            _ if !call.effect => Step::Effect,
            _ => Step::End(Verdict::Succeeded),
        }
    }
}

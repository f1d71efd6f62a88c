//! What may happen next.

use idempotency_runtime::protocol::attempt::{Finding, Verdict};

use crate::Protocol;
use crate::config::{Operation, Removal};
use crate::state::{Announcement, Call, Phase, State};

/// One thing that happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// A tick passes.
    Tick,
    /// A tick passes while this worker's machine is frozen.
    Freeze(usize),
    /// This worker's wall clock is set back.
    SetBack(usize),
    /// A worker calls.
    Begin {
        /// Which worker.
        worker: usize,
        /// With which key.
        key: usize,
        /// With which request.
        request: u8,
    },
    /// A pause is over.
    Wake(usize),
    /// A body is polled, unless its owner stops it.
    Poll(usize, Step),
    /// A probe ends.
    Find(usize, Finding),
    /// A message arrives at the store, and its answer at the sender if that still waits.
    Deliver(usize),
    /// The same, and a copy of the message stays under way.
    DeliverTwice(usize),
    /// The sender stops waiting for the answer; the message stays under way.
    TimeOut(usize),
    /// A process dies.
    Crash(usize),
    /// A forgotten record is removed.
    Purge(usize),
    /// An operator removes a record.
    Evict(usize),
}

/// What a body does when it is polled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Nothing.
    Wait,
    /// It says that its effect begins.
    Announce,
    /// Its effect happens.
    Effect,
    /// It ends.
    End(Verdict),
}

impl Protocol {
    pub(crate) fn moves(&self, state: &State, moves: &mut Vec<Move>) {
        if state.now < self.config.horizon {
            moves.push(Move::Tick);
            if state.freezes > 0 {
                moves.extend((0..state.workers.len()).map(Move::Freeze));
            }
        }
        for worker in 0..state.workers.len() {
            self.moves_of(state, worker, moves);
        }
        for (index, message) in state.messages.iter().enumerate() {
            moves.push(Move::Deliver(index));
            if state.duplicates > 0 {
                moves.push(Move::DeliverTwice(index));
            }
            if state.timeouts > 0 && message.awaited_by.is_some() {
                moves.push(Move::TimeOut(index));
            }
        }
        for (key, held) in state.keys.iter().enumerate() {
            let Some(record) = &held.record else { continue };
            let unused = || !(0..state.workers.len()).any(|worker| self.may_be_polled(state, worker, key));
            match self.config.removal {
                Removal::Forgotten if record.0.is_forgotten(self.purger(state), self.skew()) => {
                    moves.push(Move::Purge(key));
                }
                Removal::ByHand if unused() => moves.push(Move::Evict(key)),
                Removal::Carelessly => moves.push(Move::Evict(key)),
                _ => {}
            }
        }
    }

    fn moves_of(&self, state: &State, worker: usize, moves: &mut Vec<Move>) {
        let host = &state.workers[worker];
        let Some(call) = &host.call else {
            if state.calls > 0 && host.calls < self.config.calls_each {
                for key in 0..self.config.keys {
                    moves.extend((0..self.config.requests).map(|request| Move::Begin {
                        worker,
                        key,
                        request,
                    }));
                }
            }
            return;
        };
        if state.crashes > 0 {
            moves.push(Move::Crash(worker));
        }
        if state.set_backs > 0 {
            moves.push(Move::SetBack(worker));
        }
        let monotonic = state.at(worker).monotonic;
        match call.phase {
            Phase::Pausing(until) if monotonic >= until => moves.push(Move::Wake(worker)),
            Phase::Running => moves.extend(self.steps(call).map(|step| Move::Poll(worker, step))),
            Phase::Probing(until) => {
                if monotonic < until {
                    moves.push(Move::Find(worker, truth(state, call.key)));
                }
                moves.push(Move::Find(worker, Finding::StillUnknown));
            }
            _ => {}
        }
    }

    /// What an honest body may do now.
    pub(crate) fn steps(&self, call: &Call) -> impl Iterator<Item = Step> {
        let announces = self.config.operation == Operation::Announced;
        let Call { announcement, effect, .. } = *call;
        let silent = announcement == Announcement::None;
        let announce = (announces && silent).then_some(Step::Announce);
        let may_happen = !announces || announcement == Announcement::Recorded;
        let happen = (!effect && may_happen).then_some(Step::Effect);
        let ends = self.config.verdicts.iter().filter(move |verdict| match verdict {
            Verdict::Succeeded => effect,
            // An error that says nothing is as good as a retryable one until the effect was announced.
            Verdict::Unclassified => !silent || !effect,
            Verdict::Failed | Verdict::Retryable => !effect,
            _ => true,
        });
        let ends = ends.map(|verdict| Step::End(*verdict));
        std::iter::once(Step::Wait).chain(announce).chain(happen).chain(ends)
    }
}

/// What a look at the other system says.
pub(crate) fn truth(state: &State, key: usize) -> Finding {
    if state.keys[key].effects > 0 { Finding::Applied } else { Finding::NotApplied }
}

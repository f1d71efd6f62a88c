//! From the call to the claim: asking, asking again, waiting.

use std::time::Duration;

use super::finishing::Finishing;
use super::running::Running;
use super::{Action, Answer, Ask, At, Attempt, Ending, Event, Held, State, misled, over};
use crate::claim::{Claim, Previous};
use crate::store_error::StoreErrorKind;
use crate::time::Timestamp;

/// How often a claim whose answer was lost is repeated.
const LOST_ANSWERS: u32 = 2;

/// How often a token that turns out to be used is replaced. One is enough unless the store answers nonsense.
const NEW_OWNERS: u32 = 3;

const SHORTEST_PAUSE: Duration = Duration::from_millis(10);
const LONGEST_PAUSE: Duration = Duration::from_millis(500);

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Claiming {
    /// The claim under way.
    ask: Option<Ask>,
    /// The claims of this owner whose answers were lost: any of them may have been applied.
    lost: Lost,
    lost_answers: u32,
    owners: u32,
    /// When the caller began to wait for another owner.
    waiting_since: Option<Duration>,
    polls: u32,
}

impl Claiming {
    /// The ask that was granted. A claim of ours whose answer was lost may be applied late, even after the same owner
    /// has asked again; its lease has been running since it was asked for.
    fn granted(&self, previous: Previous, lease_until: Timestamp) -> Option<Ask> {
        let latest = self.ask?;
        let is_latest = previous != Previous::Own || latest.lease_until == lease_until;
        Some(if is_latest { latest } else { self.lost.that_asked_for(lease_until).unwrap_or(latest) })
    }
}

/// The first lost claim and the latest: a call that waits may lose many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Lost([Option<Ask>; 2]);

impl Lost {
    fn push(&mut self, ask: Option<Ask>) {
        let last = self.0.len() - 1;
        let free = self.0.iter().position(Option::is_none).unwrap_or(last);
        self.0[free] = ask;
    }

    /// The claim with this lease. If it is not among those that are kept, the first: its lease ends soonest.
    fn that_asked_for(&self, lease_until: Timestamp) -> Option<Ask> {
        let mut asks = self.0.iter().flatten();
        asks.find(|ask| ask.lease_until == lease_until).or(self.0[0].as_ref()).copied()
    }
}

/// The answer came so late that the lease cannot be acted on any more. The body has not begun, so nothing needs to hold
/// the key, whatever the operation says about crashes.
fn give_back(held: Held, at: At) -> (State, Action) {
    let finishing = Finishing::new(held, Ending::Release, at, None);
    (State::Finishing(finishing), Action::Finish(Ending::Release))
}

impl Attempt {
    pub(super) fn claiming(&mut self, mut claiming: Claiming, event: Event<'_>) -> (State, Action) {
        match event {
            Event::Begin(at) => self.ask(claiming, at, true),
            Event::Woke(at) => self.ask(claiming, at, false),
            Event::Claimed(at, Ok(claim)) => self.claimed(claiming, at, claim),
            Event::Claimed(_, Err(kind)) => {
                claiming.lost.push(claiming.ask);
                self.claim_failed(claiming, kind)
            }
            _ => misled(),
        }
    }

    fn ask(&self, mut claiming: Claiming, at: At, new_owner: bool) -> (State, Action) {
        let lease_until = self.lease_from(at);
        if lease_until.since(at.wall) <= self.policy.skew_budget {
            return over(Answer::DeadlineTooNear);
        }
        claiming.ask = Some(Ask { at, lease_until });
        (State::Claiming(claiming), Action::Claim { new_owner, lease_until })
    }

    fn claimed(&mut self, mut claiming: Claiming, at: At, claim: &Claim) -> (State, Action) {
        match *claim {
            Claim::Acquired { epoch, attempt, lease_until, previous } => {
                let Some(ask) = claiming.granted(previous, lease_until) else { return misled() };
                let (trusted_until, renew_at) = self.trust(ask);
                let held = Held { epoch, attempt, previous, lease_until, trusted_until, renew_at };
                if self.trusted_for(&held, at).is_zero() {
                    return give_back(held, at);
                }
                self.poll(Running::new(held), at)
            }
            Claim::Probe { epoch, attempt, lease_until, .. } => {
                let Some(ask) = claiming.granted(Previous::Own, lease_until) else { return misled() };
                let (trusted_until, _) = self.trust(ask);
                let within = trusted_until.saturating_sub(at.monotonic);
                (self.begin_probe(epoch, attempt, lease_until, ask), Action::Probe { within })
            }
            Claim::InProgress { .. } => self.wait(claiming, at),
            // Somebody else is finding out, or the effect may still be going on.
            Claim::Unknown { .. } if self.policy.probes => self.wait(claiming, at),
            Claim::OwnerUsed if claiming.owners < NEW_OWNERS => {
                claiming.owners += 1;
                claiming.lost = Lost::default();
                self.ask(claiming, at, true)
            }
            _ => over(Answer::Found),
        }
    }

    fn wait(&mut self, mut claiming: Claiming, at: At) -> (State, Action) {
        let since = *claiming.waiting_since.get_or_insert(at.monotonic);
        let end = since.saturating_add(self.policy.wait.unwrap_or_default());
        if at.monotonic >= end {
            return over(Answer::Found);
        }
        let growing = SHORTEST_PAUSE.saturating_mul(1 << claiming.polls.min(6)).min(LONGEST_PAUSE);
        claiming.polls += 1;
        claiming.lost_answers = 0;
        let pause = self.jittered(growing).min(end.saturating_sub(at.monotonic));
        (State::Claiming(claiming), Action::Pause(pause))
    }

    /// A claim that may have been applied is repeated by the same owner, who recognises itself.
    fn claim_failed(&mut self, mut claiming: Claiming, kind: StoreErrorKind) -> (State, Action) {
        if !kind.is_ambiguous() || claiming.lost_answers >= LOST_ANSWERS {
            return over(Answer::StoreFailed);
        }
        claiming.lost_answers += 1;
        let pause = self.jittered(SHORTEST_PAUSE.saturating_mul(5 * claiming.lost_answers));
        (State::Claiming(claiming), Action::Pause(pause))
    }
}

//! While this caller alone may find out what became of an unknown outcome.

use super::finishing::Finishing;
use super::{Action, Answer, Ask, Attempt, Ending, Event, Finding, Held, State, misled, over};
use crate::claim::Previous;
use crate::record::Epoch;
use crate::time::Timestamp;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Probing {
    pub(super) held: Held,
}

impl Attempt {
    /// The probe gets what can be trusted of the lease, which is not renewed: who comes later may look again.
    pub(super) fn begin_probe(&self, epoch: Epoch, attempt: u32, lease_until: Timestamp, ask: Ask) -> State {
        let (trusted_until, _) = self.trust(ask);
        let held = Held {
            epoch,
            attempt,
            previous: Previous::Abandoned,
            lease_until,
            trusted_until,
            renew_at: None,
        };
        State::Probing(Probing { held })
    }

    pub(super) fn probing(probing: Probing, event: Event<'_>) -> (State, Action) {
        let Event::Probed(at, finding) = event else { return misled() };
        let ending = match finding {
            Finding::Applied => Ending::ResolveApplied,
            Finding::AppliedNotKept => Ending::ResolveNotKept,
            Finding::Failed => Ending::ResolveFailed,
            Finding::FailedNotKept => Ending::ResolveFailedNotKept,
            Finding::NotApplied => Ending::ResolveNotApplied,
            Finding::StillUnknown => return over(Answer::StillUnknown),
        };
        let finishing = Finishing::new(probing.held, ending, at, None);
        (State::Finishing(finishing), Action::Finish(ending))
    }
}

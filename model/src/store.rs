//! What moves do to the store: one atomic decision per message, by the real functions.

use idempotency_runtime::{Change, ClaimRequest, Epoch, OnExpired, OwnerWrite};

use crate::Protocol;
use crate::calls::{Answer, ticks};
use crate::property::{Asked, Property, Watch, is_over};
use crate::state::{Content, Key, Message, State, Stored};

impl Protocol {
    /// A message arrives, and its answer at the sender; `again` leaves a copy under way.
    pub(crate) fn deliver(&self, state: &mut State, index: usize, again: bool) {
        let message = state.messages[index];
        if again {
            state.messages[index].awaited_by = None;
            state.sort_messages();
        } else {
            state.messages.remove(index);
        }
        let answer = self.apply(state, message);
        self.answer(state, message, Ok(&answer));
    }

    fn apply(&self, state: &mut State, message: Message) -> Answer {
        let ttl = ticks(self.config.ttl);
        let (key, owner) = (self.keys[message.key].clone(), crate::owner(message.owner));
        let mut watch = Watch { broken: state.broken };
        let held = &mut state.keys[message.key];
        let before = held.record.as_ref().map(|stored| &stored.0);
        let answer = if let Content::Claim { lease_until, request } = message.content {
            let mut claim = ClaimRequest::new(key, owner, message.wall, lease_until, ttl);
            claim.fingerprint = Some(self.requests[usize::from(request)]);
            claim.skew_budget = self.skew();
            claim.on_crash = self.on_crash();
            claim.probe = self.config.probes;
            claim.on_expired = self.on_expired();
            let decision = self.rules().claim(before, &claim);
            let asked = Asked {
                owner,
                now: message.wall,
                fingerprint: claim.fingerprint,
                highest: held.highest,
                on_expired: claim.on_expired,
            };
            watch.claimed(before, &asked, &decision.answer, decision.write.as_ref());
            if let Some(record) = decision.write {
                // What follows a final outcome whose time is over is a new request.
                if before.is_some_and(|before| before.status.is_final() && is_over(before, &asked)) {
                    (held.effects, held.told) = (0, None);
                }
                held.highest = held.highest.max(record.epoch.get());
                held.record = Some(Stored(record));
            }
            Answer::Claim(decision.answer)
        } else {
            let (epoch, change) = content(message);
            let mut write = OwnerWrite::new(key, owner, epoch, message.wall, ttl, change);
            write.tombstone = ticks(self.config.tombstone);
            let decision = self.rules().write(before, &write);
            let after = decision.write.as_ref().or(before);
            watch.written(before, &message, &decision.answer, after);
            if let Some(record) = decision.write {
                held.record = Some(Stored(record));
            }
            Answer::Write(decision.answer)
        };
        if message.awaited_by.is_some() {
            watch.told(held, &answer, message);
        }
        state.broken = watch.broken;
        answer
    }

    fn on_expired(&self) -> OnExpired {
        if self.config.tombstone > 0 { OnExpired::Reject } else { OnExpired::Run }
    }

    /// Looks at a state as a whole.
    pub(crate) fn look_at(&self, state: &mut State) {
        for key in 0..state.keys.len() {
            let bodies = (0..state.workers.len()).filter(|worker| self.may_be_polled(state, *worker, key));
            if bodies.count() > 1 {
                state.broken |= Property::OneBody as u32;
            }
        }
        if self.config.recovers && state.broken == 0 && !self.recovers(state) {
            state.broken |= Property::NeverStuck as u32;
        }
        if let Some(watched) = self.config.watched {
            state.broken &= watched as u32;
        }
    }
}

fn content(message: Message) -> (Epoch, Change) {
    let epoch = Epoch::new(message.epoch().unwrap_or_default());
    let change = match message.content {
        Content::Renew { lease_until, .. } | Content::Claim { lease_until, .. } => {
            Change::Renew { lease_until }
        }
        Content::Announce { .. } => Change::Announce,
        Content::Finish { ending, .. } => crate::change(ending, message.owner),
    };
    (epoch, change)
}

impl Key {
    /// The record is removed. What comes then is a new request.
    pub(crate) fn forget(&mut self) {
        (self.record, self.effects, self.told) = (None, 0, None);
    }
}

//! What moves do to callers: the executor's part, which follows what the state machine says.

use std::time::Duration;

use idempotency_runtime::protocol::attempt::{Action, Answer as Told, Attempt, Event, Policy};
use idempotency_runtime::{Claim, OnCrash, Status, StoreErrorKind, Timestamp, Written};

use crate::Protocol;
use crate::actions::{Move, Step};
use crate::config::{Operation, TICK};
use crate::property::Property;
use crate::state::{Announcement, Call, Content, Key, Message, Phase, State};

/// The answer to a message.
pub(crate) enum Answer {
    Claim(Claim),
    Write(Written),
}

impl Protocol {
    pub(crate) fn perform(&self, state: &mut State, action: Move) {
        match action {
            Move::Tick => self.tick(state),
            Move::Freeze(worker) => {
                state.freezes -= 1;
                state.workers[worker].frozen += 1;
                self.tick(state);
            }
            Move::SetBack(worker) => {
                state.set_backs -= 1;
                state.workers[worker].offset -= i64::try_from(3 * TICK).unwrap_or(i64::MAX);
            }
            Move::Begin { worker, key, request } => self.begin(state, worker, key, request),
            Move::Wake(worker) => {
                let woke = Event::Woke(state.at(worker));
                self.step(state, worker, woke);
            }
            Move::Poll(worker, step) => self.poll(state, worker, step),
            Move::Find(worker, finding) => {
                let probed = Event::Probed(state.at(worker), finding);
                self.step(state, worker, probed);
            }
            Move::Deliver(index) => self.deliver(state, index, false),
            Move::DeliverTwice(index) => {
                state.duplicates -= 1;
                self.deliver(state, index, true);
            }
            Move::TimeOut(index) => {
                state.timeouts -= 1;
                let message = state.messages[index];
                state.messages[index].awaited_by = None;
                state.sort_messages();
                self.answer(state, message, Err(StoreErrorKind::Unavailable));
            }
            Move::Crash(worker) => {
                state.crashes -= 1;
                state.abandon(worker);
            }
            Move::Purge(key) => {
                let held = state.keys[key].record.as_ref().is_some_and(|stored| match stored.0.status {
                    Status::InProgress => stored.0.holds_after_crash(),
                    status => status == Status::Unknown,
                });
                state.broken |= if held { Property::UnknownStays as u32 } else { 0 };
                state.keys[key].forget();
            }
            // By hand a record may go in the millisecond in which it came: what follows may get its epoch again.
            Move::Evict(key) => state.keys[key] = Key::default(),
        }
    }

    /// Time passes; what has been under way for too long is lost.
    fn tick(&self, state: &mut State) {
        state.now += 1;
        while let Some(index) =
            state.messages.iter().position(|it| state.now - it.sent > self.config.message_life)
        {
            let message = state.messages.remove(index);
            self.answer(state, message, Err(StoreErrorKind::Unavailable));
        }
    }

    fn begin(&self, state: &mut State, worker: usize, key: usize, request: u8) {
        let attempt = Attempt::new(Policy {
            lease: ticks(self.config.lease),
            skew_budget: if self.rules().lacks(crate::Guard::SkewOfOwners) {
                Duration::ZERO
            } else {
                self.skew()
            },
            deadline: self.config.deadline.map(|tick| crate::state::time(tick * TICK)),
            wait: self.config.wait.map(ticks),
            on_crash: self.on_crash(),
            probes: self.config.probes,
            seed: 1,
        });
        state.calls = state.calls.saturating_sub(1);
        state.workers[worker].calls += 1;
        state.workers[worker].call = Some(Call {
            attempt,
            key,
            request,
            owner: 0,
            phase: Phase::Claiming,
            announcement: Announcement::None,
            effect: false,
            ended: false,
        });
        let begin = Event::Begin(state.at(worker));
        self.step(state, worker, begin);
    }

    pub(crate) fn on_crash(&self) -> OnCrash {
        if self.config.operation == Operation::Hold { OnCrash::Hold } else { OnCrash::Rerun }
    }

    fn poll(&self, state: &mut State, worker: usize, step: Step) {
        let at = state.at(worker);
        self.step(state, worker, Event::Polling(at));
        let Some(call) = state.workers[worker].call.as_mut().filter(|call| call.phase == Phase::Running)
        else {
            return;
        };
        match step {
            Step::Wait => {}
            Step::Announce => {
                call.announcement = Announcement::Said;
                self.step(state, worker, Event::EffectBegins(at));
            }
            Step::Effect => {
                call.effect = true;
                let key = &mut state.keys[call.key];
                key.effects = (key.effects + 1).min(2);
                if key.effects > 1 && self.config.operation != Operation::Rerun {
                    state.broken |= Property::OneEffect as u32;
                }
            }
            Step::End(verdict) => {
                call.ended = true;
                self.step(state, worker, Event::Ended(at, verdict));
            }
        }
    }

    /// Tells the machine what has happened, and does what it says.
    fn step(&self, state: &mut State, worker: usize, event: Event<'_>) {
        let Some(mut call) = state.workers[worker].call.take() else { return };
        let at = state.at(worker);
        let (attempt, action) = self.rules().step(call.attempt, event);
        call.attempt = attempt;
        let acknowledged =
            matches!(event, Event::Finished(_, Ok(Written::Applied { .. } | Written::AlreadyDone)));
        if action == Action::Answer(Told::Own) && !acknowledged {
            state.broken |= Property::AcknowledgedIsRecorded as u32;
        }
        if matches!(action, Action::Stop(_) | Action::Answer(_)) {
            return state.abandon(worker);
        }
        let content = self.follow(state, worker, &mut call, action);
        if let Some(content) = content {
            let (key, owner, sent) = (call.key, call.owner, state.now);
            state.send(Message { awaited_by: Some(worker), sent, key, owner, wall: at.wall, content });
        }
        // A body goes on while a write is under way.
        let runs_on = call.phase == Phase::Running && content.is_some();
        state.workers[worker].call = Some(call);
        if runs_on {
            self.step(state, worker, Event::Polling(at));
        }
    }

    /// What an action makes of a call, and what is sent for it.
    fn follow(&self, state: &mut State, worker: usize, call: &mut Call, action: Action) -> Option<Content> {
        let epoch = call.attempt.held().map_or(0, |held| held.epoch.get());
        let monotonic = state.at(worker).monotonic;
        let writing = if call.ended { Phase::Finishing } else { Phase::Running };
        let (phase, content) = match action {
            Action::Claim { new_owner, lease_until } => {
                if new_owner {
                    call.owner = state.draw(worker);
                }
                (Phase::Claiming, Some(Content::Claim { lease_until, request: call.request }))
            }
            Action::Pause(pause) => {
                let whole = u64::try_from(pause.as_millis()).unwrap_or(u64::MAX).div_ceil(TICK);
                (Phase::Pausing(monotonic + ticks(whole)), None)
            }
            Action::Renew { lease_until } => (writing, Some(Content::Renew { epoch, lease_until })),
            Action::Announce => (writing, Some(Content::Announce { epoch })),
            Action::Probe { within } => {
                // Nobody may look whether the effect has happened while it still may.
                let runs = (0..state.workers.len()).any(|other| self.may_be_polled(state, other, call.key));
                state.broken |= if runs { Property::OneBody as u32 } else { 0 };
                let looks = (0..state.workers.len()).any(|other| may_look(state, other, call.key));
                state.broken |= if looks { Property::OneProbe as u32 } else { 0 };
                (Phase::Probing(monotonic + within), None)
            }
            Action::Finish(ending) => {
                call.ended = true;
                (Phase::Finishing, Some(Content::Finish { epoch, ending }))
            }
            Action::AwaitWrite => (Phase::Finishing, None),
            Action::Run { .. } | Action::Stop(_) | Action::Answer(_) => (Phase::Running, None),
        };
        call.phase = phase;
        content
    }

    /// The answer to a message reaches its sender, if it still waits.
    pub(crate) fn answer(
        &self,
        state: &mut State,
        message: Message,
        answer: Result<&Answer, StoreErrorKind>,
    ) {
        let Some(worker) = message.awaited_by else { return };
        let at = state.at(worker);
        if let (Content::Claim { .. }, Ok(Answer::Claim(claim))) = (message.content, answer) {
            return self.step(state, worker, Event::Claimed(at, Ok(claim)));
        }
        let written = match answer {
            Ok(Answer::Write(written)) => Ok(written),
            Ok(Answer::Claim(_)) => return,
            Err(kind) => Err(kind),
        };
        match message.content {
            Content::Claim { .. } => {
                self.step(state, worker, Event::Claimed(at, Err(StoreErrorKind::Unavailable)));
            }
            Content::Renew { .. } => self.step(state, worker, Event::Renewed(at, written)),
            Content::Announce { .. } => {
                let done = matches!(written, Ok(Written::Applied { .. } | Written::AlreadyDone));
                if let Some(call) = state.workers[worker].call.as_mut().filter(|_| done) {
                    call.announcement = Announcement::Recorded;
                }
                self.step(state, worker, Event::Announced(at, written));
            }
            Content::Finish { .. } => self.step(state, worker, Event::Finished(at, written)),
        }
    }

    /// Whether this worker's body of that key may be polled now.
    pub(crate) fn may_be_polled(&self, state: &State, worker: usize, key: usize) -> bool {
        state.workers[worker].call.as_ref().is_some_and(|call| {
            let polling = Event::Polling(state.at(worker));
            call.key == key
                && call.phase == Phase::Running
                && !matches!(self.rules().step(call.attempt, polling).1, Action::Stop(_) | Action::Answer(_))
        })
    }

    pub(crate) fn skew(&self) -> Duration {
        ticks(self.config.skew)
    }

    /// The clock of who removes forgotten records: the fastest that is allowed.
    pub(crate) fn purger(&self, state: &State) -> Timestamp {
        state.true_time().plus(self.skew() / 2)
    }
}

/// Whether this worker's probe of that key may go on.
fn may_look(state: &State, worker: usize, key: usize) -> bool {
    let monotonic = state.at(worker).monotonic;
    let looks =
        |call: &Call| call.key == key && matches!(call.phase, Phase::Probing(until) if monotonic < until);
    state.workers[worker].call.as_ref().is_some_and(looks)
}

pub(crate) fn ticks(count: u64) -> Duration {
    Duration::from_millis(count * TICK)
}

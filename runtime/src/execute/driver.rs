//! One call in motion: the state machine, the owner token, and the way to the claim and through the body.

use std::any::Any;
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::Poll;
use std::time::Duration;

use super::Plan;
use super::limit::Limit;
use super::writing::{Announcing, Writing};
use crate::claim::{Claim, Previous};
use crate::clock::Sleep;
use crate::error::Error;
use crate::event::Decision;
use crate::flight::Leader;
use crate::owner::OwnerToken;
use crate::probe::UnknownOutcome;
use crate::protocol::attempt::{Action, Answer, At, Attempt, Ending, Event, Held, Policy, Stopped};
use crate::record::Record;
use crate::scope;
use crate::store_error::StoreError;
use crate::time::Timestamp;

/// What the call begins with.
pub(super) enum Opening {
    Run,
    Replay(Box<Record>),
    Probe { unknown: UnknownOutcome, within: Duration },
    Unprotected(StoreError),
    Refuse(Error),
}

/// How the body ended.
pub(super) enum Ended<R> {
    Returned(R),
    Panicked(Box<dyn Any + Send>),
    Stopped(Stopped),
}

/// What became of the last write.
pub(super) enum Closed {
    /// It says this.
    Own(Ending),
    Another(Box<Record>),
    Lost,
    Unsaved(Option<StoreError>),
}

pub(super) struct Driver {
    pub(super) plan: Box<Plan>,
    pub(super) attempt: Attempt,
    pub(super) owner: Option<OwnerToken>,
    /// The moment of the last look at the clocks.
    pub(super) now: At,
    /// When the claim was asked for that was granted.
    pub(super) claimed_at: Timestamp,
    /// What the cache had forgotten by then.
    pub(super) generation: u64,
    /// When to look again, from the look at the claim's answer; it serves for the first poll of the body.
    wake_at: Option<Duration>,
    /// What was held when the body ran, for reports.
    pub(super) held: Option<Held>,
    pub(super) writing: Option<Writing>,
    pub(super) announcing: Announcing,
    pub(super) alarm: Option<(Duration, Sleep)>,
    pub(super) limit: Limit,
    /// The seat of the first, if other callers of this process may follow.
    pub(super) leader: Option<Leader>,
    /// Whether the call can find out what became of an unknown outcome, and has not done so.
    pub(super) probes: bool,
    /// Whether it could not find out.
    pub(super) gave_up: bool,
    /// Whether it has found out that the attempt failed for good.
    pub(super) failed_for_good: bool,
    /// When the call first waited.
    waiting_since: Option<Duration>,
}

impl Driver {
    pub(super) fn new(plan: Box<Plan>, leader: Option<Leader>, probes: bool) -> Self {
        Self {
            attempt: Attempt::new(policy(&plan, probes)),
            plan,
            owner: None,
            now: At::default(),
            claimed_at: Timestamp::default(),
            generation: 0,
            wake_at: None,
            held: None,
            writing: None,
            announcing: Announcing::default(),
            alarm: None,
            limit: Limit::default(),
            leader,
            probes,
            gave_up: false,
            failed_for_good: false,
            waiting_since: None,
        }
    }

    /// Goes back to the claim, after it was found out that the effect of an earlier attempt did not happen. The call
    /// finds out once.
    pub(super) fn begin_again(&mut self) {
        let waited = self.waiting_since.take().map(|since| self.now.monotonic.saturating_sub(since));
        self.plan.wait = self.plan.wait.map(|wait| wait.saturating_sub(waited.unwrap_or_default()));
        self.probes = false;
        self.attempt = Attempt::new(policy(&self.plan, false));
        self.owner = None;
    }

    /// Looks at the clocks.
    pub(super) fn look_at_clocks(&mut self) -> At {
        let clock = self.plan.store.clock();
        self.now = At { wall: clock.now(), monotonic: clock.monotonic() };
        self.now
    }

    pub(super) fn step(&mut self, event: Event<'_>) -> Action {
        self.attempt.advance(event)
    }

    /// Claims the key, waiting if the operation says so.
    pub(super) async fn open(&mut self) -> Opening {
        let mut found = None;
        let mut failure = None;
        let begin = Event::Begin(self.look_at_clocks());
        let mut action = self.step(begin);
        loop {
            action = match action {
                Action::Claim { new_owner, lease_until } => {
                    let answer = self.claim(new_owner, lease_until).await;
                    // A known outcome is replayed whatever the time is.
                    if !matches!(answer, Ok(Claim::Final(_))) {
                        self.look_at_clocks();
                    }
                    let event = answer.as_ref().map_err(StoreError::kind);
                    let next = self.step(Event::Claimed(self.now, event));
                    match answer {
                        Ok(claim) => found = Some(claim),
                        Err(error) => failure = Some(error),
                    }
                    next
                }
                Action::Pause(pause) => {
                    if matches!(found, Some(Claim::InProgress { .. } | Claim::Unknown { .. })) {
                        self.waiting_since.get_or_insert(self.now.monotonic);
                    }
                    self.pause(pause).await
                }
                Action::Run { wake_in } => {
                    self.wake_at = Some(self.now.monotonic + wake_in);
                    return self.opened();
                }
                // The answer took so long that the lease is due already.
                Action::Renew { lease_until } => {
                    self.start_renewal(lease_until);
                    return self.opened();
                }
                Action::Probe { within } => return self.may_probe(found, within),
                Action::Stop(why) => return Opening::Refuse(self.stopped(why)),
                Action::Answer(answer) => return self.not_opened(answer, found, failure),
                Action::Finish(_) => {
                    self.finish(action, None).await;
                    return self.not_opened(Answer::Lost, found, failure);
                }
                Action::Announce | Action::AwaitWrite => {
                    return self.not_opened(Answer::Lost, found, failure);
                }
            }
        }
    }

    fn opened(&mut self) -> Opening {
        self.held = self.attempt.held().copied();
        self.tell_waited();
        if let Some(Held { attempt, epoch, previous, .. }) = self.held {
            self.plan.tell(match previous {
                Previous::Abandoned => Decision::TakenOver { attempt, epoch },
                _ => Decision::Claimed { attempt, epoch, previous },
            });
        }
        if self.plan.store.observer().is_some() {
            // It may have taken its time.
            self.wake_at = None;
        }
        Opening::Run
    }

    /// Told once, when it is known what came of it.
    pub(super) fn tell_waited(&self) {
        if self.waiting_since.is_some() {
            self.plan.tell(Decision::Waited);
        }
    }

    fn may_probe(&mut self, found: Option<Claim>, within: Duration) -> Opening {
        let Some(Claim::Probe { epoch, attempt, since, .. }) = found else {
            return self.not_opened(Answer::Lost, found, None);
        };
        self.held = self.attempt.held().copied();
        let unknown = UnknownOutcome {
            operation: self.plan.name.clone().into_owned(),
            key: self.plan.key.clone(),
            attempt,
            since,
            epoch,
        };
        Opening::Probe { unknown, within }
    }

    async fn claim(&mut self, new_owner: bool, lease_until: Timestamp) -> Result<Claim, StoreError> {
        let now = self.now.wall;
        if new_owner {
            self.owner = None;
        }
        let owner = match self.owner {
            Some(owner) => owner,
            None => *self.owner.insert(OwnerToken::draw(now)?),
        };
        self.claimed_at = now;
        self.generation = self.plan.store.cache_generation();
        let plan = &self.plan;
        let mut request = plan.claim(owner, now, lease_until);
        request.probe = self.probes;
        self.limit.answer(&plan.store, plan.lease, plan.store.claim(request)).await
    }

    pub(super) async fn pause(&mut self, pause: Duration) -> Action {
        self.plan.store.clock().sleep(pause).await;
        let woke = Event::Woke(self.look_at_clocks());
        self.step(woke)
    }

    /// Polls the body to its end, renewing the lease in the same task. The body is not polled on a lease that
    /// cannot be trusted.
    pub(super) async fn run<F: Future>(&mut self, mut body: Pin<&mut F>) -> Ended<F::Output> {
        poll_fn(|cx| {
            loop {
                let mut wake_at = match self.wake_at.take().map_or_else(|| self.look(), Ok) {
                    Ok(wake_at) => wake_at,
                    Err(why) => return Poll::Ready(Ended::Stopped(why)),
                };
                let (place, key) = (self.plan.store.place(), &self.plan.key);
                let announced = self.announcing.done;
                let polled = catch_unwind(AssertUnwindSafe(|| {
                    scope::holding(place, key, announced, None, || body.as_mut().poll(cx))
                }));
                match polled {
                    Ok((Poll::Ready(result), _)) => return Poll::Ready(Ended::Returned(result)),
                    Err(payload) => return Poll::Ready(Ended::Panicked(payload)),
                    Ok((Poll::Pending, announcing)) if announcing.is_empty() => {}
                    Ok((Poll::Pending, announcing)) => match self.effect_begins(announcing) {
                        Ok(look_at) => wake_at = look_at,
                        Err(why) => return Poll::Ready(Ended::Stopped(why)),
                    },
                }
                match self.watch(wake_at, cx) {
                    Poll::Ready(Err(why)) => return Poll::Ready(Ended::Stopped(why)),
                    Poll::Ready(Ok(())) => {}
                    Poll::Pending => return Poll::Pending,
                }
            }
        })
        .await
    }
}

fn policy(plan: &Plan, probes: bool) -> Policy {
    Policy {
        lease: plan.lease,
        skew_budget: plan.store.skew_budget(),
        deadline: plan.deadline,
        wait: plan.wait,
        on_crash: plan.on_crash,
        probes,
        seed: fastrand::u64(..),
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        if self.attempt.held().is_some() {
            // A second panic while the first unwinds would end the process.
            let _ = catch_unwind(AssertUnwindSafe(|| self.plan.tell(Decision::Dropped)));
        }
    }
}

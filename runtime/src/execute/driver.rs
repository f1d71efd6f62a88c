//! One call in motion: the state machine, the owner token, and the writes under way.

use std::any::Any;
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use super::Plan;
use crate::claim::{Claim, ClaimRequest};
use crate::clock::Sleep;
use crate::error::{Error, ErrorKind};
use crate::observe as events;
use crate::owner::OwnerToken;
use crate::protocol::attempt::{Action, Answer, At, Attempt, Event, Held, Policy, Stopped, Verdict};
use crate::record::Record;
use crate::scope;
use crate::store_error::StoreError;
use crate::time::Timestamp;
use crate::write::{Change, OwnerWrite, Written};

type Writing = Pin<Box<dyn Future<Output = Result<Written, StoreError>> + Send>>;

/// What the call begins with.
pub(super) enum Opening {
    Run,
    Replay(Box<Record>),
    Refuse(Error),
}

/// How the body ended.
pub(super) enum Ended<R> {
    Returned(R),
    Panicked(Box<dyn Any + Send>),
    Stopped(Stopped),
}

/// What became of the final write.
pub(super) enum Closed {
    /// With what the record says.
    Own(Verdict),
    Another(Box<Record>),
    Lost,
    Unsaved(Option<StoreError>),
}

pub(super) struct Driver {
    pub(super) plan: Plan,
    attempt: Attempt,
    owner: Option<OwnerToken>,
    /// The moment of the last look at the clocks.
    pub(super) now: At,
    /// When to look again, from the look at the claim's answer; it serves for the first poll of the body.
    wake_at: Option<Duration>,
    /// What was held when the body ran, for reports.
    pub(super) held: Option<Held>,
    pub(super) renewal: Option<Writing>,
    alarm: Option<(Duration, Sleep)>,
}

impl Driver {
    pub(super) fn new(plan: Plan) -> Self {
        let policy = Policy {
            lease: plan.lease,
            skew_budget: plan.store.skew_budget(),
            deadline: plan.deadline,
            wait: plan.wait,
            seed: fastrand::u64(..),
        };
        let attempt = Attempt::new(policy);
        let now = At::default();
        Self { plan, attempt, owner: None, now, wake_at: None, held: None, renewal: None, alarm: None }
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
        if scope::is_held(self.plan.store.place(), &self.plan.key) {
            let detail = "the body called its own operation with its own key, and would wait for itself";
            return Opening::Refuse(self.plan.error(ErrorKind::Reentered, detail));
        }
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
                Action::Pause(pause) => self.pause(pause).await,
                Action::Run { wake_in } => {
                    self.wake_at = Some(self.now.monotonic + wake_in);
                    return self.opened();
                }
                // The answer took so long that the lease is due already.
                Action::Renew { lease_until } => {
                    self.start_renewal(lease_until);
                    return self.opened();
                }
                Action::Stop(why) => return Opening::Refuse(self.stopped(why)),
                Action::Answer(answer) => return self.not_opened(answer, found, failure),
                Action::AwaitRenewal | Action::Finish(_) => {
                    return self.not_opened(Answer::Lost, found, failure);
                }
            }
        }
    }

    fn opened(&mut self) -> Opening {
        self.held = self.attempt.held().copied();
        if let Some(held) = &self.held {
            events::claimed(&self.plan.name, &self.plan.key, held);
        }
        Opening::Run
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
        let plan = &self.plan;
        let mut request = ClaimRequest::new(plan.key.clone(), owner, now, lease_until, plan.ttl);
        request.fingerprint = plan.fingerprint;
        request.skew_budget = plan.store.skew_budget();
        // An answer that comes after the lease is worth nothing.
        plan.bounded(plan.store.claim(request)).await
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
                let wake_at = match self.wake_at.take().map_or_else(|| self.look(), Ok) {
                    Ok(wake_at) => wake_at,
                    Err(why) => return Poll::Ready(Ended::Stopped(why)),
                };
                let (place, key) = (self.plan.store.place(), &self.plan.key);
                let polled =
                    catch_unwind(AssertUnwindSafe(|| scope::holding(place, key, || body.as_mut().poll(cx))));
                match polled {
                    Ok(Poll::Ready(result)) => return Poll::Ready(Ended::Returned(result)),
                    Err(payload) => return Poll::Ready(Ended::Panicked(payload)),
                    Ok(Poll::Pending) => {}
                }
                match self.watch(wake_at, cx) {
                    Poll::Ready(Some(why)) => return Poll::Ready(Ended::Stopped(why)),
                    Poll::Ready(None) => {}
                    Poll::Pending => return Poll::Pending,
                }
            }
        })
        .await
    }

    /// Asks the machine whether the body may be polled, and starts the renewal that it asks for. Returns when
    /// to look again, in monotonic time.
    fn look(&mut self) -> Result<Duration, Stopped> {
        loop {
            let at = self.look_at_clocks();
            match self.step(Event::Polling(at)) {
                Action::Run { wake_in } => return Ok(at.monotonic + wake_in),
                Action::Renew { lease_until } => self.start_renewal(lease_until),
                Action::Stop(why) => return Err(why),
                _ => return Err(Stopped::NotRenewed),
            }
        }
    }

    pub(super) fn start_renewal(&mut self, lease_until: Timestamp) {
        let store = self.plan.store.clone();
        let request = self.request(Change::Renew { lease_until });
        self.renewal = request.map(|request| Box::pin(async move { store.write(request).await }) as Writing);
    }

    /// Waits for the renewal under way and for the time to look again. `Ready`: something has happened.
    fn watch(&mut self, wake_at: Duration, cx: &mut Context<'_>) -> Poll<Option<Stopped>> {
        if let Some(renewal) = &mut self.renewal
            && let Poll::Ready(answer) = renewal.as_mut().poll(cx)
        {
            self.renewal = None;
            return Poll::Ready(match self.renewed(&answer) {
                Action::Stop(why) => Some(why),
                Action::Renew { lease_until } => {
                    self.start_renewal(lease_until);
                    None
                }
                _ => None,
            });
        }
        let alarm = match &mut self.alarm {
            Some((due, alarm)) if *due <= wake_at => alarm,
            slot => {
                let clock = self.plan.store.clock();
                let pause = wake_at.saturating_sub(clock.monotonic());
                &mut slot.insert((wake_at, clock.sleep(pause))).1
            }
        };
        alarm.as_mut().poll(cx).map(|()| {
            self.alarm = None;
            None
        })
    }

    pub(super) fn renewed(&mut self, answer: &Result<Written, StoreError>) -> Action {
        events::renewed(&self.plan.name, &self.plan.key, answer);
        self.look_at_clocks();
        self.step(Event::Renewed(self.now, answer.as_ref().map_err(StoreError::kind)))
    }

    /// A write of this owner, at the moment of the last look at the clocks.
    pub(super) fn request(&self, change: Change) -> Option<OwnerWrite> {
        let epoch = self.attempt.held()?.epoch;
        let (key, now) = (self.plan.key.clone(), self.now.wall);
        Some(OwnerWrite::new(key, self.owner?, epoch, now, self.plan.ttl, change))
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        if self.attempt.held().is_some() {
            events::dropped(&self.plan.name, &self.plan.key);
        }
    }
}

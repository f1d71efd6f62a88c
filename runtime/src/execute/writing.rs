//! The owner's writes while its body runs: renewals and the announcement, one at a time.

use std::pin::Pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use super::driver::Driver;
use super::limit::Limit;
use crate::event::Decision;
use crate::protocol::attempt::{Action, Event, Stopped};
use crate::store_error::StoreError;
use crate::time::Timestamp;
use crate::write::{Change, OwnerWrite, Written};

/// A write under way.
pub(super) struct Writing {
    kind: Kind,
    pub(super) answer: Pin<Box<dyn Future<Output = Result<Written, StoreError>> + Send>>,
}

#[derive(Clone, Copy)]
pub(super) enum Kind {
    Renewal,
    Announcement,
}

impl Writing {
    pub(super) fn kind(&self) -> Kind {
        self.kind
    }
}

/// Whether the record says that the effect begins, and who waits for it to say so.
#[derive(Default)]
pub(super) struct Announcing {
    pub(super) done: bool,
    waiting: Vec<Waker>,
}

impl Driver {
    /// Asks the machine whether the body may be polled, and starts the write that it asks for. Returns when to look
    /// again, in monotonic time.
    pub(super) fn look(&mut self) -> Result<Duration, Stopped> {
        let at = self.look_at_clocks();
        let action = self.step(Event::Polling(at));
        self.follow(action)
    }

    /// The body says that its effect begins.
    pub(super) fn effect_begins(&mut self, waiting: Vec<Waker>) -> Result<Duration, Stopped> {
        self.announcing.waiting.extend(waiting);
        let at = self.look_at_clocks();
        let action = self.step(Event::EffectBegins(at));
        self.follow(action)
    }

    /// Does what the machine says, until it says that the body may go on.
    fn follow(&mut self, mut action: Action) -> Result<Duration, Stopped> {
        loop {
            match action {
                Action::Run { wake_in } => return Ok(self.now.monotonic + wake_in),
                Action::Renew { lease_until } => self.start_renewal(lease_until),
                Action::Announce => self.start(Kind::Announcement, Change::Announce),
                Action::Stop(why) => return Err(why),
                _ => return Err(Stopped::NotRenewed),
            }
            action = self.step(Event::Polling(self.now));
        }
    }

    pub(super) fn start_renewal(&mut self, lease_until: Timestamp) {
        self.start(Kind::Renewal, Change::Renew { lease_until });
    }

    fn start(&mut self, kind: Kind, change: Change) {
        let (store, lease) = (self.plan.store.clone(), self.plan.lease);
        self.writing = self.request(change).map(|request| {
            let answer = async move { Limit::default().answer(&store, lease, store.write(request)).await };
            Writing { kind, answer: Box::pin(answer) }
        });
    }

    /// Waits for the write under way and for the time to look again. `Ready`: something has happened.
    pub(super) fn watch(&mut self, wake_at: Duration, cx: &mut Context<'_>) -> Poll<Result<(), Stopped>> {
        if let Some(writing) = &mut self.writing
            && let Poll::Ready(answer) = writing.answer.as_mut().poll(cx)
        {
            let kind = writing.kind;
            self.writing = None;
            let action = self.written(kind, &answer);
            return Poll::Ready(self.follow(action).map(drop));
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
            Ok(())
        })
    }

    /// Tells the machine what became of a write.
    pub(super) fn written(&mut self, kind: Kind, answer: &Result<Written, StoreError>) -> Action {
        let at = self.look_at_clocks();
        let result = answer.as_ref().map_err(StoreError::kind);
        match answer {
            Err(error) => self.plan.tell(Decision::StoreFailed { error }),
            Ok(Written::Applied { lease_until }) if matches!(kind, Kind::Renewal) => {
                self.plan.tell(Decision::Renewed { until: *lease_until });
            }
            Ok(Written::Applied { .. } | Written::AlreadyDone) if matches!(kind, Kind::Announcement) => {
                self.plan.tell(Decision::Announced);
                self.announcing.done = true;
                self.announcing.waiting.drain(..).for_each(Waker::wake);
            }
            Ok(_) => {}
        }
        self.step(match kind {
            Kind::Renewal => Event::Renewed(at, result),
            Kind::Announcement => Event::Announced(at, result),
        })
    }

    /// A write of this owner, at the moment of the last look at the clocks.
    pub(super) fn request(&self, change: Change) -> Option<OwnerWrite> {
        let epoch = self.attempt.held()?.epoch;
        let (key, now) = (self.plan.key.clone(), self.now.wall);
        let mut request = OwnerWrite::new(key, self.owner?, epoch, now, self.plan.ttl, change);
        request.tombstone = self.plan.tombstone;
        Some(request)
    }
}

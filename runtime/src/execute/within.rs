//! A call inside a transaction: its claim and its outcome commit or roll back with what the body writes.
//!
//! There is no lease to renew, nothing to wait for and nothing to share with other callers: until the commit nobody
//! else sees the claim, and who holds the transaction holds up everybody else who writes.

use std::any::Any;
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;

use super::driver::Driver;
use super::{Plan, refuse};
use crate::claim::{Claim, Previous};
use crate::error::{Error, ErrorKind};
use crate::event::Decision;
use crate::outcome::Outcome;
use crate::owner::OwnerToken;
use crate::protocol::attempt::Verdict;
use crate::record::{Epoch, RecordedValue};
use crate::report::{Disposition, Report};
use crate::scope;
use crate::store_error::StoreError;
use crate::time::Timestamp;
use crate::transaction::{Enclosing, Entered, Entry, Leaving};
use crate::write::{Change, OwnerWrite};

/// Runs `body` inside the transaction, or answers from the record.
pub(super) async fn within<T, E, F>(
    plan: Box<Plan>,
    transaction: Arc<dyn Enclosing>,
    outcome: &Outcome<T, E>,
    body: Pin<&mut F>,
) -> Result<T, E>
where
    F: Future<Output = Result<T, E>>,
{
    let mut driver = Driver::new(plan, None, false);
    driver.look_at_clocks();
    let driver = driver;
    let mut visit = match Visit::begin(&driver.plan, transaction).await {
        Ok(Begun::Run(visit)) => visit,
        Ok(Begun::Found(Claim::Final(record))) => return driver.replay(&record, outcome),
        Ok(Begun::Found(claim)) => {
            return Err(refuse(&driver.plan, found(&driver, &claim), outcome));
        }
        Err(error) => return Err(refuse(&driver.plan, failed(&driver.plan, error), outcome)),
    };
    let result = match visit.run(body).await {
        Ok(result) => result,
        Err(payload) => return visit.panicked(payload).await,
    };
    // A panic of the result's own code is one of the body: what the body did is undone.
    let ending = catch_unwind(AssertUnwindSafe(|| Ending::of(&driver, result, outcome)));
    let ending = match ending {
        Ok(ending) => ending,
        Err(payload) => return visit.panicked(payload).await,
    };
    let Ending { result, leaving, disposition } = ending;
    let leaving = match leaving {
        Stays::Outcome(change) => Leaving::Keep(visit.write(change)),
        Stays::Mark(change) => Leaving::Undo(Some(visit.write(change))),
        Stays::Nothing => Leaving::Undo(None),
    };
    if let Err(error) = visit.leave(leaving).await {
        driver.plan.tell(Decision::StoreFailed { error: &error });
        let error = failed(&driver.plan, error);
        // The body's own error says more.
        return result.and_then(|_| Err(refuse(&driver.plan, error, outcome)));
    }
    visit.tell(disposition);
    result
}

/// What the caller is told that finds no outcome. Nobody waits here: the other owner may need the lock that this
/// transaction holds.
fn found(driver: &Driver, claim: &Claim) -> Error {
    match *claim {
        Claim::Unknown { since, .. } => {
            let detail = "nobody knows whether the effect of an earlier attempt happened, and inside a transaction nobody \
                          is asked: call the operation outside of one, or say what became of it with `resolve`";
            driver.plan.error(ErrorKind::Unknown, detail).with_since(since)
        }
        _ => driver.refusal(claim),
    }
}

fn failed(plan: &Plan, error: StoreError) -> Error {
    Error::from_store(plan.name.clone(), error).with_key(&plan.key)
}

enum Begun<'p> {
    Run(Visit<'p>),
    Found(Claim),
}

/// What stays of a body that has ended.
enum Stays {
    /// All of it, and its outcome.
    Outcome(Change),
    /// Its outcome, without what it wrote.
    Mark(Change),
    Nothing,
}

struct Ending<T, E> {
    result: Result<T, E>,
    leaving: Stays,
    disposition: Disposition,
}

impl<T, E> Ending<T, E> {
    fn of(driver: &Driver, result: Result<T, E>, outcome: &Outcome<T, E>) -> Self {
        let (result, leaving, disposition) = match result {
            Ok(value) => {
                let prepared = driver.prepare(value, outcome);
                let disposition = if prepared.kept { Disposition::Executed } else { Disposition::NotKept };
                let change = Change::Complete(prepared.recorded());
                (Ok(prepared.value), Stays::Outcome(change), disposition)
            }
            Err(error) => {
                let (verdict, value) = driver.verdict(&error, outcome);
                let (stays, disposition) = of_error(verdict, value);
                (Err(error), stays, disposition)
            }
        };
        Self { result, leaving, disposition }
    }
}

/// What the body wrote is undone whatever its error says; an error that says that an effect elsewhere may have happened
/// still holds the key.
fn of_error(verdict: Verdict, value: Option<RecordedValue>) -> (Stays, Disposition) {
    match (verdict, value) {
        (Verdict::Failed | Verdict::FailedNotKept, Some(value)) => {
            (Stays::Mark(Change::Fail(value)), Disposition::Failed)
        }
        (Verdict::Unknown, _) => (Stays::Mark(Change::MarkUnknown), Disposition::Unknown),
        _ => (Stays::Nothing, Disposition::Released),
    }
}

/// An operation that is open on a transaction.
struct Visit<'p> {
    plan: &'p Plan,
    since: Timestamp,
    transaction: Arc<dyn Enclosing>,
    entry: Option<Entry>,
    owner: OwnerToken,
    epoch: Epoch,
    attempt: u32,
    previous: Previous,
}

impl<'p> Visit<'p> {
    async fn begin(plan: &'p Plan, transaction: Arc<dyn Enclosing>) -> Result<Begun<'p>, StoreError> {
        let since = plan.store.clock().now();
        let owner = OwnerToken::draw(since)?;
        let request = plan.claim(owner, since, since.plus(plan.lease));
        let parent = scope::entered(transaction.number());
        let Entered { claim, entry } = transaction.enter(request, parent).await?;
        let Claim::Acquired { epoch, attempt, previous, .. } = claim else {
            return Ok(Begun::Found(claim));
        };
        // Whoever listens may panic: the operation is ended then as any that is dropped.
        let visit = Self { plan, since, transaction, entry, owner, epoch, attempt, previous };
        plan.tell(match previous {
            Previous::Abandoned => Decision::TakenOver { attempt, epoch },
            _ => Decision::Claimed { attempt, epoch, previous },
        });
        Ok(Begun::Run(visit))
    }

    /// Polls the body to its end, or to its panic.
    async fn run<F: Future>(&self, mut body: Pin<&mut F>) -> Result<F::Output, Box<dyn Any + Send>> {
        poll_fn(|cx| {
            let polled = catch_unwind(AssertUnwindSafe(|| {
                let (place, key) = (self.plan.store.place(), &self.plan.key);
                scope::holding(place, key, false, self.entry, || body.as_mut().poll(cx)).0
            }));
            match polled {
                Ok(polled) => polled.map(Ok),
                Err(payload) => Poll::Ready(Err(payload)),
            }
        })
        .await
    }

    fn write(&self, change: Change) -> OwnerWrite {
        let plan = self.plan;
        let now = plan.store.clock().now();
        let mut write = OwnerWrite::new(plan.key.clone(), self.owner, self.epoch, now, plan.ttl, change);
        write.tombstone = plan.tombstone;
        write
    }

    async fn leave(&mut self, leaving: Leaving) -> Result<(), StoreError> {
        match self.entry.take() {
            Some(entry) => self.transaction.leave(entry, leaving).await,
            None => Ok(()),
        }
    }

    async fn panicked<R>(&mut self, payload: Box<dyn Any + Send>) -> R {
        if let Err(error) = self.leave(Leaving::Undo(None)).await {
            self.plan.tell(Decision::StoreFailed { error: &error });
        }
        self.plan.tell(Decision::Panicked);
        self.report(Disposition::Panicked);
        resume_unwind(payload)
    }

    fn tell(&self, disposition: Disposition) {
        let since = self.since;
        self.plan.tell(match disposition {
            Disposition::NotKept => Decision::NotKept,
            Disposition::Failed => Decision::Failed,
            Disposition::Unknown => Decision::Unknown { since },
            Disposition::Released => Decision::Released,
            _ => Decision::Completed,
        });
        self.report(disposition);
    }

    fn report(&self, disposition: Disposition) {
        scope::report(|| Report {
            attempt: Some(self.attempt),
            epoch: Some(self.epoch),
            previous: Some(self.previous),
            ..self.plan.report(disposition)
        });
    }
}

impl Drop for Visit<'_> {
    fn drop(&mut self) {
        if let Some(entry) = self.entry.take() {
            self.transaction.abandon(entry);
            // A second panic while the first unwinds would end the process.
            let _ = catch_unwind(AssertUnwindSafe(|| self.plan.tell(Decision::Dropped)));
        }
    }
}

//! One run: processes whose callers are polled in turn on one thread, on a clock that moves when nobody else does.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

use idempotency::{AnyStore, Clock, Report, with_reports};

use super::fault::Disturbance;
use super::scenario::{Call, Failure, ONE, Scenario, Thrown, make};
use super::store::{Backend, Numbered};
use crate::clocks::Skewed;

/// How far the clock moves when nobody else does.
const TICK: Duration = Duration::from_millis(500);

/// So many ticks are longer than anything that a caller may wait for.
const PATIENCE: usize = 300;

/// So often a detached body is polled before the next look at the callers.
const TURNS: usize = 16;

/// What a caller got.
#[derive(Debug)]
pub(super) struct Reply {
    pub(super) call: Call,
    pub(super) result: Result<String, Failure>,
    pub(super) reports: Vec<Report>,
}

/// One caller.
struct Task {
    process: &'static str,
    future: Pin<Box<dyn Future<Output = ()>>>,
    woken: Arc<Woken>,
    polls: usize,
    drop_after: Option<usize>,
}

struct Woken(AtomicBool);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The callers of one run.
pub(super) struct Run {
    scenario: Scenario,
    backend: Backend,
    key: u64,
    tasks: Vec<Task>,
    /// Where the detached bodies of process [`ONE`] run. It ends with the process.
    runtime: Option<tokio::runtime::Runtime>,
    replies: Rc<RefCell<Vec<Reply>>>,
    /// Whether the disturbance has happened.
    pub(super) disturbed: bool,
}

impl Run {
    pub(super) fn new(scenario: Scenario, backend: Backend, key: u64) -> Self {
        let replies = Rc::default();
        Self { scenario, backend, key, tasks: Vec::new(), runtime: None, replies, disturbed: false }
    }

    /// A caller comes.
    pub(super) fn call(&mut self, call: Call, disturbance: Disturbance) {
        let store = AnyStore::new(Numbered::new(&self.backend, call.process));
        let clock = self.backend.clock.clone();
        let store =
            store.accepting_loss().with_clock(Skewed { clock, ahead: call.ahead, behind: Duration::ZERO });
        let (panics_at, drop_after) = match disturbance {
            Disturbance::None => (None, None),
            Disturbance::Drop(polls) => (None, Some(polls)),
            Disturbance::Panic(step) => (Some(step), None),
        };
        let call = Call { panics_at, ..call };
        if self.scenario.detached && self.runtime.is_none() {
            self.runtime = Some(tokio::runtime::Builder::new_current_thread().build().expect("a runtime"));
        }
        let (scenario, backend, key, replies) =
            (self.scenario, self.backend.clone(), self.key, self.replies.clone());
        let future = Box::pin(async move {
            backend.clock.sleep(call.comes_after).await;
            let (result, reports) = with_reports(make(scenario, call, backend, store, key)).await;
            replies.borrow_mut().push(Reply { call, result, reports });
        });
        let woken = Arc::new(Woken(AtomicBool::new(true)));
        self.tasks.push(Task { process: call.process, future, woken, polls: 0, drop_after });
    }

    /// Takes what callers got since the last time.
    pub(super) fn take_replies(&self) -> Vec<Reply> {
        std::mem::take(&mut self.replies.borrow_mut())
    }

    /// Goes on until every caller is gone.
    pub(super) fn finish(&mut self) {
        for _ in 0..PATIENCE {
            while self.turn() {}
            if self.tasks.is_empty() {
                return;
            }
            self.backend.clock.advance(TICK);
        }
        self.tasks.clear();
        self.backend.ledger.broken("a caller waits for ever");
    }

    /// Lets time pass; detached bodies go on.
    pub(super) fn pass(&mut self, span: Duration) {
        if self.tasks.is_empty() && self.runtime.is_none() {
            return self.backend.clock.advance(span);
        }
        let mut passed = Duration::ZERO;
        while passed < span {
            self.backend.clock.advance(TICK);
            passed += TICK;
            while self.turn() {}
        }
    }

    /// Polls whoever was woken; whether anybody was.
    fn turn(&mut self) -> bool {
        let mut moved = false;
        let mut at = 0;
        while at < self.tasks.len() {
            if self.backend.is_frozen(self.tasks[at].process) {
                at += 1;
                continue;
            }
            if self.tasks[at].woken.0.swap(false, Ordering::Relaxed) {
                moved = true;
                if self.is_over_after_a_poll(at) {
                    let gone = self.tasks.remove(at);
                    drop(gone);
                    self.end_stopped_process();
                    continue;
                }
                self.end_stopped_process();
            }
            at += 1;
        }
        let runtime = self.runtime.as_ref().filter(|_| !self.backend.is_frozen(ONE));
        if let Some(runtime) = runtime {
            runtime.block_on(async {
                for _ in 0..TURNS {
                    tokio::task::yield_now().await;
                }
            });
            self.end_stopped_process();
        }
        moved
    }

    fn is_over_after_a_poll(&mut self, at: usize) -> bool {
        let task = &mut self.tasks[at];
        let _inside = self.runtime.as_ref().map(tokio::runtime::Runtime::enter);
        let waker = Waker::from(task.woken.clone());
        let mut cx = Context::from_waker(&waker);
        task.polls += 1;
        match catch_unwind(AssertUnwindSafe(|| task.future.as_mut().poll(&mut cx))) {
            Ok(Poll::Ready(())) => true,
            Ok(Poll::Pending) if task.drop_after == Some(task.polls) => {
                self.disturbed = true;
                self.backend.ledger.note(|| "the caller is dropped".to_owned());
                true
            }
            Ok(Poll::Pending) => false,
            Err(payload) => {
                self.disturbed = true;
                self.panicked(&*payload);
                true
            }
        }
    }

    fn panicked(&self, payload: &(dyn Any + Send)) {
        if !payload.is::<Thrown>() {
            let text = payload.downcast_ref::<String>().cloned();
            let text = text.or_else(|| payload.downcast_ref::<&str>().map(|text| (*text).to_owned()));
            self.backend.ledger.broken(format!("a panic: {}", text.unwrap_or_default()));
        }
    }

    /// All of a process that has ended is gone.
    fn end_stopped_process(&mut self) {
        let Some(process) = self.backend.take_stopped() else { return };
        self.backend.ledger.note(|| format!("process `{process}` ends"));
        self.tasks.retain(|task| task.process != process);
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

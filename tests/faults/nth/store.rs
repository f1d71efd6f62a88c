//! A store that numbers its calls and lets something happen to some of them.

use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use idempotency::{
    AnyStore, Capabilities, Change, Claim, ClaimRequest, Clock, Evict, IdempotencyKey, ListRequest,
    ManualClock, OwnerWrite, Record, Store, StoreError, StoreErrorKind, Timestamp, Written,
};

use super::fault::{Fault, When};
use super::ledger::Ledger;

/// Longer than a lease and the skew budget.
pub(super) const TOO_LONG: Duration = Duration::from_secs(9);

/// What the processes of one run share: the records, the time, and what happens to which call.
#[derive(Clone, Debug)]
pub(super) struct Backend {
    /// The records.
    pub(super) inner: AnyStore,
    pub(super) clock: ManualClock,
    pub(super) ledger: Ledger,
    script: Arc<Mutex<Script>>,
}

#[derive(Debug, Default)]
struct Script {
    calls: usize,
    faults: Vec<(usize, Fault)>,
    met: usize,
    /// Calls that are still on their way, each with the number of the call after which it arrives.
    on_the_way: Vec<(usize, Request)>,
    stopped: Option<&'static str>,
    /// The process that stands still, and until when.
    frozen: Option<(&'static str, Timestamp)>,
}

#[derive(Clone, Debug)]
enum Request {
    Claim(ClaimRequest),
    Write(OwnerWrite),
}

enum Answer {
    Claim(Claim),
    Written(Written),
}

impl Backend {
    pub(super) fn new(
        inner: AnyStore,
        clock: ManualClock,
        ledger: Ledger,
        faults: Vec<(usize, Fault)>,
    ) -> Self {
        let script = Script { faults, ..Script::default() };
        Self { inner, clock, ledger, script: Arc::new(Mutex::new(script)) }
    }

    fn script(&self) -> MutexGuard<'_, Script> {
        self.script.lock().expect("nobody panics with the script")
    }

    /// How many faults have been met.
    pub(super) fn met(&self) -> usize {
        self.script().met
    }

    /// The process that has ended since the last look.
    pub(super) fn take_stopped(&self) -> Option<&'static str> {
        self.script().stopped.take()
    }

    /// Whether the process stands still now.
    pub(super) fn is_frozen(&self, process: &str) -> bool {
        let frozen = self.script().frozen;
        frozen.is_some_and(|(one, until)| one == process && self.clock.now() < until)
    }

    /// Numbers a call, and says what happens to it.
    fn next(&self) -> (usize, Option<Fault>) {
        let mut script = self.script();
        script.calls += 1;
        let number = script.calls;
        let fault = script.faults.iter().find(|(first, fault)| fault.meets(*first, number)).copied();
        script.met += usize::from(fault.is_some_and(|(first, _)| first == number));
        let fault = fault.map(|(_, fault)| fault);
        (number, fault)
    }

    fn send_later(&self, number: usize, after: usize, request: &Request) {
        self.script().on_the_way.push((number.saturating_add(after), request.clone()));
    }

    /// Lets what is on the way arrive, up to after the call of this number.
    pub(super) fn deliver(&self, number: usize) {
        loop {
            let request = {
                let mut script = self.script();
                let arrived = script.on_the_way.iter().position(|(due, _)| *due <= number);
                arrived.map(|at| script.on_the_way.remove(at).1)
            };
            let Some(request) = request else { return };
            self.ledger.note(|| "a late call arrives".to_owned());
            let _ = self.apply(&request);
        }
    }

    fn apply(&self, request: &Request) -> Result<Answer, StoreError> {
        match request {
            Request::Claim(claim) => {
                let answer = wait_for(self.inner.claim(claim.clone()))?;
                self.ledger.note(|| format!("claim → {}", first_word(&answer)));
                Ok(Answer::Claim(answer))
            }
            Request::Write(write) => {
                let answer = wait_for(self.inner.write(write.clone()))?;
                self.ledger.note(|| format!("{} → {}", first_word(&write.change), first_word(&answer)));
                let is_final = matches!(
                    write.change,
                    Change::Complete(_)
                        | Change::Fail(_)
                        | Change::ResolveApplied(_)
                        | Change::ResolveFailed(_)
                );
                if is_final && matches!(answer, Written::Applied { .. }) {
                    self.ledger.became_final();
                }
                Ok(Answer::Written(answer))
            }
        }
    }
}

/// The store as one process sees it.
#[derive(Clone, Debug)]
pub(super) struct Numbered {
    backend: Backend,
    process: &'static str,
}

impl Numbered {
    pub(super) fn new(backend: &Backend, process: &'static str) -> Self {
        Self { backend: backend.clone(), process }
    }

    async fn call(&self, request: Request) -> Result<Answer, StoreError> {
        let backend = &self.backend;
        let (number, fault) = backend.next();
        if let Some(fault) = fault {
            backend.ledger.note(|| format!("call {number} meets {fault:?}"));
        }
        on_the_wire().await;
        self.meet(fault, When::Before).await?;
        if let Some(Fault::Late(after) | Fault::Adrift(after)) = fault {
            backend.send_later(number, after, &request);
            if matches!(fault, Some(Fault::Adrift(_))) {
                std::future::pending::<()>().await;
            }
            return Err(error(StoreErrorKind::Unavailable));
        }
        let mut answer = backend.apply(&request);
        if fault == Some(Fault::Twice) {
            answer = backend.apply(&request);
        }
        if let Some(Fault::Again(after)) = fault {
            backend.send_later(number, after, &request);
        }
        backend.deliver(number);
        if !matches!(fault, Some(Fault::Frozen(_))) {
            on_the_wire().await;
        }
        self.meet(fault, When::After).await?;
        answer
    }

    /// What happens before the call is applied, or after it.
    async fn meet(&self, fault: Option<Fault>, now: When) -> Result<(), StoreError> {
        match fault {
            Some(Fault::Unavailable(when) | Fault::Away(when, _)) if when == now => {
                Err(error(StoreErrorKind::Unavailable))
            }
            Some(Fault::Busy) if now == When::Before => Err(error(StoreErrorKind::Busy)),
            Some(Fault::Full) if now == When::Before => Err(error(StoreErrorKind::Full)),
            Some(Fault::Throttled) if now == When::Before => Err(error(StoreErrorKind::Throttled)),
            Some(Fault::Slow(when)) if when == now => {
                self.backend.clock.sleep(TOO_LONG).await;
                Ok(())
            }
            Some(Fault::Frozen(when)) if when == now => {
                let until = self.backend.clock.now().plus(TOO_LONG);
                self.backend.script().frozen = Some((self.process, until));
                on_the_wire().await;
                Ok(())
            }
            Some(Fault::Silent(when)) if when == now => std::future::pending().await,
            Some(Fault::Stop(when)) if when == now => {
                self.backend.script().stopped = Some(self.process);
                std::future::pending().await
            }
            _ => Ok(()),
        }
    }
}

impl Store for Numbered {
    async fn claim(&self, request: ClaimRequest) -> Result<Claim, StoreError> {
        match self.call(Request::Claim(request)).await? {
            Answer::Claim(claim) => Ok(claim),
            Answer::Written(_) => unreachable!("a claim is answered as a claim"),
        }
    }

    async fn write(&self, request: OwnerWrite) -> Result<Written, StoreError> {
        match self.call(Request::Write(request)).await? {
            Answer::Written(written) => Ok(written),
            Answer::Claim(_) => unreachable!("a write is answered as a write"),
        }
    }

    async fn inspect(&self, key: &IdempotencyKey) -> Result<Option<Record>, StoreError> {
        self.backend.inner.inspect(key).await
    }

    async fn evict(&self, request: Evict) -> Result<bool, StoreError> {
        self.backend.inner.evict(request).await
    }

    async fn list(&self, request: ListRequest) -> Result<Vec<Record>, StoreError> {
        wait_for(self.backend.inner.list(request))
    }

    async fn ready(&self) -> Result<(), StoreError> {
        self.backend.inner.ready().await
    }

    fn capabilities(&self) -> Capabilities {
        self.backend.inner.capabilities()
    }

    /// Of its own in every process: what processes share is the records alone.
    fn identity(&self) -> &str {
        self.process
    }
}

fn error(kind: StoreErrorKind) -> StoreError {
    StoreError::new(kind, "a fault of this run")
}

/// The caller can be dropped here.
pub(super) async fn on_the_wire() {
    let mut seen = false;
    std::future::poll_fn(|cx| {
        if std::mem::replace(&mut seen, true) {
            return Poll::Ready(());
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

/// The variant's name.
fn first_word(value: &impl std::fmt::Debug) -> String {
    let text = format!("{value:?}");
    text.split(|letter: char| !letter.is_alphanumeric()).next().unwrap_or_default().to_owned()
}

/// Waits on this thread: a store with a thread of its own answers at no moment that could be repeated.
pub(super) fn wait_for<T>(future: impl Future<Output = T>) -> T {
    struct Unpark(std::thread::Thread);
    impl std::task::Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }
    let waker = Waker::from(Arc::new(Unpark(std::thread::current())));
    let mut future = std::pin::pin!(future);
    loop {
        match future.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(output) => return output,
            Poll::Pending => std::thread::park(),
        }
    }
}

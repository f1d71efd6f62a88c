//! What the callers do: the operation, its body, and who else asks for the key.

use std::future::ready;
use std::panic::resume_unwind;
use std::time::Duration;

use idempotency::{
    AnyStore, Change, Claim, ClaimRequest, Classify, Clock, Error, ErrorClass, IdempotencyKey, InProgress,
    OnCrash, Operation, Outcome, OwnerToken, OwnerWrite, Reconciled, Sweep, TerminalErrors, Timestamp,
    UnknownOutcome, Written, effect_begins, operation,
};
use serde::{Deserialize, Serialize};

use super::ledger::Ledger;
use super::store::{Backend, TOO_LONG, on_the_wire};

pub(super) const START: Timestamp = Timestamp::from_millis(1_782_639_000_000);
pub(super) const LEASE: Duration = Duration::from_secs(6);
const TTL: Duration = Duration::from_secs(86_400);

/// Longer than the lease.
const LONG: Duration = Duration::from_secs(7);

/// How the body ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ends {
    Well,
    /// With an error that answers the request for good.
    Terminal,
    /// The first time with an error that says that nothing has happened.
    FirstRetryable,
    /// The first time with an error that says nothing about the effect.
    FirstUnclassified,
    /// The first time with an error that says that the effect may have happened; it has.
    FirstUnknown,
}

/// Who asks for the key beside the first caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Second {
    Nobody,
    /// A caller of the same process that waits.
    Waits,
    /// A caller of another process that waits.
    WaitsElsewhere,
    /// The same, on a clock that is ahead by the whole skew budget.
    WaitsAhead,
    /// A caller of another process, with another request under the same key.
    Other,
    /// The same, when the lease of the first caller is dead unless it was renewed.
    OtherLater,
    /// Another process that looks at all unknown outcomes now and then.
    Sweeps,
}

/// One operation and its callers.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a word of the attribute or of the body")]
pub(super) struct Scenario {
    pub(super) name: &'static str,
    pub(super) ends: Ends,
    pub(super) second: Second,
    /// The body says when its effect begins.
    pub(super) announces: bool,
    /// The body takes longer than its lease.
    pub(super) long: bool,
    pub(super) hold: bool,
    /// The operation can find out what became of an effect.
    pub(super) reconciles: bool,
    pub(super) detached: bool,
    /// An attempt has died before, after it had announced its effect; whether the effect had happened.
    pub(super) inherits: Option<bool>,
    /// The first process will be ended from outside before a long body has ended.
    pub(super) deadline: bool,
}

impl Scenario {
    pub(super) const fn new(name: &'static str) -> Self {
        Self {
            name,
            ends: Ends::Well,
            second: Second::Nobody,
            announces: false,
            long: false,
            hold: false,
            reconciles: false,
            detached: false,
            inherits: None,
            deadline: false,
        }
    }

    /// Whether the operation promises one effect whatever happens.
    pub(super) fn promises_one_effect(&self) -> bool {
        self.announces || self.hold
    }

    /// Whether the key may end as *unknown*.
    pub(super) fn may_end_unknown(&self) -> bool {
        !self.reconciles && (self.announces || self.hold || self.ends == Ends::FirstUnknown)
    }
}

/// The process of the first caller.
pub(super) const ONE: &str = "one";

/// One call of the operation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Call {
    pub(super) process: &'static str,
    pub(super) request: &'static str,
    pub(super) waits: bool,
    /// It looks at all unknown outcomes instead.
    pub(super) sweeps: bool,
    /// How long after the others it comes.
    pub(super) comes_after: Duration,
    /// How far the clock of its host is ahead.
    pub(super) ahead: Duration,
    /// At which step its body panics.
    pub(super) panics_at: Option<usize>,
}

/// The steps at which a body can panic: it begins, goes on, has announced, has had its effect, ends.
pub(super) const STEPS: usize = 5;

/// What a panicking body throws.
pub(super) struct Thrown;

#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Failure {
    Declined(String),
    Later,
    TimedOut,
    #[serde(skip)]
    Idempotency(Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::Idempotency(error)
    }
}

impl Classify for Failure {
    const TERMINAL: TerminalErrors<Self> = TerminalErrors::recorded();

    fn class(&self) -> ErrorClass {
        match self {
            Self::Declined(_) => ErrorClass::Terminal,
            Self::Later => ErrorClass::Retryable,
            Self::TimedOut => ErrorClass::Unknown,
            Self::Idempotency(error) => error.class(),
        }
    }
}

/// Makes the call.
pub(super) async fn make(
    scenario: Scenario,
    call: Call,
    backend: Backend,
    store: AnyStore,
    key: u64,
) -> Result<String, Failure> {
    if call.sweeps {
        return sweep(scenario, call, &backend, &store).await;
    }
    let operation = described(scenario, call, &store, key);
    let outcome = Outcome::new();
    let outcome = if scenario.ends == Ends::FirstUnclassified { outcome } else { outcome.classified() };
    let ledger = backend.ledger.clone();
    let body = body(scenario, call, backend);
    let probe = move |_: UnknownOutcome| {
        let ledger = ledger.clone();
        async move {
            on_the_wire().await;
            Ok(look(&ledger, call.request))
        }
    };
    match (scenario.detached, scenario.reconciles) {
        (false, false) => operation.run_as(outcome, body).await,
        (false, true) => operation.run_reconciled(outcome, probe, body).await,
        (true, false) => operation.run_detached(outcome, body).await,
        (true, true) => operation.run_detached_reconciled(outcome, probe, body).await,
    }
}

/// Leaves behind an attempt that has died after it had announced its effect.
pub(super) async fn leave_behind(scenario: Scenario, backend: &Backend, request: &'static str, key: u64) {
    let Some(happened) = scenario.inherits else { return };
    let key = IdempotencyKey::from_stored(&format!("{}:{key}", scenario.name));
    let owner = OwnerToken::from_bytes([7; 16]);
    let claim = ClaimRequest::new(key.clone(), owner, START, START.plus(LEASE), TTL);
    let Ok(Claim::Acquired { epoch, .. }) = backend.inner.claim(claim).await else {
        return backend.ledger.broken("the first claim was not granted");
    };
    let announce = OwnerWrite::new(key, owner, epoch, START, TTL, Change::Announce);
    if !matches!(backend.inner.write(announce).await, Ok(Written::Applied { .. })) {
        return backend.ledger.broken("the announcement was not recorded");
    }
    let run = backend.ledger.begin(request);
    if happened {
        let _ = backend.ledger.effect(run, request);
    }
    backend.clock.advance(TOO_LONG);
}

/// What the other side knows.
fn look(ledger: &Ledger, request: &str) -> Reconciled<String> {
    let happened = ledger.happened(request);
    ledger.note(|| format!("the probe finds {happened:?}"));
    happened.map_or(Reconciled::NotApplied, Reconciled::Applied)
}

/// Looks now and then, for longer than the leases of two attempts. It is nobody's reply.
async fn sweep(
    scenario: Scenario,
    call: Call,
    backend: &Backend,
    store: &AnyStore,
) -> Result<String, Failure> {
    for _ in 0..5 {
        backend.clock.sleep(LEASE / 2).await;
        let sweep = Sweep::new(scenario.name, TTL).lease(LEASE);
        let outcome = Outcome::<String, Failure>::new();
        let looked = store.sweep(sweep, &outcome, |_| ready(Ok(look(&backend.ledger, call.request)))).await;
        backend.ledger.note(|| format!("the sweep: {looked:?}"));
    }
    Err(Failure::Later)
}

fn described(scenario: Scenario, call: Call, store: &AnyStore, key: u64) -> Operation {
    let operation = operation(scenario.name).part("order", &key).validate(call.request);
    let operation = operation.ttl(TTL).lease(LEASE).store(store);
    let operation = if scenario.hold { operation.on_crash(OnCrash::Hold) } else { operation };
    let ends_soon = scenario.deadline && call.process == ONE;
    let operation = if ends_soon { operation.deadline(START.plus(LEASE)) } else { operation };
    if call.waits { operation.in_progress(InProgress::Wait(TTL)) } else { operation }
}

async fn body(scenario: Scenario, call: Call, backend: Backend) -> Result<String, Failure> {
    let ledger = &backend.ledger;
    let run = ledger.begin(call.request);
    let is_first = run == 1;
    let step = |number| {
        if call.panics_at == Some(number) {
            ledger.note(|| format!("the body panics at step {number}"));
            resume_unwind(Box::new(Thrown));
        }
    };
    step(0);
    on_the_wire().await;
    step(1);
    if scenario.long {
        backend.clock.sleep(LONG).await;
    }
    if scenario.announces {
        effect_begins().await?;
    }
    step(2);
    match scenario.ends {
        Ends::FirstRetryable if is_first => return Err(Failure::Later),
        // Before the effect, unless the body has said that it begins.
        Ends::FirstUnclassified if is_first && !scenario.announces => return Err(Failure::Later),
        _ => {}
    }
    let value = ledger.effect(run, call.request);
    step(3);
    on_the_wire().await;
    step(4);
    match scenario.ends {
        Ends::Terminal => Err(Failure::Declined(value)),
        Ends::FirstUnclassified if is_first => Err(Failure::Later),
        Ends::FirstUnknown if is_first => Err(Failure::TimedOut),
        _ => Ok(value),
    }
}

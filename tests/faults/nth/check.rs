//! What must be true of every run, whatever went wrong in it.

use std::time::Duration;

use idempotency::{DEFAULT_SKEW_BUDGET, Disposition, ErrorKind, ManualClock, Status};

use super::fault::{Disturbance, Fault, Plan};
use super::ledger::Ledger;
use super::run::{Reply, Run};
use super::scenario::{Call, Ends, Failure, ONE, START, Scenario, Second, leave_behind};
use super::store::{Backend, TOO_LONG, wait_for};
use super::world::Records;

/// Shorter than [`TOO_LONG`].
const LEASE_IS_DEAD: Duration = Duration::from_millis(8_500);

/// So many fresh callers come one after the other, each after the lease of the one before.
const FRESH_CALLERS: usize = 6;

const FIRST: Call = Call {
    process: ONE,
    request: "first",
    waits: false,
    sweeps: false,
    comes_after: Duration::ZERO,
    ahead: Duration::ZERO,
    panics_at: None,
};
const FRESH: Call = Call { process: "fresh", ..FIRST };

/// What a run was like.
pub(super) struct Ran {
    /// How many of its faults were met.
    pub(super) met: usize,
    /// Whether its disturbance happened.
    pub(super) disturbed: bool,
    /// The rules that were broken.
    pub(super) broken: Vec<String>,
    pub(super) trace: String,
}

/// Runs the scenario with all that goes wrong, lets time pass, and lets fresh callers come.
pub(super) fn run(scenario: Scenario, plan: &Plan, records: &Records, traced: bool) -> Ran {
    fastrand::seed(plan.seed);
    let ledger = Ledger::traced(traced);
    let clock = ManualClock::at(START);
    let (inner, key) = records.fresh();
    let mut backend = Backend::new(inner, clock, ledger.clone(), plan.faults.clone());
    wait_for(leave_behind(scenario, &backend, FIRST.request, key));
    let mut run = Run::new(scenario, backend.clone(), key);
    run.call(FIRST, plan.disturbance);
    if let Some(second) = second(scenario) {
        run.call(second, Disturbance::None);
    }
    run.finish();
    let mut replies = run.take_replies();
    alone_is_never_in_progress(scenario, &replies, &ledger);
    ledger.note(|| "time passes".to_owned());
    run.pass(2 * TOO_LONG);
    if plan.faults.iter().any(|(_, fault)| matches!(fault, Fault::Stop(_))) {
        backend.inner = records.again(&backend.inner);
    }
    let disturbed = run.disturbed;
    replies.extend(comes_to_an_end(&mut run, scenario, &backend));
    check_replies(&replies, &ledger);
    check_record(scenario, &backend, key, &ledger);
    a_fault_that_passes_costs_nothing(scenario, plan, &replies, &ledger);
    let met = backend.met();
    Ran { met, disturbed, broken: ledger.close(scenario.promises_one_effect()), trace: ledger.trace() }
}

fn second(scenario: Scenario) -> Option<Call> {
    let elsewhere = Call { process: "two", ..FIRST };
    match scenario.second {
        Second::Nobody => None,
        Second::Waits => Some(Call { waits: true, ..FIRST }),
        Second::WaitsElsewhere => Some(Call { waits: true, ..elsewhere }),
        Second::WaitsAhead => Some(Call { waits: true, ahead: DEFAULT_SKEW_BUDGET, ..elsewhere }),
        Second::Other => Some(Call { request: "other", ..elsewhere }),
        Second::Sweeps => Some(Call { sweeps: true, ..elsewhere }),
        Second::OtherLater => Some(Call { request: "other", comes_after: LEASE_IS_DEAD, ..elsewhere }),
    }
}

/// A lone caller must not be told that it is itself at work.
fn alone_is_never_in_progress(scenario: Scenario, replies: &[Reply], ledger: &Ledger) {
    let alone = scenario.second == Second::Nobody;
    if alone && replies.iter().any(|reply| idempotency_error(reply) == Some(ErrorKind::InProgress)) {
        ledger.broken("the only caller was told that another call is running");
    }
}

/// Fresh callers come until two of them have got the same outcome.
fn comes_to_an_end(run: &mut Run, scenario: Scenario, backend: &Backend) -> Vec<Reply> {
    let mut all = Vec::new();
    let mut ended = None;
    for caller in 0..FRESH_CALLERS {
        run.call(FRESH, Disturbance::None);
        run.finish();
        backend.deliver(usize::MAX);
        let replies = run.take_replies();
        let end = replies.first().and_then(|reply| end(scenario, reply));
        backend
            .ledger
            .note(|| format!("fresh caller {caller} gets {:?}", replies.first().map(|one| &one.result)));
        all.extend(replies);
        if end.is_some() && end == ended {
            return all;
        }
        ended = end.or(ended);
        run.pass(TOO_LONG);
    }
    let last = all.last().map(|reply| format!("{:?}", reply.result));
    backend.ledger.broken(format!("the key is stuck: the last caller got {last:?}"));
    all
}

/// The reply, if it may be the last word.
fn end(scenario: Scenario, reply: &Reply) -> Option<String> {
    match &reply.result {
        Ok(value) => Some(value.clone()),
        Err(Failure::Declined(value)) => Some(format!("declined {value}")),
        Err(Failure::Idempotency(error)) => match error.kind() {
            ErrorKind::Unknown if scenario.may_end_unknown() => Some("unknown".to_owned()),
            ErrorKind::Mismatch if matches!(scenario.second, Second::Other | Second::OtherLater) => {
                Some("mismatch".to_owned())
            }
            _ => None,
        },
        Err(_) => None,
    }
}

fn idempotency_error(reply: &Reply) -> Option<ErrorKind> {
    match &reply.result {
        Err(Failure::Idempotency(error)) => Some(error.kind()),
        _ => None,
    }
}

/// Outcomes that callers were told as recorded never differ, and nobody gets one of another request.
fn check_replies(replies: &[Reply], ledger: &Ledger) {
    let mut told: Vec<(&str, String)> = Vec::new();
    for reply in replies {
        let (Ok(value) | Err(Failure::Declined(value))) = &reply.result else { continue };
        if !value.starts_with(reply.call.request) {
            ledger.broken(format!("a caller with `{}` got `{value}`", reply.call.request));
        }
        if !is_recorded(reply) {
            continue;
        }
        let outcome = format!("{:?}", reply.result);
        match told.iter().find(|(request, _)| *request == reply.call.request) {
            None => told.push((reply.call.request, outcome)),
            Some((_, first)) if *first == outcome => {}
            Some((_, first)) => ledger.broken(format!("one caller got {first} and another {outcome}")),
        }
    }
}

/// Whether the caller was told that the record says it too; the error of a body goes to its caller in any case.
fn is_recorded(reply: &Reply) -> bool {
    reply.result.is_ok()
        || reply.reports.iter().any(|report| {
            matches!(
                report.disposition,
                Disposition::Failed | Disposition::Replayed | Disposition::Reconciled
            )
        })
}

/// One fault that passes at once, and nothing else, neither repeats the effect nor makes its outcome unknown.
fn a_fault_that_passes_costs_nothing(scenario: Scenario, plan: &Plan, replies: &[Reply], ledger: &Ledger) {
    let passes = plan.disturbance == Disturbance::None && plan.faults.iter().all(|(_, one)| one.passes());
    if !passes || plan.faults.len() > 1 {
        return;
    }
    if ledger.effects() != 1 {
        ledger.broken(format!("{} effects after one fault that passed", ledger.effects()));
    }
    let is_unknown = replies.iter().any(|reply| idempotency_error(reply) == Some(ErrorKind::Unknown));
    if is_unknown && matches!(scenario.ends, Ends::Well | Ends::Terminal | Ends::FirstRetryable) {
        ledger.broken("one fault that passed made the outcome unknown");
    }
}

/// Every claim has ended, in exactly one way.
fn check_record(scenario: Scenario, backend: &Backend, key: u64, ledger: &Ledger) {
    let key = idempotency::IdempotencyKey::from_stored(&format!("{}:{key}", scenario.name));
    let record = wait_for(backend.inner.inspect(&key)).expect("the records can be read");
    let Some(record) = record else { return ledger.broken("there is no record") };
    let allowed = match record.status {
        Status::Completed => scenario.ends != Ends::Terminal,
        Status::Failed => scenario.ends == Ends::Terminal,
        Status::Unknown => scenario.may_end_unknown(),
        _ => false,
    };
    if !allowed {
        ledger.broken(format!("the record says {} at the end", record.status));
    }
}

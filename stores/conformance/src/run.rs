//! Runs one case.

use std::time::Duration;

use tokio::runtime::{Builder, Runtime};

use crate::harness::{Harness, Tested};

/// Runs a case on one thread.
pub fn run<H: Harness>(harness: H, case: &impl AsyncFn(&Tested)) {
    block(&build(&mut Builder::new_current_thread()), harness, case);
}

/// Runs a case on several threads.
pub fn run_threaded<H: Harness>(harness: H, case: &impl AsyncFn(&Tested)) {
    block(&build(Builder::new_multi_thread().worker_threads(4)), harness, case);
}

fn build(builder: &mut Builder) -> Runtime {
    match builder.enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => panic!("no tokio runtime: {error}"),
    }
}

fn block<H: Harness>(runtime: &Runtime, harness: H, case: &impl AsyncFn(&Tested)) {
    let patience = Duration::from_secs(rounds(MINUTE));
    let ended = runtime.block_on(async {
        let tested = Tested::new(harness).await;
        tokio::time::timeout(patience, case(&tested)).await
    });
    assert!(
        ended.is_ok(),
        "the case did not end within {patience:?}: something waits for what never happens"
    );
}

/// Says that a case does not apply to a store, and why.
pub(crate) fn skip(reason: &str) {
    eprintln!("skipped: {reason}");
}

/// The seed of a random case: a new one, or that of `IDEMPOTENCY_CONFORMANCE_SEED`. Failed cases show it.
pub(crate) fn seed() -> u64 {
    let seed = number("IDEMPOTENCY_CONFORMANCE_SEED").unwrap_or_else(|| fastrand::u64(..));
    eprintln!("replay with IDEMPOTENCY_CONFORMANCE_SEED={seed}");
    seed
}

/// How often a random case is repeated: `usual` times the factor in `IDEMPOTENCY_CONFORMANCE_ROUNDS`.
pub(crate) fn rounds(usual: u64) -> u64 {
    usual.saturating_mul(number("IDEMPOTENCY_CONFORMANCE_ROUNDS").unwrap_or(1))
}

fn number(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    match text.parse() {
        Ok(number) => Some(number),
        Err(error) => panic!("{variable}={text:?} is not a number: {error}"),
    }
}

/// In seconds: far beyond what any case takes, a guard against a call that never returns.
const MINUTE: u64 = 60;

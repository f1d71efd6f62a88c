//! Many callers at once.

use std::future::Future;
use std::sync::Arc;

use fastrand::Rng;
use tokio::sync::Barrier;
use tokio::task::{JoinSet, yield_now};

/// Runs `count` calls that start together, each a few scheduler turns later than it could, and returns their
/// answers in the order of the calls. How many turns follows from `random` alone.
pub(crate) async fn race<T, F>(random: &mut Rng, count: usize, call: impl Fn(usize) -> F) -> Vec<T>
where
    T: Send + 'static,
    F: Future<Output = T> + Send + 'static,
{
    let start = Arc::new(Barrier::new(count));
    let mut running = JoinSet::new();
    for number in 0..count {
        let (start, turns, call) = (start.clone(), random.u8(0..8), call(number));
        running.spawn(async move {
            start.wait().await;
            for _ in 0..turns {
                yield_now().await;
            }
            (number, call.await)
        });
    }
    let mut answers = Vec::with_capacity(count);
    while let Some(ended) = running.join_next().await {
        match ended {
            Ok(answer) => answers.push(answer),
            Err(failed) => std::panic::resume_unwind(failed.into_panic()),
        }
    }
    answers.sort_by_key(|(number, _)| *number);
    answers.into_iter().map(|(_, answer)| answer).collect()
}

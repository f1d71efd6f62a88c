//! Bodies that go on when their caller is dropped, and waiting for them at the end of a process.

use std::panic::resume_unwind;
use std::sync::LazyLock;

use tokio::sync::watch;

/// How many detached calls are running in this process.
static RUNNING: LazyLock<watch::Sender<usize>> = LazyLock::new(|| watch::Sender::new(0));

/// One of them.
struct Counted;

impl Counted {
    fn new() -> Self {
        RUNNING.send_modify(|running| *running += 1);
        Self
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        RUNNING.send_modify(|running| *running -= 1);
    }
}

/// Waits until no detached call is running in this process. Call it at the end of a process, under a time limit,
/// when nothing begins any more: a body that is stopped half-way leaves its key to its lease.
///
/// ```
/// # use std::time::Duration;
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// if tokio::time::timeout(Duration::from_secs(20), idempotency::drain()).await.is_err() {
///     eprintln!("some calls are still running; they leave their keys to their leases");
/// }
/// # }
/// ```
pub async fn drain() {
    // The sender is a static: there is always one.
    let _ = RUNNING.subscribe().wait_for(|running| *running == 0).await;
}

/// Why a detached call has no result.
pub(crate) enum NoResult {
    /// There is no tokio runtime to run it on; it has not begun.
    NoRuntime,
    /// The runtime was shut down while it ran.
    ShutDown,
}

/// Runs `call` in a task of its own. A panic of the call is one of the caller.
pub(crate) async fn run<R: Send + 'static>(
    call: impl Future<Output = R> + Send + 'static,
) -> Result<R, NoResult> {
    let Ok(runtime) = tokio::runtime::Handle::try_current() else {
        return Err(NoResult::NoRuntime);
    };
    let counted = Counted::new();
    let task = runtime.spawn(async move {
        let _counted = counted;
        call.await
    });
    match task.await {
        Ok(result) => Ok(result),
        Err(error) => match error.try_into_panic() {
            Ok(payload) => resume_unwind(payload),
            Err(_) => Err(NoResult::ShutDown),
        },
    }
}

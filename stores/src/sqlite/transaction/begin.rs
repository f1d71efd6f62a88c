//! Opening a transaction.

use std::future::poll_fn;
use std::panic::Location;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::Poll;
use std::time::{Duration, Instant};

use futures_timer::Delay;
use idempotency_runtime::{AnyStore, Store as _};
use tokio::sync::oneshot;

use super::super::SqliteStore;
use super::handle::Handle;
use super::lane::{Begin, Job, busy, gone};
use super::ticket::Ticket;
use super::{SqliteTransaction, TransactionError};

/// The thread itself turns away who has waited for too long, unless it is in a closure that blocks. After this time more
/// the caller goes by itself.
const GRACE: Duration = Duration::from_millis(250);

/// What the timer takes for ever.
const FOR_EVER: Duration = Duration::from_secs(365 * 24 * 3600);

impl SqliteStore {
    /// Opens a transaction, when those before it are over. It takes the write lock at once (`BEGIN IMMEDIATE`), so that
    /// none of its statements meets the lock of somebody else.
    ///
    /// After the store's `busy_timeout` it is an error of the kind [`Busy`](idempotency_runtime::StoreErrorKind::Busy)
    /// that names the place where the transaction was opened that holds the lock.
    ///
    /// See [`SqliteTransaction`].
    #[track_caller]
    pub fn begin(&self) -> impl Future<Output = Result<SqliteTransaction, TransactionError>> + Send + use<> {
        begin(self.clone(), Location::caller())
    }

    /// Runs `work` in a transaction, which is committed if it returns a value, and rolled back if it returns an error,
    /// panics or is dropped. A terminal error that is to be kept must not leave it as an error.
    ///
    /// ```
    /// # mod idempotency {
    /// #     pub mod store {
    /// #         pub use idempotency_stores::*;
    /// #     }
    /// # }
    /// use idempotency::store::{SqliteStore, TransactionError};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), TransactionError> {
    /// # let directory = tempfile::tempdir().unwrap();
    /// # let path = directory.path().join("orders.db");
    /// let store = SqliteStore::open(&path).await?;
    /// let rows = store
    ///     .transaction(async |tx| {
    ///         tx.run(|db| db.execute_batch("CREATE TABLE orders (no INTEGER)")).await?;
    ///         tx.run(|db| db.execute("INSERT INTO orders VALUES (1001)", [])).await
    ///     })
    ///     .await?;
    /// assert_eq!(rows, 1);
    /// # Ok(())
    /// # }
    /// ```
    #[track_caller]
    pub fn transaction<T, E, W>(&self, work: W) -> impl Future<Output = Result<T, E>> + use<T, E, W>
    where
        E: From<TransactionError>,
        W: AsyncFnOnce(&SqliteTransaction) -> Result<T, E>,
    {
        let begin = begin(self.clone(), Location::caller());
        async move {
            let tx = begin.await?;
            match work(&tx).await {
                Ok(value) => {
                    tx.commit().await?;
                    Ok(value)
                }
                Err(error) => {
                    tx.rollback().await;
                    Err(error)
                }
            }
        }
    }
}

async fn begin(
    store: SqliteStore,
    at: &'static Location<'static>,
) -> Result<SqliteTransaction, TransactionError> {
    let jobs = store.shared.lane().await?;
    jobs.check_caller()?;
    let ticket = Arc::new(Ticket::new(at));
    let (reply, answer) = oneshot::channel();
    let since = Instant::now();
    let begin = Begin { ticket: ticket.clone(), since, reply };
    if !jobs.push(Job::Begin(begin)) {
        return Err(gone().into());
    }
    let (capabilities, identity) = (store.capabilities(), store.identity().into());
    let outbox = store.shared.outbox.clone();
    let handle = Handle { ticket, jobs, capabilities, outbox, identity };
    // From here on the transaction may be open: whoever drops this call rolls it back.
    let tx = SqliteTransaction { store: AnyStore::within(handle.clone(), handle.clone()), handle };
    let settings = &store.shared.settings;
    match before(settings.busy_timeout.saturating_add(GRACE), answer).await {
        Some(answered) => answered.unwrap_or_else(|_| Err(gone()))?,
        None => return Err(busy(&settings.path, &store.shared.turns, since).into()),
    }
    Ok(tx)
}

/// The answer, unless it takes longer. Real time: a test's clock that runs ahead does not make the thread faster.
async fn before<F: Future + Unpin>(limit: Duration, mut answer: F) -> Option<F::Output> {
    let mut late = pin!(Delay::new(limit.min(FOR_EVER)));
    poll_fn(|cx| match Pin::new(&mut answer).poll(cx) {
        Poll::Ready(answer) => Poll::Ready(Some(answer)),
        Poll::Pending => late.as_mut().poll(cx).map(|()| None),
    })
    .await
}

//! What belongs to the task that runs: the store in scope, the reports asked for, the keys held.
//!
//! The values are set while a future is polled and taken back when the poll ends. That needs no particular
//! executor; like every task-local value, they do not follow a `spawn`.

use std::cell::RefCell;
use std::future::poll_fn;
use std::pin::pin;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::task::{Context, Poll, Waker};

use crate::any_store::AnyStore;
use crate::error::{Error, ErrorKind};
use crate::key::IdempotencyKey;
use crate::registry::Place;
use crate::report::Report;
use crate::store_error::{StoreError, StoreErrorKind};
use crate::transaction::Entry;

thread_local! {
    static STORE: RefCell<Option<AnyStore>> = const { RefCell::new(None) };
    static REPORTS: RefCell<Option<Reports>> = const { RefCell::new(None) };
    static HELD: RefCell<Vec<Holding>> = const { RefCell::new(Vec::new()) };
}

type Reports = Arc<Mutex<Vec<Report>>>;

static DEFAULT: OnceLock<AnyStore> = OnceLock::new();

/// Installs the store of all operations of this process that name none. The first call wins; a second one is an
/// error, so that two parts of a program cannot quietly disagree.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), idempotency::StoreError> {
/// let store = idempotency::store::open("memory:").await?;
/// idempotency::install_default(store.with_namespace("orders")?)?;
/// # Ok(())
/// # }
/// ```
pub fn install_default(store: impl Into<AnyStore>) -> Result<(), StoreError> {
    let mut refused = true;
    let installed = DEFAULT.get_or_init(|| {
        refused = false;
        store.into()
    });
    if refused {
        let message = format!(
            "a default store is installed already ({}); install it once, at the start of the process",
            installed.identity()
        );
        return Err(StoreError::new(StoreErrorKind::Misconfigured, message));
    }
    Ok(())
}

/// The store that [`install_default`] has installed.
pub fn default_store() -> Option<AnyStore> {
    DEFAULT.get().cloned()
}

/// Runs `future` with `store` for all operations in it that name none; it goes before the installed default.
/// Meant for tests, each of which can have a store of its own.
///
/// It does not reach tasks that `future` spawns.
///
/// A test of a TTL, with a clock that the test moves:
///
/// ```
/// use std::time::Duration;
///
/// use idempotency::{AnyStore, Error, ManualClock, Timestamp, idempotent, store::MemoryStore, with_store};
///
/// #[idempotent(key = "order_no", ignore(runs), ttl = "1m")]
/// async fn place(order_no: u64, runs: &std::cell::Cell<u32>) -> Result<(), Error> {
///     runs.set(runs.get() + 1);
///     Ok(())
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Error> {
/// let clock = ManualClock::at(Timestamp::from_millis(1_782_639_000_000));
/// let store = AnyStore::new(MemoryStore::new()).with_clock(clock.clone());
/// let runs = std::cell::Cell::new(0);
/// with_store(store, async {
///     place(1001, &runs).await?;
///     clock.advance(Duration::from_secs(60)); // the last instant of the TTL
///     place(1001, &runs).await?;
///     assert_eq!(runs.get(), 1);
///     clock.advance(Duration::from_millis(1));
///     place(1001, &runs).await?;
///     assert_eq!(runs.get(), 2);
///     Ok(())
/// })
/// .await
/// # }
/// ```
pub async fn with_store<F: Future>(store: impl Into<AnyStore>, future: F) -> F::Output {
    let mut store = Some(store.into());
    // Boxed: pinned in place it would be in this future twice, as its argument and as its local.
    let mut future = Box::pin(future);
    poll_fn(|cx| {
        let _swapped = Swapped::new(&STORE, &mut store);
        future.as_mut().poll(cx)
    })
    .await
}

/// Runs `future` and also returns what happened to each operation in it, in the order in which they ended.
///
/// It does not reach tasks that `future` spawns.
///
/// ```
/// use idempotency::{Disposition, Error, idempotent, store::MemoryStore, with_reports};
///
/// #[idempotent(key = "order_no", ignore(store), ttl = "7d", store = store)]
/// async fn place(store: &MemoryStore, order_no: u64) -> Result<(), Error> {
///     Ok(())
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let store = MemoryStore::new();
/// let (_, first) = with_reports(place(&store, 1001)).await;
/// let (_, second) = with_reports(place(&store, 1001)).await;
/// assert_eq!(first[0].disposition, Disposition::Executed);
/// assert_eq!(second[0].disposition, Disposition::Replayed);
/// # }
/// ```
pub async fn with_reports<F: Future>(future: F) -> (F::Output, Vec<Report>) {
    let reports = Reports::default();
    let mut scope = Some(reports.clone());
    let mut future = Box::pin(future);
    let output = poll_fn(|cx| {
        let _swapped = Swapped::new(&REPORTS, &mut scope);
        future.as_mut().poll(cx)
    })
    .await;
    let reports = std::mem::take(&mut *reports.lock().unwrap_or_else(PoisonError::into_inner));
    (output, reports)
}

/// The store in scope, or else the default.
pub(crate) fn current_store() -> Option<AnyStore> {
    STORE.with_borrow(Clone::clone).or_else(default_store)
}

/// Hands a report to whoever asked for it. `report` is only called if somebody did.
pub(crate) fn report(report: impl FnOnce() -> Report) {
    if let Some(reports) = REPORTS.with_borrow(Clone::clone) {
        reports.lock().unwrap_or_else(PoisonError::into_inner).push(report());
    }
}

/// A body that is being polled, and the key that it holds.
struct Holding {
    place: Place,
    key: IdempotencyKey,
    /// Whether its record says that an irreversible effect begins, or need not say so.
    announced: bool,
    /// Who waits until it does.
    announcing: Vec<Waker>,
    /// The operation on a transaction that it is.
    entry: Option<Entry>,
}

/// The operation on this transaction in whose body the caller is, the innermost.
pub(crate) fn entered(transaction: u64) -> Option<Entry> {
    let entries = |held: &Vec<Holding>| {
        held.iter().rev().filter_map(|held| held.entry).find(|entry| entry.transaction == transaction)
    };
    HELD.with_borrow(entries)
}

/// Whether the body that is being polled, or one around it, holds this key.
pub(crate) fn is_held(place: Place, key: &IdempotencyKey) -> bool {
    HELD.with_borrow(|held| held.iter().any(|held| held.place == place && held.key == *key))
}

/// Polls a body that holds `key`; also returns who wants its effect to be announced.
pub(crate) fn holding<R>(
    place: Place,
    key: &IdempotencyKey,
    announced: bool,
    entry: Option<Entry>,
    poll: impl FnOnce() -> R,
) -> (R, Vec<Waker>) {
    HELD.with_borrow_mut(|held| {
        held.push(Holding { place, key: key.clone(), announced, announcing: Vec::new(), entry });
    });
    let popped = Popped;
    let result = poll();
    let announcing =
        HELD.with_borrow_mut(|held| held.last_mut().map(|held| std::mem::take(&mut held.announcing)));
    drop(popped);
    (result, announcing.unwrap_or_default())
}

struct Popped;

impl Drop for Popped {
    fn drop(&mut self) {
        // What is taken out is dropped outside of the borrow.
        let _ = HELD.with_borrow_mut(Vec::pop);
    }
}

/// Runs a body that holds its key and has nothing to announce, since nothing is recorded about it.
pub(crate) async fn unrecorded<F: Future>(place: Place, key: &IdempotencyKey, body: F) -> F::Output {
    let mut body = pin!(body);
    poll_fn(|cx| holding(place, key, true, None, || body.as_mut().poll(cx)).0).await
}

/// The key that the running body holds, of the innermost operation; `None` outside of a body, and in tasks that it has
/// spawned. It names the request on every attempt, so it can be the idempotency key of a call to somebody else, who then
/// sees the same one again; for one call of each body only, and where its form is accepted.
///
/// ```
/// use idempotency::{Error, current_key, idempotent, store::MemoryStore};
///
/// #[idempotent(key = "tenant + order_no", ignore(store), ttl = "7d", store = store)]
/// async fn charge(store: &MemoryStore, tenant: &str, order_no: u64) -> Result<String, Error> {
///     let key = current_key().expect("a body holds its key");
///     Ok(key.to_string())
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Error> {
/// assert_eq!(charge(&MemoryStore::new(), "acme", 1001).await?, "charge:acme#1001");
/// # Ok(())
/// # }
/// ```
pub fn current_key() -> Option<IdempotencyKey> {
    HELD.with_borrow(|held| held.last().map(|held| held.key.clone()))
}

/// Says that an irreversible effect begins, such as a call that charges a card or sends a mail, and waits until the
/// record of the running attempt says so: one write, once per attempt.
///
/// From then on an attempt that ends without a verdict (a crash, a lost lease, a panic) or with an error that says
/// nothing about the effect leaves the outcome *unknown*: the next call does not run the body again, but gets the error
/// *unknown* or asks the operation's `reconcile`. Call it after everything that can fail without harm.
///
/// It speaks for the innermost operation whose body is being polled, and does not reach tasks that the body spawns.
/// Outside of an operation, and inside a transaction, it is the error *misconfigured*.
///
/// ```
/// use idempotency::{Error, effect_begins, idempotent, store::MemoryStore};
///
/// #[idempotent(key = "order_no", ignore(store), ttl = "7d", store = store)]
/// async fn charge(store: &MemoryStore, order_no: u64) -> Result<(), Error> {
///     // … check the order …
///     effect_begins().await?;
///     // … call the provider …
///     Ok(())
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Error> {
/// charge(&MemoryStore::new(), 1001).await?;
/// assert!(effect_begins().await.is_err()); // outside of an operation
/// # Ok(())
/// # }
/// ```
pub async fn effect_begins() -> Result<(), Error> {
    poll_fn(announce).await
}

fn announce(cx: &mut Context<'_>) -> Poll<Result<(), Error>> {
    HELD.with_borrow_mut(|held| match held.last_mut() {
        None => {
            let detail = "`effect_begins` was called outside of the body of an operation, or in a task that the body \
                          has spawned";
            Poll::Ready(Err(Error::new(ErrorKind::Misconfigured, "", detail)))
        }
        Some(body) if body.entry.is_some() => {
            let detail = "`effect_begins` was called inside a transaction, which cannot take back an effect elsewhere: \
                          write a row that says what is to be done, or use the operation on the store itself";
            Poll::Ready(Err(Error::new(ErrorKind::Misconfigured, "", detail).with_key(&body.key)))
        }
        Some(body) if body.announced => Poll::Ready(Ok(())),
        Some(body) => {
            body.announcing.push(cx.waker().clone());
            Poll::Pending
        }
    })
}

/// Runs `future` with the store and the reports of the place that calls this, also on another task.
pub(crate) fn inherited<F: Future>(future: F) -> impl Future<Output = F::Output> + use<F> {
    let mut store = STORE.with_borrow(Clone::clone);
    let mut reports = REPORTS.with_borrow(Clone::clone);
    async move {
        let mut future = pin!(future);
        poll_fn(|cx| {
            let _store = Swapped::new(&STORE, &mut store);
            let _reports = Swapped::new(&REPORTS, &mut reports);
            future.as_mut().poll(cx)
        })
        .await
    }
}

type Slot<T> = std::thread::LocalKey<RefCell<Option<T>>>;

/// A value that stands in a thread-local slot until this is dropped, also by a panic.
struct Swapped<'a, T: 'static> {
    slot: &'static Slot<T>,
    value: &'a mut Option<T>,
}

impl<'a, T> Swapped<'a, T> {
    fn new(slot: &'static Slot<T>, value: &'a mut Option<T>) -> Self {
        slot.with_borrow_mut(|current| std::mem::swap(current, value));
        Self { slot, value }
    }
}

impl<T> Drop for Swapped<'_, T> {
    fn drop(&mut self) {
        self.slot.with_borrow_mut(|current| std::mem::swap(current, self.value));
    }
}

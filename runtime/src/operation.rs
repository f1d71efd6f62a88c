//! The builder that every annotated function expands into, and the API for operations whose name or key is made
//! at run time.

mod call;
mod plan;

use std::borrow::Cow;
use std::fmt;
use std::panic::Location;
use std::pin::pin;
use std::time::Duration;

use serde::Serialize;

use self::call::Call;

use crate::any_store::AnyStore;
use crate::claim::OnExpired;
use crate::fingerprint::{Exclusion, FingerprintBuilder, FingerprintError};
use crate::key::KeyBuilder;
use crate::outcome::{CarriesError, Outcome, Replayable};
use crate::part::{KeyPart, PartError};
use crate::policy::{Completed, InProgress, Mode, OnStoreError};
use crate::probe::{Asked, NoProbe, ProbeFn, Reconciled, UnknownOutcome};
use crate::record::OnCrash;
use crate::registry::Site;
use crate::time::Deadline;

/// The lease of an operation that declares none.
pub const DEFAULT_LEASE: Duration = Duration::from_secs(30);

/// One call of an idempotent operation: its key, what must be equal in a repeated request, and its policies.
///
/// Mistakes are collected and returned by [`Operation::run`], before the store is touched.
#[must_use = "an operation does nothing until it is run"]
pub struct Operation(Box<Settings>);

/// Boxed, since the builder hands it on at every call.
struct Settings {
    name: Cow<'static, str>,
    site: Option<&'static Site>,
    of: Option<&'static str>,
    caller: &'static Location<'static>,
    key: KeyBuilder,
    missing: Option<(&'static str, PartError)>,
    fingerprint: Option<FingerprintBuilder>,
    unhashable: Option<FingerprintError>,
    ttl: Option<Duration>,
    lease: Duration,
    deadline: Deadline,
    in_progress: InProgress,
    completed: Completed,
    on_crash: OnCrash,
    on_expired: OnExpired,
    effect_timeout: Duration,
    tombstone: Duration,
    on_store_error: OnStoreError,
    mode: Mode,
    store: Option<AnyStore>,
}

/// Starts a call of the operation `name`, which has 1 to 64 characters of `A-Z a-z 0-9 _ . -`.
///
/// The name and the place of this call in the source are the identity of the operation: the same name from
/// another place, in one namespace of one store, is the error *duplicate operation*.
///
/// ```
/// use std::time::Duration;
///
/// use idempotency::{Error, operation, store::MemoryStore};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Error> {
/// let store = MemoryStore::new();
/// for _ in 0..2 {
///     let number = operation("orders.create")
///         .part("tenant", "acme")
///         .part("order_no", &1001)
///         .validate(&12_900)
///         .ttl(Duration::from_secs(7 * 86_400))
///         .store(store.clone())
///         .run(async { Ok::<_, Error>(42) }) // runs once
///         .await?;
///     assert_eq!(number, 42);
/// }
/// # Ok(())
/// # }
/// ```
#[track_caller]
pub fn operation(name: impl Into<Cow<'static, str>>) -> Operation {
    let name = name.into();
    Operation(Box::new(Settings {
        key: KeyBuilder::new(&name),
        name,
        site: None,
        of: None,
        caller: Location::caller(),
        missing: None,
        fingerprint: None,
        unhashable: None,
        ttl: None,
        lease: DEFAULT_LEASE,
        deadline: Deadline::default(),
        in_progress: InProgress::default(),
        completed: Completed::default(),
        on_crash: OnCrash::default(),
        on_expired: OnExpired::default(),
        effect_timeout: Duration::ZERO,
        tombstone: Duration::ZERO,
        on_store_error: OnStoreError::default(),
        mode: Mode::default(),
        store: None,
    }))
}

impl Operation {
    /// Sets where the operation is defined, instead of the place that called [`operation`].
    pub fn site(mut self, site: &'static Site) -> Self {
        self.0.site = Some(site);
        self
    }

    /// Says whose method the operation is. One definition that serves several types, as in a generic `impl` or a
    /// trait's default method, is as many operations, which need names of their own: without them the second type is
    /// the error *duplicate operation*.
    pub fn of<T: ?Sized>(mut self) -> Self {
        self.0.of = Some(std::any::type_name::<T>());
        self
    }

    /// Adds a part to the key. `name` is how error messages call it.
    ///
    /// An empty part is the error *missing key part*.
    pub fn part<P: KeyPart + ?Sized>(mut self, name: &'static str, value: &P) -> Self {
        if let Err(error) = self.0.key.part(value) {
            self.0.missing.get_or_insert((name, error));
        }
        self
    }

    /// Adds a part that must be present: `None` is the error *missing key part*.
    pub fn optional_part<P: KeyPart>(mut self, name: &'static str, value: Option<P>) -> Self {
        if let Some(value) = value {
            return self.part(name, &value);
        }
        self.0.missing.get_or_insert((name, PartError::Absent));
        self
    }

    /// Adds a value that must be equal in a repeated request. The order of several values counts.
    pub fn validate<T: Serialize + ?Sized>(self, value: &T) -> Self {
        self.validate_except(value, &[])
    }

    /// Adds a value that must be equal in a repeated request, except for the given places in it.
    pub fn validate_except<T: Serialize + ?Sized>(mut self, value: &T, exclusions: &[Exclusion]) -> Self {
        let is_new = self.0.site.is_some_and(Site::is_new);
        let fingerprint = self.0.fingerprint.get_or_insert_with(|| {
            let mut builder = FingerprintBuilder::new();
            if is_new {
                builder.look_at_names();
            }
            builder
        });
        if let Err(error) = fingerprint.include(value, exclusions) {
            self.0.unhashable.get_or_insert(error);
        }
        self
    }

    /// How long the outcome is replayed, counted from completion, its last instant included. Required, and at least
    /// twice the skew budget of the store handle; a shorter one is the error *misconfigured*.
    pub fn ttl(mut self, ttl: Duration) -> Self {
        self.0.ttl = Some(ttl);
        self
    }

    /// How long the claim is honoured without renewal. It is renewed at a third of it while the body runs, so
    /// it bounds the silence after a crash, not the body. Default: 30 s. At least twice the skew budget of the
    /// store handle, which is 4 s by default; a shorter one is the error *misconfigured*.
    pub fn lease(mut self, lease: Duration) -> Self {
        self.0.lease = lease;
        self
    }

    /// When this process will be dead; it caps the lease.
    pub fn deadline(mut self, deadline: impl Into<Deadline>) -> Self {
        self.0.deadline = deadline.into();
        self
    }

    /// What happens while another call with this key is running. Default: reject.
    pub fn in_progress(mut self, policy: InProgress) -> Self {
        self.0.in_progress = policy;
        self
    }

    /// What a duplicate of a finished call gets. Default: the recorded value.
    pub fn completed(mut self, policy: Completed) -> Self {
        self.0.completed = policy;
        self
    }

    /// What an attempt that ends without a verdict leaves: a crash, a lost lease, a panic. Default: the next call runs
    /// the body, unless the attempt had announced its effect ([`effect_begins`](crate::effect_begins)).
    pub fn on_crash(mut self, policy: OnCrash) -> Self {
        self.0.on_crash = policy;
        self
    }

    /// What a call after the TTL gets. Default: it runs the body. To be told *expired* there must be a record that
    /// says so: see [`Operation::tombstone`].
    pub fn on_expired(mut self, policy: OnExpired) -> Self {
        self.0.on_expired = policy;
        self
    }

    /// How long the effect of a body may still be under way after its lease is over, for example in a request that the
    /// other side still works on. The probe of an unknown outcome ([`Operation::run_reconciled`]) is not asked before:
    /// too early it would find nothing, and the body would run beside its predecessor's effect. Default: zero.
    pub fn effect_timeout(mut self, timeout: Duration) -> Self {
        self.0.effect_timeout = timeout;
        self
    }

    /// How long after the TTL the record is still kept, so that a late retry can be told *expired*. Default: not at
    /// all.
    pub fn tombstone(mut self, kept: Duration) -> Self {
        self.0.tombstone = kept;
        self
    }

    /// What a call does when the store cannot be asked. Default: it gets the error *store*.
    pub fn on_store_error(mut self, policy: OnStoreError) -> Self {
        self.0.on_store_error = policy;
        self
    }

    /// Whether duplicates are kept from running. Default: they are.
    pub fn mode(mut self, mode: Mode) -> Self {
        self.0.mode = mode;
        self
    }

    /// The store; without it the one of [`with_store`](crate::with_store), then the installed default.
    pub fn store(mut self, store: impl Into<AnyStore>) -> Self {
        self.0.store = Some(store.into());
        self
    }

    /// Runs `body` unless the operation has an outcome already, and returns the outcome.
    pub async fn run<T, E, F>(self, body: F) -> Result<T, E>
    where
        F: Future<Output = Result<T, E>>,
        T: Replayable,
        E: CarriesError,
    {
        // Pinned here: handed on by value, a large body would be copied into every future on the way.
        let body = pin!(body);
        self.run_as(Outcome::new(), body).await
    }

    /// Runs `body` unless the operation has an outcome already; `outcome` says how results are recorded and
    /// replayed.
    pub async fn run_as<T, E, F>(self, outcome: Outcome<T, E>, body: F) -> Result<T, E>
    where
        F: Future<Output = Result<T, E>>,
    {
        let body = pin!(body);
        self.prepare(outcome).call(NoProbe, body).await
    }

    /// The same; where the outcome of an earlier attempt is unknown, `probe` finds out what became of it, for one
    /// caller at a time and for no longer than a lease. An error of the probe is the error of the call, and the outcome
    /// stays unknown.
    pub async fn run_reconciled<T, E, P, A, F>(
        self,
        outcome: Outcome<T, E>,
        probe: P,
        body: F,
    ) -> Result<T, E>
    where
        P: Fn(UnknownOutcome) -> A,
        A: Future<Output = Result<Reconciled<T>, E>>,
        F: Future<Output = Result<T, E>>,
    {
        let body = pin!(body);
        self.prepare(outcome).call(ProbeFn::new(probe), body).await
    }

    /// Runs `body` in a task of its own, so that it goes on when the caller is dropped; see
    /// [`drain`](crate::drain). Needs a tokio runtime: without one it is the error *misconfigured*.
    pub async fn run_detached<T, E, F>(self, outcome: Outcome<T, E>, body: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: Send + 'static,
        F: Future<Output = Result<T, E>> + Send + 'static,
    {
        self.prepare(outcome).detached(NoProbe, body).await
    }

    /// [`Operation::run_detached`] with a probe, as [`Operation::run_reconciled`] takes it.
    pub async fn run_detached_reconciled<T, E, P, A, F>(
        self,
        outcome: Outcome<T, E>,
        probe: P,
        body: F,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: Send + 'static,
        P: Fn(UnknownOutcome) -> A + Send + Sync + 'static,
        A: Future<Output = Result<Reconciled<T>, E>> + Send + 'static,
        F: Future<Output = Result<T, E>> + Send + 'static,
    {
        self.prepare(outcome).detached(ProbeFn::new(probe), body).await
    }

    /// [`Operation::run_reconciled`] for expansions.
    #[doc(hidden)]
    pub async fn run_asked<T, E, P, A, F>(
        self,
        outcome: Outcome<T, E>,
        probe: Asked<P, A, T, E>,
        body: F,
    ) -> Result<T, E>
    where
        F: Future<Output = Result<T, E>>,
    {
        let body = pin!(body);
        self.prepare(outcome).call(probe, body).await
    }

    /// [`Operation::run_detached_reconciled`] for expansions.
    #[doc(hidden)]
    pub async fn run_detached_asked<T, E, P, A, F>(
        self,
        outcome: Outcome<T, E>,
        probe: Asked<P, A, T, E>,
        body: F,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: Send + 'static,
        P: Send + Sync + 'static,
        A: Send + 'static,
        F: Future<Output = Result<T, E>> + Send + 'static,
    {
        self.prepare(outcome).detached(probe, body).await
    }

    fn prepare<T, E>(self, outcome: Outcome<T, E>) -> Call<T, E> {
        let store = self.0.store.clone();
        Call { mode: self.0.mode, store, plan: self.0.plan(), outcome }
    }
}

impl fmt::Debug for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Settings { name, key, ttl, lease, in_progress, completed, mode, store, .. } = &*self.0;
        let mut out = f.debug_struct("Operation");
        out.field("name", name).field("key", key).field("ttl", ttl).field("lease", lease);
        out.field("in_progress", in_progress).field("completed", completed).field("mode", mode);
        out.field("store", store).finish_non_exhaustive()
    }
}

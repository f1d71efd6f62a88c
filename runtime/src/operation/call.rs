//! A call whose settings have been looked at, on its way to the executor.

use crate::any_store::AnyStore;
use crate::detached::{self, NoResult};
use crate::error::{Error, ErrorKind};
use crate::execute::{self, Plan};
use crate::outcome::Outcome;
use crate::policy::Mode;
use crate::probe::Probe;
use crate::scope;

/// A call whose settings have been looked at.
pub(super) struct Call<T, E> {
    pub(super) mode: Mode,
    pub(super) store: Option<AnyStore>,
    /// Boxed, since every future on the way has a copy.
    pub(super) plan: Result<Box<Plan>, Error>,
    pub(super) outcome: Outcome<T, E>,
}

impl<T, E> Call<T, E> {
    pub(super) async fn call<F, P>(self, probe: P, body: F) -> Result<T, E>
    where
        F: Future<Output = Result<T, E>>,
        P: Probe<T, E>,
    {
        match (self.plan, self.mode) {
            (Ok(plan), _) if plan.store.is_disabled() => execute::unprotected(&plan, body).await,
            (Ok(plan), Mode::Protect) => execute::protect(plan, self.outcome, probe, body).await,
            (Ok(plan), Mode::Observe) => execute::observe(plan, self.outcome, body).await,
            (Err(error), Mode::Protect) => {
                execute::refused(self.store.as_ref(), &error);
                Err(self.outcome.error(error))
            }
            (Err(error), Mode::Observe) => {
                execute::refused(self.store.as_ref(), &error);
                body.await
            }
        }
    }

    pub(super) async fn detached<F, P>(self, probe: P, body: F) -> Result<T, E>
    where
        T: Send + 'static,
        E: Send + 'static,
        F: Future<Output = Result<T, E>> + Send + 'static,
        P: Probe<T, E, Asking: Send> + Send + Sync + 'static,
    {
        let (name, to_error) = match &self.plan {
            Ok(plan) => (plan.name.clone(), self.outcome.error_of()),
            Err(_) => return self.call(probe, body).await,
        };
        if let Ok(plan) = &self.plan
            && plan.store.transaction().is_some()
        {
            let detail = "`detached` runs on when its caller is gone, and a transaction does not: the body did not run";
            let error = Error::new(ErrorKind::Misconfigured, name, detail).with_key(&plan.key);
            execute::refused(Some(&plan.store), &error);
            return Err(to_error(error));
        }
        // Of the keys that are held here the task knows nothing.
        if let Ok(plan) = &self.plan
            && let Err(error) = plan.refuse_reentry()
        {
            execute::refused(Some(&plan.store), &error);
            return Err(to_error(error));
        }
        let call = scope::inherited(self.call(probe, body));
        let (kind, detail) = match detached::run(call).await {
            Ok(result) => return result,
            Err(NoResult::NoRuntime) => (
                ErrorKind::Misconfigured,
                "`detached` needs a tokio runtime, and there is none; the body did not run",
            ),
            Err(NoResult::ShutDown) => {
                (ErrorKind::LeaseLost, "the tokio runtime was shut down while the detached body ran")
            }
        };
        let error = Error::new(kind, name, detail);
        execute::refused(None, &error);
        Err(to_error(error))
    }
}

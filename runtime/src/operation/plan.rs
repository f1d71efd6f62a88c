//! Everything that can be wrong with a call before the store is touched.

use super::Settings;
use crate::error::{Error, ErrorKind};
use crate::event::Decision;
use crate::execute::Plan;
use crate::fingerprint::FingerprintBuilder;
use crate::name;
use crate::observe::emit;
use crate::policy::InProgress;
use crate::registry::{self, Definition, Site};
use crate::scope;

impl Settings {
    /// Everything that can be wrong before the store is touched.
    pub(super) fn plan(self: Box<Self>) -> Result<Box<Plan>, Error> {
        let this = *self;
        let name = this.name;
        let fault = |kind, detail: String| Err(Error::new(kind, name.clone(), detail));
        if !name::is_valid(&name) {
            let detail = "the name of an operation has 1 to 64 characters of `A-Z a-z 0-9 _ . -`";
            return fault(ErrorKind::Misconfigured, detail.into());
        }
        if let Some((part, error)) = &this.missing {
            return fault(ErrorKind::MissingKeyPart, format!("key part `{part}`: {error}"));
        }
        if this.key.is_empty() {
            let detail = "the key has no part, so all calls would be one request: add `.part(..)`";
            return fault(ErrorKind::Misconfigured, detail.into());
        }
        if let Some(error) = this.unhashable {
            let detail = format!("the request cannot be compared: {error}");
            return Err(Error::new(ErrorKind::Codec, name, detail).with_source(error));
        }
        let Some(ttl) = this.ttl.filter(|ttl| !ttl.is_zero()) else {
            let detail = "no TTL: say how long the outcome is replayed with `.ttl(..)`, longer than zero";
            return fault(ErrorKind::Misconfigured, detail.into());
        };
        let Some(store) = this.store.or_else(scope::current_store) else {
            let detail = "no store: pass one (`store = …`), run inside `idempotency::with_store(..)`, or call \
                          `idempotency::install_default(..)` at the start of the process";
            return fault(ErrorKind::NoStore, detail.into());
        };
        if !store.is_acceptable() {
            let detail = format!(
                "the store {} may lose writes that it has acknowledged, and a lost record runs its body again; if \
                 that is acceptable, say so on the handle with `.accepting_loss()`",
                store.identity()
            );
            return fault(ErrorKind::Misconfigured, detail);
        }
        let shortest = store.skew_budget() * 2;
        if ttl < shortest {
            // A record that is gone so soon could be followed by one with a smaller epoch, claimed by a host whose clock
            // is behind.
            let detail = format!(
                "the TTL of {} is too short: hosts may differ by {} (the skew budget), so one may have forgotten the \
                 outcome that another has just recorded; use at least `{}`, and more than any retry can come late",
                humantime::format_duration(ttl),
                humantime::format_duration(store.skew_budget()),
                humantime::format_duration(shortest)
            );
            return fault(ErrorKind::Misconfigured, detail);
        }
        if this.lease < shortest {
            let detail = format!(
                "the lease of {} is too short: an owner stops acting on its lease {} (the skew budget) before its \
                 end, and needs time to renew it; use at least `{}`",
                humantime::format_duration(this.lease),
                humantime::format_duration(store.skew_budget()),
                humantime::format_duration(shortest)
            );
            return fault(ErrorKind::Misconfigured, detail);
        }
        let definition = match this.site {
            Some(site) => Definition::Site(site, this.of),
            None => Definition::Caller(this.caller),
        };
        if let Err(first) = registry::register(store.place(), &name, definition) {
            let detail = format!(
                "two operations have this name: {first} and {definition}; give one of them another `op`, or the \
                 stores namespaces of their own"
            );
            return fault(ErrorKind::DuplicateOperation, detail);
        }
        let key = this.key.finish(store.namespace());
        if let (Some(site), Some(fingerprint)) = (this.site, &this.fingerprint)
            && site.is_new()
            && site.note_volatile(fingerprint.volatile_name())
            && let Some(field) = site.volatile()
        {
            emit(Some(&store), &name, Some(&key), Decision::VolatileField { field });
        }
        Ok(Box::new(Plan {
            volatile: this.site.and_then(Site::volatile),
            key,
            fingerprint: this.fingerprint.map(FingerprintBuilder::finish),
            name,
            ttl,
            lease: this.lease,
            deadline: this.deadline.at(),
            wait: match this.in_progress {
                InProgress::Reject => None,
                InProgress::Wait(longest) => Some(longest),
            },
            completed: this.completed,
            on_crash: this.on_crash,
            on_expired: this.on_expired,
            effect_timeout: this.effect_timeout,
            tombstone: this.tombstone,
            on_store_error: this.on_store_error,
            store,
        }))
    }
}

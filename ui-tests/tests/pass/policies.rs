#![deny(warnings)]
#![allow(dead_code)]

use std::borrow::Cow;
use std::sync::Arc;

use idempotency::{CodecError, Error, JsonCodec, OldValue, Reconciled, UnknownOutcome, idempotent};

fn upgrade(old: OldValue<'_>) -> Result<u64, CodecError> {
    old.json::<u32>().map(u64::from)
}

async fn find(unknown: UnknownOutcome) -> Result<Reconciled<u64>, Error> {
    Ok(if unknown.attempt > 1 { Reconciled::Applied(7) } else { Reconciled::NotApplied })
}

#[idempotent(
    key = "order_no",
    ttl = "7d",
    on_crash = hold,
    on_expired = reject,
    tombstone = "30d",
    on_store_error = run,
    version = 2,
    migrate = upgrade,
    codec = JsonCodec,
    reconcile = find,
    effect_timeout = "2m"
)]
async fn all(order_no: String) -> Result<u64, Error> {
    order_no.parse().map_err(|_| unreachable!())
}

#[idempotent(key = "order_no", ttl = "7d", version = 1, on_crash = rerun, on_expired = run, on_store_error = reject)]
async fn defaults(order_no: String) -> Result<u64, Error> {
    Ok(order_no.len() as u64)
}

#[idempotent(key = "order_no", ttl = "7d", mode = observe, completed = replay, on_crash = rerun, on_expired = run)]
async fn observed(order_no: String) -> Result<u64, Error> {
    Ok(order_no.len() as u64)
}

struct Orders {
    offset: u64,
}

impl Orders {
    #[idempotent(key = "order_no", ttl = "7d", reconcile = self.find)]
    async fn create(&self, order_no: &str) -> Result<u64, Error> {
        Ok(order_no.len() as u64 + self.offset)
    }

    #[idempotent(key = "order_no", ttl = "7d", op = "add", reconcile = |unknown| async move { self.find(unknown).await })]
    async fn add(&self, order_no: &str) -> Result<u64, Error> {
        Ok(order_no.len() as u64 + self.offset)
    }

    #[idempotent(
        key = "order_no",
        ttl = "7d",
        op = "send",
        detached,
        reconcile = {
            let this = Arc::clone(&self);
            move |unknown| {
                let this = Arc::clone(&this);
                async move { this.find(unknown).await }
            }
        }
    )]
    async fn send(self: Arc<Self>, order_no: Cow<'static, str>) -> Result<u64, Error> {
        Ok(order_no.len() as u64 + self.offset)
    }

    async fn find(&self, _: UnknownOutcome) -> Result<Reconciled<u64>, Error> {
        Ok(Reconciled::StillUnknown)
    }
}

#[idempotent(key = "order_no", ttl = "7d", detached, op = "detached")]
async fn detached(order_no: String, notify: impl Fn(&str) + Send + 'static) -> Result<u64, Error> {
    notify(&order_no);
    Ok(order_no.len() as u64)
}

fn assert_send<T: Send>(_: T) {}

fn check(orders: &Orders) {
    assert_send(all(String::new()));
    assert_send(orders.create(""));
    assert_send(detached(String::new(), |_| {}));
}

fn main() {}

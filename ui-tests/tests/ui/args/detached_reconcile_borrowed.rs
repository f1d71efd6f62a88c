#![allow(unused)]

use idempotency::{Error, idempotent};

use idempotency::{Reconciled, UnknownOutcome};

struct Orders;

impl Orders {
    #[idempotent(key = "order_no", ttl = "7d", detached, reconcile = self.find)]
    async fn create(self, order_no: String) -> Result<(), Error> {
        Ok(())
    }

    async fn find(&self, unknown: UnknownOutcome) -> Result<Reconciled<()>, Error> {
        Ok(Reconciled::StillUnknown)
    }
}

fn main() {}

//! A transaction as a store: what operations see of it.

use std::fmt;
use std::sync::Arc;

use idempotency_runtime::transaction::{Answer, Enclosing, Entered, Entry, Leaving};
use idempotency_runtime::{
    Capabilities, Claim, ClaimRequest, Evict, IdempotencyKey, ListRequest, OwnerWrite, Record, Store,
    StoreError, Written,
};
use tokio::sync::{Notify, oneshot};

use super::super::MAX_VALUE_BYTES;
use super::super::error::check_size;
use super::super::store::Database;
use super::lane::{Job, Queue, gone};
use super::open::Open;
use super::ticket::Ticket;

/// Every handle on one transaction.
#[derive(Clone)]
pub(super) struct Handle {
    pub(super) ticket: Arc<Ticket>,
    pub(super) jobs: Queue,
    pub(super) capabilities: Capabilities,
    /// Told when the transaction is committed.
    pub(super) outbox: Arc<Notify>,
    /// That of the store.
    pub(super) identity: Arc<str>,
}

impl Handle {
    /// Queues work, and waits for its answer. What was queued is done although nobody waits for it any more.
    pub(super) async fn ask<T: Send + 'static, E: From<StoreError> + Send + 'static>(
        &self,
        work: impl FnOnce(&mut Open, &Database) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E> {
        self.jobs.check_caller()?;
        let (reply, answer) = oneshot::channel();
        self.tell(move |open| {
            let done = match open {
                Ok((open, database)) => {
                    open.worked += 1;
                    work(open, database)
                }
                Err(error) => Err(error.into()),
            };
            drop(reply.send(done));
        });
        answer.await.unwrap_or_else(|_| Err(gone().into()))
    }

    /// Queues work.
    pub(super) fn tell(
        &self,
        work: impl FnOnce(Result<(&mut Open, &Database), StoreError>) + Send + 'static,
    ) {
        // A thread that has ended answers by dropping the work.
        let _ = self.jobs.push(Job::In { ticket: self.ticket.clone(), work: Box::new(work) });
    }
}

impl fmt::Debug for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { ticket, identity, .. } = self;
        f.debug_struct("Transaction")
            .field("store", identity)
            .field("at", &ticket.at.to_string())
            .finish_non_exhaustive()
    }
}

/// The wait for the answer to a claim. If it is dropped with an answer that nobody has taken, nobody will end the
/// operation.
struct Entering<'h> {
    handle: &'h Handle,
    answer: oneshot::Receiver<Result<Entered, StoreError>>,
}

impl Drop for Entering<'_> {
    fn drop(&mut self) {
        self.answer.close();
        if let Ok(Ok(Entered { entry: Some(entry), .. })) = self.answer.try_recv() {
            self.handle.tell(move |open| {
                if let Ok((open, database)) = open {
                    open.take_back(database, entry);
                }
            });
        }
    }
}

impl Enclosing for Handle {
    fn number(&self) -> u64 {
        self.ticket.number
    }

    fn enter(&self, request: ClaimRequest, parent: Option<Entry>) -> Answer<'_, Entered> {
        Box::pin(async move {
            self.jobs.check_caller()?;
            let (reply, answer) = oneshot::channel();
            let mut entering = Entering { handle: self, answer };
            self.tell(move |open| {
                let (open, database) = match open {
                    Ok(open) => open,
                    Err(error) => return drop(reply.send(Err(error))),
                };
                // A caller that is gone has not begun anything.
                if let Err(Ok(Entered { entry: Some(entry), .. })) =
                    reply.send(open.enter(database, &request, parent))
                {
                    open.take_back(database, entry);
                }
            });
            (&mut entering.answer).await.unwrap_or_else(|_| Err(gone()))
        })
    }

    fn leave(&self, entry: Entry, leaving: Leaving) -> Answer<'_, ()> {
        Box::pin(self.ask(move |open, database| open.leave(database, entry, &leaving)))
    }

    fn abandon(&self, entry: Entry) {
        self.tell(move |open| {
            if let Ok((open, database)) = open {
                open.abandon(database, entry);
            }
        });
    }
}

/// The verbs, inside the transaction. Operations use [`Enclosing`] instead.
impl Store for Handle {
    async fn claim(&self, request: ClaimRequest) -> Result<Claim, StoreError> {
        self.ask(move |_, database| database.claim_here(&request)).await
    }

    async fn write(&self, request: OwnerWrite) -> Result<Written, StoreError> {
        check_size(&request, MAX_VALUE_BYTES)?;
        self.ask(move |_, database| database.write_here(&request)).await
    }

    async fn inspect(&self, key: &IdempotencyKey) -> Result<Option<Record>, StoreError> {
        let key = key.clone();
        self.ask(move |_, database| database.inspect(&key)).await
    }

    async fn evict(&self, request: Evict) -> Result<bool, StoreError> {
        self.ask(move |_, database| database.evict_here(&request)).await
    }

    async fn list(&self, request: ListRequest) -> Result<Vec<Record>, StoreError> {
        self.ask(move |_, database| database.list_here(&request)).await
    }

    async fn ready(&self) -> Result<(), StoreError> {
        self.ask(|_, _| Ok(())).await
    }

    fn capabilities(&self) -> Capabilities {
        self.capabilities
    }

    fn identity(&self) -> &str {
        &self.identity
    }
}

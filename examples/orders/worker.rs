//! The worker: one idempotent function, and the queue's habit of delivering again.

use std::sync::Arc;
use std::time::{Duration, Instant};

use idempotency::{AnyStore, Disposition, ErrorKind, Previous, Report, idempotent, with_reports};
use serde::{Deserialize, Serialize};
use tokio::task::JoinSet;

use crate::input::{Order, SqsEvent, SqsRecord};
use crate::ledger::Ledger;

/// What the queue gives up on a message after.
const MAX_RECEIVE_COUNT: u32 = 5;

/// After which pause the queue delivers again what was not handled.
const VISIBILITY_TIMEOUT: Duration = Duration::from_millis(200);

#[derive(Clone)]
pub(crate) struct Worker {
    pub(crate) store: AnyStore,
    pub(crate) ledger: Arc<Ledger>,
    pub(crate) die_at: Option<String>,
}

/// What the caller of an order gets, the first time and every time after.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Receipt {
    pub(crate) order_no: Option<String>,
    pub(crate) charged_cents: u32,
}

#[derive(Debug, thiserror::Error)]
pub(crate) enum OrderError {
    #[error("the payment provider is down")]
    ProviderDown,
    #[error(transparent)]
    Ledger(#[from] rusqlite::Error),
    #[error(transparent)]
    Idempotency(#[from] idempotency::Error),
}

/// Handles an order: charges it and writes it into the ledger.
#[idempotent(
    op = "orders.create",
    key = "order.tenant_id + op + order.order_no?",
    validate = "order - order.sent_at",
    ignore(worker, provider_is_down),
    ttl = "14d",
    lease = "5s",
    store = worker.store
)]
async fn create_order(worker: &Worker, order: Order, provider_is_down: bool) -> Result<Receipt, OrderError> {
    // The provider takes its time, long enough for a twin to arrive.
    tokio::time::sleep(Duration::from_millis(30)).await;
    if provider_is_down {
        return Err(OrderError::ProviderDown);
    }
    let order_no = order.order_no.as_deref().unwrap_or_default();
    worker.ledger.charge(&order).await?;
    if worker.die_at.as_deref() == Some(order_no) {
        eprintln!("killed half-way through order {order_no}: charged, but not in the ledger");
        std::process::abort();
    }
    worker.ledger.write(&order).await?;
    Ok(Receipt { order_no: order.order_no.clone(), charged_cents: order.amount_cents })
}

/// What happened to one delivery.
#[derive(PartialEq)]
pub(crate) enum Happened {
    Executed,
    TakenOver,
    Replayed,
    /// The claim of the other owner ends after this pause at the latest.
    InProgress(Duration),
    Released(String),
    Refused(ErrorKind, String),
    Unreadable(String),
}

impl Happened {
    /// Whether the order is handled.
    pub(crate) fn is_done(&self) -> bool {
        matches!(self, Self::Executed | Self::TakenOver | Self::Replayed)
    }
}

/// One delivery and what happened to it.
pub(crate) struct Delivery {
    pub(crate) message_id: String,
    pub(crate) receive_count: u32,
    pub(crate) order: Option<Order>,
    pub(crate) key: Option<String>,
    pub(crate) attempt: Option<u32>,
    pub(crate) happened: Happened,
    pub(crate) took: Duration,
}

impl Worker {
    /// Handles the events one after another, then again what was not handled, as the queue does when the
    /// visibility timeout is over.
    pub(crate) async fn drain(&self, events: Vec<SqsEvent>) -> Vec<Delivery> {
        let mut deliveries = Vec::new();
        let mut waiting = Vec::new();
        for event in events {
            let (done, again) = self.handle_batch(event.records).await;
            deliveries.extend(done);
            waiting.extend(again);
        }
        while !waiting.is_empty() {
            let longest = waiting.iter().map(|(_, pause)| *pause).max().unwrap_or_default();
            if longest > Duration::from_secs(1) {
                println!("waiting {} s for the lease of a dead owner to end", longest.as_secs() + 1);
            }
            tokio::time::sleep(longest).await;
            let records = waiting.drain(..).map(|(record, _)| record.redelivered()).collect();
            let (done, again) = self.handle_batch(records).await;
            deliveries.extend(done);
            waiting.extend(again);
        }
        deliveries
    }

    /// Handles the records at the same time. Returns also what is to be delivered again, and when.
    async fn handle_batch(&self, records: Vec<SqsRecord>) -> (Vec<Delivery>, Vec<(SqsRecord, Duration)>) {
        let mut tasks = JoinSet::new();
        for (place, record) in records.into_iter().enumerate() {
            let worker = self.clone();
            tasks.spawn(async move { (place, worker.handle(&record).await, record) });
        }
        let mut handled = tasks.join_all().await;
        handled.sort_by_key(|(place, ..)| *place);
        let mut again = Vec::new();
        let mut deliveries = Vec::new();
        for (_, delivery, record) in handled {
            let pause = match delivery.happened {
                // A twin is usually done soon; an owner that is not done by then may be dead.
                Happened::InProgress(pause) => {
                    Some(if delivery.receive_count == 1 { VISIBILITY_TIMEOUT } else { pause })
                }
                Happened::Released(_) => Some(VISIBILITY_TIMEOUT),
                _ => None,
            };
            if let Some(pause) = pause.filter(|_| delivery.receive_count < MAX_RECEIVE_COUNT) {
                again.push((record, pause));
            }
            deliveries.push(delivery);
        }
        (deliveries, again)
    }

    async fn handle(&self, record: &SqsRecord) -> Delivery {
        let start = Instant::now();
        let mut delivery = Delivery {
            message_id: record.message_id.clone(),
            receive_count: record.receive_count(),
            order: None,
            key: None,
            attempt: None,
            happened: Happened::Replayed,
            took: Duration::ZERO,
        };
        match serde_json::from_str::<Order>(&record.body) {
            Ok(order) => {
                delivery.order = Some(order.clone());
                let call = create_order(self, order, record.provider_is_down());
                let (result, reports) = with_reports(call).await;
                let report = reports.first();
                delivery.key = report.and_then(|report| report.key.as_ref()).map(ToString::to_string);
                delivery.attempt = report.and_then(|report| report.attempt);
                delivery.happened = happened(&result, report);
            }
            Err(error) => delivery.happened = Happened::Unreadable(error.to_string()),
        }
        delivery.took = start.elapsed();
        delivery
    }
}

fn happened(result: &Result<Receipt, OrderError>, report: Option<&Report>) -> Happened {
    match result {
        Ok(_) => match report {
            Some(report) if report.disposition == Disposition::Replayed => Happened::Replayed,
            Some(report) if report.previous == Some(Previous::Abandoned) => Happened::TakenOver,
            _ => Happened::Executed,
        },
        Err(OrderError::Idempotency(error)) => match (error.kind(), error.retry_after()) {
            (ErrorKind::InProgress, Some(pause)) => Happened::InProgress(pause),
            (kind, _) => Happened::Refused(kind, error.to_string()),
        },
        Err(error) => Happened::Released(error.to_string()),
    }
}

//! The business side: what was charged, and the ledger of orders. It has no constraint that would hide an order
//! that was handled twice.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rusqlite::Connection;

use crate::input::Order;

/// The ledger lives in the file of the records, or in memory like them.
pub(crate) struct Ledger {
    connection: Arc<Mutex<Connection>>,
}

/// An order in the ledger.
pub(crate) struct Entry {
    pub(crate) tenant_id: String,
    pub(crate) order_no: String,
    pub(crate) amount_cents: u32,
    pub(crate) times: u32,
}

impl Ledger {
    /// The ledger beside the store of this identity.
    pub(crate) fn beside(identity: &str) -> anyhow::Result<Self> {
        let connection = match identity.strip_prefix("sqlite:") {
            Some(path) => Connection::open(path)?,
            None => Connection::open_in_memory()?,
        };
        connection.busy_timeout(Duration::from_secs(10))?;
        connection.execute_batch(
            "CREATE TABLE IF NOT EXISTS charges (token TEXT PRIMARY KEY, amount_cents INTEGER NOT NULL);
             CREATE TABLE IF NOT EXISTS ledger (
                 tenant_id TEXT NOT NULL, order_no TEXT NOT NULL, amount_cents INTEGER NOT NULL
             );",
        )?;
        Ok(Self { connection: Arc::new(Mutex::new(connection)) })
    }

    /// Charges an order. Like a real payment provider it charges once per token, however often it is asked.
    pub(crate) async fn charge(&self, token: String, order: &Order) -> rusqlite::Result<()> {
        let amount = order.amount_cents;
        self.call(move |connection| {
            connection
                .execute("INSERT INTO charges VALUES (?1, ?2) ON CONFLICT DO NOTHING", (token, amount))
                .map(drop)
        })
        .await
    }

    /// Writes an order into the ledger, once more if it stands there already.
    pub(crate) async fn write(&self, order: &Order) -> rusqlite::Result<()> {
        let row = (order.tenant_id.clone(), order.order_no.clone(), order.amount_cents);
        self.call(move |connection| {
            connection.execute("INSERT INTO ledger VALUES (?1, ?2, ?3)", row).map(drop)
        })
        .await
    }

    /// All orders, each with how often it stands in the ledger.
    pub(crate) async fn entries(&self) -> rusqlite::Result<Vec<Entry>> {
        self.call(|connection| {
            let mut query = connection.prepare(
                "SELECT tenant_id, order_no, max(amount_cents), count(*) FROM ledger
                 GROUP BY tenant_id, order_no ORDER BY tenant_id, order_no",
            )?;
            let entries = query.query_map((), |row| {
                Ok(Entry {
                    tenant_id: row.get(0)?,
                    order_no: row.get(1)?,
                    amount_cents: row.get(2)?,
                    times: row.get(3)?,
                })
            })?;
            entries.collect()
        })
        .await
    }

    async fn call<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> rusqlite::Result<T> {
        let connection = self.connection.clone();
        let work = move || work(&connection.lock().unwrap_or_else(PoisonError::into_inner));
        match tokio::task::spawn_blocking(work).await {
            Ok(result) => result,
            Err(panic) => std::panic::resume_unwind(panic.into_panic()),
        }
    }
}

//! The business side: a payment provider and the ledger of orders.
//!
//! A process that dies between an effect and its record leaves an effect that the next attempt meets again. So both
//! effects can be repeated: the provider charges once per token, however often it is asked, and an order is written
//! unless it stands there. How often the provider was asked is counted, so that a body that ran for nothing shows.

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
    /// How often it stands in the ledger.
    pub(crate) times: u32,
    /// How often the provider was asked to charge it.
    pub(crate) asked: u32,
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
            "CREATE TABLE IF NOT EXISTS charges (
                 token TEXT PRIMARY KEY, amount_cents INTEGER NOT NULL, asked INTEGER NOT NULL
             );
             CREATE TABLE IF NOT EXISTS ledger (
                 tenant_id TEXT NOT NULL, order_no TEXT NOT NULL, amount_cents INTEGER NOT NULL
             );",
        )?;
        Ok(Self { connection: Arc::new(Mutex::new(connection)) })
    }

    /// Charges an order. Like a real payment provider it charges once per token, however often it is asked.
    pub(crate) async fn charge(&self, order: &Order) -> rusqlite::Result<()> {
        let row = (token(order), order.amount_cents);
        self.call(move |connection| {
            let charge = "INSERT INTO charges VALUES (?1, ?2, 1) ON CONFLICT DO UPDATE SET asked = asked + 1";
            connection.execute(charge, row).map(drop)
        })
        .await
    }

    /// Writes an order into the ledger, unless it stands there.
    pub(crate) async fn write(&self, order: &Order) -> rusqlite::Result<()> {
        let row = (order.tenant_id.clone(), order.order_no.clone(), order.amount_cents);
        self.call(move |connection| {
            let write = "INSERT INTO ledger SELECT ?1, ?2, ?3
                 WHERE NOT EXISTS (SELECT * FROM ledger WHERE tenant_id = ?1 AND order_no = ?2)";
            connection.execute(write, row).map(drop)
        })
        .await
    }

    /// All orders.
    pub(crate) async fn entries(&self) -> rusqlite::Result<Vec<Entry>> {
        self.call(|connection| {
            let mut query = connection.prepare(
                "SELECT tenant_id, order_no, max(ledger.amount_cents), count(*), max(asked)
                 FROM ledger JOIN charges ON token = tenant_id || '/' || order_no
                 GROUP BY tenant_id, order_no ORDER BY tenant_id, order_no",
            )?;
            let entries = query.query_map((), |row| {
                Ok(Entry {
                    tenant_id: row.get(0)?,
                    order_no: row.get(1)?,
                    amount_cents: row.get(2)?,
                    times: row.get(3)?,
                    asked: row.get(4)?,
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

/// What the provider knows an order by: the same in every attempt.
fn token(order: &Order) -> String {
    format!("{}/{}", order.tenant_id, order.order_no.as_deref().unwrap_or_default())
}

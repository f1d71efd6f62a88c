//! Two ways to place an order once: a unique constraint on the order's own row, and the attribute.
//!
//! The first is enough where the effect is the row and the answer can be read from it. The second keeps the answer
//! as it was given, whatever becomes of the row, and holds for effects that are no rows.

use std::sync::{Arc, Mutex};

use idempotency::store::{Inserted, RequestHash, SqliteStore, insert_once};
use idempotency::{Disposition, idempotent, with_reports};
use rusqlite::{Connection, OptionalExtension, params};
use serde::{Deserialize, Serialize};

const TABLE: &str = "
    CREATE TABLE orders (
        id           INTEGER PRIMARY KEY,
        tenant_id    INTEGER NOT NULL,
        order_no     TEXT NOT NULL,
        total_cents  INTEGER NOT NULL,
        request_hash BLOB NOT NULL,
        UNIQUE (tenant_id, order_no)
    ) STRICT";

#[derive(Clone, Serialize)]
struct NewOrder {
    tenant_id: i64,
    order_no: String,
    total_cents: i64,
}

#[derive(Debug, Serialize, Deserialize)]
struct Placed {
    id: i64,
}

/// The row is the record: no other table, no TTL, no lease.
fn place_row(connection: &Connection, order: &NewOrder) -> anyhow::Result<Inserted<Placed>> {
    let hash = RequestHash::of(order)?;
    let insert = |connection: &Connection| {
        connection.query_row(
            "INSERT INTO orders (tenant_id, order_no, total_cents, request_hash) VALUES (?1, ?2, ?3, ?4) RETURNING id",
            params![order.tenant_id, order.order_no, order.total_cents, hash],
            |row| Ok(Placed { id: row.get(0)? }),
        )
    };
    let existing = |connection: &Connection| {
        connection
            .query_row(
                "SELECT request_hash, id FROM orders WHERE tenant_id = ?1 AND order_no = ?2",
                params![order.tenant_id, order.order_no],
                |row| Ok((row.get(0)?, Placed { id: row.get(1)? })),
            )
            .optional()
    };
    Ok(insert_once(connection, hash, insert, existing)?)
}

#[derive(Clone)]
struct Shop {
    store: SqliteStore,
    /// Stands for somebody else's system, which has no unique constraint of ours.
    warehouse: Arc<Mutex<Vec<String>>>,
}

impl Shop {
    /// The effect is no row of this database.
    #[idempotent(key = "order.tenant_id + op + order.order_no", validate = "order", ttl = "7d", store = self.store)]
    async fn reserve(&self, order: NewOrder) -> anyhow::Result<Placed> {
        let mut warehouse = self.warehouse.lock().expect("nobody panics with it");
        warehouse.push(order.order_no);
        Ok(Placed { id: i64::try_from(warehouse.len())? })
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> anyhow::Result<()> {
    let folder = tempfile::tempdir()?;
    let connection = Connection::open(folder.path().join("orders.db"))?;
    connection.execute_batch(TABLE)?;
    let order = NewOrder { tenant_id: 1, order_no: "ORD-1001".to_owned(), total_cents: 12_900 };
    let changed = NewOrder { total_cents: 1, ..order.clone() };

    println!("a unique constraint");
    for _ in 0..2 {
        println!("  {:?}", place_row(&connection, &order)?);
    }
    if let Err(error) = place_row(&connection, &changed) {
        println!("  {error}");
    }

    println!("the attribute");
    let store = SqliteStore::open(folder.path().join("records.db")).await?;
    let shop = Shop { store, warehouse: Arc::default() };
    for _ in 0..2 {
        let (reserved, reports) = with_reports(shop.reserve(order.clone())).await;
        let told = if reports[0].disposition == Disposition::Executed { "New" } else { "Existing" };
        println!("  {told}({:?})", reserved?);
    }
    if let Err(error) = shop.reserve(changed).await {
        println!("  {error}");
    }
    Ok(())
}

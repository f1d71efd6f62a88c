//! What others do to a connection, and what they put between the store and its tables.
//!
//! A trigger can leave out a write or change what was written, and a temporary table stands in front of one of the same
//! name: a body would run, and its claim would not be there.

use idempotency_runtime::StoreError;
use rusqlite::{Connection, ErrorCode, OptionalExtension as _};

use super::SqliteStoreBuilder;
use super::error::{from_sqlite, misconfigured};
use super::settings::OnConnect;

/// Names are kept as they were typed, and mean the same in any case.
const TRIGGERS: &str = "
    SELECT type || ' `' || name || '`' FROM sqlite_master
    WHERE type = 'trigger' AND lower(tbl_name) IN ('idempotency_records', 'idempotency_meta') LIMIT 1";

const TEMPORARY: &str = "
    SELECT 'temporary ' || type || ' `' || name || '`' FROM sqlite_temp_master
    WHERE lower(tbl_name) IN ('idempotency_records', 'idempotency_meta') LIMIT 1";

/// Does what the caller wants done on a new connection.
pub(super) fn prepare(
    connection: &Connection,
    settings: &SqliteStoreBuilder,
    path: &str,
) -> Result<(), StoreError> {
    let Some(OnConnect(connected)) = &settings.on_connect else {
        return Ok(());
    };
    connected(connection).map_err(|cause| not_prepared(path, cause))?;
    if !connection.is_autocommit() {
        connection.execute_batch("ROLLBACK").map_err(|cause| from_sqlite(path, cause))?;
        let message = format!("`on_connect` leaves a transaction open on the SQLite file `{path}`: end it");
        return Err(misconfigured(message));
    }
    refuse(connection, path, TEMPORARY)
}

/// It has failed. One that met a lock is called again.
fn not_prepared(path: &str, cause: rusqlite::Error) -> StoreError {
    if cause.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) {
        return from_sqlite(path, cause);
    }
    let message = format!("what `on_connect` does on a connection to the SQLite file `{path}` failed");
    misconfigured(message).with_source(cause)
}

/// Refuses a file that has triggers on the tables of the store.
pub(super) fn check(connection: &Connection, path: &str) -> Result<(), StoreError> {
    refuse(connection, path, TRIGGERS)
}

fn refuse(connection: &Connection, path: &str, strangers: &str) -> Result<(), StoreError> {
    let found = connection.query_row(strangers, [], |row| row.get::<_, String>(0)).optional();
    match found.map_err(|error| from_sqlite(path, error))? {
        None => Ok(()),
        Some(what) => Err(misconfigured(format!(
            "the {what} stands between the store and its tables in the SQLite file `{path}`, where it can leave out or \
             change what is written: drop it"
        ))),
    }
}

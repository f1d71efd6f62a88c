//! Whether the file is whole, on request.

use std::thread;

use idempotency_runtime::{IdempotencyKey, StoreError, StoreErrorKind};
use rusqlite::Connection;
use tokio::sync::oneshot;

use super::error::from_sqlite;
use super::row::{self, Columns};
use super::{SqliteStore, SqliteStoreBuilder, schema};

/// How many findings are told at most.
const MOST: usize = 100;

impl SqliteStore {
    /// Looks at the whole file: its pages and indexes (`PRAGMA integrity_check`), and whether every record can be read.
    /// What is told is what was found to be wrong, a hundred findings at most; nothing, if the file is whole.
    ///
    /// It reads all of the file, on a connection and a thread of its own, and blocks nobody.
    pub async fn check_integrity(&self) -> Result<Vec<String>, StoreError> {
        let settings = self.shared.settings.clone();
        let (reply, answer) = oneshot::channel();
        thread::Builder::new()
            .name("idempotency-integrity".to_owned())
            // Nobody may be waiting for the answer any more; that is no error.
            .spawn(move || drop(reply.send(check(&settings))))
            .map_err(|cause| {
                let message = "the thread that looks at the file could not be started";
                StoreError::new(StoreErrorKind::Unavailable, message).with_source(cause)
            })?;
        let ended = || StoreError::new(StoreErrorKind::Other, "the thread that looked at the file has ended");
        answer.await.map_err(|_| ended())?
    }
}

fn check(settings: &SqliteStoreBuilder) -> Result<Vec<String>, StoreError> {
    let (connection, path) = schema::open(settings)?;
    let sqlite = |error| from_sqlite(&path, error);
    let mut findings = pages(&connection).map_err(sqlite)?;
    // The keys of a damaged file cannot be trusted to be all.
    if findings.is_empty() {
        findings = records(&connection, &path)?;
    }
    Ok(findings)
}

fn pages(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut statement = connection.prepare(&format!("PRAGMA integrity_check({MOST})"))?;
    let lines = statement.query_map([], |row| row.get::<_, String>(0))?.collect::<Result<Vec<_>, _>>()?;
    Ok(lines.into_iter().filter(|line| line != "ok").collect())
}

fn records(connection: &Connection, path: &str) -> Result<Vec<String>, StoreError> {
    let sqlite = |error| from_sqlite(path, error);
    let mut keys = connection.prepare("SELECT key FROM idempotency_records").map_err(sqlite)?;
    let mut select = connection.prepare(row::SELECT).map_err(sqlite)?;
    let mut keys = keys.query([]).map_err(sqlite)?;
    let mut findings = Vec::new();
    while let Some(found) = keys.next().map_err(sqlite)?
        && findings.len() < MOST
    {
        let key = IdempotencyKey::from_stored(&found.get::<_, String>(0).map_err(sqlite)?);
        let mut rows = select.query([key.as_str()]).map_err(sqlite)?;
        let Some(row) = rows.next().map_err(sqlite)? else { continue };
        if let Err(error) = Columns::new(row, &key, path).record() {
            findings.push(error.to_string());
        }
    }
    Ok(findings)
}

//! What the SQLite store does in the background, as events of the `tracing` facade. A file of its own: the events come
//! from another thread, so the subscriber is that of the process.
#![cfg(all(feature = "sqlite", feature = "tracing"))]

use std::io;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use idempotency::store::{SqliteStore, rusqlite};
use idempotency::{AnyStore, Error, ManualClock, Timestamp, operation};

/// What is recorded then is forgotten now.
const LONG_AGO: Timestamp = Timestamp::from_millis(1_000_000);

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }

    /// Waits for a line with all these parts.
    async fn line_with(&self, parts: &[&str]) -> String {
        let began = Instant::now();
        loop {
            let text = self.text();
            if let Some(line) = text.lines().find(|line| parts.iter().all(|part| line.contains(part))) {
                return line.to_owned();
            }
            assert!(began.elapsed() < Duration::from_secs(60), "nobody says {parts:?}: {text}");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn what_a_purge_removes_is_told_and_so_is_one_that_fails() {
    let log = Log::default();
    let writer = log.clone();
    tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_ansi(false)
        .with_writer(move || writer.clone())
        .init();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("records.db");
    let every = Some(Duration::from_millis(20));
    let sqlite = SqliteStore::builder(&path).purge_every(every).open().await.unwrap();
    let store = AnyStore::new(sqlite).with_clock(ManualClock::at(LONG_AGO));
    let paid = operation("pay").part("order", "A-1").ttl(Duration::from_secs(600)).store(&store);
    paid.run(async { Ok::<_, Error>(1) }).await.unwrap();
    let line = log.line_with(&["DEBUG idempotency: forgotten records removed", "records=1"]).await;
    assert!(line.contains("records.db"), "{line}");
    assert!(!log.text().contains("failed"), "{}", log.text());

    let connection = rusqlite::Connection::open(&path).unwrap();
    connection.execute("UPDATE idempotency_meta SET value = 7", []).unwrap();
    connection.execute("DROP TABLE idempotency_records", []).unwrap();
    let line = log.line_with(&["WARN idempotency: a purge failed", "error="]).await;
    assert!(line.contains("records.db"), "{line}");
}

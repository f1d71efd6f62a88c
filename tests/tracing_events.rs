//! Decisions as events of the `tracing` facade. A file of its own: whether anybody listens is known per process.
#![cfg(all(feature = "memory", feature = "tracing"))]

use std::io;
use std::sync::{Arc, Mutex};

use std::time::Duration;

use idempotency::store::MemoryStore;
use idempotency::{Error, Operation, operation};

fn pay(store: &MemoryStore) -> Operation {
    operation("pay").part("order", "A-1").ttl(Duration::from_secs(600)).store(store.clone())
}

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn events_carry_the_names_of_the_page_and_no_payload() {
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_ansi(false)
        .without_time()
        .with_writer(move || writer.clone())
        .finish();
    let _guard = tracing::subscriber::set_default(subscriber);
    let store = MemoryStore::new();
    for _ in 0..2 {
        let body = async { Ok::<_, Error>("the secret result".to_owned()) };
        pay(&store).validate("the secret request").run(body).await.unwrap();
    }
    let log = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    let lines: Vec<&str> = log.lines().collect();
    let [claimed, completed, replayed] = lines.as_slice() else { panic!("three events: {log}") };
    assert!(
        claimed.contains(
            r#"DEBUG idempotency: claimed idempotency.operation="pay" idempotency.key=pay:A-1 idempotency.decision="claimed" attempt=1 epoch="#
        ),
        "{claimed}"
    );
    assert!(completed.contains(r#"idempotency.decision="completed""#), "{completed}");
    assert!(replayed.contains(r#"idempotency.decision="replayed" status=completed attempt=1"#), "{replayed}");
    assert!(!log.contains("secret"), "{log}");
}

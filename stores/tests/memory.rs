//! The memory store passes the conformance suite.

use idempotency_stores::MemoryStore;

idempotency_conformance::suite!(memory, MemoryStore::new);

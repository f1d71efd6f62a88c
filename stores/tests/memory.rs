//! The memory store passes the conformance suite.

#![cfg(feature = "memory")]

use idempotency_stores::MemoryStore;

idempotency_conformance::suite!(memory, MemoryStore::new);

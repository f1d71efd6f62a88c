//! Measurements of `idempotency`; see `benches/` and `docs/performance.md`.

//! Compile-fail goldens; see `tests/ui.rs`.

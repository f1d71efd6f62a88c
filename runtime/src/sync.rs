//! The synchronisation of this crate's own concurrent structures: the standard library's, or, compiled with
//! `--cfg shuttle`, those of the shuttle model checker.

#[cfg(not(shuttle))]
pub(crate) use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

#[cfg(shuttle)]
pub(crate) use shuttle::sync::{Arc, Mutex, MutexGuard};
#[cfg(shuttle)]
pub(crate) use std::sync::PoisonError;

/// A `static` that is made at its first use; shuttle makes it anew in every run.
#[cfg(not(shuttle))]
macro_rules! lazy {
    (static $name:ident: $type:ty = $value:expr;) => {
        static $name: std::sync::LazyLock<$type> = std::sync::LazyLock::new(|| $value);
    };
}
#[cfg(shuttle)]
macro_rules! lazy {
    (static $name:ident: $type:ty = $value:expr;) => {
        shuttle::lazy_static::lazy_static! {
            static ref $name: $type = $value;
        }
    };
}
pub(crate) use lazy;

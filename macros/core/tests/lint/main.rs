//! The lints, run as a library: no compiler is needed.

mod each;
mod pages;
mod policies;
mod support;
mod windows;

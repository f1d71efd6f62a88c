//! The lints, run as a library: no compiler is needed.

mod bodies;
mod coverage;
mod deliveries;
mod each;
mod generics;
mod names;
mod pages;
mod patterns;
mod policies;
mod support;
mod windows;

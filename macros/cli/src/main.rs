//! `cargo idempotent`: checks, lists and locks the keys of a workspace's idempotent functions.
//!
//! The same engine as in the attribute, over the source of a whole workspace: what it cannot see, it says.

mod across;
mod annotated;
mod calls;
mod command;
mod error;
mod explain;
mod finding;
mod hidden;
mod list;
mod lock;
mod options;
mod render;
mod shown;
mod source;
mod walk;
mod workspace;

use std::process::ExitCode;

fn main() -> ExitCode {
    let options = options::Options::read();
    // Generated sources nest deeply, and the parser is recursive.
    let work = std::thread::Builder::new().stack_size(STACK).spawn(|| command::run(options.command));
    match work.map(std::thread::JoinHandle::join) {
        Ok(Ok(Ok(verdict))) => ExitCode::from(verdict as u8),
        Ok(Ok(Err(error))) => failed(&error.to_string()),
        Ok(Err(_)) => failed("the command stopped half-way; please report this"),
        Err(error) => failed(&format!("no thread can be started: {error}")),
    }
}

fn failed(message: &str) -> ExitCode {
    eprintln!("error: {message}");
    ExitCode::from(command::Verdict::Unchecked as u8)
}

/// In bytes; only what is used is taken from the machine.
const STACK: usize = 256 << 20;

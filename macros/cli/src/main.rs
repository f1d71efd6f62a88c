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
    match command::run(options.command) {
        Ok(verdict) => ExitCode::from(verdict as u8),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(command::Verdict::Unchecked as u8)
        }
    }
}

//! The command line.

use cargo_metadata::camino::Utf8PathBuf;
use clap::{Args, Parser, Subcommand, ValueEnum};

/// The command as a whole. Cargo passes the name of the subcommand as the first argument; it may be left out.
#[derive(Debug, Parser)]
#[command(
    name = "cargo idempotent",
    bin_name = "cargo idempotent",
    version,
    about = "Check, list and lock the keys of a workspace's idempotent functions",
    after_help = "Exit codes: 0 clean, 1 findings, 2 could not check everything it was asked to."
)]
pub(crate) struct Options {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run all lints, and list what could not be seen.
    Check {
        #[command(flatten)]
        scope: Scope,
        /// How findings are written.
        #[arg(long, value_enum, default_value_t)]
        format: CheckFormat,
    },
    /// Show one row per operation.
    List {
        #[command(flatten)]
        scope: Scope,
        /// How the operations are written.
        #[arg(long, value_enum, default_value_t)]
        format: ListFormat,
    },
    /// Explain a finding, with a bad and a good example.
    Explain {
        /// The code that a finding ends with, for example `timestamp`; `syntax` lists mistakes in the attribute.
        code: String,
    },
    /// Write `idempotency.lock`: keys, fingerprints and result types as they are now.
    ///
    /// Names of parameters are in no record, and may change. Compared are spellings, and behind a result the fields
    /// of structs, enums and aliases of the same package, with their attributes of serde. Not seen are: types of
    /// other packages and of macros, names that several types have, `impl`s of `Serialize` or `KeyPart` written by
    /// hand, types of fields in a key (`order.number`), and what is compared inside of `validate`.
    Lock {
        #[command(flatten)]
        scope: Scope,
        /// Compare with the file instead of writing it.
        #[arg(long)]
        check: bool,
        /// How findings of `--check` are written.
        #[arg(long, value_enum, default_value_t)]
        format: CheckFormat,
    },
}

/// What is looked at.
#[derive(Args, Debug)]
pub(crate) struct Scope {
    /// The `Cargo.toml` of the package or workspace; searched from the current directory upwards without it.
    #[arg(long, value_name = "PATH")]
    pub(crate) manifest_path: Option<Utf8PathBuf>,
    /// Only this package; may be given several times.
    #[arg(long, short, value_name = "NAME")]
    pub(crate) package: Vec<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckFormat {
    /// For people; coloured on a terminal.
    #[default]
    Human,
    /// One JSON object.
    Json,
    /// SARIF 2.1.0, as code scanning services read it.
    Sarif,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum ListFormat {
    /// For people.
    #[default]
    Table,
    /// One JSON object.
    Json,
}

impl Options {
    /// Reads the arguments of the process, run as `cargo idempotent …` or directly.
    pub(crate) fn read() -> Self {
        let mut arguments: Vec<_> = std::env::args_os().collect();
        if arguments.get(1).is_some_and(|first| first == "idempotent") {
            arguments.remove(1);
        }
        Self::parse_from(arguments)
    }
}

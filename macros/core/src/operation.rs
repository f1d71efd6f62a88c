//! The arguments resolved against the signature: the only input of the expansion.

mod resolve;

use proc_macro2::{Ident, Span};
use syn::{Expr, ExprPath, Type};

use crate::args::{Args, Argument, Completed, Duration, InProgress, Mode};
use crate::function::Function;
use crate::key::{Part, Path};
use crate::report::Report;

/// An annotated function in which every name is known.
#[derive(Clone, Debug)]
pub struct Operation {
    pub(crate) function: Function,
    pub(crate) name: Named,
    pub(crate) key: Vec<KeyPart>,
    pub(crate) validate: Vec<Selection>,
    pub(crate) ttl: Duration,
    pub(crate) lease: Option<Duration>,
    pub(crate) deadline: Option<Expr>,
    pub(crate) in_progress: Option<InProgress>,
    pub(crate) completed: Option<Completed>,
    pub(crate) replayed: Option<ExprPath>,
    pub(crate) mode: Option<Mode>,
    pub(crate) store: Option<Expr>,
    pub(crate) krate: Option<syn::Path>,
}

/// The name of the operation, and the token it comes from.
#[derive(Clone, Debug)]
pub(crate) struct Named {
    pub(crate) text: String,
    pub(crate) span: Span,
}

/// A part of the key with the variable it begins at; none for a literal.
#[derive(Clone, Debug)]
pub(crate) struct KeyPart {
    pub(crate) part: Part,
    pub(crate) root: Option<Ident>,
}

/// Something that must be equal in two calls, without what is excluded from it.
#[derive(Clone, Debug)]
pub(crate) struct Selection {
    pub(crate) path: Path,
    pub(crate) root: Ident,
    pub(crate) excluded: Vec<Path>,
}

impl Operation {
    /// Resolves every name; reports what is unknown, contradictory or without effect.
    pub(crate) fn resolve(args: Args, function: Function, report: &mut Report) -> Option<Self> {
        let name = resolve::operation_name(&args, &function, report);
        let key = resolve::key(&args, &function, report);
        let validate = resolve::validate(&args, &function, report);
        resolve::ignore(&args, key.as_deref(), validate.as_deref(), &function, report);
        Some(Self {
            name: name?,
            key: key?,
            validate: validate?,
            ttl: value(args.ttl)?,
            lease: value(args.lease),
            deadline: value(args.deadline),
            in_progress: value(args.in_progress),
            completed: value(args.completed),
            replayed: value(args.replayed),
            mode: value(args.mode),
            store: value(args.store),
            krate: value(args.krate),
            function,
        })
    }

    /// The name under which outcomes are stored.
    pub fn name(&self) -> &str {
        &self.name.text
    }

    pub(crate) fn output(&self) -> &Type {
        &self.function.output
    }
}

fn value<T>(argument: Option<Argument<T>>) -> Option<T> {
    argument.and_then(|argument| argument.value)
}

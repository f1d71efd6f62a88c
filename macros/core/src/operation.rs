//! The arguments resolved against the signature: the only input of the expansion.

mod agreement;
mod describe;
mod everything;
mod owned;
mod resolve;
mod stored;

use proc_macro2::{Ident, Span};
use syn::{Expr, ExprPath, Generics, Type, TypePath};

pub use self::describe::{PartInfo, Window};
use crate::args::{
    Allow, Args, Argument, Completed, Duration, InProgress, Mode, OnCrash, OnExpired, OnStoreError, Scope,
    Sources, Version,
};
use crate::function::Function;
use crate::key::{Part, Path};
use crate::lint::windows;
use crate::policy::Policy;
use crate::report::Report;

/// An annotated function with its attribute.
///
/// Names that are unknown were reported and are left out; such an operation is linted, but not expanded.
#[derive(Clone, Debug)]
pub struct Operation {
    pub(crate) function: Function,
    pub(crate) name: Named,
    pub(crate) key: Vec<KeyPart>,
    pub(crate) validate: Validate,
    pub(crate) ignored: Vec<Ident>,
    /// `None` only if that was reported.
    pub(crate) ttl: Option<Duration>,
    pub(crate) lease: Option<Duration>,
    pub(crate) deadline: Option<Expr>,
    pub(crate) in_progress: Option<InProgress>,
    pub(crate) completed: Option<Completed>,
    pub(crate) replayed: Option<ExprPath>,
    pub(crate) on_crash: Option<OnCrash>,
    pub(crate) on_expired: Option<OnExpired>,
    pub(crate) tombstone: Option<Duration>,
    pub(crate) effect_timeout: Option<Duration>,
    pub(crate) on_store_error: Option<OnStoreError>,
    pub(crate) mode: Option<Mode>,
    pub(crate) store: Option<Expr>,
    pub(crate) sources: Option<Sources>,
    pub(crate) version: Option<Version>,
    pub(crate) migrate: Option<ExprPath>,
    pub(crate) codec: Option<TypePath>,
    pub(crate) reconcile: Option<Expr>,
    /// Where the word stands.
    pub(crate) detached: Option<Span>,
    pub(crate) scope: Option<Scope>,
    pub(crate) allows: Vec<Allow>,
    pub(crate) krate: Option<syn::Path>,
    /// Whether `key`, `validate` and `ignore` hold all that was written.
    pub(crate) complete: bool,
    pub(crate) positions: Positions,
    /// What the function stands in; only whoever reads the file knows.
    pub(crate) surroundings: Option<Surroundings>,
}

/// The `impl` block or the trait around a function.
#[derive(Clone, Debug)]
pub(crate) struct Surroundings {
    pub(crate) generics: Generics,
    /// The type that `Self` is; none in a trait.
    pub(crate) self_type: Option<Type>,
}

/// Which argument is which, from one in the order of the attribute; zero for one that is not given.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Positions {
    pub(crate) key: usize,
    pub(crate) validate: usize,
    pub(crate) ttl: usize,
    pub(crate) lease: usize,
    pub(crate) source: usize,
    pub(crate) scope: usize,
    pub(crate) op: usize,
}

/// What two calls are compared by.
#[derive(Clone, Debug)]
pub(crate) enum Validate {
    /// No argument, or one that was reported.
    Missing,
    /// `none`
    Nothing,
    Selected(Vec<Selection>),
}

impl Validate {
    pub(crate) fn selections(&self) -> &[Selection] {
        match self {
            Self::Selected(selections) => selections,
            Self::Missing | Self::Nothing => &[],
        }
    }
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
    pub(crate) fn resolve(
        args: Args,
        function: Function,
        policy: &Policy,
        report: &mut Report,
    ) -> Option<Self> {
        let name = resolve::operation_name(&args, &function, report);
        let (key, key_complete) = resolve::key(&args, &function, report);
        let validate = resolve::validate(&args, &function, report);
        let selections = validate.as_ref().map(Validate::selections);
        let ignore_complete = resolve::ignore(&args, &key, selections, &function, report);
        agreement::check(&args, report);
        owned::check(&args, &function, report);
        let positions = positions(&args);
        let ttl = match args.ttl {
            None => policy.default_ttl.map(|value| Duration::Milliseconds { value, span: Span::call_site() }),
            given => value(given),
        };
        let sources = value(args.source);
        let lease = match args.lease {
            None => sources.as_ref().and_then(windows::lease),
            given => value(given),
        };
        Some(Self {
            name: name?,
            complete: key_complete && validate.is_some() && ignore_complete,
            key,
            validate: validate.unwrap_or(Validate::Missing),
            ignored: value(args.ignore).unwrap_or_default(),
            ttl,
            lease,
            deadline: value(args.deadline),
            in_progress: value(args.in_progress),
            completed: value(args.completed),
            replayed: value(args.replayed),
            on_crash: value(args.on_crash),
            on_expired: value(args.on_expired),
            tombstone: value(args.tombstone),
            effect_timeout: value(args.effect_timeout),
            on_store_error: value(args.on_store_error),
            mode: value(args.mode),
            store: value(args.store),
            sources,
            version: value(args.version),
            migrate: value(args.migrate),
            codec: value(args.codec),
            reconcile: value(args.reconcile),
            detached: value(args.detached),
            scope: value(args.scope),
            allows: args.allow,
            krate: value(args.krate),
            function,
            positions,
            surroundings: None,
        })
    }

    /// Adds the generics of the `impl` block or trait that the function stands in, and what `Self` is there.
    #[must_use]
    pub fn inside(mut self, generics: Generics, self_type: Option<Type>) -> Self {
        self.surroundings = Some(Surroundings { generics, self_type });
        self
    }

    /// What `reconcile` says.
    pub(crate) fn probe(&self) -> Option<&Expr> {
        self.reconcile.as_ref().map(ungrouped)
    }

    pub(crate) fn output(&self) -> &Type {
        &self.function.output
    }
}

/// The expression, out of the invisible groups that a `macro_rules!` fragment leaves.
fn ungrouped(mut expression: &Expr) -> &Expr {
    while let Expr::Group(group) = expression {
        expression = &group.expr;
    }
    expression
}

fn positions(args: &Args) -> Positions {
    fn index<T>(argument: Option<&Argument<T>>) -> usize {
        argument.map_or(0, |argument| argument.index)
    }
    Positions {
        key: index(args.key.as_ref()),
        validate: index(args.validate.as_ref()),
        ttl: index(args.ttl.as_ref()),
        lease: index(args.lease.as_ref()),
        source: index(args.source.as_ref()),
        scope: index(args.scope.as_ref()),
        op: index(args.op.as_ref()),
    }
}

fn value<T>(argument: Option<Argument<T>>) -> Option<T> {
    argument.and_then(|argument| argument.value)
}

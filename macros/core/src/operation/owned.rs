//! What a detached body may hold: nothing of the caller, which it can outlive.

use quote::ToTokens as _;
use syn::visit::{self, Visit};
use syn::{Expr, FnArg, Lifetime, Pat, PatType, Receiver, ReceiverKind, Type};

use super::ungrouped;
use crate::args::Args;
use crate::diagnostic::Place;
use crate::function::Function;
use crate::report::Report;

/// Reports borrowed arguments of a detached operation, each at its own token.
pub(super) fn check(args: &Args, function: &Function, report: &mut Report) {
    let Some(detached) = args.detached.as_ref().filter(|detached| detached.value.is_some()) else { return };
    let before = report.len();
    report.at_item();
    for argument in &function.signature.inputs {
        match argument {
            FnArg::Receiver(receiver) => check_receiver(receiver, report),
            FnArg::Typed(argument) => check_argument(argument, report),
        }
    }
    let probe = args.reconcile.as_ref().filter(|_| report.len() == before);
    if let Some((probe, Expr::Field(method))) =
        probe.and_then(|probe| Some((probe.index, ungrouped(probe.value.as_ref()?))))
    {
        report.return_to(probe);
        let shown: String = method.to_token_stream().to_string().split_whitespace().collect();
        report
            .error("borrowed-argument", &Place::of(method), format!("`{shown}` is borrowed, and `detached` needs owned values"))
            .help("the path of a function, or a closure that holds a clone: `{ let this = self.clone(); move |unknown| { .. } }`")
            .note("the body runs in a task of its own, which can outlive the caller");
    }
    report.return_to(detached.index);
}

fn check_receiver(receiver: &Receiver, report: &mut Report) {
    let borrowed = match &receiver.kind {
        ReceiverKind::Reference(..) => true,
        ReceiverKind::Typed(_, ty) => is_borrowed(ty),
        _ => false,
    };
    if borrowed {
        report_borrowed(&Place::of(receiver), "self", "take `self: Arc<Self>`, or `self`", report);
    }
}

fn check_argument(argument: &PatType, report: &mut Report) {
    if !is_borrowed(&argument.ty) {
        return;
    }
    let name = match &*argument.pat {
        Pat::Ident(pattern) => pattern.ident.to_string(),
        other => other.to_token_stream().to_string(),
    };
    let help = match &*argument.ty {
        Type::Reference(reference) => match &*reference.elem {
            Type::Path(path) if path.path.is_ident("str") => format!("take `{name}: String`"),
            Type::Slice(slice) => format!("take `{name}: Vec<{}>`", slice.elem.to_token_stream()),
            Type::Path(path) => {
                let ty: String = path.to_token_stream().to_string().split_whitespace().collect();
                format!("take `{name}: {ty}` and pass a clone, or take `{name}: Arc<{ty}>`")
            }
            _ => "clone it, or pass an `Arc`".to_owned(),
        },
        _ => "clone it, or pass an `Arc`".to_owned(),
    };
    report_borrowed(&Place::of(&argument.ty), &name, &help, report);
}

fn report_borrowed(place: &Place, name: &str, help: &str, report: &mut Report) {
    report
        .error(
            "borrowed-argument",
            place,
            format!("`{name}` is borrowed, and `detached` needs owned arguments"),
        )
        .help(help)
        .note("the body runs in a task of its own, which can outlive the caller");
}

/// Whether a value of this type holds a reference, as far as it is written.
fn is_borrowed(ty: &Type) -> bool {
    let mut finder = Finder(false);
    finder.visit_type(ty);
    finder.0
}

struct Finder(bool);

impl<'ast> Visit<'ast> for Finder {
    fn visit_type_reference(&mut self, reference: &'ast syn::TypeReference) {
        self.0 |= reference.lifetime.is_none();
        visit::visit_type_reference(self, reference);
    }

    fn visit_lifetime(&mut self, lifetime: &'ast Lifetime) {
        self.0 |= lifetime.ident != "static";
    }

    // What a function takes and returns is not held by it.
    fn visit_type_fn_ptr(&mut self, _: &'ast syn::TypeFnPtr) {}

    fn visit_parenthesized_generic_arguments(&mut self, _: &'ast syn::ParenthesizedGenericArguments) {}

    // `for<'a> Handler<&'a str>`
    fn visit_trait_bound(&mut self, bound: &'ast syn::TraitBound) {
        if bound.lifetimes.is_none() {
            visit::visit_trait_bound(self, bound);
        }
    }
}

//! `swallowed-error`

mod awaited;
mod forms;
mod handling;
mod visitor;

use syn::visit::Visit as _;
use syn::{Expr, Stmt};

use self::visitor::Visitor;
use super::{Lint, Subject, body};
use crate::diagnostic::Level;
use crate::report::Report;

pub(super) const LINT: Lint = Lint::new(
    "swallowed-error",
    Level::Warning,
    "the body throws an error away and can still return `Ok`",
    include_str!("explain/swallowed-error.md"),
    check,
);

/// What stands in every body that this finds something in, apart from names with a leading underscore.
const WORDS: [&str; 13] = [
    "Err",
    "Ok",
    "drop",
    "is_err",
    "is_ok",
    "map_or",
    "map_or_else",
    "ok",
    "or",
    "or_else",
    "unwrap_or",
    "unwrap_or_default",
    "unwrap_or_else",
];

fn check(subject: &Subject<'_>, report: &mut Report) {
    let is_sign = |word: &str| word.starts_with('_') || WORDS.contains(&word);
    let Some(statements) = body::statements(subject, is_sign) else { return };
    let body = subject.operation.function.body.stream();
    let mut visitor = Visitor::new(body, end(&statements));
    for statement in &statements {
        visitor.visit_stmt(statement);
    }
    report.at_item();
    for (place, message, help) in visitor.found {
        report
            .lint(&LINT, &place, message)
            .help(help)
            .note("the record would say completed for work that was not done, and no retry would do it");
    }
}

/// What the last expression of the body is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Success,
    Error,
    Other,
}

fn end(statements: &[Stmt]) -> End {
    let Some(Stmt::Expr(last, _)) = statements.last() else { return End::Other };
    let value = match last {
        Expr::Return(returned) => returned.expr.as_deref(),
        last => Some(last),
    };
    let name = match value {
        Some(Expr::Call(call)) => awaited::called(&call.func).map(ToString::to_string),
        _ => None,
    };
    match name.as_deref() {
        Some("Ok") => End::Success,
        Some("Err") => End::Error,
        _ => End::Other,
    }
}

//! `op`

use std::rc::Rc;

use proc_macro2::{Ident, Span};
use syn::LitStr;
use syn::parse::ParseStream;

use super::parse_or_report;
use super::value::equals;
use crate::diagnostic::Place;
use crate::literal::TextLiteral;
use crate::report::Report;

/// The explicit name of the operation.
#[derive(Clone, Debug)]
pub(crate) struct OperationName {
    pub(crate) text: String,
    pub(crate) span: Span,
}

/// `op = "orders.create"`
pub(super) fn operation_name(
    name: &Ident,
    input: ParseStream<'_>,
    report: &mut Report,
) -> Option<OperationName> {
    equals(name, input, report)?;
    let literal: LitStr = parse_or_report(input, name, "a text", "op = \"orders.create\"", report)?;
    let text = Rc::new(TextLiteral::new(&literal));
    let value = text.value();
    if value.is_empty() || value.len() > LONGEST_NAME {
        let message = if value.is_empty() { "`op` is empty" } else { "`op` is longer than 64 characters" };
        report
            .error("bad-operation-name", &Place::at(literal.span()), message)
            .help("`op = \"orders.create\"`")
            .note(NAMES);
        return None;
    }
    if let Some((start, wrong)) = value.char_indices().find(|(_, c)| !is_name_character(*c)) {
        let place = Place::within(&text, start..start + wrong.len_utf8());
        let better: String = value.chars().map(|c| if is_name_character(c) { c } else { '_' }).collect();
        report
            .error(
                "bad-operation-name",
                &place,
                format!("`{wrong}` cannot stand in the name of an operation"),
            )
            .help(format!("`op = \"{better}\"`"))
            .note(NAMES);
        return None;
    }
    Some(OperationName { text: value.to_owned(), span: literal.span() })
}

/// What the name of an operation is made of.
pub(crate) const NAMES: &str = "names hold letters, digits, `_`, `.` and `-`, at most 64";

const LONGEST_NAME: usize = 64;

fn is_name_character(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-')
}

/// Whether `name` can be an operation's.
pub(crate) fn is_operation_name(name: &str) -> bool {
    !name.is_empty() && name.len() <= LONGEST_NAME && name.chars().all(is_name_character)
}

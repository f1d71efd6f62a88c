//! The names that the patterns of parameters bring into scope.

use proc_macro2::Ident;
use syn::ext::IdentExt as _;
use syn::{FieldPat, Member, Pat, PatStruct, Type};

use super::Parameter;

/// Adds the names that `pattern` binds, of a parameter of type `ty`.
pub(super) fn collect_parameters(pattern: &Pat, ty: &Type, parameters: &mut Vec<Parameter>) {
    let whole = matches!(pattern, Pat::Ident(pattern) if pattern.subpat.is_none());
    let mut bindings = Bindings { found: Vec::new(), fields: Vec::new() };
    bindings.collect(pattern);
    let parameter = |(name, fields)| Parameter { name, ty: ty.clone(), whole, fields };
    parameters.extend(bindings.found.into_iter().map(parameter));
}

struct Bindings {
    found: Vec<(Ident, Vec<String>)>,
    /// What is being read through.
    fields: Vec<String>,
}

impl Bindings {
    fn collect(&mut self, pattern: &Pat) {
        match pattern {
            Pat::Ident(pattern) => {
                // `Marker` is a unit struct, not a binding; only the spelling tells.
                let marked =
                    pattern.by_ref.is_some() || pattern.mutability.is_some() || pattern.subpat.is_some();
                if marked || !pattern.ident.to_string().starts_with(char::is_uppercase) {
                    self.found.push((pattern.ident.clone(), self.fields.clone()));
                }
                if let Some((_, inner)) = &pattern.subpat {
                    self.collect(inner);
                }
            }
            Pat::Paren(pattern) => self.collect(&pattern.pat),
            Pat::Reference(pattern) => self.collect(&pattern.pat),
            Pat::Type(pattern) => self.collect(&pattern.pat),
            // All cases bind the same names.
            Pat::Or(pattern) => pattern.cases.iter().take(1).for_each(|case| self.collect(case)),
            Pat::Slice(pattern) => self.elements(pattern.elems.iter()),
            Pat::Tuple(pattern) => self.elements(pattern.elems.iter()),
            Pat::TupleStruct(pattern) => self.elements(pattern.elems.iter()),
            Pat::Struct(pattern) => {
                pattern.fields.iter().for_each(|field| self.field(pattern, field));
            }
            _ => {}
        }
    }

    /// `Some(no)` is what it is read from; one of several is not.
    fn elements<'a>(&mut self, elements: impl ExactSizeIterator<Item = &'a Pat>) {
        let before = self.fields.clone();
        if elements.len() > 1 {
            self.fields.clear();
        }
        elements.for_each(|element| self.collect(element));
        self.fields = before;
    }

    fn field(&mut self, pattern: &PatStruct, field: &FieldPat) {
        let length = self.fields.len();
        if let (Some(owner), Member::Named(name)) = (pattern.path.segments.last(), &field.member) {
            self.fields.push(last_word(&owner.ident.to_string()));
            self.fields.push(name.unraw().to_string());
        }
        self.collect(&field.pat);
        self.fields.truncate(length);
    }
}

/// `CreateOrderRequest` → `request`
fn last_word(name: &str) -> String {
    let start = name.rfind(char::is_uppercase).unwrap_or(0);
    name.get(start..).unwrap_or(name).to_lowercase()
}

//! The names that types and values go by.

use syn::Expr;
use syn::ext::IdentExt as _;

/// `Orders` of `orders::Orders<Db>`
pub(super) fn type_name(ty: &syn::Type) -> Option<String> {
    match ty {
        syn::Type::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()),
        syn::Type::Reference(inner) => type_name(&inner.elem),
        _ => None,
    }
}

/// `mailer` of `self.state.mailer`
pub(super) fn receiver_name(receiver: &Expr) -> Option<String> {
    match receiver {
        Expr::Path(path) => path.path.segments.last().map(|last| last.ident.unraw().to_string()),
        Expr::Field(field) => match &field.member {
            syn::Member::Named(name) => Some(name.unraw().to_string()),
            syn::Member::Unnamed(_) => None,
        },
        Expr::MethodCall(call) => Some(call.method.unraw().to_string()),
        Expr::Await(inner) => receiver_name(&inner.base),
        Expr::Try(inner) => receiver_name(&inner.expr),
        Expr::Reference(inner) => receiver_name(&inner.expr),
        Expr::Paren(inner) => receiver_name(&inner.expr),
        _ => None,
    }
}

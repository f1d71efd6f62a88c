//! The bounds of a type parameter, with a name or as `impl Trait`: what the spelling says of a type that nobody knows.

use quote::ToTokens as _;
use syn::{Generics, Type, TypeParam, TypeParamBound, WherePredicate};

use super::types;

/// All bounds of `ty`, if it is a type parameter of `generics` or an `impl Trait`, behind references and in `Option`s.
pub(super) fn of(ty: &Type, generics: &Generics) -> Option<Vec<TypeParamBound>> {
    let ty = types::peeled(ty);
    if let Some(inner) = types::optional(ty) {
        return of(inner, generics);
    }
    match ty {
        Type::ImplTrait(opaque) => Some(opaque.bounds.iter().cloned().collect()),
        Type::Path(path) => {
            let name = path.path.get_ident()?;
            let parameter = generics.type_params().find(|parameter| parameter.ident == *name)?;
            Some(of_parameter(parameter, generics).cloned().collect())
        }
        _ => None,
    }
}

/// The bounds of `parameter`, there and in the `where` clause.
pub(super) fn of_parameter<'a>(
    parameter: &'a TypeParam,
    generics: &'a Generics,
) -> impl Iterator<Item = &'a TypeParamBound> {
    let clauses = generics.where_clause.iter().flat_map(|clause| &clause.predicates);
    let further = clauses.filter_map(|predicate| match predicate {
        WherePredicate::Type(bounded) if is_named(&bounded.bounded_ty, parameter) => Some(&bounded.bounds),
        _ => None,
    });
    [&parameter.bounds].into_iter().chain(further).flatten()
}

fn is_named(ty: &Type, parameter: &TypeParam) -> bool {
    parameter.ident == ty.to_token_stream().to_string()
}

/// Whether the last segment of the trait is one of `names`.
pub(super) fn is_one_of(bound: &TypeParamBound, names: &[&str]) -> bool {
    let TypeParamBound::Trait(bound) = bound else { return false };
    bound.path.segments.last().is_some_and(|last| names.iter().any(|name| last.ident == name))
}

/// `Serialize`
pub(super) fn is_serialize(bound: &TypeParamBound) -> bool {
    is_one_of(bound, &["Serialize"])
}

/// `FnOnce() -> u8`, `AsyncFn()`
pub(super) fn is_call(bound: &TypeParamBound) -> bool {
    is_one_of(bound, &["AsyncFn", "AsyncFnMut", "AsyncFnOnce", "Fn", "FnMut", "FnOnce"])
}

//! What a function stands in: an `impl` block or a trait.

use syn::{Generics, ItemImpl, ItemTrait, Type};

use super::names::type_name;

/// An `impl` block or a trait.
#[derive(Clone, Debug)]
pub(crate) struct Owner {
    /// The last name of the type, or the trait.
    pub(crate) name: Option<String>,
    pub(crate) generics: Generics,
    /// What `Self` is; none in a trait.
    pub(crate) self_type: Option<Type>,
}

impl Owner {
    pub(super) fn of_impl(item: &ItemImpl) -> Self {
        Self {
            name: type_name(&item.self_ty),
            generics: item.generics.clone(),
            self_type: Some((*item.self_ty).clone()),
        }
    }

    pub(super) fn of_trait(item: &ItemTrait) -> Self {
        Self { name: Some(item.ident.to_string()), generics: item.generics.clone(), self_type: None }
    }
}

//! Definitions of types: what a recorded result is made of.

use quote::ToTokens as _;
use syn::ext::IdentExt as _;
use syn::{Attribute, Field, Fields, Ident, Type, Variant};

use super::visit::FileVisitor;
use crate::workspace::Role;

impl FileVisitor<'_> {
    /// What tests or one function define is no result of the product.
    pub(super) fn definition(&mut self, attributes: &[Attribute], read: impl FnOnce(usize) -> Definition) {
        self.under(attributes, |this| {
            if this.frames.is_empty() && !this.context.is_test && this.context.role == Role::Product {
                this.walked.definitions.push(read(this.context.package));
            }
        });
    }
}

/// A struct, an enum, or another name for a type.
#[derive(Debug)]
pub(crate) struct Definition {
    /// Index of the package.
    pub(crate) package: usize,
    pub(crate) name: String,
    /// What serde sees of it: names, types, and attributes of serde, in an order that does not depend on the source.
    pub(crate) text: String,
    /// The types of its fields.
    pub(crate) types: Vec<Type>,
}

impl Definition {
    pub(super) fn of_struct(item: &syn::ItemStruct, package: usize) -> Self {
        let text = attributes(&item.attrs) + &fields(&item.fields);
        Self::new(&item.ident, text, item.fields.iter(), package)
    }

    pub(super) fn of_enum(item: &syn::ItemEnum, package: usize) -> Self {
        let variant = |variant: &Variant| {
            format!("{}{} {}", attributes(&variant.attrs), variant.ident, fields(&variant.fields))
        };
        let mut variants: Vec<String> = item.variants.iter().map(variant).collect();
        variants.sort();
        let text = attributes(&item.attrs) + &variants.join(" | ");
        Self::new(&item.ident, text, item.variants.iter().flat_map(|variant| &variant.fields), package)
    }

    pub(super) fn of_alias(item: &syn::ItemType, package: usize) -> Self {
        let text = item.ty.to_token_stream().to_string();
        Self { package, name: item.ident.unraw().to_string(), text, types: vec![(*item.ty).clone()] }
    }

    fn new<'a>(name: &Ident, text: String, fields: impl Iterator<Item = &'a Field>, package: usize) -> Self {
        Self {
            package,
            name: name.unraw().to_string(),
            text,
            types: fields.map(|field| field.ty.clone()).collect(),
        }
    }
}

/// Fields with names are found by them; others by their position.
fn fields(fields: &Fields) -> String {
    let mut texts: Vec<String> = fields.iter().map(field).collect();
    match fields {
        Fields::Named(_) => {
            texts.sort();
            format!("{{ {} }}", texts.join(", "))
        }
        Fields::Unnamed(_) => format!("( {} )", texts.join(", ")),
        Fields::Unit => String::new(),
    }
}

fn field(field: &Field) -> String {
    let name = field.ident.as_ref().map(|name| format!("{}: ", name.unraw())).unwrap_or_default();
    attributes(&field.attrs) + &name + &field.ty.to_token_stream().to_string()
}

/// The attributes that serde reads.
fn attributes(attributes: &[Attribute]) -> String {
    let of_serde = attributes.iter().filter(|attribute| attribute.path().is_ident("serde"));
    of_serde.map(|attribute| attribute.to_token_stream().to_string() + " ").collect()
}

#[cfg(test)]
mod tests {
    use super::Definition;

    fn text(item: &str) -> String {
        match syn::parse_str(item).unwrap() {
            syn::Item::Struct(item) => Definition::of_struct(&item, 0).text,
            syn::Item::Enum(item) => Definition::of_enum(&item, 0).text,
            syn::Item::Type(item) => Definition::of_alias(&item, 0).text,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_serde_does_not_see_is_left_out() {
        let plain = text("struct Order { number: u64, lines: Vec<Line> }");
        assert_eq!(
            text("/// Doc.\n#[derive(Debug)] pub struct Order { pub lines: Vec< Line >, number: u64 }"),
            plain
        );
        assert_eq!(text("enum Kind { A, B(u8) }"), text("enum Kind { /** b */ B(u8), A }"));
    }

    #[test]
    fn what_serde_sees_is_a_difference() {
        let plain = text("struct Order { number: u64 }");
        for other in [
            "struct Order { no: u64 }",
            "struct Order { number: u32 }",
            "struct Order { #[serde(rename = \"no\")] number: u64 }",
            "#[serde(transparent)] struct Order { number: u64 }",
            "struct Order(u64);",
            "struct Order;",
            "type Order = u64;",
        ] {
            assert_ne!(text(other), plain, "{other}");
        }
        assert_ne!(text("struct P(u8, u16);"), text("struct P(u16, u8);"));
        assert_ne!(text("enum Kind { A, B(u8) }"), text("enum Kind { A, B(u16) }"));
    }
}

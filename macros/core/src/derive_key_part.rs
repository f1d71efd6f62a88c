//! `derive(KeyPart)` for newtypes and fieldless enums.

use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;
use syn::ext::IdentExt as _;
use syn::spanned::Spanned as _;
use syn::{
    Attribute, Data, DataEnum, DeriveInput, Field, Fields, LitStr, Member, Type, Variant, parse_quote,
};

use crate::diagnostic::Place;
use crate::krate;
use crate::report::Report;

/// Implements `KeyPart`, or says why the type cannot be one.
pub(crate) fn derive(input: TokenStream) -> TokenStream {
    let input: DeriveInput = match syn::parse2(input) {
        Ok(input) => input,
        Err(error) => return error.to_compile_error(),
    };
    let mut report = Report::new();
    let implementation = implementation(&input, &mut report);
    let diagnostics = report.into_diagnostics();
    match implementation {
        Some(implementation) if diagnostics.is_empty() => implementation,
        _ => diagnostics.iter().map(crate::Diagnostic::to_compile_error).collect(),
    }
}

// Input:
//     struct TenantId(String);
//
// Output:
//     impl ::idempotency::Classified for TenantId { type Kind = ::idempotency::Fit; }
//
//     impl ::idempotency::KeyPart for TenantId {
//         fn write_part(&self, out: &mut PartWriter<'_>) -> Result<(), PartError> {
//             ::idempotency::KeyPart::write_part(&self.0, out)
//         }
//     }
fn implementation(input: &DeriveInput, report: &mut Report) -> Option<TokenStream> {
    let options = options(&input.attrs, &["crate"], report);
    let span = Span::mixed_site();
    let krate = krate::path(options.krate.as_ref(), span);
    let mut generics = input.generics.clone();
    let body = match &input.data {
        Data::Struct(data) => {
            let (member, field) = only_field(input, &data.fields, report)?;
            if generics.type_params().next().is_some() {
                let ty = &field.ty;
                generics.make_where_clause().predicates.push(parse_quote!(#ty: #krate::KeyPart));
            }
            // All of it at the field: a wrong type is then underlined alone.
            let span = span.located_at(field.ty.span());
            let krate = krate::path(options.krate.as_ref(), span);
            quote_spanned!(span=> #krate::KeyPart::write_part(&self.#member, out))
        }
        Data::Enum(data) => variants(data, &krate, report)?,
        Data::Union(data) => {
            report
                .error("unusable-part", &Place::at(data.union_token.span), "a union cannot be a key part")
                .help("implement `KeyPart` by hand");
            return None;
        }
    };
    let name = &input.ident;
    let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
    Some(quote_spanned! {span=>
        #[automatically_derived]
        impl #impl_generics #krate::Classified for #name #type_generics #where_clause {
            type Kind = #krate::Fit;
        }

        #[automatically_derived]
        impl #impl_generics #krate::KeyPart for #name #type_generics #where_clause {
            fn write_part(
                &self,
                out: &mut #krate::PartWriter<'_>,
            ) -> ::core::result::Result<(), #krate::PartError> {
                #body
            }
        }
    })
}

/// The one field that holds the value; `PhantomData` holds none.
fn only_field<'a>(
    input: &DeriveInput,
    fields: &'a Fields,
    report: &mut Report,
) -> Option<(Member, &'a Field)> {
    let mut values = fields.members().zip(fields).filter(|(_, field)| !is_phantom(&field.ty));
    match (values.next(), values.next()) {
        (Some((mut member, field)), None) => {
            let span = Span::mixed_site().located_at(field.ty.span());
            match &mut member {
                Member::Named(name) => name.set_span(name.span().located_at(span)),
                Member::Unnamed(index) => index.span = span,
            }
            Some((member, field))
        }
        (None, _) => {
            report
                .error(
                    "unusable-part",
                    &Place::at(input.ident.span()),
                    format!("`{}` holds no value", input.ident),
                )
                .help("`derive(KeyPart)` is for structs with one field and for enums without fields");
            None
        }
        (Some(_), Some((_, second))) => {
            report
                .error(
                    "unusable-part",
                    &Place::of(second),
                    format!("a key part is one value, and `{}` holds several", input.ident),
                )
                .help(format!("name the fields in the key: `{}`", named_fields(input, fields)))
                .note("`derive(KeyPart)` is for structs with one field and for enums without fields");
            None
        }
    }
}

/// `order_id.region + order_id.number`, with an argument named like its type.
fn named_fields(input: &DeriveInput, fields: &Fields) -> String {
    let mut argument = String::new();
    for (index, letter) in input.ident.unraw().to_string().chars().enumerate() {
        if index > 0 && letter.is_uppercase() {
            argument.push('_');
        }
        argument.extend(letter.to_lowercase());
    }
    let values = fields.members().zip(fields).filter(|(_, field)| !is_phantom(&field.ty));
    let paths = values.map(|(member, _)| match member {
        Member::Named(name) => format!("{argument}.{name}"),
        Member::Unnamed(position) => format!("{argument}.{}", position.index),
    });
    paths.collect::<Vec<_>>().join(" + ")
}

fn is_phantom(ty: &Type) -> bool {
    matches!(ty, Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "PhantomData"))
}

// Output:
//     out.push_str(match *self { Self::Eu => "Eu", … });
//     Ok(())
fn variants(data: &DataEnum, krate: &TokenStream, report: &mut Report) -> Option<TokenStream> {
    let before = report.len();
    let span = Span::mixed_site();
    let mut texts: Vec<String> = Vec::new();
    let mut arms = Vec::new();
    for variant in &data.variants {
        if !matches!(variant.fields, Fields::Unit) {
            report
                .error(
                    "unusable-part",
                    &Place::of(&variant.fields),
                    "a variant of a key part holds no fields",
                )
                .help("implement `KeyPart` by hand")
                .note("`derive(KeyPart)` is for structs with one field and for enums without fields");
            continue;
        }
        let text = variant_text(variant, report);
        if texts.contains(&text) {
            report
                .error(
                    "unusable-part",
                    &Place::at(variant.ident.span()),
                    format!("two variants are written `{text}`"),
                )
                .help("`#[key_part(rename = \"…\")]` with another text");
        }
        let name = &variant.ident;
        arms.push(quote_spanned!(span=> Self::#name => #text));
        texts.push(text);
    }
    if data.variants.is_empty() {
        return Some(quote_spanned!(span=> match *self {}));
    }
    (report.len() == before)
        .then(|| quote_spanned! {span=> #krate::KeyPart::write_part(match *self { #(#arms,)* }, out) })
}

/// The name of the variant, or what `rename` says.
fn variant_text(variant: &Variant, report: &mut Report) -> String {
    let options = options(&variant.attrs, &["rename"], report);
    let name = || variant.ident.unraw().to_string();
    options.rename.map_or_else(name, |text| text.value())
}

#[derive(Default)]
struct Options {
    krate: Option<syn::Path>,
    rename: Option<LitStr>,
}

/// Reads `#[key_part(..)]`, of which `known` options have a meaning here.
fn options(attributes: &[Attribute], known: &[&str], report: &mut Report) -> Options {
    let mut options = Options::default();
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("key_part")) {
        let read = attribute.parse_nested_meta(|meta| {
            if meta.path.is_ident("crate") && known.contains(&"crate") {
                options.krate = Some(meta.value()?.call(syn::Path::parse_mod_style)?);
            } else if meta.path.is_ident("rename") && known.contains(&"rename") {
                let text: LitStr = meta.value()?.parse()?;
                if text.value().is_empty() {
                    return Err(syn::Error::new_spanned(text, "a key part cannot be empty"));
                }
                options.rename = Some(text);
            } else {
                let known = crate::suggest::list(known.iter().copied());
                return Err(meta.error(format!("unknown option; here it is {known}")));
            }
            Ok(())
        });
        if let Err(error) = read {
            report.error("malformed-argument", &Place::at(error.span()), error.to_string());
        }
    }
    options
}

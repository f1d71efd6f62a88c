//! `derive(Classify)`: what each variant of an error type means for a retry.

mod read;
mod recording;

use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;
use syn::spanned::Spanned as _;
use syn::{Attribute, Data, DataEnum, DeriveInput, Field, Fields, Member, Type, Variant, parse_quote};

use self::read::{Class, Given};
use crate::diagnostic::Place;
use crate::krate;
use crate::report::Report;

/// Implements `Classify`, or says what is missing.
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

/// What a variant, or a struct, has been given: its pattern and its class.
struct Case<'a> {
    pattern: TokenStream,
    given: Given,
    /// The only field, of what is classified by it.
    inner: Option<&'a Field>,
}

// Input:
//     enum ChargeError {
//         #[terminal] Declined { reason: String },
//         #[inner] Idempotency(#[from] idempotency::Error),
//     }
//
// Output:
//     impl ::idempotency::Classify for ChargeError {
//         const TERMINAL: TerminalErrors<Self> = ::idempotency::__private::recorded::<Self>();
//
//         fn class(&self) -> ErrorClass {
//             match self {
//                 Self::Declined { .. } => ErrorClass::Terminal,
//                 Self::Idempotency { 0: __inner } => Classify::class(__inner),
//             }
//         }
//     }
fn implementation(input: &DeriveInput, report: &mut Report) -> Option<TokenStream> {
    let explicit = read::crate_path(&input.attrs, report);
    let cases = cases(input, report)?;
    let span = Span::mixed_site();
    let krate = krate::path(explicit.as_ref(), span);
    let mut generics = input.generics.clone();
    let is_generic = generics.type_params().next().is_some();
    let arms = cases.iter().map(|case| arm(case, explicit.as_ref()));
    let arms: Vec<TokenStream> = arms.collect();
    let terminal = cases.iter().find(|case| case.given.class == Class::Terminal).map(|case| case.given.span);
    let recorded = terminal.map_or_else(
        || quote_spanned!(span=> #krate::TerminalErrors::not_recorded()),
        |terminal| {
            // All of it at the attribute, which is what asks for serde.
            let span = span.located_at(terminal);
            let krate = krate::path(explicit.as_ref(), span);
            quote_spanned!(span=> #krate::__private::recorded())
        },
    );
    if is_generic {
        let predicates = &mut generics.make_where_clause().predicates;
        if terminal.is_some() {
            predicates.push(parse_quote!(Self: #krate::__private::RecordedError));
        }
        for inner in cases.iter().filter_map(|case| case.inner) {
            let ty = &inner.ty;
            predicates.push(parse_quote!(#ty: #krate::Classify));
        }
    }
    let name = &input.ident;
    let marks = marks(input, &cases, &krate);
    let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
    Some(quote_spanned! {span=>
        #marks

        #[automatically_derived]
        impl #impl_generics #krate::Classify for #name #type_generics #where_clause {
            const TERMINAL: #krate::TerminalErrors<Self> = #recorded;

            fn class(&self) -> #krate::ErrorClass {
                match self {
                    #(#arms)*
                }
            }
        }
    })
}

// Output:
//     impl ::idempotency::__private::DerivesClasses for ChargeError {}
//     impl ::idempotency::__private::HasUnknown for ChargeError {}
//
// With the bounds of the type alone: they say what the type is, whatever its type parameters are.
fn marks(input: &DeriveInput, cases: &[Case<'_>], krate: &TokenStream) -> TokenStream {
    let span = Span::mixed_site();
    let name = &input.ident;
    let (impl_generics, type_generics, where_clause) = input.generics.split_for_impl();
    let has_unknown = cases.iter().any(|case| case.given.class == Class::Unknown);
    let marks = [("DerivesClasses", true), ("HasUnknown", has_unknown)];
    let marks = marks.iter().filter(|(_, holds)| *holds).map(|(mark, _)| {
        let mark = syn::Ident::new(mark, span);
        quote_spanned! {span=>
            #[automatically_derived]
            impl #impl_generics #krate::__private::#mark for #name #type_generics #where_clause {}
        }
    });
    marks.collect()
}

fn arm(case: &Case<'_>, explicit: Option<&syn::Path>) -> TokenStream {
    let Case { pattern, given, inner } = case;
    let span = Span::mixed_site();
    let value = match (given.class.variant(span), inner) {
        (Some(variant), _) => {
            let krate = krate::path(explicit, span);
            quote_spanned!(span=> #krate::ErrorClass::#variant)
        }
        (None, inner) => {
            // All of it at the field: a type without classes is then underlined alone.
            let span = span.located_at(inner.map_or(given.span, |field| field.ty.span()));
            let krate = krate::path(explicit, span);
            quote_spanned!(span=> #krate::Classify::class(__inner))
        }
    };
    quote_spanned!(span=> #pattern => #value,)
}

/// What has a class: the variants, or the struct itself. `None` if something is wrong, which is reported.
fn cases<'a>(input: &'a DeriveInput, report: &mut Report) -> Option<Vec<Case<'a>>> {
    let before = report.len();
    let of_type = read::class(&input.attrs, "type", report);
    if report.len() > before {
        return None;
    }
    let cases = match &input.data {
        Data::Union(data) => {
            let place = Place::at(data.union_token.span);
            let diagnostic = report.error("bad-class", &place, "a union has no variants to classify");
            diagnostic.help("implement `Classify` by hand");
            Vec::new()
        }
        Data::Struct(data) => of_struct(&input.ident, &data.fields, of_type, report).into_iter().collect(),
        Data::Enum(data) => of_variants(input, data, of_type.as_ref(), report),
    };
    (report.len() == before).then_some(cases)
}

fn of_struct<'a>(
    name: &syn::Ident,
    fields: &'a Fields,
    given: Option<Given>,
    report: &mut Report,
) -> Option<Case<'a>> {
    let before = report.len();
    read::refuse_on_fields(fields, report);
    if given.is_none() && report.len() == before {
        report_missing(name, fields, report);
    }
    if let Some(given) = &given {
        recording::check_struct(fields, given, report);
    }
    case(&quote_spanned!(Span::mixed_site()=> Self), fields, given?, report)
}

fn of_variants<'a>(
    input: &DeriveInput,
    data: &'a DataEnum,
    default: Option<&Given>,
    report: &mut Report,
) -> Vec<Case<'a>> {
    if let Some(inner) = default.filter(|given| given.class == Class::Inner) {
        report
            .error("bad-class", &Place::at(inner.span), "`inner` is the class of one variant")
            .help("write `#[inner]` on the variants that hold another error");
        return Vec::new();
    }
    if data.variants.is_empty() {
        let name = &input.ident;
        let message = format!("`{name}` has no variants to classify");
        report.error("bad-class", &Place::at(name.span()), message).help("implement `Classify` by hand");
    }
    let before = report.len();
    let cases = data.variants.iter().filter_map(|variant| of_variant(variant, default, report));
    let cases: Vec<Case<'_>> = cases.collect();
    if report.len() == before && cases.iter().any(|case| case.given.class == Class::Terminal) {
        for variant in &data.variants {
            recording::check_skipped(input, variant, report);
        }
    }
    cases
}

fn of_variant<'a>(variant: &'a Variant, default: Option<&Given>, report: &mut Report) -> Option<Case<'a>> {
    let before = report.len();
    read::refuse_on_fields(&variant.fields, report);
    let own = read::class(&variant.attrs, "variant", report);
    if report.len() > before {
        return None;
    }
    let is_own = own.is_some();
    let Some(given) = own.or_else(|| default.cloned()) else {
        report_missing(&variant.ident, &variant.fields, report);
        return None;
    };
    recording::check(variant, &given, is_own, report);
    let name = &variant.ident;
    case(&quote_spanned!(Span::mixed_site()=> Self::#name), &variant.fields, given, report)
}

fn case<'a>(path: &TokenStream, fields: &'a Fields, given: Given, report: &mut Report) -> Option<Case<'a>> {
    let span = Span::mixed_site();
    if given.class != Class::Inner {
        return Some(Case { pattern: quote_spanned!(span=> #path { .. }), given, inner: None });
    }
    let mut members = fields.members().zip(fields);
    let (Some((member, field)), None) = (members.next(), members.next()) else {
        report
            .error("bad-class", &Place::at(given.span), "`inner` is for one field, whose class it takes")
            .help("`#[retryable]`, `#[terminal]` or `#[unknown]`");
        return None;
    };
    let member = match member {
        Member::Named(name) => quote_spanned!(span=> #name),
        Member::Unnamed(index) => quote_spanned!(span=> #index),
    };
    Some(Case { pattern: quote_spanned!(span=> #path { #member: __inner }), given, inner: Some(field) })
}

fn report_missing(name: &syn::Ident, fields: &Fields, report: &mut Report) {
    let message = format!("`{name}` does not say what it means for a retry");
    let diagnostic = report.error("missing-class", &Place::at(name.span()), message);
    diagnostic.help(if holds_an_error(fields) {
        "`#[inner]`, if the error inside has classes; otherwise `#[retryable]`, `#[terminal]` or `#[unknown]`"
    } else {
        "`#[retryable]`, `#[terminal]` or `#[unknown]`"
    });
    diagnostic.note(
        "retryable: nothing has happened; terminal: answered for good, and recorded; unknown: the effect may have happened",
    );
}

/// Whether the only field is an error that `?` turns into this one.
fn holds_an_error(fields: &Fields) -> bool {
    let mut fields = fields.iter();
    let (Some(field), None) = (fields.next(), fields.next()) else { return false };
    let is_from = |attribute: &Attribute| attribute.path().is_ident("from");
    let Type::Path(path) = &field.ty else { return false };
    let is_error = path.path.segments.last().is_some_and(|last| last.ident.to_string().ends_with("Error"));
    is_error && field.attrs.iter().any(is_from)
}

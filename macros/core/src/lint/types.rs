//! What the spelling of a type says. A guess, where the compiler would know.

use super::words::{CARRIED_SHARED, CARRIED_TYPES, TOOL_SUFFIXES, delivery};
use syn::{GenericArgument, PathArguments, Type, TypeImplTrait};

/// The type without references, parentheses and smart pointers.
pub(super) fn peeled(ty: &Type) -> &Type {
    match ty {
        Type::Reference(inner) => peeled(&inner.elem),
        Type::Paren(inner) => peeled(&inner.elem),
        Type::Group(inner) => peeled(&inner.elem),
        Type::Path(path) => {
            let Some(last) = path.path.segments.last() else { return ty };
            if !POINTERS.iter().any(|pointer| last.ident == pointer) {
                return ty;
            }
            first_argument(&last.arguments).map_or(ty, peeled)
        }
        _ => ty,
    }
}

/// Whether the value is shared with others: `&T`, `Arc<T>`.
pub(super) fn is_shared(ty: &Type) -> bool {
    !std::ptr::eq(ty, peeled(ty))
}

/// Whether the name of the type is that of a tool.
pub(super) fn is_tool(ty: &Type) -> bool {
    last_segment(ty).is_some_and(|name| TOOL_SUFFIXES.iter().any(|suffix| name.ends_with(suffix)))
}

/// Whether the type is that of something that every call carries along, as a logger or a shared configuration.
pub(super) fn is_carried(ty: &Type) -> bool {
    let ty = if let Some(inner) = optional(ty) { inner } else { ty };
    let ends = |suffixes: &[&str]| {
        last_segment(ty).is_some_and(|name| suffixes.iter().any(|suffix| name.ends_with(suffix)))
    };
    ends(CARRIED_TYPES) || (is_shared(ty) && ends(CARRIED_SHARED))
}

/// Whether the argument `name` holds the headers of a request, which a proxy or a client changes for every attempt.
pub(super) fn is_header_map(ty: &Type, name: &str) -> bool {
    let Some(last) = last_segment(ty) else { return false };
    let map = ["BTreeMap", "HashMap", "Headers", "IndexMap", "Map"].contains(&last.as_str());
    last == "HeaderMap" || (map && (name == "headers" || name.ends_with("_headers")))
}

/// Whether the type is that of a moment, and not of a date or a span.
pub(super) fn is_moment(ty: &Type) -> bool {
    let names = ["DateTime", "Instant", "OffsetDateTime", "SystemTime", "Timestamp", "UtcDateTime", "Zoned"];
    is_named(ty, &names)
}

/// Whether the type is that of a calendar date.
pub(super) fn is_date(ty: &Type) -> bool {
    is_named(ty, &["Date", "NaiveDate"])
}

/// Whether no two values of the type are equal anywhere, unless they mean the same.
pub(super) fn is_unique(ty: &Type) -> bool {
    is_named(ty, &["Ulid", "Uuid"])
}

/// Whether the last segment of the type, or of what is optional in it, is one of `names`.
fn is_named(ty: &Type, names: &[&str]) -> bool {
    let ty = if let Some(inner) = optional(ty) { inner } else { ty };
    last_segment(ty).is_some_and(|name| names.contains(&name.as_str()))
}

const POINTERS: [&str; 4] = ["Arc", "Rc", "Box", "Pin"];

fn first_argument(arguments: &PathArguments) -> Option<&Type> {
    let PathArguments::AngleBracketed(arguments) = arguments else { return None };
    arguments.args.iter().find_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}

/// The last segment of the path of the type, peeled.
pub(super) fn last_segment(ty: &Type) -> Option<String> {
    match peeled(ty) {
        Type::Path(path) => path.path.segments.last().map(|segment| segment.ident.to_string()),
        _ => None,
    }
}

/// The inner type of an `Option`.
pub(super) fn optional(ty: &Type) -> Option<&Type> {
    let Type::Path(path) = peeled(ty) else { return None };
    let last = path.path.segments.last().filter(|last| last.ident == "Option")?;
    first_argument(&last.arguments)
}

pub(super) fn is_bool(ty: &Type) -> bool {
    last_segment(ty).is_some_and(|name| name == "bool")
}

/// Whether the name of the type says that it is an id: `CommandId`, `Uuid`, an integer.
pub(super) fn is_id(ty: &Type) -> bool {
    let Some(name) = last_segment(ty) else { return false };
    let ends = ["Id", "No", "Number", "Key", "Code", "Uuid", "Ulid", "Kind", "Type"];
    is_integer(&name) || ends.iter().any(|end| name.ends_with(end))
}

fn is_integer(name: &str) -> bool {
    let digits = name.trim_start_matches(['u', 'i']);
    name.len() == digits.len() + 1 && (digits == "size" || digits.parse::<u8>().is_ok())
}

/// Strings and ids: what a request can be named by.
pub(super) fn can_name_a_request(ty: &Type) -> bool {
    is_id(ty) || last_segment(ty).is_some_and(|name| matches!(name.as_str(), "String" | "str"))
}

/// A clock value, by its spelling.
pub(super) fn is_clock(ty: &Type) -> bool {
    let names = [
        "SystemTime",
        "Instant",
        "DateTime",
        "NaiveDateTime",
        "NaiveTime",
        "OffsetDateTime",
        "PrimitiveDateTime",
        "UtcDateTime",
        "Timestamp",
        "Zoned",
        "HttpDate",
        "SecondTimestamp",
        "MillisecondTimestamp",
        "Duration",
    ];
    last_segment(ty).is_some_and(|name| names.contains(&name.as_str()))
}

/// A type whose text is not the same for equal values, or not unique.
pub(super) fn is_unstable(ty: &Type) -> bool {
    let names = [
        "f32",
        "f64",
        "HashMap",
        "HashSet",
        "IpAddr",
        "Ipv4Addr",
        "Ipv6Addr",
        "SocketAddr",
        "TypeId",
        "ThreadId",
    ];
    matches!(peeled(ty), Type::Ptr(_)) || last_segment(ty).is_some_and(|name| names.contains(&name.as_str()))
}

/// A message in the envelope of its delivery.
#[derive(Clone, Copy)]
pub(super) struct Delivery {
    /// The field with what the producer wrote, if it is one.
    field: Option<&'static str>,
}

impl Delivery {
    /// What to select of the argument `name`; none if it must be parsed first.
    pub(super) fn written(self, name: &str) -> Option<String> {
        self.field.map(|field| format!("{name}.{field}"))
    }
}

/// What a service delivers, by the spelling of the type.
pub(super) fn delivery(ty: &Type) -> Option<Delivery> {
    let within = |ty| delivery(ty).map(|_| Delivery { field: None });
    match peeled(ty) {
        Type::Slice(list) => within(&list.elem),
        Type::Path(path) => {
            let last = path.path.segments.last()?;
            let inner = first_argument(&last.arguments);
            let module = path.path.segments.iter().nth_back(1);
            let is_meant = |known: &str| match (known.split_once("::"), known.strip_suffix("<_>")) {
                (Some((of, name)), _) => {
                    last.ident == name && module.is_some_and(|module| module.ident == of)
                }
                (None, Some(name)) => last.ident == name && inner.is_some(),
                (None, None) => last.ident == known,
            };
            let known = delivery::TYPES.iter().find(|(known, _)| is_meant(known));
            match known {
                Some((_, field)) => Some(Delivery { field: *field }),
                None if last.ident == "Vec" || last.ident == "Option" => within(inner?),
                None => None,
            }
        }
        _ => None,
    }
}

/// The `impl Trait` in the type of an argument.
pub(super) fn opaque(ty: &Type) -> Option<&TypeImplTrait> {
    match peeled(ty) {
        Type::ImplTrait(opaque) => Some(opaque),
        Type::Array(list) => opaque(&list.elem),
        Type::Slice(list) => opaque(&list.elem),
        Type::Tuple(tuple) => tuple.elems.iter().find_map(opaque),
        Type::Path(path) => path.path.segments.iter().find_map(|segment| {
            let PathArguments::AngleBracketed(arguments) = &segment.arguments else { return None };
            arguments.args.iter().find_map(|argument| match argument {
                GenericArgument::Type(ty) => opaque(ty),
                _ => None,
            })
        }),
        _ => None,
    }
}

/// Whether `name` stands anywhere in the type.
pub(super) fn mentions(ty: &Type, name: &str) -> bool {
    use quote::ToTokens as _;
    mentions_in(ty.to_token_stream(), name)
}

fn mentions_in(tokens: proc_macro2::TokenStream, name: &str) -> bool {
    tokens.into_iter().any(|token| match token {
        proc_macro2::TokenTree::Ident(ident) => ident == name,
        proc_macro2::TokenTree::Group(group) => mentions_in(group.stream(), name),
        _ => false,
    })
}

//! The types behind a result, as far as their source was read.

use std::collections::{BTreeMap, BTreeSet};

use syn::visit::{self, Visit};

use crate::walk::{Definition, Walked};

/// The recorded value of `result`: `Order` with a digest of its fields, and the same of every type in those. Only types
/// of the package itself, and only names that one type has: another would be a guess.
pub(super) fn of_result(result: &str, package: usize, walked: &Walked) -> Vec<String> {
    let known = known(package, walked);
    let mut found = BTreeMap::new();
    let mut open: Vec<String> = syn::parse_str(result).map(|ty| recorded(&ty)).unwrap_or_default();
    while let Some(name) = open.pop() {
        let Some(Some(definition)) = known.get(name.as_str()) else { continue };
        if found.insert(name, digest(&definition.text)).is_none() {
            open.extend(definition.types.iter().flat_map(recorded));
        }
    }
    found.into_iter().map(|(name, digest)| format!("{name} {digest:016x}")).collect()
}

/// The definitions of a package by name; `None` for a name that several have.
fn known(package: usize, walked: &Walked) -> BTreeMap<&str, Option<&Definition>> {
    let mut known = BTreeMap::new();
    for definition in walked.definitions.iter().filter(|definition| definition.package == package) {
        known.entry(definition.name.as_str()).and_modify(|one| *one = None).or_insert(Some(definition));
    }
    known
}

/// The first name that both lists hold with different digests.
pub(super) fn changed<'a>(was: &[String], now: &'a [String]) -> Option<&'a str> {
    let digests: BTreeMap<&str, &str> = was.iter().filter_map(|one| one.split_once(' ')).collect();
    let mut now = now.iter().filter_map(|one| one.split_once(' '));
    now.find(|(name, digest)| digests.get(name).is_some_and(|was| was != digest)).map(|(name, _)| name)
}

/// The names in a type, of a `Result` only those of its value: errors are not recorded.
fn recorded(ty: &syn::Type) -> Vec<String> {
    let mut names = Names(BTreeSet::new());
    names.visit_type(ty);
    names.0.into_iter().collect()
}

struct Names(BTreeSet<String>);

impl<'ast> Visit<'ast> for Names {
    fn visit_path_segment(&mut self, segment: &'ast syn::PathSegment) {
        self.0.insert(segment.ident.to_string());
        match &segment.arguments {
            syn::PathArguments::AngleBracketed(arguments) if segment.ident == "Result" => {
                if let Some(syn::GenericArgument::Type(value)) = arguments.args.first() {
                    self.visit_type(value);
                }
            }
            _ => visit::visit_path_segment(self, segment),
        }
    }
}

/// FNV-1a: the same on every machine and with every version, which the hashes of the standard library are not.
fn digest(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::{digest, recorded};

    #[test]
    fn the_names_of_a_result_are_those_of_its_value() {
        let names = |ty| recorded(&syn::parse_str(ty).unwrap());
        assert_eq!(names("Result<Vec<Order>, Error>"), ["Order", "Result", "Vec"]);
        assert_eq!(names("anyhow::Result<(Order, Line)>"), ["Line", "Order", "Result", "anyhow"]);
        assert_eq!(names("Answer<Order>"), ["Answer", "Order"]);
    }

    #[test]
    fn digests_are_those_of_the_published_function() {
        assert_eq!(digest(""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(digest("a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(digest("foobar"), 0x8594_4171_f739_67e8);
    }
}

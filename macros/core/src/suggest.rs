//! "did you mean"

/// The candidate that is most like `wrong`, if one is like it at all.
///
/// Names of one or two letters are like most others: only one in another case is.
pub(crate) fn closest<'a>(wrong: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wrong = wrong.to_lowercase();
    candidates
        .into_iter()
        .map(|candidate| (likeness(&wrong, &candidate.to_lowercase()), candidate))
        .filter(|(likeness, _)| *likeness > 0.0)
        .max_by(|(a, _), (b, _)| a.total_cmp(b))
        .map(|(_, candidate)| candidate)
}

/// Zero for what is not worth a suggestion.
fn likeness(wrong: &str, candidate: &str) -> f64 {
    // Few edits find `kye`; a common beginning finds `order` for `order_no`.
    let edits = strsim::damerau_levenshtein(wrong, candidate);
    let beginning = strsim::jaro_winkler(wrong, candidate);
    if wrong.chars().count() <= 2 {
        return if edits == 0 { 1.0 } else { 0.0 };
    }
    if edits <= (wrong.chars().count() / 3).max(1) || beginning > 0.87 { beginning.max(0.1) } else { 0.0 }
}

/// `` `a`, `b` and `c` ``
pub(crate) fn list<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    join(&names.into_iter().map(|name| format!("`{name}`")).collect::<Vec<_>>())
}

/// `a, b and c`
pub(crate) fn join(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typo_finds_its_word() {
        assert_eq!(closest("tenent_id", ["order_no", "tenant_id"]), Some("tenant_id"));
        assert_eq!(closest("kye", ["key", "ttl"]), Some("key"));
        assert_eq!(closest("TTL", ["key", "ttl"]), Some("ttl"));
        assert_eq!(closest("order", ["key", "order_no"]), Some("order_no"));
        assert_eq!(closest("retries", ["key", "ttl"]), None);
        assert_eq!(closest("x", ["a", "b"]), None);
        assert_eq!(closest("bd", ["db"]), None);
        assert_eq!(closest("ID", ["db", "id"]), Some("id"));
        assert_eq!(closest("", ["key", "ttl"]), None);
    }

    #[test]
    fn names_are_listed_in_order() {
        assert_eq!(list([]), "");
        assert_eq!(list(["a"]), "`a`");
        assert_eq!(list(["a", "b", "c"]), "`a`, `b` and `c`");
    }
}

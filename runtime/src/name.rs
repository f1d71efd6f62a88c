//! Names of operations and namespaces.

/// Whether `name` has 1 to 64 characters of `A-Z a-z 0-9 _ . -`. None of them is a separator of stored keys.
pub(crate) fn is_valid(name: &str) -> bool {
    (1..=64).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-'))
}

#[cfg(test)]
mod tests {
    use super::is_valid;

    #[test]
    fn separators_of_stored_keys_are_no_name_characters() {
        assert!(is_valid("orders.create_v2-eu"));
        assert!(is_valid(&"n".repeat(64)));
        for bad in ["", "a/b", "a:b", "a#b", "a b", "ä", &"n".repeat(65)] {
            assert!(!is_valid(bad), "{bad:?}");
        }
    }
}

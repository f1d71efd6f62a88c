//! The codes of mistakes in an attribute itself: without them there is nothing to lint.

/// One kind of mistake.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Mistake {
    /// The stable, kebab-case name.
    pub code: &'static str,
    /// One line: what is wrong.
    pub summary: &'static str,
}

const fn mistake(code: &'static str, summary: &'static str) -> Mistake {
    Mistake { code, summary }
}

/// All codes that are no lint, sorted.
pub const MISTAKES: [Mistake; 24] = [
    mistake("bad-allow", "`allow(..)` names no lint, gives no reason, or silences nothing"),
    mistake(
        "bad-class",
        "what `derive(Classify)` is given is no class, or not one, or stands in the wrong place",
    ),
    mistake("bad-duration", "a duration is not as `7d`, or is none that can be used"),
    mistake(
        "bad-operation-name",
        "`op` holds a character that the name of an operation cannot have, or is too long",
    ),
    mistake("bad-policy", "`[package.metadata.idempotency]` of the package holds a mistake"),
    mistake("borrowed-argument", "an argument of a `detached` operation is borrowed"),
    mistake("borrowed-result", "the result borrows, and a duplicate gets its copy from the store"),
    mistake(
        "contradicting-arguments",
        "an argument has no effect beside another one, or needs one that is missing",
    ),
    mistake("duplicate-argument", "an argument is given twice"),
    mistake("duplicate-attribute", "a function has the attribute twice"),
    mistake("exclusion-outside", "`validate` excludes something that it does not select"),
    mistake("ignored-and-used", "`ignore` names something that the key or `validate` uses"),
    mistake("internal", "the attribute could not be read, which is our mistake: please report it"),
    mistake("key-syntax", "`key` is not parts joined with `+`"),
    mistake("malformed-argument", "an argument has another form than its name asks for"),
    mistake("missing-argument", "`key` or `ttl` is not given"),
    mistake("missing-class", "a variant of an error type does not say what it means for a retry"),
    mistake("not-yet-supported", "a function of keys that is planned"),
    mistake("reserved-parameter", "a parameter is called `op`, which means the operation in a key"),
    mistake("rust-call", "a key holds a Rust expression, which could be another one for every attempt"),
    mistake("unknown-attribute-argument", "the attribute has no argument of that name"),
    mistake("unknown-function", "keys have no function of that name"),
    mistake("unsupported-item", "the attribute stands on something that is no function"),
    mistake("validate-syntax", "`validate` is neither `none` nor paths joined with `+` and `-`"),
];

#[cfg(test)]
mod tests {
    use super::MISTAKES;
    use crate::lint;

    #[test]
    fn codes_of_mistakes_are_sorted_and_no_lints() {
        assert!(MISTAKES.is_sorted_by(|a, b| a.code < b.code));
        for mistake in MISTAKES {
            assert!(lint::find(mistake.code).is_none(), "{}", mistake.code);
        }
    }
}

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
pub const MISTAKES: [Mistake; 26] = [
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
    mistake(
        "bad-source",
        "`source` holds a setting beyond what the service takes, or a source twice in a row",
    ),
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
    mistake(
        "scope-and-tenant",
        "`scope = global` stands beside a key with a tenant, which no two tenants share",
    ),
    mistake("unknown-attribute-argument", "the attribute has no argument of that name"),
    mistake("unknown-function", "keys have no function of that name"),
    mistake("unsupported-item", "the attribute stands on something that is no function"),
    mistake("validate-syntax", "`validate` is neither `none` nor paths joined with `+` and `-`"),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use super::MISTAKES;
    use crate::lint;

    #[test]
    fn codes_of_mistakes_are_sorted_and_no_lints() {
        assert!(MISTAKES.is_sorted_by(|a, b| a.code < b.code));
        for mistake in MISTAKES {
            assert!(lint::find(mistake.code).is_none(), "{}", mistake.code);
        }
    }

    #[test]
    fn every_code_of_a_diagnostic_is_known() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut codes = BTreeSet::new();
        collect(&root.join("src"), &mut codes);
        assert!(codes.len() > 20 && codes.contains("bad-source"), "{codes:?}");
        let page = fs::read_to_string(root.join("../../src/attribute.md")).unwrap();
        let (_, table) = page.split_once("| code | said about |").unwrap();
        let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
        let listed = rows.filter_map(|row| row.split('|').nth(1));
        codes.extend(listed.flat_map(|cell| cell.split('`').skip(1).step_by(2)).map(str::to_owned));
        for code in codes {
            let is_mistake = MISTAKES.iter().any(|mistake| mistake.code == code);
            assert!(is_mistake || lint::find(&code).is_some(), "nothing explains `{code}`");
        }
    }

    /// The texts that stand first in the arguments of a function called `error`.
    fn collect(folder: &Path, codes: &mut BTreeSet<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                collect(&path, codes);
            } else {
                let text = fs::read_to_string(&path).unwrap();
                let arguments = text.split("error(").skip(1).map(str::trim_start);
                let first = arguments.filter_map(|rest| rest.strip_prefix('"')?.split('"').next());
                codes.extend(
                    first.filter(|text| text.contains('-') && !text.contains(' ')).map(str::to_owned),
                );
            }
        }
    }
}

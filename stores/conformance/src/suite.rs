//! The macro that makes tests of the cases.

/// Makes a module with one test per case for a store.
///
/// The first argument is the name of the module, the second an expression for the [`Harness`](crate::Harness);
/// it is evaluated once per case. `cargo test fencing` runs the cases of one subject.
#[macro_export]
macro_rules! suite {
    ($name:ident, $harness:expr) => {
        mod $name {
            // For what the harness expression names; it may be a full path.
            #[allow(unused_imports)]
            use super::*;

            $crate::__verb_cases! { [$crate::__tests] $harness; }
            $crate::__call_cases! { [$crate::__tests] $harness; }
        }
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __tests {
    ($harness:expr; $($subject:ident: $run:ident [$($case:ident,)*])*) => {
        $(
            mod $subject {
                // As above: the expression is evaluated in here.
                #[allow(unused_imports)]
                use super::*;

                $(
                    #[test]
                    fn $case() {
                        $crate::$run($harness, &$crate::cases::$subject::$case);
                    }
                )*
            }
        )*
    };
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    /// What the source files define, as `subject::case`.
    fn written() -> BTreeSet<String> {
        let mut cases = BTreeSet::new();
        for file in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/cases")).unwrap() {
            let path = file.unwrap().path();
            let subject = path.file_stem().unwrap().to_str().unwrap().to_owned();
            for line in std::fs::read_to_string(&path).unwrap().lines() {
                if let Some(rest) = line.strip_prefix("pub async fn ") {
                    cases.insert(format!("{subject}::{}", rest.split('(').next().unwrap()));
                }
            }
        }
        cases
    }

    macro_rules! names {
        ($($subject:ident: $run:ident [$($case:ident,)*])*) => {
            [$($(concat!(stringify!($subject), "::", stringify!($case)).to_owned(),)*)*]
        };
    }

    #[test]
    fn every_case_that_the_table_of_behaviours_names_exists() {
        let (table, written) = (include_str!("../BEHAVIOURS.md"), written());
        let named: BTreeSet<&str> =
            table.split('`').skip(1).step_by(2).filter(|word| word.contains("::")).collect();
        let unknown: Vec<_> = named.iter().filter(|name| !written.contains(**name)).collect();
        assert!(named.len() > 100);
        assert_eq!(unknown, [&"subject::case"], "the table names cases that do not exist");
    }

    #[test]
    fn every_case_is_in_a_list() {
        let mut listed = BTreeSet::from(crate::__verb_cases! { [names] });
        listed.extend(crate::__call_cases! { [names] });
        let written = written();
        assert!(written.len() > 200);
        let missing: Vec<_> = written.difference(&listed).collect();
        assert!(missing.is_empty(), "add to the lists in `src/list`: {missing:#?}");
    }
}

//! The page of every lint: its examples are what it says, and the reference page holds all of them.
//!
//! `BLESS=1 cargo test -p idempotency-macros-core --test lint` writes the reference page anew.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::{env, fs};

use super::support::{codes_under, policy};
use idempotency_macros_core::lint::{Hosts, registry};
use idempotency_macros_core::{Level, Policy};

#[test]
fn codes_are_sorted_and_single_and_have_a_page() {
    let codes: Vec<&str> = registry().iter().map(|lint| lint.code).collect();
    let sorted: BTreeSet<&str> = codes.iter().copied().collect();
    assert_eq!(codes, sorted.into_iter().collect::<Vec<_>>());
    for lint in registry() {
        assert!(lint.code.chars().all(|c| c.is_ascii_lowercase() || c == '-'), "{}", lint.code);
        assert!(!lint.summary.ends_with('.') && lint.summary.len() < 110, "{}", lint.summary);
        assert!(lint.explain.contains("\nBad:\n") && lint.explain.contains("\nGood:\n"), "{}", lint.code);
        assert!(lint.explain.len() > 250, "{}", lint.code);
    }
}

#[test]
fn the_bad_example_of_a_page_is_found_and_the_good_one_is_not() {
    let mut checked = 0;
    for lint in registry().iter().filter(|lint| lint.hosts == Hosts::Both) {
        let policy = match lint.code {
            "missing-tenant" => policy("tenant = \"tenant_id\""),
            "ttl-too-long" => policy("max-ttl = \"365d\""),
            _ => Policy::default(),
        };
        let bad = examples(lint.explain, "Bad:")
            .iter()
            .flat_map(|code| found(code, &policy))
            .collect::<BTreeSet<_>>();
        assert!(bad.contains(lint.code), "{}: the bad example finds {bad:?}", lint.code);
        let good =
            examples(lint.explain, "Good:").iter().flat_map(|code| found(code, &policy)).collect::<Vec<_>>();
        assert!(good.is_empty(), "{}: the good example finds {good:?}", lint.code);
        checked += 1;
    }
    assert!(checked >= 28, "{checked}");
}

/// The Rust blocks after `title`, before the next title.
fn examples(page: &str, title: &str) -> Vec<String> {
    let (_, after) = page.split_once(&format!("\n{title}\n")).expect("the page has the title");
    let after = after.split("\nGood:\n").next().expect("something comes before");
    after.split("```rust\n").skip(1).map(|block| block.split("```").next().unwrap().to_owned()).collect()
}

/// The codes found in an annotated function.
fn found(code: &str, policy: &Policy) -> Vec<&'static str> {
    let mut function: syn::ItemFn = syn::parse_str(code).unwrap_or_else(|error| panic!("{error}: {code}"));
    let attribute = function.attrs.remove(0);
    let args = attribute.meta.require_list().unwrap().tokens.to_string();
    let item = quote::quote!(#function).to_string();
    codes_under(policy, &args, &item).into_iter().map(|(code, _)| code).collect()
}

#[test]
fn the_reference_page_holds_all_lints() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../src/lints.md");
    let page = reference();
    if env::var_os("BLESS").is_some() {
        fs::write(path, &page).unwrap();
    }
    let written = fs::read_to_string(path).unwrap_or_default();
    assert!(written == page, "src/lints.md is out of date; write it anew with BLESS=1");
}

fn reference() -> String {
    let mut page = String::from(INTRODUCTION);
    page.push_str("\n| lint | level | fires when |\n|---|---|---|\n");
    for lint in registry() {
        let level = if lint.level == Level::Error { "error" } else { "warning" };
        let who = match lint.hosts {
            Hosts::Command => ", by the command",
            Hosts::Compiler => ", by types",
            _ => "",
        };
        writeln!(page, "| [`{0}`](#{0}) | {level}{who} | {1} |", lint.code, lint.summary).unwrap();
    }
    for lint in registry() {
        // Examples name types of nobody; they are checked by the test above.
        let text = lint.explain.replace("```rust\n", "```text\n");
        write!(page, "\n## `{}`\n\n{}", lint.code, text).unwrap();
    }
    page
}

const INTRODUCTION: &str = "\
# Lints

What a badly designed key is. The attribute and the command `cargo idempotent check` find the same.

One finding is silenced in the attribute, with a reason: `allow(timestamp, reason = \"set once, when the order is
made\")`. An `allow` that silences nothing is an error, so that it does not outlive its reason. A package sets levels
for all its functions in `[package.metadata.idempotency]` of its `Cargo.toml`:

```toml
[package.metadata.idempotency]
tenant = \"tenant_id\"                     # a part that every key holds, or `scope = global`
default-ttl = \"7d\"                       # of attributes without `ttl`
max-ttl = \"365d\"                         # the limit of `ttl-too-long`
deny = [\"generic-operation\"]             # errors here
allow = [\"validate-covers-key-only\"]     # silent here
deny-warnings = true                     # all warnings are errors here
side-effects = [\"payments::charge\"]      # for `unprotected-effect`
names = { personal-data = [\"badge_no\"], good = [\"run_id\"], exempt = [\"Trail\"] }
```

A change of the table is seen by the next build, and all mistakes in it are named at once, with their lines. A
`default-ttl` below the default lease of 30 s is one of them.

On stable Rust a macro can warn in one way only: a warning of a lint reaches you as *use of deprecated function
`…::idempotent::<lint>`*, with the lint's text behind it. `#[allow(deprecated)]` around a function hides them; errors, and
`deny-warnings = true`, do not depend on it.

`names` adds to the lists of names. They are named like their lints, and `good` (never fires), `scope`, `classifier`,
`entity` and `local-id` (for `too-coarse`), `random`, and `exempt` (types and arguments, for `uncovered-argument`).
";

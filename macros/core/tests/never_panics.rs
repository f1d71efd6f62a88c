//! Whatever stands in the attribute, the macro answers with tokens that parse.

use proc_macro2::TokenStream;
use proptest::prelude::*;

const ITEM: &str = "async fn create(a: A, order_no: u64, op: B) -> Result<(), Error> { Ok(()) }";

const WORDS: &[&str] = &[
    "a",
    "order_no",
    "op",
    "self",
    "none",
    "hash",
    "lower",
    "date",
    "hmac",
    "key",
    "ttl",
    "ignore",
    "source",
    "sqs",
    "pipes",
    "retention",
    "allow",
    "timestamp",
    "reason",
    "scope",
    "global",
    "validate",
    "wait",
    "reject",
    "crate",
    "store",
    "r#type",
    "type",
    "await",
    "_",
    "0",
    "1.2",
    "99999999999999999999",
    "+",
    "-",
    ".",
    "?",
    ",",
    "::",
    ":",
    "=",
    "==",
    "=>",
    "&",
    "*",
    "!",
    "<",
    ">",
    "|",
    "#",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "'",
    "'x'",
    "\\\"",
    " ",
    "\n",
    "é",
    "7d",
    "days",
    "\u{0}",
    "\u{301}",
    "\u{1f980}",
];

/// Words of the grammar and of Rust, glued together at random.
fn soup() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(WORDS), 0..24).prop_map(|words| words.concat())
}

fn assert_answers(args: &str, item: &str) {
    // Unbalanced brackets and lone quotes never reach a macro.
    let (Ok(args), Ok(item)) = (args.parse::<TokenStream>(), item.parse::<TokenStream>()) else { return };
    let expanded = idempotency_macros_core::expand(args, item.clone());
    let text = expanded.to_string();
    assert!(
        text.contains("compile_error") || text.contains("__idempotency"),
        "the function would run unprotected: {text}"
    );
    assert!(!text.contains("please report this"), "a refusal without a reason: {text}");
    if syn::parse2::<syn::File>(item).is_ok() {
        syn::parse2::<syn::File>(expanded).expect("the expansion of an item is items");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn any_text_as_key(text in soup()) {
        let text = text.replace('\\', "");
        assert_answers(&format!("key = {text:?}, ttl = \"7d\""), ITEM);
        assert_answers(&format!("key = order_no, validate = {text:?}, ttl = \"7d\", op = \"x\""), ITEM);
    }

    #[test]
    fn any_tokens_as_key(text in soup()) {
        assert_answers(&format!("key = {text}, ttl = \"7d\""), ITEM);
        assert_answers(&format!("key = order_no, validate = {text}, ttl = \"7d\""), ITEM);
    }

    #[test]
    fn any_text_as_duration_and_name(text in "[0-9a-zé .,µ\u{2212}-]{0,12}|\\PC{0,8}") {
        assert_answers(&format!("key = order_no, ttl = {text:?}, lease = {text:?}, op = {text:?}"), ITEM);
    }

    #[test]
    fn any_tokens_as_arguments(text in soup()) {
        assert_answers(&text, ITEM);
    }

    #[test]
    fn any_tokens_as_item(text in soup()) {
        assert_answers("key = order_no, ttl = \"7d\"", &text);
        assert_answers("key = order_no, ttl = \"7d\"", &format!("async fn f({text}) -> Result<A, B> {{ {text} }}"));
        if let Ok(tokens) = text.parse() {
            idempotency_macros_core::derive_key_part(tokens);
        }
    }

    #[test]
    fn any_text_as_policy(text in "\\PC{0,40}", key in "[a-z-]{0,14}") {
        let table = "[package.metadata.idempotency]\n";
        let _answer = idempotency_macros_core::Policy::parse(&format!("{table}{text}"), "Cargo.toml");
        let _answer = idempotency_macros_core::Policy::parse(&format!("{table}{key} = {text}"), "Cargo.toml");
    }

    #[test]
    fn any_body_and_any_source(text in soup()) {
        let source = format!("key = order_no, ttl = \"7d\", source = {text}");
        assert_answers(&source, ITEM);
        assert_answers(&format!("key = order_no, ttl = \"7d\", allow({text})"), ITEM);
        let body = format!("async fn f(order_no: u64) -> Result<A, B> {{ let _ = {text}; {text} }}");
        assert_answers("key = order_no, ttl = \"7d\"", &body);
    }

    #[test]
    fn any_characters_as_key(text in "\\PC{0,40}") {
        assert_answers(&format!("key = {text:?}, ttl = \"7d\""), ITEM);
    }
}

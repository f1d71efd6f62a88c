//! Both forms give one tree; nothing of a key is lost.

use quote::quote;
use syn::LitStr;

use super::*;

fn text(key: &str) -> Source {
    Source::text(&LitStr::new(key, Span::call_site()))
}

fn unquoted(key: &str) -> Source {
    Source::Tokens(key.parse().unwrap())
}

fn key(source: &Source) -> Result<KeyExpression, Vec<String>> {
    let mut report = Report::new();
    let key = parse_key(source, &mut report);
    let messages: Vec<String> =
        report.into_diagnostics().iter().map(|diagnostic| diagnostic.message().to_owned()).collect();
    assert_eq!(
        key.complete,
        messages.is_empty(),
        "a refusal has a message, and only a refusal: {messages:?}"
    );
    if key.complete { Ok(key) } else { Err(messages) }
}

fn validate(source: &Source) -> Result<ValidateExpression, Vec<String>> {
    let mut report = Report::new();
    let expression = parse_validate(source, &mut report);
    let messages: Vec<String> =
        report.into_diagnostics().iter().map(|diagnostic| diagnostic.message().to_owned()).collect();
    assert_eq!(expression.is_some(), messages.is_empty(), "{messages:?}");
    expression.ok_or(messages)
}

/// The tree, without places.
fn shape(part: &Part) -> String {
    match &part.kind {
        PartKind::Operation => "op".to_owned(),
        PartKind::Literal(text) => format!("text {text:?}"),
        PartKind::Path(path) => path_shape(path),
        PartKind::Call(function, inner) => format!("{function:?}({})", shape(inner)),
    }
}

fn path_shape(path: &Path) -> String {
    let steps: Vec<&StepKind> = path.steps.iter().map(|step| &step.kind).collect();
    format!("{} {steps:?}", path.root.text)
}

fn shapes(source: &Source) -> Vec<String> {
    key(source).unwrap().parts.iter().map(shape).collect()
}

#[test]
fn both_forms_give_one_tree() {
    for (string, tokens) in [
        ("a", "a"),
        ("a + op + b", "a + op + b"),
        ("order.customer.id", "order.customer.id"),
        ("order.customer?", "order.customer?"),
        ("order?.customer?.id", "order?.customer?.id"),
        ("pair.0.1 + pair.1", "pair.0.1 + pair.1"),
        ("headers['Idempotency-Key'] + a", "headers[\"Idempotency-Key\"] + a"),
        ("json['a']['b'].c", "json[\"a\"][\"b\"].c"),
        ("'eu' + a", "\"eu\" + a"),
        ("self.tenant + self.0", "self.tenant + self.0"),
        ("hash(a)", "hash(a)"),
        ("lower(trim(order.email?)) + date(day)", "lower(trim(order.email?)) + date(day)"),
        ("a.type + r#type.x", "a.r#type + r#type.x"),
        ("hash + lower.date", "hash + lower.date"),
        ("größe + a", "größe + a"),
    ] {
        assert_eq!(shapes(&text(string)), shapes(&unquoted(tokens)), "{string}");
    }
}

#[test]
fn every_part_is_in_the_tree() {
    assert_eq!(
        shapes(&text("tenant_id+op + lower( order.email? )+ 'eu' +pair.0 + h['x-y']?.z")),
        [
            "tenant_id []",
            "op",
            "Lower(order [Field(\"email\"), Present])",
            "text \"eu\"",
            "pair [Index(0)]",
            "h [Lookup(\"x-y\"), Present, Field(\"z\")]",
        ]
    );
    assert_eq!(shapes(&text("a + hash(b)")), ["a []", "Hash(b [])"]);
    assert_eq!(shapes(&text("\n a\n\t+ b ")), ["a []", "b []"]);
}

#[test]
fn a_part_is_shown_as_it_is_written_in_a_string() {
    for written in ["a.b.0?", "h['x-y']?.z", "'eu'", "lower(trim(a))", "op"] {
        let shown: Vec<String> = key(&text(written)).unwrap().parts.iter().map(ToString::to_string).collect();
        assert_eq!(shown, [written]);
    }
}

#[test]
fn places_cover_what_they_name() {
    let key = key(&text("tenant_id + lower(order.email?) + h['x-y'].z")).unwrap();
    let underlined: Vec<&str> = key
        .parts
        .iter()
        .map(|part| {
            let underline = part.place.underline().unwrap();
            &underline.literal().value()[underline.range()]
        })
        .collect();
    assert_eq!(underlined, ["tenant_id", "lower(order.email?)", "h['x-y'].z"]);
}

#[test]
fn fragments_of_a_declarative_macro_are_opened_up() {
    let path: proc_macro2::TokenStream = quote!(order.customer);
    let group = proc_macro2::Group::new(proc_macro2::Delimiter::None, path);
    assert_eq!(shapes(&Source::Tokens(quote!(#group + op))), shapes(&unquoted("order.customer + op")));
}

#[test]
fn validate_selects_and_excludes() {
    for source in [
        text("body + items.0 - body.sent_at - body.meta.id"),
        unquoted("body + items.0 - body.sent_at - body.meta.id"),
    ] {
        let ValidateExpression::Sum { selected, excluded } = validate(&source).unwrap() else {
            panic!("nothing is selected")
        };
        let shown = |paths: &[Path]| paths.iter().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(shown(&selected), ["body", "items.0"]);
        assert_eq!(shown(&excluded), ["body.sent_at", "body.meta.id"]);
    }
    assert!(matches!(validate(&text("none")), Ok(ValidateExpression::Nothing)));
    assert!(matches!(validate(&unquoted("none")), Ok(ValidateExpression::Nothing)));
}

#[test]
fn all_mistakes_of_a_key_are_reported() {
    let messages = key(&text("a b + &c + 1 + d. + hsah(e) + f()")).unwrap_err();
    assert_eq!(
        messages,
        [
            "expected `+` before `b`",
            "parts stand without `&`",
            "a number is no part of its own",
            "expected a field after `.`",
            "unknown function `hsah` in `key`",
            "`f()` is a Rust expression; a key is made of arguments",
        ]
    );
}

#[test]
fn functions_nest_eight_deep() {
    let nested = |depth: usize| format!("{}a{}", "trim(".repeat(depth), ")".repeat(depth));
    assert!(key(&text(&nested(8))).is_ok());
    assert_eq!(key(&text(&nested(9))).unwrap_err(), ["functions are nested too deep"]);
    assert_eq!(key(&text(&nested(10_000))).unwrap_err(), ["functions are nested too deep"]);
}

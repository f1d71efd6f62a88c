//! What is said about each mistake, and where. How it looks is pinned by the goldens of `ui-tests`.

use idempotency_macros_core::{Host, Level, Policy};
use proc_macro2::TokenStream;

const FUNCTION: &str =
    "async fn create(order_no: String, body: Body, db: Db) -> Result<(), Error> { Ok(()) }";

/// Code, message, and what is underlined inside a literal (empty outside).
fn findings(args: &str, item: &str) -> Vec<(String, String, String)> {
    report(args, item)
        .iter()
        .map(|diagnostic| {
            assert_eq!(diagnostic.level(), Level::Error);
            assert_wording(diagnostic);
            let underlined = diagnostic.place().underline().map_or("", |underline| {
                underline.literal().value().get(underline.range()).expect("a range of the literal")
            });
            (diagnostic.code().to_owned(), diagnostic.message().to_owned(), underlined.to_owned())
        })
        .collect()
}

fn report(args: &str, item: &str) -> Vec<idempotency_macros_core::Diagnostic> {
    let args: TokenStream = args.parse().expect("the arguments are tokens");
    let item: TokenStream = item.parse().expect("the item is tokens");
    // The functions here have arguments that most attributes do not name; the lints have their own tests.
    let mut policy = Policy::default();
    policy.allow.push("uncovered-argument".to_owned());
    idempotency_macros_core::check(args, item, &policy, Host::Macro).into_diagnostics()
}

/// The house rules for messages.
fn assert_wording(diagnostic: &idempotency_macros_core::Diagnostic) {
    let message = diagnostic.message();
    assert!(!message.contains('\n') && !message.ends_with('.'), "{message}");
    assert!(!message.starts_with(char::is_uppercase), "{message}");
    assert!(message.chars().count() <= 100, "{message}");
    assert!(diagnostic.notes().len() <= 2, "{message}");
    assert!(diagnostic.to_string().ends_with(&format!("`{}`", diagnostic.code())), "{message}");
    let (code, lints) = (diagnostic.code(), idempotency_macros_core::lint::registry());
    let mut known = idempotency_macros_core::MISTAKES.iter().map(|mistake| mistake.code);
    assert!(known.any(|known| known == code) || lints.iter().any(|lint| lint.code == code), "{code}");
    for forbidden in ["invalid", "failed to parse", "KeyExpr", "syntax error"] {
        assert!(!message.contains(forbidden), "{message}");
    }
}

#[track_caller]
fn one(args: &str, item: &str, code: &str, message: &str, underlined: &str) {
    let expected = (code.to_owned(), message.to_owned(), underlined.to_owned());
    assert_eq!(findings(args, item), [expected], "{args}");
}

#[track_caller]
fn one_argument(argument: &str, code: &str, message: &str, underlined: &str) {
    let args = format!("key = \"order_no\", ttl = \"7d\", {argument}");
    one(&args, FUNCTION, code, message, underlined);
}

#[track_caller]
fn one_of_key(key: &str, code: &str, message: &str, underlined: &str) {
    one(&format!("key = \"{key}\", ttl = \"7d\""), FUNCTION, code, message, underlined);
}

#[track_caller]
fn one_of_validate(validate: &str, code: &str, message: &str, underlined: &str) {
    one_argument(&format!("validate = \"{validate}\""), code, message, underlined);
}

#[track_caller]
fn one_of_item(item: &str, code: &str, message: &str) {
    one("key = \"order_no\", ttl = \"7d\"", item, code, message, "");
}

#[test]
fn a_correct_attribute_has_no_findings() {
    for args in [
        "key = \"order_no\", ttl = \"7d\"",
        "key = order_no + op, ttl = Duration::from_secs(60), validate = none,",
        "key = \"order_no\", ttl = \"7d\", validate = body - body.sent_at, ignore(db), op = \"a.b-c_D9\"",
        "key = \"order_no\", ttl = \"7d\", lease = body.lease, deadline = db.deadline(), in_progress = reject",
        "key = \"order_no\", ttl = \"7d\", in_progress = wait(db.patience), completed = replay, mode = protect",
        "key = \"order_no\", ttl = \"7d\", store = open::<A, B>(&db), replayed = <A as B>::c, crate = ::x::y",
    ] {
        assert_eq!(findings(args, FUNCTION), [], "{args}");
    }
}

#[test]
fn arguments_are_known_single_and_complete() {
    one("ttl = \"7d\"", FUNCTION, "missing-argument", "missing `key`", "");
    one("key = \"order_no\"", FUNCTION, "missing-argument", "missing `ttl`", "");
    one(
        "kye = \"order_no\", ttl = \"7d\"",
        FUNCTION,
        "unknown-attribute-argument",
        "unknown argument `kye`",
        "",
    );
    one_argument("frobnicate", "unknown-attribute-argument", "unknown argument `frobnicate`", "");
    one_argument("ttl = \"1d\"", "duplicate-argument", "`ttl` is given twice", "");
}

#[test]
fn arguments_agree_with_each_other() {
    let contradicting =
        |argument: &str, message: &str| one_argument(argument, "contradicting-arguments", message, "");
    contradicting("on_expired = reject", "after the TTL nothing is left that could reject a call");
    contradicting("tombstone = \"30d\"", "a tombstone is kept, and nothing asks for it");
    contradicting("tombstone = body.kept, on_expired = run", "a tombstone is kept, and nothing asks for it");
    contradicting("migrate = f", "`migrate` reads older versions, and this is version 1");
    contradicting("migrate = f, version = 1", "`migrate` reads older versions, and this is version 1");
    let observed = |argument: &str, name: &str| {
        let message = format!("`{name}` has no effect with `mode = observe`");
        contradicting(&format!("{argument}, mode = observe"), &message);
    };
    observed("completed = reject", "completed");
    observed("on_crash = hold", "on_crash");
    observed("on_expired = reject, tombstone = \"30d\"", "on_expired");
    observed("reconcile = f", "reconcile");
    for agreeing in [
        "on_expired = reject, tombstone = \"30d\"",
        "on_expired = reject, tombstone = body.kept",
        "on_expired = run",
        "migrate = f, version = 2",
        "version = 2",
        "mode = observe, completed = replay, on_crash = rerun, on_expired = run",
    ] {
        let args = format!("key = \"order_no\", ttl = \"7d\", {agreeing}");
        assert_eq!(findings(&args, FUNCTION), [], "{args}");
    }
    // What is wrong with one of them is said once.
    one_argument(
        "on_expired = rejct, tombstone = \"30d\"",
        "malformed-argument",
        "`on_expired` is `run` or `reject`, not `rejct`",
        "",
    );
    one_argument(
        "migrate = f, version = two",
        "malformed-argument",
        "`version` is a whole number from 1",
        "",
    );
}

#[test]
fn a_detached_operation_owns_its_arguments() {
    let args = "key = \"order_no\", ttl = \"7d\", detached";
    let borrowed = |parameters: &str, name: &str| {
        let item = format!("async fn create({parameters}) -> Result<(), Error> {{ Ok(()) }}");
        let message = format!("`{name}` is borrowed, and `detached` needs owned arguments");
        one(args, &item, "borrowed-argument", &message, "");
        assert_eq!(findings("key = \"order_no\", ttl = \"7d\"", &item), [], "{item}");
    };
    borrowed("&self, order_no: u64", "self");
    borrowed("&mut self, order_no: u64", "self");
    borrowed("self: &Arc<Self>, order_no: u64", "self");
    borrowed("self: Pin<&mut Self>, order_no: u64", "self");
    borrowed("order_no: &str", "order_no");
    borrowed("order_no: Cow<'_, str>", "order_no");
    borrowed("order_no: u64, db: Option<&Db>", "db");
    borrowed("order_no: u64, db: Box<dyn Db + '_>", "db");
    borrowed("order_no: u64, db: impl Db + 'a", "db");
    borrowed("order_no: u64, db: (u8, [&Db; 2])", "db");
    borrowed("order_no: u64, (db, _): (&Db, u8)", "(db , _)");
    for owned in [
        "self, order_no: u64",
        "self: Arc<Self>, order_no: u64",
        "order_no: &'static str",
        "order_no: u64, db: impl Fn(&str) -> &str",
        "order_no: u64, db: Box<dyn for<'a> Handler<&'a str>>",
        "order_no: u64, db: fn(&str) -> Cow<'_, str>",
        "order_no: u64, db: Cow<'static, str>",
    ] {
        let item = format!("async fn create({owned}) -> Result<(), Error> {{ Ok(()) }}");
        assert_eq!(findings(args, &item), [], "{item}");
    }
    one(
        "key = \"order_no\", ttl = \"7d\", detached, reconcile = self.find",
        "async fn create(self, order_no: u64) -> Result<(), Error> { Ok(()) }",
        "borrowed-argument",
        "`self.find` is borrowed, and `detached` needs owned values",
        "",
    );
}

#[test]
fn values_have_the_form_of_their_argument() {
    let malformed = |argument: &str, message: &str| one_argument(argument, "malformed-argument", message, "");
    malformed("validate", "`validate` needs a value");
    malformed("validate =", "`validate` needs a value");
    malformed("lease =", "`lease` needs a value");
    malformed("lease(\"3s\")", "`lease` needs a value");
    malformed("7", "expected `name = value`, found `7`");
    malformed("store = =>", "`store` needs an expression");
    malformed("op = create", "`op` needs a text");
    malformed("replayed = |x| x", "`replayed` needs the path of a function");
    malformed("crate = \"x\"", "`crate` needs a path");
    malformed("ignore = db", "`ignore` takes a list in parentheses");
    malformed("ignore()", "`ignore` names no argument");
    malformed("ignore(body.x)", "`ignore` takes whole arguments");
    malformed("ignore(\"db\")", "expected a name, found `\"db\"`");
    malformed("in_progress = wait", "`wait` needs a duration");
    malformed("in_progress = block", "`in_progress` is `reject` or `wait`, not `block`");
    malformed("completed = skip", "`completed` is `replay` or `reject`, not `skip`");
    malformed("mode = \"observe\"", "`mode` is `protect` or `observe`, not `\"observe\"`");
    malformed("on_crash = retry", "`on_crash` is `rerun` or `hold`, not `retry`");
    malformed("on_expired = skip", "`on_expired` is `run` or `reject`, not `skip`");
    malformed("on_store_error = ignore", "`on_store_error` is `reject` or `run`, not `ignore`");
    malformed("version = 0", "versions are counted from 1");
    malformed("version = -1", "`version` is a whole number from 1");
    malformed("version = 4294967296", "`version` is a whole number from 1");
    malformed("version = 2u8", "`version` is a whole number from 1");
    malformed("version", "`version` needs a value");
    malformed("migrate = |old| old", "`migrate` needs the path of a function");
    malformed("codec = \"json\"", "`codec` needs the path of a type");
    malformed("reconcile =", "`reconcile` needs a value");
    malformed("detached = true", "`detached` takes no value");
    malformed("detached(always)", "`detached` takes no value");
    malformed("detached version = 2", "expected `,` between two arguments");
    malformed("mode = observe lease = \"30s\"", "expected `,` between two arguments");
    malformed("mode = observe again", "expected `,` between two arguments");
}

#[test]
fn names_of_operations_are_checked() {
    let bad = |op: &str, message: &str, underlined: &str| {
        one_argument(&format!("op = \"{op}\""), "bad-operation-name", message, underlined);
    };
    bad("", "`op` is empty", "");
    bad("a/b", "`/` cannot stand in the name of an operation", "/");
    bad("größe", "`ö` cannot stand in the name of an operation", "ö");
    bad(&"x".repeat(65), "`op` is longer than 64 characters", "");
    let item = "async fn créer(order_no: u8) -> Result<(), E> {}";
    one_of_item(item, "bad-operation-name", "`créer` cannot name an operation");
    let item = "async fn create(op: u8, order_no: u8) -> Result<(), E> {}";
    one_of_item(item, "reserved-parameter", "`op` is the operation in a key, not a parameter");
    assert_eq!(findings("key = \"order_no + op\", ttl = \"7d\", op = \"create\"", item), []);
}

#[test]
fn names_in_a_key_are_parameters() {
    let unknown = |key: &str, name: &str| {
        one_of_key(key, "unknown-argument", &format!("unknown parameter `{name}` in `key`"), name);
    };
    unknown("order_nr + op", "order_nr");
    unknown("hash(lower(order_nr))", "order_nr");
    unknown("order_nr.x?['y']", "order_nr");
    one_of_key("self.x", "unknown-argument", "this function takes no `self`", "self");
    one_of_key("op.x + order_no", "unknown-argument", "`op` is the operation; it has no fields", "op.x");
    one_of_key("op + 'eu'", "constant-key", "the key holds no argument, so all calls would be one", "");
    one_of_key(
        "order_no + body.x + order_no",
        "duplicate-part",
        "`order_no` stands twice in `key`",
        "order_no",
    );
    one_of_key("op + order_no + op", "duplicate-part", "`op` stands twice in `key`", "op");
}

#[test]
fn a_key_is_written_in_its_language() {
    let syntax =
        |key: &str, message: &str, underlined: &str| one_of_key(key, "key-syntax", message, underlined);
    syntax("", "`key` is empty", "");
    syntax("order_no +", "expected a part after `+`", "+");
    syntax("+ order_no", "expected a part before `+`", "+");
    syntax("order_no body", "expected `+` before `body`", "body");
    syntax("order_no, body", "parts are joined with `+`, found `,`", ",");
    syntax("order_no: body", "parts are joined with `+`, found `:`", ":");
    syntax("order-no", "`-` has no meaning in `key`", "-");
    syntax("{order_no}", "parts stand without braces", "{");
    syntax("*order_no", "parts stand without `*`", "*");
    syntax("order_no + 7", "a number is no part of its own", "7");
    syntax("order_no + -1", "a number is no part of its own", "-1");
    syntax("-1 + order_no", "a number is no part of its own", "-1");
    syntax("order_no + -1 + body.x", "a number is no part of its own", "-1");
    syntax("order_no + -body.x", "expected a part before `-`", "-");
    syntax("(order_no)", "parentheses only follow a function", "(");
    syntax("order_no)", "`)` closes nothing", ")");
    syntax("order_no + 'eu", "the quote is not closed", "'eu");
    syntax("body['x", "the quote is not closed", "'x");
    syntax("body['x]", "the quote is not closed", "'x]");
    syntax("order_no + hash(body['x", "the quote is not closed", "'x");
    syntax("order_no + ''", "an empty text adds nothing to the key", "''");
    syntax("order_no + ~", "expected a part, found `~`", "~");
    syntax("order_no.", "expected a field after `.`", ".");
    syntax("body.self", "`self` is no name of a field", "self");
    syntax("body.4294967296", "`4294967296` is no index of a tuple", "4294967296");
    syntax("body['x'", "`[` is not closed", "[");
    syntax("body[x]", "expected a name in quotes, found `x`", "x");
    syntax("body[0]", "expected a name in quotes, found `0`", "0");
    syntax("body['']", "expected a name between the quotes", "''");
    syntax("body[]", "expected a name in quotes after `[`", "[");
    syntax("hash()", "`hash` takes exactly one part", "hash");
    syntax("hash(order_no + body)", "`hash` takes exactly one part", "+");
    syntax("hash(order_no", "`(` is not closed", "(");
    syntax("hash(", "`(` is not closed", "(");
    syntax("hash(order_no]", "expected `)`, found `]`", "]");
    syntax("hash(op) + order_no", "`op` cannot stand inside `hash(..)`", "op");
    syntax("lower(order_no)?", "`?` cannot follow `lower(..)`", "?");
    one(
        "key = order_no + 'e', ttl = \"7d\"",
        FUNCTION,
        "key-syntax",
        "a text stands between double quotes",
        "",
    );
    one_of_key("hsah(order_no)", "unknown-function", "unknown function `hsah` in `key`", "hsah");
    one_of_key("hmac(order_no)", "not-yet-supported", "`hmac(..)` is not yet supported", "hmac");
    one_of_key("instant(order_no)", "not-yet-supported", "`instant(..)` is not yet supported", "instant");
}

#[test]
fn a_double_quote_that_is_not_closed_is_one_mistake() {
    let args = "key = r#\"order_no + body[\"x\"#, ttl = \"7d\"";
    one(args, FUNCTION, "key-syntax", "the quote is not closed", "\"x");
    let bare = "key = r#\"[\"x\"#, ttl = \"7d\"";
    one(bare, FUNCTION, "key-syntax", "the quote is not closed", "\"x");
    let behind = "key = r#\"order_no + ['x\"#, ttl = \"7d\"";
    one(behind, FUNCTION, "key-syntax", "the quote is not closed", "'x");
}

/// The one finding's help.
#[track_caller]
fn help(args: &str, item: &str) -> String {
    let found = report(args, item);
    assert_eq!(found.len(), 1, "{args}: {found:?}");
    found[0].help_text().unwrap_or_default().to_owned()
}

#[test]
fn what_other_languages_write_is_one_mistake_with_the_parts_joined() {
    let item = "async fn create(a: String, b: Body) -> Result<(), Error> {}";
    for (key, joined) in [
        ("\"{a}-{b}\"", "`a + b`"),
        ("\"order-{a}\"", "`'order-' + a`"),
        ("\"order-{a}:{b.no:?}#{a}\"", "`'order-' + a + b.no`"),
        ("\"{a}/v1/{b.no}\"", "`a + '/v1/' + b.no`"),
        ("\"{a} + b\"", "`a + b`"),
        ("{a}-{b}", "`a + b`"),
        ("\"[a, b.0]\"", "`a + b.0`"),
        ("[a, b,]", "`a + b`"),
        ("(a + b.no?)", "`a + b.no?`"),
        ("(&a, b)", "remove them"),
        ("format!(\"{}-{:?}\", a, b.no)", "`a + b.no`: a key joins its parts itself"),
        ("format!(\"{a}-{x:>8}{{\", x = b.no)", "`a + b.no`: a key joins its parts itself"),
        ("std::concat!(a, \"-\", b)", "`a + b`: a key joins its parts itself"),
        ("\"format!('{}', a)\"", "`a`: a key joins its parts itself"),
        ("format!(\"{}\", a.b())", "take the value as an argument that the caller repeats on a retry"),
    ] {
        assert_eq!(help(&format!("key = {key}, ttl = \"7d\""), item), joined, "{key}");
    }
    let validate = "key = \"a\", ttl = \"7d\", validate = \"{a}/{b}\"";
    assert_eq!(help(validate, item), "`a + b`");
}

#[test]
fn functions_of_other_languages_and_lists_are_answered_with_what_to_type() {
    let item = "async fn create(a: String, b: Body) -> Result<(), Error> {}";
    for (key, expected) in [
        ("sha256(a)", "did you mean `hash`?"),
        ("md5(a)", "did you mean `hash`?"),
        ("uppercase(a)", "did you mean `lower`?"),
        ("strip(a)", "did you mean `trim`?"),
        ("hash(a + b.no)", "one call each: `hash(a) + hash(b.no)`"),
        ("hash(a, b.no)", "one call each: `hash(a) + hash(b.no)`"),
        ("hash(a + 'eu')", "one call each: `hash(a) + hash(..)`"),
        ("b[0].x", "one call for each element: take it as an argument of its own"),
        ("b[no]", "`['no']`"),
    ] {
        assert_eq!(help(&format!("key = \"{key}\", ttl = \"7d\""), item), expected, "{key}");
    }
}

#[test]
fn a_word_for_everything_is_answered_with_all_names() {
    let item = "async fn create(no: u64, order: Order, note: String) -> Result<(), Error> {}";
    let of =
        |key: &str, validate: &str| help(&format!("key = {key}, ttl = \"7d\", validate = {validate}"), item);
    for validate in ["\"*\"", "\"all\"", "all", "*"] {
        assert_eq!(of("\"no + 'v1'\"", validate), "`validate = \"order + note\"`", "{validate}");
    }
    assert_eq!(of("no + order.x", "all"), "`validate = \"order + note\"`");
    assert_eq!(of("no + order + note", "all"), "`validate = none`: everything is in the key already");
    let item = "async fn create(no: u64, all: Body) -> Result<(), Error> {}";
    assert_eq!(findings("key = no, ttl = \"7d\", validate = all", item), []);
}

#[test]
fn a_wait_in_another_form_keeps_its_duration() {
    for (value, duration) in
        [("\"wait(5s)\"", "5s"), ("\"wait(2m)\"", "2m"), ("\"wait(long)\"", "5s"), ("wiat", "5s")]
    {
        let args = format!("key = \"order_no\", ttl = \"7d\", in_progress = {value}");
        assert_eq!(help(&args, FUNCTION), format!("`in_progress = wait(\"{duration}\")`"), "{value}");
    }
    for (value, quoted) in [
        ("7d", "`\"7d\"`"),
        ("1h30m", "`\"1h30m\"`"),
        ("3600", "`\"3600s\"` or `\"1h\"`, if these are seconds"),
    ] {
        assert_eq!(help(&format!("key = \"order_no\", ttl = {value}"), FUNCTION), quoted, "{value}");
    }
}

#[test]
fn a_result_owns_its_value() {
    for output in ["Result<&str, E>", "Result<&'static str>", "std::result::Result<Option<(u8, [&T; 2])>, E>"]
    {
        let item = format!("async fn create(order_no: u8) -> {output} {{}}");
        one_of_item(&item, "borrowed-result", "a recorded result cannot borrow");
    }
    let boxed = "fn create<'a>(order_no: &'a u8) -> Pin<Box<dyn Future<Output = Result<&'a u8, E>> + Send>> {
        Box::pin(async move { let __ret: Result<&'a u8, E> = { Ok(order_no) }; __ret })
    }";
    one_of_item(boxed, "borrowed-result", "a recorded result cannot borrow");
    for output in [
        "Result<String, &str>",
        "Result<PhantomData<&str>, E>",
        "Result<Cow<'static, str>, E>",
        "Other<&str>",
    ] {
        let item = format!("async fn create(order_no: u8) -> {output} {{}}");
        assert_eq!(findings("key = \"order_no\", ttl = \"7d\"", &item), [], "{output}");
    }
}

#[test]
fn rust_in_a_key_is_recognised() {
    for (rust, code) in [
        ("Uuid::new_v4()", "random-part"),
        ("rand::random::<u64>()", "random-part"),
        ("nanoid!()", "random-part"),
        ("Ulid::new()", "random-part"),
        ("now()", "timestamp"),
        ("Utc::now()", "timestamp"),
        ("self.clock.now()", "timestamp"),
        ("body.sent.timestamp_millis()", "timestamp"),
        ("tracing::Span::current().id()", "trace-id"),
        ("std::process::id()", "unstable-form"),
        ("thread::current().id()", "unstable-form"),
        ("order_no.to_lowercase()", "rust-call"),
        ("config::TENANT", "rust-call"),
        ("order_no.await", "rust-call"),
        ("body.x.unwrap()", "rust-call"),
        ("body['a'].len()", "rust-call"),
        ("Uuid::new_v5(order_no)", "rust-call"),
        ("Uuid::parse_str(order_no)", "rust-call"),
    ] {
        let found = findings(&format!("key = \"{rust} + order_no\", ttl = \"7d\""), FUNCTION);
        assert_eq!(found.len(), 1, "{rust}: {found:?}");
        assert_eq!((found[0].0.as_str(), found[0].2.as_str()), (code, rust));
        let unquoted =
            findings(&format!("key = {} + order_no, ttl = \"7d\"", rust.replace('\'', "\"")), FUNCTION);
        assert_eq!(unquoted.len(), 1, "{rust}: {unquoted:?}");
        assert_eq!(unquoted[0].1, found[0].1);
    }
}

#[test]
fn validate_compares_arguments() {
    let syntax = |validate: &str, message: &str, place: &str| {
        one_of_validate(validate, "validate-syntax", message, place);
    };
    syntax("", "`validate` is empty", "");
    syntax("hash(body)", "`hash` has no meaning in `validate`", "hash");
    syntax("'eu'", "a text has no meaning in `validate`", "'eu'");
    syntax("none + body", "`none` stands alone", "none");
    syntax("- body.x", "expected a path before `-`", "-");
    syntax("body + -1", "a number is no path of its own", "-1");
    syntax("body + - body.x", "expected a path before `-`", "-");
    one_of_validate("bdy", "unknown-argument", "unknown parameter `bdy` in `validate`", "bdy");
    one_of_validate("body + op", "unknown-argument", "`op` has no meaning in `validate`", "op");
    one_of_validate(
        "body.f()",
        "rust-call",
        "`body.f()` is a Rust expression; `validate` compares arguments",
        "body.f()",
    );
    one_of_validate("body + body", "duplicate-part", "`body` stands twice in `validate`", "body");
    let message = "`body.x` is compared already, as a field of `body`";
    one_of_validate("body + body.x", "duplicate-part", message, "body.x");
    one_of_validate("body.x + body", "duplicate-part", "`body` compares `body.x` a second time", "body");
}

#[test]
fn exclusions_are_inside_what_is_selected() {
    let outside = |validate: &str, message: &str, place: &str| {
        one_of_validate(validate, "exclusion-outside", message, place);
    };
    outside("body.a - body.b", "`body.b` is not inside anything that `validate` selects", "body.b");
    outside("body - db.x", "`db.x` is not inside anything that `validate` selects", "db.x");
    outside("body - body", "`body` is selected and excluded", "body");
    one_of_validate("body - body.a - body.a", "duplicate-part", "`body.a` is excluded twice", "body.a");
    let message = "`body.a` and `body.a.b` exclude the same value";
    one_of_validate("body - body.a.b - body.a", "duplicate-part", message, "body.a");
}

#[test]
fn ignored_arguments_are_parameters_that_nothing_uses() {
    one_argument("ignore(bd)", "unknown-argument", "unknown parameter `bd` in `ignore`", "");
    one_argument("ignore(db, db)", "duplicate-part", "`db` stands twice in `ignore`", "");
    one_argument("ignore(order_no)", "ignored-and-used", "`order_no` is ignored, but `key` uses it", "");
    let message = "`body` is ignored, but `validate` uses it";
    one_argument("validate = \"body\", ignore(body)", "ignored-and-used", message, "");
}

#[test]
fn only_async_functions_with_a_result_are_accepted() {
    let function = |item: &str, message: &str| one_of_item(item, "unsupported-function", message);
    function("fn create(order_no: u8) -> Result<(), E> {}", "`create` is not async");
    function("const fn create(order_no: u8) -> Result<(), E> {}", "a `const fn` cannot be idempotent");
    function(
        "extern \"C\" fn create(order_no: u8) -> Result<(), E> {}",
        "an `extern` function cannot be idempotent",
    );
    function(
        "async unsafe fn create(order_no: u8) -> Result<(), E> {}",
        "an `unsafe fn` cannot be idempotent",
    );
    function("async fn create(order_no: u8) -> Result<(), E>;", "the function has no body");
    function(
        "fn create(order_no: u8) -> Pin<Box<dyn Future<Output = Result<(), E>>>> { x() }",
        "`create` returns a boxed future that is not as `#[async_trait]` writes it",
    );
    one_of_item("async fn create(order_no: u8) {}", "not-a-result", "`create` returns no `Result`");
    let item = "fn create(order_no: u8) -> Pin<Box<dyn Future<Output = ()> + Send>> { x() }";
    one_of_item(item, "not-a-result", "`create` returns no `Result`");
    let item = "#[idempotent(key = order_no)] async fn create(order_no: u8) -> Result<(), E> {}";
    one_of_item(item, "duplicate-attribute", "the function is annotated twice");
    for (item, kind) in [
        ("struct A;", "a struct"),
        ("pub(crate) struct A { a: u8 }", "a struct"),
        ("enum A {}", "an enum"),
        ("union A { a: u8 }", "a union"),
        ("unsafe impl A for B {}", "an `impl` block"),
        ("pub trait A {}", "a trait"),
        ("mod a {}", "a module"),
        ("const A: u8 = 1;", "a constant"),
        ("static A: u8 = 1;", "a static"),
        ("type A = u8;", "a type alias"),
        ("use a::b;", "an import"),
        ("extern \"C\" {}", "an `extern` block"),
    ] {
        let message = format!("`#[idempotent]` is for async functions, not for {kind}");
        one_of_item(item, "unsupported-item", &message);
    }
    one_of_item("macro_rules! a { () => {} }", "unsupported-item", "expected an async function");
    one_of_item("", "unsupported-item", "expected an async function");
}

#[test]
fn all_mistakes_are_reported_in_the_order_of_the_arguments() {
    let found =
        findings("frob, key = \"x + y\", validate = \"z\", ttl = \"7 days\", ignore(w), mode = a", FUNCTION);
    let messages: Vec<&str> = found.iter().map(|(_, message, _)| message.as_str()).collect();
    assert_eq!(
        messages,
        [
            "unknown argument `frob`",
            "unknown parameter `x` in `key`",
            "unknown parameter `y` in `key`",
            "unknown parameter `z` in `validate`",
            "duration `7 days` is not in the short form",
            "unknown parameter `w` in `ignore`",
            "`mode` is `protect` or `observe`, not `a`",
        ]
    );
}

#[test]
fn every_binding_of_a_pattern_can_be_named() {
    let item = "async fn create(
        Path(a): Path<u8>, (b, [c, ..]): (u8, [u8; 2]), Body { d, e: F(f), .. }: Body, ref g: u8, mut h: u8,
        i @ (j, _): (u8, u8), &k: &u8, r#type: u8, Marker: Marker,
    ) -> Result<(), E> {}";
    for name in ["a", "b", "c", "d", "f", "g", "h", "i", "j", "k", "type", "r#type"] {
        let args = format!("key = \"{name} + 'x'\", ttl = \"7d\", allow(too-coarse, reason = \"a test\")");
        let args = if name.ends_with("type") { args } else { format!("key = \"{name}\", ttl = \"7d\"") };
        assert_eq!(findings(&args, item), [], "{name}");
    }
    for name in ["Path", "e", "Marker", "_"] {
        assert_eq!(findings(&format!("key = \"{name}\", ttl = \"7d\""), item).len(), 1, "{name}");
    }
}

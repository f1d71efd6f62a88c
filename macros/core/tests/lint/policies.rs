//! `allow(..)` of an attribute, and the policy of a package.

use super::support::{codes, codes_under, diagnostics, policy};
use idempotency_macros_core::{Host, Level, Policy, PolicyError, expand_with};

const ITEM: &str = "async fn create(requested_at: i64, order_no: String) -> Result<(), Error> { Ok(()) }";

fn messages(args: &str) -> Vec<String> {
    let found = diagnostics(args, ITEM, &Policy::default(), Host::Macro);
    found.iter().map(|finding| finding.message().to_owned()).collect()
}

fn allowing(allow: &str) -> Vec<String> {
    messages(&format!("key = \"order_no + requested_at\", ttl = \"7d\", {allow}"))
}

#[test]
fn an_allow_silences_its_lint_and_gives_a_reason() {
    assert_eq!(allowing("allow(timestamp, reason = \"set once\")"), [] as [&str; 0]);
    let clock = "`requested_at` changes every time the request is sent again";
    for (allow, message) in [
        ("allow(timestamp)", "`allow(timestamp)` gives no reason"),
        ("allow(timestamp,)", "`allow(timestamp)` gives no reason"),
        ("allow(timestamp, reason = \"\")", "the reason is empty"),
        ("allow(timestamp, reason = \"  \")", "the reason is empty"),
        ("allow(timestamp, because = \"x\")", "expected `reason = \"…\"` after the lint"),
        ("allow(timestamp, reason = x)", "expected `reason = \"…\"` after the lint"),
        ("allow(timestamp, trace-id, reason = \"x\")", "expected `reason = \"…\"` after the lint"),
        ("allow(time-stamp, reason = \"x\")", "`time-stamp` names no lint"),
        ("allow(unknown_argument, reason = \"x\")", "`unknown_argument` names no lint"),
        ("allow(unusable-part, reason = \"x\")", "`unusable-part` cannot be allowed"),
        ("allow(trace-id, reason = \"x\")", "`allow(trace-id)` silences nothing"),
        ("allow()", "`allow` names no lint"),
        ("allow(\"timestamp\")", "expected the code of a lint, found `\"timestamp\"`"),
        ("allow = timestamp", "`allow` takes a lint and a reason"),
    ] {
        assert_eq!(allowing(allow), [clock, message], "{allow}");
    }
    let twice = "allow(timestamp, reason = \"x\"), allow(timestamp, reason = \"y\")";
    assert_eq!(allowing(twice), ["`allow(timestamp)` is given twice"]);
    let both = "allow(timestamp, reason = \"x\"), allow(whole-payload, reason = \"y\")";
    assert_eq!(allowing(both), ["`allow(whole-payload)` silences nothing"]);
}

#[test]
fn an_allow_of_a_lint_of_the_command_is_the_commands_to_judge() {
    assert_eq!(
        messages(
            "key = order_no, ttl = \"7d\", ignore(requested_at), allow(key-changed, reason = \"moved\")"
        ),
        [] as [&str; 0]
    );
}

#[test]
fn an_allow_is_not_called_idle_when_the_key_could_not_be_read() {
    let found = messages(
        "key = \"order_no + requestd_at\", ttl = \"7d\", allow(timestamp, reason = \"set once, by the caller\")",
    );
    assert_eq!(found, ["unknown parameter `requestd_at` in `key`"]);
}

#[test]
fn a_policy_changes_levels() {
    let args = "key = \"order_no + requested_at\", ttl = \"7d\"";
    let with = |table: &str| codes_under(&policy(table), args, ITEM);
    assert_eq!(with(""), [("timestamp", Level::Error)]);
    assert_eq!(with("allow = [\"timestamp\"]"), []);
    let args = "key = \"order_no\", validate = \"requested_at\", ttl = \"7d\"";
    let with = |table: &str| codes_under(&policy(table), args, ITEM);
    assert_eq!(with(""), [("volatile-fingerprint", Level::Warning)]);
    assert_eq!(with("deny = [\"volatile-fingerprint\"]"), [("volatile-fingerprint", Level::Error)]);
    assert_eq!(with("deny-warnings = true"), [("volatile-fingerprint", Level::Error)]);
    assert_eq!(with("deny-warnings = false"), [("volatile-fingerprint", Level::Warning)]);
    assert_eq!(with("deny-warnings = true\nallow = [\"volatile-fingerprint\"]"), []);
}

#[test]
fn a_policy_gives_the_ttl_and_its_limit() {
    let args = "key = \"order_no\", ignore(requested_at)";
    let with = |table: &str, more: &str| codes_under(&policy(table), &format!("{args}{more}"), ITEM);
    assert_eq!(with("", ""), [("missing-argument", Level::Error)]);
    assert_eq!(with("default-ttl = \"7d\"", ""), []);
    let windows = with("default-ttl = \"7d\"", ", source = sqs(retention = \"14d\")");
    assert_eq!(windows, [("ttl-below-window", Level::Error)]);
    assert_eq!(with("max-ttl = \"30d\"", ", ttl = \"31d\""), [("ttl-too-long", Level::Warning)]);
    assert_eq!(with("max-ttl = \"30d\"", ", ttl = \"30d\""), []);
    let expanded =
        expand_with(args.parse().unwrap(), ITEM.parse().unwrap(), &policy("default-ttl = \"90s\""));
    assert!(expanded.to_string().contains("from_millis (90000)"), "{expanded}");
}

#[test]
fn a_policy_adds_names() {
    let item = "async fn f(no: u64, badge_no: String, trail: Trail) -> Result<(), Error> { Ok(()) }";
    let args = "key = \"no + badge_no\", ttl = \"7d\"";
    assert_eq!(codes(args, item), [("uncovered-argument", Level::Error)]);
    let names = policy("names = { personal-data = [\"badgeNo\"], exempt = [\"Trail\"] }");
    assert_eq!(codes_under(&names, args, item), [("personal-data", Level::Error)]);
    let names = policy("names = { good = [\"requested_at\"] }");
    assert_eq!(codes_under(&names, "key = \"order_no + requested_at\", ttl = \"7d\"", ITEM), []);
}

#[test]
fn an_expansion_depends_on_the_manifest_only_if_that_has_a_policy() {
    let args = "key = \"order_no\", ttl = \"7d\", ignore(requested_at)";
    let expanded =
        |policy: &Policy| expand_with(args.parse().unwrap(), ITEM.parse().unwrap(), policy).to_string();
    assert!(!expanded(&Policy::default()).contains("include_bytes"));
    assert!(expanded(&policy("")).contains("include_bytes"));
}

#[test]
fn a_bad_table_names_file_and_key() {
    let parse = |table: &str| {
        let text = format!("[package]\nname = \"x\"\n[package.metadata.idempotency]\n{table}");
        let mut errors = Policy::parse(&text, "orders/Cargo.toml").unwrap_err();
        assert_eq!(errors.len(), 1, "{errors:?}");
        errors.remove(0)
    };
    for (table, key, message) in [
        ("tenent = \"t\"", "tenent", "unknown key `tenent`"),
        ("tenant = 3", "tenant", "`tenant` needs the name of a part"),
        ("tenant = \"\"", "tenant", "`tenant` needs the name of a part"),
        ("tenant = \"a + b\"", "tenant", "`tenant` is the name of one part, not `a + b`"),
        ("tenant = \"hash(a)\"", "tenant", "`tenant` is the name of one part, not `hash(a)`"),
        ("tenant = \"a.\"", "tenant", "`tenant` is the name of one part, not `a.`"),
        (
            "default-ttl = \"7d\"\nmax-ttl = \"24h\"",
            "max-ttl",
            "`max-ttl` is `1d`, less than `default-ttl`, which is `7d`",
        ),
        ("default-ttl = 7", "default-ttl", "`default-ttl` needs a duration in quotes"),
        ("max-ttl = \"7 days\"", "max-ttl", "`max-ttl`: duration `7 days` is not in the short form"),
        ("deny = \"timestamp\"", "deny", "`deny` needs a list of texts"),
        ("deny = [\"time-stamp\"]", "deny", "`time-stamp` in `deny` names no lint"),
        ("allow = [\"unusable-part\"]", "allow", "`unusable-part` cannot be allowed"),
        ("allow = [\"secret\"]\ndeny = [\"secret\"]", "allow", "`secret` is both denied and allowed"),
        ("deny-warnings = \"yes\"", "deny-warnings", "`deny-warnings` is `true` or `false`"),
        ("side-effects = [1]", "side-effects", "`side-effects` needs a list of texts"),
        ("names = [\"x\"]", "names", "`names` needs a table of lists"),
        ("names = { personal = [\"x\"] }", "names.personal", "`personal` is no list of names"),
        ("names = { scope = \"x\" }", "names.scope", "`names.scope` needs a list of texts"),
    ] {
        let PolicyError { file, key: found, message: said, help, .. } = parse(table);
        assert_eq!((file.as_str(), found.as_str(), said.as_str()), ("orders/Cargo.toml", key, message));
        assert!(!help.is_empty());
    }
    assert_eq!(parse("tenant = \"tenant_id + order_no\"").help, "tenant = \"tenant_id\"");
    let broken = Policy::parse("[package.metadata.idempotency\n", "Cargo.toml").unwrap_err();
    assert!(broken[0].message.starts_with("the manifest is not TOML: "), "{broken:?}");
    let no_table = Policy::parse("[package.metadata]\nidempotency = 3", "Cargo.toml").unwrap_err();
    assert_eq!(
        (no_table[0].message.as_str(), no_table[0].line),
        ("`package.metadata.idempotency` is not a table", 2)
    );
}

#[test]
fn all_mistakes_of_a_table_are_named_with_their_lines() {
    let text = "[package]\nname = \"x\"\n[package.metadata.idempotency]\ntennant = \"t\"\n\
                deny = [\n  \"timestamp\",\n  \"time-stamp\",\n  \"sekret\",\n]\ndeny-warnings = 1\n\
                default-ttl = \"20s\"\nnames = { scope = [1], personal = [] }\n";
    let errors = Policy::parse(text, "Cargo.toml").unwrap_err();
    let found: Vec<(usize, &str)> = errors.iter().map(|error| (error.line, error.message.as_str())).collect();
    let expected = [
        (4, "unknown key `tennant`"),
        (7, "`time-stamp` in `deny` names no lint"),
        (8, "`sekret` in `deny` names no lint"),
        (10, "`deny-warnings` is `true` or `false`"),
        (11, "`default-ttl` is `20s`, less than the default lease of `30s`"),
        (12, "`names.scope` needs a list of texts"),
        (12, "`personal` is no list of names"),
    ];
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for one in expected {
        assert!(found.contains(&one), "{one:?} is not in {found:?}");
    }
    assert!(errors.is_sorted_by_key(|error| error.line));
    assert_eq!(policy("default-ttl = \"30s\"").default_ttl, Some(30_000));
}

#[test]
fn a_manifest_without_the_table_has_the_default_policy() {
    let mut expected = Policy::default();
    expected.declared = true;
    for text in ["", "[package]\nname = \"idempotency\"", "[package.metadata.docs.rs]\nx = 1 # idempotency"] {
        assert_eq!(Policy::parse(text, "Cargo.toml").unwrap(), expected);
    }
    let full = policy("tenant = \"tenant_id\"\nside-effects = [\"payments::charge\"]");
    assert!(full.declared);
    assert_eq!(full.tenant.as_deref(), Some("tenant_id"));
    assert_eq!(policy("tenant = \" event.tenant_id \"").tenant.as_deref(), Some("event.tenant_id"));
    let looked_up = policy("tenant = \"headers['X-Tenant']\"");
    assert_eq!(looked_up.tenant.as_deref(), Some("headers['X-Tenant']"));
    assert_eq!(policy("default-ttl = \"7d\"\nmax-ttl = \"7d\"").max_ttl, Some(604_800_000));
    assert_eq!(full.side_effects, ["payments::charge"]);
}

#[test]
fn the_tenant_of_the_policy_is_in_every_key() {
    let policy = policy("tenant = \"tenant_id\"");
    let item = "async fn create(tenant_id: u64, order: Order) -> Result<(), Error> { Ok(()) }";
    let with = |key: &str, more: &str| {
        codes_under(
            &policy,
            &format!("key = \"{key}\", validate = order, ttl = \"7d\", ignore(tenant_id){more}"),
            item,
        )
    };
    assert_eq!(with("order.no", ""), [("missing-tenant", Level::Error)]);
    assert_eq!(with("order.no", ", scope = global"), []);
    let help = |tenant: &str, parameters: &str| {
        let item = format!("async fn create(no: u64{parameters}) -> Result<(), Error> {{ Ok(()) }}");
        let policy = super::support::policy(&format!("tenant = \"{tenant}\""));
        let found = diagnostics("key = no, ttl = \"7d\"", &item, &policy, Host::Macro);
        found
            .into_iter()
            .find(|finding| finding.code() == "missing-tenant")
            .unwrap()
            .help_text()
            .unwrap()
            .to_owned()
    };
    let global = "or `scope = global` if tenants share the operation on purpose";
    assert_eq!(help("tenant_id", ", tenant_id: u64"), format!("`tenant_id + no`, {global}"));
    assert_eq!(help("ctx.tenant_id", ", ctx: Context"), format!("`ctx.tenant_id + no`, {global}"));
    let taken = |name: &str, path: &str| format!("take `{name}` as an argument, for `{path} + no`, {global}");
    assert_eq!(help("tenant_id", ""), taken("tenant_id", "tenant_id"));
    assert_eq!(help("ctx.tenant_id", ", tenant_id: u64"), taken("ctx", "ctx.tenant_id"));
    let both = [("scope-and-tenant", Level::Error)];
    assert_eq!(with("order.tenant_id + order.no", ", scope = global"), both);
    assert_eq!(with("order.tenant_id + order.no", ""), []);
    assert_eq!(
        codes_under(&policy, "key = \"tenant_id + order.no\", validate = order, ttl = \"7d\"", item),
        []
    );
}

#[test]
fn a_key_with_a_tenant_is_not_global() {
    let item = "async fn create(tenant_id: u64, branch: u64, no: u64) -> Result<(), Error> { Ok(()) }";
    let both = [("scope-and-tenant", Level::Error)];
    let with = |policy: &Policy, key: &str, ignore: &str| {
        codes_under(policy, &format!("key = \"{key}\", ttl = \"7d\", scope = global, ignore({ignore})"), item)
    };
    assert_eq!(with(&Policy::default(), "tenant_id + no", "branch"), both);
    assert_eq!(with(&Policy::default(), "branch + no", "tenant_id"), []);
    let of_branch = policy("tenant = \"branch\"");
    assert_eq!(with(&of_branch, "branch + no", "tenant_id"), both);
    assert_eq!(with(&of_branch, "tenant_id + no", "branch"), []);
}

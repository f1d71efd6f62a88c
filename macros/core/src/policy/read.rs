//! From the text of a `Cargo.toml` to a [`Policy`].

use std::collections::BTreeMap;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use super::{Policy, PolicyError, TABLE};
use crate::lint::{self, words};
use crate::{key, suggest, ttl};

pub(super) fn policy(text: &str) -> Result<Policy, Vec<PolicyError>> {
    let mut policy = Policy { declared: true, ..Policy::default() };
    // Most manifests have no table, and every annotated crate pays for reading it.
    if !text.contains("idempotency") || !text.contains("metadata") {
        return Ok(policy);
    }
    let mut reader = Reader { text, errors: Vec::new() };
    match DeTable::parse(text) {
        Ok(manifest) => {
            if let Some(value) = find(manifest.get_ref(), &["package", "metadata", "idempotency"]) {
                reader.table(value, &mut policy);
            }
        }
        Err(error) => {
            let message = format!("the manifest is not TOML: {}", error.message());
            reader.wrong(error.span().unwrap_or_default(), "", message, "mend it, then build again");
        }
    }
    let mut errors = reader.errors;
    errors.sort_by_key(|error| error.line);
    if errors.is_empty() { Ok(policy) } else { Err(errors) }
}

fn find<'a, 'i>(table: &'a DeTable<'i>, path: &[&str]) -> Option<&'a Value<'i>> {
    let (first, rest) = path.split_first()?;
    let value = table.get(*first)?;
    match (rest, value.get_ref()) {
        ([], _) => Some(value),
        (rest, DeValue::Table(table)) => find(table, rest),
        _ => None,
    }
}

type Value<'i> = Spanned<DeValue<'i>>;

/// Collects every mistake.
struct Reader<'t> {
    text: &'t str,
    errors: Vec<PolicyError>,
}

impl Reader<'_> {
    fn wrong(&mut self, place: Range<usize>, key: &str, message: impl Into<String>, help: impl Into<String>) {
        let before = self.text.get(..place.start).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        let (message, help) = (message.into(), help.into());
        self.errors.push(PolicyError { file: String::new(), line, key: key.to_owned(), message, help });
    }

    fn table(&mut self, value: &Value<'_>, policy: &mut Policy) {
        let DeValue::Table(table) = value.get_ref() else {
            self.wrong(value.span(), "", "`package.metadata.idempotency` is not a table", TABLE);
            return;
        };
        for (key, value) in table {
            self.entry(key, value, policy);
        }
        let place = |key: &str| table.get(key).map(Spanned::span).unwrap_or_default();
        for both in policy.deny.iter().filter(|code| policy.allow.contains(code)) {
            let message = format!("`{both}` is both denied and allowed");
            self.wrong(place("allow"), "allow", message, "remove one of the two");
        }
        let Some(default) = policy.default_ttl else { return };
        if let Some(max) = policy.max_ttl.filter(|max| *max < default) {
            let (default, max) = (ttl::short(default), ttl::short(max));
            let message = format!("`max-ttl` is `{max}`, less than `default-ttl`, which is `{default}`");
            let help = format!("max-ttl = \"{default}\" or more, or a `default-ttl` of at most `{max}`");
            self.wrong(place("max-ttl"), "max-ttl", message, help);
        }
        // Every function without a `ttl` and a `lease` would have that mistake.
        if default < lint::DEFAULT_LEASE {
            let (default, lease) = (ttl::short(default), ttl::short(lint::DEFAULT_LEASE));
            let message = format!("`default-ttl` is `{default}`, less than the default lease of `{lease}`");
            let help = format!("default-ttl = \"{lease}\" or more; a shorter `ttl` goes with its `lease`");
            self.wrong(place("default-ttl"), "default-ttl", message, help);
        }
    }

    fn entry(&mut self, name: &Spanned<DeString<'_>>, value: &Value<'_>, policy: &mut Policy) {
        let key: &str = name.get_ref();
        match key {
            "tenant" => policy.tenant = self.name(key, value),
            "default-ttl" => policy.default_ttl = self.duration(key, value),
            "max-ttl" => policy.max_ttl = self.duration(key, value),
            "deny" => policy.deny = self.codes(key, value),
            "allow" => policy.allow = self.codes(key, value),
            "deny-warnings" => policy.deny_warnings = self.boolean(key, value),
            "side-effects" => {
                policy.side_effects = self.texts(key, value, "side-effects = [\"payments::charge\"]");
            }
            "names" => policy.names = self.lists(key, value),
            _ => {
                let help = meant(key, || KEYS.into_iter(), "keys");
                self.wrong(name.span(), key, format!("unknown key `{key}`"), help);
            }
        }
    }

    /// `tenant_id`, `event.tenant_id` or `headers['X-Tenant']`
    fn name(&mut self, key: &str, value: &Value<'_>) -> Option<String> {
        let example = "tenant = \"tenant_id\"";
        let text = match value.get_ref() {
            DeValue::String(text) if !text.trim().is_empty() => text.trim(),
            _ => {
                self.wrong(value.span(), key, format!("`{key}` needs the name of a part"), example);
                return None;
            }
        };
        let (first, is_all) = key::first_path(text).unzip();
        if is_all == Some(true) {
            return Some(text.to_owned());
        }
        let message = format!("`{key}` is the name of one part, not `{text}`");
        let help = first.map_or_else(|| example.to_owned(), |first| format!("{key} = \"{first}\""));
        self.wrong(value.span(), key, message, help);
        None
    }

    fn duration(&mut self, key: &str, value: &Value<'_>) -> Option<u64> {
        let DeValue::String(text) = value.get_ref() else {
            let message = format!("`{key}` needs a duration in quotes");
            self.wrong(value.span(), key, message, format!("{key} = \"7d\""));
            return None;
        };
        match ttl::parse(text) {
            Ok(duration) => Some(duration),
            Err(problem) => {
                self.wrong(value.span(), key, format!("`{key}`: {}", problem.message), problem.help);
                None
            }
        }
    }

    fn boolean(&mut self, key: &str, value: &Value<'_>) -> bool {
        if let DeValue::Boolean(value) = value.get_ref() {
            return *value;
        }
        self.wrong(value.span(), key, format!("`{key}` is `true` or `false`"), format!("{key} = true"));
        false
    }

    fn texts(&mut self, key: &str, value: &Value<'_>, example: &str) -> Vec<String> {
        let values = self.spanned_texts(key, value, example);
        values.into_iter().map(Spanned::into_inner).collect()
    }

    fn spanned_texts(&mut self, key: &str, value: &Value<'_>, example: &str) -> Vec<Spanned<String>> {
        let text = |value: &Value<'_>| match value.get_ref() {
            DeValue::String(text) if !text.trim().is_empty() => {
                Some(Spanned::new(value.span(), text.trim().to_owned()))
            }
            _ => None,
        };
        let texts = match value.get_ref() {
            DeValue::Array(values) => values.iter().map(text).collect(),
            _ => None,
        };
        texts.unwrap_or_else(|| {
            self.wrong(value.span(), key, format!("`{key}` needs a list of texts"), example);
            Vec::new()
        })
    }

    /// Codes of lints that can be raised or silenced.
    fn codes(&mut self, key: &str, value: &Value<'_>) -> Vec<String> {
        let codes = self.spanned_texts(key, value, &format!("{key} = [\"generic-operation\"]"));
        for code in &codes {
            let (place, code) = (code.span(), code.get_ref());
            match lint::find(code) {
                None => {
                    let help = meant(code, || lint::registry().iter().map(|lint| lint.code), "lints");
                    self.wrong(place, key, format!("`{code}` in `{key}` names no lint"), help);
                }
                Some(lint) if key == "allow" && !lint.can_be_allowed() => {
                    self.wrong(place, key, format!("`{code}` cannot be allowed"), "remove it");
                }
                Some(_) => {}
            }
        }
        codes.into_iter().map(Spanned::into_inner).collect()
    }

    fn lists(&mut self, key: &str, value: &Value<'_>) -> BTreeMap<String, Vec<String>> {
        let mut lists = BTreeMap::new();
        let DeValue::Table(table) = value.get_ref() else {
            let message = format!("`{key}` needs a table of lists");
            self.wrong(value.span(), key, message, "names = { personal-data = [\"badge_no\"] }");
            return lists;
        };
        for (name, names) in table {
            let list: &str = name.get_ref();
            let key = format!("{key}.{list}");
            if words::lists().any(|known| known == list) {
                let names = self.texts(&key, names, &format!("{list} = [\"badge_no\"]"));
                lists.insert(list.to_owned(), names);
            } else {
                let help = meant(list, words::lists, "lists");
                self.wrong(name.span(), &key, format!("`{list}` is no list of names"), help);
            }
        }
        lists
    }
}

const KEYS: [&str; 8] =
    ["tenant", "default-ttl", "max-ttl", "deny", "allow", "deny-warnings", "side-effects", "names"];

/// The known word that is most like `wrong`, or all of them.
fn meant<I: Iterator<Item = &'static str>>(wrong: &str, known: impl Fn() -> I, what: &str) -> String {
    match suggest::closest(wrong, known()) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => format!("{what} are {}", suggest::list(known())),
    }
}

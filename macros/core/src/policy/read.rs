//! From the text of a `Cargo.toml` to a [`Policy`].

use std::collections::BTreeMap;

use toml::de::{DeTable, DeValue};

use super::{Policy, PolicyError, TABLE};
use crate::lint::{self, words};
use crate::{key, suggest, ttl};

pub(super) fn policy(text: &str) -> Result<Policy, PolicyError> {
    // Most manifests have no table, and every annotated crate pays for reading it.
    if !text.contains("idempotency") || !text.contains("metadata") {
        return Ok(Policy { declared: true, ..Policy::default() });
    }
    let manifest = DeTable::parse(text).map_err(|error| {
        PolicyError::new(
            "",
            format!("the manifest is not TOML: {}", error.message()),
            "mend it, then build again",
        )
    })?;
    let Some(value) = find(manifest.get_ref(), &["package", "metadata", "idempotency"]) else {
        return Ok(Policy { declared: true, ..Policy::default() });
    };
    let DeValue::Table(table) = value else {
        return Err(PolicyError::new("", "`package.metadata.idempotency` is not a table", TABLE));
    };
    let mut policy = Policy { declared: true, ..Policy::default() };
    for (key, value) in table {
        entry(key.get_ref(), value.get_ref(), &mut policy)?;
    }
    if let Some(both) = policy.deny.iter().find(|code| policy.allow.contains(code)) {
        let message = format!("`{both}` is both denied and allowed");
        return Err(PolicyError::new("allow", message, "remove one of the two"));
    }
    if let (Some(default), Some(max)) = (policy.default_ttl, policy.max_ttl)
        && max < default
    {
        let (default, max) = (ttl::short(default), ttl::short(max));
        let message = format!("`max-ttl` is `{max}`, less than `default-ttl`, which is `{default}`");
        let help = format!("max-ttl = \"{default}\" or more, or a `default-ttl` of at most `{max}`");
        return Err(PolicyError::new("max-ttl", message, help));
    }
    Ok(policy)
}

fn find<'a, 'i>(table: &'a DeTable<'i>, path: &[&str]) -> Option<&'a DeValue<'i>> {
    let (first, rest) = path.split_first()?;
    let value = table.get(*first)?.get_ref();
    match (rest, value) {
        ([], value) => Some(value),
        (rest, DeValue::Table(table)) => find(table, rest),
        _ => None,
    }
}

fn entry(key: &str, value: &DeValue<'_>, policy: &mut Policy) -> Result<(), PolicyError> {
    match key {
        "tenant" => policy.tenant = Some(name(key, value)?),
        "default-ttl" => policy.default_ttl = Some(duration(key, value)?),
        "max-ttl" => policy.max_ttl = Some(duration(key, value)?),
        "deny" => policy.deny = codes(key, value)?,
        "allow" => policy.allow = codes(key, value)?,
        "deny-warnings" => policy.deny_warnings = boolean(key, value)?,
        "side-effects" => policy.side_effects = texts(key, value, "side-effects = [\"payments::charge\"]")?,
        "names" => policy.names = lists(key, value)?,
        _ => {
            let help = match suggest::closest(key, KEYS) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => format!("keys are {}", suggest::list(KEYS)),
            };
            return Err(PolicyError::new(key, format!("unknown key `{key}`"), help));
        }
    }
    Ok(())
}

const KEYS: [&str; 8] =
    ["tenant", "default-ttl", "max-ttl", "deny", "allow", "deny-warnings", "side-effects", "names"];

/// `tenant_id`, `event.tenant_id` or `headers['X-Tenant']`
fn name(key: &str, value: &DeValue<'_>) -> Result<String, PolicyError> {
    let example = "tenant = \"tenant_id\"";
    let DeValue::String(text) = value else {
        return Err(PolicyError::new(key, format!("`{key}` needs the name of a part"), example));
    };
    let text = text.trim();
    if text.is_empty() {
        return Err(PolicyError::new(key, format!("`{key}` needs the name of a part"), example));
    }
    let (first, is_all) = key::first_path(text).unzip();
    if is_all == Some(true) {
        return Ok(text.to_owned());
    }
    let message = format!("`{key}` is the name of one part, not `{text}`");
    let help = first.map_or_else(|| example.to_owned(), |first| format!("{key} = \"{first}\""));
    Err(PolicyError::new(key, message, help))
}

fn duration(key: &str, value: &DeValue<'_>) -> Result<u64, PolicyError> {
    let DeValue::String(text) = value else {
        let message = format!("`{key}` needs a duration in quotes");
        return Err(PolicyError::new(key, message, format!("{key} = \"7d\"")));
    };
    ttl::parse(text).map_err(|problem| {
        let message = format!("`{key}`: {}", problem.message);
        PolicyError::new(key, message, problem.help)
    })
}

fn boolean(key: &str, value: &DeValue<'_>) -> Result<bool, PolicyError> {
    match value {
        DeValue::Boolean(value) => Ok(*value),
        _ => Err(PolicyError::new(key, format!("`{key}` is `true` or `false`"), format!("{key} = true"))),
    }
}

fn texts(key: &str, value: &DeValue<'_>, example: &str) -> Result<Vec<String>, PolicyError> {
    let wrong = || PolicyError::new(key, format!("`{key}` needs a list of texts"), example);
    let DeValue::Array(values) = value else { return Err(wrong()) };
    values
        .iter()
        .map(|value| match value.get_ref() {
            DeValue::String(text) if !text.trim().is_empty() => Ok(text.trim().to_owned()),
            _ => Err(wrong()),
        })
        .collect()
}

/// Codes of lints that can be raised or silenced.
fn codes(key: &str, value: &DeValue<'_>) -> Result<Vec<String>, PolicyError> {
    let codes = texts(key, value, &format!("{key} = [\"generic-operation\"]"))?;
    for code in &codes {
        match lint::find(code) {
            None => {
                let known = || lint::registry().iter().map(|lint| lint.code);
                let help = match suggest::closest(code, known()) {
                    Some(meant) => format!("did you mean `{meant}`?"),
                    None => format!("lints are {}", suggest::list(known())),
                };
                return Err(PolicyError::new(key, format!("`{code}` in `{key}` names no lint"), help));
            }
            Some(lint) if key == "allow" && !lint.can_be_allowed() => {
                let message = format!("`{code}` cannot be allowed");
                return Err(PolicyError::new(key, message, "remove it"));
            }
            Some(_) => {}
        }
    }
    Ok(codes)
}

fn lists(key: &str, value: &DeValue<'_>) -> Result<BTreeMap<String, Vec<String>>, PolicyError> {
    let DeValue::Table(table) = value else {
        let message = format!("`{key}` needs a table of lists");
        return Err(PolicyError::new(key, message, "names = { personal-data = [\"badge_no\"] }"));
    };
    let mut lists = BTreeMap::new();
    for (list, names) in table {
        let list: &str = list.get_ref();
        let key = format!("{key}.{list}");
        if !words::lists().any(|known| known == list) {
            let help = match suggest::closest(list, words::lists()) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => format!("lists are {}", suggest::list(words::lists())),
            };
            return Err(PolicyError::new(&key, format!("`{list}` is no list of names"), help));
        }
        let names = texts(&key, names.get_ref(), &format!("{list} = [\"badge_no\"]"))?;
        lists.insert(list.to_owned(), names);
    }
    Ok(lists)
}

//! `validate = "*"`: there is no word for everything, so that a new argument is looked at.

use syn::ext::IdentExt as _;

use crate::args::Args;
use crate::function::Function;
use crate::key::Source;
use crate::report::Report;

/// Reports a word for everything, unless a parameter is called so.
pub(super) fn report(source: &Source, args: &Args, function: &Function, report: &mut Report) -> bool {
    let word = source.written();
    let is_meant = ["*", "all", "everything", "any"].contains(&word.as_str());
    if !is_meant || function.binding(&word).is_some() {
        return false;
    }
    let key = args.key.as_ref().and_then(|key| key.value.as_ref()).map(Source::written).unwrap_or_default();
    let in_key: Vec<&str> = key.split('+').map(str::trim).collect();
    let names = function.bindings.iter().map(|name| name.unraw().to_string());
    let rest: Vec<String> = names.filter(|name| !in_key.contains(&name.as_str())).collect();
    let help = if rest.is_empty() {
        "`validate = none`: everything is in the key already".to_owned()
    } else {
        format!("`validate = \"{}\"`", rest.join(" + "))
    };
    report
        .error(
            "validate-syntax",
            &source.place(),
            format!("`{word}` is no argument; what is compared is named"),
        )
        .help(help);
    true
}

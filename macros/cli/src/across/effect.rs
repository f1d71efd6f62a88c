//! `unprotected-effect`

use std::collections::{HashMap, HashSet};

use super::{Draft, policy_of};
use crate::calls::{Call, Callee, FunctionFacts, alike};
use crate::hidden::{Hidden, Reason};
use crate::walk::Walked;

/// Calls of the effects that the manifest lists, from functions that nothing protects.
pub(super) fn unprotected(walked: &mut Walked) -> Vec<Draft> {
    let mut hidden = Vec::new();
    let mut drafts = Vec::new();
    let callers = Callers::of(walked);
    for (index, function) in walked.functions.iter().enumerate() {
        let effects = &policy_of(walked, function.package).side_effects;
        let effects: Vec<Effect<'_>> = effects.iter().map(|text| Effect::of(text)).collect();
        if effects.is_empty() || !function.is_product() || function.is_annotated {
            continue;
        }
        // The effect itself, or a wrapper of the same name.
        if effects.iter().any(|effect| effect.name == function.name) {
            continue;
        }
        for call in &function.calls {
            if effects.iter().any(|effect| effect.is_called_by(call))
                && let Some(root) = callers.unprotected_root(walked, index)
            {
                drafts.push(draft(function, call, &walked.functions[root]));
            }
        }
        for opaque in &function.opaque {
            if let Some(effect) = effects.iter().find(|effect| opaque.words.contains(effect.name)) {
                let what =
                    format!("a call of `{}` may stand inside the macro call `{}!`", effect.name, opaque.name);
                hidden.push(Hidden { location: opaque.location.clone(), reason: Reason::Macro, what });
            }
        }
    }
    walked.hidden.extend(hidden);
    drafts
}

fn draft(function: &FunctionFacts, call: &Call, root: &FunctionFacts) -> Draft {
    let (message, related) = if root.place.order() == function.place.order() {
        (format!("`{}` is called by `{}`, which is not idempotent", call.name, function.name), Vec::new())
    } else {
        let message = format!("`{}` is called for `{}`, which is not idempotent", call.name, root.name);
        (message, vec![(root.place.clone(), format!("it calls `{}`", function.name))])
    };
    Draft {
        code: "unprotected-effect",
        about: Vec::new(),
        package: function.package,
        location: function.call_place(call),
        message,
        help: format!("`#[idempotent(key = …)]` on `{}`", root.name),
        note: "the manifest lists it under `side-effects`: a retry would repeat the effect".to_owned(),
        related,
    }
}

/// An entry of `side-effects`: `payments::charge`, `Mailer::send`, `charge`.
struct Effect<'a> {
    name: &'a str,
    qualifier: Option<&'a str>,
}

impl<'a> Effect<'a> {
    fn of(text: &'a str) -> Self {
        let mut words = text.split(['.', ':']).filter(|word| !word.is_empty()).rev();
        Self { name: words.next().unwrap_or(text), qualifier: words.next() }
    }

    fn is_called_by(&self, call: &Call) -> bool {
        call.name == self.name
            && match (self.qualifier, &call.qualifier) {
                (None, _) => true,
                // Imported by name, the module is not written at the call.
                (Some(wanted), None) => !call.is_method && !wanted.starts_with(char::is_uppercase),
                (Some(wanted), Some(found)) => alike(wanted, found),
            }
    }
}

/// Who calls whom, by name.
struct Callers<'a> {
    /// The functions that hold a call of a name, with that call.
    by_name: HashMap<&'a str, Vec<(usize, &'a Call)>>,
}

impl<'a> Callers<'a> {
    fn of(walked: &'a Walked) -> Self {
        let mut by_name: HashMap<&str, Vec<(usize, &Call)>> = HashMap::new();
        let product = walked.functions.iter().enumerate().filter(|(_, function)| function.is_product());
        for (index, function) in product {
            for call in &function.calls {
                by_name.entry(&call.name).or_default().push((index, call));
            }
        }
        Self { by_name }
    }

    /// The outermost function without the attribute on a way to this one; `None` if the attribute stands on every
    /// way.
    fn unprotected_root(&self, walked: &Walked, start: usize) -> Option<usize> {
        let mut seen = HashSet::from([start]);
        let mut open = vec![start];
        let mut is_protected = false;
        while let Some(index) = open.pop() {
            let function = &walked.functions[index];
            let callee = Callee::from(function);
            let calls = self.by_name.get(function.name.as_str()).map(Vec::as_slice).unwrap_or_default();
            let mut is_called = false;
            for (caller, _) in calls.iter().filter(|(caller, call)| *caller != index && callee.fits(call)) {
                is_called = true;
                if walked.functions[*caller].is_annotated {
                    is_protected = true;
                } else if seen.insert(*caller) {
                    open.push(*caller);
                }
            }
            if !is_called {
                return Some(index);
            }
        }
        // Functions that only call each other: nothing was seen to protect them.
        (!is_protected).then_some(start)
    }
}

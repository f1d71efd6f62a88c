//! `key-made-at-call`

use std::collections::HashMap;
use std::rc::Rc;

use idempotency_macros_core::{Operation, PartInfo};

use super::Draft;
use crate::annotated::Annotated;
use crate::calls::{Call, Callee, FreshArgument, FunctionFacts};
use crate::finding::locate;
use crate::hidden::{Hidden, Reason};
use crate::source::Location;
use crate::walk::Walked;

/// Calls of operations that pass something made just now as a part of the key.
pub(super) fn keys_made_at_calls(walked: &mut Walked) -> Vec<Draft> {
    let mut by_name: HashMap<String, Vec<usize>> = HashMap::new();
    for (index, annotated) in walked.annotated.iter().enumerate() {
        // A test's own operations are called by tests, whose keys are new on purpose.
        if let Some(operation) = annotated.operation.as_ref().filter(|_| !annotated.is_for_tests()) {
            by_name.entry(operation.function_name()).or_default().push(index);
        }
    }
    let mut drafts = Vec::new();
    let mut hidden = Vec::new();
    for function in walked.functions.iter().filter(|function| function.is_product()) {
        for call in function.calls.iter().filter(|call| !call.fresh.is_empty()) {
            for index in by_name.get(&call.name).into_iter().flatten() {
                drafts.extend(made_at(walked, function, call, *index));
            }
        }
        for opaque in &function.opaque {
            if let Some(name) = by_name.keys().filter(|name| opaque.words.contains(*name)).min() {
                let what = format!("what is passed to `{name}` inside the macro call `{}!`", opaque.name);
                hidden.push(Hidden { location: opaque.location.clone(), reason: Reason::Macro, what });
            }
        }
    }
    walked.hidden.extend(hidden);
    drafts
}

fn made_at(walked: &Walked, function: &FunctionFacts, call: &Call, index: usize) -> Vec<Draft> {
    let annotated = &walked.annotated[index];
    let Some(operation) = &annotated.operation else { return Vec::new() };
    let parameters = operation.positional_parameters();
    let name = operation.function_name();
    let callee = Callee {
        name: &name,
        owner: annotated.owner.as_deref(),
        module: &annotated.context.module,
        has_receiver: operation.has_receiver(),
        arity: parameters.len(),
    };
    if !callee.fits(call) || means_another(walked, function, call) {
        return Vec::new();
    }
    // `Orders::create(&orders, order_no)`
    let shift = call.arity - parameters.len();
    let parts = operation.key_parts();
    let mut drafts = Vec::new();
    for argument in &call.fresh {
        let parameter = argument.position.checked_sub(shift).and_then(|position| parameters.get(position));
        let Some(Some(parameter)) = parameter else { continue };
        let part = parts.iter().find(|part| is_filled_by(part, parameter, argument.field.as_deref()));
        drafts.extend(part.map(|part| draft(function, (index, annotated, operation), part, argument)));
    }
    drafts
}

/// Whether a function without the attribute, in the file of the call, fits it as well.
fn means_another(walked: &Walked, caller: &FunctionFacts, call: &Call) -> bool {
    walked.functions.iter().any(|function| {
        !function.is_annotated
            && Rc::ptr_eq(&function.place.source, &caller.place.source)
            && Callee::from(function).fits(call)
    })
}

/// Whether an argument, or one field of it, is what the part reads.
fn is_filled_by(part: &PartInfo, parameter: &str, field: Option<&str>) -> bool {
    if part.parameter.as_deref() != Some(parameter) {
        return false;
    }
    match field {
        None => part.whole,
        Some(field) => {
            let path =
                part.text.split_once(&format!("{parameter}.")).map(|(_, path)| path).unwrap_or_default();
            path.split(|c: char| !c.is_alphanumeric() && c != '_').next() == Some(field)
        }
    }
}

fn draft(
    caller: &FunctionFacts,
    (index, annotated, operation): (usize, &Annotated, &Operation),
    part: &PartInfo,
    argument: &FreshArgument,
) -> Draft {
    let source = &annotated.places.attribute.source;
    let place = locate(&part.place, source).unwrap_or_else(|| annotated.places.attribute.clone());
    Draft {
        code: "key-made-at-call",
        about: vec![index],
        package: caller.package,
        location: Location { source: Rc::clone(&caller.place.source), range: argument.fresh.range.clone() },
        message: format!(
            "`{}` makes a new `{}` for every call of `{}`",
            argument.fresh.shown,
            part.text,
            operation.function_name()
        ),
        help: "pass what the request came with, or make it once, before the first try, and keep it"
            .to_owned(),
        note: "a retry would get another key and run the body a second time".to_owned(),
        related: vec![(place, "it is a part of the key".to_owned())],
    }
}

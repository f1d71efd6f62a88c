//! `operation-collision`

use idempotency_macros_core::Operation;

use super::{Draft, exclude_each_other, groups};
use crate::annotated::Annotated;
use crate::finding::locate;
use crate::source::Location;
use crate::walk::Walked;

/// Operations of one name that can meet. Tests have stores of their own, and name theirs as they like.
pub(super) fn collisions(walked: &Walked) -> Vec<Draft> {
    let mut drafts = Vec::new();
    for group in groups(walked) {
        for (position, (index, annotated)) in group.iter().enumerate() {
            let Some(name) = name(annotated).filter(|_| !annotated.is_for_tests()) else { continue };
            let earlier = group[..position]
                .iter()
                .find(|(_, other)| self::name(other) == Some(name) && !exclude_each_other(other, annotated));
            if let Some((other_index, other)) = earlier {
                drafts.push(draft(walked, name, (*other_index, other), (*index, annotated)));
            }
        }
    }
    drafts
}

/// Whether the attribute says that another operation of its name is meant.
pub(super) fn is_allowed(annotated: &Annotated) -> bool {
    let operation = annotated.operation.as_ref();
    operation.is_some_and(|operation| operation.allows().iter().any(|allow| allow.code() == COLLISION))
}

pub(super) const COLLISION: &str = "operation-collision";

fn draft(walked: &Walked, name: &str, first: (usize, &Annotated), second: (usize, &Annotated)) -> Draft {
    let (first_index, first) = first;
    let (second_index, second) = second;
    let packages = (first.context.package, second.context.package);
    let note = if packages.0 == packages.1 {
        "both would share their records: a call of one is answered with the outcome of the other".to_owned()
    } else {
        format!(
            "packages `{}` and `{}` share records unless their store handles have different namespaces",
            walked.packages[packages.0].name, walked.packages[packages.1].name
        )
    };
    Draft {
        code: COLLISION,
        about: vec![first_index, second_index],
        package: packages.1,
        location: name_location(second),
        message: format!("`{name}` names two operations"),
        help: format!("`op = \"{}\"` in one of the attributes", suggestion(walked, name, first, second)),
        note,
        related: vec![(name_location(first), "the other operation of this name".to_owned())],
    }
}

fn name(annotated: &Annotated) -> Option<&str> {
    annotated.operation.as_ref().map(Operation::name)
}

/// Where the name of the operation stands.
fn name_location(annotated: &Annotated) -> Location {
    let places = &annotated.places;
    let place = annotated.operation.as_ref().map(Operation::name_place);
    place.and_then(|place| locate(&place, &places.name.source)).unwrap_or_else(|| places.name.clone())
}

/// `orders.create` for the second of two, from the type, the module or the package around it.
fn suggestion(walked: &Walked, name: &str, first: &Annotated, second: &Annotated) -> String {
    let around = |annotated: &Annotated| {
        let package = &walked.packages[annotated.context.package].name;
        let word = annotated.owner.as_ref().or(annotated.context.module.last()).unwrap_or(package);
        snake(&word.replace('-', "_"))
    };
    let function = second.operation.as_ref().map_or_else(|| name.to_owned(), Operation::function_name);
    let word = around(second);
    if function != name || word != around(first) {
        format!("{word}.{function}")
    } else {
        format!("other.{name}")
    }
}

/// `OrderStore` as `order_store`
fn snake(name: &str) -> String {
    let mut text = String::new();
    for character in name.chars() {
        if character.is_uppercase() && !text.is_empty() {
            text.push('_');
        }
        text.extend(character.to_lowercase());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::snake;

    #[test]
    fn types_become_words_of_a_name() {
        assert_eq!((snake("OrderStore"), snake("orders")), ("order_store".to_owned(), "orders".to_owned()));
    }
}

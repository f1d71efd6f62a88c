//! Functions of the workspace and what they call: all that is known without types.

use std::collections::HashSet;
use std::ops::Range;
use std::rc::Rc;

use crate::source::Location;
use crate::workspace::Role;

/// A function with a body.
#[derive(Debug)]
pub(crate) struct FunctionFacts {
    pub(crate) name: String,
    /// The type whose `impl`, or the trait, it stands in.
    pub(crate) owner: Option<String>,
    /// The module, from the root of the target.
    pub(crate) module: Vec<String>,
    pub(crate) package: usize,
    /// The name in the signature.
    pub(crate) place: Location,
    pub(crate) role: Role,
    /// The function or something around it is for tests.
    pub(crate) is_test: bool,
    /// The attribute stands on it.
    pub(crate) is_annotated: bool,
    pub(crate) has_receiver: bool,
    /// How many arguments a call passes, `self` not among them.
    pub(crate) arity: usize,
    pub(crate) calls: Vec<Call>,
    /// Macro calls that could not be read as expressions.
    pub(crate) opaque: Vec<Opaque>,
}

impl FunctionFacts {
    /// Whether its calls are those of the product, not of a test.
    pub(crate) fn is_product(&self) -> bool {
        !self.is_test && self.role != Role::Test
    }

    /// The place of one of its calls.
    pub(crate) fn call_place(&self, call: &Call) -> Location {
        Location { source: Rc::clone(&self.place.source), range: call.range.clone() }
    }
}

/// What a call must fit to be a call of a function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Callee<'a> {
    pub(crate) name: &'a str,
    pub(crate) owner: Option<&'a str>,
    pub(crate) module: &'a [String],
    pub(crate) has_receiver: bool,
    pub(crate) arity: usize,
}

impl Callee<'_> {
    /// Whether the call may mean this function, by name, number of arguments and the name before.
    pub(crate) fn fits(&self, call: &Call) -> bool {
        if call.name != self.name {
            return false;
        }
        if call.is_method {
            return self.has_receiver && call.arity == self.arity;
        }
        // `Orders::create(&orders, order_no)`
        if call.arity != self.arity + usize::from(self.has_receiver) {
            return false;
        }
        match call.qualifier.as_deref() {
            None | Some("self" | "super" | "crate") => self.owner.is_none(),
            Some("Self") => self.owner.is_some(),
            Some(qualifier) => match self.owner {
                Some(owner) => owner == qualifier,
                // A crate's own name stands for its root.
                None => self.module.last().is_none_or(|module| module == qualifier),
            },
        }
    }
}

impl<'a> From<&'a FunctionFacts> for Callee<'a> {
    fn from(function: &'a FunctionFacts) -> Self {
        Self {
            name: &function.name,
            owner: function.owner.as_deref(),
            module: &function.module,
            has_receiver: function.has_receiver,
            arity: function.arity,
        }
    }
}

/// `qualifier::name(arguments)` or `receiver.name(arguments)`
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) name: String,
    /// The segment before the name, or the last name of the receiver.
    pub(crate) qualifier: Option<String>,
    pub(crate) is_method: bool,
    pub(crate) arity: usize,
    /// Arguments that hold something made just now, by position.
    pub(crate) fresh: Vec<FreshArgument>,
    pub(crate) range: Range<usize>,
}

/// An argument, or one field of a struct literal in it, that is new in every call.
#[derive(Debug)]
pub(crate) struct FreshArgument {
    pub(crate) position: usize,
    pub(crate) field: Option<String>,
    pub(crate) fresh: Fresh,
}

/// A value made just now.
#[derive(Clone, Debug)]
pub(crate) struct Fresh {
    /// `Uuid::new_v4()`
    pub(crate) shown: String,
    pub(crate) range: Range<usize>,
}

/// A macro call of which only the words are known.
#[derive(Debug)]
pub(crate) struct Opaque {
    pub(crate) name: String,
    pub(crate) words: HashSet<String>,
    pub(crate) location: Location,
}

/// Whether two spellings name the same thing: `Mailer` and `mailer`, `OrderStore` and `order_store`.
pub(crate) fn alike(a: &str, b: &str) -> bool {
    let letters =
        |text: &str| text.chars().filter(|c| *c != '_').flat_map(char::to_lowercase).collect::<String>();
    letters(a) == letters(b)
}

#[cfg(test)]
mod tests {
    use super::alike;

    #[test]
    fn a_type_and_a_variable_of_its_name_are_alike() {
        assert!(alike("Mailer", "mailer") && alike("OrderStore", "order_store"));
        assert!(!alike("Mailer", "mail"));
    }
}

//! One annotated function: what the engine makes of it, and where it stands.

use idempotency_macros_core::{Host, Operation, PartInfo, Report, lint, resolve};
use proc_macro2::TokenStream;

use crate::finding::{Finding, locate};
use crate::source::Location;
use crate::walk::{Context, Owner};
use crate::workspace::Role;

/// A function with the attribute.
#[derive(Debug)]
pub(crate) struct Annotated {
    /// `None` if the engine could not make one of it, which it then reported.
    pub(crate) operation: Option<Operation>,
    /// The type whose `impl`, or the trait, it stands in.
    pub(crate) owner: Option<String>,
    pub(crate) context: Context,
    pub(crate) places: Places,
}

/// Where an annotated function stands.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    /// The path of the attribute.
    pub(crate) attribute: Location,
    /// The name of the function.
    pub(crate) name: Location,
}

impl Annotated {
    /// Runs the engine, as the attribute does at compile time.
    pub(crate) fn read(
        arguments: TokenStream,
        item: TokenStream,
        places: Places,
        owner: Option<Owner>,
        context: &Context,
    ) -> (Self, Vec<Finding>) {
        let mut report = Report::new();
        let operation = resolve(arguments, item, &context.policy, &mut report);
        let operation = operation.map(|operation| match &owner {
            Some(owner) => operation.inside(owner.generics.clone(), owner.self_type.clone()),
            None => operation,
        });
        if let Some(operation) = &operation {
            lint::run(operation, &context.policy, Host::Command, &mut report);
        }
        let source = &places.attribute.source;
        let findings = report
            .into_diagnostics()
            .iter()
            .map(|diagnostic| Finding::of_diagnostic(diagnostic, source, &places.attribute))
            .collect();
        (
            Self { operation, owner: owner.and_then(|owner| owner.name), context: context.clone(), places },
            findings,
        )
    }

    /// Whether it belongs to the product, not to a test.
    pub(crate) fn is_product(&self) -> bool {
        self.group().is_empty()
    }

    /// The parts of the key; the attribute, if they stand in different places.
    pub(crate) fn key_location(&self) -> Location {
        let parts = self.operation.as_ref().map(Operation::key_parts).unwrap_or_default();
        let source = &self.places.attribute.source;
        let located = |part: Option<&PartInfo>| part.and_then(|part| locate(&part.place, source));
        match (located(parts.first()), located(parts.last())) {
            (Some(first), Some(last)) if first.range.start < last.range.end => {
                Location { source: first.source, range: first.range.start..last.range.end }
            }
            _ => self.places.attribute.clone(),
        }
    }

    /// Whether only tests see it.
    pub(crate) fn is_for_tests(&self) -> bool {
        self.context.is_test || self.context.role == Role::Test
    }

    /// Operations of one group can meet in one program, or share their records; the product's is empty.
    pub(crate) fn group(&self) -> String {
        if self.context.is_test && self.context.group.is_empty() {
            format!("tests of package {}", self.context.package)
        } else {
            self.context.group.clone()
        }
    }

    /// `orders::Orders::create`
    pub(crate) fn path(&self) -> String {
        let name = self.places.name.source.text.get(self.places.name.range.clone()).unwrap_or_default();
        let owner = self.owner.iter().map(String::as_str);
        let module = self.context.module.iter().map(String::as_str);
        module.chain(owner).chain([name]).collect::<Vec<_>>().join("::")
    }
}

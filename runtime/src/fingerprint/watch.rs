//! Looks for the excluded fields while a value is serialized.
//!
//! The first pass knows a field by its place. That misses a field of which the serializer never sees the original, as
//! under `serialize_with`, and one that `skip_serializing_if` leaves out. When an exclusion had no hit, a second pass
//! follows its names too, and takes note of what was skipped along the way.

use super::FingerprintError;
use super::exclude::{Exclusion, Place};

pub(super) struct Watch {
    targets: Vec<Target>,
    by_name: bool,
    levels: Vec<Level>,
}

struct Target {
    place: Place,
    names: &'static [&'static str],
    found: bool,
    /// For every value that encloses the current position: how many of the names lead to it, `None` beside the path.
    trail: Vec<Option<usize>>,
    /// The longest beginning of the path at which a struct or map was met.
    deepest: usize,
}

/// A struct or map that is being serialized, in the second pass.
struct Level {
    container: Container,
    skipped: bool,
    rewritten: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Container {
    Struct,
    /// Also what serde makes of a struct with a flattened field.
    Map,
}

/// How a value is reached from the one around it.
#[derive(Clone, Copy)]
pub(super) enum Step<'n> {
    Entry(&'n str),
    Element(usize),
    Newtype,
    Transparent,
}

impl Watch {
    pub(super) fn idle() -> Self {
        Self { targets: Vec::new(), by_name: false, levels: Vec::new() }
    }

    pub(super) fn by_address(exclusions: &[Exclusion]) -> Self {
        let targets = exclusions.iter().filter_map(|exclusion| {
            exclusion.place().map(|place| Target {
                place,
                names: exclusion.names(),
                found: false,
                trail: Vec::new(),
                deepest: 0,
            })
        });
        Self { targets: targets.collect(), by_name: false, levels: Vec::new() }
    }

    pub(super) fn is_idle(&self) -> bool {
        self.targets.is_empty()
    }

    /// Whether the value must be serialized again, and this time be looked at by name.
    pub(super) fn names_needed(&mut self) -> bool {
        self.by_name = self.missing().is_some();
        self.by_name
    }

    pub(super) fn verdict(&self) -> Result<(), FingerprintError> {
        match self.missing() {
            None => Ok(()),
            Some(target) => Err(FingerprintError::ExclusionMatchedNothing { path: target.names.join(".") }),
        }
    }

    /// A target without a hit, which is also not part of one that was hit.
    fn missing(&self) -> Option<&Target> {
        self.targets.iter().find(|target| {
            !target.found
                && !self.targets.iter().any(|other| other.found && target.names.starts_with(other.names))
        })
    }

    /// Steps into a value, and says whether it is excluded instead.
    pub(super) fn enter<T: ?Sized>(&mut self, step: Step<'_>, value: &T) -> bool {
        let place = Place::of(value);
        let mut excluded = false;
        for target in &mut self.targets {
            if target.place.covers(&place) {
                target.found = true;
                excluded = true;
            }
        }
        if !excluded && self.by_name {
            excluded = self.enter_by_name(step, &place);
        }
        excluded
    }

    /// Steps out of a value that was not excluded.
    pub(super) fn leave(&mut self) {
        if self.by_name {
            for target in &mut self.targets {
                target.trail.pop();
            }
        }
    }

    pub(super) fn open(&mut self, container: Container) {
        if !self.by_name {
            return;
        }
        self.levels.push(Level { container, skipped: false, rewritten: false });
        for target in &mut self.targets {
            target.deepest = target.deepest.max(target.position().unwrap_or(0));
        }
    }

    pub(super) fn close(&mut self) {
        if let Some(level) = self.levels.pop() {
            for target in &mut self.targets {
                target.found |= target.position() == Some(target.deepest) && level.may_have_skipped(target);
            }
        }
    }

    pub(super) fn skipped(&mut self) {
        if let Some(level) = self.levels.last_mut() {
            level.skipped = true;
        }
    }

    fn enter_by_name(&mut self, step: Step<'_>, place: &Place) -> bool {
        let in_map = self.levels.last().is_some_and(|level| level.container == Container::Map);
        let mut excluded = false;
        for target in self.targets.iter_mut().filter(|target| !target.found) {
            target.found = target.is_reached(step, place, in_map);
            excluded |= target.found;
        }
        if excluded {
            return true;
        }
        if let (Step::Entry(_), Some(level)) = (step, self.levels.last_mut()) {
            level.rewritten |= place.is_serialize_with();
        }
        for target in &mut self.targets {
            let next = target.follow(step, place);
            target.trail.push(next);
        }
        false
    }
}

impl Target {
    fn position(&self) -> Option<usize> {
        self.trail.last().copied().unwrap_or(Some(0))
    }

    /// The name that leads on from the current position.
    fn next_name(&self) -> Option<&'static str> {
        self.names.get(self.position()?).copied()
    }

    fn is_reached(&self, step: Step<'_>, place: &Place, in_map: bool) -> bool {
        let named = self.next_name().is_some_and(|name| step.is_named(name));
        let last = self.position().is_some_and(|at| at + 1 == self.names.len());
        // A flattened struct with a single field: the entry is that field, the exclusion the struct around it.
        let flattened = in_map && !named && self.place.same_bytes(place) && matches!(step, Step::Entry(_));
        named && last || flattened
    }

    fn follow(&self, step: Step<'_>, place: &Place) -> Option<usize> {
        let at = self.position()?;
        if self.next_name().is_some_and(|name| step.is_named(name)) {
            return Some(at + 1);
        }
        match step {
            Step::Transparent | Step::Newtype => Some(at),
            // Renamed, or below a flattened struct, whose own name does not appear.
            Step::Entry(_) | Step::Element(_) if place.encloses(&self.place) => {
                let parents = self.names.len().saturating_sub(1);
                let named = (at..parents).find(|&name| step.is_named(self.names[name]));
                Some(named.map_or(at + 1, |name| name + 1).min(parents))
            }
            Step::Entry(_) | Step::Element(_) => None,
        }
    }
}

impl Level {
    /// Whether the field may be missing here because it was skipped. A struct with a flattened field says nothing about
    /// skipped ones; there, a field that was rewritten under another name is the one other explanation.
    fn may_have_skipped(&self, target: &Target) -> bool {
        match self.container {
            Container::Struct => self.skipped,
            Container::Map => !self.rewritten || target.place.is_option(),
        }
    }
}

impl Step<'_> {
    fn is_named(&self, name: &str) -> bool {
        match self {
            Self::Entry(entry) => *entry == name,
            Self::Element(index) => name.parse() == Ok(*index),
            Self::Newtype => name == "0",
            Self::Transparent => false,
        }
    }
}

//! Looks for the excluded fields while a value is serialized.
//!
//! The first pass knows a field by its place. That misses a field of which the serializer never sees the original, as
//! under `serialize_with`, and one that `skip_serializing_if` leaves out. When an exclusion had no hit, a second pass
//! follows its names too, and takes note of what was skipped along the way. When that finds nothing either, a third
//! pass also supposes that a name on the way is that of a flattened field, which does not appear.

use super::FingerprintError;
use super::exclude::{Exclusion, Place};

pub(super) struct Watch {
    targets: Vec<Target>,
    /// The values that are being serialized, the innermost last.
    path: Vec<Around>,
    /// How many values, structs and maps were met so far.
    met: usize,
    by_name: bool,
    /// Names on the way may be those of flattened fields.
    supposing: bool,
    levels: Vec<Level>,
}

struct Around {
    place: Place,
    /// How many entries and elements lead to it.
    depth: usize,
}

struct Target {
    place: Place,
    names: &'static [&'static str],
    found: bool,
    found_by_place: bool,
    /// For every value that encloses the current position: how many of the names lead to it, `None` beside the path.
    trail: Vec<Option<usize>>,
    /// The longest beginning of the path at which a struct or map was met.
    deepest: usize,
    /// That of the second pass: the name behind it did not appear.
    stuck_at: usize,
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

/// A value that was entered.
#[must_use]
pub(super) struct Entered {
    met: usize,
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
        Self {
            targets: Vec::new(),
            path: Vec::new(),
            met: 0,
            by_name: false,
            supposing: false,
            levels: Vec::new(),
        }
    }

    pub(super) fn by_address(exclusions: &[Exclusion]) -> Self {
        let targets = exclusions.iter().filter_map(|exclusion| {
            exclusion.place().map(|place| Target {
                place,
                names: exclusion.names(),
                found: false,
                found_by_place: false,
                trail: Vec::new(),
                deepest: 0,
                stuck_at: 0,
            })
        });
        Self { targets: targets.collect(), ..Self::idle() }
    }

    #[inline]
    pub(super) fn is_idle(&self) -> bool {
        self.targets.is_empty()
    }

    /// Whether the value must be serialized again, and this time be looked at by name.
    pub(super) fn names_needed(&mut self) -> bool {
        self.by_name = self.missing().is_some();
        self.by_name
    }

    /// Whether the value must be serialized once more, and flattened fields be supposed.
    pub(super) fn supposing_needed(&mut self) -> bool {
        self.supposing = self.by_name && self.missing().is_some();
        if self.supposing {
            for target in &mut self.targets {
                target.found = target.found_by_place;
                target.stuck_at = target.deepest;
            }
        }
        self.supposing
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

    /// How many values are being serialized: names the innermost.
    pub(super) fn nesting(&self) -> usize {
        self.path.len()
    }

    /// Steps into a value, unless it is excluded: then there is nothing to leave.
    pub(super) fn enter(&mut self, step: Step<'_>, place: Place) -> Option<Entered> {
        self.met += 1;
        let mut excluded = false;
        for target in &mut self.targets {
            if target.place.covers(&place) {
                target.found = true;
                target.found_by_place = true;
                excluded = true;
            }
        }
        if !excluded && self.by_name {
            excluded = self.enter_by_name(step, &place);
        }
        if excluded {
            return None;
        }
        let depth = self.path.last().map_or(0, |around| around.depth) + usize::from(step.is_deeper());
        self.path.push(Around { place, depth });
        Some(Entered { met: self.met })
    }

    /// Whether a value that was serialized must be taken back: it showed no parts, and is made of the bytes of an excluded
    /// field that was not met. That is a transparent struct around the field, or the field of a flattened struct that has
    /// no other.
    pub(super) fn turned_out_excluded(&mut self, entered: &Entered) -> bool {
        let Some(around) = self.path.last().filter(|_| self.met == entered.met) else {
            return false;
        };
        let mut excluded = false;
        for target in self.targets.iter_mut().filter(|target| !target.found) {
            target.found = target.place.same_bytes(&around.place);
            target.found_by_place = target.found;
            excluded |= target.found;
        }
        excluded
    }

    /// Steps out of a value that was entered.
    pub(super) fn leave(&mut self) {
        self.path.pop();
        if self.by_name {
            for target in &mut self.targets {
                target.trail.pop();
            }
        }
    }

    pub(super) fn open(&mut self, container: Container) {
        self.met += 1;
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
            let may_tell = self.supposing || level.container == Container::Struct;
            for target in self.targets.iter_mut().filter(|_| may_tell) {
                target.found |= target.position() == Some(target.deepest) && level.may_have_skipped(target);
            }
        }
    }

    /// A field that `skip_serializing_if` left out of a struct, the value of this nesting.
    ///
    /// In most cases this tells already in the first pass that an exclusion had nothing to leave out: when the struct
    /// holds the excluded field in its memory, and lies where the field's parent must be.
    pub(super) fn skipped(&mut self, name: &str, nesting: usize) {
        let parent = nesting.checked_sub(1).and_then(|last| self.path.get(last));
        for target in &mut self.targets {
            target.found |= target.names.last() == Some(&name)
                && parent.is_some_and(|parent| {
                    target.names.len() == parent.depth + 1 && parent.place.encloses(&target.place)
                });
        }
        if let Some(level) = self.levels.last_mut() {
            level.skipped = true;
        }
    }

    fn enter_by_name(&mut self, step: Step<'_>, place: &Place) -> bool {
        let in_map = self.levels.last().is_some_and(|level| level.container == Container::Map);
        let flattened =
            in_map && self.path.last().is_some_and(|parent| place.is_flattened_into(&parent.place));
        let mut excluded = false;
        for target in self.targets.iter_mut().filter(|target| !target.found) {
            target.found = target.is_reached(step, flattened);
            excluded |= target.found;
        }
        if excluded {
            return true;
        }
        if let (Step::Entry(_), Some(level)) = (step, self.levels.last_mut()) {
            level.rewritten |= place.is_serialize_with();
        }
        for target in &mut self.targets {
            let supposed = if self.supposing && in_map { target.suppose_flattened(step) } else { None };
            let next = target.follow(step, place).or(supposed);
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

    /// Whether the names end with this step. The name of a flattened field does not appear, so that an entry which comes
    /// from one may be further along the path.
    fn is_reached(&self, step: Step<'_>, flattened: bool) -> bool {
        let (Some(at), Some(last)) = (self.position(), self.names.len().checked_sub(1)) else {
            return false;
        };
        step.is_named(self.names[last])
            && (at == last || at < last && flattened && matches!(step, Step::Entry(_)))
    }

    /// Steps over names that did not appear in the second pass, to a later one that does.
    fn suppose_flattened(&self, step: Step<'_>) -> Option<usize> {
        let at = self.position().filter(|at| *at == self.stuck_at && matches!(step, Step::Entry(_)))?;
        let parents = self.names.len().saturating_sub(1);
        (at + 1..parents).find(|&name| step.is_named(self.names[name])).map(|name| name + 1)
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
    fn is_deeper(self) -> bool {
        matches!(self, Self::Entry(_) | Self::Element(_))
    }

    fn is_named(&self, name: &str) -> bool {
        match self {
            Self::Entry(entry) => *entry == name,
            Self::Element(index) => name.parse() == Ok(*index),
            Self::Newtype => name == "0",
            Self::Transparent => false,
        }
    }
}

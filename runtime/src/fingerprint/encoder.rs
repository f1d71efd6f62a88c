//! The canonical encoding.
//!
//! ```text
//! value   = null | bool | integer | float | string | bytes | sequence | map | variant | some
//! null    = "n"                                  None, (), unit structs
//! bool    = "t" | "f"
//! integer = ("+" | "-") len:u8 magnitude         by value whatever the type; big-endian, without leading zeros
//! float   = "d" bits:u64                         f32 widened, -0.0 as 0.0, NaN refused
//! string  = "s" len bytes                        also `char`
//! bytes   = "b" len bytes
//! sequence= "[" value* "]"                       also tuples and tuple structs
//! set     = "{" ("s" 0 (value | digest))* "}"     hash sets and heaps; sorted by the bytes of the values
//! map     = "{" (string (value | digest))* "}"   also structs; sorted by the bytes of the names
//! digest  = "#" sha256:32                        stands for a value of an entry that is longer than 4096 bytes
//! variant = "e" len name value                   null for unit variants
//! some    = "?" value                            only where the value would read as None: null and some
//! len     = u8 below 255 | 255 u64
//! ```
//! Numbers are big-endian. Newtype structs are what they hold. An entry whose value is null is left out.

use serde::Serialize;

use super::compound::{Entries, Sequence};
use super::exclude::{Exclusion, Place};
use super::scratch::Scratch;
use super::volatile::Volatile;
use super::watch::{Container, Step, Watch};
use super::{FingerprintError, digest_in};

pub(super) mod tag {
    pub(in super::super) const NULL: u8 = b'n';
    pub(in super::super) const TRUE: u8 = b't';
    pub(in super::super) const FALSE: u8 = b'f';
    pub(in super::super) const POSITIVE: u8 = b'+';
    pub(in super::super) const NEGATIVE: u8 = b'-';
    pub(in super::super) const FLOAT: u8 = b'd';
    pub(in super::super) const STRING: u8 = b's';
    pub(in super::super) const BYTES: u8 = b'b';
    pub(in super::super) const SEQUENCE: u8 = b'[';
    pub(in super::super) const SEQUENCE_END: u8 = b']';
    pub(in super::super) const MAP: u8 = b'{';
    pub(in super::super) const MAP_END: u8 = b'}';
    pub(in super::super) const DIGEST: u8 = b'#';
    pub(in super::super) const VARIANT: u8 = b'e';
    pub(in super::super) const SOME: u8 = b'?';
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// `null` equals absent, `Some(x)` equals `x`.
    Fingerprint,
    /// Every difference of type that a codec may lose is kept.
    Typed,
}

/// What a value turned out to be. Nulls are written by what holds them, because an entry leaves them out.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Written,
    /// A null inside this many `Some`.
    Null {
        inside: u32,
    },
    Excluded,
}

pub(super) struct Encoder {
    pub(super) scratch: Scratch,
    pub(super) watch: Watch,
    pub(super) mode: Mode,
    pub(super) volatile: Volatile,
    /// The value that is being serialized is a set whose order says nothing.
    unordered: bool,
    /// The first error, kept because an implementation of `Serialize` may swallow it and go on after half a value.
    failure: Option<FingerprintError>,
}

impl Encoder {
    pub(super) fn new(mode: Mode, domain: &[u8]) -> Self {
        let scratch = Scratch::new(digest_in(domain));
        Self {
            scratch,
            watch: Watch::idle(),
            mode,
            volatile: Volatile::Ignored,
            unordered: false,
            failure: None,
        }
    }

    pub(super) fn include<T: Serialize + ?Sized>(
        &mut self,
        value: &T,
        exclusions: &[Exclusion],
    ) -> Result<(), FingerprintError> {
        let checkpoint = self.scratch.checkpoint();
        self.watch = Watch::by_address(exclusions);
        let mut result = self.root(value);
        if result.is_ok() && self.watch.names_needed() {
            self.scratch.restore(checkpoint.clone());
            result = self.root(value);
            if result.is_ok() && self.watch.supposing_needed() {
                self.scratch.restore(checkpoint.clone());
                result = self.root(value);
            }
            result = result.and_then(|()| self.watch.verdict());
        }
        if result.is_err() {
            self.scratch.restore(checkpoint);
        }
        result
    }

    fn root<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), FingerprintError> {
        let result = self.place(Step::Transparent, value);
        self.failure.take().map_or(result, Err)
    }

    pub(super) fn finish(self) -> [u8; 32] {
        self.scratch.finish()
    }

    /// Whether both have encoded the same.
    pub(super) fn same(self, other: Self) -> bool {
        self.scratch.same(other.scratch)
    }

    /// A value where one must be.
    pub(super) fn place<T: Serialize + ?Sized>(
        &mut self,
        step: Step<'_>,
        value: &T,
    ) -> Result<(), FingerprintError> {
        let shape = self.value(step, value)?;
        self.place_null(shape);
        Ok(())
    }

    /// A value that may be left out. Says whether it was.
    pub(super) fn place_unless_null<T: Serialize + ?Sized>(
        &mut self,
        value: &T,
    ) -> Result<bool, FingerprintError> {
        let shape = self.serialize(value)?;
        let left_out = match shape {
            Shape::Written => false,
            Shape::Excluded => true,
            Shape::Null { inside } => inside == 0 && self.mode == Mode::Fingerprint,
        };
        if !left_out {
            self.place_null(shape);
        }
        Ok(left_out)
    }

    pub(super) fn fail(&mut self, error: FingerprintError) -> FingerprintError {
        self.failure.get_or_insert(error).clone()
    }

    fn place_null(&mut self, shape: Shape) {
        let inside = match shape {
            Shape::Written => return,
            Shape::Excluded => 0,
            Shape::Null { inside } => inside,
        };
        for _ in 0..inside {
            self.scratch.push(&[tag::SOME]);
        }
        self.token(&[tag::NULL]);
    }

    pub(super) fn value<T: Serialize + ?Sized>(
        &mut self,
        step: Step<'_>,
        value: &T,
    ) -> Result<Shape, FingerprintError> {
        if self.watch.is_idle() {
            return self.serialize(value);
        }
        if self.watch.enter(step, Place::of(value)).is_none() {
            return Ok(Shape::Excluded);
        }
        let shape = self.serialize(value);
        self.watch.leave();
        shape
    }

    fn serialize<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<Shape, FingerprintError> {
        self.unordered = is_unordered::<T>();
        value.serialize(&mut *self).map_err(|error| self.fail(error.within::<T>()))
    }

    pub(super) fn token(&mut self, bytes: &[u8]) -> Shape {
        self.scratch.push(bytes);
        self.scratch.settle();
        Shape::Written
    }

    #[expect(clippy::cast_possible_truncation, reason = "at most 16 digits")]
    pub(super) fn integer(&mut self, negative: bool, magnitude: u128) -> Shape {
        let bytes = magnitude.to_be_bytes();
        let digits = &bytes[(magnitude.leading_zeros() / 8) as usize..];
        let sign = if negative { tag::NEGATIVE } else { tag::POSITIVE };
        self.scratch.push(&[sign, digits.len() as u8]);
        self.token(digits)
    }

    pub(super) fn variant(&mut self, name: &str) {
        self.scratch.name(tag::VARIANT, name);
    }

    pub(super) fn sequence(&mut self) -> Sequence<'_> {
        if std::mem::take(&mut self.unordered) {
            return Sequence::unordered(self);
        }
        self.scratch.push(&[tag::SEQUENCE]);
        Sequence::new(self)
    }

    pub(super) fn entries(&mut self, container: Container) -> Entries<'_> {
        self.watch.open(container);
        Entries::new(self)
    }
}

/// Hash sets come in another order in every process, and heaps in that of their making. serde shows both as sequences;
/// only the name of the type tells.
fn is_unordered<T: ?Sized>() -> bool {
    let name = std::any::type_name::<T>();
    let name = name.trim_start_matches('&');
    name.starts_with("std::collections::hash::set::HashSet<")
        || name.starts_with("hashbrown::set::HashSet<")
        || name.starts_with("alloc::collections::binary_heap::BinaryHeap<")
}

//! The canonical encoding, as a serde serializer.
//!
//! ```text
//! value   = null | bool | integer | float | string | bytes | sequence | map | variant | some
//! null    = "n"                                  None, (), unit structs
//! bool    = "t" | "f"
//! integer = ("+" | "-") len:u8 magnitude         by value whatever the type; big-endian, without leading zeros
//! float   = "d" bits:u64                         f32 widened, -0.0 as 0.0, NaN refused
//! string  = "s" len:u64 bytes                    also `char`
//! bytes   = "b" len:u64 bytes
//! sequence= "[" value* "]"                       also tuples and tuple structs
//! map     = "{" (string (value | digest))* "}"   also structs; sorted by the bytes of the names
//! digest  = "#" sha256:32                        stands for a value of an entry that is longer than 4096 bytes
//! variant = "e" len:u64 name value               null for unit variants
//! some    = "?" value                            only where the value would read as None: null and some
//! ```
//! Numbers are big-endian. Newtype structs are what they hold. An entry whose value is null is left out.

use std::fmt::{self, Write as _};

use serde::{Serialize, Serializer};

use super::compound::{Entries, Sequence};
use super::exclude::Exclusion;
use super::scratch::Scratch;
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
    mode: Mode,
    /// The first error, kept because an implementation of `Serialize` may swallow it and go on after half a value.
    failure: Option<FingerprintError>,
}

impl Encoder {
    pub(super) fn new(mode: Mode, domain: &[u8]) -> Self {
        Self { scratch: Scratch::new(digest_in(domain)), watch: Watch::idle(), mode, failure: None }
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
            result = self.root(value).and_then(|()| self.watch.verdict());
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

    fn value<T: Serialize + ?Sized>(&mut self, step: Step<'_>, value: &T) -> Result<Shape, FingerprintError> {
        if self.watch.is_idle() {
            return self.serialize(value);
        }
        if self.watch.enter(step, value) {
            return Ok(Shape::Excluded);
        }
        let shape = self.serialize(value);
        self.watch.leave();
        shape
    }

    fn serialize<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<Shape, FingerprintError> {
        value.serialize(&mut *self).map_err(|error| self.fail(error.within::<T>()))
    }

    fn token(&mut self, bytes: &[u8]) -> Shape {
        self.scratch.push(bytes);
        self.scratch.settle();
        Shape::Written
    }

    #[expect(clippy::cast_possible_truncation, reason = "at most 16 digits")]
    fn integer(&mut self, negative: bool, magnitude: u128) -> Shape {
        let bytes = magnitude.to_be_bytes();
        let digits = &bytes[(magnitude.leading_zeros() / 8) as usize..];
        let sign = if negative { tag::NEGATIVE } else { tag::POSITIVE };
        self.scratch.push(&[sign, digits.len() as u8]);
        self.token(digits)
    }

    fn variant(&mut self, name: &str) {
        self.scratch.name(tag::VARIANT, name);
    }

    fn sequence(&mut self) -> Sequence<'_> {
        self.scratch.push(&[tag::SEQUENCE]);
        Sequence::new(self)
    }

    fn entries(&mut self, container: Container) -> Entries<'_> {
        self.watch.open(container);
        Entries::new(self)
    }
}

macro_rules! integers {
    ($($method:ident($int:ty): |$value:ident| $negative:expr, $magnitude:expr;)*) => {$(
        fn $method(self, $value: $int) -> Result<Shape, FingerprintError> {
            Ok(self.integer($negative, $magnitude))
        }
    )*};
}

impl<'a> Serializer for &'a mut Encoder {
    type Ok = Shape;
    type Error = FingerprintError;
    type SerializeSeq = Sequence<'a>;
    type SerializeTuple = Sequence<'a>;
    type SerializeTupleStruct = Sequence<'a>;
    type SerializeTupleVariant = Sequence<'a>;
    type SerializeMap = Entries<'a>;
    type SerializeStruct = Entries<'a>;
    type SerializeStructVariant = Entries<'a>;

    integers! {
        serialize_i8(i8): |v| v < 0, v.unsigned_abs().into();
        serialize_i16(i16): |v| v < 0, v.unsigned_abs().into();
        serialize_i32(i32): |v| v < 0, v.unsigned_abs().into();
        serialize_i64(i64): |v| v < 0, v.unsigned_abs().into();
        serialize_i128(i128): |v| v < 0, v.unsigned_abs();
        serialize_u8(u8): |v| false, v.into();
        serialize_u16(u16): |v| false, v.into();
        serialize_u32(u32): |v| false, v.into();
        serialize_u64(u64): |v| false, v.into();
        serialize_u128(u128): |v| false, v;
    }

    fn serialize_bool(self, value: bool) -> Result<Shape, FingerprintError> {
        Ok(self.token(&[if value { tag::TRUE } else { tag::FALSE }]))
    }

    fn serialize_f32(self, value: f32) -> Result<Shape, FingerprintError> {
        self.serialize_f64(value.into())
    }

    fn serialize_f64(self, value: f64) -> Result<Shape, FingerprintError> {
        if value.is_nan() {
            return Err(FingerprintError::NotANumber);
        }
        // Adding zero turns -0.0 into 0.0 and changes nothing else.
        self.scratch.push(&[tag::FLOAT]);
        Ok(self.token(&(value + 0.0).to_bits().to_be_bytes()))
    }

    fn serialize_char(self, value: char) -> Result<Shape, FingerprintError> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, value: &str) -> Result<Shape, FingerprintError> {
        self.scratch.text(tag::STRING, value.as_bytes());
        Ok(Shape::Written)
    }

    fn collect_str<T: fmt::Display + ?Sized>(self, value: &T) -> Result<Shape, FingerprintError> {
        self.scratch
            .text_from(|buffer| write!(Text(buffer), "{value}"))
            .map_err(|_| FingerprintError::Refused { type_name: "" })?;
        self.scratch.settle();
        Ok(Shape::Written)
    }

    fn serialize_bytes(self, value: &[u8]) -> Result<Shape, FingerprintError> {
        self.scratch.text(tag::BYTES, value);
        Ok(Shape::Written)
    }

    fn serialize_none(self) -> Result<Shape, FingerprintError> {
        Ok(Shape::Null { inside: 0 })
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<Shape, FingerprintError> {
        if self.mode == Mode::Typed {
            self.scratch.push(&[tag::SOME]);
            self.place(Step::Transparent, value)?;
            return Ok(Shape::Written);
        }
        Ok(match self.value(Step::Transparent, value)? {
            Shape::Null { inside } => Shape::Null { inside: inside + 1 },
            shape => shape,
        })
    }

    fn serialize_unit(self) -> Result<Shape, FingerprintError> {
        Ok(Shape::Null { inside: 0 })
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Result<Shape, FingerprintError> {
        Ok(Shape::Null { inside: 0 })
    }

    fn serialize_unit_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
    ) -> Result<Shape, FingerprintError> {
        self.variant(variant);
        Ok(self.token(&[tag::NULL]))
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        value: &T,
    ) -> Result<Shape, FingerprintError> {
        self.value(Step::Newtype, value)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<Shape, FingerprintError> {
        self.variant(variant);
        self.place(Step::Transparent, value)?;
        Ok(Shape::Written)
    }

    fn serialize_seq(self, _len: Option<usize>) -> Result<Sequence<'a>, FingerprintError> {
        Ok(self.sequence())
    }

    fn serialize_tuple(self, _len: usize) -> Result<Sequence<'a>, FingerprintError> {
        Ok(self.sequence())
    }

    fn serialize_tuple_struct(
        self,
        _name: &'static str,
        _len: usize,
    ) -> Result<Sequence<'a>, FingerprintError> {
        Ok(self.sequence())
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _len: usize,
    ) -> Result<Sequence<'a>, FingerprintError> {
        self.variant(variant);
        Ok(self.sequence())
    }

    fn serialize_map(self, _len: Option<usize>) -> Result<Entries<'a>, FingerprintError> {
        Ok(self.entries(Container::Map))
    }

    fn serialize_struct(self, _name: &'static str, _len: usize) -> Result<Entries<'a>, FingerprintError> {
        Ok(self.entries(Container::Struct))
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _len: usize,
    ) -> Result<Entries<'a>, FingerprintError> {
        self.variant(variant);
        Ok(self.entries(Container::Struct))
    }

    fn is_human_readable(&self) -> bool {
        true
    }
}

/// Formatting straight into the buffer, which is bytes because it also holds numbers.
pub(super) struct Text<'b>(pub(super) &'b mut Vec<u8>);

impl fmt::Write for Text<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.extend_from_slice(text.as_bytes());
        Ok(())
    }
}

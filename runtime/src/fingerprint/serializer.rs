//! The encoder as a serde serializer.

use std::fmt::{self, Write as _};

use serde::{Serialize, Serializer};

use super::FingerprintError;
use super::compound::{Entries, Sequence};
use super::encoder::{Encoder, Mode, Shape, tag};
use super::watch::{Container, Step};

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

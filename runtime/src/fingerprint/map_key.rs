//! Keys of maps: what JSON can write as the name of a member.

use std::fmt::{self, Write as _};

use serde::ser::Impossible;
use serde::{Serialize, Serializer};

use super::FingerprintError;
use super::serializer::Text;

/// Writes a key's text.
pub(super) struct MapKey<'b> {
    pub(super) buffer: &'b mut Vec<u8>,
}

type Refused = Impossible<(), FingerprintError>;

macro_rules! displayed {
    ($($method:ident($key:ty))*) => {$(
        fn $method(self, key: $key) -> Result<(), FingerprintError> {
            self.collect_str(&key)
        }
    )*};
}

macro_rules! refused {
    ($($method:ident($($argument:ty),*) -> $ok:ty;)*) => {$(
        fn $method(self, $(_: $argument),*) -> Result<$ok, FingerprintError> {
            Err(FingerprintError::UnsupportedMapKey)
        }
    )*};
}

impl Serializer for MapKey<'_> {
    type Ok = ();
    type Error = FingerprintError;
    type SerializeSeq = Refused;
    type SerializeTuple = Refused;
    type SerializeTupleStruct = Refused;
    type SerializeTupleVariant = Refused;
    type SerializeMap = Refused;
    type SerializeStruct = Refused;
    type SerializeStructVariant = Refused;

    displayed! {
        serialize_bool(bool)
        serialize_i8(i8) serialize_i16(i16) serialize_i32(i32) serialize_i64(i64) serialize_i128(i128)
        serialize_u8(u8) serialize_u16(u16) serialize_u32(u32) serialize_u64(u64) serialize_u128(u128)
        serialize_char(char)
    }

    refused! {
        serialize_f32(f32) -> ();
        serialize_f64(f64) -> ();
        serialize_bytes(&[u8]) -> ();
        serialize_none() -> ();
        serialize_unit() -> ();
        serialize_unit_struct(&'static str) -> ();
        serialize_seq(Option<usize>) -> Refused;
        serialize_tuple(usize) -> Refused;
        serialize_tuple_struct(&'static str, usize) -> Refused;
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> Refused;
        serialize_map(Option<usize>) -> Refused;
        serialize_struct(&'static str, usize) -> Refused;
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> Refused;
    }

    fn serialize_str(self, key: &str) -> Result<(), FingerprintError> {
        self.buffer.extend_from_slice(key.as_bytes());
        Ok(())
    }

    fn serialize_unit_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
    ) -> Result<(), FingerprintError> {
        self.serialize_str(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        key: &T,
    ) -> Result<(), FingerprintError> {
        key.serialize(self)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, _key: &T) -> Result<(), FingerprintError> {
        Err(FingerprintError::UnsupportedMapKey)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        _variant: &'static str,
        _key: &T,
    ) -> Result<(), FingerprintError> {
        Err(FingerprintError::UnsupportedMapKey)
    }

    fn collect_str<T: fmt::Display + ?Sized>(self, key: &T) -> Result<(), FingerprintError> {
        write!(Text(self.buffer), "{key}").map_err(|_| FingerprintError::Refused { type_name: "" })
    }
}

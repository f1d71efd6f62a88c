//! Sequences and maps of the encoding.

use serde::Serialize;
use serde::ser::{
    SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant,
};

use super::FingerprintError;
use super::encoder::{Encoder, Mode, Shape, tag};
use super::exclude::Place;
use super::map_key::MapKey;
use super::scratch::{OpenEntry, OpenMap};
use super::watch::{Entered, Step};

pub(super) struct Sequence<'a> {
    encoder: &'a mut Encoder,
    next: usize,
    /// The elements of a set are sorted like the entries of a map, all of one name.
    set: Option<OpenMap>,
}

impl<'a> Sequence<'a> {
    pub(super) fn new(encoder: &'a mut Encoder) -> Self {
        Self { encoder, next: 0, set: None }
    }

    pub(super) fn unordered(encoder: &'a mut Encoder) -> Self {
        let set = Some(encoder.scratch.open_map());
        Self { encoder, next: 0, set }
    }

    fn element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), FingerprintError> {
        let step = Step::Element(self.next);
        self.next += 1;
        let Some(set) = &mut self.set else {
            return self.encoder.place(step, value);
        };
        let open = self.encoder.scratch.open_entry("");
        self.encoder.place(step, value)?;
        self.encoder.scratch.close_entry(set, &open);
        Ok(())
    }

    fn close(self) -> Shape {
        if let Some(set) = &self.set {
            self.encoder.scratch.close_map(set);
            return Shape::Written;
        }
        self.encoder.scratch.push(&[tag::SEQUENCE_END]);
        self.encoder.scratch.settle();
        Shape::Written
    }
}

macro_rules! sequences {
    ($($kind:ident: $method:ident;)*) => {$(
        impl $kind for Sequence<'_> {
            type Ok = Shape;
            type Error = FingerprintError;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), FingerprintError> {
                self.element(value)
            }

            fn end(self) -> Result<Shape, FingerprintError> {
                Ok(self.close())
            }
        }
    )*};
}

sequences! {
    SerializeSeq: serialize_element;
    SerializeTuple: serialize_element;
    SerializeTupleStruct: serialize_field;
    SerializeTupleVariant: serialize_field;
}

pub(super) struct Entries<'a> {
    encoder: &'a mut Encoder,
    map: OpenMap,
    /// The entry whose key came without its value, as `SerializeMap` allows.
    awaiting_value: Option<OpenEntry>,
    /// The nesting of the value whose entries these are.
    nesting: usize,
}

impl<'a> Entries<'a> {
    pub(super) fn new(encoder: &'a mut Encoder) -> Self {
        let map = encoder.scratch.open_map();
        let nesting = encoder.watch.nesting();
        Self { encoder, map, awaiting_value: None, nesting }
    }

    fn field<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Result<(), FingerprintError> {
        let entered = if self.encoder.watch.is_idle() {
            None
        } else {
            let entered = self.encoder.watch.enter(Step::Entry(name), Place::of(value));
            if entered.is_none() {
                return Ok(());
            }
            entered
        };
        let open = self.encoder.scratch.open_entry(name);
        self.fill(&open, entered.as_ref(), value)
    }

    /// Writes the value of an entry. What was entered is `None` when nothing is watched.
    fn fill<T: Serialize + ?Sized>(
        &mut self,
        open: &OpenEntry,
        entered: Option<&Entered>,
        value: &T,
    ) -> Result<(), FingerprintError> {
        let name = self.encoder.volatile.is_looking().then(|| self.encoder.scratch.open_name(open));
        let mut left_out = self.encoder.place_unless_null(value)?;
        if let Some(entered) = entered {
            left_out |= self.encoder.watch.turned_out_excluded(entered);
            self.encoder.watch.leave();
        }
        if left_out {
            self.encoder.scratch.drop_entry(open);
        } else {
            self.encoder.scratch.close_entry(&mut self.map, open);
            if let Some(name) = name {
                self.encoder.volatile.note(name);
            }
        }
        Ok(())
    }

    fn close(self) -> Result<Shape, FingerprintError> {
        if self.awaiting_value.is_some() {
            return Err(self.encoder.fail(FingerprintError::Refused { type_name: "" }));
        }
        self.encoder.watch.close();
        self.encoder.scratch.close_map(&self.map);
        Ok(Shape::Written)
    }
}

impl SerializeMap for Entries<'_> {
    type Ok = Shape;
    type Error = FingerprintError;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), FingerprintError> {
        if self.awaiting_value.is_some() {
            return Err(self.encoder.fail(FingerprintError::Refused { type_name: "" }));
        }
        let typed = self.encoder.mode == Mode::Typed;
        let opened = self.encoder.scratch.open_entry_from(|buffer| {
            let start = buffer.len();
            match key.serialize(MapKey { buffer: &mut *buffer }) {
                // Codecs may carry keys that have no text; what they say is compared.
                Err(FingerprintError::UnsupportedMapKey) if typed => {
                    buffer.truncate(start);
                    buffer.extend_from_slice(&super::typed(key)?.finish());
                    Ok(())
                }
                written => written,
            }
        });
        self.awaiting_value = Some(opened.map_err(|error| self.encoder.fail(error.within::<T>()))?);
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), FingerprintError> {
        let Some(open) = self.awaiting_value.take() else {
            return Err(self.encoder.fail(FingerprintError::Refused { type_name: "" }));
        };
        if self.encoder.watch.is_idle() {
            return self.fill(&open, None, value);
        }
        let name = self.encoder.scratch.open_name(&open);
        let entered = self.encoder.watch.enter(Step::Entry(&name), Place::of(value));
        if entered.is_none() {
            self.encoder.scratch.drop_entry(&open);
            return Ok(());
        }
        self.fill(&open, entered.as_ref(), value)
    }

    fn end(self) -> Result<Shape, FingerprintError> {
        self.close()
    }
}

macro_rules! structs {
    ($($kind:ident)*) => {$(
        impl $kind for Entries<'_> {
            type Ok = Shape;
            type Error = FingerprintError;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                name: &'static str,
                value: &T,
            ) -> Result<(), FingerprintError> {
                self.field(name, value)
            }

            fn skip_field(&mut self, name: &'static str) -> Result<(), FingerprintError> {
                self.encoder.watch.skipped(name, self.nesting);
                Ok(())
            }

            fn end(self) -> Result<Shape, FingerprintError> {
                self.close()
            }
        }
    )*};
}

structs! { SerializeStruct SerializeStructVariant }

//! Which fields a fingerprint leaves out.

use std::any::type_name;

/// A field that is left out of a fingerprint.
///
/// The field is recognised by its place in memory while the value is serialized, so that `rename` and `flatten` do not
/// matter. Make the exclusion from the very value that is included, and do not move that value in between.
#[derive(Debug, Clone)]
pub struct Exclusion {
    place: Option<Place>,
    names: &'static [&'static str],
}

impl Exclusion {
    /// Leaves out this field. The names are its path within the included value.
    pub fn new<T: ?Sized>(value: &T, names: &'static [&'static str]) -> Self {
        Self { place: Some(Place::of(value)), names }
    }

    /// Leaves out a field that lies within an `Option`; when that is `None` there is nothing to leave out.
    pub fn optional<T: ?Sized>(value: Option<&T>, names: &'static [&'static str]) -> Self {
        Self { place: value.map(Place::of), names }
    }

    pub(super) fn place(&self) -> Option<Place> {
        self.place
    }

    pub(super) fn names(&self) -> &'static [&'static str] {
        self.names
    }
}

/// Where a value lies. The address is only compared, never followed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    address: usize,
    size: usize,
    type_name: &'static str,
}

impl Place {
    pub(super) fn of<T: ?Sized>(value: &T) -> Self {
        Self {
            address: std::ptr::from_ref(value).cast::<()>().addr(),
            size: size_of_val(value),
            type_name: type_name::<T>(),
        }
    }

    /// Whether a value met at `other` is this one, or a part of it.
    ///
    /// A struct and its only field share address and size; the type tells which of them is excluded. A zero-sized value
    /// at the edge may belong to the neighbour.
    pub(super) fn covers(&self, other: &Self) -> bool {
        if self.same_bytes(other) {
            return self.type_name == other.type_name;
        }
        if other.size == 0 {
            return self.address < other.address && other.address < self.end();
        }
        self.encloses(other)
    }

    pub(super) fn same_bytes(&self, other: &Self) -> bool {
        self.address == other.address && self.size == other.size
    }

    /// Whether `other` lies within this place, or is all of it.
    pub(super) fn encloses(&self, other: &Self) -> bool {
        self.address <= other.address && other.end() <= self.end()
    }

    /// Whether `skip_serializing_if` is likely to leave the field out at times.
    pub(super) fn is_option(&self) -> bool {
        self.type_name.starts_with("core::option::Option<")
    }

    /// Whether the value is the wrapper that serde's derive makes for `serialize_with`: it lies on the stack, wherever
    /// the field is.
    pub(super) fn is_serialize_with(&self) -> bool {
        self.type_name.contains("__SerializeWith")
    }

    /// Whether the value of an entry, met while `parent` is serialized, comes from a flattened field of it: the entry of a
    /// map, which is passed as a reference, or a `serialize_with` of another type. The fields of flattened structs need no
    /// such guess, they are where they are.
    pub(super) fn is_flattened_into(&self, parent: &Self) -> bool {
        if self.is_serialize_with() {
            let owner =
                self.type_name.split_once(" for ").and_then(|(_, rest)| rest.split_once(">::serialize"));
            return owner.is_some_and(|(owner, _)| !parent.type_name.contains(owner));
        }
        self.type_name.starts_with('&') && !parent.encloses(self)
    }

    fn end(&self) -> usize {
        self.address.saturating_add(self.size)
    }
}

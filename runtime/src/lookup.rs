//! `x?` and `x['name']` in a key expression.
//!
//! Both traits carry what is found as a type parameter: with an associated type rustc reports a wrong type twice, once
//! for the bound and once for the projection.

use std::borrow::Borrow;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::hash::{BuildHasher, Hash};
use std::rc::Rc;
use std::sync::Arc;

use serde_json::{Map, Value};

use crate::part::{KeyPart, PartError, PartWriter};

/// An `Option`, or a reference to one.
#[diagnostic::on_unimplemented(
    message = "`?` in a key needs an `Option`, and this is `{Self}`",
    label = "always present",
    note = "write the part without `?`"
)]
pub trait Present<T> {
    /// What the option holds.
    fn as_present(&self) -> Option<&T>;
}

#[diagnostic::do_not_recommend]
impl<T> Present<T> for Option<T> {
    fn as_present(&self) -> Option<&T> {
        self.as_ref()
    }
}

macro_rules! present_behind {
    ($($pointer:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<P: Present<T> + ?Sized, T> Present<T> for $pointer {
            fn as_present(&self) -> Option<&T> {
                (**self).as_present()
            }
        }
    )*};
}

present_behind! { &P &mut P Box<P> Rc<P> Arc<P> }

/// What an optional part holds; `None` is a missing part.
pub fn present<P: Present<T> + ?Sized, T>(value: &P) -> Option<&T> {
    value.as_present()
}

/// Something that is looked up by name: implemented for references to maps.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be looked up by name",
    label = "not a map",
    note = "`x['name']` takes a `HashMap` or `BTreeMap` with string keys, a `serde_json::Value` or `Map`, or an `http::HeaderMap` (feature `http`)"
)]
pub trait Lookup<'a, T> {
    /// What is found under the name.
    fn look_up(self, name: &str) -> Option<T>;
}

/// The entry of a map; `None` is a missing part.
pub fn lookup<'a, L: Lookup<'a, T>, T>(from: L, name: &str) -> Option<T> {
    from.look_up(name)
}

#[diagnostic::do_not_recommend]
impl<'a, K, V, S> Lookup<'a, &'a V> for &'a HashMap<K, V, S>
where
    K: Borrow<str> + Eq + Hash,
    S: BuildHasher,
{
    fn look_up(self, name: &str) -> Option<&'a V> {
        self.get(name)
    }
}

#[diagnostic::do_not_recommend]
impl<'a, K, V> Lookup<'a, &'a V> for &'a BTreeMap<K, V>
where
    K: Borrow<str> + Ord,
{
    fn look_up(self, name: &str) -> Option<&'a V> {
        self.get(name)
    }
}

#[diagnostic::do_not_recommend]
impl<'a> Lookup<'a, JsonPart<'a>> for &'a Map<String, Value> {
    fn look_up(self, name: &str) -> Option<JsonPart<'a>> {
        self.get(name).filter(|value| !value.is_null()).map(JsonPart)
    }
}

#[diagnostic::do_not_recommend]
impl<'a> Lookup<'a, JsonPart<'a>> for &'a Value {
    fn look_up(self, name: &str) -> Option<JsonPart<'a>> {
        self.as_object()?.look_up(name)
    }
}

#[diagnostic::do_not_recommend]
impl<'a> Lookup<'a, JsonPart<'a>> for JsonPart<'a> {
    fn look_up(self, name: &str) -> Option<JsonPart<'a>> {
        self.0.look_up(name)
    }
}

#[diagnostic::do_not_recommend]
impl<'a> Lookup<'a, JsonPart<'a>> for &JsonPart<'a> {
    fn look_up(self, name: &str) -> Option<JsonPart<'a>> {
        self.0.look_up(name)
    }
}

macro_rules! lookup_behind {
    ($($pointer:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<'a, L: ?Sized, T> Lookup<'a, T> for &'a $pointer
        where
            &'a L: Lookup<'a, T>,
        {
            fn look_up(self, name: &str) -> Option<T> {
                Lookup::<'a, T>::look_up(&**self, name)
            }
        }
    )*};
}

lookup_behind! { &L &mut L Box<L> Rc<L> Arc<L> }

/// A JSON value found by name, never `null`.
///
/// Whether it can be a key part is known only at run time: strings, integers and booleans are, the rest is refused.
#[derive(Clone, Copy)]
pub struct JsonPart<'a>(&'a Value);

#[diagnostic::do_not_recommend]
impl crate::part::Classified for JsonPart<'_> {
    type Kind = crate::part::Fit;
}

#[diagnostic::do_not_recommend]
impl KeyPart for JsonPart<'_> {
    fn write_part(&self, out: &mut PartWriter<'_>) -> Result<(), PartError> {
        match self.0 {
            Value::String(text) => text.write_part(out),
            Value::Bool(value) => value.write_part(out),
            Value::Number(number) => {
                if let Some(value) = number.as_u64() {
                    value.write_part(out)
                } else if let Some(value) = number.as_i64() {
                    value.write_part(out)
                } else {
                    Err(PartError::Unfit("a JSON number with a fraction cannot be a key part"))
                }
            }
            Value::Array(_) => Err(PartError::Unfit("a JSON array cannot be a key part")),
            Value::Object(_) => Err(PartError::Unfit("a JSON object cannot be a key part")),
            Value::Null => Err(PartError::Empty),
        }
    }
}

/// Shows nothing of the value, which may be personal data on its way into a hash.
impl fmt::Debug for JsonPart<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JsonPart").finish_non_exhaustive()
    }
}

#[cfg(feature = "http")]
mod header;
#[cfg(feature = "http")]
pub use header::HeaderPart;

#[cfg(test)]
mod tests;

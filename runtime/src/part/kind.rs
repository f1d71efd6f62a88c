//! Why a type is unfit to be part of a key: one message per kind of type.
//!
//! Every type that is known here has a kind. A helper that the attribute emits around each part asks the kind for one
//! trait per reason; each kind implements all of them but its own, so that an unfit type gives exactly one error, in
//! the words of its kind, also through an alias or a field of that type.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use super::{KeyPart, PartError, PartWriter};

/// A type whose fitness for keys is known. Types that can be key parts are of the kind [`Fit`].
///
/// `#[derive(KeyPart)]` implements it; a key part of your own implements it with `type Kind = Fit`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be part of an idempotency key",
    label = "not a key part",
    note = "key parts are strings, integers, `char`, `bool`, types that derive `KeyPart`, `Uuid` (feature `uuid`) and calendar dates (features `chrono`, `time`, `jiff`)",
    note = "for a newtype or a fieldless enum: `#[derive(KeyPart)]`; of a struct or a tuple name the field: `order.order_no`, `pair.0`; for a type parameter: the bound `T: KeyPart`",
    note = "to compare all of a value, use `validate`; the key then holds an id that the caller repeats"
)]
pub trait Classified {
    /// The kind of the type.
    type Kind;
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        #[allow(unreachable_pub, dead_code, reason = "named in bounds and as associated types only")]
        pub enum $kind {}
    )*};
}

kinds! {
    /// Can be part of a key.
    Fit;
    /// Clock readings.
    Clock;
    /// Lengths of time.
    Span;
    /// Floating-point numbers.
    Float;
    /// Values that may be absent.
    Optional;
    /// Maps and sets.
    Map;
    /// Lists and bytes.
    List;
    /// Whole JSON documents.
    Json;
    /// Whole requests.
    Request;
}

macro_rules! reasons {
    ($($(#[$text:meta])* $reason:ident: not $($unfit:ident)*, but $($kind:ident)*;)*) => {$(
        $(#[$text])*
        pub trait $reason<T: ?Sized> {}
        $(
            #[diagnostic::do_not_recommend]
            impl<T: ?Sized> $reason<T> for $kind {}
        )*
    )*};
}

reasons! {
    /// The type is no clock reading.
    #[diagnostic::on_unimplemented(
        message = "`{T}` is a clock reading, and a key must be the same when the request is sent again",
        label = "changes with every try",
        note = "use what names the request itself, for example an order number or an id that the caller repeats",
        note = "a business day is fine as a calendar date: `chrono::NaiveDate`, `time::Date`, `jiff::civil::Date` (features `chrono`, `time`, `jiff`)"
    )]
    NotClock: not Clock, but Fit Span Float Optional Map List Json Request;
    /// The type is no length of time.
    #[diagnostic::on_unimplemented(
        message = "`{T}` is a length of time, which does not name a request",
        label = "not an identity",
        note = "use what names the request itself; a number of seconds that is business data can be an integer"
    )]
    NotSpan: not Span, but Fit Clock Float Optional Map List Json Request;
    /// The type is no floating-point number.
    #[diagnostic::on_unimplemented(
        message = "`{T}` is a floating-point number, which has no stable text form",
        label = "not an identity",
        note = "use an integer in the smallest unit, for example `amount_cents: u64`, or compare it with `validate` instead",
        note = "`0.1 + 0.2` and `0.3` are different keys, NaN equals nothing, and `-0.0` equals `0.0`"
    )]
    NotFloat: not Float, but Fit Clock Span Optional Map List Json Request;
    /// The type is no `Option`.
    #[diagnostic::on_unimplemented(
        message = "`{T}` may be absent, and a key part must be present",
        label = "add `?` behind it",
        note = "with `?` an absent value is the error `missing key part`, and the body does not run"
    )]
    NotOptional: not Optional, but Fit Clock Span Float Map List Json Request;
    /// The type is no map or set.
    #[diagnostic::on_unimplemented(
        message = "`{T}` is a map or a set, which is no identity",
        label = "name one entry",
        note = "take one entry: `x['name']`; to compare all of it, use `validate`"
    )]
    NotMap: not Map, but Fit Clock Span Float Optional List Json Request;
    /// The type is no list.
    #[diagnostic::on_unimplemented(
        message = "`{T}` is a list, which is no identity",
        label = "name what identifies the request",
        note = "to compare all of it, use `validate`; the key then holds an id that the caller repeats",
        note = "bytes that are an identity can be a string, for example in hexadecimal digits"
    )]
    NotList: not List, but Fit Clock Span Float Optional Map Json Request;
    /// The type is no JSON document.
    #[diagnostic::on_unimplemented(
        message = "`{T}` is a whole JSON document, which is no identity",
        label = "name one field",
        note = "take one field: `x['order_no']`; to compare all of it, use `validate`",
        note = "as a key, a document that says the same with one more field would run again"
    )]
    NotJson: not Json, but Fit Clock Span Float Optional Map List Request;
    /// The type is no request.
    #[diagnostic::on_unimplemented(
        message = "`{T}` is a whole request, which is no identity",
        label = "name what identifies it",
        note = "take the header or field that the caller repeats on a retry, for example `headers['Idempotency-Key']`"
    )]
    NotRequest: not Request, but Fit Clock Span Float Optional Map List Json;
}

/// How a part of this kind is written.
pub trait Encode<T: ?Sized> {
    /// Writes the part.
    fn encode(value: &T, out: &mut PartWriter<'_>) -> Result<(), PartError>;
}

#[diagnostic::do_not_recommend]
impl<T: KeyPart + ?Sized> Encode<T> for Fit {
    fn encode(value: &T, out: &mut PartWriter<'_>) -> Result<(), PartError> {
        value.write_part(out)
    }
}

macro_rules! never_written {
    ($($kind:ident)*) => {$(
        // So that an unfit type is one error, that of its kind.
        #[diagnostic::do_not_recommend]
        impl<T: ?Sized> Encode<T> for $kind {
            fn encode(_value: &T, _out: &mut PartWriter<'_>) -> Result<(), PartError> {
                Err(PartError::Unfit("the key part is of an unfit type"))
            }
        }
    )*};
}

never_written! { Clock Span Float Optional Map List Json Request }

/// A part whose type was found fit.
pub struct Fitted<'a, T: ?Sized> {
    pub(super) value: &'a T,
    pub(super) write: fn(&T, &mut PartWriter<'_>) -> Result<(), PartError>,
}

impl<T: ?Sized> fmt::Debug for Fitted<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fitted").finish_non_exhaustive()
    }
}

#[diagnostic::do_not_recommend]
impl<T: ?Sized> Classified for Fitted<'_, T> {
    type Kind = Fit;
}

#[diagnostic::do_not_recommend]
impl<T: ?Sized> KeyPart for Fitted<'_, T> {
    fn write_part(&self, out: &mut PartWriter<'_>) -> Result<(), PartError> {
        (self.write)(self.value, out)
    }
}

/// What the attribute puts around every part: it compiles for fit types only, and says why not otherwise.
pub fn fit<T>(value: &T) -> Fitted<'_, T>
where
    T: Classified + ?Sized,
    T::Kind: NotClock<T>
        + NotSpan<T>
        + NotFloat<T>
        + NotOptional<T>
        + NotMap<T>
        + NotList<T>
        + NotJson<T>
        + NotRequest<T>
        + Encode<T>,
{
    Fitted { value, write: <T::Kind as Encode<T>>::encode }
}

/// [`fit`] for a part that a lookup gave by value.
pub fn fit_value<T>(value: T) -> FittedValue<T>
where
    T: Classified,
    T::Kind: NotClock<T>
        + NotSpan<T>
        + NotFloat<T>
        + NotOptional<T>
        + NotMap<T>
        + NotList<T>
        + NotJson<T>
        + NotRequest<T>
        + Encode<T>,
{
    FittedValue { value, write: <T::Kind as Encode<T>>::encode }
}

/// [`Fitted`], by value.
pub struct FittedValue<T> {
    value: T,
    write: fn(&T, &mut PartWriter<'_>) -> Result<(), PartError>,
}

impl<T> fmt::Debug for FittedValue<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FittedValue").finish_non_exhaustive()
    }
}

#[diagnostic::do_not_recommend]
impl<T> Classified for FittedValue<T> {
    type Kind = Fit;
}

#[diagnostic::do_not_recommend]
impl<T> KeyPart for FittedValue<T> {
    fn write_part(&self, out: &mut PartWriter<'_>) -> Result<(), PartError> {
        (self.write)(&self.value, out)
    }
}

macro_rules! classify {
    ($($kind:ident: $($type:ty)*;)*) => {$($(
        #[diagnostic::do_not_recommend]
        impl Classified for $type {
            type Kind = $kind;
        }
    )*)*};
}

classify! {
    Fit: str String char bool u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize;
    Fit: std::num::NonZeroU8 std::num::NonZeroU16 std::num::NonZeroU32 std::num::NonZeroU64;
    Fit: std::num::NonZeroU128 std::num::NonZeroUsize std::num::NonZeroI8 std::num::NonZeroI16;
    Fit: std::num::NonZeroI32 std::num::NonZeroI64 std::num::NonZeroI128 std::num::NonZeroIsize;
    Clock: Instant SystemTime crate::Timestamp;
    Span: Duration;
    Float: f32 f64;
    Json: serde_json::Value serde_json::Map<String, serde_json::Value>;
}

macro_rules! classify_generic {
    ($($kind:ident: [$($parameter:tt)*] $type:ty;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($parameter)*> Classified for $type {
            type Kind = $kind;
        }
    )*};
}

classify_generic! {
    Optional: [T] Option<T>;
    Map: [K, V, S] HashMap<K, V, S>;
    Map: [K, V] BTreeMap<K, V>;
    Map: [T, S] HashSet<T, S>;
    Map: [T] BTreeSet<T>;
    List: [T] Vec<T>;
    List: [T] [T];
    List: [T, const N: usize] [T; N];
    List: [T] VecDeque<T>;
    List: [T] LinkedList<T>;
    List: [T] BinaryHeap<T>;
}

macro_rules! classify_pointers {
    ($($pointer:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<T: Classified + ?Sized> Classified for $pointer {
            type Kind = T::Kind;
        }
    )*};
}

classify_pointers! { &T &mut T Box<T> Rc<T> Arc<T> }

#[diagnostic::do_not_recommend]
impl<T: Classified + ToOwned + ?Sized> Classified for Cow<'_, T> {
    type Kind = T::Kind;
}

#[cfg(feature = "uuid")]
classify! { Fit: uuid::Uuid; }

#[cfg(feature = "chrono")]
classify! {
    Fit: chrono::NaiveDate;
    Clock: chrono::NaiveDateTime chrono::NaiveTime;
    Span: chrono::TimeDelta;
}

#[cfg(feature = "chrono")]
classify_generic! { Clock: [Z: chrono::TimeZone] chrono::DateTime<Z>; }

#[cfg(feature = "time")]
classify! {
    Fit: time::Date;
    Clock: time::OffsetDateTime time::PrimitiveDateTime time::UtcDateTime time::Time;
    Span: time::Duration;
}

#[cfg(feature = "jiff")]
classify! {
    Fit: jiff::civil::Date;
    Clock: jiff::Timestamp jiff::ZonedDateTime jiff::civil::DateTime jiff::civil::Time;
    Span: jiff::Span jiff::SignedDuration;
}

#[cfg(feature = "http")]
classify! { Map: http::HeaderMap; Request: http::request::Parts http::Uri; }

#[cfg(feature = "http")]
classify_generic! { Request: [B] http::Request<B>; }

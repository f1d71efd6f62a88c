//! A part behind `?` that may still be absent: the one thing that `?` does not end.

use super::Classified;
use super::kind::{
    Clock, Encode, Fit, Fitted, Float, Json, List, Map, NotClock, NotFloat, NotJson, NotList, NotMap,
    NotRequest, NotSpan, Request, Span,
};

/// The type behind a `?` is no `Option` itself.
#[diagnostic::on_unimplemented(
    message = "behind `?` there is still `{T}`: the part is doubly optional",
    label = "flatten it before the call",
    note = "take the argument as one `Option`: the caller flattens it with `Option::flatten`",
    note = "`??` compiles, and treats both ways to be absent as the error `missing key part`"
)]
pub trait NotOptionalBehind<T: ?Sized> {}

macro_rules! present {
    ($($kind:ident)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<T: ?Sized> NotOptionalBehind<T> for $kind {}
    )*};
}

present! { Fit Clock Span Float Map List Json Request }

/// [`fit`](super::fit) for a part that ends with `?`.
pub fn fit_behind<T>(value: &T) -> Fitted<'_, T>
where
    T: Classified + ?Sized,
    T::Kind: NotClock<T>
        + NotSpan<T>
        + NotFloat<T>
        + NotOptionalBehind<T>
        + NotMap<T>
        + NotList<T>
        + NotJson<T>
        + NotRequest<T>
        + Encode<T>,
{
    Fitted { value, write: <T::Kind as Encode<T>>::encode }
}

//! Calendar dates: days without a clock or a zone, which name a business day and do not move between two attempts.

use std::rc::Rc;
use std::sync::Arc;

use super::KeyPart;

/// A calendar date, as `date(..)` in a key takes it. A date type of your own implements it beside [`KeyPart`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a calendar date",
    label = "`date(..)` takes a day without a time",
    note = "with the feature `chrono` calendar dates are `chrono::NaiveDate`, with `time` `time::Date`, with `jiff` `jiff::civil::Date`",
    note = "a clock reading differs between two attempts of one request; if the day is part of the request, take it as a calendar date argument"
)]
pub trait CalendarDate: KeyPart {}

macro_rules! pointers {
    ($($pointer:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<D: CalendarDate + ?Sized> CalendarDate for $pointer {}
    )*};
}

pointers! { &D &mut D Box<D> Rc<D> Arc<D> }

/// ISO 8601, written here so that the text does not depend on the crate the date comes from. Years outside 0 to 9999
/// carry a sign and at least four digits.
#[cfg(any(feature = "chrono", feature = "time", feature = "jiff"))]
pub(super) fn write_iso(
    out: &mut super::PartWriter<'_>,
    year: i32,
    month: u32,
    day: u32,
) -> Result<(), super::PartError> {
    use std::fmt::Write as _;

    if !(0..=9999).contains(&year) {
        return Ok(write!(out, "{year:+05}-{month:02}-{day:02}")?);
    }
    let digit = |value: u32| b'0' + (value % 10) as u8;
    let year = year.unsigned_abs();
    out.push_ascii(&[
        digit(year / 1000),
        digit(year / 100),
        digit(year / 10),
        digit(year),
        b'-',
        digit(month / 10),
        digit(month),
        b'-',
        digit(day / 10),
        digit(day),
    ]);
    Ok(())
}

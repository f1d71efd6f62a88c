//! Key parts of other crates' types, each behind the feature of its crate.

#[cfg(any(feature = "uuid", feature = "chrono", feature = "time", feature = "jiff"))]
use super::{KeyPart, PartError, PartWriter};

#[cfg(feature = "uuid")]
#[diagnostic::do_not_recommend]
impl KeyPart for uuid::Uuid {
    fn write_part(&self, out: &mut PartWriter<'_>) -> Result<(), PartError> {
        out.push_str(self.as_hyphenated().encode_lower(&mut uuid::Uuid::encode_buffer()));
        Ok(())
    }
}

#[cfg(any(feature = "chrono", feature = "time", feature = "jiff"))]
macro_rules! dates {
    ($($(#[$cfg:meta])* $date:ty: $value:ident => $year:expr, $month:expr, $day:expr;)*) => {$(
        $(#[$cfg])*
        #[diagnostic::do_not_recommend]
        impl KeyPart for $date {
            fn write_part(&self, out: &mut PartWriter<'_>) -> Result<(), PartError> {
                let $value = self;
                super::date::write_iso(out, $year, $month, $day)
            }
        }

        $(#[$cfg])*
        #[diagnostic::do_not_recommend]
        impl super::CalendarDate for $date {}
    )*};
}

#[cfg(any(feature = "chrono", feature = "time", feature = "jiff"))]
dates! {
    #[cfg(feature = "chrono")]
    chrono::NaiveDate: d => chrono::Datelike::year(d), chrono::Datelike::month(d), chrono::Datelike::day(d);
    #[cfg(feature = "time")]
    time::Date: d => d.year(), u8::from(d.month()).into(), d.day().into();
    #[cfg(feature = "jiff")]
    jiff::civil::Date: d => d.year().into(), d.month().unsigned_abs().into(), d.day().unsigned_abs().into();
}

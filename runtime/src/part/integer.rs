//! Integers are written in decimal, so that an id may change its width, or become a string, and keep its key.

use std::fmt::Write as _;
use std::num::NonZero;

use super::{KeyPart, PartError, PartWriter};

macro_rules! integers {
    ($($int:ty: |$value:ident, $out:ident| $write:expr;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl KeyPart for $int {
            fn write_part(&self, $out: &mut PartWriter<'_>) -> Result<(), PartError> {
                let $value = *self;
                $write;
                Ok(())
            }
        }

        #[diagnostic::do_not_recommend]
        impl KeyPart for NonZero<$int> {
            fn write_part(&self, out: &mut PartWriter<'_>) -> Result<(), PartError> {
                self.get().write_part(out)
            }
        }
    )*};
}

integers! {
    u8: |v, out| decimal(out, false, u64::from(v));
    u16: |v, out| decimal(out, false, u64::from(v));
    u32: |v, out| decimal(out, false, u64::from(v));
    u64: |v, out| decimal(out, false, v);
    usize: |v, out| decimal(out, false, v as u64);
    i8: |v, out| decimal(out, v < 0, u64::from(v.unsigned_abs()));
    i16: |v, out| decimal(out, v < 0, u64::from(v.unsigned_abs()));
    i32: |v, out| decimal(out, v < 0, u64::from(v.unsigned_abs()));
    i64: |v, out| decimal(out, v < 0, v.unsigned_abs());
    isize: |v, out| decimal(out, v < 0, v.unsigned_abs() as u64);
    u128: |v, out| write!(out, "{v}")?;
    i128: |v, out| write!(out, "{v}")?;
}

/// Writes the digits backwards into a stack buffer: quicker than the formatting machinery, and ids are in almost every
/// key.
fn decimal(out: &mut PartWriter<'_>, negative: bool, magnitude: u64) {
    let mut digits = [0; 21];
    let mut at = digits.len();
    let mut rest = magnitude;
    loop {
        at -= 1;
        digits[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if negative {
        at -= 1;
        digits[at] = b'-';
    }
    out.push_ascii(&digits[at..]);
}

use std::num::{NonZeroI8, NonZeroU64, NonZeroU128};

use super::*;
use crate::key::KeyBuilder;

fn written<P: KeyPart + ?Sized>(part: &P) -> Result<String, PartError> {
    let mut builder = KeyBuilder::new("op");
    builder.part(part)?;
    Ok(builder.finish(None).as_str()["op:".len()..].to_owned())
}

#[track_caller]
fn assert_written<P: KeyPart + ?Sized>(part: &P, text: &str) {
    assert_eq!(written(part), Ok(text.to_owned()));
}

#[test]
fn text_is_written_as_it_is() {
    assert_written("a b", "a b");
    assert_written(&String::from("a#b"), "a%23b");
    assert_written(&'é', "é");
    assert_written(&'#', "%23");
    assert_written(&true, "true");
    assert_written(&false, "false");
    assert_written(&Cow::Borrowed("borrowed"), "borrowed");
    assert_written(&Cow::<str>::Owned("owned".to_owned()), "owned");
}

#[test]
fn integers_are_decimal() {
    assert_written(&0_u8, "0");
    assert_written(&u8::MAX, "255");
    assert_written(&i8::MIN, "-128");
    assert_written(&u16::MAX, "65535");
    assert_written(&i16::MIN, "-32768");
    assert_written(&u32::MAX, "4294967295");
    assert_written(&i32::MIN, "-2147483648");
    assert_written(&10_u64, "10");
    assert_written(&u64::MAX, "18446744073709551615");
    assert_written(&i64::MIN, "-9223372036854775808");
    assert_written(&usize::MAX, &usize::MAX.to_string());
    assert_written(&isize::MIN, &isize::MIN.to_string());
    assert_written(&u128::MAX, "340282366920938463463374607431768211455");
    assert_written(&i128::MIN, "-170141183460469231731687303715884105728");
    assert_written(&NonZeroU64::MAX, "18446744073709551615");
    assert_written(&NonZeroI8::MIN, "-128");
    assert_written(&NonZeroU128::MIN, "1");
}

#[test]
fn an_id_keeps_its_key_when_its_type_becomes_a_string() {
    assert_eq!(written(&42_u32), written("42"));
    assert_eq!(written(&42_u32), written(&42_i128));
}

#[test]
fn pointers_are_what_they_point_to() {
    let mut text = String::from("a");
    assert_written(&&&text, "a");
    assert_written(&&mut text, "a");
    assert_written(&Box::<str>::from("a"), "a");
    assert_written(&Arc::<str>::from("a"), "a");
    assert_written(&Rc::new(7_u8), "7");
    assert_written(&Arc::new(Box::new(7_u8)), "7");
    let dynamic: &dyn KeyPart = &"a";
    assert_written(dynamic, "a");
}

#[test]
fn a_part_of_your_own_is_escaped_and_may_be_formatted() {
    struct Sku {
        family: &'static str,
        number: u32,
    }
    impl crate::part::Classified for Sku {
        type Kind = crate::part::Fit;
    }
    impl KeyPart for Sku {
        fn write_part(&self, out: &mut PartWriter<'_>) -> Result<(), PartError> {
            use std::fmt::Write as _;
            Ok(write!(out, "{}#{:04}", self.family, self.number)?)
        }
    }
    assert_written(&Sku { family: "~a", number: 7 }, "%7Ea%230007");
}

#[test]
fn empty_text_is_a_missing_part() {
    for part in [&"" as &dyn KeyPart, &String::new(), &Cow::Borrowed(""), &Arc::<str>::from("")] {
        assert_eq!(written(part), Err(PartError::Empty));
    }
}

#[test]
fn hash_is_the_digest_of_the_text_before_escaping() {
    // SHA-256 of `abc` and of `a#b%`.
    assert_written(&hash("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_written(&hash("a#b%"), "3ad2a8a4603da7f99908eb0870f319d53c8f6ba2e3660002d7755de85138408e");
    assert_eq!(written(&hash(&42_u8)), written(&hash("42")));
}

#[test]
fn hash_of_nothing_is_a_missing_part() {
    assert_eq!(written(&hash("")), Err(PartError::Empty));
    assert_eq!(written(&hash(lower(""))), Err(PartError::Empty));
    assert_eq!(written(&hash(trim(" "))), Err(PartError::Empty));
}

#[test]
fn lower_follows_unicode() {
    assert_written(&lower("ABC-é"), "abc-é");
    // A sigma at the end of a word is lowered differently: the text must be lowered as a whole.
    assert_written(&lower("ΟΔΟΣ"), "οδος");
    assert_written(&lower("A#B"), "a%23b");
    assert_eq!(written(&lower("")), Err(PartError::Empty));
}

#[test]
fn trim_leaves_inner_space() {
    assert_written(&trim("\t a b \n"), "a b");
    assert_written(&trim(lower(" A\u{2003}")), "a");
    assert_eq!(written(&trim(" \t\u{2003}")), Err(PartError::Empty));
}

#[test]
fn calls_take_owned_and_borrowed_parts_and_refuse_with_the_inner_reason() {
    struct Unfit;
    impl crate::part::Classified for Unfit {
        type Kind = crate::part::Fit;
    }
    impl KeyPart for Unfit {
        fn write_part(&self, _: &mut PartWriter<'_>) -> Result<(), PartError> {
            Err(PartError::Unfit("not today"))
        }
    }
    let text = String::from(" A ");
    assert_written(&lower(trim(&text)), "a");
    assert_eq!(written(&hash(Unfit)), Err(PartError::Unfit("not today")));
    assert_eq!(written(&trim(&Unfit)), Err(PartError::Unfit("not today")));
}

#[test]
fn what_is_hashed_does_not_show_in_debug_output() {
    assert!(!format!("{:?}", hash("secret")).contains("secret"));
}

#[test]
fn a_failing_display_is_an_error_and_not_a_panic() {
    struct Broken;
    impl fmt::Display for Broken {
        fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
            Err(fmt::Error)
        }
    }
    impl crate::part::Classified for Broken {
        type Kind = crate::part::Fit;
    }
    impl KeyPart for Broken {
        fn write_part(&self, out: &mut PartWriter<'_>) -> Result<(), PartError> {
            use std::fmt::Write as _;
            Ok(write!(out, "{self}")?)
        }
    }
    assert!(matches!(written(&Broken), Err(PartError::Unfit(_))));
}

#[cfg(feature = "uuid")]
#[test]
fn a_uuid_is_hyphenated_and_lower_case() {
    let id = uuid::Uuid::from_u128(0x67e5_5044_10b1_426f_9247_bb68_0e5f_e0c8);
    assert_written(&id, "67e55044-10b1-426f-9247-bb680e5fe0c8");
    assert_written(&uuid::Uuid::nil(), "00000000-0000-0000-0000-000000000000");
}

#[cfg(feature = "chrono")]
#[test]
fn chrono_dates() {
    let day = |year, month, day| chrono::NaiveDate::from_ymd_opt(year, month, day);
    assert_eq!(day(2026, 6, 28).map(|day| written(&date(&day))), Some(Ok("2026-06-28".to_owned())));
    assert_eq!(day(33, 1, 9).map(|day| written(&day)), Some(Ok("0033-01-09".to_owned())));
    assert_eq!(day(12345, 1, 9).map(|day| written(&day)), Some(Ok("+12345-01-09".to_owned())));
    assert_eq!(day(-1, 12, 31).map(|day| written(&date(day))), Some(Ok("-0001-12-31".to_owned())));
}

#[cfg(feature = "time")]
#[test]
fn time_dates() {
    let day = |year, month, day| time::Date::from_calendar_date(year, month, day).ok();
    assert_eq!(
        day(2026, time::Month::June, 28).map(|day| written(&date(&day))),
        Some(Ok("2026-06-28".to_owned()))
    );
    assert_eq!(
        day(-1, time::Month::December, 31).map(|day| written(&day)),
        Some(Ok("-0001-12-31".to_owned()))
    );
}

#[cfg(feature = "jiff")]
#[test]
fn jiff_dates() {
    assert_written(&date(&&jiff::civil::date(2026, 6, 28)), "2026-06-28");
    assert_written(&jiff::civil::date(-1, 12, 31), "-0001-12-31");
}

//! Durations: `90s`, `15m`, `7d`, `1h30m`.

mod show;

use std::fmt::Write as _;
use std::ops::Range;

pub(crate) use self::show::short;

/// Why a text is not a duration.
#[derive(Debug)]
pub(crate) struct Problem {
    /// The culprit within the text.
    pub(crate) range: Range<usize>,
    pub(crate) message: String,
    pub(crate) help: String,
}

/// The milliseconds of `text`.
pub(crate) fn parse(text: &str) -> Result<u64, Problem> {
    let whole = 0..text.len();
    if text.trim().is_empty() {
        return Err(problem(whole, "the duration is empty".to_owned(), "`90s`, `15m` or `7d`".to_owned()));
    }
    if let Some(positive) = text.trim_start().strip_prefix(['-', '−']) {
        let help = parse(positive.trim()).map_or_else(|problem| problem.help, |_| quoted(positive.trim()));
        return Err(problem(whole, format!("duration `{text}` is negative"), help));
    }
    let items = items(text)?;
    check_order(text, &items)?;
    let mut total = Some(0_u64);
    for item in &items {
        let milliseconds = item.number.and_then(|number| number.checked_mul(item.unit.milliseconds));
        total = total.zip(milliseconds).and_then(|(total, more)| total.checked_add(more));
    }
    match total {
        Some(0) => {
            Err(problem(whole, format!("duration `{text}` is zero"), "the shortest is `1ms`".to_owned()))
        }
        Some(total) if total <= LONGEST => Ok(total),
        _ => Err(problem(
            whole,
            format!("duration `{text}` is too long"),
            format!("the longest is `{}d`, a thousand years", LONGEST / DAY),
        )),
    }
}

/// What the accepted forms are: the note under every problem.
pub(crate) const FORMS: &str = "a duration is whole numbers with units, largest first: `90s`, `15m`, `7d`, `1h30m`, `500ms` (w d h m s ms)";

const DAY: u64 = 24 * 60 * 60 * 1000;

/// Later arithmetic adds a duration to a wall-clock time; this leaves it room.
const LONGEST: u64 = 365_000 * DAY;

#[derive(Debug)]
struct Unit {
    short: &'static str,
    milliseconds: u64,
    /// Other spellings, for suggestions only.
    long: &'static [&'static str],
}

/// Largest first: the order in which they must stand.
const UNITS: [Unit; 6] = [
    Unit { short: "w", milliseconds: 7 * DAY, long: &["week", "weeks", "wk", "wks"] },
    Unit { short: "d", milliseconds: DAY, long: &["day", "days"] },
    Unit { short: "h", milliseconds: 60 * 60 * 1000, long: &["hour", "hours", "hr", "hrs"] },
    Unit { short: "m", milliseconds: 60 * 1000, long: &["minute", "minutes", "min", "mins"] },
    Unit { short: "s", milliseconds: 1000, long: &["second", "seconds", "sec", "secs"] },
    Unit { short: "ms", milliseconds: 1, long: &["millisecond", "milliseconds", "millis", "msec", "msecs"] },
];

/// A number and its unit. No number: more digits than any duration has.
struct Item {
    number: Option<u64>,
    unit: &'static Unit,
    range: Range<usize>,
}

/// The strict reading of `text`.
fn items(text: &str) -> Result<Vec<Item>, Problem> {
    let mut items = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let start = text.len() - rest.len();
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let (number, after) = rest.split_at_checked(digits).unwrap_or((rest, ""));
        let letters = after.find(|c: char| !c.is_alphabetic()).unwrap_or(after.len());
        let (unit, next) = after.split_at_checked(letters).unwrap_or((after, ""));
        let end = start + digits + letters;
        if number.is_empty() || !(next.is_empty() || next.starts_with(|c: char| c.is_ascii_digit())) {
            return Err(unreadable(text));
        }
        if unit.is_empty() {
            return Err(without_unit(text, number, start..end));
        }
        match UNITS.iter().find(|known| known.short == unit) {
            Some(unit) => items.push(Item { number: number.parse().ok(), unit, range: start..end }),
            None => return Err(unknown_unit(text, unit, start + digits..end)),
        }
        rest = next;
    }
    Ok(items)
}

fn check_order(text: &str, items: &[Item]) -> Result<(), Problem> {
    for (earlier, later) in items.iter().zip(items.iter().skip(1)) {
        let range = later.range.clone();
        let repeated = items.iter().filter(|item| item.unit.short == later.unit.short).count() > 1;
        if repeated && earlier.unit.milliseconds <= later.unit.milliseconds {
            let message = format!("unit `{}` stands twice in `{text}`", later.unit.short);
            return Err(problem(range, message, suggestion(text)));
        }
        if earlier.unit.milliseconds < later.unit.milliseconds {
            let message = format!("the units of `{text}` are not largest first");
            return Err(problem(range, message, suggestion(text)));
        }
    }
    Ok(())
}

fn without_unit(text: &str, number: &str, range: Range<usize>) -> Problem {
    let message = format!("duration `{text}` has no unit");
    let help = if number == text { units_for(number) } else { suggestion(text) };
    problem(range, message, help)
}

/// What a number without a unit can be; `3600` seconds are better known as an hour.
pub(crate) fn units_for(number: &str) -> String {
    let seconds: Option<u64> = number.parse().ok();
    let larger =
        UNITS.iter().map(|unit| (unit.short, unit.milliseconds / 1000)).find_map(|(short, length)| {
            let seconds = seconds.filter(|seconds| length > 1 && *seconds > 0 && seconds % length == 0)?;
            Some(format!("{}{short}", seconds / length))
        });
    match larger {
        Some(larger) => format!("`\"{number}s\"` or `\"{larger}\"`, if these are seconds"),
        None => ["s` for seconds", "m` for minutes", "h` for hours", "d` for days"]
            .map(|unit| unit.replacen('`', "\"`", 1))
            .map(|unit| format!("`\"{number}{unit}"))
            .join(", "),
    }
}

fn unknown_unit(text: &str, unit: &str, range: Range<usize>) -> Problem {
    let message = format!("unknown unit `{unit}` in duration `{text}`");
    let help = match unit.to_lowercase().as_str() {
        "y" | "yr" | "year" | "years" | "mo" | "mon" | "month" | "months" => {
            "months and years differ in length: give days, for example `30d` or `365d`".to_owned()
        }
        "us" | "µs" | "ns" | "micros" | "nanos" => "the smallest unit is the millisecond, `1ms`".to_owned(),
        _ => suggestion(text),
    };
    problem(range, message, help)
}

fn unreadable(text: &str) -> Problem {
    problem(0..text.len(), format!("duration `{text}` is not in the short form"), suggestion(text))
}

fn problem(range: Range<usize>, message: String, help: String) -> Problem {
    Problem { range, message, help }
}

fn quoted(text: &str) -> String {
    format!("`{text}`")
}

/// What the user most likely means, as it is written here.
fn suggestion(text: &str) -> String {
    // ISO 8601 has minutes behind `T`, months before it; in most other places `M` is a month.
    let mut words = text.split(|c: char| !c.is_alphabetic());
    if words.any(|word| word == "M") && !text.to_lowercase().contains('t') {
        return "units are lower case, minutes are `m`; months have no unit, a month is `30d`".to_owned();
    }
    loose(text).map_or_else(|| "for example `90s`, `15m` or `7d`".to_owned(), |meant| quoted(&meant))
}

/// Reads `7 days`, `1 hour and 30 min`, `1.5h`, `PT15M`, `30m1h`, `1h30`; answers in the short form.
fn loose(text: &str) -> Option<String> {
    let lower = text.to_lowercase().replace(" and ", " ");
    let plain = lower.trim().trim_start_matches("pt").trim_start_matches('p');
    let mut rest = plain.trim_matches(|c: char| !c.is_alphanumeric());
    let mut totals = [0_u64; UNITS.len()];
    let mut last = None;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(rest.len());
        let (number, after) = rest.split_at_checked(digits)?;
        let after = after.trim_start();
        let letters = after.find(|c: char| !c.is_alphabetic()).unwrap_or(after.len());
        let (word, next) = after.split_at_checked(letters)?;
        let index = match last {
            // `1h30`: the next smaller unit is meant.
            Some(last) if word.is_empty() => last + 1,
            _ => UNITS.iter().position(|unit| unit.short == word || unit.long.contains(&word))?,
        };
        add(&mut totals, index, number)?;
        last = Some(index);
        rest = next.trim_start_matches(|c: char| !c.is_ascii_digit());
    }
    let mut short = String::new();
    for (unit, total) in UNITS.iter().zip(totals).filter(|(_, total)| *total > 0) {
        write!(short, "{total}{}", unit.short).ok()?;
    }
    parse(&short).is_ok().then_some(short)
}

/// Adds `number` (perhaps with a fraction) of the unit at `index`.
fn add(totals: &mut [u64; UNITS.len()], index: usize, number: &str) -> Option<()> {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let total = totals.get_mut(index)?;
    *total = total.checked_add(whole.parse().ok()?)?;
    if fraction.is_empty() {
        return Some(());
    }
    let tenths = u32::try_from(fraction.len()).ok().and_then(|length| 10_u64.checked_pow(length))?;
    let unit = UNITS.get(index)?.milliseconds;
    let mut left = unit.checked_mul(fraction.parse().ok()?)? / tenths;
    for (total, unit) in totals.iter_mut().zip(&UNITS).skip(index + 1) {
        *total = total.checked_add(left / unit.milliseconds)?;
        left %= unit.milliseconds;
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> (String, String) {
        let problem = parse(text).expect_err(text);
        assert!(text.get(problem.range.clone()).is_some(), "{text}: {:?}", problem.range);
        (problem.message, problem.help)
    }

    #[test]
    fn short_forms_are_read() {
        for (text, milliseconds) in [
            ("90s", 90_000),
            ("15m", 900_000),
            ("7d", 604_800_000),
            ("1h30m", 5_400_000),
            ("500ms", 500),
            ("2w", 1_209_600_000),
            ("1d12h", 129_600_000),
            ("1w1d1h1m1s1ms", 694_861_001),
            ("007s", 7_000),
            ("365000d", 31_536_000_000_000),
        ] {
            assert_eq!(parse(text).ok(), Some(milliseconds), "{text}");
        }
    }

    #[test]
    fn long_forms_are_refused_with_the_short_form() {
        for (text, short) in [
            ("7 days", "`7d`"),
            ("7 d", "`7d`"),
            (" 7d", "`7d`"),
            ("1 hour and 30 min", "`1h30m`"),
            ("1h 30m", "`1h30m`"),
            ("1.5h", "`1h30m`"),
            ("0.5s", "`500ms`"),
            ("7d,", "`7d`"),
            ("PT15M", "`15m`"),
            ("soon", "for example `90s`, `15m` or `7d`"),
            ("days", "for example `90s`, `15m` or `7d`"),
        ] {
            let (message, help) = refused(text);
            assert_eq!(message, format!("duration `{text}` is not in the short form"));
            assert_eq!(help, short, "{text}");
        }
    }

    #[test]
    fn a_number_needs_a_unit() {
        let (message, help) = refused("7");
        assert_eq!(message, "duration `7` has no unit");
        assert_eq!(help, "`\"7s\"` for seconds, `\"7m\"` for minutes, `\"7h\"` for hours, `\"7d\"` for days");
        assert_eq!(refused("1h30"), ("duration `1h30` has no unit".into(), "`1h30m`".into()));
        assert_eq!(refused("3600").1, "`\"3600s\"` or `\"1h\"`, if these are seconds");
        assert_eq!(refused("604800").1, "`\"604800s\"` or `\"1w\"`, if these are seconds");
    }

    #[test]
    fn empty_negative_zero_and_endless_are_refused() {
        assert_eq!(refused("").0, "the duration is empty");
        assert_eq!(refused("  ").0, "the duration is empty");
        assert_eq!(refused("-1s"), ("duration `-1s` is negative".into(), "`1s`".into()));
        assert_eq!(refused("-1 day"), ("duration `-1 day` is negative".into(), "`1d`".into()));
        assert_eq!(refused("0s"), ("duration `0s` is zero".into(), "the shortest is `1ms`".into()));
        assert_eq!(refused("0h0m").0, "duration `0h0m` is zero");
        let long = "the longest is `365000d`, a thousand years";
        assert_eq!(refused("365001d"), ("duration `365001d` is too long".into(), long.into()));
        assert_eq!(refused("99999999999999999999999s").1, long);
        assert_eq!(refused("18446744073709551615w").1, long);
    }

    #[test]
    fn units_are_known_single_and_in_order() {
        let (message, help) = refused("7days");
        assert_eq!((message.as_str(), help.as_str()), ("unknown unit `days` in duration `7days`", "`7d`"));
        assert_eq!(refused("7D"), ("unknown unit `D` in duration `7D`".into(), "`7d`".into()));
        for months in ["1M", "1 M", "P1M", "-1M"] {
            assert!(refused(months).1.contains("a month is `30d`"), "{months}");
        }
        assert!(refused("3y").1.contains("`365d`"));
        assert!(refused("5us").1.contains("`1ms`"));
        assert!(refused("5parsecs").1.contains("`90s`"));
        assert_eq!(refused("1h2h"), ("unit `h` stands twice in `1h2h`".into(), "`3h`".into()));
        assert_eq!(refused("1h2m1h"), ("unit `h` stands twice in `1h2m1h`".into(), "`2h2m`".into()));
        let (message, help) = refused("30m1h");
        assert_eq!(message, "the units of `30m1h` are not largest first");
        assert_eq!(help, "`1h30m`");
    }
}

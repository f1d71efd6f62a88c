//! Durations as they are written.

use std::fmt::Write as _;

use super::UNITS;

/// `milliseconds` in the short form: `28d`, `1d12h`. Weeks are shown as days, as services state them.
pub(crate) fn short(milliseconds: u64) -> String {
    let mut rest = milliseconds;
    let mut shown = String::new();
    for unit in UNITS.iter().filter(|unit| unit.short != "w") {
        let count = rest / unit.milliseconds;
        rest %= unit.milliseconds;
        if count > 0 {
            // Writing to a string does not fail.
            let _ = write!(shown, "{count}{}", unit.short);
        }
    }
    if shown.is_empty() { "0s".to_owned() } else { shown }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shown_duration_reads_back_as_itself() {
        for milliseconds in [1, 999, 1000, 90_000, 86_400_000, 14 * 86_400_000, 86_400_000 + 3_600_000] {
            assert_eq!(super::super::parse(&short(milliseconds)).ok(), Some(milliseconds));
        }
        assert_eq!(short(28 * 86_400_000), "28d");
        assert_eq!(short(0), "0s");
    }
}

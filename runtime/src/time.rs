//! Wall-clock time as stores and records carry it.

use std::fmt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A point in wall-clock time: whole milliseconds since 1970-01-01 00:00 UTC.
///
/// Stores never read a clock: every call takes the time it must judge by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(u64);

impl Timestamp {
    /// The time `millis` milliseconds after the Unix epoch.
    pub const fn from_millis(millis: u64) -> Self {
        Self(millis)
    }

    /// Milliseconds since the Unix epoch.
    pub const fn as_millis(self) -> u64 {
        self.0
    }

    /// This time plus `span`, which is cut to whole milliseconds; the largest time there is instead of an
    /// overflow.
    pub fn plus(self, span: Duration) -> Self {
        Self(self.0.saturating_add(millis(span)))
    }

    /// This time minus `span`; the Unix epoch instead of a time before it.
    pub fn minus(self, span: Duration) -> Self {
        Self(self.0.saturating_sub(millis(span)))
    }

    /// How long it is from `earlier` to this time; zero if `earlier` is later.
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_millis(self.0.saturating_sub(earlier.0))
    }
}

impl From<SystemTime> for Timestamp {
    /// Times before 1970 become the Unix epoch.
    fn from(time: SystemTime) -> Self {
        Self(time.duration_since(UNIX_EPOCH).map_or(0, millis))
    }
}

impl From<Timestamp> for SystemTime {
    fn from(time: Timestamp) -> Self {
        UNIX_EPOCH.checked_add(Duration::from_millis(time.0)).unwrap_or(UNIX_EPOCH)
    }
}

impl fmt::Display for Timestamp {
    /// RFC 3339 in UTC with milliseconds, for example `2026-06-28T09:30:00.000Z`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // humantime formats up to the year 9999 and refuses what lies beyond.
        if self.0 < 253_402_300_800_000 {
            write!(f, "{}", humantime::format_rfc3339_millis(SystemTime::from(*self)))
        } else {
            write!(f, "{} ms after 1970", self.0)
        }
    }
}

fn millis(span: Duration) -> u64 {
    u64::try_from(span.as_millis()).unwrap_or(u64::MAX)
}

/// When this process will be dead, for example the end of a Lambda invocation. It caps the lease.
///
/// Converts from `SystemTime`, [`Timestamp`] and `Option`s of both; `None` and a time of zero mean *unknown*:
/// contexts made for tests often carry zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Deadline(Option<Timestamp>);

impl Deadline {
    /// The time, unless it is unknown.
    pub fn at(self) -> Option<Timestamp> {
        self.0.filter(|time| time.as_millis() > 0)
    }
}

impl<T: Into<Timestamp>> From<T> for Deadline {
    fn from(time: T) -> Self {
        Self(Some(time.into()))
    }
}

impl From<Option<SystemTime>> for Deadline {
    fn from(time: Option<SystemTime>) -> Self {
        Self(time.map(Timestamp::from))
    }
}

impl From<Option<Timestamp>> for Deadline {
    fn from(time: Option<Timestamp>) -> Self {
        Self(time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_saturates_at_both_ends() {
        assert_eq!(Timestamp::from_millis(5).minus(Duration::from_secs(1)), Timestamp::from_millis(0));
        assert_eq!(Timestamp::from_millis(5).plus(Duration::MAX), Timestamp::from_millis(u64::MAX));
        assert_eq!(Timestamp::from_millis(5).since(Timestamp::from_millis(9)), Duration::ZERO);
    }

    #[test]
    fn displays_as_rfc_3339_in_utc() {
        assert_eq!(Timestamp::from_millis(1_782_639_000_123).to_string(), "2026-06-28T09:30:00.123Z");
        assert_eq!(Timestamp::from_millis(u64::MAX).to_string(), "18446744073709551615 ms after 1970");
    }

    #[test]
    fn a_deadline_of_zero_is_unknown() {
        assert_eq!(Deadline::from(UNIX_EPOCH).at(), None);
        assert_eq!(Deadline::from(None::<SystemTime>).at(), None);
        assert_eq!(Deadline::from(Timestamp::from_millis(7)).at(), Some(Timestamp::from_millis(7)));
    }
}

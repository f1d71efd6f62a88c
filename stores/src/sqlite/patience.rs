//! Waiting for other connections to the file.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::Connection;

/// How long a connection waits for a lock that another one holds.
///
/// SQLite's own handler sleeps up to 100 ms between two looks, so that of many busy processes one may look in vain
/// for seconds. Short random pauses let each have its turn.
#[derive(Clone, Debug)]
pub(super) struct Patience {
    ends_at: Arc<Mutex<Instant>>,
}

impl Patience {
    /// Makes `connection` wait, for `span` from now at first.
    pub(super) fn install(connection: &mut Connection, span: Duration) -> rusqlite::Result<Self> {
        let patience = Self { ends_at: Arc::new(Mutex::new(later(Instant::now(), span))) };
        let shared = patience.clone();
        connection.busy_handler(Some(move |looked: i32| shared.pause(looked)))?;
        Ok(patience)
    }

    /// From now on the connection waits until `span` after `start`, which may be past: then it looks once.
    pub(super) fn set(&self, start: Instant, span: Duration) {
        *self.ends_at.lock().unwrap_or_else(PoisonError::into_inner) = later(start, span);
    }

    /// Waits a little; `false` if the time is over.
    fn pause(&self, looked: i32) -> bool {
        let ends_at = *self.ends_at.lock().unwrap_or_else(PoisonError::into_inner);
        let left = ends_at.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return false;
        }
        let longest = u64::from(looked.unsigned_abs().saturating_add(1)).min(LONGEST_PAUSE);
        let pause = Duration::from_micros(fastrand::u64(100..=1_000 * longest));
        thread::sleep(pause.min(left));
        true
    }
}

/// In milliseconds.
const LONGEST_PAUSE: u64 = 8;

/// Spans beyond the range of the clock are as good as a century.
fn later(start: Instant, span: Duration) -> Instant {
    start.checked_add(span).unwrap_or(start + Duration::from_secs(100 * 365 * 86_400))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patience(start: Instant, span: Duration) -> Patience {
        let patience = Patience { ends_at: Arc::new(Mutex::new(start)) };
        patience.set(start, span);
        patience
    }

    #[test]
    fn it_ends_when_the_time_is_over() {
        let now = Instant::now();
        assert!(!patience(now, Duration::ZERO).pause(0));
        assert!(patience(now, Duration::MAX).pause(0));
        assert!(!patience(now - Duration::from_millis(5), Duration::from_millis(4)).pause(3));
    }
}

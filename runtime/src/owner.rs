//! Owner tokens: who holds a claim.

use std::cell::RefCell;
use std::fmt;
use std::time::Duration;

use crate::store_error::{StoreError, StoreErrorKind};
use crate::time::Timestamp;

/// 128 random bits from the operating system, drawn for every attempt.
///
/// It tells an owner its own write whose answer was lost from the write of somebody else.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct OwnerToken([u8; 16]);

impl OwnerToken {
    /// The token with these bits, for stores that read it back and for tests that need to know it.
    pub const fn from_bytes(bytes: [u8; 16]) -> Self {
        Self(bytes)
    }

    /// The bits.
    pub const fn to_bytes(self) -> [u8; 16] {
        self.0
    }

    /// Draws a new token at the time `now`.
    pub fn draw(now: Timestamp) -> Result<Self, StoreError> {
        POOL.with_borrow_mut(|pool| pool.draw(now)).map(Self).map_err(|error| {
            StoreError::new(
                StoreErrorKind::Unavailable,
                format!("the operating system gave no random bits: {error}"),
            )
        })
    }
}

impl fmt::Debug for OwnerToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for byte in self.0 {
            write!(f, "{byte:02x}")?;
        }
        Ok(())
    }
}

thread_local! {
    static POOL: RefCell<Pool> = const { RefCell::new(Pool::EMPTY) };
}

/// Random bits fetched in advance, because a system call per attempt costs ten times as much as the rest of
/// drawing a token.
struct Pool {
    bits: [u8; Pool::SIZE],
    used: usize,
    process: u32,
    filled_at: Timestamp,
}

impl Pool {
    const SIZE: usize = 512;

    /// A copy of this process (a fork, a snapshot restored twice) must not draw the same bits. A fork changes
    /// the process id; a restored snapshot is far older than this.
    const MAX_AGE: Duration = Duration::from_millis(100);

    const EMPTY: Self =
        Self { bits: [0; Self::SIZE], used: Self::SIZE, process: 0, filled_at: Timestamp::from_millis(0) };

    fn draw(&mut self, now: Timestamp) -> Result<[u8; 16], getrandom::Error> {
        let process = std::process::id();
        let aged = now < self.filled_at || now.since(self.filled_at) > Self::MAX_AGE;
        if self.used + 16 > Self::SIZE || aged || self.process != process {
            getrandom::fill(&mut self.bits)?;
            self.used = 0;
            self.process = process;
            self.filled_at = now;
        }
        let mut token = [0; 16];
        let drawn = &mut self.bits[self.used..self.used + 16];
        token.copy_from_slice(drawn);
        drawn.fill(0);
        self.used += 16;
        Ok(token)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_token_is_new_across_refills() {
        let now = Timestamp::from_millis(1_000);
        let drawn: HashSet<_> = (0..200).map(|_| OwnerToken::draw(now).unwrap()).collect();
        assert_eq!(drawn.len(), 200);
        assert!(!drawn.contains(&OwnerToken::from_bytes([0; 16])));
    }

    #[test]
    fn a_pool_from_before_a_freeze_is_dropped() {
        let mut pool = Pool { bits: [7; 512], used: 0, process: std::process::id(), ..Pool::EMPTY };
        pool.filled_at = Timestamp::from_millis(1_000);
        assert_eq!(pool.draw(Timestamp::from_millis(1_100)).unwrap(), [7; 16]);
        assert_ne!(pool.draw(Timestamp::from_millis(1_101)).unwrap(), [7; 16]);
    }

    #[test]
    fn a_pool_from_another_process_or_a_later_time_is_dropped() {
        let filled =
            Pool { bits: [7; 512], used: 0, filled_at: Timestamp::from_millis(1_000), ..Pool::EMPTY };
        let mut forked = Pool { process: std::process::id().wrapping_add(1), ..filled };
        assert_ne!(forked.draw(Timestamp::from_millis(1_000)).unwrap(), [7; 16]);
        let mut turned_back = Pool { bits: [7; 512], used: 0, process: std::process::id(), ..forked };
        turned_back.filled_at = Timestamp::from_millis(9_000);
        assert_ne!(turned_back.draw(Timestamp::from_millis(1_000)).unwrap(), [7; 16]);
    }
}

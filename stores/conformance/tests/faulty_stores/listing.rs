//! What a wrong store lists.

use idempotency_runtime::{ListRequest, Record, Timestamp};

use crate::fault::Fault;
use crate::faulty::FaultyStore;

impl FaultyStore {
    pub(crate) fn mislist<'a>(
        &self,
        request: &ListRequest,
        records: impl Iterator<Item = &'a Record>,
        latest: Timestamp,
    ) -> Vec<Record> {
        let limit = match self.fault {
            Fault::ListsWithoutEnd => usize::MAX,
            Fault::ListsOneAtLeast => request.limit.max(1),
            _ => request.limit,
        };
        let asked = |record: &&Record| {
            self.begins(record.key.as_str(), &request.prefix)
                && self.is_after(record, request)
                && !(self.fault == Fault::HidesExpiredRecordsFromLists
                    && record.expires_at.is_some_and(|at| latest > at))
        };
        let stands = |record: &Record| {
            self.fault == Fault::ListsAnyStatus || request.status.is_none_or(|status| record.status == status)
        };
        let mut page: Vec<Record> = records.filter(asked).cloned().collect();
        match self.fault {
            Fault::ListsUnordered => page.sort_by(|a, b| b.key.cmp(&a.key)),
            Fault::ListsInUtf16Order => {
                page.sort_by_key(|record| record.key.as_str().encode_utf16().collect::<Vec<_>>());
            }
            _ => page.sort_by(|a, b| a.key.cmp(&b.key)),
        }
        if self.fault == Fault::LimitsBeforeItLooks {
            page.truncate(limit);
        }
        page.retain(stands);
        page.truncate(limit);
        page
    }

    fn begins(&self, key: &str, prefix: &str) -> bool {
        match self.fault {
            Fault::ListsEveryPrefix => true,
            Fault::ListsFoldedPrefixes => key.to_lowercase().starts_with(&prefix.to_lowercase()),
            Fault::ListsByPattern => {
                key.len() >= prefix.len() && key.bytes().zip(prefix.bytes()).all(|(a, b)| a == b || b == b'_')
            }
            // A range of keys that ends before the last character there is.
            Fault::ListsUpToTheLastCharacter => {
                key >= prefix && key < format!("{prefix}\u{10ffff}").as_str() && key.starts_with(prefix)
            }
            _ => key.starts_with(prefix),
        }
    }

    fn is_after(&self, record: &Record, request: &ListRequest) -> bool {
        let Some(after) = &request.after else { return true };
        match self.fault {
            Fault::ListsFromTheStart => true,
            Fault::ListsTheLastAgain => record.key >= *after,
            _ => record.key > *after,
        }
    }
}

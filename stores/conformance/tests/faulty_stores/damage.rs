//! What a wrong store loses of a record.

use idempotency_runtime::{OwnerToken, Record, RecordedValue, Timestamp};

use crate::fault::Fault;
use crate::faulty::FaultyStore;

impl FaultyStore {
    /// What the store loses of a record.
    pub(crate) fn damage(&self, mut record: Record) -> Record {
        let round = |time: Timestamp| match self.fault {
            Fault::KeepsSeconds => Timestamp::from_millis(time.as_millis() / 1_000 * 1_000),
            // A double holds every second whole number from 2^53 on.
            Fault::KeepsDoubles if time.as_millis() > 1 << 53 => {
                Timestamp::from_millis(time.as_millis() & !1)
            }
            _ => time,
        };
        record.claimed_at = round(record.claimed_at);
        record.lease_until = round(record.lease_until);
        record.completed_at = record.completed_at.map(round);
        record.expires_at = record.expires_at.map(round);
        record.retain_until = record.retain_until.map(round);
        if self.fault == Fault::CutsOwners {
            let mut bytes = record.owner.to_bytes();
            bytes[12..].fill(0);
            record.owner = OwnerToken::from_bytes(bytes);
        }
        if self.fault == Fault::LosesTheFingerprintAtTheEnd && record.status.is_final() {
            record.fingerprint = None;
        }
        record.value = record.value.map(|value| self.damage_value(value));
        record
    }

    fn damage_value(&self, mut value: RecordedValue) -> RecordedValue {
        match self.fault {
            Fault::CutsValues => {
                value.bytes = value.bytes.map(|bytes| bytes[..bytes.len().min(65_535)].into());
            }
            Fault::TakesNotKeptForEmpty => value.bytes = Some(value.bytes.unwrap_or_default()),
            Fault::CutsVersions => value.version &= 0xFFFF,
            _ => {}
        }
        value
    }
}

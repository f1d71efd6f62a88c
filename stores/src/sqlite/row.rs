//! Records as rows.

use std::sync::Arc;

use idempotency_runtime::{
    Epoch, Fingerprint, IdempotencyKey, OnCrash, OwnerToken, Record, RecordedValue, Status, StoreError,
    Timestamp,
};
use rusqlite::types::ValueRef;
use rusqlite::{CachedStatement, Row, params};

use super::error::{from_sqlite, unreadable};

/// One row in any case: the version of the tables, and the record's columns or NULLs. A newer process may have
/// migrated the file since it was opened, so the version is read together with every record.
///
/// With a bare `?1` in the join SQLite prepares the statement again on every run, at five times the cost.
pub(super) const SELECT: &str = "
    SELECT m.value, r.status, r.fingerprint, r.owner, r.epoch, r.attempt, r.claimed_at, r.lease_until,
        r.on_crash, r.announced, r.completed_at, r.expires_at, r.retain_until, r.value_version, r.value
    FROM idempotency_meta AS m LEFT JOIN idempotency_records AS r ON r.key = (SELECT ?1)
    WHERE m.name = 'format'";

/// Writes a record over whatever its key has.
pub(super) const SAVE: &str = "
    INSERT INTO idempotency_records (key, status, fingerprint, owner, epoch, attempt, claimed_at, lease_until,
        on_crash, announced, completed_at, expires_at, retain_until, value_version, value)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
    ON CONFLICT (key) DO UPDATE SET status = ?2, fingerprint = ?3, owner = ?4, epoch = ?5, attempt = ?6,
        claimed_at = ?7, lease_until = ?8, on_crash = ?9, announced = ?10, completed_at = ?11, expires_at = ?12,
        retain_until = ?13, value_version = ?14, value = ?15";

/// A column of [`SELECT`]: its position, and its name for messages. Looking columns up by name costs more than
/// reading them.
#[derive(Clone, Copy)]
struct Column(usize, &'static str);

const FORMAT: Column = Column(0, "format");
const STATUS: Column = Column(1, "status");
const FINGERPRINT: Column = Column(2, "fingerprint");
const OWNER: Column = Column(3, "owner");
const EPOCH: Column = Column(4, "epoch");
const ATTEMPT: Column = Column(5, "attempt");
const CLAIMED_AT: Column = Column(6, "claimed_at");
const LEASE_UNTIL: Column = Column(7, "lease_until");
const ON_CRASH: Column = Column(8, "on_crash");
const ANNOUNCED: Column = Column(9, "announced");
const COMPLETED_AT: Column = Column(10, "completed_at");
const EXPIRES_AT: Column = Column(11, "expires_at");
const RETAIN_UNTIL: Column = Column(12, "retain_until");
const VALUE_VERSION: Column = Column(13, "value_version");
const VALUE: Column = Column(14, "value");

/// Runs [`SAVE`].
pub(super) fn save(statement: &mut CachedStatement<'_>, record: &Record) -> rusqlite::Result<()> {
    let fingerprint = record.fingerprint.as_ref().map(Fingerprint::to_bytes);
    let value = record.value.as_ref();
    let written = statement.execute(params![
        record.key.as_str(),
        record.status.as_str(),
        fingerprint.as_ref().map(<[u8; 33]>::as_slice),
        record.owner.to_bytes().as_slice(),
        record.epoch.get().cast_signed(),
        record.attempt,
        stored(record.claimed_at),
        stored(record.lease_until),
        word(record.on_crash),
        record.announced,
        record.completed_at.map(stored),
        record.expires_at.map(stored),
        record.retain_until.map(stored),
        value.map(|value| value.version),
        value.and_then(|value| value.bytes.as_deref()),
    ])?;
    // A trigger can leave out a write without an error.
    if written == 1 { Ok(()) } else { Err(rusqlite::Error::StatementChangedRows(written)) }
}

/// A time in SQLite's signed 64 bits, as the same bits.
pub(super) fn stored(time: Timestamp) -> i64 {
    time.as_millis().cast_signed()
}

fn word(on_crash: OnCrash) -> &'static str {
    match on_crash {
        OnCrash::Rerun => "rerun",
        OnCrash::Hold => "hold",
    }
}

/// A row of [`SELECT`]; `path` is for messages.
pub(super) struct Columns<'a> {
    row: &'a Row<'a>,
    key: &'a IdempotencyKey,
    path: &'a str,
}

impl<'a> Columns<'a> {
    pub(super) fn new(row: &'a Row<'a>, key: &'a IdempotencyKey, path: &'a str) -> Self {
        Self { row, key, path }
    }

    /// The version of the tables.
    pub(super) fn format(&self) -> Result<i64, StoreError> {
        self.integer(FORMAT)
    }

    /// The record, if the key has one.
    pub(super) fn record(&self) -> Result<Option<Record>, StoreError> {
        if self.get(STATUS)? == ValueRef::Null {
            return Ok(None);
        }
        let status = self.one_of(STATUS, Status::from_word)?;
        let mut record = Record::claimed(
            self.key.clone(),
            self.owner()?,
            Epoch::new(self.integer(EPOCH)?.cast_unsigned()),
            self.time(CLAIMED_AT)?,
            self.time(LEASE_UNTIL)?,
        );
        record.status = status;
        record.fingerprint = self.fingerprint()?;
        record.attempt = self.small(ATTEMPT)?;
        record.on_crash = self.one_of(ON_CRASH, |found| {
            [OnCrash::Rerun, OnCrash::Hold].into_iter().find(|known| word(*known) == found)
        })?;
        record.announced = match self.integer(ANNOUNCED)? {
            0 => false,
            1 => true,
            _ => return Err(self.wrong(ANNOUNCED, "holds neither 0 nor 1")),
        };
        record.completed_at = self.optional_time(COMPLETED_AT)?;
        record.expires_at = self.optional_time(EXPIRES_AT)?;
        record.retain_until = self.optional_time(RETAIN_UNTIL)?;
        record.value = self.value()?;
        Ok(Some(record))
    }

    fn owner(&self) -> Result<OwnerToken, StoreError> {
        let bytes = self.blob(OWNER)?.and_then(|bytes| bytes.try_into().ok());
        bytes.map(OwnerToken::from_bytes).ok_or_else(|| self.wrong(OWNER, "does not hold 16 bytes"))
    }

    fn fingerprint(&self) -> Result<Option<Fingerprint>, StoreError> {
        let Some(bytes) = self.blob(FINGERPRINT)? else {
            return Ok(None);
        };
        let known = Fingerprint::from_bytes(bytes);
        known.map(Some).ok_or_else(|| self.wrong(FINGERPRINT, "holds no fingerprint of a known version"))
    }

    fn value(&self) -> Result<Option<RecordedValue>, StoreError> {
        let bytes = self.blob(VALUE)?;
        if self.get(VALUE_VERSION)? == ValueRef::Null {
            return match bytes {
                None => Ok(None),
                Some(_) => Err(self.wrong(VALUE_VERSION, "is empty although there is a value")),
            };
        }
        Ok(Some(RecordedValue::new(self.small(VALUE_VERSION)?, bytes.map(Arc::from))))
    }

    fn time(&self, column: Column) -> Result<Timestamp, StoreError> {
        Ok(Timestamp::from_millis(self.integer(column)?.cast_unsigned()))
    }

    fn optional_time(&self, column: Column) -> Result<Option<Timestamp>, StoreError> {
        match self.get(column)? {
            ValueRef::Null => Ok(None),
            _ => self.time(column).map(Some),
        }
    }

    fn small(&self, column: Column) -> Result<u32, StoreError> {
        u32::try_from(self.integer(column)?).map_err(|_| self.wrong(column, "is out of range"))
    }

    fn integer(&self, column: Column) -> Result<i64, StoreError> {
        self.get(column)?.as_i64().map_err(|_| self.wrong(column, "does not hold an integer"))
    }

    fn one_of<T>(&self, column: Column, known: impl Fn(&str) -> Option<T>) -> Result<T, StoreError> {
        let found = self.get(column)?.as_str().ok().and_then(known);
        found.ok_or_else(|| self.wrong(column, "holds no word that this version knows"))
    }

    fn blob(&self, column: Column) -> Result<Option<&'a [u8]>, StoreError> {
        self.get(column)?.as_blob_or_null().map_err(|_| self.wrong(column, "does not hold bytes"))
    }

    fn get(&self, column: Column) -> Result<ValueRef<'a>, StoreError> {
        self.row.get_ref(column.0).map_err(|error| from_sqlite(self.path, error))
    }

    fn wrong(&self, column: Column, found: &str) -> StoreError {
        unreadable(self.path, self.key, column.1, found)
    }
}

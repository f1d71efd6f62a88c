//! Records as rows.

use std::sync::Arc;

use idempotency_runtime::{
    Epoch, Fingerprint, IdempotencyKey, OnCrash, OwnerToken, Record, RecordedValue, Status, StoreError, Timestamp,
};
use rusqlite::types::ValueRef;
use rusqlite::{CachedStatement, Row, named_params};

use super::error::{from_sqlite, unreadable};

/// One row in any case: the version of the tables, and the record's columns or NULLs. A newer process may have
/// migrated the file since it was opened, so the version is read together with every record.
pub(super) const SELECT: &str = "
    SELECT m.value AS format, r.status, r.fingerprint, r.owner, r.epoch, r.attempt, r.claimed_at, r.lease_until,
        r.on_crash, r.announced, r.completed_at, r.expires_at, r.retain_until, r.value_version, r.value
    FROM idempotency_meta AS m LEFT JOIN idempotency_records AS r ON r.key = ?1
    WHERE m.name = 'format'";

/// Writes a record over whatever its key has.
pub(super) const SAVE: &str = "
    INSERT INTO idempotency_records (key, status, fingerprint, owner, epoch, attempt, claimed_at, lease_until,
        on_crash, announced, completed_at, expires_at, retain_until, value_version, value)
    VALUES (:key, :status, :fingerprint, :owner, :epoch, :attempt, :claimed_at, :lease_until,
        :on_crash, :announced, :completed_at, :expires_at, :retain_until, :value_version, :value)
    ON CONFLICT (key) DO UPDATE SET status = :status, fingerprint = :fingerprint, owner = :owner, epoch = :epoch,
        attempt = :attempt, claimed_at = :claimed_at, lease_until = :lease_until, on_crash = :on_crash,
        announced = :announced, completed_at = :completed_at, expires_at = :expires_at,
        retain_until = :retain_until, value_version = :value_version, value = :value";

/// Runs [`SAVE`].
pub(super) fn save(statement: &mut CachedStatement<'_>, record: &Record) -> rusqlite::Result<()> {
    let fingerprint = record.fingerprint.as_ref().map(Fingerprint::to_bytes);
    let value = record.value.as_ref();
    statement.execute(named_params! {
        ":key": record.key.as_str(),
        ":status": record.status.as_str(),
        ":fingerprint": fingerprint.as_ref().map(|bytes| bytes.as_slice()),
        ":owner": record.owner.to_bytes().as_slice(),
        ":epoch": record.epoch.get().cast_signed(),
        ":attempt": record.attempt,
        ":claimed_at": stored(record.claimed_at),
        ":lease_until": stored(record.lease_until),
        ":on_crash": word(record.on_crash),
        ":announced": record.announced,
        ":completed_at": record.completed_at.map(stored),
        ":expires_at": record.expires_at.map(stored),
        ":retain_until": record.retain_until.map(stored),
        ":value_version": value.map(|value| value.version),
        ":value": value.and_then(|value| value.bytes.as_deref()),
    })?;
    Ok(())
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
        self.integer("format")
    }

    /// The record, if the key has one.
    pub(super) fn record(&self) -> Result<Option<Record>, StoreError> {
        if self.get("status")? == ValueRef::Null {
            return Ok(None);
        }
        let status = self.one_of("status", Status::from_word)?;
        let mut record = Record::claimed(
            self.key.clone(),
            self.owner()?,
            Epoch::new(self.integer("epoch")?.cast_unsigned()),
            self.time("claimed_at")?,
            self.time("lease_until")?,
        );
        record.status = status;
        record.fingerprint = self.fingerprint()?;
        record.attempt = self.small("attempt")?;
        record.on_crash = self.one_of("on_crash", |found| {
            [OnCrash::Rerun, OnCrash::Hold].into_iter().find(|known| word(*known) == found)
        })?;
        record.announced = match self.integer("announced")? {
            0 => false,
            1 => true,
            _ => return Err(self.wrong("announced", "holds neither 0 nor 1")),
        };
        record.completed_at = self.optional_time("completed_at")?;
        record.expires_at = self.optional_time("expires_at")?;
        record.retain_until = self.optional_time("retain_until")?;
        record.value = self.value()?;
        Ok(Some(record))
    }

    fn owner(&self) -> Result<OwnerToken, StoreError> {
        let bytes = self.blob("owner")?.and_then(|bytes| bytes.try_into().ok());
        bytes.map(OwnerToken::from_bytes).ok_or_else(|| self.wrong("owner", "does not hold 16 bytes"))
    }

    fn fingerprint(&self) -> Result<Option<Fingerprint>, StoreError> {
        let Some(bytes) = self.blob("fingerprint")? else {
            return Ok(None);
        };
        let known = Fingerprint::from_bytes(bytes);
        known.map(Some).ok_or_else(|| self.wrong("fingerprint", "holds no fingerprint of a known version"))
    }

    fn value(&self) -> Result<Option<RecordedValue>, StoreError> {
        let bytes = self.blob("value")?;
        if self.get("value_version")? == ValueRef::Null {
            return match bytes {
                None => Ok(None),
                Some(_) => Err(self.wrong("value_version", "is empty although there is a value")),
            };
        }
        Ok(Some(RecordedValue::new(self.small("value_version")?, bytes.map(Arc::from))))
    }

    fn time(&self, column: &'static str) -> Result<Timestamp, StoreError> {
        Ok(Timestamp::from_millis(self.integer(column)?.cast_unsigned()))
    }

    fn optional_time(&self, column: &'static str) -> Result<Option<Timestamp>, StoreError> {
        match self.get(column)? {
            ValueRef::Null => Ok(None),
            _ => self.time(column).map(Some),
        }
    }

    fn small(&self, column: &'static str) -> Result<u32, StoreError> {
        u32::try_from(self.integer(column)?).map_err(|_| self.wrong(column, "is out of range"))
    }

    fn integer(&self, column: &'static str) -> Result<i64, StoreError> {
        self.get(column)?.as_i64().map_err(|_| self.wrong(column, "does not hold an integer"))
    }

    fn one_of<T>(&self, column: &'static str, known: impl Fn(&str) -> Option<T>) -> Result<T, StoreError> {
        let found = self.get(column)?.as_str().ok().and_then(known);
        found.ok_or_else(|| self.wrong(column, "holds no word that this version knows"))
    }

    fn blob(&self, column: &'static str) -> Result<Option<&'a [u8]>, StoreError> {
        self.get(column)?.as_blob_or_null().map_err(|_| self.wrong(column, "does not hold bytes"))
    }

    fn get(&self, column: &'static str) -> Result<ValueRef<'a>, StoreError> {
        self.row.get_ref(column).map_err(|error| from_sqlite(self.path, error))
    }

    fn wrong(&self, column: &'static str, found: &str) -> StoreError {
        unreadable(self.path, self.key, column, found)
    }
}

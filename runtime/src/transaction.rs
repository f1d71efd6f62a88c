//! Transactions that operations run in: the outcome commits or rolls back with what the body wrote.
//!
//! This is what a store with transactions implements; its users see the store's own transaction type.

use std::fmt::Debug;
use std::future::Future;
use std::pin::Pin;

use crate::claim::{Claim, ClaimRequest};
use crate::store_error::StoreError;
use crate::write::OwnerWrite;

/// An answer of a transaction.
pub type Answer<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// An operation that is open on a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Entry {
    /// The transaction, as [`Enclosing::number`] says.
    pub transaction: u64,
    /// Which of its operations.
    pub number: u32,
}

/// What an operation finds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entered {
    /// The answer to its claim.
    pub claim: Claim,
    /// The open operation, if the claim was granted.
    pub entry: Option<Entry>,
}

/// How an operation ends.
#[derive(Clone, Debug)]
pub enum Leaving {
    /// What it has done stays, with this outcome.
    Keep(OwnerWrite),
    /// What it has done is undone, its claim with it; then this outcome is recorded, if there is one.
    Undo(Option<OwnerWrite>),
}

/// A transaction that operations can run in. They nest strictly: one that begins while another is open is inside of
/// that one's body.
pub trait Enclosing: Debug + Send + Sync + 'static {
    /// A number that no other transaction of this process has.
    fn number(&self) -> u64;

    /// Claims a key; if the claim is granted, everything from here on can be undone. `parent`: the operation in whose
    /// body this one begins. It never waits for another owner, who may need the lock that the transaction holds.
    fn enter(&self, request: ClaimRequest, parent: Option<Entry>) -> Answer<'_, Entered>;

    /// Ends an operation.
    fn leave(&self, entry: Entry, leaving: Leaving) -> Answer<'_, ()>;

    /// Undoes an operation that was dropped half-way, without waiting for it. The transaction cannot be committed any
    /// more: its caller may not know that something is missing in it.
    fn abandon(&self, entry: Entry);
}

//! A store of any type.

use std::future::Future;
use std::pin::Pin;

use crate::claim::{Claim, ClaimRequest};
use crate::key::IdempotencyKey;
use crate::record::Record;
use crate::store::{Capabilities, ListRequest, Store};
use crate::store_error::StoreError;
use crate::write::{Evict, OwnerWrite, Written};

pub(super) type Answer<'a, T> = Pin<Box<dyn Future<Output = Result<T, StoreError>> + Send + 'a>>;

/// [`Store`] with boxed futures. Private, so that nobody implements it but the blanket below.
pub(super) trait DynStore: Send + Sync {
    fn claim(&self, request: ClaimRequest) -> Answer<'_, Claim>;
    fn write(&self, request: OwnerWrite) -> Answer<'_, Written>;
    fn inspect<'a>(&'a self, key: &'a IdempotencyKey) -> Answer<'a, Option<Record>>;
    fn evict(&self, request: Evict) -> Answer<'_, bool>;
    fn list(&self, request: ListRequest) -> Answer<'_, Vec<Record>>;
    fn ready(&self) -> Answer<'_, ()>;
    fn capabilities(&self) -> Capabilities;
    fn identity(&self) -> &str;
}

impl<S: Store> DynStore for S {
    fn claim(&self, request: ClaimRequest) -> Answer<'_, Claim> {
        Box::pin(Store::claim(self, request))
    }

    fn write(&self, request: OwnerWrite) -> Answer<'_, Written> {
        Box::pin(Store::write(self, request))
    }

    fn inspect<'a>(&'a self, key: &'a IdempotencyKey) -> Answer<'a, Option<Record>> {
        Box::pin(Store::inspect(self, key))
    }

    fn evict(&self, request: Evict) -> Answer<'_, bool> {
        Box::pin(Store::evict(self, request))
    }

    fn list(&self, request: ListRequest) -> Answer<'_, Vec<Record>> {
        Box::pin(Store::list(self, request))
    }

    fn ready(&self) -> Answer<'_, ()> {
        Box::pin(Store::ready(self))
    }

    fn capabilities(&self) -> Capabilities {
        Store::capabilities(self)
    }

    fn identity(&self) -> &str {
        Store::identity(self)
    }
}

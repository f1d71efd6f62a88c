//! From what stands after `store =` to a handle.

use std::ops::Deref;

use super::AnyStore;
use crate::store::Store;

/// Turns what stands after `store =` into a handle: a store, or a reference or smart pointer to one.
///
/// `How` keeps the implementations apart and is inferred. A method found by autoref would take the same types, but for
/// most others rustc then speaks of the method, and prints no text of ours.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an idempotency store",
    label = "not a store",
    note = "stores are an `AnyStore`, `MemoryStore`, `SqliteStore` (feature `sqlite`), types that implement `idempotency::Store`, and references and smart pointers to one",
    note = "of an `Option` unwrap the store first; a place such as `\"sqlite:orders.db\"` is opened by `idempotency::store::open`"
)]
pub trait Erase<How> {
    /// An owned handle.
    fn erase(&self) -> AnyStore;
}

/// Ways to a handle; see [`Erase`].
mod how {
    use std::marker::PhantomData;

    #[derive(Debug)]
    pub enum Handle {}
    #[derive(Debug)]
    pub enum Store {}
    #[derive(Debug)]
    pub struct Pointer<How>(PhantomData<How>);
}

#[diagnostic::do_not_recommend]
impl Erase<how::Handle> for AnyStore {
    fn erase(&self) -> AnyStore {
        self.clone()
    }
}

#[diagnostic::do_not_recommend]
impl<S: Store> Erase<how::Store> for S {
    fn erase(&self) -> AnyStore {
        AnyStore::new(self.clone())
    }
}

#[diagnostic::do_not_recommend]
impl<P: Deref<Target: Erase<How>>, How> Erase<how::Pointer<How>> for P {
    fn erase(&self) -> AnyStore {
        (**self).erase()
    }
}

//! `store = …`: any expression over the arguments, turned into a handle before the body.
#![cfg(feature = "memory")]

use std::num::ParseIntError;
use std::ops::Deref;
use std::sync::{Arc, LazyLock};

use idempotency::store::MemoryStore;
use idempotency::{AnyStore, Error, ErrorKind, idempotent, with_store};

#[derive(Clone)]
struct State {
    idem: MemoryStore,
    shared: Arc<MemoryStore>,
    job: String,
}

fn state() -> State {
    State { idem: MemoryStore::new(), shared: Arc::new(MemoryStore::new()), job: "state".into() }
}

impl State {
    fn store(&self) -> &MemoryStore {
        &self.idem
    }

    fn parse(&self, port: &str) -> Result<AnyStore, ParseIntError> {
        port.parse::<u16>().map(|_| AnyStore::new(self.idem.clone()))
    }
}

/// Calls twice with the same key; the second body would give another value.
async fn assert_replays<F: Future<Output = Result<u32, Error>>>(call: impl Fn(u32) -> F) {
    assert_eq!(call(1).await.unwrap(), 1);
    assert_eq!(call(2).await.unwrap(), 1);
}

#[tokio::test]
async fn a_store_can_be_any_expression_over_the_arguments() {
    #[idempotent(key = "'k' + state.job", ignore(value), ttl = "1d", store = state.idem)]
    async fn field(state: &State, value: u32) -> Result<u32, Error> {
        Ok(value)
    }
    #[idempotent(key = "state.job", ignore(value), ttl = "1d", store = &state.idem, op = "reference")]
    async fn reference(state: &State, value: u32) -> Result<u32, Error> {
        Ok(value)
    }
    #[idempotent(key = "state.job", ignore(value), ttl = "1d", store = state.shared)]
    async fn pointer(state: &State, value: u32) -> Result<u32, Error> {
        Ok(value)
    }
    #[idempotent(key = "state.job", ignore(value), ttl = "1d", store = state.store())]
    async fn method(state: &State, value: u32) -> Result<u32, Error> {
        Ok(value)
    }
    #[idempotent(key = "state.job", ignore(value), ttl = "1d", store = if value > 0 { state.store() } else { &*state.shared })]
    async fn condition(state: &State, value: u32) -> Result<u32, Error> {
        Ok(value)
    }
    #[idempotent(key = "state.job", ignore(port, value), ttl = "1d", store = state.parse(port)?)]
    async fn fallible(state: &State, port: &str, value: u32) -> anyhow::Result<u32> {
        Ok(value)
    }
    let state = state();
    assert_replays(|value| field(&state, value)).await;
    assert_replays(|value| reference(&state, value)).await;
    assert_replays(|value| pointer(&state, value)).await;
    assert_replays(|value| method(&state, value)).await;
    assert_replays(|value| condition(&state, value)).await;
    assert_eq!(fallible(&state, "80", 1).await.unwrap(), 1);
    assert_eq!(fallible(&state, "80", 2).await.unwrap(), 1);
    assert!(fallible(&state, "eighty", 3).await.unwrap_err().is::<ParseIntError>());
}

#[tokio::test]
async fn the_body_may_move_what_the_store_was_read_from() {
    #[idempotent(key = "state.job", ignore(value), ttl = "1d", store = &state.idem)]
    async fn consume(state: State, value: u32) -> Result<u32, Error> {
        drop(state);
        Ok(value)
    }
    let state = state();
    assert_replays(|value| consume(state.clone(), value)).await;
}

#[tokio::test]
async fn a_store_passed_by_value_reference_or_trait_is_taken() {
    #[idempotent(key = "'k'+ no", ignore(value), ttl = "1d", store = store)]
    async fn by_value(no: u32, value: u32, store: AnyStore) -> Result<u32, Error> {
        drop(store);
        Ok(value + no - no)
    }
    #[idempotent(key = "no", ignore(value), ttl = "1d", store = store, op = "generic")]
    async fn generic<S: idempotency::Store>(no: u32, value: u32, store: S) -> Result<u32, Error> {
        Ok(value + no - no)
    }
    #[idempotent(key = "no", ignore(value), ttl = "1d", store = store, op = "borrowed")]
    async fn borrowed<S: idempotency::Store>(no: u32, value: u32, store: &S) -> Result<u32, Error> {
        Ok(value + no - no)
    }
    let memory = MemoryStore::new();
    let store = AnyStore::new(memory.clone());
    assert_replays(|value| by_value(1, value, store.clone())).await;
    assert_replays(|value| generic(1, value, memory.clone())).await;
    assert_replays(|value| borrowed(1, value, &memory)).await;
}

#[tokio::test]
async fn a_store_behind_any_pointers_is_taken() {
    static SHARED: LazyLock<AnyStore> = LazyLock::new(|| AnyStore::new(MemoryStore::new()));

    struct Extension(Arc<MemoryStore>);

    impl Deref for Extension {
        type Target = Arc<MemoryStore>;

        fn deref(&self) -> &Self::Target {
            &self.0
        }
    }

    #[idempotent(key = "no", ignore(value), ttl = "1d", store = SHARED)]
    async fn of_a_static(no: u32, value: u32) -> Result<u32, Error> {
        Ok(value + no - no)
    }
    #[idempotent(key = "no", ignore(value), ttl = "1d", store = store)]
    async fn nested(no: u32, value: u32, store: &&Extension) -> Result<u32, Error> {
        Ok(value + no - no)
    }
    assert_replays(|value| of_a_static(1, value)).await;
    let store = Extension(Arc::new(MemoryStore::new()));
    let store = &&store;
    assert_replays(|value| nested(1, value, store)).await;
}

#[tokio::test]
async fn without_a_store_the_error_names_the_function() {
    #[idempotent(key = "no", ttl = "1d")]
    async fn create(no: u32) -> Result<u32, Error> {
        Ok(no)
    }
    let error = create(7).await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NoStore);
    assert!(error.to_string().contains("create"), "{error}");
    assert_eq!(with_store(MemoryStore::new(), create(7)).await.unwrap(), 7);
}

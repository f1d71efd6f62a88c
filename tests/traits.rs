//! Functions of trait impls: native async functions and `#[async_trait]`, which expands first.
#![cfg(feature = "memory")]

use async_trait::async_trait;
use idempotency::store::MemoryStore;
use idempotency::{Error, idempotent, with_reports, with_store};

struct Orders {
    store: MemoryStore,
    tenant: String,
    limit: std::time::Duration,
}

fn orders() -> Orders {
    Orders { store: MemoryStore::new(), tenant: "t".into(), limit: std::time::Duration::from_secs(60) }
}

trait Native {
    fn create(&self, no: u32) -> impl Future<Output = Result<u32, Error>> + Send;

    #[idempotent(key = "no", ttl = "1d", op = "native_default")]
    async fn default(&self, no: u32) -> Result<u32, Error> {
        self.create(no + 1).await
    }
}

impl Native for Orders {
    #[idempotent(key = "self.tenant + no", ttl = "1d", store = self.store)]
    async fn create(&self, no: u32) -> Result<u32, Error> {
        Ok(no + u32::try_from(self.tenant.len()).unwrap())
    }
}

#[async_trait]
trait Boxed: Send + Sync {
    async fn create(&self, pair: (u32, String), reason: &str) -> Result<String, Error>;
    async fn change(&mut self, no: u32) -> Result<u32, Error>;
    async fn consume(self: Box<Self>, no: u32) -> Result<String, Error>;
    async fn generic<T: Send + Sync + serde::Serialize>(&self, no: u32, value: T) -> Result<u32, Error>
    where
        Self: Sized;
    async fn associated(no: u32) -> Result<u32, Error>
    where
        Self: Sized;

    #[idempotent(key = "no", ttl = "1d", op = "boxed_default")]
    async fn default(&self, no: u32) -> Result<u32, Error> {
        self.create((no, String::new()), "x").await?;
        Ok(no)
    }
}

#[async_trait]
impl Boxed for Orders {
    /// Documented.
    #[idempotent(
        key = "self.tenant + no + name + reason",
        validate = "name",
        allow(validate-covers-key-only, reason = "this is about names in scope"),
        ttl = "1d",
        op = "boxed.create",
        lease = self.limit,
        store = &self.store
    )]
    async fn create(&self, (no, name): (u32, String), reason: &str) -> Result<String, Error> {
        if no == 0 {
            return Ok(String::new());
        }
        tokio::task::yield_now().await;
        Ok(format!("{}{no}{name}{reason}", self.tenant))
    }

    #[idempotent(key = self.tenant + no, ttl = "1d", store = self.store)]
    async fn change(&mut self, mut no: u32) -> Result<u32, Error> {
        no += 1;
        self.tenant.push('!');
        Ok(no)
    }

    #[idempotent(key = "self.tenant + no", ttl = "1d", store = self.store.clone())]
    async fn consume(self: Box<Self>, no: u32) -> Result<String, Error> {
        let Self { tenant, .. } = *self;
        Ok(format!("{tenant}{no}"))
    }

    #[idempotent(key = "no", validate = "value", ttl = "1d", op = "generic", store = self.store)]
    async fn generic<T: Send + Sync + serde::Serialize>(&self, no: u32, value: T) -> Result<u32, Error> {
        Ok(no)
    }

    #[idempotent(key = "no", ttl = "1d")]
    async fn associated(no: u32) -> Result<u32, Error> {
        Ok(no)
    }
}

#[async_trait(?Send)]
trait Local {
    async fn create(&self, no: std::rc::Rc<u32>) -> Result<u32, Error>;
}

#[async_trait(?Send)]
impl Local for Orders {
    #[idempotent(key = "no", ttl = "1d", op = "local", store = self.store)]
    async fn create(&self, no: std::rc::Rc<u32>) -> Result<u32, Error> {
        Ok(*no)
    }
}

#[tokio::test]
async fn native_async_functions_of_traits_work() {
    let orders = orders();
    assert_eq!(Native::create(&orders, 7).await.unwrap(), 8);
    assert_eq!(Native::create(&orders, 7).await.unwrap(), 8);
    assert_eq!(with_store(MemoryStore::new(), Native::default(&orders, 7)).await.unwrap(), 9);
}

#[tokio::test]
async fn async_trait_functions_see_their_receiver_and_patterns() {
    let orders = orders();
    let boxed: &dyn Boxed = &orders;
    let call = async {
        let first = boxed.create((7, "n".into()), "r").await.unwrap();
        assert_eq!(boxed.create((7, "n".into()), "r").await.unwrap(), first);
        first
    };
    let (value, reports) = with_reports(call).await;
    assert_eq!(value, "t7nr");
    assert_eq!(reports[0].key.as_ref().unwrap().as_str(), "boxed.create:t#7#n#r");
    assert_eq!(reports.len(), 2);
    assert_eq!(
        with_store(MemoryStore::new(), boxed.default(0)).await.unwrap_err().operation(),
        "boxed.create"
    );
    assert_eq!(
        with_store(MemoryStore::new(), boxed.default(8)).await.unwrap_err().operation(),
        "boxed.create"
    );
}

#[tokio::test]
async fn async_trait_functions_of_every_receiver_work() {
    let mut orders = orders();
    assert_eq!(Boxed::change(&mut orders, 7).await.unwrap(), 8);
    assert_eq!(orders.tenant, "t!");
    assert_eq!(Boxed::generic(&orders, 7, "value").await.unwrap(), 7);
    assert_eq!(with_store(MemoryStore::new(), <Orders as Boxed>::associated(7)).await.unwrap(), 7);
    assert_eq!(Local::create(&orders, std::rc::Rc::new(7)).await.unwrap(), 7);
    let boxed: Box<dyn Boxed> = Box::new(orders);
    assert_eq!(boxed.consume(7).await.unwrap(), "t!7");
}

//! The attribute beside `#[tracing::instrument]`, above and below it.

use idempotency::store::MemoryStore;
use idempotency::{Error, idempotent, with_store};
use tracing::instrument;

struct Orders;

impl Orders {
    #[idempotent(key = "no + name", ttl = "1d", op = "method_above")]
    #[instrument(skip(self), fields(no), err, ret)]
    async fn above(&self, no: u32, (name, _): (&str, u8)) -> Result<u32, Error> {
        Ok(no)
    }
}

#[idempotent(key = "no", ttl = "1d")]
#[instrument]
async fn above(no: u32) -> Result<u32, Error> {
    if no == 0 {
        return Ok(1);
    }
    Ok(no)
}

#[instrument(skip_all, err)]
#[idempotent(key = "no", ttl = "1d")]
async fn below(no: u32) -> Result<u32, Error> {
    if no == 0 {
        return Ok(1);
    }
    Ok(no)
}

#[async_trait::async_trait]
trait Create {
    async fn create(&self, pair: (u32, u32)) -> Result<u32, Error>;
}

#[async_trait::async_trait]
impl Create for Orders {
    #[idempotent(key = "no + line", ttl = "1d")]
    #[instrument(skip_all)]
    async fn create(&self, (no, line): (u32, u32)) -> Result<u32, Error> {
        Ok(no + line)
    }
}

#[tokio::test]
async fn both_attributes_work_in_either_order() {
    with_store(MemoryStore::new(), async {
        assert_eq!(above(7).await.unwrap(), 7);
        assert_eq!(above(0).await.unwrap(), 1);
        assert_eq!(below(7).await.unwrap(), 7);
        assert_eq!(below(0).await.unwrap(), 1);
        assert_eq!(Orders.above(7, ("n", 0)).await.unwrap(), 7);
        assert_eq!(Orders.create((7, 1)).await.unwrap(), 8);
    })
    .await;
}

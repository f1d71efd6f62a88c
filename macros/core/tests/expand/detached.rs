#[idempotent(key = "order_no", ttl = "7d", detached)]
async fn plain(order_no: u64) -> Result<Order, Error> {
    insert(order_no).await
}

#[idempotent(key = "order_no", ttl = "7d", mode = observe, detached)]
async fn observed(order_no: u64) -> Result<Order, Error> {
    insert(order_no).await
}

#[idempotent(key = "order_no", ttl = "7d", detached, reconcile = |unknown| async move { find(unknown).await })]
async fn reconciled(order_no: u64) -> Result<Order, Error> {
    insert(order_no).await
}

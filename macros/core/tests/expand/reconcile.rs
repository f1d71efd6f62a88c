impl Orders {
    #[idempotent(key = "order_no", ttl = "7d", reconcile = self.orders.find, on_crash = rerun, on_expired = run, on_store_error = reject)]
    async fn create(&self, order_no: u64) -> Result<Order, Error> {
        self.orders.insert(order_no).await
    }
}

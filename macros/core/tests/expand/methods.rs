impl<T: Send> Orders<T> {
    #[idempotent(key = "self.tenant + order_no", ttl = "7d", store = self.store)]
    async fn create(&self, order_no: u64) -> Result<Order, Error>
    where
        T: Clone,
    {
        #![allow(unused)]
        self.insert(order_no).await
    }

    #[idempotent(key = order_no, ignore(a, b), ttl = "7d")]
    pub async fn associated(order_no: impl KeyPart, (a, b): (u8, u8)) -> Result<impl Sized, Error> {
        Ok(())
    }
}

impl<T: Send> Orders<T> {
    async fn create(&self, order_no: u64) -> Result<Order, Error>
    where
        T: Clone,
    {
        #![allow(unused)]
        let (operation, outcome, declared) = {
            use ::idempotency as __idempotency;
            let operation = __idempotency::operation("create");
            let operation = operation
                .site({
                    static SITE: __idempotency::Site = __idempotency::Site::new(
                        ::core::file!(),
                        ::core::line!(),
                        ::core::column!(),
                        ::core::concat!(::core::module_path!(), "::create"),
                    );
                    &SITE
                });
            let operation = operation.part("self.tenant", &self.tenant);
            let operation = operation.part("order_no", &order_no);
            let operation = operation
                .ttl(::core::time::Duration::from_millis(604800000));
            let operation = operation
                .store({
                    use __idempotency::__private::Erase as _;
                    self.store.erase()
                });
            let (outcome, declared) = __idempotency::__private::outcome::<
                Result<Order, Error>,
                _,
                _,
            >();
            (operation, outcome, declared)
        };
        let body = ::core::pin::pin!(
            async move { if let ::core::option::Option::Some(value) =
            ::core::option::Option::None:: < Result < Order, Error > > { return value; }
            { self.insert(order_no). await } }
        );
        declared.value(operation.run_as(outcome, declared.body(body)).await)
    }
    pub async fn associated(
        order_no: impl KeyPart,
        (a, b): (u8, u8),
    ) -> Result<impl Sized, Error> {
        let (operation, outcome, declared) = {
            use ::idempotency as __idempotency;
            let operation = __idempotency::operation("associated");
            let operation = operation
                .site({
                    static SITE: __idempotency::Site = __idempotency::Site::new(
                        ::core::file!(),
                        ::core::line!(),
                        ::core::column!(),
                        ::core::concat!(::core::module_path!(), "::associated"),
                    );
                    &SITE
                });
            let operation = operation.part("order_no", &order_no);
            let operation = operation
                .ttl(::core::time::Duration::from_millis(604800000));
            let (outcome, declared) = __idempotency::__private::outcome::<
                Result<_, Error>,
                _,
                _,
            >();
            (operation, outcome, declared)
        };
        let body = ::core::pin::pin!(
            async move { if let ::core::option::Option::Some(value) =
            ::core::option::Option::None:: < Result < _, Error > > { return value; } {
            Ok(()) } }
        );
        declared.value(operation.run_as(outcome, declared.body(body)).await)
    }
}

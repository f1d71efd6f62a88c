impl Orders {
    async fn create(&self, order_no: u64) -> Result<Order, Error> {
        const _: &[::core::primitive::u8] = ::core::include_bytes!(
            ::core::concat!(::core::env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")
        );
        let (__operation, __outcome, __declared, __probe) = {
            use ::idempotency as __idempotency;
            let __operation = __idempotency::operation("create");
            let __operation = __operation
                .site({
                    static SITE: __idempotency::Site = __idempotency::Site::new(
                        ::core::file!(),
                        ::core::line!(),
                        ::core::column!(),
                        ::core::concat!(::core::module_path!(), "::create"),
                    );
                    &SITE
                });
            let __operation = __operation.of::<Self>();
            let __operation = __operation
                .part("order_no", &__idempotency::__private::fit(&order_no));
            let __operation = __operation
                .ttl(::core::time::Duration::from_millis(604800000));
            let __operation = __operation.on_crash(__idempotency::OnCrash::Rerun);
            let __operation = __operation.on_expired(__idempotency::OnExpired::Run);
            let __operation = __operation
                .on_store_error(__idempotency::OnStoreError::Reject);
            let (__outcome, __declared) = __idempotency::__private::outcome::<
                Result<Order, Error>,
                _,
                _,
            >();
            let __outcome = __outcome
                .with_classes({
                    use __idempotency::__private::{
                        WantsClasses as _, WithClasses as _, WithoutClasses as _,
                    };
                    (&&__declared.error_type()).error_classes()
                });
            let __probe = __idempotency::__private::probe(
                &__outcome,
                |__unknown| self.orders.find(__unknown),
            );
            (__operation, __outcome, __declared, __probe)
        };
        let __body = ::core::pin::pin!(
            async move { if let ::core::option::Option::Some(__value) =
            ::core::option::Option::None:: < Result < Order, Error > > { return __value;
            } { self.orders.insert(order_no). await } }
        );
        __declared
            .value(
                __operation.run_asked(__outcome, __probe, __declared.body(__body)).await,
            )
    }
}

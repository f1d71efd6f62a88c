/// Creates an order.
#[tracing::instrument]
pub(crate) async fn create_order(
    tenant_id: TenantId,
    order_no: String,
    mut body: OrderBody,
) -> Result<Order, OrderError> {
    const _: &[::core::primitive::u8] = ::core::include_bytes!(
        ::core::concat!(::core::env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")
    );
    let (__operation, __outcome, __declared) = {
        use ::idempotency as __idempotency;
        let __operation = __idempotency::operation("create_order");
        let __operation = __operation
            .site({
                static SITE: __idempotency::Site = __idempotency::Site::new(
                    ::core::file!(),
                    ::core::line!(),
                    ::core::column!(),
                    ::core::concat!(::core::module_path!(), "::create_order"),
                );
                &SITE
            });
        let __operation = __operation
            .part("tenant_id", &__idempotency::__private::fit(&tenant_id));
        let __operation = __operation
            .part("order_no", &__idempotency::__private::fit(&order_no));
        let __operation = __operation.validate(&body);
        let __operation = __operation
            .ttl(::core::time::Duration::from_millis(604800000));
        let (__outcome, __declared) = __idempotency::__private::outcome::<
            Result<Order, OrderError>,
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
        let () = {
            use __idempotency::__private::{WithUnknown as _, WithoutUnknown as _};
            (&&__declared.error_type()).unknown_without_reconcile()
        };
        (__operation, __outcome, __declared)
    };
    let __body = ::core::pin::pin!(
        async move { if let ::core::option::Option::Some(__value) =
        ::core::option::Option::None:: < Result < Order, OrderError > > { return __value;
        } { body.check() ?; if body.is_empty() { return Ok(Order::none(tenant_id)); }
        Ok(Order { order_no, body }) } }
    );
    __declared.value(__operation.run_as(__outcome, __declared.body(__body)).await)
}

async fn create(
    order_no: u64,
    settings: Settings,
    context: Context,
    db: Db,
) -> Result<Order, Error> {
    const _: &[::core::primitive::u8] = ::core::include_bytes!(
        ::core::concat!(::core::env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")
    );
    let (__operation, __outcome, __declared, __probe) = {
        use crate::idem as __idempotency;
        let __operation = __idempotency::operation("orders.create");
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
        let __operation = __operation
            .part("order_no", &__idempotency::__private::fit(&order_no));
        let __operation = __operation.ttl(settings.retention);
        let __operation = __operation.lease(::core::time::Duration::from_millis(45000));
        let __operation = __operation.deadline(context.deadline());
        let __operation = __operation
            .in_progress(
                __idempotency::InProgress::Wait(
                    ::core::time::Duration::from_millis(5000),
                ),
            );
        let __operation = __operation.completed(__idempotency::Completed::Reject);
        let __operation = __operation.on_crash(__idempotency::OnCrash::Hold);
        let __operation = __operation.on_expired(__idempotency::OnExpired::Reject);
        let __operation = __operation
            .tombstone(::core::time::Duration::from_millis(2592000000));
        let __operation = __operation.on_store_error(__idempotency::OnStoreError::Run);
        let __operation = __operation.mode(__idempotency::Mode::Protect);
        let __operation = __operation
            .store(__idempotency::__private::Erase::erase(&(&*db.store)));
        let (__outcome, __declared) = __idempotency::__private::outcome_with::<
            codecs::Compact<Order>,
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
        let __outcome = __outcome.version(2);
        let __outcome = __outcome.migrate(Order::from_version_1);
        let __outcome = __outcome.replayed(Order::as_duplicate);
        let __probe = __idempotency::__private::probe(&__outcome, Order::find);
        (__operation, __outcome, __declared, __probe)
    };
    let __body = ::core::pin::pin!(
        async move { if let ::core::option::Option::Some(__value) =
        ::core::option::Option::None:: < Result < Order, Error > > { return __value; } {
        db.insert(order_no). await } }
    );
    __declared
        .value(__operation.run_asked(__outcome, __probe, __declared.body(__body)).await)
}

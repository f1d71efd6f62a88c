async fn plain(order_no: u64) -> Result<Order, Error> {
    const _: &[::core::primitive::u8] = ::core::include_bytes!(
        ::core::concat!(::core::env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")
    );
    let (__operation, __outcome, __declared) = {
        use ::idempotency as __idempotency;
        let __operation = __idempotency::operation("plain");
        let __operation = __operation
            .site({
                static SITE: __idempotency::Site = __idempotency::Site::new(
                    ::core::file!(),
                    ::core::line!(),
                    ::core::column!(),
                    ::core::concat!(::core::module_path!(), "::plain"),
                );
                &SITE
            });
        let __operation = __operation
            .part("order_no", &__idempotency::__private::fit(&order_no));
        let __operation = __operation
            .ttl(::core::time::Duration::from_millis(604800000));
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
        let () = {
            use __idempotency::__private::{WithUnknown as _, WithoutUnknown as _};
            (&&__declared.error_type()).unknown_without_reconcile()
        };
        (__operation, __outcome, __declared)
    };
    let __body = async move {
        if let ::core::option::Option::Some(__value) = ::core::option::Option::None::<
            Result<Order, Error>,
        > {
            return __value;
        }
        { insert(order_no).await }
    };
    __declared
        .value(__operation.run_detached(__outcome, __declared.detached(__body)).await)
}
async fn observed(order_no: u64) -> Result<Order, Error> {
    const _: &[::core::primitive::u8] = ::core::include_bytes!(
        ::core::concat!(::core::env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")
    );
    let (__operation, __outcome, __declared) = {
        use ::idempotency as __idempotency;
        let __operation = __idempotency::operation("observed");
        let __operation = __operation
            .site({
                static SITE: __idempotency::Site = __idempotency::Site::new(
                    ::core::file!(),
                    ::core::line!(),
                    ::core::column!(),
                    ::core::concat!(::core::module_path!(), "::observed"),
                );
                &SITE
            });
        let __operation = __operation
            .part("order_no", &__idempotency::__private::fit(&order_no));
        let __operation = __operation
            .ttl(::core::time::Duration::from_millis(604800000));
        let __operation = __operation.mode(__idempotency::Mode::Observe);
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
        (__operation, __outcome, __declared)
    };
    let __body = async move {
        if let ::core::option::Option::Some(__value) = ::core::option::Option::None::<
            Result<Order, Error>,
        > {
            return __value;
        }
        { insert(order_no).await }
    };
    __declared
        .value(__operation.run_detached(__outcome, __declared.detached(__body)).await)
}
async fn reconciled(order_no: u64) -> Result<Order, Error> {
    const _: &[::core::primitive::u8] = ::core::include_bytes!(
        ::core::concat!(::core::env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")
    );
    let (__operation, __outcome, __declared, __probe) = {
        use ::idempotency as __idempotency;
        let __operation = __idempotency::operation("reconciled");
        let __operation = __operation
            .site({
                static SITE: __idempotency::Site = __idempotency::Site::new(
                    ::core::file!(),
                    ::core::line!(),
                    ::core::column!(),
                    ::core::concat!(::core::module_path!(), "::reconciled"),
                );
                &SITE
            });
        let __operation = __operation
            .part("order_no", &__idempotency::__private::fit(&order_no));
        let __operation = __operation
            .ttl(::core::time::Duration::from_millis(604800000));
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
        let __probe = __idempotency::__private::probe_closure(
            &__outcome,
            |unknown| async move { find(unknown).await },
        );
        (__operation, __outcome, __declared, __probe)
    };
    let __body = async move {
        if let ::core::option::Option::Some(__value) = ::core::option::Option::None::<
            Result<Order, Error>,
        > {
            return __value;
        }
        { insert(order_no).await }
    };
    __declared
        .value(
            __operation
                .run_detached_asked(__outcome, __probe, __declared.detached(__body))
                .await,
        )
}

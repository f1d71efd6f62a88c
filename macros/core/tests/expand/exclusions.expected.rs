async fn create(no: u64, body: Body, other: Other) -> Result<(), Error> {
    const _: &[::core::primitive::u8] = ::core::include_bytes!(
        ::core::concat!(::core::env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")
    );
    let (__operation, __outcome, __declared) = {
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
        let __operation = __operation.part("no", &__idempotency::__private::fit(&no));
        let __operation = __operation
            .validate_except(
                &body,
                &[
                    __idempotency::Exclusion::optional(
                        __idempotency::__private::present(&body.meta)
                            .map(|__value| &__value.sent_at),
                        &["meta", "sent_at"],
                    ),
                    __idempotency::Exclusion::optional(
                        __idempotency::__private::lookup(&body.map, "nonce"),
                        &["map", "nonce"],
                    ),
                    __idempotency::Exclusion::new(&body.pair.1, &["pair", "1"]),
                ],
            );
        let __operation = __operation
            .validate_except(
                &other.inner,
                &[__idempotency::Exclusion::new(&other.inner.meta.id, &["meta", "id"])],
            );
        let __operation = __operation
            .ttl(::core::time::Duration::from_millis(604800000));
        let (__outcome, __declared) = __idempotency::__private::outcome::<
            Result<(), Error>,
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
        ::core::option::Option::None:: < Result < (), Error > > { return __value; } {
        Ok(()) } }
    );
    __declared.value(__operation.run_as(__outcome, __declared.body(__body)).await)
}

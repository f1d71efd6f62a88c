async fn create(
    order: Order,
    json: Value,
    h: &HashMap<String, Option<Y>>,
    pair: ((u8, u8), u8),
    day: NaiveDate,
    a: A,
) -> Result<(), Error> {
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
        let __operation = __operation
            .optional_part(
                "order.customer?",
                __idempotency::__private::present(&order.customer)
                    .map(|__value| __idempotency::__private::fit_behind(__value)),
            );
        let __operation = __operation
            .optional_part(
                "order.lines?.first",
                __idempotency::__private::present(&order.lines)
                    .map(|__value| &__value.first)
                    .map(|__value| __idempotency::__private::fit(__value)),
            );
        let __operation = __operation
            .optional_part(
                "json['a']['b']",
                __idempotency::__private::lookup(&json, "a")
                    .and_then(|__value| __idempotency::__private::lookup(__value, "b"))
                    .map(|__value| __idempotency::__private::fit_value(__value)),
            );
        let __operation = __operation
            .optional_part(
                "h['x']?.y",
                __idempotency::__private::lookup(&h, "x")
                    .and_then(|__value| __idempotency::__private::present(__value))
                    .map(|__value| &__value.y)
                    .map(|__value| __idempotency::__private::fit(__value)),
            );
        let __operation = __operation
            .part("pair.0.1", &__idempotency::__private::fit(&pair.0.1));
        let __operation = __operation.part("'eu'", "eu");
        let __operation = __operation
            .part(
                "hash(order.email)",
                &__idempotency::__private::hash(
                    __idempotency::__private::fit(&order.email),
                ),
            );
        let __operation = __operation
            .optional_part(
                "lower(trim(order.name?))",
                __idempotency::__private::present(&order.name)
                    .map(|__value| __idempotency::__private::lower(
                        __idempotency::__private::trim(
                            __idempotency::__private::fit_behind(__value),
                        ),
                    )),
            );
        let __operation = __operation
            .part("date(day)", &__idempotency::__private::date(&day));
        let __operation = __operation
            .part("a.type", &__idempotency::__private::fit(&a.r#type));
        let __operation = __operation.ttl(::core::time::Duration::from_millis(5400000));
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

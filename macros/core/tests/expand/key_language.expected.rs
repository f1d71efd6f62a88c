async fn create(
    order: Order,
    json: Value,
    h: &HashMap<String, Option<Y>>,
    pair: ((u8, u8), u8),
    day: NaiveDate,
    a: A,
) -> Result<(), Error> {
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
        let operation = operation
            .optional_part(
                "order.customer?",
                __idempotency::__private::present(&order.customer),
            );
        let operation = operation
            .optional_part(
                "order.lines?.first",
                __idempotency::__private::present(&order.lines).map(|value| &value.first),
            );
        let operation = operation
            .optional_part(
                "json['a']['b']",
                __idempotency::__private::lookup(&json, "a")
                    .and_then(|value| __idempotency::__private::lookup(value, "b")),
            );
        let operation = operation
            .optional_part(
                "h['x']?.y",
                __idempotency::__private::lookup(&h, "x")
                    .and_then(|value| __idempotency::__private::present(value))
                    .map(|value| &value.y),
            );
        let operation = operation.part("pair.0.1", &pair.0.1);
        let operation = operation.part("'eu'", "eu");
        let operation = operation
            .part("hash(order.email)", &__idempotency::__private::hash(&order.email));
        let operation = operation
            .optional_part(
                "lower(trim(order.name?))",
                __idempotency::__private::present(&order.name)
                    .map(|value| __idempotency::__private::lower(
                        __idempotency::__private::trim(value),
                    )),
            );
        let operation = operation
            .part("date(day)", &__idempotency::__private::date(&day));
        let operation = operation.part("a.type", &a.r#type);
        let operation = operation.ttl(::core::time::Duration::from_millis(5400000));
        let (outcome, declared) = __idempotency::__private::outcome::<
            Result<(), Error>,
            _,
            _,
        >();
        (operation, outcome, declared)
    };
    let body = ::core::pin::pin!(
        async move { if let ::core::option::Option::Some(value) =
        ::core::option::Option::None:: < Result < (), Error > > { return value; } {
        Ok(()) } }
    );
    declared.value(operation.run_as(outcome, declared.body(body)).await)
}

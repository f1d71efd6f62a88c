async fn create(no: u64, body: Body) -> Result<(), Error> {
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
        let operation = operation.part("no", &no);
        let operation = operation
            .validate_except(
                &body,
                &[
                    __idempotency::Exclusion::optional(
                        __idempotency::__private::present(&body.meta)
                            .map(|value| &value.sent_at),
                        &["meta", "sent_at"],
                    ),
                    __idempotency::Exclusion::optional(
                        __idempotency::__private::lookup(&body.map, "nonce"),
                        &["map", "nonce"],
                    ),
                    __idempotency::Exclusion::new(&body.pair.1, &["pair", "1"]),
                ],
            );
        let operation = operation.ttl(::core::time::Duration::from_millis(604800000));
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

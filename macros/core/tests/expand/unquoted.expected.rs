async fn create(
    tenant_id: &str,
    headers: &HeaderMap,
    email: String,
    body: Body,
    extra: Option<Extra>,
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
        let operation = operation.part("tenant_id", &tenant_id);
        let operation = operation
            .optional_part(
                "headers['x-k']",
                __idempotency::__private::lookup(&headers, "x-k"),
            );
        let operation = operation
            .part("hash(email)", &__idempotency::__private::hash(&email));
        let operation = operation
            .validate_except(
                &body,
                &[
                    __idempotency::Exclusion::new(&body.sent_at, &["sent_at"]),
                    __idempotency::Exclusion::new(&body.meta.id, &["meta", "id"]),
                ],
            );
        let operation = operation.validate(&__idempotency::__private::present(&extra));
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

async fn create(
    order_no: u64,
    settings: Settings,
    context: Context,
    db: Db,
) -> Result<Order, Error> {
    let (operation, outcome, declared) = {
        use crate::idem as __idempotency;
        let operation = __idempotency::operation("orders.create");
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
        let operation = operation.part("order_no", &order_no);
        let operation = operation.ttl(settings.retention);
        let operation = operation.lease(::core::time::Duration::from_millis(45000));
        let operation = operation.deadline(context.deadline());
        let operation = operation
            .in_progress(
                __idempotency::InProgress::Wait(
                    ::core::time::Duration::from_millis(5000),
                ),
            );
        let operation = operation.completed(__idempotency::Completed::Reject);
        let operation = operation.mode(__idempotency::Mode::Observe);
        let operation = operation
            .store({
                use __idempotency::__private::Erase as _;
                (&*db.store).erase()
            });
        let (outcome, declared) = __idempotency::__private::outcome::<
            Result<Order, Error>,
            _,
            _,
        >();
        let outcome = outcome.replayed(Order::as_duplicate);
        (operation, outcome, declared)
    };
    let body = ::core::pin::pin!(
        async move { if let ::core::option::Option::Some(value) =
        ::core::option::Option::None:: < Result < Order, Error > > { return value; } { db
        .insert(order_no). await } }
    );
    declared.value(operation.run_as(outcome, declared.body(body)).await)
}

/// Creates an order.
#[tracing::instrument]
pub(crate) async fn create_order(
    tenant_id: TenantId,
    order_no: String,
    mut body: OrderBody,
) -> Result<Order, OrderError> {
    let (operation, outcome, declared) = {
        use ::idempotency as __idempotency;
        let operation = __idempotency::operation("create_order");
        let operation = operation
            .site({
                static SITE: __idempotency::Site = __idempotency::Site::new(
                    ::core::file!(),
                    ::core::line!(),
                    ::core::column!(),
                    ::core::concat!(::core::module_path!(), "::create_order"),
                );
                &SITE
            });
        let operation = operation.part("tenant_id", &tenant_id);
        let operation = operation.part("order_no", &order_no);
        let operation = operation.validate(&body);
        let operation = operation.ttl(::core::time::Duration::from_millis(604800000));
        let (outcome, declared) = __idempotency::__private::outcome::<
            Result<Order, OrderError>,
            _,
            _,
        >();
        (operation, outcome, declared)
    };
    let body = ::core::pin::pin!(
        async move { if let ::core::option::Option::Some(value) =
        ::core::option::Option::None:: < Result < Order, OrderError > > { return value; }
        { body.check() ?; if body.is_empty() { return Ok(Order::none(tenant_id)); }
        Ok(Order { order_no, body }) } }
    );
    declared.value(operation.run_as(outcome, declared.body(body)).await)
}

/// Creates an order.
#[idempotent(key = "tenant_id + op + order_no", validate = "body", ttl = "7d")]
#[tracing::instrument]
pub(crate) async fn create_order(
    tenant_id: TenantId,
    order_no: String,
    mut body: OrderBody,
) -> Result<Order, OrderError> {
    body.check()?;
    if body.is_empty() {
        return Ok(Order::none(tenant_id));
    }
    Ok(Order { order_no, body })
}

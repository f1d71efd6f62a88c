#[idempotent(
    key = "order_no",
    validate = none,
    ignore(db),
    ttl = settings.retention,
    op = "orders.create",
    lease = "45s",
    deadline = context.deadline(),
    in_progress = wait("5s"),
    completed = reject,
    replayed = Order::as_duplicate,
    mode = observe,
    store = &*db.store,
    crate = crate::idem,
)]
async fn create(order_no: u64, settings: Settings, context: Context, db: Db) -> Result<Order, Error> {
    db.insert(order_no).await
}

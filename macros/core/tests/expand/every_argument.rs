#[idempotent(
    key = "order_no",
    validate = none,
    ignore(db, settings),
    ttl = settings.retention,
    op = "orders.create",
    lease = "45s",
    deadline = context.deadline(),
    in_progress = wait("5s"),
    completed = reject,
    replayed = Order::as_duplicate,
    on_crash = hold,
    on_expired = reject,
    tombstone = "30d",
    on_store_error = run,
    mode = protect,
    store = &*db.store,
    source = sqs(retention = "14d", dlq = "14d", visibility = "60s"),
    version = 2,
    migrate = Order::from_version_1,
    codec = codecs::Compact<Order>,
    reconcile = Order::find,
    scope = global,
    crate = crate::idem,
)]
async fn create(order_no: u64, settings: Settings, context: Context, db: Db) -> Result<Order, Error> {
    db.insert(order_no).await
}

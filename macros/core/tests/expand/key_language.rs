#[idempotent(
    key = "order.customer? + order.lines?.first + json['a']['b'] + h['x']?.y + pair.0.1 + 'eu' + hash(order.email) + lower(trim(order.name?)) + date(day) + a.type",
    ignore(order, json, h, pair, a),
    ttl = "1h30m"
)]
async fn create(
    order: Order,
    json: Value,
    h: &HashMap<String, Option<Y>>,
    pair: ((u8, u8), u8),
    day: NaiveDate,
    a: A,
) -> Result<(), Error> {
    Ok(())
}

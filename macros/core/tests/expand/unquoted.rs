#[idempotent(key = tenant_id + op + headers["x-k"] + hash(email), validate = body - body.sent_at - body.meta.id + extra?, ignore(headers), ttl = "7d")]
async fn create(
    tenant_id: &str,
    headers: &HeaderMap,
    email: String,
    body: Body,
    extra: Option<Extra>,
) -> Result<(), Error> {
    Ok(())
}

#[idempotent(key = "no", validate = "body - body.meta?.sent_at - body.map['nonce'] - body.pair.1 + other.inner - other.inner.meta.id", ignore(other), ttl = "7d")]
async fn create(no: u64, body: Body, other: Other) -> Result<(), Error> {
    Ok(())
}

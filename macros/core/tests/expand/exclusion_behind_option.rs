#[idempotent(key = "no", validate = "body - body.meta?.sent_at - body.map['nonce'] - body.pair.1", ttl = "7d")]
async fn create(no: u64, body: Body) -> Result<(), Error> {
    Ok(())
}

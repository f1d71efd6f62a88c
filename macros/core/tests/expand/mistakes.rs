#[idempotent(key = "tenent_id", ttl = "7 days")]
async fn create(tenant_id: String) -> Result<(), Error> {
    Ok(())
}

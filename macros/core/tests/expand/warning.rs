#[idempotent(key = "input.request_id + order_no", validate = input, ttl = "7d")]
async fn create(order_no: String, input: Input) -> Result<(), Error> {
    let _ = send(&input).await;
    Ok(())
}

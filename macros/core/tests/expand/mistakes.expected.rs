#[allow(unused_variables)]
async fn create(tenant_id: String) -> Result<(), Error> {
    Ok(())
}
::core::compile_error! {
    "unknown parameter `tenent_id` in `key`\n\n  tenent_id\n  ^^^^^^^^^\n\nhelp: did you mean `tenant_id`?\nnote: the only parameter is `tenant_id`\nnote: idempotency error `unknown-argument`"
}
::core::compile_error! {
    "duration `7 days` is not in the short form\n\n  7 days\n  ^^^^^^\n\nhelp: `7d`\nnote: a duration is whole numbers with units, largest first: `90s`, `15m`, `7d`, `1h30m`, `500ms` (w d h m s ms)\nnote: idempotency error `bad-duration`"
}

use idempotency::KeyPart;

#[derive(KeyPart)]
pub struct OrderId(String, std::marker::PhantomData<u8>, u64);

fn main() {}

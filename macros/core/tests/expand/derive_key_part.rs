struct TenantId(String);

struct Generic<T> {
    value: T,
    marker: PhantomData<T>,
}

enum Region {
    Eu,
    #[key_part(rename = "us")]
    Us,
}

#[key_part(crate = my::idempotency)]
enum Never {}

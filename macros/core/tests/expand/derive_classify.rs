#[derive(Classify)]
enum ChargeError {
    #[terminal]
    Declined { reason: String },
    #[unknown]
    TimedOut,
    #[retryable]
    Down(u16, String),
    #[serde(skip)]
    #[inner]
    Idempotency(#[from] idempotency::Error),
}

#[derive(Classify)]
#[retryable]
enum Generic<E>
where
    E: Display,
{
    #[terminal]
    Refused,
    #[inner]
    Other { source: E },
    Down,
}

#[derive(Classify)]
#[unknown]
#[classify(crate = my::idempotency)]
struct Lost;

#[derive(Classify)]
#[inner]
struct Wrapper(ChargeError);

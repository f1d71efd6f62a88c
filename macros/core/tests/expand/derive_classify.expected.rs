#[automatically_derived]
impl ::idempotency::__private::DerivesClasses for ChargeError {}
#[automatically_derived]
impl ::idempotency::__private::HasUnknown for ChargeError {}
#[automatically_derived]
impl ::idempotency::Classify for ChargeError {
    const TERMINAL: ::idempotency::TerminalErrors<Self> = ::idempotency::__private::recorded();
    fn class(&self) -> ::idempotency::ErrorClass {
        match self {
            Self::Declined { .. } => ::idempotency::ErrorClass::Terminal,
            Self::TimedOut { .. } => ::idempotency::ErrorClass::Unknown,
            Self::Down { .. } => ::idempotency::ErrorClass::Retryable,
            Self::Idempotency { 0: __inner } => ::idempotency::Classify::class(__inner),
        }
    }
}
#[automatically_derived]
impl<E> ::idempotency::__private::DerivesClasses for Generic<E>
where
    E: Display,
{}
#[automatically_derived]
impl<E> ::idempotency::Classify for Generic<E>
where
    E: Display,
    Self: ::idempotency::__private::RecordedError,
    E: ::idempotency::Classify,
{
    const TERMINAL: ::idempotency::TerminalErrors<Self> = ::idempotency::__private::recorded();
    fn class(&self) -> ::idempotency::ErrorClass {
        match self {
            Self::Refused { .. } => ::idempotency::ErrorClass::Terminal,
            Self::Other { source: __inner } => ::idempotency::Classify::class(__inner),
            Self::Down { .. } => ::idempotency::ErrorClass::Retryable,
        }
    }
}
#[automatically_derived]
impl my::idempotency::__private::DerivesClasses for Lost {}
#[automatically_derived]
impl my::idempotency::__private::HasUnknown for Lost {}
#[automatically_derived]
impl my::idempotency::Classify for Lost {
    const TERMINAL: my::idempotency::TerminalErrors<Self> = my::idempotency::TerminalErrors::not_recorded();
    fn class(&self) -> my::idempotency::ErrorClass {
        match self {
            Self { .. } => my::idempotency::ErrorClass::Unknown,
        }
    }
}
#[automatically_derived]
impl ::idempotency::__private::DerivesClasses for Wrapper {}
#[automatically_derived]
impl ::idempotency::Classify for Wrapper {
    const TERMINAL: ::idempotency::TerminalErrors<Self> = ::idempotency::TerminalErrors::not_recorded();
    fn class(&self) -> ::idempotency::ErrorClass {
        match self {
            Self { 0: __inner } => ::idempotency::Classify::class(__inner),
        }
    }
}

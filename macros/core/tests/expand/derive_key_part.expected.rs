#[automatically_derived]
impl ::idempotency::Classified for TenantId {
    type Kind = ::idempotency::Fit;
}
#[automatically_derived]
impl ::idempotency::KeyPart for TenantId {
    fn write_part(
        &self,
        out: &mut ::idempotency::PartWriter<'_>,
    ) -> ::core::result::Result<(), ::idempotency::PartError> {
        ::idempotency::KeyPart::write_part(&self.0, out)
    }
}
#[automatically_derived]
impl<T> ::idempotency::Classified for Generic<T>
where
    T: ::idempotency::KeyPart,
{
    type Kind = ::idempotency::Fit;
}
#[automatically_derived]
impl<T> ::idempotency::KeyPart for Generic<T>
where
    T: ::idempotency::KeyPart,
{
    fn write_part(
        &self,
        out: &mut ::idempotency::PartWriter<'_>,
    ) -> ::core::result::Result<(), ::idempotency::PartError> {
        ::idempotency::KeyPart::write_part(&self.value, out)
    }
}
#[automatically_derived]
impl ::idempotency::Classified for Region {
    type Kind = ::idempotency::Fit;
}
#[automatically_derived]
impl ::idempotency::KeyPart for Region {
    fn write_part(
        &self,
        out: &mut ::idempotency::PartWriter<'_>,
    ) -> ::core::result::Result<(), ::idempotency::PartError> {
        ::idempotency::KeyPart::write_part(
            match *self {
                Self::Eu => "Eu",
                Self::Us => "us",
            },
            out,
        )
    }
}
#[automatically_derived]
impl my::idempotency::Classified for Never {
    type Kind = my::idempotency::Fit;
}
#[automatically_derived]
impl my::idempotency::KeyPart for Never {
    fn write_part(
        &self,
        out: &mut my::idempotency::PartWriter<'_>,
    ) -> ::core::result::Result<(), my::idempotency::PartError> {
        match *self {}
    }
}

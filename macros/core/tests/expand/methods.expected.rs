impl<T: Send> Orders<T> {
    async fn create(&self, order_no: u64) -> Result<Order, Error>
    where
        T: Clone,
    {
        #![allow(unused)]
        const _: &[::core::primitive::u8] = ::core::include_bytes!(
            ::core::concat!(::core::env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")
        );
        let (__operation, __outcome, __declared) = {
            use ::idempotency as __idempotency;
            let __operation = __idempotency::operation("create");
            let __operation = __operation
                .site({
                    static SITE: __idempotency::Site = __idempotency::Site::new(
                        ::core::file!(),
                        ::core::line!(),
                        ::core::column!(),
                        ::core::concat!(::core::module_path!(), "::create"),
                    );
                    &SITE
                });
            let __operation = __operation.of::<Self>();
            let __operation = __operation
                .part("self.tenant", &__idempotency::__private::fit(&self.tenant));
            let __operation = __operation
                .part("order_no", &__idempotency::__private::fit(&order_no));
            let __operation = __operation
                .ttl(::core::time::Duration::from_millis(604800000));
            let __operation = __operation
                .store(__idempotency::__private::Erase::erase(&self.store));
            let (__outcome, __declared) = __idempotency::__private::outcome::<
                Result<Order, Error>,
                _,
                _,
            >();
            let __outcome = __outcome
                .with_classes({
                    use __idempotency::__private::{
                        WantsClasses as _, WithClasses as _, WithoutClasses as _,
                    };
                    (&&__declared.error_type()).error_classes()
                });
            let () = {
                use __idempotency::__private::{WithUnknown as _, WithoutUnknown as _};
                (&&__declared.error_type()).unknown_without_reconcile()
            };
            (__operation, __outcome, __declared)
        };
        let __body = ::core::pin::pin!(
            async move { if let ::core::option::Option::Some(__value) =
            ::core::option::Option::None:: < Result < Order, Error > > { return __value;
            } { self.insert(order_no). await } }
        );
        __declared.value(__operation.run_as(__outcome, __declared.body(__body)).await)
    }
    pub async fn associated(
        order_no: impl KeyPart,
        (a, b): (u8, u8),
    ) -> Result<impl Sized, Error> {
        const _: &[::core::primitive::u8] = ::core::include_bytes!(
            ::core::concat!(::core::env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")
        );
        {
            mod idempotent {
                #[deprecated(
                    note = "the type of `order_no` is part of the key, but not of the operation's name\nhelp: add a part that tells the types apart, with `op = \"associated\"`, or annotate a function around it for each type\nnote: instantiations with different types would answer each other's requests\nnote: idempotency lint `generic-operation`; allow it with `allow(generic-operation, reason = \"…\")`"
                )]
                pub(super) fn generic_operation() {}
            }
            let _ = idempotent::generic_operation;
        }
        let (__operation, __outcome, __declared) = {
            use ::idempotency as __idempotency;
            let __operation = __idempotency::operation("associated");
            let __operation = __operation
                .site({
                    static SITE: __idempotency::Site = __idempotency::Site::new(
                        ::core::file!(),
                        ::core::line!(),
                        ::core::column!(),
                        ::core::concat!(::core::module_path!(), "::associated"),
                    );
                    &SITE
                });
            let __operation = __operation
                .part("order_no", &__idempotency::__private::fit(&order_no));
            let __operation = __operation
                .ttl(::core::time::Duration::from_millis(604800000));
            let (__outcome, __declared) = __idempotency::__private::outcome::<
                Result<_, Error>,
                _,
                _,
            >();
            let __outcome = __outcome
                .with_classes({
                    use __idempotency::__private::{
                        WantsClasses as _, WithClasses as _, WithoutClasses as _,
                    };
                    (&&__declared.error_type()).error_classes()
                });
            let () = {
                use __idempotency::__private::{WithUnknown as _, WithoutUnknown as _};
                (&&__declared.error_type()).unknown_without_reconcile()
            };
            (__operation, __outcome, __declared)
        };
        let __body = ::core::pin::pin!(
            async move { if let ::core::option::Option::Some(__value) =
            ::core::option::Option::None:: < Result < _, Error > > { return __value; } {
            Ok(()) } }
        );
        __declared.value(__operation.run_as(__outcome, __declared.body(__body)).await)
    }
}

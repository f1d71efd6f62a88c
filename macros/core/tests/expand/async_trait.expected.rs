impl Handler for Orders {
    fn handle<'life0, 'life1, 'async_trait>(
        &'life0 self,
        __arg1: (u32, String),
        reason: &'life1 str,
    ) -> ::core::pin::Pin<
        Box<
            dyn ::core::future::Future<
                Output = Result<u32, Error>,
            > + ::core::marker::Send + 'async_trait,
        >,
    >
    where
        'life0: 'async_trait,
        'life1: 'async_trait,
        Self: 'async_trait,
    {
        Box::pin(async move {
            if let ::core::option::Option::Some(__ret) = ::core::option::Option::None::<
                Result<u32, Error>,
            > {
                #[allow(unreachable_code)] return __ret;
            }
            let __self = self;
            let (n, name) = {
                let __arg1 = __arg1;
                __arg1
            };
            let __ret: Result<u32, Error> = {
                const _: &[::core::primitive::u8] = ::core::include_bytes!(
                    ::core::concat!(::core::env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")
                );
                let (__operation, __outcome, __declared) = {
                    use ::idempotency as __idempotency;
                    let __operation = __idempotency::operation("handle");
                    let __operation = __operation
                        .site({
                            static SITE: __idempotency::Site = __idempotency::Site::new(
                                ::core::file!(),
                                ::core::line!(),
                                ::core::column!(),
                                ::core::concat!(::core::module_path!(), "::handle"),
                            );
                            &SITE
                        });
                    let __operation = __operation.of::<Self>();
                    let __operation = __operation
                        .part(
                            "self.tenant",
                            &__idempotency::__private::fit(&__self.tenant),
                        );
                    let __operation = __operation
                        .part("n", &__idempotency::__private::fit(&n));
                    let __operation = __operation
                        .part("name", &__idempotency::__private::fit(&name));
                    let __operation = __operation
                        .ttl(::core::time::Duration::from_millis(604800000));
                    let __operation = __operation.deadline(now(__self.limit));
                    let __operation = __operation
                        .store(__idempotency::__private::Erase::erase(&__self.store));
                    let (__outcome, __declared) = __idempotency::__private::outcome::<
                        Result<u32, Error>,
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
                        use __idempotency::__private::{
                            WithUnknown as _, WithoutUnknown as _,
                        };
                        (&&__declared.error_type()).unknown_without_reconcile()
                    };
                    (__operation, __outcome, __declared)
                };
                let __body = ::core::pin::pin!(
                    async move { if let ::core::option::Option::Some(__value) =
                    ::core::option::Option::None:: < Result < u32, Error > > { return
                    __value; } { __self.run(name). await ?; Ok(n) } }
                );
                __declared
                    .value(__operation.run_as(__outcome, __declared.body(__body)).await)
            };
            #[allow(unreachable_code)] __ret
        })
    }
}

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
                let (operation, outcome, declared) = {
                    use ::idempotency as __idempotency;
                    let operation = __idempotency::operation("handle");
                    let operation = operation
                        .site({
                            static SITE: __idempotency::Site = __idempotency::Site::new(
                                ::core::file!(),
                                ::core::line!(),
                                ::core::column!(),
                                ::core::concat!(::core::module_path!(), "::handle"),
                            );
                            &SITE
                        });
                    let operation = operation.part("self.tenant", &__self.tenant);
                    let operation = operation.part("n", &n);
                    let operation = operation.part("name", &name);
                    let operation = operation
                        .ttl(::core::time::Duration::from_millis(604800000));
                    let operation = operation.deadline(now(__self.limit));
                    let operation = operation
                        .store({
                            use __idempotency::__private::Erase as _;
                            __self.store.erase()
                        });
                    let (outcome, declared) = __idempotency::__private::outcome::<
                        Result<u32, Error>,
                        _,
                        _,
                    >();
                    (operation, outcome, declared)
                };
                let body = ::core::pin::pin!(
                    async move { if let ::core::option::Option::Some(value) =
                    ::core::option::Option::None:: < Result < u32, Error > > { return
                    value; } { __self.run(name). await ?; Ok(n) } }
                );
                declared.value(operation.run_as(outcome, declared.body(body)).await)
            };
            #[allow(unreachable_code)] __ret
        })
    }
}

impl Handler for Orders {
    #[idempotent(key = "self.tenant + n + name", ignore(reason), ttl = "7d", store = self.store, deadline = now(self.limit))]
    fn handle<'life0, 'life1, 'async_trait>(
        &'life0 self,
        __arg1: (u32, String),
        reason: &'life1 str,
    ) -> ::core::pin::Pin<
        Box<dyn ::core::future::Future<Output = Result<u32, Error>> + ::core::marker::Send + 'async_trait>,
    >
    where
        'life0: 'async_trait,
        'life1: 'async_trait,
        Self: 'async_trait,
    {
        Box::pin(async move {
            if let ::core::option::Option::Some(__ret) = ::core::option::Option::None::<Result<u32, Error>> {
                #[allow(unreachable_code)]
                return __ret;
            }
            let __self = self;
            let (n, name) = {
                let __arg1 = __arg1;
                __arg1
            };
            let __ret: Result<u32, Error> = {
                __self.run(name).await?;
                Ok(n)
            };
            #[allow(unreachable_code)]
            __ret
        })
    }
}

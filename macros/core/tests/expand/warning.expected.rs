async fn create(order_no: String, input: Input) -> Result<(), Error> {
    const _: &[::core::primitive::u8] = ::core::include_bytes!(
        ::core::concat!(::core::env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")
    );
    {
        mod idempotent {
            #[deprecated(
                note = "`input.request_id` names a request only if the caller repeats it on a retry\n\n  input.request_id + order_no\n  ^^^^^^^^^^^^^^^^\n\nhelp: use an id that is made once per request, for example `client_request_id`\nnote: many clients make a new one for every attempt\nnote: idempotency lint `per-invocation-id`; allow it with `allow(per-invocation-id, reason = \"…\")`"
            )]
            pub(super) fn per_invocation_id() {}
        }
        let _ = idempotent::per_invocation_id;
    }
    {
        mod idempotent {
            #[deprecated(
                note = "`let _ =` throws the result of the call away\nhelp: pass the error on with `?`, or return it\nnote: the record would say completed for work that was not done, and no retry would do it\nnote: idempotency lint `swallowed-error`; allow it with `allow(swallowed-error, reason = \"…\")`"
            )]
            pub(super) fn swallowed_error() {}
        }
        let _ = idempotent::swallowed_error;
    }
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
        let __operation = __operation
            .part("input.request_id", &__idempotency::__private::fit(&input.request_id));
        let __operation = __operation
            .part("order_no", &__idempotency::__private::fit(&order_no));
        let __operation = __operation.validate(&input);
        let __operation = __operation
            .ttl(::core::time::Duration::from_millis(604800000));
        let (__outcome, __declared) = __idempotency::__private::outcome::<
            Result<(), Error>,
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
        ::core::option::Option::None:: < Result < (), Error > > { return __value; } { let
        _ = send(& input). await; Ok(()) } }
    );
    __declared.value(__operation.run_as(__outcome, __declared.body(__body)).await)
}

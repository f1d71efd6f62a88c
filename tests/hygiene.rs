//! The expansion depends on no name in scope, and puts none there.
#![cfg(feature = "memory")]
#![no_implicit_prelude]
#![allow(dead_code, non_upper_case_globals)]

/// The facade under another name: there is no `idempotency` in this path.
mod renamed {
    pub(crate) mod inner {
        pub(crate) use ::idempotency as idem;
    }

    use self::inner::idem;

    #[idem::idempotent(
        key = "no + id",
        validate = "no",
        allow(validate-covers-key-only, reason = "this is about names in scope"),
        ttl = "1d",
        op = "renamed",
        store = store,
        crate = idem
    )]
    pub(crate) async fn create(
        no: u32,
        id: Id,
        store: &idem::store::MemoryStore,
    ) -> ::core::result::Result<u32, idem::Error> {
        let _ = id;
        ::core::result::Result::Ok(no)
    }

    #[idem::idempotent(key = no, ttl = "1d", store = store, crate = crate::renamed::inner::idem)]
    pub(crate) async fn by_path(
        no: u32,
        store: &idem::store::MemoryStore,
    ) -> ::core::result::Result<u32, idem::Error> {
        ::core::result::Result::Ok(no)
    }

    #[derive(idem::KeyPart)]
    #[key_part(crate = idem)]
    pub(crate) struct Id(pub(crate) u8);

    #[derive(idem::KeyPart)]
    #[key_part(crate = idem)]
    pub(crate) enum Kind {
        One,
    }

    #[derive(::serde::Serialize, ::serde::Deserialize, idem::Classify)]
    #[classify(crate = idem)]
    #[terminal]
    pub(crate) enum Refused {
        Once,
        #[unknown]
        Perhaps,
        #[serde(skip)]
        #[inner]
        Call(idem::Error),
    }
}

/// Names that an expansion might use mean something else here.
mod shadowed {
    pub(crate) struct Ok;
    pub(crate) struct Err;
    pub(crate) struct Some;
    pub(crate) struct None;
    pub(crate) struct Option;
    pub(crate) struct Result;
    pub(crate) struct Box;
    pub(crate) struct Duration;
    pub(crate) struct Pin;
    pub(crate) struct String;
    pub(crate) mod core {}
    pub(crate) mod std {}
    pub(crate) mod idempotency {}
    pub(crate) const SITE: u32 = 5;
    pub(crate) const operation: u32 = 0;

    #[::idempotency::idempotent(
        key = "operation_no + hash(body.value) + body.optional?",
        validate = "body - body.value",
        ttl = "1d",
        lease = "30s",
        in_progress = wait("1s"),
        completed = replay,
        mode = protect,
        replayed = ::core::convert::identity,
        store = store
    )]
    pub(crate) async fn create(
        operation_no: u32,
        body: Body,
        store: &::idempotency::store::MemoryStore,
    ) -> ::core::result::Result<u32, ::idempotency::Error> {
        let _ = body;
        ::core::result::Result::Ok(operation_no + SITE + operation)
    }

    #[derive(::serde::Serialize)]
    pub(crate) struct Body {
        pub(crate) value: &'static str,
        pub(crate) optional: ::core::option::Option<u8>,
    }

    #[derive(::idempotency::KeyPart)]
    pub(crate) enum Kind {
        Ok,
        Err,
    }

    #[derive(::core::fmt::Debug, ::serde::Serialize, ::serde::Deserialize, ::idempotency::Classify)]
    pub(crate) enum Error {
        #[terminal]
        Ok,
        #[unknown]
        Err { __inner: u8 },
        #[retryable]
        Some(u8),
        #[serde(skip)]
        #[inner]
        None(::idempotency::Error),
    }

    impl ::core::convert::From<::idempotency::Error> for Error {
        fn from(error: ::idempotency::Error) -> Self {
            Self::None(error)
        }
    }

    fn upgrade(old: ::idempotency::OldValue<'_>) -> ::core::result::Result<u32, ::idempotency::CodecError> {
        old.json()
    }

    async fn find(
        _: ::idempotency::UnknownOutcome,
    ) -> ::core::result::Result<::idempotency::Reconciled<u32>, Error> {
        ::core::result::Result::Ok(::idempotency::Reconciled::StillUnknown)
    }

    #[::idempotency::idempotent(
        key = operation_no,
        ttl = "1d",
        op = "policies",
        on_crash = hold,
        on_expired = reject,
        tombstone = "2d",
        on_store_error = run,
        version = 2,
        migrate = upgrade,
        codec = ::idempotency::JsonCodec,
        reconcile = find,
        store = store
    )]
    pub(crate) async fn policies(
        operation_no: u32,
        store: &::idempotency::store::MemoryStore,
    ) -> ::core::result::Result<u32, Error> {
        ::core::result::Result::Ok(operation_no + SITE)
    }

    #[::idempotency::idempotent(
        key = operation_no,
        ttl = "1d",
        op = "detached",
        detached,
        allow(unknown-without-reconcile, reason = "this is about names in scope"),
        store = store
    )]
    pub(crate) async fn detached(
        operation_no: u32,
        store: ::idempotency::AnyStore,
    ) -> ::core::result::Result<u32, Error> {
        ::core::result::Result::Ok(operation_no + SITE)
    }
}

/// Parameters called like the locals of the expansion.
mod parameters {
    #[::idempotency::idempotent(
        key = "operation + outcome + body + value + declared + name + out",
        validate = "operation + outcome",
        allow(validate-covers-key-only, reason = "this is about names in scope"),
        ttl = "1d",
        op = "parameters",
        store = store
    )]
    #[allow(clippy::too_many_arguments)]
    pub(crate) async fn create(
        operation: u32,
        outcome: u32,
        body: u32,
        value: u32,
        declared: u32,
        name: u32,
        out: u32,
        store: &::idempotency::store::MemoryStore,
    ) -> ::core::result::Result<u32, ::idempotency::Error> {
        ::core::result::Result::Ok(operation + outcome + body + value + declared + name + out)
    }

    #[::idempotency::idempotent(
        key = operation + body?,
        allow(whole-payload, reason = "a number under a name of the expansion"),
        ttl = "1d",
        op = "unquoted",
        store = store
    )]
    pub(crate) async fn unquoted(
        operation: u32,
        body: ::core::option::Option<u32>,
        store: &::idempotency::store::MemoryStore,
    ) -> ::core::result::Result<u32, ::idempotency::Error> {
        let outcome = ::core::option::Option::unwrap(body);
        ::core::result::Result::Ok(operation + outcome)
    }
}

/// The same with what an argument takes beside literals.
mod fragments {
    macro_rules! operation {
        ($name:ident, $crash:ident, $kept:literal, $version:literal, $migrate:path, $codec:ty, $probe:expr) => {
            #[::idempotency::idempotent(
                                                                                        key = no,
                                                                                        ttl = "1d",
                                                                                        on_crash = $crash,
                                                                                        on_expired = reject,
                                                                                        tombstone = $kept,
                                                                                        version = $version,
                                                                                        migrate = $migrate,
                                                                                        codec = $codec,
                                                                                        reconcile = $probe,
                                                                                        store = store
                                                                                    )]
            pub(crate) async fn $name(
                no: u32,
                store: &::idempotency::store::MemoryStore,
            ) -> ::core::result::Result<u32, ::idempotency::Error> {
                ::core::result::Result::Ok(no)
            }
        };
    }
    operation!(with_path, hold, "2d", 2, upgrade, ::idempotency::JsonCodec, find);
    operation!(with_closure, rerun, "2d", 3, upgrade, ::idempotency::JsonCodec, |unknown| async {
        find(unknown).await
    });

    fn upgrade(old: ::idempotency::OldValue<'_>) -> ::core::result::Result<u32, ::idempotency::CodecError> {
        old.json()
    }

    async fn find(
        _: ::idempotency::UnknownOutcome,
    ) -> ::core::result::Result<::idempotency::Reconciled<u32>, ::idempotency::Error> {
        ::core::result::Result::Ok(::idempotency::Reconciled::StillUnknown)
    }
}

/// Functions made by a declarative macro, in which names from both sides meet.
mod declarative {
    macro_rules! operations {
        ($($name:ident, $argument:ident, $key:expr, $text:literal, $ttl:literal, $returned:ty, $body:block;)*) => {
            $(
                #[::idempotency::idempotent(key = $key, ttl = $ttl, op = $text, store = store)]
                pub(crate) async fn $name(
                    $argument: u32,
                    store: &::idempotency::store::MemoryStore,
                ) -> $returned $body
            )*
        };
    }
    operations! {
        first, no, no, "first", "1d", ::core::result::Result<u32, ::idempotency::Error>,
            { ::core::result::Result::Ok(1) };
        second, other, other, "second", "2d", ::core::result::Result<u32, ::idempotency::Error>,
            { ::core::result::Result::Ok(2) };
    }
}

#[::core::prelude::v1::test]
fn expansions_depend_on_no_name_in_scope() {
    ::tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(all());
}

async fn all() {
    use ::core::assert_eq;

    let store = &::idempotency::store::MemoryStore::new();
    assert_eq!(renamed::create(7, renamed::Id(1), store).await.unwrap(), 7);
    assert_eq!(renamed::by_path(7, store).await.unwrap(), 7);
    let body = shadowed::Body { value: "v", optional: ::core::option::Option::Some(1) };
    assert_eq!(shadowed::create(7, body, store).await.unwrap(), 12);
    assert_eq!(parameters::create(1, 2, 3, 4, 5, 6, 7, store).await.unwrap(), 28);
    let body = ::core::option::Option::Some(2);
    assert_eq!(parameters::unquoted(1, body, store).await.unwrap(), 3);
    assert_eq!(declarative::first(7, store).await.unwrap(), 1);
    assert_eq!(declarative::second(7, store).await.unwrap(), 2);
    assert_eq!(shadowed::policies(7, store).await.unwrap(), 12);
    let owned = ::idempotency::AnyStore::new(::core::clone::Clone::clone(store));
    assert_eq!(shadowed::detached(7, owned).await.unwrap(), 12);
    assert_eq!(fragments::with_path(7, store).await.unwrap(), 7);
    assert_eq!(fragments::with_closure(7, store).await.unwrap(), 7);
}

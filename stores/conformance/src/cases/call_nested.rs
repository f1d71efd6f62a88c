//! Operations inside operations.

use idempotency_runtime::{ErrorKind, InProgress, Status, with_store};

use crate::Tested;
use crate::call::*;
use crate::script::*;

pub async fn an_operation_inside_another_has_a_record_of_its_own(store: &Tested) {
    let ledger = Ledger::new();
    for _ in 0..2 {
        let outer = pay(store, "outer").run(async {
            let inner = pay(store, "inner").run(ledger.pay()).await?;
            ledger.enter();
            Ok::<_, Failure>(inner)
        });
        assert_eq!(value_of(outer.await), Receipt { number: 1 });
    }
    assert_eq!(ledger.payments(), 2);
    for order in ["outer", "inner"] {
        assert_eq!(store.record_of(&pay_key(order)).await.status, Status::Completed);
    }
}

pub async fn an_inner_outcome_survives_the_failure_of_the_outer_body(store: &Tested) {
    let (inner, outer) = (Ledger::new(), Ledger::new());
    for attempt in 1..=2 {
        let call = pay(store, "outer").run(async {
            pay(store, "inner").run(inner.pay()).await?;
            outer.decline().await
        });
        assert!(matches!(call.await, Err(Failure::Declined(number)) if number == attempt));
    }
    assert_eq!((inner.payments(), outer.payments()), (1, 2));
}

pub async fn a_body_that_calls_its_own_key_is_told_instead_of_waiting_for_itself(store: &Tested) {
    let ledger = Ledger::new();
    let outer = pay(store, "1").run(async {
        let waiting = pay(store, "1").in_progress(InProgress::Wait(TTL));
        assert_refused(waiting.run(ledger.pay()).await, ErrorKind::Reentered);
        let inner = pay(store, "2").run(async {
            assert_refused(pay(store, "1").run(ledger.pay()).await, ErrorKind::Reentered);
            Ok::<_, Failure>(())
        });
        Box::pin(inner).await
    });
    value_of(outer.await);
    assert_eq!(ledger.payments(), 0);
    // The key is free for the body of another call again.
    value_of(pay(store, "3").run(async { pay(store, "1").run(async { Ok::<(), Failure>(()) }).await }).await);
}

pub async fn a_store_in_scope_serves_the_operations_that_name_none(store: &Tested) {
    let ledger = Ledger::new();
    let call = || idempotency_runtime::operation("scoped").part("order", "1").ttl(TTL).run(ledger.pay());
    for _ in 0..2 {
        let receipt = with_store(store.handle(), call()).await;
        assert_eq!(value_of(receipt), Receipt { number: 1 });
    }
    store.record_of(&key_of("scoped:1")).await;
}

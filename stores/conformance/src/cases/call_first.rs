//! The first call of an operation.

use idempotency_runtime::{Disposition, ErrorKind, Outcome, Status, operation, with_reports};

use crate::Tested;
use crate::call::*;
use crate::script::*;

pub async fn the_first_call_runs_the_body_and_returns_its_value(store: &Tested) {
    let ledger = Ledger::new();
    let receipt = value_of(pay(store, "1").run(ledger.pay()).await);
    assert_eq!(receipt, Receipt { number: 1 });
    assert_eq!(ledger.payments(), 1);
}

pub async fn the_first_call_makes_one_claim_and_one_write(store: &Tested) {
    let counting = Counting::new(store);
    value_of(pay_at(counting.handle(store), "1").run(Ledger::new().pay()).await);
    assert_eq!(counting.calls(), (1, 1, 0));
}

pub async fn while_the_body_runs_the_record_is_in_progress_and_has_no_value(store: &Tested) {
    let receipt = pay(store, "1").run(async {
        let record = store.record_of(&pay_key("1")).await;
        assert_eq!((record.status, record.attempt, &record.value), (Status::InProgress, 1, &None));
        assert_eq!(record.lease_until, after(LEASE));
        assert_eq!(record.retain_until, Some(after(TTL)));
        Ok::<_, Failure>(7)
    });
    assert_eq!(value_of(receipt.await), 7);
}

pub async fn after_the_body_the_record_is_completed_and_its_ttl_begins(store: &Tested) {
    let running = async {
        store.advance(SECOND);
        Ledger::new().pay().await
    };
    value_of(pay(store, "1").run(running).await);
    let record = store.record_of(&pay_key("1")).await;
    assert_eq!((record.status, record.completed_at), (Status::Completed, Some(after(SECOND))));
    assert_eq!(record.expires_at, Some(after(SECOND + TTL)));
    assert_eq!(record.value, Some(value(r#"{"number":1}"#)));
}

pub async fn a_call_without_a_ttl_is_refused_before_the_store_is_touched(store: &Tested) {
    let counting = Counting::new(store);
    let ledger = Ledger::new();
    let call = operation("pay_for_ever").part("order", "1").store(counting.handle(store));
    assert_refused(call.run(ledger.pay()).await, ErrorKind::Misconfigured);
    assert_eq!((counting.calls(), ledger.payments()), ((0, 0, 0), 0));
}

pub async fn the_map_for_duplicates_is_not_used_on_the_first_call(store: &Tested) {
    let outcome = Outcome::<u32, Failure>::new().replayed(|_| panic!("this is no duplicate"));
    let first = pay(store, "1").run_as(outcome, async { Ok(1) }).await;
    assert_eq!(value_of(first), 1);
}

pub async fn a_body_without_a_value_is_recorded(store: &Tested) {
    let ledger = Ledger::new();
    for _ in 0..2 {
        let call = pay(store, "1").run(async {
            ledger.enter();
            Ok::<(), Failure>(())
        });
        value_of(call.await);
    }
    assert_eq!(ledger.payments(), 1);
    assert_eq!(store.record_of(&pay_key("1")).await.value, Some(value("null")));
}

pub async fn a_call_over_a_removed_record_is_a_first_call(store: &Tested) {
    let ledger = Ledger::new();
    value_of(pay(store, "1").run(ledger.pay()).await);
    let record = store.record_of(&pay_key("1")).await;
    assert!(store.evict(idempotency_runtime::Evict::new(record.key, record.epoch)).await);
    let receipt = value_of(pay(store, "1").run(ledger.pay()).await);
    assert_eq!(receipt, Receipt { number: 2 });
}

pub async fn a_report_tells_what_happened(store: &Tested) {
    let ledger = Ledger::new();
    let (answer, reports) = with_reports(pay(store, "1").run(ledger.pay())).await;
    value_of(answer);
    let told: Vec<_> = reports.iter().map(|report| (report.disposition, report.attempt)).collect();
    assert_eq!(told, [(Disposition::Executed, Some(1))]);
    assert_eq!(reports[0].key, Some(pay_key("1")));
}

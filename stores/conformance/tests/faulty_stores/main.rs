//! The suite notices wrong stores: every fault that a store may have fails at least one case of the subject that
//! is about it, and the same store without a fault passes all.

mod damage;
mod fault;
mod faulty;
mod listing;
mod settling;

use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};

use idempotency_conformance::{Harness, Tested};
use idempotency_runtime::AnyStore;

use self::fault::Fault;
use self::faulty::FaultyStore;

struct Faulty(Fault);

impl Harness for Faulty {
    type Place = FaultyStore;

    async fn create(&self) -> FaultyStore {
        FaultyStore::new(self.0)
    }

    async fn open(&self, place: &FaultyStore) -> AnyStore {
        AnyStore::new(place.reopen())
    }
}

type Case = Box<dyn Fn(Fault)>;

macro_rules! list {
    ($($subject:ident: $run:ident [$($case:ident,)*])*) => {
        vec![$($((
            stringify!($subject),
            stringify!($case),
            Box::new(|fault| idempotency_conformance::$run(
                Faulty(fault),
                &async |store: &Tested| idempotency_conformance::cases::$subject::$case(store).await,
            )) as Case,
        ),)*)*]
    };
}

/// The cases that fail, of one subject or of all. Those about whole operations are left out: on a wrong store they
/// may wait for what never happens.
fn failed(fault: Fault, about: Option<&str>) -> Vec<String> {
    let cases: Vec<(&str, &str, Case)> = idempotency_conformance::__verb_cases! { [list] };
    assert!(cases.len() > 100);
    cases
        .into_iter()
        .filter(|(subject, _, _)| about.is_none_or(|about| about == *subject))
        .filter(|(_, _, case)| catch_unwind(AssertUnwindSafe(|| case(fault))).is_err())
        .map(|(subject, case, _)| format!("{subject}::{case}"))
        .collect()
}

#[test]
fn every_fault_fails_a_case_about_it() {
    let hook = take_hook();
    set_hook(Box::new(|_| {}));
    let missed: Vec<_> =
        Fault::ALL.iter().filter(|(fault, about)| failed(*fault, Some(about)).is_empty()).collect();
    let unjust = failed(Fault::None, None);
    set_hook(hook);
    assert!(missed.is_empty(), "no case of the subject fails: {missed:?}");
    assert!(unjust.is_empty(), "the store without a fault fails {unjust:?}");
}

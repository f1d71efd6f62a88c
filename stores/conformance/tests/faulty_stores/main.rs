//! The suite notices wrong stores: every fault that a store may have fails at least one case of the subject that
//! is about it, and the same store without a fault passes all.

mod faulty;

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};

use idempotency_conformance::Tested;

use self::faulty::{Fault, FaultyHarness};

type Case = Box<dyn Fn(Fault)>;

macro_rules! list {
    ($($subject:ident: $run:ident [$($case:ident,)*])*) => {
        vec![$($((
            stringify!($subject),
            stringify!($case),
            Box::new(|fault| idempotency_conformance::$run(
                FaultyHarness(fault),
                &async |store: &Tested| idempotency_conformance::cases::$subject::$case(store).await,
            )) as Case,
        ),)*)*]
    };
}

/// The subjects of which a case fails. Cases about whole operations are left out: on a wrong store they may wait
/// for what never happens.
fn failed_subjects(fault: Fault) -> BTreeSet<&'static str> {
    let cases: Vec<(&'static str, &'static str, Case)> = idempotency_conformance::__verb_cases! { [list] };
    assert!(cases.len() > 100);
    cases
        .into_iter()
        .filter(|(_, _, case)| catch_unwind(AssertUnwindSafe(|| case(fault))).is_err())
        .map(|(subject, _, _)| subject)
        .collect()
}

#[test]
fn every_fault_fails_a_case_about_it() {
    let hook = take_hook();
    set_hook(Box::new(|_| {}));
    let noticed: Vec<_> = Fault::ALL.iter().map(|(fault, about)| (fault, about, failed_subjects(*fault))).collect();
    let sound = failed_subjects(Fault::None);
    set_hook(hook);
    assert_eq!(sound, BTreeSet::new(), "the store without a fault fails");
    let missed: Vec<_> = noticed.iter().filter(|(_, about, failed)| !failed.contains(**about)).collect();
    assert!(missed.is_empty(), "not noticed (fault, subject, subjects that failed): {missed:#?}");
}

//! Lists of records. A store that says it has none must refuse them.

use std::collections::BTreeSet;

use idempotency_runtime::{ListRequest, Record, Status};

use crate::Tested;
use crate::script::*;

/// A list without an end.
fn all() -> ListRequest {
    ListRequest { limit: usize::MAX, ..ListRequest::default() }
}

fn with_prefix(prefix: &str) -> ListRequest {
    ListRequest { prefix: prefix.into(), ..all() }
}

fn keys(records: &[Record]) -> Vec<&str> {
    records.iter().map(|record| record.key.as_str()).collect()
}

async fn claim_each(store: &Tested, keys: &[&str]) {
    for text in keys {
        store.acquire(request(ANN, START).of(&key_of(text))).await;
    }
}

/// Keys in the order of their bytes, which is neither that of words, nor of numbers, nor of UTF-16.
const ORDERED: [&str; 9] = ["B:1", "a/b:1", "a:", "a:10", "a:9", "a:Z", "a:a", "a:\u{ff61}", "a:\u{1f980}"];

pub async fn records_are_listed_whole_in_the_order_of_the_bytes_of_their_keys(store: &Tested) {
    let mut shuffled = ORDERED;
    shuffled.reverse();
    shuffled.swap(2, 6);
    claim_each(store, &shuffled).await;
    let Some(listed) = store.list(all()).await else { return };
    assert_eq!(keys(&listed), ORDERED);
    for record in listed {
        assert_eq!(store.record_of(&record.key).await, record);
    }
}

pub async fn a_store_without_records_lists_none(store: &Tested) {
    let Some(listed) = store.list(all()).await else { return };
    assert_eq!(listed, []);
}

pub async fn a_prefix_is_compared_byte_by_byte(store: &Tested) {
    let written = ["a%b:1", "a*b:1", "aXb:1", "a_b:1", "pay:1", "pay:12", "pay:2", "payout:1", "PAY:1"];
    claim_each(store, &written).await;
    let expected: [(&str, &[&str]); 8] = [
        ("pay:", &["pay:1", "pay:12", "pay:2"]),
        ("pay:1", &["pay:1", "pay:12"]),
        ("pay", &["pay:1", "pay:12", "pay:2", "payout:1"]),
        ("P", &["PAY:1"]),
        ("a_b", &["a_b:1"]),
        ("a%", &["a%b:1"]),
        ("a*b:1", &["a*b:1"]),
        ("a?", &[]),
    ];
    for (prefix, expected) in expected {
        let Some(listed) = store.list(with_prefix(prefix)).await else { return };
        assert_eq!(keys(&listed), expected, "{prefix:?}");
    }
}

pub async fn the_last_character_there_is_may_follow_and_end_a_prefix(store: &Tested) {
    let last = "a:\u{10ffff}";
    let written = [format!("{last}\u{10ffff}"), last.to_owned(), format!("{last}1"), "b:1".to_owned()];
    claim_each(store, &written.each_ref().map(String::as_str)).await;
    let Some(listed) = store.list(with_prefix("a:")).await else { return };
    assert_eq!(keys(&listed), [&written[1], &written[2], &written[0]]);
    assert_eq!(store.list(with_prefix(last)).await, Some(listed));
}

pub async fn records_of_other_namespaces_are_not_listed(store: &Tested) {
    claim_each(store, &["pay:1", "shop/pay:1", "shop/pay:2", "shop2/pay:1"]).await;
    let Some(listed) = store.list(with_prefix("shop/")).await else { return };
    assert_eq!(keys(&listed), ["shop/pay:1", "shop/pay:2"]);
    let Some(listed) = store.list(with_prefix("pay:")).await else { return };
    assert_eq!(keys(&listed), ["pay:1"]);
}

/// One record of every status, whose key is the name of the status.
async fn one_of_each(store: &Tested) {
    for text in ["completed", "failed", "in_progress", "released", "unknown"] {
        let ann = store.acquire(request(ANN, START).of(&key_of(text))).await;
        match text {
            "completed" => store.apply(ann.complete(START)).await,
            "failed" => store.apply(ann.fail(START)).await,
            "released" => store.apply(ann.release(START)).await,
            "unknown" => store.apply(ann.mark_unknown(START)).await,
            _ => {}
        }
    }
}

pub async fn a_list_has_the_status_that_is_asked_for(store: &Tested) {
    one_of_each(store).await;
    let each = [Status::InProgress, Status::Released, Status::Completed, Status::Failed, Status::Unknown];
    for status in each {
        let asked = ListRequest { status: Some(status), ..all() };
        let Some(listed) = store.list(asked).await else { return };
        assert_eq!(keys(&listed), [status.as_str()]);
    }
    let Some(listed) = store.list(all()).await else { return };
    assert_eq!(listed.len(), each.len());
}

pub async fn a_status_and_a_prefix_count_together(store: &Tested) {
    one_of_each(store).await;
    let asked = ListRequest { status: Some(Status::Failed), ..with_prefix("comp") };
    let Some(listed) = store.list(asked).await else { return };
    assert_eq!(listed, []);
}

pub async fn a_list_is_no_longer_than_its_limit(store: &Tested) {
    claim_each(store, &ORDERED).await;
    for limit in [0, 1, 3, ORDERED.len(), ORDERED.len() + 1] {
        let Some(listed) = store.list(ListRequest { limit, ..all() }).await else { return };
        assert_eq!(keys(&listed), ORDERED[..limit.min(ORDERED.len())], "{limit}");
    }
}

pub async fn a_limit_counts_what_is_asked_for(store: &Tested) {
    one_of_each(store).await;
    let asked = ListRequest { status: Some(Status::Unknown), limit: 1, ..all() };
    let Some(listed) = store.list(asked).await else { return };
    assert_eq!(keys(&listed), ["unknown"]);
}

pub async fn a_list_goes_on_after_a_key(store: &Tested) {
    claim_each(store, &ORDERED).await;
    let mut seen = Vec::new();
    let mut asked = ListRequest { limit: 2, ..all() };
    loop {
        let Some(page) = store.list(asked.clone()).await else { return };
        let Some(last) = page.last() else { break };
        asked.after = Some(last.key.clone());
        seen.extend(page);
        assert!(seen.len() <= ORDERED.len(), "the list has no end: {:?}", keys(&seen));
    }
    assert_eq!(keys(&seen), ORDERED);
}

pub async fn a_list_goes_on_after_a_key_that_is_gone(store: &Tested) {
    claim_each(store, &["a:1", "a:3"]).await;
    for (gone, expected) in
        [("", &["a:1", "a:3"][..]), ("a:2", &["a:3"]), ("a:4", &[]), ("A:9", &["a:1", "a:3"])]
    {
        let asked = ListRequest { after: Some(key_of(gone)), ..with_prefix("a:") };
        let Some(listed) = store.list(asked).await else { return };
        assert_eq!(keys(&listed), expected, "after {gone:?}");
    }
}

pub async fn what_is_past_its_time_is_listed_as_it_is(store: &Tested) {
    let (expired, dead) = (key_of("a:expired"), key_of("a:dead"));
    let first = store.acquire(request(ANN, START).of(&expired)).await;
    store.apply(first.complete(START).kept_for(SECOND).buried_for(TTL)).await;
    store.acquire(request(ANN, START).of(&dead)).await;
    let late = lease_dead().plus(SECOND);
    store.acquire(request(BOB, late).of(&key_of("b:1"))).await;
    let Some(listed) = store.list(with_prefix("a:")).await else { return };
    assert_eq!(listed, [store.record_of(&dead).await, store.record_of(&expired).await]);
    assert_eq!((listed[0].status, listed[1].status), (Status::InProgress, Status::Completed));
}

pub async fn a_removed_record_is_not_listed(store: &Tested) {
    let first = store.acquire(request(ANN, START)).await;
    assert!(store.evict(first.evict()).await);
    let Some(listed) = store.list(all()).await else { return };
    assert_eq!(listed, []);
}

pub async fn a_second_handle_lists_the_same_records(store: &Tested) {
    one_of_each(store).await;
    let (first, second) = (store.list(all()).await, store.reopen().await.list(all()).await);
    assert_eq!(first, second);
}

pub async fn many_records_are_listed_page_by_page_while_others_are_written(store: &Tested) {
    let numbered = |number: usize| key_of(&format!("many:{number:04}"));
    for number in 0..300 {
        store.acquire(request(ANN, START).of(&numbered(number))).await;
    }
    let mut seen = BTreeSet::new();
    let mut asked = ListRequest { limit: 7, ..with_prefix("many:") };
    loop {
        let Some(page) = store.list(asked.clone()).await else { return };
        let Some(last) = page.last() else { break };
        asked.after = Some(last.key.clone());
        assert!(!seen.contains(&last.key), "the list has no end");
        // A record before the page and one after it change their status, and a new one comes.
        let number = seen.len();
        store.acquire(request(BOB, lease_dead()).of(&numbered(number / 2))).await;
        store.acquire(request(BOB, START).of(&key_of(&format!("other:{number}")))).await;
        seen.extend(page.into_iter().map(|record| record.key));
    }
    assert!((0..300).map(numbered).all(|key| seen.remove(&key)), "some keys were not listed");
    assert!(seen.is_empty(), "too many keys: {seen:?}");
}

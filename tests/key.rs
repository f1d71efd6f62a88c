//! `key = …`: what the stored key is, and what a missing part does.
#![cfg(feature = "memory")]

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
use std::sync::Arc;

use idempotency::store::MemoryStore;
use idempotency::{Error, ErrorKind, KeyPart, idempotent, with_reports, with_store};
use serde_json::{Value, json};

#[derive(Clone, KeyPart)]
struct TenantId(String);

#[derive(Clone, Copy, KeyPart)]
enum Region {
    Eu,
    #[key_part(rename = "us-east")]
    Us,
}

#[derive(KeyPart)]
struct Typed<T> {
    value: u64,
    _marker: std::marker::PhantomData<T>,
}

struct Customer {
    email: String,
    id: Option<u64>,
}

struct Order {
    no: String,
    customer: Option<Customer>,
    pair: (u8, (i64, char)),
    r#type: &'static str,
}

fn order() -> Order {
    let customer = Customer { email: " Ann@Example.org ".into(), id: Some(7) };
    Order { no: "A#1".into(), customer: Some(customer), pair: (1, (-2, 'ü')), r#type: "card" }
}

/// Runs the call with a store of its own and returns the key it was stored under.
async fn key_of<T>(call: impl Future<Output = Result<T, Error>>) -> Result<String, Error> {
    let (result, reports) = with_reports(with_store(MemoryStore::new(), call)).await;
    result?;
    let [report] = reports.as_slice() else { panic!("one operation was called: {reports:?}") };
    Ok(report.key.as_ref().expect("a call that succeeded has a key").to_string())
}

#[tokio::test]
async fn the_operation_comes_first_wherever_op_stands() {
    #[idempotent(key = "tenant + op + no", ttl = "7d")]
    async fn create(tenant: &str, no: u32) -> Result<(), Error> {
        Ok(())
    }
    #[idempotent(key = "tenant + no", ttl = "7d", op = "orders.create")]
    async fn without_op(tenant: &str, no: u32) -> Result<(), Error> {
        Ok(())
    }
    assert_eq!(key_of(create("t", 7)).await.unwrap(), "create:t#7");
    assert_eq!(key_of(without_op("t", 7)).await.unwrap(), "orders.create:t#7");
}

#[tokio::test]
async fn every_form_of_the_language_has_its_text() {
    #[idempotent(
        key = "order.no + order.customer?.id? + order.pair.1.0 + order.pair.1.1 + order.type + 'eu#1' \
               + lower(trim(order.customer?.email)) + hash(order.no)",
        ignore(order),
        allow(personal-data, reason = "this is about the text of parts"),
        ttl = "7d"
    )]
    async fn string(order: Order) -> Result<(), Error> {
        Ok(())
    }
    #[idempotent(
        key = order.no + order.customer?.id? + order.pair.1.0 + order.pair.1.1 + order.r#type + "eu#1"
            + lower(trim(order.customer?.email)) + hash(order.no),
        ignore(order),
        allow(personal-data, reason = "this is about the text of parts"),
        ttl = "7d",
        op = "string"
    )]
    async fn unquoted(order: Order) -> Result<(), Error> {
        Ok(())
    }
    let key = key_of(string(order())).await.unwrap();
    let sha_256_of_the_number = "6bd54eb3a57efe11287162abe518cf341271bddb0feb4a6b3005c17f69228993";
    let expected = "string:A%231#7#-2#ü#card#eu%231#ann@example.org";
    assert_eq!(key, format!("{expected}#{sha_256_of_the_number}"));
    assert_eq!(key_of(unquoted(order())).await.unwrap(), key);
}

#[tokio::test]
async fn parts_are_read_through_references_and_smart_pointers() {
    #[idempotent(key = "tenant + shared + region + text + typed + cow", ttl = "7d")]
    async fn create(
        tenant: &TenantId,
        shared: Arc<str>,
        region: Box<Region>,
        text: &&mut String,
        typed: Typed<Rc<u8>>,
        cow: std::borrow::Cow<'_, str>,
    ) -> Result<(), Error> {
        Ok(())
    }
    let mut text = "text".to_owned();
    let typed = Typed { value: 5, _marker: std::marker::PhantomData };
    let tenant = TenantId("t".into());
    let text = &mut text;
    let call = create(&tenant, "s".into(), Box::new(Region::Us), &text, typed, "cow".into());
    assert_eq!(key_of(call).await.unwrap(), "create:t#s#us-east#text#5#cow");
}

#[tokio::test]
async fn derived_parts_are_their_field_or_the_name_of_their_variant() {
    #[idempotent(key = "tenant + region", allow(too-coarse, reason = "this is about the text of parts"), ttl = "7d")]
    async fn create(tenant: TenantId, region: Region) -> Result<(), Error> {
        Ok(())
    }
    assert_eq!(key_of(create(TenantId("t".into()), Region::Eu)).await.unwrap(), "create:t#Eu");
    assert_eq!(key_of(create(TenantId("t".into()), Region::Us)).await.unwrap(), "create:t#us-east");
}

#[tokio::test]
async fn names_are_looked_up_in_maps_and_json() {
    #[idempotent(
        key = "headers['Idempotency-Key'] + json['order']['no'] + json['line'] + lower(sorted['region'])",
        ignore(headers, json, sorted),
        ttl = "7d"
    )]
    async fn create(
        headers: &HashMap<String, String>,
        json: Value,
        sorted: BTreeMap<&'static str, String>,
    ) -> Result<(), Error> {
        Ok(())
    }
    let headers = HashMap::from([("Idempotency-Key".to_owned(), "k".to_owned())]);
    let sorted = BTreeMap::from([("region", "EU".to_owned())]);
    let call = create(&headers, json!({ "order": { "no": "A-1" }, "line": 3 }), sorted);
    assert_eq!(key_of(call).await.unwrap(), "create:k#A-1#3#eu");
}

#[tokio::test]
async fn a_missing_part_is_an_error_that_names_it() {
    #[idempotent(key = "op + order.customer?.id?", allow(too-coarse, reason = "this is about the text of parts"), ignore(order), ttl = "7d")]
    async fn optional(order: Order) -> Result<(), Error> {
        unreachable!("the body must not run")
    }
    #[idempotent(key = "op + headers['Idempotency-Key']", ignore(headers), ttl = "7d")]
    async fn absent(headers: HashMap<String, String>) -> Result<(), Error> {
        unreachable!("the body must not run")
    }
    #[idempotent(key = "op + trim(code)", ttl = "7d")]
    async fn empty(code: &str) -> Result<(), Error> {
        unreachable!("the body must not run")
    }
    for (error, part) in [
        (key_of(optional(Order { customer: None, ..order() })).await, "order.customer?.id?"),
        (
            key_of(optional(Order {
                customer: Some(Customer { email: String::new(), id: None }),
                ..order()
            }))
            .await,
            "order.customer?.id?",
        ),
        (key_of(absent(HashMap::new())).await, "headers['Idempotency-Key']"),
        (key_of(empty("  ")).await, "trim(code)"),
    ] {
        let error = error.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::MissingKeyPart);
        assert!(error.to_string().contains(&format!("`{part}`")), "{error}");
    }
}

#[tokio::test]
async fn with_an_explicit_name_a_parameter_can_be_called_op() {
    #[idempotent(key = "op + no", ttl = "7d", op = "calculate")]
    async fn create(op: &str, no: u32) -> Result<(), Error> {
        Ok(())
    }
    assert_eq!(key_of(create("add", 7)).await.unwrap(), "calculate:add#7");
}

#[tokio::test]
async fn the_key_is_made_from_the_arguments_as_received() {
    #[idempotent(key = "no", ignore(log), ttl = "7d")]
    async fn create(mut no: u32, log: &mut Vec<u32>) -> Result<u32, Error> {
        no += 1;
        log.push(no);
        Ok(no)
    }
    let mut log = Vec::new();
    assert_eq!(key_of(create(7, &mut log)).await.unwrap(), "create:7");
    assert_eq!(log, [8]);
}

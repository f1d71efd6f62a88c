//! An order worker behind a queue that delivers more than once.
//!
//! It reads Amazon SQS events as Lambda delivers them, handles the records of one event at the same time and the
//! events one after another, and delivers again what was not handled, as the queue would. It prints what
//! happened to each delivery and then the ledger, in which every order must stand exactly once.

mod input;
mod ledger;
mod table;
mod worker;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Parser;
use idempotency::{AnyStore, store};

use crate::ledger::Ledger;
use crate::worker::{Delivery, Happened, Worker};

#[derive(Parser)]
#[command(about = "Handle a stream of SQS order events, each order exactly once")]
struct Args {
    /// A file with events, a folder of such files, or `-` for standard input.
    #[arg(default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/data"))]
    input: PathBuf,

    /// Where outcomes are recorded: `memory:` or `sqlite:PATH`. Without it, the enabled features decide.
    #[arg(long)]
    store: Option<String>,

    /// Kill this process half-way through this order: charged, but not yet in the ledger.
    #[arg(long, value_name = "ORDER_NO")]
    die_at: Option<String>,
}

#[tokio::main]
async fn main() -> ExitCode {
    match run(Args::parse()).await {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// `false`: the ledger does not hold every order exactly once.
async fn run(args: Args) -> anyhow::Result<bool> {
    // The whole input is read before the first order is touched: a malformed event executes nothing.
    let batches = input::read(&args.input)?;
    let store = match &args.store {
        Some(url) => store::open(url).await?,
        None => store::from_features().await?,
    };
    store.ready().await?;
    println!("store: {}", store.identity());
    let ledger = Arc::new(Ledger::beside(store.identity())?);
    let store: AnyStore = store.with_namespace("shop")?;
    let worker = Worker { store, ledger: ledger.clone(), die_at: args.die_at };

    let deliveries = worker.drain(batches).await;
    println!("{}", table::deliveries(&deliveries));
    println!("{}", table::summary(&deliveries));
    let entries = ledger.entries().await?;
    println!("\nledger:\n{}", table::ledger(&entries));
    let complaints = complaints(&entries, &deliveries);
    for complaint in &complaints {
        eprintln!("error: {complaint}");
    }
    if complaints.is_empty() {
        println!("every order stands in the ledger exactly once");
    }
    Ok(complaints.is_empty())
}

/// What is wrong with the ledger.
fn complaints(entries: &[ledger::Entry], deliveries: &[Delivery]) -> Vec<String> {
    let twice = entries.iter().filter(|entry| entry.times != 1).map(|entry| {
        format!("order {} of {} stands in the ledger {} times", entry.order_no, entry.tenant_id, entry.times)
    });
    let missing = deliveries.iter().filter(|delivery| delivery.happened.is_done()).filter_map(|delivery| {
        let order = delivery.order.as_ref()?;
        let order_no = order.order_no.as_ref()?;
        let found =
            entries.iter().any(|entry| entry.tenant_id == order.tenant_id && entry.order_no == *order_no);
        (!found).then(|| format!("order {order_no} of {} is not in the ledger", order.tenant_id))
    });
    // Every charge request belongs to an attempt that held the key.
    let unclaimed = deliveries.iter().filter_map(|delivery| {
        let (order, attempt) = (delivery.order.as_ref()?, delivery.attempt?);
        let entry = entries.iter().find(|entry| {
            entry.tenant_id == order.tenant_id && Some(&entry.order_no) == order.order_no.as_ref()
        })?;
        (delivery.happened == Happened::Replayed && entry.asked > attempt).then(|| {
            format!("order {} was charged {} times in {attempt} attempts", entry.order_no, entry.asked)
        })
    });
    twice.chain(missing).chain(unclaimed).collect()
}

//! Starts the workers, hits them, and looks at what is left.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant, SystemTime};

use fastrand::Rng;
use idempotency::store::SqliteStore;
use idempotency::{AnyStore, ErrorKind, Status};
use rustix::process::{Pid, Signal, kill_process};

use crate::checker::History;
use crate::worker::{self, Task, call_once, database};
use crate::{Kind, LEASE, SKEW, open};

const WORKERS: usize = 4;

pub(crate) fn number_from(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

pub(crate) fn run() {
    let seed = number_from("IDEMPOTENCY_PROCESSES_SEED").unwrap_or_else(|| fastrand::u64(..));
    let seconds = number_from("IDEMPOTENCY_PROCESSES_SECONDS").unwrap_or(4);
    println!("replay with IDEMPOTENCY_PROCESSES_SEED={seed}");
    let mut random = Rng::with_seed(seed);
    let folder = tempfile::tempdir().unwrap();
    let hits = hit_workers(&mut random, folder.path(), Duration::from_secs(seconds));
    std::fs::write(worker::stop_file(folder.path()), "").unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(settle(folder.path(), &mut random, seed));
    let history = History::read(&worker::history_file(folder.path()));
    history.check(seed);
    println!("{hits:?}; {}", history.summary());
    assert!(hits.killed > 0 && hits.stopped > 0, "seed {seed}: nothing was hit: {hits:?}");
}

#[derive(Debug, Default)]
struct Hits {
    killed: u32,
    stopped: u32,
}

/// Kills and stops workers at random moments; those that were stopped go on after their leases.
fn hit_workers(random: &mut Rng, folder: &Path, span: Duration) -> Hits {
    let now = SystemTime::now();
    let mut workers: Vec<Worker> = (0..WORKERS).map(|_| Worker::start(folder, random.u64(..), now)).collect();
    let mut hits = Hits::default();
    let began = Instant::now();
    while began.elapsed() < span {
        std::thread::sleep(Duration::from_millis(random.u64(1..120)));
        let number = random.usize(0..workers.len());
        let worker = &mut workers[number];
        if worker.stopped_at.is_some_and(|at| at.elapsed() > LEASE + SKEW + SKEW) {
            worker.send(Signal::CONT);
            worker.stopped_at = None;
        } else if worker.stopped_at.is_none() && random.bool() {
            worker.send(Signal::STOP);
            worker.stopped_at = Some(Instant::now());
            hits.stopped += 1;
        } else if worker.stopped_at.is_none() || random.u8(0..4) == 0 {
            *worker = Worker::start(folder, random.u64(..), now);
            hits.killed += 1;
        }
    }
    // What is still stopped goes on beside the check, as a zombie would.
    for worker in &workers {
        worker.send(Signal::CONT);
    }
    std::fs::write(worker::stop_file(folder), "").unwrap();
    for mut worker in workers {
        let status = worker.child.wait().unwrap();
        assert!(status.success(), "a worker failed: {status}");
    }
    hits
}

struct Worker {
    child: Child,
    stopped_at: Option<Instant>,
}

impl Worker {
    fn start(folder: &Path, seed: u64, began: SystemTime) -> Self {
        let task = Task { folder: folder.to_owned(), seed, began };
        let child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "a_worker_of_the_test_above", "--nocapture"])
            .envs(task.to_env())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        Self { child, stopped_at: None }
    }

    fn send(&self, signal: Signal) {
        let pid = Pid::from_child(&self.child);
        // It may have ended.
        let _ = kill_process(pid, signal);
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Calls every operation until it has an answer that stays: no key may be stuck.
async fn settle(folder: &Path, random: &mut Rng, seed: u64) {
    let store = open(&database(folder)).await.unwrap();
    let history = worker::History::open(folder);
    for (kind, number) in History::read(&worker::history_file(folder)).keys() {
        settle_key(&store, &history, random, kind, number, seed).await;
    }
    let findings = SqliteStore::open(database(folder)).await.unwrap().check_integrity().await;
    assert_eq!(findings.unwrap(), Vec::<String>::new(), "seed {seed}");
}

/// Calls an operation until it has an answer that stays; `None`: nobody knows whether its effect has happened.
pub(crate) async fn settle_key(
    store: &AnyStore,
    history: &worker::History,
    random: &mut Rng,
    kind: Kind,
    number: u32,
    seed: u64,
) -> Option<u64> {
    let patience = Instant::now();
    loop {
        match call_once(store, history, random, kind, number).await {
            Ok(value) => return Some(value),
            Err(error) if kind == Kind::Announced && error.kind() == ErrorKind::Unknown => {
                let key = error.key().expect("the error names the key");
                let record = store.inspect(key).await.unwrap().expect("there is a record");
                assert_eq!(record.status, Status::Unknown, "seed {seed}: {key}");
                return None;
            }
            Err(error) => {
                assert!(patience.elapsed() < Duration::from_secs(60), "seed {seed}: stuck: {error}");
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        }
    }
}

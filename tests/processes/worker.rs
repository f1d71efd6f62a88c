//! One process: it calls operations with random keys until it is told to stop, or is killed.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use fastrand::Rng;
use idempotency::{AnyStore, Error, InProgress, effect_begins};

use crate::{KEYS_AT_ONCE, Kind, NEW_KEY_EVERY, call, open};

/// The length of a line of the history; with its end it divides every size of a page.
const LINE: usize = 63;

/// Callers in one process.
const CALLERS: u64 = 4;

/// What a worker is told in its environment.
pub(crate) struct Task {
    pub(crate) folder: PathBuf,
    pub(crate) seed: u64,
    pub(crate) began: SystemTime,
}

impl Task {
    const FOLDER: &str = "IDEMPOTENCY_PROCESSES_FOLDER";
    const SEED: &str = "IDEMPOTENCY_PROCESSES_WORKER_SEED";
    const BEGAN: &str = "IDEMPOTENCY_PROCESSES_BEGAN";

    pub(crate) fn from_env() -> Option<Self> {
        let folder = std::env::var_os(Self::FOLDER)?.into();
        let number = |name| std::env::var(name).ok()?.parse().ok();
        let began = UNIX_EPOCH + Duration::from_millis(number(Self::BEGAN)?);
        Some(Self { folder, seed: number(Self::SEED)?, began })
    }

    pub(crate) fn to_env(&self) -> [(&'static str, String); 3] {
        let began = self.began.duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
        [
            (Self::FOLDER, self.folder.display().to_string()),
            (Self::SEED, self.seed.to_string()),
            (Self::BEGAN, began.to_string()),
        ]
    }
}

pub(crate) fn database(folder: &Path) -> String {
    folder.join("records.db").display().to_string()
}

/// Exists when workers shall stop.
pub(crate) fn stop_file(folder: &Path) -> PathBuf {
    folder.join("stop")
}

/// What all processes have said and done, one line each.
pub(crate) fn history_file(folder: &Path) -> PathBuf {
    folder.join("history")
}

/// Appends whole lines: one write each, which the system does not mix with others. A process that is killed may leave a
/// write half done where a page of the file ends, so no line reaches over the end of one.
#[derive(Clone)]
pub(crate) struct History(Arc<File>);

impl History {
    pub(crate) fn open(folder: &Path) -> Self {
        let file = OpenOptions::new().create(true).append(true).open(history_file(folder));
        Self(Arc::new(file.expect("the history can be written")))
    }

    pub(crate) fn note(&self, what: &str, kind: Kind, number: u32, value: u64) {
        let line = format!("{:<LINE$}\n", format!("{what} {} {number} {value}", kind.name()));
        (&*self.0).write_all(line.as_bytes()).expect("the history can be written");
    }
}

pub(crate) fn run(task: &Task) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async {
        let store = open(&database(&task.folder)).await.unwrap();
        let history = History::open(&task.folder);
        let mut seeds = Rng::with_seed(task.seed);
        let callers: Vec<_> = (0..CALLERS)
            .map(|_| {
                let (store, history, random) = (store.clone(), history.clone(), seeds.fork());
                let (stop, began) = (stop_file(&task.folder), task.began);
                tokio::spawn(async move { keep_calling(&store, &history, random, &stop, began).await })
            })
            .collect();
        for caller in callers {
            caller.await.unwrap();
        }
    });
}

async fn keep_calling(store: &AnyStore, history: &History, mut random: Rng, stop: &Path, began: SystemTime) {
    while !stop.exists() {
        let kind = if random.bool() { Kind::Plain } else { Kind::Announced };
        let span = began.elapsed().unwrap_or_default();
        let front = u32::try_from(span.as_millis() / NEW_KEY_EVERY.as_millis()).unwrap_or(u32::MAX);
        let number = front.saturating_add(random.u32(0..KEYS_AT_ONCE));
        let _ = call_once(store, history, &mut random, kind, number).await;
    }
}

/// Calls an operation; its body has one effect, whose number is its value.
pub(crate) async fn call_once(
    store: &AnyStore,
    history: &History,
    random: &mut Rng,
    kind: Kind,
    number: u32,
) -> Result<u64, Error> {
    let value = random.u64(1..);
    let pauses = [random.u64(0..8), if random.u8(0..20) == 0 { 600 } else { random.u64(0..8) }];
    let wait = if random.bool() { InProgress::Wait(Duration::from_millis(50)) } else { InProgress::Reject };
    let answer = call(store, kind, number)
        .in_progress(wait)
        .run(async {
            tokio::time::sleep(Duration::from_millis(pauses[0])).await;
            if kind == Kind::Announced {
                effect_begins().await?;
            }
            history.note("effect", kind, number, value);
            tokio::time::sleep(Duration::from_millis(pauses[1])).await;
            Ok(value)
        })
        .await;
    if let Ok(value) = &answer {
        history.note("answer", kind, number, *value);
    }
    answer
}

//! Processes that kill themselves at a named point of one call, and what the next calls of the same keys find.
//!
//! `IDEMPOTENCY_PROCESSES_ROUNDS` says how often each point is tried (once by default), each time in a process of its own;
//! those of a round share a file and die together.

use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use fastrand::Rng;
use idempotency::store::SqliteStore;
use idempotency::{
    AnyStore, Capabilities, Change, Claim, ClaimRequest, Error, Evict, IdempotencyKey, ListRequest,
    OwnerWrite, Record, Store, StoreError, Written, effect_begins,
};
use rustix::process::{Signal, getpid, kill_process};

use crate::checker::History;
use crate::control::{number_from, settle_key};
use crate::worker::{self, database, history_file};
use crate::{Kind, SKEW, call, open};

const FOLDER: &str = "IDEMPOTENCY_POINTS_FOLDER";
const POINT: &str = "IDEMPOTENCY_POINTS_POINT";
const NUMBER: &str = "IDEMPOTENCY_POINTS_NUMBER";

/// What is left by a process that dies there, once the key was called again: how often the effect has happened, and
/// whether there is an answer. Without one the outcome is unknown.
struct Point {
    kind: Kind,
    name: &'static str,
    effects: usize,
    is_answered: bool,
}

const fn point(kind: Kind, name: &'static str, effects: usize, is_answered: bool) -> Point {
    Point { kind, name, effects, is_answered }
}

const POINTS: &[Point] = &[
    point(Kind::Plain, "before the claim", 1, true),
    point(Kind::Plain, "after the claim", 1, true),
    point(Kind::Plain, "before the effect", 1, true),
    point(Kind::Plain, "after the effect", 2, true),
    point(Kind::Plain, "before the outcome", 2, true),
    point(Kind::Plain, "after the outcome", 1, true),
    point(Kind::Announced, "before the claim", 1, true),
    point(Kind::Announced, "after the claim", 1, true),
    point(Kind::Announced, "before the announcement", 1, true),
    point(Kind::Announced, "after the announcement", 0, false),
    point(Kind::Announced, "before the effect", 0, false),
    point(Kind::Announced, "after the effect", 1, false),
    point(Kind::Announced, "before the outcome", 1, false),
    point(Kind::Announced, "after the outcome", 1, true),
];

/// Dies at one point.
#[derive(Clone, Debug)]
struct Deadly {
    inner: SqliteStore,
    point: String,
}

impl Deadly {
    fn reached(&self, when: &str, what: &str) {
        if self.point == format!("{when} the {what}") {
            let _ = kill_process(getpid(), Signal::KILL);
            loop {
                std::thread::park();
            }
        }
    }
}

impl Store for Deadly {
    async fn claim(&self, request: ClaimRequest) -> Result<Claim, StoreError> {
        self.reached("before", "claim");
        let answer = self.inner.claim(request).await;
        self.reached("after", "claim");
        answer
    }

    async fn write(&self, request: OwnerWrite) -> Result<Written, StoreError> {
        let what = match request.change {
            Change::Announce => "announcement",
            Change::Complete(_) => "outcome",
            _ => "rest",
        };
        self.reached("before", what);
        let answer = self.inner.write(request).await;
        self.reached("after", what);
        answer
    }

    async fn inspect(&self, key: &IdempotencyKey) -> Result<Option<Record>, StoreError> {
        self.inner.inspect(key).await
    }

    async fn evict(&self, request: Evict) -> Result<bool, StoreError> {
        self.inner.evict(request).await
    }

    async fn list(&self, request: ListRequest) -> Result<Vec<Record>, StoreError> {
        self.inner.list(request).await
    }

    async fn ready(&self) -> Result<(), StoreError> {
        self.inner.ready().await
    }

    fn capabilities(&self) -> Capabilities {
        self.inner.capabilities()
    }

    fn identity(&self) -> &str {
        self.inner.identity()
    }
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

/// The process; does nothing where nobody has started it as such.
pub(crate) fn die() {
    let text = |name| std::env::var(name).ok();
    let (Some(folder), Some(point), Some(number)) = (text(FOLDER), text(POINT), number_from(NUMBER)) else {
        return;
    };
    let (folder, number) = (Path::new(&folder), u32::try_from(number).unwrap());
    let (name, kind) = point.split_once(", ").expect("a point and a kind");
    let kind = Kind::ALL.into_iter().find(|known| known.name() == kind).expect("a kind");
    runtime().block_on(async {
        let inner = SqliteStore::open(database(folder)).await.unwrap();
        let deadly = Deadly { inner, point: name.to_owned() };
        let store = AnyStore::new(deadly.clone()).with_skew_budget(SKEW);
        let history = worker::History::open(folder);
        let body = async {
            if kind == Kind::Announced {
                effect_begins().await?;
            }
            deadly.reached("before", "effect");
            history.note("effect", kind, number, u64::from(number) + 1);
            deadly.reached("after", "effect");
            Ok::<_, Error>(u64::from(number) + 1)
        };
        let answer = call(&store, kind, number).run(body).await;
        panic!("{point} was never reached: {answer:?}");
    });
}

fn start(folder: &Path, point: &Point, number: usize) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "a_process_that_kills_itself", "--nocapture"])
        .env(FOLDER, folder)
        .env(POINT, format!("{}, {}", point.name, point.kind.name()))
        .env(NUMBER, number.to_string())
        .stdout(Stdio::null())
        .spawn()
        .unwrap()
}

pub(crate) fn run() {
    for round in 0..number_from("IDEMPOTENCY_PROCESSES_ROUNDS").unwrap_or(1) {
        let folder = tempfile::tempdir().unwrap();
        let processes: Vec<_> =
            POINTS.iter().enumerate().map(|(number, point)| start(folder.path(), point, number)).collect();
        for (mut process, point) in processes.into_iter().zip(POINTS) {
            let status = process.wait().unwrap();
            assert_eq!(status.signal(), Some(9), "{} ({:?}): {status}", point.name, point.kind);
        }
        runtime().block_on(check(folder.path(), round));
    }
}

/// Calls each key twice, and compares what has happened with what has to.
async fn check(folder: &Path, round: u64) {
    let store = open(&database(folder)).await.unwrap();
    let notes = worker::History::open(folder);
    let mut random = Rng::with_seed(round);
    for (number, point) in (0..).zip(POINTS) {
        let first = settle_key(&store, &notes, &mut random, point.kind, number, round).await;
        let second = settle_key(&store, &notes, &mut random, point.kind, number, round).await;
        let told = format!("{} ({:?}), round {round}", point.name, point.kind);
        assert_eq!((first.is_some(), first), (point.is_answered, second), "{told}");
        let effects = History::read(&history_file(folder)).effects(point.kind, number);
        assert_eq!(effects, point.effects, "{told}");
    }
    History::read(&history_file(folder)).check(round);
    let findings = SqliteStore::open(database(folder)).await.unwrap().check_integrity().await;
    assert_eq!(findings.unwrap(), Vec::<String>::new(), "round {round}");
}

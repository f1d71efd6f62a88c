//! Files, directories and disks that the operating system does not let this process write.
//!
//! Permissions do not bind the superuser: as root the calls are made by a process of another user, which is this
//! test file started again.

#![cfg(all(feature = "sqlite", unix))]

mod sqlite_support;

use std::env;
use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::{Mutex, PoisonError};

use idempotency_conformance::script::BOB;
use idempotency_runtime::{Claim, Store, StoreErrorKind as Kind};
use idempotency_stores::SqliteStore;

use crate::sqlite_support::{Place, claim_by, claim_of, finish, numbered, try_acquire};

const FILE: &str = "IDEMPOTENCY_TEST_FILE";
const NOBODY: u32 = 65_534;

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

/// Held while a program is written and while a process is started: a process that starts while a program is
/// open for writing inherits it, and the program cannot be run until it lets go.
static STARTING: Mutex<()> = Mutex::new(());

/// What a process that permissions bind says about opening `file` and claiming in it.
fn outcome_of_opening(place: &Place, file: &Path) -> String {
    let mut command = Command::new(program(place));
    command.args(["opens_the_file", "--exact", "--nocapture"]).env(FILE, file);
    if fs::metadata(place.directory()).unwrap().uid() == 0 {
        command.uid(NOBODY).gid(NOBODY);
    }
    let output = run(&mut command).unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    text.lines().find_map(|line| line.strip_prefix("outcome: ")).unwrap().to_owned()
}

/// A copy of this program that every user may run.
fn program(place: &Place) -> PathBuf {
    let _starting = STARTING.lock().unwrap_or_else(PoisonError::into_inner);
    set_mode(place.directory(), 0o755);
    let program = place.directory().join("program");
    fs::copy(env::current_exe().unwrap(), &program).unwrap();
    set_mode(&program, 0o755);
    program
}

fn run(command: &mut Command) -> io::Result<Output> {
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = {
        let _starting = STARTING.lock().unwrap_or_else(PoisonError::into_inner);
        command.spawn()?
    };
    child.wait_with_output()
}

/// The other process of the tests in this file; does nothing where nobody has started it as such.
#[tokio::test]
async fn opens_the_file() {
    let Ok(file) = env::var(FILE) else {
        return;
    };
    let store = match SqliteStore::open(file).await {
        Ok(store) => store,
        Err(error) => {
            println!("\noutcome: {:?}: {error}", error.kind());
            return;
        }
    };
    match try_acquire(&store, claim_of(&numbered(9))).await {
        Ok(held) => println!("\noutcome: acquired {}", held.key),
        Err(error) => println!("\noutcome: {:?} at the claim: {error}", error.kind()),
    }
}

/// A directory of its own for the file, since the program stands in the place's own.
async fn file_in_directory(place: &Place) -> PathBuf {
    let directory = place.directory().join("data");
    fs::create_dir(&directory).unwrap();
    let file = directory.join("records.db");
    finish(&SqliteStore::open(&file).await.unwrap(), &numbered(1)).await;
    // The store's thread closes the file after the last handle is gone, and removes the log with it.
    while file.with_extension("db-wal").exists() {
        tokio::task::yield_now().await;
    }
    file
}

#[track_caller]
fn assert_read_only(outcome: &str, file: &Path) {
    assert!(outcome.starts_with("ReadOnly: "), "{outcome}");
    assert!(outcome.contains(&file.display().to_string()), "{outcome}");
    assert!(outcome.contains("may not be written: give this process write permission"), "{outcome}");
}

#[tokio::test]
async fn a_writable_file_can_be_used_by_the_other_process() {
    let place = Place::new();
    let file = file_in_directory(&place).await;
    set_mode(file.parent().unwrap(), 0o777);
    set_mode(&file, 0o666);
    assert_eq!(outcome_of_opening(&place, &file), "acquired orders.create:tenant-a#9");
}

#[tokio::test]
async fn a_read_only_file_is_read_only() {
    let place = Place::new();
    let file = file_in_directory(&place).await;
    set_mode(file.parent().unwrap(), 0o777);
    set_mode(&file, 0o444);
    assert_read_only(&outcome_of_opening(&place, &file), &file);
    set_mode(&file, 0o644);
    let store = SqliteStore::open(&file).await.unwrap();
    assert!(matches!(store.claim(claim_by(&numbered(1), BOB)).await, Ok(Claim::Final(_))));
}

#[tokio::test]
async fn a_file_in_a_read_only_directory_is_read_only() {
    let place = Place::new();
    let file = file_in_directory(&place).await;
    set_mode(&file, 0o666);
    set_mode(file.parent().unwrap(), 0o555);
    let outcome = outcome_of_opening(&place, &file);
    set_mode(file.parent().unwrap(), 0o755);
    assert_read_only(&outcome, &file);
}

#[tokio::test]
async fn a_missing_file_in_a_read_only_directory_is_read_only_and_not_made() {
    let place = Place::new();
    let directory = place.directory().join("empty");
    fs::create_dir(&directory).unwrap();
    set_mode(&directory, 0o555);
    let file = directory.join("records.db");
    let outcome = outcome_of_opening(&place, &file);
    set_mode(&directory, 0o755);
    assert_read_only(&outcome, &file);
    assert_eq!(fs::read_dir(&directory).unwrap().count(), 0);
}

#[tokio::test]
async fn a_file_that_may_not_even_be_read_is_misconfigured() {
    let place = Place::new();
    let file = file_in_directory(&place).await;
    set_mode(file.parent().unwrap(), 0o777);
    set_mode(&file, 0o000);
    let outcome = outcome_of_opening(&place, &file);
    assert!(outcome.starts_with("Misconfigured: "), "{outcome}");
    assert!(outcome.contains("check the path and the file's permissions"), "{outcome}");
    assert_eq!(fs::read_dir(file.parent().unwrap()).unwrap().count(), 1, "something was left behind");
}

/// A small disk, if this process may mount one.
struct SmallDisk(PathBuf);

impl SmallDisk {
    fn mount(directory: PathBuf, bytes: u32) -> Option<Self> {
        fs::create_dir(&directory).unwrap();
        let size = format!("size={bytes}");
        let mount =
            Command::new("mount").args(["-t", "tmpfs", "-o", &size, "tmpfs"]).arg(&directory).output();
        mount.is_ok_and(|output| output.status.success()).then_some(Self(directory))
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = run(Command::new("umount").arg("--lazy").arg(&self.0));
    }
}

#[tokio::test]
async fn a_full_disk_is_full_and_loses_nothing() {
    let place = Place::new();
    let Some(disk) = SmallDisk::mount(place.directory().join("disk"), 400_000) else {
        assert!(std::env::var_os("CI").is_none(), "this process may not mount a small disk");
        eprintln!("skipped: this process may not mount a small disk; `max_file_bytes` is tested everywhere");
        return;
    };
    let file = disk.0.join("records.db");
    let store = SqliteStore::open(&file).await.unwrap();
    let filler = disk.0.join("filler");
    fs::write(&filler, vec![0; 100_000]).unwrap();

    let mut granted = 0;
    let full = loop {
        match try_acquire(&store, claim_of(&numbered(granted))).await {
            Ok(_) => granted += 1,
            Err(error) => break error,
        }
        assert!(granted < 100_000, "the disk is not full");
    };
    assert_eq!(full.kind(), Kind::Full, "{full:?}");
    assert!(full.to_string().contains("no room"), "{full}");
    for number in 0..granted {
        let answer = store.claim(claim_by(&numbered(number), BOB)).await.unwrap();
        assert!(matches!(answer, Claim::InProgress { .. }), "{number}: {answer:?}");
    }
    assert_eq!(store.inspect(&numbered(granted)).await.unwrap(), None);

    fs::remove_file(&filler).unwrap();
    store.ready().await.unwrap();
    finish(&store, &numbered(granted)).await;
}

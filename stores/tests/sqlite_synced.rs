//! Whether the disk is waited for before an outcome is acknowledged: the system calls of a process that works on a store,
//! as `strace` sees them. Where it is missing, or may not look at another process, the tests say so and do nothing.

#![cfg(all(feature = "sqlite", target_os = "linux"))]

mod sqlite_support;

use std::collections::HashSet;
use std::env;
use std::path::Path;
use std::process::Command;

use idempotency_stores::{SqliteStore, Synchronous};

use crate::sqlite_support::{Place, finish, numbered};

const FILE: &str = "IDEMPOTENCY_TEST_FILE";
const NORMAL: &str = "IDEMPOTENCY_TEST_NORMAL";
const RECORDS: usize = 25;

/// The process that is looked at; does nothing where nobody has started it as such.
#[tokio::test]
async fn a_process_that_is_looked_at() {
    let Ok(file) = env::var(FILE) else {
        return;
    };
    let level = if env::var_os(NORMAL).is_some() { Synchronous::Normal } else { Synchronous::Full };
    let store = SqliteStore::builder(file).synchronous(level).purge_every(None).open().await.unwrap();
    println!();
    for number in 0..RECORDS {
        if number % 2 == 0 {
            finish(&store, &numbered(number)).await;
        } else {
            let insert = "INSERT INTO orders VALUES (1)";
            store.transaction(async |tx| tx.run(|db| db.execute(insert, [])).await).await.unwrap();
        }
        println!("acknowledged {number}");
    }
}

/// What the process has asked of the system, a line each.
fn trace(place: &Place, level: Synchronous) -> Option<String> {
    if Command::new("strace")
        .args(["-f", "-o", "/dev/null", "true"])
        .status()
        .is_ok_and(|status| status.success())
    {
        place.connect().execute_batch("CREATE TABLE orders (number INTEGER)").unwrap();
        let file = place.directory().join("trace");
        let mut command = Command::new("strace");
        // With `-y` a file is shown with its name.
        command.args(["-f", "-y", "-e", "trace=write,pwrite64,fsync,fdatasync", "-o"]).arg(&file);
        command.arg(env::current_exe().unwrap()).args([
            "a_process_that_is_looked_at",
            "--exact",
            "--nocapture",
        ]);
        command.env(FILE, place.file());
        if level == Synchronous::Normal {
            command.env(NORMAL, "1");
        }
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        return Some(std::fs::read_to_string(file).unwrap());
    }
    eprintln!("skipped: there is no `strace` here that may look at a process");
    None
}

/// How many outcomes were acknowledged, and how many of them while something in the log was not on the disk yet.
fn acknowledged(trace: &str, log: &Path) -> (usize, usize) {
    let log = format!("<{}>", log.display());
    let (mut all, mut early, mut waits, mut unsynced) = (0, 0, HashSet::new(), false);
    for line in trace.lines() {
        let (thread, call) = line.split_once(' ').unwrap();
        let call = call.trim_start();
        let is_log = call.split_once([',', ')']).map_or(call, |(file, _)| file).contains(&log);
        // A call that another thread interrupts has two lines; a wait for the disk counts from the second on.
        let ended = call.ends_with("= 0");
        if call.starts_with("pwrite64(") && is_log {
            unsynced = true;
        } else if call.starts_with("fsync(") || call.starts_with("fdatasync(") {
            if is_log && ended {
                unsynced = false;
            } else if is_log {
                waits.insert(thread.to_owned());
            }
        } else if call.starts_with("<... f") && ended && waits.remove(thread) {
            unsynced = false;
        } else if call.starts_with("write(1") && call.contains("acknowledged ") {
            all += 1;
            early += usize::from(unsynced);
        }
    }
    (all, early)
}

#[test]
fn at_full_nothing_is_acknowledged_before_the_disk_has_it_and_at_normal_it_is() {
    for (level, early) in [(Synchronous::Full, 0), (Synchronous::Normal, RECORDS)] {
        let place = Place::new();
        let Some(trace) = trace(&place, level) else {
            return;
        };
        let log = place.directory().canonicalize().unwrap().join("records.db-wal");
        assert_eq!(acknowledged(&trace, &log), (RECORDS, early), "{level:?}\n{trace}");
    }
}

#[test]
fn a_trace_in_which_the_wait_is_missing_or_not_over_is_found() {
    let log = Path::new("/data/records.db-wal");
    let written = "7  pwrite64(9</data/records.db-wal>, \"\"..., 4096, 32) = 4096\n";
    let told = "6  write(1<pipe:[1]>, \"acknowledged 0\\n\", 15) = 15\n";
    let synced = "7  fdatasync(9</data/records.db-wal>) = 0\n";
    let begun = "7  fdatasync(9</data/records.db-wal> <unfinished ...>\n";
    let over = "7  <... fdatasync resumed>)          = 0\n";
    let other = "7  fdatasync(8</data/records.db>) = 0\n";
    let failed = "7  fdatasync(9</data/records.db-wal>) = -1 EIO (Input/output error)\n";
    for (trace, early) in [
        (vec![written, synced, told], 0),
        (vec![written, begun, over, told], 0),
        (vec![written, told], 1),
        (vec![written, begun, told, over], 1),
        (vec![written, other, told], 1),
        (vec![written, failed, told], 1),
        (vec![synced, written, told], 1),
    ] {
        assert_eq!(acknowledged(&trace.concat(), log), (1, early), "{trace:?}");
    }
}

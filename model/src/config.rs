//! What is explored: how many callers, which faults, which clocks.

use idempotency_runtime::protocol::attempt::Verdict;

use crate::guard::Guard;
use crate::property::Property;

/// The length of a tick in milliseconds: the machine's own pauses are shorter, a lease is some ticks.
pub const TICK: u64 = 1_000;

/// What kind of operation is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// A crash means that the next call runs the body.
    Rerun,
    /// The body announces its effect before it begins.
    Announced,
    /// A crash leaves an unknown outcome.
    Hold,
}

/// When records are removed from the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Removal {
    /// Never; claims look at the time by themselves.
    Never,
    /// At any time after they may be forgotten.
    Forgotten,
    /// By an operator, at any time at which no body runs.
    ByHand,
    /// By an operator who does not look whether a body runs.
    Carelessly,
}

/// One exploration. Times are in ticks unless they say otherwise.
#[derive(Clone, Debug)]
pub struct Config {
    /// How many callers there are.
    pub workers: usize,
    /// How many keys they call.
    pub keys: usize,
    /// How often one worker may call.
    pub calls_each: u8,
    /// How often all workers together may call.
    pub calls: u8,
    /// What is called.
    pub operation: Operation,
    /// How a body may end; endings that would lie about the effect are left out by themselves.
    pub verdicts: &'static [Verdict],
    /// How many different requests use a key: 1, or 2 for a client that corrects its request.
    pub requests: u8,
    /// Whether callers can find out what became of an unknown outcome.
    pub probes: bool,
    /// How long a caller waits for another owner.
    pub wait: Option<u64>,
    /// When the callers' processes will be dead, by their own clocks.
    pub deadline: Option<u64>,
    /// Time ends here.
    pub horizon: u64,
    /// The lease.
    pub lease: u64,
    /// The skew budget.
    pub skew: u64,
    /// How long outcomes are kept.
    pub ttl: u64,
    /// For how long after that a call is told *expired*; zero: it runs again.
    pub tombstone: u64,
    /// How far each worker's wall clock is from true time, in milliseconds.
    pub offsets: Vec<i64>,
    /// How often a caller may be told *unavailable*; its message may still arrive.
    pub timeouts: u8,
    /// How often a message may be delivered twice.
    pub duplicates: u8,
    /// How often a worker may crash.
    pub crashes: u8,
    /// How often a machine may be frozen for a tick: its wall clock moves, its monotonic clock does not.
    pub freezes: u8,
    /// How often a wall clock may be set back, by three ticks.
    pub set_backs: u8,
    /// When records are removed.
    pub removal: Removal,
    /// How long a message may be under way after its sender has stopped waiting for it.
    pub message_life: u64,
    /// Whether every state is asked for a way to a verdict.
    pub recovers: bool,
    /// The only property to look at; `None`: all.
    pub watched: Option<Property>,
    /// The guards that are removed.
    pub without: Vec<Guard>,
}

/// Every verdict that decides something of its own.
pub const ALL_VERDICTS: &[Verdict] = &[
    Verdict::Succeeded,
    Verdict::Failed,
    Verdict::Retryable,
    Verdict::Unknown,
    Verdict::Unclassified,
    Verdict::Panicked,
];

impl Config {
    /// Two workers at the far ends of the skew budget, one key, one fault of each kind.
    pub fn new(operation: Operation) -> Self {
        Self {
            workers: 2,
            keys: 1,
            calls_each: 2,
            calls: 3,
            operation,
            verdicts: &[Verdict::Succeeded, Verdict::Retryable],
            requests: 1,
            probes: false,
            wait: None,
            deadline: None,
            horizon: 5,
            lease: 3,
            skew: 1,
            ttl: 4,
            tombstone: 0,
            offsets: vec![-500, 500, 0],
            timeouts: 1,
            duplicates: 1,
            crashes: 1,
            freezes: 0,
            set_backs: 0,
            removal: Removal::Never,
            message_life: 4,
            recovers: false,
            watched: None,
            without: Vec::new(),
        }
    }

    /// The same without a guard.
    pub fn without(mut self, guard: Guard) -> Self {
        self.without.push(guard);
        self
    }
}

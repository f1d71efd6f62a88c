//! What can happen to one call of the store, and to the caller meanwhile.

/// When it happens, seen from the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum When {
    /// Before the call is applied, or instead of it.
    Before,
    /// After it was applied, before its answer.
    After,
}

/// What happens to one call of the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// The answer is *unavailable*.
    Unavailable(When),
    /// Nothing is applied, and the answer is *busy*.
    Busy,
    /// Nothing is applied, and the answer is *throttled*.
    Throttled,
    /// Nothing is applied, and the answer is *full*.
    Full,
    /// The answer is *unavailable*, here and to the next calls, so many in all.
    Away(When, usize),
    /// The call takes longer than the lease and the skew budget.
    Slow(When),
    /// The whole process stands still for longer than the lease and the skew budget.
    Frozen(When),
    /// There is never an answer.
    Silent(When),
    /// The process ends.
    Stop(When),
    /// It is applied twice, and the second answer is the one that arrives.
    Twice,
    /// It is applied and answered, and applied once more after so many further calls.
    Again(usize),
    /// The answer is *unavailable*, and it is applied after so many further calls.
    Late(usize),
    /// There is never an answer, and it is applied after so many further calls.
    Adrift(usize),
}

/// Later than every other call.
pub(super) const AT_THE_END: usize = usize::MAX;

use Fault::{
    Adrift, Again, Away, Busy, Frozen, Full, Late, Silent, Slow, Stop, Throttled, Twice, Unavailable,
};
use When::{After, Before};

impl Fault {
    /// Whether it happens to this call, if it begins with that one.
    pub(super) fn meets(self, first: usize, number: usize) -> bool {
        let calls = if let Away(_, calls) = self { calls } else { 1 };
        (first..first + calls).contains(&number)
    }

    /// Whether the process lives on, and is answered before its lease ends.
    pub(super) fn passes(self) -> bool {
        !matches!(self, Frozen(_) | Stop(_) | Away(After, _))
    }
}

/// All of them, each with the word for it in `IDEMPOTENCY_FAULT`.
pub(super) const ALL: [(&str, Fault); 24] = [
    ("lost", Unavailable(Before)),
    ("unanswered", Unavailable(After)),
    ("busy", Busy),
    ("throttled", Throttled),
    ("full", Full),
    ("away", Away(Before, 5)),
    ("mute", Away(After, 5)),
    ("slow-before", Slow(Before)),
    ("slow-after", Slow(After)),
    ("frozen-before", Frozen(Before)),
    ("frozen-after", Frozen(After)),
    ("silent-before", Silent(Before)),
    ("silent-after", Silent(After)),
    ("stop-before", Stop(Before)),
    ("stop-after", Stop(After)),
    ("twice", Twice),
    ("again-1", Again(1)),
    ("again-2", Again(2)),
    ("again-end", Again(AT_THE_END)),
    ("late-1", Late(1)),
    ("late-2", Late(2)),
    ("late-end", Late(AT_THE_END)),
    ("adrift-1", Adrift(1)),
    ("adrift-end", Adrift(AT_THE_END)),
];

/// What happens to the first caller, whatever the store does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Disturbance {
    None,
    /// It is dropped after so many polls.
    Drop(usize),
    /// Its body panics at this step.
    Panic(usize),
}

/// All that goes wrong in one run. It is written as `IDEMPOTENCY_FAULT` takes it.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) scenario: &'static str,
    pub(super) sqlite: bool,
    /// Which call meets which fault.
    pub(super) faults: Vec<(usize, Fault)>,
    pub(super) disturbance: Disturbance,
    /// For the jitter of pauses.
    pub(super) seed: u64,
}

impl std::fmt::Display for Plan {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.scenario)?;
        for (number, fault) in &self.faults {
            let word = ALL.iter().find(|(_, one)| one == fault).map_or("?", |(word, _)| word);
            write!(f, ":{number}:{word}")?;
        }
        match self.disturbance {
            Disturbance::None => {}
            Disturbance::Drop(polls) => write!(f, ":drop:{polls}")?,
            Disturbance::Panic(step) => write!(f, ":panic:{step}")?,
        }
        if self.seed != 0 {
            write!(f, ":seed:{}", self.seed)?;
        }
        if self.sqlite { write!(f, ":store:sqlite") } else { Ok(()) }
    }
}

impl Plan {
    /// The run of `scenario` in which nothing goes wrong.
    pub(super) fn new(scenario: &'static str, sqlite: bool, seed: u64) -> Self {
        Self { scenario, sqlite, faults: Vec::new(), disturbance: Disturbance::None, seed }
    }

    /// The same with one more fault.
    pub(super) fn with(&self, number: usize, fault: Fault) -> Self {
        let mut plan = self.clone();
        plan.faults.push((number, fault));
        plan
    }

    /// The same with this disturbance.
    pub(super) fn disturbed(&self, disturbance: Disturbance) -> Self {
        Self { disturbance, ..self.clone() }
    }

    /// What [`Display`](std::fmt::Display) has written, if it is about this scenario.
    pub(super) fn parse(text: &str, scenario: &'static str) -> Option<Self> {
        let mut words = text.split(':');
        if words.next() != Some(scenario) {
            return None;
        }
        let mut plan = Self::new(scenario, false, 0);
        while let Some(first) = words.next() {
            let second = words.next().unwrap_or_else(|| panic!("`{first}` has no value in `{text}`"));
            let number = || second.parse().unwrap_or_else(|_| panic!("`{second}` is no number in `{text}`"));
            match first {
                "drop" => plan.disturbance = Disturbance::Drop(number()),
                "panic" => plan.disturbance = Disturbance::Panic(number()),
                "seed" => plan.seed = number() as u64,
                "store" if second == "sqlite" => plan.sqlite = true,
                nth => {
                    let nth = nth.parse().unwrap_or_else(|_| panic!("`{nth}` is no number in `{text}`"));
                    let known = ALL.iter().find(|(word, _)| *word == second);
                    let (_, fault) = known.unwrap_or_else(|| panic!("`{second}` is no fault in `{text}`"));
                    plan.faults.push((nth, *fault));
                }
            }
        }
        Some(plan)
    }
}

#[test]
fn a_run_is_written_as_it_is_read() {
    let plain = Plan::new("plain", false, 0);
    assert_eq!(plain.to_string(), "plain");
    let long = Plan::new("plain", true, 7).with(3, Late(AT_THE_END)).with(5, Stop(After));
    let long = long.disturbed(Disturbance::Drop(4));
    assert_eq!(long.to_string(), "plain:3:late-end:5:stop-after:drop:4:seed:7:store:sqlite");
    assert_eq!(Plan::parse(&long.to_string(), "plain").unwrap().to_string(), long.to_string());
    assert!(Plan::parse("other:1:lost", "plain").is_none());
}

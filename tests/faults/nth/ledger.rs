//! What really happened, whatever the records say.

use std::sync::{Arc, Mutex, MutexGuard};

/// The effects of one run, and who may still have one. Clones are the same ledger.
#[derive(Clone, Debug, Default)]
pub(super) struct Ledger(Arc<Mutex<Books>>);

#[derive(Debug, Default)]
struct Books {
    runs: usize,
    effects: Vec<Effect>,
    /// How many effects there were when the first outcome became final.
    effects_when_final: Option<usize>,
    broken: Vec<String>,
    trace: Option<Vec<String>>,
}

/// Something that cannot be taken back.
#[derive(Clone, Debug)]
struct Effect {
    request: &'static str,
    value: String,
}

impl Ledger {
    /// A ledger that also keeps what happened in its order.
    pub(super) fn traced(traced: bool) -> Self {
        let ledger = Self::default();
        ledger.books().trace = traced.then(Vec::new);
        ledger
    }

    fn books(&self) -> MutexGuard<'_, Books> {
        self.0.lock().expect("nobody panics with the books")
    }

    /// A body begins; its number, from 1.
    pub(super) fn begin(&self, request: &'static str) -> usize {
        let run = {
            let mut books = self.books();
            books.runs += 1;
            books.runs
        };
        self.note(|| format!("body {run} begins for `{request}`"));
        run
    }

    /// The effect of a body happens; the value that belongs to it.
    pub(super) fn effect(&self, run: usize, request: &'static str) -> String {
        self.note(|| format!("body {run} has its effect"));
        let value = format!("{request}/{run}");
        let mut books = self.books();
        if run != books.runs {
            let newest = books.runs;
            books.broken.push(format!("body {run} had its effect although body {newest} had begun after it"));
        }
        books.effects.push(Effect { request, value: value.clone() });
        value
    }

    /// The value of the effect, if it has happened.
    pub(super) fn happened(&self, request: &str) -> Option<String> {
        let books = self.books();
        books.effects.iter().find(|effect| effect.request == request).map(|effect| effect.value.clone())
    }

    /// A record says that the outcome is final.
    pub(super) fn became_final(&self) {
        let mut books = self.books();
        let effects = books.effects.len();
        books.effects_when_final.get_or_insert(effects);
    }

    /// How many effects there were.
    pub(super) fn effects(&self) -> usize {
        self.books().effects.len()
    }

    /// A rule was broken.
    pub(super) fn broken(&self, rule: impl Into<String>) {
        self.books().broken.push(rule.into());
    }

    /// Keeps what happened, if somebody wants to read it.
    pub(super) fn note(&self, what: impl FnOnce() -> String) {
        if self.books().trace.is_some() {
            let what = what();
            self.books().trace.get_or_insert_default().push(what);
        }
    }

    pub(super) fn trace(&self) -> String {
        self.books().trace.clone().unwrap_or_default().join("\n    ")
    }

    /// The rules about effects, at the end; the broken ones of the whole run.
    pub(super) fn close(&self, at_most_one: bool) -> Vec<String> {
        let mut books = self.books();
        let effects = books.effects.len();
        if at_most_one && effects > 1 {
            books.broken.push(format!("{effects} effects, and there was to be at most one"));
        }
        if let Some(then) = books.effects_when_final
            && effects != then
        {
            books.broken.push(format!("{} effects after the outcome was final", effects - then));
        }
        books.broken.clone()
    }
}

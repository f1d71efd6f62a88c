//! What must hold of the history, whatever was hit.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::Kind;

/// One key of one operation.
type Key = (Kind, u32);

/// Everything that was said and done.
pub(crate) struct History {
    effects: BTreeMap<Key, BTreeSet<u64>>,
    answers: BTreeMap<Key, BTreeSet<u64>>,
    calls: usize,
}

impl History {
    pub(crate) fn read(file: &Path) -> Self {
        let text = std::fs::read_to_string(file).unwrap();
        let mut history = Self { effects: BTreeMap::new(), answers: BTreeMap::new(), calls: 0 };
        for line in text.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            let [what, kind, number, value] = words.as_slice() else {
                panic!("a line of four words: {line}")
            };
            let kind = Kind::ALL.into_iter().find(|known| known.name() == *kind).expect("a kind");
            let key = (kind, number.parse().unwrap());
            let notes = match *what {
                "effect" => &mut history.effects,
                "answer" => {
                    history.calls += 1;
                    &mut history.answers
                }
                other => panic!("nobody says {other}"),
            };
            notes.entry(key).or_default().insert(value.parse().unwrap());
        }
        history
    }

    /// Whose bodies have begun.
    pub(crate) fn keys(&self) -> Vec<Key> {
        self.effects.keys().copied().collect()
    }

    /// How often the body of this key has had its effect.
    pub(crate) fn effects(&self, kind: Kind, number: u32) -> usize {
        self.effects.get(&(kind, number)).map_or(0, BTreeSet::len)
    }

    pub(crate) fn check(&self, seed: u64) {
        for (key, answers) in &self.answers {
            assert_eq!(answers.len(), 1, "seed {seed}: {key:?} was answered with {answers:?}");
            let effects = self.effects.get(key).cloned().unwrap_or_default();
            assert!(answers.is_subset(&effects), "seed {seed}: {key:?} was answered with what nobody did");
        }
        let announced = self.effects.iter().filter(|((kind, _), _)| *kind == Kind::Announced);
        for (key, effects) in announced {
            assert_eq!(
                effects.len(),
                1,
                "seed {seed}: the announced effect of {key:?} happened as {effects:?}"
            );
        }
    }

    pub(crate) fn summary(&self) -> String {
        let repeated = self.effects.values().filter(|effects| effects.len() > 1).count();
        let unknown = self.effects.len() - self.answers.len();
        format!(
            "{} answers about {} keys, {repeated} whose body ran again after a crash, {unknown} unknown",
            self.calls,
            self.answers.len()
        )
    }
}

//! How late a duplicate can come, by source: the table, and the sum over a chain.

use proc_macro2::Span;

use super::SKEW_BUDGET;
use crate::args::{Duration, Link, Sources};
use crate::ttl;

/// What can be said about a source in parentheses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Setting {
    /// How long the queue or stream keeps a message.
    Retention,
    /// How long the dead-letter queue keeps it.
    Dlq,
    /// How long a received message is hidden from other receivers.
    Visibility,
    /// The oldest event that is still delivered.
    MaxAge,
    /// How long clients go on retrying.
    ClientRetry,
    /// How late anything can come: for sources without a rule of their own.
    Window,
}

impl Setting {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Retention => "retention",
            Self::Dlq => "dlq",
            Self::Visibility => "visibility",
            Self::MaxAge => "max_age",
            Self::ClientRetry => "client_retry",
            Self::Window => "window",
        }
    }
}

/// One row of the table.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) name: &'static str,
    /// The window without a setting, in milliseconds; `None`: it must be stated.
    default: Option<u64>,
    /// The setting that states the window.
    pub(crate) stated_by: Option<Setting>,
    pub(crate) settings: &'static [Setting],
    /// At the end of a chain it invokes a function asynchronously, which retries for itself.
    invokes: bool,
    /// A producer can send the same again under a new id, or an operator redrive it.
    pub(crate) resends: bool,
    /// Whether a dead-letter queue starts the retention once more before it, as with FIFO queues.
    restarts: bool,
}

impl Source {
    const fn new(name: &'static str, default: Option<u64>, settings: &'static [Setting]) -> Self {
        let stated_by = match settings {
            [first, ..] => Some(*first),
            [] => None,
        };
        Self { name, default, stated_by, settings, invokes: false, resends: true, restarts: false }
    }

    const fn invokes(mut self) -> Self {
        self.invokes = true;
        self
    }

    const fn never_resends(mut self) -> Self {
        self.resends = false;
        self
    }

    const fn restarts(mut self) -> Self {
        self.restarts = true;
        self
    }

    /// Whether it stands around another source.
    pub(crate) fn wraps(&self) -> bool {
        self.default.is_none() && self.settings.is_empty()
    }

    /// The largest value that the service takes for a setting, in milliseconds, if it has a limit.
    pub(crate) fn longest(&self, setting: Setting) -> Option<u64> {
        match (self.name, setting) {
            ("sqs" | "sqs_fifo", Setting::Visibility) => Some(12 * HOUR),
            ("sqs" | "sqs_fifo" | "dlq_redrive", Setting::Retention | Setting::Dlq) => Some(14 * DAY),
            ("lambda_async", Setting::MaxAge) => Some(INVOCATION),
            ("eventbridge" | "eventbridge_bus_v2" | "scheduler" | "dynamodb_streams", Setting::MaxAge) => {
                Some(DAY)
            }
            ("kinesis", Setting::Retention) => Some(365 * DAY),
            ("sns_http", Setting::Window) => Some(HOUR),
            _ => None,
        }
    }

    /// The smallest value that the service takes for a setting, in milliseconds, if it has a limit.
    pub(crate) fn shortest(&self, setting: Setting) -> Option<u64> {
        let keeps = matches!(setting, Setting::Retention | Setting::Dlq);
        (matches!(self.name, "sqs" | "sqs_fifo" | "dlq_redrive") && keeps).then_some(60 * SECOND)
    }

    /// How it is written with its first setting.
    pub(crate) fn example(&self) -> String {
        match self.stated_by {
            Some(setting) => format!("source = {}({} = \"7d\")", self.name, setting.name()),
            None => format!("source = {}", self.name),
        }
    }
}

const SECOND: u64 = 1000;
const HOUR: u64 = 3600 * SECOND;
const DAY: u64 = 24 * HOUR;

/// The asynchronous invocation of a function: its maximum event age.
const INVOCATION: u64 = 6 * HOUR;
/// The default visibility timeout of a queue.
const VISIBILITY: u64 = 30 * SECOND;

/// The setting that states the window comes first.
pub(crate) static SOURCES: [Source; 23] = {
    use Setting::{ClientRetry, Dlq, MaxAge, Retention, Visibility, Window};
    [
        Source::new("alb", Some(DAY), &[ClientRetry]),
        Source::new("api_gateway", Some(DAY), &[ClientRetry]),
        // The target of a redrive keeps the message once more, if it says how long.
        Source::new("dlq_redrive", Some(14 * DAY), &[Dlq, Retention]),
        Source::new("durable_function", None, &[]),
        Source::new("dynamodb_streams", Some(DAY), &[MaxAge]).never_resends(),
        Source::new("eventbridge", Some(DAY), &[MaxAge]).invokes(),
        Source::new("eventbridge_bus_v2", Some(300 * SECOND), &[MaxAge]).invokes(),
        Source::new("function_url", Some(DAY), &[ClientRetry]),
        Source::new("http", None, &[ClientRetry]),
        Source::new("kafka", None, &[Retention]),
        Source::new("kinesis", Some(DAY), &[Retention]),
        Source::new("lambda_async", Some(INVOCATION), &[MaxAge]),
        Source::new("mq", None, &[Retention]),
        Source::new("msk", None, &[Retention]),
        Source::new("pipes", None, &[]),
        Source::new("replay", None, &[Window]),
        // The horizon of the notifications is not published; a day is the advice.
        Source::new("s3", Some(DAY), &[Window]).invokes().never_resends(),
        Source::new("scheduler", Some(DAY), &[MaxAge]).invokes().never_resends(),
        Source::new("sns", Some(23 * DAY), &[]).invokes(),
        Source::new("sns_http", Some(60 * SECOND), &[Window]),
        Source::new("sqs", Some(4 * DAY), &[Retention, Dlq, Visibility]),
        Source::new("sqs_fifo", Some(4 * DAY), &[Retention, Dlq, Visibility]).restarts(),
        // Three tries with backoff take seconds; the tasks between them take the rest.
        Source::new("step_functions", Some(900 * SECOND), &[Window]).never_resends(),
    ]
};

pub(crate) fn find(name: &str) -> Option<&'static Source> {
    SOURCES.iter().find(|source| source.name == name)
}

pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    SOURCES.iter().map(|source| source.name)
}

/// The window of a chain: its terms, in the order of the chain.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sum {
    /// What each term is, and its milliseconds.
    pub(crate) terms: Vec<(String, u64)>,
}

impl Sum {
    pub(crate) fn milliseconds(&self) -> u64 {
        self.terms.iter().fold(0, |sum, (_, term)| sum.saturating_add(*term))
    }

    /// `retention 14d + dlq 14d = 28d`
    pub(crate) fn shown(&self) -> String {
        let terms: Vec<String> =
            self.terms.iter().map(|(what, term)| format!("{what} {}", ttl::short(*term))).collect();
        match terms.as_slice() {
            [only] => only.clone(),
            terms => format!("{} = {}", terms.join(" + "), ttl::short(self.milliseconds())),
        }
    }
}

/// The window of `sources`; `None` if a source in it does not state its own.
pub(crate) fn sum(sources: &Sources) -> Option<Sum> {
    let mut sum = Sum::default();
    add_chain(&sources.links, &mut sum)?;
    Some(sum)
}

fn add_chain(links: &[Link], sum: &mut Sum) -> Option<()> {
    for (index, link) in links.iter().enumerate() {
        add(link, sum)?;
        if link.source.invokes && index + 1 == links.len() {
            sum.terms.push(("its function".to_owned(), INVOCATION));
        }
    }
    Some(())
}

fn add(link: &Link, sum: &mut Sum) -> Option<()> {
    if link.source.wraps() {
        return add_chain(&link.inner, sum);
    }
    let stated = link.source.stated_by.and_then(|setting| Some((setting.name(), link.setting(setting)?)));
    let name = link.source.name;
    let (what, window) = match (stated, link.source.default) {
        (Some((setting, window)), _) => (format!("{name} {setting}"), window),
        (None, Some(window)) => (name.to_owned(), window),
        (None, None) => return None,
    };
    match link.setting(Setting::Dlq) {
        // Of a redrive the dead-letter queue is the window itself, and the target's retention comes after it.
        Some(_) if link.source.stated_by == Some(Setting::Dlq) => sum.terms.push((what, window)),
        Some(dlq) => {
            // A message keeps its first enqueue time in the dead-letter queue of a standard queue, so that the two
            // do not add up there; a redrive starts a new retention in any case.
            if link.source.restarts {
                sum.terms.push((what.clone(), window));
            }
            sum.terms.push((format!("{name} dlq"), dlq));
            sum.terms.push((what, window));
        }
        None => sum.terms.push((what, window)),
    }
    if link.source.stated_by == Some(Setting::Dlq)
        && let Some(retention) = link.setting(Setting::Retention)
    {
        sum.terms.push((format!("{name} retention"), retention));
    }
    Some(())
}

/// The sources in `links` that must state their window and do not, outermost first.
pub(crate) fn without_window(links: &[Link]) -> Vec<&Link> {
    let mut found = Vec::new();
    for link in links {
        let stated = link.source.stated_by.is_some_and(|setting| link.setting(setting).is_some());
        if link.source.default.is_none() && !link.source.wraps() && !stated {
            found.push(link);
        }
        found.extend(without_window(&link.inner));
    }
    found
}

/// How long a queue hides a message while it is worked on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Visibility {
    /// In milliseconds.
    pub(crate) time: u64,
    /// Where it is written; none for the queue's default.
    pub(crate) span: Option<Span>,
}

/// How long the last source of the chain hides a message.
pub(crate) fn visibility(sources: &Sources) -> Option<Visibility> {
    let mut last = sources.links.last()?;
    while let Some(inner) = last.inner.last() {
        last = inner;
    }
    let hides = last.source.settings.contains(&Setting::Visibility);
    let stated = last.settings.iter().find(|(setting, ..)| *setting == Setting::Visibility);
    let visibility = stated.map_or(Visibility { time: VISIBILITY, span: None }, |(_, time, span)| {
        Visibility { time: *time, span: Some(*span) }
    });
    hides.then_some(visibility)
}

/// The lease of an operation that gives none: it must end before the message becomes visible again.
pub(crate) fn lease(sources: &Sources) -> Option<Duration> {
    let value = visibility(sources)?.time.checked_sub(SKEW_BUDGET).filter(|lease| *lease > 0)?;
    Some(Duration::Milliseconds { value, span: sources.place.span() })
}

//! For people.

use std::fmt::Write as _;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use super::Checked;
use crate::finding::{Finding, Severity};
use crate::source::Location;

pub(super) fn render(checked: &Checked, has_colours: bool) -> String {
    let renderer = if has_colours { Renderer::styled() } else { Renderer::plain() };
    let renderer = renderer.decor_style(DecorStyle::Ascii);
    let mut text = String::new();
    for finding in &checked.findings {
        // Carets are drawn under characters; a renderer that is asked for a width would cut long attributes.
        let _ = writeln!(text, "{}\n", renderer.render(&[group(finding)]));
    }
    if !checked.hidden.is_empty() {
        text.push_str("not checked:\n");
        for hidden in &checked.hidden {
            let _ = writeln!(text, "  {}: {}", hidden.location, hidden.what);
        }
        text.push('\n');
    }
    text.push_str(&summary(checked));
    text
}

fn group(finding: &Finding) -> Group<'_> {
    let level = match finding.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let mut group = level.primary_title(finding.message.as_str()).element(snippet(&finding.location, None));
    for (location, label) in &finding.related {
        group = group.element(snippet(location, Some(label)));
    }
    if let Some(help) = &finding.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    for note in &finding.notes {
        group = group.element(Level::NOTE.message(note.as_str()));
    }
    group
}

fn snippet<'a>(
    location: &'a Location,
    label: Option<&'a str>,
) -> Snippet<'a, annotate_snippets::Annotation<'a>> {
    let kind = if label.is_none() { AnnotationKind::Primary } else { AnnotationKind::Context };
    Snippet::source(location.source.text.as_str())
        .path(location.source.path.as_str())
        .annotation(kind.span(location.range.clone()).label(label))
}

fn summary(checked: &Checked) -> String {
    let mut text =
        format!("{} in {}: ", count(checked.operations, "operation"), count(checked.files, "file"));
    let (errors, warnings) = (checked.count(Severity::Error), checked.count(Severity::Warning));
    match (errors, warnings) {
        (0, 0) => text.push_str("nothing found"),
        (errors, 0) => text.push_str(&count(errors, "error")),
        (0, warnings) => text.push_str(&count(warnings, "warning")),
        (errors, warnings) => {
            let _ = write!(text, "{}, {}", count(errors, "error"), count(warnings, "warning"));
        }
    }
    if !checked.hidden.is_empty() {
        let _ = write!(text, "; {} not checked", count(checked.hidden.len(), "place"));
    }
    text + "\n"
}

fn count(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

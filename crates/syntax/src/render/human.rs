//! Human-readable diagnostics: source lines with marks, in the style of rustc.

use std::ops::Range;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Patch, Renderer, Snippet};

use super::resolved_span::ResolvedSpan;
use crate::diagnostic::{Diagnostic, Fix, Severity};
use crate::source::{SourceFile, Sources};

/// Maximum number of source bytes between two marks that share an excerpt, and maximum number of bytes of a line that is drawn.
/// It keeps drawing fast on very large texts; a place beyond it is only named.
const MAX_EXCERPT: usize = 16 << 10;

/// Writes each diagnostic as a block followed by an empty line.
pub fn render(diagnostics: &[Diagnostic], sources: &Sources, color: bool) -> String {
    let renderer = if color { Renderer::styled() } else { Renderer::plain() }.decor_style(DecorStyle::Ascii);
    let mut text = String::new();
    for diagnostic in diagnostics {
        text.push_str(renderer.render(&groups(diagnostic, sources)).trim_end());
        text.push_str("\n\n");
    }
    text
}

/// Converts a diagnostic to the renderer's groups: one for the finding with its places and help, then one per fix.
fn groups<'a>(diagnostic: &'a Diagnostic, sources: &'a Sources) -> Vec<Group<'a>> {
    let title = level(diagnostic.severity).primary_title(diagnostic.message.as_str()).id(diagnostic.code.0);
    let mut finding = Group::with_title(title);
    for excerpt in excerpts(diagnostic, sources) {
        finding = excerpt.draw(finding);
    }
    for help in &diagnostic.help {
        finding = finding.element(Level::HELP.message(help.as_str()));
    }
    let mut groups = vec![finding];
    groups.extend(diagnostic.fixes.iter().map(|one| fix(one, sources)));
    groups
}

fn level(severity: Severity) -> Level<'static> {
    match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    }
}

/// A marked range of a source.
struct Mark<'a> {
    range: Range<usize>,
    label: Option<&'a str>,
    is_primary: bool,
}

/// Adjacent lines of a file with the marks in them.
struct Excerpt<'a> {
    file: &'a SourceFile,
    /// The byte range of the lines in the file.
    range: Range<usize>,
    marks: Vec<Mark<'a>>,
}

impl<'a> Excerpt<'a> {
    fn draw(self, group: Group<'a>) -> Group<'a> {
        let (line, column) = self.file.line_column(self.marks[0].range.start as u32);
        if self.range.len() > MAX_EXCERPT {
            let origin = Origin::path(self.file.name()).line(line).char_column(column);
            let labels = self.marks.into_iter().filter_map(|mark| mark.label);
            return group.element(origin).elements(labels.map(|label| Level::NOTE.message(label)));
        }
        let (source, line) = visible_lines(self.file, &self.range);
        let annotations = self.marks.into_iter().map(|mark| mark.annotation(self.range.start));
        group.element(Snippet::source(source).line_start(line).path(self.file.name()).annotations(annotations))
    }
}

impl<'a> Mark<'a> {
    fn annotation(self, base: usize) -> Annotation<'a> {
        let kind = if self.is_primary { AnnotationKind::Primary } else { AnnotationKind::Context };
        kind.span(self.range.start - base..self.range.end - base).label(self.label)
    }
}

/// Returns the text of a range of whole lines, and the number of the first line.
fn visible_lines<'a>(file: &'a SourceFile, range: &Range<usize>) -> (&'a str, usize) {
    (&file.text()[range.clone()], file.line_column(range.start as u32).0)
}

/// Groups the places of a diagnostic into excerpts: places close together share one. The excerpt of the primary place comes first.
fn excerpts<'a>(diagnostic: &'a Diagnostic, sources: &'a Sources) -> Vec<Excerpt<'a>> {
    let primary = (ResolvedSpan::of(diagnostic, sources), diagnostic.label.as_deref(), true);
    let related = diagnostic
        .related
        .iter()
        .map(|related| (ResolvedSpan::find(sources, Some(related.span)), Some(related.message.as_str()), false));
    let mut excerpts: Vec<Excerpt<'a>> = Vec::new();
    for (place, label, is_primary) in std::iter::once(primary).chain(related) {
        let Some(mut place) = place else { continue };
        let mut lines = lines(&place);
        if lines.len() > MAX_EXCERPT {
            // Only the first line of a large place is drawn.
            lines = place.file.line_range(place.start.0);
            place.range.end = place.range.end.min(lines.end);
        }
        let mark = Mark { range: place.range, label, is_primary };
        let near = excerpts
            .iter_mut()
            .find(|excerpt| excerpt.file.id() == place.file.id() && union(&excerpt.range, &lines).len() <= MAX_EXCERPT);
        if let Some(excerpt) = near {
            excerpt.range = union(&excerpt.range, &lines);
            excerpt.marks.push(mark);
        } else {
            excerpts.push(Excerpt { file: place.file, range: lines, marks: vec![mark] });
        }
    }
    excerpts
}

/// Returns the byte range of the lines that a place covers.
fn lines(place: &ResolvedSpan<'_>) -> Range<usize> {
    place.file.line_range(place.start.0).start..place.file.line_range(place.end.0).end
}

fn union(one: &Range<usize>, other: &Range<usize>) -> Range<usize> {
    one.start.min(other.start)..one.end.max(other.end)
}

/// Converts a fix to a help group: its title and, if the fix is small and fits the text, the changed lines.
fn fix<'a>(fix: &'a Fix, sources: &'a Sources) -> Group<'a> {
    let group = Group::with_title(Level::HELP.secondary_title(fix.title.as_str()));
    let Some(drawing) = Drawing::of(fix, sources) else {
        return group;
    };
    let Drawing { file, range, edits } = drawing;
    let (source, line) = visible_lines(file, &range);
    let patches = edits
        .into_iter()
        .map(|(edit, replacement)| Patch::new(edit.start - range.start..edit.end - range.start, replacement));
    group.element(Snippet::source(source).line_start(line).path(file.name()).patches(patches))
}

/// The lines that a fix changes.
struct Drawing<'a> {
    file: &'a SourceFile,
    /// The byte range of the lines in the file.
    range: Range<usize>,
    /// Replaced ranges and their replacements, in the order of the text.
    edits: Vec<(Range<usize>, &'a str)>,
}

impl<'a> Drawing<'a> {
    /// Returns `None` unless the fix changes a few lines of one known file and its edits do not overlap.
    fn of(fix: &'a Fix, sources: &'a Sources) -> Option<Self> {
        let places =
            fix.edits.iter().map(|edit| ResolvedSpan::find(sources, Some(edit.span))).collect::<Option<Vec<_>>>()?;
        let file = places.first()?.file;
        let range = places.iter().map(lines).reduce(|one, other| union(&one, &other))?;
        let is_local = places.iter().all(|place| place.file.id() == file.id()) && range.len() <= MAX_EXCERPT;
        let replacements = fix.edits.iter().map(|edit| edit.replacement.as_str());
        let mut edits: Vec<_> = places.into_iter().map(|place| place.range).zip(replacements).collect();
        edits.sort_by_key(|(edit, _)| (edit.start, edit.end));
        let is_apart = edits.windows(2).all(|pair| pair[0].0.end <= pair[1].0.start);
        (is_local && is_apart).then_some(Self { file, range, edits })
    }
}

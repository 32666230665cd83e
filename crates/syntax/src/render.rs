//! Renderers of diagnostics: human-readable text, one line each, JSON, GitHub annotations and SARIF.
//!
//! | module | output |
//! |---|---|
//! | [`human`] | source lines with marks, in the style of rustc |
//! | [`mod@line`] | `path:line:column: severity[code]: message` |
//! | [`json`] | an array of objects with documented, stable fields |
//! | [`github`] | workflow commands that annotate a pull request |
//! | [`sarif`] | SARIF 2.1.0, for code scanning |
//!
//! No renderer panics, whatever the spans: a span of an unknown file counts as no place, and a span that does not fit its text is
//! moved to the nearest character boundaries.

pub mod github;
pub mod human;
pub mod json;
pub mod line;
mod resolved_span;
pub mod sarif;

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use crate::code_table::CodeTable;
use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::source::{SourceId, Sources};

/// An output format of diagnostics.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OutputFormat {
    /// Human-readable: [`human`].
    #[default]
    Human,
    /// One line each: [`line`](mod@line).
    Line,
    /// JSON: [`json`].
    Json,
    /// GitHub workflow commands: [`github`].
    Github,
    /// SARIF 2.1.0: [`sarif`].
    Sarif,
}

impl OutputFormat {
    /// All formats.
    pub const ALL: [Self; 5] = [Self::Human, Self::Line, Self::Json, Self::Github, Self::Sarif];

    /// Returns the name that selects the format on a command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Human => "human",
            Self::Line => "line",
            Self::Json => "json",
            Self::Github => "github",
            Self::Sarif => "sarif",
        }
    }
}

impl FromStr for OutputFormat {
    type Err = UnknownOutputFormat;

    fn from_str(name: &str) -> Result<Self, UnknownOutputFormat> {
        let found = Self::ALL.into_iter().find(|format| format.name() == name);
        found.ok_or_else(|| UnknownOutputFormat { name: name.to_owned() })
    }
}

/// The error for a name that is not the name of an output format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownOutputFormat {
    /// The name.
    pub name: String,
}

impl fmt::Display for UnknownOutputFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = OutputFormat::ALL.map(OutputFormat::name).join(", ");
        write!(f, "unknown output format `{}`; the formats are {names}", self.name)
    }
}

impl std::error::Error for UnknownOutputFormat {}

/// The inputs of a renderer other than the diagnostics.
#[derive(Debug, Clone, Copy)]
pub struct RenderContext<'a> {
    /// The texts that spans refer to.
    pub sources: &'a Sources,
    /// The documentation of the codes; SARIF includes it.
    pub codes: &'a CodeTable,
    /// Whether the human format uses colours.
    pub color: bool,
}

/// Renders diagnostics in a format, in the order given (see [`sort`]), with a line end after the last.
pub fn render(format: OutputFormat, diagnostics: &[Diagnostic], context: RenderContext<'_>) -> String {
    match format {
        OutputFormat::Human => human::render(diagnostics, context.sources, context.color),
        OutputFormat::Line => line::render(diagnostics, context.sources),
        OutputFormat::Json => json::render(diagnostics, context.sources),
        OutputFormat::Github => github::render(diagnostics, context.sources),
        OutputFormat::Sarif => sarif::render(diagnostics, context.sources, context.codes),
    }
}

/// Sorts diagnostics by place (those without a span first), then by decreasing severity, then by code.
pub fn sort(diagnostics: &mut [Diagnostic]) {
    diagnostics.sort_by_key(|diagnostic| (diagnostic.span, std::cmp::Reverse(diagnostic.severity), diagnostic.code));
}

/// Condenses diagnostics for human readers: errors and warnings in their order, then the notes. The first of several notes with
/// the same code stands for all of them, and its help gives the number of the others. Notes without a span are all kept.
pub fn condense(diagnostics: &[Diagnostic]) -> Vec<Diagnostic> {
    let mut other_sources: BTreeMap<Code, Vec<SourceId>> = BTreeMap::new();
    let (mut shown, mut notes) = (Vec::with_capacity(diagnostics.len()), Vec::new());
    for finding in diagnostics {
        match finding.span {
            _ if finding.severity > Severity::Note => shown.push(finding.clone()),
            None => notes.push(finding.clone()),
            Some(span) => {
                let places = other_sources.entry(finding.code).or_default();
                if places.is_empty() {
                    notes.push(finding.clone());
                }
                places.push(span.source);
            }
        }
    }
    for finding in notes.iter_mut().filter(|finding| finding.span.is_some()) {
        let Some(mut places) = other_sources.remove(&finding.code) else { continue };
        let count = places.len() - 1;
        places.sort_unstable();
        places.dedup();
        match (count, places.len()) {
            (0, _) => {}
            (_, 1) => finding.help.push(format!("{count} more of this kind in this file")),
            (_, files) => finding.help.push(format!("{count} more of this kind in {files} files")),
        }
    }
    shown.extend(notes);
    shown
}

/// Returns the numbers of errors, warnings and notes as text: "2 errors, 1 warning", or "no diagnostics".
pub fn summary(diagnostics: &[Diagnostic]) -> String {
    let parts: Vec<String> = [Severity::Error, Severity::Warning, Severity::Note]
        .into_iter()
        .filter_map(|severity| match diagnostics.iter().filter(|diagnostic| diagnostic.severity == severity).count() {
            0 => None,
            1 => Some(format!("1 {severity}")),
            count => Some(format!("{count} {severity}s")),
        })
        .collect();
    if parts.is_empty() { "no diagnostics".to_owned() } else { parts.join(", ") }
}

//! One line per diagnostic: `path:line:column: severity[code]: message`.

use std::fmt::Write;

use super::resolved_span::ResolvedSpan;
use crate::diagnostic::Diagnostic;
use crate::source::Sources;

/// Writes each diagnostic on one line. A diagnostic without a place starts with its severity.
pub fn render(diagnostics: &[Diagnostic], sources: &Sources) -> String {
    let mut text = String::new();
    for diagnostic in diagnostics {
        if let Some(ResolvedSpan { file, start: (line, column), .. }) = ResolvedSpan::of(diagnostic, sources) {
            let _ = write!(text, "{}:{line}:{column}: ", one_line(file.name()));
        }
        let Diagnostic { severity, code, message, .. } = diagnostic;
        let _ = writeln!(text, "{severity}[{code}]: {}", one_line(message));
    }
    text
}

/// Escapes control characters, line ends included, so that a diagnostic stays on one line.
fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() {
            line.extend(c.escape_default());
        } else {
            line.push(c);
        }
    }
    line
}

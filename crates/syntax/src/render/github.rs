//! Diagnostics as GitHub workflow commands, which annotate the lines of a pull request.

use std::fmt::Write;

use super::resolved_span::ResolvedSpan;
use crate::diagnostic::{Diagnostic, Severity};
use crate::source::Sources;

/// Writes one workflow command per diagnostic. The help follows the message, one line per sentence.
pub fn render(diagnostics: &[Diagnostic], sources: &Sources) -> String {
    let mut text = String::new();
    for diagnostic in diagnostics {
        let command = match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Note => "notice",
        };
        let _ = write!(text, "::{command} title={}", property(diagnostic.code.0));
        if let Some(ResolvedSpan { file, start, end, .. }) = ResolvedSpan::of(diagnostic, sources) {
            let _ = write!(text, ",file={},line={},col={}", property(file.name()), start.0, start.1);
            let _ = write!(text, ",endLine={},endColumn={}", end.0, end.1);
        }
        let _ = write!(text, "::{}", data(&diagnostic.message));
        for help in &diagnostic.help {
            let _ = write!(text, "%0Ahelp: {}", data(help));
        }
        text.push('\n');
    }
    text
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

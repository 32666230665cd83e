//! Parser of plan files: one step `(ACTION OBJECT ..)` per line; in temporal plans `TIME: (ACTION OBJECT ..) [DURATION]`.

use goalspec_syntax::{Diagnostic, SourceFile, Span};

use super::parser::{Parser, excerpt};
use crate::ast::{Plan, Step};
use crate::codes;

/// Maximum number of errors reported per plan.
const MAX_ERRORS: usize = 100;

/// Parses a plan. Names are not resolved.
///
/// ```
/// let mut sources = goalspec_syntax::Sources::new();
/// let id = sources.add("plan", "; found quickly\n(pick-up a)\n0.5: (stack a b) [1]\n");
/// let (plan, diagnostics) = goalspec_pddl::parse::plan(sources.file(id));
/// assert!(diagnostics.is_empty());
/// assert_eq!(plan.steps[1].action.text(), "stack");
/// assert_eq!((plan.steps[1].time, plan.steps[1].duration), (Some(0.5), Some(1.0)));
/// ```
pub fn plan(source: &SourceFile) -> (Plan, Vec<Diagnostic>) {
    let mut reader = Parser::default();
    let mut plan = Plan::default();
    let mut start = 0;
    for line in source.text().split_inclusive('\n') {
        let text = line.split(';').next().unwrap_or_default();
        // A byte order mark is skipped.
        let text = text.trim_end();
        let blank = text.len() - text.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}').len();
        if blank < text.len() {
            let line = Line { text, source, start };
            match line.step(blank, &mut reader) {
                Ok(step) => plan.steps.push(step),
                Err(error) => reader.report(*error),
            }
            if reader.diagnostics.len() >= MAX_ERRORS {
                break;
            }
        }
        start += line.len();
    }
    (plan, reader.diagnostics)
}

/// A line without its comment.
struct Line<'t> {
    text: &'t str,
    source: &'t SourceFile,
    /// The offset of the line in the source text.
    start: usize,
}

impl Line<'_> {
    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.source.id(), (self.start + start) as u32, (self.start + end) as u32)
    }

    fn error(&self, start: usize, end: usize, message: &str) -> Box<Diagnostic> {
        let found = excerpt(&self.text[start..end]);
        Box::new(Diagnostic::error(codes::UNEXPECTED, self.span(start, end), format!("{message}, found `{found}`")))
    }

    /// Parses the step that begins at an offset.
    fn step(&self, start: usize, reader: &mut Parser) -> Result<Step, Box<Diagnostic>> {
        const STEP: &str = "expected a step such as `(stack a b)`";
        let end = self.text.len();
        let open = self.text.find('(').ok_or_else(|| self.error(start, end, STEP))?;
        let time = match self.text[start..open].trim_end() {
            "" => None,
            before => {
                let number = before.strip_suffix(':').and_then(|number| number.trim_end().parse().ok());
                let error = || self.error(start, start + before.len(), "expected a time such as `0:` before the step");
                Some(number.filter(|time: &f64| time.is_finite() && *time >= 0.0).ok_or_else(error)?)
            }
        };
        let close = self.text[open..].find(')').map(|length| open + length);
        let close = close.ok_or_else(|| self.error(open, end, "expected a step that ends with `)`"))?;
        let mut names = Vec::new();
        let mut offset = open + 1;
        for word in self.text[offset..close].split(char::is_whitespace) {
            if word.contains('(') {
                return Err(self.error(offset, offset + word.len(), "expected the name of an object"));
            }
            if !word.is_empty() {
                names.push(reader.intern(word, self.span(offset, offset + word.len())));
            }
            offset += word.len() + self.text[offset + word.len()..].chars().next().map_or(0, char::len_utf8);
        }
        let mut names = names.into_iter();
        let action = names.next().ok_or_else(|| self.error(open, close + 1, STEP))?;
        let duration = self.duration(close + 1)?;
        Ok(Step { time, action, arguments: names.collect(), duration, span: self.span(open, close + 1) })
    }

    /// Parses the optional `[DURATION]` after a step.
    fn duration(&self, start: usize) -> Result<Option<f64>, Box<Diagnostic>> {
        let rest = self.text[start..].trim();
        if rest.is_empty() {
            return Ok(None);
        }
        let number = rest.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
        let number = number.and_then(|number| number.trim().trim_start_matches("D:").parse().ok());
        let error = || self.error(start, self.text.len(), "expected the end of the line or a duration such as `[1]`");
        number.filter(|time: &f64| time.is_finite() && *time >= 0.0).map(Some).ok_or_else(error)
    }
}

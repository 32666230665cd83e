//! Code in replies without a fence.

use goalspec_syntax::source::lines;

use super::units::Unit;
use super::{CodeBlock, Note, parse, source};

/// The maximum number of attempts to find the end of the code. Each one shortens the code by at least one statement.
const MAX_ATTEMPTS: usize = 200;

/// Whether a text begins with a definition or import.
fn begins(text: &str) -> bool {
    let word = |name: &str| text.strip_prefix(name).is_some_and(|rest| rest.starts_with([' ', '\t']));
    ["import", "from", "def", "class"].into_iter().any(word)
        || text.strip_prefix('@').is_some_and(|rest| rest.starts_with(|c: char| c.is_alphabetic() || c == '_'))
}

/// Whether a text has a line that begins a definition or import.
pub(super) fn begins_definition(text: &str) -> bool {
    lines(text).any(begins)
}

fn is_program(units: &[Unit]) -> bool {
    units.iter().any(Unit::is_definition)
}

/// Returns the code of a reply without a fence: the whole reply if it parses and defines something, or else the part from the first line
/// that begins a definition to the last line that keeps it parseable.
pub(super) fn region(reply: &str, notes: &mut Vec<Note>) -> Option<CodeBlock> {
    if parse(reply).is_some_and(|units| is_program(&units)) {
        notes.push(Note::new("no-fence", "the reply has no fenced block: all of it is the program"));
        return Some(CodeBlock { text: reply.to_owned(), line: 0 });
    }
    let mut attempts = MAX_ATTEMPTS;
    let mut starts = line_starts(reply).filter(|&start| begins(&reply[start..]));
    let (start, text) = starts.find_map(|start| Some((start, longest_program(&reply[start..], &mut attempts)?)))?;
    let line = reply[..start].matches('\n').count();
    let last = line + lines(&text).count();
    notes.push(Note::new(
        "no-fence",
        format!("the reply has no fenced block: the program is lines {} to {last}", line + 1),
    ));
    Some(CodeBlock { text, line })
}

/// Iterates over the offsets of the lines of a text.
fn line_starts(text: &str) -> impl Iterator<Item = usize> {
    std::iter::once(0).chain(text.match_indices('\n').map(|(index, _)| index + 1))
}

/// Returns the longest beginning of a text that ends with a line, parses and defines something.
fn longest_program(text: &str, attempts: &mut usize) -> Option<String> {
    let mut end = text.len();
    while end > 0 {
        *attempts = attempts.checked_sub(1)?;
        let part = &text[..end];
        let parsed = goalspec_reward::parse::parse(&source(part));
        let errors = parsed.diagnostics.iter().map(|error| error.span.map_or(0, |span| span.start as usize));
        let Some(error) = errors.min() else {
            return parse(part).filter(|units| is_program(units)).map(|_| format!("{}\n", part.trim_end()));
        };
        // The statement with the error, which begins in the first column, is left out.
        let before = part.floor_char_boundary(error.min(end - 1));
        let continues = |start: usize| part[start..].starts_with([' ', '\t', '\n', '\r', ')', ']', '}', '#']);
        end = line_starts(&part[..before]).filter(|&start| !continues(start)).last().unwrap_or(0);
    }
    None
}

//! The formatter: normalizes indentation, spaces and line breaks, and keeps comments and content.

use std::borrow::Cow;

use goalspec_syntax::{Diagnostic, Diagnostics, SourceFile, Sources, Span};
use pretty_yaml::config::{FormatOptions, LayoutOptions};

mod comments;

use crate::codes;
use crate::yaml::{self, Node, ParsedDocument, Tree};

/// The preferred maximum line width, in columns.
const MAX_LINE_WIDTH: usize = 120;

/// The maximum indentation of a line, in columns, including indicators such as `- `. The underlying parser keeps indentations as the
/// bits of a word, and fails beyond.
pub const MAX_INDENT: usize = 60;

/// The maximum number of lines that begin with an empty key, or with an anchor or a tag of a key. The underlying parser nests each such
/// line in the previous one, and recurses.
pub const MAX_MARKED_KEYS: usize = 100;

/// Formats a text. The values and comments stay the same, and formatting is idempotent.
///
/// # Errors
/// Returns diagnostics if the text is not valid YAML or cannot be formatted without changing its content.
///
/// ```
/// let mut sources = goalspec_syntax::Sources::new();
/// let id = sources.add("demo", "teams:   [ red,blue ]   # in this order\n\n\n\nboard:\n    nodes: [a]\n");
/// let laid_out = goalspec_rgg::format::format(sources.file(id)).unwrap();
/// assert_eq!(laid_out, "teams: [red, blue] # in this order\n\nboard:\n  nodes: [a]\n");
/// ```
pub fn format(source: &SourceFile) -> Result<String, Diagnostics> {
    let parsed = yaml::parse(source);
    if parsed.diagnostics.iter().any(Diagnostic::is_error) {
        return Err(parsed.diagnostics.into());
    }
    if source.text().trim().is_empty() {
        return Ok(String::new());
    }
    let start = parsed.tree.root().map_or(0, |root| root.span().start as usize);
    let error = |at: usize, message: String| {
        let span = Span::new(source.id(), at as u32, at as u32);
        Diagnostics::from(Diagnostic::error(codes::LAYOUT, span, message))
    };
    let changes =
        || error(start, "this text cannot be formatted without changing its meaning; it is left as it is".into());
    let text = match format_once(&parsed.tree, source) {
        Ok(text) => text,
        Err(FormatError::IndentationLimit(at)) => {
            let message =
                format!("the indentation of this line exceeds the limit of {MAX_INDENT} columns for formatting");
            return Err(error(at, message));
        }
        Err(FormatError::TooManyMarkedKeys(at)) => {
            let message = format!(
                "the number of lines that begin with an empty key, an anchor or a tag exceeds the limit of {MAX_MARKED_KEYS} for formatting"
            );
            return Err(error(at, message));
        }
        Err(FormatError::ContentChange) => return Err(changes()),
    };
    // Format the result once more: it is rejected if it would change again or cannot be formatted.
    match with_parsed(source, &text, |document, file| format_once(&document.tree, file)) {
        Ok(formatted) if formatted == text => Ok(text),
        Err(FormatError::IndentationLimit(_)) => {
            let message = format!(
                "the indentation of the formatted text exceeds the limit of {MAX_INDENT} columns; the text is left as it is"
            );
            Err(error(start, message))
        }
        _ => Err(changes()),
    }
}

/// The reason why a text cannot be formatted.
enum FormatError {
    /// The line at this byte offset is indented by more than [`MAX_INDENT`] columns.
    IndentationLimit(usize),
    /// More than [`MAX_MARKED_KEYS`] lines begin with an empty key, an anchor or a tag; the byte offset of the first one in excess.
    TooManyMarkedKeys(usize),
    /// Formatting would change the content.
    ContentChange,
}

/// Formats a text once.
fn format_once(tree: &Tree, source: &SourceFile) -> Result<String, FormatError> {
    if let Some(at) = first_overindented_line(source.text()) {
        return Err(FormatError::IndentationLimit(at));
    }
    if let Some(at) = first_excess_marked_key(source.text()) {
        return Err(FormatError::TooManyMarkedKeys(at));
    }
    let lines = LayoutOptions { print_width: MAX_LINE_WIDTH, ..LayoutOptions::default() };
    let options = FormatOptions { layout: lines, ..FormatOptions::default() };
    let text = pretty_yaml::format_text(&normalized_for_parser(source.text()), &options)
        .map_err(|_| FormatError::ContentChange)?;
    let text =
        with_parsed(source, &text, |document, file| comments::restore_comments((tree, source), (&document.tree, file)));
    let is_unchanged = with_parsed(source, &text, |document, file| has_same_content((tree, source), (document, file)));
    if is_unchanged { Ok(text) } else { Err(FormatError::ContentChange) }
}

/// Rewrites a text to avoid limitations of the underlying parser. Every line ends with a line feed, since the parser counts a carriage
/// return, itself a line end, as a column. Blanks on the last line are removed, a comment on the last line ends with a line feed, and
/// a deeply indented comment before the content is moved left, since the parser would count each as indentation.
fn normalized_for_parser(text: &str) -> Cow<'_, str> {
    let mut text: Cow<'_, str> =
        if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n").into() } else { text.into() };
    let last = text.rsplit('\n').next().unwrap_or_default();
    if is_comment(last) {
        text.to_mut().push('\n');
    } else if !last.is_empty() && content(last).is_empty() {
        let end = text.len() - last.len();
        text.to_mut().truncate(end);
    }
    let mut lines = text.split('\n').filter(|line| !content(line).is_empty());
    let first = lines.next().filter(|first| is_comment(first) && indentation(first) > MAX_INDENT);
    if let Some(first) = first {
        let columns = lines.find(|line| !is_comment(line)).map_or(0, |line| line.len() - content(line).len());
        let nearer = format!("{}{}", " ".repeat(columns), content(first));
        text = text.replacen(first, &nearer, 1).into();
    }
    text
}

/// Returns the byte offset of the first line that is indented too far. Blank lines and comment lines may have any indentation.
fn first_overindented_line(text: &str) -> Option<usize> {
    let is_too_far = |line: &str| !content(line).is_empty() && !is_comment(line) && indentation(line) > MAX_INDENT;
    lines(text).find(|(_, line)| is_too_far(line)).map(|(at, _)| at)
}

/// Returns the byte offset of the first line in excess of [`MAX_MARKED_KEYS`] that begins with an empty key, an anchor or a tag.
fn first_excess_marked_key(text: &str) -> Option<usize> {
    let is_marked = |line: &str| {
        let has_empty_key =
            |rest: &str| rest.starts_with(':') && rest[1..].starts_with([' ', '\t', '#']) || rest == ":";
        has_empty_key(line.trim_start_matches([' ', '\t', '-', '?'])) || content(line).starts_with(['&', '!'])
    };
    lines(text).filter(|(_, line)| is_marked(line)).nth(MAX_MARKED_KEYS).map(|(at, _)| at)
}

/// Iterates over the lines of a text, with their byte offsets.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut start = 0;
    text.split(['\n', '\r']).map(move |line| {
        let at = start;
        start += line.len() + 1;
        (at, line)
    })
}

/// Returns a line without leading blanks.
fn content(line: &str) -> &str {
    line.trim_start_matches([' ', '\t'])
}

/// Whether a line contains only a comment.
fn is_comment(line: &str) -> bool {
    content(line).starts_with('#')
}

/// Returns the number of leading columns that are blanks or indicators, each indicator followed by a blank.
fn indentation(line: &str) -> usize {
    let bytes = line.as_bytes();
    let blank = |at: usize| bytes.get(at).is_none_or(|byte| matches!(byte, b' ' | b'\t'));
    let indents = |at: &usize| blank(*at) || (matches!(bytes[*at], b'-' | b'?' | b':') && blank(at + 1));
    (0..bytes.len()).take_while(indents).count()
}

/// Parses another text under the name of a source and applies a function to the result.
fn with_parsed<T>(source: &SourceFile, text: &str, function: impl FnOnce(&ParsedDocument, &SourceFile) -> T) -> T {
    let mut sources = Sources::new();
    let id = sources.add(source.name(), text);
    let parsed_source = sources.file(id);
    function(&yaml::parse(parsed_source), parsed_source)
}

/// Whether a text has the same values and comments as a tree, in the same order.
fn has_same_content(
    (tree, source): (&Tree, &SourceFile),
    (other, other_source): (&ParsedDocument, &SourceFile),
) -> bool {
    let comments = |tree: &Tree, source: &SourceFile| -> Vec<String> {
        tree.comments().iter().map(|span| source.slice(*span).trim_end().to_owned()).collect()
    };
    !other.diagnostics.iter().any(Diagnostic::is_error)
        && comments(tree, source) == comments(&other.tree, other_source)
        && match (tree.root(), other.tree.root()) {
            (Some(one), Some(other)) => nodes_equal(one, other),
            (one, other) => one.is_none() && other.is_none(),
        }
}

/// Whether two nodes have the same content. The recursion is bounded by [`yaml::MAX_DEPTH`], the work, with aliases expanded, by
/// [`yaml::MAX_NODES`].
fn nodes_equal(one: Node<'_>, other: Node<'_>) -> bool {
    if let (Some(one), Some(other)) = (one.scalar(), other.scalar()) {
        return one.text == other.text && one.style == other.style;
    }
    if let (Some(mut one), Some(mut other)) = (one.items(), other.items()) {
        return one.len() == other.len() && one.all(|item| other.next().is_some_and(|other| nodes_equal(item, other)));
    }
    if let (Some(mut one), Some(mut other)) = (one.entries(), other.entries()) {
        return one.len() == other.len()
            && one.all(|entry| {
                other
                    .next()
                    .is_some_and(|other| entry.key.text == other.key.text && nodes_equal(entry.value, other.value))
            });
    }
    false
}

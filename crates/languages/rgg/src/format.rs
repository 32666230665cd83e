//! The layout of games: indentation, spaces and line breaks by one rule, comments and everything else as written.

use std::borrow::Cow;

use goalspec_syntax::{Diagnostic, SourceFile, Sources, Span};
use pretty_yaml::config::{FormatOptions, LayoutOptions};

mod comments;

use crate::codes;
use crate::yaml::{self, Node, Parsed, Tree};

/// Columns that a line should have at the most.
const WIDTH: usize = 120;

/// Columns that a line may be indented by, indicators such as `- ` included. The parser behind the layout keeps indentations as the bits of
/// a word, and fails beyond.
pub const MAX_INDENT: usize = 60;

/// Most lines that begin with an empty key, or with an anchor or a tag of a key. The parser behind the layout takes each for one within the
/// last, and calls itself.
pub const MAX_MARKED_KEYS: usize = 100;

/// Lays a text out. Its values and comments are the same before and after, and laying the result out changes nothing.
///
/// # Errors
/// What is wrong with the text as YAML; then it has no layout.
///
/// ```
/// let mut sources = goalspec_syntax::Sources::new();
/// let id = sources.add("demo", "teams:   [ red,blue ]   # in this order\n\n\n\nboard:\n    nodes: [a]\n");
/// let laid_out = goalspec_rgg::format::format(sources.get(id)).unwrap();
/// assert_eq!(laid_out, "teams: [red, blue] # in this order\n\nboard:\n  nodes: [a]\n");
/// ```
pub fn format(source: &SourceFile) -> Result<String, Vec<Diagnostic>> {
    let parsed = yaml::parse(source);
    if parsed.diagnostics.iter().any(Diagnostic::is_error) {
        return Err(parsed.diagnostics);
    }
    if source.text().trim().is_empty() {
        return Ok(String::new());
    }
    let start = parsed.tree.root().map_or(0, |root| root.span().start as usize);
    let refuse = |at: usize, message: String| {
        let span = Span::new(source.id(), at as u32, at as u32);
        vec![Diagnostic::error(codes::LAYOUT, span, message)]
    };
    let changes =
        || refuse(start, "this text cannot be laid out without changing what it says, so it stays as it is".into());
    let text = match pretty(&parsed.tree, source) {
        Ok(text) => text,
        Err(NoLayout::TooFarRight(at)) => {
            let message = format!("this line is indented by more than {MAX_INDENT} columns, and is not laid out");
            return Err(refuse(at, message));
        }
        Err(NoLayout::TooManyMarkedKeys(at)) => {
            let message = format!(
                "more than {MAX_MARKED_KEYS} lines begin with an empty key, an anchor or a tag, and are not laid out"
            );
            return Err(refuse(at, message));
        }
        Err(NoLayout::Changes) => return Err(changes()),
    };
    // Twice, because a result that would change again, or has no layout itself, is none.
    match read_anew(source, &text, |laid_out, anew| pretty(&laid_out.tree, anew)) {
        Ok(again) if again == text => Ok(text),
        Err(NoLayout::TooFarRight(_)) => {
            let message = format!(
                "laid out, this text has lines indented by more than {MAX_INDENT} columns, so it stays as it is"
            );
            Err(refuse(start, message))
        }
        _ => Err(changes()),
    }
}

/// Why a text has no layout.
enum NoLayout {
    /// The line that begins there is indented by more than [`MAX_INDENT`] columns.
    TooFarRight(usize),
    /// More than [`MAX_MARKED_KEYS`] lines begin with an empty key, an anchor or a tag: the first one beyond.
    TooManyMarkedKeys(usize),
    /// The layout would say something else.
    Changes,
}

/// Lays a text out once.
fn pretty(tree: &Tree, source: &SourceFile) -> Result<String, NoLayout> {
    if let Some(at) = too_far_right(source.text()) {
        return Err(NoLayout::TooFarRight(at));
    }
    if let Some(at) = too_many_marked_keys(source.text()) {
        return Err(NoLayout::TooManyMarkedKeys(at));
    }
    let lines = LayoutOptions { print_width: WIDTH, ..LayoutOptions::default() };
    let options = FormatOptions { layout: lines, ..FormatOptions::default() };
    let text = pretty_yaml::format_text(&bearable(source.text()), &options).map_err(|_| NoLayout::Changes)?;
    let text = read_anew(source, &text, |laid_out, anew| comments::settled((tree, source), (&laid_out.tree, anew)));
    let same = read_anew(source, &text, |laid_out, anew| says_the_same((tree, source), (laid_out, anew)));
    if same { Ok(text) } else { Err(NoLayout::Changes) }
}

/// A text as the parser behind the layout bears it: every line ends with a line feed, since carriage returns, which end lines as well, count
/// as columns there. Blanks behind the last line, a comment there, and one before everything else count as indentation otherwise.
fn bearable(text: &str) -> Cow<'_, str> {
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

/// Where the first line begins that is indented too far. Lines with nothing but blanks or a comment may be.
fn too_far_right(text: &str) -> Option<usize> {
    let is_too_far = |line: &str| !content(line).is_empty() && !is_comment(line) && indentation(line) > MAX_INDENT;
    lines(text).find(|(_, line)| is_too_far(line)).map(|(at, _)| at)
}

/// Where the line begins that is one too many of those with an empty key, an anchor or a tag before everything else.
fn too_many_marked_keys(text: &str) -> Option<usize> {
    let is_marked = |line: &str| {
        let has_empty_key =
            |rest: &str| rest.starts_with(':') && rest[1..].starts_with([' ', '\t', '#']) || rest == ":";
        has_empty_key(line.trim_start_matches([' ', '\t', '-', '?'])) || content(line).starts_with(['&', '!'])
    };
    lines(text).filter(|(_, line)| is_marked(line)).nth(MAX_MARKED_KEYS).map(|(at, _)| at)
}

/// The lines of a text, and where each begins.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut start = 0;
    text.split(['\n', '\r']).map(move |line| {
        let at = start;
        start += line.len() + 1;
        (at, line)
    })
}

/// A line without the blanks that it begins with.
fn content(line: &str) -> &str {
    line.trim_start_matches([' ', '\t'])
}

/// Whether a line has nothing but a comment.
fn is_comment(line: &str) -> bool {
    content(line).starts_with('#')
}

/// How many columns of a line are blanks and indicators, each of which has a blank behind it.
fn indentation(line: &str) -> usize {
    let bytes = line.as_bytes();
    let blank = |at: usize| bytes.get(at).is_none_or(|byte| matches!(byte, b' ' | b'\t'));
    let indents = |at: &usize| blank(*at) || (matches!(bytes[*at], b'-' | b'?' | b':') && blank(at + 1));
    (0..bytes.len()).take_while(indents).count()
}

/// What is made of another text of a source.
fn read_anew<T>(source: &SourceFile, text: &str, with: impl FnOnce(&Parsed, &SourceFile) -> T) -> T {
    let mut sources = Sources::new();
    let id = sources.add(source.name(), text);
    let anew = sources.get(id);
    with(&yaml::parse(anew), anew)
}

/// Whether a text has the values and comments of a tree, in their order.
fn says_the_same((tree, source): (&Tree, &SourceFile), (other, laid_out): (&Parsed, &SourceFile)) -> bool {
    let comments = |tree: &Tree, source: &SourceFile| -> Vec<String> {
        tree.comments().iter().map(|span| source.slice(*span).trim_end().to_owned()).collect()
    };
    !other.diagnostics.iter().any(Diagnostic::is_error)
        && comments(tree, source) == comments(&other.tree, laid_out)
        && match (tree.root(), other.tree.root()) {
            (Some(one), Some(other)) => same(one, other),
            (one, other) => one.is_none() && other.is_none(),
        }
}

/// Whether two nodes have the same content. The depth of trees is bounded by [`yaml::MAX_DEPTH`], their size with aliases written out
/// by [`yaml::MAX_NODES`].
fn same(one: Node<'_>, other: Node<'_>) -> bool {
    if let (Some(one), Some(other)) = (one.scalar(), other.scalar()) {
        return one.text == other.text && one.style == other.style;
    }
    if let (Some(mut one), Some(mut other)) = (one.items(), other.items()) {
        return one.len() == other.len() && one.all(|item| other.next().is_some_and(|other| same(item, other)));
    }
    if let (Some(mut one), Some(mut other)) = (one.entries(), other.entries()) {
        return one.len() == other.len()
            && one.all(|entry| {
                other.next().is_some_and(|other| entry.key.text == other.key.text && same(entry.value, other.value))
            });
    }
    false
}

//! Canonical formatting of programs, for every language written in s-expressions.
//!
//! Formatting works on the tree and does not require a correct program. Comments, order, spelling, and up to two blank lines between
//! programs (one inside them) are preserved; only whitespace and line ends change. A list stands on one line if it fits and
//! holds no comment; otherwise its items stand on lines of their own. A top-level list that the tree does not hold completely,
//! because parentheses are missing or characters are invalid, is left unchanged.
//!
//! A [`Style`] names the lists of a language that are laid out differently.

mod list_layout;
mod printer;

use std::fmt::Write as _;

use crate::codes;
use crate::diagnostic::{Code, Diagnostic};
use crate::sexp::{self, Parse};
use crate::source::{SourceFile, Sources, lines};

pub use list_layout::ListLayout;
use printer::Printer;

/// Maximum number of consecutive blank lines kept between programs.
const BLANK_LINES: usize = 2;

/// The formatting rules of a language. Lists are identified by their first word.
#[derive(Debug, Clone, Copy)]
pub struct Style {
    /// The target line width, in characters.
    pub width: usize,
    /// Lists that never stand on one line.
    pub multiline: &'static [&'static str],
    /// Lists that open on the line of the enclosing list, and close together with it, if they are its last remaining item.
    pub hugged: &'static [&'static str],
    /// Lists whose items are not indented.
    pub flush: &'static [&'static str],
    /// Lists of typed names, `a b - c  d - e`, with one line per type.
    pub grouped: &'static [&'static str],
    /// Lists in which a keyword (a word with a leading colon) and the item after it share a line.
    pub keyword_values: &'static [&'static str],
    /// Returns the number of items that stay on the line of the opening parenthesis if a list does not fit on one line.
    pub header_items: fn(&ListLayout) -> usize,
}

/// Formats a program whose tree is already parsed.
///
/// If parentheses are missing or misplaced, the tree is partly a guess based on the layout, and a new layout may lead to
/// another guess. A text for which that happens is returned unchanged, and so is a text that is too large to be read completely.
pub fn format_tree(source: &SourceFile, tree: &Parse, style: &Style) -> String {
    if tree.diagnostics.iter().any(|diagnostic| diagnostic.code == codes::TOO_LARGE) {
        return source.text().to_owned();
    }
    let formatted = lay_out(source, tree, style);
    let mut sources = Sources::new();
    let id = sources.add(source.name(), formatted.as_str());
    let again = sources.file(id);
    let tree_again = sexp::parse(again);
    let same_codes = tree.diagnostics.iter().map(code).eq(tree_again.diagnostics.iter().map(code));
    let is_stable = || lay_out(again, &tree_again, style) == formatted;
    if same_codes && tree.tree.eq_ignoring_layout(&tree_again.tree) && is_stable() {
        formatted
    } else {
        source.text().to_owned()
    }
}

fn code(diagnostic: &Diagnostic) -> Code {
    diagnostic.code
}

fn lay_out(source: &SourceFile, tree: &Parse, style: &Style) -> String {
    let text = source.text();
    let mut output = String::with_capacity(text.len());
    // A byte order mark at the start is dropped.
    let mut end = text.len() - crate::source::without_byte_order_mark(text).len();
    for root in tree.roots() {
        let span = root.span();
        between(text.get(end..span.start as usize).unwrap_or_default(), &mut output);
        end = span.end as usize;
        let text_of_item = source.slice(span);
        let printed = Printer::new(text, style).print(&ListLayout::of(root, style));
        output.push_str(if eq_ignoring_whitespace(text_of_item, &printed) { &printed } else { text_of_item });
    }
    between(text.get(end..).unwrap_or_default(), &mut output);
    let used = output.trim_end().len();
    output.truncate(used);
    if !output.is_empty() {
        output.push('\n');
    }
    output
}

/// Whether two texts differ only in whitespace.
fn eq_ignoring_whitespace(one: &str, other: &str) -> bool {
    let visible = |letter: &char| !letter.is_whitespace();
    one.chars().filter(visible).eq(other.chars().filter(visible))
}

/// Writes the text between two programs: comments, blank lines and loose text.
fn between(gap: &str, output: &mut String) {
    // The text after the last line end counts as a line, too.
    let rest = gap.ends_with(['\n', '\r']) || gap.is_empty();
    let mut lines = lines(gap).chain(rest.then_some("")).map(str::trim);
    let mut blank = 0;
    if !output.is_empty() {
        // The rest of the line on which the previous program ended.
        let rest = lines.next().unwrap_or_default();
        if !rest.is_empty() {
            output.push_str(if rest.starts_with(';') { "  " } else { " " });
            output.push_str(rest);
        }
        output.push('\n');
    }
    for line in lines {
        if line.is_empty() {
            blank += 1;
            continue;
        }
        blank_lines(blank, output);
        blank = 0;
        output.push_str(line);
        output.push('\n');
    }
    // The last piece is the start of the line on which the next program begins, not a line of its own.
    blank_lines(blank.saturating_sub(1), output);
}

fn blank_lines(count: usize, output: &mut String) {
    if !output.is_empty() {
        for _ in 0..count.min(BLANK_LINES) {
            output.push('\n');
        }
    }
}

/// Returns the changes from `before` to `after` as a unified diff, or `None` if the texts are equal.
pub fn diff(name: &str, before: &str, after: &str) -> Option<String> {
    if before == after {
        return None;
    }
    let changes = similar::TextDiff::from_lines(before, after);
    let mut output = String::new();
    let (old, new) = (name.to_owned(), format!("{name} (formatted)"));
    // Writing to a string cannot fail.
    let _ = write!(output, "{}", changes.unified_diff().header(&old, &new));
    Some(output)
}

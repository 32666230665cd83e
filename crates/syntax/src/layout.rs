//! Canonical layout of programs, for every language written in lists.
//!
//! Formatting works on the tree, so it needs no correct program: comments, order, spelling, and up to two blank lines between
//! programs (one inside of them) stay as they are; only blanks and line ends change. A list stands on one line where it fits and
//! holds no comment; otherwise its parts stand on lines of their own. A top-level list that the tree does not hold completely,
//! because parentheses are missing or characters make no sense, is left as it is.
//!
//! A language says with a [`Style`] which of its lists are laid out in other ways.

mod outline;
mod printer;

use std::fmt::Write as _;

use crate::codes;
use crate::diagnostic::{Code, Diagnostic};
use crate::sexp::{self, Parse};
use crate::source::{SourceFile, Sources, lines};

pub use outline::Outline;
use printer::Printer;

/// Most blank lines that are kept between programs.
const BLANK_LINES: usize = 2;

/// What is particular about the layout of a language. Lists are told apart by the word they start with.
#[derive(Debug, Clone, Copy)]
pub struct Style {
    /// The width that lines keep to where that is possible, in characters.
    pub width: usize,
    /// Lists that never stand on one line.
    pub broken: &'static [&'static str],
    /// Lists that, where they are all that is left of the list around them, open on its line and close together with it.
    pub hugged: &'static [&'static str],
    /// Lists whose parts are not indented.
    pub flush: &'static [&'static str],
    /// Lists of typed names, `a b - c  d - e`, with a line for each type.
    pub grouped: &'static [&'static str],
    /// Lists in which a word with a colon and the part behind it share a line.
    pub paired: &'static [&'static str],
    /// How many items stay on the line of the opening parenthesis where a list does not fit on one line.
    pub header: fn(&Outline) -> usize,
}

/// Lays out a program whose tree is at hand.
///
/// Where parentheses are missing or misplaced, the tree is partly a guess that goes by the layout, and another layout may lead to
/// another guess. A text for which that happens stays as it is altogether; so does one that is too large to be read to its end.
pub fn format_tree(source: &SourceFile, tree: &Parse, style: &Style) -> String {
    if tree.diagnostics.iter().any(|diagnostic| diagnostic.code == codes::TOO_LARGE) {
        return source.text().to_owned();
    }
    let formatted = lay_out(source, tree, style);
    let mut sources = Sources::new();
    let id = sources.add(source.name(), formatted.as_str());
    let again = sources.get(id);
    let tree_again = sexp::parse(again);
    let same_codes = tree.diagnostics.iter().map(code).eq(tree_again.diagnostics.iter().map(code));
    let is_stable = || lay_out(again, &tree_again, style) == formatted;
    if same_codes && tree.tree.says_the_same(&tree_again.tree) && is_stable() {
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
    let mut out = String::with_capacity(text.len());
    // A byte order mark at the start is dropped.
    let mut end = text.len() - text.strip_prefix('\u{feff}').unwrap_or(text).len();
    for root in tree.roots() {
        let span = root.span();
        between(text.get(end..span.start as usize).unwrap_or_default(), &mut out);
        end = span.end as usize;
        let written = source.slice(span);
        let printed = Printer::new(text, style).print(&Outline::of(root, style));
        out.push_str(if says_the_same(written, &printed) { &printed } else { written });
    }
    between(text.get(end..).unwrap_or_default(), &mut out);
    let used = out.trim_end().len();
    out.truncate(used);
    if !out.is_empty() {
        out.push('\n');
    }
    out
}

/// Whether two texts differ in nothing but blanks and line ends.
fn says_the_same(one: &str, other: &str) -> bool {
    let visible = |letter: &char| !letter.is_whitespace();
    one.chars().filter(visible).eq(other.chars().filter(visible))
}

/// Writes what stands between two programs: comments, blank lines, and whatever else there is.
fn between(gap: &str, out: &mut String) {
    // What stands behind the last line end counts as a line, too.
    let rest = gap.ends_with(['\n', '\r']) || gap.is_empty();
    let mut lines = lines(gap).chain(rest.then_some("")).map(str::trim);
    let mut blank = 0;
    if !out.is_empty() {
        // The rest of the line on which the program before ended.
        let rest = lines.next().unwrap_or_default();
        if !rest.is_empty() {
            out.push_str(if rest.starts_with(';') { "  " } else { " " });
            out.push_str(rest);
        }
        out.push('\n');
    }
    for line in lines {
        if line.is_empty() {
            blank += 1;
            continue;
        }
        blank_lines(blank, out);
        blank = 0;
        out.push_str(line);
        out.push('\n');
    }
    // The last piece is the start of the line on which the next program begins, not a line by itself.
    blank_lines(blank.saturating_sub(1), out);
}

fn blank_lines(count: usize, out: &mut String) {
    if !out.is_empty() {
        for _ in 0..count.min(BLANK_LINES) {
            out.push('\n');
        }
    }
}

/// The changes from one text to another as a unified diff; nothing where there are none.
pub fn diff(name: &str, before: &str, after: &str) -> Option<String> {
    if before == after {
        return None;
    }
    let changes = similar::TextDiff::from_lines(before, after);
    let mut out = String::new();
    let (old, new) = (name.to_owned(), format!("{name} (formatted)"));
    // Writing to a string cannot fail.
    let _ = write!(out, "{}", changes.unified_diff().header(&old, &new));
    Some(out)
}

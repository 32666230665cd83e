//! The layout of games: indentation, spaces and line breaks by one rule, comments and everything else as written.

use goalspec_syntax::{Diagnostic, SourceFile, Sources, Span};
use pretty_yaml::config::{FormatOptions, LayoutOptions};

use crate::codes;
use crate::yaml::{self, Node, Tree};

/// Columns that a line should have at the most.
const WIDTH: usize = 120;

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
    let lines = LayoutOptions { print_width: WIDTH, ..LayoutOptions::default() };
    let options = FormatOptions { layout: lines, ..FormatOptions::default() };
    let pretty = |text: &str| pretty_yaml::format_text(text, &options).ok();
    let laid_out = pretty(source.text()).filter(|laid_out| says_the_same(&parsed.tree, source, laid_out));
    // Twice, because a result that would change again is no layout.
    let stable = laid_out.filter(|laid_out| pretty(laid_out).as_ref() == Some(laid_out));
    stable.ok_or_else(|| {
        let message = "this text cannot be laid out without changing what it says, so it stays as it is";
        let start = parsed.tree.root().map_or(0, |root| root.span().start);
        vec![Diagnostic::error(codes::LAYOUT, Span::new(source.id(), start, start), message)]
    })
}

/// Whether a text has the values and comments of a tree, in their order.
fn says_the_same(tree: &Tree, source: &SourceFile, laid_out: &str) -> bool {
    let mut sources = Sources::new();
    let id = sources.add(source.name(), laid_out);
    let other = yaml::parse(sources.get(id));
    let comments = |tree: &Tree, source: &SourceFile| -> Vec<String> {
        tree.comments().iter().map(|span| source.slice(*span).trim_end().to_owned()).collect()
    };
    !other.diagnostics.iter().any(Diagnostic::is_error)
        && comments(tree, source) == comments(&other.tree, sources.get(id))
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

//! The formatter of domains and problems: [`goalspec_syntax::layout`] with the style of PDDL.

use goalspec_syntax::SourceFile;
use goalspec_syntax::layout::{self, ListLayout, Style};
use goalspec_syntax::sexp::{self, Parse};

pub use goalspec_syntax::layout::diff;

/// The preferred maximum line width, in characters.
pub const WIDTH: usize = 100;

const STYLE: Style = Style {
    width: WIDTH,
    multiline: &["define", ":objects", ":constants", ":types", ":init", ":predicates", ":action", ":durative-action"],
    hugged: &["and", "or", "not"],
    flush: &[],
    grouped: &[":objects", ":constants", ":types"],
    keyword_values: &[":action", ":durative-action"],
    header_items: header,
};

fn header(list: &ListLayout) -> usize {
    match list.head() {
        Some("forall" | "exists" | "define" | ":derived") if list.is_list(1) => 2,
        Some(":objects" | ":constants" | ":types") => 1,
        Some(":action" | ":durative-action") => list.leading_atom_count().min(2),
        _ => list.leading_atom_count(),
    }
}

/// Formats a source text. The formatter is idempotent.
///
/// ```
/// let mut sources = goalspec_syntax::Sources::new();
/// let id = sources.add("demo", "(:goal   (on a\n b ) )  ; enough");
/// assert_eq!(goalspec_pddl::format::format(sources.file(id)), "(:goal (on a b))  ; enough\n");
/// ```
pub fn format(source: &SourceFile) -> String {
    format_tree(source, &sexp::parse(source))
}

/// Formats a source text with a given tree.
///
/// The text is returned unchanged if its parentheses are unbalanced in such a way that another layout would change its meaning.
pub fn format_tree(source: &SourceFile, tree: &Parse) -> String {
    layout::format_tree(source, tree, &STYLE)
}

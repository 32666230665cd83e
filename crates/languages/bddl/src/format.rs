//! Formatter of activities and domains: [`goalspec_syntax::layout`] in the style of BDDL.

use goalspec_syntax::SourceFile;
use goalspec_syntax::layout::{self, ListLayout, Style};
use goalspec_syntax::sexp::{self, Parse};

pub use goalspec_syntax::layout::diff;

/// The maximum line width, in characters; a line exceeds it only if it cannot be broken.
pub const WIDTH: usize = 100;

const STYLE: Style = Style {
    width: WIDTH,
    multiline: &["define", ":objects", ":fixtures", ":types", ":init", ":goal", ":predicates", ":regions", ":action"],
    hugged: &["and", "or", "not"],
    flush: &[],
    grouped: &[":objects", ":fixtures", ":types"],
    keyword_values: &[":action"],
    header_items: header,
};

fn header(list: &ListLayout) -> usize {
    let variables = |from: usize, end: usize| from + (from..end).take_while(|&index| list.is_list(index)).count();
    match list.head() {
        Some("forall" | "exists") => variables(1, 2),
        Some("forn" | "forpairs") => variables(1, 3),
        Some("fornpairs") => variables(1, 4),
        Some("define") if list.is_list(1) => 2,
        Some(":objects" | ":fixtures" | ":types") => 1,
        Some(":action") => list.leading_atom_count().min(2),
        _ => list.leading_atom_count(),
    }
}

/// Formats a text. The result is idempotent: formatting it again returns the same text.
///
/// ```
/// let mut sources = goalspec_syntax::Sources::new();
/// let id = sources.add("demo", "(:goal   (open\n ?box.n.01_1 ) )  ; enough");
/// let formatted = goalspec_bddl::format::format(sources.file(id));
/// assert_eq!(formatted, "(:goal\n    (open ?box.n.01_1)\n)  ; enough\n");
/// ```
pub fn format(source: &SourceFile) -> String {
    format_tree(source, &sexp::parse(source))
}

/// Formats a text that has already been parsed to a tree.
///
/// A text with missing or misplaced parentheses is returned unchanged if a new layout would change how it is parsed.
pub fn format_tree(source: &SourceFile, tree: &Parse) -> String {
    layout::format_tree(source, tree, &STYLE)
}

//! Canonical layout of domains and problems: [`goalspec_syntax::layout`] in the style of PDDL.

use goalspec_syntax::SourceFile;
use goalspec_syntax::layout::{self, Outline, Style};
use goalspec_syntax::sexp::{self, Parse};

pub use goalspec_syntax::layout::diff;

/// The width that lines keep to where that is possible, in characters.
pub const WIDTH: usize = 100;

const STYLE: Style = Style {
    width: WIDTH,
    broken: &["define", ":objects", ":constants", ":types", ":init", ":predicates", ":action", ":durative-action"],
    hugged: &["and", "or", "not"],
    flush: &[],
    grouped: &[":objects", ":constants", ":types"],
    paired: &[":action", ":durative-action"],
    header,
};

fn header(list: &Outline) -> usize {
    match list.head() {
        Some("forall" | "exists" | "define" | ":derived") if list.is_list(1) => 2,
        Some(":objects" | ":constants" | ":types") => 1,
        Some(":action" | ":durative-action") => list.atoms().min(2),
        _ => list.atoms(),
    }
}

/// Lays out a text. Formatting the result again gives the same text.
///
/// ```
/// let mut sources = goalspec_syntax::Sources::new();
/// let id = sources.add("demo", "(:goal   (on a\n b ) )  ; enough");
/// assert_eq!(goalspec_pddl::format::format(sources.get(id)), "(:goal (on a b))  ; enough\n");
/// ```
pub fn format(source: &SourceFile) -> String {
    format_tree(source, &sexp::parse(source))
}

/// Lays out a text whose tree is at hand.
///
/// A text whose parentheses are missing or misplaced in such a way that another layout would lead to another reading stays as it
/// is.
pub fn format_tree(source: &SourceFile, tree: &Parse) -> String {
    layout::format_tree(source, tree, &STYLE)
}

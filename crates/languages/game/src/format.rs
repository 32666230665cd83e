//! Canonical layout of programs: [`goalspec_syntax::layout`] in the style of the game language.

use goalspec_syntax::SourceFile;
use goalspec_syntax::layout::{self, ListLayout, Style};
use goalspec_syntax::sexp::{self, Parse};

pub use goalspec_syntax::layout::diff;

/// The preferred maximum line width, in characters.
pub const WIDTH: usize = 100;

const STYLE: Style = Style {
    width: WIDTH,
    multiline: &["define", ":constraints", "preference", "then"],
    hugged: &["and", "or", "not", "+", "*", "-", "external-forall-maximize", "external-forall-minimize"],
    // The sections of a game are not indented.
    flush: &["define"],
    grouped: &[],
    keyword_values: &[],
    header_items: header,
};

fn header(list: &ListLayout) -> usize {
    let atoms = list.leading_atom_count();
    match list.head() {
        Some("exists" | "forall") if atoms == 1 && list.is_list(1) => 2,
        Some("define") if list.is_list_with_head(1, "game") => 2 + usize::from(list.is_list_with_head(2, ":domain")),
        _ => atoms,
    }
}

/// Formats a program. Formatting is idempotent.
///
/// ```
/// let mut sources = goalspec_syntax::Sources::new();
/// let id = sources.add("demo", "(:terminal   (>= (total-score)\n 10 ) )  ; enough");
/// let formatted = goalspec_game::format::format(sources.file(id));
/// assert_eq!(formatted, "(:terminal (>= (total-score) 10))  ; enough\n");
/// ```
pub fn format(source: &SourceFile) -> String {
    format_tree(source, &sexp::parse(source))
}

/// Formats a program from its parsed tree.
///
/// If parentheses are missing or misplaced, error recovery depends on the layout, and a new layout may change the recovered tree. In
/// that case the source text is returned unchanged.
pub fn format_tree(source: &SourceFile, tree: &Parse) -> String {
    layout::format_tree(source, tree, &STYLE)
}

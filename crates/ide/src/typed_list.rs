//! Variables and objects with their types, read from lists as they are written, also in broken text.

use goalspec::syntax::sexp::{Atom, AtomKind, Cursor, List, Sexp};

/// A name of a typed list with the types that follow it.
#[derive(Debug, Clone)]
pub(crate) struct TypedName<'t> {
    pub(crate) name: Atom<'t>,
    /// The types; empty if none is written.
    pub(crate) types: Vec<&'t str>,
}

/// Reads `NAME .. - TYPE ..` up to the end of the items.
pub(crate) fn typed_names<'t>(items: impl Iterator<Item = Sexp<'t>>) -> Vec<TypedName<'t>> {
    let mut names: Vec<TypedName<'t>> = Vec::new();
    let mut untyped = 0;
    let mut follows_dash = false;
    for item in items {
        if follows_dash {
            let types = type_names(item);
            names[untyped..].iter_mut().for_each(|name| name.types.clone_from(&types));
            untyped = names.len();
            follows_dash = false;
        } else if let Some(atom) = item.as_atom() {
            follows_dash = atom.text() == "-";
            if !follows_dash {
                names.push(TypedName { name: atom, types: Vec::new() });
            }
        }
    }
    names
}

/// Returns the names in `TYPE` or `(either TYPE ..)`.
fn type_names(item: Sexp<'_>) -> Vec<&str> {
    match item {
        Sexp::Atom(atom) => vec![atom.text()],
        Sexp::List(list) => list.items().skip(1).filter_map(Sexp::as_atom).map(Atom::text).collect(),
    }
}

/// Returns the variables in scope at a place, innermost last. A variable is declared by a list of variables in a list around the place,
/// before the place, as in `(exists (?b - ball) ..)` and `:parameters (?b - ball)`, or by the head of a rule, as in `(:derived (p ?b) ..)`.
pub(crate) fn variables_in_scope<'t>(cursor: &Cursor<'t>, offset: u32) -> Vec<TypedName<'t>> {
    let before = |list: &List<'t>| list.span().end <= offset;
    let mut variables = Vec::new();
    for around in &cursor.lists {
        let is_rule = around.head().is_some_and(|head| head.text().eq_ignore_ascii_case(":derived"));
        for list in around.items().filter_map(Sexp::as_list).filter(before) {
            let declares = list.head().is_some_and(|head| head.kind() == AtomKind::Variable);
            if declares {
                variables.extend(typed_names(list.items()));
            } else if is_rule {
                variables.extend(typed_names(list.items().skip(1)));
            }
        }
    }
    variables
}

//! The occurrences of names in a game, for editors: teams, nodes, resources, actions, parameters and intermediate values, also within
//! expressions, templates, constraints and the arguments of tests.
//!
//! Names are collected from the YAML tree, also of a game with errors, and resolved by the rules of [`lower`](mod@crate::lower). A field
//! `node.resource` has two occurrences. A resource that is also read or written without its node, as in filters of nodes or `_target.x`, is
//! one symbol on all nodes; any other resource is a symbol of its node.

mod collect;
mod resolve;

use std::sync::Arc;

use goalspec_resource::game::NOTHING_ACTION;
use goalspec_syntax::symbols::{Occurrence, SymbolKind};
use goalspec_syntax::{SourceFile, Span};
use rustc_hash::FxHashMap;

use crate::dialect::Dialect;
use crate::yaml;
use collect::Collector;

/// The maximum number of keys and values of a text in which names are collected, with aliases expanded.
pub const MAX_NODES: usize = 1 << 18;

/// The owner of names that the language defines.
pub const LANGUAGE: &str = "resource graph games";

/// The name of the set of observers of a node.
pub(crate) const OBSERVABLE: &str = "observable";

/// Names that have a meaning in the language.
const RESERVED: [&str; 5] = [OBSERVABLE, NOTHING_ACTION, "_node", "_source", "_target"];

/// The occurrences of names in a game.
#[derive(Debug, Clone, Default)]
pub struct GameOccurrences {
    /// The occurrences, in the order of the text.
    pub list: Vec<Occurrence>,
    /// The declaration of the resource of one node, by the span of an occurrence that names the node, for resources that are one symbol on
    /// all nodes.
    pub declarations_of_node: FxHashMap<Span, Span>,
    /// The texts whose names have no occurrence: folded and escaped ones, and regular expressions that nodes and teams are matched with.
    pub unlinked_texts: Vec<Arc<str>>,
}

/// Returns the occurrences of names in a text; none if it is not valid YAML or has more than [`MAX_NODES`] keys and values.
///
/// ```
/// let text = "teams: [red]\nboard: {nodes: [a]}\nresourceSpace: {a: {x: int(1)}}\nrewards: {red: {Calculate: '2 * {a.x}'}}";
/// let mut sources = goalspec_syntax::Sources::new();
/// let id = sources.add("demo", text);
/// let file = sources.file(id);
/// let found = goalspec_rgg::occurrences::occurrences(file, goalspec_rgg::Dialect::DOCUMENTED).list;
/// let names: Vec<&str> = found.iter().map(|own| file.slice(own.span)).collect();
/// assert_eq!(names, ["red", "a", "a", "x", "red", "a", "x"]);
/// ```
pub fn occurrences(source: &SourceFile, dialect: Dialect) -> GameOccurrences {
    let parsed = yaml::parse(source);
    let Some(root) = parsed.tree.root() else { return GameOccurrences::default() };
    let names = Collector::new(source).collect(root);
    resolve::resolve(&names, dialect)
}

/// Whether a name may be given to a symbol: it starts with a letter, has no character with a meaning in YAML, constraints or expressions, is not
/// read as another value, and has no meaning in the language.
pub fn is_valid_name(kind: SymbolKind, name: &str) -> bool {
    let is_inner = |letter: char| letter.is_alphanumeric() || "_- ".contains(letter);
    let is_action = kind == SymbolKind::Action;
    name.starts_with(|letter: char| letter.is_alphabetic() || letter == '_')
        && !name.ends_with(' ')
        && name.chars().all(|letter| is_inner(letter) || is_action && "()".contains(letter))
        && yaml::is_plain_text(name)
        && !RESERVED.contains(&name)
}

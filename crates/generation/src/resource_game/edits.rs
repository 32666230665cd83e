//! The edits by which a variation differs from its example.

use goalspec_generator::RandomStream;
use goalspec_generator::grammar::{Symbol, TokenSource};
use goalspec_generator::productions::Productions as _;
use goalspec_generator::tree::{Tree, TreeBuilder};

use super::generator::ResourceGameGenerator;
use super::lexicon::literals;
use super::rules::{self, Rule};

/// A kind of change by which a variation differs from its example.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GameEdit {
    /// A part is replaced by a new one.
    Regrow,
    /// A part is added to a list.
    Insert,
    /// A part is removed from a list.
    Delete,
    /// A number is changed.
    Number,
    /// A resource takes the place of another.
    Resource,
    /// An action is copied under a new name, for the same teams.
    Copy,
}

impl GameEdit {
    /// All edits.
    pub const ALL: [Self; 6] = [Self::Regrow, Self::Insert, Self::Delete, Self::Number, Self::Resource, Self::Copy];

    /// Returns the name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Regrow => "regrow",
            Self::Insert => "insert",
            Self::Delete => "delete",
            Self::Number => "number",
            Self::Resource => "resource",
            Self::Copy => "copy",
        }
    }
}

/// Returns a game with one edit; `None` if it has no place for it or stays the same.
pub(super) fn edited(
    generator: &ResourceGameGenerator<'_>,
    tree: &Tree,
    edit: GameEdit,
    stream: &mut RandomStream,
) -> Option<Tree> {
    let is_editable = |symbol: Symbol| generator.is_editable(symbol);
    let operators = generator.operators(&is_editable);
    let edited = match edit {
        GameEdit::Regrow => operators.regrow(tree, &operators.nodes(tree), stream)?,
        GameEdit::Insert => operators.insert(tree, stream)?,
        GameEdit::Delete => operators.delete(tree, stream)?,
        GameEdit::Number => return number(generator, tree, stream),
        GameEdit::Resource => resource(generator, tree, stream)?,
        GameEdit::Copy => return copy(generator, tree, stream),
    };
    generator.bind(&edited, stream).filter(|bound| bound != tree)
}

fn pick<T: Copy>(items: &[T], stream: &mut RandomStream) -> Option<T> {
    items.get(stream.below(items.len().max(1) as u64) as usize).copied()
}

/// Returns a game with another number.
fn number(generator: &ResourceGameGenerator<'_>, tree: &Tree, stream: &mut RandomStream) -> Option<Tree> {
    let lexicon = generator.lexicon();
    let all = (0..tree.len()).flat_map(|entry| literals(tree, entry));
    let places: Vec<usize> = all.filter(|&entry| !lexicon.near(tree.symbol(entry)).is_empty()).collect();
    let place = pick(&places, stream)?;
    let new = pick(lexicon.near(tree.symbol(place)), stream)?;
    let mut edited = tree.clone();
    edited.set_symbol(place, new);
    Some(edited)
}

/// Returns a game with a hole in place of a field.
fn resource(generator: &ResourceGameGenerator<'_>, tree: &Tree, stream: &mut RandomStream) -> Option<Tree> {
    let grammar = generator.grammar();
    let mut places = Vec::new();
    for entry in 0..tree.len() {
        let symbol = tree.symbol(entry);
        let children: Vec<usize> = tree.children(entry).collect();
        let Some(fields) = grammar.assign(symbol, children.iter().map(|&child| tree.symbol(child))) else { continue };
        for (&child, &field) in children.iter().zip(&fields) {
            let source = &grammar.fields(symbol)[field];
            if matches!(source.tokens, TokenSource::Names(rules::FIELDS | rules::PLACES)) {
                places.push(child);
            }
        }
    }
    let mut edited = tree.clone();
    edited.set_symbol(pick(&places, stream)?, generator.lexicon().hole);
    Some(edited)
}

/// Returns a game with a copy of an action and, beside each choice of it, a choice of the copy.
fn copy(generator: &ResourceGameGenerator<'_>, tree: &Tree, stream: &mut RandomStream) -> Option<Tree> {
    let name_of = |entry: usize| tree.child(entry, 0).map(|child| tree.symbol(child));
    let is_action = |entry: &usize| Rule::of(tree.symbol(*entry)) == Some(Rule::Action);
    let actions: Vec<usize> = (0..tree.len()).filter(is_action).collect();
    let names: Vec<Symbol> = actions.iter().filter_map(|&entry| name_of(entry)).collect();
    let name = name_of(pick(&actions, stream)?)?;
    let new = generator.lexicon().copies(name).iter().copied().find(|new| !names.contains(new))?;
    let is_own = |entry: usize| {
        matches!(Rule::of(tree.symbol(entry)), Some(Rule::Action | Rule::Choice)) && name_of(entry) == Some(name)
    };
    let mut copied = TreeBuilder::with_capacity(tree.len() * 2);
    append(tree, 0, &mut copied, &|entry, builder| {
        builder.subtrees(tree.subtree(entry));
        if is_own(entry) {
            builder.open(tree.symbol(entry));
            builder.token(new);
            tree.children(entry).skip(1).for_each(|child| builder.subtrees(tree.subtree(child)));
            builder.close();
        }
    });
    Some(copied.finish())
}

/// Appends a node, with what a function makes of its actions and choices.
fn append(tree: &Tree, entry: usize, builder: &mut TreeBuilder, content: &dyn Fn(usize, &mut TreeBuilder)) {
    let rule = Rule::of(tree.symbol(entry));
    if matches!(rule, Some(Rule::Game | Rule::ActionSpace | Rule::TeamActions | Rule::Actions)) {
        builder.open(tree.symbol(entry));
        tree.children(entry).for_each(|child| append(tree, child, builder, content));
        builder.close();
    } else {
        content(entry, builder);
    }
}

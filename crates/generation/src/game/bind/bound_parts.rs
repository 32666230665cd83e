//! Parts of a game that are bound in the same way wherever they stand.
//!
//! The setup and each entry of the preferences are bound by themselves: nothing outside of them is in scope, and they differ only in the
//! numbers of their names. If no choice is drawn, every game with such a part has the same bound part. The many variations of a game keep
//! most of its parts, which are then copied instead of bound.

use goalspec_generator::grammar::Symbol;
use goalspec_generator::tree::{Entry, Tree};
use goalspec_resource::random::RandomStream;
use smallvec::SmallVec;

use super::{Binder, BoundPreference, CanonicalNames, Rule};
use crate::game::generator::GameGenerator;

/// The number of name spaces: variables of objects, colours, orientations and sides, and preferences.
const NAME_SPACES: usize = 5;

/// The name space of preferences.
const PREFERENCES: usize = NAME_SPACES - 1;

/// A name of a bound part.
#[derive(Debug, Clone, Copy)]
struct PartName {
    /// Its position in the part.
    position: u32,
    space: u8,
    /// Its number among the names of the part in this space.
    number: u8,
}

/// A part of a game with the result of binding it.
#[derive(Debug, Clone)]
struct BoundPart {
    /// Its entry in the game.
    entry: usize,
    bound: Vec<Entry>,
    names: Vec<PartName>,
    preferences: Vec<BoundPreference>,
    /// The number of names that it takes from each space.
    counts: [usize; NAME_SPACES],
}

/// The parts of a game that are bound in the same way in each of its variations.
#[derive(Debug, Clone)]
pub(crate) struct BoundParts {
    game: Tree,
    parts: Vec<BoundPart>,
}

impl BoundParts {
    /// Returns the parts of a game.
    pub(crate) fn of(generator: &GameGenerator, game: &Tree) -> Self {
        let sections = game.children(0).filter(|&section| game.symbol(section) == Rule::ConstraintsDef.symbol());
        let entries = sections.flat_map(|section| below(game, section, Rule::PrefDef));
        let setups = game.children(0).filter(|&section| game.symbol(section) == Rule::SetupDef.symbol());
        let parts = setups.chain(entries).filter_map(|entry| BoundPart::of(generator, game, entry)).collect();
        Self { game: game.clone(), parts }
    }

    /// Returns the number of parts.
    pub(crate) fn count(&self) -> usize {
        self.parts.len()
    }

    /// Returns the part that equals a subtree of a variation, where it is as far from the beginning or from the end as in the game.
    fn find(&self, tree: &Tree, entry: usize) -> Option<&BoundPart> {
        let from_end = (entry + self.game.len()).checked_sub(tree.len());
        let is_at = |part: &&BoundPart| part.entry == entry || Some(part.entry) == from_end;
        self.parts.iter().filter(is_at).find(|part| self.game.subtree(part.entry) == tree.subtree(entry))
    }
}

/// Returns the nodes of a kind below a node, apart from those within each other.
fn below(tree: &Tree, node: usize, rule: Rule) -> Vec<usize> {
    let mut found = Vec::new();
    let mut entry = node + 1;
    while entry < tree.end(node) {
        if tree.symbol(entry) == rule.symbol() {
            found.push(entry);
            entry = tree.end(entry);
        } else {
            entry += 1;
        }
    }
    found
}

impl BoundPart {
    /// Returns a part with the result of binding it; `None` if that depends on choices.
    fn of(generator: &GameGenerator, game: &Tree, entry: usize) -> Option<Self> {
        let origin = RandomStream::new(0, 0);
        let mut stream = origin.clone();
        let mut binder = generator.binder(game, (&mut stream, false));
        binder.node(entry).ok()?;
        let [objects, colors, orientations, sides] = binder.numbers;
        let preferences = std::mem::take(&mut binder.preferences);
        let counts = [objects, colors, orientations, sides, preferences.len()];
        let bound = binder.out.since(0).to_vec();
        let names = names(generator.names(), &bound, counts);
        (stream == origin).then_some(Self { entry, bound, names, preferences, counts })
    }
}

/// Returns the names of a bound part.
fn names(canonical: &CanonicalNames, bound: &[Entry], counts: [usize; NAME_SPACES]) -> Vec<PartName> {
    let of_space = |space: usize, symbol: Symbol| {
        let names = &canonical.space(space)[..counts[space]];
        names.iter().position(|&name| name == symbol)
    };
    let tokens = bound.iter().enumerate().filter(|(_, entry)| entry.symbol.is_token());
    tokens
        .filter_map(|(position, entry)| {
            let found = (0..NAME_SPACES).find_map(|space| Some((space, of_space(space, entry.symbol)?)));
            let (space, number) = found?;
            Some(PartName { position: position as u32, space: space as u8, number: number as u8 })
        })
        .collect()
}

impl CanonicalNames {
    fn space(&self, space: usize) -> &[Symbol] {
        if space == PREFERENCES { &self.preferences } else { self.variables(space) }
    }
}

impl Binder<'_> {
    /// Adds a part that is bound as in the game that this one is made from, and returns whether it is one.
    pub(super) fn copy_bound(&mut self, entry: usize) -> bool {
        let Some(part) = self.bound_parts.and_then(|parts| parts.find(self.tree, entry)) else { return false };
        let [objects, colors, orientations, sides] = self.numbers;
        let first = [objects, colors, orientations, sides, self.preferences.len()];
        let names = self.names;
        let own: SmallVec<[&[Symbol]; NAME_SPACES]> = (0..NAME_SPACES)
            .map_while(|space| names.space(space).get(first[space]..first[space] + part.counts[space]))
            .collect();
        // Where names run out, binding decides what is left out.
        if own.len() < NAME_SPACES {
            return false;
        }
        let start = self.out.len();
        self.out.subtrees(&part.bound);
        for name in &part.names {
            self.out.set_token(start + name.position as usize, own[usize::from(name.space)][usize::from(name.number)]);
        }
        let preferences = part.preferences.iter().zip(own[PREFERENCES]);
        self.preferences.extend(preferences.map(|(part, &name)| BoundPreference { name, ..part.clone() }));
        self.numbers.iter_mut().zip(part.counts).for_each(|(number, count)| *number += count);
        true
    }
}

//! The published regrowth: a node of a game is thrown away, and the published sampler draws another one of its rule in its place.
//!
//! The node is drawn uniformly from all nodes below a node of the grammar, so the first node of a section is not among them. One of three
//! prior counts is drawn. Depth and number of nodes are limited from the regrown node on. Names are repaired afterwards, and a regrowth that
//! fails is tried again.

use goalspec_generator::RandomStream;
use goalspec_generator::grammar::{Grammar, Symbol};
use goalspec_generator::productions::Productions as _;
use goalspec_generator::tree::Tree;
use rustc_hash::FxHashSet;

use super::draw::{DrawContext, UntypedDraw, declares};
use super::repair::{Edit, repair};
use super::{FailedDraw, MAX_ATTEMPTS, PRIORS, PUBLISHED_LIMITS, UntypedSampler, declared_space};
use crate::game::generator::GameGenerator;
use crate::game::rules::Rule;

/// Maximum number of regrowths that are made for each one that is wanted, if some equal others.
pub const MAX_REGROWTHS_PER_RESULT: u64 = 4;

/// The published regrowth over a world, weighted by the corpus of a generator.
#[derive(Debug, Clone)]
pub struct UntypedRegrowth<'g> {
    generator: &'g GameGenerator,
    samplers: [UntypedSampler<'g>; PRIORS.len()],
}

/// A node of a game that is regrown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RegrownNode {
    /// Its entry.
    pub entry: usize,
    /// The entry of its parent.
    pub parent: usize,
}

impl<'g> UntypedRegrowth<'g> {
    /// Creates the regrowth with the published prior counts and limits.
    pub fn new(generator: &'g GameGenerator) -> Self {
        Self { generator, samplers: PRIORS.map(|prior| UntypedSampler::new(generator, prior, PUBLISHED_LIMITS)) }
    }

    /// Returns a game with one part drawn anew, up to [`MAX_ATTEMPTS`] times until it differs from the game.
    pub fn regrow(&self, game: &Tree, stream: &mut RandomStream) -> Option<Tree> {
        let mut game = game.clone();
        self.generator.set_titles(&mut game);
        let nodes = regrown_nodes(self.generator.grammar(), &game);
        (0..MAX_ATTEMPTS).find_map(|_| {
            let node = *nodes.get(stream.below(nodes.len() as u64) as usize)?;
            self.regrow_node(&game, node, stream).ok().filter(|regrown| *regrown != game)
        })
    }

    /// Returns a game with a node drawn anew and its names repaired.
    ///
    /// # Errors
    /// Returns the reason why the draw is thrown away.
    pub fn regrow_node(&self, game: &Tree, node: RegrownNode, stream: &mut RandomStream) -> Result<Tree, FailedDraw> {
        let sampler = &self.samplers[stream.below(self.samplers.len() as u64) as usize];
        let context = context(game, node.entry);
        let observe = &mut |_, _| ();
        let drawn = UntypedDraw::new(sampler, (stream, observe), context).draw((game.symbol(node.entry), 0))?;
        let mut regrown = game.replace(node.parent, node.entry, drawn.entries()).ok_or(FailedDraw::Nodes)?;
        let edit = Edit {
            new: node.entry..node.entry + drawn.len(),
            removed: preferences(game, node.entry..game.end(node.entry)),
        };
        repair(sampler, &mut regrown, &edit, stream)?;
        Ok(regrown)
    }

    /// Returns different regrowths of a game: those of the streams from 0 on, without repetitions. There are fewer if
    /// [`MAX_REGROWTHS_PER_RESULT`] times as many streams do not yield enough.
    pub fn regrow_different(&self, game: &Tree, count: u32, stream: impl Fn(u64) -> RandomStream) -> Vec<Tree> {
        let mut known = FxHashSet::default();
        let streams = 0..MAX_REGROWTHS_PER_RESULT * u64::from(count);
        let regrown = streams.filter_map(|index| self.regrow(game, &mut stream(index)));
        regrown.filter(|regrown| known.insert(regrown.clone())).take(count as usize).collect()
    }
}

/// Returns the nodes that are regrown: all nodes whose parent is a node of the grammar, and not the bracket of a section.
pub fn regrown_nodes(grammar: &Grammar, game: &Tree) -> Vec<RegrownNode> {
    let is_counted = |entry: usize| grammar.kind(game.symbol(entry)).is_some_and(|kind| kind.is_counted);
    let parents = game.parents();
    let nodes = parents.iter().enumerate().map(|(entry, &parent)| RegrownNode { entry, parent: parent as usize });
    nodes.filter(|node| is_counted(node.entry) && is_counted(node.parent)).collect()
}

/// Returns the names to which a node may refer: the variables in scope, and all preferences of the game.
fn context(game: &Tree, entry: usize) -> DrawContext {
    let mut scope = Vec::new();
    let mut ancestor = 0;
    while ancestor != entry {
        let mut next = entry;
        for child in game.children(ancestor) {
            if game.end(child) > entry {
                next = child;
                break;
            }
            if declares(Rule::of(game.symbol(child))) {
                add_variables(game, child, &mut scope);
            }
        }
        ancestor = next;
    }
    DrawContext { scope, preferences: preferences(game, 0..game.len()) }
}

/// Adds the variables of a declaration or of a list of them.
fn add_variables(game: &Tree, entry: usize, scope: &mut Vec<(u8, Symbol)>) {
    for line in entry..game.end(entry) {
        let Some(space) = declared_space(Rule::of(game.symbol(line))) else { continue };
        let names = game.children(line).map(|child| game.symbol(child)).filter(|name| name.is_token());
        scope.extend(names.map(|name| (space, name)));
    }
}

/// Returns the names of the preferences that some entries define, each once.
fn preferences(game: &Tree, entries: std::ops::Range<usize>) -> Vec<Symbol> {
    let mut names = Vec::new();
    for entry in entries {
        if game.symbol(entry) == Rule::Preference.symbol()
            && let Some(name) = game.children(entry).next().map(|child| game.symbol(child))
            && !names.contains(&name)
        {
            names.push(name);
        }
    }
    names
}

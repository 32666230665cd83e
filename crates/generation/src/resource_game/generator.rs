//! Generators of resource graph games, weighted by examples.

use std::fmt;

use goalspec_generator::RandomStream;
use goalspec_generator::counts::Counts;
use goalspec_generator::grammar::{Grammar, Symbol, Tokens};
use goalspec_generator::operators::Operators;
use goalspec_generator::productions::Productions;
use goalspec_generator::sampler::{DrawLimits, Sampler, SamplerOptions};
use goalspec_generator::tree::{Tree, misfit};
use goalspec_rgg::Dialect;
use goalspec_rgg::ast::Game;
use goalspec_rgg::dialect::FilterCombination;
use goalspec_rgg::lower::lower;
use goalspec_syntax::Sources;

use super::bind::Binder;
use super::draft::draft;
use super::edits::{self, GameEdit};
use super::frame::Frame;
use super::lexicon::Lexicon;
use super::names::Names;
use super::read;
use super::rules::{self, Rule};

/// The number that is added to the count of every alternative.
const PRIOR: f64 = 0.05;

/// The limits of a drawn part of a game.
const LIMITS: DrawLimits = DrawLimits { depth: 12, nodes: 48 };

/// The number of times that an edit is tried at other places.
const MAX_TRIES: u32 = 16;

/// A game that others are made like.
#[derive(Debug, Clone, Copy)]
pub struct GameExample<'a> {
    /// The text.
    pub text: &'a str,
    /// Its syntax tree, which has no errors.
    pub game: &'a Game,
    /// The dialect in which it was read.
    pub dialect: Dialect,
}

/// The reason why a game is no example.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnsupportedGame {
    /// Its tree would have more than [`MAX_TREE_ENTRIES`](goalspec_generator::tree::MAX_TREE_ENTRIES) entries.
    TooLarge,
    /// The text of its tree would be another game: it has YAML anchors in replaced sections, or constructs that only the Cage engine reads.
    NotWritable,
}

impl fmt::Display for UnsupportedGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TooLarge => "the game is too large to be varied",
            Self::NotWritable => "the game has constructs that new games cannot have",
        })
    }
}

impl std::error::Error for UnsupportedGame {}

/// An example with what its games need.
#[derive(Debug, Clone)]
struct PreparedExample {
    frame: Frame,
    names: Names,
    tree: Tree,
    dialect: Dialect,
}

/// The examples of a generator with the counts of their productions.
#[derive(Debug, Clone)]
pub struct ResourceGameCorpus {
    grammar: Grammar,
    lexicon: Lexicon,
    /// The sources of random trees, for boards without and with vectors.
    samplers: [Sampler; 2],
    examples: Vec<PreparedExample>,
}

impl ResourceGameCorpus {
    /// Creates a corpus of examples. `custom` are the names of custom results. Those that are no examples are left out; their indices and the
    /// reasons are returned.
    pub fn new(examples: &[GameExample<'_>], custom: &[&str]) -> (Self, Vec<(usize, UnsupportedGame)>) {
        let mut tokens = Tokens::default();
        let grammar = rules::grammar(&mut tokens);
        let (mut prepared, mut unsupported) = (Vec::new(), Vec::new());
        for (index, example) in examples.iter().enumerate() {
            match prepare(example, custom, &mut tokens) {
                Ok(own) => prepared.push(own),
                Err(reason) => unsupported.push((index, reason)),
            }
        }
        let trees: Vec<&Tree> = prepared.iter().map(|example| &example.tree).collect();
        let counts = Counts::of(&grammar, trees.iter().copied());
        let lexicon = Lexicon::new(tokens, &trees);
        // A `Not` is read as a filter everywhere only if all filters of a map count.
        let has_not = prepared.iter().all(|own| own.dialect.filter_combination == FilterCombination::All);
        let samplers =
            [false, true].map(|has_vectors| sampler(&grammar, &counts, lexicon.hole, (has_not, has_vectors)));
        (Self { grammar, lexicon, samplers, examples: prepared }, unsupported)
    }

    /// Returns the number of examples.
    pub fn example_count(&self) -> usize {
        self.examples.len()
    }

    /// Returns the generator of games with the frame of an example; `None` if there is no such example.
    pub fn generator(&self, example: usize) -> Option<ResourceGameGenerator<'_>> {
        self.examples.get(example).map(|example| ResourceGameGenerator { corpus: self, example })
    }
}

/// Returns an example as a tree, which has been written and read again.
fn prepare(
    example: &GameExample<'_>,
    custom: &[&str],
    tokens: &mut Tokens,
) -> Result<PreparedExample, UnsupportedGame> {
    let read = read::read(example.game, tokens).ok_or(UnsupportedGame::TooLarge)?;
    let frame = Frame::of(example.text).ok_or(UnsupportedGame::NotWritable)?;
    let text = frame.text(&read.tree, tokens, None);
    let mut sources = Sources::new();
    let id = sources.add("game", text);
    let again = goalspec_rgg::load(sources.file(id), example.dialect, custom).game;
    let game = lower(example.game, example.dialect).game;
    // Games with values that are not numbers differ from themselves.
    let is_same = game.is_some() && (game == again || format!("{game:?}") == format!("{again:?}"));
    if !is_same {
        return Err(UnsupportedGame::NotWritable);
    }
    let names = Names::new((example.game, &read.tree), read.known, tokens);
    Ok(PreparedExample { frame, names, tree: read.tree, dialect: example.dialect })
}

fn sampler(grammar: &Grammar, counts: &Counts, hole: Symbol, (has_not, has_vectors): (bool, bool)) -> Sampler {
    let mut used = vec![false; Rule::ALL.len()];
    for (index, kind) in grammar.kinds().iter().enumerate() {
        for position in 0..kind.fields.len() {
            let own = counts.field(grammar, Symbol::kind(index), position);
            own.kinds.iter().filter(|(_, count)| **count > 0).for_each(|(kind, _)| used[kind.index()] = true);
        }
    }
    let offers = |symbol: Symbol| match Rule::of(symbol) {
        // Comparisons, expressions that are kept as text and parameters are those of the examples.
        Some(Rule::Comparison | Rule::OtherExpression | Rule::Parameter) | None => false,
        Some(Rule::Not) => has_not && used[symbol.index()],
        Some(Rule::MakeNodeVisible | Rule::RandomVector) => has_vectors,
        Some(Rule::AllVectors) => has_vectors && used[symbol.index()],
        Some(rule) => !rule.is_rare() || used[symbol.index()],
    };
    let options = SamplerOptions { prior: PRIOR, offers: &offers, is_deferred: &|_| false, hole, contexts: None };
    Sampler::new(grammar, counts, &options)
}

/// A generator of games with the frame of an example.
#[derive(Debug, Clone, Copy)]
pub struct ResourceGameGenerator<'c> {
    corpus: &'c ResourceGameCorpus,
    example: &'c PreparedExample,
}

impl<'c> ResourceGameGenerator<'c> {
    /// Returns the tree of the example.
    pub fn example(&self) -> &'c Tree {
        &self.example.tree
    }

    /// Returns the dialect of the example.
    pub(super) fn dialect(&self) -> Dialect {
        self.example.dialect
    }

    pub(super) fn lexicon(&self) -> &'c Lexicon {
        &self.corpus.lexicon
    }

    /// Returns the structural operators.
    pub(super) fn operators<'a>(&'a self, is_editable: &'a dyn Fn(Symbol) -> bool) -> Operators<'a> {
        Operators { grammar: &self.corpus.grammar, sampler: self.sampler(), limits: LIMITS, is_editable }
    }

    /// Draws a part of a game, with holes in place of names.
    pub(super) fn draw_part(&self, rule: Rule, stream: &mut RandomStream) -> Option<Tree> {
        let root = (rule.symbol(), goalspec_generator::context::Context::default());
        self.sampler().draw(&self.corpus.grammar, root, LIMITS, stream)
    }

    /// Draws a whole game: everything but the frame is new. Few such games can be played, since nothing relates the end of the game to what the
    /// actions do; [`draft`](Self::draft) keeps parts of the example.
    pub fn draw(&self, stream: &mut RandomStream) -> Option<Tree> {
        let limits = DrawLimits { nodes: 4 * LIMITS.nodes, ..LIMITS };
        let root = (Rule::Game.symbol(), goalspec_generator::context::Context::default());
        let drawn = self.sampler().draw(&self.corpus.grammar, root, limits, stream)?;
        self.bind(&drawn, stream)
    }

    /// Returns the example with new parts: each action, each reward and the end of the game is new with a probability, which is 1 for actions and
    /// rewards if `freshness` is 1. Returns `None` if no drawn parts fit the frame.
    pub fn draft(&self, freshness: f64, stream: &mut RandomStream) -> Option<Tree> {
        (0..MAX_TRIES).find_map(|_| draft(self, freshness, stream))
    }

    /// Returns a game with one edit, at one of the places where it is possible.
    pub fn edited(&self, tree: &Tree, edit: GameEdit, stream: &mut RandomStream) -> Option<Tree> {
        (0..MAX_TRIES).find_map(|_| edits::edited(self, tree, edit, stream))
    }

    /// Returns the text of a game, with this name if the example has one.
    pub fn text(&self, tree: &Tree, name: &str) -> String {
        self.example.frame.text(tree, &self.corpus.lexicon.tokens, Some(name))
    }
}

impl Productions for ResourceGameGenerator<'_> {
    fn grammar(&self) -> &Grammar {
        &self.corpus.grammar
    }

    fn tokens(&self) -> &Tokens {
        &self.corpus.lexicon.tokens
    }

    fn sampler(&self) -> &Sampler {
        &self.corpus.samplers[usize::from(!self.example.names.vectors.is_empty())]
    }

    fn is_editable(&self, kind: Symbol) -> bool {
        Rule::of(kind).is_some_and(Rule::is_editable)
    }

    fn root(&self) -> Symbol {
        Rule::Game.symbol()
    }

    fn bind(&self, tree: &Tree, stream: &mut RandomStream) -> Option<Tree> {
        if tree.is_empty() || misfit(&self.corpus.grammar, tree).is_some() {
            return None;
        }
        Binder::new(&self.corpus.lexicon, &self.example.names, tree, stream).game()
    }
}

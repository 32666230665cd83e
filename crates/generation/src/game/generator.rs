//! A generator of games over a world, weighted by a corpus.

use std::fmt;

use goalspec_core::world::World;
use goalspec_game::ast::Game;
use goalspec_game::keywords::BuiltInPredicate;
use goalspec_generator::RandomStream;
use goalspec_generator::context::{Context, ContextCounts};
use goalspec_generator::counts::Counts;
use goalspec_generator::grammar::{Grammar, Symbol, Tokens};
use goalspec_generator::operators::Operators;
use goalspec_generator::productions::Productions;
use goalspec_generator::sampler::{DrawLimits, Sampler, SamplerOptions};
use goalspec_generator::tree::Tree;

use super::bind::{Binder, BoundParts, CanonicalNames};
use super::rules::Rule;
use super::slots::Slots;
use super::vocabulary::{Signature, Vocabulary};
use super::{GameGrammar, UnsupportedConstruct};

/// Maximum number of games of a corpus.
pub const MAX_CORPUS_GAMES: usize = 1 << 16;

/// The number of times that a draw is repeated because it has too many names, or a part that says nothing and cannot be replaced.
const MAX_DRAWS: usize = 32;

/// Settings of the weights and the limits of drawn games.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GeneratorOptions {
    /// The number that is added to the count of every alternative: 0 for the productions of the corpus alone.
    pub prior: f64,
    /// The context that weights depend on: 0 for none, 1 for the predicate and the position in the case of arguments, 2 also for the section and
    /// the surrounding part in the case of all other choices.
    pub context: u8,
    /// The limits of draws.
    pub limits: DrawLimits,
}

impl Default for GeneratorOptions {
    fn default() -> Self {
        Self { prior: 0.05, context: 1, limits: DrawLimits::default() }
    }
}

/// The reason why there is no generator.
#[derive(Debug, Clone, PartialEq)]
pub enum GeneratorError {
    /// The world has no predicate that some object satisfies.
    NothingToSay {
        /// The name of the world.
        world: String,
    },
    /// The prior count is negative or not a number.
    Prior(f64),
    /// The corpus has no game of the grammar, and without one every alternative has the weight 0.
    EmptyCorpus,
    /// The corpus has too many games.
    LargeCorpus(usize),
    /// The limits are below the size of the smallest game.
    SmallLimits(DrawLimits),
}

impl fmt::Display for GeneratorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NothingToSay { world } => {
                write!(
                    f,
                    "the world `{world}` has no predicate that an object could satisfy, so there is nothing to say in it"
                )
            }
            Self::Prior(prior) => write!(f, "the prior count is {prior}; expected a number of at least 0"),
            Self::EmptyCorpus => f.write_str("the corpus contains no game, and the prior count is 0"),
            Self::LargeCorpus(games) => {
                write!(f, "the corpus contains {games} games, which exceeds the limit of {MAX_CORPUS_GAMES}")
            }
            Self::SmallLimits(limits) => {
                write!(f, "no game has at most {} nodes and a depth of at most {}", limits.nodes, limits.depth)
            }
        }
    }
}

impl std::error::Error for GeneratorError {}

/// A generator of games over a world.
#[derive(Debug, Clone)]
pub struct GameGenerator {
    games: GameGrammar,
    tokens: Tokens,
    sampler: Sampler,
    slots: Slots,
    names: CanonicalNames,
    corpus: Vec<Tree>,
    limits: DrawLimits,
    /// Whether operators may replace nodes of each kind.
    editable: Vec<bool>,
    hole: Symbol,
    world_name: Symbol,
    game_name: Symbol,
}

impl GameGenerator {
    /// Creates a generator. Games of the corpus that the grammar does not contain are left out; their indices and the reasons are returned.
    ///
    /// # Errors
    /// Returns an error if the world or the corpus offers nothing to draw.
    pub fn new(
        world: &World,
        corpus: &[&Game],
        options: &GeneratorOptions,
    ) -> Result<(Self, Vec<(usize, UnsupportedConstruct)>), GeneratorError> {
        if !(options.prior >= 0.0 && options.prior.is_finite()) {
            return Err(GeneratorError::Prior(options.prior));
        }
        if corpus.len() > MAX_CORPUS_GAMES {
            return Err(GeneratorError::LargeCorpus(corpus.len()));
        }
        let mut tokens = Tokens::default();
        let games = GameGrammar::new(world, &mut tokens);
        let names = CanonicalNames::new(&mut tokens);
        let mut trees = Vec::new();
        let mut unsupported = Vec::new();
        for (index, game) in corpus.iter().enumerate() {
            match games.read(game, &mut tokens) {
                Ok(tree) => trees.push(tree),
                Err(construct) => unsupported.push((index, construct)),
            }
        }
        if trees.is_empty() && options.prior == 0.0 {
            return Err(GeneratorError::EmptyCorpus);
        }
        let counts = Counts::of(games.grammar(), &trees);
        let prior = options.prior;
        let slots = Slots::new(&games, &mut tokens, world, &counts, trees.iter(), prior.max(1e-3), options.context);
        let hole = tokens.intern("");
        let contexts = (options.context > 1).then(|| ContextCounts::of(games.grammar(), &trees));
        let sampler = sampler((&games, &slots), (&counts, contexts.as_ref()), prior, hole);
        let (world_name, game_name) = (tokens.intern(world.name()), tokens.intern("generated"));
        let limits = options.limits;
        let kinds = (0..games.grammar().kinds().len()).map(Symbol::kind);
        let editable = kinds.map(|kind| is_editable(games.vocabulary(), kind)).collect();
        let corpus = trees;
        let generator =
            Self { games, tokens, sampler, slots, names, corpus, limits, editable, hole, world_name, game_name };
        generator.check(world)?;
        Ok((generator, unsupported))
    }

    fn check(&self, world: &World) -> Result<(), GeneratorError> {
        let least = |kind: Rule| self.sampler.least_nodes(kind.symbol(), self.limits.depth);
        // That the game begins and ends can be said of every world.
        let is_of_world = |signature: &Signature| {
            !BuiltInPredicate::ALL.iter().any(|own| own.arity() == 0 && own.name() == &*signature.name)
        };
        let signatures = self.games.vocabulary().signatures.iter().enumerate();
        let mut predicates = signatures.filter(|(_, signature)| !signature.is_function && is_of_world(signature));
        if !predicates.any(|(index, _)| offers(&self.games, &self.slots, Vocabulary::symbol(index))) {
            return Err(GeneratorError::NothingToSay { world: world.name().to_owned() });
        }
        match least(Rule::Game) {
            Some(nodes) if nodes <= self.limits.nodes => Ok(()),
            _ => Err(GeneratorError::SmallLimits(self.limits)),
        }
    }

    /// Returns the grammar.
    pub fn games(&self) -> &GameGrammar {
        &self.games
    }

    /// Returns the trees of the corpus.
    pub fn corpus(&self) -> &[Tree] {
        &self.corpus
    }

    /// Returns the number of nodes of a game.
    pub fn nodes(&self, tree: &Tree) -> usize {
        let grammar = self.games.grammar();
        let is_counted = |symbol| grammar.kind(symbol).is_some_and(|kind| kind.is_counted);
        tree.entries().iter().filter(|entry| is_counted(entry.symbol)).count()
    }

    /// Returns a game as it would be drawn: names in order, and the world of the generator. Returns `None` if the world has nothing that
    /// fits one of its arguments.
    pub fn canonical(&self, tree: &Tree) -> Option<Tree> {
        self.bind(tree, &mut RandomStream::new(0, 0))
    }

    /// Returns a game whose variables and preferences are named in the order of their first use, so that games that differ only in names are
    /// the same tree.
    pub fn anonymous(&self, tree: &Tree) -> Tree {
        let mut anonymous = tree.clone();
        let mut variables: Vec<Symbol> = Vec::new();
        let mut preferences: Vec<Symbol> = Vec::new();
        for entry in 0..tree.len() {
            let symbol = tree.symbol(entry);
            let place = if matches!(Rule::of(symbol), Some(Rule::Preference | Rule::PrefNameAndTypes)) {
                Some((entry + 1, &mut preferences, self.names.preferences()))
            } else if self.tokens.text(symbol).starts_with('?') {
                Some((entry, &mut variables, self.names.objects()))
            } else {
                None
            };
            let Some((at, known, names)) = place.filter(|&(at, ..)| at < tree.end(0)) else { continue };
            let own = tree.symbol(at);
            let index = known.iter().position(|&name| name == own).unwrap_or_else(|| {
                known.push(own);
                known.len() - 1
            });
            // Names beyond the canonical ones are kept.
            if let Some(&name) = names.get(index) {
                anonymous.set_symbol(at, name);
            }
        }
        self.set_titles(&mut anonymous);
        anonymous
    }

    /// Sets the name of a game and its world.
    pub(super) fn set_titles(&self, tree: &mut Tree) {
        // The first entries are the game, its name and its world, each below its bracket.
        for (entry, name) in [(2, self.game_name), (4, self.world_name)] {
            if entry < tree.len() && tree.symbol(entry).is_token() {
                tree.set_symbol(entry, name);
            }
        }
    }

    /// Returns the token that stands for a name that is chosen later.
    pub(super) fn hole(&self) -> Symbol {
        self.hole
    }

    /// Returns the variable of a name space of colours, orientations or sides with a number.
    pub(super) fn symbolic_variable(&self, space: u8, number: usize) -> Option<Symbol> {
        self.names.symbolic(space).get(number).copied()
    }

    /// Returns the tree of a game that is not part of the corpus.
    ///
    /// # Errors
    /// Returns the first construct that the grammar lacks.
    pub fn read(&mut self, game: &Game) -> Result<Tree, UnsupportedConstruct> {
        self.games.read(game, &mut self.tokens)
    }

    /// Returns the text of a game, with this name.
    pub fn text(&self, tree: &Tree, name: &str) -> String {
        self.games.text(tree, &self.tokens).replacen("(game generated)", &format!("(game {name})"), 1)
    }

    /// Draws a game. The stream is determined by the seed and the index, so every game can be drawn by itself.
    pub fn sample(&self, seed: u64, index: u64) -> Option<Tree> {
        self.draw(&mut RandomStream::new(seed, index))
    }

    /// Draws a game.
    pub fn draw(&self, stream: &mut RandomStream) -> Option<Tree> {
        (0..MAX_DRAWS).find_map(|_| {
            let root = (Rule::Game.symbol(), Context::default());
            let drawn = self.sampler.draw(self.games.grammar(), root, self.limits, stream)?;
            self.bind_names(&drawn, (stream, true))
        })
    }

    /// Returns a game with all names chosen. In a game that was drawn, parts that say nothing may be replaced too.
    fn bind_names(&self, tree: &Tree, decisions: (&mut RandomStream, bool)) -> Option<Tree> {
        self.bound(self.binder(tree, decisions))
    }

    /// Returns a game with all names chosen, given the parts that are bound as in the game that it is made from.
    pub(super) fn rebind(
        &self,
        tree: &Tree,
        bound_parts: Option<&BoundParts>,
        stream: &mut RandomStream,
    ) -> Option<Tree> {
        self.bound(self.binder(tree, (stream, false)).with_bound_parts(bound_parts))
    }

    fn bound(&self, binder: Binder<'_>) -> Option<Tree> {
        let mut bound = binder.game().ok()?;
        self.set_titles(&mut bound);
        Some(bound)
    }

    /// Returns the binder of a game.
    pub(super) fn binder<'a>(&'a self, tree: &'a Tree, decisions: (&'a mut RandomStream, bool)) -> Binder<'a> {
        Binder::new(&self.games, &self.slots, (&self.names, &self.tokens), tree, decisions)
    }

    /// Returns the names of bound games.
    pub(super) fn names(&self) -> &CanonicalNames {
        &self.names
    }

    /// Returns the structural operators.
    pub(crate) fn operators<'a>(&'a self, is_editable: &'a dyn Fn(Symbol) -> bool) -> Operators<'a> {
        let limits = DrawLimits { depth: self.limits.depth.min(16), nodes: self.limits.nodes.min(128) };
        Operators { grammar: self.games.grammar(), sampler: &self.sampler, limits, is_editable }
    }
}

/// Returns whether a kind of node is offered: a predicate or function only if arguments fit it.
fn offers(games: &GameGrammar, slots: &Slots, symbol: Symbol) -> bool {
    match games.vocabulary().signature(symbol) {
        Some(signature) => {
            let fills = |(position, kind): (usize, &super::vocabulary::ParameterKind)| {
                use super::vocabulary::ParameterKind as Kind;
                match kind {
                    Kind::Object => slots.is_fillable(symbol, position),
                    Kind::Color => !games.constants(Rule::Color).is_empty(),
                    Kind::Orientation => !games.constants(Rule::Orientation).is_empty(),
                    Kind::Side => !games.constants(Rule::Side).is_empty(),
                    Kind::Type => games.constants(Rule::ObjectType).iter().any(|&name| slots.is_inhabited(name)),
                    Kind::ColorOrObject => {
                        slots.is_fillable(symbol, position) && !games.constants(Rule::Color).is_empty()
                    }
                }
            };
            signature.is_available
                && slots.possible.is_possible(symbol)
                && signature.parameters.iter().enumerate().all(fills)
        }
        None => true,
    }
}

fn sampler(
    (games, slots): (&GameGrammar, &Slots),
    (counts, contexts): (&Counts, Option<&ContextCounts>),
    prior: f64,
    hole: Symbol,
) -> Sampler {
    let options = SamplerOptions {
        prior,
        offers: &|symbol| offers(games, slots, symbol),
        // Variables are declared by what the body of a quantifier uses.
        is_deferred: &|symbol| symbol == Rule::VariableList.symbol(),
        hole,
        contexts,
    };
    Sampler::new(games.grammar(), counts, &options)
}

/// Returns whether operators may replace nodes of a kind: not the brackets, the names, and the declarations of variables.
fn is_editable(vocabulary: &Vocabulary, symbol: Symbol) -> bool {
    match Rule::of(symbol) {
        None => vocabulary.signature(symbol).is_some(),
        Some(rule) => !matches!(
            rule,
            Rule::Game
                | Rule::GameDef
                | Rule::DomainDef
                | Rule::SetupDef
                | Rule::ConstraintsDef
                | Rule::TerminalDef
                | Rule::ScoringDef
                | Rule::VariableList
        ),
    }
}

impl Productions for GameGenerator {
    fn grammar(&self) -> &Grammar {
        self.games.grammar()
    }

    fn tokens(&self) -> &Tokens {
        &self.tokens
    }

    fn sampler(&self) -> &Sampler {
        &self.sampler
    }

    fn is_editable(&self, kind: Symbol) -> bool {
        !kind.is_token() && self.editable.get(kind.index()).copied().unwrap_or_default()
    }

    fn root(&self) -> Symbol {
        Rule::Game.symbol()
    }

    fn bind(&self, tree: &Tree, stream: &mut RandomStream) -> Option<Tree> {
        self.bind_names(tree, (stream, false))
    }
}

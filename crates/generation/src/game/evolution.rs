//! Evolution of archives of games: MAP-Elites with the operators of [`variation`](super::variation).
//!
//! A generation draws pairs of games from the archive, varies each pair by one operator, and offers the children to the archive in the
//! order of the pairs. Operators are drawn by their [success](super::operator_success) in earlier generations. Every pair has a random stream of its own, determined by the seed, the generation and the number of the pair, so
//! neither threads nor interruptions change the archive.

use std::fmt;

use goalspec_generator::RandomStream;
use goalspec_generator::archive::{Archive, Cell, Elite, Placement};
use goalspec_generator::grammar::Symbol;
use goalspec_generator::productions::Productions as _;
use goalspec_generator::sampler::choose;
use goalspec_generator::tree::Tree;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::characteristics::Characteristics;
use super::evidence::WorldEvidence;
use super::features::FeatureVector;
use super::features::ngrams::SectionNgrams;
use super::features::view::View;
use super::generator::GameGenerator;
use super::operator_success::OperatorSuccess;
use super::rules::Rule;
use super::variation::Operator;
use crate::fitness::FitnessModel;

/// Maximum number of draws and of pairs in a generation.
pub const MAX_GENERATION_SIZE: u32 = 1 << 20;

/// The operator name of games that were drawn.
pub const SAMPLE: &str = "sample";

/// The size of the generations of an evolution, and the seed of its decisions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EvolutionOptions {
    /// The seed of all random decisions.
    pub seed: u64,
    /// The number of games drawn in the first generation.
    pub initial: u32,
    /// The number of pairs in each further generation.
    pub pairs: u32,
}

impl Default for EvolutionOptions {
    fn default() -> Self {
        Self { seed: 0, initial: 1024, pairs: 375 }
    }
}

/// The judgement of a game: its features, fitness and cell.
#[derive(Debug, Clone)]
pub struct GameEvaluation {
    /// The features.
    pub features: FeatureVector,
    /// The fitness.
    pub fitness: f64,
    /// The cell; `None` if the archive does not admit the game.
    pub cell: Option<Cell>,
}

/// The judge of games: n-gram models, a fitness model and the characteristics of an archive.
#[derive(Debug, Clone)]
pub struct GameJudge {
    /// The n-gram models.
    pub ngrams: SectionNgrams,
    /// The fitness model.
    pub model: FitnessModel,
    /// The characteristics.
    pub characteristics: Characteristics,
    /// The evidence of recorded plays; `None` to take everything as shown.
    pub evidence: Option<WorldEvidence>,
}

impl GameJudge {
    /// Returns the fitness of a game with n-gram models that do not count it.
    pub fn held_out_fitness(&self, generator: &GameGenerator, tree: &Tree) -> f64 {
        let ngrams = self.ngrams.without(generator.games(), generator.tokens(), tree);
        let view = View::new(generator.games(), generator.tokens(), tree);
        self.model.fitness(&FeatureVector::of_view(&view, &ngrams, self.evidence.as_ref()))
    }

    /// Judges a game.
    pub fn evaluate(&self, generator: &GameGenerator, tree: &Tree) -> GameEvaluation {
        let view = View::new(generator.games(), generator.tokens(), tree);
        let features = FeatureVector::of_view(&view, &self.ngrams, self.evidence.as_ref());
        let fitness = self.model.fitness(&features);
        let cell = self.characteristics.cell(&view, &features).filter(|_| !has_repeated_preferences(&view));
        GameEvaluation { features, fitness, cell }
    }
}

/// Returns whether two preferences, or two groups of preferences, have the same text except for the names of variables and preferences.
fn has_repeated_preferences(view: &View<'_>) -> bool {
    let Some(preferences) = view.sections[1] else { return false };
    let mut texts: Vec<Vec<Symbol>> = view.tree.children(preferences).map(|entry| anonymous(view, entry)).collect();
    texts.sort_unstable();
    texts.windows(2).any(|pair| pair[0] == pair[1])
}

/// Returns the symbols of an entry of the constraints, with variables by the order of their first use and without declarations.
pub(crate) fn anonymous(view: &View<'_>, entry: usize) -> Vec<Symbol> {
    let mut numbers: FxHashMap<Symbol, usize> = FxHashMap::default();
    let mut symbols = Vec::new();
    let mut next = entry;
    while next < view.tree.end(entry) {
        match view.rule(next) {
            Some(Rule::VariableList) => {
                next = view.tree.end(next);
                continue;
            }
            Some(Rule::Preference) => {
                symbols.push(view.tree.symbol(next));
                // The name is the first child.
                next += 2;
                continue;
            }
            _ => {}
        }
        let symbol = view.tree.symbol(next);
        if symbol.is_token() && view.text(symbol).starts_with('?') {
            let count = numbers.len();
            symbols.push(Symbol::token(*numbers.entry(symbol).or_insert(count)));
        } else {
            symbols.push(symbol);
        }
        next += 1;
    }
    symbols
}

/// Counts of the children of one generation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct GenerationSummary {
    /// The number of children that were judged.
    pub children: u64,
    /// The number of those that filled an empty cell.
    pub new: u64,
    /// The number of those that replaced a less fit game.
    pub better: u64,
    /// The number of those that would have been kept if another cell had no game with the same meaning.
    pub repeated: u64,
}

/// The meaning of a game as a number: games with the same number have the same meaning. It is `None` for a game without a meaning.
pub type Identity<'a> = &'a (dyn Fn(&Tree) -> Option<u64> + Sync);

/// The meanings of the games of an archive.
#[derive(Debug, Clone, Default)]
struct Meanings {
    cells: FxHashMap<u64, Cell>,
    meanings: FxHashMap<Cell, u64>,
}

impl Meanings {
    /// Returns whether another cell than this one has a game with a meaning.
    fn is_elsewhere(&self, meaning: u64, cell: &Cell) -> bool {
        self.cells.get(&meaning).is_some_and(|own| own != cell)
    }

    /// Forgets the meaning of the game of a cell.
    fn remove(&mut self, cell: &Cell) {
        if let Some(old) = self.meanings.remove(cell) {
            self.cells.remove(&old);
        }
    }

    /// Sets the meaning of the game of a cell.
    fn set(&mut self, cell: Cell, meaning: u64) {
        if let Some(old) = self.meanings.insert(cell.clone(), meaning) {
            self.cells.remove(&old);
        }
        self.cells.insert(meaning, cell);
    }
}

/// An evolution in progress.
#[derive(Clone)]
pub struct Evolution<'a> {
    generator: &'a GameGenerator,
    judge: &'a GameJudge,
    options: EvolutionOptions,
    archive: Archive,
    generation: u64,
    success: OperatorSuccess,
    identity: Option<Identity<'a>>,
    meanings: Meanings,
}

impl fmt::Debug for Evolution<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cells = self.archive.len();
        f.debug_struct("Evolution").field("generation", &self.generation).field("cells", &cells).finish_non_exhaustive()
    }
}

impl<'a> Evolution<'a> {
    /// Creates an evolution whose archive is empty.
    pub fn new(generator: &'a GameGenerator, judge: &'a GameJudge, options: EvolutionOptions) -> Self {
        let initial = options.initial.clamp(1, MAX_GENERATION_SIZE);
        let pairs = options.pairs.clamp(1, MAX_GENERATION_SIZE);
        let options = EvolutionOptions { initial, pairs, ..options };
        let (archive, meanings) = (Archive::default(), Meanings::default());
        let success = OperatorSuccess::default();
        Self { generator, judge, options, archive, generation: 0, success, identity: None, meanings }
    }

    /// Keeps only one of the games that have the same meaning.
    #[must_use]
    pub fn with_identity(mut self, identity: Identity<'a>) -> Self {
        self.identity = Some(identity);
        self.set_meanings();
        self
    }

    fn set_meanings(&mut self) {
        self.meanings = Meanings::default();
        let Some(identity) = self.identity else { return };
        for (cell, elite) in self.archive.iter() {
            if let Some(meaning) = identity(&elite.tree) {
                self.meanings.set(cell.clone(), meaning);
            }
        }
    }

    /// Continues after a generation with its archive and the success of the operators until then.
    pub fn resume(&mut self, archive: Archive, generation: u64, success: OperatorSuccess) {
        self.archive = archive;
        self.generation = generation;
        self.success = success;
        self.set_meanings();
    }

    /// Returns the options.
    pub fn options(&self) -> &EvolutionOptions {
        &self.options
    }

    /// Returns the generator.
    pub fn generator(&self) -> &GameGenerator {
        self.generator
    }

    /// Returns the archive.
    pub fn archive(&self) -> &Archive {
        &self.archive
    }

    /// Returns the number of generations so far.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// Returns the success of the operators so far.
    pub fn success(&self) -> &OperatorSuccess {
        &self.success
    }

    /// Runs a generation, on all threads of the current pool.
    pub fn step(&mut self) -> GenerationSummary {
        let families = if self.archive.is_empty() { self.draw() } else { self.vary() };
        let mut summary = GenerationSummary::default();
        for Family { operator, children } in families {
            let mut kept = 0;
            for (tree, evaluation) in children {
                summary.children += 1;
                match self.offer(tree, evaluation, operator) {
                    Offer::Placed(Placement::New) => summary.new += 1,
                    Offer::Placed(Placement::Better) => summary.better += 1,
                    Offer::Placed(Placement::Rejected) => continue,
                    Offer::Repeated => {
                        summary.repeated += 1;
                        continue;
                    }
                }
                kept += 1;
            }
            if let Some(operator) = operator {
                self.success.add(operator, kept);
            }
        }
        self.generation += 1;
        summary
    }

    /// Offers a child to the archive.
    fn offer(&mut self, tree: Tree, evaluation: GameEvaluation, operator: Option<Operator>) -> Offer {
        let Some(cell) = evaluation.cell.filter(|cell| self.archive.admits(cell, evaluation.fitness)) else {
            return Offer::Placed(Placement::Rejected);
        };
        if let Some(meaning) = self.identity.and_then(|identity| identity(&tree)) {
            if self.meanings.is_elsewhere(meaning, &cell) {
                return Offer::Repeated;
            }
            self.meanings.set(cell.clone(), meaning);
        } else {
            self.meanings.remove(&cell);
        }
        let operator = operator.map_or(SAMPLE, Operator::name);
        let elite = Elite { tree, fitness: evaluation.fitness, generation: self.generation, operator };
        Offer::Placed(self.archive.offer(cell, elite))
    }

    fn stream(&self, slot: u32) -> RandomStream {
        RandomStream::new(self.options.seed, self.generation << 24 | u64::from(slot))
    }

    fn draw(&self) -> Vec<Family> {
        let drawn = |slot| {
            let tree = self.generator.draw(&mut self.stream(slot));
            let children = tree.map(|tree| self.judged(tree)).into_iter().collect();
            Family { operator: None, children }
        };
        (0..self.options.initial).into_par_iter().map(drawn).collect()
    }

    fn vary(&self) -> Vec<Family> {
        let elites: Vec<&Tree> = self.archive.iter().map(|(_, elite)| &elite.tree).collect();
        let weights = self.success.weights();
        (0..self.options.pairs).into_par_iter().map(|slot| self.family(&elites, &weights, slot)).collect()
    }

    fn judged(&self, tree: Tree) -> (Tree, GameEvaluation) {
        let evaluation = self.judge.evaluate(self.generator, &tree);
        (tree, evaluation)
    }

    /// Returns the children of one pair.
    fn family(&self, elites: &[&Tree], weights: &[(Operator, f64)], slot: u32) -> Family {
        let mut stream = self.stream(slot);
        let first = stream.below(elites.len() as u64) as usize;
        let mut second = stream.below(elites.len().saturating_sub(1).max(1) as u64) as usize;
        if second >= first && second + 1 < elites.len() {
            second += 1;
        }
        let operator = choose(weights, &mut stream, |_| true);
        let vary = |operator| self.generator.vary(operator, [elites[first], elites[second]], &mut stream);
        let children = operator.map(vary).unwrap_or_default();
        Family { operator, children: children.into_iter().map(|tree| self.judged(tree)).collect() }
    }
}

/// The judged children of one pair, or one drawn game.
struct Family {
    /// The operator that made the children; `None` for a drawn game.
    operator: Option<Operator>,
    children: SmallVec<[(Tree, GameEvaluation); 2]>,
}

/// The effect of offering a child to the archive.
enum Offer {
    /// The archive judged it by its fitness.
    Placed(Placement),
    /// Another cell has a game with the same meaning.
    Repeated,
}

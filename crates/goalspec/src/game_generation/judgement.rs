//! The fitness of games, with the features that moved it away from the games of the corpus.

use std::cmp::Ordering;
use std::sync::Arc;

use goalspec_generation::game::evolution::{GameEvaluation, GameJudge};
use goalspec_generation::game::features::FeatureVector;
use goalspec_generator::tree::Tree;
use serde_json::{Value, json};

use super::{GameGeneration, GenerationError, NamedGame};

/// The values of a quantity over the games of a corpus.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CorpusRange {
    /// The minimum.
    pub min: f64,
    /// The mean.
    pub mean: f64,
    /// The maximum.
    pub max: f64,
}

impl CorpusRange {
    /// Returns the range of some values; `None` if there are none.
    fn of(values: impl Iterator<Item = f64>) -> Option<Self> {
        let (mut min, mut max, mut sum, mut count) = (f64::INFINITY, f64::NEG_INFINITY, 0.0, 0_u32);
        for value in values {
            min = min.min(value);
            max = max.max(value);
            sum += value;
            count += 1;
        }
        (count > 0).then(|| Self { min, mean: sum / f64::from(count), max })
    }

    fn json(self) -> Value {
        json!({ "min": self.min, "mean": self.mean, "max": self.max })
    }
}

/// The part of a feature in the fitness of a game.
#[derive(Debug, Clone, PartialEq)]
pub struct FeaturePart {
    /// The name of the feature.
    pub name: String,
    /// The group of the feature.
    pub category: String,
    /// The weight: positive if the feature makes games less fit.
    pub weight: f64,
    /// The value, scaled as the model states.
    pub value: f64,
    /// The values over the corpus.
    pub corpus: Option<CorpusRange>,
    /// The difference that the feature makes to the fitness, compared with the mean of the corpus, or with the value 0 without a corpus.
    pub moved: f64,
}

/// The fitness of a game, with the part of each feature in it.
#[derive(Debug, Clone)]
pub struct GameJudgement {
    /// The name of the game.
    pub name: Arc<str>,
    /// The number of nodes.
    pub nodes: usize,
    /// The features, the fitness and the cell.
    pub evaluation: GameEvaluation,
    /// The fitness with n-gram models that do not count the game itself; `None` for a game that is not in the corpus.
    pub held_out: Option<f64>,
    /// The parts of all features, the greatest first.
    pub parts: Vec<FeaturePart>,
}

/// A judge of games with the values of all features over the corpus.
#[derive(Debug)]
pub struct CorpusJudge<'g> {
    generation: &'g GameGeneration,
    judge: GameJudge,
    features: Vec<Option<CorpusRange>>,
    fitness: Option<CorpusRange>,
}

impl<'g> CorpusJudge<'g> {
    /// Judges the corpus.
    pub fn new(generation: &'g GameGeneration, judge: GameJudge) -> Self {
        let generator = generation.generator();
        let corpus: Vec<GameEvaluation> =
            generator.corpus().iter().map(|tree| judge.evaluate(generator, tree)).collect();
        let range =
            |value: &dyn Fn(&FeatureVector) -> f64| CorpusRange::of(corpus.iter().map(|own| value(&own.features)));
        let features = judge.model.weights.iter().map(|own| range(&|features| own.value(features))).collect();
        let fitness = CorpusRange::of(corpus.iter().map(|own| own.fitness));
        Self { generation, judge, features, fitness }
    }

    /// Returns the fitness of the games of the corpus; `None` without a corpus.
    pub fn corpus_fitness(&self) -> Option<CorpusRange> {
        self.fitness
    }

    /// Judges a game.
    pub fn judge(&self, name: &Arc<str>, tree: &Tree) -> GameJudgement {
        let generator = self.generation.generator();
        let evaluation = self.judge.evaluate(generator, tree);
        let is_in_corpus = generator.corpus().contains(tree);
        let held_out = is_in_corpus.then(|| self.judge.held_out_fitness(generator, tree));
        let parts = self.parts(&evaluation.features);
        GameJudgement { name: name.clone(), nodes: generator.nodes(tree), evaluation, held_out, parts }
    }

    fn parts(&self, features: &FeatureVector) -> Vec<FeaturePart> {
        let weights = self.judge.model.weights.iter().zip(&self.features);
        let mut parts: Vec<FeaturePart> = weights
            .map(|(own, &corpus)| {
                let value = own.value(features);
                let moved = own.weight * (corpus.map_or(0.0, |range| range.mean) - value);
                let (name, category) = (own.name.clone(), own.category.clone());
                FeaturePart { name, category, weight: own.weight, value, corpus, moved }
            })
            .collect();
        let by_size = |one: &FeaturePart, other: &FeaturePart| {
            other.moved.abs().partial_cmp(&one.moved.abs()).unwrap_or(Ordering::Equal)
        };
        parts.sort_by(by_size);
        parts
    }
}

impl GameJudgement {
    /// Returns the judgement as JSON, with the parts of all features if `explain` is set.
    pub fn json(&self, explain: bool) -> Value {
        let mut value = json!({
            "name": *self.name,
            "fitness": self.evaluation.fitness,
            "cell": self.evaluation.cell,
            "nodes": self.nodes,
        });
        if let Some(held_out) = self.held_out {
            value["held_out_fitness"] = json!(held_out);
        }
        if explain {
            let part = |part: &FeaturePart| {
                json!({
                    "name": part.name,
                    "category": part.category,
                    "weight": part.weight,
                    "value": part.value,
                    "corpus": part.corpus.map(CorpusRange::json),
                    "moved": part.moved,
                })
            };
            value["features"] = json!(self.parts.iter().map(part).collect::<Vec<_>>());
        }
        value
    }
}

/// Returns the document of judged games.
pub fn document(world: &str, corpus: Option<CorpusRange>, games: &[GameJudgement], explain: bool) -> Value {
    json!({
        "format": "goalspec-fitness-1",
        "world": world,
        "corpus": corpus.map(CorpusRange::json),
        "games": games.iter().map(|game| game.json(explain)).collect::<Vec<_>>(),
    })
}

/// Reads the trees of games.
///
/// # Errors
/// Returns the first game with a construct that the generator does not represent.
pub fn read_all(
    generation: &mut GameGeneration,
    games: &[NamedGame<'_>],
) -> Result<Vec<(Arc<str>, Tree)>, GenerationError> {
    games.iter().map(|game| Ok((game.name.clone(), generation.read(game)?))).collect()
}

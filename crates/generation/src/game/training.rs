//! The fit of fitness models: games are to be fitter than their own regrowths and than those of other games.
//!
//! The features of a game and of its regrowths are computed with n-grams that do not count the game, because a game resembles itself. The
//! loss is the cross entropy of a softmin over the energies of a game and of its regrowths, and of a softmin over those of a game and of as
//! many regrowths of all games, with an L2 penalty.

use std::fmt;

use goalspec_generator::RandomStream;
use goalspec_generator::productions::Productions as _;
use goalspec_generator::tree::Tree;
use rayon::prelude::*;

use super::features::FeatureVector;
use super::features::names::{Feature, NGRAM_SCORES};
use super::features::ngrams::SectionNgrams;
use super::generator::GameGenerator;
use super::untyped::regrowth::UntypedRegrowth;
use super::variation::{Operator, Parent};
use crate::fitness::{FeatureWeight, FitnessModel};
use crate::minimise::{Minimum, add, minimise};

mod report;

pub use report::{FitReport, GroupSeparation, Separation};

/// Maximum number of games and regrowths from which a model is fitted: each takes about 2 kB.
pub const MAX_ROWS: usize = 1 << 20;

/// The features that only the characteristics of archives use.
const UNFITTED: [Feature; 6] = [
    Feature::VariablesDefinedAll,
    Feature::VariablesDefinedProportion,
    Feature::StartsAndEndsOnce,
    Feature::Tautology,
    Feature::SamePredicatesOnly,
    Feature::SingleArgument,
];

/// The kind of regrowths from which games are told.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Negatives {
    /// Regrowths by the generator, which check without an error.
    #[default]
    Typed,
    /// Regrowths as in the published program, which have arguments of any type.
    Davidson,
}

impl Negatives {
    /// Returns the name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Typed => "typed",
            Self::Davidson => "davidson",
        }
    }

    /// Returns the kind with this name.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Typed, Self::Davidson].into_iter().find(|kind| kind.name() == name)
    }
}

/// The parameters of the fit of a model, and of its evaluation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FitOptions {
    /// The seed of the regrowths.
    pub seed: u64,
    /// The kind of the regrowths.
    pub negatives: Negatives,
    /// The number of regrowths of each game.
    pub regrowths: u32,
    /// The number of folds of the held-out evaluation, at most one for each game.
    pub folds: u32,
    /// The factor of half the sum of the squared weights in the loss.
    pub penalty: f64,
    /// Maximum number of steps of each fit.
    pub steps: u32,
}

impl Default for FitOptions {
    fn default() -> Self {
        Self { seed: 0, negatives: Negatives::default(), regrowths: 1024, folds: 5, penalty: 0.003, steps: 200 }
    }
}

/// The reason why no model is fitted.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum FitError {
    /// The corpus has fewer than two games, so none can be left out.
    FewGames(usize),
    /// There would be too many regrowths.
    ManyRows(usize),
    /// The penalty is negative or not a number.
    Penalty(f64),
    /// No game has a regrowth.
    NoRegrowth,
}

impl fmt::Display for FitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FewGames(games) => {
                write!(
                    f,
                    "a fit needs at least 2 games, since each is also left out; the generator represents {games} of the corpus"
                )
            }
            Self::ManyRows(rows) => {
                write!(f, "{rows} games and regrowths exceed the limit of {MAX_ROWS}; choose fewer regrowths")
            }
            Self::Penalty(penalty) => write!(f, "the penalty is {penalty}; expected a number of at least 0"),
            Self::NoRegrowth => f.write_str("no game has a regrowth"),
        }
    }
}

impl std::error::Error for FitError {}

/// A game with its regrowths: the values of the features, game first.
#[derive(Debug, Clone)]
struct Family {
    rows: Vec<Vec<f32>>,
}

/// The features of a corpus and of its regrowths.
#[derive(Debug, Clone)]
pub struct TrainingSet {
    /// The names of the features with their positions in a [`FeatureVector`] and their groups.
    columns: Vec<(String, usize, &'static str)>,
    /// The values with n-grams that do not count the game of the family.
    held_out: Vec<Family>,
    /// The values with n-grams of all games.
    counted: Vec<Family>,
}

/// Returns the group of a feature, by the names of the published model.
fn group(name: &str) -> &'static str {
    const PREFIXES: [(&str, &str); 17] = [
        ("ast_ngram", "ngram"),
        ("max_depth", "counting"),
        ("node_count", "counting"),
        ("pref_forall", "pref_forall"),
        ("predicate_found", "play_trace_database"),
        ("disjoint", "game_element_disjointness"),
        ("variables_used", "defined_and_used"),
        ("preferences_used", "defined_and_used"),
        ("setup_", "defined_and_used"),
        ("any_setup", "defined_and_used"),
        ("section_doesnt", "defined_and_used"),
        ("identical_scoring", "scoring_grammar_misuse"),
        ("redundant_scoring", "scoring_grammar_misuse"),
        ("unnecessary_scoring", "scoring_grammar_misuse"),
        ("total_score", "scoring_grammar_misuse"),
        ("scoring_", "scoring_grammar_misuse"),
        ("two_number", "scoring_grammar_misuse"),
    ];
    PREFIXES.iter().find(|(prefix, _)| name.starts_with(prefix)).map_or("grammar_misuse", |&(_, group)| group)
}

impl TrainingSet {
    /// Computes the features of the corpus of a generator and of regrowths of its games, on all threads of the current pool.
    ///
    /// # Errors
    /// If there are too few games or too many regrowths.
    pub fn new(generator: &GameGenerator, options: &FitOptions) -> Result<Self, FitError> {
        let games = generator.corpus();
        if games.len() < 2 {
            return Err(FitError::FewGames(games.len()));
        }
        let rows = games.len().saturating_mul(options.regrowths as usize + 1);
        if rows > MAX_ROWS {
            return Err(FitError::ManyRows(rows));
        }
        if !(options.penalty >= 0.0 && options.penalty.is_finite()) {
            return Err(FitError::Penalty(options.penalty));
        }
        let names = FeatureVector::names().into_iter().enumerate();
        let columns: Vec<(String, usize, &'static str)> = names
            .filter(|(_, name)| !UNFITTED.iter().any(|feature| feature.name() == name))
            .map(|(index, name)| {
                let group = group(&name);
                (name, index, group)
            })
            .collect();
        let ngrams = SectionNgrams::fit(generator.games(), generator.tokens(), games);
        let source = RegrowthSource::new(generator, options);
        let families = games.par_iter().enumerate().map(|(number, game)| {
            let own = ngrams.without(generator.games(), generator.tokens(), game);
            let trees = source.family(number, game);
            let rows = |ngrams: &SectionNgrams| {
                let row = |tree: &Tree| {
                    let features = FeatureVector::of(generator.games(), generator.tokens(), tree, ngrams);
                    columns.iter().map(|&(_, index, _)| features.values()[index] as f32).collect()
                };
                Family { rows: trees.iter().map(row).collect() }
            };
            (rows(&own), rows(&ngrams))
        });
        let (held_out, counted): (Vec<Family>, Vec<Family>) = families.collect::<Vec<_>>().into_iter().unzip();
        if held_out.iter().all(|family| family.rows.len() < 2) {
            return Err(FitError::NoRegrowth);
        }
        Ok(Self { columns, held_out, counted })
    }

    /// Returns the number of games.
    pub fn games(&self) -> usize {
        self.held_out.len()
    }

    /// Returns the number of regrowths of all games.
    pub fn regrowths(&self) -> usize {
        self.held_out.iter().map(|family| family.rows.len() - 1).sum()
    }

    /// Fits a model to all games, and evaluates the fit on games that were held out of it.
    pub fn fit(&self, options: &FitOptions) -> (FitnessModel, FitReport) {
        let everything: Vec<usize> = (0..self.games()).collect();
        let scales = Scales::of(self, &self.held_out, &everything);
        let families = scales.apply(&self.held_out);
        let all: Vec<&Family> = families.iter().collect();
        let minimum = fit_weights(&all, self.columns.len(), options);
        let report = self.report(options, &minimum, &all);
        (self.model(&minimum.point, &scales), report)
    }

    fn model(&self, weights: &[f64], scales: &Scales) -> FitnessModel {
        let weights = self.columns.iter().zip(weights).zip(&scales.columns);
        let weights = weights.filter_map(|(((name, _, group), &weight), scale)| {
            FeatureWeight::new(name, weight, group, (scale.map(|own| [own.min, own.max]), scale.map(|own| own.min)))
        });
        FitnessModel { bias: 0.0, weights: weights.collect() }
    }
}

/// The source of the regrowths of a training set.
struct RegrowthSource<'g> {
    generator: &'g GameGenerator,
    /// The published regrowth, if it is asked for.
    published: Option<UntypedRegrowth<'g>>,
    seed: u64,
    regrowths: u32,
}

impl<'g> RegrowthSource<'g> {
    fn new(generator: &'g GameGenerator, options: &FitOptions) -> Self {
        let published = match options.negatives {
            Negatives::Typed => None,
            Negatives::Davidson => Some(UntypedRegrowth::new(generator)),
        };
        Self { generator, published, seed: options.seed, regrowths: options.regrowths }
    }

    /// Returns a game, whose number in the corpus is given, with its regrowths.
    fn family(&self, number: usize, game: &Tree) -> Vec<Tree> {
        let stream = |slot: u64| RandomStream::new(self.seed, (number as u64) << 32 | slot);
        let regrown = if let Some(published) = &self.published {
            published.regrow_different(game, self.regrowths, stream)
        } else {
            let parent = Parent::new(self.generator, game);
            let regrow = |slot| parent.vary(Operator::Regrow, game, &mut stream(slot));
            (0..u64::from(self.regrowths)).filter_map(regrow).collect()
        };
        std::iter::once(game.clone()).chain(regrown).collect()
    }
}

/// The scale of an n-gram score.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Scale {
    min: f64,
    max: f64,
}

/// The scales of the columns that have one.
#[derive(Debug, Clone)]
struct Scales {
    columns: Vec<Option<Scale>>,
}

/// The difference between the lowest score of a game and the value of a missing section.
const MISSING_MARGIN: f64 = 0.1;

impl Scales {
    /// Returns the scales of the n-gram scores over some families.
    fn of(set: &TrainingSet, families: &[Family], chosen: &[usize]) -> Self {
        let columns = set.columns.iter().enumerate().map(|(column, (name, ..))| {
            if !NGRAM_SCORES.contains(&&**name) {
                return None;
            }
            let rows = || chosen.iter().flat_map(|&index| &families[index].rows);
            let values = || rows().map(|row| f64::from(row[column]));
            let known = || values().filter(|value| !value.is_nan());
            let games = chosen.iter().map(|&index| f64::from(families[index].rows[0][column]));
            let lowest = games.filter(|value| !value.is_nan()).fold(f64::INFINITY, f64::min);
            // A missing section is worth a little less than the least usual one of a game.
            let missing = (values().any(f64::is_nan) && lowest.is_finite()).then_some(lowest - MISSING_MARGIN);
            let min = known().chain(missing).fold(f64::INFINITY, f64::min);
            let max = known().fold(f64::NEG_INFINITY, f64::max);
            (min < max).then_some(Scale { min, max })
        });
        Self { columns: columns.collect() }
    }

    /// Returns families whose scores are scaled to the interval from 0 to 1, and whose missing scores are 0.
    fn apply(&self, families: &[Family]) -> Vec<Family> {
        let value = |value: f32, scale: &Option<Scale>| match scale {
            _ if value.is_nan() => 0.0,
            Some(scale) => ((f64::from(value) - scale.min) / (scale.max - scale.min)).clamp(0.0, 1.0) as f32,
            None => value,
        };
        let row = |row: &Vec<f32>| row.iter().zip(&self.columns).map(|(&own, scale)| value(own, scale)).collect();
        families.par_iter().map(|family| Family { rows: family.rows.iter().map(row).collect() }).collect()
    }
}

/// The energies of a family below their minimum, summed as exponentials.
struct FamilySums {
    energy: f64,
    /// The logarithm of the sum over the regrowths, and the mean of the regrowths in proportion to their exponentials.
    regrowths: Option<(f64, Vec<f64>)>,
}

impl FamilySums {
    fn of(family: &Family, weights: &[f64]) -> Self {
        let energies: Vec<f64> = family.rows.iter().map(|row| energy(row, weights)).collect();
        let min = energies[1..].iter().copied().fold(f64::INFINITY, f64::min);
        let mut sum = 0.0;
        let mut mean = vec![0.0; weights.len()];
        for (row, energy) in family.rows.iter().zip(&energies).skip(1) {
            let share = libm::exp(min - energy);
            sum += share;
            mean.iter_mut().zip(row).for_each(|(own, &value)| *own += share * f64::from(value));
        }
        for own in &mut mean {
            *own /= sum;
        }
        Self { energy: energies[0], regrowths: (energies.len() > 1).then(|| (libm::log(sum) - min, mean)) }
    }
}

fn energy(row: &[f32], weights: &[f64]) -> f64 {
    row.iter().zip(weights).map(|(&value, weight)| f64::from(value) * weight).sum()
}

/// Returns the weights of the smallest loss.
fn fit_weights(families: &[&Family], columns: usize, options: &FitOptions) -> Minimum {
    let penalty = options.penalty;
    minimise(vec![0.0; columns], options.steps, |weights, gradient| {
        let value = loss(families, weights, gradient);
        add(gradient, penalty, weights);
        value + penalty / 2.0 * weights.iter().map(|own| own * own).sum::<f64>()
    })
}

/// Returns the mean cross entropy and sets its gradient. Sums are in the order of the families, on any number of threads.
fn loss(families: &[&Family], weights: &[f64], gradient: &mut [f64]) -> f64 {
    let sums: Vec<FamilySums> = families.par_iter().map(|family| FamilySums::of(family, weights)).collect();
    let known: Vec<(f64, &Vec<f64>)> =
        sums.iter().filter_map(|own| own.regrowths.as_ref().map(|(log, mean)| (*log, mean))).collect();
    // The regrowths of all games, divided by the number of families: as many as a game has itself.
    let max = known.iter().map(|(log, _)| *log).fold(f64::NEG_INFINITY, f64::max);
    let total: f64 = known.iter().map(|(log, _)| libm::exp(log - max)).sum();
    let mut everyone = vec![0.0; weights.len()];
    for (log, mean) in &known {
        add(&mut everyone, libm::exp(log - max) / total, mean);
    }
    let everyone = (max + libm::log(total / known.len() as f64), everyone);
    gradient.fill(0.0);
    let mut value = 0.0;
    let factor = 0.5 / families.len() as f64;
    for (family, own) in families.iter().zip(&sums) {
        let game: Vec<f64> = family.rows[0].iter().map(|&value| f64::from(value)).collect();
        let own_regrowths = own.regrowths.as_ref().map_or((&everyone.0, &everyone.1), |(log, mean)| (log, mean));
        for (log, mean) in [own_regrowths, (&everyone.0, &everyone.1)] {
            // The cross entropy is the logarithm of 1 plus the odds of the regrowths.
            let odds = log + own.energy;
            value += factor * softplus(odds);
            let share = 1.0 / (1.0 + libm::exp(-odds));
            add(gradient, factor * share, &game);
            add(gradient, -factor * share, mean);
        }
    }
    value
}

/// Returns log(1 + exp(x)).
fn softplus(x: f64) -> f64 {
    x.max(0.0) + libm::log1p(libm::exp(-x.abs()))
}

#[cfg(test)]
mod tests {
    use super::{Family, loss};

    #[test]
    fn the_gradient_of_the_loss_is_its_slope() {
        let row = |values: [f32; 3]| values.to_vec();
        let families = [
            Family { rows: vec![row([1.0, 0.0, 0.3]), row([0.0, 1.0, 0.1]), row([0.5, 0.2, 0.9])] },
            Family { rows: vec![row([0.9, 0.1, 0.0]), row([0.2, 0.7, 0.4])] },
            // A game without a regrowth is compared with those of the others.
            Family { rows: vec![row([0.8, 0.4, 0.2])] },
        ];
        let families: Vec<&Family> = families.iter().collect();
        let weights = [0.7, -1.3, 2.1];
        let mut gradient = [0.0; 3];
        loss(&families, &weights, &mut gradient);
        for (index, slope) in gradient.iter().enumerate() {
            let at = |delta: f64| {
                let mut moved = weights;
                moved[index] += delta;
                loss(&families, &moved, &mut [0.0; 3])
            };
            let measured = (at(1e-5) - at(-1e-5)) / 2e-5;
            assert!((measured - slope).abs() < 1e-8, "{index}: {measured} {slope}");
        }
    }
}

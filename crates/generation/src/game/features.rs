//! Features of games: their use of variables and preferences, mistakes, disjointness, sizes, and resemblance to a corpus.
//!
//! The definitions are those of the published fitness function of games, whose weights [`FitnessModel`](crate::fitness::FitnessModel)
//! reads. All features of a game are computed from one `View` of its tree.
//!
//! | module | contents |
//! |---|---|
//! | [`names`] | the features |
//! | `view` | a game with its variables resolved |
//! | [`logic`] | simplification of Boolean expressions |
//! | `expressions` | conditions and scores as Boolean expressions, and the features about them |
//! | `structure` | features of variables, sequences and conditions |
//! | `scoring` | features of preferences, counts and scores |
//! | [`ngrams`] | games as sequences of words, and the models of these |

mod expressions;
pub mod logic;
pub mod names;
pub mod ngrams;
mod scoring;
mod structure;
pub(crate) mod view;

use goalspec_generator::grammar::Tokens;
use goalspec_generator::tree::Tree;

use super::GameGrammar;
use super::evidence::WorldEvidence;
use names::{DEPTH_THRESHOLDS, Feature, NGRAM_SCORES, NODE_THRESHOLDS, SECTIONS, SIZE_BINS};
use ngrams::SectionNgrams;
use view::View;

/// The number of features that describe one kind of size.
const SIZES: usize = SECTIONS.len() * SIZE_BINS;
/// The position of the first depth feature.
const DEPTHS: usize = Feature::ALL.len();
/// The position of the first feature of numbers of nodes.
const NODES: usize = DEPTHS + SIZES;
/// The position of the first n-gram score.
const SCORES: usize = NODES + SIZES;
/// The number of features.
pub const FEATURE_COUNT: usize = SCORES + NGRAM_SCORES.len();

/// The values of all features of a game.
///
/// The n-gram scores are mean logarithms; those of missing sections are not a number.
#[derive(Debug, Clone, PartialEq)]
pub struct FeatureVector {
    values: [f64; FEATURE_COUNT],
}

impl FeatureVector {
    /// Returns the names of the features, in the order of [`values`](Self::values).
    pub fn names() -> Vec<String> {
        let mut names: Vec<String> = Feature::ALL.iter().map(|feature| feature.name().to_owned()).collect();
        for size in ["max_depth", "node_count"] {
            for section in SECTIONS {
                names.extend((0..SIZE_BINS).map(|bin| format!("{size}_{section}_{bin}")));
            }
        }
        names.extend(NGRAM_SCORES.iter().map(|&name| name.to_owned()));
        names
    }

    /// Returns the values.
    pub fn values(&self) -> &[f64; FEATURE_COUNT] {
        &self.values
    }

    /// Returns the value of a feature.
    pub fn get(&self, feature: Feature) -> f64 {
        self.values[feature as usize]
    }

    /// Computes the features of a game, as if recorded plays showed everything.
    pub fn of(games: &GameGrammar, tokens: &Tokens, tree: &Tree, ngrams: &SectionNgrams) -> Self {
        Self::of_view(&View::new(games, tokens, tree), ngrams, None)
    }

    /// Computes the features of a game, with what recorded plays show.
    pub fn with_evidence(
        games: &GameGrammar,
        tokens: &Tokens,
        tree: &Tree,
        ngrams: &SectionNgrams,
        evidence: &WorldEvidence,
    ) -> Self {
        Self::of_view(&View::new(games, tokens, tree), ngrams, Some(evidence))
    }

    /// Computes the features of a game. Without evidence, recorded plays are taken to show everything.
    pub(crate) fn of_view(view: &View<'_>, ngrams: &SectionNgrams, evidence: Option<&WorldEvidence>) -> Self {
        let mut features = Self { values: [0.0; FEATURE_COUNT] };
        structure::set_variables(view, &mut features);
        structure::set_sequences(view, &mut features);
        structure::set_conditions(view, &mut features);
        expressions::set(view, &mut features);
        scoring::set(view, &mut features);
        features.set_sizes(view);
        if let Some(evidence) = evidence {
            let shares = evidence.shares(view);
            features.set(Feature::PredicatesPlayed, shares.predicates);
            features.set(Feature::SmallLogicalsPlayed, shares.small_logicals);
        }
        for (index, score) in ngrams.scores(view).into_iter().enumerate() {
            features.values[SCORES + index] = score.unwrap_or(f64::NAN);
        }
        features
    }

    fn set(&mut self, feature: Feature, value: f64) {
        self.values[feature as usize] = value;
    }

    /// Sets a feature to 1 if the condition holds.
    fn raise(&mut self, feature: Feature, condition: bool) {
        if condition {
            self.set(feature, 1.0);
        }
    }

    /// Sets a pair of features: whether all of a number of items have a property, and their share. Both are 0 if there are no items.
    fn set_proportion(&mut self, all: Feature, share: Feature, count: u32, total: u32) {
        if total > 0 {
            self.raise(all, count == total);
            self.set(share, f64::from(count) / f64::from(total));
        }
    }

    fn set_sizes(&mut self, view: &View<'_>) {
        for section in 0..SECTIONS.len() {
            let (depth, nodes) = view.sections[section].map_or((0, 0), |root| sizes(view, root));
            let bin = |thresholds: [u32; SIZE_BINS - 1], value: u32| thresholds.iter().filter(|&&t| t < value).count();
            self.values[DEPTHS + section * SIZE_BINS + bin(DEPTH_THRESHOLDS[section], depth)] = 1.0;
            self.values[NODES + section * SIZE_BINS + bin(NODE_THRESHOLDS[section], nodes)] = 1.0;
        }
    }
}

/// Returns the maximum depth and the number of nodes of a section.
pub(crate) fn sizes(view: &View<'_>, root: usize) -> (u32, u32) {
    let mut ends: Vec<usize> = Vec::new();
    let (mut depth, mut nodes) = (0, 0);
    for entry in view.within(root).filter(|&entry| !view.tree.symbol(entry).is_token()) {
        while ends.last().is_some_and(|&end| end <= entry) {
            ends.pop();
        }
        depth = depth.max(ends.len() as u32);
        nodes += 1;
        ends.push(view.tree.end(entry));
    }
    (depth, nodes)
}

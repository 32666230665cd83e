//! Comparison of games: whether there is a trace about which they disagree, and which is the shortest.
//!
//! ```text
//! two games --normal form--> equal
//!           --given traces--> different
//!           --automata, state by state--> equal, or the letters of a shortest trace --states--> replayed: different
//!           --random traces--> different, or undecided
//! ```
//!
//! A difference is a trace that the reference interpreter has played in both games. Equality is proved by equal normal forms, or by the
//! product of the automata of the preferences, whose conditions are decision diagrams.
//!
//! | module | contents |
//! |---|---|
//! | `normal_form` | normal forms as texts |
//! | `letters` | conditions as decision diagrams |
//! | `machine`, `formula` | preferences and formulas over traces as automata |
//! | `scores` | scores as functions of counts |
//! | `product` | breadth-first search on the product of two games |
//! | `automata` | comparison of preferences, scores and ends by products |
//! | `realize` | states with given letters |
//! | `replay` | playing of a trace in both games |
//! | `search` | random traces |

mod automata;
mod formula;
mod letters;
mod machine;
mod normal_form;
mod product;
mod realize;
mod replay;
mod scores;
mod search;

use std::collections::VecDeque;
use std::sync::Arc;

use goalspec_core::condition::Condition;
use goalspec_core::pattern::Pattern;
use goalspec_core::program::{Game, Preference, ScoreExpression};
use goalspec_core::state::Delta;
use goalspec_core::world::World;
use rustc_hash::FxHashMap;

use self::automata::{Automata, Finding};
use self::replay::Replay;
use crate::limits::MAX_RANDOM_TRACES;

pub use replay::Disagreement;

/// The aspect of two games that is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Aspect {
    /// The satisfactions of preferences, the score and the end of the game.
    #[default]
    All,
    /// Whether each preference is satisfied at least once.
    Truth,
    /// The satisfactions of each preference: the objects, the first and the last state, and the measures.
    Satisfactions,
    /// The number of disjoint satisfactions of each preference.
    Counts,
    /// The score at the end of a trace.
    Score,
    /// The score after each state.
    Rewards,
    /// The state in which the terminal condition ends the game.
    End,
}

/// The aspects that a comparison covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "the aspects are independent")]
pub(crate) struct Aspects {
    pub(crate) truth: bool,
    pub(crate) satisfactions: bool,
    pub(crate) counts: bool,
    pub(crate) score: bool,
    pub(crate) rewards: bool,
    pub(crate) end: bool,
}

/// The aspect that is compared of games, and the objects and traces with which it is tried.
#[derive(Debug, Clone, Default)]
pub struct GameComparisonOptions<'t> {
    /// The aspect that is compared.
    pub aspect: Aspect,
    /// The number of objects of each type to which a comparison of single bindings is limited; `None` is all objects of the world.
    pub objects: Option<usize>,
    /// Traces of the world that are tried first. States are sought from the first state of the first one.
    pub traces: &'t [Vec<Delta>],
}

/// A way to compare games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Method {
    /// Their normal forms are equal.
    NormalForm,
    /// One of the given traces, by its index.
    GivenTrace(usize),
    /// The product of their automata.
    Automata,
    /// Random traces.
    RandomTraces,
}

/// The worlds for which games are proved to be equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ProofScope {
    /// Worlds with any number of objects.
    AnyObjects,
    /// The objects of this world.
    WorldObjects,
    /// At most this number of objects of each type.
    AtMost(usize),
}

/// A trace about which two games disagree.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// The method that found it.
    pub method: Method,
    /// The trace.
    pub trace: Vec<Delta>,
    /// The first disagreement.
    pub disagreement: Disagreement,
}

/// Whether two games are equal.
#[derive(Debug, Clone, PartialEq)]
pub enum GameVerdict {
    /// They are equal on all traces.
    Equal(Method, ProofScope),
    /// They disagree about a trace.
    Differ(Box<Difference>),
    /// No difference was found, and equality is not proved, for these reasons.
    Undecided(Vec<String>),
}

/// Whether one game implies another: on each trace, preferences that are satisfied in one are satisfied in the other.
#[derive(Debug, Clone, PartialEq)]
pub enum Implication {
    /// It does.
    Proved,
    /// It does not: on this trace, a preference of the one is satisfied, and the corresponding one is not.
    Refuted(Vec<Delta>),
    /// This is not decided.
    Unknown,
}

/// The result of a comparison of games.
#[derive(Debug, Clone, PartialEq)]
pub struct GameComparison {
    /// Whether the games are equal.
    pub verdict: GameVerdict,
    /// The preferences of each game without a counterpart in the other, which are compared only through the score.
    pub unmatched: [Vec<Arc<str>>; 2],
    /// Whether the first game implies the second, and the second the first.
    pub implications: [Implication; 2],
}

impl Aspect {
    /// All aspects.
    pub const ALL: [Self; 7] =
        [Self::All, Self::Truth, Self::Satisfactions, Self::Counts, Self::Score, Self::Rewards, Self::End];

    /// Returns the name in results and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Truth => "truth",
            Self::Satisfactions => "satisfactions",
            Self::Counts => "counts",
            Self::Score => "score",
            Self::Rewards => "rewards",
            Self::End => "end",
        }
    }

    fn parts(self) -> Aspects {
        let is_in = |parts: &[Self]| self == Self::All && parts[0] != Self::Rewards || parts.contains(&self);
        Aspects {
            truth: self == Self::Truth,
            satisfactions: is_in(&[Self::Satisfactions]),
            counts: self == Self::Counts,
            score: is_in(&[Self::Score]) || self == Self::Rewards,
            rewards: self == Self::Rewards,
            end: is_in(&[Self::End]),
        }
    }
}

impl Method {
    /// Returns the name in results.
    pub const fn name(self) -> &'static str {
        match self {
            Self::NormalForm => "normal form",
            Self::GivenTrace(_) => "given trace",
            Self::Automata => "automata",
            Self::RandomTraces => "random traces",
        }
    }
}

/// Returns a text that two games of one world share only if they have the same meaning, whatever the names of their preferences. Games
/// with different texts may be equal too, which [`compare_games`] tells.
pub fn game_normal_form(world: &World, game: &Game) -> String {
    let preferences = normal_form::preference_names(world, game);
    let mut sorted: Vec<&str> = preferences.iter().map(String::as_str).collect();
    sorted.sort_unstable();
    let setup = normal_form::setup(world, game.setup.as_ref());
    let terminal = normal_form::terminal(world, &preferences, game.terminal.as_ref());
    let score = normal_form::score(world, &preferences, &game.score);
    format!("{setup}\n{}\n{terminal}\n{score}", sorted.join("\n"))
}

/// Compares two games of one world.
///
/// Preferences correspond if they have the same name, or else if they have the same normal form. Numbers are compared apart from rounding.
pub fn compare_games(
    world: &Arc<World>,
    games: [&Arc<Game>; 2],
    options: &GameComparisonOptions<'_>,
) -> GameComparison {
    let aspects = options.aspect.parts();
    let forms = GameForms::new(world, games);
    let replay = Replay { world, games, pairs: &forms.pairs, aspects };
    let automata =
        Automata::new(replay, &forms, options.objects, options.traces.first().and_then(|trace| trace.first()));
    let verdict = verdict(&automata, options);
    let covers_truth = (aspects.satisfactions || aspects.truth) && forms.unmatched.iter().all(Vec::is_empty);
    let implications = match &verdict {
        GameVerdict::Equal(..) if covers_truth => [Implication::Proved, Implication::Proved],
        _ => [false, true].map(|is_reversed| automata.implication(is_reversed)),
    };
    let unmatched = [0, 1].map(|side: usize| {
        forms.unmatched[side].iter().map(|&index| games[side].preferences[index].name.clone()).collect()
    });
    GameComparison { verdict, unmatched, implications }
}

/// Returns the worlds for which it is proved that no trace satisfies a preference, whatever the setup and the end of its game; `None` if there
/// is no proof.
pub fn proof_of_impossibility(world: &Arc<World>, preference: &Arc<Preference>) -> Option<ProofScope> {
    let never = Pattern::AtEnd(Condition::Constant(false));
    let never = Arc::new(Preference { pattern: never, ..Preference::clone(preference) });
    let games = [preference, &never].map(|preference| {
        let (name, preferences) = (preference.name.clone(), vec![Arc::clone(preference)]);
        Arc::new(Game { name, setup: None, preferences, terminal: None, score: ScoreExpression::Number(0.0) })
    });
    let games = [&games[0], &games[1]];
    let aspects = Aspect::Truth.parts();
    let forms = GameForms::new(world, games);
    if forms.are_equal(aspects) {
        return Some(ProofScope::AnyObjects);
    }
    let replay = Replay { world, games, pairs: &forms.pairs, aspects };
    match Automata::new(replay, &forms, None, None).compare() {
        Finding::Holds(scope) => Some(scope),
        Finding::Differs(_) | Finding::Open(_) => None,
    }
}

fn verdict(automata: &Automata<'_>, options: &GameComparisonOptions<'_>) -> GameVerdict {
    let replay = automata.replay;
    if automata.forms.are_equal(replay.aspects) {
        return GameVerdict::Equal(Method::NormalForm, ProofScope::AnyObjects);
    }
    let differ = |method, trace: Vec<Delta>| {
        let found = replay.disagreement(&trace).ok().flatten();
        found.map(|disagreement| GameVerdict::Differ(Box::new(Difference { method, trace, disagreement })))
    };
    for (index, trace) in options.traces.iter().enumerate() {
        if let Some(differ) = differ(Method::GivenTrace(index), trace.clone()) {
            return differ;
        }
    }
    let mut reasons = match automata.compare() {
        Finding::Holds(scope) => return GameVerdict::Equal(Method::Automata, scope),
        Finding::Differs(trace) => match differ(Method::Automata, trace) {
            Some(differ) => return differ,
            None => Vec::new(),
        },
        Finding::Open(reasons) => reasons,
    };
    match search::search(replay, automata.first, 1) {
        Ok(Some(trace)) => {
            if let Some(differ) = differ(Method::RandomTraces, trace) {
                return differ;
            }
        }
        Ok(None) => reasons.push(format!("no difference on {MAX_RANDOM_TRACES} random traces")),
        Err(error) => reasons.push(error.to_string()),
    }
    GameVerdict::Undecided(reasons)
}

/// The normal forms of two games, and the preferences that correspond.
pub(crate) struct GameForms {
    /// The indices of preferences that correspond to each other.
    pub(crate) pairs: Vec<(usize, usize)>,
    /// The indices of the other preferences of each game.
    pub(crate) unmatched: [Vec<usize>; 2],
    /// The pairs whose normal forms differ.
    pub(crate) different: Vec<(usize, usize)>,
    pub(crate) setups: [String; 2],
    pub(crate) terminals: [String; 2],
    pub(crate) scores: [String; 2],
}

impl GameForms {
    fn new(world: &World, games: [&Arc<Game>; 2]) -> Self {
        let texts = games.map(|game| normal_form::preference_names(world, game));
        let (pairs, unmatched) = correspondence(games, &texts);
        // Preferences that correspond have the same name in scores.
        let mut names = texts.clone();
        for (number, &(one, other)) in pairs.iter().enumerate() {
            names[0][one] = format!("#{number}");
            names[1][other] = format!("#{number}");
        }
        let different = pairs.iter().copied().filter(|&(one, other)| texts[0][one] != texts[1][other]).collect();
        let both = [0, 1];
        Self {
            setups: games.map(|game| normal_form::setup(world, game.setup.as_ref())),
            terminals: both
                .map(|side: usize| normal_form::terminal(world, &names[side], games[side].terminal.as_ref())),
            scores: both.map(|side: usize| normal_form::score(world, &names[side], &games[side].score)),
            pairs,
            unmatched,
            different,
        }
    }

    pub(crate) fn has_equal_setups(&self) -> bool {
        self.setups[0] == self.setups[1]
    }

    /// Whether games with the same satisfactions end in the same state.
    pub(crate) fn has_equal_ends(&self) -> bool {
        self.terminals[0] == self.terminals[1]
    }

    /// Whether games with the same satisfactions have the same aspects.
    pub(crate) fn has_equal_results(&self, aspects: Aspects) -> bool {
        self.has_equal_ends() && (!aspects.score || self.scores[0] == self.scores[1])
    }

    fn are_equal(&self, aspects: Aspects) -> bool {
        self.different.is_empty() && self.has_equal_setups() && self.has_equal_results(aspects)
    }
}

/// Returns the pairs of preferences with the same name, then those of the others with the same normal form; and the rest of each game.
fn correspondence(games: [&Arc<Game>; 2], texts: &[Vec<String>; 2]) -> (Vec<(usize, usize)>, [Vec<usize>; 2]) {
    let places = |game: &Game| {
        let names = game.preferences.iter().map(|preference| Arc::clone(&preference.name));
        names.zip(0..).collect::<FxHashMap<_, usize>>()
    };
    let (first, second) = (places(games[0]), places(games[1]));
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    let mut unmatched: Vec<usize> = Vec::new();
    for (index, preference) in games[0].preferences.iter().enumerate() {
        match second.get(&preference.name) {
            Some(&other) => pairs.push((index, other)),
            None => unmatched.push(index),
        }
    }
    let mut free: FxHashMap<&str, VecDeque<usize>> = FxHashMap::default();
    for (other, preference) in games[1].preferences.iter().enumerate() {
        if !first.contains_key(&preference.name) {
            free.entry(&texts[1][other]).or_default().push_back(other);
        }
    }
    unmatched.retain(|&index| {
        let found = free.get_mut(&*texts[0][index]).and_then(VecDeque::pop_front);
        pairs.extend(found.map(|other| (index, other)));
        found.is_none()
    });
    let mut others: Vec<usize> = free.into_values().flatten().collect();
    others.sort_unstable();
    (pairs, [unmatched, others])
}

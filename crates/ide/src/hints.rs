//! Inlay hints: numbers that a program implies, shown behind its words.
//!
//! | language | hint |
//! |---|---|
//! | games | the number of bindings of each quantifier over the objects of the world |
//! | PDDL problems | the number of objects of each type |
//! | resource graph games | the probability of a consequence, if its odds are another number; the probability that an action has one |
//! | BDDL | the number of options of the goal, in the slow tier |

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use goalspec::core::world::World;
use goalspec::goal_options::{self, OptionCount};
use goalspec::program::{Activity, Program};
use goalspec::resource::odds;
use goalspec::rgg;
use goalspec::syntax::sexp::{List, Sexp};

use crate::TextRange;
use crate::analysis::Analysis;
use crate::typed_list::typed_names;
use crate::workspace::Snapshot;

/// Maximum number of hints in a document.
const MAX_HINTS: usize = 2000;

/// Maximum size of a document with hints, in bytes.
const MAX_HINT_BYTES: usize = 1 << 20;

/// Maximum number of instances of an activity whose options are counted.
const MAX_COUNTED_INSTANCES: usize = 64;

/// Maximum difference between odds and a probability that are shown as one number.
const MAX_ROUNDING_ERROR: f64 = 1e-9;

/// A number shown in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hint {
    /// The offset behind which it is shown.
    pub offset: u32,
    /// The number, with its noun.
    pub label: String,
    /// The definition of the number.
    pub tooltip: String,
}

impl Analysis {
    /// Returns the hints in a range of the document that take little time, in the order of the text, up to 2,000.
    pub fn hints(&self, range: &TextRange) -> Vec<Hint> {
        if self.file().is_none_or(|file| file.text().len() > MAX_HINT_BYTES) {
            return Vec::new();
        }
        let mut hints = Vec::new();
        self.quantifiers(range, &mut hints);
        self.programs().for_each(|program| self.object_counts(program, range, &mut hints));
        if let Some((game, ast)) = self.resource_game()
            && let Some(playable) = &game.playable
        {
            probabilities(ast, &playable.game, &mut hints);
        }
        hints.retain(|hint| range.start <= hint.offset && hint.offset <= range.end);
        hints.sort_by_key(|hint| hint.offset);
        hints.truncate(MAX_HINTS);
        hints
    }

    /// Adds the number of bindings of each quantifier of the games.
    fn quantifiers(&self, range: &TextRange, hints: &mut Vec<Hint>) {
        let game = |program: &'_ Program| Some((program.as_game()?.ast.span(), program.world.clone()?));
        let mut games: Vec<_> = self.programs().filter_map(game).collect();
        let Some(tree) = self.tree().filter(|_| !games.is_empty()) else { return };
        games.sort_by_key(|(span, _)| span.start);
        for list in tree.tree.lists() {
            let span = list.span();
            let is_quantifier = list
                .head()
                .is_some_and(|head| ["exists", "forall"].iter().any(|own| head.text().eq_ignore_ascii_case(own)));
            if !is_quantifier || span.end < range.start || range.end < span.start {
                continue;
            }
            let around = games[..games.partition_point(|(game, _)| game.start <= span.start)].last();
            let Some((_, world)) = around.filter(|(game, _)| span.end <= game.end) else { continue };
            let Some(variables) = list.items().nth(1).and_then(Sexp::as_list) else { continue };
            if hints.len() >= MAX_HINTS {
                return;
            }
            if let Some((count, factors)) = bindings(variables, world) {
                hints.push(Hint {
                    offset: variables.span().end,
                    label: counted(count, "binding"),
                    tooltip: format!("bindings over the objects that `{}` declares: {factors}", world.name()),
                });
            }
        }
    }

    /// Adds the number of objects of each type that the list of objects of a problem names, at its first occurrence.
    fn object_counts(&self, program: &Program, range: &TextRange, hints: &mut Vec<Hint>) {
        let Some(problem) = program.as_planning() else { return };
        let vocabulary = self.vocabulary(problem.problem.span.start).unwrap_or_default();
        let mut seen = rustc_hash::FxHashSet::default();
        for group in &problem.problem.objects {
            for name in group.type_ref.iter().flat_map(|types| &types.names) {
                let Some(of) = vocabulary.type_named(name.text()).filter(|of| seen.insert(*of)) else { continue };
                if name.span.end < range.start || range.end < name.span.start || hints.len() >= MAX_HINTS {
                    continue;
                }
                let count = vocabulary.object_count(of);
                hints.push(Hint {
                    offset: name.span.end,
                    label: counted(count as u128, "object"),
                    tooltip: format!("objects of `{}` and its subtypes, with the constants of the domain", name.text()),
                });
            }
        }
    }
}

impl Snapshot {
    /// Returns the hints of a document that may take long: the number of options of each activity with at most 64 instances. Setting the
    /// flag `cancelled` ends them after the present activity.
    pub fn slow_hints(&self, path: &Path, cancelled: &AtomicBool) -> Vec<Hint> {
        let analysis = self.analysis(path);
        let activities = analysis.programs().filter_map(Program::as_activity);
        let running = activities.take_while(|_| !cancelled.load(Ordering::Relaxed));
        running.filter_map(|activity| options(&analysis, activity)).take(MAX_HINTS).collect()
    }
}

/// Returns the number of options of the goal of an activity.
fn options(analysis: &Analysis, activity: &Activity) -> Option<Hint> {
    let whole = activity.problem.origin.0;
    let is_goal = |list: &List<'_>| {
        let span = list.span();
        whole.start <= span.start && span.end <= whole.end && list.head().is_some_and(|head| head.text() == ":goal")
    };
    let goal = analysis.tree()?.tree.lists().find(is_goal).filter(|_| activity.goal.is_some())?;
    if activity.problem.instances().count() > MAX_COUNTED_INSTANCES {
        return None;
    }
    let listing = goal_options::list(activity, 0).ok()?;
    let label = match listing.count {
        OptionCount::Exactly(count) => counted(count, "option"),
        OptionCount::Overflow => format!("more than {} options", u128::MAX),
        OptionCount::Unknown => return None,
    };
    let missing = match listing.min_missing {
        None => "no state satisfies the goal".to_owned(),
        Some(0) => "the goal holds in the initial state".to_owned(),
        Some(count) => format!("in the initial state, at least {} unsatisfied", counted(count as u128, "literal")),
    };
    Some(Hint { offset: goal.head()?.span().end, label, tooltip: format!("ways to satisfy the goal; {missing}") })
}

/// Returns the number of bindings of variables, with its factors; `None` if a type is unknown.
fn bindings(variables: List<'_>, world: &World) -> Option<(u128, String)> {
    let mut count: u128 = 1;
    let mut factors = Vec::new();
    for variable in typed_names(variables.items()) {
        let types: Option<Vec<_>> = variable.types.iter().map(|name| world.type_named(name)).collect();
        let objects = match types? {
            types if types.is_empty() => world.objects().len(),
            types => world.domain(&types).len(),
        };
        count = count.saturating_mul(objects as u128);
        factors.push(format!("{objects} for `{}`", variable.name.text()));
    }
    (!factors.is_empty()).then(|| (count, factors.join(", ")))
}

/// Adds the probabilities of the consequences and actions of a resource graph game.
fn probabilities(ast: &rgg::ast::Game, game: &goalspec::resource::game::Game, hints: &mut Vec<Hint>) {
    for (action, lowered) in ast.actions.iter().zip(&game.actions) {
        let chances = odds::probabilities(&lowered.consequences, game.rules.odds);
        for (consequence, chance) in action.consequences.iter().zip(&chances) {
            let differs = |odds: &rgg::ast::SpannedNumber| (odds.value - chance).abs() > MAX_ROUNDING_ERROR;
            if let Some(odds) = consequence.odds.filter(differs) {
                hints.push(Hint {
                    offset: odds.span.end,
                    label: percent(*chance),
                    tooltip: "probability of this consequence in the first valid use of the action".to_owned(),
                });
            }
        }
        let none: f64 = odds::groups(&lowered.consequences)
            .into_iter()
            .map(|group| 1.0 - chances[group].iter().sum::<f64>())
            .product();
        if !chances.is_empty() && none > MAX_ROUNDING_ERROR && hints.len() < MAX_HINTS {
            hints.push(Hint {
                offset: action.name.span.end,
                label: percent(1.0 - none),
                tooltip: "probability that the first valid use of the action has a consequence; `odds.discount` lowers it with each use"
                    .to_owned(),
            });
        }
    }
}

fn percent(chance: f64) -> String {
    format!("{} %", (chance * 1e8).round() / 1e6)
}

/// Returns a count with its noun.
fn counted(count: u128, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

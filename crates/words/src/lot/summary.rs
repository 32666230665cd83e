//! Counts, intervals and tests over cells.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;

use goalspec_lot::View;
use goalspec_statistics::interval::{ConfidenceInterval, ConfidenceLevel, proportion_interval};
use goalspec_statistics::mcnemar::PairedOutcomes;
use serde::Serialize;

use super::cell::{Cell, Fault, Method};

/// The cells that are counted together: those of one method with one model and number of repairs on one view. Constrained and free replies
/// are apart.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct GroupKey {
    /// The method.
    pub method: Method,
    /// The model.
    pub model: String,
    /// Whether the replies were constrained by a grammar.
    pub constrained: bool,
    /// The maximum number of repair turns of a reply.
    pub max_repairs: usize,
    /// The view.
    pub view: View,
}

impl GroupKey {
    /// Returns the key of a cell.
    pub fn of(cell: &Cell) -> Self {
        let model = cell.model.clone();
        let (constrained, max_repairs) = (cell.constrained, cell.max_repairs);
        Self { method: cell.method, model, constrained, max_repairs, view: cell.view }
    }

    /// Returns the method with its model.
    pub fn label(&self) -> String {
        let constrained = if self.constrained { ", constrained" } else { "" };
        let repairs = match self.max_repairs {
            0 => String::new(),
            1 => ", 1 repair".to_owned(),
            count => format!(", {count} repairs"),
        };
        format!("{} ({}{constrained}{repairs})", self.method, self.model)
    }
}

/// A number of successes among a number of items.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Proportion {
    /// The number of successes.
    pub hits: u64,
    /// The number of items.
    pub count: u64,
}

impl Proportion {
    /// Counts the items that succeed.
    pub fn of<T>(items: impl IntoIterator<Item = T>, succeeds: impl Fn(T) -> bool) -> Self {
        let mut proportion = Self::default();
        for item in items {
            proportion.count += 1;
            proportion.hits += u64::from(succeeds(item));
        }
        proportion
    }

    /// Returns the confidence interval at 95 % by Wilson's score; `None` without items.
    pub fn interval(self) -> Option<ConfidenceInterval> {
        proportion_interval(self.hits, self.count, ConfidenceLevel::DEFAULT)
    }

    /// Returns the interval in percent, such as `94.6-99.8`.
    pub fn interval_text(self) -> String {
        let percent = |value: f64| {
            let text = format!("{:.1}", value * 100.0);
            text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
        };
        self.interval()
            .map_or_else(String::new, |interval| format!("{}-{}", percent(interval.low), percent(interval.high)))
    }
}

/// The counts of a group of cells. Cells whose calls failed are only counted as such.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Group {
    /// The key.
    pub key: GroupKey,
    /// The cells without a verdict, because a call failed.
    pub failed_calls: usize,
    /// The problems that are solved.
    pub solved: Proportion,
    /// The problems that are solved by strict rules.
    pub solved_strictly: Proportion,
    /// The problems whose goal holds at the start: doing nothing solves them.
    pub holds_initially: Proportion,
    /// The problems that are solved, among those that need a plan.
    pub solved_with_plan: Proportion,
    /// The problems that are solved by the first replies, before any repair.
    pub solved_at_first: Proportion,
    /// The translations with the true facts.
    pub exact: Proportion,
    /// The translations that mean the same as the true facts.
    pub equivalent: Proportion,
    /// The problems that are solved although the translation is not exact.
    pub lucky: u64,
    /// The cells with a reply that ended at the limit of tokens.
    pub cut: u64,
    /// The actions of direct plans.
    pub actions: u64,
    /// Those of them that were skipped.
    pub ignored_actions: u64,
    /// The lines of direct plans that are not actions.
    pub unparsed_lines: u64,
    /// The repair turns.
    pub repairs: u64,
    /// The tokens of all prompts.
    pub input_tokens: u64,
    /// The tokens of all replies.
    pub output_tokens: u64,
    /// The cost, if the price of every cell is known.
    pub cost: Option<f64>,
    /// The number of problems by the length of their shortest plans.
    pub optimal_lengths: BTreeMap<usize, u64>,
}

/// The error for results that cannot be in one table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IncompatibleResultsError {
    /// Two results of the same model for the same view of a problem, which would be counted twice.
    Duplicate {
        /// The label of the group of the results.
        label: String,
        /// The id of the problem.
        problem: String,
        /// The view.
        view: View,
    },
    /// Two different problems with one id, which would be compared as if they were one.
    DifferentProblems {
        /// The id of the problems.
        problem: String,
        /// The view.
        view: View,
    },
}

impl IncompatibleResultsError {
    /// Returns what can be done about it.
    pub fn help(&self) -> &'static str {
        match self {
            Self::Duplicate { .. } => "the runs differ in no option that tables distinguish",
            Self::DifferentProblems { .. } => "the runs are on different sets of problems: report each on its own",
        }
    }
}

impl fmt::Display for IncompatibleResultsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Duplicate { label, problem, view } => {
                write!(f, "{label} has two results for problem {problem}, view {view}")
            }
            Self::DifferentProblems { problem, view } => {
                write!(f, "the results are for two different problems with the id {problem}, view {view}")
            }
        }
    }
}

impl std::error::Error for IncompatibleResultsError {}

/// Checks that no two cells are results of the same model for the same view of a problem, and that an id means one problem.
///
/// # Errors
/// If there are two such cells.
pub fn check_compatible(cells: &[Cell]) -> Result<(), IncompatibleResultsError> {
    let mut known = HashSet::new();
    let mut problems: HashMap<(&str, View), &str> = HashMap::new();
    for cell in cells {
        let (problem, view) = (cell.id.clone(), cell.view);
        if *problems.entry((&cell.id, view)).or_insert(&cell.problem) != cell.problem {
            return Err(IncompatibleResultsError::DifferentProblems { problem, view });
        }
        if !known.insert((GroupKey::of(cell), &cell.id)) {
            return Err(IncompatibleResultsError::Duplicate { label: GroupKey::of(cell).label(), problem, view });
        }
    }
    Ok(())
}

/// Groups cells, in the order of the keys.
pub fn groups(cells: &[Cell]) -> Vec<Group> {
    let mut by_key: BTreeMap<GroupKey, Vec<&Cell>> = BTreeMap::new();
    for cell in cells {
        by_key.entry(GroupKey::of(cell)).or_default().push(cell);
    }
    by_key.into_iter().map(|(key, cells)| group(key, &cells)).collect()
}

fn group(key: GroupKey, all: &[&Cell]) -> Group {
    let judged: Vec<&Cell> = all.iter().copied().filter(|cell| cell.last.is_some()).collect();
    let proportion = |succeeds: &dyn Fn(&Cell) -> bool| Proportion::of(judged.iter(), |cell| succeeds(cell));
    let sum = |value: &dyn Fn(&Cell) -> usize| all.iter().map(|cell| value(cell) as u64).sum();
    let lines = |value: fn(super::cell::PlanLineCounts) -> usize| {
        let direct = all.iter().filter(|cell| cell.method == Method::Direct);
        direct.filter_map(|cell| cell.last.as_ref()).map(|verdict| value(verdict.lines) as u64).sum()
    };
    let translations = judged.iter().filter_map(|cell| cell.translation());
    let mut optimal_lengths = BTreeMap::new();
    for length in all.iter().filter_map(|cell| cell.optimal_length) {
        *optimal_lengths.entry(length).or_default() += 1;
    }
    let costs: Option<Vec<f64>> = all.iter().map(|cell| cell.cost).collect();
    Group {
        key,
        failed_calls: all.len() - judged.len(),
        solved: proportion(&Cell::is_solved),
        solved_strictly: proportion(&|cell| cell.last.as_ref().is_some_and(|verdict| verdict.solved_strictly)),
        holds_initially: proportion(&|cell| cell.holds_initially),
        solved_with_plan: Proportion::of(judged.iter().filter(|cell| !cell.holds_initially), |cell| cell.is_solved()),
        solved_at_first: proportion(&|cell| cell.first.as_ref().is_some_and(|verdict| verdict.solved)),
        exact: Proportion::of(translations.clone(), super::cell::TranslationMeasures::is_exact),
        equivalent: Proportion::of(translations, |translation| translation.equivalent),
        lucky: judged.iter().filter(|cell| cell.is_lucky()).count() as u64,
        cut: judged.iter().filter(|cell| cell.cut > 0).count() as u64,
        actions: lines(super::cell::PlanLineCounts::actions),
        ignored_actions: lines(super::cell::PlanLineCounts::ignored),
        unparsed_lines: lines(|lines| lines.unparsed),
        repairs: sum(&|cell| cell.repairs),
        input_tokens: all.iter().map(|cell| cell.input_tokens).sum(),
        output_tokens: all.iter().map(|cell| cell.output_tokens).sum(),
        cost: costs.map(|costs| costs.iter().sum()),
        optimal_lengths,
    }
}

/// The comparison of two methods or models on the problems that both have a verdict for.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    /// The view.
    pub view: View,
    /// The first method with its model.
    pub first: String,
    /// The second method with its model.
    pub second: String,
    /// The number of problems that both solve.
    pub both: u64,
    /// The number of problems that only the first solves.
    pub first_only: u64,
    /// The number of problems that only the second solves.
    pub second_only: u64,
    /// The number of problems that neither solves.
    pub neither: u64,
    /// The two-sided p-value of McNemar's exact test.
    pub p_value: f64,
}

/// Compares every two groups of a view, in the order of their keys.
pub fn comparisons(cells: &[Cell]) -> Vec<Comparison> {
    let mut by_key: BTreeMap<(View, GroupKey), HashMap<&str, bool>> = BTreeMap::new();
    for cell in cells.iter().filter(|cell| cell.last.is_some()) {
        let key = (cell.view, GroupKey::of(cell));
        by_key.entry(key).or_default().insert(&cell.id, cell.is_solved());
    }
    let groups: Vec<_> = by_key.iter().collect();
    let mut found = Vec::new();
    for (index, ((view, first), of_first)) in groups.iter().enumerate() {
        for ((other, second), of_second) in groups[index + 1..].iter().filter(|((other, _), _)| other == view) {
            let mut outcomes = PairedOutcomes::default();
            for (id, &solved) in *of_first {
                if let Some(&other) = of_second.get(id) {
                    outcomes.add(solved, other);
                }
            }
            let PairedOutcomes { both, first_only, second_only, neither } = outcomes;
            let (view, first, second) = (*other, first.label(), second.label());
            let p_value = outcomes.p_value();
            found.push(Comparison { view, first, second, both, first_only, second_only, neither, p_value });
        }
    }
    found
}

/// The effect of repairs on the cells whose first replies have one kind of fault.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RepairEffect {
    /// The method with its model.
    pub label: String,
    /// The kind of fault of the first replies.
    pub fault: Fault,
    /// The number of cells whose first replies have it.
    pub cells: u64,
    /// The number of these whose last replies have no fault.
    pub repaired: u64,
    /// The number that was solved by the first replies.
    pub solved_at_first: u64,
    /// The number that is solved by the last replies.
    pub solved: u64,
    /// The number of repair turns.
    pub repairs: u64,
}

/// Returns the effect of repairs by kind of fault.
pub fn repair_effects(cells: &[Cell]) -> Vec<RepairEffect> {
    let mut by_fault: BTreeMap<(String, Fault), RepairEffect> = BTreeMap::new();
    for cell in cells {
        let (Some(first), Some(last)) = (&cell.first, &cell.last) else { continue };
        let Some(fault) = first.fault else { continue };
        let label = GroupKey { view: View::One, ..GroupKey::of(cell) }.label();
        let effect = by_fault.entry((label.clone(), fault)).or_insert_with(|| RepairEffect {
            label,
            fault,
            cells: 0,
            repaired: 0,
            solved_at_first: 0,
            solved: 0,
            repairs: 0,
        });
        effect.cells += 1;
        effect.repaired += u64::from(last.fault.is_none());
        effect.solved_at_first += u64::from(first.solved);
        effect.solved += u64::from(last.solved);
        effect.repairs += cell.repairs as u64;
    }
    by_fault.into_values().collect()
}

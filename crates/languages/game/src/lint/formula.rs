//! Propositional reasoning: decides whether conditions can hold together.
//!
//! Each predicate and each quantified condition is a Boolean variable. A function that is compared with numbers is a variable over a
//! finite sample: the numbers themselves, one value between each two neighbours, and one value beyond each end. A pair of functions
//! that are compared with each other is a variable over the possible order relations.

use std::cell::Cell;

use goalspec_core::condition::ComparisonOperator;

use crate::ast::visit::{self, Visitor};
use crate::ast::{Application, Condition, Operand, Score, Terminal};

/// Maximum number of variables of a condition; larger conditions are not analysed.
const MAX_PROP_VARIABLES: usize = 32;
/// Maximum number of values of a variable.
const MAX_VALUES: usize = 64;
/// Maximum number of values that one variable is compared with; more would exceed [`MAX_VALUES`].
const MAX_COMPARED_NUMBERS: usize = 4 * MAX_VALUES;
/// Maximum number of assignments that one query examines; beyond that the answer is unknown.
const MAX_STEPS: usize = 1 << 12;

/// The meaning of a propositional variable.
#[derive(Debug, Clone, Copy, PartialEq)]
enum PropVariable<'a> {
    Condition(&'a Condition),
    Function(&'a Application),
    Score(&'a Score),
    Functions(&'a Application, &'a Application),
    Scores(&'a Score, &'a Score),
}

/// A propositional formula.
#[derive(Debug, Clone)]
pub(super) enum Formula {
    Constant(bool),
    /// The variable with this index has one of the values in this bit set.
    InValues(usize, u64),
    Not(Box<Formula>),
    And(Vec<Formula>),
    Or(Vec<Formula>),
}

impl Formula {
    pub(super) fn not(self) -> Self {
        Self::Not(Box::new(self))
    }
}

/// An operand of a comparison.
enum ComparisonOperand<'a> {
    Number(f64),
    Variable(PropVariable<'a>),
}

/// A comparison in normal form.
enum NormalComparison<'a> {
    Decided(bool),
    With(PropVariable<'a>, ComparisonOperator, f64),
    Both(PropVariable<'a>, ComparisonOperator),
}

/// The propositional variables of some conditions.
#[derive(Debug, Clone, Default)]
pub(super) struct PropVariables<'a> {
    known: Vec<PropVariable<'a>>,
    /// For each variable, the numbers that it is compared with.
    bounds: Vec<Vec<f64>>,
    /// For each variable, its sample values; empty for variables that are not numeric.
    samples: Vec<Vec<f64>>,
    /// The maximum number of steps.
    max_work: usize,
    work: Cell<usize>,
}

/// Representative pairs for the order relations of two numbers: much less, approximately equal but less, equal, approximately equal
/// but greater, much greater.
const RELATIONS: [(f64, f64); 5] = [(0.0, 1.0), (1.0, 1.000_001), (1.0, 1.0), (1.000_001, 1.0), (1.0, 0.0)];

impl<'a> PropVariables<'a> {
    /// Adds the variables of a condition. Returns `None` if there are too many variables, or an error in the condition.
    pub(super) fn with_condition(mut self, condition: &'a Condition) -> Option<Self> {
        if visit::has_unparsed_part(condition) {
            return None;
        }
        self.condition(condition);
        (self.known.len() <= MAX_PROP_VARIABLES).then_some(self)
    }

    /// Prepares the variables of conditions for at most `max_work` reasoning steps. `min` returns a lower bound of a function.
    ///
    /// Returns `None` if a variable has too many values.
    pub(super) fn sampled(self, max_work: usize, min: impl Fn(&Application) -> f64) -> Option<Self> {
        Self { max_work, ..self }.sample(|variable| match variable {
            PropVariable::Function(application) => (min(application), f64::INFINITY),
            _ => (f64::NEG_INFINITY, f64::INFINITY),
        })
    }

    /// Collects the variables of a terminal condition. `range` returns the bounds of a score.
    ///
    /// Returns `None` if there are too many variables, or an error in the condition.
    pub(super) fn of_terminal(
        terminal: &'a Terminal,
        max_work: usize,
        range: impl Fn(&Score) -> (f64, f64),
    ) -> Option<Self> {
        if visit::has_unparsed_part(terminal) {
            return None;
        }
        let mut variables = Self { max_work, ..Self::default() };
        variables.terminal(terminal);
        variables.sample(|variable| match variable {
            PropVariable::Score(score) => range(score),
            _ => (f64::NEG_INFINITY, f64::INFINITY),
        })
    }

    fn collect_comparison(&mut self, compared: &NormalComparison<'a>) {
        match *compared {
            NormalComparison::Decided(_) => {}
            NormalComparison::With(variable, comparison, number) => {
                // Equality has a tolerance, so approximately equal values are sampled too.
                let near = ComparisonOperator::tolerance(number);
                let bounds = [number, number - near, number + near];
                self.add(variable, Some(&bounds[..if comparison == ComparisonOperator::Equal { 3 } else { 1 }]));
            }
            NormalComparison::Both(variable, _) => self.add(variable, None),
        }
    }

    fn add(&mut self, variable: PropVariable<'a>, bounds: Option<&[f64]>) {
        if self.known.len() > MAX_PROP_VARIABLES {
            // Conditions with too many variables are not analysed.
            return;
        }
        let at = self.known.iter().position(|&known| known == variable).unwrap_or_else(|| {
            self.known.push(variable);
            self.bounds.push(Vec::new());
            self.known.len() - 1
        });
        if self.bounds[at].len() <= MAX_COMPARED_NUMBERS {
            self.bounds[at].extend(bounds.unwrap_or_default());
        }
    }

    /// Takes one step. Returns whether a step was left.
    fn step(&self) -> bool {
        let work = self.work.get();
        self.work.set((work + 1).min(self.max_work));
        work < self.max_work
    }

    /// Returns the number of steps taken.
    pub(super) fn work(&self) -> usize {
        self.work.get()
    }

    /// Returns whether the step limit was reached, so that some answers are unknown.
    pub(super) fn is_exhausted(&self) -> bool {
        self.work.get() >= self.max_work
    }

    /// Chooses the sample values of the variables: the numbers they are compared with, and values between and beyond them.
    fn sample(mut self, range: impl Fn(PropVariable<'a>) -> (f64, f64)) -> Option<Self> {
        for (&variable, bounds) in self.known.iter().zip(&mut self.bounds) {
            let (min, max) = range(variable);
            bounds.extend([min, max].iter().filter(|bound| bound.is_finite()));
            bounds.sort_by(f64::total_cmp);
            bounds.dedup();
            let mut samples = Vec::new();
            if let (PropVariable::Function(_) | PropVariable::Score(_), [first, .., last] | [first @ last]) =
                (variable, &bounds[..])
            {
                samples.push(first - 1.0);
                samples.extend_from_slice(bounds);
                samples.extend(bounds.windows(2).map(|pair| f64::midpoint(pair[0], pair[1])));
                samples.push(last + 1.0);
                samples.retain(|&value| min <= value && value <= max);
            }
            self.samples.push(samples);
        }
        let few =
            self.known.len() <= MAX_PROP_VARIABLES && self.samples.iter().all(|samples| samples.len() <= MAX_VALUES);
        few.then_some(self)
    }

    /// Translates a condition. Its variables must have been [added](Self::with_condition).
    pub(super) fn formula(&self, condition: &'a Condition) -> Formula {
        if !self.step() {
            return Formula::Constant(false);
        }
        match condition {
            Condition::And(parts, _) => Formula::And(parts.iter().map(|part| self.formula(part)).collect()),
            Condition::Or(parts, _) => Formula::Or(parts.iter().map(|part| self.formula(part)).collect()),
            Condition::Not(part, _) => self.formula(part).not(),
            Condition::Compare(comparison, sides, _) => {
                let [left, right] = &**sides;
                self.comparison(&compared(*comparison, side(left), side(right)))
            }
            Condition::AllEqual(operands, _) => {
                let pairs = operands.iter().skip(1).map(|other| (side(other), side(&operands[0])));
                let equal = |(other, first)| self.comparison(&compared(ComparisonOperator::Equal, other, first));
                Formula::And(pairs.map(equal).collect())
            }
            // Conditions with errors have no variables and are not analysed.
            Condition::Error(_) => Formula::Constant(false),
            // Other conditions are variables of the propositional logic.
            _ => self.in_values(PropVariable::Condition(condition), 1),
        }
    }

    /// Translates a terminal condition. Its variables must have been collected by [`of_terminal`](Self::of_terminal).
    pub(super) fn terminal_formula(&self, terminal: &'a Terminal) -> Formula {
        if !self.step() {
            return Formula::Constant(false);
        }
        match terminal {
            Terminal::And(parts, _) => Formula::And(parts.iter().map(|part| self.terminal_formula(part)).collect()),
            Terminal::Or(parts, _) => Formula::Or(parts.iter().map(|part| self.terminal_formula(part)).collect()),
            Terminal::Not(part, _) => self.terminal_formula(part).not(),
            Terminal::Compare(comparison, sides, _) => {
                let [left, right] = &**sides;
                self.comparison(&compared(*comparison, score_side(left), score_side(right)))
            }
            // Conditions with errors have no variables and are not analysed.
            Terminal::Error(_) => Formula::Constant(false),
        }
    }

    fn comparison(&self, compared: &NormalComparison<'a>) -> Formula {
        let mask = |values: &mut dyn Iterator<Item = bool>| {
            values.enumerate().fold(0, |mask, (bit, holds)| mask | u64::from(holds) << bit)
        };
        match *compared {
            NormalComparison::Decided(holds) => Formula::Constant(holds),
            NormalComparison::With(variable, comparison, number) => {
                let samples = self.position(variable).map_or(&[][..], |at| &self.samples[at]);
                let mut holds = samples.iter().map(|&value| comparison.holds(value, number));
                self.in_values(variable, mask(&mut holds))
            }
            NormalComparison::Both(variable, comparison) => {
                let mut holds = RELATIONS.iter().map(|&(left, right)| comparison.holds(left, right));
                self.in_values(variable, mask(&mut holds))
            }
        }
    }

    fn position(&self, variable: PropVariable<'a>) -> Option<usize> {
        self.known.iter().position(|&known| known == variable)
    }

    fn in_values(&self, variable: PropVariable<'a>, values: u64) -> Formula {
        // A variable that was not collected occurs nowhere else.
        self.position(variable).map_or(Formula::Constant(false), |at| Formula::InValues(at, values))
    }

    /// Returns whether some assignment satisfies the formula, or `None` if a limit was reached.
    pub(super) fn satisfiable(&self, formula: &Formula) -> Option<bool> {
        let mut search = Search { variables: self, values: vec![None; self.known.len()], steps: 0 };
        search.satisfiable(formula)
    }

    /// Returns whether the formula is certainly unsatisfiable.
    pub(super) fn is_unsatisfiable(&self, formula: &Formula) -> bool {
        self.satisfiable(formula) == Some(false) && !self.is_exhausted()
    }

    /// Returns the number of values of a variable.
    fn count(&self, variable: usize) -> usize {
        match self.known[variable] {
            PropVariable::Condition(_) => 2,
            PropVariable::Function(_) | PropVariable::Score(_) => self.samples[variable].len(),
            PropVariable::Functions(..) | PropVariable::Scores(..) => RELATIONS.len(),
        }
    }
}

/// A backtracking search over assignments.
struct Search<'s, 'a> {
    variables: &'s PropVariables<'a>,
    values: Vec<Option<usize>>,
    steps: usize,
}

/// The value of a formula under a partial assignment.
enum Value {
    Known(bool),
    /// The value depends on this variable.
    Open(usize),
}

impl Search<'_, '_> {
    /// Decides satisfiability. The recursion depth is the number of variables.
    fn satisfiable(&mut self, formula: &Formula) -> Option<bool> {
        self.steps += 1;
        if self.steps > MAX_STEPS || self.variables.is_exhausted() {
            return None;
        }
        let variable = match self.value(formula) {
            Value::Known(value) => return Some(value),
            Value::Open(variable) => variable,
        };
        for value in 0..self.variables.count(variable) {
            self.values[variable] = Some(value);
            let found = self.satisfiable(formula);
            self.values[variable] = None;
            if found != Some(false) {
                return found;
            }
        }
        Some(false)
    }

    fn value(&self, formula: &Formula) -> Value {
        if !self.variables.step() {
            return Value::Known(true);
        }
        match formula {
            Formula::Constant(value) => Value::Known(*value),
            Formula::InValues(variable, holds) => match self.values[*variable] {
                Some(value) => Value::Known(holds >> value & 1 == 1),
                None => Value::Open(*variable),
            },
            Formula::Not(part) => match self.value(part) {
                Value::Known(value) => Value::Known(!value),
                open @ Value::Open(_) => open,
            },
            Formula::And(parts) => self.combine(parts, false),
            Formula::Or(parts) => self.combine(parts, true),
        }
    }

    /// Combines the values of operands. `decisive` is the operand value that determines the result.
    fn combine(&self, parts: &[Formula], decisive: bool) -> Value {
        let mut open = None;
        for part in parts {
            match self.value(part) {
                Value::Known(value) if value == decisive => return Value::Known(decisive),
                Value::Known(_) => {}
                Value::Open(variable) => open = open.or(Some(variable)),
            }
        }
        open.map_or(Value::Known(!decisive), Value::Open)
    }
}

fn side(operand: &Operand) -> ComparisonOperand<'_> {
    match operand {
        Operand::Number(number, _) => ComparisonOperand::Number(*number),
        Operand::Function(application) => ComparisonOperand::Variable(PropVariable::Function(application)),
    }
}

fn score_side(score: &Score) -> ComparisonOperand<'_> {
    match score {
        Score::Number(number, _) => ComparisonOperand::Number(*number),
        other => ComparisonOperand::Variable(PropVariable::Score(other)),
    }
}

fn compared<'a>(
    comparison: ComparisonOperator,
    left: ComparisonOperand<'a>,
    right: ComparisonOperand<'a>,
) -> NormalComparison<'a> {
    match (left, right) {
        (ComparisonOperand::Number(left), ComparisonOperand::Number(right)) => {
            NormalComparison::Decided(comparison.holds(left, right))
        }
        (ComparisonOperand::Variable(variable), ComparisonOperand::Number(number)) => {
            NormalComparison::With(variable, comparison, number)
        }
        (ComparisonOperand::Number(number), ComparisonOperand::Variable(variable)) => {
            NormalComparison::With(variable, comparison.mirrored(), number)
        }
        (ComparisonOperand::Variable(left), ComparisonOperand::Variable(right)) if left == right => {
            NormalComparison::Decided(comparison.holds(0.0, 0.0))
        }
        (
            ComparisonOperand::Variable(PropVariable::Function(left)),
            ComparisonOperand::Variable(PropVariable::Function(right)),
        ) => NormalComparison::Both(PropVariable::Functions(left, right), comparison),
        (
            ComparisonOperand::Variable(PropVariable::Score(left)),
            ComparisonOperand::Variable(PropVariable::Score(right)),
        ) => NormalComparison::Both(PropVariable::Scores(left, right), comparison),
        // Both sides are functions or both are scores, never one of each.
        (ComparisonOperand::Variable(_), ComparisonOperand::Variable(_)) => NormalComparison::Decided(false),
    }
}

impl<'a> Visitor<'a> for PropVariables<'a> {
    fn condition(&mut self, condition: &'a Condition) {
        match condition {
            Condition::And(..) | Condition::Or(..) | Condition::Not(..) => visit::walk_condition(self, condition),
            Condition::Compare(comparison, sides, _) => {
                let [left, right] = &**sides;
                self.collect_comparison(&compared(*comparison, side(left), side(right)));
            }
            Condition::AllEqual(operands, _) => {
                for other in operands.iter().skip(1) {
                    self.collect_comparison(&compared(ComparisonOperator::Equal, side(other), side(&operands[0])));
                }
            }
            Condition::Error(_) => {}
            _ => self.add(PropVariable::Condition(condition), None),
        }
    }

    fn terminal(&mut self, terminal: &'a Terminal) {
        match terminal {
            Terminal::Compare(comparison, sides, _) => {
                let [left, right] = &**sides;
                self.collect_comparison(&compared(*comparison, score_side(left), score_side(right)));
            }
            Terminal::And(..) | Terminal::Or(..) | Terminal::Not(..) | Terminal::Error(_) => {
                visit::walk_terminal(self, terminal);
            }
        }
    }
}

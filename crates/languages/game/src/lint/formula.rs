//! Propositional reasoning: which conditions can hold together.
//!
//! Predicates and quantified conditions are letters, true or false. Functions that are compared with numbers are letters with a
//! few values: the numbers, and one value between and beyond them. Two functions that are compared with each other are a letter
//! for how they compare.

use std::cell::Cell;

use goalspec_core::condition::Comparison;

use crate::ast::{Application, Condition, Operand, Score, Terminal};

/// Most letters that one condition is reasoned about with; nothing is said of larger ones.
const MAX_LETTERS: usize = 32;
/// Most values that one letter may take.
const MAX_VALUES: usize = 64;
/// Most numbers that one letter is compared with; more have more values than [`MAX_VALUES`].
const MAX_BOUNDS: usize = 4 * MAX_VALUES;
/// Most assignments that are looked at for one question; beyond, nothing is said.
const MAX_STEPS: usize = 1 << 12;

/// What a letter stands for.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Letter<'a> {
    Condition(&'a Condition),
    Function(&'a Application),
    Score(&'a Score),
    Functions(&'a Application, &'a Application),
    Scores(&'a Score, &'a Score),
}

/// A condition over letters.
#[derive(Debug, Clone)]
pub(super) enum Formula {
    Constant(bool),
    /// The letter has one of these values, one bit each.
    Letter(usize, u64),
    Not(Box<Formula>),
    All(Vec<Formula>),
    Any(Vec<Formula>),
}

impl Formula {
    pub(super) fn not(self) -> Self {
        Self::Not(Box::new(self))
    }
}

/// One side of a comparison.
enum Side<'a> {
    Number(f64),
    Letter(Letter<'a>),
}

/// Two numbers that are compared, as far as they are not numbers themselves.
enum Compared<'a> {
    Decided(bool),
    With(Letter<'a>, Comparison, f64),
    Both(Letter<'a>, Comparison),
}

/// The letters of some conditions.
#[derive(Debug, Default)]
pub(super) struct Letters<'a> {
    known: Vec<Letter<'a>>,
    /// Per letter, the numbers it is compared with.
    bounds: Vec<Vec<f64>>,
    /// Per letter, the values it may take; empty for letters that are no numbers.
    samples: Vec<Vec<f64>>,
    /// How many steps may be taken, and were.
    most_work: usize,
    work: Cell<usize>,
}

/// How two numbers that are compared with each other relate: clearly less, about equal but less, equal, and so on.
const RELATIONS: [(f64, f64); 5] = [(0.0, 1.0), (1.0, 1.000_001), (1.0, 1.0), (1.000_001, 1.0), (1.0, 0.0)];

impl<'a> Letters<'a> {
    /// The letters of these conditions, to be reasoned about in so many steps: parts of conditions that are looked at. `least` tells
    /// below what a function is never.
    ///
    /// `None` if there are too many.
    pub(super) fn of(
        conditions: &[&'a Condition],
        most_work: usize,
        least: impl Fn(&Application) -> f64,
    ) -> Option<Self> {
        let mut letters = Self { most_work, ..Self::default() };
        for condition in conditions {
            letters.collect(condition);
        }
        letters.sample(|letter| match letter {
            Letter::Function(application) => (least(application), f64::INFINITY),
            _ => (f64::NEG_INFINITY, f64::INFINITY),
        })
    }

    /// The letters of a terminal condition. `range` tells between what a score is.
    ///
    /// `None` if there are too many.
    pub(super) fn of_terminal(
        terminal: &'a Terminal,
        most_work: usize,
        range: impl Fn(&Score) -> (f64, f64),
    ) -> Option<Self> {
        let mut letters = Self { most_work, ..Self::default() };
        letters.collect_terminal(terminal);
        letters.sample(|letter| match letter {
            Letter::Score(score) => range(score),
            _ => (f64::NEG_INFINITY, f64::INFINITY),
        })
    }

    fn collect(&mut self, condition: &'a Condition) {
        match condition {
            Condition::And(parts, _) | Condition::Or(parts, _) => parts.iter().for_each(|part| self.collect(part)),
            Condition::Not(part, _) => self.collect(part),
            Condition::Compare(comparison, sides, _) => {
                let [left, right] = &**sides;
                self.note(&compared(*comparison, side(left), side(right)));
            }
            Condition::AllEqual(operands, _) => {
                for other in operands.iter().skip(1) {
                    self.note(&compared(Comparison::Equal, side(other), side(&operands[0])));
                }
            }
            Condition::Exists(..) | Condition::Forall(..) | Condition::Predicate(_) => {
                self.add(Letter::Condition(condition), None);
            }
        }
    }

    fn collect_terminal(&mut self, terminal: &'a Terminal) {
        match terminal {
            Terminal::And(parts, _) | Terminal::Or(parts, _) => {
                for part in parts {
                    self.collect_terminal(part);
                }
            }
            Terminal::Not(part, _) => self.collect_terminal(part),
            Terminal::Compare(comparison, sides, _) => {
                let [left, right] = &**sides;
                self.note(&compared(*comparison, score_side(left), score_side(right)));
            }
        }
    }

    fn note(&mut self, compared: &Compared<'a>) {
        match *compared {
            Compared::Decided(_) => {}
            Compared::With(letter, comparison, number) => {
                // Equality has a tolerance: what is just about equal is a value of its own.
                let near = 1e-8 + 1e-5 * number.abs();
                let bounds = [number, number - near, number + near];
                self.add(letter, Some(&bounds[..if comparison == Comparison::Equal { 3 } else { 1 }]));
            }
            Compared::Both(letter, _) => self.add(letter, None),
        }
    }

    fn add(&mut self, letter: Letter<'a>, bounds: Option<&[f64]>) {
        if self.known.len() > MAX_LETTERS {
            // Nothing is said of so many.
            return;
        }
        let at = self.known.iter().position(|&known| known == letter).unwrap_or_else(|| {
            self.known.push(letter);
            self.bounds.push(Vec::new());
            self.known.len() - 1
        });
        if self.bounds[at].len() <= MAX_BOUNDS {
            self.bounds[at].extend(bounds.unwrap_or_default());
        }
    }

    /// Takes a step; says whether there was one left.
    fn step(&self) -> bool {
        let work = self.work.get();
        self.work.set((work + 1).min(self.most_work));
        work < self.most_work
    }

    /// How many steps were taken.
    pub(super) fn work(&self) -> usize {
        self.work.get()
    }

    /// Whether there were too few steps, so that answers are missing.
    pub(super) fn is_exhausted(&self) -> bool {
        self.work.get() >= self.most_work
    }

    /// Chooses the values of the letters: on, between and beyond the numbers they are compared with.
    fn sample(mut self, range: impl Fn(Letter<'a>) -> (f64, f64)) -> Option<Self> {
        for (&letter, bounds) in self.known.iter().zip(&mut self.bounds) {
            let (least, most) = range(letter);
            bounds.extend([least, most].iter().filter(|bound| bound.is_finite()));
            bounds.sort_by(f64::total_cmp);
            bounds.dedup();
            let mut samples = Vec::new();
            if let (Letter::Function(_) | Letter::Score(_), [first, .., last] | [first @ last]) = (letter, &bounds[..])
            {
                samples.push(first - 1.0);
                samples.extend_from_slice(bounds);
                samples.extend(bounds.windows(2).map(|pair| f64::midpoint(pair[0], pair[1])));
                samples.push(last + 1.0);
                samples.retain(|&value| least <= value && value <= most);
            }
            self.samples.push(samples);
        }
        let few = self.known.len() <= MAX_LETTERS && self.samples.iter().all(|samples| samples.len() <= MAX_VALUES);
        few.then_some(self)
    }

    /// A condition over the letters. All its letters must have been given to [`of`](Self::of).
    pub(super) fn formula(&self, condition: &'a Condition) -> Formula {
        if !self.step() {
            return Formula::Constant(false);
        }
        match condition {
            Condition::And(parts, _) => Formula::All(parts.iter().map(|part| self.formula(part)).collect()),
            Condition::Or(parts, _) => Formula::Any(parts.iter().map(|part| self.formula(part)).collect()),
            Condition::Not(part, _) => self.formula(part).not(),
            Condition::Compare(comparison, sides, _) => {
                let [left, right] = &**sides;
                self.comparison(&compared(*comparison, side(left), side(right)))
            }
            Condition::AllEqual(operands, _) => {
                let pairs = operands.iter().skip(1).map(|other| (side(other), side(&operands[0])));
                let equal = |(other, first)| self.comparison(&compared(Comparison::Equal, other, first));
                Formula::All(pairs.map(equal).collect())
            }
            Condition::Exists(..) | Condition::Forall(..) | Condition::Predicate(_) => {
                self.letter(Letter::Condition(condition), 1)
            }
        }
    }

    /// A terminal condition over the letters, which must have been given to [`of_terminal`](Self::of_terminal).
    pub(super) fn terminal(&self, terminal: &'a Terminal) -> Formula {
        if !self.step() {
            return Formula::Constant(false);
        }
        match terminal {
            Terminal::And(parts, _) => Formula::All(parts.iter().map(|part| self.terminal(part)).collect()),
            Terminal::Or(parts, _) => Formula::Any(parts.iter().map(|part| self.terminal(part)).collect()),
            Terminal::Not(part, _) => self.terminal(part).not(),
            Terminal::Compare(comparison, sides, _) => {
                let [left, right] = &**sides;
                self.comparison(&compared(*comparison, score_side(left), score_side(right)))
            }
        }
    }

    fn comparison(&self, compared: &Compared<'a>) -> Formula {
        let mask = |values: &mut dyn Iterator<Item = bool>| {
            values.enumerate().fold(0, |mask, (bit, holds)| mask | u64::from(holds) << bit)
        };
        match *compared {
            Compared::Decided(holds) => Formula::Constant(holds),
            Compared::With(letter, comparison, number) => {
                let samples = self.position(letter).map_or(&[][..], |at| &self.samples[at]);
                let mut holds = samples.iter().map(|&value| comparison.holds(value, number));
                self.letter(letter, mask(&mut holds))
            }
            Compared::Both(letter, comparison) => {
                let mut holds = RELATIONS.iter().map(|&(left, right)| comparison.holds(left, right));
                self.letter(letter, mask(&mut holds))
            }
        }
    }

    fn position(&self, letter: Letter<'a>) -> Option<usize> {
        self.known.iter().position(|&known| known == letter)
    }

    fn letter(&self, letter: Letter<'a>, values: u64) -> Formula {
        // A letter that was not collected is one that nothing else speaks of.
        self.position(letter).map_or(Formula::Constant(false), |at| Formula::Letter(at, values))
    }

    /// Whether the formula holds for some values of its letters; `None` if that takes too long to find out.
    pub(super) fn satisfiable(&self, formula: &Formula) -> Option<bool> {
        let mut search = Search { letters: self, values: vec![None; self.known.len()], steps: 0 };
        search.satisfiable(formula)
    }

    /// Whether it is certain that the formula never holds.
    pub(super) fn impossible(&self, formula: &Formula) -> bool {
        self.satisfiable(formula) == Some(false) && !self.is_exhausted()
    }

    /// How many values a letter takes.
    fn count(&self, letter: usize) -> usize {
        match self.known[letter] {
            Letter::Condition(_) => 2,
            Letter::Function(_) | Letter::Score(_) => self.samples[letter].len(),
            Letter::Functions(..) | Letter::Scores(..) => RELATIONS.len(),
        }
    }
}

/// A search through the values of the letters.
struct Search<'s, 'a> {
    letters: &'s Letters<'a>,
    values: Vec<Option<usize>>,
    steps: usize,
}

/// The value of a formula when some letters have theirs.
enum Value {
    Known(bool),
    /// It depends on this letter.
    Open(usize),
}

impl Search<'_, '_> {
    /// Goes no deeper than there are letters.
    fn satisfiable(&mut self, formula: &Formula) -> Option<bool> {
        self.steps += 1;
        if self.steps > MAX_STEPS || self.letters.is_exhausted() {
            return None;
        }
        let letter = match self.value(formula) {
            Value::Known(value) => return Some(value),
            Value::Open(letter) => letter,
        };
        for value in 0..self.letters.count(letter) {
            self.values[letter] = Some(value);
            let found = self.satisfiable(formula);
            self.values[letter] = None;
            if found != Some(false) {
                return found;
            }
        }
        Some(false)
    }

    fn value(&self, formula: &Formula) -> Value {
        if !self.letters.step() {
            return Value::Known(true);
        }
        match formula {
            Formula::Constant(value) => Value::Known(*value),
            Formula::Letter(letter, holds) => match self.values[*letter] {
                Some(value) => Value::Known(holds >> value & 1 == 1),
                None => Value::Open(*letter),
            },
            Formula::Not(part) => match self.value(part) {
                Value::Known(value) => Value::Known(!value),
                open @ Value::Open(_) => open,
            },
            Formula::All(parts) => self.combine(parts, false),
            Formula::Any(parts) => self.combine(parts, true),
        }
    }

    /// `decisive` is the value of a part that settles the whole.
    fn combine(&self, parts: &[Formula], decisive: bool) -> Value {
        let mut open = None;
        for part in parts {
            match self.value(part) {
                Value::Known(value) if value == decisive => return Value::Known(decisive),
                Value::Known(_) => {}
                Value::Open(letter) => open = open.or(Some(letter)),
            }
        }
        open.map_or(Value::Known(!decisive), Value::Open)
    }
}

fn side(operand: &Operand) -> Side<'_> {
    match operand {
        Operand::Number(number, _) => Side::Number(*number),
        Operand::Function(application) => Side::Letter(Letter::Function(application)),
    }
}

fn score_side(score: &Score) -> Side<'_> {
    match score {
        Score::Number(number, _) => Side::Number(*number),
        other => Side::Letter(Letter::Score(other)),
    }
}

fn compared<'a>(comparison: Comparison, left: Side<'a>, right: Side<'a>) -> Compared<'a> {
    match (left, right) {
        (Side::Number(left), Side::Number(right)) => Compared::Decided(comparison.holds(left, right)),
        (Side::Letter(letter), Side::Number(number)) => Compared::With(letter, comparison, number),
        (Side::Number(number), Side::Letter(letter)) => Compared::With(letter, mirrored(comparison), number),
        (Side::Letter(left), Side::Letter(right)) if left == right => Compared::Decided(comparison.holds(0.0, 0.0)),
        (Side::Letter(Letter::Function(left)), Side::Letter(Letter::Function(right))) => {
            Compared::Both(Letter::Functions(left, right), comparison)
        }
        (Side::Letter(Letter::Score(left)), Side::Letter(Letter::Score(right))) => {
            Compared::Both(Letter::Scores(left, right), comparison)
        }
        // Sides are functions or scores, and never of different kinds.
        (Side::Letter(_), Side::Letter(_)) => Compared::Decided(false),
    }
}

/// The comparison with its sides exchanged.
pub(crate) fn mirrored(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Less => Comparison::Greater,
        Comparison::LessEqual => Comparison::GreaterEqual,
        Comparison::Equal => Comparison::Equal,
        Comparison::GreaterEqual => Comparison::LessEqual,
        Comparison::Greater => Comparison::Less,
    }
}

//! Lowering of constraints and preferences to patterns over state sequences.
//!
//! The first state of a sequence has time 0, and each step takes one unit of time. The semantics is that of Gerevini and Long,
//! "Plan Constraints and Preferences in PDDL3" (2005):
//!
//! | constraint | holds if |
//! |---|---|
//! | `(at end F)` | F holds in the last state |
//! | `(always F)` | F holds in every state |
//! | `(sometime F)` | F holds in some state |
//! | `(within t F)` | F holds in some state at a time of at most t |
//! | `(at-most-once F)` | the states in which F holds are consecutive, or there are none |
//! | `(sometime-after F G)` | whenever F holds, G holds then or later |
//! | `(sometime-before F G)` | whenever F holds, G held in an earlier state |
//! | `(always-within t F G)` | whenever F holds, G holds then or at most t later |
//! | `(hold-during t u F)` | F holds in every state that lasts into the interval from t (inclusive) to u (exclusive) |
//! | `(hold-after t F)` | F holds in every state that lasts beyond t or begins at t or later |
//!
//! A state lasts until the next one begins; the last state lasts only for its own point in time.
//!
//! In [standalone goals](crate::goal), operators can be nested and combined with all connectives and quantifiers. These goals
//! also support the operators of `LTLf`, each evaluated in the current state:
//!
//! | formula | holds if |
//! |---|---|
//! | `(next F)` | there is a next state, and F holds there |
//! | `(weak-next F)` | if there is a next state, F holds there |
//! | `(eventually F)` | same as `(sometime F)` |
//! | `(until F G)` | G holds now or later, and F holds in every state before that |
//! | `(release F G)` | G holds up to and including the first state in which F holds, or to the end |

use goalspec_core::condition::{Condition, Scope};
use goalspec_core::ids::VarId;
use goalspec_core::pattern::{Formula as Temporal, Pattern};
use goalspec_core::planning::task::TrajectoryConstraint;
use goalspec_syntax::{Diagnostic, Span};
use rustc_hash::FxHashMap;

use crate::ast::{Formula, FormulaKind, TimeSpecifier, TrajectoryOperator, TypedNames, typed_names};
use crate::codes;
use crate::lint::codes::UNUSED_PARAMETER;
use crate::resolve::{ConditionPart, Resolver, condition_parts, is_temporal};
use crate::vocabulary::{ObjectTable, Vocabulary};

/// Maximum time in a constraint, in steps.
pub const MAX_STEPS: f64 = 200.0;

/// Maximum size of a constraint after the expansion of quantifiers and times, in subformulas.
pub const MAX_SUBFORMULAS: usize = 1 << 18;

/// The constraints and preferences of a task.
#[derive(Debug, Default)]
pub(crate) struct LoweredConstraints {
    /// The constraints.
    pub(crate) constraints: Vec<TrajectoryConstraint>,
    /// The preferences.
    pub(crate) preferences: Vec<TrajectoryConstraint>,
}

/// Checks constraints without expanding quantifiers over objects.
pub(crate) fn check(
    formula: &Formula,
    vocabulary: &Vocabulary,
    objects: &ObjectTable,
    diagnostics: &mut Vec<Diagnostic>,
) {
    lower_all(formula, false, vocabulary, objects, diagnostics);
}

/// Lowers constraints over the objects of a problem.
pub(crate) fn lower(
    formula: &Formula,
    vocabulary: &Vocabulary,
    objects: &ObjectTable,
    diagnostics: &mut Vec<Diagnostic>,
) -> LoweredConstraints {
    let mut found = Vec::new();
    lower_all(formula, false, vocabulary, objects, &mut found);
    let is_whole = !found.iter().any(Diagnostic::is_error);
    diagnostics.append(&mut found);
    if !is_whole {
        return LoweredConstraints::default();
    }
    let requirements = lower_all(formula, true, vocabulary, objects, &mut found);
    // Errors in copies of a condition have been reported for the condition itself.
    diagnostics.extend(found.into_iter().filter(|finding| finding.code == codes::TOO_MANY));
    requirements
}

fn lower_all(
    formula: &Formula,
    ground: bool,
    vocabulary: &Vocabulary,
    objects: &ObjectTable,
    diagnostics: &mut Vec<Diagnostic>,
) -> LoweredConstraints {
    let mut requirements = LoweredConstraints::default();
    let parts = condition_parts(formula);
    let start = diagnostics.len();
    for part in &parts {
        let mut resolver = Resolver::new(vocabulary, objects, diagnostics);
        let external: Vec<VarId> = part.quantifiers.iter().flat_map(|groups| resolver.enter(groups)).collect();
        let mut lowerer = Lowerer::new(&mut resolver, ground, false);
        let pattern = lowerer.pattern(part.body);
        resolver.leave(0, "variable");
        let scope = std::mem::take(&mut resolver.scope);
        requirements.extend(part, scope, external, pattern);
    }
    let found = diagnostics.split_off(start);
    diagnostics.extend(unused_everywhere(found, &parts));
    requirements
}

/// Merges reports of unused variables: a variable around several pieces is unused only if no piece uses it.
fn unused_everywhere(found: Vec<Diagnostic>, parts: &[ConditionPart<'_>]) -> Vec<Diagnostic> {
    let around = |variable: Option<Span>| {
        let declares = |part: &&ConditionPart<'_>| {
            part.quantifiers.iter().any(|groups| typed_names(groups).any(|(name, _)| Some(name.span) == variable))
        };
        parts.iter().filter(declares).count()
    };
    let mut unused: FxHashMap<Option<Span>, usize> = FxHashMap::default();
    let mut remaining = found;
    remaining.retain(|finding| {
        if finding.code != UNUSED_PARAMETER {
            return true;
        }
        let times = unused.entry(finding.span).or_default();
        *times += 1;
        // A variable declared inside of a piece belongs to this piece only.
        *times == around(finding.span).max(1)
    });
    remaining
}

/// Checks a standalone goal without expanding quantifiers over objects.
pub(crate) fn check_standalone(
    formula: &Formula,
    vocabulary: &Vocabulary,
    objects: &ObjectTable,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let mut resolver = Resolver::new(vocabulary, objects, diagnostics);
    // The lowered pattern is dropped; pieces are lowered separately.
    let _ = Lowerer::new(&mut resolver, false, true).pattern(formula);
}

/// Lowers a piece of a standalone goal. Returns `None` if it has errors.
pub(crate) fn lower_standalone(
    part: &ConditionPart<'_>,
    vocabulary: &Vocabulary,
    objects: &ObjectTable,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<TrajectoryConstraint> {
    let mut resolver = Resolver::new(vocabulary, objects, diagnostics);
    let external: Vec<VarId> = part.quantifiers.iter().flat_map(|groups| resolver.enter(groups)).collect();
    let pattern = Lowerer::new(&mut resolver, true, true).pattern(part.body);
    resolver.leave(0, "variable");
    let scope = std::mem::take(&mut resolver.scope);
    let (name, origin) = (part.wanted.name(), part.body.span.into());
    Some(TrajectoryConstraint { name, scope, external, pattern: pattern?, origin })
}

impl LoweredConstraints {
    /// Appends other requirements.
    pub(crate) fn join(&mut self, other: Self) {
        self.constraints.extend(other.constraints);
        self.preferences.extend(other.preferences);
    }

    /// Appends a lowered piece. Without a pattern it has no effect.
    pub(crate) fn extend(
        &mut self,
        part: &ConditionPart<'_>,
        scope: Scope,
        external: Vec<VarId>,
        pattern: Option<Pattern>,
    ) {
        let Some(pattern) = pattern else { return };
        let name = part.wanted.name();
        let requirement = TrajectoryConstraint { name, scope, external, pattern, origin: part.body.span.into() };
        let kind = if part.wanted.is_preference() { &mut self.preferences } else { &mut self.constraints };
        kind.push(requirement);
    }
}

struct Lowerer<'r, 'v> {
    resolver: &'r mut Resolver<'v>,
    /// Whether the objects are known, so that quantifiers can be expanded.
    ground: bool,
    /// Whether the formula is a standalone goal, in which operators can be nested and conditions can occur outside of
    /// operators.
    is_standalone: bool,
    /// Whether the current formula is an operand of a temporal operator. Conditions outside of operators refer to the last
    /// state.
    in_operand: bool,
    /// The size of the formula built so far.
    parts: usize,
    /// The maximum time that operators in the current context may have.
    steps: f64,
}

impl<'r, 'v> Lowerer<'r, 'v> {
    fn new(resolver: &'r mut Resolver<'v>, ground: bool, free: bool) -> Self {
        Self { resolver, ground, is_standalone: free, in_operand: false, parts: 0, steps: MAX_STEPS }
    }

    fn pattern(&mut self, formula: &Formula) -> Option<Pattern> {
        match &formula.kind {
            FormulaKind::Timed(TimeSpecifier::End, body) if !(self.is_standalone && is_temporal(body)) => {
                Some(Pattern::AtEnd(self.resolver.condition(body)?))
            }
            _ => Some(Pattern::Formula(self.formula(formula)?)),
        }
    }

    fn formula(&mut self, formula: &Formula) -> Option<Temporal> {
        self.count(1, formula)?;
        if self.is_standalone && !is_temporal(formula) {
            let condition = now(self.resolver.condition(formula)?);
            return Some(if self.in_operand { condition } else { at_end(condition) });
        }
        match &formula.kind {
            FormulaKind::And(parts) => Some(Temporal::And(self.formulas(parts)?)),
            FormulaKind::Or(parts) if self.is_standalone => Some(Temporal::Or(self.formulas(parts)?)),
            FormulaKind::Not(body) if self.is_standalone => Some(not(self.formula(body)?)),
            FormulaKind::Imply(parts) if self.is_standalone => {
                let [before, after] = [self.formula(&parts[0]), self.formula(&parts[1])];
                Some(Temporal::Or(vec![not(before?), after?]))
            }
            FormulaKind::Forall(variables, body) if is_temporal(body) => {
                Some(Temporal::And(self.copies(variables, body)?))
            }
            FormulaKind::Exists(variables, body) if self.is_standalone => {
                Some(Temporal::Or(self.copies(variables, body)?))
            }
            FormulaKind::Timed(TimeSpecifier::End, body) => Some(at_end(self.operand(body)?)),
            FormulaKind::Trajectory(operator, times, conditions) => {
                self.trajectory(*operator, times, conditions, formula)
            }
            FormulaKind::Preference(_, body) if self.is_standalone => {
                let message = "a preference is not allowed here: `--goal` is a hard goal";
                let found = Diagnostic::error(codes::MISPLACED, body.span, message);
                self.resolver.diagnostics.push(found.with_help("the metric of a problem weights its preferences"));
                None
            }
            FormulaKind::Preference(..) | FormulaKind::Timed(..) => {
                self.resolver.misplaced(formula);
                None
            }
            _ => {
                let message = "expected a trajectory operator around the condition";
                let found = Diagnostic::error(codes::MISPLACED, formula.span, message);
                let help = "enclose it in `(at end ..)`, `(always ..)`, `(sometime ..)` or another trajectory operator";
                self.resolver.diagnostics.push(found.with_help(help));
                None
            }
        }
    }

    fn formulas(&mut self, parts: &[Formula]) -> Option<Vec<Temporal>> {
        let parts: Vec<_> = parts.iter().map(|part| self.formula(part)).collect();
        parts.into_iter().collect()
    }

    /// Lowers an operand of a temporal operator.
    fn operand(&mut self, formula: &Formula) -> Option<Temporal> {
        if !self.is_standalone {
            return Some(now(self.resolver.condition(formula)?));
        }
        let inside = std::mem::replace(&mut self.in_operand, true);
        let operand = self.formula(formula);
        self.in_operand = inside;
        operand
    }

    /// Lowers a quantified body, one copy per assignment of the variables.
    fn copies(&mut self, variables: &[TypedNames], body: &Formula) -> Option<Vec<Temporal>> {
        let depth = self.resolver.depth();
        let ids = self.resolver.enter(variables);
        let result = if self.ground { self.each(depth, &ids, body) } else { self.formula(body).map(|one| vec![one]) };
        self.resolver.leave(depth, "variable");
        result
    }

    fn each(&mut self, depth: usize, ids: &[VarId], body: &Formula) -> Option<Vec<Temporal>> {
        let domains: Vec<_> = ids.iter().map(|&id| self.resolver.domain(id)).collect();
        let mut copies = Vec::new();
        let mut choice = vec![0; domains.len()];
        if domains.iter().any(Vec::is_empty) {
            return Some(copies);
        }
        loop {
            for (position, (domain, &index)) in domains.iter().zip(&choice).enumerate() {
                self.resolver.bind(depth + position, domain[index]);
            }
            copies.push(self.formula(body)?);
            let Some(next) = (0..choice.len()).rev().find(|&at| choice[at] + 1 < domains[at].len()) else {
                return Some(copies);
            };
            choice[next] += 1;
            choice[next + 1..].fill(0);
        }
    }

    fn trajectory(
        &mut self,
        operator: TrajectoryOperator,
        times: &[f64],
        conditions: &[Formula],
        whole: &Formula,
    ) -> Option<Temporal> {
        let longest = times.iter().copied().fold(0.0, f64::max);
        let operands = self.operands(longest, conditions, whole)?;
        let size = operands.iter().map(size).sum::<usize>();
        let mut operands = operands.into_iter();
        let first = operands.next()?;
        let second = operands.next().unwrap_or_else(|| now(Condition::Constant(true)));
        let time = |index: usize| times.get(index).copied().unwrap_or(0.0);
        if operator == TrajectoryOperator::HoldDuring && time(1) < time(0) {
            let message = format!("empty interval: {} is later than {}", time(0), time(1));
            let found = Diagnostic::warning(codes::EMPTY_INTERVAL, whole.span, message);
            self.resolver.diagnostics.push(found.with_help("put the earlier time first"));
        }
        let copies = if operator == TrajectoryOperator::AtMostOnce { 4 } else { 1 };
        self.count(times.iter().fold(copies, |parts, &time| parts + whole_steps(time)).saturating_mul(size), whole)?;
        Some(match operator {
            TrajectoryOperator::Always => always(first),
            TrajectoryOperator::Sometime | TrajectoryOperator::Eventually => eventually(first),
            TrajectoryOperator::Next => Temporal::Next(Box::new(first)),
            TrajectoryOperator::WeakNext => Temporal::WeakNext(Box::new(first)),
            TrajectoryOperator::Until => Temporal::Until(Box::new([first, second])),
            TrajectoryOperator::Release => Temporal::Release(Box::new([first, second])),
            TrajectoryOperator::Within => within(whole_steps(time(0)), &first),
            TrajectoryOperator::AtMostOnce => {
                // After F becomes true, it stays true until it becomes false for good.
                let never = always(not(first.clone()));
                let phase = Temporal::Release(Box::new([never.clone(), Temporal::Or(vec![first.clone(), never])]));
                always(Temporal::Or(vec![not(first), phase]))
            }
            TrajectoryOperator::SometimeAfter => always(Temporal::Or(vec![not(first), eventually(second)])),
            TrajectoryOperator::SometimeBefore => before(first, second),
            TrajectoryOperator::AlwaysWithin => {
                always(Temporal::Or(vec![not(first), within(whole_steps(time(0)), &second)]))
            }
            TrajectoryOperator::HoldDuring => during(time(0), time(1), &first),
            TrajectoryOperator::HoldAfter => after(time(0), first),
        })
    }

    /// Lowers the operands of an operator with a maximum time.
    fn operands(&mut self, longest: f64, conditions: &[Formula], whole: &Formula) -> Option<Vec<Temporal>> {
        let around = self.steps;
        // The operands are lowered even if the time exceeds the limit, so that all errors are reported.
        self.steps = (around - longest).max(0.0);
        let operands: Vec<_> = conditions.iter().map(|part| self.operand(part)).collect();
        self.steps = around;
        if longest > around {
            let others = if around < MAX_STEPS { ", including the times of enclosing operators" } else { "" };
            // Large numbers are formatted in scientific notation.
            let longest = if longest < 1e15 { longest.to_string() } else { format!("{longest:e}") };
            let message = format!("time {longest} exceeds the limit of {MAX_STEPS} steps for constraints{others}");
            self.resolver.diagnostics.push(Diagnostic::error(codes::TOO_MANY, whole.span, message));
            return None;
        }
        operands.into_iter().collect()
    }

    /// Adds to the size of the formula. Reports an exceeded limit.
    fn count(&mut self, parts: usize, formula: &Formula) -> Option<()> {
        self.parts += parts;
        if self.parts <= MAX_SUBFORMULAS {
            return Some(());
        }
        let message =
            format!("the constraint exceeds the limit of {MAX_SUBFORMULAS} parts after expansion of quantifiers");
        self.resolver.diagnostics.push(Diagnostic::error(codes::TOO_MANY, formula.span, message));
        None
    }
}

fn now(condition: Condition) -> Temporal {
    Temporal::Proposition(condition)
}

fn not(formula: Temporal) -> Temporal {
    match formula {
        Temporal::Proposition(condition) => now(Condition::Not(Box::new(condition))),
        other => Temporal::Not(Box::new(other)),
    }
}

/// Returns the formula stating that `formula` holds in the last state.
fn at_end(formula: Temporal) -> Temporal {
    eventually(Temporal::And(vec![last(), formula]))
}

/// Returns the formula stating that the current state is the last one.
fn last() -> Temporal {
    Temporal::WeakNext(Box::new(now(Condition::Constant(false))))
}

/// Returns the number of nodes.
fn size(formula: &Temporal) -> usize {
    let parts = match formula {
        Temporal::Proposition(_) => 0,
        Temporal::And(parts) | Temporal::Or(parts) => parts.iter().map(size).sum(),
        Temporal::Until(parts) | Temporal::Release(parts) => parts.iter().map(size).sum(),
        Temporal::Not(part)
        | Temporal::Next(part)
        | Temporal::WeakNext(part)
        | Temporal::Eventually(part)
        | Temporal::Always(part) => size(part),
    };
    parts + 1
}

fn always(formula: Temporal) -> Temporal {
    Temporal::Always(Box::new(formula))
}

fn eventually(formula: Temporal) -> Temporal {
    Temporal::Eventually(Box::new(formula))
}

/// Returns the number of whole steps in a time.
#[expect(clippy::cast_sign_loss, reason = "times are not negative")]
fn whole_steps(time: f64) -> usize {
    time as usize
}

/// Returns the formula stating that `formula` holds now or at most `steps` steps later.
fn within(steps: usize, formula: &Temporal) -> Temporal {
    (0..steps).fold(formula.clone(), |later, _| Temporal::Or(vec![formula.clone(), Temporal::Next(Box::new(later))]))
}

/// Returns the formula stating that whenever `first` holds, `second` held before: `first` is false up to and including the first
/// state in which `second` holds, or to the end.
fn before(first: Temporal, second: Temporal) -> Temporal {
    Temporal::Release(Box::new([second, not(first)]))
}

/// Returns the formula stating that `body` holds in all states that last into an interval.
fn during(from: f64, to: f64, body: &Temporal) -> Temporal {
    let (first, end) = (whole_steps(from), whole_steps(to.ceil()));
    // A state that begins before the interval lasts into it only if another state follows.
    let lasts = from > from.floor() || to <= from;
    let mut formula = Temporal::And(Vec::new());
    for step in (first..end.max(first + 1)).rev() {
        let current = if step == first && lasts { lasting(body.clone()) } else { body.clone() };
        let later = Temporal::WeakNext(Box::new(formula));
        formula = Temporal::And(vec![current, later]);
    }
    delayed(first, formula)
}

/// Returns the formula stating that `formula` holds in all states that last beyond a time or begin at it or later.
fn after(time: f64, formula: Temporal) -> Temporal {
    let first = whole_steps(time);
    let formula = if time > time.floor() {
        let rest = Temporal::WeakNext(Box::new(always(formula.clone())));
        Temporal::And(vec![lasting(formula), rest])
    } else {
        always(formula)
    };
    delayed(first, formula)
}

/// Returns the formula stating that `formula` holds, unless the current state is the last one.
fn lasting(formula: Temporal) -> Temporal {
    Temporal::Or(vec![last(), formula])
}

/// Returns the formula stating that `formula` holds `steps` steps later, if there is such a state.
fn delayed(steps: usize, formula: Temporal) -> Temporal {
    (0..steps).fold(formula, |formula, _| Temporal::WeakNext(Box::new(formula)))
}

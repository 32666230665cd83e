//! Constraints and preferences: from the AST to patterns over runs of states.
//!
//! A run is a sequence of states, the first one at time 0 and each further one a step later, at the next whole number. The
//! meanings are those of Gerevini and Long, "Plan Constraints and Preferences in PDDL3" (2005):
//!
//! | written | holds if |
//! |---|---|
//! | `(at end F)` | F holds in the last state |
//! | `(always F)` | F holds in every state |
//! | `(sometime F)` | F holds in some state |
//! | `(within t F)` | F holds in some state at a time of at most t |
//! | `(at-most-once F)` | the states in which F holds are one stretch, or none |
//! | `(sometime-after F G)` | wherever F holds, G holds there or later |
//! | `(sometime-before F G)` | wherever F holds, G held in an earlier state |
//! | `(always-within t F G)` | wherever F holds, G holds there or at most t later |
//! | `(hold-during t u F)` | F holds in every state that lasts into the times from t up to, not including, u |
//! | `(hold-after t F)` | F holds in every state that lasts beyond t or begins at t or later |
//!
//! A state lasts until the next one begins; the last one lasts no longer than its own time.
//!
//! In [goals that stand by themselves](crate::goal), operators may stand in one another and under every connective and quantifier,
//! and there are those of `LTLf` besides, each evaluated in the state at hand:
//!
//! | written | holds if |
//! |---|---|
//! | `(next F)` | there is a next state, and F holds there |
//! | `(weak-next F)` | if there is a next state, F holds there |
//! | `(eventually F)` | as `(sometime F)` |
//! | `(until F G)` | G holds now or later, and F in every state before that |
//! | `(release F G)` | G holds up to and including the first state where F holds, or to the end |

use goalspec_core::condition::{Condition, Scope};
use goalspec_core::ids::VarId;
use goalspec_core::pattern::{Formula as Temporal, Pattern};
use goalspec_core::planning::task::Requirement;
use goalspec_syntax::{Diagnostic, Span};
use rustc_hash::FxHashMap;

use crate::ast::{Formula, FormulaKind, Group, Time, Trajectory, each};
use crate::codes;
use crate::lint::codes::UNUSED_PARAMETER;
use crate::resolve::{Piece, Resolver, is_temporal, pieces};
use crate::vocabulary::{Objects, Vocabulary};

/// The longest time, in steps, that a constraint may name.
pub const MAX_STEPS: f64 = 200.0;

/// Most parts of a constraint whose quantifiers are taken apart over the objects, times unrolled.
pub const MAX_PARTS: usize = 1 << 18;

/// Constraints and preferences of a task.
#[derive(Debug, Default)]
pub(crate) struct Requirements {
    /// What must hold.
    pub(crate) constraints: Vec<Requirement>,
    /// What should hold.
    pub(crate) preferences: Vec<Requirement>,
}

/// Reports what is wrong with constraints without knowing the objects.
pub(crate) fn check(formula: &Formula, vocabulary: &Vocabulary, objects: &Objects, diagnostics: &mut Vec<Diagnostic>) {
    lower_all(formula, false, vocabulary, objects, diagnostics);
}

/// Lowers constraints over the objects of a problem.
pub(crate) fn lower(
    formula: &Formula,
    vocabulary: &Vocabulary,
    objects: &Objects,
    diagnostics: &mut Vec<Diagnostic>,
) -> Requirements {
    let mut found = Vec::new();
    lower_all(formula, false, vocabulary, objects, &mut found);
    let is_whole = !found.iter().any(Diagnostic::is_error);
    diagnostics.append(&mut found);
    if !is_whole {
        return Requirements::default();
    }
    let requirements = lower_all(formula, true, vocabulary, objects, &mut found);
    // What is said of each copy of a condition has been said of the condition itself.
    diagnostics.extend(found.into_iter().filter(|finding| finding.code == codes::TOO_MANY));
    requirements
}

fn lower_all(
    formula: &Formula,
    ground: bool,
    vocabulary: &Vocabulary,
    objects: &Objects,
    diagnostics: &mut Vec<Diagnostic>,
) -> Requirements {
    let mut requirements = Requirements::default();
    let pieces = pieces(formula);
    let start = diagnostics.len();
    for piece in &pieces {
        let mut resolver = Resolver::new(vocabulary, objects, diagnostics);
        let external: Vec<VarId> = piece.around.iter().flat_map(|groups| resolver.enter(groups)).collect();
        let mut lowerer = Lowerer::new(&mut resolver, ground, false);
        let pattern = lowerer.pattern(piece.body);
        resolver.leave(0, "variable");
        let scope = std::mem::take(&mut resolver.scope);
        requirements.extend(piece, scope, external, pattern);
    }
    let found = diagnostics.split_off(start);
    diagnostics.extend(unused_everywhere(found, &pieces));
    requirements
}

/// A variable around several pieces is unused only if none of them uses it, and that is said once.
fn unused_everywhere(found: Vec<Diagnostic>, pieces: &[Piece<'_>]) -> Vec<Diagnostic> {
    let around = |variable: Option<Span>| {
        let declares = |piece: &&Piece<'_>| {
            piece.around.iter().any(|groups| each(groups).any(|(name, _)| Some(name.span) == variable))
        };
        pieces.iter().filter(declares).count()
    };
    let mut unused: FxHashMap<Option<Span>, usize> = FxHashMap::default();
    let mut kept = found;
    kept.retain(|finding| {
        if finding.code != UNUSED_PARAMETER {
            return true;
        }
        let times = unused.entry(finding.span).or_default();
        *times += 1;
        // Variables inside of a piece are in no other.
        *times == around(finding.span).max(1)
    });
    kept
}

/// Reports what is wrong with a goal that stands by itself, without taking it apart over the objects.
pub(crate) fn check_free(
    formula: &Formula,
    vocabulary: &Vocabulary,
    objects: &Objects,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let mut resolver = Resolver::new(vocabulary, objects, diagnostics);
    // Without the meaning, which its parts are given one by one.
    let _ = Lowerer::new(&mut resolver, false, true).pattern(formula);
}

/// Lowers what a goal that stands by itself asks of runs of states; nothing if it has no meaning.
pub(crate) fn lower_free(
    piece: &Piece<'_>,
    vocabulary: &Vocabulary,
    objects: &Objects,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Requirement> {
    let mut resolver = Resolver::new(vocabulary, objects, diagnostics);
    let external: Vec<VarId> = piece.around.iter().flat_map(|groups| resolver.enter(groups)).collect();
    let pattern = Lowerer::new(&mut resolver, true, true).pattern(piece.body);
    resolver.leave(0, "variable");
    let scope = std::mem::take(&mut resolver.scope);
    let (name, origin) = (piece.wanted.name(), piece.body.span.into());
    Some(Requirement { name, scope, external, pattern: pattern?, origin })
}

impl Requirements {
    /// Adds others.
    pub(crate) fn join(&mut self, other: Self) {
        self.constraints.extend(other.constraints);
        self.preferences.extend(other.preferences);
    }

    /// Adds a piece that has this pattern, if it has a meaning.
    pub(crate) fn extend(&mut self, piece: &Piece<'_>, scope: Scope, external: Vec<VarId>, pattern: Option<Pattern>) {
        let Some(pattern) = pattern else { return };
        let name = piece.wanted.name();
        let requirement = Requirement { name, scope, external, pattern, origin: piece.body.span.into() };
        let kind = if piece.wanted.is_preference() { &mut self.preferences } else { &mut self.constraints };
        kind.push(requirement);
    }
}

struct Lowerer<'r, 'v> {
    resolver: &'r mut Resolver<'v>,
    /// Whether the objects are known, so that quantifiers can be taken apart.
    ground: bool,
    /// Whether operators may stand in one another, and conditions on states beside them.
    free: bool,
    /// Whether conditions on states are those of a state that an operator speaks of; else they hold at the end.
    inside: bool,
    /// How many parts there are so far.
    parts: usize,
    /// How many steps the operators here may speak of.
    steps: f64,
}

impl<'r, 'v> Lowerer<'r, 'v> {
    fn new(resolver: &'r mut Resolver<'v>, ground: bool, free: bool) -> Self {
        Self { resolver, ground, free, inside: false, parts: 0, steps: MAX_STEPS }
    }

    fn pattern(&mut self, formula: &Formula) -> Option<Pattern> {
        match &formula.kind {
            FormulaKind::Timed(Time::End, body) if !(self.free && is_temporal(body)) => {
                Some(Pattern::AtEnd(self.resolver.condition(body)?))
            }
            _ => Some(Pattern::Formula(self.formula(formula)?)),
        }
    }

    fn formula(&mut self, formula: &Formula) -> Option<Temporal> {
        self.count(1, formula)?;
        if self.free && !is_temporal(formula) {
            let condition = now(self.resolver.condition(formula)?);
            return Some(if self.inside { condition } else { at_end(condition) });
        }
        match &formula.kind {
            FormulaKind::And(parts) => Some(Temporal::And(self.formulas(parts)?)),
            FormulaKind::Or(parts) if self.free => Some(Temporal::Or(self.formulas(parts)?)),
            FormulaKind::Not(body) if self.free => Some(not(self.formula(body)?)),
            FormulaKind::Imply(parts) if self.free => {
                let [before, after] = [self.formula(&parts[0]), self.formula(&parts[1])];
                Some(Temporal::Or(vec![not(before?), after?]))
            }
            FormulaKind::Forall(variables, body) if is_temporal(body) => {
                Some(Temporal::And(self.copies(variables, body)?))
            }
            FormulaKind::Exists(variables, body) if self.free => Some(Temporal::Or(self.copies(variables, body)?)),
            FormulaKind::Timed(Time::End, body) => Some(at_end(self.operand(body)?)),
            FormulaKind::Trajectory(operator, times, conditions) => {
                self.trajectory(*operator, times, conditions, formula)
            }
            FormulaKind::Preference(_, body) if self.free => {
                let message = "a preference cannot stand here: this goal has to be reached";
                let found = Diagnostic::error(codes::MISPLACED, body.span, message);
                self.resolver.diagnostics.push(found.with_help("preferences of the problem are weighed by its metric"));
                None
            }
            FormulaKind::Preference(..) | FormulaKind::Timed(..) => {
                self.resolver.misplaced(formula);
                None
            }
            _ => {
                let message = "a constraint says when its condition holds";
                let found = Diagnostic::error(codes::MISPLACED, formula.span, message);
                let help = "write `(at end ..)`, `(always ..)`, `(sometime ..)` or another operator over runs of states around it";
                self.resolver.diagnostics.push(found.with_help(help));
                None
            }
        }
    }

    fn formulas(&mut self, parts: &[Formula]) -> Option<Vec<Temporal>> {
        let parts: Vec<_> = parts.iter().map(|part| self.formula(part)).collect();
        parts.into_iter().collect()
    }

    /// What an operator speaks of.
    fn operand(&mut self, formula: &Formula) -> Option<Temporal> {
        if !self.free {
            return Some(now(self.resolver.condition(formula)?));
        }
        let inside = std::mem::replace(&mut self.inside, true);
        let operand = self.formula(formula);
        self.inside = inside;
        operand
    }

    /// One copy of the body for each assignment of the variables.
    fn copies(&mut self, variables: &[Group], body: &Formula) -> Option<Vec<Temporal>> {
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
            for (at, (domain, &index)) in domains.iter().zip(&choice).enumerate() {
                self.resolver.bind(depth + at, domain[index]);
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
        operator: Trajectory,
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
        if operator == Trajectory::HoldDuring && time(1) < time(0) {
            let message = format!("from {} to {} there is no time: the second one is earlier", time(0), time(1));
            let found = Diagnostic::warning(codes::NO_TIME, whole.span, message);
            self.resolver.diagnostics.push(found.with_help("write the earlier time first"));
        }
        let copies = if operator == Trajectory::AtMostOnce { 4 } else { 1 };
        self.count(times.iter().fold(copies, |parts, &time| parts + whole_steps(time)).saturating_mul(size), whole)?;
        Some(match operator {
            Trajectory::Always => always(first),
            Trajectory::Sometime | Trajectory::Eventually => eventually(first),
            Trajectory::Next => Temporal::Next(Box::new(first)),
            Trajectory::WeakNext => Temporal::WeakNext(Box::new(first)),
            Trajectory::Until => Temporal::Until(Box::new([first, second])),
            Trajectory::Release => Temporal::Release(Box::new([first, second])),
            Trajectory::Within => within(whole_steps(time(0)), &first),
            Trajectory::AtMostOnce => {
                // Once it holds, it goes on to hold, and from when it does not on it never does again.
                let never = always(not(first.clone()));
                let stretch = Temporal::Release(Box::new([never.clone(), Temporal::Or(vec![first.clone(), never])]));
                always(Temporal::Or(vec![not(first), stretch]))
            }
            Trajectory::SometimeAfter => always(Temporal::Or(vec![not(first), eventually(second)])),
            Trajectory::SometimeBefore => before(first, second),
            Trajectory::AlwaysWithin => always(Temporal::Or(vec![not(first), within(whole_steps(time(0)), &second)])),
            Trajectory::HoldDuring => during(time(0), time(1), &first),
            Trajectory::HoldAfter => after(time(0), first),
        })
    }

    /// What an operator speaks of, which reaches so far.
    fn operands(&mut self, longest: f64, conditions: &[Formula], whole: &Formula) -> Option<Vec<Temporal>> {
        let around = self.steps;
        // What stands inside is looked at in any case: all that is wrong is reported.
        self.steps = (around - longest).max(0.0);
        let operands: Vec<_> = conditions.iter().map(|part| self.operand(part)).collect();
        self.steps = around;
        if longest > around {
            let others = if around < MAX_STEPS { ", those of the operators around it included" } else { "" };
            // A number that has more digits than it says anything by is written with its exponent.
            let longest = if longest < 1e15 { longest.to_string() } else { format!("{longest:e}") };
            let message =
                format!("the time {longest} is beyond the {MAX_STEPS} steps that constraints may speak of{others}");
            self.resolver.diagnostics.push(Diagnostic::error(codes::TOO_MANY, whole.span, message));
            return None;
        }
        operands.into_iter().collect()
    }

    /// Counts parts as they are made.
    fn count(&mut self, parts: usize, formula: &Formula) -> Option<()> {
        self.parts += parts;
        if self.parts <= MAX_PARTS {
            return Some(());
        }
        let message =
            format!("the constraint has more than {MAX_PARTS} parts, quantifiers taken apart over the objects");
        self.resolver.diagnostics.push(Diagnostic::error(codes::TOO_MANY, formula.span, message));
        None
    }
}

fn now(condition: Condition) -> Temporal {
    Temporal::Now(condition)
}

fn not(formula: Temporal) -> Temporal {
    match formula {
        Temporal::Now(condition) => now(Condition::Not(Box::new(condition))),
        other => Temporal::Not(Box::new(other)),
    }
}

/// It holds in the last state.
fn at_end(formula: Temporal) -> Temporal {
    eventually(Temporal::And(vec![last(), formula]))
}

/// This is the last state.
fn last() -> Temporal {
    Temporal::WeakNext(Box::new(now(Condition::Constant(false))))
}

/// How many parts it has.
fn size(formula: &Temporal) -> usize {
    let parts = match formula {
        Temporal::Now(_) => 0,
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

/// The steps that have been made at a time.
#[expect(clippy::cast_sign_loss, reason = "times are not negative")]
fn whole_steps(time: f64) -> usize {
    time as usize
}

/// It holds now or at most so many steps later.
fn within(steps: usize, formula: &Temporal) -> Temporal {
    (0..steps).fold(formula.clone(), |later, _| Temporal::Or(vec![formula.clone(), Temporal::Next(Box::new(later))]))
}

/// Wherever the first holds, the second held before: up to and including the state where the second holds, or to the end, the
/// first does not hold.
fn before(first: Temporal, second: Temporal) -> Temporal {
    Temporal::Release(Box::new([second, not(first)]))
}

/// It holds in the states that last into the times from one up to another.
fn during(from: f64, to: f64, held: &Temporal) -> Temporal {
    let (first, end) = (whole_steps(from), whole_steps(to.ceil()));
    // Of a state that begins before the time, only one behind it shows that it lasts into it.
    let lasts = from > from.floor() || to <= from;
    let mut formula = Temporal::And(Vec::new());
    for step in (first..end.max(first + 1)).rev() {
        let here = if step == first && lasts { lasting(held.clone()) } else { held.clone() };
        let later = Temporal::WeakNext(Box::new(formula));
        formula = Temporal::And(vec![here, later]);
    }
    delayed(first, formula)
}

/// It holds in the states that last beyond a time or begin then.
fn after(time: f64, held: Temporal) -> Temporal {
    let first = whole_steps(time);
    let formula = if time > time.floor() {
        let rest = Temporal::WeakNext(Box::new(always(held.clone())));
        Temporal::And(vec![lasting(held), rest])
    } else {
        always(held)
    };
    delayed(first, formula)
}

/// It holds here, unless this is the last state.
fn lasting(formula: Temporal) -> Temporal {
    Temporal::Or(vec![last(), formula])
}

/// So many steps later, if there are as many.
fn delayed(steps: usize, formula: Temporal) -> Temporal {
    (0..steps).fold(formula, |formula, _| Temporal::WeakNext(Box::new(formula)))
}

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

use goalspec_core::condition::{Condition, Scope};
use goalspec_core::ids::VarId;
use goalspec_core::pattern::{Formula as Temporal, Pattern};
use goalspec_core::planning::task::Requirement;
use goalspec_syntax::Diagnostic;

use crate::ast::{Formula, FormulaKind, Group, Time, Trajectory};
use crate::codes;
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
    for piece in pieces(formula) {
        let mut resolver = Resolver::new(vocabulary, objects, diagnostics);
        let external: Vec<VarId> = piece.around.iter().flat_map(|groups| resolver.enter(groups)).collect();
        let mut lowerer = Lowerer { resolver: &mut resolver, ground, parts: 0 };
        let pattern = lowerer.pattern(piece.body);
        resolver.leave(0, "variable");
        let scope = std::mem::take(&mut resolver.scope);
        requirements.extend(&piece, scope, external, pattern);
    }
    requirements
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
    /// How many parts there are so far.
    parts: usize,
}

impl Lowerer<'_, '_> {
    fn pattern(&mut self, formula: &Formula) -> Option<Pattern> {
        if let FormulaKind::Timed(Time::End, body) = &formula.kind {
            return Some(Pattern::AtEnd(self.resolver.condition(body)?));
        }
        Some(Pattern::Formula(self.formula(formula)?))
    }

    fn formula(&mut self, formula: &Formula) -> Option<Temporal> {
        self.count(1, formula)?;
        match &formula.kind {
            FormulaKind::And(parts) => {
                let parts: Vec<_> = parts.iter().map(|part| self.formula(part)).collect();
                Some(Temporal::And(parts.into_iter().collect::<Option<_>>()?))
            }
            FormulaKind::Forall(variables, body) if is_temporal(body) => self.forall(variables, body),
            FormulaKind::Timed(Time::End, body) => {
                let body = self.resolver.condition(body)?;
                let last = Temporal::WeakNext(Box::new(Temporal::Now(Condition::Constant(false))));
                Some(eventually(Temporal::And(vec![last, Temporal::Now(body)])))
            }
            FormulaKind::Trajectory(operator, times, conditions) => {
                self.trajectory(*operator, times, conditions, formula)
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

    /// One copy of the body for each assignment of the variables.
    fn forall(&mut self, variables: &[Group], body: &Formula) -> Option<Temporal> {
        let depth = self.resolver.depth();
        let ids = self.resolver.enter(variables);
        let result = if self.ground { self.copies(depth, &ids, body) } else { self.formula(body) };
        self.resolver.leave(depth, "variable");
        result
    }

    fn copies(&mut self, depth: usize, ids: &[VarId], body: &Formula) -> Option<Temporal> {
        let domains: Vec<_> = ids.iter().map(|&id| self.resolver.domain(id)).collect();
        let mut copies = Vec::new();
        let mut choice = vec![0; domains.len()];
        if domains.iter().any(Vec::is_empty) {
            return Some(Temporal::And(copies));
        }
        loop {
            for (at, (domain, &index)) in domains.iter().zip(&choice).enumerate() {
                self.resolver.bind(depth + at, domain[index]);
            }
            copies.push(self.formula(body)?);
            let Some(next) = (0..choice.len()).rev().find(|&at| choice[at] + 1 < domains[at].len()) else {
                return Some(Temporal::And(copies));
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
        let resolved: Vec<_> = conditions.iter().map(|part| self.resolver.condition(part)).collect();
        let mut resolved = resolved.into_iter();
        let first = resolved.next()??;
        let second = match resolved.next() {
            Some(second) => second?,
            None => Condition::Constant(true),
        };
        if let Some(&time) = times.iter().find(|time| **time > MAX_STEPS) {
            let message = format!("the time {time} is beyond the {MAX_STEPS} steps that constraints may speak of");
            self.resolver.diagnostics.push(Diagnostic::error(codes::TOO_MANY, whole.span, message));
            return None;
        }
        let time = |index: usize| times.get(index).copied().unwrap_or(0.0);
        self.count(times.iter().fold(1, |parts, &time| parts + whole_steps(time)), whole)?;
        Some(match operator {
            Trajectory::Always => always(now(first)),
            Trajectory::Sometime => eventually(now(first)),
            Trajectory::Within => within(whole_steps(time(0)), &first),
            Trajectory::AtMostOnce => {
                // Once it holds, it goes on to hold, and from when it does not on it never does again.
                let never = always(not(first.clone()));
                let stretch =
                    Temporal::Release(Box::new([never.clone(), Temporal::Or(vec![now(first.clone()), never])]));
                always(Temporal::Or(vec![not(first), stretch]))
            }
            Trajectory::SometimeAfter => always(Temporal::Or(vec![not(first), eventually(now(second))])),
            Trajectory::SometimeBefore => before(first, second),
            Trajectory::AlwaysWithin => always(Temporal::Or(vec![not(first), within(whole_steps(time(0)), &second)])),
            Trajectory::HoldDuring => during(time(0), time(1), &first),
            Trajectory::HoldAfter => after(time(0), first),
        })
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

fn not(condition: Condition) -> Temporal {
    Temporal::Now(Condition::Not(Box::new(condition)))
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
fn within(steps: usize, condition: &Condition) -> Temporal {
    (0..steps).fold(now(condition.clone()), |later, _| {
        Temporal::Or(vec![now(condition.clone()), Temporal::Next(Box::new(later))])
    })
}

/// Wherever the first holds, the second held before: up to and including the state where the second holds, or to the end, the
/// first does not hold.
fn before(first: Condition, second: Condition) -> Temporal {
    Temporal::Release(Box::new([now(second), not(first)]))
}

/// It holds in the states that last into the times from one up to another.
fn during(from: f64, to: f64, condition: &Condition) -> Temporal {
    let (first, end) = (whole_steps(from), whole_steps(to.ceil()));
    // Of a state that begins before the time, only one behind it shows that it lasts into it.
    let lasts = from > from.floor() || to <= from;
    let mut formula = Temporal::And(Vec::new());
    for step in (first..end.max(first + 1)).rev() {
        let here = if step == first && lasts { lasting(condition.clone()) } else { now(condition.clone()) };
        let later = Temporal::WeakNext(Box::new(formula));
        formula = Temporal::And(vec![here, later]);
    }
    delayed(first, formula)
}

/// It holds in the states that last beyond a time or begin then.
fn after(time: f64, condition: Condition) -> Temporal {
    let first = whole_steps(time);
    let formula = if time > time.floor() {
        let rest = Temporal::WeakNext(Box::new(always(now(condition.clone()))));
        Temporal::And(vec![lasting(condition), rest])
    } else {
        always(now(condition))
    };
    delayed(first, formula)
}

/// It holds here, unless this is the last state.
fn lasting(condition: Condition) -> Temporal {
    let last = Temporal::WeakNext(Box::new(now(Condition::Constant(false))));
    Temporal::Or(vec![last, now(condition)])
}

/// So many steps later, if there are as many.
fn delayed(steps: usize, formula: Temporal) -> Temporal {
    (0..steps).fold(formula, |formula, _| Temporal::WeakNext(Box::new(formula)))
}

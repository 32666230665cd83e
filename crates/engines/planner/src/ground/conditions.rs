//! Grounding of conditions: expansion of quantifiers, counts and pairings under a binding of the free variables.

use std::ops::ControlFlow;

use goalspec_core::condition::{Cardinality, ComparisonOperator, Condition, Expression, PairingRule, Scope, Term};
use goalspec_core::ids::{PredicateId, VarId};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::GroundError;
use super::budget::Budget;
use super::formula::{Formula, Formulas, literal};
use super::numbers::{Numbers, Value};
use super::reachability::ReachableAtoms;
use super::schema::{Domains, Pattern, UnexpandedCondition};
use super::statics::{PredicateKind, TaskAnalysis};

/// A memoisation key: the address of a condition, its polarity, and the objects of its free variables.
type Key = (usize, bool, SmallVec<[u32; 8]>);

/// Grounds conditions.
pub(super) struct Conditions<'a, 't> {
    /// The static predicates and functions.
    pub(super) statics: &'a TaskAnalysis<'t>,
    /// The reachable atoms.
    pub(super) reached: &'a ReachableAtoms,
    /// The ground formulas.
    pub(super) formulas: Formulas,
    /// The numeric expressions and comparisons.
    pub(super) numbers: Numbers,
    domains: &'a mut Domains,
    known: FxHashMap<Key, Formula>,
}

impl<'a, 't> Conditions<'a, 't> {
    /// Creates an instance without formulas.
    pub(super) fn new(statics: &'a TaskAnalysis<'t>, reached: &'a ReachableAtoms, domains: &'a mut Domains) -> Self {
        let (formulas, numbers) = (Formulas::new(reached.atoms()), Numbers::default());
        Self { statics, reached, formulas, numbers, domains, known: FxHashMap::default() }
    }

    /// Returns the domains of variables.
    pub(super) fn domains(&self) -> &Domains {
        self.domains
    }

    /// Grounds an atom.
    pub(super) fn pattern(&self, pattern: &Pattern, binding: &[u32], wanted: bool) -> Formula {
        let tuple: SmallVec<[u32; 8]> = pattern.slots.iter().map(|slot| slot.value(binding)).collect();
        self.atom(pattern.predicate, &tuple, wanted)
    }

    fn atom(&self, predicate: PredicateId, tuple: &[u32], wanted: bool) -> Formula {
        if self.statics.kind(predicate) == PredicateKind::Static {
            return Formula::Constant(self.reached.holds(predicate, tuple) == wanted);
        }
        match self.reached.atom(predicate, tuple) {
            None => Formula::Constant(!wanted),
            Some(atom) if self.holds_always(predicate, atom) => Formula::Constant(wanted),
            Some(atom) => Formula::Literal(literal(atom, wanted)),
        }
    }

    /// Whether the atom holds in the initial state and no action deletes it.
    pub(super) fn holds_always(&self, predicate: PredicateId, atom: u32) -> bool {
        !self.statics.is_deleted(predicate) && self.reached.is_initial(predicate, atom)
    }

    /// Grounds a condition.
    ///
    /// # Errors
    /// Returns an error if a limit is exceeded.
    pub(super) fn ground_under(
        &mut self,
        written: &UnexpandedCondition<'t>,
        binding: &[u32],
        budget: &mut Budget<'_>,
    ) -> Result<Formula, GroundError> {
        let free = written.slots().iter().map(|slot| slot.value(binding)).collect();
        let key = (std::ptr::from_ref(written.condition).addr(), written.polarity, free);
        if let Some(&formula) = self.known.get(&key) {
            return Ok(formula);
        }
        let mut frame = Frame { scope: written.scope, bound: written.bound(binding), budget };
        let formula = self.ground(written.condition, written.polarity, &mut frame)?;
        self.known.insert(key, formula);
        Ok(formula)
    }

    /// Grounds a condition without free variables.
    ///
    /// # Errors
    /// Returns an error if a limit is exceeded.
    pub(super) fn ground_closed(
        &mut self,
        condition: &Condition,
        scope: &Scope,
        budget: &mut Budget<'_>,
    ) -> Result<Formula, GroundError> {
        let mut frame = Frame { scope, bound: vec![None; scope.variables.len()], budget };
        self.ground(condition, true, &mut frame)
    }

    fn ground(
        &mut self,
        condition: &Condition,
        wanted: bool,
        frame: &mut Frame<'_, '_, '_>,
    ) -> Result<Formula, GroundError> {
        match condition {
            Condition::Constant(value) => Ok(Formula::Constant(*value == wanted)),
            Condition::Atom(atom) => Ok(match frame.objects(&atom.arguments) {
                Some(tuple) => self.atom(atom.predicate, &tuple, wanted),
                None => Formula::Constant(!wanted),
            }),
            Condition::Compare { comparison, sides, .. } => {
                Ok(self.compare(*comparison, [&sides[0], &sides[1]], wanted, frame))
            }
            Condition::AllEqual(parts, _) => {
                let equal = |part| self.compare(ComparisonOperator::Equal, [part, &parts[0]], wanted, frame);
                let all: Vec<Formula> = parts.iter().map(equal).collect();
                self.join(&all, wanted)
            }
            Condition::Distinct(left, right) => {
                let sides = frame.objects(&[*left, *right]);
                Ok(Formula::Constant(sides.is_some_and(|sides| sides[0] != sides[1]) == wanted))
            }
            Condition::Not(part) => self.ground(part, !wanted, frame),
            Condition::And(parts) => self.parts(parts.iter().map(|part| (part, wanted)), wanted, frame),
            Condition::Or(parts) => self.parts(parts.iter().map(|part| (part, wanted)), !wanted, frame),
            Condition::Imply(parts) => {
                self.parts([(&parts[0], !wanted), (&parts[1], wanted)].into_iter(), !wanted, frame)
            }
            Condition::Exists(variables, body) => self.each(variables, body, wanted, !wanted, frame),
            Condition::Forall(variables, body) => self.each(variables, body, wanted, wanted, frame),
            Condition::Count(amount, variables, body) => {
                let counted = self.count(*amount, variables, body, frame)?;
                if wanted { Ok(counted) } else { self.formulas.not(counted) }
            }
            Condition::Pairing { rule, amount, left, right, body } => {
                let paired = self.pairing(*rule, *amount, [*left, *right], body, frame)?;
                if wanted { Ok(paired) } else { self.formulas.not(paired) }
            }
            Condition::FirstState | Condition::LastState | Condition::InSetup(..) => Err(GroundError::Unsupported(
                "conditions on the position of a state in a trace or on a setup are not supported".into(),
            )),
        }
    }

    fn join(&mut self, parts: &[Formula], all: bool) -> Result<Formula, GroundError> {
        if all { self.formulas.and(parts) } else { self.formulas.or(parts) }
    }

    /// Grounds the conjunction (if `all`) or disjunction of conditions with their polarities.
    fn parts<'c>(
        &mut self,
        parts: impl Iterator<Item = (&'c Condition, bool)>,
        all: bool,
        frame: &mut Frame<'_, '_, '_>,
    ) -> Result<Formula, GroundError> {
        let mut found = Vec::new();
        for (part, wanted) in parts {
            let part = self.ground(part, wanted, frame)?;
            if part == Formula::Constant(!all) {
                return Ok(part);
            }
            found.push(part);
        }
        self.join(&found, all)
    }

    /// Grounds the conjunction (if `all`) or disjunction of a body over all assignments of variables.
    fn each(
        &mut self,
        variables: &[VarId],
        body: &Condition,
        wanted: bool,
        all: bool,
        frame: &mut Frame<'_, '_, '_>,
    ) -> Result<Formula, GroundError> {
        let mut found = Vec::new();
        let broken = self.assign(variables, frame, &mut |conditions, frame| {
            let part = conditions.ground(body, wanted, frame)?;
            if part == Formula::Constant(!all) {
                return Ok(ControlFlow::Break(()));
            }
            if part != Formula::Constant(all) {
                found.push(part);
            }
            Ok(ControlFlow::Continue(()))
        })?;
        if broken.is_break() { Ok(Formula::Constant(!all)) } else { self.join(&found, all) }
    }

    fn count(
        &mut self,
        amount: Cardinality,
        variables: &[VarId],
        body: &Condition,
        frame: &mut Frame<'_, '_, '_>,
    ) -> Result<Formula, GroundError> {
        let mut found = Vec::new();
        let _: ControlFlow<()> = self.assign(variables, frame, &mut |conditions, frame| {
            found.push(conditions.ground(body, true, frame)?);
            Ok(ControlFlow::Continue(()))
        })?;
        match amount {
            Cardinality::AtLeast(amount) => self.formulas.at_least(amount as usize, &found),
            Cardinality::Exactly(amount) => {
                let enough = self.formulas.at_least(amount as usize, &found)?;
                let more = self.formulas.at_least(amount as usize + 1, &found)?;
                let no_more = self.formulas.not(more)?;
                self.formulas.and(&[enough, no_more])
            }
        }
    }

    fn pairing(
        &mut self,
        rule: PairingRule,
        amount: Option<u32>,
        [left, right]: [VarId; 2],
        body: &Condition,
        frame: &mut Frame<'_, '_, '_>,
    ) -> Result<Formula, GroundError> {
        let (lefts, rights) = (self.domain(left, frame), self.domain(right, frame));
        // For each left object one cell per right object; `None` if they are the same object.
        let mut rows = Vec::with_capacity(lefts.len());
        for &object in &lefts {
            let outer = frame.bind(left, Some(object));
            let mut row = Vec::with_capacity(rights.len());
            for &other in &rights {
                if other == object {
                    row.push(None);
                    continue;
                }
                let inner = frame.bind(right, Some(other));
                let cell = self.ground(body, true, frame);
                frame.bind(right, inner);
                row.push(Some(cell?));
            }
            frame.bind(left, outer);
            rows.push(row);
        }
        let first_row = rows.first().map_or(0, |row| row.iter().flatten().count());
        let amount = amount.map_or(rows.len().min(first_row), |amount| amount as usize);
        match rule {
            PairingRule::Matching => {
                let cell = |cell: &Option<Formula>| cell.unwrap_or(Formula::Constant(false));
                let rows: Vec<Vec<Formula>> = rows.iter().map(|row| row.iter().map(cell).collect()).collect();
                self.formulas.matching(amount, &rows)
            }
            PairingRule::Covering => {
                let rows: Vec<Vec<Formula>> = rows.iter().map(|row| row.iter().flatten().copied().collect()).collect();
                self.covering(amount, &rows, rights.len())
            }
        }
    }

    /// Requires at least `amount` rows and at least `amount` columns with a true cell.
    fn covering(&mut self, amount: usize, rows: &[Vec<Formula>], width: usize) -> Result<Formula, GroundError> {
        let mut lines = Vec::with_capacity(rows.len());
        for row in rows {
            lines.push(self.formulas.or(row)?);
        }
        let by_rows = self.formulas.at_least(amount, &lines)?;
        lines.clear();
        for column in 0..width {
            let cells: Vec<Formula> = rows.iter().filter_map(|row| row.get(column)).copied().collect();
            lines.push(self.formulas.or(&cells)?);
        }
        let by_columns = self.formulas.at_least(amount, &lines)?;
        self.formulas.and(&[by_rows, by_columns])
    }

    fn compare(
        &mut self,
        comparison: ComparisonOperator,
        sides: [&Expression; 2],
        wanted: bool,
        frame: &Frame<'_, '_, '_>,
    ) -> Formula {
        let sides = sides.map(|side| self.value(side, frame.scope, &frame.bound));
        match self.numbers.compare(comparison, sides) {
            Ok(place) => self.formulas.comparison(place, wanted),
            Err(truth) => Formula::Constant(truth == wanted),
        }
    }

    /// Returns the value of an expression under a binding.
    pub(super) fn value(&mut self, expression: &Expression, scope: &Scope, bound: &[Option<u32>]) -> Value {
        self.numbers.value(self.statics, expression, scope, bound)
    }

    fn domain(&mut self, variable: VarId, frame: &Frame<'_, '_, '_>) -> Vec<u32> {
        let place = self.domains.of(&self.statics.task.world, frame.scope.get(variable));
        self.domains.get(place).objects.clone()
    }

    /// Enumerates the assignments of variables in lexicographic order.
    fn assign<'s, 'f, 'b, B>(
        &mut self,
        variables: &[VarId],
        frame: &mut Frame<'s, 'f, 'b>,
        visit: &mut Visit<'_, Self, Frame<'s, 'f, 'b>, B>,
    ) -> Result<ControlFlow<B>, GroundError> {
        let Some((&variable, rest)) = variables.split_first() else {
            frame.budget.tick_without_growth()?;
            return visit(self, frame);
        };
        let objects = self.domain(variable, frame);
        let outer = frame.bind(variable, None);
        let mut end = ControlFlow::Continue(());
        for object in objects {
            frame.bind(variable, Some(object));
            if let ControlFlow::Break(value) = self.assign(rest, frame, visit)? {
                end = ControlFlow::Break(value);
                break;
            }
        }
        frame.bind(variable, outer);
        Ok(end)
    }
}

/// The callback of an enumeration of assignments.
type Visit<'v, C, F, B> = dyn FnMut(&mut C, &mut F) -> Result<ControlFlow<B>, GroundError> + 'v;

/// The context of a condition: its scope and the current binding.
struct Frame<'s, 'f, 'b> {
    scope: &'s Scope,
    bound: Vec<Option<u32>>,
    budget: &'f mut Budget<'b>,
}

impl Frame<'_, '_, '_> {
    /// Binds a variable. Returns its previous binding.
    fn bind(&mut self, variable: VarId, object: Option<u32>) -> Option<u32> {
        std::mem::replace(&mut self.bound[variable.index()], object)
    }

    fn objects(&self, terms: &[Term]) -> Option<SmallVec<[u32; 8]>> {
        let object = |term: &Term| match term {
            Term::Variable(variable) => self.bound[variable.index()],
            Term::Object(object) => Some(object.0),
            Term::Type(_) => None,
        };
        terms.iter().map(object).collect()
    }
}

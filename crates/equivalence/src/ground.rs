//! Conditions as decision diagrams over facts and cells of numbers.

use goalspec_core::condition::{
    Cardinality, ComparisonOperator, Condition, Expression, PairingRule, Scope, Term, Terms,
};
use goalspec_core::ids::{ObjectId, PredicateId, VarId};
use goalspec_core::world::World;
use rustc_hash::FxHashMap;

use crate::atoms::{Atom, Atoms};
use crate::diagram::{Diagram, Diagrams};
use crate::limits::{LimitExceeded, MAX_DEPTH, MAX_PAIRED};
use crate::linear::{LinearComparison, LinearExpression};
use crate::ratio::Ratio;

/// The bound variables of a condition.
pub(crate) type Bindings = Vec<Option<ObjectId>>;

/// The derived predicates of a world, as its rules define them.
#[derive(Debug, Default)]
pub(crate) struct DerivedFacts {
    /// The diagram of each derived fact; a fact without an entry never holds.
    pub(crate) diagrams: FxHashMap<(PredicateId, Vec<ObjectId>), Diagram>,
    /// The derived predicates that are known.
    pub(crate) known: Vec<PredicateId>,
    /// The derived predicates whose rules have no meaning, because they depend negatively on themselves.
    pub(crate) unknown: Vec<PredicateId>,
}

/// A condition with the world that it is about.
#[derive(Clone, Copy)]
pub(crate) struct Grounding<'g> {
    pub(crate) world: &'g World,
    /// The variables of the condition.
    pub(crate) scope: &'g Scope,
    /// The name of each object in the comparison, by its id.
    pub(crate) object_names: &'g [String],
}

impl Grounding<'_> {
    /// Returns the diagram of a condition.
    pub(crate) fn diagram(
        self,
        condition: &Condition,
        bindings: &mut Bindings,
        derived: &DerivedFacts,
        diagrams: &mut Diagrams,
        atoms: &mut Atoms,
    ) -> Result<Diagram, LimitExceeded> {
        Grounder { of: self, derived, diagrams, atoms, depth: 0 }.condition(condition, bindings)
    }
}

struct Grounder<'g, 'd> {
    of: Grounding<'g>,
    derived: &'d DerivedFacts,
    diagrams: &'d mut Diagrams,
    atoms: &'d mut Atoms,
    depth: usize,
}

impl Grounder<'_, '_> {
    fn condition(&mut self, condition: &Condition, bindings: &mut Bindings) -> Result<Diagram, LimitExceeded> {
        self.diagrams.spend()?;
        if self.depth >= MAX_DEPTH {
            return Err(LimitExceeded::Depth);
        }
        self.depth += 1;
        let diagram = self.shallow(condition, bindings);
        self.depth -= 1;
        diagram
    }

    fn shallow(&mut self, condition: &Condition, bindings: &mut Bindings) -> Result<Diagram, LimitExceeded> {
        match condition {
            Condition::Constant(value) => Ok(Diagram::constant(*value)),
            Condition::Atom(atom) => self.fact(atom.predicate, &atom.arguments, bindings),
            Condition::Compare { comparison, sides, .. } => {
                self.comparison(*comparison, [&sides[0], &sides[1]], bindings)
            }
            Condition::AllEqual(parts, _) => {
                let Some(first) = parts.first() else { return Ok(Diagram::TRUE) };
                // A part is equal to itself if it has a value.
                parts.iter().try_fold(Diagram::TRUE, |all, part| {
                    let part = self.comparison(ComparisonOperator::Equal, [first, part], bindings)?;
                    self.diagrams.and(all, part)
                })
            }
            Condition::Distinct(one, other) => {
                Ok(Diagram::constant(self.term(*one, bindings) != self.term(*other, bindings)))
            }
            Condition::FirstState => self.atom(Atom::Fact("first state".to_owned())),
            Condition::LastState => self.atom(Atom::Fact("last state".to_owned())),
            Condition::InSetup(term, _) => {
                let name = format!("(in-setup {})", self.term(*term, bindings));
                self.atom(Atom::Fact(name))
            }
            Condition::Not(part) => {
                let part = self.condition(part, bindings)?;
                self.diagrams.not(part)
            }
            Condition::And(parts) => parts.iter().try_fold(Diagram::TRUE, |all, part| {
                let part = self.condition(part, bindings)?;
                self.diagrams.and(all, part)
            }),
            Condition::Or(parts) => parts.iter().try_fold(Diagram::FALSE, |any, part| {
                let part = self.condition(part, bindings)?;
                self.diagrams.or(any, part)
            }),
            Condition::Imply(parts) => {
                let premise = self.condition(&parts[0], bindings)?;
                let conclusion = self.condition(&parts[1], bindings)?;
                self.diagrams.choose(premise, conclusion, Diagram::TRUE)
            }
            Condition::Exists(variables, body) => {
                let parts = self.instances(variables, body, bindings)?;
                parts.into_iter().try_fold(Diagram::FALSE, |any, part| self.diagrams.or(any, part))
            }
            Condition::Forall(variables, body) => {
                let parts = self.instances(variables, body, bindings)?;
                parts.into_iter().try_fold(Diagram::TRUE, |all, part| self.diagrams.and(all, part))
            }
            Condition::Count(cardinality, variables, body) => {
                let parts = self.instances(variables, body, bindings)?;
                self.count(*cardinality, &parts)
            }
            Condition::Pairing { rule, amount, left, right, body } => {
                self.pairing(*rule, *amount, [*left, *right], body, bindings)
            }
        }
    }

    fn atom(&mut self, atom: Atom) -> Result<Diagram, LimitExceeded> {
        self.atoms.diagram(atom, self.diagrams)
    }

    fn fact(
        &mut self,
        predicate: PredicateId,
        arguments: &Terms,
        bindings: &Bindings,
    ) -> Result<Diagram, LimitExceeded> {
        let name = self.application(&self.of.world.predicate(predicate).name, arguments, bindings);
        if self.derived.unknown.contains(&predicate) {
            return self.atom(Atom::Opaque(name));
        }
        if !self.derived.known.contains(&predicate) {
            return self.atom(Atom::Fact(name));
        }
        let objects = arguments.iter().map(|term| match *term {
            Term::Object(object) => Some(object),
            Term::Variable(variable) => bindings[variable.index()],
            Term::Type(_) => None,
        });
        match objects.collect::<Option<Vec<ObjectId>>>() {
            Some(objects) => Ok(self.derived.diagrams.get(&(predicate, objects)).copied().unwrap_or(Diagram::FALSE)),
            None => self.atom(Atom::Opaque(name)),
        }
    }

    /// Returns the diagram of a comparison of numbers. Numbers are compared exactly.
    fn comparison(
        &mut self,
        comparison: ComparisonOperator,
        sides: [&Expression; 2],
        bindings: &Bindings,
    ) -> Result<Diagram, LimitExceeded> {
        let linear = sides.map(|side| self.linear(side, bindings, 0));
        let [left, right] = linear;
        let normal = left.zip(right).and_then(|(left, right)| left.minus(right)?.compared(comparison));
        let (diagram, required) = match normal {
            None => {
                let [left, right] = sides.map(|side| self.expression(side, bindings));
                return self.atom(Atom::Opaque(format!("({} {left} {right})", comparison.symbol())));
            }
            Some(LinearComparison::Constant(holds, required)) => (Diagram::constant(holds), required),
            Some(LinearComparison::Threshold(form, comparison, threshold, required)) => {
                let [below, up_to] =
                    [false, true].map(|or_equal| self.atoms.below(&form, threshold, or_equal, self.diagrams));
                let (below, up_to) = (below?, up_to?);
                let defined = self.atoms.defined(form.functions(), self.diagrams)?;
                let diagram = match comparison {
                    ComparisonOperator::Less => below,
                    ComparisonOperator::LessEqual => up_to,
                    ComparisonOperator::Equal => self.diagrams.choose(below, Diagram::FALSE, up_to)?,
                    ComparisonOperator::GreaterEqual => self.diagrams.choose(below, Diagram::FALSE, defined)?,
                    ComparisonOperator::Greater => self.diagrams.choose(up_to, Diagram::FALSE, defined)?,
                };
                (diagram, required)
            }
        };
        let defined = self.atoms.defined(required.iter().map(String::as_str), self.diagrams)?;
        self.diagrams.and(diagram, defined)
    }

    /// Returns an expression as a linear one; `None` if it is not linear, or exceeds the sizes of numbers or [`MAX_DEPTH`].
    fn linear(&self, expression: &Expression, bindings: &Bindings, depth: usize) -> Option<LinearExpression> {
        if depth >= MAX_DEPTH {
            return None;
        }
        let of = |part: &Expression| self.linear(part, bindings, depth + 1);
        match expression {
            Expression::Number(number) => Ratio::from_f64(*number).map(LinearExpression::constant),
            Expression::Call { function, arguments, .. } => {
                let name = &self.of.world.function(*function).name;
                Some(LinearExpression::function(self.application(name, arguments, bindings)))
            }
            Expression::Add(parts) => {
                parts.iter().try_fold(LinearExpression::constant(Ratio::ZERO), |sum, part| sum.plus(of(part)?))
            }
            Expression::Multiply(parts) => {
                parts.iter().try_fold(LinearExpression::constant(Ratio::ONE), |product, part| product.times(of(part)?))
            }
            Expression::Subtract(sides) => of(&sides[0])?.minus(of(&sides[1])?),
            Expression::Divide(sides) => of(&sides[0])?.over(&of(&sides[1])?),
            Expression::Absolute(_) => None,
        }
    }

    fn term(&self, term: Term, bindings: &Bindings) -> String {
        match term {
            Term::Object(object) => self.of.object_names[object.index()].clone(),
            Term::Type(of) => self.of.world.type_decl(of).name.to_string(),
            Term::Variable(variable) => match bindings[variable.index()] {
                Some(object) => self.of.object_names[object.index()].clone(),
                None => self.of.scope.get(variable).name.to_string(),
            },
        }
    }

    fn application(&self, name: &str, arguments: &Terms, bindings: &Bindings) -> String {
        let arguments: String = arguments.iter().map(|&term| format!(" {}", self.term(term, bindings))).collect();
        format!("({name}{arguments})")
    }

    fn expression(&self, expression: &Expression, bindings: &Bindings) -> String {
        let list = |symbol: &str, parts: &[Expression]| {
            let parts: String = parts.iter().map(|part| format!(" {}", self.expression(part, bindings))).collect();
            format!("({symbol}{parts})")
        };
        match expression {
            Expression::Number(number) => number.to_string(),
            Expression::Call { function, arguments, .. } => {
                self.application(&self.of.world.function(*function).name, arguments, bindings)
            }
            Expression::Add(parts) => list("+", parts),
            Expression::Multiply(parts) => list("*", parts),
            Expression::Subtract(sides) => list("-", &sides[..]),
            Expression::Divide(sides) => list("/", &sides[..]),
            Expression::Absolute(part) => list("abs", std::slice::from_ref(part)),
        }
    }

    fn domain(&self, variable: VarId) -> Vec<ObjectId> {
        self.of.world.domain(&self.of.scope.get(variable).types)
    }

    /// Returns the diagrams of the body under every assignment of the variables.
    fn instances(
        &mut self,
        variables: &[VarId],
        body: &Condition,
        bindings: &mut Bindings,
    ) -> Result<Vec<Diagram>, LimitExceeded> {
        let Some((&first, rest)) = variables.split_first() else { return Ok(vec![self.condition(body, bindings)?]) };
        let outside = bindings[first.index()];
        let mut all = Vec::new();
        for object in self.domain(first) {
            bindings[first.index()] = Some(object);
            all.extend(self.instances(rest, body, bindings)?);
        }
        bindings[first.index()] = outside;
        Ok(all)
    }

    /// Returns the diagram of a number of parts that hold.
    fn count(&mut self, cardinality: Cardinality, parts: &[Diagram]) -> Result<Diagram, LimitExceeded> {
        let (Cardinality::AtLeast(amount) | Cardinality::Exactly(amount)) = cardinality;
        let amount = amount as usize;
        if amount > parts.len() {
            return Ok(Diagram::FALSE);
        }
        let at_least = self.at_least(amount, parts)?;
        match cardinality {
            Cardinality::AtLeast(_) => Ok(at_least),
            Cardinality::Exactly(_) => {
                let more = self.at_least(amount + 1, parts)?;
                let not_more = self.diagrams.not(more)?;
                self.diagrams.and(at_least, not_more)
            }
        }
    }

    fn at_least(&mut self, amount: usize, parts: &[Diagram]) -> Result<Diagram, LimitExceeded> {
        if amount > parts.len() {
            return Ok(Diagram::FALSE);
        }
        // At index k, whether at least k of the parts so far hold.
        let mut reached = vec![Diagram::FALSE; amount + 1];
        reached[0] = Diagram::TRUE;
        for &part in parts {
            for count in (1..=amount).rev() {
                reached[count] = self.diagrams.choose(part, reached[count - 1], reached[count])?;
            }
        }
        Ok(reached[amount])
    }

    fn pairing(
        &mut self,
        rule: PairingRule,
        amount: Option<u32>,
        [left, right]: [VarId; 2],
        body: &Condition,
        bindings: &mut Bindings,
    ) -> Result<Diagram, LimitExceeded> {
        let (lefts, rights) = (self.domain(left), self.domain(right));
        let outside = [left, right].map(|variable| bindings[variable.index()]);
        // The cells of each row: the index of the right object, and the diagram.
        let mut rows: Vec<Vec<(usize, Diagram)>> = Vec::new();
        for &object in &lefts {
            bindings[left.index()] = Some(object);
            let mut row = Vec::new();
            for (index, &other) in rights.iter().enumerate().filter(|(_, other)| **other != object) {
                bindings[right.index()] = Some(other);
                row.push((index, self.condition(body, bindings)?));
            }
            rows.push(row);
        }
        [left, right].iter().zip(outside).for_each(|(variable, of)| bindings[variable.index()] = of);
        let required =
            amount.map_or_else(|| rows.len().min(rows.first().map_or(0, Vec::len)), |amount| amount as usize);
        match rule {
            PairingRule::Covering => self.covering(required, &rows),
            PairingRule::Matching if rights.len() > MAX_PAIRED => Err(LimitExceeded::Paired),
            PairingRule::Matching => self.matching(required, &rows),
        }
    }

    fn covering(&mut self, required: usize, rows: &[Vec<(usize, Diagram)>]) -> Result<Diagram, LimitExceeded> {
        let mut covered = Vec::new();
        let mut columns: Vec<Diagram> = vec![Diagram::FALSE; rows.iter().map(Vec::len).max().unwrap_or(0)];
        for row in rows {
            let mut any = Diagram::FALSE;
            for (place, &(_, cell)) in row.iter().enumerate() {
                any = self.diagrams.or(any, cell)?;
                columns[place] = self.diagrams.or(columns[place], cell)?;
            }
            covered.push(any);
        }
        let [rows, columns] = [self.at_least(required, &covered)?, self.at_least(required, &columns)?];
        self.diagrams.and(rows, columns)
    }

    /// Returns the diagram of a one-to-one matching of the required size, by the sets of right objects that are taken.
    fn matching(&mut self, required: usize, rows: &[Vec<(usize, Diagram)>]) -> Result<Diagram, LimitExceeded> {
        let mut reached: FxHashMap<u32, Diagram> = FxHashMap::from_iter([(0, Diagram::TRUE)]);
        for row in rows {
            let mut next = reached.clone();
            for (&taken, &before) in &reached {
                if taken.count_ones() as usize >= required {
                    continue;
                }
                for &(index, cell) in row.iter().filter(|(index, _)| taken & (1 << index) == 0) {
                    let also = self.diagrams.and(before, cell)?;
                    let entry = next.entry(taken | (1 << index)).or_insert(Diagram::FALSE);
                    *entry = self.diagrams.or(*entry, also)?;
                }
            }
            reached = next;
        }
        let mut any = Diagram::FALSE;
        for (_, diagram) in reached.into_iter().filter(|(taken, _)| taken.count_ones() as usize == required) {
            any = self.diagrams.or(any, diagram)?;
        }
        Ok(any)
    }
}

//! Conditions as decision diagrams over ground atoms.

use goalspec_core::condition::{Cardinality, Condition, Expression, PairingRule, Scope, Term, Terms};
use goalspec_core::ids::{ObjectId, VarId};
use goalspec_core::program::Goal;
use goalspec_core::world::World;
use rustc_hash::FxHashMap;

use crate::diagram::{Diagram, Diagrams};
use crate::limits::{LimitExceeded, MAX_DEPTH, MAX_PAIRED};

/// The ground atoms of a comparison, by their names.
#[derive(Debug, Default)]
pub(crate) struct Atoms {
    names: Vec<String>,
    indices: FxHashMap<String, u32>,
    /// Whether the atom is one whose truth depends on that of others: a comparison of numbers, or a derived predicate.
    dependent: Vec<bool>,
}

impl Atoms {
    pub(crate) fn name(&self, atom: u32) -> &str {
        &self.names[atom as usize]
    }

    pub(crate) fn has_dependent(&self) -> bool {
        self.dependent.contains(&true)
    }

    fn index(&mut self, name: String, is_dependent: bool) -> u32 {
        if let Some(&known) = self.indices.get(&name) {
            return known;
        }
        let index = self.names.len() as u32;
        self.names.push(name.clone());
        self.dependent.push(is_dependent);
        self.indices.insert(name, index);
        index
    }
}

/// A goal with the world that it is about.
pub(crate) struct Grounding<'g> {
    pub(crate) world: &'g World,
    pub(crate) goal: &'g Goal,
    /// The name of each object in the comparison, by its id.
    pub(crate) object_names: &'g [String],
    /// Whether rules define a predicate, by its id.
    pub(crate) is_derived: &'g dyn Fn(goalspec_core::ids::PredicateId) -> bool,
}

/// The bound variables of a condition.
type Bindings = Vec<Option<ObjectId>>;

impl Grounding<'_> {
    /// Returns the diagram of the goal.
    pub(crate) fn diagram(&self, diagrams: &mut Diagrams, atoms: &mut Atoms) -> Result<Diagram, LimitExceeded> {
        let mut bindings: Bindings = vec![None; self.goal.scope.variables.len()];
        let mut all = Diagram::TRUE;
        let mut grounder = Grounder { of: self, diagrams, atoms, depth: 0 };
        for conjunct in &self.goal.conjuncts {
            let part = grounder.condition(&conjunct.condition, &mut bindings)?;
            all = grounder.diagrams.and(all, part)?;
        }
        Ok(all)
    }

    fn scope(&self) -> &Scope {
        &self.goal.scope
    }
}

struct Grounder<'g, 'd> {
    of: &'d Grounding<'g>,
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
            Condition::Atom(atom) => {
                let name = self.application(&self.of.world.predicate(atom.predicate).name, &atom.arguments, bindings);
                self.atom(name, (self.of.is_derived)(atom.predicate))
            }
            Condition::Compare { comparison, sides, .. } => {
                let [left, right] = [0, 1].map(|side: usize| self.expression(&sides[side], bindings));
                self.atom(format!("({} {left} {right})", comparison.symbol()), true)
            }
            Condition::AllEqual(parts, _) => {
                let parts: Vec<String> = parts.iter().map(|part| self.expression(part, bindings)).collect();
                self.atom(format!("(= {})", parts.join(" ")), true)
            }
            Condition::Distinct(one, other) => {
                Ok(Diagram::constant(self.term(*one, bindings) != self.term(*other, bindings)))
            }
            Condition::FirstState => self.atom("first state".to_owned(), false),
            Condition::LastState => self.atom("last state".to_owned(), false),
            Condition::InSetup(term, _) => {
                let name = format!("(in-setup {})", self.term(*term, bindings));
                self.atom(name, false)
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

    fn atom(&mut self, name: String, is_dependent: bool) -> Result<Diagram, LimitExceeded> {
        let index = self.atoms.index(name, is_dependent);
        self.diagrams.variable(index)
    }

    fn term(&self, term: Term, bindings: &Bindings) -> String {
        match term {
            Term::Object(object) => self.of.object_names[object.index()].clone(),
            Term::Type(of) => self.of.world.type_decl(of).name.to_string(),
            Term::Variable(variable) => match bindings[variable.index()] {
                Some(object) => self.of.object_names[object.index()].clone(),
                None => self.of.scope().get(variable).name.to_string(),
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
        self.of.world.domain(&self.of.scope().get(variable).types)
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

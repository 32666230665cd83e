//! Relaxed reachability of atoms and schema instances by semi-naive Datalog evaluation.
//!
//! Every new tuple is joined once with the tuples seen before it: it is matched with each atom of each rule in turn, and the
//! other atoms are joined in sequence, at each step the one with the fewest matching tuples. The remaining atoms and their bound columns only
//! depend on the set of atoms joined so far, so the indexes and checks of a step are computed once per set ([`Node`]) and only
//! the numbers of matching tuples are compared at each join.

mod nodes;
pub(super) mod query;

use std::collections::VecDeque;
use std::rc::Rc;

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use self::nodes::{JoinStep, Lookup, Node, Root, TupleBinding};
use super::GroundError;
use super::budget::Budget;
use super::relation::{Keys, NO_ROW, Relation};
use super::schema::{Domains, Filter, Slot, Slots};
use super::statics::TaskAnalysis;

/// An atom of a rule.
#[derive(Debug, Clone)]
pub(super) struct RuleAtom {
    /// The relation.
    pub(super) relation: u32,
    /// Its arguments.
    pub(super) slots: Slots,
}

/// A Datalog rule with filters.
#[derive(Debug, Clone)]
pub(super) struct Rule<'t> {
    /// The domains of the variables.
    pub(super) variables: Vec<u32>,
    /// The atoms of the body.
    pub(super) atoms: Vec<RuleAtom>,
    /// The filters of the body.
    pub(super) filters: Vec<Filter<'t>>,
    /// The heads.
    pub(super) heads: Vec<RuleAtom>,
    /// The limit on the bindings for which the heads are derived; `None` for no limit.
    pub(super) limit: Option<BindingLimit>,
}

/// A limit on the bindings of a rule. Bindings beyond the limit count if they derive a new tuple of one of some heads.
#[derive(Debug, Clone)]
pub(super) struct BindingLimit {
    /// The maximum number of bindings that derive nothing new.
    pub(super) bindings: u32,
    /// The index of the first of these heads; they are the last ones of the rule.
    pub(super) heads_from: usize,
    /// The variables of these heads.
    pub(super) variables: FixedBitSet,
}

/// The part of the limit on the bindings of a rule that the joins of one tuple may use.
const TRIGGER_PART: u32 = 32;

/// The number of bindings that each tuple may use, even if the limit on the bindings of the rule is reached: every tuple is used.
const MIN_OF_TRIGGER: u32 = 8;

/// The maximum number of joins of one tuple after it has reached the limit.
const MAX_JOINS_BEYOND_LIMIT: u32 = 2_000;

/// The maximum number of joins of a rule for tuples that have reached the limit.
const MAX_RULE_JOINS_BEYOND_LIMIT: u32 = 5_000_000;

/// The bindings of a rule for which its heads have been derived.
#[derive(Debug, Clone, Copy, Default)]
struct BindingCount {
    /// The number for all triggering tuples.
    all: u32,
    /// The number for the current triggering tuple.
    of_trigger: u32,
    /// The number of joins of the current triggering tuple after it reached the limit.
    joins_beyond: u32,
    /// The number of joins of all triggering tuples after they reached the limit.
    all_joins_beyond: u32,
}

/// Relations with the encoding of their tuples as keys.
#[derive(Debug)]
pub(super) struct Database {
    /// The relations.
    pub(super) relations: Vec<Relation>,
    /// The encoding of tuples as keys.
    pub(super) keys: Keys,
}

impl Database {
    /// Returns the row of a tuple.
    pub(super) fn find(&self, relation: u32, tuple: &[u32]) -> Option<u32> {
        self.relations[relation as usize].find(self.keys, tuple)
    }

    /// Returns the estimated memory in bytes.
    pub(super) fn bytes(&self) -> u64 {
        self.relations.iter().map(Relation::bytes).sum()
    }
}

/// The state of an evaluation.
pub(super) struct Evaluation<'a, 't> {
    statics: &'a TaskAnalysis<'t>,
    domains: &'a Domains,
    rules: &'a [Rule<'t>],
    /// The relations computed so far.
    pub(super) database: Database,
    /// For each relation the atoms of rules that its tuples trigger, as pairs of rule and atom.
    triggers: Vec<Vec<(u32, u32)>>,
    /// For each rule and triggering atom the bindings and the first node, once computed.
    roots: Vec<Vec<Option<Root>>>,
    nodes: Vec<Rc<Node>>,
    /// The nodes, by rule, triggering atom and joined atoms.
    places: FxHashMap<(u32, u32, FixedBitSet), u32>,
    /// A queue of relations with unseen tuples, one entry per tuple, in order of derivation.
    queue: VecDeque<u32>,
    binding: Vec<u32>,
    /// The relation and row of the triggering tuple.
    trigger: (u32, u32),
    /// The bindings so far, by rule.
    counts: Vec<BindingCount>,
    /// Whether a rule was not applied to all bindings because it reached its limit.
    pub(super) is_cut: bool,
}

impl<'a, 't> Evaluation<'a, 't> {
    /// Prepares the evaluation of rules over the initial tuples. All tuples of relations that no rule derives must have been
    /// seen.
    pub(super) fn new(
        statics: &'a TaskAnalysis<'t>,
        domains: &'a Domains,
        rules: &'a [Rule<'t>],
        database: Database,
    ) -> Self {
        let mut triggers = vec![Vec::new(); database.relations.len()];
        for (rule, of) in rules.iter().enumerate() {
            for (atom, of) in of.atoms.iter().enumerate() {
                triggers[of.relation as usize].push((rule as u32, atom as u32));
            }
        }
        let mut queue = VecDeque::new();
        for (relation, of) in database.relations.iter().enumerate() {
            queue.extend((of.seen()..of.len()).map(|_| relation as u32));
        }
        let roots = rules.iter().map(|rule| vec![None; rule.atoms.len()]).collect();
        let (nodes, places, latest, binding) = (Vec::new(), FxHashMap::default(), (u32::MAX, NO_ROW), Vec::new());
        let counts = vec![BindingCount::default(); rules.len()];
        Self {
            statics,
            domains,
            rules,
            database,
            triggers,
            roots,
            nodes,
            places,
            queue,
            binding,
            trigger: latest,
            counts,
            is_cut: false,
        }
    }

    /// Applies the rules until a fixpoint is reached.
    ///
    /// # Errors
    /// Returns an error if a limit is exceeded.
    pub(super) fn run(&mut self, budget: &mut Budget<'_>) -> Result<(), GroundError> {
        self.run_without_tuples(budget)?;
        while let Some(relation) = self.queue.pop_front() {
            let keys = self.database.keys;
            let row = self.database.relations[relation as usize].seen();
            self.database.relations[relation as usize].see(keys);
            self.trigger = (relation, row);
            for at in 0..self.triggers[relation as usize].len() {
                let (rule, atom) = self.triggers[relation as usize][at];
                self.join_trigger(rule, atom, row, budget)?;
            }
        }
        Ok(())
    }

    /// Applies the rules that no tuple triggers.
    fn run_without_tuples(&mut self, budget: &mut Budget<'_>) -> Result<(), GroundError> {
        let mut growing: FixedBitSet = self.queue.iter().map(|&relation| relation as usize).collect();
        growing.grow(self.triggers.len());
        growing.extend(self.rules.iter().flat_map(|rule| &rule.heads).map(|head| head.relation as usize));
        for (place, rule) in self.rules.iter().enumerate() {
            if rule.atoms.iter().all(|atom| !growing.contains(atom.relation as usize)) {
                self.binding.clear();
                self.binding.resize(rule.variables.len(), 0);
                let nothing = FixedBitSet::with_capacity(rule.variables.len());
                let closed = self.filters_closed(place as u32, &nothing, None);
                if closed.iter().all(|&filter| self.passes(&rule.filters[filter as usize])) {
                    let node = self.node(place as u32, None, FixedBitSet::with_capacity(rule.atoms.len()));
                    self.extend(place as u32, None, node, budget)?;
                }
            }
        }
        Ok(())
    }

    /// Joins a triggering tuple, matched with an atom, with all seen tuples.
    fn join_trigger(&mut self, rule: u32, atom: u32, row: u32, budget: &mut Budget<'_>) -> Result<(), GroundError> {
        let (of, place) = (&self.rules[rule as usize], atom as usize);
        let count = &mut self.counts[rule as usize];
        (count.of_trigger, count.joins_beyond) = (0, 0);
        let root = self.root(rule, place);
        self.binding.clear();
        self.binding.resize(of.variables.len(), 0);
        let agrees =
            |(column, slot): (&u32, &Slot)| matches!(slot, Slot::Variable(_)) || *slot == Slot::Object(*column);
        let tuple = self.database.relations[of.atoms[place].relation as usize].tuple(row);
        if tuple.iter().zip(&of.atoms[place].slots).all(agrees) && self.bind(rule, atom, row, &root.0) {
            self.extend(rule, Some(atom), root.1, budget)?;
        }
        Ok(())
    }

    /// Binds the variables of an atom to a tuple. Returns whether the tuple matches.
    fn bind(&mut self, rule: u32, atom: u32, row: u32, binds: &TupleBinding) -> bool {
        let of = &self.rules[rule as usize];
        let tuple = self.database.relations[of.atoms[atom as usize].relation as usize].tuple(row);
        if binds.equal.iter().any(|&(left, right)| tuple[left as usize] != tuple[right as usize]) {
            return false;
        }
        for &(column, variable) in &binds.variables {
            let object = tuple[column as usize];
            if !self.domains.contains(of.variables[variable as usize], object) {
                return false;
            }
            self.binding[variable as usize] = object;
        }
        binds.filters.iter().all(|&filter| self.passes(&of.filters[filter as usize]))
    }

    /// Whether the current binding passes a filter.
    fn passes(&self, filter: &Filter<'_>) -> bool {
        match filter {
            Filter::Same { equal, sides } => (sides[0].value(&self.binding) == sides[1].value(&self.binding)) == *equal,
            Filter::NegatedStatic(atom) => {
                let tuple: SmallVec<[u32; 8]> = atom.slots.iter().map(|slot| slot.value(&self.binding)).collect();
                self.database.find(atom.predicate.0, &tuple).is_none()
            }
            Filter::Static(part) => {
                self.statics.holds(part.condition, part.scope, &part.bound(&self.binding)) == part.polarity
            }
        }
    }

    /// Continues the join from a node under the current binding.
    fn extend(
        &mut self,
        rule: u32,
        trigger: Option<u32>,
        node: u32,
        budget: &mut Budget<'_>,
    ) -> Result<(), GroundError> {
        let node = Rc::clone(&self.nodes[node as usize]);
        if self.is_superfluous(rule, &node.bound) {
            return Ok(());
        }
        if !node.checks.iter().all(|check| self.check(rule, check)) {
            return Ok(());
        }
        if node.steps.is_empty() {
            return self.bind_free_variables(rule, &node.unbound, budget);
        }
        let Some((step, list)) = self.choose(rule, &node) else { return Ok(()) };
        let atom = &self.rules[rule as usize].atoms[step.atom as usize];
        let (relation, mut row) = (atom.relation as usize, list);
        while row != NO_ROW {
            if self.is_superfluous(rule, &node.bound) {
                return Ok(());
            }
            budget.tick(&self.database)?;
            let skipped = step.before && (atom.relation, row) == self.trigger;
            if !skipped && self.agrees(atom, step, row) && self.bind(rule, step.atom, row, &step.binds) {
                let next = self.next(rule, trigger, &node, step);
                self.extend(rule, trigger, next, budget)?;
            }
            row = match step.index {
                Some(index) => self.database.relations[relation].index(index).before(row),
                None => row.wrapping_sub(1),
            };
        }
        Ok(())
    }

    /// Returns the step with the fewest matching tuples, and the latest of these tuples; `None` if a step has no matching
    /// tuple.
    fn choose<'n>(&mut self, rule: u32, node: &'n Node) -> Option<(&'n JoinStep, u32)> {
        let rules = self.rules;
        let is_reached = self.reached_limit(rule).is_some();
        let limit = rules[rule as usize].limit.as_ref().filter(|_| is_reached).map(|limit| &limit.variables);
        // Beyond a limit, the variables that decide whether a binding counts come first.
        let decides = |step: &JoinStep| {
            limit.is_some_and(|variables| {
                step.binds.variables.iter().any(|&(_, variable)| variables.contains(variable as usize))
            })
        };
        let mut best: Option<(bool, u32, &JoinStep, u32)> = None;
        for step in &node.steps {
            let atom = &self.rules[rule as usize].atoms[step.atom as usize];
            let relation = &self.database.relations[atom.relation as usize];
            let (row, count) = match step.index {
                None => (relation.seen().wrapping_sub(1), relation.seen()),
                Some(index) => {
                    let bound = step.bound.iter().map(|&column| atom.slots[column as usize].value(&self.binding));
                    relation.index(index).list(self.database.keys.of(bound))
                }
            };
            if count == 0 {
                return None;
            }
            let is_late = limit.is_some() && !decides(step);
            if best.is_none_or(|(late, least, ..)| (is_late, count) < (late, least)) {
                best = Some((is_late, count, step, row));
            }
        }
        best.map(|(.., step, row)| (step, row))
    }

    /// Whether a row matches the bound columns of an atom; equal keys do not imply equal columns.
    fn agrees(&self, atom: &RuleAtom, step: &JoinStep, row: u32) -> bool {
        let tuple = self.database.relations[atom.relation as usize].tuple(row);
        let same = |&column: &u8| tuple[column as usize] == atom.slots[column as usize].value(&self.binding);
        step.bound.iter().all(same)
    }

    /// Whether the tuple of a fully bound atom has been seen.
    fn check(&self, rule: u32, check: &Lookup) -> bool {
        let atom = &self.rules[rule as usize].atoms[check.atom as usize];
        let tuple: SmallVec<[u32; 8]> = atom.slots.iter().map(|slot| slot.value(&self.binding)).collect();
        match self.database.find(atom.relation, &tuple) {
            Some(row) if row < self.database.relations[atom.relation as usize].seen() => {
                !(check.before && (atom.relation, row) == self.trigger)
            }
            _ => false,
        }
    }

    /// Enumerates the objects of variables that no atom binds, and adds the heads.
    fn bind_free_variables(
        &mut self,
        rule: u32,
        unbound: &[(u32, Vec<u32>)],
        budget: &mut Budget<'_>,
    ) -> Result<(), GroundError> {
        let Some(((variable, filters), rest)) = unbound.split_first() else {
            let all: FixedBitSet = (0..self.binding.len()).collect();
            return if self.is_superfluous(rule, &all) { Ok(()) } else { self.add_heads(rule, budget) };
        };
        let (of, domains) = (&self.rules[rule as usize], self.domains);
        if of.limit.is_none() && unbound.iter().all(|(_, filters)| filters.is_empty()) {
            // All combinations will be added, so too many of them can be rejected beforehand.
            let count =
                |&(variable, _): &(u32, Vec<u32>)| domains.get(of.variables[variable as usize]).objects.len() as u64;
            let combinations = unbound.iter().map(count).fold(1, u64::saturating_mul);
            budget.check_capacity(combinations, of.variables.len())?;
        }
        for &object in &domains.get(of.variables[*variable as usize]).objects {
            budget.tick(&self.database)?;
            if self.is_exhausted(rule) {
                break;
            }
            self.binding[*variable as usize] = object;
            if filters.iter().all(|&filter| self.passes(&of.filters[filter as usize])) {
                self.bind_free_variables(rule, rest, budget)?;
            }
        }
        Ok(())
    }

    /// Returns the limit of a rule if the current triggering tuple has reached it.
    fn reached_limit(&mut self, rule: u32) -> Option<&BindingLimit> {
        let limit = self.rules[rule as usize].limit.as_ref()?;
        let count = self.counts[rule as usize];
        let of_trigger = (limit.bindings / TRIGGER_PART).max(TRIGGER_PART);
        let is_reached = count.of_trigger >= of_trigger
            || count.all >= limit.bindings && count.of_trigger >= MIN_OF_TRIGGER.min(of_trigger);
        self.is_cut |= is_reached;
        is_reached.then_some(limit)
    }

    /// Whether the current triggering tuple has no joins left.
    fn is_exhausted(&self, rule: u32) -> bool {
        let count = self.counts[rule as usize];
        count.joins_beyond > MAX_JOINS_BEYOND_LIMIT || count.all_joins_beyond > MAX_RULE_JOINS_BEYOND_LIMIT
    }

    /// Whether a limit excludes all bindings that agree with the current one on the bound variables.
    fn is_superfluous(&mut self, rule: u32, bound: &FixedBitSet) -> bool {
        let rules = self.rules;
        if self.reached_limit(rule).is_none() {
            return false;
        }
        let Some(limit) = &rules[rule as usize].limit else { return false };
        let count = &mut self.counts[rule as usize];
        count.joins_beyond += 1;
        count.all_joins_beyond = count.all_joins_beyond.saturating_add(1);
        if self.is_exhausted(rule) {
            return true;
        }
        let (from, is_bound) = (limit.heads_from, limit.variables.is_subset(bound));
        let is_new = |head: &RuleAtom| {
            let tuple: SmallVec<[u32; 8]> = head.slots.iter().map(|slot| slot.value(&self.binding)).collect();
            self.database.find(head.relation, &tuple).is_none()
        };
        let heads = &rules[rule as usize].heads[from..];
        heads.is_empty() || is_bound && !heads.iter().any(is_new)
    }

    fn add_heads(&mut self, rule: u32, budget: &mut Budget<'_>) -> Result<(), GroundError> {
        let count = &mut self.counts[rule as usize];
        (count.all, count.of_trigger) = (count.all + 1, count.of_trigger + 1);
        for head in &self.rules[rule as usize].heads {
            let tuple: SmallVec<[u32; 8]> = head.slots.iter().map(|slot| slot.value(&self.binding)).collect();
            let keys = self.database.keys;
            if self.database.relations[head.relation as usize].add(keys, &tuple) {
                budget.count(&self.database)?;
                if !self.triggers[head.relation as usize].is_empty() {
                    self.queue.push_back(head.relation);
                }
            }
        }
        Ok(())
    }
}

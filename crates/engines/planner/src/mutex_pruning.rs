//! Removal of operators that occur in no plan, by pairs of facts.
//!
//! A pair of facts is *reachable* if the `h^2` heuristic does not prove that no reachable state has both (Haslum and Geffner 2000), and *alive* if it
//! does not prove, from the goal backwards, that the goal is unreachable from every state that has both (Alcázar and Torralba 2015). An operator is
//! removed if its precondition has a pair that is not both, or if the facts that hold after it have one. Each direction sharpens the other.

use crate::ground_task::{Fact, GroundTask, Operator};

/// The maximum number of analyses in each direction.
const MAX_ROUNDS: usize = 3;

/// The maximum number of facts: sets of pairs take a bit for each.
const MAX_FACTS: u32 = 1 << 14;

/// Removes operators that occur in no plan, with a limit on the work, in the units of [`goalspec_core::work`]. Returns the number of operators
/// removed. Tasks with axioms, comparisons of numbers or conditional effects, and tasks that are too large, keep their operators.
pub fn prune_operators(task: &mut GroundTask, max_work: u64) -> usize {
    let has_conditions = |operator: &Operator| operator.effects.iter().any(|effect| !effect.conditions.is_empty());
    let is_plain = task.axioms.is_empty() && task.comparisons.is_empty();
    let facts: usize = task.variables.iter().map(|variable| variable.values.len()).sum();
    if !is_plain || facts > MAX_FACTS as usize || task.operators.iter().any(has_conditions) {
        return 0;
    }
    let mut analysis = PairAnalysis::new(task, max_work);
    analysis.run();
    let before = task.operators.len();
    let mut is_kept = analysis.operators.iter().map(|operator| operator.is_kept);
    task.operators.retain(|_| is_kept.next().unwrap_or(true));
    before - task.operators.len()
}

/// A symmetric relation between facts, as one bit row per fact.
#[derive(Debug, Clone)]
struct Pairs {
    words: usize,
    bits: Vec<u64>,
}

impl Pairs {
    fn empty(facts: usize) -> Self {
        let words = facts.div_ceil(64);
        Self { words, bits: vec![0; words * facts] }
    }

    fn row(&self, fact: u32) -> &[u64] {
        &self.bits[fact as usize * self.words..][..self.words]
    }

    fn contains(&self, one: u32, other: u32) -> bool {
        is_set(self.row(one), other)
    }

    fn insert(&mut self, one: u32, other: u32) {
        set(&mut self.bits[one as usize * self.words..][..self.words], other);
        set(&mut self.bits[other as usize * self.words..][..self.words], one);
    }

    /// Computes the facts that are related to all of these; to themselves if there are none.
    fn related_to_all(&self, facts: &[u32], row: &mut Vec<u64>) {
        row.clear();
        if let Some((&first, rest)) = facts.split_first() {
            row.extend_from_slice(self.row(first));
            for &fact in rest {
                intersect(row, self.row(fact));
            }
        } else {
            row.resize(self.words, 0);
            let facts = self.bits.len() / self.words.max(1);
            (0..facts as u32).filter(|&fact| self.contains(fact, fact)).for_each(|fact| set(row, fact));
        }
    }

    /// Whether all pairs of these facts are related.
    fn contains_all(&self, facts: &[u32]) -> bool {
        facts.iter().enumerate().all(|(index, &one)| facts[..=index].iter().all(|&other| self.contains(one, other)))
    }
}

fn is_set(row: &[u64], fact: u32) -> bool {
    row[fact as usize / 64] >> (fact % 64) & 1 == 1
}

fn set(row: &mut [u64], fact: u32) {
    row[fact as usize / 64] |= 1 << (fact % 64);
}

fn intersect(row: &mut [u64], other: &[u64]) {
    row.iter_mut().zip(other).for_each(|(word, other)| *word &= other);
}

/// An operator, with facts as numbers.
struct FlatOperator {
    /// The precondition.
    before: Vec<u32>,
    /// The effects.
    effects: Vec<u32>,
    /// The facts that hold afterwards: the effects, and the preconditions on other variables.
    after: Vec<u32>,
    /// The facts that may hold before and not afterwards: preconditions, or all values of affected variables without one.
    regressed: Vec<u32>,
    /// The affected variables, as ranges of facts.
    affected: Vec<(u32, u32)>,
    is_kept: bool,
    /// The number of changes of the relation when the operator was applied last.
    applied_at: u64,
}

/// The analysis of the pairs of facts of a task.
struct PairAnalysis {
    facts: usize,
    operators: Vec<FlatOperator>,
    initial: Vec<u32>,
    /// The facts that the goal allows, as bits.
    goal_allows: Vec<u64>,
    /// The number of changes so far, and for each fact that of the last change of its row.
    changes: u64,
    changed_at: Vec<u64>,
    work: u64,
    max_work: u64,
}

impl PairAnalysis {
    fn new(task: &GroundTask, max_work: u64) -> Self {
        let mut offsets = vec![0u32];
        for variable in &task.variables {
            offsets.push(offsets[offsets.len() - 1] + variable.values.len() as u32);
        }
        let facts = offsets[offsets.len() - 1] as usize;
        let number = |fact: &Fact| offsets[fact.variable as usize] + fact.value;
        let range = |variable: u32| (offsets[variable as usize], offsets[variable as usize + 1]);
        let mut goal_allows = vec![0; facts.div_ceil(64)];
        (0..facts as u32).for_each(|fact| set(&mut goal_allows, fact));
        for goal in &task.goal {
            clear(&mut goal_allows, range(goal.variable));
            set(&mut goal_allows, number(goal));
        }
        let flat = |operator: &Operator| {
            // Of several effects on one variable, the last one counts.
            let mut facts: Vec<Fact> = Vec::with_capacity(operator.effects.len());
            for effect in &operator.effects {
                facts.retain(|fact| fact.variable != effect.fact.variable);
                facts.push(effect.fact);
            }
            let affects = |variable: u32| facts.iter().any(|fact| fact.variable == variable);
            let before: Vec<u32> = operator.precondition.iter().map(number).collect();
            let effects: Vec<u32> = facts.iter().map(number).collect();
            let kept = operator.precondition.iter().filter(|fact| !affects(fact.variable)).map(number);
            let after = effects.iter().copied().chain(kept).collect();
            let affected: Vec<(u32, u32)> = facts.iter().map(|fact| range(fact.variable)).collect();
            let free = affected.iter().filter(|(start, end)| !before.iter().any(|fact| (start..end).contains(&fact)));
            let regressed = before.iter().copied().chain(free.flat_map(|&(start, end)| start..end)).collect();
            FlatOperator { before, effects, after, regressed, affected, is_kept: true, applied_at: 0 }
        };
        Self {
            facts,
            operators: task.operators.iter().map(flat).collect(),
            initial: (0u32..).zip(&task.initial).map(|(variable, value)| range(variable).0 + value).collect(),
            goal_allows,
            changes: 0,
            changed_at: vec![0; facts],
            work: 0,
            max_work,
        }
    }

    /// Removes operators until nothing changes or the limits are reached.
    fn run(&mut self) {
        let mut alive: Option<Pairs> = None;
        for _ in 0..MAX_ROUNDS {
            let kept = self.kept();
            let Some(reachable) = self.reachable(alive.as_ref()) else { return };
            self.retain(|operator| reachable.contains_all(&operator.before));
            let Some(found) = self.alive(&reachable) else { return };
            self.retain(|operator| found.contains_all(&operator.before) && found.contains_all(&operator.after));
            if self.kept() == kept && alive.is_some() {
                return;
            }
            alive = Some(found);
        }
    }

    fn kept(&self) -> usize {
        self.operators.iter().filter(|operator| operator.is_kept).count()
    }

    fn retain(&mut self, keeps: impl Fn(&FlatOperator) -> bool) {
        for operator in &mut self.operators {
            operator.is_kept &= keeps(operator);
        }
    }

    /// Computes the reachable pairs among `alive`; `None` if the limit on the work is reached.
    fn reachable(&mut self, alive: Option<&Pairs>) -> Option<Pairs> {
        let mut reached = Pairs::empty(self.facts);
        for &one in &self.initial {
            for &other in &self.initial {
                reached.insert(one, other);
            }
        }
        let step = |operator: &FlatOperator, reached: &Pairs, common: &mut Vec<u64>| {
            if !reached.contains_all(&operator.before) {
                return false;
            }
            reached.related_to_all(&operator.before, common);
            operator.affected.iter().for_each(|&range| clear(common, range));
            operator.effects.iter().for_each(|&fact| set(common, fact));
            true
        };
        let is_allowed = |one: u32| alive.map(|alive| alive.row(one));
        self.saturate(&mut reached, |operator| (&operator.before, &operator.effects), step, is_allowed)
            .then_some(reached)
    }

    /// Computes the pairs among the reachable ones from which the goal may be reachable; `None` if the limit on the work is reached.
    fn alive(&mut self, reachable: &Pairs) -> Option<Pairs> {
        let mut alive = Pairs::empty(self.facts);
        for one in (0..self.facts as u32).filter(|&fact| is_set(&self.goal_allows, fact)) {
            let row = &mut alive.bits[one as usize * alive.words..][..alive.words];
            row.copy_from_slice(&self.goal_allows);
            intersect(row, reachable.row(one));
        }
        let step = |operator: &FlatOperator, alive: &Pairs, common: &mut Vec<u64>| {
            if !alive.contains_all(&operator.after) {
                return false;
            }
            alive.related_to_all(&operator.after, common);
            operator.affected.iter().for_each(|&range| clear(common, range));
            operator.before.iter().for_each(|&fact| intersect(common, reachable.row(fact)));
            operator.regressed.iter().for_each(|&fact| set(common, fact));
            true
        };
        let is_allowed = |one: u32| Some(reachable.row(one));
        self.saturate(&mut alive, |operator| (&operator.after, &operator.regressed), step, is_allowed).then_some(alive)
    }

    /// Applies the operators until the relation no longer grows. `sides` returns the facts on which the application of an operator depends, and those
    /// that it adds; `step` computes the facts with which the latter are related then. Returns whether the work stayed within its limit.
    fn saturate<'p>(
        &mut self,
        pairs: &mut Pairs,
        sides: impl Fn(&FlatOperator) -> (&Vec<u32>, &Vec<u32>),
        step: impl Fn(&FlatOperator, &Pairs, &mut Vec<u64>) -> bool,
        allowed: impl Fn(u32) -> Option<&'p [u64]>,
    ) -> bool {
        self.changes += 1;
        self.changed_at.fill(self.changes);
        let (mut common, mut new) = (Vec::new(), Vec::new());
        loop {
            let begun = self.changes;
            for index in 0..self.operators.len() {
                let operator = &self.operators[index];
                let (needed, added) = sides(operator);
                let is_stale = needed.is_empty()
                    || needed.iter().any(|&fact| self.changed_at[fact as usize] > operator.applied_at);
                if !operator.is_kept || !is_stale {
                    continue;
                }
                self.work += 8 + ((needed.len() + added.len()) * pairs.words) as u64;
                if step(operator, pairs, &mut common) {
                    for &one in added {
                        new.clear();
                        collect_new(&common, allowed(one), pairs.row(one), &mut new);
                        for &other in &new {
                            pairs.insert(one, other);
                            self.changes += 1;
                            self.changed_at[other as usize] = self.changes;
                            self.changed_at[one as usize] = self.changes;
                        }
                    }
                }
                self.operators[index].applied_at = self.changes;
                if self.work > self.max_work {
                    return false;
                }
            }
            if self.changes == begun {
                return true;
            }
        }
    }
}

/// Removes a range of facts from a row.
fn clear(row: &mut [u64], (start, end): (u32, u32)) {
    for fact in start..end {
        row[fact as usize / 64] &= !(1 << (fact % 64));
    }
}

/// Collects the allowed facts of a row that the known row lacks.
fn collect_new(row: &[u64], allowed: Option<&[u64]>, known: &[u64], new: &mut Vec<u32>) {
    for (index, (&word, &known)) in (0u32..).zip(row.iter().zip(known)) {
        let mut left = word & !known & allowed.map_or(u64::MAX, |allowed| allowed[index as usize]);
        while left != 0 {
            new.push(index * 64 + left.trailing_zeros());
            left &= left - 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::prune_operators;
    use crate::ground_task::{Effect, Fact, GroundTask, Operator, ValueMeaning, ValueSource, Variable};

    fn operator(precondition: &[(u32, u32)], effects: &[(u32, u32)]) -> Operator {
        let fact = |&(variable, value): &(u32, u32)| Fact { variable, value };
        Operator {
            step: None,
            precondition: precondition.iter().map(fact).collect(),
            effects: effects.iter().map(|effect| Effect { conditions: Vec::new(), fact: fact(effect) }).collect(),
            numeric_effects: Vec::new(),
            cost: 1,
        }
    }

    fn task(goal: (u32, u32), operators: Vec<Operator>) -> GroundTask {
        let values = [0, 1, 2].map(|value| ValueMeaning::Auxiliary(value > 0)).to_vec();
        let variable = Variable { values, source: ValueSource::Operators };
        let goal = vec![Fact { variable: goal.0, value: goal.1 }];
        GroundTask {
            variables: vec![variable; 2],
            initial: vec![0, 0],
            operators,
            goal,
            cost_unit: 1.0,
            ..GroundTask::default()
        }
    }

    #[test]
    fn operators_that_no_plan_can_contain_are_removed() {
        // Either variable can leave its first value, but not both, so the third operator is never applicable.
        let exclusive = || vec![operator(&[(0, 0), (1, 0)], &[(0, 1)]), operator(&[(0, 0), (1, 0)], &[(1, 1)])];
        let mut unreachable = task((0, 2), exclusive());
        unreachable.operators.push(operator(&[(0, 1), (1, 1)], &[(0, 2)]));
        unreachable.operators.push(operator(&[(0, 1)], &[(0, 2)]));
        // The second operator leads away from the goal.
        assert_eq!(prune_operators(&mut unreachable, u64::MAX), 2);
        assert_eq!(unreachable.operators[0].effects[0].fact, Fact { variable: 0, value: 1 });
    }

    #[test]
    fn a_limit_on_the_work_keeps_everything() {
        let mut limited = task((0, 1), vec![operator(&[(0, 0)], &[(0, 1)]), operator(&[(0, 2)], &[(0, 1)])]);
        assert_eq!(prune_operators(&mut limited, 0), 0);
        assert_eq!(prune_operators(&mut limited, u64::MAX), 1);
    }
}

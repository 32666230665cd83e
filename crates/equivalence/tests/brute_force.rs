//! Agreement with the evaluation of goals in all states.

use fixedbitset::FixedBitSet;
use goalspec_bddl::{Dialect, lower};
use goalspec_core::evaluate::{Bindings, Context, condition};
use goalspec_core::ids::{ObjectId, PredicateId};
use goalspec_core::program::Goal;
use goalspec_core::state::{ChangeSet, Delta, FactChange, State};
use goalspec_core::world::World;
use goalspec_equivalence::GoalRelation;
use goalspec_equivalence::goals::{GoalInWorld, compare_goals};

use crate::texts::{DOMAIN, source, task};

/// The number of mutations of each language.
const MUTATIONS: u64 = 500;

/// A generator of pseudo-random numbers.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % bound
    }

    fn pick<'t>(&mut self, items: &[&'t str]) -> &'t str {
        items[self.below(items.len())]
    }
}

pub(crate) fn holds(world: &World, goal: &Goal, state: &State) -> bool {
    let setup_objects = FixedBitSet::new();
    let context = Context { world, state, first: true, last: true, setup_objects: &setup_objects, work: None };
    goal.conjuncts.iter().all(|conjunct| condition(&context, &conjunct.condition, &mut Bindings::new(&goal.scope)))
}

/// Returns every state over some facts.
fn states(world: &World, facts: &[(PredicateId, Vec<ObjectId>)]) -> Vec<State> {
    let of = |bits: usize| {
        let facts = facts.iter().enumerate().map(|(index, (predicate, arguments))| FactChange {
            predicate: *predicate,
            arguments: arguments.iter().copied().collect(),
            holds: bits & (1 << index) != 0,
        });
        let delta = Delta { facts: facts.collect(), ..Delta::default() };
        let mut state = State::new(world);
        state.apply(world, &delta, &mut ChangeSet::default());
        state
    };
    (0..1 << facts.len()).map(of).collect()
}

/// Returns the facts with these names.
fn facts(world: &World, names: &[&str]) -> Vec<(PredicateId, Vec<ObjectId>)> {
    let fact = |name: &&str| {
        let mut words = name.split(' ');
        let predicate = world.predicate_named(words.next().unwrap()).unwrap_or_else(|| panic!("{name}"));
        (predicate, words.map(|word| world.object_named(word).unwrap_or_else(|| panic!("{name}"))).collect())
    };
    names.iter().map(fact).collect()
}

/// Compares two goals of one world by the diagrams and by all states.
fn check(world: &World, names: &[&str], [one, other]: [&Goal; 2], texts: &[String; 2]) -> GoalRelation {
    let (mut only_one, mut only_other) = (false, false);
    for state in states(world, &facts(world, names)) {
        let [one, other] = [one, other].map(|goal| holds(world, goal, &state));
        only_one |= one && !other;
        only_other |= other && !one;
    }
    let expected = match (only_one, only_other) {
        (false, false) => GoalRelation::Same,
        (false, true) => GoalRelation::Stronger,
        (true, false) => GoalRelation::Weaker,
        (true, true) => GoalRelation::Different,
    };
    let found = compare_goals(GoalInWorld::new(world, one), GoalInWorld::new(world, other)).unwrap();
    assert_eq!(found.relation, expected, "{texts:?}");
    if let Some(witness) = found.witness {
        let held: Vec<&str> = witness.facts.iter().map(|fact| fact.trim_matches(['(', ')'])).collect();
        let facts = facts(world, &held).into_iter().map(|(predicate, arguments)| FactChange {
            predicate,
            arguments: arguments.into_iter().collect(),
            holds: true,
        });
        let mut state = State::new(world);
        state.apply(world, &Delta { facts: facts.collect(), ..Delta::default() }, &mut ChangeSet::default());
        let satisfied = [one, other].map(|goal| holds(world, goal, &state));
        assert_eq!(satisfied, [witness.satisfies_first, !witness.satisfies_first], "{texts:?} {held:?}");
    }
    found.relation
}

/// Returns a random condition of a language: one of the conditions, or a combination of smaller ones.
fn random_condition(random: &mut Random, leaves: &[&str], heads: &[&str], depth: usize) -> String {
    if depth == 0 || random.below(4) == 0 {
        return random.pick(leaves).to_owned();
    }
    let part = |random: &mut Random| random_condition(random, leaves, heads, depth - 1);
    let one = part(random);
    match random.below(5) {
        0 => format!("(and {one} {})", part(random)),
        1 => format!("(or {one} {})", part(random)),
        2 => format!("(not {one})"),
        3 => format!("(imply {one} {})", part(random)),
        _ => format!("({} {one})", random.pick(heads)),
    }
}

/// Returns a goal and a mutation of it: parts that are removed, repeated, moved, negated, replaced or extended by a tautology.
pub(crate) fn mutated(random: &mut Random, leaves: &[&str], heads: &[&str]) -> [String; 2] {
    let parts: Vec<String> = (0..3).map(|_| random_condition(random, leaves, heads, 2)).collect();
    let mut changed = parts.clone();
    let at = random.below(changed.len());
    match random.below(6) {
        0 => drop(changed.remove(at)),
        1 => changed.push(parts[at].clone()),
        2 => changed.rotate_left(at),
        3 => changed[at] = format!("(not {})", parts[at]),
        4 => changed[at] = random_condition(random, leaves, heads, 2),
        _ => {
            let extra = random_condition(random, leaves, heads, 1);
            changed.push(format!("(or {extra} (not {extra}))"));
        }
    }
    [parts, changed].map(|parts| format!("(and {})", parts.join(" ")))
}

/// Asserts that the mutations are of both kinds.
fn assert_varied(relations: &[GoalRelation]) {
    let same = relations.iter().filter(|relation| **relation == GoalRelation::Same).count();
    assert!(same > relations.len() / 10 && same < relations.len() * 9 / 10, "{same} of {}", relations.len());
}

#[test]
fn mutations_of_pddl_goals_agree() {
    let leaves = ["(on a b)", "(on b a)", "(clear a)", "(free)", "(in b u)", "(exists (?y - block) (on ?y a))"];
    let heads = ["forall (?x - block)", "exists (?x - block)", "exists (?x ?y - block)"];
    let names = ["on a a", "on a b", "on b a", "on b b", "clear a", "clear b", "free", "in a u", "in b u"];
    let bound = ["(on ?x a)", "(clear ?x)", "(in ?x u)", "(not (= ?x a))"];
    let mut random = Random(1);
    let mut relations = Vec::new();
    for _ in 0..MUTATIONS {
        let inner = format!("(exists (?x - block) (and {} {}))", random.pick(&bound), random.pick(&bound));
        let other = format!("(forall (?x - block) (or {} (on ?x ?x)))", random.pick(&bound));
        let mut all = leaves.to_vec();
        all.extend([&*inner, &*other]);
        let texts = mutated(&mut random, &all, &heads);
        let tasks = texts.clone().map(|goal| {
            let problem =
                format!("(define (problem p) (:domain blocks) (:objects a b - block u - box) (:init) (:goal {goal}))");
            task(DOMAIN, &problem)
        });
        let world = &tasks[0].world;
        relations.push(check(world, &names, [&tasks[0].goal, &tasks[1].goal], &texts));
    }
    assert_varied(&relations);
}

#[test]
fn mutations_of_bddl_goals_agree() {
    let leaves = [
        "(open ?cup.n.01_1)",
        "(open ?bowl.n.01_2)",
        "(inside ?cup.n.01_1 ?bowl.n.01_1)",
        "(inside ?cup.n.01_2 ?bowl.n.01_1)",
        "(forall (?cup.n.01 - cup.n.01) (open ?cup.n.01))",
        "(forn (1) (?cup.n.01 - cup.n.01) (inside ?cup.n.01 ?bowl.n.01_2))",
        "(forpairs (?cup.n.01 - cup.n.01) (?bowl.n.01 - bowl.n.01) (inside ?cup.n.01 ?bowl.n.01))",
        "(fornpairs (1) (?cup.n.01 - cup.n.01) (?bowl.n.01 - bowl.n.01) (inside ?cup.n.01 ?bowl.n.01))",
        "(forpairs (?cup.n.01 - cup.n.01) (?other - cup.n.01) (or (open ?other) (open ?cup.n.01)))",
    ];
    let heads = ["forn (2) (?cup.n.01 - cup.n.01)", "exists (?bowl.n.01 - bowl.n.01)", "forall (?cup.n.01 - cup.n.01)"];
    let names = [
        "open cup.n.01_1",
        "open cup.n.01_2",
        "open bowl.n.01_2",
        "inside cup.n.01_1 bowl.n.01_1",
        "inside cup.n.01_1 bowl.n.01_2",
        "inside cup.n.01_2 bowl.n.01_1",
        "inside cup.n.01_2 bowl.n.01_2",
    ];
    let mut random = Random(2);
    let mut relations = Vec::new();
    for index in 0..MUTATIONS {
        let texts = mutated(&mut random, &leaves, &heads);
        let dialect = if index % 2 == 0 { Dialect::STRICT } else { Dialect::STRICT.with_documented_quantifiers() };
        let activity = |goal: &String| {
            let text = format!(
                "(define (problem p) (:domain omnigibson) (:objects cup.n.01_1 cup.n.01_2 - cup.n.01 bowl.n.01_1 bowl.n.01_2 - bowl.n.01)
                    (:init (open cup.n.01_1) (open bowl.n.01_2) (inside cup.n.01_1 bowl.n.01_1)) (:goal {goal}))"
            );
            goalspec_bddl::parse::parse(&source(&text), dialect).problems.remove(0)
        };
        let lowered = texts.each_ref().map(|goal| lower::lower(&activity(goal), None, dialect).unwrap());
        relations.push(check(&lowered[0].world, &names, [&lowered[0].goal, &lowered[1].goal], &texts));
    }
    assert_varied(&relations);
}

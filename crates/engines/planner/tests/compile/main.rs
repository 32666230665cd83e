//! Compiled tasks compared with their originals: all plans up to a length, judged by the reference validator and the reference
//! interpreter.

mod cases;
mod random;

use std::collections::HashMap;

use fixedbitset::FixedBitSet;
use std::sync::Arc;

use goalspec_core::evaluate::{self, Bindings};
use goalspec_core::explain::CoreNotation;
use goalspec_core::ids::FunctionId;
use goalspec_core::interpret::GameInterpreter;
use goalspec_core::monitor::{self, GameMonitor};
use goalspec_core::planning::execute::Execution;
use goalspec_core::planning::plan::{Plan, PlanStep};
use goalspec_core::planning::task::{ActionPreference, Metric, MetricExpression, OptimizationDirection, Task};
use goalspec_core::planning::validate::validate;
use goalspec_core::program::{Game, Preference, ScoreExpression};
use goalspec_core::state::ChangeSet;
use goalspec_pddl::{ResolvedDomain, lower, parse};
use goalspec_planner::compile::{Compilation, ExtraGoal, compile};
use goalspec_syntax::Diagnostic;
use goalspec_testing::choices::Choices;
use goalspec_testing::planning::executor::Executor;
use goalspec_testing::planning::{self, Features};
use random::Random;

/// Lowers the task of a text with a domain and a problem.
fn task(text: &str) -> Task {
    let parsed = parse(&goalspec_testing::texts::source("task.pddl", text));
    let (model, found) = ResolvedDomain::new(&parsed.domains[0]);
    let lowered = lower(&parsed.problems[0], &model);
    let wrong = parsed.diagnostics.iter().chain(&found).chain(&lowered.diagnostics).chain(&lowered.unsupported);
    let wrong: Vec<_> = wrong.filter(|one| Diagnostic::is_error(one)).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
    lowered.task.expect("a task")
}

const LAMPS: &str = "(define (domain lamps)
    (:predicates (lit ?l) (warm) (bright))
    (:functions (used) (load) (total-cost))
    (:derived (bright) (forall (?l) (lit ?l)))
    (:action switch :parameters (?l)
        :effect (and (when (lit ?l) (not (lit ?l))) (when (not (lit ?l)) (lit ?l))
            (increase (used) 1) (increase (total-cost) 2)))
    (:action heat :precondition (not (warm)) :effect (and (warm) (assign (load) (used)) (increase (total-cost) 1)))
    (:action cool :precondition (warm) :effect (not (warm))))
(define (problem two) (:domain lamps) (:objects a b)
    (:init (lit a) (= (used) 0) (= (total-cost) 0)) (:goal (or (lit b) (warm) (bright))))";

/// A callback for a plan and its execution.
type Visit<'v> = &'v mut dyn FnMut(&Plan, &Execution<'_>);

/// Visits all executable plans in a fixed order; `goes_on` decides whether a plan is extended.
fn each_plan(task: &Task, goes_on: &dyn Fn(&Plan) -> bool, visit: Visit<'_>) {
    let steps = Executor::new(task).steps();
    let execution = Execution::new(task).expect("rules have a meaning");
    extend(&execution, &steps, &mut Plan::default(), goes_on, visit);
}

fn extend(
    execution: &Execution<'_>,
    steps: &[PlanStep],
    plan: &mut Plan,
    goes_on: &dyn Fn(&Plan) -> bool,
    visit: Visit<'_>,
) {
    visit(plan, execution);
    for step in steps {
        plan.steps.push(step.clone());
        let mut next = execution.clone();
        if goes_on(plan) && next.apply(step, &CoreNotation).is_ok() {
            extend(&next, steps, plan, goes_on, visit);
        }
        plan.steps.pop();
    }
}

fn reaches_goal(execution: &Execution<'_>) -> bool {
    let (goal, nothing) = (&execution.task().goal, FixedBitSet::new());
    let ctx = execution.context(&nothing);
    let mut bindings = Bindings::new(&goal.scope);
    goal.conjuncts.iter().all(|part| evaluate::condition(&ctx, &part.condition, &mut bindings))
}

/// Returns all plans up to a length that the judge accepts, in a fixed order.
fn accepted(task: &Task, length: usize, judge: &dyn Fn(&Plan, &Execution<'_>) -> bool) -> Vec<Plan> {
    let mut found = Vec::new();
    each_plan(task, &|plan| plan.steps.len() <= length, &mut |plan, execution| {
        if judge(plan, execution) {
            found.push(plan.clone());
        }
    });
    found
}

/// Returns the plans of a compiled task up to a length.
fn solutions(compiled: &Compilation, length: usize) -> Vec<Plan> {
    assert!(compiled.task.constraints.is_empty());
    accepted(&compiled.task, length, &|_, execution| reaches_goal(execution))
}

fn is_valid(task: &Task, plan: &Plan) -> bool {
    validate(task, plan, &CoreNotation).expect("it can be judged").is_valid()
}

/// Generates a task from a seed.
fn generated(seed: u64) -> Task {
    let mut state = seed;
    let bytes: Vec<u8> = (0..400)
        .map(|_| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 56) as u8
        })
        .collect();
    planning::task(&mut Choices::new(&bytes), Features::ALL)
}

/// Returns tasks, each with the maximum length of the plans to enumerate.
fn tasks(count: u64) -> impl Iterator<Item = (u64, Task, usize)> {
    let lamps = task(LAMPS);
    (0..count).map(move |seed| {
        let task = if seed % 3 == 0 { generated(seed) } else { lamps.clone() };
        let steps = Executor::new(&task).steps().len();
        // The length limits the enumeration to about a hundred plans per task.
        (seed, task, (1..4).rev().find(|&length| steps.pow(length) <= 100).unwrap_or(1) as usize)
    })
}

#[test]
fn plans_meet_constraints_exactly_if_they_solve_the_compiled_task() {
    let (mut all, mut some) = (0, 0);
    for (seed, mut task, length) in tasks(200) {
        let world = task.world.clone();
        let mut random = Random::new(&world, seed);
        task.constraints = (0..=random.below(2)).map(|_| random.requirement("")).collect();
        let compiled = compile(&task, &[], true).expect("it can be compiled");
        let expected = accepted(&task, length, &|plan, _| is_valid(&task, plan));
        let found = solutions(&compiled, length);
        assert_eq!(found, expected, "seed {seed}: {:#?}", task.constraints);
        let without = accepted(&task, length, &|_, execution| reaches_goal(execution));
        all += usize::from(found.len() == without.len());
        some += usize::from(!found.is_empty() && found.len() < without.len());
    }
    assert!(all > 20 && some > 50, "constraints that some plans meet: {some}, that all do: {all}");
}

/// Whether the reference interpreter finds the preference satisfied in the run of a plan.
fn is_satisfied(task: &Task, preference: &Preference, plan: &Plan) -> bool {
    let game = Game {
        name: "one".into(),
        setup: None,
        preferences: vec![Arc::new(preference.clone())],
        terminal: None,
        score: ScoreExpression::Number(0.0),
    };
    let mut execution = Execution::new(task).expect("rules have a meaning");
    let mut watch = GameInterpreter::new(task.world.clone(), game.clone()).expect("it is small");
    let changes = ChangeSet { all: true, ..ChangeSet::default() };
    let mut look = |execution: &Execution<'_>| {
        let (state, clock) = (execution.state(), execution.steps());
        let step = monitor::StateUpdate {
            state,
            changes: &changes,
            listed_objects: &[],
            unknown_objects: 0,
            clock,
            time: None,
            last: false,
        };
        watch.step(&step);
    };
    look(&execution);
    for step in &plan.steps {
        execution.apply(step, &CoreNotation).expect("it can be taken");
        look(&execution);
    }
    !watch.finish(execution.state()).preferences[0].satisfactions.is_empty()
}

#[test]
fn plans_satisfy_a_preference_exactly_if_they_solve_the_task_with_it_as_goal() {
    let mut some = 0;
    for (seed, task, length) in tasks(80) {
        let preference = Random::new(&task.world, seed + 1000).preference();
        let compiled =
            compile(&task, &[ExtraGoal::Preference(Arc::new(preference.clone()))], false).expect("it can be compiled");
        let expected = accepted(&task, length, &|plan, _| is_satisfied(&task, &preference, plan));
        let found = solutions(&compiled, length);
        assert_eq!(found, expected, "seed {seed}: {preference:#?}");
        let both =
            compile(&task, &[ExtraGoal::Preference(Arc::new(preference.clone()))], true).expect("it can be compiled");
        let expected: Vec<Plan> = found.iter().filter(|plan| is_valid(&task, plan)).cloned().collect();
        assert_eq!(solutions(&both, length), expected, "seed {seed}: {preference:#?}");
        some += usize::from(!found.is_empty());
    }
    assert!(some > 20, "{some}");
}

/// Generates a metric over violations, the total cost and the plan length.
fn metric(random: &mut Random<'_>, task: &Task) -> Metric {
    let origin = goalspec_core::condition::Origin::default();
    let number = |weight| MetricExpression::Number(weight);
    let weights = [-2.0, -1.0, 0.5, 1.0, 3.0];
    let mut weighted = |name: &str, least| {
        let weight = weights[least + random.below(weights.len() - least)];
        MetricExpression::Multiply(vec![number(weight), MetricExpression::Violations(name.into())])
    };
    let mut parts = vec![weighted("one", 0), weighted("two", 0), weighted("acting", 2)];
    let cost = task.world.function_named("total-cost").expect("tasks have costs");
    let is_counted = random.one_in(2) && task.initial.fluents.iter().any(|fluent| fluent.function == cost);
    parts.extend(is_counted.then(|| MetricExpression::Call(cost, goalspec_core::condition::Terms::new(), origin)));
    parts.extend(random.one_in(2).then_some(MetricExpression::TotalTime));
    parts.push(number(0.25));
    let sum = MetricExpression::Add(parts);
    if random.one_in(2) {
        return Metric { direction: OptimizationDirection::Minimize, expression: sum, origin };
    }
    let value = MetricExpression::Subtract(Box::new([number(7.0), sum]));
    Metric { direction: OptimizationDirection::Maximize, expression: value, origin }
}

/// Returns the minimum cost of the solutions of a compiled task, by original plan.
fn cheapest(compiled: &Compilation, length: usize) -> HashMap<Vec<PlanStep>, f64> {
    let metric = compiled.task.metric.as_ref().expect("a metric");
    let MetricExpression::Call(cost, ..) = &metric.expression else { panic!("not a cost: {metric:?}") };
    let cost: FunctionId = *cost;
    let mut cheapest: HashMap<Vec<PlanStep>, f64> = HashMap::new();
    let goes_on = |plan: &Plan| compiled.original_plan(plan).steps.len() <= length;
    each_plan(&compiled.task, &goes_on, &mut |plan, execution| {
        if reaches_goal(execution) {
            let cost = execution.state().fluent(cost, &[]).expect("it has a value");
            let known = cheapest.entry(compiled.original_plan(plan).steps).or_insert(f64::INFINITY);
            *known = known.min(cost);
        }
    });
    cheapest
}

/// Maximum number of auxiliary actions and action copies; every two more double the number of plans.
const MOST_JUDGES: usize = 8;

#[test]
fn the_cheapest_way_to_a_plan_has_the_value_of_the_metric() {
    let mut violated = 0;
    for (seed, mut task, length) in tasks(100) {
        let world = task.world.clone();
        let mut random = Random::new(&world, seed + 5000);
        task.preferences = vec![random.requirement("one"), random.requirement("two")];
        if random.one_in(2) {
            task.constraints = vec![random.requirement("")];
        }
        if let Some(action) = task.actions.first_mut() {
            let condition = match random.condition(0) {
                condition if condition.named_objects().is_empty() => condition,
                other => goalspec_core::condition::Condition::Not(Box::new(other)),
            };
            let origin = action.origin;
            action.preferences =
                vec![ActionPreference { name: "acting".into(), external: Vec::new(), condition, origin }];
        }
        task.metric = Some(metric(&mut random, &task));
        let compiled = compile(&task, &[], true).expect("it can be compiled");
        assert_eq!(compiled.ignored, [], "seed {seed}");
        if compiled.task.actions.len() > task.actions.len() + MOST_JUDGES {
            continue;
        }
        let found = cheapest(&compiled, length);
        let sign = if task.metric.as_ref().is_some_and(|metric| metric.direction == OptimizationDirection::Maximize) {
            -1.0
        } else {
            1.0
        };
        let plans = accepted(&task, length, &|plan, _| is_valid(&task, plan));
        assert_eq!(found.len(), plans.len(), "seed {seed}");
        for plan in plans {
            let judged = validate(&task, &plan, &CoreNotation).expect("it can be judged");
            let expected = sign * judged.metric.expect("it has a value");
            let cost = found[&plan.steps];
            assert!((cost - expected).abs() < 1e-9, "seed {seed}: {cost} for {expected}, {plan:?} of {task:#?}");
            violated += judged.violations.values().sum::<u64>();
        }
    }
    assert!(violated > 500, "{violated}");
}

//! Plans of the planner for published problems, also validated by the validator of the planning competitions, where it is
//! installed.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use goalspec::core::explain::CoreNotation;
use goalspec::core::planning::plan::Plan;
use goalspec::core::planning::task::Task;
use goalspec::core::planning::validate::validate;
use goalspec::pddl::{ResolvedDomain, lower, parse};
use goalspec::planner::Objective;
use goalspec::planning::solve::{PlanRequest, solve};
use goalspec::syntax::Sources;
use goalspec_testing::conformance;
use goalspec_testing::val::Val;

/// Tasks of the competitions that are solved quickly, each with other features of the language.
const COMPETITION: &[&str] = &[
    "airport/p20-airport3-p7",
    "assembly/prob10",
    "blocks/probBLOCKS-10-0",
    "depot/p07",
    "driverlog/p09",
    "elevators-sat11-strips/p05",
    "freecell/p05",
    "gripper/prob20",
    "logistics00/probLOGISTICS-8-0",
    "miconic/s10-0",
    "miconic-fulladl/f10-0",
    "miconic-simpleadl/s20-0",
    "openstacks/p05",
    "openstacks-sat08-adl/p10",
    "parcprinter-sat11-strips/p05",
    "philosophers/p10-phil11",
    "psr-large/p15-s114-n8-l2-f50",
    "rovers/p08",
    "satellite/p06-pfile6",
    "schedule/probschedule-15-0",
    "trucks/p04",
    "zenotravel/p09",
];

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn task(domain: &str, problem: &str) -> Task {
    let mut sources = Sources::new();
    let (domain, problem) = (sources.add("domain", domain), sources.add("problem", problem));
    let (model, _) = ResolvedDomain::new(&parse(sources.file(domain)).domains[0]);
    lower(&parse(sources.file(problem)).problems[0], &model).task.expect("a task")
}

fn text(task: &Task, plan: &Plan) -> String {
    plan.steps.iter().map(|step| step.text(task) + "\n").collect()
}

/// Solves a problem, and checks that both validators agree on the plan and on small modifications of it. Returns the number of
/// plans that were validated and the number of valid ones.
fn judge(val: Option<&Val>, name: &str, domain: &str, problem: &str, objective: Objective) -> (usize, usize) {
    let task = task(domain, problem);
    let request = PlanRequest { objective, memory_limit: 2 << 30, ..PlanRequest::default() };
    let solved =
        solve(&task, &request, &AtomicBool::new(false), &|_| {}).unwrap_or_else(|error| panic!("{name}: {error}"));
    let (plan, validation) = solved.plan.unwrap_or_else(|| panic!("{name}: no plan"));
    assert!(validation.is_valid(), "{name}: {validation:?}");
    let Some(val) = val else { return (0, 0) };
    let mut plans = vec![plan.clone()];
    let count = plan.steps.len();
    for index in [0, count / 3, count * 2 / 3].into_iter().filter(|&index| index + 1 < count) {
        let mut without = plan.clone();
        without.steps.remove(index);
        let mut turned = plan.clone();
        turned.steps.swap(index, index + 1);
        let mut twice = plan.clone();
        twice.steps.insert(index, plan.steps[index].clone());
        plans.extend([without, turned, twice]);
    }
    let mut valid = 0;
    for plan in &plans {
        let ours = validate(&task, plan, &CoreNotation).expect("the plan can be validated");
        let theirs = val.validate(domain, problem, &text(&task, plan));
        assert_eq!(ours.is_valid(), theirs.valid, "{name}\n{}\n{}", text(&task, plan), theirs.text);
        if theirs.valid {
            assert_eq!(ours.metric, theirs.metric, "{name}\n{}\n{}", text(&task, plan), theirs.text);
            valid += 1;
        }
    }
    (plans.len(), valid)
}

#[test]
fn plans_for_competition_tasks_are_valid_for_val() {
    let Some(folder) = conformance::folder("planning") else { return };
    let (val, folder) = (Val::find(), folder.join("ipc"));
    let (mut validated, mut valid) = (0, 0);
    for name in COMPETITION {
        let domain = read(&folder.join(format!("{name}-domain.pddl")));
        let counts =
            judge(val.as_ref(), name, &domain, &read(&folder.join(format!("{name}.pddl"))), Objective::Satisficing);
        validated += counts.0;
        valid += counts.1;
    }
    println!("{validated} plans judged alike, {valid} of them valid");
    assert!(val.is_none() || (valid >= COMPETITION.len() && valid < validated));
}

#[test]
fn plans_for_examples_are_valid_for_val() {
    let val = Val::find();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/pddl");
    for (domain, problem) in [("delivery", "one_van"), ("delivery", "two_vans"), ("supper", "tonight")] {
        let domain = read(&folder.join(domain).join("domain.pddl"));
        let problem_text = folder.join(if problem == "tonight" { "supper" } else { "delivery" });
        let problem_text = read(&problem_text.join(format!("{problem}.pddl")));
        for objective in [Objective::Satisficing, Objective::Optimal] {
            judge(val.as_ref(), problem, &domain, &problem_text, objective);
        }
    }
}

/// Returns a problem in the format of LOT, from the stacks before and after.
fn blocks(problem: &serde_json::Value) -> String {
    let stacks = |board: &str| -> Vec<Vec<String>> {
        let name = |value: &serde_json::Value| value.as_str().expect("a name").replace(' ', "-");
        let stack = |stack: &serde_json::Value| stack.as_array().expect("a stack").iter().map(name).collect();
        problem[board].as_array().expect("stacks").iter().map(stack).collect()
    };
    let facts = |stacks: &[Vec<String>]| -> String {
        let facts = |stack: &Vec<String>| {
            let on: String = stack.windows(2).map(|pair| format!("(on {} {}) ", pair[1], pair[0])).collect();
            format!("(ontable {}) (clear {}) {on}", stack[0], stack[stack.len() - 1])
        };
        stacks.iter().map(facts).collect()
    };
    let (before, after) = (stacks("init_board"), stacks("goal_board"));
    let objects = before.concat();
    let others = |one: &String| -> String {
        objects.iter().filter(|other| *other != one).map(|other| format!("(noteq {one} {other}) ")).collect()
    };
    let different: String = objects.iter().map(others).collect();
    format!(
        "(define (problem p) (:domain simple-blocks) (:objects {}) (:init {}{different}) (:goal (and {})))",
        objects.join(" "),
        facts(&before),
        facts(&after)
    )
}

#[test]
fn optimal_plans_for_blocks_are_valid_for_val() {
    let Some(folder) = conformance::folder("planning") else { return };
    let (val, folder) = (Val::find(), folder.join("lot"));
    let domain = read(&folder.join("domain.pddl"));
    let mut problems: Vec<_> =
        folder.join("problems").read_dir().expect("problems").map(|entry| entry.expect("one").path()).collect();
    problems.sort();
    let (mut validated, mut valid) = (0, 0);
    for path in &problems {
        let problem = blocks(&serde_json::from_str(&read(path)).expect("it is JSON"));
        let counts = judge(val.as_ref(), &path.display().to_string(), &domain, &problem, Objective::Optimal);
        validated += counts.0;
        valid += counts.1;
    }
    println!("{validated} plans judged alike, {valid} of them valid");
    assert!(val.is_none() || (valid >= problems.len() && valid < validated));
}

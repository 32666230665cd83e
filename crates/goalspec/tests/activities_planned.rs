//! The activities of a release are planned for with the action model, and every plan is carried through to a goal that the evaluator of
//! activities calls satisfied.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use goalspec::core::planning::plan::Plan;
use goalspec::library::{Library, Reading};
use goalspec::planner::Proof;
use goalspec::planner::ground::GroundError;
use goalspec::planning::household::Household;
use goalspec::planning::posed::Posed;
use goalspec::planning::solve::{Wish, solve};
use goalspec::run::{Input, Options, Outcome, score};
use goalspec::runner::Judgement;
use goalspec_bddl::Dialect;
use goalspec_bddl::ast::Problem;
use goalspec_bddl::knowledge::Knowledge;
use goalspec_bddl::parse::parse;
use goalspec_syntax::Sources;

#[test]
fn activities_of_the_first_release_are_planned_for_and_their_goals_reached() {
    let part = "target/data/bddl-1.0.0/bddl";
    let mut folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let Some(folder) = folders.find_map(|folder| Some(folder.join(part)).filter(|path| path.is_dir())) else {
        eprintln!("skipped: no {part} (run `cargo xtask fetch-bddl`)");
        return;
    };
    let knowledge = Knowledge::open(&folder).expect("the release is whole");
    let mut names: Vec<_> = std::fs::read_dir(folder.join("activity_definitions"))
        .expect("the folder can be read")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.is_dir() && path.join("problem0.bddl").is_file())
        .collect();
    names.sort();
    let (mut reached, mut without) = (0, Vec::new());
    for path in &names {
        let text = std::fs::read_to_string(path.join("problem0.bddl")).expect("it can be read");
        let mut sources = Sources::new();
        let source = sources.add("activity", text);
        let problem = parse(sources.get(source), Dialect::COMPAT_1_0).problems.remove(0);
        let household = Household::new(&problem, None, Dialect::COMPAT_1_0, &knowledge).expect("it can be written");
        let wish = Wish { time: Some(Duration::from_mins(1)), ..Wish::default() };
        let solved = solve(&household.task, &wish, &AtomicBool::new(false), &|_| {}).expect("it can be grounded");
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        match &solved.plan {
            Some((plan, validation)) => {
                assert!(validation.valid(), "{name}");
                assert!(household.conjuncts(plan).into_iter().all(|holds| holds), "{name}");
                assert!(household.conjuncts(&Plan::default()).contains(&false), "{name}: nothing was to be done");
                assert_eq!(in_the_way(&household, &problem), [""; 0], "{name}");
                reached += 1;
            }
            None => without.push((name, solved.proof, in_the_way(&household, &problem))),
        }
    }
    println!("{reached} of {} activities planned for and reached; without a plan: {without:?}", names.len());
    assert_eq!(names.len(), 100);
    // Nothing cleans in the one, nothing heats in the other.
    let unsolvable = |(name, way): (&str, &str)| (name.to_owned(), Proof::Unsolvable, vec![way.to_owned()]);
    assert_eq!(without, [("cleaning_up_after_a_meal", "not stained"), ("preserving_food", "cooked")].map(unsolvable));
}

/// The predicates that a goal needs and that are out of reach by themselves.
fn in_the_way(household: &Household, problem: &Problem) -> Vec<String> {
    let found = household.unreachable(problem, None, &AtomicBool::new(false)).expect("it is small enough");
    found.iter().map(|one| format!("{}{}", if one.wanted { "" } else { "not " }, one.predicate)).collect()
}

/// Of the activities of a later release, every so many-th is planned for: all of them take minutes.
const STRIDE: usize = 16;

/// What no action changes is told of all activities of a later release; of some, plans are looked for.
#[test]
fn what_the_model_has_no_action_for_is_told_from_what_is_unsolvable() {
    let part = "target/data/bddl-3.6.0/bddl";
    let mut folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let Some(folder) = folders.find_map(|folder| Some(folder.join(part)).filter(|path| path.is_dir())) else {
        eprintln!("skipped: no {part} (run `cargo xtask fetch-bddl`)");
        return;
    };
    let knowledge = Knowledge::open(&folder).expect("the release is whole");
    let definitions = std::fs::read_dir(folder.join("activity_definitions")).expect("the folder can be read");
    let mut paths: Vec<_> = definitions.map(|entry| entry.expect("an entry").path().join("problem0.bddl")).collect();
    paths.retain(|path| path.is_file());
    paths.sort();
    let mut predicates: BTreeMap<String, usize> = BTreeMap::new();
    let (mut all, mut beyond, mut ends) = (0, 0, BTreeMap::<&str, Vec<String>>::new());
    for path in &paths {
        let mut sources = Sources::new();
        let source = sources.add("activity", std::fs::read_to_string(path).expect("it can be read"));
        let parsed = parse(sources.get(source), Dialect::COMPAT_3_6);
        let Some(problem) = parsed.problems.first() else { continue };
        let name = problem.name.text.to_string();
        all += 1;
        let Ok(household) = Household::new(problem, None, Dialect::COMPAT_3_6, &knowledge) else {
            ends.entry("not written").or_default().push(name);
            continue;
        };
        for one in household.unmodelled() {
            assert!(!one.literals.is_empty() && !one.conjuncts.is_empty(), "{name}");
            *predicates.entry(one.predicate.to_string()).or_default() += 1;
        }
        beyond += usize::from(!household.unmodelled().is_empty());
        if all % STRIDE != 0 {
            continue;
        }
        let wish = Wish { time: Some(Duration::from_secs(10)), ..Wish::default() };
        let end = match solve(&household.task, &wish, &AtomicBool::new(false), &|_| {}) {
            Err(_) => "refused",
            Ok(solved) => match (&solved.plan, solved.proof) {
                (Some((plan, validation)), _) => {
                    assert!(validation.valid() && household.conjuncts(plan).into_iter().all(|holds| holds), "{name}");
                    // Whatever is said to be beyond the model has no plan.
                    assert!(household.unmodelled().is_empty(), "{name}");
                    assert_eq!(in_the_way(&household, problem), [""; 0], "{name}");
                    "planned"
                }
                (None, _) if !household.unmodelled().is_empty() => "no action",
                (None, Proof::Unsolvable) => "unsolvable",
                (None, _) => "limits",
            },
        };
        ends.entry(end).or_default().push(name);
    }
    println!("{all} activities, {beyond} beyond the model, by predicate {predicates:?}");
    for (end, names) in &ends {
        println!("{end}: {} {:?}", names.len(), &names[..names.len().min(12)]);
    }
    assert!(beyond > 0 && all > beyond);
    // The model has actions for these.
    for predicate in ["inside", "ontop", "nextto", "open", "cooked", "frozen", "toggled_on"] {
        assert!(!predicates.contains_key(predicate), "{predicate}");
    }
}

/// What is in the way of a goal is asked after the search, and of the same time.
#[test]
fn what_is_in_the_way_is_looked_for_as_long_as_there_is_time() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the crate lies in crates/goalspec");
    let knowledge = Knowledge::open(&root.join("crates/languages/bddl/tests/small")).expect("it is whole");
    let mut sources = Sources::new();
    let text = "(define (problem tidy-0) (:domain omnigibson)
        (:objects parcel.n.01_1 - parcel.n.01 floor.n.01_1 - floor.n.01 agent.n.01_1 - agent.n.01)
        (:init (inroom floor.n.01_1 kitchen) (ontop parcel.n.01_1 floor.n.01_1) (ontop agent.n.01_1 floor.n.01_1))
        (:goal (and (cooked ?parcel.n.01_1))))";
    let source = sources.add("activity", text);
    let parsed = parse(sources.get(source), Dialect::STRICT);
    let problem = parsed.problems.first().expect("it can be read");
    let household = Household::new(problem, None, Dialect::STRICT, &knowledge).expect("it is small enough");
    assert_eq!(in_the_way(&household, problem), ["cooked"]);
    let end = |left, cancelled| household.unreachable(problem, left, &AtomicBool::new(cancelled)).err();
    assert_eq!(end(Some(Duration::ZERO), false), Some(GroundError::Time { most: Duration::ZERO }));
    assert_eq!(end(None, true), Some(GroundError::Cancelled));
}

/// Activities whose plans are scored as traces.
const SCORED: usize = 12;

#[test]
fn the_states_of_a_plan_are_scored_like_its_end() {
    let part = "target/data/bddl-1.0.0/bddl";
    let mut folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let Some(folder) = folders.find_map(|folder| Some(folder.join(part)).filter(|path| path.is_dir())) else {
        eprintln!("skipped: no {part} (run `cargo xtask fetch-bddl`)");
        return;
    };
    let knowledge = Arc::new(Knowledge::open(&folder).expect("the release is whole"));
    let definitions = std::fs::read_dir(folder.join("activity_definitions")).expect("the folder can be read");
    let mut paths: Vec<_> = definitions.map(|entry| entry.expect("an entry").path().join("problem0.bddl")).collect();
    paths.retain(|path| path.is_file());
    paths.sort();
    for path in paths.iter().take(SCORED) {
        let reading =
            Reading { dialect: Dialect::COMPAT_1_0, knowledge: Some(knowledge.clone()), ..Reading::default() };
        let mut library = Library::reading(reading);
        library.add_program(&path.display().to_string(), std::fs::read_to_string(path).expect("it can be read"));
        let [program] = library.programs() else { panic!("{}: one activity is expected", path.display()) };
        let posed = Posed::activity(program, program.as_activity().expect("an activity"), &library).expect("a task");
        let solved = solve(&posed.task, &Wish::default(), &AtomicBool::new(false), &|_| {}).expect("it is grounded");
        let Some((plan, _)) = &solved.plan else { continue };
        // At the beginning, and at the end.
        for (steps, met) in [(0, false), (plan.steps.len(), true)] {
            let plan = Plan { steps: plan.steps[..steps].to_vec() };
            assert_eq!(posed.verdict(&plan).map(|verdict| verdict.met), Some(met), "{}", path.display());
            let mut trace = Vec::new();
            posed.write_states(&plan, &mut trace).expect("memory can be written");
            let input = Input::Bytes("trace".into(), trace.into());
            let scored = score(&[program], &input, &Options::default(), &|_| {});
            let [Outcome { judgement: Judgement::Goal(judged), .. }] = &scored.outcomes[..] else {
                panic!("{}: {:?}", path.display(), scored.diagnostics)
            };
            assert_eq!(judged.report.last.satisfied, met, "{}", path.display());
            // The activity's own names.
            let text: Vec<String> = plan.steps.iter().map(|step| posed.step_text(step)).collect();
            assert!(text.iter().all(|step| !step.contains("_n_")), "{text:?}");
        }
    }
}

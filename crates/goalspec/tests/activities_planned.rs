//! Planning for the activities of a release with the action model. Every plan must reach a goal that the evaluator of activities
//! calls satisfied.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use goalspec::core::planning::plan::Plan;
use goalspec::library::{Library, LibraryOptions};
use goalspec::planner::Proof;
use goalspec::planner::ground::GroundError;
use goalspec::planning::activity::ActivityTask;
use goalspec::planning::fallback;
use goalspec::planning::problem::PlanningProblem;
use goalspec::planning::solve::{PlanRequest, solve};
use goalspec::planning_problems::planning_problem;
use goalspec::report::ProgramReport;
use goalspec::scoring::{ProgramOutcome, ScoringOptions, score};
use goalspec::trace::TraceInput;
use goalspec_bddl::Dialect;
use goalspec_bddl::ast::Problem;
use goalspec_bddl::export::{ExportOptions, pddl};
use goalspec_bddl::knowledge::Knowledge;
use goalspec_bddl::parse::parse;
use goalspec_bddl::planning::{ModelRestriction, PlacementScope};
use goalspec_syntax::Sources;
use goalspec_testing::val::Val;

#[path = "physical_sense/mod.rs"]
mod physical_sense;

use physical_sense::sense;

/// Returns the files of a release's activities, sorted; `None` if the release is not installed.
fn release(version: &str) -> Option<(Knowledge, Vec<PathBuf>)> {
    let part = format!("target/data/bddl-{version}/bddl");
    let mut folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let Some(folder) = folders.find_map(|folder| Some(folder.join(&part)).filter(|path| path.is_dir())) else {
        eprintln!("skipped: no {part} (run `cargo xtask fetch-bddl`)");
        return None;
    };
    let knowledge = Knowledge::open(&folder).expect("the release is complete");
    let definitions = std::fs::read_dir(folder.join("activity_definitions")).expect("the folder can be read");
    let mut paths: Vec<_> = definitions.map(|entry| entry.expect("an entry").path().join("problem0.bddl")).collect();
    paths.retain(|path| path.is_file());
    paths.sort();
    Some((knowledge, paths))
}

/// Returns the only problem of a text.
fn problem(text: String, dialect: Dialect) -> Option<Problem> {
    let mut sources = Sources::new();
    let source = sources.add("activity", text);
    let mut parsed = parse(sources.file(source), dialect);
    (!parsed.problems.is_empty()).then(|| parsed.problems.remove(0))
}

/// The time limit for one activity, generous for busy machines.
const PATIENCE: Duration = Duration::from_mins(2);

#[test]
fn activities_of_the_first_release_are_planned_for_and_their_goals_reached() {
    let Some((knowledge, paths)) = release("1.0.0") else { return };
    let (mut reached, mut without, mut inconsistent) = (0, Vec::new(), Vec::new());
    for path in &paths {
        let text = std::fs::read_to_string(path).expect("it can be read");
        let problem = problem(text, Dialect::COMPAT_1_0).expect("it can be read");
        let household =
            ActivityTask::new(&problem, None, Dialect::COMPAT_1_0, Some(&knowledge)).expect("it can be written");
        let request = PlanRequest { time_limit: Some(PATIENCE), ..PlanRequest::default() };
        let solved = solve(&household.task, &request, &AtomicBool::new(false), &|_| {}).expect("it can be grounded");
        let name = problem.name.text.to_string();
        match &solved.plan {
            Some((plan, validation)) => {
                assert!(validation.is_valid(), "{name}");
                assert!(household.conjuncts(plan).into_iter().all(|holds| holds), "{name}");
                assert!(household.conjuncts(&Plan::default()).contains(&false), "{name}: nothing was to be done");
                assert_eq!(in_the_way(&household, &problem), [""; 0], "{name}");
                inconsistent.extend(
                    sense(&household, &problem, Some(&knowledge), plan).err().map(|error| format!("{name}: {error}")),
                );
                reached += 1;
            }
            None => without.push((name, solved.proof, in_the_way(&household, &problem))),
        }
    }
    println!("{reached} of {} activities planned for and reached; without a plan: {without:?}", paths.len());
    assert_eq!(inconsistent, [""; 0]);
    assert_eq!(paths.len(), 100);
    // No action cleans in the first activity, and none heats in the second.
    let unsolvable = |(name, reason): (&str, &str)| (name.to_owned(), Proof::Unsolvable, vec![reason.to_owned()]);
    assert_eq!(
        without,
        [("cleaning_up_after_a_meal_0", "not stained"), ("preserving_food_0", "cooked")].map(unsolvable)
    );
}

/// Returns the predicates that a goal needs and that are unreachable by themselves.
fn in_the_way(household: &ActivityTask, problem: &Problem) -> Vec<String> {
    let found = household.unreachable_literals(problem, None, &AtomicBool::new(false)).expect("it is small enough");
    found.iter().map(|literal| format!("{}{}", if literal.polarity { "" } else { "not " }, literal.predicate)).collect()
}

/// The stride of the activities of a later release that are planned for, since all of them take half an hour. The environment
/// variable `GOALSPEC_ACTIVITY_STRIDE` overrides it.
const STRIDE: usize = 12;

/// Most activities of a later release have plans, which are valid and make physical sense. The others have goals that the model
/// does not reach, which proves nothing about them.
#[test]
fn activities_of_a_later_release_are_planned_for() {
    let Some((knowledge, paths)) = release("3.6.0") else { return };
    let stride = std::env::var("GOALSPEC_ACTIVITY_STRIDE").ok().and_then(|text| text.parse().ok()).unwrap_or(STRIDE);
    let mut ends = BTreeMap::<&str, Vec<String>>::new();
    let mut inconsistent = Vec::new();
    let val = Val::find();
    assert_eq!(paths.len(), 1016);
    for path in paths.iter().step_by(stride) {
        let text = std::fs::read_to_string(path).expect("it can be read");
        let problem = problem(text, Dialect::COMPAT_3_6).expect("it can be read");
        let name = problem.name.text.to_string();
        let household = ActivityTask::new(&problem, None, Dialect::COMPAT_3_6, Some(&knowledge));
        let household = household.unwrap_or_else(|error| panic!("{name}: {error}"));
        let is_beyond = !household.unsupported_literals().is_empty();
        for literal in household.unsupported_literals() {
            assert!(!literal.literals.is_empty() && !literal.conjuncts.is_empty(), "{name}");
            // The model has actions for these predicates, and all objects can be opened and switched that have to be.
            assert!(!["open", "toggled_on"].contains(&&*literal.predicate), "{name}");
        }
        let request = PlanRequest { time_limit: Some(PATIENCE), ..PlanRequest::default() };
        let end = match solve(&household.task, &request, &AtomicBool::new(false), &|_| {}) {
            Err(_) => "refused",
            Ok(solved) => match (&solved.plan, solved.proof) {
                (Some((plan, validation)), _) => {
                    assert!(
                        validation.is_valid() && household.conjuncts(plan).into_iter().all(|holds| holds),
                        "{name}"
                    );
                    // A goal beyond the model has no plan.
                    assert!(!is_beyond, "{name}");
                    let error = sense(&household, &problem, Some(&knowledge), plan).err();
                    inconsistent.extend(error.map(|error| format!("{name}: {error}")));
                    if let Some(val) = &val {
                        let [domain, text] = household.pddl().expect("it can be written");
                        let steps: String =
                            plan.steps.iter().map(|step| format!("{}\n", step.text(&household.task))).collect();
                        let validated = val.validate(&domain, &text, &steps);
                        assert!(validated.valid, "{name}: {}", validated.text);
                    }
                    "planned"
                }
                (None, _) if is_beyond => "no action",
                (None, Proof::Unsolvable) => {
                    assert!(!household.model_restrictions().is_empty(), "{name}");
                    "unsolvable in the model"
                }
                (None, _) => "limits",
            },
        };
        ends.entry(end).or_default().push(name);
    }
    for (end, names) in &ends {
        println!("{end}: {} {:?}", names.len(), &names[..names.len().min(40)]);
    }
    assert_eq!(inconsistent, [""; 0]);
    let count = |end: &str| ends.get(end).map_or(0, Vec::len);
    let tried: usize = ends.values().map(Vec::len).sum();
    assert!(count("planned") * 100 >= tried * 85, "{ends:?}");
    assert!(count("limits") + count("refused") <= 1 + tried / 50, "{ends:?}");
}

/// Returns the files of LIBERO, sorted; `None` without conformance data.
fn libero() -> Option<Vec<PathBuf>> {
    let mut folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let folder =
        folders.find_map(|folder| Some(folder.join("../shared/conformance/bddl/libero")).filter(|path| path.is_dir()));
    let Some(folder) = folder else {
        eprintln!("skipped: there is no conformance data on this machine");
        return None;
    };
    let inside = |folder: &Path| {
        let entries = std::fs::read_dir(folder).expect("the folder can be read");
        entries.map(|entry| entry.expect("an entry").path()).collect::<Vec<_>>()
    };
    let mut files: Vec<_> = inside(&folder).iter().filter(|path| path.is_dir()).flat_map(|path| inside(path)).collect();
    files.retain(|path| path.extension().is_some_and(|end| end == "bddl"));
    files.sort();
    Some(files)
}

/// Every activity of LIBERO is planned for without a knowledge base, and exported, with and without actions, to valid PDDL.
#[test]
fn tasks_of_libero_are_planned_for_and_exported() {
    let Some(files) = libero() else { return };
    assert_eq!(files.len(), 130);
    for path in &files {
        let name = path.display();
        let problem =
            problem(std::fs::read_to_string(path).expect("it can be read"), Dialect::LIBERO).expect("a problem");
        let household = ActivityTask::new(&problem, None, Dialect::LIBERO, None).expect("it can be written");
        assert_eq!(household.unsupported_literals(), [], "{name}");
        let request = PlanRequest { time_limit: Some(PATIENCE), ..PlanRequest::default() };
        let solved = solve(&household.task, &request, &AtomicBool::new(false), &|_| {}).expect("it can be grounded");
        let (plan, validation) = solved.plan.as_ref().unwrap_or_else(|| panic!("{name}: {:?}", solved.proof));
        assert!(validation.is_valid() && household.conjuncts(plan).into_iter().all(|holds| holds), "{name}");
        assert!(!plan.steps.is_empty(), "{name}");
        assert_eq!(sense(&household, &problem, None, plan), Ok(()), "{name}");
        let exported =
            pddl(&problem, None, Dialect::LIBERO, ExportOptions::default(), None).expect("it can be written");
        let [domain, text] = household.pddl().expect("it can be written");
        for text in [format!("{}\n{}", exported.domain, exported.problem), format!("{domain}\n{text}")] {
            let mut library = Library::with_options(LibraryOptions::default());
            library.add_program("exported.pddl", text.clone());
            let wrong: Vec<_> = library.diagnostics().iter().filter(|found| found.is_error()).collect();
            assert!(wrong.is_empty(), "{name}: {wrong:?}\n{text}");
        }
    }
}

/// Inputs for which earlier plans passed through closed doors, put objects into themselves, or moved the agent in ways that
/// nothing models.
#[test]
fn objects_moved_through_doors_are_not_moved_back() {
    let Some((old, _)) = release("1.0.0") else { return };
    let Some((new, _)) = release("3.6.0") else { return };
    let objects =
        "plate.n.04_1 - plate.n.04 electric_refrigerator.n.01_1 - electric_refrigerator.n.01 rag.n.01_1 - rag.n.01
        basket.n.01_1 basket.n.01_2 - basket.n.01 cookie.n.01_1 - cookie.n.01 cabinet.n.01_1 - cabinet.n.01
        table.n.02_1 - table.n.02 floor.n.01_1 - floor.n.01 agent.n.01_1 - agent.n.01";
    let fixed =
        "(inroom electric_refrigerator.n.01_1 kitchen) (inroom cabinet.n.01_1 kitchen) (inroom table.n.02_1 kitchen)
        (inroom floor.n.01_1 kitchen)";
    let old_floor =
        "(onfloor agent.n.01_1 floor.n.01_1) (onfloor basket.n.01_2 floor.n.01_1) (onfloor cookie.n.01_1 floor.n.01_1)
        (soaked rag.n.01_1) (ontop rag.n.01_1 table.n.02_1)";
    let new_floor = old_floor.replace("onfloor", "ontop").replace("(soaked rag.n.01_1)", "");
    let shut = "(inside plate.n.04_1 electric_refrigerator.n.01_1) (stained plate.n.04_1) (inside basket.n.01_1 cabinet.n.01_1)";
    let new_shut = shut.replace("(stained plate.n.04_1)", "");
    let wiped = "(not (stained ?plate.n.04_1)) (nextto ?plate.n.04_1 ?table.n.02_1)";
    let in_cabinet =
        "(inside ?cookie.n.01_1 ?basket.n.01_1) (inside ?basket.n.01_1 ?cabinet.n.01_1) (not (open ?cabinet.n.01_1))";
    let circle = "(inside ?basket.n.01_1 ?basket.n.01_2) (inside ?basket.n.01_2 ?basket.n.01_1)";
    let circle_ontop = "(ontop ?basket.n.01_1 ?basket.n.01_2) (inside ?basket.n.01_2 ?basket.n.01_1)";
    let walks = "(ontop ?agent.n.01_1 ?table.n.02_1)";
    let deep = "(inside ?cookie.n.01_1 ?cabinet.n.01_1) (inside ?cookie.n.01_1 ?basket.n.01_2) (ontop ?plate.n.04_1 ?table.n.02_1)";
    for (old_release, goal, end) in [
        (true, wiped, "planned"),
        (true, in_cabinet, "planned"),
        (false, in_cabinet, "planned"),
        (true, circle, "unsolvable"),
        (false, circle, "unsolvable"),
        (false, circle_ontop, "unsolvable"),
        (false, walks, "beyond the model"),
        (true, deep, "planned"),
        (false, deep, "planned"),
    ] {
        let (domain, shut, floor) =
            if old_release { ("igibson", shut, old_floor) } else { ("omnigibson", &*new_shut, &*new_floor) };
        let knowledge = if old_release { &old } else { &new };
        let text = format!(
            "(define (problem p-0) (:domain {domain}) (:objects {objects}) (:init {shut} {floor} {fixed}) (:goal (and {goal})))"
        );
        let problem = problem(text, Dialect::STRICT).expect("it can be read");
        let household =
            ActivityTask::new(&problem, None, Dialect::STRICT, Some(knowledge)).expect("it is small enough");
        let request = PlanRequest { time_limit: Some(PATIENCE), ..PlanRequest::default() };
        let solved = solve(&household.task, &request, &AtomicBool::new(false), &|_| {}).expect("it can be grounded");
        let found = match (&solved.plan, solved.proof) {
            _ if !household.unsupported_literals().is_empty() => "beyond the model",
            (Some((plan, _)), _) => {
                assert!(household.conjuncts(plan).into_iter().all(|holds| holds), "{goal}");
                assert_eq!(sense(&household, &problem, Some(knowledge), plan), Ok(()), "{goal}");
                "planned"
            }
            (None, Proof::Unsolvable) => "unsolvable",
            (None, _) => "limits",
        };
        assert_eq!(found, end, "{domain}: {goal}");
    }
}

/// Activities in a kitchen: the name, the initial state, the goal, and the expected end of planning.
const KITCHEN: [(&str, &str, &str, &str); 14] = [
    ("the agent leaves", "", "(not (ontop ?agent.n.01_1 ?floor.n.01_1))", "beyond the model"),
    (
        "the agent stays",
        "",
        "(or (ontop ?agent.n.01_1 ?floor.n.01_1) (ontop ?plate.n.04_1 ?floor.n.01_1))",
        "planned 0",
    ),
    (
        "onto what nobody named",
        "(ontop plate.n.04_1 table.n.02_1) (ontop plate.n.04_2 table.n.02_1)",
        "(forall (?plate.n.04 - plate.n.04) (and (not (ontop ?plate.n.04 ?table.n.02_1)) (not (ontop ?plate.n.04 ?floor.n.01_1))))",
        "planned",
    ),
    (
        "said twice",
        "(ontop apple.n.01_1 tray.n.01_1) (inside apple.n.01_1 cabinet.n.01_1) (inside tray.n.01_1 cabinet.n.01_1)",
        "(ontop ?apple.n.01_1 ?table.n.02_1)",
        "planned",
    ),
    (
        "on a tray that leaves",
        "(ontop apple.n.01_1 tray.n.01_1) (inside apple.n.01_1 cabinet.n.01_1) (inside tray.n.01_1 cabinet.n.01_1)",
        "(ontop ?tray.n.01_1 ?table.n.02_1) (ontop ?apple.n.01_1 ?tray.n.01_1) (inside ?apple.n.01_1 ?cabinet.n.01_1)",
        "uncertain",
    ),
    (
        "in a bowl on the shelf that it is in",
        "(inside apple.n.01_1 bowl.n.01_1) (ontop bowl.n.01_1 table.n.02_1) (ontop apple.n.01_1 table.n.02_1)",
        "(ontop ?bowl.n.01_1 ?floor.n.01_1) (not (ontop ?apple.n.01_1 ?table.n.02_1))",
        "planned",
    ),
    (
        "in two places",
        "(inside plate.n.04_1 bowl.n.01_1) (inside bowl.n.01_1 cabinet.n.01_1) (ontop bowl.n.01_1 table.n.02_1)",
        "(ontop ?plate.n.04_1 ?table.n.02_1)",
        "uncertain",
    ),
    (
        "in what is not there",
        "(future bowl.n.01_1) (inside plate.n.04_1 bowl.n.01_1)",
        "(ontop ?plate.n.04_1 ?table.n.02_1)",
        "beyond the model",
    ),
    (
        "on what is in what is not there",
        "(future bowl.n.01_1) (inside plate.n.04_1 bowl.n.01_1) (ontop apple.n.01_1 plate.n.04_1)",
        "(ontop ?apple.n.01_1 ?table.n.02_1)",
        "beyond the model",
    ),
    ("a circle", "", "(inside ?bowl.n.01_1 ?tray.n.01_1) (inside ?tray.n.01_1 ?bowl.n.01_1)", "uncertain"),
    ("no stove", "", "(cooked ?apple.n.01_1)", "uncertain"),
    ("no switch", "", "(toggled_on ?tray.n.01_1)", "certain"),
    ("nothing that is cooked", "", "(cooked ?bowl.n.01_1)", "certain"),
    (
        "a knife of the room",
        "(inroom carving_knife.n.01_1 kitchen)",
        "(ontop ?carving_knife.n.01_1 ?table.n.02_1)",
        "beyond the model",
    ),
];

/// The absence of a plan is certain only if nothing that the model leaves out could make a difference.
#[test]
fn certain_failures_are_distinguished_from_model_restrictions() {
    let Some((knowledge, _)) = release("3.6.0") else { return };
    let knowledge = Arc::new(knowledge);
    for (name, init, goal, expected) in KITCHEN {
        let text = kitchen(init, goal);
        let end = planned_in_kitchen(&text, &knowledge).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(end.starts_with(expected), "{name}: {end}");
    }
}

/// Returns an activity with this initial state and goal. Objects without a place are on the floor.
fn kitchen(init: &str, goal: &str) -> String {
    let movable =
        ["plate.n.04_1", "plate.n.04_2", "apple.n.01_1", "tray.n.01_1", "bowl.n.01_1", "carving_knife.n.01_1"];
    let is_placed = |object: &&str| {
        let has_literal = |predicate: &str| init.contains(&format!("({predicate} {object} "));
        has_literal("ontop") || has_literal("inside") || init.contains(&format!("(future {object})"))
    };
    let rest =
        movable.iter().filter(|object| !is_placed(object)).map(|object| format!("(ontop {object} floor.n.01_1) "));
    format!(
        "(define (problem kitchen-0) (:domain omnigibson)
            (:objects plate.n.04_1 plate.n.04_2 - plate.n.04 apple.n.01_1 - apple.n.01 tray.n.01_1 - tray.n.01
                bowl.n.01_1 - bowl.n.01 carving_knife.n.01_1 - carving_knife.n.01 cabinet.n.01_1 - cabinet.n.01
                shelf.n.01_1 - shelf.n.01 table.n.02_1 - table.n.02 floor.n.01_1 - floor.n.01 agent.n.01_1 - agent.n.01)
            (:init {init} {} (inroom table.n.02_1 kitchen) (inroom cabinet.n.01_1 kitchen)
                (inroom shelf.n.01_1 kitchen) (inroom floor.n.01_1 kitchen) (ontop agent.n.01_1 floor.n.01_1))
            (:goal (and {goal})))",
        rest.collect::<String>()
    )
}

/// Returns the end of planning for an activity. A plan must make physical sense, and the score of its states must agree with its
/// validation.
fn planned_in_kitchen(text: &str, knowledge: &Arc<Knowledge>) -> Result<String, String> {
    let mut library =
        Library::with_options(LibraryOptions { knowledge: Some(knowledge.clone()), ..LibraryOptions::default() });
    library.add_program("kitchen.bddl", text.to_owned());
    let [program] = library.programs() else { return Err("no activity".to_owned()) };
    let activity = program.as_activity().ok_or("no activity")?;
    let problem =
        planning_problem(&library, program).map_err(|error| error.message)?.ok_or("the activity has errors")?;
    if !problem.unsupported_literals().is_empty() {
        return Ok("beyond the model".to_owned());
    }
    let request = PlanRequest { time_limit: Some(PATIENCE), ..PlanRequest::default() };
    let mut on_states = |problem: &PlanningProblem, states| {
        solve(&problem.task, &PlanRequest { max_states: states, ..request.clone() }, &AtomicBool::new(false), &|_| {})
    };
    let (problem, solved) = fallback::search_with_fallback(problem, &mut on_states);
    let solved = solved.map_err(|error| error.to_string())?;
    let Some((plan, validation)) = &solved.plan else {
        let end = if problem.model_restrictions().is_empty() { "certain" } else { "uncertain" };
        return Ok(if solved.proof == Proof::Unsolvable { end.to_owned() } else { "limits".to_owned() });
    };
    if !validation.is_valid() {
        return Err("the plan is not valid".to_owned());
    }
    let is_narrow = problem.model_restrictions().contains(&ModelRestriction::OmittedPlacements);
    let places = if is_narrow { PlacementScope::Named } else { PlacementScope::All };
    let household = ActivityTask::with_places(&activity.problem, None, activity.dialect, Some(knowledge), places);
    sense(&household.map_err(|error| error.to_string())?, &activity.problem, Some(knowledge), plan)?;
    for (steps, is_satisfied) in [(0, plan.steps.is_empty()), (plan.steps.len(), true)] {
        let part = Plan { steps: plan.steps[..steps].to_vec() };
        let goal_holds = problem.verdict(&part).is_some_and(|verdict| verdict.is_satisfied);
        let mut trace = Vec::new();
        problem.write_states(&part, &mut trace).map_err(|error| error.to_string())?;
        let result =
            score(&[program], &TraceInput::Bytes("trace".into(), trace.into()), &ScoringOptions::default(), &|_| {});
        let [ProgramOutcome { report: ProgramReport::Goal(report), .. }] = &result.outcomes[..] else {
            return Err(format!("{:?}", result.diagnostics));
        };
        if report.report.last.satisfied != goal_holds || steps > 0 && goal_holds != is_satisfied {
            return Err(format!("after {steps} steps the verdicts differ"));
        }
    }
    Ok(format!("planned {}", plan.steps.len()))
}

/// The number of activities per round.
const GENERATED: u64 = 120;

/// Random activities with nested objects, some with redundant places, absent, or fixed in the room: plans must make physical
/// sense, and their scores must agree with their validations.
#[test]
fn plans_for_generated_activities_make_sense() {
    let Some((knowledge, _)) = release("3.6.0") else { return };
    let knowledge = Arc::new(knowledge);
    let mut ends: BTreeMap<String, usize> = BTreeMap::new();
    for seed in 0..GENERATED {
        let (init, goal) = generated(seed);
        let text = kitchen(&init, &goal);
        let end = planned_in_kitchen(&text, &knowledge).unwrap_or_else(|error| panic!("{seed}: {error}\n{text}"));
        *ends.entry(end.split(' ').next().unwrap_or_default().to_owned()).or_default() += 1;
    }
    println!("{ends:?}");
    assert!(ends["planned"] > 60 && ends["beyond"] > 5, "{ends:?}");
}

/// Returns a random initial state and goal.
fn generated(seed: u64) -> (String, String) {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut below = |limit: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 33) as usize % limit
    };
    let objects = ["apple.n.01_1", "plate.n.04_1", "bowl.n.01_1", "tray.n.01_1", "plate.n.04_2"];
    let fixed = ["table.n.02_1", "shelf.n.01_1", "cabinet.n.01_1", "floor.n.01_1"];
    let mut init = String::new();
    // Each object is in or on a later one, or one that is fixed in the room.
    let mut inside: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for place in (0..objects.len()).rev() {
        let (object, others) = (objects[place], objects.len() - place - 1);
        let support = below(others + fixed.len());
        let support = if support < others { objects[place + 1 + support] } else { fixed[support - others] };
        let is_inside = support.starts_with("cabinet")
            || support.starts_with("bowl")
            || support.starts_with("tray") && below(2) == 0;
        let mut containers = inside.get(support).cloned().unwrap_or_default();
        let _ = write!(init, "({} {object} {support}) ", if is_inside { "inside" } else { "ontop" });
        if below(2) == 0 {
            for container in &containers {
                let _ = write!(init, "(inside {object} {container}) ");
            }
        }
        containers.extend(Some(support).filter(|_| is_inside));
        inside.insert(object, containers);
    }
    if below(8) == 0 {
        let _ = write!(init, "(future {}) ", objects[2 + below(2)]);
    }
    if below(3) == 0 {
        init.push_str("(open cabinet.n.01_1) ");
    }
    let mut goal = String::new();
    for _ in 0..=below(2) {
        let object = objects[below(objects.len())];
        let literal = match below(7) {
            0 => "(ontop ?agent.n.01_1 ?floor.n.01_1)".to_owned(),
            1 => "(ontop ?agent.n.01_1 ?table.n.02_1)".to_owned(),
            2 => format!("(inside ?{object} ?cabinet.n.01_1)"),
            3 => format!("(inside ?{object} ?bowl.n.01_1)")
                .replace("?bowl.n.01_1 ?bowl.n.01_1", "?bowl.n.01_1 ?tray.n.01_1"),
            4 => format!("(nextto ?{object} ?carving_knife.n.01_1)"),
            _ => format!("(ontop ?{object} ?{})", fixed[below(2)]),
        };
        let literal = if below(4) == 0 { format!("(not {literal})") } else { literal };
        let _ = match below(6) {
            0 => write!(goal, "(or {literal} (open ?cabinet.n.01_1)) "),
            _ => write!(goal, "{literal}"),
        };
    }
    (init, goal)
}

/// Obstacles to a goal are analysed after the search, within the same time limit.
#[test]
fn obstacles_are_searched_within_the_time_limit() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the crate lies in crates/goalspec");
    let knowledge =
        Knowledge::open(&root.join("crates/languages/bddl/tests/small")).expect("the knowledge base is complete");
    let mut sources = Sources::new();
    let text = "(define (problem tidy-0) (:domain omnigibson)
        (:objects parcel.n.01_1 - parcel.n.01 floor.n.01_1 - floor.n.01 agent.n.01_1 - agent.n.01)
        (:init (inroom floor.n.01_1 kitchen) (ontop parcel.n.01_1 floor.n.01_1) (ontop agent.n.01_1 floor.n.01_1))
        (:goal (and (cooked ?parcel.n.01_1))))";
    let source = sources.add("activity", text);
    let parsed = parse(sources.file(source), Dialect::STRICT);
    let problem = parsed.problems.first().expect("it can be read");
    let household = ActivityTask::new(problem, None, Dialect::STRICT, Some(&knowledge)).expect("it is small enough");
    assert_eq!(in_the_way(&household, problem), ["cooked"]);
    let end = |left, cancelled| household.unreachable_literals(problem, left, &AtomicBool::new(cancelled)).err();
    assert_eq!(end(Some(Duration::ZERO), false), Some(GroundError::Time { limit: Duration::ZERO }));
    assert_eq!(end(None, true), Some(GroundError::Cancelled));
}

/// The number of activities whose plans are scored as traces.
const SCORED: usize = 12;

#[test]
fn the_states_of_a_plan_are_scored_like_its_end() {
    let Some((knowledge, paths)) = release("1.0.0") else { return };
    let knowledge = Arc::new(knowledge);
    for path in paths.iter().take(SCORED) {
        let reading = LibraryOptions {
            bddl_dialect: Dialect::COMPAT_1_0,
            knowledge: Some(knowledge.clone()),
            ..LibraryOptions::default()
        };
        let mut library = Library::with_options(reading);
        library.add_program(&path.display().to_string(), std::fs::read_to_string(path).expect("it can be read"));
        let [program] = library.programs() else { panic!("{}: one activity is expected", path.display()) };
        let problem = planning_problem(&library, program).expect("a task").expect("an activity without errors");
        let solved =
            solve(&problem.task, &PlanRequest::default(), &AtomicBool::new(false), &|_| {}).expect("it is grounded");
        let Some((plan, _)) = &solved.plan else { continue };
        // The first state and the last state.
        for (steps, is_satisfied) in [(0, false), (plan.steps.len(), true)] {
            let plan = Plan { steps: plan.steps[..steps].to_vec() };
            assert_eq!(
                problem.verdict(&plan).map(|verdict| verdict.is_satisfied),
                Some(is_satisfied),
                "{}",
                path.display()
            );
            let mut trace = Vec::new();
            problem.write_states(&plan, &mut trace).expect("memory can be written");
            let input = TraceInput::Bytes("trace".into(), trace.into());
            let result = score(&[program], &input, &ScoringOptions::default(), &|_| {});
            let [ProgramOutcome { report: ProgramReport::Goal(report), .. }] = &result.outcomes[..] else {
                panic!("{}: {:?}", path.display(), result.diagnostics)
            };
            assert_eq!(report.report.last.satisfied, is_satisfied, "{}", path.display());
            // The trace has the names of the activity.
            let text: Vec<String> = plan.steps.iter().map(|step| problem.step_text(step)).collect();
            assert!(text.iter().all(|step| !step.contains("_n_")), "{text:?}");
        }
    }
}

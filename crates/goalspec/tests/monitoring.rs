//! Monitors of one environment and of many, texts in memory, and traces of columns.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use goalspec::codes::OVER_BUDGET;
use goalspec::core::budget::Budget;
use goalspec::core::engine::Engine;
use goalspec::core::ids::{AttributeId, ObjectId};
use goalspec::core::state::{AttributeChange, Delta};
use goalspec::core::value::Value;
use goalspec::examples::EXAMPLES;
use goalspec::json;
use goalspec::library::{Library, LibraryOptions};
use goalspec::monitoring::batch::{BatchStep, MonitorBatch};
use goalspec::monitoring::{CompiledProgram, Monitor};
use goalspec::program::Program;
use goalspec::report::ProgramReport;
use goalspec::rewards::batch::Environments;
use goalspec::rewards::compiled::CompiledReward;
use goalspec::scoring::{ScoringOptions, ScoringResult, score};
use goalspec::syntax::{Diagnostic, Sources};
use goalspec::trace::TraceInput;
use goalspec::trace::{ReadOptions, StateColumns, Trace, TraceBuilder, TraceReader, from_reader};

const WORLD: &str = "name = \"tank\"
[types]
tank = {}
[objects]
\"tank_{n}\" = { type = \"tank\", count = 2 }
[attributes]
level = { kind = \"real\", of = \"tank\", required = true }
position = { kind = \"vec3\", of = \"tank\" }
[predicates]
open = { parameters = \"?t - tank\", stored = true }
[functions]
level = { parameters = \"?t - tank\", attribute = \"level\" }
";
const GAME: &str = "(define (game fill) (:domain tank)
    (:constraints (and
        (forall (?t - tank) (preference filled
            (then (once (< (level ?t) 1)) (hold (< (level ?t) 2)) (once (and (open ?t) (>= (level ?t) 2))))))
        (preference full (at-end (exists (?t - tank) (>= (level ?t) 2))))))
    (:terminal (>= (count filled) 3))
    (:scoring (+ (* 5 (count filled)) (count full))))";

fn tank() -> Library {
    let library = Library::from_texts([("fill.game", GAME), ("tank.world.toml", WORLD)], LibraryOptions::default());
    assert!(!library.diagnostics().iter().any(Diagnostic::is_error), "{:?}", library.diagnostics());
    library
}

fn compiled(program: &Program, engine: Engine) -> CompiledProgram {
    CompiledProgram::new(program, &ScoringOptions { engine, ..ScoringOptions::default() }).expect("it is small")
}

#[test]
fn handles_are_static_send_and_sync() {
    fn check<T: Send + 'static>() {}
    fn check_shared<T: Send + Sync + 'static>() {}
    check::<Monitor>();
    check::<MonitorBatch>();
    check::<Environments>();
    check::<goalspec::simulator::batch::Batch>();
    check_shared::<CompiledProgram>();
    check_shared::<CompiledReward>();
    check_shared::<goalspec::monitor::CompiledGame>();
    check_shared::<goalspec::monitor::goal::CompiledGoal>();
    check_shared::<Trace>();
}

#[test]
fn monitors_give_the_rewards_and_reports_of_scoring() {
    let mut compared = 0;
    for example in EXAMPLES {
        let library = Library::from_texts(example.programs(), LibraryOptions::default());
        for program in
            library.programs().iter().filter(|program| program.as_game().is_some() || program.as_activity().is_some())
        {
            for (name, trace) in example.traces() {
                for engine in [Engine::Fast, Engine::Interpreter] {
                    let options = ScoringOptions { engine, per_step: true, ..ScoringOptions::default() };
                    let input = TraceInput::Bytes(name.into(), trace.as_bytes().into());
                    let scored = score(&[program], &input, &options, &|_| ());
                    let Some(outcome) = scored.outcomes.first() else { continue };
                    let mut reader = from_reader(trace.as_bytes(), &outcome.world, &ReadOptions::default()).unwrap();
                    let states = Trace::read(&mut reader, &outcome.world).unwrap();
                    // Traces may declare objects, which monitors of the program's own world do not know.
                    if !states.is_of(program.world.as_ref().unwrap()) {
                        continue;
                    }
                    let mut monitor = compiled(program, engine).monitor();
                    let (mut cursor, mut delta, mut rewards) = (states.cursor(), Delta::default(), Vec::new());
                    while cursor.next(&mut delta).unwrap() {
                        let last = monitor.steps() + 1 == states.len() as u64;
                        let verdict = monitor.step(&delta, last).unwrap();
                        rewards.push(verdict.reward());
                        if verdict.done() {
                            break;
                        }
                    }
                    assert_eq!(rewards, outcome.rewards, "{}", program.name);
                    assert_eq!(monitor.finish().score(), outcome.report.score(), "{}", program.name);
                    assert_same_score(program, &input, &options);
                    assert_same_score(program, &input, &ScoringOptions { explain: true, ..options.clone() });
                    let in_memory = TraceInput::Trace(name.into(), Arc::new(states));
                    let again = score(&[program], &in_memory, &options, &|_| ());
                    assert_eq!(again.outcomes[0].rewards, outcome.rewards, "{}", program.name);
                    compared += 1;
                }
            }
        }
    }
    assert!(compared >= 6, "{compared}");
}

/// Asserts that a compiled program scores a trace as the program does, and returns the result.
fn assert_same_score(program: &Program, input: &TraceInput, options: &ScoringOptions) -> ScoringResult {
    let result = CompiledProgram::new(program, options).expect("it is small").score(input);
    let expected = score(&[program], input, options, &|_| ());
    let describe = |result: &ScoringResult| {
        let outcomes: Vec<_> =
            result.outcomes.iter().map(|found| json::outcome(found, &Sources::new()).to_string()).collect();
        (outcomes, result.diagnostics.clone())
    };
    assert_eq!(describe(&result), describe(&expected), "{}", program.name);
    result
}

#[test]
fn compiled_programs_score_with_all_options() {
    let library = tank();
    let program = &library.programs()[0];
    let columns = StateColumns::new(program.world.as_ref().unwrap(), &COLUMNS).unwrap();
    let states: Vec<f64> = (0..50).flat_map(|time| row(1, time)).collect();
    let trace = columns.trace(program.world.as_ref().unwrap(), &states).unwrap();
    let input = TraceInput::Trace("tank".into(), Arc::new(trace));
    for engine in [Engine::Fast, Engine::Interpreter] {
        for explain in [false, true] {
            let options = ScoringOptions { engine, explain, per_step: true, ..ScoringOptions::default() };
            let outcome = assert_same_score(program, &input, &options).into_outcome().unwrap();
            let ProgramReport::Game(report) = &outcome.report else { panic!("it is a game") };
            assert!(explain || report.preferences.iter().all(|preference| preference.attempt.is_none()));
        }
        let mut stopped = 0;
        for options in budgets(engine).filter(|options| CompiledProgram::new(program, options).is_ok()) {
            let outcome = assert_same_score(program, &input, &options).into_outcome().unwrap();
            assert_eq!(outcome.budget_exceeded.is_some(), outcome.report.score().is_err());
            stopped += usize::from(outcome.budget_exceeded.is_some());
        }
        assert!(stopped > 0, "{engine:?}");
    }
    // A damaged trace is scored up to the damage if that is asked for.
    let text = b"{\"world\": \"tank\"}\n{\"objects\": 7}\n";
    let damaged = TraceInput::Bytes("damaged.jsonl".into(), Arc::from(&text[..]));
    for partial in [false, true] {
        let options = ScoringOptions { partial, ..ScoringOptions::default() };
        let result = assert_same_score(program, &damaged, &options);
        assert!(result.diagnostics[0].message.starts_with("damaged.jsonl"), "{:?}", result.diagnostics);
    }
}

#[test]
fn monitors_stop_at_the_budget() {
    let library = tank();
    let program = &library.programs()[0];
    for engine in [Engine::Fast, Engine::Interpreter] {
        let columns = StateColumns::new(program.world.as_ref().unwrap(), &COLUMNS).unwrap();
        let mut stopped = 0;
        for compiled in budgets(engine).filter_map(|options| CompiledProgram::new(program, &options).ok()) {
            let (mut monitor, mut delta) = (compiled.monitor(), Delta::default());
            let exceeded = (0..50).find(|&time| {
                columns.fill(&row(1, time as usize), None, time, &mut delta).unwrap();
                monitor.step(&delta, false).is_err_and(|error| error.code == OVER_BUDGET)
            });
            let Some(time) = exceeded else { continue };
            let report = monitor.finish();
            assert!(report.score().is_err_and(|error| error.to_string().contains("exceeds the budget")), "{engine:?}");
            assert_eq!(report.states(), time + 1);
            stopped += 1;
        }
        assert!(stopped > 0, "{engine:?}");
    }
}

/// Returns options with small budgets.
fn budgets(engine: Engine) -> impl Iterator<Item = ScoringOptions> {
    let budgets = (0..14).map(|exponent| Budget::new(1 << exponent));
    budgets.map(move |budget| ScoringOptions { engine, budget, ..ScoringOptions::default() })
}

#[test]
fn finishing_before_the_first_state_has_no_effect() {
    let library = tank();
    for engine in [Engine::Fast, Engine::Interpreter] {
        let program = compiled(&library.programs()[0], engine);
        let columns = StateColumns::new(program.world(), &COLUMNS).unwrap();
        let mut monitor = program.monitor();
        assert_eq!(monitor.finish().states(), 0);
        let mut expected = program.monitor();
        let mut delta = Delta::default();
        for time in 0..30 {
            columns.fill(&row(2, time), None, time as u64, &mut delta).unwrap();
            let verdicts = [&mut monitor, &mut expected].map(|monitor| monitor.step(&delta, time == 29).unwrap());
            assert_eq!(format!("{:?}", verdicts[0]), format!("{:?}", verdicts[1]));
        }
        assert_eq!(format!("{:?}", monitor.finish()), format!("{:?}", expected.finish()));
    }
}

/// The levels and valves of two tanks in each state of an environment.
fn row(environment: usize, time: usize) -> [f64; 4] {
    let level = |tank: usize| f64::from(((time * (tank + 2) + environment) % 7) as u32) / 2.0;
    let open = |tank: usize| f64::from(u8::from((time + tank + environment).is_multiple_of(3)));
    [level(0), level(1), open(0), open(1)]
}

const COLUMNS: [&str; 4] = ["tank_0.level", "tank_1.level", "(open tank_0)", "(open tank_1)"];

#[test]
fn batches_have_the_results_of_single_environments() {
    let library = tank();
    let program = compiled(&library.programs()[0], Engine::Fast);
    let columns = StateColumns::new(program.world(), &COLUMNS).unwrap();
    let pool = Arc::new(rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap());
    let (mut ended, mut paid_at_end) = (0, 0);
    let mut batches = [false, true].map(|on_threads| {
        let batch = MonitorBatch::new(&program, columns.clone(), 40);
        if on_threads { batch.with_pool(Arc::clone(&pool)) } else { batch }
    });
    let mut alone: Vec<Monitor> = (0..40).map(|_| program.monitor()).collect();
    let (mut delta, mut steps) = (Delta::default(), [BatchStep::default(), BatchStep::default()]);
    for time in 0..60 {
        let last: Vec<bool> = (0..40).map(|environment| (time + environment) % 17 == 16).collect();
        let states: Vec<f64> = (0..40).flat_map(|environment| row(environment, time)).collect();
        for (batch, step) in batches.iter_mut().zip(&mut steps) {
            batch.step(&states, &last, step).unwrap();
        }
        assert_eq!(steps[0], steps[1]);
        for (environment, monitor) in alone.iter_mut().enumerate() {
            columns.fill(&row(environment, time), None, monitor.steps(), &mut delta).unwrap();
            let verdict = monitor.step(&delta, last[environment]).unwrap();
            let given = (steps[0].rewards[environment], steps[0].scores[environment]);
            assert_eq!((verdict.reward(), verdict.score()), given);
            assert_eq!(verdict.done(), steps[0].done[environment]);
            if verdict.done() {
                paid_at_end += usize::from(last[environment] && verdict.reward() > 0.5);
                ended += 1;
                monitor.reset();
                for batch in &mut batches {
                    batch.reset(environment);
                }
            }
        }
    }
    assert!(ended > 10 && paid_at_end > 0, "{ended} {paid_at_end}");
}

#[test]
fn attempts_are_equal_for_both_engines_and_features_bounded() {
    let library = tank();
    let programs = [Engine::Fast, Engine::Interpreter].map(|engine| compiled(&library.programs()[0], engine));
    assert!(programs.iter().all(|program| !program.has_exact_features()));
    let columns = StateColumns::new(programs[0].world(), &COLUMNS).unwrap();
    let mut monitors = programs.each_ref().map(CompiledProgram::monitor);
    let count = programs[0].feature_names().iter().position(|name| name == "filled.count").unwrap();
    let mut delta = Delta::default();
    let mut advanced = 0;
    for time in 0..40 {
        columns.fill(&row(3, time), None, time as u64, &mut delta).unwrap();
        let features = monitors.each_mut().map(|monitor| {
            monitor.step(&delta, false).unwrap();
            let mut features = vec![f32::NAN; monitor.program().feature_names().len()];
            monitor.features(&mut features);
            features
        });
        // After a satisfaction, engines may track different attempts that can no longer succeed.
        if features[0][count] == 0.0 {
            assert_eq!(features[0][..2], features[1][..2], "state {time}");
        }
        assert!(features.concat().iter().all(|feature| (0.0..=1.0).contains(feature)), "{features:?}");
        advanced += usize::from(features[0][1] > 0.0);
    }
    assert!(advanced > 5, "{advanced}");
}

#[test]
fn environments_that_are_not_selected_are_unchanged() {
    let library = tank();
    let program = compiled(&library.programs()[0], Engine::Fast);
    let columns = StateColumns::new(program.world(), &COLUMNS).unwrap();
    let names = ["setup", "filled.attempt", "filled.position.1", "filled.position.2", "filled.count"];
    assert_eq!(
        (program.part_names().join(" "), program.feature_names()),
        ("filled full".to_owned(), &names.map(str::to_owned)[..])
    );
    let mut some = MonitorBatch::new(&program, columns.clone(), 4);
    let mut all = MonitorBatch::new(&program, columns, 4);
    let (mut step, mut expected) = (BatchStep::default(), BatchStep::default());
    let mut rewarded = 0;
    for time in 0..30 {
        let states: Vec<f64> = (0..4).flat_map(|environment| row(environment, time)).collect();
        all.step(&states, &[false; 4], &mut expected).unwrap();
        // Each state is given to the even environments first, and then to the others. The rows of the others are not read.
        for parity in 0..2 {
            let selected: Vec<bool> = (0..4).map(|environment| environment % 2 == parity).collect();
            let mut given = states.clone();
            let width = given.len() / 4;
            let rows = given.chunks_exact_mut(width).zip(&selected);
            rows.filter(|(_, is_selected)| !**is_selected).for_each(|(row, _)| row.fill(f64::NAN));
            some.step_selected(&given, &[false; 4], &selected, &mut step).unwrap();
            for (environment, is_selected) in selected.into_iter().enumerate() {
                let parts = environment * 2..environment * 2 + 2;
                if is_selected {
                    assert_eq!(step.rewards[environment].to_bits(), expected.rewards[environment].to_bits());
                    assert_eq!(step.satisfied[parts.clone()], expected.satisfied[parts.clone()]);
                    rewarded += step.satisfied[parts].iter().sum::<u32>();
                } else {
                    assert_eq!((step.rewards[environment], step.satisfied[parts].iter().sum::<u32>()), (0.0, 0));
                }
            }
        }
        assert_eq!((&step.scores, &step.done), (&expected.scores, &expected.done), "time {time}");
    }
    assert!(rewarded > 0);
}

#[test]
fn cancelled_scoring_has_no_outcomes() {
    let library = tank();
    let columns = StateColumns::new(&library.all_worlds()[0], &COLUMNS).unwrap();
    let states: Vec<f64> = (0..20).flat_map(|time| row(1, time)).collect();
    let trace = columns.trace(&library.all_worlds()[0], &states).unwrap();
    let input = TraceInput::Trace("rows".into(), Arc::new(trace));
    for is_cancelled in [false, true] {
        let cancelled = Some(Arc::new(AtomicBool::new(is_cancelled)));
        let options = ScoringOptions { cancelled, ..ScoringOptions::default() };
        let result = score(&[&library.programs()[0]], &input, &options, &|_| ());
        assert_eq!((result.outcomes.len(), result.diagnostics.len()), (usize::from(!is_cancelled), 0));
    }
}

#[test]
fn a_clone_of_a_monitor_goes_its_own_way() {
    let library = tank();
    let program = compiled(&library.programs()[0], Engine::Fast);
    let columns = StateColumns::new(program.world(), &COLUMNS).unwrap();
    let mut delta = Delta::default();
    let mut play = |monitor: &mut Monitor, environment: usize, times: std::ops::Range<usize>| -> Vec<u64> {
        times
            .map(|time| {
                columns.fill(&row(environment, time), None, time as u64, &mut delta).unwrap();
                monitor.step(&delta, false).unwrap().reward().to_bits()
            })
            .collect()
    };
    let mut monitor = program.monitor();
    play(&mut monitor, 1, 0..3);
    let at_branch = monitor.clone();
    let own = play(&mut monitor, 1, 3..12);
    let mut different = 0;
    for environment in 0..21 {
        let rewards = play(&mut at_branch.clone(), environment, 3..12);
        let mut fresh = program.monitor();
        play(&mut fresh, 1, 0..3);
        assert_eq!(rewards, play(&mut fresh, environment, 3..12), "environment {environment}");
        different += usize::from(rewards != own);
    }
    assert!(different > 5, "{different}");
}

#[test]
fn states_that_are_not_of_the_world_are_refused() {
    let library = tank();
    let program = compiled(&library.programs()[0], Engine::Fast);
    let world = program.world();
    let level = world.attribute_named("level").unwrap();
    let change = |object, attribute, value| Delta {
        changes: vec![AttributeChange { object: ObjectId(object), attribute, value }],
        ..Delta::default()
    };
    let cases = [
        (change(0, level, Value::Int(1)), "the attribute `level` of `tank_0` must be of kind real"),
        (change(0, level, Value::Real(f64::NAN)), "the value of `level` is not a finite number"),
        (change(9, level, Value::Real(1.0)), "object 9 is unknown: the world has 2"),
        (change(0, AttributeId::from(7), Value::Real(1.0)), "attribute 7 is unknown: the world has 2"),
        (Delta { removed: vec![ObjectId(5)], ..Delta::default() }, "object 5 is unknown: the world has 2"),
    ];
    for (delta, message) in cases {
        let error = program.monitor().step(&delta, false).unwrap_err();
        assert_eq!((error.code.0, &*error.message), ("trace/not-of-world", message));
        assert_eq!(TraceBuilder::new(world.clone()).push(&delta).unwrap_err().diagnostic().message, message);
    }
    let mut builder = TraceBuilder::new(world.clone());
    builder.push(&Delta::default()).unwrap();
    assert_eq!(builder.push(&Delta::default()).unwrap_err().code().0, "trace/order");
}

#[test]
fn columns_are_checked() {
    let library = tank();
    let world = library.all_worlds().remove(0);
    let cases = [
        (&["tank_2.level"][..], "column `tank_2.level`: unknown object `tank_2`; did you mean `tank_0`?"),
        (&["tank_0.levl"], "column `tank_0.levl`: unknown attribute `levl`; did you mean `level`?"),
        (&["tank_0.position"], "column `tank_0.position`: `position` is a vector with the components x, y and z"),
        (
            &["tank_0.position.x", "tank_0.position.z"],
            "column `tank_0.position.x`: the columns x, y and z of a vector must follow each other",
        ),
        (&["(open)"], "column `(open)`: number of arguments of `open`: expected 1, found 0"),
        (&["(level tank_0)"], "column `(level tank_0)`: `level` is computed from attributes"),
        (&["tank_0.level.x"], "column `tank_0.level.x`: `level` is a number and has no components"),
        (&["tank_0.level.deep"], "column `tank_0.level.deep`: unknown object `tank_0.level`; did you mean `tank_0`?"),
        (&["tank_0.level", "(open tank_0)", "tank_0.level"], "the column `tank_0.level` is given twice"),
        (&[], "there are no columns"),
        (&["level"], "the column `level` is neither `OBJECT.ATTRIBUTE`, nor `(PREDICATE OBJECT ..)`, nor an object"),
    ];
    for (names, message) in cases {
        assert_eq!(StateColumns::new(&world, names).unwrap_err().diagnostic().message, message);
    }
    let columns = StateColumns::new(&world, &["tank_0.position.x", "tank_0.position.y", "tank_0.position.z"]).unwrap();
    assert!(columns.trace(&world, &[1.0, f64::INFINITY, 2.0]).is_err());
    let valve = StateColumns::new(&world, &["(open tank_0)"]).unwrap();
    assert!(valve.trace(&world, &[f64::NAN]).is_err());
    assert_eq!(columns.trace(&world, &[1.0, 2.0, 3.0, 1.0, 2.0, 4.0]).unwrap().len(), 2);
    // Only changes are in the deltas.
    let mut delta = Delta::default();
    valve.fill(&[1.0], None, 0, &mut delta).unwrap();
    assert_eq!(delta.facts.len(), 1);
    valve.fill(&[1.0], Some(&[1.0]), 1, &mut delta).unwrap();
    assert_eq!(delta.facts.len(), 0);
}

#[test]
fn ids_in_columns_may_contain_dots() {
    let world = "name = \"yard\"\n[types]\nball = {}\n[objects]\n\"ball.1\" = { type = \"ball\" }\n\
        [attributes]\nx = { kind = \"real\", of = \"ball\" }\nposition = { kind = \"vec3\", of = \"ball\" }\n";
    let library = Library::from_texts([("yard.world.toml", world)], LibraryOptions::default());
    let world = library.all_worlds().remove(0);
    let names = ["ball.1.x", "ball.1.position.x", "ball.1.position.y", "ball.1.position.z"];
    let trace = StateColumns::new(&world, &names).unwrap().trace(&world, &[1.0, 2.0, 3.0, 4.0]).unwrap();
    let (mut cursor, mut delta) = (trace.cursor(), Delta::default());
    assert!(cursor.next(&mut delta).unwrap());
    let values: Vec<_> = delta.changes.iter().map(|change| change.value.clone()).collect();
    assert_eq!(values, [Value::Real(1.0), Value::Vec3([2.0, 3.0, 4.0].into())]);
}

#[test]
fn texts_load_in_any_order() {
    let base = ("base.world.toml", "name = \"base\"\n[types]\ntank = {}\n");
    let extended = ("more.world.toml", "name = \"more\"\nextends = \"base\"\n[types]\npump = {}\n");
    let library = Library::from_texts([extended, base], LibraryOptions::default());
    assert_eq!(library.diagnostics(), []);
    assert_eq!(library.all_worlds().len(), 2);
    for example in EXAMPLES {
        let mut texts: Vec<_> = example.programs().collect();
        let describe = |library: &Library| {
            let mut names: Vec<_> = library.programs().iter().map(|program| program.name.clone()).collect();
            names.sort();
            (names, library.diagnostics().iter().map(|found| found.message.clone()).collect::<Vec<_>>())
        };
        let forwards = describe(&Library::from_texts(texts.clone(), LibraryOptions::default()));
        texts.reverse();
        assert_eq!(describe(&Library::from_texts(texts, LibraryOptions::default())), forwards, "{}", example.name);
    }
}

#[test]
fn traces_in_memory_are_of_one_world() {
    let library = tank();
    let world = library.all_worlds().remove(0);
    let columns = StateColumns::new(&world, &["(open tank_0)"]).unwrap();
    let trace = columns.trace(&world, &[0.0, 1.0]).unwrap();
    let renamed = WORLD.replace("open", "valve");
    let other = Library::from_texts([("tank.world.toml", renamed)], LibraryOptions::default()).all_worlds().remove(0);
    assert!(trace.is_of(&world) && !trace.is_of(&other) && !columns.is_of(&other));
}

#[test]
fn states_after_the_end_change_nothing() {
    let library = tank();
    let program = compiled(&library.programs()[0], Engine::Fast);
    let columns = StateColumns::new(program.world(), &COLUMNS).unwrap();
    let mut monitor = program.monitor();
    let mut delta = Delta::default();
    for time in 0..20 {
        columns.fill(&row(0, time), None, time as u64, &mut delta).unwrap();
        monitor.step(&delta, false).unwrap();
    }
    let (report, steps) = (monitor.finish(), monitor.steps());
    let mut features = vec![0.0; program.feature_names().len()];
    monitor.features(&mut features);
    columns.fill(&row(3, 20), None, 20, &mut delta).unwrap();
    assert_eq!(monitor.step(&delta, false).unwrap().reward().to_bits(), 0.0_f64.to_bits());
    assert_eq!((monitor.steps(), monitor.finish().score()), (steps, report.score()));
    let mut after = vec![0.0; program.feature_names().len()];
    monitor.features(&mut after);
    assert_eq!(after, features);
    monitor.reset();
    assert_eq!(monitor.steps(), 0);
}

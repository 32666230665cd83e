//! Environments evaluated side by side against a monitor for each: random games, states, episodes and resets.

use goalspec::core::state::Delta;
use goalspec::library::{Library, LibraryOptions};
use goalspec::monitoring::batch::{BatchStep, MonitorBatch};
use goalspec::monitoring::{CompiledProgram, Monitor};
use goalspec::scoring::ScoringOptions;
use goalspec::syntax::Diagnostic;
use goalspec::trace::StateColumns;
use goalspec_testing::random::Random;

const WORLD: &str = "name = \"shelf\"
[types]
thing = {}
ball = { of = \"thing\" }
box = { of = \"thing\" }
[objects]
\"ball_{n}\" = { type = \"ball\", count = 3 }
\"box_{n}\" = { type = \"box\", count = 2 }
[attributes]
height = { kind = \"real\", of = \"thing\", required = true }
level = { kind = \"int\", of = \"box\", required = true }
lit = { kind = \"bool\", of = \"ball\" }
[predicates]
on = { parameters = \"?a - ball ?b - box\", stored = true }
lit = { parameters = \"?a - ball\", flag = \"lit\" }
steep = { parameters = \"?a - ball ?b - box\", holds = \"(> (/ (height ?a) (level ?b)) 1)\" }
high = { parameters = \"?a - thing\", holds = \"(> (height ?a) 2)\" }
[functions]
height = { parameters = \"?t - thing\", attribute = \"height\" }
level = { parameters = \"?t - box\", attribute = \"level\" }
gap = { parameters = \"?a - thing ?b - thing\", value = \"(abs (- (height ?a) (height ?b)))\" }
";

/// Returns the names of the columns. Some balls have no place, and one has no light.
fn columns() -> Vec<String> {
    let mut names = Vec::new();
    for ball in ["ball_0", "ball_1", "ball_2"] {
        names.push(format!("{ball}.height"));
        if ball != "ball_2" {
            names.push(format!("{ball}.lit"));
        }
        names.push(format!("(on {ball} box_0)"));
    }
    for of_box in ["box_0", "box_1"] {
        names.extend([format!("{of_box}.height"), format!("{of_box}.level")]);
    }
    names
}

/// Returns a random value of a column.
fn number(random: &mut Random, column: &str) -> f64 {
    match column {
        _ if column.ends_with("height") => random.below(9) as f64 / 2.0 - 0.5,
        _ if column.ends_with("level") => random.below(4) as f64 - 1.0,
        _ => random.below(2) as f64,
    }
}

/// Returns a random condition on a ball `?a` and a box `?b`.
fn condition(random: &mut Random, depth: usize) -> String {
    let constant = random.below(9) as f64 / 2.0;
    let mut part = || condition(random, depth - 1);
    match if depth == 0 { 4 } else { 0 } {
        0 => {}
        _ => {
            return match random.below(9) {
                0 => "(lit ?a)".to_owned(),
                1 => "(on ?a ?b)".to_owned(),
                2 => "(high ?b)".to_owned(),
                3 => format!("(< (height ?a) {constant})"),
                4 => format!("(>= (height ?b) {constant})"),
                5 => format!("(> (gap ?a ?b) {constant})"),
                6 => "(= (level ?b) 1)".to_owned(),
                7 => "(steep ?a ?b)".to_owned(),
                _ => "(= (height ?a) (height ?b) (level ?b))".to_owned(),
            };
        }
    }
    let (one, other) = (part(), part());
    match random.below(6) {
        0 => format!("(not {one})"),
        1 => format!("(and {one} {other})"),
        2 => format!("(or {one} {other})"),
        3 => format!("(exists (?c - box) (and (high ?c) {one}))"),
        4 => format!("(forall (?a - ball) {one})"),
        _ => one,
    }
}

fn preference(random: &mut Random, name: &str) -> String {
    let mut part = || condition(random, 2);
    let (one, two, three) = (part(), part(), part());
    let pattern = match random.below(5) {
        0 => format!("(at-end {one})"),
        1 => format!("(then (once {one}) (hold {two}) (once {three}))"),
        2 => format!("(then (once {one}) (once {two}))"),
        3 => format!("(then (once {one}) (hold-while {two} {three}) (once {two}))"),
        _ => format!("(then (hold {one}) (once {two}) (hold {three}) (once {one}))"),
    };
    let body = format!("(preference {name} (exists (?a - ball ?b - box) {pattern}))");
    match random.below(4) {
        0 => format!("(forall (?b - box) (preference {name} (exists (?a - ball) {pattern})))"),
        1 => format!("(forall (?a - ball) (preference {name} (exists (?b - box) {pattern})))"),
        2 => format!("(preference {name} (forall (?a - ball ?b - box) {pattern}))"),
        _ => body,
    }
}

fn game(random: &mut Random) -> String {
    let preferences = [preference(random, "p"), preference(random, "q")].join(" ");
    let counts =
        ["count", "count-once", "count-once-per-objects", "count-overlapping", "count-once-per-external-objects"];
    let mut count = |name: &str| format!("({} {name})", counts[random.below(counts.len())]);
    let scores = [count("p"), count("q"), count("p")];
    let terminal = match random.below(4) {
        0 => format!("(:terminal (>= {} {}))", scores[2], 1 + random.below(3)),
        1 => "(:terminal (>= (total-time) 12))".to_owned(),
        2 => "(:terminal (>= (total-score) 4))".to_owned(),
        _ => String::new(),
    };
    format!(
        "(define (game random) (:domain shelf) (:constraints (and {preferences})) {terminal}
            (:scoring (+ (* 2 {}) (* -0.5 {}))))",
        scores[0], scores[1]
    )
}

/// An environment with a monitor of its own.
struct Alone {
    monitor: Monitor,
    previous: Option<Vec<f64>>,
    delta: Delta,
}

#[test]
fn environments_side_by_side_have_the_results_of_single_ones() {
    let mut random = Random::new(7);
    let names = columns();
    let (mut compared, mut satisfied, mut games) = (0, 0, 0);
    for case in 0..120 {
        let game = game(&mut random);
        let files = [("shelf.world.toml".to_owned(), WORLD.to_owned()), ("random.game".to_owned(), game.clone())];
        let library = Library::from_texts(files, LibraryOptions::default());
        assert!(!library.diagnostics().iter().any(Diagnostic::is_error), "{game}: {:?}", library.diagnostics());
        let program = CompiledProgram::new(&library.programs()[0], &ScoringOptions::default()).unwrap();
        let program = program.with_feature_horizon(std::num::NonZeroU32::new(40).unwrap());
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let columns = StateColumns::new(program.world(), &names).unwrap().exact();
        let count = [1, 5, 130][case % 3];
        let mut batch = MonitorBatch::new(&program, columns.clone(), count);
        games += usize::from(batch.is_side_by_side());
        let mut alone: Vec<Alone> =
            (0..count).map(|_| Alone { monitor: program.monitor(), previous: None, delta: Delta::default() }).collect();
        let mut states = vec![0.0; count * names.len()];
        let mut step = BatchStep::default();
        let (mut own, mut expected) =
            (vec![0.0; program.feature_names().len()], vec![0.0; program.feature_names().len()]);
        for time in 0..if count > 100 { 12 } else { 60 } {
            for (place, number_of) in states.iter_mut().enumerate() {
                if time == 0 || random.below(4) == 0 {
                    *number_of = number(&mut random, names[place % names.len()]);
                }
            }
            let last: Vec<bool> = (0..count).map(|_| random.below(20) == 0).collect();
            let selected: Vec<bool> = (0..count).map(|_| random.below(8) > 0).collect();
            batch.step_selected(&states, &last, &selected, &mut step).unwrap();
            for (environment, single) in alone.iter_mut().enumerate() {
                let message = format!("case {case}, time {time}, environment {environment}:\n{game}");
                let row = &states[environment * names.len()..][..names.len()];
                let parts = &step.satisfied[environment * 2..][..2];
                if selected[environment] {
                    let Alone { monitor, previous, delta } = single;
                    columns.fill(row, previous.as_deref(), monitor.steps(), delta).unwrap();
                    let verdict = monitor.step(delta, last[environment]).unwrap();
                    *previous = Some(row.to_vec());
                    assert_eq!(verdict.reward().to_bits(), step.rewards[environment].to_bits(), "{message}");
                    assert_eq!(verdict.score().to_bits(), step.scores[environment].to_bits(), "{message}");
                    assert_eq!(verdict.done() || last[environment], step.done[environment], "{message}");
                    if let goalspec::report::ProgramVerdict::Game(verdict) = &verdict {
                        let of =
                            |index| verdict.satisfied.iter().filter(|(preference, _)| *preference == index).count();
                        assert_eq!([of(0) as u32, of(1) as u32], parts, "{message}");
                        satisfied += of(0) + of(1);
                    }
                } else {
                    assert_eq!((step.rewards[environment], parts), (0.0, &[0, 0][..]), "{message}");
                }
                assert_eq!(batch.states(environment), single.monitor.steps(), "{message}");
                batch.features(environment, &mut own);
                single.monitor.features(&mut expected);
                assert_eq!(own, expected, "{message}");
                compared += 1;
                if random.below(12) == 0 {
                    let peeked = batch.peek(environment, row).unwrap();
                    let mut copy = single.monitor.clone();
                    columns.fill(row, single.previous.as_deref(), copy.steps(), &mut single.delta).unwrap();
                    let verdict = copy.step(&single.delta, false).unwrap();
                    assert_eq!(peeked, (verdict.reward(), verdict.done()), "{message}");
                }
                if random.below(15) == 0 {
                    let reports = [batch.finish(environment), single.monitor.finish()];
                    assert_eq!(format!("{:?}", reports[0]), format!("{:?}", reports[1]), "{message}");
                }
                if random.below(15) == 0 {
                    batch.reset(environment);
                    single.monitor.reset();
                    single.previous = None;
                }
            }
        }
    }
    assert!(games > 90, "{games} of 120 games are evaluated side by side");
    assert!(satisfied > 3_000, "{satisfied} satisfactions in {compared} states");
}

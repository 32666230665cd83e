//! The features of monitors: their names, and that they determine the rewards where they say so.

use std::collections::HashMap;
use std::num::NonZeroU32;

use goalspec::core::engine::Engine;
use goalspec::core::state::Delta;
use goalspec::library::{Library, LibraryOptions};
use goalspec::monitoring::{CompiledProgram, Monitor};
use goalspec::scoring::ScoringOptions;
use goalspec::syntax::Diagnostic;
use goalspec::trace::StateColumns;

const WORLD: &str = "name = \"lamps\"
[types]
lamp = {}
[objects]
\"lamp_{n}\" = { type = \"lamp\", count = 2 }
[predicates]
lit = { parameters = \"?l - lamp\", stored = true }
hot = { parameters = \"?l - lamp\", stored = true }
";
const COLUMNS: [&str; 4] = ["(lit lamp_0)", "(hot lamp_0)", "(lit lamp_1)", "(hot lamp_1)"];

/// The states that are tried, as the truth of the columns.
const STATES: [[f64; 4]; 4] = [[0.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0], [1.0, 1.0, 1.0, 0.0], [0.0, 1.0, 1.0, 1.0]];

/// The number of states of an episode that is tried.
const DEPTH: usize = 5;

fn compiled(parts: &str, engine: Engine, horizon: Option<u32>) -> CompiledProgram {
    let game = format!("(define (game lamps) (:domain lamps) {parts})");
    let library = Library::from_texts([("lamps.world.toml", WORLD), ("lamps.game", &game)], LibraryOptions::default());
    assert!(!library.diagnostics().iter().any(Diagnostic::is_error), "{parts}: {:?}", library.diagnostics());
    let options = ScoringOptions { engine, ..ScoringOptions::default() };
    let program = CompiledProgram::new(&library.programs()[0], &options).expect("it is small");
    match horizon {
        Some(horizon) => program.with_feature_horizon(NonZeroU32::new(horizon).expect("it is not 0")),
        None => program,
    }
}

fn bits(monitor: &Monitor) -> Vec<u32> {
    let mut features = vec![f32::NAN; monitor.program().feature_names().len()];
    monitor.features(&mut features);
    assert!(features.iter().all(|feature| (0.0..=1.0).contains(feature)), "{features:?}");
    features.iter().map(|feature| feature.to_bits()).collect()
}

/// The features of a monitor, the state of the world, the next state, and whether that is the last one.
type Situation = (Vec<u32>, usize, usize, bool);

/// The reward, whether the episode is over, and the features afterwards.
type Reaction = (u64, bool, Vec<u32>);

/// Steps monitors through all episodes of [`DEPTH`] states, and returns the number of cases in which two monitors with equal features, in
/// equal states of the world, had another reward or other features after the same next state.
fn contradictions(program: &CompiledProgram) -> usize {
    let columns = StateColumns::new(program.world(), &COLUMNS).expect("the world has them");
    let mut monitors: Vec<(Monitor, Option<usize>)> = vec![(program.monitor(), None)];
    let mut outcomes: HashMap<Situation, Reaction> = HashMap::new();
    let (mut delta, mut found) = (Delta::default(), 0);
    for _ in 0..DEPTH {
        let mut next = Vec::new();
        for (monitor, state) in &monitors {
            let before = bits(monitor);
            for (place, row) in STATES.iter().enumerate() {
                for last in [false, true] {
                    let mut monitor = monitor.clone();
                    columns.fill(row, None, monitor.steps(), &mut delta).expect("they are truth values");
                    let verdict = monitor.step(&delta, last).expect("it is of the world");
                    if let Some(state) = *state {
                        let after = (verdict.reward().to_bits(), verdict.done(), bits(&monitor));
                        let known = outcomes.entry((before.clone(), state, place, last)).or_insert(after.clone());
                        found += usize::from(*known != after);
                    }
                    if !last && !verdict.done() {
                        next.push((monitor, Some(place)));
                    }
                }
            }
        }
        monitors = next;
    }
    found
}

const LIGHT: &str = "(exists (?l - lamp) (then (once (not (lit ?l))) (once (lit ?l))))";
const HEAT: &str = "(exists (?l - lamp) (then (once (lit ?l)) (hold (hot ?l)) (once (not (hot ?l)))))";
const EVENTS: &str = "(exists (?l - lamp) (then (once (lit ?l)) (hold-while (hot ?l) (lit ?l)) (once (not (lit ?l)))))";

#[test]
fn exact_features_determine_the_rewards() {
    let one = |pattern: &str, rest: &str| format!("(:constraints (preference g {pattern})) {rest}");
    let external =
        |pattern: &str, rest: &str| format!("(:constraints (forall (?l - lamp) (preference g {pattern}))) {rest}");
    let open = "(then (once (lit ?l)) (hold (hot ?l)) (once (not (hot ?l))))";
    let games = [
        one(LIGHT, "(:scoring (count g))"),
        one(HEAT, "(:scoring (count g))"),
        one(HEAT, "(:scoring (* (count g) (count g)))"),
        one(HEAT, "(:scoring (count-overlapping g))"),
        one(HEAT, "(:scoring (count-once-per-objects g))"),
        one(HEAT, "(:scoring (count-once g))"),
        one(HEAT, "(:terminal (>= (count g) 2)) (:scoring 1)"),
        one(EVENTS, "(:scoring (+ (count g) (count-once g)))"),
        external(open, "(:scoring (external-forall-maximize (count g)))"),
        external(open, "(:scoring (count-once-per-external-objects g))"),
        one("(at-end (exists (?l - lamp) (lit ?l)))", "(:scoring (count g))"),
        format!("(:constraints (and (preference g {HEAT}) (preference h {LIGHT}))) (:scoring (* (count g) (count h)))"),
    ];
    for game in &games {
        let program = compiled(game, Engine::Fast, Some(8));
        assert!(program.has_exact_features(), "{game}");
        assert_eq!(contradictions(&program), 0, "{game}: {:?}", program.feature_names());
    }
    // The same measure finds that a summary is none.
    let summary = compiled(&games[1], Engine::Fast, None);
    assert!(!summary.has_exact_features() && contradictions(&summary) > 0);
}

#[test]
fn features_that_cannot_determine_the_rewards_say_so() {
    let one = |pattern: &str, rest: &str| format!("(:constraints (preference g {pattern})) {rest}");
    let measured = "(exists (?l - lamp) (then (once (lit ?l)) (once (game_over))))";
    let games = [
        format!("(:setup (exists (?l - lamp) (game-optional (lit ?l)))) {}", one(LIGHT, "(:scoring (count g))")),
        one(LIGHT, "(:scoring (+ (count g) (total-time)))"),
        one(measured, "(:scoring (count g))"),
        one("(forall (?l - lamp) (then (once (lit ?l)) (once (hot ?l))))", "(:scoring (count g))"),
    ];
    for game in &games {
        assert!(!compiled(game, Engine::Fast, Some(8)).has_exact_features(), "{game}");
    }
    let light = one(LIGHT, "(:scoring (count g))");
    // The horizon is less than the number of bindings; so long that counts are no longer told apart; in another engine.
    assert!(!compiled(&light, Engine::Fast, Some(1)).has_exact_features());
    assert!(!compiled(&light, Engine::Fast, Some(10_000_000)).has_exact_features());
    assert!(!compiled(&light, Engine::Interpreter, Some(8)).has_exact_features());
    // What the score does not count does not matter.
    let uncounted = format!(
        "(:constraints (and (preference g {LIGHT}) (preference h (exists (?l - lamp) (then (once (lit ?l)) (once (game_over))))))) (:scoring (count g))"
    );
    assert!(compiled(&uncounted, Engine::Fast, Some(8)).has_exact_features());
}

#[test]
fn names_tell_bindings_positions_and_counts() {
    let parts = format!("(:constraints (preference g {HEAT})) (:scoring (count g))");
    let summary = ["setup", "g.attempt", "g.position.1", "g.position.2", "g.count"];
    assert_eq!(compiled(&parts, Engine::Fast, None).feature_names(), summary);
    assert_eq!(compiled(&parts, Engine::Interpreter, None).feature_names(), ["setup", "g.attempt"]);
    let listed = compiled(&parts, Engine::Fast, Some(100));
    let of_lamp = |lamp: &str| {
        ["position.1", "same-start.1", "overlaps.1", "position.2", "same-start.2", "overlaps.2"]
            .map(|name| format!("g({lamp}).{name}"))
    };
    let expected = [
        summary[..4].iter().map(|&name| name.to_owned()).collect(),
        of_lamp("lamp_0").to_vec(),
        of_lamp("lamp_1").to_vec(),
        vec!["g.count".to_owned()],
    ];
    assert_eq!(listed.feature_names(), expected.concat());
}

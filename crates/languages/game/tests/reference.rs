//! The deviations of the authors' implementation, individually, on hand-written plays.

use crate::common::play::Play;
use goalspec_core::monitor::{GameMonitor as _, GameReport, ScoreError};
use goalspec_game::parse;
use goalspec_game::reference::RewardMachine;
use serde_json::Value;

use crate::common;

const BALL: &str = "Dodgeball|-02.95|+01.29|-02.61";
const OTHER_BALL: &str = "Dodgeball|-02.97|+01.29|-02.28";
const BLOCKS: [&str; 6] = [
    "CubeBlock|+00.20|+00.10|-02.83",
    "CubeBlock|+00.20|+00.29|-02.83",
    "CubeBlock|-00.02|+00.10|-02.83",
    "CubeBlock|-00.02|+00.28|-02.83",
    "CubeBlock|-00.23|+00.28|-02.83",
    "CubeBlock|-00.24|+00.10|-02.83",
];

/// Runs a game on a play, with the last state announced and not announced, and asserts that the reports are equal.
fn report(game: &str, play: &Play) -> GameReport {
    let text = format!("(define (game test) (:domain few-objects-room-v1) {game})");
    let source = goalspec_testing::texts::source("game", &text);
    let parsed = parse::parse(&source);
    assert_eq!(common::errors(&source, &parsed.diagnostics), Vec::<String>::new());
    let run = |last_announced| play.run(&mut RewardMachine::new(&parsed.games[0], play.world()), last_announced);
    let report = run(true);
    assert_eq!(report, run(false));
    report
}

/// Returns the intervals of the satisfactions of `(preference p BODY)`.
fn intervals(body: &str, play: &Play) -> Vec<(u64, u64)> {
    let report = report(&format!("(:constraints (preference p {body})) (:scoring (count p))"), play);
    report.preferences[0].satisfactions.iter().map(|found| (found.start, found.end)).collect()
}

/// Returns the error that left the play without a score.
fn failure(report: &GameReport) -> &str {
    match &report.score {
        Err(ScoreError::Undefined(reason)) => reason,
        other => panic!("no failure but {other:?}"),
    }
}

/// Returns a play in which each letter is an object that is switched on.
fn letters(states: &[&str]) -> Play {
    let mut play = Play::new();
    for state in states {
        play.state();
        for (letter, object) in LETTERS {
            play.at(object, 0.0, 0.0, 0.0).flag(object, "toggled", state.contains(letter));
        }
    }
    play
}

const LETTERS: [(char, &str); 5] = [('A', "desk"), ('B', "bed"), ('C', "floor"), ('D', "mirror"), ('E', "side_table")];

/// Replaces each letter by its condition: `(once A)` becomes `(once (toggled_on desk))`.
fn spelled(pattern: &str) -> String {
    let letter = |c: char| LETTERS.iter().find(|(letter, _)| *letter == c).map(|(_, object)| object);
    pattern.chars().fold(String::new(), |text, c| match letter(c) {
        Some(object) => format!("{text}(toggled_on {object})"),
        None => format!("{text}{c}"),
    })
}

#[test]
fn sequences_match_as_recorded() {
    let Some(folder) = common::conformance() else { return };
    let rows = std::fs::read_to_string(folder.join("expected/then_reference.jsonl")).expect("the cases can be read");
    let (mut mismatches, mut cases) = (Vec::new(), 0);
    for row in rows.lines() {
        let row: Value = serde_json::from_str(row).expect("a case is JSON");
        let states: Vec<&str> =
            row["states"].as_array().expect("a list").iter().map(|state| state.as_str().expect("a text")).collect();
        let pattern = row["then"].as_str().expect("a text");
        let found = intervals(&format!("(then {})", spelled(pattern)), &letters(&states));
        let number = |value: &Value| value.as_u64().expect("a number");
        let expected: Vec<(u64, u64)> = row["satisfactions"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|interval| (number(&interval[0]), number(&interval[1])))
            .collect();
        cases += 1;
        if found != expected {
            mismatches.push(format!("{pattern} on {states:?}: {found:?}, not {expected:?}"));
        }
    }
    assert!(mismatches.is_empty(), "{}", mismatches.join("\n"));
    assert_eq!(cases, 47);
}

#[test]
fn starts_at_the_first_state_of_a_run_and_restarts_one_state_late() {
    let pattern = spelled("(then (once A) (hold B) (once C))");
    assert_eq!(intervals(&pattern, &letters(&["A", "A", "B", "C"])), [(1, 4)]);
    assert_eq!(intervals(&pattern, &letters(&["A", "B", "A", "B", "C"])), []);
}

#[test]
fn holding_is_noticed_when_the_thing_is_listed() {
    let mut play = Play::new();
    play.state().at(BALL, 0.0, 0.0, 0.0);
    play.state().hold(Some(BALL));
    play.state().list(BALL);
    let body = "(exists (?b - dodgeball) (then (once (agent_holds ?b))))";
    assert_eq!(intervals(body, &play), [(3, 3)]);
}

#[test]
fn variables_of_inner_quantifiers_have_no_objects() {
    let mut play = Play::new();
    play.state().at(BALL, 0.0, 0.0, 0.0).flag(BALL, "open", true);
    assert_eq!(intervals("(exists (?b - dodgeball) (then (once (open ?b))))", &play), [(1, 1)]);
    let leaking = "(exists (?b - dodgeball) (then (once (and (open ?b) (not (exists (?c - chair) (open ?c)))))))";
    assert_eq!(intervals(leaking, &play), []);
}

#[test]
fn type_names_are_bound_to_each_object_of_the_type() {
    let mut play = Play::new();
    play.state();
    for block in BLOCKS {
        play.at(block, 0.0, 0.0, 0.0);
    }
    let found = intervals("(exists (?l - block) (at-end (same_type ?l block)))", &play);
    assert_eq!(found.len(), 6 * 5);
}

#[test]
fn types_that_overlap_count_twice_at_the_end() {
    let mut play = Play::new();
    play.state().at(BALL, 0.0, 0.0, 0.0).at(OTHER_BALL, 0.0, 0.0, 0.0).flag(BALL, "open", true);
    assert_eq!(intervals("(exists (?b - (either ball dodgeball)) (at-end (open ?b)))", &play), [(1, 1), (1, 1)]);
}

#[test]
fn unimplemented_predicates_are_true_and_false_when_negated_twice() {
    let mut play = Play::new();
    play.state().at(BALL, 0.0, 0.0, 0.0).at(OTHER_BALL, 0.0, 0.0, 0.0);
    let pair =
        |condition: &str| intervals(&format!("(exists (?b - dodgeball) (then (once {condition})))"), &play).len();
    assert_eq!(pair("(is_setup_object ?b)"), 2);
    assert_eq!(pair("(not (is_setup_object ?b))"), 2);
    assert_eq!(pair("(and (not (is_setup_object ?b)) (is_setup_object ?b))"), 2);
    assert_eq!(pair("(and (is_setup_object ?b) (not (is_setup_object ?b)))"), 0);
}

#[test]
fn comparisons_that_are_not_implemented_on_the_left_alone_are_not_implemented() {
    let mut play = Play::new();
    play.state().at(BALL, 0.0, 0.0, 0.0).at(OTHER_BALL, 0.0, 0.0, 0.0);
    let count =
        |condition: &str| intervals(&format!("(exists (?b - dodgeball) (then (once {condition})))"), &play).len();
    assert_eq!(count("(< (x_position ?b) 1)"), 2);
    assert_eq!(count("(not (< (x_position ?b) 1))"), 2);
    assert_eq!(count("(not (< 1 (x_position ?b)))"), 0);
}

#[test]
fn functions_of_objects_last_listed_at_clock_zero_have_no_value() {
    let game =
        "(exists (?b - dodgeball) (then (once (open ?b)) (once (and (not (open ?b)) (< (distance bed desk) 9)))))";
    let play = |again: bool| {
        let mut play = Play::new();
        play.state_at_zero().at(BALL, 0.0, 0.0, 0.0).flag(BALL, "open", true);
        play.at("bed", 0.0, 0.0, 0.0).at("desk", 1.0, 0.0, 0.0);
        play.state().flag(BALL, "open", false);
        if again {
            play.list("desk");
        }
        play
    };
    assert_eq!(intervals(game, &play(false)), []);
    assert_eq!(intervals(game, &play(true)), [(1, 2)]);
}

#[test]
fn measures_are_taken_in_the_state_after() {
    let mut play = Play::new();
    for (x, open) in [(1.0, true), (2.0, true), (3.0, false)] {
        play.state().at("bed", 0.0, 0.0, 0.0).at("desk", x, 0.0, 0.0).flag("desk", "open", open);
    }
    let report = report(
        "(:constraints (preference p (then (once-measure (open desk) (distance bed desk)) (once (not (open desk))))))
         (:scoring (count-measure p))",
        &play,
    );
    assert_eq!(report.score, Ok(3.0));
}

#[test]
fn the_game_ends_in_the_state_after_the_one_that_ends_it() {
    let game = "(:constraints (and
            (preference p (then (once (toggled_on desk)) (once (toggled_on bed))))
            (preference q (at-end (toggled_on floor)))))
        (:terminal (>= (count p) 1)) (:scoring (+ (count p) (* 10 (count q))))";
    let report = report(game, &letters(&["A", "B", "AC", "B", "A", "B"]));
    assert_eq!((report.score, report.states, report.terminal), (Ok(11.0), 3, Some(3)));
}

#[test]
fn game_over_is_known_in_the_last_state() {
    let pattern = spelled("(then (once A) (hold B) (once (or C (game_over))))");
    assert_eq!(intervals(&pattern, &letters(&["A", "B", "B"])), [(1, 3)]);
}

#[test]
fn a_terminal_condition_without_a_value_is_an_error() {
    let game = "(:constraints (preference p (then (once (toggled_on desk)))))
        (:terminal (>= (/ 1 (count p)) 1)) (:scoring (count p))";
    let report = report(game, &letters(&["A", ""]));
    assert!(failure(&report).ends_with("in state 1: division by zero in the terminal condition"));
}

#[test]
fn optional_setup_is_remembered_only_where_the_conditions_before_it_hold() {
    let game = "(:setup (and (game-conserved (toggled_on desk)) (game-optional (toggled_on bed))))
        (:constraints (preference p (then (once (toggled_on floor))))) (:scoring (count p))";
    let score = |states: &[&str]| report(game, &letters(states)).score;
    assert_eq!(score(&["B", "AC"]), Ok(0.0));
    assert_eq!(score(&["AB", "AC"]), Ok(1.0));
}

#[test]
fn conserved_setup_keeps_its_first_binding() {
    let game = "(:setup (exists (?b - dodgeball) (game-conserved (open ?b))))
        (:constraints (preference p (then (once (toggled_on floor))))) (:scoring (count p))";
    let mut play = letters(&["C"]);
    play.at(BALL, 0.0, 0.0, 0.0).flag(BALL, "open", true).at(OTHER_BALL, 0.0, 0.0, 0.0);
    play.state().flag(BALL, "open", false).flag(OTHER_BALL, "open", true).list("floor");
    let report = report(game, &play);
    assert_eq!((report.score, report.setup_met), (Ok(1.0), true));
    assert_eq!(report.remarks.len(), 1, "the setup does not hold at the end");
}

#[test]
fn a_thing_that_leaves_for_a_new_building_stays_in_the_old_one() {
    let [a, b, ..] = BLOCKS;
    let mut play = Play::new();
    let mut place = |block: &str, x: f64, touching: &[&str]| {
        play.state().hold(Some(block)).at(block, x, 0.0, 0.0).touch(block, &[]);
        play.state().hold(None).list(block).speed(block, 0.0).touch(block, touching);
    };
    place(a, 0.0, &[]);
    place(b, 1.0, &[a]);
    // The block is pushed away, not carried.
    play.state().at(b, 3.0, 0.0, 0.0).speed(b, 1.0);
    play.state().speed(b, 0.0).touch(b, &[]);
    let game = "(forall (?b - building) (preference p (exists (?l - block) (at-end (in ?b ?l)))))";
    let report = report(&format!("(:constraints {game}) (:scoring (count p))"), &{
        // Evaluating `in` at the end requires that every block has been listed.
        for block in &BLOCKS[2..] {
            play.at(block, 9.0, 0.0, 9.0);
        }
        play
    });
    assert_eq!(report.score, Ok(3.0));
    let world = Play::new();
    let two_blocks = |name: &str| {
        let object = world.object(name);
        report.preferences[0]
            .satisfactions
            .iter()
            .filter(|found| found.binding.iter().any(|(_, o)| *o == object))
            .count()
    };
    assert_eq!((two_blocks(a), two_blocks(b)), (1, 2));
}

#[test]
fn specific_names_select_nothing_in_scores() {
    let game = |of: &str| {
        format!(
            "(:constraints (forall (?b - dodgeball) (preference p (then (once (open ?b))))))
             (:scoring (count p:{of}))"
        )
    };
    let mut play = Play::new();
    play.state().at(BALL, 0.0, 0.0, 0.0).flag(BALL, "open", true);
    assert_eq!(report(&game("dodgeball"), &play).score, Ok(1.0));
    assert_eq!(report(&game("dodgeball_blue"), &play).score, Ok(0.0));
}

/// The maximum over a preference without satisfactions is 0.0.
#[test]
fn maxima_of_nothing_are_nothing() {
    let body = "(then (once (open ?b)) (once (not (open ?b))))";
    let game = |count: &str| {
        format!(
            "(:constraints (forall (?b - dodgeball) (preference p {body}))) (:scoring (external-forall-maximize ({count} p)))"
        )
    };
    let mut play = Play::new();
    play.state().at(BALL, 0.0, 0.0, 0.0).flag(BALL, "open", false);
    for count in ["count", "count-once", "count-once-per-objects"] {
        assert_eq!(report(&game(count), &play).score, Ok(0.0), "{count}");
    }
    play.state().flag(BALL, "open", true);
    play.state().flag(BALL, "open", false);
    assert_eq!(report(&game("count"), &play).score, Ok(1.0));
}

/// The operand of a maximum is evaluated once for each binding, regardless of the number of enclosing maxima.
#[test]
fn maxima_within_one_another_end() {
    let nested = (0..30).fold("(count p)".to_owned(), |inner, _| format!("(external-forall-maximize {inner})"));
    let game = format!(
        "(:constraints (forall (?b - dodgeball) (preference p (then (once (open ?b)) (once (not (open ?b)))))))
         (:scoring {nested})"
    );
    let mut play = Play::new();
    for open in [true, false, true, false] {
        play.state();
        for ball in [BALL, OTHER_BALL] {
            play.at(ball, 0.0, 0.0, 0.0).flag(ball, "open", open);
        }
    }
    assert_eq!(report(&game, &play).score, Ok(2.0));
}

#[test]
fn overlapping_counts_simultaneous_satisfactions() {
    let body = "(exists (?b - dodgeball) (then (once (open ?b)) (once (not (open ?b)))))";
    let mut play = Play::new();
    for (one, other) in [(true, false), (false, true), (true, false), (false, false)] {
        play.state().at(BALL, 0.0, 0.0, 0.0).flag(BALL, "open", one);
        play.at(OTHER_BALL, 0.0, 0.0, 0.0).flag(OTHER_BALL, "open", other);
    }
    let game = format!("(:constraints (preference p {body})) (:scoring (count-overlapping p))");
    assert_eq!(intervals(body, &play), [(1, 2), (2, 3), (3, 4)]);
    assert_eq!(report(&game, &play).score, Ok(2.0));
}

#[test]
fn errors_leave_no_score_and_keep_the_satisfactions_found() {
    let mut play = Play::new();
    play.state().at(BALL, 0.0, 0.0, 0.0).flag(BALL, "open", true);
    let found = "(preference p (exists (?b - dodgeball) (then (once (open ?b)))))";
    let unseen = "(preference q (exists (?c - chair) (at-end (open ?c))))";
    let report = report(&format!("(:constraints (and {found} {unseen})) (:scoring (count p))"), &play);
    assert!(failure(&report).contains("fails in state 1: a predicate refers to an object that was never observed"));
    assert_eq!(report.preferences[0].satisfactions.len(), 1);
}

#[test]
fn positions_of_objects_that_never_moved_are_errors() {
    let game = "(:constraints (preference p (then (once (open desk)) (once (open bed))))) (:scoring (count-unique-positions p))";
    let mut play = Play::new();
    play.state().at("desk", 0.0, 0.0, 0.0).flag("desk", "open", true).at("bed", 0.0, 0.0, 0.0);
    play.state().flag("bed", "open", true);
    assert!(failure(&report(game, &play)).contains("never moved"));
}

#[test]
fn universally_quantified_preferences_are_errors() {
    let game = "(:constraints (preference p (forall (?b - dodgeball) (then (once (open ?b)))))) (:scoring (count p))";
    assert!(failure(&report(game, &letters(&["A"]))).contains("`forall`"));
}

#[test]
fn totals_end_no_game() {
    let game = "(:constraints (preference p (then (once (toggled_on desk)))))
        (:terminal (or (>= (total-time) 1) (>= (total-score) 0))) (:scoring (count p))";
    let report = report(game, &letters(&["A", "", "A"]));
    assert_eq!((report.score, report.states), (Ok(2.0), 3));
    assert_eq!(report.remarks.len(), 1);
}

#[test]
fn too_many_bindings_are_an_error() {
    let variables = "?a ?b ?c ?d ?e - game_object";
    let game = format!(
        "(:constraints (preference p (exists ({variables}) (at-end (and (open ?a) (open ?b) (open ?c) (open ?d) (open ?e))))))
         (:scoring (count p))"
    );
    assert!(
        failure(&report(&game, &letters(&["A"]))).starts_with("limit exceeded: a quantifier ranges over more than")
    );
}

/// The evaluations of a setup are work, so that a limit ends them.
#[test]
fn evaluations_of_the_setup_are_work() {
    let pair = |a: &str, b: &str, inner: String| format!("(exists ({a} {b} - game_object) {inner})");
    let body =
        pair("?a", "?b", pair("?c", "?d", pair("?e", "?f", "(and (near ?a ?c) (near ?b ?e) (near ?d ?f))".into())));
    let text = format!(
        "(define (game test) (:domain few-objects-room-v1) (:setup (game-optional {body})) \
         (:constraints (preference p (then (once (toggled_on desk))))) (:scoring (count p)))"
    );
    let source = goalspec_testing::texts::source("game", &text);
    let parsed = parse::parse(&source);
    let play = letters(&["A"]);
    let mut monitor = RewardMachine::new(&parsed.games[0], play.world());
    monitor.work().set_limit(100_000);
    play.run(&mut monitor, true);
    assert!(monitor.work().is_exceeded(), "{}", monitor.work().spent());
    assert!(monitor.work().spent() < 1_000_000, "{}", monitor.work().spent());
}

#[test]
fn numbers_out_of_range_are_an_error() {
    let huge = "1".repeat(200);
    let game =
        format!("(:constraints (preference p (then (once (toggled_on desk))))) (:scoring (* {huge} {huge} (count p)))");
    assert_eq!(report(&game, &letters(&["A"])).score, Err(ScoreError::OutOfRange));
}

/// An empty sum is 0, not negative zero.
#[test]
fn no_satisfactions_count_as_positive_zero() {
    let game = "(:constraints (preference p (then (once (toggled_on desk))))) (:scoring (count p))";
    assert_eq!(report(game, &letters(&[""])).score.map(f64::to_bits), Ok(0));
}

/// The work budget stops a score that repeatedly counts many satisfactions.
#[test]
fn counting_is_work() {
    let counts = "(count-overlapping p) ".repeat(1000);
    let game = format!("(:constraints (preference p (then (once (toggled_on desk))))) (:scoring (+ {counts}))");
    let text = format!("(define (game test) (:domain few-objects-room-v1) {game})");
    let source = goalspec_testing::texts::source("game", &text);
    let parsed = parse::parse(&source);
    let play = letters(&["A"; 50]);
    let mut monitor = RewardMachine::new(&parsed.games[0], play.world());
    play.run(&mut monitor, true);
    assert!(monitor.work().spent() > 50_000, "{}", monitor.work().spent());
}

#[test]
fn a_play_without_states_has_no_score() {
    let game = "(:constraints (preference p (then (once (toggled_on desk))))) (:scoring (count p))";
    assert_eq!(report(game, &Play::new()).score, Err(ScoreError::NoStates));
}

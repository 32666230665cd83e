//! The order of goals by difficulty.

use std::path::{Path, PathBuf};

use goalspec::grading::{Difficulty, GradedGoal, Grading, grade};
use goalspec::library::{Library, LibraryOptions};
use goalspec::playability::{PlayabilityOptions, Possibility};
use goalspec::trace::TraceInput;

fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name)
}

fn graded(texts: &[(&str, &str)], plays: &[&str]) -> Vec<GradedGoal> {
    grading(texts, plays).goals
}

fn grading(texts: &[(&str, &str)], plays: &[&str]) -> Grading {
    let library = Library::from_texts(texts.iter().copied(), LibraryOptions::default());
    let plays: Vec<TraceInput> = plays.iter().map(|name| TraceInput::File(example(name))).collect();
    let options = PlayabilityOptions { simulations: 20, ..PlayabilityOptions::default() };
    grade(&library, &plays, &options, &|_| {})
}

fn game(name: &str, preferences: &[&str]) -> String {
    let preferences: Vec<String> =
        preferences.iter().enumerate().map(|(place, body)| format!("(preference p{place} {body})")).collect();
    format!(
        "(define (game {name}) (:domain few-objects-room-v1) (:constraints (and {})) (:scoring (count p0)))",
        preferences.join(" ")
    )
}

/// One play achieves it, in which somebody throws dodgeballs into the bin.
const THROWN: &str = "(exists (?d - dodgeball ?h - hexagonal_bin) (then (once (agent_holds ?d))
    (hold (and (not (agent_holds ?d)) (in_motion ?d))) (once (and (not (in_motion ?d)) (in ?h ?d)))))";
/// The other play achieves it, in which somebody builds with blocks.
const CARRIED: &str = "(exists (?b - cube_block) (then (once (agent_holds ?b)) (once (not (agent_holds ?b)))))";
/// Neither play achieves it.
const ON_BED: &str = "(exists (?d - dodgeball) (at-end (on ?d bed)))";

#[test]
fn a_game_that_more_plays_achieve_is_easier() {
    let plays = ["game/play.jsonl", "game/build.jsonl"];
    let texts = [
        ("a-both.game", game("both", &[THROWN, CARRIED])),
        ("b-never.game", game("never", &[ON_BED])),
        ("c-held.game", game("held", &[THROWN])),
        ("d-half.game", game("half", &[THROWN, ON_BED])),
    ];
    let texts: Vec<(&str, &str)> = texts.iter().map(|(name, text)| (*name, &**text)).collect();
    let goals = graded(&texts, &plays);
    let order: Vec<&str> = goals.iter().map(|goal| &*goal.program).collect();
    assert_eq!(order, ["a-both.game", "c-held.game", "d-half.game", "b-never.game"], "{goals:#?}");
    let values: Vec<Option<Difficulty>> = goals.iter().map(|goal| goal.difficulty).collect();
    let plays = |value| Some(Difficulty::Plays(value));
    assert_eq!(values, [plays(0.5), plays(0.5), plays(0.75), None]);
    // The first game has none before it, and the last one has the part of another that nobody achieved.
    assert_eq!(goals[0].nearest, None);
    let nearest = |place: usize| goals[place].nearest.as_ref().map(|nearest| (&*nearest.program, nearest.edits > 0));
    // Like the third game, the first one has two preferences, one of them the same.
    assert_eq!(nearest(2), Some(("a-both.game", true)));
    assert!(nearest(3).is_some());
}

#[test]
fn plays_about_other_worlds_do_not_count() {
    let thrown = game("thrown", &[THROWN]);
    let texts = [("thrown.game", &*thrown)];
    let alone = graded(&texts, &["game/play.jsonl"]);
    assert_eq!(alone[0].difficulty, Some(Difficulty::Plays(0.0)));
    let with_another = grading(&texts, &["game/play.jsonl", "worlds/make-tea.jsonl"]);
    assert_eq!(with_another.goals, alone);
    let [reason] = &with_another.unscored[..] else { panic!("{:?}", with_another.unscored) };
    assert!(reason.contains("make-tea.jsonl was not scored: "), "{reason}");
}

#[test]
fn impossible_goals_come_last_without_a_difficulty() {
    let never = "(exists (?b - ball) (at-end (and (in_motion ?b) (not (in_motion ?b)))))";
    let (impossible, on_bed) = (game("impossible", &[THROWN, never]), game("on-bed", &[ON_BED]));
    let goals = graded(&[("a.game", &impossible), ("b.game", &on_bed)], &["game/play.jsonl"]);
    let order: Vec<(&str, Possibility, Option<Difficulty>)> =
        goals.iter().map(|goal| (&*goal.program, goal.possibility, goal.difficulty)).collect();
    assert_eq!(order, [("b.game", Possibility::NotShown, None), ("a.game", Possibility::Impossible, None)]);
}

#[test]
fn games_of_one_name_and_games_without_a_tree_are_graded_too() {
    let two = format!("{}\n{}", game("same", &[THROWN]), game("same", &[THROWN, CARRIED, ON_BED]));
    // The grammar of generated games has no comparison of a time with a count.
    let counted = game("counted", &[THROWN]).replace("(:scoring", "(:terminal (>= (total-time) (count p0))) (:scoring");
    let goals = graded(&[("two.game", &two), ("counted.game", &counted)], &["game/play.jsonl"]);
    assert_eq!(goals.len(), 3);
    let of = |name: &str| goals.iter().find(|goal| &*goal.program == name).expect("a goal");
    assert_eq!(of("counted.game").nearest, None);
    let same: Vec<u32> = goals.iter().filter_map(|goal| goal.nearest.as_ref()).map(|nearest| nearest.edits).collect();
    assert!(same.len() == 1 && same[0] > 0, "{goals:#?}");
}

#[test]
fn a_game_over_a_planning_problem_is_graded_by_plans() {
    let read = |name: &str| std::fs::read_to_string(example(name)).expect("an example");
    let (domain, problem) = (read("pddl/delivery/domain.pddl"), read("pddl/delivery/one_van.pddl"));
    let delivered = "(define (game delivered) (:domain delivery) (:constraints (preference p
        (exists (?p - parcel ?v - van) (at-end (in ?p ?v))))) (:scoring (count p)))";
    let texts = [("domain.pddl", &*domain), ("one_van.pddl", &*problem), ("delivered.game", delivered)];
    let goals = graded(&texts, &[]);
    let game = goals.iter().find(|goal| &*goal.program == "delivered.game");
    let game = game.unwrap_or_else(|| panic!("{goals:#?}"));
    assert_eq!(game.possibility, Possibility::Possible, "{goals:#?}");
    assert!(matches!(game.difficulty, Some(Difficulty::Plan(_))), "{goals:#?}");
}

#[test]
fn without_plays_nothing_is_shown_of_games() {
    let goals = graded(&[("held.game", &game("held", &[THROWN]))], &[]);
    let possibility = Possibility::NotShown;
    assert_eq!(goals, [GradedGoal { program: "held.game".into(), possibility, difficulty: None, nearest: None }]);
}

#[test]
fn problems_are_graded_by_plans_and_resource_games_by_their_length() {
    let read = |name: &str| std::fs::read_to_string(example(name)).expect("an example");
    let texts = [
        ("domain.pddl", read("pddl/delivery/domain.pddl")),
        ("climb.yaml", read("rgg/climb.yaml")),
        ("two_vans.pddl", read("pddl/delivery/two_vans.pddl")),
        ("one_van.pddl", read("pddl/delivery/one_van.pddl")),
    ];
    let texts: Vec<(&str, &str)> = texts.iter().map(|(name, text)| (*name, &**text)).collect();
    let goals = graded(&texts, &[]);
    let [first, second, last] = &goals[..] else { panic!("{goals:#?}") };
    let steps = |goal: &GradedGoal| match goal.difficulty {
        Some(Difficulty::Plan(steps)) => steps,
        other => panic!("{other:?}"),
    };
    assert!(steps(first) <= steps(second) && steps(first) > 0);
    assert_eq!(&*last.program, "climb.yaml");
    assert!(matches!(last.difficulty, Some(Difficulty::Simulation(turns)) if turns > 1.0), "{last:?}");
}

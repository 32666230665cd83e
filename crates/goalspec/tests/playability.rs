//! Whether programs can be achieved: every witness holds up, and what cannot be achieved is proved.

use std::path::Path;
use std::sync::Arc;

use goalspec::library::{Library, LibraryOptions};
use goalspec::playability::{PartVerdict, Playability, PlayabilityOptions, PlayablePart, Possibility, Witness, judge};
use goalspec::trace::TraceInput;

fn example(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
    std::fs::read_to_string(path).expect("an example")
}

fn judged(texts: &[(&str, String)], plays: &[&str], options: &PlayabilityOptions) -> Vec<Playability> {
    let library = Library::from_texts(texts.iter().cloned(), LibraryOptions::default());
    let plays: Vec<TraceInput> =
        plays.iter().map(|name| TraceInput::Bytes((*name).into(), example(name).into_bytes().into())).collect();
    judge(&library, &plays, options, &|_| {})
}

fn part<'j>(judged: &'j Playability, name: &str) -> &'j PlayablePart {
    judged.parts.iter().find(|part| part.part.to_string() == name).expect("a part")
}

fn witness<'j>(judged: &'j Playability, name: &str) -> &'j Witness {
    match &part(judged, name).verdict {
        PartVerdict::Possible(witness) => witness,
        other => panic!("{name}: {other:?}"),
    }
}

fn room_game(sections: &str) -> [(&'static str, String); 1] {
    [("own.game", format!("(define (game own) (:domain few-objects-room-v1) {sections})"))]
}

#[test]
fn a_recorded_play_shows_each_part_of_a_game() {
    let game = [("throw.game", example("game/throw-to-bin.game"))];
    let plays = ["game/build.jsonl", "game/play.jsonl"];
    let all = judged(&game, &plays, &PlayabilityOptions::default());
    let [game] = &all[..] else { panic!("{all:?}") };
    assert_eq!(game.possibility(), Possibility::NotShown, "nobody threw from afar");
    assert_eq!(game.complete_play, None);
    assert_eq!((part(game, "setup").plays, part(game, "throwToBin").plays), (2, 1));
    let Witness::Play { trace, start, end, binding, operators } = witness(game, "throwToBin") else { panic!("a play") };
    assert_eq!((&**trace, *start, *end), ("game/play.jsonl", 48, 56));
    assert_eq!(binding.len(), 2);
    // The operators follow each other without a gap.
    assert_eq!(operators.len(), 3);
    assert_eq!((operators[0].start, operators[2].end), (48, 56));
    assert!(operators.windows(2).all(|pair| pair[0].end + 1 == pair[1].start), "{operators:?}");
    let PartVerdict::NotShown(reasons) = &part(game, "throwFromAfar").verdict else { panic!("not shown") };
    assert_eq!(reasons[..], ["none of 2 recorded plays achieves it"]);
}

#[test]
fn one_play_can_achieve_a_whole_game() {
    let game = [("tower.game", example("game/tower.game"))];
    let all = judged(&game, &["game/play.jsonl", "game/build.jsonl"], &PlayabilityOptions::default());
    assert_eq!(all[0].possibility(), Possibility::Possible);
    assert_eq!(all[0].complete_play.as_deref(), Some("game/build.jsonl"));
}

#[test]
fn preferences_are_judged_without_the_setup_and_the_end() {
    let game = room_game(
        "(:setup (exists (?b - ball) (game-conserved (on desk ?b))))
         (:constraints (preference held (exists (?b - ball) (then (once (agent_holds ?b)) (once (not (agent_holds ?b)))))))
         (:terminal (>= (total-time) 0)) (:scoring (count held))",
    );
    let all = judged(&game, &["game/play.jsonl"], &PlayabilityOptions::default());
    assert!(matches!(witness(&all[0], "held"), Witness::Play { .. }));
}

/// Without its setup, nothing is an object of the setup, so such a preference is judged with it.
#[test]
fn preferences_about_the_setup_are_judged_with_it() {
    let body = |inner: &str| {
        format!(
            "(:setup (exists (?b - ball) (game-conserved (adjacent ?b agent))))
             (:constraints (preference p (exists (?b - ball) (then (once {inner}) (once (agent_holds ?b))))))
             (:scoring (count p))"
        )
    };
    for inner in ["(is_setup_object ?b)", "(not (is_setup_object ?b))"] {
        let all = judged(&room_game(&body(inner)), &["game/play.jsonl"], &PlayabilityOptions::default());
        assert!(!matches!(part(&all[0], "p").verdict, PartVerdict::Impossible(_)), "{:?}", all[0]);
    }
    let never =
        "(:constraints (preference p (exists (?b - ball) (at-end (not (is_setup_object ?b)))))) (:scoring (count p))";
    let all = judged(&room_game(never), &["game/play.jsonl"], &PlayabilityOptions::default());
    assert!(matches!(witness(&all[0], "p"), Witness::Play { .. }), "a game without a setup has no objects of it");
}

#[test]
fn contradictions_are_impossible() {
    let bodies = [
        ("(exists (?b - ball) (at-end (and (in_motion ?b) (not (in_motion ?b)))))", true),
        ("(exists (?b - ball) (then (once (agent_holds ?b)) (once (and (in_motion ?b) (not (in_motion ?b))))))", true),
        ("(exists (?b - ball) (then (once (agent_holds ?b)) (hold (in_motion ?b)) (once (agent_holds ?b))))", false),
        ("(exists (?b - ball) (at-end (or (in_motion ?b) (not (in_motion ?b)))))", false),
    ];
    for (body, is_impossible) in bodies {
        let game = room_game(&format!("(:constraints (preference p {body})) (:scoring (count p))"));
        let all = judged(&game, &[], &PlayabilityOptions::default());
        let found = matches!(part(&all[0], "p").verdict, PartVerdict::Impossible(_));
        assert_eq!(found, is_impossible, "{body}: {:?}", all[0]);
        let expected = if is_impossible { Possibility::Impossible } else { Possibility::NotShown };
        assert_eq!(all[0].possibility(), expected);
    }
}

#[test]
fn problems_are_planned_for_and_so_are_preferences_about_them() {
    let domain = "(define (domain d) (:requirements :strips) (:predicates (lit ?x) (switch ?x))
        (:action light :parameters (?x) :precondition (switch ?x) :effect (lit ?x)))";
    let problem = |name: &str, goal: &str| {
        format!("(define (problem {name}) (:domain d) (:objects a b) (:init (switch a)) (:goal {goal}))")
    };
    let texts = [
        ("domain.pddl", domain.to_owned()),
        ("can.pddl", problem("can", "(lit a)")),
        ("cannot.pddl", problem("cannot", "(lit b)")),
        (
            "own.game",
            "(define (game own) (:domain d) (:constraints (and (preference both (exists (?x - object)
               (then (once (not (lit ?x))) (once (lit ?x))))) (preference other (at-end (lit b))))) (:scoring (count both)))"
                .to_owned(),
        ),
    ];
    let all = judged(&texts, &[], &PlayabilityOptions::default());
    let of = |name: &str| all.iter().find(|judged| judged.program.starts_with(name)).expect("a program");
    let Witness::Plan { steps, .. } = witness(of("can."), "goal") else { panic!("a plan") };
    assert_eq!(steps[..], ["(light a)"]);
    assert_eq!(of("cannot.").possibility(), Possibility::Impossible);
    assert!(matches!(witness(of("own."), "both"), Witness::Plan { .. }));
    // That no plan from the given initial states reaches it proves nothing about other ones.
    assert!(matches!(part(of("own."), "other").verdict, PartVerdict::NotShown(_)), "{:?}", of("own."));
}

#[test]
fn simulated_games_show_choices_and_ends() {
    let game = [("climb.yaml", example("rgg/climb.yaml"))];
    let all = judged(&game, &[], &PlayabilityOptions::default());
    assert_eq!(all[0].possibility(), Possibility::Possible);
    let Witness::Simulation { seed: 0, index: 0, turn, .. } = witness(&all[0], "end") else { panic!("a simulation") };
    assert!(*turn > 1);
    // Without simulated games, nothing is shown.
    let none = judged(&game, &[], &PlayabilityOptions { simulations: 0, ..PlayabilityOptions::default() });
    assert_eq!(none[0].possibility(), Possibility::NotShown);
}

#[test]
fn the_judgement_is_the_same_on_any_number_of_threads() {
    let game = |number: usize| {
        format!(
            "(define (game g{number}) (:domain few-objects-room-v1) (:constraints (preference p{number}
               (exists (?b - ball) (then (once (agent_holds ?b)) (hold (in_motion ?b)) (once (not (in_motion ?b))))))) (:scoring (count p{number})))"
        )
    };
    let games: Vec<String> = (0..40).map(game).collect();
    let texts = [("many.game", games.join("\n"))];
    let alone = judged(&texts, &["game/play.jsonl"], &PlayabilityOptions::default());
    assert_eq!(alone.len(), 40);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().expect("threads");
    let mut options = PlayabilityOptions::default();
    options.scoring.pool = Some(Arc::new(pool));
    assert_eq!(alone, judged(&texts, &["game/play.jsonl"], &options));
}

/// A recording may have further blocks, so a preference that needs three of them is not impossible in a world that names two.
#[test]
fn recordings_with_further_objects_make_more_possible() {
    let world = |discover: bool| {
        format!(
            "name = \"table\"\n\n[types]\nblock = {{ discover = {discover} }}\n\n[objects]\nblock_1 = {{ type = \"block\" }}\nblock_2 = {{ type = \"block\" }}\n\n[predicates.on]\nparameters = \"?a ?b - block\"\nstored = true\n"
        )
    };
    let game = "(define (game three) (:domain table) (:constraints (preference p (exists (?a ?b ?c - block)
        (at-end (and (on ?a ?b) (on ?b ?c)))))) (:scoring (count p)))";
    for discover in [true, false] {
        let texts = [("table.world.toml", world(discover)), ("three.game", game.to_owned())];
        let all = judged(&texts, &[], &PlayabilityOptions::default());
        let [three] = &all[..] else { panic!("{all:?}") };
        let verdict = &part(three, "p").verdict;
        assert_eq!(matches!(verdict, PartVerdict::Impossible(_)), !discover, "{verdict:?}");
    }
}

/// Games of one name are judged by themselves.
#[test]
fn games_of_the_same_name_are_told_apart() {
    let game = |body: &str| {
        format!(
            "(define (game demo) (:domain few-objects-room-v1) (:constraints (preference p (exists (?b - ball)
               {body}))) (:scoring (count p)))"
        )
    };
    let held = game("(then (once (agent_holds ?b)) (once (not (agent_holds ?b))))");
    let never = game("(then (once (and (agent_holds ?b) (in_motion bed))) (once (not (agent_holds ?b))))");
    let all = judged(&[("two.game", format!("{held}\n{never}"))], &["game/play.jsonl"], &PlayabilityOptions::default());
    let found: Vec<_> = all.iter().map(|own| (own.possibility(), own.parts[0].plays)).collect();
    assert_eq!(found[0], (Possibility::Possible, 1));
    assert_ne!(found[1].0, Possibility::Possible, "{all:?}");
    assert_eq!(found[1].1, 0);
}

/// In a complete play, every preference is satisfied before the game ends.
#[test]
fn a_game_that_ends_too_early_is_not_complete() {
    let complete = |terminal: &str| {
        let game = room_game(&format!(
            "(:constraints (preference p (exists (?b - ball) (then (once (agent_holds ?b)) (once (not (agent_holds ?b)))))))
             (:terminal {terminal}) (:scoring (count p))"
        ));
        judged(&game, &["game/play.jsonl"], &PlayabilityOptions::default())[0].complete_play.clone()
    };
    assert!(complete("(>= (count p) 999)").is_some());
    assert_eq!(complete("(>= (total-time) 0)"), None);
}

/// A definition of the world can be about the setup too, so that nothing is proved of a preference with it.
#[test]
fn definitions_about_the_setup_are_judged_with_it() {
    let world = "name = \"shelf\"\n\n[types]\nbox = {}\n\n[objects]\nbox_1 = { type = \"box\" }\n\n[predicates.full]\nparameters = \"?b - box\"\nstored = true\n\n[predicates.chosen]\nparameters = \"?b - box\"\nholds = \"(in-setup ?b)\"\n";
    let game = "(define (game own) (:domain shelf) (:setup (exists (?b - box) (game-conserved (full ?b))))
        (:constraints (preference p (exists (?b - box) (at-end (chosen ?b))))) (:scoring (count p)))";
    let texts = [("shelf.world.toml", world.to_owned()), ("own.game", game.to_owned())];
    let all = judged(&texts, &[], &PlayabilityOptions::default());
    let verdict = &part(&all[0], "p").verdict;
    assert!(matches!(verdict, PartVerdict::NotShown(_)), "{verdict:?}");
}

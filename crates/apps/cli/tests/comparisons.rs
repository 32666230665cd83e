//! The programs that `diff` and `equiv` compare.

use crate::common::Folder;

/// Returns a game in which a ball must be in a place, or on it.
fn game(name: &str, condition: &str) -> String {
    format!(
        "(define (game {name}) (:domain few-objects-room-v1)
            (:constraints (and (preference p (exists (?d - dodgeball) (at-end {condition})))))
            (:scoring (count p)))\n"
    )
}

fn games() -> String {
    ["(on desk ?d)", "(on bed ?d)", "(on desk ?d)"]
        .iter()
        .zip(["a", "b", "c"])
        .map(|(at, name)| game(name, at))
        .collect()
}

#[test]
fn one_of_several_games_is_chosen_by_name() {
    let folder = Folder::new();
    folder.write("all.pddl", games());
    folder.write("one.game", game("one", "(on desk ?d)"));
    for (arguments, code) in [
        ("all.pddl#a all.pddl#c", 0),
        ("all.pddl#a all.pddl#b", 1),
        ("one.game all.pddl#c", 0),
        ("all.pddl#b one.game", 1),
    ] {
        let done = folder.run(&format!("diff {arguments}"));
        assert_eq!(done.code, Some(code), "{}", done.all());
    }
}

#[test]
fn a_file_of_several_games_without_a_name_is_refused() {
    let folder = Folder::new();
    folder.write("all.pddl", games());
    folder.write("one.game", game("one", "(on desk ?d)"));
    for (arguments, message) in [
        (
            "one.game all.pddl",
            "`all.pddl` contains 3 programs that can be compared: `all.pddl#a`, `all.pddl#b`, `all.pddl#c`; specify one, such as \
             `all.pddl#a`",
        ),
        ("one.game all.pddl#d", "there is no program `all.pddl#d`; the file contains 3: `all.pddl#a`"),
        ("one.game#x one.game", "the file contains one program only; specify it without `#x`"),
    ] {
        let done = folder.run(&format!("diff {arguments}"));
        assert_eq!((done.code, done.out.as_str()), (Some(2), ""), "{}", done.all());
        assert!(done.err.contains(message), "{}", done.all());
    }
    // A file whose name contains the sign is that file.
    folder.write("one#a.game", game("one", "(on desk ?d)"));
    assert_eq!(folder.run("diff one.game one#a.game").code, Some(0));
}

#[test]
fn the_output_of_a_comparison_is_none_of_its_inputs() {
    let folder = Folder::new();
    let play = folder.read("examples/game/play.jsonl");
    folder.write("all.pddl", games());
    folder.write("play.jsonl", &play);
    for output in ["play.jsonl", "all.pddl"] {
        let done = folder.run(&format!("diff all.pddl#a all.pddl#b --trace play.jsonl -o {output}"));
        assert_eq!(done.code, Some(2), "{}", done.all());
        assert!(done.err.contains("is also an input"), "{}", done.all());
    }
    assert_eq!((folder.read("play.jsonl"), folder.read("all.pddl")), (play, games()));
}

#[test]
fn conditions_without_a_state_leave_a_comparison_undecided() {
    let folder = Folder::new();
    let tower = |middle: &str| {
        format!(
            "(define (game tower) (:domain few-objects-room-v1)
                (:constraints (and (preference p (exists (?b - building ?l - block)
                    (then
                        (once (and (in ?b ?l) (>= (building_size ?b) 3)))
                        ({middle} (in ?b ?l))
                        (once (not (in ?b ?l))))))))
                (:scoring (count p)))"
        )
    };
    folder.write("hold.game", tower("hold"));
    folder.write("once.game", tower("once"));
    let done = folder.run("diff hold.game once.game");
    assert_eq!(done.code, Some(3), "{}", done.all());
    assert!(done.out.contains("a difference would need states for which none was found"), "{}", done.all());
}

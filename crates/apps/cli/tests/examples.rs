//! The bundled examples: the command of each runs in an empty folder without errors, and works in a new project created from it.

use crate::common::Folder;
use goalspec::examples::EXAMPLES;

/// Returns an empty folder.
fn empty() -> Folder {
    let folder = Folder::new();
    std::fs::remove_dir_all(folder.path("examples")).unwrap();
    folder
}

#[test]
fn each_is_shown_by_its_command() {
    let folder = empty();
    for example in EXAMPLES {
        let shown = folder.run(example.demo_command().strip_prefix("goalspec ").unwrap());
        assert_eq!(shown.code, Some(0), "{}: {}", example.demo_command(), shown.all());
        assert!(shown.out.lines().count() > 1, "{}: {}", example.demo_command(), shown.all());
        let checked = folder.run(&format!("check --deny-warnings @{}", example.name));
        assert_eq!(checked.code, Some(0), "{}: {}", example.name, checked.all());
    }
}

#[test]
fn each_begins_a_project() {
    let folder = empty();
    for example in EXAMPLES {
        let name = example.name;
        let made = folder.run(&format!("new --from {name} project/{name}"));
        assert_eq!(made.code, Some(0), "{}", made.all());
        example.files().for_each(|(file, text)| assert_eq!(folder.read(&format!("project/{name}/{file}")), text));
        let checked = folder.run(&format!("check --deny-warnings project/{name}"));
        assert_eq!(checked.code, Some(0), "{name}: {}", checked.all());
        let [bundled, copied] = [format!("@{name}"), format!("project/{name}")].map(|path| {
            let shown = folder.run(&format!("{} {path}", example.demo_arguments));
            assert_eq!(shown.code, Some(0), "{}", shown.all());
            shown.out.replace(&format!("{path}/"), "")
        });
        // These commands print elapsed times.
        if example.demo_arguments != "plan" && example.demo_arguments != "simulate" {
            assert_eq!(bundled, copied);
        }
    }
}

#[test]
fn one_file_of_an_example() {
    let folder = empty();
    let checked = folder.run("check @tower/tower.game");
    assert_eq!(checked.code, Some(0), "{}", checked.all());
    assert!(checked.out.contains("1 program checked"), "{}", checked.all());
    let info = folder.run("trace info @tower/build.jsonl");
    assert!(info.code == Some(0) && info.out.contains("few-objects-room-v1"), "{}", info.all());
}

#[test]
fn missing_files_are_reported() {
    let folder = empty();
    for (arguments, code, message) in [
        ("score @throw-to-bim", 1, "unknown example `@throw-to-bim`; did you mean `throw-to-bin`?"),
        ("check @nothing-like-it", 1, "the examples are throw-to-bin, tower,"),
        ("check @tower/nothing.game", 1, "unknown example"),
        ("new --from tpwer", 2, "did you mean `tower`?"),
    ] {
        let done = folder.run(arguments);
        assert_eq!(done.code, Some(code), "{arguments}: {}", done.all());
        assert!(done.all().contains(message), "{arguments}: {}", done.all());
    }
}

#[test]
fn existing_files_are_not_overwritten() {
    let folder = empty();
    folder.write("mine/play.jsonl", "mine");
    let refused = folder.run("new mine");
    assert_eq!(refused.code, Some(2), "{}", refused.all());
    assert!(refused.err.contains("`mine/play.jsonl` already exists"), "{}", refused.all());
    assert!(!folder.path("mine/throw-to-bin.game").exists(), "nothing is written unless all of it is");
    assert_eq!(folder.read("mine/play.jsonl"), "mine");
}

#[test]
fn a_folder_of_that_name_comes_first() {
    let folder = empty();
    folder.write("@tower/my.game", folder_game());
    let checked = folder.run("check @tower");
    assert!(checked.out.contains("1 program checked"), "{}", checked.all());
}

fn folder_game() -> &'static str {
    "(define (game mine) (:domain few-objects-room-v1)
  (:constraints (preference p (exists (?d - dodgeball) (at-end (on bed ?d)))))
  (:scoring (count p)))"
}

#[test]
fn first_words_fit_on_a_screen_and_suggest_commands_that_work() {
    let folder = Folder::new();
    for command in ["", "new --list"] {
        let done = folder.run(command);
        assert_eq!(done.code, Some(0), "{command}: {}", done.all());
        assert!(done.out.lines().all(|line| line.chars().count() <= 100), "{command}: {}", done.out);
    }
    let dashed = folder.run("new -- -x");
    assert_eq!(dashed.code, Some(0), "{}", dashed.all());
    assert!(dashed.out.contains("goalspec check ./-x\n"), "{}", dashed.out);
    assert_eq!(folder.run("check ./-x").code, Some(0), "{}", folder.run("check ./-x").all());
    // Without a formula, there is nothing to explain.
    folder.write(
        "nowhere.game",
        "(define (game g) (:domain nowhere) (:constraints (preference p (at-end (a)))) (:scoring 0))",
    );
    let described = folder.run("describe --ltl nowhere.game");
    assert!(!described.out.contains("Semantics over finite traces"), "{}", described.out);
    let described = folder.run("describe --ltl examples/game/throw-to-bin.game");
    assert!(described.out.contains("Semantics over finite traces"), "{}", described.out);
}

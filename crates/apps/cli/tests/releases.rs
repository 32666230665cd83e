//! Releases of the package `bddl` on the user's machine: fetching, configuration, and activities by name.

use std::path::Path;

use crate::common::{Done, Folder, GOALSPEC, finish, root};
use serde_json::Value;

const ACTIVITY: &str = "(define (problem shelving-0) (:domain omnigibson)
    (:objects appel.n.01_1 - appel.n.01 floor.n.01_1 - floor.n.01 agent.n.01_1 - agent.n.01)
    (:init (inroom floor.n.01_1 kitchen) (ontop agent.n.01_1 floor.n.01_1) (ontop appel.n.01_1 floor.n.01_1))
    (:goal (cooked ?appel.n.01_1)))
";

/// Writes a small release to a folder, with its own activity.
fn release(folder: &Folder, name: &str) {
    let small = root().join("crates/languages/bddl/tests/small/generated_data");
    copy(&small, &folder.path(name).join("bddl/generated_data"));
    folder.write(&format!("{name}/bddl/activity_definitions/shelving/problem0.bddl"), ACTIVITY);
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &to);
        } else {
            std::fs::copy(entry.path(), to).unwrap();
        }
    }
}

/// Runs `goalspec` with environment variables; one without a value is unset.
fn run(folder: &Folder, variables: &[(&str, Option<&str>)], arguments: &str) -> Done {
    let mut command = folder.command(GOALSPEC);
    for (name, value) in variables {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    finish(command.args(arguments.split(' ')), b"")
}

#[test]
fn releases_are_found_without_naming_their_folder() {
    let folder = Folder::new();
    release(&folder, "mine/bddl-3.6.0");
    folder.write("config.toml", "[bddl]\nknowledge = \"mine/bddl-3.6.0\"\n");
    folder.write("empty.toml", "");
    let places: [&[(&str, Option<&str>)]; 3] = [
        &[("GOALSPEC_BDDL", Some("mine/bddl-3.6.0"))],
        &[("GOALSPEC_BDDL", None), ("GOALSPEC_CONFIG", Some("config.toml"))],
        &[("GOALSPEC_BDDL", None), ("GOALSPEC_CONFIG", Some("empty.toml")), ("GOALSPEC_DATA", Some("mine"))],
    ];
    for place in places {
        for name in ["bddl:shelving", "bddl:shelving-0", "bddl:shel*"] {
            let described = run(&folder, place, &format!("describe {name}"));
            assert!(described.all().contains("appel.n.01"), "{place:?} {name}: {}", described.all());
            // The knowledge base shows that there are no objects of this kind.
            let checked = run(&folder, place, &format!("check {name}"));
            assert_eq!(checked.code, Some(1), "{}", checked.all());
            assert!(checked.out.contains("error[bddl/unknown-synset]"), "{place:?} {name}: {}", checked.all());
        }
        let unknown = run(&folder, place, "describe bddl:shelvin");
        assert_eq!(unknown.code, Some(1), "{}", unknown.all());
        assert!(unknown.err.contains("did you mean `shelving`?"), "{}", unknown.err);
        let number = run(&folder, place, "describe bddl:shelving-3");
        assert!(number.code == Some(1) && number.err.contains("no definition 3"), "{}", number.err);
    }
    let none = folder.run("describe bddl:shelving");
    assert!(none.code == Some(1) && none.err.contains("goalspec fetch bddl"), "{}", none.err);
    let named = folder.run("describe --knowledge mine/bddl-3.6.0 bddl:shelving");
    assert!(named.err.contains("bddl/unknown-synset"), "{}", named.all());
    folder.write("wrong.toml", "[bddl]\nknowlege = 1\n");
    let wrong: &[_] = &[("GOALSPEC_BDDL", None), ("GOALSPEC_CONFIG", Some("wrong.toml"))];
    let wrong = run(&folder, wrong, "check examples/bddl/watering_the_garden.bddl");
    assert!(wrong.code == Some(1) && wrong.out.contains("input/configuration"), "{}", wrong.all());
}

#[test]
fn releases_are_fetched_once() {
    let folder = Folder::new();
    release(&folder, "data/bddl-3.6.0");
    let there = folder.run("fetch bddl --into data");
    assert_eq!(there.code, Some(0), "{}", there.all());
    assert!(there.out.contains("already in data"), "{}", there.out);
    let record: Value = serde_json::from_str(&folder.run("fetch bddl --into data --format jsonl").out).unwrap();
    assert_eq!((&record["release"], &record["present"]), (&"3.6.0".into(), &true.into()));
    let unknown = folder.run("fetch bddl --release 2.0.0 --into data");
    assert!(unknown.code == Some(2) && unknown.err.contains("3.1.0"), "{}", unknown.all());
    let nowhere = run(&folder, &[("PATH", Some("nowhere"))], "fetch bddl --release 1.0.0 --into data");
    assert!(nowhere.code == Some(3) && nowhere.err.contains("pip"), "{}", nowhere.all());
}

#[test]
fn needs_are_listed_for_people_and_programs() {
    let folder = Folder::new();
    release(&folder, "mine");
    let watering = "examples/bddl/watering_the_garden.bddl";
    let text = folder.run(&format!("describe --needs {watering}")).out;
    for part in ["Predicates:", "covered, of 2 objects", "Properties:", "nonSubstance, for covered"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let record: Value = serde_json::from_str(&folder.run(&format!("describe --needs=json {watering}")).out).unwrap();
    let predicates = record["predicates"].as_array().unwrap();
    assert!(predicates.iter().any(|need| need["name"] == "covered" && need["arguments"] == 2), "{record}");
    assert!(record["properties"].as_array().unwrap().iter().all(|need| need["given"].is_null()), "{record}");
    let game = folder.run("describe --needs examples/game/throw-to-bin.game");
    assert!(game.code == Some(2) && game.err.contains("--needs requires an activity"), "{}", game.all());
}

/// The last line of a watched stream is the record of its score.
#[test]
fn watching_ends_with_the_record_of_the_score() {
    let folder = Folder::new();
    let program = "examples/bddl/watering_the_garden.bddl";
    let trace = folder.read("examples/bddl/watering.jsonl");
    let record = |arguments: String| -> Value {
        let done = folder.run_with(&arguments, trace.as_bytes());
        let mut record: Value = serde_json::from_str(done.out.lines().last().expect(&done.err)).unwrap();
        // The source of the states has two names.
        record.as_object_mut().unwrap().remove("trace").expect("it is named");
        record
    };
    assert_eq!(record(format!("watch {program} --format jsonl")), record(format!("score {program} - --format jsonl")));
}

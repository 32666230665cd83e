//! Household activities in every command: exit codes are as documented, and objects have the same names in all outputs.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::common::{Done, Folder, root};
use goalspec_testing::conformance;
use serde_json::Value;

/// Returns the names in a list of a PDDL or BDDL text such as `(:objects a b - t)`, without types.
fn declared(text: &str, list: &str) -> BTreeSet<String> {
    let Some((_, rest)) = text.split_once(&format!("({list}")) else { return BTreeSet::new() };
    let words = rest.split(')').next().unwrap_or_default().split_whitespace();
    let (mut names, mut is_type) = (BTreeSet::new(), false);
    for word in words {
        match word {
            "-" => is_type = true,
            _ if is_type => is_type = false,
            _ => drop(names.insert(word.to_owned())),
        }
    }
    names
}

/// Returns the names in the steps of a plan.
fn of_steps(plan: &str) -> BTreeSet<String> {
    let steps = plan.lines().filter(|line| line.starts_with('('));
    steps.flat_map(|step| step.trim_matches(['(', ')']).split(' ').skip(1).map(str::to_owned)).collect()
}

/// Returns the names in the actions of a trace, and those in its facts.
fn of_trace(trace: &str) -> [BTreeSet<String>; 2] {
    let (mut actions, mut facts) = (BTreeSet::new(), BTreeSet::new());
    for line in trace.lines() {
        let line: Value = serde_json::from_str(line).expect("it is JSON");
        actions.extend(line["action"].as_str().into_iter().flat_map(of_steps));
        for fact in ["facts", "not"].iter().filter_map(|key| line[key].as_array()).flatten() {
            facts.extend(fact.as_array().into_iter().flatten().skip(1).filter_map(Value::as_str).map(str::to_owned));
        }
    }
    [actions, facts]
}

/// Returns the name of an object in English: `mug.n.04_2` is mug 2, or the mug if it is the only one.
fn in_english(name: &str, names: &BTreeSet<String>) -> String {
    let (category, number) = name.rsplit_once('_').unwrap_or((name, ""));
    let noun = category.split('.').next().unwrap_or_default().replace('_', " ");
    let alike = names.iter().filter(|other| other.rsplit_once('_').is_some_and(|(other, _)| other == category)).count();
    if alike > 1 { format!("{noun} {number}") } else { format!("the {noun}") }
}

/// Returns names without dots, as PDDL requires.
fn in_names_of_pddl(names: &BTreeSet<String>) -> BTreeSet<String> {
    names.iter().map(|name| name.replace('.', "_")).collect()
}

/// Checks that the objects of an activity with a plan have the same names in the plan, the trace, the export and the description.
fn names_agree(folder: &Folder, activity: &str, options: &str) {
    let text = std::fs::read_to_string(folder.path(activity)).expect("it can be read");
    let run = |arguments: &str| -> Done {
        let done = folder.run(arguments);
        assert_eq!(done.code, Some(0), "goalspec {arguments}: {}", done.all());
        done
    };
    let plan = run(&format!("plan {options} --trace run.jsonl {activity}")).out;
    let steps = of_steps(&plan);
    assert!(!steps.is_empty(), "{plan}");
    let [actions, facts] = of_trace(&folder.read("run.jsonl"));
    assert_eq!(actions, steps);
    let exported = run(&format!("export --actions {options} {activity}")).out;
    let in_pddl = &declared(&exported, ":constants") | &declared(&exported, ":objects");
    let needed = in_names_of_pddl(&steps);
    let missing: Vec<_> = needed.difference(&in_pddl).collect();
    assert!(missing.is_empty(), "{activity}: {missing:?} of the plan are not among {in_pddl:?}");
    // Rooms are not objects of a plan, and the agent is not an object of a planning problem, unless requested.
    let rooms: BTreeSet<String> = text
        .split("(inroom ")
        .skip(1)
        .filter_map(|fact| Some(fact.split(')').next()?.split_whitespace().nth(1)?.to_owned()))
        .collect();
    let is_object = |name: &&String| !rooms.contains(*name) && !name.starts_with("agent.n.01");
    let needed = in_names_of_pddl(&facts.iter().filter(is_object).cloned().collect());
    let missing: Vec<_> = needed.difference(&in_pddl).collect();
    assert!(missing.is_empty(), "{activity}: {missing:?} of the trace are not among {in_pddl:?}");
    let mut names = &declared(&text, ":objects") | &declared(&text, ":fixtures");
    names.retain(|name| !name.starts_with("agent.n.01"));
    let needed = in_names_of_pddl(&names);
    let unknown: Vec<_> = needed.difference(&in_pddl).collect();
    assert!(unknown.is_empty(), "{activity}: {unknown:?} are not exported");
    let english = run(&format!("describe {options} {activity}")).out;
    for name in facts.intersection(&names) {
        let spoken = in_english(name, &names);
        assert!(english.contains(&spoken), "{activity}: `{name}` is not called {spoken:?} in\n{english}");
    }
    // The activity can be scored on the trace, so it has the same names.
    run(&format!("score {options} {activity} run.jsonl"));
    run(&format!("validate {options} {activity} {}", {
        folder.write("a.plan", &plan);
        "a.plan"
    }));
}

const TIDY: &str = "(define (problem tidy-0) (:domain omnigibson)
    (:objects parcel.n.01_2 parcel.n.01_5 - parcel.n.01 table.n.02_1 - table.n.02 floor.n.01_1 - floor.n.01 agent.n.01_1 - agent.n.01)
    (:init (inroom floor.n.01_1 kitchen) (inroom table.n.02_1 kitchen) (ontop parcel.n.01_2 floor.n.01_1)
        (ontop parcel.n.01_5 floor.n.01_1) (ontop agent.n.01_1 floor.n.01_1))
    (:goal (and (forall (?parcel.n.01 - parcel.n.01) (ontop ?parcel.n.01 ?table.n.02_1)))))";

#[test]
fn an_object_has_one_name() {
    let folder = Folder::new();
    let knowledge = root().join("crates/languages/bddl/tests/small").display().to_string();
    // Numbers with gaps: names are those of the activity, not indices.
    folder.write("tidy.bddl", TIDY);
    names_agree(&folder, "tidy.bddl", &format!("--knowledge {knowledge}"));
    let release = root().join("target/data/bddl-3.6.0/bddl");
    if !release.is_dir() {
        eprintln!("skipped: no {} (run `cargo xtask fetch-bddl`)", release.display());
        return;
    }
    let knowledge_option = format!("--knowledge {}", release.display());
    names_agree(&folder, "examples/bddl/lost_umbrellas.bddl", &knowledge_option);
    let Some(found) = conformance::folder("found/bddl") else { return };
    folder.write("tea.bddl", std::fs::read_to_string(found.join("tea.bddl")).expect("it can be read"));
    names_agree(&folder, "tea.bddl", &knowledge_option);
}

/// Returns the files under a folder with an extension, sorted.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let (mut folders, mut files) = (vec![folder.to_owned()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("the folder can be read") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// All files of LIBERO, in every command.
#[test]
fn tasks_of_libero_go_through_every_command() {
    let Some(libero) = conformance::folder("bddl/libero") else { return };
    let folder = Folder::new();
    let programs = files(&libero, "bddl");
    assert_eq!(programs.len(), 130);
    // Lists of tasks in `.txt` files in the same folders are ignored.
    assert_eq!(files(&libero, "txt").len(), 5);
    let done = folder.run(&format!("check {}", libero.display()));
    assert!(done.code == Some(0) && done.all().contains("130 programs checked"), "{}", done.all());
    let done = folder.run(&format!("describe {}", libero.display()));
    assert_eq!(done.code, Some(0), "{}", done.all());
    let run = |arguments: String, path: &Path| -> Done {
        let done = folder.run(&arguments);
        assert!(
            done.code == Some(0) && !done.err.contains("panicked"),
            "{}: {arguments}: {}",
            path.display(),
            done.all()
        );
        done
    };
    for path in &programs {
        let name = path.display();
        let plan = run(format!("plan --trace run.jsonl {name}"), path).out;
        let [actions, facts] = of_trace(&folder.read("run.jsonl"));
        assert_eq!(actions, of_steps(&plan), "{name}");
        let score: Value =
            serde_json::from_str(&run(format!("score --format jsonl {name} run.jsonl"), path).out).expect("it is JSON");
        assert_eq!(score["score"].as_f64(), Some(1.0), "{name}: {score}");
        let exported = run(format!("export {name}"), path).out;
        folder.write("out.pddl", &exported);
        run("check out.pddl".to_owned(), path);
        let in_pddl = &declared(&exported, ":constants") | &declared(&exported, ":objects");
        let missing: Vec<_> = facts.union(&actions).filter(|name| !in_pddl.contains(*name)).collect();
        assert!(missing.is_empty(), "{name}: {missing:?} are not exported");
    }
}

/// A `.txt` file in a folder that does not begin like a program is not a program; one named on the command line is.
#[test]
fn other_texts_in_a_folder_are_left_alone() {
    let folder = Folder::new();
    folder.write("tasks/tidy.bddl", TIDY);
    folder.write("tasks/tasks_info.txt", "libero/bddl_files/a.bddl\nlibero/bddl_files/b.bddl\n");
    folder.write("tasks/deeper/notes.txt", "");
    folder.write("tasks/deeper/README.txt", "Open the drawer (slowly).\n");
    let done = folder.run("check tasks");
    assert!(done.code == Some(0) && done.all().contains("1 program checked"), "{}", done.all());
    assert!(!done.all().contains(".txt"), "{}", done.all());
    for command in ["describe tasks", "fmt --check --diff tasks/deeper", "check 'tasks/*'"] {
        let done = folder.run(command);
        assert!(!done.all().contains("tasks_info"), "{command}: {}", done.all());
    }
    // A program nevertheless, by its beginning.
    folder.write("tasks/also.txt", TIDY.replace("tidy-0", "tidy-1"));
    let done = folder.run("check tasks");
    assert!(done.code == Some(0) && done.all().contains("2 programs checked"), "{}", done.all());
    // A file named on the command line is read.
    let done = folder.run("check tasks/tasks_info.txt");
    assert!(done.code == Some(1) && done.all().contains("tasks_info.txt"), "{}", done.all());
}

//! New games: drawn, varied, judged and evolved. Every kind of bad input has its message.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::common::{Done, Folder, GOALSPEC, finish};

/// A fitness model with two features.
pub(crate) const MODEL: &str = r#"{
  "bias": 0.5,
  "features": [
    {"name": "ast_ngram_full_n_5_score", "weight": -8, "category": "resemblance"},
    {"name": "variables_used_all", "weight": -1, "category": "use"}
  ],
  "scale": {"ast_ngram_full_n_5_score": [-7, 0]},
  "missing_value": {}
}"#;

/// A small evolution.
const EVOLVE: &str = "generate evolve --initial 24 --pairs 12 examples/generation";

fn lines(done: &Done) -> Vec<Value> {
    assert_eq!(done.code, Some(0), "{}", done.all());
    done.out.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect()
}

pub(crate) fn text<'v>(value: &'v Value, member: &str) -> &'v str {
    value[member].as_str().expect("a text")
}

fn nodes(value: &Value) -> u64 {
    value["nodes"].as_u64().expect("a number")
}

#[test]
fn bad_input_has_a_message() {
    let folder = Folder::new();
    folder.write("empty/notes.game", "; nothing yet\n");
    folder.write("wrong.game", "(define (game wrong) (:domain few-objects-room-v1) (:constraints (preference p (at-end (on bed ?b)))) (:scoring (count p)))");
    folder.write("bare.world.toml", "name = \"bare\"\n\n[types]\nthing = {}\n");
    let edited = |from: &str, to: &str| MODEL.replace(from, to);
    folder.write("other.json", edited("variables_used_all", "variables_used_al"));
    folder.write("foreign.json", edited("variables_used_all", "length_in_words"));
    folder.write("twice.json", edited("ast_ngram_full_n_5_score\", \"w", "variables_used_all\", \"w"));
    folder.write("scale.json", edited("[-7, 0]", "[0, -7]"));
    folder.write("nan.json", edited("-8", "NaN"));
    folder.write("text.json", edited("-8", "\"-8\""));
    folder.write("none.json", edited("\"features\"", "\"feature\""));
    folder.write("cut.json", &MODEL[..40]);
    folder.write("file", "");
    folder.write("none.toml", "max-preferences = 4\n");
    folder.write("unknown.toml", "max-preferences = 4\n[[characteristics]]\nkind = \"using\"\ngroup = \"x\"\n");
    let preference = |number: usize| format!("(preference p{number} (exists (?b - ball) (at-end (on bed ?b))))");
    let preferences: String = (0..5).map(preference).collect();
    folder.write(
        "many.game",
        format!(
            "(define (game many) (:domain few-objects-room-v1) (:constraints (and {preferences})) (:scoring (count p0)))"
        ),
    );
    let fitness = |model: &str| format!("generate fitness examples/generation --model {model}.json");
    let models: Vec<String> =
        ["other", "foreign", "twice", "scale", "nan", "text", "none", "cut", "missing"].map(fitness).to_vec();
    folder.assert_each(&[
        ("generate sample", 2, "the following required arguments were not provided"),
        ("generate sample empty", 1, "`empty/notes.game` contains no program"),
        ("generate sample missing", 1, "`missing` not found"),
        ("generate sample wrong.game", 1, "error[game/unbound-variable]"),
        (
            "generate sample examples/generation examples/game/tower.game",
            2,
            "about several worlds: `many-objects-room-v1`, `few-objects-room-v1`; choose one with --world",
        ),
        ("generate sample examples/generation --world garage", 1, "unknown world `garage`"),
        ("generate sample --world bare.world.toml", 1, "so there is nothing to say in it"),
        ("generate sample examples/generation --prior=-1", 1, "the prior count is -1; expected a number of at least 0"),
        ("generate sample examples/generation --prior nan", 1, "the prior count is NaN"),
        (
            "generate sample --world few-objects-room-v1 --prior 0",
            1,
            "the corpus contains no game, and the prior count is 0",
        ),
        ("generate sample examples/generation --nodes 3", 1, "no game has at most 3 nodes"),
        ("generate sample examples/generation --depth 49", 2, "49 is not in 1..=48"),
        ("generate sample examples/generation -n 0", 2, "0 is not in 1.."),
        ("generate sample examples/generation -n 2 --first 18446744073709551615", 2, "exceed the largest index"),
        ("generate sample examples/generation -o file", 2, "cannot write `file`"),
        ("generate vary examples/game/throw-to-bin.game --operator swap", 2, "the operators are regrow, insert"),
        ("generate vary examples/game/throw-to-bin.game --simpler --harder", 2, "cannot be used with"),
        (
            "generate vary examples/game/throw-to-bin.game --operator variable-types --simpler",
            1,
            "1 of 1 games were not found",
        ),
        ("generate evolve examples/generation -o archive --generations 0", 2, "0 is not in 1.."),
        ("generate evolve examples/generation -o archive --archive wrong.game", 1, "is not an archive specification"),
        ("generate evolve examples/generation -o archive --archive none.toml", 1, "there are no `characteristics`"),
        (
            "generate evolve examples/generation -o archive --archive unknown.toml",
            1,
            "characteristic 1: unknown group `x`",
        ),
        ("generate evolve examples/generation -o archive --archive missing.toml", 1, "missing.toml"),
        ("generate fit examples/generation", 2, "the following required arguments were not provided"),
        ("generate fit examples/generation/lights-out.game -o fitted.json", 1, "a fit needs at least 2"),
        ("generate fit examples/generation -o fitted.json --penalty nan", 1, "the penalty is NaN"),
        ("generate fit examples/generation -o fitted.json --regrowths 4000000", 1, "exceed the limit of 1048576"),
        ("generate fit examples/generation -o fitted.json --folds 1", 2, "1 is not in 2.."),
        ("generate sample examples/generation --preset davidson --prior 2", 2, "cannot be used with"),
        ("generate vary examples/generation --preset davidson --operator regrow", 2, "cannot be used with '--operator"),
        ("generate vary examples/generation --preset davidson --simpler", 2, "cannot be used with '--simpler'"),
        ("generate vary examples/generation --harder --preset davidson", 2, "cannot be used with"),
        ("generate vary examples/generation --preset davidson --depth 9", 2, "cannot be used with '--depth"),
        ("generate vary examples/pddl/supper --preset davidson", 2, "--preset applies to games"),
        ("generate fit examples/generation -o fitted.json --negatives other", 2, "[possible values: typed, davidson]"),
        ("generate sample --like missing.game", 1, "`missing.game` not found"),
        ("generate sample --like many.game", 1, "`many.game` cannot be an example: it has no cell"),
        ("generate novelty examples/generation", 2, "the following required arguments were not provided"),
        ("generate novelty examples/generation --against empty", 1, "`empty/notes.game` contains no program"),
        ("generate novelty examples/pddl/supper --against examples/generation", 1, "the corpus contains no game"),
        ("generate evolve examples/generation -o file", 1, "cannot read `file/archive.jsonl`"),
        (&models[0], 1, "unknown feature `variables_used_al`; the most similar one is `variables_used_all`"),
        (&models[1], 1, "unknown feature `length_in_words`: the model belongs to another grammar"),
        (&models[2], 1, "the feature `variables_used_all` occurs twice"),
        (&models[3], 1, "`scale.ast_ngram_full_n_5_score`: the minimum is not below the maximum"),
        (&models[4], 1, "`nan.json` is not a fitness model: invalid JSON"),
        (&models[5], 1, "`features[0].weight`: expected a number"),
        (&models[6], 1, "`features`: expected a list of features"),
        (&models[7], 1, "`cut.json` is not a fitness model: invalid JSON"),
        (&models[8], 1, "missing.json"),
    ]);
}

#[test]
fn drawn_games_check_and_do_not_depend_on_threads() {
    let folder = Folder::new();
    let sample = "generate sample examples/generation --seed 3 --json";
    let all = lines(&folder.run(&format!("{sample} -n 40 --threads 1")));
    assert_eq!(all, lines(&folder.run(&format!("{sample} -n 40 --threads 2"))));
    assert_eq!(all[30..], lines(&folder.run(&format!("{sample} -n 10 --first 30"))));
    let programs: BTreeSet<&str> = all.iter().map(|line| text(line, "program")).collect();
    assert!(programs.len() > 35, "{} different games", programs.len());
    folder.assert_each(&[
        ("generate sample examples/generation --seed 3 -n 40 -o new", 0, "40 games in new"),
        ("check new", 0, "40 programs checked"),
        ("fmt --check new", 0, ""),
        ("generate sample --world examples/worlds/kitchen.world.toml -n 20 -o kitchen", 0, "20 games in kitchen"),
        ("check kitchen examples/worlds/kitchen.world.toml", 0, "20 programs and 1 world checked"),
    ]);
}

#[test]
fn variations_differ_and_have_the_wanted_size() {
    let folder = Folder::new();
    let vary = "generate vary examples/game/tower.game examples/generation/lights-out.game --json -n 10";
    let parents = lines(&folder.run(&format!("{vary} --world few-objects-room-v1 --operator scoring")));
    assert_eq!(parents.len(), 20);
    assert!(parents.iter().all(|line| text(line, "operator") == "scoring"));
    let one = "generate vary examples/generation/lights-out.game --json -n 10";
    let games = |options: &str| lines(&folder.run(&format!("{one} {options}")));
    // A score drawn anew leaves the rest: its smallest variation has fewer nodes than any larger one.
    let (simpler, harder) = (games("--simpler"), games("--harder"));
    let most = simpler.iter().map(nodes).max();
    let least = harder.iter().map(nodes).min();
    assert!(most < least, "{most:?} {least:?}");
    let changed: BTreeSet<&str> =
        games("").iter().map(|line| line["program"].to_string()).map(|text| &*text.leak()).collect();
    assert!(changed.len() > 7, "{changed:#?}");
    folder.assert_each(&[
        ("generate vary examples/generation/lights-out.game -n 30 -o varied", 0, "30 games in varied"),
        ("check varied", 0, "30 programs checked"),
        ("generate vary examples/generation/lights-out.game --corpus examples/generation --operator crossover -n 10 -o crossed", 0, "10 games"),
        ("check crossed", 0, "10 programs checked"),
    ]);
}

#[test]
fn a_game_like_another_has_its_shape_and_other_contents() {
    let folder = Folder::new();
    let like = "generate sample examples/generation --like examples/generation/lights-out.game --seed 2 --json";
    folder.write("model.json", MODEL);
    let games = lines(&folder.run(&format!("{like} -n 6 --model model.json --threads 2")));
    assert_eq!(games, lines(&folder.run(&format!("{like} -n 6 --model model.json --threads 1"))));
    let fitness =
        folder.run("generate fitness examples/generation/lights-out.game --json --corpus examples/generation");
    let example: Value = serde_json::from_str(&fitness.out).expect("JSON");
    let example = &example[0]["games"][0];
    for game in &games {
        assert_eq!(game["cell"], example["cell"], "{game:#}");
        assert_eq!(text(game, "like"), "examples/generation/lights-out.game");
        let (own, of_example) = (nodes(game), nodes(example));
        // The deviations of the sections add up.
        assert!(own.abs_diff(of_example) <= 24 + of_example / 4, "{own} {of_example}");
    }
    let programs: BTreeSet<&str> = games.iter().map(|game| text(game, "program")).collect();
    assert_eq!(programs.len(), 6);
    folder.assert_each(&[
        (&format!("{like} -n 6 -o like").replace("--json", "--format text"), 0, "6 games in like"),
        ("check like", 0, "6 programs checked"),
    ]);
    let novelty = folder.run("generate novelty like --against examples/generation/lights-out.game --json");
    let novelty: Value = serde_json::from_str(&novelty.out).expect("JSON");
    for game in novelty["games"].as_array().expect("a list") {
        assert_eq!(game["equal"], serde_json::json!([]));
        assert!(game["nearest"]["edits"].as_u64() > Some(10), "{game:#}");
    }
}

#[test]
fn a_fitted_model_judges_games() {
    let folder = Folder::new();
    let fit = "generate fit examples/generation --regrowths 40 --folds 3 -o";
    folder.assert_each(&[
        (&format!("{fit} model.json --threads 1"), 0, "6 games, 240 regrowths, 3 folds"),
        (&format!("{fit} again.json --threads 2"), 0, "the model is in `again.json`"),
        ("generate fitness examples/generation --model model.json --explain", 0, "without itself in the corpus"),
    ]);
    assert_eq!(folder.read("model.json"), folder.read("again.json"));
    // Games are fitter than the regrowths from which the model was fitted to tell them, but for those with the same features.
    let model: Value = serde_json::from_str(&folder.read("model.json")).expect("JSON");
    let above_own = |games: &str| model["evaluation"][games]["above_own"].as_f64();
    assert!(above_own("training") > Some(0.75) && above_own("training") > above_own("held_out"), "{model:#}");
    assert_eq!(model["features"].as_array().map(Vec::len), Some(89));
}

#[test]
fn untyped_games_can_be_parsed_and_do_not_depend_on_threads() {
    let folder = Folder::new();
    let sample = "generate sample examples/generation --preset davidson --seed 5 -n 12";
    folder.assert_each(&[
        (&format!("{sample} -o one --threads 1"), 0, "12 games in one"),
        (&format!("{sample} -o two --threads 2"), 0, "12 games in two"),
        ("fmt --check one", 0, ""),
    ]);
    for index in 0..12 {
        let name = format!("untyped-5-{index}.game");
        assert_eq!(folder.read(&format!("one/{name}")), folder.read(&format!("two/{name}")));
    }
}

#[test]
fn published_regrowths_differ_and_do_not_depend_on_threads() {
    let folder = Folder::new();
    let vary =
        "generate vary examples/generation/lights-out.game --corpus examples/generation --preset davidson --seed 5";
    let missing = "of 200 games were not found: a regrowth equals an earlier one, or 1000 tries failed";
    folder.assert_each(&[
        (&format!("{vary} -n 200 -o one --threads 1"), 1, missing),
        (&format!("{vary} -n 200 -o two --threads 2"), 1, missing),
        (&format!("{vary} --first 3 -n 1 -o three"), 0, "1 game in three"),
        ("fmt --check one", 0, ""),
    ]);
    let files =
        || std::fs::read_dir(folder.path("one")).expect("a folder").map(|file| file.expect("a file").file_name());
    let contents: BTreeSet<String> = files()
        .map(|name| {
            let name = name.to_string_lossy().into_owned();
            let text = folder.read(&format!("one/{name}"));
            assert_eq!(text, folder.read(&format!("two/{name}")));
            text.split_once("(:domain").expect("a domain").1.to_owned()
        })
        .collect();
    assert!(contents.len() > 150 && contents.len() == files().count());
    // A seed and an index determine a regrowth.
    let name = "lights-out-untyped-5-3.game";
    assert_eq!(folder.read(&format!("one/{name}")), folder.read(&format!("three/{name}")));
}

#[test]
fn a_model_is_fitted_to_tell_games_from_published_regrowths() {
    let folder = Folder::new();
    let fit = "generate fit examples/generation --negatives davidson --regrowths 20 --folds 2 -o model.json";
    folder.assert_each(&[(fit, 0, "6 games, 120 regrowths, 2 folds")]);
    let model: Value = serde_json::from_str(&folder.read("model.json")).expect("JSON");
    assert_eq!(model["training"]["negatives"], "davidson");
}

#[test]
fn an_archive_has_the_cells_of_its_specification() {
    let folder = Folder::new();
    let spec = "max-preferences = 3\n[groups.balls]\nobjects = [\"ball\", \"moon\"]\n\
        [[characteristics]]\nkind = \"preferences\"\n[[characteristics]]\nkind = \"using\"\ngroup = \"balls\"\n";
    folder.write("balls.toml", spec);
    folder.write("fewer.toml", spec.replace("= 3", "= 2"));
    folder.assert_each(&[
        (
            &format!("{EVOLVE} -o balls --archive balls.toml --generations 8"),
            0,
            "group `balls`: the world `many-objects-room-v1` has no `moon`",
        ),
        (&format!("{EVOLVE} -o balls --archive fewer.toml"), 1, "belongs to another evolution: its characteristics is"),
    ]);
    let archive = folder.read("balls/archive.jsonl");
    let cells: Vec<Value> = archive.lines().skip(1).map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert!(cells.len() > 4, "{} cells", cells.len());
    for line in &cells {
        let cell: Vec<i64> = line["cell"].as_array().expect("a list").iter().filter_map(Value::as_i64).collect();
        let [preferences, using] = cell[..] else { panic!("{cell:?}") };
        assert!((1..=3).contains(&preferences) && (0..=preferences).contains(&using), "{cell:?}");
        let count = text(line, "program").matches("(preference ").count();
        assert_eq!(u64::try_from(preferences), Ok(count as u64));
    }
}

#[test]
fn an_evolution_continues_as_if_it_had_not_stopped() {
    let folder = Folder::new();
    folder.assert_each(&[
        (&format!("{EVOLVE} -o whole --generations 12 --threads 1"), 0, "after 12 generations"),
        (&format!("{EVOLVE} -o parts --generations 5"), 0, "after 5 generations"),
        (&format!("{EVOLVE} -o parts --generations 12 --files"), 0, "continuing after 5 generations"),
        (&format!("{EVOLVE} -o parts --generations 12 --seed 1"), 1, "its seed is 0, not 1; choose another folder"),
        (&format!("{EVOLVE} -o parts --prior 2"), 1, "its prior is 0.05, not 2.0"),
        (&format!("{EVOLVE}/tidy-desk.game -o parts"), 1, "belongs to another evolution: its corpus is"),
        ("check parts/games", 0, "programs checked"),
        ("generate dedup parts/games", 0, "different"),
    ]);
    let repeated = folder.run("generate dedup parts/games");
    assert!(!repeated.out.contains("equal:"), "{}", repeated.out);
    let archive = folder.read("whole/archive.jsonl");
    assert_eq!(archive, folder.read("parts/archive.jsonl"));
    let files = std::fs::read_dir(folder.path("parts/games")).expect("a folder").count();
    assert_eq!(files, archive.lines().count() - 1);
    // A damaged archive is not continued, and stays as it is.
    let cases = [
        ("not JSON", "{", "line 1: invalid JSON"),
        ("an empty file", "", "line 1: the file is empty"),
        ("another format", "{}", "line 1: expected `\"format\": \"goalspec-archive-2\"`, found null"),
    ];
    for (name, damaged, message) in cases {
        folder.write("parts/archive.jsonl", damaged);
        let done = folder.run(&format!("{EVOLVE} -o parts"));
        assert!(done.code == Some(1) && done.err.contains(message), "{name}: {}", done.all());
        assert_eq!(folder.read("parts/archive.jsonl"), damaged, "{name}");
    }
    let mut moved: Vec<String> = archive.lines().map(str::to_owned).collect();
    moved[1] = moved[1].replacen("\"cell\":[", "\"cell\":[7,", 1);
    folder.write("parts/archive.jsonl", moved.join("\n"));
    folder.assert_each(&[(&format!("{EVOLVE} -o parts"), 1, "line 2: the game belongs to the cell")]);
    folder.write("parts/archive.jsonl", archive.replacen("\"operators\"", "\"operator\"", 1));
    folder.assert_each(&[(&format!("{EVOLVE} -o parts"), 1, "line 1: `operators`: expected the numbers of pairs")]);
}

/// A process that may write no more than a few kilobytes to a file is killed while it saves; the archive before remains whole.
#[cfg(unix)]
#[test]
fn a_disk_that_is_full_leaves_the_old_archive() {
    let folder = Folder::new();
    folder.assert_each(&[(&format!("{EVOLVE} -o archive --generations 3"), 0, "after 3 generations")]);
    let before = folder.read("archive/archive.jsonl");
    let limited = format!("ulimit -f 4; exec {GOALSPEC} {EVOLVE} -o archive --generations 6");
    let done = finish(folder.command("sh").args(["-c", &limited]), b"");
    assert_ne!(done.code, Some(0), "{}", done.all());
    assert_eq!(folder.read("archive/archive.jsonl"), before);
    folder.assert_each(&[(&format!("{EVOLVE} -o archive --generations 6"), 0, "continuing after 3 generations")]);
}

#[cfg(unix)]
#[test]
fn an_interrupted_evolution_is_saved() {
    let folder = Folder::new();
    let begin = "generate evolve examples/generation --initial 64 --pairs 64 -o archive --generations 4000000";
    let mut command = folder.command(GOALSPEC);
    let mut child = command.args(begin.split(' ')).stderr(std::process::Stdio::piped()).spawn().expect("it starts");
    while !folder.path("archive/archive.jsonl").exists() {
        assert!(child.try_wait().expect("it can be asked").is_none(), "the evolution ended");
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    std::thread::sleep(std::time::Duration::from_millis(300));
    let pid = child.id().to_string();
    assert!(finish(std::process::Command::new("kill").args(["-INT", &pid]), b"").code == Some(0));
    let status = child.wait().expect("it ends");
    assert_eq!(status.code(), Some(130));
    let first: Value =
        serde_json::from_str(folder.read("archive/archive.jsonl").lines().next().expect("a line")).expect("JSON");
    let generation = first["generation"].as_u64().expect("a number");
    assert!(generation > 0);
    let next = begin.replace("4000000", &(generation + 1).to_string());
    folder.assert_each(&[(&next, 0, &format!("after {} generations", generation + 1))]);
}

/// New programs of the other languages are written to files that check, and problems have plans beside them.
#[test]
fn programs_of_the_other_languages_are_made_too() {
    let cases = [
        ("examples/pddl/delivery/one_van.pddl", "pddl", "examples/pddl/delivery/domain.pddl"),
        ("examples/bddl/watering_the_garden.bddl", "bddl", ""),
        ("examples/rgg/climb.yaml", "yaml", ""),
    ];
    for (example, ending, domain) in cases {
        for command in ["sample", "vary"] {
            let folder = Folder::new();
            let made = folder.run(&format!("generate {command} {example} -n 3 --seed 2 -o made"));
            assert_eq!(made.code, Some(0), "{}", made.all());
            let files: Vec<String> = std::fs::read_dir(folder.path("made"))
                .expect("a folder")
                .map(|entry| entry.expect("an entry").file_name().into_string().expect("a name"))
                .collect();
            let programs = files.iter().filter(|file| file.ends_with(ending)).count();
            assert_eq!(programs, 3, "{files:?}");
            let checked = folder.run(&format!("check made {domain}"));
            assert_eq!(checked.code, Some(0), "{}", checked.all());
            for plan in files
                .iter()
                .filter(|file| std::path::Path::new(file).extension().is_some_and(|ending| ending == "plan"))
            {
                let problem = plan.replace(".plan", ".pddl");
                let valid = folder.run(&format!("validate {domain} made/{problem} made/{plan}"));
                assert_eq!(valid.code, Some(0), "{}", valid.all());
            }
            let line = folder.run(&format!("generate {command} {example} --seed 2 --json"));
            let [record] = &lines(&line)[..] else { panic!("{}", line.all()) };
            assert_eq!(text(record, "format"), "goalspec-goal-1");
            assert!(record["like"].is_string() || record["parent"].is_string(), "{record}");
        }
    }
}

/// A program defines the world of new games without being an example itself.
#[test]
fn games_are_drawn_over_the_world_of_a_planning_problem() {
    let folder = Folder::new();
    let problem = "examples/pddl/delivery/one_van.pddl examples/pddl/delivery/domain.pddl";
    let made = folder.run("generate sample --world examples/pddl/delivery/one_van.pddl -n 5 -o made");
    assert_eq!(made.code, Some(0), "{}", made.all());
    let checked = folder.run(&format!("check made {problem}"));
    assert_eq!(checked.code, Some(0), "{}", checked.all());
}

/// The same for programs of other languages, tables of recorded plays, sheets and judgements.
#[test]
fn bad_input_of_other_kinds_has_a_message() {
    let folder = Folder::new();
    folder.write("empty/notes.game", "; nothing yet\n");
    folder.write("file", "");
    folder.write("cut.json", &MODEL[..40]);
    folder.write("other.json", MODEL);
    folder.write("rows.json", r#"{"triples": [["on", "bed", "ball"], ["on", "bed"]]}"#);
    folder.write(
        "still.pddl",
        "(define (domain still) (:predicates (p) (q)) (:action a :precondition (q) :effect (p)))
         (define (problem still) (:domain still) (:init) (:goal (p)))",
    );
    folder.assert_each(&[
        ("generate sample examples/reward/follow.py", 1, "the corpus contains no game"),
        ("generate fitness examples/generation --evidence cut.json", 1, "`cut.json` is not a table of recorded plays"),
        (
            "generate fitness examples/generation --evidence rows.json",
            1,
            "triples[1]: expected a predicate and two types",
        ),
        ("generate evolve examples/generation -o new --evidence other.json", 1, "expected a list `triples`"),
        ("generate evidence examples/generation/lights-out.game examples/game/play.jsonl", 2, "is not a trace"),
        ("generate sample examples/generation --knowledge here", 2, "--knowledge applies to activities"),
        ("generate vary examples/rgg/climb.yaml --dialect compat-1.0", 2, "--dialect applies to activities"),
        (
            "generate sample --like examples/generation/lights-out.game --steps 3",
            2,
            "--steps applies to planning problems",
        ),
        ("generate vary examples/rgg/climb.yaml examples/rgg/berries.yaml", 2, "several games in YAML need a folder"),
        ("generate evidence missing.jsonl", 1, "missing.jsonl"),
        ("generate sample examples/pddl/supper --depth 3", 2, "--depth applies to games"),
        ("generate vary examples/rgg/climb.yaml --prior 3", 2, "--prior applies to games of the game language"),
        ("generate sample examples/generation --steps 3", 2, "--steps applies to planning problems"),
        ("generate vary examples/rgg/climb.yaml --steps 3", 2, "--steps applies to planning problems"),
        ("generate study examples/generation -o study", 2, "expected a name and a path, such as `real=games/`"),
        ("generate study real=empty -o study", 1, "`empty/notes.game` contains no program"),
        ("generate study real=examples/pddl/supper -o study", 1, "the corpus contains no game"),
        ("generate study real=examples/generation -o file", 2, "file"),
        ("generate sample examples/pddl/supper --steps 0", 2, "invalid value '0' for '--steps <N>'"),
        ("generate vary examples/pddl/supper --simpler", 2, "--simpler applies to games"),
        ("check --simulations 3 examples/rgg/climb.yaml", 2, "--playable"),
        ("check --playable examples/reward/follow.py", 2, "--playable does not apply to reward functions"),
        (
            "generate sample examples/pddl/supper --model other.json",
            2,
            "--model applies to games; the size of problems is set by --steps",
        ),
        (
            "generate sample still.pddl",
            1,
            "`still.pddl` cannot be an example: no action changes anything in its initial state",
        ),
        (
            "generate sample examples/bddl/game_night.bddl --preset davidson",
            2,
            "--preset applies to games, not to activities",
        ),
        (
            "generate vary examples/rgg/climb.yaml --operator regrow",
            2,
            "--operator applies to games of the game language",
        ),
        (
            "check --playable --format line examples/game/tower.game",
            2,
            "--playable requires the format `human` or `json`",
        ),
    ]);
}

/// Names of files come from programs, so they are made safe, and no file is written twice.
#[test]
fn files_have_safe_and_different_names() {
    let folder = Folder::new();
    let activity = folder.read("examples/bddl/watering_the_garden.bddl");
    folder.write("a/one.bddl", activity.replace("watering_the_garden-0", "garden-0"));
    folder.write("a/two.bddl", activity.replace("watering_the_garden-0", "garden-1"));
    folder.write("b/evil.bddl", activity.replace("watering_the_garden-0", "../evil-0"));
    let game = folder.read("examples/rgg/climb.yaml");
    folder.write("r/x/same.yaml", &game);
    folder.write("r/y/same.yaml", &game);
    for (from, count) in [("a", 2), ("r", 2), ("b", 1)] {
        let done = folder.run(&format!("generate vary {from} -o made-{from} --seed 1"));
        assert_eq!(done.code, Some(0), "{}", done.all());
        let files = std::fs::read_dir(folder.path(&format!("made-{from}"))).expect("a folder").count();
        assert_eq!(files, count, "{from}: {}", done.all());
    }
    let two = folder.run("generate sample examples/rgg/climb.yaml -n 2");
    assert_eq!(two.code, Some(2), "{}", two.all());
    let mixed = folder.run("generate sample examples/pddl/delivery/one_van.pddl examples/rgg/climb.yaml");
    assert!(mixed.err.contains("the examples are the planning problems; the resource graph games are left out"));
}

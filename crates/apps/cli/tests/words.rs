//! `goalspec reward generate` and `goalspec translate`, with stand-ins in place of a model.

use crate::common::{Folder, GOALSPEC, finish};

/// Returns a folder with a recording of Pong.
fn with_recording() -> Folder {
    let folder = Folder::new();
    let done = folder.run("trace record examples/reward/pong.hex --game pong --output pong.jsonl");
    assert_eq!(done.code, Some(0), "{}", done.all());
    folder
}

fn generate(rest: &str) -> String {
    format!(
        "reward generate --world atari/pong --instructions examples/words/pong.txt --variant direct --candidates 1 \
         --model scripted:examples/words/pong-replies.jsonl pong.jsonl {rest}"
    )
}

#[test]
fn a_reward_function_is_generated_and_repaired() {
    let folder = with_recording();
    let done = folder.run(&generate("--output reward.py --report report.json --record run.jsonl"));
    assert_eq!(done.code, Some(0), "{}", done.all());
    let report: serde_json::Value = serde_json::from_str(&folder.read("report.json")).unwrap();
    assert_eq!(report["format"], "goalspec-generation-1");
    assert_eq!(report["candidates"][0]["repairs"], 1, "{report:#}");
    assert_eq!(report["accepted"]["candidates"], 1);
    assert_eq!(report["candidates"][0]["program"].as_str().unwrap(), folder.read("reward.py"));
    // The same command with the record makes no call: the script is not even needed.
    folder.write("examples/words/pong-replies.jsonl", "");
    let again = folder.run(&generate("--output again.py --record run.jsonl"));
    assert_eq!((again.code, folder.read("again.py")), (Some(0), folder.read("reward.py")), "{}", again.all());
    // With other settings, the record is refused.
    let other = folder.run(&generate("--record run.jsonl --repairs 1"));
    assert!(other.code == Some(2) && other.all().contains("`repairs` is 3, not 1"), "{}", other.all());
}

#[test]
fn programs_of_all_domains_are_reported_by_model() {
    let folder = with_recording();
    let done = folder.run(&generate("--output reward.py --report report.json"));
    assert_eq!(done.code, Some(0), "{}", done.all());
    folder.write("words.txt", "The book is in the box. The book should be in the hall.");
    let translate =
        "translate --to pddl --domain examples/words/tidy/domain.pddl --model fake:translator --json -o tidy.json -";
    let truth = folder.write(
        "truth.pddl",
        "(define (problem truth) (:domain tidy) (:objects box hall - place book - thing) (:init (in book box)) (:goal (in book hall)))",
    );
    let mut command = folder.command(GOALSPEC);
    command.args(translate.split(' ')).args(["--objects", "book - thing, box hall - place", "--truth"]).arg(truth);
    let done = finish(&mut command, folder.read("words.txt").as_bytes());
    assert_eq!(done.code, Some(0), "{}", done.all());
    assert!(done.err.contains("compared with the truth: exact; the plan reaches the true goal"), "{}", done.all());
    folder.write("set/specs.yaml", "- num_obj: 3\n- {num_obj: 3, test: true}\n");
    folder.assert_each(&[
        ("lot generate --specs set/specs.yaml -o set/problems", 0, "2 problems"),
        ("lot run --specs set/specs.yaml --model fake:translator --method translate -o run", 0, "1 of 1"),
        // A run with other settings is not the run of the record.
        (
            "lot run --specs set/specs.yaml --model fake:translator --method translate --seed 3 --temperature 1 -o run",
            2,
            "belongs to a run with other settings",
        ),
        ("llm report run report.json tidy.json", 0, "\n\nPrograms\n"),
        ("llm report report.json ./report.json", 1, "`./report.json` is given twice"),
        (
            "llm report report.json tidy.json --format csv",
            0,
            "\"reward, direct\",scripted:examples/words/pong-replies.jsonl,no,1,1,20.7-100,-,-,-,-,-,-,-,0,0,1,3800,520,",
        ),
        (
            "llm report report.json tidy.json --format csv",
            0,
            "\nexamples/words/tidy/domain.pddl,pddl,fake:translator,no,1,1,20.7-100,1/1,20.7-100,1/1,20.7-100,1/1,20.7-100,0,0,0,0,",
        ),
        ("llm report run report.json --format csv", 1, "print each kind on its own"),
        ("llm report run report.json --json", 0, "\"program\": \"reward, direct\""),
        ("lot results report.json", 1, "is not one of the experiment"),
    ]);
}

#[test]
fn the_full_conversation_has_three_turns_for_each_candidate() {
    let folder = with_recording();
    let reward = |behind: &str, returned: &str| {
        format!(
            "Here it is.\n\n```python\ndef reward_function(game_objects) -> float:\n    player = next((o for o in game_objects if isinstance(o, Player)), None)\n    \
             ball = next((o for o in game_objects if isinstance(o, Ball)), None)\n    if player is None or ball is None:\n        return 0.0\n    \
             if is_behind(ball, player):\n        return {behind}\n    return {returned} if was_returned(ball) else 0.0\n```\n"
        )
    };
    let relations = "These functions help:\n\n```python\ndef is_behind(ball, player):\n    return ball.x > player.x + player.w\n```\n\nAnd:\n\n\
                     ```python\ndef was_returned(ball):\n    return ball.prev_x > 134 and ball.dx < 0\n```\n";
    let line = |found: &str, text: &str| format!("{}\n", serde_json::json!({ "match": found, "text": text }));
    let lines = [
        line("lies in the range [-1, 1]", &reward("-1.0", "0.1")),
        line("Now write the reward function", &reward("-10.0", "1.0")),
        line("As a first step", relations),
    ];
    folder.write("full.jsonl", lines.map(|line| line.repeat(2)).concat());
    let command = "reward generate --world atari/pong --instructions examples/words/pong.txt --variant full --candidates 2 \
                   --model scripted:full.jsonl --record run.jsonl --report report.json --output reward.py pong.jsonl";
    let done = folder.run(command);
    assert_eq!(done.code, Some(0), "{}", done.all());
    let report: serde_json::Value = serde_json::from_str(&folder.read("report.json")).unwrap();
    assert_eq!(report["accepted"]["candidates"], 2);
    for candidate in report["candidates"].as_array().unwrap() {
        let found = (&candidate["status"], &candidate["replies"], &candidate["repairs"]);
        assert_eq!(found, (&"accepted".into(), &3.into(), &0.into()), "{candidate:#}");
    }
    // The functions of the first reply, and the reward function of the third instead of that of the second.
    let program = folder.read("reward.py");
    for part in ["def is_behind(ball, player):", "def was_returned(ball):", "return -1.0\n", "return 0.1 if"] {
        assert_eq!(program.matches(part).count(), 1, "{part}\n{program}");
    }
    assert!(!program.contains("-10.0"), "{program}");
    assert_eq!(folder.read("run.jsonl").matches("\"event\":\"replied\"").count(), 6);
}

#[test]
fn a_reward_is_changed_only_on_request_and_as_a_diff() {
    let folder = with_recording();
    let plain = folder.run(&generate(""));
    assert!(!plain.out.contains("original_reward_function"), "{}", plain.all());
    folder.write(
        "examples/words/pong-replies.jsonl",
        r#"{"text": "```python\ndef reward_function(objects):\n    return -5.0 if any(o.x > 144 for o in objects if isinstance(o, Ball)) else 0.0\n```"}"#,
    );
    let scaled = folder.run(&generate("--rescale --repairs 0"));
    let text = scaled.all();
    assert!(
        text.contains("-def reward_function(objects):") && text.contains("+def original_reward_function(objects):"),
        "{text}"
    );
    assert!(scaled.out.contains("return reward / 5.0"), "{text}");
}

#[test]
fn a_cap_has_its_own_exit_code_and_the_record_continues() {
    let folder = with_recording();
    let capped = folder.run(&generate("--max-calls 1 --record run.jsonl"));
    assert_eq!(capped.code, Some(3), "{}", capped.all());
    assert!(capped.all().contains("unfinished"), "{}", capped.all());
    // The first reply was used: the script continues with the second one.
    let replies = folder.read("examples/words/pong-replies.jsonl");
    folder.write("examples/words/pong-replies.jsonl", replies.lines().nth(1).unwrap());
    let done = folder.run(&generate("--record run.jsonl"));
    assert_eq!(done.code, Some(0), "{}", done.all());
}

#[test]
fn invalid_inputs_have_messages_and_exit_codes() {
    let folder = with_recording();
    folder.write("empty.txt", " \n");
    folder.write("templates/reward.txt", "<GAEM>");
    folder.write("curves.csv", "step,score\n");
    folder.write("map.txt", "nonsense\n");
    folder.assert_each(&[
        ("reward generate --world atari/pong --instructions examples/words/pong.txt --model fake:translator missing.jsonl", 1, "missing.jsonl"),
        ("reward generate --world atari/pong --instructions examples/words/pong.txt --model fake:translator examples/pddl", 2, "no recording among the paths"),
        ("reward generate --world atari/pnog --instructions examples/words/pong.txt --model fake:translator pong.jsonl", 1, "atari/pong"),
        ("reward generate --world atari/pong --instructions empty.txt --model fake:translator pong.jsonl", 2, "contains no instructions"),
        ("reward generate --world atari/pong --instructions none.txt --model fake:translator pong.jsonl", 1, "none.txt"),
        ("reward generate --world atari/pong --instructions examples/words/pong.txt --model fake:x pong.jsonl", 2, "unknown stand-in"),
        ("reward generate --world atari/pong --instructions examples/words/pong.txt pong.jsonl", 2, "--model"),
        ("reward generate --world atari/pong --instructions examples/words/pong.txt --model fake:translator --templates templates pong.jsonl", 2, "did you mean `<GAME>`?"),
        ("reward generate --world atari/pong --instructions examples/words/pong.txt --model fake:translator --training curves.csv pong.jsonl", 2, "no column `candidate`"),
        ("reward generate --world atari/freeway --instructions examples/words/pong.txt --model fake:translator pong.jsonl", 1, "pong"),
        ("translate --to pddl --domain none.pddl words --model fake:translator", 2, "none.pddl"),
        ("translate --to pddl --domain examples/pddl/delivery/one_van.pddl words --model fake:translator", 1, "contains no PDDL domain"),
        ("translate --to bddl --domain omnigibsn words --model fake:translator", 1, "omnigibson"),
        ("translate --to game --domain mediun-objects-room-v1 words --model fake:translator", 1, "medium-objects-room-v1"),
        ("translate --to pddl --domain examples/words/tidy/domain.pddl --name-map map.txt words --model fake:translator", 2, "line 1: expected"),
        ("translate --to pddl --domain examples/words/tidy/domain.pddl --examples templates words --model fake:translator", 2, "no pair of files"),
        ("translate --to pddl --domain examples/words/tidy/domain.pddl ... --model fake:translator", 2, "no sentence"),
        ("translate --to reward --domain atari/pong words --model fake:translator", 2, "no recording"),
    ]);
}

#[test]
fn a_dry_run_prints_the_prompts_and_the_upper_bound() {
    let folder = with_recording();
    let done = folder.run(&generate("--dry-run --repairs 2 --rounds 2"));
    let text = done.all();
    assert_eq!(done.code, Some(0), "{text}");
    for part in [
        "class Ball(GameObject):",
        "You play the right paddle",
        "nothing was sent",
        "with all further turns, at most: 7 calls",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn a_dry_run_shows_the_examples_of_a_folder_and_the_names() {
    let folder = Folder::new();
    let mut command = folder.command(GOALSPEC);
    command.args(
        "translate --to pddl --domain examples/words/tidy/domain.pddl --model fake:translator --dry-run".split(' '),
    );
    command.args(["--objects", "book lamp - thing, box hall shelf - place", "-"]);
    command.args(["--name-map", "examples/words/tidy/names.txt", "--examples", "examples/words/tidy/examples"]);
    let done = finish(&mut command, folder.read("examples/words/tidy/words.txt").as_bytes());
    assert_eq!(done.code, Some(0), "{}", done.all());
    let [words, program] =
        ["txt", "pddl"].map(|kind| folder.read(&format!("examples/words/tidy/examples/keys.{kind}")));
    let example = format!("Example 1:\n{}\n\n```\n{}\n```\n", words.trim(), program.trim());
    for part in [
        example.as_str(),
        "\"torch\" is lamp.",
        "The objects are: book lamp - thing",
        "\n2. The torch is in the hall.\n",
    ] {
        assert!(done.out.contains(part), "{part}\n{}", done.out);
    }
}

/// Translates with prepared replies, and returns the document, whose candidate is accepted.
fn translated(folder: &Folder, replies: &[&str], arguments: &[&str]) -> serde_json::Value {
    let lines: Vec<String> = replies.iter().map(|text| serde_json::json!({ "text": text }).to_string()).collect();
    folder.write("replies.jsonl", lines.join("\n"));
    let mut command = folder.command(GOALSPEC);
    command.args(["translate", "--json", "--model", "scripted:replies.jsonl"]).args(arguments);
    let done = finish(&mut command, b"");
    assert_eq!(done.code, Some(0), "{}", done.all());
    serde_json::from_str(&done.out).unwrap()
}

#[test]
fn activities_are_translated_with_the_sentences_of_their_facts() {
    let folder = Folder::new();
    let activity = |goal: &str| {
        format!(
            "```lisp\n(define (problem p-0) (:domain omnigibson) (:objects plant.n.01_1 - plant.n.01 floor.n.01_1 - floor.n.01 shelf.n.01_1 - \
             shelf.n.01 agent.n.01_1 - agent.n.01) (:init ; 1\n (ontop plant.n.01_1 floor.n.01_1) (inroom floor.n.01_1 kitchen) (inroom \
             shelf.n.01_1 kitchen) (ontop agent.n.01_1 floor.n.01_1)) (:goal (and ; 2\n {goal})))\n```"
        )
    };
    // The first goal contradicts itself.
    let contradiction = activity("(ontop ?plant.n.01_1 ?shelf.n.01_1) (not (ontop ?plant.n.01_1 ?shelf.n.01_1))");
    let words = "The plant is on the floor of the kitchen with the shelf. Put the plant on the shelf.";
    let replies = [contradiction.as_str(), &activity("(ontop ?plant.n.01_1 ?shelf.n.01_1)")];
    let value = translated(&folder, &replies, &["--to", "bddl", "--domain", "omnigibson", words]);
    assert_eq!((&value["language"], &value["repairs"]), (&"bddl".into(), &1.into()), "{value:#}");
    let goal = value["facts"].as_array().unwrap().iter().find(|fact| fact["section"] == ":goal").unwrap();
    assert_eq!((&goal["sentence"], &goal["is_stated"]), (&2.into(), &true.into()));
    assert!(value["annotated"].as_str().unwrap().contains("; 2. Put the plant on the shelf."), "{value:#}");
}

#[test]
fn games_are_translated_with_the_sentences_of_their_conditions() {
    let folder = Folder::new();
    let game = |predicate: &str| {
        format!(
            "```\n(define (game demo) (:domain few-objects-room-v1) (:constraints ; 1\n (preference onBed (exists (?b - ball) (at-end \
             ({predicate} bed ?b))))) (:scoring (count onBed)))\n```"
        )
    };
    let words = "A ball lies on the bed at the end.";
    let replies = [game("onn"), game("on")];
    let arguments = ["--to", "game", "--domain", "few-objects-room-v1", words];
    let value = translated(&folder, &replies.each_ref().map(String::as_str), &arguments);
    assert_eq!((&value["language"], &value["repairs"]), (&"game".into(), &1.into()), "{value:#}");
    assert!(value["annotated"].as_str().unwrap().contains("; 1. A ball lies on the bed at the end."), "{value:#}");
}

#[test]
fn reward_functions_are_translated_with_the_sentences_of_their_terms() {
    let folder = with_recording();
    let replies = folder.read("examples/words/pong-replies.jsonl");
    let texts = replies.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["text"].clone());
    let texts: Vec<String> = texts.map(|text| text.as_str().unwrap().to_owned()).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let words = "The ball must not pass the player. Send the ball back.";
    let value = translated(&folder, &texts, &["--to", "reward", "--domain", "atari/pong", words, "pong.jsonl"]);
    assert_eq!((&value["language"], &value["repairs"]), (&"reward".into(), &1.into()), "{value:#}");
    let annotated = value["annotated"].as_str().unwrap();
    let expected =
        "        # 1. The ball must not pass the player.\n        return -1.0  # the ball has passed the player\n";
    assert!(annotated.contains(expected), "{annotated}");
    // The annotated program is the program: it gives the same rewards.
    folder.write("annotated.py", annotated);
    folder.write("plain.py", value["program"].as_str().unwrap());
    let scores = folder.run("score annotated.py plain.py pong.jsonl --format csv").out;
    let rows: Vec<&str> = scores.lines().skip(1).filter_map(|row| Some(row.split_once(',')?.1)).collect();
    assert!(rows.len() == 4 && rows[..2] == rows[2..] && rows[0].contains("-1.8"), "{scores}");
}

#[test]
fn a_translation_quotes_the_sentences_of_its_facts() {
    let folder = Folder::new();
    let mut command = folder.command(GOALSPEC);
    command.args("translate --to pddl --domain examples/words/tidy/domain.pddl --model fake:translator".split(' '));
    command.args(["--objects", "book lamp - thing, box hall shelf - place", "--format", "json", "-"]);
    command.args(["--name-map", "examples/words/tidy/names.txt", "--examples", "examples/words/tidy/examples"]);
    let done = finish(&mut command, folder.read("examples/words/tidy/words.txt").as_bytes());
    let value: serde_json::Value = serde_json::from_str(&done.out).unwrap_or_else(|_| panic!("{}", done.all()));
    assert_eq!(value["format"], "goalspec-translation-1");
    let facts: Vec<String> = value["facts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|fact| format!("{} {}", fact["text"].as_str().unwrap(), fact["sentence"]))
        .collect();
    assert_eq!(
        facts,
        ["(in book box) 1", "(in lamp hall) 2", "(closed box) 3", "(in book shelf) 4", "(in lamp box) 5"]
    );
}

#[test]
fn a_file_in_place_of_words_is_refused() {
    let folder = Folder::new();
    let done = folder.run(
        "translate examples/words/tidy/words.txt --to pddl --domain examples/words/tidy/domain.pddl --model fake:translator",
    );
    assert_eq!((done.code, done.out.as_str()), (Some(2), ""), "{}", done.all());
    assert!(done.all().contains("with `-` and `< examples/words/tidy/words.txt`"), "{}", done.all());
}

#[test]
fn a_comparison_reports_the_errors_of_both_problems() {
    let folder = Folder::new();
    folder.write("one.pddl", "(define (problem one)");
    folder.write("other.pddl", "(define (problem other)");
    let done = folder.run("equiv one.pddl other.pddl");
    assert_eq!(done.code, Some(2), "{}", done.all());
    assert!(done.all().contains("one.pddl:1") && done.all().contains("other.pddl:1"), "{}", done.all());
}

#[test]
fn findings_of_a_domain_that_both_problems_share_are_printed_once() {
    let folder = Folder::new();
    folder.write(
        "domain.pddl",
        "(define (domain d) (:types thing) (:predicates (on ?x)) (:action go :parameters (?x - thing) :effect (on ?x)))",
    );
    for name in ["one", "other"] {
        folder.write(
            &format!("{name}.pddl"),
            format!("(define (problem {name}) (:domain d) (:objects a - thing) (:goal (on a)))"),
        );
    }
    let done = folder.run("equiv one.pddl other.pddl");
    assert!(done.all().contains("domain.pddl:1"), "{}", done.all());
    let printed = done.all();
    let mut lines: Vec<&str> = printed.lines().filter(|line| line.contains("domain.pddl:")).map(str::trim).collect();
    let count = lines.len();
    lines.sort_unstable();
    lines.dedup();
    assert_eq!(lines.len(), count, "{}", done.all());
}

#[test]
fn descriptions_of_classes_have_the_ranges_of_inherited_attributes() {
    let folder = Folder::new();
    folder.write("words", "Make tea.");
    folder.write("empty", " \n");
    let generate = "reward generate --world examples/worlds/kitchen.world.toml --instructions words --variant direct \
                    --model fake:sampler --dry-run examples/worlds/make-tea.jsonl";
    let done = folder.run(generate);
    assert_eq!(done.code, Some(0), "{}", done.all());
    assert!(done.out.contains("class Vessel(Thing):\n"), "{}", done.out);
    let (_, kettle) = done.out.split_once("class Kettle(Vessel):").unwrap();
    let (kettle, _) = kettle.split_once("class Cup(Vessel):").unwrap();
    assert!(kettle.contains("capacity: float  # Litres; capacity always 1.5"), "{kettle}");
    assert!(kettle.contains("water: float  # Litres; water from 0 to "), "{kettle}");
    assert!(!done.out.contains("NoObject") && !done.out.contains("screen"), "{}", done.out);
    let done = folder.run(&format!("{generate} --classes empty"));
    assert_eq!(done.code, Some(2), "{}", done.all());
    assert!(done.all().contains("`empty` describes no classes"), "{}", done.all());
}

#[test]
fn outputs_do_not_replace_inputs_and_unusable_recordings_cost_no_call() {
    let folder = with_recording();
    let recording = folder.read("pong.jsonl");
    let cases = [
        (generate("--output pong.jsonl"), 2, "the output `pong.jsonl` is also an input"),
        (generate("--report run.jsonl --record run.jsonl"), 2, "is the path of two outputs"),
        (generate("--record run.jsonl --score-column nope"), 1, "has no score `nope`"),
        (
            "translate words --to game --domain few-objects-room-v1 --model scripted:none.jsonl pong.jsonl".to_owned(),
            1,
            "the recording is of Pong",
        ),
    ];
    for (arguments, code, text) in cases {
        let done = folder.run(&arguments);
        assert!(done.code == Some(code) && done.all().contains(text), "{arguments}: {}", done.all());
    }
    assert_eq!(folder.read("pong.jsonl"), recording);
    assert!(!folder.path("run.jsonl").exists(), "no run was begun");
}

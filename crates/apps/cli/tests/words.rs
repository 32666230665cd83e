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
fn a_reward_is_changed_only_on_request_and_as_a_diff() {
    let folder = with_recording();
    let plain = folder.run(&generate(""));
    assert!(!plain.out.contains("original_reward_function"), "{}", plain.all());
    folder.write(
        "examples/words/pong-replies.jsonl",
        r#"{"text": "```python\ndef reward_function(objects):\n    return 5.0 * len(objects)\n```"}"#,
    );
    let scaled = folder.run(&generate("--rescale --repairs 0"));
    let text = scaled.all();
    assert!(
        text.contains("-def reward_function(objects):") && text.contains("+def original_reward_function(objects):"),
        "{text}"
    );
    assert!(scaled.out.contains("return reward / "), "{text}");
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
        ("reward generate --world atari/pong --instructions examples/words/pong.txt --model fake:translator examples/words", 2, "no recording among the paths"),
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
        ("translate --to game --domain medium-objects-rom-v1 words --model fake:translator", 1, "medium-objects-room-v1"),
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

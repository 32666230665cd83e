//! Invariants that no run violates, with the client, its caps and its records.

use std::path::{Path, PathBuf};

use goalspec_llm::budget::Caps;
use goalspec_llm::client::{Client, ClientOptions, Mode};
use goalspec_llm::{Cap, ErrorKind, Request};
use goalspec_rewards::screen_worlds;
use goalspec_rewards::world::RewardWorld;
use goalspec_trace::TraceInput;
use goalspec_words::pipeline::RunOptions;
use goalspec_words::record::Record;
use goalspec_words::reward::classes::ClassDescriptions;
use goalspec_words::reward::generation::{Generation, GenerationOptions, generate};
use goalspec_words::reward::prompts::{PromptInputs, Prompts, Templates, Variant};
use goalspec_words::reward::report::{self, ReportHeader};
use goalspec_words::reward::samples::Samples;
use goalspec_words::reward::task::RewardInputs;
use goalspec_words::{Attempt, Finding, Stage, Status, Weight};
use serde_json::{Value, json};

/// Two frames of an invented game of Pong.
const RECORDING: &str = r#"{"format":"goalspec-screens-1","game":"Pong","hud":false}
{"t":0,"ep":0,"a":null,"r":0.0,"term":false,"trunc":false,"objs":[["Player",140,100,4,15,140,100,0,1,[92,186,92],null],["Ball",80,60,2,4,76,57,0,1,[236,236,236],null],["Enemy",16,90,4,15,16,90,0,1,[213,130,74],null]]}
{"t":1,"ep":0,"a":0,"r":1.0,"term":true,"trunc":false,"objs":[["Player",140,100,4,15,140,100,0,1,[92,186,92],null],["Ball",10,63,2,4,80,60,0,1,[236,236,236],null],["Enemy",16,90,4,15,16,90,0,1,[213,130,74],null]]}
"#;

const GOOD: &str = "```python
def reward_function(objects):
    ball = next((o for o in objects if isinstance(o, Ball)), None)
    return 1.0 if ball is not None and ball.x < 20 else 0.0
```";
const UNKNOWN_NAME: &str =
    "```python\ndef reward_function(objects):\n    return 1.0 if isinstance(objects[0], Plaier) else 0.0\n```";

fn inputs() -> RewardInputs {
    RewardInputs {
        world: RewardWorld::Screen(screen_worlds::builtin("atari/pong").unwrap()),
        known: Vec::new(),
        traces: vec![TraceInput::Bytes("play.jsonl".into(), RECORDING.as_bytes().into())],
        score_column: None,
        range: None,
    }
}

fn prompts(inputs: &RewardInputs) -> Prompts {
    let samples = Samples::read(&inputs.world, &[], &inputs.traces).unwrap();
    let classes = ClassDescriptions::render(&inputs.world, &samples);
    let inputs = PromptInputs { game: "Pong", classes: &classes, instructions: "Win." };
    Prompts::new(&Templates::default(), Variant::Direct, false, inputs)
}

fn script(folder: &Path, texts: &[&str]) -> PathBuf {
    let lines: Vec<String> = texts.iter().map(|text| json!({ "text": text }).to_string()).collect();
    let path = folder.join("script.jsonl");
    std::fs::write(&path, lines.join("\n")).unwrap();
    path
}

fn client(script: &Path, cache: Option<PathBuf>, calls: Option<u64>) -> Client {
    let options = ClientOptions {
        model: Some(format!("scripted:{}", script.display())),
        mode: Mode::Live,
        cache,
        caps: Caps { calls, ..Caps::default() },
        ..ClientOptions::default()
    };
    options.open(&goalspec_words::stand_ins::stand_ins()).unwrap()
}

fn run(client: &Client, candidates: usize, record: &Record) -> Generation {
    let inputs = inputs();
    let options = GenerationOptions {
        variant: Variant::Direct,
        candidates,
        run: RunOptions { max_repairs: 2, threads: 2 },
        ..GenerationOptions::default()
    };
    let settings = Request { max_output_tokens: Some(500), ..Request::chat(None, Vec::new()) };
    generate(&inputs, &prompts(&inputs), &settings, client, &options, record, &|_, _| ()).unwrap()
}

fn header() -> ReportHeader {
    ReportHeader {
        world: "atari/pong".to_owned(),
        variant: "direct".to_owned(),
        model: "m".to_owned(),
        settings: json!({}),
    }
}

#[test]
fn no_program_is_accepted_before_its_audit() {
    let attempt = |stage, findings| Attempt {
        replies: 1,
        stage,
        program: Some("x".to_owned()),
        notes: Vec::new(),
        findings,
        results: Value::Null,
    };
    for stage in [Stage::Extracted, Stage::Parsed, Stage::Checked, Stage::Run] {
        assert!(matches!(attempt(stage, Vec::new()).status(), Status::Rejected(_)), "{stage:?}");
    }
    assert_eq!(attempt(Stage::Audited, Vec::new()).status(), Status::Accepted);
    let warning = vec![Finding::new(Stage::Audited, "x", Weight::Warning, "w")];
    assert_eq!(attempt(Stage::Audited, warning).status(), Status::AcceptedWithWarnings);
    let error = vec![Finding::new(Stage::Audited, "x", Weight::Error, "e")];
    assert!(matches!(attempt(Stage::Audited, error).status(), Status::Rejected(_)));
}

#[test]
fn a_report_hides_no_finding_and_counts_all_candidates() {
    let folder = tempfile::tempdir().unwrap();
    let client = client(&script(folder.path(), &[GOOD, UNKNOWN_NAME, UNKNOWN_NAME]), None, None);
    let generation = run(&client, 3, &Record::in_memory());
    let (text, json) = (report::text(&header(), &generation), report::json(&header(), &generation));
    for candidate in &generation.candidates {
        for finding in candidate.result().into_iter().flat_map(|attempt| &attempt.findings) {
            assert!(text.contains(&finding.message), "{text}");
            assert!(json.to_string().contains(finding.code.as_str()));
        }
    }
    let accepted = &json["accepted"];
    assert_eq!(accepted["candidates"], 3);
    // The script has no replies for the repairs of two candidates: failed calls are counted.
    assert_eq!((&accepted["failed"], accepted["interval"].is_array()), (&json!(2), true), "{accepted}");
    assert!(text.contains("1 of 3 candidates accepted (95 % interval"), "{text}");
}

#[test]
fn a_cap_is_never_exceeded_and_the_run_continues_from_its_record() {
    let folder = tempfile::tempdir().unwrap();
    let texts = [UNKNOWN_NAME, UNKNOWN_NAME, GOOD, GOOD];
    let path = script(folder.path(), &texts);
    let record = || Record::open(&folder.path().join("run.jsonl"), "reward", &json!({})).unwrap();
    let capped = client(&path, None, Some(3));
    let first = run(&capped, 2, &record());
    assert_eq!(first.interruption.as_ref().map(|error| error.kind), Some(ErrorKind::CapReached(Cap::Calls)));
    assert_eq!(capped.spent().calls, 3);
    assert_eq!(first.candidates[0].status.name(), "accepted");
    assert_eq!(first.candidates[1].status.name(), "unfinished");
    // The script continues where it was: one reply is left for the one call that is missing.
    let rest = script(folder.path(), &texts[3..]);
    let second = run(&client(&rest, None, Some(1)), 2, &record());
    assert_eq!(second.interruption, None);
    assert!(second.candidates.iter().all(|candidate| candidate.status == Status::Accepted), "{second:#?}");
}

#[test]
fn an_equal_request_is_answered_from_the_cache() {
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("cache");
    let path = script(folder.path(), &[GOOD]);
    let first = run(&client(&path, Some(cache.clone()), None), 1, &Record::in_memory());
    let empty = script(folder.path(), &[]);
    let again = client(&empty, Some(cache), None);
    let second = run(&again, 1, &Record::in_memory());
    assert_eq!(first.candidates[0].program(), second.candidates[0].program());
    assert!(second.candidates[0].replies[0].from_cache);
}

#[test]
fn the_text_of_a_model_is_not_executed_outside_of_the_interpreter() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("written");
    let name = target.display().to_string();
    let bodies = [
        format!("open({name:?}, 'w').write('x')"),
        format!("__import__('os').system('touch {name}')"),
        format!("exec(\"open({name:?}, 'w')\")"),
        format!("eval('1') or open({name:?}, 'w')"),
    ];
    for body in bodies {
        let reply = format!(
            "$(touch {name}) `touch {name}` <GAME>\n```python\ndef reward_function(objects):\n    {body}\n    return 1.0\n```"
        );
        let client = client(&script(folder.path(), &[&reply, &reply]), None, None);
        let generation = run(&client, 1, &Record::in_memory());
        assert!(
            matches!(generation.candidates[0].status, Status::Rejected(_)),
            "{body}: {:?}",
            generation.candidates[0].status
        );
        assert!(!target.exists());
    }
}

#[test]
fn a_program_that_runs_for_ever_is_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let reply = "```python\ndef reward_function(objects):\n    while True:\n        pass\n```";
    let client = client(&script(folder.path(), &[reply, reply]), None, None);
    let generation = run(&client, 1, &Record::in_memory());
    assert!(matches!(generation.candidates[0].status, Status::Rejected(_)));
    let findings = &generation.candidates[0].result().unwrap().findings;
    assert!(findings.iter().any(|finding| finding.code == "reward/raises"), "{findings:#?}");
}

#[test]
fn rounds_continue_from_the_best_program_at_constant_length() {
    let folder = tempfile::tempdir().unwrap();
    let texts = [GOOD; 8];
    let client = client(&script(folder.path(), &texts), None, None);
    let inputs = inputs();
    let options = GenerationOptions {
        variant: Variant::Direct,
        candidates: 2,
        rounds: 4,
        run: RunOptions { max_repairs: 0, threads: 1 },
        ..GenerationOptions::default()
    };
    let settings = Request { max_output_tokens: Some(500), ..Request::chat(None, Vec::new()) };
    let generation =
        generate(&inputs, &prompts(&inputs), &settings, &client, &options, &Record::in_memory(), &|_, _| ()).unwrap();
    assert_eq!(generation.candidates.len(), 8);
    let lengths: Vec<usize> = generation
        .candidates
        .iter()
        .map(|candidate| candidate.turns.iter().map(|turn| turn.text.len()).sum())
        .collect();
    assert!(lengths[2..].iter().all(|length| *length == lengths[2]), "{lengths:?}");
    assert_eq!(generation.candidates[2].turns.len(), 4);
    assert!(generation.candidates[2].turns[2].text.contains("Improve the program."));
}

//! `--constrain`: the constraint that each server receives, and the check of its replies, against a server on this machine.

use goalspec_testing::model_server::{AnswerStep, ModelServer, ReceivedRequest, answer};
use serde_json::{Value, json};

use crate::common::{Done, Folder, GOALSPEC, finish};

const WORDS: &str = "The plate is in the box. The plate should be in the shelf.";
const OBJECTS: &str = "plate - thing, box shelf - place";

/// A reply that the constraint derives.
const MATCHING: &str = "(define (problem tidy-up) (:domain tidy) (:objects plate - thing box - place shelf - place) (:init (in plate box)) \
                        (:goal (in plate shelf)))";

/// The same program as servers without constraints send it.
const FENCED: &str = "```pddl\n(define (problem tidy-up) (:domain tidy) (:objects plate - thing box shelf - place) (:init (in plate box))\n\
                      (:goal (in plate shelf)))\n```\n";

/// Returns an answer with a text in the format of the request.
fn reply(request: &ReceivedRequest, text: &str) -> Vec<AnswerStep> {
    let usage = json!({"prompt_tokens": 900, "completion_tokens": 60, "input_tokens": 900, "output_tokens": 60});
    let path = request.target.rsplit('/').next().unwrap_or_default();
    let body = match path {
        "messages" => {
            json!({"type": "message", "content": [{"type": "text", "text": text}], "stop_reason": "end_turn", "usage": usage})
        }
        "completions" if request.target.ends_with("/chat/completions") => {
            let message = json!({"role": "assistant", "content": text});
            json!({"model": "m", "choices": [{"index": 0, "message": message, "finish_reason": "stop"}], "usage": usage})
        }
        _ => {
            json!({"model": "m", "choices": [{"index": 0, "text": text, "finish_reason": "stop"}], "usage": usage})
        }
    };
    answer(200, &[], &body.to_string())
}

fn server(text: String) -> ModelServer {
    ModelServer::start(move |_, request| reply(request, &text))
}

/// Translates with a constraint, without keys of the environment.
fn translate(folder: &Folder, server: &ModelServer, options: &str) -> Done {
    let mut command = folder.command(GOALSPEC);
    command
        .args(["translate", WORDS, "--objects", OBJECTS, "--to", "pddl", "--model", "m", "--json"])
        .args(["--domain", "examples/words/tidy/domain.pddl", "--llm", "record", "--base-url", server.origin()])
        .args(options.split(' '))
        .env_remove("OPENAI_API_KEY")
        .env_remove("ANTHROPIC_API_KEY");
    finish(&mut command, b"")
}

/// Returns the exports of the vocabulary of the translation: the grammar and the schema.
fn exports(folder: &Folder) -> [Value; 2] {
    folder.write("objects.pddl", MATCHING);
    let export = |format: &str| {
        let arguments = format!(
            "llm grammar pddl --domain examples/words/tidy/domain.pddl --problem objects.pddl --part program --format {format}"
        );
        let done = folder.run(&arguments);
        assert_eq!(done.code, Some(0), "{}", done.all());
        done.out
    };
    [Value::String(export("gbnf")), serde_json::from_str(&export("json-schema")).unwrap()]
}

/// The place of a constraint in a request: the profile, the format, whether it is a grammar, and the JSON pointer.
const PLACES: [(&str, &str, bool, &str); 10] = [
    ("llama-cpp", "chat", true, "/grammar"),
    ("llama-cpp", "messages", true, "/grammar"),
    ("vllm", "chat", true, "/structured_outputs/grammar"),
    ("llama-cpp", "chat", false, "/response_format/json_schema/schema"),
    ("vllm", "chat", false, "/response_format/json_schema/schema"),
    ("ollama", "chat", false, "/response_format/json_schema/schema"),
    ("openai", "chat", false, "/response_format/json_schema/schema"),
    ("anthropic", "messages", false, "/output_config/format/schema"),
    // A grammar of servers that have only schemas is not sent; the command refuses instead.
    ("openai", "chat", true, ""),
    ("generic", "chat", false, ""),
];

#[test]
fn each_server_receives_the_constraint_in_its_own_field() {
    let folder = Folder::new();
    let exported = exports(&folder);
    for (profile, format, is_grammar, pointer) in PLACES {
        let text = if is_grammar { MATCHING.to_owned() } else { json!({ "program": MATCHING }).to_string() };
        let server = server(text);
        let mode = if is_grammar { "grammar" } else { "schema" };
        let name = format!("{profile} {format} {mode}");
        let options = format!("--constrain {mode} --profile {profile} --wire-format {format}");
        let done = translate(&folder, &server, &options);
        if pointer.is_empty() {
            assert!(
                done.code == Some(2) && done.err.contains("has no option for this constraint"),
                "{name}: {}",
                done.all()
            );
            assert_eq!(server.requests().len(), 0, "{name}");
            continue;
        }
        assert_eq!(done.code, Some(0), "{name}: {}", done.all());
        let body: Value = serde_json::from_str(&server.requests()[0].body).unwrap();
        assert_eq!(body.pointer(pointer), Some(&exported[usize::from(!is_grammar)]), "{name}");
        // The reply was checked against the constraint, and honours it.
        let document: Value = serde_json::from_str(&done.out).unwrap();
        assert_eq!((&document["constrained"], &document["constraint"]), (&true.into(), &mode.into()), "{name}");
        assert!(!done.all().contains("constraint not honoured"), "{name}: {}", done.all());
        assert_eq!(server.requests().len(), 1, "{name}");
    }
}

#[test]
fn replies_that_violate_a_constraint_are_used_and_reported() {
    let folder = Folder::new();
    let unknown_name = MATCHING.replace("(in plate shelf)", "(in plate cupboard)");
    for (options, text, code) in [
        ("--constrain grammar --profile llama-cpp --repairs 0", FENCED.to_owned(), 0),
        ("--constrain schema --profile ollama --repairs 0", FENCED.to_owned(), 0),
        ("--constrain schema --profile anthropic --repairs 0", json!({ "text": MATCHING }).to_string(), 1),
        // A name that the vocabulary does not have is found by the check of the constraint, and by that of the language.
        ("--constrain grammar --profile vllm --repairs 0", unknown_name, 1),
    ] {
        let server = server(text);
        let done = translate(&folder, &server, options);
        assert_eq!(done.code, Some(code), "{options}: {}", done.all());
        assert!(done.err.contains("/v1 accepted a "), "{options}: {}", done.err);
        let document: Value = serde_json::from_str(&done.out).unwrap();
        let findings = document["findings"].as_array().unwrap();
        let has = findings.iter().any(|finding| finding["code"] == "words/constraint-not-honoured");
        assert!(has, "{options}: {document:#}");
        assert_eq!(document["constrained"], true, "{options}");
    }
}

#[test]
fn the_experiment_sends_the_grammar_of_each_problem() {
    let folder = Folder::new();
    folder.write("set/specs.yaml", "- num_obj: 3\n- {num_obj: 3, test: true}\n");
    let server = server("The objects are stacked.".to_owned());
    let run = format!(
        "lot run --specs set/specs.yaml --method translate --constrain grammar --profile llama-cpp --wire-format completions --model m \
         --base-url {} --repairs 0 -o run",
        server.origin()
    );
    folder.assert_each(&[("lot generate --specs set/specs.yaml -o set/problems", 0, "2 problems")]);
    let done = folder.run(&run);
    assert_eq!(done.code, Some(0), "{}", done.all());
    assert!(done.err.contains("constraint not honoured"), "{}", done.all());
    let posts = server.requests();
    assert!(!posts.is_empty());
    for request in posts {
        let body: Value = serde_json::from_str(&request.body).unwrap();
        let grammar = body["grammar"].as_str().unwrap();
        assert!(grammar.contains("# language: LOT facts") && grammar.contains("\"ontable\""), "{grammar}");
    }
    let report = folder.run("llm report run --format csv");
    assert!(report.out.lines().nth(1).is_some_and(|row| row.contains(",m,yes,")), "{}", report.all());
}

#[test]
fn options_without_an_effect_on_the_language_are_refused() {
    let folder = Folder::new();
    let domain = "--domain examples/words/tidy/domain.pddl";
    for (arguments, text) in [
        (
            format!("pddl {domain} --objects book"),
            "--objects does not apply to pddl, but to lot-facts, lot-english, lot-plan",
        ),
        ("game --world few-objects-room-v1 --plugin x".to_owned(), "--plugin does not apply to game, but to rgg"),
        ("reward --part goal".to_owned(), "--part does not apply to reward, but to pddl, bddl"),
        (format!("pddl {domain} --exclude holds"), "no predicate `holds` to exclude; it has in, closed, carried"),
        (format!("pddl {domain}"), "without --problem, the constants of the domain are the only objects"),
    ] {
        let done = folder.run(&format!("llm grammar {arguments}"));
        assert!(done.code == Some(2) && done.err.contains(text), "{arguments}: {}", done.all());
    }
}

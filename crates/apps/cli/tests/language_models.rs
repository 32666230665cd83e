//! Commands that call language models, against a server on this machine and against stand-ins.

use goalspec_testing::model_server::{AnswerStep, ModelServer, ReceivedRequest, answer};
use serde_json::{Value, json};

use crate::common::{Done, Folder, GOALSPEC, finish, root};

const KEY: &str = "sk-a-key-of-this-test";

/// A server like llama.cpp: it honours GBNF grammars of one word, and ignores all other options.
fn llama(_: usize, request: &ReceivedRequest) -> Vec<AnswerStep> {
    if request.target.starts_with("GET") {
        let models = r#"{"object": "list", "data": [{"id": "qwen3", "owned_by": "llamacpp"}]}"#;
        return if request.target.ends_with("/models") { answer(200, &[], models) } else { answer(404, &[], "") };
    }
    let body: Value = serde_json::from_str(&request.body).unwrap();
    let word = body["grammar"].as_str().and_then(|text| text.split('"').nth(1)).unwrap_or("hello");
    if request.target.ends_with("/messages") {
        let content = json!([{"type": "text", "text": word}]);
        return answer(
            200,
            &[],
            &json!({"type": "message", "content": content, "stop_reason": "end_turn"}).to_string(),
        );
    }
    let message = json!({"role": "assistant", "content": word});
    let usage = json!({"prompt_tokens": 14, "completion_tokens": 2});
    answer(200, &[], &json!({"model": "qwen3", "choices": [{"index": 0, "message": message, "finish_reason": "stop"}], "usage": usage}).to_string())
}

fn run(folder: &Folder, arguments: &str) -> Done {
    let mut command = folder.command(GOALSPEC);
    command
        .args(arguments.split(' '))
        .env("GOALSPEC_TEST_KEY", KEY)
        .env_remove("OPENAI_API_KEY")
        .env_remove("ANTHROPIC_API_KEY");
    finish(&mut command, b"")
}

#[test]
fn a_probe_says_which_constraints_a_server_honours() {
    let server = ModelServer::start(llama);
    let folder = Folder::new();
    let arguments =
        format!("llm probe --base-url {} --model qwen3 --seed 1 --key-env GOALSPEC_TEST_KEY", server.origin());
    let done = run(&folder, &arguments);
    assert_eq!(done.code, Some(0), "{}", done.all());
    assert!(
        done.out.contains("profile llama-cpp\n  GBNF         honoured\n  Lark         not supported"),
        "{}",
        done.out
    );
    assert!(done.out.contains("  JSON schema  accepted and ignored: expected `"), "{}", done.out);
    assert!(done.out.ends_with("2 calls, 32 tokens\n"), "{}", done.out);
    assert!(done.err.contains("constraint not honoured"), "{}", done.err);
    let posts = server.requests().into_iter().filter(|request| request.target == "POST /v1/chat/completions");
    assert!(
        posts
            .map(|request| request.header("authorization").map(str::to_owned))
            .all(|key| key == Some(format!("Bearer {KEY}")))
    );
    let done = run(&folder, &format!("{arguments} --json"));
    let report: Value = serde_json::from_str(&done.out).unwrap();
    assert_eq!(report["constraints"][0]["result"], "honoured");
    assert_eq!(report["constraints"][2]["result"], "ignored");
    for text in [done.all(), folder.read(".goalspec/llm/ledger.jsonl")] {
        assert!(!text.contains(KEY), "{text}");
    }
}

#[test]
fn exit_codes_tell_caps_servers_and_missing_records_apart() {
    let server = ModelServer::start(llama);
    let busy = ModelServer::with_answers(vec![answer(401, &[], r#"{"error": {"message": "no such key"}}"#)]);
    let folder = Folder::new();
    let probe = format!("llm probe --model m --profile llama-cpp --base-url {}", server.origin());
    for (arguments, code, text) in [
        (format!("{probe} --max-calls 1"), 3, "the cap --max-calls 1 is reached: 1 calls used so far"),
        (
            format!("{probe} --max-calls 1 --run other --max-tokens-total 10"),
            3,
            "the cap --max-tokens-total 10 is reached",
        ),
        (format!("{probe} --llm replay"), 5, "the reply is not recorded"),
        (format!("{probe} --llm off"), 5, "switched off"),
        (format!("llm probe --model m --profile openai --base-url {}", busy.origin()), 4, "no such key"),
        (
            "llm probe --model m --profile generic --base-url http://127.0.0.1:1 --max-time 1".to_owned(),
            1,
            "not supported",
        ),
        ("llm probe --model m".to_owned(), 2, "no server is given"),
        ("llm probe".to_owned(), 2, "no model is given"),
        ("llm probe --model fake:none".to_owned(), 2, "expected one of fake:noisy, fake:sampler, fake:translator"),
        ("llm probe --model m --profile x".to_owned(), 2, "unknown server profile `x`"),
        ("llm probe --model m --max-cost 1".to_owned(), 2, "--prices"),
        (format!("{probe} --key-env GOALSPEC_NO_KEY"), 2, "the variable GOALSPEC_NO_KEY of the environment has no key"),
        (
            "llm probe --model m --base-url http://models.example --key-env GOALSPEC_TEST_KEY --profile openai"
                .to_owned(),
            2,
            "would be sent in clear",
        ),
        ("llm import examples --cache recorded".to_owned(), 1, "no recorded replies in `examples`"),
        ("llm import missing --cache recorded".to_owned(), 1, "cannot import `missing`"),
    ] {
        let done = run(&folder, &arguments);
        assert!(
            done.code == Some(code) && done.all().contains(text),
            "goalspec {arguments}: {:?}\n{}",
            done.code,
            done.all()
        );
    }
}

#[test]
fn a_dry_run_makes_no_connection() {
    let server = ModelServer::start(llama);
    let folder = Folder::new();
    let done =
        run(&folder, &format!("llm probe --model m --profile llama-cpp --base-url {} --dry-run", server.origin()));
    assert_eq!(done.code, Some(0), "{}", done.all());
    assert!(done.out.contains("nothing was sent\nfirst turns: 2 calls, "), "{}", done.out);
    assert_eq!(server.requests().len(), 0);
    assert!(!folder.path(".goalspec").exists());
}

#[test]
fn encrypted_servers_can_be_called() {
    // The port answers without encryption, so the handshake fails; a command without encryption would refuse the address instead.
    let server = ModelServer::start(llama);
    let folder = Folder::new();
    let address = server.origin().replace("http:", "https:");
    let done = run(&folder, &format!("llm probe --model m --profile openai --base-url {address} --max-calls 1"));
    assert!(!done.all().contains("built without"), "{}", done.all());
    assert_ne!(done.code, Some(0));
}

#[test]
fn commands_of_the_page_about_servers_run_against_one() {
    let page = std::fs::read_to_string(root().join("docs/src/language-models.md")).unwrap();
    let server = ModelServer::start(llama);
    let folder = Folder::new();
    folder.write("prices.csv", "model, input, cached input, output\n*, 1, 0.1, 4\n");
    let mut count = 0;
    let blocks = page.split("```sh\n").skip(1).filter_map(|rest| rest.split("```").next());
    for command in blocks.flat_map(str::lines).filter_map(|line| line.strip_prefix("goalspec ")) {
        let words = command.split(" #").next().unwrap_or_default().split_whitespace();
        let arguments: Vec<String> = words
            .map(|word| if word.starts_with("http") { server.origin().to_owned() } else { word.to_owned() })
            .collect();
        let mut arguments = arguments.join(" ");
        if !arguments.contains("--base-url") {
            arguments.push_str(" --base-url ");
            arguments.push_str(server.origin());
        }
        let done = run(&folder, &arguments);
        assert!(matches!(done.code, Some(0 | 1)), "goalspec {arguments}: {:?}\n{}", done.code, done.all());
        count += 1;
    }
    assert!(count >= 5, "{count} commands");
}

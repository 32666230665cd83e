//! Processes that are killed during a call: nothing recorded is asked for again, and the call whose reply is lost is named and counted.

use std::process::Stdio;
use std::time::Duration;

use goalspec_testing::model_server::{AnswerStep, ModelServer, answer};
use serde_json::{Value, json};

use crate::common::Folder;

/// A server of translations that is silent for a long time in one of its calls.
fn server(silent_in: usize) -> ModelServer {
    ModelServer::start(move |number, request| {
        let body: Value = serde_json::from_str(&request.body).unwrap_or_default();
        // Equal prompts have equal replies, in every run.
        let length = body["prompt"].as_str().map_or(0, str::len);
        let text = format!("(ontable object-{length})");
        let usage = json!({"prompt_tokens": 900, "completion_tokens": 12});
        let choices = json!([{"index": 0, "text": text, "finish_reason": "stop"}]);
        let reply = answer(200, &[], &json!({"model": "m", "choices": choices, "usage": usage}).to_string());
        let wait = (number == silent_in).then_some(AnswerStep::Pause(Duration::from_mins(1)));
        wait.into_iter().chain(reply).collect()
    })
}

/// A run of the experiment over three problems.
fn run(server: &ModelServer, output: &str) -> String {
    format!(
        "lot run --specs set/specs.yaml --method translate --profile llama-cpp --wire-format completions --model m --base-url {} \
         --concurrency 1 --repairs 0 --cache cache-{output} -o {output}",
        server.origin()
    )
}

#[test]
fn a_killed_run_is_continued_with_the_same_report() {
    let folder = Folder::new();
    folder.write("set/specs.yaml", "- num_obj: 3\n- {num_obj: 3, test: true}\n- {num_obj: 3, test: true}\n");
    folder.assert_each(&[("lot generate --specs set/specs.yaml -o set/problems", 0, "3 problems")]);
    let undisturbed = server(usize::MAX);
    let expected = folder.run(&run(&undisturbed, "undisturbed"));
    assert_eq!(expected.code, Some(0), "{}", expected.all());
    let count = undisturbed.requests().len();
    assert!(count >= 4, "{count}");
    for killed_in in [0, count / 2, count - 1] {
        let server = server(killed_in);
        let output = format!("killed-{killed_in}");
        let arguments = run(&server, &output);
        let mut command = folder.command(crate::common::GOALSPEC);
        command.args(arguments.split_whitespace()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        while server.requests().len() <= killed_in {
            assert!(child.try_wait().unwrap().is_none(), "the run ended before call {killed_in}");
            std::thread::sleep(Duration::from_millis(5));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        // The caps count the lost call: there is room for the calls that are left, and not for one fewer.
        let left = count - killed_in;
        let capped = folder.run(&format!("{arguments} --max-calls {}", killed_in + left));
        assert_eq!(capped.code, Some(3), "{}", capped.all());
        let continued = folder.run(&arguments);
        assert_eq!(continued.code, Some(0), "{}", continued.all());
        let note = "the process was stopped during 1 call of the run `lot run`: the server may have charged them";
        assert!(continued.err.contains(note), "{}", continued.err);
        // Every reply was asked for once, and the lost one again.
        assert_eq!(server.requests().len(), count + 1, "{killed_in}");
        let results = |folder: &Folder, output: &str| folder.read(&format!("{output}/results.json"));
        assert_eq!(results(&folder, &output), results(&folder, "undisturbed"));
        let report = folder.run(&format!("llm report cache-{output} --json"));
        let report: Value = serde_json::from_str(&report.out).unwrap();
        let calls = &report[0];
        assert_eq!(
            (&calls["calls"], &calls["interrupted"], &calls["failed"]),
            (&json!(count + 1), &json!(1), &json!(0))
        );
        let (all, uncertain) = (calls["tokens"].as_u64().unwrap(), calls["possibly_charged_tokens"].as_u64().unwrap());
        assert!(uncertain > 0 && all == uncertain + 912 * count as u64, "{calls:#}");
    }
}

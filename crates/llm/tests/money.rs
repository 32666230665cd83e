//! Caps, prices, dry runs, concurrency and rates.

use std::fs;
use std::time::Duration;

use goalspec_llm::budget::Caps;
use goalspec_llm::dry_run::{PlannedConversation, plan};
use goalspec_llm::{Cap, ClientOptions, ErrorKind, Mode, Model, ModelError, Reply, Request, StandIns, complete_all};
use goalspec_testing::model_server::{AnswerStep, ModelServer, answer};

use crate::common::{chat, clock, folder, hello, options};

/// A server that repeats the last words of the prompt, the later ones first.
fn echo() -> ModelServer {
    ModelServer::start(|number, request| {
        let body: serde_json::Value = serde_json::from_str(&request.body).unwrap();
        let text = body["messages"][0]["content"].as_str().unwrap_or_default().to_owned();
        let wait = AnswerStep::Pause(Duration::from_millis(40 - 10 * (number as u64 % 4)));
        std::iter::once(wait).chain(chat(&text)).collect()
    })
}

fn requests(count: usize) -> Vec<Request> {
    (0..count).map(|number| Request::text(format!("prompt {number}"))).collect()
}

fn run(options: &ClientOptions, count: usize) -> (Vec<Result<Reply, ModelError>>, u64) {
    let client = options.open(&StandIns::default()).unwrap();
    let results = complete_all(&client, &requests(count), &|_, _| ());
    (results, client.spent().calls)
}

#[test]
fn results_and_the_calls_within_a_cap_do_not_depend_on_the_concurrency() {
    let texts = |results: &[Result<Reply, ModelError>]| -> Vec<Result<String, ErrorKind>> {
        results
            .iter()
            .map(|result| result.as_ref().map(|reply| reply.text.clone()).map_err(|error| error.kind))
            .collect()
    };
    let server = echo();
    let mut seen = Vec::new();
    for concurrency in [1, 4, 16] {
        for cap in [None, Some(5)] {
            let (folder, clock) = (folder(), clock());
            let mut options = options(&server, &folder, &clock);
            options.concurrency = Some(concurrency);
            options.caps = Caps { calls: cap, ..Caps::default() };
            let (results, calls) = run(&options, 12);
            seen.push((cap, texts(&results), calls));
        }
    }
    for (cap, results, calls) in &seen {
        let sent = cap.map_or(12, |cap| usize::try_from(cap).unwrap());
        assert_eq!(*calls, sent as u64);
        for (index, result) in results.iter().enumerate() {
            let expected =
                if index < sent { Ok(format!("prompt {index}")) } else { Err(ErrorKind::CapReached(Cap::Calls)) };
            assert_eq!(*result, expected);
        }
    }
}

#[test]
fn the_worst_case_is_checked_before_each_call_and_retries_count() {
    let server = ModelServer::with_answers(vec![answer(500, &[], "")]);
    let (folder, clock) = (folder(), clock());
    let mut options = options(&server, &folder, &clock);
    options.caps.calls = Some(3);
    let client = options.open(&StandIns::default()).unwrap();
    let error = client.complete(&hello()).unwrap_err();
    assert_eq!((error.kind, error.calls), (ErrorKind::CapReached(Cap::Calls), 3));
    assert_eq!(server.requests().len(), 3);
    drop(client);
    options.caps.calls = None;
    options.caps.tokens = Some(100);
    options.run = "other".to_owned();
    let error = options.open(&StandIns::default()).unwrap().complete(&hello()).unwrap_err();
    assert_eq!(error.kind, ErrorKind::CapReached(Cap::Tokens), "1,024 output tokens could exceed 100");
    assert_eq!(server.requests().len(), 3);
}

#[test]
fn costs_are_counted_by_the_price_file() {
    let server = echo();
    let (folder, clock) = (folder(), clock());
    let prices = folder.path().join("prices.csv");
    fs::write(&prices, "model, input, cached input, output\nm, 1000, 100, 2000\n").unwrap();
    let mut options = options(&server, &folder, &clock);
    options.max_output_tokens = Some(10);
    options.caps.cost = Some(0.08);
    let error = options.open(&StandIns::default()).err().unwrap();
    assert_eq!(error.message, "--max-cost requires a price file (--prices)");
    options.prices = Some(prices);
    let client = options.open(&StandIns::default()).unwrap();
    let results = complete_all(&client, &requests(4), &|_, _| ());
    // A call costs 11 * 0.001 + 3 * 0.002 = 0.017, and could cost up to 0.05.
    assert_eq!(results[0].as_ref().unwrap().cost, Some(0.017));
    let kinds: Vec<_> = results.iter().map(|result| result.as_ref().err().map(|error| error.kind)).collect();
    let reached = Some(ErrorKind::CapReached(Cap::Cost));
    assert_eq!(kinds, [None, None, reached, reached]);
    options.model = Some("unpriced".to_owned());
    drop(client);
    let error = options.open(&StandIns::default()).err().unwrap();
    assert!(error.message.ends_with("it has no price of the model `unpriced`"), "{error}");
}

#[test]
fn the_cap_on_time_ends_waits_and_calls() {
    let server = ModelServer::with_answers(vec![answer(503, &[("retry-after", "30")], "")]);
    let (folder, clock) = (folder(), clock());
    let mut options = options(&server, &folder, &clock);
    options.caps.time = Some(Duration::from_secs(50));
    let error = options.open(&StandIns::default()).unwrap().complete(&hello()).unwrap_err();
    assert_eq!((error.kind, error.calls), (ErrorKind::CapReached(Cap::Time), 2));
    assert!(
        error
            .message
            .starts_with("the cap --max-time is reached: 20 s are left, and the next retry has to wait 30.0 s"),
        "{error}"
    );
    assert_eq!(clock.sleeps(), [Duration::from_secs(30)]);
}

#[test]
fn a_server_that_counts_nothing_is_charged_the_estimate() {
    let body = r#"{"choices": [{"index": 0, "message": {"content": "abcdef"}, "finish_reason": "stop"}]}"#;
    let server = ModelServer::with_answers(vec![answer(200, &[], body)]);
    let (folder, clock) = (folder(), clock());
    let client = options(&server, &folder, &clock).open(&StandIns::default()).unwrap();
    let usage = client.complete(&Request::text("123456789")).unwrap().usage;
    assert_eq!((usage.input_tokens, usage.output_tokens, usage.estimated), (3, 2, true));
    assert_eq!(client.spent().tokens, 5);
}

#[test]
fn a_pause_for_one_call_is_a_pause_for_all() {
    let server = ModelServer::with_answers(vec![answer(429, &[("retry-after", "20")], ""), chat("x")]);
    let (folder, clock) = (folder(), clock());
    let client = options(&server, &folder, &clock).open(&StandIns::default()).unwrap();
    assert!(complete_all(&client, &requests(2), &|_, _| ()).iter().all(Result::is_ok));
    assert_eq!(clock.sleeps(), [Duration::from_secs(20)]);
}

#[test]
fn a_dry_run_opens_no_connection_and_counts_the_worst_case() {
    let server = echo();
    let (folder, clock) = (folder(), clock());
    let mut options = options(&server, &folder, &clock);
    options.profile = None;
    options.mode = Mode::Plan;
    options.max_output_tokens = Some(100);
    let client = options.open(&StandIns::default()).unwrap();
    let planned = |request| PlannedConversation { request, follow_ups: 2, follow_up_bytes: 300 };
    let conversations: Vec<_> = requests(2).into_iter().map(planned).collect();
    let dry_run = plan(&client, &conversations).unwrap();
    let input = dry_run.calls[0].input_tokens;
    assert_eq!(dry_run.first.tokens, 2 * (input + 100));
    // Each further turn repeats the prompt, the replies before it and at most 100 tokens of feedback to each.
    let conversation = (input + 100) + (input + 200 + 100) + (input + 400 + 100);
    assert_eq!((dry_run.with_follow_ups.calls, dry_run.with_follow_ups.tokens), (6, 2 * conversation));
    assert_eq!(dry_run.with_retries.tokens, 10 * conversation);
    let text = dry_run.text();
    assert!(text.contains("prompt 1\n") && text.contains("nothing was sent"), "{text}");
    assert_eq!(client.complete(&hello()).unwrap_err().kind, ErrorKind::Off);
    assert_eq!((server.connections(), server.requests().len()), (0, 0));
    // The count is one of connections, so a connection without a request would be seen.
    drop(std::net::TcpStream::connect(server.origin().trim_start_matches("http://")).unwrap());
    assert_eq!(server.connections(), 1);
    assert!(!folder.path().join("ledger.jsonl").exists());
}

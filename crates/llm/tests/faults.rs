//! Faults of servers: the calls that are made, the waits between them, and the error that is shown.

use std::time::Duration;

use goalspec_llm::{Client, ErrorKind, Model, ModelError, Request, StandIns};
use goalspec_testing::model_server::{AnswerStep, ModelServer, answer, stream};

use crate::common::{chat, clock, folder, hello, options};

/// The result of a call against prepared answers.
struct Observed {
    result: Result<String, ModelError>,
    calls: usize,
    waits: Vec<f64>,
}

fn observe_with(answers: Vec<Vec<AnswerStep>>, change: impl Fn(&mut goalspec_llm::ClientOptions)) -> Observed {
    let server = ModelServer::with_answers(answers);
    let (folder, clock) = (folder(), clock());
    let mut options = options(&server, &folder, &clock);
    change(&mut options);
    let client: Client = options.open(&StandIns::default()).unwrap();
    let result = client.complete(&hello()).map(|reply| reply.text);
    let result =
        result.map_err(|error| ModelError { message: error.message.replace(server.origin(), "ORIGIN"), ..error });
    Observed {
        result,
        calls: server.requests().len(),
        waits: clock.sleeps().iter().map(Duration::as_secs_f64).collect(),
    }
}

fn observe(answers: Vec<Vec<AnswerStep>>) -> Observed {
    observe_with(answers, |_| ())
}

/// Checks waits without a wish of the server: half a second, doubled each time, each shortened by up to a quarter.
fn assert_growing(waits: &[f64], count: usize) {
    assert_eq!(waits.len(), count, "{waits:?}");
    for (wait, bound) in waits.iter().zip([0.5, 1.0, 2.0, 4.0]) {
        assert!(*wait <= bound && *wait >= 0.75 * bound, "{waits:?}");
    }
}

fn error_body(code: &str, message: &str) -> String {
    serde_json::json!({"error": {"message": message, "type": "t", "code": code}}).to_string()
}

#[test]
fn faults_that_no_retry_mends_end_after_one_call() {
    for (status, body, kind, message) in [
        (
            400,
            error_body("bad_value", "no such value"),
            ErrorKind::Rejected,
            "the server answered with the status 400 (bad_value): no such value",
        ),
        (
            401,
            error_body("invalid_api_key", "Incorrect key"),
            ErrorKind::Authentication,
            "the server answered with the status 401 (invalid_api_key): Incorrect key; no key was sent: name its variable of the environment with --key-env",
        ),
        (
            403,
            error_body("x", "no access"),
            ErrorKind::Authentication,
            "the server answered with the status 403 (x): no access",
        ),
        (
            402,
            r#"{"type": "error", "error": {"type": "billing_error", "message": "no credit"}}"#.to_owned(),
            ErrorKind::Quota,
            "the server answered with the status 402 (billing_error): no credit",
        ),
        (
            404,
            r#"{"object": "error", "message": "no model m", "type": "NotFoundError", "code": 404}"#.to_owned(),
            ErrorKind::Rejected,
            "the server answered with the status 404 (NotFoundError): no model m",
        ),
        (
            413,
            "<html><title>Too Large</title></html>".to_owned(),
            ErrorKind::Rejected,
            "the server answered with the status 413: <html><title>Too Large</title></html>",
        ),
        (
            422,
            r#"{"detail": [{"msg": "x"}]}"#.to_owned(),
            ErrorKind::Rejected,
            "the server answered with the status 422: [{\"msg\":\"x\"}]",
        ),
        (
            429,
            error_body("insufficient_quota", "pay"),
            ErrorKind::Quota,
            "the server answered with the status 429 (insufficient_quota): pay",
        ),
        (
            400,
            error_body("context_length_exceeded", "too long"),
            ErrorKind::ContextOverflow,
            "the server answered with the status 400 (context_length_exceeded): too long",
        ),
    ] {
        let seen = observe(vec![answer(status, &[("x-request-id", "req_1")], &body)]);
        let error = seen.result.unwrap_err();
        assert_eq!((error.kind, error.message.as_str(), seen.calls), (kind, message, 1));
        assert_eq!(error.to_string(), format!("{message} (request req_1)"));
        assert!(seen.waits.is_empty());
    }
}

#[test]
fn faults_that_pass_are_retried_four_times_with_growing_waits() {
    for (status, body, kind, shown) in [
        (408, String::new(), ErrorKind::Timeout, "408: empty response"),
        (409, error_body("x", "conflict"), ErrorKind::Overloaded, "409 (x): conflict"),
        (
            429,
            error_body("rate_limit_exceeded", "slow down"),
            ErrorKind::Overloaded,
            "429 (rate_limit_exceeded): slow down",
        ),
        (500, "oops".to_owned(), ErrorKind::Overloaded, "500: oops"),
        (502, "<html>Bad Gateway</html>".to_owned(), ErrorKind::Overloaded, "502: <html>Bad Gateway</html>"),
        (
            503,
            r#"{"error": {"code": 503, "message": "Loading model", "type": "unavailable_error"}}"#.to_owned(),
            ErrorKind::Overloaded,
            "503 (unavailable_error): Loading model",
        ),
        (504, String::new(), ErrorKind::Timeout, "504: empty response"),
        (
            529,
            r#"{"type": "error", "error": {"type": "overloaded_error", "message": "busy"}}"#.to_owned(),
            ErrorKind::Overloaded,
            "529 (overloaded_error): busy",
        ),
    ] {
        let seen = observe(vec![answer(status, &[], &body)]);
        let error = seen.result.unwrap_err();
        assert_eq!((error.kind, error.calls, seen.calls), (kind, 5, 5), "{error}");
        assert_eq!(error.status, Some(status));
        assert_eq!(error.message, format!("the server answered with the status {shown}"));
        assert_growing(&seen.waits, 4);
        let seen = observe(vec![answer(status, &[], &body), chat("mended")]);
        assert_eq!((seen.result.unwrap().as_str(), seen.calls), ("mended", 2));
    }
}

#[test]
fn the_wait_of_the_server_is_kept_in_all_three_forms() {
    for (header, value, wait) in [
        ("retry-after", "7", 7.0),
        ("retry-after", "1.5", 1.5),
        ("retry-after-ms", "250", 0.25),
        ("retry-after", "Sun, 06 Nov 1994 08:50:07 GMT", 30.0),
    ] {
        for status in [429, 503] {
            let seen = observe(vec![answer(status, &[(header, value)], ""), chat("x")]);
            assert_eq!(seen.result.unwrap(), "x");
            assert_eq!(seen.waits.len(), 1);
            assert!((seen.waits[0] - wait).abs() < 0.5, "{value}: {:?}", seen.waits);
        }
    }
    let seen = observe(vec![answer(429, &[("retry-after", "300")], "")]);
    let error = seen.result.unwrap_err();
    let expected = "the server answered with the status 429: empty response; the server asks to wait 300 s, more than the limit of 120 s";
    assert_eq!((error.message.as_str(), seen.calls, seen.waits.len()), (expected, 1, 0));
}

#[test]
fn the_server_decides_about_retries() {
    let seen = observe(vec![answer(503, &[("x-should-retry", "false")], "")]);
    assert_eq!((seen.result.unwrap_err().kind, seen.calls), (ErrorKind::Overloaded, 1));
    let seen = observe(vec![answer(400, &[("x-should-retry", "true")], ""), chat("x")]);
    assert_eq!((seen.result.unwrap().as_str(), seen.calls), ("x", 2));
}

#[test]
fn broken_responses_are_retried_as_a_whole() {
    let body = crate::common::chat_body("whole");
    let head = |length: usize| format!("HTTP/1.1 200 OK\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n");
    let too_short = AnswerStep::Send(format!("{}{body}", head(body.len() + 100)).into_bytes());
    let too_long = AnswerStep::Send(format!("{}{body}", head(body.len() - 20)).into_bytes());
    let chunk = "data: {\"choices\": [{\"index\": 0, \"delta\": {\"content\": \"half\"}}]}\n\n";
    let error = "data: {\"error\": {\"message\": \"worker died\", \"type\": \"server_error\"}}\n\n";
    for (name, broken, message) in [
        ("wrong length", vec![too_short], "the response broke off after"),
        ("body cut by its length", vec![too_long], "the response ended after"),
        ("nothing", vec![], "ORIGIN"),
        ("no HTTP", vec![AnswerStep::Send(b"hello\r\n\r\n".to_vec())], "ORIGIN did not answer in HTTP"),
        ("cut stream", stream(chunk, 9), "the stream ended after 4 characters without a reason"),
        (
            "error in a stream",
            stream(&format!("{chunk}{error}"), 9),
            "the server answered with the status 500 (server_error): worker died",
        ),
    ] {
        let seen = observe(vec![broken.clone()]);
        let failure = seen.result.unwrap_err();
        assert_eq!(seen.calls, 5, "{name}: {failure}");
        assert_growing(&seen.waits, 4);
        assert!(failure.message.contains(message), "{name}: {failure}");
        let seen = observe(vec![broken, chat("whole")]);
        assert_eq!((seen.result.unwrap().as_str(), seen.calls), ("whole", 2), "{name}");
    }
}

#[test]
fn a_page_instead_of_a_reply_is_an_error_with_its_beginning() {
    let seen = observe(vec![answer(200, &[], "<html>Please log in</html>")]);
    let error = seen.result.unwrap_err();
    assert_eq!((error.kind, seen.calls), (ErrorKind::UnreadableResponse, 1));
    assert_eq!(error.message, "the response is not JSON: <html>Please log in</html>");
    assert!(seen.waits.is_empty());
    let invalid = AnswerStep::Send(b"HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n{\"choices\": \"\xff\xfe\"}".to_vec());
    assert_eq!(observe(vec![vec![invalid]]).result.unwrap_err().kind, ErrorKind::UnreadableResponse);
}

#[test]
fn a_refused_connection_is_retried() {
    let (folder, clock) = (folder(), clock());
    let server = ModelServer::with_answers(vec![]);
    let address = goalspec_testing::service::unreachable_address();
    let mut options = options(&server, &folder, &clock);
    options.base_url = Some(address.trim_end_matches("/check").to_owned());
    let error = options.open(&StandIns::default()).unwrap().complete(&hello()).unwrap_err();
    assert_eq!((error.kind, error.calls), (ErrorKind::Connection, 5), "{error}");
    assert!(error.message.starts_with("no connection to http://127.0.0.1:"), "{error}");
    assert_growing(&clock.sleeps().iter().map(Duration::as_secs_f64).collect::<Vec<_>>(), 4);
}

#[test]
fn slow_servers_and_silent_streams_are_timeouts() {
    let late = vec![AnswerStep::Pause(Duration::from_millis(400))].into_iter().chain(chat("late")).collect::<Vec<_>>();
    let seen = observe_with(vec![late, chat("quick")], |options| options.timeout = Duration::from_millis(100));
    assert_eq!((seen.result.unwrap().as_str(), seen.calls), ("quick", 2));
    assert_growing(&seen.waits, 1);
    let mut silent = stream("data: {\"choices\": []}\n\n", 100);
    silent.push(AnswerStep::Pause(Duration::from_millis(600)));
    let seen = observe_with(vec![silent], |options| {
        options.stream = Some(true);
        options.idle_timeout = Duration::from_millis(100);
        options.retries = 0;
    });
    let error = seen.result.unwrap_err();
    assert_eq!((error.kind, seen.calls, seen.waits.len()), (ErrorKind::Timeout, 1, 0), "{error}");
    assert_eq!(error.message, "the response stopped after 23 bytes");
}

#[test]
fn redirects_within_the_server_are_followed_and_others_are_not() {
    let seen = observe(vec![answer(308, &[("location", "/elsewhere")], ""), chat("x")]);
    assert_eq!((seen.result.unwrap().as_str(), seen.calls), ("x", 2));
    for (status, location) in [
        (307, "https://other.example/v1"),
        (302, "/elsewhere"),
        (308, "//other.example/v1"),
        (307, "http://127.0.0.1:1@evil.example/"),
    ] {
        let seen = observe(vec![answer(status, &[("location", location)], "")]);
        let error = seen.result.unwrap_err();
        assert_eq!((error.kind, seen.calls), (ErrorKind::Rejected, 1), "{error}");
        assert!(error.message.contains("which is not followed"), "{error}");
    }
}

#[test]
fn a_prompt_that_the_server_cut_is_an_error_and_is_not_recorded() {
    let server = ModelServer::with_answers(vec![chat("about half of it")]);
    let (folder, clock) = (folder(), clock());
    let client = options(&server, &folder, &clock).open(&StandIns::default()).unwrap();
    let words: Vec<String> = (0..2000).map(|number| format!("word{number}")).collect();
    let request = Request::text(words.join(" "));
    let error = client.complete(&request).unwrap_err();
    assert_eq!(error.kind, ErrorKind::PromptCut);
    assert!(
        error.message.starts_with("the prompt was cut: the server counted 11 tokens for a prompt of at least "),
        "{error}"
    );
    assert!(!client.is_recorded(&request).unwrap());
}

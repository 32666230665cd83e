//! Recorded exchanges, replays, and processes that are stopped at any point.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use goalspec_llm::ledger::{self, Charge};
use goalspec_llm::store::Store;
use goalspec_llm::{ClientOptions, ErrorKind, Mode, Model, Reply, Request, StandIns, Turn, complete_all};
use goalspec_testing::model_server::{AnswerStep, ModelServer};

use crate::common::{chat, clock, folder, options};

/// A server whose replies depend on the prompt only.
fn server() -> ModelServer {
    ModelServer::start(|_, request| {
        let number = request.body.split("prompt ").nth(1).and_then(|text| text.split('"').next());
        let wait = AnswerStep::Pause(Duration::from_millis(5));
        std::iter::once(wait).chain(chat(&format!("reply {}", number.unwrap_or_default()))).collect()
    })
}

fn requests(count: usize) -> Vec<Request> {
    (0..count).map(|number| Request::text(format!("prompt {number}"))).collect()
}

/// The report of a run: all texts in order.
fn report(options: &ClientOptions, count: usize) -> String {
    let client = options.open(&StandIns::default()).unwrap();
    let texts = complete_all(&client, &requests(count), &|_, _| ()).into_iter().map(|result| result.unwrap().text);
    texts.collect::<Vec<_>>().join("\n")
}

#[test]
fn a_process_stopped_after_any_write_repeats_no_recorded_call_and_loses_none() {
    const COUNT: usize = 4;
    let server = server();
    let (complete, clock) = (folder(), clock());
    let mut options = options(&server, &complete, &clock);
    let expected = report(&options, COUNT);
    let text = fs::read_to_string(complete.path().join("ledger.jsonl")).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let calls = ledger::read(&complete.path().join("ledger.jsonl")).unwrap();
    assert_eq!((lines.len(), calls.len()), (2 * COUNT, COUNT));
    // The writes of a call are its beginning, its exchange and its end; a process may be stopped inside of each line.
    for call in 0..COUNT {
        for (lines_written, is_recorded) in
            [(2 * call, false), (2 * call + 1, false), (2 * call + 1, true), (2 * call + 2, true)]
        {
            for torn in ["", "{\"event\": \"en"] {
                let stopped = folder();
                let ledger_path = stopped.path().join("ledger.jsonl");
                fs::write(
                    &ledger_path,
                    lines[..lines_written].join("\n") + if lines_written > 0 { "\n" } else { "" } + torn,
                )
                .unwrap();
                let recorded = call + usize::from(is_recorded);
                for call in &calls[..recorded] {
                    let store = Store::new(stopped.path());
                    store.put(&Store::new(complete.path()).get(&call.start.key).unwrap().unwrap()).unwrap();
                }
                let before = server.requests().len();
                options.cache = Some(stopped.path().to_owned());
                assert_eq!(report(&options, COUNT), expected);
                assert_eq!(server.requests().len() - before, COUNT - recorded);
                let calls = ledger::read(&ledger_path).unwrap();
                assert!(calls.iter().all(|call| call.end.is_some()));
                // A call whose reply was lost with the process is charged its worst case.
                let unknown =
                    calls.iter().filter(|call| call.end.as_ref().is_some_and(|end| end.charge == Charge::Unknown));
                assert_eq!(unknown.count(), usize::from(lines_written % 2 == 1 && !is_recorded));
                assert_eq!(calls.len(), COUNT + usize::from(lines_written % 2 == 1 && !is_recorded));
            }
        }
    }
}

/// The run of the killed process: it is started by the test below, with the address of the server.
#[test]
#[ignore = "the process that another test stops"]
fn run_that_is_stopped() {
    let Ok(address) = std::env::var("GOALSPEC_TEST_SERVER") else { return };
    let options = ClientOptions {
        model: Some("m".to_owned()),
        base_url: Some(address),
        profile: Some("openai".to_owned()),
        cache: std::env::var_os("GOALSPEC_TEST_FOLDER").map(Into::into),
        concurrency: Some(3),
        ..ClientOptions::default()
    };
    report(&options, 40);
}

#[test]
fn a_killed_process_is_continued_by_the_next() {
    let server = server();
    let (folder, clock) = (folder(), clock());
    let start = || {
        Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "resumption::run_that_is_stopped", "--ignored"])
            .env("GOALSPEC_TEST_SERVER", server.origin())
            .env("GOALSPEC_TEST_FOLDER", folder.path())
            .stdout(Stdio::null())
            .spawn()
            .unwrap()
    };
    for stop_at in [3, 11, 20] {
        let mut child = start();
        let before = server.requests().len();
        while server.requests().len() < before + stop_at && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let expected: Vec<String> = (0..40).map(|number| format!("reply {number}")).collect();
    assert_eq!(report(&options(&server, &folder, &clock), 40), expected.join("\n"));
    // At most the calls in flight when a process was killed are made again.
    let calls = server.requests().len();
    assert!((40..=40 + 3 * 3).contains(&calls), "{calls}");
    let ledger = ledger::read(&folder.path().join("ledger.jsonl")).unwrap();
    assert!(ledger.iter().all(|call| call.end.is_some()));
}

fn replay(folder: &Path) -> ClientOptions {
    ClientOptions {
        model: Some("m".to_owned()),
        // Nobody listens on this port.
        base_url: Some("http://127.0.0.1:1".to_owned()),
        profile: Some("openai".to_owned()),
        cache: Some(folder.to_owned()),
        mode: Mode::Replay,
        ..ClientOptions::default()
    }
}

#[test]
fn a_miss_shows_the_nearest_recorded_request() {
    let server = server();
    let (folder, clock) = (folder(), clock());
    let mut options = options(&server, &folder, &clock);
    let request =
        |text: &str| Request::chat(Some("Be brief.".to_owned()), vec![Turn::user(format!("one\ntwo\n{text}\nfour"))]);
    let client = options.open(&StandIns::default()).unwrap();
    client.complete(&request("three")).unwrap();
    client.complete(&Request::text("something else")).unwrap();
    drop(client);
    let connections = server.connections();
    options.mode = Mode::Replay;
    let client = options.open(&StandIns::default()).unwrap();
    assert!(client.complete(&request("three")).unwrap().from_cache);
    let error = client.complete(&request("3")).unwrap_err();
    assert_eq!(error.kind, ErrorKind::NotRecorded);
    assert!(error.message.contains(" two\n-three\n+3\n four"), "{error}");
    let empty = crate::common::folder();
    let error = replay(empty.path()).open(&StandIns::default()).unwrap().complete(&request("x")).unwrap_err();
    assert!(error.message.ends_with("no exchange is recorded in this folder"), "{error}");
    assert_eq!((server.connections(), server.requests().len()), (connections, 2));
}

#[test]
fn recorded_replies_are_equal_to_those_of_the_server_and_attempts_are_told_apart() {
    let server = server();
    let (folder, clock) = (folder(), clock());
    let mut options = options(&server, &folder, &clock);
    options.stream = Some(false);
    let attempts: Vec<Request> = (0..3).map(|attempt| Request { attempt, ..Request::text("prompt 1") }).collect();
    let run = |options: &ClientOptions| -> Vec<Reply> {
        let client = options.open(&StandIns::default()).unwrap();
        complete_all(&client, &attempts, &|_, _| ()).into_iter().map(Result::unwrap).collect()
    };
    let live = run(&options);
    // A stream is the same question.
    options.stream = Some(true);
    let again = run(&options);
    assert_eq!(server.requests().len(), 3);
    let uncached: Vec<Reply> = again.iter().cloned().map(|reply| Reply { from_cache: false, ..reply }).collect();
    assert!(again.iter().all(|reply| reply.from_cache));
    assert_eq!(
        live.iter().map(|reply| (&reply.text, reply.usage)).collect::<Vec<_>>(),
        uncached.iter().map(|reply| (&reply.text, reply.usage)).collect::<Vec<_>>()
    );
    options.mode = Mode::Record;
    run(&options);
    assert_eq!(server.requests().len(), 6, "record asks in any case");
}

#[test]
fn damaged_and_newer_records_are_named() {
    let server = server();
    let (folder, clock) = (folder(), clock());
    let options = options(&server, &folder, &clock);
    report(&options, 1);
    let (_, key) = options.open(&StandIns::default()).unwrap().preview(&requests(1)[0]).unwrap();
    let path = Store::new(folder.path()).path(&key);
    let text = fs::read_to_string(&path).unwrap();
    for (text, reason) in [
        (text.replace("\"version\": 1", "\"version\": 9"), "it has version 9, and this program reads versions up to 1"),
        ("{".to_owned(), "EOF while parsing"),
    ] {
        fs::write(&path, text).unwrap();
        let error = options.open(&StandIns::default()).unwrap().complete(&requests(1)[0]).unwrap_err();
        assert!(error.kind == ErrorKind::Storage && error.message.contains(reason), "{error}");
    }
    let ledger_path = folder.path().join("ledger.jsonl");
    let lines = fs::read_to_string(&ledger_path).unwrap();
    fs::write(&ledger_path, format!("oops\n{lines}")).unwrap();
    let error = options.open(&StandIns::default()).err().unwrap();
    assert!(error.message.contains("is damaged at line 1"), "{error}");
}

#[test]
fn two_processes_do_not_share_a_ledger() {
    let server = server();
    let (folder, clock) = (folder(), clock());
    let options = options(&server, &folder, &clock);
    let _first = options.open(&StandIns::default()).unwrap();
    let error = options.open(&StandIns::default()).err().unwrap();
    assert!(error.message.starts_with("another process uses the ledger"), "{error}");
}

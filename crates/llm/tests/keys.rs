//! Keys: sent to their server, and shown nowhere.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Mutex};

use goalspec_llm::http::HttpEndpoint;
use goalspec_llm::key::ApiKey;
use goalspec_llm::profile::Format;
use goalspec_llm::url::BaseUrl;
use goalspec_llm::{ClientOptions, Model, Request, StandIns};
use goalspec_testing::model_server::{ModelServer, answer};

use crate::common::{chat_body, folder};

const KEY: &str = "sk-very-secret-1234";

/// The run with a key: it is started by the test below, since tests cannot set variables of their own process.
#[test]
#[ignore = "the process that another test starts with a key"]
fn run_with_a_key() {
    let Ok(address) = std::env::var("GOALSPEC_TEST_SERVER") else { return };
    let events = Arc::new(Mutex::new(Vec::new()));
    let seen = events.clone();
    let options = ClientOptions {
        model: Some("m".to_owned()),
        base_url: Some(address),
        profile: Some("openai".to_owned()),
        cache: std::env::var_os("GOALSPEC_TEST_FOLDER").map(Into::into),
        key_env: Some("GOALSPEC_TEST_KEY".to_owned()),
        observer: Arc::new(move |event| seen.lock().unwrap().push(format!("{event:?}"))),
        ..ClientOptions::default()
    };
    let client = options.open(&StandIns::default()).unwrap();
    for number in 0..5 {
        let result = client.complete(&Request::text(format!("prompt {number}")));
        println!("{result:?} {:?}", result.as_ref().map_err(ToString::to_string));
    }
    println!("{:?} {:?}", events.lock().unwrap(), client.notes());
}

/// A stream that repeats the key in parts of three characters.
fn divided_key() -> String {
    let mut parts: Vec<String> =
        KEY.as_bytes().chunks(3).map(|part| String::from_utf8_lossy(part).into_owned()).collect();
    parts.insert(0, "your key is ".to_owned());
    let event = |part: &String| {
        format!("data: {{\"choices\": [{{\"index\": 0, \"delta\": {{\"content\": \"{part}\"}}}}]}}\n\n")
    };
    let events: String = parts.iter().map(event).collect();
    events + "data: {\"choices\": [{\"index\": 0, \"delta\": {}, \"finish_reason\": \"stop\"}]}\n\ndata: [DONE]\n\n"
}

fn files(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files(&path));
        } else {
            found.push((path.display().to_string(), fs::read_to_string(&path).unwrap()));
        }
    }
    found
}

#[test]
fn a_full_run_sends_the_key_and_writes_it_nowhere() {
    // A server that repeats the key wherever it can.
    let server = ModelServer::start(|number, request| {
        let id = [("x-request-id", KEY)];
        assert_eq!(request.header("authorization"), Some(format!("Bearer {KEY}").as_str()));
        match number {
            0 => answer(200, &id, &chat_body(&format!("your key is {KEY}"))),
            1 => answer(503, &id, &format!("<html>{KEY}</html>")),
            2 => answer(401, &id, &format!(r#"{{"error": {{"message": "bad key {KEY}", "code": "{KEY}"}}}}"#)),
            3 => answer(307, &[("location", &format!("https://other.example/{KEY}"))], ""),
            4 => answer(200, &id, KEY),
            _ => answer(200, &id, &divided_key()),
        }
    });
    let folder = folder();
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "keys::run_with_a_key", "--ignored", "--nocapture"])
        .env("GOALSPEC_TEST_SERVER", server.origin())
        .env("GOALSPEC_TEST_FOLDER", folder.path())
        .env("GOALSPEC_TEST_KEY", KEY)
        .output()
        .unwrap();
    let shown = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{shown}");
    assert_eq!(server.requests().len(), 6, "{shown}");
    assert!(shown.contains("the key in the parts of a stream"), "{shown}");
    assert!(shown.contains("your key is ***"), "{shown}");
    assert!(!shown.contains(KEY), "{shown}");
    let files = files(folder.path());
    assert!(files.len() >= 2, "{files:?}");
    for (path, text) in files {
        assert!(!text.contains(KEY), "{path}: {text}");
    }
}

#[test]
fn a_key_is_not_sent_in_clear_to_another_machine() {
    let endpoint = |address: &str, insecure| {
        let base_url = BaseUrl::parse(address).unwrap();
        HttpEndpoint::new(base_url, Format::Chat, Some(ApiKey::new(KEY)), insecure)
            .map(|_| ())
            .map_err(|error| error.message)
    };
    let error = endpoint("http://models.example", false).unwrap_err();
    assert_eq!(
        error,
        "the key would be sent in clear to http://models.example; use https, or --insecure to send it nevertheless"
    );
    assert!(endpoint("http://models.example", true).is_ok());
    assert!(endpoint("http://127.0.0.1:8080", false).is_ok());
}

#[test]
fn a_named_variable_without_a_key_is_an_error() {
    let options = ClientOptions {
        model: Some("m".to_owned()),
        base_url: Some("http://127.0.0.1:1".to_owned()),
        profile: Some("openai".to_owned()),
        key_env: Some("GOALSPEC_NO_SUCH_KEY".to_owned()),
        cache: Some(folder().path().to_owned()),
        ..ClientOptions::default()
    };
    let error = options.open(&StandIns::default()).err().unwrap();
    assert_eq!(error.message, "the variable GOALSPEC_NO_SUCH_KEY of the environment has no key");
}

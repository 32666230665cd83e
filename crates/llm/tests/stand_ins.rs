//! Stand-ins: they answer through the client, so caps, retries, records and outcomes apply to them.

use std::sync::Arc;

use goalspec_llm::{ClientOptions, ErrorKind, Mode, Model, Outcome, Request, ScriptedModel, StandIns};

use crate::common::{clock, folder};

fn scripted(
    lines: &str,
    change: impl Fn(&mut ClientOptions),
) -> (Result<goalspec_llm::Client, goalspec_llm::ModelError>, Arc<goalspec_llm::clock::FakeClock>) {
    let folder = folder();
    let path = folder.path().join("script.jsonl");
    std::fs::write(&path, lines).unwrap();
    let clock = clock();
    let mut options = ClientOptions {
        model: Some(format!("scripted:{}", path.display())),
        clock: clock.clone(),
        ..ClientOptions::default()
    };
    change(&mut options);
    (options.open(&StandIns::default()), clock)
}

#[test]
fn a_script_gives_replies_errors_and_delays() {
    let lines = r#"
{"text": "for b", "match": "prompt b"}
{"status": 429, "headers": {"retry-after": "9"}, "body": {"error": "slow down"}}
{"failure": "refused"}
{"text": "(on a b)", "reasoning": "hm", "delay": 2, "usage": [10, 5]}
{"text": "(on a", "finish": "length"}
{"refusal": "no"}
{"status": 400, "body": "<html>"}
"#;
    let (client, clock) = scripted(lines, |_| ());
    let client = client.unwrap();
    let reply = client.complete(&Request::text("prompt a")).unwrap();
    assert_eq!(
        (reply.text.as_str(), reply.reasoning.as_deref(), reply.usage.input_tokens),
        ("(on a b)", Some("hm"), 10)
    );
    let waits: Vec<u64> = clock.sleeps().iter().map(std::time::Duration::as_secs).collect();
    assert_eq!((waits[0], waits.last()), (9, Some(&2)));
    assert_eq!(client.complete(&Request::text("prompt b")).unwrap().text, "for b");
    assert_eq!(client.complete(&Request::text("x")).unwrap().outcome, Outcome::Cut);
    assert_eq!(client.complete(&Request::text("x")).unwrap().outcome, Outcome::Refused(Some("no".to_owned())));
    assert_eq!(client.complete(&Request::text("x")).unwrap_err().kind, ErrorKind::Rejected);
    let error = client.complete(&Request::text("x")).unwrap_err();
    assert_eq!(error.message, "the script has no unused line for this request; it has 7 lines");
}

#[test]
fn malformed_scripts_and_unknown_stand_ins_are_named() {
    for (line, reason) in [
        ("{}", "line 2: expected either `text`"),
        (r#"{"text": "a", "failure": "cut"}"#, "line 2: expected either `text`"),
        (r#"{"txt": "a"}"#, "line 2: unknown field `txt`"),
        (r#"{"text": "a", "delay": -1}"#, "line 2: `delay` is not"),
    ] {
        let (client, _) = scripted(&format!("{{\"text\": \"ok\"}}\n{line}\n"), |_| ());
        assert!(client.err().unwrap().message.contains(reason), "{line}");
    }
    let open = |model: &str| {
        let translator = Arc::new(|_: &goalspec_llm::StandInOptions| {
            Ok(Arc::new(ScriptedModel::with_texts(["(on a b)"])) as Arc<dyn Model>)
        });
        let stand_ins = StandIns::default().with_translator("translator", translator);
        let options = ClientOptions { model: Some(model.to_owned()), ..ClientOptions::default() };
        options.open(&stand_ins).map(|client| client.base_url().to_owned()).map_err(|error| error.message)
    };
    assert_eq!(open("fake:translator").unwrap(), "fake:translator#0");
    assert_eq!(
        open("fake:other").unwrap_err(),
        "unknown stand-in `fake:other`; expected one of fake:noisy, fake:translator"
    );
    assert!(open("fake:noisy:drop=2").unwrap_err().contains("the rate `drop=2` is not a number from 0 to 1"));
    assert!(open("fake:noisy:dorp=0").unwrap_err().contains("unknown rate `dorp`"));
    assert!(open("fake:noisy:drop").unwrap_err().contains("expected NAME=VALUE"));
    assert!(open("").unwrap_err().starts_with("no model is given"));
    assert!(open("m").unwrap_err().starts_with("no server is given"));
}

#[test]
fn stand_ins_continue_the_prefill_and_stop_at_stop_texts() {
    let (client, _) = scripted("{\"text\": \"on a b);(on c d)\"}\n", |_| ());
    let request = Request { prefill: Some("(".to_owned()), stop: vec![";".to_owned()], ..Request::text("x") };
    let reply = client.unwrap().complete(&request).unwrap();
    assert_eq!((reply.text.as_str(), reply.prefilled), ("(on a b)", true));
}

#[test]
fn stand_ins_are_recorded_if_a_folder_is_given() {
    let folder = folder();
    let (client, _) = scripted("{\"text\": \"a\"}\n", |options| options.cache = Some(folder.path().to_owned()));
    let client = client.unwrap();
    assert!(!client.complete(&Request::text("x")).unwrap().from_cache);
    assert!(client.complete(&Request::text("x")).unwrap().from_cache);
    let (client, _) = scripted("{\"text\": \"a\"}\n", |options| options.mode = Mode::Off);
    assert_eq!(client.unwrap().complete(&Request::text("x")).unwrap_err().kind, ErrorKind::Off);
}

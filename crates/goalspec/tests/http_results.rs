//! Games with custom results that code and a local HTTP service compute.

use std::time::Duration;

use goalspec::http_results::{HttpResult, MAX_RESPONSE_BYTES};
use goalspec::resource::custom::{CustomCall, ResultRegistry};
use goalspec::resource::game::{ChoiceId, Game, TeamId};
use goalspec::resource::interpret::play::Play;
use goalspec::resource::random::RandomStream;
use goalspec::resource::turn::{GameErrorKind, Move};
use goalspec::resource::value::Value;
use goalspec::syntax::Sources;
use goalspec_rgg::Dialect;
use goalspec_testing::conformance;
use goalspec_testing::service::{serve, unreachable_address};
use serde_json::{Value as Json, json};

/// The combination of the lock.
const COMBINATION: [(&str, i32); 4] = [("a", 5), ("b", 1), ("c", 2), ("d", 3)];

/// The number of attempts with wrong combinations.
const TRIES: u32 = 3;

/// A game with two actions that send a node to a service and write the response to the node `door`.
const DOOR: &str = "
metadata: {id: door}
teams: [thief]
board: {nodes: [lock, door, shed]}
resourceSpace:
  lock: {observable: set(thief), dial: int(7), turned: float(0.5), oiled: boolean(true), colors: 'set(red; red,blue)'}
  door: {open: boolean(false), sign: string(closed), knocks: int(1)}
actionSpace: {thief: {ask: , ask the shed: }}
actions:
  ask: {cost: {}, requires: {}, consequences: [{result: {Ask: {input: lock, output: door}}}]}
  ask the shed: {cost: {}, requires: {}, consequences: [{result: {Ask: {input: shed, output: door}}}]}
rewards: {thief: {Field: door.knocks}}
completed: {door.open: true}
metrics: [door.open]
";

fn read(text: &str, dialect: Dialect) -> Game {
    let mut sources = Sources::new();
    let id = sources.add("test", text);
    let read = goalspec_rgg::load(sources.file(id), dialect, &["MyCustomResultFunction", "CheckCombination", "Ask"]);
    read.game.unwrap_or_else(|| panic!("{:?}", read.diagnostics))
}

fn value(play: &Play, node: &str, resource: &str) -> Option<Value> {
    let node = play.game().board.node_named(node).expect("a node");
    play.state().node(node)?.values.get(resource).cloned()
}

/// Plays the choice of this index, and returns the message if it fails.
fn choose(play: &mut Play, choice: u32, stream: &mut RandomStream, registry: &ResultRegistry) -> Result<(), String> {
    match play.act(&Move::Choose(ChoiceId(choice), Vec::new()), stream, registry) {
        Ok(turn) => assert!(turn.valid),
        Err(failure) => match failure.kind {
            GameErrorKind::CustomResult { message, .. } => return Err(message),
            kind => panic!("{kind:?}"),
        },
    }
    play.advance();
    Ok(())
}

/// Sends the lock to a service, and returns the values of the door or the error.
fn ask(url: &str) -> Result<[Option<Value>; 4], String> {
    let game = read(DOOR, Dialect::DOCUMENTED);
    let service = HttpResult::new(url).expect("an address").with_timeout(Duration::from_millis(500));
    let registry = ResultRegistry::default().with("Ask", service);
    let mut play = Play::new(game.clone());
    choose(&mut play, 0, &mut RandomStream::new(0, 0), &registry)?;
    Ok(["open", "sign", "knocks", "weight"].map(|resource| value(&play, "door", resource)))
}

#[test]
fn resources_are_sent_and_responses_are_stored() {
    let url = serve(|body| {
        let body: Json = serde_json::from_str(body).expect("JSON");
        assert_eq!(body, json!({"dial": 7, "turned": 0.5, "oiled": true, "colors": ["red"]}));
        (200, r#"{"open": true, "sign": null, "knocks": 3000000000, "weight": [1.5, null, {"x": "y"}]}"#.to_owned())
    });
    let [open, sign, knocks, weight] = ask(&url).expect("an answer");
    assert_eq!((open, sign, knocks), (Some(Value::Bool(true)), None, Some(Value::Real(3e9))));
    assert_eq!(weight.expect("a list").to_string(), "[1.5, null, {x=y}]");
}

#[test]
fn invalid_responses_end_the_game_with_the_address() {
    let far = "[".repeat(100_000);
    let long = format!("{{\"sign\": \"{}\"}}", "x".repeat(MAX_RESPONSE_BYTES as usize));
    let cases = [
        (404, "{}", "the response has the status 404"),
        (302, "{}", "the response has the status 302"),
        (500, "{\"open\": true}", "the response has the status 500"),
        (200, "[true]", "the response is not a JSON object"),
        (200, "open", "the response is not valid JSON: "),
        (200, "", "the response is not valid JSON: "),
        (200, &far, "the response is not valid JSON: recursion limit exceeded"),
        (200, &long, "the response exceeds the limit of 1048576 bytes"),
    ];
    for (status, text, expected) in cases {
        let text = text.to_owned();
        let url = serve(move |_| (status, text.clone()));
        let message = ask(&url).expect_err(expected);
        assert!(message.starts_with(&format!("{url}: {expected}")), "{message}, not {expected}");
    }
}

#[test]
fn a_service_that_is_slow_or_absent_ends_the_game() {
    let slow = serve(|_| {
        std::thread::sleep(Duration::from_secs(3));
        (200, "{}".to_owned())
    });
    for url in [slow, unreachable_address()] {
        let message = ask(&url).expect_err("nobody answers");
        assert!(message.starts_with(&format!("{url}: ")), "{message}");
    }
}

#[test]
fn a_node_without_resources_is_not_asked_about() {
    let game = read(DOOR, Dialect::DOCUMENTED);
    let registry = ResultRegistry::default().with("Ask", HttpResult::new("http://127.0.0.1:1/").expect("an address"));
    let message = choose(&mut Play::new(game.clone()), 1, &mut RandomStream::new(0, 0), &registry);
    assert_eq!(message, Err("unknown node `shed`, or a node without resources".to_owned()));
}

#[test]
fn invalid_service_addresses_are_rejected() {
    for url in ["", "check", "/check", "https://localhost/check", "http:///check", "file:///etc/x", "http://a b/"] {
        let message = HttpResult::new(url).expect_err(url).message;
        assert!(message.contains(&format!("`{url}`")), "{message}");
    }
}

/// Plays a sample game. Wrong combinations leave the door shut unless they happen to be right, and the right one opens it. Every
/// attempt costs 1.
fn play_sample(name: &str, registry: &ResultRegistry) {
    let Some(folder) = conformance::folder("rgg") else { return };
    let text = std::fs::read_to_string(folder.join(format!("games/{name}.yaml"))).expect("the sample can be read");
    for dialect in [Dialect::DOCUMENTED, Dialect::CAGE] {
        let game = read(&text, dialect);
        let names: Vec<&str> = game.teams[0].choices.iter().map(|choice| &*choice.name).collect();
        assert_eq!(names, ["right_combo", "wrong_combo"]);
        let (mut play, mut stream) = (Play::new(game.clone()), RandomStream::new(1, 0));
        assert_eq!(play.completed(&mut stream), Ok(false));
        for _ in 0..TRIES {
            choose(&mut play, 1, &mut stream, registry).expect("it does not fail");
            let dials = COMBINATION.map(|(dial, _)| value(&play, "input", dial).and_then(|value| value.as_f64()));
            assert!(
                dials.iter().flatten().filter(|dial| (0.0..10.0).contains(*dial) && dial.fract() == 0.0).count() == 4
            );
            let right = dials == COMBINATION.map(|(_, number)| Some(f64::from(number)));
            assert_eq!(value(&play, "output", "unlock"), Some(Value::Bool(right)), "{dials:?}");
            assert_eq!(play.completed(&mut stream), Ok(right), "{dials:?}");
        }
        choose(&mut play, 0, &mut stream, registry).expect("it does not fail");
        assert_eq!(value(&play, "output", "unlock"), Some(Value::Bool(true)));
        assert_eq!(play.completed(&mut stream), Ok(true), "{name} is over");
        assert_eq!(play.reward(TeamId(0), &stream), Ok(10.0 - 1.0 - f64::from(TRIES)));
    }
}

/// Whether the values of the dials are the combination.
fn opens(dial: impl Fn(&str) -> Option<f64>) -> bool {
    COMBINATION.iter().all(|(name, number)| dial(name) == Some(f64::from(*number)))
}

#[test]
fn the_samples_run_with_registered_functions() {
    let unlock = |call: &mut CustomCall<'_>| {
        let (input, output) = (call.text_argument("input")?, call.text_argument("output")?);
        let right = opens(|dial| call.state.value(&input, dial)?.as_f64());
        call.state.put(&output, "unlock", Some(Value::Bool(right)))
    };
    let registry = ResultRegistry::default().with("MyCustomResultFunction", unlock).with("CheckCombination", unlock);
    play_sample("MyCustomGame", &registry);
    play_sample("SimulationServiceExample", &registry);
}

#[test]
fn the_sample_of_a_service_runs_with_one() {
    let url = serve(|body| {
        let body: Json = serde_json::from_str(body).expect("JSON");
        (200, json!({"unlock": opens(|dial| body[dial].as_f64())}).to_string())
    });
    let registry = ResultRegistry::default().with("CheckCombination", HttpResult::new(&url).expect("an address"));
    play_sample("SimulationServiceExample", &registry);
}

//! Commands, lenses and hints over the protocol.

use std::path::Path;

use serde_json::{Value, json};

use crate::client::{Client, Folder, uri};

/// Opens an example, and returns its path.
fn open(client: &mut Client, folder: &Folder, name: &str, first_line: &str) -> std::path::PathBuf {
    let path = folder.path(&format!("examples/{name}"));
    let text = std::fs::read_to_string(&path).expect("it can be read");
    client.open(&path, &format!("{first_line}{text}"));
    path
}

fn run(client: &mut Client, command: &str, path: &Path, line: u32) -> Value {
    let argument = json!({ "uri": uri(path), "position": { "line": line, "character": 2 } });
    client.request("workspace/executeCommand", json!({ "command": command, "arguments": [argument] }))
}

fn report(client: &mut Client, command: &str, path: &Path) -> String {
    let result = run(client, command, path, 3);
    result["markdown"].as_str().unwrap_or_else(|| panic!("{command}: {result}")).to_owned()
}

#[test]
fn commands_report_on_the_program_at_the_cursor() {
    let folder = Folder::new();
    let mut client = Client::pulling(&folder);
    let tower = open(&mut client, &folder, "game/throw-to-bin.game", "; goalspec: trace=play.jsonl\n");
    let score = report(&mut client, "goalspec.score", &tower);
    assert!(score.contains("score **") && score.contains("satisfaction"), "{score}");
    let why = report(&mut client, "goalspec.why", &tower);
    assert!(why.contains("attempt") || why.contains("satisfaction"), "{why}");
    assert!(report(&mut client, "goalspec.describe", &tower).contains("```text"));
    let diff = report(&mut client, "goalspec.diff", &tower);
    assert!(diff.contains("means the same as the saved version"), "{diff}");
    let climb = open(&mut client, &folder, "rgg/climb.yaml", "");
    let games = report(&mut client, "goalspec.simulate", &climb);
    assert!(games.contains("1000 games") && games.contains("| mean |"), "{games}");
    let supper = open(&mut client, &folder, "bddl/watering_the_garden.bddl", "");
    assert!(report(&mut client, "goalspec.options", &supper).contains("## Options of"));
    let rally = open(&mut client, &folder, "reward/rally.py", "# goalspec: trace=pong.hex\n");
    let audit = run(&mut client, "goalspec.audit", &rally, 0);
    assert!(audit["markdown"].as_str().is_some_and(|text| !text.is_empty()), "{audit}");
    assert_eq!(client.end(), Some(0));
}

#[test]
fn plans_are_found_and_validated() {
    let folder = Folder::new();
    let mut client = Client::pulling(&folder);
    let domain = "(define (domain d) (:predicates (p) (q)) (:action a :precondition (p) :effect (q)))";
    let problem = "(define (problem one) (:domain d) (:init (p)) (:goal (q)))";
    folder.write("plans/domain.pddl", domain);
    folder.write("plans/one.pddl", problem);
    folder.write("plans/one.plan", "(a)\n");
    folder.write("plans/bad.plan", "; goalspec: problem=one.pddl\n(a)\n(b)\n");
    let path = folder.path("plans/one.pddl");
    client.open(&path, problem);
    let plan = run(&mut client, "goalspec.plan", &path, 0);
    assert!(plan["markdown"].as_str().is_some_and(|text| text.contains("(a)") && text.contains("1 step")), "{plan}");
    let valid = run(&mut client, "goalspec.validate", &path, 0);
    assert!(valid["markdown"].as_str().is_some_and(|text| text.contains("is **valid**")), "{valid}");
    let bad = run(&mut client, "goalspec.validate", &folder.path("plans/bad.plan"), 0);
    assert!(bad["markdown"].as_str().is_some_and(|text| text.contains("cannot be validated")), "{bad}");
    assert!(bad["locations"].as_array().is_some_and(|places| !places.is_empty()), "{bad}");
    assert_eq!(client.end(), Some(0));
}

#[test]
fn traces_are_attached_to_all_programs() {
    let folder = Folder::new();
    let mut client = Client::pulling(&folder);
    let tower = open(&mut client, &folder, "game/throw-to-bin.game", "");
    let lenses = |client: &mut Client, path: &Path| -> Vec<String> {
        let lenses = client.request("textDocument/codeLens", json!({ "textDocument": { "uri": uri(path) } }));
        let lenses = lenses.as_array().expect("lenses").clone();
        lenses.iter().map(|lens| lens["command"]["command"].as_str().expect("a command").to_owned()).collect()
    };
    assert_eq!(lenses(&mut client, &tower), ["goalspec.describe", "goalspec.diff"]);
    let argument = json!({ "uri": uri(&tower) });
    let params = json!({ "command": "goalspec.score", "arguments": [argument] });
    let error = client.failure("workspace/executeCommand", params.clone());
    assert!(error["message"].as_str().is_some_and(|text| text.contains("goalspec: trace=FILE")), "{error}");
    let trace = json!({ "trace": uri(&folder.path("examples/game/play.jsonl")) });
    client.request("workspace/executeCommand", json!({ "command": "goalspec.attachTrace", "arguments": [trace] }));
    assert_eq!(lenses(&mut client, &tower).len(), 4);
    let score = client.request("workspace/executeCommand", params);
    assert!(score["markdown"].as_str().is_some_and(|text| text.contains("score **")), "{score}");
    client.request("workspace/executeCommand", json!({ "command": "goalspec.detachTrace" }));
    assert_eq!(lenses(&mut client, &tower).len(), 2);
    assert_eq!(client.end(), Some(0));
}

/// A problem that has no plan, which takes longer than any test to find out: actions keep the parity of the switches that are on.
fn endless_problem() -> String {
    let actions: String = [("on", "off"), ("off", "on")]
        .iter()
        .flat_map(|x| [("on", "off"), ("off", "on")].map(|y| (*x, y)))
        .enumerate()
        .map(|(index, ((x, new_x), (y, new_y)))| {
            format!(
                "(:action a{index} :parameters (?x ?y) :precondition (and (next ?x ?y) ({x} ?x) ({y} ?y))
                 :effect (and (not ({x} ?x)) (not ({y} ?y)) ({new_x} ?x) ({new_y} ?y)))"
            )
        })
        .collect();
    let names = |part: &dyn Fn(u32) -> String| (0..40).map(part).collect::<String>();
    format!(
        "(define (domain d) (:predicates (on ?x) (off ?x) (next ?x ?y)) {actions})
         (define (problem endless) (:domain d) (:objects {}) (:init {} {}) (:goal (and (on s0) {})))",
        names(&|own| format!("s{own} ")),
        names(&|own| format!("(off s{own}) ")),
        names(&|own| format!("(next s{own} s{}) ", (own + 1) % 40)),
        names(&|own| if own == 0 { String::new() } else { format!("(off s{own}) ") }),
    )
}

#[test]
fn running_commands_are_cancelled_and_show_progress() {
    let folder = Folder::new();
    let mut client = Client::pulling(&folder);
    let path = folder.path("endless.pddl");
    client.open(&path, &endless_problem());
    let argument = json!({ "uri": uri(&path), "position": { "line": 4, "character": 20 } });
    let plan = |token: Value| json!({ "command": "goalspec.plan", "arguments": [argument], "workDoneToken": token });
    let kind = |client: &mut Client| client.message("$/progress")["params"]["value"]["kind"].clone();
    for by_token in [false, true] {
        let id = client.ask("workspace/executeCommand", plan(json!("t")));
        assert_eq!(kind(&mut client), "begin");
        assert_eq!(kind(&mut client), "report");
        if by_token {
            client.notify("window/workDoneProgress/cancel", json!({ "token": "t" }));
        } else {
            client.notify("$/cancelRequest", json!({ "id": id }));
        }
        assert_eq!(client.response(id)["error"]["code"], -32800);
        while kind(&mut client) != "end" {}
    }
    // Commands that run at the end are answered as well.
    let id = client.ask("workspace/executeCommand", plan(Value::Null));
    let end = client.ask("shutdown", Value::Null);
    assert_eq!(client.response(id)["error"]["code"], -32800);
    assert!(client.response(end)["result"].is_null());
}

/// Neither the standard input of the server nor a device is read as an attached file.
#[test]
fn attached_files_are_regular_files() {
    let folder = Folder::new();
    let mut client = Client::pulling(&folder);
    let game = std::fs::read_to_string(folder.path("examples/game/throw-to-bin.game")).expect("it can be read");
    let mut message = |command: &str, argument: Value| {
        let params = json!({ "command": command, "arguments": [argument] });
        let error = client.failure("workspace/executeCommand", params);
        error["message"].as_str().expect("a message").to_owned()
    };
    for name in ["-", "/dev/stdin", "/dev/null", "nowhere.jsonl"] {
        let attached = message("goalspec.attachTrace", json!({ "trace": name }));
        assert!(attached.contains(&format!("`{name}`")), "{attached}");
        let document = folder.path("examples/game/throw-to-bin.game");
        let scored = message("goalspec.score", json!({ "uri": uri(&document), "trace": name }));
        assert!(scored.contains(&format!("`{name}`")), "{scored}");
    }
    folder.write("examples/game/stdin.game", format!("; goalspec: trace=/dev/stdin\n{game}"));
    let document = folder.path("examples/game/stdin.game");
    let scored = message("goalspec.score", json!({ "uri": uri(&document) }));
    assert!(scored.contains("`/dev/stdin`"), "{scored}");
    folder.write("a.plan", "; goalspec: problem=/dev/stdin\n(a)\n");
    let validated = message("goalspec.validate", json!({ "uri": uri(&folder.path("a.plan")) }));
    assert!(validated.contains("`/dev/stdin`"), "{validated}");
    folder.write("other.py", "print(1)\n");
    let other = message("goalspec.describe", json!({ "uri": uri(&folder.path("other.py")) }));
    assert!(other.contains("is not a program"), "{other}");
    assert_eq!(client.end(), Some(0));
}

#[test]
fn lenses_are_refreshed_when_a_trace_is_attached() {
    let folder = Folder::new();
    let mut client = Client::start(&folder, json!({ "workspace": { "codeLens": { "refreshSupport": true } } }));
    let trace = json!({ "trace": uri(&folder.path("examples/game/play.jsonl")) });
    client.request("workspace/executeCommand", json!({ "command": "goalspec.attachTrace", "arguments": [trace] }));
    client.message("workspace/codeLens/refresh");
    client.request("workspace/executeCommand", json!({ "command": "goalspec.detachTrace" }));
    client.message("workspace/codeLens/refresh");
}

#[test]
fn invalid_commands_are_refused() {
    let folder = Folder::new();
    let mut client = Client::pulling(&folder);
    let mut message = |params: Value| {
        let error = client.failure("workspace/executeCommand", params);
        error["message"].as_str().expect("a message").to_owned()
    };
    assert!(message(json!({ "command": "goalspec.fly" })).contains("unknown command"));
    assert!(message(json!({ "command": "goalspec.plan" })).contains("requires the argument `uri`"));
    assert!(message(json!({ "command": "goalspec.attachTrace" })).contains("requires the argument `trace`"));
    let missing = json!([{ "uri": "file:///nowhere/a.game" }]);
    assert!(message(json!({ "command": "goalspec.plan", "arguments": missing })).contains("cannot be read"));
}

#[test]
fn hints_show_numbers_with_their_definitions() {
    let folder = Folder::new();
    let mut client = Client::pulling(&folder);
    let labels = |client: &mut Client, path: &Path| -> Vec<String> {
        let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 999, "character": 0 } });
        let params = json!({ "textDocument": { "uri": uri(path) }, "range": range });
        let hints = client.request("textDocument/inlayHint", params).as_array().cloned().unwrap_or_default();
        assert!(hints.iter().all(|hint| hint["tooltip"].as_str().is_some_and(|text| !text.is_empty())));
        hints.iter().map(|hint| hint["label"].as_str().expect("a label").to_owned()).collect()
    };
    let climb = open(&mut client, &folder, "rgg/climb.yaml", "");
    assert_eq!(labels(&mut client, &climb), ["80 %", "10 %"]);
    let tower = open(&mut client, &folder, "game/throw-to-bin.game", "");
    assert!(labels(&mut client, &tower).iter().any(|label| label.ends_with("bindings")));
    let garden = open(&mut client, &folder, "bddl/watering_the_garden.bddl", "");
    // The number of options follows after a pause.
    for _ in 0..200 {
        if labels(&mut client, &garden).iter().any(|label| label.contains("option")) {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    assert!(labels(&mut client, &garden).iter().any(|label| label.contains("option")));
    assert_eq!(client.end(), Some(0));
}

/// The commands of the server are those that the extension for VS Code shows.
#[test]
fn commands_are_those_of_the_extension() {
    let folder = Folder::new();
    let client = Client::pulling(&folder);
    let offered = client.capabilities["executeCommandProvider"]["commands"].as_array().expect("commands").clone();
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../editors/vscode/package.json");
    let manifest: Value =
        serde_json::from_str(&std::fs::read_to_string(manifest).expect("it can be read")).expect("JSON");
    let shown = manifest["contributes"]["commands"].as_array().expect("commands");
    let shown: Vec<Value> = shown.iter().map(|command| command["command"].clone()).collect();
    let shown: Vec<Value> = shown.into_iter().filter(|command| command != "goalspec.restart").collect();
    assert_eq!(offered, shown);
}

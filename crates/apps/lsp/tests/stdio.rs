//! Requests and notifications over the standard input and output of the server.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use goalspec::files::Inputs;
use goalspec::library::{Library, LibraryOptions};
use goalspec::syntax::render;
use goalspec::{planning_problems, reward_lints};
use goalspec_testing::random::Random;
use serde_json::{Value, json};

use crate::client::{Client, Folder, files, place, uri};

/// Returns the diagnostics of `goalspec check` in a file, as JSON.
fn check(path: &Path) -> Vec<Value> {
    let is_world = path.to_string_lossy().ends_with(".world.toml");
    let (worlds, programs) =
        if is_world { (vec![path.to_owned()], Vec::new()) } else { (Vec::new(), vec![path.to_owned()]) };
    let inputs = Inputs { programs, worlds, ..Inputs::default() };
    let library = Library::load(&inputs, LibraryOptions::default(), &|| ());
    let mut found = library.diagnostics().to_vec();
    found.extend(planning_problems::unreachable_parts(&library));
    found.extend(reward_lints::diagnostics(&library));
    found.iter().map(|one| render::json::value(one, library.sources())).collect()
}

/// The diagnostics of the server and those of `goalspec check` are the same, for every example.
#[test]
fn diagnostics_are_those_of_check() {
    let folder = Folder::new();
    let mut client = Client::pulling(&folder);
    let mut compared = 0;
    for path in files(&folder.path("examples")) {
        let name = path.to_string_lossy().into_owned();
        let is_program =
            [".game", ".bddl", ".pddl", ".yaml", ".py", ".world.toml"].iter().any(|end| name.ends_with(end));
        let is_helper = name.contains("/make_") || name.contains("/training/");
        if !is_program || is_helper {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("it can be read");
        let own = |found: &&Value| found["span"].is_null() || found["span"]["file"] == name.as_str();
        let mut expected: Vec<Value> = check(&path).iter().filter(own).map(of_check).collect();
        client.open(&path, &text);
        client.diagnostics(&path);
        // The slow diagnostics follow after a pause.
        let mut found: Vec<Value> = Vec::new();
        for _ in 0..100 {
            found = client.diagnostics(&path).iter().map(of_server).collect();
            found.sort_by_key(Value::to_string);
            expected.sort_by_key(Value::to_string);
            if found == expected {
                break;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        assert_eq!(found, expected, "{name}");
        compared += 1;
    }
    assert!(compared > 20, "{compared}");
    assert_eq!(client.end(), Some(0));
}

/// Returns the parts of a diagnostic of `goalspec check` that both outputs have.
fn of_check(found: &Value) -> Value {
    let position = |end: &str| {
        let place = &found["span"][end];
        place["line"].as_u64().map_or(json!(0), |line| json!(line - 1))
    };
    json!([found["code"], found["severity"], found["message"], position("start"), position("end")])
}

/// Returns the same parts of a diagnostic of the server.
fn of_server(found: &Value) -> Value {
    let severity = ["", "error", "warning", "note"][found["severity"].as_u64().expect("a severity") as usize];
    let message = found["message"].as_str().expect("a text").lines().next().unwrap_or_default();
    json!([found["code"], severity, message, found["range"]["start"]["line"], found["range"]["end"]["line"]])
}

#[test]
fn every_feature_answers() {
    let folder = Folder::new();
    let mut client = Client::pulling(&folder);
    assert_eq!(client.capabilities["positionEncoding"], "utf-8");
    let path = folder.path("examples/pddl/delivery/one_van.pddl");
    let text = folder.read("examples/pddl/delivery/one_van.pddl");
    let domain = folder.path("examples/pddl/delivery/domain.pddl");
    client.open(&path, &text);
    let predicate = text.split("(:init").nth(1).and_then(|init| init.split('(').nth(1)).expect("a fact");
    let at = place(&path, &text, &format!("({}", predicate.split(')').next().expect("it ends")));
    let mut inside = at.clone();
    inside["position"]["character"] = json!(at["position"]["character"].as_u64().expect("a column") + 1);

    let hover = client.request("textDocument/hover", inside.clone());
    assert!(hover["contents"]["value"].as_str().expect("Markdown").starts_with("predicate `"), "{hover}");
    let definition = client.request("textDocument/definition", inside.clone());
    assert_eq!(definition[0]["uri"], uri(&domain));
    let mut references = inside.clone();
    references["context"] = json!({ "includeDeclaration": true });
    let found = client.request("textDocument/references", references);
    assert!(found.as_array().expect("places").iter().any(|place| place["uri"] == uri(&domain)), "{found}");
    assert!(!client.request("textDocument/documentHighlight", inside.clone()).as_array().expect("places").is_empty());
    assert!(client.request("textDocument/prepareRename", inside.clone())["start"].is_object());
    let mut rename = inside.clone();
    rename["newName"] = json!("fresh-name");
    let edit = client.request("textDocument/rename", rename.clone());
    assert!(edit["changes"].as_object().expect("files").len() >= 3, "{edit}");
    rename["newName"] = json!("a b");
    assert!(client.failure("textDocument/rename", rename)["message"].as_str().expect("a text").contains("`a b`"));

    let document = json!({ "textDocument": { "uri": uri(&path) } });
    let symbols = client.request("textDocument/documentSymbol", document.clone());
    assert!(!symbols[0]["children"].as_array().expect("objects").is_empty(), "{symbols}");
    let symbols = client.request("workspace/symbol", json!({ "query": "drive" }));
    assert_eq!(symbols[0]["name"], "drive");
    assert!(client.request("textDocument/foldingRange", document.clone()).as_array().expect("ranges").len() > 2);
    let mut selection = document.clone();
    selection["positions"] = json!([inside["position"]]);
    assert!(client.request("textDocument/selectionRange", selection)[0]["parent"]["parent"].is_object());
    let completion = client.request("textDocument/completion", inside.clone());
    assert!(completion["items"].as_array().expect("words").len() > 2, "{completion}");
    let mut argument = inside.clone();
    let length = predicate.split(' ').next().expect("a name").len() as u64;
    argument["position"]["character"] = json!(inside["position"]["character"].as_u64().expect("a column") + length + 1);
    let help = client.request("textDocument/signatureHelp", argument);
    assert_eq!(help["signatures"][0]["activeParameter"], 0, "{help}");
    let tokens = client.request("textDocument/semanticTokens/full", document.clone());
    let count = tokens["data"].as_array().expect("numbers").len();
    assert!(count > 100 && count.is_multiple_of(5), "{count}");
    let mut range = document.clone();
    range["range"] = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 1, "character": 0 } });
    let part = client.request("textDocument/semanticTokens/range", range.clone());
    assert!(part["data"].as_array().expect("numbers").len() < count);
    range["options"] = json!({ "tabSize": 2, "insertSpaces": true });
    assert!(client.request("textDocument/rangeFormatting", range).is_array());
    let mut format = document;
    format["options"] = json!({ "tabSize": 2, "insertSpaces": true });
    assert!(client.request("textDocument/formatting", format).is_array());
    assert_eq!(client.end(), Some(0));
}

#[test]
fn fixes_are_offered_at_their_diagnostic() {
    let folder = Folder::new();
    let mut client = Client::pulling(&folder);
    let path = folder.path("examples/game/faulty.game");
    let text = folder.read("examples/game/faulty.game");
    client.open(&path, &text);
    let found = client.diagnostics(&path);
    let mut fixes = 0;
    for one in &found {
        let context = json!({ "diagnostics": [one], "only": ["quickfix"] });
        let params = json!({ "textDocument": { "uri": uri(&path) }, "range": one["range"], "context": context });
        let actions = client.request("textDocument/codeAction", params);
        for action in actions.as_array().expect("actions") {
            assert_eq!(action["kind"], "quickfix");
            assert!(action["edit"]["changes"][uri(&path)].is_array(), "{action}");
            fixes += 1;
        }
        assert!(one["codeDescription"]["href"].as_str().is_some_and(|link| link.starts_with("https://")), "{one}");
        let params = json!({ "textDocument": { "uri": uri(&path) }, "position": one["range"]["start"] });
        let hover = client.request("textDocument/hover", params);
        let code = one["code"].as_str().expect("a code");
        assert!(
            hover["contents"]["value"].as_str().is_some_and(|text| text.contains(&format!("`{code}`: "))),
            "{hover}"
        );
    }
    assert!(fixes > 0, "{found:?}");
}

#[test]
fn positions_are_in_utf_16_unless_agreed_otherwise() {
    let folder = Folder::new();
    let mut client = Client::start(&folder, json!({ "textDocument": { "diagnostic": {} } }));
    assert_eq!(client.capabilities["positionEncoding"], "utf-16");
    let path = folder.path("wide.game");
    // The comment has a character of two units; lines end in both ways, and the last one does not end.
    let text = "; \u{1d11e}\u{1d11e} (a)\r\n(define (game g) (:domain few-objects-room-v1)\t; \u{1d11e}\r\n(:scoring (count x)) \
        (:constraints (preference a (exists (?b - ball) (at-end (agent_holds ?b))))))";
    client.open(&path, text);
    let found = client.diagnostics(&path);
    let unknown = found.iter().find(|one| one["code"] == "game/unknown-preference").expect("the preference is unknown");
    assert_eq!(
        unknown["range"],
        json!({ "start": { "line": 2, "character": 17 }, "end": { "line": 2, "character": 18 } })
    );
    // An edit behind the wide characters of the first line.
    let range = json!({ "start": { "line": 0, "character": 7 }, "end": { "line": 0, "character": 10 } });
    client.change(&path, 2, &json!([{ "range": range, "text": "\n; b" }]));
    let found = client.diagnostics(&path);
    let unknown = found.iter().find(|one| one["code"] == "game/unknown-preference").expect("the preference is unknown");
    assert_eq!(unknown["range"]["start"], json!({ "line": 3, "character": 17 }));
}

#[test]
fn diagnostics_are_pushed_to_clients_that_do_not_ask() {
    let folder = Folder::new();
    let mut client = Client::start(&folder, json!({}));
    assert_eq!(client.capabilities.get("diagnosticProvider"), None);
    let path = folder.path("a.game");
    client.open(&path, "(define (game g) (:domain few-objects-room-v1) (:scoring (count x)))");
    let published = client.message("textDocument/publishDiagnostics");
    assert_eq!(published["params"]["uri"], uri(&path));
    assert_eq!(published["params"]["version"], 1);
    assert!(!published["params"]["diagnostics"].as_array().expect("diagnostics").is_empty());
    client.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri(&path) } }));
    loop {
        let published = client.message("textDocument/publishDiagnostics");
        if published["params"]["diagnostics"] == json!([]) {
            break;
        }
    }
    assert_eq!(client.end(), Some(0));
}

#[test]
fn an_edit_of_a_domain_reaches_its_problems() {
    let folder = Folder::new();
    let mut client = Client::start(&folder, json!({}));
    let domain = folder.path("examples/pddl/delivery/domain.pddl");
    let problem = folder.path("examples/pddl/delivery/one_van.pddl");
    client.open(&problem, &folder.read("examples/pddl/delivery/one_van.pddl"));
    client.open(&domain, "(define (domain delivery))");
    loop {
        let published = client.message("textDocument/publishDiagnostics");
        let found = published["params"]["diagnostics"].as_array().expect("diagnostics");
        if published["params"]["uri"] == uri(&problem)
            && found.iter().any(|one| one["code"] == "pddl/unknown-predicate")
        {
            break;
        }
    }
}

#[test]
fn settings_of_the_folder_apply() {
    let folder = Folder::new();
    folder.write("goalspec.toml", "worlds = [\"examples/worlds/*.world.toml\"]\n");
    let game = folder.path("examples/worlds/make-tea.game");
    let mut client = Client::pulling(&folder);
    client.open(&game, &folder.read("examples/worlds/make-tea.game"));
    let errors = client.diagnostics(&game).into_iter().filter(|one| one["severity"] == 1).count();
    assert_eq!(errors, 0);
    folder.write("goalspec.toml", "wurlds = []\n");
    client.notify("textDocument/didSave", json!({ "textDocument": { "uri": uri(&folder.path("goalspec.toml")) } }));
    let message = client.message("window/showMessage")["params"]["message"].to_string();
    assert!(message.contains("goalspec.toml:1:1: error[input/settings]: unknown field `wurlds`"), "{message}");
}

#[test]
fn cancelled_and_unknown_requests_are_answered() {
    let folder = Folder::new();
    let mut client = Client::pulling(&folder);
    let path = folder.path("a.game");
    client.open(&path, &"(define (game g) (:domain few-objects-room-v1))\n".repeat(400));
    let ids: Vec<i64> = (0..40)
        .map(|_| client.ask("textDocument/diagnostic", json!({ "textDocument": { "uri": uri(&path) } })))
        .collect();
    for id in &ids {
        client.notify("$/cancelRequest", json!({ "id": id }));
    }
    for id in ids {
        let response = client.response(id);
        let code = &response["error"]["code"];
        assert!(response["result"].is_object() || *code == -32800, "{response}");
    }
    assert_eq!(client.failure("textDocument/unheardOf", json!({}))["code"], -32601);
    assert_eq!(client.failure("textDocument/hover", json!({ "position": 1 }))["code"], -32602);
    client.notify("$/cancelRequest", json!({ "id": "never" }));
    client.notify("textDocument/didChange", json!({ "nonsense": true }));
    assert_eq!(client.end(), Some(0));
}

#[test]
fn a_client_that_vanishes_or_talks_nonsense_ends_the_server() {
    let folder = Folder::new();
    let mut client = Client::pulling(&folder);
    drop(client.input.take());
    assert_eq!(client.process.wait().expect("it ends").code(), Some(2));
    for garbage in ["hello\r\n\r\n", "Content-Length: 5\r\n\r\n{]}{[", "Content-Length: 99999999999999999999\r\n\r\n"] {
        let mut client = Client::pulling(&folder);
        let input = client.input.as_mut().expect("it is open");
        input.write_all(garbage.as_bytes()).expect("the server reads");
        drop(client.input.take());
        assert!(client.process.wait().expect("it ends").code().is_some_and(|code| code != 0), "{garbage}");
    }
}

/// Random edits of all examples: every request is answered, and the text that the server has is that of the client.
#[test]
fn random_edits_leave_the_server_with_the_text_of_the_client() {
    const EDITS: i32 = 1000;
    const PIECES: [&str; 12] =
        ["(", ")", "\n", "\r\n", "\t", " ?b", "(and ", "; \u{1d11e}", "\"", "ö", "- block", "(define (problem p)"];
    let folder = Folder::new();
    let mut client = Client::start(&folder, json!({ "textDocument": { "diagnostic": {} } }));
    let mut random = Random::new(7);
    let mut documents: Vec<(PathBuf, String)> = files(&folder.path("examples"))
        .into_iter()
        .filter(|path| {
            path.extension().is_some_and(|end| ["game", "pddl", "bddl", "yaml"].iter().any(|known| end == *known))
        })
        .map(|path| (path.clone(), std::fs::read_to_string(path).expect("it can be read")))
        .collect();
    for (path, text) in &documents {
        client.open(path, text);
    }
    for version in 2..EDITS + 2 {
        let index = random.below(documents.len());
        let (path, text) = &mut documents[index];
        let start = text.floor_char_boundary(random.below(text.len() + 1));
        let end = text.ceil_char_boundary((start + random.below(12)).min(text.len()));
        let piece = PIECES[random.below(PIECES.len())];
        let range = json!({ "start": utf_16(text, start), "end": utf_16(text, end) });
        text.replace_range(on_place(text, start)..on_place(text, end), piece);
        client.change(path, version, &json!([{ "range": range, "text": piece }]));
        let position = json!({ "line": random.below(30), "character": random.below(60) });
        let at = json!({ "textDocument": { "uri": uri(path) }, "position": position });
        let method = ["hover", "completion", "definition", "signatureHelp", "documentHighlight"][random.below(5)];
        client.request(&format!("textDocument/{method}"), at);
    }
    // The whole text as one selection: its end is the end of the text.
    for (path, text) in &documents {
        let params = json!({ "textDocument": { "uri": uri(path) }, "positions": [{ "line": 0, "character": 0 }] });
        let mut range = client.request("textDocument/selectionRange", params)[0].clone();
        while range["parent"].is_object() {
            range = range["parent"].clone();
        }
        assert_eq!(range["range"]["end"], utf_16(text, text.len()), "{}", path.display());
    }
    assert_eq!(client.end(), Some(0));
}

/// Returns the place that a position between a carriage return and its line feed stands for: before both.
fn on_place(text: &str, offset: usize) -> usize {
    if text[..offset].ends_with('\r') && text[offset..].starts_with('\n') { offset - 1 } else { offset }
}

/// Returns the position of an offset in UTF-16.
fn utf_16(text: &str, offset: usize) -> Value {
    let before = &text[..on_place(text, offset)];
    let bytes = before.as_bytes();
    let ends = |at: usize| bytes[at] == b'\n' || bytes[at] == b'\r' && text.as_bytes().get(at + 1) != Some(&b'\n');
    let line_starts: Vec<usize> = (0..bytes.len()).filter(|&at| ends(at)).map(|at| at + 1).collect();
    let start = line_starts.last().copied().unwrap_or(0);
    json!({ "line": line_starts.len(), "character": before[start..].encode_utf16().count() })
}

/// The set-ups on the page of the book are those of the files in `editors`.
#[test]
fn the_set_ups_of_the_book_are_those_of_the_repository() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let read = |name: &str| std::fs::read_to_string(root.join(name)).expect("it can be read");
    let page = read("docs/src/editors.md");
    for (info, name) in
        [("lua", "neovim/goalspec.lua"), ("toml", "helix/languages.toml"), ("elisp", "emacs/goalspec.el")]
    {
        let file = read(&format!("editors/{name}"));
        let fence = format!("\n```{info}\n");
        let mut blocks = page.split(&*fence).skip(1).filter_map(|rest| rest.split("```").next());
        assert!(blocks.any(|block| file.contains(block)), "{name}");
    }
}

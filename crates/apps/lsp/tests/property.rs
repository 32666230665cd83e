//! Random edits and requests through the loop of the server, in memory: every request is answered, and the answers after edits are those of
//! a server that reads the final texts.

use std::time::Duration;

use lsp_server::{Connection, Message, Notification, Request, Response};
use proptest::prelude::*;
use serde_json::{Value, json};

/// No answer takes as long.
const TIMEOUT: Duration = Duration::from_mins(1);

/// The methods of requests about a position.
const METHODS: [&str; 7] =
    ["hover", "completion", "definition", "references", "documentHighlight", "signatureHelp", "prepareRename"];

/// The methods of requests about a document.
const WHOLE: [&str; 6] =
    ["documentSymbol", "foldingRange", "semanticTokens/full", "codeLens", "diagnostic", "inlayHint"];

/// The documents, one of each language.
const DOCUMENTS: [(&str, &str); 6] = [
    ("/w/a.rgg.yaml", include_str!("../../../../examples/rgg/berries.yaml")),
    ("/w/b.world.toml", include_str!("../../../../examples/worlds/kitchen.world.toml")),
    ("/w/c.game", include_str!("../../../../examples/game/tower.game")),
    ("/w/d.bddl", include_str!("../../../../examples/bddl/game_night.bddl")),
    ("/w/domain.pddl", "(define (domain d) (:predicates (p ?x) (q)) (:action a :parameters (?x) :effect (p ?x)))"),
    ("/w/p.pddl", "(define (problem e) (:domain d) (:objects o) (:init (q)) (:goal (p o)))"),
];

/// The texts that edits insert.
const PIECES: [&str; 12] =
    ["", "(", ")", "\r\n", "\u{1f600}", "{", "}", ": ", "\"", "camp.day", " # ", "[predicates.on]\n"];

/// A client in the same process.
struct MemoryClient {
    connection: Connection,
    server: Option<std::thread::JoinHandle<bool>>,
    requests: i32,
}

impl MemoryClient {
    fn start() -> Self {
        let (server, connection) = Connection::memory();
        let server = std::thread::spawn(move || goalspec_lsp::serve(&server).is_ok());
        let mut client = Self { connection, server: Some(server), requests: 0 };
        let capabilities = json!({ "textDocument": { "diagnostic": {} } });
        client.request("initialize", json!({ "capabilities": capabilities }));
        client.notify("initialized", json!({}));
        client
    }

    fn notify(&self, method: &str, params: Value) {
        let note = Notification { method: method.to_owned(), params };
        self.connection.sender.send(note.into()).expect("the server runs");
    }

    /// Sends a request, and returns its response.
    fn request(&mut self, method: &str, params: Value) -> Response {
        self.requests += 1;
        let id = self.requests.into();
        let request = Request { id: self.requests.into(), method: method.to_owned(), params };
        self.connection.sender.send(request.into()).expect("the server runs");
        loop {
            let message = self.connection.receiver.recv_timeout(TIMEOUT).expect("every request is answered");
            match message {
                Message::Response(response) if response.id == id => return response,
                _ => {}
            }
        }
    }

    fn open(&self, path: &str, text: &str) {
        let document = json!({ "uri": format!("file://{path}"), "languageId": "", "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// Returns the answers about a document.
    fn answers(&mut self, path: &str, position: &Value) -> Vec<Value> {
        let document = json!({ "uri": format!("file://{path}") });
        let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 500, "character": 0 } });
        let mut methods: Vec<&str> = METHODS.to_vec();
        methods.extend(WHOLE);
        let mut ask = |method: &str| {
            let mut params = json!({ "textDocument": document, "position": position, "range": range });
            if method == "references" {
                params["context"] = json!({ "includeDeclaration": true });
            }
            let response = self.request(&format!("textDocument/{method}"), params);
            // An invalid place of a rename is an error.
            json!([method, response.response_result.unwrap_or_else(|error| error.message.into())])
        };
        methods.into_iter().map(&mut ask).collect()
    }
}

impl Drop for MemoryClient {
    fn drop(&mut self) {
        self.request("shutdown", Value::Null);
        self.notify("exit", Value::Null);
        let ended = self.server.take().map(|server| server.join().unwrap_or(false));
        assert!(std::thread::panicking() || ended == Some(true));
    }
}

/// An edit: the document, the place and length in thousandths of its characters, and the inserted text.
type Edit = (usize, usize, usize, usize);

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    prop::collection::vec((0..DOCUMENTS.len(), 0..1000_usize, 0..20_usize, 0..PIECES.len()), 1..12)
}

/// Returns the text after an edit, with the change for the protocol.
fn changed(text: &str, (_, at, length, piece): Edit) -> String {
    let start = text.floor_char_boundary(text.len() * at / 1000);
    let end = text.ceil_char_boundary((start + text.len() * length / 1000).min(text.len()));
    format!("{}{}{}", &text[..start], PIECES[piece], &text[end..])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn edited_documents_are_answered_as_fresh_ones(edits in edits(), line in 0..40_u32, column in 0..40_u32) {
        let position = json!({ "line": line, "character": column });
        let mut texts = DOCUMENTS.map(|(_, text)| text.to_owned());
        let mut edited = MemoryClient::start();
        for (path, text) in DOCUMENTS {
            edited.open(path, text);
        }
        for (version, edit) in edits.into_iter().enumerate() {
            let (path, text) = (DOCUMENTS[edit.0].0, &mut texts[edit.0]);
            *text = changed(text, edit);
            let document = json!({ "uri": format!("file://{path}"), "version": version + 2 });
            let params = json!({ "textDocument": document, "contentChanges": [{ "text": text }] });
            edited.notify("textDocument/didChange", params);
            edited.answers(path, &position);
        }
        let mut fresh = MemoryClient::start();
        for ((path, _), text) in DOCUMENTS.iter().zip(&texts) {
            fresh.open(path, text);
        }
        for (path, _) in DOCUMENTS {
            // The slow tier is still waiting, or has results that do not differ.
            let of = |answers: Vec<Value>| answers.into_iter().filter(|answer| {
                !matches!(answer[0].as_str(), Some("diagnostic" | "inlayHint"))
            }).collect::<Vec<_>>();
            prop_assert_eq!(of(edited.answers(path, &position)), of(fresh.answers(path, &position)), "{}", path);
        }
    }
}

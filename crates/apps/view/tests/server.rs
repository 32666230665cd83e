//! The server: what it refuses, and what its answers contain.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::{fs, thread};

use goalspec_view::{Server, Session};
use serde_json::{Value, json};

use crate::common::{example, markup, session, throwing};

/// A running server. Its thread ends with the process of the tests.
pub(crate) struct Viewer {
    pub(crate) address: String,
    host: String,
    token: String,
}

pub(crate) fn start(session: Session) -> Viewer {
    let server = Server::bind(session, 0, &[]).unwrap();
    let address = server.address();
    let (host, token) = address.strip_prefix("http://").unwrap().split_once("/#token=").unwrap();
    let (host, token) = (host.to_owned(), token.to_owned());
    thread::spawn(move || server.run());
    Viewer { address, host, token }
}

pub(crate) struct Answer {
    pub(crate) status: u16,
    head: String,
    pub(crate) body: Vec<u8>,
}

impl Viewer {
    /// Sends a request with exactly these headers.
    fn raw(&self, request: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let mut stream = TcpStream::connect(&self.host).unwrap();
        let headers: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let length = if body.is_empty() { String::new() } else { format!("Content-Length: {}\r\n", body.len()) };
        write!(stream, "{request} HTTP/1.1\r\n{headers}{length}Connection: close\r\n\r\n{body}").unwrap();
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        let end = bytes.windows(4).position(|part| part == b"\r\n\r\n").unwrap_or(bytes.len());
        let head = String::from_utf8_lossy(&bytes[..end]).to_ascii_lowercase();
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        Answer { status, head, body: bytes.get(end + 4..).unwrap_or_default().to_vec() }
    }

    /// Sends a request with the token.
    pub(crate) fn ask(&self, request: &str, body: &str) -> Answer {
        let token = format!("Bearer {}", self.token);
        let headers = [("Host", &*self.host), ("Authorization", &*token), ("Content-Type", "application/json")];
        self.raw(request, &headers, body)
    }

    pub(crate) fn json(&self, request: &str, body: &str) -> Value {
        let answer = self.ask(request, body);
        assert_eq!(answer.status, 200, "{request}: {}", String::from_utf8_lossy(&answer.body));
        serde_json::from_slice(&answer.body).unwrap()
    }
}

#[test]
fn requests_that_are_not_the_pages_own_are_refused() {
    let viewer = start(throwing());
    let token = &*format!("Bearer {}", viewer.token);
    let (host, start) = (&*viewer.host, "GET /api/start");
    let cases: &[(&[(&str, &str)], u16)] = &[
        (&[("Host", host), ("Authorization", token)], 200),
        (&[("Host", host)], 401),
        (&[("Host", host), ("Authorization", "Bearer 0000")], 401),
        (&[("Host", host), ("Authorization", token), ("Origin", "http://evil.example")], 403),
        (&[("Host", host), ("Authorization", token), ("Origin", "null")], 403),
        (&[("Host", host), ("Authorization", token), ("Sec-Fetch-Site", "cross-site")], 403),
        (&[("Host", "rebound.example"), ("Authorization", token)], 421),
        (&[("Host", host), ("Host", "rebound.example"), ("Authorization", token)], 421),
        (&[("Authorization", token)], 421),
    ];
    for (headers, status) in cases {
        let answer = viewer.raw(start, headers, "");
        // The library of the protocol may refuse a request without a host, or with two, before the rules do.
        let is_malformed = answer.status == 400 && *status == 421;
        assert!(answer.status == *status || is_malformed, "{headers:?}: {}", answer.status);
        if answer.status != 200 {
            assert!(!String::from_utf8_lossy(&answer.body).contains("throw-to-bin"), "{headers:?}");
        }
        assert!(!answer.head.contains("access-control-") && !answer.head.contains("set-cookie"), "{}", answer.head);
    }
    // The token in the address is no token: addresses end up in logs.
    assert_eq!(viewer.raw(&format!("GET /api/start?token={}", viewer.token), &[("Host", host)], "").status, 401);
}

#[test]
fn every_page_has_a_strict_policy() {
    let viewer = start(throwing());
    let answer = viewer.raw("GET /", &[("Host", &viewer.host)], "");
    assert_eq!(answer.status, 200);
    for rule in
        ["default-src 'none'", "require-trusted-types-for 'script'", "frame-ancestors 'none'", "script-src 'self';"]
    {
        assert!(answer.head.contains(rule), "{rule}: {}", answer.head);
    }
    assert!(!answer.head.contains("unsafe"));
    for header in ["x-content-type-options: nosniff", "referrer-policy: no-referrer", "cache-control: no-store"] {
        assert!(answer.head.contains(header), "{header}");
    }
    let page = String::from_utf8(answer.body).unwrap();
    assert!(!page.contains("__NONCE__") && !page.contains(&viewer.token));
}

#[test]
fn paths_and_bad_requests_get_errors() {
    let viewer = start(throwing());
    for (request, body, status) in [
        ("GET /api/runs/1", "", 404),
        ("GET /api/runs/../../etc/passwd", "", 404),
        ("GET /..%2f..%2fetc%2fpasswd", "", 404),
        ("GET /api/runs/99999999999999999999", "", 400),
        ("POST /api/runs", "{\"program\": 7}", 200),
        ("POST /api/runs", "{\"program\": \"/etc/passwd\"}", 400),
        ("POST /api/runs", "not json", 400),
        ("POST /api/check", "{\"text\": 3}", 400),
        ("DELETE /api/start", "", 405),
    ] {
        assert_eq!(viewer.ask(request, body).status, status, "{request} {body}");
    }
    let plain = [
        ("Host", &*viewer.host),
        ("Authorization", &*format!("Bearer {}", viewer.token)),
        ("Content-Type", "text/plain"),
    ]
    .map(|(name, value)| (name, value.to_owned()));
    let plain: Vec<(&str, &str)> = plain.iter().map(|(name, value)| (*name, &**value)).collect();
    assert_eq!(viewer.raw("POST /api/runs", &plain, "{}").status, 415);
}

#[test]
fn a_run_has_the_numbers_of_the_command_its_states_and_tiles() {
    let viewer = start(throwing());
    let run = viewer.json("POST /api/runs", "{\"program\": 0, \"trace\": 0}")["run"].as_u64().unwrap();
    let document = viewer.json(&format!("GET /api/runs/{run}"), "");
    let outcome = &document["outcomes"][0];
    assert!(outcome["score"].is_number() && outcome["rewards"].is_array(), "{outcome}");
    let lane = &outcome["lanes"]["preferences"][0]["lanes"][0];
    let ids = format!("{},{}", lane["id"], lane["true_ids"][0]);
    let tiles = viewer.ask(&format!("GET /api/runs/{run}/tiles?lanes={ids}&level=0&tile=0"), "");
    assert_eq!((tiles.status, &tiles.body[..4]), (200, &b"GSTL"[..]));
    assert_eq!(viewer.ask(&format!("GET /api/runs/{run}/tiles?lanes=0-600&level=0&tile=0"), "").status, 400);
    assert_eq!(viewer.ask(&format!("GET /api/runs/{run}/tiles?lanes=0&level=0&tile=9"), "").status, 404);
    let state = viewer.json(&format!("GET /api/runs/{run}/states/5"), "");
    assert_eq!(state["at"], 5);
    assert!(state["objects"].as_array().unwrap().len() > 5);
    assert_eq!(viewer.ask(&format!("GET /api/runs/{run}/states/100000"), "").status, 404);
}

#[test]
fn changed_texts_are_checked_and_files_stay_the_same() {
    let viewer = start(throwing());
    let wrong = "{\"program\": 0, \"text\": \"(define (game g) (:domain few-objects-room-v1)\"}";
    let found = viewer.json("POST /api/check", wrong);
    let errors = found["diagnostics"].as_array().unwrap();
    assert!(errors.iter().any(|error| error["severity"] == "error"), "{found}");
    let clean = viewer.json("POST /api/check", "{\"program\": 0}");
    let errors = clean["diagnostics"].as_array().unwrap();
    assert!(errors.iter().all(|error| error["severity"] != "error"), "{clean}");
}

/// Returns the viewer of a copy of a game, which may be saved, with the path of the copy.
fn writable(folder: &Path) -> (Session, PathBuf) {
    let program = folder.join("copy.game");
    fs::copy(example("game/throw-to-bin.game"), &program).unwrap();
    (session(&[program.clone(), example("game/play.jsonl")]), program)
}

/// Saves a text, and returns the status with the answer.
fn save(viewer: &Viewer, program: usize, text: &str, hash: &Value) -> (u16, Value) {
    let answer = viewer.ask("POST /api/save", &json!({"program": program, "text": text, "hash": hash}).to_string());
    (answer.status, serde_json::from_slice(&answer.body).unwrap())
}

/// Runs the program of a file, and returns the document.
fn run_file(viewer: &Viewer) -> Value {
    let run = viewer.json("POST /api/runs", "{\"program\": 0, \"trace\": 0}")["run"].as_u64().unwrap();
    viewer.json(&format!("GET /api/runs/{run}"), "")
}

#[test]
fn without_permission_no_program_is_saved() {
    let folder = tempfile::tempdir().unwrap();
    let (session, program) = writable(folder.path());
    let before = fs::read_to_string(&program).unwrap();
    let viewer = start(session);
    assert_eq!(viewer.json("GET /api/start", "")["may"]["write"], false);
    let hash = run_file(&viewer)["program"]["hash"].clone();
    let (status, answer) = save(&viewer, 0, "other", &hash);
    assert_eq!((status, &answer["error"]["code"]), (403, &json!("view/read-only")));
    assert_eq!(fs::read_to_string(&program).unwrap(), before);
}

#[test]
fn with_permission_a_program_is_saved_unless_it_changed_on_disk() {
    let folder = tempfile::tempdir().unwrap();
    let (session, program) = writable(folder.path());
    let before = fs::read_to_string(&program).unwrap();
    let viewer = start(session.with_saving());
    assert_eq!(viewer.json("GET /api/start", "")["may"]["write"], true);
    let hash = run_file(&viewer)["program"]["hash"].clone();
    let changed = format!("; changed\n{before}");
    let (status, saved) = save(&viewer, 0, &changed, &hash);
    assert_eq!((status, fs::read_to_string(&program).unwrap()), (200, changed.clone()));
    assert_eq!(run_file(&viewer)["program"]["hash"], saved["hash"]);

    fs::write(&program, &before).unwrap();
    let (status, answer) = save(&viewer, 0, "mine", &saved["hash"]);
    assert_eq!((status, &answer["saved"]), (200, &json!(false)));
    assert_eq!((&answer["text"], &answer["hash"]), (&json!(before), &hash));
    assert_eq!(fs::read_to_string(&program).unwrap(), before, "the other change is kept");
    let (_, saved) = save(&viewer, 0, "mine", &answer["hash"]);
    assert_eq!(saved["saved"], true, "the new hash confirms that it was seen");
    assert_eq!(fs::read_to_string(&program).unwrap(), "mine");

    assert_eq!(save(&viewer, 1, "text", &hash).0, 404, "only programs are saved, and no traces");
    assert_eq!(save(&viewer, 0, "text", &Value::Null).0, 400);
    fs::remove_file(&program).unwrap();
    assert_eq!(save(&viewer, 0, "text", &hash).0, 422);
    assert!(!program.exists(), "no file is created");
}

#[test]
fn other_pages_save_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (session, program) = writable(folder.path());
    let before = fs::read_to_string(&program).unwrap();
    let viewer = start(session.with_saving());
    let hash = run_file(&viewer)["program"]["hash"].clone();
    let body = json!({"program": 0, "text": "evil", "hash": hash}).to_string();
    let (host, token) = (&*viewer.host, &*format!("Bearer {}", viewer.token));
    let json = ("Content-Type", "application/json");
    let cases: [(&[(&str, &str)], u16); 5] = [
        (&[("Host", host), json], 401),
        (&[("Host", host), ("Authorization", token), ("Content-Type", "text/plain")], 415),
        (&[("Host", host), ("Authorization", token), json, ("Origin", "http://evil.example")], 403),
        (&[("Host", host), ("Authorization", token), json, ("Sec-Fetch-Site", "cross-site")], 403),
        (&[("Host", "rebound.example"), ("Authorization", token), json], 421),
    ];
    for (headers, status) in cases {
        assert_eq!(viewer.raw("POST /api/save", headers, &body).status, status, "{headers:?}");
    }
    assert_eq!(fs::read_to_string(&program).unwrap(), before);
}

#[test]
fn markup_is_never_sent_as_a_page() {
    let folder = tempfile::tempdir().unwrap();
    let viewer = start(markup(folder.path()));
    let answer = viewer.ask("GET /api/start", "");
    assert!(answer.head.contains("content-type: application/json") && answer.head.contains("nosniff"));
    let start: Value = serde_json::from_slice(&answer.body).unwrap();
    assert_eq!(start["programs"][0]["name"], "<img src=x onerror=alert(1)>.game");
    assert!(!String::from_utf8_lossy(&answer.body).contains(folder.path().to_str().unwrap()), "a path is sent");
}

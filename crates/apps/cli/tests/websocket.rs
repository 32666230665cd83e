//! `goalspec serve --listen`: the protocol of the standard input over WebSockets, and hostile clients.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::process::{Child, Stdio};
use std::time::Duration;

use goalspec::simulation::service::{MAX_CONNECTIONS, MAX_REQUEST_BYTES};
use serde_json::{Value, json};
use tungstenite::client::IntoClientRequest as _;
use tungstenite::http::{HeaderValue, StatusCode};
use tungstenite::protocol::frame::coding::{CloseCode, Data, OpCode};
use tungstenite::protocol::frame::{Frame, FrameHeader};
use tungstenite::{Error, Message, WebSocket};

use crate::common::{Folder, GOALSPEC};

const BERRIES: &str = "examples/rgg/berries.yaml";

/// No reply takes as long.
const TIMEOUT: Duration = Duration::from_mins(1);

/// A running service, which is ended on drop.
struct Service {
    process: Child,
    address: SocketAddr,
    folder: Folder,
}

impl Service {
    fn start(options: &str) -> Self {
        let folder = Folder::new();
        let mut command = folder.command(GOALSPEC);
        command.args(["serve", "--listen", "0", BERRIES]).args(options.split_whitespace());
        let mut process = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("ws://").expect(&line).parse().unwrap();
        Self { process, address, folder }
    }

    fn stream(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(TIMEOUT)).unwrap();
        stream
    }

    fn connect_from(&self, origin: Option<&str>) -> Result<WebSocket<TcpStream>, Error> {
        let mut request = format!("ws://{}/", self.address).into_client_request().unwrap();
        if let Some(origin) = origin {
            request.headers_mut().insert("origin", HeaderValue::from_str(origin).unwrap());
        }
        tungstenite::client(request, self.stream()).map(|(socket, _)| socket).map_err(|error| match error {
            tungstenite::HandshakeError::Failure(error) => error,
            tungstenite::HandshakeError::Interrupted(_) => panic!("the handshake takes too long"),
        })
    }

    fn connect(&self) -> WebSocket<TcpStream> {
        self.connect_from(None).unwrap()
    }

    /// Returns the response to a request that is no handshake.
    fn response(&self, request: &[u8]) -> String {
        let mut stream = self.stream();
        stream.write_all(request).unwrap();
        stream.shutdown(Shutdown::Write).unwrap();
        let mut response = String::new();
        stream.read_to_string(&mut response).unwrap();
        response
    }

    /// Checks that a new client can play.
    fn assert_serves(&self) {
        let mut socket = self.connect();
        let reply = call(&mut socket, &json!({"method": "reset", "seed": 7}));
        assert_eq!((&reply["seed"], &reply["turn"]), (&json!(7), &json!(0)));
        socket.close(None).unwrap();
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Sends a request, and returns the reply.
fn call(socket: &mut WebSocket<TcpStream>, request: &Value) -> Value {
    ask(socket, &request.to_string())
}

/// Sends a text, and returns the reply.
fn ask(socket: &mut WebSocket<TcpStream>, text: &str) -> Value {
    socket.send(Message::text(text)).unwrap();
    serde_json::from_str(socket.read().unwrap().to_text().unwrap()).unwrap()
}

/// Returns the code and the reason with which the service closes a connection.
fn closed(socket: &mut WebSocket<TcpStream>) -> (CloseCode, String) {
    match socket.read().unwrap() {
        Message::Close(Some(frame)) => (frame.code, frame.reason.to_string()),
        other => panic!("expected the end of the connection, found {other:?}"),
    }
}

/// Sends bytes as they are, and returns the code and the reason with which the service closes the connection.
fn closed_after(service: &Service, bytes: &[u8]) -> (CloseCode, String) {
    let mut socket = service.connect();
    socket.get_mut().write_all(bytes).unwrap();
    let result = closed(&mut socket);
    service.assert_serves();
    result
}

/// Returns a masked frame.
fn frame(code: OpCode, is_final: bool, payload: &[u8]) -> Vec<u8> {
    let header = FrameHeader { is_final, opcode: code, mask: Some([0; 4]), ..FrameHeader::default() };
    let mut bytes = Vec::new();
    Frame::from_payload(header, payload.to_vec().into()).format(&mut bytes).unwrap();
    bytes
}

#[test]
fn the_replies_are_those_of_the_standard_input() {
    let requests = [
        r#"{"method": "describe"}"#,
        r#"{"method": "step", "action": 0}"#,
        r#"{"method": "reset", "seed": 9, "index": 3, "id": 1}"#,
        r#"{"method": "legal"}"#,
        r#"{"method": "step", "action": "look around"}"#,
        r#"{"method": "step", "action": 77}"#,
        r#"{"method": "observe", "team": "ben"}"#,
        "{",
        "[1]",
        r#"{"method": "reset"}"#,
    ];
    let service = Service::start("--max-turns 5");
    let input: String = requests.iter().map(|request| format!("{request}\n")).collect();
    let done = service.folder.run_with(&format!("serve --max-turns 5 {BERRIES}"), input.as_bytes());
    let expected: Vec<Value> = done.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let mut socket = service.connect();
    let found: Vec<Value> = requests.iter().map(|request| ask(&mut socket, request)).collect();
    assert_eq!(found, expected);
    assert_eq!(found.len(), requests.len());
    let error = ask(&mut socket, "");
    assert!(error["error"].as_str().unwrap().contains("expected a JSON object"), "{error}");
}

#[test]
fn every_connection_plays_its_own_game() {
    let service = Service::start("");
    let mut sockets = [service.connect(), service.connect()];
    for (seed, socket) in sockets.iter_mut().enumerate() {
        let reply = call(socket, &json!({"method": "reset", "seed": seed}));
        assert_eq!((&reply["seed"], &reply["index"]), (&json!(seed), &json!(0)));
    }
    for turn in 1..4 {
        assert_eq!(call(&mut sockets[0], &json!({"method": "step", "action": 0}))["turn"], turn);
    }
    assert_eq!(call(&mut sockets[1], &json!({"method": "step", "action": 0}))["turn"], 1);
    let [mut first, second] = sockets;
    drop(second);
    assert_eq!(call(&mut first, &json!({"method": "step", "action": 0}))["turn"], 4);
}

#[test]
fn pings_are_answered_and_connections_closed() {
    let service = Service::start("");
    let mut socket = service.connect();
    socket.send(Message::Ping("are you there".into())).unwrap();
    assert_eq!(socket.read().unwrap(), Message::Pong("are you there".into()));
    socket.close(None).unwrap();
    assert!(matches!(socket.read(), Ok(Message::Close(_))));
    assert!(matches!(socket.read(), Err(Error::ConnectionClosed)));
}

#[test]
fn requests_that_are_no_handshakes_are_rejected() {
    let service = Service::start("");
    let upgrade = "Host: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n";
    let key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    let long = format!("GET / HTTP/1.1\r\n{upgrade}X: {}\r\n\r\n", "x".repeat(1 << 20));
    let many: String = (0..1000).map(|number| format!("X{number}: x\r\n")).collect();
    for (request, expected) in [
        ("GET / HTTP/1.1\r\nHost: h\r\n\r\n".to_owned(), "No \"Connection: upgrade\" header"),
        (format!("POST / HTTP/1.1\r\n{upgrade}\r\n"), "Unsupported HTTP method used"),
        (format!("GET / HTTP/1.0\r\n{upgrade}\r\n"), "HTTP version must be 1.1 or higher"),
        (format!("GET / HTTP/1.1\r\n{upgrade}{key}Sec-WebSocket-Version: 8\r\n\r\n"), "Sec-WebSocket-Version"),
        (format!("GET / HTTP/1.1\r\n{upgrade}Sec-WebSocket-Version: 13\r\n\r\n"), "No \"Sec-WebSocket-Key\" header"),
        (format!("GET / HTTP/1.1\r\n{many}\r\n"), "expected a WebSocket handshake"),
        ("\u{16}\u{3}\u{1}\u{2}\r\n\r\n".to_owned(), "expected a WebSocket handshake"),
        ("{\"method\": \"describe\"}\n".to_owned(), "expected a WebSocket handshake"),
        ("GET / HTTP/1.1\r\nHost: h\r\n".to_owned(), "Handshake not finished"),
        (String::new(), "Handshake not finished"),
    ] {
        let response = service.response(request.as_bytes());
        assert!(response.starts_with("HTTP/1.1 400 Bad Request\r\n"), "{request:.60}: {response}");
        assert!(response.contains(expected), "{request:.60}: {response}");
    }
    // The service may stop reading before the client has sent all.
    let _ = service.stream().write_all(long.as_bytes());
    service.assert_serves();
}

#[test]
fn pages_connect_only_from_allowed_origins() {
    let service = Service::start("--allow-origin https://games.example");
    let own = format!("http://{}", service.address);
    let local = format!("http://localhost:{}", service.address.port());
    for origin in [None, Some(&*own), Some(&*local), Some("https://games.example")] {
        assert!(service.connect_from(origin).is_ok(), "{origin:?}");
    }
    let other_port = format!("http://localhost:{}", service.address.port() ^ 1);
    for origin in ["null", "http://games.example", "https://games.example.org", &other_port, "https://evil.example", ""]
    {
        let Err(Error::Http(response)) = service.connect_from(Some(origin)) else { panic!("{origin} is accepted") };
        assert_eq!(response.status(), StatusCode::FORBIDDEN, "{origin}");
        let text = String::from_utf8(response.into_body().unwrap()).unwrap();
        assert!(text.contains(&format!("the origin `{origin}` is not allowed")), "{text}");
    }
    // A name that leads to this machine is no proof of its page.
    let rebound = service.response(
        b"GET / HTTP/1.1\r\nHost: evil.example:80\r\nOrigin: http://evil.example:80\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
          Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
    );
    assert!(rebound.starts_with("HTTP/1.1 403 Forbidden\r\n"), "{rebound}");
}

#[test]
fn messages_that_are_no_requests_end_their_connection() {
    let service = Service::start("");
    let too_long =
        (CloseCode::Size, "a request exceeds the limit of 65536 bytes; give actions by their indices".to_owned());
    // A frame that announces 2^62 bytes, one that is too long by a byte, and a message of several frames.
    let announced = [0x81, 0xff, 0x40, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    assert_eq!(closed_after(&service, &announced), too_long);
    let text = vec![b' '; MAX_REQUEST_BYTES + 1];
    assert_eq!(closed_after(&service, &frame(OpCode::Data(Data::Text), true, &text)), too_long);
    let (first, second) = text.split_at(40_000);
    let fragments =
        [frame(OpCode::Data(Data::Text), false, first), frame(OpCode::Data(Data::Continue), true, second)].concat();
    assert_eq!(closed_after(&service, &fragments), too_long);
    let binary = closed_after(&service, &frame(OpCode::Data(Data::Binary), true, b"{}"));
    assert_eq!(binary, (CloseCode::Unsupported, "expected a text message, found a binary one".to_owned()));
    let (code, reason) = closed_after(&service, &frame(OpCode::Data(Data::Text), true, b"{\"method\": \"\xff\"}"));
    assert!(code == CloseCode::Invalid && reason.contains("UTF-8"), "{code} {reason}");
    // Frames without a mask, with reserved bits, and with an unknown opcode.
    for bytes in [[0x81, 0, 0, 0, 0, 0], [0xf1, 0x80, 0, 0, 0, 0], [0x83, 0x80, 0, 0, 0, 0]] {
        assert_eq!(closed_after(&service, &bytes).0, CloseCode::Protocol, "{bytes:x?}");
    }
}

#[test]
fn requests_of_the_maximum_length_are_answered() {
    let service = Service::start("");
    let request = json!({"method": "describe"}).to_string();
    let padding = " ".repeat(MAX_REQUEST_BYTES - request.len());
    assert_eq!(ask(&mut service.connect(), &format!("{padding}{request}"))["teams"], json!(["ann", "ben"]));
}

#[test]
fn lost_connections_concern_no_other() {
    let service = Service::start("");
    let mut playing = service.connect();
    call(&mut playing, &json!({"method": "reset"}));
    // In the handshake, within a frame, with an unread reply, and without a goodbye.
    service.stream().write_all(b"GET / HT").unwrap();
    service.connect().get_mut().write_all(&[0x81, 0xfe, 0x10]).unwrap();
    service.connect().send(Message::text("{\"method\": \"describe\"}")).unwrap();
    drop(service.connect());
    assert_eq!(call(&mut playing, &json!({"method": "step", "action": 0}))["turn"], 1);
    service.assert_serves();
}

#[test]
fn connections_are_limited() {
    let service = Service::start("");
    let mut sockets: Vec<_> = (0..MAX_CONNECTIONS).map(|_| service.connect()).collect();
    let Err(Error::Http(response)) = service.connect_from(None) else { panic!("there are too many connections") };
    assert_eq!(response.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert!(String::from_utf8(response.into_body().unwrap()).unwrap().contains("the limit of 64 connections"));
    let mut last = sockets.pop().unwrap();
    assert_eq!(call(&mut last, &json!({"method": "reset"}))["turn"], 0);
    last.close(None).unwrap();
    while last.read().is_ok() {}
    // The service notices the end of the connection on its own thread.
    let end = std::time::Instant::now() + TIMEOUT;
    while service.connect_from(None).is_err() {
        assert!(std::time::Instant::now() < end, "a closed connection still counts");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn other_machines_are_kept_out_by_default() {
    let folder = Folder::new();
    let service = Service::start("");
    let taken = format!("serve --listen {} {BERRIES}", service.address);
    for (arguments, expected) in [
        (&*format!("serve --listen 0.0.0.0:0 {BERRIES}"), "other machines can reach `0.0.0.0:0`"),
        (&format!("serve --listen [::]:0 {BERRIES}"), "or pass `--allow-remote`"),
        (&format!("serve --listen berries:80 {BERRIES}"), "expected a port, or an IP address and a port"),
        (&format!("serve --listen 70000 {BERRIES}"), "expected a port, or an IP address and a port"),
        (&format!("serve --allow-remote {BERRIES}"), "--listen"),
        (&format!("serve --allow-origin null {BERRIES}"), "--listen"),
        (&taken, "cannot listen at"),
    ] {
        let done = folder.run(arguments);
        assert_eq!(done.code, Some(2), "{arguments}: {}", done.all());
        assert!(done.err.contains(expected), "{arguments}: {}", done.err);
    }
}

//! A server of language models on this machine, for tests of clients. It sends whatever bytes a test prepares, so it can lie about lengths,
//! break off, be silent, and send text that is not UTF-8.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// A request that the server has received.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReceivedRequest {
    /// The method and path, such as `POST /v1/messages`.
    pub target: String,
    /// The lines of the headers as sent.
    pub headers: Vec<String>,
    /// The body.
    pub body: String,
}

impl ReceivedRequest {
    /// Returns the value of a header; the name is in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        let matches = |line: &&String| line.split(':').next().is_some_and(|found| found.eq_ignore_ascii_case(name));
        self.headers.iter().find(matches).and_then(|line| Some(line.split_once(':')?.1.trim()))
    }
}

/// Bytes to send, or a silence between them. The connection is closed after the last one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AnswerStep {
    /// Sends bytes.
    Send(Vec<u8>),
    /// Is silent for a time.
    Pause(Duration),
}

/// Returns an answer with a status, headers and a body.
pub fn answer(status: u16, headers: &[(&str, &str)], body: &str) -> Vec<AnswerStep> {
    let headers: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let head = format!("HTTP/1.1 {status} Status\r\ncontent-length: {}\r\nconnection: close\r\n{headers}", body.len());
    vec![AnswerStep::Send(format!("{head}\r\n{body}").into_bytes())]
}

/// Returns a successful answer that is a stream, sent in pieces of at most `piece` bytes; the end of the connection is its end.
pub fn stream(events: &str, piece: usize) -> Vec<AnswerStep> {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
    let head = AnswerStep::Send(head.as_bytes().to_vec());
    let pieces = events.as_bytes().chunks(piece.max(1)).map(|piece| AnswerStep::Send(piece.to_vec()));
    std::iter::once(head).chain(pieces).collect()
}

/// A server on this machine.
#[derive(Debug)]
pub struct ModelServer {
    origin: String,
    requests: Arc<Mutex<Vec<ReceivedRequest>>>,
    connections: Arc<AtomicUsize>,
}

impl ModelServer {
    /// Starts a server that answers each request, counted from 0, with the steps that `respond` returns.
    ///
    /// # Panics
    /// Panics if no port is free.
    pub fn start(respond: impl Fn(usize, &ReceivedRequest) -> Vec<AnswerStep> + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let origin = format!("http://{}", listener.local_addr().expect("an address"));
        let requests = Arc::new(Mutex::new(Vec::new()));
        let connections = Arc::new(AtomicUsize::new(0));
        let (received, opened) = (requests.clone(), connections.clone());
        let respond = Arc::new(respond);
        thread::spawn(move || {
            for connection in listener.incoming().map_while(Result::ok) {
                opened.fetch_add(1, Ordering::SeqCst);
                let (received, respond) = (received.clone(), respond.clone());
                thread::spawn(move || {
                    let Some(request) = read(&connection) else { return };
                    let number = {
                        let mut received = received.lock().unwrap_or_else(PoisonError::into_inner);
                        received.push(request.clone());
                        received.len() - 1
                    };
                    perform(connection, &respond(number, &request));
                });
            }
        });
        Self { origin, requests, connections }
    }

    /// Starts a server that gives the answers in this order, and the last one again after that.
    ///
    /// # Panics
    /// Panics if no port is free.
    pub fn with_answers(answers: Vec<Vec<AnswerStep>>) -> Self {
        Self::start(move |number, _| answers.get(number).or(answers.last()).cloned().unwrap_or_default())
    }

    /// Returns scheme, host and port.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// Returns the number of connections accepted so far, with or without a request. A connection that a client has opened and closed is
    /// counted: an own connection, which the listener accepts after it, is waited for and left out.
    ///
    /// # Panics
    /// Panics if the server cannot be reached.
    pub fn connections(&self) -> usize {
        let own = TcpStream::connect(self.origin.trim_start_matches("http://")).expect("the server listens");
        // The server closes the connection after it has read that there is no request.
        own.shutdown(Shutdown::Write).expect("the connection is open");
        let _ = (&own).read(&mut [0]);
        self.connections.fetch_sub(1, Ordering::SeqCst) - 1
    }

    /// Returns the requests received so far.
    pub fn requests(&self) -> Vec<ReceivedRequest> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Reads a request; `None` if the client closes the connection before its end.
fn read(connection: &TcpStream) -> Option<ReceivedRequest> {
    let mut reader = BufReader::new(connection);
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        lines.push(line.to_owned());
    }
    let target = lines.first()?.trim_end_matches(" HTTP/1.1").to_owned();
    let mut request = ReceivedRequest { target, headers: lines.split_off(1), body: String::new() };
    let length: usize = request.header("content-length").and_then(|text| text.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    request.body = String::from_utf8(body).ok()?;
    Some(request)
}

fn perform(mut connection: TcpStream, steps: &[AnswerStep]) {
    for step in steps {
        match step {
            AnswerStep::Pause(time) => thread::sleep(*time),
            // The client may have closed the connection.
            AnswerStep::Send(bytes) => drop(connection.write_all(bytes).and_then(|()| connection.flush())),
        }
    }
    drop(connection.shutdown(Shutdown::Both));
}

//! A local HTTP service, for results that an external service decides.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};

/// Starts a service that answers every request with the status and text that `respond` returns for its body. Returns the address of
/// the service.
///
/// # Panics
/// Panics if no port is free.
pub fn serve(respond: impl Fn(&str) -> (u16, String) + Send + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = listener.local_addr().expect("an address");
    std::thread::spawn(move || {
        for mut connection in listener.incoming().map_while(Result::ok) {
            let body = body(&connection);
            let (status, text) = respond(&body);
            let head = format!("HTTP/1.1 {status} x\r\nlocation: /other\r\ncontent-length: {}\r\n", text.len());
            // The client may have closed the connection.
            drop(write!(connection, "{head}connection: close\r\n\r\n{text}"));
        }
    });
    format!("http://{address}/check")
}

/// Returns the address of a service that does not exist.
///
/// # Panics
/// Panics if no port is free.
pub fn unreachable_address() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    format!("http://{}/check", listener.local_addr().expect("an address"))
}

/// Reads the body of a request, which must be a `POST` to the expected path.
fn body(connection: &TcpStream) -> String {
    let mut reader = BufReader::new(connection);
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).expect("a line");
        if line.trim().is_empty() {
            break;
        }
        lines.push(line.trim().to_ascii_lowercase());
    }
    assert!(lines[0].starts_with("post /check http/1.1"), "{lines:?}");
    let length = lines.iter().find_map(|line| line.strip_prefix("content-length: ")).expect("a length");
    let mut body = vec![0; length.parse().expect("a number")];
    reader.read_exact(&mut body).expect("the body");
    String::from_utf8(body).expect("text")
}

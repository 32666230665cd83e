//! Games over WebSockets: every connection plays games of its own, on a thread of its own.

use std::io::{self, Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use goalspec::simulation::service::{GameService, MAX_CONNECTIONS, MAX_REQUEST_BYTES};
use tungstenite::handshake::server::{ErrorResponse, Request, Response};
use tungstenite::http::header::{CONNECTION, CONTENT_LENGTH, CONTENT_TYPE, ORIGIN};
use tungstenite::http::{HeaderValue, StatusCode};
use tungstenite::protocol::frame::coding::CloseCode;
use tungstenite::protocol::{CloseFrame, WebSocketConfig};
use tungstenite::{Error, HandshakeError, Message, WebSocket, accept_hdr_with_config};

use super::too_long;
use crate::args::ServeArgs;
use crate::output::{CommandError, CommandResult, Output};

/// The time that a client has to continue its handshake, and to take a reply.
const CLIENT_TIMEOUT: Duration = Duration::from_secs(10);

/// The time that a client has to read why its connection is closed.
const CLOSING_TIMEOUT: Duration = Duration::from_millis(200);

/// The maximum length of the reason in a close frame in bytes, by RFC 6455.
const REASON_BYTES: usize = 123;

/// Accepts connections until the process is interrupted.
pub(super) fn listen(
    address: SocketAddr,
    args: &ServeArgs,
    service: &GameService,
    output: &mut Output,
) -> CommandResult {
    if !address.ip().is_loopback() && !args.allow_remote {
        return Err(CommandError::Usage(format!(
            "other machines can reach `{address}`: use an address of this machine such as `127.0.0.1`, or pass `--allow-remote`"
        )));
    }
    let failed = |error: io::Error| CommandError::Usage(format!("cannot listen at `{address}`: {error}"));
    let listener = TcpListener::bind(address).map_err(failed)?;
    writeln!(output, "ws://{}", listener.local_addr().map_err(failed)?)?;
    output.flush()?;
    let origins: Arc<[String]> = args.allow_origin.clone().into();
    // Every connection holds a clone, so that their number is known.
    let connections = Arc::new(());
    loop {
        let stream = match listener.accept() {
            Ok((stream, _)) => stream,
            // The client has left before it was accepted.
            Err(error) if matches!(error.kind(), io::ErrorKind::ConnectionAborted | io::ErrorKind::Interrupted) => {
                continue;
            }
            Err(error) => return Err(failed(error)),
        };
        if Arc::strong_count(&connections) > MAX_CONNECTIONS {
            let reason = format!(
                "the limit of {MAX_CONNECTIONS} connections is reached; close connections, or run the command several times"
            );
            reject(&stream, StatusCode::SERVICE_UNAVAILABLE, &reason);
            continue;
        }
        let (service, origins, connection) = (service.restarted(), Arc::clone(&origins), Arc::clone(&connections));
        let play = move || {
            // A connection that is lost concerns its client alone, which notices.
            let _ = play(stream, service, &origins);
            drop(connection);
        };
        thread::Builder::new().name("goalspec-connection".to_owned()).spawn(play).map_err(failed)?;
    }
}

/// Plays games with the client of a connection until it is closed.
fn play(stream: TcpStream, mut service: GameService, origins: &[String]) -> Result<(), Box<Error>> {
    let io_error = |error: io::Error| Box::new(Error::Io(error));
    stream.set_nodelay(true).map_err(io_error)?;
    stream.set_read_timeout(Some(CLIENT_TIMEOUT)).map_err(io_error)?;
    stream.set_write_timeout(Some(CLIENT_TIMEOUT)).map_err(io_error)?;
    let Some(mut socket) = handshake(stream, origins).map_err(io_error)? else { return Ok(()) };
    // A client may think for any time.
    socket.get_ref().set_read_timeout(None).map_err(io_error)?;
    loop {
        let (code, reason) = match socket.read() {
            Ok(Message::Text(request)) => {
                socket.send(Message::text(service.reply(&request).to_string()))?;
                continue;
            }
            Ok(Message::Binary(_)) => {
                (CloseCode::Unsupported, "expected a text message, found a binary one".to_owned())
            }
            // They are answered by the library.
            Ok(Message::Ping(_) | Message::Pong(_) | Message::Close(_) | Message::Frame(_)) => continue,
            Err(Error::Capacity(_)) => (CloseCode::Size, too_long()),
            Err(Error::Utf8(error)) => (CloseCode::Invalid, format!("invalid UTF-8: {error}")),
            Err(Error::Protocol(error)) => (CloseCode::Protocol, error.to_string()),
            Err(error) => return Err(Box::new(error)),
        };
        close(&mut socket, code, &reason)?;
        return Ok(());
    }
}

/// Performs the handshake of a connection; returns `None` if it was rejected, or the client was too slow.
fn handshake(stream: TcpStream, origins: &[String]) -> io::Result<Option<WebSocket<TcpStream>>> {
    let (own, rejected) = (stream.local_addr()?, stream.try_clone()?);
    let config = WebSocketConfig::default()
        .read_buffer_size(MAX_REQUEST_BYTES)
        .max_message_size(Some(MAX_REQUEST_BYTES))
        .max_frame_size(Some(MAX_REQUEST_BYTES));
    #[allow(clippy::result_large_err, reason = "the type is that of the library")]
    let check = |request: &Request, response: Response| match forbidden_origin(request, own, origins) {
        None => Ok(response),
        Some(origin) => Err(forbidden(origin)),
    };
    match accept_hdr_with_config(stream, check, Some(config)) {
        Ok(socket) => Ok(Some(socket)),
        // The library has sent the response, or the client does not read one.
        Err(HandshakeError::Failure(Error::Http(_) | Error::Io(_)) | HandshakeError::Interrupted(_)) => Ok(None),
        Err(HandshakeError::Failure(error)) => {
            reject(&rejected, StatusCode::BAD_REQUEST, &format!("expected a WebSocket handshake: {error}"));
            Ok(None)
        }
    }
}

/// Returns the origin of a request if it is not allowed. Browsers send the origin of the page; other programs send none, or that of the server.
fn forbidden_origin<'r>(request: &'r Request, own: SocketAddr, allowed: &[String]) -> Option<&'r HeaderValue> {
    // The names that the header `Host` gives are not trusted: those of a page may lead to this machine.
    let mut own_origins = vec![format!("http://{own}")];
    if own.ip().is_loopback() {
        own_origins.push(format!("http://localhost:{}", own.port()));
    }
    let is_allowed = |origin: &HeaderValue| own_origins.iter().chain(allowed).any(|known| origin == known.as_str());
    request.headers().get_all(ORIGIN).iter().find(|origin| !is_allowed(origin))
}

/// Returns the response to a request of a page that is not allowed to connect.
fn forbidden(origin: &HeaderValue) -> ErrorResponse {
    let origin = String::from_utf8_lossy(origin.as_bytes());
    let text = format!("the origin `{origin}` is not allowed; pass `--allow-origin` to allow it\n");
    let length = HeaderValue::from(text.len());
    let mut response = ErrorResponse::new(Some(text));
    *response.status_mut() = StatusCode::FORBIDDEN;
    response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    response.headers_mut().insert(CONTENT_LENGTH, length);
    response
}

/// Answers a client whose connection is refused. Failures are those of a connection that ends anyway.
fn reject(mut stream: &TcpStream, status: StatusCode, reason: &str) {
    let length = reason.len() + 1;
    let response = format!(
        "HTTP/1.1 {status}\r\nConnection: close\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {length}\r\n\r\n{reason}\n"
    );
    let _ = stream.set_write_timeout(Some(CLOSING_TIMEOUT));
    if stream.write_all(response.as_bytes()).is_ok() {
        drain(stream);
    }
}

/// Closes a connection after a message that cannot be answered.
fn close(socket: &mut WebSocket<TcpStream>, code: CloseCode, reason: &str) -> Result<(), Box<Error>> {
    let reason = &reason[..reason.floor_char_boundary(REASON_BYTES)];
    socket.close(Some(CloseFrame { code, reason: reason.into() }))?;
    socket.flush()?;
    drain(socket.get_ref());
    Ok(())
}

/// Reads what a client still sends, for a short time: a client may lose the last message if the connection ends with unread input.
fn drain(mut stream: &TcpStream) {
    let _ = stream.shutdown(Shutdown::Write);
    let end = Instant::now() + CLOSING_TIMEOUT;
    let mut buffer = [0; 1 << 12];
    if stream.set_read_timeout(Some(CLOSING_TIMEOUT)).is_ok() {
        while Instant::now() < end && matches!(stream.read(&mut buffer), Ok(1..)) {}
    }
}

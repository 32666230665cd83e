//! The language server: messages of the Language Server Protocol to and from [`goalspec_ide`].
//!
//! One thread reads messages in order, applies edits and answers requests, each of which takes milliseconds on the present
//! [`Snapshot`](goalspec_ide::Snapshot). A second thread computes the slow tier of diagnostics once no edit has arrived for a while; the next
//! edit cancels it. Requests that the client has cancelled, or that an edit behind them has made outdated, are answered without work.
//!
//! The server reads files and writes none: edits are applied by the client. It opens no connection and starts no program.
//!
//! | module | contents |
//! |---|---|
//! | `protocol` | the types of the protocol, and conversions from those of the analysis |
//! | `uri` | addresses of documents and paths of files |
//! | `capabilities` | the capabilities of the client and the server |
//! | `documents` | application of the edits of a client |
//! | `features` | the answers to requests |
//! | `dispatch` | requests by method |
//! | `slow_tier` | the thread of the slow diagnostics and hints |
//! | `commands` | commands, each on a thread of its own |
//! | `server` | the main loop |

mod capabilities;
mod commands;
mod dispatch;
mod documents;
mod features;
mod protocol;
mod server;
mod slow_tier;
mod uri;

use std::fmt;

pub use server::serve;

/// The reason for which the server stopped other than at the request of the client.
#[derive(Debug)]
pub struct ServerError(String);

impl fmt::Display for ServerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the language server stopped: {}", self.0)
    }
}

impl std::error::Error for ServerError {}

/// Runs the server on the standard input and output until the client ends it.
///
/// # Errors
/// If the client violates the protocol, or closes the connection without ending the server.
pub fn run() -> Result<(), ServerError> {
    let (connection, threads) = lsp_server::Connection::stdio();
    let result = serve(&connection);
    // The writing thread ends once its channel is closed.
    drop(connection);
    if result.is_ok() {
        threads.join().map_err(|error| ServerError(error.to_string()))?;
    }
    result
}

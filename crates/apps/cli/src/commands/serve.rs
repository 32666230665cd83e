//! The `goalspec serve` command.

use std::io::{self, BufRead, Read, Write};

use goalspec::simulation::service::{GameService, MAX_REQUEST_BYTES, parse_bins};
use serde_json::{Value, json};

use super::simulate::load;
use crate::args::ServeArgs;
use crate::output::{CommandError, CommandResult, Output};

mod websocket;

pub(crate) fn run(args: &ServeArgs, output: &mut Output) -> CommandResult {
    let bins = parse_bins(&args.bins).map_err(CommandError::invalid_argument)?;
    let Some(game) = load(&args.game, &args.resource, output)? else { return Ok(false) };
    let service = GameService::new(&game.simulator, &bins, args.policy_view.into(), args.max_turns);
    let mut service = service.map_err(CommandError::invalid_argument)?;
    if let Some(address) = args.listen {
        return websocket::listen(address, args, &service, output);
    }
    let mut input = io::stdin().lock();
    let mut line = Vec::new();
    loop {
        line.clear();
        // A line of the maximum length may end with two bytes.
        let read = (&mut input).take(MAX_REQUEST_BYTES as u64 + 2).read_until(b'\n', &mut line);
        read.map_err(|error| input_error(&error))?;
        if line.is_empty() {
            return Ok(true);
        }
        let is_whole = line.ends_with(b"\n") || line.len() <= MAX_REQUEST_BYTES;
        let reply = if is_whole {
            let text = line.trim_ascii();
            if text.is_empty() {
                continue;
            }
            reply(&mut service, text)
        } else {
            skip_line(&mut input).map_err(|error| input_error(&error))?;
            json!({ "error": too_long() })
        };
        writeln!(output, "{reply}")?;
        // The other program waits for the reply.
        Write::flush(output)?;
    }
}

fn reply(service: &mut GameService, request: &[u8]) -> Value {
    match std::str::from_utf8(request) {
        Ok(request) => service.reply(request),
        Err(error) => json!({ "error": format!("invalid UTF-8: {error}") }),
    }
}

/// Returns the message for a request that is too long.
fn too_long() -> String {
    format!("a request exceeds the limit of {MAX_REQUEST_BYTES} bytes; give actions by their indices")
}

fn input_error(error: &io::Error) -> CommandError {
    CommandError::Usage(format!("cannot read the standard input: {error}"))
}

/// Skips the rest of a line.
fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let buffer = input.fill_buf()?;
        if buffer.is_empty() {
            return Ok(());
        }
        let end = buffer.iter().position(|byte| *byte == b'\n');
        let length = end.map_or(buffer.len(), |end| end + 1);
        input.consume(length);
        if end.is_some() {
            return Ok(());
        }
    }
}

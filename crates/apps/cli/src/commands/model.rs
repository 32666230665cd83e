//! Language models for all commands that call one: the client that the options describe, its events, and the exit codes of its errors.

use std::sync::Arc;

use goalspec::language_models;
use goalspec::llm::dry_run::{DryRun, PlannedConversation, plan};
use goalspec::llm::{Client, ClientEvent, ErrorKind, ModelError, Request};

use crate::args::ModelArgs;
use crate::output::CommandError;
use crate::progress::Progress;

/// Opens the client that the options describe. Retries and remarks are printed above the progress bar.
pub(crate) fn open(args: &ModelArgs, command: &str, progress: &Arc<Progress>) -> Result<Client, CommandError> {
    let mut options = args.client_options(command);
    let progress = progress.clone();
    options.observer = Arc::new(move |event| match event {
        ClientEvent::Retry { error, wait } => {
            progress.println(&format!("goalspec: {error}; next try in {:.1} s", wait.as_secs_f64()));
        }
        ClientEvent::Note(text) => progress.println(&format!("goalspec: {text}")),
        ClientEvent::Bytes(bytes) => progress.set_message(|| format!("{bytes} bytes received")),
    });
    options.open(&language_models::stand_ins()).map_err(|error| failure(&error))
}

/// Checks that the server takes the constraint of a request.
pub(crate) fn ensure_constrained(client: &Client, request: &Request) -> Result<(), CommandError> {
    let (wire, _) = client.preview(request).map_err(|error| failure(&error))?;
    if wire.constraint.is_some() || request.constraints.is_empty() {
        return Ok(());
    }
    let message =
        format!("the profile `{}` has no option for this constraint; see `goalspec llm probe`", client.profile().name);
    Err(CommandError::Usage(message))
}

/// Plans the conversations of a command for `--dry-run`.
pub(crate) fn dry_run(client: &Client, conversations: &[PlannedConversation]) -> Result<DryRun, CommandError> {
    plan(client, conversations).map_err(|error| failure(&error))
}

/// Reports an error of a call, and returns the exit code for it.
pub(crate) fn failure(error: &ModelError) -> CommandError {
    if error.kind == ErrorKind::InvalidRequest {
        return CommandError::Usage(error.to_string());
    }
    anstream::eprintln!("goalspec: {error}");
    CommandError::ExitCode(match error.kind {
        ErrorKind::CapReached(_) => 3,
        ErrorKind::NotRecorded | ErrorKind::Off => 5,
        ErrorKind::Storage => 2,
        _ => 4,
    })
}

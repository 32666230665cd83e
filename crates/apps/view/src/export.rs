//! Export of a run as one HTML file that works without a server.
//!
//! The file is ASCII and makes no request: script, style and data are inline, and a policy permits nothing else. It contains no date and no
//! path, so that the same inputs give the same bytes. Without a script it shows the score, the counts, the reasons and the diagnostics.

use std::io::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::assets::{REPORT_SCRIPT, REPORT_STYLE};
use crate::scenes::Scenes;
use crate::session::{Session, SessionError, ViewRun};
use crate::summary::{escaped, summary, text};

/// Maximum size of the states in an export, in bytes of JSON. Beyond it, they are left out, and the page says so.
pub const MAX_EXPORTED_STATE_BYTES: usize = 20 << 20;

/// Maximum size of the reasons for the rewards of all frames in an export, in bytes of JSON. Beyond it, they are left out, and the page says
/// so.
pub const MAX_EXPORTED_REASON_BYTES: usize = 20 << 20;

/// Maximum size of the games of an experiment in an export, in bytes of JSON. The games beyond it have their results, but cannot be looked at
/// turn by turn, and the page says so.
pub const MAX_EXPORTED_GAME_BYTES: usize = 20 << 20;

/// Returns the page of a run of a session.
///
/// # Errors
/// If the states or the recording can no longer be read.
pub fn export(session: &Session, run: &ViewRun) -> Result<String, SessionError> {
    let mut left_out: Vec<String> = Vec::new();
    let states = match &run.scenes {
        Some(source) => exported_states(&source.read()?)?,
        None => None,
    };
    if states.is_none() && run.simulation.is_none() {
        left_out.push(format!(
            "The states of the world are left out: there are none, or they exceed {} MB.",
            MAX_EXPORTED_STATE_BYTES >> 20
        ));
    }
    let reasons = session.all_reasons(run, MAX_EXPORTED_REASON_BYTES)?;
    if reasons.is_none() {
        left_out.push(format!(
            "The reasons for the rewards are left out: they exceed {} MB.",
            MAX_EXPORTED_REASON_BYTES >> 20
        ));
    }
    let games = session.games(run, MAX_EXPORTED_GAME_BYTES)?;
    let played = run.document["simulation"]["records"].as_array().map_or(0, Vec::len);
    if games.len() < played {
        left_out.push(format!(
            "Only the first {} of {played} games have their turns: all of them exceed {} MB.",
            games.len(),
            MAX_EXPORTED_GAME_BYTES >> 20
        ));
    }
    left_out.push("The editor and scoring of changed texts need the command goalspec view.".to_owned());
    let data = json!({
        "document": run.document,
        "states": states,
        "reasons": reasons,
        "games": games,
        "audits": session.audits(run),
        "left_out": left_out,
    });
    Ok(page(&run.document, &data))
}

/// Returns all states, each as its changes; `None` if they take too much space.
fn exported_states(scenes: &Scenes) -> Result<Option<Vec<Value>>, SessionError> {
    let (mut all, mut bytes) = (Vec::new(), 0);
    for at in 0..scenes.len() {
        let Some(state) = scenes.document(at, true)? else { break };
        bytes += state.to_string().len();
        if bytes > MAX_EXPORTED_STATE_BYTES {
            return Ok(None);
        }
        all.push(state);
    }
    Ok(Some(all))
}

fn page(document: &Value, data: &Value) -> String {
    let (script, style) = (REPORT_SCRIPT, REPORT_STYLE);
    let mut compressed = GzEncoder::new(Vec::new(), Compression::new(9));
    // Writing to memory does not fail.
    let _ = compressed.write_all(data.to_string().as_bytes());
    let data = BASE64.encode(compressed.finish().unwrap_or_default());
    let hash = |text: &str| format!("'sha256-{}'", BASE64.encode(Sha256::digest(text)));
    let policy = format!(
        "default-src 'none'; script-src {}; style-src {}; img-src data:; base-uri 'none'; form-action 'none'; \
        require-trusted-types-for 'script'; trusted-types svelte-trusted-html",
        hash(script),
        hash(style)
    );
    let title = escaped(&format!("{} over {}", text(&document["program"]["name"]), text(&document["trace"]["name"])));
    let summary = summary(document);
    let page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
        <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
        <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
        <style>{style}</style>\n</head>\n<body>\n<div id=\"app\"></div>\n<main id=\"summary\">\n{summary}</main>\n\
        <script type=\"application/octet-stream\" id=\"data\">{data}</script>\n<script>{script}</script>\n</body>\n</html>\n"
    );
    debug_assert!(page.is_ascii(), "the built script and style are ASCII");
    page
}

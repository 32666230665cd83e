//! Export of a run as one HTML file that works without a server.
//!
//! The file is ASCII and makes no request: script, style and data are inline, and a policy permits nothing else. It contains no date and no
//! path, so that the same inputs give the same bytes. Without a script it shows the score, the counts, the reasons and the diagnostics.

use std::fmt::Write as _;
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

/// Maximum size of the states in an export, in bytes of JSON. Beyond it, they are left out, and the page says so.
pub const MAX_EXPORTED_STATE_BYTES: usize = 20 << 20;

/// Maximum size of the reasons for the rewards of all frames in an export, in bytes of JSON. Beyond it, they are left out, and the page says
/// so.
pub const MAX_EXPORTED_REASON_BYTES: usize = 20 << 20;

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
    if states.is_none() {
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
    left_out.push("The editor and scoring of changed texts need the command goalspec view.".to_owned());
    let data = json!({"document": run.document, "states": states, "reasons": reasons, "left_out": left_out});
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

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// Returns a text as HTML in ASCII.
fn escaped(text: &str) -> String {
    let mut html = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            '"' => html.push_str("&quot;"),
            '\'' => html.push_str("&#39;"),
            _ if character.is_ascii() => html.push(character),
            _ => {
                let _ = write!(html, "&#{};", u32::from(character));
            }
        }
    }
    html
}

/// Returns the results as HTML for readers without a script, and for printing.
fn summary(document: &Value) -> String {
    let name = text(&document["program"]["name"]);
    let mut html = format!("<h1>{} over {}</h1>\n", escaped(name), escaped(text(&document["trace"]["name"])));
    for outcome in document["outcomes"].as_array().into_iter().flatten() {
        let score = match &outcome["score"] {
            Value::Null => format!("no score: {}", text(&outcome["score_error"])),
            score => format!("score {score}"),
        };
        let _ = writeln!(html, "<p>{}, {} states</p>", escaped(&score), outcome["states"]);
        summarise_preferences(outcome, &mut html);
        for remark in outcome["remarks"].as_array().into_iter().flatten() {
            let _ = writeln!(html, "<p>{}</p>", escaped(text(remark)));
        }
    }
    for reward in document["rewards"].as_array().into_iter().flatten() {
        summarise_reward(reward, &mut html);
    }
    if document["plan"].is_object() {
        summarise_plan(&document["plan"], &mut html);
    }
    for finding in document["diagnostics"].as_array().into_iter().flatten() {
        let message =
            format!("{}: {} ({})", text(&finding["severity"]), text(&finding["message"]), text(&finding["code"]));
        let _ = writeln!(html, "<p>{}</p>", escaped(&message));
    }
    html
}

fn summarise_plan(plan: &Value, html: &mut String) {
    let judged = &plan["validation"];
    let verdict = if judged["valid"] == true { "valid" } else { "invalid" };
    let (applied, steps, metric) = (&judged["applied_steps"], &judged["steps"], shown(&judged["metric"]));
    let _ = writeln!(html, "<p>{verdict}: {applied} of {steps} steps applicable, metric {metric}</p>");
    html.push_str("<ol>\n");
    for step in plan["steps"].as_array().into_iter().flatten() {
        let _ = writeln!(html, "<li>{}</li>", escaped(text(&step["text"])));
    }
    html.push_str("</ol>\n");
}

fn summarise_reward(reward: &Value, html: &mut String) {
    let _ = writeln!(html, "<p>sum of rewards {}, {} frames</p>", escaped(&shown(&reward["total"])), reward["frames"]);
    html.push_str("<table>\n<tr><th>episode</th><th>sum</th><th>frames</th></tr>\n");
    for episode in reward["episodes"].as_array().into_iter().flatten() {
        let (number, frames) = (&episode["episode"], &episode["frames"]);
        let _ = writeln!(html, "<tr><td>{number}</td><td>{}</td><td>{frames}</td></tr>", shown(&episode["total"]));
    }
    html.push_str("</table>\n");
    for failure in reward["failures"].as_array().into_iter().flatten() {
        let message =
            format!("{}: {} ({} frames)", text(&failure["kind"]), text(&failure["message"]), failure["frames"]);
        let _ = writeln!(html, "<p>{}</p>", escaped(&message));
    }
}

/// Returns a number as text; numbers that JSON lacks are texts already.
fn shown(number: &Value) -> String {
    match number {
        Value::Null => "none".to_owned(),
        Value::String(text) => text.clone(),
        number => number.to_string(),
    }
}

fn summarise_preferences(outcome: &Value, html: &mut String) {
    let preferences = outcome["preferences"].as_array().map_or(&[][..], Vec::as_slice);
    if preferences.is_empty() {
        return;
    }
    html.push_str("<table>\n<tr><th>preference</th><th>count</th><th>states</th></tr>\n");
    for preference in preferences {
        let satisfactions = preference["satisfactions"].as_array().map_or(&[][..], Vec::as_slice);
        let mut states: Vec<String> =
            satisfactions.iter().take(SHOWN).map(|found| format!("{}-{}", found["start"], found["end"])).collect();
        if satisfactions.len() > SHOWN {
            states.push(format!("and {} more", satisfactions.len() - SHOWN));
        }
        let failed = preference["best_attempt"]["failed_conditions"].as_array().into_iter().flatten();
        states.extend(failed.map(|failed| format!("failed: {} was {}", text(&failed["condition"]), failed["value"])));
        let _ = writeln!(
            html,
            "<tr><td>{}</td><td>{}</td><td>{}</td></tr>",
            escaped(text(&preference["name"])),
            preference["count"],
            escaped(&states.join(", "))
        );
    }
    html.push_str("</table>\n");
}

/// The number of satisfactions of a preference that the summary lists; the page has all of them.
const SHOWN: usize = 20;

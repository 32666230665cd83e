//! The results of a run as HTML for readers without a script, and for printing.

use std::fmt::Write as _;

use serde_json::Value;

/// Returns the text of a value; the empty one of others.
pub(crate) fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// Returns a text as HTML in ASCII.
pub(crate) fn escaped(text: &str) -> String {
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
pub(crate) fn summary(document: &Value) -> String {
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
    if document["simulation"].is_object() {
        summarise_simulation(&document["simulation"]["report"], &mut html);
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

fn summarise_simulation(report: &Value, html: &mut String) {
    let (games, seed) = (&report["games"], &report["seed"]);
    let _ = writeln!(html, "<p>{games} games, seed {seed}</p>");
    html.push_str("<table>\n<tr><th>number</th><th>mean</th><th>sd</th><th>min</th><th>max</th></tr>\n");
    let mut row = |name: &str, summary: &Value| {
        let cell = |key: &str| shown(&summary[key]);
        let [mean, sd, min, max] = ["mean", "sd", "min", "max"].map(cell);
        let _ = writeln!(
            html,
            "<tr><td>{}</td><td>{mean}</td><td>{sd}</td><td>{min}</td><td>{max}</td></tr>",
            escaped(name)
        );
    };
    row("turns", &report["turns"]);
    for (word, key) in [("reward", "rewards"), ("metric", "metrics")] {
        for (name, summary) in report[key].as_object().into_iter().flatten() {
            row(&format!("{word} {name}"), summary);
        }
    }
    html.push_str("</table>\n");
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

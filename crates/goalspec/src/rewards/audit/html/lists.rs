//! The tables of the page.

use std::fmt::Write;

use goalspec_draw::svg::escaped;

use super::super::statistics::Correlation;
use super::super::tables::{self, Condition, Part, mean, percent};
use super::super::{Audit, HOVER_FRAMES, HOVER_REACH, shown};

/// Writes a table with a heading for each column; the cells are HTML already.
fn table(page: &mut String, headings: &[&str], rows: impl Iterator<Item = Vec<String>>) {
    let cells = |tag: &str, row: &[String]| row.iter().map(|cell| format!("<{tag}>{cell}</{tag}>")).collect::<String>();
    let headings: Vec<String> = headings.iter().map(|heading| escaped(heading)).collect();
    let _ = writeln!(page, "<div class=\"scroll\"><table>\n<tr>{}</tr>", cells("th", &headings));
    for row in rows {
        let _ = writeln!(page, "<tr>{}</tr>", cells("td", &row));
    }
    page.push_str("</table></div>\n");
}

fn code(text: &str) -> String {
    format!("<code>{}</code>", escaped(text))
}

pub(super) fn recordings(page: &mut String, audit: &Audit) {
    page.push_str("<h2>Recordings</h2>\n");
    let headings = ["recording", "episodes", "frames", "frames without reward", "total", "per frame", "score"];
    let rows = audit.recordings.iter().map(|recording| {
        let frames = recording.frames();
        vec![
            escaped(&recording.label),
            recording.episodes.len().to_string(),
            frames.to_string(),
            (frames - recording.rewarded()).to_string(),
            tables::sum(recording.total()),
            tables::range(recording.range),
            recording.score().map_or_else(|| "-".to_owned(), shown),
        ]
    });
    table(page, &headings, rows);
}

/// Writes the reasons why frames have no reward.
pub(super) fn failures(page: &mut String, audit: &Audit) {
    let mut rows = Vec::new();
    for recording in &audit.recordings {
        let row = |what: String, line: Option<u32>, count: u64, first: Option<u64>| {
            let or_none = |number: Option<String>| number.unwrap_or_else(|| "-".to_owned());
            let line = or_none(line.map(|line| line.to_string()));
            let first = or_none(first.map(|first| first.to_string()));
            vec![escaped(&recording.label), what, line, count.to_string(), percent(count, recording.frames()), first]
        };
        for failure in &recording.failures {
            let texts = failure.messages.iter().map(|message| code(&tables::reason(&failure.kind, message)));
            let mut what = texts.collect::<Vec<_>>().join("<br>");
            if failure.others > 0 {
                let _ = write!(what, "<br>other messages: {}", failure.others);
            }
            rows.push(row(what, failure.line, failure.count, Some(failure.first)));
        }
        if recording.other_failures > 0 {
            rows.push(row("other reasons".to_owned(), None, recording.other_failures, None));
        }
    }
    if !rows.is_empty() {
        page.push_str("<h2>Frames without a reward</h2>\n");
        table(page, &["recording", "error", "line", "frames", "share", "first frame"], rows.into_iter());
    }
}

pub(super) fn correlations(page: &mut String, audit: &Audit) {
    if audit.score.is_none() {
        return;
    }
    page.push_str("<h2>Rank correlation of reward and score</h2>\n");
    let headings = [
        "items",
        "unit",
        "count",
        "excluded",
        "concordant pairs",
        "discordant pairs",
        "tied",
        "Kendall",
        "Spearman",
        "Pearson",
    ];
    let row = |Correlation { of, measure, pairs, left_out, agreement, pearson, spearman }| {
        vec![
            escaped(of),
            measure.words().to_owned(),
            pairs.to_string(),
            left_out.to_string(),
            agreement.concordant.to_string(),
            agreement.discordant.to_string(),
            agreement.tied.to_string(),
            tables::correlation(agreement.kendall()),
            tables::correlation(spearman),
            tables::correlation(pearson),
        ]
    };
    let rows = audit.correlations().into_iter().map(row);
    table(page, &headings, rows);
}

pub(super) fn parts(page: &mut String, title: &str, parts: &[Part], frames: u64) {
    if parts.is_empty() {
        return;
    }
    let _ = writeln!(page, "<h2>{title}</h2>");
    let rows = parts.iter().map(|Part { id, name, sum, paid, range }| {
        let name = format!("{} {}", escaped(id), code(name));
        vec![name, shown(*sum), paid.to_string(), percent(*paid, frames), tables::range(*range)]
    });
    table(page, &["term", "sum", "frames", "share", "per frame"], rows);
}

pub(super) fn conditions(page: &mut String, audit: &Audit) {
    let conditions = tables::conditions(audit);
    if conditions.is_empty() {
        return;
    }
    page.push_str("<h2>Conditions</h2>\n");
    let rows = conditions.into_iter().map(|Condition { line, text, held, asked, ranges }| {
        let text = format!("L{line} {}", code(&text));
        vec![text, percent(held, asked), asked.to_string(), escaped(&ranges)]
    });
    table(page, &["condition", "true", "evaluations", "operands"], rows);
}

pub(super) fn stretches(page: &mut String, audit: &Audit) {
    let _ = writeln!(
        page,
        "<h2>Segments of play</h2>\n<p>Mean rewards of frames in which the player does nothing, repeats one action or \
         hovers: stays within {HOVER_REACH} pixels for {HOVER_FRAMES} frames.</p>"
    );
    let rows = audit.recordings.iter().flat_map(|recording| {
        tables::stretches(recording).into_iter().map(|(what, pocket)| {
            vec![
                escaped(&recording.label),
                escaped(&what),
                pocket.inside.frames.to_string(),
                mean(&pocket.inside),
                mean(&pocket.outside),
                pocket.longest.tally.frames.to_string(),
                tables::sum(pocket.longest.tally.total()),
            ]
        })
    });
    let headings = [
        "recording",
        "segment",
        "frames",
        "mean reward",
        "mean of other frames",
        "longest (frames)",
        "reward of longest",
    ];
    table(page, &headings, rows);
}

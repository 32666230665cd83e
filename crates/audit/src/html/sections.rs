//! The tables of the page.

use std::fmt::Write;

use goalspec_draw::svg::escaped;

use crate::statistics::Correlation;
use crate::tables::{self, ConditionRow, ContributionRow, format_mean, format_percent};
use crate::{Audit, HOVER_EXTENT, HOVER_FRAMES, format_number};

/// Writes a table with a heading for each column; the cells are HTML already.
fn write_table(page: &mut String, headings: &[&str], rows: impl Iterator<Item = Vec<String>>) {
    let cells = |tag: &str, row: &[String]| row.iter().map(|cell| format!("<{tag}>{cell}</{tag}>")).collect::<String>();
    let headings: Vec<String> = headings.iter().map(|heading| escaped(heading)).collect();
    let _ = writeln!(page, "<div class=\"scroll\"><table>\n<tr>{}</tr>", cells("th", &headings));
    for row in rows {
        let _ = writeln!(page, "<tr>{}</tr>", cells("td", &row));
    }
    page.push_str("</table></div>\n");
}

fn code_element(text: &str) -> String {
    format!("<code>{}</code>", escaped(text))
}

pub(super) fn write_recordings(page: &mut String, audit: &Audit) {
    page.push_str("<h2>Recordings</h2>\n");
    let headings = ["recording", "episodes", "frames", "frames without reward", "total", "per frame", "score"];
    let rows = audit.recordings.iter().map(|recording| {
        let frames = recording.frames();
        vec![
            escaped(&recording.label),
            recording.episodes.len().to_string(),
            frames.to_string(),
            (frames - recording.rewarded_frames()).to_string(),
            tables::format_sum(recording.total()),
            tables::format_range(recording.reward_range),
            recording.score().map_or_else(|| "-".to_owned(), format_number),
        ]
    });
    write_table(page, &headings, rows);
}

/// Writes the reasons why frames have no reward.
pub(super) fn write_failures(page: &mut String, audit: &Audit) {
    let mut rows = Vec::new();
    for recording in &audit.recordings {
        let row = |reason: String, line: Option<u32>, count: u64, first: Option<u64>| {
            let or_none = |number: Option<String>| number.unwrap_or_else(|| "-".to_owned());
            let line = or_none(line.map(|line| line.to_string()));
            let first = or_none(first.map(|first| first.to_string()));
            vec![
                escaped(&recording.label),
                reason,
                line,
                count.to_string(),
                format_percent(count, recording.frames()),
                first,
            ]
        };
        for failure in &recording.failures {
            let texts =
                failure.messages.iter().map(|message| code_element(&tables::format_failure(&failure.kind, message)));
            let mut reason = texts.collect::<Vec<_>>().join("<br>");
            if failure.unlisted_frames > 0 {
                let _ = write!(reason, "<br>other messages: {}", failure.unlisted_frames);
            }
            rows.push(row(reason, failure.line, failure.frames, Some(failure.first_frame)));
        }
        if recording.other_failures > 0 {
            rows.push(row("other reasons".to_owned(), None, recording.other_failures, None));
        }
    }
    if !rows.is_empty() {
        page.push_str("<h2>Frames without a reward</h2>\n");
        write_table(page, &["recording", "error", "line", "frames", "share", "first frame"], rows.into_iter());
    }
}

pub(super) fn write_correlations(page: &mut String, audit: &Audit) {
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
    let row = |Correlation { unit: of, measure, pairs, excluded: left_out, agreement, pearson, spearman }| {
        vec![
            escaped(of),
            measure.unit_name().to_owned(),
            pairs.to_string(),
            left_out.to_string(),
            agreement.concordant.to_string(),
            agreement.discordant.to_string(),
            agreement.tied.to_string(),
            tables::format_correlation(agreement.kendall()),
            tables::format_correlation(spearman),
            tables::format_correlation(pearson),
        ]
    };
    let rows = audit.correlations().into_iter().map(row);
    write_table(page, &headings, rows);
}

pub(super) fn write_contributions(page: &mut String, title: &str, parts: &[ContributionRow], frames: u64) {
    if parts.is_empty() {
        return;
    }
    let _ = writeln!(page, "<h2>{title}</h2>");
    let rows = parts.iter().map(|ContributionRow { id, name, sum, nonzero_frames: paid, range }| {
        let name = format!("{} {}", escaped(id), code_element(name));
        vec![name, format_number(*sum), paid.to_string(), format_percent(*paid, frames), tables::format_range(*range)]
    });
    write_table(page, &["term", "sum", "frames", "share", "per frame"], rows);
}

pub(super) fn write_conditions(page: &mut String, audit: &Audit) {
    let conditions = tables::condition_rows(audit);
    if conditions.is_empty() {
        return;
    }
    page.push_str("<h2>Conditions</h2>\n");
    let rows = conditions.into_iter().map(|ConditionRow { line, text, held, evaluations, ranges }| {
        let text = format!("L{line} {}", code_element(&text));
        vec![text, format_percent(held, evaluations), evaluations.to_string(), escaped(&ranges)]
    });
    write_table(page, &["condition", "true", "evaluations", "operands"], rows);
}

pub(super) fn write_frame_groups(page: &mut String, audit: &Audit) {
    let _ = writeln!(
        page,
        "<h2>Segments of play</h2>\n<p>Mean rewards of frames in which the player does nothing, repeats one action or \
         hovers: stays within {HOVER_EXTENT} pixels for {HOVER_FRAMES} frames.</p>"
    );
    let rows = audit.recordings.iter().flat_map(|recording| {
        tables::frame_groups(recording).into_iter().map(|(description, group)| {
            vec![
                escaped(&recording.label),
                escaped(&description),
                group.inside.frames.to_string(),
                format_mean(&group.inside),
                format_mean(&group.outside),
                group.longest_run.totals.frames.to_string(),
                tables::format_sum(group.longest_run.totals.total()),
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
    write_table(page, &headings, rows);
}

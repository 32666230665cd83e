//! The source listing, with the execution count and the findings of each line.

use std::collections::BTreeMap;
use std::fmt::Write;

use goalspec_draw::svg::escaped;

use super::message_html;
use crate::text::severity_name;
use crate::{Audit, Finding};

/// Writes the listing of the audit with this index on the page.
pub(super) fn write(page: &mut String, audit: &Audit, place: usize) {
    let calls = audit.statistics.calls;
    let _ = writeln!(
        page,
        "<h2>Program</h2>\n<p>Number of executions of each line in {calls} calls of <code>{}</code>; lines outside of \
         functions are executed once per episode. Lines without a number are not executable.</p>",
        escaped(&audit.function)
    );
    page.push_str(
        "<div class=\"scroll\"><table \
        class=\"listing\">\n<tr><th>line</th><th>executions</th><th></th></tr>\n",
    );
    let (hits, at) = (audit.line_hits(), findings_by_line(audit));
    for (number, text) in (1..).zip(goalspec_syntax::source::lines(audit.source.text())) {
        let hit = hits.get(number - 1).copied().flatten();
        let class = if hit == Some(0) { " class=\"never\"" } else { "" };
        let hit = hit.map_or(String::new(), |hit| hit.to_string());
        let code = escaped(text);
        let _ = writeln!(
            page,
            "<tr{class} id=\"line-{place}-{number}\"><td>{number}</td><td>{hit}</td><td>{code}</td></tr>"
        );
        for (finding, found) in at.get(&number).into_iter().flatten() {
            write_finding(page, place, *finding, found);
        }
    }
    page.push_str("</table></div>\n");
}

/// Returns the findings by the line of their span, each with the number of the finding that contains it.
fn findings_by_line(audit: &Audit) -> BTreeMap<usize, Vec<(usize, &Finding)>> {
    let mut lines: BTreeMap<usize, Vec<(usize, &Finding)>> = BTreeMap::new();
    for (number, finding) in (1..).zip(&audit.findings) {
        for found in std::iter::once(finding).chain(&finding.consequences) {
            if let Some(span) = found.span {
                lines.entry(audit.line_column(span).0).or_default().push((number, found));
            }
        }
    }
    lines
}

fn write_finding(page: &mut String, place: usize, number: usize, finding: &Finding) {
    let (severity, kind) = (severity_name(finding.severity), escaped(finding.kind));
    let message = message_html(&finding.message);
    let _ = writeln!(
        page,
        "<tr class=\"at\"><td></td><td></td><td><div class=\"mark {severity}\"><a href=\"#finding-{place}-{number}\">{number}</a> \
         {severity} <code>{kind}</code>: {message}</div></td></tr>"
    );
}

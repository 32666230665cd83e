//! Extraction of documents in languages without functions: planning problems, activities, games, resource graph games.

use super::{Extraction, Note, code_blocks};
use crate::codes;

/// The form of the documents of a language.
#[derive(Debug, Clone, Copy)]
pub struct DocumentForm {
    /// The name of a document in messages, such as `planning problem`.
    pub name: &'static str,
    /// The accepted info strings of fences in lower case, beside the empty one.
    pub languages: &'static [&'static str],
    /// The beginning of a document, such as `(define`; documents of a language without one begin anywhere.
    pub start: Option<&'static str>,
}

/// The form of documents of the languages with s-expressions.
pub const DEFINE: DocumentForm = DocumentForm {
    name: "definition",
    languages: &["pddl", "bddl", "lisp", "scheme", "clojure", "game", "text", "plaintext"],
    start: Some("(define"),
};

/// The form of resource graph games.
pub const YAML: DocumentForm = DocumentForm { name: "YAML document", languages: &["yaml", "yml", "json"], start: None };

/// Extracts the document of a reply. Of several blocks with a document, the last one is used.
pub fn extract(reply: &str, form: DocumentForm) -> Extraction {
    let mut notes = Vec::new();
    let reply = goalspec_syntax::source::without_byte_order_mark(reply);
    let mut blocks = code_blocks(reply, form.languages, &mut notes);
    blocks.retain(|block| {
        let is_document =
            !block.text.trim().is_empty() && form.start.is_none_or(|start| find_start(&block.text, start).is_some());
        if !is_document {
            let message = format!("the block in line {} is dropped: it contains no {}", block.line, form.name);
            notes.push(Note::new("dropped-block", message));
        }
        is_document
    });
    if blocks.len() > 1 {
        let message = format!("{} blocks contain a {}: the last one is used", blocks.len(), form.name);
        notes.push(Note::new("overridden-definition", message));
    }
    if let Some(last) = blocks.pop() {
        return Extraction { program: Some(last.text), notes, findings: Vec::new() };
    }
    if let Some(text) = unmarked(reply, form) {
        notes.push(Note::new("no-fence", format!("the reply has no fenced block: the {} in it is used", form.name)));
        Extraction { program: Some(text), notes, findings: Vec::new() }
    } else {
        let message = format!("the reply contains no {}", form.name);
        let mut extraction = Extraction::without_program(codes::NO_PROGRAM, message, notes);
        extraction.findings[0].help.push(format!("return the {} in one code block", form.name));
        extraction
    }
}

/// Returns the document of a reply without a fence.
fn unmarked(reply: &str, form: DocumentForm) -> Option<String> {
    let Some(start) = form.start else {
        return (!reply.trim().is_empty()).then(|| reply.to_owned());
    };
    let document = &reply[find_start(reply, start)?..];
    Some(document[..end_of_expression(document)].to_owned())
}

/// Returns the offset of the first line that begins with a document, after blanks.
fn find_start(text: &str, start: &str) -> Option<usize> {
    let lines = std::iter::once(0).chain(text.match_indices('\n').map(|(index, _)| index + 1));
    lines
        .map(|line| line + (text[line..].len() - text[line..].trim_start_matches([' ', '\t']).len()))
        .find(|&line| text.get(line..line + start.len()).is_some_and(|beginning| beginning.eq_ignore_ascii_case(start)))
}

/// Returns the end of the expression that a text begins with; the end of the text if a parenthesis is missing, which the parser reports.
fn end_of_expression(text: &str) -> usize {
    let mut depth = 0_usize;
    let mut is_comment = false;
    for (index, byte) in text.bytes().enumerate() {
        match byte {
            b'\n' => is_comment = false,
            _ if is_comment => {}
            b';' => is_comment = true,
            b'(' => depth += 1,
            b')' if depth <= 1 => return index + 1,
            b')' => depth -= 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reply_shape_gives_the_same_document() {
        let document = "(define (problem p)\n  (:domain d) ; )\n  (:goal (x)))";
        for reply in [
            document.to_owned(),
            format!("Here it is:\n\n{document}\n\nIt has one goal (x)."),
            format!("```pddl\n{document}\n```"),
            format!(
                "First try:\n```\n(define (problem q))\n```\nBetter:\n```lisp\n{document}\n```\n```sh\nplan p.pddl\n```"
            ),
            serde_json::json!({ "program": document }).to_string(),
        ] {
            let extraction = extract(&reply, DEFINE);
            assert_eq!(extraction.program.as_deref().map(str::trim), Some(document), "{reply}");
            assert_eq!(extraction.findings, [], "{reply}");
        }
    }

    #[test]
    fn a_reply_without_a_document_is_a_finding() {
        for reply in ["I cannot do that.", "", "```\nls\n```"] {
            let extraction = extract(reply, DEFINE);
            assert_eq!(extraction.program, None, "{reply}");
            assert_eq!(extraction.findings[0].code, codes::NO_PROGRAM.0, "{reply}");
        }
    }
}

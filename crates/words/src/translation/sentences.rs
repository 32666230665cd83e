//! The sentences of a text.

/// Returns the sentences of a text: parts that end with `.`, `!`, `?` or `;` before a blank, or with a line.
pub fn sentences(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in goalspec_syntax::source::lines(text) {
        let mut start = 0;
        for (index, mark) in line.char_indices().filter(|(_, c)| matches!(c, '.' | '!' | '?' | ';')) {
            let end = index + mark.len_utf8();
            if line[end..].chars().next().is_none_or(char::is_whitespace) {
                push(&mut found, &line[start..end]);
                start = end;
            }
        }
        push(&mut found, &line[start..]);
    }
    found
}

fn push(found: &mut Vec<String>, sentence: &str) {
    let sentence = sentence.split_whitespace().collect::<Vec<_>>().join(" ");
    if sentence.chars().any(char::is_alphanumeric) {
        found.push(sentence);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_ends_with_a_mark_before_a_blank_or_with_the_line() {
        let text = "The cup is on shelf 3.5 now. Is it?  Yes!\n- put it away\n\n...\n";
        assert_eq!(sentences(text), ["The cup is on shelf 3.5 now.", "Is it?", "Yes!", "- put it away"]);
        assert_eq!(sentences(" \n"), Vec::<String>::new());
    }
}

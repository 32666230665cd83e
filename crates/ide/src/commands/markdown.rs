//! Markdown of reports. Names come from programs and traces: they are escaped, so that none becomes a link, an image or a cell.

/// Returns a text without formatting, on one line.
pub(super) fn plain(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for own in text.chars() {
        if own.is_control() {
            escaped.push(' ');
            continue;
        }
        // CommonMark reads a backslash before any of the ASCII punctuation characters as that character.
        if "\\`*_[]<>|!#&~".contains(own) {
            escaped.push('\\');
        }
        escaped.push(own);
    }
    escaped
}

/// Returns a text as code within a line.
pub(super) fn code(text: &str) -> String {
    let fence = "`".repeat(longest_run(text) + 1);
    let text = text.replace(char::is_control, " ");
    // A space is stripped on both sides, so that a text may begin or end with a backtick.
    let space = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{space}{text}{space}{fence}")
}

/// Returns a text as a block of code in a language.
pub(super) fn block(language: &str, text: &str) -> String {
    let fence = "`".repeat(longest_run(text).max(2) + 1);
    format!("{fence}{language}\n{}\n{fence}\n", text.trim_end_matches('\n'))
}

/// Cuts a text to a number of bytes, and ends a block of code that is cut.
pub(super) fn cut(text: &mut String, bytes: usize) {
    if text.len() <= bytes {
        return;
    }
    text.truncate(text.floor_char_boundary(bytes));
    let mut open: Option<usize> = None;
    for line in text.lines() {
        let run = line.len() - line.trim_start_matches('`').len();
        match open {
            None if run >= 3 => open = Some(run),
            Some(fence) if run == fence && line.len() == run => open = None,
            _ => {}
        }
    }
    if let Some(fence) = open {
        text.push('\n');
        text.push_str(&"`".repeat(fence));
    }
    text.push_str("\n\n..");
}

/// Returns the length of the longest sequence of backticks.
fn longest_run(text: &str) -> usize {
    text.split(|own| own != '`').map(str::len).max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{block, code, cut, plain};

    #[test]
    fn names_are_no_markup() {
        assert_eq!(plain("![x](http://a) | <b>\n`c`"), "\\!\\[x\\](http://a) \\| \\<b\\> \\`c\\`");
        assert_eq!(code("a"), "`a`");
        assert_eq!(code("a`b``c"), "```a`b``c```");
        assert_eq!(code("`a"), "`` `a ``");
        assert_eq!(block("text", "a\n```\nb\n"), "````text\na\n```\nb\n````\n");
    }

    #[test]
    fn blocks_that_are_cut_end() {
        let mut text = format!("# a\n\n{}", block("text", &"line\n".repeat(20)));
        cut(&mut text, 40);
        assert!(text.ends_with("\n```\n\n.."), "{text}");
        let mut text = format!("{}\nlong text", block("text", "a"));
        cut(&mut text, 20);
        assert_eq!(text, "```text\na\n```\n\nlong \n\n..");
        let mut short = "a".to_owned();
        cut(&mut short, 1);
        assert_eq!(short, "a");
    }
}

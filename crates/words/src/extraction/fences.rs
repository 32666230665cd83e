//! Fenced blocks of Markdown.

/// A fenced block of a reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FencedBlock {
    /// The language of the info string in lower case; empty if there is none.
    pub language: String,
    /// The lines between the fences, without the indentation of the opening fence.
    pub text: String,
    /// The line of the opening fence, from 1.
    pub line: usize,
    /// Whether there is a closing fence.
    pub is_closed: bool,
}

/// The minimum length of a fence.
const MIN_FENCE: usize = 3;

/// The maximum indentation of a closing fence beyond that of the opening one, as in `CommonMark`.
const MAX_EXTRA_INDENTATION: usize = 3;

struct Fence<'t> {
    mark: char,
    length: usize,
    indentation: usize,
    info: &'t str,
}

/// Returns the fence that a line is; `None` if it is none.
fn fence(line: &str) -> Option<Fence<'_>> {
    let body = line.trim_start_matches([' ', '\t']);
    let mark = body.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
    let rest = body.trim_start_matches(mark);
    let length = body.len() - rest.len();
    // A line such as ```x = 1``` is a span of code inside of a paragraph.
    let is_fence = length >= MIN_FENCE && !(mark == '`' && rest.contains('`'));
    is_fence.then(|| Fence { mark, length, indentation: line.len() - body.len(), info: rest.trim() })
}

/// Returns the language of an info string: its first word, as in `python`, `Python title=x.py`, `{.python}` and `python:reward.py`.
fn language(info: &str) -> String {
    let word = info.trim_start_matches(['{', '.', ' ']);
    let end = word.find(|c: char| c.is_whitespace() || matches!(c, ':' | ',' | '}' | '{')).unwrap_or(word.len());
    word[..end].to_lowercase()
}

/// Removes up to `indentation` blanks and tabs from the start of a line.
fn unindented(line: &str, indentation: usize) -> &str {
    let blanks = line.bytes().take(indentation).take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    &line[blanks..]
}

/// Returns the fenced blocks of a reply in order. A block ends at a line with a fence of the same kind and at least the same length, or
/// else with the reply.
pub fn fenced_blocks(reply: &str) -> Vec<FencedBlock> {
    let mut blocks = Vec::new();
    let mut open: Option<(Fence<'_>, FencedBlock)> = None;
    for (index, line) in goalspec_syntax::source::lines(reply).enumerate() {
        let found = fence(line);
        let Some((opening, block)) = &mut open else {
            open = found.map(|opening| {
                let language = language(opening.info);
                (opening, FencedBlock { language, text: String::new(), line: index + 1, is_closed: false })
            });
            continue;
        };
        let closes = found.is_some_and(|closing| {
            let is_same = closing.mark == opening.mark && closing.length >= opening.length;
            // A deeper one belongs to the block, as in the docstring of a function.
            is_same && closing.info.is_empty() && closing.indentation <= opening.indentation + MAX_EXTRA_INDENTATION
        });
        if closes {
            block.is_closed = true;
            blocks.extend(open.take().map(|(_, block)| block));
        } else {
            block.text.push_str(unindented(line, opening.indentation));
            block.text.push('\n');
        }
    }
    blocks.extend(open.map(|(_, block)| block));
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(reply: &str) -> Vec<(String, String, bool)> {
        fenced_blocks(reply).into_iter().map(|block| (block.language, block.text, block.is_closed)).collect()
    }

    #[test]
    fn blocks_have_any_fence_and_info_string() {
        for (info, language) in [
            ("", ""),
            ("python", "python"),
            (" Python3 title=x", "python3"),
            ("{.py .x}", "py"),
            ("python:a.py", "python"),
        ] {
            for mark in ["```", "~~~~"] {
                let reply = format!("Text\n{mark}{info}\nx = 1\n{mark}\nmore\n");
                assert_eq!(blocks(&reply), [(language.to_owned(), "x = 1\n".to_owned(), true)], "{reply}");
            }
        }
    }

    #[test]
    fn a_block_ends_at_a_fence_of_its_kind_and_length() {
        let reply = "````md\n```python\nx\n```\n~~~\n`````\n```\ny\n";
        let expected =
            [("md".to_owned(), "```python\nx\n```\n~~~\n".to_owned(), true), (String::new(), "y\n".to_owned(), false)];
        assert_eq!(blocks(reply), expected);
    }

    #[test]
    fn indented_blocks_lose_their_indentation() {
        let reply = "1. first\n   ```py\n   def f():\n       return 1\n  x\n   ```\r\n2. second\r\n";
        assert_eq!(blocks(reply), [("py".to_owned(), "def f():\n    return 1\nx\n".to_owned(), true)]);
    }

    #[test]
    fn a_fence_in_a_docstring_does_not_end_the_block() {
        let reply = "```python\ndef f():\n    '''\n    ```\n    f()\n    ```\n    '''\n```\n";
        assert_eq!(blocks(reply).len(), 1, "{:?}", blocks(reply));
    }

    #[test]
    fn code_inside_of_a_line_is_no_block() {
        assert_eq!(blocks("Use ```f()``` or\n```f()```\nhere"), []);
    }
}

//! The keys around a place of a text, from its lines and brackets.

use std::ops::Range;

/// The maximum size of a text in which places are found, in bytes.
pub const MAX_BYTES: usize = 1 << 20;

/// A step from a value into one of its parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum PathStep {
    /// The value of a key.
    Key(String),
    /// An item of a list.
    Item,
}

/// A place of a text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Position {
    /// The steps from the root to the map, list or scalar at the place.
    pub(super) path: Vec<PathStep>,
    /// The range of the word at the place.
    pub(super) word: Range<u32>,
    /// Whether the word is the value of the last key of the path.
    pub(super) is_value: bool,
    /// Whether the word is a field in braces in a quoted text.
    pub(super) in_braces: bool,
    /// The keys before the place in the same map.
    pub(super) siblings: Vec<String>,
}

/// Returns the place at an offset; `None` in comments and in texts of more than [`MAX_BYTES`].
pub(super) fn position(text: &str, offset: u32) -> Option<Position> {
    let offset = text.floor_char_boundary(offset as usize);
    if text.len() > MAX_BYTES {
        return None;
    }
    let start = text[..offset].rfind('\n').map_or(0, |end| end + 1);
    let mut blocks = Blocks::default();
    for line in text[..start].lines() {
        blocks.line(line);
    }
    let before = &text[start..offset];
    let content = blocks.items(before);
    if blocks.is_block_scalar(before) {
        return None;
    }
    blocks.close(content, false);
    let path = blocks.open.iter().map(|block| block.step.clone()).collect();
    let mut line =
        FlowScanner { text: before, token: content, path, siblings: blocks.siblings, ..FlowScanner::default() };
    line.scan(content)?;
    let word = start + line.word_start();
    let is_part = |letter: char| letter.is_alphanumeric() || "_.$".contains(letter);
    let end = text[offset..].find(|letter| !is_part(letter)).map_or(text.len(), |length| offset + length);
    Some(Position {
        in_braces: line.in_braces().is_some(),
        is_value: line.is_value,
        path: line.path,
        siblings: line.siblings,
        word: word as u32..end as u32,
    })
}

/// A key or item of a block, with its column.
#[derive(Debug)]
struct Block {
    column: usize,
    step: PathStep,
    /// The keys before it in the same map.
    siblings: Vec<String>,
}

/// The blocks that are open at the end of a line.
#[derive(Debug, Default)]
struct Blocks {
    open: Vec<Block>,
    /// The keys of the innermost map, once it has been closed to a column.
    siblings: Vec<String>,
    /// The column of the key whose value is a block of text.
    scalar: Option<usize>,
}

impl Blocks {
    fn line(&mut self, line: &str) {
        let trimmed = line.trim();
        if trimmed.is_empty() || trimmed.starts_with('#') || self.is_block_scalar(line) {
            return;
        }
        self.scalar = None;
        let content = self.items(line);
        self.close(content, false);
        let Some(colon) = key_end(&line[content..]) else { return };
        let key = unquoted(&line[content..content + colon]).to_owned();
        if line[content + colon + 1..].trim_start().starts_with(['|', '>']) {
            self.scalar = Some(content);
        }
        let siblings = std::mem::take(&mut self.siblings);
        self.open.push(Block { column: content, step: PathStep::Key(key), siblings });
    }

    /// Whether a line belongs to a block of text.
    fn is_block_scalar(&self, line: &str) -> bool {
        let indentation = line.len() - line.trim_start().len();
        self.scalar.is_some_and(|column| indentation > column)
    }

    /// Opens the items that start on a line, and returns the column of what follows them.
    fn items(&mut self, line: &str) -> usize {
        let mut column = line.len() - line.trim_start().len();
        while line[column..].starts_with("- ") || &line[column..] == "-" {
            self.close(column, true);
            self.open.push(Block { column, step: PathStep::Item, siblings: Vec::new() });
            let rest = &line[column + 1..];
            column += 1 + rest.len() - rest.trim_start().len();
        }
        column
    }

    /// Closes the blocks that a key at a column ends. An item may stand in the column of the key of its list.
    fn close(&mut self, column: usize, is_item: bool) {
        self.siblings.clear();
        let ends = |block: &mut Block| {
            block.column > column || block.column == column && (!is_item || block.step == PathStep::Item)
        };
        while let Some(block) = self.open.pop_if(ends) {
            self.siblings.clear();
            if let PathStep::Key(key) = block.step
                && block.column == column
            {
                self.siblings = block.siblings;
                self.siblings.push(key);
            }
        }
    }
}

/// A scanner of a line with maps in braces and lists in brackets.
#[derive(Debug, Default)]
struct FlowScanner<'t> {
    text: &'t str,
    path: Vec<PathStep>,
    siblings: Vec<String>,
    is_value: bool,
    /// The start of the present word.
    token: usize,
    /// The lengths of the path outside of the open brackets, each with the keys outside.
    open: Vec<(usize, Vec<String>)>,
    /// The quote of the present text, with its offset.
    quote: Option<(char, usize)>,
}

impl FlowScanner<'_> {
    /// Scans the text from an offset to its end; `None` if it ends in a comment.
    fn scan(&mut self, from: usize) -> Option<()> {
        let text = self.text;
        for (at, letter) in text[from..].char_indices().map(|(at, letter)| (from + at, letter)) {
            if let Some((quote, _)) = self.quote {
                if letter == quote {
                    self.quote = None;
                }
                continue;
            }
            let token = self.token;
            let is_start = || text[token..at].trim().is_empty();
            match letter {
                '"' | '\'' if is_start() => self.quote = Some((letter, at)),
                '#' if at == 0 || text[..at].ends_with([' ', '\t']) => return None,
                '{' | '[' if is_start() => self.enter(at, letter == '['),
                ',' if !self.open.is_empty() => self.next(at),
                '}' | ']' if !self.open.is_empty() => self.leave(at),
                ':' if text[at + 1..].is_empty() || text[at + 1..].starts_with([' ', '{', '[']) => self.key(at),
                _ => {}
            }
        }
        Some(())
    }

    fn enter(&mut self, at: usize, is_list: bool) {
        self.open.push((self.path.len(), std::mem::take(&mut self.siblings)));
        if is_list {
            self.path.push(PathStep::Item);
        }
        (self.token, self.is_value) = (at + 1, is_list);
    }

    /// Starts the next entry or item.
    fn next(&mut self, at: usize) {
        let outside = self.open.last().map_or(0, |(length, _)| *length);
        let is_list = self.path.get(outside) == Some(&PathStep::Item);
        if let Some(PathStep::Key(key)) = self.path.get(outside) {
            self.siblings.push(key.clone());
        }
        self.path.truncate(outside + usize::from(is_list));
        (self.token, self.is_value) = (at + 1, is_list);
    }

    fn leave(&mut self, at: usize) {
        if let Some((outside, siblings)) = self.open.pop() {
            self.path.truncate(outside);
            self.siblings = siblings;
        }
        (self.token, self.is_value) = (at + 1, true);
    }

    fn key(&mut self, at: usize) {
        let key = unquoted(&self.text[self.token..at]).to_owned();
        self.path.push(PathStep::Key(key));
        (self.token, self.is_value) = (at + 1, true);
    }

    /// Returns the start of the word at the end of the text.
    fn word_start(&self) -> usize {
        if let Some(brace) = self.in_braces() {
            return brace;
        }
        let token = &self.text[self.token..];
        let blanks = token.len() - token.trim_start().len();
        self.token + blanks + usize::from(self.quote.is_some())
    }

    /// Returns the start of the field in braces that is open at the end of the text.
    fn in_braces(&self) -> Option<usize> {
        let (_, start) = self.quote?;
        let brace = self.text[start..].rfind('{').map(|brace| start + brace + 1)?;
        (!self.text[brace..].contains('}')).then_some(brace)
    }
}

/// Returns the offset of the colon after the key that starts a text; `None` if there is none.
fn key_end(text: &str) -> Option<usize> {
    let mut quote = None;
    for (at, letter) in text.char_indices() {
        match quote {
            Some(open) if letter == open => quote = None,
            None if matches!(letter, '"' | '\'') && at == 0 => quote = Some(letter),
            None if letter == '#' && text[..at].ends_with(' ') => return None,
            None if letter == ':' && (at + 1 == text.len() || text[at + 1..].starts_with([' ', '\t'])) => {
                return Some(at);
            }
            Some(_) | None => {}
        }
    }
    None
}

/// Returns a key without blanks and quotes around it.
fn unquoted(key: &str) -> &str {
    let key = key.trim();
    let inner = |quote: char| key.strip_prefix(quote).and_then(|key| key.strip_suffix(quote));
    inner('"').or_else(|| inner('\'')).unwrap_or(key)
}

#[cfg(test)]
mod tests {
    use super::{PathStep, position};

    /// Returns the path at the marker `$0`, with the word and whether it is a value.
    fn at(text: &str) -> String {
        let offset = text.find("$0").expect("a marker") as u32;
        let position = position(&text.replace("$0", ""), offset).expect("the place is no comment");
        let steps = position.path.iter().map(|step| match step {
            PathStep::Key(key) => key.as_str(),
            PathStep::Item => "-",
        });
        let path = steps.collect::<Vec<_>>().join("/");
        let word = &text.replace("$0", "")[position.word.start as usize..offset as usize];
        let form = if position.in_braces {
            "{"
        } else if position.is_value {
            "="
        } else {
            ""
        };
        format!("{path} {form}{word} [{}]", position.siblings.join(","))
    }

    #[test]
    fn blocks_are_told_by_their_columns() {
        let text = "board:\n  nodes: [a]\n  $0\n";
        assert_eq!(at(text), "board  [nodes]");
        let text = "actions:\n  a:\n    consequences:\n      - odds: 1\n        re$0\n";
        assert_eq!(at(text), "actions/a/consequences/- re [odds]");
        let text = "metrics:\n- a.x\n- $0";
        assert_eq!(at(text), "metrics/-  []");
        let text = "actions:\n  a:\n    cost: {}\nre$0";
        assert_eq!(at(text), " re [actions]");
    }

    #[test]
    fn brackets_are_places_of_their_own() {
        assert_eq!(at("x: { a: 1, $0"), "x  [a]");
        assert_eq!(at("x: { a: { b: $0"), "x/a/b = []");
        assert_eq!(at("x: { a: { b: 1 }, $0 }"), "x  [a]");
        assert_eq!(at("teams: [red, bl$0]"), "teams/- =bl []");
        assert_eq!(at("r: { Calculate: \"{a.x} + {a$0"), "r/Calculate {a []");
        assert_eq!(at("r: { Equal: \"re$0\" }"), "r/Equal =re []");
    }

    #[test]
    fn comments_and_blocks_of_text_have_no_places() {
        assert_eq!(position("a: 1 # b", 8), None);
        assert_eq!(position("a: |\n  b: c", 10), None);
        assert!(position("\u{e4}: \u{1f600}\r\n- \u{e4}", 9).is_some());
    }
}

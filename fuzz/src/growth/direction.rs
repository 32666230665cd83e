//! Texts that grow in one direction: by a repeated or nested part, a larger literal or a longer name.

use std::fmt::Write;
use std::ops::Range;

use goalspec::resource::random::RandomStream;

/// The maximum number of items in a repeated part; an item is a token or a bracketed group.
const MAX_ITEMS: u64 = 5;

/// The maximum number of attempts to draw a direction that applies to the text.
const MAX_DRAWS: usize = 20;

/// A direction in which a text grows. Ranges are indices of tokens or of lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Direction {
    /// The tokens are repeated n times in sequence.
    Repeat { tokens: Range<usize>, names: NameTreatment },
    /// The outer tokens replace the inner ones, which are among them, n times.
    Nest { outer: Range<usize>, inner: Range<usize> },
    /// The lines are repeated n times in sequence.
    RepeatLines { lines: Range<usize>, names: NameTreatment },
    /// The outer lines replace the inner ones, which are among them, n times.
    NestLines { outer: Range<usize>, inner: Range<usize> },
    /// A number is multiplied by n to the fourth power.
    Enlarge { token: usize },
    /// A name is lengthened by n letters at every occurrence.
    Lengthen { token: usize },
}

/// The treatment of names in a repeated part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NameTreatment {
    /// All names are unchanged.
    Same,
    /// This name is suffixed with the number of the copy.
    Numbered(String),
    /// The first occurrence of this name is suffixed with the number of the copy, further ones with the number of the previous copy.
    Chained(String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TokenKind {
    /// An opening bracket, with the index of the closing one.
    Open(usize),
    Close,
    Word,
    Number,
    /// Any other token: an operator or a quote.
    Mark,
}

#[derive(Debug, Clone)]
struct Token {
    kind: TokenKind,
    range: Range<usize>,
}

/// A text with its tokens, without blanks and comments.
#[derive(Debug, Clone)]
pub struct Tokens {
    text: String,
    tokens: Vec<Token>,
    /// The byte range of each line, including its newline; empty if line breaks are not significant.
    lines: Vec<Range<usize>>,
}

impl Tokens {
    /// Splits a text into tokens. With `indented`, line breaks and indentation are significant.
    pub fn new(text: &str, indented: bool) -> Self {
        let mut tokens: Vec<Token> = Vec::new();
        let mut open = Vec::new();
        let comment = if indented { '#' } else { ';' };
        let mut at = 0;
        while let Some(letter) = text[at..].chars().next() {
            let rest = &text[at..];
            let length = match letter {
                _ if letter == comment => {
                    at += rest.find('\n').unwrap_or(rest.len());
                    continue;
                }
                _ if letter.is_whitespace() => {
                    at += letter.len_utf8();
                    continue;
                }
                _ if is_of_word(letter, indented) => rest.find(|c| !is_of_word(c, indented)).unwrap_or(rest.len()),
                _ => letter.len_utf8(),
            };
            let kind = match letter {
                '(' | '[' | '{' => {
                    open.push(tokens.len());
                    TokenKind::Open(usize::MAX)
                }
                ')' | ']' | '}' => {
                    if let Some(start) = open.pop() {
                        tokens[start].kind = TokenKind::Open(tokens.len());
                    }
                    TokenKind::Close
                }
                _ if rest[..length].parse::<f64>().is_ok() && letter.is_ascii_digit() => TokenKind::Number,
                _ if is_of_word(letter, indented) => TokenKind::Word,
                _ => TokenKind::Mark,
            };
            tokens.push(Token { kind, range: at..at + length });
            at += length;
        }
        let mut lines = Vec::new();
        let mut start = 0;
        for line in text.split_inclusive('\n').filter(|_| indented) {
            lines.push(start..start + line.len());
            start += line.len();
        }
        Self { text: text.to_owned(), tokens, lines }
    }

    /// Returns the text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Splits another text in the same way.
    pub fn of_text(&self, text: &str) -> Self {
        Self::new(text, !self.lines.is_empty())
    }

    /// Returns the text grown in a direction `times` times.
    pub fn grown(&self, direction: &Direction, times: u64) -> String {
        match direction {
            Direction::Repeat { tokens, names } => {
                let range = self.span(tokens);
                let before = self.text[..range.start].chars().next_back();
                let gap = if before.is_some_and(char::is_whitespace) { " " } else { "" };
                self.repeated(&range, names, gap, times)
            }
            Direction::RepeatLines { lines, names } => self.repeated(&self.line_span(lines), names, "", times),
            Direction::Nest { outer, inner } => {
                let (outer, inner) = (self.span(outer), self.span(inner));
                let times = times as usize;
                let before = self.text[outer.start..inner.start].repeat(times);
                let after = self.text[inner.end..outer.end].repeat(times);
                [&self.text[..outer.start], &before, &self.text[inner.clone()], &after, &self.text[outer.end..]]
                    .concat()
            }
            Direction::NestLines { outer, inner } => self.nested_lines(outer, inner, times),
            Direction::Enlarge { token } => {
                let range = self.tokens[*token].range.clone();
                let value: f64 = self.text[range.clone()].parse().unwrap_or(1.0);
                let larger = (value.max(1.0) * (times as f64).powi(4)).round() as u64;
                self.replaced(&range, &larger.to_string())
            }
            Direction::Lengthen { token } => {
                let word = &self.text[self.tokens[*token].range.clone()];
                let longer = format!("{word}{}", "x".repeat(times as usize));
                let mut text = String::new();
                let mut end = 0;
                for token in self.tokens.iter().filter(|token| &self.text[token.range.clone()] == word) {
                    text.push_str(&self.text[end..token.range.start]);
                    text.push_str(&longer);
                    end = token.range.end;
                }
                text + &self.text[end..]
            }
        }
    }

    /// Describes a direction.
    pub fn describe(&self, direction: &Direction) -> String {
        let short = |range: Range<usize>| self.text[range].split_whitespace().collect::<Vec<_>>().join(" ");
        match direction {
            Direction::Repeat { tokens, names } => format!("`{}` repeated, names {names:?}", short(self.span(tokens))),
            Direction::RepeatLines { lines, names } => {
                format!("lines `{}` repeated, names {names:?}", short(self.line_span(lines)))
            }
            Direction::Nest { outer, inner } => {
                format!("`{}` nested in itself at `{}`", short(self.span(outer)), short(self.span(inner)))
            }
            Direction::NestLines { outer, inner } => {
                format!(
                    "lines `{}` nested in itself at `{}`",
                    short(self.line_span(outer)),
                    short(self.line_span(inner))
                )
            }
            Direction::Enlarge { token } => format!("`{}` enlarged", short(self.tokens[*token].range.clone())),
            Direction::Lengthen { token } => format!("`{}` lengthened", short(self.tokens[*token].range.clone())),
        }
    }

    /// Returns the byte range of tokens.
    fn span(&self, tokens: &Range<usize>) -> Range<usize> {
        self.tokens[tokens.start].range.start..self.tokens[tokens.end - 1].range.end
    }

    /// Returns the byte range of lines.
    fn line_span(&self, lines: &Range<usize>) -> Range<usize> {
        self.lines[lines.start].start..self.lines[lines.end - 1].end
    }

    fn replaced(&self, range: &Range<usize>, new: &str) -> String {
        [&self.text[..range.start], new, &self.text[range.end..]].concat()
    }

    fn repeated(&self, range: &Range<usize>, names: &NameTreatment, gap: &str, times: u64) -> String {
        let places = self.places(range, names);
        let mut copies = String::new();
        for copy in 0..times {
            if copy > 0 {
                copies.push_str(gap);
            }
            self.copy(range, names, &places, copy, &mut copies);
        }
        self.replaced(range, &copies)
    }

    /// Returns the byte ranges of the name that copies number, within a part.
    fn places(&self, range: &Range<usize>, names: &NameTreatment) -> Vec<Range<usize>> {
        let (NameTreatment::Numbered(name) | NameTreatment::Chained(name)) = names else { return Vec::new() };
        let places = self.tokens.iter().map(|token| token.range.clone());
        let within = places.filter(|place| range.start <= place.start && place.end <= range.end);
        within.filter(|place| self.text[place.clone()] == **name).collect()
    }

    /// Writes a copy of a part, with numbered names.
    fn copy(&self, range: &Range<usize>, names: &NameTreatment, places: &[Range<usize>], copy: u64, to: &mut String) {
        let mut end = range.start;
        for (index, place) in places.iter().enumerate() {
            to.push_str(&self.text[end..place.end]);
            let number =
                if index > 0 && matches!(names, NameTreatment::Chained(_)) { copy.saturating_sub(1) } else { copy };
            if number > 0 {
                write!(to, "{number}").expect("writing to a string does not fail");
            }
            end = place.end;
        }
        to.push_str(&self.text[end..range.end]);
    }

    fn nested_lines(&self, outer: &Range<usize>, inner: &Range<usize>, times: u64) -> String {
        let step = self.indentation(inner.start).saturating_sub(self.indentation(outer.start));
        let mut text = self.text[..self.lines[outer.start].start].to_owned();
        for level in 0..times as usize {
            (outer.start..inner.start).for_each(|line| self.shifted(line, level * step, &mut text));
        }
        inner.clone().for_each(|line| self.shifted(line, (times as usize - 1) * step, &mut text));
        for level in (0..times as usize).rev() {
            (inner.end..outer.end).for_each(|line| self.shifted(line, level * step, &mut text));
        }
        text + &self.text[self.lines[outer.end - 1].end..]
    }

    fn shifted(&self, line: usize, amount: usize, to: &mut String) {
        to.extend(std::iter::repeat_n(' ', amount));
        to.push_str(&self.text[self.lines[line].clone()]);
    }

    fn indentation(&self, line: usize) -> usize {
        let text = &self.text[self.lines[line].clone()];
        text.len() - text.trim_start().len()
    }

    fn is_blank(&self, line: usize) -> bool {
        self.text[self.lines[line].clone()].trim().is_empty()
    }

    /// Returns a line and the following lines with deeper indentation.
    fn block(&self, line: usize) -> Range<usize> {
        let own = self.indentation(line);
        let mut end = line + 1;
        while end < self.lines.len() && (self.is_blank(end) || self.indentation(end) > own) {
            end += 1;
        }
        while self.is_blank(end - 1) && end > line + 1 {
            end -= 1;
        }
        line..end
    }

    /// Returns the range of a token, or of a bracketed group.
    fn item(&self, token: usize) -> Option<Range<usize>> {
        match self.tokens[token].kind {
            TokenKind::Open(usize::MAX) | TokenKind::Close => None,
            TokenKind::Open(close) => Some(token..close + 1),
            TokenKind::Word | TokenKind::Number | TokenKind::Mark => Some(token..token + 1),
        }
    }

    /// Returns the range of several consecutive items.
    fn stretch(&self, stream: &mut RandomStream) -> Option<Range<usize>> {
        let mut range = self.item(stream.below(self.tokens.len() as u64) as usize)?;
        for _ in 0..stream.below(MAX_ITEMS) {
            let Some(next) = (range.end < self.tokens.len()).then(|| self.item(range.end)).flatten() else { break };
            range.end = next.end;
        }
        Some(range)
    }

    /// Draws the treatment of the names in a byte range.
    fn names(&self, range: &Range<usize>, stream: &mut RandomStream) -> NameTreatment {
        let word = |token: &&Token| {
            token.kind == TokenKind::Word && range.start <= token.range.start && token.range.end <= range.end
        };
        let words: Vec<&str> = self.tokens.iter().filter(word).map(|token| &self.text[token.range.clone()]).collect();
        if words.is_empty() || stream.below(3) == 0 {
            return NameTreatment::Same;
        }
        let name = words[stream.below(words.len() as u64) as usize];
        let again = words.iter().filter(|word| **word == name).count() > 1;
        if again && stream.below(2) == 0 {
            NameTreatment::Chained(name.to_owned())
        } else {
            NameTreatment::Numbered(name.to_owned())
        }
    }
}

impl Direction {
    /// Draws a direction for a text; `None` if no attempt applies to the text.
    pub fn draw(tokens: &Tokens, stream: &mut RandomStream) -> Option<Self> {
        (0..MAX_DRAWS).find_map(|_| Self::try_draw(tokens, stream))
    }

    /// Whether the part that grows in this direction precedes that of the other direction; `None` unless both lengthen the text in disjoint
    /// places.
    pub fn is_before(&self, other: &Self) -> Option<bool> {
        let (own, others) = match (self, other) {
            (
                Self::Repeat { tokens: own, .. } | Self::Nest { outer: own, .. },
                Self::Repeat { tokens: others, .. } | Self::Nest { outer: others, .. },
            )
            | (
                Self::RepeatLines { lines: own, .. } | Self::NestLines { outer: own, .. },
                Self::RepeatLines { lines: others, .. } | Self::NestLines { outer: others, .. },
            ) => (own, others),
            _ => return None,
        };
        (own.end <= others.start || others.end <= own.start).then_some(own.end <= others.start)
    }

    /// Whether the length of the text stays about the same.
    pub fn keeps_length(&self) -> bool {
        matches!(self, Self::Enlarge { .. })
    }

    fn try_draw(source: &Tokens, stream: &mut RandomStream) -> Option<Self> {
        let lines = if source.lines.is_empty() { 0 } else { 6 };
        let choice = stream.below(14 + lines);
        match choice {
            0..6 => {
                let tokens = source.stretch(stream)?;
                let names = source.names(&source.span(&tokens), stream);
                Some(Self::Repeat { tokens, names })
            }
            6..12 => {
                let outer = source.stretch(stream)?;
                let inner = outer.start + stream.below(outer.len() as u64) as usize;
                let inner = source.item(inner)?;
                (inner.len() < outer.len() && inner.end <= outer.end).then_some(Self::Nest { outer, inner })
            }
            12 | 13 => {
                let token = stream.below(source.tokens.len() as u64) as usize;
                match source.tokens[token].kind {
                    TokenKind::Number => Some(Self::Enlarge { token }),
                    TokenKind::Word => Some(Self::Lengthen { token }),
                    _ => None,
                }
            }
            14..18 => {
                let line = stream.below(source.lines.len() as u64) as usize;
                let block = Some(line).filter(|line| !source.is_blank(*line)).map(|line| source.block(line))?;
                let names = source.names(&source.line_span(&block), stream);
                Some(Self::RepeatLines { lines: block, names })
            }
            _ => {
                let line = stream.below(source.lines.len() as u64) as usize;
                let outer = Some(line).filter(|line| !source.is_blank(*line)).map(|line| source.block(line))?;
                let inner = outer.start + stream.below(outer.len() as u64) as usize;
                let inner = Some(inner).filter(|line| *line > outer.start && !source.is_blank(*line))?;
                Some(Self::NestLines { inner: source.block(inner), outer })
            }
        }
    }
}

fn is_of_word(letter: char, indented: bool) -> bool {
    letter.is_alphanumeric() || letter == '_' || (!indented && matches!(letter, '?' | '-' | '.' | ':' | '@'))
}

//! The syntax of regular expressions of Python, and its translation to a program.

use super::program::{CharacterSet, Instruction, Position, Regex, SetItem};
use crate::machine::text::is_space;

/// The flag `re.IGNORECASE`.
pub(super) const IGNORE_CASE: i64 = 2;
/// The flag `re.MULTILINE`.
pub(super) const MULTILINE: i64 = 8;
/// The flag `re.DOTALL`.
pub(super) const DOT_ALL: i64 = 16;
/// The flag `re.UNICODE`.
pub(super) const UNICODE: i64 = 32;
/// The flag `re.VERBOSE`.
pub(super) const VERBOSE: i64 = 64;
/// The flag `re.ASCII`.
pub(super) const ASCII: i64 = 256;

/// The maximum number of instructions of a program.
const MAX_INSTRUCTIONS: usize = 4_000;
/// The maximum nesting depth of groups.
const MAX_DEPTH: usize = 50;

/// The reason why a pattern is not compiled.
#[derive(Debug)]
pub(super) enum PatternError {
    /// The pattern is wrong, at a character of it.
    Syntax(String, usize),
    /// The pattern has a construct that is not supported.
    Unsupported(&'static str),
}

/// A part of a pattern.
#[derive(Debug, Clone)]
enum Node {
    Empty,
    Character(char),
    Any,
    Set(CharacterSet),
    Position(Position),
    Group(Option<usize>, Box<Node>),
    Sequence(Vec<Node>),
    Alternatives(Vec<Node>),
    Repeat { node: Box<Node>, min: usize, max: Option<usize>, is_greedy: bool },
}

struct Parser {
    pattern: Vec<char>,
    at: usize,
    flags: i64,
    depth: usize,
    group_count: usize,
    names: Vec<(String, usize)>,
}

/// Compiles a pattern.
pub(super) fn compile(pattern: &str, flags: i64) -> Result<Regex, PatternError> {
    let mut parser =
        Parser { pattern: pattern.chars().collect(), at: 0, flags, depth: 0, group_count: 0, names: Vec::new() };
    let node = parser.alternatives()?;
    if parser.peek().is_some() {
        return parser.fail("unbalanced parenthesis", parser.at);
    }
    let mut program = vec![Instruction::Save(0)];
    emit(&node, &mut program)?;
    program.extend([Instruction::Save(1), Instruction::Match]);
    let flags = if parser.flags & ASCII == 0 { parser.flags | UNICODE } else { parser.flags };
    Ok(Regex { program, flags, group_count: parser.group_count, names: parser.names })
}

impl Parser {
    fn peek(&self) -> Option<char> {
        self.pattern.get(self.at).copied()
    }

    fn take(&mut self) -> Option<char> {
        let next = self.peek();
        self.at += usize::from(next.is_some());
        next
    }

    fn takes(&mut self, expected: char) -> bool {
        let is_there = self.peek() == Some(expected);
        self.at += usize::from(is_there);
        is_there
    }

    #[allow(clippy::unused_self, reason = "the result has any type")]
    fn fail<T>(&self, message: &str, at: usize) -> Result<T, PatternError> {
        Err(PatternError::Syntax(message.to_owned(), at))
    }

    fn alternatives(&mut self) -> Result<Node, PatternError> {
        let mut branches = vec![self.sequence()?];
        while self.takes('|') {
            branches.push(self.sequence()?);
        }
        Ok(match branches.pop() {
            Some(only) if branches.is_empty() => only,
            last => Node::Alternatives(branches.into_iter().chain(last).collect()),
        })
    }

    fn sequence(&mut self) -> Result<Node, PatternError> {
        let mut nodes = Vec::new();
        while let Some(next) = self.peek() {
            if next == '|' || next == ')' {
                break;
            }
            if self.flags & VERBOSE != 0 && (is_space(next) || next == '#') {
                self.at += 1;
                while next == '#' && self.peek().is_some_and(|character| character != '\n') {
                    self.at += 1;
                }
                continue;
            }
            let start = self.at;
            let node = self.atom()?;
            nodes.push(self.repeated(node, start)?);
        }
        Ok(match nodes.len() {
            0 => Node::Empty,
            1 => nodes.remove(0),
            _ => Node::Sequence(nodes),
        })
    }

    /// Reads the repetition behind an atom that begins at `start`.
    fn repeated(&mut self, node: Node, start: usize) -> Result<Node, PatternError> {
        let at = self.at;
        let (min, max) = match self.peek() {
            Some('*') => (0, None),
            Some('+') => (1, None),
            Some('?') => (0, Some(1)),
            Some('{') => match self.bounds()? {
                Some(bounds) => bounds,
                None => return Ok(node),
            },
            _ => return Ok(node),
        };
        if self.at == at {
            self.at += 1;
        }
        if matches!(node, Node::Empty | Node::Position(_)) {
            return self.fail("nothing to repeat", start);
        }
        let is_greedy = !self.takes('?');
        if is_greedy && self.peek() == Some('+') {
            return Err(PatternError::Unsupported("possessive repetitions such as `a++`"));
        }
        let behind = self.at;
        if matches!(self.peek(), Some('*' | '+' | '?')) || self.peek() == Some('{') && self.bounds()?.is_some() {
            return self.fail("multiple repeat", behind);
        }
        Ok(Node::Repeat { node: Box::new(node), min, max, is_greedy })
    }

    /// Reads bounds such as `{2,5}`; without effect if the brace is a character of its own.
    fn bounds(&mut self) -> Result<Option<(usize, Option<usize>)>, PatternError> {
        let start = self.at;
        self.at += 1;
        if self.peek() == Some('}') {
            self.at = start;
            return Ok(None);
        }
        let low = self.number();
        let high = if self.takes(',') { self.number() } else { low };
        if !self.takes('}') {
            self.at = start;
            return Ok(None);
        }
        match (low, high) {
            (Some(low), Some(high)) if high < low => self.fail("min repeat greater than max repeat", start + 1),
            (low, high) => Ok(Some((low.unwrap_or(0), high))),
        }
    }

    fn number(&mut self) -> Option<usize> {
        let start = self.at;
        while self.peek().is_some_and(|digit| digit.is_ascii_digit()) {
            self.at += 1;
        }
        let digits: String = self.pattern[start..self.at].iter().collect();
        if digits.is_empty() { None } else { Some(digits.parse().unwrap_or(usize::MAX)) }
    }

    fn atom(&mut self) -> Result<Node, PatternError> {
        let start = self.at;
        match self.take() {
            Some('.') => Ok(if self.flags & DOT_ALL == 0 { Node::Set(CharacterSet::not_newline()) } else { Node::Any }),
            Some('^') if self.flags & MULTILINE != 0 => Ok(Node::Position(Position::LineStart)),
            Some('^') => Ok(Node::Position(Position::Start)),
            Some('$') if self.flags & MULTILINE != 0 => Ok(Node::Position(Position::LineEnd)),
            Some('$') => Ok(Node::Position(Position::EndOrLastNewline)),
            Some('(') => self.group(start),
            Some('[') => self.set(start).map(Node::Set),
            Some('\\') => self.escape(start),
            Some('*' | '+' | '?') => self.fail("nothing to repeat", start),
            Some('{') => {
                self.at = start;
                if self.bounds()?.is_some() {
                    return self.fail("nothing to repeat", start);
                }
                self.at = start + 1;
                Ok(self.character('{'))
            }
            Some(character) => Ok(self.character(character)),
            None => Ok(Node::Empty),
        }
    }

    /// Returns the node of a character, or of its forms if case is ignored.
    fn character(&self, character: char) -> Node {
        if self.flags & IGNORE_CASE != 0 && character.is_alphabetic() {
            return Node::Set(self.finished(vec![SetItem::Range(character, character)], false));
        }
        Node::Character(character)
    }

    fn finished(&self, items: Vec<SetItem>, is_negated: bool) -> CharacterSet {
        CharacterSet::new(items, is_negated, self.flags & IGNORE_CASE != 0, self.flags & ASCII != 0)
    }

    fn group(&mut self, start: usize) -> Result<Node, PatternError> {
        let mut index = None;
        let flags = self.flags;
        if self.takes('?') {
            match self.take() {
                Some(':') => {}
                Some('P') => match self.take() {
                    Some('<') => index = Some(self.named_group()?),
                    Some('=') => return Err(PatternError::Unsupported("backreferences such as `(?P=name)`")),
                    _ => return self.fail("unknown extension ?P", start + 1),
                },
                Some('#') => {
                    while self.peek().is_some_and(|character| character != ')') {
                        self.at += 1;
                    }
                    if !self.takes(')') {
                        return self.fail("missing ), unterminated comment", start);
                    }
                    return Ok(Node::Empty);
                }
                Some('=' | '!' | '<') => return Err(PatternError::Unsupported("lookahead and lookbehind")),
                Some('(') => return Err(PatternError::Unsupported("conditional groups")),
                Some('>') => return Err(PatternError::Unsupported("atomic groups")),
                Some(_) => {
                    self.at -= 1;
                    if self.inline_flags(start)? {
                        return Ok(Node::Empty);
                    }
                }
                None => return self.fail("unexpected end of pattern", self.at),
            }
        } else {
            self.group_count += 1;
            index = Some(self.group_count);
        }
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(PatternError::Unsupported("groups that are nested that deeply"));
        }
        let node = self.alternatives()?;
        self.depth -= 1;
        self.flags = flags;
        if !self.takes(')') {
            return self.fail("missing ), unterminated subpattern", start);
        }
        Ok(Node::Group(index, Box::new(node)))
    }

    /// Reads flags such as `(?i)` and `(?i:`; returns whether they are those of the whole pattern.
    fn inline_flags(&mut self, start: usize) -> Result<bool, PatternError> {
        let mut added = 0;
        loop {
            added |= match self.take() {
                Some('i') => IGNORE_CASE,
                Some('m') => MULTILINE,
                Some('s') => DOT_ALL,
                Some('x') => VERBOSE,
                Some('a') => ASCII,
                Some('u') => UNICODE,
                Some(':') => {
                    self.flags |= added;
                    return Ok(false);
                }
                Some(')') if start == 0 => {
                    self.flags |= added;
                    return Ok(true);
                }
                Some(')') => return self.fail("global flags not at the start of the expression", start),
                Some(other) => return self.fail(&format!("unknown extension ?{other}"), start + 1),
                None => return self.fail("missing -, : or )", self.at),
            };
        }
    }

    fn named_group(&mut self) -> Result<usize, PatternError> {
        let start = self.at;
        while self.peek().is_some_and(|character| character != '>') {
            self.at += 1;
        }
        let name: String = self.pattern[start..self.at].iter().collect();
        if !self.takes('>') {
            return self.fail("missing >, unterminated name", start);
        }
        if name.is_empty() {
            return self.fail("missing group name", start);
        }
        let is_name =
            |(place, part): (usize, char)| part == '_' || part.is_alphabetic() || place > 0 && part.is_alphanumeric();
        if !name.chars().enumerate().all(is_name) {
            return self.fail(&format!("bad character in group name '{name}'"), start);
        }
        self.group_count += 1;
        if let Some(&(_, group)) = self.names.iter().find(|(other, _)| *other == name) {
            let message =
                format!("redefinition of group name '{name}' as group {}; was group {group}", self.group_count);
            return self.fail(&message, start);
        }
        self.names.push((name, self.group_count));
        Ok(self.group_count)
    }

    /// Reads an escape outside of sets.
    fn escape(&mut self, start: usize) -> Result<Node, PatternError> {
        let Some(next) = self.peek() else { return self.fail("bad escape (end of pattern)", start) };
        let position = match next {
            'A' => Some(Position::Start),
            'Z' => Some(Position::End),
            'b' => Some(Position::WordBoundary(self.flags & ASCII != 0)),
            'B' => Some(Position::NotWordBoundary(self.flags & ASCII != 0)),
            _ => None,
        };
        if let Some(position) = position {
            self.at += 1;
            return Ok(Node::Position(position));
        }
        if matches!(next, '1'..='9') {
            return Err(PatternError::Unsupported("backreferences such as `\\1`"));
        }
        match self.escaped_item(start)? {
            SetItem::Range(character, _) => Ok(self.character(character)),
            item => Ok(Node::Set(self.finished(vec![item], false))),
        }
    }

    /// Reads the escape of a character or of a class of characters.
    fn escaped_item(&mut self, start: usize) -> Result<SetItem, PatternError> {
        let Some(next) = self.take() else { return self.fail("bad escape (end of pattern)", start) };
        let one = |character: char| Ok(SetItem::Range(character, character));
        match next {
            'd' => Ok(SetItem::Digit(true)),
            'D' => Ok(SetItem::Digit(false)),
            'w' => Ok(SetItem::Word(true)),
            'W' => Ok(SetItem::Word(false)),
            's' => Ok(SetItem::Space(true)),
            'S' => Ok(SetItem::Space(false)),
            'n' => one('\n'),
            't' => one('\t'),
            'r' => one('\r'),
            'f' => one('\u{c}'),
            'v' => one('\u{b}'),
            'a' => one('\u{7}'),
            'b' => one('\u{8}'),
            '0' => one('\0'),
            'x' | 'u' | 'U' => {
                let length = match next {
                    'x' => 2,
                    'u' => 4,
                    _ => 8,
                };
                let digits: String = self.pattern[self.at..].iter().take(length).collect();
                let code = u32::from_str_radix(&digits, 16).ok().filter(|_| digits.len() == length);
                self.at += digits.chars().count();
                match code.and_then(char::from_u32) {
                    Some(character) => one(character),
                    None => self.fail(&format!("incomplete escape \\{next}{digits}"), start),
                }
            }
            _ if next.is_ascii_alphabetic() => self.fail(&format!("bad escape \\{next}"), start),
            _ => one(next),
        }
    }

    fn set(&mut self, start: usize) -> Result<CharacterSet, PatternError> {
        let is_negated = self.takes('^');
        let mut items = Vec::new();
        let first = self.at;
        loop {
            let at = self.at;
            let Some(next) = self.take() else { return self.fail("unterminated character set", start) };
            if next == ']' && at > first {
                break;
            }
            let low = if next == '\\' { self.escaped_item(at)? } else { SetItem::Range(next, next) };
            if self.peek() != Some('-') || self.pattern.get(self.at + 1) == Some(&']') {
                items.push(low);
                continue;
            }
            self.at += 1;
            let behind = self.at;
            let Some(next) = self.take() else { return self.fail("unterminated character set", start) };
            let high = if next == '\\' { self.escaped_item(behind)? } else { SetItem::Range(next, next) };
            let text: String = self.pattern[at..self.at].iter().collect();
            match (low, high) {
                (SetItem::Range(low, _), SetItem::Range(high, _)) if low <= high => {
                    items.push(SetItem::Range(low, high));
                }
                _ => return self.fail(&format!("bad character range {text}"), at),
            }
        }
        Ok(self.finished(items, is_negated))
    }
}

/// Appends the instructions of a part of a pattern to a program.
fn emit(node: &Node, program: &mut Vec<Instruction>) -> Result<(), PatternError> {
    if program.len() > MAX_INSTRUCTIONS {
        return Err(PatternError::Unsupported("patterns that are that long"));
    }
    match node {
        Node::Empty => {}
        Node::Character(character) => program.push(Instruction::Character(*character)),
        Node::Any => program.push(Instruction::Any),
        Node::Set(set) => program.push(Instruction::Set(Box::new(set.clone()))),
        Node::Position(position) => program.push(Instruction::Position(*position)),
        Node::Group(Some(index), node) => {
            program.push(Instruction::Save(2 * index));
            emit(node, program)?;
            program.push(Instruction::Save(2 * index + 1));
        }
        Node::Group(None, node) => emit(node, program)?,
        Node::Sequence(nodes) => {
            for node in nodes {
                emit(node, program)?;
            }
        }
        Node::Alternatives(branches) => {
            let mut ends = Vec::new();
            for (number, branch) in branches.iter().enumerate() {
                let split = program.len();
                let is_last = number + 1 == branches.len();
                if !is_last {
                    program.push(Instruction::Split(0, 0));
                }
                emit(branch, program)?;
                if !is_last {
                    ends.push(program.len());
                    program.push(Instruction::Jump(0));
                    program[split] = Instruction::Split(split + 1, program.len());
                }
            }
            let end = program.len();
            for jump in ends {
                program[jump] = Instruction::Jump(end);
            }
        }
        Node::Repeat { node, min, max, is_greedy } => emit_repeat(node, *min, *max, *is_greedy, program)?,
    }
    Ok(())
}

fn emit_repeat(
    node: &Node,
    min: usize,
    max: Option<usize>,
    is_greedy: bool,
    program: &mut Vec<Instruction>,
) -> Result<(), PatternError> {
    let split = |inside: usize, outside: usize| {
        if is_greedy { Instruction::Split(inside, outside) } else { Instruction::Split(outside, inside) }
    };
    if min.max(max.unwrap_or(0)) > MAX_INSTRUCTIONS {
        return Err(PatternError::Unsupported("repetitions that are that long"));
    }
    let start = program.len();
    for number in 0..min {
        emit(node, program)?;
        if number == 0 && program.len() == start {
            break;
        }
    }
    let Some(max) = max else {
        let start = program.len();
        program.push(Instruction::Jump(0));
        emit(node, program)?;
        program.push(Instruction::Jump(start));
        program[start] = split(start + 1, program.len());
        return Ok(());
    };
    let mut splits = Vec::new();
    for _ in min..max {
        splits.push(program.len());
        program.push(Instruction::Jump(0));
        emit(node, program)?;
        if program.len() == start + 1 {
            break;
        }
    }
    let end = program.len();
    for place in splits {
        program[place] = split(place + 1, end);
    }
    Ok(())
}

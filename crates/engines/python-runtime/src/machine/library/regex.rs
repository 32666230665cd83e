//! Functions and classes of `re`. Matching takes time linear in the text: backreferences and lookaround are not supported.

mod matches;
mod program;
mod search;
mod substitution;
mod syntax;

use std::sync::Arc;

use crate::machine::Machine;
use crate::machine::exceptions::{ExceptionKind, ExecError, ExecResult};
use crate::machine::library_function::LibraryFunction as Function;
use crate::machine::methods::{Method, MethodRow as Row, bound_receiver, row_of};
use crate::machine::parameters::{BoundArguments, NamedParameters, Origin};
use crate::machine::value::{HeapRef, Type, Value};

use super::{ItertoolsState, LibraryObject};
pub(super) use matches::MATCH_METHODS;
pub(crate) use matches::MatchObject;
pub(crate) use program::Regex;
use search::{Search, Slots};
use syntax::PatternError;

/// The constants and classes of `re`.
pub(super) static VALUES: [(&str, Value); 15] = [
    ("A", Value::Int(syntax::ASCII)),
    ("ASCII", Value::Int(syntax::ASCII)),
    ("DOTALL", Value::Int(syntax::DOT_ALL)),
    ("I", Value::Int(syntax::IGNORE_CASE)),
    ("IGNORECASE", Value::Int(syntax::IGNORE_CASE)),
    ("M", Value::Int(syntax::MULTILINE)),
    ("MULTILINE", Value::Int(syntax::MULTILINE)),
    ("Match", Value::Type(Type::Library(&super::object::MATCH))),
    ("Pattern", Value::Type(Type::Library(&super::object::PATTERN))),
    ("S", Value::Int(syntax::DOT_ALL)),
    ("U", Value::Int(syntax::UNICODE)),
    ("UNICODE", Value::Int(syntax::UNICODE)),
    ("VERBOSE", Value::Int(syntax::VERBOSE)),
    ("X", Value::Int(syntax::VERBOSE)),
    ("error", Value::Type(Type::Exception(ExceptionKind::RegexError))),
];

/// The functions of `re`, in the order of their names.
pub(in crate::machine) static FUNCTIONS: [Function; 11] = [
    Function::named("re.compile", python(&["pattern", "flags"], 1), |m, b| m.pattern_argument(b.required(0), b.get(1))),
    Function::named("re.escape", python(&["pattern"], 1), Machine::escape_pattern),
    Function::named("re.findall", python(&["pattern", "string", "flags"], 2), |m, b| {
        m.call_pattern(const { pattern_method("findall") }, b, 2)
    }),
    Function::named("re.finditer", python(&["pattern", "string", "flags"], 2), |m, b| {
        m.call_pattern(const { pattern_method("finditer") }, b, 2)
    }),
    Function::named("re.fullmatch", python(&["pattern", "string", "flags"], 2), |m, b| {
        m.call_pattern(const { pattern_method("fullmatch") }, b, 2)
    }),
    Function::named("re.match", python(&["pattern", "string", "flags"], 2), |m, b| {
        m.call_pattern(const { pattern_method("match") }, b, 2)
    }),
    Function::named("re.purge", python(&[], 0), |_, _| Ok(Value::None)),
    Function::named("re.search", python(&["pattern", "string", "flags"], 2), |m, b| {
        m.call_pattern(const { pattern_method("search") }, b, 2)
    }),
    Function::named("re.split", python(&["pattern", "string", "maxsplit", "flags"], 2), |m, b| {
        m.call_pattern(const { pattern_method("split") }, b, 3)
    }),
    Function::named("re.sub", python(&["pattern", "repl", "string", "count", "flags"], 3), |m, b| {
        m.call_pattern(const { pattern_method("sub") }, b, 4)
    }),
    Function::named("re.subn", python(&["pattern", "repl", "string", "count", "flags"], 3), |m, b| {
        m.call_pattern(const { pattern_method("subn") }, b, 4)
    }),
];

/// Returns the method of patterns with a name.
const fn pattern_method(name: &str) -> Method {
    row_of(&PATTERN_METHODS, name)
}

/// The parameters of a method of patterns that searches in a part of a text.
const SEARCH: NamedParameters<'static> = NamedParameters::new(Origin::C, &["string", "pos", "endpos"]).with_required(1);

const SUBSTITUTION: NamedParameters<'static> =
    NamedParameters::new(Origin::C, &["repl", "string", "count"]).with_required(2);

/// The methods of patterns.
pub(super) static PATTERN_METHODS: [Row; 8] = [
    Row::named("Pattern.findall", SEARCH, |m, receiver, b| m.find_all(bound_receiver(receiver), b)),
    Row::named("Pattern.finditer", SEARCH, |m, receiver, b| m.iterate_matches(bound_receiver(receiver), b)),
    Row::named("Pattern.fullmatch", SEARCH, |m, receiver, b| m.match_pattern(bound_receiver(receiver), b, [true; 2])),
    Row::named("Pattern.match", SEARCH, |m, receiver, b| m.match_pattern(bound_receiver(receiver), b, [true, false])),
    Row::named("Pattern.search", SEARCH, |m, receiver, b| m.match_pattern(bound_receiver(receiver), b, [false; 2])),
    Row::named(
        "Pattern.split",
        NamedParameters::new(Origin::C, &["string", "maxsplit"]).with_required(1),
        |m, receiver, b| {
            let (regex, text) = m.pattern_and_text(bound_receiver(receiver), b.required(0))?;
            m.split_by_pattern(&regex, &text, b.get(1))
        },
    ),
    Row::named("Pattern.sub", SUBSTITUTION, |m, receiver, b| {
        let (regex, text) = m.pattern_and_text(bound_receiver(receiver), b.required(1))?;
        m.substitute(bound_receiver(receiver), &regex, b, &text, false)
    }),
    Row::named("Pattern.subn", SUBSTITUTION, |m, receiver, b| {
        let (regex, text) = m.pattern_and_text(bound_receiver(receiver), b.required(1))?;
        m.substitute(bound_receiver(receiver), &regex, b, &text, true)
    }),
];

/// The maximum number of patterns that are kept compiled.
const MAX_CACHED: usize = 64;

const fn python(names: &'static [&'static str], required: usize) -> NamedParameters<'static> {
    NamedParameters::new(Origin::Python, names).with_required(required)
}

impl Machine {
    fn regex_error(&mut self, message: &str) -> ExecError {
        self.raise(ExceptionKind::RegexError, message)
    }

    /// Compiles a pattern, or returns one that is compiled.
    fn pattern_argument(&mut self, pattern: Value, flags: Option<Value>) -> ExecResult {
        let flags = flags.map_or(Ok(0), |flags| self.as_index(flags))?;
        if let Value::Ref(at) = pattern
            && let Some(LibraryObject::Pattern(..)) = self.library_object(at)
        {
            if flags != 0 {
                let message = "cannot process flags argument with a compiled pattern";
                return Err(self.raise(ExceptionKind::ValueError, message));
            }
            return Ok(pattern);
        }
        let Some(text) = self.as_text(pattern) else {
            return Err(self.type_error("first argument must be string or compiled pattern"));
        };
        let key = (Arc::clone(&text), flags);
        if let Some(regex) = self.modules.regexes().get(&key) {
            let object = LibraryObject::Pattern(Arc::clone(regex), pattern);
            return Ok(self.new_library_object(object));
        }
        self.charge(16 + text.len() as u64 * 4)?;
        let regex = match syntax::compile(&text, flags) {
            Ok(regex) => Arc::new(regex),
            Err(PatternError::Unsupported(what)) => {
                let message = format!("reward functions do not support {what} in regular expressions");
                return Err(self.regex_error(&message));
            }
            Err(PatternError::Syntax(message, at)) => {
                let before: String = text.chars().take(at).collect();
                let lines = before.matches('\n').count();
                let column = before.chars().rev().take_while(|&character| character != '\n').count() + 1;
                let place =
                    if text.contains('\n') { format!(" (line {}, column {column})", lines + 1) } else { String::new() };
                return Err(self.regex_error(&format!("{message} at position {at}{place}")));
            }
        };
        self.charge(regex.program.len() as u64)?;
        let regexes = self.modules.regexes();
        if regexes.len() >= MAX_CACHED {
            regexes.clear();
        }
        regexes.insert(key, Arc::clone(&regex));
        Ok(self.new_library_object(LibraryObject::Pattern(regex, pattern)))
    }

    /// Calls a method of the pattern that is the first argument; the one with the index `flags` has its flags.
    fn call_pattern(&mut self, method: Method, bound: &BoundArguments<'_>, flags: usize) -> ExecResult {
        let pattern = self.pattern_argument(bound.required(0), bound.get(flags))?;
        let Value::Ref(at) = pattern else { return Ok(Value::None) };
        let arguments: Vec<Value> = (1..flags).map_while(|index| bound.get(index)).collect();
        self.call_object_method(at, method, &arguments)
    }

    fn escape_pattern(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let Some(text) = self.as_text(bound.required(0)) else {
            return Err(self.type_error("reward functions support re.escape of strings"));
        };
        self.charge(text.len() as u64 / 4)?;
        let mut escaped = String::new();
        for character in text.chars() {
            if "()[]{}?*+-|^$\\.&~# \t\n\r\u{b}\u{c}".contains(character) {
                escaped.push('\\');
            }
            escaped.push(character);
        }
        Ok(self.heap.text(&escaped))
    }

    /// Returns the text that a method of a pattern reads.
    fn searched_text(&mut self, value: Value) -> ExecResult<Arc<str>> {
        if let Some(text) = self.as_text(value) {
            return Ok(text);
        }
        let message = format!("expected string or bytes-like object, got '{}'", self.class_name(value));
        Err(self.type_error(&message))
    }

    fn search_regex(&mut self, regex: &Regex, text: &str, search: Search) -> ExecResult<Option<Slots>> {
        let (found, steps) = regex.search(text, search);
        self.charge(2 + steps / 4)?;
        Ok(found)
    }

    /// Returns the matches of a pattern that do not overlap, at most `limit`.
    fn all_matches(&mut self, regex: &Regex, text: &str, bounds: [usize; 2], limit: usize) -> ExecResult<Vec<Slots>> {
        let mut matches = Vec::new();
        let mut search =
            Search { start: bounds[0], end: bounds[1], is_anchored: false, is_full: false, must_advance: false };
        while matches.len() < limit
            && let Some(slots) = self.search_regex(regex, text, search)?
        {
            let (Some(start), Some(end)) = (slots[0], slots[1]) else { break };
            search.must_advance = start == end;
            search.start = end;
            matches.push(slots);
        }
        self.reserve_values(matches.len().saturating_mul(2 * regex.group_count + 2))?;
        Ok(matches)
    }

    /// Returns the compiled pattern that a method is called on, and the text that it searches.
    fn pattern_and_text(&mut self, at: HeapRef, string: Value) -> ExecResult<(Arc<Regex>, Arc<str>)> {
        let Some(LibraryObject::Pattern(regex, _)) = self.library_object(at) else {
            unreachable!("called with patterns")
        };
        let regex = Arc::clone(regex);
        Ok((regex, self.searched_text(string)?))
    }

    /// Returns the compiled pattern, the text and the part of it that a method searches.
    fn searched_part(
        &mut self,
        at: HeapRef,
        bound: &BoundArguments<'_>,
    ) -> ExecResult<(Arc<Regex>, Arc<str>, [usize; 2])> {
        let (regex, text) = self.pattern_and_text(at, bound.required(0))?;
        let start = self.text_position(&text, bound.get(1), 0)?;
        let end = self.text_position(&text, bound.get(2), text.len())?.max(start);
        Ok((regex, text, [start, end]))
    }

    /// Implements `findall`.
    fn find_all(&mut self, at: HeapRef, bound: &BoundArguments<'_>) -> ExecResult {
        let (regex, text, bounds) = self.searched_part(at, bound)?;
        let matches = self.all_matches(&regex, &text, bounds, usize::MAX)?;
        let found = matches.iter().map(|slots| self.found_texts(&regex, &text, slots)).collect();
        Ok(self.heap.list(found))
    }

    /// Implements `finditer`.
    fn iterate_matches(&mut self, at: HeapRef, bound: &BoundArguments<'_>) -> ExecResult {
        let (regex, text, bounds) = self.searched_part(at, bound)?;
        let matches = self.all_matches(&regex, &text, bounds, usize::MAX)?;
        let string = bound.required(0);
        let matches = matches.into_iter().map(|slots| self.new_match(&regex, at, string, slots, bounds)).collect();
        let list = self.heap.list(matches);
        let lists = self.heap.list(vec![list]);
        let lists = self.iterator(lists)?;
        Ok(self.new_library_iterator(ItertoolsState::Chain(lists, None)))
    }

    /// Implements `search`, `match` and `fullmatch`, which are anchored at the start, or at both ends.
    fn match_pattern(
        &mut self,
        at: HeapRef,
        bound: &BoundArguments<'_>,
        [is_anchored, is_full]: [bool; 2],
    ) -> ExecResult {
        let (regex, text, bounds) = self.searched_part(at, bound)?;
        let search = Search { start: bounds[0], end: bounds[1], is_anchored, is_full, must_advance: false };
        Ok(match self.search_regex(&regex, &text, search)? {
            Some(slots) => self.new_match(&regex, at, bound.required(0), slots, bounds),
            None => Value::None,
        })
    }

    fn new_match(
        &mut self,
        regex: &Arc<Regex>,
        pattern: HeapRef,
        text: Value,
        slots: Slots,
        bounds: [usize; 2],
    ) -> Value {
        let pattern = Value::Ref(pattern);
        let found = MatchObject { regex: Arc::clone(regex), pattern, text, slots, bounds };
        self.new_library_object(LibraryObject::Match(Box::new(found)))
    }

    /// Returns the byte position of a character index, or a default.
    fn text_position(&mut self, text: &str, index: Option<Value>, default: usize) -> ExecResult<usize> {
        let Some(index) = index else { return Ok(default) };
        let index = usize::try_from(self.as_index(index)?).unwrap_or(0);
        self.charge_text(text.len())?;
        Ok(text.char_indices().nth(index).map_or(text.len(), |(at, _)| at))
    }

    /// Returns what `findall` lists for a match: the whole text, the only group, or all groups.
    fn found_texts(&mut self, regex: &Regex, text: &str, slots: &Slots) -> Value {
        let mut part = |group: usize| match (slots[2 * group], slots[2 * group + 1]) {
            (Some(start), Some(end)) => self.heap.text(&text[start..end]),
            _ => self.heap.text(""),
        };
        match regex.group_count {
            0 => part(0),
            1 => part(1),
            count => {
                let parts: Vec<Value> = (1..=count).map(part).collect();
                self.heap.tuple(parts)
            }
        }
    }

    fn split_by_pattern(&mut self, regex: &Regex, text: &str, limit: Option<Value>) -> ExecResult {
        let limit = limit.map_or(Ok(0), |limit| self.as_index(limit))?;
        let limit = match limit {
            0 => usize::MAX,
            _ => usize::try_from(limit).unwrap_or(0),
        };
        let mut parts = Vec::new();
        let mut last = 0;
        for slots in self.all_matches(regex, text, [0, text.len()], limit)? {
            let (Some(start), Some(end)) = (slots[0], slots[1]) else { continue };
            parts.push(self.heap.text(&text[last..start]));
            for group in 1..=regex.group_count {
                parts.push(match (slots[2 * group], slots[2 * group + 1]) {
                    (Some(start), Some(end)) => self.heap.text(&text[start..end]),
                    _ => Value::None,
                });
            }
            last = end;
        }
        parts.push(self.heap.text(&text[last..]));
        Ok(self.heap.list(parts))
    }

    /// Returns an attribute of a pattern or a match.
    pub(super) fn regex_attribute(&mut self, at: HeapRef, name: &str) -> Option<Value> {
        match self.library_object(at)? {
            LibraryObject::Pattern(regex, pattern) => {
                let (regex, pattern) = (Arc::clone(regex), *pattern);
                match name {
                    "pattern" => Some(pattern),
                    "flags" => Some(Value::Int(regex.flags)),
                    "groups" => Some(Value::Int(regex.group_count as i64)),
                    "groupindex" => {
                        let dict = self.empty_dict();
                        for (name, index) in &regex.names {
                            let key = self.heap.text(name);
                            self.set_entry(dict, key, Value::Int(*index as i64)).ok()?;
                        }
                        Some(Value::Ref(dict))
                    }
                    _ => None,
                }
            }
            LibraryObject::Match(found) => {
                let (pattern, text, bounds) = (found.pattern, found.text, found.bounds);
                let groups = 1..=found.regex.group_count;
                let last = groups
                    .filter(|group| found.slots[2 * group + 1].is_some())
                    .max_by_key(|group| (found.slots[2 * group + 1], std::cmp::Reverse(*group)));
                let last_name = last.and_then(|last| found.regex.names.iter().find(|&&(_, index)| index == last));
                let last_name = last_name.map(|(name, _)| name.clone());
                let index_of = |at: usize| {
                    let text = self.as_text(text).unwrap_or_else(|| "".into());
                    Value::Int(text[..at].chars().count() as i64)
                };
                match name {
                    "string" => Some(text),
                    "re" => Some(pattern),
                    "pos" => Some(index_of(bounds[0])),
                    "endpos" => Some(index_of(bounds[1])),
                    "lastindex" => Some(last.map_or(Value::None, |last| Value::Int(last as i64))),
                    "lastgroup" => Some(last_name.map_or(Value::None, |name| self.heap.text(&name))),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Returns the representation of a pattern or a match.
    pub(super) fn regex_repr(&mut self, at: HeapRef) -> ExecResult<Option<String>> {
        if let Some((found, text)) = self.match_parts(at) {
            let (Some(start), Some(end)) = (found.slots[0], found.slots[1]) else { return Ok(None) };
            let place = |at: usize| text[..at].chars().count();
            let matched = self.heap.text(&text[start..end]);
            let matched = self.repr(matched)?;
            return Ok(Some(format!("<re.Match object; span=({}, {}), match={matched}>", place(start), place(end))));
        }
        let Some(LibraryObject::Pattern(regex, pattern)) = self.library_object(at) else { return Ok(None) };
        let (flags, pattern) = (regex.flags, *pattern);
        let names = [
            (syntax::IGNORE_CASE, "re.IGNORECASE"),
            (syntax::MULTILINE, "re.MULTILINE"),
            (syntax::DOT_ALL, "re.DOTALL"),
            (syntax::VERBOSE, "re.VERBOSE"),
            (syntax::ASCII, "re.ASCII"),
        ];
        let set: Vec<&str> = names.iter().filter(|&&(flag, _)| flags & flag != 0).map(|&(_, name)| name).collect();
        let pattern = self.repr(pattern)?;
        Ok(Some(if set.is_empty() {
            format!("re.compile({pattern})")
        } else {
            format!("re.compile({pattern}, {})", set.join("|"))
        }))
    }
}

//! Substitution of matches: `sub`, `subn`, and the templates of replacements.

use std::sync::Arc;

use super::program::Regex;
use super::search::Slots;
use crate::machine::Machine;
use crate::machine::exceptions::{ExceptionKind, ExecResult};
use crate::machine::parameters::BoundArguments;
use crate::machine::value::{HeapRef, Value};

impl Machine {
    /// Implements `sub` and `subn`.
    pub(super) fn substitute(
        &mut self,
        at: HeapRef,
        regex: &Arc<Regex>,
        bound: &BoundArguments<'_>,
        text: &str,
        returns_count: bool,
    ) -> ExecResult {
        let replacement = bound.required(0);
        let limit = bound.get(2).map_or(Ok(0), |limit| self.as_index(limit))?;
        let limit = if limit <= 0 { usize::MAX } else { limit as usize };
        let template = self.as_text(replacement);
        let bounds = [0, text.len()];
        let matches = self.all_matches(regex, text, bounds, limit)?;
        let mut result = String::new();
        let (mut last, mut count) = (0, 0);
        for slots in matches {
            let (Some(start), Some(end)) = (slots[0], slots[1]) else { continue };
            result.push_str(&text[last..start]);
            if let Some(template) = &template {
                self.expand_template(regex, template, text, &slots, &mut result)?;
            } else {
                let found = self.new_match(regex, at, bound.required(1), slots, bounds);
                let part = self.call_value(replacement, &[found], &[])?;
                let Some(part) = self.as_text(part) else {
                    let message = format!("expected str instance, {} found", self.class_name(part));
                    return Err(self.type_error(&message));
                };
                result.push_str(&part);
            }
            self.charge_text(result.len() - last.min(result.len()))?;
            (last, count) = (end, count + 1);
        }
        result.push_str(&text[last..]);
        self.charge_text(result.len())?;
        let result = self.heap.text(&result);
        if returns_count { Ok(self.heap.tuple([result, Value::Int(count)])) } else { Ok(result) }
    }

    /// Appends a template, with the groups that it refers to, to a text.
    fn expand_template(
        &mut self,
        regex: &Regex,
        template: &str,
        text: &str,
        slots: &Slots,
        result: &mut String,
    ) -> ExecResult<()> {
        let mut rest = template;
        while let Some(at) = rest.find('\\') {
            result.push_str(&rest[..at]);
            let behind = &rest[at + 1..];
            let place = template.len() - rest.len() + at;
            let Some(next) = behind.chars().next() else {
                return Err(self.regex_error(&format!("bad escape (end of pattern) at position {place}")));
            };
            let (group, length) = match next {
                'g' => self.named_group(regex, &behind[1..], place)?,
                '1'..='9' => {
                    let digits = behind.bytes().take(2).take_while(u8::is_ascii_digit).count();
                    (behind[..digits].parse().unwrap_or(0), digits)
                }
                _ if next.is_ascii_alphabetic() && escaped_character(next).is_none() => {
                    return Err(self.regex_error(&format!("bad escape \\{next} at position {place}")));
                }
                _ => {
                    match escaped_character(next) {
                        Some(character) => result.push(character),
                        None => result.extend(['\\', next]),
                    }
                    rest = &behind[next.len_utf8()..];
                    continue;
                }
            };
            if group > regex.group_count {
                return Err(self.regex_error(&format!("invalid group reference {group} at position {}", place + 1)));
            }
            if let (Some(start), Some(end)) = (slots[2 * group], slots[2 * group + 1]) {
                result.push_str(&text[start..end]);
            }
            rest = &behind[length..];
        }
        result.push_str(rest);
        Ok(())
    }

    /// Returns the group in `<..>` at the start of a text behind `\g`, and the length of the reference with the `g`.
    fn named_group(&mut self, regex: &Regex, reference: &str, place: usize) -> ExecResult<(usize, usize)> {
        let Some((name, _)) = reference.strip_prefix('<').and_then(|name| name.split_once('>')) else {
            return Err(self.regex_error(&format!("missing group name at position {}", place + 2)));
        };
        let index = match name.parse::<usize>() {
            Ok(index) => Some(index),
            Err(_) => regex.names.iter().find(|(other, _)| other == name).map(|&(_, index)| index),
        };
        let Some(index) = index else {
            let name = self.heap.text(&format!("unknown group name '{name}'"));
            return Err(self.raise_with(ExceptionKind::IndexError, vec![name]));
        };
        Ok((index, name.len() + 3))
    }

    /// Implements `expand`.
    pub(super) fn expand_match(&mut self, at: HeapRef, template: Value) -> ExecResult {
        let Some((found, text)) = self.match_parts(at) else { return Ok(Value::None) };
        let template = self.searched_text(template)?;
        let mut result = String::new();
        self.expand_template(&found.regex, &template, &text, &found.slots, &mut result)?;
        Ok(self.heap.text(&result))
    }
}

/// Returns the character that an escape in a template denotes.
fn escaped_character(escape: char) -> Option<char> {
    Some(match escape {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'f' => '\u{c}',
        'v' => '\u{b}',
        'a' => '\u{7}',
        'b' => '\u{8}',
        '0' => '\0',
        '\\' => '\\',
        _ => return None,
    })
}

//! Constants, functions and classes of `string`.

use crate::machine::Machine;
use crate::machine::call::KeywordArguments;
use crate::machine::exceptions::{ExceptionKind, ExecResult};
use crate::machine::library_function::{LibraryFunction as Function, ResultType};
use crate::machine::methods::{MethodRow as Row, bound_receiver};
use crate::machine::parameters::{BoundArguments, NamedParameters, Origin};
use crate::machine::strings::capitalize;
use crate::machine::text::is_space;
use crate::machine::value::Value;

use super::LibraryObject;

/// The constants of `string`.
pub(super) static CONSTANTS: [(&str, &str); 9] = [
    ("ascii_letters", "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"),
    ("ascii_lowercase", "abcdefghijklmnopqrstuvwxyz"),
    ("ascii_uppercase", "ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
    ("digits", "0123456789"),
    ("hexdigits", "0123456789abcdefABCDEF"),
    ("octdigits", "01234567"),
    (
        "printable",
        "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ\
        !\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~ \t\n\r\u{b}\u{c}",
    ),
    ("punctuation", "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"),
    ("whitespace", " \t\n\r\u{b}\u{c}"),
];

/// The functions of `string`.
pub(in crate::machine) static FUNCTIONS: [Function; 1] = [Function::named(
    "string.capwords",
    NamedParameters::new(Origin::Python, &["s", "sep"]).with_required(1),
    Machine::capitalize_words,
)];

/// The methods of templates.
pub(super) static TEMPLATE_METHODS: [Row; 2] = [
    Row::custom("Template.safe_substitute", |m, receiver, arguments, named| {
        m.substitute_template(receiver, false, arguments, named)
    })
    .with_result(ResultType::Text),
    Row::custom("Template.substitute", |m, receiver, arguments, named| {
        m.substitute_template(receiver, true, arguments, named)
    })
    .with_result(ResultType::Text),
];

impl Machine {
    fn capitalize_words(&mut self, bound: &BoundArguments<'_>) -> ExecResult {
        let separator = bound.given(1).map_or_else(|| Ok(" ".to_owned()), |separator| self.str(separator))?;
        let Some(text) = self.as_text(bound.required(0)) else {
            let message = format!("'{}' object has no attribute 'split'", self.class_name(bound.required(0)));
            return Err(self.raise(ExceptionKind::AttributeError, &message));
        };
        let words: Vec<&str> = match bound.given(1) {
            Some(_) => text.split(separator.as_str()).collect(),
            None => text.split(is_space).filter(|word| !word.is_empty()).collect(),
        };
        let mut capitalized = Vec::with_capacity(words.len());
        for word in words {
            self.charge_text(word.len())?;
            capitalized.push(capitalize(word));
        }
        Ok(self.heap.text(&capitalized.join(&separator)))
    }

    /// Implements `string.Template(..)`.
    pub(super) fn new_template(&mut self, arguments: &[Value], named: KeywordArguments<'_>) -> ExecResult {
        let parameters = NamedParameters::new(Origin::Python, &["template"]);
        let bound = self.bind_parameters("Template.__init__", &parameters, arguments, named)?;
        Ok(self.new_library_object(LibraryObject::Template(bound.required(0))))
    }

    /// Implements `substitute`, which requires a value of every placeholder, and `safe_substitute`.
    fn substitute_template(
        &mut self,
        receiver: Value,
        is_strict: bool,
        arguments: &[Value],
        named: KeywordArguments<'_>,
    ) -> ExecResult {
        let Some(&LibraryObject::Template(template)) = self.library_object(bound_receiver(receiver)) else {
            return Ok(Value::None);
        };
        let values = self.empty_dict();
        if let Some(&mapping) = arguments.first() {
            self.update_dict(values, mapping)?;
        }
        for &(symbol, value) in named {
            let name = self.name(symbol);
            let key = self.heap.text(&name);
            self.set_entry(values, key, value)?;
        }
        let text = self.str(template)?;
        self.charge(text.len() as u64)?;
        let mut result = String::new();
        let mut rest = text.as_str();
        while let Some(dollar) = rest.find('$') {
            result.push_str(&rest[..dollar]);
            let behind = &rest[dollar + 1..];
            let (name, length) = placeholder(behind);
            if let Some(behind) = behind.strip_prefix('$') {
                result.push('$');
                rest = behind;
                continue;
            }
            let Some(name) = name else {
                if is_strict {
                    let at = text.len() - rest.len() + dollar;
                    let line = 1 + text[..at].matches('\n').count();
                    let column = 1 + text[..at].chars().rev().take_while(|&character| character != '\n').count();
                    let message = format!("Invalid placeholder in string: line {line}, col {column}");
                    return Err(self.raise(ExceptionKind::ValueError, &message));
                }
                result.push('$');
                rest = behind;
                continue;
            };
            let key = self.heap.text(name);
            match self.entry(values, key)? {
                Some(value) => result.push_str(&self.str(value)?),
                None if is_strict => return Err(self.raise_with(ExceptionKind::KeyError, vec![key])),
                None => result.push_str(&rest[dollar..=dollar + length]),
            }
            self.charge(result.len() as u64 / 8)?;
            rest = &behind[length..];
        }
        result.push_str(rest);
        Ok(self.heap.text(&result))
    }
}

/// Returns the name of the placeholder at the start of a text, after its `$`, and its length with braces.
fn placeholder(text: &str) -> (Option<&str>, usize) {
    let is_braced = text.starts_with('{');
    let name = &text[usize::from(is_braced)..];
    let is_part = |(place, character): (usize, char)| {
        character == '_' || character.is_ascii_alphabetic() || place > 0 && character.is_ascii_digit()
    };
    let length = name.char_indices().take_while(|&part| is_part(part)).count();
    match (length, is_braced) {
        (0, _) => (None, 0),
        (_, false) => (Some(&name[..length]), length),
        (_, true) if name[length..].starts_with('}') => (Some(&name[..length]), length + 2),
        (_, true) => (None, 0),
    }
}

//! Constraints: the space of a resource or parameter, with its initial value.
//!
//! | text | space | initial value |
//! |---|---|---|
//! | `true`, `false` | Booleans | that value |
//! | `boolean(b)` | Booleans | `b` |
//! | `string(s)` | strings | `s` |
//! | `int(n)`, `float(x)` | all integers, all real numbers | `n`, `x` |
//! | `int.range(min,max)`, `float.range(..)` | a closed interval | the minimum |
//! | `int.enum(a,b,..)`, `float.enum(..)`, `string.enum(..)` | an enumeration | the first member |
//! | `float.normal(mean,deviation)` | normally distributed real numbers | the mean |
//! | `set(a,b,..)` | subsets of these labels | all of them |
//!
//! An explicit initial value precedes a semicolon: `int.range(5; 0,10)`. It may lie outside the space. `integer` is a synonym of `int`,
//! `double` of `float`, `string.free` of `string` and so on; types are case-insensitive, and a list may be enclosed in brackets.
//! Dialects differ in [`InitialValueRule`] and [`Dialect::short_enum`].

use std::ops::Range;
use std::sync::Arc;

use goalspec_resource::number;
use goalspec_resource::space::{Declaration, Space};
use goalspec_resource::value::{Labels, Value};
use goalspec_syntax::suggest::did_you_mean;

use crate::codes;
use crate::dialect::{Dialect, InitialValueRule};
use crate::fragment::{FragmentDiagnostic, FragmentResult};

/// The types by their lowercase names.
const TYPES: [(&str, ConstraintType); 26] = [
    ("true", ConstraintType::Literal(true)),
    ("false", ConstraintType::Literal(false)),
    ("boolean", ConstraintType::Bool),
    ("boolean.free", ConstraintType::Bool),
    ("string", ConstraintType::Text),
    ("string.free", ConstraintType::Text),
    ("int", ConstraintType::Int),
    ("int.free", ConstraintType::Int),
    ("integer", ConstraintType::Int),
    ("integer.free", ConstraintType::Int),
    ("float", ConstraintType::Real),
    ("float.free", ConstraintType::Real),
    ("double", ConstraintType::Real),
    ("double.free", ConstraintType::Real),
    ("int.range", ConstraintType::IntRange),
    ("integer.range", ConstraintType::IntRange),
    ("float.range", ConstraintType::RealRange),
    ("double.range", ConstraintType::RealRange),
    ("int.enum", ConstraintType::IntEnum),
    ("integer.enum", ConstraintType::IntEnum),
    ("float.enum", ConstraintType::RealEnum),
    ("double.enum", ConstraintType::RealEnum),
    ("string.enum", ConstraintType::TextEnum),
    ("float.normal", ConstraintType::Normal),
    ("double.normal", ConstraintType::Normal),
    ("set", ConstraintType::Set),
];

/// The alternative name of `string.enum` in dialects with [`Dialect::short_enum`].
const BARE_ENUM: &str = "enum";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ConstraintType {
    Literal(bool),
    Bool,
    Text,
    Int,
    Real,
    IntRange,
    RealRange,
    IntEnum,
    RealEnum,
    TextEnum,
    Normal,
    Set,
}

impl ConstraintType {
    /// Returns a description of the type, and an example.
    fn description(self) -> (&'static str, &'static str) {
        match self {
            Self::Literal(_) => ("A boolean.", "true"),
            Self::Bool => ("A boolean.", "boolean(false)"),
            Self::Text => ("Any string.", "string(none)"),
            Self::Int => ("Any integer.", "int(0)"),
            Self::Real => ("Any real number.", "float(0.0)"),
            Self::IntRange => ("An integer in a closed range.", "int.range(0; 0,10)"),
            Self::RealRange => ("A real number in a closed range.", "float.range(0.0; 0.0,1.0)"),
            Self::IntEnum => ("One of these integers.", "int.enum(1; 1,2,5)"),
            Self::RealEnum => ("One of these real numbers.", "float.enum(0.5; 0.5,1.0)"),
            Self::TextEnum => ("One of these strings.", "string.enum(red; red,blue)"),
            Self::Normal => {
                ("A normally distributed real number: mean and standard deviation.", "float.normal(0.0,1.0)")
            }
            Self::Set => ("A subset of these labels.", "set(red; red,blue)"),
        }
    }
}

/// A type of constraint, for the JSON Schema.
pub(crate) struct TypeDoc {
    /// The names of the type, in lower case.
    pub(crate) names: Vec<&'static str>,
    /// Whether the type takes arguments in parentheses.
    pub(crate) has_arguments: bool,
    /// The description of the type.
    pub(crate) meaning: &'static str,
    /// An example.
    pub(crate) example: &'static str,
}

/// Returns the types of the documented dialect.
pub(crate) fn documented_types() -> Vec<TypeDoc> {
    let mut forms: Vec<TypeDoc> = Vec::new();
    for (name, kind) in TYPES.into_iter().chain([(BARE_ENUM, ConstraintType::TextEnum)]) {
        let (meaning, example) = kind.description();
        match forms.iter_mut().find(|form| form.example == example) {
            Some(form) => form.names.push(name),
            None => forms.push(TypeDoc {
                names: vec![name],
                has_arguments: !matches!(kind, ConstraintType::Literal(_)),
                meaning,
                example,
            }),
        }
    }
    forms
}

/// Parses a constraint. There is a value if and only if no fault is an error.
pub fn parse(text: &str, dialect: Dialect) -> FragmentResult<Declaration> {
    let mut reader = ConstraintParser { text, dialect, faults: Vec::new() };
    let value = reader.declaration().map_err(|fault| reader.faults.push(fault)).ok();
    FragmentResult { value, diagnostics: reader.faults }
}

/// Returns a constraint with another initial value; `None` if no constraint can express the value.
///
/// ```
/// use goalspec_resource::value::Value;
/// use goalspec_rgg::constraint::with_initial;
///
/// assert_eq!(with_initial("int.range(3; 0,10)", &Value::Int(7)).unwrap(), "int.range(7; 0,10)");
/// assert_eq!(with_initial("int.range(0,10)", &Value::Int(7)).unwrap(), "int.range(7; 0,10)");
/// assert_eq!(with_initial("float(1)", &Value::Real(2.5)).unwrap(), "float(2.5)");
/// assert_eq!(with_initial("true", &Value::Bool(false)).unwrap(), "false");
/// ```
pub fn with_initial(text: &str, value: &Value) -> Option<String> {
    let plain = |text: &str| {
        !text.is_empty()
            && text.trim() == text
            && !text.contains(['(', ')', ';', ',', '[', ']'])
            && !text.contains('\n')
    };
    let formatted = match value {
        Value::Int(_) | Value::Bool(_) => value.to_string(),
        Value::Real(number) if number.is_finite() => format!("{number:?}"),
        Value::Text(text) => text.to_string(),
        Value::Set(labels) if !labels.is_empty() && labels.iter().all(|label| plain(label)) => {
            format!("[{}]", labels.iter().map(|label| &**label).collect::<Vec<_>>().join(", "))
        }
        _ => return None,
    };
    if !matches!(value, Value::Set(_)) && !plain(&formatted) {
        return None;
    }
    let mut pieces = text.split(['(', ';', ')']).map(str::trim);
    let name = pieces.next()?;
    let known = TYPES.into_iter().chain([(BARE_ENUM, ConstraintType::TextEnum)]);
    let kind = known.into_iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, kind)| kind)?;
    let last = |pieces: &mut dyn Iterator<Item = &str>| {
        let first = pieces.next()?.to_owned();
        Some(if text.contains(';') { pieces.next()?.to_owned() } else { first })
    };
    Some(match kind {
        ConstraintType::Literal(_) => formatted,
        ConstraintType::Bool | ConstraintType::Text | ConstraintType::Int | ConstraintType::Real => {
            format!("{name}({formatted})")
        }
        _ => format!("{name}({formatted}; {})", last(&mut pieces)?),
    })
}

struct ConstraintParser<'a> {
    text: &'a str,
    dialect: Dialect,
    faults: Vec<FragmentDiagnostic>,
}

/// A piece of the text, without surrounding blanks.
#[derive(Debug, Clone, Copy)]
struct Slice<'a> {
    text: &'a str,
    start: usize,
}

impl Slice<'_> {
    fn range(self) -> Range<usize> {
        self.start..self.start + self.text.len()
    }
}

/// The arguments in parentheses.
#[derive(Debug, Clone, Copy)]
struct Arguments<'a> {
    /// The part before the semicolon, if there is one.
    initial: Option<Slice<'a>>,
    /// The part after the semicolon, or the whole text in parentheses.
    list: Slice<'a>,
}

impl<'a> Arguments<'a> {
    /// Returns the items of the list; for an empty list, one empty item.
    fn items(self) -> Vec<Slice<'a>> {
        items(self.list)
    }
}

/// Returns the text of a list without enclosing brackets.
fn without_brackets(piece: Slice<'_>) -> Slice<'_> {
    match piece.text.strip_prefix('[').and_then(|text| text.strip_suffix(']')) {
        Some(inner) => trimmed(inner, piece.start + 1),
        None => piece,
    }
}

fn items(list: Slice<'_>) -> Vec<Slice<'_>> {
    let mut start = without_brackets(list).start;
    let of = |item| {
        let piece = trimmed(item, start);
        start += item.len() + 1;
        piece
    };
    without_brackets(list).text.split(',').map(of).collect()
}

fn trimmed(text: &str, start: usize) -> Slice<'_> {
    Slice { text: text.trim(), start: start + text.len() - text.trim_start().len() }
}

impl<'a> ConstraintParser<'a> {
    fn declaration(&mut self) -> Result<Declaration, FragmentDiagnostic> {
        let mut start = 0;
        let of = |piece: &'a str| {
            let trimmed = trimmed(piece, start);
            start += piece.len() + 1;
            trimmed
        };
        let pieces: Vec<Slice<'a>> = self.text.split(['(', ';', ')']).map(of).collect();
        let kind = self.kind(pieces[0])?;
        if let ConstraintType::Literal(initial) = kind {
            return Ok(Declaration { space: Space::Bool, initial: Value::Bool(initial) });
        }
        let Some(&first) = pieces.get(1) else {
            let message = format!("missing parentheses after `{}`", pieces[0].text);
            let help = format!("write `{}(..)` with the initial value", pieces[0].text);
            return Err(
                FragmentDiagnostic::error(codes::CONSTRAINT_ARGUMENTS, pieces[0].range(), message).with_help(help)
            );
        };
        let has_parts = self.text.contains(';');
        let used = if has_parts { 3 } else { 2 };
        if let Some(ignored) = pieces.iter().skip(used).find(|piece| !piece.text.is_empty()) {
            self.report_ignored(*ignored, "is ignored");
        }
        let arguments = match pieces.get(2) {
            Some(&second) if has_parts => Arguments { initial: Some(first), list: second },
            _ => Arguments { initial: None, list: first },
        };
        self.declared(kind, arguments)
    }

    fn kind(&self, name: Slice<'_>) -> Result<ConstraintType, FragmentDiagnostic> {
        let lower = name.text.to_ascii_lowercase();
        if lower == BARE_ENUM && self.dialect.short_enum {
            return Ok(ConstraintType::TextEnum);
        }
        if let Some((_, kind)) = TYPES.iter().find(|(known, _)| *known == lower) {
            return Ok(*kind);
        }
        let message = format!("unknown type of constraint `{}`", name.text);
        let fault = FragmentDiagnostic::error(codes::CONSTRAINT_TYPE, name.range(), message);
        Err(match did_you_mean(&lower, TYPES.iter().map(|(known, _)| *known)) {
            Some(help) => fault.with_help(help),
            None => fault.with_help("write a type with its arguments, such as `int.range(0; 0,10)`"),
        })
    }

    fn declared(&mut self, kind: ConstraintType, arguments: Arguments<'a>) -> Result<Declaration, FragmentDiagnostic> {
        let (space, initial) = match kind {
            ConstraintType::Literal(initial) => (Space::Bool, Value::Bool(initial)),
            ConstraintType::Bool => (Space::Bool, Value::Bool(parse_bool(self.single_argument(arguments))?)),
            ConstraintType::Text => (Space::FreeText, Value::text(self.single_argument(arguments).text)),
            ConstraintType::Int => (Space::FreeInt, Value::Int(self.number_or_zero(parse_int, arguments, 0)?)),
            ConstraintType::Real => (Space::FreeReal, Value::Real(self.number_or_zero(parse_real, arguments, 0.0)?)),
            ConstraintType::IntRange => {
                let [min, max] = self.number_pair(parse_int, arguments)?;
                (Space::IntRange { min, max }, Value::Int(initial(parse_int, arguments, min)?))
            }
            ConstraintType::RealRange => {
                let [min, max] = self.number_pair(parse_real, arguments)?;
                (Space::RealRange { min, max }, Value::Real(initial(parse_real, arguments, min)?))
            }
            ConstraintType::Normal => {
                let [mean, deviation] = self.number_pair(parse_real, arguments)?;
                (
                    Space::Normal { mean, standard_deviation: deviation },
                    Value::Real(initial(parse_real, arguments, mean)?),
                )
            }
            ConstraintType::IntEnum => {
                let members = self.members(parse_int, arguments);
                let first = first(&members, arguments)?;
                (Space::IntEnum(members), Value::Int(initial(parse_int, arguments, first)?))
            }
            ConstraintType::RealEnum => {
                let members = self.members(parse_real, arguments);
                let first = first(&members, arguments)?;
                (Space::RealEnum(members), Value::Real(initial(parse_real, arguments, first)?))
            }
            ConstraintType::TextEnum => self.text_enum(arguments),
            ConstraintType::Set => self.set(arguments),
        };
        Ok(Declaration { space, initial })
    }

    fn text_enum(&self, arguments: Arguments<'_>) -> (Space, Value) {
        let members: Vec<Arc<str>> = arguments.items().iter().map(|item| item.text.into()).collect();
        let initial = match (arguments.initial, self.dialect.initial_values) {
            (Some(initial), _) => initial.text,
            (None, InitialValueRule::Engine) => arguments.list.text,
            (None, InitialValueRule::Documented) => members.first().map_or("", |first| first),
        };
        let initial = Value::text(initial);
        (Space::TextEnum(members), initial)
    }

    fn set(&self, arguments: Arguments<'_>) -> (Space, Value) {
        let labels = |list: Slice<'_>| -> Labels {
            let items = items(list);
            let counts =
                |item: &&Slice<'_>| self.dialect.initial_values == InitialValueRule::Engine || !item.text.is_empty();
            items.iter().filter(counts).map(|item| Arc::from(item.text)).collect()
        };
        let initial = labels(arguments.initial.unwrap_or(arguments.list));
        (Space::Set(labels(arguments.list)), Value::Set(Arc::new(initial)))
    }

    /// Returns the argument of a type with one argument; of two parts, the second.
    fn single_argument(&mut self, arguments: Arguments<'a>) -> Slice<'a> {
        if let Some(initial) = arguments.initial {
            self.report_ignored(initial, "is ignored: the part after the semicolon is the value");
        }
        arguments.list
    }

    fn number_or_zero<T>(
        &mut self,
        parse: ArgumentParser<T>,
        arguments: Arguments<'a>,
        zero: T,
    ) -> Result<T, FragmentDiagnostic> {
        let only = self.single_argument(arguments);
        if only.text.is_empty() && self.dialect.initial_values == InitialValueRule::Documented {
            Ok(zero)
        } else {
            parse(only)
        }
    }

    /// Parses the items of the list; reports and skips those that are not of the type.
    fn members<T>(&mut self, parse: ArgumentParser<T>, arguments: Arguments<'a>) -> Vec<T> {
        let mut members = Vec::new();
        for item in arguments.items() {
            match parse(item) {
                Ok(member) => members.push(member),
                Err(fault) => self.report_ignored(item, &format!("is ignored: {}", fault.message)),
            }
        }
        members
    }

    fn number_pair<T: Copy>(
        &mut self,
        parse: ArgumentParser<T>,
        arguments: Arguments<'a>,
    ) -> Result<[T; 2], FragmentDiagnostic> {
        let members = self.members(parse, arguments);
        <[T; 2]>::try_from(members.as_slice()).map_err(|_| {
            let message = format!("expected 2 numbers, found {}", members.len());
            FragmentDiagnostic::error(codes::CONSTRAINT_ARGUMENTS, arguments.list.range(), message)
                .with_help("write the initial value before a semicolon: `int.range(1; 0,10)`")
        })
    }

    fn report_ignored(&mut self, piece: Slice<'_>, reason: &str) {
        let message = format!("`{}` {reason}", piece.text);
        self.faults.push(FragmentDiagnostic::warning(codes::CONSTRAINT_IGNORED, piece.range(), message));
    }
}

/// A parser of one argument.
type ArgumentParser<T> = fn(Slice<'_>) -> Result<T, FragmentDiagnostic>;

fn initial<T>(parse: ArgumentParser<T>, arguments: Arguments<'_>, otherwise: T) -> Result<T, FragmentDiagnostic> {
    arguments.initial.map_or(Ok(otherwise), parse)
}

fn first<T: Copy>(members: &[T], arguments: Arguments<'_>) -> Result<T, FragmentDiagnostic> {
    members.first().copied().ok_or_else(|| {
        FragmentDiagnostic::error(
            codes::CONSTRAINT_ARGUMENTS,
            arguments.list.range(),
            "expected at least one member of the type",
        )
    })
}

fn parse_bool(piece: Slice<'_>) -> Result<bool, FragmentDiagnostic> {
    match piece.text {
        "true" | "True" | "TRUE" => Ok(true),
        "false" | "False" | "FALSE" | "" => Ok(false),
        _ => Err(invalid_value(piece, "`true` or `false`")),
    }
}

fn parse_int(piece: Slice<'_>) -> Result<i32, FragmentDiagnostic> {
    piece.text.parse().map_err(|_| invalid_value(piece, "a 32-bit integer"))
}

fn parse_real(piece: Slice<'_>) -> Result<f64, FragmentDiagnostic> {
    match piece.text {
        "NaN" => Ok(f64::NAN),
        text => number::parse_exact(text).ok_or_else(|| invalid_value(piece, "a number")),
    }
}

fn invalid_value(piece: Slice<'_>, expected: &str) -> FragmentDiagnostic {
    let message = format!("expected {expected}, found `{}`", piece.text);
    FragmentDiagnostic::error(codes::CONSTRAINT_VALUE, piece.range(), message)
}

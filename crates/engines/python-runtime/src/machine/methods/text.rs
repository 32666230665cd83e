//! Methods of `str`.

use std::sync::Arc;

use super::MethodRow as Row;
use super::row::MethodParameters::{None as NoParameters, One, Parsed, Unpacked};
use crate::machine::Machine;
use crate::machine::exceptions::ExecResult;
use crate::machine::library_function::ResultType;
use crate::machine::parameters::{NamedParameters, Origin};
use crate::machine::strings::{self, Alignment, TextEnd};
use crate::machine::value::Value;

/// Returns parameters that all have defaults.
const fn optional(names: &'static [&'static str]) -> NamedParameters<'static> {
    NamedParameters::new(Origin::C, names).with_required(0)
}

/// The parameters of methods with a text and the bounds of a slice.
const SLICED: super::MethodParameters = Parsed { min: 1, max: 3 };

/// Returns a mapping of text that takes a look-up for each character.
const fn mapped_by_character(name: &'static str, call: fn(&mut Machine, &Arc<str>, &[Value]) -> ExecResult) -> Row {
    Row::of_text(name, NoParameters, call).with_result(ResultType::Text)
}

/// The methods of `str`.
pub(in crate::machine) static STR: [Row; 46] = [
    Row::text_map("str.capitalize", strings::capitalize),
    Row::text_map("str.casefold", strings::fold_case),
    Row::of_text("str.center", Unpacked { min: 1, max: 2 }, |m, text, a| m.justified(text, a, Alignment::Center))
        .with_result(ResultType::Text),
    Row::of_text("str.count", SLICED, |m, text, a| m.count_substring(text, a)).with_result(ResultType::Count),
    Row::of_text_named("str.encode", optional(&["encoding", "errors"]), |m, text, b| {
        m.encoded(b.function, text, [b.get(0), b.get(1)])
    }),
    Row::of_text("str.endswith", SLICED, |m, text, a| m.has_affix(text, a, TextEnd::End)).with_result(ResultType::Bool),
    Row::of_text_named("str.expandtabs", optional(&["tabsize"]), |m, text, b| m.expanded_tabs(text, b.get(0)))
        .with_result(ResultType::Text),
    Row::of_text("str.find", SLICED, |m, text, a| m.position_of_substring(text, a, TextEnd::Start))
        .with_result(ResultType::Int),
    Row::custom("str.format", Machine::format_method).with_result(ResultType::Text),
    Row::of_text("str.format_map", One, |m, text, a| {
        let formatted = m.str_format_map(text, a[0])?;
        Ok(m.heap.text(&formatted))
    })
    .with_result(ResultType::Text),
    Row::of_text("str.index", SLICED, |m, text, a| m.index_of_substring(text, a, TextEnd::Start))
        .with_result(ResultType::Count),
    Row::text_predicate("str.isalnum", |text| strings::all(text, char::is_alphanumeric)),
    Row::text_predicate("str.isalpha", |text| strings::all(text, char::is_alphabetic)),
    Row::text_predicate("str.isascii", str::is_ascii),
    Row::text_predicate("str.isdecimal", |text| strings::all(text, strings::is_decimal)),
    Row::text_predicate("str.isdigit", |text| strings::all(text, strings::is_digit)),
    Row::text_predicate("str.isidentifier", strings::is_identifier),
    Row::text_predicate("str.islower", |text| strings::is_cased_without(text, char::is_uppercase)),
    Row::text_predicate("str.isnumeric", |text| strings::all(text, char::is_numeric)),
    Row::text_predicate("str.isprintable", |text| text.chars().all(crate::machine::text::is_printable)),
    Row::text_predicate("str.isspace", |text| strings::all(text, crate::machine::text::is_space)),
    Row::text_predicate("str.istitle", strings::is_title_case),
    Row::text_predicate("str.isupper", |text| strings::is_cased_without(text, char::is_lowercase)),
    Row::of_text("str.join", One, |m, text, a| {
        let joined = m.joined(text, a[0])?;
        Ok(m.heap.text(&joined))
    })
    .with_result(ResultType::Text)
    .rejecting_none(),
    Row::of_text("str.ljust", Unpacked { min: 1, max: 2 }, |m, text, a| m.justified(text, a, Alignment::Left))
        .with_result(ResultType::Text),
    Row::text_map("str.lower", str::to_lowercase),
    Row::of_text("str.lstrip", Unpacked { min: 0, max: 1 }, |m, text, a| m.stripped(text, a, "lstrip", [true, false]))
        .with_result(ResultType::Text),
    Row::of_text("str.partition", One, |m, text, a| m.partitioned(text, a[0], TextEnd::Start)),
    Row::of_text("str.removeprefix", One, |m, text, a| {
        let prefix = m.expect_text(a[0], "removeprefix() argument must be str")?;
        Ok(m.heap.text(text.strip_prefix(&*prefix).unwrap_or(text)))
    })
    .with_result(ResultType::Text),
    Row::of_text("str.removesuffix", One, |m, text, a| {
        let suffix = m.expect_text(a[0], "removesuffix() argument must be str")?;
        Ok(m.heap.text(text.strip_suffix(&*suffix).unwrap_or(text)))
    })
    .with_result(ResultType::Text),
    Row::of_text("str.replace", Unpacked { min: 2, max: 3 }, |m, text, a| m.replaced_text(text, a))
        .with_result(ResultType::Text),
    Row::of_text("str.rfind", SLICED, |m, text, a| m.position_of_substring(text, a, TextEnd::End))
        .with_result(ResultType::Int),
    Row::of_text("str.rindex", SLICED, |m, text, a| m.index_of_substring(text, a, TextEnd::End))
        .with_result(ResultType::Count),
    Row::of_text("str.rjust", Unpacked { min: 1, max: 2 }, |m, text, a| m.justified(text, a, Alignment::Right))
        .with_result(ResultType::Text),
    Row::of_text("str.rpartition", One, |m, text, a| m.partitioned(text, a[0], TextEnd::End)),
    Row::of_text_named("str.rsplit", optional(&["sep", "maxsplit"]), |m, text, b| {
        m.split_text(text, [b.get(0), b.get(1)], TextEnd::End)
    }),
    Row::of_text("str.rstrip", Unpacked { min: 0, max: 1 }, |m, text, a| m.stripped(text, a, "rstrip", [false, true]))
        .with_result(ResultType::Text),
    Row::of_text_named("str.split", optional(&["sep", "maxsplit"]), |m, text, b| {
        m.split_text(text, [b.get(0), b.get(1)], TextEnd::Start)
    }),
    Row::of_text_named("str.splitlines", optional(&["keepends"]), |m, text, b| m.split_lines(text, b.get(0))),
    Row::of_text("str.startswith", SLICED, |m, text, a| m.has_affix(text, a, TextEnd::Start))
        .with_result(ResultType::Bool),
    Row::of_text("str.strip", Unpacked { min: 0, max: 1 }, |m, text, a| m.stripped(text, a, "strip", [true, true]))
        .with_result(ResultType::Text),
    mapped_by_character("str.swapcase", |m, text, _| m.mapped_text(text, strings::swap_case)),
    mapped_by_character("str.title", |m, text, _| m.mapped_text(text, strings::to_title_case)),
    Row::of_text("str.translate", One, |m, text, a| m.translated(text, a[0])).with_result(ResultType::Text),
    Row::text_map("str.upper", str::to_uppercase),
    Row::of_text("str.zfill", One, |m, text, a| m.filled_with_zeros(text, a[0])).with_result(ResultType::Text),
];

impl Machine {
    fn mapped_text(&mut self, text: &str, map: fn(&str) -> String) -> ExecResult {
        self.charge(text.len() as u64 / 3)?;
        Ok(self.heap.text(&map(text)))
    }
}

//! Methods of `bytes`.

use super::row::MethodParameters::{None as NoParameters, One};
use super::{MethodRow as Row, STR, bound_receiver, row_of};
use crate::machine::bytes::BytesArguments;
use crate::machine::library_function::ResultType;
use crate::machine::parameters::{NamedParameters, Origin};
use crate::machine::value::Value;

/// Returns parameters that all have defaults.
const fn optional(names: &'static [&'static str]) -> NamedParameters<'static> {
    NamedParameters::new(Origin::C, names).with_required(0)
}

/// The methods of `bytes`.
pub(in crate::machine) static BYTES: [Row; 40] = [
    Row::of_bytes_as_text("bytes.capitalize", row_of(&STR, "capitalize"), BytesArguments::Other),
    Row::of_bytes_as_text("bytes.center", row_of(&STR, "center"), BytesArguments::Padding),
    Row::of_bytes_as_text("bytes.count", row_of(&STR, "count"), BytesArguments::Substring)
        .with_result(ResultType::Count),
    Row::named("bytes.decode", optional(&["encoding", "errors"]), |m, receiver, b| {
        let bytes = m.receiver_bytes(bound_receiver(receiver))?;
        m.decode_bytes(b.function, &bytes, [b.get(0), b.get(1)])
    })
    .with_result(ResultType::Text),
    Row::of_bytes_as_text("bytes.endswith", row_of(&STR, "endswith"), BytesArguments::Affixes)
        .with_result(ResultType::Bool),
    Row::of_bytes_as_text("bytes.expandtabs", row_of(&STR, "expandtabs"), BytesArguments::Other),
    Row::of_bytes_as_text("bytes.find", row_of(&STR, "find"), BytesArguments::Substring).with_result(ResultType::Int),
    Row::named("bytes.hex", optional(&["sep", "bytes_per_sep"]), |m, receiver, b| {
        let bytes = m.receiver_bytes(bound_receiver(receiver))?;
        m.hexadecimal_bytes(&bytes, [b.get(0), b.get(1)])
    })
    .with_result(ResultType::Text),
    Row::of_bytes_as_text("bytes.index", row_of(&STR, "index"), BytesArguments::Substring)
        .with_result(ResultType::Count),
    Row::of_bytes_as_text("bytes.isalnum", row_of(&STR, "isalnum"), BytesArguments::Other)
        .with_result(ResultType::Bool),
    Row::of_bytes_as_text("bytes.isalpha", row_of(&STR, "isalpha"), BytesArguments::Other)
        .with_result(ResultType::Bool),
    Row::of_object("bytes.isascii", NoParameters, |m, at, _| Ok(Value::Bool(m.receiver_bytes(at)?.is_ascii())))
        .with_result(ResultType::Bool),
    Row::of_bytes_as_text("bytes.isdigit", row_of(&STR, "isdigit"), BytesArguments::Other)
        .with_result(ResultType::Bool),
    Row::of_bytes_as_text("bytes.islower", row_of(&STR, "islower"), BytesArguments::Other)
        .with_result(ResultType::Bool),
    Row::of_bytes_as_text("bytes.isspace", row_of(&STR, "isspace"), BytesArguments::Other)
        .with_result(ResultType::Bool),
    Row::of_bytes_as_text("bytes.istitle", row_of(&STR, "istitle"), BytesArguments::Other)
        .with_result(ResultType::Bool),
    Row::of_bytes_as_text("bytes.isupper", row_of(&STR, "isupper"), BytesArguments::Other)
        .with_result(ResultType::Bool),
    Row::of_object("bytes.join", One, |m, at, a| {
        let separator = m.receiver_bytes(at)?;
        m.joined_bytes(&separator, a[0])
    }),
    Row::of_bytes_as_text("bytes.ljust", row_of(&STR, "ljust"), BytesArguments::Padding),
    Row::of_bytes_as_text("bytes.lower", row_of(&STR, "lower"), BytesArguments::Other),
    Row::of_bytes_as_text("bytes.lstrip", row_of(&STR, "lstrip"), BytesArguments::Separator),
    Row::of_bytes_as_text("bytes.partition", row_of(&STR, "partition"), BytesArguments::Operand),
    Row::of_bytes_as_text("bytes.removeprefix", row_of(&STR, "removeprefix"), BytesArguments::Operand),
    Row::of_bytes_as_text("bytes.removesuffix", row_of(&STR, "removesuffix"), BytesArguments::Operand),
    Row::of_bytes_as_text("bytes.replace", row_of(&STR, "replace"), BytesArguments::Replacement),
    Row::of_bytes_as_text("bytes.rfind", row_of(&STR, "rfind"), BytesArguments::Substring).with_result(ResultType::Int),
    Row::of_bytes_as_text("bytes.rindex", row_of(&STR, "rindex"), BytesArguments::Substring)
        .with_result(ResultType::Count),
    Row::of_bytes_as_text("bytes.rjust", row_of(&STR, "rjust"), BytesArguments::Padding),
    Row::of_bytes_as_text("bytes.rpartition", row_of(&STR, "rpartition"), BytesArguments::Operand),
    Row::of_bytes_as_text("bytes.rsplit", row_of(&STR, "rsplit"), BytesArguments::Separator),
    Row::of_bytes_as_text("bytes.rstrip", row_of(&STR, "rstrip"), BytesArguments::Separator),
    Row::of_bytes_as_text("bytes.split", row_of(&STR, "split"), BytesArguments::Separator),
    Row::of_bytes_as_text("bytes.splitlines", row_of(&STR, "splitlines"), BytesArguments::Lines),
    Row::of_bytes_as_text("bytes.startswith", row_of(&STR, "startswith"), BytesArguments::Affixes)
        .with_result(ResultType::Bool),
    Row::of_bytes_as_text("bytes.strip", row_of(&STR, "strip"), BytesArguments::Separator),
    Row::of_bytes_as_text("bytes.swapcase", row_of(&STR, "swapcase"), BytesArguments::Other),
    Row::of_bytes_as_text("bytes.title", row_of(&STR, "title"), BytesArguments::Other),
    Row::named("bytes.translate", optional(&["table", "delete"]).with_required(1), |m, receiver, b| {
        let bytes = m.receiver_bytes(bound_receiver(receiver))?;
        m.translated_bytes(&bytes, b.get(0), b.get(1))
    }),
    Row::of_bytes_as_text("bytes.upper", row_of(&STR, "upper"), BytesArguments::Other),
    Row::of_bytes_as_text("bytes.zfill", row_of(&STR, "zfill"), BytesArguments::Other),
];

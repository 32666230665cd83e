//! The table of the built-in functions.

use crate::machine::Machine;
use crate::machine::library_function::Implementation::Values;
use crate::machine::library_function::{BuiltinForm, LibraryFunction as Function, ResultType};
use crate::machine::parameters::{NamedParameters, Origin};
use crate::machine::value::Value;

/// Returns parameters of which the first one has no default.
const fn parameters(names: &'static [&'static str]) -> NamedParameters<'static> {
    NamedParameters::new(Origin::C, names).with_required(1)
}

/// The built-in functions, in the order of their names.
pub(crate) static FUNCTIONS: [Function; 37] = [
    Function::unary("abs", |m, a, _| m.absolute(a[0])).with_form(BuiltinForm::Absolute),
    Function::unary("all", |m, a, _| m.all_or_any(a[0], true))
        .with_result(ResultType::Bool)
        .with_form(BuiltinForm::Quantifier { is_any: false })
        .reading_only(),
    Function::unary("any", |m, a, _| m.all_or_any(a[0], false))
        .with_result(ResultType::Bool)
        .with_form(BuiltinForm::Quantifier { is_any: true })
        .reading_only(),
    Function::unary("ascii", |m, a, _| m.ascii(a[0])),
    Function::unary("bin", |m, a, _| m.digits(a[0], "0b", 2)),
    Function::unary("callable", |m, a, _| Ok(Value::Bool(m.is_callable(a[0]))))
        .with_result(ResultType::Bool)
        .reading_only(),
    Function::unary("chr", |m, a, _| m.character(a[0])),
    Function::new("delattr", 2, 2, Values(|m, a, _| m.delete_attribute_by_name(a))),
    Function::new("divmod", 2, 2, Values(|m, a, _| m.divmod(a[0], a[1]))),
    Function::named("enumerate", parameters(&["iterable", "start"]), Machine::enumerate)
        .with_form(BuiltinForm::Enumerate),
    Function::new("filter", 2, 2, Values(|m, a, _| m.filter(a[0], a[1]))).with_form(BuiltinForm::Filter),
    Function::new("format", 1, 2, Values(|m, a, _| m.format_by_text(a[0], a.get(1).copied()))),
    Function::new("getattr", 2, 3, Values(|m, a, _| m.get_attribute(a))),
    Function::new("hasattr", 2, 2, Values(|m, a, _| m.has_attribute(a))),
    Function::unary("hash", |m, a, _| m.hash_value(a[0]).map(|hash| Value::Int(hash.to_python()))),
    Function::unary("hex", |m, a, _| m.digits(a[0], "0x", 16)),
    Function::unary("id", |m, a, _| m.identity(a[0])),
    Function::new("isinstance", 2, 2, Values(|m, a, _| m.is_instance(a[0], a[1]).map(Value::Bool)))
        .with_form(BuiltinForm::IsInstance),
    Function::new("issubclass", 2, 2, Values(|m, a, _| m.issubclass(a[0], a[1]).map(Value::Bool)))
        .with_result(ResultType::Bool)
        .reading_only(),
    Function::new("iter", 1, 2, Values(|m, a, _| m.iterator_over(a))).with_form(BuiltinForm::Iterator),
    Function::unary("len", |m, a, _| m.length(a[0]).map(|length| Value::Int(length as i64)))
        .with_form(BuiltinForm::Length),
    Function::new("map", 0, usize::MAX, Values(|m, a, _| m.map(a))),
    Function::custom("max", |m, a, named| m.extreme(true, a, named)).with_form(BuiltinForm::Extreme { is_max: true }),
    Function::custom("min", |m, a, named| m.extreme(false, a, named)).with_form(BuiltinForm::Extreme { is_max: false }),
    Function::new("next", 1, 2, Values(|m, a, _| m.next(a))).with_form(BuiltinForm::Next),
    Function::unary("oct", |m, a, _| m.digits(a[0], "0o", 8)),
    Function::unary("ord", |m, a, _| m.ord(a[0])),
    Function::named("pow", parameters(&["base", "exp", "mod"]).with_required(2), Machine::pow),
    Function::custom("print", Machine::print).with_result(ResultType::None).reading_only(),
    Function::unary("repr", |m, a, _| m.representation(a[0])).with_result(ResultType::Text).reading_only(),
    Function::unary("reversed", |m, a, _| m.reversed(a[0])).with_form(BuiltinForm::Reversed),
    Function::named("round", parameters(&["number", "ndigits"]), Machine::round),
    Function::new("setattr", 3, 3, Values(|m, a, _| m.set_attribute_by_name(a))),
    Function::custom("sorted", Machine::sorted).with_form(BuiltinForm::Sorted),
    Function::named("sum", parameters(&["iterable", "start"]).with_positional_only(1), Machine::sum)
        .with_form(BuiltinForm::Sum),
    Function::unary("vars", |m, a, _| m.attribute_dict(a[0])),
    Function::custom("zip", Machine::zip).with_form(BuiltinForm::Zip),
];

/// Returns the built-in function with this name.
pub fn builtin_function(name: &str) -> Option<&'static Function> {
    FUNCTIONS.binary_search_by_key(&name, |function| function.name).ok().map(|index| &FUNCTIONS[index])
}

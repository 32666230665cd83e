//! Tests of the tables of library functions, classes and methods.

mod methods;

use std::collections::HashSet;

use num_bigint::BigInt;

use super::builtins::BUILTIN_FUNCTIONS;
use super::class_methods;
use super::frame::ReturnTarget;
use super::library_function::LibraryFunction;
use super::numpy::{Dtype, Scalar};
use super::value::{Type, Value};
use super::{Machine, library};
use crate::code::{CodeId, CodeKind, CodeObject, Constant, Instruction, Program, Signature, SourceRange};
use crate::library::Library;
use crate::limits::CallBudget;
use crate::scene::World;

/// The rows that programs reach by a name.
fn rows() -> Vec<&'static LibraryFunction> {
    let libraries = Library::ALL.iter().flat_map(|&library| library::functions(library));
    libraries.chain(&BUILTIN_FUNCTIONS).chain(class_methods::functions()).collect()
}

/// A machine with a program that does nothing.
fn machine() -> Machine {
    let code = CodeObject {
        kind: CodeKind::Module,
        name: "<module>".into(),
        qualified_name: "<module>".into(),
        documentation: None,
        signature: Signature::default(),
        range: SourceRange::default(),
        locals: Vec::new(),
        cells: Vec::new(),
        free: Vec::new(),
        instructions: vec![Instruction::Constant(0), Instruction::Return],
        instruction_ranges: Vec::new(),
        handlers: Vec::new(),
        constants: vec![Constant::None],
        sites: Vec::new(),
    };
    let program = Program::new("program".into(), vec![code], vec!["axis".into()], vec![0]).unwrap();
    let budget = CallBudget { memory: 1 << 20, call_depth: 50, ..CallBudget::with_work(50_000) };
    Machine::new(program, World::default(), budget).unwrap()
}

/// Values that few functions expect.
fn odd_values(machine: &mut Machine) -> Vec<Value> {
    let text = machine.heap.text("a b");
    let empty = machine.heap.list(Vec::new());
    let numbers = machine.heap.list(vec![Value::Int(2), Value::Float(f64::NAN)]);
    let ragged = machine.heap.list(vec![numbers, Value::Int(1)]);
    let pair = machine.heap.tuple([text, numbers]);
    let dict = Value::Ref(machine.empty_dict());
    let array = machine.new_float_vector(&[1.0, -0.0]).unwrap();
    let big = machine.new_int(BigInt::from(1) << 70);
    vec![
        Value::None,
        Value::Bool(true),
        Value::Int(-1),
        Value::Int(i64::MAX),
        Value::Float(f64::NAN),
        Value::Float(1e300),
        Value::from(Scalar::Int(i64::MIN)),
        Value::Dtype(Dtype::Bool),
        Value::Type(Type::List),
        Value::Builtin(&BUILTIN_FUNCTIONS[0]),
        big,
        text,
        empty,
        numbers,
        ragged,
        pair,
        dict,
        array,
    ]
}

/// Calls a function or class with arguments, and examines the result.
fn call(machine: &mut Machine, called: Value, arguments: &[Value], keyword: Option<(&str, Value)>) {
    machine.begin_run();
    let frame = machine.new_frame(CodeId(0), &[], ReturnTarget::Host, None);
    machine.frames.push(frame);
    let named: Vec<_> = keyword.into_iter().map(|(name, value)| (machine.intern(name), value)).collect();
    let Ok(result) = machine.call_value(called, arguments, &named) else { return };
    // Failures of the further uses are results as well.
    let _text = machine.repr(result);
    if let Ok(Some(iterator)) = machine.try_iterator(result) {
        for _ in 0..3 {
            let _item = machine.advance(iterator);
        }
    }
}

/// Calls a function or class with no, one, two, three equal and more odd values, and with keywords.
fn call_oddly(machine: &mut Machine, called: Value) {
    let values = renewed_values(machine);
    call(machine, called, &[], None);
    for &one in &values {
        call(machine, called, &[one], None);
        call(machine, called, &[one], Some(("axis", one)));
        call(machine, called, &[], Some(("unexpected", one)));
        for &two in &renewed_values(machine) {
            call(machine, called, &[one, two], None);
            call(machine, called, &[two, one, two], None);
        }
    }
    let values = renewed_values(machine);
    for count in 4..8 {
        call(machine, called, &values[..count], None);
        call(machine, called, &values[values.len() - count..], None);
    }
}

/// Resets the machine and returns its odd values, which are at the same places of the heap after each reset.
fn renewed_values(machine: &mut Machine) -> Vec<Value> {
    machine.reset().unwrap();
    odd_values(machine)
}

#[test]
fn names_are_unique() {
    let mut names = HashSet::new();
    for row in rows() {
        assert!(names.insert(row.name), "{} occurs twice", row.name);
    }
    for library in Library::ALL {
        let mut names = HashSet::new();
        for name in library.names() {
            assert!(names.insert(name), "{name} occurs twice in {}", library.name());
        }
    }
}

#[test]
fn every_name_of_a_library_has_a_value() {
    for library in Library::ALL {
        for name in library.names() {
            let is_submodule = Library::from_name(&format!("{}.{name}", library.name())).is_some();
            // The constants of `string` are texts on the heap.
            let is_text = library == Library::String && library::string_constant(name).is_some();
            let is_member = is_submodule || is_text || library::library_member(library, name).is_some();
            assert!(is_member, "{}.{name}", library.name());
        }
    }
}

#[test]
fn functions_belong_to_the_module_of_their_table() {
    for library in Library::ALL {
        for function in library::functions(library) {
            assert_eq!(function.module(), Some(library.name()), "{}", function.name);
            assert_eq!(library.function(function.short_name()), Some(function));
        }
    }
    assert!(BUILTIN_FUNCTIONS.iter().all(|function| function.module().is_none()));
}

#[test]
fn searched_tables_are_sorted() {
    assert!(BUILTIN_FUNCTIONS.is_sorted_by_key(|function| function.name));
    for library in Library::ALL {
        assert!(library::functions(library).is_sorted_by_key(|function| function.name), "{}", library.name());
    }
}

#[test]
fn machine_code_can_number_the_functions_of_math() {
    assert!(library::functions(Library::Math).len() <= 256);
}

#[test]
fn parameters_are_consistent() {
    for row in rows() {
        assert!(row.has_consistent_parameters(), "{}", row.name);
    }
}

#[test]
fn functions_accept_or_reject_odd_arguments() {
    let mut machine = machine();
    for row in rows() {
        call_oddly(&mut machine, Value::Builtin(row));
    }
}

#[test]
fn classes_accept_or_reject_odd_arguments() {
    let mut machine = machine();
    let members = Library::ALL
        .into_iter()
        .flat_map(|library| library.names().into_iter().filter_map(move |name| library::library_member(library, name)));
    let built_in = [
        "bool",
        "bytes",
        "dict",
        "float",
        "frozenset",
        "int",
        "list",
        "object",
        "property",
        "range",
        "set",
        "slice",
        "str",
        "super",
        "tuple",
        "type",
        "classmethod",
        "staticmethod",
        "ValueError",
    ];
    let built_in = built_in.into_iter().filter_map(Machine::builtin);
    for class in members.chain(built_in).filter(|member| matches!(member, Value::Type(_))) {
        call_oddly(&mut machine, class);
    }
}

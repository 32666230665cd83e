//! Tests of the tables of methods.

use std::collections::HashSet;

use super::{call, machine, renewed_values};
use crate::code::CodeId;
use crate::library::{Library, methods, refused_methods};
use crate::machine::Machine;
use crate::machine::class_methods::class_method;
use crate::machine::exceptions::ExecError;
use crate::machine::frame::ReturnTarget;
use crate::machine::library::library_member;
use crate::machine::methods::Method;
use crate::machine::numpy::Scalar;
use crate::machine::value::{HeapObject, Type, Value};

/// The names without two underscores that `dir` lists for the built-in types and those of `collections` in CPython 3.11.
const NAMES: [(&str, &str); 20] = [
    ("list", "append clear copy count extend index insert pop remove reverse sort"),
    ("tuple", "count index"),
    ("range", "count index start step stop"),
    ("dict", "clear copy fromkeys get items keys pop popitem setdefault update values"),
    (
        "set",
        "add clear copy difference difference_update discard intersection intersection_update isdisjoint issubset \
        issuperset pop remove symmetric_difference symmetric_difference_update union update",
    ),
    ("frozenset", "copy difference intersection isdisjoint issubset issuperset symmetric_difference union"),
    (
        "str",
        "capitalize casefold center count encode endswith expandtabs find format format_map index isalnum isalpha \
        isascii isdecimal isdigit isidentifier islower isnumeric isprintable isspace istitle isupper join ljust lower \
        lstrip maketrans partition removeprefix removesuffix replace rfind rindex rjust rpartition rsplit rstrip split \
        splitlines startswith strip swapcase title translate upper zfill",
    ),
    (
        "bytes",
        "capitalize center count decode endswith expandtabs find fromhex hex index isalnum isalpha isascii isdigit \
        islower isspace istitle isupper join ljust lower lstrip maketrans partition removeprefix removesuffix replace \
        rfind rindex rjust rpartition rsplit rstrip split splitlines startswith strip swapcase title translate upper \
        zfill",
    ),
    ("float", "as_integer_ratio conjugate fromhex hex imag is_integer real"),
    ("int", "as_integer_ratio bit_count bit_length conjugate denominator from_bytes imag numerator real to_bytes"),
    (
        "deque",
        "append appendleft clear copy count extend extendleft index insert maxlen pop popleft remove reverse rotate",
    ),
    (
        "Counter",
        "_keep_positive clear copy elements fromkeys get items keys most_common pop popitem setdefault subtract total \
        update values",
    ),
    ("OrderedDict", "clear copy fromkeys get items keys move_to_end pop popitem setdefault update values"),
    ("defaultdict", "clear copy default_factory fromkeys get items keys pop popitem setdefault update values"),
    ("property", "deleter fdel fget fset getter setter"),
    ("generator", "close gi_code gi_frame gi_running gi_suspended gi_yieldfrom send throw"),
    ("slice", "indices start step stop"),
    ("dict_keys", "isdisjoint mapping"),
    ("dict_values", "mapping"),
    ("dict_items", "isdisjoint mapping"),
];

/// Creates an instance of a class of a library.
fn instance(machine: &mut Machine, library: Library, class: &str, arguments: &[Value]) -> Value {
    let class = library_member(library, class).expect("the library has the class");
    machine.call_value(class, arguments, &[]).unwrap()
}

/// Returns the result of a method.
fn result(machine: &mut Machine, object: Value, method: &str, arguments: &[Value]) -> Value {
    let symbol = machine.intern(method);
    let method = machine.attribute(object, symbol).unwrap();
    machine.call_value(method, arguments, &[]).unwrap()
}

/// Values of every class with methods, by the names of the classes.
fn receivers(machine: &mut Machine) -> Vec<(&'static str, Value)> {
    machine.begin_run();
    let frame = machine.new_frame(CodeId(0), &[], ReturnTarget::Host, None);
    machine.frames.push(frame);
    let [text, pattern, name] = ["a-b c", "(a)", "axis"].map(|text| machine.heap.text(text));
    let list = machine.heap.list(vec![Value::Int(3), Value::Int(1), text]);
    let tuple = machine.heap.tuple([Value::Int(3), text]);
    let dict = Value::Ref(machine.empty_dict());
    machine.set_item(dict, text, Value::Int(1)).unwrap();
    let set = machine.new_set(vec![Value::Int(3), text]).unwrap();
    let frozen_set = machine.set_of(Some(set), true).unwrap();
    let add = |machine: &mut Machine, object| Value::Ref(machine.heap.add(object));
    let range = add(machine, HeapObject::Range { start: 0, stop: 5, step: 2 });
    let slice = add(machine, HeapObject::Slice([Value::Int(-1), Value::None, Value::None]));
    let property = add(machine, HeapObject::Property { get: Value::None, set: None, delete: None });
    let frame = machine.new_frame(CodeId(0), &[], ReturnTarget::Host, None);
    let generator = machine.new_generator(frame);
    let bytes = machine.new_bytes(*b"a b");
    let array = machine.new_float_vector(&[1.0, -0.0]).unwrap();
    let views = ["keys", "items", "values"].map(|view| result(machine, dict, view, &[]));
    let sleep = library_member(Library::Operator, "add").unwrap();
    let cached = instance(machine, Library::Functools, "lru_cache", &[sleep]);
    let field_names = machine.heap.tuple([name]);
    let point = instance(machine, Library::Collections, "namedtuple", &[name, field_names]);
    let point = machine.call_value(point, &[Value::Int(1)], &[]).unwrap();
    let pattern = instance(machine, Library::Regex, "compile", &[pattern]);
    let found = result(machine, pattern, "search", &[text]);
    let namespace = instance(machine, Library::Types, "SimpleNamespace", &[]);
    let attributes = machine.attribute_dict(namespace).unwrap();
    let mut all = vec![
        ("list", list),
        ("tuple", tuple),
        ("dict", dict),
        ("set", set),
        ("frozenset", frozen_set),
        ("range", range),
        ("slice", slice),
        ("property", property),
        ("generator", generator),
        ("str", text),
        ("bytes", bytes),
        ("int", Value::Int(-5)),
        ("float", Value::Float(f64::NAN)),
        ("ndarray", array),
        ("generic", Value::from(Scalar::Float(f64::NAN))),
        ("dict_keys", views[0]),
        ("dict_items", views[1]),
        ("dict_values", views[2]),
        ("_lru_cache_wrapper", cached),
        ("NamedTuple", point),
        ("Pattern", pattern),
        ("Match", found),
        ("Logger", instance(machine, Library::Logging, "getLogger", &[])),
        ("Template", instance(machine, Library::String, "Template", &[text])),
        ("Random", instance(machine, Library::Random, "Random", &[Value::Int(1)])),
        ("RandomState", instance(machine, Library::NumpyRandom, "RandomState", &[Value::Int(1)])),
        ("Generator", instance(machine, Library::NumpyRandom, "default_rng", &[Value::Int(1)])),
        ("attributes", attributes),
        ("AbstractContextManager", instance(machine, Library::Contextlib, "nullcontext", &[])),
        ("ExitStack", instance(machine, Library::Contextlib, "ExitStack", &[])),
    ];
    for class in ["deque", "Counter", "OrderedDict", "defaultdict", "ChainMap"] {
        all.push((class, instance(machine, Library::Collections, class, &[])));
    }
    all
}

#[test]
fn tables_of_methods_are_sorted_and_consistent() {
    let mut names = HashSet::new();
    for row in methods() {
        assert!(names.insert(row.qualified_name), "{} occurs twice", row.qualified_name);
        assert!(row.has_consistent_parameters(), "{}", row.qualified_name);
        assert!(!row.class().is_empty(), "{}", row.qualified_name);
    }
    let rows: Vec<_> = methods().collect();
    let unsorted = rows.windows(2).find(|pair| pair[0].class() == pair[1].class() && pair[0].name >= pair[1].name);
    assert!(unsorted.is_none(), "{unsorted:?}");
}

#[test]
fn methods_accept_or_reject_odd_arguments() {
    let mut called = HashSet::new();
    let names: HashSet<&str> = methods().map(|row| row.name).collect();
    for index in 0..receivers(&mut machine()).len() {
        for &name in &names {
            // The objects of a run are kept until the next call of a program, so that one machine for all methods would run out of memory.
            let mut machine = machine();
            let Some((_, row)) = method_of_receiver(&mut machine, index, name) else { continue };
            called.insert(row.qualified_name);
            for place in 0..renewed_values(&mut machine).len() {
                for count in 0..4 {
                    for keyword in [None, Some("axis")] {
                        let one = renewed_values(&mut machine)[place];
                        let Some((method, _)) = method_of_receiver(&mut machine, index, name) else { continue };
                        let arguments = [one, Value::Int(-1), one];
                        let keyword = keyword.map(|keyword| (keyword, one));
                        call(&mut machine, method, &arguments[..count], keyword);
                        call(&mut machine, method, &arguments[3 - count..], keyword);
                    }
                }
            }
        }
    }
    for row in methods().filter(|row| row.class() != "GameObject") {
        assert!(called.contains(row.qualified_name), "{} was never called", row.qualified_name);
    }
}

/// Returns a method of the receiver with an index, if it has one of this name.
fn method_of_receiver(machine: &mut Machine, index: usize, name: &str) -> Option<(Value, Method)> {
    let (_, receiver) = receivers(machine)[index];
    let symbol = machine.intern(name);
    let Ok(Some(method)) = machine.find_attribute(receiver, symbol) else { return None };
    let Value::Ref(at) = method else { return None };
    match machine.heap.get(at) {
        HeapObject::BuiltinMethod(_, row) => Some((method, row)),
        _ => None,
    }
}

#[test]
fn unbound_methods_accept_or_reject_odd_arguments() {
    let mut machine = machine();
    let names: HashSet<&str> = methods().map(|row| row.name).collect();
    for class in [Type::List, Type::Dict, Type::Str, Type::Set, Type::Float] {
        for &name in &names {
            for place in 0..renewed_values(&mut machine).len() {
                for count in 0..4 {
                    let value = renewed_values(&mut machine)[place];
                    let symbol = machine.intern(name);
                    let Ok(Some(method)) = machine.find_attribute(Value::Type(class), symbol) else { continue };
                    call(&mut machine, method, &[value, Value::Int(0), value][..count], None);
                }
            }
        }
    }
}

#[test]
fn every_name_of_a_built_in_class_is_supported_or_refused() {
    let mut machine = machine();
    let refused: HashSet<_> = refused_methods().map(|row| (row.class, row.name)).collect();
    for (class, names) in NAMES {
        let (_, receiver) = receivers(&mut machine).into_iter().find(|(other, _)| *other == class).unwrap();
        for name in names.split_whitespace() {
            let symbol = machine.intern(name);
            let kind = machine.type_of(receiver);
            let is_supported =
                matches!(machine.find_attribute(receiver, symbol), Ok(Some(_))) || class_method(kind, name).is_some();
            assert_ne!(is_supported, refused.contains(&(class, name)), "{class}.{name}");
        }
    }
    for row in refused_methods() {
        assert!(NAMES.iter().any(|(class, names)| *class == row.class && names.contains(row.name)), "{row:?}");
    }
}

#[test]
fn a_refused_name_is_named_with_its_reason() {
    let mut machine = machine();
    let (_, generator) = receivers(&mut machine).into_iter().find(|(class, _)| *class == "generator").unwrap();
    let symbol = machine.intern("gi_frame");
    let Err(ExecError::Raised(raised)) = machine.attribute(generator, symbol) else { panic!("it is refused") };
    let text = machine.plain_exception_text(raised).unwrap();
    assert_eq!(
        text,
        "reward functions do not support the attribute 'gi_frame' of 'generator': it gives access to the interpreter"
    );
}

//! The tables of methods by class, and the names of methods and attributes that are refused.

use super::number::{FLOAT, INT};
use super::small::{GENERATOR, ITEM_VIEW, KEY_VIEW, LRU_CACHE, PROPERTY, RANGE, SLICE, TUPLE};
use super::{BYTES, DICT, LIST, Method, MethodRow, SET, STR};
use crate::machine::library;
use crate::machine::library_class::LibraryClass;
use crate::machine::numpy::{ARRAY_METHODS, NUMPY_SCALAR_METHODS};
use crate::machine::screen::SCREEN_METHODS;
use crate::machine::special_methods::SPECIAL_METHODS;
use crate::machine::value::Type;

/// The tables of a class: its own one, then those of its bases.
type Tables = &'static [&'static [MethodRow]];

/// Returns the tables of a class.
fn tables_of(kind: Type) -> Tables {
    match kind {
        Type::List => const { &[&LIST] },
        Type::Tuple => const { &[&TUPLE] },
        Type::Range => const { &[&RANGE] },
        Type::Slice => const { &[&SLICE] },
        Type::Dict => const { &[&DICT] },
        Type::Set => const { &[&SET] },
        Type::Str => const { &[&STR] },
        Type::Bytes => const { &[&BYTES] },
        Type::Float => const { &[&FLOAT] },
        Type::Int | Type::Bool => const { &[&INT] },
        Type::Property => const { &[&PROPERTY] },
        Type::Generator => const { &[&GENERATOR] },
        Type::Library(class) => class.methods,
        Type::Iterator(&"functools._lru_cache_wrapper") => const { &[&LRU_CACHE] },
        Type::Iterator(&("dict_keys" | "odict_keys")) => const { &[&KEY_VIEW] },
        Type::Iterator(&("dict_items" | "odict_items")) => const { &[&ITEM_VIEW] },
        Type::Array => const { &[&ARRAY_METHODS] },
        Type::Numpy(_) => const { &[&NUMPY_SCALAR_METHODS] },
        Type::Screen(_) => const { &[&SCREEN_METHODS] },
        _ => &[],
    }
}

/// Returns the row of a table with a name.
pub(in crate::machine) fn find_row(table: &'static [MethodRow], name: &str) -> Option<Method> {
    table.binary_search_by(|row| row.name.cmp(name)).ok().map(|index| &table[index])
}

/// Returns the method of a class with a name.
pub(in crate::machine) fn find_method(kind: Type, name: &str) -> Option<Method> {
    tables_of(kind).iter().find_map(|table| find_row(table, name))
}

/// The tables that programs reach by attributes of values.
static TABLES: [&[MethodRow]; 17] = [
    &ARRAY_METHODS,
    &BYTES,
    &DICT,
    &FLOAT,
    &GENERATOR,
    &INT,
    &ITEM_VIEW,
    &KEY_VIEW,
    &LIST,
    &LRU_CACHE,
    &PROPERTY,
    &RANGE,
    &SCREEN_METHODS,
    &SET,
    &SLICE,
    &STR,
    &TUPLE,
];

/// Returns all methods of built-in classes, and of the classes of the standard library and of numpy.
pub fn methods() -> impl Iterator<Item = &'static MethodRow> {
    tables().flatten()
}

/// Returns all tables.
fn tables() -> impl Iterator<Item = &'static [MethodRow]> {
    let of_library = LibraryClass::WITH_METHODS.iter().filter_map(|class| class.methods.first().copied());
    let others: [&'static [MethodRow]; 3] = [&NUMPY_SCALAR_METHODS, &SPECIAL_METHODS, &library::NAMED_TUPLE_METHODS];
    TABLES.into_iter().chain(of_library).chain(others)
}

/// Returns a method by the name of its class, such as `list`, and its own.
pub fn method(class: &str, name: &str) -> Option<&'static MethodRow> {
    let table = tables().find(|table| table.first().is_some_and(|row| row.class() == class))?;
    find_row(table, name)
}

/// Returns the methods with a name of the classes that hold elements.
pub fn collection_methods(name: &str) -> impl Iterator<Item = &'static MethodRow> {
    let tables: [&'static [MethodRow]; 8] = [
        &LIST,
        &DICT,
        &SET,
        &library::DEQUE_METHODS,
        &library::COUNTER_METHODS,
        &library::ORDERED_DICT_METHODS,
        &library::CHAIN_MAP_METHODS,
        &ARRAY_METHODS,
    ];
    tables.into_iter().filter_map(move |table| find_row(table, name))
}

/// A method or attribute of a built-in class that reward functions do not support.
#[derive(Debug, Clone, Copy)]
pub struct RefusedMethod {
    /// The class.
    pub class: &'static str,
    /// The name.
    pub name: &'static str,
    /// The reason.
    pub reason: &'static str,
}

const INTERPRETER: &str = "it gives access to the interpreter";
const INTERNAL: &str = "it is an internal method; use `+counter`";
const VIEW: &str = "use the dict itself";
const PROPERTY_FUNCTION: &str = "define the function outside of the property and call it";

/// The refused names.
static REFUSED: [RefusedMethod; 13] = [
    refused("float", "fromhex", "write the number in decimal"),
    refused("generator", "gi_code", INTERPRETER),
    refused("generator", "gi_frame", INTERPRETER),
    refused("generator", "gi_running", INTERPRETER),
    refused("generator", "gi_suspended", INTERPRETER),
    refused("generator", "gi_yieldfrom", INTERPRETER),
    refused("Counter", "_keep_positive", INTERNAL),
    refused("dict_keys", "mapping", VIEW),
    refused("dict_values", "mapping", VIEW),
    refused("dict_items", "mapping", VIEW),
    refused("property", "fdel", PROPERTY_FUNCTION),
    refused("property", "fget", PROPERTY_FUNCTION),
    refused("property", "fset", PROPERTY_FUNCTION),
];

const fn refused(class: &'static str, name: &'static str, reason: &'static str) -> RefusedMethod {
    RefusedMethod { class, name, reason }
}

/// Returns the methods and attributes of built-in classes that reward functions do not support.
pub fn refused_methods() -> impl Iterator<Item = &'static RefusedMethod> {
    REFUSED.iter()
}

/// Returns the reason for refusing a method or attribute of a class.
pub(in crate::machine) fn refused_method_reason(class: &str, name: &str) -> Option<&'static str> {
    REFUSED.iter().find(|row| row.class == class && row.name == name).map(|row| row.reason)
}

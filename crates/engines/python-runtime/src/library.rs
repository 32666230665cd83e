//! The libraries that programs may import, and the names that they and Python itself provide.

use crate::machine::{library_functions, library_names};

pub use crate::machine::builtins::{builtin_form, builtin_function, builtin_names};
pub(crate) use crate::machine::library_function::FastForm;
pub use crate::machine::library_function::{Accuracy, BuiltinForm, LibraryFunction, ResultType};
pub(crate) use crate::machine::methods::FastMethod;
pub use crate::machine::methods::{
    MethodEffect, MethodRow, RefusedMethod, collection_methods, method, methods, refused_methods,
};

/// A supported library.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Library {
    /// `math`
    Math,
    /// `numpy`
    Numpy,
    /// `numpy.linalg`
    Linalg,
    /// `numpy.random`
    NumpyRandom,
    /// `collections`
    Collections,
    /// `itertools`
    Itertools,
    /// `functools`
    Functools,
    /// `contextlib`
    Contextlib,
    /// `dataclasses`
    Dataclasses,
    /// `enum`
    Enum,
    /// `abc`
    Abc,
    /// `typing`, `numpy.typing` and `__future__`: the names of annotations.
    Typing,
    /// `collections.abc`
    CollectionsAbc,
    /// `heapq`
    Heapq,
    /// `bisect`
    Bisect,
    /// `operator`
    Operator,
    /// `statistics`
    Statistics,
    /// `copy`
    Copy,
    /// `random`
    Random,
    /// `re`
    Regex,
    /// `string`
    String,
    /// `logging`
    Logging,
    /// `warnings`
    Warnings,
    /// `json`
    Json,
    /// `numbers`
    Numbers,
    /// `traceback`
    Traceback,
    /// `types`
    Types,
    /// `sys`: the limits of numbers.
    Sys,
    /// `sys.float_info`
    FloatInfo,
    /// The module with the classes of the world's objects.
    World,
}

impl Library {
    /// All libraries.
    pub const ALL: [Self; 30] = [
        Self::Math,
        Self::Numpy,
        Self::Linalg,
        Self::NumpyRandom,
        Self::Collections,
        Self::Itertools,
        Self::Functools,
        Self::Contextlib,
        Self::Dataclasses,
        Self::Enum,
        Self::Abc,
        Self::Typing,
        Self::CollectionsAbc,
        Self::Heapq,
        Self::Bisect,
        Self::Operator,
        Self::Statistics,
        Self::Copy,
        Self::Random,
        Self::Regex,
        Self::String,
        Self::Logging,
        Self::Warnings,
        Self::Json,
        Self::Numbers,
        Self::Traceback,
        Self::Types,
        Self::Sys,
        Self::FloatInfo,
        Self::World,
    ];

    /// Returns the library with this module name.
    pub fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "math" => Self::Math,
            "numpy" => Self::Numpy,
            "numpy.linalg" => Self::Linalg,
            "numpy.random" => Self::NumpyRandom,
            "collections" => Self::Collections,
            "itertools" => Self::Itertools,
            "functools" => Self::Functools,
            "contextlib" => Self::Contextlib,
            "dataclasses" => Self::Dataclasses,
            "enum" => Self::Enum,
            "abc" => Self::Abc,
            "typing" | "__future__" | "numpy.typing" => Self::Typing,
            "collections.abc" => Self::CollectionsAbc,
            "heapq" => Self::Heapq,
            "bisect" => Self::Bisect,
            "operator" => Self::Operator,
            "statistics" => Self::Statistics,
            "copy" => Self::Copy,
            "random" => Self::Random,
            "re" => Self::Regex,
            "string" => Self::String,
            "logging" => Self::Logging,
            "warnings" => Self::Warnings,
            "json" => Self::Json,
            "numbers" => Self::Numbers,
            "traceback" => Self::Traceback,
            "types" => Self::Types,
            "sys" => Self::Sys,
            "sys.float_info" => Self::FloatInfo,
            _ if ["ocatari.ram.", "ocatari.vision.", "goalspec.world"].iter().any(|start| name.starts_with(start)) => {
                Self::World
            }
            _ => return None,
        })
    }

    /// Returns the library with this full module name, if it is a submodule of `outer`.
    pub fn submodule(outer: Self, name: &str) -> Option<Self> {
        if outer == Self::World { None } else { Self::from_name(name) }
    }

    /// Returns the name of its module.
    pub fn name(self) -> &'static str {
        match self {
            Self::Math => "math",
            Self::Numpy => "numpy",
            Self::Linalg => "numpy.linalg",
            Self::NumpyRandom => "numpy.random",
            Self::Collections => "collections",
            Self::Itertools => "itertools",
            Self::Functools => "functools",
            Self::Contextlib => "contextlib",
            Self::Dataclasses => "dataclasses",
            Self::Enum => "enum",
            Self::Abc => "abc",
            Self::Typing => "typing",
            Self::CollectionsAbc => "collections.abc",
            Self::Heapq => "heapq",
            Self::Bisect => "bisect",
            Self::Operator => "operator",
            Self::Statistics => "statistics",
            Self::Copy => "copy",
            Self::Random => "random",
            Self::Regex => "re",
            Self::String => "string",
            Self::Logging => "logging",
            Self::Warnings => "warnings",
            Self::Json => "json",
            Self::Numbers => "numbers",
            Self::Traceback => "traceback",
            Self::Types => "types",
            Self::Sys => "sys",
            Self::FloatInfo => "sys.float_info",
            Self::World => "world",
        }
    }

    /// Returns the function of the library with this name.
    pub fn function(self, name: &str) -> Option<&'static LibraryFunction> {
        library_functions(self).iter().find(|function| function.short_name() == name)
    }

    /// Returns the names of the library; none for the world, whose names are not known here.
    pub fn names(self) -> Vec<&'static str> {
        let mut names = library_names(self);
        match self {
            Self::Numpy => names.extend(["linalg", "random"]),
            Self::Sys => names.push("float_info"),
            _ => {}
        }
        names
    }

    /// Whether the library has this name; always true for the world, whose names are not known here.
    pub fn has_name(self, name: &str) -> bool {
        self == Self::World || self.names().contains(&name)
    }
}

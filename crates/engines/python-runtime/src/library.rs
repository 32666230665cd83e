//! The libraries that programs may import, and the names that they and Python itself provide.

use crate::machine::{
    ABSTRACT_COLLECTIONS, MATH_CONSTANTS, MATH_FUNCTIONS, NUMPY_CONSTANTS, NUMPY_FUNCTIONS, math_function, typing_names,
};

pub use crate::machine::builtins::builtin_function;
pub(crate) use crate::machine::library_function::FastForm;
pub use crate::machine::library_function::{Accuracy, LibraryFunction, ResultType};

/// A supported library.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Library {
    /// `math`
    Math,
    /// `numpy`
    Numpy,
    /// `numpy.linalg`
    Linalg,
    /// `collections`
    Collections,
    /// `itertools`
    Itertools,
    /// `functools`
    Functools,
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
    /// The module with the classes of the world's objects.
    World,
}

/// The names of the libraries with a fixed list of members.
const COLLECTIONS: [&str; 5] = ["Counter", "OrderedDict", "defaultdict", "deque", "namedtuple"];
const ITERTOOLS: [&str; 16] = [
    "accumulate",
    "chain",
    "combinations",
    "combinations_with_replacement",
    "compress",
    "count",
    "cycle",
    "dropwhile",
    "islice",
    "pairwise",
    "permutations",
    "product",
    "repeat",
    "starmap",
    "takewhile",
    "zip_longest",
];
const FUNCTOOLS: [&str; 6] = ["cache", "lru_cache", "partial", "reduce", "total_ordering", "wraps"];
const DATACLASSES: [&str; 6] = ["FrozenInstanceError", "asdict", "astuple", "dataclass", "field", "replace"];
const ENUM: [&str; 5] = ["Enum", "IntEnum", "StrEnum", "auto", "unique"];
const ABC: [&str; 3] = ["ABC", "ABCMeta", "abstractmethod"];

impl Library {
    /// Returns the library with this module name.
    pub fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "math" => Self::Math,
            "numpy" => Self::Numpy,
            "numpy.linalg" => Self::Linalg,
            "collections" => Self::Collections,
            "itertools" => Self::Itertools,
            "functools" => Self::Functools,
            "dataclasses" => Self::Dataclasses,
            "enum" => Self::Enum,
            "abc" => Self::Abc,
            "typing" | "__future__" | "numpy.typing" => Self::Typing,
            "collections.abc" => Self::CollectionsAbc,
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
            Self::Collections => "collections",
            Self::Itertools => "itertools",
            Self::Functools => "functools",
            Self::Dataclasses => "dataclasses",
            Self::Enum => "enum",
            Self::Abc => "abc",
            Self::Typing => "typing",
            Self::CollectionsAbc => "collections.abc",
            Self::World => "world",
        }
    }

    /// Returns the function of the library with this name; `None` if there is none in a table.
    pub fn function(self, name: &str) -> Option<&'static LibraryFunction> {
        match self {
            Self::Math => math_function(name),
            Self::Numpy | Self::Linalg => self.numpy_functions().find(|function| function.short_name() == name),
            _ => None,
        }
    }

    /// Returns the names of the library; none for the world, whose names are not known here.
    pub fn names(self) -> Vec<&'static str> {
        match self {
            Self::Math => {
                let constants = MATH_CONSTANTS.iter().map(|&(name, _)| name);
                constants.chain(MATH_FUNCTIONS.iter().map(LibraryFunction::short_name)).collect()
            }
            Self::Numpy => {
                let functions = self.numpy_functions().map(LibraryFunction::short_name);
                functions.chain(NUMPY_CONSTANTS).chain(["linalg"]).collect()
            }
            Self::Linalg => self.numpy_functions().map(LibraryFunction::short_name).collect(),
            Self::Collections => COLLECTIONS.to_vec(),
            Self::Itertools => ITERTOOLS.to_vec(),
            Self::Functools => FUNCTOOLS.to_vec(),
            Self::Dataclasses => DATACLASSES.to_vec(),
            Self::Enum => ENUM.to_vec(),
            Self::Abc => ABC.to_vec(),
            Self::Typing => typing_names(),
            Self::CollectionsAbc => ABSTRACT_COLLECTIONS.to_vec(),
            Self::World => Vec::new(),
        }
    }

    /// Whether the library has this name; always true for the world, whose names are not known here.
    pub fn has_name(self, name: &str) -> bool {
        self == Self::World || self.names().contains(&name)
    }

    /// Returns the functions of the module of this library in the table of `numpy`.
    fn numpy_functions(self) -> impl Iterator<Item = &'static LibraryFunction> {
        NUMPY_FUNCTIONS.iter().filter(move |function| function.module() == Some(self.name()))
    }
}

//! The libraries that programs may import, and alternatives to others.

use crate::machine::{ABSTRACT_COLLECTIONS, MATH_NAMES, NUMPY_CONSTANTS, NUMPY_FUNCTIONS, typing_names};

/// A supported library.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Library {
    Math,
    Numpy,
    /// `numpy.linalg`
    Linalg,
    Collections,
    Itertools,
    Functools,
    Dataclasses,
    Enum,
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
    pub(crate) fn from_name(name: &str) -> Option<Self> {
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
    pub(crate) fn submodule(outer: Self, name: &str) -> Option<Self> {
        if outer == Self::World { None } else { Self::from_name(name) }
    }

    pub(crate) fn name(self) -> &'static str {
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

    /// Returns the names of the library; none for the world, whose names are not known here.
    pub(crate) fn names(self) -> Vec<&'static str> {
        let linalg = |&(name, ..): &(&'static str, _, _)| name.strip_prefix("linalg.");
        match self {
            Self::Math => MATH_NAMES.to_vec(),
            Self::Numpy => {
                let functions = NUMPY_FUNCTIONS.iter().map(|&(name, ..)| name).filter(|name| !name.contains('.'));
                functions.chain(NUMPY_CONSTANTS).chain(["linalg"]).collect()
            }
            Self::Linalg => NUMPY_FUNCTIONS.iter().filter_map(linalg).collect(),
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

    pub(crate) fn has_name(self, name: &str) -> bool {
        self == Self::World || self.names().contains(&name)
    }

    /// Describes the contents of the library for a diagnostic.
    pub(crate) fn summary(self) -> String {
        match self {
            Self::Typing => "available are the names used in annotations, which are not evaluated".to_owned(),
            Self::Numpy | Self::Linalg => "the vector functions that rewards need are available".to_owned(),
            _ => format!("`{}` has {}", self.name(), self.names().join(", ")),
        }
    }

    /// Returns the suggested alternative to a name that the library lacks.
    pub(crate) fn alternative(self, name: &str) -> Option<&'static str> {
        Some(match (self, name) {
            (Self::Numpy, "random") => "random numbers are not available: rewards must be deterministic",
            (Self::Numpy, "amax") => "use `np.max`",
            (Self::Numpy, "amin") => "use `np.min`",
            (Self::Linalg, _) => "`np.linalg` has `norm`",
            (Self::Numpy, "float" | "int" | "bool" | "object" | "str") => {
                "numpy has removed it: use the Python type without `np.`"
            }
            (Self::Numpy, "inner" | "vdot" | "einsum" | "matmul") => "use `np.dot`",
            (Self::Numpy, "vstack" | "hstack" | "append") => "use `np.concatenate` or `np.stack`",
            (Self::Numpy, "sort" | "argsort" | "median" | "percentile") => "use `sorted` on a list",
            (Self::Numpy, "load" | "save" | "fromfile" | "loadtxt" | "savetxt") => {
                "files are not available to reward functions"
            }
            (Self::Numpy, "round" | "around") => "use `round` on each number",
            (Self::Numpy, "float16" | "int32" | "int16" | "int8" | "uint8") => {
                "use `np.float64`, `np.float32` or `np.int64`"
            }
            (Self::Numpy, "nan_to_num") => "use `np.where(np.isnan(x), 0.0, x)`",
            (Self::Numpy, "interp") => "write the interpolation explicitly: `low + (high - low) * share`",
            (Self::Typing, "get_type_hints" | "get_origin" | "get_args" | "ForwardRef") => {
                "annotations are not evaluated"
            }
            (Self::Itertools, "groupby") => "use a dict of lists",
            (Self::Functools, "cached_property") => "use `@property`, or set the attribute in `__init__`",
            _ => return None,
        })
    }
}

/// Returns the suggested alternative to a module that is not supported.
pub(crate) fn module_alternative(module: &str) -> &'static str {
    match module.split('.').next().unwrap_or_default() {
        "random" | "secrets" | "uuid" => "random numbers are not available: rewards must be deterministic",
        "time" | "datetime" | "calendar" => {
            "clocks are not available: rewards must be deterministic; count calls in a global, which each episode \
             resets"
        }
        "os" | "sys" | "pathlib" | "io" | "shutil" | "subprocess" | "socket" | "pickle" | "json" | "csv"
        | "logging" => "files, processes and the network are not available to reward functions; `print` is",
        "torch" | "tensorflow" | "jax" | "scipy" | "sklearn" | "pandas" | "cv2" => {
            "use `numpy` vectors and plain arithmetic"
        }
        "threading" | "asyncio" | "multiprocessing" | "concurrent" => "reward functions are not concurrent: remove it",
        "copy" => "build a new list or dict: `list(x)`, `dict(x)`",
        "operator" => "use a `lambda`",
        "statistics" => "use `sum(x) / len(x)`, or `np.mean` and `np.std`",
        "re" | "string" => "use the methods of strings",
        "builtins" | "importlib" | "inspect" | "ctypes" | "gc" | "types" | "ast" | "code" => {
            "it gives access to the environment of the program"
        }
        "gym" | "gymnasium" | "ocatari" | "hackatari" | "jaxatari" => {
            "the objects are arguments: `from ocatari.ram.pong import *` imports their classes"
        }
        _ => {
            "available are `math`, `numpy`, `collections`, `itertools`, `functools`, `dataclasses`, `enum`, `abc`, \
             `typing`, and the object classes of the world"
        }
    }
}

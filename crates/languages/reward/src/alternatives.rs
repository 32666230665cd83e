//! Descriptions of the supported libraries for diagnostics, and alternatives to what is not supported.

use goalspec_python_runtime::library::Library;

/// Describes the contents of the library for a diagnostic.
pub(crate) fn summary(library: Library) -> String {
    match library {
        Library::Typing => "available are the names used in annotations, which are not evaluated".to_owned(),
        Library::Numpy | Library::Linalg => "the vector functions that rewards need are available".to_owned(),
        _ => format!("`{}` has {}", library.name(), library.names().join(", ")),
    }
}

/// Returns the suggested alternative to a name that the library lacks.
pub(crate) fn name_alternative(library: Library, name: &str) -> Option<&'static str> {
    Some(match (library, name) {
        (Library::NumpyRandom, _) => {
            "`np.random` has `rand`, `randn`, `random`, `uniform`, `normal`, `standard_normal`, `exponential`, `randint`, `choice`, \
             `shuffle`, `permutation`, `seed`, `RandomState` and `default_rng`"
        }
        (Library::Linalg, _) => "`np.linalg` has `norm`, `det`, `inv` and `solve`",
        (Library::Numpy, "float" | "int" | "bool" | "object" | "str") => {
            "numpy has removed it: use the Python type without `np.`"
        }
        (Library::Numpy, "einsum" | "tensordot" | "kron") => "use `np.dot`, `np.outer`, or `np.sum` of a product",
        (Library::Numpy, "load" | "save" | "fromfile" | "loadtxt" | "savetxt") => {
            "files are not available to reward functions"
        }
        (Library::Numpy, "float16" | "half" | "longdouble" | "complex64" | "complex128") => {
            "use `np.float64` or `np.float32`"
        }
        (Library::Numpy, "vectorize" | "apply_along_axis" | "frompyfunc") => {
            "use a list comprehension, and `np.array` of its list"
        }
        (Library::Logging, _) => {
            "messages are not shown, and there are no files: handlers and formatters have no effect"
        }
        (Library::Json, "dump" | "load") => "files are not available: `dumps` and `loads` convert texts",
        (Library::Traceback, _) => {
            "`traceback` has `format_exc`, `format_exception_only`, `print_exc`, `print_exception` and `print_stack`"
        }
        (Library::Sys, _) => {
            "`sys` has `maxsize` and `float_info`: files, processes and the interpreter are not available to reward functions"
        }
        (Library::Typing, "get_type_hints" | "get_overloads" | "ForwardRef") => "annotations are not evaluated",
        _ => return None,
    })
}

/// Returns the suggested alternative to a module that is not supported.
pub(crate) fn module_alternative(module: &str) -> &'static str {
    match module.split('.').next().unwrap_or_default() {
        "secrets" | "uuid" => "use the module `random`, whose numbers are the same in every run",
        "time" | "datetime" | "calendar" | "zoneinfo" => {
            "a reward that reads the clock is not reproducible: count calls in a global, which each episode resets"
        }
        "os" | "pathlib" | "io" | "shutil" | "subprocess" | "socket" | "pickle" | "csv" => {
            "files, processes and the network are not available to reward functions; `print` is"
        }
        "torch" | "tensorflow" | "jax" | "scipy" | "sklearn" | "pandas" | "cv2" => {
            "use `numpy` vectors and plain arithmetic"
        }
        "threading" | "asyncio" | "multiprocessing" | "concurrent" => "reward functions are not concurrent: remove it",
        "decimal" | "fractions" => "use floats, or integers in units that are small enough",
        "builtins" | "importlib" | "inspect" | "ctypes" | "gc" | "ast" | "code" => {
            "it gives access to the environment of the program"
        }
        "gym" | "gymnasium" | "ocatari" | "hackatari" | "jaxatari" => {
            "the objects are arguments: `from ocatari.ram.pong import *` imports their classes"
        }
        _ => {
            "available are `math`, `numpy`, `collections`, `itertools`, `functools`, `dataclasses`, `enum`, `abc`, `contextlib`, \
             `typing`, `heapq`, `bisect`, `operator`, `statistics`, `random`, `copy`, `string`, `re`, `types`, `json`, \
             `numbers`, `traceback`, `logging`, `warnings`, and the object classes of the world"
        }
    }
}

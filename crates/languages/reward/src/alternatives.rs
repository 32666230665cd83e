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
        (Library::Numpy, "random") => "random numbers are not available: rewards must be deterministic",
        (Library::Numpy, "amax") => "use `np.max`",
        (Library::Numpy, "amin") => "use `np.min`",
        (Library::Linalg, _) => "`np.linalg` has `norm`",
        (Library::Numpy, "float" | "int" | "bool" | "object" | "str") => {
            "numpy has removed it: use the Python type without `np.`"
        }
        (Library::Numpy, "inner" | "vdot" | "einsum" | "matmul") => "use `np.dot`",
        (Library::Numpy, "vstack" | "hstack" | "append") => "use `np.concatenate` or `np.stack`",
        (Library::Numpy, "sort" | "argsort" | "median" | "percentile") => "use `sorted` on a list",
        (Library::Numpy, "load" | "save" | "fromfile" | "loadtxt" | "savetxt") => {
            "files are not available to reward functions"
        }
        (Library::Numpy, "round" | "around") => "use `round` on each number",
        (Library::Numpy, "float16" | "int32" | "int16" | "int8" | "uint8") => {
            "use `np.float64`, `np.float32` or `np.int64`"
        }
        (Library::Numpy, "nan_to_num") => "use `np.where(np.isnan(x), 0.0, x)`",
        (Library::Numpy, "interp") => "write the interpolation explicitly: `low + (high - low) * share`",
        (Library::Typing, "get_type_hints" | "get_overloads" | "ForwardRef") => "annotations are not evaluated",
        (Library::Itertools, "groupby") => "use a dict of lists",
        _ => return None,
    })
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

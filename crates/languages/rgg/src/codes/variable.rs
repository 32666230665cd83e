//! The diagnostic codes of variables that replace values.

goalspec_syntax::codes! {
    /// A variable without a constraint.
    VARIABLE_FORM = "rgg/variable-form", Error,
    "A variable is a path, `=`, and the constraint from which its values are sampled.\n\n\
    Example: `resourceSpace.disease.r0`. Use instead: `resourceSpace.disease.r0=float.range(1.0,5.0)`.";
    /// A path that does not exist in the file.
    VARIABLE_PATH = "rgg/variable-path", Error,
    "A path consists of the keys to a value, separated by dots, or is a JSON pointer: `resourceSpace.disease.r0` or \
    `/resourceSpace/disease/r0`. Items of a list are addressed by their index, from 0. A value with an alias is addressed where it \
    is written out.";
    /// A value that cannot be varied.
    VARIABLE_TARGET = "rgg/variable-target", Error,
    "A variable replaces one value: the initial value of a resource, or a number or a string on one line anywhere else in the game. \
    The replacements are of the same kind, and only one variable may replace a value.";
    /// A constraint that cannot be sampled.
    VARIABLE_SPACE = "rgg/variable-space", Error,
    "Ranges, enumerations, booleans, sets and `float.normal` can be sampled. An unbounded space, such as all integers, has no \
    uniform distribution, and an empty range has no values.\n\n\
    Example: `int(3)`. Use instead: `int.range(0,6)`.";
}

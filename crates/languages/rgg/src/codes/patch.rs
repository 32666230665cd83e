//! The diagnostic codes of variables that replace values.

goalspec_syntax::codes! {
    /// A variable that does not say what it is drawn from.
    PATCH_FORM = "rgg/variable-form", Error,
    "A variable is a path, `=`, and a constraint that its values are drawn from.\n\n\
    Example: `resourceSpace.disease.r0`. Use instead: `resourceSpace.disease.r0=float.range(1.0,5.0)`.";
    /// A path that leads nowhere.
    PATCH_PATH = "rgg/variable-path", Error,
    "A path is the keys down to a value, with dots between them, or a JSON pointer: `resourceSpace.disease.r0` or \
    `/resourceSpace/disease/r0`. The place in a list is a number, from 0. What an alias stands for is named where it is written out.";
    /// A place whose value cannot be drawn.
    PATCH_PLACE = "rgg/variable-place", Error,
    "What is replaced is one value: what a resource begins with, or a number or a text on one line anywhere else in the game. It is replaced by values \
    of the same kind, and by one variable only.";
    /// A constraint that nothing can be drawn from.
    PATCH_SPACE = "rgg/variable-space", Error,
    "Ranges, enumerations, truth values, sets and `float.normal` can be drawn from. Of all whole numbers, say, nothing says how likely \
    each is, and an empty range has nothing to draw.\n\nExample: `int(3)`. Use instead: `int.range(0,6)`.";
}

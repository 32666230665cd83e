//! The diagnostics of world files.

goalspec_syntax::codes! {
    /// Invalid TOML.
    TOML = "world/toml", Error,
    "World files are written in TOML 1.0. After a syntax error, the rest of the file is not read.\n\nThe message is that of \
     the TOML parser. Common causes: an unclosed quote, a duplicate key, an unquoted name with `|` or other special characters.";

    /// An unknown key.
    UNKNOWN_KEY = "world/unknown-key", Error,
    "Unknown keys are errors, because a misspelled setting would otherwise be ignored.\n\nSee the reference of the world \
     file format for the keys of each table.";

    /// A missing key.
    MISSING_KEY = "world/missing-key", Error,
    "The declaration requires this key.\n\nExample: every attribute requires `kind` and `of`:\n\n    \
     [attributes]\n    weight = { kind = \"real\", of = \"thing\" }";

    /// A value of the wrong type or outside of its bounds.
    WRONG_VALUE = "world/wrong-value", Error,
    "The message states the expected type or bounds.\n\nVectors are written as lists of three numbers, objects as their \
     names, and no object as `\"\"`.";

    /// An undeclared name.
    UNKNOWN_NAME = "world/unknown-name", Error,
    "Types, objects, attributes, predicates, functions and settings must be declared in this file or in one that it \
     extends.\n\nThe order of declarations does not matter.";

    /// A duplicate declaration.
    DUPLICATE = "world/duplicate", Error,
    "The names of types, of objects, of attributes, and of predicates and functions together must be unique, and so must \
     the names by which recordings refer to objects.\n\nA file may redeclare predicates, functions and settings of the file \
     that it extends; the later declaration replaces the earlier one.";

    /// An invalid name.
    BAD_NAME = "world/bad-name", Error,
    "Programs refer to types, attributes, predicates, functions and some objects by name. Names must not be empty, must \
     not begin with `?`, and must not contain spaces, double quotes, parentheses or semicolons.\n\nThe ids of objects in \
     recordings may be any string: give such an object a `name` as well.";

    /// Contradictory declarations.
    MISMATCH = "world/mismatch", Error,
    "The declarations of a world must be consistent: a flag is an attribute of kind `bool`, a value is of the kind of its \
     attribute, an object has the attributes for which values are given, and a predicate is used with its number of arguments.";

    /// A cycle of supertypes.
    TYPE_CYCLE = "world/type-cycle", Error,
    "A type cannot be its own supertype, directly or through others. If every `a` is a `b` and every `b` is an `a`, declare \
     only one of them.";

    /// Cyclic definitions.
    DEFINITION_CYCLE = "world/definition-cycle", Error,
    "The definition of a predicate or function must not use itself, directly or through others.";

    /// A world beyond the limits.
    TOO_LARGE = "world/too-large", Error,
    "Limits prevent that an input exhausts time or memory: the size of the file, the number of types and attributes, and \
     the depth and size of expanded definitions. The message names the limit.";

    /// An invalid `extends`.
    CANNOT_EXTEND = "world/cannot-extend", Error,
    "`extends` names another world file, without `.world.toml`: a built-in one, such as `room`, or one in the same \
     folder. Chains of extended files are allowed, cycles are not.";

    /// An invalid setting of an operation.
    SETTING = "world/setting", Error,
    "Operations are computed predicates, functions and trackers; each has its own settings.\n\nSee the reference of the \
     world file format for the operations and their settings.";

    /// A malformed definition.
    DEFINITION = "world/definition", Error,
    "Definitions are conditions or expressions in parentheses:\n\n    (and (on ?a ?b) (not (broken ?a)))\n    (<= (distance \
     ?a ?b) 0.75)\n    (+ (weight ?a) 1)\n\nConditions: `and`, `or`, `not`, `imply`, `exists`, `forall`, comparisons with \
     `<`, `<=`, `=`, `>=`, `>`, and predicates. Expressions: numbers, settings as `$name`, functions, `+`, `-`, `*`, `/`, \
     `abs`.";
}

//! The diagnostics of world files.

goalspec_syntax::codes! {
    /// A file that is not TOML.
    TOML = "world/toml", Error,
    "World files are written in TOML 1.0. Where a line is not TOML, nothing after it can be trusted, so the file is not \
     read any further.\n\nThe message is the TOML parser's. Common causes: a quote that is not closed, a key given twice, a \
     name with `|` or other signs that is not in quotes.";

    /// A key that world files do not have at this place.
    UNKNOWN_KEY = "world/unknown-key", Error,
    "A key that means nothing would be a setting that silently does not work.\n\nSee the reference of the world file \
     format for the keys of each table.";

    /// A key that must be there is not.
    MISSING_KEY = "world/missing-key", Error,
    "Without this key the declaration has no meaning.\n\nExample: every attribute needs `kind` and `of`:\n\n    \
     [attributes]\n    weight = { kind = \"real\", of = \"thing\" }";

    /// A value of another kind than the key takes.
    WRONG_VALUE = "world/wrong-value", Error,
    "The key takes another kind of value, or a value within certain bounds; the message says which.\n\nVectors are \
     written as lists of three numbers, objects by name, `\"\"` for no object.";

    /// A name that is not declared.
    UNKNOWN_NAME = "world/unknown-name", Error,
    "Types, objects, attributes, predicates, functions and settings must be declared in this file or in one that it \
     extends.\n\nThe order of declarations does not matter.";

    /// A name that is declared twice.
    DUPLICATE = "world/duplicate", Error,
    "Two declarations of one name cannot both hold. Names of types, of objects, of attributes and of predicates and \
     functions together must be unique, and so must the names under which recordings refer to objects.\n\nA file may \
     declare predicates, functions and settings of the file that it extends anew; the later declaration replaces the \
     earlier one.";

    /// A name that the languages could not write.
    BAD_NAME = "world/bad-name", Error,
    "Programs refer to types, attributes, predicates, functions and some objects by name. So names are not empty, do not \
     begin with `?` and contain no spaces, double quotes, parentheses or semicolons.\n\nThe ids of objects in recordings may be \
     any text: give such an object a `name` besides.";

    /// A declaration that contradicts another.
    MISMATCH = "world/mismatch", Error,
    "The parts of a world must fit together: a flag is an attribute of kind `bool`, values are of the attribute's kind, \
     objects have the attributes that they are given values for, predicates are used with the number of arguments that \
     they take.";

    /// Types that are their own supertypes.
    TYPE_CYCLE = "world/type-cycle", Error,
    "If every `a` is a `b` and every `b` is an `a`, they are one type: declare one of them only.";

    /// Definitions that use each other in a circle.
    DEFINITION_CYCLE = "world/definition-cycle", Error,
    "A predicate or function must not use itself, directly or through others: its value would depend on its value.";

    /// A world that is larger than engines can bear.
    TOO_LARGE = "world/too-large", Error,
    "World files are bounded so that no input can exhaust time or memory: the size of the file, the number of types and \
     attributes, the depth and the spelled-out size of definitions. The message names the bound.";

    /// A file to extend that cannot be read.
    CANNOT_EXTEND = "world/cannot-extend", Error,
    "`extends` names another world file, without `.world.toml`: one that comes with goalspec, such as `room`, or one in \
     the same folder. Files may extend one another over several levels but not in a circle.";

    /// A setting that an operation does not take, or not like this.
    SETTING = "world/setting", Error,
    "Operations are computed predicates, functions and trackers; each has its own settings.\n\nSee the reference of the \
     world file format for the operations and their settings.";

    /// A definition that is not well-formed.
    DEFINITION = "world/definition", Error,
    "Definitions are conditions or expressions in parentheses:\n\n    (and (on ?a ?b) (not (broken ?a)))\n    (<= (distance \
     ?a ?b) 0.75)\n    (+ (weight ?a) 1)\n\nConditions: `and`, `or`, `not`, `imply`, `exists`, `forall`, comparisons with \
     `<`, `<=`, `=`, `>=`, `>`, and predicates. Expressions: numbers, settings as `$name`, functions, `+`, `-`, `*`, `/`, \
     `abs`.";
}

//! The diagnostic codes of constraints and expressions.

goalspec_syntax::codes! {
    /// A constraint of an unknown type.
    CONSTRAINT_TYPE = "rgg/constraint-type", Error,
    "A constraint is a type with its arguments in parentheses, such as `int.range(0; 0,10)`, or `true` or `false`.\n\n\
    Example: `5`. Use instead: `int(5)`.";
    /// An initial value or a bound that is not of the type.
    CONSTRAINT_VALUE = "rgg/constraint-value", Error,
    "What stands in the parentheses has to be of the type that is named before them.\n\n\
    Example: `int(5.0)`. Use instead: `int(5)` or `float(5.0)`.";
    /// The wrong number of arguments in a constraint.
    CONSTRAINT_ARGUMENTS = "rgg/constraint-arguments", Error,
    "A range has two bounds, a normal distribution has a mean and a standard deviation, and an enumeration has a member at least.\n\n\
    Example: `int.range(1,2,3)`. Use instead: `int.range(1; 2,3)`, which begins with 1.";
    /// Something in a constraint that does not count.
    CONSTRAINT_IGNORED = "rgg/constraint-ignored", Warning,
    "Members that are not of the type are left out, text after the closing parenthesis does not count, and of the two parts of a \
    constraint that has only a value, the second one is the value.\n\n\
    Example: `boolean(false; true)` is `boolean(true)`.";
    /// An expression that cannot be read.
    EXPRESSION_SYNTAX = "rgg/expression-syntax", Error,
    "Operands and operators do not fit together, or a character has no meaning here. The Cage engine gives such an expression no value, \
    silently, and in that dialect this is a warning.\n\n\
    Example: `{a.x} +`. Use instead: `{a.x} + 1`.";
    /// An unknown name in an expression.
    EXPRESSION_NAME = "rgg/expression-name", Error,
    "Resources are read by their names in braces; bare names are functions and constants. The Cage engine gives such an expression no \
    value, silently, and in that dialect this is a warning.\n\n\
    Example: `a.x + 1`. Use instead: `{a.x} + 1`.";
    /// A comparison in a numeric expression.
    EXPRESSION_COMPARISON = "rgg/expression-comparison", Error,
    "The value of a comparison is not a number: it can be the whole of a `Calculate`, and is no part of a larger expression. In the \
    Cage engine such an expression has no value at all, and in its dialect this is a warning.\n\n\
    Example: `({a.x} > 2) * 3`. Use instead a `Condition`, or a filter: `a.x: {Gt: 2}`.";
    /// The wrong number of arguments of a function.
    EXPRESSION_ARITY = "rgg/expression-arity", Error,
    "Every function takes a fixed number of arguments, except sums, products, averages, maximum and minimum. Commas stand between \
    arguments and nowhere else.\n\n\
    Example: `log(8, 2)`. Use instead: `log(8) / log(2)`, or `log2(8)`.";
    /// An expression that is too long.
    EXPRESSION_SIZE = "rgg/expression-size", Error,
    "An expression has at most 65,536 bytes.";
}

//! The diagnostic codes of constraints and expressions.

goalspec_syntax::codes! {
    /// An unknown type of constraint.
    CONSTRAINT_TYPE = "rgg/constraint-type", Error,
    "A constraint is a type with arguments in parentheses, such as `int.range(0; 0,10)`, or `true` or `false`.\n\n\
    Example: `5`. Use instead: `int(5)`.";
    /// An initial value or a bound of the wrong type.
    CONSTRAINT_VALUE = "rgg/constraint-value", Error,
    "The values in the parentheses must be of the type that is named before them.\n\n\
    Example: `int(5.0)`. Use instead: `int(5)` or `float(5.0)`.";
    /// A wrong number of arguments in a constraint.
    CONSTRAINT_ARGUMENTS = "rgg/constraint-arguments", Error,
    "A range has two bounds, a normal distribution has a mean and a standard deviation, and an enumeration has at least one member.\n\n\
    Example: `int.range(1,2,3)`. Use instead: `int.range(1; 2,3)`, with the initial value 1.";
    /// A part of a constraint that is ignored.
    CONSTRAINT_IGNORED = "rgg/constraint-ignored", Warning,
    "Members that are not of the type are ignored, and so is text after the closing parenthesis. Of the two parts of a constraint \
    that has only a value, the second part is the value.\n\n\
    Example: `boolean(false; true)` is `boolean(true)`.";
    /// A syntax error in an expression.
    EXPRESSION_SYNTAX = "rgg/expression-syntax", Error,
    "An operand or operator is missing, or a character is not part of the expression language. In the Cage engine, such an \
    expression silently has no value, and in the dialect `cage` this is a warning.\n\n\
    Example: `{a.x} +`. Use instead: `{a.x} + 1`.";
    /// An unknown name in an expression.
    EXPRESSION_NAME = "rgg/expression-name", Error,
    "Names of resources are written in braces; names without braces are functions and constants. In the Cage engine, such an \
    expression silently has no value, and in the dialect `cage` this is a warning.\n\n\
    Example: `a.x + 1`. Use instead: `{a.x} + 1`.";
    /// A comparison within a numeric expression.
    EXPRESSION_COMPARISON = "rgg/expression-comparison", Error,
    "The value of a comparison is not a number: a comparison can be a whole `Calculate`, but not an operand in an expression. In \
    the Cage engine, such an expression has no value, and in the dialect `cage` this is a warning.\n\n\
    Example: `({a.x} > 2) * 3`. Use instead a `Condition`, or a filter: `a.x: {Gt: 2}`.";
    /// A wrong number of arguments of a function.
    EXPRESSION_ARITY = "rgg/expression-arity", Error,
    "Every function takes a fixed number of arguments, except sums, products, averages, maximum and minimum. Commas separate \
    arguments and have no other use.\n\n\
    Example: `log(8, 2)`. Use instead: `log(8) / log(2)`, or `log2(8)`.";
    /// An expression that exceeds the size limit.
    EXPRESSION_SIZE = "rgg/expression-size", Error,
    "The size limit of an expression is 65,536 bytes.";
}

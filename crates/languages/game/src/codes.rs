//! Every diagnostic code of the game language, with its documentation.
//!
//! The codes of the lints are in [`lint`].

pub mod lint;

goalspec_syntax::codes! {
    /// A top-level form that is not a game.
    NOT_A_GAME = "game/not-a-game", Error,
    "A file contains games: `(define (game NAME) (:domain WORLD) ..)`. Other top-level forms are ignored.\n\n\
    The usual cause is an extra closing parenthesis further up, which ends the game early. `goalspec fmt --diff` shows its position.";
    /// A missing section.
    MISSING_SECTION = "game/missing-section", Error,
    "Every game names its world in `(:domain ..)`, defines preferences in `(:constraints ..)` and a score in `(:scoring ..)`. \
    `(:setup ..)` and `(:terminal ..)` are optional.";
    /// A duplicate section.
    DUPLICATE_SECTION = "game/duplicate-section", Error,
    "Each section may occur once. The second one is ignored.\n\nMerge the two, for example with `(and ..)`.";
    /// An unknown section.
    UNKNOWN_SECTION = "game/unknown-section", Error,
    "The sections are `:domain`, `:setup`, `:constraints`, `:terminal` and `:scoring`.";
    /// Sections in an unusual order.
    SECTION_ORDER = "game/section-order", Note,
    "goalspec accepts the sections in any order. Other parsers of the language require the order `:domain`, `:setup`, \
    `:constraints`, `:terminal`, `:scoring`.";
    /// An unexpected token or list.
    UNEXPECTED = "game/unexpected", Error,
    "The token or list is not of the expected kind and is ignored.\n\n\
    Example: `(hold 3)`, where a condition such as `(in_motion ?b)` is expected.";
    /// An unknown operator.
    UNKNOWN_OPERATOR = "game/unknown-operator", Error,
    "A list starts with the name of an operator, and the language has no operator with this name at this position.\n\n\
    Example: `(adn (on bed ?b) (on bed ?c))`. Use instead: `(and (on bed ?b) (on bed ?c))`.";
    /// A misplaced operator.
    MISPLACED_OPERATOR = "game/misplaced-operator", Error,
    "Each section has its own operators: `once` is allowed in `then`, `count` in `:scoring` and `:terminal`, \
    `game-conserved` in `:setup`.\n\nExample: `(and (once (open top_drawer)))` as a condition. Use instead: `(and (open top_drawer))`.";
    /// A list with a missing argument.
    MISSING_PART = "game/missing-part", Error,
    "The list has fewer arguments than its operator requires.\n\nExample: `(hold-while (in_motion ?b))`, which requires at \
    least one more condition: `(hold-while (in_motion ?b) (touch ?b ?w))`.";
    /// A list with an extra argument.
    EXTRA_PART = "game/extra-part", Error,
    "The list has more arguments than its operator takes.\n\nExample: `(not (open ?d) (broken ?d))`. Use instead: \
    `(not (or (open ?d) (broken ?d)))`.";
    /// An invalid name.
    INVALID_NAME = "game/invalid-name", Error,
    "A name starts with a letter, followed by letters, digits and underscores; variables start with `?`. Names of games and worlds may \
    also contain dashes and start with a digit, and so may types, predicates, functions and objects if the world has such names, as the \
    worlds of planning problems do.";
    /// An invalid number.
    INVALID_NUMBER = "game/invalid-number", Error,
    "Numbers consist of digits with an optional sign and decimal point, and end in a digit: `3`, `-0.5`, `.25`. Exponents are not \
    supported.";
    /// A variable without a type.
    MISSING_TYPE = "game/missing-type", Error,
    "Every variable is declared with the type that it ranges over.\n\nExample: `(exists (?b) ..)`. Use instead: `(exists (?b - ball) ..)`, \
    or `(exists (?b - (either ball block)) ..)` for several types.";
    /// A condition of the setup that is marked neither as conserved nor as optional.
    UNMARKED_SETUP = "game/unmarked-setup", Error,
    "Each condition of the setup is marked as one that must hold throughout play, `(game-conserved ..)`, or one that must have held at \
    least once, `(game-optional ..)`.\n\nExample: `(:setup (open top_drawer))`. Use instead: `(:setup (game-conserved (open \
    top_drawer)))`.";
    /// An extension of the language.
    EXTENSION = "game/extension", Note,
    "goalspec supports the form, but the definition of the language does not contain it. Other parsers may reject it.";

    /// An unknown world.
    UNKNOWN_DOMAIN = "game/unknown-domain", Error,
    "`(:domain NAME)` names the world of the game. The rooms for which the language was designed are built in; for any other \
    world, pass its description, a `*.world.toml` file, and for a planning problem or domain its files.";
    /// A game for another world.
    OTHER_WORLD = "game/other-world", Warning,
    "`(:domain NAME)` names a world other than the one that is used. Objects and types may be missing from it, and scores may \
    have a different meaning.";
    /// An unknown type.
    UNKNOWN_TYPE = "game/unknown-type", Error,
    "Variables range over the objects of a type, and the world defines the types.\n\n\
    Example: `(?b - bal)`. Use instead: `(?b - ball)`.";
    /// A type without objects in the world.
    EMPTY_TYPE = "game/empty-type", Warning,
    "The world has the type but no objects of it, so the variable is never bound and no condition that depends on it is ever satisfied.";
    /// An unknown predicate.
    UNKNOWN_PREDICATE = "game/unknown-predicate", Error,
    "Conditions consist of predicates, which the world defines.\n\n\
    Example: `(agent_hold ?b)`. Use instead: `(agent_holds ?b)`.";
    /// An unknown function.
    UNKNOWN_FUNCTION = "game/unknown-function", Error,
    "Comparisons and measures use functions, which the world defines.\n\n\
    Example: `(< (distanc ?a ?b) 1)`. Use instead: `(< (distance ?a ?b) 1)`.";
    /// An unknown object, or one that programs cannot name.
    UNKNOWN_OBJECT = "game/unknown-object", Error,
    "Programs can name some objects, such as `desk`; other objects are bound to a variable of their type.\n\n\
    Example: `(on chair ?b)`. Use instead: `(exists (?c - chair) (on ?c ?b))`.";
    /// A type that is repeated in an `either`.
    REPEATED_TYPE = "game/repeated-type", Warning,
    "An `either` is the union of its types, so a repeated type has no effect.\n\nExample: `(either ball ball)`. Use instead: `ball`, or \
    the type that was meant.";
    /// An unbound variable.
    UNBOUND_VARIABLE = "game/unbound-variable", Error,
    "A variable is in scope only inside the quantifier that declares it.\n\n\
    Example: `(exists (?b - ball) (at-end (on bed ?c)))`. Use instead: `(exists (?b - ball) (at-end (on bed ?b)))`.";
    /// A variable that is declared twice in one quantifier or preference.
    DUPLICATE_VARIABLE = "game/duplicate-variable", Error,
    "The variables of a quantifier have different names.\n\nExample: `(exists (?b ?b - block) ..)`. Use instead: `(exists (?b ?c - block) \
    ..)`.";
    /// Too many variables in scope.
    TOO_MANY_VARIABLES = "game/too-many-variables", Error,
    "The variables in scope are checked pairwise for bindings to the same object, and the number of bindings is the product of the numbers \
    of objects of the variables. At most 256 variables may be in scope at one position.";
    /// A variable that shadows another variable.
    SHADOWED_VARIABLE = "game/shadowed-variable", Warning,
    "Inside the inner quantifier the name refers to the inner variable, and the outer one is not accessible.\n\nRename one of the two.";
    /// A predicate or function with the wrong number of arguments.
    ARGUMENT_COUNT = "game/argument-count", Error,
    "Each predicate and function takes a fixed number of arguments; for a few, the last one is optional.\n\n\
    Example: `(on ?b)`. Use instead: `(on floor ?b)`.";
    /// An argument of the wrong type.
    ARGUMENT_KIND = "game/argument-kind", Error,
    "Objects, colours, orientations and sides have different types, and a few parameters take the name of a type.\n\n\
    Example: `(object_orientation ?b desk)`. Use instead: `(object_orientation ?b upright)`.";
    /// A predicate or function that the world cannot evaluate.
    UNAVAILABLE = "game/unavailable", Error,
    "The world declares the name but lacks the data to evaluate it. The message names the missing data.\n\n\
    Remove the condition, or add the missing data to a custom world description.";
    /// Two preferences with the same name.
    DUPLICATE_PREFERENCE = "game/duplicate-preference", Error,
    "Scores refer to preferences by name, so the names must be unique.";
    /// An unknown preference.
    UNKNOWN_PREFERENCE = "game/unknown-preference", Error,
    "Scores and terminal conditions count preferences that `:constraints` defines.\n\n\
    Example: `(count throwTobin)`. Use instead: `(count throwToBin)`.";
    /// A count with more types than the preference has external variables.
    EXTRA_SCORING_TYPE = "game/extra-scoring-type", Error,
    "In `name:type:type` the i-th type restricts the i-th variable of the `forall` around the preference. Variables of the \
    preference's own `exists` cannot be restricted.\n\nMove the variable into a `(forall (..) (preference ..))`, or remove the type.";
    /// A count with fewer types than the preference has external variables.
    MISSING_SCORING_TYPE = "game/missing-scoring-type", Warning,
    "In `name:type` the types restrict the first external variables; the others are not restricted.\n\nName a type for each variable.";
    /// A count restricted to a type that no object of the variable has.
    DISJOINT_SCORING_TYPE = "game/disjoint-scoring-type", Warning,
    "No object in the domain of the external variable is of the type, so the count is always 0.\n\n\
    Example: `throw:block` for a preference in `(forall (?b - ball) ..)`.";
    /// A `count-measure` of a preference without a measure.
    NO_MEASURE = "game/no-measure", Error,
    "`count-measure` sums the values that `once-measure` records; this preference has no `once-measure`.\n\n\
    Use `(once-measure CONDITION FUNCTION)` in the preference, or `count`.";
    /// Preferences with different external variables inside one external-forall operator.
    MIXED_EXTERNALS = "game/mixed-externals", Error,
    "`external-forall-maximize` and `external-forall-minimize` try every binding of the external variables, so all preferences inside that \
    have external variables must have the same number of them, with the same types.";
    /// An external-forall operator without external variables.
    NO_EXTERNALS = "game/no-externals", Error,
    "`external-forall-maximize` and `external-forall-minimize` choose among the bindings of a `(forall (..) (preference ..))`; no \
    preference inside is in such a `forall`.\n\nRemove the operator, or move the variables out of the preference's `exists` into a \
    `forall` around it.";
    /// A score that is defined in terms of itself.
    RECURSIVE_SCORE = "game/recursive-score", Warning,
    "Inside the scoring expression, the value of `(total-score)` is that of the expression with its own `(total-score)` parts taken as 0. \
    `(+ (count p) (* 5 (>= (total-score) 10)))` adds a bonus of 5 as soon as the counts alone reach 10.\n\n\
    To refer to another part of the score, write it out.";
}

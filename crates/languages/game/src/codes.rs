//! Every diagnostic code of the game language, with its documentation.
//!
//! The codes of the lints are in [`lint::codes`](crate::lint::codes).

goalspec_syntax::codes! {
    /// Something other than a game stands at the top level.
    NOT_A_GAME = "game/not-a-game", Error,
    "A file holds games, one after the other: `(define (game NAME) (:domain WORLD) ..)`. What stands beside them is not read.\n\n\
    The usual cause is a parenthesis too many further up, which ends the game early. `goalspec fmt --diff` shows where that is.";
    /// A section that every game needs is missing.
    MISSING_SECTION = "game/missing-section", Error,
    "Every game names its world with `(:domain ..)`, says what to look for in `(:constraints ..)` and what that is worth in \
    `(:scoring ..)`. `(:setup ..)` and `(:terminal ..)` may be left out.";
    /// A section stands twice in one game.
    DUPLICATE_SECTION = "game/duplicate-section", Error,
    "Each section may stand once. The second one is not used.\n\nJoin the two, for example with `(and ..)`.";
    /// A section that the language does not have.
    UNKNOWN_SECTION = "game/unknown-section", Error,
    "The sections are `:domain`, `:setup`, `:constraints`, `:terminal` and `:scoring`.";
    /// The sections are not in the usual order.
    SECTION_ORDER = "game/section-order", Note,
    "The order of the sections does not matter here. Other readers of the language insist on `:domain`, `:setup`, \
    `:constraints`, `:terminal`, `:scoring`.";
    /// Something else is expected here.
    UNEXPECTED = "game/unexpected", Error,
    "What stands here cannot be read as the kind of expression that belongs here; it is left out.\n\n\
    Example: `(hold 3)`, where a condition such as `(in_motion ?b)` is expected.";
    /// An operator that the language does not have.
    UNKNOWN_OPERATOR = "game/unknown-operator", Error,
    "A list starts with the name of what it does, and this name is not known where it stands.\n\n\
    Example: `(adn (on bed ?b) (on bed ?c))`. Use instead: `(and (on bed ?b) (on bed ?c))`.";
    /// An operator of the language stands where it has no meaning.
    MISPLACED_OPERATOR = "game/misplaced-operator", Error,
    "Each section has operators of its own: `once` belongs into `then`, `count` into `:scoring` and `:terminal`, \
    `game-conserved` into `:setup`.\n\nExample: `(and (once (open top_drawer)))` as a condition. Use instead: `(and (open top_drawer))`.";
    /// Something is missing from a list.
    MISSING_PART = "game/missing-part", Error,
    "The list has fewer parts than its operator needs.\n\nExample: `(hold-while (in_motion ?b))`, which needs at least one \
    condition more: `(hold-while (in_motion ?b) (touch ?b ?w))`.";
    /// A list has a part too many.
    EXTRA_PART = "game/extra-part", Error,
    "The list has more parts than its operator takes.\n\nExample: `(not (open ?d) (broken ?d))`. Use instead: \
    `(not (or (open ?d) (broken ?d)))`.";
    /// A name is not written as names are.
    INVALID_NAME = "game/invalid-name", Error,
    "Names start with a letter and go on with letters, digits and underscores; variables start with `?`; names of games and \
    worlds may also hold dashes and start with a digit, and so may types, predicates, functions and objects where the world has such names, \
    as the worlds of planning problems do.";
    /// A number is not written as numbers are.
    INVALID_NUMBER = "game/invalid-number", Error,
    "Numbers are written in digits, with a sign and a decimal point where needed, and end in a digit: `3`, `-0.5`, `.25`. There are no exponents.";
    /// A variable has no type.
    MISSING_TYPE = "game/missing-type", Error,
    "Every variable says what it ranges over.\n\nExample: `(exists (?b) ..)`. Use instead: `(exists (?b - ball) ..)`, or \
    `(exists (?b - (either ball block)) ..)` for several types.";
    /// A condition of the setup is marked neither as conserved nor as optional.
    UNMARKED_SETUP = "game/unmarked-setup", Error,
    "The setup says for each condition whether it must go on to hold during play: `(game-conserved ..)`, or must only have held \
    once: `(game-optional ..)`.\n\nExample: `(:setup (open top_drawer))`. Use instead: `(:setup (game-conserved (open top_drawer)))`.";
    /// The program needs more than the text that defines the language allows.
    EXTENSION = "game/extension", Note,
    "The form is read here and has a clear meaning, but the text that defines the language does not have it. Other readers may refuse it.";

    /// The world that the game names is not known.
    UNKNOWN_DOMAIN = "game/unknown-domain", Error,
    "`(:domain NAME)` says in which world the game is played. The rooms that the language was made for are built in; for any \
    other world give its description, a `*.world.toml` file, and for a planning problem or domain its files.";
    /// The game was made for another world.
    OTHER_WORLD = "game/other-world", Warning,
    "`(:domain NAME)` names another world than the one that was given. Objects and types may be missing there, and scores may mean \
    something else.";
    /// A type that the world does not have.
    UNKNOWN_TYPE = "game/unknown-type", Error,
    "Variables range over the objects of a type, and the world decides which types there are.\n\n\
    Example: `(?b - bal)`. Use instead: `(?b - ball)`.";
    /// A type that has no objects in this world.
    EMPTY_TYPE = "game/empty-type", Warning,
    "The world knows the type but has no object of it, so the variable can never be bound and nothing that depends on it is ever satisfied.";
    /// A predicate that the world does not have.
    UNKNOWN_PREDICATE = "game/unknown-predicate", Error,
    "A condition asks the world whether a predicate holds, and the world decides which predicates there are.\n\n\
    Example: `(agent_hold ?b)`. Use instead: `(agent_holds ?b)`.";
    /// A function that the world does not have.
    UNKNOWN_FUNCTION = "game/unknown-function", Error,
    "Comparisons and measures use numbers that the world computes, and the world decides which functions there are.\n\n\
    Example: `(< (distanc ?a ?b) 1)`. Use instead: `(< (distance ?a ?b) 1)`.";
    /// An object that the world does not have or that programs cannot name.
    UNKNOWN_OBJECT = "game/unknown-object", Error,
    "Some objects can be named directly, such as `desk`; all others are reached through a variable of their type.\n\n\
    Example: `(on chair ?b)`. Use instead: `(exists (?c - chair) (on ?c ?b))`.";
    /// A variable that nothing binds.
    UNBOUND_VARIABLE = "game/unbound-variable", Error,
    "A variable has a meaning only inside the quantifier that declares it.\n\n\
    Example: `(exists (?b - ball) (at-end (on bed ?c)))`. Use instead: `(exists (?b - ball) (at-end (on bed ?b)))`.";
    /// A variable is declared twice by one quantifier or one preference.
    DUPLICATE_VARIABLE = "game/duplicate-variable", Error,
    "Two variables of one quantifier need two names.\n\nExample: `(exists (?b ?b - block) ..)`. Use instead: `(exists (?b ?c - block) ..)`.";
    /// More variables in scope than are kept apart.
    TOO_MANY_VARIABLES = "game/too-many-variables", Error,
    "Variables that may not bind the same object are kept apart pair by pair, and the number of bindings is the product of how many objects each \
    variable has. At most 256 may be in scope at one place.";
    /// A variable hides another one of the same name.
    SHADOWED_VARIABLE = "game/shadowed-variable", Warning,
    "Inside the inner quantifier the name means the inner variable, and the outer one cannot be reached. Give the two different names.";
    /// A predicate or function has too few or too many arguments.
    ARGUMENT_COUNT = "game/argument-count", Error,
    "Each predicate and function takes a fixed number of arguments; a few take one more that may be left out.\n\n\
    Example: `(on ?b)`. Use instead: `(on floor ?b)`.";
    /// An argument is of a kind that the predicate or function does not take.
    ARGUMENT_KIND = "game/argument-kind", Error,
    "Objects, colours, orientations and sides are different kinds of things, and a few places take the name of a type.\n\n\
    Example: `(object_orientation ?b desk)`. Use instead: `(object_orientation ?b upright)`.";
    /// A predicate or function that this world cannot evaluate.
    UNAVAILABLE = "game/unavailable", Error,
    "The world knows the name but lacks what is needed to evaluate it, and no value would be right. The message says what is lacking.\n\n\
    Remove the condition, or supply the missing data in a world description of your own.";
    /// Two preferences have the same name.
    DUPLICATE_PREFERENCE = "game/duplicate-preference", Error,
    "Scores refer to preferences by name, so each needs a name of its own.";
    /// A preference that the game does not have.
    UNKNOWN_PREFERENCE = "game/unknown-preference", Error,
    "Scores and terminal conditions count preferences that `:constraints` defines.\n\n\
    Example: `(count throwTobin)`. Use instead: `(count throwToBin)`.";
    /// A count names more types than the preference has external variables.
    EXTRA_SCORING_TYPE = "game/extra-scoring-type", Error,
    "In `name:type:type` the i-th type selects by the i-th variable of the `forall` around the preference. Variables of the \
    preference's own `exists` cannot be selected by.\n\nMove the variable into a `(forall (..) (preference ..))`, or remove the type.";
    /// A count names fewer types than the preference has external variables.
    FEW_SCORING_TYPES = "game/few-scoring-types", Warning,
    "In `name:type` the types belong to the first external variables; the others are not restricted. Name a type for each variable to say so clearly.";
    /// A count selects by a type that the variable never takes.
    DISJOINT_SCORING_TYPE = "game/disjoint-scoring-type", Warning,
    "No object that the external variable ranges over is of the type, so the count is always zero.\n\n\
    Example: `throw:block` for a preference in `(forall (?b - ball) ..)`.";
    /// A measure is counted that the preference does not take.
    NO_MEASURE = "game/no-measure", Error,
    "`count-measure` sums what `once-measure` recorded; this preference records nothing.\n\n\
    Use `(once-measure CONDITION FUNCTION)` in the preference, or `count`.";
    /// The preferences under one external-forall operator have different external variables.
    MIXED_EXTERNALS = "game/mixed-externals", Error,
    "`external-forall-maximize` and `external-forall-minimize` try every binding of the external variables, so all preferences inside that have \
    external variables must have the same number of them with the same types.";
    /// No preference under an external-forall operator has external variables.
    NO_EXTERNALS = "game/no-externals", Error,
    "`external-forall-maximize` and `external-forall-minimize` choose among the bindings of a `(forall (..) (preference ..))`; none of the \
    preferences inside stands in one.\n\nRemove the operator, or move the variables out of the preference's `exists` into a `forall` around it.";
    /// The score is defined in terms of itself.
    SCORE_OF_SCORE = "game/score-of-score", Warning,
    "Inside the scoring expression `(total-score)` stands for the value of that expression with its own `(total-score)` parts taken as 0. \
    `(+ (count p) (* 5 (>= (total-score) 10)))` adds a bonus of 5 once the counts alone have reached 10.\n\n\
    If something else is meant, write out the part of the score that is meant.";
}

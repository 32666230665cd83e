//! The diagnostic codes of the parser and the resolver, with their documentation.
//!
//! The codes of the lints, the checks and the knowledge base are in the modules `codes` of these.

goalspec_syntax::codes! {
    /// A top-level form that is neither a problem nor a domain.
    NOT_A_DEFINITION = "bddl/not-a-definition", Error,
    "A file contains problems, `(define (problem NAME) ..)`, or domains, `(define (domain NAME) ..)`. Other top-level forms are \
    ignored.\n\nThe usual cause is an extra closing parenthesis further up, which ends the problem early.";
    /// A missing section.
    MISSING_SECTION = "bddl/missing-section", Error,
    "A problem has a name, `(:objects ..)`, `(:init ..)` and `(:goal ..)`. Without a goal the activity has no success condition; the \
    Python releases fail with an IndexError on a problem without initial conditions as soon as these are requested.";
    /// A duplicate section.
    DUPLICATE_SECTION = "bddl/duplicate-section", Error,
    "Each section may occur once. The Python releases use the first `(:init ..)` and drop the other, concatenate two `(:goal ..)` with the \
    later one first, and lose instances where two `(:objects ..)` declare the same category. goalspec reads both and reports the \
    duplicate.\n\nMerge the two sections.";
    /// An unknown section.
    UNKNOWN_SECTION = "bddl/unknown-section", Error,
    "The sections of a problem are `:domain`, `:requirements`, `:objects`, `:init` and `:goal`; LIBERO's problems also have \
    `:language`, `:regions`, `:fixtures`, `:obj_of_interest` and `:scene_properties`; those of a domain are `:requirements`, `:types`, \
    `:predicates` and `:action`. The Python releases skip other sections after printing a line.";
    /// A token between the sections.
    STRAY_TOKEN = "bddl/stray-token", Warning,
    "A problem or domain contains only sections, which are lists. A token between them is ignored, also by the Python releases, which \
    print its first letter.\n\nExample: a `\\` after `(:init ..)`. Remove it.";
    /// An unexpected token or list.
    UNEXPECTED = "bddl/unexpected", Error,
    "The token or list is not of the expected kind and is ignored.\n\n\
    Example: `(:init open)`, where a literal such as `(open fridge.n.01_1)` is expected.";
    /// An unknown operator.
    UNKNOWN_OPERATOR = "bddl/unknown-operator", Error,
    "The operators are `and`, `or`, `not` and `imply`, and the quantifiers `forall`, `exists`, `forn`, `forpairs` and \
    `fornpairs`.\n\nExample: `(adn (open ?a) (open ?b))`. Use instead: `(and (open ?a) (open ?b))`.";
    /// A list with a missing element.
    MISSING_PART = "bddl/missing-part", Error,
    "The list has fewer elements than required.\n\nExample: `(imply (open ?a))`, which requires a second condition.";
    /// A list with an extra element.
    EXTRA_PART = "bddl/extra-part", Error,
    "The list has more elements than allowed. The Python releases ignore all conditions of a `not` after the first, and fail on the \
    other operators.\n\nExample: `(not (open ?a) (open ?b))`. Use instead: `(not (or (open ?a) (open ?b)))`.";
    /// An invalid name.
    INVALID_NAME = "bddl/invalid-name", Error,
    "Names are written without quotes, and a name must follow `?`. The Python releases do not support quoted strings: they read \
    `\"a b\"` as the two names `\"a` and `b\"`.";
    /// An invalid number.
    INVALID_NUMBER = "bddl/invalid-number", Error,
    "The number of a quantifier is written in digits: `(forn (2) (?a - c) ..)`. Coordinates and colours of LIBERO's regions may have a \
    sign, a decimal point and an exponent.";
    /// A goal with more than one condition.
    SECOND_GOAL = "bddl/second-goal", Warning,
    "A goal is a single condition. Only the first condition is used, also by the Python releases, which do not report it: the \
    activity then counts as successful although the other conditions do not hold.\n\n\
    Example: `(:goal (and (inside ?a ?b)) (not (open ?b)))`. Use instead: `(:goal (and (inside ?a ?b) (not (open ?b))))`.";
    /// A goal without a condition.
    EMPTY_GOAL = "bddl/empty-goal", Error,
    "A goal needs at least one condition. The Python releases read `(:goal (and))` and fail with an IndexError when the goal is used.";
    /// An `and` or `or` without operands.
    EMPTY_CONNECTIVE = "bddl/empty-connective", Warning,
    "`(and)` is always true and `(or)` is always false. The usual cause is a missing condition.";
    /// An `and` or `or` with a single operand.
    SINGLE_PART = "bddl/single-part", Note,
    "`(and E)` and `(or E)` mean the same as `E`. This is harmless, and common in published activities.";
    /// A name in the goal without a question mark.
    MISSING_QUESTION_MARK = "bddl/missing-question-mark", Note,
    "In a goal, the names of instances and variables start with `?` by convention; the name means the same without it. Published \
    activities omit it occasionally.";
    /// A name in the initial conditions with a question mark.
    EXTRA_QUESTION_MARK = "bddl/extra-question-mark", Note,
    "In `(:init ..)`, the names of instances are written without `?`. The name means the same with it, but the checks that upstream \
    requires of activities reject it.";
    /// An instance without a category.
    UNTYPED_INSTANCE = "bddl/untyped-instance", Warning,
    "Instances at the end of `(:objects ..)` without a following `- CATEGORY` have the category `object`, which no simulator can place.\n\n\
    Example: `(:objects apple.n.01_1)`. Use instead: `(:objects apple.n.01_1 - apple.n.01)`.";
    /// A duplicate category.
    DUPLICATE_CATEGORY = "bddl/duplicate-category", Error,
    "All instances of a category are declared together. Of two declarations, the Python releases keep only the later one and lose the \
    instances of the other; goalspec keeps all.\n\nExample: `a_1 - a  a_2 - a`. Use instead: `a_1 a_2 - a`.";
    /// A duplicate instance.
    DUPLICATE_INSTANCE = "bddl/duplicate-instance", Warning,
    "An instance is one object, so a second declaration has no effect. The usual cause is a wrong number.";
    /// An instance that is not named after its category.
    INSTANCE_NAME = "bddl/instance-name", Warning,
    "The name of an instance is its category, an underscore and a number: `apple.n.01_2 - apple.n.01`. Simulators and the upstream \
    checks rely on it.";
    /// A problem without a domain.
    MISSING_DOMAIN = "bddl/missing-domain", Warning,
    "`(:domain NAME)` determines the available predicates. Without it, predicates are not checked.";
    /// An unknown domain.
    UNKNOWN_DOMAIN = "bddl/unknown-domain", Error,
    "The built-in domains are `igibson` of BEHAVIOR-100, `omnigibson` and `behavior-1k` of BEHAVIOR-1K, and `robosuite` of LIBERO. The \
    Python releases reject a problem whose domain is not that of the simulator.";
    /// A domain file that lacks predicates of the built-in domain with the same name.
    PARTIAL_DOMAIN = "bddl/partial-domain", Note,
    "Built-in domains are always available. A domain file with the name of a built-in domain adds its predicates to that domain. The \
    domain files of the Python releases are of this kind: they lack predicates that the activities of the same release use.";
    /// An unknown predicate.
    UNKNOWN_PREDICATE = "bddl/unknown-predicate", Error,
    "The domain determines the available predicates. The Python releases fail with UnsupportedPredicateError, but only when the \
    condition is compiled.\n\nExample: `(on_top ?a ?b)`. Use instead: `(ontop ?a ?b)`.";
    /// A predicate that is not allowed at this place.
    MISPLACED_PREDICATE = "bddl/misplaced-predicate", Error,
    "`inroom` assigns an object of the scene to a type of room. It is allowed only in `(:init ..)`: rooms are not objects, so goals \
    cannot refer to them.";
    /// A predicate with a wrong number of arguments.
    ARGUMENT_COUNT = "bddl/argument-count", Error,
    "Each predicate takes one or two arguments, as declared in its domain. The Python releases fail with an AssertionError when the \
    condition is compiled. A domain therefore declares predicates with one or two parameters; only `true` and `false` of LIBERO, which \
    are always true and always false, have none.\n\nExample: `(open ?a ?b)`. Use instead: `(and (open ?a) (open ?b))`.";
    /// A name that is neither an instance nor a variable.
    UNDECLARED = "bddl/undeclared", Error,
    "Conditions refer to the instances in `(:objects ..)` and the variables of the enclosing quantifiers. The Python releases fail with \
    UncontrolledCategoryError, in 1.0.0 without the name.\n\n\
    Example: `(open ?fridge.n.01_2)` where only `fridge.n.01_1` is declared.";
    /// A quantifier over a category without instances.
    UNKNOWN_CATEGORY = "bddl/unknown-category", Error,
    "A quantifier ranges over the declared instances of exactly this category; descendants of the category do not count. The Python \
    releases fail with a KeyError.\n\nExample: `(forall (?fruit.n.01 - fruit.n.01) ..)` where only `apple.n.01` is declared.";
    /// A variable that shadows another variable or an instance.
    SHADOWED_VARIABLE = "bddl/shadowed-variable", Warning,
    "Inside the inner quantifier the name refers to the inner variable, so the outer variable or the instance is not accessible. Use \
    different names.";
    /// A wildcard that is not allowed at this place.
    MISPLACED_WILDCARD = "bddl/misplaced-wildcard", Error,
    "`table.n.02_*` represents all further tables of a room of the scene. It is allowed in `(:objects ..)` and in \
    `(inroom ..)`; conditions about the instances that replace it use a quantifier.";
    /// A wildcard that cannot be expanded in the scene.
    WILDCARD_SCENE = "bddl/wildcard-scene", Error,
    "`--scene` specifies a layout: the number of objects of each category in the rooms of a scene. With it, `table.n.02_*` is replaced \
    by one instance for each table in the rooms that its `(inroom ..)` names, except those declared by name. The message states why \
    this is impossible in the scene.";
    /// A room or category in the layout of a scene that the release does not have.
    UNKNOWN_IN_SCENE = "bddl/unknown-in-scene", Warning,
    "The layout given by `--scene` counts objects of a category, or in a type of room, that the release given by `--knowledge` does not \
    have. No wildcard is expanded to such an object. The usual cause is a misspelt name or a scene of another release.";
    /// An undeclared supertype.
    UNDECLARED_TYPE = "bddl/undeclared-type", Warning,
    "The types of a domain are those listed in `(:types ..)`, and their root `object`. A supertype after `-` must be one of them; \
    an undeclared one is usually a typo. It is accepted as a type nevertheless.\n\n\
    Example: `(:types cup plate - dish  dishh)`. Use instead: `(:types cup plate - dish  dish)`.";
    /// An unknown requirement.
    UNKNOWN_REQUIREMENT = "bddl/unknown-requirement", Warning,
    "The known requirements are `:strips`, `:negative-preconditions`, `:typing` and `:adl`. The Python releases reject a domain with \
    another one, and ignore the requirements of problems.";
    /// A duplicate declaration of a domain, a predicate, an action or a parameter of a predicate.
    DUPLICATE_DECLARATION = "bddl/duplicate-declaration", Error,
    "The names of the predicates of a domain must be unique, as must those of its actions and of the parameters of a predicate. Of \
    several domains with the same name, the first one is used.";
    /// A text that is read in LIBERO's dialect because of its sections.
    LIBERO_SECTIONS = "bddl/libero-sections", Note,
    "Only LIBERO's problems have `:language`, `:regions`, `:fixtures`, `:obj_of_interest` or `:scene_properties`, so a text with one of \
    them is read in the dialect `libero` unless a dialect is specified.\n\n\
    If the section is a mistake, use `--dialect strict`, which reports it as unknown.";
    /// An exception that a Python release raises for this text.
    RELEASE_EXCEPTION = "bddl/release-exception", Error,
    "The text was read as a release of the Python package reads it, which raises this exception. The releases do not report positions \
    in a text; use the strict dialect to find the cause.";
    /// A line that a Python release prints for this text.
    RELEASE_OUTPUT = "bddl/release-output", Note,
    "The text was read as a release of the Python package reads it, which prints this line and continues.";
}

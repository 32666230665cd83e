//! The diagnostic codes of the parser and the resolver, with their documentation.
//!
//! The codes of the lints, the checks and the knowledge base are in the modules `codes` of these.

goalspec_syntax::codes! {
    /// Something other than a problem or a domain stands at the top level.
    NOT_A_DEFINITION = "bddl/not-a-definition", Error,
    "A file holds problems, `(define (problem NAME) ..)`, or domains, `(define (domain NAME) ..)`. What stands beside them is not \
    read.\n\nThe usual cause is a parenthesis too many further up, which ends the problem early.";
    /// A section is missing.
    MISSING_SECTION = "bddl/missing-section", Error,
    "A problem has a name, `(:objects ..)`, `(:init ..)` and `(:goal ..)`. Without a goal there is nothing to reach; the Python \
    releases fail with an IndexError on a problem without initial conditions as soon as they are asked for.";
    /// A section stands twice.
    DUPLICATE_SECTION = "bddl/duplicate-section", Error,
    "Each section may stand once. The Python releases take the first `(:init ..)` and drop the other, join two `(:goal ..)` with the \
    later one first, and lose instances where two `(:objects ..)` declare the same category. goalspec reads both and reports it.\n\n\
    Join the two.";
    /// A section that the language does not have.
    UNKNOWN_SECTION = "bddl/unknown-section", Error,
    "The sections of a problem are `:domain`, `:requirements`, `:objects`, `:init` and `:goal`; LIBERO's problems also have \
    `:language`, `:regions`, `:fixtures`, `:obj_of_interest` and `:scene_properties`; those of a domain are `:requirements`, `:types`, \
    `:predicates` and `:action`. The Python releases skip other sections after printing a line.";
    /// A word stands between the sections.
    STRAY_TOKEN = "bddl/stray-token", Warning,
    "Only sections, which are lists, stand in a problem or domain. A loose word is skipped, as by the Python releases, which print its \
    first letter.\n\nExample: a `\\` after `(:init ..)`. Delete it.";
    /// Something else is expected here.
    UNEXPECTED = "bddl/unexpected", Error,
    "What stands here cannot be read as the kind of thing that belongs here; it is left out.\n\n\
    Example: `(:init open)`, where a literal such as `(open fridge.n.01_1)` is expected.";
    /// An operator that the language does not have.
    UNKNOWN_OPERATOR = "bddl/unknown-operator", Error,
    "Conditions are joined by `and`, `or`, `not` and `imply`, and quantified by `forall`, `exists`, `forn`, `forpairs` and \
    `fornpairs`.\n\nExample: `(adn (open ?a) (open ?b))`. Use instead: `(and (open ?a) (open ?b))`.";
    /// Something is missing from a list.
    MISSING_PART = "bddl/missing-part", Error,
    "The list has fewer parts than it needs.\n\nExample: `(imply (open ?a))`, which needs a second condition.";
    /// A list has a part too many.
    EXTRA_PART = "bddl/extra-part", Error,
    "The list has more parts than it takes. The Python releases ignore what follows the first condition of a `not`, and fail on the \
    others.\n\nExample: `(not (open ?a) (open ?b))`. Use instead: `(not (or (open ?a) (open ?b)))`.";
    /// A name is not written as names are.
    INVALID_NAME = "bddl/invalid-name", Error,
    "Names are written without quotes, and a `?` needs a name behind it. The Python releases have no notion of quoted text: they take \
    `\"a b\"` for the two names `\"a` and `b\"`.";
    /// A number is not written as numbers are.
    INVALID_NUMBER = "bddl/invalid-number", Error,
    "How many is said in digits: `(forn (2) (?a - c) ..)`. Coordinates and colours of LIBERO's regions may have a sign, a decimal point \
    and an exponent.";
    /// The goal has a second condition beside the first.
    SECOND_GOAL = "bddl/second-goal", Warning,
    "A goal is one condition. The first one is used and the others are left out, as by the Python releases, which do not say so: the \
    activity counts as done although the rest was never reached.\n\n\
    Example: `(:goal (and (inside ?a ?b)) (not (open ?b)))`. Use instead: `(:goal (and (inside ?a ?b) (not (open ?b))))`.";
    /// The goal asks for nothing.
    EMPTY_GOAL = "bddl/empty-goal", Error,
    "A goal needs at least one condition. The Python releases read `(:goal (and))` and fail with an IndexError when the goal is used.";
    /// An `and` or `or` without a part.
    EMPTY_CONNECTIVE = "bddl/empty-connective", Warning,
    "`(and)` always holds and `(or)` never does. Something was probably left out.";
    /// An `and` or `or` with a single part.
    SINGLE_PART = "bddl/single-part", Note,
    "`(and E)` and `(or E)` say the same as `E`. Harmless, and common in published activities.";
    /// Names in the goal without the usual question mark.
    PLAIN_TERM = "bddl/plain-term", Note,
    "In a goal, instances and variables are written with a `?` in front. It is decoration: the name means the same without it. In \
    published activities it is left out here and there.";
    /// Names in the initial conditions with a question mark.
    DECORATED_INIT = "bddl/decorated-init", Note,
    "In `(:init ..)`, instances are written without `?`. The name means the same with it, but the checks that activities must pass \
    upstream refuse it.";
    /// Instances without a category.
    UNTYPED_INSTANCE = "bddl/untyped-instance", Warning,
    "Instances at the end of `(:objects ..)` that no `- CATEGORY` follows are of the category `object`, which no simulator can place.\n\n\
    Example: `(:objects apple.n.01_1)`. Use instead: `(:objects apple.n.01_1 - apple.n.01)`.";
    /// A category stands twice.
    DUPLICATE_CATEGORY = "bddl/duplicate-category", Error,
    "All instances of a category stand in one line. The Python releases keep only the later of two lines and lose the instances of \
    the other; goalspec keeps all.\n\nExample: `a_1 - a  a_2 - a`. Use instead: `a_1 a_2 - a`.";
    /// An instance is declared twice.
    DUPLICATE_INSTANCE = "bddl/duplicate-instance", Warning,
    "An instance is one thing; declaring it again adds nothing. Another number was probably meant.";
    /// An instance is not named after its category.
    INSTANCE_NAME = "bddl/instance-name", Warning,
    "An instance is called like its category, with an underscore and a number: `apple.n.01_2 - apple.n.01`. Simulators and the checks \
    upstream rely on it.";
    /// The problem names no domain.
    MISSING_DOMAIN = "bddl/missing-domain", Warning,
    "`(:domain NAME)` says which predicates there are. Without it predicates are not checked.";
    /// The domain is not known.
    UNKNOWN_DOMAIN = "bddl/unknown-domain", Error,
    "Built in are `igibson` of BEHAVIOR-100, `omnigibson` and `behavior-1k` of BEHAVIOR-1K, and `robosuite` of LIBERO. The Python \
    releases refuse a problem whose domain is not that of the simulator.";
    /// A domain file lacks predicates of the built-in domain of its name.
    PARTIAL_DOMAIN = "bddl/partial-domain", Note,
    "Problems name the domain that they are written for, and the built-in ones are known anyway. A file with a domain of such a name adds \
    its predicates to those of the built-in domain. The domain files of the Python releases are such: they lack predicates that the \
    activities beside them use.";
    /// A predicate that the domain does not have.
    UNKNOWN_PREDICATE = "bddl/unknown-predicate", Error,
    "The domain decides which predicates there are. The Python releases fail with UnsupportedPredicateError, but only when the \
    condition is compiled.\n\nExample: `(on_top ?a ?b)`. Use instead: `(ontop ?a ?b)`.";
    /// A predicate stands where it has no meaning.
    MISPLACED_PREDICATE = "bddl/misplaced-predicate", Error,
    "`inroom` says in which kind of room a thing of the scene stands. It belongs into `(:init ..)`: rooms are no objects, so a goal \
    cannot speak of them.";
    /// A predicate has too few or too many arguments.
    ARGUMENT_COUNT = "bddl/argument-count", Error,
    "Each predicate takes one or two arguments, as its domain says. The Python releases fail with an AssertionError when the \
    condition is compiled. So a domain declares predicates with one or two parameters; only `true` and `false` of LIBERO, which \
    always and never hold, have none.\n\nExample: `(open ?a ?b)`. Use instead: `(and (open ?a) (open ?b))`.";
    /// A name that is neither an instance nor a variable.
    UNDECLARED = "bddl/undeclared", Error,
    "Conditions speak of the instances in `(:objects ..)` and the variables of the quantifiers around. The Python releases fail with \
    UncontrolledCategoryError, in 1.0.0 without saying which name it is.\n\n\
    Example: `(open ?fridge.n.01_2)` where only `fridge.n.01_1` is declared.";
    /// A quantifier over a category without instances.
    UNKNOWN_CATEGORY = "bddl/unknown-category", Error,
    "A quantifier ranges over the declared instances of exactly this category; more special categories do not count. The Python \
    releases fail with a KeyError.\n\nExample: `(forall (?fruit.n.01 - fruit.n.01) ..)` where only `apple.n.01` is declared.";
    /// A variable hides another one or an instance.
    SHADOWED_VARIABLE = "bddl/shadowed-variable", Warning,
    "Inside the inner quantifier the name means the inner variable, and the outer variable or the instance cannot be reached. Give \
    them different names.";
    /// A wildcard stands where it has no meaning.
    MISPLACED_WILDCARD = "bddl/misplaced-wildcard", Error,
    "`table.n.02_*` stands for all further tables of a room, as the scene has them. It may stand in `(:objects ..)` and in \
    `(inroom ..)`; conditions about the instances that it becomes use a quantifier.";
    /// A wildcard that the things of the scene cannot take the place of.
    WILDCARD_SCENE = "bddl/wildcard-scene", Error,
    "`--scene` names a layout: how many things of which category the rooms of a scene hold. With it, `table.n.02_*` becomes as many \
    tables as there are in the rooms that its `(inroom ..)` names, less those that are declared by name. The message says why that \
    cannot be done in this scene.";
    /// A scene's layout speaks of rooms or categories that the release does not know.
    SCENE_UNKNOWN = "bddl/scene-unknown", Warning,
    "The layout that `--scene` names counts things of a category, or in a type of room, that is none of the release that `--knowledge` \
    names. No wildcard ever stands for such a thing. Mostly the name is misspelt, or the scene is from another release.";
    /// A type stands above others and is not declared itself.
    UNDECLARED_TYPE = "bddl/undeclared-type", Warning,
    "The types of a domain are those that `(:types ..)` lists, and `object` above all of them. What stands behind a `-` is one of them; \
    that it is not listed itself mostly is a slip of the pen. It is taken for a type nevertheless.\n\n\
    Example: `(:types cup plate - dish  dishh)`. Use instead: `(:types cup plate - dish  dish)`.";
    /// A requirement that readers do not know.
    UNKNOWN_REQUIREMENT = "bddl/unknown-requirement", Warning,
    "Known are `:strips`, `:negative-preconditions`, `:typing` and `:adl`. The Python releases refuse a domain with another one, and \
    ignore the requirements of problems.";
    /// A domain, a predicate, an action or a parameter of a predicate is declared twice.
    DUPLICATE_DECLARATION = "bddl/duplicate-declaration", Error,
    "Predicates and actions of a domain need names of their own, and so do the parameters of a predicate. Of several domains of one \
    name, the first one counts.";
    /// A text is read in LIBERO's dialect because of its sections.
    LIBERO_SECTIONS = "bddl/libero-sections", Note,
    "Only LIBERO's problems have `:language`, `:regions`, `:fixtures`, `:obj_of_interest` or `:scene_properties`, so a text with one of \
    them is read in the dialect `libero` where no dialect was chosen.\n\n\
    Choose `--dialect strict` if the section is a mistake: it is then reported as unknown.";
    /// A Python release fails on this text.
    RELEASE_EXCEPTION = "bddl/release-exception", Error,
    "The text was read as a release of the Python package reads it, and that raises this exception. The releases know no places in a \
    text; read it in the strict dialect to see where the cause is.";
    /// A Python release prints a line about this text.
    RELEASE_OUTPUT = "bddl/release-output", Note,
    "The text was read as a release of the Python package reads it, and that prints this line and goes on.";
}

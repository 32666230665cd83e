//! The diagnostic codes of the crate, with their documentation.

goalspec_syntax::codes! {
    // The parser and the resolver.

    /// A defect of an action model.
    ACTION_MODEL = "bddl/action-model", Error,
    "An action model consists of `(:fact (NAME ?x ..) CONDITION ..)`, `(:derived (NAME ?x ..) CONDITION)` and `(:action ..)`. The \
    conditions of facts refer to the knowledge base, the initial state, the goal and other facts. A variable of a fact or of a negated \
    condition must occur in an earlier condition, and all rules for a fact must precede its negation.\n\n\
    Example: `(:fact (openable ?x) (ability ?x openable))`.";

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
    "The text was read as a release of the Python package reads it, which raises this exception at this construct. The releases \
    themselves do not report positions; the strict dialect explains the cause.";
    /// A line that a Python release prints for this text.
    RELEASE_OUTPUT = "bddl/release-output", Note,
    "The text was read as a release of the Python package reads it, which prints this line and continues.";

    // The lints.

    /// An unused quantified variable.
    UNUSED_VARIABLE = "bddl/unused-variable", Warning,
    "The condition is the same for every instance, so the quantifier has no effect; the usual cause is a wrong name in the condition.\n\n\
    Example: `(forall (?cup.n.01 - cup.n.01) (open ?door.n.01_1))`. Use instead: `(open ?door.n.01_1)`.";
    /// An instance in a quantifier over its own category.
    INSTANCE_FOR_VARIABLE = "bddl/instance-for-variable", Warning,
    "The condition refers to one instance, although a quantifier ranges over all instances of its category; the variable was probably \
    intended. As written, the other instances have no effect.\n\n\
    Example: `(forall (?cup.n.01 - cup.n.01) (inside ?cup.n.01_1 ?box.n.01_1))`. Use instead: \
    `(forall (?cup.n.01 - cup.n.01) (inside ?cup.n.01 ?box.n.01_1))`.";
    /// A relation of an object with itself.
    SELF_RELATION = "bddl/self-relation", Warning,
    "The two arguments are the same object, always or for one value of a variable. No object is on, in or next to itself, \
    so the condition is false.\n\n\
    Example: `(forall (?log.n.01 - log.n.01) (ontop ?log.n.01 ?log.n.01_1))` requires the first log to be on top of itself. For pairs of \
    different objects, use `forpairs`, which never pairs an object with itself.";
    /// A number in a quantifier that exceeds the number of declared instances.
    UNSATISFIABLE_COUNT = "bddl/unsatisfiable-count", Warning,
    "The number exceeds the number of instances, so the condition is always false.\n\n\
    Example: `(forn (3) (?cup.n.01 - cup.n.01) ..)` where two cups are declared.";
    /// A `forn` whose evaluated and documented semantics differ.
    AMBIGUOUS_FORN = "bddl/ambiguous-forn", Note,
    "The simulators evaluate `(forn (2) ..)` as exactly two. The documentation says at least two, and the ground options of the same \
    simulators require at least two, so a state may have the full reward without being a success. The two semantics agree only if the \
    number is that of all instances. `--quantifiers` selects the semantics.";
    /// A `forpairs` or `fornpairs` whose evaluated and documented semantics differ.
    AMBIGUOUS_PAIRS = "bddl/ambiguous-pairs", Note,
    "The documentation defines a one-to-one pairing. The simulators only count the objects of each side that have a partner, \
    so three cups and three saucers suffice if one cup is paired with two saucers and the other two cups share the third. Up to two \
    pairs, the two semantics agree. `--quantifiers` selects the semantics.";
    /// A goal that no state satisfies.
    CONTRADICTORY_GOAL = "bddl/contradictory-goal", Warning,
    "The conjuncts of the goal cannot hold together, whatever the agent does; the diagnostic shows a minimal contradictory \
    subset.\n\nExample: six logs, each of which must be on the table or on another log, exactly two of them on the table and exactly \
    two on another log. `(forn (2) ..)` counts exactly two, as the releases evaluate it, although their documentation says at least \
    two; the dialect determines the semantics.";
    /// A goal that holds in the initial state.
    GOAL_HOLDS_INITIALLY = "bddl/goal-holds-initially", Warning,
    "The initial literals alone, with all other atoms false, satisfy the goal, so the empty plan reaches it. The usual cause is a goal \
    of negations of atoms that do not occur in `:init`.";
    /// A goal whose satisfiability is undecided.
    UNDECIDED_GOAL = "bddl/undecided-goal", Note,
    "The ground goal exceeds the size limit, or the analysis of its options exceeds the limits on time and memory.";

    // The checks.

    /// A category that does not have the form of a synset.
    CATEGORY_FORM = "bddl/category-form", Warning,
    "A category is a WordNet synset or a custom one in the same form: letters, `-` and `_`, then `.n.` and a number.\n\n\
    Example: `apple_1 - apple`. Use instead: `apple.n.01_1 - apple.n.01`.";
    /// A wildcard, an instance that represents the remaining objects of a category in the scene.
    WILDCARD = "bddl/wildcard", Note,
    "`cabinet.n.01_*` represents all further cabinets in rooms of a type; the scene determines their number. Only the newest readers \
    expand it; release 3.6.0 treats it as an ordinary instance, and five of its own checks reject it.";
    /// A type of room that no scene has.
    UNKNOWN_ROOM = "bddl/unknown-room", Warning,
    "`(inroom OBJECT ROOM)` names a type of room. No scene has a room of this type, so the object is not placed.\n\n\
    Example: `(inroom bed.n.01_1 bed_room)`. Use instead: `(inroom bed.n.01_1 bedroom)`.";
    /// An instance without an initial condition.
    NOT_IN_INIT = "bddl/not-in-init", Warning,
    "Every instance must be placed or declared as not existing yet; otherwise the scene cannot be set up.\n\n\
    Add `(inroom X ROOM)` for an object of the scene, `(ontop X Y)` or another placement for other objects, and `(future X)` for objects \
    that are to be created.";
    /// A quantified variable whose name differs from its category.
    VARIABLE_NAME = "bddl/variable-name", Warning,
    "The evaluator allows any name, but the checks that an activity must pass assume that a variable is named after its category, and \
    fail otherwise.\n\n\
    Example: `(forall (?a - apple.n.01) (cooked ?a))`. Use instead: `(forall (?apple.n.01 - apple.n.01) (cooked ?apple.n.01))`.";
    /// A negated placement in the initial conditions.
    NEGATIVE_PLACEMENT = "bddl/negative-placement", Warning,
    "A sampler places objects; it cannot exclude a placement. The initial conditions must state where an object is.\n\n\
    Example: `(not (ontop cup.n.01_1 table.n.02_1))`. Use instead: `(inside cup.n.01_1 cabinet.n.01_1)`.";
    /// An object with two placements.
    PLACED_TWICE = "bddl/placed-twice", Warning,
    "A sampler places each object once, so at most one of two placements comes true.\n\nRemove one of the two. A substance may have \
    several placements.";
    /// An object that is not placed in any room.
    NOT_PLACED = "bddl/not-placed", Warning,
    "Every object must be in a room, or on, in or under an object that is placed itself; a substance must be in or on such an object. \
    Otherwise the scene cannot be set up.\n\n\
    Example: `(ontop cup.n.01_1 table.n.02_1)` without `(inroom table.n.02_1 kitchen)`.";
    /// A `future` object that the goal does not require to be `real`.
    FUTURE_NOT_REAL = "bddl/future-not-real", Warning,
    "`(future X)` declares that X does not exist yet. The goal must require `(real X)`, at its top level or in an `or` at the top level, \
    because every other predicate is false for an object that does not exist. The only exception is `water.n.06_1` of a washing machine.";
    /// A `real` object in the goal that does not occur in the initial conditions.
    REAL_NOT_IN_INIT = "bddl/real-not-in-init", Warning,
    "`(real X)` requires that X exists at the end, so the initial conditions must contain `(future X)`, or a placement of X if it exists \
    already.";
    /// An initial condition together with its negation.
    CONTRADICTORY_INIT = "bddl/contradictory-init", Error,
    "No state satisfies both, so the activity has no initial state.\n\nRemove one of the two.";
    /// A category that is not a synset of the release.
    UNKNOWN_SYNSET = "bddl/unknown-synset", Error,
    "The taxonomy of the release given by `--knowledge` does not contain this synset, so its object models and abilities are \
    unknown. Releases differ in their synsets: use the knowledge base of the release that the activity is from.";
    /// A predicate that exists only in other releases.
    OTHER_RELEASE = "bddl/other-release", Warning,
    "The releases of BEHAVIOR-1K share one domain, `omnigibson`, whose predicates have changed: `assembled` exists in 3.1.0 only. The \
    release given by `--knowledge` does not have this predicate, so its simulator cannot evaluate the activity.\n\nActivities of \
    `igibson` are from 1.0.0 and 1.0.1, those of `omnigibson` from later releases. If the knowledge base belongs to the other group, a \
    single warning at the domain lists all missing predicates.";
    /// A predicate that does not apply to an object of this category.
    INAPPLICABLE = "bddl/inapplicable", Warning,
    "Predicates require abilities of their arguments: an object must be cookable to be `cooked`, and fillable for others to be `inside` \
    it. For other objects the predicate never becomes true, and a sampler fails on it.\n\n\
    Example: `(inside book.n.02_1 box.n.01_1)`: not every box can hold objects. Use instead a synset of boxes that can, such as \
    `carton.n.02`, or `ontop`.";
    /// Two objects that cannot be attached to each other.
    NOT_ATTACHABLE = "bddl/not-attachable", Warning,
    "Object models are attached at points made for each other, such as a picture frame at a nail. The releases list the pairs of \
    synsets that activities may use; the smaller object comes first.";
    /// A container for a specific substance that is never filled.
    SPECIFIC_CONTAINER = "bddl/specific-container", Warning,
    "A synset such as `water__bottle.n.01` is a container that is meant to be filled. If no condition fills it, tests its contents or \
    puts an object inside it, use the closed form: `bottle__of__water.n.01`.";
    /// A substance with several instances.
    SUBSTANCE_INSTANCES = "bddl/substance-instances", Warning,
    "A substance may be in any number of places; all of them belong to its single instance.\n\n\
    Example: `stain.n.01_1 stain.n.01_2 - stain.n.01`. Use instead: `stain.n.01_1 - stain.n.01`.";
    /// An agent without a placement.
    NO_AGENT = "bddl/no-agent", Warning,
    "The initial conditions place the agent: `(ontop agent.n.01_1 floor.n.01_1)`, in BEHAVIOR-100 `(onfloor agent.n.01_1 floor.n.01_1)`.";
    /// A problem whose name does not match its activity.
    PROBLEM_NAME = "bddl/problem-name", Warning,
    "The file `ACTIVITY/problem0.bddl` contains the problem `ACTIVITY-0` (in BEHAVIOR-100, `ACTIVITY_0`).";
    /// A substance whose synset is not a leaf of the taxonomy.
    NON_LEAF_SUBSTANCE = "bddl/non-leaf-substance", Note,
    "A simulator fills and covers objects with one particular substance; a non-leaf synset does not determine which one.\n\n\
    Example: `crumb.n.03`. Use one of its descendants if the choice matters.";
    /// A `future` object whose synset is not a leaf of the taxonomy and cannot be made.
    NON_LEAF_FUTURE = "bddl/non-leaf-future", Warning,
    "Transition rules make objects of particular synsets, and none of the descendants of this one can be made from the objects of the \
    activity.\n\nUse the synset of the object that is to be made.";
    /// A `future` object that no transition rule can make.
    UNREACHABLE = "bddl/unreachable", Warning,
    "No chain of transition rules leads from the objects of the activity to this one, so `(real ..)` of it never becomes true.\n\n\
    Declare the inputs of the rules, or require an object that can be made.";
    /// A `future` object whose rules require an undeclared machine.
    MISSING_MACHINE = "bddl/missing-machine", Note,
    "Every rule that makes the object requires a machine, a heat source or a container that the activity does not declare. It can \
    succeed only in scenes that have one.";
    /// A category without object models.
    NO_MODELS = "bddl/no-models", Warning,
    "The release has neither an object model nor a substance for this synset or its descendants, so the scene cannot be set up.";
    /// An activity that fits into no scene.
    NO_SCENE = "bddl/no-scene", Warning,
    "`(inroom OBJECT ROOM)` requires a room of a type that contains these objects: all objects that an activity assigns to one type of \
    room must be in one room. No scene of the release has all required rooms.\n\n\
    Remove or replace objects; the help names the nearest scene.";
    /// Checks that are skipped without a knowledge base.
    NO_KNOWLEDGE = "bddl/no-knowledge", Note,
    "Only the data files of a release determine whether categories exist, whether predicates apply to them and whether objects can be \
    made. Without these files, four of the fifteen checks and some lints are skipped.";

    // The files of a knowledge base.

    /// A folder without a knowledge base, or a file of a knowledge base that cannot be read.
    KNOWLEDGE_UNREADABLE = "bddl/knowledge-unreadable", Error,
    "A knowledge base is the folder of a release of the `bddl` package that contains `generated_data` (3.6.0) or \
    `hierarchy_owned.json` (1.0.0).\n\nSpecify that folder; in a source distribution it is `bddl-3.6.0/bddl`.";
    /// An invalid file of a knowledge base.
    KNOWLEDGE_DAMAGED = "bddl/knowledge-damaged", Error,
    "The file is not valid JSON or CSV, or an entry is missing or has another type than in the releases. The message gives the file, \
    line and column.\n\nRestore the file from the release.";
    /// A cycle in the taxonomy.
    KNOWLEDGE_CYCLE = "bddl/knowledge-cycle", Error,
    "Synsets form a hierarchy: the descendants of a synset are special cases of it, so no synset is its own descendant.\n\n\
    Remove one of the links between the synsets that the message names.";
    /// A taxonomy that exceeds the size limit.
    KNOWLEDGE_TOO_LARGE = "bddl/knowledge-too-large", Error,
    "The releases have at most 3,481 synsets. The descendant relation is stored in a table of quadratic size, so at most 16,384 synsets \
    are supported.";
    /// An entry of a knowledge base that is inconsistent with the other entries.
    KNOWLEDGE_MISMATCH = "bddl/knowledge-mismatch", Note,
    "A rule or a room refers to a synset, a category or an object that the release does not define, or a synset has several different \
    descriptions. The entry is ignored, or the first description is used; all other entries are used.";
}

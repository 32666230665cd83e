//! The diagnostic codes of the checks, with their documentation. Those of the parser are in [`crate::codes`].

goalspec_syntax::codes! {
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
}

//! The diagnostic codes of the checks, with their documentation. Those of the parser are in [`crate::codes`].

goalspec_syntax::codes! {
    /// A category that is not written as a synset.
    CATEGORY_FORM = "bddl/category-form", Warning,
    "A category is a WordNet synset or a custom one in the same form: letters, `-` and `_`, then `.n.` and a number.\n\n\
    Example: `apple_1 - apple`. Use instead: `apple.n.01_1 - apple.n.01`.";
    /// An instance that stands for all further things of the scene.
    WILDCARD = "bddl/wildcard", Note,
    "`cabinet.n.01_*` stands for all further cabinets in rooms of a type, as many as the scene has. Only the newest readers replace it; \
    release 3.6.0 takes it for an ordinary instance, and five of its own checks refuse it.";
    /// A room that no scene has.
    UNKNOWN_ROOM = "bddl/unknown-room", Warning,
    "`(inroom THING ROOM)` names a type of room. No scene has a room of another type, so the thing is placed nowhere.\n\n\
    Example: `(inroom bed.n.01_1 bed_room)`. Use instead: `(inroom bed.n.01_1 bedroom)`.";
    /// An instance that the initial conditions do not mention.
    NOT_IN_INIT = "bddl/not-in-init", Warning,
    "Every instance must be placed, or be declared as not existing yet, or the scene cannot be set up.\n\n\
    Add `(inroom X ROOM)` for a thing of the scene, `(ontop X Y)` or another placement for others, `(future X)` for what is to be made.";
    /// A quantified variable that is not called like its category.
    VARIABLE_NAME = "bddl/variable-name", Warning,
    "The evaluator allows any name, but the checks that an activity must pass take the name of a variable for its category, and fail.\n\n\
    Example: `(forall (?a - apple.n.01) (cooked ?a))`. Use instead: `(forall (?apple.n.01 - apple.n.01) (cooked ?apple.n.01))`.";
    /// An initial condition that a thing is not placed somewhere.
    NEGATIVE_PLACEMENT = "bddl/negative-placement", Warning,
    "A sampler places things; it cannot place them somewhere else than here. The initial conditions say where things are.\n\n\
    Example: `(not (ontop cup.n.01_1 table.n.02_1))`. Use instead: `(inside cup.n.01_1 cabinet.n.01_1)`.";
    /// A thing that is placed twice.
    PLACED_TWICE = "bddl/placed-twice", Warning,
    "A sampler places each thing once; of two placements at most one comes true.\n\nKeep one of the two. A substance may be in many places.";
    /// A thing that is not placed in any room.
    NOT_PLACED = "bddl/not-placed", Warning,
    "Every thing must be in a room, or on, in or under something that is, and so on; a substance must be in or on such a thing. \
    Otherwise the scene cannot be set up.\n\n\
    Example: `(ontop cup.n.01_1 table.n.02_1)` without `(inroom table.n.02_1 kitchen)`.";
    /// A thing that is to be made, but is not asked for.
    FUTURE_NOT_REAL = "bddl/future-not-real", Warning,
    "`(future X)` says that X does not exist yet. The goal asks for it with `(real X)`, at its top level or in an `or` there, since \
    every other predicate is false of a thing that does not exist. The one exception is `water.n.06_1` of a washing machine.";
    /// A thing that the goal wants to be real, but that is never mentioned before.
    REAL_UNKNOWN = "bddl/real-unknown", Warning,
    "`(real X)` asks that X comes to exist, so the initial conditions must say `(future X)`, or place X if it exists already.";
    /// An initial condition and its negation.
    CONTRADICTORY_INIT = "bddl/contradictory-init", Error,
    "No state has both, so the activity can never begin.\n\nRemove one of the two.";
    /// A category that the release does not know.
    UNKNOWN_SYNSET = "bddl/unknown-synset", Error,
    "The taxonomy of the release that `--knowledge` names has no such synset, so there are no object models for it, and nothing is known \
    of what it can do. Releases differ in their synsets: use the knowledge of the release that the activity is from.";
    /// A predicate that only other releases have.
    OTHER_RELEASE = "bddl/other-release", Warning,
    "The releases of BEHAVIOR-1K share one domain, `omnigibson`, whose predicates have changed: `assembled` is of 3.1.0 alone. The \
    release that `--knowledge` names does not have this one, so its simulator cannot evaluate the activity.\n\nActivities of `igibson` are of \
    1.0.0 and 1.0.1, those of `omnigibson` of later releases: with the knowledge of the other ones, it is said once, at the domain, with \
    all predicates that are lacking.";
    /// A predicate that things of this kind cannot have.
    INAPPLICABLE = "bddl/inapplicable", Warning,
    "Predicates are about things with certain abilities: what is `cooked` must be cookable, what something is `inside` of must be \
    fillable. Of others the predicate never becomes true, and a sampler fails on it.\n\n\
    Example: `(inside book.n.02_1 box.n.01_1)`: some boxes cannot hold anything. Use instead a kind of box that can, such as \
    `carton.n.02`, or `ontop`.";
    /// Two things that cannot be attached to each other.
    NOT_ATTACHABLE = "bddl/not-attachable", Warning,
    "Object models are attached at points made for each other, such as a picture frame at a nail. The releases list the pairs of \
    synsets that activities may use; the smaller thing comes first.";
    /// A container of a certain substance with nothing in it.
    SPECIFIC_CONTAINER = "bddl/specific-container", Warning,
    "A synset such as `water__bottle.n.01` is a container made to be filled with something. If the activity never fills it, looks at what \
    it holds or puts something in, the closed form is meant: `bottle__of__water.n.01`.";
    /// A substance with several instances.
    SEVERAL_SUBSTANCES = "bddl/several-substances", Warning,
    "A substance is in as many places as you like, all of them of its one instance.\n\n\
    Example: `stain.n.01_1 stain.n.01_2 - stain.n.01`. Use instead: `stain.n.01_1 - stain.n.01`.";
    /// The agent is nowhere.
    NO_AGENT = "bddl/no-agent", Warning,
    "The initial conditions place the agent: `(ontop agent.n.01_1 floor.n.01_1)`, in BEHAVIOR-100 `(onfloor agent.n.01_1 floor.n.01_1)`.";
    /// A problem that is not called like its activity.
    PROBLEM_NAME = "bddl/problem-name", Warning,
    "The file `ACTIVITY/problem0.bddl` holds the problem `ACTIVITY-0` (in BEHAVIOR-100, `ACTIVITY_0`).";
    /// A substance whose synset has others below it.
    SUBSTANCE_KIND = "bddl/substance-kind", Note,
    "A simulator fills and covers things with one particular substance; a kind of substance leaves open with which.\n\n\
    Example: `crumb.n.03`. Name one of the synsets below it, if it matters which.";
    /// A thing to be made whose synset has others below it.
    FUTURE_KIND = "bddl/future-kind", Warning,
    "Transition rules make things of particular synsets, and none of those below this one can be made from the things of the activity.\n\n\
    Name the synset of what is to be made.";
    /// A thing to be made that nothing makes.
    UNREACHABLE = "bddl/unreachable", Warning,
    "No chain of transition rules leads from the things of the activity to this one, so `(real ..)` of it never becomes true.\n\n\
    Add what the rules need, or ask for something that can be made.";
    /// A thing to be made that takes a machine which is not declared.
    MISSING_MACHINE = "bddl/missing-machine", Note,
    "Every rule that makes the thing takes a machine, a source of heat or a container that the activity does not declare. It can only \
    succeed in scenes that happen to have one.";
    /// A category without object models.
    NO_MODELS = "bddl/no-models", Warning,
    "The release has neither an object model nor a substance of this synset or those below it, so the scene cannot be set up.";
    /// An activity that fits into no scene.
    NO_SCENE = "bddl/no-scene", Warning,
    "`(inroom THING ROOM)` asks for a room of a type with these things in it: all that an activity puts into one type of room must be \
    in one room. No scene of the release has all its rooms.\n\n\
    Ask for fewer things, or for others; the help names the scene that comes nearest.";
    /// Checks that need a knowledge base.
    NO_KNOWLEDGE = "bddl/no-knowledge", Note,
    "Whether categories exist, whether predicates apply to them and whether things can be made is known only from the data files of a \
    release. Without them, four of the fifteen checks and some lints are left out.";
}

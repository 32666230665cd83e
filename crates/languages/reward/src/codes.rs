//! The diagnostic codes of reward functions, with their documentation.

goalspec_syntax::codes! {
    /// What is not Python.
    SYNTAX = "reward/syntax", Error,
    "The text is not a program of Python 3.11.\n\nExample: `reward =+ 1 if done`. Use instead: `reward += 1 if done else 0`.";
    /// A program beyond the limits.
    LIMIT = "reward/limit", Error,
    "Programs are read up to a size and a depth that no program written for a purpose comes near, so that reading one always ends \
    soon.\n\nUse instead: names for parts of large expressions, functions for inner blocks.";
    /// A statement that reward functions have no use for.
    UNSUPPORTED_STATEMENT = "reward/unsupported-statement", Error,
    "Reward functions are a part of Python: what computes. There is no `async`, no `match`, no `with`, as there are no files, network or \
    tasks to work with.\n\nExample: `match obj.category:`. Use instead: `if` and `elif`.";
    /// An expression that reward functions have no use for.
    UNSUPPORTED_EXPRESSION = "reward/unsupported-expression", Error,
    "Reward functions are a part of Python: what computes. Coroutines and generators of one's own are left out; generator expressions \
    are there.\n\nExample: `yield obj`. Use instead: a list to which objects are appended.";
    /// A base of a class that is built in and that no class is derived from here.
    UNSUPPORTED_BASE = "reward/unsupported-base", Error,
    "Classes are derived from classes of the program and of the world, from numbers, texts, lists, tuples, dicts, sets, exceptions and \
    enumerations, from `ABC`, `Generic`, `Protocol`, `NamedTuple` and `TypedDict`. The classes of `collections.abc` would bring methods that are \
    not there.\n\nExample: `class Scores(Mapping):`. Use instead: `class Scores(dict):`, or a class with `__getitem__` and `__len__`.";
    /// A decorator that is not known.
    UNSUPPORTED_DECORATOR = "reward/unsupported-decorator", Error,
    "A decorator may do anything to a function. Read are `@staticmethod`, `@classmethod`, `@property` and its \
    `.setter`, `@dataclass`, `@lru_cache`, `@cache`, `@total_ordering`, `@wraps`, `@abstractmethod` and `@unique`.";
    /// An import of something that is not there.
    UNKNOWN_IMPORT = "reward/unknown-import", Error,
    "A reward function runs without files, network, clock and packages. There are `math`, the vectors of `numpy`, `collections`, \
    `itertools`, `functools`, `dataclasses`, `enum`, `abc`, what annotations take from `typing`, and the object classes of the \
    world.\n\nExample: `import random`. Use instead: nothing that differs from run to run.";
    /// A name that gives access to what a reward function must not touch.
    FORBIDDEN_NAME = "reward/forbidden-name", Error,
    "`eval`, `exec`, `open`, `__import__` and names such as `__globals__` reach what lies outside of the program. A reward function \
    has no use for them.";
    /// A name that a library of reward functions does not have.
    UNKNOWN_LIBRARY_NAME = "reward/unknown-library-name", Error,
    "Of `numpy`, `math` and Python's own modules there is what rewards use: what computes with numbers, vectors and collections, and \
    gives the same for the same frames each time.\n\nExample: `np.random.rand()`. Use instead: a fixed number.";
    /// No function, or more than one, may give the reward, or one of its parameters cannot be given.
    ENTRY = "reward/entry", Error,
    "The reward comes from the function `reward_function`, else from `compute_reward`, else from the only function whose parameters \
    can be given. Parameters are `objects` (or whatever the only one is called), `env`, `prev_state` and `state`, `action`, and \
    classes: `player` is the only object of the class `Player`, `cars` are all of the class `Car`.\n\nExample: \
    `def reward_function(objects, speed):`. Use instead: `def reward_function(objects):`, or a default for `speed`.";
    /// A name that nothing has.
    UNKNOWN_NAME = "reward/unknown-name", Error,
    "Neither the program nor the world nor Python itself has a variable, a function or a class of this name: where it is used, a \
     `NameError` is raised, and the frame has no reward.\n\nExample: `isinstance(obj, Bal)`. Use instead: `isinstance(obj, Ball)`.";
    /// A declaration of a name that contradicts another one.
    SCOPE = "reward/scope", Error,
    "`global` and `nonlocal` stand before the name is used; a name is not both, nor a parameter as well; `nonlocal` needs a variable of \
    a function around.";
    /// A list that changes while it is gone through.
    CHANGED_WHILE_ITERATING = "reward/changed-while-iterating", Warning,
    "A loop goes through a list by position: when an element is removed, the next one takes its place and is skipped; when one is added, \
    the loop comes to it, too.\n\nExample: `for diver in divers: .. divers.remove(diver)`. Use instead: a loop over a copy, \
    `for diver in list(divers):`, or a list of those that stay.";
    /// An element that an inner loop may remove more than once.
    REMOVED_TWICE = "reward/removed-twice", Warning,
    "A loop removes the element of a loop around it, and goes on: when it does so again, `list.remove(x): x not in list` is raised, and \
    there is no reward.\n\nExample: `for missile in missiles: for enemy in enemies: if hit(missile, enemy): missiles.remove(missile)`. \
    Use instead: `break` after removing it.";
    /// A function that is never called.
    UNUSED_FUNCTION = "reward/unused-function", Note,
    "What a function says has no part in the reward if nothing calls it. Either the call was forgotten, or the function can go.";
    /// A test for the name of a class leaves out the kinds of the class.
    KINDS_LEFT_OUT = "reward/kinds-left-out", Note,
    "`category` is the name of the object's own class. Objects of a class that is a kind of another one have its own name, while \
    `isinstance` is true of them, too.\n\nExample: `obj.category == 'Submarine'`, where there are surface submarines. Use instead: \
    `isinstance(obj, Submarine)`, if they are meant.";
    /// Nothing keeps a divisor from being 0.
    UNGUARDED_DIVISION = "reward/unguarded-division", Note,
    "If what is divided by is 0, `ZeroDivisionError` is raised, and there is no reward.\n\nExample: `total / len(cars)`. Use instead: \
    `total / max(len(cars), 1)`, or a condition around it.";
    /// A program that is too large to be followed.
    NOT_FOLLOWED = "reward/not-followed", Note,
    "Values are followed through a program up to a limit of 200,000 steps and 90 levels, which no program written by hand comes near. Behind it, \
    nothing is found of what may be `None`, raise or go one way. Running the program is not affected.\n\nUse instead: loops and tables for \
    statements that are repeated.";
    /// A function of numpy whose last digits differ between computers.
    NUMPY_ACCURACY = "reward/numpy-accuracy", Note,
    "numpy computes some functions with vector code of the processor that it runs on, so that its own results differ between computers in \
    their last digits. goalspec gives the same everywhere. The note names such functions of the program and how far results may lie from those \
    of numpy, in units in the last place (ulp): one is at most 2.3e-16 of the value. Of `np.dot` and `@` it is one of the sum of the absolute \
    products for each element, because they are added up in another order: where products cancel, more digits differ. The same holds of sums of \
    transposed arrays and their absolute values.\n\nThe book has the \
    measurements: `Reward functions`, `Differences from CPython`. Compare rewards with recorded ones by a tolerance.";
    /// Something that may be `None` is used as if it were there.
    POSSIBLY_NONE = "reward/possibly-none", Warning,
    "On some way through the program, the value is `None` still, or the search for it found nothing. Then an attribute, an item, arithmetic \
    or an order raises an exception, and the frame has no reward.\n\nExample: `ball = None`, a loop that may find one, then `ball.x`. Use \
    instead: `if ball is None: return 0.0` before, or `if ball is not None:` around it.";
    /// A variable that may have no value is used.
    POSSIBLY_UNBOUND = "reward/possibly-unbound", Warning,
    "On some way through the function, nothing gives the variable a value: `UnboundLocalError` is raised, and the frame has no \
    reward.\n\nExample: a value given only in an `if`, or in a loop that may go through nothing. Use instead: a value before it.";
    /// An attribute that a value does not have.
    UNKNOWN_ATTRIBUTE = "reward/unknown-attribute", Warning,
    "Objects have the attributes of their class; numbers, tuples and lists have none of these. Asking for another one raises \
    `AttributeError`. It is an error if nothing that the value may be has the attribute.\n\nExample: `ball.xpos`, `balls.x` of a list. Use \
    instead: `ball.x`, `balls[0].x`; `isinstance` before an attribute that only some classes have.";
    /// A text that is compared with categories and is none.
    UNKNOWN_CLASS = "reward/unknown-class", Warning,
    "The category of an object is the name of its class. A text that no class of the world is called by is never equal to \
    it.\n\nExample: `obj.category == 'ball'`. Use instead: `obj.category == 'Ball'`.";
    /// Kinds of values that an operator does not take together.
    WRONG_OPERANDS = "reward/wrong-operands", Error,
    "Tuples are not subtracted, texts are not added to numbers, objects have no order: `TypeError` is raised, and the frame has no \
    reward.\n\nExample: `ball.xy - player.xy`. Use instead: `ball.x - player.x`, or `np.array(ball.xy) - np.array(player.xy)`.";
    /// A comparison that always goes one way.
    CONSTANT_COMPARISON = "reward/constant-comparison", Warning,
    "The sides are of kinds that are never equal, or the numbers on both sides never meet. What hangs on the comparison always happens, or \
    never does.\n\nExample: `ball == 'Ball'`, `player.y > 400` on a screen of 210 rows. Use instead: `ball.category == 'Ball'`, a number \
    that the left side takes.";
    /// A part of the program that is never run.
    UNREACHABLE = "reward/unreachable", Warning,
    "It stands behind what ends the function or the round of a loop, or under a condition that never holds, or that was asked \
    before.\n\nExample: `elif isinstance(obj, Ball)` behind `if isinstance(obj, Ball)`. Use instead: the class that was meant.";
    /// A part of the reward that never becomes one.
    COMPONENT_UNUSED = "reward/component-unused", Warning,
    "A variable gets numbers, and neither what is returned nor anything else asks for it: what it stands for is not rewarded.\n\nExample: \
    `hit_bonus = 1.0 if hit else 0.0` and `return distance_reward`. Use instead: `return distance_reward + hit_bonus`.";
    /// A result that is not what is promised.
    OUTSIDE_PROMISE = "reward/outside-promise", Warning,
    "The documentation of the function or a comment in it gives bounds of the reward. What is returned certainly lies outside, the clamp \
    lets more through, or a recording shows such a reward.\n\nExample: `# the reward is within [-1, 1]` and `return 5.0`. Use instead: \
    `return max(-1.0, min(1.0, reward))`, or other words.";
    /// A function that raised an exception in recordings.
    RAISES = "reward/raises", Warning,
    "In the recordings that were given, there are frames for which the function raises an exception and gives no reward. `goalspec score` \
    shows each of them with its traceback.\n\nExample: `env.object` in an environment that has `objects`. Use instead: what is there, or a \
    condition that asks for it before.";
    /// A comparison that went one way in all of the recordings.
    DEAD_THRESHOLD = "reward/dead-threshold", Warning,
    "In the recordings that were given, the two sides never meet: what hangs on the comparison never happens, or always. The nearest \
    values tell how far away it is. `goalspec audit` has more of the kind.\n\nExample: `player.y == 0`, where the surface is at 46. Use \
    instead: a number that the left side takes in the game.";
}

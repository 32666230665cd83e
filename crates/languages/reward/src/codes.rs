//! Every diagnostic code of reward functions, with its documentation.

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
}

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
}

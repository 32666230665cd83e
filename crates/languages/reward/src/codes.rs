//! The diagnostic codes of reward functions, with their documentation.

goalspec_syntax::codes! {
    /// A Python syntax error.
    SYNTAX = "reward/syntax", Error,
    "The file is not a valid Python 3.11 program.\n\nExample: `reward =+ 1 if done`. Use instead: `reward += 1 if done else 0`.";
    /// A program that exceeds a limit.
    LIMIT = "reward/limit", Error,
    "The size and nesting depth of programs are limited, so that reading one always terminates quickly. No handwritten program comes near \
    the limits.\n\nUse instead: variables for parts of large expressions, functions for inner blocks.";
    /// An unsupported statement.
    UNSUPPORTED_STATEMENT = "reward/unsupported-statement", Error,
    "Reward functions are computations without files, network or tasks. `async` and `except*` are not supported, nor are metaclasses other \
    than `ABCMeta`.\n\nExample: `async def reward_function(objects):`. Use instead: `def reward_function(objects):`.";
    /// An unsupported expression.
    UNSUPPORTED_EXPRESSION = "reward/unsupported-expression", Error,
    "Reward functions are computations without files, network or tasks. Coroutines and complex numbers are not supported.\n\nExample: `await \
    score(objects)`. Use instead: `score(objects)`.";
    /// An unsupported base class.
    UNSUPPORTED_BASE = "reward/unsupported-base", Error,
    "Supported base classes are those of the program and of the world, numbers, strings, lists, tuples, dicts, sets, exceptions, \
    enumerations, `ABC`, `Generic`, `Protocol`, `NamedTuple` and `TypedDict`, and of `collections.abc` those except `Set`, `MutableSet`, \
    `MutableSequence`, `ByteString`, `Generator` and the views.\n\nExample: `class Names(MutableSet):`. Use instead: `class Names(set):`.";
    /// An import of an unknown module.
    UNKNOWN_IMPORT = "reward/unknown-import", Error,
    "A reward function runs without files, network, clock and packages. Available are numpy, the modules of the standard library that \
    compute (`math`, `random`, `collections`, `itertools`, `functools`, `dataclasses`, `re` and others), and the object classes of the \
    world.\n\nExample: `import torch`. Use instead: `import numpy as np`, or plain arithmetic.";
    /// An import of an unknown module, without which the program works.
    MISSING_MODULE = "reward/missing-module", Warning,
    "The module does not exist in goalspec. The program works without it, since a handler catches the exception of the import, or since \
    nothing but annotations uses the imported names.\n\nExample: `import os` in a program that does not mention `os`. Use instead: no \
    import.";
    /// A name that is not available to reward functions.
    FORBIDDEN_NAME = "reward/forbidden-name", Error,
    "`eval`, `exec`, `open`, `__import__` and names such as `__globals__` give access to the environment of the program. They are not \
    available to reward functions.";
    /// An unknown name of a library.
    UNKNOWN_LIBRARY_NAME = "reward/unknown-library-name", Error,
    "Of `numpy` and the modules of Python, the functions on numbers, arrays, texts and collections are \
    available.\n\nExample: `np.fft.fft(x)`. Use instead: another function, or loops.";
    /// A missing or ambiguous reward function, or one with an unsupported parameter.
    ENTRY = "reward/entry", Error,
    "The reward is the return value of `reward_function`, or else of `compute_reward`, or else of the only function whose parameters are \
    all supported. Supported parameters are `objects` (or a single parameter of any name), `env`, `prev_state` and `state`, `action`, and \
    classes: `player` is the only object of the class `Player`, `cars` are all objects of the class `Car`.\n\nExample: `def \
    reward_function(objects, speed):`. Use instead: `def reward_function(objects):`, or a default for `speed`.";
    /// An undefined name.
    UNKNOWN_NAME = "reward/unknown-name", Error,
    "Neither the program nor the world nor Python defines a variable, function or class of this name: its use raises `NameError`, and the \
    frame has no reward.\n\nExample: `isinstance(obj, Bal)`. Use instead: `isinstance(obj, Ball)`.";
    /// A `global` or `nonlocal` declaration that conflicts with another use of the name.
    SCOPE = "reward/scope", Error,
    "`global` and `nonlocal` must precede the first use of the name; a name cannot be both, nor also a parameter; `nonlocal` requires a \
    variable of an enclosing function.";
    /// A list that changes during iteration.
    CHANGED_WHILE_ITERATING = "reward/changed-while-iterating", Warning,
    "A loop iterates over a list by index: after an element is removed, the next one takes its index and is skipped; an element that is \
    appended is visited, too.\n\nExample: `for diver in divers: .. divers.remove(diver)`. Use instead: a loop over a copy, `for diver in \
    list(divers):`, or a new list of the remaining elements.";
    /// An element that an inner loop may remove more than once.
    REMOVED_TWICE = "reward/removed-twice", Warning,
    "An inner loop removes the element of an outer loop and continues: a second removal raises `list.remove(x): x not in list`, and the \
    frame has no reward.\n\nExample: `for missile in missiles: for enemy in enemies: if hit(missile, enemy): missiles.remove(missile)`. \
    Use instead: `break` after the removal.";
    /// A reward function that changes the objects of the game.
    CHANGES_OBJECTS = "reward/changes-objects", Warning,
    "The objects belong to the game: an assignment to an attribute of an object, or a change of the list of objects, changes what the next \
    frame of a live environment starts from.\n\nExample: `obj.y += dy`. Use instead: `next_y = obj.y + dy`.";
    /// A function that is never called.
    UNUSED_FUNCTION = "reward/unused-function", Note,
    "A function that is never called does not contribute to the reward. Either a call is missing, or the function is superfluous.";
    /// A comparison with a category that excludes the subclasses.
    SUBCLASSES_EXCLUDED = "reward/subclasses-excluded", Note,
    "`category` is the name of the object's own class. Objects of a subclass have the name of the subclass, while `isinstance` is also \
    true for the base class.\n\nExample: `obj.category == 'Submarine'`, where surface submarines exist. Use instead: `isinstance(obj, \
    Submarine)`, if they are meant.";
    /// A divisor that may be 0.
    UNGUARDED_DIVISION = "reward/unguarded-division", Note,
    "If the divisor is 0, `ZeroDivisionError` is raised, and the frame has no reward.\n\nExample: `total / len(cars)`. Use instead: \
    `total / max(len(cars), 1)`, or a condition around it.";
    /// A program that is too large for a complete data-flow analysis.
    ANALYSIS_LIMIT = "reward/analysis-limit", Note,
    "The data-flow analysis ends after 200,000 steps or 90 levels, which no handwritten program reaches. For the rest of the program, \
    values that may be `None`, exceptions and constant conditions are not reported. Running the program is not affected.\n\nUse instead: \
    loops and tables for repeated statements.";
    /// A numpy function whose last digits differ between computers.
    NUMPY_ACCURACY = "reward/numpy-accuracy", Note,
    "numpy computes some functions with vector instructions of the processor, so that the last digits of its results differ between \
    computers. goalspec returns the same results on all computers. The note lists such functions of the program and the maximum \
    difference from numpy in units in the last place (ulp): one is at most 2.3e-16 of the value. For `np.dot` and `@`, it is one ulp of \
    the sum of the absolute products for each element, because the order of additions differs: where products cancel, more digits differ. \
    The same holds for sums of transposed arrays and their absolute values.\n\nThe book has the measurements: `Reward functions`, \
    `Differences from CPython`. Compare rewards with recorded ones within a tolerance.";
    /// A use of a value that may be `None`.
    POSSIBLY_NONE = "reward/possibly-none", Warning,
    "On some path through the program, the value is still `None`, or the search for it found nothing. An attribute, an item, arithmetic \
    or an order comparison then raises an exception, and the frame has no reward.\n\nExample: `ball = None`, a loop that may find one, \
    then `ball.x`. Use instead: `if ball is None: return 0.0` before, or `if ball is not None:` around it.";
    /// A use of a variable that may be unassigned.
    POSSIBLY_UNBOUND = "reward/possibly-unbound", Warning,
    "On some path through the function, the variable is not assigned: its use raises `UnboundLocalError`, and the frame has no \
    reward.\n\nExample: a variable that is assigned only in an `if`, or in a loop that may have no iterations. Use instead: an assignment \
    before it.";
    /// An unknown attribute.
    UNKNOWN_ATTRIBUTE = "reward/unknown-attribute", Warning,
    "Objects have the attributes of their class; numbers, tuples and lists have none of these. Access to an unknown attribute raises \
    `AttributeError`. It is an error if no possible value has the attribute.\n\nExample: `ball.xpos`, `balls.x` of a list. Use instead: \
    `ball.x`, `balls[0].x`; `isinstance` before an attribute that only some classes have.";
    /// A comparison of a category with an unknown class name.
    UNKNOWN_CLASS = "reward/unknown-class", Warning,
    "The category of an object is the name of its class. A string that is not the name of a class of the world is never equal to \
    it.\n\nExample: `obj.category == 'ball'`. Use instead: `obj.category == 'Ball'`.";
    /// Operands of incompatible types.
    WRONG_OPERANDS = "reward/wrong-operands", Error,
    "Tuples cannot be subtracted, strings cannot be added to numbers, and objects have no order: `TypeError` is raised, and the frame has \
    no reward.\n\nExample: `ball.xy - player.xy`. Use instead: `ball.x - player.x`, or `np.array(ball.xy) - np.array(player.xy)`.";
    /// A comparison with a constant result.
    CONSTANT_COMPARISON = "reward/constant-comparison", Warning,
    "The operands have types that are never equal, or ranges that do not overlap. The comparison is always true or always \
    false.\n\nExample: `ball == 'Ball'`, `player.y > 400` on a screen of 210 rows. Use instead: `ball.category == 'Ball'`, a number in \
    the range of the left side.";
    /// Unreachable code.
    UNREACHABLE = "reward/unreachable", Warning,
    "The code follows a statement that ends the function or the iteration, or its condition is never true, or the same condition was \
    tested before.\n\nExample: `elif isinstance(obj, Ball)` after `if isinstance(obj, Ball)`. Use instead: the intended class.";
    /// A component that does not contribute to the reward.
    COMPONENT_UNUSED = "reward/component-unused", Warning,
    "A variable is assigned numbers, but neither the return value nor any other expression uses it: it does not contribute to the \
    reward.\n\nExample: `hit_bonus = 1.0 if hit else 0.0` and `return distance_reward`. Use instead: `return distance_reward + hit_bonus`.";
    /// A reward outside of its documented range.
    OUT_OF_RANGE = "reward/out-of-range", Warning,
    "The documentation of the function or a comment in it states a range of the reward. The return value is always outside of it, a clamp \
    permits larger values, or a recording contains such a reward.\n\nExample: `# the reward is within [-1, 1]` and `return 5.0`. Use \
    instead: `return max(-1.0, min(1.0, reward))`, or a different comment.";
    /// A reward that nothing keeps within the range that is asked for.
    UNCLAMPED = "reward/unclamped", Note,
    "The reward is asked to lie in a range, and neither a clamp nor the values themselves guarantee it: several terms may add up. The code \
    is used for programs that language models write.\n\nExample: `for enemy in enemies: reward -= 0.1` and `return reward`. Use instead: \
    `return max(-1.0, min(1.0, reward))`.";
    /// A function that raised an exception in recordings.
    RAISES = "reward/raises", Warning,
    "In frames of the recordings, the function raises an exception and returns no reward. `goalspec score` shows each exception with its \
    traceback.\n\nExample: `env.object` in an environment that has `objects`. Use instead: an existing name, or a condition that tests \
    for it.";
    /// A comparison with a constant result in the recordings.
    DEAD_THRESHOLD = "reward/dead-threshold", Warning,
    "In the recordings, the comparison is always true or always false. The nearest values measure the distance. `goalspec audit` reports \
    more of these findings.\n\nExample: `player.y == 0`, where the surface is at 46. Use instead: a number in the range of the left side \
    during play.";
}

//! The diagnostic codes of trace readers and writers.

goalspec_syntax::codes! {
    /// An unknown world.
    UNKNOWN_DOMAIN = "input/unknown-domain", Error,
    "The trace or the command names a world that is not built in, or the world of the trace is not specified.\n\n\
     Specify the world file: `goalspec trace info --world my.world.toml play.jsonl`, or together with a program: \
     `goalspec score my.game my.world.toml play.jsonl`.";

    /// A file that cannot be opened, read or written.
    IO = "trace/io", Error,
    "The message contains the error of the operating system. Check the path and the permissions.";

    /// An unknown trace format.
    UNKNOWN_FORMAT = "trace/unknown-format", Error,
    "The format is detected from the first bytes, not from the file's name. goalspec reads recorded plays (a JSON list of states, an object with a `replay` list, or a \
     database export with `batch-N` objects), its own JSON Lines (the first line is `{\"format\":\"goalspec-trace\",..}`), and Parquet files that it \
     wrote itself, each plain or compressed with gzip or zstd.\n\nUse instead: write your states as JSON Lines, as described in the book's chapter on traces.";

    /// A format that is not part of this build.
    NOT_BUILT_IN = "trace/not-built-in", Error,
    "Parquet is an optional feature. Build with `--features parquet`, or convert the trace to JSON Lines with a build that includes it.";

    /// A truncated trace.
    CUT = "trace/cut", Error,
    "The file was not written or copied completely: its text ends before the list of states is closed, or the compressed data ends early. \
     The states before the cut are valid.\n\nUse instead: copy the file again, or read the valid states with `--partial`.";

    /// Damaged compressed data.
    DAMAGED = "trace/damaged", Error,
    "The gzip or zstd data is inconsistent, for example because the file was transferred as text. The states before the damage are valid; \
     `--partial` reads them.";

    /// Malformed JSON.
    SYNTAX = "trace/syntax", Error,
    "The message names the state, counted from 1, the byte, counted from 0 in the uncompressed text, and the expected text. The states before it are \
     valid; `--partial` reads them.";

    /// JSON nested too deeply.
    DEPTH = "trace/depth", Error,
    "Traces have only a few levels of lists and objects. Text nested deeper than the limit is not a trace.";

    /// A state that exceeds the memory limit.
    STATE_TOO_LARGE = "trace/state-too-large", Error,
    "A reader keeps one state in memory at a time. The size of a state is limited, so that a damaged file, for example one with an unclosed string, \
     cannot exhaust the memory.";

    /// A trace that exceeds a limit of the caller.
    OVER_LIMIT = "trace/over-limit", Error,
    "Where traces of unknown origin are scored in large numbers (`goalspec score --shard`, `score_table` of the Python package), the states, the bytes \
     and the time of each are limited, so that one of them cannot stop all others. The message names the limit.\n\nUse instead: raise the limit \
     (`--max-states`, `--max-size`, `--max-time`; `TraceLimits` in Python), or split the trace.";

    /// A value of the wrong JSON type.
    WRONG_TYPE = "trace/wrong-type", Error,
    "Each attribute has one kind of value, declared by the world: a position is three numbers, a flag is `true` or `false`. The message names the field, \
     the expected value and the state. Values are not converted, because a guess could change the score.";

    /// A number that is not finite.
    NOT_FINITE = "trace/not-finite", Error,
    "`NaN` and `Infinity` are not JSON, although Python's `json` writes them, and a number such as `1e999` exceeds the range of a 64-bit \
     float. Comparisons with such values have no meaning. Check the recorder; `--partial` reads the states before the number.";

    /// A missing field of a state or an object.
    MISSING_FIELD = "trace/missing-field", Error,
    "The message names the field and the state. Without the id of an object, for example, its values cannot be assigned.";

    /// States that are not in order.
    ORDER = "trace/order", Error,
    "The numbers of the states must increase from state to state; gaps are only warnings (`trace/gap`). A number that decreases or repeats means that \
     states were reordered or stored twice, so temporal goals would be evaluated incorrectly.\n\nUse instead: sort the states and remove the duplicates.";

    /// Missing states.
    GAP = "trace/gap", Warning,
    "The numbers of the states have gaps. The recorded states are evaluated as if they were consecutive, so events within a gap are not observed: a ball \
     that was thrown and caught in a gap was not thrown. The message names the first gap and the number of gaps.\n\nUse instead: record every state, or \
     number the recorded states without gaps if the others are irrelevant.";

    /// A recording without states.
    EMPTY = "trace/empty", Error,
    "A recording without states cannot be evaluated: a goal is neither satisfied nor violated in it.";

    /// A recording of another world.
    WRONG_WORLD = "trace/wrong-world", Error,
    "The scene of the recording, or each of its objects, is not part of the program's world, so scoring would evaluate an empty room. Or the \
     program is an activity, and the trace names another one: facts that are absent from a trace are false, so no recorded fact would be used.\n\n\
     Use instead: the world that the message names, or a recording of the program's own room or activity. If an activity was only renamed, \
     `--any-world` accepts its old traces.";

    /// A world without a mapping for recorded plays.
    NO_RECORDING = "trace/no-recording", Error,
    "A recorded play is a list of objects with the field names of a simulator. The `[recording]` table of a world maps these fields to attributes; this \
     world has no such table.\n\nUse instead: one of the worlds of the rooms, or goalspec's own trace format, which uses the names of the world.";

    /// Objects that are not in the world.
    FOREIGN_OBJECTS = "trace/foreign-objects", Warning,
    "These objects are ignored; the message counts and names them. Older recordings begin with objects of another room that disappear after a few \
     states, which is harmless. If many objects are foreign, the recording was probably made in another room.";

    /// An unknown name.
    UNKNOWN_NAME = "trace/unknown-name", Error,
    "goalspec's own trace format names objects, attributes, predicates and functions of a world. The name in the message is not defined in the world. \
     Objects that are not part of the world are declared in the header, with their types: `\"objects\":{\"box_7\":[\"box\"]}`.";

    /// A predicate or function that is not stored in states.
    NOT_STORED = "trace/not-stored", Error,
    "The world computes this predicate or function from attributes, so a value in the trace could contradict it.\n\nUse instead: record the attributes.";

    /// A fact with the wrong number of arguments.
    ARITY = "trace/arity", Error,
    "The number of objects differs from the number of parameters that the world declares for the predicate or function.";

    /// An object of the wrong type.
    WRONG_OBJECT = "trace/wrong-object", Error,
    "The world declares the types of objects that have an attribute, and the parameter types of predicates and functions. The object in the \
     message has none of these types.";

    /// An unknown version of the trace format.
    VERSION = "trace/version", Error,
    "The trace was written by a newer version of goalspec. Update goalspec, or convert the trace with the newer version.";

    /// A trace of a world with another name.
    OTHER_WORLD = "trace/other-world", Warning,
    "The trace was written for a world with another name. Its states are read with the program's world, as far as the names agree. \
     Activities accept traces of other activities only with `--any-world`; otherwise, the error is `trace/wrong-world`.";

    /// An unknown field.
    UNKNOWN_FIELD = "trace/unknown-field", Error,
    "Unknown fields are errors, because a misspelled field would otherwise be ignored. The message lists the valid fields.";

    /// A duplicate field.
    DOUBLED_FIELD = "trace/doubled-field", Error,
    "JSON does not define the meaning of duplicate fields, and most libraries silently use the last one. In a trace, they are errors: \
     the recorder wrote one of the two by mistake.\n\nExample: `{\"set\":{\"ball\":{\"position\":[0,0,0],\"position\":[1,0,0]}}}`.";

    /// An invalid line of a recording of screens.
    SCREENS = "trace/screens", Error,
    "A recording of an Atari game is JSON Lines: a header that names the game, then one frame per line with `t`, `ep`, `a`, `r`, `term`, `trunc`, and \
     `ram` or `objs` or both. The message names the line, the field and the expected value. Values are not guessed, because a wrong position would \
     change all later rewards.";

    /// A recording of several episodes, read as one.
    EPISODES = "trace/episodes", Warning,
    "Between the states of two episodes, the game is reset. `goalspec score` evaluates each episode of a recording separately; where a trace is one \
     list of states, for example in a conversion, the episodes are concatenated.";

    /// An episode that continues after its end.
    AFTER_END = "trace/after-end", Warning,
    "A frame marks the end of the episode (`term` or `trunc`), but the next frame belongs to the same episode. Because the number of the episode is the \
     same, the state of the program is not reset, and the rewards count for one episode.\n\n\
     Use instead: give each episode its own number in `ep`.";

    /// A number of frames that differs from the header.
    FRAME_COUNT = "trace/frame-count", Warning,
    "The field `n` in the header of a recording of screens is the number of frames. With fewer frames, the file is truncated; with more, it may contain \
     frames of several recordings. All frames in the file are used.";

    /// Missing or unordered batches of an export.
    BATCHES = "trace/batches", Error,
    "An export stores the states in `batch-0`, `batch-1` and so on. Batches before their turn are held in memory, up to a limit; a missing batch is a \
     gap in the recording.";

    /// A state that is not of the world.
    NOT_OF_WORLD = "trace/not-of-world", Error,
    "A state in memory has ids that the world does not have, a value of another kind than its attribute, a number that is infinite or not a \
     number, or a fact that the world computes from attributes. A monitor that is given such a state is unchanged.";

    /// A column that does not describe a state.
    UNKNOWN_COLUMN = "trace/unknown-column", Error,
    "A column of numbers is an attribute of an object, such as `ball_1.speed`; a component of a vector, such as `ball_1.position.x`, with x, y and z in \
     this order; a stored fact, such as `(on ball_1 table_1)`; or a stored function, such as `(fuel truck_1)`.";
}

//! The diagnostic codes of trace readers and writers.

goalspec_syntax::codes! {
    /// The file cannot be opened, read or written.
    IO = "trace/io", Error,
    "The operating system refused. The message says what it answered. Check the path and the permissions.";

    /// The text is in none of the formats that goalspec reads.
    UNKNOWN_FORMAT = "trace/unknown-format", Error,
    "goalspec looks at the first bytes, not at the file's name. It reads recorded plays (a JSON list of states, an object with a `replay` list, or a \
     database export with `batch-N` objects), its own JSON Lines (the first line is `{\"format\":\"goalspec-trace\",..}`), and Parquet files that it \
     wrote itself, each plain or compressed with gzip or zstd.\n\nUse instead: write your states as JSON Lines; the book's chapter on traces shows how.";

    /// The file uses a feature that this build of goalspec lacks.
    NOT_BUILT_IN = "trace/not-built-in", Error,
    "Parquet is an optional feature. Build with `--features parquet`, or convert the trace to JSON Lines with a goalspec that has it.";

    /// The trace ends in the middle of a state.
    CUT = "trace/cut", Error,
    "The file was not written or copied to its end: its text stops before the list of states is closed, or the compressed data stops early. \
     Everything before the cut is sound.\n\nUse instead: copy the file again, or read what is there with `--partial`.";

    /// The compressed data is damaged.
    DAMAGED = "trace/damaged", Error,
    "The gzip or zstd data contradicts itself, for example because the file was transferred as text. States before the damage are sound; \
     `--partial` reads them.";

    /// The text is not well-formed JSON.
    SYNTAX = "trace/syntax", Error,
    "The message names the state, counted from 1, the byte, counted from 0 in the uncompressed text, and what was expected there. States before it are sound; \
     `--partial` reads them.";

    /// JSON is nested deeper than any trace needs.
    DEPTH = "trace/depth", Error,
    "Lists and objects in a trace are nested a handful of levels. Text that is nested deeper than the limit is not a trace.";

    /// One state takes more memory than the reader grants.
    STATE_TOO_LARGE = "trace/state-too-large", Error,
    "A reader keeps one state in memory at a time, and a state has a size limit, so that a damaged file cannot use up the machine's memory. \
     A single long string without an end has the same effect.";

    /// A value is of the wrong JSON type.
    WRONG_TYPE = "trace/wrong-type", Error,
    "Each attribute has one kind of value, declared by the world: a position is three numbers, a flag is `true` or `false`. The message names the field, \
     what it must hold and the state. Nothing is converted, because a guess could change the score.";

    /// A number is not finite.
    NOT_FINITE = "trace/not-finite", Error,
    "`NaN` and `Infinity` are not JSON, although Python's `json` writes them, and a number such as `1e999` is larger than any that a computer \
     represents. A comparison with such a value means nothing. Find out why the recorder produced it; `--partial` reads the states before.";

    /// A field that a state or an object needs is missing.
    MISSING_FIELD = "trace/missing-field", Error,
    "The message names the field and the state. Without an object's id, for example, nobody knows what the values belong to.";

    /// States are not in order.
    ORDER = "trace/order", Error,
    "The recording's own numbers must grow from state to state; gaps are only remarked on (`trace/gap`). A number that falls or repeats means that states were mixed up or \
     stored twice, and goals over time would be judged wrongly.\n\nUse instead: sort the states and remove the duplicates.";

    /// States are missing.
    GAP = "trace/gap", Warning,
    "The recording numbers its states, and some numbers are left out. The states that are there are judged as if each followed the one before, so that \
     what happened in between counts for nothing: a ball that was thrown and caught in a gap was not thrown. The message names the first gap and says \
     how many there are.\n\nUse instead: record every state, or number the states that you keep without gaps if the others do not matter.";

    /// A recording without any state.
    EMPTY = "trace/empty", Error,
    "There is nothing to judge. A goal is neither met nor missed in a recording without states.";

    /// The recording belongs to another world.
    WRONG_WORLD = "trace/wrong-world", Error,
    "The scene that the recording names, or every object in it, is foreign to the world of the program. Scoring it would judge an empty room. Or the \
     program is an activity, and the trace names another one: what a trace does not say does not hold, so nothing that it says would count.\n\n\
     Use instead: the world that the message names, or a recording of the program's own room or activity. If an activity was only renamed, \
     `--any-world` takes its old traces.";

    /// The world has no recorded plays.
    NO_RECORDING = "trace/no-recording", Error,
    "A recorded play is a list of objects in a simulator's own words. The world's `[recording]` table says which of its fields become which attributes; \
     this world has none.\n\nUse instead: one of the worlds of the rooms, or goalspec's own trace format, which speaks in the world's own names.";

    /// Some objects of the recording are not in the world.
    FOREIGN_OBJECTS = "trace/foreign-objects", Warning,
    "They are left out; the message counts and names them. Older recordings begin with objects of another room that vanish after a few states, which does \
     no harm. When many objects are foreign, the recording was probably made in another room.";

    /// A name that the world does not have.
    UNKNOWN_NAME = "trace/unknown-name", Error,
    "goalspec's own trace format names objects, attributes, predicates and functions of a world. The name in the message is none of these. \
     Objects that only the trace knows are declared in its header, with their types: `\"objects\":{\"box_7\":[\"box\"]}`.";

    /// A predicate or function that states cannot carry.
    NOT_STORED = "trace/not-stored", Error,
    "The world computes this predicate or function from attributes, so that a value in the trace could contradict it. Give the attributes instead.";

    /// A fact with the wrong number of arguments.
    ARITY = "trace/arity", Error,
    "The world declares how many objects the predicate or function takes, and the trace names more or fewer.";

    /// An object of a type that the attribute, predicate or function does not take.
    WRONG_OBJECT = "trace/wrong-object", Error,
    "The world declares for which types an attribute exists and which types a predicate takes. The object in the message has none of them.";

    /// A version of the format that this goalspec does not know.
    VERSION = "trace/version", Error,
    "The trace was written by a newer goalspec. Update, or convert the trace there.";

    /// The header's world is not the world of the program.
    OTHER_WORLD = "trace/other-world", Warning,
    "The trace was written for a world of another name. Its states are read with the program's world as far as names agree. \
     Activities take traces of another one only with `--any-world`: without it, that is `trace/wrong-world`.";

    /// A field that the format does not have.
    UNKNOWN_FIELD = "trace/unknown-field", Error,
    "A misspelt field would be lost without a word, so it is an error. The message lists the fields that may stand there.";

    /// A field that stands twice in one object.
    DOUBLED_FIELD = "trace/doubled-field", Error,
    "JSON leaves open which of two fields of one name counts, and most libraries take the last one without a word. In a trace it is an error: \
     the recorder wrote one of the two by mistake.\n\nExample: `{\"set\":{\"ball\":{\"position\":[0,0,0],\"position\":[1,0,0]}}}`.";

    /// A line of a recording of screens that is not as it has to be.
    SCREENS = "trace/screens", Error,
    "A recording of an Atari game is JSON Lines: a header that names the game, then a frame per line with `t`, `ep`, `a`, `r`, `term`, `trunc`, and \
     `ram` or `objs` or both. The message names the line and the field, and says what was expected. Nothing is guessed: a wrong position would change \
     every reward after it.";

    /// A recording of several episodes where one is expected.
    EPISODES = "trace/episodes", Warning,
    "The states of one episode do not follow those of another: between them lies a reset. `goalspec score` takes each episode of a recording by \
     itself; where a trace is one list of states, as when it is converted, they are read one behind the other.";

    /// An episode of a recording goes on behind its end.
    AFTER_END = "trace/after-end", Warning,
    "A frame says that the episode ended with it (`term` or `trunc`), and the next one is of the same episode. What lies between two episodes is a reset; \
     what a program remembers is kept here, as the number of the episode is the same, and what was earned counts for one episode.\n\n\
     Use instead: give each episode a number of its own in `ep`.";

    /// A recording has another number of frames than its header says.
    FRAME_COUNT = "trace/frame-count", Warning,
    "The header of a recording of screens may say in `n` how many frames there are. If there are fewer, the file was cut; if there are more, frames of \
     several recordings may have come together. The frames that are there are taken as they are.";

    /// Batches of an export are missing or in an order that needs too much memory.
    BATCHES = "trace/batches", Error,
    "An export stores the states in `batch-0`, `batch-1` and so on. Batches that come too early wait in memory, up to a limit; a batch that is missing \
     leaves a gap in the recording.";
}

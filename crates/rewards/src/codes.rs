//! The diagnostic codes of reward programs and of their recordings, and those that programs of all languages share: unknown worlds,
//! exceeded budgets, and programs that cannot run.

goalspec_syntax::codes! {
    /// An unknown world.
    UNKNOWN_DOMAIN = "input/unknown-domain", Error,
    "The trace or the command names a world that is not built in, or the world of the trace is not specified.\n\n\
     Specify the world file: `goalspec trace info --world my.world.toml play.jsonl`, or together with a program: \
     `goalspec score my.game my.world.toml play.jsonl`.";
    /// A reward function that is read with a world other than the one that it imports.
    OTHER_REWARD_WORLD = "input/other-reward-world", Warning,
    "`--world` determines the available classes and overrides the import of the program. Names of the imported game that this world does not have \
     raise a `NameError`.\n\nUse instead: no `--world`, so that the import determines the world.";
    /// Invalid RAM input.
    RAM = "input/ram", Error,
    "`goalspec trace record` reads one frame per line: 256 hexadecimal digits, optionally preceded by `reset` or by the number of an action and its \
     score change. With `--raw`, it reads 128 bytes per frame.\n\nThe message names the line or the frame, and the error.";
    /// A frame that is missing from a recording.
    NO_FRAME = "input/no-frame", Error,
    "`goalspec score --why=120` explains the frame whose number in the recording, `t`, is 120. `--per-step` lists the numbers.";
    /// A game that cannot be played live.
    NO_EMULATOR = "input/no-emulator", Error,
    "`goalspec trace record --env` plays a game with the Arcade Learning Environment, which is not part of goalspec. It requires a Python \
     interpreter with the packages `ale-py` and `gymnasium`.\n\nUse instead: `python3 -m pip install gymnasium ale-py`, or recorded RAM.";
    /// An unknown action of a game.
    NO_SUCH_ACTION = "input/no-such-action", Error,
    "`goalspec trace record --env ALE/Pong-v5 --policy constant:2` always takes the action with this number. The numbers depend on the game; the \
     message lists them.";
    /// A program that exceeds its work budget.
    OVER_BUDGET = "run/over-budget", Error,
    "The budget is the number of units of work of a program over one trace; each state adds a thousandth of it. A unit is about the work of \
     evaluating an atom for one binding, or of combining 64 truth values. Units depend on the program and the trace only, so that a program \
     stops in the same state on every machine. A stopped program has no score; other programs are not affected.\n\n\
     Use instead: fewer variables in one quantifier, or types with fewer objects; `goalspec check --cost` prints the number of bindings. \
     `goalspec score --budget none` lifts the limit, `--budget 20G` raises it.";
    /// A program that an engine cannot run.
    REFUSED = "run/refused", Error,
    "The program exceeds a limit of an engine, or cannot be executed. The message states the reason.\n\n\
     - A preference or the setup ranges over too many combinations of objects: `goalspec check --cost` prints the number for each \
     preference. Use more specific types for its variables.\n\
     - A run would exceed the memory limit, because of the combinations of all preferences together. Use more specific types, or split the game.\n\
     - The goal of an activity has too many parts after expansion of its quantifiers, or is nested too deeply. Use fewer objects or fewer \
     nested quantifiers.\n\
     - The objects of an activity do not form a valid world, for example because there are too many of them.";
}

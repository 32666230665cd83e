//! The diagnostic codes of reward programs and of their recordings.

goalspec_syntax::codes! {
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
}

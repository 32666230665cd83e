//! The diagnostic codes of simulations.

goalspec_syntax::codes! {
    /// A recorded game that cannot be replayed.
    RECORDING = "run/recording", Error,
    "A recording of `goalspec simulate --trace` is replayed with the game that it names before its states are evaluated. The message \
     compares the recording with the game.\n\n\
     Specify the file of the game together with the recording, and use the same rules: `goalspec score plan.game berries.yaml turns.jsonl`.";
    /// A game that cannot be analysed exactly.
    NOT_ANALYSED = "run/not-analysed", Error,
    "`goalspec analyse` enumerates all reachable states of a game, so their number must be finite and within the limits. The message states \
     the reason.\n\n\
     - Numbers drawn from a range, in expressions or as parameters, and results of other programs have no finite model.\n\
     - Resources that grow without bound have none either: use `--horizon` to analyse the states of the first turns only.\n\
     - Policies must make the same decision in equal states: a script, which depends on the number of the turn, does not.\n\n\
     Use instead: `goalspec simulate`.";
    /// A drawn value that makes a game invalid.
    VARIATION = "run/variation", Error,
    "With a value drawn by `goalspec simulate --vary`, the game is invalid, or its teams, nodes, actions or metrics differ in name from those of \
     the file. The message contains the value.\n\n\
     Draw from valid values: `--vary 'actions.climb.consequences.0.odds=float.range(0.5,0.9)'`.";
}

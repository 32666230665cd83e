//! The decisions in which readings of these games differ and that count while a game is played: one value, a switch for each.

use super::compare;

/// How a game is played where its text alone does not say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Rules {
    /// How values are compared.
    pub comparison: compare::Rules,
    /// What the odds of the consequences of one group mean.
    pub odds: Odds,
    /// What the action called `nothing` does.
    pub nothing: Nothing,
    /// Which state a reward is computed from.
    pub reward_view: View,
    /// How exact a reward is.
    pub reward_precision: Precision,
    /// What happens to values that leave their declared space.
    pub bounds: Bounds,
    /// Whether nodes without declared resources can be asked and paid from.
    pub bare_nodes: BareNodes,
    /// Whether both ends of a vector from a node to itself can be read.
    pub self_loops: SelfLoops,
    /// How `MathOp` and steps of chains compute.
    pub arithmetic: Arithmetic,
    /// What comes of putting a value that is missing.
    pub missing_put: MissingPut,
    /// What comes of a step of a chain that cannot work on its value.
    pub failed_steps: FailedSteps,
    /// Whether an action can be chosen without values for its parameters.
    pub unset_parameters: UnsetParameters,
}

impl Rules {
    /// As the language is documented.
    pub const DOCUMENTED: Self = Self {
        comparison: compare::Rules::PLAIN,
        odds: Odds::Cumulative,
        nothing: Nothing::Action,
        reward_view: View::Truth,
        reward_precision: Precision::Double,
        bounds: Bounds::Ignore,
        bare_nodes: BareNodes::Empty,
        self_loops: SelfLoops::BothEnds,
        arithmetic: Arithmetic::Promoting,
        missing_put: MissingPut::Refused,
        failed_steps: FailedSteps::Missing,
        unset_parameters: UnsetParameters::Refused,
    };
    /// As the Cage engine plays.
    pub const CAGE: Self = Self {
        comparison: compare::Rules { zeros: compare::Zeros::Signed, texts: compare::Texts::ClassOfOther },
        odds: Odds::Increment,
        nothing: Nothing::Free,
        reward_view: View::Observation,
        reward_precision: Precision::Single,
        bounds: Bounds::Ignore,
        bare_nodes: BareNodes::Absent,
        self_loops: SelfLoops::SourceOnly,
        arithmetic: Arithmetic::FirstOperand,
        missing_put: MissingPut::Removes,
        failed_steps: FailedSteps::LeftOut,
        unset_parameters: UnsetParameters::Unrestricted,
    };
}

impl Rules {
    /// Every decision by the name of its switch, with the word for what was decided: the words that users give and that recordings have.
    pub fn words(&self) -> [(&'static str, &'static str); 13] {
        [
            ("odds", word(self.odds, &[(Odds::Cumulative, "cumulative"), (Odds::Increment, "increment")])),
            ("nothing", word(self.nothing, &[(Nothing::Action, "action"), (Nothing::Free, "free")])),
            ("reward-view", word(self.reward_view, &[(View::Truth, "truth"), (View::Observation, "observation")])),
            (
                "reward-precision",
                word(self.reward_precision, &[(Precision::Double, "double"), (Precision::Single, "single")]),
            ),
            (
                "bounds",
                word(self.bounds, &[(Bounds::Ignore, "ignore"), (Bounds::Clamp, "clamp"), (Bounds::Error, "error")]),
            ),
            ("bare-nodes", word(self.bare_nodes, &[(BareNodes::Empty, "empty"), (BareNodes::Absent, "absent")])),
            (
                "self-loops",
                word(self.self_loops, &[(SelfLoops::BothEnds, "both-ends"), (SelfLoops::SourceOnly, "source-only")]),
            ),
            (
                "arithmetic",
                word(
                    self.arithmetic,
                    &[(Arithmetic::Promoting, "promoting"), (Arithmetic::FirstOperand, "first-operand")],
                ),
            ),
            (
                "missing-put",
                word(self.missing_put, &[(MissingPut::Refused, "refused"), (MissingPut::Removes, "removes")]),
            ),
            (
                "failed-steps",
                word(self.failed_steps, &[(FailedSteps::Missing, "missing"), (FailedSteps::LeftOut, "left-out")]),
            ),
            (
                "unset-parameters",
                word(
                    self.unset_parameters,
                    &[(UnsetParameters::Refused, "refused"), (UnsetParameters::Unrestricted, "unrestricted")],
                ),
            ),
            (
                "zeros",
                word(self.comparison.zeros, &[(compare::Zeros::Same, "same"), (compare::Zeros::Signed, "signed")]),
            ),
            (
                "texts",
                word(
                    self.comparison.texts,
                    &[(compare::Texts::Real, "real"), (compare::Texts::ClassOfOther, "class-of-other")],
                ),
            ),
        ]
    }
}

/// The word for a value; every value has one.
fn word<T: PartialEq + Copy>(value: T, words: &[(T, &'static str)]) -> &'static str {
    words.iter().find(|&&(known, _)| known == value).map_or("", |(_, word)| word)
}

impl Default for Rules {
    fn default() -> Self {
        Self::DOCUMENTED
    }
}

/// What the odds of the consequences of one group mean. A group is a consequence that is `independent`, or the first one, with
/// those that follow and are not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Odds {
    /// Each is the probability that it or one before it in the group occurs: `0.5, 0.8, 1.0`.
    Cumulative,
    /// Each is the probability that it occurs itself: `0.5, 0.3, 0.2`.
    Increment,
}

/// What the action called `nothing` does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Nothing {
    /// What the file says of it; where the file says nothing, it is a free pass.
    Action,
    /// It is always a free pass, for every team, whatever the file says.
    Free,
}

/// Which state a reward is computed from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum View {
    /// The state of the game.
    Truth,
    /// What the team observes: the initial values of nodes that it does not see.
    Observation,
}

/// How exact a reward is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Precision {
    /// 64 bits.
    Double,
    /// Rounded to 32 bits.
    Single,
}

/// What happens to values that leave their declared space. They are counted in every case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Bounds {
    /// They stand.
    Ignore,
    /// Numbers outside a range take its nearest end; other values stand.
    Clamp,
    /// The game ends with an error.
    Error,
}

/// Whether nodes without declared resources can be asked and paid from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BareNodes {
    /// They can: they have no values.
    Empty,
    /// A cost or a filter that meets one ends the game with an error, until a consequence writes to it.
    Absent,
}

/// Whether both ends of a vector from a node to itself can be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SelfLoops {
    /// They can, and are the same node.
    BothEnds,
    /// Only the source has values in computations; those of the target are missing.
    SourceOnly,
}

/// How `MathOp` and the arithmetic steps of chains compute.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Arithmetic {
    /// Whole numbers stay whole under all but division; any real operand makes the result real; every field counts.
    Promoting,
    /// The kind of the first operand is the kind of the result (`3 - 0.5` is 3, `3 / 2` is 1); products and quotients take two
    /// fields, equality looks at the second only.
    FirstOperand,
}

/// What comes of putting a value that is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MissingPut {
    /// The game ends with an error; only a literal `null` removes the resource.
    Refused,
    /// The resource is removed.
    Removes,
}

/// What comes of a step of a chain that cannot work on its value, such as a number added to a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FailedSteps {
    /// The value of the chain is missing, and adding or putting it is what that is.
    Missing,
    /// The chain's addition or replacement does not take place.
    LeftOut,
}

/// Whether an action can be chosen without values for its parameters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UnsetParameters {
    /// It cannot: a policy that does so has no move.
    Refused,
    /// It can: `source` and `target` restrict no vectors then, and other parameters have no value.
    Unrestricted,
}

//! The semantic options on which implementations of resource graph games differ.

use crate::compare;

/// The semantic options of a game that its text leaves open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Rules {
    /// The comparison of values.
    pub comparison: compare::Rules,
    /// The interpretation of the odds within a group of consequences.
    pub odds: Odds,
    /// The effect of the action named `nothing`.
    pub nothing: Nothing,
    /// The state from which rewards are computed.
    pub reward_view: View,
    /// The floating-point precision of rewards.
    pub reward_precision: Precision,
    /// The treatment of values outside their declared space.
    pub bounds: Bounds,
    /// The treatment of nodes without declared resources in costs and filters.
    pub bare_nodes: BareNodes,
    /// The readable ends of a vector from a node to itself.
    pub self_loops: SelfLoops,
    /// The arithmetic of `MathOp` and of chain steps.
    pub arithmetic: Arithmetic,
    /// The effect of a replacement by a missing value.
    pub missing_put: MissingPut,
    /// The effect of a chain step that cannot process its value.
    pub failed_steps: FailedSteps,
    /// The treatment of moves without values for the parameters of their choice.
    pub unset_parameters: UnsetParameters,
}

impl Rules {
    /// The semantics that the language documents.
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
    /// The semantics of the Cage engine.
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
    /// Returns the name of each option with the word for its setting, as accepted from users and written to recordings.
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
            (
                "nodes-without-resources",
                word(self.bare_nodes, &[(BareNodes::Empty, "empty"), (BareNodes::Absent, "error")]),
            ),
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
            ("missing-put", word(self.missing_put, &[(MissingPut::Refused, "error"), (MissingPut::Removes, "remove")])),
            (
                "failed-chain-steps",
                word(self.failed_steps, &[(FailedSteps::Missing, "missing"), (FailedSteps::LeftOut, "skip")]),
            ),
            (
                "unset-parameters",
                word(
                    self.unset_parameters,
                    &[(UnsetParameters::Refused, "error"), (UnsetParameters::Unrestricted, "allow")],
                ),
            ),
            (
                "signed-zero",
                word(self.comparison.zeros, &[(compare::Zeros::Same, "equal"), (compare::Zeros::Signed, "ordered")]),
            ),
            (
                "text-comparison",
                word(
                    self.comparison.texts,
                    &[(compare::Texts::Real, "real"), (compare::Texts::ClassOfOther, "operand-kind")],
                ),
            ),
        ]
    }
}

/// Returns the word for a setting; every setting has one.
fn word<T: PartialEq + Copy>(value: T, words: &[(T, &'static str)]) -> &'static str {
    words.iter().find(|&&(known, _)| known == value).map_or("", |(_, word)| word)
}

impl Default for Rules {
    fn default() -> Self {
        Self::DOCUMENTED
    }
}

/// The interpretation of the odds within a group. A group begins with the first consequence, or with one that is `independent`,
/// and extends over the following consequences that are not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Odds {
    /// Cumulative probabilities: the odds of a consequence are the probability that it or an earlier one of the group occurs, as
    /// in `0.5, 0.8, 1.0`.
    Cumulative,
    /// Individual probabilities: the odds of a consequence are the probability that it occurs, as in `0.5, 0.3, 0.2`.
    Increment,
}

/// The effect of the action named `nothing`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Nothing {
    /// The definition in the file; a pass if the file defines none.
    Action,
    /// A pass for every team, whatever the file defines.
    Free,
}

/// The state from which rewards and masks are computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum View {
    /// The true state of the game.
    Truth,
    /// The observation of the team, in which unseen nodes have their initial values.
    Observation,
}

/// The floating-point precision of rewards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Precision {
    /// 64-bit floating point.
    Double,
    /// Rounded to 32-bit floating point.
    Single,
}

/// The treatment of values outside their declared space. Such values are counted under every setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Bounds {
    /// The value is stored unchanged.
    Ignore,
    /// A number outside a range is replaced by the nearest end of the range; other values are stored unchanged.
    Clamp,
    /// The game ends with an error.
    Error,
}

/// The treatment of nodes without declared resources in costs and filters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BareNodes {
    /// The node exists and its resources have no values.
    Empty,
    /// A cost or filter that refers to the node ends the game with an error, until a consequence writes to the node.
    Absent,
}

/// The readable ends of a vector from a node to itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SelfLoops {
    /// Both ends refer to the node.
    BothEnds,
    /// Only the source has values in computations; fields of the target are missing.
    SourceOnly,
}

/// The arithmetic of `MathOp` and of chain steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Arithmetic {
    /// The result is an integer if all operands are integers and the operator is not division, and otherwise real; all operands
    /// count.
    Promoting,
    /// The result has the kind of the first operand (`3 - 0.5` is 3, `3 / 2` is 1); products and quotients use the first two
    /// operands, and equality compares the first with the second only.
    FirstOperand,
}

/// The effect of a replacement by a missing value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MissingPut {
    /// The game ends with an error; only a literal `null` removes the resource.
    Refused,
    /// The resource is removed.
    Removes,
}

/// The effect of a chain step that cannot process its value, such as the addition of a number to a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FailedSteps {
    /// The value of the chain is missing, with the usual effect of adding or putting a missing value.
    Missing,
    /// The addition or replacement that contains the chain is skipped.
    LeftOut,
}

/// The treatment of moves without values for the parameters of their choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UnsetParameters {
    /// The move is an error.
    Refused,
    /// The move is accepted: `source` and `target` restrict no vectors, and other parameters are missing.
    Unrestricted,
}

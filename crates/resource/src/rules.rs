//! The semantic options on which implementations of resource graph games differ.

use crate::compare::{ComparisonRules, SignedZero, TextComparison};

/// The semantic options of a game that its text leaves open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct GameRules {
    /// The comparison of values.
    pub comparison: ComparisonRules,
    /// The interpretation of the odds within a group of consequences.
    pub odds: OddsRule,
    /// The effect of the action named `nothing`.
    pub nothing: NothingAction,
    /// The state from which rewards are computed.
    pub reward_view: Perspective,
    /// The floating-point precision of rewards.
    pub reward_precision: RewardPrecision,
    /// The treatment of values outside their declared space.
    pub bounds: SpaceBoundsRule,
    /// The treatment of nodes without declared resources in costs and filters.
    pub nodes_without_resources: NodesWithoutResourcesRule,
    /// The readable ends of a vector from a node to itself.
    pub self_loops: SelfLoopRule,
    /// The arithmetic of `MathOp` and of chain steps.
    pub arithmetic: ArithmeticRule,
    /// The effect of a replacement by a missing value.
    pub missing_put: MissingPutRule,
    /// The effect of a chain step that cannot process its value.
    pub failed_chain_steps: FailedChainStepRule,
    /// The treatment of moves without values for the parameters of their choice.
    pub unset_parameters: UnsetParameterRule,
}

impl GameRules {
    /// The semantics that the language documents.
    pub const DOCUMENTED: Self = Self {
        comparison: ComparisonRules::DEFAULT,
        odds: OddsRule::Cumulative,
        nothing: NothingAction::AsDefined,
        reward_view: Perspective::TrueState,
        reward_precision: RewardPrecision::Double,
        bounds: SpaceBoundsRule::Ignore,
        nodes_without_resources: NodesWithoutResourcesRule::Empty,
        self_loops: SelfLoopRule::BothEnds,
        arithmetic: ArithmeticRule::Promoting,
        missing_put: MissingPutRule::Error,
        failed_chain_steps: FailedChainStepRule::Missing,
        unset_parameters: UnsetParameterRule::Error,
    };
    /// The semantics of the Cage engine.
    pub const CAGE: Self = Self {
        comparison: ComparisonRules {
            signed_zero: SignedZero::Ordered,
            text_comparison: TextComparison::AsOperandKind,
        },
        odds: OddsRule::Individual,
        nothing: NothingAction::Pass,
        reward_view: Perspective::Observation,
        reward_precision: RewardPrecision::Single,
        bounds: SpaceBoundsRule::Ignore,
        nodes_without_resources: NodesWithoutResourcesRule::Error,
        self_loops: SelfLoopRule::SourceOnly,
        arithmetic: ArithmeticRule::FirstOperand,
        missing_put: MissingPutRule::Remove,
        failed_chain_steps: FailedChainStepRule::Skip,
        unset_parameters: UnsetParameterRule::Allow,
    };
}

/// Returns an option: its name, and the function that returns the word for its setting.
macro_rules! option {
    ($name:literal, $($field:ident).+: $($value:path = $word:literal),+) => {
        ($name, |rules: &GameRules| match rules.$($field).+ { $($value => $word),+ })
    };
}

/// A function that returns the word for the setting of an option.
type SettingWord = fn(&GameRules) -> &'static str;

/// The options by name, in the order of the documentation.
const OPTIONS: [(&str, SettingWord); 13] = [
    option!("odds", odds: OddsRule::Cumulative = "cumulative", OddsRule::Individual = "increment"),
    option!("nothing", nothing: NothingAction::AsDefined = "action", NothingAction::Pass = "free"),
    option!("reward-view", reward_view: Perspective::TrueState = "truth", Perspective::Observation = "observation"),
    option!("reward-precision", reward_precision: RewardPrecision::Double = "double", RewardPrecision::Single = "single"),
    option!("bounds", bounds: SpaceBoundsRule::Ignore = "ignore", SpaceBoundsRule::Clamp = "clamp", SpaceBoundsRule::Error = "error"),
    option!("nodes-without-resources", nodes_without_resources: NodesWithoutResourcesRule::Empty = "empty", NodesWithoutResourcesRule::Error = "error"),
    option!("self-loops", self_loops: SelfLoopRule::BothEnds = "both-ends", SelfLoopRule::SourceOnly = "source-only"),
    option!("arithmetic", arithmetic: ArithmeticRule::Promoting = "promoting", ArithmeticRule::FirstOperand = "first-operand"),
    option!("missing-put", missing_put: MissingPutRule::Error = "error", MissingPutRule::Remove = "remove"),
    option!("failed-chain-steps", failed_chain_steps: FailedChainStepRule::Missing = "missing", FailedChainStepRule::Skip = "skip"),
    option!("unset-parameters", unset_parameters: UnsetParameterRule::Error = "error", UnsetParameterRule::Allow = "allow"),
    option!("signed-zero", comparison.signed_zero: SignedZero::Equal = "equal", SignedZero::Ordered = "ordered"),
    option!("text-comparison", comparison.text_comparison: TextComparison::AsReal = "real", TextComparison::AsOperandKind = "operand-kind"),
];

impl GameRules {
    /// Returns the name of each option with the word for its setting, as accepted from users and written to recordings.
    pub fn settings(&self) -> [(&'static str, &'static str); 13] {
        OPTIONS.map(|(name, word)| (name, word(self)))
    }
}

impl Default for GameRules {
    fn default() -> Self {
        Self::DOCUMENTED
    }
}

/// The interpretation of the odds within a group. A group begins with the first consequence, or with one that is `independent`,
/// and extends over the following consequences that are not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OddsRule {
    /// Cumulative probabilities: the odds of a consequence are the probability that it or an earlier one of the group occurs, as
    /// in `0.5, 0.8, 1.0`.
    Cumulative,
    /// Individual probabilities: the odds of a consequence are the probability that it occurs, as in `0.5, 0.3, 0.2`.
    Individual,
}

/// The effect of the action named `nothing`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NothingAction {
    /// The definition in the file; a pass if the file defines none.
    AsDefined,
    /// A pass for every team, whatever the file defines.
    Pass,
}

/// The state from which rewards and masks are computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Perspective {
    /// The true state of the game.
    TrueState,
    /// The observation of the team, in which unseen nodes have their initial values.
    Observation,
}

/// The floating-point precision of rewards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RewardPrecision {
    /// 64-bit floating point.
    Double,
    /// Rounded to 32-bit floating point.
    Single,
}

/// The treatment of values outside their declared space. Such values are counted under every setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SpaceBoundsRule {
    /// The value is stored unchanged.
    Ignore,
    /// A number outside a range is replaced by the nearest end of the range; other values are stored unchanged.
    Clamp,
    /// The game ends with an error.
    Error,
}

/// The treatment of nodes without declared resources in costs and filters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NodesWithoutResourcesRule {
    /// The node exists and its resources have no values.
    Empty,
    /// A cost or filter that refers to the node ends the game with an error, until a consequence writes to the node.
    Error,
}

/// The readable ends of a vector from a node to itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SelfLoopRule {
    /// Both ends refer to the node.
    BothEnds,
    /// Only the source has values in computations; fields of the target are missing.
    SourceOnly,
}

/// The arithmetic of `MathOp` and of chain steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ArithmeticRule {
    /// The result is an integer if all operands are integers and the operator is not division, and otherwise real; all operands
    /// count.
    Promoting,
    /// The result has the kind of the first operand (`3 - 0.5` is 3, `3 / 2` is 1); products and quotients use the first two
    /// operands, and equality compares the first with the second only.
    FirstOperand,
}

/// The effect of a replacement by a missing value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MissingPutRule {
    /// The game ends with an error; only a literal `null` removes the resource.
    Error,
    /// The resource is removed.
    Remove,
}

/// The effect of a chain step that cannot process its value, such as the addition of a number to a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FailedChainStepRule {
    /// The value of the chain is missing, with the usual effect of adding or putting a missing value.
    Missing,
    /// The addition or replacement that contains the chain is skipped.
    Skip,
}

/// The treatment of moves without values for the parameters of their choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UnsetParameterRule {
    /// The move is an error.
    Error,
    /// The move is accepted: `source` and `target` restrict no vectors, and other parameters are missing.
    Allow,
}

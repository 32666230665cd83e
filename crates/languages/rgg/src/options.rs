//! The options of a dialect by name, for users who change some of them.

use std::fmt;

use goalspec_resource::compare::{SignedZero, TextComparison};
use goalspec_resource::rules::{
    ArithmeticRule, FailedChainStepRule, MissingPutRule, NodesWithoutResourcesRule, NothingAction, OddsRule,
    Perspective, RewardPrecision, SelfLoopRule, SpaceBoundsRule, UnsetParameterRule,
};
use goalspec_syntax::suggest::did_you_mean;

use crate::dialect::{
    Dialect, EmptyAddRule, FactorialRule, FilterCombination, InitialValueRule, InvalidExpressionRule, SurplusEntryRule,
    UndefinedNameRule,
};

/// A named choice between the behaviours of two implementations.
#[derive(Debug, Clone, Copy)]
pub struct DialectOption {
    /// The name of the option.
    pub name: &'static str,
    /// The names of its settings.
    pub settings: &'static [&'static str],
    set: fn(&mut Dialect, usize),
    get: fn(&Dialect) -> usize,
}

/// Options are equal if they have the same name.
impl PartialEq for DialectOption {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for DialectOption {}

impl DialectOption {
    /// Returns the name of the setting in a dialect.
    pub fn setting(&self, dialect: &Dialect) -> &'static str {
        self.settings[(self.get)(dialect)]
    }
}

/// Defines an option whose settings are values of a field, each with a name.
macro_rules! dialect_option {
    ($name:literal, $($field:ident).+: $($position:literal = $value:expr),+) => {
        DialectOption {
            name: $name,
            settings: &[$($position),+],
            set: |dialect, position| dialect.$($field).+ = [$($value),+][position],
            get: |dialect| [$($value),+].iter().position(|value| *value == dialect.$($field).+).unwrap_or_default(),
        }
    };
}

/// All choices that distinguish dialects, in the order of the documentation.
pub const DIALECT_OPTIONS: &[DialectOption] = &[
    dialect_option!("odds", rules.odds: "cumulative" = OddsRule::Cumulative, "increment" = OddsRule::Individual),
    dialect_option!("nothing", rules.nothing: "action" = NothingAction::AsDefined, "free" = NothingAction::Pass),
    dialect_option!("reward-view", rules.reward_view: "truth" = Perspective::TrueState, "observation" = Perspective::Observation),
    dialect_option!("reward-precision", rules.reward_precision: "double" = RewardPrecision::Double, "single" = RewardPrecision::Single),
    dialect_option!("bounds", rules.bounds: "ignore" = SpaceBoundsRule::Ignore, "clamp" = SpaceBoundsRule::Clamp, "error" = SpaceBoundsRule::Error),
    dialect_option!("nodes-without-resources", rules.nodes_without_resources: "empty" = NodesWithoutResourcesRule::Empty, "error" = NodesWithoutResourcesRule::Error),
    dialect_option!("self-loops", rules.self_loops: "both-ends" = SelfLoopRule::BothEnds, "source-only" = SelfLoopRule::SourceOnly),
    dialect_option!("arithmetic", rules.arithmetic: "promoting" = ArithmeticRule::Promoting, "first-operand" = ArithmeticRule::FirstOperand),
    dialect_option!("missing-put", rules.missing_put: "error" = MissingPutRule::Error, "remove" = MissingPutRule::Remove),
    dialect_option!("failed-chain-steps", rules.failed_chain_steps: "missing" = FailedChainStepRule::Missing, "skip" = FailedChainStepRule::Skip),
    dialect_option!("unset-parameters", rules.unset_parameters: "error" = UnsetParameterRule::Error, "allow" = UnsetParameterRule::Allow),
    dialect_option!("signed-zero", rules.comparison.signed_zero: "equal" = SignedZero::Equal, "ordered" = SignedZero::Ordered),
    dialect_option!("text-comparison", rules.comparison.text_comparison: "real" = TextComparison::AsReal, "operand-kind" = TextComparison::AsOperandKind),
    dialect_option!("initial-values", initial_values: "documented" = InitialValueRule::Documented, "engine" = InitialValueRule::Engine),
    dialect_option!("invalid-expressions", invalid_expressions: "error" = InvalidExpressionRule::Error, "missing" = InvalidExpressionRule::Missing),
    dialect_option!("factorial", factorial: "operator" = FactorialRule::Operator, "factor" = FactorialRule::Factor),
    dialect_option!("comparisons", numeric_comparisons: "no" = false, "yes" = true),
    dialect_option!("filter-combination", filter_combination: "all" = FilterCombination::All, "first" = FilterCombination::FirstOnly),
    dialect_option!("surplus-entries", surplus_entries: "error" = SurplusEntryRule::Error, "ignore" = SurplusEntryRule::Ignore),
    dialect_option!("undefined-names", undefined_names: "error" = UndefinedNameRule::Error, "missing" = UndefinedNameRule::Missing),
    dialect_option!("empty-add", empty_add: "no-effect" = EmptyAddRule::NoEffect, "add-state" = EmptyAddRule::AddState),
    dialect_option!("bare-enum", short_enum: "no" = false, "yes" = true),
    dialect_option!("field-aliases", positional_fields: "no" = false, "yes" = true),
    dialect_option!("case-insensitive-operators", case_insensitive_operators: "no" = false, "yes" = true),
    dialect_option!("any-order", any_section_order: "no" = false, "yes" = true),
    dialect_option!("optional-metadata", optional_metadata: "no" = false, "yes" = true),
    dialect_option!("short-filters", short_filter_names: "no" = false, "yes" = true),
    dialect_option!("resource-lists", resource_lists: "no" = false, "yes" = true),
    dialect_option!("vector-team", vector_team: "no" = false, "yes" = true),
    dialect_option!("completed-computes", computed_completion: "no" = false, "yes" = true),
    dialect_option!("unqualified-reads", implicit_target: "no" = false, "yes" = true),
    dialect_option!("parameters", readable_parameters: "no" = false, "yes" = true),
    dialect_option!("extended-names", extended_names: "no" = false, "yes" = true),
];

/// The error that a text is not an option of a dialect with one of its settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DialectOptionError {
    /// The text is not of the form `name=setting`.
    Malformed {
        /// The text.
        text: String,
    },
    /// There is no such option.
    UnknownOption {
        /// The name.
        name: String,
    },
    /// The option has no such setting.
    UnknownSetting {
        /// The option.
        option: &'static DialectOption,
        /// The setting.
        setting: String,
    },
}

impl fmt::Display for DialectOptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let near = |word: &str, words: &[&'static str]| {
            let near = did_you_mean(word, words.iter().copied());
            near.unwrap_or_else(|| format!("expected one of {}", words.join(", ")))
        };
        match self {
            Self::Malformed { text } => write!(f, "`{text}` must be a rule and its value, as in `odds=increment`"),
            Self::UnknownOption { name } => {
                let names: Vec<&str> = DIALECT_OPTIONS.iter().map(|option| option.name).collect();
                write!(f, "unknown rule `{name}`; {}", near(name, &names))
            }
            Self::UnknownSetting { option, setting } => {
                let near = near(setting, option.settings);
                write!(f, "unknown value `{setting}` of the rule `{}`; {near}", option.name)
            }
        }
    }
}

impl std::error::Error for DialectOptionError {}

impl Dialect {
    /// Returns the dialect with one option changed, written as in `odds=increment`.
    ///
    /// # Errors
    /// If the text is not of this form, or if there is no such option or setting.
    ///
    /// ```
    /// use goalspec_rgg::Dialect;
    /// let dialect = Dialect::DOCUMENTED.with_option("bounds=clamp").unwrap();
    /// assert_ne!(dialect.rules.bounds, Dialect::DOCUMENTED.rules.bounds);
    /// let wrong = Dialect::DOCUMENTED.with_option("bound=clamp").unwrap_err();
    /// assert!(wrong.to_string().contains("did you mean `bounds`?"));
    /// ```
    pub fn with_option(mut self, text: &str) -> Result<Self, DialectOptionError> {
        let Some((name, setting)) = text.split_once('=') else {
            return Err(DialectOptionError::Malformed { text: text.to_owned() });
        };
        let Some(option) = DIALECT_OPTIONS.iter().find(|option| option.name == name) else {
            return Err(DialectOptionError::UnknownOption { name: name.to_owned() });
        };
        let Some(at) = option.settings.iter().position(|known| *known == setting) else {
            return Err(DialectOptionError::UnknownSetting { option, setting: setting.to_owned() });
        };
        (option.set)(&mut self, at);
        Ok(self)
    }
}

impl Dialect {
    /// Returns the name of the dialect that differs in the fewest options, with these options and their settings.
    pub fn nearest_named(&self) -> (&'static str, Vec<(&'static str, &'static str)>) {
        let changed = |base: &Self| -> Vec<_> {
            let switches = DIALECT_OPTIONS.iter().map(|switch| (switch, switch.setting(self)));
            let changed = switches.filter(|(switch, position)| switch.setting(base) != *position);
            changed.map(|(switch, position)| (switch.name, position)).collect()
        };
        let named = Self::NAMED.iter().map(|(name, base)| (*name, changed(base)));
        named.min_by_key(|(_, changed)| changed.len()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::{DIALECT_OPTIONS, Dialect};

    /// Every difference between the dialects is an option.
    #[test]
    fn switches_lead_from_one_dialect_to_the_other() {
        for [from, to] in [[Dialect::DOCUMENTED, Dialect::CAGE], [Dialect::CAGE, Dialect::DOCUMENTED]] {
            let turn = |dialect: Dialect, switch: &super::DialectOption| {
                dialect.with_option(&format!("{}={}", switch.name, switch.setting(&to))).unwrap()
            };
            assert_eq!(DIALECT_OPTIONS.iter().fold(from, turn), to);
        }
    }

    /// Recordings use the same names for the rules as the options.
    #[test]
    fn rules_have_the_words_of_the_switches() {
        for switch in DIALECT_OPTIONS {
            for position in switch.settings {
                let dialect = Dialect::DOCUMENTED.with_option(&format!("{}={position}", switch.name)).unwrap();
                let words = dialect.rules.settings();
                if let Some((_, word)) = words.iter().find(|(name, _)| *name == switch.name) {
                    assert_eq!(word, position, "{}", switch.name);
                } else {
                    assert_eq!(
                        dialect.rules,
                        Dialect::DOCUMENTED.rules,
                        "{} changes rules without a word",
                        switch.name
                    );
                }
            }
        }
        let known = |name: &str| DIALECT_OPTIONS.iter().any(|switch| switch.name == name);
        assert!(Dialect::DOCUMENTED.rules.settings().iter().all(|(name, _)| known(name)));
    }

    #[test]
    fn dialects_are_described_by_the_nearest_name() {
        assert_eq!(Dialect::CAGE.nearest_named(), ("cage", vec![]));
        let changed = Dialect::CAGE.with_option("odds=cumulative").unwrap();
        assert_eq!(changed.nearest_named(), ("cage", vec![("odds", "cumulative")]));
        assert_eq!(Dialect::DOCUMENTED.nearest_named(), ("documented", vec![]));
    }

    #[test]
    fn errors_are_explained() {
        let error = |text| Dialect::DOCUMENTED.with_option(text).unwrap_err().to_string();
        assert!(error("odds").contains("as in `odds=increment`"));
        assert!(error("odds=cumulativ").contains("did you mean `cumulative`?"));
        assert!(error("xyz=1").contains("expected one of odds, nothing"));
    }
}

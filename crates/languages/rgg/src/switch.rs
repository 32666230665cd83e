//! The options of a dialect by name, for users who change some of them.

use goalspec_resource::compare::{Texts, Zeros};
use goalspec_resource::rules::{
    Arithmetic, BareNodes, Bounds, FailedSteps, MissingPut, Nothing, Odds, Precision, SelfLoops, UnsetParameters, View,
};
use goalspec_syntax::suggest::did_you_mean;

use crate::dialect::{Dialect, EmptyAdd, Factorial, Initials, Joining, Surplus, Undefined, Unreadable};

/// An option of a dialect.
#[derive(Debug, Clone, Copy)]
pub struct Switch {
    /// The name of the option.
    pub name: &'static str,
    /// The names of its settings.
    pub positions: &'static [&'static str],
    set: fn(&mut Dialect, usize),
    get: fn(&Dialect) -> usize,
}

impl Switch {
    /// Returns the name of the setting in a dialect.
    pub fn position(&self, dialect: &Dialect) -> &'static str {
        self.positions[(self.get)(dialect)]
    }
}

/// Defines an option whose settings are values of a field, each with a name.
macro_rules! switch {
    ($name:literal, $($field:ident).+: $($position:literal = $value:expr),+) => {
        Switch {
            name: $name,
            positions: &[$($position),+],
            set: |dialect, position| dialect.$($field).+ = [$($value),+][position],
            get: |dialect| [$($value),+].iter().position(|value| *value == dialect.$($field).+).unwrap_or_default(),
        }
    };
}

/// The options of a dialect.
pub const SWITCHES: &[Switch] = &[
    switch!("odds", rules.odds: "cumulative" = Odds::Cumulative, "increment" = Odds::Increment),
    switch!("nothing", rules.nothing: "action" = Nothing::Action, "free" = Nothing::Free),
    switch!("reward-view", rules.reward_view: "truth" = View::Truth, "observation" = View::Observation),
    switch!("reward-precision", rules.reward_precision: "double" = Precision::Double, "single" = Precision::Single),
    switch!("bounds", rules.bounds: "ignore" = Bounds::Ignore, "clamp" = Bounds::Clamp, "error" = Bounds::Error),
    switch!("nodes-without-resources", rules.bare_nodes: "empty" = BareNodes::Empty, "error" = BareNodes::Absent),
    switch!("self-loops", rules.self_loops: "both-ends" = SelfLoops::BothEnds, "source-only" = SelfLoops::SourceOnly),
    switch!("arithmetic", rules.arithmetic: "promoting" = Arithmetic::Promoting, "first-operand" = Arithmetic::FirstOperand),
    switch!("missing-put", rules.missing_put: "error" = MissingPut::Refused, "remove" = MissingPut::Removes),
    switch!("failed-chain-steps", rules.failed_steps: "missing" = FailedSteps::Missing, "skip" = FailedSteps::LeftOut),
    switch!("unset-parameters", rules.unset_parameters: "error" = UnsetParameters::Refused, "allow" = UnsetParameters::Unrestricted),
    switch!("signed-zero", rules.comparison.zeros: "equal" = Zeros::Same, "ordered" = Zeros::Signed),
    switch!("text-comparison", rules.comparison.texts: "real" = Texts::Real, "operand-kind" = Texts::ClassOfOther),
    switch!("initial-values", initials: "documented" = Initials::Documented, "engine" = Initials::Engine),
    switch!("invalid-expressions", unreadable: "error" = Unreadable::Refused, "missing" = Unreadable::WithoutValue),
    switch!("factorial", factorial: "operator" = Factorial::Operator, "factor" = Factorial::Factor),
    switch!("comparisons", comparisons: "no" = false, "yes" = true),
    switch!("filter-combination", joining: "all" = Joining::All, "first" = Joining::First),
    switch!("surplus-entries", surplus: "error" = Surplus::Refused, "ignore" = Surplus::LeftOut),
    switch!("undefined-names", undefined: "error" = Undefined::Refused, "missing" = Undefined::Missing),
    switch!("empty-add", empty_add: "no-effect" = EmptyAdd::Nothing, "add-state" = EmptyAdd::WholeState),
    switch!("bare-enum", bare_enum: "no" = false, "yes" = true),
    switch!("field-aliases", field_aliases: "no" = false, "yes" = true),
    switch!("case-insensitive-operators", words_in_any_case: "no" = false, "yes" = true),
    switch!("any-order", any_order: "no" = false, "yes" = true),
    switch!("optional-metadata", optional_metadata: "no" = false, "yes" = true),
    switch!("short-filters", short_filters: "no" = false, "yes" = true),
    switch!("resource-lists", resource_lists: "no" = false, "yes" = true),
    switch!("vector-team", vector_team: "no" = false, "yes" = true),
    switch!("completed-computes", completed_computes: "no" = false, "yes" = true),
    switch!("unqualified-reads", bare_reads: "no" = false, "yes" = true),
    switch!("parameters", parameters: "no" = false, "yes" = true),
    switch!("extended-names", further_names: "no" = false, "yes" = true),
];

impl Dialect {
    /// Returns the dialect with one option changed, written as in `odds=increment`.
    ///
    /// # Errors
    /// Returns a message if the text is not of this form, or if there is no such option or setting.
    ///
    /// ```
    /// use goalspec_rgg::Dialect;
    /// let dialect = Dialect::DOCUMENTED.with_switch("bounds=clamp").unwrap();
    /// assert_ne!(dialect.rules.bounds, Dialect::DOCUMENTED.rules.bounds);
    /// let wrong = Dialect::DOCUMENTED.with_switch("bound=clamp").unwrap_err();
    /// assert!(wrong.contains("did you mean `bounds`?"));
    /// ```
    pub fn with_switch(mut self, text: &str) -> Result<Self, String> {
        let Some((name, position)) = text.split_once('=') else {
            return Err(format!("`{text}` must be a rule and its value, as in `odds=increment`"));
        };
        let near = |word: &str, words: &[&'static str]| {
            let near = did_you_mean(word, words.iter().copied());
            near.unwrap_or_else(|| format!("expected one of {}", words.join(", ")))
        };
        let Some(switch) = SWITCHES.iter().find(|switch| switch.name == name) else {
            let names: Vec<&str> = SWITCHES.iter().map(|switch| switch.name).collect();
            return Err(format!("unknown rule `{name}`; {}", near(name, &names)));
        };
        let Some(at) = switch.positions.iter().position(|known| *known == position) else {
            let near = near(position, switch.positions);
            return Err(format!("unknown value `{position}` of the rule `{name}`; {near}"));
        };
        (switch.set)(&mut self, at);
        Ok(self)
    }
}

impl Dialect {
    /// Returns the name of the dialect that differs in the fewest options, with these options and their settings.
    pub fn described(&self) -> (&'static str, Vec<(&'static str, &'static str)>) {
        let changed = |base: &Self| -> Vec<_> {
            let switches = SWITCHES.iter().map(|switch| (switch, switch.position(self)));
            let changed = switches.filter(|(switch, position)| switch.position(base) != *position);
            changed.map(|(switch, position)| (switch.name, position)).collect()
        };
        let named = Self::NAMED.iter().map(|(name, base)| (*name, changed(base)));
        named.min_by_key(|(_, changed)| changed.len()).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::{Dialect, SWITCHES};

    /// Every difference between the dialects is an option.
    #[test]
    fn switches_lead_from_one_dialect_to_the_other() {
        for [from, to] in [[Dialect::DOCUMENTED, Dialect::CAGE], [Dialect::CAGE, Dialect::DOCUMENTED]] {
            let turn = |dialect: Dialect, switch: &super::Switch| {
                dialect.with_switch(&format!("{}={}", switch.name, switch.position(&to))).unwrap()
            };
            assert_eq!(SWITCHES.iter().fold(from, turn), to);
        }
    }

    /// Recordings use the same names for the rules as the options.
    #[test]
    fn rules_have_the_words_of_the_switches() {
        for switch in SWITCHES {
            for position in switch.positions {
                let dialect = Dialect::DOCUMENTED.with_switch(&format!("{}={position}", switch.name)).unwrap();
                let words = dialect.rules.words();
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
        let known = |name: &str| SWITCHES.iter().any(|switch| switch.name == name);
        assert!(Dialect::DOCUMENTED.rules.words().iter().all(|(name, _)| known(name)));
    }

    #[test]
    fn dialects_are_described_by_the_nearest_name() {
        assert_eq!(Dialect::CAGE.described(), ("cage", vec![]));
        let changed = Dialect::CAGE.with_switch("odds=cumulative").unwrap();
        assert_eq!(changed.described(), ("cage", vec![("odds", "cumulative")]));
        assert_eq!(Dialect::DOCUMENTED.described(), ("documented", vec![]));
    }

    #[test]
    fn what_is_wrong_is_said() {
        let wrong = |text| Dialect::DOCUMENTED.with_switch(text).unwrap_err();
        assert!(wrong("odds").contains("as in `odds=increment`"));
        assert!(wrong("odds=cumulativ").contains("did you mean `cumulative`?"));
        assert!(wrong("xyz=1").contains("expected one of odds, nothing"));
    }
}

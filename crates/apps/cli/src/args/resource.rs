//! Options for resource graph games, shared by several commands.

use std::collections::HashSet;

use clap::Args;
use goalspec::custom_results::CustomResultSpec;
use goalspec::rgg::Dialect;
use goalspec::rgg::options::DialectOptionError;
use goalspec::settings::ResourceGameSettings;

// No doc comment: clap would use it as the description of the command.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Resource graph games (YAML)")]
pub(crate) struct ResourceArgs {
    /// The dialect of games: `documented`, or `cage` for the behaviour of the Cage engine
    #[arg(long, default_value = "documented", value_name = "DIALECT", value_parser = dialect)]
    rgg: Dialect,
    /// Change one rule of the dialect, such as `odds=increment` or `bounds=clamp`; may be repeated
    #[arg(long = "rule", value_name = "RULE=VALUE", value_parser = rule)]
    rules: Vec<String>,
    /// Register a custom result, and the service that computes it, called by POST; may be repeated. Without a URL, games with the
    /// result can be checked and described, and their recordings scored
    #[arg(long = "result", value_name = "NAME[=URL]")]
    results: Vec<CustomResultSpec>,
}

impl ResourceArgs {
    /// Returns the name of an option that is set, if any.
    pub(crate) fn first_set_option(&self) -> Option<&'static str> {
        let options = [
            ("--rgg", self.rgg != Dialect::DOCUMENTED),
            ("--rule", !self.rules.is_empty()),
            ("--result", !self.results.is_empty()),
        ];
        options.into_iter().find(|(_, is_given)| *is_given).map(|(option, _)| option)
    }

    /// Returns the options with one more rule.
    pub(crate) fn with_rule(&self, rule: Option<&str>) -> Self {
        let mut args = self.clone();
        args.rules.extend(rule.map(str::to_owned));
        args
    }

    /// Returns a rule or result that is specified twice, if any.
    pub(crate) fn duplicate(&self) -> Option<String> {
        let rule = |text: &String| text.split_once('=').map_or(text.clone(), |(rule, _)| rule.to_owned());
        let rules = self.rules.iter().map(rule).map(|rule| format!("the rule `{rule}`"));
        let results = self.results.iter().map(|result| format!("the result `{}`", result.name()));
        let mut names = HashSet::new();
        rules.chain(results).find(|name| !names.insert(name.clone()))
    }

    /// Returns the custom results.
    pub(crate) fn results(&self) -> &[CustomResultSpec] {
        &self.results
    }

    /// Returns the options with those of the settings where none is given. A rule that is given precedes one of the settings.
    pub(crate) fn or(&self, settings: &ResourceGameSettings) -> Self {
        let mut args = self.clone();
        if let Some(dialect) = settings.dialect.as_deref().and_then(Dialect::from_name)
            && args.rgg == Dialect::DOCUMENTED
        {
            args.rgg = dialect;
        }
        args.rules.splice(..0, settings.rules.iter().cloned());
        args
    }

    /// Returns the dialect with the rules applied.
    pub(crate) fn dialect(&self) -> Dialect {
        // Each rule has been validated by clap.
        self.rules.iter().fold(self.rgg, |dialect, rule| dialect.with_option(rule).unwrap_or(dialect))
    }
}

fn dialect(name: &str) -> Result<Dialect, String> {
    Dialect::from_name(name).ok_or_else(|| {
        let names: Vec<&str> = Dialect::NAMED.iter().map(|(name, _)| *name).collect();
        format!("expected {}", names.join(" or "))
    })
}

fn rule(text: &str) -> Result<String, DialectOptionError> {
    Dialect::DOCUMENTED.with_option(text).map(|_| text.to_owned())
}

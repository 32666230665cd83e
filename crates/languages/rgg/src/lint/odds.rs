//! Lints of odds.

use goalspec_resource::game::Action;
use goalspec_resource::odds;
use goalspec_resource::rules::OddsRule;
use goalspec_syntax::Diagnostic;

use super::Linter;
use crate::ast;
use crate::codes;

/// The tolerance in the comparison of probabilities.
const TOLERANCE: f64 = 1e-9;

impl Linter<'_> {
    pub(super) fn odds(&mut self, ast: &ast::Action, action: &Action) {
        let in_range = self.odds_in_range(ast);
        let rule = self.game.rules.odds;
        let reachable = odds::reachable(&action.consequences, rule);
        for (consequence, _) in ast.consequences.iter().zip(&reachable).filter(|(_, reachable)| !**reachable) {
            let span = consequence.odds.map_or(consequence.effect.name.span, |odds| odds.span);
            let name = &consequence.effect.name.text;
            let nothing_left = consequence.odds.is_none_or(|odds| odds.value > 0.0);
            let reason = if nothing_left { "its remaining probability is 0" } else { "its odds are not positive" };
            let found = Diagnostic::warning(codes::UNREACHABLE, span, format!("`{name}` never occurs: {reason}"));
            let help = "add `independent: true` to make its probability independent of the others";
            self.found.push(if nothing_left { found.with_help(help) } else { found });
        }
        if !in_range {
            return;
        }
        let [cumulative, increment] =
            [OddsRule::Cumulative, OddsRule::Individual].map(|rule| odds::probabilities(&action.consequences, rule));
        for group in odds::groups(&action.consequences) {
            let (cumulative, increment) = (&cumulative[group.clone()], &increment[group.clone()]);
            let discounted = action.consequences[group.clone()].iter().any(|outcome| outcome.discount.is_some());
            let sum: f64 = action.consequences[group.clone()].iter().map(|outcome| outcome.odds).sum();
            let Some(second) = ast.consequences.get(group.start + 1).filter(|_| group.len() > 1) else { continue };
            let span = second.odds.map_or(second.effect.name.span, |odds| odds.span);
            if cumulative.iter().zip(increment).any(|(one, other)| (one - other).abs() > TOLERANCE) {
                let message = format!(
                    "these odds mean {} in the dialect `documented`, but {} in the dialect `cage`",
                    percents(cumulative),
                    percents(increment)
                );
                self.found.push(Diagnostic::note(codes::AMBIGUOUS_ODDS, span, message));
            }
            let exceeds = sum > 1.0 + TOLERANCE && !discounted && reachable[group].iter().all(|can| *can);
            if rule == OddsRule::Individual && exceeds {
                let message = format!("the sum of the odds of this group is {}, expected at most 1", rounded(sum));
                self.found.push(Diagnostic::warning(codes::ODDS_RANGE, span, message));
            }
        }
    }

    /// Reports odds and discounts outside of [0, 1]; returns whether there are none.
    fn odds_in_range(&mut self, ast: &ast::Action) -> bool {
        let before = self.found.len();
        for consequence in &ast.consequences {
            for (name, number) in [("odds", consequence.odds), ("a discount", consequence.discount)] {
                let Some(number) = number.filter(|number| !(0.0..=1.0).contains(&number.value)) else { continue };
                let message = format!("{name} must be from 0 to 1, found {}", number.value);
                self.found.push(Diagnostic::warning(codes::ODDS_RANGE, number.span, message));
            }
        }
        self.found.len() == before
    }
}

fn percents(probabilities: &[f64]) -> String {
    let percentages: Vec<String> =
        probabilities.iter().map(|chance| format!("{} %", rounded(chance * 100.0))).collect();
    match percentages.split_last() {
        Some((last, first)) if !first.is_empty() => format!("{} and {last}", first.join(", ")),
        _ => percentages.concat(),
    }
}

/// Rounds a number, to hide floating-point error.
fn rounded(number: f64) -> f64 {
    (number * 1e6).round() / 1e6
}

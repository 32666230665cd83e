//! A stopping rule for the number of games.

use super::summary::MetricSummary;
use goalspec_statistics::interval::{ConfidenceInterval, ConfidenceLevel};

/// A rule that stops when the confidence interval of a metric is narrow enough.
///
/// The rule is evaluated after a fixed number of games, whatever the number of threads, so the number of games played depends on
/// their results alone. Repeated evaluation makes intervals slightly too narrow, since the rule stops when they are narrow by
/// chance. With a minimum of several hundred games the effect is small.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StoppingRule {
    /// The maximum half-width of the interval.
    pub half_width: f64,
    /// The confidence level of the interval.
    pub level: ConfidenceLevel,
    /// The minimum number of games.
    pub min_games: u64,
    /// The maximum number of games.
    pub max_games: u64,
    /// The number of games between two evaluations; 0 counts as 1.
    pub evaluation_interval: u64,
}

/// The decision of a stopping rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoppingDecision {
    /// Continue up to this total number of games before the next evaluation.
    Continue(u64),
    /// Stop: the interval is narrow enough.
    Converged,
    /// Stop: the maximum number of games is reached, and the interval is too wide.
    Exhausted,
}

impl StoppingRule {
    /// Decides whether to continue after the games of a summary.
    pub fn decide(&self, summary: &MetricSummary) -> StoppingDecision {
        self.decide_at(summary.games(), self.half_width_of(summary))
    }

    /// Decides whether to continue after `games` games, given the half-width of the interval; `None` if there is no interval yet.
    pub fn decide_at(&self, games: u64, half_width: Option<f64>) -> StoppingDecision {
        if games >= self.min_games && games > 0 && half_width.is_some_and(|half| half <= self.half_width) {
            StoppingDecision::Converged
        } else if games >= self.max_games {
            StoppingDecision::Exhausted
        } else {
            StoppingDecision::Continue(self.next(games))
        }
    }

    /// Returns the total number of games at the next evaluation.
    fn next(&self, games: u64) -> u64 {
        let batch = self.evaluation_interval.max(1);
        let next = games.saturating_add(1).max(self.min_games).min(self.max_games);
        next.div_ceil(batch).saturating_mul(batch).min(self.max_games)
    }

    /// Returns the half-width of the confidence interval of the mean or, for a Boolean metric, of the proportion of true values;
    /// `None` if there are too few values.
    pub fn half_width_of(&self, summary: &MetricSummary) -> Option<f64> {
        let of_mean = summary.mean_interval(self.level);
        let interval = of_mean.or_else(|| summary.proportion(self.level).map(|(_, interval)| interval));
        interval.map(ConfidenceInterval::half_width)
    }
}

#[cfg(test)]
mod tests {
    use goalspec_resource::random::RandomStream;
    use goalspec_resource::value::Value;

    use super::{ConfidenceLevel, MetricSummary, StoppingDecision, StoppingRule};

    const RULE: StoppingRule = StoppingRule {
        half_width: 0.1,
        level: ConfidenceLevel::DEFAULT,
        min_games: 150,
        max_games: 2050,
        evaluation_interval: 100,
    };

    #[test]
    fn the_stopping_rule_is_evaluated_after_whole_batches() {
        let mut summary = MetricSummary::default();
        assert_eq!(RULE.decide(&summary), StoppingDecision::Continue(200));
        summary.add_number(0.0);
        assert_eq!(RULE.decide(&summary), StoppingDecision::Continue(200));
        (0..199).for_each(|index| summary.add_number(f64::from(index)));
        assert_eq!(RULE.decide(&summary), StoppingDecision::Continue(300));
        (0..1801).for_each(|index| summary.add_number(f64::from(index)));
        assert_eq!(RULE.decide(&summary), StoppingDecision::Continue(2050));
        (0..49).for_each(|index| summary.add_number(f64::from(index)));
        assert_eq!(RULE.decide(&summary), StoppingDecision::Exhausted);
    }

    #[test]
    fn the_number_of_games_agrees_with_the_formula() {
        // 1.96 / sqrt(n) <= 0.1 holds from n = 385; a fifth of that is five standard errors of the standard deviation.
        let (mut stream, mut summary) = (RandomStream::new(8, 0), MetricSummary::default());
        while let StoppingDecision::Continue(games) = RULE.decide(&summary) {
            while summary.games() < games {
                summary.add_number(stream.normal());
            }
        }
        assert_eq!(RULE.decide(&summary), StoppingDecision::Converged);
        assert!((300..=500).contains(&summary.games()), "{}", summary.games());
    }

    #[test]
    fn truth_values_have_proportions() {
        let mut summary = MetricSummary::default();
        (0..200).for_each(|_| summary.add(Some(&Value::Bool(true))));
        // Wilson's interval: half of 1 - 200 / 203.84.
        assert!((RULE.half_width_of(&summary).unwrap() - 0.009_42).abs() < 1e-5);
        assert_eq!(RULE.decide(&summary), StoppingDecision::Converged);
        assert_eq!(RULE.half_width_of(&MetricSummary::default()), None);
    }
}

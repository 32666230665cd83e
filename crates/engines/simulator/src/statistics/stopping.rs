//! A stopping rule for the number of games.

use super::interval::{Interval, Level};
use super::summary::Summary;

/// A rule that stops when the confidence interval of a metric is narrow enough.
///
/// The rule is evaluated after a fixed number of games, whatever the number of threads, so the number of games played depends on
/// their results alone. Repeated evaluation makes intervals slightly too narrow, since the rule stops when they are narrow by
/// chance. With a minimum of several hundred games the effect is small.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stopping {
    /// The maximum half-width of the interval.
    pub half_width: f64,
    /// The confidence level of the interval.
    pub level: Level,
    /// The minimum number of games.
    pub least: u64,
    /// The maximum number of games.
    pub most: u64,
    /// The number of games between two evaluations; 0 counts as 1.
    pub batch: u64,
}

/// The decision of a stopping rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Continue up to this total number of games before the next evaluation.
    PlayTo(u64),
    /// Stop: the interval is narrow enough.
    Narrow,
    /// Stop: the maximum number of games is reached, and the interval is too wide.
    Exhausted,
}

impl Stopping {
    /// Decides whether to continue after the games of a summary.
    pub fn verdict(&self, summary: &Summary) -> Verdict {
        self.verdict_at(summary.games(), self.half_width_of(summary))
    }

    /// Decides whether to continue after `games` games, given the half-width of the interval; `None` if there is no interval yet.
    pub fn verdict_at(&self, games: u64, half_width: Option<f64>) -> Verdict {
        if games >= self.least && games > 0 && half_width.is_some_and(|half| half <= self.half_width) {
            Verdict::Narrow
        } else if games >= self.most {
            Verdict::Exhausted
        } else {
            Verdict::PlayTo(self.next(games))
        }
    }

    /// Returns the total number of games at the next evaluation.
    fn next(&self, games: u64) -> u64 {
        let batch = self.batch.max(1);
        let next = games.saturating_add(1).max(self.least).min(self.most);
        next.div_ceil(batch).saturating_mul(batch).min(self.most)
    }

    /// Returns the half-width of the confidence interval of the mean or, for a Boolean metric, of the proportion of true values;
    /// `None` if there are too few values.
    pub fn half_width_of(&self, summary: &Summary) -> Option<f64> {
        let of_mean = summary.mean_interval(self.level);
        let interval = of_mean.or_else(|| summary.proportion(self.level).map(|(_, interval)| interval));
        interval.map(Interval::half_width)
    }
}

#[cfg(test)]
mod tests {
    use goalspec_resource::random::Stream;
    use goalspec_resource::value::Value;

    use super::{Level, Stopping, Summary, Verdict};

    const RULE: Stopping = Stopping { half_width: 0.1, level: Level::DEFAULT, least: 150, most: 2050, batch: 100 };

    #[test]
    fn it_is_looked_at_after_whole_batches() {
        let mut summary = Summary::default();
        assert_eq!(RULE.verdict(&summary), Verdict::PlayTo(200));
        summary.add_number(0.0);
        assert_eq!(RULE.verdict(&summary), Verdict::PlayTo(200));
        (0..199).for_each(|index| summary.add_number(f64::from(index)));
        assert_eq!(RULE.verdict(&summary), Verdict::PlayTo(300));
        (0..1801).for_each(|index| summary.add_number(f64::from(index)));
        assert_eq!(RULE.verdict(&summary), Verdict::PlayTo(2050));
        (0..49).for_each(|index| summary.add_number(f64::from(index)));
        assert_eq!(RULE.verdict(&summary), Verdict::Exhausted);
    }

    #[test]
    fn it_stops_about_where_the_formula_says() {
        // 1.96 / sqrt(n) <= 0.1 holds from n = 385; a fifth of that is five standard errors of the standard deviation.
        let (mut stream, mut summary) = (Stream::new(8, 0), Summary::default());
        while let Verdict::PlayTo(games) = RULE.verdict(&summary) {
            while summary.games() < games {
                summary.add_number(stream.normal());
            }
        }
        assert_eq!(RULE.verdict(&summary), Verdict::Narrow);
        assert!((300..=500).contains(&summary.games()), "{}", summary.games());
    }

    #[test]
    fn truth_values_have_proportions() {
        let mut summary = Summary::default();
        (0..200).for_each(|_| summary.add(Some(&Value::Bool(true))));
        // Wilson's interval: half of 1 - 200 / 203.84.
        assert!((RULE.half_width_of(&summary).unwrap() - 0.009_42).abs() < 1e-5);
        assert_eq!(RULE.verdict(&summary), Verdict::Narrow);
        assert_eq!(RULE.half_width_of(&Summary::default()), None);
    }
}

//! How many games are enough.

use super::interval::{Interval, Level};
use super::summary::Summary;

/// Stops when the confidence interval of a metric is narrow enough.
///
/// It is looked at after a fixed number of games, whatever the number of threads, so the number of games that are played depends on the
/// games alone. Looking often makes intervals look a little narrower than they are: the rule stops when chance makes them narrow. With a
/// minimum of some hundred games the effect is small.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stopping {
    /// Half of the width that is narrow enough.
    pub half_width: f64,
    /// How sure the interval is.
    pub level: Level,
    /// How many games are played at least.
    pub least: u64,
    /// How many games are played at most.
    pub most: u64,
    /// After how many games each it is looked at; 0 counts as 1.
    pub batch: u64,
}

/// Whether to go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// There have to be this many games altogether before it is looked at again.
    PlayTo(u64),
    /// It is narrow enough.
    Narrow,
    /// There have been as many games as may be, and it is not narrow enough.
    Exhausted,
}

impl Stopping {
    /// Whether to go on after the games of a summary.
    pub fn verdict(&self, summary: &Summary) -> Verdict {
        self.verdict_at(summary.games(), self.half_width_of(summary))
    }

    /// Whether to go on after so many games, by half of the width of the interval that is looked at; `None` if there is none yet.
    pub fn verdict_at(&self, games: u64, half_width: Option<f64>) -> Verdict {
        if games >= self.least && games > 0 && half_width.is_some_and(|half| half <= self.half_width) {
            Verdict::Narrow
        } else if games >= self.most {
            Verdict::Exhausted
        } else {
            Verdict::PlayTo(self.next(games))
        }
    }

    /// After how many games it is looked at next.
    fn next(&self, games: u64) -> u64 {
        let batch = self.batch.max(1);
        let next = games.saturating_add(1).max(self.least).min(self.most);
        next.div_ceil(batch).saturating_mul(batch).min(self.most)
    }

    /// Half of the width of the interval of the mean, or, of a metric that is true or false, of the share of true. `None` as long as there
    /// are too few values.
    pub fn half_width_of(&self, summary: &Summary) -> Option<f64> {
        let of_mean = summary.mean_interval(self.level);
        let interval = of_mean.or_else(|| summary.proportion(self.level).map(|(_, interval)| interval));
        interval.map(Interval::half_width)
    }
}

#[cfg(test)]
mod tests {
    use goalspec_core::resource::random::Stream;
    use goalspec_core::resource::value::Value;

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
        // 1.96 / sqrt(n) <= 0.1 from n = 385 on; a fifth of that is five standard errors of the deviation.
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
        // Wilson: half of 1 - 200 / 203.84.
        assert!((RULE.half_width_of(&summary).unwrap() - 0.009_42).abs() < 1e-5);
        assert_eq!(RULE.verdict(&summary), Verdict::Narrow);
        assert_eq!(RULE.half_width_of(&Summary::default()), None);
    }
}

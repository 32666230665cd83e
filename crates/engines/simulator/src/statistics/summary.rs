//! The statistics of a metric with values of any kind.

use std::collections::BTreeMap;
use std::sync::Arc;

use goalspec_resource::value::Value;

use goalspec_statistics::counts::ValueCounts;
use goalspec_statistics::histogram::Histogram;
use goalspec_statistics::interval::{ConfidenceInterval, ConfidenceLevel, mean_interval, proportion_interval};
use goalspec_statistics::moments::Moments;

/// The maximum number of distinct strings counted individually; beyond it, only their total is kept.
pub const MAX_TEXTS: usize = 1000;

/// The statistics of a metric over many games.
#[derive(Debug, Clone, Default)]
pub struct MetricSummary {
    games: u64,
    moments: Moments,
    counts: ValueCounts,
    unusable: u64,
    truths: [u64; 2],
    texts: BTreeMap<Arc<str>, u64>,
    /// The total number of strings, including those no longer counted individually.
    text_count: u64,
    too_many_texts: bool,
    missing: u64,
}

impl MetricSummary {
    /// Adds the value of a game.
    pub fn add(&mut self, value: Option<&Value>) {
        match value {
            None => {
                self.games += 1;
                self.missing += 1;
            }
            Some(Value::Bool(truth)) => {
                self.games += 1;
                self.truths[usize::from(*truth)] += 1;
            }
            Some(Value::Int(number)) => self.add_number(f64::from(*number)),
            Some(Value::Real(number)) => self.add_number(*number),
            Some(Value::Text(text)) => self.add_text(text),
            Some(other @ (Value::Set(_) | Value::List(_) | Value::Map(_))) => self.add_text(&other.to_string()),
        }
    }

    /// Adds the number of a game.
    #[inline]
    pub fn add_number(&mut self, number: f64) {
        self.games += 1;
        if self.moments.add(number) {
            self.counts.add(number);
        } else {
            self.unusable += 1;
        }
    }

    fn add_text(&mut self, text: &str) {
        self.games += 1;
        self.text_count += 1;
        if self.too_many_texts {
            return;
        }
        if let Some(count) = self.texts.get_mut(text) {
            *count += 1;
        } else {
            self.texts.insert(text.into(), 1);
            self.check_texts();
        }
    }

    fn check_texts(&mut self) {
        if self.texts.len() > MAX_TEXTS {
            self.too_many_texts = true;
            self.texts = BTreeMap::new();
        }
    }

    /// Adds the values of another summary.
    pub fn merge(&mut self, other: &Self) {
        self.games += other.games;
        self.moments.merge(&other.moments);
        self.counts.merge(&other.counts);
        self.unusable += other.unusable;
        for (own, others) in self.truths.iter_mut().zip(other.truths) {
            *own += others;
        }
        self.text_count += other.text_count;
        self.too_many_texts |= other.too_many_texts;
        if self.too_many_texts {
            self.texts = BTreeMap::new();
        } else {
            for (text, count) in &other.texts {
                *self.texts.entry(Arc::clone(text)).or_default() += count;
            }
            self.check_texts();
        }
        self.missing += other.missing;
    }

    /// Returns the number of games.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Returns the moments of the numbers.
    pub fn moments(&self) -> &Moments {
        &self.moments
    }

    /// Returns the frequencies of the numbers.
    pub fn counts(&self) -> &ValueCounts {
        &self.counts
    }

    /// Returns the histogram of the numbers.
    pub fn histogram(&self) -> Histogram {
        Histogram::new(&self.counts)
    }

    /// Returns the number of numbers excluded from all statistics: not finite, or larger than
    /// [`MAX_MAGNITUDE`](goalspec_statistics::moments::MAX_MAGNITUDE) in absolute value.
    pub fn excluded_count(&self) -> u64 {
        self.unusable
    }

    /// Returns the frequencies of false and true.
    pub fn boolean_counts(&self) -> [u64; 2] {
        self.truths
    }

    /// Returns the frequency of each string in lexicographic order; sets, lists and maps count as their text forms. `None` if
    /// there were more than [`MAX_TEXTS`] distinct strings.
    pub fn texts(&self) -> Option<impl ExactSizeIterator<Item = (&str, u64)>> {
        (!self.too_many_texts).then(|| self.texts.iter().map(|(text, count)| (&**text, *count)))
    }

    /// Returns the number of strings, sets, lists and maps.
    pub fn text_count(&self) -> u64 {
        self.text_count
    }

    /// Returns the number of missing values.
    pub fn missing_count(&self) -> u64 {
        self.missing
    }

    /// Returns the confidence interval of the mean of the numbers; `None` for fewer than two numbers.
    pub fn mean_interval(&self, level: ConfidenceLevel) -> Option<ConfidenceInterval> {
        mean_interval(&self.moments, level)
    }

    /// Returns the proportion of true among the Booleans and its confidence interval; `None` if there are none.
    pub fn proportion(&self, level: ConfidenceLevel) -> Option<(f64, ConfidenceInterval)> {
        let [false_count, true_count] = self.truths;
        let interval = proportion_interval(true_count, false_count + true_count, level)?;
        Some((true_count as f64 / (false_count + true_count) as f64, interval))
    }
}

#[cfg(test)]
mod tests {
    use goalspec_resource::random::RandomStream;
    use goalspec_resource::value::Value;

    use super::{ConfidenceLevel, MAX_TEXTS, MetricSummary};

    fn of<'a>(values: impl IntoIterator<Item = &'a Option<Value>>) -> MetricSummary {
        let mut summary = MetricSummary::default();
        for value in values {
            summary.add(value.as_ref());
        }
        summary
    }

    #[test]
    fn values_of_every_kind() {
        let values = [
            Some(Value::Int(1)),
            Some(Value::Real(2.0)),
            Some(Value::Real(f64::NAN)),
            Some(Value::Bool(true)),
            Some(Value::Bool(true)),
            Some(Value::Bool(false)),
            Some(Value::text("red")),
            Some(Value::set(["red"])),
            None,
        ];
        let summary = of(&values);
        assert_eq!((summary.games(), summary.moments().mean(), summary.excluded_count()), (9, Some(1.5), 1));
        assert_eq!((summary.boolean_counts(), summary.missing_count(), summary.text_count()), ([1, 2], 1, 2));
        assert_eq!(summary.texts().unwrap().collect::<Vec<_>>(), [("[red]", 1), ("red", 1)]);
        assert_eq!(summary.proportion(ConfidenceLevel::DEFAULT).map(|(share, _)| share), Some(2.0 / 3.0));
    }

    /// All statistics agree to the bit, however the values are split and in whatever order the parts are merged.
    #[test]
    fn merging_does_not_depend_on_the_split() {
        let mut stream = RandomStream::new(4, 2);
        let values: Vec<Option<Value>> = (0..5000)
            .map(|index| match index % 7 {
                0 => Some(Value::Bool(stream.uniform() < 0.3)),
                1 => Some(Value::text(["a", "b"][stream.below(2) as usize])),
                2 => None,
                3 => Some(Value::Int(stream.below(9) as i32)),
                _ => Some(Value::Real(1e6 * stream.normal().exp())),
            })
            .collect();
        let facts = |summary: &MetricSummary| {
            let moments = summary.moments();
            let numbers = [moments.mean(), moments.standard_deviation(), moments.min(), moments.max()];
            let bits = numbers.map(|number| number.unwrap().to_bits());
            let texts: Vec<(String, u64)> =
                summary.texts().unwrap().map(|(text, count)| (text.into(), count)).collect();
            (
                bits,
                summary.histogram(),
                summary.counts().quantiles(&[0.1, 0.5]),
                summary.boolean_counts(),
                texts,
                summary.games(),
            )
        };
        let expected = facts(&of(&values));
        for pieces in [2, 3, 16, 999] {
            let parts: Vec<MetricSummary> = values.chunks(values.len().div_ceil(pieces)).map(of).collect();
            for reversed in [false, true] {
                let mut merged = MetricSummary::default();
                let mut order: Vec<&MetricSummary> = parts.iter().collect();
                if reversed {
                    order.reverse();
                }
                for part in order {
                    merged.merge(part);
                }
                assert_eq!(facts(&merged), expected, "{pieces} pieces");
            }
        }
    }

    #[test]
    fn too_many_texts_are_only_counted() {
        let texts: Vec<Option<Value>> = (0..=MAX_TEXTS).map(|index| Some(Value::text(&index.to_string()))).collect();
        assert_eq!(of(&texts[1..]).texts().unwrap().len(), MAX_TEXTS);
        let all = of(&texts);
        assert_eq!((all.texts().is_none(), all.text_count()), (true, MAX_TEXTS as u64 + 1));
        let mut merged = of(&texts[..500]);
        merged.merge(&of(&texts[500..]));
        assert!(merged.texts().is_none());
    }
}

//! Exact distributions of the values at the end of a game.

use goalspec_resource::value::Value;
use goalspec_simulator::exact::{FinalValue, OutcomeDistribution};
use goalspec_simulator::json;
use serde_json::{Map, Value as Json, json};

/// An exact distribution: values with their probabilities, sorted, numbers first.
#[derive(Debug, Clone)]
pub struct Distribution {
    /// The values with their probabilities. The value `None` stands for the absence of a value.
    pub rows: Vec<FinalValue<Option<Value>>>,
}

/// The moments of a distribution of numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeanAndDeviation {
    /// The mean.
    pub mean: f64,
    /// The standard deviation.
    pub standard_deviation: f64,
}

impl Distribution {
    /// Returns the distribution of the number of turns.
    pub(super) fn turns(outcomes: &OutcomeDistribution) -> Self {
        // A number of turns outside the range of `i32` becomes a real number.
        let value = |turns: u32| Some(i32::try_from(turns).map_or(Value::Real(f64::from(turns)), Value::Int));
        let ended = outcomes.lengths.iter().map(|&(turns, completed)| FinalValue {
            value: value(turns),
            completed,
            truncated: 0.0,
        });
        let mut rows: Vec<_> = ended.collect();
        if outcomes.truncated > 0.0 {
            let truncation =
                FinalValue { value: value(outcomes.horizon), completed: 0.0, truncated: outcomes.truncated };
            match rows.last_mut().filter(|last| last.value == truncation.value) {
                Some(last) => last.truncated = outcomes.truncated,
                None => rows.push(truncation),
            }
        }
        Self { rows }
    }

    /// Returns the distribution of a reward.
    pub(super) fn rewards(rows: &[FinalValue<Option<f64>>]) -> Self {
        let row = |row: &FinalValue<Option<f64>>| FinalValue {
            value: row.value.map(Value::Real),
            completed: row.completed,
            truncated: row.truncated,
        };
        Self { rows: rows.iter().map(row).collect() }
    }

    /// Returns the distribution of a metric.
    pub(super) fn metric(rows: &[FinalValue<Option<Value>>]) -> Self {
        Self { rows: rows.to_vec() }
    }

    /// Returns the numbers with their probabilities, sorted; `None` if a value is not a number.
    pub fn numbers(&self) -> Option<Vec<(f64, f64)>> {
        let number =
            |row: &FinalValue<Option<Value>>| Some((row.value.as_ref()?.as_f64()?, row.completed + row.truncated));
        self.rows.iter().map(number).collect()
    }

    /// Returns the mean and the standard deviation; `None` if a value is not a number.
    pub fn moments(&self) -> Option<MeanAndDeviation> {
        let numbers = self.numbers()?;
        let total: f64 = numbers.iter().map(|(_, weight)| weight).sum();
        let mean = numbers.iter().map(|(number, weight)| number * weight).sum::<f64>() / total;
        let square: f64 = numbers.iter().map(|(number, weight)| weight * (number - mean) * (number - mean)).sum();
        Some(MeanAndDeviation { mean, standard_deviation: (square / total).sqrt() })
    }

    /// Returns the minimum and the maximum; `None` if a value is not a number.
    pub fn range(&self) -> Option<[f64; 2]> {
        let numbers = self.numbers()?;
        Some([numbers.first()?.0, numbers.last()?.0])
    }

    /// Returns the quantile: the minimum number that is not exceeded with at least this probability; `None` if a value is not a
    /// number.
    pub fn quantile(&self, probability: f64) -> Option<f64> {
        let numbers = self.numbers()?;
        let total: f64 = numbers.iter().map(|(_, weight)| weight).sum();
        let mut sum = 0.0;
        // Floating-point sums may be slightly lower than the exact sums.
        let target = probability * total * (1.0 - 1e-12);
        let reached = |&(_, weight): &&(f64, f64)| {
            sum += weight;
            sum >= target
        };
        numbers.iter().find(reached).or(numbers.last()).map(|(number, _)| *number)
    }

    /// Returns the distribution as JSON: its moments, range and quartiles if all values are numbers, and every value with the
    /// probabilities that a game is completed or truncated with it.
    pub fn json(&self) -> Json {
        let row = |row: &FinalValue<Option<Value>>| {
            json!({
                "value": json::write(row.value.as_ref()),
                "completed": row.completed,
                "truncated": row.truncated,
            })
        };
        let rows: Vec<Json> = self.rows.iter().map(row).collect();
        let moments = self.moments();
        let range = self.range();
        let quantiles = ["0.25", "0.5", "0.75"].into_iter().zip([0.25, 0.5, 0.75]);
        let quantiles = quantiles.map(|(name, probability)| (name.to_owned(), json!(self.quantile(probability))));
        json!({
            "mean": moments.map(|moments| moments.mean),
            "sd": moments.map(|moments| moments.standard_deviation),
            "min": range.map(|[least, _]| least),
            "max": range.map(|[_, greatest]| greatest),
            "quantiles": quantiles.collect::<Map<_, _>>(),
            "distribution": rows,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn distribution(rows: &[(Option<Value>, f64)]) -> Distribution {
        let rows = rows.iter().cloned();
        Distribution { rows: rows.map(|(value, completed)| FinalValue { value, completed, truncated: 0.0 }).collect() }
    }

    #[test]
    fn quantiles_are_values_that_come() {
        let coins =
            distribution(&[(Some(Value::Int(0)), 0.25), (Some(Value::Int(1)), 0.5), (Some(Value::Int(2)), 0.25)]);
        let quantiles = [0.0, 0.25, 0.26, 0.75, 0.76, 1.0].map(|probability| coins.quantile(probability));
        assert_eq!(quantiles, [0.0, 0.0, 1.0, 1.0, 2.0, 2.0].map(Some));
        assert_eq!(coins.moments(), Some(MeanAndDeviation { mean: 1.0, standard_deviation: 0.5_f64.sqrt() }));
    }

    #[test]
    fn possibly_non_numeric_values_have_no_mean() {
        let some = distribution(&[(Some(Value::Int(0)), 0.5), (None, 0.5)]);
        assert_eq!((some.moments(), some.quantile(0.5)), (None, None));
        assert_eq!(some.json()["mean"], Json::Null);
    }
}

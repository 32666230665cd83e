//! The success of operators, by which an evolution chooses among them.

use serde_json::{Map, Value, json};

use super::variation::Operator;

/// The number of pairs after which the counts are halved, so that recent pairs matter more.
const MEMORY: u64 = 1 << 16;

/// The probability with which an operator is drawn by its own weight, whatever its success.
const UNCONDITIONAL: f64 = 0.25;

/// The counts of one operator.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Count {
    /// The number of pairs that it varied.
    pairs: u64,
    /// The number of their children that were kept.
    kept: u64,
}

/// The number of pairs that each operator varied, and of their children that the archive kept.
///
/// Operators are drawn in proportion to their kept children per pair (probability matching), and a quarter of the time by their
/// [own weights](Operator::WEIGHTED), so that none is ever given up.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OperatorSuccess {
    counts: [Count; Operator::WEIGHTED.len()],
}

impl OperatorSuccess {
    /// Returns the operators with the weights with which each is drawn.
    pub(super) fn weights(&self) -> [(Operator, f64); Operator::WEIGHTED.len()] {
        let mut weights = Operator::WEIGHTED;
        // Operators that were never tried are taken to have one kept child per pair.
        let rates = self.counts.map(|count| (count.kept as f64 + 1.0) / (count.pairs as f64 + 1.0));
        let total: f64 = rates.iter().sum();
        for ((_, weight), rate) in weights.iter_mut().zip(rates) {
            *weight = UNCONDITIONAL * *weight + (1.0 - UNCONDITIONAL) * rate / total;
        }
        weights
    }

    /// Adds a pair that an operator varied, with the number of its children that were kept.
    pub(super) fn add(&mut self, operator: Operator, kept: u64) {
        let place = Operator::WEIGHTED.iter().position(|&(own, _)| own == operator);
        if let Some(count) = place.and_then(|place| self.counts.get_mut(place)) {
            count.pairs += 1;
            count.kept += kept;
        }
        if self.counts.iter().map(|count| count.pairs).sum::<u64>() >= MEMORY {
            self.counts = self.counts.map(|count| Count { pairs: count.pairs / 2, kept: count.kept / 2 });
        }
    }

    /// Returns the counts as JSON: for each operator, the numbers of pairs and of kept children.
    pub(super) fn json(&self) -> Value {
        let counts = Operator::WEIGHTED.iter().zip(&self.counts);
        let counts =
            counts.map(|((operator, _), count)| (operator.name().to_owned(), json!([count.pairs, count.kept])));
        Value::Object(counts.collect::<Map<_, _>>())
    }

    /// Reads the counts. Operators that are missing were never tried. Returns `None` if a value is not what [`json`](Self::json) returns.
    pub(super) fn from_json(value: &Value) -> Option<Self> {
        let mut success = Self::default();
        for (name, counts) in value.as_object()? {
            let place = Operator::WEIGHTED.iter().position(|(operator, _)| operator.name() == name)?;
            let [pairs, kept] = &counts.as_array()?[..] else { return None };
            let (pairs, kept) = (pairs.as_u64()?, kept.as_u64()?);
            // A pair has at most two children.
            let is_possible = pairs < MEMORY && kept <= 2 * pairs;
            success.counts[place] = is_possible.then_some(Count { pairs, kept })?;
        }
        let pairs: u64 = success.counts.iter().map(|count| count.pairs).sum();
        (pairs < MEMORY).then_some(success)
    }
}

#[cfg(test)]
mod tests {
    use super::{MEMORY, OperatorSuccess};
    use crate::game::variation::Operator;

    fn weight(success: &OperatorSuccess, operator: Operator) -> f64 {
        success.weights().into_iter().find(|(own, _)| *own == operator).expect("an operator").1
    }

    #[test]
    fn successful_operators_are_drawn_more_often_and_none_is_given_up() {
        let mut success = OperatorSuccess::default();
        for _ in 0..1000 {
            success.add(Operator::SectionCrossover, 1);
            success.add(Operator::Delete, 0);
            success.add(Operator::Insert, 0);
        }
        let own = |operator: Operator| Operator::WEIGHTED.iter().find(|(other, _)| *other == operator).expect("one").1;
        assert!(weight(&success, Operator::Delete) >= own(Operator::Delete) / 4.0);
        assert!(weight(&success, Operator::Delete) < own(Operator::Delete) / 3.0);
        assert!(weight(&success, Operator::SectionCrossover) > 2.0 * weight(&success, Operator::Delete));
        let total: f64 = success.weights().iter().map(|(_, weight)| weight).sum();
        assert!((total - 1.0).abs() < 1e-9, "{total}");
        // After enough failures, an operator is drawn as if it had never succeeded.
        (0..20 * MEMORY).for_each(|_| success.add(Operator::SectionCrossover, 0));
        assert!(weight(&success, Operator::SectionCrossover) < own(Operator::SectionCrossover));
    }

    #[test]
    fn counts_are_read_as_they_are_written() {
        let mut success = OperatorSuccess::default();
        (0..MEMORY / 2).for_each(|number| success.add(Operator::Regrow, number % 3));
        assert_eq!(OperatorSuccess::from_json(&success.json()), Some(success));
        for invalid in [
            r#"{"regrow": [1]}"#,
            r#"{"grow": [1, 1]}"#,
            r#"{"regrow": [1, 3]}"#,
            r#"{"regrow": [65535, 1], "setup": [1, 1]}"#,
            "[]",
            "null",
        ] {
            assert_eq!(OperatorSuccess::from_json(&serde_json::from_str(invalid).expect("JSON")), None, "{invalid}");
        }
    }
}

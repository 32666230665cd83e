//! Training curves of candidates: a table with a row for each window of training.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

/// The number of parts into which a curve is divided.
const PARTS: usize = 10;

/// The names of the column of the true score.
const SCORE_COLUMNS: [&str; 2] = ["score", "true"];

/// The columns that say which row it is.
const INDEX_COLUMNS: [&str; 2] = ["candidate", "step"];

/// The maximum size of a table, in bytes.
pub const MAX_BYTES: usize = 64 << 20;

/// The curves of candidates, by the name of the candidate.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TrainingCurves {
    candidates: BTreeMap<String, Vec<Curve>>,
}

/// The values of one column.
#[derive(Debug, Clone, PartialEq)]
struct Curve {
    name: String,
    values: Vec<f64>,
}

/// The reason for which a table of training curves cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CurvesError {
    /// The table is larger than [`MAX_BYTES`].
    TooLarge,
    /// The table has no header.
    Empty,
    /// The table has no column with the candidate.
    NoCandidateColumn,
    /// The table has no column with the score.
    NoScoreColumn,
    /// A row has another number of fields than the header.
    FieldCount {
        /// The number of the line, from 1.
        line: usize,
        /// The number of fields in the row.
        found: usize,
        /// The number of fields in the header.
        expected: usize,
    },
}

impl fmt::Display for CurvesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge => write!(f, "the table of curves exceeds the limit of {MAX_BYTES} bytes"),
            Self::Empty => f.write_str("the table is empty"),
            Self::NoCandidateColumn => f.write_str("the table has no column `candidate`"),
            Self::NoScoreColumn => f.write_str("the table has no column `score` or `true`"),
            Self::FieldCount { line, found, expected } => {
                write!(f, "line {line} has {found} fields, expected {expected}")
            }
        }
    }
}

impl std::error::Error for CurvesError {}

impl TrainingCurves {
    /// Reads a table in CSV: a column `candidate`, a column `score` or `true` with the score of the game, and columns with components.
    /// Values that are not numbers are left out.
    ///
    /// # Errors
    /// If the table lacks one of the columns or has a row of another length, with the line.
    pub fn parse(text: &str) -> Result<Self, CurvesError> {
        if text.len() > MAX_BYTES {
            return Err(CurvesError::TooLarge);
        }
        let mut lines = goalspec_syntax::source::lines(text).enumerate().filter(|(_, line)| !line.trim().is_empty());
        let (_, header) = lines.next().ok_or(CurvesError::Empty)?;
        let names: Vec<&str> = header.split(',').map(str::trim).collect();
        let candidate = names.iter().position(|name| *name == "candidate").ok_or(CurvesError::NoCandidateColumn)?;
        if !names.iter().any(|name| SCORE_COLUMNS.contains(name)) {
            return Err(CurvesError::NoScoreColumn);
        }
        let mut curves = Self::default();
        for (index, line) in lines {
            let fields: Vec<&str> = line.split(',').map(str::trim).collect();
            if fields.len() != names.len() {
                return Err(CurvesError::FieldCount { line: index + 1, found: fields.len(), expected: names.len() });
            }
            let of_candidate = curves.candidates.entry(fields[candidate].to_owned()).or_insert_with(|| {
                names.iter().map(|name| Curve { name: (*name).to_owned(), values: Vec::new() }).collect()
            });
            for (curve, field) in of_candidate.iter_mut().zip(fields) {
                curve.values.extend(field.parse::<f64>().ok().filter(|value| value.is_finite()));
            }
        }
        Ok(curves)
    }

    /// Returns the names of the candidates.
    pub fn candidates(&self) -> impl Iterator<Item = &str> {
        self.candidates.keys().map(String::as_str)
    }

    /// Returns the score of each candidate at the end of its training: the mean of the last tenth.
    pub fn final_scores(&self) -> BTreeMap<String, f64> {
        let of = |curves: &Vec<Curve>| {
            let score = curves.iter().find(|curve| SCORE_COLUMNS.contains(&curve.name.as_str()))?;
            tenths(&score.values).last().copied()
        };
        self.candidates.iter().filter_map(|(id, curves)| Some((id.clone(), of(curves)?))).collect()
    }

    /// Returns the curves of a candidate as a part of a feedback: the means of score and components per tenth of the training.
    pub fn feedback(&self, candidate: &str) -> String {
        let Some(curves) = self.candidates.get(candidate) else { return String::new() };
        let mut text = String::from("\nMeans over each tenth of a training with this reward:\n");
        let shown =
            curves.iter().filter(|curve| !INDEX_COLUMNS.contains(&curve.name.as_str()) && !curve.values.is_empty());
        for curve in shown.take(2 * PARTS) {
            let means: Vec<String> = tenths(&curve.values).iter().map(|mean| format!("{mean:.4}")).collect();
            let _ = writeln!(text, "{}: [{}]", curve.name, means.join(", "));
        }
        text
    }
}

/// Returns the means of ten parts of equal length, fewer if there are fewer values.
fn tenths(values: &[f64]) -> Vec<f64> {
    let parts = PARTS.min(values.len());
    let part = |index: usize| &values[index * values.len() / parts..(index + 1) * values.len() / parts];
    (0..parts).map(|index| part(index).iter().sum::<f64>() / part(index).len() as f64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_give_the_final_score_and_means_per_tenth() {
        let mut text = "candidate,step,score,progress\n".to_owned();
        for step in 0..20 {
            let _ = write!(text, "1-1,{step},{},0.5\n1-2,{step},1,nan\n", step / 2);
        }
        let curves = TrainingCurves::parse(&text).unwrap();
        assert_eq!(curves.final_scores(), BTreeMap::from([("1-1".to_owned(), 9.0), ("1-2".to_owned(), 1.0)]));
        let feedback = curves.feedback("1-1");
        assert!(feedback.contains("score: [0.0000, 1.0000, 2.0000"), "{feedback}");
        assert!(
            feedback.ends_with(
                "progress: [0.5000, 0.5000, 0.5000, 0.5000, 0.5000, 0.5000, 0.5000, 0.5000, 0.5000, 0.5000]\n"
            )
        );
        assert_eq!(curves.feedback("9"), "");
    }

    #[test]
    fn damaged_tables_are_errors() {
        for (text, message) in [
            ("", "the table is empty"),
            ("step,score\n", "the table has no column `candidate`"),
            ("candidate,step\n", "the table has no column `score` or `true`"),
            ("candidate,score\n\n1-1\n", "line 3 has 1 fields, expected 2"),
        ] {
            assert_eq!(TrainingCurves::parse(text).unwrap_err().to_string(), message);
        }
    }
}

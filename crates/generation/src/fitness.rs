//! Fitness of games: a linear energy over their features.
//!
//! The energy of a game is a bias plus the weighted sum of its features; its fitness is the negative energy. The JSON format is that of
//! the published models: `features` with `name`, `weight` and `category`, `scale` with the minimum and maximum of the features that are
//! scaled to the interval from 0 to 1, and `missing_value` with the values of missing sections.

use std::collections::BTreeMap;
use std::fmt;

use serde_json::{Map, Value, json};

use crate::game::characteristics::{EXPECTED, UNEXPECTED};
use crate::game::features::{FEATURE_COUNT, FeatureVector};

/// Maximum number of bytes of the text of a fitness model.
pub const MAX_MODEL_BYTES: usize = 16 << 20;

/// The reason why a text is not a fitness model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ModelError {
    /// The text is too long.
    TooLong {
        /// The number of bytes.
        bytes: usize,
    },
    /// The text is not JSON.
    Json(String),
    /// A member is missing or has another type.
    Member {
        /// The path of the member, such as `features[3].weight`.
        path: String,
        /// The expected value, as a phrase.
        expected: &'static str,
    },
    /// A feature is unknown.
    UnknownFeature {
        /// Its name.
        name: String,
        /// The known feature with the most similar name.
        nearest: Option<String>,
    },
    /// A feature occurs twice.
    RepeatedFeature(String),
    /// The minimum of a scale is not below its maximum.
    EmptyScale(String),
}

impl fmt::Display for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong { bytes } => {
                write!(f, "the text has {bytes} bytes, which exceeds the limit of {MAX_MODEL_BYTES}")
            }
            Self::Json(message) => write!(f, "invalid JSON: {message}"),
            Self::Member { path, expected } => write!(f, "`{path}`: expected {expected}"),
            Self::UnknownFeature { name, nearest: Some(nearest) } => {
                write!(f, "unknown feature `{name}`; the most similar one is `{nearest}`")
            }
            Self::UnknownFeature { name, nearest: None } => {
                write!(f, "unknown feature `{name}`: the model belongs to another grammar")
            }
            Self::RepeatedFeature(name) => write!(f, "the feature `{name}` occurs twice"),
            Self::EmptyScale(name) => write!(f, "`scale.{name}`: the minimum is not below the maximum"),
        }
    }
}

impl std::error::Error for ModelError {}

/// A feature of a linear energy, with the factor of its value.
#[derive(Debug, Clone, PartialEq)]
pub struct FeatureWeight {
    /// The name.
    pub name: String,
    /// The weight: positive if the feature makes games less fit.
    pub weight: f64,
    /// The group of the feature, for reports.
    pub category: String,
    /// The minimum and maximum over the training data, if the value is scaled.
    pub scale: Option<[f64; 2]>,
    /// The value of a game without the section.
    pub missing: Option<f64>,
    /// The position among the values of a [`FeatureVector`].
    index: usize,
}

impl FeatureWeight {
    /// Creates the weight of a feature with its scale and the value of a missing section. Returns `None` for an unknown feature.
    pub(crate) fn new(
        name: &str,
        weight: f64,
        category: &str,
        (scale, missing): (Option<[f64; 2]>, Option<f64>),
    ) -> Option<Self> {
        let index = FeatureVector::names().iter().position(|known| known == name)?;
        Some(Self { name: name.to_owned(), weight, category: category.to_owned(), scale, missing, index })
    }

    /// Returns the value of the feature that the energy sums.
    pub fn value(&self, features: &FeatureVector) -> f64 {
        let value = features.values()[self.index];
        let value = if value.is_nan() { self.missing.unwrap_or_default() } else { value };
        match self.scale {
            Some([min, max]) => ((value - min) / (max - min)).clamp(0.0, 1.0),
            None => value,
        }
    }
}

/// A linear energy over the features of games.
#[derive(Debug, Clone, PartialEq)]
pub struct FitnessModel {
    /// The energy of a game whose features are all 0.
    pub bias: f64,
    /// The features with their weights.
    pub weights: Vec<FeatureWeight>,
}

/// The feature of the plain model that measures resemblance to the corpus.
const RESEMBLANCE: &str = "ast_ngram_full_n_5_score";
/// The weight of this feature in the plain model.
const RESEMBLANCE_WEIGHT: f64 = -10.0;
/// The range of mean log scores that the plain model scales to the interval from 0 to 1: from unseen words to certain ones.
const RESEMBLANCE_SCALE: [f64; 2] = [-7.0, 0.0];

impl FitnessModel {
    /// Returns a model that is fitted to nothing: a game gains up to 10 points for its resemblance to the corpus and a point for each
    /// property that all games ought to have, such as that all variables are used, and loses a point for each kind of mistake.
    pub fn plain() -> Self {
        let weight = |name: &str, weight: f64, category: &str, scale: Option<[f64; 2]>| {
            FeatureWeight::new(name, weight, category, (scale, None))
        };
        let resemblance = weight(RESEMBLANCE, RESEMBLANCE_WEIGHT, "resemblance", Some(RESEMBLANCE_SCALE));
        let expected = EXPECTED.iter().filter_map(|feature| weight(feature.name(), -1.0, "expected", None));
        let mistakes = UNEXPECTED.iter().filter_map(|feature| weight(feature.name(), 1.0, "mistakes", None));
        Self { bias: 0.0, weights: resemblance.into_iter().chain(expected).chain(mistakes).collect() }
    }

    /// Reads a model from JSON.
    ///
    /// # Errors
    /// Returns the first member that is missing or invalid.
    pub fn from_json(text: &str) -> Result<Self, ModelError> {
        if text.len() > MAX_MODEL_BYTES {
            return Err(ModelError::TooLong { bytes: text.len() });
        }
        let document: Value = serde_json::from_str(text).map_err(|error| ModelError::Json(error.to_string()))?;
        let names = FeatureVector::names();
        let positions: BTreeMap<&str, usize> = names.iter().enumerate().map(|(index, name)| (&**name, index)).collect();
        let bias = number(&document["bias"], || "bias".to_owned())?;
        let features = document["features"].as_array().filter(|list| !list.is_empty() && list.len() <= FEATURE_COUNT);
        let features = features.ok_or_else(|| ModelError::Member {
            path: "features".to_owned(),
            expected: "a list of features with `name`, `weight` and `category`",
        })?;
        let mut weights: Vec<FeatureWeight> = Vec::with_capacity(features.len());
        for (position, feature) in features.iter().enumerate() {
            let path = |member: &str| format!("features[{position}].{member}");
            let name = feature["name"]
                .as_str()
                .ok_or_else(|| ModelError::Member { path: path("name"), expected: "the name of a feature" })?;
            let Some(&index) = positions.get(name) else {
                let nearest = goalspec_syntax::suggest::nearest(name, names.iter().map(|name| &**name));
                return Err(ModelError::UnknownFeature { name: name.to_owned(), nearest: nearest.map(str::to_owned) });
            };
            if weights.iter().any(|other| other.name == name) {
                return Err(ModelError::RepeatedFeature(name.to_owned()));
            }
            weights.push(FeatureWeight {
                name: name.to_owned(),
                weight: number(&feature["weight"], || path("weight"))?,
                category: feature["category"].as_str().unwrap_or_default().to_owned(),
                scale: scale(&document["scale"][name], name)?,
                missing: match &document["missing_value"][name] {
                    Value::Null => None,
                    value => Some(number(value, || format!("missing_value.{name}"))?),
                },
                index,
            });
        }
        Ok(Self { bias, weights })
    }

    /// Returns the model as JSON.
    pub fn json(&self) -> Value {
        let feature = |own: &FeatureWeight| json!({"name": own.name, "weight": own.weight, "category": own.category});
        let scales = self.weights.iter().filter_map(|own| Some((own.name.clone(), json!(own.scale?))));
        let missing = self.weights.iter().filter_map(|own| Some((own.name.clone(), json!(own.missing?))));
        json!({
            "form": "energy = bias + sum(weight * value); fitness = -energy",
            "bias": self.bias,
            "features": self.weights.iter().map(feature).collect::<Vec<_>>(),
            "scale": scales.collect::<Map<_, _>>(),
            "missing_value": missing.collect::<Map<_, _>>(),
        })
    }

    /// Returns the fitness of a game: the negative energy.
    pub fn fitness(&self, features: &FeatureVector) -> f64 {
        let sum: f64 = self.weights.iter().map(|own| own.weight * own.value(features)).sum();
        -(self.bias + sum)
    }
}

/// Returns a finite number.
fn number(value: &Value, path: impl FnOnce() -> String) -> Result<f64, ModelError> {
    let number = value.as_f64().filter(|number| number.is_finite());
    number.ok_or_else(|| ModelError::Member { path: path(), expected: "a number" })
}

fn scale(value: &Value, name: &str) -> Result<Option<[f64; 2]>, ModelError> {
    if value.is_null() {
        return Ok(None);
    }
    let path = || format!("scale.{name}");
    let [min, max] = [number(&value[0], path)?, number(&value[1], path)?];
    if min < max { Ok(Some([min, max])) } else { Err(ModelError::EmptyScale(name.to_owned())) }
}

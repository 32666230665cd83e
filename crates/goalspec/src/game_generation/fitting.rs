//! The fit of fitness models to the games of a corpus.

use goalspec_generation::fitness::FitnessModel;
use goalspec_generation::game::training::{FitError, FitOptions, FitReport, Separation, TrainingSet};
use serde_json::{Value, json};

use super::GameGeneration;

/// A fitted model with its evaluation.
#[derive(Debug, Clone, PartialEq)]
pub struct FittedModel {
    /// The model.
    pub model: FitnessModel,
    /// The evaluation on games that were held out.
    pub report: FitReport,
    /// The options of the fit.
    pub options: FitOptions,
}

/// Fits a model to the games of the corpus of a generator, on all threads of the current pool.
///
/// # Errors
/// If the corpus has too few games or the options ask for too much.
pub fn fit(generation: &GameGeneration, options: &FitOptions) -> Result<FittedModel, FitError> {
    let (model, report) = TrainingSet::new(generation.generator(), options)?.fit(options);
    Ok(FittedModel { model, report, options: *options })
}

fn separation(own: Separation) -> Value {
    json!({ "auc": own.auc, "above_own": own.above_own })
}

impl FittedModel {
    /// Returns the model as JSON, in the format of the published models, with the options and the evaluation of the fit.
    pub fn json(&self) -> Value {
        let mut value = self.model.json();
        value["training"] = json!({
            "loss": "softmin",
            "seed": self.options.seed,
            "negatives": self.options.negatives.name(),
            "k": self.options.regrowths,
            "weight_decay": self.options.penalty,
            "optimizer": "L-BFGS",
            "steps": self.report.steps,
            "final_train_loss": self.report.loss,
        });
        value["evaluation"] = self.report_json();
        value
    }

    /// Returns the evaluation as JSON.
    pub fn report_json(&self) -> Value {
        let FitReport { games, regrowths, folds, held_out, counted, training, groups, .. } = &self.report;
        json!({
            "games": games,
            "regrowths": regrowths,
            "folds": folds,
            "held_out": separation(*held_out),
            "held_out_counted": separation(*counted),
            "training": separation(*training),
            "groups": groups.iter().map(|own| json!({ "name": own.group, "difference": own.difference })).collect::<Vec<_>>(),
        })
    }

    /// Returns the document of a fit whose model is in a file.
    pub fn document(&self, file: &str) -> Value {
        let mut value = json!({ "format": "goalspec-fit-1", "model": file });
        if let (Some(document), Value::Object(members)) = (value.as_object_mut(), self.report_json()) {
            document.extend(members);
        }
        value
    }
}

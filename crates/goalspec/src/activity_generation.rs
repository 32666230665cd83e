//! New household activities from the activities of a library. Each passes the checks of the language and of the releases, and its goal has
//! an option that the initial state does not satisfy.

use std::sync::Arc;

use goalspec_bddl::check::CheckStatus;
use goalspec_bddl::options::OptionCount;
use goalspec_generation::activity::{
    ActivityDraft, ActivityExample, ActivityGenerationError, ActivityGenerator, GoalChange, MAX_DRAFTS,
};
use goalspec_generator::RandomStream;
use goalspec_syntax::Severity;
use serde_json::{Value, json};

use crate::goal_options::{self, OptionsError};
use crate::library::{self, Library, LibraryOptions};

/// The name and version of the format of generated goals.
const FORMAT: &str = "goalspec-goal-1";

/// A new activity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GeneratedActivity {
    /// Its name.
    pub name: String,
    /// Its text.
    pub text: String,
    /// The name of the example that it is made from.
    pub example: Arc<str>,
    /// The change by which it differs from the example; `None` for a new goal.
    pub change: Option<GoalChange>,
}

/// A generator of activities like those of a library.
#[derive(Debug)]
pub struct ActivityGeneration {
    generator: ActivityGenerator,
    /// The names of the examples, for the names of variations.
    names: Vec<Arc<str>>,
    /// The options by which new activities are checked: those of the library.
    options: LibraryOptions,
}

impl ActivityGeneration {
    /// Creates a generator from the activities of a library, which has been loaded with these options.
    ///
    /// # Errors
    /// As [`ActivityGenerator::new`].
    pub fn new(library: &Library, options: LibraryOptions) -> Result<Self, ActivityGenerationError> {
        let examples = library.programs().iter().filter_map(|program| {
            let activity = program.as_activity()?;
            activity.goal.as_ref()?;
            Some(ActivityExample { name: program.name.clone(), problem: activity.problem.clone() })
        });
        let examples: Vec<ActivityExample> = examples.collect();
        let names = examples.iter().map(|example| example.problem.name.text.clone()).collect();
        Ok(Self {
            generator: ActivityGenerator::new(examples)?,
            names,
            options: LibraryOptions { pool: None, ..options },
        })
    }

    /// Returns the number of examples.
    pub fn example_count(&self) -> usize {
        self.generator.example_count()
    }

    /// Makes the activity with an index. The seed and the index determine it. Returns `None` if all of [`MAX_DRAFTS`] drafts fail.
    pub fn sample(&self, seed: u64, index: u64) -> Option<GeneratedActivity> {
        let name = format!("sample_{seed}_{index}");
        let mut stream = RandomStream::new(seed, index);
        (0..MAX_DRAFTS).find_map(|_| self.accepted(&name, self.generator.draft(&name, &mut stream)?))
    }

    /// Makes the variation of an example with an index, by one of some changes. Returns `None` if all of [`MAX_DRAFTS`] drafts fail.
    pub fn vary(&self, example: usize, changes: &[GoalChange], (seed, index): (u64, u64)) -> Option<GeneratedActivity> {
        let own = self.names.get(example)?;
        let own = own.rsplit_once('-').map_or(&**own, |(name, _)| name);
        let name = format!("{own}_{seed}_{index}");
        let mut stream = RandomStream::new(seed, index);
        let mut draft = || self.generator.draft_variation(&name, example, changes, &mut stream);
        (0..MAX_DRAFTS).find_map(|_| self.accepted(&name, draft()?))
    }

    /// Returns the activity of a draft, unless it violates a rule or has nothing to do.
    fn accepted(&self, name: &str, draft: ActivityDraft) -> Option<GeneratedActivity> {
        let library = Library::from_texts([(format!("{name}.bddl"), draft.text)], self.options.clone());
        let is_sound = |diagnostic: &goalspec_syntax::Diagnostic| diagnostic.severity < Severity::Warning;
        if !library.diagnostics().iter().all(is_sound) {
            return None;
        }
        let program = library.programs().first()?;
        let activity = program.as_activity()?;
        if activity.check_statuses.iter().any(|(_, status)| status == CheckStatus::Failed) {
            return None;
        }
        let has_something_to_do = match goal_options::list(activity, 0) {
            Ok(options) => options.count != OptionCount::Exactly(0) && options.min_missing != Some(0),
            Err(OptionsError::TooLarge { options_exist, .. }) => options_exist,
            Err(_) => false,
        };
        if !has_something_to_do {
            return None;
        }
        let file = library.sources().file(program.source);
        let text = library::format(file).unwrap_or_else(|_| file.text().to_owned());
        Some(GeneratedActivity { name: name.to_owned(), text, example: draft.example, change: draft.change })
    }
}

/// Returns a new activity with its origin as JSON.
pub fn json(activity: &GeneratedActivity, (seed, index): (u64, u64)) -> Value {
    let mut value = json!({
        "format": FORMAT,
        "language": "bddl",
        "name": activity.name,
        "seed": seed,
        "index": index,
    });
    match activity.change {
        Some(change) => {
            value["parent"] = json!(&*activity.example);
            value["operator"] = json!(change.name());
        }
        None => value["like"] = json!(&*activity.example),
    }
    value["program"] = json!(activity.text);
    value
}

//! New problems, activities and resource graph games: any example is read without panic, and each new goal checks and can be achieved as
//! its generator promises.
//!
//! The first byte chooses the language: planning problems (`p`: a domain, a form feed, a problem), activities (`b`) or resource graph games
//! (`r`). In the last two, form feeds separate examples.

use goalspec::activity_generation::ActivityGeneration;
use goalspec::bddl::options::OptionCount;
use goalspec::generation::activity::GoalChange;
use goalspec::generation::problem::{GeneratedProblem, ProblemOptions};
use goalspec::generation::resource_game::GameEdit;
use goalspec::goal_options;
use goalspec::library::{Library, LibraryOptions};
use goalspec::playability::{PlayabilityOptions, Possibility, judge};
use goalspec::planning_problems::{JudgedPlan, planning_problem};
use goalspec::problem_generation::problem_generator;
use goalspec::resource_game_generation::ResourceGameGeneration;
use goalspec::syntax::Diagnostic;

/// The number of goals that are drawn, and of variations.
const DRAWN: u64 = 2;

/// The number of steps of a walk.
const STEPS: u32 = 4;

/// The maximum number of examples.
const EXAMPLES: usize = 3;

/// Tries one input.
pub fn run(bytes: &[u8]) {
    let Some((kind, rest)) = bytes.split_first() else { return };
    let Ok(text) = std::str::from_utf8(rest) else { return };
    match kind {
        b'b' => activities(text),
        b'r' => resource_games(text),
        _ => problems(text),
    }
}

/// Returns the examples of an input as files with an ending; `None` if they have errors.
fn examples(text: &str, ending: &str) -> Option<Library> {
    let parts = text.split('\u{c}').take(EXAMPLES).enumerate();
    let files = parts.map(|(number, part)| (format!("example-{number}.{ending}"), part.to_owned()));
    let library = Library::from_texts(files, LibraryOptions::default());
    (!has_errors(&library)).then_some(library)
}

fn has_errors(library: &Library) -> bool {
    library.diagnostics().iter().any(Diagnostic::is_error)
}

/// Returns a new goal as a library, which has no errors.
fn checked(files: &[(&str, &str)]) -> Library {
    let library = Library::from_texts(files.iter().copied(), LibraryOptions::default());
    assert!(!has_errors(&library), "a new goal has errors: {:?}\n{files:?}", library.diagnostics());
    library
}

fn problems(text: &str) {
    let Some((domain, _)) = text.split_once('\u{c}') else { return };
    let Some(library) = examples(text, "pddl") else { return };
    for keeps_initial_state in [false, true] {
        let options = ProblemOptions { steps: STEPS, keeps_initial_state };
        let Ok(generator) = problem_generator(&library, options) else { return };
        for index in 0..DRAWN {
            let made = if keeps_initial_state { generator.vary(0, (1, index)) } else { generator.sample(1, index) };
            if let Some(made) = made {
                assert_solved(domain, &made);
            }
        }
    }
}

/// Checks that the plan of a problem is valid.
fn assert_solved(domain: &str, made: &GeneratedProblem) {
    let library = checked(&[("domain.pddl", domain), ("made.pddl", &made.text)]);
    let program = library.programs().first().expect("a new problem is one");
    let problem = planning_problem(&library, program).expect("it is of the domain").expect("it is a problem");
    let mut sources = library.sources().clone();
    let plan: String = made.plan.iter().map(|step| format!("{step}\n")).collect();
    let source = sources.add("made.plan", plan);
    let judged = JudgedPlan::new(&problem, sources.file(source), false).expect("a plan");
    assert!(judged.is_valid(None), "the plan of a new problem is valid\n{}\n{:?}", made.text, made.plan);
}

fn activities(text: &str) {
    let Some(library) = examples(text, "bddl") else { return };
    let Ok(generation) = ActivityGeneration::new(&library, LibraryOptions::default()) else { return };
    for index in 0..DRAWN {
        let drawn = generation.sample(1, index);
        let varied = generation.vary(0, &GoalChange::ALL, (1, index));
        for made in [drawn, varied].into_iter().flatten() {
            let library = checked(&[("made.bddl", &made.text)]);
            let activity = library.programs().first().and_then(|program| program.as_activity());
            let options = goal_options::list(activity.expect("a new activity is one"), 0);
            // Goals with very many options are not listed.
            assert!(options.is_err() || options.is_ok_and(|own| own.count != OptionCount::Exactly(0)), "{}", made.text);
        }
    }
}

fn resource_games(text: &str) {
    let Some(library) = examples(text, "yaml") else { return };
    let Ok(generation) = ResourceGameGeneration::new(&library, LibraryOptions::default()) else { return };
    let drawn = generation.sample(1, 0);
    let varied = generation.vary(0, &GameEdit::ALL, (1, 0));
    for made in [drawn, varied].into_iter().flatten() {
        let library = checked(&[("made.yaml", &made.text)]);
        let judged = judge(&library, &[], &PlayabilityOptions::default(), &|_| {});
        assert_eq!(judged[0].possibility(), Possibility::Possible, "{}", made.text);
    }
}

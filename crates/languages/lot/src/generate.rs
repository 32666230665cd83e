//! Generation of problems.

use goalspec_syntax::Diagnostic;

use crate::arrangement::Arrangement;
use crate::codes;
use crate::problem::{GoalViews, Problem, View};
use crate::random::NumpyGenerator;
use crate::specs::{ProblemSpec, ProblemSpecs};
use crate::vocabulary::Vocabularies;

/// The maximum number of draws of one problem with [`GenerateOptions::distinct_goal`].
pub const MAX_DRAWS: usize = 10_000;

/// Options for generating problems.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct GenerateOptions {
    /// The seed of the generator, which draws all problems of a set in order.
    pub seed: u64,
    /// Whether a problem is drawn again as long as the goal of one of its views holds at the start.
    pub distinct_goal: bool,
}

/// A generated problem, with its draws.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GeneratedProblem {
    /// The problem: stacks in the order in which they were drawn, complex names in the order of the simple ones.
    pub problem: Problem,
    /// The simple names, in the order in which they were drawn.
    pub simple: Vec<String>,
    /// The complex names, in the order in which they were drawn.
    pub complex: Vec<String>,
    /// The index of each relation of view all among the relations of the goal arrangement.
    pub permutation: Vec<usize>,
}

/// Generates the problems of a set.
///
/// The draws are those of the published program, number by number. The program keeps stacks in a set of Python, so the order in which
/// its files list them, and the complex name of each simple name, differ from run to run; here they follow the draws.
///
/// # Errors
/// The diagnostics of specs that no problem fits.
pub fn generate(
    specs: &ProblemSpecs,
    vocabularies: &Vocabularies,
    options: GenerateOptions,
) -> Result<Vec<GeneratedProblem>, Vec<Diagnostic>> {
    let diagnostics = specs.check(vocabularies);
    if !diagnostics.is_empty() {
        return Err(diagnostics);
    }
    let mut generator = NumpyGenerator::new(options.seed);
    let generated = specs.specs().iter().map(|spec| {
        let limit = if options.distinct_goal { MAX_DRAWS } else { 1 };
        let mut draws = (0..limit).map(|_| draw(spec.objects, vocabularies, &mut generator));
        let is_wanted = |drawn: &GeneratedProblem| {
            !options.distinct_goal || !View::ALL.iter().any(|&view| drawn.problem.view(view).holds_initially())
        };
        // The only arrangement of one object satisfies every goal.
        let found = if options.distinct_goal && spec.objects == 1 { None } else { draws.find(is_wanted) };
        found.ok_or_else(|| vec![no_distinct_goal(spec)])
    });
    generated.collect()
}

fn no_distinct_goal(spec: &ProblemSpec) -> Diagnostic {
    let message = match spec.objects {
        1 => "the goal of a problem with one object always holds at the start".to_owned(),
        count => format!("no problem with {count} objects whose goals do not hold at the start in {MAX_DRAWS} draws"),
    };
    Diagnostic::error(codes::SPECS, spec.span, message).with_help("use at least 2 objects, or allow such goals")
}

fn draw(count: usize, vocabularies: &Vocabularies, generator: &mut NumpyGenerator) -> GeneratedProblem {
    let mut names = |vocabulary: &[String]| -> Vec<String> {
        generator.choice(vocabulary.len(), count).into_iter().map(|index| vocabulary[index].clone()).collect()
    };
    let (simple, complex) = (names(vocabularies.simple()), names(vocabularies.complex()));
    let initial = arrange(&simple, generator);
    let goal = arrange(&simple, generator);
    let relations = goal.relations();
    let permutation = generator.permutation(relations.len());
    let all: Vec<_> = permutation.iter().map(|&index| relations[index].clone()).collect();
    let first = |count: usize| all[..count.min(all.len())].to_vec();
    let views = GoalViews { one: first(1), two: first(2), all };
    let problem =
        Problem { goal, initial, views, complex_names: simple.iter().cloned().zip(complex.clone()).collect() };
    GeneratedProblem { problem, simple, complex, permutation }
}

/// Arranges names in random stacks: the sorted names and the rounded-up square root of their number of dividers, shuffled.
fn arrange(names: &[String], generator: &mut NumpyGenerator) -> Arrangement {
    let mut names: Vec<Option<&String>> = names.iter().map(Some).collect();
    names.sort();
    let dividers = (1..=names.len()).find(|root| root * root >= names.len()).unwrap_or(0);
    names.resize(names.len() + dividers, None);
    generator.shuffle(&mut names);
    let stacks = names.split(Option::is_none).filter(|stack| !stack.is_empty());
    Arrangement { stacks: stacks.map(|stack| stack.iter().copied().flatten().cloned().collect()).collect() }
}

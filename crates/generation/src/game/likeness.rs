//! Games of the shape of an example: the same sections, about the same sizes and the same cell, with other contents.
//!
//! A game is found by a random walk from the example. Each step changes a part at random and is taken if the result still has the shape.
//! The walk ends when no preference and no setup of the example is left.

use std::fmt;

use goalspec_generator::RandomStream;
use goalspec_generator::archive::Cell;
use goalspec_generator::grammar::Symbol;
use goalspec_generator::productions::Productions as _;
use goalspec_generator::sampler::choose;
use goalspec_generator::tree::Tree;

use super::evolution::{GameJudge, anonymous};
use super::features::sizes;
use super::features::view::View;
use super::generator::GameGenerator;
use super::variation::Operator;

/// Maximum number of changes of one walk.
pub const MAX_STEPS: usize = 4000;

/// Minimum number of changes that a walk takes.
const MIN_STEPS: usize = 24;

/// The difference in nodes of a section that is always admitted.
const ADMITTED_NODES: u32 = 6;

/// The difference in nodes of a section that is admitted, as a share of those of the example.
const ADMITTED_SHARE: f64 = 0.25;

/// The shape of an example.
#[derive(Debug, Clone)]
pub struct Example {
    tree: Tree,
    cell: Cell,
    /// The number of nodes of each section; `None` for a missing one.
    nodes: [Option<u32>; 4],
    /// The setup and the preferences, without names and types.
    parts: Vec<Vec<Symbol>>,
}

/// The reason why a game is no example.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExampleError {
    /// The world has nothing that fits an argument of the game.
    OtherWorld,
    /// The game has no cell, because it has too many preferences or repeats one.
    NoCell,
}

impl fmt::Display for ExampleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::OtherWorld => "the world has nothing that fits an argument of it",
            Self::NoCell => "it has no cell, since it has too many preferences or two that say the same",
        })
    }
}

impl std::error::Error for ExampleError {}

/// The numbers of changes of a walk that did not find a game.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FailedWalk {
    /// The changes that gave other sections or other sizes.
    pub other_sizes: usize,
    /// The changes that gave another cell.
    pub other_cell: usize,
    /// The smallest number of preferences and setups of the example that were left.
    pub least_left: usize,
}

impl fmt::Display for FailedWalk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { other_sizes, other_cell, least_left } = self;
        write!(
            f,
            "of {MAX_STEPS} changes, {other_sizes} gave other sections or sizes and {other_cell} another cell; the most different \
             game keeps {least_left} of the setup and the preferences"
        )
    }
}

impl Example {
    /// Returns the shape of a game.
    ///
    /// # Errors
    /// If the game has no cell or does not fit the world.
    pub fn new(generator: &GameGenerator, judge: &GameJudge, tree: &Tree) -> Result<Self, ExampleError> {
        let tree = generator.canonical(tree).ok_or(ExampleError::OtherWorld)?;
        let cell = judge.evaluate(generator, &tree).cell.ok_or(ExampleError::NoCell)?;
        let view = View::new(generator.games(), generator.tokens(), &tree);
        let (nodes, parts) = (section_nodes(&view), parts(&view));
        Ok(Self { tree, cell, nodes, parts })
    }

    /// Returns whether another game has about the same size in each section.
    fn admits_sizes(&self, view: &View<'_>) -> bool {
        let pairs = self.nodes.iter().zip(section_nodes(view));
        pairs.into_iter().all(|(&of_example, own)| match (of_example, own) {
            (Some(of_example), Some(own)) => {
                let admitted = f64::from(of_example) * ADMITTED_SHARE;
                f64::from(own.abs_diff(of_example)) <= admitted.max(f64::from(ADMITTED_NODES))
            }
            (of_example, own) => of_example == own,
        })
    }

    /// Returns the number of the parts that another game has too.
    fn left(&self, view: &View<'_>) -> usize {
        parts(view).iter().filter(|part| self.parts.contains(part)).count()
    }
}

fn section_nodes(view: &View<'_>) -> [Option<u32>; 4] {
    view.sections.map(|root| root.map(|root| sizes(view, root).1))
}

/// Returns the setup and the preferences of a game without names and types.
fn parts(view: &View<'_>) -> Vec<Vec<Symbol>> {
    let setup = view.sections[0].into_iter();
    setup
        .chain(view.preferences.iter().map(|preference| preference.entry))
        .map(|entry| anonymous(view, entry))
        .collect()
}

impl GameGenerator {
    /// Returns a game of the shape of an example.
    ///
    /// # Errors
    /// If the walk finds no game without a part of the example.
    pub fn sample_like(
        &self,
        example: &Example,
        judge: &GameJudge,
        stream: &mut RandomStream,
    ) -> Result<Tree, FailedWalk> {
        // Operators on two games would copy what others wrote.
        let operators: Vec<(Operator, f64)> =
            Operator::WEIGHTED.into_iter().filter(|(operator, _)| !operator.is_binary()).collect();
        let mut failure = FailedWalk { least_left: example.parts.len(), ..FailedWalk::default() };
        let mut tree = example.tree.clone();
        let mut taken = 0;
        for _ in 0..MAX_STEPS {
            let Some(operator) = choose(&operators, stream, |_| true) else { break };
            let Some(changed) = self.vary_one(operator, &tree, &tree, stream) else { continue };
            let view = View::new(self.games(), self.tokens(), &changed);
            if !example.admits_sizes(&view) {
                failure.other_sizes += 1;
                continue;
            }
            if judge.evaluate(self, &changed).cell.as_ref() != Some(&example.cell) {
                failure.other_cell += 1;
                continue;
            }
            taken += 1;
            let left = example.left(&view);
            failure.least_left = failure.least_left.min(left);
            if left == 0 && taken >= MIN_STEPS {
                return Ok(changed);
            }
            tree = changed;
        }
        Err(failure)
    }
}

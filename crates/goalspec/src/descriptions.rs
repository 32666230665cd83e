//! Descriptions of programs, domains and worlds in words or formulas.

use goalspec_core::world::World;
use goalspec_game::describe::{self, LtlSyntax};
use goalspec_syntax::Diagnostic;

use crate::library::Library;
use crate::program::{Program, ProgramContent, ResourceProgram};

/// Returns the description of a program, games as formulas if `ltl` is given; `None` for a program whose errors prevent one.
///
/// # Errors
/// If the release whose dialect an activity uses fails to describe it.
pub fn program(
    library: &Library,
    program: &Program,
    ltl: Option<LtlSyntax>,
) -> Result<Option<String>, Box<Diagnostic>> {
    Ok(match (&program.content, &program.world) {
        // Problems that are not supported by the planner have a description but no world.
        (ProgramContent::Planning(planning), _) => Some(goalspec_pddl::describe::problem(&planning.problem)),
        (ProgramContent::Reward(reward), _) => Some(reward.describe()),
        (_, None) => None,
        (ProgramContent::Game(game), Some(world)) => Some(match ltl {
            Some(syntax) => describe::ltl(&game.ast, game.dialect, syntax),
            None => describe::english(&game.ast, world, game.dialect),
        }),
        (ProgramContent::Resource(game), Some(world)) => resource_game(game, world),
        (ProgramContent::Activity(activity), Some(_)) => {
            let source = library.sources().file(program.source);
            Some(goalspec_bddl::describe::in_dialect(source, &activity.problem, activity.dialect)?)
        }
    })
}

/// Returns the description of a resource graph game, with the vocabulary that programs in other languages can use.
fn resource_game(program: &ResourceProgram, world: &World) -> Option<String> {
    let (ast, playable) = program.ast.as_ref().zip(program.playable.as_ref())?;
    let rules = goalspec_rgg::describe::describe(ast, &playable.game);
    Some(format!("{}\n\n{}", rules.trim_end(), describe::vocabulary(world)))
}

/// Returns the descriptions of the domains of a library, BDDL's before PDDL's.
pub fn domains(library: &Library) -> Vec<String> {
    let activities =
        library.bddl_domains().iter().map(|domain| goalspec_bddl::describe::domain(domain, library.dialect()));
    let planning = library.planning_domains().iter().map(|domain| goalspec_pddl::describe::domain(&domain.domain));
    activities.chain(planning).collect()
}

//! The resource graph games of a library, compiled for simulation. Experiments, analyses and reports are those of
//! [`goalspec_simulation`].

use std::path::Path;

use goalspec_resource::custom::ResultRegistry;
use goalspec_rgg::template::PatchError;
use goalspec_simulation::LoadedGame;
use goalspec_simulation::variation::{GameText, Variation};
use goalspec_simulator::statistics::sweep::SamplingFrequency;
use goalspec_syntax::diagnostic::Severity;
use goalspec_syntax::{Diagnostic, Span};

use crate::codes;
use crate::files;
use crate::library::Library;
use crate::program::Program;

/// Compiles a program for simulation; `None` if it is not a resource graph game, or has errors.
///
/// # Errors
/// If the game is larger than the simulator allows.
pub fn loaded_game(program: &Program, custom_results: &ResultRegistry) -> Result<Option<LoadedGame>, Box<Diagnostic>> {
    let Some(resource) = program.as_resource() else { return Ok(None) };
    let Some(playable) = &resource.playable else { return Ok(None) };
    let game = LoadedGame::new(program.name.clone(), playable.clone(), resource.dialect, custom_results);
    game.map(Some).map_err(|error| {
        let span = resource.ast.as_ref().map(|ast| Span { end: ast.span.start, ..ast.span });
        let message = format!("cannot play `{}`: {error}", program.name);
        Box::new(Diagnostic { span, ..Diagnostic::new(codes::NOT_SUPPORTED, Severity::Error, message) })
    })
}

/// Parses the variables of a program of the library, each written `PATH=CONSTRAINT`; see [`Variation::new`]. `None` if the program is
/// not a resource graph game.
///
/// # Errors
/// If a variable, or the game with some of its values, has errors.
pub fn variation(
    library: &Library,
    program: &Program,
    texts: &[String],
    each: SamplingFrequency,
) -> Result<Option<Variation>, Box<PatchError>> {
    let Some(resource) = program.as_resource() else { return Ok(None) };
    let text = GameText { sources: library.sources(), source: program.source, dialect: resource.dialect };
    Variation::new(text, library.custom_results(), texts, each).map(Some)
}

/// Reads the file of a script or a table of a policy, on disk or of a bundled example.
///
/// # Errors
/// As [`files::read_text`].
pub fn read_policy_file(file: &str) -> Result<String, Box<Diagnostic>> {
    files::read_text(Path::new(file))
}

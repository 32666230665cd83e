//! Resource graph games: any text is parsed in any dialect without panic, formatting preserves the meaning, and the simulator and the
//! reference interpreter play a valid game alike.

use goalspec::resource::custom::{Call, Registry};
use goalspec::resource::value::Value;
use goalspec::syntax::{Diagnostic, Sources};
use goalspec_rgg::{Dialect, Read};
use goalspec_testing::{resource, texts};

/// The name of the registered custom result.
const CUSTOM: &str = "Stir";

/// The maximum number of turns of a game.
const TURNS: usize = 30;

/// Tries one input.
pub fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    for (name, dialect) in Dialect::NAMED {
        let (read, laid_out) = read(text, dialect);
        texts::assert_places(text, &read.diagnostics);
        let refused = read.diagnostics.iter().any(Diagnostic::is_error);
        assert_eq!(read.game.is_none(), refused, "a game is there exactly if there is no error: {name}");
        let Some(game) = read.game else { continue };
        if let Ok(laid_out) = laid_out {
            let (again, _) = self::read(&laid_out, dialect);
            // NaN is unequal to itself, but its text is not.
            assert_eq!(format!("{:?}", again.game), format!("{:?}", Some(&game)), "layout keeps the game: {name}");
        }
        let registry = Registry::default().with(CUSTOM, stir);
        for seed in 0..2 {
            // A game that is too large for the simulator is not played.
            let _: Result<usize, _> = resource::play(&game, &registry, seed, TURNS);
        }
    }
}

/// Returns the reading of a text, and its layout.
fn read(text: &str, dialect: Dialect) -> (Read, Result<String, Vec<Diagnostic>>) {
    let mut sources = Sources::new();
    let id = sources.add("fuzz.yaml", text);
    let source = sources.get(id);
    (goalspec_rgg::read(source, dialect, &[CUSTOM]), goalspec_rgg::format::format(source))
}

/// A custom result: reads fields named by its parameters, draws random numbers, and writes.
fn stir(call: &mut Call<'_>) -> Result<(), String> {
    let (from, to) = (call.text_parameter("from")?, call.text_parameter("to")?);
    let drawn = Value::Real(call.ground.uniform());
    for (name, value) in call.ground.values(&from) {
        let value = if value.real().is_some() { Some(drawn.clone()) } else { call.ground.value(&to, &name) };
        call.ground.put(&to, &name, value)?;
    }
    call.ground.put(&to, "stirred", Some(drawn))
}

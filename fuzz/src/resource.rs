//! Resource graph games: any text is parsed in any dialect without panic, formatting preserves the meaning, and the simulator and the
//! reference interpreter play a valid game alike.

use goalspec::resource::custom::{CustomCall, CustomResultError, ResultRegistry};
use goalspec::resource::value::Value;
use goalspec::syntax::{Diagnostic, Diagnostics, Sources};
use goalspec_rgg::{Dialect, ParsedGame};
use goalspec_testing::{resource, texts};

/// The name of the registered custom result.
const CUSTOM: &str = "Stir";

/// The maximum number of turns of a game.
const MAX_TURNS: usize = 30;

/// Tries one input.
pub fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    for (name, dialect) in Dialect::NAMED {
        let (loaded, formatted) = load(text, dialect);
        texts::assert_spans_in_text(text, &loaded.diagnostics);
        let has_errors = loaded.diagnostics.iter().any(Diagnostic::is_error);
        assert_eq!(loaded.game.is_none(), has_errors, "a game is there exactly if there is no error: {name}");
        let Some(game) = loaded.game else { continue };
        if let Ok(formatted) = formatted {
            let (reloaded, _) = self::load(&formatted, dialect);
            // NaN is unequal to itself, but its text is not.
            assert_eq!(
                format!("{:?}", reloaded.game),
                format!("{:?}", Some(&game)),
                "formatting preserves the game: {name}"
            );
        }
        let registry = ResultRegistry::default().with(CUSTOM, stir);
        for seed in 0..2 {
            // A game that is too large for the simulator is not played.
            let _: Result<usize, _> = resource::play(&game, &registry, seed, MAX_TURNS);
        }
    }
}

/// Returns the game in a text, and the formatted text.
fn load(text: &str, dialect: Dialect) -> (ParsedGame, Result<String, Diagnostics>) {
    let mut sources = Sources::new();
    let id = sources.add("fuzz.yaml", text);
    let source = sources.file(id);
    (goalspec_rgg::load(source, dialect, &[CUSTOM]), goalspec_rgg::format::format(source))
}

/// A custom result: reads fields named by its arguments, draws random numbers, and writes.
fn stir(call: &mut CustomCall<'_>) -> Result<(), CustomResultError> {
    let (from, to) = (call.text_argument("from")?, call.text_argument("to")?);
    let sample = Value::Real(call.state.uniform());
    for (name, value) in call.state.values(&from) {
        let value = if value.as_f64().is_some() { Some(sample.clone()) } else { call.state.value(&to, &name) };
        call.state.put(&to, &name, value)?;
    }
    call.state.put(&to, "stirred", Some(sample))
}

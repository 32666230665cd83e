//! Language models: the stand-ins that `--model fake:NAME` selects, for all languages.

use goalspec_llm::StandIns;

/// Returns the stand-ins.
pub fn stand_ins() -> StandIns {
    StandIns::default()
}

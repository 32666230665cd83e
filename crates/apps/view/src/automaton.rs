//! The automaton of a preference, on whose positions the lanes of its bindings advance.

use goalspec::core::automaton::Automaton;
use goalspec::core::pattern::Pattern;
use goalspec::core::program::Preference;
use serde_json::{Value, json};

/// Returns the positions of the automaton of a preference, as `goalspec describe --dot` draws them; `None` for patterns without
/// positions. The level of a lane is the number of a position, counted from 1.
pub(crate) fn positions(preference: &Preference) -> Option<Value> {
    let Pattern::Sequence(phases) = &preference.pattern else { return None };
    let automaton = Automaton::new(phases);
    let position = |index: usize| {
        let position = automaton.positions()[index];
        json!({
            "operator": position.phase + 1,
            "event": position.event.map(|event| event + 1),
            "repeats": position.repeats,
            "optional": position.optional,
            "initial": automaton.is_initial(index),
            "accepting": automaton.is_accepting(index),
            "successors": automaton.successors(index).map(|next| next + 1).collect::<Vec<_>>(),
        })
    };
    Some((0..automaton.positions().len()).map(position).collect())
}

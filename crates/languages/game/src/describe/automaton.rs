//! Automata in DOT, the language of Graphviz.

use std::fmt::Write as _;

use goalspec_core::automaton::Automaton;
use goalspec_core::condition::Condition;
use goalspec_core::evaluate::Bindings;
use goalspec_core::explain::{condition_text, expression_text};
use goalspec_core::pattern::{Pattern, Phase};
use goalspec_core::program::Preference;
use goalspec_core::world::World;

/// Returns the automaton of a preference, with a box for each position of a satisfaction and the conditions that hold there. Returns
/// `None` for patterns without positions.
pub(super) fn dot(preference: &Preference, world: &World) -> Option<String> {
    let bindings = Bindings::new(&preference.scope);
    let one = |condition: &Condition| with_names(world, &condition_text(world, condition, &bindings));
    let line = |condition: &Condition| match condition {
        Condition::And(parts) => parts.iter().map(one).collect::<Vec<_>>().join("\n"),
        other => one(other),
    };
    let mut text = format!(
        "digraph {} {{\n    rankdir = LR\n    node [shape = box]\n    start [shape = point]\n",
        quoted(&preference.name)
    );
    match &preference.pattern {
        Pattern::Sequence(phases) => sequence(&mut text, phases, &|condition| line(condition), &|measure| {
            with_names(world, &expression_text(world, measure, &bindings))
        }),
        Pattern::AtEnd(condition) => {
            let label = quoted(&format!("at the end\n{}", line(condition)));
            let _ = writeln!(text, "    p0 [label = {label}, peripheries = 2]\n    start -> p0");
        }
        Pattern::Formula(_) => return None,
    }
    text.push_str("}\n");
    Some(text)
}

fn sequence(
    text: &mut String,
    phases: &[Phase],
    line: &dyn Fn(&Condition) -> String,
    measure: &dyn Fn(&goalspec_core::condition::Expression) -> String,
) {
    let automaton = Automaton::new(phases);
    let count = automaton.positions().len();
    for (index, position) in automaton.positions().iter().enumerate() {
        let operator = match &phases[position.phase] {
            Phase::Once { measure: None, .. } => "once",
            Phase::Once { .. } => "once-measure",
            Phase::Hold { .. } => "hold",
            Phase::HoldWhile { .. } => "hold-while",
        };
        let mut label = format!("{} {operator}", position.phase + 1);
        if position.events > 0 && !position.repeats {
            let _ = write!(label, ", event {}", position.events);
        }
        for condition in position.conditions(phases) {
            label.push('\n');
            label.push_str(&line(condition));
        }
        if let Some(expression) = position.measure(phases) {
            let _ = write!(label, "\nmeasure {}", measure(expression));
        }
        let last = if automaton.is_accepting(index) { ", peripheries = 2" } else { "" };
        let _ = writeln!(text, "    p{index} [label = {}{last}]", quoted(&label));
    }
    for index in (0..count).take_while(|&index| automaton.is_initial(index)) {
        let _ = writeln!(text, "    start -> p{index}");
    }
    for from in 0..count {
        for to in automaton.successors(from) {
            let _ = writeln!(text, "    p{from} -> p{to}");
        }
    }
}

/// Replaces the recorded identifiers of objects by their names in programs.
fn with_names(world: &World, text: &str) -> String {
    let renamed = |part: &str| {
        let id = part.trim_end_matches(')');
        let object = world.object_with_recorded_name(id);
        let mut names = world.program_names().filter(|(_, named)| Some(*named) == object).map(|(name, _)| name);
        let name = names.next().map(|first| names.fold(first, Ord::min));
        name.map_or_else(|| part.to_owned(), |name| format!("{name}{}", &part[id.len()..]))
    };
    text.split(' ').map(renamed).collect::<Vec<_>>().join(" ")
}

/// Quotes a DOT string. Lines are left-aligned.
fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
    if escaped.contains('\n') { format!("\"{}\\l\"", escaped.replace('\n', "\\l")) } else { format!("\"{escaped}\"") }
}

//! Assembly of a program from the definitions of several replies.

use std::collections::HashSet;
use std::fmt::Write as _;

use goalspec_reward::lint::object_changes;
use goalspec_reward::outline::Outline;

use super::units::{Unit, UnitKind};
use super::{Extraction, Note, ReplyCode, WorldNames, entry, source};
use crate::candidate::Stage;
use crate::codes;
use crate::finding::{Finding, Weight};

/// The code of functions that the reward function cannot reach.
const UNUSED_FUNCTION: &str = goalspec_reward::codes::UNUSED_FUNCTION.0;

/// Assembles the program of a conversation: the last reply if it is closed, otherwise the definitions of all replies, each name as
/// defined last.
pub(super) fn assemble(replies: &[ReplyCode], world: &WorldNames, mut notes: Vec<Note>) -> Extraction {
    let Some(last) = replies.last() else {
        return Extraction::without_program(codes::NO_PROGRAM, "no reply contains Python code", notes);
    };
    // The parser reports the errors of a reply that does not parse.
    if !last.parses {
        return Extraction { program: Some(last.text.clone()), notes, findings: Vec::new() };
    }
    if let Some(program) = closed_program(last, world, &mut notes) {
        if replies.len() > 1 {
            notes.push(Note::new(
                "last-reply-closed",
                "the last reply defines everything that it uses: it is the program",
            ));
        }
        return finish(&program, replies, world, notes);
    }
    if replies.iter().any(|reply| !reply.parses) {
        let text: Vec<&str> = replies.iter().map(|reply| reply.text.as_str()).collect();
        return Extraction { program: Some(text.join("\n")), notes, findings: Vec::new() };
    }
    let is_joined = replies.len() > 1 || last.is_joined;
    let units = replies.iter().flat_map(|reply| reply.units.iter().cloned()).collect();
    match program_of(units, is_joined, world, &mut notes) {
        Ok(program) => finish(&program, replies, world, notes),
        Err(finding) => Extraction { program: None, notes, findings: vec![*finding] },
    }
}

/// A program with the statements that it consists of.
struct Program {
    units: Vec<Unit>,
    /// The name of the reward function.
    entry: String,
    /// Whether it is one block without a change.
    is_unchanged: bool,
}

/// Returns the program of the last reply if it defines everything that it uses.
fn closed_program(last: &ReplyCode, world: &WorldNames, notes: &mut Vec<Note>) -> Option<Program> {
    let mut own_notes = Vec::new();
    let program = program_of(last.units.clone(), last.is_joined, world, &mut own_notes).ok()?;
    let outline = Outline::of(&source(&text_of(&program.units)));
    let is_closed = outline.unbound_names.iter().all(|name| world.classes.contains(&name.text));
    is_closed.then(|| {
        notes.extend(own_notes);
        program
    })
}

/// Returns the statements that the reward function needs.
fn program_of(
    units: Vec<Unit>,
    is_joined: bool,
    world: &WorldNames,
    notes: &mut Vec<Note>,
) -> Result<Program, Box<Finding>> {
    let count = units.len();
    let units = without_world_classes(units, world, notes);
    let units = without_repeated_imports(without_overridden(units, notes));
    let entry = entry::find(&units)?;
    let units = reachable(&units, &entry, notes);
    let is_unchanged = !is_joined && units.len() == count;
    Ok(Program { units, entry, is_unchanged })
}

/// Drops the definitions of classes that the world has: the objects are instances of the world's classes.
fn without_world_classes(mut units: Vec<Unit>, world: &WorldNames, notes: &mut Vec<Note>) -> Vec<Unit> {
    units.retain(|unit| {
        let is_of_world = unit.kind == UnitKind::Class && world.classes.iter().any(|class| class == unit.name());
        if is_of_world {
            let message = format!("the class `{}` is dropped: it is the world's", unit.name());
            notes.push(Note::new("dropped-class", message));
        }
        !is_of_world
    });
    units
}

/// Drops the definitions of functions and classes that a later one replaces. A definition that a statement of the module uses before it is
/// replaced is kept.
fn without_overridden(units: Vec<Unit>, notes: &mut Vec<Note>) -> Vec<Unit> {
    let mut defined_later: HashSet<String> = HashSet::new();
    let mut used_between: HashSet<String> = HashSet::new();
    let mut kept: Vec<Unit> = Vec::with_capacity(units.len());
    for unit in units.into_iter().rev() {
        if unit.is_definition() {
            let name = unit.name().to_owned();
            if defined_later.contains(&name) && !used_between.contains(&name) {
                let message = format!("`{name}` is defined more than once: the last definition is used");
                notes.push(Note::new("overridden-definition", message));
                continue;
            }
            used_between.remove(&name);
            defined_later.insert(name);
        } else if unit.kind == UnitKind::Binding {
            used_between.extend(unit.uses.iter().cloned());
        }
        kept.push(unit);
    }
    kept.reverse();
    kept
}

/// Drops imports that stand in the text before: replies tend to repeat them.
fn without_repeated_imports(mut units: Vec<Unit>) -> Vec<Unit> {
    let mut seen: HashSet<String> = HashSet::new();
    units.retain(|unit| {
        unit.is_definition() || unit.kind == UnitKind::Binding || unit.is_other() || seen.insert(unit.text.clone())
    });
    units
}

/// Returns the statements that the entry needs, directly or by other statements.
fn reachable(units: &[Unit], entry: &str, notes: &mut Vec<Note>) -> Vec<Unit> {
    let mut needed: HashSet<&str> = HashSet::from([entry]);
    let mut pending = vec![entry];
    let mut is_kept: Vec<bool> = units
        .iter()
        .map(|unit| matches!(unit.kind, UnitKind::WildcardImport | UnitKind::Future | UnitKind::Text))
        .collect();
    let mut binders: std::collections::HashMap<&str, Vec<usize>> = std::collections::HashMap::new();
    for (index, unit) in units.iter().enumerate() {
        unit.binds.iter().for_each(|name| binders.entry(name).or_default().push(index));
    }
    while let Some(name) = pending.pop() {
        for &index in binders.get(name).into_iter().flatten() {
            if !std::mem::replace(&mut is_kept[index], true) {
                pending.extend(units[index].uses.iter().map(String::as_str).filter(|name| needed.insert(name)));
                pending.extend(units[index].binds.iter().map(String::as_str).filter(|name| needed.insert(name)));
            }
        }
    }
    for (unit, _) in units.iter().zip(&is_kept).filter(|(unit, is_kept)| !**is_kept && unit.is_other()) {
        let line = unit.text.lines().find(|line| !line.starts_with('#')).unwrap_or_default();
        notes.push(Note::new("dropped-statement", format!("`{line}` is dropped: it defines nothing")));
    }
    let kept = units.iter().zip(&is_kept).filter(|(_, is_kept)| **is_kept).map(|(unit, _)| unit.clone());
    let (mut first, rest): (Vec<Unit>, Vec<Unit>) = kept.partition(|unit| unit.kind == UnitKind::Future);
    first.extend(rest);
    first
}

/// Returns the text of statements.
fn text_of(units: &[Unit]) -> String {
    let mut text = String::new();
    for (index, unit) in units.iter().enumerate() {
        let is_definition =
            unit.is_definition() || index.checked_sub(1).is_some_and(|before| units[before].is_definition());
        if index > 0 {
            text.push_str(if is_definition { "\n\n" } else { "" });
        }
        text.push_str(&unit.text);
        text.push('\n');
    }
    text
}

/// Completes a program: with the import of the world's classes and a function of the usual name. Lists the functions that it leaves out.
fn finish(program: &Program, replies: &[ReplyCode], world: &WorldNames, mut notes: Vec<Note>) -> Extraction {
    let findings = unused_functions(program, replies);
    let has_import = program.units.iter().any(|unit| unit.kind == UnitKind::WildcardImport && is_world(&unit.module));
    let mut text = match replies.last() {
        Some(last) if program.is_unchanged => last.text.clone(),
        _ => text_of(&program.units),
    };
    if let Some(import) = world.import.as_ref().filter(|_| !has_import) {
        notes.push(Note::new("world-import", format!("`{import}` is added")));
        let future = program.units.iter().take_while(|unit| matches!(unit.kind, UnitKind::Future | UnitKind::Text));
        let after = future.last().and_then(|unit| Some(text.find(&unit.text)? + unit.text.len()));
        match after {
            Some(place) => text.insert_str(place, &format!("\n{import}\n")),
            None => text.insert_str(0, &format!("{import}\n\n")),
        }
    }
    if !entry::USUAL_NAMES.contains(&&*program.entry) {
        let [usual, ..] = entry::USUAL_NAMES;
        notes.push(Note::new("entry", format!("the reward function is `{}`", program.entry)));
        let _ = writeln!(text, "\n\ndef {usual}(objects):\n    return {}(objects)", program.entry);
    }
    Extraction { program: Some(text), notes, findings }
}

/// Whether a module is that of a world: its classes are imported by the text or implied.
fn is_world(module: &str) -> bool {
    let library = goalspec_python_runtime::library::Library::from_name(module);
    library == Some(goalspec_python_runtime::library::Library::World) && !module.ends_with(".game_objects")
}

/// Returns the functions of all replies that the program leaves out, each with the change of objects that it would make.
fn unused_functions(program: &Program, replies: &[ReplyCode]) -> Vec<Finding> {
    let used: HashSet<&str> = program.units.iter().map(Unit::name).collect();
    let mut listed: HashSet<&str> = HashSet::new();
    let functions = replies.iter().flat_map(|reply| &reply.units).filter(|unit| unit.kind == UnitKind::Function);
    let functions: Vec<&Unit> = functions.collect();
    let unused = functions.iter().rev().filter(|unit| !used.contains(unit.name()) && listed.insert(unit.name()));
    let mut found: Vec<Finding> = unused.map(|unit| unused_function(unit)).collect();
    found.reverse();
    found
}

fn unused_function(unit: &Unit) -> Finding {
    let message = format!("`{}` is never called", unit.name());
    let finding = Finding::new(Stage::Extracted, UNUSED_FUNCTION, Weight::Note, message)
        .with_evidence("it is left out of the program")
        .with_help("call it, or leave it out");
    let source = source(&unit.text);
    match object_changes(&source).first() {
        Some(change) => finding.with_evidence(format!("it would change the objects of the game: `{}`", change.text)),
        None => finding,
    }
}

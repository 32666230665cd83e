//! The reward function of a program, chosen by name, and the arguments of its parameters, chosen by theirs.
//!
//! | parameter | argument |
//! |---|---|
//! | `objects`, `game_objects` | a list of all objects; also the only parameter of `reward_function`, whatever its name |
//! | `env` | an object whose attribute `objects` is that list |
//! | `state`, `next_state`, `current_state` | the state after the step: `objects`, and the objects of each class by its name |
//! | `prev_state`, `previous_state`, `last_state` | the state before the step |
//! | `action` | the action of the agent |
//! | a class in snake case, as `player`, `enemy_missile` | the only object of the class, or `None`; several objects raise a `ValueError` |
//! | its plural, as `cars`, `enemy_missiles` | a list of the objects of the class |
//!
//! An object of a subclass also counts as an object of its parents. States have the last two rows as attributes.

use goalspec_python_runtime::code::{CodeId, CodeKind, CodeObject, Instruction, Parameter, Program};
use goalspec_python_runtime::entry::{ArgumentSource, Entry, class_reference, plural_name, singular_name};
use goalspec_python_runtime::scene::World;
use goalspec_syntax::{Diagnostic, SourceFile, Span, suggest};
use rustc_hash::FxHashSet;

use crate::codes;

/// Names by which a reward function is found without being named, in the order of preference.
const CONVENTIONAL_NAMES: [&str; 2] = ["reward_function", "compute_reward"];

/// Names of parameters other than classes, with the sources of their arguments.
const PARAMETER_SOURCES: [(&str, ArgumentSource); 10] = [
    ("objects", ArgumentSource::Objects),
    ("game_objects", ArgumentSource::Objects),
    ("env", ArgumentSource::Env),
    ("state", ArgumentSource::State),
    ("next_state", ArgumentSource::State),
    ("current_state", ArgumentSource::State),
    ("prev_state", ArgumentSource::PreviousState),
    ("previous_state", ArgumentSource::PreviousState),
    ("last_state", ArgumentSource::PreviousState),
    ("action", ArgumentSource::Action),
];

/// Returns the reward function: the function `name` if one is named, otherwise one with a conventional name, otherwise the only function
/// whose parameters all have an argument or a default.
///
/// # Errors
/// If there is no such function, there are several, or a required parameter has no argument.
pub fn find_entry(
    program: &Program,
    source: &SourceFile,
    world: &World,
    name: Option<&str>,
) -> Result<Entry, Box<Diagnostic>> {
    let functions = functions(program);
    let whole = Span::new(source.id(), 0, 0);
    if let Some(name) = name {
        if let Some(function) = functions.iter().find(|function| function.name == name) {
            return build_entry(program, source, world, function);
        }
        let diagnostic = Diagnostic::error(codes::ENTRY, whole, format!("unknown function `{name}`"));
        let names = functions.iter().map(|function| function.name);
        return Err(Box::new(match suggest::did_you_mean(name, names) {
            Some(help) => diagnostic.with_help(help),
            None => diagnostic,
        }));
    }
    let usual = CONVENTIONAL_NAMES.iter().find_map(|name| functions.iter().find(|function| function.name == *name));
    if let Some(function) = usual {
        return build_entry(program, source, world, function);
    }
    let fitting: Vec<Entry> =
        functions.iter().filter_map(|function| build_entry(program, source, world, function).ok()).collect();
    match fitting.as_slice() {
        [one] => Ok(one.clone()),
        [] => {
            let message = "no reward function";
            let help = "name it `reward_function`, with the list of objects as its parameter";
            Err(Box::new(Diagnostic::error(codes::ENTRY, whole, message).with_help(help)))
        }
        several => {
            let names: Vec<String> = several.iter().map(|entry| format!("`{}`", entry.function)).collect();
            let message = format!("ambiguous reward function: {}", names.join(", "));
            let help = "name one of them `reward_function`, or select one";
            Err(Box::new(Diagnostic::error(codes::ENTRY, whole, message).with_help(help)))
        }
    }
}

/// A function with the name of the module that it is bound to.
#[derive(Clone, Copy)]
struct NamedFunction<'p> {
    name: &'p str,
    code: &'p CodeObject,
}

/// Returns the functions of the module, the last definition of each name: of `def`, or of a lambda or another function that is assigned.
fn functions(program: &Program) -> Vec<NamedFunction<'_>> {
    let mut found: Vec<NamedFunction<'_>> = Vec::new();
    let is_defined = |code: &&CodeObject| {
        code.kind == CodeKind::Function && code.qualified_name == code.name && !code.name.starts_with('<')
    };
    let defined = program.codes().iter().filter(is_defined).map(|code| NamedFunction { name: &code.name, code });
    found.extend(defined);
    let module = program.code(CodeId(0));
    for pair in module.instructions.windows(2) {
        let name = match pair[1] {
            Instruction::StoreGlobal(symbol) | Instruction::StoreName(symbol) => program.name(symbol),
            _ => continue,
        };
        let code = match pair[0] {
            Instruction::Function(code, _) => program.code(code),
            Instruction::LoadGlobal(symbol) | Instruction::LoadName(symbol) => {
                let other = program.name(symbol);
                match found.iter().rev().find(|function| function.name == other) {
                    Some(function) => function.code,
                    None => continue,
                }
            }
            _ => continue,
        };
        if code.kind == CodeKind::Function && (code.name.starts_with('<') || *code.name != *name) {
            found.push(NamedFunction { name, code });
        }
    }
    // Iterating backwards, the first definition of each name is the one in force.
    let mut seen: FxHashSet<&str> = FxHashSet::default();
    found.reverse();
    found.retain(|function| seen.insert(function.name));
    found.reverse();
    found
}

fn build_entry(
    program: &Program,
    source: &SourceFile,
    world: &World,
    function: &NamedFunction<'_>,
) -> Result<Entry, Box<Diagnostic>> {
    let code = function.code;
    let signature = &code.signature;
    let name = |parameter: &Parameter| program.name(parameter.name);
    let only = matches!(signature.positional.as_slice(), [_]) && CONVENTIONAL_NAMES.contains(&function.name);
    let mut arguments = Vec::new();
    let required = signature.positional.len() - signature.defaults;
    for (place, parameter) in signature.positional.iter().enumerate() {
        match argument_source(world, name(parameter)) {
            Some(supply) => arguments.push(supply),
            None if only && required == 1 => arguments.push(ArgumentSource::Objects),
            None if place >= required => break,
            None => return Err(Box::new(unsupported_parameter(source, world, function, name(parameter)))),
        }
    }
    let mut named = Vec::new();
    for parameter in &signature.keyword_only {
        match argument_source(world, name(parameter)) {
            Some(supply) => named.push((name(parameter).to_owned(), supply)),
            None if signature.keyword_defaults.contains(&parameter.name) => {}
            None => return Err(Box::new(unsupported_parameter(source, world, function, name(parameter)))),
        }
    }
    // Parameters behind an omitted default are passed by keyword.
    for parameter in signature.positional.iter().skip(arguments.len()) {
        if let Some(supply) = argument_source(world, name(parameter)) {
            named.push((name(parameter).to_owned(), supply));
        }
    }
    Ok(Entry { function: function.name.to_owned(), arguments, keywords: named })
}

fn argument_source(world: &World, name: &str) -> Option<ArgumentSource> {
    let usual = PARAMETER_SOURCES.iter().find(|(other, _)| *other == name);
    usual.map(|&(_, supply)| supply).or_else(|| class_reference(world, name).map(ArgumentSource::Class))
}

fn unsupported_parameter(
    source: &SourceFile,
    world: &World,
    function: &NamedFunction<'_>,
    parameter: &str,
) -> Diagnostic {
    let range = function.code.range;
    let span = Span::new(source.id(), range.start, range.end);
    let message = format!("unsupported parameter `{parameter}` of `{}`", function.name);
    let singular: Vec<String> = world.class_names().map(|name| singular_name(name)).collect();
    let plurals: Vec<String> = singular.iter().map(|name| plural_name(name)).collect();
    let names = PARAMETER_SOURCES.iter().map(|&(name, _)| name);
    let names = names.chain(singular.iter().map(String::as_str)).chain(plurals.iter().map(String::as_str));
    let help = match suggest::nearest(parameter, names) {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => "supported parameters are `objects`, `env`, `prev_state` and `state`, `action`, and classes such as \
             `player` or `cars`; others need a default"
            .to_owned(),
    };
    Diagnostic::error(codes::ENTRY, span, message).with_help(help)
}

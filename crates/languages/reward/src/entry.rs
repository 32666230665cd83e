//! The reward function of a program, and the arguments of its parameters.
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

use goalspec_syntax::{Diagnostic, SourceFile, Span, suggest};
use rustc_hash::FxHashSet;

use crate::code::{CodeKind, CodeObject, Parameter, Program};
use crate::codes;
use crate::scene::World;

/// The source of a parameter's argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArgumentSource {
    /// A list of all objects.
    Objects,
    /// The environment, which has all objects as `objects`.
    Env,
    /// The state after the step.
    State,
    /// The state before the step.
    PreviousState,
    /// The action of the agent.
    Action,
    /// The objects of a class.
    Class(ClassReference),
}

/// A class of objects as denoted by the name of a parameter or attribute, such as `car` or `cars`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClassReference {
    /// The index of the class among all of the world's classes, the screen classes first.
    pub class: usize,
    /// Whether the name denotes all objects of the class rather than the only one.
    pub is_plural: bool,
}

/// A reward function and the arguments of its parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The name of the function.
    pub function: String,
    /// The arguments of the parameters that are passed by position, in order.
    pub arguments: Vec<ArgumentSource>,
    /// The arguments of the parameters that are passed by keyword.
    pub keywords: Vec<(String, ArgumentSource)>,
}

impl Entry {
    /// Creates an entry without arguments, for a function whose world is not yet known.
    pub fn of_unknown_world(function: &str) -> Self {
        Self { function: function.to_owned(), arguments: Vec::new(), keywords: Vec::new() }
    }

    /// Returns whether the list of all objects is the only argument of the function.
    pub fn takes_objects_only(&self) -> bool {
        self.arguments == [ArgumentSource::Objects] && self.keywords.is_empty()
    }
}

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

/// Returns the class of a world that a name such as `car` or `cars` denotes.
pub(crate) fn class_reference(world: &World, name: &str) -> Option<ClassReference> {
    let mut classes = world.class_names().enumerate();
    classes.find_map(|(class, other)| {
        let singular = snake_case(other);
        let plural = plural(&singular) == name;
        (plural || singular == name).then_some(ClassReference { class, is_plural: plural })
    })
}

/// Converts `EnemyMissile` to `enemy_missile`.
fn snake_case(name: &str) -> String {
    let mut written = String::new();
    let mut before = '_';
    let mut rest = name.chars().peekable();
    while let Some(character) = rest.next() {
        let next_is_lower = rest.peek().is_some_and(|next| next.is_lowercase());
        let begins = character.is_uppercase() && before != '_' && (!before.is_uppercase() || next_is_lower);
        if begins {
            written.push('_');
        }
        written.extend(character.to_lowercase());
        before = character;
    }
    written
}

fn plural(name: &str) -> String {
    let ends = |end: &[&str]| end.iter().any(|end| name.ends_with(end));
    match name.strip_suffix('y') {
        Some(stem) if !ends(&["ay", "ey", "oy", "uy"]) => format!("{stem}ies"),
        _ if ends(&["s", "x", "z", "ch", "sh"]) => format!("{name}es"),
        _ => format!("{name}s"),
    }
}

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
        if let Some(code) = functions.iter().find(|code| &*code.name == name) {
            return build_entry(program, source, world, code);
        }
        let diagnostic = Diagnostic::error(codes::ENTRY, whole, format!("unknown function `{name}`"));
        let names = functions.iter().map(|code| &*code.name);
        return Err(Box::new(match suggest::did_you_mean(name, names) {
            Some(help) => diagnostic.with_help(help),
            None => diagnostic,
        }));
    }
    let usual = CONVENTIONAL_NAMES.iter().find_map(|name| functions.iter().find(|code| &&*code.name == name));
    if let Some(code) = usual {
        return build_entry(program, source, world, code);
    }
    let fitting: Vec<Entry> =
        functions.iter().filter_map(|code| build_entry(program, source, world, code).ok()).collect();
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

/// Returns the functions of the module, the last definition of each name.
fn functions(program: &Program) -> Vec<&CodeObject> {
    let mut found: Vec<&CodeObject> = Vec::new();
    let inner = |code: &&CodeObject| {
        code.kind == CodeKind::Function && code.qualified_name == code.name && !code.name.starts_with('<')
    };
    // Iterating backwards, the first definition of each name is the one in force.
    let mut seen: FxHashSet<&str> = FxHashSet::default();
    found.extend(program.codes.iter().filter(inner).rev().filter(|code| seen.insert(&code.name)));
    found.reverse();
    found
}

fn build_entry(
    program: &Program,
    source: &SourceFile,
    world: &World,
    code: &CodeObject,
) -> Result<Entry, Box<Diagnostic>> {
    let signature = &code.signature;
    let name = |parameter: &Parameter| &*program.names[parameter.name.0 as usize];
    let only = matches!(signature.positional.as_slice(), [_]) && CONVENTIONAL_NAMES.contains(&&*code.name);
    let mut arguments = Vec::new();
    let required = signature.positional.len() - signature.defaults;
    for (place, parameter) in signature.positional.iter().enumerate() {
        match argument_source(world, name(parameter)) {
            Some(supply) => arguments.push(supply),
            None if only && required == 1 => arguments.push(ArgumentSource::Objects),
            None if place >= required => break,
            None => return Err(Box::new(unsupported_parameter(source, world, code, name(parameter)))),
        }
    }
    let mut named = Vec::new();
    for parameter in &signature.keyword_only {
        match argument_source(world, name(parameter)) {
            Some(supply) => named.push((name(parameter).to_owned(), supply)),
            None if signature.keyword_defaults.contains(&parameter.name) => {}
            None => return Err(Box::new(unsupported_parameter(source, world, code, name(parameter)))),
        }
    }
    // Parameters behind an omitted default are passed by keyword.
    for parameter in signature.positional.iter().skip(arguments.len()) {
        if let Some(supply) = argument_source(world, name(parameter)) {
            named.push((name(parameter).to_owned(), supply));
        }
    }
    Ok(Entry { function: code.name.to_string(), arguments, keywords: named })
}

fn argument_source(world: &World, name: &str) -> Option<ArgumentSource> {
    let usual = PARAMETER_SOURCES.iter().find(|(other, _)| *other == name);
    usual.map(|&(_, supply)| supply).or_else(|| class_reference(world, name).map(ArgumentSource::Class))
}

fn unsupported_parameter(source: &SourceFile, world: &World, code: &CodeObject, parameter: &str) -> Diagnostic {
    let span = Span::new(source.id(), code.range.start().to_u32(), code.range.end().to_u32());
    let message = format!("unsupported parameter `{parameter}` of `{}`", code.name);
    let singular: Vec<String> = world.class_names().map(|name| snake_case(name)).collect();
    let plurals: Vec<String> = singular.iter().map(|name| plural(name)).collect();
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

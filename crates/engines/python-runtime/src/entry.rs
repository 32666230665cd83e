//! The function of a program that computes the reward, and the arguments of its parameters.

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

/// Returns the class of a world that a name such as `car` or `cars` denotes.
pub fn class_reference(world: &World, name: &str) -> Option<ClassReference> {
    let mut classes = world.class_names().enumerate();
    classes.find_map(|(class, other)| {
        let singular = singular_name(other);
        let plural = plural_name(&singular) == name;
        (plural || singular == name).then_some(ClassReference { class, is_plural: plural })
    })
}

/// Returns the name of the only object of a class: `enemy_missile` for `EnemyMissile`.
pub fn singular_name(name: &str) -> String {
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

/// Returns the name of all objects of a class by the name of the only one: `enemy_missiles` for `enemy_missile`.
pub fn plural_name(name: &str) -> String {
    let ends = |end: &[&str]| end.iter().any(|end| name.ends_with(end));
    match name.strip_suffix('y') {
        Some(stem) if !ends(&["ay", "ey", "oy", "uy"]) => format!("{stem}ies"),
        _ if ends(&["s", "x", "z", "ch", "sh"]) => format!("{name}es"),
        _ => format!("{name}s"),
    }
}

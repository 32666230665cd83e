//! The rules that every grammar follows, and the removal of its useless parts.

use std::sync::Arc;

use indexmap::IndexMap;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::expression::Expression;
use crate::grammar::{Definition, Grammar, GrammarError, MAX_EXPRESSION_DEPTH, MAX_EXPRESSIONS, MAX_REPETITIONS, ROOT};
use crate::pattern::{Automaton, MAX_STATES, Pattern};

type Definitions = IndexMap<Arc<str>, Definition>;

fn error(definition: &str, message: impl Into<String>) -> GrammarError {
    GrammarError { definition: definition.into(), message: message.into() }
}

/// Checks sizes and names, and returns the definitions that a derivation of the root can use, the root first.
pub(crate) fn usable(definitions: &Definitions) -> Result<Definitions, GrammarError> {
    let mut left = MAX_EXPRESSIONS;
    for (name, definition) in definitions {
        match definition {
            Definition::Rule(body) => check_size(name, body, 0, &mut left, definitions)?,
            Definition::Pattern(pattern) => check_pattern(name, pattern, 0, &mut left)?,
        }
    }
    let productive = productive(definitions);
    if !definitions.contains_key(ROOT) {
        return Err(error(ROOT, "is not defined"));
    }
    if !productive.contains(ROOT) {
        return Err(error(ROOT, "derives no text"));
    }
    let mut pruned: Definitions = Definitions::new();
    let mut pending: Vec<Arc<str>> = vec![ROOT.into()];
    let mut seen: FxHashSet<Arc<str>> = pending.iter().cloned().collect();
    while let Some(name) = pending.pop() {
        let definition = match &definitions[&name] {
            Definition::Rule(body) => Definition::Rule(pruned_body(body, &productive).expect("a productive rule")),
            pattern @ Definition::Pattern(_) => pattern.clone(),
        };
        if let Definition::Rule(body) = &definition {
            for_each_name(body, &mut |used| {
                if seen.insert(used.clone()) {
                    pending.push(used.clone());
                }
            });
        }
        pruned.insert(name, definition);
    }
    pruned.sort_by_key(|name, _| (&**name != ROOT, definitions.get_index_of(name)));
    Ok(pruned)
}

fn check_size(
    rule: &str,
    body: &Expression,
    depth: usize,
    left: &mut usize,
    definitions: &Definitions,
) -> Result<(), GrammarError> {
    count(rule, depth, left)?;
    match body {
        Expression::Literal(text) if text.is_empty() => Err(error(rule, "has an empty literal")),
        Expression::Literal(_) => Ok(()),
        Expression::Name(name) if definitions.contains_key(name) => Ok(()),
        Expression::Name(name) => Err(error(rule, format!("`{name}` is not defined"))),
        Expression::Sequence(parts) | Expression::Choice(parts) => {
            parts.iter().try_for_each(|part| check_size(rule, part, depth + 1, left, definitions))
        }
        Expression::Repeat { part, min, max } => {
            check_bounds(rule, *min, *max)?;
            check_size(rule, part, depth + 1, left, definitions)
        }
    }
}

fn check_pattern(rule: &str, pattern: &Pattern, depth: usize, left: &mut usize) -> Result<(), GrammarError> {
    check_pattern_size(rule, pattern, depth, left)?;
    let Some(automaton) = Automaton::new(pattern) else {
        return Err(error(rule, format!("exceeds the limit of {MAX_STATES} states of a pattern")));
    };
    if automaton.accepts(&automaton.initial()) {
        return Err(error(rule, "matches the empty text"));
    }
    Ok(())
}

fn check_pattern_size(rule: &str, pattern: &Pattern, depth: usize, left: &mut usize) -> Result<(), GrammarError> {
    count(rule, depth, left)?;
    match pattern {
        Pattern::Set(_) | Pattern::Text(_) => Ok(()),
        Pattern::Sequence(parts) | Pattern::Choice(parts) => {
            parts.iter().try_for_each(|part| check_pattern_size(rule, part, depth + 1, left))
        }
        Pattern::Repeat { part, min, max } => {
            check_bounds(rule, *min, *max)?;
            check_pattern_size(rule, part, depth + 1, left)
        }
    }
}

fn count(rule: &str, depth: usize, left: &mut usize) -> Result<(), GrammarError> {
    if depth > MAX_EXPRESSION_DEPTH {
        return Err(error(rule, format!("exceeds the limit of {MAX_EXPRESSION_DEPTH} nested expressions")));
    }
    *left = left
        .checked_sub(1)
        .ok_or_else(|| error(rule, format!("exceeds the limit of {MAX_EXPRESSIONS} expressions")))?;
    Ok(())
}

fn check_bounds(rule: &str, min: u32, max: Option<u32>) -> Result<(), GrammarError> {
    if max.is_some_and(|max| max < min) {
        return Err(error(rule, "has a repetition whose maximum is below its minimum"));
    }
    if max.unwrap_or(min) > MAX_REPETITIONS {
        return Err(error(rule, format!("exceeds the limit of {MAX_REPETITIONS} repetitions")));
    }
    Ok(())
}

/// Returns the definitions that derive a text.
fn productive(definitions: &Definitions) -> FxHashSet<Arc<str>> {
    fixpoint(definitions, |definition, known| match definition {
        Definition::Rule(body) => is_productive(body, known),
        Definition::Pattern(_) => true,
    })
}

/// Returns the least set of definitions that is closed under a monotone property.
fn fixpoint(
    definitions: &Definitions,
    holds: impl Fn(&Definition, &FxHashSet<Arc<str>>) -> bool,
) -> FxHashSet<Arc<str>> {
    let mut users: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
    for (index, definition) in definitions.values().enumerate() {
        if let Definition::Rule(body) = definition {
            for_each_name(body, &mut |used| {
                let position = definitions.get_index_of(used).expect("a defined name");
                users.entry(&definitions.get_index(position).expect("an index").0[..]).or_default().push(index);
            });
        }
    }
    let mut known = FxHashSet::default();
    let mut pending: Vec<usize> = (0..definitions.len()).collect();
    while let Some(index) = pending.pop() {
        let (name, definition) = definitions.get_index(index).expect("an index");
        if !known.contains(name) && holds(definition, &known) {
            known.insert(name.clone());
            pending.extend(users.get(&**name).into_iter().flatten());
        }
    }
    known
}

fn is_productive(body: &Expression, known: &FxHashSet<Arc<str>>) -> bool {
    match body {
        Expression::Literal(_) => true,
        Expression::Name(name) => known.contains(name),
        Expression::Sequence(parts) => parts.iter().all(|part| is_productive(part, known)),
        Expression::Choice(parts) => parts.iter().any(|part| is_productive(part, known)),
        Expression::Repeat { part, min, .. } => *min == 0 || is_productive(part, known),
    }
}

/// Removes alternatives that derive no text. Returns `None` if nothing is left.
fn pruned_body(body: &Expression, productive: &FxHashSet<Arc<str>>) -> Option<Expression> {
    match body {
        Expression::Literal(_) => Some(body.clone()),
        Expression::Name(name) => productive.contains(name).then(|| body.clone()),
        Expression::Sequence(parts) => {
            let parts: Option<Vec<_>> = parts.iter().map(|part| pruned_body(part, productive)).collect();
            parts.map(crate::expression::sequence)
        }
        Expression::Choice(parts) => {
            let parts: Vec<_> = parts.iter().filter_map(|part| pruned_body(part, productive)).collect();
            (!parts.is_empty()).then(|| crate::expression::choice(parts))
        }
        Expression::Repeat { part, min, max } => match pruned_body(part, productive) {
            Some(part) => Some(Expression::Repeat { part: Box::new(part), min: *min, max: *max }),
            None => (*min == 0).then(|| Expression::Sequence(Vec::new())),
        },
    }
}

/// Calls a function for each name in a rule body.
pub(crate) fn for_each_name<'e>(body: &'e Expression, found: &mut impl FnMut(&'e Arc<str>)) {
    match body {
        Expression::Literal(_) => {}
        Expression::Name(name) => found(name),
        Expression::Sequence(parts) | Expression::Choice(parts) => {
            for part in parts {
                for_each_name(part, found);
            }
        }
        Expression::Repeat { part, .. } => for_each_name(part, found),
    }
}

/// Checks the rules of exported grammars.
pub(crate) fn check(grammar: &Grammar) -> Result<(), GrammarError> {
    let definitions: Definitions =
        grammar.definitions().map(|(name, definition)| (name.into(), definition.clone())).collect();
    let nullable = fixpoint(&definitions, |definition, known| match definition {
        Definition::Rule(body) => is_nullable(body, known),
        Definition::Pattern(_) => false,
    });
    let mut leftmost: Vec<Vec<usize>> = Vec::new();
    for (name, definition) in &definitions {
        let valid = name.starts_with(|first: char| first.is_ascii_lowercase())
            && name.chars().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-');
        if !valid || &**name == "start" {
            return Err(error(name, "is no name of a rule: lower-case letters, digits and hyphens, and not `start`"));
        }
        let mut first = Vec::new();
        if let Definition::Rule(body) = definition {
            check_body(name, body, &nullable)?;
            leftmost_names(body, &nullable, &mut |used| first.push(definitions.get_index_of(used).expect("a name")));
        }
        leftmost.push(first);
    }
    if let Some(index) = cycle(&leftmost) {
        return Err(error(definitions.get_index(index).expect("an index").0, "is left recursive"));
    }
    Ok(())
}

fn check_body(rule: &str, body: &Expression, nullable: &FxHashSet<Arc<str>>) -> Result<(), GrammarError> {
    match body {
        Expression::Literal(text) if !is_word(text) => {
            Err(error(rule, format!("the literal {text:?} is not one word")))
        }
        Expression::Literal(_) | Expression::Name(_) => Ok(()),
        Expression::Sequence(parts) | Expression::Choice(parts) => {
            parts.iter().try_for_each(|part| check_body(rule, part, nullable))
        }
        Expression::Repeat { part, max, .. } => {
            if *max != Some(1) && is_nullable(part, nullable) {
                return Err(error(rule, "repeats a part that can be empty"));
            }
            check_body(rule, part, nullable)
        }
    }
}

/// Whether a text is a single word, bracket, operator or run of blanks.
fn is_word(text: &str) -> bool {
    let is_bracket = |letter| "()[]{}".contains(letter);
    let blanks = text.chars().filter(|letter| letter.is_whitespace()).count();
    let count = text.chars().count();
    blanks == count || (blanks == 0 && (count == 1 || !text.contains(is_bracket)))
}

/// Whether an expression derives the empty text.
pub(crate) fn is_nullable(body: &Expression, known: &FxHashSet<Arc<str>>) -> bool {
    match body {
        Expression::Literal(_) => false,
        Expression::Name(name) => known.contains(name),
        Expression::Sequence(parts) => parts.iter().all(|part| is_nullable(part, known)),
        Expression::Choice(parts) => parts.iter().any(|part| is_nullable(part, known)),
        Expression::Repeat { part, min, .. } => *min == 0 || is_nullable(part, known),
    }
}

/// Calls a function for each name with which a derivation can begin.
fn leftmost_names<'e>(body: &'e Expression, nullable: &FxHashSet<Arc<str>>, found: &mut impl FnMut(&'e Arc<str>)) {
    match body {
        Expression::Literal(_) => {}
        Expression::Name(name) => found(name),
        Expression::Choice(parts) => parts.iter().for_each(|part| leftmost_names(part, nullable, found)),
        Expression::Sequence(parts) => {
            for part in parts {
                leftmost_names(part, nullable, found);
                if !is_nullable(part, nullable) {
                    break;
                }
            }
        }
        Expression::Repeat { part, .. } => leftmost_names(part, nullable, found),
    }
}

/// Returns a member of a cycle, if there is one.
fn cycle(edges: &[Vec<usize>]) -> Option<usize> {
    let mut incoming = vec![0_usize; edges.len()];
    edges.iter().flatten().for_each(|&to| incoming[to] += 1);
    let mut pending: Vec<usize> = (0..edges.len()).filter(|&index| incoming[index] == 0).collect();
    let mut left = edges.len();
    while let Some(index) = pending.pop() {
        left -= 1;
        for &to in &edges[index] {
            incoming[to] -= 1;
            if incoming[to] == 0 {
                pending.push(to);
            }
        }
    }
    // Every node that is left has a predecessor that is left, so following them backwards ends in a cycle.
    let mut index = (left > 0).then(|| incoming.iter().position(|&count| count > 0))??;
    for _ in 0..edges.len() {
        index = (0..edges.len()).find(|&from| incoming[from] > 0 && edges[from].contains(&index))?;
    }
    Some(index)
}

//! Games with some values replaced, for parameter sweeps.
//!
//! A variable is written `PATH=CONSTRAINT`: the path of a value in the text and the space that replacements are drawn from, such as
//! `resourceSpace.disease.r0=float.range(1.0,5.0)`. A path is the dot-separated keys from the root to the value, or a JSON pointer
//! (`/resourceSpace/disease/r0`, with `~1` for a slash and `~0` for a tilde); an item of a list is given by its index, from 0.
//! A key may contain dots itself: if several keys match the start of the remaining path, the longest one is used.
//!
//! For a resource, the replaced value is its initial value, as if it were written in the constraint; its declared space stays the same.
//! Any other scalar, except a block scalar, is replaced in the text, which is then parsed again. The template itself is immutable.
//!
//! ```
//! use goalspec_resource::value::Value;
//! use goalspec_rgg::template::GameTemplate;
//!
//! let text = "
//! teams: [red]
//! board: {nodes: [a]}
//! resourceSpace: {a: {capital: 'int.range(3; 0,10)'}}
//! actionSpace: {red: {spend: }}
//! actions:
//!   spend: {cost: {a.capital: -1}, requires: {}}
//! rewards: {red: {Field: a.capital}}
//! completed: {a.capital: {Lte: 0}}
//! ";
//! let mut sources = goalspec_syntax::Sources::new();
//! let (game, capital, typo) = (
//!     sources.add("demo", text),
//!     sources.add("vary 1", "resourceSpace.a.capital=int.range(4,9)"),
//!     sources.add("vary 2", "actions.spnd.cost.a.capital=int.enum(-1,-2)"),
//! );
//! let template = GameTemplate::new(sources.file(game), goalspec_rgg::Dialect::DOCUMENTED, &[]).unwrap();
//! let [capital] = &template.parse_variables(&[sources.file(capital)]).unwrap()[..] else { panic!() };
//! let game = template.with(&[(capital, Value::Int(7))]).unwrap();
//! assert_eq!(game.board.slots().next().unwrap().1.declaration.as_ref().unwrap().initial, Value::Int(7));
//! let found = template.parse_variables(&[sources.file(typo)]).unwrap_err();
//! assert_eq!(found[0].message, "unknown key `spnd` in `actions`");
//! assert_eq!(found[0].help, ["did you mean `spend`?"]);
//! ```

mod path;

use std::collections::HashSet;
use std::fmt::{self, Write};
use std::ops::Range;
use std::sync::Arc;

use goalspec_resource::game::Game;
use goalspec_resource::random::RandomStream;
use goalspec_resource::space::{Declaration, SampleError, Space};
use goalspec_resource::value::{Labels, Value};
use goalspec_syntax::{Diagnostic, Diagnostics, SourceFile, Sources, Span};

use crate::dialect::Dialect;
use crate::fragment::FragmentDiagnostic;
use crate::yaml::{self, Node, QuotingStyle, Tree};
use crate::{codes, constraint, lint, load};
use path::PathTarget;

/// A game with replaceable values.
#[derive(Debug, Clone)]
pub struct GameTemplate {
    name: Arc<str>,
    text: Arc<str>,
    tree: Tree,
    game: Game,
    dialect: Dialect,
    custom: Vec<String>,
}

/// A value of a template to be replaced.
#[derive(Debug, Clone, PartialEq)]
pub struct TemplateVariable {
    /// The path of the value, as written.
    pub path: Arc<str>,
    /// The space that the value is drawn from. Every value that can be drawn from it is a valid replacement.
    pub space: Space,
    place: ReplacementTarget,
}

/// The location of a replaced value.
#[derive(Debug, Clone, PartialEq)]
enum ReplacementTarget {
    /// The initial value of a resource.
    Initial(InitialValueTarget),
    /// A byte range of the text.
    Text(Range<usize>),
}

/// The initial value of a resource.
#[derive(Debug, Clone, PartialEq)]
struct InitialValueTarget {
    node: Arc<str>,
    resource: Arc<str>,
    /// The text of the constraint, and its byte range; `None` if it is not a replaceable scalar.
    constraint: Option<(Arc<str>, Range<usize>)>,
}

impl InitialValueTarget {
    /// Returns the constraint with another initial value, and its byte range; `None` if a constraint cannot express the value.
    fn instantiate(&self, value: &Value) -> Option<(String, Range<usize>)> {
        let (constraint, range) = self.constraint.as_ref()?;
        Some((constraint::with_initial(constraint, value)?, range.clone()))
    }
}

/// The error of a game that is invalid with the replaced values.
#[derive(Debug, Clone)]
pub struct PatchError {
    /// The text with the replaced values.
    pub sources: Sources,
    /// The diagnostics.
    pub diagnostics: Vec<Diagnostic>,
}

impl fmt::Display for PatchError {
    /// Writes the message of the first error.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let error = self.diagnostics.iter().find(|diagnostic| diagnostic.is_error());
        f.write_str(error.map_or("it has errors", |error| &error.message))
    }
}

impl std::error::Error for PatchError {}

impl GameTemplate {
    /// Creates a template from a text, with the arguments of [`load`](fn@load).
    ///
    /// # Errors
    /// Returns all diagnostics if there is an error in the text.
    pub fn new(source: &SourceFile, dialect: Dialect, custom: &[&str]) -> Result<Self, Diagnostics> {
        let loaded = load(source, dialect, custom);
        let Some(game) = loaded.game else { return Err(loaded.diagnostics.into()) };
        Ok(Self {
            name: source.name().into(),
            text: source.text().into(),
            tree: yaml::parse(source).tree,
            game,
            dialect,
            custom: custom.iter().map(|&name| name.to_owned()).collect(),
        })
    }

    /// Returns the game without replacements.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Parses variables, each from a source of its own.
    ///
    /// # Errors
    /// Returns diagnostics if a variable is not of the form `PATH=CONSTRAINT`, if its path leads nowhere or to a value that cannot be
    /// replaced, if its space cannot be sampled, or if another variable replaces the same value.
    pub fn parse_variables(&self, sources: &[&SourceFile]) -> Result<Vec<TemplateVariable>, Diagnostics> {
        let mut variables: Vec<TemplateVariable> = Vec::with_capacity(sources.len());
        let mut found = Vec::new();
        for source in sources {
            match self.variable(source.text()) {
                Ok(variable) if variables.iter().any(|other| other.place == variable.place) => {
                    let message = format!("`{}` has several variables", variable.path);
                    let fault = FragmentDiagnostic::error(codes::VARIABLE_TARGET, 0..variable.path.len(), message);
                    found.push(diagnostic(source, fault));
                }
                Ok(variable) => variables.push(variable),
                Err(faults) => found.extend(faults.into_iter().map(|fault| diagnostic(source, fault))),
            }
        }
        if found.is_empty() { Ok(variables) } else { Err(found.into()) }
    }

    fn variable(&self, text: &str) -> Result<TemplateVariable, Vec<FragmentDiagnostic>> {
        let Some((path, constraint)) = text.split_once('=') else {
            let help = "write the path, `=`, and a constraint: `resourceSpace.a.b=int.range(1,6)`";
            let message = format!("missing constraint in `{text}`");
            return Err(vec![FragmentDiagnostic::error(codes::VARIABLE_FORM, 0..text.len(), message).with_help(help)]);
        };
        let found = path::find(&self.tree, path).map_err(|fault| vec![fault])?;
        let offset = path.len() + 1;
        let space = parse_sampled_space(constraint, self.dialect).map_err(|mut faults| {
            for fault in &mut faults {
                fault.range = fault.range.start + offset..fault.range.end + offset;
            }
            faults
        })?;
        let place = self.place(&found, path, &space).map_err(|fault| vec![fault])?;
        Ok(TemplateVariable { path: path.into(), space, place })
    }

    fn place(
        &self,
        found: &PathTarget<'_>,
        path: &str,
        space: &Space,
    ) -> Result<ReplacementTarget, FragmentDiagnostic> {
        let fault = |message| FragmentDiagnostic::error(codes::VARIABLE_TARGET, 0..path.len(), message);
        let keys: Vec<&str> = found.keys.iter().map(|key| &**key).collect();
        match keys[..] {
            ["resourceSpace", node, resource] => match self.initial(node, resource) {
                Some(initial) if same_kind(&initial, space) => {
                    let scalar = found.node.scalar().map(|scalar| scalar.text.clone());
                    let constraint = scalar.zip(replaceable_range(found.node, path).ok());
                    Ok(ReplacementTarget::Initial(InitialValueTarget {
                        node: node.into(),
                        resource: resource.into(),
                        constraint,
                    }))
                }
                Some(initial) => {
                    Err(fault(format!("the initial value of `{path}` is `{initial}`, which is of another kind")))
                }
                None => Err(fault(format!("`{path}` has no initial value"))),
            },
            ["actionSpace", _, _, _] => {
                let help = "the space of a parameter cannot be varied; a policy chooses the value";
                Err(fault(format!("`{path}` is a parameter of an action, which has no value")).with_help(help))
            }
            _ => replaceable_range(found.node, path).map(ReplacementTarget::Text),
        }
    }

    /// Returns the initial value of a resource.
    fn initial(&self, node: &str, resource: &str) -> Option<Value> {
        let board = &self.game.board;
        let node = board.node_named(node)?;
        if resource == "observable" {
            return Some(Value::Set(Arc::new(board.node(node).observers.clone())));
        }
        let slot = board.slot_of(node, board.resource_named(resource)?)?;
        board.slot(slot).declaration.as_ref().map(|declared| declared.initial.clone())
    }

    /// Returns the game with these values in place.
    ///
    /// # Errors
    /// Returns the diagnostics of the text with these values if it is not a valid game.
    pub fn with(&self, values: &[(&TemplateVariable, Value)]) -> Result<Game, Box<PatchError>> {
        let mut replacements: Vec<(Range<usize>, String)> = values
            .iter()
            .filter_map(|(variable, value)| match &variable.place {
                ReplacementTarget::Text(range) => Some((range.clone(), to_yaml(value))),
                ReplacementTarget::Initial(_) => None,
            })
            .collect();
        let mut game = if replacements.is_empty() {
            self.game.clone()
        } else {
            replacements.sort_by_key(|(range, _)| range.start);
            self.reparse(&replacements)?
        };
        for (variable, value) in values {
            if let ReplacementTarget::Initial(initial) = &variable.place {
                let value = self.effective_initial(variable, initial, value)?;
                set_initial_value(&mut game, &initial.node, &initial.resource, &value);
            }
        }
        Ok(game)
    }

    /// Returns the initial value of a resource whose constraint contains the given value.
    fn effective_initial(
        &self,
        variable: &TemplateVariable,
        initial: &InitialValueTarget,
        value: &Value,
    ) -> Result<Value, Box<PatchError>> {
        let Some((text, _)) = initial.instantiate(value) else { return Ok(value.clone()) };
        let parsed = constraint::parse(&text, self.dialect);
        if let Some(declaration) = parsed.value {
            return Ok(declaration.initial);
        }
        let mut sources = Sources::new();
        let id = sources.add(Arc::clone(&variable.path), text);
        let diagnostics = parsed.diagnostics.into_iter().map(|fault| diagnostic(sources.file(id), fault)).collect();
        Err(Box::new(PatchError { sources, diagnostics }))
    }

    /// Returns the diagnostics of [`lint::check`] that appear only with a variable at one of its extreme values, or at one of all its
    /// values if these are few relative to the length of the text. The extreme values of a normal distribution are three standard
    /// deviations from its mean. Each diagnostic is returned once, with the value that triggered it in its help.
    pub fn check_extremes(&self, variables: &[TemplateVariable]) -> Vec<PatchError> {
        let custom: Vec<&str> = self.custom.iter().map(String::as_str).collect();
        let check = |text: String| {
            let mut sources = Sources::new();
            let id = sources.add(Arc::clone(&self.name), text);
            let diagnostics = lint::check(sources.file(id), self.dialect, &custom).diagnostics;
            PatchError { sources, diagnostics }
        };
        let kind = |found: &Diagnostic| (found.code, found.message.clone());
        let mut known: HashSet<_> = check(self.text.to_string()).diagnostics.iter().map(kind).collect();
        let limit = (MAX_CHECKED_BYTES / self.text.len().max(1)).clamp(2, MAX_CHECKED_VALUES);
        let mut all = Vec::new();
        for variable in variables {
            for value in extreme_values(&variable.space, limit) {
                let replacement = match &variable.place {
                    ReplacementTarget::Text(range) => Some((range.clone(), to_yaml(&value))),
                    ReplacementTarget::Initial(initial) => {
                        initial.instantiate(&value).map(|(text, range)| (range, quoted(&text)))
                    }
                };
                let Some(replacement) = replacement else { continue };
                let mut found = check(self.text_with(&[replacement]));
                found.diagnostics.retain(|found| known.insert(kind(found)));
                for found in &mut found.diagnostics {
                    found.help.push(format!("occurs with `{}` = {value}", variable.path));
                }
                if !found.diagnostics.is_empty() {
                    all.push(found);
                }
            }
        }
        all
    }

    /// Returns the text with replaced pieces, which must be in the order of the text.
    fn text_with(&self, replacements: &[(Range<usize>, String)]) -> String {
        let mut text = String::with_capacity(self.text.len());
        let mut from = 0;
        for (range, replacement) in replacements {
            text.push_str(&self.text[from..range.start]);
            text.push_str(replacement);
            from = range.end;
        }
        text.push_str(&self.text[from..]);
        text
    }

    /// Parses the text with replaced pieces.
    fn reparse(&self, replacements: &[(Range<usize>, String)]) -> Result<Game, Box<PatchError>> {
        let mut sources = Sources::new();
        let id = sources.add(Arc::clone(&self.name), self.text_with(replacements));
        let custom: Vec<&str> = self.custom.iter().map(String::as_str).collect();
        let loaded = load(sources.file(id), self.dialect, &custom);
        loaded.game.ok_or_else(|| Box::new(PatchError { sources, diagnostics: loaded.diagnostics }))
    }
}

/// The maximum number of values of a variable to check.
const MAX_CHECKED_VALUES: usize = 16;

/// The maximum total size in bytes of the texts checked for a variable; at least two are checked regardless.
const MAX_CHECKED_BYTES: usize = 1 << 20;

/// The extent of the checked values of a normal distribution, in standard deviations from its mean: it covers 99.7% of the samples.
const CHECKED_DEVIATIONS: f64 = 3.0;

/// Returns the values to check: all if there are at most `limit`, and otherwise the extremes of the space.
fn extreme_values(space: &Space, limit: usize) -> Vec<Value> {
    if let Some(members) = space.members(limit) {
        return members;
    }
    match space {
        Space::IntRange { min, max } => vec![Value::Int(*min), Value::Int(*max)],
        Space::RealRange { min, max } => vec![Value::Real(*min), Value::Real(max.next_down())],
        Space::Normal { mean, standard_deviation: deviation } => {
            let spread = CHECKED_DEVIATIONS * deviation;
            vec![Value::Real(mean - spread), Value::Real(mean + spread)]
        }
        Space::IntEnum(members) => [members.iter().min(), members.iter().max()]
            .into_iter()
            .flatten()
            .map(|&member| Value::Int(member))
            .collect(),
        Space::RealEnum(members) => {
            let by_size = |one: &&f64, other: &&f64| one.total_cmp(other);
            let ends = [members.iter().min_by(by_size), members.iter().max_by(by_size)];
            ends.into_iter().flatten().map(|&member| Value::Real(member)).collect()
        }
        Space::TextEnum(members) => members.iter().take(limit).cloned().map(Value::Text).collect(),
        Space::Set(labels) => vec![Value::Set(Arc::new(labels.clone()))],
        Space::Bool | Space::FreeText | Space::FreeInt | Space::FreeReal => Vec::new(),
    }
}

/// Sets the initial value of a resource. Keys are never replaced, so the node and the resource exist.
fn set_initial_value(game: &mut Game, node: &str, resource: &str, value: &Value) {
    let board = &mut game.board;
    let Some(id) = board.node_named(node) else { return };
    if resource == "observable" {
        if let Value::Set(labels) = value {
            board.set_observers(id, Labels::clone(labels));
        }
        return;
    }
    let slot = board.resource_named(resource).and_then(|resource| board.slot_of(id, resource));
    if let Some(declared) = slot.and_then(|slot| board.slot(slot).declaration.clone()) {
        board.declare(id, resource, Declaration { initial: value.clone(), ..declared });
    }
}

/// Returns the byte range of a replaceable value.
fn replaceable_range(node: Node<'_>, path: &str) -> Result<Range<usize>, FragmentDiagnostic> {
    let fault = |message| FragmentDiagnostic::error(codes::VARIABLE_TARGET, 0..path.len(), message);
    let Some(scalar) = node.scalar() else {
        let message = format!("expected a single value at `{path}`, found {}", node.kind());
        return Err(fault(message).with_help("extend the path to a value in it"));
    };
    if node.is_null() {
        return Err(fault(format!("missing value at `{path}`")));
    }
    if scalar.style == QuotingStyle::Block {
        let message = format!("`{path}` is a block of several lines, which cannot be varied");
        return Err(fault(message).with_help("write the string on one line, without `|` or `>`"));
    }
    Ok(scalar.span.start as usize..scalar.span.end as usize)
}

/// Parses a constraint and returns its space.
fn parse_sampled_space(constraint: &str, dialect: Dialect) -> Result<Space, Vec<FragmentDiagnostic>> {
    let parsed = constraint::parse(constraint, dialect);
    let Some(Declaration { space, .. }) = parsed.value else { return Err(parsed.diagnostics) };
    let reason = match space.sample(&mut RandomStream::new(0, 0)) {
        Ok(_) => return Ok(space),
        Err(SampleError::Unbounded) => "its space is unbounded",
        Err(SampleError::Empty) => "its range is empty",
    };
    let fault = FragmentDiagnostic::error(
        codes::VARIABLE_SPACE,
        0..constraint.len(),
        format!("`{constraint}` cannot be sampled: {reason}"),
    );
    Err(vec![fault.with_help("use a range, an enumeration, or `float.normal`")])
}

/// Whether the value is of the kind of the space; all numbers are of one kind.
fn same_kind(value: &Value, space: &Space) -> bool {
    match space {
        Space::Bool => matches!(value, Value::Bool(_)),
        Space::FreeText | Space::TextEnum(_) => matches!(value, Value::Text(_)),
        Space::Set(_) => matches!(value, Value::Set(_)),
        Space::FreeInt
        | Space::FreeReal
        | Space::IntRange { .. }
        | Space::RealRange { .. }
        | Space::Normal { .. }
        | Space::IntEnum(_)
        | Space::RealEnum(_) => value.as_f64().is_some(),
    }
}

/// Returns a value as YAML on one line.
fn to_yaml(value: &Value) -> String {
    match value {
        Value::Int(number) => number.to_string(),
        Value::Real(number) if number.is_nan() => ".nan".to_owned(),
        Value::Real(number) if number.is_infinite() => if *number > 0.0 { ".inf" } else { "-.inf" }.to_owned(),
        Value::Real(number) => format!("{number:?}"),
        Value::Bool(truth) => truth.to_string(),
        Value::Text(text) => quoted(text),
        Value::Set(labels) => yaml_sequence(labels.iter().map(|label| quoted(label))),
        Value::List(members) => yaml_sequence(members.iter().map(|member| optional(member.as_ref()))),
        Value::Map(entries) => {
            let entries = entries.iter().map(|(name, value)| format!("{}: {}", quoted(name), optional(value.as_ref())));
            format!("{{{}}}", entries.collect::<Vec<_>>().join(", "))
        }
    }
}

fn optional(value: Option<&Value>) -> String {
    value.map_or_else(|| "null".to_owned(), to_yaml)
}

fn yaml_sequence(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(", "))
}

/// Returns a string in double quotes, the YAML style that can escape every character.
fn quoted(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            _ if character.is_control() || matches!(character, '\u{2028}' | '\u{2029}' | '\u{feff}') => {
                let _ = write!(quoted, "\\U{:08X}", u32::from(character));
            }
            _ => quoted.push(character),
        }
    }
    quoted.push('"');
    quoted
}

fn diagnostic(source: &SourceFile, fault: FragmentDiagnostic) -> Diagnostic {
    let span = Span::new(source.id(), fault.range.start as u32, fault.range.end as u32);
    let found = Diagnostic { span: Some(span), ..Diagnostic::new(fault.code, fault.severity, fault.message) };
    Diagnostic { help: fault.help.into_iter().collect(), ..found }
}

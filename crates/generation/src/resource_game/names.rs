//! The names that a frame declares, with the values that its fields can have.

use std::sync::Arc;

use goalspec_generator::grammar::{Symbol, Tokens};
use goalspec_generator::tree::Tree;
use goalspec_resource::space::{Declaration, Space};
use goalspec_resource::value::Value;
use goalspec_rgg::ast::{Game, SpannedText, Vector};
use rustc_hash::{FxHashMap, FxHashSet};

use super::document::{real_text, scalar_text, value_text};
use super::rules::Rule;

/// Maximum number of values of a field that a literal is chosen from, besides as many that the example compares it with. Of larger spaces,
/// evenly spaced values are used.
const MAX_MEMBERS: i64 = 48;

/// The name of the set of observers of a node.
const OBSERVABLE: &str = "observable";

/// The names that a field may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum NameScope {
    /// `node.resource`.
    State,
    /// The resources of the node under test by a filter of vectors.
    Node,
    /// Besides `node.resource`, the resources of the ends of a vector.
    Vector,
}

/// A set of kinds of values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ValueKinds(u8);

impl ValueKinds {
    /// No kind.
    pub(super) const NONE: Self = Self(0);
    /// Numbers.
    pub(super) const NUMBER: Self = Self(1);
    /// Booleans.
    pub(super) const BOOLEAN: Self = Self(2);
    /// Strings.
    pub(super) const TEXT: Self = Self(4);
    /// Sets of labels.
    pub(super) const SET: Self = Self(8);
    /// Everything but sets.
    pub(super) const SCALARS: Self = Self(7);
    /// All kinds.
    pub(super) const ALL: Self = Self(15);

    /// Returns the kinds that both sets have.
    pub(super) const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Returns the kinds that one of the sets has.
    pub(super) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether the sets have a kind in common.
    pub(super) const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns the kind of a literal, which is a YAML scalar; all kinds for the missing value.
    pub(super) fn of_literal(text: &str) -> Self {
        match text {
            "true" | "false" => Self::BOOLEAN,
            "null" => Self::ALL,
            _ if text.starts_with(['[', '{']) => Self::NONE,
            _ if number(text).is_some() => Self::NUMBER,
            _ => Self::TEXT,
        }
    }
}

/// Returns the number of a literal.
pub(super) fn number(text: &str) -> Option<f64> {
    if text.starts_with(|first: char| first.is_ascii_digit() || matches!(first, '-' | '.')) {
        text.parse().ok()
    } else {
        None
    }
}

/// A field that the frame declares.
#[derive(Debug, Clone)]
pub(super) struct NamedField {
    /// The name in its scope.
    pub(super) name: Symbol,
    /// The kinds of its values.
    pub(super) kinds: ValueKinds,
    /// Values of it, as literals; numbers are in ascending order.
    pub(super) members: Vec<Symbol>,
    /// Its initial values, as literals; of a resource at any node, those at each node.
    pub(super) initials: Vec<Symbol>,
    /// Whether its numbers are integers.
    pub(super) is_whole: bool,
    /// The minimum and maximum of its numbers, if they are declared.
    pub(super) range: Option<[f64; 2]>,
}

/// The initial state of a node.
#[derive(Debug, Clone, Default)]
pub(super) struct NodeState {
    /// The name of the node, as a literal.
    pub(super) name: Option<Symbol>,
    /// The values of its resources, as literals.
    pub(super) values: FxHashMap<Symbol, Symbol>,
    /// The labels of its observers.
    pub(super) observers: Vec<Symbol>,
}

/// Returns the nodes with their initial states.
fn node_states(game: &Game, tokens: &mut Tokens) -> Vec<NodeState> {
    let state = |node: &SpannedText, tokens: &mut Tokens| NodeState {
        name: Some(tokens.intern(&scalar_text(&node.text))),
        ..NodeState::default()
    };
    let mut states: Vec<NodeState> = game.nodes.iter().map(|node| state(node, tokens)).collect();
    let index = node_index(game);
    for space in &game.resources {
        let Some(state) = index.get(&*space.node.text).map(|&node| &mut states[node]) else { continue };
        for declared in &space.resources {
            let Some(declaration) = &declared.declaration else { continue };
            match &declaration.initial {
                Value::Set(labels) if &*declared.name.text == OBSERVABLE => {
                    state.observers = labels.iter().map(|label| tokens.intern(label)).collect();
                }
                initial => {
                    let value = tokens.intern(&value_text(Some(initial)));
                    state.values.insert(tokens.intern(&declared.name.text), value);
                }
            }
        }
    }
    states
}

fn node_index(game: &Game) -> FxHashMap<&str, usize> {
    game.nodes.iter().enumerate().map(|(index, node)| (&*node.text, index)).collect()
}

/// Returns the vectors by the indices of the nodes at their ends.
fn vectors(game: &Game) -> Vec<[usize; 2]> {
    let index = node_index(game);
    let ends = |vector: &Vector| Some([*index.get(&*vector.from.text)?, *index.get(&*vector.to.text)?]);
    game.vectors.iter().filter_map(ends).collect()
}

/// The names of a frame.
#[derive(Debug, Clone)]
pub(super) struct Names {
    /// The teams, without repetitions.
    pub(super) teams: Vec<Symbol>,
    /// The nodes with their initial states.
    pub(super) nodes: Vec<NodeState>,
    /// The vectors, by the indices of the nodes at their ends.
    pub(super) vectors: Vec<[usize; 2]>,
    /// The choices of the example without an action.
    pub(super) undefined: FxHashSet<Symbol>,
    /// The actions of the example that no team can choose.
    pub(super) unavailable: FxHashSet<Symbol>,
    /// The names that have a meaning in the example, even if the frame does not declare them, with the numbers of their uses.
    known: FxHashMap<(NameScope, Symbol), u32>,
    fields: FxHashMap<NameScope, Vec<NamedField>>,
    index: FxHashMap<(NameScope, Symbol), usize>,
    node_index: FxHashMap<Arc<str>, usize>,
    /// The fields of the state of each resource.
    at_nodes: FxHashMap<Arc<str>, Vec<Symbol>>,
}

impl Names {
    /// Returns the names that a game declares. `known` are those that have a meaning in its tree.
    pub(super) fn new(
        (game, tree): (&Game, &Tree),
        known: FxHashMap<(NameScope, Symbol), u32>,
        tokens: &mut Tokens,
    ) -> Self {
        let mut teams: Vec<Symbol> = Vec::new();
        for team in &game.teams {
            let team = tokens.intern(&team.text);
            if !teams.contains(&team) {
                teams.push(team);
            }
        }
        let defined: FxHashSet<Symbol> = game.actions.iter().map(|own| tokens.intern(&own.name.text)).collect();
        let choices = game.action_space.iter().flat_map(|team| &team.choices);
        let chosen: FxHashSet<Symbol> = choices.map(|choice| tokens.intern(&choice.action.text)).collect();
        let mut names = Self {
            teams,
            undefined: chosen.difference(&defined).copied().collect(),
            unavailable: defined.difference(&chosen).copied().collect(),
            nodes: node_states(game, tokens),
            vectors: Vec::new(),
            known,
            fields: FxHashMap::default(),
            index: FxHashMap::default(),
            node_index: game.nodes.iter().enumerate().map(|(index, node)| (node.text.clone(), index)).collect(),
            at_nodes: FxHashMap::default(),
        };
        names.vectors = vectors(game);
        names.add_observers(game, tokens);
        for space in &game.resources {
            for declared in space.resources.iter().filter(|declared| &*declared.name.text != OBSERVABLE) {
                let Some(declaration) = &declared.declaration else { continue };
                let name = &declared.name.text;
                let field = names.add(NameScope::State, &format!("{}.{name}", space.node.text), declaration, tokens);
                names.at_nodes.entry(name.clone()).or_default().push(field);
                names.add(NameScope::Node, name, declaration, tokens);
                for end in ["_source", "_target"] {
                    names.add(NameScope::Vector, &format!("{end}.{name}"), declaration, tokens);
                }
            }
        }
        names.add_tested_values(tree, tokens);
        names
    }

    /// Adds the sets of observers and the name of a node.
    fn add_observers(&mut self, game: &Game, tokens: &mut Tokens) {
        let set = |name| NamedField {
            name,
            kinds: ValueKinds::SET,
            members: Vec::new(),
            initials: Vec::new(),
            is_whole: false,
            range: None,
        };
        for node in &game.nodes {
            let name = tokens.intern(&format!("{}.{OBSERVABLE}", node.text));
            self.insert(NameScope::State, set(name));
        }
        let name = tokens.intern(OBSERVABLE);
        self.insert(NameScope::Node, set(name));
        let members: Vec<Symbol> = game.nodes.iter().map(|node| tokens.intern(&scalar_text(&node.text))).collect();
        let (name, initials) = (tokens.intern("_node"), members.clone());
        self.insert(NameScope::Node, NamedField { kinds: ValueKinds::TEXT, members, initials, ..set(name) });
    }

    fn add(&mut self, scope: NameScope, name: &str, declaration: &Declaration, tokens: &mut Tokens) -> Symbol {
        let name = tokens.intern(name);
        let field = declared(name, declaration, tokens);
        self.insert(scope, field);
        name
    }

    /// Adds a field. A resource that several nodes declare has the values that the first one declares.
    fn insert(&mut self, scope: NameScope, field: NamedField) {
        let fields = self.fields.entry(scope).or_default();
        if let Some(&known) = self.index.get(&(scope, field.name)) {
            fields[known].kinds = fields[known].kinds.or(field.kinds);
            if fields[known].initials.len() < MAX_MEMBERS as usize {
                fields[known].initials.extend(field.initials);
            }
            return;
        }
        self.index.insert((scope, field.name), fields.len());
        fields.push(field);
    }

    /// Adds the values with which the example compares a field to its values.
    fn add_tested_values(&mut self, tree: &Tree, tokens: &Tokens) {
        for entry in 0..tree.len() {
            if Rule::of(tree.symbol(entry)) != Some(Rule::FieldTest) {
                continue;
            }
            let Some(name) = tree.child(entry, 0).map(|child| tree.symbol(child)) else { continue };
            for scope in [NameScope::State, NameScope::Node, NameScope::Vector] {
                let Some(&index) = self.index.get(&(scope, name)) else { continue };
                let Some(field) = self.fields.get_mut(&scope).and_then(|fields| fields.get_mut(index)) else {
                    continue;
                };
                for tested in tree.subtree(entry).iter().skip(2).map(|entry| entry.symbol) {
                    let is_number = tested.is_token() && number(tokens.text(tested)).is_some();
                    let has_room = field.members.len() < 2 * MAX_MEMBERS as usize;
                    let is_fitting = has_room && is_number && field.kinds.meets(ValueKinds::NUMBER);
                    if is_fitting && !field.members.contains(&tested) {
                        field.members.push(tested);
                    }
                }
                let value = |member: &Symbol| number(tokens.text(*member)).unwrap_or_default();
                field.members.sort_by(|one, other| value(one).total_cmp(&value(other)));
            }
        }
    }

    /// Returns the fields that may be chosen in a scope.
    pub(super) fn choices(&self, scope: NameScope) -> impl Iterator<Item = &NamedField> {
        let outer = if scope == NameScope::Vector { self.fields.get(&NameScope::State) } else { None };
        self.fields.get(&scope).into_iter().chain(outer).flatten()
    }

    /// Returns the declaration of a field, if there is one.
    pub(super) fn field(&self, scope: NameScope, name: Symbol) -> Option<&NamedField> {
        let scopes: &[NameScope] = match scope {
            // A resource without a node is one of the target.
            NameScope::Vector => &[NameScope::Vector, NameScope::State, NameScope::Node],
            NameScope::State => &[NameScope::State],
            NameScope::Node => &[NameScope::Node],
        };
        let index = |scope: &NameScope| Some((*scope, *self.index.get(&(*scope, name))?));
        let (scope, index) = scopes.iter().find_map(index)?;
        self.fields.get(&scope)?.get(index)
    }

    /// Returns the fields of the state that a resource has at the nodes.
    pub(super) fn at_nodes(&self, resource: &str) -> &[Symbol] {
        self.at_nodes.get(resource).map_or(&[], |fields| fields)
    }

    /// Returns the initial state of the node of a field.
    pub(super) fn node_of(&self, field: &str) -> Option<&NodeState> {
        let (node, _) = field.rsplit_once('.')?;
        self.nodes.get(*self.node_index.get(node)?)
    }

    /// Whether a name has a meaning in a scope.
    pub(super) fn is_known(&self, scope: NameScope, name: Symbol) -> bool {
        self.uses(scope, name) > 0 || self.field(scope, name).is_some()
    }

    /// Returns the number of uses of a name in the example.
    pub(super) fn uses(&self, scope: NameScope, name: Symbol) -> u32 {
        let count = |scope| self.known.get(&(scope, name)).copied().unwrap_or_default();
        if scope == NameScope::Vector { count(scope) + count(NameScope::State) } else { count(scope) }
    }
}

/// Returns a field with the values of its space.
fn declared(name: Symbol, declaration: &Declaration, tokens: &mut Tokens) -> NamedField {
    let initials = vec![tokens.intern(&value_text(Some(&declaration.initial)))];
    let mut texts = |texts: Vec<String>| -> Vec<Symbol> { texts.iter().map(|text| tokens.intern(text)).collect() };
    let number = |members, is_whole, range| NamedField {
        name,
        kinds: ValueKinds::NUMBER,
        members,
        initials: initials.clone(),
        is_whole,
        range,
    };
    match &declaration.space {
        Space::Bool => {
            let members = texts(vec!["true".to_owned(), "false".to_owned()]);
            NamedField { kinds: ValueKinds::BOOLEAN, ..number(members, false, None) }
        }
        Space::TextEnum(members) => {
            let members = texts(members.iter().map(|member| scalar_text(member)).collect());
            NamedField { kinds: ValueKinds::TEXT, ..number(members, false, None) }
        }
        Space::FreeText => {
            let members = texts(vec![value_text(Some(&declaration.initial))]);
            NamedField { kinds: ValueKinds::TEXT, ..number(members, false, None) }
        }
        Space::Set(_) => NamedField { kinds: ValueKinds::SET, ..number(Vec::new(), false, None) },
        Space::IntRange { min, max } => {
            let members = whole_numbers(i64::from(*min), i64::from(*max));
            number(texts(members), true, Some([f64::from(*min), f64::from(*max)]))
        }
        Space::RealRange { min, max } => number(texts(reals(*min, *max)), false, Some([*min, *max])),
        Space::IntEnum(members) => {
            let mut members = members.clone();
            members.sort_unstable();
            number(texts(members.iter().map(ToString::to_string).collect()), true, None)
        }
        Space::RealEnum(members) => {
            let mut members = members.clone();
            members.sort_by(f64::total_cmp);
            number(texts(members.iter().map(|member| real_text(*member)).collect()), false, None)
        }
        Space::FreeInt => {
            let initial = if let Value::Int(initial) = declaration.initial { i64::from(initial) } else { 0 };
            number(texts(whole_numbers(initial - 10, initial + 10)), true, None)
        }
        Space::FreeReal => {
            let initial = declaration.initial.as_f64().filter(|initial| initial.is_finite()).unwrap_or_default();
            let reach = initial.abs().max(1.0);
            number(texts(reals(initial - reach, initial + reach)), false, None)
        }
        Space::Normal { mean, standard_deviation } => {
            let reach = 2.0 * standard_deviation.abs();
            number(texts(reals(mean - reach, mean + reach)), false, None)
        }
    }
}

/// Returns the integers of a range, or evenly spaced ones if it has too many.
fn whole_numbers(min: i64, max: i64) -> Vec<String> {
    let count = (max - min).clamp(-1, MAX_MEMBERS);
    let member = |step: i64| min + (max - min) * step / count.max(1);
    (0..=count).map(|step| member(step).to_string()).collect()
}

/// Returns evenly spaced real numbers of a range.
fn reals(min: f64, max: f64) -> Vec<String> {
    if !(min.is_finite() && max.is_finite()) || min > max {
        return Vec::new();
    }
    let round = |number: f64| (number * 1e4).round() / 1e4;
    let mut members: Vec<f64> = (0..=20).map(|step| round(min + (max - min) * f64::from(step) / 20.0)).collect();
    members.dedup();
    members.into_iter().map(real_text).collect()
}

//! A resource graph game as a world and its states as states of that world, so that any condition or preference can be evaluated
//! on a play.
//!
//! | game | world |
//! |---|---|
//! | node, team, action | objects of the types `node`, `team`, `action` |
//! | label: a string that a resource can have | object of the type `label`; strings that the game does not mention map to `other` |
//! | Boolean `x` of a node | predicate `(x ?node)` |
//! | number `x` | function `(x ?node)`, and predicate `(has_x ?node)` if the value may be missing, not a number, or not finite |
//! | string or set `x` | predicate `(x ?node ?label)`: equality or membership |
//! | observers of a node | predicate `(seen_by ?node ?team)` |
//! | vector | predicate `(linked ?source ?target)` |
//! | the turn that led to the state | predicates `(took ?team ?action)`, and `(valid)` if the action was valid |
//!
//! A resource with values of several of these kinds uses its plain name for the first and `x_number` or `x_text` for the others.
//! Characters that goal languages do not permit in names become `_`. Of two entities with the same name, the later is prefixed
//! with its type: `team_red`.

use std::sync::Arc;

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use crate::abstraction::ReachableValues;
use crate::board::{NodeId, ResourceId, SlotId};
use crate::compute::Computation;
use crate::game::{ConsequenceEffect, Game, TeamId};
use crate::kinds::KindSet;
use crate::space::Space;
use crate::turn::Move;
use crate::value::{Labels, Value};
use goalspec_core::ids::{FunctionId, ObjectId, PredicateId, TypeId};
use goalspec_core::state::{Delta, FactChange, FluentChange};
use goalspec_core::world::build::WorldError;
use goalspec_core::world::{World, WorldBuilder};

/// A state of a game, independent of the engine that holds it.
pub trait GameState {
    /// Returns the value of a resource.
    fn value(&self, slot: SlotId) -> Option<Value>;

    /// Returns the labels of the observers of a node.
    fn observers(&self, node: NodeId) -> Labels;
}

/// The world of a game, with the mapping from nodes, teams, actions and labels to its objects.
#[derive(Debug, Clone)]
pub struct GameWorld {
    world: Arc<World>,
    nodes: Vec<ObjectId>,
    teams: Vec<ObjectId>,
    actions: FxHashMap<Arc<str>, ObjectId>,
    labels: FxHashMap<Arc<str>, ObjectId>,
    other: ObjectId,
    columns: Vec<Column>,
    seen_by: PredicateId,
    linked: PredicateId,
    took: PredicateId,
    valid: PredicateId,
}

/// The predicates and functions that represent the values of one resource.
#[derive(Debug, Clone, Copy, Default)]
struct Column {
    truth: Option<PredicateId>,
    number: Option<FunctionId>,
    has_number: Option<PredicateId>,
    text: Option<PredicateId>,
}

/// The state of a game most recently converted by [`GameWorld::delta`], the basis of the next delta.
#[derive(Debug, Clone, Default)]
pub struct ReportedState {
    values: Vec<Option<Value>>,
    seen_by: Vec<Labels>,
    took: Option<(TeamId, Arc<str>)>,
    valid: bool,
    states: u64,
}

impl GameWorld {
    /// Creates the world of a game.
    ///
    /// # Errors
    /// If a limit of worlds is exceeded, such as the maximum number of objects.
    pub fn new(game: &Game) -> Result<Self, Vec<WorldError>> {
        let mut naming = WorldNames::new(&game.name);
        let [node, team, action, label] =
            ["node", "team", "action", "label"].map(|name| naming.builder.add_type(name, &[]));
        let nodes = game.board.nodes().map(|(_, own)| naming.object("node", &own.name, node)).collect();
        let teams = game.teams.iter().map(|own| naming.object("team", &own.name, team)).collect();
        let mut actions = FxHashMap::default();
        for choice in game.teams.iter().flat_map(|team| &team.choices) {
            actions.entry(choice.name.clone()).or_insert_with(|| naming.object("action", &choice.name, action));
        }
        let labels =
            labels(game).into_iter().map(|text| (text.clone(), naming.object("label", &text, label))).collect();
        let other = naming.object("label", "other", label);
        let [seen_by, linked, took] = [("seen_by", [node, team]), ("linked", [node, node]), ("took", [team, action])]
            .map(|(name, types)| naming.fact(name, &types));
        let valid = naming.fact("valid", &[]);
        let columns = naming.columns(game, node, label);
        let world = Arc::new(naming.builder.finish()?);
        Ok(Self { world, nodes, teams, actions, labels, other, columns, seen_by, linked, took, valid })
    }

    /// Returns the world.
    pub fn world(&self) -> &Arc<World> {
        &self.world
    }

    /// Returns the changes from the state in `reported` to `state`, and updates `reported`; the first delta contains everything that
    /// holds.
    ///
    /// `turn` is the turn that led to the state: the team, its move, and whether that was valid.
    pub fn delta(
        &self,
        game: &Game,
        state: &impl GameState,
        turn: Option<(TeamId, &Move, bool)>,
        reported: &mut ReportedState,
    ) -> Delta {
        let mut delta = Delta { index: reported.states, clock: reported.states, ..Delta::default() };
        if reported.states == 0 {
            reported.values = vec![None; self.slots(game)];
            reported.seen_by = vec![Labels::default(); self.nodes.len()];
            for (_, vector) in game.board.vectors() {
                let ends = [vector.source, vector.target].map(|node| self.nodes[node.index()]);
                push_fact(&mut delta, self.linked, &ends, true);
            }
        }
        reported.states += 1;
        for (slot, _) in game.board.slots() {
            let value = state.value(slot);
            let before = std::mem::replace(&mut reported.values[slot.index()], value.clone());
            if before != value {
                self.value_changed(game, slot, before.as_ref(), value.as_ref(), &mut delta);
            }
        }
        for (node, _) in game.board.nodes() {
            let labels = state.observers(node);
            let before = std::mem::replace(&mut reported.seen_by[node.index()], labels.clone());
            for (team, object) in game.teams.iter().zip(&self.teams) {
                let [was_observed, observes] = [&before, &labels].map(|labels| labels.contains(&team.name));
                if was_observed != observes {
                    push_fact(&mut delta, self.seen_by, &[self.nodes[node.index()], *object], observes);
                }
            }
        }
        self.turn_changed(game, turn, reported, &mut delta);
        delta
    }

    fn slots(&self, game: &Game) -> usize {
        debug_assert_eq!(game.board.nodes().len(), self.nodes.len(), "the game that the world was made of");
        game.board.slots().len()
    }

    fn value_changed(&self, game: &Game, slot: SlotId, before: Option<&Value>, now: Option<&Value>, delta: &mut Delta) {
        let slot = game.board.slot(slot);
        let node = self.nodes[slot.node.index()];
        let column = self.columns[slot.resource.index()];
        if let Some(truth) = column.truth {
            let [before_value, holds] = [before, now].map(|value| value == Some(&Value::Bool(true)));
            if before_value != holds {
                push_fact(delta, truth, &[node], holds);
            }
        }
        let finite = |value: Option<&Value>| value.and_then(Value::as_f64).filter(|number| number.is_finite());
        if let (Some(function), Some(value)) = (column.number, finite(now)) {
            delta.fluents.push(FluentChange { function, arguments: [node].into_iter().collect(), value });
        }
        if let Some(has) = column.has_number {
            let [was_number, is_number] = [before, now].map(|value| finite(value).is_some());
            if was_number != is_number {
                push_fact(delta, has, &[node], is_number);
            }
        }
        if let Some(text) = column.text {
            let [before_labels, labels] = [before, now].map(|value| self.labels_of(value));
            for label in before_labels.iter().filter(|label| !labels.contains(*label)) {
                push_fact(delta, text, &[node, *label], false);
            }
            for label in labels.iter().filter(|label| !before_labels.contains(*label)) {
                push_fact(delta, text, &[node, *label], true);
            }
        }
    }

    fn labels_of(&self, value: Option<&Value>) -> FxHashSet<ObjectId> {
        let object = |text: &Arc<str>| self.labels.get(text).copied().unwrap_or(self.other);
        match value {
            Some(Value::Text(text)) => FxHashSet::from_iter([object(text)]),
            Some(Value::Set(labels)) => labels.iter().map(object).collect(),
            _ => FxHashSet::default(),
        }
    }

    fn turn_changed(
        &self,
        game: &Game,
        turn: Option<(TeamId, &Move, bool)>,
        reported: &mut ReportedState,
        delta: &mut Delta,
    ) {
        let took = turn.and_then(|(team, chosen, _)| match chosen {
            Move::Pass => None,
            Move::Choose(choice, _) => Some((team, game.teams[team.index()].choices.get(choice.index())?.name.clone())),
        });
        let arguments =
            |(team, action): &(TeamId, Arc<str>)| Some([self.teams[team.index()], *self.actions.get(action)?]);
        if reported.took != took {
            if let Some(arguments) = reported.took.as_ref().and_then(arguments) {
                push_fact(delta, self.took, &arguments, false);
            }
            if let Some(arguments) = took.as_ref().and_then(arguments) {
                push_fact(delta, self.took, &arguments, true);
            }
        }
        let valid = turn.is_some_and(|(.., valid)| valid);
        if reported.valid != valid {
            push_fact(delta, self.valid, &[], valid);
        }
        delta.action = turn.map(|(team, chosen, _)| describe(game, team, chosen));
        reported.took = took;
        reported.valid = valid;
    }
}

fn push_fact(delta: &mut Delta, predicate: PredicateId, arguments: &[ObjectId], holds: bool) {
    delta.facts.push(FactChange { predicate, arguments: arguments.iter().copied().collect(), holds });
}

/// Returns a move in words: `red: scan source=a`.
pub fn describe(game: &Game, team: TeamId, chosen: &Move) -> Arc<str> {
    let team = &game.teams[team.index()];
    let Move::Choose(choice, values) = chosen else { return format!("{}: pass", team.name).into() };
    let Some(choice) = team.choices.get(choice.index()) else { return format!("{}: ?", team.name).into() };
    let parameters =
        choice.parameters.iter().zip(values).map(|(parameter, value)| format!(" {}={value}", parameter.name));
    format!("{}: {}{}", team.name, choice.name, parameters.collect::<String>()).into()
}

/// Returns the strings that the game itself mentions as values of resources.
fn labels(game: &Game) -> Vec<Arc<str>> {
    let mut labels = Labels::default();
    for declaration in game.board.slots().filter_map(|(_, slot)| slot.declaration.as_ref()) {
        match &declaration.space {
            Space::TextEnum(members) => labels.extend(members.iter().cloned()),
            Space::Set(members) => labels.extend(members.iter().cloned()),
            _ => {}
        }
        mention(&mut labels, Some(&declaration.initial));
    }
    for action in &game.actions {
        for (_, value) in &action.cost {
            mention(&mut labels, Some(value));
        }
        for consequence in &action.consequences {
            let (add, put) = match &consequence.outcome {
                ConsequenceEffect::Resources { add, replace: put, .. } => (&add[..], &put[..]),
                ConsequenceEffect::WithVectors { add, .. } => (&add[..], &[][..]),
                ConsequenceEffect::MakeNodeVisible { .. } | ConsequenceEffect::Custom { .. } => (&[][..], &[][..]),
            };
            for (_, compute) in add.iter().chain(put) {
                mention_constants(&mut labels, compute);
            }
        }
    }
    labels.into_iter().collect()
}

fn mention_constants(labels: &mut Labels, compute: &Computation) {
    match compute {
        Computation::Constant(value) => mention(labels, value.as_ref()),
        Computation::Cases(cases) => cases.iter().for_each(|case| mention_constants(labels, &case.value)),
        _ => {}
    }
}

fn mention(labels: &mut Labels, value: Option<&Value>) {
    match value {
        Some(Value::Text(text)) => drop(labels.insert(text.clone())),
        Some(Value::Set(members)) => labels.extend(members.iter().cloned()),
        _ => {}
    }
}

/// A world under construction, with the names in use.
struct WorldNames {
    builder: WorldBuilder,
    objects: FxHashSet<String>,
    callees: FxHashSet<String>,
}

impl WorldNames {
    fn new(name: &str) -> Self {
        Self {
            builder: WorldBuilder::new(sanitized_name(name)),
            objects: FxHashSet::default(),
            callees: FxHashSet::default(),
        }
    }

    fn object(&mut self, sort: &str, name: &str, of: TypeId) -> ObjectId {
        let name = unique_name(&mut self.objects, sort, name);
        let object = self.builder.add_object(name.as_str(), &[of]);
        self.builder.add_program_name(name.as_str(), object);
        object
    }

    fn fact(&mut self, name: &str, types: &[TypeId]) -> PredicateId {
        let name = unique_name(&mut self.callees, "resource", name);
        self.builder.add_fact(name.as_str(), types)
    }

    fn fluent(&mut self, name: &str, types: &[TypeId]) -> FunctionId {
        let name = unique_name(&mut self.callees, "resource", name);
        self.builder.add_fluent(name.as_str(), types)
    }

    /// Creates the predicates and functions of all resources, indexed by resource.
    fn columns(&mut self, game: &Game, node: TypeId, label: TypeId) -> Vec<Column> {
        let mut kinds: IndexMap<ResourceId, KindSet, FxBuildHasher> = IndexMap::default();
        for ((_, slot), own) in game.board.slots().zip(ReachableValues::kinds(game)) {
            *kinds.entry(slot.resource).or_default() |= own;
        }
        kinds.sort_unstable_keys();
        let last = kinds.last().map_or(0, |(resource, _)| resource.index() + 1);
        let mut columns = vec![Column::default(); last];
        for (resource, kinds) in kinds {
            let name: &str = game.board.resource(resource);
            let column = &mut columns[resource.index()];
            let mut plain = true;
            let mut named = |suffix: &str| {
                if std::mem::take(&mut plain) { name.to_owned() } else { format!("{name}_{suffix}") }
            };
            if kinds.intersects(KindSet::BOOL) {
                column.truth = Some(self.fact(&named("truth"), &[node]));
            }
            if kinds.intersects(KindSet::NUMBER) {
                column.number = Some(self.fluent(&named("number"), &[node]));
                if !kinds.is_subset(KindSet::INT) {
                    column.has_number = Some(self.fact(&format!("has_{name}"), &[node]));
                }
            }
            if kinds.intersects(KindSet::TEXT | KindSet::SET) {
                column.text = Some(self.fact(&named("text"), &[node, label]));
            }
        }
        columns
    }
}

/// Returns an unused name: `name` as written, prefixed with its sort, or numbered.
fn unique_name(used: &mut FxHashSet<String>, sort: &str, name: &str) -> String {
    let sanitized = sanitized_name(name);
    let candidates = [sanitized.clone(), format!("{sort}_{sanitized}")].into_iter();
    let numbered = (2_u64..).map(|number| format!("{sort}_{sanitized}_{number}"));
    let mut free = candidates.chain(numbered).filter(|candidate| !used.contains(candidate));
    let name = free.next().unwrap_or(sanitized);
    used.insert(name.clone());
    name
}

/// Replaces the characters that goal languages do not permit in a name by `_`.
fn sanitized_name(name: &str) -> String {
    let foreign = |character: char| {
        character.is_whitespace() || character.is_control() || matches!(character, '(' | ')' | '"' | ';' | '?')
    };
    let sanitized: String = name.chars().map(|character| if foreign(character) { '_' } else { character }).collect();
    if sanitized.is_empty() { "_".to_owned() } else { sanitized }
}

#[cfg(test)]
mod tests {
    use super::super::board::{Board, NodeId, SlotId};
    use super::super::filter::Filter;
    use super::super::game::{Action, ActionId, Choice, ChoiceId, Game, Team, TeamId};
    use super::super::rules::GameRules;
    use super::super::space::{Declaration, Space};
    use super::super::turn::Move;
    use super::super::value::{Labels, Value};
    use super::{GameState, GameWorld, ReportedState};
    use goalspec_core::playback::Playback;
    use goalspec_core::state::ObjectArguments;

    struct Fixed(Vec<Option<Value>>, Labels);

    impl GameState for Fixed {
        fn value(&self, slot: SlotId) -> Option<Value> {
            self.0[slot.index()].clone()
        }

        fn observers(&self, _: NodeId) -> Labels {
            self.1.clone()
        }
    }

    /// One node `red`, named like the team, with `open` (a Boolean), `coins` (an integer) and `color` (blue or green).
    fn game() -> Game {
        let mut board = Board::default();
        let node = board.add_node("red");
        let colors = Space::TextEnum(vec!["blue".into(), "green".into()]);
        board.declare(node, "open", Declaration { space: Space::Bool, initial: Value::Bool(false) });
        board.declare(node, "coins", Declaration { space: Space::FreeInt, initial: Value::Int(3) });
        board.declare(node, "color", Declaration { space: colors, initial: Value::text("blue") });
        let action =
            Action { name: "do it".into(), cost: Vec::new(), requires: Filter::Always, consequences: Vec::new() };
        let choice = Choice { name: action.name.clone(), action: Some(ActionId(0)), parameters: Vec::new() };
        Game {
            name: "coins".into(),
            description: "".into(),
            rules: GameRules::DOCUMENTED,
            board,
            teams: vec![Team { name: "red".into(), choices: vec![choice], reward: None }],
            turns: vec![TeamId(0)],
            actions: vec![action],
            completed: Filter::Never,
            metrics: Vec::new(),
        }
    }

    #[test]
    fn names_are_kept_apart_and_writable() {
        let world = GameWorld::new(&game()).unwrap();
        let names: Vec<&str> = world.world().objects().iter().map(|object| &*object.id).collect();
        assert_eq!(names, ["red", "team_red", "do_it", "blue", "green", "other"]);
    }

    #[test]
    fn states_are_reported_as_differences() {
        let game = game();
        let game_world = GameWorld::new(&game).unwrap();
        let world = game_world.world();
        let fact = |name: &str, arguments: &[&str]| {
            let arguments: ObjectArguments = arguments.iter().map(|name| world.object_named(name).unwrap()).collect();
            (world.predicate_named(name).unwrap(), arguments)
        };
        let mut reported = ReportedState::default();
        let mut playback = Playback::new(world.clone());
        let state = |open, coins, color: &str| {
            Fixed(vec![Some(Value::Bool(open)), Some(Value::Int(coins)), Some(Value::text(color))], Labels::default())
        };
        let first = game_world.delta(&game, &state(false, 3, "blue"), None, &mut reported);
        assert_eq!(first.facts.len(), 1);
        playback.advance(&first);
        let chosen = Move::Choose(ChoiceId(0), Vec::new());
        let turn = Some((TeamId(0), &chosen, true));
        let second = game_world.delta(&game, &state(true, 3, "violet"), turn, &mut reported);
        assert_eq!(second.fluents, []);
        assert_eq!(second.action.as_deref(), Some("red: do it"));
        playback.advance(&second);
        for (name, arguments, holds) in [
            ("open", &["red"][..], true),
            ("color", &["red", "blue"], false),
            ("color", &["red", "other"], true),
            ("took", &["team_red", "do_it"], true),
            ("valid", &[], true),
        ] {
            let (predicate, arguments) = fact(name, arguments);
            assert_eq!(playback.state().fact(predicate, &arguments), holds, "{name}");
        }
        let coins = world.function_named("coins").unwrap();
        let red: ObjectArguments = [world.object_named("red").unwrap()].into_iter().collect();
        assert_eq!(playback.state().fluent(coins, &red), Some(3.0));
        let third = game_world.delta(&game, &state(true, 3, "violet"), None, &mut reported);
        assert_eq!(third.facts.len(), 2, "no turn led here");
    }
}

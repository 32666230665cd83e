//! Evaluation of the rules for static facts.

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use serde_json::Value as Json;
use smallvec::SmallVec;

use super::facts::{FactRule, Property, Quantity, Relation, Role, Step, Term, Test};
use super::recipes::Recipes;
use crate::check::tables::Attachments;
use crate::knowledge::Knowledge;
use crate::knowledge::rules::MachineRole;
use crate::knowledge::taxonomy::{SynsetId, Taxonomy};

/// The maximum number of facts of a task, and of steps to derive them.
pub(super) const MAX_FACTS: usize = 1 << 18;
const MAX_STEPS: usize = 1 << 25;

/// The information about an activity that facts are derived from.
pub(super) struct FactSource<'a> {
    /// The objects except the agent, the additional products and the recipes, with their synsets.
    pub(super) objects: Vec<(&'a str, Option<SynsetId>)>,
    pub(super) knowledge: Option<&'a Knowledge>,
    /// The atoms of the goal, each with the value that may be required.
    pub(super) goal: Vec<(bool, Vec<&'a str>)>,
    /// The atoms of the initial state.
    pub(super) initial: Vec<Vec<&'a str>>,
    /// The objects with each property.
    pub(super) movable: FxHashSet<&'a str>,
    pub(super) usable: FxHashSet<&'a str>,
    pub(super) absent: FxHashSet<&'a str>,
    pub(super) recipes: &'a Recipes,
}

/// The rules derive too many facts, or need too many steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TooManyFacts;

type Row = SmallVec<[u32; 4]>;

/// The rows of a relation, with an index for each column.
#[derive(Debug, Default)]
struct Table {
    rows: IndexSet<Row, FxBuildHasher>,
    columns: Vec<FxHashMap<u32, Vec<u32>>>,
}

impl Table {
    fn insert(&mut self, row: Row) -> bool {
        let place = self.rows.len() as u32;
        if self.columns.len() < row.len() {
            self.columns.resize_with(row.len(), FxHashMap::default);
        }
        for (column, object) in self.columns.iter_mut().zip(&row) {
            if !self.rows.contains(&row) {
                column.entry(*object).or_default().push(place);
            }
        }
        self.rows.insert(row)
    }
}

/// Derives all facts, each as a predicate with its objects.
///
/// # Errors
/// If there are more than [`MAX_FACTS`], or deriving them takes too many steps.
pub(super) fn derive<'a>(strata: &'a [Vec<FactRule>], source: &FactSource<'a>) -> Result<Found<'a>, TooManyFacts> {
    let mut deriver = Deriver { ids: FxHashMap::default(), source, tables: FxHashMap::default(), steps: 0 };
    deriver.ids = source.objects.iter().enumerate().map(|(id, (name, _))| (*name, id as u32)).collect();
    for (test, _) in strata.iter().flatten().flat_map(|rule| &rule.body) {
        if let Test::Holds(relation, _) = test
            && !deriver.tables.contains_key(relation)
        {
            let mut table = Table::default();
            for row in deriver.rows(relation) {
                table.insert(row);
            }
            deriver.tables.insert(relation, table);
        }
    }
    let mut found = Found::default();
    for rules in strata {
        deriver.derive_stratum(rules, &mut found)?;
    }
    Ok(found)
}

/// Derived facts: predicates with their objects.
type Found<'a> = IndexSet<(&'a str, Vec<&'a str>), FxBuildHasher>;

struct Deriver<'s, 'a> {
    ids: FxHashMap<&'a str, u32>,
    source: &'s FactSource<'a>,
    tables: FxHashMap<&'a Relation, Table>,
    steps: usize,
}

impl<'a> Deriver<'_, 'a> {
    /// Evaluates the rules of a stratum up to a fixed point.
    fn derive_stratum(&mut self, rules: &'a [FactRule], found: &mut Found<'a>) -> Result<(), TooManyFacts> {
        let mut changed: Option<FxHashSet<&str>> = None;
        loop {
            let mut next: FxHashSet<&str> = FxHashSet::default();
            for rule in rules {
                let depends = |names: &FxHashSet<&str>| {
                    let mut body = rule.body.iter();
                    body.any(
                        |(test, _)| matches!(test, Test::Holds(Relation::Fact(name), _) if names.contains(&**name)),
                    )
                };
                if changed.as_ref().is_some_and(|names| !depends(names)) && !depends(&next) {
                    continue;
                }
                for row in self.apply(rule)? {
                    let relation = Relation::Fact(rule.predicate.clone());
                    let names = row.iter().map(|id| self.source.objects[*id as usize].0).collect();
                    if found.insert((&rule.predicate, names)) {
                        next.insert(&rule.predicate);
                        if let Some(table) = self.tables.get_mut(&relation) {
                            table.insert(row);
                        }
                    }
                }
                if found.len() > MAX_FACTS {
                    return Err(TooManyFacts);
                }
            }
            if next.is_empty() {
                return Ok(());
            }
            changed = Some(next);
        }
    }

    fn taxonomy(&self) -> Option<&'a Taxonomy> {
        self.source.knowledge.map(Knowledge::taxonomy)
    }

    /// Returns the objects of a synset or one below it.
    fn of(&self, wanted: SynsetId) -> impl Iterator<Item = u32> {
        let taxonomy = self.taxonomy();
        let fits = move |synset: SynsetId| {
            synset == wanted || taxonomy.is_some_and(|taxonomy| taxonomy.is_descendant(synset, wanted))
        };
        let objects = self.source.objects.iter().zip(0..);
        objects.filter(move |((_, synset), _)| synset.is_some_and(fits)).map(|(_, id)| id)
    }

    /// Returns the initial rows of a relation.
    fn rows(&self, relation: &Relation) -> Vec<Row> {
        let all = 0..self.source.objects.len() as u32;
        let single = |id: u32| Row::from_slice(&[id]);
        let row_of = |names: &mut dyn Iterator<Item = &str>| -> Option<Row> {
            names.map(|name| self.ids.get(name).copied()).collect()
        };
        let with = |set: &FxHashSet<&str>| set.iter().filter_map(|name| row_of(&mut std::iter::once(*name))).collect();
        match relation {
            Relation::Fact(_) => Vec::new(),
            Relation::Object => all.map(single).collect(),
            Relation::Ability(ability) => {
                let Some(taxonomy) = self.taxonomy() else { return Vec::new() };
                let Some(ability) = taxonomy.ability(ability) else { return Vec::new() };
                let able =
                    |id: &u32| self.source.objects[*id as usize].1.is_some_and(|it| taxonomy.has_ability(it, ability));
                all.filter(able).map(single).collect()
            }
            Relation::Synset(names) => {
                let synsets = names.iter().filter_map(|name| self.taxonomy()?.synset(name));
                synsets.flat_map(|synset| self.of(synset)).map(single).collect()
            }
            Relation::Parameter(ability, steps) => all.flat_map(|id| self.parameter(id, ability, steps)).collect(),
            Relation::Goal(predicate, value) => {
                let atoms = self.source.goal.iter().filter(|(known, words)| known == value && *words[0] == **predicate);
                atoms.filter_map(|(_, words)| row_of(&mut words[1..].iter().copied())).collect()
            }
            Relation::Initially(predicate) => {
                let atoms = self.source.initial.iter().filter(|words| *words[0] == **predicate);
                atoms.filter_map(|words| row_of(&mut words[1..].iter().copied())).collect()
            }
            Relation::Property(Property::Movable) => with(&self.source.movable),
            Relation::Property(Property::Usable) => with(&self.source.usable),
            Relation::Property(Property::Absent) => with(&self.source.absent),
            Relation::Attaches => self.attachments(),
            Relation::Recipe(kind) => {
                let recipes = self.source.recipes.all.iter().filter(|recipe| recipe.kind == *kind);
                recipes.filter_map(|recipe| row_of(&mut std::iter::once(&*recipe.name))).collect()
            }
            Relation::Role(role) => self.roles(*role),
            Relation::RecipeState(is_input, predicate, value) => {
                let states = self.source.recipes.all.iter().flat_map(|recipe| {
                    let states = if *is_input { &recipe.input_states } else { &recipe.output_states };
                    states.iter().map(move |state| (recipe, state))
                });
                let states = states.filter(|(_, state)| state.predicate == *predicate && state.value == *value);
                let rows = states.filter_map(|(recipe, state)| {
                    row_of(&mut std::iter::once(&*recipe.name).chain(state.objects.iter().map(|name| &**name)))
                });
                rows.collect()
            }
            Relation::Washes { with_agent } => self.washed(*with_agent),
        }
    }

    /// Returns the substances that washing machines remove with one of their cleaning agents, or those that they remove without any.
    fn washed(&self, with_agent: bool) -> Vec<Row> {
        let washed = self.source.knowledge.iter().flat_map(|knowledge| knowledge.rules().washed_substances());
        let washed = washed.filter(|washed| washed.agents.is_empty() != with_agent);
        let rows = washed.flat_map(|washed| {
            self.of(washed.substance).flat_map(move |substance| {
                let agents = washed.agents.iter().flat_map(|agent| self.of(*agent));
                let pairs = agents.map(|agent| Row::from_slice(&[substance, agent])).collect::<Vec<_>>();
                if with_agent { pairs } else { vec![Row::from_slice(&[substance])] }
            })
        });
        rows.collect()
    }

    fn attachments(&self) -> Vec<Row> {
        let Some(knowledge) = self.source.knowledge else { return Vec::new() };
        let (pairs, taxonomy) = (Attachments::of(knowledge.edition()), knowledge.taxonomy());
        let named = || {
            self.source.objects.iter().zip(0..).filter_map(|((_, synset), id)| Some((taxonomy.name((*synset)?), id)))
        };
        let mut rows = Vec::new();
        for (small, one) in named() {
            for (large, other) in named().filter(|(large, _)| pairs.contains(small, large)) {
                let _ = large;
                rows.push(Row::from_slice(&[one, other]));
            }
        }
        rows
    }

    fn roles(&self, role: Role) -> Vec<Row> {
        let mut rows = Vec::new();
        for recipe in &self.source.recipes.all {
            let machines = |wanted: MachineRole| {
                recipe
                    .machines
                    .iter()
                    .filter(move |(role, _)| *role == wanted)
                    .map(|(_, name)| name)
                    .collect::<Vec<_>>()
            };
            let names = match role {
                Role::Input => recipe.inputs.iter().collect(),
                Role::Output => recipe.outputs.iter().collect(),
                Role::FirstOutput => recipe.outputs.iter().take(1).collect(),
                Role::Container => machines(MachineRole::Container),
                Role::HeatSource => machines(MachineRole::HeatSource),
                Role::Machine => machines(MachineRole::Machine),
            };
            let Some(&recipe) = self.ids.get(&*recipe.name) else { continue };
            let known = names.into_iter().filter_map(|name| self.ids.get(&**name));
            rows.extend(known.map(|object| Row::from_slice(&[recipe, *object])));
        }
        rows
    }

    /// Returns the rows of an object in the relation of a parameter.
    fn parameter(&self, id: u32, ability: &str, steps: &[Step]) -> Vec<Row> {
        let parameters = || {
            let taxonomy = self.taxonomy()?;
            taxonomy.parameters(self.source.objects[id as usize].1?, taxonomy.ability(ability)?)
        };
        let Some(parameters) = parameters() else { return Vec::new() };
        let mut rows = Vec::new();
        self.walk(&Json::Object(parameters.clone()), steps, &Row::from_slice(&[id]), &mut rows);
        rows
    }

    /// Follows steps into a value, and adds a row for each way to do so.
    fn walk(&self, value: &Json, steps: &[Step], row: &Row, rows: &mut Vec<Row>) {
        let Some((step, rest)) = steps.split_first() else {
            if !value.is_null() {
                rows.push(row.clone());
            }
            return;
        };
        match (step, value) {
            (Step::Stated, _) => rows.push(row.clone()),
            (Step::Empty, Json::Array(items)) if items.is_empty() => rows.push(row.clone()),
            (Step::Word(word), Json::Object(entries)) => {
                if let Some(value) = entries.get(&**word) {
                    self.walk(value, rest, row, rows);
                }
            }
            (Step::Word(word), value) if is_word(word, value) => rows.push(row.clone()),
            (Step::Synset, Json::Object(entries)) => {
                for (name, value) in entries {
                    for row in self.with_objects(name, row) {
                        self.walk(value, rest, &row, rows);
                    }
                }
            }
            (Step::Synset, Json::String(name)) => rows.extend(self.with_objects(name, row)),
            (Step::Items(items), Json::Array(values)) => {
                for list in values.iter().filter_map(Json::as_array).filter(|list| list.len() == items.len()) {
                    let mut partial = vec![row.clone()];
                    for (step, value) in items.iter().zip(list) {
                        let mut next = Vec::new();
                        for row in &partial {
                            self.walk(value, std::slice::from_ref(step), row, &mut next);
                        }
                        partial = next;
                    }
                    rows.extend(partial);
                }
            }
            _ => {}
        }
    }

    /// Extends a row by each object of a synset.
    fn with_objects(&self, synset: &str, row: &Row) -> Vec<Row> {
        let Some(synset) = self.taxonomy().and_then(|taxonomy| taxonomy.synset(synset)) else { return Vec::new() };
        let extended = self.of(synset).map(|id| {
            let mut row = row.clone();
            row.push(id);
            row
        });
        extended.collect()
    }

    /// Returns the facts that a rule derives from the current ones.
    fn apply(&mut self, rule: &FactRule) -> Result<Vec<Row>, TooManyFacts> {
        let mut rows = Vec::new();
        let mut bindings = vec![None; rule.variables];
        let mut steps = self.steps;
        self.solve(rule, 0, &mut bindings, &mut steps, &mut rows)?;
        self.steps = steps;
        Ok(rows)
    }

    fn value(&self, term: &Term, bindings: &[Option<u32>]) -> Option<u32> {
        match term {
            Term::Variable(variable) => bindings[*variable],
            Term::Object(name) => self.ids.get(&**name).copied(),
        }
    }

    fn solve(
        &self,
        rule: &FactRule,
        at: usize,
        bindings: &mut Vec<Option<u32>>,
        steps: &mut usize,
        rows: &mut Vec<Row>,
    ) -> Result<(), TooManyFacts> {
        *steps += 1;
        if *steps > MAX_STEPS {
            return Err(TooManyFacts);
        }
        let Some((test, value)) = rule.body.get(at) else {
            rows.extend(rule.arguments.iter().map(|term| self.value(term, bindings)).collect::<Option<Row>>());
            return Ok(());
        };
        let (relation, terms) = match test {
            Test::Holds(relation, terms) if *value => (relation, terms),
            test => {
                if self.holds(test, bindings) == *value {
                    self.solve(rule, at + 1, bindings, steps, rows)?;
                }
                return Ok(());
            }
        };
        let table = &self.tables[relation];
        let bound = terms.iter().enumerate().find_map(|(column, term)| Some((column, self.value(term, bindings)?)));
        let places: Vec<u32> = match bound {
            Some((column, object)) => {
                table.columns.get(column).and_then(|column| column.get(&object)).cloned().unwrap_or_default()
            }
            None => (0..table.rows.len() as u32).collect(),
        };
        for place in places {
            *steps += 1;
            let row = &table.rows[place as usize];
            if row.len() != terms.len() {
                continue;
            }
            let mut fresh: SmallVec<[usize; 4]> = SmallVec::new();
            let is_match = terms.iter().zip(row).all(|(term, object)| match term {
                Term::Variable(variable) if bindings[*variable].is_none() => {
                    bindings[*variable] = Some(*object);
                    fresh.push(*variable);
                    true
                }
                term => self.value(term, bindings) == Some(*object),
            });
            if is_match {
                self.solve(rule, at + 1, bindings, steps, rows)?;
            }
            fresh.iter().for_each(|variable| bindings[*variable] = None);
        }
        Ok(())
    }

    /// Whether a condition without free variables holds.
    fn holds(&self, test: &Test, bindings: &[Option<u32>]) -> bool {
        match test {
            Test::Holds(relation, terms) => {
                let row: Option<Row> = terms.iter().map(|term| self.value(term, bindings)).collect();
                row.is_some_and(|row| self.tables[relation].rows.contains(&row))
            }
            Test::Different(one, other) => self.value(one, bindings) != self.value(other, bindings),
            Test::Below(less, more) => {
                let quantities = self.quantity(less, bindings).zip(self.quantity(more, bindings));
                quantities.is_some_and(|(less, more)| less < more)
            }
        }
    }

    fn quantity(&self, quantity: &Quantity, bindings: &[Option<u32>]) -> Option<f64> {
        match quantity {
            Quantity::Number(number) => Some(*number),
            Quantity::Parameter(term, ability, parameter) => {
                let (taxonomy, object) = (self.taxonomy()?, self.value(term, bindings)?);
                let synset = self.source.objects[object as usize].1?;
                taxonomy.parameters(synset, taxonomy.ability(ability)?)?.get(&**parameter)?.as_f64()
            }
        }
    }
}

/// Whether a value is written as a word. 1 is also `true`, and 0 also `false`.
fn is_word(word: &str, value: &Json) -> bool {
    match value {
        Json::String(text) => text == word,
        Json::Bool(value) => word == if *value { "true" } else { "false" },
        Json::Number(number) => match (word, number.as_f64()) {
            ("true", number) => number == Some(1.0),
            ("false", number) => number == Some(0.0),
            (word, number) => word.parse().ok() == number,
        },
        _ => false,
    }
}

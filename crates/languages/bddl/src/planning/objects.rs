//! The properties of the objects of an activity that an action model uses: whether they can be moved, their abilities, their
//! admissible placements, and their initial state.
//!
//! Placements are restricted to those that occur in the goal or the initial state, those that are needed to cook, freeze, soak
//! or wash an object, and floors, because the number of pairs of objects determines the size of a planning task.

mod initial_facts;

use std::sync::Arc;

use indexmap::{IndexMap, IndexSet};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use serde_json::Value as Json;

use super::derive::{self, FactSource, TooManyFacts};
use super::model::{Model, PLACED_IN, RuleSelection, UsableParts};
use super::nesting::{Nesting, Support, Supports};
use super::placements::Placements;
use super::recipes::Recipes;
use super::restriction;
use crate::ast::{DeclarationKind, Domain, Problem};
use crate::ground::{AtomId, GroundGoal};
use crate::knowledge::Knowledge;
use crate::knowledge::taxonomy::{SynsetId, Taxonomy};
use crate::resolve::{INROOM, WILDCARD};

/// The category of the agent.
pub(crate) const AGENT: &str = "agent.n.01";

/// The category of floors, on which every object can be placed.
const FLOOR: &str = "floor.n.01";

/// Predicates for objects that are held by other means than by standing on another one, besides those of the model's
/// predicates.
pub(super) const HANGS: [&str; 3] = ["overlaid", "draped", "attached"];

/// The prefix of the model's facts about admissible placements.
pub(super) const GOES: &str = "goes-";

/// LIBERO's fixtures with drawers or doors, according to its simulator, and the suffixes of regions on top of them, which have
/// neither.
const ARTICULATED: [&str; 5] = ["wooden_cabinet", "white_cabinet", "short_cabinet", "short_fridge", "slide_cabinet"];
const TOPS: [&str; 2] = ["top_side", "cook_region"];

/// The reason why an action model does not move an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ImmovableReason {
    /// The object is the agent.
    Agent,
    /// The object belongs to the room or the scene.
    Fixed,
    /// The object is a substance, which cannot be grasped.
    Substance,
    /// The object does not exist initially.
    Absent,
    /// The object is a wildcard for unnamed objects of the scene.
    Wildcard,
    /// The object is in or on an object that does not exist initially or is a wildcard.
    OnAbsent,
    /// The object is held by someone.
    Fastened,
    /// The object is in two places at once, or in or on itself.
    Contradictory,
}

impl ImmovableReason {
    /// Returns the reason as a predicate phrase, for a message that starts with the object.
    pub fn reason(self) -> &'static str {
        match self {
            Self::Agent => "is the agent, whose placement the action model does not change",
            Self::Fixed => "is fixed in the scene, and the action model does not move it",
            Self::Substance => "is a substance, for which the action model has no actions",
            Self::Absent => "does not exist in the initial state, and no recipe makes it from objects of the activity",
            Self::Wildcard => "is a wildcard for objects of the scene: specify the scene with --scene",
            Self::OnAbsent => "is in or on an object that does not exist in the initial state or is a wildcard",
            Self::Fastened => "is held in the initial state, and the action model cannot release it",
            Self::Contradictory => "has two placements in the initial state, or is in or on itself",
        }
    }
}

/// The admissible placements of objects in and on others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PlacementScope {
    /// The placements that occur in the goal or the initial state, those that are needed to cook, freeze, soak or wash an
    /// object, and floors. This keeps tasks small.
    #[default]
    Named,
    /// Every movable object on every fixed object and every support, and in every container and every fixed object that can be
    /// opened.
    All,
}

/// A fact of a private predicate of the model.
pub(crate) type Fact<'a> = (&'a str, Vec<&'a str>);

/// An atom as a list of words: the predicate, then the arguments.
pub(super) type AtomWords<'a> = Vec<&'a str>;

/// An object of an activity.
#[derive(Debug, Clone, Copy)]
pub(super) struct TaskObject<'a> {
    synset: Option<SynsetId>,
    category: &'a str,
    kind: DeclarationKind<'a>,
    /// The reason why the object is not moved; `None` if it is movable.
    pub(super) immovable: Option<ImmovableReason>,
}

/// The objects of an activity, with the properties that the action model uses.
pub(crate) struct TaskObjects<'a> {
    pub(super) all: IndexMap<&'a str, TaskObject<'a>, FxBuildHasher>,
    pub(super) model: &'a Model,
    taxonomy: Option<&'a Taxonomy>,
    /// The initial facts, in source order.
    pub(super) initial: IndexSet<AtomWords<'a>, FxBuildHasher>,
    /// The atoms of the goal, by their ids.
    pub(super) goal: Vec<AtomWords<'a>>,
    nesting: Nesting<'a>,
    /// The objects that do not exist initially.
    absent: FxHashSet<&'a str>,
    /// The unary atoms of the goal and the initial state: predicate and object.
    unary_atoms: FxHashSet<[&'a str; 2]>,
    /// The floors, on which objects can be placed by default.
    pub(super) floors: IndexSet<&'a str, FxBuildHasher>,
    /// Whether placement on floors has its own predicate `onfloor`.
    pub(super) has_onfloor: bool,
    /// The static facts that the rules of the model derive.
    derived: IndexSet<Fact<'a>, FxBuildHasher>,
    pub(super) recipes: &'a Recipes,
    placements: Placements<'a>,
}

impl<'a> TaskObjects<'a> {
    pub(crate) fn new(
        problem: &'a Problem,
        domain: Option<&Domain>,
        goal: &'a GroundGoal,
        knowledge: Option<&'a Knowledge>,
        recipes: &'a Recipes,
        places: PlacementScope,
    ) -> Result<Self, TooManyFacts> {
        let model = Model::of(problem, knowledge);
        let knowledge = knowledge.filter(|_| model.has_abilities);
        let taxonomy = knowledge.map(Knowledge::taxonomy);
        let polarities = [true, false].map(|wanted| {
            let mut found = FxHashSet::default();
            goal.conjuncts.iter().for_each(|node| restriction::negative(node, !wanted, &mut found));
            found
        });
        let goal = goal.atoms.iter().map(|atom| {
            let arguments = atom.arguments.iter().map(|name| &**name);
            std::iter::once(&*atom.predicate).chain(arguments).collect()
        });
        let mut objects = Self {
            all: task_objects(problem, taxonomy, recipes),
            model,
            taxonomy,
            initial: initial_atoms(problem),
            goal: goal.collect(),
            nesting: Nesting::default(),
            unary_atoms: FxHashSet::default(),
            floors: IndexSet::default(),
            has_onfloor: false,
            absent: FxHashSet::default(),
            derived: IndexSet::default(),
            recipes,
            placements: Placements::default(),
        };
        objects.unary_atoms = objects.atoms().filter(|atom| atom.len() == 2).map(|atom| [atom[0], atom[1]]).collect();
        objects.find_floors(domain);
        objects.find_supports();
        objects.find_immovable();
        objects.derived = derive::derive(&model.facts, &objects.fact_source(knowledge, &polarities))?;
        objects.placements = Placements::new(&objects, places);
        Ok(objects)
    }

    /// Returns the information that the rules for static facts are evaluated over. `polarities` are the atoms of the goal that may
    /// have to become true, and those that may have to become false.
    fn fact_source(&self, knowledge: Option<&'a Knowledge>, polarities: &[FxHashSet<AtomId>; 2]) -> FactSource<'a> {
        let named = self.names().map(|name| (name, self.all[name].synset));
        let recipes = self.recipes.all.iter().map(|recipe| (&*recipe.name, None));
        let goal = self.goal.iter().zip(0..).flat_map(|(words, id)| {
            let values = [true, false].into_iter().zip(polarities);
            let values = values.filter(move |(_, atoms)| atoms.contains(&AtomId(id)));
            values.map(|(value, _)| (value, words.clone()))
        });
        FactSource {
            objects: named.chain(recipes).collect(),
            knowledge,
            goal: goal.collect(),
            initial: self.initial.iter().cloned().collect(),
            movable: self.names().filter(|name| self.is_movable(name)).collect(),
            usable: self.names().filter(|name| self.can_be_acted_on(name)).collect(),
            absent: self.absent.clone(),
            recipes: self.recipes,
        }
    }

    /// Returns the static facts that the rules of the model derive.
    pub(super) fn derived(&self) -> impl Iterator<Item = &Fact<'a>> {
        self.derived.iter()
    }

    /// Whether an object does not exist initially.
    pub(super) fn is_absent(&self, object: &str) -> bool {
        self.absent.contains(object)
    }

    /// Returns the parts of the model that matter in the task.
    pub(crate) fn usable_parts(&self) -> UsableParts<'a> {
        let mut known: FxHashSet<&str> = self.initial.iter().map(|words| words[0]).collect();
        if known.contains(self.model.inside) {
            known.insert(PLACED_IN);
        }
        known.extend(self.facts().iter().map(|(predicate, _)| *predicate));
        self.model.usable_parts(known)
    }

    fn atoms(&self) -> impl Iterator<Item = &AtomWords<'a>> {
        self.initial.iter().chain(&self.goal)
    }

    fn is_known(&self, name: &str) -> bool {
        self.all.contains_key(name)
    }

    fn find_floors(&mut self, domain: Option<&Domain>) {
        let declares = |domain: &Domain| domain.predicates.iter().any(|known| &*known.name.text == "onfloor");
        let named: IndexSet<&str, FxBuildHasher> =
            self.atoms().filter(|atom| atom.len() == 3 && atom[0] == "onfloor").map(|atom| atom[2]).collect();
        self.has_onfloor = !named.is_empty() || domain.is_some_and(declares);
        let supports_of_agents = self.initial.iter().filter(|atom| atom.len() == 3 && atom[0] == "ontop");
        let supports_of_agents = supports_of_agents.filter(|atom| self.is_agent(atom[1])).map(|atom| atom[2]);
        let floors = named.into_iter().chain(self.of(FLOOR)).chain(supports_of_agents);
        self.floors = floors.filter(|floor| self.is_known(floor) && !self.is_agent(floor)).collect();
    }

    fn find_supports(&mut self) {
        let Model { on, inside, .. } = *self.model;
        let mut supports = Supports::default();
        for atom in &self.initial {
            let &[predicate, object, support] = &atom[..] else { continue };
            let is_inside = predicate == inside;
            if (is_inside || predicate == on || predicate == "onfloor" || HANGS.contains(&predicate))
                && self.all.contains_key(support)
                && object != support
            {
                supports.entry(object).or_default().push(Support { by: support, is_inside });
            }
        }
        let parts: Vec<_> = self.all.keys().filter_map(|object| Some((*object, self.part_of(object)?))).collect();
        self.nesting = Nesting::new(supports, &parts);
    }

    fn find_immovable(&mut self) {
        let mut fixed: FxHashSet<&str> = self.floors.iter().copied().collect();
        let mut absent: FxHashSet<&str> = self.recipes.products.iter().map(|(name, _)| &**name).collect();
        let mut fastened = FxHashSet::default();
        for atom in &self.initial {
            match atom[..] {
                [INROOM, object, _] => drop(fixed.insert(object)),
                ["future", object] => drop(absent.insert(object)),
                ["grasped", _, object] => drop(fastened.insert(object)),
                _ => {}
            }
        }
        let is_wildcard = |name: &&str| name.ends_with(WILDCARD);
        let carried = self.with_contents(
            self.all.keys().copied().filter(|name| absent.contains(name) || is_wildcard(name)).collect(),
        );
        let reasons: Vec<Option<ImmovableReason>> = self
            .all
            .iter()
            .map(|(name, object)| match object.kind {
                _ if object.category == AGENT => Some(ImmovableReason::Agent),
                _ if absent.contains(name) && !self.recipes.make(name) => Some(ImmovableReason::Absent),
                _ if is_wildcard(name) => Some(ImmovableReason::Wildcard),
                _ if carried.contains(name) && !absent.contains(name) => Some(ImmovableReason::OnAbsent),
                DeclarationKind::Fixture | DeclarationKind::Region { .. } => Some(ImmovableReason::Fixed),
                _ if fixed.contains(name) => Some(ImmovableReason::Fixed),
                _ if self.able(name, "substance") => Some(ImmovableReason::Substance),
                _ if fastened.contains(name) => Some(ImmovableReason::Fastened),
                _ if self.nesting.is_contradictory(name) => Some(ImmovableReason::Contradictory),
                DeclarationKind::Instance => None,
            })
            .collect();
        for (object, reason) in self.all.values_mut().zip(reasons) {
            object.immovable = reason;
        }
        self.absent = absent;
    }

    /// Returns the given objects, with all that are in or on them initially, or part of them, at any depth.
    fn with_contents(&self, mut open: Vec<&'a str>) -> FxHashSet<&'a str> {
        let mut carried: FxHashSet<&str> = open.iter().copied().collect();
        if open.is_empty() {
            return carried;
        }
        let mut inward: FxHashMap<&str, Vec<&str>> = FxHashMap::default();
        let parts = self.all.keys().filter_map(|object| Some((*object, self.part_of(object)?)));
        for (object, support) in self.nesting.all().map(|(object, support)| (object, support.by)).chain(parts) {
            inward.entry(support).or_default().push(object);
        }
        while let Some(support) = open.pop() {
            open.extend(inward.get(support).into_iter().flatten().filter(|object| carried.insert(object)));
        }
        carried
    }

    /// Returns the supports and containers of an object in the initial state, without implied containers.
    pub(super) fn supports(&self, object: &str) -> &[Support<'a>] {
        self.nesting.supports(object)
    }

    /// Returns the object that a region belongs to.
    pub(super) fn part_of(&self, object: &str) -> Option<&'a str> {
        match self.all.get(object)?.kind {
            DeclarationKind::Region { target: Some(target) } if self.is_known(&target.text) => Some(&target.text),
            _ => None,
        }
    }

    fn is_agent(&self, object: &str) -> bool {
        self.all.get(object).is_some_and(|object| object.category == AGENT)
    }

    /// Returns the reason why an object is not moved; `None` for movable and unknown objects.
    pub(crate) fn immovable(&self, object: &str) -> Option<ImmovableReason> {
        self.all.get(object)?.immovable
    }

    /// Whether an object can be carried.
    pub(super) fn is_movable(&self, object: &str) -> bool {
        self.all.get(object).is_some_and(|object| object.immovable.is_none())
    }

    /// Whether an object exists and can be acted on.
    pub(super) fn can_be_acted_on(&self, object: &str) -> bool {
        self.all.get(object).is_some_and(|object| {
            use ImmovableReason::{Absent, Agent, OnAbsent, Substance, Wildcard};
            !matches!(object.immovable, Some(Agent | Absent | Wildcard | OnAbsent | Substance))
        })
    }

    /// Returns the names of all objects except agents.
    pub(super) fn names(&self) -> impl Iterator<Item = &'a str> {
        self.all.iter().filter(|(_, object)| object.category != AGENT).map(|(name, _)| *name)
    }

    /// Whether an object has an ability.
    pub(super) fn able(&self, object: &str, ability: &str) -> bool {
        if !self.model.has_abilities {
            return self.able_in_scene(object, ability);
        }
        let synset = self.all.get(object).and_then(|object| object.synset);
        let known = self.taxonomy.zip(synset);
        known.is_some_and(|(taxonomy, synset)| {
            taxonomy.ability(ability).is_some_and(|ability| taxonomy.has_ability(synset, ability))
        })
    }

    /// Whether an object of LIBERO has an ability, judged by its unary atoms or its category.
    fn able_in_scene(&self, object: &str, ability: &str) -> bool {
        let is_mentioned =
            |words: [&'static str; 2]| words.into_iter().any(|word| self.unary_atoms.contains(&[word, object]));
        match ability {
            "openable" => is_mentioned(["open", "close"]) || self.is_drawer(object),
            "toggleable" => is_mentioned(["turnon", "turnoff"]),
            _ => false,
        }
    }

    /// Whether a region is a drawer or a compartment with its own door.
    fn is_drawer(&self, object: &str) -> bool {
        let Some(target) = self.part_of(object) else { return false };
        let is_top = TOPS.iter().any(|top| object.ends_with(top));
        self.all.get(target).is_some_and(|target| ARTICULATED.contains(&target.category)) && !is_top
    }

    /// Returns the object that must be opened to access a container; `None` if it is always accessible.
    pub(super) fn door_of(&self, container: &'a str) -> Option<&'a str> {
        if self.able(container, "openable") {
            return Some(container);
        }
        let is_top = TOPS.iter().any(|top| container.ends_with(top));
        self.part_of(container).filter(|target| !is_top && self.able(target, "openable"))
    }

    /// Returns the objects of a category or one below it.
    pub(super) fn of(&self, category: &str) -> Vec<&'a str> {
        let Some((taxonomy, above)) = self.taxonomy.and_then(|taxonomy| Some((taxonomy, taxonomy.synset(category)?)))
        else {
            return Vec::new();
        };
        let below = |synset: SynsetId| synset == above || taxonomy.is_descendant(synset, above);
        self.all.iter().filter(|(_, object)| object.synset.is_some_and(below)).map(|(name, _)| *name).collect()
    }

    /// Returns the synset of an object.
    pub(super) fn synset_name(&self, object: &str) -> Option<&'a str> {
        Some(self.taxonomy?.name(self.all.get(object)?.synset?))
    }

    /// Returns the tools that remove a substance, each by its synset, with the alternative conditions under which they do.
    pub(super) fn removers(&self, substance: &str) -> impl Iterator<Item = (Arc<str>, &'a Vec<Json>)> {
        let ability = self.taxonomy.and_then(|taxonomy| taxonomy.ability("particleRemover"));
        let is_able = |of: &str| {
            let taxonomy = self.taxonomy?;
            Some(taxonomy.has_ability(taxonomy.synset(substance)?, taxonomy.ability(of)?))
        };
        let default = match () {
            () if is_able("visualSubstance") == Some(true) => "default_visual_conditions",
            () if is_able("liquid") == Some(true) => "default_fluid_conditions",
            () => "default_non_fluid_conditions",
        };
        self.all.values().filter_map(move |object| {
            let (taxonomy, synset) = (self.taxonomy?, object.synset?);
            let parameters = taxonomy.parameters(synset, ability?)?;
            let listed = parameters.get("conditions").and_then(|all| all.get(substance));
            let conditions = listed.or_else(|| parameters.get(default))?.as_array()?;
            Some((taxonomy.name(synset).clone(), conditions))
        })
    }

    /// Returns the properties of the task that determine the rules that it needs.
    pub(crate) fn rule_needs(&self) -> RuleSelection {
        self.placements.needs(self)
    }

    /// Returns the object that keeps the value of a goal atom constant, and the reason why it is not moved; `None` if the atom
    /// may change.
    pub(crate) fn constant_reason(&self, words: &[&'a str], initial: bool) -> Option<(&'a str, ImmovableReason)> {
        let Model { on, inside, .. } = *self.model;
        let reason = |object: &'a str| Some((object, self.immovable(object)?));
        match *words {
            [predicate, object, other]
                if [on, inside, "onfloor"].contains(&predicate) || HANGS.contains(&predicate) =>
            {
                reason(object)
                    .filter(|_| !self.placements.is_carried(object))
                    .or_else(|| reason(other).filter(|(_, reason)| *reason != ImmovableReason::Fixed))
            }
            ["nextto" | "touching", object, other] => reason(object).and_then(|_| reason(other)).or_else(|| {
                [object, other]
                    .into_iter()
                    .find_map(|one| reason(one).filter(|(_, reason)| *reason != ImmovableReason::Fixed))
            }),
            ["under", object, other] => {
                let ends = initial && self.is_movable(other);
                reason(object).filter(|_| !ends)
            }
            ["cooked" | "frozen" | "soaked", object] => reason(object),
            [_, object] => {
                let unaffected = [ImmovableReason::Fixed, ImmovableReason::Substance];
                reason(object).filter(|(_, reason)| !unaffected.contains(reason))
            }
            _ => None,
        }
    }

    /// Returns the known objects among the given ones, with their supports and containers in the initial state, at any depth.
    pub(super) fn with_supports(&self, mut open: Vec<&'a str>) -> IndexSet<&'a str, FxBuildHasher> {
        let mut all: IndexSet<&str, FxBuildHasher> = IndexSet::default();
        while let Some(object) = open.pop() {
            if self.is_known(object) && all.insert(object) {
                open.extend(self.supports(object).iter().map(|support| support.by).chain(self.part_of(object)));
            }
        }
        all
    }

    /// Whether there is no place to put down any carried object.
    pub(super) fn has_no_place(&self) -> bool {
        let fixed = |object: &&str| self.immovable(object) == Some(ImmovableReason::Fixed);
        self.floors.is_empty() && self.names().all(|object| !fixed(&object))
    }

    /// Whether the model leaves out admissible placements.
    pub(super) fn leaves_out_places(&self) -> bool {
        !self.placements.has_all_places
    }

    /// Returns the atoms of the goal, by their ids.
    pub(super) fn goal_atoms(&self) -> &[AtomWords<'a>] {
        &self.goal
    }
}

/// Returns the declared objects of an activity and the products of its recipes.
fn task_objects<'a>(
    problem: &'a Problem,
    taxonomy: Option<&'a Taxonomy>,
    recipes: &'a Recipes,
) -> IndexMap<&'a str, TaskObject<'a>, FxBuildHasher> {
    let mut all: IndexMap<&str, TaskObject<'_>, FxBuildHasher> = IndexMap::default();
    for declaration in problem.declarations() {
        all.entry(&*declaration.name.text).or_insert_with(|| TaskObject {
            synset: taxonomy.and_then(|taxonomy| taxonomy.synset(declaration.category)),
            category: declaration.category,
            kind: declaration.kind,
            immovable: None,
        });
    }
    for (name, synset) in &recipes.products {
        let category = taxonomy.map_or("", |taxonomy| &**taxonomy.name(*synset));
        let kind = DeclarationKind::Instance;
        all.insert(name, TaskObject { synset: Some(*synset), category, kind, immovable: None });
    }
    all
}

/// Returns the atoms of the initial state, in source order.
fn initial_atoms(problem: &Problem) -> IndexSet<AtomWords<'_>, FxBuildHasher> {
    let mut initial: IndexSet<AtomWords<'_>, FxBuildHasher> = IndexSet::default();
    for literal in &problem.init {
        let arguments = literal.atom.arguments.iter().map(|name| &*name.text);
        let atom: AtomWords<'_> = std::iter::once(&*literal.atom.predicate.text).chain(arguments).collect();
        if literal.positive {
            initial.insert(atom);
        } else {
            initial.shift_remove(&atom);
        }
    }
    initial
}

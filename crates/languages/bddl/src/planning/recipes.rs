//! Recipes: the transition rules of a knowledge base that may contribute to the goal of an activity, applied to its objects.
//!
//! A rule contributes if it makes an object or substance that the goal needs and the initial state lacks, or an input of such a
//! rule, and if all its inputs and machines are available or can be made. Each choice of inputs and outputs is one recipe.
//! Intermediate products that the activity does not declare become additional objects.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::restriction::MissingProduct;
use crate::ast::Problem;
use crate::ground::GroundGoal;
use crate::knowledge::rules::{MachineAvailability, MachineRole, ReachableSynsets, RuleState, TransitionRule};
use crate::knowledge::taxonomy::{SynsetId, Taxonomy};
use crate::knowledge::{AGENT, Knowledge};

/// The maximum number of recipes that are derived from one rule.
const MAX_PER_RULE: usize = 64;

/// The maximum number of objects that a rule makes in one application, as far as a task represents them.
const MAX_OUTPUTS: usize = 12;

/// The predicates by which a substance is available in the initial state.
const SUPPLIES: [&str; 5] = ["insource", "filled", "contains", "covered", "saturated"];

/// A state of objects that a recipe requires or produces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RecipeState {
    pub(super) predicate: Arc<str>,
    pub(super) value: bool,
    pub(super) objects: Vec<Arc<str>>,
}

/// A transition rule with its objects.
#[derive(Debug, Clone)]
pub(super) struct Recipe {
    pub(super) name: Arc<str>,
    pub(super) kind: Arc<str>,
    pub(super) inputs: Vec<Arc<str>>,
    pub(super) outputs: Vec<Arc<str>>,
    /// The machines, heat sources and containers. Each object of a fitting synset is one.
    pub(super) machines: Vec<(MachineRole, Arc<str>)>,
    pub(super) input_states: Vec<RecipeState>,
    pub(super) output_states: Vec<RecipeState>,
}

/// The recipes of an activity, with the objects that only they mention.
#[derive(Debug, Clone, Default)]
pub(crate) struct Recipes {
    pub(super) all: Vec<Recipe>,
    /// The intermediate products that the activity does not declare, with their synsets.
    pub(super) products: Vec<(Arc<str>, SynsetId)>,
    /// The products that the goal needs and that no recipe makes.
    pub(super) missing: Vec<MissingProduct>,
    /// Whether a rule has more recipes than are considered.
    pub(super) is_truncated: bool,
}

impl Recipes {
    /// Derives the recipes of an activity.
    pub(crate) fn new(problem: &Problem, goal: &GroundGoal, knowledge: Option<&Knowledge>) -> Self {
        let Some(knowledge) = knowledge.filter(|knowledge| !knowledge.rules().all().is_empty()) else {
            return Self::default();
        };
        let mut kitchen = Kitchen::new(problem, goal, knowledge);
        let rules = kitchen.relevant_rules();
        kitchen.make_products(&rules);
        for rule in rules {
            kitchen.instantiate(rule);
        }
        kitchen.found
    }

    /// Returns the names of all additional objects: intermediate products and the recipes themselves.
    pub(crate) fn names(&self) -> impl Iterator<Item = &Arc<str>> {
        self.products.iter().map(|(name, _)| name).chain(self.all.iter().map(|recipe| &recipe.name))
    }

    /// Whether a recipe makes an object.
    pub(super) fn make(&self, object: &str) -> bool {
        self.all.iter().any(|recipe| recipe.outputs.iter().any(|output| **output == *object))
    }
}

/// The objects of an activity, by synset.
struct Kitchen<'a> {
    knowledge: &'a Knowledge,
    taxonomy: &'a Taxonomy,
    objects: Vec<(Arc<str>, SynsetId)>,
    names: FxHashSet<Arc<str>>,
    absent: FxHashSet<&'a str>,
    /// The substances that are available in the initial state.
    supplied: FxHashSet<&'a str>,
    reached: ReachableSynsets,
    needed: Vec<SynsetId>,
    found: Recipes,
}

impl<'a> Kitchen<'a> {
    fn new(problem: &'a Problem, goal: &GroundGoal, knowledge: &'a Knowledge) -> Self {
        let taxonomy = knowledge.taxonomy();
        let declared = problem.declarations().filter(|declaration| declaration.category != AGENT);
        let objects: Vec<(Arc<str>, SynsetId)> = declared
            .filter_map(|declaration| Some((declaration.name.text.clone(), taxonomy.synset(declaration.category)?)))
            .collect();
        let positive = || problem.init.iter().filter(|literal| literal.positive).map(|literal| &literal.atom);
        let absent: FxHashSet<&str> = positive()
            .filter(|atom| &*atom.predicate.text == "future")
            .filter_map(|atom| Some(&*atom.arguments.first()?.text))
            .collect();
        let supplied = positive()
            .filter(|atom| SUPPLIES.contains(&&*atom.predicate.text))
            .filter_map(|atom| Some(&*atom.arguments.get(1)?.text))
            .collect();
        let start = objects.iter().filter(|(name, _)| !absent.contains(&**name)).map(|(_, synset)| *synset);
        let reached = knowledge.rules().reachable(taxonomy, start, MachineAvailability::Required);
        let mut kitchen = Self {
            knowledge,
            taxonomy,
            names: problem.declarations().map(|declaration| declaration.name.text.clone()).collect(),
            objects,
            absent,
            supplied,
            reached,
            needed: Vec::new(),
            found: Recipes::default(),
        };
        let in_goal: FxHashSet<&str> =
            goal.atoms.iter().flat_map(|atom| atom.arguments.iter().map(|name| &**name)).collect();
        let wanted = kitchen.objects.iter().filter(|(name, _)| in_goal.contains(&**name) && !kitchen.is_there(name));
        kitchen.needed = wanted.map(|(_, synset)| *synset).collect();
        kitchen
    }

    fn is_substance(&self, synset: SynsetId) -> bool {
        self.taxonomy.ability("substance").is_some_and(|ability| self.taxonomy.has_ability(synset, ability))
    }

    /// Whether an object exists initially, or a substance is available.
    fn is_there(&self, name: &str) -> bool {
        let synset = self.objects.iter().find(|(known, _)| **known == *name).map(|(_, synset)| *synset);
        !self.absent.contains(name) && (self.supplied.contains(name) || !synset.is_some_and(|it| self.is_substance(it)))
    }

    fn fits(&self, synset: SynsetId, wanted: SynsetId) -> bool {
        synset == wanted || self.taxonomy.is_descendant(synset, wanted)
    }

    /// Returns the objects of a synset.
    fn of(&self, wanted: SynsetId) -> Vec<Arc<str>> {
        let fitting = self.objects.iter().filter(|(_, synset)| self.fits(*synset, wanted));
        fitting.map(|(name, _)| name.clone()).collect()
    }

    /// Returns the feasible rules that contribute to the goal, those of inputs after those that use them.
    fn relevant_rules(&mut self) -> Vec<&'a TransitionRule> {
        let mut seen: FxHashSet<SynsetId> = FxHashSet::default();
        let mut selected: Vec<&TransitionRule> = Vec::new();
        let mut chosen: FxHashSet<*const TransitionRule> = FxHashSet::default();
        let mut open = std::mem::take(&mut self.needed);
        open.reverse();
        let direct: FxHashSet<SynsetId> = open.iter().copied().collect();
        while let Some(synset) = open.pop() {
            if !seen.insert(synset) {
                continue;
            }
            let mut rules: Vec<&TransitionRule> =
                self.knowledge.rules().with_output(synset).filter(|rule| !washes(rule)).collect();
            let all = rules.clone();
            rules.retain(|rule| self.missing_of(rule).is_empty());
            if rules.is_empty() && direct.contains(&synset) {
                let product = self.taxonomy.name(synset).clone();
                let needs = all.first().map(|rule| {
                    (
                        rule.name.clone(),
                        self.missing_of(rule).iter().map(|it| self.taxonomy.name(*it).clone()).collect(),
                    )
                });
                self.found.missing.push(MissingProduct { product, recipe: needs });
            }
            for rule in rules {
                if !chosen.insert(rule) {
                    continue;
                }
                selected.push(rule);
                let lacking =
                    rule.inputs.iter().filter(|input| !self.of(**input).iter().any(|name| self.is_there(name)));
                open.extend(lacking);
            }
        }
        selected
    }

    /// Returns the inputs and machines of a rule that are neither available nor made by other rules.
    fn missing_of(&self, rule: &TransitionRule) -> Vec<SynsetId> {
        let needs = rule.inputs.iter().chain(&rule.machines);
        needs.filter(|synset| !self.reached.contains(**synset)).copied().collect()
    }

    /// Adds an object for each output that the activity does not declare, as many as one application or another rule needs.
    fn make_products(&mut self, rules: &[&TransitionRule]) {
        let mut used: FxHashMap<SynsetId, u32> = FxHashMap::default();
        for rule in rules {
            for (input, count) in rule.inputs.iter().zip(&rule.input_counts) {
                let most = used.entry(*input).or_default();
                *most = (*most).max(*count);
            }
        }
        for rule in rules {
            for (output, count) in rule.outputs.iter().zip(&rule.output_counts) {
                if !self.of(*output).is_empty() {
                    continue;
                }
                let count = if self.is_substance(*output) {
                    1
                } else {
                    (used.get(output).copied().unwrap_or(1).max(*count) as usize).min(MAX_OUTPUTS)
                };
                for _ in 0..count {
                    let name = self.fresh(&format!("{}_1", self.taxonomy.name(*output)), '_');
                    self.objects.push((name.clone(), *output));
                    self.found.products.push((name, *output));
                }
            }
        }
    }

    /// Returns a new name. A number at the end is increased until the name is new.
    fn fresh(&mut self, preferred: &str, separator: char) -> Arc<str> {
        let (stem, mut number) = match preferred.rsplit_once(separator).map(|(stem, end)| (stem, end.parse::<usize>()))
        {
            Some((stem, Ok(number))) => (stem, number),
            _ => (preferred, 1),
        };
        let mut name: Arc<str> = preferred.into();
        while !self.names.insert(name.clone()) {
            number += 1;
            name = format!("{stem}{separator}{number}").into();
        }
        name
    }

    /// Adds the recipes of a rule: one for each choice of inputs and outputs.
    fn instantiate(&mut self, rule: &TransitionRule) {
        let choices = match self.input_choices(rule) {
            Ok(choices) => choices,
            Err((input, count)) => {
                let input = format!("{} ({count})", self.taxonomy.name(input));
                let product = rule.outputs.first().map(|output| self.taxonomy.name(*output).clone());
                let recipe = Some((rule.name.clone(), vec![input.into()]));
                self.found.missing.extend(product.map(|product| MissingProduct { product, recipe }));
                return;
            }
        };
        let blocks = self.output_blocks(rule);
        let are_paired = blocks.len() > 1 && blocks.len() == choices.len();
        let all = choices.iter().enumerate().flat_map(|(place, choice)| {
            let blocks = blocks.iter().enumerate().filter(move |(block, _)| !are_paired || *block == place);
            blocks.map(move |(_, outputs)| (choice, outputs))
        });
        let all: Vec<_> = all.collect();
        self.found.is_truncated |= all.len() > MAX_PER_RULE;
        let stem: String = rule.name.to_lowercase().split_whitespace().collect::<Vec<_>>().join("-");
        for (choice, outputs) in all.into_iter().take(MAX_PER_RULE) {
            let machines = rule.machines.iter().zip(&rule.machine_roles);
            let machines =
                machines.flat_map(|(synset, role)| self.of(*synset).into_iter().map(move |name| (*role, name)));
            let recipe = Recipe {
                kind: rule.kind.clone(),
                inputs: choice.iter().flat_map(|(_, names)| names.iter().cloned()).collect(),
                outputs: outputs.iter().flat_map(|(_, names)| names.iter().cloned()).collect(),
                machines: machines.collect(),
                input_states: states(&rule.input_states, choice),
                output_states: states(&rule.output_states, outputs),
                name: stem.as_str().into(),
            };
            let name = self.fresh(&stem, '_');
            self.found.all.push(Recipe { name, ..recipe });
        }
    }

    /// Returns the choices of objects for the inputs of a rule.
    ///
    /// # Errors
    /// The first input of which there are too few objects, with the number that the rule needs.
    fn input_choices(&mut self, rule: &TransitionRule) -> Result<Vec<Chosen>, (SynsetId, usize)> {
        let mut choices: Vec<Chosen> = vec![Vec::new()];
        for (input, count) in rule.inputs.iter().zip(&rule.input_counts) {
            let mut candidates = self.of(*input);
            candidates.retain(|name| self.is_there(name) || self.is_made(name));
            let count = if self.is_substance(*input) { 1 } else { *count as usize };
            let subsets = subsets(&candidates, count);
            if subsets.is_empty() {
                return Err((*input, count));
            }
            self.found.is_truncated |= choices.len() * subsets.len() > MAX_PER_RULE;
            let extended = choices.iter().flat_map(|choice| {
                subsets.iter().map(|names| {
                    let mut choice = choice.clone();
                    choice.push((*input, names.clone()));
                    choice
                })
            });
            choices = extended.take(MAX_PER_RULE).collect();
        }
        Ok(choices)
    }

    /// Whether an object is a product of some rule, or a substance that is declared and absent.
    fn is_made(&self, name: &str) -> bool {
        let synset = self.objects.iter().find(|(known, _)| **known == *name).map(|(_, synset)| *synset);
        synset.is_some_and(|synset| self.reached.can_make(synset))
    }

    /// Returns the choices of objects for the outputs of a rule: consecutive objects that do not exist initially.
    fn output_blocks(&self, rule: &TransitionRule) -> Vec<Chosen> {
        let mut blocks: Vec<Chosen> = vec![Vec::new()];
        for (output, count) in rule.outputs.iter().zip(&rule.output_counts) {
            let mut candidates: Vec<Arc<str>> =
                (self.objects.iter()).filter(|(_, synset)| synset == output).map(|(name, _)| name.clone()).collect();
            let is_substance = self.is_substance(*output);
            candidates.retain(|name| {
                is_substance || !self.is_there(name) || self.found.products.iter().any(|it| it.0 == *name)
            });
            let count = if is_substance { 1 } else { (*count).max(1) as usize };
            let chunks: Vec<&[Arc<str>]> = candidates.chunks(count).collect();
            let extended = blocks.iter().flat_map(|block| {
                chunks.iter().map(|names| {
                    let mut block = block.clone();
                    block.push((*output, names.to_vec()));
                    block
                })
            });
            blocks = extended.take(MAX_PER_RULE).collect();
        }
        blocks
    }
}

/// The objects that are chosen for each synset of a rule.
type Chosen = Vec<(SynsetId, Vec<Arc<str>>)>;

/// Whether a rule changes an object instead of making one.
fn washes(rule: &TransitionRule) -> bool {
    rule.inputs.iter().any(|input| rule.outputs.contains(input))
}

/// Returns the states of a rule for chosen objects. The objects of a relation are paired in order.
fn states(states: &[RuleState], chosen: &Chosen) -> Vec<RecipeState> {
    let of = |synset: &SynsetId| chosen.iter().find(|(known, _)| known == synset).map(|(_, names)| &names[..]);
    let mut found = Vec::new();
    for state in states {
        let Some(objects) = state.synsets.iter().map(of).collect::<Option<Vec<_>>>() else { continue };
        let most = objects.iter().map(|names| names.len()).max().unwrap_or_default();
        if objects.iter().any(|names| names.is_empty()) {
            continue;
        }
        found.extend((0..most).map(|place| RecipeState {
            predicate: state.predicate.clone(),
            value: state.value,
            objects: objects.iter().map(|names| names[place % names.len()].clone()).collect(),
        }));
    }
    found
}

/// Returns the subsets of a size in lexicographic order, at most [`MAX_PER_RULE`] of them.
fn subsets(names: &[Arc<str>], size: usize) -> Vec<Vec<Arc<str>>> {
    if size == 0 || size > names.len() {
        return Vec::new();
    }
    let mut places: Vec<usize> = (0..size).collect();
    let mut found = Vec::new();
    while found.len() < MAX_PER_RULE {
        found.push(places.iter().map(|&place| names[place].clone()).collect());
        let Some(last) = (0..size).rev().find(|&at| places[at] < names.len() - size + at) else { break };
        places[last] += 1;
        for at in last + 1..size {
            places[at] = places[at - 1] + 1;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subsets_are_listed_once() {
        let names: Vec<Arc<str>> = ["a", "b", "c"].into_iter().map(Arc::from).collect();
        let list = |size| subsets(&names, size).iter().map(|subset| subset.join("")).collect::<Vec<_>>();
        assert_eq!(
            (list(1), list(2), list(3)),
            (
                vec!["a".into(), "b".into(), "c".into()],
                vec!["ab".into(), "ac".into(), "bc".into()],
                vec!["abc".to_owned()]
            )
        );
        assert!(list(0).is_empty() && list(4).is_empty());
    }
}

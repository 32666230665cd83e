//! The action models as parsed from PDDL.

use std::sync::{Arc, LazyLock};

use goalspec_syntax::{Diagnostic, SourceFile, Sources};
use indexmap::IndexSet;
use rustc_hash::FxHashSet;

use super::changes::{self, FormName, Parts, removed_names};
use crate::ast::{ActionModel, Atom, Effect, Expr, ExprKind, Literal, Problem};
use crate::knowledge::Knowledge;
use crate::planning::facts::{self, FactRule};

/// The model's predicate for direct placement in a container. The activity's own predicate for containment is transitive.
pub(crate) const PLACED_IN: &str = "placed-in";

/// The model's predicate for being on an object, directly or on top of other objects.
const OVER: &str = "over";

/// The model's predicates for moving along with an object, and for standing on an object at any depth.
const ABOARD: &str = "aboard";
const RESTS: &str = "rests";

/// The properties of a task that determine the rules of the model that it needs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RuleSelection {
    /// Whether a support or container may itself be in or on another one.
    pub(crate) is_stacked: bool,
    /// Whether an object that may hold others is carried.
    pub(crate) has_carriers: bool,
    /// Whether objects are placed next to, under or against one another.
    pub(crate) has_arranged: bool,
}

/// The parts of a model that matter in a task.
#[derive(Debug)]
pub(crate) struct UsableParts<'m> {
    /// The names of the actions that may be applicable.
    pub(crate) actions: FxHashSet<&'m str>,
    /// The predicates that may hold in some state.
    pub(crate) predicates: FxHashSet<String>,
}

/// An action model, and its names for the predicates that it shares with activities.
#[derive(Debug, Clone)]
pub(crate) struct Model {
    /// The predicates that the model shares with activities, with their arities.
    pub(crate) shared: Vec<(String, usize)>,
    /// The predicate for an object on another one.
    pub(super) on: &'static str,
    /// The predicate for an object in another one.
    pub(crate) inside: &'static str,
    /// The shared predicates for which the model has every action that changes them.
    pub(super) covered: &'static [&'static str],
    /// Whether the abilities of objects are taken from a taxonomy.
    pub(crate) has_abilities: bool,
    /// The parsed actions and rules.
    pub(super) written: ActionModel,
    /// The private predicates of the model, with their arities.
    pub(crate) private: IndexSet<(String, usize)>,
    /// The rules for static facts.
    pub(super) facts: Vec<Vec<FactRule>>,
    /// The source text of each action and rule, including the comment before it, with its name.
    forms: Vec<(FormName, String)>,
}

/// Changes to the actions with which `goalspec plan` plans for household activities, such as those of another robot: further
/// actions, rules and facts, and `(:without NAME ..)` for those that are left out.
#[derive(Debug, Clone)]
pub struct HouseholdActions(Arc<Model>);

impl HouseholdActions {
    /// Reads changes to the built-in actions. Actions and rules replace those of the same name; facts are added to those of the
    /// same name.
    ///
    /// # Errors
    /// The diagnostics, if any is an error.
    pub fn read(source: &SourceFile) -> Result<Self, Vec<Diagnostic>> {
        let known = &*HOUSEHOLD_MODEL;
        let builtin = Parts { written: known.written.clone(), facts: known.facts.concat(), forms: known.forms.clone() };
        let (own, mut diagnostics) = Parts::read(source, &builtin);
        let removed = removed_names(source, &builtin, &mut diagnostics);
        let shared = changes::shared_predicates(known, &own, &mut diagnostics);
        let merged = builtin.changed_by(own, &removed);
        if let Err(error) = facts::strata(merged.facts.clone()) {
            diagnostics.push(*error);
        }
        if diagnostics.iter().any(Diagnostic::is_error) {
            return Err(diagnostics);
        }
        let model = Model::of_parts(merged, shared);
        // With other actions, no predicate is known to have every action that changes it.
        Ok(Self(Arc::new(Model { on: known.on, inside: known.inside, has_abilities: true, ..model })))
    }
}

const HOUSEHOLD: [(&str, usize); 28] = [
    ("ontop", 2),
    ("inside", 2),
    ("onfloor", 2),
    ("under", 2),
    ("nextto", 2),
    ("touching", 2),
    ("open", 1),
    ("toggled_on", 1),
    ("sliced", 1),
    ("cooked", 1),
    ("frozen", 1),
    ("soaked", 1),
    ("dusty", 1),
    ("stained", 1),
    ("covered", 2),
    ("contains", 2),
    ("filled", 2),
    ("saturated", 2),
    ("real", 1),
    ("future", 1),
    ("attached", 2),
    ("overlaid", 2),
    ("draped", 2),
    ("folded", 1),
    ("unfolded", 1),
    ("hot", 1),
    ("on_fire", 1),
    ("broken", 1),
];

const LIBERO: [(&str, usize); 6] = [("on", 2), ("in", 2), ("open", 1), ("close", 1), ("turnon", 1), ("turnoff", 1)];

/// `nextto`, `under` and `touching` are not covered, because `(:init ..)` does not state these relations for all objects.
/// Nor are predicates of substances, recipes and attachments, since the model leaves out ways to move and remove substances.
const COVERED: [&str; 13] = [
    "ontop",
    "inside",
    "onfloor",
    "open",
    "toggled_on",
    "sliced",
    "cooked",
    "frozen",
    "soaked",
    "dusty",
    "stained",
    "folded",
    "unfolded",
];

static HOUSEHOLD_MODEL: LazyLock<Model> = LazyLock::new(|| Model {
    on: "ontop",
    inside: "inside",
    covered: &COVERED,
    has_abilities: true,
    ..Model::read(include_str!("household.pddl"), &HOUSEHOLD)
});

static LIBERO_MODEL: LazyLock<Model> = LazyLock::new(|| Model {
    on: "on",
    inside: "in",
    covered: &["on", "in", "open", "close", "turnon", "turnoff"],
    has_abilities: false,
    ..Model::read(include_str!("libero.pddl"), &LIBERO)
});

impl Model {
    /// Returns the model for a problem: LIBERO's, or that of the knowledge base.
    pub(crate) fn of<'m>(problem: &Problem, knowledge: Option<&'m Knowledge>) -> &'m Self {
        if problem.libero.is_some() {
            return &LIBERO_MODEL;
        }
        knowledge.and_then(Knowledge::actions).map_or(&HOUSEHOLD_MODEL, |actions| &actions.0)
    }

    fn read(text: &str, shared: &[(&str, usize)]) -> Self {
        let mut sources = Sources::new();
        let id = sources.add("model", text);
        let (parts, _) = Parts::read(sources.file(id), &Parts::default());
        let shared = shared.iter().map(|(name, arity)| ((*name).to_owned(), *arity)).collect();
        Self::of_parts(parts, shared)
    }

    fn of_parts(parts: Parts, shared: Vec<(String, usize)>) -> Self {
        let Parts { written, facts, forms } = parts;
        let mut private = used_predicates(&written);
        private.retain(|known| !shared.contains(known));
        let facts = facts::strata(facts).unwrap_or_default();
        Self { shared, on: "", inside: "", covered: &[], has_abilities: false, written, private, facts, forms }
    }

    /// Returns the text of the actions and rules, indented by two columns, without those that the task does not need. `name` maps
    /// the name of a predicate to the one in the text.
    pub(crate) fn text(
        &self,
        condition: RuleSelection,
        usable: &FxHashSet<&str>,
        name: &dyn Fn(&str) -> String,
    ) -> String {
        let is_needed = |form: &FormName| match form {
            FormName::Action(action) => usable.contains(action.as_str()),
            FormName::Rule(predicate) => !self.is_left_out(predicate, condition),
        };
        let mut text = String::new();
        for line in self.forms.iter().filter(|(form, _)| is_needed(form)).flat_map(|(_, form)| form.lines()) {
            if !line.is_empty() {
                text.push_str("  ");
                text.push_str(&renamed(line, name));
                text.push('\n');
            }
        }
        text
    }

    /// Whether a task does not need the rule for a predicate.
    pub(super) fn is_left_out(&self, head: &str, condition: RuleSelection) -> bool {
        match head {
            ABOARD => !condition.has_carriers,
            RESTS => !condition.has_arranged,
            head => !condition.is_stacked && (head == self.inside || head == OVER),
        }
    }

    /// Returns the actions whose preconditions may hold in a task with initial facts of these predicates: every conjunct has a
    /// predicate of these, a derived one, or one that such an action adds.
    pub(crate) fn usable_parts(&self, initial: FxHashSet<&str>) -> UsableParts<'_> {
        let mut known: FxHashSet<String> = initial.into_iter().map(str::to_owned).collect();
        known.extend(self.written.rules.iter().map(|rule| rule.predicate.text.to_string()));
        let mut usable = FxHashSet::default();
        loop {
            let before = usable.len();
            for action in &self.written.actions {
                if usable.contains(&*action.name.text) || !action.precondition.iter().all(|part| may_hold(part, &known))
                {
                    continue;
                }
                usable.insert(&*action.name.text);
                action.effect.iter().for_each(|effect| {
                    added_atoms(effect, &mut |atom| {
                        known.insert(atom.predicate.text.to_string());
                    });
                });
            }
            if usable.len() == before {
                return UsableParts { actions: usable, predicates: known };
            }
        }
    }

    /// Returns the predicates that actions and rules may make true, and those that they may make false, with their arities.
    pub(super) fn changed_predicates(&self) -> [FxHashSet<(&str, usize)>; 2] {
        let derived = self.written.rules.iter().map(|rule| (&*rule.predicate.text, rule.parameters.len()));
        let mut added: FxHashSet<(&str, usize)> = derived.collect();
        let mut deleted = added.clone();
        for effect in self.written.actions.iter().filter_map(|action| action.effect.as_ref()) {
            changed_atoms(effect, &mut |literal| {
                let predicate = (&*literal.atom.predicate.text, literal.atom.arguments.len());
                if literal.positive {
                    added.insert(predicate)
                } else {
                    deleted.insert(predicate)
                };
            });
        }
        [added, deleted]
    }

    /// Returns the predicate that replaces one of the model's, which is possible if no support or container is itself in or on
    /// another one.
    pub(crate) fn plain<'n>(&self, name: &'n str, condition: RuleSelection) -> &'n str {
        match name {
            PLACED_IN if !condition.is_stacked => self.inside,
            OVER if !condition.is_stacked => self.on,
            name => name,
        }
    }
}

/// Whether a condition may hold if only facts of the known predicates may.
fn may_hold(condition: &Expr, known: &FxHashSet<String>) -> bool {
    match &condition.kind {
        ExprKind::Atom(atom) => known.contains(&*atom.predicate.text),
        ExprKind::And(parts) => parts.iter().all(|part| may_hold(part, known)),
        ExprKind::Or(parts) => parts.iter().any(|part| may_hold(part, known)),
        _ => true,
    }
}

pub(super) fn added_atoms(effect: &Effect, visit: &mut dyn FnMut(&Atom)) {
    changed_atoms(effect, &mut |literal| {
        if literal.positive {
            visit(&literal.atom);
        }
    });
}

fn changed_atoms<'e>(effect: &'e Effect, visit: &mut dyn FnMut(&'e Literal)) {
    match effect {
        Effect::And(parts) => parts.iter().for_each(|part| changed_atoms(part, visit)),
        Effect::Literal(literal) => visit(literal),
        Effect::Forall(_, body) | Effect::When(_, body) => changed_atoms(body, visit),
    }
}

/// Returns the predicates of actions and rules, with their arities.
pub(super) fn used_predicates(written: &ActionModel) -> IndexSet<(String, usize)> {
    let mut used = IndexSet::new();
    for rule in &written.rules {
        used.insert((rule.predicate.text.to_string(), rule.parameters.len()));
        condition_atoms(&rule.body, &mut |atom| used_by(atom, &mut used));
    }
    for action in &written.actions {
        action
            .precondition
            .iter()
            .for_each(|condition| condition_atoms(condition, &mut |atom| used_by(atom, &mut used)));
        action.effect.iter().for_each(|does| effect_atoms(does, &mut |atom| used_by(atom, &mut used)));
    }
    used
}

fn used_by(atom: &Atom, used: &mut IndexSet<(String, usize)>) {
    used.insert((atom.predicate.text.to_string(), atom.arguments.len()));
}

pub(super) fn condition_atoms(condition: &Expr, visit: &mut dyn FnMut(&Atom)) {
    if let ExprKind::Atom(atom) = &condition.kind {
        visit(atom);
    }
    condition.operands().iter().for_each(|part| condition_atoms(part, visit));
}

pub(super) fn effect_atoms(effect: &Effect, visit: &mut dyn FnMut(&Atom)) {
    match effect {
        Effect::And(parts) => parts.iter().for_each(|part| effect_atoms(part, visit)),
        Effect::Literal(literal) => visit(&literal.atom),
        Effect::Forall(_, body) => effect_atoms(body, visit),
        Effect::When(condition, body) => {
            condition_atoms(condition, visit);
            effect_atoms(body, visit);
        }
    }
}

/// Replaces the words after opening parentheses in a line.
fn renamed(line: &str, name: &dyn Fn(&str) -> String) -> String {
    if line.trim_start().starts_with(';') {
        return line.to_owned();
    }
    let mut parts = line.split('(');
    let mut written = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|c: char| c.is_whitespace() || c == ')').unwrap_or(part.len());
        let (word, rest) = part.split_at(end);
        written.push('(');
        written.push_str(&name(word));
        written.push_str(rest);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_are_read_without_a_defect() {
        for text in [include_str!("household.pddl"), include_str!("libero.pddl")] {
            let mut sources = Sources::new();
            let id = sources.add("model", text);
            let (parts, diagnostics) = Parts::read(sources.file(id), &Parts::default());
            assert_eq!(diagnostics, []);
            assert_eq!(parts.forms.len(), parts.written.actions.len() + parts.written.rules.len());
            assert!(facts::strata(parts.facts).is_ok());
        }
        let counts = |model: &Model| (model.written.actions.len(), model.written.rules.len());
        assert_eq!([counts(&HOUSEHOLD_MODEL), counts(&LIBERO_MODEL)], [(64, 5), (9, 3)]);
    }

    fn change(text: &str) -> Result<HouseholdActions, Vec<String>> {
        let mut sources = Sources::new();
        let id = sources.add("robot.pddl", text);
        HouseholdActions::read(sources.file(id))
            .map_err(|found| found.into_iter().map(|diagnostic| diagnostic.message).collect())
    }

    #[test]
    fn actions_are_added_replaced_and_left_out() {
        let text = "(:without smash wring-out)
            (:fact (quick ?x) (ability ?x openable))
            (:action open :parameters (?x - object) :precondition (and (quick ?x) (at ?x)) :effect (and (open ?x) (accessible ?x)))
            (:action polish :parameters (?x - object) :precondition (at ?x) :effect (shiny ?x))";
        let HouseholdActions(model) = change(text).expect("it is complete");
        let names: Vec<&str> = model.written.actions.iter().map(|action| &*action.name.text).collect();
        assert_eq!(names.len(), 63);
        assert!(names.contains(&"polish") && !names.contains(&"smash"));
        assert_eq!(names.iter().filter(|name| **name == "open").count(), 1);
        assert!(model.shared.contains(&("shiny".to_owned(), 1)) && model.private.contains(&("quick".to_owned(), 1)));
        assert!(model.covered.is_empty());
    }

    #[test]
    fn defects_of_changes_are_reported() {
        for (text, message) in [
            ("(:without smahs)", "no action, rule or fact is called `smahs`"),
            ("(:fact (quick ?x) (ability ?y openable))", "a variable of the fact occurs in no condition"),
            ("(:fact (quick ?x) (object ?x) (not (slow ?x)))", "no rule defines the fact `slow`"),
            ("(:fact (slow ?x) (object ?x) (not (slow ?x)))", "the fact `slow` depends on its own negation"),
            (
                "(:fact (quick ?x) (not (ability ?x openable)))",
                "a variable of a negated condition must occur in an earlier condition",
            ),
            ("(:fact (quick ?x) (washes ?x ?x))", "`washes` has 1 arguments, found 2"),
            (
                "(:action a :parameters (?x - object) :precondition (reachd ?x) :effect (open ?x))",
                "nothing in the action model makes `reachd` true",
            ),
            (
                "(:actoin a)",
                "expected `(:action ..)`, `(:derived ..)`, `(:fact ..)` or `(:without ..)`, found `(:actoin ..)`",
            ),
        ] {
            let found = change(text).expect_err(text);
            assert_eq!(found.first().map(String::as_str), Some(message), "{text}");
        }
    }
}

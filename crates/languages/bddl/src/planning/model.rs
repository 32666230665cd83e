//! The action models as parsed from PDDL.

use std::sync::LazyLock;

use goalspec_syntax::sexp::{self, Sexp};
use goalspec_syntax::Sources;
use indexmap::IndexSet;
use rustc_hash::FxHashSet;

use crate::ast::{ActionModel, Atom, Effect, Expr, ExprKind, Problem};
use crate::parse;
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

/// The name of an action, or of the predicate that a rule derives.
#[derive(Debug, Clone, PartialEq, Eq)]
enum FormName {
    Action(String),
    Rule(String),
}

/// An action model, and its names for the predicates that it shares with activities.
#[derive(Debug)]
pub(crate) struct Model {
    /// The predicates that the model shares with activities, with their arities.
    pub(crate) shared: &'static [(&'static str, usize)],
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
const COVERED: [&str; 11] =
    ["ontop", "inside", "onfloor", "open", "toggled_on", "sliced", "cooked", "frozen", "soaked", "dusty", "stained"];

static HOUSEHOLD_MODEL: LazyLock<Model> = LazyLock::new(|| Model {
    shared: &HOUSEHOLD,
    on: "ontop",
    inside: "inside",
    covered: &COVERED,
    has_abilities: true,
    ..Model::read(include_str!("household.pddl"), &HOUSEHOLD)
});

static LIBERO_MODEL: LazyLock<Model> = LazyLock::new(|| Model {
    shared: &LIBERO,
    on: "on",
    inside: "in",
    covered: &["on", "in", "open", "close", "turnon", "turnoff"],
    has_abilities: false,
    ..Model::read(include_str!("libero.pddl"), &LIBERO)
});

impl Model {
    /// Returns the model for a problem.
    pub(crate) fn of(problem: &Problem) -> &'static Self {
        if problem.libero.is_some() { &LIBERO_MODEL } else { &HOUSEHOLD_MODEL }
    }

    fn read(text: &str, shared: &[(&str, usize)]) -> Self {
        let mut sources = Sources::new();
        let id = sources.add("model", text);
        let (written, mut diagnostics) = parse::action_model(sources.file(id));
        let tree = sexp::parse(sources.file(id));
        let fact_forms = tree.roots().filter(|root| root.head().is_some_and(|head| head.text() == ":fact"));
        let facts = facts::read(fact_forms, std::iter::empty(), &mut diagnostics);
        let facts = facts::strata(facts).unwrap_or_else(|error| {
            diagnostics.push(*error);
            Vec::new()
        });
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
        used.retain(|(name, arity)| !shared.contains(&(name.as_str(), *arity)));
        Self {
            shared: &[],
            on: "",
            inside: "",
            covered: &[],
            has_abilities: false,
            written,
            private: used,
            facts,
            forms: forms(text),
        }
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
                if usable.contains(&*action.name.text) || !action.precondition.iter().all(|part| may_hold(part, &known)) {
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

fn added_atoms(effect: &Effect, visit: &mut dyn FnMut(&Atom)) {
    match effect {
        Effect::And(parts) => parts.iter().for_each(|part| added_atoms(part, visit)),
        Effect::Literal(literal) if literal.positive => visit(&literal.atom),
        Effect::Literal(_) => {}
        Effect::Forall(_, body) | Effect::When(_, body) => added_atoms(body, visit),
    }
}

fn used_by(atom: &Atom, used: &mut IndexSet<(String, usize)>) {
    used.insert((atom.predicate.text.to_string(), atom.arguments.len()));
}

fn condition_atoms(condition: &Expr, visit: &mut dyn FnMut(&Atom)) {
    if let ExprKind::Atom(atom) = &condition.kind {
        visit(atom);
    }
    condition.operands().iter().for_each(|part| condition_atoms(part, visit));
}

fn effect_atoms(effect: &Effect, visit: &mut dyn FnMut(&Atom)) {
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

/// Splits the text into pieces that end with an action or a rule. Rules for facts and the text before them are left out.
fn forms(text: &str) -> Vec<(FormName, String)> {
    let mut sources = Sources::new();
    let id = sources.add("model", text);
    let tree = sexp::parse(sources.file(id));
    let mut end = 0;
    let mut forms = Vec::new();
    for root in tree.roots() {
        let (start, next) = (end, root.span().end as usize);
        end = next;
        let name = match root.items().nth(1) {
            Some(Sexp::Atom(name)) => FormName::Action(name.text().to_owned()),
            Some(Sexp::List(head)) => FormName::Rule(head.head().map(|head| head.text().to_owned()).unwrap_or_default()),
            None => continue,
        };
        if root.head().is_none_or(|head| head.text() != ":fact") {
            forms.push((name, text[start..next].to_owned()));
        }
    }
    forms
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
        let texts = [include_str!("household.pddl"), include_str!("libero.pddl")];
        for (model, text) in [&*HOUSEHOLD_MODEL, &*LIBERO_MODEL].into_iter().zip(texts) {
            let mut sources = Sources::new();
            let id = sources.add("model", text);
            assert_eq!(parse::action_model(sources.file(id)).1, []);
            assert_eq!(model.forms.len(), model.written.actions.len() + model.written.rules.len());
        }
        let counts = |model: &Model| (model.written.actions.len(), model.written.rules.len());
        assert_eq!([counts(&HOUSEHOLD_MODEL), counts(&LIBERO_MODEL)], [(64, 5), (9, 3)]);
    }
}

//! The action models as parsed from PDDL.

use std::sync::LazyLock;

use goalspec_syntax::{Sources, sexp};
use indexmap::IndexSet;

use crate::ast::{ActionModel, Atom, Effect, Expr, ExprKind, Problem};
use crate::parse;

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
    /// The source text of each action and rule, including the comment before it, with the predicate that a rule derives.
    forms: Vec<(Option<String>, String)>,
}

const HOUSEHOLD: [(&str, usize); 14] = [
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
        let (written, _) = parse::action_model(sources.file(id));
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
            forms: forms(text),
        }
    }

    /// Returns the text of the actions and rules, indented by two columns, without rules that the task does not need. `name`
    /// maps the name of a predicate to the one in the text.
    pub(crate) fn text(&self, condition: RuleSelection, name: &dyn Fn(&str) -> String) -> String {
        let forms = self.forms.iter().filter(|(head, _)| !self.is_left_out(head.as_deref(), condition));
        let mut text = String::new();
        for line in forms.flat_map(|(_, form)| form.lines()) {
            if !line.is_empty() {
                text.push_str("  ");
                text.push_str(&renamed(line, name));
                text.push('\n');
            }
        }
        text
    }

    /// Whether a task does not need the rule for a predicate.
    pub(super) fn is_left_out(&self, head: Option<&str>, condition: RuleSelection) -> bool {
        head.is_some_and(|head| match head {
            ABOARD => !condition.has_carriers,
            RESTS => !condition.has_arranged,
            head => !condition.is_stacked && (head == self.inside || head == OVER),
        })
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

/// Splits the text into pieces that end with an action or a rule.
fn forms(text: &str) -> Vec<(Option<String>, String)> {
    let mut sources = Sources::new();
    let id = sources.add("model", text);
    let tree = sexp::parse(sources.file(id));
    let mut end = 0;
    let mut forms = Vec::new();
    for root in tree.roots() {
        let (start, next) = (end, root.span().end as usize);
        let derived = root.items().nth(1).and_then(|head| head.as_list()?.head()).map(|head| head.text().to_owned());
        forms.push((derived, text[start..next].to_owned()));
        end = next;
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
        assert_eq!([counts(&HOUSEHOLD_MODEL), counts(&LIBERO_MODEL)], [(24, 5), (9, 3)]);
    }
}

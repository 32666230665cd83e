//! The parts of an action model as written, and changes to them.

use goalspec_syntax::sexp::{self, List, Sexp};
use goalspec_syntax::{Diagnostic, SourceFile, suggest};
use rustc_hash::FxHashSet;

use super::facts::{self, FactRule};
use super::model::{self, Model};
use crate::ast::{ActionModel, Atom};
use crate::codes;
use crate::{domains, parse};

/// The name of an action, or of the predicate that a rule derives.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum FormName {
    Action(String),
    Rule(String),
}

impl FormName {
    fn text(&self) -> &str {
        match self {
            Self::Action(name) | Self::Rule(name) => name,
        }
    }
}

/// The parts of an action model.
#[derive(Debug, Clone, Default)]
pub(super) struct Parts {
    pub(super) written: ActionModel,
    pub(super) facts: Vec<FactRule>,
    /// The text of each action and rule, including the comment before it, with its name.
    pub(super) forms: Vec<(FormName, String)>,
}

impl Parts {
    /// Reads the parts of a model. `known` has facts that its conditions may refer to.
    pub(super) fn read(source: &SourceFile, known: &Self) -> (Self, Vec<Diagnostic>) {
        let (written, mut diagnostics) = parse::action_model(source);
        let tree = sexp::parse(source);
        let known = known.facts.iter().map(|rule| rule.predicate.to_string());
        let facts = facts::read(tree.roots().filter(|root| has_head(root, ":fact")), known, &mut diagnostics);
        (Self { written, facts, forms: forms(source) }, diagnostics)
    }

    /// Returns these parts with others: actions and rules replace those of the same name, facts are added, and what is removed is
    /// left out before.
    pub(super) fn changed_by(mut self, other: Self, removed: &FxHashSet<String>) -> Self {
        let mut replaced = removed.clone();
        replaced.extend(other.forms.iter().map(|(name, _)| name.text().to_owned()));
        self.written.actions.retain(|action| !replaced.contains(&*action.name.text));
        self.written.rules.retain(|rule| !replaced.contains(&*rule.predicate.text));
        self.forms.retain(|(name, _)| !replaced.contains(name.text()));
        self.facts.retain(|rule| !removed.contains(&*rule.predicate));
        self.written.actions.extend(other.written.actions);
        self.written.rules.extend(other.written.rules);
        self.forms.extend(other.forms);
        self.facts.extend(other.facts);
        self
    }
}

fn has_head(list: &List<'_>, word: &str) -> bool {
    list.head().is_some_and(|head| head.text() == word)
}

/// Returns the names that `(:without NAME ..)` removes.
pub(super) fn removed_names(
    source: &SourceFile,
    known: &Parts,
    diagnostics: &mut Vec<Diagnostic>,
) -> FxHashSet<String> {
    let names: FxHashSet<&str> = known
        .forms
        .iter()
        .map(|(name, _)| name.text())
        .chain(known.facts.iter().map(|rule| &*rule.predicate))
        .collect();
    let tree = sexp::parse(source);
    let mut removed = FxHashSet::default();
    for item in tree.roots().filter(|root| has_head(root, ":without")).flat_map(|root| root.items().skip(1)) {
        let Some(atom) = item.as_atom() else {
            let message = "expected the name of an action, a rule or a fact";
            diagnostics.push(Diagnostic::error(codes::ACTION_MODEL, item.span(), message));
            continue;
        };
        if !names.contains(atom.text()) {
            let message = format!("no action, rule or fact is called `{}`", atom.text());
            let diagnostic = Diagnostic::error(codes::ACTION_MODEL, atom.span(), message);
            diagnostics.push(suggest::with_nearest(diagnostic, atom.text(), atom.span(), names.iter().copied()).0);
        }
        removed.insert(atom.text().to_owned());
    }
    removed
}

/// Returns the predicates that a changed model shares with activities: those of the model, and those of the changes that are
/// neither static facts nor derived. Reports conditions on predicates that nothing makes true.
pub(super) fn shared_predicates(model: &Model, own: &Parts, diagnostics: &mut Vec<Diagnostic>) -> Vec<(String, usize)> {
    let mut shared = model.shared.clone();
    let mut known: FxHashSet<String> = model.private.iter().map(|(name, _)| name.clone()).collect();
    known.extend(own.facts.iter().map(|rule| rule.predicate.to_string()));
    known.extend(own.written.rules.iter().map(|rule| rule.predicate.text.to_string()));
    let builtin = domains::names().filter_map(domains::builtin).flat_map(|domain| &domain.predicates);
    let mut open: FxHashSet<String> = builtin.map(|predicate| predicate.name.text.to_string()).collect();
    open.extend(shared.iter().map(|(name, _)| name.clone()));
    for effect in own.written.actions.iter().filter_map(|action| action.effect.as_ref()) {
        model::added_atoms(effect, &mut |atom| {
            open.insert(atom.predicate.text.to_string());
        });
    }
    let mut check = |atom: &Atom| {
        let name = &*atom.predicate.text;
        if !known.contains(name) && !open.contains(name) {
            let message = format!("nothing in the action model makes `{name}` true");
            let diagnostic = Diagnostic::error(codes::ACTION_MODEL, atom.predicate.origin.0, message);
            let all = known.iter().chain(&open).map(String::as_str);
            diagnostics.push(suggest::with_nearest(diagnostic, name, atom.predicate.origin.0, all).0);
        }
    };
    own.written.rules.iter().for_each(|rule| model::condition_atoms(&rule.body, &mut check));
    let conditions = own.written.actions.iter().filter_map(|action| action.precondition.as_ref());
    conditions.for_each(|condition| model::condition_atoms(condition, &mut check));
    for (name, arity) in model::used_predicates(&own.written) {
        if !known.contains(&name) && !shared.contains(&(name.clone(), arity)) {
            shared.push((name, arity));
        }
    }
    shared
}

/// Splits the text into pieces that end with an action or a rule. Other forms and the text before them are left out.
fn forms(source: &SourceFile) -> Vec<(FormName, String)> {
    let tree = sexp::parse(source);
    let mut end = 0;
    let mut forms = Vec::new();
    for root in tree.roots() {
        let (start, next) = (end, root.span().end as usize);
        end = next;
        let name = match root.items().nth(1) {
            Some(Sexp::Atom(name)) if has_head(&root, ":action") => FormName::Action(name.text().to_owned()),
            Some(Sexp::List(head)) if has_head(&root, ":derived") => {
                FormName::Rule(head.head().map(|head| head.text().to_owned()).unwrap_or_default())
            }
            _ => continue,
        };
        forms.push((name, source.text()[start..next].to_owned()));
    }
    forms
}

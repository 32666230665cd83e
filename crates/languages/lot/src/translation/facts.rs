//! The default rules: each reply is a list of facts.

use goalspec_syntax::sexp::{self, AtomKind, List, Sexp};
use goalspec_syntax::{Diagnostic, SourceFile, suggest};

use super::{Part, TranslatedPart, Translation};
use crate::codes;
use crate::english::undeclared;
use crate::names::ObjectTable;
use crate::pddl::DIFFERS;
use crate::relation::Fact;

/// The predicates with their numbers of arguments.
const PREDICATES: [(&str, usize); 4] = [("ontable", 1), ("on", 2), ("clear", 1), (DIFFERS, 2)];

pub(super) fn read(initial: &SourceFile, goal: &SourceFile, objects: &ObjectTable) -> Translation {
    let (initial, mut diagnostics) = read_part(initial, Part::Initial, objects);
    let (goal, of_goal) = read_part(goal, Part::Goal, objects);
    diagnostics.extend(of_goal);
    Translation { initial, goal, diagnostics }
}

pub(super) fn read_part(reply: &SourceFile, part: Part, objects: &ObjectTable) -> (TranslatedPart, Vec<Diagnostic>) {
    let known: Vec<String> = objects.pddl_names().map(str::to_owned).collect();
    let parsed = sexp::parse(reply);
    let mut reader = FactReader {
        objects,
        known: &known,
        is_goal: part == Part::Goal,
        part: TranslatedPart::default(),
        diagnostics: parsed.diagnostics.clone(),
    };
    reader.lists(parsed.roots());
    (reader.part, reader.diagnostics)
}

/// Returns the names that are arguments in a text, variables and keywords excluded.
pub(super) fn mentioned_objects(file: &SourceFile) -> ObjectTable {
    let parsed = sexp::parse(file);
    let mut lists: Vec<List<'_>> = parsed.roots().collect();
    let mut names = Vec::new();
    while let Some(list) = lists.pop() {
        for item in list.items().skip(1) {
            match item {
                Sexp::List(list) => lists.push(list),
                Sexp::Atom(atom) if atom.kind() == AtomKind::Symbol => names.push(atom.text().to_lowercase()),
                Sexp::Atom(_) => {}
            }
        }
    }
    names.into_iter().collect()
}

struct FactReader<'r> {
    objects: &'r ObjectTable,
    known: &'r [String],
    is_goal: bool,
    part: TranslatedPart,
    diagnostics: Vec<Diagnostic>,
}

impl FactReader<'_> {
    fn lists<'t>(&mut self, roots: impl Iterator<Item = List<'t>>) {
        let mut lists: Vec<List<'t>> = roots.collect();
        lists.reverse();
        while let Some(list) = lists.pop() {
            let is_conjunction =
                self.is_goal && list.head().is_some_and(|head| head.text().eq_ignore_ascii_case("and"));
            if is_conjunction {
                let inner: Vec<List<'t>> = list.items().skip(1).filter_map(|item| self.conjunct(item)).collect();
                lists.extend(inner.into_iter().rev());
            } else {
                self.fact(list);
            }
        }
    }

    fn conjunct<'t>(&mut self, item: Sexp<'t>) -> Option<List<'t>> {
        let list = item.as_list();
        if list.is_none() {
            let message = "expected a fact, such as `(clear x)`";
            self.diagnostics.push(Diagnostic::error(codes::NOT_A_FACT, item.span(), message));
        }
        list
    }

    fn fact(&mut self, list: List<'_>) {
        let Some(head) = list.head() else {
            let message = "a fact begins with its predicate";
            self.diagnostics.push(Diagnostic::error(codes::NOT_A_FACT, list.span(), message));
            return;
        };
        let predicate = head.text().to_lowercase();
        let Some(&(_, arity)) = PREDICATES.iter().find(|(name, _)| *name == predicate) else {
            self.unknown_predicate(&predicate, head.span());
            return;
        };
        let arguments: Vec<Sexp<'_>> = list.items().skip(1).collect();
        if arguments.len() != arity {
            let plural = if arity == 1 { "" } else { "s" };
            let message = format!("`{predicate}` has {} arguments; expected {arity} argument{plural}", arguments.len());
            self.diagnostics.push(Diagnostic::error(codes::ARGUMENT_COUNT, list.span(), message));
            return;
        }
        let names: Option<Vec<String>> = arguments.into_iter().map(|argument| self.object(argument)).collect();
        let Some(names) = names else { return };
        match super::relation(&predicate, names) {
            Some(Ok(relation)) => self.part.facts.push(Fact { relation, span: list.span() }),
            Some(Err([one, other])) if one == other => {
                let message = format!("`{one}` does not differ from itself");
                self.diagnostics.push(Diagnostic::error(codes::NOT_A_FACT, list.span(), message));
            }
            Some(Err(pair)) => self.part.differences.push(pair),
            None => {}
        }
    }

    /// Returns the name of an argument in PDDL; reports arguments that are not names, and undeclared objects.
    fn object(&mut self, argument: Sexp<'_>) -> Option<String> {
        let (span, atom) = (argument.span(), argument.as_atom());
        let Some(atom) = atom.filter(|atom| matches!(atom.kind(), AtomKind::Symbol | AtomKind::Number)) else {
            let found = match atom.map(sexp::Atom::kind) {
                Some(AtomKind::Variable) => "a variable",
                Some(AtomKind::Keyword) => "a keyword",
                Some(AtomKind::String) => "a quoted text",
                _ => "a list",
            };
            let message = format!("expected the name of an object, found {found}");
            self.diagnostics.push(Diagnostic::error(codes::NOT_A_FACT, span, message));
            return None;
        };
        let name = atom.text().to_lowercase();
        if self.objects.index_of(&name).is_none() {
            self.diagnostics.push(undeclared(&name, span, self.known));
        }
        Some(name)
    }

    fn unknown_predicate(&mut self, predicate: &str, span: goalspec_syntax::Span) {
        let message = match predicate {
            "and" => "`and` is not allowed in an initial state".to_owned(),
            "not" | "or" | "imply" | "forall" | "exists" => {
                format!("`{predicate}` is not allowed: expected facts only")
            }
            _ => format!("`{predicate}` is not a predicate of the domain"),
        };
        let error = Diagnostic::error(codes::UNKNOWN_PREDICATE, span, message);
        let (error, is_near) = suggest::with_nearest(error, predicate, span, PREDICATES.iter().map(|(name, _)| *name));
        let help = "the predicates are `ontable`, `on` and `clear`";
        self.diagnostics.push(if is_near { error } else { error.with_help(help) });
    }
}

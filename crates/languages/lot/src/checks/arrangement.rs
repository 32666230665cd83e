//! Checks of states and goals against the structure of arrangements: every object has one support, and carries at most one object.

use goalspec_syntax::{Code, Diagnostic, Span};
use rustc_hash::FxHashMap;

use crate::codes;
use crate::names::ObjectTable;
use crate::relation::{Fact, Relation};

/// The support of an object: another object, or the table.
type Support<'f> = Option<&'f str>;

/// The facts of a state or goal, by object.
struct FactIndex<'f> {
    code: Code,
    /// The first support of each object.
    supports: FxHashMap<&'f str, (Support<'f>, Span)>,
    /// The first object on each object.
    covers: FxHashMap<&'f str, (&'f str, Span)>,
    clear: FxHashMap<&'f str, Span>,
    diagnostics: Vec<Diagnostic>,
}

impl<'f> FactIndex<'f> {
    /// Indexes facts; reports objects with two supports and objects that carry two others.
    fn new(facts: &'f [Fact], code: Code) -> Self {
        let mut index = Self {
            code,
            supports: FxHashMap::default(),
            covers: FxHashMap::default(),
            clear: FxHashMap::default(),
            diagnostics: Vec::new(),
        };
        for fact in facts {
            match &fact.relation {
                Relation::Clear(object) => {
                    index.clear.entry(object).or_insert(fact.span);
                }
                Relation::OnTable(object) => index.support(object, None, fact.span),
                Relation::On(object, support) => {
                    index.support(object, Some(support), fact.span);
                    index.cover(support, object, fact.span);
                }
            }
        }
        index
    }

    fn error(&mut self, span: Span, message: String, other: Option<Span>) {
        let error = Diagnostic::error(self.code, span, message);
        self.diagnostics.push(match other {
            Some(other) => error.with_related(other, "the other place is stated here"),
            None => error,
        });
    }

    fn support(&mut self, object: &'f str, support: Support<'f>, span: Span) {
        let (first, first_span) = *self.supports.entry(object).or_insert((support, span));
        if first != support {
            let place = |support: Support<'_>| support.map_or("the table".to_owned(), |name| format!("`{name}`"));
            let message = format!("`{object}` is on {} and on {}", place(first), place(support));
            self.error(span, message, Some(first_span));
        }
    }

    fn cover(&mut self, support: &'f str, object: &'f str, span: Span) {
        let (first, first_span) = *self.covers.entry(support).or_insert((object, span));
        if first != object {
            self.error(span, format!("`{first}` and `{object}` are both on `{support}`"), Some(first_span));
        }
    }

    /// Reports objects that are clear but carry another.
    fn check_covered(&mut self) {
        let mut covered: Vec<(Span, &str, &str)> =
            self.clear.iter().filter_map(|(&object, &span)| Some((span, object, self.covers.get(object)?.0))).collect();
        covered.sort_unstable();
        for (span, object, upper) in covered {
            self.error(span, format!("nothing is on `{object}`, but `{upper}` is"), None);
        }
    }

    /// Reports each cycle of objects on others, at one of its facts.
    fn check_cycles(&mut self) {
        let mut starts: Vec<(Span, &str)> = self.supports.iter().map(|(&object, &(_, span))| (span, object)).collect();
        starts.sort_unstable();
        let mut walks: FxHashMap<&str, usize> = FxHashMap::default();
        for (walk, (_, start)) in starts.into_iter().enumerate() {
            let mut object = start;
            let returned = loop {
                if let Some(&earlier) = walks.get(object) {
                    break earlier == walk;
                }
                walks.insert(object, walk);
                let Some(&(Some(support), _)) = self.supports.get(object) else { break false };
                object = support;
            };
            if let Some(&(_, span)) = self.supports.get(object).filter(|_| returned) {
                self.error(span, format!("`{object}` is above itself"), None);
            }
        }
    }
}

/// Reports why the facts of an initial state are not an arrangement of the objects: an object without support or with two, two objects on
/// one, an object that is clear although another is on it or not clear although none is, objects above themselves. `whole` is the place
/// of the reply, for facts that are missing.
pub fn check_initial_state(facts: &[Fact], objects: &ObjectTable, whole: Span) -> Vec<Diagnostic> {
    let mut index = FactIndex::new(facts, codes::NOT_AN_ARRANGEMENT);
    index.check_covered();
    index.check_cycles();
    for object in objects.pddl_names() {
        if !index.supports.contains_key(object) {
            index.error(whole, format!("no place of `{object}` is stated"), None);
        }
        if !index.clear.contains_key(object) && !index.covers.contains_key(object) {
            index.error(whole, format!("nothing is on `{object}`, but it is not stated to be clear"), None);
        }
    }
    index.diagnostics
}

/// Reports why the facts of a goal contradict each other: an object with two supports, two objects on one, an object that is clear
/// although another is on it, objects above themselves.
pub fn check_goal(facts: &[Fact]) -> Vec<Diagnostic> {
    let mut index = FactIndex::new(facts, codes::CONTRADICTORY_GOAL);
    index.check_covered();
    index.check_cycles();
    index.diagnostics
}

//! Problems with their three views, in JSON.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use goalspec_syntax::{Diagnostic, Severity, SourceFile};
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::arrangement::Arrangement;
use crate::checks;
use crate::codes;
use crate::english;
use crate::json_text;
use crate::names::{ObjectTable, check_name, pddl_name};
use crate::relation::{Fact, Relation};
use crate::translation::whole;

/// The maximum number of objects of a problem. A planning problem states for every pair of objects that they differ.
pub const MAX_OBJECTS: usize = 500;

/// A view of a problem: the number of relations that its goal contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum View {
    /// One relation, with simple names only.
    One,
    /// Two relations.
    Two,
    /// All relations of the goal arrangement.
    All,
}

impl View {
    /// All views.
    pub const ALL: [Self; 3] = [Self::One, Self::Two, Self::All];

    /// Returns the name in problem files and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::One => "one",
            Self::Two => "two",
            Self::All => "all",
        }
    }
}

impl fmt::Display for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The goal relations of each view.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GoalViews {
    /// All relations of the goal arrangement, in random order.
    pub all: Vec<Relation>,
    /// The first of them.
    pub one: Vec<Relation>,
    /// The first two of them.
    pub two: Vec<Relation>,
}

/// A problem: two arrangements of the same objects, and the relations that each view requires.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Problem {
    /// The goal arrangement.
    #[serde(rename = "goal_board")]
    pub goal: Arrangement,
    /// The initial arrangement.
    #[serde(rename = "init_board")]
    pub initial: Arrangement,
    /// The goal relations of each view.
    pub views: GoalViews,
    /// The complex name of each object, by its simple name.
    #[serde(rename = "vocab_map")]
    pub complex_names: BTreeMap<String, String>,
}

/// A view of a problem with its objects renamed: what a model sees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StackingProblem {
    /// The initial arrangement.
    pub initial: Arrangement,
    /// The goal: relations that must hold at the end.
    pub goal: Vec<Relation>,
}

impl StackingProblem {
    /// Reads a problem from two texts in controlled English: the initial state, which declares the objects, and the goal.
    ///
    /// # Errors
    /// The diagnostics of the texts. A state must be an arrangement: it says of every object where it is and whether nothing is on it.
    pub fn from_texts(state: &SourceFile, goal: &SourceFile) -> Result<Self, Vec<Diagnostic>> {
        let state_text = english::parse(state, None);
        let objects: ObjectTable =
            state_text.facts.iter().flat_map(|fact| fact.relation.objects().map(str::to_owned)).collect();
        let goal = english::parse(goal, Some(&objects));
        let mut diagnostics = state_text.diagnostics.clone();
        for fact in &state_text.facts {
            for (name, reason) in fact.relation.objects().filter_map(|name| Some((name, check_name(name).err()?))) {
                diagnostics.push(Diagnostic::error(codes::PROBLEM, fact.span, format!("the name `{name}` {reason}")));
            }
        }
        if diagnostics.is_empty() {
            let facts: Vec<Fact> = state_text
                .facts
                .iter()
                .map(|fact| Fact { relation: fact.relation.in_pddl(), span: fact.span })
                .collect();
            diagnostics.extend(checks::check_initial_state(&facts, &objects, whole(state)));
            if objects.is_empty() || objects.len() > MAX_OBJECTS {
                let message = format!("the state has {} objects; expected 1 to {MAX_OBJECTS}", objects.len());
                diagnostics.push(Diagnostic::error(codes::PROBLEM, whole(state), message));
            }
        }
        diagnostics.extend(goal.diagnostics.iter().cloned());
        let named = |relation: &Relation| relation.map(|name| objects.declared(name).unwrap_or(name).to_owned());
        let relations: Vec<Relation> = state_text.relations().iter().map(named).collect();
        match Arrangement::from_relations(&relations) {
            Some(initial) if diagnostics.is_empty() => Ok(Self { initial, goal: goal.relations() }),
            _ => Err(diagnostics),
        }
    }

    /// Returns the declared objects.
    pub fn objects(&self) -> ObjectTable {
        self.initial.objects().collect()
    }

    /// Returns 16 hexadecimal digits that are equal for equal problems, whatever the order of their relations: the start of the SHA-256 of
    /// both sets of relations as sorted JSON.
    pub fn digest(&self) -> String {
        let sorted = |relations: &[Relation]| relations.iter().cloned().collect::<BTreeSet<_>>();
        let relations = serde_json::json!([sorted(&self.initial.relations()), sorted(&self.goal)]);
        let digest = Sha256::digest(relations.to_string());
        digest[..8].iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Whether the goal holds at the start, so that an empty plan succeeds.
    pub fn holds_initially(&self) -> bool {
        self.initial.satisfies(&self.goal)
    }
}

impl Problem {
    /// Returns the goal relations of a view, with simple names.
    pub fn goal_relations(&self, view: View) -> &[Relation] {
        match view {
            View::One => &self.views.one,
            View::Two => &self.views.two,
            View::All => &self.views.all,
        }
    }

    /// Returns a view. Every object that the view's relations mention and the first relation does not gets its complex name.
    pub fn view(&self, view: View) -> StackingProblem {
        let first: FxHashSet<&str> = self.views.one.iter().flat_map(Relation::objects).collect();
        let relations = self.goal_relations(view);
        let renamed: FxHashSet<&str> =
            relations.iter().flat_map(Relation::objects).filter(|object| !first.contains(object)).collect();
        let rename = |object: &str| match self.complex_names.get(object) {
            Some(complex) if renamed.contains(object) => complex.clone(),
            _ => object.to_owned(),
        };
        StackingProblem {
            initial: self.initial.map(rename),
            goal: relations.iter().map(|relation| relation.map(rename)).collect(),
        }
    }

    /// Returns the problem as a file: sorted keys, four spaces of indentation, as Python's `json` writes it.
    ///
    /// # Panics
    /// Never: all keys are texts.
    pub fn to_json(&self) -> String {
        let mut bytes = Vec::new();
        let layout = serde_json::ser::PrettyFormatter::with_indent(b"    ");
        let mut serializer = serde_json::Serializer::with_formatter(&mut bytes, layout);
        self.serialize(&mut serializer).expect("all keys are texts");
        String::from_utf8(bytes).expect("JSON is UTF-8")
    }

    /// Reads a problem file.
    ///
    /// # Errors
    /// The diagnostics of an invalid file: both arrangements must consist of the same objects, each once; views and renaming must refer
    /// to them.
    pub fn from_json(file: &SourceFile) -> Result<Self, Vec<Diagnostic>> {
        let problem: Self = serde_json::from_str(file.text()).map_err(|error| {
            let span = json_text::error_span(file, &error);
            vec![Diagnostic::error(codes::PROBLEM, span, format!("not a problem: {}", json_text::message(&error)))]
        })?;
        let diagnostics = problem.diagnostics(file);
        if diagnostics.is_empty() { Ok(problem) } else { Err(diagnostics) }
    }

    fn diagnostics(&self, file: &SourceFile) -> Vec<Diagnostic> {
        let mut diagnostics = Vec::new();
        let mut report = |name: &str, message: String| {
            let span = json_text::string_span(file, name);
            diagnostics.push(Diagnostic { span, ..Diagnostic::new(codes::PROBLEM, Severity::Error, message) });
        };
        let count = self.initial.objects().count();
        let sizes = [self.goal.objects().count(), self.views.one.len(), self.views.two.len(), self.views.all.len() / 2];
        if !(1..=MAX_OBJECTS).contains(&count) || sizes.iter().any(|&size| size > MAX_OBJECTS) {
            let count = sizes.into_iter().fold(count, usize::max);
            report("init_board", format!("the problem has {count} objects; expected 1 to {MAX_OBJECTS}"));
            return diagnostics;
        }
        let mut objects = FxHashSet::default();
        for name in self.initial.objects() {
            if !objects.insert(name) {
                report(name, format!("`{name}` occurs twice in `init_board`"));
            }
        }
        let mut in_goal = FxHashSet::default();
        for name in self.goal.objects() {
            if !objects.contains(name) {
                report(name, format!("`{name}` of `goal_board` is not in `init_board`"));
            } else if !in_goal.insert(name) {
                report(name, format!("`{name}` occurs twice in `goal_board`"));
            }
        }
        for name in objects.iter().filter(|name| !in_goal.contains(*name)) {
            report(name, format!("`{name}` of `init_board` is not in `goal_board`"));
        }
        let mut spellings = FxHashSet::default();
        let complex = objects.iter().filter_map(|name| self.complex_names.get(*name)).map(String::as_str);
        for name in objects.iter().copied().chain(complex) {
            if let Err(reason) = check_name(name) {
                report(name, format!("the name `{name}` {reason}"));
            } else if !spellings.insert(pddl_name(name)) {
                report(name, format!("two objects have the name `{}` in PDDL", pddl_name(name)));
            }
        }
        let holding: FxHashSet<Relation> = self.goal.relations().into_iter().collect();
        for view in View::ALL {
            let relations = self.goal_relations(view);
            if relations.is_empty() {
                report(view.name(), format!("view `{view}` has no relation"));
            }
            for relation in relations.iter().filter(|relation| !holding.contains(relation)) {
                let name = relation.objects().next().unwrap_or_default();
                report(name, format!("a relation of `{name}` in view `{view}` does not hold in `goal_board`"));
            }
        }
        for name in objects.iter().filter(|name| !self.complex_names.contains_key(**name)) {
            report(name, format!("`vocab_map` has no name for `{name}`"));
        }
        diagnostics
    }
}

//! Parser of problems.

use goalspec_syntax::diagnostic::{Applicability, Edit};
use goalspec_syntax::sexp::{Atom, List, Sexp};
use goalspec_syntax::{Diagnostic, Fix, Span, suggest};
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::parser::{Form, Parser, excerpt, insertion, is_dash, remove};
use crate::ast::{Libero, Name, ObjectGroup, Problem};
use crate::codes;
use crate::diagnostics::related;
use crate::parse::keywords::{LiberoSection, ProblemSection, REQUIREMENTS};
use crate::parse::typed_list::{self, TypedEntry};

/// The names of the sections found so far, each with its source location in the first one.
pub(super) type SeenSections = Vec<Name>;

/// The items of a typed list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GroupKind {
    /// Instances with their categories.
    Instances,
    /// Types with their supertypes.
    Types,
}

impl GroupKind {
    /// Returns the word for the items in messages.
    fn items(self) -> &'static str {
        match self {
            Self::Instances => "instances",
            Self::Types => "types",
        }
    }
}

impl Parser {
    pub(super) fn problem(&mut self, list: List<'_>) -> Problem {
        let mut problem = Problem {
            name: self.text("", list.open_span()),
            domain: None,
            objects: Vec::new(),
            init: Vec::new(),
            goal: Vec::new(),
            libero: self.libero.then(Libero::default),
            origin: list.span().into(),
        };
        let mut found = SeenSections::with_capacity(ProblemSection::WORDS.len());
        for part in list.items().skip(1) {
            if let Some(form) = self.section(&part) {
                self.problem_section(&form, &mut problem, &mut found);
            }
        }
        self.duplicate_categories(&problem.objects);
        self.check_missing_sections(list, &found);
        self.decorations();
        problem
    }

    /// Parses a section; a word in its place is reported.
    pub(super) fn section<'t>(&mut self, part: &Sexp<'t>) -> Option<Form<'t>> {
        match part {
            Sexp::List(list) => self.form(*list, "a section such as `(:goal ..)`"),
            Sexp::Atom(atom) => {
                let message = format!("unexpected `{}` between the sections", excerpt(atom.text()));
                let diagnostic = Diagnostic::warning(codes::STRAY_TOKEN, atom.span(), message);
                self.report(
                    diagnostic
                        .with_help("remove it: it is ignored, only sections are allowed here")
                        .with_fix(remove(atom.span())),
                );
                None
            }
        }
    }

    fn problem_section(&mut self, form: &Form<'_>, problem: &mut Problem, found: &mut SeenSections) {
        let section = ProblemSection::from_word(&form.word.text);
        let own = LiberoSection::from_word(&form.word.text).filter(|_| self.libero);
        if section.is_some() || own.is_some() {
            self.check_duplicate_section(form, found);
        }
        match (section, own, &mut problem.libero) {
            (Some(section), ..) => self.common_section(section, form, problem),
            (None, Some(section), Some(libero)) => self.libero_section(section, form, libero),
            _ => {
                let own = if self.libero { LiberoSection::WORDS } else { &[] };
                self.unknown_section(form, &[ProblemSection::WORDS, own].concat());
            }
        }
    }

    fn common_section(&mut self, section: ProblemSection, form: &Form<'_>, problem: &mut Problem) {
        match section {
            ProblemSection::Name => problem.name = self.header(form).unwrap_or_else(|| problem.name.clone()),
            ProblemSection::Domain => problem.domain = problem.domain.take().or_else(|| self.header(form)),
            ProblemSection::Requirements => drop(self.requirements(form)),
            ProblemSection::Objects => append(&mut problem.objects, self.groups(form, GroupKind::Instances)),
            ProblemSection::Init => {
                problem.init.reserve(form.parts.len());
                problem.init.extend(form.parts.iter().filter_map(|part| self.literal(part)));
            }
            ProblemSection::Goal => append(&mut problem.goal, self.goal(form)),
        }
    }

    /// Reports a repeated section.
    pub(super) fn check_duplicate_section(&mut self, form: &Form<'_>, found: &mut SeenSections) {
        let Some(first) = found.iter().find(|known| known.text == form.word.text) else {
            return found.push(form.word.clone());
        };
        let message = format!("duplicate section `{}`", form.word.text);
        let diagnostic = Diagnostic::error(codes::DUPLICATE_SECTION, form.word_span(), message);
        let diagnostic = related(diagnostic, first.origin, "first section");
        self.report(diagnostic.with_help("merge the two sections"));
    }

    pub(super) fn unknown_section(&mut self, form: &Form<'_>, known: &[&str]) {
        let word = &*form.word.text;
        let span = form.word_span();
        let message = format!("unknown section `{}`, which is ignored", excerpt(word));
        let diagnostic = Diagnostic::error(codes::UNKNOWN_SECTION, span, message);
        if LiberoSection::from_word(word).is_some() {
            self.report(diagnostic.with_help("use the dialect `libero`, which has this section"));
            return;
        }
        if word == "define" {
            self.report(diagnostic.with_help("check for a missing `)`: the enclosing problem has not ended"));
            return;
        }
        let (diagnostic, has_suggestion) = suggest::with_nearest(diagnostic, word, span, known.iter().copied());
        self.report(if has_suggestion {
            diagnostic
        } else {
            diagnostic.with_help(format!("use a known section: {}", known.join(", ")))
        });
    }

    /// Parses the single name of a section.
    pub(super) fn header(&mut self, form: &Form<'_>) -> Option<Name> {
        self.no_more(form, 1);
        // The releases use the last word.
        let Some(part) = form.parts.last() else {
            self.missing(form, "a name");
            return None;
        };
        self.name_of(part, "a name")
    }

    pub(super) fn requirements(&mut self, form: &Form<'_>) -> Vec<Name> {
        let names: Vec<Name> = form.parts.iter().filter_map(|part| self.name_of(part, "a requirement")).collect();
        for name in &names {
            if !REQUIREMENTS.contains(&&*name.text) {
                let span = name.origin.0;
                let message = format!("unknown requirement `{}`", excerpt(&name.text));
                let diagnostic = Diagnostic::warning(codes::UNKNOWN_REQUIREMENT, span, message);
                self.report(suggest::with_nearest(diagnostic, &name.text, span, REQUIREMENTS).0);
            }
        }
        names
    }

    /// Parses groups `A .. - C  B .. - D ..`. Items with a missing or malformed category have none.
    pub(super) fn groups(&mut self, form: &Form<'_>, kind: GroupKind) -> Vec<ObjectGroup> {
        // Each group has at least an instance, a dash and a category.
        let mut groups = Vec::with_capacity(form.parts.len() / 3);
        let mut instances: Vec<Name> = Vec::new();
        for entry in typed_list::entries(form.parts.iter(), |part| is_dash(part)) {
            let (dash, category) = match entry {
                TypedEntry::Item(Sexp::Atom(atom)) => {
                    instances.extend(self.name(*atom));
                    continue;
                }
                TypedEntry::Item(part @ Sexp::List(_)) => {
                    self.unexpected(part, kind.items());
                    continue;
                }
                TypedEntry::Type { dash, name } => (dash.span(), name),
            };
            let category = self.category(dash, category);
            let items = std::mem::take(&mut instances);
            if items.is_empty() {
                let Some(category) = &category else { continue };
                let message = format!("expected {} before `- {}`", kind.items(), excerpt(&category.text));
                self.report(Diagnostic::error(codes::MISSING_PART, dash, message));
            }
            groups.push(group(items, category, dash));
        }
        if let [first, ..] = &instances[..] {
            let untyped = group(instances.clone(), None, first.origin.0);
            if kind == GroupKind::Instances {
                self.untyped_instances(&untyped);
            }
            groups.push(untyped);
        }
        groups
    }

    /// Parses the category after a dash.
    fn category(&mut self, dash: Span, category: Option<&Sexp<'_>>) -> Option<Name> {
        if let Some(category) = category {
            return self.name_of(category, "a category");
        }
        self.report(Diagnostic::error(codes::MISSING_PART, dash, "missing category after `-`"));
        None
    }

    /// Reports instances at the end of a list that no category follows.
    fn untyped_instances(&mut self, untyped: &ObjectGroup) {
        let names: Vec<_> = untyped.instances.iter().map(|name| format!("`{}`", excerpt(&name.text))).collect();
        let message = format!("missing category of {}", names.join(", "));
        let help = "add `- CATEGORY` after the instances of each category";
        self.report(Diagnostic::warning(codes::UNTYPED_INSTANCE, untyped.origin.0, message).with_help(help));
    }

    fn duplicate_categories(&mut self, groups: &[ObjectGroup]) {
        let mut first: FxHashMap<&str, &ObjectGroup> = FxHashMap::with_capacity_and_hasher(groups.len(), FxBuildHasher);
        for group in groups {
            let Some(category) = &group.category else { continue };
            let previous = *first.entry(&category.text).or_insert(group);
            if std::ptr::eq(previous, group) {
                continue;
            }
            let Some(last) = previous.instances.last().map(|name| name.origin.0) else { continue };
            let (span, whole) = (category.origin.0, group.origin.0);
            let names: String = group.instances.iter().map(|name| format!(" {}", name.text)).collect();
            let message = format!("the category `{}` is declared twice", excerpt(&category.text));
            let diagnostic = Diagnostic::error(codes::DUPLICATE_CATEGORY, span, message)
                .with_help("merge the two declarations: the Python releases lose the instances of the first one")
                .with_fix(Fix {
                    title: "merge the two".to_owned(),
                    applicability: Applicability::Unsafe,
                    edits: vec![insertion(last.end, last, &names), Edit { span: whole, replacement: String::new() }],
                });
            self.report(diagnostic.with_related(previous.origin.0, "first declaration"));
        }
    }

    /// Reports missing sections.
    fn check_missing_sections(&mut self, list: List<'_>, found: &[Name]) {
        let open = list.head().map_or_else(|| list.open_span(), Atom::span);
        let is_absent = |section: &str| found.iter().all(|known| &*known.text != section);
        if is_absent(":domain") {
            let message = "missing `(:domain NAME)`, predicates are not checked";
            let missing = Diagnostic::warning(codes::MISSING_DOMAIN, open, message);
            self.report(missing.with_help("add a domain, such as `(:domain omnigibson)`"));
        }
        for (section, example) in [
            ("problem", "(problem NAME)"),
            (":objects", "(:objects ..)"),
            (":init", "(:init ..)"),
            (":goal", "(:goal ..)"),
        ] {
            if is_absent(section) {
                let message = format!("missing `{example}`");
                let mut missing = Diagnostic::error(codes::MISSING_SECTION, open, message);
                if section != ":goal" {
                    missing.severity = goalspec_syntax::Severity::Warning;
                }
                self.report(missing);
            }
        }
    }

    /// Reports names in the goal without question marks, and names in the initial conditions with them, with one diagnostic for
    /// each kind.
    fn decorations(&mut self) {
        let undecorated = std::mem::take(&mut self.undecorated_names);
        if let Some(&first) = undecorated.first() {
            let message = format!("{} in the goal without `?`", names(undecorated.len()));
            let edits = undecorated.iter().map(|span| insertion(span.start, *span, "?")).collect();
            self.report_merged(Diagnostic::note(codes::MISSING_QUESTION_MARK, first, message), "prepend `?`", edits);
        }
        let decorated = std::mem::take(&mut self.decorated);
        if let Some(&first) = decorated.first() {
            let count = decorated.len();
            let message = format!("{} in the initial conditions with `?`", names(count));
            let mark = |span: &Span| Edit { span: Span { end: span.start + 1, ..*span }, replacement: String::new() };
            let edits = decorated.iter().map(mark).collect();
            self.report_merged(Diagnostic::note(codes::EXTRA_QUESTION_MARK, first, message), "remove `?`", edits);
        }
    }
}

/// Appends items; usually `list` is empty, so no copy is needed.
fn append<T>(list: &mut Vec<T>, mut items: Vec<T>) {
    if list.is_empty() {
        *list = items;
    } else {
        list.append(&mut items);
    }
}

fn names(count: usize) -> String {
    if count == 1 { "1 name".to_owned() } else { format!("{count} names") }
}

/// Creates a group. Its source location extends from the first instance, or `fallback`, to the category or the last instance.
fn group(instances: Vec<Name>, category: Option<Name>, fallback: Span) -> ObjectGroup {
    let names = || instances.iter().chain(&category);
    let origin = names().map(|name| name.origin.0).reduce(Span::to).unwrap_or(fallback).into();
    ObjectGroup { instances, category, origin }
}

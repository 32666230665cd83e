//! The roles that categories play in examples: arguments of predicates, in initial states and in goals.

use std::sync::Arc;

use goalspec_bddl::ast::{Atom, Expr, ExprKind, Literal, Problem};
use rustc_hash::{FxHashMap, FxHashSet};

/// The section of a role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Section {
    /// The initial state.
    Init,
    /// The goal.
    Goal,
}

/// An argument of a predicate.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Role {
    pub(super) section: Section,
    pub(super) predicate: Arc<str>,
    pub(super) position: usize,
    /// Whether things of the category belong to a room, such as furniture, and not only lie somewhere.
    pub(super) is_fixed: bool,
}

/// The categories of a problem, by instance.
pub(super) fn categories(problem: &Problem) -> FxHashMap<&str, &str> {
    problem.instances().map(|(name, category)| (&*name.text, category)).collect()
}

/// Returns the categories of which something belongs to a room.
pub(super) fn fixed_categories<'p>(init: &'p [Literal], of_instance: &FxHashMap<&str, &'p str>) -> FxHashSet<&'p str> {
    let in_room = init.iter().filter(|literal| &*literal.atom.predicate.text == "inroom");
    let things = in_room.filter_map(|literal| literal.atom.arguments.first());
    things.filter_map(|thing| of_instance.get(&*thing.text).copied()).collect()
}

/// Calls a function with each atom of a condition, and with the variables in scope with their categories.
pub(super) fn visit_atoms<'e>(
    condition: &'e Expr,
    scope: &mut Vec<(&'e str, &'e str)>,
    visit: &mut impl FnMut(&'e Atom, &[(&'e str, &'e str)]),
) {
    if let ExprKind::Atom(atom) = &condition.kind {
        visit(atom, scope);
        return;
    }
    let outside = scope.len();
    scope.extend(condition.variables().map(|variable| (&*variable.name.text, &*variable.category.text)));
    condition.operands().iter().for_each(|part| visit_atoms(part, scope, visit));
    scope.truncate(outside);
}

/// Returns the category of an argument: that of a variable in scope, or of an instance.
pub(super) fn category_of<'e>(
    name: &str,
    scope: &[(&'e str, &'e str)],
    categories: &FxHashMap<&str, &'e str>,
) -> Option<&'e str> {
    let variable = scope.iter().rev().find(|&&(variable, _)| variable == name).map(|&(_, category)| category);
    variable.or_else(|| categories.get(name).copied())
}

/// The roles of all categories of a corpus.
#[derive(Debug, Clone, Default)]
pub(super) struct Roles {
    /// The categories that play each role.
    players: FxHashMap<Role, FxHashSet<Arc<str>>>,
    /// All categories, in alphabetical order.
    all: Vec<Arc<str>>,
}

impl Roles {
    pub(super) fn of<'p>(problems: impl Iterator<Item = &'p Problem>) -> Self {
        let mut roles = Self::default();
        let mut all: FxHashSet<Arc<str>> = FxHashSet::default();
        for problem in problems {
            let categories = categories(problem);
            let fixed = fixed_categories(&problem.init, &categories);
            for literal in &problem.init {
                roles.add(Section::Init, &literal.atom, &[], (&categories, &fixed));
            }
            for conjunct in &problem.goal {
                visit_atoms(conjunct, &mut Vec::new(), &mut |atom, scope| {
                    roles.add(Section::Goal, atom, scope, (&categories, &fixed));
                });
            }
            all.extend(categories.values().map(|&category| Arc::from(category)));
        }
        roles.all = all.into_iter().collect();
        roles.all.sort_unstable();
        roles
    }

    fn add(
        &mut self,
        section: Section,
        atom: &Atom,
        scope: &[(&str, &str)],
        (categories, fixed): (&FxHashMap<&str, &str>, &FxHashSet<&str>),
    ) {
        for (position, argument) in atom.arguments.iter().enumerate() {
            if let Some(category) = category_of(&argument.text, scope, categories) {
                let (predicate, is_fixed) = (atom.predicate.text.clone(), fixed.contains(category));
                let role = Role { section, predicate, position, is_fixed };
                self.players.entry(role).or_default().insert(category.into());
            }
        }
    }

    /// Whether a category plays a role.
    pub(super) fn plays(&self, category: &str, role: &Role) -> bool {
        self.players.get(role).is_some_and(|players| players.contains(category))
    }

    /// Returns the categories that play all of some roles, in alphabetical order.
    pub(super) fn players_of(&self, roles: &[Role]) -> Vec<Arc<str>> {
        let plays_all = |category: &&Arc<str>| roles.iter().all(|role| self.plays(category, role));
        self.all.iter().filter(plays_all).cloned().collect()
    }
}

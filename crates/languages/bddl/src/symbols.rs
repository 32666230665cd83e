//! The symbol table of a problem, shared by resolver, lints, grounding and checks.

use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::ast::{DeclarationKind, Literal, Name, ObjectGroup, Problem};
use crate::resolve::WILDCARD;

/// The declared names of a problem, and the instances that the arguments in `:init` refer to.
#[derive(Debug)]
pub(crate) struct SymbolTable<'a> {
    pub(crate) problem: &'a Problem,
    /// The distinct instances, in order of first declaration: those of `:objects` first, then those that are only fixtures or
    /// regions.
    pub(crate) instances: Vec<Instance<'a>>,
    /// The number of instances in `:objects`, which come first in `instances`.
    objects: usize,
    /// The distinct categories, in order of first use.
    pub(crate) categories: Vec<Category<'a>>,
    /// The category of each group, as an index into `categories`: first the groups of `:objects`, then those of fixtures.
    pub(crate) groups: Vec<u32>,
    /// The repeated declarations of instances, in source order.
    pub(crate) redeclarations: Vec<Redeclaration<'a>>,
    /// The instances that the arguments in `:init` refer to, concatenated over all literals, as indices into `instances`.
    init: Vec<Option<u32>>,
    instance_places: FxHashMap<&'a str, u32>,
    category_places: FxHashMap<&'a str, u32>,
}

/// A declared instance.
#[derive(Debug)]
pub(crate) struct Instance<'a> {
    /// The name in its first declaration.
    pub(crate) name: &'a Name,
    /// The name in its last declaration.
    pub(crate) last: &'a Name,
    /// The category in the first declaration, as an index into [`SymbolTable::categories`].
    pub(crate) category: u32,
    /// The category in the last declaration of `:objects`.
    last_category: u32,
}

/// A declared category.
#[derive(Debug)]
pub(crate) struct Category<'a> {
    pub(crate) name: &'a str,
    /// The number of instances that `:objects` declares, counting each instance only at its first declaration.
    instances: usize,
    /// Whether `:objects` has an instance of the category.
    has_objects: bool,
    /// Whether the category has a wildcard, so that its number of instances is unknown.
    is_open: bool,
}

/// A repeated declaration of an instance.
#[derive(Debug)]
pub(crate) struct Redeclaration<'a> {
    pub(crate) name: &'a Name,
    /// The name in the previous declaration.
    pub(crate) before: &'a Name,
    /// The instance, as an index into [`SymbolTable::instances`].
    pub(crate) instance: u32,
    /// The category in this declaration.
    pub(crate) category: u32,
}

impl<'a> SymbolTable<'a> {
    pub(crate) fn of(problem: &'a Problem) -> Self {
        let (instances, categories) = (problem.declarations().count(), problem.groups().count() + 1);
        let mut declared = Self {
            problem,
            instances: Vec::with_capacity(instances),
            objects: 0,
            categories: Vec::with_capacity(categories),
            groups: Vec::with_capacity(categories),
            redeclarations: Vec::new(),
            init: Vec::with_capacity(problem.init.iter().map(|literal| literal.atom.arguments.len()).sum()),
            instance_places: FxHashMap::with_capacity_and_hasher(instances, FxBuildHasher),
            category_places: FxHashMap::with_capacity_and_hasher(categories, FxBuildHasher),
        };
        // A group may have a category but no instances.
        for (group, kind) in problem.groups() {
            declared.group(group, kind == DeclarationKind::Instance);
        }
        for declaration in problem.declarations() {
            let category = declared.category_place(declaration.category);
            declared.instance_of(declaration.name, category, declaration.kind == DeclarationKind::Instance);
        }
        for name in problem.init.iter().flat_map(|literal| &literal.atom.arguments) {
            let place = declared.instance_places.get(&*name.text).copied();
            declared.init.push(place);
        }
        declared
    }

    fn group(&mut self, group: &'a ObjectGroup, in_objects: bool) {
        let place = self.category_place(group.category_name());
        self.groups.push(place);
        let category = &mut self.categories[place as usize];
        category.has_objects |= in_objects && !group.instances.is_empty();
        category.is_open |= in_objects && group.instances.iter().any(|name| name.text.ends_with(WILDCARD));
    }

    /// Returns the index of a category, which is added if it is new.
    fn category_place(&mut self, name: &'a str) -> u32 {
        let next = self.categories.len() as u32;
        let place = *self.category_places.entry(name).or_insert(next);
        if place == next {
            self.categories.push(Category { name, instances: 0, has_objects: false, is_open: false });
        }
        place
    }

    /// Records a declaration of an instance.
    fn instance_of(&mut self, name: &'a Name, category: u32, in_objects: bool) {
        self.objects += usize::from(in_objects && !self.instance_places.contains_key(&*name.text));
        let next = self.instances.len() as u32;
        let place = *self.instance_places.entry(&name.text).or_insert(next);
        if place == next {
            self.categories[category as usize].instances += usize::from(in_objects);
            self.instances.push(Instance { name, last: name, category, last_category: category });
            return;
        }
        let instance = &mut self.instances[place as usize];
        self.redeclarations.push(Redeclaration { name, before: instance.last, instance: place, category });
        instance.last = name;
        if in_objects {
            instance.last_category = category;
        }
    }

    /// Returns the index of an instance.
    pub(crate) fn instance(&self, name: &str) -> Option<u32> {
        self.instance_places.get(name).copied()
    }

    /// Returns the index of a category.
    pub(crate) fn category(&self, name: &str) -> Option<u32> {
        self.category_places.get(name).copied()
    }

    /// Returns the category of an object in `:objects`, as last declared.
    pub(crate) fn category_of_object(&self, name: &str) -> Option<&'a str> {
        let place = self.instance(name).filter(|&place| (place as usize) < self.objects)?;
        Some(self.categories[self.instances[place as usize].last_category as usize].name)
    }

    /// Returns the number of instances of a category, or `None` if `:objects` has none or a wildcard leaves their number open.
    pub(crate) fn count(&self, category: &str) -> Option<usize> {
        let category = &self.categories[self.category(category)? as usize];
        (category.has_objects && !category.is_open).then_some(category.instances)
    }

    /// Returns the literals of `:init`, each with the indices of the instances that its arguments refer to.
    pub(crate) fn init(&self) -> impl Iterator<Item = (&'a Literal, &[Option<u32>])> {
        let mut rest = &self.init[..];
        self.problem.init.iter().map(move |literal| {
            let (own, others) = rest.split_at(literal.atom.arguments.len());
            rest = others;
            (literal, own)
        })
    }
}

#[cfg(test)]
mod tests {
    use goalspec_syntax::Sources;

    use super::*;
    use crate::{Dialect, parse};

    #[test]
    fn redeclarations_keep_the_first_position() {
        let mut sources = Sources::new();
        let text = "(define (problem p) (:domain omnigibson)
            (:objects cup.n.01_1 cup.n.01_2 - cup.n.01 cup.n.01_1 box.n.01_* - box.n.01)
            (:init (ontop cup.n.01_2 box.n.01_1)) (:goal (and)))";
        let id = sources.add("demo", text);
        let parsed = parse::parse(sources.file(id), Dialect::STRICT);
        let declared = SymbolTable::of(&parsed.problems[0]);
        assert_eq!((declared.instances.len(), declared.categories.len(), declared.redeclarations.len()), (3, 2, 1));
        assert_eq!((declared.count("cup.n.01"), declared.count("box.n.01")), (Some(2), None));
        assert_eq!(declared.category_of_object("cup.n.01_1"), Some("box.n.01"));
        let instances: Vec<_> = declared.init().map(|(_, instances)| instances.to_vec()).collect();
        assert_eq!(instances, [[Some(1), None]]);
    }
}

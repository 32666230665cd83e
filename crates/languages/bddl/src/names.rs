//! The names that a problem declares, looked up once for all that look at it: resolver, lints, goals taken apart, checks.

use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::ast::{DeclarationKind, Literal, Name, ObjectGroup, Problem};
use crate::resolve::WILDCARD;

/// What a problem declares, and which of it the literals of `:init` mean.
#[derive(Debug)]
pub(crate) struct Declared<'a> {
    pub(crate) problem: &'a Problem,
    /// Each instance once, in the order of first declarations; behind those of `:objects` come those that are fixtures or
    /// regions only.
    pub(crate) instances: Vec<Instance<'a>>,
    /// How many of them are in `:objects`.
    objects: usize,
    /// Each category once, likewise.
    pub(crate) categories: Vec<Category<'a>>,
    /// The category of each group, as its place in `categories`: of `:objects`, then of fixtures.
    pub(crate) groups: Vec<u32>,
    /// The declarations of instances that are declared already, in order.
    pub(crate) again: Vec<Again<'a>>,
    /// The instances that the arguments in `:init` name, one after the other.
    init: Vec<Option<u32>>,
    instance_places: FxHashMap<&'a str, u32>,
    category_places: FxHashMap<&'a str, u32>,
}

/// A declared instance.
#[derive(Debug)]
pub(crate) struct Instance<'a> {
    /// Its first declaration.
    pub(crate) name: &'a Name,
    /// Its last one.
    pub(crate) last: &'a Name,
    /// The category of the first one, as its place in [`Declared::categories`].
    pub(crate) category: u32,
    /// The category of the last one in `:objects`.
    last_category: u32,
}

/// A declared category.
#[derive(Debug)]
pub(crate) struct Category<'a> {
    pub(crate) name: &'a str,
    /// How many instances `:objects` has of it, as far as they are declared here first.
    instances: usize,
    /// Whether `:objects` names one.
    has_objects: bool,
    /// Whether a wildcard stands for further ones.
    is_open: bool,
}

/// A further declaration of an instance.
#[derive(Debug)]
pub(crate) struct Again<'a> {
    pub(crate) name: &'a Name,
    /// The declaration before.
    pub(crate) before: &'a Name,
    /// The instance, as its place in [`Declared::instances`].
    pub(crate) instance: u32,
    /// The category that it is given here.
    pub(crate) category: u32,
}

impl<'a> Declared<'a> {
    pub(crate) fn of(problem: &'a Problem) -> Self {
        let (instances, categories) = (problem.declarations().count(), problem.groups().count() + 1);
        let mut declared = Self {
            problem,
            instances: Vec::with_capacity(instances),
            objects: 0,
            categories: Vec::with_capacity(categories),
            groups: Vec::with_capacity(categories),
            again: Vec::new(),
            init: Vec::with_capacity(problem.init.iter().map(|literal| literal.atom.arguments.len()).sum()),
            instance_places: FxHashMap::with_capacity_and_hasher(instances, FxBuildHasher),
            category_places: FxHashMap::with_capacity_and_hasher(categories, FxBuildHasher),
        };
        // A group may have a category and no instances.
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

    /// The place of a category, which joins those that are known.
    fn category_place(&mut self, name: &'a str) -> u32 {
        let next = self.categories.len() as u32;
        let place = *self.category_places.entry(name).or_insert(next);
        if place == next {
            self.categories.push(Category { name, instances: 0, has_objects: false, is_open: false });
        }
        place
    }

    /// Takes in a declaration of an instance.
    fn instance_of(&mut self, name: &'a Name, category: u32, in_objects: bool) {
        self.objects += usize::from(in_objects && !self.instance_places.contains_key(&*name.text));
        let next = self.instances.len() as u32;
        let known = *self.instance_places.entry(&name.text).or_insert(next);
        if known == next {
            self.categories[category as usize].instances += usize::from(in_objects);
            self.instances.push(Instance { name, last: name, category, last_category: category });
            return;
        }
        let instance = &mut self.instances[known as usize];
        self.again.push(Again { name, before: instance.last, instance: known, category });
        instance.last = name;
        if in_objects {
            instance.last_category = category;
        }
    }

    /// The place of the instance of this name.
    pub(crate) fn instance(&self, name: &str) -> Option<u32> {
        self.instance_places.get(name).copied()
    }

    /// The place of the category of this name.
    pub(crate) fn category(&self, name: &str) -> Option<u32> {
        self.category_places.get(name).copied()
    }

    /// The category of the thing in `:objects` of this name, as last declared.
    pub(crate) fn category_of_object(&self, name: &str) -> Option<&'a str> {
        let place = self.instance(name).filter(|&place| (place as usize) < self.objects)?;
        Some(self.categories[self.instances[place as usize].last_category as usize].name)
    }

    /// How many instances a category has, if `:objects` has some and no wildcard leaves it open.
    pub(crate) fn count(&self, category: &str) -> Option<usize> {
        let category = &self.categories[self.category(category)? as usize];
        (category.has_objects && !category.is_open).then_some(category.instances)
    }

    /// The literals of `:init`, each with the places of the instances that its arguments name.
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
    fn what_is_declared_again_keeps_its_place() {
        let mut sources = Sources::new();
        let text = "(define (problem p) (:domain omnigibson)
            (:objects cup.n.01_1 cup.n.01_2 - cup.n.01 cup.n.01_1 box.n.01_* - box.n.01)
            (:init (ontop cup.n.01_2 box.n.01_1)) (:goal (and)))";
        let id = sources.add("demo", text);
        let parsed = parse::parse(sources.get(id), Dialect::STRICT);
        let declared = Declared::of(&parsed.problems[0]);
        assert_eq!((declared.instances.len(), declared.categories.len(), declared.again.len()), (3, 2, 1));
        assert_eq!((declared.count("cup.n.01"), declared.count("box.n.01")), (Some(2), None));
        assert_eq!(declared.category_of_object("cup.n.01_1"), Some("box.n.01"));
        let instances: Vec<_> = declared.init().map(|(_, instances)| instances.to_vec()).collect();
        assert_eq!(instances, [[Some(1), None]]);
    }
}

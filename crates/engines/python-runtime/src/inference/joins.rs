//! Joins of types: the type of a value that is of one of two types.

use super::containers::Container;
use super::types::{IterationSource, Kinds, Type, TypeDetail, Types};

/// The maximum number of values of [`TypeDetail::OneOf`].
const MAX_ALTERNATIVES: usize = 16;

/// The built-in functions whose results are numbers, which change nothing and make no lists.
pub(super) const NUMBER_FUNCTIONS: [&str; 9] = ["abs", "bool", "float", "int", "len", "max", "min", "round", "sum"];

impl Types {
    /// Returns the join of two types.
    pub(crate) fn join(&mut self, one: Type, two: Type) -> Type {
        if one == two || two.is_never() {
            return one;
        }
        if one.is_never() {
            return two;
        }
        let kinds = one.kinds.union(two.kinds);
        if kinds.intersects(Kinds::ANY) {
            return Type::ANY;
        }
        if kinds.intersects(Kinds::DETAILED) {
            return self.join_details(one, two);
        }
        let sited = Kinds::LIST.union(Kinds::RECORD);
        if sited.is_subset(kinds) {
            self.want_common_table(one, two);
            return Type::ANY;
        }
        if !self.have_same_class(one, two) {
            return self.one_of(&[one, two]).unwrap_or(Type::ANY);
        }
        let site = match (one.kinds.intersects(sited), two.kinds.intersects(sited)) {
            (true, true) => self.merge(one.site, two.site),
            (true, false) => self.root(one.site),
            (false, true) => self.root(two.site),
            (false, false) => 0,
        };
        let detail = if one.detail == two.detail { one.detail } else { 0 };
        let detail = if kinds.is_single() { detail } else { 0 };
        Type { kinds, classes: one.classes | two.classes, site, detail }
    }

    /// Records that a dict with known keys has to be a table, as the other value is one.
    fn want_common_table(&mut self, one: Type, two: Type) {
        let sited = |kind: Kinds| [one, two].into_iter().find(|ty| ty.kinds.intersects(kind));
        let (Some(table), Some(record)) = (sited(Kinds::LIST), sited(Kinds::RECORD)) else { return };
        let is_dict = matches!(self.site_of(table).container, Container::Dict(_));
        if is_dict && self.record(record).is_some_and(|found| found.class.is_none()) {
            self.wanted_tables.push(record.site);
        }
    }

    /// Returns whether records of the two types are instances of the same class, and lists of the same kind.
    fn have_same_class(&self, one: Type, two: Type) -> bool {
        if one.kinds.intersects(Kinds::LIST) && two.kinds.intersects(Kinds::LIST) {
            return self.site_of(one).container == self.site_of(two).container;
        }
        match (self.record(one), self.record(two)) {
            (Some(one), Some(two)) => one.class == two.class,
            _ => true,
        }
    }

    /// Joins details: tuples element by element; other details that differ have no join.
    fn join_details(&mut self, one: Type, two: Type) -> Type {
        if one.kinds != two.kinds {
            return self.one_of(&[one, two]).unwrap_or(Type::ANY);
        }
        if one.detail == two.detail {
            return one;
        }
        match (self.detail(one).cloned(), self.detail(two).cloned()) {
            (Some(TypeDetail::Tuple(left)), Some(TypeDetail::Tuple(right))) if left.len() == right.len() => {
                self.join_all(&left, &right).map_or(Type::ANY, |parts| self.detailed(TypeDetail::Tuple(parts)))
            }
            (Some(TypeDetail::Slice(left)), Some(TypeDetail::Slice(right))) => {
                self.join_all(&left, &right).map_or(Type::ANY, |parts| self.detailed(TypeDetail::Slice(parts)))
            }
            (Some(TypeDetail::Iterator(left)), Some(TypeDetail::Iterator(right))) => match (left, right) {
                (IterationSource::List(left), IterationSource::List(right)) => {
                    let list = self.join(left, right);
                    self.detailed(TypeDetail::Iterator(IterationSource::List(list)))
                }
                (IterationSource::Enumerate(left, start), IterationSource::Enumerate(right, other))
                    if start == other =>
                {
                    let list = self.join(left, right);
                    self.detailed(TypeDetail::Iterator(IterationSource::Enumerate(list, start)))
                }
                (IterationSource::Entries(left, part), IterationSource::Entries(right, other)) if part == other => {
                    let dict = self.join(left, right);
                    self.detailed(TypeDetail::Iterator(IterationSource::Entries(dict, part)))
                }
                _ => Type::ANY,
            },
            (Some(TypeDetail::View(left, part)), Some(TypeDetail::View(right, other))) if part == other => {
                let dict = self.join(left, right);
                self.detailed(TypeDetail::View(dict, part))
            }
            (Some(TypeDetail::ClassOf(left)), Some(TypeDetail::ClassOf(right))) => {
                let objects = self.join(left, right);
                self.detailed(TypeDetail::ClassOf(objects))
            }
            (Some(TypeDetail::Method(left, method)), Some(TypeDetail::Method(right, other))) if method == other => {
                let receiver = self.join(left, right);
                self.detailed(TypeDetail::Method(receiver, method))
            }
            (
                Some(TypeDetail::BoundFunction(left, code, defaults)),
                Some(TypeDetail::BoundFunction(right, other, others)),
            ) if code == other => match self.join_all(&defaults, &others) {
                Some(defaults) => {
                    let receiver = self.join(left, right);
                    self.detailed(TypeDetail::BoundFunction(receiver, code, defaults))
                }
                None => Type::ANY,
            },
            (Some(TypeDetail::Generator(code, captured, left)), Some(TypeDetail::Generator(other, others, right)))
                if code == other && captured == others =>
            {
                let iterated = self.join(left, right);
                self.detailed(TypeDetail::Generator(code, captured, iterated))
            }
            (
                Some(TypeDetail::Function(code, captured, defaults)),
                Some(TypeDetail::Function(other, other_captured, others)),
            ) if code == other && captured == other_captured => match self.join_all(&defaults, &others) {
                Some(defaults) => self.detailed(TypeDetail::Function(code, captured, defaults)),
                None => Type::ANY,
            },
            _ => self.one_of(&[one, two]).unwrap_or(Type::ANY),
        }
    }

    /// Joins the types of several values. Objects of different classes stay apart, unlike in a sequence of joins, which would first join those
    /// of one class.
    pub(crate) fn join_values(&mut self, values: &[Type]) -> Type {
        let classes_differ = values.windows(2).any(|pair| {
            pair.iter().all(|&value| self.known_object(value).is_some()) && !self.have_same_class(pair[0], pair[1])
        });
        if classes_differ && let Some(joined) = self.one_of(values) {
            return joined;
        }
        values.iter().fold(Type::NEVER, |joined, &value| self.join(joined, value))
    }

    /// Returns the type of one of several values; `None` unless they are fixed, or if there are too many.
    pub(crate) fn one_of(&mut self, values: &[Type]) -> Option<Type> {
        let mut alternatives: Vec<Type> = Vec::new();
        for &value in values {
            let more = match self.detail(value) {
                Some(TypeDetail::OneOf(more)) => more.as_slice(),
                _ if self.is_fixed(value) => &[value],
                _ => return None,
            };
            for &value in more {
                if !alternatives.iter().any(|known| known.detail == value.detail) {
                    alternatives.push(value);
                }
            }
        }
        match *alternatives {
            [] => None,
            [only] => Some(only),
            _ => (alternatives.len() <= MAX_ALTERNATIVES).then(|| self.detailed(TypeDetail::OneOf(alternatives))),
        }
    }

    /// Whether a type has a single value, which is a function, a class of the world, or an instance of a class of the program in the module.
    pub(crate) fn is_fixed(&self, of: Type) -> bool {
        match self.detail(of) {
            Some(TypeDetail::Object(_)) => of.kinds == Kinds::RECORD,
            Some(TypeDetail::Function(..) | TypeDetail::Class(_) | TypeDetail::LibraryFunction(_)) => true,
            // The lists and dicts of one instruction are of one kind.
            Some(TypeDetail::Builtin(builtin)) => NUMBER_FUNCTIONS.contains(&&*builtin.name),
            Some(TypeDetail::BoundFunction(receiver, ..)) => self.is_fixed(*receiver),
            _ => false,
        }
    }

    /// Joins the types of two lists of the same length one by one; `None` if the lengths differ or a join is unknown.
    fn join_all(&mut self, left: &[Type], right: &[Type]) -> Option<Vec<Type>> {
        if left.len() != right.len() {
            return None;
        }
        let joined: Vec<Type> = left.iter().zip(right).map(|(&left, &right)| self.join(left, right)).collect();
        let is_known = !joined.iter().any(|part| part.kinds.intersects(Kinds::ANY));
        is_known.then_some(joined)
    }
}

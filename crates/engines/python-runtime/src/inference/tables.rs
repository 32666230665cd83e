//! Type inference of dicts whose keys are known only at run time, and of sets.
//!
//! They are tables: lists of entries. The keys of a table are numbers, texts, members of an enum, or tuples of these, all of one type, as
//! are its values. A dict is a record with a field for each key as long as its keys are known. When an operation needs a table instead, the
//! inference starts again, with a table for each of the dicts that may be operated on; the places that create them are the same in every
//! run.

use super::calls::Arguments;
use super::containers::{Container, DefaultValue, EntryPart, MissingKey};
use super::interpret::{PathEnd, StepResult, unsupported};
use super::types::{IterationSource, Kinds, Type, TypeDetail};
use super::{Inference, InstanceId};
use crate::code::CodeId;
use crate::library::{BuiltinForm, MethodRow, method};
use crate::machine::{BuiltinConstant, HeapRef};
use crate::operators::BinaryOperator;

/// The place that creates a dict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum DictOrigin {
    /// An instruction of a function, by its index.
    Instruction(CodeId, u32),
    /// The top level, which created this object.
    Object(HeapRef),
}

const KEYS_OF_SEVERAL_TYPES: &str = "keys of several types, or other keys than numbers, texts and members of an enum";
const VALUES_OF_SEVERAL_TYPES: &str = "an entry of a dict with values of several types";

/// The methods of dicts that the inference supports for tables.
const DICT_METHODS: [&str; 8] = ["clear", "copy", "get", "items", "keys", "pop", "setdefault", "values"];

/// The methods of sets that the inference supports.
const SET_METHODS: [&str; 5] = ["add", "clear", "copy", "discard", "remove"];

impl Inference<'_> {
    /// Whether the dicts of an origin are tables.
    pub(super) fn is_table(&self, origin: DictOrigin) -> bool {
        self.tables.contains(&origin)
    }

    /// Ends the path because a dict with known keys has to be a table, into which an entry with these types is to be put; `otherwise`
    /// describes the construct if the dict cannot be one.
    pub(super) fn require_table<T>(
        &mut self,
        dict: Type,
        entry: Option<(Type, Type)>,
        otherwise: &str,
    ) -> StepResult<T> {
        let Ok(fields) = self.dict_fields(dict) else { return unsupported(otherwise) };
        let (mut keys, mut values): (Vec<Type>, Vec<Type>) = fields.into_iter().unzip();
        if let Some((key, value)) = entry {
            keys.push(key);
            values.push(value);
        }
        let fits = keys.iter().all(|&key| self.is_hashable(key)) && self.may_join(&keys) && self.may_join(&values);
        if fits && self.want_table(dict.site) { Err(PathEnd::Unreachable) } else { unsupported(otherwise) }
    }

    /// Makes the dicts of a site tables from the next start on; returns whether there are any.
    pub(super) fn want_table(&mut self, site: u32) -> bool {
        let root = self.types.root(site);
        let origins = self.dict_origins.iter().filter(|(site, _)| self.types.root(**site) == root);
        let origins: Vec<DictOrigin> = origins.map(|(_, &origin)| origin).collect();
        self.wanted_tables.extend(&origins);
        !origins.is_empty()
    }

    /// Returns whether values may be keys of a table.
    fn is_hashable(&self, key: Type) -> bool {
        if let Some(parts) = self.tuple_types(key) {
            return parts.iter().all(|&part| self.is_hashable(part));
        }
        let is_text = key.kinds.exclude_none() == Kinds::TEXT;
        let is_member = key.kinds == Kinds::RECORD && self.are_enum_members([key, key]);
        is_text || is_member || (key.kinds != Kinds::NEVER && key.kinds.is_subset(Kinds::NUMBER))
    }

    /// Returns whether types have a join that is a type of table entries.
    fn may_join(&self, types: &[Type]) -> bool {
        let kinds = types.iter().fold(Kinds::NEVER, |kinds, ty| kinds.union(ty.kinds.difference(Kinds::UNBOUND)));
        if kinds.intersects(Kinds::DETAILED) {
            let tuples: Option<Vec<Vec<Type>>> = types.iter().map(|&ty| self.tuple_types(ty)).collect();
            let Some([first, rest @ ..]) = tuples.as_deref() else {
                return types.windows(2).all(|pair| pair[0] == pair[1]);
            };
            return rest.iter().all(|tuple| tuple.len() == first.len())
                && (0..first.len()).all(|place| {
                    let parts = [first].into_iter().chain(rest).filter_map(|tuple| tuple.get(place).copied());
                    self.may_join(&parts.collect::<Vec<Type>>())
                });
        }
        let is_key_kind = kinds.is_subset(Kinds::NUMBER.union(Kinds::NONE)) || kinds.exclude_none() == Kinds::TEXT;
        let others = kinds.exclude_none();
        is_key_kind || (others.is_single() && others != Kinds::ANY) || kinds == Kinds::NEVER
    }

    /// Returns the types of the keys and values of a dict, or twice that of the members of a set; both are empty if it is always empty.
    pub(crate) fn entry_types(&self, table: Type) -> (Type, Type) {
        let element = self.types.element(table);
        if self.types.container(table) == Some(Container::Set) || element.is_never() {
            return (element, element);
        }
        match self.tuple_types(element).as_deref() {
            Some(&[key, value]) => (key, value),
            _ => (Type::ANY, Type::ANY),
        }
    }

    /// Adds to the types of the keys of a table, and to those of its values if there is one.
    pub(super) fn add_entry(&mut self, table: Type, key: Type, value: Option<Type>) -> StepResult<()> {
        if !self.is_hashable(key) {
            return unsupported(KEYS_OF_SEVERAL_TYPES);
        }
        let element = if self.types.container(table) == Some(Container::Set) {
            key
        } else {
            self.types.detailed(TypeDetail::Tuple(vec![key, value.unwrap_or(Type::NEVER)]))
        };
        self.types.add_element(table, element);
        let (key, value) = self.entry_types(table);
        if value.kinds.intersects(Kinds::ANY) {
            return unsupported(VALUES_OF_SEVERAL_TYPES);
        }
        if self.is_hashable(key) { Ok(()) } else { unsupported(KEYS_OF_SEVERAL_TYPES) }
    }

    /// Interprets an assignment to an entry of a dict.
    pub(super) fn set_entry(&mut self, dict: Type, key: Type, value: Type) -> StepResult<()> {
        if !matches!(self.types.container(dict), Some(Container::Dict(_))) {
            return unsupported("an assignment to an item of a set");
        }
        self.check_stored(dict, value)?;
        self.types.mark_mutated(dict);
        self.add_entry(dict, key, Some(value))
    }

    /// Interprets the addition of a member to a set.
    pub(super) fn add_member(&mut self, set: Type, member: Type) -> StepResult<()> {
        self.types.mark_mutated(set);
        if self.types.site_of(set).is_persistent {
            return unsupported("a set that is kept for the next call");
        }
        self.add_entry(set, member, None)
    }

    /// Returns the type of `dict[key]`.
    pub(super) fn table_item(&mut self, at: InstanceId, pc: usize, dict: Type, key: Type) -> StepResult<Type> {
        let Some(Container::Dict(missing)) = self.types.container(dict) else { return unsupported("an item of a set") };
        if let MissingKey::New(default) = missing {
            let value = match default {
                DefaultValue::Int => Type::INT,
                DefaultValue::Float => Type::FLOAT,
                DefaultValue::List => self.numbered_list(at, pc, 0),
            };
            self.set_entry(dict, key, value)?;
        }
        self.add_entry(dict, key, None)?;
        let (_, value) = self.entry_types(dict);
        match missing {
            MissingKey::Zero => Ok(self.types.join(value, Type::INT)),
            _ if value.is_never() => Err(PathEnd::Unreachable),
            _ => Ok(value),
        }
    }

    /// Interprets `del dict[key]`.
    pub(super) fn delete_entry(&mut self, dict: Type, key: Type) -> StepResult<()> {
        self.types.mark_mutated(dict);
        self.types.mark_losing_keys(dict);
        self.add_entry(dict, key, None)
    }

    /// Returns the type of a method of a table; `None` if the inference does not support it.
    pub(super) fn table_method(&mut self, receiver: Type, name: &str) -> Option<Type> {
        let (class, supported): (&str, &[&str]) = match self.types.container(receiver)? {
            Container::Set => ("set", &SET_METHODS),
            Container::Dict(_) => ("dict", &DICT_METHODS),
            Container::List | Container::Deque(_) => return None,
        };
        let row = method(class, name).filter(|_| supported.contains(&name))?;
        Some(self.types.detailed(TypeDetail::Method(receiver, row)))
    }

    /// Returns the type of a call of a method of a table.
    pub(super) fn call_table_method(
        &mut self,
        at: InstanceId,
        pc: usize,
        table: Type,
        method: &'static MethodRow,
        arguments: &[Type],
    ) -> StepResult<Type> {
        let is_set = self.types.container(table) == Some(Container::Set);
        match (method.name, arguments) {
            ("clear", &[]) => {
                self.types.mark_mutated(table);
                if is_set && self.types.site_of(table).is_persistent {
                    return unsupported("a set that is kept for the next call");
                }
                Ok(Type::NONE)
            }
            ("copy", &[]) => {
                let container = self.types.site_of(table).container;
                let copy = self.new_container(at, pc, 0, container);
                let element = self.types.element(table);
                self.types.add_element(copy, element);
                Ok(copy)
            }
            ("add" | "discard" | "remove", &[member]) => self.add_member(table, member).map(|()| Type::NONE),
            ("get", &[key] | &[key, _]) => {
                self.add_entry(table, key, None)?;
                let otherwise = arguments.get(1).copied().unwrap_or(Type::NONE);
                self.value_or(table, otherwise)
            }
            ("pop", &[key] | &[key, _]) => {
                self.delete_entry(table, key)?;
                match arguments.get(1) {
                    Some(&otherwise) => self.value_or(table, otherwise),
                    None => match self.entry_types(table).1 {
                        value if value.is_never() => Err(PathEnd::Unreachable),
                        value => Ok(value),
                    },
                }
            }
            ("setdefault", &[key, value]) => {
                self.set_entry(table, key, value)?;
                Ok(self.entry_types(table).1)
            }
            ("items", &[]) => Ok(self.types.detailed(TypeDetail::View(table, EntryPart::Item))),
            ("keys", &[]) => Ok(self.types.detailed(TypeDetail::View(table, EntryPart::Key))),
            ("values", &[]) => Ok(self.types.detailed(TypeDetail::View(table, EntryPart::Value))),
            _ => unsupported(format!("the method `{}` with these arguments", method.name)),
        }
    }

    /// Returns the type of a value of a dict or of another value.
    fn value_or(&mut self, dict: Type, otherwise: Type) -> StepResult<Type> {
        let (_, value) = self.entry_types(dict);
        match self.types.join(value, otherwise) {
            joined if joined.kinds.intersects(Kinds::ANY) => unsupported(VALUES_OF_SEVERAL_TYPES),
            joined => Ok(joined),
        }
    }

    /// Returns the type of the containers that an instruction creates, one of several.
    pub(super) fn new_container(&mut self, at: InstanceId, pc: usize, place: usize, container: Container) -> Type {
        let key = (at, (pc | place << 24) as u32);
        let types = &mut self.types;
        let site = *self.sites.entry(key).or_insert_with(|| types.container_site(container));
        self.types.sited(site)
    }

    /// Returns the type of the values of a part of the entries of a dict.
    pub(super) fn part_type(&self, dict: Type, part: EntryPart) -> Type {
        let (key, value) = self.entry_types(dict);
        match part {
            _ if value.is_never() => Type::NEVER,
            EntryPart::Key => key,
            EntryPart::Value => value,
            EntryPart::Item => self.types.element(dict),
        }
    }

    /// Returns the dict and the part of its entries that an iterable consists of, if it is a dict or a view of one.
    pub(crate) fn entries_of(&self, iterable: Type) -> Option<(Type, EntryPart)> {
        match (self.types.container(iterable), self.types.detail(iterable)) {
            (Some(Container::Dict(_)), _) => Some((iterable, EntryPart::Key)),
            (_, Some(&TypeDetail::View(dict, part))) => Some((dict, part)),
            _ => None,
        }
    }

    /// Returns the source of an iterator over the entries of a dict.
    pub(super) fn iterate_entries(&self, dict: Type, part: EntryPart) -> StepResult<IterationSource> {
        if self.types.site_of(dict).loses_keys {
            return unsupported("a loop over a dict that loses keys");
        }
        Ok(IterationSource::Entries(dict, part))
    }

    /// Returns the type of a call of a function that creates a dict or a set; `None` for other functions.
    pub(super) fn call_container(
        &mut self,
        at: InstanceId,
        pc: usize,
        builtin: &BuiltinConstant,
        arguments: &Arguments,
    ) -> StepResult<Option<Type>> {
        let types = arguments.types();
        if !arguments.keywords.is_empty() {
            if builtin.form != Some(BuiltinForm::ToDict) || !types.is_empty() {
                return Ok(None);
            }
            let dict = self.new_record_at(at, pc, None);
            for &(symbol, value) in &arguments.keywords {
                let program = self.program;
                let key = self.types.text(program.name(symbol));
                if self.types.is_table(dict) {
                    self.set_entry(dict, key, value)?;
                } else {
                    self.set_dict_item(dict, key, value, true)?;
                }
            }
            return Ok(Some(dict));
        }
        Ok(Some(match (builtin.form, &*builtin.name, types.as_slice()) {
            (Some(BuiltinForm::ToSet), _, _) => {
                let set = self.new_container(at, pc, 0, Container::Set);
                if let &[iterable] = types.as_slice() {
                    let member = self.value_type(at, pc, iterable)?;
                    if !member.is_never() {
                        self.add_entry(set, member, None)?;
                    }
                }
                set
            }
            (Some(BuiltinForm::ToDict), _, &[]) => self.new_record_at(at, pc, None),
            (Some(BuiltinForm::ToDict), _, &[iterable]) => {
                let dict = self.new_container(at, pc, 0, Container::Dict(MissingKey::Absent));
                let pair = self.value_type(at, pc, iterable)?;
                match self.tuple_types(pair).as_deref() {
                    Some(&[key, value]) => self.set_entry(dict, key, value)?,
                    _ if pair.is_never() => {}
                    _ => return unsupported("`dict` of values that are not pairs"),
                }
                dict
            }
            (_, "Counter", &[]) => self.new_container(at, pc, 0, Container::Dict(MissingKey::Zero)),
            (_, "Counter", &[iterable]) => {
                let counter = self.new_container(at, pc, 0, Container::Dict(MissingKey::Zero));
                let key = self.value_type(at, pc, iterable)?;
                if !key.is_never() {
                    self.set_entry(counter, key, Type::INT)?;
                }
                counter
            }
            (_, "collections.defaultdict", &[factory]) => {
                let default = match self.types.detail(factory) {
                    Some(TypeDetail::Builtin(factory)) => DefaultValue::of_factory(factory),
                    _ => None,
                };
                let Some(default) = default else { return unsupported("a `defaultdict` with this default factory") };
                self.new_container(at, pc, 0, Container::Dict(MissingKey::New(default)))
            }
            _ => return Ok(None),
        }))
    }

    /// Returns the type of an operator on two sets; `None` for other operands.
    pub(super) fn set_operation(
        &mut self,
        (at, pc): (InstanceId, usize),
        operator: BinaryOperator,
        left: Type,
        right: Type,
    ) -> StepResult<Option<Type>> {
        let is_set = |ty: Type| self.types.container(ty) == Some(Container::Set);
        let is_known = matches!(
            operator,
            BinaryOperator::BitAnd | BinaryOperator::BitOr | BinaryOperator::BitXor | BinaryOperator::Sub
        );
        if !is_known || !is_set(left) || !is_set(right) {
            return Ok(None);
        }
        let set = self.new_container(at, pc, 0, Container::Set);
        // Members of either set are searched in the other one.
        for member in [self.types.element(left), self.types.element(right)] {
            if member.is_never() {
                continue;
            }
            for table in [left, right, set] {
                self.add_entry(table, member, None)?;
            }
        }
        Ok(Some(set))
    }
}

impl DefaultValue {
    /// Returns the values of a default factory that is a built-in class.
    pub(crate) fn of_factory(factory: &BuiltinConstant) -> Option<Self> {
        match factory.form? {
            BuiltinForm::ToInt => Some(Self::Int),
            BuiltinForm::ToFloat => Some(Self::Float),
            BuiltinForm::ToList => Some(Self::List),
            _ => None,
        }
    }
}

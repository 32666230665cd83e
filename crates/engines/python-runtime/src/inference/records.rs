//! Type inference of records: instances of classes of the program, and dicts with known keys.
//!
//! The fields of a record have types of their own, by the names of the attributes or by the keys, which must be constants. Records are typed
//! by their allocation sites, as lists are.

use super::containers::{Container, MissingKey};
use super::interpret::{StepResult, unsupported};
use super::iterables::numbered;
use super::tables::DictOrigin;
use super::types::{Kinds, Type, TypeDetail, Types};
use super::{Inference, InstanceId, Origin, StackValue};
use crate::code::{CodeId, Instruction, Symbol, Variable};
use crate::machine::{ClassMember, ConstantValue, Construction, DefaultField, FunctionConstant, HeapRef};

/// The maximum number of fields of a record.
const MAX_FIELDS: usize = 64;

impl Inference<'_> {
    /// Returns the key of the field that an attribute of instances of a class reads. Members of enumerations hold their value and their
    /// name under other names.
    pub(crate) fn field_key(&mut self, class: HeapRef, name: &str) -> Type {
        let is_descriptor = matches!(name, "name" | "value") && self.machine.class_member(class, name).is_none();
        if is_descriptor && self.machine.is_plain_enum(class) {
            return self.types.text(if name == "name" { "_name_" } else { "_value_" });
        }
        self.types.text(name)
    }

    /// Whether values are members of enumerations, or `None`, which are compared by their identity.
    pub(crate) fn are_enum_members(&self, values: [Type; 2]) -> bool {
        values.iter().all(|value| {
            let class = self.types.record(*value).and_then(|found| found.class);
            value.kinds.is_subset(Kinds::RECORD.union(Kinds::NONE))
                && (value.kinds == Kinds::NONE || class.is_some_and(|class| self.machine.is_plain_enum(class)))
        })
    }

    /// Returns the keys of the fields whose equality is that of two instances of a dataclass; `None` for other values, and if the equality
    /// of a field is not known.
    pub(crate) fn compared_fields(&mut self, one: Type, two: Type) -> Option<Vec<Type>> {
        let class = |types: &Types, ty: Type| types.record(ty).filter(|_| ty.kinds == Kinds::RECORD)?.class;
        let owner = class(&self.types, one)?;
        if class(&self.types, two) != Some(owner) {
            return None;
        }
        let names = self.machine.compared_fields(owner)?;
        let keys: Vec<Type> = names.iter().map(|name| self.types.text(name)).collect();
        let field = |key: &Type, ty: Type| self.types.record(ty)?.fields.get(key).copied();
        // A NaN equals itself only as a part of an instance.
        let plain = Kinds::INT.union(Kinds::BOOL).union(Kinds::TEXT).union(Kinds::NONE);
        let are_plain = keys
            .iter()
            .all(|key| [one, two].iter().all(|&ty| field(key, ty).is_some_and(|field| field.kinds.is_subset(plain))));
        are_plain.then_some(keys)
    }

    /// Returns the type of an attribute of a record.
    pub(super) fn record_attribute(&mut self, record: Type, name: &str) -> StepResult<StackValue> {
        let known = |ty: Type| Ok(StackValue { ty, origin: Origin::Unknown });
        let Some(class) = self.types.record(record).and_then(|found| found.class) else {
            return match crate::library::method("dict", name) {
                Some(method) => known(self.types.detailed(TypeDetail::Method(record, method))),
                None => unsupported(format!("the attribute `{name}` of a dict")),
            };
        };
        let member = self.machine.class_member(class, name);
        let key = self.field_key(class, name);
        let field = self.types.record(record).and_then(|found| found.fields.get(&key).copied());
        match (member, field) {
            (Some(ClassMember::Property(get, _)), _) => known(self.bound_function(record, &get)?),
            (Some(ClassMember::Other), _) => unsupported(format!("the attribute `{name}` of a class")),
            (_, Some(field)) if !field.kinds.intersects(Kinds::UNBOUND) => known(field),
            (None, Some(field)) if field.kinds != Kinds::UNBOUND => known(field.exclude(Kinds::UNBOUND)),
            (Some(ClassMember::Method(function)), None) => known(self.bound_function(record, &function)?),
            (Some(_), None) => known(self.class_attribute(class, name)?),
            (None, _) => unsupported(format!("the attribute `{name}`, which may be missing")),
            _ => unsupported(format!("the attribute `{name}` of an instance and of its class")),
        }
    }

    /// Returns the type of a function that receives a value as its first argument.
    pub(super) fn bound_function(&mut self, receiver: Type, function: &FunctionConstant) -> StepResult<Type> {
        let (captured, defaults) = self.function_parts(function);
        if !captured.is_empty() {
            return unsupported("a method that captures variables");
        }
        Ok(self.types.detailed(TypeDetail::BoundFunction(receiver, function.code, defaults)))
    }

    /// Returns the code of a property of records.
    pub(crate) fn property(&self, record: Type, name: &str) -> Option<CodeId> {
        let class = self.types.record(record)?.class?;
        match self.machine.class_member(class, name) {
            Some(ClassMember::Property(get, _)) => Some(get.code),
            _ => None,
        }
    }

    /// Returns an attribute of a class of the program.
    pub(super) fn class_attribute(&mut self, class: HeapRef, name: &str) -> StepResult<Type> {
        let found = match self.machine.class_member(class, name) {
            Some(ClassMember::Static(function) | ClassMember::Method(function)) => {
                self.constant_type(&ConstantValue::Function(function))
            }
            Some(ClassMember::ClassMethod(function)) => {
                let receiver = self.types.detailed(TypeDetail::ProgramClass(class));
                self.bound_function(receiver, &function)?
            }
            Some(ClassMember::Value(_)) if self.assigns_attribute(name) => {
                let (record, key) = self.class_field(class, name)?;
                self.types.record(record).and_then(|found| found.fields.get(&key)).copied().unwrap_or(Type::ANY)
            }
            Some(ClassMember::Value(value)) => self.constant_type(&value),
            _ => Type::ANY,
        };
        if found.kinds.intersects(Kinds::ANY) {
            return unsupported(format!("the attribute `{name}` of a class"));
        }
        Ok(found)
    }

    /// Returns the record of the attributes of a class that change, and the key of an attribute of the class or of a base.
    pub(crate) fn class_field(&mut self, class: HeapRef, name: &str) -> StepResult<(Type, Type)> {
        let Some(owner) = self.machine.attribute_owner(class, name) else {
            return unsupported(format!("the attribute `{name}` of a class"));
        };
        let (record, key) = (self.object_type(owner), self.types.text(name));
        if record.kinds == Kinds::RECORD { Ok((record, key)) } else { unsupported("attributes of a class") }
    }

    /// Sets an attribute of a class of the program.
    pub(super) fn set_class_attribute(&mut self, class: HeapRef, name: &str, value: Type) -> StepResult<()> {
        if self.machine.attribute_owner(class, name) != Some(class) {
            return unsupported("a new attribute of a class");
        }
        let (record, key) = self.class_field(class, name)?;
        self.set_field(record, key, value, true)
    }

    /// Returns a special method of instances of a class of the program.
    pub(crate) fn special_method(&self, record: Type, name: &str) -> Option<FunctionConstant> {
        let class = self.types.record(record).filter(|_| record.kinds == Kinds::RECORD)?.class?;
        match self.machine.class_member(class, name) {
            Some(ClassMember::Method(function)) if function.cells.is_empty() => Some(function),
            _ => None,
        }
    }

    /// Whether a class of the program defines a special method in a form that the fast engine does not call.
    pub(super) fn has_other_special_method(&self, record: Type, name: &str) -> bool {
        let class = self.types.record(record).and_then(|found| found.class);
        class.is_some_and(|class| self.machine.class_member(class, name).is_some())
            && self.special_method(record, name).is_none()
    }

    /// Returns the setter of a property of records.
    pub(crate) fn property_setter(&self, record: Type, name: &str) -> Option<FunctionConstant> {
        let class = self.types.record(record)?.class?;
        match self.machine.class_member(class, name) {
            Some(ClassMember::Property(_, set)) => set.filter(|set| set.cells.is_empty()),
            _ => None,
        }
    }

    /// Returns the type of the method `__call__` of instances.
    pub(crate) fn callable(&mut self, record: Type) -> Option<Type> {
        self.record_attribute(record, "__call__").ok().map(|slot| slot.ty)
    }

    /// Returns whether functions change an attribute of a class.
    pub(crate) fn is_changing_class_attribute(&self, class: HeapRef, name: &str) -> bool {
        matches!(self.machine.class_member(class, name), Some(ClassMember::Value(_))) && self.assigns_attribute(name)
    }

    /// Whether records of a type are instances of a class of the program.
    pub(crate) fn is_instance_of_program(&self, record: Type) -> bool {
        self.types.record(record).is_some_and(|found| found.class.is_some())
    }

    /// Whether all records of a type are truthy.
    pub(crate) fn is_always_truthy(&self, record: Type) -> bool {
        match self.types.record(record) {
            Some(found) => match found.class {
                Some(class) => {
                    ["__bool__", "__len__"].iter().all(|name| self.machine.class_member(class, name).is_none())
                }
                None => found.fields.values().any(|value| !value.kinds.intersects(Kinds::UNBOUND)),
            },
            None => false,
        }
    }

    /// Returns whether a function of the program assigns an attribute with this name.
    pub(super) fn assigns_attribute(&self, name: &str) -> bool {
        let program = self.program;
        let functions = program.codes.iter().filter(|code| code.kind != crate::code::CodeKind::Module);
        let mut instructions = functions.flat_map(|code| &code.instructions);
        instructions.any(|instruction| match instruction {
            Instruction::StoreAttribute(symbol) | Instruction::DeleteAttribute(symbol) => program.name(*symbol) == name,
            _ => false,
        })
    }

    pub(super) fn set_record_attribute(&mut self, record: Type, name: &str, value: Type) -> StepResult<()> {
        let Some(class) = self.types.record(record).and_then(|found| found.class) else {
            return unsupported("an assignment to an attribute of a dict");
        };
        let is_other =
            matches!(self.machine.class_member(class, name), Some(ClassMember::Property(..) | ClassMember::Other));
        if self.machine.is_frozen(class) || is_other {
            return unsupported(format!("an assignment to the attribute `{name}` of a class"));
        }
        let key = self.types.text(name);
        let is_definite = self.is_definite_field(class, name);
        self.set_field(record, key, value, is_definite)
    }

    /// Adds a type to those of a field that an instruction assigns. `is_definite` is whether every new record has the field.
    pub(super) fn set_field(&mut self, record: Type, key: Type, value: Type, is_definite: bool) -> StepResult<()> {
        self.check_stored(record, value)?;
        let Some(found) = self.types.record(record) else { return unsupported("an assignment to an unknown object") };
        let is_new = !found.fields.contains_key(&key);
        if is_new && (self.types.site_of(record).is_persistent || found.fields.len() >= MAX_FIELDS) {
            return self.require_table(record, Some((key, value)), "a new attribute or key of an object of the module");
        }
        if is_new && !is_definite {
            self.types.add_field(record, key, Type::UNBOUND);
        }
        self.types.add_field(record, key, value);
        self.types.mark_mutated(record);
        let joined = self.types.record(record).and_then(|found| found.fields.get(&key)).copied();
        match joined {
            Some(joined) if !joined.kinds.intersects(Kinds::ANY) => Ok(()),
            _ => unsupported("an attribute or entry with values of several types"),
        }
    }

    /// Whether every call of a class's `__init__` assigns an attribute before any use of the instance.
    fn is_definite_field(&self, class: HeapRef, name: &str) -> bool {
        match self.machine.construction(class) {
            Some(Construction::Init(init)) => self.assigns_first(init.code, name),
            Some(Construction::Fields(fields)) => fields.iter().any(|(field, _)| **field == *name),
            _ => false,
        }
    }

    /// Whether a method assigns an attribute of its first parameter in every call, before any other use of that parameter than
    /// assignments of other attributes and reads of attributes assigned before.
    fn assigns_first(&self, code: CodeId, name: &str) -> bool {
        let code = self.program.code(code);
        let Some(parameter) = code.signature.positional.first().map(|parameter| parameter.variable) else {
            return false;
        };
        if matches!(parameter, Variable::Cell(_)) {
            return false;
        }
        let mut assigned = Vec::new();
        // The instruction up to which all paths are one, except for those that join again before it.
        let mut joined_at = 0;
        for (pc, instruction) in code.instructions.iter().enumerate() {
            joined_at = joined_at.max(instruction.jump_target().unwrap_or_default());
            match *instruction {
                Instruction::Return | Instruction::Raise(_) => return false,
                Instruction::Load(variable) if variable == parameter => match code.instructions.get(pc + 1) {
                    Some(Instruction::StoreAttribute(symbol)) if joined_at <= pc => {
                        if self.program.name(*symbol) == name {
                            return true;
                        }
                        assigned.push(*symbol);
                    }
                    Some(Instruction::StoreAttribute(_)) => {}
                    Some(Instruction::LoadAttribute(symbol)) if assigned.contains(symbol) => {}
                    _ => return false,
                },
                _ => {}
            }
        }
        false
    }

    /// Returns the type of a new instance of a class of the program, and the function that initializes it with its defaults.
    pub(super) fn new_instance(
        &mut self,
        at: InstanceId,
        pc: usize,
        class: HeapRef,
    ) -> StepResult<(Type, Construction)> {
        let Some(construction) = self.machine.construction(class) else {
            let name = self.machine.program_class_name(class);
            return unsupported(format!("the creation of an instance of `{name}`"));
        };
        Ok((self.new_record_at(at, pc, Some(class)), construction))
    }

    /// Returns an attribute that instances of a class of the program find in it.
    pub(super) fn class_member(&self, class: HeapRef, name: &str) -> Option<ClassMember> {
        self.machine.class_member(class, name)
    }

    /// Returns the construction of the instances of a class of the program.
    pub(crate) fn construction(&self, class: HeapRef) -> Option<Construction> {
        self.machine.construction(class)
    }

    /// Returns the type of the records that an instruction creates.
    pub(super) fn new_record_at(&mut self, at: InstanceId, pc: usize, class: Option<HeapRef>) -> Type {
        let key = (at, pc as u32);
        if let Some(&site) = self.sites.get(&key) {
            return self.types.sited(site);
        }
        let origin = DictOrigin::Instruction(self.instance_at(at).code, pc as u32);
        let site = if class.is_none() && self.is_table(origin) {
            self.types.container_site(Container::Dict(MissingKey::Absent))
        } else {
            self.types.new_record(class).site
        };
        if class.is_none() && pc != super::calls::KEYWORD_DICT {
            self.dict_origins.insert(site, origin);
        }
        self.sites.insert(key, site);
        self.types.sited(site)
    }

    /// Binds the arguments of the constructor of a dataclass or a named tuple to its fields; `None` for a field that has its default.
    pub(crate) fn bind_fields<T: Clone>(
        &self,
        fields: &[(std::sync::Arc<str>, Option<DefaultField>)],
        positional: &[T],
        keywords: &[(Symbol, T)],
    ) -> Option<Vec<Option<T>>> {
        if positional.len() > fields.len() {
            return None;
        }
        let mut bound: Vec<Option<T>> = positional.iter().cloned().map(Some).collect();
        bound.resize(fields.len(), None);
        let program = self.program;
        for (symbol, value) in keywords {
            let place = fields.iter().position(|(name, _)| **name == *program.name(*symbol))?;
            if bound[place].replace(value.clone()).is_some() {
                return None;
            }
        }
        let is_complete = bound.iter().zip(fields).all(|(value, (_, default))| value.is_some() || default.is_some());
        is_complete.then_some(bound)
    }

    /// Returns the type of the default of a field of an instance that an instruction creates.
    pub(super) fn default_field(&mut self, at: InstanceId, pc: usize, place: u32, default: &DefaultField) -> Type {
        match default {
            DefaultField::Value(value) => self.constant_type(value),
            DefaultField::NewList => self.numbered_list(at, pc, place),
            DefaultField::NewDict => self.new_record_at(at, numbered(pc, place), None),
        }
    }

    /// Returns the type of an entry of a dict with known keys.
    pub(super) fn dict_item(&mut self, record: Type, key: Type) -> StepResult<Type> {
        let fields = self.dict_fields(record)?;
        if self.is_record_key(key) {
            return match fields.iter().find(|(known, _)| *known == key) {
                Some((_, value)) if value.kinds != Kinds::UNBOUND => Ok(value.exclude(Kinds::UNBOUND)),
                _ => unsupported("a key that a dict does not have"),
            };
        }
        self.check_key(key, &fields)?;
        let mut joined = Type::NEVER;
        for (_, value) in fields {
            joined = self.types.join(joined, value.exclude(Kinds::UNBOUND));
        }
        if joined.is_never() || joined.kinds.intersects(Kinds::ANY) {
            return unsupported("an entry of a dict with values of several types");
        }
        Ok(joined)
    }

    /// Rejects keys that are not compared with the known keys of a dict at run time.
    pub(super) fn check_key(&self, key: Type, fields: &[(Type, Type)]) -> StepResult<()> {
        let comparable =
            |key: Type| key.kinds.is_subset(Kinds::TEXT.union(Kinds::INT).union(Kinds::NONE).union(Kinds::BOOL));
        let is_comparable = match self.tuple_types(key) {
            Some(parts) => {
                fields.iter().all(|&(known, _)| {
                    self.types.detail(known).is_some_and(|known| matches!(known, TypeDetail::Tuple(_)))
                }) && parts.iter().all(|&part| comparable(part))
            }
            None => comparable(key) && fields.iter().all(|&(known, _)| comparable(known)),
        };
        if is_comparable { Ok(()) } else { unsupported("a key of a dict that is known only at run time") }
    }

    /// Returns the keys and the types of the values of a dict with known keys.
    pub(crate) fn dict_fields(&self, record: Type) -> StepResult<Vec<(Type, Type)>> {
        match self.types.record(record) {
            Some(found) if found.class.is_none() && record.kinds == Kinds::RECORD => {
                Ok(found.fields.iter().map(|(&key, &value)| (key, value)).collect())
            }
            _ => unsupported("an item of a value that is not a list, or a variable index of a tuple"),
        }
    }

    /// Sets an entry of a dict with known keys.
    pub(super) fn set_dict_item(&mut self, record: Type, key: Type, value: Type, is_definite: bool) -> StepResult<()> {
        self.dict_fields(record)?;
        if !self.is_record_key(key) {
            return self.require_table(record, Some((key, value)), "a dict with keys that are known only at run time");
        }
        self.set_field(record, key, value, is_definite)
    }
}

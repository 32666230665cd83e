//! Type inference of objects and variables of the module.
//!
//! The objects that the top level of the program creates are allocation sites, as instructions are; lists and [records](super::records) of
//! such sites are persistent, and hold no objects of the screen, which differ in each call.

use super::Inference;
use super::containers::{Container, MissingKey};
use super::interpret::{StepResult, unsupported};
use super::tables::DictOrigin;
use super::types::{CapturedVariable, Kinds, Type, TypeDetail, Types};
use crate::code::Symbol;
use crate::machine::{ConstantValue, FunctionConstant, HeapRef, StaticObject};

/// The key of the only field of a captured variable of the module.
const CELL_CONTENTS: &str = "cell_contents";

/// The kinds of values that persistent lists and records may hold.
const PERSISTENT: Kinds =
    Kinds::NUMBER.union(Kinds::NONE).union(Kinds::TEXT).union(Kinds::DETAILED).union(Kinds::UNBOUND);

impl Inference<'_> {
    /// Returns the type of an object of the module.
    pub(super) fn object_type(&mut self, at: HeapRef) -> Type {
        match self.objects.get(&at) {
            Some(&Some(site)) => return self.types.object(site, at),
            Some(None) => return Type::ANY,
            None => {}
        }
        let contents = if self.machine.has_random_state() { None } else { self.machine.static_object(at) };
        let Some(contents) = contents else {
            self.objects.insert(at, None);
            return Type::ANY;
        };
        match contents {
            StaticObject::Instance(class, attributes) => {
                let record = self.types.new_record(Some(class));
                self.objects.insert(at, Some(record.site));
                for (name, value) in attributes {
                    let (key, value) = (self.types.text(&name), self.constant_type(&value));
                    self.types.add_field(record, key, value);
                }
                self.types.mark_persistent(record);
                self.types.object(record.site, at)
            }
            StaticObject::Dict(entries, missing)
                if missing != MissingKey::Absent
                    || self.is_table(DictOrigin::Object(at))
                    || entries.iter().any(|(key, _)| matches!(key, ConstantValue::Object(_))) =>
            {
                let entries = entries.into_iter().map(|(key, value)| (key, Some(value))).collect();
                self.table_object(at, Container::Dict(missing), entries)
            }
            StaticObject::Set(members) => {
                let members = members.into_iter().map(|member| (member, None)).collect();
                self.table_object(at, Container::Set, members)
            }
            StaticObject::Dict(entries, _) => {
                let record = self.types.new_record(None);
                self.objects.insert(at, Some(record.site));
                self.dict_origins.insert(record.site, DictOrigin::Object(at));
                for (key, value) in entries {
                    let (key, value) = (self.constant_type(&key), self.constant_type(&value));
                    if !self.is_record_key(key) {
                        self.objects.insert(at, None);
                        return Type::ANY;
                    }
                    self.types.add_field(record, key, value);
                }
                self.types.mark_persistent(record);
                self.types.object(record.site, at)
            }
            StaticObject::Class(attributes) => {
                let record = self.types.new_record(None);
                self.objects.insert(at, Some(record.site));
                for (name, value) in attributes {
                    if self.assigns_attribute(&name) {
                        let (key, value) = (self.types.text(&name), self.constant_type(&value));
                        self.types.add_field(record, key, value);
                    }
                }
                self.types.mark_persistent(record);
                self.types.object(record.site, at)
            }
            StaticObject::Cell(value) => {
                let record = self.types.new_record(None);
                self.objects.insert(at, Some(record.site));
                if let Some(value) = value {
                    let (key, value) = (self.types.text(CELL_CONTENTS), self.constant_type(&value));
                    self.types.add_field(record, key, value);
                }
                self.types.mark_persistent(record);
                self.types.object(record.site, at)
            }
            StaticObject::List(_) | StaticObject::Deque(..) => {
                let (values, container) = match contents {
                    StaticObject::Deque(values, limit) => {
                        let Ok(limit) = limit.map(u16::try_from).transpose() else {
                            self.objects.insert(at, None);
                            return Type::ANY;
                        };
                        (values, Container::Deque(limit))
                    }
                    StaticObject::List(values) => (values, Container::List),
                    _ => (Vec::new(), Container::List),
                };
                let list = Types::list(self.types.container_site(container));
                self.objects.insert(at, Some(list.site));
                let values: Vec<Type> = values.iter().map(|value| self.constant_type(value)).collect();
                let element = self.types.join_values(&values);
                self.types.add_element(list, element);
                self.types.mark_persistent(list);
                self.types.object(list.site, at)
            }
        }
    }

    /// Returns the type of a dict or a set of the module that is a table.
    fn table_object(
        &mut self,
        at: HeapRef,
        container: Container,
        entries: Vec<(ConstantValue, Option<ConstantValue>)>,
    ) -> Type {
        let table = Types::list(self.types.container_site(container));
        self.objects.insert(at, Some(table.site));
        for (key, value) in entries {
            let (key, value) = (self.constant_type(&key), value.map(|value| self.constant_type(&value)));
            if self.add_entry(table, key, value).is_err() {
                self.objects.insert(at, None);
                return Type::ANY;
            }
        }
        self.types.mark_persistent(table);
        self.types.object(table.site, at)
    }

    /// Returns the objects of the module that the program refers to, with their allocation sites if the fast engine keeps them.
    pub(crate) fn all_module_objects(&self) -> Vec<(HeapRef, Option<u32>)> {
        self.objects.iter().map(|(&at, &site)| (at, site)).collect()
    }

    /// Returns the captured variables of a function of the module, and the types of its defaults.
    pub(crate) fn function_parts(&mut self, function: &FunctionConstant) -> (Vec<CapturedVariable>, Vec<Type>) {
        let mut captured = Vec::new();
        for &cell in &function.cells {
            self.object_type(cell);
            captured.extend(self.objects.get_index_of(&cell).map(CapturedVariable::of_module));
        }
        let defaults = function.defaults.iter().map(|default| self.constant_type(default)).collect();
        (captured, defaults)
    }

    /// Returns the record of a captured variable of the module, and the key of its only field.
    pub(crate) fn module_cell(&mut self, captured: CapturedVariable) -> Option<(Type, Type)> {
        let (&at, &site) = self.objects.get_index(captured.module_cell()?)?;
        let (site, key) = (site?, self.types.text(CELL_CONTENTS));
        Some((self.types.object(site, at), key))
    }

    /// Returns the type of a captured variable of the module.
    pub(super) fn module_cell_type(&mut self, captured: CapturedVariable) -> Option<Type> {
        let (record, key) = self.module_cell(captured)?;
        self.types.record(record)?.fields.get(&key).copied()
    }

    /// Sets a captured variable of the module.
    pub(super) fn set_module_cell(&mut self, captured: CapturedVariable, value: Type) -> StepResult<()> {
        match self.module_cell(captured) {
            Some((record, key)) => self.set_field(record, key, value, true),
            None => unsupported("`nonlocal` variables"),
        }
    }

    /// Returns the index of an object of the module.
    pub(crate) fn object_index(&self, at: HeapRef) -> Option<usize> {
        self.objects.get_index_of(&at)
    }

    /// Returns the value of a type that has only one; `None` if it is not that of a value of the module.
    pub(crate) fn known_constant(&self, ty: Type) -> Option<ConstantValue> {
        if ty.kinds == Kinds::NONE {
            return Some(ConstantValue::None);
        }
        Some(match self.types.detail(ty)? {
            TypeDetail::Bool(truth) => ConstantValue::Bool(*truth),
            TypeDetail::Int(number) => ConstantValue::Int(*number),
            TypeDetail::Float(bits) => ConstantValue::Float(f64::from_bits(*bits)),
            TypeDetail::Text(place) => ConstantValue::Text(self.types.texts[*place as usize].clone()),
            TypeDetail::Tuple(parts) => {
                ConstantValue::Tuple(parts.iter().map(|&part| self.known_constant(part)).collect::<Option<Vec<_>>>()?)
            }
            TypeDetail::Function(code, captured, defaults) => {
                let defaults = defaults.iter().map(|&part| self.known_constant(part)).collect::<Option<Vec<_>>>()?;
                let cells = captured.iter().map(|variable| self.objects.get_index(variable.module_cell()?));
                let cells = cells.map(|cell| cell.map(|(&at, _)| at)).collect::<Option<Vec<_>>>()?;
                ConstantValue::Function(FunctionConstant { code: *code, defaults, cells })
            }
            TypeDetail::Class(class) => ConstantValue::Class(*class),
            TypeDetail::ProgramClass(class) => ConstantValue::ProgramClass(*class),
            TypeDetail::Object(at) => ConstantValue::Object(*at),
            TypeDetail::Builtin(builtin) => ConstantValue::Builtin(builtin.clone()),
            TypeDetail::LibraryFunction(function) => ConstantValue::LibraryFunction(function),
            TypeDetail::Module(name) => ConstantValue::Module(name),
            _ => return None,
        })
    }

    /// Returns the global names that functions of the program assign, with the types of their values.
    pub(crate) fn module_variables(&self) -> impl Iterator<Item = (Symbol, Type)> {
        self.globals.iter().map(|(&symbol, &ty)| (symbol, ty))
    }

    /// Returns whether a constant may be a key of a record: constants of one type, which are equal only if they are the same.
    pub(super) fn is_record_key(&self, key: Type) -> bool {
        match self.types.detail(key) {
            Some(TypeDetail::Text(_) | TypeDetail::Int(_) | TypeDetail::Class(_)) => true,
            Some(TypeDetail::Tuple(parts)) => parts
                .iter()
                .all(|&part| self.is_record_key(part) || matches!(self.types.detail(part), Some(TypeDetail::Bool(_)))),
            _ => key.kinds == Kinds::NONE,
        }
    }

    /// Returns the type of a global variable that functions assign.
    pub(super) fn variable_type(&mut self, symbol: Symbol) -> Type {
        if let Some(&known) = self.globals.get(&symbol) {
            return known;
        }
        let program = self.program;
        let initial = if self.machine.has_random_state() {
            Type::ANY
        } else {
            match self.machine.global_constant(&program.names[symbol.0 as usize]) {
                Some(value) => self.constant_type(&value),
                None => Type::UNBOUND,
            }
        };
        self.globals.insert(symbol, initial);
        initial
    }

    pub(super) fn store_global(&mut self, symbol: Symbol, value: Type) -> StepResult<()> {
        let known = self.variable_type(symbol);
        self.check_persistent(value)?;
        let joined = self.types.join(known, value);
        if joined.kinds.intersects(Kinds::ANY) {
            return unsupported("a global whose values have several types");
        }
        if joined != known {
            self.globals.insert(symbol, joined);
            self.changed = true;
        }
        Ok(())
    }

    /// Marks the lists and records of a value as kept until the next call, and rejects values that cannot be kept.
    fn check_persistent(&mut self, value: Type) -> StepResult<()> {
        let mut sites = Vec::new();
        self.collect_kept(value, &mut sites)?;
        for site in sites {
            self.types.mark_persistent(site);
        }
        Ok(())
    }

    /// Collects the types of the lists and records of a value, and rejects values that cannot be kept until the next call.
    fn collect_kept(&self, value: Type, sites: &mut Vec<Type>) -> StepResult<()> {
        let containers = Kinds::LIST.union(Kinds::RECORD);
        match self.types.detail(value) {
            Some(TypeDetail::Tuple(parts)) => parts.iter().try_for_each(|&part| self.collect_kept(part, sites))?,
            Some(
                TypeDetail::Iterator(_)
                | TypeDetail::Generator(..)
                | TypeDetail::Method(..)
                | TypeDetail::BoundFunction(..)
                | TypeDetail::ClassOf(_)
                | TypeDetail::View(..)
                | TypeDetail::Range(_),
            ) => return unsupported("a function or an iterator that is kept for the next call"),
            _ => {}
        }
        if !value.kinds.is_subset(PERSISTENT.union(containers)) {
            return unsupported("an object of the screen that is kept for the next call");
        }
        if self.types.container(value.restrict(Kinds::LIST)) == Some(Container::Set) {
            return unsupported("a set that is kept for the next call");
        }
        let root = self.types.root(value.site);
        if !value.kinds.intersects(containers) || sites.iter().any(|site| site.site == root) {
            return Ok(());
        }
        sites.push(self.types.sited(root));
        if let Some(record) = self.types.record(value) {
            if record.class.is_some_and(|class| self.machine.is_named_tuple_class(class)) {
                return unsupported("a named tuple that is kept for the next call");
            }
            // The order of attributes and keys that may be missing is not known.
            if record.fields.values().any(|field| field.kinds.intersects(Kinds::UNBOUND)) {
                return unsupported("an object with optional attributes that is kept for the next call");
            }
            record.fields.values().try_for_each(|&field| self.collect_kept(field, sites))?;
        }
        self.collect_kept(self.types.element(value), sites)
    }

    /// Rejects values that the lists or records of a type cannot hold.
    pub(super) fn check_stored(&mut self, container: Type, value: Type) -> StepResult<()> {
        if self.types.site_of(container).is_persistent { self.check_persistent(value) } else { Ok(()) }
    }
}

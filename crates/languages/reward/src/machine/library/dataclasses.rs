//! Classes of fields, and orders made of one comparison.

use ruff_python_ast::CmpOp;

use crate::code::Symbol;
use crate::machine::builtins::Builtin;
use crate::machine::call::Named;
use crate::machine::exceptions::{ExceptionKind, Outcome};
use crate::machine::value::{Cell, ClassKind, Ref, Value};
use crate::machine::{BULK, Machine, cost};

/// What makes a class one of fields.
#[derive(Debug, Clone)]
pub(crate) struct Dataclass {
    pub(crate) fields: Vec<FieldSpec>,
    pub(crate) frozen: bool,
}

/// A field.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FieldSpec {
    pub(crate) name: Symbol,
    pub(crate) default: Option<Value>,
    /// What makes the default.
    pub(crate) factory: Option<Value>,
    init: bool,
    repr: bool,
    compare: bool,
    /// Whether it is part of the hash, if that is said.
    hash: Option<bool>,
    /// Whether it is given by name only, if that is said.
    keyword: Option<bool>,
}

impl FieldSpec {
    /// Tells every value that it holds.
    pub(in crate::machine) fn parts(&self, tell: &mut dyn FnMut(Value)) {
        self.default.into_iter().chain(self.factory).for_each(tell);
    }
}

/// A method that a decorator makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Generated {
    Init,
    Repr,
    Hash,
    /// A comparison of all fields.
    Fields(CmpOp),
    /// A comparison made of another one and of equality.
    Order(CmpOp, CmpOp),
}

/// Options of the decorator, and what they are without being said.
const OPTIONS: [(&str, bool); 10] = [
    ("init", true),
    ("repr", true),
    ("eq", true),
    ("order", false),
    ("unsafe_hash", false),
    ("frozen", false),
    ("match_args", true),
    ("kw_only", false),
    ("slots", false),
    ("weakref_slot", false),
];

const ORDERS: [(&str, CmpOp); 4] =
    [("__lt__", CmpOp::Lt), ("__le__", CmpOp::LtE), ("__gt__", CmpOp::Gt), ("__ge__", CmpOp::GtE)];

impl Machine<'_> {
    pub(super) fn dataclass(&mut self, arguments: &[Value], named: Named<'_>) -> Outcome {
        let mut options = OPTIONS.map(|(_, default)| default);
        for &(symbol, value) in named {
            let name = self.name(symbol);
            let Some(place) = OPTIONS.iter().position(|(other, _)| *other == &*name) else {
                return Err(self.type_error(&format!("dataclass() got an unexpected keyword argument '{name}'")));
            };
            options[place] = self.truth(value)?;
        }
        match *arguments {
            [Value::Ref(class)] if matches!(self.heap.get(class), Cell::Class(_)) => {
                self.make_dataclass(class, options)
            }
            [] => {
                let partial = Cell::Partial {
                    function: Value::Builtin(Builtin::Library("dataclasses.dataclass")),
                    arguments: Box::default(),
                    named: named.into(),
                };
                Ok(Value::Ref(self.heap.add(partial)))
            }
            _ => Err(self.type_error("dataclass() takes a class")),
        }
    }

    fn make_dataclass(&mut self, class: Ref, options: [bool; 10]) -> Outcome {
        let [init, repr, eq, order, unsafe_hash, frozen, _, keywords_only, slots, weakly] = options;
        self.forget_withheld_hash(class);
        self.check_options(class, [eq, order, unsafe_hash, frozen])?;
        if weakly && !slots {
            return Err(self.type_error("weakref_slot is True but slots is False"));
        }
        let mut fields: Vec<FieldSpec> = Vec::new();
        self.spend(2 * cost::CLASS)?;
        for &base in self.class_cell(class).order.iter().skip(1).rev() {
            let Value::Ref(at) = base else { continue };
            if let ClassKind::Dataclass(inherited) = &self.class_cell(at).kind {
                for field in &inherited.fields {
                    put(&mut fields, *field);
                }
            }
        }
        for field in self.own_fields(class)? {
            // Each is looked for among those before it.
            self.spend(cost::CLASS + fields.len() as u64 / BULK)?;
            let keyword = Some(field.keyword.unwrap_or(keywords_only));
            put(&mut fields, FieldSpec { keyword, ..field });
        }
        let mut with_default = false;
        for field in fields.iter().filter(|field| field.init && field.keyword != Some(true)) {
            let has_default = field.default.is_some() || field.factory.is_some();
            if with_default && !has_default {
                let message = format!("non-default argument '{}' follows default argument", self.name(field.name));
                return Err(self.type_error(&message));
            }
            with_default |= has_default;
        }
        if slots {
            self.make_slots(class, &fields)?;
        }
        if let Cell::Class(cell) = self.heap.get_mut(class) {
            cell.kind = ClassKind::Dataclass(Box::new(Dataclass { fields, frozen }));
        }
        let mut methods = Vec::new();
        methods.extend(init.then_some(("__init__", Generated::Init)));
        methods.extend(repr.then_some(("__repr__", Generated::Repr)));
        methods.extend(eq.then_some(("__eq__", Generated::Fields(CmpOp::Eq))));
        methods.extend((unsafe_hash || (eq && frozen)).then_some(("__hash__", Generated::Hash)));
        if order {
            methods.extend(ORDERS.map(|(name, operator)| (name, Generated::Fields(operator))));
        }
        for (name, generated) in methods {
            self.add_method(class, name, generated);
        }
        self.withhold_hash(class);
        Ok(Value::Ref(class))
    }

    /// Removes the missing hash of a class that is there only because of its `__eq__`, so that a hash by fields can take its place.
    fn forget_withheld_hash(&mut self, class: Ref) {
        let (equal, hash) = (self.symbol("__eq__"), self.symbol("__hash__"));
        if let Cell::Class(cell) = self.heap.get_mut(class)
            && cell.fields.contains_key(&equal)
            && matches!(cell.fields.get(&hash), Some(Value::None))
        {
            cell.fields.shift_remove(&hash);
        }
    }

    /// Refuses options that contradict each other, the class, or the classes that it is derived from.
    fn check_options(&mut self, class: Ref, [eq, order, unsafe_hash, frozen]: [bool; 4]) -> Outcome<()> {
        let name = self.class_cell(class).name.clone();
        let bases: Vec<bool> = self.class_cell(class).order[1..]
            .iter()
            .filter_map(|&base| match base {
                Value::Ref(at) => match &self.class_cell(at).kind {
                    ClassKind::Dataclass(dataclass) => Some(dataclass.frozen),
                    _ => None,
                },
                _ => None,
            })
            .collect();
        let any_frozen = bases.contains(&true);
        if !bases.is_empty() && any_frozen != frozen {
            let message = if frozen {
                "cannot inherit frozen dataclass from a non-frozen one"
            } else {
                "cannot inherit non-frozen dataclass from a frozen one"
            };
            return Err(self.type_error(message));
        }
        if order && !eq {
            return Err(self.raise(ExceptionKind::ValueError, "eq must be true if order is true"));
        }
        let fixed: [(bool, &[&str], &str); 3] = [
            (order, &["__lt__", "__le__", "__gt__", "__ge__"], ". Consider using functools.total_ordering"),
            (frozen, &["__setattr__", "__delattr__"], ""),
            (unsafe_hash, &["__hash__"], ""),
        ];
        for (counts, methods, advice) in fixed {
            for method in methods.iter().filter(|_| counts) {
                let symbol = self.symbol(method);
                if self.class_cell(class).fields.contains_key(&symbol) {
                    let message = format!("Cannot overwrite attribute {method} in class {name}{advice}");
                    return Err(self.type_error(&message));
                }
            }
        }
        Ok(())
    }

    /// Lets objects of a class have its fields alone; defaults are no attributes of the class then.
    fn make_slots(&mut self, class: Ref, fields: &[FieldSpec]) -> Outcome<()> {
        let symbol = self.symbol("__slots__");
        if self.class_cell(class).fields.contains_key(&symbol) {
            let message = format!("{} already specifies __slots__", self.class_cell(class).name);
            return Err(self.type_error(&message));
        }
        if let Cell::Class(cell) = self.heap.get_mut(class) {
            for field in fields {
                cell.fields.shift_remove(&field.name);
            }
            cell.slots = Some(fields.iter().map(|field| field.name).collect());
        }
        Ok(())
    }

    /// Adds a method that a class does not have itself.
    fn add_method(&mut self, class: Ref, name: &str, generated: Generated) {
        let symbol = self.symbol(name);
        if !self.class_cell(class).fields.contains_key(&symbol) {
            let method = Value::Ref(self.heap.add(Cell::Generated(class, generated)));
            if let Cell::Class(cell) = self.heap.get_mut(class) {
                cell.fields.insert(symbol, method);
            }
        }
    }

    /// The names of a class that have annotations, in order.
    pub(in crate::machine) fn annotated(&mut self, class: Ref) -> Vec<Symbol> {
        let symbol = self.symbol("__annotations__");
        let annotations = self.class_cell(class).fields.get(&symbol).copied();
        self.named_entries(annotations.unwrap_or(Value::None)).into_iter().map(|(name, _)| name).collect()
    }

    fn own_fields(&mut self, class: Ref) -> Outcome<Vec<FieldSpec>> {
        let mut fields = Vec::new();
        let annotated = self.annotated(class);
        let bare = self.class_cell(class).fields.iter().find_map(|(&name, &value)| match value {
            Value::Ref(at) if matches!(self.heap.get(at), Cell::Field(_)) && !annotated.contains(&name) => Some(name),
            _ => None,
        });
        if let Some(name) = bare {
            let message = format!("'{}' is a field but has no type annotation", self.name(name));
            return Err(self.type_error(&message));
        }
        for name in annotated {
            let value = self.class_cell(class).fields.get(&name).copied();
            let declared = match value {
                Some(Value::Ref(at)) if let Cell::Field(field) = self.heap.get(at) => Some(**field),
                _ => None,
            };
            let default = declared.map_or(value, |field| field.default);
            if let Some(default) = default.filter(|&default| self.is_of_unhashable_class(default)) {
                let class = self.class_of(default);
                let (kind, name) = (self.repr(class)?, self.name(name));
                let message = format!("mutable default {kind} for field {name} is not allowed: use default_factory");
                return Err(self.raise(ExceptionKind::ValueError, &message));
            }
            let plain = FieldSpec {
                name,
                default: value,
                factory: None,
                init: true,
                repr: true,
                compare: true,
                hash: None,
                keyword: None,
            };
            let field = declared.map_or(plain, |field| FieldSpec { name, ..field });
            if declared.is_some()
                && let Cell::Class(cell) = self.heap.get_mut(class)
            {
                match field.default {
                    Some(default) => cell.fields.insert(name, default),
                    None => cell.fields.shift_remove(&name),
                };
            }
            fields.push(field);
        }
        Ok(fields)
    }

    pub(super) fn dataclass_field(&mut self, arguments: &[Value], named: Named<'_>) -> Outcome {
        if !arguments.is_empty() {
            let were = if arguments.len() == 1 { "was" } else { "were" };
            let message = format!("field() takes 0 positional arguments but {} {were} given", arguments.len());
            return Err(self.type_error(&message));
        }
        let name = self.symbol("");
        let mut field = FieldSpec {
            name,
            default: None,
            factory: None,
            init: true,
            repr: true,
            compare: true,
            hash: None,
            keyword: None,
        };
        for &(symbol, value) in named {
            match &*self.name(symbol) {
                "default" => field.default = Some(value),
                "default_factory" => field.factory = Some(value),
                "init" => field.init = self.truth(value)?,
                "repr" => field.repr = self.truth(value)?,
                "compare" => field.compare = self.truth(value)?,
                "kw_only" => field.keyword = Some(self.truth(value)?),
                "hash" if matches!(value, Value::None) => {}
                "hash" => field.hash = Some(self.truth(value)?),
                "metadata" => {
                    let plain = self.plain(value);
                    let is_mapping = matches!(plain, Value::Ref(at) if matches!(self.heap.get(at), Cell::Dict(_)));
                    if !is_mapping && !matches!(value, Value::None) {
                        let class = self.class_name(value);
                        let message = format!("mappingproxy() argument must be a mapping, not {class}");
                        return Err(self.type_error(&message));
                    }
                }
                other => {
                    let message = format!("field() got an unexpected keyword argument '{other}'");
                    return Err(self.type_error(&message));
                }
            }
        }
        if field.default.is_some() && field.factory.is_some() {
            let message = "cannot specify both default and default_factory";
            return Err(self.raise(ExceptionKind::ValueError, message));
        }
        Ok(Value::Ref(self.heap.add(Cell::Field(Box::new(field)))))
    }

    pub(in crate::machine) fn dataclass_of(&self, value: Value) -> Option<&Dataclass> {
        let class = self.class_of_program(value)?;
        self.class_cell(class).order.iter().find_map(|&base| match base {
            Value::Ref(at) => match &self.class_cell(at).kind {
                ClassKind::Dataclass(dataclass) => Some(&**dataclass),
                _ => None,
            },
            _ => None,
        })
    }

    pub(in crate::machine) fn call_generated(
        &mut self,
        class: Ref,
        generated: Generated,
        arguments: &[Value],
        named: Named<'_>,
    ) -> Outcome {
        let Some((&object, rest)) = arguments.split_first() else {
            return Err(self.type_error("a method needs the object that it is called on"));
        };
        let fields = match &self.class_cell(class).kind {
            ClassKind::Dataclass(dataclass) => dataclass.fields.clone(),
            _ => Vec::new(),
        };
        self.spend(cost::CALL * (1 + fields.len() as u64))?;
        match (generated, rest) {
            (Generated::Init, _) => self.init_fields(class, &fields, object, rest, named),
            (Generated::Repr, _) => self.fields_text(&fields, object),
            (Generated::Hash, _) => {
                let hashed: Vec<FieldSpec> = fields
                    .iter()
                    .map(|field| FieldSpec { compare: field.hash.unwrap_or(field.compare), ..*field })
                    .collect();
                let values = self.compared(&hashed, object)?;
                self.hashed(values).map(|hashed| Value::Int(hashed.number()))
            }
            (Generated::Fields(operator), &[other]) => {
                if !crate::machine::compare::same(self.class_of(object), self.class_of(other)) {
                    return Ok(Value::NotImplemented);
                }
                let (one, two) = (self.compared(&fields, object)?, self.compared(&fields, other)?);
                self.compare(operator, one, two)
            }
            (Generated::Order(operator, given), &[other]) => self.derived_order(operator, given, object, other),
            _ => Err(self.type_error("a comparison takes one other object")),
        }
    }

    fn fields_text(&mut self, fields: &[FieldSpec], object: Value) -> Outcome {
        let Value::Ref(at) = object else { return Ok(self.heap.text("")) };
        if self.writing.contains(&at) {
            return Ok(self.heap.text("..."));
        }
        let parts = self.written(at, |machine| {
            let mut parts = Vec::new();
            for field in fields.iter().filter(|field| field.repr) {
                let value = machine.attribute(object, field.name)?;
                parts.push(format!("{}={}", machine.name(field.name), machine.repr(value)?));
            }
            Ok(parts.join(", "))
        })?;
        let class = self.qualified_class(object);
        Ok(self.heap.text(&format!("{class}({parts})")))
    }

    fn compared(&mut self, fields: &[FieldSpec], object: Value) -> Outcome {
        let mut values = Vec::new();
        for field in fields.iter().filter(|field| field.compare) {
            values.push(self.attribute(object, field.name)?);
        }
        Ok(self.heap.tuple(values))
    }

    fn init_fields(
        &mut self,
        class: Ref,
        fields: &[FieldSpec],
        object: Value,
        arguments: &[Value],
        named: Named<'_>,
    ) -> Outcome {
        let function = format!("{}.__init__", self.class_cell(class).qualified);
        // What a factory makes is made only if it is not given.
        let default = |field: &FieldSpec| field.default.or(field.factory.map(|_| Value::NotImplemented));
        let parameter = |field: &&FieldSpec| (field.name, default(field));
        // Those that are given by name stand behind the others.
        let by_place = fields.iter().filter(|field| field.init && field.keyword != Some(true));
        let by_name = fields.iter().filter(|field| field.init && field.keyword == Some(true));
        let places = by_place.clone().count();
        if arguments.len() > places && by_name.clone().next().is_some() {
            let required = by_place.clone().filter(|field| default(field).is_none()).count();
            let message =
                crate::machine::call::too_many(&function, places + 1, places - required, arguments.len() + 1, 0);
            return Err(self.type_error(&message));
        }
        let parameters: Vec<(Symbol, Option<Value>)> = by_place.chain(by_name).map(|field| parameter(&field)).collect();
        let given = self.fields_given(&function, &parameters, arguments, named)?;
        let given: Vec<(Symbol, Value)> = parameters.iter().map(|&(name, _)| name).zip(given).collect();
        for field in fields {
            let value = given.iter().find(|(name, _)| *name == field.name).map(|&(_, value)| value);
            let value = if field.init { value } else { default(field) };
            let value = match (value, field.factory) {
                (Some(Value::NotImplemented), Some(factory)) => Some(self.call_value(factory, &[], &[])?),
                (value, _) => value,
            };
            if let (Some(value), Value::Ref(at)) = (value, object) {
                let fields = match self.heap.get_mut(at) {
                    Cell::Instance { fields, .. } => fields,
                    Cell::Exception(exception) => &mut exception.fields,
                    _ => continue,
                };
                let is_new = fields.insert(field.name, value).is_none();
                self.heap.grew(if is_new { 4 } else { 0 });
            }
        }
        if let Some(method) = self.special(object, "__post_init__") {
            self.call_value(method, &[], &[])?;
        }
        Ok(Value::None)
    }

    /// `asdict` and `astuple`, with what is in fields taken apart, too.
    pub(super) fn fields_of(&mut self, value: Value, as_dict: bool) -> Outcome {
        if self.dataclass_of(value).is_none() {
            let name = if as_dict { "asdict" } else { "astuple" };
            return Err(self.type_error(&format!("{name}() should be called on dataclass instances")));
        }
        self.taken_apart(value, as_dict)
    }

    fn taken_apart(&mut self, value: Value, as_dict: bool) -> Outcome {
        self.spend(cost::OPERATION)?;
        if let Some(dataclass) = self.dataclass_of(value) {
            let names: Vec<Symbol> = dataclass.fields.iter().map(|field| field.name).collect();
            let dict = self.empty_dict();
            let mut values = Vec::new();
            for name in names {
                let field = self.attribute(value, name)?;
                let field = self.nested(|machine| machine.taken_apart(field, as_dict))?;
                let key = Value::Ref(self.heap.add(Cell::Text(self.name(name))));
                self.set_entry(dict, key, field)?;
                values.push(field);
            }
            return Ok(if as_dict { Value::Ref(dict) } else { self.heap.tuple(values) });
        }
        let Value::Ref(at) = value else { return Ok(value) };
        let (values, is_list) = match self.heap.get(at) {
            Cell::List(values) => (values.clone(), true),
            Cell::Tuple(values) => (values.to_vec(), false),
            Cell::Dict(dict) => {
                let entries: Vec<_> = dict.iter().collect();
                let mut pairs = Vec::with_capacity(entries.len());
                for (key, value) in entries {
                    let pair = [key, value].map(|part| self.nested(|machine| machine.taken_apart(part, as_dict)));
                    let [key, value] = pair;
                    pairs.push(self.heap.tuple([key?, value?]));
                }
                let pairs = self.heap.list(pairs);
                return self.construct(self.type_of(value), &[pairs], &[]);
            }
            Cell::Instance { class, base: Some(base), .. } if self.named_tuple_base(*class).is_some() => {
                let (class, base) = (*class, *base);
                let values = self.collected(base)?;
                let parts = self.all_taken_apart(values, as_dict)?;
                return self.call_value(Value::Ref(class), &parts, &[]);
            }
            _ => return Ok(value),
        };
        let parts = self.all_taken_apart(values, as_dict)?;
        Ok(if is_list { self.heap.list(parts) } else { self.heap.tuple(parts) })
    }

    fn all_taken_apart(&mut self, values: Vec<Value>, as_dict: bool) -> Outcome<Vec<Value>> {
        let mut parts = Vec::with_capacity(values.len());
        for value in values {
            parts.push(self.nested(|machine| machine.taken_apart(value, as_dict))?);
        }
        Ok(parts)
    }

    pub(super) fn replaced(&mut self, arguments: &[Value], named: Named<'_>) -> Outcome {
        let object = self.one("replace", arguments, &[])?;
        let Some(dataclass) = self.dataclass_of(object) else {
            return Err(self.type_error("replace() should be called on dataclass instances"));
        };
        let fixed: Vec<Symbol> = dataclass.fields.iter().filter(|field| !field.init).map(|field| field.name).collect();
        let own: Vec<Symbol> = dataclass.fields.iter().filter(|field| field.init).map(|field| field.name).collect();
        if let Some((name, _)) = named.iter().find(|(name, _)| fixed.contains(name)) {
            let message = format!(
                "field {} is declared with init=False, it cannot be specified with replace()",
                self.name(*name)
            );
            return Err(self.raise(ExceptionKind::ValueError, &message));
        }
        let mut all: Vec<(Symbol, Value)> = named.to_vec();
        for name in own {
            if !all.iter().any(|(other, _)| *other == name) {
                all.push((name, self.attribute(object, name)?));
            }
        }
        let class = self.class_of(object);
        self.call_value(class, &[], &all)
    }

    pub(super) fn total_ordering(&mut self, class: Value) -> Outcome {
        let Value::Ref(at) = class else { return Err(self.type_error("total_ordering() takes a class")) };
        // Whatever else there is has all comparisons as objects have them.
        if !self.is_class(class) {
            return Ok(class);
        }
        let has = ORDERS.map(|(name, _)| {
            let symbol = self.symbol(name);
            self.class_field(at, symbol).is_some()
        });
        let Some(given) = has.iter().position(|&has| has) else {
            let message = "must define at least one ordering operation: < > <= >=";
            return Err(self.raise(ExceptionKind::ValueError, message));
        };
        for (place, (name, operator)) in ORDERS.into_iter().enumerate() {
            if !has[place] {
                self.add_method(at, name, Generated::Order(operator, ORDERS[given].1));
            }
        }
        Ok(class)
    }

    /// A comparison made of the one that is given.
    fn derived_order(&mut self, operator: CmpOp, given: CmpOp, object: Value, other: Value) -> Outcome {
        let name = ORDERS.iter().find(|(_, one)| *one == given).map_or("__lt__", |(name, _)| name);
        let Some(method) = self.special(object, name) else { return Ok(Value::NotImplemented) };
        let answer = self.call_value(method, &[other], &[])?;
        if matches!(answer, Value::NotImplemented) {
            return Ok(answer);
        }
        let holds = self.truth(answer)?;
        let strict = |operator: CmpOp| matches!(operator, CmpOp::Lt | CmpOp::Gt);
        let same_way = matches!(operator, CmpOp::Lt | CmpOp::LtE) == matches!(given, CmpOp::Lt | CmpOp::LtE);
        let truth = match (same_way, strict(given), strict(operator)) {
            (true, true, _) => holds || self.is_equal(object, other)?,
            (true, false, _) => holds && !self.is_equal(object, other)?,
            (false, true, true) => !holds && !self.is_equal(object, other)?,
            (false, false, false) => !holds || self.is_equal(object, other)?,
            (false, ..) => !holds,
        };
        Ok(Value::Bool(truth))
    }

    fn is_equal(&mut self, one: Value, two: Value) -> Outcome<bool> {
        let equal = self.compare(CmpOp::Eq, one, two)?;
        self.truth(equal)
    }
}

fn put(fields: &mut Vec<FieldSpec>, field: FieldSpec) {
    match fields.iter_mut().find(|other| other.name == field.name) {
        Some(slot) => *slot = field,
        None => fields.push(field),
    }
}

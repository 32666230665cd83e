//! Enumerations.

use std::sync::Arc;

use indexmap::IndexMap;
use ruff_python_ast::{CmpOp, Operator};

use crate::code::Symbol;
use crate::machine::exceptions::{ExceptionKind, Outcome};
use crate::machine::value::{Cell, Class, ClassKind, Ref, Type, Value};
use crate::machine::{Machine, cost};

impl Machine<'_> {
    /// Whether a class is derived from `Enum`.
    pub(in crate::machine) fn is_enum(&self, class: Ref) -> bool {
        self.class_cell(class).order.iter().any(|&base| matches!(base, Value::Type(Type::Library("Enum"))))
    }

    fn has_base(&self, class: Ref, kind: Type) -> bool {
        self.class_cell(class).order.iter().any(|&base| matches!(base, Value::Type(other) if other == kind))
    }

    /// Makes members of what a class body says.
    pub(in crate::machine) fn make_members(&mut self, class: Ref) -> Outcome<()> {
        let fields: Vec<(Symbol, Value)> =
            self.class_cell(class).fields.iter().map(|(&symbol, &value)| (symbol, value)).collect();
        let mut members: Vec<Ref> = Vec::new();
        let mut last: Option<Value> = None;
        for (symbol, value) in fields {
            self.spend(cost::CLASS)?;
            let name = self.name(symbol);
            if name.starts_with('_') || self.is_descriptor(value) {
                continue;
            }
            let is_auto = matches!(value, Value::Ref(at) if matches!(self.heap.get(at), Cell::Auto));
            let value = match last {
                _ if is_auto && self.has_base(class, Type::Library("StrEnum")) => self.heap.text(&name.to_lowercase()),
                Some(last) if is_auto => self.binary(Operator::Add, last, Value::Int(1))?,
                None if is_auto => Value::Int(1),
                _ => value,
            };
            let greater = match last {
                Some(last) if self.number(value).is_some() => {
                    let greater = self.compare(CmpOp::Gt, value, last)?;
                    self.truth(greater)?
                }
                _ => self.number(value).is_some(),
            };
            if greater {
                last = Some(value);
            }
            let member = if let Some(member) = self.member_of_value(&members, value)? {
                member
            } else {
                let member = self.new_member(class, &name, value)?;
                members.push(member);
                member
            };
            if let Cell::Class(cell) = self.heap.get_mut(class) {
                cell.fields.insert(symbol, Value::Ref(member));
            }
        }
        if let Cell::Class(cell) = self.heap.get_mut(class) {
            cell.kind = ClassKind::Enum(members);
        }
        Ok(())
    }

    /// An enumeration of these members.
    pub(in crate::machine) fn new_enumeration(&mut self, name: &str, values: Vec<(&str, Value)>) -> Ref {
        let class = Class {
            name: name.into(),
            qualified: name.into(),
            fields: IndexMap::new(),
            kind: ClassKind::Plain,
            missing: Vec::new(),
            order: Vec::new(),
            slots: None,
        };
        let class = self.heap.add(Cell::Class(Box::new(class)));
        let mut fields = IndexMap::new();
        let mut members = Vec::with_capacity(values.len());
        for (name, value) in values {
            let member = self.plain_member(class, name, value);
            fields.insert(self.symbol(name), Value::Ref(member));
            members.push(member);
        }
        if let Cell::Class(cell) = self.heap.get_mut(class) {
            cell.order = vec![Value::Ref(class), Value::Type(Type::Library("Enum")), Value::Type(Type::Object)];
            (cell.fields, cell.kind) = (fields, ClassKind::Enum(members));
        }
        class
    }

    fn plain_member(&mut self, class: Ref, name: &str, value: Value) -> Ref {
        let text = self.heap.text(name);
        let mut fields = IndexMap::new();
        for (field, value) in [("name", text), ("value", value), ("_name_", text), ("_value_", value)] {
            fields.insert(self.symbol(field), value);
        }
        self.heap.add(Cell::Instance { class, fields, base: None })
    }

    fn is_descriptor(&self, value: Value) -> bool {
        matches!(value, Value::Ref(at) if matches!(
            self.heap.get(at),
            Cell::Function(_) | Cell::Property { .. } | Cell::StaticMethod(_) | Cell::ClassMethod(_) | Cell::Cached { .. }
        ))
    }

    fn new_member(&mut self, class: Ref, name: &Arc<str>, value: Value) -> Outcome<Ref> {
        let kinds = [Type::Int, Type::Str, Type::Float];
        let base = match kinds.into_iter().find(|&kind| self.has_base(class, kind)) {
            Some(kind) => Some(self.construct(kind, &[value], &[])?),
            None => None,
        };
        let member = self.plain_member(class, name, value);
        if let Cell::Instance { base: own, .. } = self.heap.get_mut(member) {
            *own = base;
        }
        if let Some(init) = self.special(Value::Ref(member), "__init__") {
            let arguments = match value {
                Value::Ref(at) if let Cell::Tuple(values) = self.heap.get(at) => values.to_vec(),
                _ => vec![value],
            };
            self.call_value(init, &arguments, &[])?;
        }
        Ok(member)
    }

    pub(in crate::machine) fn members(&self, class: Ref) -> Option<&[Ref]> {
        match self.heap.get(class) {
            Cell::Class(class) => match &class.kind {
                ClassKind::Enum(members) => Some(members),
                _ => None,
            },
            _ => None,
        }
    }

    /// Refuses to change what a member's name stands for.
    pub(in crate::machine) fn refuse_member(&mut self, class: Ref, name: &str, doing: &str) -> Outcome<()> {
        let Some(members) = self.members(class) else { return Ok(()) };
        let value = self.names.get_index_of(name).and_then(|place| {
            let symbol = Symbol(place as u32);
            self.class_cell(class).fields.get(&symbol).copied()
        });
        let is_member = matches!(value, Some(Value::Ref(at)) if members.contains(&at));
        if !is_member {
            return Ok(());
        }
        let full_stop = if doing.contains("delete") { "." } else { "" };
        Err(self.raise(ExceptionKind::AttributeError, &format!("{doing} '{name}'{full_stop}")))
    }

    fn member_field(&mut self, member: Ref, name: &str) -> Value {
        let symbol = self.symbol(name);
        match self.heap.get(member) {
            Cell::Instance { fields, .. } => fields.get(&symbol).copied().unwrap_or(Value::None),
            _ => Value::None,
        }
    }

    fn member_of_value(&mut self, members: &[Ref], value: Value) -> Outcome<Option<Ref>> {
        for &member in members {
            let own = self.member_field(member, "_value_");
            if self.equal(own, value)? {
                return Ok(Some(member));
            }
        }
        Ok(None)
    }

    /// `Color(1)`.
    pub(in crate::machine) fn member_by_value(&mut self, class: Ref, value: Value) -> Outcome {
        let members = self.members(class).map(<[Ref]>::to_vec).unwrap_or_default();
        if let Value::Ref(at) = value
            && members.contains(&at)
        {
            return Ok(value);
        }
        if let Some(member) = self.member_of_value(&members, value)? {
            return Ok(Value::Ref(member));
        }
        let shown = self.repr(value)?;
        let message = format!("{shown} is not a valid {}", self.class_cell(class).qualified);
        Err(self.raise(ExceptionKind::ValueError, &message))
    }

    /// `Color['RED']`.
    pub(in crate::machine) fn member_by_name(&mut self, class: Ref, name: Value) -> Outcome {
        let found = self.as_text(name).and_then(|text| {
            let symbol = self.symbol(&text);
            self.class_cell(class).fields.get(&symbol).copied()
        });
        match found {
            Some(Value::Ref(at)) if matches!(self.heap.get(at), Cell::Instance { .. }) => Ok(Value::Ref(at)),
            _ => Err(self.raise_with(ExceptionKind::KeyError, vec![name])),
        }
    }

    /// `<Color.RED: 1>`, or `Color.RED`; `None` if a value is no member.
    pub(in crate::machine) fn member_text(&mut self, value: Value, is_repr: bool) -> Outcome<Option<String>> {
        let Value::Ref(at) = value else { return Ok(None) };
        let Cell::Instance { class, .. } = *self.heap.get(at) else { return Ok(None) };
        if !self.is_enum(class) {
            return Ok(None);
        }
        let shown_as_base =
            self.has_base(class, Type::Library("IntEnum")) || self.has_base(class, Type::Library("StrEnum"));
        if !is_repr && shown_as_base {
            let base = self.plain(value);
            return self.str(base).map(Some);
        }
        let name = self.member_field(at, "_name_");
        let name = self.str(name)?;
        let class = self.class_cell(class).name.clone();
        if !is_repr {
            return Ok(Some(format!("{class}.{name}")));
        }
        let value = self.member_field(at, "_value_");
        Ok(Some(format!("<{class}.{name}: {}>", self.repr(value)?)))
    }

    pub(super) fn unique(&mut self, class: Value) -> Outcome {
        let found = match class {
            Value::Ref(at) => self.members(at).map(|members| (at, members.to_vec())),
            _ => None,
        };
        let Some((at, members)) = found else {
            let symbol = self.symbol("__members__");
            return Err(self.no_attribute(class, symbol));
        };
        let fields: Vec<(Symbol, Value)> =
            self.class_cell(at).fields.iter().map(|(&symbol, &value)| (symbol, value)).collect();
        let mut aliases = Vec::new();
        for (symbol, value) in fields {
            let Value::Ref(member) = value else { continue };
            if members.contains(&member) {
                let own = self.member_field(member, "_name_");
                let own = self.str(own)?;
                let name = self.name(symbol);
                if *own != *name {
                    aliases.push(format!("{name} -> {own}"));
                }
            }
        }
        if aliases.is_empty() {
            return Ok(class);
        }
        let shown = self.repr(class)?;
        let message = format!("duplicate values found in {shown}: {}", aliases.join(", "));
        Err(self.raise(ExceptionKind::ValueError, &message))
    }
}

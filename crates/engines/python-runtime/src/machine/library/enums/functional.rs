//! Enumerations without a class body: `Enum("Color", "RED BLUE")`, and those of the world.

use std::sync::Arc;

use crate::machine::Machine;
use crate::machine::call::KeywordArguments;
use crate::machine::exceptions::ExecResult;
use crate::machine::library_class::{ENUM, LibraryClass};
use crate::machine::value::{AttributeMap, Class, ClassKind, HeapObject, HeapRef, Type, Value};

impl Machine {
    /// Creates an enumeration by a call: `Enum('Color', 'RED BLUE')`.
    pub(in crate::machine) fn enum_from_names(
        &mut self,
        base: &'static LibraryClass,
        arguments: &[Value],
        named: KeywordArguments<'_>,
    ) -> ExecResult {
        let parameters = ["value", "names", "module", "qualname", "type", "start", "boundary"];
        let bound = self.bind_library_arguments("EnumType.__call__", parameters, 1, arguments, named)?;
        let [Some(name), Some(listed), _, qualified, None, start, None] = bound else {
            let base = base.name;
            let message = match bound {
                [_, None, ..] => format!("{base}() requires names, or must be the base of a class"),
                _ => format!("{base}() supports only `names`, `start`, `module` and `qualname`: use a class statement"),
            };
            return Err(self.type_error(&message));
        };
        let name: Arc<str> = self.str(name)?.into();
        let qualified = qualified.map_or(Ok(name.clone()), |qualified| self.str(qualified).map(Arc::from))?;
        let bases = [Value::Type(Type::Library(base))];
        let body = self.begin_enum_body(&name, &bases)?;
        let mut body = body.unwrap_or_default();
        body.start = Some(start.map_or(Ok(1), |start| self.as_index(start))?);
        let names_there = self.empty_dict();
        let pairs = self.member_pairs(listed)?;
        let mut fields = AttributeMap::default();
        let is_listed = pairs.iter().all(|(_, value)| value.is_none());
        for (count, (name, value)) in pairs.into_iter().enumerate() {
            let value = match value {
                Some(value) => value,
                None if is_listed && body.generate_next_value.is_none() && !body.is_auto_lowercase => {
                    Value::Int(body.start.unwrap_or(1) + count as i64)
                }
                None => self.auto_value(&body, &name)?,
            };
            let symbol = self.intern(&name);
            let value = self.assign_in_enum_body(&mut body, names_there, symbol, value)?;
            let key = Value::Ref(self.heap.add(HeapObject::Text(name)));
            self.set_entry(names_there, key, value)?;
            fields.insert(symbol, value);
        }
        let (kind, missing, order) = (ClassKind::Plain, Vec::new(), Vec::new());
        let class = Class {
            name,
            qualified_name: qualified,
            attributes: fields,
            kind,
            abstract_methods: missing,
            mro: order,
            slots: None,
        };
        let class = self.heap.add(HeapObject::Class(Box::new(class)));
        let order = self.resolution_order(class, &bases)?;
        if let HeapObject::Class(cell) = self.heap.get_mut(class) {
            cell.mro = order;
        }
        self.make_enum_members(class, body)?;
        Ok(Value::Ref(class))
    }

    /// Returns the names of members, each with its value if one is specified.
    fn member_pairs(&mut self, names: Value) -> ExecResult<Vec<(Arc<str>, Option<Value>)>> {
        if self.as_text(names).is_some() {
            return Ok(self.parse_name_list(names)?.into_iter().map(|name| (name, None)).collect());
        }
        if let Value::Ref(at) = self.base_value(names)
            && let HeapObject::Dict(dict) = self.heap.get(at)
        {
            let entries: Vec<(Value, Value)> = dict.iter().collect();
            let mut pairs = Vec::with_capacity(entries.len());
            for (name, value) in entries {
                pairs.push((self.str(name)?.into(), Some(value)));
            }
            return Ok(pairs);
        }
        let mut pairs = Vec::new();
        for item in self.collect_values(names)? {
            if let Some(name) = self.as_text(item) {
                pairs.push((name, None));
                continue;
            }
            let &[name, value] = &self.collect_values(item)?[..] else {
                return Err(self.type_error("names of members must be strings, or pairs of a string and a value"));
            };
            pairs.push((self.str(name)?.into(), Some(value)));
        }
        Ok(pairs)
    }

    /// Creates an enumeration from the names and values of its members.
    pub(in crate::machine) fn new_enum(&mut self, name: &str, values: Vec<(&str, Value)>) -> HeapRef {
        let class = Class {
            name: name.into(),
            qualified_name: name.into(),
            attributes: AttributeMap::default(),
            kind: ClassKind::Plain,
            abstract_methods: Vec::new(),
            mro: Vec::new(),
            slots: None,
        };
        let class = self.heap.add(HeapObject::Class(Box::new(class)));
        let mut fields = AttributeMap::default();
        let mut members = Vec::with_capacity(values.len());
        for (name, value) in values {
            let member = self.new_plain_enum_member(class, name, value);
            fields.insert(self.intern(name), Value::Ref(member));
            members.push(member);
        }
        if let HeapObject::Class(cell) = self.heap.get_mut(class) {
            cell.mro = vec![Value::Ref(class), Value::Type(Type::Library(&ENUM)), Value::Type(Type::Object)];
            (cell.attributes, cell.kind) = (fields, ClassKind::Enum(members));
        }
        class
    }

    fn new_plain_enum_member(&mut self, class: HeapRef, name: &str, value: Value) -> HeapRef {
        let text = self.heap.text(name);
        let mut fields = AttributeMap::default();
        for (field, value) in [("_name_", text), ("_value_", value)] {
            fields.insert(self.intern(field), value);
        }
        self.heap.add(HeapObject::Instance { class, attributes: Box::new(fields), base_value: None })
    }
}

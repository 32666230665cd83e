//! Translation tables of characters and bytes: `maketrans` and `translate`.

use std::sync::Arc;

use crate::machine::exceptions::{ExceptionKind, ExecError, ExecResult};
use crate::machine::value::{HeapObject, Value};
use crate::machine::{Machine, cost};

impl Machine {
    pub(in crate::machine) fn translated_bytes(
        &mut self,
        bytes: &[u8],
        table: Option<Value>,
        deleted: Option<Value>,
    ) -> ExecResult {
        let table = match table {
            None | Some(Value::None) => None,
            Some(table) => {
                let table = self.expect_bytes(table)?;
                if table.len() != 256 {
                    let message = "translation table must be 256 characters long";
                    return Err(self.raise(ExceptionKind::ValueError, message));
                }
                Some(table)
            }
        };
        let deleted = deleted.map_or(Ok(Arc::default()), |deleted| self.expect_bytes(deleted))?;
        let kept = bytes.iter().filter(|byte| !deleted.contains(byte));
        let translated: Vec<u8> =
            kept.map(|&byte| table.as_ref().map_or(byte, |table| table[usize::from(byte)])).collect();
        self.charge((bytes.len() * (1 + deleted.len() / 64)) as u64 / 16)?;
        Ok(self.new_bytes(translated))
    }

    /// Evaluates `bytes.maketrans(from, to)`.
    pub(in crate::machine) fn bytes_table(&mut self, arguments: &[Value]) -> ExecResult {
        let (from, to) = (self.expect_bytes(arguments[0])?, self.expect_bytes(arguments[1])?);
        if from.len() != to.len() {
            let message = "maketrans arguments must have same length";
            return Err(self.raise(ExceptionKind::ValueError, message));
        }
        self.charge(16 + from.len() as u64 / 8)?;
        let mut table: Vec<u8> = (0..=255).collect();
        for (&one, &other) in from.iter().zip(&*to) {
            table[usize::from(one)] = other;
        }
        Ok(self.new_bytes(table))
    }

    /// Evaluates `str.maketrans(..)`.
    pub(in crate::machine) fn text_table(&mut self, arguments: &[Value]) -> ExecResult {
        let table = self.empty_dict();
        if let &[only] = arguments {
            let is_dict =
                matches!(self.base_value(only), Value::Ref(at) if matches!(self.heap.get(at), HeapObject::Dict(_)));
            if !is_dict {
                let message = "if you give only one argument to maketrans it must be a dict";
                return Err(self.type_error(message));
            }
            let Value::Ref(dict) = self.base_value(only) else { return Ok(Value::None) };
            let entries: Vec<(Value, Value)> = self.dict_mut(dict).iter().collect();
            for (key, value) in entries {
                self.charge(cost::OPERATION)?;
                let key = match self.as_text(key) {
                    None if self.as_number(key).is_some_and(|number| number.to_big_int().is_some()) => key,
                    None => {
                        let message = "keys in translate table must be strings or integers";
                        return Err(self.type_error(message));
                    }
                    Some(text) => {
                        let mut characters = text.chars();
                        let (Some(one), None) = (characters.next(), characters.next()) else {
                            let message = "string keys in translate table must be of length 1";
                            return Err(self.raise(ExceptionKind::ValueError, message));
                        };
                        Value::Int(u32::from(one).into())
                    }
                };
                self.set_entry(table, key, value)?;
            }
            return Ok(Value::Ref(table));
        }
        let mut texts = Vec::with_capacity(3);
        for (place, &argument) in arguments.iter().enumerate() {
            let Some(text) = self.as_text(argument) else {
                let class = self.class_name(argument);
                let message = match place {
                    0 => "first maketrans argument must be a string if there is a second argument".to_owned(),
                    place => format!("maketrans() argument {} must be str, not {class}", place + 1),
                };
                return Err(self.type_error(&message));
            };
            texts.push(text);
        }
        if texts[0].chars().count() != texts[1].chars().count() {
            let message = "the first two maketrans arguments must have equal length";
            return Err(self.raise(ExceptionKind::ValueError, message));
        }
        let key = |character: char| Value::Int(u32::from(character).into());
        for (from, to) in texts[0].chars().zip(texts[1].chars()) {
            self.charge(cost::OPERATION)?;
            self.set_entry(table, key(from), key(to))?;
        }
        for deleted in texts.get(2).cloned().unwrap_or_else(|| "".into()).chars() {
            self.charge(cost::OPERATION)?;
            self.set_entry(table, key(deleted), Value::None)?;
        }
        Ok(Value::Ref(table))
    }

    /// Evaluates `text.translate(table)`.
    pub(in crate::machine) fn translated(&mut self, text: &str, table: Value) -> ExecResult {
        let mut written = String::with_capacity(text.len());
        for character in text.chars() {
            self.charge(cost::OPERATION)?;
            let found = match self.get_item(table, Value::Int(u32::from(character).into())) {
                Err(ExecError::Raised(at)) if self.is_exception_of_kind(at, ExceptionKind::LookupError) => {
                    written.push(character);
                    continue;
                }
                other => other?,
            };
            if matches!(found, Value::None) {
                continue;
            }
            if let Some(part) = self.as_text(found) {
                written.push_str(&part);
                self.check_room_for_bytes(written.len())?;
                continue;
            }
            let number = match self.base_value(found) {
                Value::Int(number) => u32::try_from(number).unwrap_or(u32::MAX),
                Value::Bool(truth) => truth.into(),
                Value::Ref(at) if matches!(self.heap.get(at), HeapObject::BigInt(_)) => u32::MAX,
                _ => return Err(self.type_error("character mapping must return integer, None or str")),
            };
            match char::from_u32(number) {
                Some(character) => written.push(character),
                None if number < 0x11_0000 => {
                    return Err(self.raise(ExceptionKind::ValueError, "surrogates are not supported"));
                }
                None => {
                    let message = "character mapping must be in range(0x110000)";
                    return Err(self.raise(ExceptionKind::ValueError, message));
                }
            }
        }
        Ok(self.heap.text(&written))
    }
}

//! Functions of texts.

use super::conditions::Condition;
use super::values::{Location, Value};
use super::{EmitResult, Emitter, Op};
use crate::inference::text_functions::{TextFunction, converted};
use crate::inference::types::{Kinds, Type};

impl Emitter<'_> {
    /// Emits a function of a text.
    pub(super) fn text_function(&mut self, text: &Value, function: TextFunction) -> EmitResult<Value> {
        let ty = self.inference.types.text_function(&function, text.ty);
        if self.inference.types.constant(ty).is_some() {
            return Ok(Value::constant(ty));
        }
        if let Location::ClassName(o, conversions) = &text.location
            && self.are_known(conversions, &function)
        {
            let location = if ty.kinds == Kinds::BOOL {
                let classes = function.classes(self.inference.world, conversions);
                Some(Location::Condition(Box::new(Condition::Class(*o, classes))))
            } else if ty.kinds == Kinds::TEXT {
                Some(Location::ClassName(*o, conversions.iter().cloned().chain([function.clone()]).collect()))
            } else {
                None
            };
            if let Some(location) = location {
                return Ok(Value { ty, location });
            }
        }
        let a = self.register(text)?;
        let d = self.allocate(1)?;
        let k = self.text_table(function);
        self.push_op(Op::TextTable { d, a, k });
        Ok(Value::in_register(Type::of(ty.kinds), d))
    }

    /// Emits the test of whether a text is part of another one.
    pub(super) fn part_of_text(&mut self, part: &Value, whole: &Value) -> EmitResult<Value> {
        if let Some((function, is_whole)) = TextFunction::of_membership(&self.inference.types, part.ty, whole.ty) {
            return self.text_function(if is_whole { whole } else { part }, function);
        }
        let (a, b) = (self.register(part)?, self.register(whole)?);
        let d = self.allocate(1)?;
        self.push_op(Op::TextContains { d, a, b });
        Ok(Value::in_register(Type::BOOL, d))
    }

    /// Returns the index of the table of a function.
    pub(super) fn text_table(&mut self, function: TextFunction) -> u16 {
        self.text_functions.insert_full(function).0 as u16
    }

    /// Whether functions, one after the other, have results for the names of all classes.
    fn are_known(&self, conversions: &[TextFunction], last: &TextFunction) -> bool {
        let mut names = self.inference.world.screen_classes.iter().map(|class| &*class.name);
        names.all(|name| converted(name, conversions).is_some_and(|text| last.of(&text).is_some()))
    }
}

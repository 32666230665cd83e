//! Generators, which are inlined where their values are used.

use super::calls::Arguments;
use super::values::{Location, Value};
use super::{EmitResult, Emitter, Label, ReturnUse, YieldUse};
use crate::code::{CodeId, CodeKind};
use crate::inference::calls::bind_arguments;
use crate::inference::types::{Type, TypeDetail};

impl Emitter<'_> {
    /// Returns the generator that a call of a generator expression or function makes; `None` for other functions.
    pub(super) fn generator_value(
        &mut self,
        code: CodeId,
        defaults: &[Type],
        arguments: &Arguments,
    ) -> EmitResult<Option<Value>> {
        let code = self.inference.program.code(code);
        let parts = match code.kind {
            CodeKind::GeneratorExpression => arguments.positional.first().cloned(),
            CodeKind::GeneratorFunction => {
                let all = arguments.positional.iter().chain(arguments.keywords.iter().map(|(_, value)| value));
                let mut values = all.cloned().map(|value| self.evaluate_once(value)).collect::<EmitResult<Vec<_>>>()?;
                let given = arguments.positional.len();
                let names = arguments.keywords.iter().zip(given..).map(|((symbol, _), place)| (*symbol, place));
                let first_default = values.len();
                values.extend(defaults.iter().map(|&holds| Value::constant(holds)));
                let places: Vec<usize> = (0..given).collect();
                let default_places: Vec<usize> = (first_default..values.len()).collect();
                let bound = bind_arguments(&code.signature, &places, &names.collect::<Vec<_>>(), &default_places)
                    .ok_or_else(|| "a call with unsuitable arguments".to_owned())?;
                let parts: Vec<Value> = bound.parameters.into_iter().map(|place| values[place].clone()).collect();
                let ty = TypeDetail::Tuple(parts.iter().map(|part| part.ty).collect());
                Some(Value { ty: self.inference.types.detailed(ty), location: Location::Tuple(parts) })
            }
            _ => None,
        };
        let ty = self.result_type();
        Ok(parts.map(|parts| Value { ty, location: Location::Base(Box::new(parts)) }))
    }

    /// Inlines a generator, with `each` applied to its values; execution continues at `then` after the last one.
    pub(super) fn inline_generator(&mut self, generator: &Value, each: YieldUse, then: Label) -> EmitResult<()> {
        let Some(TypeDetail::Generator(code, ..)) = self.inference.types.detail(generator.ty).cloned() else {
            return Err("a value that is not a generator".to_owned());
        };
        let Location::Base(given) = &generator.location else {
            return Err("a generator that is created elsewhere".to_owned());
        };
        let is_function = self.inference.program.code(code).kind == CodeKind::GeneratorFunction;
        let (positional, defaults) = match &given.location {
            Location::Tuple(parts) if is_function => (parts.clone(), self.inference.unused_defaults(code)),
            _ => (vec![(**given).clone()], Vec::new()),
        };
        let Some(child) = self.callee(code) else {
            return Err("an unsupported call".to_owned());
        };
        let bound = self.bind_arguments(child, Arguments { positional, keywords: Vec::new() }, &defaults)?;
        self.inline_function(child, &bound, ReturnUse::Generator { each, then })?;
        Ok(())
    }

    /// Translates a `yield`: uses the value as the consumer of the generator requires.
    pub(super) fn translate_yield(&mut self, value: &Value) -> EmitResult<()> {
        let ReturnUse::Generator { each, .. } = self.frame_mut().return_use.clone() else {
            return Err("a generator outside of a call".to_owned());
        };
        match each {
            YieldUse::First { shape, to, then } => {
                self.store_value(&shape, to, value)?;
                self.jump(then);
            }
            YieldUse::Branch { when, then } => {
                let condition = self.truth_condition(value)?;
                self.branch(&condition, when, then);
            }
            YieldUse::Feed(sink) => self.feed(&sink, value)?,
            YieldUse::Sum { to, kinds } => self.add_to_sum(to, kinds, value)?,
        }
        Ok(())
    }

    /// Translates `yield from`: uses each value of the iterator on the stack, and jumps to the instruction after it.
    pub(super) fn translate_delegate(&mut self, target: usize) -> EmitResult<()> {
        let (_, iterator) = (self.pop(), self.pop());
        self.for_each(&iterator, |emitter, item| emitter.translate_yield(&item))?;
        self.push(Value::constant(Type::NONE));
        self.emit_jump(target)
    }
}

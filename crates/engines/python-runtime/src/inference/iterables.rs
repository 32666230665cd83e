//! Type inference of iterables: lists, tuples, ranges, generator expressions and dicts, where a list of their values is needed.

use super::interpret::{StepResult, unsupported};
use super::types::{IterationSource, Kinds, Type, TypeDetail};
use super::{Inference, InstanceId, StackValue};

/// The description of loops over records with optional fields.
pub(super) const OPTIONAL_KEYS: &str = "a loop over a dict whose keys are known only at run time";

/// Returns the key of one of several lists or dicts that an instruction creates.
pub(super) fn numbered(pc: usize, place: u32) -> usize {
    pc | (place as usize) << 24
}

impl Inference<'_> {
    /// Returns the type of a list of the values of an iterable; a list stays as it is. `place` tells the lists of one instruction apart.
    pub(super) fn list_of(&mut self, at: InstanceId, pc: usize, place: u32, iterable: Type) -> StepResult<Type> {
        if self.types.is_sequence(iterable) {
            return Ok(iterable);
        }
        let element = self.value_type(at, pc, iterable)?;
        if element.kinds.intersects(Kinds::ANY) {
            return unsupported("values of several types");
        }
        let list = self.numbered_list(at, pc, place);
        self.types.add_element(list, element);
        Ok(list)
    }

    /// Returns the type of the list that an instruction creates, one of several.
    pub(super) fn numbered_list(&mut self, at: InstanceId, pc: usize, place: u32) -> Type {
        self.new_list(at, numbered(pc, place))
    }

    /// Returns the type of the values of an iterable.
    pub(super) fn value_type(&mut self, at: InstanceId, pc: usize, iterable: Type) -> StepResult<Type> {
        if let Some((dict, part)) = self.entries_of(iterable) {
            return Ok(self.part_type(dict, part));
        }
        if self.types.is_table(iterable) {
            return unsupported("the members of a set, whose order is not known");
        }
        if iterable.kinds == Kinds::LIST {
            return Ok(self.types.element(iterable));
        }
        if let Some(parts) = self.tuple_types(iterable) {
            return Ok(self.types.join_values(&parts));
        }
        if iterable.kinds == Kinds::RECORD {
            let mut joined = Type::NEVER;
            for (key, value) in self.dict_fields(iterable)? {
                if value.kinds.intersects(Kinds::UNBOUND) {
                    return self.require_table(iterable, None, OPTIONAL_KEYS);
                }
                joined = self.types.join(joined, key);
            }
            return Ok(joined);
        }
        match self.types.detail(iterable) {
            Some(TypeDetail::Generator(..)) => match self.yield_type(at, pc, iterable)? {
                Some(yielded) => Ok(yielded),
                None => unsupported("a loop over a value that is not a list, a range or `enumerate`"),
            },
            Some(TypeDetail::Range(_)) => Ok(Type::INT),
            Some(&TypeDetail::Iterator(source)) => Ok(self.element_type(source)),
            _ => unsupported("a loop over a value that is not a list, a range or `enumerate`"),
        }
    }

    /// Rejects dicts and their views where their entries are read before a loop that may change them, and generators of functions where not
    /// all of their values may be asked for.
    pub(super) fn check_read_before_loop(&self, iterable: Type) -> StepResult<()> {
        if self.entries_of(iterable).is_some() {
            return unsupported("`zip` or `enumerate` of a dict");
        }
        self.reject_generator_function(iterable)
    }

    /// Rejects generators of functions, which may have no end, where not all of their values may be asked for.
    pub(super) fn reject_generator_function(&self, iterable: Type) -> StepResult<()> {
        match self.types.detail(iterable) {
            Some(TypeDetail::Generator(code, ..)) if !self.is_generator_expression(*code) => {
                unsupported("a generator of which not all values may be asked for")
            }
            _ => Ok(()),
        }
    }

    /// Returns the type of the iterator over a value. `stack` is what lies below the value.
    pub(super) fn iterate(&mut self, at: InstanceId, pc: usize, value: Type, stack: &[StackValue]) -> StepResult<Type> {
        if let Some((dict, part)) = self.entries_of(value) {
            let source = self.iterate_entries(dict, part)?;
            return Ok(self.types.detailed(TypeDetail::Iterator(source)));
        }
        let source = match (value.kinds, self.types.detail(value)) {
            (Kinds::LIST, _) if self.types.is_sequence(value) => IterationSource::List(value),
            (Kinds::DETAILED, Some(TypeDetail::Range(step))) => IterationSource::Range(*step),
            (Kinds::DETAILED, Some(TypeDetail::Iterator(_))) => return Ok(value),
            (Kinds::DETAILED, Some(TypeDetail::Generator(code, captured, _))) => {
                self.check_generator_loop(at, pc, stack, (*code, captured))?;
                IterationSource::List(self.list_of(at, pc, 0, value)?)
            }
            _ => IterationSource::List(self.list_of(at, pc, 0, value)?),
        };
        Ok(self.types.detailed(TypeDetail::Iterator(source)))
    }

    /// Returns the type of a list with the elements of several lists in tuples.
    pub(super) fn zip(&mut self, at: InstanceId, pc: usize, iterables: &[Type]) -> StepResult<Type> {
        let mut parts = Vec::new();
        for (place, &iterable) in (1..).zip(iterables) {
            self.check_read_before_loop(iterable)?;
            let list = self.list_of(at, pc, place, iterable)?;
            parts.push(self.types.element(list));
        }
        let list = self.numbered_list(at, pc, 0);
        if parts.iter().any(Type::is_never) {
            return Ok(list);
        }
        let Some(tuple) = self.types.tuple(parts) else { return unsupported("a tuple with too many elements") };
        self.types.add_element(list, tuple);
        Ok(list)
    }

    /// Returns the type of a list that an instruction of the emitted code creates, one of several.
    pub(crate) fn created_numbered_list(&self, instance: InstanceId, pc: usize, place: u32) -> Option<Type> {
        self.created_list(instance, numbered(pc, place))
    }

    /// Returns the type of a slice of a list or of a tuple.
    pub(super) fn slice(&mut self, at: InstanceId, pc: usize, object: Type, parts: &[Type]) -> StepResult<Type> {
        let &[lower, upper, step] = parts else { return unsupported("slices") };
        if step.kinds != Kinds::NONE && self.types.int(step) != Some(1) {
            return unsupported("a slice with a step");
        }
        let bounds = [lower, upper];
        if self.types.is_sequence(object) {
            if !bounds.iter().all(|bound| matches!(bound.kinds, Kinds::NONE | Kinds::INT)) {
                return unsupported("a slice with bounds of several types");
            }
            let list = self.numbered_list(at, pc, 0);
            let element = self.types.element(object);
            self.types.add_element(list, element);
            return Ok(list);
        }
        let Some(values) = self.tuple_types(object) else { return unsupported("slices of this value") };
        let Some((start, end)) = self.constant_slice(values.len(), lower, upper) else {
            return unsupported("a slice of a tuple with variable bounds");
        };
        Ok(self.types.detailed(TypeDetail::Tuple(values[start..end].to_vec())))
    }

    /// Returns the start and the end of a slice of a tuple of this length, if its bounds are constants.
    pub(crate) fn constant_slice(&self, length: usize, lower: Type, upper: Type) -> Option<(usize, usize)> {
        let place = |bound: Type, missing: usize| {
            if bound.kinds == Kinds::NONE {
                return Some(missing);
            }
            let bound = self.types.int(bound)?;
            let back = usize::try_from(bound.unsigned_abs()).ok()?;
            Some(if bound < 0 { length.saturating_sub(back) } else { back.min(length) })
        };
        let (start, end) = (place(lower, 0)?, place(upper, length)?);
        Some((start, end.max(start)))
    }

    /// Returns the type of a list of integers that the emitted code creates.
    pub(crate) fn int_list(&mut self) -> Type {
        let list = super::types::Types::list(self.types.site());
        self.types.add_element(list, Type::INT);
        list
    }
}

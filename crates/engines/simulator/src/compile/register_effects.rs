//! Compilation of effects to loads, operations and writes of numbers.

use goalspec_resource::board::ResourceId;
use goalspec_resource::field::Endpoint;
use goalspec_resource::rules::{self, SelfLoopRule};

use super::Compiler;
use crate::cell::Cell;
use crate::program::effects::{CompiledWrite, EFFECT_REGISTERS, Load, RegisterEffects, Target, Write, WriteOperand};
use crate::program::expressions::{Expr, Operation, RegisterExpression, ValueSource};
use crate::program::slots::{SlotRange, SlotStorage};

/// The mark of a register that holds the result of an operation, numbered by the index of the operation until the number of loads
/// is known.
const COMPUTED: u16 = 1 << 15;

/// Register effects under construction.
struct Registers {
    loads: Vec<Load>,
    operations: Vec<Operation>,
}

/// A value during compilation.
#[derive(Clone, Copy)]
enum OperandValue {
    /// A constant.
    Constant(Cell),
    /// A number in a register: an integer, a real number, or either.
    Int(u16),
    Real(u16),
    Number(u16),
}

impl Registers {
    /// Returns the register of an operand, adding a load if needed.
    fn load(&mut self, load: Load) -> u16 {
        let known = self.loads.iter().position(|known| *known == load);
        known.unwrap_or_else(|| {
            self.loads.push(load);
            self.loads.len() - 1
        }) as u16
    }

    /// Returns the register of a numeric value.
    fn number(&mut self, known: OperandValue) -> Option<u16> {
        match known {
            OperandValue::Constant(cell) => cell.as_f64().map(|number| self.load(Load::Constant(number.to_bits()))),
            OperandValue::Int(register) | OperandValue::Real(register) | OperandValue::Number(register) => {
                Some(register)
            }
        }
    }

    /// Assigns the final register numbers, results after loads; returns `None` if there are too many registers.
    fn finish(self, mut writes: Vec<Write>) -> Option<RegisterEffects> {
        let loaded = self.loads.len();
        if loaded + self.operations.len() > EFFECT_REGISTERS {
            return None;
        }
        let place =
            |register: u16| if register & COMPUTED == 0 { register } else { (register ^ COMPUTED) + loaded as u16 };
        for write in &mut writes {
            match write {
                Write::AddReal { added: register, .. }
                | Write::Add { value: WriteOperand::Int(register) | WriteOperand::Real(register), .. }
                | Write::Replace { value: WriteOperand::Int(register) | WriteOperand::Real(register), .. } => {
                    *register = place(*register);
                }
                Write::AddInt { .. } | Write::Add { .. } | Write::Replace { .. } => {}
            }
        }
        let operations = self.operations.into_iter().map(|operation| operation.with(place));
        Some(RegisterEffects { loads: self.loads.into(), operations: operations.collect(), writes: writes.into() })
    }
}

impl Operation {
    /// Returns the same operation on other registers.
    fn with(self, mut of: impl FnMut(u16) -> u16) -> Self {
        match self {
            Self::Negate(one) => Self::Negate(of(one)),
            Self::Add(one, other) => Self::Add(of(one), of(other)),
            Self::Subtract(one, other) => Self::Subtract(of(one), of(other)),
            Self::Multiply(one, other) => Self::Multiply(of(one), of(other)),
            Self::Divide(one, other) => Self::Divide(of(one), of(other)),
            Self::Unary(function, one) => Self::Unary(function, of(one)),
            Self::Binary(function, one, other) => Self::Binary(function, of(one), of(other)),
            Self::Aggregate(function, operands) => {
                Self::Aggregate(function, operands.iter().copied().map(of).collect())
            }
            Self::Random => Self::Random,
            Self::Between(low, high) => Self::Between(of(low), of(high)),
        }
    }
}

impl Compiler<'_> {
    /// Compiles effects to register effects, if possible; `ends` specifies whether a vector is selected.
    pub(super) fn register_effects(
        &self,
        compute: &[Expr],
        add: &[CompiledWrite],
        replace: &[CompiledWrite],
        ends: bool,
    ) -> Option<RegisterEffects> {
        if self.words.has_bare_nodes() {
            return None;
        }
        let mut registers = Registers { loads: Vec::new(), operations: Vec::new() };
        // Intermediate values do not read each other.
        let computed = compute.iter().map(|value| self.known(&mut registers, value, &[], ends));
        let computed: Vec<OperandValue> = computed.collect::<Option<_>>()?;
        let mut writes = Vec::new();
        for (effects, replaces) in [(add, false), (replace, true)] {
            for effect in effects {
                let value = match self.known(&mut registers, &effect.value, &computed, ends)? {
                    OperandValue::Constant(Cell::Missing) | OperandValue::Number(_) => return None,
                    OperandValue::Constant(cell) => WriteOperand::Constant(cell),
                    OperandValue::Int(register) => WriteOperand::Int(register),
                    OperandValue::Real(register) => WriteOperand::Real(register),
                };
                let target = effect.target;
                let holder = match target {
                    Target::Slot(_) => true,
                    Target::End(..) => ends,
                    Target::Observers(_) | Target::EndObservers(_) => false,
                };
                if !holder {
                    return None;
                }
                writes.push(match target {
                    _ if replaces => Write::Replace { target, value },
                    Target::Slot(slot) => {
                        self.added(&mut registers, slot, value).unwrap_or(Write::Add { target, value })
                    }
                    _ => Write::Add { target, value },
                });
            }
        }
        registers.finish(writes)
    }

    /// Returns the write that adds to a slot, with specialized forms for common storages.
    fn added(&self, registers: &mut Registers, slot: u32, value: WriteOperand) -> Option<Write> {
        match (self.slots.storage(slot), value) {
            (SlotStorage::Int, WriteOperand::Constant(Cell::Int(added))) => {
                let (min, max) = match self.slots.range(self.game, slot) {
                    SlotRange::Free => (i32::MIN, i32::MAX),
                    SlotRange::Range(min, max) if self.game.rules.bounds == rules::SpaceBoundsRule::Ignore => {
                        (min, max)
                    }
                    SlotRange::Range(..) | SlotRange::Span(..) | SlotRange::Declared => return None,
                };
                Some(Write::AddInt { slot, added, min, max })
            }
            (SlotStorage::Real | SlotStorage::Number, WriteOperand::Constant(Cell::Real(added))) => {
                Some(Write::AddReal { slot, added: registers.load(Load::Constant(added.to_bits())) })
            }
            (SlotStorage::Real | SlotStorage::Number, WriteOperand::Real(added)) => {
                Some(Write::AddReal { slot, added })
            }
            _ => None,
        }
    }

    fn known(
        &self,
        registers: &mut Registers,
        value: &Expr,
        computed: &[OperandValue],
        ends: bool,
    ) -> Option<OperandValue> {
        match value {
            Expr::Source(source) => self.loaded(registers, source, computed, ends),
            Expr::Calculate(numeric) => self.calculated(registers, numeric, computed, ends).map(OperandValue::Real),
            Expr::Condition(_) | Expr::General(_) => None,
        }
    }

    fn loaded(
        &self,
        registers: &mut Registers,
        source: &ValueSource,
        computed: &[OperandValue],
        ends: bool,
    ) -> Option<OperandValue> {
        Some(match *source {
            ValueSource::Constant(cell) => OperandValue::Constant(cell),
            ValueSource::Int(slot) => OperandValue::Int(registers.load(Load::Int(slot))),
            ValueSource::Real(slot) => OperandValue::Real(registers.load(Load::Real(slot))),
            ValueSource::Number(slot) => OperandValue::Number(registers.load(Load::Real(slot))),
            ValueSource::Computed(place) => *computed.get(place as usize)?,
            ValueSource::End(end, resource) if ends => match self.storage_at(end, resource)? {
                SlotStorage::Int => OperandValue::Int(registers.load(Load::EndInt(end, resource))),
                SlotStorage::Real => OperandValue::Real(registers.load(Load::EndReal(end, resource))),
                SlotStorage::Number => OperandValue::Number(registers.load(Load::EndReal(end, resource))),
                SlotStorage::Bool | SlotStorage::Tagged => return None,
            },
            ValueSource::End(..)
            | ValueSource::Bool(_)
            | ValueSource::Tagged(_)
            | ValueSource::Observed { .. }
            | ValueSource::Field(_) => {
                return None;
            }
        })
    }

    fn calculated(
        &self,
        registers: &mut Registers,
        numeric: &RegisterExpression,
        computed: &[OperandValue],
        ends: bool,
    ) -> Option<u16> {
        let mut places = Vec::with_capacity(numeric.registers);
        for load in &numeric.loads {
            let known = self.loaded(registers, load, computed, ends)?;
            places.push(registers.number(known)?);
        }
        places.extend(numeric.constants.iter().map(|&number| registers.load(Load::Constant(number.to_bits()))));
        for operation in &numeric.operations {
            let next = u16::try_from(registers.operations.len()).ok().filter(|&next| next < COMPUTED)?;
            registers.operations.push(operation.clone().with(|register| places[register as usize]));
            places.push(COMPUTED | next);
        }
        places.get(numeric.root as usize).copied()
    }

    /// Returns the storage of a resource at the ends of vectors, if it exists at every end with the same storage.
    fn storage_at(&self, end: Endpoint, resource: ResourceId) -> Option<SlotStorage> {
        let hidden = end == Endpoint::Target && self.game.rules.self_loops == SelfLoopRule::SourceOnly;
        let mut storages = self.vectors.all_ends().iter().map(|&[source, target]| {
            if hidden && source == target {
                return None;
            }
            let node = if end == Endpoint::Source { source } else { target };
            Some(self.slots.storage(self.slots.at(resource, node)?))
        });
        let first = storages.next()??;
        storages.all(|storage| storage == Some(first)).then_some(first)
    }
}

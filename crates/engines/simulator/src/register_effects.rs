//! Execution of register effects: load, compute and write numbers without tests in between.

use goalspec_resource::board::{NodeId, ResourceId, SlotId};
use goalspec_resource::field::Endpoint;

use crate::cell::Cell;
use crate::program::CompiledResourceGame;
use crate::program::effects::{EFFECT_REGISTERS, Load, RegisterEffects, Target, Write, WriteOperand};
use crate::state::{BoxedErrorKind, State};

/// The size of a smaller register file, which suffices for most register effects and is faster to clear.
const FEW_REGISTERS: usize = 8;

impl State {
    /// Executes register effects; `ends` are those of the selected vector, if any.
    #[inline]
    pub(crate) fn apply_register_effects(
        &mut self,
        c: &CompiledResourceGame,
        effects: &RegisterEffects,
        ends: Option<[NodeId; 2]>,
    ) -> Result<(), BoxedErrorKind> {
        match effects.loads.len() + effects.operations.len() {
            0 => self.write(c, effects, ends, &[]),
            1..=FEW_REGISTERS => self.apply_with_registers(c, effects, ends, &mut [0.0; FEW_REGISTERS]),
            _ => self.apply_with_registers(c, effects, ends, &mut [0.0; EFFECT_REGISTERS]),
        }
    }

    #[inline]
    fn apply_with_registers(
        &mut self,
        c: &CompiledResourceGame,
        effects: &RegisterEffects,
        ends: Option<[NodeId; 2]>,
        registers: &mut [f64],
    ) -> Result<(), BoxedErrorKind> {
        for (register, load) in registers.iter_mut().zip(&effects.loads) {
            *register = self.load(c, *load, ends);
        }
        self.execute(&effects.operations, registers, effects.loads.len());
        self.write(c, effects, ends, registers)
    }

    #[inline]
    fn load(&self, c: &CompiledResourceGame, load: Load, ends: Option<[NodeId; 2]>) -> f64 {
        let word = |slot: u32| self.words[slot as usize];
        let end = |end, resource| end_slot(c, ends, end, resource).map_or(0, word);
        match load {
            Load::Constant(bits) => f64::from_bits(bits),
            Load::Int(slot) => f64::from(word(slot) as i32),
            Load::Real(slot) => f64::from_bits(word(slot)),
            Load::EndInt(at, resource) => f64::from(end(at, resource) as i32),
            Load::EndReal(at, resource) => f64::from_bits(end(at, resource)),
        }
    }

    #[inline]
    fn write(
        &mut self,
        c: &CompiledResourceGame,
        effects: &RegisterEffects,
        ends: Option<[NodeId; 2]>,
        registers: &[f64],
    ) -> Result<(), BoxedErrorKind> {
        for write in &effects.writes {
            match *write {
                Write::AddInt { slot, added, min, max } => {
                    let word = &mut self.words[slot as usize];
                    let (sum, overflows) = (*word as i32).overflowing_add(added);
                    *word = u64::from(sum.cast_unsigned());
                    if sum < min || sum > max {
                        self.outside.push(SlotId(slot));
                    }
                    if overflows {
                        self.overflowed(c.slots.get(slot));
                    }
                    self.written(c, c.slots.get(slot));
                }
                Write::AddReal { slot, added } => self.add_real(c, slot, registers[added as usize])?,
                Write::Add { target, value } => {
                    if let Some(slot) = target_slot(c, ends, target) {
                        self.add(c, slot, cell(value, registers))?;
                    }
                }
                Write::Replace { target, value } => {
                    if let Some(slot) = target_slot(c, ends, target) {
                        self.put(c, slot, cell(value, registers))?;
                    }
                }
            }
        }
        Ok(())
    }
}

/// Returns the value to write.
#[inline]
fn cell(value: WriteOperand, registers: &[f64]) -> Cell {
    match value {
        WriteOperand::Constant(cell) => cell,
        WriteOperand::Int(register) => Cell::Int(registers[register as usize] as i32),
        WriteOperand::Real(register) => Cell::Real(registers[register as usize]),
    }
}

/// Returns the slot to write.
#[inline]
fn target_slot(c: &CompiledResourceGame, ends: Option<[NodeId; 2]>, target: Target) -> Option<u32> {
    match target {
        Target::Slot(slot) => Some(slot),
        Target::End(end, resource) => end_slot(c, ends, end, resource),
        Target::Observers(_) | Target::EndObservers(_) => None,
    }
}

/// Returns the slot of a resource of an end of the selected vector.
#[inline]
fn end_slot(c: &CompiledResourceGame, ends: Option<[NodeId; 2]>, end: Endpoint, resource: ResourceId) -> Option<u32> {
    let [source, target] = ends?;
    c.slots.at(resource, if end == Endpoint::Source { source } else { target })
}

//! Plain effects: numbers are loaded, computed and written, and nothing is asked on the way.

use goalspec_core::resource::board::NodeId;
use goalspec_core::resource::field::End;

use crate::cell::Cell;
use crate::program::{Compiled, Load, PLAIN_REGISTERS, Plain, Target, Written};
use crate::state::{Fault, State};

impl State {
    /// Brings plain effects about; `ends` are those of the chosen vector, if there is one.
    #[inline]
    pub(crate) fn bring_about(&mut self, c: &Compiled, plain: &Plain, ends: Option<[NodeId; 2]>) -> Result<(), Fault> {
        if plain.loads.is_empty() && plain.operations.is_empty() {
            return self.write(c, plain, ends, &[]);
        }
        let mut registers = [0.0; PLAIN_REGISTERS];
        for (register, load) in registers.iter_mut().zip(&plain.loads) {
            *register = self.load(c, *load, ends);
        }
        self.operate(&plain.operations, &mut registers, plain.loads.len());
        self.write(c, plain, ends, &registers)
    }

    #[inline]
    fn load(&self, c: &Compiled, load: Load, ends: Option<[NodeId; 2]>) -> f64 {
        let word = |slot: u32| self.words[slot as usize];
        let end = |end, resource| end_slot(c, ends, end, resource).map_or(0, word);
        match load {
            Load::Constant(number) => number,
            Load::Int(slot) => f64::from(word(slot) as i32),
            Load::Real(slot) => f64::from_bits(word(slot)),
            Load::EndInt(at, resource) => f64::from(end(at, resource) as i32),
            Load::EndReal(at, resource) => f64::from_bits(end(at, resource)),
        }
    }

    #[inline]
    fn write(
        &mut self,
        c: &Compiled,
        plain: &Plain,
        ends: Option<[NodeId; 2]>,
        registers: &[f64],
    ) -> Result<(), Fault> {
        for write in &plain.writes {
            let value = match write.value {
                Written::Fixed(cell) => cell,
                Written::Int(register) => Cell::Int(registers[register as usize] as i32),
                Written::Real(register) => Cell::Real(registers[register as usize]),
            };
            let slot = match write.target {
                Target::Slot(slot) => Some(slot),
                Target::End(end, resource) => end_slot(c, ends, end, resource),
                Target::Sight(_) | Target::EndSight(_) => None,
            };
            let Some(slot) = slot else { continue };
            if write.replaces { self.put(c, slot, value)? } else { self.add(c, slot, value)? }
        }
        Ok(())
    }
}

/// The slot of a resource of an end of the chosen vector.
#[inline]
fn end_slot(c: &Compiled, ends: Option<[NodeId; 2]>, end: End, resource: u32) -> Option<u32> {
    let [source, target] = ends?;
    c.slot_at(resource, if end == End::Source { source } else { target })
}

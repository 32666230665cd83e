//! Compilation of effects to loads, operations and writes of numbers.

use goalspec_resource::field::End;
use goalspec_resource::rules::{self, SelfLoops};

use super::Compiler;
use crate::cell::Cell;
use crate::program::{
    Bounds, Effect, Expr, Load, Numeric, Operation, PLAIN_REGISTERS, Plain, Source, Store, Target, Write, Written,
};

/// The mark of a register that holds the result of an operation, numbered by the index of the operation until the number of loads
/// is known.
const COMPUTED: u16 = 1 << 15;

/// Plain effects under construction.
struct Registers {
    loads: Vec<Load>,
    operations: Vec<Operation>,
}

/// A value during compilation.
#[derive(Clone, Copy)]
enum Known {
    /// A constant.
    Fixed(Cell),
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
    fn number(&mut self, known: Known) -> Option<u16> {
        match known {
            Known::Fixed(cell) => cell.real().map(|number| self.load(Load::Constant(number.to_bits()))),
            Known::Int(register) | Known::Real(register) | Known::Number(register) => Some(register),
        }
    }

    /// Assigns the final register numbers, results after loads; returns `None` if there are too many registers.
    fn finish(self, mut writes: Vec<Write>) -> Option<Plain> {
        let loaded = self.loads.len();
        if loaded + self.operations.len() > PLAIN_REGISTERS {
            return None;
        }
        let place =
            |register: u16| if register & COMPUTED == 0 { register } else { (register ^ COMPUTED) + loaded as u16 };
        for write in &mut writes {
            match write {
                Write::Grow { added: register, .. }
                | Write::Add { value: Written::Int(register) | Written::Real(register), .. }
                | Write::Put { value: Written::Int(register) | Written::Real(register), .. } => {
                    *register = place(*register);
                }
                Write::Count { .. } | Write::Add { .. } | Write::Put { .. } => {}
            }
        }
        let operations = self.operations.into_iter().map(|operation| operation.with(place));
        Some(Plain { loads: self.loads.into(), operations: operations.collect(), writes: writes.into() })
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
    /// Compiles effects to plain ones, if possible; `ends` specifies whether a vector is selected.
    pub(super) fn plain(&self, compute: &[Expr], add: &[Effect], put: &[Effect], ends: bool) -> Option<Plain> {
        if self.bare.is_some() {
            return None;
        }
        let mut registers = Registers { loads: Vec::new(), operations: Vec::new() };
        // Intermediate values do not read each other.
        let computed = compute.iter().map(|value| self.known(&mut registers, value, &[], ends));
        let computed: Vec<Known> = computed.collect::<Option<_>>()?;
        let mut writes = Vec::new();
        for (effects, replaces) in [(add, false), (put, true)] {
            for effect in effects {
                let value = match self.known(&mut registers, &effect.value, &computed, ends)? {
                    Known::Fixed(Cell::Missing) | Known::Number(_) => return None,
                    Known::Fixed(cell) => Written::Fixed(cell),
                    Known::Int(register) => Written::Int(register),
                    Known::Real(register) => Written::Real(register),
                };
                let target = effect.target;
                let there = match target {
                    Target::Slot(_) => true,
                    Target::End(..) => ends,
                    Target::Sight(_) | Target::EndSight(_) => false,
                };
                if !there {
                    return None;
                }
                writes.push(match target {
                    _ if replaces => Write::Put { target, value },
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
    fn added(&self, registers: &mut Registers, slot: u32, value: Written) -> Option<Write> {
        match (self.stores[slot as usize], value) {
            (Store::Int, Written::Fixed(Cell::Int(added))) => {
                let (min, max) = match self.slot_info(slot as usize, [0; 2]).bounds {
                    Bounds::Free => (i32::MIN, i32::MAX),
                    Bounds::Range(min, max) if self.game.rules.bounds == rules::Bounds::Ignore => (min, max),
                    Bounds::Range(..) | Bounds::Span(..) | Bounds::Declared => return None,
                };
                Some(Write::Count { slot, added, min, max })
            }
            (Store::Real | Store::Number, Written::Fixed(Cell::Real(added))) => {
                Some(Write::Grow { slot, added: registers.load(Load::Constant(added.to_bits())) })
            }
            (Store::Real | Store::Number, Written::Real(added)) => Some(Write::Grow { slot, added }),
            _ => None,
        }
    }

    fn known(&self, registers: &mut Registers, value: &Expr, computed: &[Known], ends: bool) -> Option<Known> {
        match value {
            Expr::Source(source) => self.loaded(registers, source, computed, ends),
            Expr::Calculate(numeric) => self.calculated(registers, numeric, computed, ends).map(Known::Real),
            Expr::Condition(_) | Expr::General(_) => None,
        }
    }

    fn loaded(&self, registers: &mut Registers, source: &Source, computed: &[Known], ends: bool) -> Option<Known> {
        Some(match *source {
            Source::Constant(cell) => Known::Fixed(cell),
            Source::Int(slot) => Known::Int(registers.load(Load::Int(slot))),
            Source::Real(slot) => Known::Real(registers.load(Load::Real(slot))),
            Source::Number(slot) => Known::Number(registers.load(Load::Real(slot))),
            Source::Computed(place) => *computed.get(place as usize)?,
            Source::End(end, resource) if ends => match self.store_at(end, resource)? {
                Store::Int => Known::Int(registers.load(Load::EndInt(end, resource))),
                Store::Real => Known::Real(registers.load(Load::EndReal(end, resource))),
                Store::Number => Known::Number(registers.load(Load::EndReal(end, resource))),
                Store::Bool | Store::Tagged => return None,
            },
            Source::End(..) | Source::Bool(_) | Source::Tagged(_) | Source::Seen { .. } | Source::Field(_) => {
                return None;
            }
        })
    }

    fn calculated(&self, registers: &mut Registers, numeric: &Numeric, computed: &[Known], ends: bool) -> Option<u16> {
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
        places.get(numeric.whole as usize).copied()
    }

    /// Returns the storage of a resource at the ends of vectors, if it exists at every end with the same storage.
    fn store_at(&self, end: End, resource: u32) -> Option<Store> {
        let hidden = end == End::Target && self.game.rules.self_loops == SelfLoops::SourceOnly;
        let mut stores = self.vectors.iter().map(|&[source, target]| {
            if hidden && source == target {
                return None;
            }
            let node = if end == End::Source { source } else { target };
            let slot = self.slots.index.get(&(resource, node.0))?;
            Some(self.stores[*slot as usize])
        });
        let first = stores.next()??;
        stores.all(|store| store == Some(first)).then_some(first)
    }
}

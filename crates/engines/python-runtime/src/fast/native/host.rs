//! Rare operations of register code, which machine code calls.

use goalspec_native::{Host, HostResult, Lists, MAX_ARGUMENTS, Trap};

use crate::fast::frame::PreparedFrame;
use crate::fast::op::{NONE, Op};
use crate::fast::run::{
    FallbackReason, RegisterCode, arrange_heap, bisect, bits, clamped_index, class_name, compute, contains_text, find,
    is_equal_object, overlap, power_of_floats, power_of_ints, rare_attribute, search_cost, statistic, statistic_cost,
    text_result,
};

/// The value of a search that finds nothing.
pub(super) const NOT_FOUND: u64 = NONE;

/// The operations of a function on a frame, by the indices of their register instructions. The arguments are the operands that the
/// instruction reads, in the order of its fields.
pub(super) struct RareOps<'c> {
    pub(super) code: &'c RegisterCode,
    pub(super) frame: &'c PreparedFrame,
}

impl Host for RareOps<'_> {
    fn call(&self, function: u32, arguments: &[u64; MAX_ARGUMENTS], lists: &mut Lists<'_>) -> Result<HostResult, Trap> {
        let op = *self.code.ops.get(function as usize).ok_or(Trap::Bailout)?;
        match self.value(op, arguments) {
            Some(Ok(value)) => Ok(HostResult { values: [value, 0], cost: 0 }),
            Some(Err(reason)) => Err(trap(reason)),
            None => self.run_on_lists(op, arguments, lists),
        }
    }
}

/// Returns the reason to stop a run for a reason to hand a call over.
fn trap(reason: FallbackReason) -> Trap {
    match reason {
        FallbackReason::Overflow => Trap::Overflow,
        FallbackReason::DivisionByZero => Trap::DivisionByZero,
        FallbackReason::OutOfFuel => Trap::OutOfFuel,
        FallbackReason::Unordered => Trap::UnorderedKeys,
        // The register machine tells these reasons.
        FallbackReason::MissingAttribute
        | FallbackReason::TypeMismatch
        | FallbackReason::LongText
        | FallbackReason::FewValues
        | FallbackReason::Finished => Trap::Bailout,
    }
}

impl RareOps<'_> {
    /// Returns the value of an operation that neither uses lists nor fuel; `None` for other operations.
    fn value(&self, op: Op, &[a, b, ..]: &[u64; MAX_ARGUMENTS]) -> Option<Result<u64, FallbackReason>> {
        let float = |bits: u64| f64::from_bits(bits);
        Some(match op {
            Op::Rare { k, .. } => rare_attribute(self.frame, a, k).map(i64::cast_unsigned),
            Op::ClassName { .. } => class_name(self.code, self.frame, a),
            Op::Bits { operator, .. } => bits(operator, a.cast_signed(), b.cast_signed()).map(i64::cast_unsigned),
            Op::PowInt { .. } => power_of_ints(a.cast_signed(), b.cast_signed()).map(i64::cast_unsigned),
            Op::PowF { .. } => power_of_floats(float(a), float(b)).map(f64::to_bits),
            Op::Function { function, .. } => compute(function, a, b),
            Op::TextTable { k, .. } => text_result(self.code, k, a),
            Op::IfEqualObjects { .. } | Op::RemoveObject { .. } => {
                is_equal_object(self.code, self.frame, a, b).map(u64::from)
            }
            _ => return None,
        })
    }

    fn run_on_lists(
        &self,
        op: Op,
        arguments: &[u64; MAX_ARGUMENTS],
        lists: &mut Lists<'_>,
    ) -> Result<HostResult, Trap> {
        let &[a, b, c, d, ..] = arguments;
        let (value, cost) = match op {
            Op::Heap { function, k, .. } => {
                let order = self.code.orders.get(usize::from(k)).ok_or(Trap::Bailout)?;
                let cost = arrange_heap(function, lists.get_mut(a)?, order).map_err(trap)?;
                (0, cost.cast_unsigned())
            }
            Op::Overlap { .. } => {
                let (value, tag) = overlap(self.code, self.frame, a, b).map_err(trap)?;
                return Ok(HostResult { values: [value, tag as u64], cost: 0 });
            }
            Op::Statistic { function, floats, .. } => {
                let list = lists.get(a)?;
                let (value, tag) = statistic(function, list, floats).map_err(trap)?;
                let cost = statistic_cost(list.len()).cast_unsigned();
                return Ok(HostResult { values: [value, tag as u64], cost });
            }
            Op::TextContains { .. } => {
                let (is_part, cost) = contains_text(self.code, a, b).map_err(trap)?;
                (is_part.into(), cost.cast_unsigned())
            }
            Op::Find { k, .. } => {
                let shape = self.code.key_shapes.get(usize::from(k)).ok_or(Trap::Bailout)?;
                let list = lists.get(a)?;
                let place = find(list, &arguments[1..], shape).map_err(trap)?;
                (place.map_or(NOT_FOUND, |place| place as u64), search_cost(list.len()).cast_unsigned())
            }
            Op::Bisect { is_right, floats, .. } => (bisect(lists.get(a)?, b, is_right, floats) as u64, 0),
            Op::ExtendSlice { .. } => {
                let length = lists.get(b)?.len();
                let (start, end) = (clamped_index(c.cast_signed(), length), clamped_index(d.cast_signed(), length));
                let end = end.max(start);
                lists.extend_from(a, b, start..end)?;
                (0, (end - start) as u64)
            }
            Op::Pop { width, .. } => {
                let place = usize::try_from(b).map_err(|_| Trap::Bailout)?;
                lists.replace(a, place..place.saturating_add(width.into()), &[])?;
                (0, moved_cost(lists.get(a)?.len() - place))
            }
            Op::Insert { width, .. } => {
                let place = clamped_index(b.cast_signed(), lists.get(a)?.len());
                let words = arguments.get(2..2 + usize::from(width)).ok_or(Trap::Bailout)?;
                lists.replace(a, place..place, words)?;
                (0, moved_cost(lists.get(a)?.len() - place))
            }
            Op::RemoveSlice { .. } => {
                let length = lists.get(a)?.len();
                let start = clamped_index(b.cast_signed(), length);
                let end = clamped_index(c.cast_signed(), length).max(start);
                lists.replace(a, start..end, &[])?;
                (0, moved_cost(lists.get(a)?.len() - start))
            }
            Op::Clear { .. } => {
                let length = lists.get(a)?.len();
                lists.replace(a, 0..length, &[])?;
                (0, 0)
            }
            Op::KeepLast { k, .. } => {
                let surplus = lists.get(a)?.len().saturating_sub(k.into());
                lists.replace(a, 0..surplus, &[])?;
                (0, 0)
            }
            Op::Reverse { width, .. } => {
                lists.reverse(a, width.into())?;
                (0, lists.get(a)?.len() as u64)
            }
            _ => return Err(Trap::Bailout),
        };
        Ok(HostResult { values: [value, 0], cost })
    }
}

/// Returns the fuel for moving so many words.
fn moved_cost(words: usize) -> u64 {
    (words / 16) as u64
}

//! Execution of methods of lists and of slices.

use smallvec::SmallVec;

use super::{FallbackReason, Heap, Op, OpResult, Reg, RegisterCode, Registers, functions, heaps, statistics};

/// Runs a method of lists; returns the index of the next instruction.
#[inline(never)]
pub(super) fn step_list_methods(
    r: &mut Registers,
    heap: &mut Heap,
    code: &RegisterCode,
    op: &Op,
    next: usize,
) -> OpResult<usize> {
    match *op {
        Op::ExtendSlice { l, m, a } => {
            let (to, from) = (r.0[l as usize] as usize, r.0[m as usize] as usize);
            if to == from {
                return Err(FallbackReason::OutOfFuel);
            }
            let Some(mut longer) = heap.lists.get_mut(to).map(std::mem::take) else {
                return Err(FallbackReason::TypeMismatch);
            };
            let list = heap.lists.get(from).ok_or(FallbackReason::TypeMismatch)?;
            let bound = |register: Reg| clamped_index(r.int(register), list.len());
            let (start, end) = (bound(a), bound(a.wrapping_add(1)));
            longer.extend_from_slice(list.get(start..end).unwrap_or_default());
            heap.lists[to] = longer;
            heap.consume_fuel(end.saturating_sub(start) as i64)?;
        }
        Op::RemoveSlice { l, a } => {
            let (start, end) = (r.int(a), r.int(a.wrapping_add(1)));
            let list = heap.list_mut(r, l)?;
            let (start, end) = (clamped_index(start, list.len()), clamped_index(end, list.len()));
            list.drain(start..end.max(start));
            let moved = (list.len() - start) as i64;
            heap.consume_fuel(moved / 16)?;
        }
        Op::Pop { d, l, a, width, t } => {
            let place = r.int(a);
            let list = heap.list_mut(r, l)?;
            let place = if place < 0 { place + list.len().cast_signed() as i64 } else { place };
            let (Ok(place), width) = (usize::try_from(place), usize::from(width)) else { return Ok(t as usize) };
            if place + width > list.len() {
                return Ok(t as usize);
            }
            for (offset, word) in list.drain(place..place + width).enumerate() {
                r.0[d as usize + offset] = word;
            }
            let moved = (heap.list(r, l)?.len() - place) as i64;
            heap.consume_fuel(moved / 16)?;
        }
        Op::Insert { l, a, b, width } => {
            let (place, width) = (r.int(a), width);
            let words: SmallVec<[u64; 16]> = (b..b + width).map(|register| r.0[register as usize]).collect();
            let list = heap.list_mut(r, l)?;
            let place = clamped_index(place, list.len());
            list.splice(place..place, words);
            let moved = (list.len() - place) as i64;
            heap.consume_fuel(moved / 16)?;
        }
        Op::Bisect { d, l, a, is_right, floats } => {
            let list = heap.list(r, l)?;
            let place = functions::bisect(list, r.0[a as usize], is_right, floats);
            r.set_int(d, place as i64);
        }
        Op::Heap { function, l, k } => {
            let order = code.orders.get(usize::from(k)).ok_or(FallbackReason::TypeMismatch)?;
            let cost = heaps::arrange_heap(function, heap.list_mut(r, l)?, order)?;
            heap.consume_fuel(cost)?;
        }
        Op::Statistic { function, d, l, floats } => {
            let list = heap.list(r, l)?;
            let (value, tag) = statistics::statistic(function, list, floats)?;
            let cost = statistics::statistic_cost(list.len());
            (r.0[d as usize], r.0[d.wrapping_add(1) as usize]) = (value, tag as u64);
            heap.consume_fuel(cost)?;
        }
        Op::Clear { l } => heap.list_mut(r, l)?.clear(),
        Op::KeepLast { l, k } => {
            let list = heap.list_mut(r, l)?;
            let surplus = list.len().saturating_sub(k.into());
            list.drain(..surplus);
        }
        Op::Reverse { l, width } => {
            let list = heap.list_mut(r, l)?;
            list.reverse();
            if width > 1 {
                list.chunks_exact_mut(width.into()).for_each(<[u64]>::reverse);
            }
            let length = list.len() as i64;
            heap.consume_fuel(length)?;
        }
        _ => return Err(FallbackReason::TypeMismatch),
    }
    Ok(next)
}

/// Returns the place of an index, which counts from the end if it is negative, within a list of this length.
pub(in crate::fast) fn clamped_index(index: i64, length: usize) -> usize {
    let index = if index < 0 { index.saturating_add_unsigned(length as u64) } else { index };
    usize::try_from(index).unwrap_or(0).min(length)
}

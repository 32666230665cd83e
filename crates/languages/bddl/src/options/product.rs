//! The orders in which the releases enumerate combinations, and their limits.

use std::fmt;

/// The maximum number of combinations tried in a truncated product: `GROUND_GOALS_MAX_OPTIONS` in the releases.
pub const MAX_COMBINATIONS: usize = 20;

/// The maximum number of arrangements: `GROUND_GOALS_MAX_PERMUTATIONS` in the releases.
pub const MAX_PERMUTATIONS: usize = 10;

/// The error for a truncated product with an empty factor, whose last element it needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EmptyFactorError;

impl fmt::Display for EmptyFactorError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a factor of the product is empty")
    }
}

impl std::error::Error for EmptyFactorError {}

/// Enumerates the Cartesian product of factors with the given sizes; the last factor varies fastest.
///
/// # Errors
/// The first error of `visit`.
pub fn full<E>(sizes: &[usize], mut visit: impl FnMut(&[usize]) -> Result<(), E>) -> Result<(), E> {
    if sizes.contains(&0) {
        return Ok(());
    }
    let mut places = vec![0; sizes.len()];
    loop {
        visit(&places)?;
        let Some(index) = (0..sizes.len()).rev().find(|&factor| places[factor] + 1 < sizes[factor]) else {
            return Ok(());
        };
        places[index] += 1;
        places[index + 1..].fill(0);
    }
}

/// Enumerates the product as release 3.6.0 truncates it: by increasing sum of indices, the last factor first. Combinations with
/// an index out of range are skipped but count towards the limit. The combination of all last elements comes at the end, unless
/// the limit has been reached.
///
/// # Errors
/// The first error of `visit`, or [`EmptyFactorError`] if the end is reached and a factor is empty.
pub fn truncated<E: From<EmptyFactorError>>(
    sizes: &[usize],
    mut visit: impl FnMut(&[usize]) -> Result<(), E>,
) -> Result<(), E> {
    let largest_sum = sizes.iter().sum::<usize>().saturating_sub(sizes.len());
    let mut tried = 0;
    for level in 0..largest_sum {
        let mut places = vec![0; sizes.len()];
        if let Some(last) = places.last_mut() {
            *last = level;
        }
        loop {
            tried += 1;
            if places.iter().zip(sizes).all(|(place, size)| place < size) {
                visit(&places)?;
            }
            if tried == MAX_COMBINATIONS {
                return Ok(());
            }
            if !advance(&mut places) {
                break;
            }
        }
    }
    let last: Option<Vec<usize>> = sizes.iter().map(|size| size.checked_sub(1)).collect();
    visit(&last.ok_or(EmptyFactorError)?)
}

/// Advances to the next indices with the same sum, in lexicographic order, and returns whether there are any.
fn advance(places: &mut [usize]) -> bool {
    let Some(end) = places.len().checked_sub(1) else { return false };
    // The rightmost nonzero index gives one to its predecessor, and its rest moves to the end.
    let Some(donor) = (1..=end).rev().find(|&place| places[place] > 0) else { return false };
    let rest = places[donor] - 1;
    places[donor] = 0;
    places[donor - 1] += 1;
    places[end] = rest;
    true
}

/// Returns the first [`MAX_PERMUTATIONS`] arrangements of `length` out of `count` items, in lexicographic order.
pub fn permutations(count: usize, length: usize) -> Vec<Vec<usize>> {
    if length > count {
        return Vec::new();
    }
    let mut arrangement: Vec<usize> = (0..length).collect();
    let mut all = vec![arrangement.clone()];
    while all.len() < MAX_PERMUTATIONS {
        let mut used = vec![false; count];
        for &item in &arrangement {
            used[item] = true;
        }
        let index = (0..length).rev().find_map(|place| {
            used[arrangement[place]] = false;
            (arrangement[place] + 1..count).find(|&item| !used[item]).map(|item| (place, item))
        });
        let Some((place, item)) = index else { break };
        arrangement[place] = item;
        used[item] = true;
        let mut unused = (0..count).filter(|&item| !used[item]);
        for (slot, item) in arrangement[place + 1..].iter_mut().zip(&mut unused) {
            *slot = item;
        }
        all.push(arrangement.clone());
    }
    all
}

/// Enumerates all choices of `length` out of `count` items, in lexicographic order.
///
/// # Errors
/// The first error of `visit`.
pub fn combinations<E>(count: usize, length: usize, mut visit: impl FnMut(&[usize]) -> Result<(), E>) -> Result<(), E> {
    if length > count {
        return Ok(());
    }
    let mut chosen: Vec<usize> = (0..length).collect();
    loop {
        visit(&chosen)?;
        let Some(index) = (0..length).rev().find(|&place| chosen[place] < count - length + place) else {
            return Ok(());
        };
        chosen[index] += 1;
        for place in index + 1..length {
            chosen[place] = chosen[place - 1] + 1;
        }
    }
}

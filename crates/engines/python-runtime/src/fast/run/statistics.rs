//! Functions of `statistics` on lists of numbers of one kind, with the results of CPython: exact sums that are rounded once.

use num_bigint::BigInt;
use smallvec::SmallVec;

use super::{FallbackReason, OpResult, Tag};
use crate::fast::op::Statistic;
use crate::machine::{BinaryFraction, accurate_sum, rounded_quotient, square_root};

/// Returns the fuel for a statistic of so many numbers.
pub(in crate::fast) fn statistic_cost(count: usize) -> i64 {
    (count as i64).saturating_mul(16)
}

/// Returns a statistic of integers or of floats, given as words, with its kind.
pub(in crate::fast) fn statistic(function: Statistic, numbers: &[u64], floats: bool) -> OpResult<(u64, Tag)> {
    let float = |number: f64| Ok((number.to_bits(), Tag::Float));
    match function {
        Statistic::FloatMean => {
            let numbers: SmallVec<[f64; 32]> = numbers.iter().map(|&bits| to_float(bits, floats)).collect();
            let sum = accurate_sum(&numbers).ok_or(FallbackReason::Overflow)?;
            if numbers.is_empty() { Err(FallbackReason::FewValues) } else { float(sum / numbers.len() as f64) }
        }
        Statistic::Median | Statistic::LowMedian | Statistic::HighMedian => median(function, numbers, floats),
        Statistic::Mean => {
            let moments = Moments::of(numbers, floats)?;
            moments.ratio(moments.sum.numerator(), moments.sum.denominator() * moments.count())
        }
        Statistic::PopulationVariance | Statistic::Variance => {
            let (moments, numerator, denominator) = variance(function, numbers, floats)?;
            moments.ratio(numerator, denominator)
        }
        Statistic::PopulationDeviation | Statistic::Deviation => {
            let (_, numerator, denominator) = variance(function, numbers, floats)?;
            float(square_root(&numerator, &denominator))
        }
    }
}

fn to_float(bits: u64, is_float: bool) -> f64 {
    if is_float { f64::from_bits(bits) } else { bits.cast_signed() as f64 }
}

fn median(function: Statistic, numbers: &[u64], floats: bool) -> OpResult<(u64, Tag)> {
    let mut sorted: SmallVec<[u64; 32]> = numbers.into();
    if floats {
        if sorted.iter().any(|&bits| f64::from_bits(bits).is_nan()) {
            return Err(FallbackReason::Unordered);
        }
        // A sum of zeros of both signs depends on the order, which a stable sort keeps.
        sorted.sort_by(|&one, &two| {
            f64::from_bits(one).partial_cmp(&f64::from_bits(two)).unwrap_or(std::cmp::Ordering::Equal)
        });
    } else {
        sorted.sort_by_key(|&bits| bits.cast_signed());
    }
    let (tag, half) = (if floats { Tag::Float } else { Tag::Int }, sorted.len() / 2);
    if sorted.is_empty() {
        return Err(FallbackReason::FewValues);
    }
    if sorted.len() % 2 == 1 || function == Statistic::HighMedian {
        return Ok((sorted[half], tag));
    }
    if function == Statistic::LowMedian {
        return Ok((sorted[half - 1], tag));
    }
    let (one, two) = (sorted[half - 1], sorted[half]);
    let sum = if floats {
        f64::from_bits(one) + f64::from_bits(two)
    } else {
        let sum = one.cast_signed().checked_add(two.cast_signed()).ok_or(FallbackReason::Overflow)?;
        super::uncommon::exact_float(sum)?
    };
    Ok(((sum / 2.0).to_bits(), Tag::Float))
}

/// Returns a variance as a fraction.
fn variance(function: Statistic, numbers: &[u64], floats: bool) -> OpResult<(Moments, BigInt, BigInt)> {
    let is_of_sample = matches!(function, Statistic::Variance | Statistic::Deviation);
    let moments = Moments::of(numbers, floats)?;
    let degrees = numbers.len() - usize::from(is_of_sample);
    if degrees == 0 {
        return Err(FallbackReason::FewValues);
    }
    // n times the sum of squares minus the square of the sum, over n.
    let mut numerator = moments.squares.times(&moments.count());
    numerator.subtract(&moments.sum.squared());
    let denominator = numerator.denominator() * moments.count() * BigInt::from(degrees);
    let numerator = numerator.numerator();
    Ok((moments, numerator, denominator))
}

/// The exact sums of numbers and of their squares.
struct Moments {
    count: usize,
    floats: bool,
    sum: BinaryFraction,
    squares: BinaryFraction,
}

impl Moments {
    fn of(numbers: &[u64], floats: bool) -> OpResult<Self> {
        if numbers.is_empty() {
            return Err(FallbackReason::FewValues);
        }
        let (mut sum, mut squares) = (BinaryFraction::zero(), BinaryFraction::zero());
        if floats {
            for &bits in numbers {
                let number = BinaryFraction::of(f64::from_bits(bits)).ok_or(FallbackReason::Overflow)?;
                squares.add_fraction(&number.squared());
                sum.add_fraction(&number);
            }
        } else {
            let (mut total, mut of_squares) = (0i128, 0i128);
            for &bits in numbers {
                let number = i128::from(bits.cast_signed());
                total += number;
                of_squares = of_squares.checked_add(number * number).ok_or(FallbackReason::Overflow)?;
            }
            sum.add(total.into(), 0);
            squares.add(of_squares.into(), 0);
        }
        Ok(Self { count: numbers.len(), floats, sum, squares })
    }

    fn count(&self) -> BigInt {
        self.count.into()
    }

    /// Returns a quotient: an integer if it is one and the numbers are integers, or else the nearest float.
    fn ratio(&self, numerator: BigInt, denominator: BigInt) -> OpResult<(u64, Tag)> {
        if !self.floats && &numerator % &denominator == BigInt::ZERO {
            let quotient = i64::try_from(numerator / denominator).map_err(|_| FallbackReason::Overflow)?;
            return Ok((quotient.cast_unsigned(), Tag::Int));
        }
        let number = rounded_quotient(&numerator, &denominator).ok_or(FallbackReason::Overflow)?;
        Ok((number.to_bits(), Tag::Float))
    }
}

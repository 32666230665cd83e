//! Parsing of decimal numbers to the nearest `f64`.

/// Powers of ten that `f64` represents exactly.
const EXACT_POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
];

/// A parsed number token.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Number {
    /// Length of the token in bytes.
    pub(crate) length: usize,
    /// The nearest `f64`; infinite if the text is out of range.
    pub(crate) value: f64,
    /// The exact value of a whole number without point or exponent that fits an `i64`.
    pub(crate) integer: Option<i64>,
}

impl Number {
    /// Returns the value as a whole number, if it is one: `3`, but also `3.0`.
    pub(crate) fn whole(self) -> Option<i64> {
        const EXACT: f64 = 9_007_199_254_740_992.0;
        self.integer.or_else(|| (self.value.fract() == 0.0 && self.value.abs() <= EXACT).then_some(self.value as i64))
    }
}

/// Parses the number at the start of `text`; `None` if there is none in JSON's grammar.
pub(crate) fn parse(text: &[u8]) -> Option<Number> {
    let mut digits = Digits { mantissa: 0, count: 0 };
    let negative = text.first() == Some(&b'-');
    let mut at = usize::from(negative);
    let digits_start = at;
    at = digits.run(text, at);
    if at == digits_start || (text[digits_start] == b'0' && at > digits_start + 1) {
        return None;
    }
    let mut exponent = 0_i64;
    let mut is_integer = true;
    if text.get(at) == Some(&b'.') {
        is_integer = false;
        let fraction = at + 1;
        at = digits.run(text, fraction);
        if at == fraction {
            return None;
        }
        exponent = -i64::try_from(at - fraction).ok()?;
    }
    if let Some(b'e' | b'E') = text.get(at) {
        is_integer = false;
        let (written, end) = exponent_part(text, at + 1)?;
        exponent = exponent.saturating_add(written);
        at = end;
    }
    let value = digits.exact(exponent).unwrap_or_else(|| nearest(&text[digits_start..at]));
    let integer = if is_integer && digits.count <= 19 { whole_number(digits.mantissa, negative) } else { None };
    Some(Number { length: at, value: if negative { -value } else { value }, integer })
}

fn whole_number(mantissa: u64, negative: bool) -> Option<i64> {
    if negative { 0_i64.checked_sub_unsigned(mantissa) } else { i64::try_from(mantissa).ok() }
}

fn exponent_part(text: &[u8], mut at: usize) -> Option<(i64, usize)> {
    let negative = text.get(at) == Some(&b'-');
    if let Some(b'-' | b'+') = text.get(at) {
        at += 1;
    }
    let start = at;
    let mut value = 0_i64;
    while let Some(digit @ b'0'..=b'9') = text.get(at) {
        value = value.saturating_mul(10).saturating_add(i64::from(digit - b'0'));
        at += 1;
    }
    (at > start).then_some((if negative { -value } else { value }, at))
}

/// The standard library's correctly rounded conversion, for numbers outside the exact fast path.
fn nearest(token: &[u8]) -> f64 {
    std::str::from_utf8(token).ok().and_then(|token| token.parse().ok()).unwrap_or(f64::NAN)
}

/// The decimal digits read so far.
struct Digits {
    /// Their value; valid only if at most 19 digits were read.
    mantissa: u64,
    /// The number of digits, leading zeros included.
    count: usize,
}

impl Digits {
    /// Reads a run of digits and returns its end.
    fn run(&mut self, text: &[u8], start: usize) -> usize {
        const POWERS: [u64; 9] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];
        let mut at = start;
        while let Some(word) = eight_bytes(text, at) {
            let count = leading_digits(word);
            self.mantissa = self.mantissa.wrapping_mul(POWERS[count]).wrapping_add(digits_value(word, count));
            at += count;
            if count < 8 {
                self.count += at - start;
                return at;
            }
        }
        while let Some(digit @ b'0'..=b'9') = text.get(at) {
            self.mantissa = self.mantissa.wrapping_mul(10).wrapping_add(u64::from(digit - b'0'));
            at += 1;
        }
        self.count += at - start;
        at
    }

    /// Returns the value times ten to the exponent, if a single rounding gives it.
    fn exact(&self, exponent: i64) -> Option<f64> {
        if self.count > 19 {
            return None;
        }
        if self.mantissa > 1 << 53 {
            return scaled(self.mantissa, exponent);
        }
        let mantissa = self.mantissa as f64;
        let power = *EXACT_POWERS.get(usize::try_from(exponent.unsigned_abs()).ok()?)?;
        Some(if exponent < 0 { mantissa / power } else { mantissa * power })
    }
}

/// The largest power of ten by which [`scaled`] divides: five to this power is below 2^63, for which the product always decides the rounding.
const MAX_DIVISOR_POWER: usize = 27;

/// For each power, the first 128 significant bits of one divided by five to that power, rounded up.
const INVERSE_POWERS_OF_FIVE: [u128; MAX_DIVISOR_POWER + 1] = inverse_powers_of_five();

const fn inverse_powers_of_five() -> [u128; MAX_DIVISOR_POWER + 1] {
    let mut inverses = [1 << 127; MAX_DIVISOR_POWER + 1];
    let mut divisor = 5_u64;
    let mut power = 1;
    while power <= MAX_DIVISOR_POWER {
        // Long division, bit by bit, until the quotient has 128 bits; no inverse of a power of five ends.
        let mut remainder = 1_u64;
        let mut quotient = 0_u128;
        while quotient >> 127 == 0 {
            remainder *= 2;
            quotient <<= 1;
            if remainder >= divisor {
                remainder -= divisor;
                quotient |= 1;
            }
        }
        inverses[power] = quotient + 1;
        power += 1;
        divisor = divisor.wrapping_mul(5);
    }
    inverses
}

/// Returns `mantissa`, not 0, times ten to a negative exponent, rounded once: the algorithm of Eisel and Lemire, for the exponents for
/// which it needs no other algorithm. `None` for other exponents.
fn scaled(mantissa: u64, exponent: i64) -> Option<f64> {
    const FRACTION_BITS: i64 = 52;
    /// Ties between two values occur only for divisors by which a mantissa may be divisible.
    const MAX_TIE_POWER: usize = 4;
    let power =
        usize::try_from(exponent.checked_neg()?).ok().filter(|power| (1..=MAX_DIVISOR_POWER).contains(power))?;
    let inverse = INVERSE_POWERS_OF_FIVE[power];
    let shift = mantissa.leading_zeros();
    let factor = u128::from(mantissa << shift);
    let mut product = factor * (inverse >> 64);
    // The upper half of the inverse decides, unless a carry from the lower half could reach the bits that are kept.
    if product >> 64 & 0x1ff == 0x1ff {
        product += (factor * (inverse & u128::from(u64::MAX))) >> 64;
    }
    let (high, low) = ((product >> 64) as u64, product as u64);
    let upper = (high >> 63).cast_signed();
    let dropped = upper + 64 - FRACTION_BITS - 3;
    // One bit more than the significand, for rounding.
    let mut significand = high >> dropped;
    let is_tie = low <= 1 && power <= MAX_TIE_POWER && significand & 3 == 1 && significand << dropped == high;
    if is_tie {
        significand &= !1;
    }
    significand = (significand + (significand & 1)) >> 1;
    // The binary exponent of ten to the power, from the logarithm in 1/65,536.
    let binary = ((exponent * 217_706) >> 16) + 63 + upper - i64::from(shift);
    // A significand rounded up to the next power of two carries into the exponent by itself.
    let biased = u64::try_from(binary + 1023 - 1).ok()?;
    Some(f64::from_bits((biased << FRACTION_BITS) + significand))
}

/// Returns the number of bytes at the start of a text that occur in numbers.
pub(crate) fn number_bytes(text: &[u8]) -> usize {
    let mut at = 0;
    loop {
        while let Some(word) = eight_bytes(text, at) {
            let count = leading_digits(word);
            at += count;
            if count < 8 {
                break;
            }
        }
        match text.get(at) {
            Some(b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E') => at += 1,
            _ => return at,
        }
    }
}

/// Returns eight bytes of a text, the first one lowest; `None` at its end.
fn eight_bytes(text: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(text.get(at..at + 8)?.try_into().ok()?))
}

/// Returns the number of bytes, from the lowest, before the first one that is not a digit.
fn leading_digits(word: u64) -> usize {
    // A digit is 0 to 9 after this; whatever exceeds 9 then reaches the highest bit.
    let values = word ^ 0x3030_3030_3030_3030;
    let others = (((values & 0x7f7f_7f7f_7f7f_7f7f) + 0x7676_7676_7676_7676) | values) & 0x8080_8080_8080_8080;
    others.trailing_zeros() as usize / 8
}

/// Returns the value of the first `count` bytes, which are digits, with three multiplications.
fn digits_value(word: u64, count: usize) -> u64 {
    // What follows the digits is shifted out, and zeros precede them.
    let digits = word.checked_shl(64 - 8 * count as u32).unwrap_or(0) & 0x0f0f_0f0f_0f0f_0f0f;
    let pairs = digits.wrapping_mul(10 * 256 + 1) >> 8 & 0x00ff_00ff_00ff_00ff;
    let fours = pairs.wrapping_mul(100 * 65_536 + 1) >> 16 & 0x0000_ffff_0000_ffff;
    fours.wrapping_mul(10_000 * 4_294_967_296 + 1) >> 32
}

#[cfg(test)]
mod tests {
    use super::parse;

    /// The standard library's conversion of the same digits, as reference.
    fn nearest(text: &str) -> f64 {
        text.parse().unwrap()
    }

    #[test]
    fn values_are_the_nearest() {
        let texts = [
            "0",
            "-0",
            "0.0",
            "-0.0e5",
            "1",
            "-1",
            "10",
            "123456789",
            "0.1",
            "0.30000000000000004",
            "5e-324",
            "2.5e-324",
            "2.4e-324",
            "1.7976931348623157e308",
            "1.7976931348623158e308",
            "9007199254740993",
            "9007199254740992.5",
            "12345678901234567890",
            "18446744073709551616",
            "0.000000000000000000000000000001",
            "1E22",
            "1e23",
            "1e+2",
            "7.2057594037927933e16",
            "3.4028234663852886e38",
            "0.24862179160118103",
            "-2.950000047683716",
            "123456789012345678",
            "1.00000000000000011102230246251565404236316680908203125",
            "1.00000000000000011102230246251565404236316680908203124",
            "8.5e-19",
            "100000000.00000001",
        ];
        for text in texts {
            let number = parse(text.as_bytes()).unwrap();
            assert_eq!(number.value.to_bits(), nearest(text).to_bits(), "{text}");
            assert_eq!(number.length, text.len(), "{text}");
        }
    }

    #[test]
    fn random_digits_are_the_nearest() {
        let mut random = 1_u64;
        for _ in 0..100_000 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let digits = (random >> 11) % 10_u64.pow(u32::try_from(random >> 60).unwrap() + 2);
            let text = format!("{}.{digits}e{}", random >> 58, i64::try_from(random >> 32 & 63).unwrap() - 32);
            let number = parse(text.as_bytes()).unwrap();
            assert_eq!(number.value.to_bits(), nearest(&text).to_bits(), "{text}");
        }
    }

    #[test]
    fn long_fractions_are_the_nearest() {
        let mut random = 7_u64;
        for round in 0..400_000_u64 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            // Sixteen to nineteen digits; every second value is near the middle between two neighbours.
            let digits = if round % 2 == 0 {
                (random >> 1).max(1 << 54)
            } else {
                let odd = (1_u64 << 54 | random >> 10) | 1;
                odd.wrapping_mul(5_u64.pow(u32::try_from(round % 5).unwrap())).wrapping_add(round % 3).wrapping_sub(1)
            };
            let text = format!("{digits}e-{}", round % 31);
            assert_eq!(parse(text.as_bytes()).unwrap().value.to_bits(), nearest(&text).to_bits(), "{text}");
        }
    }

    #[test]
    fn whole_numbers_are_exact() {
        let whole = |text: &str| parse(text.as_bytes()).unwrap().whole();
        assert_eq!(whole("9223372036854775807"), Some(i64::MAX));
        assert_eq!(whole("-9223372036854775808"), Some(i64::MIN));
        assert_eq!(whole("9223372036854775808"), None);
        assert_eq!(whole("3.0"), Some(3));
        assert_eq!(whole("3e2"), Some(300));
        assert_eq!(whole("3.5"), None);
        assert_eq!(whole("1e300"), None);
    }

    #[test]
    fn invalid_numbers_are_errors() {
        for text in ["", "-", "+1", ".5", "1.", "01", "-01", "1e", "1e+", "x", "--1"] {
            assert_eq!(parse(text.as_bytes()), None, "{text}");
        }
        assert_eq!(parse(b"1.5,2").unwrap().length, 3);
        assert_eq!(parse(b"12345678901234567890123x").unwrap().length, 23);
        assert!(parse(b"1e999").unwrap().value.is_infinite());
        assert!(parse(b"-1e99999999999999999999").unwrap().value.is_infinite());
    }
}

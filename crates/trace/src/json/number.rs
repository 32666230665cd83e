//! Decimal text to the nearest `f64`.

/// Powers of ten that `f64` represents exactly.
const EXACT_POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
];

/// The end of a number token and its value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Number {
    /// Length of the token in bytes.
    pub(crate) length: usize,
    /// The nearest `f64`; infinite where the text is out of range.
    pub(crate) value: f64,
    /// The exact value where the text is a whole number without point or exponent that fits.
    pub(crate) integer: Option<i64>,
}

impl Number {
    /// The value as a whole number, if it is one: `3`, but also `3.0`.
    pub(crate) fn whole(self) -> Option<i64> {
        const EXACT: f64 = 9_007_199_254_740_992.0;
        self.integer.or_else(|| (self.value.fract() == 0.0 && self.value.abs() <= EXACT).then_some(self.value as i64))
    }
}

/// Reads the number at the start of `text`; `None` if there is none in JSON's grammar.
pub(crate) fn parse(text: &[u8]) -> Option<Number> {
    let mut digits = Digits { mantissa: 0, count: 0 };
    let negative = text.first() == Some(&b'-');
    let mut at = usize::from(negative);
    let whole = at;
    at = digits.run(text, at);
    if at == whole || (text[whole] == b'0' && at > whole + 1) {
        return None;
    }
    let mut exponent = 0_i64;
    let mut plain = true;
    if text.get(at) == Some(&b'.') {
        plain = false;
        let fraction = at + 1;
        at = digits.run(text, fraction);
        if at == fraction {
            return None;
        }
        exponent = -i64::try_from(at - fraction).ok()?;
    }
    if let Some(b'e' | b'E') = text.get(at) {
        plain = false;
        let (written, end) = exponent_part(text, at + 1)?;
        exponent = exponent.saturating_add(written);
        at = end;
    }
    let value = digits.exact(exponent).unwrap_or_else(|| nearest(&text[whole..at]));
    let integer = if plain && digits.count <= 19 { whole_number(digits.mantissa, negative) } else { None };
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

/// The standard library's correctly rounded conversion, for what the short way cannot do exactly.
fn nearest(token: &[u8]) -> f64 {
    std::str::from_utf8(token).ok().and_then(|token| token.parse().ok()).unwrap_or(f64::NAN)
}

/// Decimal digits read so far.
struct Digits {
    /// Their value, meaningful while at most 19 were read.
    mantissa: u64,
    /// How many, leading zeros included.
    count: usize,
}

impl Digits {
    /// Reads a run of digits and returns where it ends.
    fn run(&mut self, text: &[u8], start: usize) -> usize {
        let mut at = start;
        while let Some(eight) = text.get(at..at + 8).and_then(eight_digits) {
            self.mantissa = self.mantissa.wrapping_mul(100_000_000).wrapping_add(eight);
            at += 8;
        }
        while let Some(digit @ b'0'..=b'9') = text.get(at) {
            self.mantissa = self.mantissa.wrapping_mul(10).wrapping_add(u64::from(digit - b'0'));
            at += 1;
        }
        self.count += at - start;
        at
    }

    /// The value times ten to the exponent, where one rounding gives it.
    fn exact(&self, exponent: i64) -> Option<f64> {
        if self.count > 19 || self.mantissa > 1 << 53 {
            return None;
        }
        let mantissa = self.mantissa as f64;
        let power = *EXACT_POWERS.get(usize::try_from(exponent.unsigned_abs()).ok()?)?;
        Some(if exponent < 0 { mantissa / power } else { mantissa * power })
    }
}

/// The value of eight bytes if all of them are digits, with three multiplications instead of eight.
fn eight_digits(bytes: &[u8]) -> Option<u64> {
    let word = u64::from_le_bytes(bytes.try_into().ok()?);
    let high = word & 0xf0f0_f0f0_f0f0_f0f0;
    let carried = word.wrapping_add(0x0606_0606_0606_0606) & 0xf0f0_f0f0_f0f0_f0f0;
    if high != 0x3030_3030_3030_3030 || carried != 0x3030_3030_3030_3030 {
        return None;
    }
    let digits = word & 0x0f0f_0f0f_0f0f_0f0f;
    let pairs = digits.wrapping_mul(10 * 256 + 1) >> 8 & 0x00ff_00ff_00ff_00ff;
    let fours = pairs.wrapping_mul(100 * 65_536 + 1) >> 16 & 0x0000_ffff_0000_ffff;
    Some(fours.wrapping_mul(10_000 * 4_294_967_296 + 1) >> 32)
}

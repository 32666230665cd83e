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

    /// Returns the value times ten to the exponent, if a single rounding gives it.
    fn exact(&self, exponent: i64) -> Option<f64> {
        if self.count > 19 || self.mantissa > 1 << 53 {
            return None;
        }
        let mantissa = self.mantissa as f64;
        let power = *EXACT_POWERS.get(usize::try_from(exponent.unsigned_abs()).ok()?)?;
        Some(if exponent < 0 { mantissa / power } else { mantissa * power })
    }
}

/// Returns the value of eight bytes if all of them are digits, with three multiplications instead of eight.
fn eight_digits(bytes: &[u8]) -> Option<u64> {
    let word = u64::from_le_bytes(bytes.try_into().ok()?);
    let high = word & 0xf0f0_f0f0_f0f0_f0f0;
    let word_with_carry = word.wrapping_add(0x0606_0606_0606_0606) & 0xf0f0_f0f0_f0f0_f0f0;
    if high != 0x3030_3030_3030_3030 || word_with_carry != 0x3030_3030_3030_3030 {
        return None;
    }
    let digits = word & 0x0f0f_0f0f_0f0f_0f0f;
    let pairs = digits.wrapping_mul(10 * 256 + 1) >> 8 & 0x00ff_00ff_00ff_00ff;
    let fours = pairs.wrapping_mul(100 * 65_536 + 1) >> 16 & 0x0000_ffff_0000_ffff;
    Some(fours.wrapping_mul(10_000 * 4_294_967_296 + 1) >> 32)
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

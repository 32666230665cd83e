//! Estimates of numbers of tokens.

/// Bytes per token in estimates of what a call may use. Texts have more bytes per token, so estimates are too high.
const BYTES_PER_TOKEN: usize = 3;

/// Characters per token in estimates of what a prompt uses at least; natural texts and programs have fewer.
const MAX_CHARACTERS_PER_TOKEN: u64 = 6;

/// The estimate below which the count of a server is not checked.
pub(crate) const MIN_CHECKED_TOKENS: u64 = 256;

/// Returns the estimated number of tokens of a text with a number of bytes; rather too high.
pub fn estimate_tokens(bytes: usize) -> u64 {
    bytes.div_ceil(BYTES_PER_TOKEN) as u64
}

/// Returns the number of tokens that a text has at least. Repeated characters count once, as tokens of any length consist of them.
pub(crate) fn plausible_tokens(text: &str) -> u64 {
    let mut last = None;
    let changes = text.chars().filter(|character| last.replace(*character) != Some(*character)).count() as u64;
    changes / MAX_CHARACTERS_PER_TOKEN
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_characters_count_once() {
        assert_eq!(plausible_tokens(&" ".repeat(6000)), 0);
        assert_eq!(plausible_tokens(&"ab".repeat(600)), 200);
        assert_eq!(estimate_tokens(10), 4);
    }
}

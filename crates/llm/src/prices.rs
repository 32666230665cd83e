//! Prices of models, read from a file of the user. There are no built-in prices: they age.

use std::fmt;

use crate::reply::Usage;

/// A cost in units of 10⁻⁹ of the currency of the price file. Sums of whole numbers do not depend on their order.
pub(crate) type NanoCost = u64;

/// Units of a cost per unit of the currency.
const NANO: f64 = 1e9;

/// Prices of one model per million tokens.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Price {
    /// Per million tokens of prompts.
    pub input: f64,
    /// Per million tokens of prompts that the server has in its cache.
    pub cached_input: f64,
    /// Per million tokens of replies.
    pub output: f64,
}

/// A table of prices.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Prices(Vec<(String, Price)>);

/// A malformed line of a price file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PriceFileError {
    /// The number of the line, from 1.
    pub line: usize,
    /// The line without its comment.
    pub found: String,
}

impl fmt::Display for PriceFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, found } = self;
        write!(
            f,
            "line {line}: expected `model, input, cached input, output` with prices per million tokens, found `{found}`"
        )
    }
}

impl std::error::Error for PriceFileError {}

impl Prices {
    /// Parses a price file: lines `model, input, cached input, output`, prices per million tokens. A model that ends in `*` stands for all
    /// models that begin so. Empty lines, comments after `#` and a first line with the names of the columns are skipped.
    ///
    /// # Errors
    /// If a line is malformed, with its number.
    pub fn parse(text: &str) -> Result<Self, PriceFileError> {
        let mut prices = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let line = line.split('#').next().unwrap_or_default().trim().trim_start_matches('\u{feff}');
            let fields: Vec<&str> = line.split(',').map(str::trim).collect();
            if line.is_empty() || (prices.is_empty() && fields[0].eq_ignore_ascii_case("model")) {
                continue;
            }
            let number = |text: &str| text.parse::<f64>().ok().filter(|price| (0.0..=1e6).contains(price));
            let price = match fields[1..] {
                [input, cached, output] => number(input).zip(number(cached)).zip(number(output)),
                _ => None,
            };
            let Some(((input, cached_input), output)) = price else {
                return Err(PriceFileError { line: index + 1, found: line.to_owned() });
            };
            prices.push((fields[0].to_owned(), Price { input, cached_input, output }));
        }
        Ok(Self(prices))
    }

    /// Returns the prices of a model: those under its name, or under the longest beginning of it.
    pub fn of(&self, model: &str) -> Option<Price> {
        let exact = self.0.iter().find(|(name, _)| name == model);
        let by_start = || {
            let starts =
                self.0.iter().filter(|(name, _)| name.strip_suffix('*').is_some_and(|start| model.starts_with(start)));
            starts.max_by_key(|(name, _)| name.len())
        };
        exact.or_else(by_start).map(|(_, price)| *price)
    }
}

impl Price {
    /// Returns the cost of a call, rounded up.
    pub(crate) fn nano_cost(self, usage: &Usage) -> NanoCost {
        let cached = usage.cached_input_tokens.min(usage.input_tokens);
        let fresh = usage.input_tokens - cached;
        let millions =
            fresh as f64 * self.input + cached as f64 * self.cached_input + usage.output_tokens as f64 * self.output;
        whole((millions / 1e6 * NANO).ceil())
    }
}

/// Converts a cost to the currency.
pub(crate) fn from_nano(cost: NanoCost) -> f64 {
    cost as f64 / NANO
}

/// Converts a cost from the currency; a negative one becomes 0.
pub(crate) fn to_nano(cost: f64) -> NanoCost {
    whole((cost * NANO).round())
}

/// Converts a number to the nearest cost that exists.
#[expect(clippy::cast_sign_loss, reason = "negative numbers become 0")]
fn whole(number: f64) -> NanoCost {
    number as NanoCost
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_beginning_of_a_name_gives_the_price() {
        let prices = Prices::parse(
            "model,input,cached input,output\n# none\nm*, 1, 0.1, 2\nm-large*,10,1,20 # big\nm-1,3,3,3\n",
        )
        .unwrap();
        let input = |model: &str| prices.of(model).map(|price| price.input);
        assert_eq!(input("m-small"), Some(1.0));
        assert_eq!(input("m-large-2026"), Some(10.0));
        assert_eq!(input("m-1"), Some(3.0));
        assert_eq!(input("x"), None);
        let usage = Usage { input_tokens: 1000, cached_input_tokens: 400, output_tokens: 10, estimated: false };
        let price = prices.of("m-small").unwrap();
        assert_eq!(price.nano_cost(&usage), 600_000 + 40_000 + 20_000);
    }

    #[test]
    fn a_malformed_line_is_named() {
        for text in ["a,1,2", "a,1,2,x", "a,1,2,3,4", "a,-1,2,3", "a,1,NaN,3"] {
            let error = Prices::parse(&format!("ok,1,1,1\n{text}")).unwrap_err().to_string();
            assert!(error.starts_with("line 2: expected `model, input, cached input, output`"), "{error}");
        }
    }
}

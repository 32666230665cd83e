//! The work budget of a program over one trace.

use std::fmt;
use std::num::NonZeroU64;
use std::str::FromStr;

/// The default budget in units of [work](crate::work): about ten seconds.
pub const DEFAULT_UNITS: u64 = 1_000_000_000;

/// The number of states that together double the budget, so that long traces can be scored.
const STATES_PER_BUDGET: u64 = 1_000;

/// The command-line option that sets the budget, for messages.
pub const BUDGET_OPTION: &str = "--budget";

/// A limit on the work of a program over one trace: a number of units, plus a thousandth of that number for each state.
///
/// Work is counted in units that depend only on the program and the states, never on the clock, so a program is stopped in the
/// same state on every machine. The fast engine takes far fewer units than the reference interpreter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    units: Option<u64>,
}

impl Budget {
    /// No limit.
    pub const UNLIMITED: Self = Self { units: None };

    /// Creates a budget of `units` units of work.
    pub fn new(units: u64) -> Self {
        Self { units: Some(units) }
    }

    /// Returns the limit in units of work after `states` states; `u64::MAX` without a limit.
    pub fn limit(self, states: u64) -> u64 {
        let Some(units) = self.units else { return u64::MAX };
        units.saturating_add((units / STATES_PER_BUDGET).saturating_mul(states))
    }

    /// Returns the budget divided by `divisor`. An unlimited budget stays unlimited.
    #[must_use]
    pub fn divided_by(self, divisor: NonZeroU64) -> Self {
        Self { units: self.units.map(|units| units / divisor) }
    }
}

impl Default for Budget {
    fn default() -> Self {
        Self::new(DEFAULT_UNITS)
    }
}

impl FromStr for Budget {
    type Err = ParseBudgetError;

    fn from_str(text: &str) -> Result<Self, ParseBudgetError> {
        if text == "none" {
            return Ok(Self::UNLIMITED);
        }
        units(text).map(Self::new)
    }
}

/// Returns the number of units that a text such as `1500`, `500M` or `20G` stands for.
///
/// # Errors
///
/// Returns an error if the text is no whole number, with or without one of the suffixes `k`, `M` and `G`, or exceeds [`u64::MAX`].
pub fn units(text: &str) -> Result<u64, ParseBudgetError> {
    let scales = [("k", 1_000), ("M", 1_000_000), ("G", 1_000_000_000)];
    let suffix = scales.iter().find_map(|&(suffix, scale)| Some((text.strip_suffix(suffix)?, scale)));
    let (digits, scale) = suffix.unwrap_or((text, 1));
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(ParseBudgetError::Syntax);
    }
    digits.parse().ok().and_then(|units: u64| units.checked_mul(scale)).ok_or(ParseBudgetError::TooLarge)
}

/// The error of a text that is not a [`Budget`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParseBudgetError {
    /// The text is neither a number of units nor `none`.
    Syntax,
    /// The number of units exceeds [`u64::MAX`].
    TooLarge,
}

impl fmt::Display for ParseBudgetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax => f.write_str("expected a number of units, such as 500M or 20G, or `none`"),
            Self::TooLarge => write!(f, "the number of units exceeds the limit of {}; `none` is unlimited", u64::MAX),
        }
    }
}

impl std::error::Error for ParseBudgetError {}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.units {
            None => f.write_str("none"),
            Some(units) => {
                let scales = [("G", 1_000_000_000), ("M", 1_000_000), ("k", 1_000)];
                match scales.iter().find(|&&(_, scale)| units > 0 && units % scale == 0) {
                    Some((suffix, scale)) => write!(f, "{}{suffix}", units / scale),
                    None => write!(f, "{units}"),
                }
            }
        }
    }
}

/// The point at which a program exceeded its budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BudgetExceeded {
    /// The state in which the budget was exceeded, from 1; 0 before the first state.
    pub state: u64,
    /// The limit in that state, in units of work.
    pub limit: u64,
}

impl std::error::Error for BudgetExceeded {}

impl fmt::Display for BudgetExceeded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { state, limit } = self;
        match state {
            0 => f.write_str("stopped before the first state")?,
            _ => write!(f, "stopped in state {state}")?,
        }
        write!(f, ": exceeds the budget of {limit} units of work")
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU64;

    use super::{Budget, BudgetExceeded, ParseBudgetError};

    #[test]
    fn budgets_are_written_as_numbers_or_none() {
        for (text, units) in [("0", 0), ("7", 7), ("500M", 500_000_000), ("20G", 20_000_000_000), ("3k", 3_000)] {
            assert_eq!(text.parse(), Ok(Budget::new(units)), "{text}");
        }
        assert_eq!("none".parse(), Ok(Budget::UNLIMITED));
        for budget in [Budget::default(), Budget::UNLIMITED, Budget::new(0), Budget::new(1_500), Budget::new(7_000)] {
            assert_eq!(budget.to_string().parse(), Ok(budget));
        }
        assert_eq!(Budget::default().to_string(), "1G");
        for invalid in ["", "-1", "+5M", "M", "1.5G", "many", "1 G", "None"] {
            assert_eq!(invalid.parse::<Budget>(), Err(ParseBudgetError::Syntax), "{invalid}");
        }
        for large in ["99999999999G", "18446744073709551616"] {
            assert_eq!(large.parse::<Budget>(), Err(ParseBudgetError::TooLarge), "{large}");
        }
        let error = ParseBudgetError::TooLarge.to_string();
        assert_eq!(error, "the number of units exceeds the limit of 18446744073709551615; `none` is unlimited");
    }

    #[test]
    fn states_add_to_a_budget() {
        assert_eq!(Budget::new(5_000).limit(0), 5_000);
        assert_eq!(Budget::new(5_000).limit(3), 5_015);
        assert_eq!(Budget::new(u64::MAX).limit(u64::MAX), u64::MAX);
        assert_eq!(Budget::UNLIMITED.limit(7), u64::MAX);
        assert_eq!(Budget::new(7).divided_by(NonZeroU64::MIN.saturating_add(1)), Budget::new(3));
    }

    #[test]
    fn messages_name_the_state_and_the_limit() {
        let message = |state| BudgetExceeded { state, limit: 5 }.to_string();
        assert_eq!(message(0), "stopped before the first state: exceeds the budget of 5 units of work");
        assert_eq!(message(3), "stopped in state 3: exceeds the budget of 5 units of work");
    }
}

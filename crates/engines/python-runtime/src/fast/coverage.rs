//! The report of which parts of a program run fast, and why the others do not.

use crate::code::Program;
use crate::inference::Inference;

/// The parts of a program that the fast engine does not cover.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Coverage {
    /// The reason why no part of the function runs fast; `None` if some part does.
    pub unsupported: Option<String>,
    /// The parts that do not run fast: the reference machine runs every call that reaches one of them.
    pub gaps: Vec<CoverageGap>,
}

/// A part of a program that does not run fast.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct CoverageGap {
    /// The line number, starting at 1.
    pub line: u32,
    /// A description of the construct that is not covered.
    pub construct: String,
}

impl Coverage {
    pub(super) fn from_inference(program: &Program, inference: &Inference<'_>) -> Self {
        let gaps = inference
            .unsupported_constructs()
            .map(|(place, gap)| CoverageGap { line: program.line_number(place), construct: gap.description.clone() });
        let mut gaps: Vec<CoverageGap> = gaps.collect();
        gaps.sort();
        gaps.dedup();
        Self { unsupported: None, gaps }
    }

    pub(super) fn unsupported(reason: String) -> Self {
        Self { unsupported: Some(reason), gaps: Vec::new() }
    }

    /// Adds a part that does not run fast, unless it is listed already.
    pub(super) fn add(&mut self, gap: CoverageGap) {
        if let Err(place) = self.gaps.binary_search(&gap) {
            self.gaps.insert(place, gap);
        }
    }

    /// Whether every call runs fast, except for those with an integer overflow or an exception.
    pub fn is_complete(&self) -> bool {
        self.unsupported.is_none() && self.gaps.is_empty()
    }
}

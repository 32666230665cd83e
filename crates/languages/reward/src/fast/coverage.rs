//! What of a program runs fast, and what does not, and why.

use crate::code::Program;
use crate::typed::Inference;

/// What of a program runs fast.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Coverage {
    /// Why nothing does.
    pub nothing: Option<String>,
    /// What does not: a call that gets there is run by the reference machine.
    pub gaps: Vec<Uncovered>,
}

/// A part of a program that does not run fast.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Uncovered {
    /// The line, from 1 on.
    pub line: u32,
    /// What is there, in words.
    pub what: String,
}

impl Coverage {
    pub(super) fn of(program: &Program, inference: &Inference<'_>) -> Self {
        let gaps = inference.gaps().map(|(place, gap)| Uncovered { line: program.line(place), what: gap.what.clone() });
        let mut gaps: Vec<Uncovered> = gaps.collect();
        gaps.sort();
        gaps.dedup();
        Self { nothing: None, gaps }
    }

    pub(super) fn nothing(why: String) -> Self {
        Self { nothing: Some(why), gaps: Vec::new() }
    }

    /// Notes what else does not run fast.
    pub(super) fn add(&mut self, gap: Uncovered) {
        if let Err(place) = self.gaps.binary_search(&gap) {
            self.gaps.insert(place, gap);
        }
    }

    /// Whether every call runs fast, unless numbers leave what fits or something is raised.
    pub fn is_whole(&self) -> bool {
        self.nothing.is_none() && self.gaps.is_empty()
    }
}

//! "Did you mean": the nearest known name for an unknown one.

use crate::diagnostic::{Applicability, Diagnostic, Fix};
use crate::source::Span;

/// Longest name, in characters, that is compared; the work grows with the square of it.
const MAX_NAME: usize = 64;

/// Most candidates that are considered for one unknown name: more than any vocabulary has, so that many unknown names beside many known
/// ones take time in proportion to the text.
pub const MAX_CANDIDATES: usize = 8192;

/// Most near candidates among which the best is chosen; names that only a number tells apart are all near.
const MAX_NEAR: usize = 64;

/// The candidate that was most probably meant, if any is near enough.
///
/// Near is judged without regard to case, and `-` counts as `_`. The distance is the number of letters inserted, deleted,
/// replaced or swapped with their neighbour; a third of the longer name's letters may differ (one letter in names of two or
/// three). A candidate that the unknown name starts, or that starts it, is near as well when at least three letters agree.
/// Of several candidates, the nearest wins, then the one with the longer common start, then the first. Only the first [`MAX_CANDIDATES`] are
/// considered.
///
/// ```
/// use goalspec_syntax::suggest::nearest;
///
/// assert_eq!(nearest("doggeball", ["golfball", "dodgeball"]), Some("dodgeball"));
/// assert_eq!(nearest("hexagonal", ["hexagonal_bin", "bed"]), Some("hexagonal_bin"));
/// assert_eq!(nearest("lamp", ["golfball", "dodgeball"]), None);
/// ```
pub fn nearest<'a>(unknown: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let unknown = Folded::new(unknown)?;
    let rate = |candidate: &'a str| Some((unknown.rate(candidate)?, candidate));
    let near = candidates.into_iter().take(MAX_CANDIDATES).filter_map(rate).take(MAX_NEAR);
    near.min_by_key(|(rating, _)| *rating).map(|(_, candidate)| candidate)
}

/// A name as it is compared.
struct Folded {
    letters: Vec<char>,
    /// A bit for each letter that occurs, letters beyond the alphabet sharing bits.
    occurring: u32,
}

impl Folded {
    fn new(name: &str) -> Option<Self> {
        let letters = fold(name)?;
        let occurring = letters.iter().fold(0, |bits, letter| bits | 1 << (u32::from(*letter) % 32));
        Some(Self { letters, occurring })
    }

    /// How far a candidate is: its distance, then how many letters follow the common start. `None` if it is not near.
    fn rate(&self, candidate: &str) -> Option<(usize, usize)> {
        // An ASCII name has as many letters as bytes, so that most candidates are told apart without a look at their letters.
        let far = candidate.is_ascii()
            && candidate.len().abs_diff(self.letters.len()) > allowed(candidate.len().max(self.letters.len()));
        if far
            && !self
                .letters
                .first()
                .zip(candidate.chars().next())
                .is_some_and(|(own, other)| own.eq(&other.to_ascii_lowercase()))
        {
            return None;
        }
        let other = Self::new(candidate)?;
        let common = self.letters.iter().zip(&other.letters).take_while(|(one, other)| one == other).count();
        let longer = self.letters.len().max(other.letters.len());
        let is_start = common == self.letters.len().min(other.letters.len()) && common >= 3;
        let allowed = allowed(longer);
        // Each edit brings at most one letter along.
        let brought = |one: u32, other: u32| (one & !other).count_ones() as usize;
        let differing = brought(self.occurring, other.occurring).max(brought(other.occurring, self.occurring));
        if !is_start && (far || differing > allowed) {
            return None;
        }
        let distance = distance(&self.letters, &other.letters);
        (distance <= allowed || is_start).then_some((distance, longer - common))
    }
}

/// How many letters of two names may differ, the longer having so many.
fn allowed(longer: usize) -> usize {
    if longer < 2 { 0 } else { (longer / 3).max(1) }
}

/// A help sentence that names the candidate [`nearest`] finds: "did you mean `dodgeball`?"
pub fn did_you_mean<'a>(unknown: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    nearest(unknown, candidates).map(|name| format!("did you mean `{name}`?"))
}

/// Adds the nearest of the known words to a diagnostic, as help and as a fix for `span`, and tells whether there is one.
///
/// The fix is safe only where nothing but capitals and dashes differ; otherwise it is a guess.
pub fn with_nearest<'a>(
    diagnostic: Diagnostic,
    word: &str,
    span: Span,
    known: impl IntoIterator<Item = &'a str>,
) -> (Diagnostic, bool) {
    let Some(near) = nearest(word, known) else { return (diagnostic, false) };
    let applicability = if fold(word) == fold(near) { Applicability::Safe } else { Applicability::Unsafe };
    let fix = Fix::replace(format!("write `{near}`"), applicability, span, near);
    (diagnostic.with_help(format!("did you mean `{near}`?")).with_fix(fix), true)
}

/// The letters that are compared; `None` for a name too long to compare.
fn fold(name: &str) -> Option<Vec<char>> {
    let letters = name.chars().flat_map(char::to_lowercase).map(|c| if c == '-' { '_' } else { c });
    let folded: Vec<char> = letters.take(MAX_NAME + 1).collect();
    (folded.len() <= MAX_NAME).then_some(folded)
}

/// The Damerau-Levenshtein distance in its restricted form, in which no letter is edited twice.
fn distance(one: &[char], other: &[char]) -> usize {
    let width = other.len() + 1;
    let mut before_last = vec![0; width];
    let mut last: Vec<usize> = (0..width).collect();
    for row in 1..=one.len() {
        let mut current = vec![row; width];
        for column in 1..width {
            let replaced = last[column - 1] + usize::from(one[row - 1] != other[column - 1]);
            let mut best = replaced.min(last[column] + 1).min(current[column - 1] + 1);
            let swapped =
                row > 1 && column > 1 && one[row - 1] == other[column - 2] && one[row - 2] == other[column - 1];
            if swapped {
                best = best.min(before_last[column - 2] + 1);
            }
            current[column] = best;
        }
        before_last = std::mem::replace(&mut last, current);
    }
    last[width - 1]
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 12] = [
        "agent_holds",
        "in_motion",
        "in",
        "on",
        "object_orientation",
        "ball",
        "wall",
        "dodgeball",
        "same_color",
        "same_type",
        "count-once-per-objects",
        "count-once",
    ];

    #[test]
    fn the_nearest_name_is_suggested() {
        let cases = [
            ("agent_hold", Some("agent_holds")),
            ("agent-holds", Some("agent_holds")),
            ("AgentHolds", Some("agent_holds")),
            ("inmotion", Some("in_motion")),
            ("motion", Some("in_motion")),
            ("IN", Some("in")),
            ("ni", Some("in")),
            ("orientation", None),
            ("object_orient", Some("object_orientation")),
            ("same_colour", Some("same_color")),
            ("dodgbeall", Some("dodgeball")),
            ("bal", Some("ball")),
            ("count-one", Some("count-once")),
            ("x", None),
            ("", None),
            ("teddy", None),
        ];
        for (unknown, expected) in cases {
            assert_eq!(nearest(unknown, NAMES), expected, "{unknown}");
        }
    }

    #[test]
    fn distances_count_edits_and_swaps() {
        let cases = [
            ("", "", 0),
            ("a", "", 1),
            ("ab", "ba", 1),
            ("kitten", "sitting", 3),
            ("abcd", "acbd", 1),
            ("ca", "abc", 3),
        ];
        for (one, other, expected) in cases {
            let letters = |text: &str| text.chars().collect::<Vec<_>>();
            assert_eq!(distance(&letters(one), &letters(other)), expected, "{one} {other}");
            assert_eq!(distance(&letters(other), &letters(one)), expected, "{other} {one}");
        }
    }

    #[test]
    fn what_is_told_apart_early_is_not_near() {
        // All names of up to four letters of a small alphabet, and some longer ones that share starts with them.
        let mut names = vec![String::new()];
        for length in 0..4 {
            let longer: Vec<String> = names
                .iter()
                .filter(|name| name.len() == length)
                .flat_map(|name| ["a", "B", "-"].map(|letter| format!("{name}{letter}")))
                .collect();
            names.extend(longer);
        }
        names.extend(["abb_aab", "aab-bba_ab", "bbbbbbbbbbbb", "\u{e4}ab"].map(str::to_owned));
        let is_near = |one: &str, other: &str| {
            let (one, other) = (fold(one)?, fold(other)?);
            let common = one.iter().zip(&other).take_while(|(one, other)| one == other).count();
            let longer = one.len().max(other.len());
            let near =
                distance(&one, &other) <= allowed(longer) || (common == one.len().min(other.len()) && common >= 3);
            near.then(|| (distance(&one, &other), longer - common))
        };
        for one in &names {
            for other in &names {
                let rated = Folded::new(one).and_then(|folded| folded.rate(other));
                assert_eq!(rated, is_near(one, other), "{one} {other}");
            }
        }
    }

    #[test]
    fn only_so_many_candidates_are_considered() {
        let others = || std::iter::repeat_n("something", MAX_CANDIDATES - 1);
        assert_eq!(nearest("bed", others().chain(["bad"])), Some("bad"));
        assert_eq!(nearest("bed", others().chain(["else", "bad"])), None);
    }

    #[test]
    fn endless_names_have_no_neighbour() {
        let long = "a".repeat(1 << 20);
        assert_eq!(nearest(&long, [long.as_str()]), None);
    }
}

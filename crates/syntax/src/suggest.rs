//! "Did you mean": the nearest known name for an unknown one.

use crate::diagnostic::{Applicability, Diagnostic, Fix};
use crate::source::Span;

/// Longest name, in characters, that is compared; the work grows with the square of it.
const MAX_NAME: usize = 64;

/// The candidate that was most probably meant, if any is near enough.
///
/// Near is judged without regard to case, and `-` counts as `_`. The distance is the number of letters inserted, deleted,
/// replaced or swapped with their neighbour; a third of the longer name's letters may differ (one letter in names of two or
/// three). A candidate that the unknown name starts, or that starts it, is near as well when at least three letters agree.
/// Of several candidates, the nearest wins, then the one with the longer common start, then the first.
///
/// ```
/// use goalspec_syntax::suggest::nearest;
///
/// assert_eq!(nearest("doggeball", ["golfball", "dodgeball"]), Some("dodgeball"));
/// assert_eq!(nearest("hexagonal", ["hexagonal_bin", "bed"]), Some("hexagonal_bin"));
/// assert_eq!(nearest("lamp", ["golfball", "dodgeball"]), None);
/// ```
pub fn nearest<'a>(unknown: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let unknown = fold(unknown)?;
    let rate = |candidate: &'a str| {
        let name = fold(candidate)?;
        let common = unknown.iter().zip(&name).take_while(|(one, other)| one == other).count();
        let longer = unknown.len().max(name.len());
        let distance = distance(&unknown, &name);
        let is_start = common == unknown.len().min(name.len()) && common >= 3;
        let allowed = if longer < 2 { 0 } else { (longer / 3).max(1) };
        (distance <= allowed || is_start).then_some(((distance, longer - common), candidate))
    };
    candidates.into_iter().filter_map(rate).min_by_key(|(rating, _)| *rating).map(|(_, candidate)| candidate)
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
    fn endless_names_have_no_neighbour() {
        let long = "a".repeat(1 << 20);
        assert_eq!(nearest(&long, [long.as_str()]), None);
    }
}

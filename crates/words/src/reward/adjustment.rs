//! Rescaled and clamped programs. goalspec never changes a reward by itself: an adjustment is requested, and shown as a diff.

use goalspec_reward::outline::Outline;
use goalspec_syntax::Sources;
use similar::TextDiff;

/// A change of the range of a reward.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Adjustment {
    /// The reward is divided by this number.
    Rescale(f64),
    /// The reward is cut at -1 and 1.
    Clamp,
}

/// The name of the original function in an adjusted program.
const ORIGINAL: &str = "original_reward_function";

/// The names of reward functions.
const NAMES: [&str; 2] = ["reward_function", "compute_reward"];

/// Returns the program with an adjustment; `components` says whether it returns its components as well. `None` if the program has no
/// reward function of a usual name, or already has a function with the name of the original one.
pub fn adjusted(program: &str, adjustment: Adjustment, components: bool) -> Option<String> {
    let mut sources = Sources::new();
    let id = sources.add("reward.py", program);
    let outline = Outline::of(sources.file(id));
    let function =
        NAMES.iter().find_map(|name| outline.functions.iter().rev().find(|function| function.name.text == *name))?;
    if outline.functions.iter().any(|function| function.name.text == ORIGINAL) {
        return None;
    }
    let (start, end) = (function.name.span.start as usize, function.name.span.end as usize);
    let (name, parameters) = (&function.name.text, function.parameters.join(", "));
    let value = match adjustment {
        Adjustment::Rescale(divisor) => format!("reward / {divisor:?}"),
        Adjustment::Clamp => "max(-1.0, min(1.0, reward))".to_owned(),
    };
    let body = if components {
        format!("    reward, components = {ORIGINAL}({parameters})\n    return {value}, components\n")
    } else {
        format!("    reward = {ORIGINAL}({parameters})\n    return {value}\n")
    };
    let text = format!("{}{ORIGINAL}{}", &program[..start], &program[end..]);
    Some(format!("{}\n\n\ndef {name}({parameters}):\n{body}", text.trim_end()))
}

/// Returns the unified diff of two programs.
pub fn diff(before: &str, after: &str) -> String {
    TextDiff::from_lines(before, after).unified_diff().context_radius(2).header("reward.py", "reward.py").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_adjustment_wraps_the_original_function() {
        let program = "def reward_function(objects):\n    return 5.0\n";
        let clamped = adjusted(program, Adjustment::Clamp, false).unwrap();
        let expected = "def original_reward_function(objects):\n    return 5.0\n\n\ndef reward_function(objects):\n    reward = \
                        original_reward_function(objects)\n    return max(-1.0, min(1.0, reward))\n";
        assert_eq!(clamped, expected);
        assert!(
            diff(program, &clamped)
                .contains("-def reward_function(objects):\n+def original_reward_function(objects):\n")
        );
        assert_eq!(adjusted(&clamped, Adjustment::Clamp, false), None);
        let scaled = adjusted(program, Adjustment::Rescale(2.5), true).unwrap();
        assert!(scaled.ends_with("return reward / 2.5, components\n"), "{scaled}");
    }
}

//! Detection of the language of a text by its name and its beginning.

use std::ffi::OsStr;
use std::path::Path;

use goalspec_syntax::SourceFile;
use goalspec_syntax::source::{lines, without_byte_order_mark};

use crate::domains as planning;
use crate::files::strip_compression_extension;

/// The file extensions of plans.
pub(crate) const PLAN_EXTENSIONS: [&str; 2] = ["plan", "soln"];

/// The language of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Language {
    /// The game language.
    Game,
    /// Household activities and their domains.
    Bddl,
    /// Planning problems and their domains.
    Pddl,
    /// Resource graph games.
    Rgg,
    /// Reward functions.
    Reward,
    /// The steps of a plan, which is not a program.
    Plan,
}

/// Returns the language of a text:
///
/// - RGG if it is YAML;
/// - a reward function if it has the extension of Python, or no extension and the beginning of a Python program;
/// - BDDL if it has the extension `bddl`;
/// - PDDL or BDDL if its first definition is a problem or a domain: PDDL if it has the extension `pddl`, or if it is the standard
///   input, `activities` is not set and nothing in it indicates BDDL;
/// - a plan if it looks like one;
/// - the game language otherwise.
///
/// `activities` states whether the user has set an option for activities.
pub fn detect_language(file: &SourceFile, activities: bool) -> Language {
    if is_yaml(file.name(), file.text()) {
        return Language::Rgg;
    }
    if is_python(file.name()) || begins_as_python(file) {
        return Language::Reward;
    }
    if extension(file.name()).is_some_and(|extension| extension.eq_ignore_ascii_case("bddl")) {
        return Language::Bddl;
    }
    match first_definition(file.text()) {
        Some(word) if is_definition(word) && planning::is_pddl(Path::new(file.name())) => Language::Pddl,
        Some(word) if is_definition(word) && file.name() == "-" && !activities && !is_of_activities(file) => {
            Language::Pddl
        }
        Some(word) if is_definition(word) => Language::Bddl,
        _ if is_plan(file.name(), file.text()) => Language::Plan,
        _ => Language::Game,
    }
}

/// Returns the extension of a name, apart from that of a compression: `py` for `reward.py.gz`.
pub(crate) fn extension(name: &str) -> Option<&OsStr> {
    Path::new(strip_compression_extension(name)).extension()
}

/// Whether a name has the extension of Python.
pub(crate) fn is_python(name: &str) -> bool {
    extension(name).is_some_and(|extension| extension.eq_ignore_ascii_case("py"))
}

/// Whether a text whose name has no extension begins like a Python program.
fn begins_as_python(file: &SourceFile) -> bool {
    const BEGINNINGS: [&str; 7] = ["def ", "class ", "import ", "from ", "@", "\"\"\"", "'''"];
    let mut lines = lines(without_byte_order_mark(file.text()))
        .map(str::trim_end)
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    let first = lines.next().unwrap_or_default();
    extension(file.name()).is_none() && BEGINNINGS.iter().any(|prefix| first.starts_with(prefix))
}

/// Whether a text is a plan: by its extension, or because every line is a step such as `(drive red depot mill)`, with or without
/// times.
pub(crate) fn is_plan(name: &str, text: &str) -> bool {
    if extension(name).is_some_and(|extension| PLAN_EXTENSIONS.iter().any(|plan| extension.eq_ignore_ascii_case(plan)))
    {
        return true;
    }
    let lines = lines(without_byte_order_mark(text)).map(|line| line.split(';').next().unwrap_or_default().trim());
    let mut steps = lines.filter(|line| !line.is_empty()).peekable();
    steps.peek().is_some() && steps.all(is_step)
}

/// Whether a line is a step of a plan.
fn is_step(line: &str) -> bool {
    let Some((time, rest)) = line.split_once('(') else { return false };
    let Some((step, duration)) = rest.split_once(')') else { return false };
    let time = time.trim().strip_suffix(':').unwrap_or(time.trim());
    let duration = duration.trim().trim_start_matches('[').trim_end_matches(']');
    let is_number = |text: &str| text.is_empty() || text.trim().parse::<f64>().is_ok();
    let plain = |c: char| c.is_alphanumeric() || c.is_whitespace() || matches!(c, '-' | '_' | '.');
    is_number(time) && is_number(duration) && !step.trim().is_empty() && step.chars().all(plain)
}

/// Whether a text names a built-in domain of BDDL, contains an instance such as `table.n.02_1`, or has sections that only
/// LIBERO's problems have.
fn is_of_activities(file: &SourceFile) -> bool {
    let text = file.text();
    let domain = planning::named_domain(text).or_else(|| planning::defined_domain(text));
    domain.is_some_and(|name| goalspec_bddl::domains::names().any(|known| name.eq_ignore_ascii_case(known)))
        || text.contains(".n.0")
        || goalspec_bddl::parse::libero_section(file).is_some()
}

/// Whether this keyword begins the definition of a problem or domain, in BDDL or PDDL.
fn is_definition(word: &str) -> bool {
    word.eq_ignore_ascii_case("problem") || word.eq_ignore_ascii_case("domain")
}

/// Whether a text is YAML: by its extension, or because its name has no extension and it begins with a section of a resource
/// graph game.
pub(crate) fn is_yaml(name: &str, text: &str) -> bool {
    if let Some(extension) = extension(name) {
        return extension.eq_ignore_ascii_case("yaml") || extension.eq_ignore_ascii_case("yml");
    }
    let mut lines = lines(without_byte_order_mark(text))
        .filter(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#'));
    let key = lines.find(|line| *line != "---").and_then(|line| line.split_once(':'));
    key.is_some_and(|(key, _)| goalspec_rgg::is_section(key.trim()))
}

/// Returns the kind of the first definition in a text: the word after `(define (`.
pub(crate) fn first_definition(text: &str) -> Option<&str> {
    let lines = lines(without_byte_order_mark(text)).map(|line| line.split(';').next().unwrap_or_default());
    let mut words =
        lines.flat_map(str::split_whitespace).flat_map(|word| word.split('(')).filter(|word| !word.is_empty());
    words.next().filter(|define| define.eq_ignore_ascii_case("define"))?;
    words.next()
}

/// Whether a text may define a domain: whether it contains the word `domain` other than as the section `:domain`.
pub(crate) fn may_define_domain(text: &str) -> bool {
    const WORD: &[u8] = b"domain";
    let text = text.as_bytes();
    let mut places = text.windows(WORD.len()).enumerate().filter(|(_, word)| word.eq_ignore_ascii_case(WORD));
    places.any(|(offset, _)| offset == 0 || text[offset - 1] != b':')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn python_is_detected_by_its_first_lines() {
        let language_of = |name: &str, text: &str| {
            let mut sources = goalspec_syntax::Sources::new();
            let id = sources.add(name.to_owned(), text.to_owned());
            detect_language(sources.file(id), false)
        };
        for text in ["# Reward.\n\nfrom x import *\n", "def f(objects):\n    return 0.0\n", "\"\"\"Pong.\"\"\"\n"] {
            assert!(matches!(language_of("-", text), Language::Reward), "{text}");
            assert!(matches!(language_of("a.game", text), Language::Game), "{text}");
        }
        assert!(matches!(language_of("-", "(define (game g) (:domain d))"), Language::Game));
        assert!(matches!(language_of("a.py.gz", ""), Language::Reward));
        assert!(matches!(language_of("a.yaml.zst", ""), Language::Rgg));
        assert!(matches!(language_of("a.bddl.gz", ""), Language::Bddl));
        assert!(matches!(language_of("a.pddl.gz", "(define (problem p))"), Language::Pddl));
        assert!(matches!(language_of("a.plan.gz", ""), Language::Plan));
        assert!(matches!(language_of("a.pddl", "\u{feff}(define (problem p))"), Language::Pddl));
        assert!(matches!(language_of("-", "\u{feff}def f(objects):\n    return 0.0\n"), Language::Reward));
        assert!(matches!(language_of("-", "\u{feff}teams: [red]\n"), Language::Rgg));
        assert!(matches!(language_of("steps.txt", "\u{feff}(noop)\n"), Language::Plan));
    }

    #[test]
    fn plans_and_programs_are_distinguished() {
        for text in [
            "(drive red depot mill)\n(load books red mill)\n; cost = 4 (general cost)\n",
            "0: (a b) [4]\n4.5: (a-b c_d1)\n",
            "(noop)",
        ] {
            assert!(is_plan("steps.txt", text), "{text}");
        }
        for text in ["", "; nothing", "(define (game g)\n(:domain d))", "(a b) (c d)", "(a (b))", "(:domain d)", "()"] {
            assert!(!is_plan("steps.txt", text), "{text}");
        }
        assert!(is_plan("empty.plan", "") && is_plan("a.SOLN", "(a (b))"));
    }
}

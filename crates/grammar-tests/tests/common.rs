//! The engines, and helpers of all tests.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use goalspec_constraints::OutputConstraint;
use goalspec_grammar::{Grammar, SampleOptions};
use goalspec_syntax::{Diagnostic, SourceFile, Sources};
use llguidance::api::TopLevelGrammar;
use llguidance::toktrie::{ApproximateTokEnv, TokEnv};
use llguidance::{Matcher, ParserFactory};

/// A constraint compiled by the engine llguidance, whose tokens are single bytes.
pub(crate) struct Engine {
    matcher: Matcher,
}

impl Engine {
    /// Compiles the grammar of a constraint.
    pub(crate) fn of(constraint: &OutputConstraint) -> Self {
        Self::new(TopLevelGrammar::from_lark(constraint.lark().expect("the language has a grammar")))
    }

    /// Compiles the schema of a constraint.
    pub(crate) fn of_schema(schema: &serde_json::Value) -> Self {
        Self::new(TopLevelGrammar::from_json_schema(schema.clone()))
    }

    fn new(grammar: TopLevelGrammar) -> Self {
        let tokens: TokEnv = ApproximateTokEnv::single_byte_env();
        let mut factory = ParserFactory::new_simple(&tokens).expect("the engine starts");
        factory.limits_mut().initial_lexer_fuel = 20_000_000;
        let parser = factory.create_parser(grammar);
        let matcher = Matcher::new(parser);
        assert!(!matcher.is_error(), "{:?}", matcher.get_error());
        Self { matcher }
    }

    /// Whether a text is derived.
    pub(crate) fn accepts(&self, text: &str) -> bool {
        let mut matcher = self.matcher.deep_clone();
        let tokens: Vec<u32> = text.bytes().map(u32::from).collect();
        let consumed = matcher.try_consume_tokens(&tokens);
        consumed.is_ok_and(|count| count == tokens.len()) && matcher.is_accepting().unwrap_or(false)
    }
}

/// Both engines of one constraint.
pub(crate) struct Engines {
    own: goalspec_grammar::Matcher,
    other: Engine,
}

impl Engines {
    pub(crate) fn of(constraint: &OutputConstraint) -> Self {
        let own = constraint.grammar().map(Grammar::matcher).expect("the language has a grammar");
        Self { own, other: Engine::of(constraint) }
    }

    /// Whether a text is derived. Both engines must agree.
    pub(crate) fn accepts(&self, text: &str) -> bool {
        let own = self.own.check(text);
        assert_eq!(own.is_ok(), self.other.accepts(text), "the engines differ: {own:?}: {text}");
        own.is_ok()
    }

    /// Asserts that a text is derived.
    pub(crate) fn assert_accepts(&self, name: &str, text: &str) {
        if let Err(mismatch) = self.own.check(text) {
            panic!("{name}: at byte {}: {mismatch}: {text}", mismatch.offset);
        }
        assert!(self.other.accepts(text), "{name}: the other engine rejects {text}");
    }
}

/// Returns random texts of a constraint.
pub(crate) fn samples(constraint: &OutputConstraint, count: u64) -> Vec<String> {
    let sample = |seed| constraint.sample(SampleOptions { seed, max_terminals: 150, ..SampleOptions::default() });
    (0..count).map(|seed| sample(seed).expect("a constraint has texts")).collect()
}

/// Returns a source file.
pub(crate) fn source(name: &str, text: &str) -> SourceFile {
    let mut sources = Sources::new();
    let id = sources.add(name, text);
    sources.file(id).clone()
}

/// Returns the single-word changes of a text in canonical layout: a word that no vocabulary has for each of its words, a word less, a word
/// twice.
pub(crate) fn mutations(text: &str) -> Vec<String> {
    let words: Vec<&str> = text.split(' ').collect();
    let mut mutations = Vec::new();
    for (index, word) in words.iter().enumerate() {
        let name = word.trim_matches(['(', ')']);
        if name.is_empty() {
            continue;
        }
        let unknown = word.replace(name, &format!("zq{}", name.trim_start_matches(['?', ':'])));
        for change in [Some(unknown), None, Some(format!("{name} {word}"))] {
            let mut changed: Vec<&str> = words.clone();
            match &change {
                Some(change) => changed[index] = change,
                None => drop(changed.remove(index)),
            }
            mutations.push(changed.join(" "));
        }
    }
    mutations.push(text.strip_suffix(')').unwrap_or_default().to_owned());
    mutations.push(format!("{text})"));
    mutations
}

/// Counts the mutations that a checker rejects, and those of them that a constraint rejects. Mutations with errors of codes that the
/// constraint does not leave to the checker must be rejected by both.
pub(crate) fn count_rejected<M: AsRef<str>>(
    mutations: impl IntoIterator<Item = M>,
    errors: impl Fn(&str) -> BTreeMap<&'static str, usize>,
    left_to_checker: &[&str],
    is_rejected: impl Fn(&str) -> bool,
) -> [usize; 2] {
    let mut counts = [0, 0];
    for mutation in mutations {
        let mutation = mutation.as_ref();
        let found = errors(mutation);
        if found.is_empty() {
            continue;
        }
        let is_rejected = is_rejected(mutation);
        let is_left = found.keys().all(|code| left_to_checker.contains(code));
        assert!(is_rejected || is_left, "{found:?}: {mutation}");
        counts = [counts[0] + 1, counts[1] + usize::from(is_rejected)];
    }
    counts
}

/// Adds counts of mutations.
pub(crate) fn sum_counts(counts: impl IntoIterator<Item = [usize; 2]>) -> [usize; 2] {
    counts.into_iter().fold([0, 0], |sum, count| [sum[0] + count[0], sum[1] + count[1]])
}

/// Counts the codes of errors, without those that a grammar leaves to the checker.
pub(crate) fn count_errors<'d>(
    counts: &mut BTreeMap<&'static str, usize>,
    found: impl IntoIterator<Item = &'d Diagnostic>,
    left_to_checker: &[&str],
) {
    for error in found.into_iter().filter(|found| found.is_error() && !left_to_checker.contains(&found.code.0)) {
        *counts.entry(error.code.0).or_default() += 1;
    }
}

/// Returns a folder with fetched data; `None`, with a printed note, if it does not exist.
pub(crate) fn data(part: &str) -> Option<PathBuf> {
    let mut folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let found = folders.find_map(|folder| Some(folder.join("target/data").join(part)).filter(|path| path.is_dir()));
    if found.is_none() {
        eprintln!("skipped: no target/data/{part} (run `cargo xtask fetch-bddl`)");
    }
    found
}

/// Returns the rows of a recording.
pub(crate) fn rows(path: &Path) -> Vec<serde_json::Value> {
    let file = std::fs::File::open(path).expect("the recording can be read");
    let text = std::io::read_to_string(flate2::read::GzDecoder::new(file)).expect("the recording is text");
    text.lines().map(|line| serde_json::from_str(line).expect("a row is JSON")).collect()
}

/// Runs a check of each item on two threads, and returns the results in order.
pub(crate) fn on_threads<T: Sync, R: Send>(items: &[T], check: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let half = items.len().div_ceil(2);
    let check = &check;
    std::thread::scope(|scope| {
        let parts: Vec<_> = items
            .chunks(half.max(1))
            .map(|part| scope.spawn(move || part.iter().map(check).collect::<Vec<_>>()))
            .collect();
        parts.into_iter().flat_map(|part| part.join().expect("a check does not panic")).collect()
    })
}

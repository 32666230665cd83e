//! A stand-in that makes the mistakes of a language model: a correct stand-in whose replies are changed at given rates.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

use crate::error::ModelError;
use crate::model::Model;
use crate::reply::{Outcome, Reply};
use crate::request::Request;
use crate::retry::mix;
use crate::stand_in::SettingError;

/// The probabilities that a reply has each kind of error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NoiseRates {
    /// A fact that the text does not say, such as `(ontable x)` for another object.
    pub extra: f64,
    /// A fact with two objects exchanged.
    pub swap: f64,
    /// A fact left out.
    pub drop: f64,
    /// A name that is not declared, such as `necktie` for `neck-tie`, in all facts.
    pub rename: f64,
    /// An end by the limit of tokens.
    pub cut: f64,
    /// Sentences around the facts.
    pub prose: f64,
}

/// The names of the settings.
pub(crate) const NAMES: [&str; 7] = ["all", "extra", "swap", "drop", "rename", "cut", "prose"];

/// A change of a text.
type Change = fn(&str, &mut Draws) -> String;

impl Default for NoiseRates {
    /// Returns the rates in the recorded replies of Collins et al. (2022). Of 600 translations, 39 have a fact too many, 9 exchange the objects
    /// of a fact, 4 lack a fact and 18 use an undeclared name. Of all 900 replies, 39 were cut, and 29 lines are neither fact nor action.
    fn default() -> Self {
        Self {
            extra: 39.0 / 600.0,
            swap: 9.0 / 600.0,
            drop: 4.0 / 600.0,
            rename: 18.0 / 600.0,
            cut: 39.0 / 900.0,
            prose: 29.0 / 900.0,
        }
    }
}

impl NoiseRates {
    /// Reads rates from settings by their names; `all` sets every rate that has no setting of its own. Rates without a setting are the default
    /// ones.
    ///
    /// # Errors
    /// If a setting has another name, or is not a number from 0 to 1.
    pub fn from_settings(settings: &BTreeMap<String, String>) -> Result<Self, SettingError> {
        let rate = |name: &str| -> Result<Option<f64>, SettingError> {
            let Some(text) = settings.get(name) else { return Ok(None) };
            let rate = text.parse().ok().filter(|rate| (0.0..=1.0).contains(rate));
            rate.map(Some).ok_or_else(|| SettingError::InvalidRate { name: name.to_owned(), text: text.clone() })
        };
        if let Some(name) = settings.keys().find(|name| !NAMES.contains(&name.as_str())) {
            return Err(SettingError::UnknownRate(name.clone()));
        }
        let (all, rates) = (rate("all")?, Self::default());
        let pick = |name: &str, default: f64| Ok::<_, SettingError>(rate(name)?.or(all).unwrap_or(default));
        Ok(Self {
            extra: pick("extra", rates.extra)?,
            swap: pick("swap", rates.swap)?,
            drop: pick("drop", rates.drop)?,
            rename: pick("rename", rates.rename)?,
            cut: pick("cut", rates.cut)?,
            prose: pick("prose", rates.prose)?,
        })
    }
}

/// A stand-in with errors. The errors of a reply depend on the seed, the request and its attempt only, not on the order of requests.
pub struct NoisyModel {
    inner: Arc<dyn Model>,
    rates: NoiseRates,
    seed: u64,
}

impl NoisyModel {
    /// Creates a model that changes the replies of another one.
    pub fn new(inner: Arc<dyn Model>, rates: NoiseRates, seed: u64) -> Self {
        Self { inner, rates, seed }
    }
}

impl Model for NoisyModel {
    fn complete(&self, request: &Request) -> Result<Reply, ModelError> {
        let mut reply = self.inner.complete(request)?;
        let text = request.prompt.text();
        let bytes = text
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        let mut draws = Draws { state: mix(self.seed) ^ mix(bytes) ^ mix(u64::from(request.attempt) << 32) };
        add_noise(&mut reply, self.rates, &mut draws);
        Ok(reply)
    }

    fn name(&self) -> &'static str {
        "fake:noisy"
    }
}

/// A stream of random numbers.
struct Draws {
    state: u64,
}

impl Draws {
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(1);
        mix(self.state)
    }

    /// Draws an index below a positive length.
    fn index(&mut self, length: usize) -> usize {
        (self.next() % length.max(1) as u64) as usize
    }

    fn chance(&mut self, rate: f64) -> bool {
        ((self.next() >> 11) as f64 / (1u64 << 53) as f64) < rate
    }
}

/// A fact in a text, `(predicate object ..)`.
struct Fact {
    range: Range<usize>,
    words: Vec<String>,
}

/// Whether a list with this first word is part of the frame of a problem, such as `(problem NAME)` and `(:objects ..)`, and no fact.
fn is_frame(head: &str) -> bool {
    head.starts_with(':') || matches!(head, "problem" | "domain" | "game" | "define")
}

/// Finds the facts of a text: the innermost parentheses, except for those of the frame of a problem.
fn facts(text: &str) -> Vec<Fact> {
    let mut facts = Vec::new();
    let mut open = None;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => open = Some(at),
            b')' => {
                if let Some(start) = open.take() {
                    let words: Vec<String> = text[start + 1..at].split_whitespace().map(str::to_owned).collect();
                    if words.first().is_some_and(|head| !is_frame(head)) {
                        facts.push(Fact { range: start..at + 1, words });
                    }
                }
            }
            _ => {}
        }
    }
    facts
}

fn render(words: &[String]) -> String {
    format!("({})", words.join(" "))
}

/// Applies each kind of error with its probability. All kinds are drawn in any case, so that changing one rate leaves the others alone.
fn add_noise(reply: &mut Reply, rates: NoiseRates, draws: &mut Draws) {
    let kinds =
        [rates.rename, rates.swap, rates.drop, rates.extra, rates.prose, rates.cut].map(|rate| draws.chance(rate));
    let seeds = kinds.map(|_| Draws { state: draws.next() });
    let [rename, swap, drop, extra, prose, cut] = kinds;
    let [rename_draws, swap_draws, drop_draws, extra_draws, prose_draws, cut_draws] = seeds;
    let steps: [(bool, Draws, Change); 5] = [
        (rename, rename_draws, rename_object),
        (swap, swap_draws, swap_objects),
        (drop, drop_draws, drop_fact),
        (extra, extra_draws, extra_fact),
        (prose, prose_draws, surround),
    ];
    for (applies, mut draws, step) in steps {
        if applies {
            reply.text = step(&reply.text, &mut draws);
        }
    }
    if cut {
        let mut cut_draws = cut_draws;
        let starts: Vec<usize> = reply.text.char_indices().map(|(at, _)| at).collect();
        let half = starts.len() / 2;
        let at = starts.get(half + cut_draws.index(starts.len() - half)).copied().unwrap_or(0);
        reply.text.truncate(at);
        reply.outcome = Outcome::Cut;
    }
}

/// Replaces a name everywhere: `neck-tie` by `necktie` or `tie`, a name without a hyphen by `table`.
fn rename_object(text: &str, draws: &mut Draws) -> String {
    let facts = facts(text);
    let names: BTreeSet<&String> = facts.iter().flat_map(|fact| &fact.words[1..]).collect();
    let compound: Vec<&&String> = names.iter().filter(|name| name.contains('-')).collect();
    let (name, new) = if compound.is_empty() {
        let names: Vec<&String> = names.into_iter().collect();
        let Some(name) = names.get(draws.index(names.len())) else { return text.to_owned() };
        ((*name).clone(), "table".to_owned())
    } else {
        let name = (*compound[draws.index(compound.len())]).clone();
        let last = name.rsplit('-').next().unwrap_or_default().to_owned();
        let new = if draws.chance(2.0 / 3.0) { name.replace('-', "") } else { last };
        (name, new)
    };
    let rename = |word: &String| if *word == name { new.clone() } else { word.clone() };
    edit(text, &facts, |fact| {
        let words: Vec<String> =
            std::iter::once(fact.words[0].clone()).chain(fact.words[1..].iter().map(rename)).collect();
        Some(render(&words))
    })
}

fn swap_objects(text: &str, draws: &mut Draws) -> String {
    let facts = facts(text);
    let pairs: Vec<usize> = (0..facts.len()).filter(|index| facts[*index].words.len() == 3).collect();
    let Some(&chosen) = pairs.get(draws.index(pairs.len())) else { return text.to_owned() };
    let start = facts[chosen].range.start;
    edit(text, &facts, |fact| {
        let mut words = fact.words.clone();
        if fact.range.start == start {
            words.swap(1, 2);
        }
        Some(render(&words))
    })
}

fn drop_fact(text: &str, draws: &mut Draws) -> String {
    let facts = facts(text);
    if facts.is_empty() {
        return text.to_owned();
    }
    let start = facts[draws.index(facts.len())].range.start;
    edit(text, &facts, |fact| (fact.range.start != start).then(|| render(&fact.words)))
}

/// Adds a fact with one object that the text does not have, of a predicate that it has if possible, after the last fact.
fn extra_fact(text: &str, draws: &mut Draws) -> String {
    let facts = facts(text);
    let known: BTreeSet<&[String]> = facts.iter().map(|fact| fact.words.as_slice()).collect();
    let unary = facts.iter().filter(|fact| fact.words.len() == 2).map(|fact| fact.words[0].clone());
    let mut predicates: BTreeSet<String> = unary.collect();
    if predicates.is_empty() {
        predicates.insert("ontable".to_owned());
    }
    let names: BTreeSet<&String> = facts.iter().flat_map(|fact| &fact.words[1..]).collect();
    let new =
        predicates.iter().flat_map(|predicate| names.iter().map(move |name| vec![predicate.clone(), (*name).clone()]));
    let new: Vec<Vec<String>> = new.filter(|words| !known.contains(words.as_slice())).collect();
    let (Some(words), Some(last)) = (new.get(draws.index(new.len())), facts.last()) else { return text.to_owned() };
    let (before, after) = text.split_at(last.range.end);
    format!("{before}\n{}{after}", render(words))
}

fn surround(text: &str, draws: &mut Draws) -> String {
    const BEFORE: [&str; 3] =
        ["Here is the translation:", "Sure! The facts are as follows.", "The PDDL for this text is:"];
    const AFTER: [&str; 3] =
        ["Let me know if you need anything else.", "Each line is one fact.", "This covers all sentences."];
    let (before, after) = (BEFORE[draws.index(3)], AFTER[draws.index(3)]);
    format!("{before}\n\n{}\n\n{after}", text.trim_end_matches('\n'))
}

/// Replaces each fact of a text; without a replacement, its line is left out if it is the only part of it.
fn edit(text: &str, facts: &[Fact], new: impl Fn(&Fact) -> Option<String>) -> String {
    let mut edited = String::with_capacity(text.len());
    let mut at = 0;
    for fact in facts {
        edited.push_str(&text[at..fact.range.start]);
        at = fact.range.end;
        if let Some(fact) = new(fact) {
            edited.push_str(&fact);
        } else {
            let is_line = (edited.is_empty() || edited.ends_with('\n')) && text[at..].starts_with('\n');
            at += usize::from(is_line);
        }
    }
    edited + &text[at..]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scripted::ScriptedModel;

    const TEXT: &str = "(ontable neck-tie)\n(on lamp neck-tie)\n(clear lamp)\n";

    fn noisy(settings: &str, seed: u64) -> Reply {
        let settings = settings.split(',').filter_map(|setting| setting.split_once('='));
        let settings: BTreeMap<_, _> = settings.map(|(name, rate)| (name.to_owned(), rate.to_owned())).collect();
        let rates = NoiseRates::from_settings(&settings).unwrap();
        let model = NoisyModel::new(Arc::new(ScriptedModel::with_texts([TEXT])), rates, seed);
        model.complete(&Request::text("translate")).unwrap()
    }

    #[test]
    fn each_kind_of_error_changes_the_text_as_it_says() {
        for seed in 0..50 {
            assert_eq!(noisy("all=0", seed).text, TEXT);
            let renamed = noisy("all=0,rename=1", seed).text;
            assert!(renamed.contains("(on lamp necktie)") || renamed.contains("(on lamp tie)"), "{renamed}");
            assert_eq!(noisy("all=0,swap=1", seed).text, TEXT.replace("lamp neck-tie", "neck-tie lamp"));
            assert_eq!(noisy("all=0,drop=1", seed).text.lines().count(), 2);
            let extra = noisy("all=0,extra=1", seed).text;
            assert!(extra.ends_with("\n(ontable lamp)\n") || extra.ends_with("\n(clear neck-tie)\n"), "{extra}");
            let cut = noisy("all=0,cut=1", seed);
            assert!(TEXT.starts_with(&cut.text) && cut.text.len() < TEXT.len() && cut.outcome == Outcome::Cut);
            assert!(noisy("all=0,prose=1", seed).text.contains(TEXT.trim_end()));
        }
    }

    #[test]
    fn errors_of_a_whole_problem_are_those_of_its_facts() {
        let problem = "(define (problem a-b) (:domain d) (:objects tea-pot - t)\n(:init (on tea-pot cup))\n(:goal (clear cup)))\n";
        let rates = NoiseRates::from_settings(
            &[("all".to_owned(), "0".to_owned()), ("rename".to_owned(), "1".to_owned())].into(),
        );
        for seed in 0..20 {
            let inner = Arc::new(ScriptedModel::with_texts([problem]));
            let text = NoisyModel::new(inner, rates.clone().unwrap(), seed).complete(&Request::text("x")).unwrap().text;
            let renamed = ["teapot", "pot"].map(|name| problem.replace("on tea-pot", &format!("on {name}")));
            assert!(renamed.contains(&text), "{text}");
        }
    }

    #[test]
    fn errors_occur_at_their_rates_and_depend_on_the_seed_only() {
        let changed = (0..2000).filter(|seed| noisy("all=0,drop=0.25", *seed).text != TEXT).count();
        assert!((420..580).contains(&changed), "{changed}");
        assert_eq!(noisy("", 7), noisy("", 7));
    }

    #[test]
    fn texts_without_facts_are_left_alone_or_surrounded() {
        for text in ["", "()", "(((", "no facts é"] {
            let model = NoisyModel::new(
                Arc::new(ScriptedModel::with_texts([text])),
                NoiseRates {
                    cut: 1.0,
                    ..NoiseRates::from_settings(&[("all".to_owned(), "1".to_owned())].into()).unwrap()
                },
                1,
            );
            assert_eq!(model.complete(&Request::text("x")).unwrap().outcome, Outcome::Cut);
        }
    }
}

//! The check that longest-first matching of terminals loses nothing.
//!
//! Engines such as llguidance match a terminal as far as they can and never go back. A text is lost if a terminal matches a word, the next
//! terminal begins with some character, and the word with that character is the beginning of a longer match. The check compares each
//! pair of terminals, without regard to the place where they occur, so it is stricter than necessary.

use rustc_hash::FxHashSet;

use crate::grammar::{Grammar, GrammarError};
use crate::network::{Network, Terminal};
use crate::pattern::{Automaton, CharacterSet};

/// The maximum number of pairs of automaton states that are compared.
const MAX_PAIRS: usize = 2_000_000;

/// Returns the first pair of terminals that longest-first matching confuses.
pub(crate) fn check(grammar: &Grammar) -> Result<(), GrammarError> {
    let network = Network::new(grammar);
    let automata: Vec<Automaton> = network.terminals.iter().map(automaton).collect();
    let follow = followers(&network);
    let mut left = MAX_PAIRS;
    for (index, one) in automata.iter().enumerate() {
        let first: Vec<CharacterSet> = follow[index]
            .iter()
            .flat_map(|&next| {
                automata[next as usize].next_sets(&automata[next as usize].initial()).cloned().collect::<Vec<_>>()
            })
            .collect();
        for (other_index, other) in automata.iter().enumerate() {
            if let Some(word) = confusion(one, other, &first, &mut left) {
                let [one, other] = [index, other_index].map(|index| name(&network.terminals[index]));
                let message = format!("a longest match of {other} takes characters behind {one} after {word:?}");
                return Err(GrammarError { definition: crate::grammar::ROOT.into(), message });
            }
        }
    }
    Ok(())
}

fn name(terminal: &Terminal) -> String {
    match terminal {
        Terminal::Words(words, _) if words.len() == 1 => format!("{:?}", words[0]),
        Terminal::Words(words, _) => format!("{:?} and {} other words", words[0], words.len() - 1),
        Terminal::Pattern(name, _) => format!("`{name}`"),
    }
}

fn automaton(terminal: &Terminal) -> Automaton {
    match terminal {
        Terminal::Words(words, _) => Automaton::of_words(words),
        Terminal::Pattern(_, automaton) => automaton.clone(),
    }
}

/// Returns, for each terminal, the terminals that can follow it.
fn followers(network: &Network) -> Vec<FxHashSet<u32>> {
    let first = first_terminals(network);
    let mut returns: Vec<Vec<u32>> = vec![Vec::new(); network.states.len()];
    for &(rule, next) in network.states.iter().flat_map(|state| &state.calls) {
        returns[next as usize].push(rule);
    }
    // The states that can follow the end of a rule.
    let mut after: Vec<FxHashSet<u32>> = vec![FxHashSet::default(); network.starts.len()];
    loop {
        let mut changed = false;
        for state in &network.states {
            for &(rule, next) in &state.calls {
                changed |= after[rule as usize].insert(next);
            }
        }
        // A rule that ends passes the states that follow it to the rules that end with it.
        for (index, state) in network.states.iter().enumerate() {
            if !returns[index].is_empty() && ends_after(network, index as u32) {
                let following: Vec<u32> = after[state.rule as usize].iter().copied().collect();
                for &rule in &returns[index] {
                    for &next in &following {
                        changed |= after[rule as usize].insert(next);
                    }
                }
            }
        }
        if !changed {
            break;
        }
    }
    let mut follow = vec![FxHashSet::default(); network.terminals.len()];
    for state in &network.states {
        for &(terminal, next) in &state.terminals {
            follow[terminal as usize].extend(&first[next as usize]);
            if ends_after(network, next) {
                for &outer in &after[network.states[next as usize].rule as usize] {
                    follow[terminal as usize].extend(&first[outer as usize]);
                }
            }
        }
    }
    follow
}

/// Whether the rule of a state can end there, possibly after rules that derive the empty text.
fn ends_after(network: &Network, state: u32) -> bool {
    let mut seen = FxHashSet::from_iter([state]);
    let mut pending = vec![state];
    while let Some(state) = pending.pop() {
        let state = &network.states[state as usize];
        if state.is_final {
            return true;
        }
        let skipped = state.calls.iter().filter(|(rule, _)| network.nullable[*rule as usize]);
        pending.extend(skipped.map(|&(_, next)| next).filter(|&next| seen.insert(next)));
    }
    false
}

/// Returns, for each state, the terminals with which a continuation in its rule can begin.
fn first_terminals(network: &Network) -> Vec<FxHashSet<u32>> {
    let mut first: Vec<FxHashSet<u32>> =
        network.states.iter().map(|state| state.terminals.iter().map(|&(terminal, _)| terminal).collect()).collect();
    loop {
        let mut changed = false;
        for index in 0..network.states.len() {
            let mut found: FxHashSet<u32> = FxHashSet::default();
            for &(rule, next) in &network.states[index].calls {
                found.extend(&first[network.starts[rule as usize] as usize]);
                if network.nullable[rule as usize] {
                    found.extend(&first[next as usize]);
                }
            }
            for terminal in found {
                changed |= first[index].insert(terminal);
            }
        }
        if !changed {
            return first;
        }
    }
}

/// Returns a word of `one` that, with a character of `next`, is the beginning of a word of `other`.
fn confusion(one: &Automaton, other: &Automaton, next: &[CharacterSet], left: &mut usize) -> Option<String> {
    let mut seen: FxHashSet<(Vec<u32>, Vec<u32>)> = FxHashSet::default();
    let mut pending = vec![(one.initial(), other.initial(), String::new())];
    while let Some((in_one, in_other, word)) = pending.pop() {
        if in_one.is_empty() || in_other.is_empty() || !seen.insert((in_one.clone(), in_other.clone())) {
            continue;
        }
        *left = left.saturating_sub(1);
        if *left == 0 {
            return None;
        }
        if one.accepts(&in_one) && !word.is_empty() {
            let overlaps = other
                .next_sets(&in_other)
                .any(|set| next.iter().any(|follow| representative(&[set, follow]).is_some()));
            if overlaps {
                return Some(word);
            }
        }
        let sets: Vec<&CharacterSet> = one.next_sets(&in_one).collect();
        let letters: FxHashSet<char> = other
            .next_sets(&in_other)
            .flat_map(|set| sets.iter().flat_map(|own| representatives(&[set, own])).collect::<Vec<_>>())
            .collect();
        for letter in letters {
            let longer = format!("{word}{letter}");
            pending.push((one.after(&in_one, letter), other.after(&in_other, letter), longer));
        }
    }
    None
}

fn representative(sets: &[&CharacterSet]) -> Option<char> {
    representatives(sets).into_iter().next()
}

/// Returns characters that all sets contain: at least one from each region between the boundaries of the ranges.
fn representatives(sets: &[&CharacterSet]) -> Vec<char> {
    let bounds = sets.iter().flat_map(|set| &set.ranges).flat_map(|&(first, last)| {
        let before = char::from_u32((first as u32).wrapping_sub(1));
        let after = char::from_u32(last as u32 + 1);
        [Some(first), Some(last), before, after]
    });
    let mut letters: Vec<char> =
        bounds.flatten().chain(['\u{0}']).filter(|&letter| sets.iter().all(|set| set.contains(letter))).collect();
    letters.sort_unstable();
    letters.dedup();
    letters
}

//! Compilation of grammars to recursive transition networks: one automaton per rule, over terminals and calls of rules.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::expression::Expression;
use crate::grammar::{Definition, Grammar};
use crate::pattern::{Automaton, Pattern};

/// A terminal: a set of words, or a pattern.
#[derive(Debug)]
pub(crate) enum Terminal {
    /// The words, sorted, with a trie of them.
    Words(Vec<Arc<str>>, Trie),
    /// The name of a pattern, and its automaton.
    Pattern(Arc<str>, Automaton),
}

/// A trie over bytes.
#[derive(Debug, Default)]
pub(crate) struct Trie {
    nodes: Vec<TrieNode>,
}

#[derive(Debug, Default)]
struct TrieNode {
    ends: bool,
    /// The children, sorted by byte.
    children: Vec<(u8, u32)>,
}

impl Trie {
    fn new(words: &[Arc<str>]) -> Self {
        let mut trie = Self { nodes: vec![TrieNode::default()] };
        for word in words {
            let mut node = 0;
            for byte in word.bytes() {
                node = match trie.nodes[node].children.binary_search_by_key(&byte, |child| child.0) {
                    Ok(index) => trie.nodes[node].children[index].1 as usize,
                    Err(index) => {
                        let next = trie.nodes.len();
                        trie.nodes[node].children.insert(index, (byte, next as u32));
                        trie.nodes.push(TrieNode::default());
                        next
                    }
                };
            }
            trie.nodes[node].ends = true;
        }
        trie
    }
}

impl Terminal {
    /// Calls a function with the length of each match at the beginning of a text, and returns the length of the longest beginning
    /// of the text that is the beginning of a match.
    pub(crate) fn matches(&self, text: &str, found: &mut impl FnMut(usize)) -> usize {
        match self {
            Self::Words(_, trie) => {
                let mut node = 0_usize;
                for (index, byte) in text.bytes().enumerate() {
                    let children = &trie.nodes[node].children;
                    let Ok(next) = children.binary_search_by_key(&byte, |child| child.0) else { return index };
                    node = children[next].1 as usize;
                    if trie.nodes[node].ends {
                        found(index + 1);
                    }
                }
                text.len()
            }
            Self::Pattern(_, automaton) => {
                let mut states = automaton.initial();
                for (index, letter) in text.char_indices() {
                    states = automaton.after(&states, letter);
                    if states.is_empty() {
                        return index;
                    }
                    if automaton.accepts(&states) {
                        found(index + letter.len_utf8());
                    }
                }
                text.len()
            }
        }
    }
}

/// A state of the network, without silent transitions.
#[derive(Debug, Default)]
pub(crate) struct NetworkState {
    /// The rule that the state belongs to.
    pub(crate) rule: u32,
    /// Whether the rule can end here.
    pub(crate) is_final: bool,
    /// Terminals with the states after them.
    pub(crate) terminals: Vec<(u32, u32)>,
    /// Rules with the states after them.
    pub(crate) calls: Vec<(u32, u32)>,
}

/// A recursive transition network.
#[derive(Debug)]
pub(crate) struct Network {
    pub(crate) terminals: Vec<Terminal>,
    pub(crate) states: Vec<NetworkState>,
    /// The first state of each rule.
    pub(crate) starts: Vec<u32>,
    /// Whether each rule derives the empty text.
    pub(crate) nullable: Vec<bool>,
}

/// A network with silent transitions.
struct Builder<'g> {
    grammar: &'g Grammar,
    states: Vec<BuilderState>,
    terminals: Vec<Terminal>,
    words: FxHashMap<Vec<Arc<str>>, u32>,
    patterns: FxHashMap<Arc<str>, u32>,
    /// Bodies of repeated parts, which become rules of their own.
    extra: Vec<&'g Expression>,
    rules: u32,
}

#[derive(Default)]
struct BuilderState {
    silent: Vec<u32>,
    terminals: Vec<(u32, u32)>,
    calls: Vec<(u32, u32)>,
}

impl Network {
    /// Compiles a grammar.
    pub(crate) fn new(grammar: &Grammar) -> Self {
        let rules = grammar.definitions().count() as u32;
        let mut builder = Builder {
            grammar,
            states: Vec::new(),
            terminals: Vec::new(),
            words: FxHashMap::default(),
            patterns: FxHashMap::default(),
            extra: Vec::new(),
            rules,
        };
        let mut ranges = Vec::new();
        for (name, definition) in grammar.definitions() {
            let start = builder.state();
            let end = match definition {
                Definition::Rule(body) => builder.add(body, start),
                Definition::Pattern(pattern) => {
                    let terminal = builder.pattern(name, pattern);
                    builder.terminal(start, terminal)
                }
            };
            ranges.push((start, end));
        }
        let mut done = 0;
        while let Some(&body) = builder.extra.get(done) {
            let start = builder.state();
            let end = builder.add(body, start);
            ranges.push((start, end));
            done += 1;
        }
        builder.finish(&ranges)
    }
}

impl<'g> Builder<'g> {
    fn state(&mut self) -> u32 {
        self.states.push(BuilderState::default());
        self.states.len() as u32 - 1
    }

    fn terminal(&mut self, from: u32, terminal: u32) -> u32 {
        let to = self.state();
        self.states[from as usize].terminals.push((terminal, to));
        to
    }

    fn words(&mut self, mut words: Vec<Arc<str>>) -> u32 {
        words.sort_unstable();
        words.dedup();
        let terminals = &mut self.terminals;
        *self.words.entry(words.clone()).or_insert_with(|| {
            let trie = Trie::new(&words);
            terminals.push(Terminal::Words(words, trie));
            terminals.len() as u32 - 1
        })
    }

    fn pattern(&mut self, name: &str, pattern: &Pattern) -> u32 {
        let terminals = &mut self.terminals;
        *self.patterns.entry(name.into()).or_insert_with(|| {
            let automaton = Automaton::new(pattern).expect("checked with the grammar");
            terminals.push(Terminal::Pattern(name.into(), automaton));
            terminals.len() as u32 - 1
        })
    }

    /// Adds an expression after a state, and returns the state after it.
    fn add(&mut self, body: &'g Expression, from: u32) -> u32 {
        match body {
            Expression::Literal(text) => {
                let terminal = self.words(vec![text.clone()]);
                self.terminal(from, terminal)
            }
            Expression::Name(name) => {
                if let Some(Definition::Pattern(pattern)) = self.grammar.definition(name) {
                    let terminal = self.pattern(name, pattern);
                    return self.terminal(from, terminal);
                }
                let rule = self.grammar.index(name).expect("a defined name") as u32;
                self.call(from, rule)
            }
            Expression::Sequence(parts) => parts.iter().fold(from, |from, part| self.add(part, from)),
            Expression::Choice(parts) => {
                let literals: Vec<Arc<str>> = parts.iter().filter_map(literal).collect();
                let end = self.state();
                if !literals.is_empty() {
                    let terminal = self.words(literals);
                    self.states[from as usize].terminals.push((terminal, end));
                }
                for part in parts.iter().filter(|part| literal(part).is_none()) {
                    let start = self.state();
                    self.states[from as usize].silent.push(start);
                    let after = self.add(part, start);
                    self.states[after as usize].silent.push(end);
                }
                end
            }
            Expression::Repeat { part, min, max } => self.repeat(part, *min, *max, from),
        }
    }

    fn call(&mut self, from: u32, rule: u32) -> u32 {
        let to = self.state();
        self.states[from as usize].calls.push((rule, to));
        to
    }

    fn repeat(&mut self, part: &'g Expression, min: u32, max: Option<u32>, from: u32) -> u32 {
        // Copies of a part would multiply the size of nested repetitions, so the part becomes a rule that is called.
        let is_copied = max.unwrap_or(min) > 1 && !matches!(part, Expression::Literal(_) | Expression::Name(_));
        let rule = is_copied.then(|| {
            self.extra.push(part);
            self.rules + self.extra.len() as u32 - 1
        });
        let add = |builder: &mut Self, from| match rule {
            Some(rule) => builder.call(from, rule),
            None => builder.add(part, from),
        };
        let mut from = from;
        for _ in 0..min {
            from = add(self, from);
        }
        let end = self.state();
        if let Some(max) = max {
            for _ in min..max {
                self.states[from as usize].silent.push(end);
                from = add(self, from);
            }
            self.states[from as usize].silent.push(end);
        } else {
            let start = self.state();
            self.states[from as usize].silent.push(start);
            self.states[start as usize].silent.push(end);
            let after = add(self, start);
            self.states[after as usize].silent.push(start);
        }
        end
    }

    /// Removes the silent transitions.
    fn finish(self, ranges: &[(u32, u32)]) -> Network {
        let mut states: Vec<NetworkState> = Vec::new();
        let mut rule_of = vec![0_u32; self.states.len()];
        for (rule, &(start, _)) in ranges.iter().enumerate() {
            let end = ranges.get(rule + 1).map_or(self.states.len() as u32, |next| next.0);
            rule_of[start as usize..end as usize].fill(rule as u32);
        }
        for state in 0..self.states.len() as u32 {
            let mut seen = FxHashSet::from_iter([state]);
            let mut order = vec![state];
            let mut next = 0;
            while let Some(&at) = order.get(next) {
                order.extend(self.states[at as usize].silent.iter().filter(|&&to| seen.insert(to)));
                next += 1;
            }
            let (_, end) = ranges[rule_of[state as usize] as usize];
            let mut merged = NetworkState {
                rule: rule_of[state as usize],
                is_final: seen.contains(&end),
                ..NetworkState::default()
            };
            for &at in &order {
                merged.terminals.extend(&self.states[at as usize].terminals);
                merged.calls.extend(&self.states[at as usize].calls);
            }
            states.push(merged);
        }
        let mut network = Network {
            terminals: self.terminals,
            starts: ranges.iter().map(|range| range.0).collect(),
            nullable: vec![false; ranges.len()],
            states,
        };
        network.find_nullable();
        network
    }
}

impl Network {
    fn find_nullable(&mut self) {
        loop {
            let mut changed = false;
            for rule in 0..self.starts.len() {
                if !self.nullable[rule] && self.reaches_end(self.starts[rule]) {
                    self.nullable[rule] = true;
                    changed = true;
                }
            }
            if !changed {
                return;
            }
        }
    }

    /// Whether the rule of a state can end without further text.
    fn reaches_end(&self, start: u32) -> bool {
        let mut seen = FxHashSet::from_iter([start]);
        let mut pending = vec![start];
        while let Some(state) = pending.pop() {
            let state = &self.states[state as usize];
            if state.is_final {
                return true;
            }
            let skipped = state.calls.iter().filter(|(rule, _)| self.nullable[*rule as usize]);
            pending.extend(skipped.map(|&(_, to)| to).filter(|&to| seen.insert(to)));
        }
        false
    }
}

fn literal(expression: &Expression) -> Option<Arc<str>> {
    match expression {
        Expression::Literal(text) => Some(text.clone()),
        _ => None,
    }
}

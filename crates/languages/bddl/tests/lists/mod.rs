//! Conversion of recorded lists to problems, and of options to the format of the recordings.

#![allow(dead_code, reason = "every test binary uses a part of it")]

use std::sync::Arc;

use goalspec_bddl::ast::{Atom, Expr, ExprKind, Literal, Name, ObjectGroup, Problem, Variable};
use goalspec_bddl::ground::{GroundAtom, GroundGoal};
use goalspec_bddl::options::release::ListedLiteral;
use goalspec_syntax::{NodeSpan, SourceId, Span};
use serde_json::Value;

/// Returns a span for nodes that have no text.
fn nowhere() -> NodeSpan {
    Span::new(SourceId(0), 0, 0).into()
}

/// Converts a row of parsed lists to a problem.
pub(crate) fn problem(row: &Value) -> Problem {
    let group = |(category, instances): (&String, &Value)| ObjectGroup {
        instances: list(instances).iter().map(word).collect(),
        category: Some(name(category)),
        origin: nowhere(),
    };
    let literal = |value: &Value| match value[0].as_str() {
        Some("not") => Literal { positive: false, atom: atom(&value[1]) },
        _ => Literal { positive: true, atom: atom(value) },
    };
    Problem {
        name: word(&row["problem"]),
        domain: None,
        objects: row["objects"].as_object().unwrap().iter().map(group).collect(),
        init: list(&row["init"]).iter().map(literal).collect(),
        goal: list(&row["goal"]).iter().map(expr).collect(),
        libero: None,
        origin: nowhere(),
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap()
}

fn name(text: &str) -> Name {
    Name { text: Arc::from(text.trim_matches('?')), origin: nowhere() }
}

fn word(value: &Value) -> Name {
    name(value.as_str().unwrap())
}

fn atom(value: &Value) -> Atom {
    let [predicate, arguments @ ..] = list(value) else { panic!("an atom is expected, not {value}") };
    Atom { predicate: word(predicate), arguments: arguments.iter().map(word).collect(), origin: nowhere() }
}

fn variable(value: &Value) -> Variable {
    Variable { name: word(&value[0]), category: word(&value[2]) }
}

/// Converts a parsed list to a condition.
pub(crate) fn expr(value: &Value) -> Expr {
    let parts = || list(value)[1..].iter().map(expr).collect();
    let part = |place: usize| Box::new(expr(&value[place]));
    let amount = || value[1][0].as_str().unwrap().parse().unwrap();
    let kind = match value[0].as_str().unwrap() {
        "and" => ExprKind::And(parts()),
        "or" => ExprKind::Or(parts()),
        "not" => ExprKind::Not(part(1)),
        "imply" => ExprKind::Imply(Box::new([expr(&value[1]), expr(&value[2])])),
        "forall" => ExprKind::Forall(variable(&value[1]), part(2)),
        "exists" => ExprKind::Exists(variable(&value[1]), part(2)),
        "forn" => ExprKind::ForN { amount: amount(), variable: variable(&value[2]), body: part(3) },
        "forpairs" => {
            ExprKind::ForPairs { amount: None, left: variable(&value[1]), right: variable(&value[2]), body: part(3) }
        }
        "fornpairs" => ExprKind::ForPairs {
            amount: Some(amount()),
            left: variable(&value[2]),
            right: variable(&value[3]),
            body: part(4),
        },
        _ => ExprKind::Atom(atom(value)),
    };
    Expr { kind, origin: nowhere() }
}

/// Formats an atom as in the states of the conformance data: `inside cup.n.01_1 box.n.01_1`.
pub(crate) fn phrase(atom: &GroundAtom) -> String {
    let words: Vec<&str> =
        std::iter::once(&*atom.predicate).chain(atom.arguments.iter().map(|argument| &**argument)).collect();
    words.join(" ")
}

/// Formats listed options as in the conformance data, in compact JSON.
pub(crate) fn json(goal: &GroundGoal, options: &[Vec<ListedLiteral>]) -> String {
    let literal = |literal: &ListedLiteral| {
        let words: Vec<String> = phrase(goal.atom(literal.atom)).split(' ').map(|word| format!("\"{word}\"")).collect();
        let (open, close) = ("[\"not\",".repeat(literal.negations as usize), "]".repeat(literal.negations as usize));
        format!("{open}[{}]{close}", words.join(","))
    };
    let option =
        |option: &Vec<ListedLiteral>| format!("[{}]", option.iter().map(literal).collect::<Vec<_>>().join(","));
    format!("[{}]", options.iter().map(option).collect::<Vec<_>>().join(","))
}

/// Returns the SHA-256 digest of a text, in hexadecimal (FIPS 180-4).
#[expect(clippy::many_single_char_names, reason = "the standard's names")]
pub(crate) fn sha256(text: &str) -> String {
    let primes: Vec<u64> = (2..).filter(|n| (2..*n).all(|d| n % d != 0)).take(64).collect();
    // The first 32 bits of the fractional parts of roots, computed as integer roots of shifted primes.
    let root = |shifted: u128, power: u32| {
        let (mut low, mut high) = (0u128, 1u128 << 42);
        while high - low > 1 {
            let middle = u128::midpoint(low, high);
            if middle.pow(power) <= shifted { low = middle } else { high = middle }
        }
        low as u32
    };
    let mut hash: Vec<u32> = primes[..8].iter().map(|&prime| root(u128::from(prime) << 64, 2)).collect();
    let constants: Vec<u32> = primes.iter().map(|&prime| root(u128::from(prime) << 96, 3)).collect();
    let mut bytes = text.as_bytes().to_vec();
    bytes.push(0x80);
    while bytes.len() % 64 != 56 {
        bytes.push(0);
    }
    bytes.extend((text.len() as u64 * 8).to_be_bytes());
    for block in bytes.chunks_exact(64) {
        let mut words: Vec<u32> =
            block.chunks_exact(4).map(|word| u32::from_be_bytes(word.try_into().unwrap())).collect();
        for place in 16..64 {
            let (near, far) = (words[place - 2], words[place - 15]);
            let far = far.rotate_right(7) ^ far.rotate_right(18) ^ (far >> 3);
            let near = near.rotate_right(17) ^ near.rotate_right(19) ^ (near >> 10);
            words.push(words[place - 16].wrapping_add(far).wrapping_add(words[place - 7]).wrapping_add(near));
        }
        let mut turn = hash.clone();
        for (word, constant) in words.iter().zip(&constants) {
            let [a, b, c, _, e, f, g, h] = turn[..] else { unreachable!() };
            let first = h
                .wrapping_add(e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25))
                .wrapping_add((e & f) ^ (!e & g))
                .wrapping_add(*constant)
                .wrapping_add(*word);
            let second =
                (a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22)).wrapping_add((a & b) ^ (a & c) ^ (b & c));
            turn.rotate_right(1);
            turn[4] = turn[4].wrapping_add(first);
            turn[0] = first.wrapping_add(second);
        }
        for (sum, value) in hash.iter_mut().zip(&turn) {
            *sum = sum.wrapping_add(*value);
        }
    }
    hash.iter().map(|word| format!("{word:08x}")).collect()
}

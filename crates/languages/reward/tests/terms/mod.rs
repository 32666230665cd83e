//! Terms of rewards, and the observations of an observer.

use goalspec_python_runtime::Machine;
use goalspec_python_runtime::limits::CallBudget;
use goalspec_python_runtime::machine::ReturnValue;
use goalspec_python_runtime::observe::{BranchKind, CallPosition, Observer, RunStatistics};
use goalspec_python_runtime::scene::{Input, Objects, World};
use goalspec_reward::terms::{NameSource, TermKind, Terms};
use goalspec_reward::{entry, read};
use goalspec_syntax::Sources;

/// Calls a program `calls` times without objects. Returns its terms, the observation, and each reward with the sum of its terms.
fn observe_calls(text: &str, calls: u64) -> (Terms, RunStatistics, Vec<(ReturnValue, f64)>) {
    let mut sources = Sources::new();
    let id = sources.add("reward.py", text);
    let source = sources.file(id);
    let found = read(source);
    assert_eq!(found.diagnostics, []);
    let program = found.program.unwrap();
    let terms = Terms::of(source, "reward_function");
    let world = World::default();
    let entry = entry::find_entry(&program, source, &world, None).unwrap();
    let mut machine = Machine::new(program.clone(), world.clone(), CallBudget::default()).unwrap();
    machine.set_observer(Observer::new(&program, &terms.probes()));
    let mut results = Vec::new();
    for frame in 0..calls {
        machine.observer().unwrap().begin(CallPosition { recording: 0, frame });
        let reward = machine.reward(&entry, &Input::objects(Objects::Screen(&[]))).unwrap();
        let sum = machine.observer().unwrap().end().flatten().sum();
        results.push((reward.total, sum));
    }
    let observation = machine.take_observer().unwrap().statistics().clone();
    (terms, observation, results)
}

/// Lists each term with kind, sign, text and name.
fn term_lines(terms: &Terms) -> Vec<String> {
    let line = |term: &goalspec_reward::terms::Term| {
        let sign = if term.is_subtracted() { "-" } else { "+" };
        format!("{} {:?} {sign} {} [{}]", term.id, term.kind, term.text, term.name)
    };
    terms.terms.iter().map(line).collect()
}

const SEVERAL: &str = "\
LIMIT = 1

def reward_function(objects):
    reward = 0.0
    bonus = 0
    n = len(objects)
    if n == 0:
        reward += 0.25  # nobody is there
    elif n > 3:
        reward -= 1
    # two
    # lines
    reward = reward - 0.5 + 2 * n
    for i in range(3):
        bonus += i
    reward *= 2
    reward = max(min(reward, LIMIT), -0.25)
    return reward + bonus
";

#[test]
fn every_addition_is_a_term() {
    let (terms, statistics, results) = observe_calls(SEVERAL, 2);
    let expected = [
        "L8 Summand + 0.25 [nobody is there]",
        "L10 Summand - 1 [n > 3]",
        "L13 Summand - 0.5 [0.5]",
        "L13.2 Summand + 2 * n [2 * n]",
        "L15 Summand + i [i]",
        "L16 Update + 2 [2]",
        "L17 Clamp + max(min(reward, LIMIT), -0.25) [max(min(reward, LIMIT), -0.25)]",
    ];
    assert_eq!(term_lines(&terms), expected);
    let kinds: Vec<NameSource> = terms.terms.iter().take(3).map(|term| term.name_source).collect();
    assert_eq!(kinds, [NameSource::Comment, NameSource::Condition, NameSource::Expression]);
    // Each call adds up to 0.25 - 0.5 + 0 = -0.25; twice that is clamped to -0.25; 0 + 1 + 2 is added.
    let sums: Vec<f64> = statistics.terms.iter().map(|term| term.sum).collect();
    assert_eq!(sums, [0.5, 0.0, -1.0, 0.0, 6.0, -0.5, 0.5]);
    let added: Vec<u64> = statistics.terms.iter().map(|term| term.additions).collect();
    assert_eq!(added, [2, 0, 2, 2, 6, 2, 2]);
    assert_eq!(results, [(ReturnValue::Float(2.75), 2.75), (ReturnValue::Float(2.75), 2.75)]);
}

#[test]
fn branches_and_comparisons_record_statistics() {
    let text = "\
def near(n):
    return 2 * n - 40 >= 0

def reward_function(objects):
    total = 0
    calls[0] += 1
    if near(calls[0]) and objects:
        return 1.0
    for name in ['a', 'b']:
        if name == 'c':
            total += 1
    return total / calls[0]

calls = [4]
";
    let (terms, statistics, _) = observe_calls(text, 3);
    let branches: Vec<(u64, u64)> = statistics.branches.iter().map(|branch| (branch.held, branch.failed)).collect();
    assert_eq!(branches, [(0, 3), (0, 3), (0, 6)]);
    let [near, equal] = &statistics.comparisons[..] else { panic!("there are two") };
    let miss = near.near_miss().unwrap();
    assert_eq!((near.held, near.failed, miss.left, miss.position.frame), (0, 3, -26.0, 2));
    assert_eq!(equal.near_miss(), None);
    assert_eq!(equal.left_texts.iter().map(|text| &**text).collect::<Vec<_>>(), ["a", "b"]);
    let divisor = statistics.divisors[0].values.unwrap();
    assert_eq!((divisor.min, divisor.max), (5.0, 7.0));
    assert_eq!(term_lines(&terms)[0], "L8 ReturnValue + 1.0 [near(calls[0]) and objects]");
    assert_eq!(terms.terms.iter().map(|term| term.kind).collect::<Vec<_>>()[0], TermKind::ReturnValue);
}

#[test]
fn sums_are_split_into_terms() {
    let text = "\
def parts(objects):
    total = 0.5
    total += 1  # one
    return total

def reward_function(objects):
    penalty = 0
    if not objects:
        penalty += 3  # nothing to see
    return max(min(parts(objects) - penalty, 1), -1)
";
    let (terms, statistics, results) = observe_calls(text, 1);
    let expected = [
        "L2 Assignment + 0.5 [0.5]",
        "L3 Summand + 1 [one]",
        "L9 Summand - 3 [nothing to see]",
        "L10 Clamp + max(min(parts(objects) - penalty, 1), -1) [max(min(parts(objects) - penalty, 1), -1)]",
    ];
    assert_eq!(term_lines(&terms), expected);
    assert_eq!(statistics.terms.iter().map(|term| term.sum).collect::<Vec<_>>(), [0.5, 1.0, -3.0, 0.5]);
    assert_eq!(results, [(ReturnValue::Int(-1), -1.0)]);
}

/// Returns the terms of a program that is called once, their sums, and the reward.
fn sums(text: &str) -> (Vec<String>, Vec<f64>, (ReturnValue, f64)) {
    let (terms, statistics, results) = observe_calls(text, 1);
    (term_lines(&terms), statistics.terms.iter().map(|term| term.sum).collect(), results[0].clone())
}

#[test]
fn totals_with_components_have_terms() {
    let near = "def near(objects):\n    return 0.5 if not objects else 0.0\n\n";
    let direct = format!("{near}def reward_function(objects):\n    return near(objects), {{'near': near(objects)}}\n");
    let (terms, sums_of, reward) = sums(&direct);
    assert_eq!(terms, ["L5 ReturnValue + near(objects) [near(objects)]"]);
    assert_eq!((sums_of, reward), (vec![0.5], (ReturnValue::Float(0.5), 0.5)));

    let summed = "def reward_function(objects):\n    parts = {'near': 0.5, 'far': 0.25}\n    return sum(parts.values()), parts\n";
    let (terms, sums_of, reward) = sums(summed);
    assert_eq!(terms, ["L3 ReturnValue + sum(parts.values()) [sum(parts.values())]"]);
    assert_eq!((sums_of, reward), (vec![0.75], (ReturnValue::Float(0.75), 0.75)));

    let clamped = "def reward_function(objects):\n    reward = 0\n    reward += 3  # much\n    return min(reward, 1), {'much': 3.0}\n";
    let (terms, sums_of, reward) = sums(clamped);
    assert_eq!(terms, ["L3 Summand + 3 [much]", "L4 Clamp + min(reward, 1) [min(reward, 1)]"]);
    assert_eq!((sums_of, reward), (vec![3.0, -2.0], (ReturnValue::Int(1), 1.0)));

    let stored = "def reward_function(objects):\n    result = (0.5 + 2, {'part': 0.5})\n    return result\n";
    let (terms, sums_of, reward) = sums(stored);
    assert_eq!(terms, ["L2 Summand + 0.5 [0.5]", "L2.2 Summand + 2 [2]"]);
    assert_eq!((sums_of, reward), (vec![0.5, 2.0], (ReturnValue::Float(2.5), 2.5)));
}

#[test]
fn functions_called_twice_are_single_terms() {
    let text = "\
def near(objects):
    total = 0
    total += 1
    return total

def reward_function(objects):
    return near(objects), {'near': near(objects)}
";
    let (terms, sums_of, reward) = sums(text);
    assert_eq!(terms, ["L7 ReturnValue + near(objects) [near(objects)]"]);
    assert_eq!((sums_of, reward), (vec![1.0], (ReturnValue::Int(1), 1.0)));
}

#[test]
fn cases_and_contexts_hold_terms() {
    let text = "\
from contextlib import nullcontext
def reward_function(objects):
    reward = 0.0
    match len(objects), 2:
        case 0, n if n > 1:
            reward += n
        case _:
            reward -= 1
    with nullcontext():
        reward += 0.5
    return reward
";
    let (terms, statistics, results) = observe_calls(text, 2);
    let expected = [
        "L6 Summand + n [len(objects), 2: case 0, n if n > 1]",
        "L8 Summand - 1 [len(objects), 2: case _]",
        "L10 Summand + 0.5 [0.5]",
    ];
    assert_eq!(term_lines(&terms), expected);
    assert!(
        results.iter().all(|(total, sum)| *total == ReturnValue::Float(2.5) && (*sum - 2.5).abs() < 1e-12),
        "{results:?}"
    );
    let branches: Vec<_> = statistics.branches.iter().map(|branch| (branch.kind, branch.held, branch.failed)).collect();
    assert_eq!(branches, [(BranchKind::Case, 2, 0), (BranchKind::Guard, 2, 0)]);
}

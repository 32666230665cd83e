//! Evaluation and listed options, compared with recordings of the releases. Skipped if the conformance data does not exist.

use std::collections::BTreeMap;

use goalspec_bddl::Dialect;
use goalspec_bddl::dialect::Release;
use goalspec_bddl::evaluate;
use goalspec_bddl::ground::GroundGoal;
use goalspec_bddl::options::release::{ListError, of_conjuncts, of_goal};
use goalspec_bddl::options::{FactoredOptions, ReleaseOptions};
use goalspec_bddl::progress::{Fraction, progress};
use serde_json::{Value, json};

use crate::lists;

use crate::common;

const RELEASES: [(Release, Dialect); 2] = [(Release::V1_0, Dialect::COMPAT_1_0), (Release::V3_6, Dialect::COMPAT_3_6)];

/// Returns the ground goals of the recorded activities of a release, by name.
fn goals(release: Release) -> Option<BTreeMap<String, GroundGoal>> {
    let goal = |row: &Value| (row["a"].as_str().unwrap().to_owned(), GroundGoal::new(&lists::problem(row)).unwrap());
    Some(common::rows("parse", release)?.iter().map(goal).collect())
}

/// Returns a recorded state.
fn state(goal: &GroundGoal, row: &Value) -> Vec<bool> {
    let names: Vec<&str> = row["true"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    goal.atoms.iter().map(|atom| names.contains(&&*lists::phrase(atom))).collect()
}

#[test]
fn the_digest_is_the_standard_one() {
    assert_eq!(lists::sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_eq!(
        lists::sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    );
}

#[test]
fn recorded_states_are_evaluated_and_rewarded_alike() {
    for (release, dialect) in RELEASES {
        let Some(goals) = goals(release) else { return };
        let (mut states, mut rewards, mut disagree) = (0, 0, (0, 0));
        for row in common::rows("eval", release).unwrap() {
            let name = row["a"].as_str().unwrap();
            let goal = &goals[name];
            let mut atoms: Vec<String> = goal.atoms.iter().map(lists::phrase).collect();
            atoms.sort();
            assert_eq!(json!(atoms), row["atoms"], "{name}");
            let (mut listed, mut options) = (None, None);
            for recorded in row["states"].as_array().unwrap() {
                let state = state(goal, recorded);
                let verdicts = evaluate::conjuncts(goal, dialect, &state);
                let satisfied: Vec<usize> = (0..verdicts.len()).filter(|&place| verdicts[place]).collect();
                assert_eq!(json!(satisfied), recorded["satisfied"], "{name}");
                let holds = evaluate::goal_holds(goal, dialect, &state);
                assert_eq!(json!(holds), recorded["ok"], "{name}");
                let as_release = evaluate::release_conjuncts(goal, |atom| Some(evaluate::is_true(&state, atom)));
                assert_eq!(as_release.unwrap(), verdicts, "{name}");
                if let Some(reward) = recorded.get("reward") {
                    let reward = reward.as_f64().unwrap();
                    let listed = listed.get_or_insert_with(|| ReleaseOptions::of(goal, release).unwrap());
                    assert!(progress(listed, &state).value().total_cmp(&reward).is_eq(), "{name}: {reward}");
                    rewards += 1;
                    let options = options.get_or_insert_with(|| FactoredOptions::of(goal, dialect).unwrap());
                    disagree.0 += u32::from(!holds && reward >= 1.0);
                    disagree.1 += u32::from(holds && reward < 1.0);
                    assert_eq!(progress(options, &state) == Fraction::ONE, holds, "{name}");
                }
                states += 1;
            }
        }
        println!("{release:?}: {states} states, {rewards} rewards; goal and reward disagree in {disagree:?}");
        assert!(states >= 900 && rewards >= 750);
    }
}

#[test]
fn options_are_listed_alike() {
    for (release, _) in RELEASES {
        let Some(goals) = goals(release) else { return };
        let rows = common::rows("options", release).unwrap();
        let mut total = 0;
        for row in &rows {
            let name = row["a"].as_str().unwrap();
            let goal = &goals[name];
            let each: Vec<usize> = of_conjuncts(goal, release).unwrap().iter().map(Vec::len).collect();
            assert_eq!(json!(each), row["per_condition"], "{name}");
            let options = match of_goal(goal, release) {
                Ok(options) => options,
                Err(error) => {
                    assert_eq!((error, &row["error"]), (ListError::NoOption, &json!("AssertionError")), "{name}");
                    continue;
                }
            };
            assert_eq!(json!(options.len()), row["n"], "{name}");
            let text = lists::json(goal, &options);
            let shown: Value = serde_json::from_str(&text).unwrap();
            match row.get("options") {
                Some(all) => assert_eq!(&shown, all, "{name}"),
                None => assert!(shown.as_array().unwrap().starts_with(row["first"].as_array().unwrap()), "{name}"),
            }
            assert_eq!(json!(lists::sha256(&text)), row["sha256"], "{name}");
            total += options.len();
        }
        println!("{release:?}: {} activities, {total} options", rows.len());
        assert!(rows.len() >= 100);
    }
}

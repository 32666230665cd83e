//! The frequencies of consequences.

use std::collections::BTreeMap;

use super::table::{Table, check};
use crate::game::{ActionId, ChoiceId, Consequence, ConsequenceEffect};
use crate::random::RandomStream;
use crate::rules::{GameRules, OddsRule};
use crate::turn::Move;

const PLAYS: u32 = 20_000;

/// An action with consequences of these odds; `true` marks an independent one.
fn table(odds: OddsRule, consequences: &[(f64, bool)]) -> Table {
    let no_effect = || ConsequenceEffect::Resources { compute: vec![], add: vec![], replace: vec![] };
    let table = Table::new(GameRules { odds, ..GameRules::CAGE });
    consequences.iter().fold(table, |table, &(odds, independent)| {
        table.consequence(Consequence { odds, discount: None, independent, outcome: no_effect() })
    })
}

/// Counts the combinations of consequences that occurred.
fn frequencies(table: &Table) -> BTreeMap<Vec<usize>, u32> {
    let mut counts = BTreeMap::new();
    for index in 0..PLAYS {
        let (_, turn) = table.act_with(&[], index.into());
        let occurred =
            turn.expect("it does not fail").occurrences.iter().map(|occurrence| occurrence.consequence).collect();
        *counts.entry(occurred).or_default() += 1;
    }
    counts
}

fn expect(odds: OddsRule, consequences: &[(f64, bool)], expected: &[(&[usize], f64)]) {
    let found = frequencies(&table(odds, consequences));
    let case = format!("{odds:?} {consequences:?} {found:?}");
    assert!(found.keys().all(|key| expected.iter().any(|(known, _)| known == key)), "{case}");
    for (key, probability) in expected {
        check(found.get(*key).copied().unwrap_or_default(), PLAYS, *probability, &case);
    }
}

#[test]
fn increments_are_summed() {
    let together = |odds: [f64; 3]| odds.map(|odds| (odds, false));
    expect(OddsRule::Individual, &together([0.5, 0.8, 1.0]), &[(&[0], 0.5), (&[1], 0.5)]);
    expect(OddsRule::Individual, &together([0.5, 0.3, 0.2]), &[(&[0], 0.5), (&[1], 0.3), (&[2], 0.2)]);
    expect(OddsRule::Individual, &[(0.5, false), (0.3, false)], &[(&[0], 0.5), (&[1], 0.3), (&[], 0.2)]);
    expect(OddsRule::Individual, &together([0.5, -0.3, 0.5]), &[(&[0], 0.5), (&[2], 0.2), (&[], 0.3)]);
    expect(OddsRule::Individual, &[(0.0, false), (1.0, false)], &[(&[1], 1.0)]);
}

#[test]
fn cumulative_odds_stand_for_themselves() {
    let together = |odds: [f64; 3]| odds.map(|odds| (odds, false));
    expect(OddsRule::Cumulative, &together([0.5, 0.8, 1.0]), &[(&[0], 0.5), (&[1], 0.3), (&[2], 0.2)]);
    expect(OddsRule::Cumulative, &together([0.5, 0.3, 0.2]), &[(&[0], 0.5), (&[], 0.5)]);
}

#[test]
fn independent_consequences_begin_groups() {
    let expected: &[(&[usize], f64)] = &[
        (&[], 0.28),
        (&[2], 0.07),
        (&[1], 0.12),
        (&[1, 2], 0.03),
        (&[0], 0.28),
        (&[0, 2], 0.07),
        (&[0, 1], 0.12),
        (&[0, 1, 2], 0.03),
    ];
    expect(OddsRule::Individual, &[(0.5, true), (0.3, true), (0.2, true)], expected);
    let expected: &[(&[usize], f64)] =
        &[(&[], 0.25), (&[2], 0.1), (&[1], 0.15), (&[0], 0.25), (&[0, 2], 0.1), (&[0, 1], 0.15)];
    expect(OddsRule::Individual, &[(0.5, false), (0.3, true), (0.2, false)], expected);
}

#[test]
fn every_valid_execution_discounts_the_odds_of_all_consequences() {
    let mut table = table(OddsRule::Individual, &[(1.0, false), (1.0, false)]);
    for consequence in &mut table.game.actions[0].consequences {
        consequence.discount = Some(0.5);
    }
    let mut play = table.play();
    let action = ActionId(0);
    for odds in [1.0, 0.5, 0.25, 0.125] {
        assert_eq!(play.state().odds(action), [odds, odds]);
        play.act(&Move::Choose(ChoiceId(0), vec![]), &mut RandomStream::new(0, 0), &table.registry).unwrap();
        // All teams share the odds of an action.
        play.advance();
    }
    play.reset();
    assert_eq!(play.state().odds(action), [1.0, 1.0]);
}

#[test]
fn invalid_executions_and_passes_discount_nothing() {
    let mut table = table(OddsRule::Individual, &[(1.0, false)]);
    table.game.actions[0].consequences[0].discount = Some(0.5);
    table.game.actions[0].requires = crate::filter::Filter::Never;
    let mut play = table.play();
    for chosen in [Move::Choose(ChoiceId(0), vec![]), Move::Pass] {
        play.act(&chosen, &mut RandomStream::new(0, 0), &table.registry).unwrap();
    }
    assert_eq!(play.state().odds(ActionId(0)), [1.0]);
}

#[test]
fn consequences_occur_with_their_discounted_odds() {
    let mut table = table(OddsRule::Individual, &[(1.0, false)]);
    table.game.actions[0].consequences[0].discount = Some(0.5);
    let mut occurred = [0; 4];
    for index in 0..PLAYS {
        let (mut play, mut stream) = (table.play(), RandomStream::new(2, index.into()));
        for count in &mut occurred {
            let turn = play.act(&Move::Choose(ChoiceId(0), vec![]), &mut stream, &table.registry).unwrap();
            *count += turn.occurrences.len() as u32;
        }
    }
    for (count, probability) in occurred.into_iter().zip([1.0, 0.5, 0.25, 0.125]) {
        check(count, PLAYS, probability, "discounted");
    }
}

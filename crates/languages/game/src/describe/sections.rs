//! Descriptions of a game, its setup and its preferences in English.

use std::fmt::Write as _;

use goalspec_core::program::Quantifier;
use goalspec_core::world::World;

use super::clause::ClauseRenderer;
use super::inflection::{capitalized, list, with_article};
use super::score;
use crate::ast::condition::UNPARSED;
use crate::ast::{Game, PatternBody, Preference, SequenceOperator, SetupStatement, TypedVariables};
use crate::dialect::Dialect;

pub(super) fn game(game: &Game, world: &World, dialect: Dialect) -> String {
    let mut text = format!("Game {} in {}\n", game.name.text, game.domain.text);
    if let Some(statement) = &game.setup {
        text.push_str("\nSetup\n");
        setup(world, statement, &mut text);
    }
    text.push_str("\nPreferences\n");
    for (external, preference) in game.preferences() {
        self::preference(world, external, preference, dialect, &mut text);
    }
    if let Some(terminal) = &game.terminal {
        let _ = write!(text, "\nEnd\n    The game ends as soon as {}.\n", score::terminal(terminal, true));
    }
    text.push_str("\nScore\n");
    score::scoring(&game.scoring, &mut text);
    text
}

/// Describes the setup in one sentence per statement.
fn setup(world: &World, setup: &SetupStatement, text: &mut String) {
    let renderer = ClauseRenderer::of_setup(world, setup);
    let statements = if let SetupStatement::And(parts, _) = setup { &parts[..] } else { std::slice::from_ref(setup) };
    for statement in statements {
        let _ = writeln!(text, "    {}.", capitalized(&setup_clause(&renderer, statement)));
    }
}

fn setup_clause(renderer: &ClauseRenderer<'_>, setup: &SetupStatement) -> String {
    let clauses = |parts: &[SetupStatement]| parts.iter().map(|part| setup_clause(renderer, part)).collect::<Vec<_>>();
    match setup {
        SetupStatement::And(parts, _) => clauses(parts).join("; and "),
        SetupStatement::Or(parts, _) => format!("either {}", clauses(parts).join(", or ")),
        SetupStatement::Not(part, _) => format!("it must not be that {}", setup_clause(renderer, part)),
        SetupStatement::Exists(groups, body, _) => {
            format!("with {}: {}", renderer.introduce(groups, &with_article), setup_clause(renderer, body))
        }
        SetupStatement::Forall(groups, body, _) => {
            format!(
                "for each choice of {}: {}",
                renderer.introduce(groups, &with_article),
                setup_clause(renderer, body)
            )
        }
        SetupStatement::Conserved(condition, _) => format!("throughout the game, {}", renderer.clause(condition, true)),
        SetupStatement::Optional(condition, _) => {
            format!("at least once before scoring starts, {}", renderer.clause(condition, true))
        }
        SetupStatement::Error(_) => UNPARSED.to_owned(),
    }
}

fn preference(
    world: &World,
    external: &[TypedVariables],
    preference: &Preference,
    dialect: Dialect,
    text: &mut String,
) {
    let renderer = ClauseRenderer::of_preference(world, external, preference);
    let _ = writeln!(text, "    {}", preference.name.text);
    let mut lead = Vec::new();
    if !external.is_empty() {
        lead.push(format!("for each choice of {}", renderer.introduce(external, &with_article)));
    }
    if let Some(quantifier) = &preference.quantifier {
        let introduced = renderer.introduce(&quantifier.variables, &with_article);
        lead.push(match quantifier.kind {
            Quantifier::Exists => format!("with {introduced}"),
            Quantifier::Forall => format!("with every choice of {introduced}"),
        });
    }
    match &preference.body {
        PatternBody::AtEnd(condition, _) => {
            lead.insert(0, "at the end of the game".to_owned());
            let _ = writeln!(text, "        {}: {}.", capitalized(&lead.join(", ")), renderer.clause(condition, true));
        }
        PatternBody::Then(operators, _) => {
            lead.push(if operators.len() > 1 { "in direct succession" } else { "this" }.to_owned());
            let _ = writeln!(text, "        {}:", capitalized(&lead.join(", ")));
            for (index, operator) in operators.iter().enumerate() {
                let shortest = dialect.min_hold_length(index, operators.len());
                let _ = writeln!(text, "        {}. {}", index + 1, phase(&renderer, operator, shortest));
            }
        }
        PatternBody::Error(_) => {
            let _ = writeln!(text, "        {UNPARSED}");
        }
    }
}

/// Describes an operator. `shortest` is the minimum number of states that a `hold` covers.
fn phase(renderer: &ClauseRenderer<'_>, operator: &SequenceOperator, shortest: usize) -> String {
    let Some(condition) = operator.condition() else { return UNPARSED.to_owned() };
    let clause = renderer.clause(condition, true);
    match operator {
        SequenceOperator::Once(..) => format!("one state in which {clause}"),
        SequenceOperator::OnceMeasure(_, function, _) => {
            format!("one state in which {clause}; {} is measured in it", renderer.function(function))
        }
        SequenceOperator::Hold(..) if shortest > 0 => format!("one or more states in which {clause}"),
        SequenceOperator::Hold(..) => format!("zero or more states in which {clause}"),
        SequenceOperator::HoldWhile(_, events, _) => {
            let events: Vec<_> = events.iter().map(|event| renderer.clause(event, true)).collect();
            let order = if events.len() > 1 { ", in this order in different states," } else { "" };
            format!("states in which {clause}, and during which{order} {}", list(&events, "and then"))
        }
        SequenceOperator::Error(_) => UNPARSED.to_owned(),
    }
}

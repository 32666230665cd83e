//! Source locations of lowered games: every node that can have one has one, inside the text.

use goalspec_core::condition::{Condition, Expression, Origin, Scope};
use goalspec_core::evaluation_cost::pattern_conditions;
use goalspec_core::pattern::Pattern;
use goalspec_core::program::{Game, ScoreExpression, Setup, TerminalCondition};
use goalspec_game::{Dialect, check};
use goalspec_testing::texts;

use crate::common;

/// The origins of a lowered program.
#[derive(Default)]
struct Origins(Vec<Origin>);

impl Origins {
    fn game(&mut self, game: &Game) {
        if let Some(setup) = &game.setup {
            self.scope(&setup.scope);
            self.setup(&setup.setup);
        }
        for preference in &game.preferences {
            self.0.push(preference.origin);
            self.scope(&preference.scope);
            self.pattern(&preference.pattern);
        }
        if let Some(terminal) = &game.terminal {
            self.terminal(terminal);
        }
        self.score(&game.score);
    }

    fn scope(&mut self, scope: &Scope) {
        self.0.extend(scope.variables.iter().map(|variable| variable.origin));
    }

    fn setup(&mut self, setup: &Setup) {
        match setup {
            Setup::And(parts) | Setup::Or(parts) => parts.iter().for_each(|part| self.setup(part)),
            Setup::Not(part) | Setup::Exists(_, part) | Setup::Forall(_, part) => self.setup(part),
            Setup::Conserved(condition, origin) | Setup::Optional(condition, origin) => {
                self.0.push(*origin);
                self.condition(condition);
            }
        }
    }

    fn pattern(&mut self, pattern: &Pattern) {
        if let Pattern::Sequence(phases) = pattern {
            self.0.extend(phases.iter().map(goalspec_core::pattern::Phase::origin));
        }
        for condition in pattern_conditions(pattern) {
            self.condition(condition);
        }
    }

    fn condition(&mut self, condition: &Condition) {
        match condition {
            Condition::Constant(_) | Condition::FirstState | Condition::LastState | Condition::Distinct(..) => {}
            Condition::Atom(atom) => self.0.push(atom.origin),
            Condition::InSetup(_, origin) => self.0.push(*origin),
            Condition::Compare { sides, origin, .. } => {
                self.0.push(*origin);
                sides.iter().for_each(|side| self.expression(side));
            }
            Condition::AllEqual(parts, origin) => {
                self.0.push(*origin);
                for part in parts {
                    self.expression(part);
                }
            }
            Condition::Not(part)
            | Condition::Exists(_, part)
            | Condition::Forall(_, part)
            | Condition::Count(_, _, part)
            | Condition::Pairing { body: part, .. } => self.condition(part),
            Condition::And(parts) | Condition::Or(parts) => parts.iter().for_each(|part| self.condition(part)),
            Condition::Imply(parts) => parts.iter().for_each(|part| self.condition(part)),
        }
    }

    fn expression(&mut self, expression: &Expression) {
        match expression {
            Expression::Number(_) => {}
            Expression::Call { origin, .. } => self.0.push(*origin),
            Expression::Add(parts) | Expression::Multiply(parts) => {
                for part in parts {
                    self.expression(part);
                }
            }
            Expression::Subtract(parts) | Expression::Divide(parts) => {
                for part in parts.iter() {
                    self.expression(part);
                }
            }
            Expression::Absolute(part) => self.expression(part),
        }
    }

    fn terminal(&mut self, terminal: &TerminalCondition) {
        match terminal {
            TerminalCondition::And(parts) | TerminalCondition::Or(parts) => {
                for part in parts {
                    self.terminal(part);
                }
            }
            TerminalCondition::Not(part) => self.terminal(part),
            TerminalCondition::Compare(_, sides, origin) => {
                self.0.push(*origin);
                sides.iter().for_each(|side| self.score(side));
            }
        }
    }

    fn score(&mut self, score: &ScoreExpression) {
        match score {
            ScoreExpression::Number(_) | ScoreExpression::TotalTime | ScoreExpression::TotalScore => {}
            ScoreExpression::Count { origin, .. } => self.0.push(*origin),
            ScoreExpression::Add(parts) | ScoreExpression::Multiply(parts) | ScoreExpression::AllEqual(parts) => {
                for part in parts {
                    self.score(part);
                }
            }
            ScoreExpression::Divide(sides, origin) => {
                self.0.push(*origin);
                sides.iter().for_each(|side| self.score(side));
            }
            ScoreExpression::Subtract(sides) | ScoreExpression::Compare(_, sides) => {
                sides.iter().for_each(|side| self.score(side));
            }
            ScoreExpression::Negate(part) => self.score(part),
            ScoreExpression::ExternalMaximum(part, origin) | ScoreExpression::ExternalMinimum(part, origin) => {
                self.0.push(*origin);
                self.score(part);
            }
        }
    }
}

fn check_origins(name: &str, text: &str) {
    let source = texts::source(name, text);
    let checked = check(&source, Dialect::FORMAL, |_| None);
    for game in &checked.games {
        let Some(program) = &game.program else { continue };
        let mut origins = Origins::default();
        origins.game(program);
        assert!(!origins.0.is_empty());
        let whole = game.ast.span();
        for origin in origins.0 {
            let span = origin.0.expect("a game lowered from text has all origins");
            let is_inside = span.source == whole.source && whole.start <= span.start && span.end <= whole.end;
            assert!(is_inside && span.start < span.end, "{name}: {span:?}");
        }
    }
}

#[test]
fn every_lowered_node_has_its_place_in_the_text() {
    for program in crate::mutants::PROGRAMS {
        check_origins("program", program);
    }
    for (path, text) in common::programs().unwrap_or_default() {
        check_origins(&path.display().to_string(), &text);
    }
}

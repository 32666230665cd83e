//! Syntax trees of games as trees of the generator.

use std::fmt;

use goalspec_core::condition::ComparisonOperator;
use goalspec_core::program::{CountOperator, Quantifier};
use goalspec_game::ast::{
    Application, Condition, Constraint, Game, Operand, PatternBody, Preference, Score, SequenceOperator,
    SetupStatement, Terminal, TypedVariables,
};
use goalspec_generator::grammar::{Symbol, Tokens};
use goalspec_generator::tree::{Tree, TreeBuilder};

use super::rules::Rule;
use super::vocabulary::{ParameterKind, Vocabulary};

/// The rules of the ways to count a preference.
pub(super) const COUNTS: [Rule; 8] = [
    Rule::Count,
    Rule::CountMeasure,
    Rule::CountOnce,
    Rule::CountOncePerExternalObjects,
    Rule::CountOncePerObjects,
    Rule::CountOverlapping,
    Rule::CountSamePositions,
    Rule::CountUniquePositions,
];

/// The reason why a game has no tree: a construct that the published grammar lacks, or a part with a syntax error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnsupportedConstruct {
    /// The construct, as a phrase that names what the program contains.
    pub construct: String,
    /// The source span, if the construct has one.
    pub span: Option<goalspec_syntax::Span>,
}

impl fmt::Display for UnsupportedConstruct {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the grammar of generated games does not contain {}", self.construct)
    }
}

impl std::error::Error for UnsupportedConstruct {}

type ReadResult = Result<(), UnsupportedConstruct>;

fn unsupported(construct: impl Into<String>, span: goalspec_syntax::Span) -> UnsupportedConstruct {
    UnsupportedConstruct { construct: construct.into(), span: Some(span) }
}

/// Builds the tree of one game.
pub(super) struct Reader<'a> {
    pub(super) vocabulary: &'a Vocabulary,
    pub(super) tokens: &'a mut Tokens,
    pub(super) tree: TreeBuilder,
}

impl Reader<'_> {
    /// Returns the tree of a game.
    pub(super) fn game(mut self, game: &Game) -> Result<Tree, UnsupportedConstruct> {
        if !game.is_complete() {
            return Err(unsupported("parts with syntax errors", game.span()));
        }
        self.node(Rule::Game, |reader| {
            reader.node(Rule::GameDef, |reader| reader.token(&game.name.text))?;
            reader.node(Rule::DomainDef, |reader| reader.token(&game.domain.text))?;
            if let Some(setup) = &game.setup {
                reader.node(Rule::SetupDef, |reader| reader.setup(setup))?;
            }
            reader.node(Rule::ConstraintsDef, |reader| {
                reader.node(Rule::Preferences, |reader| {
                    game.constraints.iter().try_for_each(|constraint| reader.constraint(constraint))
                })
            })?;
            if let Some(terminal) = &game.terminal {
                reader.node(Rule::TerminalDef, |reader| reader.terminal(terminal))?;
            }
            reader.node(Rule::ScoringDef, |reader| reader.score(&game.scoring))
        })?;
        Ok(self.tree.finish())
    }

    fn node(&mut self, rule: Rule, children: impl FnOnce(&mut Self) -> ReadResult) -> ReadResult {
        self.symbol(rule.symbol(), children)
    }

    fn symbol(&mut self, symbol: Symbol, children: impl FnOnce(&mut Self) -> ReadResult) -> ReadResult {
        self.tree.open(symbol);
        children(self)?;
        self.tree.close();
        Ok(())
    }

    #[expect(clippy::unnecessary_wraps, reason = "a node's children are read by fallible functions")]
    fn token(&mut self, text: &str) -> ReadResult {
        let token = self.tokens.intern(text);
        self.tree.token(token);
        Ok(())
    }

    fn setup(&mut self, setup: &SetupStatement) -> ReadResult {
        self.node(Rule::Setup, |reader| {
            let list = |reader: &mut Self, rule, parts: &[SetupStatement]| {
                reader.node(rule, |reader| parts.iter().try_for_each(|part| reader.setup(part)))
            };
            match setup {
                SetupStatement::And(parts, _) => list(reader, Rule::SetupAnd, parts),
                SetupStatement::Or(parts, _) => list(reader, Rule::SetupOr, parts),
                SetupStatement::Not(part, _) => reader.node(Rule::SetupNot, |reader| reader.setup(part)),
                SetupStatement::Exists(variables, body, _) => {
                    reader.quantifier(Rule::SetupExists, variables, |reader| reader.setup(body))
                }
                SetupStatement::Forall(variables, body, _) => {
                    reader.quantifier(Rule::SetupForall, variables, |reader| reader.setup(body))
                }
                SetupStatement::Conserved(condition, _) => reader.statement(Rule::GameConserved, condition),
                SetupStatement::Optional(condition, _) => reader.statement(Rule::GameOptional, condition),
                SetupStatement::Error(node) => Err(unsupported("parts with syntax errors", node.span)),
            }
        })
    }

    fn statement(&mut self, rule: Rule, condition: &Condition) -> ReadResult {
        self.node(Rule::SetupStatement, |reader| reader.node(rule, |reader| reader.condition(condition)))
    }

    fn quantifier(
        &mut self,
        rule: Rule,
        variables: &[TypedVariables],
        body: impl FnOnce(&mut Self) -> ReadResult,
    ) -> ReadResult {
        self.node(rule, |reader| {
            reader.variables(variables)?;
            body(reader)
        })
    }

    fn variables(&mut self, groups: &[TypedVariables]) -> ReadResult {
        self.node(Rule::VariableList, |reader| groups.iter().try_for_each(|group| reader.declaration(group)))
    }

    fn declaration(&mut self, group: &TypedVariables) -> ReadResult {
        let types: Vec<&str> = group.types.iter().map(|name| &*name.text).collect();
        let all = |one: &str, names: &[std::sync::Arc<str>]| {
            types.iter().all(|&name| name == one || names.iter().any(|known| &**known == name))
        };
        let [declaration, definition, single, either, member] = if all("color", &self.vocabulary.colors) {
            [
                Rule::ColorVariableTypeDef,
                Rule::ColorTypeDefinition,
                Rule::ColorType,
                Rule::EitherColorTypes,
                Rule::Color,
            ]
        } else if all("orientation", &self.vocabulary.orientations) {
            [
                Rule::OrientationVariableTypeDef,
                Rule::OrientationTypeDefinition,
                Rule::OrientationType,
                Rule::EitherOrientationTypes,
                Rule::Orientation,
            ]
        } else if all("side", &self.vocabulary.sides) {
            [Rule::SideVariableTypeDef, Rule::SideTypeDefinition, Rule::SideType, Rule::EitherSideTypes, Rule::Side]
        } else {
            [Rule::VariableTypeDef, Rule::TypeDefinition, Rule::ObjectType, Rule::EitherTypes, Rule::ObjectType]
        };
        self.node(declaration, |reader| {
            group.names.iter().try_for_each(|name| reader.token(&name.text))?;
            reader.node(definition, |reader| match &types[..] {
                [only] => reader.node(single, |reader| reader.token(only)),
                several => reader.node(either, |reader| {
                    several.iter().try_for_each(|name| reader.node(member, |reader| reader.token(name)))
                }),
            })
        })
    }

    fn condition(&mut self, condition: &Condition) -> ReadResult {
        self.node(Rule::Condition, |reader| {
            let list = |reader: &mut Self, rule, parts: &[Condition]| {
                reader.node(rule, |reader| parts.iter().try_for_each(|part| reader.condition(part)))
            };
            match condition {
                Condition::And(parts, _) => list(reader, Rule::And, parts),
                Condition::Or(parts, _) => list(reader, Rule::Or, parts),
                Condition::Not(part, _) => reader.node(Rule::Not, |reader| reader.condition(part)),
                Condition::Exists(variables, body, _) => {
                    reader.quantifier(Rule::Exists, variables, |reader| reader.condition(body))
                }
                Condition::Forall(variables, body, _) => {
                    reader.quantifier(Rule::Forall, variables, |reader| reader.condition(body))
                }
                Condition::Compare(ComparisonOperator::Equal, sides, _) => reader.equality(&sides[..]),
                Condition::AllEqual(operands, _) => reader.equality(operands),
                Condition::Compare(operator, sides, _) => reader.node(Rule::FunctionComparison, |reader| {
                    reader.node(Rule::TwoArgComparison, |reader| {
                        reader.token(operator.symbol())?;
                        sides.iter().try_for_each(|side| reader.operand(side))
                    })
                }),
                Condition::Predicate(application) => {
                    reader.node(Rule::Predicate, |reader| reader.application(application, false))
                }
                Condition::Error(node) => Err(unsupported("parts with syntax errors", node.span)),
            }
        })
    }

    fn equality(&mut self, operands: &[Operand]) -> ReadResult {
        self.node(Rule::FunctionComparison, |reader| {
            reader
                .node(Rule::MultipleArgsEqual, |reader| operands.iter().try_for_each(|operand| reader.operand(operand)))
        })
    }

    fn operand(&mut self, operand: &Operand) -> ReadResult {
        self.node(Rule::ComparisonArg, |reader| match operand {
            Operand::Number(number, _) => reader.number(Rule::ComparisonNumber, *number),
            Operand::Function(application) => reader.function(application),
        })
    }

    fn function(&mut self, application: &Application) -> ReadResult {
        self.node(Rule::FunctionEval, |reader| reader.application(application, true))
    }

    fn number(&mut self, rule: Rule, number: f64) -> ReadResult {
        self.node(rule, |reader| reader.token(&number.to_string()))
    }

    fn application(&mut self, application: &Application, is_function: bool) -> ReadResult {
        let name = &*application.name.text;
        let Some(symbol) = self.vocabulary.find(is_function, name, application.arguments.len()) else {
            let noun = if is_function { "function" } else { "predicate" };
            let count = application.arguments.len();
            return Err(unsupported(format!("a {noun} `{name}` with {count} arguments"), application.span()));
        };
        let parameters = self.vocabulary.signature(symbol).map_or(&[][..], |signature| &signature.parameters).to_vec();
        self.symbol(symbol, |reader| {
            application.arguments.iter().zip(parameters).try_for_each(|(name, kind)| reader.term(&name.text, kind))
        })
    }

    fn term(&mut self, text: &str, kind: ParameterKind) -> ReadResult {
        let is_color = || text.starts_with("?x") || self.vocabulary.colors.iter().any(|color| &**color == text);
        let (term, constant) = match kind {
            ParameterKind::Color => (Rule::ColorTerm, Rule::Color),
            ParameterKind::ColorOrObject if is_color() => (Rule::ColorTerm, Rule::Color),
            ParameterKind::Orientation => (Rule::OrientationTerm, Rule::Orientation),
            ParameterKind::Side => (Rule::SideTerm, Rule::Side),
            ParameterKind::Type => (Rule::TypeTerm, Rule::ObjectType),
            ParameterKind::Object | ParameterKind::ColorOrObject => (Rule::Term, Rule::ObjectName),
        };
        self.node(term, |reader| {
            if text.starts_with('?') { reader.token(text) } else { reader.node(constant, |reader| reader.token(text)) }
        })
    }

    fn constraint(&mut self, constraint: &Constraint) -> ReadResult {
        self.node(Rule::PrefDef, |reader| match constraint {
            Constraint::Preference(preference) => reader.preference(preference),
            Constraint::Forall { variables, preferences, .. } => {
                reader.quantifier(Rule::PrefForall, variables, |reader| {
                    reader.node(Rule::PrefForallPrefs, |reader| {
                        preferences.iter().try_for_each(|preference| reader.preference(preference))
                    })
                })
            }
            Constraint::Error(node) => Err(unsupported("parts with syntax errors", node.span)),
        })
    }

    fn preference(&mut self, preference: &Preference) -> ReadResult {
        self.node(Rule::Preference, |reader| {
            reader.token(&preference.name.text)?;
            reader.node(Rule::PrefBody, |reader| match &preference.quantifier {
                None => reader.body(&preference.body),
                Some(quantifier) if quantifier.kind == Quantifier::Exists => {
                    reader
                        .quantifier(Rule::PrefBodyExists, &quantifier.variables, |reader| reader.body(&preference.body))
                }
                Some(quantifier) => Err(unsupported("a `forall` directly inside a preference", quantifier.span.0)),
            })
        })
    }

    fn body(&mut self, body: &PatternBody) -> ReadResult {
        match body {
            PatternBody::Then(operators, _) => self.node(Rule::Then, |reader| {
                operators.iter().try_for_each(|operator| reader.node(Rule::SeqFunc, |reader| reader.operator(operator)))
            }),
            PatternBody::AtEnd(condition, _) => self.node(Rule::AtEnd, |reader| reader.condition(condition)),
            PatternBody::Error(node) => Err(unsupported("parts with syntax errors", node.span)),
        }
    }

    fn operator(&mut self, operator: &SequenceOperator) -> ReadResult {
        match operator {
            SequenceOperator::Once(condition, _) => self.node(Rule::Once, |reader| reader.condition(condition)),
            SequenceOperator::Hold(condition, _) => self.node(Rule::Hold, |reader| reader.condition(condition)),
            SequenceOperator::OnceMeasure(condition, function, _) => self.node(Rule::OnceMeasure, |reader| {
                reader.condition(condition)?;
                reader.function(function)
            }),
            SequenceOperator::HoldWhile(condition, events, _) => self.node(Rule::HoldWhile, |reader| {
                reader.condition(condition)?;
                events.iter().try_for_each(|event| reader.condition(event))
            }),
            SequenceOperator::Error(node) => Err(unsupported("parts with syntax errors", node.span)),
        }
    }

    fn terminal(&mut self, terminal: &Terminal) -> ReadResult {
        self.node(Rule::Terminal, |reader| {
            let list = |reader: &mut Self, rule, parts: &[Terminal]| {
                reader.node(rule, |reader| parts.iter().try_for_each(|part| reader.terminal(part)))
            };
            match terminal {
                Terminal::And(parts, _) => list(reader, Rule::TerminalAnd, parts),
                Terminal::Or(parts, _) => list(reader, Rule::TerminalOr, parts),
                Terminal::Not(part, _) => reader.node(Rule::TerminalNot, |reader| reader.terminal(part)),
                Terminal::Compare(operator, sides, _) => reader.node(Rule::TerminalComp, |reader| {
                    let [left, right] = &**sides;
                    let Score::Number(number, _) = right else {
                        let construct = "a terminal comparison without a number on its right side";
                        return Err(unsupported(construct, right.span()));
                    };
                    reader.terminal_comparison(operator.symbol(), left, *number)
                }),
                Terminal::Error(node) => Err(unsupported("parts with syntax errors", node.span)),
            }
        })
    }

    fn terminal_comparison(&mut self, operator: &str, left: &Score, right: f64) -> ReadResult {
        let (rule, quantity, number) = match left {
            Score::TotalTime(_) => (Rule::TimeComp, Some("(total-time)"), Rule::TimeNumber),
            Score::TotalScore(_) => (Rule::ScoreComp, Some("(total-score)"), Rule::ScoreNumber),
            _ => (Rule::CountComp, None, Rule::CountNumber),
        };
        self.node(rule, |reader| {
            reader.token(operator)?;
            match quantity {
                Some(text) => reader.token(text)?,
                None => reader.score_operand(left)?,
            }
            reader.number(number, right)
        })
    }

    fn score_operand(&mut self, score: &Score) -> ReadResult {
        self.node(Rule::ScoringExprOrNumber, |reader| match score {
            Score::Number(number, _) => reader.number(Rule::ScoringNumber, *number),
            _ => reader.score(score),
        })
    }

    fn score(&mut self, score: &Score) -> ReadResult {
        self.node(Rule::ScoringExpr, |reader| {
            let operands =
                |reader: &mut Self| score.operands().iter().try_for_each(|operand| reader.score_operand(operand));
            let operation = |reader: &mut Self, rule, operator: &str| {
                reader.node(rule, |reader| {
                    reader.token(operator)?;
                    operands(reader)
                })
            };
            match score {
                Score::Add(..) => operation(reader, Rule::MultiExpr, "+"),
                Score::Multiply(..) => operation(reader, Rule::MultiExpr, "*"),
                Score::Subtract(..) => operation(reader, Rule::BinaryExpr, "-"),
                Score::Divide(..) => operation(reader, Rule::BinaryExpr, "/"),
                Score::Negate(..) => reader.node(Rule::NegExpr, operands),
                Score::Compare(ComparisonOperator::Equal, ..) | Score::AllEqual(..) => {
                    reader.node(Rule::ScoringComparison, |reader| reader.node(Rule::ScoringEquals, operands))
                }
                Score::Compare(operator, ..) => reader
                    .node(Rule::ScoringComparison, |reader| operation(reader, Rule::ScoringComp, operator.symbol())),
                Score::ExternalMaximum(part, _) => reader.node(Rule::ExternalMaximize, |reader| reader.score(part)),
                Score::ExternalMinimum(part, _) => reader.node(Rule::ExternalMinimize, |reader| reader.score(part)),
                Score::Count(operator, reference, _) => reader.node(Rule::PreferenceEval, |reader| {
                    reader.node(count_rule(*operator), |reader| {
                        reader.node(Rule::PrefNameAndTypes, |reader| {
                            reader.token(&reference.name.text)?;
                            reference.types.iter().try_for_each(|name| reader.count_type(&name.text))
                        })
                    })
                }),
                Score::Number(..) => Err(unsupported("a number as the whole score", score.span())),
                Score::TotalTime(_) => Err(unsupported("`(total-time)` in the scoring", score.span())),
                Score::TotalScore(_) => Err(unsupported("`(total-score)` in the scoring", score.span())),
                Score::Error(node) => Err(unsupported("parts with syntax errors", node.span)),
            }
        })
    }

    fn count_type(&mut self, text: &str) -> ReadResult {
        let is = |names: &[std::sync::Arc<str>]| names.iter().any(|known| &**known == text);
        let rule = if is(&self.vocabulary.colors) {
            Rule::Color
        } else if is(&self.vocabulary.objects) {
            Rule::ObjectName
        } else {
            Rule::ObjectType
        };
        self.node(Rule::PrefObjectType, |reader| reader.node(rule, |reader| reader.token(text)))
    }
}

fn count_rule(operator: CountOperator) -> Rule {
    match operator {
        CountOperator::Disjoint => Rule::Count,
        CountOperator::Overlapping => Rule::CountOverlapping,
        CountOperator::Once => Rule::CountOnce,
        CountOperator::OncePerObjects => Rule::CountOncePerObjects,
        CountOperator::OncePerExternalObjects => Rule::CountOncePerExternalObjects,
        CountOperator::Measure => Rule::CountMeasure,
        CountOperator::UniquePositions => Rule::CountUniquePositions,
        CountOperator::SamePositions => Rule::CountSamePositions,
    }
}

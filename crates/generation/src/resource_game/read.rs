//! The conversion of the syntax tree of a game to a tree of the grammar.
//!
//! Custom results, tests other than comparisons, ranges and substring tests, the steps of chains, the parts of templates between fields,
//! the parameters of choices, and expressions that are nested too deeply or have no value are kept as text: tokens that no operator takes
//! apart.

use goalspec_generator::grammar::{Symbol, Tokens};
use goalspec_generator::tree::{MAX_TREE_ENTRIES, Tree, TreeBuilder};
use goalspec_resource::expression::{BooleanNode, Expression, ExpressionNode, ExpressionNodeId, NumericNode};
use goalspec_resource::value::Value;
use goalspec_rgg::ast::{
    Action, Assignments, ChainStepKind, Computation, ComputationKind, Consequence, ConsequenceEffect,
    ConsequenceEffectKind, EndpointFilters, Filter, FilterKind, Game, SpannedExpression, SpannedText, TeamActions,
    TemplatePart,
};
use goalspec_rgg::spelling;
use rustc_hash::FxHashMap;

use super::document::{Document, real_text, scalar_text, value_text};
use super::names::NameScope;
use super::rules::Rule;
use super::test_text;

/// Maximum depth of an expression that is taken apart; deeper ones are kept as text.
const MAX_EXPRESSION_DEPTH: u32 = 32;

/// Maximum number of nodes of an expression that is taken apart.
const MAX_EXPRESSION_NODES: u32 = 1024;

/// A game as a tree, with the fields that it refers to.
#[derive(Debug, Clone)]
pub(super) struct ReadGame {
    /// The tree.
    pub(super) tree: Tree,
    /// The names of fields that have a meaning, with the scope in which they have it and the number of their uses.
    pub(super) known: FxHashMap<(NameScope, Symbol), u32>,
}

/// Returns a game without errors as a tree; `None` if it is too large.
pub(super) fn read(game: &Game, tokens: &mut Tokens) -> Option<ReadGame> {
    let mut reader = Reader {
        tokens,
        tree: TreeBuilder::default(),
        known: FxHashMap::default(),
        scope: NameScope::State,
        computed: Vec::new(),
    };
    reader.game(game);
    if reader.tree.len() > MAX_TREE_ENTRIES {
        return None;
    }
    Some(ReadGame { tree: reader.tree.finish(), known: reader.known })
}

pub(super) struct Reader<'t> {
    pub(super) tokens: &'t mut Tokens,
    pub(super) tree: TreeBuilder,
    known: FxHashMap<(NameScope, Symbol), u32>,
    scope: NameScope,
    /// The intermediate values of the result.
    computed: Vec<Symbol>,
}

impl Reader<'_> {
    pub(super) fn node(&mut self, rule: Rule, content: impl FnOnce(&mut Self)) {
        // Games that are too large are refused in the end.
        if self.tree.len() <= MAX_TREE_ENTRIES {
            self.tree.open(rule.symbol());
            content(self);
            self.tree.close();
        }
    }

    pub(super) fn token(&mut self, text: &str) {
        let token = self.tokens.intern(text);
        self.tree.token(token);
    }

    /// Adds a node with one token.
    pub(super) fn leaf(&mut self, rule: Rule, text: &str) {
        self.node(rule, |reader| reader.token(text));
    }

    pub(super) fn value(&mut self, value: Option<&Value>) {
        self.token(&value_text(value));
    }

    /// Adds the name of a field or place.
    fn field(&mut self, name: &SpannedText) {
        self.field_named(&name.text);
    }

    fn field_named(&mut self, name: &str) {
        let token = self.tokens.intern(name);
        if !self.computed.contains(&token) {
            *self.known.entry((self.scope, token)).or_default() += 1;
        }
        self.tree.token(token);
    }

    fn game(&mut self, game: &Game) {
        self.node(Rule::Game, |reader| {
            reader.node(Rule::ActionSpace, |reader| {
                game.action_space.iter().for_each(|team| reader.team_actions(team));
            });
            reader.node(Rule::Actions, |reader| game.actions.iter().for_each(|action| reader.action(action)));
            reader.node(Rule::Rewards, |reader| {
                for reward in &game.rewards {
                    let Some(value) = &reward.compute else { continue };
                    reader.node(Rule::Reward, |reader| {
                        reader.token(&reward.team.text);
                        reader.computation(value);
                    });
                }
            });
            if let Some(completed) = &game.completed {
                reader.node(Rule::Completed, |reader| reader.filter(completed));
            }
        });
    }

    fn team_actions(&mut self, team: &TeamActions) {
        self.node(Rule::TeamActions, |reader| {
            reader.token(&team.team.text);
            for choice in &team.choices {
                reader.node(Rule::Choice, |reader| {
                    reader.token(&choice.action.text);
                    for parameter in &choice.parameters {
                        reader.node(Rule::Parameter, |reader| {
                            reader.token(&parameter.name.text);
                            reader.token(&parameter.constraint.text);
                        });
                    }
                });
            }
        });
    }

    fn action(&mut self, action: &Action) {
        self.node(Rule::Action, |reader| {
            reader.token(&action.name.text);
            reader.node(Rule::Cost, |reader| {
                for cost in &action.cost {
                    reader.node(Rule::CostEntry, |reader| {
                        reader.field(&cost.field);
                        reader.value(Some(&cost.value));
                    });
                }
            });
            reader.node(Rule::Requires, |reader| reader.filter(&action.requires));
            reader.node(Rule::Consequences, |reader| {
                action.consequences.iter().for_each(|consequence| reader.consequence(consequence));
            });
        });
    }

    fn consequence(&mut self, consequence: &Consequence) {
        self.node(Rule::Consequence, |reader| {
            if let Some(odds) = consequence.odds {
                reader.leaf(Rule::Odds, &real_text(odds.value));
            }
            if let Some(discount) = consequence.discount {
                reader.leaf(Rule::Discount, &real_text(discount.value));
            }
            if let Some((independent, _)) = consequence.independent {
                reader.leaf(Rule::Independent, if independent { "true" } else { "false" });
            }
            reader.result(&consequence.effect);
        });
    }

    fn result(&mut self, effect: &ConsequenceEffect) {
        match &effect.kind {
            ConsequenceEffectKind::Resources { compute, add, put } => self.node(Rule::Resources, |reader| {
                reader.compute(compute);
                reader.assignments(Rule::Add, add);
                reader.assignments(Rule::Put, put);
                reader.computed.clear();
            }),
            ConsequenceEffectKind::MakeNodeVisible { team, endpoint_filters } => {
                self.node(Rule::MakeNodeVisible, |reader| {
                    reader.token(&team.text);
                    reader.ends(endpoint_filters);
                });
            }
            ConsequenceEffectKind::WithVectors { all, ends, compute, result } => {
                let rule = if *all { Rule::AllVectors } else { Rule::RandomVector };
                self.node(rule, |reader| {
                    reader.ends(ends);
                    reader.scope = NameScope::Vector;
                    reader.compute(compute);
                    reader.assignments(Rule::VectorResult, result);
                    reader.scope = NameScope::State;
                    reader.computed.clear();
                });
            }
            ConsequenceEffectKind::Custom(parameters) => {
                let entry = |(name, value): &(SpannedText, Option<Value>)| {
                    (scalar_text(&name.text), Document::Text(value_text(value.as_ref())))
                };
                let parameters = Document::Map(parameters.iter().map(entry).collect());
                let custom = Document::entry(&scalar_text(&effect.name.text), parameters);
                self.leaf(Rule::CustomResult, &custom.flow());
            }
        }
    }

    fn ends(&mut self, ends: &EndpointFilters) {
        let before = std::mem::replace(&mut self.scope, NameScope::Node);
        for (rule, filter) in [(Rule::SourceFilter, &ends.source), (Rule::TargetFilter, &ends.target)] {
            if let Some(filter) = filter {
                self.node(rule, |reader| reader.filter(filter));
            }
        }
        self.scope = before;
    }

    fn compute(&mut self, compute: &Assignments) {
        if compute.span.is_none() {
            return;
        }
        // Intermediate values do not see each other.
        let mut names = Vec::with_capacity(compute.entries.len());
        self.node(Rule::Compute, |reader| {
            for (name, value) in &compute.entries {
                names.push(reader.tokens.intern(&name.text));
                reader.node(Rule::Computed, |reader| {
                    reader.token(&name.text);
                    reader.computation(value);
                });
            }
        });
        self.computed = names;
    }

    fn assignments(&mut self, rule: Rule, assignments: &Assignments) {
        // The result on vectors is not optional.
        if assignments.span.is_none() && rule != Rule::VectorResult {
            return;
        }
        self.node(rule, |reader| {
            for (place, value) in &assignments.entries {
                reader.node(Rule::Assignment, |reader| {
                    reader.field(place);
                    reader.computation(value);
                });
            }
        });
    }

    fn filter(&mut self, filter: &Filter) {
        let all = |reader: &mut Self, filters: &[Filter]| filters.iter().for_each(|filter| reader.filter(filter));
        match &filter.kind {
            FilterKind::Always => self.node(Rule::Always, |_| {}),
            FilterKind::Never => self.node(Rule::Never, |_| {}),
            FilterKind::Field(name, test) => self.node(Rule::FieldTest, |reader| {
                reader.field(name);
                test_text::read(reader, test);
            }),
            FilterKind::Computed(value) => self.node(Rule::ComputedFilter, |reader| reader.computation(value)),
            FilterKind::Not(inner) => self.node(Rule::Not, |reader| reader.filter(inner)),
            FilterKind::And(filters) => self.node(Rule::And, |reader| all(reader, filters)),
            FilterKind::Or(filters) => self.node(Rule::Or, |reader| all(reader, filters)),
        }
    }

    fn computation(&mut self, computation: &Computation) {
        let fields = |reader: &mut Self, fields: &[SpannedText]| fields.iter().for_each(|name| reader.field(name));
        match &computation.kind {
            ComputationKind::Constant(value) => self.node(Rule::Constant, |reader| reader.value(value.as_ref())),
            ComputationKind::Field(name) => self.node(Rule::FieldValue, |reader| reader.field(name)),
            ComputationKind::Calculate(own) => {
                let is_plain = own.expression.as_ref().is_none_or(has_no_inner_comparison);
                self.node(Rule::Calculate, |reader| reader.expression(own, is_plain, Self::number));
            }
            ComputationKind::CalculateBoolean(own) => {
                self.node(Rule::CalculateBoolean, |reader| reader.expression(own, true, Self::truth));
            }
            ComputationKind::Cases(cases) => self.node(Rule::Cases, |reader| {
                for case in cases {
                    reader.node(Rule::Case, |reader| {
                        reader.node(Rule::When, |reader| {
                            for (name, test) in &case.when {
                                reader.node(Rule::FieldTest, |reader| {
                                    reader.field(name);
                                    test_text::read(reader, test);
                                });
                            }
                        });
                        reader.computation(&case.value);
                    });
                }
            }),
            ComputationKind::MathOperation { operator, fields: names, fallback } => {
                self.node(Rule::MathOperation, |reader| {
                    reader.token(spelling::math_operator(*operator));
                    fields(reader, names);
                    if let Some(fallback) = fallback {
                        reader.leaf(Rule::Fallback, &value_text(Some(fallback)));
                    }
                });
            }
            ComputationKind::Template(parts) => self.node(Rule::Template, |reader| {
                for part in parts {
                    match part {
                        TemplatePart::Text(text) => reader.leaf(Rule::TemplateText, text),
                        TemplatePart::Field(name) => reader.node(Rule::TemplateField, |reader| reader.field(name)),
                    }
                }
            }),
            ComputationKind::FirstPresent(names) => self.node(Rule::FirstPresent, |reader| fields(reader, names)),
            ComputationKind::List(names) => self.node(Rule::FieldList, |reader| fields(reader, names)),
            ComputationKind::Chain(from, steps) => self.node(Rule::Chain, |reader| {
                reader.computation(from);
                for step in steps {
                    match &step.kind {
                        ChainStepKind::Test(test) => {
                            reader.node(Rule::TestStep, |reader| test_text::read(reader, test));
                        }
                        ChainStepKind::Transform(transform) => {
                            reader.leaf(Rule::TransformStep, &test_text::transform(transform).flow());
                        }
                    }
                }
            }),
        }
    }

    fn expression<N: ExpressionNode>(
        &mut self,
        own: &SpannedExpression<N>,
        is_plain: bool,
        add: impl Fn(&mut Self, &Expression<N>, ExpressionNodeId),
    ) {
        let expression = own.expression.as_ref().filter(|_| is_plain);
        if let Some((expression, root)) = expression.and_then(|own| Some((own, small_root(own)?))) {
            return add(self, expression, root);
        }
        for name in &own.fields {
            let token = self.tokens.intern(&name.text);
            *self.known.entry((self.scope, token)).or_default() += 1;
        }
        self.leaf(Rule::OtherExpression, &own.text.text);
    }

    fn number(&mut self, expression: &Expression<NumericNode>, node: ExpressionNodeId) {
        match &expression.nodes()[node.index()] {
            NumericNode::Number(number) => self.leaf(Rule::Number, &number.to_string()),
            NumericNode::Field(field) => {
                let name = expression.fields()[field.index()].clone();
                self.node(Rule::NumberField, |reader| reader.field_named(&name));
            }
            NumericNode::Unary(function, operand) => self.node(Rule::Unary, |reader| {
                reader.token(spelling::unary_function(*function));
                reader.number(expression, *operand);
            }),
            NumericNode::Binary(function, operands) => {
                let rule = if function.is_comparison() { Rule::Comparison } else { Rule::Binary };
                self.node(rule, |reader| {
                    reader.token(spelling::binary_function(*function));
                    for operand in operands {
                        reader.number(expression, *operand);
                    }
                });
            }
            NumericNode::Aggregate(function, operands) => self.node(Rule::Aggregate, |reader| {
                reader.token(spelling::aggregate_function(*function));
                for operand in operands {
                    reader.number(expression, *operand);
                }
            }),
            NumericNode::Random => self.node(Rule::Random, |_| {}),
            NumericNode::RandomBetween(operands) => self.node(Rule::RandomBetween, |reader| {
                for operand in operands {
                    reader.number(expression, *operand);
                }
            }),
        }
    }

    fn truth(&mut self, expression: &Expression<BooleanNode>, node: ExpressionNodeId) {
        match &expression.nodes()[node.index()] {
            BooleanNode::Constant(truth) => self.leaf(Rule::Truth, if *truth { "true" } else { "false" }),
            BooleanNode::Field(field) => {
                let name = expression.fields()[field.index()].clone();
                self.node(Rule::TruthField, |reader| reader.field_named(&name));
            }
            BooleanNode::Not(operand) => {
                self.node(Rule::NotExpression, |reader| reader.truth(expression, *operand));
            }
            BooleanNode::Binary(connective, operands) => self.node(Rule::Connective, |reader| {
                reader.token(spelling::connective(*connective));
                for operand in operands {
                    reader.truth(expression, *operand);
                }
            }),
        }
    }
}

/// Whether no operand of an expression is a comparison.
fn has_no_inner_comparison(expression: &Expression<NumericNode>) -> bool {
    let mut operands = expression.nodes().split_last().map_or(&[][..], |(_, operands)| operands).iter();
    operands.all(|node| !matches!(node, NumericNode::Binary(function, _) if function.is_comparison()))
}

/// Returns the root of an expression that is small enough to be taken apart.
fn small_root<N: ExpressionNode>(expression: &Expression<N>) -> Option<ExpressionNodeId> {
    // The depth and the number of nodes below each node, if nothing is shared.
    let mut sizes: Vec<(u32, u32)> = Vec::with_capacity(expression.nodes().len());
    for node in expression.nodes() {
        let operands = node.operands().iter().map(|operand| sizes[operand.index()]);
        let add = |(depth, nodes): (u32, u32), (own, count): (u32, u32)| (depth.max(own), nodes.saturating_add(count));
        let (depth, nodes) = operands.fold((0, 0), add);
        sizes.push((depth + 1, nodes.saturating_add(1)));
    }
    let &(depth, nodes) = sizes.last()?;
    let is_small = depth <= MAX_EXPRESSION_DEPTH && nodes <= MAX_EXPRESSION_NODES;
    is_small.then(|| expression.root())
}

//! The grammar of resource graph games: kinds of nodes with their fields.
//!
//! The grammar has the sections that say how a game is played: `actionSpace`, `actions`, `rewards` and `completed`. Those that declare
//! the names are the [frame](super::frame).

use goalspec_generator::grammar::{Cardinality, Field, Grammar, Kind, Symbol, TokenSource, Tokens};

/// The name space of teams.
pub(super) const TEAMS: u8 = 0;
/// The name space of references to actions.
pub(super) const ACTIONS: u8 = 1;
/// The name space of the names that actions are defined by.
pub(super) const ACTION_NAMES: u8 = 2;
/// The name space of fields that are read.
pub(super) const FIELDS: u8 = 3;
/// The name space of fields that are written.
pub(super) const PLACES: u8 = 4;
/// The name space of the names that intermediate values are defined by.
pub(super) const COMPUTED_NAMES: u8 = 5;
/// The name space of labels of sets of observers.
pub(super) const LABELS: u8 = 6;
/// The name space of values that a field is compared with or set to. Their tokens are YAML scalars.
pub(super) const LITERALS: u8 = 7;

macro_rules! rules {
    ($($rule:ident = $name:literal),* $(,)?) => {
        /// A kind of node of resource graph games.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub(super) enum Rule {
            $($rule),*
        }

        impl Rule {
            /// All kinds, each at its index.
            pub(super) const ALL: &'static [Self] = &[$(Self::$rule),*];

            /// Returns the name of the grammar rule.
            pub(super) const fn name(self) -> &'static str {
                match self {
                    $(Self::$rule => $name),*
                }
            }
        }
    };
}

rules! {
    Game = "game",
    ActionSpace = "action_space",
    TeamActions = "team_actions",
    Choice = "choice",
    Parameter = "parameter",
    Actions = "actions",
    Action = "action",
    Cost = "cost",
    CostEntry = "cost_entry",
    Requires = "requires",
    Consequences = "consequences",
    Consequence = "consequence",
    Odds = "odds",
    Discount = "discount",
    Independent = "independent",
    Resources = "resources",
    MakeNodeVisible = "make_node_visible",
    RandomVector = "with_random_vector",
    AllVectors = "with_all_vectors",
    CustomResult = "custom_result",
    SourceFilter = "source_filter",
    TargetFilter = "target_filter",
    Compute = "compute",
    Computed = "computed",
    Add = "add",
    Put = "put",
    VectorResult = "vector_result",
    Assignment = "assignment",
    Always = "always",
    Never = "never",
    FieldTest = "field_test",
    ComputedFilter = "computed_filter",
    Not = "not",
    And = "and",
    Or = "or",
    Compare = "compare",
    Range = "range",
    OneOf = "one_of",
    TextTest = "text_test",
    HasAny = "has_any",
    OtherTest = "other_test",
    NotTest = "not_test",
    AndTest = "and_test",
    OrTest = "or_test",
    Constant = "constant",
    FieldValue = "field",
    Calculate = "calculate",
    CalculateBoolean = "calculate_boolean",
    Cases = "cases",
    Case = "case",
    When = "when",
    MathOperation = "math_operation",
    Fallback = "fallback",
    Template = "template",
    TemplateText = "template_text",
    TemplateField = "template_field",
    FirstPresent = "first_present",
    FieldList = "field_list",
    Chain = "chain",
    TestStep = "test_step",
    TransformStep = "transform_step",
    Number = "number",
    NumberField = "number_field",
    Unary = "unary",
    Binary = "binary",
    Comparison = "comparison",
    Aggregate = "aggregate",
    Random = "random",
    RandomBetween = "random_between",
    Truth = "truth",
    TruthField = "truth_field",
    NotExpression = "not_expression",
    Connective = "connective",
    OtherExpression = "other_expression",
    Rewards = "rewards",
    Reward = "reward",
    Completed = "completed",
}

use Rule as R;

const FILTERS: &[Rule] = &[R::Always, R::Never, R::FieldTest, R::Not, R::And, R::Or];
const TESTS: &[Rule] =
    &[R::Compare, R::Range, R::OneOf, R::TextTest, R::HasAny, R::OtherTest, R::NotTest, R::AndTest, R::OrTest];
const COMPUTATIONS: &[Rule] = &[
    R::Constant,
    R::FieldValue,
    R::Calculate,
    R::CalculateBoolean,
    R::Cases,
    R::MathOperation,
    R::Template,
    R::FirstPresent,
    R::FieldList,
    R::Chain,
];
const NUMBERS: &[Rule] = &[R::Number, R::NumberField, R::Unary, R::Binary, R::Aggregate, R::Random, R::RandomBetween];
const TRUTHS: &[Rule] = &[R::Truth, R::TruthField, R::NotExpression, R::Connective];
const RESULTS: &[Rule] = &[R::Resources, R::MakeNodeVisible, R::RandomVector, R::AllVectors, R::CustomResult];

impl Rule {
    /// Returns the kind of node.
    pub(super) const fn symbol(self) -> Symbol {
        Symbol::kind(self as usize)
    }

    /// Returns the rule of a kind of node; `None` for tokens.
    #[inline]
    pub(super) fn of(symbol: Symbol) -> Option<Self> {
        if symbol.is_token() { None } else { Self::ALL.get(symbol.index()).copied() }
    }

    /// Whether nodes of this kind only enclose a part of the game that every game has. They are no nodes of sizes and depths, and operators
    /// replace what is in them but not the nodes themselves.
    pub(super) const fn is_bracket(self) -> bool {
        matches!(
            self,
            Self::Game
                | Self::ActionSpace
                | Self::TeamActions
                | Self::Actions
                | Self::Cost
                | Self::Requires
                | Self::Consequences
                | Self::When
                | Self::Rewards
                | Self::Reward
                | Self::Completed
        )
    }

    /// Whether operators replace nodes of this kind. What is kept as text is neither replaced nor removed.
    pub(super) const fn is_editable(self) -> bool {
        !self.is_bracket() && !matches!(self, Self::CustomResult | Self::Parameter | Self::OtherExpression)
    }

    /// Whether nodes of this kind are drawn only if the examples have some.
    pub(super) const fn is_rare(self) -> bool {
        matches!(
            self,
            Self::Never
                | Self::ComputedFilter
                | Self::Not
                | Self::And
                | Self::Or
                | Self::NotTest
                | Self::AndTest
                | Self::OrTest
                | Self::HasAny
                | Self::OneOf
                | Self::TextTest
                | Self::OtherTest
                | Self::AllVectors
                | Self::Parameter
                | Self::CustomResult
                | Self::CalculateBoolean
                | Self::MathOperation
                | Self::Template
                | Self::FirstPresent
                | Self::FieldList
                | Self::Chain
                | Self::Random
                | Self::RandomBetween
        )
    }

    /// Whether nodes of this kind are computations.
    pub(super) fn is_computation(self) -> bool {
        COMPUTATIONS.contains(&self)
    }
}

const fn many(min: u32) -> Cardinality {
    Cardinality::Many { min, singleton_is_bare: false }
}

fn field(name: &'static str, kinds: &[Rule]) -> Field {
    let kinds = kinds.iter().map(|rule| rule.symbol()).collect();
    Field { name: Some(name), prefix: "", kinds, tokens: TokenSource::None, cardinality: Cardinality::One }
}

fn optional(name: &'static str, rule: Rule) -> Field {
    Field { cardinality: Cardinality::Optional, ..field(name, &[rule]) }
}

fn list(name: &'static str, kinds: &[Rule], min: u32) -> Field {
    Field { cardinality: many(min), ..field(name, kinds) }
}

fn name(name: &'static str, space: u8) -> Field {
    Field { tokens: TokenSource::Names(space), ..field(name, &[]) }
}

/// The fields of a kind, with the tokens that they offer whatever the examples have.
struct Fields<'a>(&'a mut Tokens);

impl Fields<'_> {
    fn closed(&mut self, name: &'static str, offered: &[&str]) -> Field {
        let tokens = offered.iter().map(|text| self.0.intern(text)).collect();
        Field { tokens: TokenSource::Closed(tokens), ..field(name, &[]) }
    }

    fn of(&mut self, rule: Rule) -> Vec<Field> {
        match rule {
            R::Game => vec![
                field("action_space", &[R::ActionSpace]),
                field("actions", &[R::Actions]),
                field("rewards", &[R::Rewards]),
                optional("completed", R::Completed),
            ],
            R::ActionSpace => vec![list("teams", &[R::TeamActions], 1)],
            R::TeamActions => vec![name("team", TEAMS), list("choices", &[R::Choice], 1)],
            R::Choice => vec![name("action", ACTIONS), list("parameters", &[R::Parameter], 0)],
            R::Parameter => vec![self.closed("name", &[]), self.closed("constraint", &[])],
            R::Actions => vec![list("actions", &[R::Action], 1)],
            R::Action => vec![
                name("name", ACTION_NAMES),
                field("cost", &[R::Cost]),
                field("requires", &[R::Requires]),
                field("consequences", &[R::Consequences]),
            ],
            R::Cost => vec![list("entries", &[R::CostEntry], 0)],
            R::CostEntry => vec![name("field", PLACES), name("value", LITERALS)],
            R::Requires | R::SourceFilter | R::TargetFilter | R::Not => vec![field("filter", FILTERS)],
            R::Completed => vec![field("filter", &[FILTERS, &[R::ComputedFilter]].concat())],
            R::Rewards => vec![list("rewards", &[R::Reward], 0)],
            R::Reward => vec![name("team", TEAMS), field("value", COMPUTATIONS)],
            R::Consequences | R::Consequence | R::Odds | R::Discount | R::Independent => self.consequence(rule),
            R::Resources
            | R::MakeNodeVisible
            | R::RandomVector
            | R::AllVectors
            | R::CustomResult
            | R::Compute
            | R::Computed
            | R::Add
            | R::Put
            | R::VectorResult
            | R::Assignment => self.result(rule),
            R::Always | R::Never | R::Random => vec![Field { cardinality: many(0), ..field("nothing", &[]) }],
            R::FieldTest => vec![name("field", FIELDS), field("test", TESTS)],
            R::ComputedFilter => vec![field("value", COMPUTATIONS)],
            R::And | R::Or => vec![list("filters", FILTERS, 2)],
            R::Compare
            | R::Range
            | R::OneOf
            | R::TextTest
            | R::HasAny
            | R::OtherTest
            | R::NotTest
            | R::AndTest
            | R::OrTest => self.test(rule),
            _ => self.computation(rule),
        }
    }

    fn consequence(&mut self, rule: Rule) -> Vec<Field> {
        match rule {
            R::Consequences => vec![list("consequences", &[R::Consequence], 0)],
            R::Odds => vec![self.closed("value", &["0.25", "0.5", "0.75"])],
            R::Discount => vec![self.closed("factor", &["0.5", "0.9"])],
            R::Independent => vec![self.closed("value", &["true"])],
            _ => vec![
                optional("odds", R::Odds),
                optional("discount", R::Discount),
                optional("independent", R::Independent),
                field("result", RESULTS),
            ],
        }
    }

    fn result(&mut self, rule: Rule) -> Vec<Field> {
        let ends = || [optional("source", R::SourceFilter), optional("target", R::TargetFilter)];
        match rule {
            R::Resources => vec![optional("compute", R::Compute), optional("add", R::Add), optional("put", R::Put)],
            R::MakeNodeVisible => std::iter::once(name("team", LABELS)).chain(ends()).collect(),
            R::RandomVector | R::AllVectors => {
                let rest = [optional("compute", R::Compute), field("result", &[R::VectorResult])];
                ends().into_iter().chain(rest).collect()
            }
            R::CustomResult => vec![self.closed("text", &[])],
            R::Compute => vec![list("values", &[R::Computed], 1)],
            R::Computed => vec![name("name", COMPUTED_NAMES), field("value", COMPUTATIONS)],
            R::Add | R::Put | R::VectorResult => vec![list("assignments", &[R::Assignment], 1)],
            _ => vec![name("place", PLACES), field("value", COMPUTATIONS)],
        }
    }

    fn test(&mut self, rule: Rule) -> Vec<Field> {
        match rule {
            R::Compare => {
                vec![self.closed("operator", &["Equal", "NotEqual", "Gt", "Gte", "Lt", "Lte"]), name("value", LITERALS)]
            }
            R::Range => vec![name("minimum", LITERALS), name("maximum", LITERALS)],
            R::OneOf => vec![Field { cardinality: many(1), ..name("members", LITERALS) }],
            R::TextTest => vec![self.closed("relation", &["Contains"]), name("text", LABELS)],
            R::HasAny => vec![Field { cardinality: many(1), ..name("labels", LABELS) }],
            R::OtherTest => vec![self.closed("text", &[])],
            R::NotTest => vec![field("test", TESTS)],
            _ => vec![list("tests", TESTS, 2)],
        }
    }

    fn computation(&mut self, rule: Rule) -> Vec<Field> {
        match rule {
            R::Constant => vec![name("value", LITERALS)],
            R::FieldValue | R::TemplateField | R::NumberField | R::TruthField => vec![name("field", FIELDS)],
            R::Calculate => vec![field("expression", &[NUMBERS, &[R::Comparison, R::OtherExpression]].concat())],
            R::CalculateBoolean => vec![field("expression", &[TRUTHS, &[R::OtherExpression]].concat())],
            R::Cases => vec![list("cases", &[R::Case], 1)],
            R::Case => vec![field("when", &[R::When]), field("value", COMPUTATIONS)],
            R::When => vec![list("tests", &[R::FieldTest], 0)],
            R::MathOperation => vec![
                self.closed("operator", &["ADD", "SUBTRACT", "MULTIPLY", "MIN", "MAX"]),
                Field { cardinality: many(2), ..name("fields", FIELDS) },
                optional("fallback", R::Fallback),
            ],
            R::Fallback | R::TemplateText | R::OtherExpression | R::TransformStep => vec![self.closed("text", &[])],
            R::Template => vec![list("parts", &[R::TemplateText, R::TemplateField], 1)],
            R::FirstPresent | R::FieldList => vec![Field { cardinality: many(1), ..name("fields", FIELDS) }],
            R::Chain => vec![field("from", COMPUTATIONS), list("steps", &[R::TestStep, R::TransformStep], 1)],
            R::TestStep => vec![field("test", TESTS)],
            R::Number => vec![self.closed("value", &["1", "2", "3", "10"])],
            R::Unary => vec![self.closed("function", &["floor", "abs", "negative"]), field("operand", NUMBERS)],
            R::Binary => {
                let operator = self.closed("operator", &["+", "-", "*", "/"]);
                vec![operator, field("left", NUMBERS), field("right", NUMBERS)]
            }
            R::Comparison => {
                let operator = self.closed("operator", &[]);
                vec![operator, field("left", NUMBERS), field("right", NUMBERS)]
            }
            R::Aggregate => vec![self.closed("function", &["max", "min"]), list("operands", NUMBERS, 2)],
            R::RandomBetween => vec![field("minimum", NUMBERS), field("maximum", NUMBERS)],
            R::Truth => vec![self.closed("value", &["true", "false"])],
            R::NotExpression => vec![field("operand", TRUTHS)],
            _ => {
                let operator = self.closed("operator", &["and", "or"]);
                vec![operator, field("left", TRUTHS), field("right", TRUTHS)]
            }
        }
    }
}

/// Returns the grammar. The tokens that it offers are added to `tokens`.
pub(super) fn grammar(tokens: &mut Tokens) -> Grammar {
    let mut fields = Fields(tokens);
    let kind = |rule: &Rule| Kind {
        name: rule.name().into(),
        opening: format!("({}", rule.name()).into(),
        closing: ")",
        fields: fields.of(*rule),
        is_counted: !rule.is_bracket(),
    };
    Grammar::new(Rule::ALL.iter().map(kind).collect())
}

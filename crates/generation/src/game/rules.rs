//! The grammar of games as trees: one kind of node for each rule of the published grammar, and one for each predicate and function of a
//! vocabulary.
//!
//! The names of rules and fields are those of the published grammar, because corpora counted with it, its n-grams and its sizes use them.

use std::sync::Arc;

use goalspec_generator::grammar::{Cardinality, Field, Grammar, Kind, Symbol, TokenSource, Tokens};

use super::vocabulary::{ParameterKind, Signature, Vocabulary};

/// The name space of object variables.
pub const OBJECT_VARIABLES: u8 = 0;
/// The name space of colour variables.
pub const COLOR_VARIABLES: u8 = 1;
/// The name space of orientation variables.
pub const ORIENTATION_VARIABLES: u8 = 2;
/// The name space of side variables.
pub const SIDE_VARIABLES: u8 = 3;
/// The name space of preferences, at their definition.
pub const PREFERENCE_DEFINITIONS: u8 = 4;
/// The name space of preferences, where they are counted.
pub const PREFERENCE_REFERENCES: u8 = 5;
/// The name space of games.
pub const GAME_NAMES: u8 = 6;
/// The name space of worlds.
pub const WORLD_NAMES: u8 = 7;

macro_rules! rules {
    ($($rule:ident = $name:literal),* $(,)?) => {
        /// A rule of the grammar that does not depend on the world.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[expect(missing_docs, reason = "the rules of the published grammar")]
        pub enum Rule { $($rule),* }

        impl Rule {
            /// All rules, in the order of their symbols.
            pub const ALL: &'static [Self] = &[$(Self::$rule),*];

            /// Returns the name of the rule.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$rule => $name),* }
            }
        }
    };
}

rules! {
    Game = "game",
    GameDef = "game_def",
    DomainDef = "domain_def",
    SetupDef = "setup_def",
    ConstraintsDef = "constraints_def",
    TerminalDef = "terminal_def",
    ScoringDef = "scoring_def",
    VariableList = "variable_list",
    VariableTypeDef = "variable_type_def",
    ColorVariableTypeDef = "color_variable_type_def",
    OrientationVariableTypeDef = "orientation_variable_type_def",
    SideVariableTypeDef = "side_variable_type_def",
    TypeDefinition = "type_definition",
    ColorTypeDefinition = "color_type_definition",
    OrientationTypeDefinition = "orientation_type_definition",
    SideTypeDefinition = "side_type_definition",
    EitherTypes = "either_types",
    EitherColorTypes = "either_color_types",
    EitherOrientationTypes = "either_orientation_types",
    EitherSideTypes = "either_side_types",
    ObjectType = "object_type",
    ObjectName = "object_name",
    ColorType = "color_type",
    Color = "color",
    OrientationType = "orientation_type",
    Orientation = "orientation",
    SideType = "side_type",
    Side = "side",
    ComparisonNumber = "comparison_arg_number_value",
    TimeNumber = "time_number_value",
    ScoreNumber = "score_number_value",
    CountNumber = "pref_count_number_value",
    ScoringNumber = "scoring_number_value",
    FunctionComparison = "function_comparison",
    TwoArgComparison = "two_arg_comparison",
    MultipleArgsEqual = "multiple_args_equal_comparison",
    Term = "predicate_or_function_term",
    ColorTerm = "predicate_or_function_color_term",
    OrientationTerm = "predicate_or_function_orientation_term",
    SideTerm = "predicate_or_function_side_term",
    TypeTerm = "predicate_or_function_type_term",
    ComparisonArg = "comparison_arg",
    FunctionEval = "function_eval",
    Predicate = "predicate",
    Setup = "setup",
    SetupAnd = "setup_and",
    SetupOr = "setup_or",
    SetupNot = "setup_not",
    SetupExists = "setup_exists",
    SetupForall = "setup_forall",
    SetupStatement = "setup_statement",
    GameConserved = "setup_game_conserved",
    GameOptional = "setup_game_optional",
    Condition = "super_predicate",
    And = "super_predicate_and",
    Or = "super_predicate_or",
    Not = "super_predicate_not",
    Exists = "super_predicate_exists",
    Forall = "super_predicate_forall",
    Preferences = "preferences",
    PrefDef = "pref_def",
    Preference = "preference",
    PrefForall = "pref_forall",
    PrefForallPrefs = "pref_forall_prefs",
    PrefBody = "pref_body",
    PrefBodyExists = "pref_body_exists",
    AtEnd = "at_end",
    Then = "then",
    SeqFunc = "seq_func",
    Once = "once",
    OnceMeasure = "once_measure",
    Hold = "hold",
    HoldWhile = "while_hold",
    Terminal = "terminal",
    TerminalAnd = "terminal_and",
    TerminalOr = "terminal_or",
    TerminalNot = "terminal_not",
    TerminalComp = "terminal_comp",
    TimeComp = "terminal_time_comp",
    ScoreComp = "terminal_score_comp",
    CountComp = "terminal_pref_count_comp",
    ScoringExpr = "scoring_expr",
    ScoringExprOrNumber = "scoring_expr_or_number",
    ExternalMaximize = "scoring_external_maximize",
    ExternalMinimize = "scoring_external_minimize",
    MultiExpr = "scoring_multi_expr",
    BinaryExpr = "scoring_binary_expr",
    NegExpr = "scoring_neg_expr",
    ScoringComparison = "scoring_comparison",
    ScoringComp = "scoring_comp",
    ScoringEquals = "scoring_equals_comp",
    PreferenceEval = "preference_eval",
    Count = "count",
    CountOverlapping = "count_overlapping",
    CountOnce = "count_once",
    CountOncePerObjects = "count_once_per_objects",
    CountUniquePositions = "count_unique_positions",
    CountSamePositions = "count_same_positions",
    CountOncePerExternalObjects = "count_once_per_external_objects",
    CountMeasure = "count_measure",
    PrefNameAndTypes = "pref_name_and_types",
    PrefObjectType = "pref_object_type",
}

impl Rule {
    /// Returns the kind of node.
    pub const fn symbol(self) -> Symbol {
        Symbol::kind(self as usize)
    }

    /// Returns the rule of a kind of node; `None` for predicates, functions and tokens.
    #[inline]
    pub fn of(symbol: Symbol) -> Option<Self> {
        if symbol.is_token() { None } else { Self::ALL.get(symbol.index()).copied() }
    }

    /// Returns the opening and closing text.
    fn brackets(self) -> (&'static str, &'static str) {
        match self {
            Self::Game => ("(define", ")"),
            Self::GameDef => ("(game", ")"),
            Self::DomainDef => ("(:domain", ")"),
            Self::SetupDef => ("(:setup", ")"),
            Self::ConstraintsDef => ("(:constraints", ")"),
            Self::TerminalDef => ("(:terminal", ")"),
            Self::ScoringDef => ("(:scoring", ")"),
            Self::VariableList
            | Self::TwoArgComparison
            | Self::TimeComp
            | Self::ScoreComp
            | Self::CountComp
            | Self::MultiExpr
            | Self::BinaryExpr
            | Self::ScoringComp => ("(", ")"),
            Self::EitherTypes | Self::EitherColorTypes | Self::EitherOrientationTypes | Self::EitherSideTypes => {
                ("(either", ")")
            }
            Self::MultipleArgsEqual | Self::ScoringEquals => ("(=", ")"),
            Self::SetupAnd | Self::And | Self::Preferences | Self::PrefForallPrefs | Self::TerminalAnd => ("(and", ")"),
            Self::SetupOr | Self::Or | Self::TerminalOr => ("(or", ")"),
            Self::SetupNot | Self::Not | Self::TerminalNot => ("(not", ")"),
            Self::SetupExists | Self::Exists | Self::PrefBodyExists => ("(exists", ")"),
            Self::SetupForall | Self::Forall | Self::PrefForall => ("(forall", ")"),
            Self::GameConserved => ("(game-conserved", ")"),
            Self::GameOptional => ("(game-optional", ")"),
            Self::Preference => ("(preference", ")"),
            Self::AtEnd => ("(at-end", ")"),
            Self::Then => ("(then", ")"),
            Self::Once => ("(once", ")"),
            Self::OnceMeasure => ("(once-measure", ")"),
            Self::Hold => ("(hold", ")"),
            Self::HoldWhile => ("(hold-while", ")"),
            Self::ExternalMaximize => ("(external-forall-maximize", ")"),
            Self::ExternalMinimize => ("(external-forall-minimize", ")"),
            Self::NegExpr => ("(-", ")"),
            Self::Count => ("(count", ")"),
            Self::CountOverlapping => ("(count-overlapping", ")"),
            Self::CountOnce => ("(count-once", ")"),
            Self::CountOncePerObjects => ("(count-once-per-objects", ")"),
            Self::CountUniquePositions => ("(count-unique-positions", ")"),
            Self::CountSamePositions => ("(count-same-positions", ")"),
            Self::CountOncePerExternalObjects => ("(count-once-per-external-objects", ")"),
            Self::CountMeasure => ("(count-measure", ")"),
            Self::PrefObjectType => (":", ""),
            _ => ("", ""),
        }
    }
}

/// The operators of comparisons in conditions and scores; equality has rules of its own.
const INEQUALITIES: [&str; 4] = ["<", "<=", ">", ">="];
/// The operators of comparisons in terminal conditions.
const COMPARISONS: [&str; 5] = ["<", "<=", "=", ">", ">="];

/// Assembles the fields of rules.
struct Fields<'a> {
    vocabulary: &'a Vocabulary,
    tokens: &'a mut Tokens,
}

impl Fields<'_> {
    fn field(name: &'static str, kinds: &[Rule]) -> Field {
        let kinds = kinds.iter().map(|rule| rule.symbol()).collect();
        Field { name: Some(name), prefix: "", kinds, tokens: TokenSource::None, cardinality: Cardinality::One }
    }

    fn bracket(kinds: &[Rule], cardinality: Cardinality) -> Field {
        Field { name: None, cardinality, ..Self::field("", kinds) }
    }

    fn list(name: &'static str, kinds: &[Rule], min: u32) -> Field {
        let cardinality = Cardinality::Many { min, singleton_is_bare: false };
        Field { cardinality, ..Self::field(name, kinds) }
    }

    fn closed<T: AsRef<str>>(&mut self, name: &'static str, texts: impl IntoIterator<Item = T>) -> Field {
        let mut tokens: Vec<Symbol> = Vec::new();
        for text in texts {
            // A token that were listed twice would be drawn twice as often.
            let token = self.tokens.intern(text.as_ref());
            if !tokens.contains(&token) {
                tokens.push(token);
            }
        }
        Field { tokens: TokenSource::Closed(tokens), ..Self::field(name, &[]) }
    }

    fn names(name: &'static str, kinds: &[Rule], space: u8) -> Field {
        Field { tokens: TokenSource::Names(space), ..Self::field(name, kinds) }
    }

    fn declaration(space: u8, ty: Rule) -> Vec<Field> {
        let cardinality = Cardinality::Many { min: 1, singleton_is_bare: false };
        vec![
            Field { cardinality, ..Self::names("var_names", &[], space) },
            Field { prefix: "-", ..Self::field("var_type", &[ty]) },
        ]
    }

    /// Returns the fields of a comparison between a value and a number.
    fn comparison(&mut self, operators: &[&str], first: Field, second: &[Rule]) -> Vec<Field> {
        vec![self.closed("op", operators), first, Self::field("expr_2", second)]
    }

    #[expect(clippy::too_many_lines, reason = "one row for each rule")]
    fn of(&mut self, rule: Rule) -> Vec<Field> {
        use Rule as R;
        let numbers = |range: std::ops::RangeInclusive<i32>| range.map(|number| number.to_string());
        match rule {
            R::Game => vec![
                Self::bracket(&[R::GameDef], Cardinality::One),
                Self::bracket(&[R::DomainDef], Cardinality::One),
                Self::bracket(&[R::SetupDef], Cardinality::Optional),
                Self::bracket(&[R::ConstraintsDef], Cardinality::One),
                Self::bracket(&[R::TerminalDef], Cardinality::Optional),
                Self::bracket(&[R::ScoringDef], Cardinality::One),
            ],
            R::GameDef => vec![Field { name: None, ..Self::names("", &[], GAME_NAMES) }],
            R::DomainDef => vec![Self::names("domain_name", &[], WORLD_NAMES)],
            R::SetupDef => vec![Self::bracket(&[R::Setup], Cardinality::One)],
            R::ConstraintsDef => vec![Self::bracket(&[R::Preferences], Cardinality::One)],
            R::TerminalDef => vec![Self::bracket(&[R::Terminal], Cardinality::One)],
            R::ScoringDef => vec![Self::bracket(&[R::ScoringExpr], Cardinality::One)],
            R::VariableList => vec![Self::list(
                "variables",
                &[R::ColorVariableTypeDef, R::OrientationVariableTypeDef, R::SideVariableTypeDef, R::VariableTypeDef],
                1,
            )],
            R::VariableTypeDef => Self::declaration(OBJECT_VARIABLES, R::TypeDefinition),
            R::ColorVariableTypeDef => Self::declaration(COLOR_VARIABLES, R::ColorTypeDefinition),
            R::OrientationVariableTypeDef => Self::declaration(ORIENTATION_VARIABLES, R::OrientationTypeDefinition),
            R::SideVariableTypeDef => Self::declaration(SIDE_VARIABLES, R::SideTypeDefinition),
            R::TypeDefinition => vec![Self::field("type", &[R::EitherTypes, R::ObjectType])],
            R::ColorTypeDefinition => vec![Self::field("type", &[R::ColorType, R::EitherColorTypes])],
            R::OrientationTypeDefinition => vec![Self::field("type", &[R::EitherOrientationTypes, R::OrientationType])],
            R::SideTypeDefinition => vec![Self::field("type", &[R::EitherSideTypes, R::SideType])],
            R::EitherTypes => vec![Self::list("type_names", &[R::ObjectType], 2)],
            R::EitherColorTypes => vec![Self::list("type_names", &[R::Color], 2)],
            R::EitherOrientationTypes => vec![Self::list("type_names", &[R::Orientation], 2)],
            R::EitherSideTypes => vec![Self::list("type_names", &[R::Side], 2)],
            R::ObjectType => vec![self.closed("terminal", &self.vocabulary.types)],
            R::ObjectName => vec![self.closed("terminal", &self.vocabulary.objects)],
            R::ColorType => vec![self.closed("terminal", ["color"])],
            R::Color => vec![self.closed("terminal", &self.vocabulary.colors)],
            R::OrientationType => vec![self.closed("terminal", ["orientation"])],
            R::Orientation => vec![self.closed("terminal", &self.vocabulary.orientations)],
            R::SideType => vec![self.closed("terminal", ["side"])],
            R::Side => vec![self.closed("terminal", &self.vocabulary.sides)],
            R::ComparisonNumber => vec![self.closed("terminal", numbers(1..=10))],
            R::TimeNumber => vec![self.closed("terminal", (30..=330).step_by(30).map(|time: i32| time.to_string()))],
            R::ScoreNumber => {
                vec![self.closed("terminal", numbers(-10..=10).chain((-50..=100).step_by(10).map(|n| n.to_string())))]
            }
            R::CountNumber => vec![self.closed("terminal", numbers(1..=20))],
            R::ScoringNumber => {
                let tens = (30..=100).step_by(10).map(|number| number.to_string());
                let tenths = (1..=9).map(|tenth| format!("0.{tenth}"));
                vec![self.closed("terminal", numbers(-10..=20).chain(tens).chain(tenths))]
            }
            R::FunctionComparison => vec![Self::field("comp", &[R::MultipleArgsEqual, R::TwoArgComparison])],
            R::TwoArgComparison => vec![
                self.closed("comp_op", INEQUALITIES),
                Self::field("arg_1", &[R::ComparisonArg]),
                Self::field("arg_2", &[R::ComparisonArg]),
            ],
            R::MultipleArgsEqual => vec![Self::list("equal_comp_args", &[R::ComparisonArg], 2)],
            R::Term => vec![Self::names("term", &[R::ObjectName], OBJECT_VARIABLES)],
            R::ColorTerm => vec![Self::names("term", &[R::Color], COLOR_VARIABLES)],
            R::OrientationTerm => vec![Self::names("term", &[R::Orientation], ORIENTATION_VARIABLES)],
            R::SideTerm => vec![Self::names("term", &[R::Side], SIDE_VARIABLES)],
            R::TypeTerm => vec![Self::names("term", &[R::ObjectType], OBJECT_VARIABLES)],
            R::ComparisonArg => vec![Self::field("arg", &[R::ComparisonNumber, R::FunctionEval])],
            R::FunctionEval => vec![Self::called("func", self.vocabulary.function_symbols())],
            R::Predicate => vec![Self::called("pred", self.vocabulary.predicate_symbols())],
            R::Setup => vec![Self::field(
                "setup",
                &[R::SetupAnd, R::SetupExists, R::SetupForall, R::SetupNot, R::SetupOr, R::SetupStatement],
            )],
            R::SetupAnd => vec![Self::list("and_args", &[R::Setup], 2)],
            R::SetupOr => vec![Self::list("or_args", &[R::Setup], 2)],
            R::SetupNot => vec![Self::field("not_args", &[R::Setup])],
            R::SetupExists => Self::quantifier(["exists_vars", "exists_args"], &[R::Setup]),
            R::SetupForall => Self::quantifier(["forall_vars", "forall_args"], &[R::Setup]),
            R::SetupStatement => vec![Self::field("statement", &[R::GameConserved, R::GameOptional])],
            R::GameConserved => vec![Self::field("conserved_pred", &[R::Condition])],
            R::GameOptional => vec![Self::field("optional_pred", &[R::Condition])],
            R::Condition => vec![Self::field(
                "pred",
                &[R::FunctionComparison, R::Predicate, R::And, R::Exists, R::Forall, R::Not, R::Or],
            )],
            R::And => vec![Self::list("and_args", &[R::Condition], 2)],
            R::Or => vec![Self::list("or_args", &[R::Condition], 2)],
            R::Not => vec![Self::field("not_args", &[R::Condition])],
            R::Exists => Self::quantifier(["exists_vars", "exists_args"], &[R::Condition]),
            R::Forall => Self::quantifier(["forall_vars", "forall_args"], &[R::Condition]),
            R::Preferences => vec![Self::list("preferences", &[R::PrefDef], 1)],
            R::PrefDef => vec![Self::field("definition", &[R::PrefForall, R::Preference])],
            R::Preference => {
                vec![Self::names("pref_name", &[], PREFERENCE_DEFINITIONS), Self::field("pref_body", &[R::PrefBody])]
            }
            R::PrefForall => Self::quantifier(["forall_vars", "forall_pref"], &[R::PrefForallPrefs]),
            R::PrefForallPrefs => {
                let cardinality = Cardinality::Many { min: 1, singleton_is_bare: true };
                vec![Field { cardinality, ..Self::field("preferences", &[R::Preference]) }]
            }
            R::PrefBody => vec![Self::field("body", &[R::AtEnd, R::PrefBodyExists, R::Then])],
            R::PrefBodyExists => Self::quantifier(["exists_vars", "exists_args"], &[R::AtEnd, R::Then]),
            R::AtEnd => vec![Self::field("at_end_pred", &[R::Condition])],
            R::Then => vec![Self::list("then_funcs", &[R::SeqFunc], 3)],
            R::SeqFunc => vec![Self::field("seq_func", &[R::Hold, R::Once, R::OnceMeasure, R::HoldWhile])],
            R::Once => vec![Self::field("once_pred", &[R::Condition])],
            R::OnceMeasure => {
                vec![Self::field("once_measure_pred", &[R::Condition]), Self::field("measurement", &[R::FunctionEval])]
            }
            R::Hold => vec![Self::field("hold_pred", &[R::Condition])],
            R::HoldWhile => {
                vec![Self::field("hold_pred", &[R::Condition]), Self::list("while_preds", &[R::Condition], 1)]
            }
            R::Terminal => {
                vec![Self::field("terminal", &[R::TerminalAnd, R::TerminalComp, R::TerminalNot, R::TerminalOr])]
            }
            R::TerminalAnd => vec![Self::list("and_args", &[R::Terminal], 2)],
            R::TerminalOr => vec![Self::list("or_args", &[R::Terminal], 2)],
            R::TerminalNot => vec![Self::field("not_args", &[R::Terminal])],
            R::TerminalComp => vec![Self::field("comp", &[R::CountComp, R::ScoreComp, R::TimeComp])],
            R::TimeComp => {
                let time = self.closed("expr_1", ["(total-time)"]);
                self.comparison(&COMPARISONS, time, &[R::TimeNumber])
            }
            R::ScoreComp => {
                let score = self.closed("expr_1", ["(total-score)"]);
                self.comparison(&COMPARISONS, score, &[R::ScoreNumber])
            }
            R::CountComp => {
                let count = Self::field("expr_1", &[R::ScoringExprOrNumber]);
                self.comparison(&COMPARISONS, count, &[R::CountNumber])
            }
            R::ScoringExpr => vec![Self::field(
                "expr",
                &[
                    R::PreferenceEval,
                    R::BinaryExpr,
                    R::ScoringComparison,
                    R::ExternalMaximize,
                    R::ExternalMinimize,
                    R::MultiExpr,
                    R::NegExpr,
                ],
            )],
            R::ScoringExprOrNumber => vec![Self::field("expr", &[R::ScoringExpr, R::ScoringNumber])],
            R::ExternalMaximize | R::ExternalMinimize => vec![Self::field("scoring_expr", &[R::ScoringExpr])],
            R::MultiExpr => {
                vec![self.closed("op", ["*", "+"]), Self::list("expr", &[R::ScoringExprOrNumber], 2)]
            }
            R::BinaryExpr => {
                let first = Self::field("expr_1", &[R::ScoringExprOrNumber]);
                self.comparison(&["-", "/"], first, &[R::ScoringExprOrNumber])
            }
            R::NegExpr => vec![Self::field("expr", &[R::ScoringExprOrNumber])],
            R::ScoringComparison => vec![Self::field("comp", &[R::ScoringComp, R::ScoringEquals])],
            R::ScoringComp => {
                let first = Self::field("expr_1", &[R::ScoringExprOrNumber]);
                self.comparison(&INEQUALITIES, first, &[R::ScoringExprOrNumber])
            }
            R::ScoringEquals => vec![Self::list("expr", &[R::ScoringExprOrNumber], 2)],
            R::PreferenceEval => vec![Self::field("count_method", &super::read::COUNTS)],
            R::Count
            | R::CountOverlapping
            | R::CountOnce
            | R::CountOncePerObjects
            | R::CountUniquePositions
            | R::CountSamePositions
            | R::CountOncePerExternalObjects
            | R::CountMeasure => vec![Self::field("name_and_types", &[R::PrefNameAndTypes])],
            R::PrefNameAndTypes => vec![
                Self::names("pref_name", &[], PREFERENCE_REFERENCES),
                Self::list("object_types", &[R::PrefObjectType], 0),
            ],
            R::PrefObjectType => vec![Self::field("type_name", &[R::Color, R::ObjectName, R::ObjectType])],
        }
    }

    fn quantifier(names: [&'static str; 2], body: &[Rule]) -> Vec<Field> {
        vec![Self::field(names[0], &[Rule::VariableList]), Self::field(names[1], body)]
    }

    fn called(name: &'static str, kinds: Vec<Symbol>) -> Field {
        Field { kinds, ..Self::field(name, &[]) }
    }
}

/// Returns the grammar of games over a vocabulary. The tokens that it offers are added to `tokens`.
pub(super) fn grammar(vocabulary: &Vocabulary, tokens: &mut Tokens) -> Grammar {
    let mut fields = Fields { vocabulary, tokens };
    let mut kinds: Vec<Kind> = Vec::with_capacity(Rule::ALL.len() + vocabulary.signatures.len());
    for &rule in Rule::ALL {
        let (opening, closing) = rule.brackets();
        let is_bracket =
            matches!(rule, Rule::Game | Rule::SetupDef | Rule::ConstraintsDef | Rule::TerminalDef | Rule::ScoringDef);
        kinds.push(Kind {
            name: rule.name().into(),
            opening: opening.into(),
            closing,
            fields: fields.of(rule),
            is_counted: !is_bracket,
        });
    }
    kinds.extend(vocabulary.signatures.iter().map(application));
    Grammar::new(kinds)
}

/// The names of the fields of arguments.
const ARGUMENTS: [&str; 8] = ["arg_1", "arg_2", "arg_3", "arg_4", "arg_5", "arg_6", "arg_7", "arg_8"];

fn application(signature: &Signature) -> Kind {
    let mut fields: Vec<Field> = signature
        .parameters
        .iter()
        .zip(ARGUMENTS)
        .map(|(parameter, name)| Fields::field(name, parameter.terms()))
        .collect();
    if fields.is_empty() {
        let cardinality = Cardinality::Many { min: 0, singleton_is_bare: false };
        fields.push(Field { cardinality, ..Fields::field("no_args", &[]) });
    }
    let opening: Arc<str> = format!("({}", signature.name).into();
    Kind { name: signature.rule.clone(), opening, closing: ")", fields, is_counted: true }
}

impl ParameterKind {
    /// Returns the kinds of terms for a parameter.
    fn terms(self) -> &'static [Rule] {
        match self {
            Self::Object => &[Rule::Term],
            Self::Color => &[Rule::ColorTerm],
            Self::Orientation => &[Rule::OrientationTerm],
            Self::Side => &[Rule::SideTerm],
            Self::Type => &[Rule::TypeTerm],
            Self::ColorOrObject => &[Rule::ColorTerm, Rule::Term],
        }
    }
}

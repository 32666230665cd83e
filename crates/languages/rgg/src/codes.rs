//! The diagnostic codes, by subject.

pub mod expression;
pub mod game;
pub mod lint;
pub mod names;
pub mod variable;
pub mod yaml;

use goalspec_syntax::CodeDoc;

pub use expression::{
    CONSTRAINT_ARGUMENTS, CONSTRAINT_IGNORED, CONSTRAINT_TYPE, CONSTRAINT_VALUE, EXPRESSION_ARITY,
    EXPRESSION_COMPARISON, EXPRESSION_NAME, EXPRESSION_SIZE, EXPRESSION_SYNTAX,
};
pub use game::{
    COMPUTATION_ARGUMENT, COMPUTATION_FORM, DUPLICATE, EMPTY, EMPTY_ADD, FILTER_ARGUMENT, FILTER_FORM, FILTER_IGNORED,
    FILTER_POSITION, INVALID_ODDS, MISSING_KEY, MISSING_VALUE, NO_EFFECT, OR_OVER_MAP, RESOURCE_LIST, SECTION_ORDER,
    SURPLUS_ENTRY, TOO_MANY_DIAGNOSTICS, UNKNOWN_COMPUTATION, UNKNOWN_FILTER, UNKNOWN_KEY, UNKNOWN_RESULT,
    UNKNOWN_STEP, UNQUOTED_COMMA, UNQUOTED_NAME, UNSUPPORTED, WRONG_KIND,
};
pub use lint::{
    AMBIGUOUS_ODDS, COMPLETED_AT_START, COST_ADDS, LINT_LIMIT, METRIC_WITHOUT_VALUE, MIXED_TYPES, NEVER_ENDS,
    NEVER_HOLDS, NO_MATCHING_VECTOR, ODDS_RANGE, OUTSIDE, REWARD_KIND, REWARD_UNSEEN, SUBSTRING_LABEL, THRESHOLD,
    UNAFFORDABLE, UNAVAILABLE_ACTION, UNKNOWN_ENDPOINT, UNREACHABLE, UNSAMPLEABLE_PARAMETER, UNUSED_PARAMETER,
    UNUSED_RESOURCE,
};
pub use names::{
    DOTTED_NAME, INVALID_OBSERVERS, NO_ACTIONS, NO_REWARD, NO_TEAMS, NULL_WRITE, SIBLING_VALUE, UNDECLARED_RESOURCE,
    UNKNOWN_ACTION, UNKNOWN_FIELD, UNKNOWN_METRIC, UNKNOWN_NODE, UNKNOWN_TARGET, UNKNOWN_TEAM,
};
pub use variable::{VARIABLE_FORM, VARIABLE_PATH, VARIABLE_SPACE, VARIABLE_TARGET};
pub use yaml::{
    LAYOUT, YAML_ALIAS, YAML_AMBIGUOUS, YAML_DEPTH, YAML_DOCUMENTS, YAML_DUPLICATE_KEY, YAML_KEY, YAML_SIZE,
    YAML_SYNTAX, YAML_TAG,
};

const COUNT: usize = expression::ALL.len()
    + game::ALL.len()
    + lint::ALL.len()
    + names::ALL.len()
    + variable::ALL.len()
    + yaml::ALL.len();

/// The documentation of every code of this crate.
pub const ALL: &[CodeDoc] = &joined([expression::ALL, game::ALL, lint::ALL, names::ALL, variable::ALL, yaml::ALL]);

const fn joined<const N: usize>(parts: [&[CodeDoc]; N]) -> [CodeDoc; COUNT] {
    let mut all = [parts[0][0]; COUNT];
    let (mut part, mut at) = (0, 0);
    while part < N {
        let mut index = 0;
        while index < parts[part].len() {
            all[at] = parts[part][index];
            at += 1;
            index += 1;
        }
        part += 1;
    }
    all
}

//! The diagnostic codes, by subject.

pub mod expression;
pub mod game;
pub mod lint;
pub mod names;
pub mod patch;
pub mod yaml;

use goalspec_syntax::CodeDoc;

pub use expression::{
    CONSTRAINT_ARGUMENTS, CONSTRAINT_IGNORED, CONSTRAINT_TYPE, CONSTRAINT_VALUE, EXPRESSION_ARITY,
    EXPRESSION_COMPARISON, EXPRESSION_NAME, EXPRESSION_SIZE, EXPRESSION_SYNTAX,
};
pub use game::{
    COMMA, COMPUTE_ARGUMENT, COMPUTE_FORM, EMPTY, EMPTY_ADD, FILTER_ARGUMENT, FILTER_FORM, FILTER_IGNORED,
    FILTER_PLACE, IGNORED, KIND, MISSING_KEY, NO_VALUE, ODDS, OR_OVER_MAP, ORDER, REPEATED, RESOURCE_LIST, SURPLUS,
    TOO_MANY, UNKNOWN_COMPUTE, UNKNOWN_FILTER, UNKNOWN_KEY, UNKNOWN_RESULT, UNKNOWN_STEP, UNQUOTED_NAME, UNSUPPORTED,
};
pub use lint::{
    COST_ADDS, LABEL_PART, LINTS_STOPPED, MIXED_TYPES, NEVER_ENDS, NEVER_HOLDS, NO_METRIC, NO_SUCH_END, NO_VECTOR,
    ODDS_RANGE, ODDS_READING, OUTSIDE, OVER_AT_START, REWARD_KIND, REWARD_UNSEEN, THRESHOLD, UNAFFORDABLE, UNCHOSEN,
    UNDRAWABLE, UNREACHABLE, UNUSED_PARAMETER, UNUSED_RESOURCE,
};
pub use names::{
    DOTTED_NAME, METRIC, NO_ACTIONS, NO_REWARD, NO_TEAMS, NULL_WRITE, OBSERVABLE, SIBLING, UNDECLARED, UNKNOWN_ACTION,
    UNKNOWN_FIELD, UNKNOWN_NODE, UNKNOWN_PLACE, UNKNOWN_TEAM,
};
pub use patch::{PATCH_FORM, PATCH_PATH, PATCH_PLACE, PATCH_SPACE};
pub use yaml::{
    LAYOUT, YAML_ALIAS, YAML_AMBIGUOUS, YAML_DEPTH, YAML_DOCUMENTS, YAML_DUPLICATE_KEY, YAML_KEY, YAML_SIZE,
    YAML_SYNTAX, YAML_TAG,
};

const COUNT: usize =
    expression::ALL.len() + game::ALL.len() + lint::ALL.len() + names::ALL.len() + patch::ALL.len() + yaml::ALL.len();

/// The documentation of every code of this crate.
pub const ALL: &[CodeDoc] = &joined([expression::ALL, game::ALL, lint::ALL, names::ALL, patch::ALL, yaml::ALL]);

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

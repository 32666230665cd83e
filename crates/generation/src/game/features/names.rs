//! The features of games.

macro_rules! features {
    ($($feature:ident = $name:literal),* $(,)?) => {
        /// A feature of games whose value is 0, 1 or a proportion.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[expect(missing_docs, reason = "the reference of features defines each")]
        pub enum Feature { $($feature),* }

        impl Feature {
            /// All features of this type.
            pub const ALL: &'static [Self] = &[$(Self::$feature),*];

            /// Returns the name.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$feature => $name),* }
            }
        }
    };
}

features! {
    VariablesUsedAll = "variables_used_all",
    VariablesUsedProportion = "variables_used_prop",
    PreferencesUsedAll = "preferences_used_all",
    PreferencesUsedProportion = "preferences_used_prop",
    SetupTypesUsed = "setup_quantified_objects_used",
    AnySetupObjectUsed = "any_setup_objects_used",
    PredicatesPlayed = "predicate_found_in_data_prop",
    SmallLogicalsPlayed = "predicate_found_in_data_small_logicals_prop",
    AdjacentOnce = "adjacent_once_found",
    AdjacentSameModal = "adjacent_same_modal_found",
    OnceInMiddle = "once_in_middle_of_pref_found",
    NoHold = "pref_without_hold_found",
    RepeatedArguments = "repeated_variables_found",
    RepeatedTypeInEither = "repeated_variable_type_in_either",
    NestedLogicals = "nested_logicals_found",
    IdenticalLogicalChildren = "identical_logical_children_found",
    IdenticalScoringChildren = "identical_scoring_children_found",
    RedundantCondition = "redundant_expression_found",
    RedundantScore = "redundant_scoring_terminal_expression_found",
    UnnecessaryCondition = "unnecessary_expression_found",
    UnnecessaryScore = "unnecessary_scoring_terminal_expression_found",
    NonPositiveScore = "total_score_non_positive",
    PreferencesUsedIdentically = "scoring_preferences_used_identically",
    IdenticalConsecutiveConditions = "identical_consecutive_seq_func_predicates_found",
    DisjointPreferences = "disjoint_preferences_found",
    DisjointTerminalTypes = "disjoint_preferences_scoring_terminal_types",
    DisjointTerminalPredicates = "disjoint_preferences_scoring_terminal_predicates",
    DisjointSequence = "disjoint_seq_funcs_found",
    DisjointModal = "disjoint_modal_predicates_found",
    DisjointModalProportion = "disjoint_modal_predicates_prop",
    NoVariables = "predicate_without_variables_or_agent",
    ExternalCountCorrect = "pref_forall_count_once_per_external_objects_used_correct",
    ExternalCountIncorrect = "pref_forall_count_once_per_external_objects_used_incorrect",
    ExternalForallCorrect = "pref_forall_external_forall_used_correct",
    ExternalForallIncorrect = "pref_forall_external_forall_used_incorrect",
    ForallUsedCorrect = "pref_forall_used_correct",
    ForallUsedIncorrect = "pref_forall_used_incorrect",
    ForallArityCorrect = "pref_forall_correct_arity_correct",
    ForallArityIncorrect = "pref_forall_correct_arity_incorrect",
    ForallTypesCorrect = "pref_forall_correct_types_correct",
    ForallTypesIncorrect = "pref_forall_correct_types_incorrect",
    TwoNumberOperation = "two_number_operation_found",
    NoSetup = "section_doesnt_exist_setup",
    NoTerminal = "section_doesnt_exist_terminal",
    VariablesDefinedAll = "variables_defined_all",
    VariablesDefinedProportion = "variables_defined_prop",
    StartsAndEndsOnce = "starts_and_ends_once",
    Tautology = "tautologies",
    SamePredicatesOnly = "disjoint_preferences_same_predicates_only",
    SingleArgument = "single_argument_multi_operation",
}

/// The sections of a game, in source order.
pub const SECTIONS: [&str; 4] = ["setup", "constraints", "terminal", "scoring"];

/// The number of bins of a size.
pub const SIZE_BINS: usize = 5;

/// The thresholds between the bins of the maximum depth of each section.
pub(super) const DEPTH_THRESHOLDS: [[u32; SIZE_BINS - 1]; 4] =
    [[0, 11, 13, 18], [15, 17, 19, 21], [0, 5, 7, 11], [3, 9, 11, 15]];

/// The thresholds between the bins of the number of nodes of each section.
pub(super) const NODE_THRESHOLDS: [[u32; SIZE_BINS - 1]; 4] =
    [[0, 20, 50, 100], [60, 90, 120, 250], [0, 4, 9, 22], [4, 21, 35, 80]];

/// The n-gram scores: of the whole game and of each section.
pub const NGRAM_SCORES: [&str; 5] = [
    "ast_ngram_full_n_5_score",
    "ast_ngram_setup_n_5_score",
    "ast_ngram_constraints_n_5_score",
    "ast_ngram_terminal_n_5_score",
    "ast_ngram_scoring_n_5_score",
];

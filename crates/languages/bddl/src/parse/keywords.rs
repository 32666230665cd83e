//! The keywords of the language, which all dialects share.

/// Defines an enumeration of keywords with the words that denote them.
macro_rules! keywords {
    ($($(#[$doc:meta])* $name:ident { $($(#[$of:meta])* $keyword:ident = $word:literal,)+ })+) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum $name {
            $($(#[$of])* $keyword,)+
        }

        impl $name {
            /// The words, in the order of their definition.
            pub(crate) const WORDS: &'static [&'static str] = &[$($word),+];

            /// Returns the keyword that a word in lower case denotes.
            pub(crate) fn from_word(word: &str) -> Option<Self> {
                const KEYWORDS: &[$name] = &[$($name::$keyword),+];
                Self::WORDS.iter().zip(KEYWORDS).find(|(known, _)| **known == word).map(|(_, keyword)| *keyword)
            }
        }
    )+};
}

keywords! {
    /// A section of problems.
    ProblemSection {
        /// The name of the problem.
        Name = "problem",
        /// The name of its domain.
        Domain = ":domain",
        /// The requirements.
        Requirements = ":requirements",
        /// The declarations of instances.
        Objects = ":objects",
        /// The initial conditions.
        Init = ":init",
        /// The goal.
        Goal = ":goal",
    }

    /// A section that only LIBERO's problems have.
    LiberoSection {
        /// The instruction in natural language.
        Language = ":language",
        /// The regions.
        Regions = ":regions",
        /// The declarations of fixtures.
        Fixtures = ":fixtures",
        /// The objects of interest.
        OfInterest = ":obj_of_interest",
        /// The properties of the scene.
        SceneProperties = ":scene_properties",
    }

    /// A form of action models.
    ModelForm {
        /// An action.
        Action = ":action",
        /// A rule for a derived predicate.
        Rule = ":derived",
        /// A rule for static facts, which [`crate::planning`] reads.
        Fact = ":fact",
        /// Names of parts of another model that are left out.
        Without = ":without",
    }

    /// An operator of effects; atoms and their negations have none.
    EffectOperator {
        /// A conjunction of effects.
        And = "and",
        /// A universal effect.
        Forall = "forall",
        /// A conditional effect.
        When = "when",
    }

    /// A section of domains.
    DomainSection {
        /// The name of the domain.
        Name = "domain",
        /// The requirements.
        Requirements = ":requirements",
        /// The declarations of types.
        Types = ":types",
        /// The declarations of predicates.
        Predicates = ":predicates",
        /// An action.
        Action = ":action",
    }

    /// A part of an action.
    ActionPart {
        /// The parameters.
        Parameters = ":parameters",
        /// The precondition.
        Precondition = ":precondition",
        /// The effect.
        Effect = ":effect",
    }

    /// An operator of conditions: a connective or a quantifier.
    Operator {
        /// Conjunction.
        And = "and",
        /// Disjunction.
        Or = "or",
        /// Negation.
        Not = "not",
        /// Implication.
        Imply = "imply",
        /// The universal quantifier.
        Forall = "forall",
        /// The existential quantifier.
        Exists = "exists",
        /// The counting quantifier.
        ForN = "forn",
        /// The pairing quantifier over the smaller side.
        ForPairs = "forpairs",
        /// The pairing quantifier with a number of pairs.
        ForNPairs = "fornpairs",
    }
}

/// The requirements that a domain may have.
pub(crate) const REQUIREMENTS: [&str; 4] = [":strips", ":negative-preconditions", ":typing", ":adl"];

/// The words that may stand in one place of the language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeywordTable {
    /// The place, such as `operators of conditions`.
    pub title: &'static str,
    /// The words, in order.
    pub words: &'static [&'static str],
}

/// The tables of the parser, for references of the language.
pub const TABLES: [KeywordTable; 8] = [
    KeywordTable { title: "sections of a problem", words: ProblemSection::WORDS },
    KeywordTable { title: "sections of LIBERO's problems", words: LiberoSection::WORDS },
    KeywordTable { title: "operators of conditions", words: Operator::WORDS },
    KeywordTable { title: "sections of a domain", words: DomainSection::WORDS },
    KeywordTable { title: "parts of an action", words: ActionPart::WORDS },
    KeywordTable { title: "operators of effects", words: EffectOperator::WORDS },
    KeywordTable { title: "forms of action models", words: ModelForm::WORDS },
    KeywordTable { title: "requirements", words: &REQUIREMENTS },
];

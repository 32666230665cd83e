//! PDDL, the Planning Domain Definition Language: parser, checks, formatter and lowering of domains, problems and plans.
//!
//! ```text
//! domain  --syntax--> tree --parse--> ast::Domain --Model::new--> Model --------+
//! problem --syntax--> tree --parse--> ast::Problem --(with the Model)--lower--> core Task
//! plan    --parse::plan--> ast::Plan --(with the Task)--lower_plan--> core Plan
//! ```
//!
//! The supported language is PDDL 2.1 with durative actions, the derived predicates and timed initial literals of PDDL 2.2, the
//! constraints and preferences of PDDL 3.0, and the action costs of PDDL 3.1. Durative actions and timed initial literals are
//! checked but not lowered to a task. Names are case-insensitive.
//!
//! | module | contents |
//! |---|---|
//! | [`parse`](mod@parse) | parser: s-expression tree to AST with error recovery; plan files |
//! | [`ast`] | AST of domains, problems and plans, with unresolved names and spans |
//! | [`types`], [`vocabulary`] | the types, predicates, functions and objects of a domain |
//! | [`domain`] | [`ResolvedDomain`]: a domain with typed names |
//! | `resolve` | name resolution and type checks of conditions, expressions and effects |
//! | [`trajectory`] | constraints and preferences as patterns over state sequences |
//! | `stratify` | stratification of derived predicates |
//! | [`lower`](mod@lower) | lowering of problems and plans to the core |
//! | [`goal`] | standalone goals, given in addition to a problem |
//! | [`requirements`] | checks of `(:requirements ..)` |
//! | [`check`](mod@check) | all checks of a domain, and of a problem with its domain |
//! | [`describe`] | descriptions in English |
//! | [`mod@format`] | formatter; comments are preserved |
//! | [`lint`] | lints: valid code that is probably a mistake |
//! | [`mod@write`] | export of tasks as PDDL for other planners |
//! | `walk` | AST visitors |
//! | [`occurrences`] | occurrences of names, for editors |
//! | [`codes`] | diagnostic codes |

pub mod ast;
pub mod check;
pub mod codes;
pub mod describe;
pub mod domain;
pub mod format;
pub mod goal;
pub mod lint;
pub mod lower;
pub mod occurrences;
pub mod parse;
pub mod requirements;
mod resolve;
mod stratify;
pub mod trajectory;
pub mod types;
pub mod vocabulary;
mod walk;
pub mod write;

pub use domain::ResolvedDomain;
pub use goal::lower_goal;
pub use lower::{lower, lower_plan, lower_plan_steps};
pub use parse::parse;
pub use write::write;

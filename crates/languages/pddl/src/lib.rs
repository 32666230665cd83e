//! PDDL, the planning domain definition language: actions, what a problem begins with, and what is to be reached.
//!
//! ```text
//! domain  --syntax--> tree --parse--> ast::Domain --Model::new--> Model --------+
//! problem --syntax--> tree --parse--> ast::Problem --(with the Model)--lower--> core Task
//! plan    --parse::plan--> ast::Plan --(with the Task)--lower_plan--> core Plan
//! ```
//!
//! Read are PDDL 2.1 with durative actions, derived predicates and timed initial literals of 2.2, constraints and preferences of
//! 3.0, action costs of 3.1. Durative actions and timed initial literals are checked but have no task. Capitals make no difference.
//!
//! | module | what lives there |
//! |---|---|
//! | [`parse`](mod@parse) | s-expression tree to AST, reporting every defect; plan files |
//! | [`ast`] | domains, problems and plans as written: names are still names, every piece has its span |
//! | [`types`], [`vocabulary`] | what the names of a domain stand for |
//! | [`domain`] | [`Model`]: a domain with its names looked up |
//! | `resolve` | conditions, expressions and effects with their names looked up |
//! | [`trajectory`] | constraints and preferences as patterns over runs of states |
//! | `stratify` | whether rules have a meaning |
//! | [`lower`](mod@lower) | problems and plans in terms of the core |
//! | [`goal`] | goals that stand by themselves, beside a problem |
//! | [`requirements`] | what `(:requirements ..)` should say |
//! | [`check`](mod@check) | all checks of a domain, and of a problem with its domain |
//! | [`describe`] | plain English |
//! | [`mod@format`] | canonical layout, comments kept |
//! | [`lint`] | what is allowed but probably not meant |
//! | [`mod@write`] | tasks as PDDL texts, for other planners |
//! | `walk` | visits to everything that stands in conditions and effects |
//! | [`codes`] | every diagnostic code, documented |

pub mod ast;
pub mod check;
pub mod codes;
pub mod describe;
pub mod domain;
pub mod format;
pub mod goal;
pub mod lint;
pub mod lower;
pub mod parse;
pub mod requirements;
mod resolve;
mod stratify;
pub mod trajectory;
pub mod types;
pub mod vocabulary;
mod walk;
pub mod write;

pub use domain::Model;
pub use goal::lower_goal;
pub use lower::{lower, lower_plan};
pub use parse::parse;
pub use write::write;

//! The reward function of a reply.

use ruff_python_ast::visitor::{self, Visitor};
use ruff_python_ast::{Expr, Stmt, StmtFunctionDef};

use super::source;
use super::units::{Unit, UnitKind};
use crate::candidate::Stage;
use crate::codes;
use crate::finding::{Finding, Weight};

/// The usual names of reward functions, the preferred one first.
pub(super) const USUAL_NAMES: [&str; 2] = ["reward_function", "compute_reward"];

/// Returns the name of the reward function: a usual one, or that of the only function with one parameter that returns a number. Of several
/// such functions, those that others use are helpers.
pub(super) fn find(units: &[Unit]) -> Result<String, Box<Finding>> {
    let binds = |name: &&&str| units.iter().any(|unit| unit.binds.iter().any(|bound| bound == **name));
    if let Some(name) = USUAL_NAMES.iter().find(binds) {
        return Ok((*name).to_owned());
    }
    let functions = || units.iter().filter(|unit| unit.kind == UnitKind::Function);
    let fitting: Vec<&Unit> = functions().filter(|unit| returns_number_of_one_parameter(&unit.text)).collect();
    let is_helper = |unit: &&Unit| {
        let others = units.iter().filter(|other| other.name() != unit.name());
        others.into_iter().any(|other| other.uses.iter().any(|name| name == unit.name()))
    };
    let candidates: Vec<&Unit> =
        if fitting.len() > 1 { fitting.iter().copied().filter(|unit| !is_helper(unit)).collect() } else { fitting };
    let finding = |message: String| {
        let help = format!("name the reward function `{}`, with the list of objects as its parameter", USUAL_NAMES[0]);
        Box::new(Finding::new(Stage::Extracted, codes::NO_ENTRY.0, Weight::Error, message).with_help(help))
    };
    match candidates.as_slice() {
        [one] => Ok(one.name().to_owned()),
        [] => Err(finding(format!("the reply defines no function `{}`", USUAL_NAMES[0]))),
        several => {
            let names: Vec<String> = several.iter().map(|unit| format!("`{}`", unit.name())).collect();
            Err(finding(format!("several functions may be the reward function: {}", names.join(", "))))
        }
    }
}

/// Whether the text of a function has one required parameter and returns only numbers, as far as its text shows.
fn returns_number_of_one_parameter(text: &str) -> bool {
    let parsed = goalspec_reward::parse::parse(&source(text));
    let Some(function) = parsed.module.body.iter().find_map(Stmt::as_function_def_stmt) else { return false };
    let parameters = &function.parameters;
    let required = parameters.posonlyargs.iter().chain(&parameters.args).filter(|one| one.default.is_none()).count();
    if required != 1 || parameters.kwonlyargs.iter().any(|one| one.default.is_none()) {
        return false;
    }
    if let Some(annotation) = &function.returns {
        return annotation.as_name_expr().is_some_and(|name| matches!(name.id.as_str(), "float" | "int"));
    }
    let returns = Returns::of(function);
    returns.count > 0 && !returns.has_other
}

/// The return statements of a function.
struct Returns {
    count: usize,
    /// Whether one of them certainly returns no number.
    has_other: bool,
}

impl Returns {
    fn of(function: &StmtFunctionDef) -> Self {
        let mut returns = Self { count: 0, has_other: false };
        returns.visit_body(&function.body);
        returns
    }
}

impl<'a> Visitor<'a> for Returns {
    fn visit_stmt(&mut self, statement: &'a Stmt) {
        match statement {
            Stmt::FunctionDef(_) | Stmt::ClassDef(_) => {}
            Stmt::Return(returned) => {
                self.count += 1;
                self.has_other |= returned.value.as_deref().is_none_or(is_no_number);
            }
            _ => visitor::walk_stmt(self, statement),
        }
    }
}

/// Whether an expression certainly has a value other than a number. Truth values are not rewards.
fn is_no_number(expression: &Expr) -> bool {
    match expression {
        Expr::Compare(_)
        | Expr::BoolOp(_)
        | Expr::BooleanLiteral(_)
        | Expr::StringLiteral(_)
        | Expr::FString(_)
        | Expr::NoneLiteral(_)
        | Expr::List(_)
        | Expr::ListComp(_)
        | Expr::Dict(_)
        | Expr::DictComp(_)
        | Expr::Set(_)
        | Expr::SetComp(_)
        | Expr::Generator(_)
        | Expr::Lambda(_) => true,
        Expr::UnaryOp(operation) => operation.op == ruff_python_ast::UnaryOp::Not,
        _ => false,
    }
}

//! Lowering of the setup.

use goalspec_core::ids::VarId;
use goalspec_core::program::{ScopedSetup, Setup};

use super::Resolver;
use super::scope::VariableScope;
use crate::ast::{self, TypedVariables};

impl Resolver<'_> {
    pub(super) fn setup(&mut self, setup: &mut ast::SetupStatement) -> Option<ScopedSetup> {
        let mut names = VariableScope::default();
        let setup = self.setup_statement(&mut names, setup)?;
        Some(ScopedSetup { scope: names.scope, setup })
    }

    fn setup_statement(&mut self, names: &mut VariableScope, setup: &mut ast::SetupStatement) -> Option<Setup> {
        Some(match setup {
            ast::SetupStatement::And(parts, _) => Setup::And(self.setup_statements(names, parts)?),
            ast::SetupStatement::Or(parts, _) => Setup::Or(self.setup_statements(names, parts)?),
            ast::SetupStatement::Not(part, _) => Setup::Not(Box::new(self.setup_statement(names, part)?)),
            ast::SetupStatement::Exists(variables, body, _) => {
                let (variables, body) = self.quantified_setup(names, variables, body)?;
                Setup::Exists(variables, Box::new(body))
            }
            ast::SetupStatement::Forall(variables, body, _) => {
                let (variables, body) = self.quantified_setup(names, variables, body)?;
                Setup::Forall(variables, Box::new(body))
            }
            ast::SetupStatement::Conserved(condition, span) => {
                Setup::Conserved(self.condition(names, condition)?, (*span).into())
            }
            ast::SetupStatement::Optional(condition, span) => {
                Setup::Optional(self.condition(names, condition)?, (*span).into())
            }
            ast::SetupStatement::Error(node) => {
                self.setup_statements(names, self.parts(node));
                return None;
            }
        })
    }

    fn quantified_setup(
        &mut self,
        names: &mut VariableScope,
        variables: &mut [TypedVariables],
        body: &mut ast::SetupStatement,
    ) -> Option<(Vec<VarId>, Setup)> {
        let mark = names.mark();
        let variables = self.declare(names, variables);
        let body = self.setup_statement(names, body);
        names.end_scope(mark);
        Some((variables, body?))
    }

    fn setup_statements(&mut self, names: &mut VariableScope, parts: &mut [ast::SetupStatement]) -> Option<Vec<Setup>> {
        let parts: Vec<_> = parts.iter_mut().map(|part| self.setup_statement(names, part)).collect();
        parts.into_iter().collect()
    }
}

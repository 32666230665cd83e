//! Lowering of the setup.

use goalspec_core::program::{ScopedSetup, Setup};

use super::Resolver;
use super::scope::VariableScope;
use crate::ast;

impl Resolver<'_> {
    pub(super) fn setup(&mut self, setup: &ast::SetupStatement) -> Option<ScopedSetup> {
        let mut names = VariableScope::default();
        let setup = self.setup_statement(&mut names, setup)?;
        Some(ScopedSetup { scope: names.scope, setup })
    }

    fn setup_statement(&mut self, names: &mut VariableScope, setup: &ast::SetupStatement) -> Option<Setup> {
        Some(match setup {
            ast::SetupStatement::And(parts, _) => Setup::And(self.setup_statements(names, parts)?),
            ast::SetupStatement::Or(parts, _) => Setup::Or(self.setup_statements(names, parts)?),
            ast::SetupStatement::Not(part, _) => Setup::Not(Box::new(self.setup_statement(names, part)?)),
            ast::SetupStatement::Exists(variables, body, _) | ast::SetupStatement::Forall(variables, body, _) => {
                let mark = names.mark();
                let variables = self.declare(names, variables);
                let body = self.setup_statement(names, body);
                names.end_scope(mark);
                let body = Box::new(body?);
                match setup {
                    ast::SetupStatement::Exists(..) => Setup::Exists(variables, body),
                    _ => Setup::Forall(variables, body),
                }
            }
            ast::SetupStatement::Conserved(condition, origin) => {
                Setup::Conserved(self.condition(names, condition)?, *origin)
            }
            ast::SetupStatement::Optional(condition, origin) => {
                Setup::Optional(self.condition(names, condition)?, *origin)
            }
        })
    }

    fn setup_statements(&mut self, names: &mut VariableScope, parts: &[ast::SetupStatement]) -> Option<Vec<Setup>> {
        let parts: Vec<_> = parts.iter().map(|part| self.setup_statement(names, part)).collect();
        parts.into_iter().collect()
    }
}

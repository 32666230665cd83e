//! Lowering of the setup.

use goalspec_core::program::{Setup, SetupProgram};

use super::Resolver;
use super::scope::Names;
use crate::ast;

impl Resolver<'_> {
    pub(super) fn setup(&mut self, setup: &ast::Setup) -> Option<SetupProgram> {
        let mut names = Names::default();
        let setup = self.setup_statement(&mut names, setup)?;
        Some(SetupProgram { scope: names.scope, setup })
    }

    fn setup_statement(&mut self, names: &mut Names, setup: &ast::Setup) -> Option<Setup> {
        Some(match setup {
            ast::Setup::And(parts, _) => Setup::And(self.setup_statements(names, parts)?),
            ast::Setup::Or(parts, _) => Setup::Or(self.setup_statements(names, parts)?),
            ast::Setup::Not(part, _) => Setup::Not(Box::new(self.setup_statement(names, part)?)),
            ast::Setup::Exists(variables, body, _) | ast::Setup::Forall(variables, body, _) => {
                let mark = names.mark();
                let variables = self.declare(names, variables);
                let body = self.setup_statement(names, body);
                names.leave(mark);
                let body = Box::new(body?);
                match setup {
                    ast::Setup::Exists(..) => Setup::Exists(variables, body),
                    _ => Setup::Forall(variables, body),
                }
            }
            ast::Setup::Conserved(condition, origin) => Setup::Conserved(self.condition(names, condition)?, *origin),
            ast::Setup::Optional(condition, origin) => Setup::Optional(self.condition(names, condition)?, *origin),
        })
    }

    fn setup_statements(&mut self, names: &mut Names, parts: &[ast::Setup]) -> Option<Vec<Setup>> {
        let parts: Vec<_> = parts.iter().map(|part| self.setup_statement(names, part)).collect();
        parts.into_iter().collect()
    }
}

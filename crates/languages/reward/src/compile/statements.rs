//! Statements.

use goalspec_python_runtime::code::{BranchKind, CodeKind, Constant, Instruction, SiteKind};
use ruff_python_ast::{Expr, Stmt, StmtAnnAssign, StmtFor, StmtIf, StmtImport, StmtImportFrom, StmtReturn, StmtWhile};

use ruff_text_size::Ranged;

use super::{Block, Cleanup, Compiler};
use crate::imports::MissingModule;

impl<'c> Compiler<'c> {
    pub(super) fn statement(&mut self, statement: &'c Stmt) {
        self.set_source_range(statement);
        match statement {
            Stmt::Expr(expression)
                // A string statement, such as a docstring, has no effect.
                if !matches!(&*expression.value, Expr::StringLiteral(_)) => {
                    self.expression(&expression.value);
                    self.emit(Instruction::Pop);
                }
            Stmt::Assign(assign) => {
                self.expression(&assign.value);
                for (place, target) in assign.targets.iter().enumerate() {
                    if place + 1 < assign.targets.len() {
                        self.emit(Instruction::Copy);
                    }
                    self.assign_value(target, statement);
                }
            }
            Stmt::AugAssign(assign) => self.assign_in_place(assign),
            Stmt::AnnAssign(assign) => {
                if let Some(value) = &assign.value {
                    self.expression(value);
                    self.assign_value(&assign.target, statement);
                }
                self.annotate(assign);
            }
            Stmt::Delete(delete) => delete.targets.iter().for_each(|target| self.delete_target(target)),
            Stmt::If(branch) => self.if_statement(branch),
            Stmt::While(repeat) => self.while_loop(repeat),
            Stmt::For(each) => self.for_loop(each),
            Stmt::Return(value) => self.return_statement(value),
            Stmt::Break(_) => self.break_or_continue(true),
            Stmt::Continue(_) => self.break_or_continue(false),
            Stmt::Raise(raise) => self.raise(raise),
            Stmt::Assert(assert) => self.assert(assert),
            Stmt::Try(statement) => self.try_statement(statement),
            Stmt::With(statement) => self.with_statement(statement),
            Stmt::Match(statement) => self.match_statement(statement),
            Stmt::FunctionDef(function) => self.function(function),
            Stmt::ClassDef(class) => self.class(class),
            Stmt::Import(import) => self.import(import),
            Stmt::ImportFrom(import) => self.import_from(import),
            // The other statements have no effect, or were rejected earlier.
            _ => {}
        }
    }

    /// Records the annotated names of a class body, which become fields of data classes, except those annotated with `ClassVar`.
    fn annotate(&mut self, assign: &StmtAnnAssign) {
        let Expr::Name(target) = &*assign.target else { return };
        let of = match &*assign.annotation {
            Expr::Subscript(item) => &item.value,
            _ => &assign.annotation,
        };
        let name = match &**of {
            Expr::Name(name) => name.id.as_str(),
            Expr::Attribute(attribute) => attribute.attr.as_str(),
            // A string annotation is equivalent.
            Expr::StringLiteral(text) => {
                let text = text.value.to_str();
                let text = text.strip_prefix("typing.").unwrap_or(text);
                text.split('[').next().unwrap_or(text).trim()
            }
            _ => "",
        };
        if self.builder().code.kind == CodeKind::Class && name != "ClassVar" {
            let symbol = self.symbol(&target.id);
            self.emit(Instruction::Annotate(symbol));
        }
    }

    fn if_statement(&mut self, branch: &'c StmtIf) {
        let mut exit_jumps = Vec::new();
        self.expression(&branch.test);
        let condition = SiteKind::Branch(BranchKind::If);
        let mut otherwise = Some(self.emit_site(Instruction::JumpIfFalse(0), condition, &*branch.test));
        self.body(&branch.body);
        for clause in &branch.elif_else_clauses {
            exit_jumps.push(self.emit(Instruction::Jump(0)));
            if let Some(jump) = otherwise.take() {
                self.patch_jump(jump);
            }
            if let Some(test) = &clause.test {
                self.set_source_range(clause);
                self.expression(test);
                otherwise = Some(self.emit_site(Instruction::JumpIfFalse(0), condition, test));
            }
            self.body(&clause.body);
        }
        otherwise.into_iter().chain(exit_jumps).for_each(|jump| self.patch_jump(jump));
    }

    fn while_loop(&mut self, repeat: &'c StmtWhile) {
        let start = self.next_index();
        self.expression(&repeat.test);
        let condition = SiteKind::Branch(BranchKind::While);
        let exit_jump = self.emit_site(Instruction::JumpIfFalse(0), condition, &*repeat.test);
        self.builder().blocks.push(Block::Loop { start, breaks: Vec::new(), has_iterator: false });
        self.body(&repeat.body);
        self.emit(Instruction::Jump(start));
        self.end_loop(exit_jump, &repeat.orelse);
    }

    fn for_loop(&mut self, each: &'c StmtFor) {
        self.iterable(&each.iter);
        self.set_source_range(each);
        self.emit(Instruction::Iterate);
        let start = self.next_index();
        self.set_source_range(each);
        let exit_jump = self.emit(Instruction::Next(0));
        self.builder().blocks.push(Block::Loop { start, breaks: Vec::new(), has_iterator: true });
        self.builder().stack_depth += 1;
        self.assign(&each.target);
        self.body(&each.body);
        self.builder().stack_depth -= 1;
        self.emit(Instruction::Jump(start));
        self.end_loop(exit_jump, &each.orelse);
    }

    /// Ends a loop; `else` runs if the loop ended without `break`.
    fn end_loop(&mut self, exit_jump: usize, otherwise: &'c [Stmt]) {
        let Some(Block::Loop { breaks, .. }) = self.builder().blocks.pop() else {
            unreachable!("blocks end in the order in which they began, the last one first")
        };
        self.patch_jump(exit_jump);
        self.body(otherwise);
        for jump in breaks {
            self.patch_jump(jump);
        }
    }

    fn break_or_continue(&mut self, breaks_it: bool) {
        let Some(place) = self.builder().blocks.iter().rposition(|block| matches!(block, Block::Loop { .. })) else {
            return;
        };
        self.unwind(place + 1);
        let contexts = self.builder().blocks[place..]
            .iter()
            .filter(|block| matches!(block, Block::Try { on_leaving: Some(Cleanup::Context { .. }), .. }));
        for _ in 0..contexts.count() {
            self.emit(Instruction::Pop);
        }
        let Block::Loop { start, has_iterator: iterates, .. } = self.builder().blocks[place] else { return };
        if !breaks_it {
            self.emit(Instruction::Jump(start));
            return;
        }
        if iterates {
            self.emit(Instruction::Pop);
        }
        let jump = self.emit(Instruction::Jump(0));
        if let Block::Loop { breaks, .. } = &mut self.builder().blocks[place] {
            breaks.push(jump);
        }
    }

    fn return_statement(&mut self, statement: &'c StmtReturn) {
        match &statement.value {
            Some(value) => self.expression(value),
            None => self.constant(Constant::None),
        }
        self.builder().stack_depth += 1;
        self.unwind(0);
        self.builder().stack_depth -= 1;
        self.set_source_range(statement);
        self.emit_site(Instruction::Return, SiteKind::Return, statement);
    }

    fn import(&mut self, import: &'c StmtImport) {
        for alias in &import.names {
            if self.missing_modules.get(&alias.start()) == Some(&MissingModule::Unused) {
                continue;
            }
            // Without `as`, `import a.b` binds `a`.
            let whole = alias.name.as_str();
            let first = whole.split('.').next().unwrap_or_default();
            let module = self.symbol(if alias.asname.is_some() { whole } else { first });
            self.emit(Instruction::Import(module));
            match &alias.asname {
                Some(name) => self.store(&name.id),
                None => self.store(&first.into()),
            }
        }
    }

    fn import_from(&mut self, import: &'c StmtImportFrom) {
        if self.missing_modules.get(&import.start()) == Some(&MissingModule::Unused) {
            return;
        }
        let module = self.symbol(import.module.as_deref().unwrap_or_default());
        self.emit(Instruction::Import(module));
        for alias in &import.names {
            if alias.name.as_str() == "*" {
                self.emit(Instruction::ImportAll);
                return;
            }
            let name = self.symbol(&alias.name);
            self.emit(Instruction::ImportFrom(name));
            self.store(&alias.asname.as_ref().unwrap_or(&alias.name).id);
        }
        self.emit(Instruction::Pop);
    }
}

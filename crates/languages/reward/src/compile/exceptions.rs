//! `try`, `raise` and `assert`, and the code that runs on leaving a block.

use goalspec_python_runtime::code::{BranchKind, Constant, Handler, Instruction, SiteKind};
use ruff_python_ast::name::Name;
use ruff_python_ast::{ExceptHandler, Stmt, StmtAssert, StmtRaise, StmtTry};

use super::{Block, Cleanup, Compiler};

impl<'c> Compiler<'c> {
    pub(super) fn raise(&mut self, raise: &'c StmtRaise) {
        let parts = [raise.exc.as_deref(), raise.cause.as_deref()];
        parts.iter().flatten().for_each(|part| self.expression(part));
        self.set_source_range(raise);
        self.emit(Instruction::Raise(parts.iter().flatten().count() as u32));
    }

    pub(super) fn assert(&mut self, assert: &'c StmtAssert) {
        self.expression(&assert.test);
        let holds = self.emit_site(Instruction::JumpIfTrue(0), SiteKind::Branch(BranchKind::Assert), &*assert.test);
        self.emit(Instruction::AssertionError);
        if let Some(message) = &assert.msg {
            self.expression(message);
            self.emit(Instruction::Call(1));
        }
        self.set_source_range(assert);
        self.emit(Instruction::Raise(1));
        self.patch_jump(holds);
    }

    pub(super) fn try_statement(&mut self, statement: &'c StmtTry) {
        if statement.finalbody.is_empty() {
            return self.try_except(statement);
        }
        let start = self.next_index();
        self.builder()
            .blocks
            .push(Block::Try { on_leaving: Some(Cleanup::Finally(&statement.finalbody)), gaps: Vec::new() });
        self.try_except(statement);
        let gaps = self.end_try();
        let end = self.next_index();
        self.body(&statement.finalbody);
        let exit_jump = self.emit(Instruction::Jump(0));
        self.add_handler(start, end, &gaps);
        self.handler_body(None, |compiler| compiler.body(&statement.finalbody));
        self.emit(Instruction::LoadHandled);
        self.emit(Instruction::Reraise);
        self.patch_jump(exit_jump);
    }

    /// Compiles the part of the statement before `finally`.
    fn try_except(&mut self, statement: &'c StmtTry) {
        if statement.handlers.is_empty() {
            return self.body(&statement.body);
        }
        let start = self.next_index();
        self.builder().blocks.push(Block::Try { on_leaving: None, gaps: Vec::new() });
        self.body(&statement.body);
        let gaps = self.end_try();
        let end = self.next_index();
        self.body(&statement.orelse);
        let mut exit_jumps = vec![self.emit(Instruction::Jump(0))];
        self.add_handler(start, end, &gaps);
        for ExceptHandler::ExceptHandler(except) in &statement.handlers {
            self.set_source_range(except);
            let mut not_this_one = None;
            if let Some(class) = &except.type_ {
                self.emit(Instruction::LoadHandled);
                self.expression(class);
                self.emit(Instruction::MatchException);
                not_this_one = Some(self.emit(Instruction::JumpIfFalse(0)));
            }
            let name = except.name.as_ref().map(|name| &name.id);
            if let Some(name) = name {
                self.emit(Instruction::LoadHandled);
                self.store(name);
            }
            self.handler_body(name, |compiler| compiler.body(&except.body));
            self.emit(Instruction::PopHandled);
            exit_jumps.push(self.emit(Instruction::Jump(0)));
            if let Some(not_this_one) = not_this_one {
                self.patch_jump(not_this_one);
            }
        }
        self.emit(Instruction::LoadHandled);
        self.emit(Instruction::Reraise);
        for jump in exit_jumps {
            self.patch_jump(jump);
        }
    }

    /// Compiles the body of an exception handler; however it ends, the name of the exception is unbound afterwards.
    fn handler_body(&mut self, name: Option<&'c Name>, body: impl FnOnce(&mut Self)) {
        let start = self.next_index();
        self.builder().handler_depth += 1;
        self.builder().blocks.push(Block::Handler(name));
        // A jump out of the handler unbinds the name itself.
        self.builder().blocks.push(Block::Try { on_leaving: None, gaps: Vec::new() });
        body(self);
        let gaps = self.end_try();
        self.builder().blocks.pop();
        let end = self.next_index();
        if let Some(name) = name {
            self.unbind_name(name);
            let exit_jump = self.emit(Instruction::Jump(0));
            let ranges = covered_ranges(start, end, &gaps);
            let unit = self.builder();
            let (target, depth, handling) = (unit.code.instructions.len() as u32, unit.stack_depth, unit.handler_depth);
            let handlers = ranges.map(|(start, end)| Handler { start, end, target, depth, handled_count: handling });
            unit.code.handlers.extend(handlers);
            self.unbind_name(name);
            self.emit(Instruction::Reraise);
            self.patch_jump(exit_jump);
        }
        self.builder().handler_depth -= 1;
    }

    fn unbind_name(&mut self, name: &Name) {
        self.constant(Constant::None);
        self.store(name);
        self.delete(name);
    }

    pub(super) fn end_try(&mut self) -> Vec<(u32, u32)> {
        match self.builder().blocks.pop() {
            Some(Block::Try { gaps, .. }) => gaps,
            _ => unreachable!("blocks end in the order in which they began, the last one first"),
        }
    }

    /// Adds a handler at the next instruction for exceptions of a range of instructions.
    pub(super) fn add_handler(&mut self, start: u32, end: u32, gaps: &[(u32, u32)]) {
        let unit = self.builder();
        let (target, depth, handling) = (unit.code.instructions.len() as u32, unit.stack_depth, unit.handler_depth);
        let handlers = covered_ranges(start, end, gaps).map(|(start, end)| Handler {
            start,
            end,
            target,
            depth,
            handled_count: handling,
        });
        unit.code.handlers.extend(handlers);
        self.emit(Instruction::PushHandled);
    }

    /// Emits the code that runs on leaving the blocks from index `from` on.
    pub(super) fn unwind(&mut self, from: usize) {
        for place in (from..self.builder().blocks.len()).rev() {
            let mut left = self.builder().blocks.split_off(place);
            let start = self.next_index();
            match left[0] {
                Block::Try { on_leaving: Some(Cleanup::Finally(body)), .. } => self.body(body),
                Block::Try { on_leaving: Some(Cleanup::Context { depth, item }), .. } => {
                    self.set_source_range(&item.context_expr);
                    let above = self.builder().stack_depth - depth - 1;
                    self.emit(Instruction::CopyBelow(above));
                    self.emit(Instruction::LeaveContext);
                }
                Block::Handler(name) => {
                    if let Some(name) = name {
                        self.unbind_name(name);
                    }
                    self.emit(Instruction::PopHandled);
                }
                Block::Try { on_leaving: None, .. } | Block::Loop { .. } => {}
            }
            let end = self.next_index();
            for block in &mut left {
                if let Block::Try { gaps, .. } = block {
                    gaps.push((start, end));
                }
            }
            self.builder().blocks.extend(left);
        }
    }

    /// Compiles statements unless the program has become too large.
    pub(super) fn body(&mut self, statements: &'c [Stmt]) {
        for statement in statements {
            if self.instruction_count <= crate::limits::MAX_INSTRUCTIONS {
                self.statement(statement);
            }
        }
    }
}

/// Returns the parts of a range between its gaps, which are sorted.
fn covered_ranges(start: u32, end: u32, gaps: &[(u32, u32)]) -> impl Iterator<Item = (u32, u32)> {
    let starts = std::iter::once(start).chain(gaps.iter().map(|gap| gap.1));
    let ends = gaps.iter().map(|gap| gap.0).chain([end]);
    starts.zip(ends).filter(|(start, end)| start < end).collect::<Vec<_>>().into_iter()
}

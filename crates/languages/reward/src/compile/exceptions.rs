//! `try`, `raise` and `assert`, and the code that runs on leaving a block.

use ruff_python_ast::name::Name;
use ruff_python_ast::{ExceptHandler, Stmt, StmtAssert, StmtRaise, StmtTry};

use super::{Block, Compiler};
use crate::code::{BranchKind, Constant, Handler, Instruction, SiteKind};

impl<'c> Compiler<'c> {
    pub(super) fn raise(&mut self, raise: &'c StmtRaise) {
        let parts = [raise.exc.as_deref(), raise.cause.as_deref()];
        parts.iter().flatten().for_each(|part| self.expression(part));
        self.at(raise);
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
        self.at(assert);
        self.emit(Instruction::Raise(1));
        self.land(holds);
    }

    pub(super) fn try_statement(&mut self, statement: &'c StmtTry) {
        if statement.finalbody.is_empty() {
            return self.guarded(statement);
        }
        let start = self.here();
        self.unit().blocks.push(Block::Try { finally: Some(&statement.finalbody), gaps: Vec::new() });
        self.guarded(statement);
        let gaps = self.try_ends();
        let end = self.here();
        self.body(&statement.finalbody);
        let over = self.emit(Instruction::Jump(0));
        self.handler(start, end, &gaps);
        self.handling(None, |compiler| compiler.body(&statement.finalbody));
        self.emit(Instruction::LoadHandled);
        self.emit(Instruction::Reraise);
        self.land(over);
    }

    /// Compiles the part of the statement before `finally`.
    fn guarded(&mut self, statement: &'c StmtTry) {
        if statement.handlers.is_empty() {
            return self.body(&statement.body);
        }
        let start = self.here();
        self.unit().blocks.push(Block::Try { finally: None, gaps: Vec::new() });
        self.body(&statement.body);
        let gaps = self.try_ends();
        let end = self.here();
        self.body(&statement.orelse);
        let mut over = vec![self.emit(Instruction::Jump(0))];
        self.handler(start, end, &gaps);
        for ExceptHandler::ExceptHandler(except) in &statement.handlers {
            self.at(except);
            let mut not_this_one = None;
            if let Some(class) = &except.type_ {
                self.emit(Instruction::LoadHandled);
                self.expression(class);
                self.emit(Instruction::Matches);
                not_this_one = Some(self.emit(Instruction::JumpIfFalse(0)));
            }
            let name = except.name.as_ref().map(|name| &name.id);
            if let Some(name) = name {
                self.emit(Instruction::LoadHandled);
                self.store(name);
            }
            self.handling(name, |compiler| compiler.body(&except.body));
            self.emit(Instruction::Handled);
            over.push(self.emit(Instruction::Jump(0)));
            if let Some(not_this_one) = not_this_one {
                self.land(not_this_one);
            }
        }
        self.emit(Instruction::LoadHandled);
        self.emit(Instruction::Reraise);
        for jump in over {
            self.land(jump);
        }
    }

    /// Compiles the body of an exception handler; however it ends, the name of the exception is unbound afterwards.
    fn handling(&mut self, name: Option<&'c Name>, body: impl FnOnce(&mut Self)) {
        let start = self.here();
        self.unit().handling += 1;
        self.unit().blocks.push(Block::Handling(name));
        // A jump out of the handler unbinds the name itself.
        self.unit().blocks.push(Block::Try { finally: None, gaps: Vec::new() });
        body(self);
        let gaps = self.try_ends();
        self.unit().blocks.pop();
        let end = self.here();
        if let Some(name) = name {
            self.forget(name);
            let over = self.emit(Instruction::Jump(0));
            let ranges = pieces(start, end, &gaps);
            let unit = self.unit();
            let (target, depth, handling) = (unit.code.instructions.len() as u32, unit.depth, unit.handling);
            let handlers = ranges.map(|(start, end)| Handler { start, end, target, depth, handling });
            unit.code.handlers.extend(handlers);
            self.forget(name);
            self.emit(Instruction::Reraise);
            self.land(over);
        }
        self.unit().handling -= 1;
    }

    fn forget(&mut self, name: &Name) {
        self.constant(Constant::None);
        self.store(name);
        self.delete(name);
    }

    fn try_ends(&mut self) -> Vec<(u32, u32)> {
        match self.unit().blocks.pop() {
            Some(Block::Try { gaps, .. }) => gaps,
            _ => unreachable!("blocks end in the order in which they began, the last one first"),
        }
    }

    /// Adds a handler at the next instruction for exceptions of a range of instructions.
    fn handler(&mut self, start: u32, end: u32, gaps: &[(u32, u32)]) {
        let unit = self.unit();
        let (target, depth, handling) = (unit.code.instructions.len() as u32, unit.depth, unit.handling);
        let handlers = pieces(start, end, gaps).map(|(start, end)| Handler { start, end, target, depth, handling });
        unit.code.handlers.extend(handlers);
        self.emit(Instruction::Handle);
    }

    /// Emits the code that runs on leaving the blocks from index `from` on.
    pub(super) fn unwind(&mut self, from: usize) {
        for place in (from..self.unit().blocks.len()).rev() {
            let mut left = self.unit().blocks.split_off(place);
            let start = self.here();
            match left[0] {
                Block::Try { finally: Some(body), .. } => self.body(body),
                Block::Handling(name) => {
                    if let Some(name) = name {
                        self.forget(name);
                    }
                    self.emit(Instruction::Handled);
                }
                Block::Try { finally: None, .. } | Block::Loop { .. } => {}
            }
            let end = self.here();
            for block in &mut left {
                if let Block::Try { gaps, .. } = block {
                    gaps.push((start, end));
                }
            }
            self.unit().blocks.extend(left);
        }
    }

    /// Compiles statements unless the program has become too large.
    pub(super) fn body(&mut self, statements: &'c [Stmt]) {
        for statement in statements {
            if self.emitted <= crate::limits::MAX_INSTRUCTIONS {
                self.statement(statement);
            }
        }
    }
}

/// Returns the parts of a range between its gaps, which are sorted.
fn pieces(start: u32, end: u32, gaps: &[(u32, u32)]) -> impl Iterator<Item = (u32, u32)> {
    let starts = std::iter::once(start).chain(gaps.iter().map(|gap| gap.1));
    let ends = gaps.iter().map(|gap| gap.0).chain([end]);
    starts.zip(ends).filter(|(start, end)| start < end).collect::<Vec<_>>().into_iter()
}

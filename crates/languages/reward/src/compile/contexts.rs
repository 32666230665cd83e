//! `with` statements.

use goalspec_python_runtime::code::Instruction;
use ruff_python_ast::{StmtWith, WithItem};

use super::{Block, Cleanup, Compiler};

/// An entered context manager.
struct OpenContext<'c> {
    item: &'c WithItem,
    /// The first instruction of the code within the context.
    start: u32,
}

impl<'c> Compiler<'c> {
    pub(super) fn with_statement(&mut self, statement: &'c StmtWith) {
        let mut open = Vec::with_capacity(statement.items.len());
        for item in &statement.items {
            open.push(self.enter_context(item));
        }
        self.body(&statement.body);
        while let Some(context) = open.pop() {
            self.leave_context(&context);
        }
    }

    fn enter_context(&mut self, item: &'c WithItem) -> OpenContext<'c> {
        self.expression(&item.context_expr);
        self.set_source_range(&item.context_expr);
        self.emit(Instruction::EnterContext);
        let depth = self.builder().stack_depth;
        self.builder().stack_depth += 1;
        let start = self.next_index();
        let on_leaving = Some(Cleanup::Context { depth, item });
        self.builder().blocks.push(Block::Try { on_leaving, gaps: Vec::new() });
        match &item.optional_vars {
            Some(target) => self.assign(target),
            None => {
                self.emit(Instruction::Pop);
            }
        }
        OpenContext { item, start }
    }

    fn leave_context(&mut self, context: &OpenContext<'c>) {
        let gaps = self.end_try();
        let end = self.next_index();
        self.set_source_range(&context.item.context_expr);
        self.emit(Instruction::LeaveContext);
        let exit_jump = self.emit(Instruction::Jump(0));
        self.add_handler(context.start, end, &gaps);
        self.emit(Instruction::LeaveContextOnException);
        self.builder().stack_depth -= 1;
        let suppressed = self.emit(Instruction::JumpIfTrue(0));
        self.emit(Instruction::LoadHandled);
        self.emit(Instruction::Reraise);
        self.patch_jump(suppressed);
        self.emit(Instruction::PopHandled);
        self.patch_jump(exit_jump);
    }
}

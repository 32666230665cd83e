//! Calls.

use goalspec_python_runtime::code::{Constant, Instruction};
use ruff_python_ast::{Arguments, Expr, ExprCall};

use super::Compiler;

impl<'c> Compiler<'c> {
    pub(super) fn call(&mut self, call: &'c ExprCall) {
        if let Expr::Attribute(method) = &*call.func {
            self.expression(&method.value);
            self.set_source_range(&*call.func);
            let name = self.symbol(&method.attr);
            self.emit(Instruction::LoadMethod(name));
        } else {
            self.expression(&call.func);
        }
        self.arguments(&call.arguments);
        self.set_source_range(call);
        self.finish_call(&call.arguments);
    }

    fn is_unpacked(arguments: &Arguments) -> bool {
        arguments.args.iter().any(Expr::is_starred_expr)
            || arguments.keywords.iter().any(|keyword| keyword.arg.is_none())
    }

    /// Pushes the arguments in the form that [`Self::finish_call`] expects.
    pub(super) fn arguments(&mut self, arguments: &'c Arguments) {
        if !Self::is_unpacked(arguments) {
            for argument in &arguments.args {
                self.expression(argument);
            }
            for keyword in &arguments.keywords {
                self.expression(&keyword.value);
            }
            return;
        }
        self.display(&arguments.args, Instruction::List, Instruction::Append(0), Instruction::Extend);
        self.emit(Instruction::ListToTuple);
        if arguments.keywords.is_empty() {
            return;
        }
        self.emit(Instruction::Dict);
        for keyword in &arguments.keywords {
            if let Some(name) = &keyword.arg {
                self.emit(Instruction::Dict);
                self.text(name);
                self.expression(&keyword.value);
                self.emit(Instruction::AddToDict(0));
            } else {
                self.expression(&keyword.value);
            }
            self.emit(Instruction::MergeKeywords);
        }
    }

    /// Calls the function below the arguments on the stack.
    pub(super) fn finish_call(&mut self, arguments: &'c Arguments) {
        let count = (arguments.args.len() + arguments.keywords.len()) as u32;
        if Self::is_unpacked(arguments) {
            self.emit(Instruction::CallUnpacked(!arguments.keywords.is_empty()));
        } else if arguments.keywords.is_empty() {
            self.emit(Instruction::Call(count));
        } else {
            let names = arguments.keywords.iter().filter_map(|keyword| keyword.arg.as_ref());
            let names = names.map(|name| self.symbol(name)).collect::<Vec<_>>();
            let names = self.add_constant(Constant::Names(names.into()));
            self.emit(Instruction::CallKeywords(count, names));
        }
    }
}

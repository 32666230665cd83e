//! Checks of the indices in a program.

use std::collections::HashSet;

use super::{CodeKind, CodeObject, Constant, Instruction, Program, Symbol, Variable};

/// The reason why codes do not form a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidProgramError {
    /// The index of the code.
    code: usize,
    /// The kind of the index that refers to nothing.
    problem: &'static str,
}

impl std::fmt::Display for InvalidProgramError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "code {} of the program has an invalid {}", self.code, self.problem)
    }
}

impl std::error::Error for InvalidProgramError {}

impl Program {
    /// Checks that the indices in all codes refer to something.
    pub(super) fn check_indices(&self) -> Result<(), InvalidProgramError> {
        let error = |code: usize, problem: &'static str| InvalidProgramError { code, problem };
        let is_module = |code: &CodeObject| code.kind == CodeKind::Module;
        if !self.codes.first().is_some_and(is_module) || self.codes[1..].iter().any(is_module) {
            return Err(error(0, "kind"));
        }
        if self.names.iter().collect::<HashSet<_>>().len() < self.names.len() {
            return Err(error(0, "name"));
        }
        for (index, code) in self.codes.iter().enumerate() {
            self.check_code(code).map_err(|problem| error(index, problem))?;
        }
        Ok(())
    }

    fn check_code(&self, code: &CodeObject) -> Result<(), &'static str> {
        let signature = &code.signature;
        let parameters = signature.positional.iter().chain(&signature.keyword_only);
        for parameter in parameters.chain(&signature.var_positional).chain(&signature.var_keyword) {
            self.check_symbol(parameter.name)?;
            check_variable(code, parameter.variable)?;
        }
        if signature.positional_only.max(signature.defaults) > signature.positional.len() {
            return Err("signature");
        }
        let names = code.locals.iter().chain(&code.cells).chain(&code.free).chain(&signature.keyword_defaults);
        names.chain(&code.documentation).copied().try_for_each(|name| self.check_symbol(name))?;
        for constant in &code.constants {
            match constant {
                Constant::Text(name) => self.check_symbol(*name)?,
                Constant::Names(names) => names.iter().try_for_each(|&name| self.check_symbol(name))?,
                _ => {}
            }
        }
        let length = code.instructions.len();
        if code.sites.iter().any(|&(instruction, _)| instruction as usize >= length) {
            return Err("site");
        }
        if code.handlers.iter().any(|handler| handler.target as usize >= length) {
            return Err("handler");
        }
        match code.instructions.last() {
            Some(Instruction::Return | Instruction::Jump(_) | Instruction::Raise(_) | Instruction::Reraise) => {}
            _ => return Err("end"),
        }
        code.instructions.iter().try_for_each(|&instruction| self.check_instruction(code, instruction))
    }

    fn check_instruction(&self, code: &CodeObject, instruction: Instruction) -> Result<(), &'static str> {
        match instruction {
            Instruction::Constant(index) if index as usize >= code.constants.len() => Err("constant"),
            Instruction::CallKeywords(count, index) => match code.constants.get(index as usize) {
                Some(Constant::Names(names)) if names.len() <= count as usize => Ok(()),
                _ => Err("list of keywords"),
            },
            Instruction::MatchAttributes(_, index) | Instruction::ClassKeywords(_, index) => {
                match code.constants.get(index as usize) {
                    Some(Constant::Names(_)) => Ok(()),
                    _ => Err("list of names"),
                }
            }
            Instruction::TryAttribute(name, _) if self.check_symbol(name).is_err() => Err("name"),
            Instruction::Load(variable) | Instruction::Store(variable) | Instruction::Delete(variable) => {
                check_variable(code, variable)
            }
            Instruction::LoadCell(index) => check_variable(code, Variable::Cell(index)),
            Instruction::LoadGlobal(name)
            | Instruction::LoadName(name)
            | Instruction::StoreGlobal(name)
            | Instruction::StoreName(name)
            | Instruction::DeleteGlobal(name)
            | Instruction::DeleteName(name)
            | Instruction::LoadAttribute(name)
            | Instruction::LoadMethod(name)
            | Instruction::StoreAttribute(name)
            | Instruction::DeleteAttribute(name)
            | Instruction::Import(name)
            | Instruction::ImportFrom(name)
            | Instruction::Annotate(name)
            | Instruction::AnnotateParameter(name) => self.check_symbol(name),
            _ if instruction.jump_target().is_some_and(|target| target >= code.instructions.len()) => Err("jump"),
            Instruction::Function(id, operands) => match self.codes.get(id.0 as usize) {
                Some(function) if operands.cell_count as usize == function.free.len() => Ok(()),
                _ => Err("function"),
            },
            _ => Ok(()),
        }
    }

    fn check_symbol(&self, symbol: Symbol) -> Result<(), &'static str> {
        if (symbol.0 as usize) < self.names.len() { Ok(()) } else { Err("name") }
    }
}

fn check_variable(code: &CodeObject, variable: Variable) -> Result<(), &'static str> {
    let (index, count) = match variable {
        Variable::Local(index) => (index, code.locals.len()),
        Variable::Cell(index) => (index, code.cells.len() + code.free.len()),
    };
    if (index as usize) < count { Ok(()) } else { Err("variable") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::{Signature, SourceRange};

    fn program_of(instructions: Vec<Instruction>) -> Result<Program, InvalidProgramError> {
        let code = CodeObject {
            kind: CodeKind::Module,
            name: "<module>".into(),
            qualified_name: "<module>".into(),
            documentation: None,
            signature: Signature::default(),
            range: SourceRange::default(),
            locals: Vec::new(),
            cells: Vec::new(),
            free: Vec::new(),
            instructions,
            instruction_ranges: Vec::new(),
            handlers: Vec::new(),
            constants: vec![Constant::None],
            sites: Vec::new(),
        };
        Program::new("program".into(), vec![code], Vec::new(), vec![0])
    }

    #[test]
    fn valid_indices_are_accepted() {
        assert!(program_of(vec![Instruction::Constant(0), Instruction::Return]).is_ok());
    }

    #[test]
    fn programs_need_a_module() {
        assert!(Program::new("program".into(), Vec::new(), Vec::new(), Vec::new()).is_err());
    }

    #[test]
    fn indices_that_refer_to_nothing_are_errors() {
        let invalid = [
            Instruction::Constant(1),
            Instruction::LoadGlobal(Symbol(0)),
            Instruction::Load(Variable::Local(0)),
            Instruction::LoadCell(0),
            Instruction::Jump(9),
            Instruction::CallKeywords(1, 0),
            Instruction::Function(crate::code::CodeId(1), crate::code::FunctionOperands::default()),
        ];
        for instruction in invalid {
            let program = program_of(vec![instruction, Instruction::Constant(0), Instruction::Return]);
            assert!(program.is_err(), "{instruction:?}");
        }
        assert!(program_of(vec![Instruction::Constant(0)]).is_err());
        assert!(program_of(Vec::new()).is_err());
    }
}

//! The compiler from syntax trees to instructions of the stack machine.
//!
//! | module | contents |
//! |---|---|
//! | `statements`, `expressions`, `calls` | statements, expressions and calls |
//! | `functions` | functions, lambdas, comprehensions and classes |
//! | `assignment` | assignment targets |
//! | `exceptions` | `try` statements and jumps out of them |
//! | `contexts`, `patterns` | `with` and `match` statements |
//! | `conversions` | the parser's ranges and operators as those of instructions |

mod assignment;
mod calls;
mod contexts;
mod conversions;
mod exceptions;
mod expressions;
mod functions;
mod patterns;
mod statements;

use std::sync::Arc;

use goalspec_python_runtime::code::{
    CodeId, CodeKind, CodeObject, Constant, Instruction, Program, Signature, Site, SiteKind, SourceRange, Symbol,
    Variable,
};
use goalspec_syntax::SourceFile;
use indexmap::IndexSet;
use ruff_python_ast::name::Name;
use ruff_python_ast::{ModModule, Stmt, WithItem};
use ruff_text_size::{Ranged, TextRange, TextSize};
use rustc_hash::FxHashMap;

use crate::imports::{MissingModule, missing_modules};
use crate::limits::MAX_INSTRUCTIONS;
pub(crate) use conversions::source_range;

use crate::scopes::{MODULE_SCOPE, NameStorage, Scopes};

/// The error for a program with more instructions than [`MAX_INSTRUCTIONS`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ProgramTooLargeError;

/// Compiles a module that has no syntax errors, no scoping errors, and only constructs of the supported subset.
pub(crate) fn compile(
    module: &ModModule,
    source: &SourceFile,
    scopes: &Scopes,
) -> Result<Program, ProgramTooLargeError> {
    let lines = (1..=source.line_count()).map(|line| source.line_range(line).start as u32).collect();
    let mut compiler = Compiler {
        scopes,
        source,
        missing_modules: missing_modules(module),
        codes: Vec::new(),
        names: IndexSet::new(),
        builders: Vec::new(),
        instruction_count: 0,
    };
    compiler.begin_code(CodeKind::Module, MODULE_SCOPE, "<module>", module.range);
    compiler.body(&module.body);
    compiler.end_code();
    let Compiler { codes, names, instruction_count: emitted, .. } = compiler;
    if emitted > MAX_INSTRUCTIONS {
        return Err(ProgramTooLargeError);
    }
    let (codes, names) = (codes.into_iter().flatten().collect(), names.into_iter().collect());
    let program = Program::new(module_name(source.name()).into(), codes, names, lines);
    Ok(program.unwrap_or_else(|error| unreachable!("the compiler emits valid programs: {error}")))
}

/// Returns the name that a file has as an imported module.
pub(crate) fn module_name(file: &str) -> &str {
    let file = file.rsplit(['/', '\\']).next().unwrap_or(file);
    let stem = file.strip_suffix(".gz").or_else(|| file.strip_suffix(".zst")).unwrap_or(file);
    let stem = stem.strip_suffix(".py").unwrap_or(stem);
    if stem.is_empty() { "program" } else { stem }
}

struct Compiler<'c> {
    scopes: &'c Scopes,
    source: &'c SourceFile,
    /// The imports of modules that do not exist, without which the program works.
    missing_modules: FxHashMap<TextSize, MissingModule>,
    /// The code objects in the order in which they begin; `None` while one is under construction.
    codes: Vec<Option<CodeObject>>,
    names: IndexSet<Arc<str>>,
    /// The code objects under construction, the innermost last.
    builders: Vec<CodeBuilder<'c>>,
    /// The number of instructions emitted so far.
    instruction_count: usize,
}

/// A code object under construction.
struct CodeBuilder<'c> {
    id: CodeId,
    scope: usize,
    code: CodeObject,
    /// The source range of the instructions that are emitted next.
    source_range: SourceRange,
    /// The blocks around the current statement, the innermost last.
    blocks: Vec<Block<'c>>,
    /// The number of values that the enclosing blocks keep on the stack between statements.
    stack_depth: u32,
    /// The number of enclosing exception handlers.
    handler_depth: u32,
    /// The number of local variables with names, which precede the temporary ones.
    named_locals: u32,
    /// The number of temporary variables in use.
    temporary_count: u32,
}

/// A block that `break`, `continue` or `return` may leave.
enum Block<'c> {
    Loop {
        start: u32,
        /// The jumps to the end of the loop, to be patched.
        breaks: Vec<usize>,
        /// Whether an iterator is on the stack.
        has_iterator: bool,
    },
    /// The body of a `try` or `with` statement.
    Try {
        /// The code that runs on leaving.
        on_leaving: Option<Cleanup<'c>>,
        /// The instruction ranges inside the body that run after leaving it, so that the handlers do not cover them.
        gaps: Vec<(u32, u32)>,
    },
    /// An exception handler, with the name that it binds the exception to.
    Handler(Option<&'c Name>),
}

/// The code that runs on leaving a block.
#[derive(Clone, Copy)]
enum Cleanup<'c> {
    /// A `finally` clause.
    Finally(&'c [Stmt]),
    /// The call of `__exit__`, which lies on the stack above this number of values.
    Context { depth: u32, item: &'c WithItem },
}

impl<'c> Compiler<'c> {
    fn begin_code(&mut self, kind: CodeKind, scope: usize, name: &str, range: TextRange) {
        let id = CodeId(self.codes.len() as u32);
        self.codes.push(None);
        let qualified = match self.builders.last() {
            Some(around) if around.code.kind != CodeKind::Module => {
                let locals = if around.code.kind == CodeKind::Class { "" } else { "<locals>." };
                format!("{}.{locals}{name}", around.code.qualified_name)
            }
            _ => name.to_owned(),
        };
        let found = self.scopes.get(scope);
        let named_locals = found.locals.len() as u32;
        let mut symbols = |names: &IndexSet<Name>| names.iter().map(|name| intern(&mut self.names, name)).collect();
        let code = CodeObject {
            kind,
            name: name.into(),
            qualified_name: qualified.into(),
            documentation: None,
            signature: Signature::default(),
            range: source_range(&range),
            locals: symbols(&found.locals),
            cells: symbols(&found.cells),
            free: symbols(&found.free),
            instructions: Vec::new(),
            instruction_ranges: Vec::new(),
            handlers: Vec::new(),
            constants: Vec::new(),
            sites: Vec::new(),
        };
        self.builders.push(CodeBuilder {
            id,
            scope,
            code,
            source_range: source_range(&range),
            blocks: Vec::new(),
            stack_depth: 0,
            handler_depth: 0,
            named_locals,
            temporary_count: 0,
        });
    }

    /// Completes the innermost code object, with an implicit `return None` at its end.
    fn end_code(&mut self) -> CodeId {
        self.constant(Constant::None);
        self.emit(Instruction::Return);
        let unit = self.builders.pop().expect("what was entered is left");
        self.codes[unit.id.0 as usize] = Some(unit.code);
        unit.id
    }

    fn builder(&mut self) -> &mut CodeBuilder<'c> {
        self.builders.last_mut().expect("the module is open")
    }

    /// Sets the source range of the instructions that follow.
    fn set_source_range(&mut self, node: &impl Ranged) {
        self.builder().source_range = source_range(node);
    }

    fn symbol(&mut self, name: &str) -> Symbol {
        intern(&mut self.names, name)
    }

    fn emit(&mut self, instruction: Instruction) -> usize {
        self.instruction_count += 1;
        let unit = self.builder();
        unit.code.instructions.push(instruction);
        unit.code.instruction_ranges.push(unit.source_range);
        unit.code.instructions.len() - 1
    }

    /// Emits an instruction and marks it as an observable site.
    fn emit_site(&mut self, instruction: Instruction, kind: SiteKind, node: &impl Ranged) -> usize {
        let place = self.emit(instruction);
        self.mark_site(kind, node);
        place
    }

    /// Marks the last emitted instruction as an observable site.
    fn mark_site(&mut self, kind: SiteKind, node: &impl Ranged) {
        let site = Site { range: source_range(node), kind };
        let code = &mut self.builder().code;
        code.sites.push((code.instructions.len() as u32 - 1, site));
    }

    /// Returns the index of the next instruction.
    fn next_index(&mut self) -> u32 {
        self.builder().code.instructions.len() as u32
    }

    /// Sets the target of an emitted jump to the next instruction.
    fn patch_jump(&mut self, jump: usize) {
        let next = self.next_index();
        match &mut self.builder().code.instructions[jump] {
            Instruction::Jump(target)
            | Instruction::JumpIfFalse(target)
            | Instruction::JumpIfTrue(target)
            | Instruction::JumpIfFalseOrPop(target)
            | Instruction::JumpIfTrueOrPop(target)
            | Instruction::Next(target)
            | Instruction::Delegate(target)
            | Instruction::TryAttribute(_, target) => *target = next,
            _ => unreachable!("only jumps are landed"),
        }
    }

    fn constant(&mut self, constant: Constant) {
        let place = self.add_constant(constant);
        self.emit(Instruction::Constant(place));
    }

    fn add_constant(&mut self, constant: Constant) -> u32 {
        let constants = &mut self.builder().code.constants;
        constants.push(constant);
        constants.len() as u32 - 1
    }

    fn text(&mut self, text: &str) {
        let symbol = self.symbol(text);
        self.constant(Constant::Text(symbol));
    }

    fn binding(&mut self, name: &Name) -> NameStorage {
        let scope = self.builder().scope;
        self.scopes.storage(scope, name)
    }

    /// Returns the index of the cell of a variable that inner functions capture.
    fn cell(&mut self, name: &Name) -> Option<u32> {
        let scope = self.builder().scope;
        self.scopes.cell_index(scope, name)
    }

    fn load(&mut self, name: &Name) {
        let symbol = self.symbol(name);
        let instruction = match self.binding(name) {
            NameStorage::Local(place) => Instruction::Load(Variable::Local(place)),
            NameStorage::Cell(place) => Instruction::Load(Variable::Cell(place)),
            NameStorage::ClassName => Instruction::LoadName(symbol),
            NameStorage::Global => Instruction::LoadGlobal(symbol),
        };
        self.emit(instruction);
    }

    fn store(&mut self, name: &Name) {
        let symbol = self.symbol(name);
        let instruction = match self.binding(name) {
            NameStorage::Local(place) => Instruction::Store(Variable::Local(place)),
            NameStorage::Cell(place) => Instruction::Store(Variable::Cell(place)),
            NameStorage::ClassName => Instruction::StoreName(symbol),
            NameStorage::Global => Instruction::StoreGlobal(symbol),
        };
        self.emit(instruction);
    }

    fn delete(&mut self, name: &Name) {
        let symbol = self.symbol(name);
        let instruction = match self.binding(name) {
            NameStorage::Local(place) => Instruction::Delete(Variable::Local(place)),
            NameStorage::Cell(place) => Instruction::Delete(Variable::Cell(place)),
            NameStorage::ClassName => Instruction::DeleteName(symbol),
            NameStorage::Global => Instruction::DeleteGlobal(symbol),
        };
        self.emit(instruction);
    }
}

fn intern(names: &mut IndexSet<Arc<str>>, name: &str) -> Symbol {
    let place = names.get_index_of(name).unwrap_or_else(|| names.insert_full(name.into()).0);
    Symbol(place as u32)
}

//! The instructions of a program in the form that the interpreter loop runs: eight bytes each, with the most common sequences fused.
//!
//! Each instruction of the program has one quick instruction at the same index. A fused instruction stands at the index of the first
//! instruction of its sequence; those that it covers keep their own forms, so that jumps and handlers may lead to any of them.

use crate::code::{CodeId, CodeObject, Constant, FunctionOperands, Instruction, Program, Symbol, Variable};
use crate::machine::screen::ScreenSlot;
use crate::machine::value::Value;
use crate::operators::{BinaryOperator, ComparisonOperator};

/// The quick instructions of a program.
#[derive(Debug, Clone)]
pub(crate) struct QuickProgram {
    /// The code objects of the program, in the same order.
    codes: Vec<QuickCode>,
    /// The number of inline caches of all instructions.
    pub(in crate::machine) cache_count: usize,
}

/// The quick instructions of a code object.
#[derive(Debug, Clone)]
pub(super) struct QuickCode {
    pub(super) instructions: Vec<QuickInstruction>,
    /// The constants of the code object; `None` in place of those that need a cell.
    pub(super) constants: Vec<Value>,
}

/// An instruction of the interpreter loop. A cache is an index into the inline caches of the machine.
#[derive(Debug, Clone, Copy)]
pub(super) enum QuickInstruction {
    /// The instruction of the program at the same index, which has no quick form.
    General,
    LoadLocal(u32),
    /// `LoadLocal` twice.
    LoadTwoLocals(u16, u16),
    LoadCell(u32),
    StoreLocal(u32),
    StoreCell(u32),
    /// `StoreLocal`, then `LoadLocal`.
    StoreAndLoad(u16, u16),
    Constant(u32),
    Text(Symbol),
    LoadGlobal(Symbol),
    StoreGlobal(Symbol),
    /// `LoadGlobal`, `LoadLocal`, `LoadGlobal`, `Call(2)`, where the first name may be `isinstance`.
    IsInstance(Symbol),
    Jump(u32),
    JumpBack(u32),
    JumpIf(bool, u32),
    JumpIfOrPop(bool, u32),
    Binary(BinaryOperator),
    /// `LoadLocal`, then `Binary`.
    BinaryLocal(BinaryOperator, u16),
    /// `Constant`, then `Binary`.
    BinaryConstant(BinaryOperator, u16),
    /// `LocalAttribute` of a screen object, then `Binary`.
    BinaryAttribute(BinaryOperator, ScreenSlot, u16),
    /// `LoadLocal`, then `BinaryLocal`.
    BinaryLocals(BinaryOperator, u16, u16),
    /// `BinaryLocals`, then `StoreLocal`.
    BinaryLocalsStore(BinaryOperator, u16, u16, u16),
    /// `LoadLocal`, then `BinaryConstant`.
    BinaryLocalConstant(BinaryOperator, u16, u16),
    /// `BinaryLocalConstant`, then `StoreLocal`.
    BinaryLocalConstantStore(BinaryOperator, u16, u16, u16),
    Compare(ComparisonOperator),
    /// `Compare`, then `JumpIf`.
    CompareJump(ComparisonOperator, bool, u32),
    /// `LoadLocal`, then `CompareJump` at the index after the next.
    CompareLocalJump(ComparisonOperator, u16),
    /// `Constant`, then `CompareJump` at the index after the next.
    CompareConstantJump(ComparisonOperator, u16),
    /// `LoadLocal`, then `CompareLocalJump`.
    CompareLocalsJump(ComparisonOperator, u16, u16),
    /// `LoadLocal`, then `CompareConstantJump`.
    CompareLocalConstantJump(ComparisonOperator, u16, u16),
    /// `LocalAttribute` of a screen object, then `CompareJump`.
    CompareAttributeJump(ComparisonOperator, ScreenSlot, u16),
    /// `Copy`, `RotateThree`, `Compare`, then `JumpIfOrPop`, as in a chain of comparisons.
    CompareInChain(ComparisonOperator, u32),
    /// `Text`, then `CompareJump`.
    CompareTextJump(ComparisonOperator, Symbol),
    /// `LoadLocal`, then `JumpIf`.
    JumpIfLocal(bool, u16, u32),
    Negate,
    Not,
    LoadItem,
    StoreItem,
    /// `LoadAttribute`, with the slot of screen objects.
    Attribute(Option<ScreenSlot>, u32),
    /// `LoadLocal`, then `Attribute`, whose cache is that of the next instruction.
    LocalAttribute(ScreenSlot, u32),
    /// `LoadLocal`, then `Attribute` with the text of the class of a screen object.
    LocalCategory(u32),
    /// `LoadLocal`, then `Attribute` of an instance, with the cache of the next instruction.
    LocalField(u16, u32),
    /// `Attribute` of a pair of screen objects, then `Constant` with an index, then `LoadItem`.
    PairItem(ScreenSlot, bool, u32),
    StoreAttribute(u32),
    LoadMethod(u32),
    Iterate,
    Next(u32),
    /// `Next`, then `StoreLocal`.
    NextLocal(u16, u32),
    /// `Next`, then `UnpackPairToLocals`.
    NextPair(u32),
    Append(u32),
    Pop,
    Copy,
    CopyTwo,
    Swap,
    RotateThree,
    Tuple(u32),
    /// `Tuple(2)`, then `UnpackPairToLocals`.
    TupleToLocals(u16, u16),
    List(u32),
    Dict,
    /// `AddToDict`
    AddToDict(u32),
    Slice,
    /// `Unpack`
    Unpack(u32),
    /// `Unpack(2)`
    UnpackPair,
    /// `Unpack(2)`, then `StoreLocal` twice.
    UnpackPairToLocals(u16, u16),
    Call(u32),
    /// `CallKeywords`, with the number of arguments and the constant with their names.
    CallKeywords(u16, u32),
    /// `Extend`
    Extend,
    /// `ListToTuple`
    ListToTuple,
    /// `MergeKeywords`
    MergeKeywords,
    /// `CallUnpacked`, with whether there is a dict of keyword arguments.
    CallUnpacked(bool),
    /// `Function` without defaults, with the number of cells of enclosing functions.
    Function(u16, CodeId),
    /// `Function` of a comprehension without cells.
    Comprehension(CodeId),
    /// Pushes the cell of a variable.
    CellReference(u32),
    Return,
    /// `Yield` or `YieldExpression`
    Yield,
}

// Each instruction is read once for every time that it runs.
const _: () = assert!(size_of::<QuickInstruction>() <= 8);

impl QuickProgram {
    /// Translates a program.
    pub(crate) fn new(program: &Program) -> Self {
        let mut cache_count = 0;
        let codes = program.codes.iter().map(|code| QuickCode::new(program, code, &mut cache_count)).collect();
        Self { codes, cache_count: cache_count as usize }
    }

    #[inline]
    pub(super) fn code(&self, id: CodeId) -> &QuickCode {
        &self.codes[id.0 as usize]
    }
}

impl QuickCode {
    fn new(program: &Program, code: &CodeObject, cache_count: &mut u32) -> Self {
        let slot = |symbol: Symbol| ScreenSlot::of_name(program.name(symbol));
        let mut cache = || {
            *cache_count += 1;
            *cache_count - 1
        };
        let mut instructions: Vec<_> = code
            .instructions
            .iter()
            .enumerate()
            .map(|(at, &one)| single(program, code, at, one, &slot, &mut cache))
            .collect();
        // A fused instruction reads the forms of its successors, which are longer sequences if they are fused already.
        for at in (0..instructions.len()).rev() {
            if let Some(fused) = fused(code, &instructions[at..]) {
                instructions[at] = fused;
            }
        }
        Self { instructions, constants: code.constants.iter().map(immediate).collect() }
    }
}

/// Returns a constant that needs no cell; Python's `None` for others.
fn immediate(constant: &Constant) -> Value {
    match *constant {
        Constant::Ellipsis => Value::Ellipsis,
        Constant::Bool(truth) => Value::Bool(truth),
        Constant::Int(number) => Value::Int(number),
        Constant::Float(number) => Value::Float(number),
        Constant::None | Constant::Names(_) | Constant::Text(_) | Constant::Bytes(_) | Constant::BigInt(_) => {
            Value::None
        }
    }
}

/// Returns the quick form of one instruction.
fn single(
    program: &Program,
    code: &CodeObject,
    at: usize,
    instruction: Instruction,
    slot: &dyn Fn(Symbol) -> Option<ScreenSlot>,
    cache: &mut dyn FnMut() -> u32,
) -> QuickInstruction {
    use QuickInstruction as Quick;
    match instruction {
        Instruction::Load(Variable::Local(place)) => Quick::LoadLocal(place),
        Instruction::Load(Variable::Cell(place)) => Quick::LoadCell(place),
        Instruction::Store(Variable::Local(place)) => Quick::StoreLocal(place),
        Instruction::Store(Variable::Cell(place)) => Quick::StoreCell(place),
        Instruction::Constant(place) => match code.constants[place as usize] {
            Constant::Text(symbol) => Quick::Text(symbol),
            Constant::Bytes(_) | Constant::BigInt(_) => Quick::General,
            _ => Quick::Constant(place),
        },
        Instruction::LoadGlobal(symbol) => Quick::LoadGlobal(symbol),
        Instruction::StoreGlobal(symbol) => Quick::StoreGlobal(symbol),
        Instruction::Jump(target) if target as usize > at => Quick::Jump(target),
        Instruction::Jump(target) => Quick::JumpBack(target),
        Instruction::JumpIfFalse(target) => Quick::JumpIf(false, target),
        Instruction::JumpIfTrue(target) => Quick::JumpIf(true, target),
        Instruction::JumpIfFalseOrPop(target) => Quick::JumpIfOrPop(false, target),
        Instruction::JumpIfTrueOrPop(target) => Quick::JumpIfOrPop(true, target),
        Instruction::Binary(operator) | Instruction::InPlace(operator) => Quick::Binary(operator),
        Instruction::Compare(operator) => Quick::Compare(operator),
        Instruction::Unary(crate::operators::UnaryOperator::USub) => Quick::Negate,
        Instruction::Unary(crate::operators::UnaryOperator::Not) => Quick::Not,
        Instruction::LoadItem => Quick::LoadItem,
        Instruction::StoreItem => Quick::StoreItem,
        Instruction::LoadAttribute(symbol) => Quick::Attribute(slot(symbol), cache()),
        Instruction::LoadMethod(_) => Quick::LoadMethod(cache()),
        Instruction::StoreAttribute(_) => Quick::StoreAttribute(cache()),
        Instruction::Iterate => Quick::Iterate,
        Instruction::Next(target) => Quick::Next(target),
        Instruction::Append(between) => Quick::Append(between),
        Instruction::Pop => Quick::Pop,
        Instruction::Copy => Quick::Copy,
        Instruction::CopyTwo => Quick::CopyTwo,
        Instruction::Swap => Quick::Swap,
        Instruction::RotateThree => Quick::RotateThree,
        Instruction::Tuple(count) => Quick::Tuple(count),
        Instruction::List(count) => Quick::List(count),
        Instruction::Dict => Quick::Dict,
        Instruction::AddToDict(between) => Quick::AddToDict(between),
        Instruction::Slice => Quick::Slice,
        Instruction::Unpack(2) => Quick::UnpackPair,
        Instruction::Unpack(count) => Quick::Unpack(count),
        Instruction::Call(count) => Quick::Call(count),
        Instruction::CallKeywords(count, names) => match u16::try_from(count) {
            Ok(count) => Quick::CallKeywords(count, names),
            Err(_) => Quick::General,
        },
        Instruction::Extend => Quick::Extend,
        Instruction::ListToTuple => Quick::ListToTuple,
        Instruction::MergeKeywords => Quick::MergeKeywords,
        Instruction::CallUnpacked(named) => Quick::CallUnpacked(named),
        Instruction::Function(code, FunctionOperands { defaults: false, keyword_defaults: false, cell_count }) => {
            match u16::try_from(cell_count) {
                Ok(0) if is_comprehension(&program.codes[code.0 as usize]) => Quick::Comprehension(code),
                Ok(count) => Quick::Function(count, code),
                Err(_) => Quick::General,
            }
        }
        Instruction::LoadCell(place) => Quick::CellReference(place),
        Instruction::Return => Quick::Return,
        Instruction::Yield | Instruction::YieldExpression => Quick::Yield,
        _ => Quick::General,
    }
}

/// Returns the fused form of the sequence at the start of quick instructions, the later of which may be fused themselves.
fn fused(code: &CodeObject, rest: &[QuickInstruction]) -> Option<QuickInstruction> {
    use QuickInstruction as Quick;
    let short = |place: u32| u16::try_from(place).ok();
    Some(match *rest {
        [Quick::LoadGlobal(name), Quick::LoadLocal(_), Quick::LoadGlobal(_), Quick::Call(2), ..] => {
            Quick::IsInstance(name)
        }
        [Quick::LoadLocal(local), Quick::Attribute(Some(slot), _), Quick::Binary(operator), ..]
            if slot.is_immediate() =>
        {
            Quick::BinaryAttribute(operator, slot, short(local)?)
        }
        [Quick::LoadLocal(local), Quick::Attribute(Some(slot), _), Quick::CompareJump(operator, ..), ..]
            if slot.is_immediate() =>
        {
            Quick::CompareAttributeJump(operator, slot, short(local)?)
        }
        [Quick::LoadLocal(local), Quick::Attribute(Some(slot), _), ..] if slot.is_immediate() => {
            Quick::LocalAttribute(slot, local)
        }
        [Quick::LoadLocal(local), Quick::Attribute(Some(ScreenSlot::Category), _), ..] => Quick::LocalCategory(local),
        [Quick::LoadLocal(local), Quick::Attribute(None, cache), ..] => Quick::LocalField(short(local)?, cache),
        [Quick::LoadLocal(one), Quick::BinaryLocal(operator, other), _, ref rest @ ..] => {
            match rest.first().copied().and_then(stored_local) {
                Some(target) => Quick::BinaryLocalsStore(operator, short(one)?, other, target),
                None => Quick::BinaryLocals(operator, short(one)?, other),
            }
        }
        [Quick::LoadLocal(local), Quick::BinaryConstant(operator, constant), _, ref rest @ ..] => {
            match rest.first().copied().and_then(stored_local) {
                Some(target) => Quick::BinaryLocalConstantStore(operator, short(local)?, constant, target),
                None => Quick::BinaryLocalConstant(operator, short(local)?, constant),
            }
        }
        [Quick::LoadLocal(local), Quick::Binary(operator), ..] => Quick::BinaryLocal(operator, short(local)?),
        [Quick::Constant(place), Quick::Binary(operator), ..] => Quick::BinaryConstant(operator, short(place)?),
        [Quick::LoadLocal(one), Quick::CompareLocalJump(operator, other), ..] => {
            Quick::CompareLocalsJump(operator, short(one)?, other)
        }
        [Quick::LoadLocal(local), Quick::CompareConstantJump(operator, constant), ..] => {
            Quick::CompareLocalConstantJump(operator, short(local)?, constant)
        }
        [Quick::LoadLocal(local), Quick::CompareJump(operator, ..), ..] => {
            Quick::CompareLocalJump(operator, short(local)?)
        }
        [Quick::Constant(place), Quick::CompareJump(operator, ..), ..] => {
            Quick::CompareConstantJump(operator, short(place)?)
        }
        [Quick::Text(symbol), Quick::CompareJump(operator, ..), ..] => Quick::CompareTextJump(operator, symbol),
        [Quick::LoadLocal(local), Quick::JumpIf(if_true, target), ..] => {
            Quick::JumpIfLocal(if_true, short(local)?, target)
        }
        [Quick::Copy, Quick::RotateThree, Quick::Compare(operator), Quick::JumpIfOrPop(false, target), ..] => {
            Quick::CompareInChain(operator, target)
        }
        [Quick::Compare(operator), Quick::JumpIf(if_true, target), ..] => Quick::CompareJump(operator, if_true, target),
        [Quick::LoadLocal(one), Quick::LoadLocal(other), ..] => Quick::LoadTwoLocals(short(one)?, short(other)?),
        [Quick::StoreLocal(stored), Quick::LoadLocal(loaded), ..] => {
            Quick::StoreAndLoad(short(stored)?, short(loaded)?)
        }
        [Quick::Attribute(Some(slot), cache), Quick::Constant(place), Quick::LoadItem, ..] if slot.is_pair() => {
            match code.constants[place as usize] {
                Constant::Int(number @ (0 | 1)) => Quick::PairItem(slot, number == 1, cache),
                _ => return None,
            }
        }
        [Quick::Tuple(2), Quick::UnpackPairToLocals(one, other), ..] => Quick::TupleToLocals(one, other),
        [Quick::Next(target), Quick::UnpackPairToLocals(..), ..] => Quick::NextPair(target),
        [Quick::Next(target), store, ..] => Quick::NextLocal(stored_local(store)?, target),
        [Quick::UnpackPair, Quick::StoreLocal(one), store, ..] => {
            Quick::UnpackPairToLocals(short(one)?, stored_local(store)?)
        }
        _ => return None,
    })
}

/// Returns whether a code is that of a comprehension or of a generator expression.
fn is_comprehension(code: &CodeObject) -> bool {
    matches!(&*code.name, "<listcomp>" | "<setcomp>" | "<dictcomp>" | "<genexpr>")
}

/// Returns the variable that an instruction stores first.
fn stored_local(store: QuickInstruction) -> Option<u16> {
    match store {
        QuickInstruction::StoreLocal(local) => u16::try_from(local).ok(),
        QuickInstruction::StoreAndLoad(local, _) => Some(local),
        _ => None,
    }
}

//! Translation of typed stack code to instructions of the register machine.
//!
//! Every call is inlined. The stack exists only at compile time: each entry is a [`Value`], which describes its registers or a computation
//! that is deferred until an instruction needs the value in a register. Where paths join, the values on the stack lie in registers reserved
//! for that purpose.
//!
//! | module | contents |
//! |---|---|
//! | `values` | values and their registers |
//! | `conditions` | conditions of jumps |
//! | `instructions`, `objects` | translation of single instructions |
//! | `records`, `dicts`, `module_state` | instances of classes of the program; dicts with known keys; variables of the module |
//! | `methods` | methods of lists, deques, dicts, numbers and screen objects |
//! | `iterables` | lists of the values of iterables |
//! | `tables` | dicts whose keys are known only at run time, and sets |
//! | `control_flow` | conditional jumps and returns |
//! | `calls`, `generators` | calls of functions of the program; generators |
//! | `alternatives` | instructions on one of several known functions or objects |
//! | `operators`, `library`, `sorting` | built-in operators and functions; minimum, maximum and sorting |
//! | `library_functions` | functions of libraries |
//! | `peephole` | resolution of jump targets, and fusion of instructions |

mod alternatives;
mod calls;
mod conditions;
mod control_flow;
mod dicts;
mod generators;
mod instructions;
mod iterables;
mod library;
mod library_functions;
mod methods;
mod module_state;
mod objects;
mod operators;
mod peephole;
mod records;
mod sorting;
mod tables;
mod texts;
mod values;

use std::sync::Arc;

use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxHashMap;

use super::coverage::{Coverage, CoverageGap};
use super::op::{Op, Reg};
use super::run::{FallbackReason, RegisterCode};
use crate::code::{CodeId, CodeObject as StackCode, Instruction, Program, Variable};
use crate::inference::branches::branch;
use crate::inference::text_functions::TextFunction;
use crate::inference::types::{Kinds, Type, TypeDetail};
use crate::inference::{Inference, InstanceId};
use crate::limits::CallBudget;
use crate::machine::CallError;
use tables::Sink;
pub(super) use values::width;
use values::{Layout, Location, Value, VariableLocation};

/// The result of a translation, or a message that says why the construct has no fast form.
pub(super) type EmitResult<T> = Result<T, String>;

/// The exclusive limit on the number of instructions, of labels and of constants, which are indexed by 16 bits.
const MAX_INDEX: usize = u16::MAX as usize;

/// A jump target, by a number that is resolved later.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Label(u16);

/// The use of the values that a function returns or yields.
#[derive(Debug, Clone)]
enum ReturnUse {
    /// The value is the result of the whole call.
    Exit,
    /// The value decides the conditional jump at this instruction of the caller.
    Branch { at: usize },
    /// The value is stored in the registers from `to` on; execution continues at `then`.
    Value { shape: Layout, to: Reg, then: Label },
    /// The function has only one return: its value stays where it is, and execution continues at `then`.
    SingleReturn { then: Label },
    /// The function is a generator: each value that it yields is used; after the last one, execution continues at `then`.
    Generator { each: YieldUse, then: Label },
}

/// The use of each value that a generator yields.
#[derive(Debug, Clone)]
enum YieldUse {
    /// The first value is stored in the registers from `to` on; execution continues at `then`.
    First { shape: Layout, to: Reg, then: Label },
    /// The first value whose truth is `when` ends the loop; execution continues at `then`.
    Branch { when: bool, then: Label },
    /// The values, which are of these kinds, are added to the number in the registers `to`.
    Sum { to: Reg, kinds: Kinds },
    /// The values are passed to a container.
    Feed(Sink),
}

/// A function under translation.
struct InlineFrame {
    instance: InstanceId,
    pc: usize,
    stack: Vec<Value>,
    variables: Vec<VariableLocation>,
    /// For each variable, whether a single instruction assigns it, before any use.
    assigned_once: Vec<bool>,
    /// The first register that belongs to the function.
    first_register: Reg,
    labels: Vec<Option<Label>>,
    /// The values on the stack at each jump target.
    entry_stacks: Vec<Option<Vec<Value>>>,
    /// The number of incoming edges of each instruction.
    edge_counts: Vec<u32>,
    /// The first of the registers for the stack where paths join: two for each value.
    join_registers: Reg,
    /// The first register for temporary values.
    first_temporary: Reg,
    /// The value of [`Emitter::instruction_count`] at each instruction.
    instruction_counts: Vec<u32>,
    return_use: ReturnUse,
    /// The value of the only return.
    single_return: Option<Value>,
}

/// The translation of a function and of all functions that it calls.
pub(super) struct Emitter<'e> {
    inference: Inference<'e>,
    code: RegisterCode,
    /// The index of the instruction at each label; `None` until the label is placed.
    labels: Vec<Option<usize>>,
    frames: Vec<InlineFrame>,
    /// The next free register.
    next_register: Reg,
    /// The index of the instruction at the last label. A jump may skip the instructions before it.
    last_label_index: usize,
    /// The number of stack instructions translated so far.
    instruction_count: u32,
    /// The instructions that end the call and are the targets of jumps, each emitted once at the end of the code.
    exit_labels: IndexMap<Op, Label>,
    /// The reasons for handing calls over.
    reasons: IndexSet<String>,
    /// The indices of the exceptions, by the instruction that raises them and the message.
    exceptions: FxHashMap<(InstanceId, usize, String), u16>,
    /// Bit sets of classes.
    masks: IndexSet<u64>,
    /// The functions of texts that have tables.
    text_functions: IndexSet<TextFunction>,
    constants: FxHashMap<Vec<u64>, u16>,
    /// The indices of the loop starts over lists whose elements may be `None`.
    optional_loops: Vec<usize>,
    /// The register instruction of each loop start, by its stack instruction; its cost is set at the jump back.
    loop_starts: FxHashMap<(InstanceId, usize), usize>,
    coverage: Coverage,
    max_depth: usize,
    /// Whether any instruction of the program assigns an attribute.
    assigns_attributes: bool,
    /// The number of open calls whose exceptions CPython may raise later, or never.
    deferred_exceptions: u32,
    /// The instruction that is translated for one of several values of an operand, and the number of that value.
    alternative: Option<((InstanceId, usize), u8)>,
}

/// Translates the function whose types were inferred, with every function that it calls inlined.
///
/// # Errors
/// Returns a message if the function is unreachable, or needs more registers, instructions, labels or constants than there are.
pub(super) fn emit(types: Inference<'_>) -> EmitResult<(RegisterCode, Coverage)> {
    let coverage = Coverage::from_inference(types.program, &types);
    let program = types.program;
    let mut emitter = Emitter {
        inference: types,
        code: RegisterCode::default(),
        labels: Vec::new(),
        frames: Vec::new(),
        // The first register is the list of objects.
        next_register: 1,
        last_label_index: 0,
        instruction_count: 0,
        exit_labels: IndexMap::new(),
        reasons: FallbackReason::MESSAGES.iter().map(|&reason| reason.to_owned()).collect(),
        exceptions: FxHashMap::default(),
        masks: IndexSet::new(),
        text_functions: IndexSet::new(),
        constants: FxHashMap::default(),
        optional_loops: Vec::new(),
        loop_starts: FxHashMap::default(),
        coverage,
        max_depth: 0,
        assigns_attributes: assigns_attributes(program),
        deferred_exceptions: 0,
        alternative: None,
    };
    emitter.emit_entry()?;
    emitter.finish()
}

impl Emitter<'_> {
    fn emit_entry(&mut self) -> EmitResult<()> {
        let root = InstanceId(0);
        let Some(state) = self.inference.state_before(root, 0) else { return Err("nothing is reached".to_owned()) };
        let variables = state.variables.clone();
        let signature = self.stack_code(root).signature.clone();
        let place_of = |emitter: &Self, variable: Variable| {
            let place = emitter.inference.variable_index(root, variable);
            place.map_err(|_| "the parameter is of another function".to_owned())
        };
        let first = signature.positional.first().map(|parameter| parameter.variable);
        let rest = signature.var_positional.as_ref().map(|parameter| parameter.variable);
        let (variable, is_own) = match (first, rest) {
            (Some(first), _) => (first, true),
            (None, Some(rest)) => (rest, false),
            (None, None) => return Err("the list of objects is not a parameter".to_owned()),
        };
        let scene_place = place_of(self, variable)?;
        let keywords =
            signature.var_keyword.as_ref().map(|parameter| place_of(self, parameter.variable)).transpose()?;
        let mut scene = Value::in_register(variables[scene_place as usize], 0);
        if !is_own {
            let Some(TypeDetail::Tuple(parts)) = self.inference.types.detail(scene.ty) else {
                return Err("the list of objects is not a parameter".to_owned());
            };
            let parts = parts.iter().map(|&part| Value::in_register(part, 0)).collect();
            scene.location = Location::Tuple(parts);
        }
        let objects = match &scene.location {
            Location::Tuple(parts) => parts[0].ty,
            _ => scene.ty,
        };
        let mut arguments = Vec::new();
        for (place, &holds) in (0..).zip(&variables).filter(|(_, holds)| holds.kinds != Kinds::UNBOUND) {
            let value = if place == scene_place {
                scene.clone()
            } else if Some(place) == keywords {
                // No other arguments are given.
                self.keyword_dict(holds, Vec::new())?
            } else {
                Value::constant(holds)
            };
            arguments.push((place, value));
        }
        self.code.mutates_scene = self.inference.types.site_of(objects).is_mutated;
        // The objects of the scene are single words.
        if self.element_layout(objects)?.width() != 1 {
            return Err("the list of objects holds values of several types".to_owned());
        }
        self.inline_function(root, &arguments, ReturnUse::Exit)?;
        Ok(())
    }

    fn stack_code(&self, instance: InstanceId) -> &StackCode {
        self.inference.program.code(self.inference.instance_at(instance).code)
    }

    fn frame_mut(&mut self) -> &mut InlineFrame {
        self.frames.last_mut().expect("a function is open")
    }

    fn current_instruction(&self) -> (InstanceId, usize) {
        let open = self.frames.last().expect("a function is open");
        (open.instance, open.pc)
    }

    fn push(&mut self, value: Value) {
        self.frame_mut().stack.push(value);
    }

    fn pop(&mut self) -> Value {
        self.frame_mut().stack.pop().expect("instructions find what they take")
    }

    fn push_op(&mut self, op: Op) {
        self.code.ops.push(op);
    }

    /// Records the next instruction as the start of a loop whose elements may be `None`, if the type of the elements allows it.
    fn record_optional_loop(&mut self, element: Type) {
        if element.kinds.intersects(Kinds::NONE) {
            self.optional_loops.push(self.code.ops.len());
        }
    }

    fn label(&mut self) -> Label {
        self.labels.push(None);
        // With more labels than numbers, `check_size` rejects the function.
        Label(u16::try_from(self.labels.len() - 1).unwrap_or(u16::MAX))
    }

    /// Places the label before the next instruction.
    fn place_label(&mut self, label: Label) {
        self.labels[label.0 as usize] = Some(self.code.ops.len());
        self.last_label_index = self.code.ops.len();
    }

    fn jump(&mut self, label: Label) {
        self.push_op(Op::Jump { t: label.0 });
    }

    /// Returns the label, at the end of the code, of an instruction that ends the call.
    fn exit_label(&mut self, op: Op) -> Label {
        if let Some(&label) = self.exit_labels.get(&op) {
            return label;
        }
        let label = self.label();
        self.exit_labels.insert(op, label);
        label
    }

    /// Returns an instruction that hands the call over for this reason, with the line of the current instruction unless the reason is one of
    /// those that are not specific to the program.
    fn fallback(&mut self, reason: &str) -> Op {
        let place = self.reasons.get_index_of(reason).unwrap_or_else(|| {
            let line = self.frames.last().map(|open| {
                let start =
                    self.stack_code(open.instance).instruction_ranges.get(open.pc).map_or(0, |range| range.start);
                format!("line {}: {reason}", self.inference.program.line_number(start))
            });
            self.reasons.insert_full(line.unwrap_or_else(|| reason.to_owned())).0
        });
        Op::Fallback { reason: place as u16 }
    }

    /// Returns an instruction that raises an exception at the current instruction, or hands the call over if a handler may catch it.
    fn raise(&mut self, kind: &str, message: &str) -> Op {
        let handled = self.frames.iter().any(|open| {
            let code = self.stack_code(open.instance);
            !code.handlers.is_empty() || code.kind.is_generator()
        });
        if handled || self.deferred_exceptions > 0 {
            return self.fallback("an exception that may be handled");
        }
        let (instance, pc) = self.current_instruction();
        let at = (instance, pc, format!("{kind}: {message}"));
        if let Some(&error) = self.exceptions.get(&at) {
            return Op::Raise { error };
        }
        let program = self.inference.program;
        let traceback = self.frames.iter().map(|open| {
            let code = self.stack_code(open.instance);
            program.traceback_entry(code, open.pc)
        });
        let error = CallError::Exception {
            kind: kind.to_owned(),
            message: message.to_owned(),
            traceback: traceback.collect(),
            chain: Vec::new(),
        };
        let place = self.code.errors.len() as u16;
        self.exceptions.insert(at, place);
        self.code.errors.push(Arc::new(error));
        Op::Raise { error: place }
    }

    /// Rejects a function with too many instructions, labels or constants for their indices, before it is translated to the end.
    fn check_size(&self) -> EmitResult<()> {
        let size = self.code.ops.len().max(self.labels.len()).max(self.code.constants.len());
        if size < MAX_INDEX { Ok(()) } else { Err("too many instructions".to_owned()) }
    }

    fn constant(&mut self, bits: &[u64]) -> u16 {
        if let Some(&place) = self.constants.get(bits) {
            return place;
        }
        // With more constants than numbers, `check_size` rejects the function.
        let place = u16::try_from(self.code.constants.len()).unwrap_or(u16::MAX);
        self.code.constants.extend(bits);
        self.constants.insert(bits.to_vec(), place);
        place
    }

    /// Inlines a function with these initial values of variables; returns the value of its return for [`ReturnUse::SingleReturn`].
    fn inline_function(
        &mut self,
        instance: InstanceId,
        arguments: &[(u32, Value)],
        ends: ReturnUse,
    ) -> EmitResult<Option<Value>> {
        let saved = self.next_register;
        let depth = self.frames.len();
        self.max_depth = self.max_depth.max(depth + 1);
        let length = self.stack_code(instance).instructions.len();
        let open = InlineFrame {
            instance,
            pc: 0,
            stack: Vec::new(),
            variables: Vec::new(),
            assigned_once: Vec::new(),
            first_register: saved,
            labels: vec![None; length],
            entry_stacks: vec![None; length],
            edge_counts: self.edge_counts(instance),
            join_registers: 0,
            first_temporary: 0,
            instruction_counts: vec![0; length],
            return_use: ends,
            single_return: None,
        };
        self.frames.push(open);
        let laid = self.allocate_variables(arguments).and_then(|()| {
            for pc in 0..length {
                self.translate_reachable(pc)?;
            }
            Ok(())
        });
        self.frames.truncate(depth + 1);
        let open = self.frames.pop();
        self.next_register = saved;
        laid?;
        Ok(open.and_then(|open| open.single_return))
    }

    /// Returns the number of incoming edges of each instruction.
    fn edge_counts(&self, instance: InstanceId) -> Vec<u32> {
        let code = self.stack_code(instance);
        let mut arrivals = vec![0; code.instructions.len()];
        arrivals[0] += 1;
        for pc in 0..code.instructions.len() {
            if self.inference.state_before(instance, pc).is_none()
                || self.inference.unsupported_at(instance, pc).is_some()
            {
                continue;
            }
            for target in emitted_successors(code, pc) {
                if let Some(count) = arrivals.get_mut(target) {
                    *count += 1;
                }
            }
        }
        arrivals
    }

    /// Translates an instruction if it is reachable.
    fn translate_reachable(&mut self, pc: usize) -> EmitResult<()> {
        let (instance, _) = self.current_instruction();
        if self.inference.state_before(instance, pc).is_none() {
            self.frame_mut().pc = usize::MAX;
            return Ok(());
        }
        let live = pc == 0 || self.frame_mut().pc == pc;
        let open = self.frame_mut();
        if open.edge_counts[pc] > 1 || !live || open.labels[pc].is_some() {
            if live {
                let stack = open.stack.clone();
                if let Err(description) = self.join_stack(pc, stack) {
                    self.emit_unsupported(pc, &description);
                }
            }
            let Some(entry) = self.frame_mut().entry_stacks[pc].clone() else { return Ok(()) };
            let label = self.label_of(pc);
            self.place_label(label);
            self.frame_mut().stack = entry;
        }
        let counted = self.instruction_count;
        let open = self.frame_mut();
        open.pc = pc;
        open.instruction_counts[pc] = counted;
        self.instruction_count += 1;
        self.release_temporaries()?;
        self.check_size()?;
        let depth = self.frames.len();
        let goes_on = match self.inference.unsupported_at(instance, pc).map(|gap| gap.description.clone()) {
            Some(description) => Err(description),
            None => self.translate_instruction(pc),
        };
        let goes_on = match goes_on {
            Ok(goes_on) => goes_on,
            Err(description) => {
                self.frames.truncate(depth);
                self.emit_unsupported(pc, &description);
                false
            }
        };
        // The index of the next instruction if execution falls through to it.
        self.frame_mut().pc = if goes_on { pc + 1 } else { usize::MAX };
        Ok(())
    }

    /// Emits an instruction that hands the call over, and reports the construct as not covered.
    fn emit_unsupported(&mut self, pc: usize, description: &str) {
        let (instance, _) = self.current_instruction();
        let row = self.inference.program.line_number(self.stack_code(instance).instruction_ranges[pc].start);
        self.coverage.add(CoverageGap { line: row, construct: description.to_owned() });
        let op = self.fallback(description);
        self.push_op(op);
    }

    /// Returns the label of an instruction of the current function.
    fn label_of(&mut self, pc: usize) -> Label {
        if let Some(label) = self.frame_mut().labels[pc] {
            return label;
        }
        let label = self.label();
        self.frame_mut().labels[pc] = Some(label);
        label
    }

    /// Returns the type of the value that the current instruction leaves on the stack.
    fn result_type(&self) -> Type {
        let (instance, pc) = self.current_instruction();
        match self.current_alternative() {
            Some(alternative) => self.inference.alternative_result(instance, pc, alternative),
            None => self.inference.instance_at(instance).result_types[pc],
        }
    }

    /// Returns the number of the value of [`OneOf`](crate::inference::types::TypeDetail::OneOf) that the current instruction is translated
    /// for; `None` if it is translated once.
    fn current_alternative(&self) -> Option<u8> {
        let current = self.current_instruction();
        self.alternative.and_then(|(at, alternative)| (at == current).then_some(alternative))
    }

    /// Returns the instance of a function that the current instruction calls.
    fn callee(&self, code: CodeId) -> Option<InstanceId> {
        let (instance, pc) = self.current_instruction();
        self.inference.callee(instance, pc, code, self.current_alternative().unwrap_or(0))
    }
}

/// An upper bound on the units of work that the reference machine spends on a stack instruction that has a fast form; a test runs both
/// engines with equal budgets.
const MAX_WORK_PER_INSTRUCTION: u64 = 16;

/// Returns the number of stack instructions that the loops of a fast call may repeat before the call is handed over. Within this limit, the
/// reference machine exceeds neither the budget nor the work of a slow call. The number is negative if the budget does not even cover a
/// call without loops.
pub(super) fn fuel(code: &RegisterCode, budget: &CallBudget) -> i64 {
    /// An upper bound on the bytes that are in use before a call.
    const MAX_BASE_MEMORY: usize = 8 << 20;
    /// An upper bound on the bytes that an instruction of the reference machine allocates.
    const MAX_BYTES_PER_INSTRUCTION: usize = 512;
    if budget.call_depth < 2 * code.call_depth + 8 {
        return -1;
    }
    let instructions = budget.work.min(budget.slow_call_work) / MAX_WORK_PER_INSTRUCTION;
    let memory = (budget.memory.saturating_sub(MAX_BASE_MEMORY) / MAX_BYTES_PER_INSTRUCTION) as u64;
    i64::try_from(instructions.min(memory)).unwrap_or(i64::MAX).saturating_sub_unsigned(code.cost)
}

/// Returns the successors of an instruction in the emitted code, where a jump to a conditional jump or a return is replaced by a copy of
/// its target.
fn emitted_successors(code: &StackCode, pc: usize) -> Vec<usize> {
    if let Some(edges) = branch(code, pc) {
        let targets = edges.iter().map(|edge| edge.target);
        return targets.filter(|target| *target == pc + 1 || !is_return(code, *target)).collect();
    }
    match code.instructions[pc] {
        Instruction::Jump(target) => {
            let target = target as usize;
            match code.instructions[target] {
                _ if is_return(code, target) => Vec::new(),
                _ if branch(code, target).is_some() => emitted_successors(code, target),
                _ => vec![target],
            }
        }
        Instruction::Return => Vec::new(),
        Instruction::Next(target) => vec![pc + 1, target as usize],
        Instruction::Delegate(target) => vec![target as usize],
        _ => vec![pc + 1],
    }
}

/// Whether any instruction of the program assigns an attribute.
fn assigns_attributes(program: &Program) -> bool {
    let mut instructions = program.codes.iter().flat_map(|code| &code.instructions);
    instructions.any(|instruction| matches!(instruction, Instruction::StoreAttribute(_)))
}

/// Whether the instruction is a return.
fn is_return(code: &StackCode, pc: usize) -> bool {
    code.instructions[pc] == Instruction::Return
}

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
//! | `steps`, `objects` | translation of single instructions |
//! | `ends` | conditional jumps and returns |
//! | `calls` | calls of functions of the program, and iteration of generators |
//! | `library`, `order` | built-in operators, functions and methods; minimum, maximum and sorting |
//! | `finish` | resolution of jump targets, and fusion of instructions |

mod calls;
mod conditions;
mod ends;
mod finish;
mod library;
mod objects;
mod order;
mod steps;
mod values;

use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxHashMap;

use super::coverage::{Coverage, Uncovered};
use super::op::{Op, R};
use super::run::{Code, Why};
use crate::code::{Code as StackCode, Instruction, Program};
use crate::limits::Budget;
use crate::machine::CallError;
use crate::typed::flow::branch;
use crate::typed::types::{Kinds, Type};
use crate::typed::{Inference, InstanceId};
use values::{Binding, Shape, Value};

/// The result of a translation, or a message that says why the construct has no fast form.
pub(super) type Laid<T> = Result<T, String>;

/// The exclusive limit on the number of instructions, of labels and of constants, which are indexed by 16 bits.
const MOST: usize = u16::MAX as usize;

/// A jump target, by a number that is resolved later.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Label(u16);

/// The use of the values that a function returns or yields.
#[derive(Debug, Clone)]
enum Ends {
    /// The value is the result of the whole call.
    Outside,
    /// The value decides the conditional jump at this instruction of the caller.
    Decides { at: usize },
    /// The value is stored in the registers from `to` on; execution continues at `then`.
    Value { shape: Shape, to: R, then: Label },
    /// The function has only one return: its value stays where it is, and execution continues at `then`.
    Single { then: Label },
    /// The function is a generator: each value that it yields is used; after the last one, execution continues at `then`.
    Generator { each: Each, then: Label },
}

/// The use of each value that a generator yields.
#[derive(Debug, Clone)]
enum Each {
    /// The first value is stored in the registers from `to` on; execution continues at `then`.
    First { shape: Shape, to: R, then: Label },
    /// The first value whose truth is `when` ends the loop; execution continues at `then`.
    Decides { when: bool, then: Label },
    /// The values are added to the register `to`.
    Sum { to: R, floats: bool },
}

/// A function under translation.
struct Open {
    instance: InstanceId,
    pc: usize,
    stack: Vec<Value>,
    variables: Vec<Binding>,
    /// For each variable, whether a single instruction assigns it, before any use.
    once: Vec<bool>,
    /// The first register that belongs to the function.
    base: R,
    labels: Vec<Option<Label>>,
    /// The values on the stack at each jump target.
    entries: Vec<Option<Vec<Value>>>,
    /// The number of incoming edges of each instruction.
    arrivals: Vec<u32>,
    /// The first of the registers for the stack where paths join: two for each value.
    home: R,
    /// The first register for temporary values.
    floor: R,
    /// The value of [`Emitter::counted`] at each instruction.
    counted: Vec<u32>,
    ends: Ends,
    /// The value of the only return.
    single: Option<Value>,
}

/// The translation of a function and of all functions that it calls.
pub(super) struct Emitter<'e> {
    types: Inference<'e>,
    code: Code,
    /// The index of the instruction at each label; `None` until the label is placed.
    labels: Vec<Option<usize>>,
    open: Vec<Open>,
    /// The next free register.
    free: R,
    /// The index of the instruction at the last label. A jump may skip the instructions before it.
    sealed: usize,
    /// The number of stack instructions translated so far.
    counted: u32,
    /// The instructions that end the call and are the targets of jumps, each emitted once at the end of the code.
    exits: IndexMap<Op, Label>,
    /// The reasons for handing calls over.
    reasons: IndexSet<String>,
    /// The indices of the exceptions, by the instruction that raises them and the message.
    raised: FxHashMap<(InstanceId, usize, String), u16>,
    /// Bit sets of classes.
    masks: IndexSet<u64>,
    constants: FxHashMap<Vec<u64>, u16>,
    /// The indices of the loop starts over lists whose elements may be `None`.
    missing: Vec<usize>,
    /// The register instruction of each loop start, by its stack instruction; its cost is set at the jump back.
    loops: FxHashMap<(InstanceId, usize), usize>,
    coverage: Coverage,
    deepest: usize,
    /// Whether any instruction of the program assigns an attribute.
    sets_fields: bool,
}

/// Translates the function whose types were inferred, with every function that it calls inlined.
///
/// # Errors
/// Returns a message if the function is unreachable, or needs more registers, instructions, labels or constants than there are.
pub(super) fn emit(types: Inference<'_>) -> Laid<(Code, Coverage)> {
    let coverage = Coverage::of(types.program, &types);
    let program = types.program;
    let mut emitter = Emitter {
        types,
        code: Code::default(),
        labels: Vec::new(),
        open: Vec::new(),
        // The first register is the list of objects.
        free: 1,
        sealed: 0,
        counted: 0,
        exits: IndexMap::new(),
        reasons: Why::REASONS.iter().map(|&reason| reason.to_owned()).collect(),
        raised: FxHashMap::default(),
        masks: IndexSet::new(),
        constants: FxHashMap::default(),
        missing: Vec::new(),
        loops: FxHashMap::default(),
        coverage,
        deepest: 0,
        sets_fields: sets_fields(program),
    };
    emitter.whole()?;
    emitter.finish()
}

impl Emitter<'_> {
    fn whole(&mut self) -> Laid<()> {
        let root = InstanceId(0);
        let Some(state) = self.types.before(root, 0) else { return Err("nothing is reached".to_owned()) };
        let variables = state.variables.clone();
        let signature = &self.stack_code(root).signature;
        let first = signature.positional[0].place;
        let scene = self.types.variable(root, first).map_err(|_| "the parameter is of another function".to_owned())?;
        let arguments = variables.iter().enumerate().filter(|(_, holds)| holds.kinds != Kinds::UNBOUND);
        let arguments = arguments.map(|(place, &holds)| {
            let value = if place == scene as usize { Value::one(holds, 0) } else { Value::known(holds) };
            (place as u32, value)
        });
        let arguments: Vec<(u32, Value)> = arguments.collect();
        let site = self.types.types.site_of(arguments[0].1.holds);
        self.code.changes_scene = site.changes;
        self.lay_out(root, &arguments, Ends::Outside)?;
        Ok(())
    }

    fn stack_code(&self, instance: InstanceId) -> &StackCode {
        self.types.program.code(self.types.get(instance).code)
    }

    fn top(&mut self) -> &mut Open {
        self.open.last_mut().expect("a function is open")
    }

    fn instance(&self) -> (InstanceId, usize) {
        let open = self.open.last().expect("a function is open");
        (open.instance, open.pc)
    }

    fn push(&mut self, value: Value) {
        self.top().stack.push(value);
    }

    fn pop(&mut self) -> Value {
        self.top().stack.pop().expect("instructions find what they take")
    }

    fn op(&mut self, op: Op) {
        self.code.ops.push(op);
    }

    /// Records the next instruction as the start of a loop whose elements may be `None`, if the type of the elements allows it.
    fn note_missing(&mut self, element: Type) {
        if element.kinds.has(Kinds::NONE) {
            self.missing.push(self.code.ops.len());
        }
    }

    fn label(&mut self) -> Label {
        self.labels.push(None);
        // With more labels than numbers, `check_size` rejects the function.
        Label(u16::try_from(self.labels.len() - 1).unwrap_or(u16::MAX))
    }

    /// Places the label before the next instruction.
    fn land(&mut self, label: Label) {
        self.labels[label.0 as usize] = Some(self.code.ops.len());
        self.sealed = self.code.ops.len();
    }

    fn jump(&mut self, label: Label) {
        self.op(Op::Jump { t: label.0 });
    }

    /// Returns the label, at the end of the code, of an instruction that ends the call.
    fn exit(&mut self, op: Op) -> Label {
        if let Some(&label) = self.exits.get(&op) {
            return label;
        }
        let label = self.label();
        self.exits.insert(op, label);
        label
    }

    /// Returns an instruction that hands the call over for this reason.
    fn hand_over(&mut self, what: &str) -> Op {
        let place = self.reasons.get_index_of(what).unwrap_or_else(|| self.reasons.insert_full(what.to_owned()).0);
        Op::HandOver { why: place as u16 }
    }

    /// Returns an instruction that raises an exception at the current instruction, or hands the call over if a handler may catch it.
    fn raised(&mut self, kind: &str, message: &str) -> Op {
        let handled = self.open.iter().any(|open| {
            let code = self.stack_code(open.instance);
            !code.handlers.is_empty() || code.kind == crate::code::CodeKind::Generator
        });
        if handled {
            return self.hand_over("an exception that may be handled");
        }
        let (instance, pc) = self.instance();
        let at = (instance, pc, format!("{kind}: {message}"));
        if let Some(&error) = self.raised.get(&at) {
            return Op::Raise { error };
        }
        let program = self.types.program;
        let traceback = self.open.iter().map(|open| {
            let code = self.stack_code(open.instance);
            program.place(code, open.pc)
        });
        let error = CallError::Exception {
            kind: kind.to_owned(),
            message: message.to_owned(),
            traceback: traceback.collect(),
            chain: Vec::new(),
        };
        let place = self.code.errors.len() as u16;
        self.raised.insert(at, place);
        self.code.errors.push(error);
        Op::Raise { error: place }
    }

    /// Rejects a function with too many instructions, labels or constants for their indices, before it is translated to the end.
    fn check_size(&self) -> Laid<()> {
        let most = self.code.ops.len().max(self.labels.len()).max(self.code.constants.len());
        if most < MOST { Ok(()) } else { Err("too many instructions".to_owned()) }
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

    /// Inlines a function with these initial values of variables; returns the value of its return for [`Ends::Single`].
    fn lay_out(&mut self, instance: InstanceId, arguments: &[(u32, Value)], ends: Ends) -> Laid<Option<Value>> {
        let kept = self.free;
        let depth = self.open.len();
        self.deepest = self.deepest.max(depth + 1);
        let length = self.stack_code(instance).instructions.len();
        let open = Open {
            instance,
            pc: 0,
            stack: Vec::new(),
            variables: Vec::new(),
            once: Vec::new(),
            base: kept,
            labels: vec![None; length],
            entries: vec![None; length],
            arrivals: self.arrivals(instance),
            home: 0,
            floor: 0,
            counted: vec![0; length],
            ends,
            single: None,
        };
        self.open.push(open);
        let laid = self.begin(arguments).and_then(|()| {
            for pc in 0..length {
                self.arrive_and_run(pc)?;
            }
            Ok(())
        });
        self.open.truncate(depth + 1);
        let open = self.open.pop();
        self.free = kept;
        laid?;
        Ok(open.and_then(|open| open.single))
    }

    /// Returns the number of incoming edges of each instruction.
    fn arrivals(&self, instance: InstanceId) -> Vec<u32> {
        let code = self.stack_code(instance);
        let mut arrivals = vec![0; code.instructions.len()];
        arrivals[0] += 1;
        for pc in 0..code.instructions.len() {
            if self.types.before(instance, pc).is_none() || self.types.gap(instance, pc).is_some() {
                continue;
            }
            for target in onward(code, pc) {
                if let Some(count) = arrivals.get_mut(target) {
                    *count += 1;
                }
            }
        }
        arrivals
    }

    /// Translates an instruction if it is reachable.
    fn arrive_and_run(&mut self, pc: usize) -> Laid<()> {
        let (instance, _) = self.instance();
        if self.types.before(instance, pc).is_none() {
            self.top().pc = usize::MAX;
            return Ok(());
        }
        let live = pc == 0 || self.top().pc == pc;
        let open = self.top();
        if open.arrivals[pc] > 1 || !live || open.labels[pc].is_some() {
            if live {
                let stack = open.stack.clone();
                if let Err(what) = self.arrive(pc, stack) {
                    self.leave_out(pc, &what);
                }
            }
            let Some(entry) = self.top().entries[pc].clone() else { return Ok(()) };
            let label = self.label_of(pc);
            self.land(label);
            self.top().stack = entry;
        }
        let counted = self.counted;
        let open = self.top();
        open.pc = pc;
        open.counted[pc] = counted;
        self.counted += 1;
        self.settle_free()?;
        self.check_size()?;
        let depth = self.open.len();
        let goes_on = match self.types.gap(instance, pc).map(|gap| gap.what.clone()) {
            Some(what) => Err(what),
            None => self.step(pc),
        };
        let goes_on = match goes_on {
            Ok(goes_on) => goes_on,
            Err(what) => {
                self.open.truncate(depth);
                self.leave_out(pc, &what);
                false
            }
        };
        // The index of the next instruction if execution falls through to it.
        self.top().pc = if goes_on { pc + 1 } else { usize::MAX };
        Ok(())
    }

    /// Emits an instruction that hands the call over, and reports the construct as not covered.
    fn leave_out(&mut self, pc: usize, what: &str) {
        let (instance, _) = self.instance();
        let row = self.types.program.line(self.stack_code(instance).places[pc].start().to_u32());
        self.coverage.add(Uncovered { line: row, what: what.to_owned() });
        let op = self.hand_over(&format!("line {row}: {what}"));
        self.op(op);
    }

    /// Returns the label of an instruction of the current function.
    fn label_of(&mut self, pc: usize) -> Label {
        if let Some(label) = self.top().labels[pc] {
            return label;
        }
        let label = self.label();
        self.top().labels[pc] = Some(label);
        label
    }

    /// Returns the type of the value that the current instruction leaves on the stack.
    fn leaves(&self) -> Type {
        let (instance, pc) = self.instance();
        self.types.get(instance).leaves[pc]
    }
}

/// An upper bound on the units of work that the reference machine spends on a stack instruction that has a fast form; a test runs both
/// engines with equal budgets.
const WORK: u64 = 16;

/// Returns the number of stack instructions that the loops of a fast call may repeat before the call is handed over. Within this limit, the
/// reference machine exceeds neither the budget nor the work of a slow call. The number is negative if the budget does not even cover a
/// call without loops.
pub(super) fn fuel(code: &Code, budget: &Budget) -> i64 {
    /// An upper bound on the bytes that are in use before a call.
    const ALIVE: usize = 8 << 20;
    /// An upper bound on the bytes that an instruction of the reference machine allocates.
    const BYTES: usize = 512;
    if budget.calls < 2 * code.depth + 8 {
        return -1;
    }
    let instructions = budget.work.min(budget.slow) / WORK;
    let memory = (budget.memory.saturating_sub(ALIVE) / BYTES) as u64;
    i64::try_from(instructions.min(memory)).unwrap_or(i64::MAX).saturating_sub_unsigned(code.cost)
}

/// Returns the successors of an instruction in the emitted code, where a jump to a conditional jump or a return is replaced by a copy of
/// its target.
fn onward(code: &StackCode, pc: usize) -> Vec<usize> {
    if let Some(edges) = branch(code, pc) {
        let targets = edges.iter().map(|edge| edge.target);
        return targets.filter(|target| *target == pc + 1 || !returns(code, *target)).collect();
    }
    match code.instructions[pc] {
        Instruction::Jump(target) => {
            let target = target as usize;
            match code.instructions[target] {
                _ if returns(code, target) => Vec::new(),
                _ if branch(code, target).is_some() => onward(code, target),
                _ => vec![target],
            }
        }
        Instruction::Return => Vec::new(),
        Instruction::Next(target) => vec![pc + 1, target as usize],
        _ => vec![pc + 1],
    }
}

/// Whether any instruction of the program assigns an attribute.
fn sets_fields(program: &Program) -> bool {
    let mut instructions = program.codes.iter().flat_map(|code| &code.instructions);
    instructions.any(|instruction| matches!(instruction, Instruction::StoreAttribute(_)))
}

/// Whether the instruction is a return.
fn returns(code: &StackCode, pc: usize) -> bool {
    code.instructions[pc] == Instruction::Return
}

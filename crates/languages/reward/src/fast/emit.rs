//! Stack code with types to instructions of the register machine.
//!
//! Calls are laid out in place, function within function. The stack is followed without being there: what is on it is a [`Value`],
//! which says where it lies or how it is had, and becomes an instruction only when something needs it in a register. Where paths meet,
//! what is on the stack lies in registers that are set aside for that.
//!
//! | module | what lives there |
//! |---|---|
//! | `values` | values, and registers for them |
//! | `conditions` | what decides a jump |
//! | `steps`, `objects` | instructions, one by one |
//! | `ends` | where decisions lead, and how functions end |
//! | `calls`, `library`, `order` | functions of the program, and those that are built in |
//! | `finish` | jumps get their targets; loops over objects are put together |

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
use crate::machine::Error;
use crate::typed::flow::branch;
use crate::typed::types::{Kinds, Type};
use crate::typed::{Inference, InstanceId};
use values::{Binding, Shape, Value};

/// What is laid out, or why it is not.
pub(super) type Laid<T> = Result<T, String>;

/// Fewer instructions than this are laid out, and so are labels and constants: their numbers have 16 bits.
const MOST: usize = u16::MAX as usize;

/// A place in the instructions, by its number until it is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Label(u16);

/// What becomes of what a function gives.
#[derive(Debug, Clone)]
enum Ends {
    /// The caller outside gets it.
    Outside,
    /// It decides where the function that calls goes on.
    Decides { at: usize },
    /// It goes to this place.
    Value { shape: Shape, to: R, then: Label },
    /// It is the one value that there is, and stays where it is.
    Single { then: Label },
    /// A generator: what it gives is put to use one by one; at its end, it goes on there.
    Generator { each: Each, then: Label },
}

/// What is done with each value of a generator.
#[derive(Debug, Clone)]
enum Each {
    /// The first one goes to this place.
    First { shape: Shape, to: R, then: Label },
    /// One that counts as true, or one that does not, decides.
    Decides { when: bool, then: Label },
    /// They are added up.
    Sum { to: R, floats: bool },
}

/// A function that is being laid out.
struct Open {
    instance: InstanceId,
    pc: usize,
    stack: Vec<Value>,
    variables: Vec<Binding>,
    /// Which variables get a value at one place only, before any use.
    once: Vec<bool>,
    /// The first register of its own.
    base: R,
    labels: Vec<Option<Label>>,
    /// What is on the stack where paths arrive.
    entries: Vec<Option<Vec<Value>>>,
    /// How many paths arrive.
    arrivals: Vec<u32>,
    /// Registers for the stack where paths meet: two for each value.
    home: R,
    /// The first register for what is there for a moment.
    floor: R,
    /// What [`Emitter::counted`] was at each instruction.
    counted: Vec<u32>,
    ends: Ends,
    /// What the one return gives.
    single: Option<Value>,
}

/// A function that is being laid out, with all that it calls.
pub(super) struct Emitter<'e> {
    types: Inference<'e>,
    code: Code,
    /// Where labels are.
    labels: Vec<Option<usize>>,
    open: Vec<Open>,
    /// The next register that is free.
    free: R,
    /// Where the last label is: instructions before it may be arrived behind.
    sealed: usize,
    /// How many stack instructions have been laid out.
    counted: u32,
    /// Instructions that jumps go to at the end: each only once.
    exits: IndexMap<Op, Label>,
    /// Why calls are handed over.
    reasons: IndexSet<String>,
    /// Exceptions by where they are raised, and what they say.
    raised: FxHashMap<(InstanceId, usize, String), u16>,
    /// Sets of classes.
    masks: IndexSet<u64>,
    constants: FxHashMap<Vec<u64>, u16>,
    /// Where loops over lists begin whose elements may be `None`.
    missing: Vec<usize>,
    /// Loops by their first instruction: where it is, for its cost.
    loops: FxHashMap<(InstanceId, usize), usize>,
    coverage: Coverage,
    deepest: usize,
    /// Whether objects change anywhere in the program.
    sets_fields: bool,
}

/// Lays out a function.
///
/// # Errors
/// In words, if it takes more registers than there are.
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

    /// Notes whether the elements that the next instruction goes through may be `None`.
    fn note_missing(&mut self, element: Type) {
        if element.kinds.has(Kinds::NONE) {
            self.missing.push(self.code.ops.len());
        }
    }

    fn label(&mut self) -> Label {
        self.labels.push(None);
        // With a label that has no number of its own, nothing is laid out.
        Label(u16::try_from(self.labels.len() - 1).unwrap_or(u16::MAX))
    }

    /// The label is here.
    fn land(&mut self, label: Label) {
        self.labels[label.0 as usize] = Some(self.code.ops.len());
        self.sealed = self.code.ops.len();
    }

    fn jump(&mut self, label: Label) {
        self.op(Op::Jump { t: label.0 });
    }

    /// A label at the end, where this ends the call.
    fn exit(&mut self, op: Op) -> Label {
        if let Some(&label) = self.exits.get(&op) {
            return label;
        }
        let label = self.label();
        self.exits.insert(op, label);
        label
    }

    /// Hands the call over, for a reason that the program has.
    fn hand_over(&mut self, what: &str) -> Op {
        let place = self.reasons.get_index_of(what).unwrap_or_else(|| self.reasons.insert_full(what.to_owned()).0);
        Op::HandOver { why: place as u16 }
    }

    /// An exception at the current instruction; handed over where it may be handled.
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
        let error = Error::Exception {
            kind: kind.to_owned(),
            message: message.to_owned(),
            traceback: traceback.collect(),
            earlier: Vec::new(),
        };
        let place = self.code.errors.len() as u16;
        self.raised.insert(at, place);
        self.code.errors.push(error);
        Op::Raise { error: place }
    }

    /// Gives up on what has more of anything than there are numbers for, before it is laid out to its end.
    fn check_size(&self) -> Laid<()> {
        let most = self.code.ops.len().max(self.labels.len()).max(self.code.constants.len());
        if most < MOST { Ok(()) } else { Err("too many instructions".to_owned()) }
    }

    fn constant(&mut self, bits: &[u64]) -> u16 {
        if let Some(&place) = self.constants.get(bits) {
            return place;
        }
        // With one too many, nothing is laid out.
        let place = u16::try_from(self.code.constants.len()).unwrap_or(u16::MAX);
        self.code.constants.extend(bits);
        self.constants.insert(bits.to_vec(), place);
        place
    }

    /// Lays out a function whose variables begin as these values.
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

    /// How many paths arrive at each instruction.
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

    /// Lays out an instruction, if anything gets there.
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
        // Where the next instruction is laid out without a jump.
        self.top().pc = if goes_on { pc + 1 } else { usize::MAX };
        Ok(())
    }

    /// Has calls that get here be handed over.
    fn leave_out(&mut self, pc: usize, what: &str) {
        let (instance, _) = self.instance();
        let row = self.types.program.line(self.stack_code(instance).places[pc].start().to_u32());
        self.coverage.add(Uncovered { line: row, what: what.to_owned() });
        let op = self.hand_over(&format!("line {row}: {what}"));
        self.op(op);
    }

    /// The label of an instruction of a function that is open.
    fn label_of(&mut self, pc: usize) -> Label {
        if let Some(label) = self.top().labels[pc] {
            return label;
        }
        let label = self.label();
        self.top().labels[pc] = Some(label);
        label
    }

    /// The type of what the current instruction leaves on the stack.
    fn leaves(&self) -> Type {
        let (instance, pc) = self.instance();
        self.types.get(instance).leaves[pc]
    }
}

/// Most units of work that the reference machine takes for a stack instruction that has a fast form; a test compares the two.
const WORK: u64 = 16;

/// How many stack instructions a fast call may stand for: for more, what the reference machine takes may be beyond the budget, or so much
/// that it counts as overtime.
pub(super) fn fuel(code: &Code, budget: &Budget) -> i64 {
    /// What is alive before a call, by far.
    const ALIVE: usize = 8 << 20;
    /// Bytes that an instruction of the reference machine may take, by far.
    const BYTES: usize = 512;
    if budget.calls < 2 * code.depth + 8 {
        return -1;
    }
    let instructions = budget.work.min(budget.slow) / WORK;
    let memory = (budget.memory.saturating_sub(ALIVE) / BYTES) as u64;
    i64::try_from(instructions.min(memory)).unwrap_or(i64::MAX).saturating_sub_unsigned(code.cost)
}

/// Where an instruction goes on, as it is laid out: jumps to what decides, or returns, do that themselves.
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

/// Whether objects change anywhere in a program.
fn sets_fields(program: &Program) -> bool {
    let mut instructions = program.codes.iter().flat_map(|code| &code.instructions);
    instructions.any(|instruction| matches!(instruction, Instruction::StoreAttribute(_)))
}

/// Whether there is nothing to be done but to return.
fn returns(code: &StackCode, pc: usize) -> bool {
    code.instructions[pc] == Instruction::Return
}

//! The reference machine: executes programs with the values, exceptions and messages of CPython 3.11.
//!
//! | module | contents |
//! |---|---|
//! | `value`, `heap`, `heap_references`, `dict`, `set_table` | values and the heap cells that they refer to |
//! | `frame`, `run`, `variables` | call frames and the execution of instructions |
//! | `generators`, `contexts`, `patterns` | generators, `with` and `match` |
//! | `call`, `call_error` | calls: binding of arguments to parameters; errors of calls by the host |
//! | `operators`, `sequences`, `augmented_assignment`, `compare`, `plain_comparisons`, `quick_operators`, `hashes`, `numbers` | arithmetic, comparisons and hashes |
//! | `attributes`, `attribute_assignment`, `subscripts`, `dict_entries`, `iterators` | `a.b`, `a[b]`, `for a in b` |
//! | `imports` | modules |
//! | `builtins`, `convert`, `math`, `methods`, `special_methods`, `construct` | built-in functions, methods and classes |
//! | `text`, `format`, `template`, `shortest_float` | conversion of values to text |
//! | `strings`, `bytes`, `sets`, `ranges` | methods of `str`, `bytes` and sets, and ranges |
//! | `types`, `classes`, `protocols`, `class_checks` | user-defined classes and their instances; the class of a value |
//! | `typing`, `abstract_classes`, `abstract_bases` | objects in annotations; checks of classes against abstract base classes and protocols; classes derived from the former |
//! | `library_function`, `parameters` | rows of the tables of functions, calls of them, and the binding of arguments |
//! | `library_class`, `class_methods` | rows of the tables of classes and of class methods |
//! | `wrappers` | functions that decorators of the standard library make from others |
//! | `library` | modules of the Python standard library, such as `collections` and `itertools` |
//! | `exceptions` | exceptions, and the faults that end a run |
//! | `screen`, `entities` | the objects that reward functions read |
//! | `numpy` | `numpy` arrays, scalars and functions |
//! | `reward` | conversion of a returned value to a reward |
//! | `constant_value`, `static_objects` | global values and objects of the module, for the compiler; transfer of state to and from the fast engine |
//! | `observer` | hooks that report to an observer |

#![allow(
    clippy::cast_possible_wrap,
    clippy::cast_sign_loss,
    reason = "lengths and places fit both, as memory is limited"
)]
#![allow(clippy::float_cmp, reason = "floats are compared as programs do")]

mod abstract_bases;
mod abstract_classes;
mod attribute_assignment;
mod attributes;
mod augmented_assignment;
pub(crate) mod builtins;
mod bytes;
mod call;
mod call_error;
mod class_checks;
mod class_methods;
mod classes;
mod compare;
mod constant_value;
mod construct;
mod contexts;
mod convert;
mod dict;
mod dict_entries;
mod entities;
mod exceptions;
mod format;
mod frame;
mod generators;
mod globals;
mod hashes;
mod heap;
mod heap_references;
mod imports;
mod iterators;
mod library;
mod library_class;
pub(crate) mod library_function;
mod math;
pub(crate) mod methods;
mod names;
mod numbers;
mod numpy;
mod observer;
mod operators;
mod parameters;
mod patterns;
mod plain_comparisons;
mod protocols;
mod quick_operators;
mod ranges;
mod reward;
mod run;
mod screen;
mod sequences;
mod set_table;
mod sets;
mod shortest_float;
mod sorting;
mod special_methods;
mod static_objects;
mod strings;
mod subscripts;
#[cfg(test)]
mod table_tests;
mod template;
mod text;
mod types;
mod typing;
mod value;
mod variables;
mod wrappers;

use std::sync::Arc;

use num_bigint::BigInt;
use rustc_hash::FxHashMap;

use crate::code::{CodeId, Constant, Program, Symbol};
use crate::entry::ClassReference;
use crate::limits::CallBudget;
use crate::observe::Observer;
use crate::scene::{Objects, SceneObject, World};
use call::KeywordArguments;
use dict::DictKind;
use exceptions::{Exception, ExceptionKind, ExecError, ExecResult};
use frame::{Frame, ReturnTarget, SuspendedFrame};
use globals::Globals;
use heap::Heap;
use methods::Method;
use names::Names;
use run::AttributeCache;
use screen::ScreenSlot;
use value::{AttributeMap, HeapObject, Value};

pub use call_error::{CallError, ReturnValue};
pub use classes::is_base;
pub(crate) use constant_value::{BuiltinConstant, ConstantValue, FunctionConstant};
pub(crate) use convert::round_float;
pub use exceptions::is_built_in;
pub(crate) use methods::PlainTextMethod;
pub(crate) use operators::{float_floor_division, rounded_quotient};
pub(crate) use run::QuickProgram;
pub(crate) use static_objects::{ClassMember, Construction, DefaultField, StaticObject};
pub(crate) use strings::trimmed;
pub(crate) use value::HeapRef;

pub use exceptions::{ChainedException, LimitedResource, TracebackEntry};
pub use reward::{NumpyWarning, Reward};

pub use entities::BOX_ATTRIBUTES;
pub(crate) use library::statistics::exact::{BinaryFraction, square_root};
pub(crate) use library::{functions as library_functions, names as library_names};
pub(crate) use math::{MATH_FUNCTIONS, accurate_sum, euclidean_norm};
pub use numpy::is_dtype;
pub use screen::ORIENTATION_CLASS;
pub use special_methods::READABLE_SPECIAL_NAMES;

/// The number of elements or bytes that are moved or compared per unit of work.
const ELEMENTS_PER_UNIT: u64 = 32;

/// Costs in units of work beyond the one unit of an instruction, calibrated on the reference machine. The benchmark `work` of
/// `goalspec-reward` measures a unit.
mod cost {
    /// Starting a call of a function of the program.
    pub(super) const CALL: u64 = 3;
    /// Calling a built-in function, method or class.
    pub(super) const BUILTIN: u64 = 2;
    /// Requesting the next value of an iterator.
    pub(super) const NEXT: u64 = 3;
    /// Comparing two values, applying a binary operator, or finding an entry by its key.
    pub(super) const OPERATION: u64 = 1;
    /// Converting a value to text.
    pub(super) const TEXT: u64 = 4;
    /// Formatting a value by a format specification.
    pub(super) const FORMAT: u64 = 6;
    /// Leaving a function by an exception.
    pub(super) const UNWIND: u64 = 3;
    /// The number of bytes of text that are read or copied per unit of work.
    pub(super) const TEXT_BYTES_PER_UNIT: u64 = 8;
    /// Creating a class, and additionally each of its attributes.
    pub(super) const CLASS: u64 = 16;
}

/// The number of classes for which it is known what creating an instance takes.
const KNOWN_CLASSES: usize = 16;

/// An entry for no class.
const NO_CLASS: (HeapRef, u32, Option<HeapRef>) = (HeapRef(u32::MAX), 0, None);

/// Estimated bytes of an interned name, excluding its characters.
const NAME_OVERHEAD: usize = 64;

/// The seed of `random` at the start of every episode, unless the caller sets another one.
pub const DEFAULT_RANDOM_SEED: u64 = 0;

/// Returns the seed of the random numbers of an episode in an environment: `environment * 2**32 + episode`.
pub fn episode_seed(environment: u64, episode: u64) -> u64 {
    (environment << 32).wrapping_add(episode)
}

/// Returns whether a name is a Python built-in.
pub fn has_builtin(name: &str) -> bool {
    Machine::builtin(name).is_some()
}

/// An executing program: its variables persist between calls until it is [reset](Self::reset).
#[derive(Debug)]
pub struct Machine {
    program: Arc<Program>,
    /// References to the program for runs of frames, so that a run needs no new one.
    idle_programs: Vec<Arc<Program>>,
    world: Arc<World>,
    budget: CallBudget,
    heap: Heap,
    names: Names,
    /// Estimated bytes of the names interned at run time.
    interned_bytes: usize,
    globals: Globals,
    /// The text of each name of the program, once a constant or an attribute had it as its value.
    name_texts: Vec<Option<HeapRef>>,
    /// The built-ins by the symbols of the program's names.
    builtins: Vec<Option<Value>>,
    modules: imports::Modules,
    /// The names of the program that name screen classes, by class.
    class_symbols: Vec<Option<Symbol>>,
    /// The attributes specific to each class of the screen.
    extra_attributes: Vec<Vec<Symbol>>,
    /// The attributes of screen objects that the names of the program denote.
    screen_slots: Vec<Option<ScreenSlot>>,
    /// The classes whose objects the attributes of states are, by the name of the attribute.
    state_classes: FxHashMap<Symbol, Option<ClassReference>>,
    /// The memory for the variables of generators that have ended.
    #[allow(clippy::vec_box, reason = "a box moves between here and a cell")]
    idle_suspensions: Vec<Box<SuspendedFrame>>,
    /// The functions of comprehensions, which no program can tell from new ones.
    comprehensions: Vec<Option<HeapRef>>,
    /// The inline caches of the instructions.
    caches: Vec<AttributeCache>,
    /// The methods of built-in classes that the program has called.
    known_methods: Vec<Method>,
    /// Classes, with the version at which it was found what [creating an instance](Self::plain_init) takes.
    plain_inits: [(HeapRef, u32, Option<HeapRef>); KNOWN_CLASSES],
    frames: Vec<Frame>,
    /// The local variables of all running frames.
    locals: Vec<Option<Value>>,
    /// The operands of all running frames.
    operands: Vec<Value>,
    /// Remaining units of work of the current call.
    remaining_work: u64,
    /// Units of work spent by the top level of the program.
    setup_work: u64,
    /// The nesting depth of values being compared, hashed or written.
    nesting: usize,
    /// The collections whose `repr` is in progress; a recursive occurrence is abbreviated.
    repr_stack: Vec<HeapRef>,
    /// The enumerations whose bodies are running, innermost last.
    enum_bodies: Vec<library::EnumBody>,
    /// Whether cells may be freed while frames run: only if globals and frames hold all references.
    can_collect: bool,
    printed: String,
    warnings: Vec<NumpyWarning>,
    /// The generator of `random`; `None` until the first use since the last reset.
    random: Option<Box<library::Generator>>,
    /// The generator of `numpy.random`; `None` until the first use.
    numpy_random: Option<Box<numpy::NumpyGenerator>>,
    /// The seed of that generator.
    random_seed: u64,
    /// The code and the instruction at which the last call returned.
    return_location: Option<(CodeId, usize)>,
    /// The current observer, if any.
    observer: Option<Box<Observer>>,
    /// The attribute layouts of the entity classes; `None` until the first use.
    layouts: Option<Arc<entities::EntityLayouts>>,
    /// The enumeration of compass directions; `None` until the first use.
    orientation_enum: Option<HeapRef>,
}

impl Machine {
    /// Creates a machine and runs the top level of its program, which defines the functions.
    ///
    /// # Errors
    /// If the program's top level raises an exception or exhausts the budget.
    ///
    /// # Panics
    /// If an instruction does not find its operands on the stack, see [`Program`].
    pub fn new(
        program: impl Into<Arc<Program>>,
        world: impl Into<Arc<World>>,
        budget: CallBudget,
    ) -> Result<Self, CallError> {
        Self::with_random_seed(program, world, budget, DEFAULT_RANDOM_SEED)
    }

    /// Starts a program whose generator of random numbers has a seed of its own, as by `random.seed(seed)`.
    ///
    /// # Errors
    /// If the program's top level raises an exception or exhausts the budget.
    pub fn with_random_seed(
        program: impl Into<Arc<Program>>,
        world: impl Into<Arc<World>>,
        budget: CallBudget,
        random_seed: u64,
    ) -> Result<Self, CallError> {
        let (program, world) = (program.into(), world.into());
        let names = Names::new(&program.names);
        let class_symbols = world.screen_classes.iter().map(|class| names.find(&class.name)).collect();
        let mut machine = Self {
            names,
            class_symbols,
            extra_attributes: Vec::new(),
            screen_slots: program.names.iter().map(|name| ScreenSlot::of_name(name)).collect(),
            state_classes: FxHashMap::default(),
            name_texts: vec![None; program.names.len()],
            builtins: program.names.iter().map(|name| Self::builtin(name)).collect(),
            modules: imports::Modules::default(),
            idle_suspensions: Vec::new(),
            comprehensions: vec![None; program.codes.len()],
            caches: Vec::new(),
            known_methods: Vec::new(),
            plain_inits: [NO_CLASS; KNOWN_CLASSES],
            program,
            idle_programs: Vec::new(),
            world,
            budget,
            heap: Heap::default(),
            interned_bytes: 0,
            globals: Globals::default(),
            frames: Vec::new(),
            locals: Vec::new(),
            operands: Vec::new(),
            remaining_work: 0,
            setup_work: 0,
            nesting: 0,
            repr_stack: Vec::new(),
            enum_bodies: Vec::new(),
            can_collect: false,
            printed: String::new(),
            warnings: Vec::new(),
            random: None,
            numpy_random: None,
            random_seed,
            return_location: None,
            observer: None,
            layouts: None,
            orientation_enum: None,
        };
        machine.reset()?;
        Ok(machine)
    }

    /// Sets the seed of the random numbers from the next reset on.
    pub fn set_random_seed(&mut self, seed: u64) {
        self.random_seed = seed;
    }

    /// Discards all state of previous calls and runs the top level of the program again, as before an episode.
    ///
    /// # Errors
    /// If the program's top level raises an exception or exhausts the budget.
    pub fn reset(&mut self) -> Result<(), CallError> {
        self.globals.clear();
        self.modules = imports::Modules::default();
        self.names.truncate(self.program.names.len());
        self.plain_inits = [NO_CLASS; KNOWN_CLASSES];
        self.state_classes.clear();
        self.caches.clear();
        self.caches.resize(self.program.quick().cache_count, AttributeCache::default());
        self.name_texts.fill(None);
        self.comprehensions.fill(None);
        self.interned_bytes = 0;
        self.extra_attributes = self.intern_extra_attributes();
        self.heap = Heap::default();
        self.orientation_enum = None;
        self.printed.clear();
        self.random = None;
        self.numpy_random = None;
        // The program counts as imported: code under `if __name__ == "__main__":` does not run.
        let module = Arc::clone(&self.program.module);
        let name = self.heap.text(&module);
        let symbol = self.intern("__name__");
        self.set_global(symbol, name);
        self.begin_run();
        let frame = self.new_frame(CodeId(0), &[], ReturnTarget::Host, None);
        self.can_collect = true;
        let outcome = self.run_frame(frame);
        self.can_collect = false;
        self.setup_work = self.work_spent();
        self.finish_run(outcome).map(|_| ())
    }

    /// Calls a function of the program with the objects of a scene.
    ///
    /// # Errors
    /// If the function raises an exception or exhausts the budget.
    pub fn call(&mut self, function: &str, scene: &[SceneObject]) -> Result<ReturnValue, CallError> {
        self.begin_run();
        let outcome = self.call_with_scene(function, scene);
        self.finish_run(outcome)
    }

    /// Returns the text that the last call printed.
    pub fn printed(&self) -> &str {
        &self.printed
    }

    fn call_with_scene(&mut self, function: &str, scene: &[SceneObject]) -> ExecResult {
        let symbol = self.intern(function);
        let Some(called) = self.globals.get(symbol) else {
            return Err(self.raise(ExceptionKind::NameError, &format!("name '{function}' is not defined")));
        };
        let objects = self.scene_objects(Objects::Screen(scene))?;
        self.call_from_host(called, &[Value::Ref(objects)], &[])
    }

    /// Calls a value on behalf of the host.
    fn call_from_host(&mut self, called: Value, arguments: &[Value], named: KeywordArguments<'_>) -> ExecResult {
        self.can_collect = matches!(called, Value::Ref(at) if matches!(self.heap.get(at), HeapObject::Function(_)));
        let outcome = self.call_value(called, arguments, named);
        self.can_collect = false;
        outcome
    }

    fn begin_run(&mut self) {
        self.remaining_work = self.budget.work;
        self.heap.begin_call();
        self.clear_frames();
        self.nesting = 0;
        self.repr_stack.clear();
        self.printed.clear();
        self.warnings.clear();
        self.return_location = None;
    }

    /// Converts an outcome to the result for the host, and frees unreachable cells.
    fn finish_run(&mut self, outcome: ExecResult) -> Result<ReturnValue, CallError> {
        let result = match outcome {
            Ok(Value::Int(number)) => Ok(ReturnValue::Int(number)),
            Ok(Value::Float(number)) => Ok(ReturnValue::Float(number)),
            Ok(Value::Bool(truth)) => Ok(ReturnValue::Bool(truth)),
            Ok(Value::Numpy(scalar)) => Ok(match numpy::to_python_number(scalar.get()) {
                Value::Int(number) => ReturnValue::Int(number),
                Value::Bool(truth) => ReturnValue::Bool(truth),
                _ => ReturnValue::Float(scalar.get().to_f64()),
            }),
            Ok(value) => match self.repr(value) {
                Ok(text) => Ok(ReturnValue::Other(text)),
                Err(fault) => Err(self.error(&fault)),
            },
            Err(fault) => Err(self.error(&fault)),
        };
        self.end_call();
        result
    }

    fn collect_garbage(&mut self) {
        let roots = self.roots();
        self.heap.collect(roots);
    }

    /// Returns the values from which all cells in use can be reached.
    fn roots(&self) -> Vec<Value> {
        let mut roots: Vec<Value> = self.globals.values().chain(self.orientation_enum.map(Value::Ref)).collect();
        roots.extend(self.name_texts.iter().chain(&self.comprehensions).flatten().map(|&cell| Value::Ref(cell)));
        roots.extend(self.modules.values());
        roots.extend(self.operands.iter().chain(self.locals.iter().flatten()));
        for frame in &self.frames {
            frame.visit_references(&mut |value| roots.push(value));
        }
        roots
    }

    /// Checks in builds with assertions that no cell in use refers to a freed one.
    fn debug_check_references(&self) {
        debug_assert!(self.heap.is_consistent(self.roots()), "a cell in use refers to a freed one");
    }

    /// Returns the source location of a frame's current instruction.
    fn frame_location(&self, frame: &Frame) -> TracebackEntry {
        let code = self.program.code(frame.code);
        self.program.traceback_entry(code, frame.pc.saturating_sub(1))
    }

    fn intern(&mut self, name: &str) -> Symbol {
        let known = self.names.len();
        let symbol = self.names.intern(name);
        if self.names.len() > known {
            self.interned_bytes += NAME_OVERHEAD + name.len();
        }
        symbol
    }

    fn name(&self, symbol: Symbol) -> Arc<str> {
        Arc::clone(self.names.text(symbol))
    }

    /// Returns the text of a name, the same object for all uses of a name of the program.
    fn name_text(&mut self, symbol: Symbol) -> Value {
        let known = self.name_texts.get(symbol.0 as usize);
        if let Some(&Some(text)) = known {
            return Value::Ref(text);
        }
        let is_of_program = known.is_some();
        let text = HeapObject::Text(self.name(symbol));
        if !is_of_program {
            return Value::Ref(self.heap.add(text));
        }
        let text = self.heap.add_shared(text);
        self.name_texts[symbol.0 as usize] = Some(text);
        Value::Ref(text)
    }

    /// Returns a constant that needs no new cell.
    #[inline]
    fn immediate_constant(&self, constant: &Constant) -> Option<Value> {
        Some(match constant {
            Constant::None | Constant::Names(_) => Value::None,
            Constant::Ellipsis => Value::Ellipsis,
            Constant::Bool(truth) => Value::Bool(*truth),
            Constant::Int(number) => Value::Int(*number),
            Constant::Float(number) => Value::Float(*number),
            Constant::Text(symbol) => Value::Ref(self.name_texts[symbol.0 as usize]?),
            Constant::Bytes(_) | Constant::BigInt(_) => return None,
        })
    }

    /// Creates a built-in exception with a message.
    fn raise(&mut self, kind: ExceptionKind, message: &str) -> ExecError {
        let argument = self.heap.text(message);
        self.raise_with(kind, vec![argument])
    }

    fn raise_with(&mut self, kind: ExceptionKind, arguments: Vec<Value>) -> ExecError {
        let context = self.frames.iter().rev().find_map(|frame| frame.handled_exceptions.last().copied());
        let exception = Exception {
            kind,
            class: None,
            arguments,
            fields: AttributeMap::default(),
            traceback: Vec::new(),
            cause: None,
            context,
        };
        ExecError::Raised(self.heap.add(HeapObject::Exception(Box::new(exception))))
    }

    fn type_error(&mut self, message: &str) -> ExecError {
        self.raise(ExceptionKind::TypeError, message)
    }

    /// Deducts units of work from the budget, and those for the cells allocated since the last call.
    #[inline]
    fn charge(&mut self, work: u64) -> ExecResult<()> {
        let work = work.saturating_add(self.heap.take_work());
        if self.remaining_work < work {
            self.remaining_work = 0;
            return Err(ExecError::Exhausted(LimitedResource::Work));
        }
        self.remaining_work -= work;
        if self.heap.bytes() + self.interned_bytes > self.budget.memory {
            Err(ExecError::Exhausted(LimitedResource::Memory))
        } else {
            Ok(())
        }
    }

    /// Runs a function that may recurse into nested values, limited by the depth of the budget.
    fn nested<T>(&mut self, run: impl FnOnce(&mut Self) -> ExecResult<T>) -> ExecResult<T> {
        if self.nesting >= self.budget.call_depth {
            return Err(ExecError::Exhausted(LimitedResource::Calls));
        }
        self.nesting += 1;
        let outcome = run(self);
        self.nesting -= 1;
        outcome
    }

    fn constant(&mut self, constant: &Constant) -> Value {
        if let Some(value) = self.immediate_constant(constant) {
            return value;
        }
        match constant {
            Constant::Text(symbol) => self.name_text(*symbol),
            Constant::Bytes(bytes) => self.new_bytes(Arc::clone(bytes)),
            Constant::BigInt(digits) => {
                let digits = digits.replace('_', "").to_ascii_lowercase();
                let (base, digits) = match digits.get(..2) {
                    Some("0x") => (16, &digits[2..]),
                    Some("0o") => (8, &digits[2..]),
                    Some("0b") => (2, &digits[2..]),
                    _ => (10, &*digits),
                };
                self.new_int(BigInt::parse_bytes(digits.as_bytes(), base).unwrap_or_default())
            }
            _ => unreachable!("all other constants need no new cell"),
        }
    }
}

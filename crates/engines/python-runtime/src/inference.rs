//! Type inference: the possible types of every value of a program, computed without running it.
//!
//! The inference interprets the stack code abstractly, on types instead of values, starting at a function that is called with the
//! objects of a world, until it reaches a fixed point. The type of each variable is known at every instruction, narrowed by the tests on
//! the path to it. A function is analysed separately for each call site: each `Instance` has its own types.
//!
//! At a construct that the inference does not support, it records an `UnsupportedConstruct`: the path ends there, and the instructions
//! after it have no types unless another path reaches them. Exceptions are not followed, so exception handlers are never reached.
//!
//! | module | contents |
//! |---|---|
//! | `types`, `joins`, `containers` | types, their joins, and the entities that they refer to |
//! | `branches` | the successors of instructions |
//! | `interpret` | the transfer function of a single instruction |
//! | `displays` | instructions that build lists, tuples and dicts, and patterns |
//! | `operators` | arithmetic, attributes and items |
//! | `comparisons` | comparisons, identities and membership |
//! | `calls` | calls of functions of the program, and of its classes |
//! | `library`, `library_functions` | calls of built-in functions, and of functions of libraries |
//! | `methods`, `text_functions` | methods of lists, deques, dicts, numbers and texts |
//! | `iterables`, `read_at_once`, `effects` | lists of the values of iterables; where reading them early makes no difference |
//! | `class_name_keys` | dicts whose keys are names of classes |
//! | `tables` | dicts whose keys are known only at run time, and sets |
//! | `objects` | objects and variables of the module |
//! | `records` | instances of classes of the program, and dicts with known keys |

pub(crate) mod branches;
pub(crate) mod calls;
mod class_name_keys;
mod comparisons;
pub(crate) mod containers;
mod displays;
mod effects;
pub(crate) mod interpret;
mod iterables;
mod joins;
pub(crate) mod library;
mod library_functions;
mod methods;
mod objects;
pub(crate) mod operators;
mod read_at_once;
mod records;
mod tables;
pub(crate) mod text_functions;
pub(crate) mod types;

use std::collections::BTreeMap;

use indexmap::IndexMap;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::code::{CodeId, CodeKind, Instruction, Program, Symbol};
use crate::machine::{ConstantValue, FunctionConstant, HeapRef, Machine};
use crate::scene::World;
use tables::DictOrigin;
pub use types::Kinds;
use types::{CapturedVariable, Type, TypeDetail, Types};

/// The maximum depth of nested calls.
const MAX_DEPTH: usize = 24;

/// The maximum number of instructions of all instances together.
const MAX_TOTAL_INSTRUCTIONS: usize = 20_000;

/// The maximum number of variables, counted once per instruction of their function, plus values on the stacks before instructions, of all
/// instances together.
const MAX_VARIABLES: usize = 1 << 19;

/// The maximum number of times that the inference starts again because a dict has to be a table.
const MAX_RESTARTS: usize = 32;

/// The error for programs that exceed [`MAX_VARIABLES`].
const TOO_MANY_VARIABLES: &str = "too many variables at once";

/// The maximum number of passes over a program; each nested loop takes a few.
const MAX_PASSES: usize = 64;

/// The index of an [`Instance`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct InstanceId(pub(crate) u32);

/// A call: the caller, the index of the instruction, the code of the callee, and the number of the value of [`TypeDetail::OneOf`].
type CallKey = (InstanceId, u32, CodeId, u8);

/// A function, analysed for one call site.
#[derive(Debug)]
pub(crate) struct Instance {
    pub(crate) code: CodeId,
    /// The function's free variables.
    pub(crate) captured: Vec<CapturedVariable>,
    /// The state before each instruction; `None` if the instruction is not reached.
    pub(crate) states: Vec<Option<AbstractState>>,
    /// The type of the value that each instruction leaves on top of the stack, if execution continues after it.
    pub(crate) result_types: Vec<Type>,
    /// The type of the values that the function returns or, for a generator, yields.
    pub(crate) return_type: Type,
}

/// The types of the stack and the variables before an instruction.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct AbstractState {
    /// The values on the stack, the top of the stack last.
    pub(crate) stack: Vec<StackValue>,
    /// The function's local variables, then its cell variables.
    pub(crate) variables: Vec<Type>,
}

/// A value on the stack.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct StackValue {
    pub(crate) ty: Type,
    pub(crate) origin: Origin,
}

/// The relation of a value on the stack to a variable.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Origin {
    Unknown,
    /// The value of the variable.
    Variable(u32),
    /// The name of the class of the object in the variable.
    ClassName(u32),
    /// The truth value of a test of the variable; negated if the flag is `false`.
    Test(u32, Test, bool),
}

/// A test of a variable.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Test {
    None,
    /// Whether the variable holds an object of one of these classes, a bit set.
    Classes(u64),
}

/// A construct that the inference does not support.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct UnsupportedConstruct {
    /// A description of the construct.
    pub(crate) description: String,
}

/// A function under analysis, with the types of its variables at the call that it waits for.
struct ActiveCall {
    instance: InstanceId,
    variables: Vec<Type>,
}

/// The inferred types of a program.
pub(crate) struct Inference<'i> {
    pub(crate) program: &'i Program,
    pub(crate) world: &'i World,
    machine: &'i Machine,
    pub(crate) types: Types,
    /// The instances; the first one is the entry function.
    instances: Vec<Instance>,
    /// The callees of each call site; a call of a library function may have several.
    callees: BTreeMap<CallKey, InstanceId>,
    /// The number of the value of [`TypeDetail::OneOf`] that the instruction under analysis is interpreted with; 0 for other instructions.
    alternative: u8,
    /// The types of the results of instructions for each value of [`TypeDetail::OneOf`].
    alternative_results: FxHashMap<(InstanceId, u32, u8), Type>,
    /// The allocation sites of lists.
    sites: FxHashMap<(InstanceId, u32), u32>,
    /// The origins of dicts with known keys, by their allocation sites.
    dict_origins: FxHashMap<u32, DictOrigin>,
    /// The origins of dicts that are tables.
    tables: FxHashSet<DictOrigin>,
    /// The origins of dicts that turned out to require tables.
    wanted_tables: FxHashSet<DictOrigin>,
    unsupported: IndexMap<(InstanceId, u32), UnsupportedConstruct>,
    /// The objects of the module that the program refers to, with their allocation sites. The index of an object determines its list in
    /// the fast engine.
    objects: IndexMap<HeapRef, Option<u32>>,
    /// The types of the values of global names that functions of the program assign.
    globals: IndexMap<Symbol, Type>,
    /// The global names that functions of the program assign.
    assigned_globals: FxHashSet<Symbol>,
    /// Whether functions with caches are [pure](Self::is_pure), by their code.
    pure_functions: FxHashMap<CodeId, bool>,
    active_calls: Vec<ActiveCall>,
    changed: bool,
    pub(crate) instruction_count: usize,
    /// The number of variables at instructions, of all instances.
    variable_count: usize,
}

impl<'i> Inference<'i> {
    /// Infers the types of a function that is called with a list of objects of any class of the world.
    ///
    /// # Errors
    /// Returns a message if the inference does not support the world or the function.
    pub(crate) fn of(
        program: &'i Program,
        world: &'i World,
        machine: &'i Machine,
        function: &str,
    ) -> Result<Self, String> {
        let mut tables = FxHashSet::default();
        for _ in 0..MAX_RESTARTS {
            let inference = Self::with_tables(program, world, machine, function, tables)?;
            if inference.wanted_tables.is_empty() {
                return Ok(inference);
            }
            tables = inference.tables;
            tables.extend(inference.wanted_tables);
        }
        Err("too many dicts with keys that are known only at run time".to_owned())
    }

    /// Infers the types, with the dicts of these origins as tables. If other dicts have to be tables, the result is incomplete and names
    /// them.
    fn with_tables(
        program: &'i Program,
        world: &'i World,
        machine: &'i Machine,
        function: &str,
        tables: FxHashSet<DictOrigin>,
    ) -> Result<Self, String> {
        let mut inference = Self {
            program,
            world,
            machine,
            types: Types::default(),
            instances: Vec::new(),
            callees: BTreeMap::new(),
            alternative: 0,
            alternative_results: FxHashMap::default(),
            sites: FxHashMap::default(),
            dict_origins: FxHashMap::default(),
            tables,
            wanted_tables: FxHashSet::default(),
            unsupported: IndexMap::new(),
            objects: IndexMap::new(),
            globals: IndexMap::new(),
            assigned_globals: assigned_globals(program),
            pure_functions: FxHashMap::default(),
            active_calls: Vec::new(),
            changed: false,
            instruction_count: 0,
            variable_count: 0,
        };
        inference.types.texts.extend(program.names.iter().cloned());
        if world.screen_classes.is_empty() || world.screen_classes.len() > 64 {
            return Err("the world has no class or more than 64 classes".to_owned());
        }
        let Some(ConstantValue::Function(entry)) = machine.global_constant(function) else {
            return Err(format!("`{function}` is not an ordinary function of the program"));
        };
        let names_it = program.names.iter().position(|name| **name == *function);
        if names_it.is_some_and(|place| inference.assigned_globals.contains(&Symbol(place as u32))) {
            return Err(format!("`{function}` is assigned again during the run"));
        }
        inference.run_to_fixpoint(&entry)?;
        Ok(inference)
    }

    /// Returns the bit set of all classes of the world.
    pub(crate) fn all_classes(&self) -> u64 {
        u64::MAX >> (64 - self.world.screen_classes.len())
    }

    fn run_to_fixpoint(&mut self, entry: &FunctionConstant) -> Result<(), String> {
        let site = self.types.site();
        let objects = Types::list(site);
        let classes = self.all_classes();
        self.types.add_element(objects, Type::objects(classes));
        let (captured, defaults) = self.function_parts(entry);
        for _ in 0..MAX_PASSES {
            self.changed = false;
            self.types.changed = false;
            self.unsupported.clear();
            let root = self.get_or_create_instance(None, entry.code, &captured)?;
            let Some(state) = self.entry_state(root, &[objects], &[], &defaults) else {
                return Err("the list of objects is not the only parameter of the function".to_owned());
            };
            self.join_into(root, 0, state);
            self.analyze(root);
            if self.variable_count > MAX_VARIABLES {
                return Err(TOO_MANY_VARIABLES.to_owned());
            }
            for site in std::mem::take(&mut self.types.wanted_tables) {
                self.want_table(site);
            }
            if !self.wanted_tables.is_empty() || (!self.changed && !self.types.changed) {
                return Ok(());
            }
        }
        Err("the type inference did not converge".to_owned())
    }

    /// Returns the unsupported construct at an instruction, if there is one.
    pub(crate) fn unsupported_at(&self, instance: InstanceId, pc: usize) -> Option<&UnsupportedConstruct> {
        self.unsupported.get(&(instance, pc as u32))
    }

    /// Iterates over all unsupported constructs, with their byte offsets in the source text.
    pub(crate) fn unsupported_constructs(&self) -> impl Iterator<Item = (u32, &UnsupportedConstruct)> {
        self.unsupported.iter().map(|(&(instance, pc), gap)| {
            let code = self.program.code(self.instance_at(instance).code);
            (code.instruction_ranges[pc as usize].start, gap)
        })
    }

    pub(crate) fn instance_at(&self, instance: InstanceId) -> &Instance {
        &self.instances[instance.0 as usize]
    }

    /// Returns the state before an instruction; `None` if the instruction is not reached.
    pub(crate) fn state_before(&self, instance: InstanceId, pc: usize) -> Option<&AbstractState> {
        self.instance_at(instance).states.get(pc)?.as_ref()
    }

    /// Returns the instance of a function that a call site calls, for the value of [`TypeDetail::OneOf`] with a number.
    pub(crate) fn callee(&self, caller: InstanceId, pc: usize, code: CodeId, alternative: u8) -> Option<InstanceId> {
        self.callees.get(&(caller, pc as u32, code, alternative)).copied()
    }

    /// Returns the type of the result of an instruction for the value of [`TypeDetail::OneOf`] with a number.
    pub(crate) fn alternative_result(&self, instance: InstanceId, pc: usize, alternative: u8) -> Type {
        self.alternative_results.get(&(instance, pc as u32, alternative)).copied().unwrap_or(Type::NEVER)
    }

    /// Returns the type of the lists that an instruction creates.
    pub(crate) fn created_list(&self, instance: InstanceId, pc: usize) -> Option<Type> {
        self.sites.get(&(instance, pc as u32)).map(|&site| self.types.sited(site))
    }

    /// Whether instructions create lists or records of a site.
    pub(crate) fn is_created_site(&self, site: u32) -> bool {
        let root = self.types.root(site);
        self.sites.values().any(|&created| self.types.root(created) == root)
    }

    /// Whether a function of the program assigns the global variable.
    pub(crate) fn is_assigned_global(&self, symbol: Symbol) -> bool {
        self.assigned_globals.contains(&symbol)
    }

    /// Returns the index of a variable among those of its function, or the captured variable if it belongs to an enclosing function.
    pub(crate) fn variable_index(
        &self,
        instance: InstanceId,
        variable: crate::code::Variable,
    ) -> Result<u32, CapturedVariable> {
        let found = self.instance_at(instance);
        let code = self.program.code(found.code);
        match variable {
            crate::code::Variable::Local(place) => Ok(place),
            crate::code::Variable::Cell(place) if (place as usize) < code.cells.len() => {
                Ok(code.locals.len() as u32 + place)
            }
            crate::code::Variable::Cell(place) => Err(found.captured[place as usize - code.cells.len()]),
        }
    }

    fn get_or_create_instance(
        &mut self,
        caller: Option<(InstanceId, u32)>,
        code: CodeId,
        captured: &[CapturedVariable],
    ) -> Result<InstanceId, String> {
        if caller.is_none() && !self.instances.is_empty() {
            return Ok(InstanceId(0));
        }
        if let Some((from, pc)) = caller
            && let Some(&child) = self.callees.get(&(from, pc, code, self.alternative))
        {
            if self.instance_at(child).captured != captured {
                return Err("a function whose enclosing variables change".to_owned());
            }
            return Ok(child);
        }
        let found = self.program.code(code);
        if self.active_calls.iter().any(|active| self.instance_at(active.instance).code == code) {
            return Err(format!("`{}` calls itself", found.name));
        }
        self.instruction_count += found.instructions.len();
        if self.active_calls.len() >= MAX_DEPTH || self.instruction_count > MAX_TOTAL_INSTRUCTIONS {
            return Err("too many nested calls".to_owned());
        }
        self.variable_count += found.instructions.len() * (found.locals.len() + found.cells.len());
        if self.variable_count > MAX_VARIABLES {
            return Err(TOO_MANY_VARIABLES.to_owned());
        }
        let id = InstanceId(self.instances.len() as u32);
        self.instances.push(Instance {
            code,
            captured: captured.to_vec(),
            states: vec![None; found.instructions.len()],
            result_types: vec![Type::NEVER; found.instructions.len()],
            return_type: Type::NEVER,
        });
        if let Some((from, pc)) = caller {
            self.callees.insert((from, pc, code, self.alternative), id);
        }
        Ok(id)
    }

    /// Interprets each reached instruction of a function once.
    fn analyze(&mut self, instance: InstanceId) {
        self.active_calls.push(ActiveCall { instance, variables: Vec::new() });
        let alternative = std::mem::take(&mut self.alternative);
        for pc in 0..self.instance_at(instance).states.len() {
            if self.variable_count > MAX_VARIABLES {
                break;
            }
            if let Some(state) = self.instance_at(instance).states[pc].clone() {
                self.step(instance, pc, state);
            }
        }
        self.alternative = alternative;
        self.active_calls.pop();
    }

    /// Joins a state into the state before an instruction.
    fn join_into(&mut self, instance: InstanceId, target: usize, state: AbstractState) {
        let found = &mut self.instances[instance.0 as usize].states[target];
        let Some(old) = found.take() else {
            self.variable_count += state.stack.len();
            *found = Some(state);
            self.changed = true;
            return;
        };
        let types = &mut self.types;
        let variables = old.variables.iter().zip(&state.variables).map(|(&one, &two)| types.join(one, two)).collect();
        let stack = old.stack.iter().zip(&state.stack);
        let stack = stack.map(|(one, two)| StackValue {
            ty: types.join(one.ty, two.ty),
            origin: if one.origin == two.origin { one.origin } else { Origin::Unknown },
        });
        let joined = AbstractState { stack: stack.collect(), variables };
        self.changed |= joined != old;
        self.instances[instance.0 as usize].states[target] = Some(joined);
    }

    fn record_unsupported(&mut self, instance: InstanceId, pc: usize, description: impl Into<String>) {
        self.unsupported
            .entry((instance, pc as u32))
            .or_insert_with(|| UnsupportedConstruct { description: description.into() });
    }

    /// Returns the type of a constant value.
    pub(crate) fn constant_type(&mut self, known: &ConstantValue) -> Type {
        match known {
            ConstantValue::None => Type::NONE,
            ConstantValue::Bool(truth) => self.types.bool(Some(*truth)),
            ConstantValue::Int(number) => self.types.detailed(TypeDetail::Int(*number)),
            ConstantValue::Float(number) => self.types.detailed(TypeDetail::Float(number.to_bits())),
            ConstantValue::Text(text) => self.types.text(text),
            ConstantValue::Tuple(parts) => {
                let parts = parts.iter().map(|part| self.constant_type(part)).collect();
                self.types.detailed(TypeDetail::Tuple(parts))
            }
            ConstantValue::Function(function) => {
                let (captured, defaults) = self.function_parts(function);
                self.types.detailed(TypeDetail::Function(function.code, captured, defaults))
            }
            ConstantValue::CachedFunction(function) => {
                let known = self.pure_functions.get(&function.code).copied();
                let is_pure = known.unwrap_or_else(|| self.is_pure(function));
                self.pure_functions.insert(function.code, is_pure);
                if is_pure { self.types.detailed(TypeDetail::CachedFunction(function.code)) } else { Type::ANY }
            }
            ConstantValue::Class(class) => self.types.detailed(TypeDetail::Class(*class)),
            ConstantValue::Builtin(builtin) => self.types.detailed(TypeDetail::Builtin(builtin.clone())),
            ConstantValue::LibraryFunction(function) => self.types.detailed(TypeDetail::LibraryFunction(function)),
            ConstantValue::Module(name) => self.types.detailed(TypeDetail::Module(name)),
            ConstantValue::Object(at) => self.object_type(*at),
            ConstantValue::ProgramClass(class) => self.types.detailed(TypeDetail::ProgramClass(*class)),
            ConstantValue::Other => Type::ANY,
        }
    }
}

/// Collects the global names that functions assign or delete: their values may differ in the next call.
fn assigned_globals(program: &Program) -> FxHashSet<Symbol> {
    let functions = program.codes.iter().filter(|code| code.kind != CodeKind::Module);
    let instructions = functions.flat_map(|code| &code.instructions);
    instructions
        .filter_map(|instruction| match instruction {
            Instruction::StoreGlobal(symbol) | Instruction::DeleteGlobal(symbol) => Some(*symbol),
            _ => None,
        })
        .collect()
}

//! Type inference: the possible types of every value of a program, computed without running it.
//!
//! The inference interprets the stack code abstractly, on [types](Type) instead of values, starting at a function that is called with the
//! objects of a world, until it reaches a fixed point. The type of each variable is known at every instruction, narrowed by the tests on
//! the path to it. A function is analysed separately for each call site: each [`Instance`] has its own types.
//!
//! At a construct that the inference does not support, it records a [`Gap`]: the path ends there, and the instructions after it have no
//! types unless another path reaches them. Exceptions are not followed, so exception handlers are never reached.
//!
//! | module | contents |
//! |---|---|
//! | `types` | types and the entities that they refer to |
//! | `flow` | the successors of instructions |
//! | `step` | the transfer function of a single instruction |
//! | `operators` | arithmetic and comparisons |
//! | `calls` | calls of functions and methods |

pub(crate) mod calls;
pub(crate) mod flow;
pub(crate) mod operators;
mod step;
pub(crate) mod types;

use indexmap::IndexMap;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::code::{CodeId, CodeKind, Instruction, Program, Symbol};
use crate::machine::{Known, Machine};
use crate::scene::World;
use types::{Captured, Thing, Type, Types};

/// The maximum depth of nested calls.
const MAX_DEPTH: usize = 24;

/// The maximum number of instructions of all instances together.
const MAX_INSTRUCTIONS: usize = 20_000;

/// The maximum number of variables, counted once per instruction of their function, plus values on the stacks before instructions, of all
/// instances together.
const MAX_VARIABLES: usize = 1 << 19;

/// The error for programs that exceed [`MAX_VARIABLES`].
const TOO_MANY_VARIABLES: &str = "too many variables at once";

/// The maximum number of passes over a program; each nested loop takes a few.
const MAX_ROUNDS: usize = 64;

/// The index of an [`Instance`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct InstanceId(pub(crate) u32);

/// A function, analysed for one call site.
#[derive(Debug)]
pub(crate) struct Instance {
    pub(crate) code: CodeId,
    /// The function's free variables.
    pub(crate) captured: Vec<Captured>,
    /// The state before each instruction; `None` if the instruction is not reached.
    pub(crate) before: Vec<Option<State>>,
    /// The type of the value that each instruction leaves on top of the stack, if execution continues after it.
    pub(crate) leaves: Vec<Type>,
    /// The type of the values that the function returns or, for a generator, yields.
    pub(crate) gives: Type,
}

/// The types of the stack and the variables before an instruction.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct State {
    /// The values on the stack, the top of the stack last.
    pub(crate) stack: Vec<Slot>,
    /// The function's local variables, then its cell variables.
    pub(crate) variables: Vec<Type>,
}

/// A value on the stack.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Slot {
    pub(crate) holds: Type,
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
pub(crate) struct Gap {
    /// A description of the construct.
    pub(crate) what: String,
}

/// A function under analysis, with the types of its variables at the call that it waits for.
struct Active {
    instance: InstanceId,
    variables: Vec<Type>,
}

/// The inferred types of a program.
pub(crate) struct Inference<'i> {
    pub(crate) program: &'i Program,
    pub(crate) world: &'i World,
    machine: &'i Machine<'i>,
    pub(crate) types: Types,
    /// The instances; the first one is the entry function.
    instances: Vec<Instance>,
    /// The callees of each call site; a call of a library function may have several.
    children: FxHashMap<(InstanceId, u32, CodeId), InstanceId>,
    /// The allocation sites of lists.
    sites: FxHashMap<(InstanceId, u32), u32>,
    gaps: IndexMap<(InstanceId, u32), Gap>,
    /// The global names that functions of the program assign.
    assigned: FxHashSet<Symbol>,
    active: Vec<Active>,
    changed: bool,
    pub(crate) size: usize,
    /// The number of variables at instructions, of all instances.
    variables: usize,
}

impl<'i> Inference<'i> {
    /// Infers the types of a function that is called with a list of objects of any class of the world.
    ///
    /// # Errors
    /// Returns a message if the inference does not support the world or the function.
    pub(crate) fn of(
        program: &'i Program,
        world: &'i World,
        machine: &'i Machine<'i>,
        function: &str,
    ) -> Result<Self, String> {
        let mut inference = Self {
            program,
            world,
            machine,
            types: Types::default(),
            instances: Vec::new(),
            children: FxHashMap::default(),
            sites: FxHashMap::default(),
            gaps: IndexMap::new(),
            assigned: assigned(program),
            active: Vec::new(),
            changed: false,
            size: 0,
            variables: 0,
        };
        inference.types.texts.extend(program.names.iter().cloned());
        if world.classes.is_empty() || world.classes.len() > 64 {
            return Err("the world has no class or more than 64 classes".to_owned());
        }
        let Some(Known::Function(code, defaults)) = machine.known(function) else {
            return Err(format!("`{function}` is not an ordinary function of the program"));
        };
        let names_it = program.names.iter().position(|name| **name == *function);
        if names_it.is_some_and(|place| inference.assigned.contains(&Symbol(place as u32))) {
            return Err(format!("`{function}` is assigned again during the run"));
        }
        inference.settle(code, &defaults)?;
        Ok(inference)
    }

    /// Returns the bit set of all classes of the world.
    pub(crate) fn all_classes(&self) -> u64 {
        u64::MAX >> (64 - self.world.classes.len())
    }

    fn settle(&mut self, code: CodeId, defaults: &[Known]) -> Result<(), String> {
        let site = self.types.site();
        let objects = Types::list(site);
        let classes = self.all_classes();
        self.types.holds(objects, Type::objects(classes));
        let defaults: Vec<Type> = defaults.iter().map(|default| self.known(default)).collect();
        for _ in 0..MAX_ROUNDS {
            self.changed = false;
            self.types.changed = false;
            self.gaps.clear();
            let root = self.instance(None, code, &[])?;
            let Some(state) = self.entered(root, &[objects], &[], &defaults) else {
                return Err("the list of objects is not the only parameter of the function".to_owned());
            };
            self.go(root, 0, state);
            self.sweep(root);
            if self.variables > MAX_VARIABLES {
                return Err(TOO_MANY_VARIABLES.to_owned());
            }
            if !self.changed && !self.types.changed {
                return Ok(());
            }
        }
        Err("the type inference did not converge".to_owned())
    }

    /// Returns the unsupported construct at an instruction, if there is one.
    pub(crate) fn gap(&self, instance: InstanceId, pc: usize) -> Option<&Gap> {
        self.gaps.get(&(instance, pc as u32))
    }

    /// Iterates over all gaps, with their byte offsets in the source text.
    pub(crate) fn gaps(&self) -> impl Iterator<Item = (u32, &Gap)> {
        self.gaps.iter().map(|(&(instance, pc), gap)| {
            let code = self.program.code(self.get(instance).code);
            (code.places[pc as usize].start().to_u32(), gap)
        })
    }

    pub(crate) fn get(&self, instance: InstanceId) -> &Instance {
        &self.instances[instance.0 as usize]
    }

    /// Returns the state before an instruction; `None` if the instruction is not reached.
    pub(crate) fn before(&self, instance: InstanceId, pc: usize) -> Option<&State> {
        self.get(instance).before.get(pc)?.as_ref()
    }

    /// Returns the instance of a function that a call site calls.
    pub(crate) fn child(&self, caller: InstanceId, pc: usize, code: CodeId) -> Option<InstanceId> {
        self.children.get(&(caller, pc as u32, code)).copied()
    }

    /// Returns the type of the lists that an instruction creates.
    pub(crate) fn made(&self, instance: InstanceId, pc: usize) -> Option<Type> {
        self.sites.get(&(instance, pc as u32)).map(|&site| Types::list(site))
    }

    /// Whether a function of the program assigns the global variable.
    pub(crate) fn is_assigned(&self, symbol: Symbol) -> bool {
        self.assigned.contains(&symbol)
    }

    /// Returns the index of a variable among those of its function, or the captured variable if it belongs to an enclosing function.
    pub(crate) fn variable(&self, instance: InstanceId, variable: crate::code::Variable) -> Result<u32, Captured> {
        let found = self.get(instance);
        let code = self.program.code(found.code);
        match variable {
            crate::code::Variable::Local(place) => Ok(place),
            crate::code::Variable::Cell(place) if (place as usize) < code.cells.len() => {
                Ok(code.locals.len() as u32 + place)
            }
            crate::code::Variable::Cell(place) => Err(found.captured[place as usize - code.cells.len()]),
        }
    }

    fn instance(
        &mut self,
        caller: Option<(InstanceId, u32)>,
        code: CodeId,
        captured: &[Captured],
    ) -> Result<InstanceId, String> {
        if caller.is_none() && !self.instances.is_empty() {
            return Ok(InstanceId(0));
        }
        if let Some((from, pc)) = caller
            && let Some(&child) = self.children.get(&(from, pc, code))
        {
            if self.get(child).captured != captured {
                return Err("a function whose enclosing variables change".to_owned());
            }
            return Ok(child);
        }
        let found = self.program.code(code);
        if self.active.iter().any(|active| self.get(active.instance).code == code) {
            return Err(format!("`{}` calls itself", found.name));
        }
        self.size += found.instructions.len();
        if self.active.len() >= MAX_DEPTH || self.size > MAX_INSTRUCTIONS {
            return Err("too many nested calls".to_owned());
        }
        self.variables += found.instructions.len() * (found.locals.len() + found.cells.len());
        if self.variables > MAX_VARIABLES {
            return Err(TOO_MANY_VARIABLES.to_owned());
        }
        let id = InstanceId(self.instances.len() as u32);
        self.instances.push(Instance {
            code,
            captured: captured.to_vec(),
            before: vec![None; found.instructions.len()],
            leaves: vec![Type::NEVER; found.instructions.len()],
            gives: Type::NEVER,
        });
        if let Some((from, pc)) = caller {
            self.children.insert((from, pc, code), id);
        }
        Ok(id)
    }

    /// Interprets each reached instruction of a function once.
    fn sweep(&mut self, instance: InstanceId) {
        self.active.push(Active { instance, variables: Vec::new() });
        for pc in 0..self.get(instance).before.len() {
            if self.variables > MAX_VARIABLES {
                break;
            }
            if let Some(state) = self.get(instance).before[pc].clone() {
                self.step(instance, pc, state);
            }
        }
        self.active.pop();
    }

    /// Joins a state into the state before an instruction.
    fn go(&mut self, instance: InstanceId, target: usize, state: State) {
        let found = &mut self.instances[instance.0 as usize].before[target];
        let Some(old) = found.take() else {
            self.variables += state.stack.len();
            *found = Some(state);
            self.changed = true;
            return;
        };
        let types = &mut self.types;
        let variables = old.variables.iter().zip(&state.variables).map(|(&one, &two)| types.join(one, two)).collect();
        let stack = old.stack.iter().zip(&state.stack);
        let stack = stack.map(|(one, two)| Slot {
            holds: types.join(one.holds, two.holds),
            origin: if one.origin == two.origin { one.origin } else { Origin::Unknown },
        });
        let joined = State { stack: stack.collect(), variables };
        self.changed |= joined != old;
        self.instances[instance.0 as usize].before[target] = Some(joined);
    }

    fn open_gap(&mut self, instance: InstanceId, pc: usize, what: impl Into<String>) {
        self.gaps.entry((instance, pc as u32)).or_insert_with(|| Gap { what: what.into() });
    }

    /// Returns the type of a constant value.
    fn known(&mut self, known: &Known) -> Type {
        match known {
            Known::None => Type::NONE,
            Known::Bool(truth) => self.types.bool(Some(*truth)),
            Known::Int(number) => self.types.thing(Thing::Int(*number)),
            Known::Float(number) => self.types.thing(Thing::Float(number.to_bits())),
            Known::Text(text) => self.types.text(text),
            Known::Tuple(parts) => {
                let parts = parts.iter().map(|part| self.known(part)).collect();
                self.types.thing(Thing::Tuple(parts))
            }
            Known::Function(code, defaults) => {
                let defaults = defaults.iter().map(|default| self.known(default)).collect();
                self.types.thing(Thing::Function(*code, Vec::new(), defaults))
            }
            Known::Class(class) => self.types.thing(Thing::Class(*class)),
            Known::Builtin(name) => self.types.thing(Thing::Builtin(name.clone())),
            Known::Math(name) => self.types.thing(Thing::Math(name)),
            Known::Module(name) => self.types.thing(Thing::Module(name)),
            Known::Other => Type::ANY,
        }
    }
}

/// Collects the global names that functions assign or delete: their values may differ in the next call.
fn assigned(program: &Program) -> FxHashSet<Symbol> {
    let functions = program.codes.iter().filter(|code| code.kind != CodeKind::Module);
    let instructions = functions.flat_map(|code| &code.instructions);
    instructions
        .filter_map(|instruction| match instruction {
            Instruction::StoreGlobal(symbol) | Instruction::DeleteGlobal(symbol) => Some(*symbol),
            _ => None,
        })
        .collect()
}

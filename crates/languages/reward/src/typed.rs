//! What every value of a program may be, found without running it.
//!
//! The stack code is run on [types](Type) instead of values, from a function that is called with the objects of a world, until nothing
//! changes any more. What a variable may be is known at every instruction, and narrowed by what was tested on the way there. A function
//! is looked at anew for each place that calls it: each such [`Instance`] has types of its own.
//!
//! Where something is met that is not followed, there is a [`Gap`]: the path ends there, and what would come after it has no types
//! unless another path leads there. Exceptions are not followed either, so that handlers are not reached.
//!
//! | module | what lives there |
//! |---|---|
//! | `types` | types, and what they refer to |
//! | `flow` | where instructions go on |
//! | `step` | one instruction |
//! | `operators` | arithmetic and comparisons |
//! | `calls` | functions and methods |

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

/// Most calls within calls that are followed.
const MAX_DEPTH: usize = 24;

/// Most instructions of all instances together.
const MAX_INSTRUCTIONS: usize = 20_000;

/// Most variables of functions, each counted at every instruction of its function, and values on stacks before instructions, of all instances
/// together.
const MAX_VARIABLES: usize = 1 << 19;

/// Why a program with more of them is not followed.
const TOO_MANY_VARIABLES: &str = "too many variables at once";

/// Most times that a program is gone through; each nested loop takes a few.
const MAX_ROUNDS: usize = 64;

/// A function at one place that calls it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct InstanceId(pub(crate) u32);

/// A function as one place calls it.
#[derive(Debug)]
pub(crate) struct Instance {
    pub(crate) code: CodeId,
    /// Its free variables.
    pub(crate) captured: Vec<Captured>,
    /// What there may be before each instruction; `None` if it is not reached.
    pub(crate) before: Vec<Option<State>>,
    /// What each instruction that goes on leaves on top of the stack.
    pub(crate) leaves: Vec<Type>,
    /// What it may return; of a generator, what it may give.
    pub(crate) gives: Type,
}

/// What there may be at an instruction.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct State {
    /// Innermost last.
    pub(crate) stack: Vec<Slot>,
    /// Variables of the function, then those that functions inside see, too.
    pub(crate) variables: Vec<Type>,
}

/// A value on the stack.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Slot {
    pub(crate) holds: Type,
    pub(crate) origin: Origin,
}

/// What a value on the stack says of a variable.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Origin {
    Unknown,
    /// It is the variable.
    Variable(u32),
    /// It is the name of the class of the object that the variable is.
    ClassName(u32),
    /// It says whether this holds, or does not.
    Test(u32, Test, bool),
}

/// What can be said of a variable.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Test {
    None,
    /// It is an object of one of these classes.
    Classes(u64),
}

/// Something that is not followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Gap {
    /// What it is, in words.
    pub(crate) what: String,
}

/// A function that is being looked at, with what its variables are at the call that it waits for.
struct Active {
    instance: InstanceId,
    variables: Vec<Type>,
}

/// What the values of a program may be.
pub(crate) struct Inference<'i> {
    pub(crate) program: &'i Program,
    pub(crate) world: &'i World,
    machine: &'i Machine<'i>,
    pub(crate) types: Types,
    /// The first one is the function that is called from outside.
    instances: Vec<Instance>,
    /// By the place of the call; library functions may call more than one.
    children: FxHashMap<(InstanceId, u32, CodeId), InstanceId>,
    /// Where lists are made.
    sites: FxHashMap<(InstanceId, u32), u32>,
    gaps: IndexMap<(InstanceId, u32), Gap>,
    /// Names that functions of the program assign.
    assigned: FxHashSet<Symbol>,
    active: Vec<Active>,
    changed: bool,
    pub(crate) size: usize,
    /// Variables at instructions, of all instances.
    variables: usize,
}

impl<'i> Inference<'i> {
    /// Looks at a function that is called with a list of objects of any class of the world.
    ///
    /// # Errors
    /// In words, if that is beyond what is followed.
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
            return Err("worlds of 1 to 64 classes are followed".to_owned());
        }
        let Some(Known::Function(code, defaults)) = machine.known(function) else {
            return Err(format!("`{function}` is no plain function of the program"));
        };
        let names_it = program.names.iter().position(|name| **name == *function);
        if names_it.is_some_and(|place| inference.assigned.contains(&Symbol(place as u32))) {
            return Err(format!("`{function}` changes while the program runs"));
        }
        inference.settle(code, &defaults)?;
        Ok(inference)
    }

    /// All classes of the world.
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
                return Err("the function does not take the objects as its one argument".to_owned());
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
        Err("types did not settle".to_owned())
    }

    /// Where something was met that is not followed.
    pub(crate) fn gap(&self, instance: InstanceId, pc: usize) -> Option<&Gap> {
        self.gaps.get(&(instance, pc as u32))
    }

    /// All gaps, with the bytes of the text that they stand at.
    pub(crate) fn gaps(&self) -> impl Iterator<Item = (u32, &Gap)> {
        self.gaps.iter().map(|(&(instance, pc), gap)| {
            let code = self.program.code(self.get(instance).code);
            (code.places[pc as usize].start().to_u32(), gap)
        })
    }

    pub(crate) fn get(&self, instance: InstanceId) -> &Instance {
        &self.instances[instance.0 as usize]
    }

    /// What there may be before an instruction; `None` if it is not reached.
    pub(crate) fn before(&self, instance: InstanceId, pc: usize) -> Option<&State> {
        self.get(instance).before.get(pc)?.as_ref()
    }

    /// The function that a call of another one runs.
    pub(crate) fn child(&self, caller: InstanceId, pc: usize, code: CodeId) -> Option<InstanceId> {
        self.children.get(&(caller, pc as u32, code)).copied()
    }

    /// Where an instruction makes lists.
    pub(crate) fn made(&self, instance: InstanceId, pc: usize) -> Option<Type> {
        self.sites.get(&(instance, pc as u32)).map(|&site| Types::list(site))
    }

    /// Whether functions of the program assign a global.
    pub(crate) fn is_assigned(&self, symbol: Symbol) -> bool {
        self.assigned.contains(&symbol)
    }

    /// The place of a variable among those of its function; `None` of a function around.
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
                return Err("a function whose surroundings change".to_owned());
            }
            return Ok(child);
        }
        let found = self.program.code(code);
        if self.active.iter().any(|active| self.get(active.instance).code == code) {
            return Err(format!("`{}` calls itself", found.name));
        }
        self.size += found.instructions.len();
        if self.active.len() >= MAX_DEPTH || self.size > MAX_INSTRUCTIONS {
            return Err("too many calls within calls".to_owned());
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

    /// Goes through the instructions of a function once.
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

    /// Goes on at an instruction.
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

    /// The type of a value that nothing changes.
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

/// The names that functions assign: their values may be others at the next call.
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

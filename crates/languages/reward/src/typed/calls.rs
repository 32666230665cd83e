//! Type inference of calls.

use crate::code::{CodeId, Constant, Instruction, Parameter, Symbol, Variable};

use super::operators::{arithmetic, only};
use super::step::{Followed, Stop, gap};
use super::types::{Captured, Iterated, Kinds, Thing, Type};
use super::{Inference, InstanceId, Origin, Slot, State, Test};

/// The functions of `math` from one float to a float.
pub(crate) const MATH: [&str; 9] = ["sqrt", "fabs", "exp", "tanh", "sin", "cos", "atan", "degrees", "radians"];

/// The arguments of a call.
struct Arguments {
    places: Vec<Slot>,
    named: Vec<(Symbol, Type)>,
}

impl Arguments {
    fn types(&self) -> Vec<Type> {
        self.places.iter().map(|slot| slot.holds).collect()
    }
}

impl Inference<'_> {
    pub(super) fn call(
        &mut self,
        at: InstanceId,
        pc: usize,
        instruction: Instruction,
        state: &mut State,
    ) -> Followed<()> {
        let (count, keywords) = match instruction {
            Instruction::CallNamed(count, place) => (count, self.names(at, place)),
            Instruction::Call(count) => (count, Vec::new()),
            _ => return gap("a call with `*`"),
        };
        let mut places = state.stack.split_off(state.stack.len() - count as usize);
        let named = places.split_off(places.len() - keywords.len());
        let named = keywords.into_iter().zip(named.iter().map(|slot| slot.holds)).collect();
        let arguments = Arguments { places, named };
        let Some(called) = state.stack.pop() else { return Err(Stop::Dead) };
        if called.holds.kinds != Kinds::THING {
            return gap("a call of an unknown function");
        }
        let Some(thing) = self.types.detail(called.holds).cloned() else { return Err(Stop::Dead) };
        // Called functions read the current types of captured variables.
        if let Some(active) = self.active.last_mut() {
            active.variables.clone_from(&state.variables);
        }
        let slot = match thing {
            Thing::Function(code, captured, defaults) => {
                let holds = self.call_function(at, pc, code, &captured, &defaults, &arguments)?;
                Slot { holds, origin: Origin::Unknown }
            }
            Thing::Builtin(name) => self.call_builtin(at, pc, &name, &arguments)?,
            Thing::Math(name) => Slot { holds: call_math(name, &arguments)?, origin: Origin::Unknown },
            Thing::Method(receiver, symbol) => {
                let holds = self.call_method(receiver, symbol, &arguments)?;
                Slot { holds, origin: Origin::Unknown }
            }
            _ => return gap("the creation of objects"),
        };
        state.stack.push(slot);
        Ok(())
    }

    /// Returns the names of the keyword arguments, which are the last arguments of a call.
    pub(crate) fn names(&self, at: InstanceId, place: u32) -> Vec<Symbol> {
        let code = self.program.code(self.get(at).code);
        match &code.constants[place as usize] {
            Constant::Names(names) => names.to_vec(),
            _ => Vec::new(),
        }
    }

    fn call_function(
        &mut self,
        at: InstanceId,
        pc: usize,
        code: CodeId,
        captured: &[Captured],
        defaults: &[Type],
        arguments: &Arguments,
    ) -> Followed<Type> {
        if self.is_generator(code) {
            let iterated = arguments.places.first().map_or(Type::NEVER, |slot| slot.holds);
            return Ok(self.types.thing(Thing::Generator(code, captured.to_vec(), iterated)));
        }
        let gives = self.run(at, pc, code, captured, &arguments.types(), &arguments.named, defaults)?;
        if gives.is_never() { Err(Stop::Dead) } else { Ok(gives) }
    }

    /// Analyzes a function for this call site and returns the type of its result.
    #[allow(clippy::too_many_arguments, reason = "a call has that many parts")]
    fn run(
        &mut self,
        at: InstanceId,
        pc: usize,
        code: CodeId,
        captured: &[Captured],
        arguments: &[Type],
        named: &[(Symbol, Type)],
        defaults: &[Type],
    ) -> Followed<Type> {
        let child = self.instance(Some((at, pc as u32)), code, captured).map_err(Stop::Gap)?;
        let Some(state) = self.entered(child, arguments, named, defaults) else {
            return gap("a call with unsuitable arguments, or with `*args`");
        };
        self.go(child, 0, state);
        self.sweep(child);
        Ok(self.get(child).gives)
    }

    /// Returns the state at the start of a function; `None` if the arguments do not match its parameters one to one.
    pub(super) fn entered(
        &mut self,
        instance: InstanceId,
        arguments: &[Type],
        named: &[(Symbol, Type)],
        defaults: &[Type],
    ) -> Option<State> {
        let program = self.program;
        let code = program.code(self.get(instance).code);
        let signature = &code.signature;
        if signature.rest.is_some() || signature.keywords.is_some() || !signature.keyword_only.is_empty() {
            return None;
        }
        let given = bound(&signature.positional, signature.positional_only, arguments, named, defaults)?;
        let mut variables = vec![Type::UNBOUND; code.locals.len() + code.cells.len()];
        for (parameter, value) in signature.positional.iter().zip(given) {
            let place = match parameter.place {
                Variable::Local(place) => place as usize,
                Variable::Cell(place) => code.locals.len() + place as usize,
            };
            variables[place] = value;
        }
        Some(State { stack: Vec::new(), variables })
    }

    /// Analyzes a generator that is iterated here and returns the type of its values.
    fn generated(&mut self, at: InstanceId, pc: usize, generator: Type) -> Followed<Option<Type>> {
        let Some(Thing::Generator(code, captured, iterated)) = self.types.detail(generator).cloned() else {
            return Ok(None);
        };
        self.run(at, pc, code, &captured, &[iterated], &[], &[]).map(Some)
    }

    fn call_builtin(&mut self, at: InstanceId, pc: usize, name: &str, arguments: &Arguments) -> Followed<Slot> {
        if !arguments.named.is_empty() && !matches!(name, "min" | "max" | "sorted") {
            return gap(format!("`{name}` with keyword arguments"));
        }
        if let ("isinstance", [object, class]) = (name, &arguments.places[..]) {
            return self.is_instance(*object, class.holds);
        }
        if let ("type", [object]) = (name, &arguments.places[..]) {
            let objects = only(object.holds, Kinds::OBJECT, "`type` of a value that is not an object")?;
            let origin = match object.origin {
                Origin::Variable(variable) => Origin::ClassName(variable),
                _ => Origin::Unknown,
            };
            return Ok(Slot { holds: self.types.thing(Thing::ClassOf(objects)), origin });
        }
        let types = arguments.types();
        let holds = match (name, types.as_slice()) {
            ("len", &[list]) if list.kinds == Kinds::LIST => Type::INT,
            ("abs", &[number]) => {
                let number = only(number, Kinds::NUMBER, "`abs` of a value that is not a number")?;
                arithmetic(number, Type::INT, false)
            }
            ("float", &[number]) => self.float(number)?,
            ("int", &[number]) => {
                only(number, Kinds::NUMBER, "`int` of a value that is not a number")?;
                Type::INT
            }
            ("bool", &[value]) if !value.kinds.has(Kinds::ANY) => {
                let truth = self.types.truth(value);
                self.types.bool(truth)
            }
            ("range", &[_] | &[_, _] | &[_, _, _]) => self.range(&types)?,
            ("enumerate", &[list]) if list.kinds == Kinds::LIST => {
                self.types.thing(Thing::Iterator(Iterated::Enumerated(list, 0)))
            }
            ("next", &[generator]) => match self.generated(at, pc, generator)? {
                Some(gives) if gives.is_never() => return Err(Stop::Dead),
                Some(gives) => gives,
                None => return gap("`next` of a value that is not a generator expression"),
            },
            ("next", &[generator, otherwise]) => match self.generated(at, pc, generator)? {
                Some(gives) => self.types.join(gives, otherwise),
                None => return gap("`next` of a value that is not a generator expression"),
            },
            ("any" | "all", &[generator]) => match self.generated(at, pc, generator)? {
                Some(gives) if gives.kinds.has(Kinds::ANY) => return gap("values of several types"),
                Some(_) => Type::BOOL,
                None => return gap(format!("`{name}` of a value that is not a generator expression")),
            },
            ("sum", &[values]) => self.sum(at, pc, values)?,
            ("min" | "max" | "sorted", _) => self.ordered(at, pc, name, arguments)?,
            _ => return gap(format!("`{name}` with these arguments")),
        };
        Ok(Slot { holds, origin: Origin::Unknown })
    }

    fn is_instance(&mut self, object: Slot, class: Type) -> Followed<Slot> {
        let classes = self.parts(class).unwrap_or_else(|| vec![class]);
        let mut wanted = 0;
        for class in classes {
            match self.types.detail(class).filter(|_| class.kinds == Kinds::THING) {
                Some(Thing::Class(class)) => wanted |= self.with_subclasses(*class),
                _ => return gap("`isinstance` with a class that is not a class of the world"),
            }
        }
        let simple = Kinds::OBJECT.with(Kinds::NONE);
        if !object.holds.kinds.within(simple) {
            return gap("`isinstance` of a value that is not an object");
        }
        let classes = object.holds.classes;
        let known = if classes & wanted == 0 {
            Some(false)
        } else if classes & !wanted == 0 && object.holds.kinds == Kinds::OBJECT {
            Some(true)
        } else {
            None
        };
        let origin = match object.origin {
            Origin::Variable(variable) => Origin::Test(variable, Test::Classes(wanted), true),
            _ => Origin::Unknown,
        };
        Ok(Slot { holds: self.types.bool(known), origin })
    }

    /// Returns the bit set of a class and its subclasses.
    pub(crate) fn with_subclasses(&self, class: u16) -> u64 {
        let parent = |class: &u16| self.world.classes[*class as usize].parent;
        let kinds = (0..self.world.classes.len() as u16)
            .filter(|&other| std::iter::successors(Some(other), parent).any(|other| other == class));
        kinds.fold(0, |bits, class| bits | 1 << class)
    }

    fn float(&mut self, value: Type) -> Followed<Type> {
        if let Some(Thing::Text(place)) = self.types.constant(value) {
            let number = match &*self.types.texts[*place as usize] {
                "inf" => f64::INFINITY,
                "-inf" => f64::NEG_INFINITY,
                _ => return gap("`float` of a string"),
            };
            return Ok(self.types.thing(Thing::Float(number.to_bits())));
        }
        only(value, Kinds::NUMBER, "`float` of a value that is not a number")?;
        Ok(Type::FLOAT)
    }

    fn range(&mut self, arguments: &[Type]) -> Followed<Type> {
        if !arguments.iter().all(|argument| argument.kinds.within(Kinds::INT.with(Kinds::BOOL))) {
            return gap("`range` of values that are not integers");
        }
        let step = arguments.get(2).map_or(Some(1), |&step| self.types.int(step));
        match step {
            Some(step) if step != 0 => Ok(self.types.thing(Thing::Range(step))),
            _ => gap("`range` with a variable step"),
        }
    }

    /// Returns the type of the sum of a list or generator.
    fn sum(&mut self, at: InstanceId, pc: usize, values: Type) -> Followed<Type> {
        let element = match self.generated(at, pc, values)? {
            Some(gives) => gives,
            None if values.kinds == Kinds::LIST => self.types.element(values),
            None => return gap("`sum` of a value that is not a list or a generator expression"),
        };
        match element.kinds {
            Kinds::NEVER => Ok(self.types.thing(Thing::Int(0))),
            Kinds::FLOAT => Ok(Type::of(Kinds::INT.with(Kinds::FLOAT))),
            kinds if kinds.within(Kinds::INT.with(Kinds::BOOL)) => Ok(Type::INT),
            _ => gap("`sum` of numbers of several types"),
        }
    }

    /// Returns the type of a call of `min`, `max` or `sorted`.
    fn ordered(&mut self, at: InstanceId, pc: usize, name: &str, arguments: &Arguments) -> Followed<Type> {
        let program = self.program;
        let mut key = None;
        for &(symbol, value) in &arguments.named {
            match &*program.names[symbol.0 as usize] {
                "key" => key = Some(value),
                other => return gap(format!("`{name}` with `{other}`")),
            }
        }
        let types = arguments.types();
        if let ([list], Some(key)) = (types.as_slice(), key)
            && list.kinds == Kinds::LIST
        {
            let element = self.types.element(*list);
            if element.is_never() {
                return self.of_nothing(at, pc, name);
            }
            let Some(Thing::Function(code, captured, defaults)) = self.types.detail(key).cloned() else {
                return gap(format!("`{name}` with a `key` that is not a function of the program"));
            };
            let worth = self.run(at, pc, code, &captured, &[element], &[], &defaults)?;
            if worth.is_never() {
                return Err(Stop::Dead);
            }
            let whole = self.parts(worth).unwrap_or_else(|| vec![worth]);
            if whole.iter().any(|part| !matches!(part.kinds, Kinds::INT | Kinds::FLOAT)) {
                return gap(format!("`{name}` with a `key` that does not return numbers of one type"));
            }
            if name != "sorted" && whole.len() > 1 {
                return gap(format!("`{name}` with a `key` that returns tuples"));
            }
            return Ok(self.one_or_all(at, pc, name, element));
        }
        if key.is_some() {
            return gap(format!("`{name}` with `key` of a value that is not a list"));
        }
        match types.as_slice() {
            [_, _, ..] if name != "sorted" => {
                let mut all = Type::NEVER;
                for &value in &types {
                    let number = only(value, Kinds::NUMBER, &format!("`{name}` of values that are not numbers"))?;
                    all = self.types.join(all, number);
                }
                Ok(Type::of(all.kinds))
            }
            [list] if list.kinds == Kinds::LIST => {
                let element = self.types.element(*list);
                match element.kinds {
                    Kinds::NEVER => self.of_nothing(at, pc, name),
                    Kinds::INT | Kinds::FLOAT => Ok(self.one_or_all(at, pc, name, element)),
                    _ => gap(format!("`{name}` of a list of values other than numbers of one type")),
                }
            }
            _ => gap(format!("`{name}` with these arguments")),
        }
    }

    fn one_or_all(&mut self, at: InstanceId, pc: usize, name: &str, element: Type) -> Type {
        if name != "sorted" {
            return element;
        }
        let list = self.new_list(at, pc);
        self.types.holds(list, element);
        list
    }

    /// Returns the type of the same call with a list that is always empty.
    fn of_nothing(&mut self, at: InstanceId, pc: usize, name: &str) -> Followed<Type> {
        if name == "sorted" { Ok(self.new_list(at, pc)) } else { gap(format!("`{name}` of an empty list")) }
    }

    fn call_method(&mut self, receiver: Type, symbol: Symbol, arguments: &Arguments) -> Followed<Type> {
        let program = self.program;
        let name = &*program.names[symbol.0 as usize];
        let types = arguments.types();
        match (name, types.as_slice()) {
            ("append", &[value]) => {
                self.types.changes(receiver);
                self.hold(receiver, value)?;
                Ok(Type::NONE)
            }
            ("remove", &[value]) => {
                self.types.changes(receiver);
                let element = self.types.element(receiver);
                let plain = Kinds::OBJECT.with(Kinds::INT).with(Kinds::TEXT);
                if element.is_never()
                    || (element.kinds == value.kinds && element.kinds.is_one() && element.kinds.within(plain))
                {
                    return Ok(Type::NONE);
                }
                gap("`remove` of a value of another type than the elements of the list")
            }
            ("is_on_top" | "manathan_distance", &[other]) => {
                only(other, Kinds::OBJECT, "a method of a value that is not an object")?;
                Ok(if name == "is_on_top" { Type::BOOL } else { Type::FLOAT })
            }
            _ => gap(format!("the method `{name}` with these arguments")),
        }
    }
}

/// Binds arguments to parameters; `None` if they do not match.
pub(crate) fn bound<T: Copy>(
    parameters: &[Parameter],
    by_place_only: usize,
    arguments: &[T],
    named: &[(Symbol, T)],
    defaults: &[T],
) -> Option<Vec<T>> {
    if arguments.len() > parameters.len() || defaults.len() > parameters.len() {
        return None;
    }
    let mut given: Vec<Option<T>> = arguments.iter().copied().map(Some).collect();
    given.resize(parameters.len(), None);
    for &(symbol, value) in named {
        let mut places = parameters.iter().enumerate().skip(by_place_only);
        let (place, _) = places.find(|(_, parameter)| parameter.name == symbol)?;
        if given[place].replace(value).is_some() {
            return None;
        }
    }
    let first = parameters.len() - defaults.len();
    for (slot, &default) in given[first..].iter_mut().zip(defaults) {
        slot.get_or_insert(default);
    }
    given.into_iter().collect()
}

fn call_math(name: &str, arguments: &Arguments) -> Followed<Type> {
    let types = arguments.types();
    for &number in &types {
        only(number, Kinds::NUMBER, &format!("`math.{name}` of values that are not numbers"))?;
    }
    match (name, types.len()) {
        (name, 1) if MATH.contains(&name) => Ok(Type::FLOAT),
        ("hypot", 2) => Ok(Type::FLOAT),
        _ => gap(format!("`math.{name}`")),
    }
}

//! A plain interpreter, which defines the meaning of the instructions.

#![allow(clippy::float_cmp, reason = "floats are equal or not")]

use goalspec_native::{
    Arguments, BitOp, FIELDS, FloatOp, IntOp, MAX_LENGTH, MAX_LISTS, MAX_ROWS, Op, Register, RunOutcome, Test, Trap,
    UnaryOp,
};

struct Run<'r> {
    registers: Vec<u64>,
    lists: Vec<Vec<u64>>,
    rows: &'r [[i32; FIELDS]],
    classes: &'r [u8],
    fuel: i64,
}

/// Runs instructions sequentially, with lists that exist before.
pub(crate) fn interpret(
    ops: &[Op],
    rows: &[[i32; FIELDS]],
    classes: &[u8],
    fuel: i64,
    initial_lists: &[Vec<u64>],
) -> RunOutcome {
    if rows.len() > MAX_ROWS {
        return RunOutcome::Trapped(Trap::Bailout);
    }
    let mut lists = vec![(0..rows.len() as u64).collect()];
    lists.extend_from_slice(initial_lists);
    let mut run = Run { registers: vec![0; 1 << 16], lists, rows, classes, fuel };
    let mut at = 0;
    loop {
        match ops[at] {
            Op::End { code, values } => {
                return RunOutcome::Finished { code, values: values.map(|value| run.get(value)) };
            }
            op => match run.step(op) {
                Ok(None) => at += 1,
                Ok(Some(target)) => at = target as usize,
                Err(stop) => return RunOutcome::Trapped(stop),
            },
        }
    }
}

impl Run<'_> {
    fn get(&self, register: Register) -> u64 {
        self.registers[register as usize]
    }

    fn float(&self, register: Register) -> f64 {
        f64::from_bits(self.get(register))
    }

    fn consume_fuel(&mut self, cost: u64) -> Result<(), Trap> {
        self.fuel -= cost as i64;
        if self.fuel < 0 { Err(Trap::OutOfFuel) } else { Ok(()) }
    }

    fn list(&self, l: Register) -> Result<&Vec<u64>, Trap> {
        self.lists.get(self.get(l) as usize).ok_or(Trap::OutOfBounds)
    }

    /// Returns the index of a list that may be changed.
    fn mutable_list(&self, l: Register) -> Result<usize, Trap> {
        self.list(l)?;
        if self.get(l) == 0 { Err(Trap::Bailout) } else { Ok(self.get(l) as usize) }
    }

    fn is_in_classes(&self, row: u64, set: u64) -> bool {
        self.classes.get(row as usize).is_some_and(|class| set >> (class & 63) & 1 == 1)
    }

    fn test(&self, test: Test, a: Register, b: Register) -> bool {
        match test {
            Test::Equal => self.get(a) == self.get(b),
            Test::Less => self.get(a).cast_signed() < self.get(b).cast_signed(),
            Test::LessEqual => self.get(a).cast_signed() <= self.get(b).cast_signed(),
            Test::FloatEqual => self.float(a) == self.float(b),
            Test::FloatLess => self.float(a) < self.float(b),
            Test::FloatLessEqual => self.float(a) <= self.float(b),
        }
    }

    fn step(&mut self, op: Op) -> Result<Option<u32>, Trap> {
        let (d, value) = match op {
            Op::Const { d, bits } => (d, bits),
            Op::Copy { d, a } => (d, self.get(a)),
            Op::Int { op, d, a, b } => (d, int(op, self.get(a).cast_signed(), self.get(b).cast_signed())?),
            Op::Bits { op, d, a, b } => {
                let (a, b) = (self.get(a), self.get(b));
                let value = match op {
                    BitOp::Add => a.wrapping_add(b),
                    BitOp::Sub => a.wrapping_sub(b),
                    BitOp::And => a & b,
                    BitOp::Or => a | b,
                    BitOp::Xor => a ^ b,
                    BitOp::ShiftRight => a >> (b & 63),
                };
                (d, value)
            }
            Op::Float { op, d, a, b } => {
                let (a, b) = (self.float(a), self.float(b));
                let value = match op {
                    FloatOp::Add => a + b,
                    FloatOp::Sub => a - b,
                    FloatOp::Mul => a * b,
                    FloatOp::Div => a / b,
                };
                (d, value.to_bits())
            }
            Op::Unary { op, d, a } => {
                let float = self.float(a);
                let value = match op {
                    UnaryOp::Neg => (-float).to_bits(),
                    UnaryOp::Abs => float.abs().to_bits(),
                    UnaryOp::Sqrt => float.sqrt().to_bits(),
                    UnaryOp::ToFloat => (self.get(a).cast_signed() as f64).to_bits(),
                    UnaryOp::ToInt => (float as i64).cast_unsigned(),
                };
                (d, value)
            }
            Op::Select { test, x, y, d, a, b } => (d, self.get(if self.test(test, x, y) { a } else { b })),
            Op::Field { d, o, field } => {
                let row = self.rows.get(self.get(o) as usize).ok_or(Trap::OutOfBounds)?;
                (d, i64::from(row[usize::from(field) % FIELDS]).cast_unsigned())
            }
            Op::Length { d, l } => (d, self.list(l)?.len() as u64),
            Op::Call { d, function, a, b } => (d, function(self.get(a), self.get(b))),
            Op::NewList { d } => (d, self.new_list(0)?),
            Op::NewZeros { d, count } => (d, self.new_list(count)?),
            Op::CallHost { d, e, function, arguments } => {
                let value = self.call_host(function, arguments)?;
                self.registers[d as usize] = value;
                (e, value ^ 5)
            }
            Op::Get { d, l, a, t } => match self.list(l)?.get(self.get(a) as usize) {
                Some(&value) => (d, value),
                None => return Ok(Some(t)),
            },
            _ => return self.execute_effect(op),
        };
        self.registers[d as usize] = value;
        Ok(None)
    }

    /// Executes an instruction without a single result value.
    fn execute_effect(&mut self, op: Op) -> Result<Option<u32>, Trap> {
        match op {
            Op::Jump { t } => return Ok(Some(t)),
            Op::JumpIf { test, when, a, b, t } => return Ok((self.test(test, a, b) == when).then_some(t)),
            Op::JumpIfClass { o, set, when, t } => {
                return Ok((self.is_in_classes(self.get(o), set) == when).then_some(t));
            }
            Op::ConsumeFuel { cost } => self.consume_fuel(cost.into())?,
            Op::ConsumeFuelBy { a, cost } => self.consume_fuel((self.get(a) & 0xffff_ffff) * u64::from(cost))?,
            Op::Set { l, a, b, t } => {
                let (list, place, value) = (self.mutable_list(l)?, self.get(a), self.get(b));
                match self.lists[list].get_mut(place as usize) {
                    Some(element) => *element = value,
                    None => return Ok(Some(t)),
                }
            }
            Op::Push { l, a } => {
                let (list, value) = (self.mutable_list(l)?, self.get(a));
                self.push(list, value)?;
            }
            Op::Remove { l, a } => {
                let (list, place) = (self.mutable_list(l)?, self.get(a));
                if place >= self.lists[list].len() as u64 {
                    return Err(Trap::OutOfBounds);
                }
                self.lists[list].remove(place as usize);
            }
            Op::Extend { l, m } => {
                let list = self.mutable_list(l)?;
                let more = self.list(m)?.clone();
                if self.get(l) == self.get(m) || self.lists[list].len() + more.len() > MAX_LENGTH {
                    return Err(Trap::Bailout);
                }
                self.lists[list].extend(more);
            }
            Op::Sort { l, keys, count, floats } => self.sort(l, keys, count, floats)?,
            Op::NextOfClass { d, l, place, set, cost, t } => return self.next_of_class(d, l, place, (set, cost, t)),
            Op::PushOfClass { l, m, place, set } => {
                let list = self.mutable_list(l)?;
                let from = self.list(m)?.clone();
                let place = self.get(place);
                if self.get(l) == self.get(m) {
                    return Err(Trap::Bailout);
                }
                for (_, &row) in from.iter().enumerate().filter(|(at, _)| *at as u64 >= place) {
                    if self.is_in_classes(row, set) {
                        self.push(list, row)?;
                    }
                }
            }
            Op::Bailout => return Err(Trap::Bailout),
            _ => unreachable!("{op:?}"),
        }
        Ok(None)
    }

    fn new_list(&mut self, zeros: u8) -> Result<u64, Trap> {
        if self.lists.len() == MAX_LISTS {
            return Err(Trap::Bailout);
        }
        self.lists.push(vec![0; zeros.into()]);
        Ok(self.lists.len() as u64 - 1)
    }

    /// Calls a function of [`super::RandomHost`].
    fn call_host(&mut self, function: u32, arguments: Arguments) -> Result<u64, Trap> {
        let values: Vec<u64> = arguments.registers().iter().map(|&register| self.get(register)).collect();
        let list = |run: &Self, list: u64| {
            let length = run.lists.get(list as usize).map(Vec::len);
            length.ok_or(Trap::OutOfBounds)
        };
        let (value, cost) = match function {
            0 => (values[0] ^ values[1], 3),
            1 => {
                let length = list(self, values[0])?;
                let (start, end) = (values[1] as usize & 3, values[2] as usize & 7);
                if start > end || end > length {
                    return Err(Trap::OutOfBounds);
                }
                if values[0] == 0 || length - (end - start) + 2 > MAX_LENGTH {
                    return Err(Trap::Bailout);
                }
                self.lists[values[0] as usize].splice(start..end, [values[1], values[2]]);
                (length as u64, 1 << 32)
            }
            2 => {
                let (length, more) = (list(self, values[0])?, list(self, values[1])?.min(2));
                if values[0] == values[1] || values[0] == 0 || length + more > MAX_LENGTH {
                    return Err(Trap::Bailout);
                }
                let other = self.lists[values[1] as usize][..more].to_vec();
                self.lists[values[0] as usize].extend(other);
                (0, 0)
            }
            3 => {
                list(self, values[0])?;
                if values[0] == 0 {
                    return Err(Trap::Bailout);
                }
                let elements = &mut self.lists[values[0] as usize];
                elements.reverse();
                elements.chunks_exact_mut(2).for_each(<[u64]>::reverse);
                (1, 1)
            }
            _ => return Err(Trap::Overflow),
        };
        self.consume_fuel(cost & 0xffff_ffff)?;
        Ok(value)
    }

    fn push(&mut self, list: usize, value: u64) -> Result<(), Trap> {
        if self.lists[list].len() == MAX_LENGTH {
            return Err(Trap::Bailout);
        }
        self.lists[list].push(value);
        Ok(())
    }

    fn next_of_class(
        &mut self,
        d: Register,
        l: Register,
        at: Register,
        (set, cost, t): (u64, u16, u32),
    ) -> Result<Option<u32>, Trap> {
        let list = self.list(l)?.clone();
        let mut place = self.get(at);
        loop {
            self.consume_fuel(cost.into())?;
            let Some(&row) = list.get(place as usize) else { return Ok(Some(t)) };
            place += 1;
            self.registers[at as usize] = place;
            self.registers[d as usize] = row;
            if row >= self.rows.len() as u64 {
                return Err(Trap::OutOfBounds);
            }
            if self.is_in_classes(row, set) {
                return Ok(None);
            }
        }
    }

    fn sort(&mut self, l: Register, keys: Register, count: u8, floats: bool) -> Result<(), Trap> {
        let list = self.mutable_list(l)?;
        let keys: Vec<Register> = (0..u16::from(count)).map(|place| keys + place).collect();
        for &key in &keys {
            self.list(key)?;
        }
        let all: Vec<usize> = keys.iter().map(|&key| self.get(key) as usize).collect();
        let length = self.lists[list].len();
        for (place, &key) in all.iter().enumerate() {
            if key == 0 {
                return Err(Trap::Bailout);
            }
            if self.lists[key].len() != length || key == list || all[..place].contains(&key) {
                return Err(Trap::OutOfBounds);
            }
            if floats && self.lists[key].iter().any(|&bits| f64::from_bits(bits).is_nan()) {
                return Err(Trap::UnorderedKeys);
            }
        }
        let mut order: Vec<usize> = (0..length).collect();
        order.sort_by(|&one, &two| {
            let compare = |key: &usize| {
                let (one, two) = (self.lists[*key][one], self.lists[*key][two]);
                if floats {
                    f64::from_bits(one).partial_cmp(&f64::from_bits(two)).unwrap()
                } else {
                    one.cast_signed().cmp(&two.cast_signed())
                }
            };
            all.iter().map(compare).find(|order| order.is_ne()).unwrap_or(std::cmp::Ordering::Equal)
        });
        for list in all.into_iter().chain([list]) {
            let sorted = order.iter().map(|&place| self.lists[list][place]).collect();
            self.lists[list] = sorted;
        }
        Ok(())
    }
}

fn int(op: IntOp, a: i64, b: i64) -> Result<u64, Trap> {
    if matches!(op, IntOp::FloorDiv | IntOp::Mod) && b == 0 {
        return Err(Trap::DivisionByZero);
    }
    let floor = || Some(a.checked_div(b)? - i64::from(a.checked_rem(b)? != 0 && (a < 0) != (b < 0)));
    let value = match op {
        IntOp::Add => a.checked_add(b),
        IntOp::Sub => a.checked_sub(b),
        IntOp::Mul => a.checked_mul(b),
        IntOp::FloorDiv => floor(),
        IntOp::Mod => floor().map(|quotient| a.wrapping_sub(quotient.wrapping_mul(b))),
    };
    value.map(i64::cast_unsigned).ok_or(Trap::Overflow)
}

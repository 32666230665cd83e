//! Differential tests: random programs on random rows have the same outcome as machine code and in the plain interpreter below.

#![allow(clippy::many_single_char_names, reason = "registers and fields of instructions are called so")]

mod interpreter;

use goalspec_native::{
    Arguments, BitOp, FloatOp, Host, HostResult, IntOp, ListMemory, Lists, MAX_ARGUMENTS, MAX_LENGTH, MAX_LISTS,
    MAX_ROWS, MachineCode, NoHost, Op, Program, Register, Rows, RunOutcome, SET_ROWS, Test, Trap, UnaryOp,
};
use interpreter::interpret;
use proptest::prelude::*;

/// The number of registers of random programs; few, so that instructions share registers.
const REGISTERS: u64 = 9;

/// A source of random numbers, drawn from bytes.
struct RandomSource<'b>(std::slice::Iter<'b, u8>);

impl RandomSource<'_> {
    fn below(&mut self, limit: u64) -> u64 {
        let byte = u64::from(self.0.next().copied().unwrap_or(0));
        byte % limit
    }

    fn register(&mut self) -> Register {
        self.below(REGISTERS) as Register
    }

    /// Returns mostly the given register, which initially contains a list or a row.
    fn register_biased_to(&mut self, register: Register) -> Register {
        if self.below(3) > 0 { register } else { self.register() }
    }

    fn bits(&mut self) -> u64 {
        const KNOWN: [u64; 12] = [
            u64::MAX,
            u64::MAX - 1,
            i64::MAX.cast_unsigned(),
            i64::MIN.cast_unsigned(),
            1 << 53,
            64,
            1 << 40,
            0x3fe0_0000_0000_0000,
            0xbff0_0000_0000_0000,
            0x7ff0_0000_0000_0000,
            0x43e0_0000_0000_0000,
            0x8000_0000_0000_0000,
        ];
        match self.below(3) {
            0 => KNOWN[self.below(KNOWN.len() as u64) as usize],
            _ => self.below(9),
        }
    }

    fn set(&mut self) -> u64 {
        match self.below(8) {
            0 => u64::MAX,
            1 => 0,
            2 => !(self.below(256) << (self.below(3) * 28)),
            3 => 0x5555_5555_5555_5555 ^ self.below(256),
            _ => self.below(256) << (self.below(3) * 28),
        }
    }

    fn test(&mut self) -> Test {
        const ALL: [Test; 6] =
            [Test::Equal, Test::Less, Test::LessEqual, Test::FloatEqual, Test::FloatLess, Test::FloatLessEqual];
        ALL[self.below(6) as usize]
    }

    fn op(&mut self, length: u64) -> Op {
        let [d, a, b] = std::array::from_fn(|_| self.register());
        let (l, o) = (self.register_biased_to(1), self.register_biased_to(2));
        let when = self.below(2) == 1;
        let t = self.below(length) as u32;
        match self.below(36) {
            0 | 1 => Op::Const { d, bits: self.bits() },
            2 => Op::Copy { d, a },
            3 | 4 => {
                const ALL: [IntOp; 5] = [IntOp::Add, IntOp::Sub, IntOp::Mul, IntOp::FloorDiv, IntOp::Mod];
                Op::Int { op: ALL[self.below(5) as usize], d, a, b }
            }
            5 => {
                const ALL: [BitOp; 6] = [BitOp::Add, BitOp::Sub, BitOp::And, BitOp::Or, BitOp::Xor, BitOp::ShiftRight];
                Op::Bits { op: ALL[self.below(6) as usize], d, a, b }
            }
            6 => {
                const ALL: [FloatOp; 4] = [FloatOp::Add, FloatOp::Sub, FloatOp::Mul, FloatOp::Div];
                Op::Float { op: ALL[self.below(4) as usize], d, a, b }
            }
            7 => {
                const ALL: [UnaryOp; 5] = [UnaryOp::Neg, UnaryOp::Abs, UnaryOp::Sqrt, UnaryOp::ToFloat, UnaryOp::ToInt];
                Op::Unary { op: ALL[self.below(5) as usize], d, a }
            }
            8 => Op::Select { test: self.test(), x: a, y: b, d, a: o, b: self.register() },
            9 => Op::Jump { t },
            10 | 11 => Op::JumpIf { test: self.test(), when, a, b, t },
            12 | 13 => Op::JumpIfClass { o, set: self.set(), when, t },
            14 | 15 => Op::Field { d, o, field: self.below(256) as u8 },
            16 => Op::ConsumeFuel { cost: self.below(9) as u16 },
            17 => Op::ConsumeFuelBy { a, cost: self.below(3) as u16 },
            18 | 19 => Op::NewList { d: a },
            20 => Op::Push { l, a },
            21 => Op::Length { d, l },
            22 => Op::Get { d, l, a, t },
            23 => Op::Remove { l, a },
            24 => Op::Extend { l, m: a },
            25 => Op::Sort { l, keys: a, count: 1 + self.below(2) as u8, floats: when },
            26 | 27 => Op::NextOfClass { d, l, place: a, set: self.set(), cost: self.below(5) as u16, t },
            28 => Op::PushOfClass { l, m: a, place: b, set: self.set() },
            29 => Op::NewZeros { d: a, count: self.below(9) as u8 },
            30 | 31 => Op::Set { l, a, b, t },
            32..=34 => {
                let arguments = Arguments::new(&[l, a, b]).unwrap();
                Op::CallHost { d, e: o, function: self.below(5) as u32, arguments }
            }
            _ => Op::Call { d, function: mix_words, a, b },
        }
    }
}

extern "C" fn mix_words(a: u64, b: u64) -> u64 {
    a.rotate_left(7) ^ b
}

/// Functions of words and of lists.
#[derive(Debug)]
struct RandomHost;

impl Host for RandomHost {
    fn call(
        &self,
        function: u32,
        &[l, a, b, ..]: &[u64; MAX_ARGUMENTS],
        lists: &mut Lists<'_>,
    ) -> Result<HostResult, Trap> {
        let (value, cost) = match function {
            0 => (l ^ a, 3),
            1 => {
                let length = lists.get(l)?.len() as u64;
                lists.replace(l, a as usize & 3..b as usize & 7, &[a, b])?;
                (length, 1 << 32)
            }
            2 => {
                let more = lists.get(a)?.len().min(2);
                lists.extend_from(l, a, 0..more)?;
                (0, 0)
            }
            3 => {
                lists.reverse(l, 2)?;
                (1, 1)
            }
            _ => return Err(Trap::Overflow),
        };
        Ok(HostResult { values: [value, value ^ 5], cost })
    }
}

/// Generates a program that first enumerates its rows, and ends with the values of two registers.
fn ops(choices: &mut RandomSource<'_>) -> Vec<Op> {
    let length = 8 + choices.below(40);
    let mut ops =
        vec![Op::NewList { d: 1 }, Op::NextOfClass { d: 2, l: 0, place: 3, set: choices.set(), cost: 1, t: 2 }];
    ops.extend((0..length).map(|_| choices.op(length + 3)));
    let values = std::array::from_fn(|_| choices.register());
    ops.push(Op::End { code: choices.below(256) as u32, values });
    // Most backward jumps are replaced by an instruction that uses fuel, because a loop without fuel is invalid.
    for (at, op) in ops.iter_mut().enumerate() {
        if op.jump_target_mut().is_some_and(|target| *target as usize <= at) && choices.below(4) > 0 {
            *op = Op::ConsumeFuel { cost: 3 };
        }
    }
    ops
}

/// Generates rows with classes, and the bit set of the rows of each class.
fn rows(choices: &mut RandomSource<'_>) -> (Vec<[i32; 8]>, Vec<u8>, [u64; 64]) {
    let count = match choices.below(12) {
        0 => MAX_ROWS as u64,
        1 => 0,
        2 => SET_ROWS as u64 - 1 + choices.below(3),
        _ => choices.below(9),
    };
    let rows: Vec<[i32; 8]> = (0..count).map(|_| std::array::from_fn(|_| choices.bits() as i32)).collect();
    let classes: Vec<u8> = (0..count).map(|_| choices.below(7) as u8 * 29).collect();
    let mut planes = [0; 64];
    for (place, class) in classes.iter().enumerate().take(SET_ROWS) {
        planes[usize::from(class & 63)] |= 1 << place;
    }
    (rows, classes, planes)
}

/// Generates lists that exist before a run.
fn lists(choices: &mut RandomSource<'_>) -> Vec<Vec<u64>> {
    (0..choices.below(4)).map(|_| (0..choices.below(5)).map(|_| choices.bits()).collect()).collect()
}

/// Normalizes an outcome such that all NaNs are equal.
fn normalize_outcome(outcome: RunOutcome) -> RunOutcome {
    let plain = |bits: u64| if f64::from_bits(bits).is_nan() { f64::NAN.to_bits() } else { bits };
    match outcome {
        RunOutcome::Finished { code, values } => RunOutcome::Finished { code, values: values.map(plain) },
        stopped @ RunOutcome::Trapped(_) => stopped,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 1500, ..ProptestConfig::default() })]

    /// Three runs use the same memory, to show that a run does not affect the next one.
    #[test]
    fn random_programs_match_interpreter(bytes in prop::collection::vec(any::<u8>(), 40..700), fuel in 0i64..300) {
        let mut choices = RandomSource(bytes.iter());
        let ops = ops(&mut choices);
        let lists = lists(&mut choices);
        let Ok(program) = Program::new(ops.clone(), lists.len()) else { return Ok(()) };
        let code = MachineCode::compile(&program).unwrap();
        let mut memory = ListMemory::new();
        for _ in 0..3 {
            let (rows, classes, planes) = rows(&mut choices);
            let expected = interpret(&ops, &rows, &classes, fuel, &lists);
            prop_assert!(memory.set_lists(&lists));
            let rows_of_run = Rows { fields: &rows, classes: &classes, class_rows: &planes };
            let result = code.run(rows_of_run, &mut memory, fuel, &RandomHost);
            prop_assert_eq!(normalize_outcome(result), normalize_outcome(expected), "{:#?}\n{:?}\n{:?}", ops, rows, classes);
        }
    }
}

/// Runs instructions as machine code on rows of class 0.
fn run(ops: Vec<Op>, count: usize, fuel: i64) -> RunOutcome {
    let rows = vec![[7; 8]; count];
    let mut planes = [0; 64];
    planes[0] = (0..count.min(64)).fold(0, |plane, place| plane | 1u64 << place);
    let code = MachineCode::compile(&Program::new(ops, 0).unwrap()).unwrap();
    code.run(
        Rows { fields: &rows, classes: &vec![0; count], class_rows: &planes },
        &mut ListMemory::new(),
        fuel,
        &NoHost,
    )
}

/// Random programs end in different ways, so the comparison is meaningful.
#[test]
fn random_programs_have_varied_outcomes() {
    let (mut ended, mut stopped, mut refused, mut state) = (0, 0, 0, 1u64);
    for _ in 0..900 {
        let bytes: Vec<u8> = (0..400)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 56) as u8
            })
            .collect();
        let mut choices = RandomSource(bytes.iter());
        let ops = ops(&mut choices);
        if Program::new(ops.clone(), 0).is_err() {
            refused += 1;
            continue;
        }
        let (rows, classes, _) = rows(&mut choices);
        match interpret(&ops, &rows, &classes, 200, &[]) {
            RunOutcome::Finished { .. } => ended += 1,
            RunOutcome::Trapped(_) => stopped += 1,
        }
    }
    println!("{ended} ended, {stopped} stopped, {refused} refused");
    assert!(ended > 50 && stopped > 100, "{ended} {stopped} {refused}");
}

/// A row that does not exist stops a run, regardless of how the index was computed.
#[test]
fn missing_rows_trap() {
    let at = |bits| {
        vec![Op::Const { d: 0, bits }, Op::Field { d: 1, o: 0, field: 3 }, Op::End { code: 9, values: [1, 0, 0] }]
    };
    assert_eq!(run(at(2), 3, 0), RunOutcome::Finished { code: 9, values: [7, 2, 2] });
    for bits in [3, 64, 1 << 32, 1 << 58, u64::MAX, i64::MIN.cast_unsigned()] {
        assert_eq!(run(at(bits), 3, 0), RunOutcome::Trapped(Trap::OutOfBounds), "{bits}");
    }
    assert_eq!(run(at(0), MAX_ROWS + 1, 0), RunOutcome::Trapped(Trap::Bailout), "more rows than there is room for");
}

/// A list that does not exist stops a run, and so does a change of the list of rows.
#[test]
fn missing_or_shared_lists_trap() {
    let ops = |bits, op: fn(Register) -> Op| {
        vec![Op::NewList { d: 1 }, Op::Const { d: 0, bits }, op(0), Op::End { code: 0, values: [1, 1, 1] }]
    };
    let all: [fn(Register) -> Op; 5] = [
        |l| Op::Push { l, a: 1 },
        |l| Op::Extend { l, m: 1 },
        |l| Op::Remove { l, a: 1 },
        |l| Op::Sort { l, keys: 1, count: 1, floats: false },
        |l| Op::PushOfClass { l, m: 1, place: 1, set: 1 },
    ];
    for op in all {
        for bits in [2, 127, 128, 1 << 40, u64::MAX] {
            assert_eq!(run(ops(bits, op), 2, 0), RunOutcome::Trapped(Trap::OutOfBounds), "{:?} of {bits}", op(0));
        }
        assert_eq!(run(ops(0, op), 2, 0), RunOutcome::Trapped(Trap::Bailout), "{:?} of the rows", op(0));
    }
    let by_rows = vec![
        Op::NewList { d: 1 },
        Op::Extend { l: 1, m: 0 },
        Op::Sort { l: 1, keys: 0, count: 1, floats: false },
        Op::End { code: 0, values: [1, 1, 1] },
    ];
    assert_eq!(run(by_rows, 2, 0), RunOutcome::Trapped(Trap::Bailout), "the rows as a key, which would be sorted, too");
    for bits in [2, 128, u64::MAX] {
        assert_eq!(run(ops(bits, |l| Op::Length { d: 2, l }), 2, 0), RunOutcome::Trapped(Trap::OutOfBounds));
        assert_eq!(run(ops(bits, |l| Op::Get { d: 2, l, a: 1, t: 3 }), 2, 0), RunOutcome::Trapped(Trap::OutOfBounds));
    }
}

/// Exceeding the limits on lists and elements stops a run.
#[test]
fn exceeded_limits_bail_out() {
    let filling = |op| {
        vec![
            Op::NewList { d: 1 },
            Op::Const { d: 2, bits: 1 },
            Op::ConsumeFuel { cost: 1 },
            op,
            Op::Bits { op: BitOp::Add, d: 3, a: 3, b: 2 },
            Op::Jump { t: 2 },
        ]
    };
    let pushes = filling(Op::Push { l: 1, a: 3 });
    assert_eq!(run(pushes.clone(), 0, MAX_LENGTH as i64), RunOutcome::Trapped(Trap::OutOfFuel), "just as many fit");
    assert_eq!(run(pushes, 0, 1_000_000), RunOutcome::Trapped(Trap::Bailout));
    assert_eq!(run(filling(Op::NewList { d: 4 }), 0, 1_000_000), RunOutcome::Trapped(Trap::Bailout));
    assert_eq!(
        run(filling(Op::PushOfClass { l: 1, m: 0, place: 4, set: 1 }), 50, 1_000_000),
        RunOutcome::Trapped(Trap::Bailout)
    );
    let doubled = [Op::NewList { d: 4 }, Op::Extend { l: 4, m: 0 }, Op::Extend { l: 1, m: 4 }];
    let mut ops = vec![Op::NewList { d: 1 }, doubled[0], doubled[1]];
    ops.extend([Op::ConsumeFuel { cost: 1 }, doubled[2], Op::Jump { t: 3 }]);
    assert_eq!(run(ops, 50, 1_000_000), RunOutcome::Trapped(Trap::Bailout));
}

/// Programs that cannot be run safely are rejected.
#[test]
fn invalid_programs_are_rejected() {
    use goalspec_native::{MAX_ANALYSIS_SIZE, MAX_OPS, MAX_REGISTERS, ProgramError};
    let refused = |ops: Vec<Op>| Program::new(ops, 0).err();
    let end = Op::End { code: 0, values: [0, 0, 0] };
    assert_eq!(refused(Vec::new()), Some(ProgramError::InvalidTarget));
    assert_eq!(refused(vec![Op::NewList { d: 0 }]), Some(ProgramError::InvalidTarget));
    assert_eq!(refused(vec![Op::Jump { t: 2 }, end]), Some(ProgramError::InvalidTarget));
    assert_eq!(refused(vec![Op::Jump { t: 0 }, end]), Some(ProgramError::LoopWithoutFuel));
    assert_eq!(refused(vec![Op::ConsumeFuel { cost: 0 }, Op::Jump { t: 0 }]), Some(ProgramError::LoopWithoutFuel));
    assert_eq!(
        refused(vec![Op::ConsumeFuelBy { a: 0, cost: 9 }, Op::Jump { t: 0 }]),
        Some(ProgramError::LoopWithoutFuel)
    );
    assert_eq!(refused(vec![Op::ConsumeFuel { cost: 1 }, Op::Jump { t: 0 }]), None);
    let far = MAX_REGISTERS as Register;
    assert_eq!(refused(vec![Op::Copy { d: far, a: 0 }, end]), Some(ProgramError::TooManyRegisters));
    assert_eq!(
        refused(vec![Op::Sort { l: 0, keys: far - 1, count: 2, floats: false }, end]),
        Some(ProgramError::TooManyRegisters)
    );
    assert_eq!(
        refused(vec![Op::Sort { l: 0, keys: Register::MAX, count: 4, floats: false }, end]),
        Some(ProgramError::TooManyRegisters)
    );
    assert_eq!(
        refused(vec![Op::Sort { l: 0, keys: 0, count: 0, floats: false }, end]),
        Some(ProgramError::InvalidKeyCount)
    );
    assert_eq!(
        refused(vec![Op::Sort { l: 0, keys: 0, count: 5, floats: false }, end]),
        Some(ProgramError::InvalidKeyCount)
    );
    let zeros = |count| vec![Op::NewZeros { d: 0, count }, end];
    assert_eq!(refused(zeros(MAX_LENGTH as u8)), None);
    assert_eq!(refused(zeros(MAX_LENGTH as u8 + 1)), Some(ProgramError::TooManyLists));
    assert_eq!(Program::new(vec![end], MAX_LISTS).err(), Some(ProgramError::TooManyLists));
    assert_eq!(refused(vec![end; MAX_OPS + 1]), Some(ProgramError::TooManyOps));
    let (last, most) = (Op::End { code: 0, values: [far - 1, 0, 0] }, MAX_ANALYSIS_SIZE / MAX_REGISTERS);
    assert_eq!(refused(vec![last; most]), None);
    assert_eq!(refused(vec![last; most + 1]), Some(ProgramError::AnalysisTooLarge));
}

/// A run requires the lists that its program starts with, and leaves their new contents in the memory.
#[test]
fn initial_lists_are_required_and_changed() {
    let ops = vec![
        Op::Const { d: 0, bits: 2 },
        Op::Const { d: 1, bits: 1 },
        Op::Const { d: 2, bits: 9 },
        Op::Set { l: 0, a: 1, b: 2, t: 4 },
        Op::Push { l: 1, a: 2 },
        Op::End { code: 0, values: [0, 1, 2] },
    ];
    let code = MachineCode::compile(&Program::new(ops, 2).unwrap()).unwrap();
    let mut memory = ListMemory::new();
    let rows = Rows { fields: &[], classes: &[], class_rows: &[0; 64] };
    let run = |memory: &mut ListMemory| code.run(rows, memory, 100, &NoHost);
    assert_eq!(run(&mut memory), RunOutcome::Trapped(Trap::Bailout));
    assert!(memory.set_lists(&[vec![5], vec![6, 7, 8], vec![4]]));
    assert_eq!(run(&mut memory), RunOutcome::Finished { code: 0, values: [2, 1, 9] });
    assert_eq!([1, 2, 3].map(|list| memory.list(list)), [&[5, 9][..], &[6, 9, 8], &[4]]);
    assert!(!memory.set_lists(&[vec![0; MAX_LENGTH + 1]]));
    assert!(!memory.set_lists(&vec![Vec::new(); MAX_LISTS]));
    assert_eq!(run(&mut memory), RunOutcome::Trapped(Trap::Bailout), "the lists that did not fit are not set");
}

/// Several threads may run the same machine code, each with its own memory. It is freed after the last run.
#[test]
fn threads_share_code() {
    let ops = vec![
        Op::NewList { d: 1 },
        Op::PushOfClass { l: 1, m: 0, place: 3, set: 1 },
        Op::Length { d: 2, l: 1 },
        Op::End { code: 4, values: [2, 1, 1] },
    ];
    let code = MachineCode::compile(&Program::new(ops, 0).unwrap()).unwrap();
    std::thread::scope(|scope| {
        for count in 0..4 {
            let code = &code;
            scope.spawn(move || {
                let (rows, mut memory, mut planes) = (vec![[0; 8]; count], ListMemory::new(), [0; 64]);
                planes[0] = (1 << count) - 1;
                for _ in 0..1000 {
                    let result = code.run(
                        Rows { fields: &rows, classes: &vec![0; count], class_rows: &planes },
                        &mut memory,
                        0,
                        &NoHost,
                    );
                    assert_eq!(result, RunOutcome::Finished { code: 4, values: [count as u64, 1, 1] });
                }
            });
        }
    });
}

/// Bit sets of rows that contradict the classes do not make a run unsafe.
#[test]
fn inconsistent_class_rows_are_safe() {
    let ops = vec![
        Op::NewList { d: 1 },
        Op::PushOfClass { l: 1, m: 0, place: 3, set: 1 },
        Op::Const { d: 4, bits: 63 },
        Op::Get { d: 5, l: 1, a: 4, t: 6 },
        Op::Field { d: 6, o: 5, field: 0 },
        Op::End { code: 0, values: [6, 6, 6] },
        Op::NextOfClass { d: 6, l: 0, place: 7, set: 2, cost: 1, t: 8 },
        Op::Field { d: 6, o: 6, field: 0 },
        Op::End { code: 1, values: [6, 6, 6] },
    ];
    let code = MachineCode::compile(&Program::new(ops, 0).unwrap()).unwrap();
    let rows = Rows { fields: &[[1; 8]; 3], classes: &[0; 3], class_rows: &[u64::MAX; 64] };
    assert_eq!(code.run(rows, &mut ListMemory::new(), 100, &NoHost), RunOutcome::Trapped(Trap::OutOfBounds));
}

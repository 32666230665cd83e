//! `match` statements.
//!
//! The subject and its parts are held in temporary variables, each of its own, so that every variable has values of one type. A pattern is
//! a sequence of tests that jump to the next case on failure. Names are bound after all tests of a pattern, so that a pattern that fails
//! binds none.

use goalspec_python_runtime::code::{BranchKind, Constant, Instruction, SiteKind, Symbol, Variable};
use goalspec_python_runtime::operators::ComparisonOperator;
use ruff_python_ast::name::Name;
use ruff_python_ast::{
    MatchCase, Pattern, PatternMatchClass, PatternMatchMapping, PatternMatchOr, Singleton, StmtMatch,
};

use super::Compiler;
use crate::patterns::{bound_names, is_irrefutable};

/// The names that a pattern binds, with the variables that hold their values.
type Captures<'c> = Vec<(&'c Name, Variable)>;

impl<'c> Compiler<'c> {
    pub(super) fn match_statement(&mut self, statement: &'c StmtMatch) {
        self.expression(&statement.subject);
        let subject = self.temporary();
        self.emit(Instruction::Store(subject));
        let mut exit_jumps = Vec::new();
        for case in &statement.cases {
            let failures = self.case_tests(case, subject);
            self.body(&case.body);
            exit_jumps.push(self.emit(Instruction::Jump(0)));
            for jump in failures {
                self.patch_jump(jump);
            }
        }
        for jump in exit_jumps {
            self.patch_jump(jump);
        }
    }

    /// Compiles the pattern and the guard of a case; returns the jumps for subjects that do not match.
    fn case_tests(&mut self, case: &'c MatchCase, subject: Variable) -> Vec<usize> {
        self.set_source_range(&case.pattern);
        let (mut captures, mut tests) = (Vec::new(), Vec::new());
        self.pattern(&case.pattern, subject, &mut captures, &mut tests);
        let mut failures: Vec<usize> = self.decide_case(&case.pattern, tests).into_iter().collect();
        for (name, variable) in captures {
            self.emit(Instruction::Load(variable));
            self.store(name);
        }
        if let Some(guard) = &case.guard {
            self.expression(guard);
            failures.push(self.emit_site(Instruction::JumpIfFalse(0), SiteKind::Branch(BranchKind::Guard), &**guard));
        }
        failures
    }

    /// Joins the failed tests of a pattern to a single jump, at which the outcome of the pattern can be observed.
    fn decide_case(&mut self, pattern: &'c Pattern, tests: Vec<usize>) -> Option<usize> {
        let site = SiteKind::Branch(BranchKind::Case);
        self.set_source_range(pattern);
        match *tests {
            [] => None,
            [jump] if jump as u32 + 1 == self.next_index() => {
                self.mark_site(site, pattern);
                Some(jump)
            }
            _ => {
                self.constant(Constant::Bool(true));
                let decided = self.emit(Instruction::Jump(0));
                for jump in tests {
                    self.patch_jump(jump);
                }
                self.constant(Constant::Bool(false));
                self.patch_jump(decided);
                Some(self.emit_site(Instruction::JumpIfFalse(0), site, pattern))
            }
        }
    }

    /// Compiles the tests of a pattern; `failures` are the jumps for subjects that do not match.
    fn pattern(
        &mut self,
        pattern: &'c Pattern,
        subject: Variable,
        captures: &mut Captures<'c>,
        failures: &mut Vec<usize>,
    ) {
        match pattern {
            Pattern::MatchValue(value) => {
                self.emit(Instruction::Load(subject));
                self.expression(&value.value);
                self.set_source_range(pattern);
                self.emit(Instruction::Compare(ComparisonOperator::Eq));
                self.fail_if_false(failures);
            }
            Pattern::MatchSingleton(singleton) => {
                self.emit(Instruction::Load(subject));
                self.constant(match singleton.value {
                    Singleton::None => Constant::None,
                    Singleton::True => Constant::Bool(true),
                    Singleton::False => Constant::Bool(false),
                });
                self.emit(Instruction::Compare(ComparisonOperator::Is));
                self.fail_if_false(failures);
            }
            Pattern::MatchAs(named) => {
                if let Some(inner) = &named.pattern {
                    self.pattern(inner, subject, captures, failures);
                }
                captures.extend(named.name.as_ref().map(|name| (&name.id, subject)));
            }
            Pattern::MatchOr(alternatives) => self.alternatives(alternatives, subject, captures, failures),
            Pattern::MatchSequence(sequence) => self.sequence(pattern, &sequence.patterns, subject, captures, failures),
            Pattern::MatchMapping(mapping) => self.mapping(mapping, subject, captures, failures),
            Pattern::MatchClass(class) => self.class_pattern(class, subject, captures, failures),
            // The sequence around it binds its name.
            Pattern::MatchStar(_) => {}
        }
        self.set_source_range(pattern);
    }

    fn fail_if_false(&mut self, failures: &mut Vec<usize>) {
        failures.push(self.emit(Instruction::JumpIfFalse(0)));
    }

    /// Jumps if a variable holds `None`, the result of a test that failed.
    fn fail_if_none(&mut self, variable: Variable, failures: &mut Vec<usize>) {
        self.emit(Instruction::Load(variable));
        self.constant(Constant::None);
        self.emit(Instruction::Compare(ComparisonOperator::IsNot));
        self.fail_if_false(failures);
    }

    /// Compiles alternatives, which bind the same names: each moves its values to the same variables.
    fn alternatives(
        &mut self,
        alternatives: &'c PatternMatchOr,
        subject: Variable,
        captures: &mut Captures<'c>,
        failures: &mut Vec<usize>,
    ) {
        let names = alternatives.patterns.first().map(bound_names).unwrap_or_default();
        let shared: Captures<'c> = names.into_iter().map(|name| (&name.id, self.temporary())).collect();
        let mut matched = Vec::new();
        let last = alternatives.patterns.len().saturating_sub(1);
        for (place, alternative) in alternatives.patterns.iter().enumerate() {
            let (mut own, mut tests) = (Vec::new(), Vec::new());
            self.pattern(alternative, subject, &mut own, &mut tests);
            for (name, variable) in own {
                let target = shared.iter().find(|(other, _)| *other == name).map(|&(_, variable)| variable);
                self.emit(Instruction::Load(variable));
                self.emit(target.map_or(Instruction::Pop, Instruction::Store));
            }
            if place == last {
                failures.extend(tests);
            } else {
                matched.push(self.emit(Instruction::Jump(0)));
                for jump in tests {
                    self.patch_jump(jump);
                }
            }
        }
        for jump in matched {
            self.patch_jump(jump);
        }
        captures.extend(shared);
    }

    fn sequence(
        &mut self,
        pattern: &'c Pattern,
        patterns: &'c [Pattern],
        subject: Variable,
        captures: &mut Captures<'c>,
        failures: &mut Vec<usize>,
    ) {
        let star = patterns.iter().position(Pattern::is_match_star);
        let fixed = patterns.len() - usize::from(star.is_some());
        self.emit(Instruction::Load(subject));
        self.emit(Instruction::MatchSequence);
        self.fail_if_false(failures);
        if star.is_none() || fixed > 0 {
            self.emit(Instruction::Load(subject));
            self.emit(Instruction::Length);
            self.length(fixed);
            let compares = if star.is_some() { ComparisonOperator::GtE } else { ComparisonOperator::Eq };
            self.emit(Instruction::Compare(compares));
            self.fail_if_false(failures);
        }
        if patterns.iter().all(is_wildcard) {
            return;
        }
        self.emit(Instruction::Load(subject));
        match star {
            None => self.emit(Instruction::Unpack(fixed as u32)),
            Some(place) => self.emit(Instruction::UnpackStarred(place as u32, (fixed - place) as u32)),
        };
        let parts = self.store_parts(patterns.iter());
        if let (Some(place), Some(Pattern::MatchStar(starred))) = (star, star.map(|place| &patterns[place]))
            && let (Some(name), Some(part)) = (&starred.name, parts[place])
        {
            captures.push((&name.id, part));
        }
        self.match_parts(patterns.iter(), &parts, captures, failures);
        self.set_source_range(pattern);
    }

    /// Stores the values on the stack, the first one on top, in temporary variables; those of wildcards are discarded.
    fn store_parts(&mut self, patterns: impl Iterator<Item = &'c Pattern>) -> Vec<Option<Variable>> {
        patterns
            .map(|pattern| {
                let part = (!is_wildcard(pattern)).then(|| self.temporary());
                self.emit(part.map_or(Instruction::Pop, Instruction::Store));
                part
            })
            .collect()
    }

    fn match_parts(
        &mut self,
        patterns: impl Iterator<Item = &'c Pattern>,
        parts: &[Option<Variable>],
        captures: &mut Captures<'c>,
        failures: &mut Vec<usize>,
    ) {
        for (pattern, part) in patterns.zip(parts) {
            if let Some(part) = *part {
                self.pattern(pattern, part, captures, failures);
            }
        }
    }

    fn mapping(
        &mut self,
        mapping: &'c PatternMatchMapping,
        subject: Variable,
        captures: &mut Captures<'c>,
        failures: &mut Vec<usize>,
    ) {
        self.emit(Instruction::Load(subject));
        self.emit(Instruction::MatchMapping);
        self.fail_if_false(failures);
        let count = mapping.keys.len();
        if count > 0 {
            self.emit(Instruction::Load(subject));
            self.emit(Instruction::Length);
            self.length(count);
            self.emit(Instruction::Compare(ComparisonOperator::GtE));
            self.fail_if_false(failures);
        }
        for key in &mapping.keys {
            self.expression(key);
        }
        self.set_source_range(mapping);
        self.emit(Instruction::Tuple(count as u32));
        let keys = self.temporary();
        self.emit(Instruction::Store(keys));
        self.emit(Instruction::Load(subject));
        self.emit(Instruction::Load(keys));
        self.emit(Instruction::MatchKeys);
        let values = self.temporary();
        self.emit(Instruction::Store(values));
        self.fail_if_none(values, failures);
        self.emit(Instruction::Load(values));
        self.emit(Instruction::Unpack(count as u32));
        let parts = self.store_parts(mapping.patterns.iter());
        if let Some(name) = &mapping.rest {
            self.emit(Instruction::Load(subject));
            self.emit(Instruction::Load(keys));
            self.emit(Instruction::MappingRest);
            let rest = self.temporary();
            self.emit(Instruction::Store(rest));
            captures.push((&name.id, rest));
        }
        self.match_parts(mapping.patterns.iter(), &parts, captures, failures);
    }

    fn class_pattern(
        &mut self,
        pattern: &'c PatternMatchClass,
        subject: Variable,
        captures: &mut Captures<'c>,
        failures: &mut Vec<usize>,
    ) {
        let arguments = &pattern.arguments;
        self.emit(Instruction::Load(subject));
        self.expression(&pattern.cls);
        self.set_source_range(pattern);
        // Positional patterns need the class a second time.
        let class = (!arguments.patterns.is_empty()).then(|| self.temporary());
        if let Some(class) = class {
            self.emit(Instruction::Copy);
            self.emit(Instruction::Store(class));
        }
        self.emit(Instruction::MatchInstance);
        self.fail_if_false(failures);
        let patterns = || arguments.patterns.iter().chain(arguments.keywords.iter().map(|keyword| &keyword.pattern));
        let Some(class) = class else {
            let mut parts = Vec::with_capacity(arguments.keywords.len());
            for keyword in &arguments.keywords {
                let name = self.symbol(&keyword.attr);
                self.emit(Instruction::Load(subject));
                failures.push(self.emit(Instruction::TryAttribute(name, 0)));
                parts.extend(self.store_parts(std::iter::once(&keyword.pattern)));
            }
            return self.match_parts(patterns(), &parts, captures, failures);
        };
        let names: Vec<Symbol> = arguments.keywords.iter().map(|keyword| self.symbol(&keyword.attr)).collect();
        let count = arguments.patterns.len() + names.len();
        let names = self.add_constant(Constant::Names(names.into()));
        self.emit(Instruction::Load(subject));
        self.emit(Instruction::Load(class));
        self.emit(Instruction::MatchAttributes(arguments.patterns.len() as u32, names));
        let values = self.temporary();
        self.emit(Instruction::Store(values));
        self.fail_if_none(values, failures);
        self.emit(Instruction::Load(values));
        self.emit(Instruction::Unpack(count as u32));
        let parts = self.store_parts(patterns());
        self.match_parts(patterns(), &parts, captures, failures);
    }

    /// Pushes a number of patterns.
    fn length(&mut self, count: usize) {
        self.constant(Constant::Int(i64::try_from(count).unwrap_or(i64::MAX)));
    }

    /// Reserves a local variable without a name.
    fn temporary(&mut self) -> Variable {
        let unit = self.builder();
        let place = unit.named_locals + unit.temporary_count;
        unit.temporary_count += 1;
        if place as usize == unit.code.locals.len() {
            let symbol = self.symbol(&format!(".{place}"));
            self.builder().code.locals.push(symbol);
        }
        Variable::Local(place)
    }
}

/// Returns whether a pattern matches everything and binds nothing.
fn is_wildcard(pattern: &Pattern) -> bool {
    match pattern {
        Pattern::MatchStar(starred) => starred.name.is_none(),
        Pattern::MatchAs(named) => named.name.is_none() && is_irrefutable(pattern),
        _ => false,
    }
}

//! Expressions.

use goalspec_python_runtime::code::{BranchKind, Constant, Conversion, Instruction, SiteKind};
use ruff_python_ast::{
    BoolOp, ConversionFlag, Expr, ExprBinOp, ExprCompare, ExprSlice, ExprYield, ExprYieldFrom, FStringPart,
    InterpolatedElement, InterpolatedStringElement, InterpolatedStringElements, Number, Operator,
};
use ruff_text_size::{Ranged, TextRange};

use super::Compiler;
use super::conversions::{binary_operator, comparison_operator, unary_operator};

impl<'c> Compiler<'c> {
    /// Pushes the value of an expression.
    pub(super) fn expression(&mut self, expression: &'c Expr) {
        self.set_source_range(expression);
        match expression {
            Expr::EllipsisLiteral(_) => self.constant(Constant::Ellipsis),
            Expr::BooleanLiteral(literal) => self.constant(Constant::Bool(literal.value)),
            Expr::NumberLiteral(literal) => self.number(&literal.value),
            Expr::StringLiteral(literal) => self.text(literal.value.to_str()),
            Expr::BytesLiteral(literal) => self.constant(Constant::Bytes(literal.value.bytes().collect())),
            Expr::FString(text) => self.fstring(&text.value),
            Expr::Name(name) => self.load(&name.id),
            Expr::Named(named) => {
                self.expression(&named.value);
                self.emit(Instruction::Copy);
                self.assign(&named.target);
            }
            Expr::BoolOp(operation) => self.bool_operation(operation.op, &operation.values),
            Expr::BinOp(operation) => {
                self.expression(&operation.left);
                self.expression(&operation.right);
                self.set_source_range(expression);
                self.binary(operation);
            }
            Expr::UnaryOp(operation) => {
                self.expression(&operation.operand);
                self.set_source_range(expression);
                self.emit(Instruction::Unary(unary_operator(operation.op)));
            }
            Expr::Compare(compare) => self.compare(compare),
            Expr::If(choice) => {
                self.expression(&choice.test);
                let condition = SiteKind::Branch(BranchKind::Conditional);
                let otherwise = self.emit_site(Instruction::JumpIfFalse(0), condition, &*choice.test);
                self.expression(&choice.body);
                let exit_jump = self.emit(Instruction::Jump(0));
                self.patch_jump(otherwise);
                self.expression(&choice.orelse);
                self.patch_jump(exit_jump);
            }
            Expr::Attribute(attribute) => {
                self.expression(&attribute.value);
                self.set_source_range(expression);
                let name = self.symbol(&attribute.attr);
                self.emit(Instruction::LoadAttribute(name));
            }
            Expr::Subscript(item) => {
                self.expression(&item.value);
                self.expression(&item.slice);
                self.set_source_range(expression);
                self.emit(Instruction::LoadItem);
            }
            Expr::Slice(slice) => self.slice(slice),
            Expr::List(list) => {
                self.display(&list.elts, Instruction::List, Instruction::Append(0), Instruction::Extend);
            }
            Expr::Set(set) if set.elts.len() > 2 && set.elts.iter().all(is_constant) => self.constant_set(&set.elts),
            Expr::Set(set) => {
                self.display(&set.elts, Instruction::Set, Instruction::AddToSet(0), Instruction::UpdateSet);
            }
            Expr::Tuple(tuple) if tuple.elts.iter().any(Expr::is_starred_expr) => {
                self.display(&tuple.elts, Instruction::List, Instruction::Append(0), Instruction::Extend);
                self.emit(Instruction::ListToTuple);
            }
            Expr::Tuple(tuple) => {
                for part in &tuple.elts {
                    self.expression(part);
                }
                self.emit(Instruction::Tuple(tuple.elts.len() as u32));
            }
            Expr::Dict(dict) => {
                self.emit(Instruction::Dict);
                for item in &dict.items {
                    if let Some(key) = &item.key {
                        self.expression(key);
                        self.expression(&item.value);
                        self.emit(Instruction::AddToDict(0));
                    } else {
                        self.expression(&item.value);
                        self.emit(Instruction::UpdateDict);
                    }
                }
            }
            Expr::Call(call) => self.call(call),
            Expr::Lambda(lambda) => self.lambda(lambda),
            Expr::Yield(given) => self.yield_value(given),
            Expr::YieldFrom(given) => self.yield_from(given),
            Expr::ListComp(_) | Expr::SetComp(_) | Expr::DictComp(_) | Expr::Generator(_) => {
                self.comprehension(expression);
            }
            // `None`, or an expression that was rejected earlier.
            _ => self.constant(Constant::None),
        }
    }

    fn yield_value(&mut self, given: &'c ExprYield) {
        match &given.value {
            Some(value) => self.expression(value),
            None => self.constant(Constant::None),
        }
        self.set_source_range(given);
        self.emit(Instruction::YieldExpression);
    }

    fn yield_from(&mut self, given: &'c ExprYieldFrom) {
        self.expression(&given.value);
        self.set_source_range(given);
        self.emit(Instruction::Iterate);
        self.constant(Constant::None);
        let start = self.next_index();
        let exit_jump = self.emit(Instruction::Delegate(0));
        self.emit(Instruction::YieldExpression);
        self.emit(Instruction::Jump(start));
        self.patch_jump(exit_jump);
    }

    fn slice(&mut self, slice: &'c ExprSlice) {
        for part in [&slice.lower, &slice.upper, &slice.step] {
            match part {
                Some(part) => self.expression(part),
                None => self.constant(Constant::None),
            }
        }
        self.emit(Instruction::Slice);
    }

    /// Builds a set of constants in its order of iteration and copies it, as CPython does with sets created at compile time.
    fn constant_set(&mut self, members: &'c [Expr]) {
        self.emit(Instruction::Set(0));
        self.build_constant_set(members);
        self.emit(Instruction::UpdateSet);
    }

    fn build_constant_set(&mut self, members: &'c [Expr]) {
        self.emit(Instruction::Set(0));
        self.emit(Instruction::List(0));
        self.display(members, Instruction::Set, Instruction::AddToSet(0), Instruction::UpdateSet);
        self.emit(Instruction::Extend);
        self.emit(Instruction::UpdateSet);
    }

    /// Compiles an iterable; a set of constants is created without a copy.
    pub(super) fn iterable(&mut self, expression: &'c Expr) {
        match expression {
            Expr::Set(set) if set.elts.iter().all(is_constant) => self.build_constant_set(&set.elts),
            _ => self.expression(expression),
        }
    }

    fn binary(&mut self, operation: &'c ExprBinOp) {
        let instruction = Instruction::Binary(binary_operator(operation.op));
        match operation.op {
            Operator::Add | Operator::Sub => self.emit_site(instruction, SiteKind::Sum, operation),
            Operator::Div | Operator::FloorDiv | Operator::Mod => {
                self.emit_site(instruction, SiteKind::Division, &*operation.right)
            }
            _ => self.emit(instruction),
        };
    }

    fn number(&mut self, number: &Number) {
        let constant = match number {
            Number::Int(int) => int.as_i64().map_or_else(|| Constant::BigInt(int.to_string().into()), Constant::Int),
            Number::Float(float) => Constant::Float(*float),
            // Complex numbers were rejected earlier.
            Number::Complex { .. } => Constant::None,
        };
        self.constant(constant);
    }

    fn bool_operation(&mut self, operator: BoolOp, values: &'c [Expr]) {
        let mut exit_jumps = Vec::new();
        for (place, value) in values.iter().enumerate() {
            self.expression(value);
            if place + 1 < values.len() {
                let (jump, kind) = match operator {
                    BoolOp::And => (Instruction::JumpIfFalseOrPop(0), BranchKind::And),
                    BoolOp::Or => (Instruction::JumpIfTrueOrPop(0), BranchKind::Or),
                };
                exit_jumps.push(self.emit_site(jump, SiteKind::Branch(kind), value));
            }
        }
        for jump in exit_jumps {
            self.patch_jump(jump);
        }
    }

    fn compare(&mut self, compare: &'c ExprCompare) {
        self.expression(&compare.left);
        let mut failed = Vec::new();
        let last = compare.ops.len().saturating_sub(1);
        for (place, (operator, value)) in compare.ops.iter().zip(&compare.comparators).enumerate() {
            self.expression(value);
            if place < last {
                self.emit(Instruction::Copy);
                self.emit(Instruction::RotateThree);
            }
            self.set_source_range(compare);
            let left = if place == 0 { &*compare.left } else { &compare.comparators[place - 1] };
            let pair = TextRange::new(left.start(), value.end());
            self.emit_site(Instruction::Compare(comparison_operator(*operator)), SiteKind::Comparison, &pair);
            if place < last {
                failed.push(self.emit(Instruction::JumpIfFalseOrPop(0)));
            }
        }
        if failed.is_empty() {
            return;
        }
        let exit_jump = self.emit(Instruction::Jump(0));
        for jump in failed {
            self.patch_jump(jump);
        }
        // The operand of the next comparison is still below the result.
        self.emit(Instruction::Swap);
        self.emit(Instruction::Pop);
        self.patch_jump(exit_jump);
    }

    /// Compiles a list or set display; with `*`, it is extended part by part.
    pub(super) fn display(
        &mut self,
        parts: &'c [Expr],
        whole: fn(u32) -> Instruction,
        add: Instruction,
        extend: Instruction,
    ) {
        if !parts.iter().any(Expr::is_starred_expr) {
            for part in parts {
                self.expression(part);
            }
            self.emit(whole(parts.len() as u32));
            return;
        }
        self.emit(whole(0));
        for part in parts {
            if let Expr::Starred(starred) = part {
                self.expression(&starred.value);
                self.emit(extend);
            } else {
                self.expression(part);
                self.emit(add);
            }
        }
    }

    fn fstring(&mut self, value: &'c ruff_python_ast::FStringValue) {
        let mut count = 0;
        for part in value {
            match part {
                FStringPart::Literal(literal) => {
                    self.text(literal.as_str());
                    count += 1;
                }
                FStringPart::FString(text) => count += self.fstring_parts(&text.elements),
            }
        }
        self.emit(Instruction::Join(count));
    }

    /// Pushes the parts of an f-string and returns their number.
    fn fstring_parts(&mut self, elements: &'c InterpolatedStringElements) -> u32 {
        let mut count = 0;
        for element in elements {
            match element {
                InterpolatedStringElement::Literal(literal) => self.text(&literal.value),
                InterpolatedStringElement::Interpolation(value) => count += self.fstring_value(value),
            }
            count += 1;
        }
        count
    }

    /// Pushes a value of an f-string as text and returns the number of other parts before it.
    fn fstring_value(&mut self, value: &'c InterpolatedElement) -> u32 {
        let mut before = 0;
        if let Some(debug) = &value.debug_text {
            let written = &self.source.text()[value.expression.range().to_std_range()];
            let text = format!("{}{written}{}", debug.leading(), debug.trailing());
            self.text(&text);
            before = 1;
        }
        self.expression(&value.expression);
        let conversion = match value.conversion {
            // `{x=}` formats the value with `repr` unless it has a conversion or a format.
            ConversionFlag::None if value.debug_text.is_some() && value.format_spec.is_none() => Conversion::Repr,
            ConversionFlag::None => Conversion::None,
            ConversionFlag::Str => Conversion::Str,
            ConversionFlag::Repr => Conversion::Repr,
            ConversionFlag::Ascii => Conversion::Ascii,
        };
        if let Some(spec) = &value.format_spec {
            let count = self.fstring_parts(&spec.elements);
            self.emit(Instruction::Join(count));
        }
        self.set_source_range(value);
        self.emit(Instruction::Format(conversion, value.format_spec.is_some()));
        before
    }
}

/// Whether the value of an expression is known at compile time.
fn is_constant(expression: &Expr) -> bool {
    match expression {
        Expr::UnaryOp(operation) => is_constant(&operation.operand),
        Expr::BinOp(operation) => is_constant(&operation.left) && is_constant(&operation.right),
        Expr::Tuple(tuple) => tuple.elts.iter().all(is_constant),
        _ => expression.is_literal_expr(),
    }
}

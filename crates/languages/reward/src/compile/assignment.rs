//! Assignment targets.

use goalspec_python_runtime::code::{Instruction, SiteKind};
use ruff_python_ast::{Expr, Stmt, StmtAugAssign};

use super::Compiler;
use super::conversions::binary_operator;

impl<'c> Compiler<'c> {
    /// Assigns the value on the stack to a target.
    pub(super) fn assign(&mut self, target: &'c Expr) {
        match target {
            Expr::Name(name) => self.store(&name.id),
            Expr::Attribute(attribute) => {
                self.expression(&attribute.value);
                self.set_source_range(target);
                let name = self.symbol(&attribute.attr);
                self.emit(Instruction::StoreAttribute(name));
            }
            Expr::Subscript(item) => {
                self.expression(&item.value);
                self.expression(&item.slice);
                self.set_source_range(target);
                self.emit(Instruction::StoreItem);
            }
            Expr::Tuple(tuple) => self.assign_unpacked(target, &tuple.elts),
            Expr::List(list) => self.assign_unpacked(target, &list.elts),
            Expr::Starred(starred) => self.assign(&starred.value),
            _ => unreachable!("the parser admits nothing else as a target"),
        }
    }

    /// Assigns the value on the stack to the target of a statement.
    pub(super) fn assign_value(&mut self, target: &'c Expr, statement: &'c Stmt) {
        self.assign(target);
        if target.is_name_expr() {
            self.mark_site(SiteKind::Store, statement);
        }
    }

    fn assign_unpacked(&mut self, target: &'c Expr, parts: &'c [Expr]) {
        self.set_source_range(target);
        match parts.iter().position(Expr::is_starred_expr) {
            None => self.emit(Instruction::Unpack(parts.len() as u32)),
            Some(place) => self.emit(Instruction::UnpackStarred(place as u32, (parts.len() - place - 1) as u32)),
        };
        for part in parts {
            self.assign(part);
        }
    }

    pub(super) fn delete_target(&mut self, target: &'c Expr) {
        match target {
            Expr::Name(name) => self.delete(&name.id),
            Expr::Attribute(attribute) => {
                self.expression(&attribute.value);
                self.set_source_range(target);
                let name = self.symbol(&attribute.attr);
                self.emit(Instruction::DeleteAttribute(name));
            }
            Expr::Subscript(item) => {
                self.expression(&item.value);
                self.expression(&item.slice);
                self.set_source_range(target);
                self.emit(Instruction::DeleteItem);
            }
            Expr::Tuple(tuple) => tuple.elts.iter().for_each(|part| self.delete_target(part)),
            Expr::List(list) => list.elts.iter().for_each(|part| self.delete_target(part)),
            _ => unreachable!("the parser admits nothing else as a target"),
        }
    }

    /// Compiles `a += b`; evaluates the subexpressions of `a` once.
    pub(super) fn assign_in_place(&mut self, assign: &'c StmtAugAssign) {
        let operator = Instruction::InPlace(binary_operator(assign.op));
        match &*assign.target {
            Expr::Name(name) => {
                self.load(&name.id);
                self.expression(&assign.value);
                self.set_source_range(assign);
                self.emit_site(operator, SiteKind::Update, assign);
                self.store(&name.id);
            }
            Expr::Attribute(attribute) => {
                let name = self.symbol(&attribute.attr);
                self.expression(&attribute.value);
                self.emit(Instruction::Copy);
                self.set_source_range(&*assign.target);
                self.emit(Instruction::LoadAttribute(name));
                self.expression(&assign.value);
                self.set_source_range(assign);
                self.emit(operator);
                self.emit(Instruction::Swap);
                self.set_source_range(&*assign.target);
                self.emit(Instruction::StoreAttribute(name));
            }
            Expr::Subscript(item) => {
                self.expression(&item.value);
                self.expression(&item.slice);
                self.emit(Instruction::CopyTwo);
                self.set_source_range(&*assign.target);
                self.emit(Instruction::LoadItem);
                self.expression(&assign.value);
                self.set_source_range(assign);
                self.emit(operator);
                self.emit(Instruction::RotateThree);
                self.set_source_range(&*assign.target);
                self.emit(Instruction::StoreItem);
            }
            _ => unreachable!("the parser admits nothing else as a target"),
        }
    }
}

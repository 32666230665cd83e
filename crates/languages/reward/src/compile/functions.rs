//! Functions, lambdas, comprehensions and classes.

use goalspec_python_runtime::code::{
    BranchKind, CodeId, CodeKind, Constant, FunctionOperands, Instruction, Parameter, Signature, SiteKind, Variable,
};
use ruff_python_ast::name::Name;
use ruff_python_ast::{
    Comprehension, Decorator, Expr, ExprLambda, Keyword, ParameterWithDefault, Parameters, Stmt, StmtClassDef,
    StmtFunctionDef,
};

use super::{Compiler, intern, source_range};
use crate::mangling::unmangled_name;
use crate::scopes::{ITERATOR_PARAMETER, NameStorage, registered_annotation};
use crate::subset::is_totality_keyword;

impl<'c> Compiler<'c> {
    pub(super) fn function(&mut self, function: &'c StmtFunctionDef) {
        self.decorators(&function.decorator_list);
        let mut extras = self.defaults(&function.parameters);
        let scope = self.scopes.index_of(function.range);
        self.begin_code(self.function_kind(scope), scope, unmangled_name(self.source, &function.name), function.range);
        self.builder().code.range = source_range(&function.name);
        self.signature(&function.parameters);
        let documentation = documentation(&function.body).map(|text| self.symbol(text));
        self.builder().code.documentation = documentation;
        self.body(&function.body);
        let code = self.end_code();
        self.set_source_range(function);
        self.make_function(code, &mut extras);
        self.annotate_registered(function);
        self.decorate(&function.decorator_list);
        self.store(&function.name.id);
    }

    /// Returns the kind of the code of a function or lambda.
    fn function_kind(&self, scope: usize) -> CodeKind {
        if self.scopes.get(scope).is_generator { CodeKind::GeneratorFunction } else { CodeKind::Function }
    }

    pub(super) fn lambda(&mut self, lambda: &'c ExprLambda) {
        let mut extras = lambda.parameters.as_deref().map(|parameters| self.defaults(parameters)).unwrap_or_default();
        let scope = self.scopes.index_of(lambda.range);
        self.begin_code(self.function_kind(scope), scope, "<lambda>", lambda.range);
        if let Some(parameters) = &lambda.parameters {
            self.signature(parameters);
        }
        self.expression(&lambda.body);
        self.emit(Instruction::Return);
        let code = self.end_code();
        self.make_function(code, &mut extras);
    }

    pub(super) fn class(&mut self, class: &'c StmtClassDef) {
        self.decorators(&class.decorator_list);
        let scope = self.scopes.index_of(class.range);
        self.begin_code(CodeKind::Class, scope, unmangled_name(self.source, &class.name), class.range);
        if let Some(text) = documentation(&class.body) {
            self.text(text);
            let symbol = self.symbol("__doc__");
            self.emit(Instruction::StoreName(symbol));
        }
        self.body(&class.body);
        let code = self.end_code();
        self.set_source_range(class);
        self.make_function(code, &mut FunctionOperands::default());
        let bases = class.arguments.as_deref().map_or(&[][..], |arguments| &arguments.args);
        let keywords = class.arguments.as_deref().map_or(&[][..], |arguments| &arguments.keywords);
        let keywords = keywords.iter().filter(|keyword| !is_totality_keyword(keyword));
        // `metaclass=ABCMeta` is equivalent to the base `ABC`.
        let (metaclasses, keywords): (Vec<&'c Keyword>, Vec<&'c Keyword>) =
            keywords.partition(|keyword| keyword.arg.as_deref() == Some("metaclass"));
        for base in bases.iter().chain(metaclasses.iter().map(|keyword| &keyword.value)) {
            self.expression(base);
        }
        for keyword in &keywords {
            self.expression(&keyword.value);
        }
        self.set_source_range(class);
        let count = (bases.len() + metaclasses.len()) as u32;
        if keywords.is_empty() {
            self.emit(Instruction::Class(count));
        } else {
            let names = keywords.iter().filter_map(|keyword| keyword.arg.as_ref());
            let names = names.map(|name| self.symbol(name)).collect::<Vec<_>>();
            let names = self.add_constant(Constant::Names(names.into()));
            self.emit(Instruction::ClassKeywords(count, names));
        }
        self.decorate(&class.decorator_list);
        self.store(&class.name.id);
    }

    /// Evaluates the annotation that `singledispatch` reads.
    fn annotate_registered(&mut self, function: &'c StmtFunctionDef) {
        if let Some((name, annotation)) = registered_annotation(function) {
            self.expression(annotation);
            let symbol = self.symbol(name);
            self.emit(Instruction::AnnotateParameter(symbol));
        }
    }

    fn decorators(&mut self, decorators: &'c [Decorator]) {
        for decorator in decorators {
            self.expression(&decorator.expression);
        }
    }

    fn decorate(&mut self, decorators: &'c [Decorator]) {
        for decorator in decorators.iter().rev() {
            self.set_source_range(decorator);
            self.emit(Instruction::Call(1));
        }
    }

    /// Pushes default values.
    fn defaults(&mut self, parameters: &'c Parameters) -> FunctionOperands {
        let mut extras = FunctionOperands::default();
        let positional = parameters.posonlyargs.iter().chain(&parameters.args);
        let defaults: Vec<&'c Expr> = positional.filter_map(ParameterWithDefault::default).collect();
        if !defaults.is_empty() {
            for default in &defaults {
                self.expression(default);
            }
            self.emit(Instruction::Tuple(defaults.len() as u32));
            extras.defaults = true;
        }
        if parameters.kwonlyargs.iter().any(|parameter| parameter.default.is_some()) {
            self.emit(Instruction::Dict);
            for parameter in &parameters.kwonlyargs {
                if let Some(default) = parameter.default() {
                    self.text(parameter.name());
                    self.expression(default);
                    self.emit(Instruction::AddToDict(0));
                }
            }
            extras.keyword_defaults = true;
        }
        extras
    }

    /// Creates a function from a code object: its free variables are cells of the enclosing code.
    fn make_function(&mut self, code: CodeId, extras: &mut FunctionOperands) {
        let free = self.codes[code.0 as usize].as_ref().map(|code| code.free.clone()).unwrap_or_default();
        for &symbol in &free {
            let name = Name::new(&*self.names[symbol.0 as usize]);
            if let Some(place) = self.cell(&name) {
                self.emit(Instruction::LoadCell(place));
                extras.cell_count += 1;
            }
        }
        self.emit(Instruction::Function(code, *extras));
    }

    fn parameter(&mut self, name: &Name) -> Parameter {
        let place = match self.binding(name) {
            NameStorage::Local(place) => Variable::Local(place),
            NameStorage::Cell(place) => Variable::Cell(place),
            NameStorage::ClassName | NameStorage::Global => unreachable!("parameters are variables of their function"),
        };
        Parameter { name: intern(&mut self.names, name), variable: place }
    }

    fn signature(&mut self, parameters: &Parameters) {
        let positional = parameters.posonlyargs.iter().chain(&parameters.args);
        let signature = Signature {
            positional: positional.map(|parameter| self.parameter(&parameter.parameter.name.id)).collect(),
            positional_only: parameters.posonlyargs.len(),
            defaults: parameters.posonlyargs.iter().chain(&parameters.args).filter(|one| one.default.is_some()).count(),
            var_positional: parameters.vararg.as_ref().map(|parameter| self.parameter(&parameter.name.id)),
            keyword_only: parameters
                .kwonlyargs
                .iter()
                .map(|parameter| self.parameter(&parameter.parameter.name.id))
                .collect(),
            keyword_defaults: parameters
                .kwonlyargs
                .iter()
                .filter(|parameter| parameter.default.is_some())
                .map(|parameter| intern(&mut self.names, &parameter.parameter.name.id))
                .collect(),
            var_keyword: parameters.kwarg.as_ref().map(|parameter| self.parameter(&parameter.name.id)),
        };
        self.builder().code.signature = signature;
    }

    /// Compiles a comprehension as a function of its iterable that is called immediately.
    pub(super) fn comprehension(&mut self, expression: &'c Expr) {
        let (name, kind, range, generators, key, value) = match expression {
            Expr::ListComp(comp) => ("<listcomp>", CodeKind::Function, comp.range, &comp.generators, None, &comp.elt),
            Expr::SetComp(comp) => ("<setcomp>", CodeKind::Function, comp.range, &comp.generators, None, &comp.elt),
            Expr::Generator(comp) => {
                ("<genexpr>", CodeKind::GeneratorExpression, comp.range, &comp.generators, None, &comp.elt)
            }
            Expr::DictComp(comp) => {
                ("<dictcomp>", CodeKind::Function, comp.range, &comp.generators, comp.key.as_deref(), &comp.value)
            }
            _ => unreachable!("called with comprehensions"),
        };
        let scope = self.scopes.index_of(range);
        self.begin_code(kind, scope, name, range);
        let iterated = self.parameter(&Name::new_static(ITERATOR_PARAMETER));
        self.builder().code.signature.positional = vec![iterated];
        let (start, add): (Option<Instruction>, fn(u32) -> Instruction) = match expression {
            Expr::ListComp(_) => (Some(Instruction::List(0)), Instruction::Append),
            Expr::SetComp(_) => (Some(Instruction::Set(0)), Instruction::AddToSet),
            Expr::DictComp(_) => (Some(Instruction::Dict), Instruction::AddToDict),
            _ => (None, |_| Instruction::Yield),
        };
        if let Some(start) = start {
            self.emit(start);
        }
        self.emit(Instruction::Load(iterated.variable));
        self.comprehension_loops(generators, 0, &mut |compiler| {
            if let Some(key) = key {
                compiler.expression(key);
            }
            compiler.expression(value);
            compiler.emit(add(generators.len() as u32));
        });
        if start.is_some() {
            self.emit(Instruction::Return);
        }
        let code = self.end_code();
        self.set_source_range(expression);
        self.make_function(code, &mut FunctionOperands::default());
        if let Some(first) = generators.first() {
            self.iterable(&first.iter);
        }
        self.set_source_range(expression);
        self.emit(Instruction::Iterate);
        self.emit(Instruction::Call(1));
    }

    /// Compiles the loops of a comprehension from index `place` on; the iterator of the first one is on the stack.
    fn comprehension_loops(
        &mut self,
        generators: &'c [Comprehension],
        place: usize,
        innermost: &mut dyn FnMut(&mut Self),
    ) {
        let Some(generator) = generators.get(place) else { return innermost(self) };
        if place > 0 {
            self.iterable(&generator.iter);
            self.emit(Instruction::Iterate);
        }
        let start = self.next_index();
        let exit_jump = self.emit(Instruction::Next(0));
        self.assign(&generator.target);
        for condition in &generator.ifs {
            self.expression(condition);
            self.emit_site(Instruction::JumpIfFalse(start), SiteKind::Branch(BranchKind::Filter), condition);
        }
        self.comprehension_loops(generators, place + 1, innermost);
        self.emit(Instruction::Jump(start));
        self.patch_jump(exit_jump);
    }
}

/// Returns the documentation string at the beginning of a body.
fn documentation(body: &[Stmt]) -> Option<&str> {
    match body.first()? {
        Stmt::Expr(expression) => expression.value.as_string_literal_expr().map(|text| text.value.to_str()),
        _ => None,
    }
}

//! Compilation of an AST to the form in which it is run.

use std::sync::Arc;

use goalspec_core::condition::ComparisonOperator;
use goalspec_core::ids::ObjectId;
use goalspec_core::program::Quantifier;
use goalspec_core::world::World;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::error::PlayError;
use super::predicates::{Function, Predicate};
use super::program::{
    Call, CallId, Domain, NameId, NameInfo, Node, NodeId, NodeKind, Operand, Operator, OperatorKind, Preference,
    Program, Setup,
};
use super::tables::Tables;
use crate::ast;

/// Compiles a game. Also returns remarks for the report.
///
/// # Errors
/// Returns an error if the authors' implementation rejects the game, because of a syntax error or because a preference has a `forall` of
/// its own.
pub(super) fn compile(game: &ast::Game, world: &World, tables: &Tables) -> Result<(Program, Vec<String>), PlayError> {
    let mut compiler = Compiler::new(world, tables);
    let setup = game.setup.as_ref().map(|setup| compiler.setup(setup)).transpose()?;
    let setup_objects = compiler.setup_objects();
    for constraint in &game.constraints {
        match constraint {
            ast::Constraint::Preference(preference) => compiler.preference(preference, &[])?,
            ast::Constraint::Forall { variables, preferences, .. } => {
                for preference in preferences {
                    compiler.preference(preference, variables)?;
                }
            }
            ast::Constraint::Error(_) => return Err(PlayError::syntax_error()),
        }
    }
    let Compiler { names, mut nodes, calls, preferences, preference_places, remarks, .. } = compiler;
    mark_cached(&mut nodes, setup.as_ref(), &preferences);
    let program =
        Program { names, nodes, calls, preferences, preference_indices: preference_places, setup, setup_objects };
    Ok((program, remarks))
}

/// Marks conditions as cached that are used both in forced and in unforced evaluation.
fn mark_cached(nodes: &mut [Node], setup: Option<&Setup>, preferences: &[Preference]) {
    let mut in_setup = Vec::new();
    if let Some(setup) = setup {
        setup.conditions(&mut in_setup);
    }
    let of = |at_end: bool| {
        let operators = preferences.iter().filter(move |preference| preference.at_end == at_end);
        operators.flat_map(|preference| &preference.operators).flat_map(Operator::conditions).collect::<Vec<_>>()
    };
    let mut uses = vec![0_u8; nodes.len()];
    for mut open in [in_setup, of(true), of(false)] {
        let mut seen = vec![false; nodes.len()];
        while let Some(NodeId(id)) = open.pop() {
            if !std::mem::replace(&mut seen[id as usize], true) {
                uses[id as usize] += 1;
                open.extend_from_slice(nodes[id as usize].kind.parts());
            }
        }
    }
    for (node, uses) in nodes.iter_mut().zip(uses) {
        node.cached |= uses > 1;
    }
}

/// The types of the variables of one preference.
type Types = FxHashMap<Arc<str>, Vec<Arc<str>>>;

struct Compiler<'a> {
    world: &'a World,
    tables: &'a Tables,
    names: Vec<NameInfo>,
    name_ids: FxHashMap<Arc<str>, NameId>,
    nodes: Vec<Node>,
    node_ids: FxHashMap<NodeKind, NodeId>,
    calls: Vec<Call>,
    call_ids: FxHashMap<Call, CallId>,
    preferences: Vec<Preference>,
    preference_places: FxHashMap<Arc<str>, usize>,
    remarks: Vec<String>,
    known_remarks: FxHashSet<String>,
}

impl<'a> Compiler<'a> {
    fn new(world: &'a World, tables: &'a Tables) -> Self {
        Self {
            world,
            tables,
            names: Vec::new(),
            name_ids: FxHashMap::default(),
            nodes: Vec::new(),
            node_ids: FxHashMap::default(),
            calls: Vec::new(),
            call_ids: FxHashMap::default(),
            preferences: Vec::new(),
            preference_places: FxHashMap::default(),
            remarks: Vec::new(),
            known_remarks: FxHashSet::default(),
        }
    }

    fn name(&mut self, text: &Arc<str>) -> NameId {
        if let Some(&id) = self.name_ids.get(text) {
            return id;
        }
        let id = NameId(self.names.len() as u32);
        let is_type = self.tables.is_type_name(text);
        let object = if is_type { self.world.object_with_recorded_name(text) } else { None };
        self.names.push(NameInfo { text: text.clone(), is_type, is_variable: text.starts_with('?'), symbol: object });
        self.name_ids.insert(text.clone(), id);
        id
    }

    fn remark(&mut self, remark: String) {
        if self.known_remarks.insert(remark.clone()) {
            self.remarks.push(remark);
        }
    }

    fn setup_objects(&self) -> Vec<(NameId, ObjectId)> {
        let bound = |(id, name): (usize, &NameInfo)| {
            self.tables.setup_object(&name.text).map(|object| (NameId(id as u32), object))
        };
        self.names.iter().enumerate().filter_map(bound).collect()
    }

    /// Returns the variables of a quantifier with their types. If a variable is declared twice, the last declaration counts.
    fn types_of(variables: &[ast::TypedVariables]) -> Vec<(Arc<str>, Vec<Arc<str>>)> {
        let mut all: Vec<(Arc<str>, Vec<Arc<str>>)> = Vec::new();
        for declared in variables {
            let types: Vec<_> = declared.types.iter().map(|name| name.text.clone()).collect();
            for name in &declared.names {
                match all.iter_mut().find(|(known, _)| *known == name.text) {
                    Some((_, known)) => known.clone_from(&types),
                    None => all.push((name.text.clone(), types.clone())),
                }
            }
        }
        all
    }

    fn objects<'t>(&self, types: impl IntoIterator<Item = &'t Arc<str>>) -> Arc<[ObjectId]> {
        types.into_iter().flat_map(|name| self.tables.objects(name)).copied().collect()
    }

    fn domains(&mut self, variables: &[ast::TypedVariables]) -> Vec<Domain> {
        Self::types_of(variables)
            .into_iter()
            .map(|(name, types)| Domain { name: self.name(&name), objects: self.objects(&types) })
            .collect()
    }

    fn setup(&mut self, setup: &ast::SetupStatement) -> Result<Setup, PlayError> {
        Ok(match setup {
            ast::SetupStatement::And(parts, _) => Setup::And(self.setups(parts)?),
            ast::SetupStatement::Or(parts, _) => Setup::Or(self.setups(parts)?),
            ast::SetupStatement::Not(part, _) => Setup::Not(Box::new(self.setup(part)?)),
            ast::SetupStatement::Exists(variables, part, _) => {
                Setup::Exists(self.domains(variables), Box::new(self.setup(part)?))
            }
            ast::SetupStatement::Forall(variables, part, _) => {
                Setup::Forall(self.domains(variables), Box::new(self.setup(part)?))
            }
            ast::SetupStatement::Conserved(condition, _) => Setup::Conserved(self.condition(condition)?),
            ast::SetupStatement::Optional(condition, _) => Setup::Optional(self.condition(condition)?),
            ast::SetupStatement::Error(_) => return Err(PlayError::syntax_error()),
        })
    }

    fn setups(&mut self, parts: &[ast::SetupStatement]) -> Result<Vec<Setup>, PlayError> {
        parts.iter().map(|part| self.setup(part)).collect()
    }

    fn preference(&mut self, preference: &ast::Preference, external: &[ast::TypedVariables]) -> Result<(), PlayError> {
        let external = Self::types_of(external);
        let mut types = Types::default();
        if let Some(quantifier) = &preference.quantifier {
            if quantifier.kind == Quantifier::Forall {
                return Err(PlayError::new(format!(
                    "preference `{}` is quantified by `forall`, which is not supported",
                    preference.name.text
                )));
            }
            types.extend(Self::types_of(&quantifier.variables));
        }
        types.extend(external.iter().cloned());
        let mut operators: Vec<Operator> = Vec::new();
        match &preference.body {
            ast::PatternBody::Then(parts, _) => {
                for part in parts {
                    let operator = self.operator(part, &types, operators.last())?;
                    operators.push(operator);
                }
                self.measures(parts, &mut operators);
            }
            ast::PatternBody::AtEnd(condition, _) => {
                let condition = self.condition(condition)?;
                let names = self.nodes[condition.0 as usize].names.to_vec();
                let (new, bound) = self.bind(&names, &types, None);
                operators.push(Operator { kind: OperatorKind::Plain, condition, new_domains: new, bound });
            }
            ast::PatternBody::Error(_) => return Err(PlayError::syntax_error()),
        }
        let compiled = Preference {
            name: preference.name.text.clone(),
            external: external.into_iter().map(|(name, types)| (self.name(&name), types)).collect(),
            at_end: matches!(preference.body, ast::PatternBody::AtEnd(..)),
            operators,
        };
        if let Some(&place) = self.preference_places.get(&compiled.name) {
            self.preferences[place] = compiled;
            self.remark(format!("`{}` is defined twice; only the last preference counts", preference.name.text));
        } else {
            self.preference_places.insert(compiled.name.clone(), self.preferences.len());
            self.preferences.push(compiled);
        }
        Ok(())
    }

    fn operator(
        &mut self,
        operator: &ast::SequenceOperator,
        types: &Types,
        before: Option<&Operator>,
    ) -> Result<Operator, PlayError> {
        let (condition, next_condition) = match operator {
            ast::SequenceOperator::Once(condition, _)
            | ast::SequenceOperator::Hold(condition, _)
            | ast::SequenceOperator::OnceMeasure(condition, ..) => (self.condition(condition)?, Vec::new()),
            ast::SequenceOperator::HoldWhile(condition, events, _) => {
                (self.condition(condition)?, self.conditions(events)?)
            }
            ast::SequenceOperator::Error(_) => return Err(PlayError::syntax_error()),
        };
        let mut names: Vec<NameId> = Vec::new();
        for node in [condition].iter().chain(&next_condition) {
            add_new(&mut names, &self.nodes[node.0 as usize].names);
        }
        if let ast::SequenceOperator::OnceMeasure(_, function, _) = operator {
            let arguments = self.arguments(function);
            add_new(&mut names, &arguments);
        }
        let (new, bound) = self.bind(&names, types, before);
        let kind = match operator {
            ast::SequenceOperator::HoldWhile(..) => OperatorKind::HoldWhile(next_condition),
            _ => OperatorKind::Plain,
        };
        Ok(Operator { kind, condition, new_domains: new, bound })
    }

    /// Compiles the measures. They are taken while the next operator is pending, so the names of that operator are bound.
    fn measures(&mut self, parts: &[ast::SequenceOperator], operators: &mut [Operator]) {
        for (index, part) in parts.iter().enumerate() {
            if let ast::SequenceOperator::OnceMeasure(_, function, _) = part {
                let bound = operators.get(index + 1).unwrap_or(&operators[index]).bound.clone();
                operators[index].kind = OperatorKind::Measure(function.name.text.clone(), self.call(function, &bound));
            }
        }
    }

    /// Returns the names that no earlier operator binds, with their domains, and all names bound. Variables of quantifiers inside
    /// conditions have an empty domain, so no binding exists; type names are bound to each object of the type.
    fn bind(&self, names: &[NameId], types: &Types, before: Option<&Operator>) -> (Vec<Domain>, Box<[NameId]>) {
        let known = before.map_or(&[][..], |operator| &operator.bound);
        let new: Vec<Domain> = names
            .iter()
            .filter(|name| !known.contains(name))
            .map(|&name| {
                let info = &self.names[name.0 as usize];
                let objects = match types.get(&info.text) {
                    Some(types) => self.objects(types),
                    None if info.is_variable => Arc::new([]),
                    None => self.objects([&info.text]),
                };
                Domain { name, objects }
            })
            .collect();
        let bound = new.iter().map(|domain| domain.name).chain(known.iter().copied()).collect();
        (new, bound)
    }

    #[expect(
        clippy::match_wildcard_for_single_variants,
        reason = "the grammar of the authors is complete: extensions are not in it"
    )]
    fn condition(&mut self, condition: &ast::Condition) -> Result<NodeId, PlayError> {
        if let ast::Condition::Error(_) = condition {
            return Err(PlayError::syntax_error());
        }
        let kind = match condition {
            ast::Condition::And(parts, _) => NodeKind::And(self.conditions(parts)?),
            ast::Condition::Or(parts, _) => NodeKind::Or(self.conditions(parts)?),
            ast::Condition::Not(part, _) => NodeKind::Not(self.condition(part)?),
            ast::Condition::Exists(variables, body, _) => {
                NodeKind::Exists(self.domains(variables), self.condition(body)?)
            }
            ast::Condition::Forall(variables, body, _) => {
                NodeKind::Forall(self.domains(variables), self.condition(body)?)
            }
            ast::Condition::Compare(ComparisonOperator::Equal, sides, _) => {
                return Ok(self.comparison(None, &sides[..]));
            }
            ast::Condition::Compare(comparison, sides, _) => return Ok(self.comparison(Some(*comparison), &sides[..])),
            ast::Condition::AllEqual(parts, _) => return Ok(self.comparison(None, parts)),
            ast::Condition::Predicate(application) => self.atom(application),
            _ => return Err(PlayError::new("the authors' reward machine does not know the condition")),
        };
        Ok(self.node(kind))
    }

    fn conditions<C: FromIterator<NodeId>>(&mut self, parts: &[ast::Condition]) -> Result<C, PlayError> {
        parts.iter().map(|part| self.condition(part)).collect()
    }

    fn arguments(&mut self, application: &ast::Application) -> SmallVec<[NameId; 3]> {
        let mut arguments = SmallVec::new();
        for argument in &application.arguments {
            let name = self.name(&argument.text);
            if !arguments.contains(&name) {
                arguments.push(name);
            }
        }
        arguments
    }

    fn atom(&mut self, application: &ast::Application) -> NodeKind {
        let name = &application.name.text;
        match &**name {
            "game_start" => return NodeKind::GameStart,
            "game_over" => return NodeKind::GameOver,
            _ => {}
        }
        let arguments = self.arguments(application);
        if let Some(predicate) = Predicate::named(name) {
            return NodeKind::Atom(predicate, arguments);
        }
        self.remark(format!("`{name}` is not supported by the authors' implementation and is taken as true"));
        NodeKind::Unimplemented(self.name(name), arguments)
    }

    fn comparison(&mut self, comparison: Option<ComparisonOperator>, sides: &[ast::Operand]) -> NodeId {
        let mut names = Vec::new();
        for side in sides {
            if let ast::Operand::Function(application) = side {
                let arguments = self.arguments(application);
                add_new(&mut names, &arguments);
            }
        }
        let mut bound = names.clone();
        bound.sort_unstable();
        let operands: Vec<Operand> = sides
            .iter()
            .map(|side| match side {
                ast::Operand::Number(number, _) => Operand::Number(number.to_bits()),
                ast::Operand::Function(application) => match self.call(application, &bound) {
                    Some(call) => Operand::Call(call),
                    None => Operand::Unimplemented(self.name(&application.name.text)),
                },
            })
            .collect();
        let kind = match (comparison, &operands[..]) {
            (Some(comparison), &[left, right]) => NodeKind::Compare(comparison, [left, right]),
            _ => NodeKind::Equal(operands),
        };
        self.intern(kind, names)
    }

    /// Interns the call of a function where the names of `bound` are bound; returns `None` if the function is unimplemented.
    fn call(&mut self, application: &ast::Application, bound: &[NameId]) -> Option<CallId> {
        let Some(function) = Function::named(&application.name.text) else {
            self.remark(format!("`{}` is not supported by the authors' implementation", application.name.text));
            return None;
        };
        let mut bound: Box<[NameId]> = bound.into();
        bound.sort_unstable();
        let call = Call { function, arguments: self.arguments(application), bound };
        let next = CallId(self.calls.len() as u32);
        Some(*self.call_ids.entry(call.clone()).or_insert_with(|| {
            self.calls.push(call);
            next
        }))
    }

    fn node(&mut self, kind: NodeKind) -> NodeId {
        let mut names = Vec::new();
        if let NodeKind::Atom(_, arguments) | NodeKind::Unimplemented(_, arguments) = &kind {
            names.extend_from_slice(arguments);
        }
        for part in kind.parts() {
            add_new(&mut names, &self.nodes[part.0 as usize].names);
        }
        self.intern(kind, names)
    }

    fn intern(&mut self, kind: NodeKind, names: Vec<NameId>) -> NodeId {
        if let Some(&id) = self.node_ids.get(&kind) {
            return id;
        }
        let id = NodeId(self.nodes.len() as u32);
        let keys: Box<[NameId]> = names.iter().copied().filter(|name| !self.names[name.0 as usize].is_type).collect();
        let objects = keys.iter().copied().filter(|name| !self.names[name.0 as usize].is_variable).collect();
        let partial = match &kind {
            NodeKind::Unimplemented(..) => true,
            NodeKind::Compare(_, sides) => sides.iter().any(|side| matches!(side, Operand::Unimplemented(_))),
            NodeKind::Equal(sides) => sides.iter().any(|side| matches!(side, Operand::Unimplemented(_))),
            kind => kind.parts().iter().any(|part| self.nodes[part.0 as usize].partial),
        };
        let cached = partial || !kind.is_connective();
        self.nodes.push(Node { kind: kind.clone(), names: names.into(), keys, objects, partial, cached });
        self.node_ids.insert(kind, id);
        id
    }
}

fn add_new(names: &mut Vec<NameId>, added: &[NameId]) {
    for name in added {
        if !names.contains(name) {
            names.push(*name);
        }
    }
}

//! Vocabularies from checked programs, by language.

use std::sync::Arc;

use goalspec::bddl;
use goalspec::bddl::resolve::INROOM;
use goalspec::core::ids::TypeId;
use goalspec::core::world::{self, World};
use goalspec::domains::PlanningDomain;
use goalspec::game::keywords::BuiltInPredicate;
use goalspec::pddl;
use goalspec::program::ProgramContent;
use goalspec::syntax::Span;
use goalspec::syntax::symbols::SymbolKind;

use super::{ObjectEntry, Operation, ParameterEntry, TypeIndex, Vocabulary};
use crate::analysis::Analysis;

/// Returns the vocabulary of each program and domain of a document, with its span.
pub(crate) fn of_document(analysis: &Analysis) -> Vec<(Span, Arc<Vocabulary>)> {
    let mut all = Vec::new();
    if let Some((world, file)) = crate::worlds::world_of(analysis).zip(analysis.file()) {
        let mut vocabulary = Vocabulary::default();
        add_world(&mut vocabulary, world);
        all.push((Span::new(file.id(), 0, file.text().len() as u32), vocabulary));
    }
    for program in analysis.programs() {
        match &program.content {
            ProgramContent::Game(game) => {
                all.push((game.ast.span(), of_game(program.world.as_deref())));
            }
            ProgramContent::Planning(problem) => {
                let vocabulary = of_problem(&problem.problem, problem.domain.as_deref());
                all.push((problem.problem.span, vocabulary));
            }
            ProgramContent::Activity(activity) => {
                let domain = analysis.library().bddl_domain(activity);
                all.push((activity.problem.origin.0, of_activity(&activity.problem, domain)));
            }
            ProgramContent::Resource(_) | ProgramContent::Reward(_) => {}
        }
    }
    for domain in analysis.library().planning_domains() {
        if analysis.range(domain.domain.span).is_some() {
            all.push((domain.domain.span, of_planning_domain(domain)));
        }
    }
    for domain in analysis.library().bddl_domains() {
        if analysis.range(domain.origin.0).is_some() {
            let mut vocabulary = Vocabulary::default();
            add_activity_domain(&mut vocabulary, domain);
            all.push((domain.origin.0, vocabulary));
        }
    }
    all.into_iter().map(|(span, vocabulary)| (span, Arc::new(vocabulary))).collect()
}

fn of_game(world: Option<&World>) -> Vocabulary {
    let mut vocabulary = Vocabulary::default();
    if let Some(world) = world {
        add_world(&mut vocabulary, world);
    }
    for built_in in BuiltInPredicate::ALL {
        if vocabulary.operation(SymbolKind::Predicate, built_in.name()).is_none() {
            vocabulary.operations.push(Operation {
                kind: SymbolKind::Predicate,
                name: built_in.name().into(),
                parameters: vec![ParameterEntry::default(); built_in.arity()],
                doc: Arc::default(),
                phrase: Arc::default(),
            });
        }
    }
    vocabulary
}

fn add_world(vocabulary: &mut Vocabulary, world: &World) {
    // The indices of types are those of the world.
    for declared in world.types() {
        vocabulary.add_type(&declared.name);
    }
    for (index, (entry, declared)) in vocabulary.types.iter_mut().zip(world.types()).enumerate() {
        entry.parents = indices(&declared.parents);
        entry.count = Some(world.members(TypeId::from(index)).len());
    }
    let object =
        |(name, id): (&str, _)| ObjectEntry { name: name.into(), types: indices(&world.object_decl(id).types) };
    vocabulary.objects = world.program_names().map(object).collect();
    vocabulary.objects.sort_by(|one, other| one.name.cmp(&other.name));
    let parameters = |parameters: &[world::Parameter]| -> Vec<ParameterEntry> {
        let entry = |parameter: &world::Parameter| ParameterEntry {
            types: indices(&parameter.types),
            optional: parameter.optional,
            ..ParameterEntry::default()
        };
        parameters.iter().map(entry).collect()
    };
    let predicates = world.predicates().iter().map(|predicate| Operation {
        kind: SymbolKind::Predicate,
        name: predicate.name.clone(),
        parameters: parameters(&predicate.parameters),
        doc: predicate.doc.clone(),
        phrase: predicate.phrase.clone(),
    });
    let functions = world.functions().iter().map(|function| Operation {
        kind: SymbolKind::Function,
        name: function.name.clone(),
        parameters: parameters(&function.parameters),
        doc: function.doc.clone(),
        phrase: function.phrase.clone(),
    });
    vocabulary.operations.extend(predicates.chain(functions));
}

fn indices(types: &[TypeId]) -> Vec<TypeIndex> {
    types.iter().map(|id| id.index()).collect()
}

fn of_problem(problem: &pddl::ast::Problem, domain: Option<&PlanningDomain>) -> Vocabulary {
    let mut vocabulary = domain.map(of_planning_domain).unwrap_or_default();
    add_planning_objects(&mut vocabulary, &problem.objects);
    vocabulary
}

fn of_planning_domain(domain: &PlanningDomain) -> Vocabulary {
    let mut vocabulary = Vocabulary::default();
    let resolved = &domain.checked.model.vocabulary;
    for declared in resolved.types.iter() {
        vocabulary.add_type(&declared.written);
    }
    for (entry, declared) in vocabulary.types.iter_mut().zip(resolved.types.iter()) {
        entry.parents = indices(&declared.parents);
    }
    let tables = [(SymbolKind::Predicate, &resolved.predicates), (SymbolKind::Function, &resolved.functions)];
    for (kind, table) in tables {
        for signature in table.iter() {
            let parameter = |parameter: &pddl::vocabulary::Parameter| ParameterEntry {
                name: parameter.name.written().to_owned(),
                types: indices(&parameter.types),
                optional: false,
            };
            let parameters = signature.parameters.iter().map(parameter).collect();
            vocabulary.operations.push(operation(kind, signature.name.written(), parameters));
        }
    }
    for action in &domain.domain.actions {
        let parameters = planning_parameters(&vocabulary, &action.parameters);
        vocabulary.operations.push(operation(SymbolKind::Action, action.name.written(), parameters));
    }
    add_planning_objects(&mut vocabulary, &domain.domain.constants);
    vocabulary
}

fn planning_types(vocabulary: &Vocabulary, group: &pddl::ast::TypedNames) -> Vec<TypeIndex> {
    let names = group.type_ref.iter().flat_map(|types| &types.names);
    names.filter_map(|name| vocabulary.type_named(name.text())).collect()
}

fn planning_parameters(vocabulary: &Vocabulary, groups: &[pddl::ast::TypedNames]) -> Vec<ParameterEntry> {
    let of_group = |group: &pddl::ast::TypedNames| {
        let types = planning_types(vocabulary, group);
        let entry = |name: &pddl::ast::Name| ParameterEntry {
            name: name.written().to_owned(),
            types: types.clone(),
            optional: false,
        };
        group.names.iter().map(entry).collect::<Vec<_>>()
    };
    groups.iter().flat_map(of_group).collect()
}

fn add_planning_objects(vocabulary: &mut Vocabulary, groups: &[pddl::ast::TypedNames]) {
    for group in groups {
        let types = planning_types(vocabulary, group);
        let entry = |name: &pddl::ast::Name| ObjectEntry { name: name.written().into(), types: types.clone() };
        vocabulary.objects.extend(group.names.iter().map(entry));
    }
}

fn of_activity(problem: &bddl::ast::Problem, domain: Option<&bddl::ast::Domain>) -> Vocabulary {
    let mut vocabulary = Vocabulary::default();
    for (name, category) in problem.instances() {
        let category = vocabulary.add_type(category);
        vocabulary.objects.push(ObjectEntry { name: name.text.clone(), types: vec![category] });
    }
    let parameters =
        ["?object", "?room"].map(|name| ParameterEntry { name: name.to_owned(), ..ParameterEntry::default() });
    vocabulary.operations.push(operation(SymbolKind::Predicate, INROOM, parameters.to_vec()));
    if let Some(domain) = domain {
        add_activity_domain(&mut vocabulary, domain);
    }
    vocabulary
}

fn add_activity_domain(vocabulary: &mut Vocabulary, domain: &bddl::ast::Domain) {
    let parameters = |parameters: &[bddl::ast::Parameter]| -> Vec<ParameterEntry> {
        // A category is no subtype of the types of a domain, which all accept every object.
        let entry = |parameter: &bddl::ast::Parameter| ParameterEntry {
            name: format!("?{}", parameter.name.text),
            ..ParameterEntry::default()
        };
        parameters.iter().map(entry).collect()
    };
    for predicate in domain.predicates.iter().filter(|predicate| *predicate.name.text != *INROOM) {
        let parameters = parameters(&predicate.parameters);
        vocabulary.operations.push(operation(SymbolKind::Predicate, &predicate.name.text, parameters));
    }
    for action in &domain.actions {
        let parameters = parameters(&action.parameters);
        vocabulary.operations.push(operation(SymbolKind::Action, &action.name.text, parameters));
    }
    for name in domain.types.iter().flat_map(|group| &group.instances) {
        vocabulary.add_type(&name.text);
    }
}

fn operation(kind: SymbolKind, name: &str, parameters: Vec<ParameterEntry>) -> Operation {
    Operation { kind, name: name.into(), parameters, doc: Arc::default(), phrase: Arc::default() }
}

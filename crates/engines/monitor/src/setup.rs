//! The setup: compiled, and what it remembers while it runs.

use fixedbitset::FixedBitSet;
use goalspec_core::condition::{Condition, Origin};
use goalspec_core::evaluate::Context;
use goalspec_core::ids::VarId;
use goalspec_core::limits::MAX_BINDINGS;
use goalspec_core::monitor::Refusal;
use goalspec_core::program::{Setup, SetupProgram};

use crate::bits;
use crate::build::{Builder, Frame};
use crate::graph::{Graph, NodeId};
use crate::network::Network;
use crate::space::Space;

/// A compiled setup. Each part has a truth for every assignment of the variables of the quantifiers around it.
#[derive(Debug)]
pub(crate) struct SetupPlan {
    root: Part,
    statements: Vec<Statement>,
    /// Whether it may depend on which state is the last.
    pub(crate) depends_on_last: bool,
}

#[derive(Debug)]
enum Part {
    And(Vec<Part>),
    Or(Vec<Part>),
    Not(Box<Part>),
    Quantified {
        exists: bool,
        body: Box<Part>,
        /// Assignments of the quantifier's own variables.
        width: usize,
        /// Which assignments, of the variables around it and its own, bind objects that are there; `None`: all.
        present: Option<NodeId>,
    },
    Statement(usize),
}

#[derive(Debug)]
struct Statement {
    node: NodeId,
    space: Space,
    /// By variable around it, whether an `Exists` binds it.
    exists: Vec<bool>,
    /// Whether it must hold now, or must have held.
    conserved: bool,
}

/// What a setup has settled on so far.
#[derive(Debug, Clone, Default)]
pub(crate) struct SetupMemory {
    /// By statement; for optional ones where they have held.
    latched: Vec<Vec<u64>>,
    /// By statement; for conserved ones, by the assignment of their `Forall` variables, that of the `Exists` variables that
    /// is kept, plus one; 0 before any.
    kept: Vec<Vec<u32>>,
    /// The objects that `Exists` variables were settled on, by index.
    pub(crate) settled: FixedBitSet,
}

struct Planner<'b, 'w, 'f> {
    builder: &'b mut Builder<'w>,
    frame: Frame<'f>,
    statements: Vec<Statement>,
    around: Vec<VarId>,
    exists: Vec<bool>,
}

impl SetupPlan {
    pub(crate) fn new(builder: &mut Builder<'_>, program: &SetupProgram) -> Result<Self, Refusal> {
        let frame = Frame::new(builder, &program.scope, &[]);
        let mut planner = Planner { builder, frame, statements: Vec::new(), around: Vec::new(), exists: Vec::new() };
        let root = planner.part(&program.setup)?;
        Ok(Self { root, statements: planner.statements, depends_on_last: false })
    }

    /// The nodes that it looks at.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = NodeId> {
        let mut nodes: Vec<_> = self.statements.iter().map(|statement| statement.node).collect();
        self.root.presence(&mut nodes);
        nodes.into_iter()
    }

    /// Bytes that remembering takes.
    pub(crate) fn bytes(&self) -> u64 {
        let bytes = |statement: &Statement| {
            let points = statement.space.size() as u64;
            if statement.conserved { 4 * statement.keys() as u64 } else { points.div_ceil(64) * 8 }
        };
        self.statements.iter().map(bytes).sum()
    }

    pub(crate) fn memory(&self) -> SetupMemory {
        let latched =
            |statement: &Statement| vec![0; if statement.conserved { 0 } else { bits::words(statement.space.size()) }];
        let kept = |statement: &Statement| vec![0; if statement.conserved { statement.keys() } else { 0 }];
        SetupMemory {
            latched: self.statements.iter().map(latched).collect(),
            kept: self.statements.iter().map(kept).collect(),
            settled: FixedBitSet::new(),
        }
    }

    /// Whether the setup holds in this state. The context has what was settled before it.
    pub(crate) fn holds(
        &self,
        graph: &Graph,
        network: &mut Network,
        ctx: &Context<'_>,
        memory: &mut SetupMemory,
    ) -> bool {
        let mut run = Run { plan: self, graph, network, ctx, memory };
        bits::any(&run.vector(&self.root, 1))
    }
}

impl Part {
    fn presence(&self, nodes: &mut Vec<NodeId>) {
        match self {
            Self::And(parts) | Self::Or(parts) => parts.iter().for_each(|part| part.presence(nodes)),
            Self::Not(part) => part.presence(nodes),
            Self::Quantified { body, present, .. } => {
                nodes.extend(present);
                body.presence(nodes);
            }
            Self::Statement(_) => {}
        }
    }
}

impl Statement {
    /// How many assignments its `Forall` variables have.
    fn keys(&self) -> usize {
        let forall = self.space.sizes.iter().zip(&self.exists).filter(|&(_, &exists)| !exists);
        forall.map(|(&size, _)| size as usize).product()
    }

    /// The assignments of the `Forall` and of the `Exists` variables, numbered, at a point.
    fn split(&self, point: usize) -> (usize, usize) {
        let mut numbers = (0, 0);
        for ((digit, &size), &exists) in self.space.digits(point).zip(&self.space.sizes).zip(&self.exists) {
            let number = if exists { &mut numbers.1 } else { &mut numbers.0 };
            *number = *number * size as usize + digit;
        }
        numbers
    }
}

impl Planner<'_, '_, '_> {
    fn part(&mut self, setup: &Setup) -> Result<Part, Refusal> {
        Ok(match setup {
            Setup::And(parts) => Part::And(parts.iter().map(|part| self.part(part)).collect::<Result<_, _>>()?),
            Setup::Or(parts) => Part::Or(parts.iter().map(|part| self.part(part)).collect::<Result<_, _>>()?),
            Setup::Not(part) => Part::Not(Box::new(self.part(part)?)),
            Setup::Exists(variables, body) => self.quantified(variables, true, body)?,
            Setup::Forall(variables, body) => self.quantified(variables, false, body)?,
            Setup::Conserved(condition, _) => self.statement(condition, true),
            Setup::Optional(condition, _) => self.statement(condition, false),
        })
    }

    fn quantified(&mut self, variables: &[VarId], exists: bool, body: &Setup) -> Result<Part, Refusal> {
        let outer = self.around.len();
        self.around.extend(variables);
        self.exists.resize(self.around.len(), exists);
        let outside = self.frame.bind(variables);
        if self.space().checked_size().is_none_or(|size| size > MAX_BINDINGS) {
            let sizes = self.space().sizes;
            let bindings = sizes.iter().fold(1, |size: u128, &next| size.saturating_mul(u128::from(next)));
            return Err(Refusal::TooManyBindings {
                preference: None,
                bindings,
                origin: variables.first().map_or(Origin::default(), |&id| self.frame.scope.get(id).origin),
            });
        }
        let parts = self.builder.guard(&self.frame, variables, &[]);
        let present = (!parts.is_empty()).then(|| {
            let truth = self.builder.join(&self.frame, true, parts);
            self.builder.over(&self.frame, &truth, &self.around)
        });
        let body = Box::new(self.part(body)?);
        self.frame.unbind(variables, outside);
        self.around.truncate(outer);
        self.exists.truncate(outer);
        let width =
            variables.iter().map(|&id| self.builder.graph.domains.objects(self.frame.domain(id)).len()).product();
        Ok(Part::Quantified { exists, body, width, present })
    }

    fn statement(&mut self, condition: &Condition, conserved: bool) -> Part {
        let around = self.around.clone();
        let mut parts = self.builder.guard(&self.frame, &around, &condition.named_objects());
        parts.push(self.builder.condition(&mut self.frame, condition));
        let truth = self.builder.join(&self.frame, true, parts);
        let node = self.builder.over(&self.frame, &truth, &around);
        let space = self.space();
        self.statements.push(Statement { node, space, exists: self.exists.clone(), conserved });
        Part::Statement(self.statements.len() - 1)
    }

    fn space(&self) -> Space {
        self.frame.space(&self.builder.graph, &self.around)
    }
}

struct Run<'a> {
    plan: &'a SetupPlan,
    graph: &'a Graph,
    network: &'a mut Network,
    ctx: &'a Context<'a>,
    memory: &'a mut SetupMemory,
}

impl Run<'_> {
    /// The truth of a part for every assignment, of which there are `bits`, of the variables around it. Looks at every part,
    /// decided or not, as statements remember.
    fn vector(&mut self, part: &Part, bits: usize) -> Vec<u64> {
        match part {
            Part::And(parts) => self.joined(parts, bits, true),
            Part::Or(parts) => self.joined(parts, bits, false),
            Part::Not(body) => {
                let mut vector = self.vector(body, bits);
                let mut all = vec![0; vector.len()];
                bits::fill(&mut all, bits);
                vector.iter_mut().zip(all).for_each(|(word, all)| *word = !*word & all);
                vector
            }
            Part::Quantified { exists, body, width, present } => {
                let mut inside = self.vector(body, bits * width);
                if let Some(present) = present {
                    self.network.look(self.graph, self.ctx, *present);
                    let present = self.network.seen(self.graph, *present);
                    for (word, there) in inside.iter_mut().zip(present) {
                        *word = if *exists { *word & there } else { *word | !there };
                    }
                }
                let mut vector = vec![0; bits::words(bits)];
                for point in 0..bits {
                    let value = if *exists {
                        bits::any_in_range(&inside, point * width, *width)
                    } else {
                        bits::count_in_range(&inside, point * width, *width) == *width as u64
                    };
                    bits::put(&mut vector, point, value);
                }
                vector
            }
            Part::Statement(index) => self.statement(*index),
        }
    }

    fn joined(&mut self, parts: &[Part], bits: usize, and: bool) -> Vec<u64> {
        let mut joined = vec![0; bits::words(bits)];
        if and {
            bits::fill(&mut joined, bits);
        }
        for part in parts {
            let vector = self.vector(part, bits);
            for (word, part) in joined.iter_mut().zip(vector) {
                *word = if and { *word & part } else { *word | part };
            }
        }
        joined
    }

    fn statement(&mut self, index: usize) -> Vec<u64> {
        let statement = &self.plan.statements[index];
        self.network.look(self.graph, self.ctx, statement.node);
        let now = self.network.seen(self.graph, statement.node);
        let settled = &mut self.memory.settled;
        let mut settle = |point: usize| {
            let objects = statement.space.objects(&self.graph.domains, point);
            for (object, _) in objects.zip(&statement.exists).filter(|&(_, &exists)| exists) {
                settled.grow_and_insert(object.index());
            }
        };
        if statement.conserved {
            let kept = &mut self.memory.kept[index];
            let mut vector = vec![0; now.len()];
            for point in bits::ones(now) {
                let (key, own) = statement.split(point);
                if kept[key] == 0 {
                    kept[key] = own as u32 + 1;
                    settle(point);
                }
                bits::put(&mut vector, point, kept[key] == own as u32 + 1);
            }
            vector
        } else {
            let latched = &mut self.memory.latched[index];
            for (word, &now) in now.iter().enumerate() {
                bits::ones_of(now & !latched[word]).for_each(|bit| settle(word * 64 + bit));
                latched[word] |= now;
            }
            latched.clone()
        }
    }
}

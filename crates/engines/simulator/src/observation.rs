//! Observations and masks written into arrays of a fixed layout, as learning agents read them.

use std::sync::Arc;

use goalspec_resource::board::{NodeId, Slot, SlotId};
use goalspec_resource::game::{Game, TeamId};
use goalspec_resource::rules::Perspective;
use goalspec_resource::space::Space;
use goalspec_resource::value::{Labels, Value};

use crate::simulator::Simulator;
use crate::state::State;

/// The layout of an observation as numbers, the same for every state and every team of a game.
///
/// For each node, in the order of the board: 1 if the team sees the node, else 0. Then for each resource:
///
/// | space | numbers |
/// |---|---|
/// | number | 1 if it has a value, else 0; the value |
/// | Boolean | 1 if it has a value, else 0; 1 if it is true, else 0 |
/// | finite set of strings | for each member, 1 if it is the value, else 0 |
/// | set of labels | for each label, 1 if the value contains it, else 0 |
///
/// A resource without a declaration is laid out as a number. Resources whose values are any strings are
/// [omitted](Self::omitted). Resources of a node that the team does not see have their initial values.
#[derive(Debug, Clone, PartialEq)]
pub struct ObservationLayout {
    columns: Vec<ObservationColumn>,
    /// The number of numbers.
    width: usize,
    omitted: Vec<SlotId>,
}

/// The numbers of a node or of a resource.
#[derive(Debug, Clone, PartialEq)]
enum ObservationColumn {
    Visible(NodeId),
    Number(SlotId),
    Member(SlotId, Vec<Arc<str>>),
    Labels(SlotId, Labels),
}

impl ObservationColumn {
    fn width(&self) -> usize {
        match self {
            Self::Visible(_) => 1,
            Self::Number(_) => 2,
            Self::Member(_, members) => members.len(),
            Self::Labels(_, labels) => labels.len(),
        }
    }
}

impl ObservationLayout {
    /// Returns the layout of a game.
    pub fn new(game: &Game) -> Self {
        let (mut columns, mut omitted) = (Vec::new(), Vec::new());
        let mut slots: Vec<(SlotId, &Slot)> = game.board.slots().collect();
        slots.sort_by_key(|(_, slot)| slot.node);
        let mut slots = slots.into_iter().peekable();
        for node in (0..game.board.nodes().len()).map(NodeId::from) {
            columns.push(ObservationColumn::Visible(node));
            while let Some((id, slot)) = slots.next_if(|(_, slot)| slot.node == node) {
                match slot.declaration.as_ref().map(|declaration| &declaration.space) {
                    Some(Space::FreeText) => omitted.push(id),
                    Some(Space::TextEnum(members)) => columns.push(ObservationColumn::Member(id, members.clone())),
                    Some(Space::Set(labels)) => columns.push(ObservationColumn::Labels(id, labels.clone())),
                    _ => columns.push(ObservationColumn::Number(id)),
                }
            }
        }
        let width = columns.iter().map(ObservationColumn::width).sum();
        Self { columns, width, omitted }
    }

    /// Returns the number of numbers in an observation.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Returns the resources that observations omit.
    pub fn omitted(&self) -> &[SlotId] {
        &self.omitted
    }

    /// Returns the names of the numbers, in order: `NODE` for the visibility, `NODE.RESOURCE?` for the presence of a value,
    /// `NODE.RESOURCE` for a value, and `NODE.RESOURCE=MEMBER` for a string or a label.
    pub fn names(&self, game: &Game) -> Vec<String> {
        let slot_name = |slot: SlotId| {
            let slot = game.board.slot(slot);
            format!("{}.{}", game.board.node(slot.node).name, game.board.resource(slot.resource))
        };
        let mut names = Vec::with_capacity(self.width);
        for column in &self.columns {
            match column {
                ObservationColumn::Visible(node) => names.push(game.board.node(*node).name.to_string()),
                ObservationColumn::Number(slot) => {
                    names.extend([format!("{}?", slot_name(*slot)), slot_name(*slot)]);
                }
                ObservationColumn::Member(slot, members) => {
                    names.extend(members.iter().map(|member| format!("{}={member}", slot_name(*slot))));
                }
                ObservationColumn::Labels(slot, labels) => {
                    names.extend(labels.iter().map(|label| format!("{}={label}", slot_name(*slot))));
                }
            }
        }
        names
    }
}

/// The memory for computing masks, reused from call to call.
#[derive(Debug, Clone)]
pub struct MaskBuffer {
    observed: State,
    trial: State,
}

impl MaskBuffer {
    /// Creates a buffer for the states of a game.
    pub fn new(simulator: &Simulator) -> Self {
        let state = simulator.initial_state(0, 0);
        Self { observed: state.clone(), trial: state }
    }
}

impl Simulator {
    /// Writes the observation of a team. It does not allocate.
    ///
    /// # Panics
    /// If the length of `observation` is not the width of the layout, or the layout is that of another game.
    pub fn write_observation(&self, layout: &ObservationLayout, state: &State, team: TeamId, observation: &mut [f32]) {
        assert_eq!(observation.len(), layout.width, "the width of the layout");
        let compiled = self.compiled();
        let mut rest = observation;
        for column in &layout.columns {
            let (numbers, next) = rest.split_at_mut(column.width());
            rest = next;
            match column {
                ObservationColumn::Visible(node) => {
                    numbers[0] = f32::from(u8::from(state.sees(compiled, team, *node)));
                }
                ObservationColumn::Number(slot) => {
                    let number = state.observed(compiled, team, slot.0).and_then(|value| match value {
                        Value::Bool(value) => Some(f64::from(u8::from(value))),
                        value => value.as_f64(),
                    });
                    numbers[0] = f32::from(u8::from(number.is_some()));
                    numbers[1] = number.unwrap_or(0.0) as f32;
                }
                ObservationColumn::Member(slot, members) => {
                    let value = state.observed(compiled, team, slot.0);
                    for (number, member) in numbers.iter_mut().zip(members) {
                        let is_value = matches!(&value, Some(Value::Text(text)) if text == member);
                        *number = f32::from(u8::from(is_value));
                    }
                }
                ObservationColumn::Labels(slot, labels) => {
                    let value = state.observed(compiled, team, slot.0);
                    for (number, label) in numbers.iter_mut().zip(labels) {
                        let contains = matches!(&value, Some(Value::Set(set)) if set.contains(label));
                        *number = f32::from(u8::from(contains));
                    }
                }
            }
        }
    }

    /// Writes for each choice of a team whether it is [valid](goalspec_resource::turn#validity), either in the state that the team
    /// [observes](Self::observed) or in the true state. It reuses the memory of the buffer.
    ///
    /// # Panics
    /// If the length of `mask` is not the number of the team's choices, or the buffer is that of another game.
    pub fn write_mask(
        &self,
        state: &State,
        team: TeamId,
        perspective: Perspective,
        buffer: &mut MaskBuffer,
        mask: &mut [bool],
    ) {
        let compiled = self.compiled();
        assert_eq!(mask.len(), compiled.choices.count(team), "the number of choices");
        let MaskBuffer { observed, trial } = buffer;
        let state = match perspective {
            Perspective::TrueState => state,
            Perspective::Observation => {
                state.observe_into(compiled, team, observed);
                observed
            }
        };
        for (choice, is_valid) in mask.iter_mut().enumerate() {
            *is_valid = state.is_valid_choice_in(compiled, team, choice, trial);
        }
    }
}

//! Observations written into arrays of a fixed layout, as learning agents read them.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use goalspec_resource::board::{NodeId, SlotId};
use goalspec_resource::game::TeamId;
use goalspec_resource::space::Space;
use goalspec_resource::value::{Labels, Value};

use crate::cell::Cell;
use crate::program::CompiledResourceGame;
use crate::program::slots::SlotStorage;
use crate::simulator::Simulator;
use crate::state::State;

/// Options of the numbers of observations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ObservationOptions {
    /// Whether numbers with a declared range are scaled to the range from 0 to 1.
    pub scale: bool,
    /// Whether numbers outside their declared range are replaced by its nearest end, so that the range bounds them. Games may leave
    /// their ranges; without this, the numbers of an observation have no bounds.
    pub clip: bool,
    /// Whether resources whose values are any strings are left out; otherwise games with such resources have no observations as numbers.
    pub omit_text: bool,
}

impl Default for ObservationOptions {
    fn default() -> Self {
        Self { scale: false, clip: true, omit_text: false }
    }
}

/// The layout of an observation as numbers, the same for every state and every team of a game.
///
/// For each resource, node by node in the order of the board, its value and then whether the value is known:
///
/// | space | numbers of the value |
/// |---|---|
/// | number | the number |
/// | Boolean | 1 if it is true, else 0 |
/// | finite set of strings or numbers | for each member, 1 if it is the value, else 0 |
/// | set of labels | for each label, 1 if the value contains it, else 0 |
///
/// A value is *known*, and the number after it 1, if the team sees the node and the resource has a value that can be written. The resources of a
/// node that the team does not see have their initial values, which are not known. A missing value, a number that is NaN, and a value of
/// another kind are written as 0 and not known. A resource without a declaration is written as a number. A node without resources has one
/// number: 1 if the team sees it, else 0.
#[derive(Debug, Clone)]
pub struct ObservationLayout {
    nodes: Vec<NodeColumns>,
    /// The numbers of a team that sees no node.
    unseen: Box<[f32]>,
    names: Vec<String>,
    bounds: [Box<[f32]>; 2],
}

/// The columns of a node, and the numbers that they write.
#[derive(Debug, Clone)]
struct NodeColumns {
    node: NodeId,
    columns: Vec<Column>,
    numbers: Range<usize>,
}

/// The numbers of a resource.
#[derive(Debug, Clone)]
struct Column {
    slot: u32,
    storage: SlotStorage,
    kind: ColumnKind,
}

/// The form of a resource as numbers.
#[derive(Debug, Clone)]
enum ColumnKind {
    /// A number, limited to the range from `min` to `max`, from which `offset` is subtracted before the multiplication by `factor`.
    Number { min: f64, max: f64, offset: f64, factor: f64 },
    /// One of several strings.
    Text(Vec<Arc<str>>),
    /// One of several numbers.
    NumberEnum(Vec<f64>),
    /// A subset of several labels.
    Labels(Labels),
}

impl ColumnKind {
    /// Returns the form of a resource with a declared space; `None` if its values are any strings.
    fn new(space: Option<&Space>, options: ObservationOptions) -> Option<Self> {
        let number = |min: f64, max: f64| {
            let is_range = min <= max && min.is_finite() && max.is_finite();
            let (offset, factor) = if options.scale && is_range {
                (min, if min < max { 1.0 / (max - min) } else { 1.0 })
            } else {
                (0.0, 1.0)
            };
            let (min, max) = if options.clip && is_range { (min, max) } else { (f64::NEG_INFINITY, f64::INFINITY) };
            Self::Number { min, max, offset, factor }
        };
        Some(match space {
            Some(Space::FreeText) => return None,
            Some(Space::TextEnum(members)) => Self::Text(distinct(members)),
            Some(Space::Set(labels)) => Self::Labels(labels.clone()),
            Some(Space::IntEnum(members)) => Self::NumberEnum(distinct(members).into_iter().map(f64::from).collect()),
            Some(Space::RealEnum(members)) => Self::NumberEnum(distinct(members)),
            Some(Space::IntRange { min, max }) => number(f64::from(*min), f64::from(*max)),
            Some(Space::RealRange { min, max }) => number(*min, *max),
            Some(Space::Bool) => number(0.0, 1.0),
            None | Some(Space::FreeInt | Space::FreeReal | Space::Normal { .. }) => number(f64::NAN, f64::NAN),
        })
    }

    /// Returns the number of numbers, without the one for whether the value is known.
    fn width(&self) -> usize {
        match self {
            Self::Number { .. } => 1,
            Self::Text(members) => members.len(),
            Self::NumberEnum(members) => members.len(),
            Self::Labels(labels) => labels.len(),
        }
    }

    /// Returns the least and the greatest number that is written.
    fn bounds(&self) -> [f32; 2] {
        match self {
            Self::Number { min, max, offset, factor } => [*min, *max].map(|end| ((end - offset) * factor) as f32),
            Self::Text(_) | Self::NumberEnum(_) | Self::Labels(_) => [0.0, 1.0],
        }
    }

    /// Returns the names of the numbers of the resource `slot`.
    fn names(&self, slot: &str) -> Vec<String> {
        match self {
            Self::Number { .. } => vec![slot.to_owned()],
            Self::Text(members) => members.iter().map(|member| format!("{slot}={member}")).collect(),
            Self::NumberEnum(members) => members.iter().map(|member| format!("{slot}={member}")).collect(),
            Self::Labels(labels) => labels.iter().map(|label| format!("{slot}={label}")).collect(),
        }
    }
}

/// Returns the members of a list without repetitions.
fn distinct<T: PartialEq + Clone>(members: &[T]) -> Vec<T> {
    let mut distinct: Vec<T> = Vec::with_capacity(members.len());
    for member in members {
        if !distinct.contains(member) {
            distinct.push(member.clone());
        }
    }
    distinct
}

/// The error of a game with resources whose values are any strings, which have no form as numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FreeTextError {
    /// The names of the resources.
    pub resources: Vec<String>,
}

impl fmt::Display for FreeTextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.resources.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        write!(
            f,
            "the value of {names} can be any string, which has no form as numbers; declare the strings with `string.enum`"
        )
    }
}

impl std::error::Error for FreeTextError {}

impl ObservationLayout {
    /// Returns the layout of the observations of a game.
    ///
    /// # Errors
    /// If a resource can be any string, unless such resources are left out.
    pub fn new(simulator: &Simulator, options: ObservationOptions) -> Result<Self, FreeTextError> {
        let (game, c) = (simulator.game(), simulator.compiled());
        let mut layout =
            Self { nodes: Vec::new(), unseen: Box::default(), names: Vec::new(), bounds: Default::default() };
        let mut refused = Vec::new();
        let [mut low, mut high] = [Vec::new(), Vec::new()];
        let mut slots: Vec<SlotId> = game.board.slots().map(|(slot, _)| slot).collect();
        slots.sort_by_key(|slot| game.board.slot(*slot).node);
        let mut slots = slots.into_iter().peekable();
        for (node, info) in game.board.nodes() {
            let (first, mut columns) = (layout.names.len(), Vec::new());
            while let Some(slot) = slots.next_if(|slot| game.board.slot(*slot).node == node) {
                let name = game.board.slot_name(slot);
                let declaration = game.board.slot(slot).declaration.as_ref();
                let Some(kind) = ColumnKind::new(declaration.map(|declaration| &declaration.space), options) else {
                    refused.push(name);
                    continue;
                };
                let [least, greatest] = kind.bounds();
                low.extend(std::iter::repeat_n(least, kind.width()).chain([0.0]));
                high.extend(std::iter::repeat_n(greatest, kind.width()).chain([1.0]));
                layout.names.extend(kind.names(&name).into_iter().chain([format!("{name}?")]));
                columns.push(Column { slot: slot.0, storage: c.slots.get(slot.0).storage, kind });
            }
            if columns.is_empty() {
                layout.names.push(format!("{}?", info.name));
                low.push(0.0);
                high.push(1.0);
            }
            layout.nodes.push(NodeColumns { node, columns, numbers: first..layout.names.len() });
        }
        if !refused.is_empty() && !options.omit_text {
            return Err(FreeTextError { resources: refused });
        }
        layout.bounds = [low.into(), high.into()];
        layout.unseen = layout.unseen_numbers(c, &simulator.initial_state(0, 0));
        Ok(layout)
    }

    /// Returns the numbers of a team that sees no node.
    fn unseen_numbers(&self, c: &CompiledResourceGame, initial: &State) -> Box<[f32]> {
        let mut numbers = vec![0.0; self.width()];
        for NodeColumns { columns, numbers: range, .. } in &self.nodes {
            let mut rest = &mut numbers[range.clone()];
            for column in columns {
                let (own, next) = rest.split_at_mut(column.kind.width() + 1);
                rest = next;
                let (word, tag) = c.initial.expected_slot(column.slot);
                column.write(c, initial, Cell::from_parts(tag, word), own);
                own[column.kind.width()] = 0.0;
            }
        }
        numbers.into()
    }

    /// Returns the number of numbers in an observation.
    pub fn width(&self) -> usize {
        self.names.len()
    }

    /// Returns the names of the numbers, in order: `NODE.RESOURCE` for a value, `NODE.RESOURCE=MEMBER` for a member or a label,
    /// `NODE.RESOURCE?` for whether the value is known, and `NODE?` for a node without resources.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns the least and the greatest value of each number.
    pub fn bounds(&self) -> [&[f32]; 2] {
        [&self.bounds[0], &self.bounds[1]]
    }
}

impl Column {
    /// Writes the numbers of a value that the team sees.
    #[inline]
    fn write(&self, c: &CompiledResourceGame, state: &State, cell: Cell, numbers: &mut [f32]) {
        match &self.kind {
            ColumnKind::Number { min, max, offset, factor } => {
                let number = match cell {
                    Cell::Int(value) => f64::from(value),
                    Cell::Real(value) => value,
                    Cell::Bool(value) => f64::from(u8::from(value)),
                    Cell::Missing | Cell::Pooled(_) => f64::NAN,
                };
                if number.is_nan() {
                    return numbers.fill(0.0);
                }
                numbers[0] = ((number.max(*min).min(*max) - offset) * factor) as f32;
                numbers[1] = 1.0;
            }
            kind => write_members(c, state, kind, cell, numbers),
        }
    }
}

/// Writes for each member or label whether it is in the value, and whether the value is of this kind.
fn write_members(c: &CompiledResourceGame, state: &State, kind: &ColumnKind, cell: Cell, numbers: &mut [f32]) {
    numbers.fill(0.0);
    let number = |truth: bool| f32::from(u8::from(truth));
    let width = kind.width();
    match (kind, cell) {
        (ColumnKind::NumberEnum(members), Cell::Int(_) | Cell::Real(_)) => {
            for (out, member) in numbers.iter_mut().zip(members) {
                *out = number(cell.as_f64() == Some(*member));
            }
            numbers[width] = 1.0;
        }
        (ColumnKind::Text(members), Cell::Pooled(place)) => {
            if let Value::Text(text) = state.pooled(c, place) {
                for (out, member) in numbers.iter_mut().zip(members) {
                    *out = number(text == member);
                }
                numbers[width] = 1.0;
            }
        }
        (ColumnKind::Labels(labels), Cell::Pooled(place)) => {
            if let Value::Set(set) = state.pooled(c, place) {
                for (out, label) in numbers.iter_mut().zip(labels) {
                    *out = number(set.contains(label));
                }
                numbers[width] = 1.0;
            }
        }
        _ => {}
    }
}

impl Simulator {
    /// Writes the observation of a team. It does not allocate.
    ///
    /// # Panics
    /// If the length of `observation` is not the width of the layout, or the layout is that of another game.
    pub fn write_observation(&self, layout: &ObservationLayout, state: &State, team: TeamId, observation: &mut [f32]) {
        assert_eq!(observation.len(), layout.width(), "the width of the layout");
        let c = self.compiled();
        observation.copy_from_slice(&layout.unseen);
        for NodeColumns { node, columns, numbers } in &layout.nodes {
            if !state.sees(c, team, *node) {
                continue;
            }
            let mut rest = &mut observation[numbers.clone()];
            if columns.is_empty() {
                rest[0] = 1.0;
            }
            for column in columns {
                let (own, next) = rest.split_at_mut(column.kind.width() + 1);
                rest = next;
                let word = state.words[column.slot as usize];
                let cell = match column.storage {
                    SlotStorage::Int => Cell::Int(word as i32),
                    // The words of numeric slots encode real numbers.
                    SlotStorage::Real | SlotStorage::Number => Cell::Real(f64::from_bits(word)),
                    SlotStorage::Bool => Cell::Bool(word != 0),
                    SlotStorage::Tagged => state.cell(column.slot),
                };
                column.write(c, state, cell, own);
            }
        }
    }

    /// Returns the observation of a team as numbers.
    ///
    /// # Panics
    /// If the layout is that of another game.
    pub fn observation(&self, layout: &ObservationLayout, state: &State, team: TeamId) -> Vec<f32> {
        let mut observation = vec![0.0; layout.width()];
        self.write_observation(layout, state, team, &mut observation);
        observation
    }
}

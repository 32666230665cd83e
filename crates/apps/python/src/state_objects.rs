//! The states of a world as the objects that reward functions take.

use std::sync::Arc;

use goalspec::core::playback::Playback;
use goalspec::core::state::Delta;
use goalspec::core::world::World as CoreWorld;
use goalspec::python_runtime::scene::{AttributeKind, AttributeValue, Entities, Number, ObjectOrText};
use goalspec::rewards::objects::{ObjectPositions, ObjectWorld};
use goalspec::trace::{LineDecoder, StateColumns};
use numpy::{PyArray1, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple, PyType};

use crate::errors::{check_error, trace_error, value_error};
use crate::json;
use crate::traces::{World, resolve_columns};

/// The current states of a world in one or more environments.
pub(crate) struct States {
    world: Arc<ObjectWorld>,
    columns: Option<StateColumns>,
    environments: Vec<StateEnvironment>,
}

/// The state of one environment.
struct StateEnvironment {
    playback: Playback,
    positions: ObjectPositions,
    decoder: LineDecoder<Arc<CoreWorld>>,
    delta: Delta,
    /// The row of the state before.
    previous: Option<Vec<f64>>,
    entities: Entities,
}

impl StateEnvironment {
    fn new(world: &Arc<CoreWorld>) -> Self {
        Self {
            playback: Playback::new(Arc::clone(world)),
            positions: ObjectPositions::default(),
            decoder: LineDecoder::new(Arc::clone(world)),
            delta: Delta::default(),
            previous: None,
            entities: Entities::default(),
        }
    }

    /// Advances to the state that `delta` leads to.
    fn advance(&mut self, world: &ObjectWorld) {
        self.playback.advance(&self.delta);
        self.entities = world.entities(self.playback.state(), &mut self.positions);
    }
}

impl States {
    /// Returns the environments before their first states, which are rows of these columns if there are any.
    pub(crate) fn new(world: &Arc<ObjectWorld>, count: usize, columns: &[String]) -> PyResult<Self> {
        let columns = (!columns.is_empty()).then(|| resolve_columns(world.core(), columns)).transpose()?;
        Ok(Self {
            columns: columns.map(StateColumns::exact),
            environments: (0..count).map(|_| StateEnvironment::new(world.core())).collect(),
            world: Arc::clone(world),
        })
    }

    /// Reads the next state of an environment, a dictionary.
    pub(crate) fn read(&mut self, py: Python<'_>, environment: usize, state: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut line = Vec::new();
        json::write(state, &mut line)?;
        let environment = &mut self.environments[environment];
        let number = environment.playback.steps() + 1;
        let decoded = environment.decoder.decode(&line, &mut environment.delta);
        decoded.map_err(|error| trace_error(py, error.into_diagnostic(), Some(number)))?;
        environment.advance(&self.world);
        Ok(())
    }

    /// Reads the next states of the selected environments, the rows of a matrix. All rows are checked before the first is read.
    pub(crate) fn read_rows(
        &mut self,
        py: Python<'_>,
        rows: &PyReadonlyArray2<'_, f64>,
        selected: &[bool],
    ) -> PyResult<()> {
        let Self { world, columns, environments } = self;
        let Some(columns) = columns else { return Err(value_error("the reward function was made without columns")) };
        let rows = rows.as_array();
        if rows.dim() != (environments.len(), columns.count()) {
            return Err(value_error(format!(
                "expected states of the shape ({}, {}), found {:?}",
                environments.len(),
                columns.count(),
                rows.dim()
            )));
        }
        let is_selected = |(environment, _): &(usize, _)| selected[*environment];
        let rows = rows.rows().into_iter().map(|row| row.to_vec()).enumerate().filter(is_selected);
        let rows: Vec<(usize, Vec<f64>)> = rows.collect();
        let checked = rows.iter().try_for_each(|(_, row)| columns.check(row));
        checked.map_err(|error| trace_error(py, error.into_diagnostic(), None))?;
        for (environment, row) in rows {
            let environment = &mut environments[environment];
            let steps = environment.playback.steps();
            let filled = columns.fill(&row, environment.previous.as_deref(), steps, &mut environment.delta);
            filled.map_err(|error| trace_error(py, error.into_diagnostic(), Some(steps + 1)))?;
            environment.previous = Some(row);
            environment.advance(world);
        }
        Ok(())
    }

    /// Discards the states of an environment.
    pub(crate) fn reset(&mut self, environment: usize) {
        self.environments[environment] = StateEnvironment::new(self.world.core());
    }

    /// Returns the objects of each environment.
    pub(crate) fn entities(&self) -> impl Iterator<Item = &Entities> {
        self.environments.iter().map(|environment| &environment.entities)
    }
}

/// The states of a world, for reward functions that run in the interpreter of the package.
#[pyclass(module = "goalspec._core")]
pub(crate) struct ObjectStates(States);

#[pymethods]
impl ObjectStates {
    /// Returns the environments before their first states.
    #[new]
    fn new(py: Python<'_>, world: &World, count: usize, columns: Vec<String>) -> PyResult<Self> {
        let world = ObjectWorld::new(Arc::clone(&world.0));
        let world = world.map_err(|error| check_error(py, &[*error], &goalspec::syntax::Sources::new()))?;
        States::new(&Arc::new(world), count, &columns).map(Self)
    }

    /// Returns the name of each class of objects, and the indices of all classes that it inherits from, its own among them.
    fn classes(&self) -> Vec<(String, Vec<u16>)> {
        let scene = &self.0.world.scene;
        let classes = scene.entity_classes.iter().zip(0..);
        classes.map(|(class, place)| (class.name.to_string(), scene.ancestry(place))).collect()
    }

    /// Returns the objects of the next state of an environment.
    fn read(&mut self, py: Python<'_>, environment: usize, state: &Bound<'_, PyAny>) -> PyResult<ObjectFrame> {
        self.check(environment)?;
        self.0.read(py, environment, state)?;
        Ok(self.frame(environment))
    }

    /// Returns the objects of the next states, the rows of a matrix; `None` for environments that are not selected.
    fn read_rows(
        &mut self,
        py: Python<'_>,
        rows: PyReadonlyArray2<'_, f64>,
        selected: PyReadonlyArray1<'_, bool>,
    ) -> PyResult<Vec<Option<ObjectFrame>>> {
        let selected = selected.as_array().to_vec();
        if selected.len() != self.0.environments.len() {
            return Err(value_error(format!("expected {} truth values", self.0.environments.len())));
        }
        self.0.read_rows(py, &rows, &selected)?;
        let environments = selected.iter().enumerate();
        Ok(environments.map(|(environment, selected)| selected.then(|| self.frame(environment))).collect())
    }

    /// Discards the states of an environment.
    fn reset(&mut self, environment: usize) -> PyResult<()> {
        self.check(environment)?;
        self.0.reset(environment);
        Ok(())
    }
}

impl ObjectStates {
    fn check(&self, environment: usize) -> PyResult<()> {
        let exists = environment < self.0.environments.len();
        exists.then_some(()).ok_or_else(|| PyIndexError::new_err("there is no such environment"))
    }

    fn frame(&self, environment: usize) -> ObjectFrame {
        let entities = self.0.environments[environment].entities.clone();
        ObjectFrame { world: Arc::clone(&self.0.world), entities }
    }
}

/// The objects of one state.
#[pyclass(frozen, module = "goalspec._core")]
pub(crate) struct ObjectFrame {
    world: Arc<ObjectWorld>,
    entities: Entities,
}

#[pymethods]
impl ObjectFrame {
    /// Creates the objects as instances of these classes, one for each class of the world. Returns them in a list, and the attributes of
    /// the state.
    fn build<'py>(
        &self,
        py: Python<'py>,
        classes: Vec<Bound<'py, PyType>>,
    ) -> PyResult<(Bound<'py, PyList>, Bound<'py, PyDict>)> {
        let scene = &self.world.scene;
        if classes.len() != scene.entity_classes.len() {
            return Err(value_error(format!("expected {} classes", scene.entity_classes.len())));
        }
        // References may point to later objects.
        let objects = self.entities.entities.iter().map(|entity| classes[usize::from(entity.class)].call0());
        let objects: Vec<Bound<'py, PyAny>> = objects.collect::<PyResult<_>>()?;
        for (object, entity) in objects.iter().zip(&self.entities.entities) {
            for (attribute, value) in scene.attributes_of(entity.class).into_iter().zip(&entity.values) {
                if *value != AttributeValue::Absent {
                    object.setattr(&*attribute.name, convert(py, value, attribute.value_type, &objects)?)?;
                }
            }
        }
        let state = PyDict::new(py);
        for (attribute, value) in scene.state_attributes.iter().zip(&self.entities.state) {
            if *value != AttributeValue::Absent {
                state.set_item(&*attribute.name, convert(py, value, attribute.value_type, &objects)?)?;
            }
        }
        Ok((PyList::new(py, objects)?, state))
    }
}

/// Returns the value of an attribute as the engines show it to programs.
fn convert<'py>(
    py: Python<'py>,
    value: &AttributeValue,
    kind: AttributeKind,
    objects: &[Bound<'py, PyAny>],
) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        AttributeValue::Absent | AttributeValue::None => py.None().into_bound(py),
        AttributeValue::Bool(truth) => truth.into_pyobject(py)?.to_owned().into_any(),
        AttributeValue::Int(number) => number.into_pyobject(py)?.into_any(),
        AttributeValue::Float(number) => number.into_pyobject(py)?.into_any(),
        AttributeValue::Text(text) => (**text).into_pyobject(py)?.into_any(),
        AttributeValue::Vector(numbers) => PyArray1::from_slice(py, numbers).into_any(),
        AttributeValue::TextList(texts) => {
            let list = PyList::new(py, texts.iter().map(|text| &**text))?;
            if kind == AttributeKind::TextSet {
                py.get_type::<pyo3::types::PySet>().call1((list,))?
            } else {
                list.into_any()
            }
        }
        AttributeValue::Object(place) => reference(py, &ObjectOrText::Object(*place), objects)?,
        AttributeValue::ObjectOrTextList(things) => references(py, things, objects)?.into_any(),
        AttributeValue::TupleList(rows) => {
            let rows = rows.iter().map(|row| references(py, row, objects).map(|row| row.to_tuple()));
            PyList::new(py, rows.collect::<PyResult<Vec<_>>>()?)?.into_any()
        }
        AttributeValue::NumberTuple(numbers) => {
            let numbers = numbers.iter().map(|number| match number {
                Number::Int(number) => Ok(number.into_pyobject(py)?.into_any()),
                Number::Float(number) => Ok(number.into_pyobject(py)?.into_any()),
            });
            PyTuple::new(py, numbers.collect::<PyResult<Vec<_>>>()?)?.into_any()
        }
    })
}

fn references<'py>(
    py: Python<'py>,
    things: &[ObjectOrText],
    objects: &[Bound<'py, PyAny>],
) -> PyResult<Bound<'py, PyList>> {
    let things = things.iter().map(|thing| reference(py, thing, objects));
    PyList::new(py, things.collect::<PyResult<Vec<_>>>()?)
}

fn reference<'py>(py: Python<'py>, thing: &ObjectOrText, objects: &[Bound<'py, PyAny>]) -> PyResult<Bound<'py, PyAny>> {
    Ok(match thing {
        ObjectOrText::Object(place) => {
            objects.get(*place as usize).cloned().unwrap_or_else(|| py.None().into_bound(py))
        }
        ObjectOrText::Text(text) => (**text).into_pyobject(py)?.into_any(),
    })
}

//! Reward functions, called in one environment or in many.

use std::sync::Arc;

use goalspec::atari::{Decoder, Options as DecoderOptions};
use goalspec::codes;
use goalspec::python_runtime::machine::Reward;
use goalspec::python_runtime::scene::{AttributeValue, Objects, SceneObject};
use goalspec::rewards::batch::{Environments, Observation, RewardError};
use goalspec::rewards::compiled::CompiledReward;
use goalspec::rewards::screen_worlds::{self, ScreenWorld};
use goalspec::rewards::world::RewardWorld;
use goalspec::syntax::{Diagnostic, Severity};
use numpy::{PyArray1, PyReadonlyArray1, PyReadonlyArray2, PyReadonlyArray3};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::background;
use crate::errors::{check_error, refused_error, reward_error, value_error};
use crate::library::Library;
use crate::scene_objects::{class_named, scene_object};
use crate::scoring::engine;
use crate::state_objects::States;
use crate::traces::World;

/// The size of the memory of an Atari console in bytes.
pub(crate) const RAM_BYTES: usize = 128;

/// A reward function in one or more environments.
#[pyclass(module = "goalspec._core")]
pub(crate) struct Rewards {
    environments: Environments,
    inputs: Inputs,
    results: Vec<Result<Reward, RewardError>>,
}

/// The observations of the environments, by kind of world.
enum Inputs {
    Screens(Screens),
    States(Box<States>),
}

/// Screens of an Atari game.
struct Screens {
    world: &'static ScreenWorld,
    /// The objects of each environment.
    scenes: Vec<Vec<SceneObject>>,
    /// Whether the scene of each environment has an object for each slot of an array of boxes.
    fills_slots: Vec<bool>,
    /// The decoder of each environment; `None` before its first frame.
    decoders: Vec<Option<Decoder>>,
    /// A new object of the class of each slot of an array of boxes.
    templates: Vec<SceneObject>,
    /// The upper left corner of the object in each slot of each environment in the frame before; `None` if there was none.
    corners: Vec<Option<(i32, i32)>>,
}

/// Compiles a reward function for `count` environments. Its objects are those of `world` if one is given: of its screens if it is a game, unless
/// the flag beside it says that they are states of the world. `names` are the classes of the slots of arrays of boxes for a screen, and the
/// columns of rows of numbers for other worlds.
#[pyfunction]
pub(crate) fn compile_reward(
    py: Python<'_>,
    library: &Library,
    index: usize,
    world: Option<(PyRef<'_, World>, bool)>,
    engine_name: &str,
    count: usize,
    names: Vec<String>,
) -> PyResult<Rewards> {
    let is_fast_required = engine_name == "fast";
    let engine = engine(if engine_name == "auto" { "fast" } else { engine_name })?;
    let program = library.program(index)?;
    let Some(reward) = program.as_reward() else {
        return Err(value_error(format!("`{}` is not a reward function", program.name)));
    };
    let invalid = |error: Box<Diagnostic>| check_error(py, &[*error], library.shared().sources());
    let world = match (world, &reward.world) {
        (Some((world, takes_states)), _) => match screen_worlds::builtin(world.0.name()).filter(|_| !takes_states) {
            Some(screen) => RewardWorld::Screen(screen),
            None => RewardWorld::from_world(Arc::clone(&world.0)).map_err(invalid)?,
        },
        (None, Some(own)) => own.clone(),
        (None, None) => {
            return Err(value_error(format!("`{}` imports no world: pass the world of its objects", program.name)));
        }
    };
    let (name, reward) = (Arc::clone(&program.name), reward.clone());
    let inputs = Inputs::new(&world, count, &names)?;
    let environments = background::run(py, move |_| {
        let compiled = CompiledReward::new(&name, &reward, &world, engine)?;
        if let (true, Some(reason)) = (is_fast_required, &compiled.coverage().unsupported) {
            let message = format!("the fast engine does not run `{name}`: {reason}");
            return Err(Box::new(Diagnostic::new(codes::NOT_SUPPORTED, Severity::Error, message)));
        }
        Environments::new(&compiled, count)
    })?;
    let environments = environments.map_err(|error| refused_error(py, &error))?;
    Ok(Rewards { environments, inputs, results: Vec::new() })
}

impl Inputs {
    fn new(world: &RewardWorld, count: usize, names: &[String]) -> PyResult<Self> {
        Ok(match world {
            RewardWorld::Screen(world) => {
                let templates = names.iter().map(|name| Ok(world.scene.new_object(class_named(world, name)?)));
                let templates: Vec<_> = templates.collect::<PyResult<_>>()?;
                Self::Screens(Screens {
                    world,
                    scenes: vec![Vec::new(); count],
                    fills_slots: vec![false; count],
                    decoders: (0..count).map(|_| None).collect(),
                    corners: vec![None; count * templates.len()],
                    templates,
                })
            }
            RewardWorld::Objects(world) => Self::States(Box::new(States::new(world, count, names)?)),
        })
    }

    /// Forgets the frames of an environment.
    fn reset(&mut self, environment: usize) {
        match self {
            Self::Screens(screens) => {
                screens.decoders[environment] = None;
                let slots = screens.templates.len();
                screens.corners[environment * slots..][..slots].fill(None);
            }
            Self::States(states) => states.reset(environment),
        }
    }

    fn screens(&mut self) -> PyResult<&mut Screens> {
        match self {
            Self::Screens(screens) => Ok(screens),
            Self::States(_) => Err(value_error("the world of the reward function is not the screen of a game")),
        }
    }

    fn states(&mut self) -> PyResult<&mut States> {
        match self {
            Self::States(states) => Ok(states),
            Self::Screens(_) => Err(value_error("the world of the reward function is the screen of a game")),
        }
    }
}

impl Screens {
    /// Reads the objects of an environment from their boxes: x, y, width and height. Those that are not `present` are left out.
    fn read_boxes(&mut self, environment: usize, boxes: &[[i32; 4]], present: Option<&[bool]>) {
        let Self { templates, scenes, fills_slots, corners, .. } = self;
        let (scene, fills_slots) = (&mut scenes[environment], &mut fills_slots[environment]);
        let corners = &mut corners[environment * templates.len()..][..templates.len()];
        let is_present = |slot: usize| present.is_none_or(|present| present[slot]);
        let is_full = (0..templates.len()).all(is_present);
        // The objects of the frame before only move, unless some of them appear or vanish.
        if !(is_full && *fills_slots) {
            scene.clear();
            scene.extend((0..templates.len()).filter(|&slot| is_present(slot)).map(|slot| templates[slot].clone()));
            *fills_slots = is_full;
        }
        let mut objects = scene.iter_mut();
        for (slot, (&[x, y, width, height], corner)) in boxes.iter().zip(corners).enumerate() {
            let Some(object) = (if is_present(slot) { objects.next() } else { None }) else {
                *corner = None;
                continue;
            };
            (object.position, object.size) = ((x, y), (width, height));
            object.visible = true;
            object.previous = corner.replace((x, y));
        }
    }
}

/// Returns the action of an agent.
fn action(action: Option<&Bound<'_, PyAny>>) -> PyResult<Option<AttributeValue>> {
    let Some(action) = action else { return Ok(None) };
    if let Ok(text) = action.extract::<String>() {
        return Ok(Some(AttributeValue::Text(text.into())));
    }
    Ok(Some(match action.extract::<i64>() {
        Ok(number) => AttributeValue::Int(number),
        Err(_) => AttributeValue::Float(action.extract()?),
    }))
}

/// The environments of a step, bool[environments], and the actions that led to their observations; by default all environments, and no
/// actions.
#[derive(FromPyObject)]
pub(crate) struct Selection<'py>(Option<PyReadonlyArray1<'py, bool>>, Option<Vec<Bound<'py, PyAny>>>);

impl Selection<'_> {
    /// Returns whether each environment is selected, and its action.
    fn resolve(&self, count: usize) -> PyResult<(Vec<bool>, Vec<Option<AttributeValue>>)> {
        let Self(selected, actions) = self;
        let selected = selected.as_ref().map_or_else(|| vec![true; count], |selected| selected.as_array().to_vec());
        if selected.len() != count {
            return Err(value_error(format!("expected {count} truth values for where, found {}", selected.len())));
        }
        let Some(actions) = actions else { return Ok((selected, vec![None; count])) };
        if actions.len() != count {
            return Err(value_error(format!("expected {count} actions, found {}", actions.len())));
        }
        let given = actions.iter().map(|given| if given.is_none() { Ok(None) } else { action(Some(given)) });
        Ok((selected, given.collect::<PyResult<_>>()?))
    }
}

#[pymethods]
impl Rewards {
    /// Whether the world is the screen of a game: its name, for example `Pong`; `None` for other worlds.
    fn screen(&self) -> Option<&'static str> {
        match &self.inputs {
            Inputs::Screens(screens) => Some(screens.world.game.name()),
            Inputs::States(_) => None,
        }
    }

    /// Calls the function in the first environment, with the objects of a screen or a state as a dictionary. Returns the total and the
    /// components.
    fn call<'py>(
        &mut self,
        py: Python<'py>,
        objects: &Bound<'py, PyAny>,
        action_value: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(f64, Bound<'py, PyDict>)> {
        let action = action(action_value)?;
        match &mut self.inputs {
            Inputs::Screens(screens) => {
                screens.fills_slots[0] = false;
                let scene = &mut screens.scenes[0];
                scene.clear();
                for object in objects.try_iter()? {
                    scene.push(scene_object(screens.world, &object?)?);
                }
            }
            Inputs::States(states) => states.read(py, 0, objects)?,
        }
        self.run(&[action], &[true]);
        match &self.results[0] {
            Ok(reward) => {
                let components = PyDict::new(py);
                reward.components.iter().try_for_each(|(name, value)| components.set_item(name, value))?;
                Ok((reward.value(), components))
            }
            Err(error) => Err(reward_error(py, &error.kind, &error.message, error.line)),
        }
    }

    /// Calls the function in every environment with the boxes in an array of the shape (environments, slots, 4): x, y, width and height.
    /// Objects that are not `present` are left out.
    fn step_boxes<'py>(
        &mut self,
        py: Python<'py>,
        boxes: PyReadonlyArray3<'py, i32>,
        present: Option<PyReadonlyArray2<'py, bool>>,
        selection: Selection<'py>,
    ) -> PyResult<(Bound<'py, PyArray1<f64>>, Bound<'py, PyDict>)> {
        let (selected, actions) = selection.resolve(self.environments.count())?;
        let screens = self.inputs.screens()?;
        let (count, slots) = (screens.scenes.len(), screens.templates.len());
        let boxes = boxes.as_array();
        if slots == 0 || boxes.dim() != (count, slots, 4) {
            return Err(value_error(format!(
                "expected boxes of the shape ({count}, {slots}, 4), one for each slot, found {:?}",
                boxes.dim()
            )));
        }
        let present = present.as_ref().map(|present| present.as_array());
        if present.as_ref().is_some_and(|present| present.dim() != (count, slots)) {
            return Err(value_error(format!("expected {count} rows of {slots} truth values for present")));
        }
        let (boxes, present) =
            (boxes.as_standard_layout(), present.as_ref().map(|present| present.as_standard_layout()));
        let (all_boxes, _) = boxes.as_slice().unwrap_or_default().as_chunks();
        let present = present.as_ref().and_then(|present| present.as_slice());
        for environment in (0..count).filter(|&environment| selected[environment]) {
            let row = environment * slots..(environment + 1) * slots;
            screens.read_boxes(environment, &all_boxes[row.clone()], present.map(|present| &present[row]));
        }
        self.step(py, &actions, &selected)
    }

    /// Calls the function in every environment with the objects decoded from the memory of the consoles, an array of the shape
    /// (environments, 128).
    fn step_ram<'py>(
        &mut self,
        py: Python<'py>,
        ram: PyReadonlyArray2<'py, u8>,
        selection: Selection<'py>,
    ) -> PyResult<(Bound<'py, PyArray1<f64>>, Bound<'py, PyDict>)> {
        let (selected, actions) = selection.resolve(self.environments.count())?;
        let screens = self.inputs.screens()?;
        let ram = ram.as_array();
        if ram.dim() != (screens.scenes.len(), RAM_BYTES) {
            return Err(value_error(format!(
                "expected memory of the shape ({}, {RAM_BYTES}), found {:?}",
                screens.scenes.len(),
                ram.dim()
            )));
        }
        let world = screens.world;
        for (environment, row) in ram.rows().into_iter().enumerate().filter(|(environment, _)| selected[*environment]) {
            let bytes: [u8; RAM_BYTES] = std::array::from_fn(|byte| row[byte]);
            let decoder = &mut screens.decoders[environment];
            let result = match decoder {
                Some(decoder) => decoder.step(&bytes).map(|_| ()),
                None => decoder.insert(Decoder::new(world.game, DecoderOptions::default())).reset(&bytes).map(|_| ()),
            };
            result.map_err(|error| value_error(error.to_string()))?;
            let objects: Vec<_> = decoder.iter().flat_map(Decoder::visible_objects).copied().collect();
            world.fill_scene(&objects, &mut screens.scenes[environment]);
            screens.fills_slots[environment] = false;
        }
        self.step(py, &actions, &selected)
    }

    /// Calls the function in every environment with the states in the rows of a matrix.
    fn step_columns<'py>(
        &mut self,
        py: Python<'py>,
        rows: PyReadonlyArray2<'py, f64>,
        selection: Selection<'py>,
    ) -> PyResult<(Bound<'py, PyArray1<f64>>, Bound<'py, PyDict>)> {
        let (selected, actions) = selection.resolve(self.environments.count())?;
        self.inputs.states()?.read_rows(py, &rows, &selected)?;
        self.step(py, &actions, &selected)
    }

    /// Restarts the selected environments for a new episode; all of them without a selection.
    fn reset(&mut self, py: Python<'_>, selected: Option<PyReadonlyArray1<'_, bool>>) -> PyResult<()> {
        let count = self.environments.count();
        let selected = selected.map_or_else(|| vec![true; count], |selected| selected.as_array().to_vec());
        if selected.len() != count {
            return Err(value_error(format!("expected {count} truth values for where, found {}", selected.len())));
        }
        for environment in (0..count).filter(|&environment| selected[environment]) {
            self.inputs.reset(environment);
            let reset = self.environments.reset(environment);
            reset.map_err(|error| reward_error(py, &error.kind, &error.message, error.line))?;
        }
        Ok(())
    }
}

impl Rewards {
    /// Calls the function in the selected environments with their current observations and the actions.
    fn run(&mut self, actions: &[Option<AttributeValue>], selected: &[bool]) {
        let observations: Vec<Observation<'_>> = match &self.inputs {
            Inputs::Screens(screens) => {
                let objects = screens.scenes.iter().map(|scene| Objects::Screen(scene));
                objects.zip(actions).map(|(objects, action)| Observation { objects, action: action.as_ref() }).collect()
            }
            Inputs::States(states) => {
                let objects = states.entities().map(Objects::Entities);
                objects.zip(actions).map(|(objects, action)| Observation { objects, action: action.as_ref() }).collect()
            }
        };
        self.environments.step_selected(&observations, selected, &mut self.results);
    }

    /// Calls the function in the selected environments. Returns the rewards, with NaN where it raised, and the exceptions by environment.
    fn step<'py>(
        &mut self,
        py: Python<'py>,
        actions: &[Option<AttributeValue>],
        selected: &[bool],
    ) -> PyResult<(Bound<'py, PyArray1<f64>>, Bound<'py, PyDict>)> {
        py.detach(|| self.run(actions, selected));
        let rewards = self.results.iter().map(|result| result.as_ref().map_or(f64::NAN, Reward::value));
        let rewards = PyArray1::from_iter(py, rewards);
        let errors = PyDict::new(py);
        for (environment, result) in self.results.iter().enumerate() {
            if let Err(error) = result {
                let exception = reward_error(py, &error.kind, &error.message, error.line);
                errors.set_item(environment, exception.into_value(py))?;
            }
        }
        Ok((rewards, errors))
    }
}

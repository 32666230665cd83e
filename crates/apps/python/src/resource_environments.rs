//! Resource graph games as environments of learning agents.

use std::sync::{Arc, Mutex, PoisonError};

use goalspec::resource::game::TeamId;
use goalspec::resource::rules::Perspective;
use goalspec::resource_games::read_policy_file;
use goalspec::simulation::policies::TeamPolicies;
use goalspec::simulator::action_mask::ActionMasks;
use goalspec::simulator::actions::{ActionSpace, ActionSpaceError, Bins, ParameterBins};
use goalspec::simulator::environments::{
    AgentInterface, Autoreset, EnvironmentError, EnvironmentGame, Environments, GameStatus, Learner, PolicySet,
    StepArrays,
};
use goalspec::simulator::game_tree::Position;
use goalspec::simulator::observation::{ObservationLayout, ObservationOptions};
use numpy::ndarray::Array2;
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadwriteArray1, PyReadwriteArray2};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::errors::{game_error, refused, value_error};
use crate::games::{invalid, loaded_game};
use crate::library::Library;

/// The number of environments from which on a step releases the GIL.
const MIN_ENVIRONMENTS_WITHOUT_GIL: usize = 64;

/// A resource graph game with the forms in which learning agents observe it and act in it.
#[pyclass(frozen, module = "goalspec._core")]
pub(crate) struct ResourceGame {
    interface: Arc<AgentInterface>,
}

/// The bins of a parameter: a number of values, or the values.
#[derive(FromPyObject)]
enum BinsArgument {
    Count(usize),
    Values(Vec<f64>),
}

/// Compiles a resource graph game for learning agents.
#[pyfunction]
pub(crate) fn compile_resource_game(
    py: Python<'_>,
    library: &Library,
    index: usize,
    bins: &Bound<'_, PyDict>,
    scale: bool,
    clip: bool,
    observes: bool,
) -> PyResult<ResourceGame> {
    let simulator = loaded_game(py, library, index)?.simulator;
    let bins = bins.iter().map(|(name, bins)| {
        let bins = match bins.extract()? {
            BinsArgument::Count(count) => ParameterBins::Count(count),
            BinsArgument::Values(values) => ParameterBins::Values(values),
        };
        Ok((name.extract()?, bins))
    });
    let bins = bins.collect::<PyResult<Bins>>()?;
    let actions = ActionSpace::new(simulator.game(), &bins).map_err(|error| match error {
        ActionSpaceError::InfiniteParameter { .. } | ActionSpaceError::TooManyActions { .. } => {
            refused(py, &error.to_string())
        }
        _ => value_error(error.to_string()),
    })?;
    let layout = ObservationLayout::new(&simulator, ObservationOptions { scale, clip, omit_text: false });
    let layout = layout.map_err(|error| refused(py, &error.to_string()))?;
    let view = if observes { Perspective::Observation } else { Perspective::TrueState };
    let masks = ActionMasks::new(&simulator, &actions, view);
    Ok(ResourceGame { interface: Arc::new(AgentInterface { simulator, actions, layout, masks }) })
}

/// Two arrays of numbers: observations and masks.
type Observation<'py> = (Bound<'py, PyArray1<f32>>, Bound<'py, PyArray1<i8>>);

#[pymethods]
impl ResourceGame {
    /// The names of the teams.
    fn teams(&self) -> Vec<String> {
        self.interface.simulator.game().teams.iter().map(|team| team.name.to_string()).collect()
    }

    /// The name of the game.
    fn name(&self) -> String {
        self.interface.simulator.game().name.to_string()
    }

    /// The texts of the actions of a team.
    fn actions(&self, team: usize) -> PyResult<Vec<String>> {
        Ok(self.interface.actions.of_team(self.team(team)?).texts().to_vec())
    }

    /// The names of the numbers of an observation.
    fn observation_names(&self) -> Vec<String> {
        self.interface.layout.names().to_vec()
    }

    /// The least and the greatest value of each number of an observation.
    fn observation_bounds<'py>(&self, py: Python<'py>) -> [Bound<'py, PyArray1<f32>>; 2] {
        self.interface.layout.bounds().map(|bounds| PyArray1::from_slice(py, bounds))
    }

    /// The position before the first turn.
    fn initial_position(&self, py: Python<'_>, max_turns: u32) -> PyResult<GamePosition> {
        let position = Position::initial(&self.interface, max_turns);
        Ok(GamePosition(position.map_err(|error| refused(py, &error.describe(&self.interface)))?))
    }

    /// Creates environments: of a learning agent, while policies play the other teams, or of all teams.
    fn environments(
        &self,
        count: usize,
        max_turns: u32,
        learner: Option<usize>,
        policies: Vec<String>,
    ) -> PyResult<ResourceEnvironments> {
        let policies = TeamPolicies::with_files(self.interface.simulator.game(), &policies, &read_policy_file);
        let policies = policies.map_err(invalid)?;
        let learner = learner.map(|learner| self.team(learner).map(|team| (team, policies))).transpose()?;
        Ok(ResourceEnvironments::new(Arc::clone(&self.interface), count, max_turns, learner))
    }
}

impl ResourceGame {
    fn team(&self, team: usize) -> PyResult<TeamId> {
        check_team(&self.interface, team)
    }
}

fn check_team(interface: &AgentInterface, team: usize) -> PyResult<TeamId> {
    let teams = interface.simulator.game().teams.len();
    if team < teams {
        Ok(team.into())
    } else {
        Err(value_error(format!("expected a team below {teams}, found {team}")))
    }
}

/// A position of a game.
#[pyclass(frozen, module = "goalspec._core")]
pub(crate) struct GamePosition(Position);

#[pymethods]
impl GamePosition {
    /// The team to move, and the status of the game.
    fn turn(&self) -> (usize, u8) {
        (self.0.team().index(), status_code(self.0.status()))
    }

    /// The reward level of each team.
    fn levels(&self) -> Vec<f64> {
        self.0.levels().to_vec()
    }

    /// The valid actions of the team to move.
    fn legal(&self) -> Vec<usize> {
        let mask = self.0.mask();
        (0..mask.len()).filter(|&action| mask[action] != 0).collect()
    }

    /// The observation of a team.
    fn observe<'py>(&self, py: Python<'py>, game: &ResourceGame, team: usize) -> PyResult<Bound<'py, PyArray1<f32>>> {
        let AgentInterface { simulator, layout, .. } = &*game.interface;
        Ok(PyArray1::from_vec(py, simulator.observation(layout, self.0.state(), game.team(team)?)))
    }

    /// The probabilities of the positions after an action of the team to move, and the positions.
    fn outcomes(&self, py: Python<'_>, game: &ResourceGame, action: i64) -> PyResult<(Vec<f64>, Vec<Self>)> {
        let action = action_in_range(&game.interface, self.0.team(), action)?;
        let outcomes = self.0.outcomes(action).map_err(|error| refused(py, &error.describe(&game.interface)))?;
        Ok(outcomes.into_iter().map(|(probability, position)| (probability, Self(position))).unzip())
    }
}

/// Environments of one game, side by side.
#[pyclass(module = "goalspec._core")]
pub(crate) struct ResourceEnvironments {
    // The mutex makes the policies shareable between threads; calls that change the environments are exclusive anyway.
    environments: Mutex<Environments>,
    interface: Arc<AgentInterface>,
    max_turns: u32,
    learner: Option<(TeamId, TeamPolicies)>,
    actions: Vec<usize>,
}

/// The team to move, the status of the game, the step reward of each team, and the number of values outside their spaces.
type Turn<'py> = (usize, u8, Bound<'py, PyTuple>, u32);

/// The environments whose games ended, with the final observations and masks as rows.
type FinalRows<'py> = (Vec<usize>, Bound<'py, PyArray2<f32>>, Bound<'py, PyArray2<i8>>);

#[pymethods]
impl ResourceEnvironments {
    /// Begins a game in an environment, whose further games have the indices `stride` apart; returns the team to move and the status.
    fn reset(&mut self, py: Python<'_>, place: usize, seed: u64, index: u64, stride: u64) -> PyResult<(usize, u8)> {
        let environments = self.at(place)?;
        let result = environments.reset(place, [seed, index], stride);
        let (team, status) = (environments.team(place), environments.games()[place].status());
        result.map_err(|error| self.error(py, &error))?;
        Ok((team.index(), status_code(status)))
    }

    /// Plays an action of the team to move in an environment.
    fn step<'py>(&mut self, py: Python<'py>, place: usize, action: i64) -> PyResult<Turn<'py>> {
        let action = self.check_action(place, action)?;
        let environments = self.environments_mut();
        if let Err(error) = environments.step(place, action) {
            return Err(self.error(py, &error));
        }
        let (team, game) = (environments.team(place), &environments.games()[place]);
        let rewards = PyTuple::new(py, game.rewards())?;
        Ok((team.index(), status_code(game.status()), rewards, game.out_of_bounds()))
    }

    /// Whether an action of the team to move is in its mask.
    fn is_masked_in(&mut self, place: usize, action: i64) -> PyResult<bool> {
        let action = self.check_action(place, action)?;
        Ok(self.environments_mut().is_masked_in(place, action))
    }

    /// The observation of a team and the mask of its actions, as new arrays.
    fn observe<'py>(&mut self, py: Python<'py>, place: usize, team: usize) -> PyResult<Observation<'py>> {
        let team = check_team(&self.interface, team)?;
        let (width, count) = (self.interface.layout.width(), self.interface.actions.of_team(team).len());
        let environments = self.at(place)?;
        let (observation, mask) = (PyArray1::zeros(py, width, false), PyArray1::zeros(py, count, false));
        let (mut numbers, mut valid): (PyReadwriteArray1<'_, f32>, PyReadwriteArray1<'_, i8>) =
            (observation.readwrite(), mask.readwrite());
        environments.write(place, team, contiguous(numbers.as_slice_mut())?, contiguous(valid.as_slice_mut())?);
        drop((numbers, valid));
        Ok((observation, mask))
    }

    /// Begins a game in each environment, whose further games have the indices `stride` apart.
    fn reset_all(&mut self, py: Python<'_>, seeds: Vec<u64>, indices: Vec<u64>, stride: u64) -> PyResult<()> {
        let count = self.environments_mut().games().len();
        if [seeds.len(), indices.len()] != [count; 2] {
            return Err(value_error(format!("expected {count} seeds and indices, one for each environment")));
        }
        let environments = self.environments_mut();
        let games = seeds.into_iter().zip(indices).enumerate();
        let result: Result<(), EnvironmentError> = without_gil(py, count, || {
            games.into_iter().try_for_each(|(place, (seed, index))| environments.reset(place, [seed, index], stride))
        });
        result.map_err(|error| self.error(py, &error))
    }

    /// Begins the next game in each environment.
    fn next_games(&mut self, py: Python<'_>) -> PyResult<()> {
        let environments = self.environments_mut();
        let count = environments.games().len();
        let result: Result<(), EnvironmentError> =
            without_gil(py, count, || (0..count).try_for_each(|place| environments.next_game(place)));
        result.map_err(|error| self.error(py, &error))
    }

    /// The seed and the index of the game of each environment.
    fn games<'py>(&mut self, py: Python<'py>) -> (Bound<'py, PyArray1<u64>>, Bound<'py, PyArray1<u64>>) {
        let (seeds, indices) = self.environments_mut().games().iter().map(EnvironmentGame::id).unzip();
        (PyArray1::from_vec(py, seeds), PyArray1::from_vec(py, indices))
    }

    /// Writes the observations of the learning agents and the masks of their actions.
    fn observe_all(
        &mut self,
        py: Python<'_>,
        mut observations: PyReadwriteArray2<'_, f32>,
        mut masks: PyReadwriteArray2<'_, i8>,
    ) -> PyResult<()> {
        self.check_rows(&observations, &masks)?;
        let (observations, masks) = (contiguous(observations.as_slice_mut())?, contiguous(masks.as_slice_mut())?);
        let environments = self.environments_mut();
        without_gil(py, environments.games().len(), || {
            let team = environments.team(0);
            environments.write_all(team, observations, masks);
        });
        Ok(())
    }

    /// Steps all environments of a learning agent. The arrays are written; the final states are returned if games ended and the next ones
    /// begin in the same step.
    #[expect(clippy::too_many_arguments, reason = "the arrays of a step")]
    fn step_all<'py>(
        &mut self,
        py: Python<'py>,
        actions: PyReadonlyArray1<'py, i64>,
        same_step: bool,
        mut observations: PyReadwriteArray2<'py, f32>,
        mut masks: PyReadwriteArray2<'py, i8>,
        mut rewards: PyReadwriteArray1<'py, f64>,
        mut terminated: PyReadwriteArray1<'py, bool>,
        mut truncated: PyReadwriteArray1<'py, bool>,
        mut outside: PyReadwriteArray1<'py, u32>,
    ) -> PyResult<Option<FinalRows<'py>>> {
        self.check_rows(&observations, &masks)?;
        self.read_actions(&actions)?;
        let arrays = StepArrays {
            observations: contiguous(observations.as_slice_mut())?,
            masks: contiguous(masks.as_slice_mut())?,
            rewards: contiguous(rewards.as_slice_mut())?,
            terminated: contiguous(terminated.as_slice_mut())?,
            truncated: contiguous(truncated.as_slice_mut())?,
            out_of_bounds: contiguous(outside.as_slice_mut())?,
        };
        let lengths =
            [arrays.rewards.len(), arrays.terminated.len(), arrays.truncated.len(), arrays.out_of_bounds.len()];
        if lengths != [self.actions.len(); 4] {
            return Err(value_error("expected a number for each environment in every array"));
        }
        let autoreset = if same_step { Autoreset::SameStep } else { Autoreset::NextStep };
        let environments = self.environments.get_mut().unwrap_or_else(PoisonError::into_inner);
        let actions = &self.actions;
        let finals = without_gil(py, actions.len(), || environments.step_all(actions, autoreset, arrays));
        let finals = finals.map_err(|error| self.error(py, &error))?;
        if finals.places.is_empty() {
            return Ok(None);
        }
        let count = finals.places.len();
        let observations = Array2::from_shape_vec((count, finals.observations.len() / count), finals.observations);
        let masks = Array2::from_shape_vec((count, finals.masks.len() / count), finals.masks);
        let (Ok(observations), Ok(masks)) = (observations, masks) else {
            return Err(value_error("final states have no rectangular form"));
        };
        Ok(Some((finals.places, PyArray2::from_owned_array(py, observations), PyArray2::from_owned_array(py, masks))))
    }

    /// Independent environments with the same games.
    fn copy(&mut self) -> Self {
        let count = self.environments_mut().games().len();
        let mut other = Self::new(Arc::clone(&self.interface), count, self.max_turns, self.learner.clone());
        for (place, game) in self.environments_mut().games().iter().enumerate() {
            other.environments_mut().set_game(place, game.clone());
        }
        other
    }
}

impl ResourceEnvironments {
    fn new(
        interface: Arc<AgentInterface>,
        count: usize,
        max_turns: u32,
        learner: Option<(TeamId, TeamPolicies)>,
    ) -> Self {
        let policies =
            learner.as_ref().map(|(team, policies)| Learner { team: *team, policies: PolicySet(policies.policies()) });
        let environments = Environments::new(Arc::clone(&interface), count, max_turns, policies);
        Self { environments: Mutex::new(environments), interface, max_turns, learner, actions: Vec::new() }
    }

    fn environments_mut(&mut self) -> &mut Environments {
        self.environments.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the environments, which contain the one at `place`.
    fn at(&mut self, place: usize) -> PyResult<&mut Environments> {
        let environments = self.environments_mut();
        let count = environments.games().len();
        if place < count {
            Ok(environments)
        } else {
            Err(value_error(format!("expected an environment below {count}, found {place}")))
        }
    }

    /// Returns an action of the team to move.
    fn check_action(&mut self, place: usize, action: i64) -> PyResult<usize> {
        let team = self.at(place)?.team(place);
        action_in_range(&self.interface, team, action)
    }

    /// Reads an action for each environment.
    fn read_actions(&mut self, actions: &PyReadonlyArray1<'_, i64>) -> PyResult<()> {
        let environments = self.environments.get_mut().unwrap_or_else(PoisonError::into_inner);
        let (count, actions) = (environments.games().len(), actions.as_array());
        if count == 0 || actions.len() != count {
            return Err(value_error(format!(
                "expected {count} actions, one for each environment, found {}",
                actions.len()
            )));
        }
        let team = environments.team(0);
        self.actions.clear();
        for &action in actions {
            self.actions.push(action_in_range(&self.interface, team, action)?);
        }
        Ok(())
    }

    /// Checks the shapes of observations and masks.
    fn check_rows(
        &mut self,
        observations: &PyReadwriteArray2<'_, f32>,
        masks: &PyReadwriteArray2<'_, i8>,
    ) -> PyResult<()> {
        let interface = Arc::clone(&self.interface);
        let environments = self.environments_mut();
        let count = environments.games().len();
        if count == 0 {
            return Err(value_error("expected at least one environment"));
        }
        let actions = interface.actions.of_team(environments.team(0)).len();
        let expected = [(count, interface.layout.width()), (count, actions)];
        let found = [observations.as_array().dim(), masks.as_array().dim()];
        if expected == found {
            Ok(())
        } else {
            Err(value_error(format!("expected arrays of the shapes {expected:?}, found {found:?}")))
        }
    }

    /// Returns the exception for an error of a game.
    fn error(&self, py: Python<'_>, error: &EnvironmentError) -> PyErr {
        let message = error.end.error_message(self.interface.simulator.game()).unwrap_or_default();
        game_error(py, &message, error.seed, error.index)
    }
}

fn action_in_range(interface: &AgentInterface, team: TeamId, action: i64) -> PyResult<usize> {
    let count = interface.actions.of_team(team).len();
    usize::try_from(action).ok().filter(|action| *action < count).ok_or_else(|| {
        let name = &interface.simulator.game().teams[team.index()].name;
        value_error(format!("expected an action of {name} from 0 to {}, found {action}", count - 1))
    })
}

/// Returns the elements of an array, which are contiguous in memory.
fn contiguous<T, E>(slice: Result<T, E>) -> PyResult<T> {
    slice.map_err(|_| value_error("expected contiguous arrays"))
}

/// Calls a function, without the GIL if there are many environments.
fn without_gil<T: Send>(py: Python<'_>, environments: usize, call: impl FnOnce() -> T + Send) -> T {
    if environments < MIN_ENVIRONMENTS_WITHOUT_GIL { call() } else { py.detach(call) }
}

fn status_code(status: GameStatus) -> u8 {
    match status {
        GameStatus::Running => 0,
        GameStatus::Completed => 1,
        GameStatus::Truncated => 2,
        GameStatus::NotStarted => 3,
    }
}
